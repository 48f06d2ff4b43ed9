//! Whether a coalition can force a win, by depth-first proof-number search. Input: a node. Output: a proof or a disproof.
//!
//! The proof number of a node estimates how many ends must still be shown to be won so that the node is; the disproof
//! number likewise. A node of the coalition is won if one move wins, a node of the others if all moves do. The search
//! descends to the child that is cheapest to settle and stays below it as long as it is the cheapest (df-pn: A. Nagai,
//! *Df-pn algorithm for searching AND/OR trees and its applications*, 2002). Where all children must be settled, the number
//! is that of the most expensive child plus one for each other (weak proof numbers: T. Ueda, T. Hashimoto, J. Hashimoto and
//! H. Iida 2008), so that nodes with many lines to them are not counted once for each line. The numbers only order the
//! search: a node is proved when its proof number is 0, and only a finite tree of ends makes it 0.
//!
//! A new node begins with numbers that grow with the moves that each side needs to win ([`Rules::need`]): proof numbers
//! with a first guess (M. Winands and M. Schadd, *Evaluation-function based proof-number search*, 2011).
//!
//! Images under the symmetries of the rules ([`Rules::image`]) share an entry. With two players, the question for Right
//! becomes the one for Left if a symmetry exchanges them. An automorphism of the rules maps the moves of a node onto those
//! of its image, and ends onto ends, so both have the same winner, and one has an infinite line of play if and only if the
//! other has.
//!
//! **Threats** (`threats` among the shortcuts). Call a node bad for a team if the player to move there is of the other team
//! and has a move that ends play as his own team likes. A move to a node that is bad for the mover's team loses. So such
//! moves may be pruned if the mover has another move, and if all his moves are such, he loses. Finding them means looking
//! at all moves of the children. This is done only where the opponent could end play at once if he were to move in the
//! mover's place. That test only decides where to look: no answer depends on it.
//!
//! If a node is met again below itself, the numbers would depend on the path; the search stops there, and the caller lists
//! instead. The table (`nodes`) is bounded; the current line of play is kept beside it.

use std::collections::HashSet;

use rustc_hash::FxBuildHasher;

use super::nodes::Nodes;
use super::{Moves, Next, Node, after, bit, least, moves};
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::game::{Budget, End, Limit, Player, Rules, Step};

/// Settled the other way: this number cannot become 0.
const NEVER: u32 = u32::MAX;
/// The largest number of an open node.
const MOST: u32 = NEVER - 1;

/// The guessed effort of a win grows by this factor with each move that it is away, up to this many moves.
const EACH_MOVE: u32 = 3;
const MOST_NEEDED: u32 = 9;

/// The most evictions in one search, as a multiple of the places of the table. Beyond that, evicted nodes are needed again
/// all the time.
const MOST_EVICTED: u64 = 256;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbers {
    proof: u32,
    disproof: u32,
}

impl Numbers {
    const OPEN: Numbers = Numbers {
        proof: 1,
        disproof: 1,
    };
    const PROVED: Numbers = Numbers {
        proof: 0,
        disproof: NEVER,
    };
    const DISPROVED: Numbers = Numbers {
        proof: NEVER,
        disproof: 0,
    };

    fn settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    fn of(won: bool) -> Numbers {
        if won {
            Numbers::PROVED
        } else {
            Numbers::DISPROVED
        }
    }
}

/// The entries for each coalition in question.
pub(super) struct Proofs<P> {
    tables: Vec<(u64, Nodes<P>)>,
    memory: usize,
    /// Whether forced replies are looked for.
    pub(super) threats: bool,
    /// A deliberate mistake for the tests: a player who must reply to a threat has lost.
    pub(super) unanswered: bool,
    /// Nodes whose replies were forced.
    pub(super) forced: u64,
    /// Nodes that were expanded.
    pub(super) looked: u64,
}

/// A node on the current line of play.
struct Frame<P> {
    node: Node<P>,
    /// Whether the coalition moves here.
    own: bool,
    children: Vec<(Node<P>, Numbers)>,
    /// The numbers of the best move that ends play.
    ends: Option<Numbers>,
    most: Numbers,
    /// The child that is being searched.
    chosen: usize,
    /// The count of expanded nodes when this one was expanded.
    since: u64,
}

/// The weak sum: the largest number, plus one for each other number above 0.
fn weak(all: impl Iterator<Item = u32>) -> u32 {
    let (mut most, mut open) = (0u32, 0u32);
    for n in all {
        if n == NEVER {
            return NEVER;
        }
        most = most.max(n);
        open += u32::from(n > 0);
    }
    most.saturating_add(open.saturating_sub(1)).min(MOST)
}

impl<P> Frame<P> {
    fn numbers(&self) -> Numbers {
        let all = || self.children.iter().map(|c| c.1).chain(self.ends);
        match self.own {
            true => Numbers {
                proof: all().map(|n| n.proof).min().unwrap_or(NEVER),
                disproof: weak(all().map(|n| n.disproof)),
            },
            false => Numbers {
                proof: weak(all().map(|n| n.proof)),
                disproof: all().map(|n| n.disproof).min().unwrap_or(NEVER),
            },
        }
    }

    /// From the mover's side: the number to bring to 0, then the other one.
    fn side(&self, n: Numbers) -> (u32, u32) {
        match self.own {
            true => (n.proof, n.disproof),
            false => (n.disproof, n.proof),
        }
    }

    /// The child to search, with its thresholds.
    fn choose(&mut self) -> Option<Numbers> {
        let (mut best, mut second) = (None::<(usize, (u32, u32))>, NEVER);
        let mut open = 0u32;
        for (i, (_, n)) in self.children.iter().enumerate() {
            let n = self.side(*n);
            open += u32::from(n.1 > 0);
            match best {
                // Among equals, the child whose other number is larger.
                Some((_, b)) if (b.0, n.1) <= (n.0, b.1) => second = second.min(n.0),
                _ => {
                    if let Some((_, b)) = best {
                        second = second.min(b.0);
                    }
                    best = Some((i, n));
                }
            }
        }
        let (i, _) = best?;
        let (most_own, most_other) = self.side(self.most);
        // A quarter above the second best: otherwise two equal children would alternate for ever.
        let own = most_own.min(second.saturating_add(second / 4 + 1));
        // The child's share of the weak sum.
        let other = match most_other {
            NEVER => NEVER,
            most => most.saturating_sub(open.saturating_sub(1)).max(1),
        };
        self.chosen = i;
        Some(match self.own {
            true => Numbers {
                proof: own,
                disproof: other,
            },
            false => Numbers {
                proof: other,
                disproof: own,
            },
        })
    }
}

impl<P: Clone + Eq + std::hash::Hash> Proofs<P> {
    pub(super) fn new(memory: usize) -> Proofs<P> {
        Proofs {
            tables: Vec::new(),
            memory,
            threats: true,
            unanswered: false,
            forced: 0,
            looked: 0,
        }
    }

    pub(super) fn clear(&mut self) {
        self.tables.clear();
    }

    /// Whether the coalition forces a win from a node.
    pub(super) fn prove<R: Rules<Position = P>>(
        &mut self,
        rules: &R,
        start: &Node<P>,
        coalition: u64,
        budget: &Budget,
    ) -> Result<bool, StoppedIn<R>> {
        let exchanged = (rules.players() == 2 && coalition == 0b10)
            .then(|| rules.image(&start.position, true))
            .flatten();
        let (start, coalition) = match exchanged {
            Some(position) => (
                Node {
                    position,
                    mover: 1 - start.mover,
                    alive: start.alive,
                },
                0b01,
            ),
            None => (least(rules, start.clone()), coalition),
        };
        let at = match self.tables.iter().position(|t| t.0 == coalition) {
            Some(at) => at,
            None => {
                self.tables.push((coalition, Nodes::default()));
                self.tables.len() - 1
            }
        };
        let mut table = std::mem::take(&mut self.tables[at].1);
        table.evicted = 0;
        let heap = rules.position_bytes(&start.position);
        let mut others: usize = self.tables.iter().map(|t| t.1.bytes(heap)).sum();
        if others > self.memory / 2 {
            self.tables.iter_mut().for_each(|t| t.1 = Nodes::default());
            others = 0;
        }
        // The rest is for what the search holds beside the table.
        let room = Nodes::<P>::room(self.memory / 8 * 7 - others, heap);
        let mut search = Search {
            rules,
            coalition,
            room,
            heap,
            budget,
            above: HashSet::default(),
            steps: Vec::new(),
            proofs: self,
        };
        let result = search.run(start, &mut table);
        self.tables[at].1 = table;
        result
    }
}

/// One query.
struct Search<'s, R: Rules> {
    rules: &'s R,
    coalition: u64,
    /// The most groups of the table.
    room: usize,
    /// The bytes that a position holds beyond its own size.
    heap: usize,
    budget: &'s Budget,
    /// The nodes on the current line of play.
    above: HashSet<Node<R::Position>, FxBuildHasher>,
    steps: Vec<Step<R::Position>>,
    proofs: &'s mut Proofs<R::Position>,
}

impl<R: Rules> Search<'_, R> {
    /// Whether the coalition has won by an end.
    fn won(&self, end: End) -> bool {
        matches!(end, End::Won(who) if who & self.coalition != 0)
    }

    /// Whether a player, moving at a position, has a move that ends play as his team likes.
    fn ends_well(&self, position: &R::Position, mover: u8) -> Result<bool, R::Fault> {
        let own = bit(mover) & self.coalition != 0;
        self.rules
            .can_end(position, Player(mover), &|end| self.won(end) == own)
    }

    fn expand(
        &mut self,
        node: Node<R::Position>,
        most: Numbers,
        table: &Nodes<R::Position>,
    ) -> Result<Frame<R::Position>, StoppedIn<R>> {
        let own = bit(node.mover) & self.coalition != 0;
        self.proofs.looked += 1;
        let mut frame = Frame {
            own,
            children: Vec::new(),
            ends: None,
            most,
            chosen: 0,
            since: self.proofs.looked,
            node,
        };
        let all = match moves(self.rules, &frame.node, &mut self.steps)? {
            Moves::Some(all) => all,
            Moves::Stuck(next) => vec![next],
        };
        for next in &all {
            if let Next::Ended(end) = next {
                let won = self.won(*end);
                frame.ends = Some(Numbers::of(won));
                // An end that the mover likes settles the node.
                if won == own {
                    return Ok(frame);
                }
            }
        }
        let opponent = after(frame.node.mover, frame.node.alive);
        let threatened = self.proofs.threats
            && self.rules.players() == 2
            // Two players of one team do not threaten each other.
            && own != (bit(opponent) & self.coalition != 0)
            // A fault is no threat: the opponent does not really move here.
            && self
                .ends_well(&frame.node.position, opponent)
                .unwrap_or(false);
        self.proofs.forced += u64::from(threatened);
        for next in all {
            let Next::Node(node) = next else { continue };
            if threatened
                && node.mover == opponent
                && (self.proofs.unanswered
                    || self.ends_well(&node.position, opponent).unwrap_or(false))
            {
                frame.ends = Some(Numbers::of(!own));
                continue;
            }
            let node = least(self.rules, node);
            if frame.children.iter().any(|(known, _)| *known == node) {
                continue;
            }
            let known = table.get(&node);
            let numbers = known.unwrap_or_else(|| self.guess(&node.position));
            frame.children.push((node, numbers));
        }
        Ok(frame)
    }

    /// The first numbers of a node: powers of what each side needs.
    fn guess(&self, position: &R::Position) -> Numbers {
        if self.rules.players() != 2 || !matches!(self.coalition, 0b01 | 0b10) {
            return Numbers::OPEN;
        }
        let player = Player((self.coalition >> 1) as u8);
        let of = |player| {
            let need = self.rules.need(position, player)?;
            Some(EACH_MOVE.pow(need.min(MOST_NEEDED)))
        };
        match (of(player), of(player.opponent())) {
            (Some(proof), Some(disproof)) => Numbers { proof, disproof },
            _ => Numbers::OPEN,
        }
    }

    fn run(
        &mut self,
        start: Node<R::Position>,
        table: &mut Nodes<R::Position>,
    ) -> Result<bool, StoppedIn<R>> {
        if let Some(known) = table.get(&start)
            && known.settled()
        {
            return Ok(known.proof == 0);
        }
        let open = Numbers {
            proof: NEVER,
            disproof: NEVER,
        };
        self.above.insert(start.clone());
        let mut stack = vec![self.expand(start, open, table)?];
        while let Some(frame) = stack.last_mut() {
            let now = frame.numbers();
            let back = now.settled()
                || now.proof >= frame.most.proof
                || now.disproof >= frame.most.disproof;
            let most = if back { None } else { frame.choose() };
            let Some(most) = most else {
                let Some(done) = stack.pop() else { break };
                let below = self.proofs.looked - done.since;
                self.above.remove(&done.node);
                table.put(done.node, now, below, self.room);
                let Some(parent) = stack.last_mut() else {
                    return match now.settled() {
                        true => Ok(now.proof == 0),
                        false => Err(Stopped::Limit(Limit::Nodes)),
                    };
                };
                parent.children[parent.chosen].1 = now;
                continue;
            };
            let child = frame.children[frame.chosen].0.clone();
            if self.above.contains(&child) {
                let node = child.position;
                return Err(Stopped::Cycle {
                    line: vec![node.clone(), node],
                });
            }
            // It may have been found elsewhere in the meantime.
            if let Some(n) = table.get(&child)
                && (n.settled() || n.proof >= most.proof || n.disproof >= most.disproof)
            {
                frame.children[frame.chosen].1 = n;
                continue;
            }
            self.above.insert(child.clone());
            self.budget.charge()?;
            if self.proofs.looked.is_multiple_of(1 << 12) {
                self.budget.pulse().note(0, table.bytes(self.heap));
                if table.evicted / MOST_EVICTED > table.places() as u64 {
                    return Err(Stopped::Limit(Limit::Memory));
                }
            }
            let next = self.expand(child, most, table)?;
            stack.push(next);
        }
        Err(Stopped::Limit(Limit::Nodes))
    }
}
