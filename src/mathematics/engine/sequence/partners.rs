//! Orders heaps that are taken out of other heaps (partners), so that most of the values that they reach together are
//! reached early. The order is found from a sample of heaps whose values are known. It affects the running time only, never
//! the result.

use super::TakingRule;
use super::lanes::WIDTH;

/// The number of heaps in the sample.
const SAMPLES: usize = 16;
/// A partner keeps its place if it reaches a value that fewer than this many partners before it reach.
const COVER: u16 = 8;
/// The average number of values of a heap that are first reached behind the front, and of those first reached by partners
/// that may be dropped.
const LEFT: [f64; 2] = [0.2, 0.1];
/// The same for small values, where many are compared at once; and for helpers of small values.
const LEFT_NARROW: [f64; 2] = [0.3, 0.3];
const LEFT_HELPERS: [f64; 2] = [0.2, 0.0];

/// A heap that is taken out of others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partner {
    pub(super) heap: u32,
    pub(super) worth: u16,
    /// The code of its value (see `codes`).
    pub(super) code: u8,
}

/// A list of partners.
#[derive(Clone, Debug, Default)]
pub(super) struct Partners {
    pub(super) list: Vec<Partner>,
    /// The number of partners at the front, which are applied to all heaps of a block, whatever they reach.
    front: usize,
    /// The partners from here on reach almost nothing new.
    poor: usize,
}

/// A sample of heaps whose values are known.
pub(super) struct Sample<'v, F> {
    values: &'v [u16],
    is_rare: F,
    taken: Vec<usize>,
    heaps: Vec<usize>,
}

impl<'v, F: Fn(u16) -> bool> Sample<'v, F> {
    /// A sample from the last third of the heaps. There must be more values than the rule's greatest amount.
    pub(super) fn new(rule: &TakingRule, values: &'v [u16], is_rare: F) -> Sample<'v, F> {
        let n = values.len();
        let twos = rule.takes().iter().filter(|t| t.heaps == 2);
        Sample {
            values,
            is_rare,
            taken: twos.map(|t| t.taken as usize).collect(),
            heaps: (0..SAMPLES)
                .map(|i| n - 1 - i * (n / 3) / SAMPLES)
                .collect(),
        }
    }

    /// For each partner a row: the common (or rare) values that it reaches from each heap of the sample, below the heap's
    /// value; [`NOTHING`] in place of any other value.
    fn reached(&self, partners: &[Partner], common: bool) -> Vec<u16> {
        let mut rows = Vec::with_capacity(partners.len() * self.row());
        for Partner { heap: a, worth, .. } in partners {
            for heap in &self.heaps {
                let most = self.values[*heap];
                for taken in &self.taken {
                    let other = heap.checked_sub(taken + *a as usize).filter(|b| *b > 0);
                    let sum = other.map_or(NOTHING, |b| worth ^ self.values[b]);
                    let counts = sum < most && (self.is_rare)(sum) != common;
                    rows.push(if counts { sum % NOTHING } else { NOTHING });
                }
            }
        }
        rows
    }

    /// The length of a row.
    fn row(&self) -> usize {
        SAMPLES * self.taken.len()
    }
}

/// A value that does not count.
const NOTHING: u16 = WIDTH as u16;

/// The rows of all partners, one after the other.
struct Reached {
    rows: Vec<u16>,
    row: usize,
    takes: usize,
    counts: Vec<u16>,
}

impl Reached {
    /// For each partner of `order`, the sum of the weights of the values that it reaches. The weight depends on the number
    /// of partners that reach the value: all of them, or with `before` the earlier ones only.
    fn tally<T: Default + std::ops::AddAssign>(
        &mut self,
        order: &[u32],
        before: bool,
        weight: impl Fn(u16) -> T,
    ) -> Vec<T> {
        const ROOM: usize = NOTHING as usize + 1;
        let samples = self.row / self.takes.max(1);
        let Reached {
            rows,
            row,
            takes,
            counts,
        } = self;
        let (row, takes) = (*row, (*takes).max(1));
        counts.clear();
        counts.resize(ROOM * samples, 0);
        let mut all = |partner: u32, mut each: Option<&mut T>, count: bool| {
            let reached = &rows[partner as usize * row..][..row];
            for (counts, reached) in counts
                .chunks_exact_mut(ROOM)
                .zip(reached.chunks_exact(takes))
            {
                for v in reached.iter().filter(|v| **v != NOTHING) {
                    let c = &mut counts[usize::from(*v)];
                    if let Some(sum) = &mut each {
                        **sum += weight(*c);
                    }
                    if count {
                        *c = c.saturating_add(1);
                    }
                }
            }
        };
        if !before {
            for p in order {
                all(*p, None, true);
            }
        }
        let tally = order.iter().map(|p| {
            let mut sum = T::default();
            all(*p, Some(&mut sum), before);
            sum
        });
        tally.collect()
    }
}

impl Partners {
    /// An unordered list of partners.
    pub(super) fn of(list: Vec<Partner>) -> Partners {
        Partners {
            list,
            front: 0,
            poor: 0,
        }
    }

    /// The partners that are applied to all heaps of a block.
    pub(super) fn front(&self) -> &[Partner] {
        &self.list[..self.front]
    }

    /// The other partners.
    pub(super) fn behind(&self) -> &[Partner] {
        &self.list[self.front..]
    }

    /// Orders the partners. First come those that reach values that few others reach. Then those move to the end that reach
    /// only values that enough earlier partners reach. Finally the length of the front is determined.
    pub(super) fn order<F: Fn(u16) -> bool>(
        &mut self,
        sample: &Sample<'_, F>,
        common: bool,
        narrow: bool,
    ) {
        let mut reached = Reached {
            rows: sample.reached(&self.list, common),
            row: sample.row(),
            takes: sample.taken.len(),
            counts: Vec::new(),
        };
        let mut order: Vec<u32> = (0u32..).take(self.list.len()).collect();
        let inverse: Vec<f64> = (0..64).map(|c| 1.0 / f64::from(c * c)).collect();
        let scores = reached.tally(&order, false, |c| inverse[usize::from(c.min(63))]);
        order.sort_by(|a, b| scores[*b as usize].total_cmp(&scores[*a as usize]));
        let news = reached.tally(&order, true, |c| u32::from(c < COVER));
        let mut scored: Vec<(u32, u32)> = news.into_iter().zip(order).collect();
        scored.sort_by_key(|(new, _)| *new == 0);
        order = scored.into_iter().map(|(_, p)| p).collect();
        let firsts = reached.tally(&order, true, |c| u32::from(c == 0));
        self.list = order.iter().map(|p| self.list[*p as usize]).collect();
        let until = |left: f64| {
            let mut late = 0.0;
            let rest = firsts.iter().rev().take_while(|first| {
                late += f64::from(**first);
                late <= left * SAMPLES as f64
            });
            firsts.len() - rest.count()
        };
        let left = match (narrow, common) {
            (false, _) => LEFT,
            (true, true) => LEFT_NARROW,
            (true, false) => LEFT_HELPERS,
        };
        self.front = until(left[0]);
        self.poor = until(left[1]).max(self.front);
    }

    /// Adds a partner that the order does not know.
    pub(super) fn admit(&mut self, partner: Partner, narrow: bool) {
        if narrow {
            // Not near the end, where partners are expected to reach almost nothing new.
            let at = self.front + self.behind().len() / 6;
            self.list.insert(at, partner);
        } else {
            self.list.push(partner);
        }
    }

    /// Drops the partners that reach almost nothing new.
    pub(super) fn drop_poor(&mut self) {
        self.list.truncate(self.poor);
    }
}
