//! The search whose results add up: a position comes in, the sum of its parts' values goes out.
//!
//! One driver serves canonical forms and nimbers. A position is split (the value of a disjunctive sum is the sum of the
//! values; Siegel, *Combinatorial Game Theory*, chapter II), each part is looked up, first as it lies on this board, then by
//! its key, and only then expanded. The search keeps its own stack, so that the length of a game costs memory that is
//! counted, not the stack of the thread. A part that is met again below itself shows that play need not end.

use rustc_hash::FxHashMap;

use super::account::{Account, Shared, signed};
use super::archive::Library;
use super::boards::Boards;
use super::context::Context;
use super::refining::Refining;
use super::statistics::Statistics;
use super::stopped::{Stopped, StoppedIn};
use super::table::{Table, hash_of};
use crate::game::{Analysis, Game, Limit, Player, Rules, Shortcut, Sign};
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
    /// Whether a value is as plain as can be.
    fn is_plain(&self, value: Self::Value) -> bool;
    /// The value of the position with these options.
    fn node(&mut self, left: &[Self::Value], right: &[Self::Value]) -> Result<Self::Value, Limit>;
    /// The value kept between runs under a key, if there is one.
    fn recall(
        &mut self,
        library: &Library,
        key: &[u8],
        account: &Account,
    ) -> Result<Option<Self::Value>, Limit>;
    /// Keeps a value for other runs.
    fn keep(&mut self, library: &Library, key: &[u8], value: Self::Value, account: &Account);
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

    fn is_plain(&self, value: CanonicalForm) -> bool {
        self.0.is_number(value)
    }

    fn node(
        &mut self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
    ) -> Result<CanonicalForm, Limit> {
        self.0.from_options(left, right).map_err(memory)
    }

    fn recall(
        &mut self,
        library: &Library,
        key: &[u8],
        account: &Account,
    ) -> Result<Option<CanonicalForm>, Limit> {
        library.value(key, self.0, account)
    }

    fn keep(&mut self, library: &Library, key: &[u8], value: CanonicalForm, account: &Account) {
        library.keep_value(key, value, self.0, account);
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

    fn is_plain(&self, value: u32) -> bool {
        value == 0
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

    fn recall(
        &mut self,
        library: &Library,
        key: &[u8],
        _account: &Account,
    ) -> Result<Option<u32>, Limit> {
        Ok(library.nimber(key))
    }

    fn keep(&mut self, library: &Library, key: &[u8], value: u32, _account: &Account) {
        library.keep_nimber(key, value);
    }
}

struct Frame<G: Game> {
    // The number of the part in the table of this board, if there is one.
    entry: Option<u32>,
    // The part itself, where there is no such table.
    part: Option<G::Position>,
    key: Option<G::Key>,
    sign: Sign,
    // Its image, if that is another part: its hash, and whether it is the negative's.
    image: Option<(u64, G::Position, Sign)>,
    // Where the options of this part begin; Left's end at `left_end`.
    options: usize,
    left_end: usize,
    count: usize,
    // How many options have been begun.
    next: usize,
    // Whether the value of the option at work is to be remembered.
    board: bool,
    // The parts of the option at work that are still to be summed lie above this.
    parts: usize,
    // The parts of this frame's options lie above this in `split`.
    split: usize,
    // How many parts were known when the options were looked up.
    known: usize,
}

/// What was found of an option when its frame was begun.
#[derive(Clone, Copy)]
enum Asked {
    /// Nothing was asked.
    Nothing,
    /// Its value.
    Value,
    /// It is one part, whose value was not known.
    Whole,
    /// The hash, and where its parts lie in `split`; the value of some was not known.
    Parts(u64, u32, u32),
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
    // What was found of them when their frame was begun, at the same places.
    asked: Vec<Asked>,
    // The parts of options that were not found.
    split: Vec<G::Position>,
    hashes: Vec<u64>,
    refining: Refining<G::Position>,
    parts: Vec<G::Position>,
    // A key as it is kept between runs.
    portable: Vec<u8>,
    // What was told of positions found again.
    told: u64,
    // Bytes of the stacks, as last noted.
    stacks: usize,
    // How many parts were looked up by key of late, and how many of them were found; whether plain keys are made now.
    keys: (u64, u64),
    plain_keys: bool,
    // How many values were found from options, and how many of them were plain.
    found: u64,
    plain: u64,
    // How many moves deep the last search was when it ended.
    depth: usize,
    pub(crate) statistics: Statistics,
}

/// What the driver may ask of the road of nimbers: the value of an impartial part.
pub(crate) type Impartial<'f, G, V> =
    Option<&'f mut dyn FnMut(&<G as Rules>::Position) -> Found<G, V>>;

type Found<G, V> = Result<V, StoppedIn<G>>;

/// How many parts are looked up by their full keys between two looks at whether these pay.
const KEYS_TRIED: u64 = 1 << 10;

/// How many expanded parts lie between two looks at the memory held.
const LOOK: u64 = 1 << 12;

/// How many lie between two words to whoever watches.
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
            refining: Refining::default(),
            parts: Vec::new(),
            portable: Vec::new(),
            told: 0,
            stacks: 0,
            keys: (0, 0),
            plain_keys: false,
            found: 0,
            plain: 0,
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
        // The position is the only option of a frame of its own.
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

    /// Whether seven in eight of the values found so far from options were plain: numbers.
    pub(crate) fn are_mostly_plain(&self) -> bool {
        8 * self.plain >= 7 * self.found
    }

    // Full keys pay while they find one part in sixteen. Small parts come first and are found most often, so each time the last
    // look-ups are counted alone.
    fn count_key(&mut self, found: bool) {
        self.keys.0 += 1;
        self.keys.1 += u64::from(found);
        if self.keys.0 == KEYS_TRIED {
            self.plain_keys = 16 * self.keys.1 < self.keys.0;
            self.keys = (0, 0);
        }
    }

    /// How many moves deep the last search was when it ended without an answer.
    pub(crate) fn depth(&self) -> usize {
        self.depth
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
            if std::mem::take(&mut frame.board) {
                // All parts of the option at work are summed.
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
            if frame.next < frame.count {
                frame.next += 1;
                let slot = current(frame, context.order);
                let option = &self.options[slot];
                match self.asked[slot] {
                    Asked::Value => {}
                    Asked::Whole => self.parts.push(option.clone()),
                    Asked::Parts(hash, start, end) => {
                        // Since the options were looked up, it may have been met below another.
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

    /// Takes note of the value of a part, found elsewhere.
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

    // The value of a part if it is known; else its frame is pushed.
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

    // The value of a part that is not known on this board, if it is known by its key; else its frame is pushed.
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
            // What is kept between runs is found by full keys only.
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

    // Makes room for the values of the options from there on and looks all of them up at once, then the parts of those that
    // are not found: so the look-ups do not wait for each other, and slow memory is read side by side.
    fn ask(
        &mut self,
        game: &G,
        part: &G::Position,
        from: usize,
        context: &Context<'_>,
    ) -> Result<(), StoppedIn<G>> {
        let zero = self.algebra.zero();
        self.values.resize(self.options.len(), zero);
        self.asked.resize(self.options.len(), Asked::Nothing);
        if !context.shortcuts.has(Shortcut::Boards) {
            return Ok(());
        }
        let mut hashes = std::mem::take(&mut self.hashes);
        hashes.extend(self.options[from..].iter().map(hash_of));
        self.known.touch(&hashes);
        self.boards.touch(&hashes);
        let first = self.split.len();
        for (slot, hash) in (from..).zip(&hashes) {
            let option = &self.options[slot];
            if let Some(entry) = self.known.find(*hash, option) {
                self.asked[slot] = Asked::Whole;
                if let State::Known(value) = self.known.value(entry) {
                    self.statistics.memo_hits += 1;
                    (self.asked[slot], self.values[slot]) = (Asked::Value, value);
                }
                continue;
            }
            if let Some(value) = self.boards.get(*hash, option) {
                self.statistics.board_hits += 1;
                let forgets = context.plants(Shortcut::Boards);
                let value = if forgets { zero } else { value };
                (self.asked[slot], self.values[slot]) = (Asked::Value, value);
                continue;
            }
            let start = self.split.len();
            if context.shortcuts.has(Shortcut::Near)
                && game.analysis().split_option(part, option, &mut self.split)
            {
                self.statistics.near += 1;
                if context.plants(Shortcut::Near) && self.split.len() > start {
                    self.split.pop();
                }
            } else if context.by_regions()
                && game.analysis().regions(Some(part), option, &mut self.split)
            {
                self.statistics.regions += 1;
                if context.plants(Shortcut::Regions) && self.split.len() > start + 1 {
                    self.split.pop();
                }
                if context.shortcuts.has(Shortcut::Refine) {
                    let known = |hash, p: &G::Position| self.known.find(hash, p).is_some();
                    let refined = self.refining.refine(game, start, &mut self.split, known);
                    self.statistics.refined += refined;
                    if context.plants(Shortcut::Refine) && refined > 0 {
                        self.split.pop();
                    }
                }
            } else {
                game.analysis().split(option, &mut self.split);
                if context.plants(Shortcut::Split) && self.split.len() > start + 1 {
                    self.split.pop();
                }
            }
            self.asked[slot] = if self.split.len() == start + 1 && self.split[start] == *option {
                self.split.truncate(start);
                Asked::Whole
            } else {
                let place = |n: usize| u32::try_from(n).map_err(|_| Limit::Memory);
                Asked::Parts(*hash, place(start)?, place(self.split.len())?)
            };
        }
        hashes.clear();
        hashes.extend(self.split[first..].iter().map(hash_of));
        self.known.touch(&hashes);
        for slot in from..self.options.len() {
            let Asked::Parts(hash, start, end) = self.asked[slot] else {
                continue;
            };
            let (start, end) = (start as usize, end as usize);
            let mut sum = Some(zero);
            for part in start..end {
                let known = self
                    .known
                    .find(hashes[part - first], &self.split[part])
                    .map(|entry| self.known.value(entry));
                sum = match (sum, known) {
                    (Some(sum), Some(State::Known(value))) => Some(self.algebra.add(sum, value)?),
                    _ => None,
                };
                if sum.is_none() {
                    break;
                }
            }
            if let Some(sum) = sum {
                self.statistics.memo_hits += (end - start) as u64;
                if end - start != 1 {
                    self.statistics.splits += 1;
                }
                (self.asked[slot], self.values[slot]) = (Asked::Value, sum);
                self.boards.put(
                    hash,
                    self.options[slot].clone(),
                    sum,
                    |p| game.position_bytes(p),
                    hash_of,
                    (context.account, context.forms),
                );
            }
        }
        hashes.clear();
        self.hashes = hashes;
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
        self.found += 1;
        self.plain += u64::from(self.algebra.is_plain(value));
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

    fn share(
        &mut self,
        game: &G,
        key: G::Key,
        value: A::Value,
        context: &Context<'_>,
        shared: &Shared<G::Key, A::Value>,
    ) {
        if let Some(library) = context.library
            && library.key(game, &key, &mut self.portable)
        {
            self.algebra
                .keep(library, &self.portable, value, context.account);
        }
        self.put(game, key, value, context, shared);
    }

    fn put(
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

    // Tells whoever watches how much was found again.
    fn tell(&mut self, context: &Context<'_>) {
        let s = &self.statistics;
        let found = s.memo_hits + s.board_hits + s.key_hits;
        let bytes = context.account.tables() + context.forms.memory();
        let more = found.checked_sub(self.told).unwrap_or(found);
        context.budget.pulse().note(more, bytes);
        self.told = found;
    }

    // Counts the stacks, and makes the tables smaller where the arena has outgrown its share.
    fn look(
        &mut self,
        game: &G,
        context: &Context<'_>,
        shared: &Shared<G::Key, A::Value>,
    ) -> Result<(), Limit> {
        let stacks = self.frames.capacity() * size_of::<Frame<G>>()
            + (self.options.capacity() + self.parts.capacity() + self.split.capacity())
                * size_of::<G::Position>()
            + self.values.capacity() * size_of::<A::Value>()
            + self.asked.capacity() * size_of::<Asked>()
            + self
                .options
                .iter()
                .chain(&self.split)
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
