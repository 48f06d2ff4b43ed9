//! Who wins at every node that can follow a start: lists all of them and goes backwards from the ends.
//!
//! Consider the nodes from which a team can force one of some results. They are the least set that contains the ends with
//! such a result, each node of the team with a move into the set, and each node of the others all of whose moves lead into
//! the set. It is found in as many rounds as the longest forced play, so the round of a node is the number of moves (E.
//! Zermelo 1913; C. A. B. Smith, *Graphs and composite games*, 1966). At the other nodes the others can keep out of the set
//! for ever, by ends of another kind or by infinite play.
//!
//! With two players, images under the symmetries of the rules ([`Rules::image`]) are one node. An automorphism maps moves
//! onto moves and ends onto ends. The sets above are least sets, so it maps them onto themselves, round by round. If a rule
//! fails anywhere, the listing is repeated without images, so that the error names a position that can follow.
//!
//! A node at which a rule fails for its mover is won by nobody, and moving there secures nobody a draw. A player *holds* a
//! node if he can keep out of the other's wins and of all such nodes. Where neither player wins, the result is a draw if
//! both hold; otherwise the answer is refused. For coalitions among more players, [`super`] states the same as a theorem.

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

use super::{Fate, Moves, Next, Node, Played, bit, least, moves};
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::game::{Budget, End, Limit, Player, Rules};

/// In a list of moves: numbers from here on are ends.
const ENDS: u32 = 1 << 31;

/// In a list of rounds: never reached.
const NEVER: u32 = u32::MAX;

/// Nodes by number, stored compactly.
struct Nodes<P> {
    positions: Vec<P>,
    movers: Vec<u8>,
    /// Who is still in; empty with two players, since play ends when one of them drops out.
    alive: Vec<u64>,
}

/// Nodes and moves, and the results.
pub(super) struct Listed<P> {
    nodes: Nodes<P>,
    /// Whether images under symmetries are one node.
    images: bool,
    numbers: HashTable<u32>,
    /// Where the moves of each node begin, and the total at the end.
    from: Vec<u32>,
    /// The target of each move: a node or an end.
    to: Vec<u32>,
    ends: Vec<End>,
    /// The place of each end in `ends`.
    places: FxHashMap<End, u32>,
    /// Nodes whose player has no move, in order.
    stuck: Vec<u32>,
    /// Nodes at which a rule fails, in order.
    faults: Vec<u32>,
    /// With two players: for each, the rounds in which its wins were found.
    won: Option<[Vec<u32>; 2]>,
    /// With two players: the nodes that each holds; empty if no rule fails, since it follows from `won` then.
    held: [Vec<bool>; 2],
}

/// Appends to a list that grows by a quarter: half of a list that doubles may be unused.
fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        list.reserve_exact(list.len() / 4 + 64);
    }
    list.push(item);
}

impl<P: Clone + Eq + std::hash::Hash> Nodes<P> {
    fn len(&self) -> usize {
        self.positions.len()
    }

    fn get(&self, number: u32) -> Option<Node<P>> {
        let at = number as usize;
        Some(Node {
            position: self.positions.get(at)?.clone(),
            mover: *self.movers.get(at)?,
            alive: self.alive.get(at).copied().unwrap_or(0b11),
        })
    }

    /// The mover of a node, as a bit.
    fn mover(&self, number: u32) -> u64 {
        bit(self.movers[number as usize])
    }

    fn is(&self, number: u32, node: &Node<P>) -> bool {
        let at = number as usize;
        self.movers[at] == node.mover
            && self.positions[at] == node.position
            && self.alive.get(at).is_none_or(|a| *a == node.alive)
    }

    fn hash(&self, number: u32) -> u64 {
        let at = number as usize;
        let alive = self.alive.get(at).copied().unwrap_or(0b11);
        FxBuildHasher.hash_one((&self.positions[at], self.movers[at], alive))
    }

    fn push(&mut self, node: Node<P>, players: u8) {
        push(&mut self.positions, node.position);
        push(&mut self.movers, node.mover);
        if players > 2 {
            push(&mut self.alive, node.alive);
        }
    }

    fn bytes(&self) -> usize {
        self.positions.capacity() * size_of::<P>()
            + self.movers.capacity()
            + 8 * self.alive.capacity()
    }
}

fn hash<P: std::hash::Hash>(node: &Node<P>) -> u64 {
    FxBuildHasher.hash_one((&node.position, node.mover, node.alive))
}

impl<P: Clone + Eq + std::hash::Hash> Listed<P> {
    /// Lists all nodes that can follow one.
    pub(super) fn from<R: Rules<Position = P>>(
        rules: &R,
        start: &Node<P>,
        memory: usize,
        budget: &Budget,
    ) -> Result<Listed<P>, StoppedIn<R>> {
        let two = rules.players() == 2;
        if two && rules.image(&start.position, false).is_some() {
            let listed = Listed::all(rules, start, true, memory, budget)?;
            if listed.faults.is_empty() {
                return Ok(listed);
            }
        }
        Listed::all(rules, start, false, memory, budget)
    }

    fn all<R: Rules<Position = P>>(
        rules: &R,
        start: &Node<P>,
        images: bool,
        memory: usize,
        budget: &Budget,
    ) -> Result<Listed<P>, StoppedIn<R>> {
        let mut listed = Listed {
            nodes: Nodes {
                positions: Vec::new(),
                movers: Vec::new(),
                alive: Vec::new(),
            },
            images,
            numbers: HashTable::new(),
            from: vec![0],
            to: Vec::new(),
            ends: Vec::new(),
            places: FxHashMap::default(),
            stuck: Vec::new(),
            faults: Vec::new(),
            won: None,
            held: [Vec::new(), Vec::new()],
        };
        listed.number(rules, start.clone());
        let mut steps = Vec::new();
        let mut at = 0u32;
        let mut heap = 0usize;
        while let Some(node) = listed.nodes.get(at) {
            budget.charge()?;
            heap += rules.position_bytes(&node.position);
            if at.is_multiple_of(1 << 10) {
                let bytes = listed.bytes() + heap;
                budget.pulse().note(0, bytes);
                if bytes > memory || listed.nodes.len() > ENDS as usize / 2 {
                    return Err(Stopped::Limit(Limit::Memory));
                }
            }
            let first = listed.to.len();
            match moves(rules, &node, &mut steps) {
                Ok(Moves::Some(all)) => {
                    for next in all {
                        let to = listed.place(rules, next)?;
                        push(&mut listed.to, to);
                    }
                }
                Ok(Moves::Stuck(next)) => {
                    listed.stuck.push(at);
                    let to = listed.place(rules, next)?;
                    push(&mut listed.to, to);
                }
                Err(Stopped::Fault { .. }) => listed.faults.push(at),
                Err(other) => return Err(other),
            }
            listed.to[first..].sort_unstable();
            let mut kept = first;
            for i in first..listed.to.len() {
                if i == first || listed.to[i] != listed.to[kept - 1] {
                    listed.to[kept] = listed.to[i];
                    kept += 1;
                }
            }
            listed.to.truncate(kept);
            let end = u32::try_from(kept).map_err(|_| Stopped::Limit(Limit::Memory))?;
            push(&mut listed.from, end);
            at += 1;
        }
        if rules.players() == 2 {
            let (back, moves_into) = listed.backwards();
            let won = [0, 1].map(|p| listed.forced(rules, bit(p), &back, &moves_into));
            listed.won = Some(won);
            if !listed.faults.is_empty() {
                listed.held = listed.held(rules, &back, &moves_into);
            }
        }
        Ok(listed)
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes held once the moves are also listed backwards: two words for each move; six words for each node (where its
    /// moves begin in both lists, a copy of one of these, how many of its moves are open, and the rounds of two players).
    fn bytes(&self) -> usize {
        self.nodes.bytes()
            + self.nodes.len() * 24
            + self.to.capacity() * 8
            + self.numbers.capacity() * 5
            + self.ends.len() * 64
    }

    fn number<R: Rules<Position = P>>(&mut self, rules: &R, node: Node<P>) -> u32 {
        let node = match self.images {
            true => least(rules, node),
            false => node,
        };
        let hash_of = hash(&node);
        let nodes = &self.nodes;
        if let Some(found) = self.numbers.find(hash_of, |n| nodes.is(*n, &node)) {
            return *found;
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(node, rules.players());
        let nodes = &self.nodes;
        self.numbers
            .insert_unique(hash_of, number, |n| nodes.hash(*n));
        number
    }

    fn place<R: Rules<Position = P>>(&mut self, rules: &R, next: Next<P>) -> Result<u32, Limit> {
        let (number, most) = match next {
            Next::Node(node) => (self.number(rules, node), ENDS - 1),
            Next::Ended(end) => {
                let fresh = self.ends.len() as u32;
                let at = *self.places.entry(end).or_insert(fresh);
                if at == fresh {
                    self.ends.push(end);
                }
                (ENDS.saturating_add(at), u32::MAX - 1)
            }
        };
        match number <= most {
            true => Ok(number),
            false => Err(Limit::Memory),
        }
    }

    fn moves_of(&self, node: u32) -> &[u32] {
        let at = node as usize;
        &self.to[self.from[at] as usize..self.from[at + 1] as usize]
    }

    /// The reversed moves: for each node, where its predecessors begin, and all predecessors.
    fn backwards(&self) -> (Vec<u32>, Vec<u32>) {
        let mut from = vec![0u32; self.nodes.len() + 1];
        for to in self.to.iter().filter(|t| **t < ENDS) {
            from[*to as usize + 1] += 1;
        }
        for i in 1..from.len() {
            from[i] += from[i - 1];
        }
        let mut fill = from.clone();
        let mut back = vec![0u32; from[from.len() - 1] as usize];
        for node in 0..self.nodes.len() as u32 {
            for to in self.moves_of(node).iter().filter(|t| **t < ENDS) {
                let at = &mut fill[*to as usize];
                back[*at as usize] = node;
                *at += 1;
            }
        }
        (from, back)
    }

    /// The rounds in which `team` forces an end that `good` accepts or, if `wrong`, a node at which a rule fails.
    fn attracted(
        &self,
        team: u64,
        good: impl Fn(End) -> bool,
        wrong: bool,
        from: &[u32],
        back: &[u32],
    ) -> Vec<u32> {
        let accepts: Vec<bool> = self.ends.iter().map(|e| good(*e)).collect();
        let mut round = vec![NEVER; self.nodes.len()];
        let mut open: Vec<u32> = Vec::with_capacity(self.nodes.len());
        // An end by having no move takes no move; an end that is moved to takes one.
        let (mut now, mut later) = (Vec::new(), Vec::new());
        for node in 0..self.nodes.len() as u32 {
            let moves = self.moves_of(node);
            let own = self.nodes.mover(node) & team != 0;
            let ends = moves.iter().filter(|t| **t >= ENDS);
            let met = ends.filter(|t| accepts[(**t - ENDS) as usize]).count();
            let rest = moves.len() - met;
            open.push(rest as u32);
            if met > 0 && (own || rest == 0) {
                let stuck = self.stuck.binary_search(&node).is_ok();
                round[node as usize] = u32::from(!stuck);
                if stuck { &mut now } else { &mut later }.push(node);
            }
        }
        for node in self.faults.iter().filter(|_| wrong) {
            round[*node as usize] = 0;
            now.push(*node);
        }
        let mut number = 0;
        while !now.is_empty() || !later.is_empty() {
            for node in now.drain(..) {
                let into = from[node as usize] as usize..from[node as usize + 1] as usize;
                for before in &back[into] {
                    let b = *before as usize;
                    if round[b] != NEVER {
                        continue;
                    }
                    open[b] -= 1;
                    if self.nodes.mover(*before) & team != 0 || open[b] == 0 {
                        round[b] = number + 1;
                        later.push(*before);
                    }
                }
            }
            std::mem::swap(&mut now, &mut later);
            number += 1;
        }
        round
    }

    /// The rounds in which one of two players forces a win; [`ENDLESS`] if he needs infinite play for it.
    fn forced<R: Rules<Position = P>>(
        &self,
        rules: &R,
        player: u64,
        from: &[u32],
        back: &[u32],
    ) -> Vec<u32> {
        let mut round = self.attracted(
            player,
            |end| matches!(end, End::Won(who) if who & player != 0),
            false,
            from,
            back,
        );
        if rules.endless().is_some_and(|p| bit(p.0) == player) {
            // The other player spoils it by ends that are not this player's wins.
            let spoiled = self.attracted(
                0b11 & !player,
                |end| !matches!(end, End::Won(who) if who & player != 0),
                true,
                from,
                back,
            );
            for (r, spoiled) in round.iter_mut().zip(spoiled) {
                if *r == NEVER && spoiled == NEVER {
                    *r = ENDLESS;
                }
            }
        }
        round
    }

    /// For each of two players, the nodes where he can force at least a draw without a rule that fails.
    fn held<R: Rules<Position = P>>(
        &self,
        rules: &R,
        from: &[u32],
        back: &[u32],
    ) -> [Vec<bool>; 2] {
        [1, 0].map(|other: u8| {
            let won = |end| matches!(end, End::Won(who) if who & bit(other) != 0);
            let lost = self.attracted(bit(other), won, true, from, back);
            // Infinite play may be the other's win, too.
            let endless = match rules.endless() == Some(Player(other)) {
                true => self.forced(rules, bit(other), from, back),
                false => vec![NEVER; self.nodes.len()],
            };
            let held = lost.iter().zip(endless);
            held.map(|(l, e)| *l == NEVER && e == NEVER).collect()
        })
    }

    fn find<R: Rules<Position = P>>(&self, rules: &R, node: &Node<P>) -> Option<u32> {
        let nodes = &self.nodes;
        let node = match self.images {
            true => least(rules, node.clone()),
            false => node.clone(),
        };
        let found = self.numbers.find(hash(&node), |n| nodes.is(*n, &node));
        found.copied()
    }

    /// Whether a coalition forces a win from a node; `None` if the node is not listed.
    pub(super) fn forces<R: Rules<Position = P>>(
        &self,
        rules: &R,
        node: &Node<P>,
        coalition: u64,
    ) -> Option<Result<bool, StoppedIn<R>>> {
        let at = self.find(rules, node)?;
        if let Some(won) = &self.won {
            let player = (coalition & 0b11).trailing_zeros() as usize;
            if coalition & 0b11 == 0b11 {
                return Some(self.together(rules, at));
            }
            let Some(own) = won.get(player) else {
                return Some(Ok(false));
            };
            if own[at as usize] != NEVER {
                return Some(Ok(true));
            }
            if won[1 - player][at as usize] != NEVER {
                return Some(Ok(false));
            }
            return Some(match self.holds(1 - player, at) {
                true => Ok(false),
                false => Err(self.fault(rules, self.fault_behind(at))),
            });
        }
        let (from, back) = self.backwards();
        let reaches = |wrong| {
            let good = |end| matches!(end, End::Won(who) if who & coalition != 0);
            self.attracted(coalition, good, wrong, &from, &back)[at as usize] != NEVER
        };
        Some(match reaches(false) {
            false if !self.faults.is_empty() && reaches(true) => {
                Err(self.fault(rules, self.fault_behind(at)))
            }
            wins => Ok(wins),
        })
    }

    /// Whether all players together can bring about that one of them wins. They make every move, so it is enough that some
    /// line of play reaches such an end, or is infinite if somebody wins infinite play.
    fn together<R: Rules<Position = P>>(&self, rules: &R, at: u32) -> Result<bool, StoppedIn<R>> {
        let mut seen = vec![false; self.nodes.len()];
        let mut reached = vec![at];
        seen[at as usize] = true;
        let mut next = 0;
        let mut before = vec![0u32; self.nodes.len()];
        while let Some(node) = reached.get(next).copied() {
            next += 1;
            for to in self.moves_of(node) {
                if *to >= ENDS {
                    if let End::Won(_) = self.ends[(*to - ENDS) as usize] {
                        return Ok(true);
                    }
                    continue;
                }
                before[*to as usize] += 1;
                if !std::mem::replace(&mut seen[*to as usize], true) {
                    reached.push(*to);
                }
            }
        }
        if rules.endless().is_some() {
            // Repeatedly remove nodes without predecessors: a node that remains lies on or behind a cycle.
            let mut open = match before[at as usize] {
                0 => vec![at],
                _ => Vec::new(),
            };
            let mut left = reached.len();
            while let Some(node) = open.pop() {
                left -= 1;
                for to in self.moves_of(node).iter().filter(|t| **t < ENDS) {
                    before[*to as usize] -= 1;
                    if before[*to as usize] == 0 {
                        open.push(*to);
                    }
                }
            }
            if left > 0 {
                return Ok(true);
            }
        }
        match reached
            .iter()
            .find(|n| self.faults.binary_search(n).is_ok())
        {
            Some(fault) => Err(self.fault(rules, *fault)),
            None => Ok(false),
        }
    }

    /// The result of best play of two players from a node; `None` if the node is not listed.
    pub(super) fn played<R: Rules<Position = P>>(
        &self,
        rules: &R,
        node: &Node<P>,
    ) -> Option<Result<Played, StoppedIn<R>>> {
        let at = self.find(rules, node)?;
        let won = self.won.as_ref()?;
        for (player, rounds) in (0u8..).zip(won) {
            let round = rounds[at as usize];
            if round != NEVER {
                return Some(Ok(Played {
                    fate: Fate::Won(Player(player)),
                    moves: (round != ENDLESS).then_some(round),
                }));
            }
        }
        Some(match self.holds(0, at) && self.holds(1, at) {
            true => Ok(Played {
                fate: Fate::Drawn,
                moves: None,
            }),
            false => Err(self.fault(rules, self.fault_behind(at))),
        })
    }

    fn holds(&self, player: usize, at: u32) -> bool {
        self.held[player].get(at as usize).is_none_or(|held| *held)
    }

    fn fault<R: Rules<Position = P>>(&self, rules: &R, node: u32) -> StoppedIn<R> {
        let node = self.nodes.get(node);
        match node.map(|node| moves(rules, &node, &mut Vec::new())) {
            Some(Err(stopped)) => stopped,
            // It failed before, and rules are pure.
            _ => Stopped::Limit(Limit::Nodes),
        }
    }

    /// The nearest node reachable from another at which a rule fails; `at` if there is none.
    fn fault_behind(&self, at: u32) -> u32 {
        let mut seen = vec![false; self.nodes.len()];
        let mut line = vec![at];
        seen[at as usize] = true;
        let mut next = 0;
        while let Some(node) = line.get(next).copied() {
            next += 1;
            if self.faults.binary_search(&node).is_ok() {
                return node;
            }
            for to in self.moves_of(node).iter().filter(|t| **t < ENDS) {
                if !std::mem::replace(&mut seen[*to as usize], true) {
                    line.push(*to);
                }
            }
        }
        at
    }
}

/// In a list of rounds: won by infinite play.
const ENDLESS: u32 = u32::MAX - 1;
