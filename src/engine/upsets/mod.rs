//! Removal games on a finite order come in: a move takes a point away with everything above it, and both players may
//! take any point (poset games). Their g-sets, the nimbers of the options, go out.
//!
//! Three roads, each of which can be closed ([`super::Roads`]):
//!
//! * An order that is *series-parallel* (no four points form an N) is taken apart in linear time and put together again
//!   with the nim-sum and the Grundy product (`series_parallel`, `gset`; Fenner and Rogers, *Combinatorial game
//!   complexity: an introduction with poset games*, Bulletin of the EATCS 2015, section 3.1).
//! * What is left after taking apart is *prime*. Its positions are the sets closed downwards; along chains they are
//!   tuples of heights, and if there are not too many they are ranked, so that a nimber takes a byte (`antichains`;
//!   section 3.2.1 there: a position is known by its antichain of maximal points).
//! * Anything else is left to the general search.

mod antichains;
mod gset;
mod series_parallel;

use crate::game::{Budget, Limit};
pub use gset::NimberSet;
use std::collections::VecDeque;

/// The most points for which the order is closed transitively.
const MOST_CLOSED: usize = 2048;

/// A finite order by pairs that generate it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Order {
    points: usize,
    /// Pairs (below, above); they may repeat and may follow from others.
    pairs: Vec<(u32, u32)>,
}

/// Which of the roads may be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Open {
    /// Series-parallel orders, and parts of any order that lie side by side or above each other.
    pub series_parallel: bool,
    /// Ranked antichains.
    pub antichains: bool,
}

/// What was found of a game, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solved {
    /// The nimbers of the options.
    pub gset: NimberSet,
    /// Its own nimber: the mex of those.
    pub nimber: u32,
    /// Parts that were put together by the nim-sum or the Grundy product.
    pub joined: usize,
    /// Parts that are prime, with the number of their points and of their positions.
    pub ranked: Vec<(usize, usize)>,
}

impl Order {
    /// The order that the pairs (below, above) generate on the points 0 to `points` - 1.
    #[must_use]
    pub fn new(points: usize, pairs: Vec<(u32, u32)>) -> Order {
        Order { points, pairs }
    }

    /// How many points there are.
    #[must_use]
    pub fn points(&self) -> usize {
        self.points
    }

    /// The generating pairs.
    #[must_use]
    pub fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    /// The points in an order in which nothing comes after what lies above it; `None` if there is a cycle or a pair of
    /// points that are not there.
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

/// For each point the second of its pairs, in compressed rows.
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

/// Solves the game on an order, if one of the open roads leads to it; `None` leaves it to the general search.
/// `memory` bounds the bytes of tables.
///
/// # Errors
/// The budget is spent, or the search was cancelled.
pub fn solve(
    order: &Order,
    open: Open,
    memory: usize,
    budget: &Budget,
) -> Result<Option<Solved>, Limit> {
    if open.series_parallel
        && let Some(tree) = series_parallel::decompose(order)
    {
        let joined = tree.joins();
        let gset = tree.gset(budget)?;
        return Ok(Some(Solved {
            nimber: gset.mex(),
            gset,
            joined,
            ranked: Vec::new(),
        }));
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
    Ok(solved.map(|gset| Solved {
        nimber: gset.mex(),
        gset,
        ..found
    }))
}

/// An order closed transitively: for each point a set of bits.
struct Closed {
    words: usize,
    /// Points strictly above, and strictly below.
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

    /// The classes of some points under the closure of "comparable" or of "not comparable".
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

    /// The g-set of the order on some points: parts side by side, parts above each other, and prime ones. The depth of
    /// the recursion is at most the number of points, which is bounded by [`MOST_CLOSED`].
    fn apart(
        &self,
        points: Vec<u32>,
        memory: usize,
        budget: &Budget,
        found: &mut Solved,
    ) -> Result<Option<NimberSet>, Limit> {
        budget.charge()?;
        match points.len() {
            0 => return Ok(Some(NimberSet::default())),
            1 => return Ok(Some(NimberSet::one())),
            _ => {}
        }
        let beside = self.classes(&points, true);
        if beside.len() > 1 {
            let mut sum = NimberSet::default();
            for part in beside {
                let Some(part) = self.apart(part, memory, budget, found)? else {
                    return Ok(None);
                };
                sum = sum.beside(part);
                found.joined += 1;
            }
            return Ok(Some(sum));
        }
        let mut stacked = self.classes(&points, false);
        if stacked.len() > 1 {
            // Of two classes one lies above the other.
            stacked.sort_by_key(|class| self.below_count(class[0]));
            let mut low = NimberSet::default();
            for part in stacked {
                let Some(part) = self.apart(part, memory, budget, found)? else {
                    return Ok(None);
                };
                low = part.over(low);
                found.joined += 1;
            }
            return Ok(Some(low));
        }
        self.ranked(&points, memory, budget, found)
    }

    fn ranked(
        &self,
        points: &[u32],
        memory: usize,
        budget: &Budget,
        found: &mut Solved,
    ) -> Result<Option<NimberSet>, Limit> {
        let Some(ranks) = antichains::Ranks::new(points, |x, y| self.is_below(x, y), memory) else {
            return Ok(None);
        };
        if ranks.positions() as u64 > budget.left() {
            return Ok(None);
        }
        found.ranked.push((points.len(), ranks.positions()));
        ranks.gset(budget).map(Some)
    }
}

#[cfg(test)]
mod tests;
