//! Binders: enumerates all bindings of the variables of a `choose`, a `for` or a quantifier, in a fixed order.

use super::{Evaluator, Frame, Scope, internal, need_here};
use crate::base::Span;
use crate::domains::OneOfEach;
use crate::fault::Res;
use crate::int::Int;
use crate::model::typed::{Binder, BinderKind, Builtin, Expr, ExprKind, Op, Place, SiteKind};
use crate::val::{Piece, Val};
use crate::view::View;
use std::ops::ControlFlow;

/// The callback for each choice; `Break` ends the enumeration.
pub type Each<'e> = &'e mut dyn FnMut(&mut Frame) -> Res<ControlFlow<()>>;

/// The names of a binder, in the order of its values.
pub(crate) fn places(binder: &Binder) -> Vec<&Place> {
    match &binder.kind {
        BinderKind::In(places, _) | BinderKind::Heap { places, .. } => places.iter().collect(),
        BinderKind::Is { place, .. }
        | BinderKind::Sites(place, _)
        | BinderKind::Edges(place)
        | BinderKind::Pieces(place) => vec![place],
        BinderKind::Arcs(u, v) | BinderKind::Lines(u, v) => vec![u, v],
    }
}

impl Evaluator<'_> {
    /// Enumerates the choices of the binders for which all conditions hold.
    ///
    /// # Errors
    /// As [`Evaluator::eval`], and the errors of `each`.
    pub fn choices(
        &self,
        binders: &[Binder],
        conditions: &[Expr],
        frame: &mut Frame,
        scope: Scope<'_>,
        each: Each<'_>,
    ) -> Res<ControlFlow<()>> {
        let Some((first, rest)) = binders.split_first() else {
            for phi in conditions {
                if !self.truth(phi, frame, scope)? {
                    return Ok(ControlFlow::Continue(()));
                }
            }
            return each(frame);
        };
        self.deeper(first.span, || {
            self.binder(first, frame, scope, &mut |frame| {
                self.charge(1, first.span)?;
                self.choices(rest, conditions, frame, scope, each)
            })
        })
    }

    fn binder(
        &self,
        binder: &Binder,
        frame: &mut Frame,
        scope: Scope<'_>,
        each: Each<'_>,
    ) -> Res<ControlFlow<()>> {
        let span = binder.span;
        match &binder.kind {
            BinderKind::In(places, set) => self.each_in(places, set, frame, scope, each),
            BinderKind::Is { place, value, cell } => {
                let v = self.eval(value, frame, scope)?;
                if *cell && !is_real(&v, scope, span)? {
                    return Ok(ControlFlow::Continue(()));
                }
                bind(frame, std::slice::from_ref(place), [v], each)
            }
            BinderKind::Heap { heap, places } => {
                self.each_heap(*heap, places, span, frame, scope, each)
            }
            BinderKind::Sites(place, kind) => {
                let all = site_values(*kind, scope, span)?;
                self.each_of(all, place, span, frame, each)
            }
            BinderKind::Edges(place) => {
                let all = site_values(SiteKind::Edge, scope, span)?;
                self.each_of(all, place, span, frame, each)
            }
            BinderKind::Pieces(place) => {
                let count = super::need_instance(scope, span)?.pieces.len();
                let all = (0u16..).take(count).map(Piece::Declared).map(Val::Piece);
                self.each_of(all.collect(), place, span, frame, each)
            }
            BinderKind::Arcs(u, v) => self.each_line(u, v, false, span, frame, scope, each),
            BinderKind::Lines(u, v) => self.each_line(u, v, true, span, frame, scope, each),
        }
    }

    fn each_of(
        &self,
        all: Vec<Val>,
        place: &Place,
        span: Span,
        frame: &mut Frame,
        each: Each<'_>,
    ) -> Res<ControlFlow<()>> {
        for v in all {
            self.charge(1, span)?;
            if bind(frame, std::slice::from_ref(place), [v], each)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    #[allow(clippy::too_many_arguments)]
    fn each_line(
        &self,
        u: &Place,
        v: &Place,
        both: bool,
        span: Span,
        frame: &mut Frame,
        scope: Scope<'_>,
        each: Each<'_>,
    ) -> Res<ControlFlow<()>> {
        let places = [clone_place(u), clone_place(v)];
        for (a, b) in line_values(scope, span)? {
            self.charge(1, span)?;
            if bind(frame, &places, [a.clone(), b.clone()], each)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            if both && a != b && bind(frame, &places, [b, a], each)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn each_heap(
        &self,
        heap: u32,
        places: &[Place],
        span: Span,
        frame: &mut Frame,
        scope: Scope<'_>,
        each: Each<'_>,
    ) -> Res<ControlFlow<()>> {
        let (_, state) = need_here(scope, span)?;
        for (i, components) in state.heaps.iter().enumerate() {
            self.charge(1, span)?;
            let taken = |i: usize| frame.heaps.iter().any(|(_, taken)| *taken == i);
            // Heaps are sorted, so equal heaps are adjacent, and moves on them lead to the same positions: choose the first
            // free one.
            let again = i > 0
                && state.heaps.get(i - 1) == Some(components)
                && state.is_entailed(i - 1) == state.is_entailed(i)
                && !taken(i - 1);
            if taken(i) || again {
                continue;
            }
            let values = components.iter().cloned().map(Val::Int);
            frame.heaps.push((heap, i));
            let flow = bind(frame, places, values, each);
            frame.heaps.pop();
            if flow?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn each_in(
        &self,
        places: &[Place],
        set: &Expr,
        frame: &mut Frame,
        scope: Scope<'_>,
        each: Each<'_>,
    ) -> Res<ControlFlow<()>> {
        let span = set.span;
        match &*set.kind {
            // Ranges, functions and subsets are enumerated without building the set.
            ExprKind::Binary(Op::Range, from, to) if places.len() == 1 => {
                let mut n = self.integer(from, frame, scope)?;
                let to = self.integer(to, frame, scope)?;
                while n <= to {
                    self.charge(1, span)?;
                    if bind(frame, places, [Val::Int(n.clone())], each)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                    n = n
                        .add(&Int::ONE)
                        .map_err(|f| super::ops::arithmetic(f, span))?;
                }
                return Ok(ControlFlow::Continue(()));
            }
            ExprKind::Builtin(Builtin::Functions, args) if args.len() == 1 && places.len() == 1 => {
                let rows = self.eval(&args[0], frame, scope)?;
                let rows = rows.elements().unwrap_or(&[]);
                for function in OneOfEach::new(rows) {
                    self.charge(1 + rows.len() as u64, span)?;
                    if bind(frame, places, [function], each)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                return Ok(ControlFlow::Continue(()));
            }
            ExprKind::Builtin(Builtin::Subsets, args) if args.len() == 1 && places.len() == 1 => {
                let v = self.eval(&args[0], frame, scope)?;
                let Val::Set(items) = Val::set(v.elements().unwrap_or(&[]).to_vec()) else {
                    return Err(internal(span, "not a set"));
                };
                let mut chosen = vec![false; items.len()];
                loop {
                    self.charge(1 + items.len() as u64, span)?;
                    let subset = items.iter().zip(&chosen).filter(|(_, c)| **c);
                    let subset = Val::Set(subset.map(|(x, _)| x.clone()).collect());
                    if bind(frame, places, [subset], each)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                    // Count up in binary, with the first element as the lowest bit.
                    let Some(k) = chosen.iter().position(|c| !c) else {
                        return Ok(ControlFlow::Continue(()));
                    };
                    chosen[..k].fill(false);
                    chosen[k] = true;
                }
            }
            _ => {}
        }
        let v = self.eval(set, frame, scope)?;
        let Some(items) = v.elements() else {
            return Err(internal(span, "not a set or list"));
        };
        for item in items {
            self.charge(1, span)?;
            let flow = match places {
                [_] => bind(frame, places, [item.clone()], each),
                _ => match item.parts() {
                    Some(parts) => bind(frame, places, parts, each),
                    None => continue,
                },
            };
            if flow?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

fn clone_place(p: &Place) -> Place {
    match p {
        Place::New(s) => Place::New(*s),
        Place::Same(s) => Place::Same(*s),
    }
}

/// Binds or matches the places, calls `each`, and unbinds the new variables again. A value of another shape, such as a label
/// with more arguments, does not match.
fn bind(
    frame: &mut Frame,
    places: &[Place],
    values: impl IntoIterator<Item = Val, IntoIter: ExactSizeIterator>,
    each: Each<'_>,
) -> Res<ControlFlow<()>> {
    let values = values.into_iter();
    if places.len() != values.len() {
        return Ok(ControlFlow::Continue(()));
    }
    let mut fits = true;
    for (place, v) in places.iter().zip(values) {
        match place {
            Place::New(slot) => frame.set(*slot, v),
            Place::Same(slot) => fits = fits && frame.get(*slot) == Some(&v),
        }
    }
    let flow = if fits {
        each(frame)
    } else {
        Ok(ControlFlow::Continue(()))
    };
    // A fault keeps the bindings for its message.
    if flow.is_ok() {
        for place in places {
            if let Place::New(slot) = place {
                frame.clear(*slot);
            }
        }
    }
    flow
}

/// Whether a cell (or another site) is on the board and present.
fn is_real(v: &Val, scope: Scope<'_>, span: Span) -> Res<bool> {
    let view = super::need_view(scope, span)?;
    Ok(match v {
        Val::Edge(_) => view.board.find_edge(v).is_some_and(|e| view.has_edge(e)),
        _ => view.board.find(v).is_some_and(|s| view.has_site(s)),
    })
}

/// All present sites of a kind, in board order.
fn site_values(kind: SiteKind, scope: Scope<'_>, span: Span) -> Res<Vec<Val>> {
    if let Some(builder) = scope.building {
        return Ok(builder.labels().to_vec());
    }
    let view: View<'_> = super::need_view(scope, span)?;
    let board = view.board;
    Ok(match kind {
        SiteKind::Edge => view.edges().filter_map(|e| board.edge(e)).collect(),
        SiteKind::Heap => {
            let (_, state) = need_here(scope, span)?;
            let heaps = state.heaps.iter();
            heaps
                .map(|h| match &h[..] {
                    [n] => Val::Int(n.clone()),
                    more => Val::tuple(more.iter().cloned().map(Val::Int).collect()),
                })
                .collect()
        }
        _ => view.sites().map(|s| board.label(s)).collect(),
    })
}

/// All present edges or arcs, as pairs of ends.
fn line_values(scope: Scope<'_>, span: Span) -> Res<Vec<(Val, Val)>> {
    if let Some(b) = scope.building {
        let ends = |(u, v): &(u32, u32)| {
            (
                b.labels()[*u as usize].clone(),
                b.labels()[*v as usize].clone(),
            )
        };
        return Ok(b.lines().iter().map(ends).collect());
    }
    let view = super::need_view(scope, span)?;
    let board = view.board;
    if !board.kind.has_edges() {
        return Err(internal(span, "a board without edges"));
    }
    Ok(view
        .edges()
        .filter_map(|e| board.lines.get(e as usize))
        .map(|(u, v)| (board.label(*u), board.label(*v)))
        .collect())
}
