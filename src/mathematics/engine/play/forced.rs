//! Finds out who can force a win, where positions may repeat or a rule may fail. Input: a position and a player to move.
//! Output: whether this player wins or loses, or that neither player can force a win.
//!
//! A player wins if he can force, in finitely many moves, that the other is to move and cannot (in misère play: that he
//! himself is to move and cannot). A state at which a rule fails for the player to move is won by nobody. The sets of won
//! and lost states are the least sets with these properties: a state is won if the other player loses at some option, and
//! lost if the other player wins at all options. They are found backwards from the states without options (C. A. B.
//! Smith, *Graphs and composite games*, J. Combin. Theory 1, 1966; A. S. Fraenkel and Y. Perl, *Constructions in
//! combinatorial games with cycles*, 1975). The remaining states are draws, or depend on a rule that fails.
//!
//! States are listed breadth first. The listed states are decided after 64 of them, whenever their number has doubled, and
//! when a limit is met. This is sound although some states are not listed yet: a state counts as won by one listed option at
//! which the other player loses, and as lost only if all its options are listed and won by the other player; a state that is
//! not expanded yet counts as neither. So the rest of the game, even if it is infinite, matters only if no nearer win
//! exists.
//!
//! This search starts only when the main search has met a line of play that repeats or a rule that fails. An answer of the
//! main search alone is a proof in the same sense: it decides a state from one winning option or from all options, and none
//! of these was still open.

use rustc_hash::FxHashMap;

use super::{LOST, Play, UNKNOWN, WON, Word};
use crate::engine::context::Context;
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::game::{Game, Limit, Player};

/// The most states that are listed, and positions that are expanded for them: about a second. Beyond this limit, the cycle
/// or fault that the main search met is reported.
const MOST: u64 = 1 << 15;

/// The number of listed states after which they are first decided.
const FIRST: usize = 64;

/// Approximate bytes per state beside its words: its map entry, its node and its edges.
const STATE: usize = 96;

/// A state with a player to move.
struct Node {
    mover: Player,
    /// The number of its options; `None` if the state is not expanded yet, or if a rule fails there.
    options: Option<u32>,
}

/// The listed followers of a state.
#[derive(Default)]
struct Graph {
    numbers: FxHashMap<(Box<[Word]>, u8), u32>,
    states: Vec<Box<[Word]>>,
    nodes: Vec<Node>,
    /// Pairs (option, state), each once.
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

    /// Whether the player to move at the first state wins, if the listed states decide it. In misère play the player without
    /// a move wins.
    fn first(&mut self, misere: bool) -> Option<bool> {
        self.lines.sort_unstable();
        // For each state: whether the player to move wins, and the number of options not known to be won by the other.
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
    /// Whether `mover` wins a position, if either player can force a win and it is found within the limits.
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
                // The line of play that the main search met still stands.
                None if matches!(why, Stopped::Limit(Limit::Nodes))
                    && context.budget.left() > 0 =>
                {
                    Ok(None)
                }
                None => Err(why),
            },
        }
    }

    // Lists the followers of a position until it is known whether `mover` wins, or there are no more.
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
                // Such a state is won by nobody.
                Err(Stopped::Fault { .. }) => {}
                Err(other) => return Err(other),
            }
            at += 1;
        }
        Ok(graph.first(self.misere))
    }

    // The options of a state, without duplicates.
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
