//! Evaluates position literals: a ruleset with arguments, a board with its pieces and fields give the initial state.

use super::{Evaluator, Frame, Scope, outside};
use crate::base::Span;
use crate::board::{Board, Mark, Place};
use crate::fault::{Code, Fault, Res};
use crate::instance::{Instance, Setting};
use crate::int::Int;
use crate::model::typed::{
    Field, FieldTarget, Form, Lines, PositionLiteral, RulesetId, SiteKind, Sort, StateId, StateVar,
};
use crate::position::{Position, State};
use crate::val::{Piece, Val};
use std::sync::Arc;

impl Evaluator<'_> {
    pub(super) fn position(
        &self,
        literal: &PositionLiteral,
        span: Span,
        frame: &mut Frame,
        scope: Scope<'_>,
    ) -> Res<Position> {
        let arguments = self.eval_all(&literal.arguments, frame, scope)?;
        let instance = self.instance(literal.ruleset, arguments, span)?;
        let inner = Scope {
            here: scope.here,
            instance: Some(&instance),
            building: None,
            kind: Some(instance.rules.board),
        };
        let board = self.board(&literal.board, frame, inner)?;
        self.position_on(
            &instance,
            Arc::new(board),
            &literal.fields,
            frame,
            inner,
            span,
        )
    }

    /// The position of a ruleset on a given board, without fields.
    ///
    /// # Errors
    /// The pieces on the board do not fit the ruleset.
    pub fn position_of(
        &self,
        ruleset: RulesetId,
        arguments: Vec<Val>,
        board: Arc<Board>,
        span: Span,
    ) -> Res<Position> {
        let instance = self.instance(ruleset, arguments, span)?;
        let scope = Scope {
            instance: Some(&instance),
            ..Scope::default()
        };
        self.position_on(&instance, board, &[], &mut Frame::default(), scope, span)
    }

    fn position_on(
        &self,
        instance: &Arc<Instance>,
        board: Arc<Board>,
        fields: &[Field],
        frame: &mut Frame,
        scope: Scope<'_>,
        span: Span,
    ) -> Res<Position> {
        if instance.rules.acyclic
            && let Some(cycle) = board.find_cycle()
        {
            let mut names: Vec<String> = cycle
                .iter()
                .take(12)
                .map(|s| crate::draw::label(&board.label(*s)))
                .collect();
            if cycle.len() > names.len() {
                names.push("..".into());
            }
            names.extend(names.first().cloned());
            return Err(Fault::new(
                Code::Board,
                span,
                format!("the digraph has a cycle: {}", names.join(" -> ")),
            )
            .help(format!("{} asks for an acyclic digraph", instance.name)));
        }
        let setting = Setting::new(instance.clone(), board)?;
        self.charge(setting.layout.len() as u64, span)?;
        let mut vars: Vec<Option<Val>> = (0..setting.layout.len())
            .map(|v| setting.default(v))
            .collect();
        for mark in &setting.board.marks {
            place_mark(&setting, mark, &mut vars)?;
        }
        // The variables given so far. A second value must be refused, not silently replace the first.
        let mut given: Vec<bool> = match fields {
            [] => Vec::new(),
            _ => (0..vars.len())
                .map(|v| vars[v] != setting.default(v))
                .collect(),
        };
        for field in fields {
            for (var, value) in self.field(&setting, field, frame, scope)? {
                if std::mem::replace(&mut given[var], true) {
                    let name = crate::draw::var(&setting, var);
                    let twice = format!("{name} is given two initial values");
                    return Err(Fault::new(Code::Initial, field.span, twice).help(
                        "leave one of them out: a piece on the board and a field are both values",
                    ));
                }
                vars[var] = Some(value);
            }
        }
        let mut state = State {
            heaps: setting.board.heaps.clone(),
            vars: Vec::with_capacity(vars.len()),
            entailed: setting.board.entailed_at_start(),
        };
        if state.entailed.is_some() && !instance.rules.entails() {
            return Err(Fault::new(
                Code::Board,
                span,
                format!(
                    "a heap is marked with `!`, but no move of {} entails its answer",
                    instance.name
                ),
            ));
        }
        for (i, v) in vars.into_iter().enumerate() {
            state
                .vars
                .push(v.ok_or_else(|| without_value(&setting, i, span))?);
        }
        state.settle();
        Ok(Position::single(Arc::new(setting), state))
    }

    /// The variables that a field sets, with their values.
    fn field(
        &self,
        setting: &Setting,
        field: &Field,
        frame: &mut Frame,
        scope: Scope<'_>,
    ) -> Res<Vec<(usize, Val)>> {
        let value = self.eval(&field.value, frame, scope)?;
        let initial = |message: String| Fault::new(Code::Initial, field.span, message);
        match &field.target {
            FieldTarget::At(site) => {
                let v = self.eval(site, frame, scope)?;
                let var = match &v {
                    Val::Edge(_) => setting
                        .board
                        .find_edge(&v)
                        .and_then(|e| setting.layout.edge_at(e)),
                    _ => setting.board.find(&v).and_then(|s| setting.layout.at(s)),
                };
                let Some(var) = var else {
                    return Err(Fault::new(
                        Code::OffBoard,
                        site.span,
                        format!("{} is not on the board", crate::draw::label(&v)),
                    ));
                };
                let piece = self.piece_value(&value, field.value.span, scope)?;
                Ok(vec![(var, Val::Piece(piece))])
            }
            FieldTarget::State(f, args) => {
                let mut args = self.eval_all(args, frame, scope)?;
                for arg in &mut args {
                    let directed = matches!(arg, Val::List(_));
                    if let Val::Set(ends) | Val::List(ends) = arg {
                        *arg = joining(setting, ends, directed).map_err(initial)?;
                    }
                }
                let Some(var) = setting.state_var(*f, &args) else {
                    return Err(outside(setting, *f, &args, field.span));
                };
                let v = self.state_value(setting, *f, value, field.value.span, scope)?;
                Ok(vec![(var, v)])
            }
            FieldTarget::Whole(f) => {
                let range = setting.layout.state_range(*f);
                let Some(items) = value.elements() else {
                    return Err(initial("a list of values is expected here".into()));
                };
                if items.len() != range.len() {
                    return Err(initial(format!(
                        "{} values for {} places",
                        items.len(),
                        range.len()
                    ))
                    .help("the list gives a value for each site in board order"));
                }
                range
                    .zip(items)
                    .map(|(var, v)| {
                        let v =
                            self.state_value(setting, *f, v.clone(), field.value.span, scope)?;
                        Ok((var, v))
                    })
                    .collect()
            }
        }
    }

    fn piece_value(&self, v: &Val, span: Span, scope: Scope<'_>) -> Res<Piece> {
        if let Val::Piece(p) = v {
            return Ok(*p);
        }
        let name = self.glyph(v, span, scope)?;
        let instance = super::need_instance(scope, span)?;
        find_piece(instance, &name, span)
    }

    fn state_value(
        &self,
        setting: &Setting,
        f: StateId,
        v: Val,
        span: Span,
        scope: Scope<'_>,
    ) -> Res<Val> {
        let Some(decl) = setting.instance.rules.state.get(f.0 as usize) else {
            return Err(super::internal(span, "an unknown state function"));
        };
        if decl.sort == Sort::Piece {
            return Ok(Val::Piece(self.piece_value(&v, span, scope)?));
        }
        fit_state(setting, decl, v, span)
    }
}

/// The only edge with these ends, or the only arc from the first to the second.
fn joining(setting: &Setting, ends: &[Val], directed: bool) -> Result<Val, String> {
    let board = &setting.board;
    if directed && board.kind.lines() != Lines::Arcs {
        return Err("the edges of this board have no direction: write `u -- v`".into());
    }
    // Labels may be written in several ways: `c[1]` is site 1 of a constructor's board.
    let sites: Vec<Option<u32>> = ends.iter().map(|v| board.find(v)).collect();
    let joins = |e: &u32| {
        board
            .lines
            .get(*e as usize)
            .is_some_and(|(u, v)| match sites[..] {
                [Some(a), Some(b)] => (*u, *v) == (a, b) || !directed && (*u, *v) == (b, a),
                // The set of the ends of a loop.
                [Some(a)] => (*u, *v) == (a, a),
                _ => false,
            })
    };
    let mut found = (0u32..).take(board.lines.len()).filter(joins);
    match (found.next().and_then(|e| board.edge(e)), found.next()) {
        (Some(edge), None) => Ok(edge),
        (None, _) if directed => Err("there is no arc from the first to the second".into()),
        (None, _) => Err("there is no edge with these ends".into()),
        (Some(_), Some(_)) if !directed && board.kind.lines() == Lines::Arcs => {
            Err("several arcs have these ends: write `u -> v`, or give all values in a list, in board order".into())
        }
        (Some(_), Some(_)) => {
            Err("several edges have these ends: give all values in a list, in board order".into())
        }
    }
}

/// Converts a value to the declared sort of a state variable: naturals must not be negative, sites must be on the board.
pub(crate) fn fit_state(setting: &Setting, decl: &StateVar, v: Val, span: Span) -> Res<Val> {
    match (&decl.sort, v) {
        (Sort::Int, Val::Int(n)) if decl.natural && n.is_negative() => Err(Fault::new(
            Code::NegativeNat,
            span,
            format!("{} is a natural number, it cannot be {n}", decl.name),
        )),
        (Sort::Int, v @ Val::Game(_)) => Err(super::no_integer(&v, span)),
        (Sort::Site(SiteKind::Edge), v) => match setting.board.find_edge(&v) {
            Some(_) => Ok(v),
            None => Err(off(&v, span)),
        },
        (Sort::Site(SiteKind::Heap), v) => Ok(v),
        (Sort::Site(_) | Sort::Label, v) => match setting.board.find(&v) {
            Some(s) => Ok(setting.board.label(s)),
            None => Err(off(&v, span)),
        },
        (_, v) => Ok(v),
    }
}

fn off(v: &Val, span: Span) -> Box<Fault> {
    Fault::new(
        Code::OffBoard,
        span,
        format!("{} is not on the board", crate::draw::label(v)),
    )
}

fn find_piece(instance: &Instance, name: &str, span: Span) -> Res<Piece> {
    match name {
        "." | "empty" => return Ok(Piece::Empty),
        "#" | "wall" => return Ok(Piece::Wall),
        _ => {}
    }
    instance.piece(name).map(Piece::Declared).ok_or_else(|| {
        let names: Vec<&str> = instance.pieces.iter().map(|p| &*p.name).collect();
        let fault = Fault::new(
            Code::UnknownGlyph,
            span,
            format!("{name} is not a piece of {}", instance.name),
        );
        if names.is_empty() {
            fault.help("it has no pieces: `.` is an empty cell, `#` a wall, and an empty board is `grid(3, 4)`")
        } else {
            fault.help(format!(
                "its pieces are {}; `.` is an empty cell, `#` a wall",
                names.join(", ")
            ))
        }
    })
}

/// The state function that counts pieces on sites, and whether the site is its first argument.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Counter {
    /// The state function.
    pub f: StateId,
    site_first: bool,
}

impl Counter {
    /// The variable that counts a piece on a site.
    pub fn var(self, setting: &Setting, piece: u32, site: u32) -> Option<usize> {
        let args = if self.site_first {
            [site, piece]
        } else {
            [piece, site]
        };
        setting.layout.state(self.f, &args)
    }
}

/// The state function that counts pieces on sites, if the ruleset has one.
pub(crate) fn counter(instance: &Instance) -> Option<Counter> {
    let is_site = |s: &Sort| matches!(s, Sort::Site(k) if *k != SiteKind::Edge);
    let functions = instance.rules.state.iter().enumerate();
    let mut counting = functions.filter(|(_, f)| f.sort == Sort::Int);
    counting.find_map(|(i, f)| {
        let site_first = match &f.arguments[..] {
            [Sort::Piece, s] if is_site(s) => false,
            [s, Sort::Piece] if is_site(s) => true,
            _ => return None,
        };
        let f = StateId(u32::try_from(i).ok()?);
        Some(Counter { f, site_first })
    })
}

fn place_mark(setting: &Setting, mark: &Mark, vars: &mut [Option<Val>]) -> Res<()> {
    let instance = &setting.instance;
    let initial = |message: String| Fault::new(Code::Initial, mark.span, message);
    let piece = find_piece(instance, &mark.glyph, mark.span)?;
    let cells = setting.board.has_cells();
    let var = match (piece, mark.place) {
        (Piece::Empty, _) => return Ok(()),
        (Piece::Wall, Place::Site(s)) if cells => setting.layout.at(s),
        (Piece::Declared(k), place) => {
            let on_edges = instance.pieces[usize::from(k)].on_edges;
            let edge = matches!(place, Place::Edge(_));
            if on_edges != edge {
                return Err(initial(format!(
                    "{} lies on {}, not on {}",
                    mark.glyph,
                    if on_edges { "edges" } else { "sites" },
                    if edge { "edges" } else { "sites" }
                )));
            }
            if let (Place::Site(s), Some(f), false) = (place, counter(instance), cells) {
                let var = f.var(setting, u32::from(k), s);
                let count = mark.count.clone().unwrap_or(Int::ONE);
                if count.is_negative() {
                    return Err(Fault::new(
                        Code::NegativeNat,
                        mark.span,
                        format!("{count} pieces: a count is a natural number"),
                    ));
                }
                if let Some(slot @ Some(Val::Int(_))) = var.and_then(|v| vars.get_mut(v))
                    && let Some(Val::Int(n)) = slot.clone()
                {
                    let sum = n
                        .add(&count)
                        .map_err(|f| super::ops::arithmetic(f, mark.span))?;
                    *slot = Some(Val::Int(sum));
                }
                return Ok(());
            }
            match place {
                Place::Site(s) => setting.layout.at(s),
                Place::Edge(e) => setting.layout.edge_at(e),
            }
        }
        _ => None,
    };
    match &mark.count {
        None | Some(Int::Small(1)) => {}
        Some(Int::Small(0)) => return Ok(()),
        Some(n) => {
            return Err(initial(format!(
                "{n} pieces on one site, but {} counts no pieces",
                instance.name
            ))
            .help("a state function of a piece and a vertex counts: `state pebbles(piece, vertex): nat`"));
        }
    }
    let Some(slot) = var.and_then(|v| vars.get_mut(v)) else {
        return Err(initial(format!("{} cannot lie here", mark.glyph)));
    };
    match slot {
        Some(Val::Piece(Piece::Empty)) => *slot = Some(Val::Piece(piece)),
        Some(Val::Piece(other)) if *other == piece => {}
        Some(Val::Piece(other)) => {
            let other = instance.piece_name(*other);
            return Err(initial(format!("{other} and {} on one site", mark.glyph)));
        }
        _ => {}
    }
    Ok(())
}

fn without_value(setting: &Setting, var: usize, span: Span) -> Box<Fault> {
    let name = crate::draw::var(setting, var);
    let scalars = setting.board.kind.form() == Form::Scalars;
    Fault::new(Code::Initial, span, format!("{name} has no initial value")).help(if scalars {
        format!("write it between the brackets: [{name}: ..]")
    } else {
        format!("write it after the board: [.., {name}: ..]")
    })
}
