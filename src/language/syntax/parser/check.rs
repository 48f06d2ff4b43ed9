//! The tokens of an item come in; what is wrong with them before any grammar comes out: strings and brackets left open,
//! strange characters, tabs in art, brackets nested too deeply. Also the split of a ruleset into its clauses.

use super::{ItemSource, MAX_BRACKETS, MAX_DIGITS, MAX_OPERATORS};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::lexer::{CLAUSE_WORDS, Token, TokenKind};

/// Checks the tokens; returns how deep the brackets nest, or `None` after reporting.
pub(super) fn check(source: &ItemSource<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<usize> {
    let before = diagnostics.len();
    let mut open: Vec<Token> = Vec::new();
    // For each bracket that is open, and outside of all: the operators since the last comma.
    let mut operators = vec![0usize];
    let mut deepest = 0;
    for token in source.significant() {
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
            TokenKind::OpenBracket => {
                open.push(token);
                deepest = deepest.max(open.len());
                if open.len() == MAX_BRACKETS + 1 {
                    diagnostics.push(
                        Diagnostic::error(Code::E0104, format!("brackets nest more than {MAX_BRACKETS} deep"))
                            .at(span, "one too many")
                            .at(source.span_of(open[0]), "the outermost opens here")
                            .help("give parts of it names with `let`"),
                    );
                    return None;
                }
            }
            TokenKind::CloseBracket => match open.pop() {
                None => {
                    diagnostics.push(
                        Diagnostic::error(Code::E0103, format!("`{slice}` closes nothing"))
                            .at(span, "no bracket is open here"),
                    );
                    return None;
                }
                Some(partner) if closes(source.slice(partner)) != slice => {
                    let wanted = closes(source.slice(partner));
                    diagnostics.push(
                        Diagnostic::error(Code::E0103, format!("`{slice}` where `{wanted}` must come first"))
                            .at(span, format!("expected `{wanted}`"))
                            .at(source.span_of(partner), "this bracket is still open"),
                    );
                    return None;
                }
                Some(_) => {}
            },
            TokenKind::Open if slice.starts_with("\"\"\"") => diagnostics.push(
                Diagnostic::error(Code::E0105, "this art has no closing `\"\"\"`")
                    .at(crate::base::Span::new(span.file, token.start as usize, token.start as usize + 3), "opens here")
                    .help("end it with `\"\"\"`; within one line plain quotes do: \"xo|ox\""),
            ),
            TokenKind::Open => diagnostics.push(
                Diagnostic::error(Code::E0105, "this string has no closing quote on its line")
                    .at(span, "opens here")
                    .help("end it with `\"`; art of several lines stands between `\"\"\"` and `\"\"\"`"),
            ),
            TokenKind::Unknown if slice == "." && decimal(source, token) => diagnostics.push(
                Diagnostic::error(Code::E0117, "a decimal number")
                    .at(span, "numbers have no decimal point")
                    .help("values are dyadic fractions, such as 3/4; an octal code is a string: \"0.77\""),
            ),
            TokenKind::Unknown => diagnostics.push(strange(slice).at(span, "")),
            TokenKind::Text | TokenKind::Art if slice.contains('\t') => {
                let at = token.start as usize + slice.find('\t').unwrap_or(0);
                diagnostics.push(
                    Diagnostic::error(Code::E0118, "a tab inside a string or art")
                        .at(crate::base::Span::new(span.file, at, at + 1), "a tab has no width of its own")
                        .help("use blanks (ignored) or `.` (an empty cell)"),
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
    // What an open string has swallowed cannot be missed again.
    if let Some(bracket) = open.last()
        && !source.significant().any(|t| t.kind == TokenKind::Open)
    {
        let wanted = closes(source.slice(*bracket));
        let last = source.significant().next_back().unwrap_or(*bracket);
        diagnostics.push(
            Diagnostic::error(
                Code::E0103,
                format!("this bracket is never closed by `{wanted}`"),
            )
            .at(source.span_of(*bracket), "opens here")
            .at(source.span_of(last), "the item ends here")
            .note("an item ends where the next line begins with an item's word in column 1"),
        );
    }
    (diagnostics.len() == before).then_some(deepest)
}

/// Whether a point stands between two digits.
fn decimal(source: &ItemSource<'_>, point: Token) -> bool {
    let bytes = source.text.as_bytes();
    let digit = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at))
            .is_some_and(u8::is_ascii_digit)
    };
    digit((point.start as usize).checked_sub(1)) && digit(Some(point.end as usize))
}

/// The partner of an opening bracket.
fn closes(open: &str) -> &'static str {
    match open {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

/// A character that means nothing, with what may have been meant.
fn strange(slice: &str) -> Diagnostic {
    let c = slice.chars().next().unwrap_or(' ');
    let meant = match c {
        '“' | '”' | '„' | '«' | '»' | '″' => Some("straight quotes `\"`"),
        '‘' | '’' | '`' | '´' | '′' => {
            Some("`'` after a name, or straight quotes `\"` around a string")
        }
        '–' | '‐' | '‑' | '‒' | '﹣' | '－' => {
            Some("`-` for a difference, `--` for an edge")
        }
        '（' | '）' | '［' | '］' | '｛' | '｝' => Some("the plain bracket"),
        '，' | '、' => Some("`,`"),
        '：' | '∶' => Some("`:`"),
        '；' => Some("`;`"),
        '＝' | '≡' => Some("`==` for equal games, `=` for equal data"),
        '⇒' | '⟹' | '⟶' | '➔' | '➜' => Some("`->`"),
        '←' | '⟵' => Some("`->` with the two ends exchanged"),
        '&' => Some("`and`, or a comma"),
        '∣' | '｜' | '¦' => Some("`|`"),
        '✱' | '＊' | '✶' | '﹡' => Some("`*`"),
        '÷' => Some("`div`"),
        '⊕' => Some("`xor(..)` of nimbers, `+` of games"),
        '∥' => Some("`confused(G, H)`"),
        '⧏' | '⧐' | '⊳' | '⊲' => Some("`not H <= G`"),
        '∅' => Some("`{}`"),
        '!' => Some("`not`, or `!=`"),
        '.' => Some("`empty` for a site with nothing on it, `..` for a range"),
        '#' => Some("`//` for a comment, `wall` for a cell that is closed"),
        '%' => Some("`mod`"),
        '@' => Some("`at(..)`"),
        '\\' => Some("`{x in S: not x in T}` for a difference of sets"),
        _ => None,
    };
    let shown: String = if c.is_control() || c.is_whitespace() {
        format!("the character U+{:04X}", c as u32)
    } else {
        format!("`{c}`")
    };
    let d = Diagnostic::error(Code::E0106, format!("{shown} means nothing here"));
    match meant {
        Some(meant) => d.help(format!("use {meant}")),
        None => d,
    }
}

/// The clauses of a ruleset: each starts with a clause's word that is the first on its line and in no bracket.
pub(super) fn clauses<'a>(source: &ItemSource<'a>) -> Vec<&'a [Token]> {
    let mut depth = 0usize;
    let mut starts = Vec::new();
    for (i, token) in source.tokens.iter().enumerate() {
        match token.kind {
            TokenKind::OpenBracket => depth += 1,
            TokenKind::CloseBracket => depth = depth.saturating_sub(1),
            TokenKind::Keyword if depth == 0 && CLAUSE_WORDS.contains(&source.slice(*token)) => {
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
