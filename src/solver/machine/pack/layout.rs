//! The layout of states: which ground variables have fields in words of 64 bits, which of their values are distinguished, and
//! the place of each field.

use super::Field;
use crate::ir::ground::condition::Phase;
use crate::ir::ground::{Ground, GroundVar, NEVER, Write, bits};
use crate::ir::val::{Piece, Val};
use crate::machine::settings::{Planted, Settings};

/// Fields and their places, for any number of words.
#[derive(Clone, Debug)]
pub(in crate::machine) struct Layout {
    pub fields: Vec<Field>,
    /// For each field, the sets of values that have a bit, from the lowest.
    pub atoms: Vec<Vec<u64>>,
    /// The field of each variable.
    pub of_var: Vec<Option<usize>>,
    /// The number of words.
    pub words: usize,
    pub(super) always: Option<(usize, u32)>,
    pub(super) keep: Option<u32>,
    /// Whether different states of the ground variables are packed differently. Otherwise what no later move asks for is not
    /// in the words.
    pub(super) exact: bool,
}

/// The most words of a state.
const WORDS: usize = 16;

/// Computes the layout.
///
/// A variable has one bit for each set of values that is asked for. If these are more than 64, or if states take more than
/// [`WORDS`] words and it is narrower, it has one bit for each value that it does *not* have ([`apart`]); with the setting
/// `apart`, wherever possible.
///
/// # Errors
/// The reason why the instances do not fit.
pub(in crate::machine) fn layout(ground: &Ground, settings: &Settings) -> Result<Layout, String> {
    let questions = Questions::of(ground, settings)?;
    let layout = questions.layout(|sets, _| settings.apart || sets > 64)?;
    if layout.words <= WORDS {
        return Ok(layout);
    }
    questions.layout(|sets, values| settings.apart || sets > values)
}

/// What instances and conditions ask about each variable.
struct Questions<'g> {
    ground: &'g Ground,
    settings: &'g Settings,
    /// The sets of values that some condition tells from the others.
    sets: Vec<Vec<u64>>,
    /// The values that are told from each other, since another value or a number depends on them.
    read: Vec<u64>,
    /// For each variable and value, the values that can follow it.
    reach: Vec<Vec<u64>>,
    keep: Option<u32>,
    /// Whether some instance asks nothing.
    bare: bool,
}

impl<'g> Questions<'g> {
    /// Collects the questions of all instances and clauses.
    ///
    /// # Errors
    /// Edges that `keep reach(..)` removes, where more is asked than whether they stand.
    fn of(ground: &'g Ground, settings: &'g Settings) -> Result<Questions<'g>, String> {
        let count = ground.vars.list.len();
        let keep = ground.instances.iter().find_map(|m| m.keep);
        let mut sets: Vec<Vec<u64>> = vec![Vec::new(); count];
        let mut read = vec![0u64; count];
        let mut ask = |var: usize, set: u64| {
            if !sets[var].contains(&set) {
                sets[var].push(set);
            }
        };
        let mut bare = false;
        for m in &ground.instances {
            bare |= m.guard.is_empty();
            for (var, set) in &m.guard {
                ask(*var as usize, *set);
            }
            let between = m.phases.iter().flat_map(|phase| match phase {
                Phase::Write(list) => &list[..],
                _ => &[],
            });
            for (_, w) in m.update.iter().chain(between) {
                if let Write::Table(from, _) = w {
                    let guard = m.guard.iter().find(|(v, _)| v == from);
                    let from = *from as usize;
                    read[from] |= guard.map_or(everything(ground, from), |(_, s)| *s);
                }
            }
        }
        let ends = || ground.ends.iter().flatten();
        for (var, set) in ends().flat_map(|e| &e.guard) {
            ask(*var as usize, *set);
        }
        ground.each_asked(&mut |var, set| {
            let var = var as usize;
            let all = everything(ground, var);
            read[var] = all;
            if set != 0 && set & all != all {
                ask(var, set);
            }
        });
        if ends().any(|e| !e.joined.is_empty()) || ground.asks_groups() {
            // The piece on each site must be distinguished.
            for (v, var) in ground.vars.list.iter().enumerate() {
                if matches!(var, GroundVar::Site(_)) {
                    read[v] = everything(ground, v);
                }
            }
        }
        if let Some(root) = keep {
            if ground
                .instances
                .iter()
                .any(|m| m.keep.is_some_and(|r| r != root))
            {
                return Err("`keep reach(..)` from more than one site".into());
            }
            for (v, var) in ground.vars.list.iter().enumerate() {
                match var {
                    GroundVar::Edge(_) | GroundVar::EdgePresent(_) => {
                        let there = ground.values[v]
                            .iter()
                            .enumerate()
                            .filter(|(_, v)| !is_gone(v))
                            .fold(0u64, |s, (i, _)| s | 1 << i);
                        if !sets[v].contains(&there) {
                            sets[v].push(there);
                        }
                    }
                    GroundVar::Site(_) | GroundVar::Present(_)
                        if !sets[v].is_empty() || read[v] != 0 =>
                    {
                        return Err("sites are asked for beside `keep reach(..)`".into());
                    }
                    _ => {}
                }
            }
        }
        // Sorted, so that equal sets have the same order and fields of similar variables are alike.
        for list in &mut sets {
            list.sort_unstable();
        }
        Ok(Questions {
            ground,
            settings,
            sets,
            read,
            reach: reach(ground, keep.is_some()),
            keep,
            bare,
        })
    }

    /// The layout in which a variable has the bits of [`apart`] if `is_apart` says so of its numbers of sets and of values.
    ///
    /// # Errors
    /// A variable with more than 64 bits.
    fn layout(&self, is_apart: impl Fn(usize, usize) -> bool) -> Result<Layout, String> {
        let count = self.sets.len();
        let mut layout = Layout {
            fields: Vec::new(),
            atoms: Vec::new(),
            of_var: vec![None; count],
            words: 1,
            always: None,
            keep: self.keep,
            exact: self.keep.is_none(),
        };
        let mut at = (0usize, 0u32);
        for (v, reach) in self.reach.iter().enumerate() {
            let (sets, read) = (&self.sets[v], self.read[v]);
            if sets.is_empty() && read == 0 {
                layout.exact &= (0..).zip(reach).all(|(i, then)| *then == 1u64 << i);
                continue;
            }
            let asked = sets.iter().fold(read, |all, set| all | set);
            let alive: Vec<bool> = reach.iter().map(|then| then & asked != 0).collect();
            // Edges that `keep` removes are tested by the one bit for those that stand.
            let one_bit = self.keep.is_some()
                && matches!(
                    self.ground.vars.list[v],
                    GroundVar::Edge(_) | GroundVar::EdgePresent(_)
                );
            let atoms = match !one_bit && is_apart(sets.len(), alive.len()) {
                true => apart(&alive, sets, self.settings.planted),
                false => sets.clone(),
            };
            let (patterns, width) = patterns(&atoms, &alive)?;
            let mut seen = patterns.clone();
            seen.sort_unstable();
            layout.exact &= seen.windows(2).all(|pair| pair[0] != pair[1]);
            if at.1 + width > 64 {
                at = (at.0 + 1, 0);
            }
            let mask = if width == 64 {
                u64::MAX
            } else {
                (1 << width) - 1
            } << at.1;
            layout.of_var[v] = Some(layout.fields.len());
            layout.fields.push(Field {
                var: u32::try_from(v).unwrap_or(u32::MAX),
                word: at.0,
                shift: at.1,
                patterns,
                reach: reach.clone(),
                mask,
            });
            layout.atoms.push(atoms);
            at.1 += width;
        }
        if self.bare {
            if at.1 == 64 {
                at = (at.0 + 1, 0);
            }
            layout.always = Some(at);
        }
        layout.words = at.0 + 1;
        Ok(layout)
    }
}

/// All values of a variable.
fn everything(ground: &Ground, var: usize) -> u64 {
    match ground.values[var].len() {
        n @ 0..64 => (1 << n) - 1,
        _ => u64::MAX,
    }
}

/// For each live value the set of all others, and the set of all live values if that is asked for. Each set that is asked for
/// is the intersection of those among them that contain it.
fn apart(alive: &[bool], asked: &[u64], planted: Option<Planted>) -> Vec<u64> {
    let all = (0..)
        .zip(alive)
        .fold(0u64, |s, (i, a)| s | u64::from(*a) << i);
    let mut sets: Vec<u64> = bits(all).map(|i| all & !(1 << i)).collect();
    if planted == Some(Planted::LastValueHolds) {
        sets.pop();
    }
    if asked.contains(&all) {
        sets.push(all);
    }
    sets
}

/// The bits of each value, and how many these are: one for each set that holds it, and one more for each live value whose bits are
/// those of another live value, or none. A value that is not live has no bits.
///
/// # Errors
/// If there are more than 64.
fn patterns(atoms: &[u64], alive: &[bool]) -> Result<(Vec<u64>, u32), String> {
    let mut width = atoms.len() as u32;
    if width > 64 {
        return Err("a variable is asked for in too many ways".into());
    }
    let held_by = |value: usize| {
        let held = (0..).zip(atoms).filter(|(_, set)| **set >> value & 1 == 1);
        held.fold(0u64, |bits, (k, _): (u32, _)| bits | 1 << k)
    };
    let values = 0..alive.len();
    let mut patterns: Vec<u64> = values
        .clone()
        .map(|i| if alive[i] { held_by(i) } else { 0 })
        .collect();
    let own: Vec<usize> = values
        .clone()
        .filter(|i| alive[*i])
        .filter(|i| {
            let same = |j| j != *i && alive[j] && patterns[j] == patterns[*i];
            patterns[*i] == 0 || values.clone().any(same)
        })
        .collect();
    for i in own {
        if width >= 64 {
            return Err("a variable has too many values".into());
        }
        patterns[i] |= 1 << width;
        width += 1;
    }
    Ok((patterns, width))
}

impl Layout {
    /// Bits of a field, counted from its lowest; a value has all of them exactly if it is in the set, which must be one that
    /// is asked for: the bit of the set if there is one, else those of all sets that contain it.
    pub fn bits_of(&self, field: usize, set: u64) -> u64 {
        let atoms = &self.atoms[field];
        match atoms.iter().position(|atom| *atom == set) {
            Some(bit) => 1 << bit,
            None => (0..)
                .zip(atoms)
                .filter(|(_, atom)| set & !**atom == 0)
                .fold(0u64, |bits, (k, _): (u32, _)| bits | 1 << k),
        }
    }
}

/// The number of words of a set of instances, rounded up to a size with fast code.
pub(in crate::machine) fn set_words(instances: usize) -> usize {
    match instances.div_ceil(64) {
        0 | 1 => 1,
        2 => 2,
        3 | 4 => 4,
        5..=8 => 8,
        9..=16 => 16,
        n => n,
    }
}

pub(in crate::machine) fn is_gone(v: &Val) -> bool {
    matches!(v, Val::Piece(Piece::Off) | Val::Bool(false))
}

/// For each variable and value, the values that can follow it, whatever the other variables do.
pub(super) fn reach(ground: &Ground, keep: bool) -> Vec<Vec<u64>> {
    let mut next: Vec<Vec<u64>> = ground
        .values
        .iter()
        .map(|v| (0..v.len()).map(|i| 1u64 << i).collect())
        .collect();
    for m in &ground.instances {
        for (var, write) in &m.update {
            let v = *var as usize;
            let guard = m.guard.iter().find(|(g, _)| g == var).map(|g| g.1);
            let from = guard.unwrap_or(u64::MAX);
            let set = |n: u8| if n == NEVER { 0 } else { 1u64 << n };
            let all_of = |t: &[u8]| t.iter().fold(0u64, |s, n| s | set(*n));
            for (i, n) in next[v].iter_mut().enumerate() {
                if from >> i & 1 == 0 {
                    continue;
                }
                *n |= match write {
                    Write::Value(w) => set(*w),
                    Write::Table(y, t) if y == var => set(t[i]),
                    Write::Table(_, t) => all_of(t),
                    Write::Plus(t) => set(t[i]),
                };
            }
        }
    }
    if keep {
        for (v, var) in ground.vars.list.iter().enumerate() {
            if matches!(var, GroundVar::Edge(_) | GroundVar::EdgePresent(_)) {
                let gone = ground.values[v].iter().position(is_gone);
                let gone = gone.map_or(0, |i| 1u64 << i);
                next[v].iter_mut().for_each(|n| *n |= gone);
            }
        }
    }
    for list in &mut next {
        loop {
            let mut changed = false;
            for i in 0..list.len() {
                let mut all = list[i];
                for (j, more) in list.iter().enumerate() {
                    if list[i] >> j & 1 == 1 {
                        all |= more;
                    }
                }
                changed |= all != list[i];
                list[i] = all;
            }
            if !changed {
                break;
            }
        }
    }
    next
}
