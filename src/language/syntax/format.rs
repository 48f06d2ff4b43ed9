//! Formats the text of a file: items in column 1, clauses indented by two with their keywords padded so that the bodies
//! align, moves that are too long broken before `choose`, `where` and `then`.
//!
//! Only blanks and line breaks change. Tokens and comments keep their text and order, and a blank never appears or
//! vanishes between two tokens of one line except beside a comma, since blanks distinguish `n-k-a` from `u -b- v`. Hence
//! the syntax tree does not change. An item that cannot be read is copied, since its line structure is unknown.
//! Formatting is idempotent.

use super::lexer::{self, STAGE_WORDS, Token, TokenKind, opens_clause, opens_stage};
use super::parser::{opens_item, unreadable};

/// A move longer than this on one line is broken, in characters.
const WIDTH: usize = 100;
/// Characters that may be dropped at the end of a line.
const BLANKS: [char; 5] = [' ', '\t', '\r', '\n', '\u{a0}'];
/// The width of `choose` and a blank.
const STAGE: usize = 7;

/// Formats a file. Line ends become `\n`; a byte order mark is removed.
#[must_use]
pub fn format_file(text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}');
    let tokens = lexer::lex(text);
    let items = lexer::items(text, &tokens);
    let mut starts: Vec<usize> = items
        .iter()
        .filter(|i| i.word.is_some())
        .map(|i| i.tokens.start)
        .chain((0..tokens.len()).filter(|i| opens_item(text, &tokens, *i)))
        .collect();
    starts.sort_unstable();
    starts.dedup();
    let mut broken = unreadable(text, &tokens, &items).peekable();
    let lines = lines(text, &tokens, &starts);
    // For each line the next line that is neither empty nor a comment.
    let mut following = vec![None; lines.len()];
    let mut next = None;
    for (i, line) in lines.iter().enumerate().rev() {
        following[i] = next;
        if line
            .tokens
            .first()
            .is_some_and(|t| !matches!(t.1.kind, TokenKind::Comment | TokenKind::Doc))
        {
            next = Some(i);
        }
    }
    let mut out = String::with_capacity(text.len() + 64);
    let mut blank = 0;
    let mut layout = Layout::default();
    let thens = lexer::thens_of_if(text, &tokens);
    let second = lexer::version(text, &tokens) == Some("2");
    // The last token copied unchanged.
    let mut copied = None;
    for (i, line) in lines.iter().enumerate() {
        let Some(first) = line.tokens.first() else {
            blank += 1;
            continue;
        };
        if copied.is_some_and(|last| first.0 <= last) {
            blank = 0;
            continue;
        }
        if let Some(tokens_of) = broken.next_if(|b| b.start <= first.0) {
            if blank > 0 && !out.is_empty() {
                out.push('\n');
            }
            blank = 0;
            let last = tokens_of.end - 1;
            push_line(&mut out, 0, &whole_lines(text, first.1, tokens[last]));
            copied = Some(last);
            continue;
        }
        let item = line
            .tokens
            .iter()
            .any(|(n, _)| starts.binary_search(n).is_ok());
        if item {
            layout = Layout::of(text, &lines[i..], &starts);
            layout.thens.clone_from(&thens);
        }
        if blank > 0 && !out.is_empty() {
            out.push('\n');
        }
        blank = 0;
        let comment = matches!(first.1.kind, TokenKind::Comment | TokenKind::Doc);
        if comment {
            // A comment is indented like the line after it.
            let next = following[i].map(|n| &lines[n]);
            let indent = match next {
                None => 0,
                Some(next)
                    if next
                        .tokens
                        .iter()
                        .any(|(n, _)| starts.binary_search(n).is_ok()) =>
                {
                    0
                }
                Some(next) => layout.indent(text, next),
            };
            push_line(
                &mut out,
                indent,
                text[first.1.range()].trim_end_matches(BLANKS),
            );
            continue;
        }
        let body = layout.line(text, line, item);
        let broken = if layout.ruleset {
            break_move(&body, second)
        } else {
            vec![body]
        };
        if broken.len() > 1 {
            layout.body = 4 + STAGE;
        }
        for (indent, body) in broken {
            push_line(&mut out, indent, body.trim_end_matches(BLANKS));
        }
        layout.count_brackets(line);
    }
    out
}

/// The lines from one token to another, without blanks at the end.
fn whole_lines(text: &str, first: Token, last: Token) -> String {
    let before = &text[..first.start as usize];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let end = last.end as usize;
    let end = match text[..end].ends_with('\n') {
        true => end,
        false => text[end..].find('\n').map_or(text.len(), |at| end + at),
    };
    let whole = without_returns(&text[start..end]);
    whole.trim_end_matches(BLANKS).to_owned()
}

/// The text without the carriage returns before a line feed.
fn without_returns(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.strip_suffix('\n') {
            Some(line) => {
                out.push_str(line.trim_end_matches('\r'));
                out.push('\n');
            }
            None => out.push_str(line),
        }
    }
    out
}

fn push_line(out: &mut String, indent: usize, body: &str) {
    out.extend(std::iter::repeat_n(' ', indent));
    out.push_str(body);
    out.push('\n');
}

/// A line of the source: its tokens except blanks, each with its number. A token that spans lines belongs to the line on
/// which it starts, and so do the tokens after it.
struct Line {
    tokens: Vec<(usize, Token)>,
    /// Blanks before the first token.
    indent: usize,
}

impl Line {
    /// The second word of the line.
    fn second<'t>(&self, text: &'t str) -> Option<&'t str> {
        self.tokens.get(1).map(|t| &text[t.1.range()])
    }
}

fn lines(text: &str, tokens: &[Token], starts: &[usize]) -> Vec<Line> {
    let empty = || Line {
        tokens: Vec::new(),
        indent: 0,
    };
    let mut out = vec![empty()];
    for (n, token) in tokens.iter().enumerate() {
        let slice = &text[token.range()];
        if token.kind != TokenKind::Blank {
            // An unclosed string may contain the end of its line.
            if starts.binary_search(&n).is_ok() && out.last().is_some_and(|l| !l.tokens.is_empty())
            {
                out.push(empty());
            }
            if let Some(line) = out.last_mut() {
                line.tokens.push((n, *token));
            }
            continue;
        }
        for _ in slice.bytes().filter(|b| *b == b'\n') {
            out.push(empty());
        }
        if let Some(line) = out.last_mut()
            && line.tokens.is_empty()
        {
            line.indent = slice.rsplit('\n').next().map_or(0, |s| s.chars().count());
        }
    }
    out
}

/// Computes the indentation of the lines of the current item.
#[derive(Default)]
struct Layout {
    ruleset: bool,
    /// Width of the padded clause keywords, including one blank.
    pad: usize,
    /// Column of the body of the current clause or stage.
    body: usize,
    /// Number of brackets open at the start of the line.
    depth: usize,
    in_move: bool,
    /// The places of each `then` that belongs to an `if`.
    thens: Vec<u32>,
}

impl Layout {
    fn of(text: &str, lines: &[Line], starts: &[usize]) -> Layout {
        let first = lines.first().and_then(|l| l.tokens.first());
        let ruleset = first.is_some_and(|t| &text[t.1.range()] == "ruleset");
        let own = lines
            .iter()
            .enumerate()
            .take_while(|(i, l)| {
                *i == 0
                    || !l
                        .tokens
                        .iter()
                        .any(|(n, _)| starts.binary_search(n).is_ok())
            })
            .map(|(_, l)| l);
        let mut depth = 0usize;
        let mut pad = 0;
        for line in own {
            if let Some(word) = line.tokens.first().map(|t| &text[t.1.range()])
                && depth == 0
                && is_padded(word)
                && opens_clause(word, line.second(text))
            {
                pad = pad.max(word.len() + 1);
            }
            for (_, token) in &line.tokens {
                match token.kind {
                    TokenKind::OpenBracket => depth += 1,
                    TokenKind::CloseBracket => depth = depth.saturating_sub(1),
                    _ => {}
                }
            }
        }
        Layout {
            ruleset,
            pad,
            ..Layout::default()
        }
    }

    fn count_brackets(&mut self, line: &Line) {
        for (_, token) in &line.tokens {
            match token.kind {
                TokenKind::OpenBracket => self.depth += 1,
                TokenKind::CloseBracket => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    fn opens_stage(&self, text: &str, line: &Line) -> bool {
        line.tokens.first().is_some_and(|(_, first)| {
            self.in_move
                && opens_stage(&text[first.range()], line.second(text))
                && self.thens.binary_search(&first.start).is_err()
        })
    }

    /// The indentation of a line that starts no item.
    fn indent(&self, text: &str, line: &Line) -> usize {
        let Some((_, first)) = line.tokens.first() else {
            return 0;
        };
        let word = &text[first.range()];
        if !self.ruleset {
            let closes = first.kind == TokenKind::CloseBracket && line.indent == 0;
            return if closes { 0 } else { line.indent.max(2) };
        }
        if self.depth == 0 && opens_clause(word, line.second(text)) {
            return 2;
        }
        if self.depth == 0 && self.opens_stage(text, line) {
            return 4;
        }
        self.body.max(2) + 2 * self.depth
    }

    /// A line's indentation and text; updates the column at which its body begins.
    fn line(&mut self, text: &str, line: &Line, item: bool) -> (usize, String) {
        let indent = if item { 0 } else { self.indent(text, line) };
        let mut out = String::new();
        let mut padded = None;
        for (i, (n, token)) in line.tokens.iter().enumerate() {
            let slice = &text[token.range()];
            if i == 0 {
                if self.ruleset && !item && self.depth == 0 {
                    if opens_clause(slice, line.second(text)) {
                        self.in_move = slice == "move";
                        if !is_padded(slice) {
                            self.body = 4;
                        } else {
                            self.body = 2 + self.pad;
                            padded = Some(self.pad);
                        }
                    } else if self.opens_stage(text, line) {
                        self.body = 4 + STAGE;
                        padded = Some(STAGE);
                    }
                }
            } else {
                let before = line.tokens[i - 1];
                let gap = token.start - before.1.end;
                let previous = &text[before.1.range()];
                let blanks = match token.kind {
                    TokenKind::Comment | TokenKind::Doc => (gap as usize).max(2),
                    _ if i == 1 && padded.is_some() && before.0 < *n => padded
                        .take()
                        .map_or(1, |p| p.saturating_sub(previous.len()).max(1)),
                    _ if matches!(slice, "," | ";") => 0,
                    _ if matches!(previous, "," | ";") => (gap as usize).max(1),
                    _ => gap as usize,
                };
                // A tab counts as one blank.
                out.extend(std::iter::repeat_n(' ', blanks));
            }
            if token.kind == TokenKind::Comment || token.kind == TokenKind::Doc {
                out.push_str(slice.trim_end_matches(BLANKS));
            } else if slice.contains('\r') {
                out.push_str(&without_returns(slice));
            } else {
                out.push_str(slice);
            }
        }
        if item {
            self.depth = 0;
            self.in_move = false;
            self.body = 2;
        }
        (indent, out)
    }
}

/// Whether the body of a clause is aligned with the others. Clauses that read as a sentence with their keyword are not.
fn is_padded(word: &str) -> bool {
    !matches!(
        word,
        "move" | "win" | "lose" | "draw" | "endless" | "score" | "without"
    )
}

/// Breaks a move that is on one line and is too long.
fn break_move(line: &(usize, String), second: bool) -> Vec<(usize, String)> {
    let (indent, body) = line;
    let whole = || vec![(*indent, body.clone())];
    let one_line = !body.contains('\n') && *indent == 2 && body.starts_with("move ");
    if !one_line || indent + body.chars().count() <= WIDTH {
        return whole();
    }
    let mut tokens = lexer::lex(body);
    if second {
        lexer::reserve(body, &mut tokens);
    }
    let thens = lexer::thens_of_if(body, &tokens);
    let mut depth = 0usize;
    let mut cuts = Vec::new();
    for token in &tokens {
        match token.kind {
            TokenKind::OpenBracket => depth += 1,
            TokenKind::CloseBracket => depth = depth.saturating_sub(1),
            // `where` may belong to an `each` or a quantifier; then the line is left unchanged.
            TokenKind::Keyword
                if matches!(&body[token.range()], "each" | "all" | "some" | "no" | "for")
                    && depth == 0 =>
            {
                return whole();
            }
            TokenKind::Keyword
                if depth == 0
                    && STAGE_WORDS.contains(&&body[token.range()])
                    && thens.binary_search(&token.start).is_err() =>
            {
                cuts.push(token.range())
            }
            TokenKind::Comment | TokenKind::Doc => return whole(),
            TokenKind::Name if matches!(&body[token.range()], "repeat" | "next") => return whole(),
            _ => {}
        }
    }
    let Some(first) = cuts.first() else {
        return whole();
    };
    let mut out = vec![(2, body[..first.start].trim_end_matches(BLANKS).to_string())];
    for (i, cut) in cuts.iter().enumerate() {
        let end = cuts.get(i + 1).map_or(body.len(), |c| c.start);
        let word = &body[cut.clone()];
        let rest = body[cut.end..end].trim();
        out.push((4, format!("{word:<width$}{rest}", width = STAGE)));
    }
    out
}
