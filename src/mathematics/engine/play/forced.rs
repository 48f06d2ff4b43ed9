//! Who can force a win, where a position may come again or a rule may go wrong: a position and a player to move come in; out
//! goes whether he wins or loses, or that neither player can force anything.
//!
//! A player wins who can bring about, in finitely many moves and whatever the other does, that the other is to move and
//! cannot (that he is himself, in misère play). A state at which a rule goes wrong for the one who moves is won by nobody.
//! The states that are won and lost are the least sets of which this is true: a state with an option at which the other loses
//! is won, one at all of whose options the other wins is lost. They are found backwards from the states without options
//! (C. A. B. Smith, *Graphs and composite games*, J. Combin. Theory 1, 1966; A. S. Fraenkel and Y. Perl, *Constructions in
//! combinatorial games with cycles*, 1975). States that are left are draws, or hang on a rule that goes wrong.
//!
//! States are listed breadth first, and decided among those that are listed so far: after 64 of them, whenever their number has
//! doubled, and when a limit is met. That is sound though others are not listed yet: a state is found to be won by one listed
//! option at which the other loses, to be lost only when all its options are listed and won by the other, and one whose options
//! were not looked at yet is neither. So what more there is to play, be it endless, matters only where no win lies nearer.
//!
//! The search comes here only when it has met a line of play that repeats or goes wrong. An answer that it gives by itself is a
//! proof of the same: a state is won by one option, or lost by all, and none of those is still open.

use rustc_hash::FxHashMap;

use super::{LOST, Play, UNKNOWN, WON, Word};
use crate::engine::context::Context;
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::game::{Game, Limit, Player};

/// The most states that are listed and positions that are expanded for them: about a second. Beyond, what the search has met is
/// told instead.
const MOST: u64 = 1 << 15;

/// How many states are listed before it is looked at what is decided among them.
const FIRST: usize = 64;

/// About what a state takes beside its words: its place in the map, its node, its lines to others.
const STATE: usize = 96;

/// A state and a player to move.
struct Node {
    mover: Player,
    /// How many options it has; nothing where it was not looked at yet, or where a rule goes wrong.
    options: Option<u32>,
}

/// The states that can follow one, as far as they are listed.
#[derive(Default)]
struct Graph {
    numbers: FxHashMap<(Box<[Word]>, u8), u32>,
    states: Vec<Box<[Word]>>,
    nodes: Vec<Node>,
    /// An option and what it is an option of, each pair once.
    lines: Vec<(u32, u32)>,
    words: usize,
}

impl Graph {
    fn node(&mut self, state: Box<[Word]>, mover: Player) -> u32 {
        let next = self.nodes.len() as u32;
        let number = *self.numbers.entry((state.clone(), mover.0)).or_insert(next);
        if number == next {
            self.words += state.len();
            self.states.push(state);
            self.nodes.push(Node {
                mover,
                options: None,
            });
        }
        number
    }

    fn bytes(&self) -> usize {
        self.nodes.len() * STATE
            + 2 * self.words * size_of::<Word>()
            + self.lines.capacity() * size_of::<(u32, u32)>()
    }

    /// Whether whoever is to move at the first state wins, if that follows from what is listed. The player who has no move wins
    /// in misère play.
    fn first(&mut self, misere: bool) -> Option<bool> {
        self.lines.sort_unstable();
        // For each state: whether the one to move wins, and how many options are not known to win for the other.
        let mut known = vec![UNKNOWN; self.nodes.len()];
        let mut open: Vec<u32> = Vec::with_capacity(self.nodes.len());
        let mut decided = Vec::new();
        for (node, place) in self.nodes.iter().zip(&mut known) {
            if node.options == Some(0) {
                *place = if misere { WON } else { LOST };
                decided.push(open.len() as u32);
            }
            open.push(node.options.unwrap_or(u32::MAX));
        }
        while let Some(option) = decided.pop() {
            let from = self.lines.partition_point(|l| l.0 < option);
            let other_wins = known[option as usize] == WON;
            let of = self.lines[from..].iter().take_while(|l| l.0 == option);
            for (_, node) in of {
                let i = *node as usize;
                if known[i] != UNKNOWN {
                    continue;
                }
                if !other_wins {
                    known[i] = WON;
                } else {
                    open[i] = open[i].saturating_sub(1);
                    if open[i] > 0 {
                        continue;
                    }
                    known[i] = LOST;
                }
                decided.push(*node);
            }
        }
        match known.first() {
            Some(&WON) => Some(true),
            Some(&LOST) => Some(false),
            _ => None,
        }
    }
}

impl<G: Game> Play<G> {
    /// Whether `mover` wins a position, if either player can force a win and that is found within bounds.
    pub(crate) fn forced(
        &mut self,
        game: &G,
        position: &G::Position,
        mover: Player,
        context: &Context<'_>,
    ) -> Result<Option<bool>, StoppedIn<G>> {
        let mut graph = Graph::default();
        let (found, _) = context.budget.lend(MOST, |budget| {
            let context = Context { budget, ..*context };
            self.list(game, position, mover, &mut graph, &context)
        });
        match found {
            Ok(found) => Ok(found),
            Err(Stopped::Limit(limit @ Limit::Cancelled(_))) => Err(limit.into()),
            Err(why) => match graph.first(self.misere) {
                Some(wins) => Ok(Some(wins)),
                // The search has met a line of play that is as true as before.
                None if matches!(why, Stopped::Limit(Limit::Nodes))
                    && context.budget.left() > 0 =>
                {
                    Ok(None)
                }
                None => Err(why),
            },
        }
    }

    // Lists the states that can follow a position until it is known whether `mover` wins, or there are no more.
    fn list(
        &mut self,
        game: &G,
        position: &G::Position,
        mover: Player,
        graph: &mut Graph,
        context: &Context<'_>,
    ) -> Result<Option<bool>, StoppedIn<G>> {
        let mut words = Vec::new();
        self.components.split(game, position, context, &mut words)?;
        words.sort_unstable();
        graph.node(words.into(), mover);
        let (mut at, mut look) = (0, FIRST);
        while at < graph.nodes.len() {
            if at == look {
                if let Some(wins) = graph.first(self.misere) {
                    return Ok(Some(wins));
                }
                look *= 2;
            }
            context.budget.charge()?;
            if at.is_multiple_of(1 << 10)
                && !(context.account).allows(context.forms, 0, graph.bytes())
            {
                return Err(Limit::Memory.into());
            }
            let (state, mover) = (graph.states[at].clone(), graph.nodes[at].mover);
            match self.all_options(game, &state, mover, context) {
                Ok(options) => {
                    graph.nodes[at].options = Some(options.len() as u32);
                    for option in options {
                        let option = graph.node(option, mover.opponent());
                        graph.lines.push((option, at as u32));
                    }
                }
                // Won by nobody.
                Err(Stopped::Fault { .. }) => {}
                Err(other) => return Err(other),
            }
            at += 1;
        }
        Ok(graph.first(self.misere))
    }

    // The options of a state, each once.
    fn all_options(
        &mut self,
        game: &G,
        state: &[Word],
        mover: Player,
        context: &Context<'_>,
    ) -> Result<Vec<Box<[Word]>>, StoppedIn<G>> {
        let mut options = Vec::new();
        for (i, part) in state.iter().enumerate() {
            let (mut at, end, _) = self.components.moves(game, *part, mover, context)?;
            while at < end {
                let option = self.components.option(at);
                at += 1 + option.len() as u32;
                let rest = state[..i].iter().chain(&state[i + 1..]).copied();
                let mut next: Vec<Word> =
                    rest.chain(option.iter().map(|w| w ^ (part & 1))).collect();
                next.sort_unstable();
                options.push(next.into());
            }
        }
        options.sort_unstable();
        options.dedup();
        Ok(options)
    }
}
