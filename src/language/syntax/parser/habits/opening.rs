//! Mistakes at the beginning of an item or a clause: `ruleset Nim:`, `board: grid`, `Left: choose ..`,
//! `let double k = ..`.

use super::super::Rule;
use super::{Line, capital};
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::lexer::{CLAUSE_WORDS, STAGE_WORDS, TokenKind};

impl Line<'_, '_> {
    /// Mistakes at the beginning of an item or a clause.
    pub(super) fn opening(&self, next: usize, rule: Rule) -> Option<Diagnostic> {
        self.ruleset_heading(next, rule)
            .or_else(|| self.clause_sign(next))
            .or_else(|| self.who_moves(next))
            .or_else(|| self.colon_after_by(next))
            .or_else(|| self.block_of_a_player(next))
            .or_else(|| self.parameters_by_blanks(next))
    }

    /// `ruleset Nim:`, `ruleset Nim {`.
    fn ruleset_heading(&self, next: usize, rule: Rule) -> Option<Diagnostic> {
        let found = self.word(next);
        if rule == Rule::item_ruleset
            && next <= 8
            && !(0..next).any(|i| {
                CLAUSE_WORDS.contains(&self.word(i)) || self.source.opens_clause(self.tokens, i)
            })
        {
            if found == ":" {
                return Some(
                    self.error(Code::E0101, "a ruleset opens without `:`", next)
                        .suggest(
                            Suggestion::replace(
                                self.span(next),
                                "",
                                "its clauses follow, indented: leave out `:`",
                            )
                            .safe(),
                        ),
                );
            }
            if found == "{" {
                let help = "its clauses follow, indented: leave out `{` and `}`";
                let mut fix = Suggestion::replace(self.span(next), "", help);
                if let Some(close) = self.partner(next) {
                    fix = fix.and(self.span(close), "");
                }
                return Some(
                    self.error(Code::E0101, "a ruleset opens without `{`", next)
                        .suggest(fix.safe()),
                );
            }
            if self.kind(next) == Some(TokenKind::Text) && next == 1 {
                let name: String = found
                    .trim_matches('"')
                    .split_whitespace()
                    .map(capital)
                    .collect();
                return Some(
                    self.error(Code::E0101, "a ruleset has a name, not a string", next)
                        .suggest(Suggestion::replace(
                            self.span(next),
                            &name,
                            format!("a name is one word: `ruleset {name}`"),
                        )),
                );
            }
        }
        None
    }

    /// `board: grid`, `pieces = x`.
    fn clause_sign(&self, next: usize) -> Option<Diagnostic> {
        let found = self.word(next);
        let start = self.word(self.first);
        if self.in_ruleset
            && next == self.first + 1
            && CLAUSE_WORDS.contains(&start)
            && start != "move"
            && matches!(found, ":" | "=")
        {
            return Some(
                self.error(Code::E0101, format!("no sign stands after `{start}`"), next)
                    .suggest(
                        Suggestion::replace(
                            self.span(next),
                            "",
                            format!("leave out `{found}`: `{start} {}`", self.word(next + 1)),
                        )
                        .safe(),
                    ),
            );
        }
        None
    }

    /// `move Left:`.
    fn who_moves(&self, next: usize) -> Option<Diagnostic> {
        let found = self.word(next);
        let start = self.word(self.first);
        if start == "move"
            && self.word(self.first + 2) == ":"
            && next == self.first + 2
            && found == ":"
        {
            let who = self.word(self.first + 1);
            return Some(
                self.error(
                    Code::E0110,
                    format!("who moves is said after `by`: `move by {who}:`"),
                    self.first + 1,
                )
                .suggest(
                    Suggestion::before(
                        self.span(self.first + 1),
                        "by ",
                        format!("write `move by {who}:`"),
                    )
                    .safe(),
                ),
            );
        }
        if start == "move" && self.before(next) == "by" && matches!(found, "all" | "each" | "some")
        {
            let mut fix = Suggestion::replace(
                self.span(next),
                "anyone",
                "the same options for every player: `move by anyone:`",
            );
            if matches!(self.word(next + 1), "player" | "players") {
                fix = fix.and(self.span(next + 1), "");
            }
            return Some(
                self.error(Code::E0110, format!("`{found}` is not a player"), next)
                    .suggest(fix.safe()),
            );
        }
        None
    }

    /// `move by p choose ..`.
    fn colon_after_by(&self, next: usize) -> Option<Diagnostic> {
        let found = self.word(next);
        let start = self.word(self.first);
        if start == "move"
            && matches!(found, "choose" | "where" | "then")
            && self.word(self.first + 1) == "by"
            && next == self.first + 3
        {
            let who = self.before(next);
            return Some(
                self.error(
                    Code::E0110,
                    format!("a `:` must stand after `move by {who}`"),
                    next,
                )
                .suggest(
                    Suggestion::after(
                        self.span(next - 1),
                        ":",
                        format!("write `move by {who}: {found} ..`"),
                    )
                    .safe(),
                ),
            );
        }
        None
    }

    /// `Left: choose ..` begins a clause.
    fn block_of_a_player(&self, next: usize) -> Option<Diagnostic> {
        let found = self.word(next);
        if self.in_ruleset
            && !found.is_empty()
            && self.kind(next) == Some(TokenKind::Name)
            && self.source.first_on_line(self.tokens[next])
            && let Some(colon) = (next + 1..next + 3).find(|i| self.word(*i) == ":")
            && (colon == next + 1 || matches!(self.word(next + 1), "moves" | "move" | "plays"))
            && STAGE_WORDS.contains(&self.word(colon + 1))
        {
            let place = self.span(next);
            let whole = place.to(self.span(colon));
            let text = format!("move by {found}:");
            return Some(
                self.error(Code::E0109, format!("`{found}:` starts no clause"), next)
                    .suggest(
                        Suggestion::replace(
                            whole,
                            &text,
                            format!("moves are written `{text} choose ..`"),
                        )
                        .safe(),
                    ),
            );
        }
        None
    }

    /// `let double k = 2*k`.
    fn parameters_by_blanks(&self, next: usize) -> Option<Diagnostic> {
        let start = self.word(self.first);
        if matches!(start, "let" | "position")
            && self.kind(self.first + 1) == Some(TokenKind::Name)
            && next == self.first + 2
            && self.kind(next) == Some(TokenKind::Name)
            && let Some(is) = self.find(next, self.last, |w| matches!(w, "=" | ":="))
            && (next..is).all(|i| self.kind(i) == Some(TokenKind::Name))
        {
            let f = self.word(next - 1);
            let names: Vec<&str> = (next..is).map(|i| self.word(i)).collect();
            let whole = self.span(next - 1).to(self.span(is - 1));
            let text = format!("{f}({})", names.join(", "));
            return Some(
                self.error(Code::E0101, "parameters stand in parentheses", next)
                    .suggest(
                        Suggestion::replace(whole, &text, format!("write `{start} {text} = ..`"))
                            .safe(),
                    ),
            );
        }
        None
    }
}
