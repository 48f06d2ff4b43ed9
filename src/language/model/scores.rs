//! Checks and types the clause `score E`. A ruleset that counts points cannot end in any other way. Semantics:
//! GRAMMAR.md, section 3.

use super::checker::Checker;
use super::scope::{Around, Env, Hint, Var};
use super::typed::{Players, RulesetId, Score, Slot, Sort};
use crate::base::Span;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, ClauseKind};

/// The name in a score for the player who cannot move.
const STUCK: &str = "stuck";

impl Checker<'_> {
    /// `score E`, where E is evaluated in a position in which the player to move has no move.
    pub(super) fn check_score(&mut self, home: RulesetId, e: &ast::Expr, span: Span) -> Score {
        let mut env = Env::new(Around::Rule, Some(home));
        self.ruleset_parameters(home, &mut env);
        let taken = self.names_something(home, STUCK);
        let stuck = (!taken).then(|| {
            env.push(Var {
                name: STUCK.into(),
                span,
                sort: Sort::Player,
                hint: Hint::default(),
                parameter: false,
                used: false,
                lint: false,
            })
        });
        let points = self.expect(e, &Sort::Int, &mut env);
        let stuck = stuck.filter(|slot| env.slots[*slot as usize].used);
        self.spend_parameters(home, &env);
        Score {
            span,
            stuck: stuck.map(Slot),
            slots: env.size(),
            slot_names: env.slot_names(),
            points,
        }
    }

    /// Checks that there is one `score` clause, two players, and no other clause about how play ends.
    pub(super) fn scores_alone(&mut self, id: RulesetId, r: &ast::Ruleset) {
        let scores = |c: &&ast::Clause| matches!(c.kind, ClauseKind::Score(_));
        let mut all = r.clauses.iter().filter(scores);
        let Some(score) = all.next() else {
            return;
        };
        if let Some(second) = all.next() {
            self.report(
                Diagnostic::error(Code::E0222, "a second `score` clause")
                    .at(second.span, "the second")
                    .at(score.span, "the first")
                    .help("one clause counts all points: `score taken(Left) - taken(Right)`"),
            );
        }
        let rules = self.ruleset(id);
        if !matches!(&rules.players, Players::Named(names) if names.len() == 2) {
            self.report(
                Diagnostic::error(Code::E0222, "`score` is for two players")
                    .at(score.span, "here can be three players or more")
                    .help("a score is what the first player has more than the second"),
            );
        }
        for clause in &r.clauses {
            let said = match &clause.kind {
                ClauseKind::End(end) => end.kind.word().to_owned(),
                ClauseKind::Endless(_) => "endless".to_owned(),
                ClauseKind::Play(how) => format!("play {}", how.text),
                _ => continue,
            };
            self.report(
                Diagnostic::error(
                    Code::E0222,
                    format!("`score` and `{said}` do not go together"),
                )
                .at(clause.span, "this is another way for play to end")
                .at(score.span, "points are counted here")
                .help("where points are counted, play ends when the player to move is stuck, and nothing else decides"),
            );
        }
    }
}
