//! Checks and types the clauses that end play: `win p when ..`, `lose p when ..`, `draw when ..`, and `endless ..`.
//! Semantics: GRAMMAR.md, section 3.

use super::checker::Checker;
use super::scope::{Around, Env, Hint, Var};
use super::typed::{By, EndClause, EndKind, Endless, Players, RulesetId, Slot, Sort};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, meant};
use crate::syntax::ast;

/// The name in a condition for the player who has just moved.
const MOVER: &str = "mover";

impl Checker<'_> {
    /// `win p when ..`, `lose p when ..`, `draw when ..`.
    pub(super) fn check_end(
        &mut self,
        home: RulesetId,
        end: &ast::EndClause,
        span: Span,
    ) -> EndClause {
        let rules = self.ruleset(home);
        let mut env = Env::new(Around::Rule, Some(home));
        self.ruleset_parameters(home, &mut env);
        let player = match &end.player {
            None => By::Anyone,
            Some(name) if &*name.text == "anyone" => {
                self.report(
                    Diagnostic::error(
                        Code::E0222,
                        format!("`{} anyone` does not say who", end.kind.word()),
                    )
                    .at(name.span, "a player, or a name that stands for each")
                    .help(match end.kind {
                        EndKind::Lose => "`lose p when ..`: p is first who has just moved, then each other player",
                        _ => "`win p when ..`: p is first who has just moved, then each other player",
                    }),
                );
                By::Anyone
            }
            Some(name) => self.by(&rules, name, &mut env).0,
        };
        let taken = self.names_something(home, MOVER);
        let mover = (!taken).then(|| {
            env.push(Var {
                name: MOVER.into(),
                span: end.player.as_ref().map_or(span, |p| p.span),
                sort: Sort::Player,
                hint: Hint::default(),
                parameter: false,
                used: false,
                lint: false,
            })
        });
        let conditions = end
            .conditions
            .iter()
            .map(|c| self.condition(c, &mut env))
            .collect();
        let uses_player = match &player {
            By::Each(slot) => env.slots[slot.0 as usize].used,
            _ => false,
        };
        let mover = mover.filter(|slot| env.slots[*slot as usize].used);
        self.spend_parameters(home, &env);
        EndClause {
            span,
            kind: end.kind,
            player,
            uses_player,
            mover: mover.map(Slot),
            slots: env.size(),
            slot_names: env.slot_names(),
            conditions,
        }
    }

    /// Whether the ruleset defines a name.
    pub(super) fn names_something(&self, home: RulesetId, name: &str) -> bool {
        let rules = self.ruleset(home);
        rules.state.iter().any(|s| &*s.name == name)
            || rules.pieces.iter().any(|p| &*p.name == name)
            || rules.parameters.iter().any(|p| &*p.name == name)
            || self.scope.insides[home.0 as usize].lets.contains_key(name)
            || matches!(&rules.players, Players::Named(names) if names.iter().any(|n| &**n == name))
    }

    /// `endless draw`, `endless win A`.
    pub(super) fn endless_clause(&mut self, id: RulesetId, who: Option<&Ident>, span: Span) {
        let mut rules = (*self.ruleset(id)).clone();
        let players = match &rules.players {
            Players::Named(names) => names.clone(),
            Players::Range(_) => Vec::new(),
        };
        if players.len() != 2 {
            self.report(
                Diagnostic::error(Code::E0222, "`endless` is for two players")
                    .at(span, "here can be three players or more")
                    .help("leave the clause out: play of three or more players that never ends is a draw"),
            );
            return;
        }
        if let Some(who) = who {
            match players.iter().position(|p| *p == who.text) {
                Some(i) => rules.endless = Endless::Win(u8::try_from(i).unwrap_or(u8::MAX)),
                None => {
                    let known: Vec<&str> = players.iter().map(|p| &**p).collect();
                    self.report(
                        Diagnostic::error(
                            Code::E0201,
                            format!("there is no player `{}`", who.text),
                        )
                        .at(who.span, "who wins a play without end?")
                        .suggest_if(meant(who, known.iter().copied()))
                        .note(format!("the players are {} and {}", known[0], known[1])),
                    );
                }
            }
        }
        self.set_ruleset(id, rules);
    }
}
