//! Heaps that are to be put beside others come in, with what they are worth; they go out in an order in which most of what
//! they reach together is reached early. The order is found from a sample of heaps whose values are known; it says how long
//! the work takes, never what comes out.

use super::TakingRule;
use super::lanes::WIDTH;

/// Heaps in the sample.
const SAMPLES: usize = 32;
/// A heap stays in front if it reaches something that fewer than so many before it reach.
const COVER: u16 = 4;
/// Behind the front, so many values of each heap are reached first, on the average.
const LEFT: f64 = 0.2;
/// The same behind those that are not dropped.
const POOR: f64 = 0.1;

/// Heaps to be put beside others, with what they are worth.
#[derive(Clone, Debug, Default)]
pub(super) struct Partners {
    pub(super) list: Vec<(u32, u16)>,
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

    /// What a partner reaches from a heap, of the values of one class below that of the heap.
    fn reached(
        &self,
        heap: usize,
        partner: (u32, u16),
        common: bool,
    ) -> impl Iterator<Item = usize> {
        self.taken.iter().filter_map(move |taken| {
            let other = heap
                .checked_sub(taken + partner.0 as usize)
                .filter(|b| *b > 0)?;
            let sum = partner.1 ^ self.values[other];
            let counts = sum < self.values[heap] && (self.is_rare)(sum) != common;
            counts.then_some(usize::from(sum) % WIDTH)
        })
    }
}

impl Partners {
    /// Such heaps, in no order yet.
    pub(super) fn of(list: Vec<(u32, u16)>) -> Partners {
        Partners {
            list,
            front: 0,
            poor: 0,
        }
    }

    /// The front and the rest.
    pub(super) fn split(&self) -> (&[(u32, u16)], &[(u32, u16)]) {
        self.list.split_at(self.front.min(self.list.len()))
    }

    /// Those that reach what few others reach come first; then those go behind that reach only what others before them
    /// reach; then the front is measured.
    pub(super) fn order<F: Fn(u16) -> bool>(&mut self, sample: &Sample<'_, F>, common: bool) {
        let mut counts = vec![0u16; WIDTH];
        let mut scores = vec![0f64; self.list.len()];
        for heap in &sample.heaps {
            counts.fill(0);
            for partner in &self.list {
                for sum in sample.reached(*heap, *partner, common) {
                    counts[sum] = counts[sum].saturating_add(1);
                }
            }
            for (partner, score) in self.list.iter().zip(&mut scores) {
                for sum in sample.reached(*heap, *partner, common) {
                    let count = f64::from(counts[sum]);
                    *score += 1.0 / (count * count);
                }
            }
        }
        let mut scored: Vec<_> = scores.into_iter().zip(self.list.drain(..)).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        self.list.extend(scored.into_iter().map(|(_, p)| p));

        let news = self.news(sample, common, COVER);
        let mut scored: Vec<_> = news.into_iter().zip(self.list.drain(..)).collect();
        scored.sort_by_key(|(new, _)| *new == 0);
        self.list.extend(scored.into_iter().map(|(_, p)| p));

        let firsts = self.news(sample, common, 1);
        let until = |left: f64| {
            let mut late = 0.0;
            let rest = firsts.iter().rev().take_while(|first| {
                late += f64::from(**first);
                late <= left * SAMPLES as f64
            });
            firsts.len() - rest.count()
        };
        (self.front, self.poor) = (until(LEFT), until(POOR));
    }

    /// How many values of the sample each partner reaches that fewer than `cover` before it reach.
    fn news<F: Fn(u16) -> bool>(
        &self,
        sample: &Sample<'_, F>,
        common: bool,
        cover: u16,
    ) -> Vec<u32> {
        let mut counts = vec![0u16; WIDTH];
        let mut news = vec![0u32; self.list.len()];
        for heap in &sample.heaps {
            counts.fill(0);
            for (partner, new) in self.list.iter().zip(&mut news) {
                for sum in sample.reached(*heap, *partner, common) {
                    *new += u32::from(counts[sum] < cover);
                    counts[sum] = counts[sum].saturating_add(1);
                }
            }
        }
        news
    }

    /// Drops those that reach nearly nothing new.
    pub(super) fn drop_poor(&mut self) {
        self.list.truncate(self.poor);
    }
}
