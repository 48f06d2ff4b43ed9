//! Mistakes in questions, in ranges and in quantifiers: `use nim`, `claim Bouton: ..`, `for n in 0, 1, 2: ..`,
//! `for 0 <= n <= 3: ..`, `no w in S at(w) = x`, `some w in S, at(w) = x`.

use super::super::ItemSource;
use super::{Line, number_or_name};
use crate::base::Span;
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::lexer::{Token, TokenKind};

/// How many tokens of an item are examined.
const LOOKED_AT: usize = 400;

/// The edit that completes the opening of a claim which began with another word, as `theorem Bouton: ..` does.
pub(in super::super) fn opening_of_claim(source: &ItemSource<'_>) -> Option<(Span, String)> {
    let tokens: Vec<Token> = source.significant().take(LOOKED_AT).collect();
    let line = Line::of_item(source, &tokens, false);
    if let Some(end) = line.bare_name(1) {
        let name = line.text(1, end - 1);
        return Some((line.run(1, end - 1), format!("\"{name}\"")));
    }
    let stated = line
        .find(0, line.last, |w| matches!(w, ":" | "for"))
        .is_none();
    let first = line.span(0);
    let end = Span {
        start: first.end,
        ..first
    };
    stated.then(|| (end, ":".to_owned()))
}

impl Line<'_, '_> {
    /// Mistakes that make an item unreadable wherever they stand in it.
    pub(super) fn questions(&self, i: usize) -> Option<Diagnostic> {
        self.used_files(i)
            .or_else(|| self.unquoted_name(i))
            .or_else(|| self.range_with_if(i))
    }

    /// Mistakes at the place where pest stopped.
    pub(super) fn ranges(&self, next: usize) -> Option<Diagnostic> {
        self.listed_range(next)
            .or_else(|| self.chained_range(next))
            .or_else(|| self.search_without_where(next))
            .or_else(|| self.comma_for_colon(next))
            .or_else(|| self.colon_after_quantifier(next))
    }

    /// `use nim`, `use nim.rules as N`, `use "nim", "kayles"`.
    fn used_files(&self, i: usize) -> Option<Diagnostic> {
        let one_line = || !self.text(0, self.last - 1).contains('\n');
        if i != 0 || self.word(0) != "use" || self.last < 2 || !one_line() {
            return None;
        }
        let mut files = Vec::new();
        let mut from = 1;
        while from < self.last {
            let end = self
                .find(from, self.last, |w| w == ",")
                .unwrap_or(self.last);
            let name = self.find(from, end, |w| w == "as").unwrap_or(end);
            if end == from || name == from {
                return None;
            }
            let file = self
                .text(from, name - 1)
                .trim_matches(['"', '\'', '<', '>']);
            let named = match name < end {
                true => format!(" {}", self.text(name, end - 1)),
                false => String::new(),
            };
            files.push(format!("use \"{file}\"{named}"));
            from = end + 1;
        }
        let message = match files.len() {
            1 => "the file that is used stands in quotes",
            _ => "each file that is used has a line of its own",
        };
        let d = self.error(Code::E0101, message, 1);
        let text = files.join("\n");
        let shown = format!("write `{}`", files.join("`, `"));
        let fix = Suggestion::replace(self.run(0, self.last - 1), &text, shown);
        (text != self.text(0, self.last - 1)).then(|| d.suggest(fix.safe()))
    }

    /// Where the words of a name without quotes end: before a `:` or `for`.
    fn bare_name(&self, from: usize) -> Option<usize> {
        let end = (from..self.last).find(|j| !number_or_name(self.kind(*j)))?;
        let closed = matches!(self.word(end), ":" | "for");
        (end > from && closed && self.kind(from) == Some(TokenKind::Name)).then_some(end)
    }

    /// `claim Bouton: ..`, `table small heaps for ..`, `claim n in 0..3: ..`.
    fn unquoted_name(&self, i: usize) -> Option<Diagnostic> {
        let word = self.word(i);
        let opens = i == 0 || i == 1 && self.before(i) == "slow";
        if !opens || !matches!(word, "claim" | "refute" | "table") {
            return None;
        }
        let first = i + 1 + usize::from(self.kind(i + 1) == Some(TokenKind::Text));
        if self.kind(first) == Some(TokenKind::Name) && matches!(self.word(first + 1), "in" | "∈")
        {
            let d = self.error(
                Code::E0101,
                "`for` stands before what is ranged over",
                first,
            );
            let message = format!("write `for {} in ..`", self.word(first));
            return Some(d.suggest(Suggestion::before(self.span(first), "for ", message).safe()));
        }
        let end = self.bare_name(i + 1)?;
        let name = self.text(i + 1, end - 1);
        let gap = if self.word(end) == ":" { "" } else { " " };
        let d = Diagnostic::error(
            Code::E0101,
            format!("the name of a {word} stands in quotes"),
        );
        let d = d.at(self.run(i + 1, end - 1), "");
        let shown = format!("write `{word} \"{name}\"{gap}{} ..`", self.word(end));
        let fix = Suggestion::replace(self.run(i + 1, end - 1), format!("\"{name}\""), shown);
        Some(d.suggest(fix.safe()))
    }

    /// Whether the token stands in what a `for`, `some`, `all` or `no` ranges over.
    pub(super) fn quantified(&self, i: usize) -> bool {
        self.opened_quantifier(i).is_some()
    }

    /// Whether the token stands in what a `for` ranges over.
    fn in_ranges(&self, i: usize) -> bool {
        self.opened_quantifier(i)
            .is_some_and(|q| self.word(q) == "for")
    }

    /// The `for`, `some`, `all` or `no` before the token, in the same brackets, whose `:` has not come yet.
    fn opened_quantifier(&self, i: usize) -> Option<usize> {
        let start = self.opened_by(i).map_or(self.first, |open| open + 1);
        let mut depth = 0usize;
        let found = (start..i).rev().take(LOOKED_AT).find(|j| {
            match self.kind(*j) {
                Some(TokenKind::CloseBracket) => depth += 1,
                Some(TokenKind::OpenBracket) => depth = depth.saturating_sub(1),
                _ => {}
            }
            let quantifier = matches!(self.word(*j), "for" | "some" | "all" | "no");
            depth == 0
                && (self.word(*j) == ":" || quantifier && self.kind(*j) == Some(TokenKind::Keyword))
        })?;
        (self.word(found) != ":").then_some(found)
    }

    /// `claim for n in 1..4 if n > 2: ..`
    fn range_with_if(&self, i: usize) -> Option<Diagnostic> {
        let word = self.word(i);
        let such = word == "such" && self.word(i + 1) == "that";
        if self.in_ruleset || !(such || matches!(word, "if" | "when")) || !self.in_ranges(i) {
            return None;
        }
        let message = format!("what is ranged over is restricted by `where`, not by `{word}`");
        let d = self.error(Code::E0101, message, i);
        let fix = Suggestion::replace(self.run(i, i + usize::from(such)), "where", "write `where`");
        Some(d.suggest(fix.safe()))
    }

    /// `for n in 0, 1, 2, 3: ..`
    fn listed_range(&self, next: usize) -> Option<Diagnostic> {
        let number = |i: usize| self.kind(i) == Some(TokenKind::Integer);
        if !number(next) || self.before(next) != "," {
            return None;
        }
        let mut first = next;
        while first >= 2 && self.before(first) == "," && number(first - 2) {
            first -= 2;
        }
        let mut last = next;
        while self.word(last + 1) == "," && number(last + 2) {
            last += 2;
        }
        if first == next || !matches!(self.before(first), "in" | "∈") {
            return None;
        }
        let text = format!("{{{}}}", self.text(first, last));
        let d = Diagnostic::error(Code::E0101, "a set stands in braces");
        let d = d.at(self.run(first, last), "");
        let message = format!("write `{} in {text}`", self.word(first.saturating_sub(2)));
        Some(d.suggest(Suggestion::replace(self.run(first, last), text, message).safe()))
    }

    /// `for 0 <= n <= 3: ..`
    fn chained_range(&self, next: usize) -> Option<Diagnostic> {
        let sign = |i: usize| matches!(self.word(i), "<" | "<=" | "≤" | "⩽");
        let low = if sign(next) {
            next.checked_sub(1)?
        } else {
            next
        };
        let end = |w: &str| matches!(w, ":" | "," | "where");
        let end = self.find(low + 4, self.last, end);
        let end = end.unwrap_or_else(|| self.closing(low + 4, self.last));
        let ranged = matches!(self.before(low), "for" | ",") && self.in_ranges(low);
        let named = self.kind(low + 2) == Some(TokenKind::Name) && number_or_name(self.kind(low));
        if !ranged || !named || !sign(low + 1) || !sign(low + 3) || end <= low + 4 {
            return None;
        }
        let bound = |text: &str, strict: bool, up: bool| {
            let number = text.parse::<u64>().ok();
            let number = number.and_then(|n| match up {
                true => n.checked_add(1),
                false => n.checked_sub(1),
            });
            match (strict, number) {
                (false, _) => text.to_owned(),
                (true, Some(n)) => n.to_string(),
                (true, None) => format!("{text} {} 1", if up { '+' } else { '-' }),
            }
        };
        let name = self.word(low + 2);
        let least = bound(self.word(low), self.word(low + 1) == "<", true);
        let most = bound(
            self.text(low + 4, end - 1),
            self.word(low + 3) == "<",
            false,
        );
        let text = format!("{name} in {least}..{most}");
        let place = self.run(low, end - 1);
        let d =
            Diagnostic::error(Code::E0101, "a name ranges over a set, after `in`").at(place, "");
        let message = format!("write `{text}`");
        Some(d.suggest(Suggestion::replace(place, text, message).safe()))
    }

    /// `search for n in 0..9: nimber(Nim[n]) = 2`
    fn search_without_where(&self, next: usize) -> Option<Diagnostic> {
        let searches = (0..2).any(|i| self.word(i) == "search");
        let before = (0..next).any(|i| matches!(self.word(i), "where" | ":"));
        let colon = self.word(next) == ":";
        let begins =
            colon || next > 0 && number_or_name(self.kind(next)) && self.ends_operand(next - 1);
        if self.in_ruleset || !searches || before || !begins || next < 4 || !self.in_ranges(next) {
            return None;
        }
        let d = self.error(Code::E0101, "what is searched for follows `where`", next);
        let message = "write `where` before it";
        let fix = match colon {
            true => Suggestion::replace(self.after(next - 1, next), " where", message),
            false => Suggestion::before(self.span(next), "where ", message),
        };
        Some(d.suggest(fix.safe()))
    }

    /// `some w in S, at(w) = x`, `claim for n in 0..3, nimber(Nim[n]) = n`.
    fn comma_for_colon(&self, next: usize) -> Option<Diagnostic> {
        // Pest has read `, at` as a second range, and stopped at its bracket or in it.
        let mut open = match self.kind(next) {
            Some(TokenKind::OpenBracket) => next,
            _ => self.opened_by(next)?,
        };
        while !self.call_after_comma(open) {
            open = self.opened_by(open)?;
        }
        let comma = open - 2;
        let quantifier = self.opened_quantifier(comma)?;
        self.find(quantifier, comma, |w| matches!(w, "in" | "∈"))?;
        let set = self.word(quantifier) == "for" && self.opened_by(quantifier).is_some();
        let sign = if set { " where" } else { ":" };
        let ranges = self.text(quantifier, comma - 1);
        let d = self.error(
            Code::E0101,
            format!("`{ranges}` ends with `{}`", sign.trim()),
            comma,
        );
        let message = format!(
            "write `{ranges}{sign} {}{}..`",
            self.word(open - 1),
            self.word(open)
        );
        Some(d.suggest(Suggestion::replace(self.span(comma), sign, message).safe()))
    }

    /// Whether the bracket is that of a call after a comma: `, at(`.
    fn call_after_comma(&self, open: usize) -> bool {
        let name = open >= 2 && self.kind(open - 1) == Some(TokenKind::Name);
        name && self.glued(open) && self.word(open - 2) == ","
    }

    /// How what begins with the token is shown: `at(..)`, `k`.
    fn begins(&self, i: usize) -> String {
        match self.word(i + 1) {
            "(" if self.glued(i + 1) => format!("{}(..)", self.word(i)),
            _ => self.word(i).to_owned(),
        }
    }

    /// `no w in S at(w) = x`
    fn colon_after_quantifier(&self, next: usize) -> Option<Diagnostic> {
        let nested = matches!(self.word(next), "some" | "all" | "no" | "not");
        let begins = nested
            || number_or_name(self.kind(next))
            || self.kind(next) == Some(TokenKind::OpenBracket) && !self.glued(next);
        if next == 0 || !begins || !self.ends_operand(next - 1) || self.opens_line(next) {
            return None;
        }
        let quantifier = self
            .opened_quantifier(next)
            .filter(|q| self.word(*q) != "for")?;
        self.find(quantifier, next, |w| matches!(w, "in" | "∈"))?;
        if !nested && self.find(next, self.last, |w| w == ":").is_some() {
            return None;
        }
        let ranges = self.text(quantifier, next - 1);
        let d = self.error(Code::E0101, format!("`{ranges}` ends with `:`"), next);
        let message = format!("write `{ranges}: {} ..`", self.begins(next));
        Some(d.suggest(Suggestion::after(self.span(next - 1), ":", message).safe()))
    }
}
