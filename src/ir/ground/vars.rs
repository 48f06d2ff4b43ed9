//! The variables of the ground instances: those of the layout, with redundant ones merged.
//!
//! A vertex and the piece on it are one variable, with value `off` once the vertex is removed. If no rule removes edges by
//! themselves, edges have no variables: they are present as long as both their ends are.

use crate::board::Place;
use crate::instance::{Setting, Var};
use crate::int::Int;
use crate::model::typed::{
    AllSites, Builtin, Effect, EffectKind, Expr, ExprKind, SiteKind, Sort, StateId,
};
use crate::position::State;
use crate::val::{Piece, Val};
use std::collections::BTreeMap;

/// The maximal number of values of one variable: a set of values is a bit set in one word.
pub const MAX_VALUES: usize = 64;

/// The meaning of a variable of the ground instances.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GroundVar {
    /// A site with the piece on it: a [`Val::Piece`]; [`Piece::Off`] (vertices, elements) or [`Piece::Wall`] (cells) once
    /// it is removed.
    Site(u32),
    /// Whether a site is present: a [`Val::Bool`]. Used if there are no pieces on sites.
    Present(u32),
    /// An edge, with the piece on it.
    Edge(u32),
    /// Whether an edge is present. Used if there are no pieces on edges.
    EdgePresent(u32),
    /// A state function at its arguments, by its number in the layout.
    State(usize),
}

/// The variables of one setting.
#[derive(Clone, Debug)]
pub struct Vars {
    /// The meaning of each variable.
    pub list: Vec<GroundVar>,
    site: Vec<Option<u32>>,
    edge: Vec<Option<u32>>,
    state: Vec<Option<u32>>,
    /// Whether edges have no variables of their own.
    pub fixed_edges: bool,
    /// Whether some state function has a site or an edge among its arguments.
    pub state_on_places: bool,
    /// Values fixed with the board, by number in the layout.
    pub fixed: BTreeMap<usize, Val>,
}

impl Vars {
    /// The variables of a setting; fixed values are read from `state`.
    #[must_use]
    pub fn new(setting: &Setting, state: &State) -> Vars {
        let (board, layout) = (&setting.board, &setting.layout);
        let mut vars = Vars {
            list: Vec::new(),
            site: vec![None; board.sites()],
            edge: vec![None; board.lines.len()],
            state: vec![None; layout.len()],
            fixed_edges: false,
            state_on_places: false,
            fixed: BTreeMap::new(),
        };
        let mut over_edges = false;
        for f in setting.instance.rules.state.iter().filter(|f| !f.fixed) {
            for sort in &f.arguments {
                match sort {
                    Sort::Site(SiteKind::Edge) => over_edges = true,
                    Sort::Site(_) | Sort::Label => {}
                    _ => continue,
                }
                vars.state_on_places = true;
            }
        }
        let graph = board.kind.has_edges();
        vars.fixed_edges = graph
            && board.spare == 0
            && layout.edge_at(0).is_none()
            && !over_edges
            && !removes_edges(setting);
        for s in 0..board.sites() {
            let n = u32::try_from(s).unwrap_or(u32::MAX);
            let var = match (layout.at(n), layout.present(n)) {
                (Some(_), _) => GroundVar::Site(n),
                (None, Some(_)) => GroundVar::Present(n),
                (None, None) => continue,
            };
            vars.site[s] = Some(vars.push(var));
        }
        if graph && !vars.fixed_edges {
            for e in 0..board.lines.len() {
                let n = u32::try_from(e).unwrap_or(u32::MAX);
                let var = if layout.edge_at(n).is_some() {
                    GroundVar::Edge(n)
                } else {
                    GroundVar::EdgePresent(n)
                };
                vars.edge[e] = Some(vars.push(var));
            }
        }
        for (f, declared) in setting.instance.rules.state.iter().enumerate() {
            let range = layout.state_range(StateId(u32::try_from(f).unwrap_or(u32::MAX)));
            if declared.fixed {
                let held = range.filter_map(|v| Some((v, state.vars.get(v)?.clone())));
                vars.fixed.extend(held);
                continue;
            }
            for var in range {
                vars.state[var] = Some(vars.push(GroundVar::State(var)));
            }
        }
        vars
    }

    fn push(&mut self, var: GroundVar) -> u32 {
        self.list.push(var);
        u32::try_from(self.list.len() - 1).unwrap_or(u32::MAX)
    }

    /// The variable of a site.
    #[must_use]
    pub fn site(&self, site: u32) -> Option<u32> {
        self.site.get(site as usize).copied().flatten()
    }

    /// The variable of an edge.
    #[must_use]
    pub fn edge(&self, edge: u32) -> Option<u32> {
        self.edge.get(edge as usize).copied().flatten()
    }

    /// The variable of a state function, by its number in the layout.
    #[must_use]
    pub fn state(&self, var: usize) -> Option<u32> {
        self.state.get(var).copied().flatten()
    }

    /// The value of a variable at a state.
    #[must_use]
    pub fn value(&self, setting: &Setting, state: &State, var: u32) -> Val {
        let layout = &setting.layout;
        let truth = |v: Option<usize>| v.and_then(|v| state.vars.get(v)) == Some(&Val::Bool(true));
        match self.list.get(var as usize) {
            Some(GroundVar::Site(s)) => Val::Piece(state.at(setting, Place::Site(*s))),
            Some(GroundVar::Edge(e)) => Val::Piece(state.at(setting, Place::Edge(*e))),
            Some(GroundVar::Present(s)) => Val::Bool(truth(layout.present(*s))),
            Some(GroundVar::EdgePresent(e)) => Val::Bool(truth(layout.edge_present(*e))),
            Some(GroundVar::State(v)) => {
                let v = state.vars.get(*v).cloned();
                v.unwrap_or(Val::Int(Int::ZERO))
            }
            None => Val::Bool(false),
        }
    }

    /// Writes a value of a variable into a state. Does not update edges without variables: see [`Vars::finish`].
    pub fn put(&self, setting: &Setting, state: &mut State, var: u32, value: &Val) {
        let layout = &setting.layout;
        let gone = *value == Val::Piece(Piece::Off);
        let mut set = |v: Option<usize>, value: Val| {
            if let Some(place) = v.and_then(|v| state.vars.get_mut(v)) {
                *place = value;
            }
        };
        match self.list.get(var as usize) {
            Some(GroundVar::Site(s)) => {
                set(layout.at(*s), value.clone());
                set(layout.present(*s), Val::Bool(!gone));
            }
            Some(GroundVar::Edge(e)) => {
                set(layout.edge_at(*e), value.clone());
                set(layout.edge_present(*e), Val::Bool(!gone));
            }
            Some(GroundVar::Present(s)) => set(layout.present(*s), value.clone()),
            Some(GroundVar::EdgePresent(e)) => set(layout.edge_present(*e), value.clone()),
            Some(GroundVar::State(v)) => set(Some(*v), value.clone()),
            None => {}
        }
    }

    /// Removes the edges of removed vertices from a state.
    pub fn finish(&self, setting: &Setting, state: &mut State) {
        if !self.fixed_edges {
            return;
        }
        for (e, (u, v)) in setting.board.lines.iter().enumerate() {
            let there = state.has_site(setting, *u) && state.has_site(setting, *v);
            let var = setting
                .layout
                .edge_present(u32::try_from(e).unwrap_or(u32::MAX));
            if let Some(place) = var.and_then(|v| state.vars.get_mut(v)) {
                *place = Val::Bool(there);
            }
        }
    }

    /// The name of a variable: `at(a)`, `pebbles(b, v)`; the site or the edge itself for whether it is there.
    #[must_use]
    pub fn name(&self, setting: &Setting, var: u32) -> String {
        use crate::draw;
        let board = &setting.board;
        let edge = |e: u32| board.edge(e).map_or_else(String::new, |v| draw::label(&v));
        match self.list.get(var as usize) {
            Some(GroundVar::Site(s)) => format!("at({})", draw::label(&board.label(*s))),
            Some(GroundVar::Present(s)) => draw::label(&board.label(*s)),
            Some(GroundVar::Edge(e)) => format!("at({})", edge(*e)),
            Some(GroundVar::EdgePresent(e)) => edge(*e),
            Some(GroundVar::State(v)) => draw::var(setting, *v),
            None => "?".to_owned(),
        }
    }

    /// A number for each class of variables whose values have the same meaning: sites, edges, or the variables of one state
    /// function.
    #[must_use]
    pub fn block(&self, setting: &Setting, var: u32) -> u32 {
        match self.list.get(var as usize) {
            Some(GroundVar::Site(_)) => 0,
            Some(GroundVar::Present(_)) => 1,
            Some(GroundVar::Edge(_)) => 2,
            Some(GroundVar::EdgePresent(_)) => 3,
            Some(GroundVar::State(v)) => match setting.var(*v) {
                Some(Var::State(f, _)) => 4 + f.0,
                _ => 4,
            },
            None => 4,
        }
    }
}

/// Whether some effect of the ruleset may remove an edge without its ends.
fn removes_edges(setting: &Setting) -> bool {
    let moves = &setting.instance.rules.moves;
    let stages = moves.iter().flat_map(|m| &m.stages);
    stages.flat_map(|s| &s.effects).any(effect_removes_edges)
}

fn effect_removes_edges(effect: &Effect) -> bool {
    match &effect.kind {
        EffectKind::Remove(list) => list.iter().any(may_be_edges),
        EffectKind::Keep(e) => may_be_edges(e),
        EffectKind::Each(_, _, inner) => effect_removes_edges(inner),
        _ => false,
    }
}

fn may_be_edges(e: &Expr) -> bool {
    fn sort_may(sort: &Sort) -> bool {
        match sort {
            Sort::Site(SiteKind::Edge) | Sort::Label | Sort::Unknown => true,
            Sort::Set(s) | Sort::List(s) => sort_may(s),
            _ => false,
        }
    }
    if let ExprKind::Elements(items) = &*e.kind {
        return items.iter().any(may_be_edges);
    }
    if let ExprKind::Builtin(b, _) = &*e.kind {
        return matches!(
            b,
            Builtin::AllSites(AllSites::Edges | AllSites::Arcs) | Builtin::Subsets
        );
    }
    sort_may(&e.sort)
}
