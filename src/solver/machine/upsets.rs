//! A ruleset on a board comes in; if a move of anybody is nothing but the removal of a site with all that lies above it in
//! some order of the sites, that order goes out, restricted to what is there. A position is then the set of its sites.
//!
//! Two ways lead there. The rules' text is read as it stands, so that a board need not be ground (the moves of a chain of
//! n points write n²/2 times): a move chooses a site, under no condition, and removes a set `up(x)`, `down(x)` or, on a
//! digraph, `reach(x)`. Or the ground instances are looked at, however the rules are worded: each asks for one variable
//! that has two values, and turns it and others to their second value; and what it turns, turns no more than it does.

use crate::game::Convention;
use crate::ir::ground::{Ground, Write};
use crate::ir::{Instance, Setting, State};
use crate::model::typed::{
    AllSites, BinderKind, Builtin, By, EffectKind, Expr, ExprKind, Lines, Move, Place, SitesFrom,
    Slot,
};
use rustc_hash::FxHashMap;

/// The most variables whose instances are looked at.
const MOST_VARIABLES: usize = 2048;

/// A removal game on an order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Removal {
    /// How many points there are.
    pub points: usize,
    /// What each point is called, increasing: its site, or the first of its variables. A point keeps its name while play
    /// goes on.
    pub names: Vec<u32>,
    /// Pairs (x, y) that generate the order: the removal of x takes y along.
    pub pairs: Vec<(u32, u32)>,
}

/// Two players of whom the last to move wins, whatever else happens.
fn is_short(instance: &Instance) -> bool {
    instance.players.len() == 2
        && instance.convention == Convention::Normal
        && instance.has_values()
}

/// The order in which sites are removed, from the text of the rules.
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
    // In a poset a line leads up, in a digraph it can be walked along.
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
            // Something is gone, what it takes along is there: not by these rules.
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

/// The order in which variables are turned, from the ground instances; of those that are not yet turned at a state.
#[must_use]
pub fn by_instances(ground: &Ground, state: &State) -> Option<Removal> {
    let instance = &ground.setting.instance;
    if !is_short(instance) || ground.asks() {
        return None;
    }
    // For each variable that is asked for: with which value, and what is turned.
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
    // Writes turn away from the value that is asked for; what nobody asks for does not matter.
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
    // Two that turn each other are one point.
    let first = |i: usize| (0..=i).find(|j| has(i, *j) && has(*j, i)).unwrap_or(i);
    let points: Vec<usize> = (0..vars.len())
        .filter(|i| there(*i) && first(*i) == *i)
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
