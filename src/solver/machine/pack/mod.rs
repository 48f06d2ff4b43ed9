//! Level 3: ground instances become masks over a few words.
//!
//! Every variable that some instance observes has a field of bits. A value is encoded by the atoms that it satisfies: one bit
//! for each set of values that some guard asks for (if these are too many, for each value the set of all others), with further
//! bits if two values would look the same. So a guard is one mask, which is met if all of its bits are set. A value from which no guard on the variable can ever be met is encoded as
//! 0, and so is a variable out of play: no instance that observes it is enabled then.

mod layout;

use super::asked::{Act, Asked, Eye, Maker};
use super::copies::{Copied, Mapped, Tables};
use super::ends::Ends;
use super::images::Images;
use super::index::{Index, each, each_set};
use super::keep::{self, Keep};
use super::key::{self, Links};
use super::lasting::Lasting;
use super::regions::Regions;
use super::removal::{self, Removal};
use super::rooted::Rooted;
use super::settings::{Planted, Settings};
use crate::game::Shortcut;
use crate::ir::fault::Fault;
use crate::ir::ground::{Ground, NEVER, Write};
use crate::ir::val::Val;
pub(super) use layout::{Layout, is_gone, layout, set_words};
use std::sync::Arc;

/// The field of a variable.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// The variable of the ground instances.
    pub var: u32,
    /// The word of the field.
    pub word: usize,
    pub shift: u32,
    /// The bits of each value by its number, not shifted.
    pub patterns: Vec<u64>,
    /// The values that can follow each value, itself included, as sets of numbers.
    pub reach: Vec<u64>,
    /// All bits of the field, in place.
    pub mask: u64,
}

impl Field {
    /// The number of the value with these bits; if several values are encoded as 0, the first of them.
    pub(super) fn decode(&self, word: u64) -> Option<usize> {
        let bits = (word & self.mask) >> self.shift;
        self.patterns.iter().position(|p| *p == bits)
    }
}

/// A write that reads a field.
#[derive(Clone, Debug)]
pub(super) struct Look {
    pub from: usize,
    pub to: usize,
    /// The number of the value written for each number of the value read.
    pub table: Box<[u8]>,
}

/// One instance as words.
#[derive(Clone, Debug)]
pub(super) struct Mask<const N: usize> {
    /// Bits that must all be set.
    pub guard: [u64; N],
    pub clear: [u64; N],
    pub set: [u64; N],
    /// The fields that it observes, and the fields that it writes.
    pub observed: [u64; N],
    pub written: [u64; N],
    /// The atoms that the values it writes can meet.
    pub gives: [u64; N],
    pub players: u64,
    /// Writes that depend on the state; few instances have any. Copies of bits and tables of bits are separate.
    pub looks: Vec<Look>,
    pub copied: Vec<Copied>,
    pub mapped: Vec<Mapped>,
    /// Phases, which replace the writes if the instance has further conditions.
    pub acts: Vec<Act<N>>,
    /// Whether it then removes the edges cut off from the root.
    pub keep: bool,
    /// Whether the same player moves next.
    pub again: bool,
    pub fault: Option<Arc<Fault>>,
    /// The index of the ground instance.
    pub ground: u32,
}

/// The part of a mask that enumerating moves reads, in one place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<const N: usize> {
    pub guard: [u64; N],
    pub clear: [u64; N],
    pub set: [u64; N],
    /// The index of its [`Mask`] if there is more to do; otherwise `u32::MAX`.
    pub more: u32,
}

/// A packed ruleset on a board.
#[derive(Clone, Debug)]
pub(super) struct Program<const N: usize> {
    pub ground: Arc<Ground>,
    pub fields: Vec<Field>,
    /// Whether different states of the ground variables are different words.
    pub exact: bool,
    pub masks: Vec<Mask<N>>,
    /// The step of each instance.
    steps: Vec<Step<N>>,
    /// The instances of each player, if there is no index.
    own: Vec<Vec<u32>>,
    /// Sets of instances by bit and field; `None` if they are too large or the shortcut is off.
    pub index: Option<Index<N>>,
    /// The bits that represent atoms.
    pub atoms: [u64; N],
    /// Bits that never change: one is set if an instance has no guard.
    pub always: [u64; N],
    pub keep: Option<Keep<N>>,
    pub start: [u64; N],
    /// Whether all instances belong to every player.
    pub impartial: bool,
    /// A planted mistake, for tests: splits even where parts are not independent.
    pub planted: bool,
    /// Whether some instance has conditions that masks cannot express; then positions are not split.
    pub asks: bool,
    pub asked: Asked<N>,
    pub key: super::key::KeyPlan,
    /// Images of states under the symmetries of the instances; empty if keys are patterns or there is no symmetry.
    pub images: Vec<Images>,
    /// The clauses that end play.
    pub ends: Ends<N>,
    /// The removal game, if it is one.
    pub removal: Option<Removal>,
    /// The links of its instances, if it is one with too many of them.
    pub links: Option<Links>,
    /// The moves left to each of many players, if they can be counted.
    pub lasting: Option<Lasting>,
    /// The game of cutting edges off, if it is one.
    pub rooted: Option<Rooted<N>>,
    /// The links between variables, if parts can be found by them.
    pub regions: Option<Regions<N>>,
    /// The number of live instances at the start and of variables in play there, if there are regions and no patterns.
    pub at_start: (usize, usize),
}

#[inline]
pub(super) fn or<const N: usize>(a: &mut [u64; N], b: &[u64; N]) {
    for i in 0..N {
        a[i] |= b[i];
    }
}

#[inline]
pub(super) fn and<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    let mut out = [0; N];
    for i in 0..N {
        out[i] = a[i] & b[i];
    }
    out
}

#[inline]
pub(super) fn without<const N: usize>(a: &[u64; N], b: &[u64; N]) -> [u64; N] {
    std::array::from_fn(|i| a[i] & !b[i])
}

#[inline]
pub(super) fn meets<const N: usize>(a: &[u64; N], b: &[u64; N]) -> bool {
    (0..N).any(|i| a[i] & b[i] != 0)
}

#[inline]
pub(super) fn holds<const N: usize>(state: &[u64; N], guard: &[u64; N]) -> bool {
    (0..N).all(|i| state[i] & guard[i] == guard[i])
}

#[inline]
pub(super) fn is_zero<const N: usize>(a: &[u64; N]) -> bool {
    a.iter().all(|w| *w == 0)
}

impl<const N: usize> Program<N> {
    /// Compiles ground instances with a layout.
    pub(super) fn new(ground: Arc<Ground>, layout: &Layout, settings: &Settings) -> Program<N> {
        let fields = layout.fields.clone();
        let place = |f: &Field, bits: u64| {
            let mut out = [0u64; N];
            out[f.word] = bits << f.shift;
            out
        };
        let whole = |f: &Field| {
            let mut out = [0u64; N];
            out[f.word] = f.mask;
            out
        };
        let mut always = [0u64; N];
        if let Some((word, shift)) = layout.always {
            always[word] |= 1 << shift;
        }
        let asks = ground.asks();
        let mut maker = Maker::new(&ground, layout);
        let mut masks = Vec::new();
        for (i, m) in ground.instances.iter().enumerate() {
            let mut mask = Mask {
                guard: [0; N],
                clear: [0; N],
                set: [0; N],
                observed: [0; N],
                written: [0; N],
                gives: [0; N],
                players: m.players,
                looks: Vec::new(),
                copied: Vec::new(),
                mapped: Vec::new(),
                acts: maker.acts(&m.phases),
                keep: m.keep.is_some(),
                again: m.again,
                fault: m.fault.clone(),
                ground: u32::try_from(i).unwrap_or(u32::MAX),
            };
            if m.guard.is_empty() {
                mask.guard = always;
                mask.observed = always;
            }
            for (var, set) in &m.guard {
                let Some(f) = layout.of_var[*var as usize] else {
                    continue;
                };
                or(&mut mask.guard, &place(&fields[f], layout.bits_of(f, *set)));
                let counts = matches!(ground.values[*var as usize].first(), Some(Val::Int(_)));
                let subtracts = counts && m.update.iter().any(|(v, _)| v == var);
                if settings.planted == Some(Planted::SubtractDoesNotObserve) && subtracts {
                    continue;
                }
                or(&mut mask.observed, &whole(&fields[f]));
            }
            for (var, write) in &m.update {
                let Some(f) = layout.of_var[*var as usize] else {
                    continue;
                };
                or(&mut mask.written, &whole(&fields[f]));
                match write {
                    Write::Value(n) => {
                        let bits = fields[f].patterns.get(usize::from(*n));
                        or(&mut mask.clear, &whole(&fields[f]));
                        or(
                            &mut mask.set,
                            &place(&fields[f], bits.copied().unwrap_or(0)),
                        );
                    }
                    Write::Table(from, table) => {
                        let Some(from) = layout.of_var[*from as usize] else {
                            continue;
                        };
                        if from != f || settings.planted != Some(Planted::SubtractDoesNotObserve) {
                            or(&mut mask.observed, &whole(&fields[from]));
                        }
                        // If only one value can be written, the write is constant.
                        let left: Vec<u8> = table.iter().copied().filter(|n| *n != NEVER).collect();
                        match left.split_first() {
                            Some((one, rest)) if rest.iter().all(|n| n == one) => {
                                let bits = fields[f].patterns[usize::from(*one)];
                                or(&mut mask.clear, &whole(&fields[f]));
                                or(&mut mask.set, &place(&fields[f], bits));
                            }
                            _ => mask.looks.push(Look {
                                from,
                                to: f,
                                table: table.clone(),
                            }),
                        }
                    }
                    Write::Plus(table) => mask.looks.push(Look {
                        from: f,
                        to: f,
                        table: table.clone(),
                    }),
                }
            }
            if asks {
                // The phases may read or write anything.
                for f in &fields {
                    or(&mut mask.observed, &whole(f));
                    if !mask.acts.is_empty() {
                        or(&mut mask.written, &whole(f));
                    }
                }
            }
            masks.push(mask);
        }
        let mut start = always;
        for f in &fields {
            let n = usize::from(ground.start[f.var as usize]);
            or(&mut start, &place(f, f.patterns[n]));
        }
        let players = ground.setting.instance.players.len();
        let everyone = if players >= 64 {
            u64::MAX
        } else {
            (1 << players) - 1
        };
        let mut steps: Vec<Step<N>> = (0u32..)
            .zip(&masks)
            .map(|(i, m)| Step {
                guard: m.guard,
                clear: m.clear,
                set: m.set,
                more: if m.looks.is_empty() && m.acts.is_empty() && !m.keep && m.fault.is_none() {
                    u32::MAX
                } else {
                    i
                },
            })
            .collect();
        let mut atoms = always;
        for (f, list) in fields.iter().zip(&layout.atoms) {
            let bits = if list.len() >= 64 {
                u64::MAX
            } else {
                (1 << list.len()) - 1
            };
            or(&mut atoms, &place(f, bits));
        }
        let planted = |one: Planted| settings.planted == Some(one);
        for m in &mut masks {
            for i in 0..N {
                m.gives[i] = m.set[i];
            }
            for look in &m.looks {
                let to = &fields[look.to];
                for n in look.table.iter().filter(|n| **n != NEVER) {
                    or(&mut m.gives, &place(to, to.patterns[usize::from(*n)]));
                }
            }
            m.gives = match m.acts.is_empty() {
                true => and(&m.gives, &atoms),
                false => atoms,
            };
        }
        let mut keep = layout
            .keep
            .map(|root| keep::edges::<N>(&ground, layout, root));
        if let Some(keep) = &mut keep {
            let mut cut = start;
            keep.cut(&mut cut);
            let loose = |m: &Mask<N>| !m.keep && meets(&m.written, &keep.fields);
            keep.joined = cut == start && !masks.iter().any(loose);
            let gone = and(&keep.gone, &atoms);
            for m in masks.iter_mut().filter(|m| m.keep) {
                or(&mut m.gives, &gone);
            }
        }
        if settings.has(Shortcut::Copies) {
            let mut tables = Tables::default();
            for (m, step) in masks.iter_mut().zip(&mut steps) {
                let ready = tables.ready(&m.looks, &fields);
                for (word, bits) in ready.cleared {
                    step.clear[word] |= bits;
                }
                (m.looks, m.copied, m.mapped) = (ready.looks, ready.copied, ready.mapped);
                if planted(Planted::CopiesForget) && m.copied.pop().is_none() {
                    m.mapped.pop();
                }
            }
        }
        let impartial =
            planted(Planted::ImpartialAlways) || masks.iter().all(|m| m.players == everyone);
        let index = settings
            .has(Shortcut::Index)
            .then(|| {
                let forgotten = usize::from(planted(Planted::IndexForgets)).min(masks.len());
                Index::new(&fields, &masks[..masks.len() - forgotten], players, &always)
            })
            .flatten();
        let own = if index.is_some() {
            Vec::new()
        } else {
            (0..players)
                .map(|p| {
                    let own = (0u32..).zip(&masks);
                    own.filter(|(_, m)| m.players >> p & 1 == 1)
                        .map(|(i, _)| i)
                        .collect()
                })
                .collect()
        };
        let key = super::key::KeyPlan::new(&ground, &fields, settings);
        let mut images = Vec::new();
        let mut symmetries = Vec::new();
        let symmetric = || key::symmetries(&ground, layout, N, key::Of::Parts, settings.planted);
        if key.pattern.is_none() && !key.by_state && settings.has(Shortcut::Symmetry) {
            symmetries = symmetric();
            let others = symmetries.iter().skip(1);
            images = Images::new(N, &others.map(|s| s.image()).collect::<Vec<_>>());
        }
        let in_masks = settings.planted.is_some_and(Planted::is_in_masks);
        let asked = maker.done();
        let ends = Ends::new(&ground, layout, &masks);
        let short = ground.setting.instance.has_values() && !asks;
        let removal = (settings.has(Shortcut::Removal) && !in_masks && short && !settings.listed)
            .then(|| Removal::new(&ground, &fields, &masks, key.pattern.is_some()))
            .flatten()
            .map(|removal| {
                let others = symmetries.iter().skip(1);
                removal.with_images(others.map(|s| (&s.instances[..], s.exchanged)))
            })
            .map(|removal| {
                if !settings.has(Shortcut::Pairing) {
                    return removal;
                }
                if symmetries.is_empty() {
                    symmetries = symmetric();
                }
                let all = symmetries.iter().map(|s| (&s.instances[..], s.exchanged));
                removal.with_pairings(all, planted(Planted::PairedInTheWay))
            })
            .map(|removal| removal.planted(settings.planted));
        let by_links = settings.has(Shortcut::Isomorphism) && key.pattern.is_none();
        let are_many = settings.listed || masks.len() > removal::MOST;
        let links = (by_links && are_many && !in_masks && short)
            .then(|| Links::new(&ground, settings))
            .flatten();
        let cutting = settings.has(Shortcut::Rooted) && !in_masks && short;
        let rooted = keep
            .as_ref()
            .filter(|_| cutting && key.pattern.is_none())
            .and_then(|keep| Rooted::new(keep, &fields, &masks, &always, players))
            .map(|rooted| match planted(Planted::RootedStands) {
                true => rooted.all_standing(),
                false => rooted,
            });
        let lasting = (settings.has(Shortcut::Outlast) && !in_masks && short && players > 2)
            .then(|| Lasting::new(&ground, &masks))
            .flatten();
        let may = settings.has(Shortcut::Split) && !in_masks && short;
        let regions = (may && keep.is_none())
            .then(|| Regions::new(&fields, &masks))
            .flatten()
            .map(|regions| match planted(Planted::RegionsApart) {
                true => regions.without_links(),
                false => regions,
            });
        let mut program = Program {
            ground,
            fields,
            exact: layout.exact,
            masks,
            steps,
            own,
            index,
            atoms,
            always,
            keep,
            start,
            impartial,
            planted: settings.planted == Some(Planted::SubtractDoesNotObserve),
            asks,
            asked,
            key,
            images,
            ends,
            removal,
            links,
            lasting,
            rooted,
            regions,
            at_start: (0, 0),
        };
        // Only shapes use it.
        if program.key.pattern.is_none()
            && let Some(in_play) = program.variables_in_play(&start)
        {
            program.at_start = (program.live(&start).0.len(), in_play);
        }
        program
    }

    /// Whether the analysis of the start applies to a state: if all edges were joined to the root there, they must be here.
    pub(super) fn speaks_for(&self, words: &[u64; N]) -> bool {
        self.keep.as_ref().is_none_or(|keep| {
            let mut cut = *words;
            keep.cut(&mut cut);
            !keep.joined || cut == *words
        })
    }

    /// The words of a state given by the numbers of its values.
    pub(super) fn pack(&self, numbers: &[u8]) -> [u64; N] {
        let mut words = self.always;
        for f in &self.fields {
            words[f.word] |= f.patterns[usize::from(numbers[f.var as usize])] << f.shift;
        }
        words
    }

    /// The numbers of the values with these words. A variable out of play gets the first value encoded as 0; if it has none,
    /// its value at the start.
    pub(super) fn unpack(&self, words: &[u64; N]) -> Vec<u8> {
        let mut numbers = self.ground.start.clone();
        for f in &self.fields {
            if let Some(n) = f.decode(words[f.word]) {
                numbers[f.var as usize] = u8::try_from(n).unwrap_or(0);
            }
        }
        numbers
    }

    /// Calls `found` with the state after each enabled instance of a player, in their order.
    ///
    /// # Errors
    /// The fault of an enabled instance that has one.
    pub(super) fn options(
        &self,
        state: &[u64; N],
        player: usize,
        mut found: impl FnMut([u64; N]),
    ) -> Result<(), Box<Fault>> {
        if let Some(rooted) = &self.rooted {
            rooted.options(state, player, found);
            return Ok(());
        }
        let mut result = Ok(());
        let mut eye = None;
        let mut one = |i: usize| {
            let step = &self.steps[i];
            let mut asked = None;
            if step.more != u32::MAX && !self.masks[i].acts.is_empty() {
                match self.after(state, i, &mut eye) {
                    Some(next) => asked = Some(next),
                    None => return,
                }
            }
            if step.more != u32::MAX
                && let Some(fault) = &self.masks[i].fault
            {
                if result.is_ok() {
                    result = Err(Box::new((**fault).clone()));
                }
                return;
            }
            found(asked.unwrap_or_else(|| self.step(state, step)));
        };
        match (&self.index, self.own.get(player)) {
            (Some(index), _) if player < self.ground.setting.instance.players.len() => {
                each_set!(index, S => each(&index.enabled::<S>(state, player), one));
            }
            (_, Some(own)) => {
                for i in own {
                    if holds(state, &self.steps[*i as usize].guard) {
                        one(*i as usize);
                    }
                }
            }
            _ => {}
        }
        result
    }

    /// Calls `found` with the state after each enabled instance of a player, the number of the instance, and whether the
    /// player moves again.
    ///
    /// # Errors
    /// The fault of an enabled instance that has one.
    pub(super) fn steps(
        &self,
        state: &[u64; N],
        player: usize,
        mut found: impl FnMut([u64; N], usize, bool),
    ) -> Result<(), Box<Fault>> {
        let mut eye = None;
        let mut one = |i: usize| -> Result<(), Box<Fault>> {
            let (step, mask) = (&self.steps[i], &self.masks[i]);
            let mut asked = None;
            if !mask.acts.is_empty() {
                match self.after(state, i, &mut eye) {
                    Some(next) => asked = Some(next),
                    None => return Ok(()),
                }
            }
            if let Some(fault) = &mask.fault {
                return Err(Box::new((**fault).clone()));
            }
            let next = asked.unwrap_or_else(|| self.step(state, step));
            found(next, i, mask.again);
            Ok(())
        };
        match (&self.index, self.own.get(player)) {
            (Some(index), _) if player < self.ground.setting.instance.players.len() => {
                let mut result = Ok(());
                each_set!(index, S => each(&index.enabled::<S>(state, player), |i| {
                    if result.is_ok() {
                        result = one(i);
                    }
                }));
                result
            }
            (_, Some(own)) => {
                let enabled = own.iter().map(|i| *i as usize);
                enabled
                    .filter(|i| holds(state, &self.steps[*i].guard))
                    .try_for_each(one)
            }
            _ => Ok(()),
        }
    }

    /// The state after an instance with phases; `None` if one of its conditions fails.
    fn after<'a>(
        &'a self,
        state: &'a [u64; N],
        instance: usize,
        eye: &mut Option<Eye<'a, N>>,
    ) -> Option<[u64; N]> {
        let eye = eye.get_or_insert_with(|| Eye::new(&self.asked, state));
        self.asked.after(state, eye, &self.masks[instance].acts)
    }

    /// Whether some write copies or maps bits.
    pub(super) fn copies(&self) -> bool {
        let mut all = self.masks.iter();
        all.any(|m| !m.copied.is_empty() || !m.mapped.is_empty())
    }

    /// The state after an enabled instance.
    #[inline]
    fn step(&self, state: &[u64; N], step: &Step<N>) -> [u64; N] {
        let mut next = [0u64; N];
        for i in 0..N {
            next[i] = (state[i] & !step.clear[i]) | step.set[i];
        }
        if step.more != u32::MAX {
            let mask = &self.masks[step.more as usize];
            for copied in &mask.copied {
                copied.apply(state, &mut next);
            }
            for mapped in &mask.mapped {
                mapped.apply(state, &mut next);
            }
            for look in &mask.looks {
                let (from, to) = (&self.fields[look.from], &self.fields[look.to]);
                let Some(n) = from.decode(state[from.word]) else {
                    continue;
                };
                let Some(bits) = look
                    .table
                    .get(n)
                    .and_then(|n| to.patterns.get(usize::from(*n)))
                else {
                    continue;
                };
                next[to.word] = (next[to.word] & !to.mask) | bits << to.shift;
            }
            if mask.keep
                && let Some(keep) = &self.keep
            {
                keep.cut(&mut next);
            }
        }
        next
    }
}
