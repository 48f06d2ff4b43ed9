//! Who wins: a position and a player to move come in, whether that player wins goes out; normal and misère play.
//!
//! A state is a multiset of parts with a player to move. The search stops at the first winning option, looks first for
//! options that are known to lose for the opponent, and keeps its own stack. Where play is known to end proof numbers lead it
//! (`led`); what follows here goes depth first.
//!
//! In normal play two short cuts rest on the theory of sums (Siegel, *Combinatorial Game Theory*, II.1): a part whose
//! canonical form is cheap is replaced by it, all such forms are added up into one, and a part and its negative go
//! together, where play is known to end and no rule can go wrong: the reply to a move in the one is the move in the other, which
//! must be there, and come to an end. Neither holds in misère play, where a sum of parts is a multiset and no more.
//!
//! Where a position comes again or a rule goes wrong the search stops, and it is asked who can force a win (`forced`).

mod bounds;
mod forced;
mod led;
mod negative;
mod whole;

use super::components::{Components, Word};
use super::context::Context;
use super::statistics::Statistics;
use super::stopped::{Stopped, StoppedIn};
use super::table::{SliceTable, hash_of};
use crate::game::{Analysis, Budget, Game, Limit, Player, Rules, Shortcut};
use crate::value::{CanonicalForm, Forms, OutOfMemory};
use bounds::Bounds;
use led::Led;
use whole::Whole;

/// What the table says of a state, for each of the two who may move: two bits each.
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

/// Whether the value of a part is known, or how often the part was met since it was last asked for.
#[derive(Clone, Copy)]
enum Worth {
    Known(CanonicalForm),
    Visits(u32),
    // Its value cannot be had: play in it need not end, or a rule goes wrong.
    Never,
}

/// How often a part must have been met before its value is asked for. After that it is asked for whenever the number of
/// times has doubled, and as many positions may be expanded for it as it was met times, while there is something to spend: so
/// values never take more than a part of the work of the search itself, and are had where parts come again and again.
const FIRST: u32 = 4;

/// A part whose value has more options than this, for both players together, stays a part: sums of such values grow large, and
/// to compare them takes longer than to search. Found by trial on linear Clobber and Domineering; no answer depends on it.
const MOST_OPTIONS: usize = 6;

/// What there is to spend on the values of parts at the start; one more comes in with each state that is looked at, and each
/// time that a value is added to others.
const PURSE: u64 = 1 << 13;

/// What a position costs that is expanded for a value. In Amazons, where values are large, 8 takes a sixth of the time that 1
/// does; 16 is too much for Col.
const POSITION: u64 = 8;

/// How the value of a part may be asked for, within a number of positions.
pub(crate) type Ask<'f, G> =
    &'f mut dyn FnMut(&<G as Rules>::Position, &Budget) -> Result<CanonicalForm, StoppedIn<G>>;

struct Frame {
    // The number of the state in the table.
    entry: u32,
    mover: Player,
    // Where the options of the state begin in `words`, where the next one to be tried is, where they end.
    start: usize,
    next: usize,
    end: usize,
    // Whether the options were put in order.
    ordered: bool,
}

/// Whether it pays to put options in order: it costs the moves of all parts met, and in some games it is no use.
#[derive(Default)]
struct Trial {
    // For states whose options were left as they are, and for ordered ones: how many were won by one of several options,
    // and how many of these by the first.
    won: [u64; 2],
    by_first: [u64; 2],
}

impl Trial {
    // A few states go the other way, so that the two can be compared.
    fn orders(&self, state: u64) -> bool {
        let pays = self.won[0] < 64
            || self.won[1] < 64
            || 4 * self.by_first[1] * self.won[0] > 5 * self.by_first[0] * self.won[1];
        pays != state.is_multiple_of(16)
    }

    fn count(&mut self, ordered: bool, by_first: bool) {
        self.won[usize::from(ordered)] += 1;
        self.by_first[usize::from(ordered)] += u64::from(by_first);
    }
}

/// The tables and stacks of one board.
pub(crate) struct Play<G: Game> {
    pub(crate) misere: bool,
    components: Components<G>,
    table: SliceTable<u8>,
    worth: Vec<Worth>,
    // What may still be spent on values of parts.
    purse: u64,
    // Whether many values are known: each part is looked up when it is met first.
    peeks: bool,
    bounds: Bounds,
    // By the number of a part: how many moves each player has.
    mobility: Vec<Option<[u32; 2]>>,
    // What the search that proof numbers lead keeps, and whether it was given up.
    led: Option<Led>,
    depth_first: bool,
    // How many states may be entered before it rests.
    rest: Option<u64>,
    // What the search of whole positions keeps, and whether memory was too short for parts.
    whole: Option<Whole<G::Position>>,
    short: bool,
    frames: Vec<Frame>,
    // Options of the states on the stack: for each its length and its words.
    words: Vec<Word>,
    // The words of the state whose options are made, and of the option that is made.
    state: Vec<Word>,
    child: Vec<Word>,
    // Scratch for putting options in order.
    trial: Trial,
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
            purse: PURSE,
            peeks: false,
            bounds: Bounds::default(),
            mobility: Vec::new(),
            led: None,
            depth_first: false,
            rest: None,
            whole: None,
            short: false,
            frames: Vec::new(),
            words: Vec::new(),
            state: Vec::new(),
            child: Vec::new(),
            trial: Trial::default(),
            order: Vec::new(),
            sorted: Vec::new(),
            noted: 0,
            statistics: Statistics::default(),
        }
    }

    /// The search, where many values of parts are known: `ask` tells them for nothing.
    pub(crate) fn peeking(mut self) -> Play<G> {
        self.peeks = true;
        self
    }

    /// How many states may be entered before the search stops as if its budget were spent, to go on where it stopped when it
    /// is asked again; no end where there is none.
    pub(crate) fn rests_after(&mut self, states: Option<u64>) {
        self.rest = states;
    }

    // A state is entered; nothing is noted of it before.
    fn charge(&mut self, context: &Context<'_>) -> Result<(), Limit> {
        if let Some(rest) = &mut self.rest {
            *rest = rest.checked_sub(1).ok_or(Limit::Nodes)?;
        }
        context.budget.charge()
    }

    /// Whether bounds were found to decide most of what is met.
    pub(crate) fn is_bounded(&self) -> bool {
        self.depth_first
    }

    /// The counters of this search since they were last taken.
    pub(crate) fn take_statistics(&mut self) -> Statistics {
        let mut statistics = std::mem::take(&mut self.statistics);
        statistics.absorb(&std::mem::take(&mut self.components.statistics));
        statistics
    }

    /// Gives all memory back.
    pub(crate) fn clear(&mut self, account: &super::account::Account) {
        account.note(self.noted, 0);
        self.noted = 0;
        self.table.clear();
        self.worth = Vec::new();
        self.purse = PURSE;
        self.bounds.clear();
        self.mobility = Vec::new();
        self.led = None;
        if let Some(mut whole) = self.whole.take() {
            whole.clear(account);
        }
        self.components.clear(account);
    }

    /// Whether `mover` wins a position beside a value, moving now. In misère play that value must be zero.
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
        let result = self.begin(game, position, beside, mover, context, &mut *ask);
        self.close_all();
        if may && matches!(result, Err(Stopped::Limit(Limit::Memory))) {
            self.clear(context.account);
            self.short = true;
            return self.whole(game, position, mover, context, ask);
        }
        result
    }

    // Nothing is open any more.
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
        // Every line of play must end, and no rule go wrong: the search looks at what it likes in any order.
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
        let mut found = match self.enter(game, mover, context, ask)? {
            Entered::Known(wins) => return Ok(wins),
            Entered::Opened => None,
        };
        loop {
            let Some(frame) = self.frames.last_mut() else {
                return Ok(found.unwrap_or(false));
            };
            // What is found is said of the opponent, who moves at the option.
            let wins = if found == Some(false) {
                let first = frame.start + 1 + self.words[frame.start] as usize;
                self.trial.count(frame.ordered, frame.next == first);
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
            found = match self.enter(game, opponent, context, ask)? {
                Entered::Known(wins) => Some(wins),
                Entered::Opened => None,
            };
        }
    }

    // The frame on top is decided.
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

    // Looks up `self.state`; where it is not known, its frame is pushed.
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
            // Options were looked at when they were offered.
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
        self.purse = self.purse.saturating_add(1);
        let start = self.words.len();
        self.frames.push(Frame {
            entry,
            mover,
            start,
            next: start,
            end: start,
            ordered: self.trial.orders(self.statistics.states),
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
                // The entry was the youngest and stays the last one.
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
            + self.led.as_ref().map_or(0, Led::bytes)
            + self.mobility.capacity() * size_of::<Option<[u32; 2]>>()
    }

    // Forgets the older half of the states, but for those on the stack.
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

    // Appends the options of `self.state`; says whether one of them is known to lose for the opponent.
    fn options(
        &mut self,
        game: &G,
        mover: Player,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<bool, StoppedIn<G>> {
        let state = std::mem::take(&mut self.state);
        let mut child = std::mem::take(&mut self.child);
        let result = self.options_of(game, &state, mover, &mut child, context, ask);
        self.state = state;
        self.child = child;
        result
    }

    fn options_of(
        &mut self,
        game: &G,
        state: &[Word],
        mover: Player,
        child: &mut Vec<Word>,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<bool, StoppedIn<G>> {
        if !game.analysis().is_faultless() {
            // A state at which a rule goes wrong is won by nobody, whatever other moves there are.
            for part in &state[1..] {
                self.components.moves(game, *part, mover, context)?;
            }
        }
        for (i, part) in state.iter().enumerate().skip(1) {
            if i > 1 && state[i - 1] == *part {
                continue;
            }
            let (mut at, end, _) = self.components.moves(game, *part, mover, context)?;
            while at < end {
                let option: smallvec::SmallVec<[Word; 8]> = self.components.option(at).into();
                at += 1 + option.len() as u32;
                child.clear();
                child.extend_from_slice(&state[..i]);
                child.extend_from_slice(&state[i + 1..]);
                self.add_parts(game, &option, part & 1 == 1, child, context, ask)?;
                self.tidy(game, child, context);
                if self.offer(game, child, mover, context, ask)? {
                    return Ok(true);
                }
            }
        }
        let sum = CanonicalForm(state[0]);
        let options = if mover == Player::LEFT {
            context.forms.left_of(sum)
        } else {
            context.forms.right_of(sum)
        }
        .map_err(memory)?;
        for i in 0..options.len() {
            child.clear();
            child.push(options.at(context.forms, i).map_err(memory)?.0);
            child.extend_from_slice(&state[1..]);
            if self.offer(game, child, mover, context, ask)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    // Puts the options that begin at `start` in an order in which the better ones are likely to come first: those that
    // leave the mover many moves and the opponent few.
    fn put_in_order(
        &mut self,
        game: &G,
        start: usize,
        mover: Player,
        context: &Context<'_>,
    ) -> Result<(), StoppedIn<G>> {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        let mut at = start;
        while at < self.words.len() {
            let end = at + 1 + self.words[at] as usize;
            let mut score = stops(context.forms, CanonicalForm(self.words[at + 1]));
            for i in at + 2..end {
                let word = self.words[i];
                let [left, right] = self.mobility(game, word, context)?;
                score += (i64::from(left) - i64::from(right)) * WEIGHT;
            }
            order.push((if mover == Player::LEFT { -score } else { score }, at));
            at = end;
        }
        order.sort_unstable();
        self.sorted.clear();
        for (_, at) in &order {
            let end = at + 1 + self.words[*at] as usize;
            self.sorted.extend_from_slice(&self.words[*at..end]);
        }
        self.words.truncate(start);
        self.words.extend_from_slice(&self.sorted);
        self.order = order;
        Ok(())
    }

    // How many moves each player has at a part, if the game tells or they were counted.
    fn told_mobility(&mut self, game: &G, part: Word) -> Option<[u32; 2]> {
        let number = (part >> 1) as usize;
        if self.mobility.len() <= number {
            self.mobility.resize(self.components.len(), None);
        }
        if self.mobility[number].is_none() {
            self.mobility[number] = game.analysis().mobility(self.components.part(part));
        }
        let [left, right] = self.mobility[number]?;
        Some(if part & 1 == 1 {
            [right, left]
        } else {
            [left, right]
        })
    }

    // How many moves each player has at a part: counted, if the game does not tell.
    fn mobility(
        &mut self,
        game: &G,
        part: Word,
        context: &Context<'_>,
    ) -> Result<[u32; 2], StoppedIn<G>> {
        if let Some(told) = self.told_mobility(game, part) {
            return Ok(told);
        }
        let mut count = |player| self.components.moves(game, part, player, context);
        let counted = [count(Player::LEFT)?.2, count(Player::RIGHT)?.2];
        let [left, right] = counted;
        self.mobility[(part >> 1) as usize] = Some(if part & 1 == 1 {
            [right, left]
        } else {
            counted
        });
        Ok(counted)
    }

    // Whether `mover` wins a state of one part whose value is known.
    fn settled(
        &self,
        state: &[Word],
        mover: Player,
        context: &Context<'_>,
    ) -> Result<Option<bool>, Limit> {
        let [sum, part] = *state else { return Ok(None) };
        if self.misere || !self.peeks {
            return Ok(None);
        }
        let Some(Worth::Known(value)) = self.worth.get((part >> 1) as usize) else {
            return Ok(None);
        };
        let forms = context.forms;
        // What the part is compared with: the value of the rest, its players exchanged, unless the part's are.
        let (mut rest, exchanged) = (CanonicalForm(sum), part & 1 == 1);
        if !exchanged {
            rest = forms.negate(rest).map_err(memory)?;
        }
        let loses = if (mover == Player::LEFT) != exchanged {
            forms.less_or_equal(*value, rest)
        } else {
            forms.less_or_equal(rest, *value)
        };
        Ok(Some(!loses.map_err(memory)?))
    }

    // Takes note of an option, unless it is known to win for the opponent; says whether it is known to lose.
    fn offer(
        &mut self,
        game: &G,
        child: &[Word],
        mover: Player,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<bool, StoppedIn<G>> {
        let opponent = mover.opponent();
        if child.len() == 1 && !self.misere {
            return Ok(!moves_first_and_wins(
                context.forms,
                CanonicalForm(child[0]),
                opponent,
            )?);
        }
        if context.shortcuts.has(Shortcut::Memo)
            && let Some(entry) = self.table.find(hash_of(child), child)
        {
            match bits(self.table.value(entry), opponent) {
                LOST => return Ok(true),
                WON if !self.misere || self.any_option() => return Ok(false),
                _ => {}
            }
        }
        if let Some(wins) = self.settled(child, opponent, context)? {
            return Ok(!wins);
        }
        if let Some(wins) = self.bounded(game, child, opponent, context, ask)? {
            return Ok(!wins);
        }
        self.words.push(child.len() as Word);
        self.words.extend_from_slice(child);
        Ok(false)
    }

    // Whether the state on top has an option that was taken note of: in misère play a state must not look as if it had
    // no options at all.
    fn any_option(&self) -> bool {
        self.frames
            .last()
            .is_some_and(|frame| frame.start < self.words.len())
    }

    // Adds parts to a state that is being made.
    fn add_parts(
        &mut self,
        game: &G,
        parts: &[Word],
        exchanged: bool,
        child: &mut Vec<Word>,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<(), StoppedIn<G>> {
        for part in parts {
            let part = part ^ Word::from(exchanged);
            if !self.misere
                && context.shortcuts.has(Shortcut::Sums)
                && let Some(value) = self.worth(game, part, context, ask)?
                && is_small(context.forms, value)?
            {
                self.purse = self.purse.saturating_add(1);
                let value = if part & 1 == 1 {
                    context.forms.negate(value).map_err(memory)?
                } else {
                    value
                };
                let sum = CanonicalForm(child[0]);
                child[0] = context.forms.add(sum, value).map_err(memory)?.0;
            } else {
                child.push(part);
            }
        }
        Ok(())
    }

    // The value of a part, its players not exchanged, if it is known or cheap.
    fn worth(
        &mut self,
        game: &G,
        part: Word,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<Option<CanonicalForm>, StoppedIn<G>> {
        let number = (part >> 1) as usize;
        if self.worth.len() <= number {
            self.worth.resize(self.components.len(), Worth::Visits(0));
        }
        let visits = match self.worth[number] {
            Worth::Known(value) => return Ok(Some(value)),
            Worth::Never => return Ok(None),
            Worth::Visits(visits) => visits.saturating_add(1),
        };
        let is_new = visits == 1;
        self.worth[number] = Worth::Visits(visits);
        let part = self.components.part(part);
        // Nimbers are cheap, and asked for at once.
        let impartial = is_new
            && context.shortcuts.has(Shortcut::Impartial)
            && game.analysis().is_impartial(part);
        let result = if impartial {
            ask(part, context.budget)
        } else if is_new && self.peeks {
            let (result, _) = context.budget.lend(0, |nothing| ask(part, nothing));
            if matches!(result, Err(Stopped::Limit(Limit::Nodes))) {
                return Ok(None);
            }
            result
        } else if visits < FIRST
            || !visits.is_power_of_two()
            || u64::from(visits) * POSITION > self.purse
        {
            return Ok(None);
        } else {
            let (result, spent) = context
                .budget
                .lend(u64::from(visits), |budget| ask(part, budget));
            self.purse = self.purse.saturating_sub(spent * POSITION);
            if matches!(result, Err(Stopped::Limit(Limit::Nodes))) {
                // Either the funds were not enough or the whole search has no more to spend.
                context.budget.charge()?;
                return Ok(None);
            }
            result
        };
        match result {
            Ok(value) => {
                self.statistics.sums += 1;
                let nought = context.plants(Shortcut::Sums);
                let value = if nought { CanonicalForm::ZERO } else { value };
                self.worth[number] = Worth::Known(value);
                Ok(Some(value))
            }
            Err(Stopped::Limit(limit)) => Err(limit.into()),
            Err(_) => {
                self.worth[number] = Worth::Never;
                Ok(None)
            }
        }
    }

    // Sorts the parts of a state and takes pairs of a part and its negative away.
    fn tidy(&mut self, game: &G, state: &mut Vec<Word>, context: &Context<'_>) {
        state[1..].sort_unstable();
        let sound = !self.misere && game.analysis().ends() && game.analysis().is_faultless();
        if !sound || !context.shortcuts.has(Shortcut::Sums) {
            return;
        }
        let mut kept = 1;
        for i in 1..state.len() {
            let part = state[i];
            // Words of a part come right before those of its negative.
            if kept > 1 && part & 1 == 1 && state[kept - 1] == part ^ 1 {
                kept -= 1;
                self.statistics.cancelled += 1;
            } else {
                state[kept] = part;
                kept += 1;
            }
        }
        state.truncate(kept);
    }

    // The line of play from the state that is met again. A state is shown by the part of it that changes.
    fn cycle(&self, entry: Option<u32>, mover: Player) -> StoppedIn<G> {
        let first = self
            .frames
            .iter()
            .position(|frame| Some(frame.entry) == entry && frame.mover == mover)
            .unwrap_or(0);
        // A part that stands for the state where no part changes.
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

/// What a move more than the opponent has weighs, in 32nds of a move.
const WEIGHT: i64 = 16;

// Whether a value is small enough to be added to others.
fn is_small(forms: &Forms, value: CanonicalForm) -> Result<bool, Limit> {
    Ok(value.is_inline() || has_few_options(forms, &[value], MOST_OPTIONS)?)
}

// Whether values have so many options at most, for both players and together.
fn has_few_options(forms: &Forms, values: &[CanonicalForm], most: usize) -> Result<bool, Limit> {
    let mut all = 0;
    for value in values {
        let (left, right) = forms.option_counts(*value).map_err(memory)?;
        all += left + right;
    }
    Ok(all <= most)
}

// Twice the mean of the stops, in 32nds; for the order of options only.
fn stops(forms: &Forms, value: CanonicalForm) -> i64 {
    let number = |x: CanonicalForm| {
        if x.is_inline() {
            i64::from(x.thirtyseconds())
        } else {
            0
        }
    };
    number(forms.left_stop_handle(value)) + number(forms.right_stop_handle(value))
}

// A part of the first state that the second has less often.
fn changed(state: &[Word], other: &[Word]) -> Option<Word> {
    let count = |words: &[Word], w: Word| words[1..].iter().filter(|x| **x == w).count();
    state[1..]
        .iter()
        .copied()
        .find(|w| count(state, *w) > count(other, *w))
}

/// Whether the player wins who moves first at a value: Left unless it is at most 0, Right unless it is at least 0.
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
