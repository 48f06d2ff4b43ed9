//! Checks reads of the current position, or of one given as the first argument: `at(v)`, `pebbles(b, v)`, `at(G, v)`.

use super::checker::{Checker, expr, unknown};
use super::error;
use super::scope::{Around, Env, Hint};
use super::typed::{Builtin, Expr, ExprKind, Ruleset, SiteKind, Sort, StateId};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, Suggestion, meant};
use crate::syntax::ast::Argument;
use std::sync::Arc;

impl Checker<'_> {
    /// A state function of the current ruleset.
    pub(super) fn state(
        &mut self,
        rules: &Ruleset,
        i: usize,
        name: &Ident,
        arguments: &[Argument],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        let state = &rules.state[i];
        if arguments.len() != state.arguments.len() {
            return self.wrong_count(
                name,
                arguments.len(),
                &state.arguments.len().to_string(),
                span,
            );
        }
        self.are_plain(name, arguments);
        let arguments = arguments
            .iter()
            .zip(&state.arguments)
            .map(|(a, sort)| self.expect(&a.value, sort, env))
            .collect();
        let id = StateId(u32::try_from(i).unwrap_or(u32::MAX));
        expr(span, state.sort.clone(), ExprKind::State(id, arguments))
    }

    /// `at(s)`, `at(G, s)`.
    pub(super) fn at(
        &mut self,
        name: &Ident,
        arguments: &[Argument],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        let rules = match (arguments, env.around, env.home) {
            ([_], Around::Rule, Some(home)) => self.ruleset(home),
            _ => return self.state_of(name, arguments, span, env),
        };
        self.are_plain(name, arguments);
        let site = self.guess(&arguments[0].value, env);
        let argument = &arguments[0].value;
        let here = rules.board.site();
        let site = match (&site, here) {
            (Sort::Site(SiteKind::Edge), _) if rules.pieces_on_edges => self.expr(argument, env),
            (Sort::Site(SiteKind::Edge), _) => {
                return self.hole(
                    Diagnostic::error(Code::E0216, "there are no pieces on edges here")
                        .at(argument.span, "this is an edge")
                        .help("pieces on edges are declared by `pieces b = Left on edges`"),
                );
            }
            (_, Some(kind)) if rules.pieces_on_sites => {
                self.expect(argument, &Sort::Site(kind), env)
            }
            _ => {
                // Reported once for each ruleset.
                if !env.home.is_none_or(|home| self.no_pieces.insert(home)) {
                    self.failed = true;
                    return unknown(span);
                }
                let d = Diagnostic::error(
                    Code::E0216,
                    format!("{} has no pieces for `at` to read", rules.name),
                )
                .at(span, "");
                let d = if rules.pieces_on_edges {
                    d.note("its pieces lie on edges")
                        .help("ask an edge: `choose edge e where .. at(e) ..`")
                } else {
                    let fix = self.pieces_clause_meant(&rules, env);
                    match fix {
                        Some(fix) => d.suggest(fix),
                        None => d.help("declare pieces: `pieces x = A, o = B`"),
                    }
                };
                return self.hole(d);
            }
        };
        expr(span, Sort::Piece, ExprKind::At(site))
    }

    /// A read of a given position: `at(G, v)`, `pebbles(P, g, v)`.
    pub(super) fn state_of(
        &mut self,
        name: &Ident,
        arguments: &[Argument],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        let text = &*name.text;
        let is_at = text == "at";
        let owners: Vec<Arc<Ruleset>> = self
            .scope
            .model
            .rulesets
            .iter()
            .filter(|r| is_at || r.state.iter().any(|s| *s.name == *text))
            .cloned()
            .collect();
        if owners.is_empty() {
            return match is_at {
                true => self.hole(
                    Diagnostic::error(Code::E0216, "`at` asks a position, and here there is none")
                        .at(span, "")
                        .help("write `at(G, v)` with a position G"),
                ),
                false => self.unknown_function(name, arguments, span, env),
            };
        }
        let Some((first, rest)) = arguments.split_first() else {
            return self.wrong_count(name, 0, "a position and its", span);
        };
        let position = self.expr(&first.value, env);
        if position.sort == Sort::Unknown {
            return unknown(span);
        }
        if position.sort != Sort::Position {
            let pair = is_at && env.home.is_some() && position.sort == Sort::Int;
            return self.hole(
                Diagnostic::error(
                    Code::E0216,
                    format!("`{text}` needs a position, and there is none here"),
                )
                .at(
                    first.value.span,
                    format!("this is {}", error::a(&position.sort)),
                )
                .suggest_if(pair.then(|| {
                    Suggestion::before(
                        first.value.span,
                        "(",
                        "a cell of a grid is one pair: `at((i, j))`, and `at(c)` if c is chosen",
                    )
                    .and_after(rest.last().unwrap_or(first).value.span, ")")
                }))
                .help_if((!pair).then(|| format!("write the position first: `{text}(G, ..)`"))),
            );
        }
        let hint = self.hint_of(&position, env);
        let rules = match hint.ruleset {
            Some(id) => self.ruleset(id),
            None => owners[0].clone(),
        };
        let (sorts, sort) = if is_at {
            (vec![Sort::Label], Sort::Piece)
        } else {
            match rules.state.iter().find(|s| *s.name == *text) {
                Some(s) => (s.arguments.clone(), s.sort.clone()),
                None => {
                    let known: Vec<&str> = rules.state.iter().map(|s| &*s.name).collect();
                    return self.hole(
                        Diagnostic::error(
                            Code::E0201,
                            format!("{} has no state called `{text}`", rules.name),
                        )
                        .at(name.span, "unknown state")
                        .suggest_if(meant(name, known)),
                    );
                }
            }
        };
        if rest.len() != sorts.len() {
            let wanted = format!("a position and {}", sorts.len());
            return self.wrong_count(name, arguments.len(), &wanted, span);
        }
        let outer = std::mem::replace(
            &mut env.hint,
            Hint {
                ruleset: hint.ruleset.or(Some(self.id_of(&rules))),
                ..Hint::default()
            },
        );
        let mut parts = vec![
            position,
            expr(name.span, Sort::Text, ExprKind::Text(name.text.clone())),
        ];
        for (a, want) in rest.iter().zip(&sorts) {
            let want = match want {
                Sort::Site(_) => &Sort::Label,
                other => other,
            };
            let part = self.expect(&a.value, want, env);
            parts.push(part);
        }
        env.hint = outer;
        let sort = match sort {
            Sort::Site(_) => Sort::Label,
            other => other,
        };
        expr(span, sort, ExprKind::Builtin(Builtin::StateOf, parts))
    }

    fn id_of(&self, rules: &Ruleset) -> super::typed::RulesetId {
        let i = self
            .scope
            .model
            .rulesets
            .iter()
            .position(|r| r.name == rules.name)
            .unwrap_or(0);
        super::typed::RulesetId(u32::try_from(i).unwrap_or(u32::MAX))
    }
}
