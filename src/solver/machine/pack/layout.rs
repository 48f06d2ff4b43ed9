//! The layout of states: which ground variables have fields in words of 64 bits, which of their values are distinguished, and
//! the place of each field.

use super::Field;
use crate::ir::ground::condition::Phase;
use crate::ir::ground::{Ground, GroundVar, NEVER, Write};
use crate::ir::val::{Piece, Val};

/// Fields and their places, for any number of words.
#[derive(Clone, Debug)]
pub(in crate::machine) struct Layout {
    pub fields: Vec<Field>,
    /// For each field, the sets of values that have a bit.
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

/// Computes the layout.
///
/// # Errors
/// The reason why the instances do not fit.
pub(in crate::machine) fn layout(ground: &Ground) -> Result<Layout, String> {
    let count = ground.vars.list.len();
    let keep = ground.instances.iter().find_map(|m| m.keep);
    let mut atoms: Vec<Vec<u64>> = vec![Vec::new(); count];
    let mut read = vec![0u64; count];
    let everything = |var: usize| -> u64 {
        let n = ground.values[var].len();
        if n >= 64 { u64::MAX } else { (1 << n) - 1 }
    };
    let mut bare = false;
    for m in &ground.instances {
        bare |= m.guard.is_empty();
        for (var, set) in &m.guard {
            let list = &mut atoms[*var as usize];
            if !list.contains(set) {
                list.push(*set);
            }
        }
        let between = m.phases.iter().flat_map(|phase| match phase {
            Phase::Write(list) => &list[..],
            _ => &[],
        });
        for (_, w) in m.update.iter().chain(between) {
            if let Write::Table(from, _) = w {
                let guard = m.guard.iter().find(|(v, _)| v == from);
                read[*from as usize] |= guard.map_or(everything(*from as usize), |(_, s)| *s);
            }
        }
    }
    let ends = || ground.ends.iter().flatten();
    for (var, set) in ends().flat_map(|e| &e.guard) {
        let list = &mut atoms[*var as usize];
        if !list.contains(set) {
            list.push(*set);
        }
    }
    ground.each_asked(&mut |var, set| {
        let var = var as usize;
        read[var] = everything(var);
        if set != 0 && set & everything(var) != everything(var) && !atoms[var].contains(&set) {
            atoms[var].push(set);
        }
    });
    if ends().any(|e| !e.joined.is_empty()) || ground.asks_groups() {
        // The piece on each site must be distinguished.
        for (v, var) in ground.vars.list.iter().enumerate() {
            if matches!(var, GroundVar::Site(_)) {
                read[v] = everything(v);
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
                    if !atoms[v].contains(&there) {
                        atoms[v].push(there);
                    }
                }
                GroundVar::Site(_) | GroundVar::Present(_)
                    if !atoms[v].is_empty() || read[v] != 0 =>
                {
                    return Err("sites are asked for beside `keep reach(..)`".into());
                }
                _ => {}
            }
        }
    }
    // Sorted, so that equal sets have the same order and fields of similar variables are alike.
    for list in &mut atoms {
        list.sort_unstable();
    }
    let reach = reach(ground, keep.is_some());
    let mut layout = Layout {
        fields: Vec::new(),
        atoms: Vec::new(),
        of_var: vec![None; count],
        words: 1,
        always: None,
        keep,
        exact: keep.is_none(),
    };
    let mut at = (0usize, 0u32);
    for v in 0..count {
        if atoms[v].is_empty() && read[v] == 0 {
            layout.exact &= (0..).zip(&reach[v]).all(|(i, then)| *then == 1u64 << i);
            continue;
        }
        let values = ground.values[v].len();
        let alive: Vec<bool> = (0..values)
            .map(|i| atoms[v].iter().any(|s| reach[v][i] & s != 0) || reach[v][i] & read[v] != 0)
            .collect();
        let mut patterns: Vec<u64> = Vec::new();
        let mut width = atoms[v].len() as u32;
        if width > 64 {
            return Err("a variable is asked for in too many ways".into());
        }
        for (i, alive) in alive.iter().enumerate() {
            let mut bits = 0u64;
            for (k, set) in atoms[v].iter().enumerate() {
                if *alive && set >> i & 1 == 1 {
                    bits |= 1 << k;
                }
            }
            patterns.push(bits);
        }
        // An extra bit for each live value whose bits are those of another value, or none.
        let own: Vec<usize> = (0..values)
            .filter(|i| alive[*i])
            .filter(|i| {
                let same = (0..values).any(|j| j != *i && alive[j] && patterns[j] == patterns[*i]);
                patterns[*i] == 0 || same
            })
            .collect();
        for i in own {
            if width >= 64 {
                return Err("a variable has too many values".into());
            }
            patterns[i] |= 1 << width;
            width += 1;
        }
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
            reach: reach[v].clone(),
            mask,
        });
        layout.atoms.push(atoms[v].clone());
        at.1 += width;
    }
    if bare {
        if at.1 == 64 {
            at = (at.0 + 1, 0);
        }
        layout.always = Some(at);
    }
    layout.words = at.0 + 1;
    Ok(layout)
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
