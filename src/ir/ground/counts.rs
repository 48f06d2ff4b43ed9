//! Bounds of counts: groups of counts whose sum no instance increases, so that the sum bounds each count.

use super::moves::Raw;
use super::run::World;
use super::symbol::{Asked, bits};
use super::{GroundVar, Vars, results};
use crate::instance::{Setting, Var};
use crate::int::Int;
use crate::model::typed::Sort;
use crate::val::Val;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The grouping of counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bounded {
    /// The counts of one function with the same pieces, players and truth values.
    Own,
    /// All counts of one function.
    Function,
    /// All counts.
    All,
    /// No bound.
    None,
}

pub(super) fn groups(setting: &Setting, vars: &Vars, level: Bounded) -> Vec<Vec<u32>> {
    let mut found: BTreeMap<(u32, Vec<Val>), Vec<u32>> = BTreeMap::new();
    for (i, var) in vars.list.iter().enumerate() {
        let GroundVar::State(v) = var else { continue };
        let Some(Var::State(f, args)) = setting.var(*v) else {
            continue;
        };
        let decl = &setting.instance.rules.state[f.0 as usize];
        if decl.sort != Sort::Int || !decl.natural {
            continue;
        }
        let own = args
            .into_iter()
            .filter(|v| matches!(v, Val::Piece(_) | Val::Player(_) | Val::Bool(_)));
        let key = match level {
            Bounded::Own => (f.0, own.collect()),
            Bounded::Function => (f.0, Vec::new()),
            Bounded::All => (0, Vec::new()),
            Bounded::None => continue,
        };
        found
            .entry(key)
            .or_default()
            .push(u32::try_from(i).unwrap_or(u32::MAX));
    }
    found.into_values().collect()
}

pub(super) fn over(cap: Option<i64>, v: &Val) -> bool {
    match (cap, v) {
        (Some(cap), Val::Int(n)) => *n > Int::Small(cap),
        _ => false,
    }
}

/// Whether some write may exceed the bound of its variable.
pub(super) fn clips(world: &World<'_>, raws: &[Rc<Raw>], cap: &[Option<i64>]) -> bool {
    raws.iter().filter(|r| r.fault.is_none()).any(|raw| {
        let between = raw.path.asked.iter().any(|asked| match asked {
            Asked::Test(_) => false,
            Asked::Write(list) => list.iter().any(|(var, _)| cap[*var as usize].is_some()),
            Asked::When(list) => list.iter().any(|(_, var, _)| cap[*var as usize].is_some()),
        });
        between
            || raw.path.held.iter().any(|(var, held)| {
                results(world, &raw.path, *var, held)
                    .iter()
                    .any(|(_, v)| over(cap[*var as usize], v))
            })
    })
}

/// Whether no position lets an instance increase the sum of a group.
pub(super) fn does_not_raise(world: &World<'_>, raw: &Raw, group: &[u32]) -> bool {
    if raw.fault.is_some() {
        return true;
    }
    // Intermediate and conditional writes are not analysed.
    let counted = |asked: &Asked| match asked {
        Asked::Test(_) => false,
        Asked::Write(list) => list.iter().any(|(var, _)| group.contains(var)),
        Asked::When(list) => list.iter().any(|(_, var, _)| group.contains(var)),
    };
    if raw.path.asked.iter().any(counted) {
        return false;
    }
    let mut change = 0i64;
    for (var, held) in &raw.path.held {
        if !group.contains(var) {
            continue;
        }
        let least = bits(world.left(&raw.path, *var))
            .filter_map(|i| world.values[*var as usize][i].as_int())
            .min()
            .cloned()
            .unwrap_or_default();
        let mut most = None;
        for (before, after) in results(world, &raw.path, *var, held) {
            let before = before.as_ref().and_then(Val::as_int).unwrap_or(&least);
            let more = after.as_int().and_then(|a| a.sub(before).ok());
            let Some(more) = more.and_then(|m| m.to_i64()) else {
                return false;
            };
            most = Some(most.map_or(more, |m: i64| m.max(more)));
        }
        change = change.saturating_add(most.unwrap_or(0));
    }
    change <= 0
}
