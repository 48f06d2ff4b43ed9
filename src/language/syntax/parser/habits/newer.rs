//! Common guesses at the words of later sections of the language: `wins p when`, `draw if`, `endless = draw`, `again if`,
//! `{c in cells where ..}`, `elif`. For the tokens of an item that could not be read, finds the first such run of tokens;
//! returns its message and the edit that fixes it. No valid item contains any of these runs, so other messages about the
//! item only follow from them.

use super::super::ItemSource;
use super::{Line, number_or_name};
use crate::base::Span;
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::lexer::{self, STAGE_WORDS, Token, TokenKind};

/// How many tokens of an item are examined.
const LOOKED_AT: usize = 4000;

/// The first habit in an item that could not be read.
pub(in super::super) fn newer(source: &ItemSource<'_>, in_ruleset: bool) -> Option<Diagnostic> {
    let tokens: Vec<Token> = source.significant().take(LOOKED_AT).collect();
    let line = Line::of_item(source, &tokens, in_ruleset);
    (0..tokens.len()).find_map(|i| {
        line.clauses_of_the_end(i)
            .or_else(|| line.questions(i))
            .or_else(|| line.sets(i))
            .or_else(|| line.alternatives(i))
            .or_else(|| line.effects(i))
            .or_else(|| line.parity(i))
            .or_else(|| line.arguments(i))
    })
}

/// The clause meant by a word that begins none.
fn clause_meant(word: &str) -> Option<&'static str> {
    Some(match word {
        "win" | "wins" | "won" | "winner" | "victory" | "goal" => "win",
        "lose" | "loses" | "lost" | "loser" | "loss" => "lose",
        "draw" | "draws" | "drawn" | "tie" | "ties" | "stalemate" => "draw",
        "score" | "scores" | "scoring" | "points" => "score",
        "endless" | "infinite" | "loop" | "loops" | "cycle" | "cycles" | "forever" | "endles"
        | "unending" | "repetition" => "endless",
        _ => return None,
    })
}

impl Line<'_, '_> {
    /// The span from one token to another, both included.
    pub(super) fn run(&self, from: usize, to: usize) -> Span {
        self.span(from).to(self.span(to.max(from)))
    }

    /// Adds a safe edit of a run of tokens, with the message `write ..`.
    fn written(&self, d: Diagnostic, from: usize, to: usize, text: String) -> Diagnostic {
        let message = format!("write `{text}`");
        d.suggest(Suggestion::replace(self.run(from, to), text, message).safe())
    }

    pub(super) fn opens_line(&self, i: usize) -> bool {
        self.tokens
            .get(i)
            .is_some_and(|t| self.source.first_on_line(*t))
    }

    /// The first token of the next line that opens a clause.
    fn clause_end(&self, i: usize) -> usize {
        (i + 1..self.last)
            .find(|j| {
                self.opens_line(*j) && lexer::opens_clause(self.word(*j), Some(self.word(*j + 1)))
            })
            .unwrap_or(self.last)
    }

    /// `wins p when`, `win p if`, `draw if`, `score = ..`, `endless = draw`, `misere`.
    fn clauses_of_the_end(&self, i: usize) -> Option<Diagnostic> {
        if !self.in_ruleset || i < 2 || !self.opens_line(i) || !self.ends_clause(i - 1) {
            return None;
        }
        let word = self.word(i);
        if matches!(word, "misere" | "misère" | "Misere" | "normal") && self.opens_line(i + 1) {
            let word = if word == "normal" { word } else { "misere" };
            let d = self.error(
                Code::E0109,
                format!("`{}` is said after `play`", self.word(i)),
                i,
            );
            return Some(self.written(d, i, i, format!("play {word}")));
        }
        let next = self.word(i + 1);
        if matches!(word, "end" | "ends" | "over" | "stop" | "finish")
            && matches!(next, "when" | "if" | ":")
        {
            let d = self.error(
                Code::E0109,
                format!("`{word} {next}` does not say who has won"),
                i,
            );
            return Some(d.help("write `win p when ..`, `lose p when ..` or `draw when ..`"));
        }
        let meant = clause_meant(word)?;
        let own = word == meant;
        let sign = matches!(next, ":" | "=" | "when" | "if" | "-");
        if !own
            && !sign
            && self.kind(i + 1) != Some(TokenKind::Name)
            && next != "draw"
            && next != "win"
        {
            return None;
        }
        match meant {
            "score" => self.score_clause(i),
            "endless" => self.endless_clause(i),
            _ => self.won_clause(i, meant),
        }
    }

    /// Whether a clause may end with the token.
    fn ends_clause(&self, i: usize) -> bool {
        self.ends_operand(i)
            || matches!(
                self.word(i),
                "heaps"
                    | "strip"
                    | "grid"
                    | "graph"
                    | "digraph"
                    | "poset"
                    | "acyclic"
                    | "edges"
                    | "again"
            )
    }

    fn score_clause(&self, i: usize) -> Option<Diagnostic> {
        let mut j = i + 1;
        while matches!(self.word(j), ":" | "=" | "is" | "by") {
            j += 1;
        }
        if self.word(i) == "score" && j == i + 1 {
            return None;
        }
        let d = match self.word(i) {
            "score" => self.error(
                Code::E0109,
                format!("no `{}` stands after `score`", self.word(i + 1)),
                i + 1,
            ),
            word => self.error(Code::E0109, format!("`{word}` starts no clause"), i),
        };
        let shown = format!("score {} ..", self.word(j));
        Some(
            d.suggest(
                Suggestion::replace(
                    self.run(i, j - 1),
                    "score",
                    format!("points are counted by `{shown}`"),
                )
                .safe(),
            ),
        )
    }

    fn endless_clause(&self, i: usize) -> Option<Diagnostic> {
        let end = self.clause_end(i);
        if end > i + 8 {
            return None;
        }
        let words: Vec<&str> = (i + 1..end).map(|j| self.word(j)).collect();
        let drawn = |w: &&str| matches!(*w, "draw" | "draws" | "drawn" | "tie");
        let filler = |w: &&str| {
            matches!(
                *w,
                "=" | ":"
                    | "is"
                    | "a"
                    | "when"
                    | "play"
                    | "plays"
                    | "by"
                    | "for"
                    | "win"
                    | "wins"
                    | "won"
                    | "game"
            )
        };
        let text = if words.iter().any(drawn) {
            "endless draw".to_owned()
        } else {
            let mut names = words.iter().filter(|w| !filler(w));
            match (names.next(), names.next()) {
                (Some(name), None) => format!("endless win {name}"),
                (None, _) => {
                    let shown = self.text(i, end - 1);
                    let d = self.error(Code::E0109, format!("`{shown}` does not say who"), i);
                    let help =
                        "who wins play that never ends: `endless win Left`; nobody: `endless draw`";
                    return Some(d.help(help));
                }
                _ => return None,
            }
        };
        if text == self.text(i, end - 1) {
            return None;
        }
        let shown = self.text(i, end - 1);
        let d = Diagnostic::error(Code::E0109, format!("`{shown}` is not a clause"))
            .at(self.run(i, end - 1), "")
            .note("play that never ends is drawn, `endless draw`, or won, `endless win Left`");
        Some(self.written(d, i, end - 1, text))
    }

    fn won_clause(&self, i: usize, meant: &str) -> Option<Diagnostic> {
        let connects = |w: &str| matches!(w, "when" | "if" | "iff" | "where" | ":" | "=" | "once");
        let mut j = i + 1;
        while matches!(
            self.word(j),
            ":" | "=" | "by" | "for" | "player" | "of" | "is"
        ) && !(meant == "draw" && connects(self.word(j)))
        {
            j += 1;
        }
        let player = if meant == "draw" {
            // A draw names no player.
            if self.kind(j) == Some(TokenKind::Name) && connects(self.word(j + 1)) {
                j += 1;
            }
            None
        } else if self.kind(j) == Some(TokenKind::Name) && !connects(self.word(j)) {
            j += 1;
            Some(self.word(j - 1))
        } else {
            None
        };
        // The player, and the word before the condition.
        let said = player.is_some() || meant == "draw";
        if !connects(self.word(j)) {
            return None;
        }
        if self.word(j) == ":" && connects(self.word(j + 1)) {
            j += 1;
        }
        let text = match (meant, player) {
            ("draw", _) => "draw when".to_owned(),
            (_, Some(p)) => format!("{meant} {p} when"),
            (_, None) => format!("{meant} p when"),
        };
        let same = self
            .text(i, j)
            .split_whitespace()
            .eq(text.split_whitespace());
        if same {
            return None;
        }
        let (message, at) = if self.word(i) != meant {
            (format!("`{}` starts no clause", self.word(i)), i)
        } else if !said {
            (
                format!("`{} {}` does not say who", self.word(i), self.word(j)),
                j,
            )
        } else {
            let wrong = (i + 1..=j).find(|k| !text.split(' ').any(|w| w == self.word(*k)));
            let wrong = wrong.unwrap_or(j);
            (
                format!("`{}` does not stand in `{text} ..`", self.word(wrong)),
                wrong,
            )
        };
        let d = self.error(Code::E0109, message, at);
        let d = if said {
            d
        } else {
            d.note("p is first who has just moved, then each other player")
        };
        let fix = Suggestion::replace(self.run(i, j), &text, format!("write `{text} ..`"));
        Some(d.suggest(fix.safe_if(said)))
    }

    /// `{c in cells where ..}`, `{k in S | ..}`, `{k for k in S if ..}`, `{c: ..}`, `size(c in cells: ..)`.
    fn sets(&self, i: usize) -> Option<Diagnostic> {
        if self.kind(i) != Some(TokenKind::OpenBracket) {
            return None;
        }
        let open = self.word(i);
        let close = self.partner(i)?;
        let at = |wanted: &str| self.find(i + 1, close, |w| w == wanted);
        if let Some(d) = self.conditional_element(i, close) {
            return Some(d);
        }
        let binds =
            self.kind(i + 1) == Some(TokenKind::Name) && matches!(self.word(i + 2), "in" | "∈");
        if open == "{" && binds && at("for").is_none() {
            let bar = || at("|").filter(|j| self.find(j + 1, close, compares).is_some());
            let word = at("where").or_else(|| at("when")).or_else(|| at("if"));
            if let Some(j) = word.or_else(|| at("such")).or_else(bar) {
                let d = self.error(
                    Code::E0101,
                    format!(
                        "in `{{{} in ..}}` the condition follows `:`",
                        self.word(i + 1)
                    ),
                    j,
                );
                let set = self.text(i + 1, j - 1);
                let that = usize::from(self.word(j + 1) == "that");
                let place = self.after(j - 1, j + that);
                return Some(d.suggest(
                    Suggestion::replace(place, ":", format!("write `{{{set}: ..}}`")).safe(),
                ));
            }
        }
        if open == "(" && binds && matches!(self.before(i), "size" | "count" | "number" | "len") {
            let j = at(":").or_else(|| at("where")).or_else(|| at("|"))?;
            let set = self.text(i + 1, j - 1);
            let d = Diagnostic::error(Code::E0101, "a set stands in braces")
                .at(self.run(i + 1, close - 1), "");
            let place = Span::new(
                self.source.file,
                self.span(j - 1).end as usize,
                self.span(j).end as usize,
            );
            let fix = Suggestion::before(
                self.span(i + 1),
                "{",
                format!("write `size({{{set}: ..}})`"),
            )
            .and(place, ":")
            .and_before(self.span(close), "}")
            .safe();
            return Some(d.suggest(fix));
        }
        None
    }

    /// `{k for k in S if ..}`, `{k if .. for k in S}`, `{if .. for k in S}`.
    fn conditional_element(&self, i: usize, close: usize) -> Option<Diagnostic> {
        let iff = self.find(i + 1, close, |w| w == "if")?;
        if iff > i + 1 && matches!(self.word(iff + 2), "in" | "∈") {
            let d = self.error(Code::E0101, "what is ranged over follows `for`", iff);
            return Some(self.written(d, iff, iff, "for".into()));
        }
        let each = self.find(i + 1, close, |w| w == "for")?;
        if self
            .find(iff + 1, close, |w| matches!(w, "then" | "else"))
            .is_some()
        {
            return None;
        }
        let d = self.error(
            Code::E0101,
            "a condition on what is taken follows `where`",
            iff,
        );
        if iff > each {
            let fix = Suggestion::replace(
                self.span(iff),
                "where",
                "write `where`: `{k for k in S where ..}`",
            );
            return Some(d.suggest(fix.safe()));
        }
        let ranges = self.text(each, close - 1);
        let condition = self.text(iff + 1, each - 1);
        let element = if iff > i + 1 {
            self.text(i + 1, iff - 1)
        } else {
            self.word(each + 1)
        };
        let safe = iff > i + 1;
        let text = format!("{element} {ranges} where {condition}");
        let shown = format!("write `{}{text}{}`", self.word(i), self.word(close));
        let fix = Suggestion::replace(self.run(i + 1, close - 1), text, shown);
        Some(d.suggest(fix.safe_if(safe)))
    }

    /// `elif`, an `if` without `else`, `if φ {a} else {b}`, `if φ: a else: b`, `φ ? a : b`, `a if φ else b`.
    fn alternatives(&self, i: usize) -> Option<Diagnostic> {
        let word = self.word(i);
        if matches!(word, "elif" | "elseif" | "elsif") {
            let mut fix = Suggestion::replace(self.span(i), "else if", "write `else if`").safe();
            for j in i + 1..self.last {
                if matches!(self.word(j), "elif" | "elseif" | "elsif") {
                    fix = fix.and(self.span(j), "else if");
                }
            }
            return Some(
                self.error(
                    Code::E0121,
                    format!("`{word}` is not a word of the language"),
                    i,
                )
                .suggest(self.in_version_2(fix)),
            );
        }
        if word == "?" {
            return self.ternary(i);
        }
        // The first `elif` after an `if` is the fault.
        let elif = |j: usize| matches!(self.word(j), "elif" | "elseif" | "elsif");
        if word != "if" || (i..self.last.min(i + 60)).any(elif) {
            return None;
        }
        self.move_with_if(i)
            .or_else(|| self.effect_with_if(i))
            .or_else(|| self.branches_in_braces(i))
            .or_else(|| self.branches_of_python(i))
            .or_else(|| self.without_else(i))
    }

    /// Where the expression that contains the token begins: after `x =`, a bracket, a comma, or a keyword of a move.
    fn expression_start(&self, i: usize) -> usize {
        let mut depth = 0usize;
        for j in (0..i).rev() {
            let word = self.word(j);
            match self.kind(j) {
                Some(TokenKind::CloseBracket) => depth += 1,
                Some(TokenKind::OpenBracket) if depth == 0 => return j + 1,
                Some(TokenKind::OpenBracket) => depth -= 1,
                _ if depth > 0 => {}
                _ if matches!(word, "," | ":=" | "+=" | "-=" | ":")
                    || STAGE_WORDS.contains(&word) =>
                {
                    return j + 1;
                }
                // `k = ..` among choices, `let k = ..`.
                _ if word == "="
                    && (j >= 2
                        && (matches!(self.word(j - 2), "choose" | "," | "let" | "else")
                            || self.word(j - 1) == ")")) =>
                {
                    return j + 1;
                }
                _ => {}
            }
        }
        0
    }

    /// The end of the expression that begins at the token: the last token before one that cannot be part of it.
    fn expression_end(&self, i: usize) -> usize {
        let stop = self.find(i, self.last, |w| {
            matches!(
                w,
                "," | "then" | "choose" | "where" | "from" | "else" | "for" | ";"
            )
        });
        let bound = stop.unwrap_or_else(|| self.closing(i, self.last));
        let line = (i + 1..bound).find(|j| {
            self.opens_line(*j) && lexer::opens_clause(self.word(*j), Some(self.word(*j + 1)))
        });
        line.unwrap_or(bound).saturating_sub(1).max(i)
    }

    fn in_version_2(&self, fix: Suggestion) -> Suggestion {
        match self.version_2_edit() {
            Some((place, text)) => fix.and(place, text),
            None => fix,
        }
    }

    /// `c ? a : b`.
    fn ternary(&self, i: usize) -> Option<Diagnostic> {
        let colon = self.find(i + 1, self.last, |w| w == ":")?;
        let start = self.expression_start(i);
        let end = self.expression_end(colon + 1);
        self.cases_written(
            start,
            i,
            (start, i),
            (i + 1, colon),
            (colon + 1, end + 1),
            end,
        )
    }

    /// Proposes `if c then a else b` in place of the tokens from `start` to `end`, both included; the parts are half-open
    /// ranges.
    fn cases_written(
        &self,
        start: usize,
        at: usize,
        condition: (usize, usize),
        one: (usize, usize),
        other: (usize, usize),
        end: usize,
    ) -> Option<Diagnostic> {
        if condition.0 >= condition.1 || one.0 >= one.1 || other.0 >= other.1 {
            return None;
        }
        let part = |(from, to): (usize, usize)| self.text(from, to - 1);
        let text = format!(
            "if {} then {} else {}",
            part(condition),
            part(one),
            part(other)
        );
        let d = self.error(Code::E0121, "two cases are `if φ then a else b`", at);
        let fix =
            Suggestion::replace(self.run(start, end), &text, format!("write `{text}`")).safe();
        Some(d.suggest(self.in_version_2(fix)))
    }

    /// `move by p: if c then ..`: a condition on the move.
    fn move_with_if(&self, i: usize) -> Option<Diagnostic> {
        let opens = i >= 3 && self.before(i) == ":" && self.word(i - 3) == "by";
        if !self.in_ruleset || !opens {
            return None;
        }
        let near = self.last.min(i + 60);
        if (i..near).any(|j| self.word(j) == "else") {
            return None;
        }
        let message = "conditions stand after `where`, not after `if`";
        let d = self.error(Code::E0110, message, i);
        Some(self.written(d, i, i, "where".into()))
    }

    /// `then .., if c then remove a`: an effect under a condition.
    fn effect_with_if(&self, i: usize) -> Option<Diagnostic> {
        if !self.in_ruleset
            || self.stage_word(i) != Some("then")
            || !matches!(self.before(i), "," | "then")
        {
            return None;
        }
        let then = self.find(i + 1, self.last, |w| matches!(w, "then" | ":"))?;
        if then <= i + 1 {
            return None;
        }
        let mut end = self.expression_end(then + 1);
        let condition = self.text(i + 1, then - 1);
        let mut text = format!("{} when {condition}", self.text(then + 1, end));
        if self.word(end + 1) == "else" {
            let other = end + 2;
            if self.word(other) == "if" || other >= self.last {
                return None;
            }
            end = self.expression_end(other);
            let effect = self.text(other, end);
            text.push_str(&format!(", {effect} when not ({condition})"));
        }
        let d = self.error(
            Code::E0112,
            "an effect under a condition is `effect when φ`",
            i,
        );
        Some(self.written(d, i, end, text))
    }

    /// `if c {a} else {b}`, `if c: a else: b`.
    fn branches_in_braces(&self, i: usize) -> Option<Diagnostic> {
        let open =
            (i + 1..self.last.min(i + 60)).find(|j| matches!(self.word(*j), "then" | "{" | ":"))?;
        match self.word(open) {
            "{" if self.ends_operand(open - 1) => {
                let close = self.partner(open)?;
                if self.word(close + 1) != "else" || self.word(close + 2) != "{" {
                    return None;
                }
                let end = self.partner(close + 2)?;
                self.cases_written(
                    i,
                    open,
                    (i + 1, open),
                    (open + 1, close),
                    (close + 3, end),
                    end,
                )
            }
            ":" => {
                let other = self.find(open + 1, self.last, |w| w == "else")?;
                let from = other + 1 + usize::from(self.word(other + 1) == ":");
                let end = self.expression_end(from);
                self.cases_written(
                    i,
                    open,
                    (i + 1, open),
                    (open + 1, other),
                    (from, end + 1),
                    end,
                )
            }
            _ => None,
        }
    }

    /// `a if c else b`.
    fn branches_of_python(&self, i: usize) -> Option<Diagnostic> {
        if i == 0 || !self.ends_operand(i - 1) {
            return None;
        }
        let other = self.find(i + 1, self.last, |w| matches!(w, "else" | "then"))?;
        if self.word(other) != "else" {
            return None;
        }
        let start = self.expression_start(i);
        let end = self.expression_end(other + 1);
        self.cases_written(
            start,
            i,
            (i + 1, other),
            (start, i),
            (other + 1, end + 1),
            end,
        )
    }

    /// `if c then a` where a value is expected.
    fn without_else(&self, i: usize) -> Option<Diagnostic> {
        if i > 0 && self.ends_operand(i - 1) && self.before(i) != "else" {
            return None;
        }
        let then = self.find(i + 1, self.last, |w| w == "then")?;
        let end = self.expression_end(then + 1);
        // The branch may contain the `if` that has no `else`.
        if then <= i + 1
            || self.word(end + 1) == "else"
            || (then..=end).any(|j| self.word(j) == "if")
        {
            return None;
        }
        let shown = self.text(i, end);
        let number = self.kind(then + 1) == Some(TokenKind::Integer);
        let other = if number {
            "0"
        } else {
            self.text(then + 1, end)
        };
        let d = self
            .error(Code::E0121, "an `if` without its `else`", i)
            .note("an effect that is done only where a condition holds is `effect when φ`");
        let fix = Suggestion::after(
            self.span(end),
            format!(" else {other}"),
            format!("add the other case, such as `{shown} else {other}`"),
        );
        Some(d.suggest(self.in_version_2(fix)))
    }

    /// `again if ..`, `again(..)`, `move again`, `remove a if ..`, `a, b -> [..]`.
    fn effects(&self, i: usize) -> Option<Diagnostic> {
        if !self.in_ruleset || self.stage_word(i) != Some("then") {
            return None;
        }
        let word = self.word(i);
        let opens = matches!(self.before(i), "," | "then");
        // `then u -- v`
        if opens && self.kind(i) == Some(TokenKind::Name) {
            let last = match (self.word(i + 1), self.word(i + 2)) {
                ("--", _) => i + 2,
                ("-", "-") if self.glued(i + 2) => i + 3,
                _ => 0,
            };
            if last > i && self.kind(last) == Some(TokenKind::Name) && !self.opens_line(last) {
                let d = self.error(Code::E0112, "an edge is added by `add`", i);
                let text = format!("add {word} -- {}", self.word(last));
                return Some(self.written(d, i, last, text));
            }
        }
        match word {
            "again" if self.word(i + 1) == "(" => {
                let close = self.partner(i + 1)?;
                let text = format!("again when {}", self.text(i + 2, close - 1));
                let d = self.error(Code::E0112, "`again` is not a function", i);
                return Some(self.written(d, i, close, text));
            }
            "go" | "play" | "moves" | "move" | "turn" if opens && self.word(i + 1) == "again" => {
                let d = self.error(
                    Code::E0112,
                    format!("the effect is `again`, without `{word}`"),
                    i,
                );
                return Some(self.written(d, i, i + 1, "again".into()));
            }
            "if" | "where" | "iff" if self.before(i) == "again" => {
                let d = self.error(Code::E0112, "the condition of an effect follows `when`", i);
                return Some(self.written(d, i - 1, i, "again when".into()));
            }
            "if" if i > 0
                && self.ends_operand(i - 1)
                && self
                    .find(i + 1, self.clause_end(i), |w| matches!(w, "then" | "else"))
                    .is_none() =>
            {
                let d = self.error(Code::E0112, "the condition of an effect follows `when`", i);
                return Some(self.written(d, i, i, "when".into()));
            }
            _ => {}
        }
        if opens { self.heaps_at_once(i) } else { None }
    }

    /// `a, b -> [a - k, b]`.
    fn heaps_at_once(&self, i: usize) -> Option<Diagnostic> {
        let mut names = vec![i];
        while self.kind(names[names.len() - 1]) == Some(TokenKind::Name)
            && self.word(names[names.len() - 1] + 1) == ","
            && names.len() < 8
        {
            names.push(names[names.len() - 1] + 2);
        }
        let last = names[names.len() - 1];
        if names.len() < 2
            || self.kind(last) != Some(TokenKind::Name)
            || !matches!(self.word(last + 1), "->" | "→")
            || self.word(last + 2) != "["
        {
            return None;
        }
        let close = self.partner(last + 2)?;
        let mut parts = Vec::new();
        let mut from = last + 3;
        while from < close {
            let to = self.find(from, close, |w| w == ",").unwrap_or(close);
            parts.push(self.text(from, to - 1));
            from = to + 1;
        }
        let d = Diagnostic::error(Code::E0112, "each heap is replaced by itself")
            .at(self.run(i, last), "several heaps before one `->`");
        let named = names.iter().map(|j| self.word(*j));
        if parts.len() != names.len() {
            let first = self.word(i);
            let others: Vec<String> = named.skip(1).map(|n| format!("{n} -> []")).collect();
            let text = format!("{first} -> [{}], {}", parts.join(", "), others.join(", "));
            return Some(self.written(d, i, close, text));
        }
        let text: Vec<String> = named
            .zip(parts)
            .map(|(n, p)| format!("{n} -> [{p}]"))
            .collect();
        Some(self.written(d, i, close, text.join(", ")))
    }

    /// `k odd`, `k is even`, `k is not odd`.
    fn parity(&self, i: usize) -> Option<Diagnostic> {
        let odd = match self.word(i) {
            "odd" => true,
            "even" => false,
            _ => return None,
        };
        let (is, not) = match (self.before(i), self.word(i.wrapping_sub(2))) {
            ("is", _) => (i.wrapping_sub(1), false),
            ("not", "is") => (i.wrapping_sub(2), true),
            _ => (i, false),
        };
        let number = is.checked_sub(1)?;
        let ends = !matches!(
            self.kind(i + 1),
            Some(TokenKind::Name | TokenKind::Integer | TokenKind::Text)
        ) || self.opens_line(i + 1)
            || matches!(self.word(i + 1), "when" | "again");
        if !self.in_ruleset
            || self.stage_word(i).is_none()
            || self.opens_line(i)
            || !number_or_name(self.kind(number))
            || matches!(self.word(i + 1), "(" | "[")
            || !ends
        {
            return None;
        }
        let word = self.word(i);
        let d = self.error(
            Code::E0101,
            format!("`{word}` is not a word of the language"),
            i,
        );
        let rest = i32::from(odd != not);
        let text = format!("{} mod 2 = {rest}", self.word(number));
        // The whole number is this token.
        let alone = number.checked_sub(1).is_some_and(|j| {
            matches!(
                self.word(j),
                "where" | "and" | "or" | "not" | "," | ":" | "when" | "if" | "("
            )
        });
        Some(match alone {
            true => self.written(d, number, i, text),
            false => d.help(format!("write `(..) mod 2 = {rest}`")),
        })
    }

    /// `reach ground`, `reach(v, in: S)`, `hexagonal 3 4`, `eval --set misere ..`.
    fn arguments(&self, i: usize) -> Option<Diagnostic> {
        let word = self.word(i);
        let function = matches!(
            word,
            "reach"
                | "group"
                | "nbrs"
                | "component"
                | "ends"
                | "size"
                | "slide"
                | "ray"
                | "row"
                | "column"
                | "at"
        );
        if function
            && self.kind(i + 1) == Some(TokenKind::Name)
            && !self.opens_line(i + 1)
            && !matches!(self.word(i + 2), "(" | "[")
            && (word == "at" || self.word(i + 2) != "=")
            && (i == 0 || !self.ends_operand(i - 1))
            && (self.in_ruleset || word == "size")
        {
            let argument = self.word(i + 1);
            let d = self.error(
                Code::E0101,
                format!("`{word} {argument}`: arguments stand in parentheses"),
                i + 1,
            );
            return Some(self.written(d, i, i + 1, format!("{word}({argument})")));
        }
        if matches!(word, "in" | "inside" | "through" | "among")
            && self.before(i) == ","
            && self.word(i + 1) == ":"
        {
            let d = self.error(Code::E0101, format!("no argument is called `{word}`"), i);
            return Some(self.written(d, i, i, "within".into()));
        }
        if matches!(word, "hexagonal" | "torus" | "hex")
            && self.kind(i + 1) == Some(TokenKind::Integer)
        {
            let mut sizes = vec![self.word(i + 1)];
            let mut end = i + 1;
            while self.kind(end + 1) == Some(TokenKind::Integer) {
                end += 1;
                sizes.push(self.word(end));
            }
            if sizes.len() == 1 {
                sizes.push(sizes[0]);
            }
            let wrap = if word == "torus" { ", wrap: both" } else { "" };
            let d = self.error(Code::E0101, format!("`{word}` is not a board"), i);
            let d = if word == "torus" {
                d
            } else {
                d.note("a board of hexagons is a grid whose moves go in the directions `hexagonal`")
            };
            return Some(self.written(d, i, end, format!("grid({}{wrap})", sizes[..2].join(", "))));
        }
        if word == "wrap" && self.in_ruleset && i >= 2 && self.word(i - 2) == "board" {
            let d = self.error(
                Code::E0101,
                "whether a board wraps round is said with the board of a position",
                i,
            );
            return Some(d.help("leave it out here, and write `[grid(3, 3, wrap: both)]`"));
        }
        if word == "set" && matches!(self.before(i), "--" | "-" | "—") && i >= 1 && !self.in_ruleset
        {
            let what = self.word(i + 1);
            let d =
                Diagnostic::error(Code::E0101, "an item has no options").at(self.run(i - 1, i), "");
            if what == "misere" && self.kind(i + 2) == Some(TokenKind::Name) {
                let name = self.word(i + 2);
                return Some(self.written(d, i - 1, i + 2, format!("misere({name})")));
            }
            return Some(d.help(
                "a ruleset with a clause changed is `ruleset Mine = Theirs with` and the clause",
            ));
        }
        None
    }
}

/// Signs of conditions.
fn compares(word: &str) -> bool {
    matches!(
        word,
        "=" | "<" | ">" | "<=" | ">=" | "!=" | "in" | "not" | "==" | "≤" | "≥" | "≠"
    )
}
