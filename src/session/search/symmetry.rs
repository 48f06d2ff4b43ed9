//! The symmetries of a board, as permutations of its sites under which the rules are invariant.
//!
//! A symmetry permutes the sites of a board and turns the directions with them. It acts on values: it replaces each place
//! (site, direction, board, position) in a tuple, set or list by its image, and nothing else. An expression is *blind* if,
//! for every symmetry and every position, its value at the image of the position is the image of its value. If all
//! expressions of some rules are blind, the options of the image of a position are the images of its options, so that the two
//! are the same game. A composition of blind constructs is blind, under these hypotheses:
//!
//! 1. No constant is a place. (A set of directions may be, if it is its own image.)
//! 2. A place is read as a place only: its row, its column or its number is never read, and no number becomes a place.
//! 3. No list is made in the order of the places of a set, unless its order does not matter.
//! 4. No rule fails. (Otherwise the order of the places determines whether a quantifier meets the failure or its answer first.)
//!
//! [`looks`] checks the first three by the text of the rules. It decides each construct; what is not known to be blind counts
//! as one that tells sites apart.

use crate::ir::board::Wrap;
use crate::ir::{Board, bijections};
use crate::model::typed::{
    Again, Binder, BinderKind, Builtin, By, Drawn, Effect, EffectKind, Expr, ExprKind,
    FunctionBody, GameFunction, GameOp, Lines, Model, Op, Place, Query, Ruleset, SitesFrom, Slot,
    Sort, Target,
};
use rustc_hash::{FxHashMap, FxHashSet};
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

/// The symmetries of a rectangle of cells, the identity first. If the lines of only one direction close to rings, no symmetry
/// exchanges rows and columns.
#[must_use]
pub fn turns(rows: u32, columns: u32, wrap: Wrap) -> Vec<Permutation> {
    let mut found: Vec<Permutation> = Vec::new();
    for turn in 0..8 {
        let (swap, down, right) = (turn & 4 != 0, turn & 2 != 0, turn & 1 != 0);
        if swap && (rows != columns || wrap.rows != wrap.columns) {
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
    /// The rules, or the formulas of the search, may distinguish directions or places of the board, so that its symmetries
    /// need not preserve them.
    pub at_directions: bool,
    /// The rules read or write the contents of a site.
    pub at_sites: bool,
}

/// What the rules of a ruleset and formulas about a position, the value of `slot`, may distinguish.
#[must_use]
pub fn looks<'q>(
    model: &Model,
    rules: &Ruleset,
    formulas: impl Iterator<Item = &'q Query>,
    slot: Slot,
) -> Looks {
    let mut look = Look {
        model,
        rules,
        slots: FxHashMap::default(),
        functions: FxHashSet::default(),
        found: Looks::default(),
    };
    // A symmetry does not move the arguments of the ruleset.
    let parameters = || rules.parameters.iter().map(|p| &p.sort);
    let arguments = rules.state.iter().flat_map(|f| &f.arguments);
    let mut arguments = arguments.filter(|s| !matches!(s, Sort::Site(_)));
    look.found.at_directions = parameters().any(has_place)
        || arguments.any(|s| !matches!(s, Sort::Piece | Sort::Player | Sort::Bool));
    for rule in &rules.moves {
        look.enter(parameters());
        if let By::Each(player) = rule.by {
            look.slots.insert(player, Sort::Player);
        }
        for stage in &rule.stages {
            look.binders(&stage.binders, false);
            look.all(&stage.conditions);
            stage.effects.iter().for_each(|e| look.effect(e));
        }
        if let Again::When(phi) = &rule.again {
            look.at(phi);
        }
        for (slot, e) in rule.repeat.iter().flat_map(|r| &r.next) {
            look.at(e);
            look.bind(&Place::Same(*slot), &e.sort);
        }
    }
    for end in &rules.ends {
        look.enter(parameters());
        if let By::Each(player) = end.player {
            look.slots.insert(player, Sort::Player);
        }
        look.slots
            .extend(end.mover.map(|slot| (slot, Sort::Player)));
        look.all(&end.conditions);
    }
    if let Some(score) = &rules.score {
        look.enter(parameters());
        look.slots
            .extend(score.stuck.map(|slot| (slot, Sort::Player)));
        look.at(&score.points);
    }
    let at_sites = look.found.at_sites;
    for query in formulas {
        look.enter(std::iter::empty());
        look.slots.insert(slot, Sort::Position);
        look.all(&query.body);
        // Groups have names.
        look.found.at_directions |= query.body.iter().any(|e| has_place(&e.sort));
    }
    Looks {
        at_sites,
        ..look.found
    }
}

struct Look<'m> {
    model: &'m Model,
    rules: &'m Ruleset,
    /// The sorts of the variables.
    slots: FxHashMap<Slot, Sort>,
    /// The functions that were examined.
    functions: FxHashSet<u32>,
    found: Looks,
}

impl Look<'_> {
    /// Begins a frame with these parameters.
    fn enter<'s>(&mut self, parameters: impl Iterator<Item = &'s Sort>) {
        self.slots = (0u32..).map(Slot).zip(parameters.cloned()).collect();
    }

    fn tells(&mut self) {
        self.found.at_directions = true;
    }

    fn bind(&mut self, place: &Place, sort: &Sort) {
        match place {
            Place::New(slot) => {
                self.slots.insert(*slot, sort.clone());
            }
            Place::Same(slot) => {
                let same = self.slots.get(slot).is_some_and(|known| alike(known, sort));
                self.found.at_directions |= !same;
            }
        }
    }

    /// Binders; `ordered` says that the order of the choices matters.
    fn binders(&mut self, binders: &[Binder], ordered: bool) {
        for binder in binders {
            match &binder.kind {
                BinderKind::In(places, range) => {
                    match ordered {
                        true => self.at(range),
                        false => self.in_any_order(range),
                    }
                    let of = match &range.sort {
                        Sort::Set(of) | Sort::List(of) => &**of,
                        other => other,
                    };
                    let is_list = matches!(range.sort, Sort::List(_));
                    self.found.at_directions |= ordered && !is_list && has_place(of);
                    match (&places[..], of) {
                        ([place], of) => self.bind(place, of),
                        (places, Sort::Tuple(parts)) if places.len() == parts.len() => {
                            let each = places.iter().zip(parts);
                            each.for_each(|(place, sort)| self.bind(place, sort));
                        }
                        // Takes a site apart: a cell has a row and a column, and a vertex may be called by a pair.
                        _ => self.tells(),
                    }
                }
                BinderKind::Is { place, value, .. } => {
                    self.at(value);
                    self.bind(place, &value.sort);
                }
                BinderKind::Sites(place, _) | BinderKind::Edges(place) => {
                    self.found.at_directions |= ordered;
                    self.bind(place, &Sort::Label);
                }
                BinderKind::Arcs(u, v) | BinderKind::Lines(u, v) => {
                    self.found.at_directions |= ordered;
                    self.bind(u, &Sort::Label);
                    self.bind(v, &Sort::Label);
                }
                BinderKind::Heap { places, .. } => {
                    places.iter().for_each(|p| self.bind(p, &Sort::Int));
                }
                BinderKind::Pieces(place) => self.bind(place, &Sort::Piece),
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
            EffectKind::Replace { heaps, .. } => self.in_any_order(heaps),
            EffectKind::Each(binders, phi, inner) => {
                self.binders(binders, false);
                self.all(phi.as_slice());
                self.effect(inner);
            }
        }
    }

    fn all(&mut self, all: &[Expr]) {
        all.iter().for_each(|e| self.at(e));
    }

    /// An expression of which, if it is a list, the order does not matter.
    fn in_any_order(&mut self, e: &Expr) {
        match &*e.kind {
            ExprKind::For(body, binders, phi) => {
                self.reading(e);
                self.binders(binders, false);
                self.all(phi.as_slice());
                self.at(body);
            }
            ExprKind::Builtin(Builtin::Lists, all) => {
                self.reading(e);
                self.all(all);
            }
            _ => self.at(e),
        }
    }

    fn at(&mut self, e: &Expr) {
        self.reading(e);
        match &*e.kind {
            ExprKind::Elements(all) if matches!(e.sort, Sort::Set(_)) && is_even(all) => {}
            ExprKind::Direction(..) => self.tells(),
            ExprKind::Cell(all) | ExprKind::Label(_, all) => {
                self.tells();
                self.all(all);
            }
            ExprKind::Coordinates(a) => {
                self.tells();
                self.at(a);
            }
            // What is inside is not examined.
            ExprKind::Board(_) | ExprKind::Position(_) => {
                self.found = Looks {
                    at_directions: true,
                    at_sites: true,
                };
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
            | ExprKind::Draw
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
            | ExprKind::Not(a)
            | ExprKind::Mirror(a) => self.at(a),
            ExprKind::Fold(_, a) => self.in_any_order(a),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::IsPieceOf(a, b)
            | ExprKind::Index(a, b)
            | ExprKind::Sum(a, b)
            | ExprKind::Multiple(a, b) => {
                self.at(a);
                self.at(b);
            }
            ExprKind::If(phi, a, b) => {
                self.at(phi);
                self.at(a);
                self.at(b);
            }
            ExprKind::Builtin(b, all) => self.builtin(*b, all),
            // Engines answer about the game alone, but moves are reported with their names.
            ExprKind::Game(op, all) => {
                self.found.at_directions |= *op == GameOp::Function(GameFunction::Moves);
                self.all(all);
            }
            ExprKind::State(_, all) | ExprKind::Tuple(all) | ExprKind::Elements(all) => {
                self.all(all);
            }
            ExprKind::Quantifier(_, binders, phi, body) => {
                self.binders(binders, false);
                self.all(phi.as_slice());
                self.at(body);
            }
            ExprKind::For(body, binders, phi) => {
                self.binders(binders, !matches!(e.sort, Sort::Set(_)));
                self.all(phi.as_slice());
                self.at(body);
            }
            ExprKind::Call(f, all) => {
                self.all(all);
                if !self.functions.insert(f.0) {
                    return;
                }
                let model = self.model;
                let Some(function) = model.functions.get(f.0 as usize) else {
                    return self.tells();
                };
                let outer = match function.in_ruleset {
                    Some(_) => &self.rules.parameters[..],
                    None => &[],
                };
                let parameters = outer.iter().chain(&function.parameters);
                let frame = std::mem::take(&mut self.slots);
                self.enter(parameters.map(|p| &p.sort));
                match &function.body {
                    FunctionBody::Expr(e) => self.at(e),
                    FunctionBody::Table(rows) => rows.iter().for_each(|(arguments, e)| {
                        self.all(arguments);
                        self.at(e);
                    }),
                }
                self.slots = frame;
            }
        }
    }

    fn binary(&mut self, op: Op, a: &Expr, b: &Expr) {
        self.at(a);
        match op {
            Op::In => self.in_any_order(b),
            _ => self.at(b),
        }
        let places = has_place(&a.sort) || has_place(&b.sort);
        self.found.at_directions |= match op {
            Op::And | Op::Or | Op::Is | Op::IsNot | Op::In | Op::Owns => false,
            // Union, difference, concatenation; sums of cells and directions are not analysed.
            Op::Add | Op::Subtract => places && !matches!(a.sort, Sort::Set(_) | Sort::List(_)),
            Op::Less
            | Op::LessEqual
            | Op::Greater
            | Op::GreaterEqual
            | Op::Range
            | Op::Multiply
            | Op::Div
            | Op::Mod
            | Op::Power
            | Op::Over
            | Op::Place => places,
        };
    }

    fn builtin(&mut self, b: Builtin, all: &[Expr]) {
        let of_places = |e: Option<&Expr>| e.is_none_or(|e| has_place(&e.sort));
        self.found.at_directions |= match b {
            Builtin::Abs
            | Builtin::Isqrt
            | Builtin::Bit
            | Builtin::Gcd
            | Builtin::Digit
            | Builtin::Opponent
            | Builtin::Players
            | Builtin::Pieces
            | Builtin::Heaps
            | Builtin::AllSites(_)
            | Builtin::SitesFrom(_)
            | Builtin::Drawn(Drawn::Sites)
            | Builtin::Ends
            | Builtin::Subsets
            | Builtin::Born
            | Builtin::BoardOf
            | Builtin::StateOf
            | Builtin::CodeOf
            | Builtin::Functions => false,
            // Numbered rows and columns distinguish places.
            Builtin::Drawn(Drawn::Rows | Drawn::Columns | Drawn::Row | Drawn::Column) => true,
            // The ends of an edge stand in the order in which they were written.
            Builtin::Tail | Builtin::Head => self.rules.board.lines() != Lines::Arcs,
            Builtin::Lists => of_places(all.first()),
            Builtin::Sample => of_places(all.last()),
            // Boards that no symmetry moves.
            Builtin::Catalogue(_) | Builtin::Construct(_) => true,
        };
        self.found.at_sites |= matches!(
            b,
            Builtin::StateOf
                | Builtin::SitesFrom(SitesFrom::Slide | SitesFrom::Ray | SitesFrom::Group)
        );
        match (b, all) {
            // A list of lists from which sets are made.
            (Builtin::Functions, [rows]) => match &*rows.kind {
                ExprKind::For(row, binders, phi) => {
                    self.binders(binders, false);
                    self.all(phi.as_slice());
                    self.in_any_order(row);
                }
                _ => self.at(rows),
            },
            _ => self.all(all),
        }
    }

    /// Whether a value is read as what it is. A cell of a strip may be read as a number, and a pair as the name of a vertex.
    fn reading(&mut self, e: &Expr) {
        let own = self.own_sort(e);
        self.found.at_directions |= !own.is_some_and(|own| alike(&own, &e.sort));
    }

    /// The sort of a value before it is read as another; any sort without places stands for all of them. `None` if it is not
    /// known.
    fn own_sort(&self, e: &Expr) -> Option<Sort> {
        let of = |sort: &Sort| match &e.sort {
            Sort::List(_) => Sort::List(Box::new(sort.clone())),
            _ => Sort::Set(Box::new(sort.clone())),
        };
        let element = |e: &Expr| match &e.sort {
            Sort::Set(of) | Sort::List(of) => Some((**of).clone()),
            _ => None,
        };
        Some(match &*e.kind {
            ExprKind::Slot(slot) => self.slots.get(slot)?.clone(),
            ExprKind::Call(f, _) => self.model.functions.get(f.0 as usize)?.sort.clone(),
            ExprKind::State(f, _) => self.rules.state.get(f.0 as usize)?.sort.clone(),
            ExprKind::Index(list, _) => match (&list.sort, element(list)?) {
                // The value of a function, which is a set of pairs.
                (Sort::Set(_), Sort::Tuple(pair)) => pair.last()?.clone(),
                (_, of) => of,
            },
            ExprKind::For(body, ..) => of(&body.sort),
            ExprKind::Elements(all) => match all.first() {
                Some(first) => of(&first.sort),
                None => e.sort.clone(),
            },
            ExprKind::Tuple(all) => Sort::Tuple(all.iter().map(|e| e.sort.clone()).collect()),
            ExprKind::If(_, a, _) => a.sort.clone(),
            ExprKind::Binary(Op::Add | Op::Subtract, a, _) => a.sort.clone(),
            ExprKind::Binary(Op::Multiply, _, b) => b.sort.clone(),
            ExprKind::Binary(Op::Over | Op::Place, ..) | ExprKind::Board(_) => Sort::Board,
            ExprKind::Binary(Op::Range, ..) => of(&Sort::Int),
            ExprKind::Direction(..) => Sort::Direction,
            ExprKind::Cell(_) | ExprKind::Label(..) | ExprKind::Root => Sort::Label,
            ExprKind::Position(_)
            | ExprKind::Sum(..)
            | ExprKind::Mirror(_)
            | ExprKind::Multiple(..) => Sort::Position,
            ExprKind::Game(..) => e.sort.clone(),
            ExprKind::Builtin(b, all) => match b {
                Builtin::AllSites(_)
                | Builtin::SitesFrom(_)
                | Builtin::Ends
                | Builtin::Drawn(Drawn::Row | Drawn::Column) => of(&Sort::Label),
                Builtin::Tail | Builtin::Head => Sort::Label,
                Builtin::BoardOf | Builtin::Construct(_) => Sort::Board,
                Builtin::Catalogue(_) => of(&Sort::Board),
                Builtin::Subsets => of(&Sort::Set(Box::new(element(all.first()?)?))),
                Builtin::Lists => of(&Sort::List(Box::new(element(all.first()?)?))),
                Builtin::Sample => all.last()?.sort.clone(),
                Builtin::StateOf => match &*all.get(1)?.kind {
                    ExprKind::Text(name) if **name == *"at" => Sort::Piece,
                    ExprKind::Text(name) => {
                        let mut state = self.rules.state.iter();
                        state.find(|f| f.name == *name)?.sort.clone()
                    }
                    _ => return None,
                },
                Builtin::Pieces | Builtin::Players | Builtin::Heaps => of(&Sort::Int),
                Builtin::Born => of(&Sort::Game),
                Builtin::CodeOf => Sort::Digits,
                Builtin::Functions => e.sort.clone(),
                Builtin::Abs
                | Builtin::Isqrt
                | Builtin::Bit
                | Builtin::Gcd
                | Builtin::Digit
                | Builtin::Opponent
                | Builtin::Drawn(Drawn::Rows | Drawn::Columns | Drawn::Sites) => Sort::Int,
            },
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
            | ExprKind::Draw
            | ExprKind::PlayerNumber(_)
            | ExprKind::PieceNumber(_)
            | ExprKind::Coordinates(_)
            | ExprKind::At(_)
            | ExprKind::PieceOf(_)
            | ExprKind::IsPieceOf(..)
            | ExprKind::Negative(_)
            | ExprKind::Not(_)
            | ExprKind::Binary(..)
            | ExprKind::Quantifier(..)
            | ExprKind::Fold(..) => Sort::Int,
        })
    }
}

/// Whether values of this sort are places, or contain them.
fn has_place(sort: &Sort) -> bool {
    match sort {
        Sort::Site(_)
        | Sort::Direction
        | Sort::Label
        | Sort::Board
        | Sort::Position
        | Sort::Compound
        | Sort::Unknown => true,
        Sort::Bool
        | Sort::Int
        | Sort::Text
        | Sort::Digits
        | Sort::Player
        | Sort::Piece
        | Sort::Game
        | Sort::Outcome
        | Sort::Genus
        | Sort::MisereForm
        | Sort::QuotientElement
        | Sort::Report => false,
        Sort::Set(of) | Sort::List(of) => has_place(of),
        Sort::Tuple(parts) => parts.iter().any(has_place),
    }
}

/// Whether values of two sorts contain places at the same positions.
fn alike(a: &Sort, b: &Sort) -> bool {
    match (a, b) {
        (Sort::Set(a), Sort::Set(b)) | (Sort::List(a), Sort::List(b)) => alike(a, b),
        (Sort::Tuple(a), Sort::Tuple(b)) if a.len() == b.len() => {
            a.iter().zip(b).all(|(a, b)| alike(a, b))
        }
        _ => has_place(a) == has_place(b),
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
