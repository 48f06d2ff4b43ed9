//! The search whose results add up: a position comes in, the sum of its parts' values goes out.
//!
//! One driver serves canonical forms and nimbers. A position is split (the value of a disjunctive sum is the sum of the
//! values; Siegel, *Combinatorial Game Theory*, II.1), each part is looked up, first as it lies on this board, then by
//! its key, and only then expanded. The search keeps its own stack, so that the length of a game costs memory that is
//! counted, not the stack of the thread. A part that is met again below itself shows that play need not end.

use rustc_hash::FxHashMap;

use super::account::{Account, Shared, signed};
use super::boards::Boards;
use super::context::Context;
use super::roads::Statistics;
use super::stopped::{Stopped, StoppedIn};
use super::table::{Table, hash_of};
use crate::game::{Game, Limit, Player, Sign};
use crate::value::{CanonicalForm, Forms};

/// Values that add up over the parts of a position.
pub(crate) trait Algebra {
    /// A value: small, and meaningful within one arena.
    type Value: Copy + PartialEq;
    /// Whether both players have the same options, so that Left's are enough.
    const IMPARTIAL: bool;

    fn zero(&self) -> Self::Value;
    fn add(&mut self, a: Self::Value, b: Self::Value) -> Result<Self::Value, Limit>;
    fn negate(&mut self, a: Self::Value) -> Result<Self::Value, Limit>;
    /// The value of the position with these options.
    fn node(&mut self, left: &[Self::Value], right: &[Self::Value]) -> Result<Self::Value, Limit>;
}

/// Canonical forms in an arena.
pub(crate) struct Values<'a>(pub(crate) &'a Forms);

fn memory(_: crate::value::OutOfMemory) -> Limit {
    Limit::Memory
}

impl Algebra for Values<'_> {
    type Value = CanonicalForm;
    const IMPARTIAL: bool = false;

    fn zero(&self) -> CanonicalForm {
        CanonicalForm::ZERO
    }

    fn add(&mut self, a: CanonicalForm, b: CanonicalForm) -> Result<CanonicalForm, Limit> {
        if a == CanonicalForm::ZERO {
            return Ok(b);
        }
        self.0.add(a, b).map_err(memory)
    }

    fn negate(&mut self, a: CanonicalForm) -> Result<CanonicalForm, Limit> {
        self.0.negate(a).map_err(memory)
    }

    fn node(
        &mut self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
    ) -> Result<CanonicalForm, Limit> {
        self.0.from_options(left, right).map_err(memory)
    }
}

/// Nimbers: the nim-sum and the least nimber left out (Sprague 1935, Grundy 1939).
#[derive(Default)]
pub(crate) struct Nimbers {
    // Marks of the values met, by the number of the node, so that nothing is cleared between nodes.
    seen: Vec<u64>,
    node: u64,
}

impl Algebra for Nimbers {
    type Value = u32;
    const IMPARTIAL: bool = true;

    fn zero(&self) -> u32 {
        0
    }

    fn add(&mut self, a: u32, b: u32) -> Result<u32, Limit> {
        Ok(a ^ b)
    }

    fn negate(&mut self, a: u32) -> Result<u32, Limit> {
        Ok(a)
    }

    fn node(&mut self, left: &[u32], _right: &[u32]) -> Result<u32, Limit> {
        self.node += 1;
        if self.seen.len() <= left.len() {
            self.seen.resize(left.len() + 1, 0);
        }
        for value in left {
            // The result is at most the number of options: greater values cannot matter.
            if (*value as usize) < left.len() {
                self.seen[*value as usize] = self.node;
            }
        }
        let least = self.seen[..=left.len()]
            .iter()
            .position(|mark| *mark != self.node);
        Ok(least.unwrap_or(left.len()) as u32)
    }
}

struct Frame<G: Game> {
    // The number of the part in the table of this board, if there is one.
    entry: Option<u32>,
    // The part itself, where there is no such table.
    part: Option<G::Position>,
    key: Option<G::Key>,
    sign: Sign,
    // Where the options of this part begin; Left's end at `left_end`.
    options: usize,
    left_end: usize,
    count: usize,
    // How many options have been begun.
    next: usize,
    // The hash of the option at work, if its value is to be remembered.
    board: Option<u64>,
    // The parts of the option at work that are still to be summed lie above this.
    parts: usize,
}

/// What the table of a board says of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State<V> {
    Known(V),
    /// It is being expanded.
    Open,
    /// It was being expanded when a search ended without an answer.
    Abandoned,
}

/// The tables and stacks of one board.
pub(crate) struct Sums<G: Game, A: Algebra> {
    algebra: A,
    known: Table<G::Position, State<A::Value>>,
    boards: Boards<G::Position, A::Value>,
    // The parts being expanded and their depth, where no memo is kept.
    path: FxHashMap<G::Position, usize>,
    frames: Vec<Frame<G>>,
    options: Vec<G::Position>,
    // The sums of the options, at the same places as the options.
    values: Vec<A::Value>,
    parts: Vec<G::Position>,
    // Bytes of the stacks, as last noted.
    stacks: usize,
    pub(crate) statistics: Statistics,
}

/// What the driver may ask of the road of nimbers: the value of an impartial part.
pub(crate) type Impartial<'f, G, V> =
    Option<&'f mut dyn FnMut(&<G as Game>::Position) -> Found<G, V>>;

type Found<G, V> = Result<V, StoppedIn<G>>;

/// How many expanded parts lie between two looks at the memory held.
const LOOK: u64 = 1 << 12;

impl<G: Game, A: Algebra> Sums<G, A> {
    pub(crate) fn new(algebra: A) -> Sums<G, A> {
        Sums {
            algebra,
            known: Table::default(),
            boards: Boards::default(),
            path: FxHashMap::default(),
            frames: Vec::new(),
            options: Vec::new(),
            values: Vec::new(),
            parts: Vec::new(),
            stacks: 0,
            statistics: Statistics::default(),
        }
    }

    /// The sum of the values of the parts of `position`.
    pub(crate) fn run(
        &mut self,
        game: &G,
        position: &G::Position,
        context: &Context<'_>,
        shared: &Shared<G::Key, A::Value>,
        mut impartial: Impartial<'_, G, A::Value>,
    ) -> Found<G, A::Value> {
        // The position is the only option of a frame of its own.
        self.options.push(position.clone());
        self.values.push(self.algebra.zero());
        self.frames.push(Frame {
            entry: None,
            part: None,
            key: None,
            sign: Sign::Plus,
            options: 0,
            left_end: 1,
            count: 1,
            next: 0,
            board: None,
            parts: 0,
        });
        let result = self.search(game, context, shared, &mut impartial);
        for entry in self.frames.drain(..).filter_map(|f| f.entry) {
            self.known.set(entry, State::Abandoned);
        }
        self.options.clear();
        self.values.clear();
        self.parts.clear();
        self.path.clear();
        context.account.note(std::mem::take(&mut self.stacks), 0);
        result
    }

    /// The memory of the table, given back.
    pub(crate) fn clear(&mut self, account: &Account) {
        account.note(self.known.bytes(), 0);
        self.known.clear();
        self.boards.clear(account);
    }

    fn search(
        &mut self,
        game: &G,
        context: &Context<'_>,
        shared: &Shared<G::Key, A::Value>,
        impartial: &mut Impartial<'_, G, A::Value>,
    ) -> Found<G, A::Value> {
        loop {
            let Some(frame) = self.frames.last_mut() else {
                // Not reached: the frame of the position itself returns below.
                return Ok(self.algebra.zero());
            };
            if self.parts.len() > frame.parts
                && let Some(part) = self.parts.pop()
            {
                let slot = current(frame, context.order);
                if let Some(value) = self.resolve(game, part, context, shared, impartial)? {
                    self.values[slot] = self.algebra.add(self.values[slot], value)?;
                }
                continue;
            }
            if let Some(hash) = frame.board.take() {
                // All parts of the option at work are summed.
                let slot = current(frame, context.order);
                self.boards.put(
                    hash,
                    self.options[slot].clone(),
                    self.values[slot],
                    |p| game.position_bytes(p),
                    hash_of,
                    (context.account, context.forms),
                );
            }
            if frame.next < frame.count {
                frame.next += 1;
                let slot = current(frame, context.order);
                let option = &self.options[slot];
                if context.roads.boards && context.roads.memo {
                    let hash = hash_of(option);
                    let known = self.known.find(hash, option);
                    if let Some(State::Known(value)) = known.map(|e| self.known.value(e)) {
                        self.statistics.memo_hits += 1;
                        self.values[slot] = value;
                        continue;
                    }
                    if known.is_none()
                        && let Some(value) = self.boards.get(hash, option)
                    {
                        self.statistics.board_hits += 1;
                        self.values[slot] = value;
                        continue;
                    }
                    frame.board = Some(hash);
                }
                if context.roads.split {
                    game.split(option, &mut self.parts);
                    if self.parts.len() != frame.parts + 1 {
                        self.statistics.splits += 1;
                    }
                } else {
                    self.parts.push(option.clone());
                }
                if self.parts.len() == frame.parts + 1 && self.parts.last() == Some(option) {
                    // The memo of parts will know it.
                    frame.board = None;
                }
                continue;
            }
            let (left, right) = (
                frame.options..frame.left_end,
                frame.left_end..frame.options + frame.count,
            );
            if self.frames.len() == 1 {
                return Ok(self.values[0]);
            }
            let value = self.algebra.node(&self.values[left], &self.values[right])?;
            self.finish(game, value, context, shared)?;
        }
    }

    // The value of a part if it is known; else its frame is pushed.
    fn resolve(
        &mut self,
        game: &G,
        part: G::Position,
        context: &Context<'_>,
        shared: &Shared<G::Key, A::Value>,
        impartial: &mut Impartial<'_, G, A::Value>,
    ) -> Found<G, Option<A::Value>> {
        let memo = context.roads.memo;
        let hash = if memo { hash_of(&part) } else { 0 };
        if memo {
            if let Some(entry) = self.known.find(hash, &part) {
                match self.known.value(entry) {
                    State::Known(value) => {
                        self.statistics.memo_hits += 1;
                        return Ok(Some(value));
                    }
                    State::Open => {
                        return Err(self.cycle(|f| f.entry == Some(entry), part, context.order));
                    }
                    State::Abandoned => {}
                }
            }
        } else if self.path.contains_key(&part) {
            let same = part.clone();
            return Err(self.cycle(|f| f.part.as_ref() == Some(&same), part, context.order));
        }
        let (mut key, mut sign) = (None, Sign::Plus);
        if memo && context.roads.keys {
            let (k, s) = game.key(&part);
            if let Some(value) = shared.get(&k) {
                self.statistics.key_hits += 1;
                let value = signed(s, value, |v| self.algebra.negate(v))?;
                self.remember(game, hash, part, State::Known(value), context);
                return Ok(Some(value));
            }
            (key, sign) = (Some(k), s);
        }
        if !A::IMPARTIAL
            && let Some(nimber) = impartial
            && game.is_impartial(&part)
        {
            let value = nimber(&part)?;
            self.statistics.impartial += 1;
            if memo {
                self.remember(game, hash, part, State::Known(value), context);
            }
            if let Some(key) = key {
                let value = signed(sign, value, |v| self.algebra.negate(v))?;
                self.share(game, key, value, context, shared);
            }
            return Ok(Some(value));
        }
        self.expand(game, hash, part, key, sign, context, shared)?;
        Ok(None)
    }

    #[allow(clippy::too_many_arguments)]
    fn expand(
        &mut self,
        game: &G,
        hash: u64,
        part: G::Position,
        key: Option<G::Key>,
        sign: Sign,
        context: &Context<'_>,
        shared: &Shared<G::Key, A::Value>,
    ) -> Result<(), StoppedIn<G>> {
        context.budget.charge()?;
        self.statistics.expanded += 1;
        if self.statistics.expanded.is_multiple_of(LOOK) {
            self.look(game, context, shared)?;
        }
        let options = self.options.len();
        let fault = |fault| Stopped::Fault {
            position: part.clone(),
            fault,
        };
        game.options(&part, Player::LEFT, &mut self.options)
            .map_err(fault)?;
        let left_end = self.options.len();
        if !A::IMPARTIAL {
            game.options(&part, Player::RIGHT, &mut self.options)
                .map_err(fault)?;
        }
        self.values.resize(self.options.len(), self.algebra.zero());
        let (entry, part) = if context.roads.memo {
            (
                Some(self.remember(game, hash, part, State::Open, context)),
                None,
            )
        } else {
            self.path.insert(part.clone(), self.frames.len());
            (None, Some(part))
        };
        self.frames.push(Frame {
            entry,
            part,
            key,
            sign,
            options,
            left_end,
            count: self.options.len() - options,
            next: 0,
            board: None,
            parts: self.parts.len(),
        });
        Ok(())
    }

    // The frame on top has its value: it goes to the memos and to the option it is a part of.
    fn finish(
        &mut self,
        game: &G,
        value: A::Value,
        context: &Context<'_>,
        shared: &Shared<G::Key, A::Value>,
    ) -> Result<(), StoppedIn<G>> {
        let Some(frame) = self.frames.pop() else {
            return Ok(());
        };
        self.options.truncate(frame.options);
        self.values.truncate(frame.options);
        if let Some(entry) = frame.entry {
            self.known.set(entry, State::Known(value));
        }
        if let Some(part) = frame.part {
            self.path.remove(&part);
        }
        if let Some(key) = frame.key {
            let value = signed(frame.sign, value, |v| self.algebra.negate(v))?;
            self.share(game, key, value, context, shared);
        }
        if let Some(above) = self.frames.last() {
            let slot = current(above, context.order);
            self.values[slot] = self.algebra.add(self.values[slot], value)?;
        }
        Ok(())
    }

    fn share(
        &mut self,
        game: &G,
        key: G::Key,
        value: A::Value,
        context: &Context<'_>,
        shared: &Shared<G::Key, A::Value>,
    ) {
        let heap = |key: &G::Key| game.key_bytes(key);
        // What is known of this board can be found again by key: it goes first.
        if !shared.has_room(&key, heap(&key), context.account, context.forms)
            && self.known.len() > 1 << 10
        {
            self.shrink(game, context, |i, len| i >= len / 2);
        }
        if shared.put(key, value, heap, context.account, context.forms) {
            self.statistics.evictions += 1;
        }
    }

    fn remember(
        &mut self,
        game: &G,
        hash: u64,
        part: G::Position,
        state: State<A::Value>,
        context: &Context<'_>,
    ) -> u32 {
        if let Some(entry) = self.known.find(hash, &part) {
            // It was abandoned once.
            self.known.set(entry, state);
            return entry;
        }
        let heap = game.position_bytes(&part);
        let before = self.known.bytes();
        let more = self.known.growth() + heap;
        if self.known.is_full()
            || (more > 0 && !context.account.allows(context.forms, before, more))
        {
            self.evict(game);
        }
        let entry = self.known.insert(hash, part, state, heap);
        let after = self.known.bytes();
        if after != before {
            context.account.note(before, after);
        }
        entry
    }

    // Forgets the older half of what is known of this board; what is being expanded stays.
    fn evict(&mut self, game: &G) {
        self.statistics.evictions += 1;
        let half = self.known.len() / 2;
        self.forget(game, |i| i >= half);
    }

    // Forgets what `keep` does not want, by its number and the number of all, and gives the memory back.
    fn shrink(&mut self, game: &G, context: &Context<'_>, keep: impl Fn(usize, usize) -> bool) {
        self.statistics.evictions += 1;
        let (before, len) = (self.known.bytes(), self.known.len());
        self.forget(game, |i| keep(i, len));
        self.known.shrink();
        context.account.note(before, self.known.bytes());
    }

    fn forget(&mut self, game: &G, keep: impl Fn(usize) -> bool) {
        let mut moved = Vec::new();
        self.known.retain(
            |part| game.position_bytes(part),
            |i, state| *state == State::Open || (keep(i) && *state != State::Abandoned),
            |old, new, state| {
                if *state == State::Open {
                    moved.push((old, new));
                }
            },
        );
        for entry in self.frames.iter_mut().filter_map(|f| f.entry.as_mut()) {
            if let Ok(i) = moved.binary_search_by_key(entry, |(old, _)| *old) {
                *entry = moved[i].1;
            }
        }
    }

    // Counts the stacks, and makes the tables smaller where the arena has outgrown its share.
    fn look(
        &mut self,
        game: &G,
        context: &Context<'_>,
        shared: &Shared<G::Key, A::Value>,
    ) -> Result<(), Limit> {
        let stacks = self.frames.capacity() * size_of::<Frame<G>>()
            + (self.options.capacity() + self.parts.capacity()) * size_of::<G::Position>()
            + self.values.capacity() * size_of::<A::Value>()
            + self
                .options
                .iter()
                .map(|p| game.position_bytes(p))
                .sum::<usize>();
        context.account.note(self.stacks, stacks);
        self.stacks = stacks;
        if !context.account.is_over(context.forms) {
            return Ok(());
        }
        self.boards.clear(context.account);
        self.shrink(game, context, |i, len| i >= len / 2);
        if context.account.is_over(context.forms) {
            self.shrink(game, context, |_, _| false);
        }
        if context.account.is_over(context.forms) {
            self.statistics.evictions += 1;
            shared.halve(|key| game.key_bytes(key), context.account);
        }
        // Where the arena leaves next to nothing for the tables, the search would do the same work again and again.
        if context.account.is_crowded(context.forms) {
            return Err(Limit::Memory);
        }
        Ok(())
    }

    // The line of play from the frame that `is_first` finds down to `part`, which it is again.
    fn cycle(
        &self,
        is_first: impl Fn(&Frame<G>) -> bool,
        part: G::Position,
        order: usize,
    ) -> StoppedIn<G> {
        let first = self.frames.iter().position(is_first).unwrap_or(0);
        let line = std::iter::once(part)
            .chain(
                self.frames[first..]
                    .iter()
                    .map(|frame| self.options[current(frame, order)].clone()),
            )
            .collect();
        Stopped::Cycle { line }
    }
}

// The place of the option at work.
fn current<G: Game>(frame: &Frame<G>, order: usize) -> usize {
    let begun = frame.next - 1;
    frame.options
        + match order {
            0 => begun,
            1 => frame.count - 1 - begun,
            _ => (begun + order * frame.count / (order + 1)) % frame.count,
        }
}
