//! The values of a block of neighbouring heaps while they are being computed. Tests whether one of them and a small heap
//! have a given nim-sum, comparing all pairs of a heap at once.

use super::TakingRule;
use super::planes::LANES;
use fearless_simd::{prelude::*, u16x32};

/// A nim-sum with this is not a nim-value.
const NONE: u16 = 1 << 15;

/// The values of a block and of the small heaps.
#[derive(Clone, Debug)]
pub(super) struct Fresh {
    /// The values of the block known so far.
    values: [u16; LANES],
    /// The values of the nonempty heaps below `LANES`, reversed, followed by [`NONE`].
    back: [u16; 2 * LANES],
}

impl Default for Fresh {
    fn default() -> Fresh {
        Fresh {
            values: [0; LANES],
            back: [NONE; 2 * LANES],
        }
    }
}

impl Fresh {
    /// Starts a block. There must be at least `LANES` values.
    pub(super) fn begin(&mut self, values: &[u16]) {
        for (back, value) in self.back.iter_mut().zip(values[1..LANES].iter().rev()) {
            *back = *value;
        }
    }

    /// Sets the value of the heap in place `lane`.
    pub(super) fn put(&mut self, lane: usize, value: u16) {
        self.values[lane] = value;
    }

    /// Whether the heap in place `lane` can be broken into a heap of the block and a small heap with nim-sum `value`.
    #[inline(always)]
    pub(super) fn meets<S: Simd>(
        &self,
        simd: S,
        rule: &TakingRule,
        lane: usize,
        value: u16,
    ) -> bool {
        let wanted = u16x32::splat(simd, value);
        let (low, high) = self.values.split_at(32);
        let (low, high) = (
            u16x32::from_slice(simd, low),
            u16x32::from_slice(simd, high),
        );
        for take in rule.takes() {
            // The small heap beside the first heap of the block; those beside the next heaps are smaller.
            let small = lane.saturating_sub(take.taken as usize);
            if take.heaps < 2 || small == 0 {
                continue;
            }
            let Some(back) = self.back.get(LANES - 1 - small..) else {
                continue;
            };
            let (Some(one), Some(two)) = (back.get(..32), back.get(32..64)) else {
                continue;
            };
            let one = (low ^ u16x32::from_slice(simd, one)).simd_eq(wanted);
            let two = (high ^ u16x32::from_slice(simd, two)).simd_eq(wanted);
            if (one | two).any_true() {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{Level, dispatch};

    #[test]
    fn pairs_with_the_block_are_met_as_one_by_one() {
        let mut roll = super::super::dice(5);
        let values: Vec<u16> = (0..400)
            .map(|n| if n == 0 { 0 } else { roll(40) as u16 })
            .collect();
        for code in ["0.6", "4.7", "0.0004", "0.4704"] {
            let rule = TakingRule::of_code(code).expect("a code");
            let first = 300;
            let mut fresh = Fresh::default();
            fresh.begin(&values);
            for lane in 0..LANES {
                let expected = |v: u16| {
                    let twos = rule.takes().iter().filter(|t| t.heaps == 2);
                    let mut rests = twos.map(|t| first + lane - t.taken as usize);
                    rests.any(|rest| (first..rest).any(|b| values[b] ^ values[rest - b] == v))
                };
                for v in 0..64 {
                    let met = dispatch!(Level::new(), simd => fresh.meets(simd, &rule, lane, v));
                    assert_eq!(met, expected(v), "{code}, place {lane}, value {v}");
                }
                fresh.put(lane, values[first + lane]);
            }
        }
    }
}
