//! The lexer of values: tokens with their byte ranges.

use std::ops::Range;

use logos::Logos;

use super::ReadError;

/// A token of any of the spellings.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"([ \t\r\n$]|\\,|\\;|\\!|\\ |\\left|\\right|\\displaystyle|\u{a0})+")]
pub(super) enum Token {
    #[regex(r"[0-9]+")]
    Digits,
    #[regex(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+")]
    Superscript,
    #[regex(r"[₀₁₂₃₄₅₆₇₈₉]+")]
    Subscript,
    #[regex(r"[½¼¾⅛⅜⅝⅞]")]
    Vulgar,
    #[regex(r"/|⁄")]
    Slash,
    #[regex(r"\*|∗|★|☆|⋆|\\ast|\\star|\\Star|\\cgstar")]
    Star,
    #[token("^")]
    Caret,
    #[regex(r"↑|\\uparrow|\\Up")]
    Up,
    #[regex(r"⇑|\\Uparrow|\\Upup")]
    DoubleUp,
    #[regex(r"↓|\\downarrow|\\Down")]
    Down,
    #[regex(r"⇓|\\Downarrow|\\Downdown")]
    DoubleDown,
    #[regex(r"v+")]
    V,
    #[regex(r"·|⋅|∙|\.|\\cdot")]
    Dot,
    #[token("+")]
    Plus,
    #[regex(r"-|−|–")]
    Minus,
    #[regex(r"\+-|±|\\pm")]
    Switch,
    #[regex(r"\+_|⧾_?|₊|\\Tinychar_?")]
    TinySign,
    #[regex(r"-_|−_|⧿_?|\\Minychar_?")]
    MinySign,
    #[regex(r"\|+|∣|‖|⦀|∥|\\mid|\\\||\\parallel|\\vert|\\Vert")]
    Bar,
    #[token(",")]
    Comma,
    #[regex(r"\{|\\\{|\\lbrace")]
    Open,
    #[regex(r"\}|\\\}|\\rbrace")]
    Close,
    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[regex(r"\[")]
    OpenBracket,
    #[regex(r"\]")]
    CloseBracket,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[regex(r"\\d?frac")]
    Frac,
    #[regex(r"\.?[A-Z][A-Za-z]*")]
    Name,
}

impl Token {
    /// Whether ups or downs begin with this token.
    pub(super) fn is_arrow(self) -> bool {
        matches!(
            self,
            Token::Caret | Token::V | Token::Up | Token::Down | Token::DoubleUp | Token::DoubleDown
        )
    }
}

/// A token and its byte range.
#[derive(Clone, Debug)]
pub(super) struct Lexeme {
    pub(super) token: Token,
    pub(super) span: Range<usize>,
    /// Whether this is a LaTeX brace that only groups.
    pub(super) group: bool,
}

pub(super) fn lex(text: &str) -> Result<Vec<Lexeme>, ReadError> {
    // In LaTeX plain braces group and `\{` writes a brace.
    let latex = text.contains('\\');
    let mut lexemes = Vec::new();
    let mut lexer = Token::lexer(text);
    while let Some(result) = lexer.next() {
        let span = lexer.span();
        let token = match result {
            Ok(token) => token,
            Err(()) => return Err(unknown(text, span)),
        };
        let group = latex
            && matches!(token, Token::Open | Token::Close)
            && matches!(&text[span.clone()], "{" | "}");
        lexemes.push(Lexeme { token, span, group });
    }
    Ok(lexemes)
}

fn unknown(text: &str, span: Range<usize>) -> ReadError {
    let rest = &text[span.start..];
    let first = rest.chars().next().unwrap_or(' ');
    let word: String = rest
        .chars()
        .enumerate()
        .take_while(|(i, c)| c.is_alphanumeric() || (*i == 0 && *c == '\\'))
        .map(|(_, c)| c)
        .collect();
    let end = span.start + word.len().max(first.len_utf8());
    let shown = if word.is_empty() {
        first.to_string()
    } else {
        word
    };
    let error = ReadError::new(span.start..end, format!("`{shown}` is not part of a value"));
    match first {
        ':' => error.help("an ordinal sum is of forms; use the function for it"),
        '=' => error.help("a value stands alone here; compare two values with a comparison"),
        _ => error,
    }
}
