//! Checks position and board literals: `Ruleset(arguments)[entries]`, `graph { .. }`. The kind of board determines the
//! possible entries: art, heaps, chains of vertices or elements, computed boards, fields of the state.

use super::binders::List;
use super::checker::{Checker, expr};
use super::error;
use super::lints;
use super::scope::{Env, Hint, Named};
use super::typed::{
    AllSites, Binder, BinderKind, BoardEntry, BoardKind, BoardLiteral, Builtin, Expr, ExprKind,
    Field, Form, Op, Place, PositionLiteral, Ruleset, RulesetId, Slot, Sort,
};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, Suggestion, meant};
use crate::syntax::ast::{self, Argument, Entry, ExprKind as K, Link, Node, Tag};
use crate::syntax::printer::print_entries;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A checked entry.
pub(super) enum Found {
    Entries(Vec<BoardEntry>),
    Field(Field),
    Nothing,
}

/// The literal that contains an entry.
struct Literal<'l> {
    entries: &'l [Entry],
    kind: BoardKind,
    rules: Option<&'l Arc<Ruleset>>,
    /// See [`Literal::declares`].
    declared: OnceCell<BTreeSet<&'l str>>,
}

impl Literal<'_> {
    /// Whether the name is that of a site: of the root, or of a site that an entry without a guard contains and does not
    /// bind.
    fn declares(&self, name: &str) -> bool {
        let all = self.declared.get_or_init(|| {
            let mut all = BTreeSet::new();
            all.extend(self.rules.and_then(|r| r.root.as_deref()));
            for e in self.entries {
                if e.binders.is_empty() && e.condition.is_some() {
                    continue;
                }
                let mut bound = BTreeSet::new();
                bound.extend(e.binders.iter().flat_map(|b| b.names()).map(|n| &*n.text));
                let is_field = |node: &Node| match (&node.tag, &*node.expr.kind) {
                    (Some(Tag::Value(_)), _) => true,
                    (Some(Tag::Pieces(_)), K::Name(name)) => self
                        .rules
                        .is_some_and(|r| r.state.iter().any(|s| s.name == name.text)),
                    _ => false,
                };
                let heads = std::iter::once(&e.first).chain(&e.more);
                for node in heads.chain(e.links.iter().map(|l| &l.1)) {
                    if let K::Name(name) = &*node.expr.kind
                        && !bound.contains(&*name.text)
                        && !is_field(node)
                    {
                        all.insert(&*name.text);
                    }
                }
            }
            all
        });
        all.contains(name)
    }
}

impl Checker<'_> {
    /// `Ruleset(arguments)[entries]`.
    pub(super) fn position(
        &mut self,
        id: RulesetId,
        name: &Ident,
        arguments: &[Argument],
        entries: &[Entry],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        let rules = self.ruleset(id);
        if rules.broken {
            return self.uses_broken(name);
        }
        let arguments = self.ruleset_arguments(&rules, name, arguments, span, env);
        let literal = self.literal(id, arguments, entries, span, env);
        expr(span, Sort::Position, ExprKind::Position(Box::new(literal)))
    }

    /// The arguments of a ruleset.
    pub(super) fn ruleset_arguments(
        &mut self,
        rules: &Ruleset,
        name: &Ident,
        arguments: &[Argument],
        span: Span,
        env: &mut Env,
    ) -> Vec<Expr> {
        let mut given: Vec<Option<&ast::Expr>> = vec![None; rules.parameters.len()];
        let mut next = 0;
        for a in arguments {
            let place = match &a.name {
                Some(called) => rules.parameters.iter().position(|p| p.name == called.text),
                None => {
                    next += 1;
                    Some(next - 1)
                }
            };
            match place.and_then(|i| given.get_mut(i)) {
                Some(place) if place.is_none() => *place = Some(&a.value),
                _ => {
                    let known: Vec<&str> = rules.parameters.iter().map(|p| &*p.name).collect();
                    let what = match &a.name {
                        Some(called) if !known.contains(&&*called.text) => {
                            format!("{} has no parameter `{}`", rules.name, called.text)
                        }
                        Some(called) => format!("`{}` is given twice", called.text),
                        None => format!(
                            "{} takes {}, not {}",
                            rules.name,
                            error::count(known.len(), "argument"),
                            arguments.len()
                        ),
                    };
                    self.report(
                        Diagnostic::error(Code::E0204, what)
                            .at(a.value.span, "this one is too many")
                            .at(rules.span, "defined here"),
                    );
                }
            }
        }
        let mut found = Vec::new();
        for (p, e) in rules.parameters.iter().zip(given) {
            let Some(e) = e else {
                let names: Vec<&str> = rules.parameters.iter().map(|p| &*p.name).collect();
                self.report(
                    Diagnostic::error(
                        Code::E0204,
                        format!(
                            "{} needs its parameter `{}`, {}",
                            rules.name,
                            p.name,
                            error::a(&p.sort)
                        ),
                    )
                    .at(
                        if arguments.is_empty() {
                            name.span
                        } else {
                            span
                        },
                        "an argument is missing",
                    )
                    .help(format!(
                        "write `{}({})[..]`",
                        rules.name,
                        names.join(", ")
                    )),
                );
                found.push(self.missing(name.span));
                continue;
            };
            let e = self.expect(e, &p.sort, env);
            if p.natural
                && let ExprKind::Negative(_) = &*e.kind
            {
                self.report(
                    Diagnostic::error(
                        Code::E0203,
                        format!("`{}` of {} is not negative", p.name, rules.name),
                    )
                    .at(e.span, "a nat is expected"),
                );
            }
            found.push(e);
        }
        lints::zero_given(self, rules, &found);
        found
    }

    fn missing(&self, span: Span) -> Expr {
        super::checker::unknown(span)
    }

    /// Checks the board and the fields of a position.
    pub(super) fn literal(
        &mut self,
        id: RulesetId,
        arguments: Vec<Expr>,
        entries: &[Entry],
        span: Span,
        env: &mut Env,
    ) -> PositionLiteral {
        let rules = self.ruleset(id);
        let outer = (env.hint, env.literal);
        env.hint = Hint {
            ruleset: Some(id),
            ..Hint::default()
        };
        env.literal = Some(rules.board);
        let mut fields = Vec::new();
        let mut found = Vec::new();
        self.entries(
            entries,
            rules.board,
            Some(&rules),
            &mut found,
            &mut fields,
            env,
        );
        (env.hint, env.literal) = outer;
        if rules.board.form() != Form::Scalars
            && !rules.board.has_heaps()
            && found.is_empty()
            && entries.is_empty()
            && rules.board.form() != Form::Chains
        {
            self.report(
                Diagnostic::error(
                    Code::E0302,
                    format!("the board of {} is missing", rules.name),
                )
                .at(span, format!("it is {}", error::board(rules.board)))
                .help(format!(
                    "`{}{}`",
                    rules.name,
                    rules.board.descriptor().example
                )),
            );
        }
        PositionLiteral {
            ruleset: id,
            arguments,
            board: BoardLiteral {
                span,
                kind: rules.board,
                entries: found,
            },
            fields,
        }
    }

    /// `graph { .. }`: a board without a ruleset.
    pub(super) fn bare_board(
        &mut self,
        span: Span,
        kind: &Ident,
        entries: &[Entry],
        env: &mut Env,
    ) -> Expr {
        let heap_of = match entries.first().map(|e| &*e.first.expr.kind) {
            Some(K::Tuple(parts)) => parts.len(),
            _ => 1,
        };
        let Some(kind) = BoardKind::named(&kind.text, heap_of) else {
            let other = &kind.text;
            if super::builtins::find(other).is_some() {
                return self.hole(
                    Diagnostic::error(
                        Code::E0301,
                        format!("`{other}` is a function, and no kind of board"),
                    )
                    .at(kind.span, "its argument stands in parentheses")
                    .help(format!("write `{other}({{..}})`")),
                );
            }
            if let Some(Named::Ruleset(_)) = self.scope.named(kind) {
                let d = Diagnostic::error(
                    Code::E0301,
                    format!("`{other}` is a ruleset, and no kind of board"),
                );
                let d = d.at(kind.span, "a position has square brackets");
                return self.hole(d.suggest(in_square_brackets(kind, entries, span)));
            }
            let kinds = super::builtins::names_of(super::builtins::What::BoardKind);
            return self.hole(
                Diagnostic::error(Code::E0301, format!("`{other}` is not a kind of board"))
                    .at(kind.span, "unknown kind")
                    .suggest_if(meant(kind, kinds)),
            );
        };
        let outer = env.literal.replace(kind);
        let mut fields = Vec::new();
        let mut found = Vec::new();
        self.entries(entries, kind, None, &mut found, &mut fields, env);
        env.literal = outer;
        let board = BoardLiteral {
            span,
            kind,
            entries: found,
        };
        expr(span, Sort::Board, ExprKind::Board(board))
    }

    fn entries(
        &mut self,
        entries: &[Entry],
        kind: BoardKind,
        rules: Option<&Arc<Ruleset>>,
        found: &mut Vec<BoardEntry>,
        fields: &mut Vec<Field>,
        env: &mut Env,
    ) {
        found.reserve(entries.len());
        let literal = Literal {
            entries,
            kind,
            rules,
            declared: OnceCell::new(),
        };
        for e in entries {
            let depth = env.visible.len();
            let slots = env.size();
            match self.entry(e, &literal, slots, env) {
                Found::Entries(more) => found.extend(more),
                Found::Field(field) => fields.push(field),
                Found::Nothing => {}
            }
            env.leave(depth);
        }
        if kind.has_cells()
            && let [_, second, ..] = &found[..]
        {
            let d = Diagnostic::error(
                Code::E0302,
                "a grid or strip is one drawing or one constructor",
            );
            let d = d.at(second.span, "this is a second one");
            self.report(d.suggest_if(rows_as_strings(entries, kind)));
        }
    }

    fn entry(&mut self, e: &Entry, literal: &Literal<'_>, slots: u32, env: &mut Env) -> Found {
        let Literal { kind, rules, .. } = *literal;
        let computed = !e.binders.is_empty() || e.condition.is_some();
        if computed && kind.has_cells() {
            self.report(if e.first.tag.is_some() && rules.is_some() {
                computed_field(e.span)
            } else {
                Diagnostic::error(
                    Code::E0302,
                    "a strip or grid is one drawing: nothing in it is repeated or left out",
                )
                .at(e.span, "this has a `for` or a `where`")
                .help("write the drawing alone; a condition on it belongs in the claim: `for .. where ..`")
            });
            return Found::Nothing;
        }
        let mut binders = self.binders(&e.binders, List::For, env);
        if e.binders.is_empty() && e.condition.is_some() {
            binders = self.free_binders(e, literal, env);
        }
        let heads = std::iter::once(&e.first).chain(&e.more);
        if let Some(rules) = rules
            && e.links.is_empty()
            && let Some(target) = heads
                .clone()
                .find_map(|node| self.field_target(node, rules, kind, env))
        {
            // Several heads share a `for` or a `where`.
            if computed || !e.more.is_empty() {
                self.report(computed_field(e.span));
                return Found::Nothing;
            }
            return match target {
                Some(target) => self.field(e, target, rules, env),
                None => Found::Nothing,
            };
        }
        let condition = e.condition.as_ref().map(|c| {
            let outer = env.literal.take();
            let c = self.condition(c, env);
            env.literal = outer;
            c
        });
        if e.binders.is_empty() {
            self.unguarded(e, &binders, env);
        }
        let mut found = Vec::with_capacity(1 + e.more.len());
        let count = 1 + e.more.len();
        for (i, node) in heads.enumerate() {
            let links: &[(Link, Node)] = if i + 1 == count { &e.links } else { &[] };
            if let Some(kind) = self.head(node, links, e, kind, rules, env) {
                found.push(BoardEntry {
                    span: e.span,
                    binders: binders.clone(),
                    condition: condition.clone(),
                    kind,
                    slots,
                });
            }
        }
        Found::Entries(found)
    }

    /// In an entry with `where` but no `for`, free names range over the elements, except names of sites in other entries.
    fn free_binders(&mut self, e: &Entry, literal: &Literal<'_>, env: &mut Env) -> Vec<Binder> {
        let kind = literal.kind;
        let Some(site) = kind.site() else {
            return Vec::new();
        };
        let mut binders = Vec::new();
        let nodes = std::iter::once(&e.first)
            .chain(&e.more)
            .chain(e.links.iter().map(|(_, n)| n));
        for node in nodes {
            let span = node.expr.span;
            match &*node.expr.kind {
                K::Name(name) if literal.declares(&name.text) => {}
                K::Name(name) if env.find(&name.text).is_none() => {
                    let slot = self.declare(name, Sort::Label, Hint::default(), env, false);
                    env.slots[slot as usize].lint = false;
                    binders.push(Binder {
                        span,
                        kind: BinderKind::Sites(Place::New(Slot(slot)), site),
                    });
                }
                K::Tuple(parts)
                    if parts
                        .iter()
                        .all(|p| matches!(&*p.kind, K::Name(n) if env.find(&n.text).is_none())) =>
                {
                    let sorts = self.tuple_sorts(literal.entries, parts.len(), env);
                    let mut places = Vec::new();
                    for (part, sort) in parts.iter().zip(sorts) {
                        if let K::Name(name) = &*part.kind {
                            let place = match env.find(&name.text) {
                                Some(slot) => Place::Same(Slot(slot)),
                                None => {
                                    let slot =
                                        self.declare(name, sort, Hint::default(), env, false);
                                    env.slots[slot as usize].lint = false;
                                    Place::New(Slot(slot))
                                }
                            };
                            places.push(place);
                        }
                    }
                    let set = if kind.is_order() {
                        AllSites::Points
                    } else {
                        AllSites::Vertices
                    };
                    let over = expr(
                        span,
                        Sort::Set(Box::new(Sort::Label)),
                        ExprKind::Builtin(Builtin::AllSites(set), Vec::new()),
                    );
                    binders.push(Binder {
                        span,
                        kind: BinderKind::In(places, over),
                    });
                }
                _ => {}
            }
        }
        binders
    }

    /// Reports a free name of a guarded entry that the guard does not mention: it could mean a new site, or all sites.
    fn unguarded(&mut self, e: &Entry, binders: &[Binder], env: &Env) {
        for binder in binders {
            let BinderKind::Sites(Place::New(slot), _) = &binder.kind else {
                continue;
            };
            let var = &env.slots[slot.0 as usize];
            if var.used {
                continue;
            }
            let (name, guard) = (&var.name, e.condition.as_ref().map_or(e.span, |c| c.span));
            self.report(
                Diagnostic::error(
                    Code::E0307,
                    format!("`{name}` is the name of one site here, or stands for all of them"),
                )
                .at(binder.span, "no other entry names this site")
                .at(guard, "and the condition does not mention it")
                .help(format!(
                    "one site: name it in an entry of its own, `{name};`"
                ))
                .help(format!(
                    "each site in its turn: mention it in the condition, as in `{name} != ..`"
                )),
            );
        }
    }

    /// The sorts of the components of elements that are tuples of length `width`, from the entries that list them.
    fn tuple_sorts(&mut self, all: &[Entry], width: usize, env: &Env) -> Vec<Sort> {
        for e in all {
            if e.binders.is_empty() {
                continue;
            }
            for node in std::iter::once(&e.first).chain(&e.more) {
                if let K::Tuple(parts) = &*node.expr.kind
                    && parts.len() == width
                {
                    return parts
                        .iter()
                        .map(|p| match &*p.kind {
                            // As far as can be seen, bound there by a range of integers.
                            K::Name(n) => e
                                .binders
                                .iter()
                                .find_map(|b| match &b.kind {
                                    ast::BinderKind::In(ast::Pattern::Name(x), over)
                                        if x.text == n.text =>
                                    {
                                        super::checker::element(&self.guess(over, env))
                                    }
                                    _ => None,
                                })
                                .unwrap_or(Sort::Unknown),
                            _ => self.guess(p, env),
                        })
                        .collect();
                }
            }
        }
        vec![Sort::Unknown; width]
    }

    /// Reports a computed board of the wrong kind, where the kind can be determined.
    pub(super) fn fits(&mut self, board: &Expr, kind: BoardKind, rules: Option<&Arc<Ruleset>>) {
        let Some(found) = Self::kind_of(board) else {
            return;
        };
        if found.iter().any(|f| f.fits(kind)) {
            return;
        }
        let played = rules.map_or("the board".to_string(), |r| {
            format!("{} is played on", r.name)
        });
        let mut d = Diagnostic::error(
            Code::E0301,
            format!(
                "{} stands where {} is expected",
                error::board(found[0]),
                error::board(kind)
            ),
        )
        .at(board.span, format!("this is {}", error::board(found[0])));
        if rules.is_some() {
            d = d.note(format!("{played} {}", error::board(kind)));
        }
        let help = kind.descriptor().constructors;
        if !help.is_empty() {
            d = d.help(help);
        }
        self.report(d);
    }

    /// The kinds that a computed board may have, where they can be determined.
    fn kind_of(board: &Expr) -> Option<Vec<BoardKind>> {
        match &*board.kind {
            ExprKind::Board(b) => Some(vec![b.kind]),
            ExprKind::Builtin(Builtin::Construct(c), _) => Some(c.kinds().to_vec()),
            ExprKind::Binary(Op::Over, ..) => Some(vec![BoardKind::Poset]),
            ExprKind::Binary(Op::Add, a, b) => Self::kind_of(a).or_else(|| Self::kind_of(b)),
            ExprKind::Binary(Op::Place, a, _) => Self::kind_of(a),
            _ => None,
        }
    }
}

/// Rewrites `["x..", "..."]`, the rows of a grid as strings of their own, as one drawing.
fn rows_as_strings(entries: &[Entry], kind: BoardKind) -> Option<Suggestion> {
    let rows: Option<Vec<&str>> = entries
        .iter()
        .map(|e| match &*e.first.expr.kind {
            K::Text(row) if !row.value.contains(['\n', '"', '\\']) => Some(&*row.value),
            _ => None,
        })
        .collect();
    let (first, last) = (entries.first()?, entries.last()?);
    let text = format!("\"{}\"", rows?.join("|"));
    let message = format!("the rows of a drawing stand in one string: `{text}`");
    let fix = Suggestion::replace(first.span.to(last.span), text, message).safe();
    kind.has_rows().then_some(fix)
}

/// Rewrites `Nim{3, 5}` with square brackets.
fn in_square_brackets(name: &Ident, entries: &[Entry], span: Span) -> Suggestion {
    let text = print_entries(entries);
    let message = format!("write `{}[{text}]`", name.text);
    let place = Span {
        start: name.span.end,
        ..span
    };
    Suggestion::replace(place, format!("[{text}]"), message).safe()
}

/// The error for a field with `for` or `where`.
fn computed_field(span: Span) -> Diagnostic {
    Diagnostic::error(
        Code::E0303,
        "a field stands for itself, without `for` and `where`",
    )
    .at(span, "")
    .help("give each site a field of its own, `at(a): x, at(b): x`, or a whole state function in board order: `f: [E for v in ..]`")
}
