//! The symmetries of a board, as permutations of its sites under which the rules are invariant.

use crate::ir::{Board, bijections};
use crate::model::typed::{
    Again, Binder, BinderKind, Builtin, Effect, EffectKind, Expr, ExprKind, Fold, FunctionBody,
    Lines, Model, Op, Ruleset, SitesFrom, Sort, Target,
};
use rustc_hash::FxHashSet;
use std::ops::ControlFlow;

/// The most symmetries of a board that are used.
const MOST: usize = 50_000;

/// The image of each site.
pub type Permutation = Vec<u32>;

/// A group of automorphisms of a board of vertices or elements that fix its root; the first is the identity. If there are
/// at most [`MOST`] automorphisms it consists of all, otherwise of those that also fix the sites before some site.
///
/// It must be a group: Burnside's lemma counts orbits of groups only, and each orbit must have one least filling, or the
/// parts of a divided search would overlap. With a smaller group, a search examines some positions more than once.
#[must_use]
pub fn automorphisms(board: &Board) -> Vec<Permutation> {
    let mut found = first_automorphisms(board);
    if found.len() > MOST {
        // They are in lexicographic order. So if the last one found moves the sites from m on only, all those are known that
        // fix the sites up to and including m.
        let fixed = |p: &Permutation| (0u32..).zip(p).take_while(|(i, j)| i == *j).count();
        let moves = found.last().map_or(0, fixed);
        found.retain(|p| fixed(p) > moves);
    }
    found
}

/// The automorphisms of a board that fix its root, in lexicographic order; only the first [`MOST`] + 1, which are no group,
/// if there are more.
pub(super) fn first_automorphisms(board: &Board) -> Vec<Permutation> {
    let n = board.sites();
    let number = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
    if n > 64 {
        return vec![(0..n).map(number).collect()];
    }
    let mut joined = vec![0u8; n * n];
    if board.kind.is_order() {
        for s in 0..n {
            for t in board.above(number(s)) {
                joined[s * n + t as usize] = 1;
            }
        }
    } else {
        for (u, v) in &board.lines {
            let (u, v) = (*u as usize, *v as usize);
            joined[u * n + v] = joined[u * n + v].saturating_add(1);
            if board.kind.lines() == Lines::Edges && u != v {
                joined[v * n + u] = joined[v * n + u].saturating_add(1);
            }
        }
    }
    let degree = |s: usize| -> (usize, usize, bool) {
        let out = (0..n).map(|t| usize::from(joined[s * n + t])).sum();
        let into = (0..n).map(|t| usize::from(joined[t * n + s])).sum();
        (out, into, board.root == Some(number(s)))
    };
    let degrees: Vec<_> = (0..n).map(degree).collect();
    let mut found = Vec::new();
    let fits = |map: &[usize], j: usize| {
        let i = map.len();
        degrees[i] == degrees[j]
            && joined[i * n + i] == joined[j * n + j]
            && map.iter().enumerate().all(|(k, m)| {
                joined[i * n + k] == joined[j * n + m] && joined[k * n + i] == joined[m * n + j]
            })
    };
    bijections(n, fits, |map| {
        found.push(map.iter().map(|i| number(*i)).collect());
        if found.len() <= MOST {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    found
}

/// The symmetries of a rectangle of cells, the identity first; only the identity unless `free`.
#[must_use]
pub fn turns(rows: u32, columns: u32, free: bool) -> Vec<Permutation> {
    let mut found: Vec<Permutation> = Vec::new();
    for turn in 0..if free { 8 } else { 1 } {
        let (swap, down, right) = (turn & 4 != 0, turn & 2 != 0, turn & 1 != 0);
        if swap && rows != columns {
            continue;
        }
        let mut map = Vec::with_capacity((rows * columns) as usize);
        for i in 0..rows {
            for j in 0..columns {
                let (i, j) = if swap { (j, i) } else { (i, j) };
                let i = if down { rows - 1 - i } else { i };
                let j = if right { columns - 1 - j } else { j };
                map.push(i * columns + j);
            }
        }
        if !found.contains(&map) {
            found.push(map);
        }
    }
    found
}

/// What the rules may distinguish.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Looks {
    /// The rules may distinguish directions or places of the board, so that its symmetries need not preserve them.
    pub at_directions: bool,
    /// The rules read or write the contents of a site.
    pub at_sites: bool,
}

/// What the rules of a ruleset may distinguish. A set of directions that is invariant under quarter turns and reflections
/// does not distinguish directions.
#[must_use]
pub fn looks(model: &Model, rules: &Ruleset) -> Looks {
    let mut look = Look {
        model,
        functions: FxHashSet::default(),
        found: Looks::default(),
    };
    let by_direction = |s: &Sort| matches!(s, Sort::Direction | Sort::Int | Sort::Label);
    look.found.at_directions = rules
        .state
        .iter()
        .flat_map(|f| &f.arguments)
        .any(by_direction);
    for stage in rules.moves.iter().flat_map(|m| &m.stages) {
        look.binders(&stage.binders);
        look.all(&stage.conditions);
        stage.effects.iter().for_each(|e| look.effect(e));
    }
    for rule in &rules.moves {
        if let Again::When(phi) = &rule.again {
            look.at(phi);
        }
        let next = rule.repeat.iter().flat_map(|r| &r.next);
        next.for_each(|(_, e)| look.at(e));
    }
    rules.ends.iter().for_each(|end| look.all(&end.conditions));
    rules.score.iter().for_each(|score| look.at(&score.points));
    look.found
}

struct Look<'m> {
    model: &'m Model,
    functions: FxHashSet<u32>,
    found: Looks,
}

impl Look<'_> {
    fn binders(&mut self, binders: &[Binder]) {
        for binder in binders {
            match &binder.kind {
                BinderKind::In(_, e) | BinderKind::Is { value: e, .. } => self.at(e),
                _ => {}
            }
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match &effect.kind {
            EffectKind::Set(t, e) | EffectKind::Add(t, e) | EffectKind::Subtract(t, e) => {
                match t {
                    Target::At(s) => {
                        self.found.at_sites = true;
                        self.at(s);
                    }
                    Target::State(_, args) => self.all(args),
                }
                self.at(e);
            }
            EffectKind::Remove(list) => self.all(list),
            EffectKind::Join(u, v) | EffectKind::Merge(u, v) => {
                self.at(u);
                self.at(v);
            }
            EffectKind::Keep(e) => self.at(e),
            EffectKind::Replace { heaps, .. } => self.at(heaps),
            EffectKind::Each(binders, phi, inner) => {
                self.binders(binders);
                self.all(phi.as_slice());
                self.effect(inner);
            }
        }
    }

    fn all(&mut self, all: &[Expr]) {
        all.iter().for_each(|e| self.at(e));
    }

    fn at(&mut self, e: &Expr) {
        match &*e.kind {
            ExprKind::Elements(all) if is_even(all) => {}
            // Arithmetic with cells and coordinates is not analysed.
            ExprKind::Draw
            | ExprKind::Direction(..)
            | ExprKind::Cell(_)
            | ExprKind::Coordinates(_)
            | ExprKind::Label(..)
            | ExprKind::Board(_)
            | ExprKind::Position(_)
            | ExprKind::Sum(..)
            | ExprKind::Mirror(_)
            | ExprKind::Multiple(..)
            | ExprKind::Game(..) => {
                self.found.at_directions = true;
                // What is inside is examined only for its use of cells.
                self.found.at_sites |= !matches!(&*e.kind, ExprKind::Direction(..));
            }
            ExprKind::Integer(_)
            | ExprKind::Bool(_)
            | ExprKind::Text(_)
            | ExprKind::Player(_)
            | ExprKind::Piece(_)
            | ExprKind::Empty
            | ExprKind::Wall
            | ExprKind::Off
            | ExprKind::Outcome(_)
            | ExprKind::Queer
            | ExprKind::Root
            | ExprKind::Slot(_) => {}
            ExprKind::At(a) => {
                self.found.at_sites = true;
                self.at(a);
            }
            ExprKind::PlayerNumber(a)
            | ExprKind::PieceNumber(a)
            | ExprKind::PieceOf(a)
            | ExprKind::Negative(a)
            | ExprKind::Not(a) => self.at(a),
            ExprKind::Fold(fold, a) => {
                self.found.at_directions |= *fold != Fold::Size && is_place(&a.sort);
                self.at(a);
            }
            ExprKind::Binary(op, a, b) => {
                let compares = matches!(
                    op,
                    Op::And | Op::Or | Op::Is | Op::IsNot | Op::In | Op::Owns
                );
                self.found.at_directions |= !compares && (is_place(&a.sort) || is_place(&b.sort));
                self.at(a);
                self.at(b);
            }
            ExprKind::IsPieceOf(a, b) | ExprKind::Index(a, b) => {
                self.at(a);
                self.at(b);
            }
            ExprKind::If(phi, a, b) => {
                self.at(phi);
                self.at(a);
                self.at(b);
            }
            ExprKind::Builtin(b, all) => {
                // Numbered rows and columns distinguish places.
                self.found.at_directions |=
                    matches!(b, Builtin::StateOf | Builtin::BoardOf | Builtin::Drawn(_));
                self.found.at_sites |= matches!(
                    b,
                    Builtin::StateOf | Builtin::SitesFrom(SitesFrom::Slide | SitesFrom::Ray)
                );
                self.all(all);
            }
            ExprKind::State(_, all) | ExprKind::Tuple(all) | ExprKind::Elements(all) => {
                self.all(all);
            }
            ExprKind::Quantifier(_, binders, phi, body) | ExprKind::For(body, binders, phi) => {
                self.binders(binders);
                self.all(phi.as_slice());
                self.at(body);
            }
            ExprKind::Call(f, all) => {
                self.all(all);
                if !self.functions.insert(f.0) {
                    return;
                }
                let model = self.model;
                match model.functions.get(f.0 as usize).map(|f| &f.body) {
                    Some(FunctionBody::Expr(e)) => self.at(e),
                    Some(FunctionBody::Table(rows)) => rows.iter().for_each(|(_, e)| self.at(e)),
                    None => {
                        self.found = Looks {
                            at_directions: true,
                            at_sites: true,
                        };
                    }
                }
            }
        }
    }
}

/// Whether values of this sort are sites, directions or labels, or sets or lists of them.
fn is_place(sort: &Sort) -> bool {
    match sort {
        Sort::Site(_) | Sort::Direction | Sort::Label | Sort::Unknown => true,
        Sort::Set(s) | Sort::List(s) => is_place(s),
        _ => false,
    }
}

/// Whether a set of directions is invariant under quarter turns and reflections.
fn is_even(all: &[Expr]) -> bool {
    let mut set = FxHashSet::default();
    for e in all {
        match &*e.kind {
            ExprKind::Direction(r, c) => set.insert((*r, *c)),
            _ => return false,
        };
    }
    !set.is_empty()
        && set
            .iter()
            .all(|(r, c)| set.contains(&(*c, -*r)) && set.contains(&(*r, -*c)))
}
