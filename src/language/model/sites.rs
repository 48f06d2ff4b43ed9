//! Checks functions of a board's sites: `vertices`, `nbrs(v)`, `up(x)`, `ray(a, D)`. They apply to the current position
//! or to a board given as the first argument, and only to kinds of boards that support them.

use super::builtins;
use super::checker::{Checker, compatible, expr, set, unknown};
use super::error;
use super::scope::{Around, Env};
use super::typed::{
    AllSites, Builtin, Drawn, Expr, ExprKind, Lines, Ruleset, SiteKind, SitesFrom, Sort,
};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::ast;
use std::sync::Arc;

/// The error for a function that this kind of board does not support.
fn on_wrong_board(name: &Ident, rules: &Ruleset, span: Span) -> Diagnostic {
    let board = error::board(rules.board);
    let text = &name.text;
    Diagnostic::error(Code::E0301, format!("`{text}` has no meaning on {board}"))
        .at(span, format!("{} is played on {board}", rules.name))
}

/// How the row and the column of a cell are named.
pub(super) const COORDINATES: &str =
    "the row and the column of a cell are named where it is chosen: `choose (i, j) in cells`";

impl Checker<'_> {
    /// The ruleset whose board a function of sites reads if no board is given; reports if there is none.
    fn here(&mut self, name: &Ident, span: Span, env: &Env) -> Option<Arc<Ruleset>> {
        match (env.around, env.home) {
            (Around::Rule, Some(home)) => Some(self.ruleset(home)),
            _ => {
                let row = builtins::find(&name.text);
                let example = row.map_or("nbrs(G, v)".to_owned(), builtins::Row::of_a_board);
                self.report(
                    Diagnostic::error(
                        Code::E0216,
                        format!("`{}` needs a board, and here there is none", name.text),
                    )
                    .at(span, "of which board?")
                    .help(format!("give a board or a position: `{example}`")),
                );
                None
            }
        }
    }

    fn wrong_board(&mut self, name: &Ident, rules: &Ruleset, span: Span, help: &str) -> Expr {
        self.hole(on_wrong_board(name, rules, span).help(help))
    }

    /// `players`, `vertices`, `edges(G)`, ..
    pub(super) fn all_sites(
        &mut self,
        b: Builtin,
        name: &Ident,
        of: Option<&ast::Expr>,
        span: Span,
        env: &mut Env,
    ) -> Expr {
        use {AllSites as A, Builtin as B};
        let call = |sort, parts| expr(span, set(sort), ExprKind::Builtin(b, parts));
        let list = |sort, parts| {
            let sort = Sort::List(Box::new(sort));
            expr(span, sort, ExprKind::Builtin(b, parts))
        };
        if let Some(of) = of {
            let board = self.expr(of, env);
            // A board of heaps does not contain the heaps, which belong to the position.
            let wanted = match b {
                B::Heaps | B::Players | B::Pieces if board.sort == Sort::Board => "a position",
                _ => "a board or a position",
            };
            if !matches!(board.sort, Sort::Position | Sort::Unknown)
                && (board.sort != Sort::Board || wanted == "a position")
            {
                let d = error::stands_where(&board.sort, board.span, wanted);
                return self.hole(d);
            }
            let sort = match b {
                B::Players => Sort::Player,
                B::Pieces => Sort::Piece,
                B::Heaps => return list(Sort::Int, vec![board]),
                _ => Sort::Label,
            };
            return call(sort, vec![board]);
        }
        let Some(rules) = self.here(name, span, env) else {
            return unknown(span);
        };
        let board = rules.board;
        let sort = match (b, board.heap_of(), board.site()) {
            (B::Players, ..) => Sort::Player,
            (B::Pieces, ..) => Sort::Piece,
            (B::AllSites(A::Edges | A::Arcs), ..) if board.has_edges() => {
                Sort::Site(SiteKind::Edge)
            }
            (B::AllSites(_), _, Some(site)) if *name.text == *board.descriptor().sites => {
                Sort::Site(site)
            }
            (B::Heaps, Some(1), _) => return list(Sort::Int, Vec::new()),
            (B::Heaps, Some(k), _) => {
                return list(Sort::Tuple(vec![Sort::Int; usize::from(k)]), Vec::new());
            }
            _ => {
                let sites = board.descriptor().sites;
                if sites.is_empty() {
                    return self.wrong_board(name, &rules, span, "it has scalars only");
                }
                let d = on_wrong_board(name, &rules, span);
                let message = format!("its sites are `{sites}`");
                return self.hole(d.suggest(Suggestion::replace(span, sites, message)));
            }
        };
        call(sort, Vec::new())
    }

    /// `rows`, `columns(G)`, `row(i)`, `column(G, j)`, `size(board)`: properties of the board as drawn.
    pub(super) fn drawn(
        &mut self,
        which: Drawn,
        name: &Ident,
        arguments: &[ast::Expr],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        let line = matches!(which, Drawn::Row | Drawn::Column);
        let (of, number) = match (arguments, line) {
            ([of, number], true) => (Some(of), Some(number)),
            ([number], true) => (None, Some(number)),
            ([of], false) => (Some(of), None),
            _ => (None, None),
        };
        let mut parts = Vec::new();
        let mut site = Sort::Label;
        if let Some(of) = of {
            let board = self.expr(of, env);
            if !matches!(board.sort, Sort::Board | Sort::Position | Sort::Unknown) {
                let d = error::stands_where(&board.sort, board.span, "a board or a position");
                return self.hole(d);
            }
            parts.push(board);
        } else {
            let Some(rules) = self.here(name, span, env) else {
                return unknown(span);
            };
            match rules.board.site() {
                Some(kind) if rules.board.has_cells() || which == Drawn::Sites => {
                    site = Sort::Site(kind);
                }
                _ => {
                    let help = "a grid or a strip has rows and columns";
                    return self.wrong_board(name, &rules, span, help);
                }
            }
        }
        if let Some(number) = number {
            let number = self.expr(number, env);
            if number.sort == Sort::Site(SiteKind::GridCell) {
                let message = format!("`{0}(i)` is the set of cells of the {0} i", name.text);
                let d = Diagnostic::error(Code::E0203, message).at(number.span, "this is a cell");
                return self.hole(d.help(COORDINATES));
            }
            parts.push(self.coerce(number, &Sort::Int, env));
        }
        let sort = if line { set(site) } else { Sort::Int };
        expr(span, sort, ExprKind::Builtin(Builtin::Drawn(which), parts))
    }

    /// A function of a site or an edge: `nbrs(v)`, `reach(G, v)`, `ends(e)`, ..
    pub(super) fn site_function(
        &mut self,
        b: Builtin,
        name: &Ident,
        arguments: &[ast::Expr],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        use {Builtin as B, SitesFrom as F};
        let of_edge = matches!(b, B::Ends | B::Tail | B::Head);
        let answer = |of: Sort| match b {
            B::Tail | B::Head => of,
            _ => set(of),
        };
        if let [board, site] = arguments {
            let board = self.expr(board, env);
            if !matches!(board.sort, Sort::Board | Sort::Position | Sort::Unknown) {
                let d = error::stands_where(&board.sort, board.span, "a board or a position")
                    .help(format!("in a rule write `{}(v)`", name.text));
                return self.hole(d);
            }
            let site = self.expect(site, &Sort::Label, env);
            return expr(
                span,
                answer(Sort::Label),
                ExprKind::Builtin(b, vec![board, site]),
            );
        }
        let site = &arguments[0];
        // An edge knows its ends, so no board is needed.
        if of_edge && self.guess(site, env) == Sort::Label {
            let e = self.expr(site, env);
            return expr(span, answer(Sort::Label), ExprKind::Builtin(b, vec![e]));
        }
        if of_edge && env.around != Around::Rule {
            let e = self.expr(site, env);
            if compatible(&e.sort, &Sort::Label) {
                return expr(span, answer(Sort::Label), ExprKind::Builtin(b, vec![e]));
            }
        }
        let Some(rules) = self.here(name, span, env) else {
            return unknown(span);
        };
        let (takes, gives) = match (b, rules.board.lines()) {
            (B::SitesFrom(F::Nbrs | F::Reach | F::Component), Lines::Edges | Lines::Arcs)
            | (B::SitesFrom(F::Out | F::Into), Lines::Arcs) => (SiteKind::Vertex, SiteKind::Vertex),
            (B::SitesFrom(F::Group), Lines::Edges | Lines::Arcs) => {
                if !rules.pieces_on_sites {
                    return self.wrong_board(
                        name,
                        &rules,
                        span,
                        "a group holds the same piece: declare pieces on its vertices, `pieces x = Left, o = Right`",
                    );
                }
                (SiteKind::Vertex, SiteKind::Vertex)
            }
            (B::SitesFrom(F::Nbrs | F::Group), Lines::None) if rules.board.has_cells() => {
                let cell = rules.board.site().unwrap_or(SiteKind::GridCell);
                (cell, cell)
            }
            (B::Ends, Lines::Edges | Lines::Arcs) | (B::Tail | B::Head, Lines::Arcs) => {
                (SiteKind::Edge, SiteKind::Vertex)
            }
            (B::Tail | B::Head, Lines::Edges) => {
                return self.wrong_board(
                    name,
                    &rules,
                    span,
                    "the edges of a graph have no direction: `ends(e)`, or `board digraph`",
                );
            }
            (B::SitesFrom(F::Up | F::Down), Lines::Order) => (SiteKind::Element, SiteKind::Element),
            (B::SitesFrom(F::Up | F::Down), Lines::None) if rules.board.has_cells() => {
                return self.wrong_board(
                    name,
                    &rules,
                    span,
                    "directions are north, south, east, west",
                );
            }
            (B::SitesFrom(F::Out | F::Into), Lines::Edges) => {
                // The call begins with the name.
                let length = u32::try_from(name.text.len()).unwrap_or(0);
                let word = Span {
                    end: span.end.min(span.start + length),
                    ..span
                };
                let message =
                    "the edges of a graph have no direction: `nbrs(v)`, or `board digraph`";
                let d = on_wrong_board(name, &rules, span);
                return self.hole(d.suggest(Suggestion::replace(word, "nbrs", message)));
            }
            (B::SitesFrom(F::Nbrs | F::Reach | F::Component | F::Out | F::Into), Lines::Order) => {
                return self.wrong_board(name, &rules, span, "a poset has `up(x)` and `down(x)`");
            }
            (B::SitesFrom(F::Component), Lines::None) if rules.board.has_cells() => {
                return self.wrong_board(
                    name,
                    &rules,
                    span,
                    "`group(b)` is the set of cells connected to b through cells with the same piece as b",
                );
            }
            _ => {
                return self.wrong_board(
                    name,
                    &rules,
                    span,
                    "nbrs, out, into, ends, reach and component belong to graphs, up and down to posets, ray and slide to grids and strips",
                );
            }
        };
        let site = self.expect(site, &Sort::Site(takes), env);
        expr(
            span,
            answer(Sort::Site(gives)),
            ExprKind::Builtin(b, vec![site]),
        )
    }

    /// `reach(v, within: S)`.
    pub(super) fn reach_within(
        &mut self,
        name: &Ident,
        site: &ast::Expr,
        within: &ast::Expr,
        span: Span,
        env: &mut Env,
    ) -> Expr {
        let Some(rules) = self.here(name, span, env) else {
            return unknown(span);
        };
        let kind = match rules.board.site() {
            Some(kind) if !rules.board.is_order() => kind,
            _ => {
                return self.wrong_board(
                    name,
                    &rules,
                    span,
                    "`reach(v, within: S)` belongs to graphs, grids and strips",
                );
            }
        };
        let site = self.expect(site, &Sort::Site(kind), env);
        let within = self.expect(within, &set(Sort::Site(kind)), env);
        expr(
            span,
            set(Sort::Site(kind)),
            ExprKind::Builtin(
                Builtin::SitesFrom(SitesFrom::ReachWithin),
                vec![site, within],
            ),
        )
    }

    /// `ray(a, D)`, `slide(a, D)`, optionally with a position first.
    pub(super) fn rays(
        &mut self,
        b: Builtin,
        name: &Ident,
        arguments: &[ast::Expr],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        let (board, site, directions, cell) = match arguments {
            [board, site, directions] => {
                let board = self.expr(board, env);
                if !matches!(board.sort, Sort::Board | Sort::Position | Sort::Unknown) {
                    let want = Sort::Board;
                    return self.coerce(board, &want, env);
                }
                (Some(board), site, directions, Sort::Label)
            }
            [site, directions] => {
                let Some(rules) = self.here(name, span, env) else {
                    return unknown(span);
                };
                let cell = match rules.board.site() {
                    Some(cell) if rules.board.has_cells() => cell,
                    _ => {
                        return self.wrong_board(
                            name,
                            &rules,
                            span,
                            "rays and slides belong to grids and strips",
                        );
                    }
                };
                (None, site, directions, Sort::Site(cell))
            }
            _ => return unknown(span),
        };
        let site = self.expect(site, &cell, env);
        let directions = self.expr(directions, env);
        if !matches!(&directions.sort, Sort::Direction | Sort::Unknown)
            && !matches!(&directions.sort, Sort::Set(of) if **of == Sort::Direction)
        {
            let wanted = "a direction or a set of them";
            return self.hole(
                error::stands_where(&directions.sort, directions.span, wanted)
                .help("directions are north, south, east, west; sets of them orthogonal, diagonal, compass, knight"),
            );
        }
        let parts = board.into_iter().chain([site, directions]).collect();
        expr(span, set(cell), ExprKind::Builtin(b, parts))
    }
}
