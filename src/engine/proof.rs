//! Nimbers by proof: an impartial part comes in, its nimber goes out, and most of what lies below is never looked at.
//!
//! A part `G` has nimber `n` if and only if `G + *n` is lost for who moves (Sprague 1935, Grundy 1939); and that `n` is not
//! the nimber of `G` is shown by one option of nimber `n` (Lemoine and Viennot, "Nimbers are inevitable", *Theoretical
//! Computer Science* 462, 2012). So a frame asks whether a part has a given nimber, or which it has; of an option that is
//! a sum, the nimbers of all parts but the heaviest are found, and the heaviest is asked for one value only. Where no
//! option has nimber `y` the nimber is at most `y`.
//!
//! Play must be known to end, and no rule may go wrong: else a line of play that is never looked at would go unnoticed.

use super::account::{Account, Shared};
use super::components::{Components, Word};
use super::context::Context;
use super::roads::Statistics;
use super::stopped::StoppedIn;
use crate::game::{Game, Limit, Player};

/// Nimbers are asked for below this bound only.
const BOUND: u32 = 64;

/// How many expanded parts lie between two looks at whether this road pays.
const LOOK: u64 = 1 << 11;

/// What is known of a part.
#[derive(Clone, Copy, Default)]
struct Fact {
    /// The nimber plus 1; 0 if it is not known.
    known: u32,
    /// Bit n: the nimber is not n.
    not: u64,
    /// Looked for by key already.
    asked: bool,
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

struct Frame {
    part: u32,
    /// The nimber that is asked for, or `None` if any will do.
    question: Option<u32>,
    /// The nimber that an option is looked for with.
    target: u32,
    /// No option has this nimber, so the part has it or a smaller one.
    upper: Option<u32>,
    /// Where the options to be tried begin in `order`, and where the next one is.
    start: usize,
    next: usize,
    /// The options to be tried are in `order`.
    ordered: bool,
}

/// The tables and stacks of one board.
pub(crate) struct Proof<G: Game> {
    components: Components<G>,
    facts: Vec<Fact>,
    weights: Vec<u32>,
    frames: Vec<Frame>,
    /// Places of options, with the weight that says which to try first.
    order: Vec<(u32, u32)>,
    /// A key as it is kept between runs.
    portable: Vec<u8>,
    noted: usize,
    /// When to ask next whether this road pays.
    look: u64,
    pub(crate) statistics: Statistics,
}

enum Asked {
    Yes,
    No,
    /// A frame was pushed, or is wanted: a part, and the question.
    Open(u32, Option<u32>),
}

impl<G: Game> Proof<G> {
    pub(crate) fn new(game: &G) -> Proof<G> {
        Proof {
            components: Components::new(game),
            facts: Vec::new(),
            weights: Vec::new(),
            frames: Vec::new(),
            order: Vec::new(),
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
        self.order = Vec::new();
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
        self.order.clear();
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
            while self.fact(part).nimber().is_none() {
                self.push(game, part, None, context, shared);
                while let Some(frame) = self.frames.last() {
                    let (part, question) = (frame.part, frame.question);
                    if !self.step(game, context, shared)? {
                        return Ok(None);
                    }
                    // The frame on top is done when its question is answered.
                    if self.answered(part, question)
                        && self.frames.last().is_some_and(|f| f.part == part)
                        && let Some(frame) = self.frames.pop()
                    {
                        self.order.truncate(frame.start);
                    }
                }
            }
            sum ^= self.fact(part).nimber().unwrap_or(0);
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

    fn answered(&self, part: u32, question: Option<u32>) -> bool {
        let fact = self.fact(part);
        match question {
            None => fact.known != 0,
            Some(n) => fact.is(n).is_some(),
        }
    }

    // Facts and weights of the parts that were numbered since.
    fn measure(&mut self, game: &G, context: &Context<'_>) -> Result<(), Limit> {
        for part in self.weights.len()..self.components.len() {
            let word = (part as Word) << 1;
            self.weights.push(game.weight(self.components.part(word)));
        }
        self.facts.resize(self.weights.len(), Fact::default());
        let bytes = self.facts.capacity() * size_of::<Fact>()
            + self.weights.capacity() * size_of::<u32>()
            + self.frames.capacity() * size_of::<Frame>()
            + self.order.capacity() * size_of::<(u32, u32)>();
        if bytes != self.noted {
            context.account.note(self.noted, bytes);
            self.noted = bytes;
            if context.account.is_over(context.forms) {
                return Err(Limit::Memory);
            }
        }
        Ok(())
    }

    fn push(
        &mut self,
        game: &G,
        part: u32,
        question: Option<u32>,
        context: &Context<'_>,
        shared: &Shared<G::Key, u32>,
    ) {
        if context.roads.keys && !self.fact(part).asked {
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
                    return;
                }
            }
        }
        self.frames.push(Frame {
            part,
            question,
            target: question.unwrap_or_else(|| self.fact(part).not.trailing_ones()),
            upper: None,
            start: self.order.len(),
            next: self.order.len(),
            ordered: false,
        });
    }

    // Whether the sum of the parts of an option has nimber `n`, or what must be known first.
    fn ask(&self, at: u32, n: u32) -> Asked {
        let mut rest = n;
        // The heaviest part whose nimber is not known, and the next one.
        let mut open: Option<u32> = None;
        let mut other: Option<u32> = None;
        for part in distinct(self.components.option(at)) {
            match self.fact(part).nimber() {
                Some(known) => rest ^= known,
                None => match open {
                    None => open = Some(part),
                    Some(o) => {
                        let heavier = self.weights[part as usize] > self.weights[o as usize];
                        let (light, heavy) = if heavier { (o, part) } else { (part, o) };
                        open = Some(heavy);
                        other = Some(match other {
                            Some(x) if self.weights[x as usize] <= self.weights[light as usize] => {
                                x
                            }
                            _ => light,
                        });
                    }
                },
            }
        }
        match (open, other) {
            (None, _) if rest == 0 => Asked::Yes,
            (None, _) => Asked::No,
            (Some(part), None) => match self.fact(part).is(rest) {
                Some(true) => Asked::Yes,
                Some(false) => Asked::No,
                None => Asked::Open(part, Some(rest)),
            },
            (Some(_), Some(light)) => Asked::Open(light, None),
        }
    }

    // One step of the frame on top; says whether the road goes on.
    fn step(
        &mut self,
        game: &G,
        context: &Context<'_>,
        shared: &Shared<G::Key, u32>,
    ) -> Result<bool, StoppedIn<G>> {
        if self.components.statistics.expanded >= self.look && !self.pays() {
            return Ok(false);
        }
        let Some(frame) = self.frames.last_mut() else {
            return Ok(true);
        };
        let (part, target) = (frame.part, frame.target);
        if target >= BOUND {
            return Ok(false);
        }
        if !frame.ordered {
            frame.ordered = true;
            let start = frame.start;
            self.order.truncate(start);
            let span = self
                .components
                .moves(game, part << 1, Player::LEFT, context)?;
            self.measure(game, context)?;
            let (mut at, end, count) = span;
            // A part has no greater nimber than it has options.
            let mut found = false;
            while at < end && target < count {
                let size = self.components.option(at).len() as u32;
                match self.ask(at, target) {
                    Asked::Yes => {
                        found = true;
                        break;
                    }
                    Asked::No => {}
                    Asked::Open(..) => {
                        let weight = distinct(self.components.option(at))
                            .filter(|part| self.fact(*part).known == 0)
                            .map(|part| self.weights[part as usize])
                            .fold(0u32, u32::saturating_add);
                        self.order.push((weight, at));
                    }
                }
                at += 1 + size;
            }
            if found {
                self.order.truncate(start);
                self.refute(game, context, shared);
                return Ok(true);
            }
            self.order[start..].sort_unstable();
            if let Some(frame) = self.frames.last_mut() {
                frame.next = start;
            }
            return Ok(true);
        }
        let Some((_, at)) = self.order.get(frame.next).copied() else {
            // No option has this nimber.
            self.none_has(game, context, shared);
            return Ok(true);
        };
        match self.ask(at, target) {
            Asked::Yes => self.refute(game, context, shared),
            Asked::No => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.next += 1;
                }
            }
            Asked::Open(part, question) => self.push(game, part, question, context, shared),
        }
        Ok(true)
    }

    // An option has the target, so the part has not.
    fn refute(&mut self, game: &G, context: &Context<'_>, shared: &Shared<G::Key, u32>) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let fact = &mut self.facts[frame.part as usize];
        fact.not |= 1 << frame.target;
        self.next_target(game, context, shared);
    }

    // No option has the target, so the nimber is no greater.
    fn none_has(&mut self, game: &G, context: &Context<'_>, shared: &Shared<G::Key, u32>) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let target = frame.target;
        frame.upper = Some(frame.upper.map_or(target, |u| u.min(target)));
        self.facts[frame.part as usize].not |= (!1u64).checked_shl(target).unwrap_or(0);
        self.next_target(game, context, shared);
    }

    // The least nimber that is still possible is looked for next; where it is known that no option has it, it is the one.
    fn next_target(&mut self, game: &G, context: &Context<'_>, shared: &Shared<G::Key, u32>) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let fact = &mut self.facts[frame.part as usize];
        let least = fact.not.trailing_ones();
        if frame.upper == Some(least) {
            fact.known = least + 1;
            self.statistics.proved += 1;
            if context.roads.keys {
                let (key, _) = game.key(self.components.part(frame.part << 1));
                if let Some(library) = context.library
                    && library.key(game, &key, &mut self.portable)
                {
                    library.keep_nimber(&self.portable, least);
                }
                let heap = |key: &G::Key| game.key_bytes(key);
                if shared.put(key, least, heap, context.account, context.forms) {
                    self.statistics.evictions += 1;
                }
            }
            return;
        }
        frame.target = least;
        frame.ordered = false;
    }
}

/// The parts of an option, but for pairs of equal ones: their sum is 0. Words come in order.
fn distinct(option: &[Word]) -> impl Iterator<Item = u32> + '_ {
    option.chunk_by(|a, b| a >> 1 == b >> 1).filter_map(|same| {
        let odd = same.len() % 2 == 1;
        same.first().filter(|_| odd).map(|word| word >> 1)
    })
}
