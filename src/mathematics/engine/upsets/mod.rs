//! Removal games on a finite order (poset games): a move removes a point and everything above it, and both players may
//! remove any point. Output: their g-sets, that is, the nimbers of their options.
//!
//! There are three methods; the first two can be turned off ([`crate::game::Shortcut`]):
//!
//! * A *series-parallel* order (no four points form an N) is decomposed in linear time, and its g-set is computed from the
//!   parts by nim-sum and Grundy product (`series_parallel`, `gset`; Fenner and Rogers, *Combinatorial game complexity: an
//!   introduction with poset games*, Bulletin of the EATCS 2015, section 3.1).
//! * What remains after decomposition is *prime*. Its positions are the sets closed downwards, which are tuples of heights
//!   along chains. If there are not too many, they are ranked, so that a nimber takes a byte (`antichains`; section 3.2.1
//!   there: a position is given by its antichain of maximal points).
//! * Any other order is left to the general search.

mod antichains;
mod gset;
mod series_parallel;

use crate::game::{Budget, Limit};
pub use gset::NimberSet;
use std::collections::VecDeque;

/// The greatest number of points for which the transitive closure is computed.
const MOST_CLOSED: usize = 2048;

/// A finite order, given by pairs that generate it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Order {
    points: usize,
    /// Pairs (below, above); they may repeat and may follow from others.
    pairs: Vec<(u32, u32)>,
}

/// Which of the methods may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Open {
    /// Series-parallel orders, and the decomposition of any order into parts side by side or above each other.
    pub series_parallel: bool,
    /// Ranked antichains.
    pub antichains: bool,
}

/// The result for a game, and how it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solved {
    /// The nimbers of the options.
    pub gset: NimberSet,
    /// The nimber of the game: the mex of the g-set.
    pub nimber: u32,
    /// The number of parts that were combined by nim-sum or Grundy product.
    pub joined: usize,
    /// The prime parts: for each the number of its points and of its positions.
    pub ranked: Vec<(usize, usize)>,
}

impl Order {
    /// The order that the pairs (below, above) generate on the points 0 to `points` - 1.
    #[must_use]
    pub fn new(points: usize, pairs: Vec<(u32, u32)>) -> Order {
        Order { points, pairs }
    }

    /// The number of points.
    #[must_use]
    pub fn points(&self) -> usize {
        self.points
    }

    /// The generating pairs.
    #[must_use]
    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// The points in topological order, from below; `None` if there is a cycle or a pair with a point that does not exist.
    fn sorted(&self) -> Option<Vec<u32>> {
        let mut below = vec![0u32; self.points];
        for (u, v) in &self.pairs {
            if *u as usize >= self.points || *v as usize >= self.points {
                return None;
            }
            below[*v as usize] += 1;
        }
        let above = Rows::new(self.points, &self.pairs);
        let mut queue: VecDeque<u32> = (0u32..)
            .take(self.points)
            .filter(|x| below[*x as usize] == 0)
            .collect();
        let mut sorted = Vec::with_capacity(self.points);
        while let Some(x) = queue.pop_front() {
            sorted.push(x);
            for y in above.of(x) {
                below[*y as usize] -= 1;
                if below[*y as usize] == 0 {
                    queue.push_back(*y);
                }
            }
        }
        (sorted.len() == self.points).then_some(sorted)
    }
}

/// For each point the second points of its pairs, in compressed rows.
struct Rows {
    start: Vec<u32>,
    entries: Vec<u32>,
}

impl Rows {
    fn new(points: usize, pairs: &[(u32, u32)]) -> Rows {
        let mut start = vec![0u32; points + 1];
        for (u, _) in pairs {
            start[*u as usize + 1] += 1;
        }
        for i in 0..points {
            start[i + 1] += start[i];
        }
        let mut fill = start.clone();
        let mut entries = vec![0; pairs.len()];
        for (u, v) in pairs {
            let at = &mut fill[*u as usize];
            entries[*at as usize] = *v;
            *at += 1;
        }
        Rows { start, entries }
    }

    fn of(&self, x: u32) -> &[u32] {
        let x = x as usize;
        &self.entries[self.start[x] as usize..self.start[x + 1] as usize]
    }
}

/// The decomposition of an order, with the nimbers of all positions of its prime parts. It gives the nimber of every
/// follower of the game without a search.
#[derive(Debug)]
pub struct Table {
    whole: Part,
    bytes: usize,
}

#[derive(Debug)]
enum Part {
    Nothing,
    Point(u32),
    Beside(Vec<Part>),
    /// From the lowest up, each with the g-set of everything below it.
    Over(Vec<(Part, NimberSet)>),
    Prime(antichains::Ranked),
}

impl Table {
    /// The nimber of the position of the points for which `is_there` is true. This set must be closed downwards.
    #[must_use]
    pub fn nimber(&self, is_there: impl Fn(u32) -> bool) -> u32 {
        self.whole.nimber(&is_there).unwrap_or(0)
    }

    /// The approximate size in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Part {
    fn bytes(&self) -> usize {
        match self {
            Part::Nothing | Part::Point(_) => size_of::<Part>(),
            Part::Beside(parts) => parts.iter().map(Part::bytes).sum(),
            Part::Over(parts) => parts
                .iter()
                .map(|(p, below)| p.bytes() + below.bytes())
                .sum(),
            Part::Prime(ranked) => ranked.bytes(),
        }
    }

    /// The nimber of what is left of the part; `None` if nothing is left.
    fn nimber(&self, is_there: &impl Fn(u32) -> bool) -> Option<u32> {
        match self {
            Part::Nothing => None,
            Part::Point(x) => is_there(*x).then_some(1),
            Part::Beside(parts) => {
                let all = parts.iter().filter_map(|p| p.nimber(is_there));
                all.reduce(|a, b| a ^ b)
            }
            // Everything below the highest part that is left is complete.
            Part::Over(parts) => parts
                .iter()
                .rev()
                .find_map(|(part, below)| Some(below.missing(part.nimber(is_there)?))),
            Part::Prime(ranked) => ranked.is_left(is_there).then(|| ranked.nimber(is_there)),
        }
    }
}

/// Solves the game on an order by the methods in `open`; `None` leaves it to the general search. `memory` is the limit in
/// bytes for tables. The second result is a table for followers, unless the order is series-parallel and solved as such.
///
/// # Errors
/// The budget is spent, or the search is cancelled.
pub fn solve(
    order: &Order,
    open: Open,
    memory: usize,
    budget: &Budget,
) -> Result<Option<(Solved, Option<Table>)>, Limit> {
    if open.series_parallel
        && let Some(tree) = series_parallel::decompose(order)
    {
        let joined = tree.joins();
        let gset = tree.gset(budget)?;
        let solved = Solved {
            nimber: gset.mex(),
            gset,
            joined,
            ranked: Vec::new(),
        };
        return Ok(Some((solved, None)));
    }
    if !open.antichains || order.points > MOST_CLOSED {
        return Ok(None);
    }
    let Some(closed) = Closed::new(order) else {
        return Ok(None);
    };
    let mut found = Solved {
        gset: NimberSet::default(),
        nimber: 0,
        joined: 0,
        ranked: Vec::new(),
    };
    let all: Vec<u32> = (0u32..).take(order.points).collect();
    let solved = if open.series_parallel {
        closed.apart(all, memory, budget, &mut found)?
    } else {
        closed.ranked(&all, memory, budget, &mut found)?
    };
    Ok(solved.map(|(gset, whole)| {
        let solved = Solved {
            nimber: gset.mex(),
            gset,
            ..found
        };
        let bytes = whole.bytes();
        (solved, Some(Table { whole, bytes }))
    }))
}

/// The transitive closure of an order: a bit set for each point.
struct Closed {
    words: usize,
    /// The points strictly above, and those strictly below.
    above: Vec<u64>,
    below: Vec<u64>,
}

impl Closed {
    fn new(order: &Order) -> Option<Closed> {
        let sorted = order.sorted()?;
        let words = order.points.div_ceil(64);
        let rows = Rows::new(order.points, &order.pairs);
        let mut above = vec![0u64; order.points * words];
        let mut row = vec![0u64; words];
        for x in sorted.iter().rev() {
            row.fill(0);
            for y in rows.of(*x) {
                row[*y as usize / 64] |= 1 << (y % 64);
                let of_y = &above[*y as usize * words..][..words];
                row.iter_mut().zip(of_y).for_each(|(a, b)| *a |= b);
            }
            above[*x as usize * words..][..words].copy_from_slice(&row);
        }
        let mut below = vec![0u64; order.points * words];
        for x in 0..order.points {
            for y in 0..order.points {
                if above[x * words + y / 64] >> (y % 64) & 1 == 1 {
                    below[y * words + x / 64] |= 1 << (x % 64);
                }
            }
        }
        Some(Closed {
            words,
            above,
            below,
        })
    }

    fn is_below(&self, x: u32, y: u32) -> bool {
        self.above[x as usize * self.words + y as usize / 64] >> (y % 64) & 1 == 1
    }

    fn below_count(&self, x: u32) -> u32 {
        let row = &self.below[x as usize * self.words..][..self.words];
        row.iter().map(|w| w.count_ones()).sum()
    }

    /// The equivalence classes of some points that "comparable" or "incomparable" generates.
    fn classes(&self, points: &[u32], comparable: bool) -> Vec<Vec<u32>> {
        let mut left = vec![0u64; self.words];
        for x in points {
            left[*x as usize / 64] |= 1 << (x % 64);
        }
        let mut classes = Vec::new();
        for start in points {
            if left[*start as usize / 64] >> (start % 64) & 1 == 0 {
                continue;
            }
            left[*start as usize / 64] &= !(1 << (start % 64));
            let mut class = vec![*start];
            let mut i = 0;
            while let Some(&x) = class.get(i) {
                i += 1;
                let row = x as usize * self.words;
                for (w, left) in left.iter_mut().enumerate() {
                    let related = self.above[row + w] | self.below[row + w];
                    let mut take = *left & if comparable { related } else { !related };
                    *left &= !take;
                    while take != 0 {
                        let bit = take.trailing_zeros();
                        take &= take - 1;
                        class.push(u32::try_from(w).unwrap_or(0) * 64 + bit);
                    }
                }
            }
            class.sort_unstable();
            classes.push(class);
        }
        classes
    }

    /// The g-set of the order on some points, from parts side by side, parts above each other, and prime parts. The
    /// recursion depth is at most the number of points, which [`MOST_CLOSED`] bounds.
    fn apart(
        &self,
        points: Vec<u32>,
        memory: usize,
        budget: &Budget,
        found: &mut Solved,
    ) -> Result<Option<(NimberSet, Part)>, Limit> {
        budget.charge()?;
        match points.len() {
            0 => return Ok(Some((NimberSet::default(), Part::Nothing))),
            1 => return Ok(Some((NimberSet::one(), Part::Point(points[0])))),
            _ => {}
        }
        let beside = self.classes(&points, true);
        if beside.len() > 1 {
            let mut sum = NimberSet::default();
            let mut parts = Vec::new();
            for part in beside {
                let Some((gset, part)) = self.apart(part, memory, budget, found)? else {
                    return Ok(None);
                };
                sum = sum.beside(gset);
                parts.push(part);
                found.joined += 1;
            }
            return Ok(Some((sum, Part::Beside(parts))));
        }
        let mut stacked = self.classes(&points, false);
        if stacked.len() > 1 {
            // Of two such classes one lies entirely above the other.
            stacked.sort_by_key(|class| self.below_count(class[0]));
            let mut low = NimberSet::default();
            let mut parts = Vec::new();
            for part in stacked {
                let Some((gset, part)) = self.apart(part, memory, budget, found)? else {
                    return Ok(None);
                };
                parts.push((part, low.clone()));
                low = gset.over(low);
                found.joined += 1;
            }
            return Ok(Some((low, Part::Over(parts))));
        }
        self.ranked(&points, memory, budget, found)
    }

    fn ranked(
        &self,
        points: &[u32],
        memory: usize,
        budget: &Budget,
        found: &mut Solved,
    ) -> Result<Option<(NimberSet, Part)>, Limit> {
        let is_below = |x, y| self.is_below(x, y);
        let Some(ranks) = antichains::Ranks::new(points, is_below, memory, budget)? else {
            return Ok(None);
        };
        if ranks.positions() as u64 > budget.left() {
            return Ok(None);
        }
        found.ranked.push((points.len(), ranks.positions()));
        let (gset, ranked) = ranks.solve(budget)?;
        Ok(Some((gset, Part::Prime(ranked))))
    }
}

#[cfg(test)]
mod tests;
