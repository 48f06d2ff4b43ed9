//! Mistakes after `choose` and `where`: conditions among choices, ranges by comparisons, missing commas.

use super::{Line, WINDOW, keyword_meant};
use crate::base::Span;
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::lexer::{STAGE_WORDS, TokenKind};

impl Line<'_, '_> {
    /// Mistakes among the choices: `for k in ..`, `1 <= k <= n`, conditions.
    pub(super) fn choices(&self, i: usize) -> Option<Diagnostic> {
        let word = self.word(i);
        if word != "choose" || !self.in_ruleset {
            return None;
        }
        let end = self
            .find(i + 1, self.last, |w| STAGE_WORDS.contains(&w))
            .unwrap_or(self.last);
        let mut start = i + 1;
        while start < end {
            let comma = self.find(start, end, |w| w == ",").unwrap_or(end);
            if let Some(found) = self.choice(start, comma, end) {
                return Some(found);
            }
            start = comma + 1;
        }
        None
    }

    /// One choice: tokens `from..to` of a list that ends at `end`.
    fn choice(&self, from: usize, to: usize, end: usize) -> Option<Diagnostic> {
        if to <= from {
            return None;
        }
        if self.word(from) == "for" {
            let rest = self.text(from + 1, to - 1);
            let place = Span::new(
                self.source.file,
                self.span(from).start as usize,
                self.span(from + 1).start as usize,
            );
            return Some(
                self.error(
                    Code::E0110,
                    "`choose` ranges by itself, without `for`",
                    from,
                )
                .suggest(Suggestion::replace(place, "", format!("write `{rest}`")).safe()),
            );
        }
        let compares = |w: &str| {
            matches!(
                w,
                "<" | "<=" | ">" | ">=" | "≤" | "≥" | "!=" | "≠" | "==" | "owns"
            )
        };
        let first = self.find(from, to, compares);
        // `1 <= k <= n` chooses k.
        if let Some(first) = first
            && first == from + 1
            && let Some(second) = self.find(first + 1, to, compares)
            && second == first + 2
            && matches!(self.word(first), "<" | "<=" | "≤")
            && matches!(self.word(second), "<" | "<=" | "≤")
        {
            let name = self.word(first + 1);
            let low = match (self.word(first), self.word(from).parse::<u64>()) {
                ("<", Ok(n)) => n.saturating_add(1).to_string(),
                ("<", Err(_)) => format!("{} + 1", self.word(from)),
                _ => self.word(from).to_owned(),
            };
            let high = self.text(second + 1, to - 1);
            let high = if self.word(second) == "<" {
                format!("{high} - 1")
            } else {
                high.to_owned()
            };
            let text = format!("{name} in {low}..{high}");
            let place = self.span(from).to(self.span(to - 1));
            return Some(
                Diagnostic::error(Code::E0110, "a number is not chosen by comparisons")
                    .at(place, "")
                    .suggest(
                        Suggestion::replace(place, &text, format!("a range is written `{text}`"))
                            .safe(),
                    ),
            );
        }
        // A condition among the choices: `where` should begin here.
        let call_equals = self.word(from + 1) == "("
            && self.find(from, to, |w| w == "=").is_some()
            && self.kind(from) == Some(TokenKind::Name);
        let negated = matches!(self.word(from), "not" | "no" | "all" | "some");
        if (first.is_some() || call_equals || negated) && self.word(from.wrapping_sub(1)) == "," {
            let text = self.text(from, to - 1);
            let comma = self.span(from - 1);
            let mut fix = Suggestion::replace(
                comma,
                " where",
                format!("conditions stand after `where`: `where {text}`"),
            );
            if self.word(end) == "where" {
                // The conditions after `where` continue after this one.
                let place = Span::new(
                    self.source.file,
                    self.span(end - 1).end as usize,
                    self.span(end).end as usize,
                );
                fix = fix.and(place, ",");
            }
            // Further choices after the condition would become conditions.
            let last = to == end;
            if last {
                fix = fix.safe();
            }
            let at = self.span(from).to(self.span(to - 1));
            return Some(
                Diagnostic::error(Code::E0110, "a condition stands among what is chosen")
                    .at(at, "this is a condition")
                    .suggest(fix),
            );
        }
        None
    }

    /// `where a = b c = d`: a comma is missing.
    pub(super) fn conditions(&self, i: usize) -> Option<Diagnostic> {
        if !self.in_ruleset || i <= self.first || !self.ends_operand(i - 1) {
            return None;
        }
        if self.stage_word(i) != Some("where") || self.word(i - 1) == "where" {
            return None;
        }
        let opens = self.kind(i) == Some(TokenKind::Name)
            && keyword_meant(self.word(i), STAGE_WORDS.iter().copied()).is_none()
            || matches!(self.word(i), "not" | "some" | "no" | "all") && self.word(i + 1) != "in";
        if !opens || self.source.slice(self.tokens[i - 1]).starts_with('"') {
            return None;
        }
        // The part before must already contain a comparison, and the part after must be a condition, too.
        let start = (self.first..i)
            .rev()
            .take(2 * WINDOW)
            .find(|j| matches!(self.word(*j), "where" | "," | ":" | "and" | "or"))?;
        let compares = |w: &str| {
            matches!(
                w,
                "=" | "!=" | "<" | "<=" | ">" | ">=" | "==" | "in" | "owns"
            )
        };
        self.find(start + 1, i, compares)?;
        let end = self
            .find(i, self.last, |w| w == "," || STAGE_WORDS.contains(&w))
            .unwrap_or(self.last);
        if self.kind(i) == Some(TokenKind::Name) {
            self.find(i, end, compares)?;
        }
        let before = self.span(i - 1);
        Some(
            self.error(Code::E0101, "two conditions side by side", i)
                .suggest(
                    Suggestion::after(
                        before,
                        ",",
                        format!(
                            "conditions are separated by commas: `{}, {} ..`",
                            self.word(i - 1),
                            self.word(i)
                        ),
                    )
                    .safe(),
                ),
        )
    }
}
