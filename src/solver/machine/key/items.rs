//! What a symmetry must keep: instances, ways to end play and edges of the board, as [`Item`]s; and the image of an item when
//! values, players and fields are renamed.

use super::cubes::Cube;
use crate::game::End;
use crate::ir::ground::condition::{Condition, Map};

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Does {
    Value(u8),
    // The field read, and pairs of value read and value written, sorted.
    Table(u16, Vec<(u8, u8)>),
    Plus(Vec<(u8, u8)>),
}

/// The kind of an item.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    /// An instance: whether its rule can fail, and whether its player moves again.
    Move { fault: bool, again: bool },
    /// A way to end play, with the number of its run of consecutive ways with the same end.
    End(u32, End),
    /// An edge of the board.
    Edge,
}

/// An instance, a way to end play, or an edge. Fields are given by number, values by their number among all values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Item {
    pub players: u64,
    pub kind: Kind,
    /// Pairs of fields, the smaller one first, sorted.
    pub joined: Vec<(u16, u16)>,
    /// It applies in the states of any of these, sorted.
    pub guards: Vec<Cube>,
    pub writes: Vec<(u16, Does)>,
    pub acts: Vec<Act>,
}

impl Item {
    /// Its atoms and writes, plus 1.
    pub fn size(&self) -> usize {
        let atoms: usize = self.guards.iter().map(Vec::len).sum();
        atoms + self.writes.len() + 2 * self.joined.len() + 1
    }

    /// Calls `with` for each condition that it names.
    pub fn each_condition(&self, mut with: impl FnMut(u32)) {
        for act in &self.acts {
            match act {
                Act::Test(c) => with(*c),
                Act::Write(_) => {}
                Act::When(list) => list.iter().for_each(|(_, _, c)| with(*c)),
            }
        }
    }
}

/// A phase of an instance, or a further condition of a way to end play. Conditions are given by their index in a list.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Act {
    Test(u32),
    Write(Vec<(u16, Does)>),
    // Field, value and condition, sorted.
    When(Vec<(u16, u8, u32)>),
}

/// A permutation of values and players.
pub(super) struct Exchange {
    pub values: Vec<u8>,
    pub players: bool,
}

impl Exchange {
    pub fn value(&self, n: u8) -> u8 {
        self.values.get(usize::from(n)).copied().unwrap_or(n)
    }

    pub fn set(&self, set: u64) -> u64 {
        let mut out = 0;
        let mut rest = set;
        while rest != 0 {
            out |= 1 << self.value(rest.trailing_zeros() as u8);
            rest &= rest - 1;
        }
        out
    }

    fn pairs(&self, pairs: &[(u8, u8)]) -> Vec<(u8, u8)> {
        let mut out: Vec<(u8, u8)> = pairs
            .iter()
            .map(|(a, b)| (self.value(*a), self.value(*b)))
            .collect();
        out.sort_unstable();
        out
    }

    fn players(&self, players: u64) -> u64 {
        if self.players {
            (players & 1) << 1 | players >> 1 & 1
        } else {
            players
        }
    }

    fn kind(&self, kind: Kind) -> Kind {
        match kind {
            Kind::End(run, End::Won(who)) => Kind::End(run, End::Won(self.players(who))),
            kind => kind,
        }
    }

    fn does(&self, does: &Does, field: &impl Fn(u16) -> u16) -> Does {
        match does {
            Does::Value(n) => Does::Value(self.value(*n)),
            Does::Table(g, t) => Does::Table(field(*g), self.pairs(t)),
            Does::Plus(t) => Does::Plus(self.pairs(t)),
        }
    }

    /// The image of a condition, with its fields renamed. Sites are given by their fields.
    pub fn condition(&self, c: &Condition, field: impl Fn(u16) -> u16) -> Option<Condition> {
        let to = |f: u32| Some(u32::from(field(u16::try_from(f).ok()?)));
        c.mapped(&Map {
            value: &|f, set| Some((to(f)?, self.set(set))),
            table: &|f, table| {
                let mut image = vec![0; table.len()];
                for (n, entry) in (0u8..).zip(table) {
                    *image.get_mut(usize::from(self.value(n)))? = *entry;
                }
                Some((to(f)?, image))
            },
            site: &to,
        })
    }

    /// The image of an item, with its fields renamed; `images` gives the image of each condition.
    pub fn item(&self, item: &Item, field: impl Fn(u16) -> u16, images: &[u32]) -> Item {
        let image = |c: u32| images.get(c as usize).copied().unwrap_or(c);
        let acts = item.acts.iter().map(|act| match act {
            Act::Test(c) => Act::Test(image(*c)),
            Act::Write(list) => {
                let mut list: Vec<(u16, Does)> = list
                    .iter()
                    .map(|(f, does)| (field(*f), self.does(does, &field)))
                    .collect();
                by_field(&mut list);
                Act::Write(list)
            }
            Act::When(list) => {
                let mut list: Vec<(u16, u8, u32)> = list
                    .iter()
                    .map(|(f, n, c)| (field(*f), self.value(*n), image(*c)))
                    .collect();
                list.sort_unstable();
                Act::When(list)
            }
        });
        let acts = acts.collect();
        let mut guards: Vec<Cube> = item
            .guards
            .iter()
            .map(|guard| {
                let image = guard.iter().map(|(f, s)| (field(*f), self.set(*s)));
                let mut image: Cube = image.collect();
                image.sort_unstable();
                image
            })
            .collect();
        let mut writes: Vec<(u16, Does)> = item
            .writes
            .iter()
            .map(|(f, does)| (field(*f), self.does(does, &field)))
            .collect();
        guards.sort_unstable();
        by_field(&mut writes);
        let mut joined: Vec<(u16, u16)> = item
            .joined
            .iter()
            .map(|(f, g)| (field(*f), field(*g)))
            .map(|(f, g)| (f.min(g), f.max(g)))
            .collect();
        joined.sort_unstable();
        Item {
            players: self.players(item.players),
            kind: self.kind(item.kind),
            joined,
            guards,
            writes,
            acts,
        }
    }
}

/// Sorts writes by field.
pub(super) fn by_field(writes: &mut [(u16, Does)]) {
    writes.sort_by_key(|w| w.0);
}
