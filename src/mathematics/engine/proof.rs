//! Nimbers by proof. Input: an impartial position. Output: its nimber, or whether it is 0. Most followers are never searched.
//!
//! A part `G` has nimber `n` if and only if the first player loses `G + *n` (Sprague 1935, Grundy 1939). So nimbers can be
//! found by an outcome search on parts beside one heap. For an option that is a sum, the nimbers of all parts but the
//! heaviest are found, and the heaviest is tested for one nimber only (Lemoine and Viennot, "Nimbers are inevitable",
//! *Theoretical Computer Science* 462, 2012). Whether a position wins takes one test, that for 0; where it does, the nimber
//! takes more, and the last of them, which excludes it for all options, is by far the longest.
//!
//! Proof numbers guide the search ([`super::proof_numbers`]): each test has lower bounds on the number of facts to show
//! until the first player has won, and until he has lost. The disproof number of an unopened part is its number of moves
//! (plus one). Options of a part are searched in increasing order of the moves that they leave, and no further once one
//! wins. An unknown option stays a position until the search visits it: most are never visited, and only visited ones get a
//! number, a key and a place in the tables. If every move removes itself ([`Analysis::dwindles`]), the nimbers of small
//! parts are computed directly.
//!
//! Several threads can prove one nimber, each with tables of its own, and all tell each other what they have found
//! ([`verdicts`]).
//!
//! Where a proof is not known to pay, the search pauses for a turn of the plain search, and then continues from what it has
//! found.
//!
//! Play must be known to end, and no rule may fail: otherwise a violation in a pruned line of play would go unnoticed.

mod options;
mod verdicts;

use super::account::{Account, Shared};
use super::components::{Components, Word};
use super::context::Context;
use super::proof_numbers::{Numbers, Tally};
use super::scheduler::{self, Share};
use super::statistics::Statistics;
use super::stopped::StoppedIn;
use crate::game::{Analysis, Game, Limit, Shortcut, Sign};
use crate::value::Forms;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;
use verdicts::{Number, Verdicts};

/// A search that memory ends begins again if it has proved this many nimbers.
const MORE: u64 = 1 << 6;

/// Whether several threads can prove a nimber. On WebAssembly there are none, and the page has no room for the code.
pub(super) const SHARES: bool = !cfg!(target_family = "wasm");

/// Parts expanded before other threads take part. Each of them fills tables of its own, so shorter proofs would take longer: with
/// 2,000, the nimber of Cram 3x13, which takes one thread 0.47 s, took two 0.52 to 0.68 s. In tests, where proofs are short, 1.
pub(super) const ALONE: u64 = if cfg!(test) { 1 } else { 1 << 16 };

/// After so many steps, a proof looks whether other threads have decided a part on its stack. In tests, where parts are small,
/// after each.
const LOOK: u32 = if cfg!(test) { 1 } else { 8 };

/// Threads share what they find about parts with at least this many moves. Most parts are lighter, and soon decided. With 16,
/// the nimber of Cram 3x13 took two threads 0.62 and 0.70 s, with 22 0.46 and 0.55 s.
const HEAVY: u32 = if cfg!(test) { 1 } else { 22 };

/// Only nimbers below this bound are tested.
const BOUND: u32 = 64;

/// The facts about a part.
#[derive(Clone, Copy, Default)]
struct Fact {
    /// Bit n: the nimber is not n.
    not: u64,
    /// Bit n: proof numbers for nimber n are stored.
    numbered: u64,
    /// The nimber plus 1; 0 if it is unknown.
    known: u32,
    /// The number of its moves.
    weight: u32,
    /// The place of its options plus 1; 0 if it is not opened yet.
    opened: u32,
    /// Whether it was looked up by key.
    asked: bool,
    /// Its number among the [`Verdicts`], if it has one.
    verdict: Option<Number>,
}

impl Fact {
    fn nimber(self) -> Option<u32> {
        self.known.checked_sub(1)
    }

    /// Whether the nimber is `n`, if that is known.
    fn is(self, n: u32) -> Option<bool> {
        match self.nimber() {
            Some(known) => Some(known == n),
            None => (n < BOUND && self.not >> n & 1 == 1).then_some(false),
        }
    }
}

/// The proof numbers of an unopened part with this many moves, beside a heap.
fn unopened(moves: u32) -> Numbers {
    Numbers::unopened(moves.saturating_add(1))
}

/// What is wanted of the nimber of a position.
#[derive(Clone, Copy)]
pub(crate) enum Wanted {
    /// The nimber.
    Nimber,
    /// Whether it is 0; any other number stands for all that are not.
    WhetherZero,
}

#[derive(Clone, Copy)]
enum Goal {
    /// The nimber of the part.
    Nimber,
    /// Whether the part has this nimber, unless a proof number reaches its threshold.
    Is(u32, Numbers),
}

#[derive(Clone, Copy)]
struct Frame {
    part: u32,
    goal: Goal,
}

/// A move in a part beside a heap.
#[derive(Clone, Copy)]
enum Child {
    /// Move to the option at this place.
    Option(u32),
    /// Move to the first option that is not split yet.
    Whole,
    /// Reduce the heap to this size.
    Heap(u32),
}

/// The options of a part whose nimbers were not all known when it was opened, as a range of entries: first the options that
/// were split, then the others, lightest first.
#[derive(Clone, Copy)]
struct Options {
    start: u32,
    whole: u32,
    end: u32,
    /// The number of all options of the part.
    count: u32,
}

/// An option in the range of a part.
#[derive(Clone, Copy)]
struct Entry {
    /// If it was split: the number of its only part, or with [`SUM`] the place of its parts. Otherwise the place of the
    /// position.
    at: u32,
    /// The number of moves left in it, if it was not split.
    weight: u32,
}

/// Marks the place of a list of parts, which is not a single part.
const SUM: u32 = 1 << 31;

/// An option, by the known facts about its parts.
enum Found {
    /// The nimber of the option.
    Nimber(u32),
    /// One part is open; it has this nimber if and only if the option has the nimber in question.
    Part(u32, u32),
    /// Several parts are open, with this many moves together.
    Parts(u32),
}

/// The tables and stacks of one board.
pub(crate) struct Proof<G: Game> {
    components: Components<G>,
    facts: Vec<Fact>,
    opened: Vec<Options>,
    entries: Vec<Entry>,
    /// Options that are not split yet.
    wholes: Vec<G::Position>,
    /// Bytes that these positions hold on the heap.
    heap: usize,
    /// The parts of options that were split: how many, then their numbers.
    sums: Vec<u32>,
    /// Vectors for reuse.
    spare: Vec<Vec<G::Position>>,
    /// Whether other searches may have stored facts by key.
    ask: bool,
    /// By part and nimber.
    numbers: FxHashMap<(u32, u32), Numbers>,
    frames: Vec<Frame>,
    /// What this proof and those of other threads have found.
    verdicts: Option<Arc<Verdicts<G::Key>>>,
    /// The number of steps since several threads are at work.
    steps: u32,
    /// A key in the format of the archive.
    portable: Vec<u8>,
    noted: usize,
    /// At how many expanded parts to check next whether a proof pays.
    look: u64,
    /// The number of expanded parts when this turn began, and the length of the last turn.
    begun: u64,
    turn: Option<u64>,
    /// How many nimbers were proved when memory was last released.
    kept: u64,
    pub(crate) statistics: Statistics,
}

impl<G: Game> Proof<G> {
    pub(crate) fn new(game: &G) -> Proof<G> {
        Proof {
            components: Components::new(game),
            facts: Vec::new(),
            opened: Vec::new(),
            entries: Vec::new(),
            wholes: Vec::new(),
            heap: 0,
            sums: Vec::new(),
            spare: Vec::new(),
            ask: false,
            numbers: FxHashMap::default(),
            frames: Vec::new(),
            verdicts: None,
            steps: 0,
            portable: Vec::new(),
            noted: 0,
            look: scheduler::PROOF_LOOK,
            begun: 0,
            turn: None,
            kept: 0,
            statistics: Statistics::default(),
        }
    }

    /// The counters since they were last taken.
    pub(crate) fn take_statistics(&mut self) -> Statistics {
        (self.look, self.begun, self.kept) = (scheduler::PROOF_LOOK, 0, 0);
        self.components.take_statistics(&mut self.statistics)
    }

    /// Releases all memory, where there is too little of it. Returns whether a new search is to begin: this one has proved
    /// many nimbers, and none of those that are stored by key was evicted. So their number grows, and searches come to an
    /// end.
    pub(crate) fn begin_again(&mut self, account: &Account, forms: &Forms) -> bool {
        self.clear(account);
        let proved = self.statistics.proved - self.kept;
        self.kept = self.statistics.proved;
        proved >= MORE && self.statistics.evictions == 0 && !account.is_crowded(forms)
    }

    /// Releases all memory.
    pub(crate) fn clear(&mut self, account: &Account) {
        account.note(self.noted, 0);
        self.noted = 0;
        self.facts = Vec::new();
        self.opened = Vec::new();
        self.entries = Vec::new();
        self.wholes = Vec::new();
        self.heap = 0;
        self.sums = Vec::new();
        self.spare = Vec::new();
        self.numbers = FxHashMap::default();
        // The last thread frees what all share.
        if let Some(verdicts) = self.verdicts.take().and_then(Arc::into_inner) {
            verdicts.clear(account);
        }
        self.components.clear(account);
    }

    /// The nimber of a position, or what is wanted of it; `None` if it cannot be proved, or if it is the [`turn`](Proof::turn)
    /// of the plain search.
    pub(crate) fn nimber(
        &mut self,
        game: &G,
        position: &G::Position,
        wanted: Wanted,
        context: &Context<'_>,
        shared: &Shared<G::Key, u32>,
    ) -> Result<Option<u32>, StoppedIn<G>> {
        self.turn = None;
        let result = self.search(game, position, wanted, context, shared);
        self.frames.clear();
        result
    }

    fn search(
        &mut self,
        game: &G,
        position: &G::Position,
        wanted: Wanted,
        context: &Context<'_>,
        shared: &Shared<G::Key, u32>,
    ) -> Result<Option<u32>, StoppedIn<G>> {
        self.ask = context.library.is_some() || !shared.is_empty();
        let mut parts = Vec::new();
        self.components.split(game, position, context, &mut parts)?;
        self.measure(game, context)?;
        parts.sort_unstable();
        let mut parts: Vec<u32> = distinct(&parts).collect();
        parts.sort_by_key(|part| self.fact(*part).weight);
        // Whether a sum is 0 takes the nimbers of all parts but the heaviest, and whether that one has their nim-sum.
        let tested = match wanted {
            Wanted::Nimber => None,
            Wanted::WhetherZero => parts.pop(),
        };
        let mut sum = 0;
        for part in parts {
            self.attain(game, part, Goal::Nimber, context, shared)?;
            match self.fact(part).nimber() {
                Some(nimber) => sum ^= nimber,
                None => return Ok(None),
            }
        }
        let Some(part) = tested else {
            return Ok(Some(sum));
        };
        if sum >= BOUND {
            return Ok(None);
        }
        self.attain(game, part, Goal::Is(sum, Numbers::NEVER), context, shared)?;
        let is_zero = self.fact(part).is(sum);
        Ok(is_zero.map(|is_zero| u32::from(!is_zero)))
    }

    // Searches until a goal is attained, or the search cannot go on.
    fn attain(
        &mut self,
        game: &G,
        part: u32,
        goal: Goal,
        context: &Context<'_>,
        shared: &Shared<G::Key, u32>,
    ) -> Result<(), StoppedIn<G>> {
        self.frames.push(Frame { part, goal });
        loop {
            self.learn(game, context)?;
            let Some(frame) = self.frames.last().copied() else {
                return Ok(());
            };
            if !self.step(game, frame, context, shared)? {
                return Ok(());
            }
        }
    }

    // Learns what other threads have found about the part on top of the stack, and now and then about all parts on it. The stack
    // then ends with the first that is decided.
    fn learn(&mut self, game: &G, context: &Context<'_>) -> Result<(), Limit> {
        if !SHARES {
            return Ok(());
        }
        let Some(verdicts) = self.verdicts.take_if(|v| v.are_shared()) else {
            return Ok(());
        };
        self.steps = self.steps.wrapping_add(1);
        let from = match self.steps.is_multiple_of(LOOK) {
            true => 0,
            false => self.frames.len().saturating_sub(1),
        };
        let mut learned = Ok(());
        for at in from..self.frames.len() {
            let Frame { part, goal } = self.frames[at];
            learned = self.learn_of(game, part, &verdicts, context);
            let fact = self.fact(part);
            let decided = match goal {
                Goal::Nimber => fact.nimber().is_some(),
                Goal::Is(n, _) => fact.is(n).is_some(),
            };
            if decided || learned.is_err() {
                self.frames.truncate(at + 1);
                break;
            }
        }
        self.verdicts = Some(verdicts);
        learned
    }

    // Learns what other threads have found about a part.
    fn learn_of(
        &mut self,
        game: &G,
        part: u32,
        verdicts: &Verdicts<G::Key>,
        context: &Context<'_>,
    ) -> Result<(), Limit> {
        let fact = self.fact(part);
        if fact.known > 0 || fact.weight < HEAVY {
            return Ok(());
        }
        let number = match fact.verdict {
            Some(number) => number,
            None => {
                let key = self.key(game, part);
                let heap = |key: &G::Key| game.key_bytes(key);
                let number = verdicts.number(&key, heap, context.account, context.forms)?;
                verdicts.exclude(number, fact.not);
                number
            }
        };
        let (nimber, not) = verdicts.get(number);
        let fact = &mut self.facts[part as usize];
        fact.verdict = Some(number);
        fact.known = nimber.map_or(0, |n| n + 1);
        fact.not |= not;
        Ok(())
    }

    // Tells other threads something about a part that has a number among the verdicts.
    #[inline]
    fn tell(&self, number: Option<Number>, told: impl FnOnce(&Verdicts<G::Key>, Number)) {
        if SHARES && let Some((verdicts, number)) = self.verdicts.as_ref().zip(number) {
            told(verdicts, number);
        }
    }

    /// What this proof finds, for proofs of other threads.
    pub(crate) fn verdicts(&mut self) -> Arc<Verdicts<G::Key>> {
        self.verdicts
            .get_or_insert_with(|| Arc::new(Verdicts::new()))
            .clone()
    }

    /// A proof for another thread, which shares what others find.
    pub(crate) fn beside(game: &G, verdicts: &Arc<Verdicts<G::Key>>) -> Proof<G> {
        verdicts.share();
        Proof {
            verdicts: Some(verdicts.clone()),
            ..Proof::new(game)
        }
    }

    // A proof pays in games that split into components. If options seldom split, the plain search may be faster: it gets a
    // turn.
    fn pays(&mut self) -> bool {
        let expanded = self.components.statistics.expanded;
        let splits = self.components.statistics.splits;
        let pays = Share::of(expanded, splits).meets(&scheduler::SPLITTING);
        self.look = expanded + scheduler::PROOF_LOOK;
        if !pays {
            self.turn = Some(expanded - self.begun);
            self.begun = expanded;
            self.look = 2 * expanded;
        }
        pays
    }

    /// How many parts were expanded in the last turn, if it ended because a proof may not pay. The next turn is as long as
    /// all turns so far. `None` if the nimber cannot be proved.
    pub(crate) fn turn(&self) -> Option<u64> {
        self.turn
    }

    fn fact(&self, part: u32) -> Fact {
        self.facts.get(part as usize).copied().unwrap_or_default()
    }

    // Adds facts of the parts that were numbered since the last call.
    fn measure(&mut self, game: &G, context: &Context<'_>) -> Result<(), Limit> {
        for part in self.facts.len()..self.components.len() {
            let part = self.components.part((part as Word) << 1);
            self.facts.push(Fact {
                weight: weight(game, part),
                ..Fact::default()
            });
        }
        let bytes = self.facts.capacity() * size_of::<Fact>()
            + self.opened.capacity() * size_of::<Options>()
            + self.entries.capacity() * size_of::<Entry>()
            + self.wholes.capacity() * size_of::<G::Position>()
            + self.heap
            + self.sums.capacity() * size_of::<u32>()
            + self.frames.capacity() * size_of::<Frame>()
            + self.numbers.capacity() * (size_of::<((u32, u32), Numbers)>() + 1) * 8 / 7;
        if bytes != self.noted {
            context.account.note(self.noted, bytes);
            self.noted = bytes;
            // Threads that help leave in time what memory is left to the one that answers.
            let is_over = match context.order {
                0 => context.account.is_over(context.forms),
                _ => context.account.is_crowded(context.forms),
            };
            if is_over {
                return Err(Limit::Memory);
            }
        }
        Ok(())
    }

    // The number of a part; adds its facts.
    fn number(&mut self, game: &G, part: G::Position, context: &Context<'_>) -> Result<u32, Limit> {
        let word = self.components.number(game, part, context)?;
        if self.facts.len() < self.components.len() {
            self.measure(game, context)?;
        }
        Ok(word >> 1)
    }

    fn key(&self, game: &G, part: u32) -> G::Key {
        let known = self.components.key(part).cloned();
        known.unwrap_or_else(|| game.key(self.components.part(part << 1)).0)
    }

    // Looks the nimber of a part up by its key; returns whether it is known.
    fn is_known_by_key(
        &mut self,
        game: &G,
        part: u32,
        context: &Context<'_>,
        shared: &Shared<G::Key, u32>,
    ) -> bool {
        if !self.ask || !context.shortcuts.has(Shortcut::Keys) || self.fact(part).asked {
            return false;
        }
        let key = self.key(game, part);
        // A nimber is its own negative.
        let found = shared.find(game, self.components.part(part << 1), &key, Sign::Plus);
        let mut known = found.map(|(nimber, _)| nimber);
        if known.is_none()
            && let Some(library) = context.library
            && library.key(game, &key, &mut self.portable)
        {
            known = library.nimber(&self.portable);
        }
        if let Some(fact) = self.facts.get_mut(part as usize) {
            fact.asked = true;
            if let Some(n) = known {
                // The archive gives no greater nimber than 2^31 - 1.
                fact.known = n.saturating_add(1);
            }
        }
        known.is_some()
    }

    // One step of the frame on top; returns whether the search can go on.
    fn step(
        &mut self,
        game: &G,
        Frame { part, goal }: Frame,
        context: &Context<'_>,
        shared: &Shared<G::Key, u32>,
    ) -> Result<bool, StoppedIn<G>> {
        let fact = self.fact(part);
        let (n, limit) = match goal {
            Goal::Nimber => {
                if fact.nimber().is_some() || self.is_known_by_key(game, part, context, shared) {
                    self.frames.pop();
                    return Ok(true);
                }
                let least = fact.not.trailing_ones();
                self.frames.push(Frame {
                    part,
                    goal: Goal::Is(least, Numbers::NEVER),
                });
                return Ok(least < BOUND);
            }
            Goal::Is(n, limit) => (n, limit),
        };
        if fact.is(n).is_some() || self.is_known_by_key(game, part, context, shared) {
            self.frames.pop();
            return Ok(true);
        }
        if self.components.statistics.expanded >= self.look && !self.pays() {
            return Ok(false);
        }
        if fact.opened == 0 && self.open(game, part, n, context)? {
            return Ok(true);
        }
        let place = self.fact(part).opened as usize - 1;
        let Options {
            start,
            whole,
            end,
            count,
        } = self.opened[place];
        if n > count {
            // A part has no greater nimber than it has options.
            self.exclude(part, n);
            return Ok(true);
        }
        // Threads that help settle the options of the part in question one by one, the hardest first, since in the last test all
        // of them have to be, and the thread that answers begins with the easiest.
        let helps = SHARES && context.order > 0 && self.is_root(part);
        if helps && whole < end {
            self.take_apart(game, part, place, context)?;
            return Ok(true);
        }
        let mut hardest: SmallVec<[(u32, u32); 64]> = SmallVec::new();
        // The player to move wins by one move, and loses if every move is answered.
        let mut tally = Tally::new();
        for at in start..whole {
            let of = match self.found(self.entries[at as usize].at, n) {
                Found::Nimber(nimber) if nimber == n => {
                    self.exclude(part, n);
                    return Ok(true);
                }
                Found::Nimber(nimber) => {
                    // The part cannot have this nimber, so the option is settled for all further tests of the part.
                    self.note(part, nimber);
                    let answered = &mut self.opened[place].start;
                    self.entries.swap(at as usize, *answered as usize);
                    *answered += 1;
                    continue;
                }
                Found::Part(_, rest) if rest >= BOUND => return Ok(false),
                Found::Part(part, rest) => self.of_part(part, rest),
                Found::Parts(moves) => unopened(moves),
            };
            if of.loss == 0 {
                self.exclude(part, n);
                return Ok(true);
            }
            if of.win > 0 {
                tally.add(Child::Option(at), of);
                if helps {
                    hardest.push((of.loss, at));
                }
            }
        }
        for m in 0..n {
            let of = self.of_part(part, m);
            if of.loss == 0 {
                self.exclude(part, n);
                return Ok(true);
            }
            if of.win > 0 {
                tally.add(Child::Heap(m), of);
            }
        }
        // The other options are sorted by weight, so only the first two can be best and second best.
        for at in (whole..end).take(2) {
            tally.add(Child::Whole, unopened(self.entries[at as usize].weight));
        }
        tally.more((end - whole).saturating_sub(2));
        let next = if helps && !hardest.is_empty() {
            hardest.sort_unstable();
            let (_, at) = hardest[hardest.len().saturating_sub(context.order)];
            Some((Child::Option(at), Numbers::NEVER))
        } else {
            tally.next(limit)
        };
        let Some((child, within)) = next else {
            self.prove(game, part, n, context, shared);
            return Ok(true);
        };
        if tally.reaches(limit) {
            self.facts[part as usize].numbered |= 1 << n;
            self.numbers.insert((part, n), tally.numbers());
            self.frames.pop();
            return Ok(true);
        }
        self.frames.push(match child {
            Child::Heap(m) => Frame {
                part,
                goal: Goal::Is(m, within),
            },
            Child::Whole => {
                self.take_apart(game, part, place, context)?;
                return Ok(true);
            }
            Child::Option(at) => {
                let (heaviest, lightest, rest) = self.open_parts(self.entries[at as usize].at, n);
                match lightest {
                    Some(part) => Frame {
                        part,
                        goal: Goal::Nimber,
                    },
                    None => Frame {
                        part: heaviest.unwrap_or(part),
                        goal: Goal::Is(rest, within),
                    },
                }
            }
        });
        Ok(true)
    }

    // Whether the nimber of the part is what the search is for.
    fn is_root(&self, part: u32) -> bool {
        let root = self.frames.first();
        root.is_some_and(|f| f.part == part && matches!(f.goal, Goal::Nimber))
    }

    // The parts of an option that was split.
    fn parts<'a>(&'a self, at: &'a u32) -> &'a [u32] {
        if at & SUM == 0 {
            return std::slice::from_ref(at);
        }
        let at = (at & !SUM) as usize;
        &self.sums[at + 1..at + 1 + self.sums[at] as usize]
    }

    // An option of the part has this nimber, so the part has not.
    fn note(&mut self, part: u32, nimber: u32) {
        self.facts[part as usize].not |= 1u64.checked_shl(nimber).unwrap_or(0);
    }

    // The heaviest part of an option whose nimber is unknown, the lightest other one, if any, and the nim-sum of `n` and
    // the known nimbers.
    fn open_parts(&self, at: u32, n: u32) -> (Option<u32>, Option<u32>, u32) {
        let mut rest = n;
        let mut heaviest: Option<u32> = None;
        let mut lightest: Option<u32> = None;
        for part in self.parts(&at).iter().copied() {
            if let Some(known) = self.fact(part).nimber() {
                rest ^= known;
                continue;
            }
            let weight = |part: u32| self.fact(part).weight;
            let Some(heavy) = heaviest else {
                heaviest = Some(part);
                continue;
            };
            let light = if weight(part) > weight(heavy) {
                heaviest = Some(part);
                heavy
            } else {
                part
            };
            if lightest.is_none_or(|l| weight(light) < weight(l)) {
                lightest = Some(light);
            }
        }
        (heaviest, lightest, rest)
    }

    // The facts about an option that was split, beside a heap.
    fn found(&self, at: u32, n: u32) -> Found {
        let mut sum = 0;
        let mut open = None;
        let mut moves = None::<u32>;
        for part in self.parts(&at) {
            let fact = self.fact(*part);
            match (fact.nimber(), open) {
                (Some(known), _) => sum ^= known,
                (None, None) => open = Some(*part),
                (None, Some(first)) => {
                    let before = moves.unwrap_or(self.fact(first).weight);
                    moves = Some(before.saturating_add(fact.weight));
                }
            }
        }
        match (open, moves) {
            (None, _) => Found::Nimber(sum),
            (Some(part), None) => Found::Part(part, sum ^ n),
            (Some(_), Some(moves)) => Found::Parts(moves),
        }
    }

    fn of_part(&self, part: u32, n: u32) -> Numbers {
        let fact = self.fact(part);
        match fact.is(n) {
            Some(true) => Numbers::LOST,
            Some(false) => Numbers::WON,
            None => (fact.numbered >> n & 1 == 1)
                .then(|| self.numbers.get(&(part, n)).copied())
                .flatten()
                .unwrap_or_else(|| unopened(fact.weight)),
        }
    }

    // Notes that the part does not have this nimber.
    fn exclude(&mut self, part: u32, n: u32) {
        let fact = &mut self.facts[part as usize];
        fact.not |= 1 << n;
        let verdict = fact.verdict;
        self.tell(verdict, |verdicts, number| verdicts.exclude(number, 1 << n));
        self.drop_numbers(part, n);
    }

    // Drops the proof numbers of a part that is decided.
    fn drop_numbers(&mut self, part: u32, n: u32) {
        let fact = &mut self.facts[part as usize];
        if fact.numbered >> n & 1 == 1 {
            fact.numbered &= !(1 << n);
            self.numbers.remove(&(part, n));
        }
    }

    // Notes that the part has this nimber.
    fn prove(
        &mut self,
        game: &G,
        part: u32,
        n: u32,
        context: &Context<'_>,
        shared: &Shared<G::Key, u32>,
    ) {
        self.drop_numbers(part, n);
        let n = n + u32::from(context.plants(Shortcut::Proof));
        let fact = &mut self.facts[part as usize];
        fact.known = n + 1;
        let verdict = fact.verdict;
        self.tell(verdict, |verdicts, number| verdicts.prove(number, n));
        self.statistics.proved += 1;
        if !context.shortcuts.has(Shortcut::Keys) {
            return;
        }
        let key = self.key(game, part);
        if let Some(library) = context.library
            && library.key(game, &key, &mut self.portable)
        {
            library.keep_nimber(&self.portable, n);
        }
        let heap = |key: &G::Key| game.key_bytes(key);
        if shared.put(key, n, heap, context.account, context.forms) {
            self.statistics.evictions += 1;
        }
    }
}

// The number of moves of a part.
fn weight<G: Game>(game: &G, part: &G::Position) -> u32 {
    let moves = game.analysis().mobility(part).map(|[left, _]| left);
    moves.unwrap_or_else(|| game.analysis().weight(part))
}

/// The parts of a sum without pairs of equal ones, whose sum is 0. The words must be sorted.
fn distinct(option: &[Word]) -> impl Iterator<Item = u32> + '_ {
    option.chunk_by(|a, b| a >> 1 == b >> 1).filter_map(|same| {
        let odd = same.len() % 2 == 1;
        same.first().filter(|_| odd).map(|word| word >> 1)
    })
}
