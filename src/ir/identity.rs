//! Decides when two positions are the same: when they look the same, whatever their history. Maps a position to its visible
//! content, in an order that does not depend on the history.
//!
//! An option of `Nim[2]` is the position written `Nim[1]`, and a graph from which a move removed something is the graph
//! written without it. Names count: vertices with different names are different, even if the positions have the same value.
//! Structural equality of [`Position`] is finer and faster, since it compares the boards on which play began.

use super::board::{Board, Heap, Wrap};
use super::instance::{Instance, Var};
use super::int::Int;
use super::position::{Position, Term};
use super::val::Val;
use super::view::View;
use crate::model::typed::{Form, Lines, Sort, StateId};
use std::sync::Arc;

/// The visible content of one term, and its number of copies.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seen {
    what: What,
    count: Int,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct What {
    instance: Arc<Instance>,
    negated: bool,
    kind: &'static str,
    shape: Option<(u32, u32)>,
    wrap: Wrap,
    heaps: Vec<Heap>,
    entailed: Option<Vec<usize>>,
    /// If sites are cells: the values of all variables.
    vars: Vec<Val>,
    /// If sites have names: the present ones, ..
    sites: Vec<Val>,
    root: Option<Val>,
    /// .. the present lines between them with their pieces (of a poset all relations of its order), ..
    lines: Vec<(Val, Val, Option<Val>)>,
    /// .. and the pieces and state functions of the present sites.
    values: Vec<(Option<StateId>, Vec<Val>, Val)>,
}

/// The visible content of the terms, sorted, with equal ones merged.
pub(super) fn seen(position: &Position) -> Arc<[Seen]> {
    let mut all: Vec<Seen> = position.terms().iter().map(of_term).collect();
    all.extend(position.nought().map(|t| Seen {
        what: of_rules(t),
        count: Int::ZERO,
    }));
    all.sort();
    let mut merged: Vec<Seen> = Vec::with_capacity(all.len());
    for next in all {
        if let Some(last) = merged.last_mut()
            && last.what == next.what
            && let Ok(count) = last.count.add(&next.count)
        {
            last.count = count;
            continue;
        }
        merged.push(next);
    }
    merged.into()
}

/// The rules of a term, without its board.
fn of_rules(term: &Term) -> What {
    What {
        instance: term.setting.instance.clone(),
        negated: term.negated,
        kind: Board::kind_name(term.setting.board.kind),
        shape: None,
        wrap: Wrap::default(),
        heaps: Vec::new(),
        entailed: None,
        vars: Vec::new(),
        sites: Vec::new(),
        root: None,
        lines: Vec::new(),
        values: Vec::new(),
    }
}

fn of_term(term: &Term) -> Seen {
    let (setting, state) = (&*term.setting, &term.state);
    let board = &*setting.board;
    let mut what = of_rules(term);
    what.wrap = board.wrap;
    what.heaps.clone_from(&state.heaps);
    what.entailed.clone_from(&state.entailed);
    if board.kind.form() == Form::Chains {
        by_names(term, &mut what);
    } else {
        // A board with no rows or no columns has no cells, so its dimensions are not visible.
        what.shape = board
            .shape
            .filter(|(rows, columns)| *rows > 0 && *columns > 0);
        what.vars.clone_from(&state.vars);
    }
    Seen {
        what,
        count: term.count.clone(),
    }
}

/// The name of a site. A site that a constructor numbered `n` is named `c[n]`; so is the n-th cell of a picture of one row,
/// which is shown as a strip.
fn name(board: &Board, label: Val) -> Val {
    let numbered = |n: Val| Val::term("c".into(), vec![n]);
    match label {
        Val::Cell(1, n) if matches!(board.shape, Some((1, _))) => numbered(Val::int(i64::from(n))),
        Val::Int(_) => numbered(label),
        _ => label,
    }
}

fn by_names(term: &Term, what: &mut What) {
    let (setting, state) = (&*term.setting, &term.state);
    let board = &*setting.board;
    let view = View::at_state(setting, state);
    let name = |label: Val| name(board, label);
    let label = |s: u32| name(board.label(s));
    // The ends of an edge are unordered.
    let in_order = |u: Val, v: Val| match board.kind.lines() == Lines::Edges && v < u {
        true => (v, u),
        false => (u, v),
    };
    what.sites = view.sites().map(label).collect();
    what.sites.sort();
    what.root = board.root.map(label);
    for e in view.edges() {
        if let Some((u, v)) = board.lines.get(e as usize) {
            let on = setting.layout.edge_at(e);
            let (from, to) = in_order(label(*u), label(*v));
            let on = on.and_then(|var| state.vars.get(var)).cloned();
            what.lines.push((from, to, on));
        }
    }
    if board.kind.is_order() {
        for low in view.sites() {
            let above = view.up(low).into_iter().filter(|high| *high != low);
            let above = above.map(|high| (label(low), label(high), None));
            what.lines.extend(above);
        }
    }
    what.lines.sort();
    for (var, value) in state.vars.iter().enumerate() {
        let places = setting.places(var);
        let there = places.iter().all(|place| match *place {
            super::board::Place::Site(s) => view.has_site(s),
            super::board::Place::Edge(e) => view.has_edge(e),
        });
        match setting.var(var) {
            Some(Var::At(s)) if there => {
                what.values.push((None, vec![label(s)], value.clone()));
            }
            Some(Var::State(f, arguments)) if there => {
                let arguments = arguments.into_iter().map(|v| match &v {
                    Val::Edge(e) => {
                        let (from, to) = in_order(name(e.from.clone()), name(e.to.clone()));
                        Val::tuple(vec![from, to])
                    }
                    _ => name(v),
                });
                let sort = setting.instance.rules.state.get(f.0 as usize);
                let value = match sort.map(|s| &s.sort) {
                    Some(Sort::Site(_) | Sort::Label) => name(value.clone()),
                    _ => value.clone(),
                };
                what.values.push((Some(f), arguments.collect(), value));
            }
            _ => {}
        }
    }
    what.values.sort();
}
