//! Nimbers by proof: an impartial part comes in, its nimber goes out, and most of what lies below is never looked at.
//!
//! A part `G` has nimber `n` if and only if `G + *n` is lost for who moves (Sprague 1935, Grundy 1939). So nimbers can be
//! found by a search for outcomes of parts beside one heap; of an option that is a sum, the nimbers of all parts but the
//! heaviest are found, and the heaviest is asked for one value only (Lemoine and Viennot, "Nimbers are inevitable",
//! *Theoretical Computer Science* 462, 2012).
//!
//! Proof numbers lead the search ([`super::proof_numbers`]): for each question, how much at least must still be shown until
//! the one who moves has won, and until the other one has. A part that was not opened yet counts as many answers to be refuted as it has moves. The options of a part are made those
//! first that leave the fewest moves, and no more once one is seen to win.
//!
//! Play must be known to end, and no rule may go wrong: else a line of play that is never looked at would go unnoticed.

use super::account::{Account, Shared};
use super::components::{Components, Word};
use super::context::Context;
use super::proof_numbers::{Numbers, Tally};
use super::roads::Statistics;
use super::stopped::StoppedIn;
use crate::game::{Game, Limit, Player};
use rustc_hash::FxHashMap;

/// Nimbers are asked for below this bound only.
const BOUND: u32 = 64;

/// How many expanded parts lie between two looks at whether this road pays.
const LOOK: u64 = 1 << 11;

/// What is known of a part.
#[derive(Clone, Copy, Default)]
struct Fact {
    /// The nimber plus 1; 0 if it is not known.
    known: u32,
    /// Looked for by key already.
    asked: bool,
    /// Bit n: the nimber is not n.
    not: u64,
    /// Bit n: there are proof numbers for nimber n.
    numbered: u64,
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

/// Proof numbers of a part beside a heap that was not opened yet, with so many moves.
fn unopened(moves: u32) -> Numbers {
    Numbers::unopened(moves.saturating_add(1))
}

#[derive(Clone, Copy)]
enum Goal {
    /// Its nimber.
    Nimber,
    /// Whether it has this nimber, unless a number reaches its threshold.
    Is(u32, Numbers),
}

#[derive(Clone, Copy)]
struct Frame {
    part: u32,
    goal: Goal,
}

/// What a player may do in a part beside a heap.
#[derive(Clone, Copy)]
enum Child {
    /// Move to the option at this place.
    Option(u32),
    /// Make the heap smaller.
    Heap(u32),
}

/// The tables and stacks of one board.
pub(crate) struct Proof<G: Game> {
    components: Components<G>,
    facts: Vec<Fact>,
    weights: Vec<u32>,
    /// Of a part and a nimber.
    numbers: FxHashMap<(u32, u32), Numbers>,
    frames: Vec<Frame>,
    /// A key as it is kept between runs.
    portable: Vec<u8>,
    noted: usize,
    /// When to ask next whether this road pays.
    look: u64,
    pub(crate) statistics: Statistics,
}

impl<G: Game> Proof<G> {
    pub(crate) fn new(game: &G) -> Proof<G> {
        Proof {
            components: Components::new(game),
            facts: Vec::new(),
            weights: Vec::new(),
            numbers: FxHashMap::default(),
            frames: Vec::new(),
            portable: Vec::new(),
            noted: 0,
            look: LOOK,
            statistics: Statistics::default(),
        }
    }

    /// The counters of this search since they were last taken.
    pub(crate) fn take_statistics(&mut self) -> Statistics {
        self.look = LOOK;
        let mut statistics = std::mem::take(&mut self.statistics);
        statistics.absorb(&std::mem::take(&mut self.components.statistics));
        statistics
    }

    /// Gives all memory back.
    pub(crate) fn clear(&mut self, account: &Account) {
        account.note(self.noted, 0);
        self.noted = 0;
        self.facts = Vec::new();
        self.weights = Vec::new();
        self.numbers = FxHashMap::default();
        self.components.clear(account);
    }

    /// The nimber of a position; `None` if this road does not lead to it.
    pub(crate) fn nimber(
        &mut self,
        game: &G,
        position: &G::Position,
        context: &Context<'_>,
        shared: &Shared<G::Key, u32>,
    ) -> Result<Option<u32>, StoppedIn<G>> {
        let result = self.search(game, position, context, shared);
        self.frames.clear();
        result
    }

    fn search(
        &mut self,
        game: &G,
        position: &G::Position,
        context: &Context<'_>,
        shared: &Shared<G::Key, u32>,
    ) -> Result<Option<u32>, StoppedIn<G>> {
        let mut parts = Vec::new();
        self.components.split(game, position, context, &mut parts)?;
        let mut sum = 0;
        for part in parts {
            let part = part >> 1;
            self.measure(game, context)?;
            self.frames.push(Frame {
                part,
                goal: Goal::Nimber,
            });
            while let Some(frame) = self.frames.last().copied() {
                if !self.step(game, frame, context, shared)? {
                    return Ok(None);
                }
            }
            match self.fact(part).nimber() {
                Some(nimber) => sum ^= nimber,
                None => return Ok(None),
            }
        }
        Ok(Some(sum))
    }

    // It does in games that fall apart. Where options seldom do, or where the nimbers of many parts are found after all, the
    // plain road finds them with less ado.
    fn pays(&mut self) -> bool {
        let expanded = self.components.statistics.expanded;
        self.look = expanded + LOOK;
        let splits = self.components.statistics.splits;
        splits >= 2 * expanded && 4 * self.statistics.proved < expanded
    }

    fn fact(&self, part: u32) -> Fact {
        self.facts.get(part as usize).copied().unwrap_or_default()
    }

    // Facts and weights of the parts that were numbered since.
    fn measure(&mut self, game: &G, context: &Context<'_>) -> Result<(), Limit> {
        for part in self.weights.len()..self.components.len() {
            let part = self.components.part((part as Word) << 1);
            let moves = game.mobility(part).map(|[left, _]| left);
            self.weights
                .push(moves.unwrap_or_else(|| game.weight(part)));
        }
        self.facts.resize(self.weights.len(), Fact::default());
        let bytes = self.facts.capacity() * size_of::<Fact>()
            + self.weights.capacity() * size_of::<u32>()
            + self.frames.capacity() * size_of::<Frame>()
            + self.numbers.capacity() * (size_of::<((u32, u32), Numbers)>() + 1) * 8 / 7;
        if bytes != self.noted {
            context.account.note(self.noted, bytes);
            self.noted = bytes;
            if context.account.is_over(context.forms) {
                return Err(Limit::Memory);
            }
        }
        Ok(())
    }

    // Whether the nimber of a part is known by its key.
    fn is_known_by_key(
        &mut self,
        game: &G,
        part: u32,
        context: &Context<'_>,
        shared: &Shared<G::Key, u32>,
    ) -> bool {
        if !context.roads.keys || self.fact(part).asked {
            return false;
        }
        let (key, _) = game.key(self.components.part(part << 1));
        let mut known = shared.get(&key);
        if known.is_none()
            && let Some(library) = context.library
            && library.key(game, &key, &mut self.portable)
        {
            known = library.nimber(&self.portable);
        }
        if let Some(fact) = self.facts.get_mut(part as usize) {
            fact.asked = true;
            if let Some(n) = known {
                fact.known = n + 1;
            }
        }
        known.is_some()
    }

    // One step of the frame on top; says whether the road goes on.
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
        let facts = &self.facts;
        let seen = |parts: &[Word]| has(facts, parts, n);
        let in_order = true;
        let made =
            self.components
                .moves_until(game, part << 1, Player::LEFT, in_order, context, seen)?;
        self.measure(game, context)?;
        let Some((start, end, count)) = made else {
            self.exclude(part, n);
            return Ok(true);
        };
        if n > count {
            // A part has no greater nimber than it has options.
            self.exclude(part, n);
            return Ok(true);
        }
        // The one who moves wins by one move, and loses if all are answered.
        let mut tally = Tally::new();
        let mut at = start;
        let mut smaller = 0;
        loop {
            let (child, of) = if at < end {
                let child = Child::Option(at);
                let Some(of) = self.of_option(at, n) else {
                    return Ok(false);
                };
                at += 1 + self.components.option(at).len() as u32;
                (child, of)
            } else if smaller < n {
                let child = Child::Heap(smaller);
                let of = self.of_part(part, smaller);
                smaller += 1;
                (child, of)
            } else {
                break;
            };
            if of.loss == 0 {
                self.exclude(part, n);
                return Ok(true);
            }
            if of.win == 0 {
                continue;
            }
            tally.add(child, of);
        }
        let Some((child, within)) = tally.next(limit) else {
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
            Child::Option(at) => {
                let (heaviest, lightest, rest) = self.open_parts(at, n);
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

    // The heaviest part of an option whose nimber is not known, the lightest if there are several, and what the nimbers of
    // the others leave of a heap.
    fn open_parts(&self, at: u32, n: u32) -> (Option<u32>, Option<u32>, u32) {
        let mut rest = n;
        let mut heaviest: Option<u32> = None;
        let mut lightest: Option<u32> = None;
        for part in distinct(self.components.option(at)) {
            if let Some(known) = self.fact(part).nimber() {
                rest ^= known;
                continue;
            }
            let weight = |part: u32| self.weights[part as usize];
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

    // Proof numbers of an option beside a heap; `None` if the heap would be too large.
    fn of_option(&self, at: u32, n: u32) -> Option<Numbers> {
        let mut rest = n;
        let mut open = None;
        let mut weight = None::<u32>;
        for part in distinct(self.components.option(at)) {
            let own = self.weights[part as usize];
            match (self.fact(part).nimber(), open) {
                (Some(known), _) => rest ^= known,
                (None, None) => open = Some(part),
                (None, Some(first)) => {
                    let before = weight.unwrap_or(self.weights[first as usize]);
                    weight = Some(before.saturating_add(own));
                }
            }
        }
        match (open, weight) {
            (None, _) if rest == 0 => Some(Numbers::LOST),
            (None, _) => Some(Numbers::WON),
            (Some(part), None) => (rest < BOUND).then(|| self.of_part(part, rest)),
            (Some(_), Some(moves)) => Some(unopened(moves)),
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
                .unwrap_or_else(|| unopened(self.weights[part as usize])),
        }
    }

    // The part has not this nimber.
    fn exclude(&mut self, part: u32, n: u32) {
        let fact = &mut self.facts[part as usize];
        fact.not |= 1 << n;
        if fact.numbered >> n & 1 == 1 {
            fact.numbered &= !(1 << n);
            self.numbers.remove(&(part, n));
        }
    }

    // The part has this nimber.
    fn prove(
        &mut self,
        game: &G,
        part: u32,
        n: u32,
        context: &Context<'_>,
        shared: &Shared<G::Key, u32>,
    ) {
        self.exclude(part, n);
        self.facts[part as usize].known = n + 1;
        self.statistics.proved += 1;
        if !context.roads.keys {
            return;
        }
        let (key, _) = game.key(self.components.part(part << 1));
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

// Whether the sum of some parts is known to have nimber `n`.
fn has(facts: &[Fact], parts: &[Word], n: u32) -> bool {
    let mut rest = n;
    for part in distinct(parts) {
        match facts.get(part as usize).and_then(|fact| fact.nimber()) {
            Some(known) => rest ^= known,
            None => return false,
        }
    }
    rest == 0
}

/// The parts of an option, but for pairs of equal ones: their sum is 0. Words come in order.
fn distinct(option: &[Word]) -> impl Iterator<Item = u32> + '_ {
    option.chunk_by(|a, b| a >> 1 == b >> 1).filter_map(|same| {
        let odd = same.len() % 2 == 1;
        same.first().filter(|_| odd).map(|word| word >> 1)
    })
}
