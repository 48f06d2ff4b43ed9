//! The machine as a game: implements [`Rules`], [`Game`] and [`Analysis`].
//!
//! There are two games. [`OneTerm`] is played within one term. Its positions are bare words, so that the engine's tables take
//! no more bytes than those of a game written by hand. [`Machine`] plays sums of terms of any kind: it looks up the term of a
//! position, calls [`OneTerm`], and adds what sums of several terms and terms played at level 1 need.

use super::key::{self, Key};
use super::pack::Program;
use super::removal::Removal;
use super::states::{ByCells, Removed, States};
use super::{Kind, Machine, Packed, each_width, words, wrap};
use crate::game::{
    Analysis, Conflicts, Convention, End, Game, MovesLeft, Player, Rules, Shortcut, Sign, Step,
    Task,
};
use crate::ir::eval::{Evaluator, NoHost};
use crate::ir::{Fault, State, naive};
use std::hash::{Hash, Hasher};
use std::sync::atomic::Ordering::Relaxed;

/// A state of one term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Words<const N: usize>(pub(super) [u64; N]);

impl<const N: usize> Hash for Words<N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.iter().for_each(|w| state.write_u64(*w));
    }
}

/// The game of one term, on states of `N` words.
struct OneTerm<'m, S, const N: usize> {
    machine: &'m Machine,
    states: &'m S,
    /// The number of the term, doubled, plus 1 if the players' roles are exchanged.
    number: u32,
}

/// The part that both games share.
impl<const N: usize, S: States<N>> OneTerm<'_, S, N> {
    #[inline]
    fn each_option(
        &self,
        state: &[u64; N],
        player: Player,
        found: impl FnMut([u64; N]),
    ) -> Result<(), Box<Fault>> {
        self.states.options(state, role(self.number, player), found)
    }

    #[inline]
    fn each_step(
        &self,
        state: &[u64; N],
        player: Player,
        mut found: impl FnMut([u64; N], bool, Option<End>),
    ) -> Result<(), Box<Fault>> {
        self.states
            .steps(state, role(self.number, player), |next, again, end| {
                found(next, again, end.map(|e| end_in_roles(self.number, e)));
            })
    }

    #[inline]
    fn each_part(&self, state: &[u64; N], part: &mut dyn FnMut([u64; N])) {
        if self.machine.settings.has(Shortcut::Split) {
            self.states.split(state, part);
        } else {
            part(*state);
        }
    }

    #[inline]
    fn each_tied(
        &self,
        part: &[u64; N],
        player: Player,
        weight: u32,
        piece: &mut dyn FnMut([u64; N]),
    ) -> bool {
        self.machine.settings.has(Shortcut::Split)
            && self.machine.players == 2
            && self
                .states
                .tied(part, role(self.number, player), weight, piece)
    }
}

impl<const N: usize, S: States<N>> Rules for OneTerm<'_, S, N> {
    type Position = Words<N>;
    type Fault = Box<Fault>;

    #[inline]
    fn players(&self) -> u8 {
        self.machine.players
    }

    #[inline]
    fn convention(&self) -> Convention {
        self.machine.convention
    }

    #[inline]
    fn endless(&self) -> Option<Player> {
        self.machine.endless
    }

    #[inline]
    fn options(
        &self,
        position: &Words<N>,
        player: Player,
        options: &mut Vec<Words<N>>,
    ) -> Result<(), Box<Fault>> {
        self.each_option(&position.0, player, |s| options.push(Words(s)))
    }

    fn ended(&self, position: &Words<N>) -> Result<Option<End>, Box<Fault>> {
        self.machine
            .ended(&self.states.packed(self.number, &position.0))
    }

    #[inline]
    fn steps(
        &self,
        position: &Words<N>,
        player: Player,
        steps: &mut Vec<Step<Words<N>>>,
    ) -> Result<(), Box<Fault>> {
        self.each_step(&position.0, player, |s, again, end| {
            let to = Words(s);
            steps.push(Step { to, again, end });
        })
    }
}

impl<const N: usize, S: States<N>> Game for OneTerm<'_, S, N> {
    type Key = Key;

    #[inline]
    fn key(&self, part: &Words<N>) -> (Key, Sign) {
        let (key, sign) = self.states.key(&part.0, &self.machine.settings);
        self.machine.signed_key(self.number, key, sign)
    }

    #[inline]
    fn analysis(&self) -> &impl Analysis<Self> {
        self
    }

    fn key_bytes(&self, key: &Key) -> usize {
        self.machine.key_bytes(key)
    }

    fn portable(&self, key: &Key, bytes: &mut Vec<u8>) -> Option<u32> {
        self.machine.portable(key, bytes)
    }

    fn rules_text(&self, number: u32) -> Vec<u8> {
        self.machine.rules_text(number)
    }
}

impl<const N: usize, S: States<N>> Analysis<Self> for OneTerm<'_, S, N> {
    #[inline]
    fn split(&self, position: &Words<N>, parts: &mut Vec<Words<N>>) {
        self.each_part(&position.0, &mut |p| parts.push(Words(p)));
    }

    #[inline]
    fn regions(
        &self,
        from: Option<&Words<N>>,
        position: &Words<N>,
        parts: &mut Vec<Words<N>>,
    ) -> bool {
        self.states
            .regions(from.map(|p| &p.0), &position.0, &mut |p| {
                parts.push(Words(p))
            })
    }

    #[inline]
    fn plain_key(&self, part: &Words<N>) -> Option<(Key, Sign)> {
        let (key, sign) = self.states.plain_key(&part.0)?;
        Some(self.machine.signed_key(self.number, key, sign))
    }

    #[inline]
    fn image(&self, part: &Words<N>) -> Option<(Words<N>, Sign)> {
        let (image, sign) = self.states.image(&part.0)?;
        Some((Words(image), sign))
    }

    #[inline]
    fn is_impartial(&self, part: &Words<N>) -> bool {
        self.machine.settings.has(Shortcut::Impartial) && self.states.all_share(&part.0)
    }

    #[inline]
    fn ends(&self) -> bool {
        S::DWINDLES || self.machine.ends
    }

    #[inline]
    fn is_faultless(&self) -> bool {
        S::DWINDLES || self.machine.faultless
    }

    #[inline]
    fn dwindles(&self) -> bool {
        S::DWINDLES
    }

    #[inline]
    fn weight(&self, part: &Words<N>) -> u32 {
        ones(&part.0)
    }

    #[inline]
    fn mobility(&self, part: &Words<N>) -> Option<[u32; 2]> {
        Some(in_roles(self.number, self.states.mobility(&part.0)))
    }

    #[inline]
    fn margin(&self, position: &Words<N>, player: Player, begins: bool) -> Option<i32> {
        self.states
            .margin(&position.0, role(self.number, player), begins)
    }

    fn conflicts(&self, position: &Words<N>, least: u32) -> Option<Conflicts> {
        let mut conflicts = self.states.conflicts(&position.0, least)?;
        for owner in &mut conflicts.owners {
            // Exchanging the players twice changes nothing, so the role of a player is the player of a role.
            *owner = role(self.number, *owner);
        }
        Some(conflicts)
    }

    #[inline]
    fn tied(
        &self,
        part: &Words<N>,
        player: Player,
        weight: u32,
        pieces: &mut Vec<Words<N>>,
    ) -> bool {
        self.each_tied(&part.0, player, weight, &mut |s| pieces.push(Words(s)))
    }
}

impl Machine {
    fn within<'m, const N: usize, S: States<N>>(
        &'m self,
        states: &'m S,
        number: u32,
    ) -> OneTerm<'m, S, N> {
        OneTerm {
            machine: self,
            states,
            number,
        }
    }

    /// Counts a key of a term, and flips its sign if the term exchanges the players.
    fn signed_key(&self, number: u32, key: Key, sign: Sign) -> (Key, Sign) {
        let counter = match key.kind() {
            key::Kind::Pattern => &self.counters.patterns,
            key::Kind::Shape | key::Kind::Rooted => &self.counters.shapes,
            key::Kind::Removal => &self.counters.graphs,
            key::Kind::State => &self.counters.states,
        };
        counter.fetch_add(1, Relaxed);
        match (is_exchanged(number), sign) {
            (false, sign) => (key, sign),
            (true, Sign::Plus) => (key, Sign::Minus),
            (true, Sign::Minus) => (key, Sign::Plus),
        }
    }

    /// How play has ended at one term, if `last` has just moved.
    fn end_of_term(&self, position: &Packed, last: Player) -> Result<Option<End>, Box<Fault>> {
        let number = position.number();
        let mover = role(number, last);
        let compiled = self.term(number);
        let end = each_width!(&compiled.kind,
        p => p.ends.ended(&words(position), mover),
        l => {
            let can_end = !compiled.term.setting.instance.rules.ends.is_empty();
            match can_end.then(|| l.state(position)).flatten() {
                Some(state) => {
                    let ev = Evaluator::new(&self.model, &NoHost).with_cancel(self.cancel.clone());
                    naive::ended_in(&ev, &compiled.term.setting, &state, Some(mover))?
                }
                None => None,
            }
        });
        Ok(end.map(|e| end_in_roles(number, e)))
    }
}

impl Rules for Machine {
    type Position = Packed;
    type Fault = Box<Fault>;

    fn players(&self) -> u8 {
        self.players
    }

    fn convention(&self) -> Convention {
        self.convention
    }

    fn endless(&self) -> Option<Player> {
        self.endless
    }

    fn options(
        &self,
        position: &Packed,
        player: Player,
        options: &mut Vec<Packed>,
    ) -> Result<(), Box<Fault>> {
        if let Packed::Sum(list) = position {
            let mut own = Vec::new();
            for (i, p) in answering(list) {
                self.options(p, player, &mut own)?;
                for option in own.drain(..) {
                    let mut all = list.clone();
                    all[i] = option;
                    all.sort_unstable_by_key(Packed::order);
                    options.push(Packed::Sum(all));
                }
            }
            return Ok(());
        }
        let number = position.number();
        each_width!(&self.term(number).kind,
        p => {
            self.within(p, number)
                .each_option(&words(position), player, |s| options.push(wrap(number, s)))?;
        },
        l => l.each_option(&self.model, &self.cancel, position, role(number, player), |to, _| {
            options.push(to);
        })?);
        Ok(())
    }

    fn ended(&self, position: &Packed) -> Result<Option<End>, Box<Fault>> {
        let ev = Evaluator::new(&self.model, &NoHost).with_cancel(self.cancel.clone());
        naive::ended(&ev, &self.show(position), None)
    }

    fn steps(
        &self,
        position: &Packed,
        player: Player,
        steps: &mut Vec<Step<Packed>>,
    ) -> Result<(), Box<Fault>> {
        if let Packed::Sum(list) = position {
            let mut own = Vec::new();
            for (i, p) in answering(list) {
                self.steps(p, player, &mut own)?;
                for step in own.drain(..) {
                    let mut all = list.clone();
                    all[i] = step.to;
                    // An end clause of another term may hold for the player who has just moved.
                    let mut end = step.end;
                    for (_, other) in list.iter().enumerate().filter(|(j, _)| *j != i) {
                        if end.is_none() {
                            end = self.end_of_term(other, player)?;
                        }
                    }
                    all.sort_unstable_by_key(Packed::order);
                    steps.push(Step {
                        to: Packed::Sum(all),
                        again: step.again,
                        end,
                    });
                }
            }
            return Ok(());
        }
        let number = position.number();
        each_width!(&self.term(number).kind,
        p => {
            self.within(p, number).each_step(&words(position), player, |s, again, end| {
                steps.push(Step { to: wrap(number, s), again, end });
            })?;
        },
        l => {
            let from = steps.len();
            l.each_option(&self.model, &self.cancel, position, role(number, player), |to, again| {
                steps.push(Step { to, again, end: None });
            })?;
            for step in &mut steps[from..] {
                step.end = self.end_of_term(&step.to, player)?;
            }
        });
        Ok(())
    }

    fn is_forced(&self, position: &Packed) -> bool {
        match position {
            Packed::Sum(list) => list.iter().any(is_entailed),
            part => is_entailed(part),
        }
    }

    fn apart(&self, position: &Packed, parts: &mut Vec<Packed>) {
        if let Packed::State(number, state) = position
            && let Kind::Level1(rules) = &self.term(*number).kind
        {
            rules.apart(state, |s| parts.push(Packed::State(*number, s)));
        } else {
            parts.push(position.clone());
        }
    }

    fn answers_apart(
        &self,
        position: &Packed,
        answered: &mut Vec<[Packed; 2]>,
        rest: &mut Vec<Packed>,
    ) {
        if let Packed::State(number, state) = position
            && let Kind::Level1(rules) = &self.term(*number).kind
        {
            let packed = |s| Packed::State(*number, s);
            rules.answers_apart(
                state,
                |both| answered.push(both.map(packed)),
                |s| rest.push(packed(s)),
            );
        } else {
            rest.push(position.clone());
        }
    }

    fn position_bytes(&self, position: &Packed) -> usize {
        match position {
            Packed::One(..) | Packed::Two(..) => 0,
            Packed::Many(_, w) => 8 * w.len(),
            Packed::State(_, s) => size_of::<State>() + s.vars.len() * 24 + s.heaps.len() * 64,
            Packed::Sum(list) => list
                .iter()
                .map(|p| size_of::<Packed>() + self.position_bytes(p))
                .sum(),
        }
    }
}

impl Game for Machine {
    type Key = Key;

    fn key(&self, part: &Packed) -> (Key, Sign) {
        if let Packed::Sum(list) = part {
            // Parts that were not split: all keys, concatenated.
            let mut all = Vec::new();
            for p in list.iter() {
                let (key, sign) = self.key(p);
                all.push(key.words().len() as u64 | u64::from(sign == Sign::Minus) << 63);
                all.extend_from_slice(key.words());
            }
            return (key::sum_key(&all), Sign::Plus);
        }
        let number = part.number();
        each_width!(&self.term(number).kind,
        p => self.within(p, number).key(&Words(words(part))),
        l => self.signed_key(number, l.key(part), Sign::Plus))
    }

    #[inline]
    fn analysis(&self) -> &impl Analysis<Self> {
        self
    }

    fn key_bytes(&self, key: &Key) -> usize {
        key.heap_bytes()
    }

    fn portable(&self, key: &Key, bytes: &mut Vec<u8>) -> Option<u32> {
        key::portable(key, bytes)
    }

    fn rules_text(&self, number: u32) -> Vec<u8> {
        key::rules(number)
    }
}

impl Analysis<Machine> for Machine {
    fn split(&self, position: &Packed, parts: &mut Vec<Packed>) {
        if let Packed::Sum(list) = position {
            for p in list.iter() {
                self.split(p, parts);
            }
            return;
        }
        let number = position.number();
        each_width!(&self.term(number).kind,
        p => self.within(p, number).each_part(&words(position), &mut |s| parts.push(wrap(number, s))),
        l => match position {
            Packed::State(_, state) if self.settings.has(Shortcut::Split) => {
                l.split(state, |s| parts.push(Packed::State(number, s)));
            }
            _ => parts.push(position.clone()),
        });
    }

    fn regions(&self, from: Option<&Packed>, position: &Packed, parts: &mut Vec<Packed>) -> bool {
        let Some(number) = in_words(position) else {
            return false;
        };
        // A part of a sum is one of its terms.
        let from = from.filter(|part| in_words(part) == Some(number));
        each_width!(&self.term(number).kind,
            p => p.regions(from.map(words).as_ref(), &words(position), &mut |s| parts.push(wrap(number, s))),
            _l => false)
    }

    fn is_impartial(&self, part: &Packed) -> bool {
        if let Packed::Sum(list) = part {
            return list.iter().all(|p| self.is_impartial(p));
        }
        let number = part.number();
        each_width!(&self.term(number).kind,
            p => self.within(p, number).is_impartial(&Words(words(part))),
            l => self.settings.has(Shortcut::Impartial) && l.everyone)
    }

    fn is_paired(&self, position: &Packed) -> bool {
        if let Packed::Sum(list) = position {
            return list.iter().all(|p| self.is_paired(p));
        }
        let Some(number) = in_words(position) else {
            return false;
        };
        each_width!(&self.term(number).kind,
            p => p.removal.as_ref().is_some_and(|removal| {
                removal.is_paired(&removal.enabled::<_, 4>(&p.masks, &words(position)))
            }),
            _l => false)
    }

    fn wins_by_pairing(&self, position: &Packed, mover: Player) -> Option<bool> {
        let number = in_words(position)?;
        each_width!(&self.term(number).kind,
            p => {
                let removal = p.removal.as_ref()?;
                let set = removal.enabled::<_, 4>(&p.masks, &words(position));
                removal.wins_by_pairing(&set, role(number, mover).index())
            },
            _l => None)
    }

    fn ends(&self) -> bool {
        self.ends
    }

    fn is_faultless(&self) -> bool {
        self.faultless
    }

    fn weight(&self, part: &Packed) -> u32 {
        match part {
            Packed::Sum(list) => list.iter().map(|p| self.weight(p)).sum(),
            // Of integers, the number of bits says nothing.
            part if matches!(self.term(part.number()).kind, Kind::Level1(_)) => 0,
            Packed::One(_, w) => w.count_ones(),
            Packed::Two(_, w) => ones(w),
            Packed::Many(_, w) => ones(w),
            Packed::State(..) => 0,
        }
    }

    fn mobility(&self, part: &Packed) -> Option<[u32; 2]> {
        let number = in_words(part)?;
        each_width!(&self.term(number).kind,
            p => self.within(p, number).mobility(&Words(words(part))),
            _l => None)
    }

    fn moves_left(&self, part: &Packed, within: u64, left: &mut [MovesLeft]) -> bool {
        let Some(number) = in_words(part) else {
            return false;
        };
        each_width!(&self.term(number).kind,
        p => p.moves_left(&words(part), within, left),
        _l => false)
    }

    fn tied(&self, part: &Packed, player: Player, weight: u32, pieces: &mut Vec<Packed>) -> bool {
        let Some(number) = in_words(part) else {
            return false;
        };
        each_width!(&self.term(number).kind,
            p => self.within(p, number)
                .each_tied(&words(part), player, weight, &mut |s| pieces.push(wrap(number, s))),
            _l => false)
    }

    fn narrowed<T: Task<Machine>>(&self, position: &Packed, task: T) -> Result<T::Output, T> {
        let Some(number) = in_words(position) else {
            return Err(task);
        };
        let compiled = self.term(number);
        let task = each_width!(&compiled.kind, p => match &p.removal {
            // Where removal is not mutual (orders), graphs of parts are expensive to write; for nimbers that does not pay.
            Some(removal)
                if self.settings.has(Shortcut::Split)
                    && self.settings.has(Shortcut::Shapes)
                    && compiled.term.setting.instance.has_values()
                    && (removal.mutual || !self.is_impartial(position)) =>
            {
                return Ok(match removal.words {
                    1 => self.in_sets::<_, 1, T>(p, removal, number, position, task),
                    #[cfg(not(target_family = "wasm"))]
                    4 => self.in_sets::<_, 4, T>(p, removal, number, position, task),
                    _ => self.in_sets::<_, 2, T>(p, removal, number, position, task),
                });
            }
            _ => task,
        }, _l => task);
        match &compiled.kind {
            Kind::W1(p) => Ok(self.in_bare_words(p, number, position, task)),
            Kind::W2(p) => Ok(self.in_bare_words(p, number, position, task)),
            // Positions of more words cost more than they save.
            _ => Err(task),
        }
    }
}

impl Machine {
    /// Runs a task at a position of a term, in the game of that term.
    fn in_bare_words<const N: usize, T: Task<Machine>>(
        &self,
        program: &Program<N>,
        number: u32,
        position: &Packed,
        task: T,
    ) -> T::Output {
        let game = self.within(program, number);
        task.run(&game, &Words(words(position)), |p| wrap(number, p.0))
    }

    /// Runs a task at a position of a removal game, on sets of its instances. The two functions below do the work; of this one
    /// there is a copy for each pair of widths and each task.
    fn in_sets<const N: usize, const W: usize, T: Task<Machine>>(
        &self,
        program: &Program<N>,
        removal: &Removal,
        number: u32,
        position: &Packed,
        task: T,
    ) -> T::Output {
        let (mut task, mut done) = (Some(task), None);
        self.with_sets::<N, W>(program, removal, number, position, &mut |states, start| {
            let run = |task| self.in_removed(states, number, start, task);
            done = task.take().map(run);
        });
        done.expect("`with_sets` calls it once")
    }

    /// Calls `run` once with the states of a removal game, as sets of its instances, and the set of a position. It does not
    /// depend on the task.
    fn with_sets<const N: usize, const W: usize>(
        &self,
        program: &Program<N>,
        removal: &Removal,
        number: u32,
        position: &Packed,
        run: &mut dyn FnMut(&Removed<W>, [u64; W]),
    ) {
        let cover = |set: &[u64; W]| Removal::cover::<N, W>(&program.masks, set);
        let enabled = |state: &[u64; N]| removal.enabled::<N, W>(&program.masks, state);
        let packed = |set: &[u64; W]| wrap(number, cover(set));
        let key = |set: &[u64; W]| program.key(&cover(set), &self.settings);
        let tied = |set: &[u64; W], player: Player, weight, piece: &mut dyn FnMut([u64; W])| {
            program.tied(&cover(set), player.index(), weight, &mut |s| {
                piece(enabled(&s))
            })
        };
        let states = Removed {
            removal,
            packed: &packed,
            by_cells: removal.by_cells.then_some(ByCells {
                key: &key,
                tied: &tied,
            }),
        };
        run(&states, enabled(&words::<N>(position)));
    }

    /// Runs a task at a position of a removal game. It does not depend on the width of packed states, or there would be a copy
    /// of the engine for each width.
    fn in_removed<const W: usize, T: Task<Machine>>(
        &self,
        states: &Removed<W>,
        number: u32,
        start: [u64; W],
        task: T,
    ) -> T::Output {
        let game = self.within(states, number);
        task.run(&game, &Words(start), |p| (states.packed)(&p.0))
    }
}

/// The terms of a sum in which a player may move, with their places: the one that must be answered, or all; of equal
/// neighbours, only the first.
fn answering(list: &[Packed]) -> impl Iterator<Item = (usize, &Packed)> {
    let answered = list.iter().position(is_entailed);
    distinct(list).filter(move |(i, _)| answered.is_none_or(|only| only == *i))
}

/// Whether the last move must be answered in this part.
fn is_entailed(part: &Packed) -> bool {
    matches!(part, Packed::State(_, state) if state.entailed.is_some())
}

fn distinct(list: &[Packed]) -> impl Iterator<Item = (usize, &Packed)> {
    list.iter()
        .enumerate()
        .filter(|(i, p)| *i == 0 || list[i - 1] != **p)
}

/// The doubled term number of a position of a single term whose states are words.
pub(super) fn in_words(position: &Packed) -> Option<u32> {
    match position {
        Packed::One(p, _) | Packed::Two(p, _) | Packed::Many(p, _) => Some(*p),
        Packed::State(..) | Packed::Sum(_) => None,
    }
}

#[inline]
pub(super) fn ones(words: &[u64]) -> u32 {
    words.iter().map(|w| w.count_ones()).sum()
}

/// Whether a term exchanges the players: the last bit of its doubled number.
pub(super) const fn is_exchanged(number: u32) -> bool {
    number & 1 == 1
}

/// The player whose moves `player` makes in a term.
pub(super) fn role(number: u32, player: Player) -> Player {
    match is_exchanged(number) {
        true => player.opponent(),
        false => player,
    }
}

/// Converts a pair from the roles of a term to Left and Right of the sum.
const fn in_roles(number: u32, [left, right]: [u32; 2]) -> [u32; 2] {
    match is_exchanged(number) {
        true => [right, left],
        false => [left, right],
    }
}

/// Converts an end of a term to the players of the sum.
pub(super) fn end_in_roles(number: u32, end: End) -> End {
    match end {
        End::Won(who) if is_exchanged(number) => End::Won((who & 1) << 1 | (who >> 1 & 1)),
        end => end,
    }
}
