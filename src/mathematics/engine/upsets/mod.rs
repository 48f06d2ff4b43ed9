//! Removal games on a finite order come in: a move takes a point away with everything above it, and both players may
//! take any point (poset games). Their g-sets, the nimbers of the options, go out.
//!
//! Three ways, two of which can be closed ([`crate::game::Shortcut`]):
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

/// How an order is put together, with the nimbers of all positions of its prime parts: what answers at once for every
/// position that play leads to.
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
    /// From the lowest up, each with the g-set of what lies below it.
    Over(Vec<(Part, NimberSet)>),
    Prime(antichains::Ranked),
}

impl Table {
    /// The nimber of the position of those points for which `is_there` answers true; with each of them, all that lies
    /// below it must be there.
    #[must_use]
    pub fn nimber(&self, is_there: impl Fn(u32) -> bool) -> u32 {
        self.whole.nimber(&is_there).unwrap_or(0)
    }

    /// The bytes that it takes, but for little.
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

    /// `None` where nothing is left.
    fn nimber(&self, is_there: &impl Fn(u32) -> bool) -> Option<u32> {
        match self {
            Part::Nothing => None,
            Part::Point(x) => is_there(*x).then_some(1),
            Part::Beside(parts) => {
                let all = parts.iter().filter_map(|p| p.nimber(is_there));
                all.reduce(|a, b| a ^ b)
            }
            // What lies below the highest part that is left is whole.
            Part::Over(parts) => parts
                .iter()
                .rev()
                .find_map(|(part, below)| Some(below.missing(part.nimber(is_there)?))),
            Part::Prime(ranked) => ranked.is_left(is_there).then(|| ranked.nimber(is_there)),
        }
    }
}

/// Solves the game on an order, if one of the open roads leads to it; `None` leaves it to the general search.
/// `memory` bounds the bytes of tables. With it, where there are prime parts: the table.
///
/// # Errors
/// The budget is spent, or the search was cancelled.
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
            // Of two classes one lies above the other.
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
        let Some(ranks) = antichains::Ranks::new(points, |x, y| self.is_below(x, y), memory) else {
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
