//! Finds the winner by proof-number search, where play is known to end.
//!
//! Input: a state and a player to move. Output: whether this player wins. Each state has a proof number and a disproof
//! number ([`crate::engine::proof_numbers`]), and the search expands a most-proving state. The numbers of a state that is
//! not expanded yet are estimated from its moves. All states are kept with their options. Where memory is short, or where
//! bounds decide most states, the search continues depth first, with a table that forgets.

use super::{Ask, LOST, Play, UNKNOWN, WON, Word, bits, moves_first_and_wins, with_bits};
use crate::engine::context::Context;
use crate::engine::proof_numbers::{INFINITE, Numbers, Tally};
use crate::engine::scheduler::{self, Share};
use crate::engine::statistics::Statistics;
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::engine::table::hash_of;
use crate::game::{Analysis, Game, Limit, Player, Shortcut};
use crate::value::CanonicalForm;

/// A state with a player to move: twice its number in the table, plus the player.
type Node = u32;

/// The range of the options of a node in the list.
type Span = (u32, u32);

/// The span of a node that is not expanded yet.
const CLOSED: Span = (u32::MAX, 0);

struct Visit {
    node: Node,
    /// The proof numbers at which the visit ends.
    limit: Numbers,
}

/// The data of all states met so far.
#[derive(Default)]
pub(super) struct Led {
    numbers: Vec<Numbers>,
    spans: Vec<Span>,
    /// The options of all expanded nodes, as numbers of states in the table.
    options: Vec<u32>,
    visits: Vec<Visit>,
}

impl Led {
    pub(super) fn bytes(&self) -> usize {
        self.numbers.capacity() * size_of::<Numbers>()
            + self.spans.capacity() * size_of::<Span>()
            + self.options.capacity() * size_of::<u32>()
            + self.visits.capacity() * size_of::<Visit>()
    }

    // The additional bytes that one more state may need.
    fn growth(&self) -> usize {
        let mut growth = 0;
        if self.numbers.len() + 2 > self.numbers.capacity() {
            growth += self.numbers.capacity() * (size_of::<Numbers>() + size_of::<Span>());
        }
        if self.options.len() == self.options.capacity() {
            growth += self.options.capacity() * size_of::<u32>();
        }
        growth
    }
}

fn mover(node: Node) -> Player {
    Player((node & 1) as u8)
}

impl<G: Game> Play<G> {
    /// Whether `mover` wins at `self.state`; `None` if the search should continue depth first.
    pub(super) fn led(
        &mut self,
        game: &G,
        mover: Player,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<Option<bool>, StoppedIn<G>> {
        let result = match self.follow(game, mover, context, ask) {
            // The depth-first search can make room.
            Err(Stopped::Limit(Limit::Memory)) => Ok(None),
            result => result,
        };
        self.words.clear();
        match &mut self.led {
            Some(led) if !matches!(result, Ok(None)) => led.visits.clear(),
            led => {
                *led = None;
                self.depth_first = matches!(result, Ok(None));
            }
        }
        result
    }

    fn follow(
        &mut self,
        game: &G,
        first: Player,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<Option<bool>, StoppedIn<G>> {
        if self.state.len() == 1 {
            let sum = CanonicalForm(self.state[0]);
            return Ok(Some(moves_first_and_wins(context.forms, sum, first)?));
        }
        let state = std::mem::take(&mut self.state);
        let decided = self.bounded(game, &state, first, context, ask);
        self.state = state;
        if let Some(wins) = decided? {
            return Ok(Some(wins));
        }
        let Some(entry) = self.met(game, context)? else {
            return Ok(None);
        };
        let root = entry << 1 | u32::from(first.0);
        self.visit(root, Numbers::NEVER);
        let by_bounds = |s: &Statistics| s.bounds + s.counted;
        let before = (self.statistics.states, by_bounds(&self.statistics));
        while let Some(visit) = self.led.as_ref().and_then(|led| led.visits.last()) {
            let (node, limit) = (visit.node, visit.limit);
            let opened = self.statistics.states - before.0;
            let bounded = by_bounds(&self.statistics) - before.1;
            if Share::of(opened, bounded).meets(&scheduler::DEPTH_FIRST) {
                return Ok(None);
            }
            if self.known(node) != UNKNOWN {
                self.leave();
                continue;
            }
            if !self.open(game, node, context, ask)? {
                return Ok(None);
            }
            self.look(node, limit);
        }
        Ok(match self.known(root) {
            WON => Some(true),
            LOST => Some(false),
            _ => None,
        })
    }

    fn known(&self, node: Node) -> u8 {
        bits(self.table.value(node >> 1), mover(node))
    }

    fn decide(&mut self, node: Node, known: u8) {
        let value = self.table.value(node >> 1);
        self.table
            .set(node >> 1, with_bits(value, mover(node), known));
    }

    fn visit(&mut self, node: Node, limit: Numbers) {
        if let Some(led) = &mut self.led {
            led.visits.push(Visit { node, limit });
        }
    }

    fn leave(&mut self) {
        if let Some(led) = &mut self.led {
            led.visits.pop();
        }
    }

    // The number of `self.state` in the table, where it is inserted if it is new; `None` if memory is short.
    fn met(&mut self, game: &G, context: &Context<'_>) -> Result<Option<u32>, StoppedIn<G>> {
        let hash = hash_of(&self.state[..]);
        let entry = match self.table.find(hash, &self.state) {
            Some(entry) => entry,
            None => {
                let led = self.led.as_ref().map_or(0, Led::growth);
                let more = self.table.growth(self.state.len()) + led;
                if self.table.is_full()
                    || self.table.len() >= (u32::MAX >> 2) as usize
                    || (more > 0 && !context.account.allows(context.forms, self.bytes(), more))
                {
                    return Ok(None);
                }
                self.table.insert(hash, &self.state, 0)
            }
        };
        if self
            .led
            .as_ref()
            .is_none_or(|led| led.spans.len() <= 2 * entry as usize)
        {
            let state = std::mem::take(&mut self.state);
            let [left, right] = self.moves_in(game, &state);
            self.state = state;
            let led = self.led.get_or_insert_default();
            led.numbers.resize(2 * entry as usize, Numbers::unopened(1));
            led.spans.resize(2 * entry as usize + 2, CLOSED);
            led.numbers
                .extend([unopened(left, right), unopened(right, left)]);
        }
        let held = self.bytes();
        if held != self.noted {
            context.account.note(self.noted, held);
            self.noted = held;
            if context.account.is_over(context.forms) {
                return Ok(None);
            }
        }
        Ok(Some(entry))
    }

    // The approximate number of moves of each player at a state.
    fn moves_in(&mut self, game: &G, state: &[Word]) -> [u32; 2] {
        let mut all = [0u32; 2];
        for part in &state[1..] {
            let own = self.told_mobility(game, *part);
            let own =
                own.unwrap_or_else(|| [game.analysis().weight(self.components.part(*part)); 2]);
            all = [0, 1].map(|i| all[i].saturating_add(own[i]).min(INFINITE / 4));
        }
        all
    }

    // Finds the options of a node unless they are known; false if memory is short.
    fn open(
        &mut self,
        game: &G,
        node: Node,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<bool, StoppedIn<G>> {
        if self
            .led
            .as_ref()
            .is_some_and(|led| led.spans[node as usize] != CLOSED)
        {
            return Ok(true);
        }
        self.charge(context)?;
        self.statistics.states += 1;
        self.statistics.led += 1;
        self.fund.earn();
        self.state.clear();
        self.state.extend_from_slice(self.table.key(node >> 1));
        self.words.clear();
        if self.options(game, mover(node), context, ask)? {
            self.decide(node, WON);
            return Ok(true);
        }
        // `words` holds the options one after the other.
        let words = std::mem::take(&mut self.words);
        let mut at = 0;
        let mut options: smallvec::SmallVec<[u32; 64]> = smallvec::SmallVec::new();
        while at < words.len() {
            let end = at + 1 + words[at] as usize;
            self.state.clear();
            self.state.extend_from_slice(&words[at + 1..end]);
            match self.met(game, context)? {
                Some(entry) => options.push(entry),
                None => return Ok(false),
            }
            at = end;
        }
        self.words = words;
        options.sort_unstable();
        options.dedup();
        if context.plants(Shortcut::ProofNumbers) {
            options.pop();
        }
        let led = self.led.get_or_insert_default();
        let start = led.options.len() as u32;
        led.options.extend_from_slice(&options);
        let end = u32::try_from(led.options.len()).map_err(|_| Limit::Memory)?;
        led.spans[node as usize] = (start, end);
        Ok(true)
    }

    // Decides an expanded node, leaves it because of its limit, or visits one of its options.
    fn look(&mut self, node: Node, limit: Numbers) {
        if self.known(node) != UNKNOWN {
            return;
        }
        let Some(led) = &self.led else { return };
        let (start, end) = led.spans[node as usize];
        let opponent = mover(node).opponent();
        let mut tally = Tally::new();
        for option in &led.options[start as usize..end as usize] {
            match bits(self.table.value(*option), opponent) {
                LOST => return self.decide(node, WON),
                WON => continue,
                _ => {}
            }
            let option = option << 1 | u32::from(opponent.0);
            tally.add(option, led.numbers[option as usize]);
        }
        let Some((option, within)) = tally.next(limit) else {
            return self.decide(node, LOST);
        };
        if tally.reaches(limit) {
            if let Some(led) = &mut self.led {
                led.numbers[node as usize] = tally.numbers();
            }
            return self.leave();
        }
        self.visit(option, within);
    }
}

/// The weight of a move at a node that is not expanded yet: both the reply and something of its followers must be proven.
/// Found by trial on Clobber and Domineering; no answer depends on it.
const MOVE: u32 = 2;

/// The numbers of a node that is not expanded yet, from the moves of the player to move and of the other. One winning move
/// is a proof, a disproof must answer all moves, and a player with more moves than the other is harder to beat.
fn unopened(own: u32, other: u32) -> Numbers {
    let more = own.saturating_sub(other);
    let answers = MOVE.saturating_mul(own.saturating_add(more));
    Numbers::unopened(answers.saturating_add(1))
}
