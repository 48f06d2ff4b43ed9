//! The pair game: decides whether one game is at most another, given who wins infinite play.
//!
//! u ≤ v exactly if Left, moving second, survives v − u (Siegel, *Combinatorial Game Theory*, VI.1 and VI.2). If u and v
//! are stoppers, an infinite play is infinite in both components, and it is drawn. In the comparison of onsides, v⁺ − u⁺,
//! infinite play is won by Left in v and by Right in −u, and drawn if it is infinite in both; so Left survives an infinite
//! play exactly if infinitely many moves are made in v. In the comparison of offsides, she survives exactly if infinitely
//! many are made in −u. These are Büchi games, which are solved by repeated attractors. The graph is the reachable part of
//! the product, and the answers for all its states are kept.

use super::graph::{Graph, To};
use super::{Forms, Halt, Kind, LEFT_FIRST, Loops, Mode, RIGHT_FIRST};
use rustc_hash::FxHashMap;

/// The greatest number of states of a product. Beyond it the comparison fails.
const MAX_STATES: usize = 1 << 25;

const FALSE: u32 = 0;
const TRUE: u32 = 1;
const STATES: u32 = 2;

/// Comparisons of the vertices of a graph and of nodes of the arena, in one mode.
pub(super) struct Pairs<'a> {
    forms: &'a Forms,
    pub(super) loops: &'a mut Loops,
    graph: &'a Graph,
    mode: Mode,
    known: FxHashMap<(To, To), u8>,
}

#[derive(Default)]
struct Product {
    states: Vec<(To, To, u8)>,
    index: FxHashMap<(To, To, u8), u32>,
    // The moves of state i are those from first[i] to first[i + 1].
    first: Vec<u32>,
    // The target of each move, and whether the move counts: Left must be able to make infinitely many of these.
    moves: Vec<(u32, bool)>,
}

impl<'a> Pairs<'a> {
    pub(super) fn new(
        forms: &'a Forms,
        loops: &'a mut Loops,
        graph: &'a Graph,
        mode: Mode,
    ) -> Pairs<'a> {
        Pairs {
            forms,
            loops,
            graph,
            mode,
            known: FxHashMap::default(),
        }
    }

    /// Whether u ≤ v.
    pub(super) fn le(&mut self, u: To, v: To) -> Result<bool, Halt> {
        self.ask(u, v, RIGHT_FIRST)
    }

    /// The moves of Left (0) or Right (1) at a vertex or node.
    pub(super) fn moves(&mut self, at: To, side: usize) -> Result<Vec<To>, Halt> {
        match at.as_inner() {
            Some(i) => Ok(self.graph.moves[i][side].clone()),
            None => {
                let id = at.bits();
                self.loops.list(self.forms, id)?;
                let node = &self.loops.nodes[id as usize];
                let list = if side == 0 { &node.left } else { &node.right };
                Ok(list.iter().map(|id| To::node(*id)).collect())
            }
        }
    }

    fn kind(&self, at: To) -> Option<Kind> {
        at.as_node().map(|id| self.loops.nodes[id as usize].kind)
    }

    // The answer, if it is known without a search.
    fn seen(&self, u: To, v: To, first: u8) -> Result<Option<bool>, Halt> {
        let known = match (self.kind(u), self.kind(v)) {
            (Some(Kind::Short(g)), Some(Kind::Short(h))) => {
                return Ok(Some(match first {
                    RIGHT_FIRST => self.forms.less_or_equal(g, h)?,
                    _ => !self.forms.less_or_equal(h, g)?,
                }));
            }
            (Some(Kind::Short(_) | Kind::Stopper), Some(Kind::Short(_) | Kind::Stopper)) => {
                if u == v && first == RIGHT_FIRST {
                    return Ok(Some(true));
                }
                self.loops.order.get(&(u.bits(), v.bits()))
            }
            _ => {
                if u == v && first == RIGHT_FIRST {
                    return Ok(Some(true));
                }
                self.known.get(&(u, v))
            }
        };
        Ok(known.and_then(|bits| (bits & first != 0).then_some(bits & first << 2 != 0)))
    }

    fn learn(&mut self, u: To, v: To, first: u8, holds: bool) {
        let bits = first | if holds { first << 2 } else { 0 };
        let stopper = |k: Option<Kind>| matches!(k, Some(Kind::Short(_) | Kind::Stopper));
        if stopper(self.kind(u)) && stopper(self.kind(v)) {
            *self.loops.order.entry((u.bits(), v.bits())).or_default() |= bits;
        } else {
            *self.known.entry((u, v)).or_default() |= bits;
        }
    }

    /// Whether Left survives v − u if `first` moves first.
    pub(super) fn ask(&mut self, u: To, v: To, first: u8) -> Result<bool, Halt> {
        if let Some(known) = self.seen(u, v, first)? {
            return Ok(known);
        }
        let product = self.explore(u, v, first)?;
        let won = product.solve();
        let before = self.loops.order.len();
        for (i, (u, v, first)) in product.states.iter().enumerate() {
            self.learn(*u, *v, *first, won[i]);
        }
        let new = self.loops.order.len() - before;
        self.loops.charge(24 * new)?;
        Ok(won.first().copied().unwrap_or(false))
    }

    fn explore(&mut self, u: To, v: To, first: u8) -> Result<Product, Halt> {
        let mut product = Product::default();
        product.states.push((u, v, first));
        product.index.insert((u, v, first), STATES);
        let room = (self.loops.limit.saturating_sub(self.loops.used) / 128).min(MAX_STATES);
        let mut at = 0;
        while let Some(&(u, v, first)) = product.states.get(at) {
            at += 1;
            product.first.push(product.moves.len() as u32);
            if at.is_multiple_of(1 << 10) {
                self.forms.go_on()?;
            }
            // In v − u Left moves in v as Left and in u as Right.
            let (in_v, in_u) = if first == LEFT_FIRST { (0, 1) } else { (1, 0) };
            if !self.is_avoided(v, u) {
                for w in self.moves(v, in_v)? {
                    let to = self.place(&mut product, u, w, first ^ 3)?;
                    product.moves.push((to, self.mode == Mode::On));
                }
            }
            if !self.is_avoided(u, v) {
                for w in self.moves(u, in_u)? {
                    let to = self.place(&mut product, w, v, first ^ 3)?;
                    product.moves.push((to, self.mode == Mode::Off));
                }
            }
            if product.states.len() + product.moves.len() / 4 > room {
                return Err(Halt::Size);
            }
        }
        product.first.push(product.moves.len() as u32);
        Ok(product)
    }

    /// Whether moves in a number can be ignored, next to a stopper that is not a number (number avoidance, `sum.rs`).
    fn is_avoided(&self, number: To, beside: To) -> bool {
        self.kind(beside) == Some(Kind::Stopper)
            && matches!(self.kind(number), Some(Kind::Short(x)) if self.forms.is_number(x))
    }

    fn place(&mut self, product: &mut Product, u: To, v: To, first: u8) -> Result<u32, Halt> {
        if let Some(known) = self.seen(u, v, first)? {
            return Ok(if known { TRUE } else { FALSE });
        }
        let next = STATES + product.states.len() as u32;
        Ok(*product.index.entry((u, v, first)).or_insert_with(|| {
            product.states.push((u, v, first));
            next
        }))
    }
}

impl Product {
    fn of(&self, i: usize) -> &[(u32, bool)] {
        &self.moves[self.first[i] as usize..self.first[i + 1] as usize]
    }

    fn by_left(&self, i: usize) -> bool {
        self.states[i].2 == LEFT_FIRST
    }

    /// The states where Left survives: the greatest set W such that from each state of W she can force, staying within W,
    /// either a move that counts or a state where Right has no move.
    fn solve(&self) -> Vec<bool> {
        let n = self.states.len();
        let mut before: Vec<Vec<(u32, bool)>> = vec![Vec::new(); n];
        for i in 0..n {
            for &(to, counts) in self.of(i) {
                if to >= STATES {
                    before[(to - STATES) as usize].push((i as u32, counts));
                }
            }
        }
        let mut alive = vec![true; n];
        // For a state with Left to move: the number of moves to states that are still alive.
        let mut ways: Vec<u32> = (0..n)
            .map(|i| self.of(i).iter().filter(|m| m.0 != FALSE).count() as u32)
            .collect();
        let lost = |i: usize, ways: &[u32]| match self.by_left(i) {
            true => ways[i] == 0,
            false => self.of(i).iter().any(|m| m.0 == FALSE),
        };
        let mut dead: Vec<usize> = (0..n).filter(|i| lost(*i, &ways)).collect();
        loop {
            for i in &dead {
                alive[*i] = false;
            }
            while let Some(i) = dead.pop() {
                for &(b, _) in &before[i] {
                    let b = b as usize;
                    ways[b] -= 1;
                    if alive[b] && (!self.by_left(b) || ways[b] == 0) {
                        alive[b] = false;
                        dead.push(b);
                    }
                }
            }
            let reach = self.forced(&alive, &before);
            dead = (0..n).filter(|i| alive[*i] && !reach[*i]).collect();
            if dead.is_empty() {
                return alive;
            }
        }
    }

    /// The alive states from which Left can force a move that counts to an alive state, or reach a state that is won.
    fn forced(&self, alive: &[bool], before: &[Vec<(u32, bool)>]) -> Vec<bool> {
        let n = self.states.len();
        let good = |&(to, counts): &(u32, bool)| {
            to == TRUE || (counts && to >= STATES && alive[(to - STATES) as usize])
        };
        let mut reach = vec![false; n];
        let mut missing = vec![0u32; n];
        let mut open = Vec::new();
        for i in (0..n).filter(|i| alive[*i]) {
            let moves = self.of(i);
            let held = moves.iter().filter(|m| good(m)).count();
            missing[i] = (moves.len() - held) as u32;
            if missing[i] == 0 && !self.by_left(i) || self.by_left(i) && held > 0 {
                reach[i] = true;
                open.push(i);
            }
        }
        while let Some(i) = open.pop() {
            for &(b, counts) in &before[i] {
                let b = b as usize;
                if counts || !alive[b] || reach[b] {
                    continue;
                }
                missing[b] -= 1;
                if self.by_left(b) || missing[b] == 0 {
                    reach[b] = true;
                    open.push(b);
                }
            }
        }
        reach
    }
}
