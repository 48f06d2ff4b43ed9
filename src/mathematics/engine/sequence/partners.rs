//! Heaps that are to be put beside others come in, with what they are worth; they go out in an order in which most of what
//! they reach together is reached early. The order is found from a sample of heaps whose values are known; it says how long
//! the work takes, never what comes out.

use super::TakingRule;
use super::lanes::WIDTH;

/// Heaps in the sample.
const SAMPLES: usize = 16;
/// A heap stays in front if it reaches something that fewer than so many before it reach.
const COVER: u16 = 8;
/// Behind the front, so many values of each heap are reached first, on the average, and so many behind those that are not
/// dropped.
const LEFT: [f64; 2] = [0.2, 0.1];
/// The same where values are small, and many can be compared at once; and for helpers there.
const LEFT_NARROW: [f64; 2] = [0.3, 0.3];
const LEFT_HELPERS: [f64; 2] = [0.2, 0.0];

/// A heap that is put beside others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partner {
    pub(super) heap: u32,
    pub(super) worth: u16,
    /// See `codes`.
    pub(super) code: u8,
}

/// Heaps to be put beside others, with what they are worth.
#[derive(Clone, Debug, Default)]
pub(super) struct Partners {
    pub(super) list: Vec<Partner>,
    /// So many at the front are put beside all heaps of a block, whatever they reach.
    front: usize,
    /// The others, from here on, reach nearly nothing new.
    poor: usize,
}

/// Heaps whose values are known.
pub(super) struct Sample<'v, F> {
    values: &'v [u16],
    is_rare: F,
    taken: Vec<usize>,
    heaps: Vec<usize>,
}

impl<'v, F: Fn(u16) -> bool> Sample<'v, F> {
    /// A sample of the last third; there are more values than the rule can take.
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

    /// What each partner reaches from each heap, of the values of one class below that of the heap: a row for each partner,
    /// [`NOTHING`] where it is no such value.
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

/// No value that counts.
const NOTHING: u16 = WIDTH as u16;

/// What is reached, each partner's row in its turn.
struct Reached {
    rows: Vec<u16>,
    row: usize,
    takes: usize,
    counts: Vec<u16>,
}

impl Reached {
    /// For each partner, in this order: the sum of the weights of what it reaches. A value weighs by how many partners reach
    /// it, all of them or those before.
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
    /// Such heaps, in no order yet.
    pub(super) fn of(list: Vec<Partner>) -> Partners {
        Partners {
            list,
            front: 0,
            poor: 0,
        }
    }

    /// Those that are put beside all heaps of a block, whatever they reach.
    pub(super) fn front(&self) -> &[Partner] {
        &self.list[..self.front]
    }

    /// The others.
    pub(super) fn behind(&self) -> &[Partner] {
        &self.list[self.front..]
    }

    /// Those that reach what few others reach come first; then those go behind that reach only what others before them
    /// reach; then the front is measured.
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

    /// One more, of which nothing is known yet.
    pub(super) fn admit(&mut self, partner: Partner, narrow: bool) {
        if narrow {
            // Not among the last, which are thought to reach nearly nothing.
            let at = self.front + self.behind().len() / 6;
            self.list.insert(at, partner);
        } else {
            self.list.push(partner);
        }
    }

    /// Drops those that reach nearly nothing new.
    pub(super) fn drop_poor(&mut self) {
        self.list.truncate(self.poor);
    }
}
