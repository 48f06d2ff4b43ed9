//! Removal games on an order: if every move is the removal of a site with all sites above it in some order, finds this order,
//! restricted to the sites that are left. A position is then the set of its sites.
//!
//! There are two ways. The first reads the text of the rules, so that a board need not be ground (the moves of a chain of n
//! points write n²/2 times): a move chooses a site, under no condition, and removes a set `up(x)`, `down(x)` or, on a
//! digraph, `reach(x)`. The second reads the ground instances, whatever the text: each asks for one variable with two values,
//! and turns it and others to their second value; and a variable that it turns turns only variables that it turns itself.

use crate::game::Convention;
use crate::ir::ground::{Ground, Write};
use crate::ir::{Instance, Setting, State};
use crate::model::typed::{
    AllSites, BinderKind, Builtin, By, EffectKind, Expr, ExprKind, Lines, Move, Place, SitesFrom,
    Slot,
};
use rustc_hash::FxHashMap;

/// The most variables that are turned, for the second way.
const MOST_VARIABLES: usize = 2048;

/// A removal game on an order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Removal {
    /// Number of points.
    pub points: usize,
    /// The name of each point, increasing: its site, or the first of its variables that are left. A point keeps its name
    /// during play, which turns all variables of a point at once.
    pub names: Vec<u32>,
    /// Pairs (x, y) of indices of points that generate the order: the removal of x removes y, too.
    pub pairs: Vec<(u32, u32)>,
}

/// Whether there are two players, and the rules are those of normal play with values.
fn is_short(instance: &Instance) -> bool {
    instance.players.len() == 2
        && instance.convention == Convention::Normal
        && instance.has_values()
}

/// The order in which sites are removed, from the text of the rules; `None` if the rules are of another kind.
#[must_use]
pub fn by_rules(setting: &Setting, state: &State) -> Option<Removal> {
    let instance = &setting.instance;
    if !is_short(instance) || instance.rules.moves.iter().any(|m| m.repeat.is_some()) {
        return None;
    }
    let rules = &instance.rules;
    if rules.moves.is_empty() || !matches!(setting.board.kind.lines(), Lines::Order | Lines::Arcs) {
        return None;
    }
    let ways: Option<Vec<SitesFrom>> = rules.moves.iter().map(way).collect();
    let ways = ways?;
    let makers = rules.moves.iter().fold(0u8, |all, m| match m.by {
        By::Each(_) | By::Anyone => 3,
        By::One(_) if instance.everyone => 3,
        By::One(p) => all | 1 << p.min(7),
    });
    if makers != 3 || ways.iter().any(|w| *w != ways[0]) {
        return None;
    }
    // In a poset a line leads up; in a digraph it leads along its arc.
    let forth = match (ways[0], setting.board.kind.lines()) {
        (SitesFrom::Up, Lines::Order) | (SitesFrom::Reach, Lines::Arcs) => true,
        (SitesFrom::Down, Lines::Order) => false,
        _ => return None,
    };
    if setting.board.kind.has_arcs() && setting.board.find_cycle().is_some() {
        return None;
    }
    let sites = setting.board.sites();
    let mut number = vec![u32::MAX; sites];
    let mut names = Vec::new();
    for (s, n) in (0u32..).zip(&mut number) {
        if state.has_site(setting, s) {
            *n = u32::try_from(names.len()).ok()?;
            names.push(s);
        }
    }
    let mut pairs = Vec::with_capacity(setting.board.lines.len());
    for (u, v) in &setting.board.lines {
        let (x, y) = if forth { (*u, *v) } else { (*v, *u) };
        match (number[x as usize], number[y as usize]) {
            (_, u32::MAX) => {}
            // A site is removed, but one that its removal would have removed is there: these rules cannot have led to this.
            (u32::MAX, _) => return None,
            (x, y) => pairs.push((x, y)),
        }
    }
    Some(Removal {
        points: names.len(),
        names,
        pairs,
    })
}

/// The set that a move removes, if it does nothing else.
fn way(rule: &Move) -> Option<SitesFrom> {
    let [stage] = &rule.stages[..] else {
        return None;
    };
    let ([binder], [], [effect]) = (
        &stage.binders[..],
        &stage.conditions[..],
        &stage.effects[..],
    ) else {
        return None;
    };
    let slot = match &binder.kind {
        BinderKind::Sites(Place::New(slot), _) => *slot,
        BinderKind::In(places, set) => match (&places[..], &*set.kind) {
            (
                [Place::New(slot)],
                ExprKind::Builtin(Builtin::AllSites(AllSites::Points | AllSites::Vertices), of),
            ) if of.is_empty() => *slot,
            _ => return None,
        },
        _ => return None,
    };
    let EffectKind::Remove(list) = &effect.kind else {
        return None;
    };
    let mut found = None;
    for e in list {
        match &*e.kind {
            ExprKind::Slot(s) if *s == slot => {}
            ExprKind::Builtin(
                Builtin::SitesFrom(from @ (SitesFrom::Up | SitesFrom::Down | SitesFrom::Reach)),
                of,
            ) if is_slot(of, slot) && found.is_none_or(|f| f == *from) => {
                found = Some(*from);
            }
            _ => return None,
        }
    }
    found
}

fn is_slot(of: &[Expr], slot: Slot) -> bool {
    matches!(of, [e] if matches!(&*e.kind, ExprKind::Slot(s) if *s == slot))
}

/// The order in which variables are turned, from the ground instances, restricted to those not yet turned at a state.
#[must_use]
pub fn by_instances(ground: &Ground, state: &State) -> Option<Removal> {
    let instance = &ground.setting.instance;
    if !is_short(instance) || ground.asks() {
        return None;
    }
    // For each variable in a guard: the value asked for, and the variables turned.
    let mut turned: FxHashMap<u32, (u8, Vec<u32>)> = FxHashMap::default();
    for m in &ground.instances {
        if m.players & 3 != 3 || m.fault.is_some() || m.keep.is_some() {
            return None;
        }
        let [(var, set)] = m.guard[..] else {
            return None;
        };
        if ground.values[var as usize].len() != 2 || set.count_ones() != 1 {
            return None;
        }
        let value = u8::try_from(set.trailing_zeros()).ok()?;
        let mut others = Vec::with_capacity(m.update.len());
        for (v, write) in &m.update {
            let Write::Value(n) = write else {
                return None;
            };
            if ground.values[*v as usize].len() == 2 {
                others.push(*v);
            }
            if *v == var && *n == value {
                return None;
            }
        }
        if !others.contains(&var) || turned.len() >= MOST_VARIABLES {
            return None;
        }
        match turned.get(&var) {
            Some((v, o)) if *v == value && *o == others => {}
            Some(_) => return None,
            None => {
                turned.insert(var, (value, others));
            }
        }
    }
    // No write may restore a value that is asked for. Other variables do not matter.
    for m in &ground.instances {
        for (v, write) in &m.update {
            if let (Some((value, _)), Write::Value(n)) = (turned.get(v), write)
                && n == value
            {
                return None;
            }
        }
    }
    let mut vars: Vec<u32> = turned.keys().copied().collect();
    vars.sort_unstable();
    let words = vars.len().div_ceil(64);
    let place: FxHashMap<u32, usize> = vars.iter().enumerate().map(|(i, v)| (*v, i)).collect();
    let mut sets = vec![vec![0u64; words]; vars.len()];
    for (i, v) in vars.iter().enumerate() {
        for other in &turned[v].1 {
            if let Some(j) = place.get(other) {
                sets[i][j / 64] |= 1 << (j % 64);
            }
        }
    }
    let has = |i: usize, j: usize| sets[i][j / 64] >> (j % 64) & 1 == 1;
    for i in 0..vars.len() {
        for j in (0..vars.len()).filter(|j| has(i, *j)) {
            if sets[i].iter().zip(&sets[j]).any(|(a, b)| b & !a != 0) {
                return None;
            }
        }
    }
    let numbers = ground.numbers(state)?;
    let there = |i: usize| numbers.get(vars[i] as usize) == Some(&turned[&vars[i]].0);
    // Variables that turn each other are one point, named after the first of them that is not yet turned: a state that is
    // given may have turned some of them and not others.
    let same = |i: usize, j: usize| has(i, j) && has(j, i);
    let points: Vec<usize> = (0..vars.len())
        .filter(|i| there(*i) && !(0..*i).any(|j| there(j) && same(*i, j)))
        .collect();
    let mut pairs = Vec::new();
    for (x, i) in (0u32..).zip(&points) {
        for (y, j) in (0u32..).zip(&points) {
            if i != j && has(*i, *j) {
                pairs.push((x, y));
            }
        }
    }
    Some(Removal {
        points: points.len(),
        names: points.iter().map(|i| vars[*i]).collect(),
        pairs,
    })
}
