//! English phrases and the notation of papers in moves and questions: `choose an edge e`, `k from 1 to n`, `place p on v`,
//! `remove edge e`, `a xor b`, `|S|`, `W[m = 3]`, `for all a in ..`.

use super::Line;
use crate::base::Span;
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::lexer::{STAGE_WORDS, TokenKind};

/// Words for a site, which a name alone stands for.
pub(super) const SITES: &[&str] = &[
    "heap", "pile", "stack", "vertex", "node", "cell", "square", "site", "point", "element",
];

const ARTICLES: &[&str] = &["a", "an", "the", "any", "one", "some", "each", "every"];

/// Words that are names for the lexer, and after which an expression begins.
const BEFORE_VALUES: &[&str] = &["when", "again", "next", "repeat", "score", "first", "with"];

impl Line<'_, '_> {
    /// A phrase that begins at the token.
    pub(super) fn phrases(&self, i: usize) -> Option<Diagnostic> {
        self.article(i)
            .or_else(|| self.bounds(i))
            .or_else(|| self.taken_from(i))
            .or_else(|| self.placed(i))
            .or_else(|| self.removed(i))
            .or_else(|| self.compared_in_words(i))
            .or_else(|| self.function_between(i))
            .or_else(|| self.size_in_bars(i))
            .or_else(|| self.fields_by_equals(i))
            .or_else(|| self.for_all(i))
    }

    /// Whether an operand begins with the token, on the line of the one before.
    fn starts_operand(&self, i: usize) -> bool {
        let starts = matches!(
            self.kind(i),
            Some(TokenKind::Name | TokenKind::Integer | TokenKind::Text | TokenKind::OpenBracket)
        );
        starts && !self.opens_line(i)
    }

    fn is_name(&self, i: usize) -> bool {
        self.kind(i) == Some(TokenKind::Name) && !self.opens_line(i)
    }

    /// The first token of the operand that ends with this one: a name with the brackets that touch it.
    pub(super) fn operand_start(&self, end: usize) -> usize {
        let mut start = end;
        while self.kind(start) == Some(TokenKind::CloseBracket) {
            let Some(open) = self.opened_by(start) else {
                return end;
            };
            start = open;
            if open == 0 || !self.glued(open) || !self.ends_operand(open - 1) {
                break;
            }
            start -= 1;
        }
        start
    }

    /// The last token of the operand that begins with this one.
    pub(super) fn operand_end(&self, start: usize) -> usize {
        let mut end = start;
        if self.kind(start) == Some(TokenKind::OpenBracket) {
            end = self.partner(start).unwrap_or(start);
        }
        while self.kind(end + 1) == Some(TokenKind::OpenBracket)
            && self.glued(end + 1)
            && let Some(close) = self.partner(end + 1)
        {
            end = close;
        }
        end
    }

    /// The place from the end of one token to the end of another.
    pub(super) fn after(&self, from: usize, to: usize) -> Span {
        let (from, to) = (self.span(from), self.span(to));
        Span {
            start: from.end,
            ..to
        }
    }

    /// The place from the start of one token to the start of another.
    pub(super) fn up_to(&self, from: usize, to: usize) -> Span {
        let (from, to) = (self.span(from), self.span(to));
        Span {
            end: to.start,
            ..from
        }
    }

    /// `choose an edge e`, `choose a vertex v`.
    fn article(&self, i: usize) -> Option<Diagnostic> {
        if !self.in_ruleset
            || !matches!(self.before(i), "choose" | ",")
            || self.stage_word(i) != Some("choose")
            || !ARTICLES.contains(&self.word(i))
            || !self.is_name(i + 1)
        {
            return None;
        }
        let (kind, name) = (self.word(i + 1), self.word(i + 2));
        let site = SITES.contains(&kind);
        if !site && !matches!(kind, "edge" | "arc" | "piece") {
            return None;
        }
        let shown = format!("`{} {kind}` is not how something is chosen", self.word(i));
        let d = self.error(Code::E0110, shown, i);
        if !self.is_name(i + 2) {
            return Some(d.help(match site {
                true => format!("a name alone is each {kind}: `choose v`"),
                false => format!("give it a name: `choose {} e`", edge_word(kind)),
            }));
        }
        let fix = match site {
            true => Suggestion::replace(
                self.up_to(i, i + 2),
                "",
                format!("a name alone is each site: `choose {name}`"),
            ),
            false => Suggestion::replace(
                self.run(i, i + 1),
                edge_word(kind),
                format!("write `choose {} {name}`", edge_word(kind)),
            ),
        };
        Some(d.suggest(fix))
    }

    /// `k from 1 to n`, `k between 1 and n`, `k in 1 to n`, `k from S`.
    fn bounds(&self, i: usize) -> Option<Diagnostic> {
        let word = self.word(i);
        if !matches!(word, "from" | "between" | "in" | "=") || i < 2 || !self.is_name(i - 1) {
            return None;
        }
        let chosen = self.in_ruleset
            && matches!(self.word(i - 2), "choose" | ",")
            && self.stage_word(i) == Some("choose");
        let ranged =
            matches!(self.word(i - 2), "for" | "," | "some" | "all" | "no") && self.quantified(i);
        if !chosen && !ranged {
            return None;
        }
        let ends = |w: &str| {
            matches!(w, "," | "if" | "when" | "with" | "such")
                || w == ":" && ranged
                || STAGE_WORDS.contains(&w)
        };
        let end = self.find(i + 1, self.last, ends);
        let end = end.unwrap_or_else(|| self.closing(i + 1, self.last));
        if end <= i + 1 {
            return None;
        }
        let name = self.word(i - 1);
        let to = self.find(i + 1, end, |w| {
            matches!(w, "to" | "through" | "until") || w == "and" && word == "between"
        });
        if let Some(to) = to.filter(|to| self.ends_operand(to - 1) && self.starts_operand(to + 1)) {
            let text = format!(
                "{name} in {}..{}",
                self.text(i + 1, to - 1),
                self.text(to + 1, end - 1)
            );
            let code = if chosen { Code::E0110 } else { Code::E0101 };
            let d = self.error(code, "a range is written with two points", to);
            let message = format!("write `{text}`");
            let fix = Suggestion::replace(self.run(i - 1, end - 1), text, message);
            // Whether the last number belongs to the range.
            return Some(d.suggest(fix.safe_if(self.word(to) != "until")));
        }
        if word != "from" || !chosen {
            return None;
        }
        let set = self.text(i + 1, end - 1);
        let is_set = set.starts_with(|c: char| c == '{' || c.is_uppercase()) || set.ends_with(')');
        let text = match is_set {
            true => format!("{name} in {set}"),
            false => format!("{name} in 1..{set}"),
        };
        let d = self.error(
            Code::E0110,
            "what is chosen ranges over a set, after `in`",
            i,
        );
        let message = format!("write `{text}`");
        Some(d.suggest(Suggestion::replace(self.run(i - 1, end - 1), text, message)))
    }

    /// `take k from n`, at the beginning of a move or as an effect.
    fn taken_from(&self, i: usize) -> Option<Diagnostic> {
        let word = self.word(i);
        if !self.in_ruleset
            || !matches!(word, "take" | "remove" | "subtract")
            || !self.starts_operand(i + 1)
        {
            return None;
        }
        let from = self.operand_end(i + 1) + 1;
        if self.word(from) != "from" || !self.is_name(from + 1) {
            return None;
        }
        let (taken, heap) = (self.text(i + 1, from - 1), self.word(from + 1));
        let effect = format!("{heap} -> [{heap} - {taken}]");
        let d = |code| self.error(code, format!("`{word} .. from ..` is not an effect"), i);
        match (self.before(i), self.stage_word(i)) {
            ("," | "then", Some("then")) => {
                let message = format!("a heap is replaced by what is left of it: `{effect}`");
                let fix = Suggestion::replace(self.run(i, from + 1), effect, message);
                Some(d(Code::E0112).suggest(fix))
            }
            (":", None) => Some(d(Code::E0110).help(format!(
                "choose first, then take: `choose {heap}, {taken} in 1..{heap} then {effect}`"
            ))),
            _ => None,
        }
    }

    /// `place p on v`, `put x at v`, `move a to b`.
    fn placed(&self, i: usize) -> Option<Diagnostic> {
        let word = self.word(i);
        if !self.in_ruleset
            || !matches!(word, "place" | "put" | "move")
            || !matches!(self.before(i), "," | "then")
            || self.stage_word(i) != Some("then")
            || !self.is_name(i + 1)
        {
            return None;
        }
        let onto = self.operand_end(i + 1) + 1;
        if !matches!(self.word(onto), "on" | "onto" | "at" | "in" | "into" | "to")
            || !self.starts_operand(onto + 1)
        {
            return None;
        }
        let end = self.operand_end(onto + 1);
        let (what, site) = (self.text(i + 1, onto - 1), self.text(onto + 1, end));
        let text = match word {
            "move" => format!("at({what}) := empty, at({site}) := at({what})"),
            _ => format!("at({site}) := {what}"),
        };
        let d = self.error(Code::E0112, format!("`{word}` is not an effect"), i);
        let d = d.note("what lies on a site is set by `at(v) := ..`, and nothing is `empty`");
        let message = format!("write `{text}`");
        Some(d.suggest(Suggestion::replace(self.run(i, end), text, message)))
    }

    /// `remove edge e`, `remove the vertex v`.
    fn removed(&self, i: usize) -> Option<Diagnostic> {
        if !self.in_ruleset
            || !matches!(self.word(i), "remove" | "keep")
            || self.kind(i) != Some(TokenKind::Keyword)
        {
            return None;
        }
        let filler = |j: usize| {
            let word = self.word(j);
            let kind = SITES.contains(&word) || matches!(word, "edge" | "arc");
            (kind || matches!(word, "the" | "an")) && self.is_name(j + 1)
        };
        let mut name = i + 1;
        while filler(name) && name < i + 3 {
            name += 1;
        }
        if name == i + 1 || BEFORE_VALUES.contains(&self.word(name)) {
            return None;
        }
        let text = format!("{} {}", self.word(i), self.word(name));
        let shown = format!("`{}` stands before a name alone", self.word(i));
        let d = self.error(Code::E0112, shown, i + 1);
        let fix = Suggestion::replace(self.up_to(i + 1, name), "", format!("write `{text}`"));
        Some(d.suggest(fix.safe()))
    }

    /// `k is greater than 2`, `k at most n`, `k equals 2`.
    fn compared_in_words(&self, i: usize) -> Option<Diagnostic> {
        if !self.in_ruleset || i == 0 || !self.ends_operand(i - 1) || self.stage_word(i).is_none() {
            return None;
        }
        let from = i + usize::from(self.word(i) == "is");
        let (sign, end) = match (self.word(from), self.word(from + 1)) {
            ("greater" | "more" | "larger" | "bigger", "than") => (">", from + 1),
            ("less" | "smaller" | "fewer", "than") => ("<", from + 1),
            ("at", "least") => (">=", from + 1),
            ("at", "most") => ("<=", from + 1),
            ("equal", "to") => ("=", from + 1),
            ("equals", _) => ("=", from),
            _ => return None,
        };
        if self.opens_line(end) || !self.starts_operand(end + 1) {
            return None;
        }
        let d = Diagnostic::error(Code::E0101, "numbers are compared by signs");
        let message = format!("write `{sign} {}`", self.word(end + 1));
        let fix = Suggestion::replace(self.run(i, end), sign, message);
        Some(d.at(self.run(i, end), "").suggest(fix.safe()))
    }

    /// `a xor b`: a function between its arguments.
    fn function_between(&self, i: usize) -> Option<Diagnostic> {
        let name = self.word(i);
        if !matches!(
            name,
            "xor" | "gcd" | "min" | "max" | "nim_sum" | "nim_product"
        ) || !self.is_name(i)
            || i <= self.first
            || !self.ends_operand(i - 1)
            || BEFORE_VALUES.contains(&self.before(i))
            || !self.starts_operand(i + 1)
            || self.word(i + 1) == "(" && self.glued(i + 1)
        {
            return None;
        }
        let start = self.operand_start(i - 1);
        let mut arguments = vec![self.text(start, i - 1)];
        let mut end = i - 1;
        while self.word(end + 1) == name && self.starts_operand(end + 2) {
            let next = end + 2;
            end = self.operand_end(next);
            arguments.push(self.text(next, end));
        }
        if arguments.len() > 2 && matches!(name, "gcd" | "nim_product") {
            return None;
        }
        let text = format!("{name}({})", arguments.join(", "));
        let d = self.error(Code::E0101, format!("`{name}` is a function"), i);
        let fix = Suggestion::replace(self.run(start, end), &text, format!("write `{text}`"));
        // Among other signs it is not clear what belongs together.
        let sign = |w: &str| matches!(w, "+" | "-" | "*" | "/" | "^" | ".." | "mod" | "div");
        let alone = !sign(self.before(start)) && !sign(self.word(end + 1));
        Some(d.suggest(fix.safe_if(alone)))
    }

    /// `|nbrs(v)|`, `|m - n|`.
    fn size_in_bars(&self, i: usize) -> Option<Diagnostic> {
        let braces = |open: usize| self.word(open) == "{" && !self.in_ruleset;
        if self.word(i) != "|"
            || i > self.first && self.ends_operand(i - 1)
            || matches!(self.before(i), "{" | "|")
            || self.opened_by(i).is_some_and(braces)
        {
            return None;
        }
        let close = self.find(i + 1, self.last, |w| w == "|")?;
        if close == i + 1 || !self.ends_operand(close - 1) {
            return None;
        }
        let inner = self.text(i + 1, close - 1);
        let sign = |w: &str| matches!(w, "+" | "-" | "*" | "mod" | "div");
        let number = self.find(i + 1, close, sign).is_some();
        let function = if number { "abs" } else { "size" };
        let text = format!("{function}({inner})");
        let d = self.error(Code::E0101, "`|` does not stand before a value", i);
        let message = match number {
            true => format!("the absolute value is written `{text}`"),
            false => format!("how many a set holds is written `{text}`"),
        };
        Some(d.suggest(Suggestion::replace(self.run(i, close), text, message)))
    }

    /// `W[m = 3, n = 5]`.
    fn fields_by_equals(&self, i: usize) -> Option<Diagnostic> {
        if self.in_ruleset || self.word(i) != "=" || !self.on_board(i) || !self.field_before(i) {
            return None;
        }
        let open = self.opened_by(i)?;
        let close = self.partner(open)?;
        // After `for` stand the ranges of names, after `where` conditions.
        let end = self.find(open + 1, close, |w| matches!(w, "for" | "where"));
        let end = end.unwrap_or(close);
        if i > end {
            return None;
        }
        let (name, value) = (self.word(i - 1), self.word(i + 1));
        let d = self.error(Code::E0101, "a position gives its state with `:`", i);
        let equals: Vec<usize> = (i..end)
            .filter(|j| self.word(*j) == "=" && self.opened_by(*j) == Some(open))
            .filter(|j| self.field_before(*j))
            .collect();
        let gap = |j: usize| Span {
            start: self.span(j - 1).end,
            ..self.up_to(j - 1, j + 1)
        };
        let message = format!("write `{name}: {value}`");
        let mut fix = Suggestion::replace(gap(i), ": ", message);
        for j in equals.into_iter().skip(1) {
            fix = fix.and(gap(j), ": ");
        }
        Some(d.suggest(fix.safe()))
    }

    /// Whether the name of a state, `m` or `f(v)`, stands alone before the sign, as a field begins.
    fn field_before(&self, sign: usize) -> bool {
        let start = sign.checked_sub(1).map(|end| self.operand_start(end));
        start.is_some_and(|start| {
            self.kind(start) == Some(TokenKind::Name)
                && matches!(self.before(start), "[" | "," | ";")
        })
    }

    /// `claim for all a in 1..4: ..`
    fn for_all(&self, i: usize) -> Option<Diagnostic> {
        let word = self.word(i + 1);
        let opens = matches!(
            self.before(i),
            "claim" | "refute" | "table" | "search" | "first"
        ) || i > 0 && self.kind(i - 1) == Some(TokenKind::Text);
        if self.in_ruleset
            || self.word(i) != "for"
            || !opens
            || !matches!(word, "all" | "each" | "every" | "any")
            || !self.is_name(i + 2)
        {
            return None;
        }
        let message = format!("a name follows `for`, without `{word}`");
        let d = self.error(Code::E0101, message, i + 1);
        let write = format!("write `for {} {} ..`", self.word(i + 2), self.word(i + 3));
        Some(d.suggest(Suggestion::replace(self.up_to(i + 1, i + 2), "", write).safe()))
    }
}

/// The word before the name of an edge or a piece that is chosen.
fn edge_word(kind: &str) -> &str {
    match kind {
        "arc" => "edge",
        other => other,
    }
}
