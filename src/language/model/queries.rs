//! Checks queries: `eval assert claim refute table search`, and queries from the command line.

use super::Seal;
use super::binders::List;
use super::checker::Checker;
use super::scope::{Around, Env, Named, Scope, Skipped};
use super::typed::{Ask, AskAnswer, Expr, Query, RulesetId, Sort};
use crate::base::{Ident, Span, with_room};
use crate::diagnostic::{Code, Diagnostic, did_you_mean, tidy};
use crate::syntax::ast::{self, QueryKind};

/// The side on which an expression from the command line is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// As in a file: games on the value side, everything else on the integer side (`2*3` is 6).
    Integer,
    /// On the value side: `2*3` is 2 + *3.
    Value,
}

/// What to ask instead, if something of this sort cannot be compared with typed input.
fn no_answer(sort: &Sort) -> Option<&'static str> {
    match sort {
        Sort::Position => {
            Some("say what is asked of it: `value(P)`, `outcome(P)`, `best(P, Left)`")
        }
        Sort::Report | Sort::Genus | Sort::MisereForm | Sort::QuotientElement => Some(
            "ask for a value, a number, an outcome or a set: `temperature(G)`, `best(P, Left)`",
        ),
        Sort::Compound => Some("say what is asked of it: `outcome(C)`, `winner(C, first: Left)`"),
        Sort::Board => Some("ask for something of it: `size(edges(G))`"),
        Sort::Set(inner) | Sort::List(inner) => match &**inner {
            Sort::Position => None,
            inner => no_answer(inner),
        },
        _ => None,
    }
}

impl Checker<'_> {
    /// A query of a file.
    pub(super) fn query(&mut self, q: &ast::Query, span: Span) -> Query {
        let mut env = Env::new(Around::Query, None);
        let binders = self.binders(&q.binders, List::For, &mut env);
        let condition = q.condition.as_ref().map(|c| self.condition(c, &mut env));
        let holds = matches!(
            q.kind,
            QueryKind::Assert | QueryKind::Claim | QueryKind::Refute | QueryKind::Search { .. }
        );
        let mut body: Vec<Expr> = Vec::new();
        for e in &q.body {
            body.push(if holds {
                self.holds(e, q.kind, &mut env)
            } else {
                self.expr(e, &mut env)
            });
        }
        if !self.failed {
            self.unused(0, &env);
        }
        Query {
            span,
            kind: q.kind,
            slow: q.slow,
            name: q.name.as_ref().map(|n| n.value.clone()),
            slots: env.size(),
            slot_names: env.slot_names(),
            binders,
            condition,
            body,
            source: q.source.as_ref().map(|s| (s.program, s.text.value.clone())),
            of: None,
        }
    }

    /// A question to the reader; `None` if it is broken.
    pub(super) fn ask(&mut self, ask: &ast::Ask, span: Span) -> Option<Ask> {
        let answer = match &ask.answer {
            ast::AskAnswer::Seal(text) => match Seal::parse(&text.value) {
                Some(seal) => AskAnswer::Seal(Box::new(seal)),
                None => {
                    self.report(
                        Diagnostic::error(Code::E0505, "this is not a seal")
                            .at(text.span, "was it changed by hand?")
                            .help("`cgdsl seal FILE` replaces `expect` by seals"),
                    );
                    self.failed = true;
                    return None;
                }
            },
            ast::AskAnswer::Expect(e) => {
                let mut env = Env::new(Around::Query, None);
                let mut body = self.expr(e, &mut env);
                // Nobody asks for what lies outside the board.
                if self.means_off(&body) {
                    body = self.coerce(body, &Sort::Game, &mut env);
                }
                if let Some(why) = no_answer(&body.sort) {
                    let d = Diagnostic::error(
                        Code::E0504,
                        format!(
                            "{} is not an answer that can be compared",
                            super::error::a(&body.sort)
                        ),
                    )
                    .at(body.span, "expected here")
                    .help(why);
                    self.hole(d);
                }
                AskAnswer::Expect(Box::new(eval_of(e.span, body, &env)))
            }
        };
        (!self.failed).then(|| Ask {
            span,
            question: ask.question.value.clone(),
            answer,
            hints: ask.hints.iter().map(|h| h.value.clone()).collect(),
            source: ask
                .source
                .as_ref()
                .map(|s| (s.program, s.text.value.clone())),
        })
    }

    /// The claimed condition.
    fn holds(&mut self, e: &ast::Expr, kind: QueryKind, env: &mut Env) -> Expr {
        let guess = self.guess(e, env);
        if matches!(
            guess,
            Sort::Game
                | Sort::Position
                | Sort::Compound
                | Sort::Int
                | Sort::Outcome
                | Sort::Genus
                | Sort::MisereForm
                | Sort::QuotientElement
                | Sort::Set(_)
                | Sort::List(_)
        ) {
            let word = match kind {
                QueryKind::Assert => "assert",
                QueryKind::Claim => "claim",
                QueryKind::Refute => "refute",
                _ => "search",
            };
            let found = self.expr(e, env);
            let d = Diagnostic::error(
                Code::E0503,
                format!(
                    "`{word}` takes what holds or not, and this is {}",
                    super::error::a(&guess)
                ),
            )
            .at(found.span, "neither true nor false")
            .help(match guess {
                Sort::Game | Sort::Position => {
                    "compare it: `value(G) == 1/2`, or show it: `eval G`"
                }
                Sort::Outcome => "compare it: `outcome(G) = P-position`",
                Sort::Compound => "say what is asked of it: `outcome(C) = P-position`",
                Sort::Genus => "compare it: `genus(G) = \"4^146\"`, or show it by `eval`",
                Sort::MisereForm => {
                    "compare it: `misere_form(G) = misere_form(H)`, or show it by `eval`"
                }
                Sort::QuotientElement => {
                    "compare it: `phi(G, within: Q) = phi(H, within: Q)`, or show it by `eval`"
                }
                _ => "compare it: `.. = 3`, or show it by `eval`",
            });
            return self.hole(d);
        }
        self.condition(e, env)
    }

    /// Checks a single query; returns it or its errors.
    fn alone(
        mut self,
        span: Span,
        make: impl FnOnce(&mut Self, &mut Env) -> Expr,
    ) -> Result<Query, Vec<Diagnostic>> {
        let mut env = Env::new(Around::Query, None);
        let body = with_room(|| make(&mut self, &mut env));
        if self.failed {
            let mut out = std::mem::take(&mut self.out);
            if let Some(name) = self.broken_name.take().filter(|_| out.is_empty()) {
                out.push(
                    Diagnostic::error(Code::E0224, format!("`{name}` has errors"))
                        .at(span, "used here")
                        .help("see the messages on the file, or run `cgdsl check`"),
                );
            }
            tidy(&mut out);
            return Err(out);
        }
        Ok(eval_of(span, body, &env))
    }
}

impl Scope {
    /// An expression from the command line, as an `eval` query. Functions that it calls with new sorts are added to the
    /// model.
    ///
    /// # Errors
    /// The diagnostics.
    pub fn check_query(&mut self, e: &ast::Expr, side: Side) -> Result<Query, Vec<Diagnostic>> {
        Checker::new(self).alone(e.span, |checker, env| match side {
            Side::Integer => checker.expr(e, env),
            Side::Value => checker.value(e, env),
        })
    }

    /// A query item (as typed in a repl).
    ///
    /// # Errors
    /// The diagnostics; only a name if it uses something broken.
    pub fn check_query_item(
        &mut self,
        q: &ast::Query,
        span: Span,
    ) -> Result<Query, Vec<Diagnostic>> {
        let mut checker = Checker::new(self);
        let found = with_room(|| checker.query(q, span));
        let mut out = std::mem::take(&mut checker.out);
        if !checker.failed {
            return Ok(found);
        }
        if let Some(name) = checker.broken_name.take().filter(|_| out.is_empty()) {
            out.push(
                Diagnostic::error(Code::E0224, format!("`{name}` has errors"))
                    .at(span, "used here"),
            );
        }
        tidy(&mut out);
        Err(out)
    }

    /// A bare board from the command line, as a position of the given ruleset, or of the only one there is. `span` is the
    /// place of the whole board.
    ///
    /// # Errors
    /// The diagnostics; if the ruleset is ambiguous, they list the rulesets.
    pub fn check_board(
        &mut self,
        ruleset: Option<&str>,
        arguments: &[ast::Argument],
        entries: &[ast::Entry],
        span: Span,
    ) -> Result<Query, Vec<Diagnostic>> {
        let id = match self.whose(ruleset, span) {
            Ok(id) => id,
            Err(d) => return Err(vec![*d]),
        };
        let name = self.model.rulesets[id.0 as usize].name.clone();
        Checker::new(self).alone(span, |checker, env| {
            let name = Ident { text: name, span };
            checker.position(id, &name, arguments, entries, span, env)
        })
    }

    fn whose(&self, ruleset: Option<&str>, span: Span) -> Result<RulesetId, Box<Diagnostic>> {
        let names: Vec<&str> = self.model.rulesets.iter().map(|r| &*r.name).collect();
        if let Some(name) = ruleset {
            return self.ruleset(name).ok_or_else(|| {
                Box::new(
                    Diagnostic::error(Code::E0201, format!("there is no ruleset `{name}`"))
                        .at(span, "")
                        .help_if(did_you_mean(name, names)),
                )
            });
        }
        match names[..] {
            [_] => Ok(RulesetId(0)),
            [] => Err(Box::new(
                Diagnostic::error(
                    Code::E0306,
                    "a bare board needs a ruleset, and there is none",
                )
                .at(span, ""),
            )),
            _ => Err(Box::new(
                Diagnostic::error(
                    Code::E0306,
                    "a bare board belongs to one ruleset, and there are several",
                )
                .at(span, "whose board is this?")
                .help(format!("write the ruleset before it: `{}[..]`", names[0]))
                .note(format!(
                    "the rulesets are {}",
                    super::error::list(&names, "and")
                )),
            )),
        }
    }

    /// The position with this name, without parameters, as an `eval` query.
    ///
    /// # Errors
    /// There is no such position, or it is broken.
    pub fn check_named(&mut self, name: &Ident) -> Result<Query, Vec<Diagnostic>> {
        Checker::new(self).alone(name.span, |checker, env| checker.name(name, env))
    }

    /// Named positions without parameters of the files, in the order of the text.
    pub fn named_positions(&self) -> impl Iterator<Item = &Ident> {
        self.definitions
            .iter()
            .filter(|d| d.position && d.lets[0].parameters.is_empty())
            .map(|d| &d.name)
    }

    pub(super) fn skip(&mut self, span: Span, name: Option<std::sync::Arc<str>>) {
        self.skipped.push(Skipped {
            span,
            name: name.unwrap_or_else(|| "?".into()),
        });
    }

    /// Whether this name belongs to an item that could not be read or checked.
    #[must_use]
    pub fn is_broken(&self, name: &str) -> bool {
        match self.names.get(name) {
            Some(Named::Broken) => true,
            Some(Named::Ruleset(id)) => self.model.rulesets[id.0 as usize].broken,
            _ => false,
        }
    }
}

/// An `eval` query for one expression.
fn eval_of(span: Span, body: Expr, env: &Env) -> Query {
    Query {
        span,
        kind: QueryKind::Eval,
        slow: false,
        name: None,
        slots: env.size(),
        slot_names: env.slot_names(),
        binders: Vec::new(),
        condition: None,
        body: vec![body],
        source: None,
        of: None,
    }
}
