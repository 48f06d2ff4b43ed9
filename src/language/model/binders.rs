//! Checks binders: the ranges of `choose`, `for` and quantifiers. A bound name that occurs again is matched.

use super::advice;
use super::checker::{Checker, compatible, element, expr};
use super::error;
use super::scope::{Around, Env, HeapBinder, Hint, Var};
use super::typed::{
    AllSites, Binder, BinderKind, Builtin, Expr, ExprKind, Lines, Place, Ruleset, SiteKind, Slot,
    Sort,
};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::ast::{self, Pattern};
use std::sync::Arc;

/// The context of a list of binders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum List {
    /// After `choose`.
    Choose,
    /// After `for` in a query or an entry of a board.
    For,
    /// In a quantifier, a comprehension, an `each`: names visible before `from` belong to the surrounding scope.
    Inner { from: usize },
}

impl Checker<'_> {
    pub(super) fn binders(
        &mut self,
        binders: &[ast::Binder],
        list: List,
        env: &mut Env,
    ) -> Vec<Binder> {
        let mut found = Vec::new();
        for b in binders {
            if let Some(kind) = self.binder(b, list, env) {
                found.push(Binder { span: b.span, kind });
            }
        }
        found
    }

    fn binder(&mut self, b: &ast::Binder, list: List, env: &mut Env) -> Option<BinderKind> {
        use ast::BinderKind as B;
        match &b.kind {
            B::In(pattern, over) => {
                if let Pattern::Name(name) = pattern {
                    self.boxed_range(name, over);
                }
                let over = self.range(over, env);
                let hint = self.hint_of(&over, env);
                let of = element(&over.sort).unwrap_or(Sort::Unknown);
                let places = self.pattern(pattern, of, hint, list, env);
                Some(BinderKind::In(places, over))
            }
            B::Is(pattern, value) => {
                if let Pattern::Name(name) = pattern {
                    self.whole_range(name, value);
                }
                let value = self.bound_value(value, env);
                let hint = self.hint_of(&value, env);
                match pattern {
                    Pattern::Name(name) => {
                        let sort = value.sort.clone();
                        let cell = env.around == Around::Rule
                            && matches!(sort, Sort::Site(SiteKind::StripCell | SiteKind::GridCell));
                        let place = self.place(name, sort, hint, list, false, env);
                        Some(BinderKind::Is { place, value, cell })
                    }
                    Pattern::Tuple(..) => {
                        // (i, j) = E is (i, j) in {E}.
                        let sort = value.sort.clone();
                        let span = value.span;
                        let over = expr(
                            span,
                            Sort::Set(Box::new(sort.clone())),
                            ExprKind::Elements(vec![value]),
                        );
                        let places = self.pattern(pattern, sort, hint, list, env);
                        Some(BinderKind::In(places, over))
                    }
                }
            }
            B::Site(name) => self.each_site(name, list, env),
            B::Heap(names) => self.each_tuple(names, b.span, list, env),
            B::Edge(name) => {
                let Some(rules) = self.board_here(b.span, "edge e", env) else {
                    self.place(name, Sort::Unknown, Hint::default(), list, false, env);
                    return None;
                };
                if !rules.board.has_edges() {
                    self.no_such_sites(b.span, "edges", &rules);
                    self.place(name, Sort::Unknown, Hint::default(), list, false, env);
                    return None;
                }
                let sort = Sort::Site(SiteKind::Edge);
                let place = self.place(name, sort, Hint::default(), list, false, env);
                Some(BinderKind::Edges(place))
            }
            B::Piece(name) => {
                let Some(rules) = self.board_here(b.span, "piece c", env) else {
                    self.place(name, Sort::Unknown, Hint::default(), list, false, env);
                    return None;
                };
                if rules.pieces.is_empty() && rules.pieces_range.is_none() {
                    self.report(
                        Diagnostic::error(
                            Code::E0220,
                            format!("{} has no pieces to choose from", rules.name),
                        )
                        .at(b.span, "")
                        .suggest_if(self.pieces_clause_meant(&rules, env)),
                    );
                }
                let place = self.place(name, Sort::Piece, Hint::default(), list, false, env);
                Some(BinderKind::Pieces(place))
            }
            B::Function {
                name,
                argument,
                over,
                values,
            } => self.function(name, argument, over, values, list, env),
            B::Arc(u, v) => self.joined(u, v, true, b.span, list, env),
            B::Line(u, v) => self.joined(u, v, false, b.span, list, env),
        }
    }

    /// `u -> v`, `u -- v`.
    fn joined(
        &mut self,
        u: &Ident,
        v: &Ident,
        arc: bool,
        span: Span,
        list: List,
        env: &mut Env,
    ) -> Option<BinderKind> {
        let written = if arc { "u -> v" } else { "u -- v" };
        let Some(rules) = self.board_here(span, written, env) else {
            for name in [u, v] {
                self.place(name, Sort::Unknown, Hint::default(), list, true, env);
            }
            return None;
        };
        let lines = rules.board.lines();
        let fits = lines == if arc { Lines::Arcs } else { Lines::Edges };
        let sort = if rules.board.has_edges() {
            Sort::Site(SiteKind::Vertex)
        } else {
            Sort::Unknown
        };
        if !fits {
            let d = Diagnostic::error(
                Code::E0301,
                format!(
                    "there are no {} on {}",
                    if arc { "arcs" } else { "edges" },
                    error::board(rules.board)
                ),
            )
            .at(
                span,
                format!("{} is played on {}", rules.name, error::board(rules.board)),
            );
            self.report(match lines {
                Lines::Edges => {
                    let text = format!("{} -- {}", u.text, v.text);
                    d.note("arcs belong to `board digraph`").suggest(instead(
                        span,
                        text,
                        "edges of a graph are",
                    ))
                }
                Lines::Arcs => {
                    let text = format!("{} -> {}", u.text, v.text);
                    d.suggest(instead(span, text, "arcs of a digraph are"))
                }
                Lines::None if rules.board.has_cells() => {
                    let first = env.find(&u.text).is_none();
                    let names = if first {
                        format!("{}, ", u.text)
                    } else {
                        String::new()
                    };
                    let text = format!("{names}{} in nbrs({})", v.text, u.text);
                    d.suggest(instead(span, text, "neighbouring cells are").safe())
                }
                Lines::Order => d.help(format!("elements above `{0}` are `up({0})`", u.text)),
                Lines::None => d,
            });
        }
        let a = self.place(u, sort.clone(), Hint::default(), list, true, env);
        let b = self.place(v, sort, Hint::default(), list, true, env);
        Some(if arc {
            BinderKind::Arcs(a, b)
        } else {
            BinderKind::Lines(a, b)
        })
    }

    /// `t(x in S) in E` is `t in Functions([[(x, v) for v in E] for x in S])`: a function is represented by the set of
    /// its pairs.
    fn function(
        &mut self,
        name: &Ident,
        argument: &Ident,
        over: &ast::Expr,
        values: &ast::Expr,
        list: List,
        env: &mut Env,
    ) -> Option<BinderKind> {
        let mut over = self.range(over, env);
        if matches!(over.sort, Sort::List(_)) {
            let d = error::stands_where(&over.sort, over.span, "a set");
            over = self.hole(d.note("a function has one value at each element of a set"));
        }
        let x_hint = self.hint_of(&over, env);
        let from = element(&over.sort).unwrap_or(Sort::Unknown);
        let depth = env.visible.len();
        let x = self.declare(argument, from.clone(), x_hint, env, false);
        env.slots[x as usize].lint = false;
        let values = self.range(values, env);
        let to = element(&values.sort).unwrap_or(Sort::Unknown);
        let value = Ident::new(&format!("{}({})", name.text, argument.text), values.span);
        let v = env.push(Var {
            name: value.text.clone(),
            span: value.span,
            sort: to.clone(),
            hint: Hint::default(),
            parameter: false,
            used: true,
            lint: false,
        });
        env.leave(depth);
        let span = name.span;
        let slot = |slot: u32, sort: &Sort| expr(span, sort.clone(), ExprKind::Slot(Slot(slot)));
        let each = |slot: u32, over: Expr| Binder {
            span: over.span,
            kind: BinderKind::In(vec![Place::New(Slot(slot))], over),
        };
        let list_of = |of: &Sort| Sort::List(Box::new(of.clone()));
        let pair_sort = Sort::Tuple(vec![from.clone(), to.clone()]);
        let pair = ExprKind::Tuple(vec![slot(x, &from), slot(v, &to)]);
        let pair = expr(span, pair_sort.clone(), pair);
        let row_sort = list_of(&pair_sort);
        let row = ExprKind::For(pair, vec![each(v, values)], None);
        let row = expr(span, row_sort.clone(), row);
        let rows = ExprKind::For(row, vec![each(x, over)], None);
        let rows = expr(span, list_of(&row_sort), rows);
        let function = Sort::Set(Box::new(pair_sort));
        let all = Sort::Set(Box::new(function.clone()));
        let all = expr(span, all, ExprKind::Builtin(Builtin::Functions, vec![rows]));
        if env.find(&name.text).is_some() {
            self.bound_again(name, env);
            return None;
        }
        let place = self.place(name, function, Hint::default(), list, false, env);
        Some(BinderKind::In(vec![place], all))
    }

    /// The set or list that a binder ranges over.
    fn range(&mut self, over: &ast::Expr, env: &mut Env) -> Expr {
        let found = self.expr(over, env);
        if element(&found.sort).is_some() {
            return found;
        }
        let mut d = error::stands_where(&found.sort, found.span, "a set or a list");
        d = match &found.sort {
            Sort::Int => d
                .suggest(Suggestion::before(
                    found.span,
                    "1..",
                    "a range is written `1..n`",
                ))
                .note("a set of one is written `{n}`"),
            Sort::Board | Sort::Position => {
                d.help("its sites are `vertices(G)`, `edges(G)`, `cells(G)`, `points(G)`")
            }
            Sort::Direction => d.help("one cell further: `b = a + d`; on and on: `b in ray(a, d)`"),
            Sort::Site(_) | Sort::Player | Sort::Piece => d.help("to name one thing: `x = ..`"),
            _ => d.suggest_if(advice::as_set(&found)),
        };
        self.hole(d)
    }

    /// The value of `x = E`. On a grid a pair of integers is a cell.
    fn bound_value(&mut self, value: &ast::Expr, env: &mut Env) -> Expr {
        let value = self.expr(value, env);
        let grid =
            env.around == Around::Rule && self.rules(env).is_some_and(|r| r.board.has_rows());
        match &value.sort {
            Sort::Tuple(parts)
                if grid && parts.len() == 2 && parts.iter().all(|p| compatible(p, &Sort::Int)) =>
            {
                self.coerce(value, &Sort::Site(SiteKind::GridCell), env)
            }
            _ => value,
        }
    }

    /// `x` alone: each site of the board.
    fn each_site(&mut self, name: &Ident, list: List, env: &mut Env) -> Option<BinderKind> {
        let rules = match (env.around, env.home) {
            (Around::Rule, Some(home)) => self.ruleset(home),
            _ => {
                self.report(
                    Diagnostic::error(
                        Code::E0220,
                        format!("nothing says what `{}` ranges over", name.text),
                    )
                    .at(name.span, "there is no board here")
                    .suggest(Suggestion::after(
                        name.span,
                        " in 1..9",
                        format!("give its range: `{} in 1..9`", name.text),
                    )),
                );
                self.place(name, Sort::Unknown, Hint::default(), list, false, env);
                return None;
            }
        };
        if let Some(k) = rules.board.heap_of() {
            if k != 1 {
                let fields: Vec<&str> = rules.heap_fields.iter().map(|f| &**f).collect();
                self.report(
                    Diagnostic::error(
                        Code::E0220,
                        format!("a heap of {} is a tuple of {k}", rules.name),
                    )
                    .at(name.span, "one name is not enough")
                    .suggest(instead(
                        name.span,
                        format!("({})", fields.join(", ")),
                        "all of it is chosen:",
                    )),
                );
                self.place(name, Sort::Unknown, Hint::default(), list, false, env);
                return None;
            }
            return self.heap(std::slice::from_ref(name), name.span, list, env);
        }
        let Some(kind) = rules.board.site() else {
            self.report(
                Diagnostic::error(
                    Code::E0220,
                    format!("nothing says what `{}` ranges over", name.text),
                )
                .at(name.span, format!("{} has no board", rules.name))
                .suggest(Suggestion::after(
                    name.span,
                    " in 1..m",
                    format!("give its range: `{} in 1..m`", name.text),
                )),
            );
            self.place(name, Sort::Unknown, Hint::default(), list, false, env);
            return None;
        };
        if env.find(&name.text).is_some() {
            self.bound_again(name, env);
            return None;
        }
        let place = self.place(name, Sort::Site(kind), Hint::default(), list, false, env);
        Some(BinderKind::Sites(place, kind))
    }

    /// `(m, n)`: each heap, where heaps are tuples; on a grid each cell by row and column.
    fn each_tuple(
        &mut self,
        names: &[Ident],
        span: Span,
        list: List,
        env: &mut Env,
    ) -> Option<BinderKind> {
        let rules = self.board_here(span, "(m, n)", env)?;
        let board = rules.board;
        match board.heap_of() {
            Some(k) if usize::from(k) == names.len() => self.heap(names, span, list, env),
            None if board.has_rows() && names.len() == 2 => {
                let cell = Sort::Site(SiteKind::GridCell);
                let all = expr(
                    span,
                    Sort::Set(Box::new(cell)),
                    ExprKind::Builtin(Builtin::AllSites(AllSites::Cells), Vec::new()),
                );
                let places = names
                    .iter()
                    .map(|n| self.place(n, Sort::Int, Hint::default(), list, true, env))
                    .collect();
                Some(BinderKind::In(places, all))
            }
            heap_of => {
                let d = Diagnostic::error(
                    Code::E0220,
                    format!(
                        "{} of names fits no heap or cell of {}",
                        error::count(names.len(), "tuple"),
                        rules.name
                    ),
                )
                .at(span, "");
                self.report(match heap_of {
                    Some(1) => d.help("heaps of pairs are declared by `board heaps (m, n)`; two plain heaps are `choose m, n`"),
                    Some(k) => d.help(format!("its heaps are tuples of {k}")),
                    None if board.has_rows() => d.help("a cell is `(row, column)`"),
                    None => d.help(format!("its sites are chosen by one name each; {} is played on {}", rules.name, error::board(board))),
                });
                for n in names {
                    self.place(n, Sort::Unknown, Hint::default(), list, true, env);
                }
                None
            }
        }
    }

    fn heap(
        &mut self,
        names: &[Ident],
        span: Span,
        list: List,
        env: &mut Env,
    ) -> Option<BinderKind> {
        let places: Vec<Place> = names
            .iter()
            .map(|n| self.place(n, Sort::Int, Hint::default(), list, true, env))
            .collect();
        if list != List::Choose {
            self.report(
                Diagnostic::error(Code::E0220, "heaps are chosen by `choose` only")
                    .at(span, "a quantifier does not range over the heaps"),
            );
            return None;
        }
        let heap = u32::try_from(env.heaps.len()).unwrap_or(u32::MAX);
        env.heaps.push(HeapBinder {
            names: names.iter().map(|n| n.text.clone()).collect(),
        });
        Some(BinderKind::Heap { heap, places })
    }

    /// The ruleset whose board a binder ranges over; reports if there is none.
    fn board_here(&mut self, span: Span, written: &str, env: &Env) -> Option<Arc<Ruleset>> {
        if let (Around::Rule, Some(home)) = (env.around, env.home) {
            return Some(self.ruleset(home));
        }
        let help = match written {
            "u -> v" => "arcs of a board are `e in arcs(G)`, where they lead `v in out(G, u)`",
            "u -- v" => "edges of a board are `e in edges(G)`, neighbours `v in nbrs(G, u)`",
            "edge e" => "edges of a board are `e in edges(G)`",
            "piece c" => "pieces of a position are `c in pieces(G)`",
            _ => "a tuple of names takes a range: `(i, j) in cells(G)`",
        };
        self.report(
            Diagnostic::error(
                Code::E0220,
                format!("`{written}` ranges over a board, and here there is none"),
            )
            .at(span, "of which board?")
            .help(help),
        );
        None
    }

    fn no_such_sites(&mut self, span: Span, what: &str, rules: &Ruleset) {
        self.report(
            Diagnostic::error(
                Code::E0301,
                format!("there are no {what} on {}", error::board(rules.board)),
            )
            .at(
                span,
                format!("{} is played on {}", rules.name, error::board(rules.board)),
            ),
        );
    }

    /// The places of a pattern.
    fn pattern(
        &mut self,
        pattern: &Pattern,
        of: Sort,
        hint: Hint,
        list: List,
        env: &mut Env,
    ) -> Vec<Place> {
        match pattern {
            Pattern::Name(name) => vec![self.place(name, of, hint, list, false, env)],
            Pattern::Tuple(names, span) => {
                let parts: Vec<Sort> = match &of {
                    Sort::Tuple(parts) if parts.len() == names.len() => parts.clone(),
                    Sort::Site(SiteKind::GridCell) if names.len() == 2 => {
                        vec![Sort::Int, Sort::Int]
                    }
                    Sort::Unknown
                    | Sort::Label
                    | Sort::Site(SiteKind::Vertex | SiteKind::Element) => {
                        vec![Sort::Unknown; names.len()]
                    }
                    other => {
                        let mut d = Diagnostic::error(
                            Code::E0203,
                            format!("{} is not a tuple of {}", error::a(other), names.len()),
                        )
                        .at(*span, "this pattern does not fit");
                        if *other == Sort::Site(SiteKind::Edge) {
                            d = d.help("the ends of edges: `u -- v`, `u -> v`, or `v in ends(e)`");
                        }
                        self.report(d);
                        vec![Sort::Unknown; names.len()]
                    }
                };
                names
                    .iter()
                    .zip(parts)
                    .map(|(n, sort)| self.place(n, sort, hint, list, true, env))
                    .collect()
            }
        }
    }

    /// A name of a binder: new, or bound before and matched.
    fn place(
        &mut self,
        name: &Ident,
        sort: Sort,
        hint: Hint,
        list: List,
        in_pattern: bool,
        env: &mut Env,
    ) -> Place {
        let Some(slot) = env.find(&name.text) else {
            let slot = self.declare(name, sort, hint, env, false);
            if in_pattern {
                // A name in a pattern may be unused.
                env.slots[slot as usize].lint = false;
            }
            return Place::New(Slot(slot));
        };
        let outer = match list {
            List::Inner { from } => env.visible[from.min(env.visible.len())..]
                .binary_search(&slot)
                .is_err(),
            List::Choose | List::For => false,
        };
        let var = &env.slots[slot as usize];
        if !in_pattern && (outer || var.parameter) {
            if var.parameter {
                let name_ = name.text.clone();
                self.report(
                    Diagnostic::error(
                        Code::E0205,
                        format!("`{name_}` is a parameter and cannot be a variable"),
                    )
                    .at(name.span, "bound here")
                    .help("take another name"),
                );
            } else {
                self.bound_again(name, env);
            }
            return Place::Same(Slot(slot));
        }
        if super::checker::unify(&var.sort, &sort).is_none() {
            let d = Diagnostic::error(
                Code::E0221,
                format!(
                    "`{}` is {}, and cannot match {}",
                    name.text,
                    error::a(&var.sort),
                    error::a(&sort)
                ),
            )
            .at(name.span, "bound again")
            .at(var.span, "bound here")
            .help("take another name");
            self.report(d);
        }
        env.slots[slot as usize].used = true;
        Place::Same(Slot(slot))
    }

    fn bound_again(&mut self, name: &Ident, env: &Env) {
        let first = env.var(&name.text).map(|v| v.span);
        let mut d = Diagnostic::error(Code::E0221, format!("`{}` is bound already", name.text))
            .at(name.span, "bound again");
        if let Some(first) = first {
            d = d.at(first, "bound here");
        }
        self.report(d.help("take another name; to test what is bound write a condition: `x in S`"));
    }

    /// Lints: unused variables.
    pub(super) fn unused(&mut self, depth: usize, env: &Env) {
        for slot in &env.visible[depth.min(env.visible.len())..] {
            let var = &env.slots[*slot as usize];
            if var.used || !var.lint || var.parameter || var.name.starts_with('_') {
                continue;
            }
            self.report(
                Diagnostic::warning(Code::W0801, format!("nothing uses `{}`", var.name))
                    .at(var.span, "bound here")
                    .suggest(underscored(var.span, &var.name)),
            );
        }
    }

    /// Lints: unused parameters.
    pub(super) fn unused_parameters(&mut self, depth: usize, of: &Ident, env: &Env) {
        for slot in &env.visible[depth.min(env.visible.len())..] {
            let var = &env.slots[*slot as usize];
            if var.used || !var.parameter || !var.lint || var.name.starts_with('_') {
                continue;
            }
            self.report(
                Diagnostic::warning(
                    Code::W0802,
                    format!("`{}` does not use its parameter `{}`", of.text, var.name),
                )
                .at(var.span, "this parameter")
                .suggest(underscored(var.span, &var.name)),
            );
        }
    }
}

/// Replaces a binder.
fn instead(span: Span, text: String, what: &str) -> Suggestion {
    let message = format!("{what} `{text}`");
    Suggestion::replace(span, text, message)
}

/// Prefixes a name to mark it as unused.
pub(super) fn underscored(span: Span, name: &str) -> Suggestion {
    let message = format!("leave it out, or begin its name with `_`: `_{name}`");
    Suggestion::before(span, "_", message)
}
