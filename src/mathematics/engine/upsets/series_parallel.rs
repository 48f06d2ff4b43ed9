//! Decomposes an order, given by generating pairs, if it is series-parallel. The time is linear in points and pairs (apart
//! from hashing). Valdes, Tarjan and Lawler, *The recognition of series parallel digraphs*, SIAM Journal on Computing 11
//! (1982).
//!
//! 1. *Covers.* In a series-parallel order all covers of a point are the minimal points of one part, whose longest
//!    descending chains are equally long; everything else above the point has longer ones. So a pair is a cover if and only
//!    if its upper point has the least height among those paired with the lower point.
//! 2. *Line digraph.* The covers form complete bipartite blocks. With a node for each block, one below all and one above
//!    all, every point is an arc between two nodes.
//! 3. *Reduction.* Arcs with the same ends are combined side by side, and the only arcs into and out of a node are combined
//!    one above the other. The order is series-parallel if and only if a single arc remains.
//!
//! For any other order, step 1 gives pairs that are not its covers. This is detected: a block is not complete, the reduction
//! stops early, or a pair that was left out does not follow from the tree (tested by two linear extensions whose
//! intersection is the tree's order).

use super::gset::NimberSet;
use super::{Order, Rows};
use crate::game::{Budget, Limit};
use rustc_hash::FxHashMap;

/// A part of a series-parallel order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Point(u32),
    /// Two parts side by side.
    Beside(u32, u32),
    /// The second part above the first.
    Over(u32, u32),
}

/// The decomposition of a series-parallel order: each part follows its own parts, and the whole order is the last.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    parts: Vec<Part>,
}

const NONE: u32 = u32::MAX;

/// The decomposition; `None` if the order is not series-parallel.
pub(super) fn decompose(order: &Order) -> Option<Tree> {
    let n = order.points;
    if n == 0 {
        return Some(Tree::default());
    }
    let sorted = order.sorted()?;
    let above = Rows::new(n, &order.pairs);
    let mut height = vec![0u32; n];
    for x in &sorted {
        for y in above.of(*x) {
            height[*y as usize] = height[*y as usize].max(height[*x as usize] + 1);
        }
    }
    let lowest: Vec<u32> = (0u32..)
        .take(n)
        .map(|x| {
            above
                .of(x)
                .iter()
                .map(|y| height[*y as usize])
                .min()
                .unwrap_or(NONE)
        })
        .collect();
    let is_cover = |(x, y): &(u32, u32)| height[*y as usize] == lowest[*x as usize];
    // A block is named by its least lower point, which any pair with the same upper point gives.
    let mut block_below = vec![NONE; n];
    for (x, y) in order.pairs.iter().filter(|p| is_cover(p)) {
        let block = &mut block_below[*y as usize];
        *block = (*block).min(*x);
    }
    let mut block_above = vec![NONE; n];
    let mut covers: Vec<(u32, u32)> = order
        .pairs
        .iter()
        .copied()
        .filter(|p| is_cover(p))
        .collect();
    covers.sort_unstable();
    covers.dedup();
    let (mut lower, mut upper) = (vec![0u64; n], vec![0u64; n]);
    for (x, y) in &covers {
        let block = block_below[*y as usize];
        let own = &mut block_above[*x as usize];
        if *own == NONE {
            *own = block;
            lower[block as usize] += 1;
        } else if *own != block {
            return None;
        }
    }
    for block in &block_below {
        if *block != NONE {
            upper[*block as usize] += 1;
        }
    }
    let complete: u64 = lower.iter().zip(&upper).map(|(a, b)| a * b).sum();
    if complete != covers.len() as u64 {
        return None;
    }
    let tree = reduce(n, &block_below, &block_above)?;
    let (first, second) = tree.extensions(n);
    let follows = |(x, y): &(u32, u32)| {
        let (x, y) = (*x as usize, *y as usize);
        first[x] < first[y] && second[x] < second[y]
    };
    order
        .pairs
        .iter()
        .all(|p| is_cover(p) || follows(p))
        .then_some(tree)
}

/// The arcs of the line digraph, and for each node the number of its arcs and the exclusive or of their numbers. If there is
/// only one arc, this is its number.
struct Reduction {
    parts: Vec<Part>,
    /// The two nodes of the arc of each part.
    ends: Vec<(u32, u32)>,
    between: FxHashMap<(u32, u32), u32>,
    into: Vec<(u32, u32)>,
    out: Vec<(u32, u32)>,
}

impl Reduction {
    fn detach(&mut self, arc: u32) {
        let (u, v) = self.ends[arc as usize];
        let (o, i) = (&mut self.out[u as usize], &mut self.into[v as usize]);
        (o.0, o.1) = (o.0 - 1, o.1 ^ arc);
        (i.0, i.1) = (i.0 - 1, i.1 ^ arc);
        self.between.remove(&(u, v));
    }

    /// Adds an arc; if there is one with the same ends, both are combined side by side.
    fn attach(&mut self, part: Part, u: u32, v: u32) {
        let mut arc = self.push(part, u, v);
        if let Some(&other) = self.between.get(&(u, v)) {
            self.detach(other);
            arc = self.push(Part::Beside(other, arc), u, v);
        }
        self.between.insert((u, v), arc);
        let (o, i) = (&mut self.out[u as usize], &mut self.into[v as usize]);
        (o.0, o.1) = (o.0 + 1, o.1 ^ arc);
        (i.0, i.1) = (i.0 + 1, i.1 ^ arc);
    }

    fn push(&mut self, part: Part, u: u32, v: u32) -> u32 {
        self.parts.push(part);
        self.ends.push((u, v));
        u32::try_from(self.parts.len() - 1).unwrap_or(NONE)
    }
}

fn reduce(n: usize, below: &[u32], above: &[u32]) -> Option<Tree> {
    // Nodes: blocks by their names, then the bottom and the top.
    let number = |i: usize| u32::try_from(i).unwrap_or(NONE);
    let (bottom, top) = (number(n), number(n + 1));
    let mut r = Reduction {
        parts: Vec::with_capacity(2 * n),
        ends: Vec::with_capacity(2 * n),
        between: FxHashMap::default(),
        into: vec![(0, 0); n + 2],
        out: vec![(0, 0); n + 2],
    };
    for (x, (b, a)) in (0u32..).zip(below.iter().zip(above)) {
        let from = if *b == NONE { bottom } else { *b };
        let to = if *a == NONE { top } else { *a };
        r.attach(Part::Point(x), from, to);
    }
    let mut work: Vec<u32> = (0u32..).take(n).collect();
    while let Some(node) = work.pop() {
        let ((ins, low), (outs, high)) = (r.into[node as usize], r.out[node as usize]);
        if ins != 1 || outs != 1 {
            continue;
        }
        let (u, w) = (r.ends[low as usize].0, r.ends[high as usize].1);
        r.detach(low);
        r.detach(high);
        r.attach(Part::Over(low, high), u, w);
        work.extend([u, w].into_iter().filter(|v| *v != bottom && *v != top));
    }
    let whole = *r.between.get(&(bottom, top))?;
    if r.between.len() != 1 || whole as usize + 1 != r.parts.len() {
        return None;
    }
    Some(Tree { parts: r.parts })
}

impl Tree {
    /// The number of combinations of two parts.
    pub(super) fn joins(&self) -> usize {
        self.parts.len() / 2
    }

    /// The places of the points in two linear extensions. One point is below another if and only if it precedes it in both.
    fn extensions(&self, n: usize) -> (Vec<u32>, Vec<u32>) {
        let mut size = vec![1u32; self.parts.len()];
        for (i, part) in self.parts.iter().enumerate() {
            if let Part::Beside(a, b) | Part::Over(a, b) = part {
                size[i] = size[*a as usize] + size[*b as usize];
            }
        }
        let place = |swap: bool| {
            let mut at = vec![0u32; self.parts.len()];
            let mut places = vec![0u32; n];
            for (i, part) in self.parts.iter().enumerate().rev() {
                let (first, second) = match part {
                    Part::Point(x) => {
                        places[*x as usize] = at[i];
                        continue;
                    }
                    Part::Beside(a, b) if swap => (*b, *a),
                    Part::Beside(a, b) | Part::Over(a, b) => (*a, *b),
                };
                at[first as usize] = at[i];
                at[second as usize] = at[i] + size[first as usize];
            }
            places
        };
        (place(false), place(true))
    }

    /// The g-set of the game on the order.
    pub(super) fn gset(&self, budget: &Budget) -> Result<NimberSet, Limit> {
        let mut sets: Vec<NimberSet> = Vec::with_capacity(self.parts.len());
        for (i, part) in self.parts.iter().enumerate() {
            if i % 64 == 0 {
                budget.charge()?;
            }
            let mut take = |part: u32| std::mem::take(&mut sets[part as usize]);
            let set = match part {
                Part::Point(_) => NimberSet::one(),
                Part::Beside(a, b) => {
                    let (a, b) = (take(*a), take(*b));
                    a.beside(b)
                }
                Part::Over(low, high) => {
                    let (low, high) = (take(*low), take(*high));
                    high.over(low)
                }
            };
            sets.push(set);
        }
        Ok(sets.pop().unwrap_or_default())
    }
}
