//! Checks the fields of a position, `m: 3`, `at(v): x`, `token: c[1]`, against the state that the ruleset declares.

use super::boards::Found;
use super::checker::{Checker, expr};
use super::error;
use super::scope::Env;
use super::typed::{
    BoardKind, Expr, ExprKind, Field, FieldTarget, Form, Ruleset, SiteKind, Sort, StateId,
};
use crate::base::Ident;
use crate::diagnostic::{Code, Diagnostic, Suggestion, meant};
use crate::syntax::ast::{self, Entry, ExprKind as K, Node, Tag};
use crate::syntax::printer::print_expr;

impl Checker<'_> {
    /// The target of an entry that is a field; `Some(None)` if it is a broken field.
    #[allow(clippy::option_option)]
    pub(super) fn field_target(
        &mut self,
        node: &Node,
        rules: &Ruleset,
        kind: BoardKind,
        env: &mut Env,
    ) -> Option<Option<FieldTarget>> {
        let tag = node.tag.as_ref().filter(|t| !matches!(t, Tag::Entailed))?;
        let state = |name: &str| rules.state.iter().position(|s| *s.name == *name);
        let id = |i: usize| StateId(u32::try_from(i).unwrap_or(u32::MAX));
        match &*node.expr.kind {
            K::Name(name) => {
                if let Some(i) = state(&name.text) {
                    let scalar = rules.state[i].arguments.is_empty();
                    return Some(Some(if scalar {
                        FieldTarget::State(id(i), Vec::new())
                    } else {
                        FieldTarget::Whole(id(i))
                    }));
                }
                // `a: 3` on a graph is not a label, and boards of other forms have no labels.
                let is_value = matches!(tag, Tag::Value(_)) && rules.pieces_range.is_none();
                if is_value || kind.form() != Form::Chains {
                    if env.find(&name.text).is_some() || self.guess(&node.expr, env) == Sort::Board
                    {
                        return None;
                    }
                    let known: Vec<&str> = rules.state.iter().map(|s| &*s.name).collect();
                    let d = Diagnostic::error(
                        Code::E0303,
                        format!("{} has no state called `{}`", rules.name, name.text),
                    )
                    .at(name.span, "unknown field")
                    .suggest_if(meant(name, known.iter().copied()));
                    self.report(if known.is_empty() {
                        d.help("pieces are put on a site by `at(v): x`, or `a:x` on a graph")
                    } else {
                        d.note(format!("its state is {}", error::list(&known, "and")))
                    });
                    return Some(None);
                }
                None
            }
            K::Call(name, arguments) => {
                let site = rules.board.site().map(Sort::Site);
                if &*name.text == "at" && state("at").is_none() {
                    let Some(site) = site.filter(|_| arguments.len() == 1) else {
                        let d = Diagnostic::error(Code::E0303, "`at` takes one site")
                            .at(node.expr.span, "");
                        self.report(match &arguments[..] {
                            [a, b] if rules.board.has_rows() => {
                                let (i, j) = (print_expr(&a.value), print_expr(&b.value));
                                let message = format!("a cell is a pair: `at(({i}, {j})): ..`");
                                let fix = Suggestion::before(a.value.span, "(", message);
                                d.suggest(fix.and_after(b.value.span, ")").safe())
                            }
                            _ => d.help("`at(v): x` puts the piece x on v"),
                        });
                        return Some(None);
                    };
                    self.are_plain(name, arguments);
                    let site = self.site(&arguments[0].value, &site, env);
                    return Some(Some(FieldTarget::At(site)));
                }
                let i = state(&name.text)?;
                let sorts = rules.state[i].arguments.clone();
                if sorts.len() != arguments.len() {
                    self.wrong_count(
                        name,
                        arguments.len(),
                        &sorts.len().to_string(),
                        node.expr.span,
                    );
                    return Some(None);
                }
                self.are_plain(name, arguments);
                let arguments = arguments
                    .iter()
                    .zip(&sorts)
                    .map(|(a, sort)| self.site(&a.value, sort, env))
                    .collect();
                Some(Some(FieldTarget::State(id(i), arguments)))
            }
            _ => None,
        }
    }

    /// A site in a field: a cell, or the label of a vertex or element.
    fn site(&mut self, e: &ast::Expr, sort: &Sort, env: &mut Env) -> Expr {
        match sort {
            Sort::Site(SiteKind::StripCell | SiteKind::GridCell) => {
                let found = self.label(e, env);
                if matches!(&*found.kind, ExprKind::Label(..)) {
                    return self.hole(
                        Diagnostic::error(Code::E0303, "a cell is written by its coordinates")
                            .at(found.span, "this is not a cell")
                            .help("on a grid `(row, column)`, on a strip an integer"),
                    );
                }
                self.coerce(found, sort, env)
            }
            // `a -- b` is parsed as a - (-b); the edge is found by its ends once the board is known, an arc by the list of its
            // tail and its head.
            Sort::Site(SiteKind::Edge) => match &*e.kind {
                K::Binary(ast::BinaryOp::Arc, u, v) => {
                    let ends = vec![self.label(u, env), self.label(v, env)];
                    let of = Sort::List(Box::new(Sort::Label));
                    expr(e.span, of, ExprKind::Elements(ends))
                }
                K::Binary(ast::BinaryOp::Subtract, u, v)
                    if matches!(&*v.kind, K::Unary(ast::UnaryOp::Negative, _)) =>
                {
                    let K::Unary(_, v) = &*v.kind else {
                        return self.expect(e, sort, env);
                    };
                    let ends = vec![self.label(u, env), self.label(v, env)];
                    let of = Sort::Set(Box::new(Sort::Label));
                    expr(e.span, of, ExprKind::Elements(ends))
                }
                _ => self.expect(e, sort, env),
            },
            _ => self.expect(e, sort, env),
        }
    }

    pub(super) fn field(
        &mut self,
        e: &Entry,
        target: FieldTarget,
        rules: &Ruleset,
        env: &mut Env,
    ) -> Found {
        let sort = match &target {
            FieldTarget::At(_) => Sort::Piece,
            FieldTarget::State(id, _) => rules.state[id.0 as usize].sort.clone(),
            FieldTarget::Whole(id) => Sort::List(Box::new(rules.state[id.0 as usize].sort.clone())),
        };
        let value = match &e.first.tag {
            Some(Tag::Value(value)) => value.clone(),
            // A single name is always parsed as a piece; here it is a value.
            Some(Tag::Pieces(pieces)) => match &pieces[..] {
                [(None, name)] => ast::Expr {
                    span: name.span,
                    kind: Box::new(K::Name(name.clone())),
                },
                _ => {
                    self.report(
                        Diagnostic::error(Code::E0303, "a field has one value")
                            .at(e.span, "")
                            .help("counts of pieces stand on vertices: `a:2b+1g`"),
                    );
                    return Found::Nothing;
                }
            },
            Some(Tag::Entailed) | None => return Found::Nothing,
        };
        let value = match (&sort, &target) {
            (Sort::List(of), FieldTarget::Whole(_)) if matches!(**of, Sort::Site(_)) => {
                self.expect(&value, &Sort::List(Box::new(Sort::Label)), env)
            }
            (Sort::Site(_), _) => self.site(&value, &sort, env),
            (Sort::Piece, _) => match &*value.kind {
                K::Name(name) if env.find(&name.text).is_none() => {
                    match self.piece_named(name, rules, env) {
                        Some(found) => found,
                        None => return Found::Nothing,
                    }
                }
                _ => self.expect(&value, &sort, env),
            },
            _ => self.expect(&value, &sort, env),
        };
        Found::Field(Field {
            span: e.span,
            target,
            value,
        })
    }

    /// A piece in a field.
    pub(super) fn piece_named(
        &mut self,
        name: &Ident,
        rules: &Ruleset,
        env: &mut Env,
    ) -> Option<Expr> {
        if let Some(found) = self.piece_or_player(name, env) {
            return Some(self.coerce(found, &Sort::Piece, env));
        }
        let kind = match &*name.text {
            "empty" => ExprKind::Empty,
            "wall" => ExprKind::Wall,
            _ => {
                self.no_such_piece(name, rules);
                return None;
            }
        };
        Some(expr(name.span, Sort::Piece, kind))
    }

    pub(super) fn no_such_piece(&mut self, name: &Ident, rules: &Ruleset) {
        let known: Vec<&str> = rules.pieces.iter().map(|p| &*p.name).collect();
        let d = Diagnostic::error(
            Code::E0304,
            format!("{} has no piece `{}`", rules.name, name.text),
        )
        .at(name.span, "unknown piece")
        .suggest_if(meant(name, known.iter().copied()));
        self.report(if rules.pieces_range.is_some() {
            d.note("its pieces are the numbers of its players: 1, 2, ..")
        } else if known.is_empty() {
            d.note("it has no pieces at all")
        } else {
            d.note(format!("its pieces are {}", error::list(&known, "and")))
        });
    }
}
