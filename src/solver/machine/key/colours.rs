//! Colour refinement (B. Weisfeiler and A. Leman, 1968) of the fields of states: input, items and the conditions that they name;
//! output, a colour for each field. Fields that a symmetry maps to each other have the same colour at each step; the converse
//! need not hold, so [`super::symmetry`] checks each map that colours suggest.

use super::cubes::Cube;
use super::items::{Does, Exchange, Item};
use crate::ir::ground::condition::Condition;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The hash that colours are made with.
pub(super) fn hashed<T: Hash>(value: T) -> u64 {
    let mut h = FxHasher::default();
    value.hash(&mut h);
    // Sums of hashes must not cancel.
    let x = h.finish();
    (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ x >> 32
}

/// A condition in one round.
struct Asked {
    /// The fields in it, each with the hash of how it occurs.
    roles: Vec<(u16, u64)>,
    /// The hash of the condition.
    sum: u64,
    /// The sum of the hashes of the items that name it.
    items: u64,
}

/// What fields are coloured by.
pub(super) struct Coloured {
    pub items: Vec<Item>,
    /// Of each condition that items name, the [`atoms`].
    atoms: Vec<Vec<Cube>>,
}

impl Coloured {
    /// Fields are coloured by these items and the conditions that they name.
    pub fn new(items: Vec<Item>, conditions: &[Condition]) -> Coloured {
        let together = |c: &Condition| {
            let mut found = Vec::new();
            atoms(c, &mut found);
            found
        };
        Coloured {
            items,
            atoms: conditions.iter().map(together).collect(),
        }
    }

    /// The same with values and players exchanged.
    pub fn exchanged(&self, exchange: &Exchange) -> Coloured {
        let item = |i: &Item| exchange.item(i, |f| f, &[]);
        let of = |cube: &Cube| cube.iter().map(|(f, s)| (*f, exchange.set(*s))).collect();
        Coloured {
            items: self.items.iter().map(item).collect(),
            atoms: self
                .atoms
                .iter()
                .map(|all| all.iter().map(of).collect())
                .collect(),
        }
    }

    /// The atoms and writes that one round visits.
    pub fn size(&self) -> usize {
        let items: usize = self.items.iter().map(Item::size).sum();
        items + self.atoms.iter().flatten().map(Vec::len).sum::<usize>()
    }

    /// One round: hashes each item with the colours of its fields and those of its conditions, and sums the hashes at each
    /// field.
    pub fn round(&self, colours: &mut [u64], fuel: &mut usize) {
        let mut sums = vec![0u64; colours.len()];
        let mut roles: Vec<(u16, u64)> = Vec::new();
        // Adds to `roles` that of each field of a cube, and returns the hash of the cube.
        let together = |cube: &Cube, roles: &mut Vec<(u16, u64)>| {
            let role = |(f, set): &(u16, u64)| hashed((1u8, colours[usize::from(*f)], *set));
            let all = cube.iter().map(role).fold(0u64, u64::wrapping_add);
            roles.extend(cube.iter().map(|atom| (atom.0, hashed((role(atom), all)))));
            hashed((8u8, all))
        };
        let mut asked: Vec<Asked> = Vec::with_capacity(self.atoms.len());
        for cubes in &self.atoms {
            let mut roles = Vec::new();
            let all = cubes.iter().map(|cube| together(cube, &mut roles));
            let sum = all.fold(0u64, u64::wrapping_add);
            let items = 0;
            asked.push(Asked { roles, sum, items });
        }
        for item in &self.items {
            let mut sum = hashed((item.players, item.kind));
            roles.clear();
            for guard in &item.guards {
                sum = sum.wrapping_add(together(guard, &mut roles));
            }
            for (f, does) in &item.writes {
                let to = colours[usize::from(*f)];
                let role = match does {
                    Does::Value(n) => hashed((2u8, to, n)),
                    Does::Plus(t) => hashed((3u8, to, t)),
                    Does::Table(g, t) => {
                        let from = colours[usize::from(*g)];
                        roles.push((*g, hashed((4u8, from, to, t, f == g))));
                        hashed((5u8, to, from, t, f == g))
                    }
                };
                roles.push((*f, role));
            }
            for (f, g) in &item.joined {
                let [a, b] = [f, g].map(|f| colours[usize::from(*f)]);
                roles.push((*f, hashed((7u8, a, b))));
                roles.push((*g, hashed((7u8, b, a))));
            }
            for (_, role) in &roles {
                sum = sum.wrapping_add(*role);
            }
            item.each_condition(|c| sum = sum.wrapping_add(hashed((9u8, asked[c as usize].sum))));
            item.each_condition(|c| {
                let items = &mut asked[c as usize].items;
                *items = items.wrapping_add(hashed((10u8, sum)));
            });
            for (f, role) in &roles {
                let sum = hashed((sum, role));
                sums[usize::from(*f)] = sums[usize::from(*f)].wrapping_add(sum);
            }
            *fuel = fuel.saturating_sub(roles.len() + 1);
        }
        for Asked { roles, sum, items } in &asked {
            for (f, role) in roles {
                let sum = hashed((sum, items, role));
                sums[usize::from(*f)] = sums[usize::from(*f)].wrapping_add(sum);
            }
            *fuel = fuel.saturating_sub(roles.len());
        }
        for (c, s) in colours.iter_mut().zip(&sums) {
            *c = hashed((*c, *s));
        }
    }

    /// Refines colours until they no longer change, or the fuel is used up.
    pub fn refine(&self, colours: &mut [u64], fuel: &mut usize) {
        let mut count = distinct(colours);
        // Both sides take the same number of rounds, or their colours differ anyway.
        while count < colours.len() && *fuel > 0 {
            self.round(colours, fuel);
            let now = distinct(colours);
            if now == count {
                return;
            }
            count = now;
        }
        if *fuel > 0 {
            self.round(colours, fuel);
        }
    }
}

/// The fields that stand together in a condition, with their values: those of each conjunction and disjunction, of each
/// comparison, and of what is left. The image of a condition has the images of these, which is all that colours need.
fn atoms(c: &Condition, found: &mut Vec<Cube>) {
    let field = |f: u32, set: u64| Some((u16::try_from(f).ok()?, set));
    let mut together = Cube::new();
    match c {
        Condition::Truth(_) => {}
        Condition::Not(c) => atoms(c, found),
        Condition::All(list) | Condition::Any(list) => {
            for c in list {
                let plain = match c {
                    Condition::Not(c) => c,
                    c => c,
                };
                match plain {
                    Condition::Holds(f, set) => together.extend(field(*f, *set)),
                    c => atoms(c, found),
                }
            }
        }
        c => c.each_variable(&mut |f, set| together.extend(field(f, set))),
    }
    found.extend((!together.is_empty()).then_some(together));
}

/// All colours in order.
pub(super) fn sorted(colours: &[u64]) -> Vec<u64> {
    let mut all = colours.to_vec();
    all.sort_unstable();
    all
}

fn distinct(colours: &[u64]) -> usize {
    let mut all = sorted(colours);
    all.dedup();
    all.len()
}
