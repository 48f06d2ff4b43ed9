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
//! The search comes here only when it has met such a line of play. An answer that it gives by itself is a proof of the same: a
//! state is won by one option, or lost by all, and none of those is still open.

use rustc_hash::FxHashMap;

use super::{LOST, Play, UNKNOWN, WON, Word};
use crate::engine::context::Context;
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::game::{Game, Limit, Player};

/// The most states that are looked at and positions that are expanded for them: about a second. Beyond, what the search has
/// met is told instead.
const MOST: u64 = 1 << 15;

/// About what a state takes beside its words: its place in the map, its node, its lines to others.
const STATE: usize = 96;

/// A state and a player to move.
struct Node {
    mover: Player,
    /// Whether he wins, as far as it is known.
    known: u8,
    /// How many of its options are not yet known to win for the other; never 0 where a rule goes wrong.
    open: u32,
}

/// All states that can follow one.
#[derive(Default)]
struct Graph {
    numbers: FxHashMap<(Box<[Word]>, u8), u32>,
    states: Vec<Box<[Word]>>,
    nodes: Vec<Node>,
    /// An option and what it is an option of.
    lines: Vec<(u32, u32)>,
    /// Nodes that are decided, whose lines were not followed yet.
    decided: Vec<u32>,
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
                known: UNKNOWN,
                open: u32::MAX,
            });
        }
        number
    }

    fn bytes(&self) -> usize {
        self.nodes.len() * STATE
            + 2 * self.words * size_of::<Word>()
            + self.lines.capacity() * size_of::<(u32, u32)>()
    }

    fn decide(&mut self, node: u32, known: u8) {
        let place = &mut self.nodes[node as usize];
        if place.known == UNKNOWN {
            place.known = known;
            self.decided.push(node);
        }
    }

    /// Follows what is decided back to what it decides.
    fn settle(&mut self) {
        self.lines.sort_unstable();
        while let Some(option) = self.decided.pop() {
            let from = self.lines.partition_point(|l| l.0 < option);
            let to = self.lines.partition_point(|l| l.0 <= option);
            let other_wins = self.nodes[option as usize].known == WON;
            for i in from..to {
                let node = self.lines[i].1;
                if !other_wins {
                    self.decide(node, WON);
                    continue;
                }
                let open = &mut self.nodes[node as usize].open;
                *open = open.saturating_sub(1);
                if *open == 0 {
                    self.decide(node, LOST);
                }
            }
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
            self.follow_all(game, position, mover, &mut graph, &context)
        });
        match found {
            Ok(()) => {}
            Err(Stopped::Limit(Limit::Cancelled)) => return Err(Limit::Cancelled.into()),
            // What the search has met is told; it is as true as before.
            Err(_) => return Ok(None),
        }
        graph.settle();
        Ok(match graph.nodes.first().map(|node| node.known) {
            Some(WON) => Some(true),
            Some(LOST) => Some(false),
            _ => None,
        })
    }

    // Finds all states that can follow a position, with what ends play.
    fn follow_all(
        &mut self,
        game: &G,
        position: &G::Position,
        mover: Player,
        graph: &mut Graph,
        context: &Context<'_>,
    ) -> Result<(), StoppedIn<G>> {
        let mut words = Vec::new();
        self.components.split(game, position, context, &mut words)?;
        words.sort_unstable();
        graph.node(words.into(), mover);
        let mut at = 0;
        while at < graph.nodes.len() {
            context.budget.charge()?;
            if at.is_multiple_of(1 << 10)
                && !(context.account).allows(context.forms, 0, graph.bytes())
            {
                return Err(Limit::Memory.into());
            }
            let (state, mover) = (graph.states[at].clone(), graph.nodes[at].mover);
            match self.all_options(game, &state, mover, context) {
                Ok(options) => {
                    let node = at as u32;
                    graph.nodes[at].open = options.len() as u32;
                    if options.is_empty() {
                        graph.decide(node, if self.misere { WON } else { LOST });
                    }
                    for option in options {
                        let option = graph.node(option, mover.opponent());
                        graph.lines.push((option, node));
                    }
                }
                // Won by nobody: it is never decided.
                Err(Stopped::Fault { .. }) => {}
                Err(other) => return Err(other),
            }
            at += 1;
        }
        Ok(())
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
