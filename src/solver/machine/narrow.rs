//! One term of a machine as a game of its own: its positions are bare words.
//!
//! A [`Packed`] position says which term it belongs to and may be one of several kinds; where a search stays within one term
//! it need not carry that along, and the tables of the engine hold as many bytes as those of a game written by hand.

use super::key::state_key;
use super::pack::Program;
use super::removal::Removal;
use super::{Key, Machine, Packed, in_roles, role, words, wrap};
use crate::game::{Convention, Errand, Game, Player, Shortcut, Sign};
use crate::ir::Fault;
use std::hash::{Hash, Hasher};

/// A packed state of one term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Words<const N: usize>([u64; N]);

impl<const N: usize> Hash for Words<N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.iter().for_each(|w| state.write_u64(*w));
    }
}

impl<const N: usize> Words<N> {
    fn weight(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }
}

/// The game of one term.
struct Narrow<'m, const N: usize> {
    machine: &'m Machine,
    program: &'m Program<N>,
    /// The number of the term, doubled, plus 1 if the players' roles are exchanged.
    number: u32,
}

/// Does an errand at a position of the term of that number.
pub(super) fn run<const N: usize, E: Errand<Machine>>(
    machine: &Machine,
    program: &Program<N>,
    number: u32,
    position: &Packed,
    errand: E,
) -> E::Output {
    let narrow = Narrow {
        machine,
        program,
        number,
    };
    errand.run(&narrow, &Words(words(position)), |p| wrap(number, p.0))
}

impl<const N: usize> Game for Narrow<'_, N> {
    type Position = Words<N>;
    type Key = Key;
    type Fault = Box<Fault>;

    fn players(&self) -> u8 {
        self.machine.players
    }

    fn convention(&self) -> Convention {
        self.machine.convention
    }

    fn options(
        &self,
        position: &Words<N>,
        player: Player,
        options: &mut Vec<Words<N>>,
    ) -> Result<(), Box<Fault>> {
        let mover = role(self.number, player);
        self.program
            .options(&position.0, mover.index(), |s| options.push(Words(s)))
    }

    fn split(&self, position: &Words<N>, parts: &mut Vec<Words<N>>) {
        if self.machine.settings.has(Shortcut::Split) {
            self.program.split(&position.0, |p| parts.push(Words(p)));
        } else {
            parts.push(*position);
        }
    }

    fn regions(
        &self,
        from: Option<&Words<N>>,
        position: &Words<N>,
        parts: &mut Vec<Words<N>>,
    ) -> bool {
        let from = from.map(|p| &p.0);
        self.program
            .regions(from, &position.0, |p| parts.push(Words(p)))
    }

    fn key(&self, part: &Words<N>) -> (Key, Sign) {
        let (key, sign) = self.program.key(&part.0, &self.machine.settings);
        self.machine.signed_key(self.number, key, sign)
    }

    fn plain_key(&self, part: &Words<N>) -> Option<(Key, Sign)> {
        let (key, sign) = self.program.plain_key(&part.0)?;
        Some(self.machine.signed_key(self.number, key, sign))
    }

    fn portable(&self, key: &Key, bytes: &mut Vec<u8>) -> Option<u32> {
        self.machine.portable(key, bytes)
    }

    fn rules(&self, number: u32) -> Vec<u8> {
        self.machine.rules(number)
    }

    fn is_impartial(&self, part: &Words<N>) -> bool {
        self.machine.settings.has(Shortcut::Impartial) && self.program.all_share(&part.0)
    }

    fn ends(&self) -> bool {
        self.machine.ends
    }

    fn is_faultless(&self) -> bool {
        self.machine.faultless
    }

    fn weight(&self, part: &Words<N>) -> u32 {
        part.weight()
    }

    fn mobility(&self, part: &Words<N>) -> Option<[u32; 2]> {
        Some(in_roles(self.number, self.program.mobility(&part.0)))
    }

    fn tied(
        &self,
        part: &Words<N>,
        player: Player,
        weight: u32,
        pieces: &mut Vec<Words<N>>,
    ) -> bool {
        if !self.machine.settings.has(Shortcut::Split) || self.machine.players != 2 {
            return false;
        }
        let own = role(self.number, player).index();
        self.program
            .tied(&part.0, own, weight, |s| pieces.push(Words(s)))
    }

    fn key_bytes(&self, key: &Key) -> usize {
        key.heap_bytes()
    }
}

/// The game of removal of one term: its positions are sets of instances.
struct Removed<'m, const W: usize> {
    machine: &'m Machine,
    removal: &'m Removal,
    number: u32,
    /// Where a part is known by the cells that it covers.
    by_cells: Option<ByCells<'m, W>>,
}

/// What is asked of a part by the cells that it covers.
struct ByCells<'m, const W: usize> {
    key: &'m (dyn Fn(&[u64; W]) -> (Key, Sign) + Sync),
    tied: &'m (dyn Fn(&[u64; W], usize, u32, &mut Vec<Words<W>>) -> bool + Sync),
}

/// Does an errand at a position of a term that is a game of removal.
pub(super) fn remove<const N: usize, E: Errand<Machine>>(
    machine: &Machine,
    program: &Program<N>,
    removal: &Removal,
    number: u32,
    position: &Packed,
    errand: E,
) -> E::Output {
    match removal.words {
        1 => remove_in::<N, 1, E>(machine, program, removal, number, position, errand),
        2 => remove_in::<N, 2, E>(machine, program, removal, number, position, errand),
        _ => remove_in::<N, 4, E>(machine, program, removal, number, position, errand),
    }
}

fn remove_in<const N: usize, const W: usize, E: Errand<Machine>>(
    machine: &Machine,
    program: &Program<N>,
    removal: &Removal,
    number: u32,
    position: &Packed,
    errand: E,
) -> E::Output {
    let key = |set: &[u64; W]| {
        program.key(
            &Removal::cover::<N, W>(&program.masks, set),
            &machine.settings,
        )
    };
    let tied = |set: &[u64; W], player: usize, weight: u32, pieces: &mut Vec<Words<W>>| {
        let cells = Removal::cover::<N, W>(&program.masks, set);
        let piece = |s: [u64; N]| pieces.push(Words(removal.enabled(&program.masks, &s)));
        program.tied(&cells, player, weight, piece)
    };
    let removed = Removed {
        machine,
        removal,
        number,
        by_cells: removal.by_cells.then_some(ByCells {
            key: &key,
            tied: &tied,
        }),
    };
    let start = Words(removal.enabled(&program.masks, &words::<N>(position)));
    errand.run(&removed, &start, |p| {
        wrap(number, Removal::cover::<N, W>(&program.masks, &p.0))
    })
}

impl<const W: usize> Game for Removed<'_, W> {
    type Position = Words<W>;
    type Key = Key;
    type Fault = Box<Fault>;

    fn options(
        &self,
        position: &Words<W>,
        player: Player,
        options: &mut Vec<Words<W>>,
    ) -> Result<(), Box<Fault>> {
        let mover = role(self.number, player);
        self.removal
            .options(&position.0, mover.index(), |s| options.push(Words(s)));
        Ok(())
    }

    fn split(&self, position: &Words<W>, parts: &mut Vec<Words<W>>) {
        self.removal.split(&position.0, |p| parts.push(Words(p)));
    }

    fn split_option(&self, part: &Words<W>, option: &Words<W>, parts: &mut Vec<Words<W>>) -> bool {
        self.removal
            .split_option(&part.0, &option.0, |p| parts.push(Words(p)));
        true
    }

    fn key(&self, part: &Words<W>) -> (Key, Sign) {
        let (key, sign) = match &self.by_cells {
            Some(cells) => (cells.key)(&part.0),
            None => self
                .removal
                .key(&part.0, &self.machine.settings)
                .unwrap_or_else(|| (state_key(self.removal.board, &part.0), Sign::Plus)),
        };
        self.machine.signed_key(self.number, key, sign)
    }

    fn plain_key(&self, part: &Words<W>) -> Option<(Key, Sign)> {
        if self.by_cells.is_some() {
            return None;
        }
        let (set, sign) = match &self.removal.images {
            Some(images) => images.least(&part.0),
            None => (part.0, Sign::Plus),
        };
        let key = state_key(self.removal.board, &set);
        Some(self.machine.signed_key(self.number, key, sign))
    }

    fn image(&self, part: &Words<W>) -> Option<(Words<W>, Sign)> {
        let images = self.removal.images.as_ref()?;
        let (least, sign) = images.least(&part.0);
        Some((Words(least), sign))
    }

    fn portable(&self, key: &Key, bytes: &mut Vec<u8>) -> Option<u32> {
        self.machine.portable(key, bytes)
    }

    fn rules(&self, number: u32) -> Vec<u8> {
        self.machine.rules(number)
    }

    fn is_impartial(&self, part: &Words<W>) -> bool {
        self.machine.settings.has(Shortcut::Impartial) && self.removal.all_share(&part.0)
    }

    // Each move disables itself.
    fn ends(&self) -> bool {
        true
    }

    fn is_faultless(&self) -> bool {
        true
    }

    fn dwindles(&self) -> bool {
        true
    }

    fn weight(&self, part: &Words<W>) -> u32 {
        part.weight()
    }

    fn mobility(&self, part: &Words<W>) -> Option<[u32; 2]> {
        Some(in_roles(self.number, self.removal.mobility(&part.0)))
    }

    fn margin(&self, position: &Words<W>, player: Player, begins: bool) -> Option<i32> {
        let own = role(self.number, player).index();
        self.removal.margin(&position.0, own, begins)
    }

    fn tied(
        &self,
        part: &Words<W>,
        player: Player,
        weight: u32,
        pieces: &mut Vec<Words<W>>,
    ) -> bool {
        let own = role(self.number, player).index();
        match &self.by_cells {
            Some(cells) => (cells.tied)(&part.0, own, weight, pieces),
            None => self
                .removal
                .tied(&part.0, own, weight, |s| pieces.push(Words(s))),
        }
    }

    fn key_bytes(&self, key: &Key) -> usize {
        key.heap_bytes()
    }
}
