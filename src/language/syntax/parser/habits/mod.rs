//! Habits of other languages, recognized in tokens that the lexer knows. For an item that pest could not read, finds the
//! first habit in the clause where pest stopped; returns its message and the edit that fixes it. Each habit is a run of
//! tokens that occurs in no valid item, so it is the fault wherever pest stopped.

mod choices;
mod newer;
mod opening;
mod phrases;
mod questions;
mod signs;
mod words;

pub(super) use newer::newer;
pub(super) use questions::opening_of_claim;

use super::{ItemSource, Rule};
use crate::base::Span;
use crate::diagnostic::{Code, Diagnostic, is_slip, near};
use crate::syntax::lexer::{ITEM_WORDS, STAGE_WORDS, Token, TokenKind};

/// How many tokens before and after the place where pest stopped are examined.
const WINDOW: usize = 200;

/// The first habit in the clause where pest stopped, at the token `next`.
pub(super) fn look(
    source: &ItemSource<'_>,
    tokens: &[Token],
    next: usize,
    rule: Rule,
) -> Option<Diagnostic> {
    let in_ruleset = matches!(rule, Rule::item_ruleset | Rule::only_clauses);
    let (first, last) = clause_around(source, tokens, next, in_ruleset);
    // Only a window is examined, since a clause may be as long as a file.
    let start = first.max(next.saturating_sub(WINDOW));
    let tokens = &tokens[..last.min(next.saturating_add(WINDOW))];
    let line = Line {
        first,
        ..Line::of_item(source, tokens, in_ruleset)
    };
    if let Some(found) = line.opening(next, rule) {
        return Some(found);
    }
    // Faults by themselves come before those that may only follow from them.
    let single = (start..tokens.len()).find_map(|i| line.habit(i));
    single.or_else(|| (start..tokens.len()).find_map(|i| line.of_lists(i)))
}

/// The range of the clause that contains a token; outside of a ruleset, all tokens.
fn clause_around(
    source: &ItemSource<'_>,
    tokens: &[Token],
    at: usize,
    in_ruleset: bool,
) -> (usize, usize) {
    if !in_ruleset {
        return (0, tokens.len());
    }
    let starts = |i: &usize| source.opens_clause(tokens, *i);
    let last = tokens.len();
    let first = (0..=at.min(last.saturating_sub(1))).rev().find(starts);
    let end = (at + 1..last).find(starts);
    (first.unwrap_or(0), end.unwrap_or(last))
}

/// The tokens of a clause, or of an item without clauses.
struct Line<'a, 'b> {
    source: &'b ItemSource<'a>,
    tokens: &'b [Token],
    first: usize,
    last: usize,
    in_ruleset: bool,
}

impl<'a, 'b> Line<'a, 'b> {
    /// All tokens of an item, or the first ones.
    fn of_item(source: &'b ItemSource<'a>, tokens: &'b [Token], in_ruleset: bool) -> Line<'a, 'b> {
        Line {
            source,
            tokens,
            first: 0,
            last: tokens.len(),
            in_ruleset,
        }
    }
}

impl<'a> Line<'a, '_> {
    fn word(&self, i: usize) -> &'a str {
        self.tokens.get(i).map_or("", |t| self.source.slice(*t))
    }

    fn before(&self, i: usize) -> &'a str {
        i.checked_sub(1).map_or("", |i| self.word(i))
    }

    fn kind(&self, i: usize) -> Option<TokenKind> {
        self.tokens.get(i).map(|t| t.kind)
    }

    fn span(&self, i: usize) -> Span {
        match self.tokens.get(i) {
            Some(t) => self.source.span_of(*t),
            None => {
                let end = self.source.range().end;
                Span::new(self.source.file, end, end)
            }
        }
    }

    fn text(&self, from: usize, to: usize) -> &'a str {
        let (Some(a), Some(b)) = (self.tokens.get(from), self.tokens.get(to)) else {
            return "";
        };
        self.source
            .text
            .get(a.start as usize..b.end as usize)
            .unwrap_or("")
    }

    fn glued(&self, i: usize) -> bool {
        i > 0
            && match (self.tokens.get(i - 1), self.tokens.get(i)) {
                (Some(a), Some(b)) => a.end == b.start,
                _ => false,
            }
    }

    /// Whether an operand may end with the token.
    fn ends_operand(&self, i: usize) -> bool {
        matches!(
            self.kind(i),
            Some(TokenKind::Name | TokenKind::Integer | TokenKind::CloseBracket | TokenKind::Text)
        )
    }

    /// The bracket that closes the one at `open`.
    fn partner(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for i in open..self.tokens.len() {
            match self.kind(i) {
                Some(TokenKind::OpenBracket) => depth += 1,
                Some(TokenKind::CloseBracket) => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return Some(i);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The first token in `from..end`, outside brackets that open in this range, that `wanted` accepts.
    fn find(&self, from: usize, end: usize, wanted: impl Fn(&str) -> bool) -> Option<usize> {
        let mut depth = 0usize;
        for i in from..end.min(self.tokens.len()) {
            match self.kind(i) {
                _ if depth == 0 && wanted(self.word(i)) => return Some(i),
                Some(TokenKind::OpenBracket) => depth += 1,
                Some(TokenKind::CloseBracket) if depth == 0 => return None,
                Some(TokenKind::CloseBracket) => depth -= 1,
                _ => {}
            }
        }
        None
    }

    fn error(&self, code: Code, message: impl Into<String>, at: usize) -> Diagnostic {
        Diagnostic::error(code, message).at(self.span(at), "")
    }

    /// The last keyword before `i` in this clause that opens a part of a move.
    fn stage_word(&self, i: usize) -> Option<&'a str> {
        (self.first..i)
            .rev()
            .take(2 * WINDOW)
            .map(|j| self.word(j))
            .find(|w| STAGE_WORDS.contains(w))
    }

    /// A habit that begins at the token.
    fn habit(&self, i: usize) -> Option<Diagnostic> {
        self.capitals(i)
            .or_else(|| self.phrases(i))
            .or_else(|| self.words(i))
            .or_else(|| self.signs(i))
            .or_else(|| self.cases(i))
    }

    /// A fault in a list that begins at or near the token.
    fn of_lists(&self, i: usize) -> Option<Diagnostic> {
        self.choices(i).or_else(|| self.conditions(i))
    }
}

/// Words of English sentences that are near to keywords without being misspelt: `k greater than 3`, `place p on v`.
const ENGLISH: &[&str] = &[
    "an", "any", "even", "of", "on", "than", "the", "their", "them", "there", "these", "they",
    "when",
];

/// The keyword that a name misspells, and whether by a single slip, so that nothing else can be meant.
pub(super) fn keyword_meant<'k>(
    name: &str,
    keywords: impl IntoIterator<Item = &'k str>,
) -> Option<(&'k str, bool)> {
    let meant = near(name, keywords).filter(|_| !ENGLISH.contains(&name))?;
    Some((meant, is_slip(name, meant)))
}

/// Whether the keyword may open a stage of a move before one that `next` opens.
pub(super) fn goes_before(word: &str, next: &str) -> bool {
    match word {
        "where" => next != "where",
        "then" => !matches!(next, "where" | "then"),
        _ => true,
    }
}

fn number_or_name(kind: Option<TokenKind>) -> bool {
    matches!(kind, Some(TokenKind::Integer | TokenKind::Name))
}

/// A name of several words as one word: `My-Game`, `"My Game"`.
pub(super) fn one_word(name: &str) -> String {
    let words = name.trim_matches('"').split([' ', '\t', '-']);
    let capital = |word: &str| -> String {
        let mut letters = word.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(letters).collect()
    };
    words.map(capital).collect()
}

/// The item keyword for a first word, where other languages use a different one.
pub(super) fn item_word(word: &str) -> Option<&'static str> {
    let small = word.to_lowercase();
    if let Some(same) = ITEM_WORDS.iter().find(|w| **w == small) {
        return Some(same);
    }
    Some(match &*small {
        "import" | "include" | "require" | "load" | "using" | "open" | "from" => "use",
        "print" | "show" | "display" | "compute" | "evaluate" | "output" | "puts" | "echo"
        | "disp" | "printf" => "eval",
        "def" | "define" | "function" | "fun" | "fn" | "val" | "var" | "const" => "let",
        "game" | "rules" | "rule" | "class" | "type" => "ruleset",
        "theorem" | "lemma" | "proposition" | "conjecture" | "corollary" | "prove" | "proof" => {
            "claim"
        }
        "disprove" => "refute",
        "check" | "test" | "verify" => "assert",
        "find" => "search",
        word if of_positions(word) => "eval",
        _ => return None,
    })
}

/// Functions of positions that are commands in other tools: `value Nim[3]`.
pub(super) fn of_positions(word: &str) -> bool {
    matches!(
        word,
        "value"
            | "nimber"
            | "outcome"
            | "winner"
            | "options"
            | "mean"
            | "temperature"
            | "birthday"
            | "thermograph"
            | "genus"
    )
}
