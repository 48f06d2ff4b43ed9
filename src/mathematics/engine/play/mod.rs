//! Finds the winner. Input: a position and a player to move. Output: whether this player wins, in normal or misère play.
//!
//! A state is a multiset of parts with a player to move. The search stops at the first winning option and first looks for
//! options that are known to lose for the opponent. It keeps its own stack. Where play is known to end, proof numbers guide
//! it (`led`); the search in this file is depth first. Where memory is short, it forgets states and parts (`memory`).
//!
//! In normal play two shortcuts rest on the theory of sums (Siegel, *Combinatorial Game Theory*, II.1). A part whose
//! canonical form is cheap is replaced by it, and all such forms are added up into one. A part and its negative cancel if
//! play is known to end and no rule can fail: each move in the one is answered by the same move in the other, which must
//! exist, and play must end. Neither shortcut holds in misère play, where a sum is only a multiset of parts.
//!
//! Where a position repeats or a rule fails, the search stops, and `forced` determines who can force a win.

mod adding;
mod bounds;
mod counts;
mod forced;
mod led;
mod memory;
mod negative;
mod options;
mod turns;
mod whole;

use super::components::{Components, Word};
use super::context::Context;
use super::scheduler::{self, Fund, Share};
use super::statistics::Statistics;
use super::stopped::{Stopped, StoppedIn};
use super::strips;
use super::table::{SliceTable, hash_of};
use crate::game::{Analysis, Budget, Game, Limit, Player, Rules, Shortcut};
use crate::value::{CanonicalForm, Forms, OutOfMemory};
use adding::Worth;
use bounds::Bounds;
use counts::Counts;
use led::Led;
use whole::Whole;

/// Two bits of a table entry for each player who may be to move.
const UNKNOWN: u8 = 0;
const OPEN: u8 = 1;
const LOST: u8 = 2;
const WON: u8 = 3;

fn bits(value: u8, mover: Player) -> u8 {
    (value >> (2 * mover.index())) & 3
}

fn with_bits(value: u8, mover: Player, bits: u8) -> u8 {
    let shift = 2 * mover.index();
    (value & !(3 << shift)) | (bits << shift)
}

fn memory(_: OutOfMemory) -> Limit {
    Limit::Memory
}

/// Finds the value of a part within a budget of positions.
pub(crate) type Ask<'f, G> =
    &'f mut dyn FnMut(&<G as Rules>::Position, &Budget) -> Result<CanonicalForm, StoppedIn<G>>;

struct Frame {
    // The number of the state in the table.
    entry: u32,
    mover: Player,
    // In `words`: where the options of the state begin, where the next one to be tried is, and where they end.
    start: usize,
    next: usize,
    end: usize,
    // Whether the options are sorted.
    ordered: bool,
}

/// Measures whether it pays to sort options, which requires the mobility of all their parts.
#[derive(Default)]
struct Ordering {
    // Among the states won by one of several options, the share won by the first option: without sorting, and with it.
    won: [Share; 2],
}

impl Ordering {
    // A few states do the opposite, so that the two can be compared.
    fn is_due(&self, state: u64) -> bool {
        let [without, with] = self.won;
        let quota = &scheduler::ORDERED;
        let enough = without.is_enough(quota) && with.is_enough(quota);
        let pays = !enough || with.beats(without, quota);
        pays != state.is_multiple_of(scheduler::CONTRARY)
    }

    fn count(&mut self, ordered: bool, by_first: bool) {
        self.won[usize::from(ordered)].count(by_first);
    }
}

/// The tables and stacks for one board.
pub(crate) struct Play<G: Game> {
    pub(crate) misere: bool,
    components: Components<G>,
    table: SliceTable<u8>,
    worth: Vec<Worth>,
    // The budget left for values of parts.
    fund: Fund,
    // Whether many values are known: then each part is looked up when it is first met.
    peeks: bool,
    bounds: Bounds,
    counts: Counts,
    // By the number of a part: how many moves each player has.
    mobility: Vec<Option<[u32; 2]>>,
    // The data of the proof-number search, and whether that search was given up.
    led: Option<Led>,
    depth_first: bool,
    // The number of states that may be entered before the search pauses.
    rest: Option<u64>,
    // The searches by strips for the position asked about last: one for each thread that took part in it, this one's first.
    strips: Option<(G::Position, Vec<Box<dyn strips::Search>>)>,
    // The data of the search of whole positions, and whether memory was too short for parts.
    whole: Option<Whole<G::Position>>,
    short: bool,
    frames: Vec<Frame>,
    // Options of the states on the stack: for each its length and its words.
    words: Vec<Word>,
    // The words of the state whose options are generated, and of the current option.
    state: Vec<Word>,
    child: Vec<Word>,
    // Buffers for sorting options.
    ordering: Ordering,
    order: Vec<(i64, usize)>,
    sorted: Vec<Word>,
    noted: usize,
    pub(crate) statistics: Statistics,
}

enum Entered {
    Known(bool),
    Opened,
}

impl<G: Game> Play<G> {
    pub(crate) fn new(game: &G, misere: bool) -> Play<G> {
        Play {
            misere,
            components: Components::new(game),
            table: SliceTable::default(),
            worth: Vec::new(),
            fund: Fund::new(&scheduler::VALUES),
            peeks: false,
            bounds: Bounds::default(),
            counts: Counts::default(),
            mobility: Vec::new(),
            led: None,
            depth_first: false,
            rest: None,
            strips: None,
            whole: None,
            short: false,
            frames: Vec::new(),
            words: Vec::new(),
            state: Vec::new(),
            child: Vec::new(),
            ordering: Ordering::default(),
            order: Vec::new(),
            sorted: Vec::new(),
            noted: 0,
            statistics: Statistics::default(),
        }
    }

    /// A search for the case that many values of parts are known: `ask` finds these without expanding positions.
    pub(crate) fn peeking(mut self) -> Play<G> {
        self.peeks = true;
        self
    }

    /// Sets how many states may be entered before the search stops as if its budget were spent; the next call resumes it.
    /// `None` removes the limit.
    pub(crate) fn rests_after(&mut self, states: Option<u64>) {
        self.rest = states;
    }

    // Charges for a state, before anything is recorded for it.
    fn charge(&mut self, context: &Context<'_>) -> Result<(), Limit> {
        if let Some(rest) = &mut self.rest {
            *rest = rest.checked_sub(1).ok_or(Limit::Nodes)?;
        }
        context.budget.charge()
    }

    /// Whether bounds were found to decide most states.
    pub(crate) fn is_bounded(&self) -> bool {
        self.depth_first
    }

    /// The counters of this search since this function was last called.
    pub(crate) fn take_statistics(&mut self) -> Statistics {
        self.components.take_statistics(&mut self.statistics)
    }

    /// Frees all memory.
    pub(crate) fn clear(&mut self, account: &super::account::Account) {
        account.note(self.noted, 0);
        self.noted = 0;
        self.table.clear();
        self.worth = Vec::new();
        self.fund = Fund::new(&scheduler::VALUES);
        self.bounds.clear();
        self.counts = Counts::default();
        self.mobility = Vec::new();
        self.led = None;
        self.clear_strips(account);
        if let Some(mut whole) = self.whole.take() {
            whole.clear(account);
        }
        self.components.clear(account);
    }

    /// Whether `mover`, moving first, wins the sum of a position and a value. In misère play the value must be zero.
    pub(crate) fn wins(
        &mut self,
        game: &G,
        position: &G::Position,
        beside: CanonicalForm,
        mover: Player,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<bool, StoppedIn<G>> {
        let may = beside == CanonicalForm::ZERO && self.may_search_whole(game, position, context);
        if may && (self.short || context.whole_first) {
            return self.whole(game, position, mover, context, ask);
        }
        if beside == CanonicalForm::ZERO && self.has_strips(game, position, context) {
            return self.in_turns(game, position, mover, context, ask);
        }
        let result = self.begin(game, position, beside, mover, context, &mut *ask);
        self.close_all();
        if may && matches!(result, Err(Stopped::Limit(Limit::Memory))) {
            self.clear(context.account);
            self.short = true;
            return self.whole(game, position, mover, context, ask);
        }
        result
    }

    // Closes all states on the stack.
    fn close_all(&mut self) {
        while let Some(frame) = self.frames.pop() {
            let value = self.table.value(frame.entry);
            self.table
                .set(frame.entry, with_bits(value, frame.mover, UNKNOWN));
        }
        self.words.clear();
    }

    fn begin(
        &mut self,
        game: &G,
        position: &G::Position,
        beside: CanonicalForm,
        mover: Player,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<bool, StoppedIn<G>> {
        let mut parts = Vec::new();
        self.components.split(game, position, context, &mut parts)?;
        let mut child = vec![beside.0];
        self.add_parts(game, &parts, false, &mut child, context, ask)?;
        self.tidy(game, &mut child, context);
        // Proof-number search visits states in any order, so every line of play must end and no rule may fail.
        if context.shortcuts.has(Shortcut::ProofNumbers)
            && !self.misere
            && !self.depth_first
            && game.analysis().ends()
            && game.analysis().is_faultless()
        {
            self.state.clear();
            self.state.extend_from_slice(&child);
            if let Some(wins) = self.led(game, mover, context, ask)? {
                return Ok(wins);
            }
        }
        self.state = child;
        let mut found = match self.enter_with_room(game, mover, context, ask)? {
            Entered::Known(wins) => return Ok(wins),
            Entered::Opened => None,
        };
        loop {
            let Some(frame) = self.frames.last_mut() else {
                return Ok(found.unwrap_or(false));
            };
            // `found` refers to the opponent, who moves at the option.
            let wins = if found == Some(false) {
                let first = frame.start + 1 + self.words[frame.start] as usize;
                self.ordering.count(frame.ordered, frame.next == first);
                Some(true)
            } else if frame.next == frame.end {
                Some(self.misere && frame.start == frame.end)
            } else {
                None
            };
            if let Some(wins) = wins {
                found = Some(wins);
                self.close(wins, context);
                continue;
            }
            let len = self.words[frame.next] as usize;
            let option = frame.next + 1..frame.next + 1 + len;
            frame.next = option.end;
            let opponent = frame.mover.opponent();
            self.state.clear();
            self.state.extend_from_slice(&self.words[option]);
            found = match self.enter_with_room(game, opponent, context, ask)? {
                Entered::Known(wins) => Some(wins),
                Entered::Opened => None,
            };
        }
    }

    // Decides the state on top of the stack.
    fn close(&mut self, wins: bool, context: &Context<'_>) {
        if let Some(frame) = self.frames.pop() {
            self.words.truncate(frame.start);
            let known = match (context.shortcuts.has(Shortcut::Memo), wins) {
                (false, _) => UNKNOWN,
                (true, false) => LOST,
                (true, true) => WON,
            };
            let value = self.table.value(frame.entry);
            self.table
                .set(frame.entry, with_bits(value, frame.mover, known));
        }
    }

    // Enters `self.state`, once more if memory was short and some could be freed. On WebAssembly the search ends instead: the
    // code would be in each copy of the engine in the page.
    fn enter_with_room(
        &mut self,
        game: &G,
        mover: Player,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<Entered, StoppedIn<G>> {
        let (depth, words) = (self.frames.len(), self.words.len());
        let entered = self.enter(game, mover, context, &mut *ask);
        let short = matches!(entered, Err(Stopped::Limit(Limit::Memory)));
        if cfg!(target_family = "wasm") || !short {
            return entered;
        }
        if self.frames.len() > depth
            && let Some(frame) = self.frames.pop()
        {
            let value = self.table.value(frame.entry);
            let value = with_bits(value, frame.mover, UNKNOWN);
            self.table.set(frame.entry, value);
        }
        self.words.truncate(words);
        self.make_room(game, context)?;
        self.enter(game, mover, context, ask)
    }

    // Looks up `self.state`; pushes a frame for it if it is unknown.
    fn enter(
        &mut self,
        game: &G,
        mover: Player,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<Entered, StoppedIn<G>> {
        if self.state.len() == 1 && !self.misere {
            // All parts are in the sum of values.
            let sum = CanonicalForm(self.state[0]);
            return Ok(Entered::Known(moves_first_and_wins(
                context.forms,
                sum,
                mover,
            )?));
        }
        if self.frames.is_empty() {
            // The bounds of options were tried when they were offered.
            let state = std::mem::take(&mut self.state);
            let decided = self.bounded(game, &state, mover, context, ask);
            self.state = state;
            if let Some(wins) = decided? {
                return Ok(Entered::Known(wins));
            }
        }
        let hash = hash_of(&self.state[..]);
        let entry = self.table.find(hash, &self.state);
        match entry.map_or(UNKNOWN, |entry| bits(self.table.value(entry), mover)) {
            LOST => return Ok(Entered::Known(false)),
            WON => return Ok(Entered::Known(true)),
            OPEN => return Err(self.cycle(entry, mover)),
            _ => {}
        }
        let entry = match entry {
            Some(entry) => entry,
            None => self.insert(hash, context)?,
        };
        self.charge(context)?;
        let value = self.table.value(entry);
        self.table.set(entry, with_bits(value, mover, OPEN));
        self.statistics.states += 1;
        self.fund.earn();
        let start = self.words.len();
        self.frames.push(Frame {
            entry,
            mover,
            start,
            next: start,
            end: start,
            ordered: self.ordering.is_due(self.statistics.states),
        });
        if self.options(game, mover, context, ask)? {
            self.close(true, context);
            return Ok(Entered::Known(true));
        }
        if self.frames.last().is_some_and(|frame| frame.ordered) {
            self.put_in_order(game, start, mover, context)?;
        }
        let end = self.words.len();
        if let Some(frame) = self.frames.last_mut() {
            frame.end = end;
        }
        Ok(Entered::Opened)
    }

    fn insert(&mut self, hash: u64, context: &Context<'_>) -> Result<u32, Limit> {
        let more = self.table.growth(self.state.len());
        if more > 0 || self.table.is_full() {
            let held = self.bytes();
            if self.table.is_full() || !context.account.allows(context.forms, held, more) {
                self.statistics.evictions += 1;
                self.evict();
            }
        }
        let entry = self.table.insert(hash, &self.state, 0);
        let held = self.bytes();
        if held != self.noted {
            context.account.note(self.noted, held);
            self.noted = held;
            if context.account.is_over(context.forms) {
                self.statistics.evictions += 1;
                self.evict();
                self.table.shrink();
                let held = self.bytes();
                context.account.note(self.noted, held);
                self.noted = held;
                if context.account.is_over(context.forms) {
                    return Err(Limit::Memory);
                }
                // The entry is the youngest, so it is still the last one.
                return Ok(self.table.len() as u32 - 1);
            }
        }
        Ok(entry)
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
            + self.words.capacity() * size_of::<Word>()
            + self.frames.capacity() * size_of::<Frame>()
            + self.worth.capacity() * size_of::<Worth>()
            + self.bounds.bytes()
            + self.counts.bytes()
            + self.led.as_ref().map_or(0, Led::bytes)
            + self.mobility.capacity() * size_of::<Option<[u32; 2]>>()
    }

    // Forgets the older half of the states, except those on the stack.
    fn evict(&mut self) {
        let is_open =
            |value: &u8| bits(*value, Player::LEFT) == OPEN || bits(*value, Player::RIGHT) == OPEN;
        let mut moved = Vec::new();
        self.table
            .forget_older_half(is_open, |old, new| moved.push((old, new)));
        for frame in &mut self.frames {
            if let Ok(i) = moved.binary_search_by_key(&frame.entry, |(old, _)| *old) {
                frame.entry = moved[i].1;
            }
        }
    }

    // The line of play that leads from the repeated state back to it. Each state is represented by its part that changes.
    fn cycle(&self, entry: Option<u32>, mover: Player) -> StoppedIn<G> {
        let first = self
            .frames
            .iter()
            .position(|frame| Some(frame.entry) == entry && frame.mover == mover)
            .unwrap_or(0);
        // Any part represents the state if no part changes.
        let any = |state: &[Word]| state.get(1).copied();
        let mut line = Vec::new();
        let states = self.frames[first..].iter().map(|f| self.table.key(f.entry));
        let states: Vec<&[Word]> = states.chain(entry.map(|e| self.table.key(e))).collect();
        for pair in states.windows(2) {
            if line.is_empty() {
                line.extend(
                    changed(pair[0], pair[1])
                        .or(any(pair[0]))
                        .map(|w| self.components.part(w).clone()),
                );
            }
            line.extend(
                changed(pair[1], pair[0])
                    .or(any(pair[1]))
                    .map(|w| self.components.part(w).clone()),
            );
        }
        Stopped::Cycle { line }
    }
}

// A part that occurs in the first state more often than in the second.
fn changed(state: &[Word], other: &[Word]) -> Option<Word> {
    let count = |words: &[Word], w: Word| words[1..].iter().filter(|x| **x == w).count();
    state[1..]
        .iter()
        .copied()
        .find(|w| count(state, *w) > count(other, *w))
}

/// Whether the player who moves first wins at a value: Left unless the value is <= 0, Right unless it is >= 0.
pub(super) fn moves_first_and_wins(
    forms: &Forms,
    value: CanonicalForm,
    mover: Player,
) -> Result<bool, Limit> {
    let zero = CanonicalForm::ZERO;
    let loses = if mover == Player::LEFT {
        forms.less_or_equal(value, zero)
    } else {
        forms.less_or_equal(zero, value)
    };
    loses.map(|loses| !loses).map_err(memory)
}
