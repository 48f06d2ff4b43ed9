//! Splits a text into tokens, so that every byte belongs to exactly one token, for any text; then into items, each a run
//! of tokens that starts with an item keyword in column 1. Unfinished input is fine, since highlighting uses this.

use logos::Logos;
use std::ops::Range;

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenKind {
    /// Blanks and line ends.
    Blank,
    /// `// ..` to the end of the line.
    Comment,
    /// `/// ..` to the end of the line.
    Doc,
    /// `".."`
    Text,
    /// `"""..."""`
    Art,
    /// A string or art that is not closed.
    Open,
    /// A number in digits.
    Integer,
    /// A name.
    Name,
    /// A keyword: reserved, or starting items or clauses.
    Keyword,
    /// `(`, `[`, `{`
    OpenBracket,
    /// `)`, `]`, `}`
    CloseBracket,
    /// Any other sign of the language.
    Sign,
    /// A character that has no meaning in the language.
    Unknown,
}

/// A token: its kind and its bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Token {
    /// Its bytes.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Blanks and comments, including documentation: the tokens that the grammar skips.
    #[must_use]
    pub fn is_trivia(self) -> bool {
        matches!(
            self.kind,
            TokenKind::Blank | TokenKind::Comment | TokenKind::Doc
        )
    }
}

/// The keywords that start an item, in column 1. `expect` and `seal` are parts of `ask`, listed so that they get a
/// message of their own in column 1.
pub const ITEM_WORDS: &[&str] = &[
    "ruleset", "use", "let", "position", "eval", "assert", "claim", "refute", "table", "search",
    "slow", "language", "ask", "expect", "seal",
];

/// The keywords that start a clause of a ruleset.
pub const CLAUSE_WORDS: &[&str] = &["board", "players", "pieces", "state", "let", "play", "move"];

/// The keywords that start a clause only where a suitable word follows: [`opens_clause`].
pub const END_WORDS: &[&str] = &["win", "lose", "draw", "endless", "score", "fixed"];

/// Whether `word` opens a clause when `next` follows it. `win p when ..`, `draw when ..`, `endless ..`, `score E`,
/// `fixed f(..): ..` and `without move ..` are clauses; elsewhere `win`, `lose`, `draw`, `endless`, `score`, `fixed` and
/// `without` are names.
#[must_use]
pub fn opens_clause(word: &str, next: Option<&str>) -> bool {
    let named = |n: &str| n.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    match (word, next) {
        ("win" | "lose" | "fixed", Some(next)) => named(next) && !RESERVED.contains(&next),
        ("score", Some(next)) => {
            (named(next) || next.starts_with(|c: char| c.is_ascii_digit()))
                && !RESERVED.contains(&next)
        }
        ("draw", Some("when")) | ("endless", Some("draw" | "win")) => true,
        ("without", Some(next)) => CLAUSE_WORDS.contains(&next) || END_WORDS.contains(&next),
        _ => CLAUSE_WORDS.contains(&word),
    }
}

/// Whether `word` opens a stage of a move, or the part after its effects, when `next` follows it.
#[must_use]
pub fn opens_stage(word: &str, next: Option<&str>) -> bool {
    match (word, next) {
        ("repeat", next) => next.is_none_or(|n| STAGE_WORDS.contains(&n)),
        ("next", Some(next)) => next.starts_with(|c: char| c.is_alphabetic() || c == '_'),
        _ => STAGE_WORDS.contains(&word),
    }
}

/// The keywords of a move.
pub const STAGE_WORDS: &[&str] = &["choose", "where", "then"];

/// Reserved everywhere: none of these can be a name. The grammar contains the same list (a test compares them).
pub const RESERVED: &[&str] = &[
    "ruleset", "move", "choose", "where", "then", "by", "for", "in", "owns", "and", "or", "not",
    "all", "some", "no", "mod", "div", "each", "remove", "keep", "let", "use", "eval", "assert",
    "claim", "refute", "search", "slow", "language", "ask", "expect", "seal",
];

/// Also reserved in a file that opens with `language 2`: the keywords of `if φ then a else b`.
pub const RESERVED_2: &[&str] = &["if", "else"];

#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
enum Raw {
    #[regex(r"[ \t\r\n\u{a0}]+")]
    Blank,
    #[regex(r"//[^\n]*", allow_greedy = true)]
    Comment,
    #[regex(r#""([^"\\\n]|\\[^\n])*""#, priority = 3)]
    Text,
    #[token("\"\"\"", art)]
    Art(bool),
    #[regex(r#""([^"\\\n]|\\[^\n])*\\?"#, priority = 2)]
    Open,
    #[regex(r"[0-9]+")]
    Integer,
    #[regex(r"[\p{XID_Start}_][\p{XID_Continue}'₀₁₂₃₄₅₆₇₈₉--·]*")]
    #[regex(r"([LRNPD]|LD|DR|DL|RD)-position", priority = 20)]
    Name,
    #[regex(r"[(\[{]")]
    OpenBracket,
    #[regex(r"[)\]}]")]
    CloseBracket,
    #[token(":=")]
    #[token("+=")]
    #[token("-=")]
    #[token("->")]
    #[token("--")]
    #[token("==")]
    #[token("!=")]
    #[token("<=")]
    #[token(">=")]
    #[token("..")]
    #[token("+-")]
    #[token("&")]
    #[regex(r"[|‖]+")]
    #[regex(r"[,;:=<>+*/^\-]")]
    #[regex(r"[→⟶—…≠≤⩽≥⩾≺≻±−∗×·⋅★☆⋆↑⇑⤊↓⇓⤋⁰¹²³⁴⁵⁶⁷⁸⁹⧾⧿∈∉∧∨¬∀∃∄∞]")]
    Sign,
    #[token("&&")]
    Unknown,
}

/// Reads up to the closing `"""`. Unclosed art ends before the next item, so that the following items are still read.
fn art(lexer: &mut logos::Lexer<'_, Raw>) -> bool {
    let rest = lexer.remainder();
    if let Some(at) = rest.find("\"\"\"") {
        lexer.bump(at + 3);
        return true;
    }
    let mut from = 0;
    let end = loop {
        match rest[from..].find('\n') {
            None => break rest.len(),
            Some(at) => {
                from += at + 1;
                let word: &str = rest[from..]
                    .split(|c: char| !c.is_ascii_lowercase())
                    .next()
                    .unwrap_or("");
                if ITEM_WORDS.contains(&word) {
                    break from;
                }
            }
        }
    };
    lexer.bump(end);
    false
}

/// Splits a text into tokens that cover it without gaps.
#[must_use]
pub fn lex(text: &str) -> Vec<Token> {
    let mut out = Vec::with_capacity(text.len() / 3);
    let mut lexer = Raw::lexer(text);
    while let Some(raw) = lexer.next() {
        let range = lexer.span();
        let slice = lexer.slice();
        let kind = match raw {
            Ok(Raw::Blank) => TokenKind::Blank,
            Ok(Raw::Comment) if slice.starts_with("///") && !slice.starts_with("////") => {
                TokenKind::Doc
            }
            Ok(Raw::Comment) => TokenKind::Comment,
            Ok(Raw::Text) => TokenKind::Text,
            Ok(Raw::Art(true)) => TokenKind::Art,
            Ok(Raw::Art(false) | Raw::Open) => TokenKind::Open,
            Ok(Raw::Integer) => TokenKind::Integer,
            Ok(Raw::Name) if is_keyword(slice) => TokenKind::Keyword,
            Ok(Raw::Name) => TokenKind::Name,
            Ok(Raw::OpenBracket) => TokenKind::OpenBracket,
            Ok(Raw::CloseBracket) => TokenKind::CloseBracket,
            Ok(Raw::Sign) => TokenKind::Sign,
            Ok(Raw::Unknown) | Err(()) => TokenKind::Unknown,
        };
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        out.push(Token {
            kind,
            start: clamp(range.start),
            end: clamp(range.end),
        });
    }
    marks(text, &mut out);
    if version(text, &out) == Some("2") {
        reserve(text, &mut out);
    }
    let known = names_of_files(text, &out);
    if !known.is_empty() {
        join(text, &mut out, &|first, _| known.contains(&first));
    }
    out
}

/// Makes a sign of the mark `!` behind an entry of a board: `TopEntails[5, 2!]`. Elsewhere `!` means nothing.
fn marks(text: &str, tokens: &mut [Token]) {
    for i in 1..tokens.len() {
        let (before, here) = (tokens[i - 1], tokens[i]);
        if here.kind != TokenKind::Unknown
            || &text[here.range()] != "!"
            || !matches!(before.kind, TokenKind::Integer | TokenKind::Name)
                && &text[before.range()] != ")"
                && &text[before.range()] != "]"
        {
            continue;
        }
        let next = tokens[i + 1..].iter().find(|t| !t.is_trivia());
        let ends = |t: &Token| matches!(&text[t.range()], "," | ";" | "]" | "}" | "for");
        if next.is_none_or(ends) {
            tokens[i].kind = TokenKind::Sign;
        }
    }
}

/// The names under which a text uses other files: X in `use "other.rules" as X`.
#[must_use]
pub fn names_of_files<'t>(text: &'t str, tokens: &[Token]) -> Vec<&'t str> {
    let mut out = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        if token.kind != TokenKind::Keyword || &text[token.range()] != "use" {
            continue;
        }
        let mut next = tokens[i + 1..].iter().filter(|t| !t.is_trivia());
        let used = next.next().is_some_and(|t| t.kind == TokenKind::Text);
        let called = used && next.next().is_some_and(|t| &text[t.range()] == "as");
        if let Some(name) = next.next().filter(|t| called && t.kind == TokenKind::Name) {
            out.push(&text[name.range()]);
        }
    }
    out
}

/// Joins two names with a point between them into one name, `X.Nim`, if `joined` says so; a joined name is joined with
/// further ones.
pub fn join(text: &str, tokens: &mut Vec<Token>, joined: &dyn Fn(&str, &str) -> bool) {
    if !tokens.iter().any(|t| t.kind == TokenKind::Unknown) {
        return;
    }
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut i = 0;
    while i < tokens.len() {
        let glued = match (out.last(), &tokens[i..]) {
            (Some(first), [point, name, ..])
                if first.kind == TokenKind::Name
                    && name.kind == TokenKind::Name
                    && &text[point.range()] == "." =>
            {
                let first = &text[first.range()];
                first.contains('.') || joined(first, &text[name.range()])
            }
            _ => false,
        };
        if glued && let Some(first) = out.last_mut() {
            first.end = tokens[i + 1].end;
            i += 2;
        } else {
            out.push(tokens[i]);
            i += 1;
        }
    }
    *tokens = out;
}

/// The language version that a text declares: the number after `language` if the text opens with it.
#[must_use]
pub fn version<'t>(text: &'t str, tokens: &[Token]) -> Option<&'t str> {
    let mark = |t: &&Token| !t.is_trivia() && &text[t.range()] != "\u{feff}";
    let mut first = tokens.iter().filter(mark);
    let word = first.next().map(|t| &text[t.range()]);
    let number = first.next().filter(|t| t.kind == TokenKind::Integer)?;
    (word == Some("language")).then(|| &text[number.range()])
}

/// Turns `if` and `else` into keywords. Called for texts of version 2, and for a single expression that contains a
/// `then`, which no expression of version 1 does.
pub fn reserve(text: &str, tokens: &mut [Token]) {
    for token in tokens {
        if token.kind == TokenKind::Name && RESERVED_2.contains(&&text[token.range()]) {
            token.kind = TokenKind::Keyword;
        }
    }
}

/// The start of each `then` that belongs to an `if`, ascending; such a `then` opens no effects.
#[must_use]
pub fn thens_of_if(text: &str, tokens: &[Token]) -> Vec<u32> {
    let mut waiting = 0usize;
    let mut found = Vec::new();
    for token in tokens.iter().filter(|t| t.kind == TokenKind::Keyword) {
        match &text[token.range()] {
            "if" => waiting += 1,
            "then" if waiting > 0 => {
                waiting -= 1;
                found.push(token.start);
            }
            word if ITEM_WORDS.contains(&word) => waiting = 0,
            _ => {}
        }
    }
    found
}

/// Whether a word can label a game in braces: one lower-case letter other than `v`, then up to three digits.
#[must_use]
pub fn is_label(word: &str) -> bool {
    let digits = word.strip_prefix(|c: char| c.is_ascii_lowercase() && c != 'v');
    word.len() <= 4 && digits.is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()))
}

fn is_keyword(word: &str) -> bool {
    word.len() <= 8
        && (RESERVED.contains(&word) || ITEM_WORDS.contains(&word) || CLAUSE_WORDS.contains(&word))
}

/// One item of a file, as a range of token numbers. Documentation and comments above it are not in the range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawItem {
    /// The keyword that starts it; `None` for text that belongs to no item.
    pub word: Option<&'static str>,
    /// Its tokens, from its keyword to the last token that is not trivia.
    pub tokens: Range<usize>,
}

/// Splits a file into items; each starts with an item keyword in column 1. `slow claim` is one item.
#[must_use]
pub fn items(text: &str, tokens: &[Token]) -> Vec<RawItem> {
    let mut starts: Vec<(usize, Option<&'static str>)> = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        if token.is_trivia() {
            continue;
        }
        let first_column = token.start == 0 || text.as_bytes()[token.start as usize - 1] == b'\n';
        let word = if first_column && token.kind == TokenKind::Keyword {
            let slice = &text[token.range()];
            ITEM_WORDS.iter().find(|w| **w == slice).copied()
        } else {
            None
        };
        if word.is_some() || starts.is_empty() {
            starts.push((i, word));
        }
    }
    let ends = starts.iter().skip(1).map(|s| s.0).chain([tokens.len()]);
    let mut out: Vec<RawItem> = Vec::with_capacity(starts.len());
    for ((start, word), end) in starts.iter().copied().zip(ends) {
        let last = (start..end)
            .rev()
            .find(|i| !tokens[*i].is_trivia())
            .unwrap_or(start);
        out.push(RawItem {
            word,
            tokens: start..last + 1,
        });
    }
    out
}

/// The lines of documentation directly above the token `at`, without slashes; a blank line ends them.
#[must_use]
pub fn doc_above<'a>(text: &'a str, tokens: &[Token], at: usize) -> Vec<&'a str> {
    let mut lines = Vec::new();
    for token in tokens[..at].iter().rev() {
        let slice = &text[token.range()];
        match token.kind {
            TokenKind::Doc => lines.push(
                slice[3..]
                    .strip_prefix(' ')
                    .unwrap_or(&slice[3..])
                    .trim_end(),
            ),
            TokenKind::Blank if slice.bytes().filter(|b| *b == b'\n').count() <= 1 => {}
            _ => break,
        }
    }
    lines.reverse();
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(text: &str) -> Vec<Token> {
        let tokens = lex(text);
        let mut at = 0;
        for token in &tokens {
            assert_eq!(token.start, at, "a gap in {text:?}");
            assert!(token.end > token.start, "an empty token in {text:?}");
            at = token.end;
        }
        assert_eq!(at as usize, text.len(), "{text:?}");
        tokens
    }

    #[test]
    fn every_byte_belongs_to_a_token() {
        for text in [
            "",
            "ruleset Nim\r\n  board heaps // x\n",
            "\"abc",
            "\"a\\",
            "\"a\\\"b\" \"\"",
            "\"\"\"xo\nox",
            "\"\"\"xo\nox\"\"\" \"\"\"",
            "a'b ★ ↑² G₂ \u{feff} € \u{0} 12ab 0.77 -- -> +-",
            "P-position N-positions a·b",
        ] {
            covers(text);
        }
    }

    #[test]
    fn kinds() {
        let kinds = |text: &str| -> Vec<TokenKind> {
            covers(text)
                .into_iter()
                .filter(|t| !t.is_trivia())
                .map(|t| t.kind)
                .collect()
        };
        use TokenKind::{
            Art, CloseBracket, Integer, Keyword, Name, Open, OpenBracket, Sign, Text, Unknown,
        };
        assert_eq!(kinds("choose x' -- 12"), [Keyword, Name, Sign, Integer]);
        assert_eq!(
            kinds("\"\" \"a\" \"\"\"b\n\"\"\" \"c"),
            [Text, Text, Art, Open]
        );
        assert_eq!(kinds("{|}"), [OpenBracket, Sign, CloseBracket]);
        assert_eq!(kinds("P-position"), [Name]);
        assert_eq!(kinds("€"), [Unknown]);
    }

    #[test]
    fn items_start_in_column_one() {
        let text = "/// doc\nruleset A\n  board heaps\n  let x = 1\nlet y = 2\n  position z\n\nslow claim x: y\n";
        let tokens = lex(text);
        let found = items(text, &tokens);
        let words: Vec<_> = found.iter().map(|i| i.word).collect();
        assert_eq!(words, [Some("ruleset"), Some("let"), Some("slow")]);
        assert_eq!(doc_above(text, &tokens, found[0].tokens.start), ["doc"]);
        let open = "eval Foo[\"\"\"ab\nruleset B\n";
        assert_eq!(items(open, &lex(open)).len(), 2);
    }
}
