//! Solves a removal game by a table of the nimbers of all its positions. The positions are the sets closed downwards, each
//! given by the antichain of its maximal points. If the points are partitioned into chains, such a set is a tuple of
//! heights. The tuples, in lexicographic order, are numbered without gaps, so the nimbers form a plain table (Fenner and
//! Rogers 2015, section 3.2.1). A poset of small width has few tuples.
//!
//! *Numbering.* Heights are chosen chain by chain. The only effect of earlier choices is that they bound the heights of the
//! remaining chains from below and above; choices with the same bounds share a node. The number of a tuple is a sum of one
//! entry for each chain, as in counting paths. Every choice within the bounds can be completed, namely by the points that it
//! forces.
//!
//! *Order of work.* A move lowers heights, so in lexicographic order all options precede their position. If the heights of
//! all chains but the last are fixed, moves in these chains lead to positions that are adjacent in the table.

use super::gset::NimberSet;
use crate::game::{Budget, Limit};
use rustc_hash::FxHashMap;

/// The greatest number of positions.
const MOST_POSITIONS: usize = 1 << 28;
/// The greatest number of steps from node to node.
const MOST_STEPS: usize = 1 << 21;
/// The greatest number of points: finding chains takes cubic time.
const MOST_POINTS: usize = 1000;

/// One choice of a height.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// The number of positions before this choice. In the last chain but one it is reduced by the lowest height of the last
    /// chain, so that a position's number is this sum plus the last chain's height. May wrap.
    before: u32,
    /// Where the choices for the next chain would begin if its lowest height were 0. May wrap.
    next: u32,
}

/// The numbering of the positions.
#[derive(Debug)]
pub(super) struct Ranks {
    points: usize,
    /// The chains, each from its lowest point up.
    chains: Vec<Vec<u32>>,
    /// The number of points of each chain.
    length: Vec<u16>,
    /// For each chain and each point (chain by chain, from below): the greatest height of the chain that can remain when the
    /// point is removed.
    caps: Vec<Vec<u16>>,
    /// For each point the first chain that its removal lowers if the chain is full.
    lowers: Vec<u16>,
    steps: Vec<Step>,
    /// The lowest and the highest height of the chain after each step.
    bounds: Vec<(u16, u16)>,
    /// The lowest and the highest height of the first chain.
    start: (u16, u16),
    positions: usize,
}

impl Ranks {
    /// Numbers the positions; `None` if there are too many, or too many bounds of heights.
    ///
    /// # Errors
    /// The search is cancelled.
    pub(super) fn new(
        points: &[u32],
        is_below: impl Fn(u32, u32) -> bool,
        memory: usize,
        budget: &Budget,
    ) -> Result<Option<Ranks>, Limit> {
        let most = MOST_POSITIONS.min(memory / if points.len() < 255 { 1 } else { 2 });
        if points.len() > MOST_POINTS {
            return Ok(None);
        }
        // Chains that do not cross give few nodes. Removals that lower later chains only are cheap.
        let mut best: Option<(usize, Ranks)> = None;
        let greedy = first_fit(points, &is_below, budget)?;
        for mut chains in [greedy, matched(points, &is_below, budget)?] {
            for _ in 0..2 {
                // The best numbering so far is held beside the new one.
                if let Some(ranks) = number(&chains, &is_below, most, memory / 2, budget)? {
                    let cost = ranks.walks();
                    if best.as_ref().is_none_or(|b| cost < b.0) {
                        best = Some((cost, ranks));
                    }
                }
                chains.reverse();
            }
        }
        Ok(best.map(|b| b.1))
    }

    /// An estimate of the cost: how many chains back each removal reaches, summed over all points, and the number of steps.
    fn walks(&self) -> usize {
        let chains = self.length.iter().enumerate();
        let own = chains.flat_map(|(t, l)| std::iter::repeat_n(t, usize::from(*l)));
        let back = own
            .zip(&self.lowers)
            .map(|(t, from)| t.saturating_sub(usize::from(*from)));
        back.sum::<usize>() * 64 + self.steps.len() / 1024
    }

    /// The number of positions.
    pub(super) fn positions(&self) -> usize {
        self.positions
    }

    /// The nimbers of the options of the whole order, and those of all positions.
    pub(super) fn solve(self, budget: &Budget) -> Result<(NimberSet, Ranked), Limit> {
        // A nimber is at most the number of points.
        let (gset, table) = if self.points < 255 {
            let (gset, table) = Work::<u8>::new(&self).run(budget)?;
            (gset, Cells::Narrow(table))
        } else {
            let (gset, table) = Work::<u16>::new(&self).run(budget)?;
            (gset, Cells::Wide(table))
        };
        Ok((gset, Ranked { ranks: self, table }))
    }
}

/// The nimbers of all positions.
#[derive(Debug)]
pub(super) struct Ranked {
    ranks: Ranks,
    table: Cells,
}

#[derive(Debug)]
enum Cells {
    Narrow(Vec<u8>),
    Wide(Vec<u16>),
}

impl Ranked {
    /// The nimber of the position of the points for which `is_there` is true. This set must be closed downwards.
    pub(super) fn nimber(&self, is_there: &impl Fn(u32) -> bool) -> u32 {
        let ranks = &self.ranks;
        let mut at = Step { before: 0, next: 0 };
        let mut chains = ranks.chains.iter().peekable();
        while let Some(chain) = chains.next() {
            let height = chain.iter().take_while(|x| is_there(**x)).count();
            let height = u32::try_from(height).unwrap_or(u32::MAX);
            if chains.peek().is_none() {
                at.before = at.before.wrapping_add(height);
            } else {
                let step = ranks.steps[at.next.wrapping_add(height) as usize];
                at.before = at.before.wrapping_add(step.before);
                at.next = step.next;
            }
        }
        match &self.table {
            Cells::Narrow(table) => u32::from(table[at.before as usize]),
            Cells::Wide(table) => u32::from(table[at.before as usize]),
        }
    }

    /// Whether any point is left.
    pub(super) fn is_left(&self, is_there: &impl Fn(u32) -> bool) -> bool {
        let mut lowest = self.ranks.chains.iter().filter_map(|c| c.first());
        lowest.any(|x| is_there(*x))
    }

    /// The approximate size of the table in bytes.
    pub(super) fn bytes(&self) -> usize {
        match &self.table {
            Cells::Narrow(table) => table.len(),
            Cells::Wide(table) => 2 * table.len(),
        }
    }
}

/// Greedy chains. Each begins below the first remaining point and passes through it, then continues above its end in the
/// same way, always from the lowest point.
fn first_fit(
    points: &[u32],
    is_below: &impl Fn(u32, u32) -> bool,
    budget: &Budget,
) -> Result<Vec<Vec<u32>>, Limit> {
    let mut left: Vec<u32> = points.to_vec();
    let mut chains = Vec::new();
    while let Some(&first) = left.first() {
        let mut chain = Vec::new();
        let mut above = left.clone();
        let mut next = Some(first);
        while let Some(mut x) = next {
            budget.check()?;
            while let Some(y) = above.iter().find(|y| is_below(**y, x)) {
                x = *y;
            }
            chain.push(x);
            above.retain(|y| is_below(x, *y));
            next = above.first().copied();
        }
        left.retain(|x| !chain.contains(x));
        chains.push(chain);
    }
    Ok(chains)
}

/// The least possible number of chains (Dilworth 1950), by a matching of each point with its successor in a chain.
fn matched(
    points: &[u32],
    is_below: &impl Fn(u32, u32) -> bool,
    budget: &Budget,
) -> Result<Vec<Vec<u32>>, Limit> {
    let n = points.len();
    let mut successor = vec![usize::MAX; n];
    let mut predecessor = vec![usize::MAX; n];
    for start in 0..n {
        // Each search takes quadratic time.
        budget.check()?;
        // An alternating path, by breadth-first search.
        let mut from = vec![usize::MAX; n];
        let mut queue = std::collections::VecDeque::from([start]);
        'search: while let Some(x) = queue.pop_front() {
            for y in 0..n {
                if from[y] != usize::MAX || !is_below(points[x], points[y]) {
                    continue;
                }
                from[y] = x;
                if predecessor[y] == usize::MAX {
                    let mut y = y;
                    loop {
                        let x = from[y];
                        let then = std::mem::replace(&mut successor[x], y);
                        predecessor[y] = x;
                        if x == start {
                            break 'search;
                        }
                        y = then;
                    }
                }
                queue.push_back(predecessor[y]);
            }
        }
    }
    let lowest = (0..n).filter(|x| predecessor[*x] == usize::MAX);
    Ok(lowest
        .map(|mut x| {
            let mut chain = vec![points[x]];
            while successor[x] != usize::MAX {
                x = successor[x];
                chain.push(points[x]);
            }
            chain
        })
        .collect())
}

/// The bytes of a choice and of a node beside its bounds.
const CHOICE: usize = 24;
const NODE: usize = 32;

/// The numbering by some chains, if there are at most `most` positions and it takes at most `memory` bytes.
fn number(
    chains: &[Vec<u32>],
    is_below: &impl Fn(u32, u32) -> bool,
    most: usize,
    memory: usize,
    budget: &Budget,
) -> Result<Option<Ranks>, Limit> {
    let width = chains.len();
    let small = |i: usize| u16::try_from(i).unwrap_or(u16::MAX);
    let length: Vec<u16> = chains.iter().map(|c| small(c.len())).collect();
    let mut caps: Vec<Vec<u16>> = vec![Vec::new(); width];
    // How many points of each chain lie below a point or are the point itself.
    let mut needs: Vec<Vec<u16>> = Vec::new();
    // For each point a word for each chain, twice.
    if 4 * width * chains.iter().map(Vec::len).sum::<usize>() > memory {
        return Ok(None);
    }
    for (i, chain) in chains.iter().enumerate() {
        budget.check()?;
        for (k, x) in chain.iter().enumerate() {
            let mut need = Vec::with_capacity(width);
            for (j, other) in chains.iter().enumerate() {
                if i == j {
                    caps[j].push(small(k));
                    need.push(small(k + 1));
                    continue;
                }
                let left = other.iter().take_while(|y| !is_below(*x, **y));
                caps[j].push(small(left.count()));
                need.push(small(
                    other.iter().take_while(|y| is_below(**y, *x)).count(),
                ));
            }
            needs.push(need);
        }
    }
    let start: Vec<usize> = length
        .iter()
        .scan(0, |sum, l| {
            let at = *sum;
            *sum += usize::from(*l);
            Some(at)
        })
        .collect();
    // Nodes, chain by chain: the bounds of the chain, and where its choices begin. For each choice: the next node.
    let mut nodes: Vec<(u16, u16)> = Vec::new();
    let mut first: Vec<u32> = Vec::new();
    let mut next: Vec<u32> = Vec::new();
    // For each node of a layer, the bounds (lowest, highest) of the remaining chains.
    let all: Vec<u16> = length.iter().flat_map(|l| [0, *l]).collect();
    let mut layer: Vec<Box<[u16]>> = vec![all.into()];
    for t in 0..width {
        let mut number: FxHashMap<Box<[u16]>, u32> = FxHashMap::default();
        let mut coming: Vec<Box<[u16]>> = Vec::new();
        // There are fewer nodes and choices than 2 * MOST_STEPS.
        let here = nodes.len() + layer.len();
        // The bytes of the bounds of a layer: a key of `number` and an entry of `coming` for each node that comes.
        let bounds_of = |t: usize| NODE + 4 * (width - t);
        let held = layer.len() * bounds_of(t);
        for (i, bounds) in layer.iter().enumerate() {
            if i.is_multiple_of(1 << 8) {
                budget.check()?;
            }
            nodes.push((bounds[0], bounds[1]));
            first.push(next.len() as u32);
            if t + 1 == width {
                continue;
            }
            for h in bounds[0]..=bounds[1] {
                let mut then: Vec<u16> = bounds[2..].to_vec();
                for (i, b) in then.chunks_exact_mut(2).enumerate() {
                    let j = t + 1 + i;
                    if h > 0 {
                        b[0] = b[0].max(needs[start[t] + usize::from(h) - 1][j]);
                    }
                    if h < length[t] {
                        b[1] = b[1].min(caps[j][start[t] + usize::from(h)]);
                    }
                }
                let then: Box<[u16]> = then.into();
                let fresh = (here + coming.len()) as u32;
                let node = *number.entry(then.clone()).or_insert(fresh);
                if node == fresh {
                    coming.push(then);
                }
                next.push(node);
                let bytes = held + 2 * coming.len() * bounds_of(t + 1) + next.len() * CHOICE;
                if next.len() >= MOST_STEPS || bytes > memory {
                    return Ok(None);
                }
            }
        }
        layer = coming;
    }
    // The number of positions from each node on, from the last chain backwards.
    let mut count = vec![0usize; nodes.len()];
    let mut before = vec![0u32; next.len()];
    for node in (0..nodes.len()).rev() {
        let (low, high) = nodes[node];
        let from = first[node] as usize;
        let to = first.get(node + 1).map_or(next.len(), |f| *f as usize);
        if from == to {
            count[node] = usize::from(high - low) + 1;
            continue;
        }
        let mut sum = 0usize;
        for step in from..to {
            let (Ok(here), Some(more)) = (
                u32::try_from(sum),
                sum.checked_add(count[next[step] as usize]),
            ) else {
                return Ok(None);
            };
            before[step] = here;
            sum = more;
        }
        count[node] = sum;
    }
    let positions = count.first().copied().unwrap_or(1);
    if positions > most {
        return Ok(None);
    }
    let leaves = |node: usize| {
        first.get(node + 1).map_or(next.len(), |f| *f as usize) == first[node] as usize
    };
    let steps = before.iter().zip(&next).map(|(before, node)| {
        let node = *node as usize;
        let low = u32::from(nodes[node].0);
        Step {
            before: if leaves(node) {
                before.wrapping_sub(low)
            } else {
                *before
            },
            next: first[node].wrapping_sub(low),
        }
    });
    let lowers = (0..needs.len())
        .map(|x| small((0..width).find(|t| caps[*t][x] < length[*t]).unwrap_or(0)))
        .collect();
    Ok(Some(Ranks {
        points: needs.len(),
        chains: chains.to_vec(),
        lowers,
        steps: steps.collect(),
        bounds: next.iter().map(|n| nodes[*n as usize]).collect(),
        start: nodes.first().copied().unwrap_or_default(),
        length,
        caps,
        positions,
    }))
}

/// A nimber in the table.
trait Cell: Copy + Default {
    fn put(n: usize) -> Self;
    fn get(self) -> usize;
}

impl Cell for u8 {
    fn put(n: usize) -> u8 {
        u8::try_from(n).unwrap_or(u8::MAX)
    }
    fn get(self) -> usize {
        usize::from(self)
    }
}

impl Cell for u16 {
    fn put(n: usize) -> u16 {
        u16::try_from(n).unwrap_or(u16::MAX)
    }
    fn get(self) -> usize {
        usize::from(self)
    }
}

/// The position after the removal of a point, for the chains processed so far.
#[derive(Clone, Copy)]
struct Left {
    point: u32,
    before: u32,
    next: u32,
}

struct Work<'r, C> {
    ranks: &'r Ranks,
    width: usize,
    table: Vec<C>,
    /// For each height of the last chain, the nimbers of the options: the round in which each nimber was last seen.
    seen: Vec<u32>,
    stride: usize,
    round: u32,
    /// The index of each chain's first point.
    start: Vec<usize>,
    /// The heights, their bounds, and the sums of the steps so far.
    height: Vec<u16>,
    bounds: Vec<(u16, u16)>,
    at: Vec<Step>,
    /// For each chain, the removals of points of the earlier chains.
    left: Vec<Vec<Left>>,
}

impl<'r, C: Cell> Work<'r, C> {
    fn new(ranks: &'r Ranks) -> Work<'r, C> {
        let width = ranks.length.len();
        let stride = ranks.points + 1;
        let longest = ranks.length.last().map_or(0, |l| usize::from(*l));
        let mut start = Vec::with_capacity(width);
        let mut sum = 0;
        for l in &ranks.length {
            start.push(sum);
            sum += usize::from(*l);
        }
        Work {
            ranks,
            width,
            table: vec![C::default(); ranks.positions],
            seen: vec![0; stride * (longest + 1)],
            stride,
            round: 0,
            start,
            height: vec![0; width],
            bounds: vec![ranks.start; width],
            at: vec![Step { before: 0, next: 0 }; width],
            left: vec![Vec::new(); width],
        }
    }

    fn run(mut self, budget: &Budget) -> Result<(NimberSet, Vec<C>), Limit> {
        if self.width == 0 {
            return Ok((NimberSet::default(), self.table));
        }
        let last = self.width - 1;
        self.settle(0);
        let mut since = 0u32;
        loop {
            since += 1;
            if since >= 256 {
                since = 0;
                budget.charge()?;
                budget.spend(255);
            }
            self.values();
            // The next heights of all chains except the last.
            let Some(t) = (0..last)
                .rev()
                .find(|t| self.height[*t] < self.bounds[*t].1)
            else {
                break;
            };
            self.height[t] += 1;
            self.step(t);
            self.settle(t + 1);
        }
        let top = usize::from(self.ranks.length[last]);
        let row = &self.seen[top * self.stride..][..self.stride];
        let found = (0u32..).zip(row).filter(|(_, r)| **r == self.round);
        Ok((found.map(|(g, _)| g).collect(), self.table))
    }

    /// Goes from chain t to the next.
    fn step(&mut self, t: usize) {
        let ranks = self.ranks;
        let height = self.height[t];
        let number = self.at[t].next.wrapping_add(u32::from(height)) as usize;
        let step = ranks.steps[number];
        self.at[t + 1] = Step {
            before: self.at[t].before.wrapping_add(step.before),
            next: step.next,
        };
        self.bounds[t + 1] = ranks.bounds[number];
        let caps = &ranks.caps[t][..];
        let mut then = std::mem::take(&mut self.left[t + 1]);
        then.clear();
        then.extend(self.left[t].iter().map(|l| {
            let h = caps[l.point as usize].min(height);
            let step = ranks.steps[l.next.wrapping_add(u32::from(h)) as usize];
            Left {
                point: l.point,
                before: l.before.wrapping_add(step.before),
                next: step.next,
            }
        }));
        for k in 0..usize::from(height) {
            then.push(self.after(self.start[t] + k, t + 1));
        }
        self.left[t + 1] = then;
    }

    /// Sets the lowest heights from chain t on.
    fn settle(&mut self, t: usize) {
        for t in t..self.width - 1 {
            self.height[t] = self.bounds[t].0;
            self.step(t);
        }
    }

    /// The removal of a point, for the chains before chain `to`.
    fn after(&self, point: usize, to: usize) -> Left {
        let ranks = self.ranks;
        let from = usize::from(ranks.lowers[point]).min(to);
        let Step {
            mut before,
            mut next,
        } = self.at[from];
        for t in from..to {
            let h = ranks.caps[t][point].min(self.height[t]);
            let step = ranks.steps[next.wrapping_add(u32::from(h)) as usize];
            before = before.wrapping_add(step.before);
            next = step.next;
        }
        Left {
            point: u32::try_from(point).unwrap_or(u32::MAX),
            before,
            next,
        }
    }

    /// The nimbers of all positions with the current heights, for all heights of the last chain.
    fn values(&mut self) {
        let last = self.width - 1;
        let ranks = self.ranks;
        let (low, high) = self.bounds[last];
        if self.round == u32::MAX {
            self.seen.fill(0);
            self.round = 0;
        }
        self.round += 1;
        let (round, stride) = (self.round, self.stride);
        let caps = &ranks.caps[last][..];
        for l in &self.left[last] {
            let cap = caps[l.point as usize].min(high);
            let at = |c: u16| l.before.wrapping_add(u32::from(c)) as usize;
            let mut row = usize::from(low) * stride;
            for c in low..cap {
                self.seen[row + self.table[at(c)].get()] = round;
                row += stride;
            }
            let g = self.table[at(cap)].get();
            for c in cap.max(low)..=high {
                self.seen[usize::from(c) * stride + g] = round;
            }
        }
        let base = self.at[last].before;
        for c in 0..=high {
            if c > 0 {
                // The move that removes the c-th point of the last chain, for all heights of at least c.
                let l = self.after(self.start[last] + usize::from(c) - 1, last);
                let g = self.table[l.before.wrapping_add(u32::from(c) - 1) as usize].get();
                for c in c.max(low)..=high {
                    self.seen[usize::from(c) * stride + g] = round;
                }
            }
            if c >= low {
                let row = &self.seen[usize::from(c) * stride..][..stride];
                let mex = row.iter().take_while(|r| **r == round).count();
                self.table[base.wrapping_add(u32::from(c)) as usize] = C::put(mex);
            }
        }
    }
}
