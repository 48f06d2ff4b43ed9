//! One pass for all coalitions. Input: a position and a player to move. Output: the function of the winning coalitions.
//!
//! If the mover is a member of a coalition, it wins if some option does; otherwise it wins if every option does. A Boolean
//! function says both for all coalitions at once. It is stored for each state: the multiset of components, the player to
//! move and, under elimination, who is still in. The last player who remains, or who moved last, has won, and so have the
//! coalitions that contain him.

use super::functions::{Function, Functions};
use super::set::Coalition;
use crate::engine::account::Account;
use crate::engine::components::{Components, Word};
use crate::engine::context::Context;
use crate::engine::statistics::Statistics;
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::engine::table::{SliceTable, hash_of};
use crate::game::{Analysis, Convention, Game, Limit, Player, Reason, Shortcut};

/// The state is on the stack.
const OPEN: Function = u32::MAX;
/// Nothing is known: a search was given up, or there is no memo table.
const UNKNOWN: Function = u32::MAX - 1;

struct Frame {
    entry: u32,
    mover: Player,
    // By how many places the players were rotated before the look-up.
    turned: u8,
    // Where the options begin in `words`, the next one to be searched, where they end.
    start: usize,
    next: usize,
    end: usize,
    // Where the functions of the options begin in `found`.
    found: usize,
}

/// The tables and stacks of one board.
pub(crate) struct Pass<G: Game> {
    n: u8,
    convention: Convention,
    components: Components<G>,
    pub(crate) functions: Functions,
    table: SliceTable<Function>,
    frames: Vec<Frame>,
    // The options of the states on the stack: for each its length and its words.
    words: Vec<Word>,
    found: Vec<Function>,
    // The components of the state that is looked up.
    state: Vec<Word>,
    key: Vec<u32>,
    noted: usize,
    pub(crate) statistics: Statistics,
}

/// Whether functions that have noted some bytes may hold more, and the search go on.
fn checking<'c>(
    noted: usize,
    context: &'c Context<'_>,
) -> impl Fn(usize) -> Result<(), Limit> + 'c {
    move |bytes| {
        context.budget.check()?;
        let more = bytes.saturating_sub(noted);
        let held = context.account.tables() + context.forms.memory();
        match held.saturating_add(more) > context.account.limit() {
            true => Err(Limit::Memory),
            false => Ok(()),
        }
    }
}

enum Entered {
    Known(Function),
    Opened,
}

impl<G: Game> Pass<G> {
    pub(crate) fn new(game: &G) -> Pass<G> {
        Pass {
            n: game.players(),
            convention: game.convention(),
            components: Components::new(game),
            functions: Functions::new(game.players()),
            table: SliceTable::default(),
            frames: Vec::new(),
            words: Vec::new(),
            found: Vec::new(),
            state: Vec::new(),
            key: Vec::new(),
            noted: 0,
            statistics: Statistics::default(),
        }
    }

    /// Whether nothing is stored yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.table.len() == 0 && self.components.len() == 0
    }

    /// The counters since they were last taken.
    pub(crate) fn take_statistics(&mut self) -> Statistics {
        self.components.take_statistics(&mut self.statistics)
    }

    /// Releases all memory.
    pub(crate) fn clear(&mut self, account: &Account) {
        account.note(std::mem::take(&mut self.noted), 0);
        self.table.clear();
        self.words = Vec::new();
        self.found = Vec::new();
        self.components.clear(account);
        self.functions.release(account);
    }

    /// The function of a position at which `mover` is to move and the players of `within`, `mover` among them, are in.
    pub(crate) fn function(
        &mut self,
        game: &G,
        position: &G::Position,
        mover: Player,
        within: Coalition,
        context: &Context<'_>,
    ) -> Result<Function, StoppedIn<G>> {
        let result = self.begin(game, position, mover, within, context);
        for frame in self.frames.drain(..) {
            self.table.set(frame.entry, UNKNOWN);
        }
        self.words.clear();
        self.found.clear();
        result
    }

    fn begin(
        &mut self,
        game: &G,
        position: &G::Position,
        mover: Player,
        all: Coalition,
        context: &Context<'_>,
    ) -> Result<Function, StoppedIn<G>> {
        let mut parts = Vec::new();
        self.components.split(game, position, context, &mut parts)?;
        parts.sort_unstable();
        self.state = parts;
        // Who is in, for the states on the stack: it changes only on the way down.
        let mut within = vec![];
        let mut found = match self.enter(game, mover, all, &mut within, context)? {
            Entered::Known(function) => return Ok(function),
            Entered::Opened => None,
        };
        loop {
            if let Some(function) = found.take() {
                if self.frames.is_empty() {
                    return Ok(function);
                }
                self.found.push(function);
            }
            let Some(frame) = self.frames.last_mut() else {
                return Err(Stopped::Limit(Limit::Cancelled(Reason::Interrupted)));
            };
            if frame.next == frame.end {
                within.pop();
                found = Some(self.close(context)?);
                continue;
            }
            let len = self.words[frame.next] as usize;
            let option = frame.next + 1..frame.next + 1 + len;
            frame.next = option.end;
            let mover = frame.mover;
            self.state.clear();
            self.state.extend_from_slice(&self.words[option]);
            let players = within.last().copied().unwrap_or(all);
            let next = self.next(mover, &players);
            found = match self.enter(game, next, players, &mut within, context)? {
                Entered::Known(function) => Some(function),
                Entered::Opened => None,
            };
        }
    }

    fn next(&self, mover: Player, players: &Coalition) -> Player {
        players.after(mover).unwrap_or(mover)
    }

    // Completes the frame on top, all of whose options are known.
    fn close(&mut self, context: &Context<'_>) -> Result<Function, Limit> {
        let Some(frame) = self.frames.last() else {
            return Err(Limit::Cancelled(Reason::Interrupted));
        };
        let functions = &mut self.functions;
        let check = checking(functions.noted(), context);
        let function = functions.of_options(frame.mover, &self.found[frame.found..], &check)?;
        functions.note(context.account, context.forms)?;
        let n = self.n;
        let known = if context.shortcuts.has(Shortcut::Memo) {
            let stays = context.plants(Shortcut::Rotations);
            let by = if stays { 0 } else { (n - frame.turned) % n };
            let check = checking(functions.noted(), context);
            functions.turn(function, by, &check)?
        } else {
            UNKNOWN
        };
        self.table.set(frame.entry, known);
        self.words.truncate(frame.start);
        self.found.truncate(frame.found);
        self.frames.pop();
        Ok(function)
    }

    // Looks up `self.state` with `mover` to move and `players` in; pushes its frame if it is not known.
    fn enter(
        &mut self,
        game: &G,
        mut mover: Player,
        mut players: Coalition,
        within: &mut Vec<Coalition>,
        context: &Context<'_>,
    ) -> Result<Entered, StoppedIn<G>> {
        let state = std::mem::take(&mut self.state);
        let can_move = |pass: &mut Pass<G>, mover| -> Result<bool, StoppedIn<G>> {
            for part in &state {
                let (start, end, _) = pass.components.moves(game, *part, mover, context)?;
                if start < end {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        let winner = loop {
            if self.convention == Convention::Elimination && players.len() == 1 {
                break Some(mover);
            }
            if can_move(self, mover)? {
                break None;
            }
            if self.convention != Convention::Elimination {
                // Whoever moved last: the player before the mover.
                break Some(mover.before(self.n));
            }
            let next = self.next(mover, &players);
            players.remove(mover);
            mover = next;
        };
        if let Some(winner) = winner {
            self.state = state;
            return Ok(Entered::Known(self.functions.member(winner)));
        }
        let turned = if context.shortcuts.has(Shortcut::Rotations)
            && mover.0 > 0
            && state
                .iter()
                .all(|p| game.analysis().is_impartial(self.components.part(*p)))
        {
            self.statistics.rotations += 1;
            mover.0
        } else {
            0
        };
        self.key.clear();
        self.key.push(u32::from(mover.0 - turned));
        if self.convention == Convention::Elimination {
            self.key
                .extend(players.turned(turned, self.n).words(self.n));
        }
        self.key.extend_from_slice(&state);
        let hash = hash_of(&self.key[..]);
        let entry = self.table.find(hash, &self.key);
        if let Some(entry) = entry {
            match self.table.value(entry) {
                OPEN => return Err(self.cycle(entry)),
                UNKNOWN => {}
                function => {
                    self.statistics.memo_hits += 1;
                    self.state = state;
                    let check = checking(self.functions.noted(), context);
                    let function = self.functions.turn(function, turned, &check)?;
                    return Ok(Entered::Known(function));
                }
            }
        }
        context.budget.charge()?;
        self.statistics.states += 1;
        let entry = match entry {
            Some(entry) => entry,
            None => self.insert(hash, context)?,
        };
        self.table.set(entry, OPEN);
        let start = self.words.len();
        for (i, part) in state.iter().enumerate() {
            if i > 0 && state[i - 1] == *part {
                continue;
            }
            let (mut at, end, _) = self.components.moves(game, *part, mover, context)?;
            while at < end {
                let option = self.components.option(at);
                at += 1 + option.len() as u32;
                let begin = self.words.len();
                self.words.push((state.len() - 1 + option.len()) as u32);
                self.words.extend_from_slice(&state[..i]);
                self.words.extend_from_slice(&state[i + 1..]);
                let flip = part & 1;
                self.words.extend(option.iter().map(|w| w ^ flip));
                self.words[begin + 1..].sort_unstable();
            }
        }
        within.push(players);
        self.frames.push(Frame {
            entry,
            mover,
            turned,
            start,
            next: start,
            end: self.words.len(),
            found: self.found.len(),
        });
        self.state = state;
        Ok(Entered::Opened)
    }

    fn bytes(&self) -> usize {
        self.table.bytes()
            + (self.words.capacity() + self.found.capacity()) * size_of::<u32>()
            + self.frames.capacity() * size_of::<Frame>()
    }

    fn insert(&mut self, hash: u64, context: &Context<'_>) -> Result<u32, Limit> {
        let more = self.table.growth(self.key.len());
        if more > 0 || self.table.is_full() {
            let held = self.bytes();
            if self.table.is_full() || !context.account.allows(context.forms, held, more) {
                self.evict();
            }
        }
        let entry = self.table.insert(hash, &self.key, UNKNOWN);
        let held = self.bytes();
        if held != self.noted {
            context.account.note(self.noted, held);
            self.noted = held;
            if context.account.is_over(context.forms) {
                return Err(Limit::Memory);
            }
        }
        Ok(entry)
    }

    // Evicts the older half of the states, except those on the stack.
    fn evict(&mut self) {
        self.statistics.evictions += 1;
        let mut moved = Vec::new();
        self.table
            .forget_older_half(|f| *f == OPEN, |old, new| moved.push((old, new)));
        for frame in &mut self.frames {
            if let Ok(i) = moved.binary_search_by_key(&frame.entry, |(old, _)| *old) {
                frame.entry = moved[i].1;
            }
        }
    }

    // The line of play from the repeated state on; each state is represented by one component.
    fn cycle(&self, entry: u32) -> StoppedIn<G> {
        let first = self
            .frames
            .iter()
            .position(|f| f.entry == entry)
            .unwrap_or(0);
        let meta = if self.convention == Convention::Elimination {
            1 + usize::from(self.n).div_ceil(32)
        } else {
            1
        };
        let states: Vec<&[u32]> = self.frames[first..]
            .iter()
            .map(|f| f.entry)
            .chain([entry])
            .map(|e| &self.table.key(e)[meta..])
            .collect();
        let mut line: Vec<G::Position> = Vec::new();
        for pair in states.windows(2) {
            let count = |words: &[Word], w: Word| words.iter().filter(|x| **x == w).count();
            let changed = |a: &[Word], b: &[Word]| {
                let word = a
                    .iter()
                    .find(|w| count(a, **w) > count(b, **w))
                    .or(a.first());
                word.map(|w| self.components.part(*w).clone())
            };
            if line.is_empty() {
                line.extend(changed(pair[0], pair[1]));
            }
            line.extend(changed(pair[1], pair[0]));
        }
        Stopped::Cycle { line }
    }
}
