//! The canonical form of options whose numbers are all small: the method of `build.rs` in machine integers.
//!
//! An option can dominate another only if its stops are at least as good. So options are processed in the order of their
//! stops, the best first; each is compared with those kept so far, in one direction only, and most are dominated by the
//! first.

use smallvec::SmallVec;

use super::build::List;
use super::handle::POINT;
use super::lay::{Lay, LayList};
use super::{CanonicalForm, Forms, OutOfMemory};

// The simplest multiple of 1/32 from `least` to `greatest`, in 32nds. `None` if the simplest number there is not such a
// multiple.
fn simplest(least: i32, greatest: i32) -> Option<i32> {
    if least <= 0 && greatest >= 0 {
        return Some(0);
    }
    // The multiple of the coarsest step that fits, the one closest to zero.
    (0..=POINT).find_map(|exponent| {
        let step = 32 >> exponent;
        let x = if least > 0 {
            least.saturating_add(step - 1).div_euclid(step) * step
        } else {
            greatest.div_euclid(step) * step
        };
        (least <= x && x <= greatest).then_some(x)
    })
}

impl Forms {
    /// The value of the game with these options, `[left, right]`, given their comparison data.
    pub(super) fn build_laid(
        &self,
        options: [&[CanonicalForm]; 2],
        lays: [&[Lay]; 2],
    ) -> Result<CanonicalForm, OutOfMemory> {
        // A number x fits if it is at most no left option and at least no right option: lower < 2x < upper.
        let lower = lays[0].iter().map(|l| l.lower).max();
        let upper = lays[1].iter().map(|l| l.upper).min();
        let (lower, upper) = match (lower, upper) {
            (Some(lower), Some(upper)) if upper - lower < 2 => (lower, upper),
            _ => {
                let least = lower.map_or(i32::MIN, |lower| (lower >> 1) + 1);
                let greatest = upper.map_or(i32::MAX, |upper| (upper - 1) >> 1);
                let number = simplest(least, greatest);
                return match number.and_then(|x| CanonicalForm::pack(x, 0, 0)) {
                    Some(number) => Ok(number),
                    None => self.build_generally(options[0], options[1]),
                };
            }
        };
        let (Some(high), Some(low)) = (
            CanonicalForm::pack((lower + 1) >> 1, 0, 0),
            CanonicalForm::pack(upper >> 1, 0, 0),
        ) else {
            return self.build_generally(options[0], options[1]);
        };
        if lays.iter().all(|side| side.iter().all(Lay::is_number)) {
            // Only the greatest and the least matter, and neither is reversible.
            return if high == low {
                self.translated(high, 0, 1)
            } else {
                self.intern_general(&[high], &[low], high, low)
            };
        }
        if let Some(g) = self.impartial(options[0], options[1], high)? {
            return Ok(g);
        }
        self.go_on()?;
        let mut known = LayList::new();
        let mut left = self.undominated_laid(options[0], lays[0], true, &mut known)?;
        let mut right = self.undominated_laid(options[1], lays[1], false, &mut known)?;
        // The options as they are now define the game throughout.
        let (first_left, first_right) = (left.clone(), right.clone());
        let mut game = self.provisional_laid(&first_left, &first_right, high, low, known);
        self.bypass(&mut left, &[], true, &mut game)?;
        self.bypass(&mut right, &[], false, &mut game)?;
        left.sort_unstable_by_key(|g| g.0);
        right.sort_unstable_by_key(|g| g.0);
        self.intern(&left, &right, high, low)
    }

    // The undominated options. Their comparison data is appended to `known`.
    fn undominated_laid(
        &self,
        options: &[CanonicalForm],
        lays: &[Lay],
        left: bool,
        known: &mut LayList,
    ) -> Result<List, OutOfMemory> {
        if let ([option], [lay]) = (options, lays) {
            known.push(*lay);
            return Ok(List::from_slice(&[*option]));
        }
        // The best come first, and equal ones together.
        let mut order: SmallVec<[(i32, CanonicalForm, u32); 24]> = lays
            .iter()
            .zip(options)
            .enumerate()
            .map(|(i, (lay, g))| {
                let stops = lay.upper + lay.lower;
                (if left { -stops } else { stops }, *g, i as u32)
            })
            .collect();
        order.sort_unstable_by_key(|(stops, g, _)| (*stops, g.0));
        order.dedup_by_key(|(_, g, _)| *g);
        let mut kept: SmallVec<[(i32, CanonicalForm, u32); 8]> = SmallVec::new();
        'next: for candidate in order {
            let (stops, _, i) = candidate;
            self.go_on_at(kept.len())?;
            let lay = &lays[i as usize];
            let at_most = |a: &Lay, b: &Lay| {
                if left {
                    self.laid_at_most(a, b)
                } else {
                    self.laid_at_most(b, a)
                }
            };
            for (_, _, j) in &kept {
                if at_most(lay, &lays[*j as usize])? {
                    continue 'next;
                }
            }
            // A later option can dominate only those with the same stops.
            let mut j = kept.len();
            while j > 0 && kept[j - 1].0 == stops {
                j -= 1;
                if at_most(&lays[kept[j].2 as usize], lay)? {
                    kept.remove(j);
                }
            }
            kept.push(candidate);
        }
        known.extend(kept.iter().map(|(_, _, i)| lays[*i as usize]));
        Ok(kept.into_iter().map(|(_, g, _)| g).collect())
    }
}
