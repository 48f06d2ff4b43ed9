//! Checks square brackets after a name, and names of vertices and elements of a board: `Ruleset[..]`, `l[i]`, `c[1]`,
//! `mid(v)`, `{a, b}`.

use super::checker::{Checker, expr, unify, unknown};
use super::error;
use super::exprs::downs_as_name;
use super::scope::{Around, Env, Named};
use super::sites::COORDINATES;
use super::typed::{Expr, ExprKind, SiteKind, Sort};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast;

impl Checker<'_> {
    /// `Ruleset[..]`, `l[i]`, `c[1]`.
    pub(super) fn bracket(
        &mut self,
        span: Span,
        head: &ast::Expr,
        entries: &[ast::Entry],
        env: &mut Env,
    ) -> Expr {
        if self.scope.makes_ruleset(head) {
            let made = self.made(head);
            let id = made.as_ref().and_then(|m| self.scope.ruleset(&m.0.text));
            return match (made, id) {
                (Some((name, arguments)), Some(id)) => {
                    self.position(id, &name, &arguments, entries, span, env)
                }
                _ => {
                    self.failed = true;
                    super::checker::unknown(span)
                }
            };
        }
        if let ast::ExprKind::Name(name) | ast::ExprKind::Call(name, _) = &*head.kind
            && env.find(&name.text).is_none()
        {
            let named = matches!(&*head.kind, ast::ExprKind::Name(_));
            let known = self.scope.named(name).is_some();
            if named
                && !known
                && let Some(index) = self.single(entries)
                && !self.is_let(name, env)
                && let Some(d) = self.square_brackets(name, index, span, env)
            {
                return self.hole(d);
            }
            match self.scope.named(name) {
                Some(Named::Broken) => return self.uses_broken(name),
                Some(Named::Ruleset(id)) => {
                    let arguments: &[ast::Argument] = match &*head.kind {
                        ast::ExprKind::Call(_, arguments) => arguments,
                        _ => &[],
                    };
                    return self.position(id, name, arguments, entries, span, env);
                }
                Some(Named::Definition(_)) => {}
                None => {
                    let known = self.lookup(name, env).is_some()
                        || super::builtins::find(&name.text).is_some()
                        || matches!(&*head.kind, ast::ExprKind::Call(..));
                    let called = matches!(&*head.kind, ast::ExprKind::Call(..))
                        && !self.is_let(name, env)
                        && env.literal.is_none()
                        && self.lookup(name, env).is_none()
                        && super::builtins::find(&name.text).is_none();
                    if called && name.text.starts_with(char::is_uppercase) {
                        return self.missing_ruleset(name);
                    }
                    if !known {
                        // Outside of a board a capital letter is rather a ruleset than a site.
                        let site = env.literal.is_some()
                            || entries.len() == 1 && !name.text.starts_with(char::is_uppercase);
                        if env.around != Around::Rule
                            && site
                            && name.text.len() == 1
                            && !self.scope.is_file(name)
                        {
                            return self.label_of_bracket(span, name, entries, env);
                        }
                        return self.missing_ruleset(name);
                    }
                }
            }
        }
        let list = self.expr(head, env);
        let of = match &list.sort {
            Sort::List(of) => (**of).clone(),
            Sort::Unknown => {
                // Marks names in the index as used.
                if let Some(index) = self.single(entries) {
                    self.expect(index, &Sort::Int, env);
                }
                return unknown(span);
            }
            found => {
                let d = error::stands_where(found, list.span, "a list or a ruleset");
                let cell = *found == Sort::Site(SiteKind::GridCell);
                let d = d.help_if(cell.then(|| COORDINATES.to_owned()));
                return self.hole(d);
            }
        };
        match self.single(entries) {
            Some(index) => {
                let index = self.expect(index, &Sort::Int, env);
                expr(span, of, ExprKind::Index(list, index))
            }
            None => self.hole(
                Diagnostic::error(Code::E0204, "a list is indexed by one integer, from 1")
                    .at(span, "")
                    .help("write `l[1]`"),
            ),
        }
    }

    /// Whether the current ruleset defines the name by `let` (or tried to), or it is `heaps`.
    fn is_let(&self, name: &Ident, env: &Env) -> bool {
        env.home.is_some_and(|home| {
            let inside = &self.scope.insides[home.0 as usize];
            inside.lets.contains_key(&name.text) || inside.broken.contains(&name.text)
        }) || &*name.text == "heaps"
    }

    fn label_of_bracket(
        &mut self,
        span: Span,
        name: &Ident,
        entries: &[ast::Entry],
        env: &mut Env,
    ) -> Expr {
        match self.single(entries) {
            Some(index) => {
                let index = self.label(index, env);
                expr(
                    span,
                    Sort::Label,
                    ExprKind::Label(name.text.clone(), vec![index]),
                )
            }
            None => self.unknown_name(name, env, "name"),
        }
    }

    /// A vertex or element by its label: in board literals and in arguments about computed boards, free names are labels.
    pub(super) fn label(&mut self, e: &ast::Expr, env: &mut Env) -> Expr {
        use ast::ExprKind as K;
        let span = e.span;
        let free = |env: &Env, name: &Ident| env.find(&name.text).is_none();
        match &*e.kind {
            // A name of another file cannot name a site.
            K::Name(name) if free(env, name) && !name.text.contains('.') => expr(
                span,
                Sort::Label,
                ExprKind::Label(name.text.clone(), Vec::new()),
            ),
            K::Compact(c) if c.star.is_none() => match downs_as_name(c) {
                Some(name) if env.find(&name).is_none() => expr(
                    span,
                    Sort::Label,
                    ExprKind::Label(name.as_str().into(), Vec::new()),
                ),
                _ => self.expr(e, env),
            },
            K::Paren(inner) => {
                let inner = self.label(inner, env);
                Expr { span, ..inner }
            }
            K::If(phi, a, b) => {
                let phi = self.condition(phi, env);
                let a = self.label(a, env);
                let b = self.label(b, env);
                match unify(&a.sort, &b.sort) {
                    Some(sort) => {
                        let a = self.coerce(a, &sort, env);
                        let b = self.coerce(b, &sort, env);
                        expr(span, sort, ExprKind::If(phi, a, b))
                    }
                    None => self.expr(e, env),
                }
            }
            K::Tuple(parts) => {
                let parts = parts.iter().map(|p| self.label(p, env)).collect();
                self.tuple(span, parts)
            }
            K::Set(parts) => {
                let parts = parts.iter().map(|p| self.label(p, env)).collect();
                expr(span, Sort::Label, ExprKind::Label("".into(), parts))
            }
            K::Call(name, arguments)
                if free(env, name)
                    && !name.text.contains('.')
                    && !matches!(
                        self.scope.named(name),
                        Some(Named::Definition(_) | Named::Broken)
                    )
                    && !self.has_let(name, env) =>
            {
                self.are_plain(name, arguments);
                let arguments = arguments
                    .iter()
                    .map(|a| self.label(&a.value, env))
                    .collect();
                expr(
                    span,
                    Sort::Label,
                    ExprKind::Label(name.text.clone(), arguments),
                )
            }
            K::Bracket(head, entries) => match &*head.kind {
                K::Name(name)
                    if free(env, name)
                        && !name.text.contains('.')
                        && self.scope.named(name).is_none() =>
                {
                    self.label_of_bracket(span, name, entries, env)
                }
                _ => self.expr(e, env),
            },
            _ => self.expr(e, env),
        }
    }

    /// Whether the current ruleset defines this function.
    fn has_let(&self, name: &Ident, env: &Env) -> bool {
        env.home.is_some_and(|h| {
            self.scope.insides[h.0 as usize]
                .lets
                .contains_key(&name.text)
        })
    }

    /// A piece after a colon: of the ruleset if it is known, else by name.
    pub(super) fn piece_by_name(&mut self, e: &ast::Expr, env: &mut Env) -> Expr {
        if let ast::ExprKind::Name(name) = &*e.kind
            && env.find(&name.text).is_none()
        {
            if let Some(found) = self.piece_or_player(name, env) {
                return self.coerce(found, &Sort::Piece, env);
            }
            if env.ruleset().is_none() {
                return expr(
                    e.span,
                    Sort::Piece,
                    ExprKind::Label(name.text.clone(), Vec::new()),
                );
            }
        }
        self.expect(e, &Sort::Piece, env)
    }
}
