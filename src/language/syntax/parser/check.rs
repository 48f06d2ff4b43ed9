//! Finds the errors in an item's tokens that need no grammar: unclosed strings and brackets, strange characters, tabs in
//! art, brackets nested too deeply. Also splits a ruleset into its clauses.

use super::{ItemSource, MAX_BRACKETS, MAX_DIGITS, MAX_OPERATORS, strange};
use crate::base::Span;
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::lexer::{Token, TokenKind, opens_clause};

/// Checks the tokens; returns the nesting depth of the brackets, or `None` after reporting.
pub(super) fn check(source: &ItemSource<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<usize> {
    let before = diagnostics.len();
    let mut open: Vec<Token> = Vec::new();
    // For each open bracket, and for the top level: the number of operators since the last comma.
    let mut operators = vec![0usize];
    let mut deepest = 0;
    let tokens: Vec<Token> = source.significant().collect();
    let mut spoken_for = 0;
    for (i, token) in tokens.iter().copied().enumerate() {
        if (token.start as usize) < spoken_for {
            continue;
        }
        let slice = source.slice(token);
        let span = source.span_of(token);
        match slice {
            "+" | "-" | "*" | "/" | "^" | "and" | "or" | "mod" | "div" => {
                if let Some(count) = operators.last_mut() {
                    *count += 1;
                    if *count > MAX_OPERATORS {
                        diagnostics.push(
                            Diagnostic::error(
                                Code::E0107,
                                format!("an expression of more than {MAX_OPERATORS} signs"),
                            )
                            .at(span, "one too many")
                            .help("give parts of it names with `let`, or write `sum(.. for k in 1..n)`"),
                        );
                        return None;
                    }
                }
            }
            "," | ";" | ":" => {
                if let Some(count) = operators.last_mut() {
                    *count = 0;
                }
            }
            "(" | "[" | "{" => operators.push(0),
            ")" | "]" | "}" if operators.len() > 1 => {
                operators.pop();
            }
            _ => {}
        }
        match token.kind {
            TokenKind::Keyword if slice == "else" => match open.last() {
                Some(partner) if source.slice(*partner) == "if" => {
                    open.pop();
                }
                _ => {
                    diagnostics.push(
                        Diagnostic::error(Code::E0121, "`else` without its `if`")
                            .at(span, "")
                            .help("an expression with two cases is `if φ then a else b`"),
                    );
                    return None;
                }
            },
            TokenKind::OpenBracket | TokenKind::Keyword
                if token.kind == TokenKind::OpenBracket || slice == "if" =>
            {
                open.push(token);
                deepest = deepest.max(open.len());
                if open.len() == MAX_BRACKETS + 1 {
                    diagnostics.push(
                        Diagnostic::error(
                            Code::E0104,
                            format!("brackets nest more than {MAX_BRACKETS} deep"),
                        )
                        .at(span, "one too many")
                        .at(source.span_of(open[0]), "the outermost opens here")
                        .help("give parts of it names with `let`"),
                    );
                    return None;
                }
                if let Some((d, until)) = bare_drawing(source, &tokens, i) {
                    diagnostics.push(d);
                    spoken_for = until;
                }
            }
            TokenKind::CloseBracket => match open.pop() {
                None => {
                    diagnostics.push(
                        Diagnostic::error(Code::E0103, format!("`{slice}` closes nothing"))
                            .at(span, "no bracket is open here")
                            .suggest(Suggestion::replace(
                                span,
                                "",
                                format!("leave out `{slice}`"),
                            )),
                    );
                    return None;
                }
                Some(partner) if source.slice(partner) == "if" => {
                    diagnostics.push(no_else(source, partner));
                    return None;
                }
                Some(partner) if closes(source.slice(partner)) != slice => {
                    let wanted = closes(source.slice(partner));
                    diagnostics.push(
                        Diagnostic::error(
                            Code::E0103,
                            format!("`{slice}` where `{wanted}` must come first"),
                        )
                        .at(span, format!("expected `{wanted}`"))
                        .at(source.span_of(partner), "this bracket is still open")
                        .suggest(Suggestion::before(
                            span,
                            wanted,
                            format!("write `{wanted}` before it"),
                        )),
                    );
                    return None;
                }
                Some(_) => {}
            },
            TokenKind::Open if slice.starts_with("\"\"\"") => diagnostics.push(
                Diagnostic::error(Code::E0105, "this art has no closing `\"\"\"`")
                    .at(
                        crate::base::Span::new(
                            span.file,
                            token.start as usize,
                            token.start as usize + 3,
                        ),
                        "opens here",
                    )
                    .suggest(Suggestion::after(span, "\n\"\"\"", "end it with `\"\"\"`"))
                    .help("within one line plain quotes do: \"xo|ox\""),
            ),
            TokenKind::Open => {
                let d =
                    Diagnostic::error(Code::E0105, "this string has no closing quote on its line")
                        .at(span, "opens here");
                diagnostics.push(match drawing_of_lines(source, token) {
                    Some((fix, until)) => {
                        spoken_for = until;
                        d.suggest(fix)
                    }
                    None => d
                        .suggest(end_of_string(source, token))
                        .help("art of several lines stands between `\"\"\"` and `\"\"\"`"),
                });
            }
            TokenKind::Unknown => {
                let found = strange::explain(source, &tokens, i);
                spoken_for = found.until;
                diagnostics.push(found.said);
            }
            TokenKind::Text | TokenKind::Art if slice.contains('\t') => {
                let at = token.start as usize + slice.find('\t').unwrap_or(0);
                diagnostics.push(
                    Diagnostic::error(Code::E0118, "a tab inside a string or art")
                        .at(
                            crate::base::Span::new(span.file, at, at + 1),
                            "a tab has no width of its own",
                        )
                        .suggest(without_tabs(source, token))
                        .note("blanks are ignored; `.` is an empty cell"),
                );
            }
            TokenKind::Integer if slice.len() > MAX_DIGITS => diagnostics.push(
                Diagnostic::error(Code::E0107, format!("an integer of {} digits", slice.len()))
                    .at(span, format!("at most {MAX_DIGITS} can be written out"))
                    .help("write a power, such as 10^20000"),
            ),
            _ => {}
        }
    }
    // An open string may have swallowed the closing bracket.
    if let Some(bracket) = open.last()
        && !source.significant().any(|t| t.kind == TokenKind::Open)
    {
        if source.slice(*bracket) == "if" {
            diagnostics.push(no_else(source, *bracket));
            return None;
        }
        let wanted = closes(source.slice(*bracket));
        let last = source.significant().next_back().unwrap_or(*bracket);
        let d = Diagnostic::error(
            Code::E0103,
            format!("this bracket is never closed by `{wanted}`"),
        )
        .at(source.span_of(*bracket), "opens here");
        diagnostics.push(match swallowed(source, *bracket) {
            Some(sign) => d.at(sign, "a comment begins here").suggest(
                Suggestion::replace(
                    sign,
                    "div",
                    "a quotient that is rounded down is written `div`: `n div 2`",
                )
                .safe(),
            ),
            None => d
                .at(source.span_of(last), "the item ends here")
                .suggest(missing_bracket(source, &tokens, *bracket, wanted))
                .note("an item ends where the next line begins with an item's word in column 1"),
        });
    }
    (diagnostics.len() == before).then_some(deepest)
}

/// An `if` without an `else`.
fn no_else(source: &ItemSource<'_>, token: Token) -> Diagnostic {
    let next = source.significant().find(|t| t.start > token.start);
    if next.is_none_or(|t| matches!(source.slice(t), "=" | "," | ")" | ":=" | ":")) {
        return Diagnostic::error(Code::E0116, "`if` is a word of the language")
            .at(source.span_of(token), "where a name must stand")
            .note("in files of `language 2`; in version 1 it is a name");
    }
    Diagnostic::error(Code::E0121, "an `if` without its `else`")
        .at(source.span_of(token), "opens here")
        .help("add the other case: `if φ then a else b`")
        .note("an effect that is done only where a condition holds is `effect when φ`")
}

/// The `//` of a division that was read as a comment and swallowed a closing bracket.
fn swallowed(source: &ItemSource<'_>, open: Token) -> Option<Span> {
    let wanted = closes(source.slice(open));
    // The item may end before its last comment, so the whole line is searched.
    let line = source.text.get(open.start as usize..)?.lines().next()?;
    let at = line.find("//")?;
    let start = open.start as usize + at;
    // After the sign there must be one operand and brackets, not a sentence.
    let rest = line[at + 2..].trim();
    let operand = rest.trim_end_matches([']', ')', '}', ',']);
    let plain = operand.len() <= 40
        && !operand.is_empty()
        && !operand.contains(' ')
        && rest[operand.len()..].contains(wanted);
    plain.then(|| Span::new(source.file, start, start + 2))
}

/// Inserts the missing bracket before a token that cannot be inside one: a comparison, a keyword of a move, an effect.
fn missing_bracket(
    source: &ItemSource<'_>,
    tokens: &[Token],
    open: Token,
    wanted: &str,
) -> Suggestion {
    let from = tokens.partition_point(|t| t.start <= open.start);
    let round = wanted == ")";
    let mut last = open;
    let mut depth = 0usize;
    for (i, token) in tokens.iter().enumerate().skip(from) {
        let slice = source.slice(*token);
        let outside = matches!(
            slice,
            "=" | "=="
                | "!="
                | "<="
                | ">="
                | ":="
                | "+="
                | "-="
                | "where"
                | "then"
                | "choose"
                | "from"
        ) || round && matches!(slice, "<" | ">");
        let clause = source.opens_clause(tokens, i);
        match token.kind {
            _ if depth == 0 && (outside || clause) => break,
            TokenKind::OpenBracket => depth += 1,
            TokenKind::CloseBracket => depth = depth.saturating_sub(1),
            _ => {}
        }
        last = *token;
    }
    let place = source.span_of(last);
    Suggestion::after(
        place,
        wanted,
        format!("close it: `{}{wanted}`", source.slice(last)),
    )
}

/// Whether a text may be a drawing.
fn draws(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_alphanumeric() || c.is_whitespace() || matches!(c, '.' | '#' | '|'))
}

/// A drawing without quotes in the bracket that the token `i` opens, `Snort[x..|...]`: the message, and where the bracket
/// closes.
fn bare_drawing(
    source: &ItemSource<'_>,
    tokens: &[Token],
    i: usize,
) -> Option<(Diagnostic, usize)> {
    let (before, open) = (*tokens.get(i.checked_sub(1)?)?, tokens[i]);
    let named = before.kind == TokenKind::Name || source.slice(before) == ")";
    if source.slice(open) != "[" || !named || before.end != open.start {
        return None;
    }
    let mut after = tokens[i + 1..].iter();
    let close = after.find(|t| t.kind == TokenKind::CloseBracket)?;
    let (from, until) = (open.end as usize, close.start as usize);
    let inner = &source.text[from..until];
    let art = inner.trim();
    let signs = art.contains('|') || art.contains('#') && !art.contains(char::is_whitespace);
    // `[1..3]` is a range, and `[1...n]` was meant to be one.
    let dotted = art.contains("...") && !art.contains(|c: char| c.is_ascii_digit())
        || art.contains(char::is_alphabetic) && (art.starts_with('.') || art.ends_with('.'));
    if !draws(art) || !signs && !dotted {
        return None;
    }
    let start = from + inner.len() - inner.trim_start().len();
    let place = Span::new(source.file, start, start + art.len());
    let (quote, message) = match (art.contains('\n'), art.len()) {
        (true, _) => ("\"\"\"", "write `\"\"\"` before and after it".to_owned()),
        (false, ..=40) => ("\"", format!("write `\"{art}\"`")),
        (false, _) => ("\"", "write `\"` before and after it".to_owned()),
    };
    let fix = Suggestion::before(place, quote, message).and_after(place, quote);
    let d = Diagnostic::error(Code::E0106, "a drawing stands in quotes").at(place, "");
    Some((d.suggest(fix.safe_if(signs)), until))
}

/// A drawing of several lines between quotes of one line: the quotes become those of art. Also where it ends.
fn drawing_of_lines(source: &ItemSource<'_>, token: Token) -> Option<(Suggestion, usize)> {
    let start = token.start as usize;
    let inner = source.text.get(start + 1..source.range().end)?;
    let length = inner.find('"')?;
    let art = &inner[..length];
    if !draws(art) || !art.contains('\n') || art.trim().is_empty() {
        return None;
    }
    let end = start + 1 + length;
    let place = |at: usize| Span::new(source.file, at, at + 1);
    let message = "art of several lines stands between `\"\"\"` and `\"\"\"`";
    let fix = Suggestion::replace(place(start), "\"\"\"", message).and(place(end), "\"\"\"");
    Some((fix.safe(), end + 1))
}

/// Closes a string at the end of its line.
fn end_of_string(source: &ItemSource<'_>, token: Token) -> Suggestion {
    let slice = source.slice(token);
    // Brackets at the end of the line are likely to close a bracket opened before the string.
    let inner = slice
        .trim_end()
        .trim_end_matches([']', ')', '}', ','])
        .trim_end();
    let end = token.start as usize + inner.len().max(1);
    let place = Span::new(source.file, end, end);
    Suggestion::replace(place, "\"", "end it with `\"`")
}

/// Replaces the tabs in drawn art by blanks.
fn without_tabs(source: &ItemSource<'_>, token: Token) -> Suggestion {
    let start = token.start as usize;
    let mut out: Option<Suggestion> = None;
    for (at, _) in source.slice(token).match_indices('\t') {
        let place = Span::new(source.file, start + at, start + at + 1);
        out = Some(match out {
            None => Suggestion::replace(place, " ", "write blanks in the place of tabs").safe(),
            Some(more) => more.and(place, " "),
        });
    }
    out.unwrap_or_else(|| Suggestion::replace(source.span_of(token), source.slice(token), ""))
}

/// The closing bracket for an opening one.
fn closes(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

/// The clauses of a ruleset: each starts with a clause keyword that is first on its line and outside brackets. If
/// brackets do not match, the keywords alone decide.
pub(super) fn clauses<'a>(source: &ItemSource<'a>) -> Vec<&'a [Token]> {
    let brackets = |kind| source.tokens.iter().filter(|t| t.kind == kind).count();
    let whole = brackets(TokenKind::OpenBracket) == brackets(TokenKind::CloseBracket);
    let mut depth = 0usize;
    let mut starts = Vec::new();
    let next = |i: usize| {
        let rest = source.tokens[i + 1..].iter();
        rest.clone()
            .find(|t| !t.is_trivia())
            .map(|t| source.slice(*t))
    };
    for (i, token) in source.tokens.iter().enumerate() {
        match token.kind {
            TokenKind::OpenBracket => depth += 1,
            TokenKind::CloseBracket => depth = depth.saturating_sub(1),
            TokenKind::Keyword | TokenKind::Name
                if (depth == 0 || !whole) && opens_clause(source.slice(*token), next(i)) =>
            {
                let line = source.text[..token.start as usize]
                    .rfind('\n')
                    .map_or(0, |at| at + 1);
                if source.text[line..token.start as usize].trim().is_empty() {
                    starts.push(i);
                }
            }
            _ => {}
        }
    }
    let ends = starts.iter().skip(1).copied().chain([source.tokens.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(start, end)| {
            let slice = &source.tokens[*start..end];
            let last = slice
                .iter()
                .rposition(|t| !t.is_trivia())
                .map_or(0, |i| i + 1);
            &slice[..last]
        })
        .collect()
}
