//! Turns the results of the run over all positions into the list of instances. Instances with the same effect are merged if
//! their guards differ in one variable.

use super::condition::Phase;
use super::moves::Raw;
use super::run::World;
use super::symbol::{Asked, Held, Path, Sym, all, bits};
use super::{GroundInstance, NEVER, Resort, Write};
use crate::int::Int;
use crate::val::Val;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Converts raw instances to numbers of values. Constants are folded, unchanged variables are not written, and instances
/// that differ in one atom of the guard are merged.
pub(super) fn instances(world: &World<'_>, raws: Vec<Rc<Raw>>) -> Vec<GroundInstance> {
    let number = |var: u32, v: &Val| -> u8 {
        let at = world.values[var as usize].binary_search(v);
        at.ok().and_then(|n| u8::try_from(n).ok()).unwrap_or(NEVER)
    };
    let mut found: Vec<GroundInstance> = Vec::new();
    type Same = (
        Vec<(u32, u64)>,
        Vec<(u32, Write)>,
        Option<u32>,
        (bool, i64),
        Vec<Phase>,
    );
    let mut seen: FxHashMap<Same, usize> = FxHashMap::default();
    let raws = match world.fallbacks.sets {
        Resort::Never => raws,
        _ => without_order(world, raws),
    };
    for raw in raws {
        let whole = |var: u32| all(world.values[var as usize].len());
        let guard: Vec<(u32, u64)> = raw
            .path
            .known
            .iter()
            .copied()
            .filter(|(var, set)| *set != whole(*var))
            .collect();
        let banked = |(var, held): &(u32, Held)| match held {
            Held::Plus(k) => Some(k.saturating_mul(*world.banked.get(var)?)),
            Held::Set(_) => None,
        };
        let gain = match raw.fault {
            None => raw
                .path
                .held
                .iter()
                .filter_map(banked)
                .fold(0i64, i64::saturating_add),
            Some(_) => 0,
        };
        let phases: Vec<Phase> = phases(world, &raw, &number);
        // Values known only in play are written by phases.
        let held = raw.path.held.iter().filter(|_| raw.fault.is_none());
        let held = held.filter(|h| !raw.path.lost.contains(&h.0) && banked(h).is_none());
        let update = held.filter_map(|(var, held)| {
            let write = written(world, &raw, *var, held, &number, phases.is_empty())?;
            Some((*var, write))
        });
        let update: Vec<(u32, Write)> = update.collect();
        let instance = GroundInstance {
            players: raw.players,
            guard,
            update,
            keep: raw.path.keep.filter(|_| raw.fault.is_none()),
            fault: raw.fault.clone(),
            again: raw.again,
            gain,
            phases,
            rule: raw.rule,
            choice: raw.choice.clone(),
        };
        if instance.fault.is_some() {
            found.push(instance);
            continue;
        }
        let key = (
            instance.guard.clone(),
            instance.update.clone(),
            instance.keep,
            (instance.again, instance.gain),
            instance.phases.clone(),
        );
        match seen.get(&key) {
            Some(at) => found[*at].players |= instance.players,
            None => {
                seen.insert(key, found.len());
                found.push(instance);
            }
        }
    }
    merge(world, &mut found);
    found
}

/// The most paths of one choice that are compared with each other.
const MOST_ALIKE: usize = 64;

/// Drops conditions that only say which of several reasons for a move comes first. `some x in S` is decided by the first
/// member that is there, so the path of the second one asks that the first is gone. If the effect removes all of S, it is the
/// same on both paths, and the second one may be taken where both are there: it is another way to make the same move. Then
/// a removal of the first does not allow anything, and the reasons are alike, as symmetries need it.
///
/// A condition on a variable is dropped if it asks for the value that the effect writes to it, and if another path with the
/// same effect can be taken wherever it fails and the rest holds. So the moves of no position change.
fn without_order(world: &World<'_>, raws: Vec<Rc<Raw>>) -> Vec<Rc<Raw>> {
    let constant = |(_, held): &(u32, Held)| matches!(held, Held::Set(Sym::Is(_)));
    let mut choices: FxHashMap<_, Vec<usize>> = FxHashMap::default();
    for (i, raw) in raws.iter().enumerate() {
        let plain = raw.fault.is_none() && raw.path.asked.is_empty();
        if plain && raw.path.held.iter().all(constant) {
            let choice = (raw.rule, &raw.choice, raw.players, raw.again, raw.path.keep);
            choices.entry(choice).or_default().push(i);
        }
    }
    let mut wider: FxHashMap<usize, Path> = FxHashMap::default();
    for ways in choices.into_values() {
        if (2..=MOST_ALIKE).contains(&ways.len()) {
            let paths = ways.iter().map(|i| raws[*i].path.clone()).collect();
            let paths = ways.iter().copied().zip(unordered(world, paths));
            wider.extend(paths.filter(|(i, path)| raws[*i].path.known != path.known));
        }
    }
    let widened = |(i, raw): (usize, &Rc<Raw>)| match wider.remove(&i) {
        Some(path) => Rc::new(Raw {
            path,
            fault: None,
            choice: raw.choice.clone(),
            ..**raw
        }),
        None => raw.clone(),
    };
    raws.iter().enumerate().map(widened).collect()
}

/// [`without_order`] for the paths of one choice, whose writes are constants.
fn unordered(world: &World<'_>, mut paths: Vec<Path>) -> Vec<Path> {
    let number = |var: u32, held: &Held| match held {
        Held::Set(Sym::Is(v)) => world.values[var as usize].binary_search(v).ok(),
        _ => None,
    };
    // A path need not write what is there already: it can write what the others write.
    let all_writes: Vec<(u32, Held)> = paths.iter().flat_map(|p| p.held.clone()).collect();
    for path in &mut paths {
        for (var, held) in &all_writes {
            let known = path.values(*var);
            if path.holds(*var).is_none()
                && known.is_some_and(|set| Some(set) == number(*var, held).map(|n| 1 << n))
            {
                path.write(*var, held.clone());
            }
        }
    }
    for at in 0..paths.len() {
        for (var, held) in paths[at].held.clone() {
            let (Some(set), Some(n)) = (paths[at].values(var), number(var, &held)) else {
                continue;
            };
            if set != 1 << n {
                continue;
            }
            let mut rest = paths[at].clone();
            rest.known.retain(|(v, _)| *v != var);
            let left = |v: u32| match v == var {
                true => all(world.values[v as usize].len()) & !set,
                false => world.left(&rest, v),
            };
            let taken = |(other, path): (usize, &Path)| {
                let mut guard = path.known.iter();
                other != at && path.held == rest.held && guard.all(|(v, may)| left(*v) & !may == 0)
            };
            let wrongly = world.fallbacks.sets == Resort::Wrongly;
            if wrongly || paths.iter().enumerate().any(taken) {
                paths[at] = rest;
            }
        }
    }
    paths
}

/// The write to a variable, by numbers of values. `None` if it leaves the variable unchanged and (with `first`) no phase
/// can have written it before.
fn written(
    world: &World<'_>,
    raw: &Raw,
    var: u32,
    held: &Held,
    number: &impl Fn(u32, &Val) -> u8,
    first: bool,
) -> Option<Write> {
    let left = world.left(&raw.path, var);
    let own = &world.values[var as usize];
    Some(match held {
        Held::Set(Sym::Is(v)) => {
            let n = number(var, v);
            if first && left.count_ones() == 1 && bits(left).next() == Some(usize::from(n)) {
                return None;
            }
            Write::Value(n)
        }
        Held::Set(s @ (Sym::If(y, _) | Sym::Of(y, _))) => {
            let possible = world.left(&raw.path, *y);
            if first && *y == var && bits(possible).all(|i| own[i] == *s.at(i)) {
                return None;
            }
            let table = (0..world.values[*y as usize].len()).map(|i| {
                if possible >> i & 1 == 1 {
                    number(var, &s.at(i))
                } else {
                    NEVER
                }
            });
            Write::Table(*y, table.collect())
        }
        Held::Plus(0) if first => return None,
        Held::Plus(k) => Write::Plus(
            own.iter()
                .map(|v| {
                    let more = v.as_int().and_then(|n| n.add(&Int::Small(*k)).ok());
                    more.map_or(NEVER, |n| number(var, &Val::Int(n)))
                })
                .collect(),
        ),
    })
}

/// The phases: conditions in play and all writes between and after them. Empty if there are no such conditions.
fn phases(world: &World<'_>, raw: &Raw, number: &impl Fn(u32, &Val) -> u8) -> Vec<Phase> {
    if raw.path.asked.is_empty() {
        return Vec::new();
    }
    let writes = |list: &[(u32, Held)]| {
        let kept = list
            .iter()
            .filter(|(var, _)| !world.banked.contains_key(var));
        let all = kept.filter_map(|(var, held)| {
            Some((*var, written(world, raw, *var, held, number, false)?))
        });
        Phase::Write(all.collect())
    };
    let mut phases: Vec<Phase> = Vec::new();
    for asked in &raw.path.asked {
        phases.push(match asked {
            Asked::Test(c) => Phase::Test(c.clone()),
            Asked::Write(list) => writes(list),
            Asked::When(list) => Phase::When(
                list.iter()
                    .map(|(c, var, v)| (c.clone(), *var, number(*var, v)))
                    .collect(),
            ),
        });
    }
    if raw.fault.is_none() {
        let rest = raw.path.unasked();
        if !rest.is_empty() {
            phases.push(writes(&rest));
        }
    }
    phases
}

/// Merges instances that differ only in the values of one variable, until there are no more such pairs.
fn merge(world: &World<'_>, list: &mut Vec<GroundInstance>) {
    if list.len() > 40_000 {
        return;
    }
    loop {
        let mut first: FxHashMap<u64, Vec<(usize, usize)>> = FxHashMap::default();
        let mut dead = vec![false; list.len()];
        let mut any = false;
        for i in 0..list.len() {
            if list[i].fault.is_some() {
                continue;
            }
            for a in 0..list[i].guard.len() {
                let key = without(&list[i], a);
                let same = first.entry(key).or_default();
                let twin = same
                    .iter()
                    .copied()
                    .find(|(j, b)| *j != i && !dead[*j] && differ_at(&list[i], a, &list[*j], *b));
                if let Some((j, b)) = twin {
                    let (var, set) = list[i].guard[a];
                    let joined = list[j].guard[b].1 | set;
                    if joined == all(world.values[var as usize].len()) {
                        list[j].guard.remove(b);
                    } else {
                        list[j].guard[b].1 = joined;
                    }
                    list[j].choice.clear();
                    dead[i] = true;
                    any = true;
                    break;
                }
                same.push((i, a));
            }
        }
        if !any {
            return;
        }
        let mut it = dead.iter();
        list.retain(|_| !it.next().copied().unwrap_or(false));
    }
}

fn without(m: &GroundInstance, at: usize) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut h = rustc_hash::FxHasher::default();
    for (i, atom) in m.guard.iter().enumerate() {
        if i == at {
            atom.0.hash(&mut h);
        } else {
            atom.hash(&mut h);
        }
    }
    (m.players, &m.update, m.keep, m.again, m.gain, &m.phases).hash(&mut h);
    h.finish()
}

fn differ_at(m: &GroundInstance, a: usize, n: &GroundInstance, b: usize) -> bool {
    a == b
        && m.players == n.players
        && m.guard.len() == n.guard.len()
        && m.same_effect() == n.same_effect()
        && m.guard
            .iter()
            .zip(&n.guard)
            .enumerate()
            .all(|(i, (x, y))| if i == a { x.0 == y.0 } else { x == y })
}

impl GroundInstance {
    fn same_effect(&self) -> (&[(u32, Write)], Option<u32>, bool, (bool, i64), &[Phase]) {
        (
            &self.update,
            self.keep,
            self.fault.is_some(),
            (self.again, self.gain),
            &self.phases,
        )
    }
}
