//! The search for values that add up. Input: a position. Output: the sum of the values of its parts.
//!
//! One driver serves canonical forms and nimbers. A position is split into parts (the value of a disjunctive sum is the sum
//! of the values; Siegel, *Combinatorial Game Theory*, chapter II). Each part is looked up, first by its position on this
//! board, then by its key, and is expanded only if neither is found. The search keeps its own stack, so that long games use
//! memory that is counted, not the stack of the thread. If a part occurs again among its own followers, play need not end.

mod algebra;
mod lookup;
mod remember;

use rustc_hash::FxHashMap;

use super::account::{Account, Shared, signed};
use super::boards::Boards;
use super::context::Context;
use super::parallel::begins_at;
use super::scheduler::{self, Share};
use super::statistics::Statistics;
use super::stopped::{Stopped, StoppedIn};
use super::table::{Table, hash_of};
use crate::game::{Analysis, Game, Limit, Player, Rules, Shortcut, Sign};
pub(crate) use algebra::{Algebra, Nimbers, Values};
use lookup::Asked;

struct Frame<G: Game> {
    // The number of the part in the table of this board, if that table is in use.
    entry: Option<u32>,
    // The part itself, if that table is not in use.
    part: Option<G::Position>,
    key: Option<G::Key>,
    sign: Sign,
    // Its image, if that is another part: hash, part, and whether it is the image of the part or of its negative.
    image: Option<(u64, G::Position, Sign)>,
    // Where the options of this part begin; Left's options end at `left_end`.
    options: usize,
    left_end: usize,
    count: usize,
    // The number of options processed so far, including the current one.
    next: usize,
    // Whether the value of the current option is to be stored.
    board: bool,
    // The parts of the current option that are not yet added lie above this in `parts`.
    parts: usize,
    // The parts of this frame's options lie above this in `split`.
    split: usize,
    // The size of the table when the options were looked up.
    known: usize,
}

/// The state of a part in the table of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State<V> {
    Known(V),
    /// The part is being expanded.
    Open,
    /// The part was being expanded when a search ended without an answer.
    Abandoned,
}

/// The tables and stacks for one board.
pub(crate) struct Sums<G: Game, A: Algebra> {
    algebra: A,
    known: Table<G::Position, State<A::Value>>,
    boards: Boards<G::Position, A::Value>,
    // The parts being expanded and their depth; used if there is no memo table.
    path: FxHashMap<G::Position, usize>,
    frames: Vec<Frame<G>>,
    options: Vec<G::Position>,
    // The sums of the options, at the same indices as the options.
    values: Vec<A::Value>,
    // The results of looking them up when their frame was pushed, at the same indices.
    asked: Vec<Asked>,
    // The parts of options that were not found.
    split: Vec<G::Position>,
    hashes: Vec<u64>,
    parts: Vec<G::Position>,
    // A key in the form in which it is stored between runs.
    portable: Vec<u8>,
    // Hits already reported to the observer.
    reported: u64,
    // The size of the stacks in bytes, as last accounted for.
    stacks: usize,
    // Recent look-ups by full keys and the hits among them; whether plain keys are in use now.
    keys: Share,
    plain_keys: bool,
    // Values computed from options, and the numbers among them.
    numbers: Share,
    // The depth in moves of the last search when it ended.
    depth: usize,
    pub(crate) statistics: Statistics,
}

/// The search for nimbers, which the driver may call for the value of an impartial part.
pub(crate) type Impartial<'f, G, V> =
    Option<&'f mut dyn FnMut(&<G as Rules>::Position) -> Found<G, V>>;

type Found<G, V> = Result<V, StoppedIn<G>>;

/// The number of expanded parts between two checks of memory.
const LOOK: u64 = 1 << 12;

/// The number of expanded parts between two reports to the observer.
pub(crate) const TELL: u64 = 1 << 8;

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
            asked: Vec::new(),
            split: Vec::new(),
            hashes: Vec::new(),
            parts: Vec::new(),
            portable: Vec::new(),
            reported: 0,
            stacks: 0,
            keys: Share::default(),
            plain_keys: false,
            numbers: Share::default(),
            depth: 0,
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
        // The position is the only option of the bottom frame.
        self.options.push(position.clone());
        self.values.push(self.algebra.zero());
        self.asked.push(Asked::Nothing);
        self.frames.push(Frame {
            entry: None,
            part: None,
            key: None,
            sign: Sign::Plus,
            image: None,
            options: 0,
            left_end: 1,
            count: 1,
            next: 0,
            board: false,
            parts: 0,
            split: 0,
            known: 0,
        });
        let result = self.search(game, context, shared, &mut impartial);
        self.depth = self.frames.len();
        for entry in self.frames.drain(..).filter_map(|f| f.entry) {
            self.known.set(entry, State::Abandoned);
        }
        self.options.clear();
        self.values.clear();
        self.asked.clear();
        self.split.clear();
        self.parts.clear();
        self.path.clear();
        context.account.note(std::mem::take(&mut self.stacks), 0);
        result
    }

    /// Whether most of the values computed from options so far are numbers.
    pub(crate) fn are_mostly_numbers(&self) -> bool {
        self.numbers.meets(&scheduler::NUMBERS)
    }

    // Small parts come first and are found most often, so only the latest look-ups count.
    fn count_key(&mut self, found: bool) {
        self.keys.count(found);
        if self.keys.is_enough(&scheduler::FULL_KEYS) {
            self.plain_keys = !self.keys.meets(&scheduler::FULL_KEYS);
            self.keys.clear();
        }
    }

    /// The depth in moves of the last search when it ended without an answer.
    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Frees the memory of the tables.
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
                // Not reached: the bottom frame returns below.
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
            if std::mem::take(&mut frame.board) {
                // All parts of the current option are added.
                let slot = current(frame, context.order);
                if let Asked::Parts(hash, ..) = self.asked[slot] {
                    self.boards.put(
                        hash,
                        self.options[slot].clone(),
                        self.values[slot],
                        |p| game.position_bytes(p),
                        hash_of,
                        (context.account, context.forms),
                    );
                }
            }
            let unknown = loop {
                if frame.next == frame.count {
                    break None;
                }
                frame.next += 1;
                let slot = current(frame, context.order);
                match self.asked[slot] {
                    Asked::Value => {}
                    // It may have been solved below another option since it was looked up.
                    Asked::Whole if self.known.len() != frame.known => {
                        let option = &self.options[slot];
                        let entry = self.known.find(hash_of(option), option);
                        match entry.map(|entry| self.known.value(entry)) {
                            Some(State::Known(value)) if !context.plants(Shortcut::Memo) => {
                                self.statistics.memo_hits += 1;
                                self.values[slot] = value;
                            }
                            _ => break Some(slot),
                        }
                    }
                    _ => break Some(slot),
                }
            };
            if let Some(slot) = unknown {
                let option = &self.options[slot];
                match self.asked[slot] {
                    // Passed over above.
                    Asked::Value => {}
                    Asked::Whole => self.parts.push(option.clone()),
                    Asked::Parts(hash, start, end) => {
                        // It may have been solved below another option since it was looked up.
                        if self.known.len() != frame.known
                            && let Some(value) = self.boards.get(hash, option)
                        {
                            self.statistics.board_hits += 1;
                            self.values[slot] = value;
                            continue;
                        }
                        frame.board = true;
                        let parts = &self.split[start as usize..end as usize];
                        self.parts.extend_from_slice(parts);
                        if parts.len() != 1 {
                            self.statistics.splits += 1;
                        }
                    }
                    Asked::Nothing if context.shortcuts.has(Shortcut::Split) => {
                        game.analysis().split(option, &mut self.parts);
                        if self.parts.len() != frame.parts + 1 {
                            self.statistics.splits += 1;
                        }
                    }
                    Asked::Nothing => self.parts.push(option.clone()),
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

    /// Stores the value of a part that was found elsewhere.
    pub(crate) fn learn(
        &mut self,
        game: &G,
        part: &G::Position,
        value: A::Value,
        context: &Context<'_>,
        shared: &Shared<G::Key, A::Value>,
    ) -> Result<(), Limit> {
        let (key, sign) = game.key(part);
        let own = signed(sign, value, |v| self.algebra.negate(v))?;
        self.share(game, key, own, context, shared);
        self.remember(
            game,
            hash_of(part),
            part.clone(),
            State::Known(value),
            context,
        );
        Ok(())
    }

    // The value of a part if it is known; otherwise pushes its frame.
    fn resolve(
        &mut self,
        game: &G,
        part: G::Position,
        context: &Context<'_>,
        shared: &Shared<G::Key, A::Value>,
        impartial: &mut Impartial<'_, G, A::Value>,
    ) -> Found<G, Option<A::Value>> {
        let memo = context.shortcuts.has(Shortcut::Memo);
        let hash = if memo { hash_of(&part) } else { 0 };
        if memo {
            if let Some(entry) = self.known.find(hash, &part) {
                match self.known.value(entry) {
                    State::Known(value) => {
                        self.statistics.memo_hits += 1;
                        if context.plants(Shortcut::Memo) {
                            return Ok(Some(self.algebra.zero()));
                        }
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
        let open = context.shortcuts.has(Shortcut::Images);
        let image = open.then(|| game.analysis().image(&part)).flatten();
        let Some((other, turned)) = image.filter(|(other, _)| *other != part) else {
            return self.resolve_anew(game, hash, part, context, shared, impartial);
        };
        let place = hash_of(&other);
        if let Some(entry) = self.known.find(place, &other)
            && let State::Known(value) = self.known.value(entry)
        {
            self.statistics.images += 1;
            let turned = match context.plants(Shortcut::Images) {
                true => Sign::Plus,
                false => turned,
            };
            let value = signed(turned, value, |v| self.algebra.negate(v))?;
            self.remember(game, hash, part, State::Known(value), context);
            return Ok(Some(value));
        }
        let found = self.resolve_anew(game, hash, part, context, shared, impartial)?;
        if let Some(value) = found {
            let value = signed(turned, value, |v| self.algebra.negate(v))?;
            self.remember(game, place, other, State::Known(value), context);
        } else if let Some(frame) = self.frames.last_mut() {
            frame.image = Some((place, other, turned));
        }
        Ok(found)
    }

    // The value of a part that is unknown on this board, if it is known by its key; otherwise pushes its frame.
    fn resolve_anew(
        &mut self,
        game: &G,
        hash: u64,
        part: G::Position,
        context: &Context<'_>,
        shared: &Shared<G::Key, A::Value>,
        impartial: &mut Impartial<'_, G, A::Value>,
    ) -> Found<G, Option<A::Value>> {
        let memo = context.shortcuts.has(Shortcut::Memo);
        let (mut key, mut sign) = (None, Sign::Plus);
        if context.shortcuts.has(Shortcut::Keys) {
            // Values of earlier runs are stored under full keys only.
            let plain = if self.plain_keys && context.library.is_none() {
                game.analysis().plain_key(&part)
            } else {
                None
            };
            let (k, s, found) = match plain {
                Some((k, s)) => {
                    shared.note_plain_keys();
                    let found = shared.get(&k).map(|value| (value, s));
                    (k, s, found)
                }
                None => {
                    let (k, s) = game.key(&part);
                    let found = shared.find(game, &part, &k, s);
                    self.count_key(found.is_some());
                    (k, s, found)
                }
            };
            if let Some((value, s)) = found {
                self.statistics.key_hits += 1;
                let s = match context.plants(Shortcut::Keys) {
                    true => Sign::Plus,
                    false => s,
                };
                let value = signed(s, value, |v| self.algebra.negate(v))?;
                self.remember(game, hash, part, State::Known(value), context);
                return Ok(Some(value));
            }
            if let Some(library) = context.library
                && library.key(game, &k, &mut self.portable)
                && let Some(value) =
                    self.algebra
                        .recall(library, &self.portable, context.account)?
            {
                self.put(game, k, value, context, shared);
                let value = signed(s, value, |v| self.algebra.negate(v))?;
                self.remember(game, hash, part, State::Known(value), context);
                return Ok(Some(value));
            }
            (key, sign) = (Some(k), s);
        }
        if !A::IMPARTIAL
            && let Some(nimber) = impartial
            && game.analysis().is_impartial(&part)
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
        if self.statistics.expanded.is_multiple_of(TELL) {
            self.tell(context);
        }
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
        let (known, split) = (self.known.len(), self.split.len());
        self.ask(game, &part, options, context)?;
        let (entry, part) = if context.shortcuts.has(Shortcut::Memo) {
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
            image: None,
            options,
            left_end,
            count: self.options.len() - options,
            next: 0,
            board: false,
            parts: self.parts.len(),
            split,
            known,
        });
        Ok(())
    }

    // Pops the frame on top, stores its value and adds it to the option to which the part belongs.
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
        self.numbers.count(self.algebra.is_number(value));
        self.options.truncate(frame.options);
        self.values.truncate(frame.options);
        self.asked.truncate(frame.options);
        self.split.truncate(frame.split);
        if let Some(entry) = frame.entry {
            self.known.set(entry, State::Known(value));
        }
        if let Some(part) = frame.part {
            self.path.remove(&part);
        }
        if let Some((hash, image, turned)) = frame.image {
            let value = signed(turned, value, |v| self.algebra.negate(v))?;
            self.remember(game, hash, image, State::Known(value), context);
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

    // The line of play from the frame that `is_first` finds down to `part`, which repeats that frame's part.
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

// The index of the current option.
fn current<G: Game>(frame: &Frame<G>, order: usize) -> usize {
    let begun = frame.next - 1;
    frame.options
        + match order {
            0 => begun,
            1 => frame.count - 1 - begun,
            _ => (begun + begins_at(order, frame.count)) % frame.count,
        }
}
