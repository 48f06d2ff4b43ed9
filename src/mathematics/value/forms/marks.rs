//! The order of a form relative to the infinitesimals at its own stops: two sets of landmarks, each a word of 32 bits.
//!
//! The landmarks are the games `k·↑ + *m` with small k and m. If some landmark, translated, lies between two games, the
//! first is at most the second; and a game is at most another only if it is at most each landmark that the other is at
//! most. So the words settle most comparisons of infinitesimals, and of hot games with equal stops, before any option is
//! read, as stops settle the rest. They are computed from those of the options by the definition of the order: `G <= x + K`
//! for `x = L(G)` unless some `G^L >= x + K` or some `x + K^R <= G`, and the latter only if also `R(G) = x` (number
//! translation and number avoidance, Siegel II).

/// The landmarks `k·↑ + *m` have k from -3 to 3 and m from 0 to 3. Bit `4(k + 3) + m` stands for each of them.
const MOST_UPS: i32 = 3;
const NIMBERS: u32 = 4;
const COUNT: u32 = (2 * MOST_UPS as u32 + 1) * NIMBERS;
// The first bit of the landmarks without ups, and the mask of their four bits.
const MIDDLE: u32 = MOST_UPS as u32 * NIMBERS;
const FOUR: u32 = 0b1111;
const ALL: u32 = (1 << COUNT) - 1;

/// Games with this many ups are above all landmarks (or below); a nimber this large differs from all landmarks by two or
/// more.
const FAR_UPS: i32 = MOST_UPS + 2;
const FAR_NIMBER: u32 = NIMBERS;
const CLOSED: [[Marks; FAR_NIMBER as usize + 1]; 2 * FAR_UPS as usize + 1] = closed();

/// The landmarks K with `G >= R(G) + K`, and those with `G <= L(G) + K`, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Marks {
    pub(super) above: u32,
    pub(super) below: u32,
}

impl Marks {
    /// The landmarks of a number.
    pub(super) const NUMBER: Marks = Marks::of_closed(0, 0);

    /// The landmarks of a number plus these ups plus a nimber.
    #[inline]
    pub(super) const fn of_closed(ups: i32, nimber: u32) -> Marks {
        let ups = if ups > FAR_UPS {
            FAR_UPS
        } else if ups < -FAR_UPS {
            -FAR_UPS
        } else {
            ups
        };
        let nimber = if nimber > FAR_NIMBER {
            FAR_NIMBER
        } else {
            nimber
        };
        CLOSED[(ups + FAR_UPS) as usize][nimber as usize]
    }

    /// The landmarks of a game that is not a number. `reached` are the landmarks at its left stop that some left option is
    /// at least, `undercut` those at its right stop that some right option is at most; `tepid` says whether the stops are
    /// equal.
    #[inline]
    pub(super) fn of_options(reached: u32, undercut: u32, tepid: bool) -> Marks {
        if !tepid {
            return Marks {
                above: !undercut & ALL,
                below: !reached & ALL,
            };
        }
        // A landmark is decided after its options (see `options.rs`). First the nimbers, each of which has all smaller
        // ones.
        let (mut above, mut below) = (0, 0);
        let (reached_0, undercut_0) = (reached >> MIDDLE, undercut >> MIDDLE);
        for m in 0..NIMBERS {
            let lesser = (1 << m) - 1;
            let fits_above = !(undercut_0 >> m) & u32::from(below & lesser == 0) & 1;
            let fits_below = !(reached_0 >> m) & u32::from(above & lesser == 0) & 1;
            above |= fits_above << m;
            below |= fits_below << m;
        }
        let (above_0, below_0) = (above, below);
        // Then k ups for k > 0, whose right option is `(k-1)·↑ + *(m xor 1)` and whose left option is 0, and also * for ↑*;
        // and their negatives.
        let swapped = |four: u32| (four & 0b0101) << 1 | (four & 0b1010) >> 1;
        let unless = |first: u32, star: bool| {
            let all = if first & 1 == 1 { 0 } else { FOUR };
            if star { all & !(first & 0b10) } else { all }
        };
        let (mut marks_above, mut marks_below) = (above_0 << MIDDLE, below_0 << MIDDLE);
        let (mut near_above, mut near_below) = (above_0, below_0);
        for k in 1..=MOST_UPS as u32 {
            let (up, down) = (MIDDLE + k * NIMBERS, MIDDLE - k * NIMBERS);
            let below_up = !swapped(near_above) & !(reached >> up) & FOUR;
            let above_up = unless(below_0, k == 1) & !(undercut >> up);
            let above_down = !swapped(near_below) & !(undercut >> down) & FOUR;
            let below_down = unless(above_0, k == 1) & !(reached >> down);
            marks_above |= above_up << up | above_down << down;
            marks_below |= below_up << up | below_down << down;
            (near_above, near_below) = (above_up, below_down);
        }
        Marks {
            above: marks_above,
            below: marks_below,
        }
    }

    /// Whether the game is at least its right stop.
    #[inline]
    pub(super) fn above_stop(self) -> bool {
        self.above >> MIDDLE & 1 == 1
    }

    /// Whether the game is at most its left stop.
    #[inline]
    pub(super) fn below_stop(self) -> bool {
        self.below >> MIDDLE & 1 == 1
    }
}

// Whether `ups·↑ + *nimber` is at most 0, and whether it is at least 0: see `infinitesimal_sign`.
const fn order(ups: i32, nimber: u32) -> (bool, bool) {
    match (ups, nimber) {
        (0, 0) => (true, true),
        (0, _) | (1 | -1, 1) => (false, false),
        _ => (ups < 0, ups > 0),
    }
}

const fn closed() -> [[Marks; FAR_NIMBER as usize + 1]; 2 * FAR_UPS as usize + 1] {
    let nothing = Marks { above: 0, below: 0 };
    let mut table = [[nothing; FAR_NIMBER as usize + 1]; 2 * FAR_UPS as usize + 1];
    let mut i = 0;
    while i < table.len() {
        let mut m = 0;
        while m < table[i].len() {
            let mut bit = 0;
            while bit < COUNT {
                let (ups, nimber) = ((bit / NIMBERS) as i32 - MOST_UPS, bit % NIMBERS);
                let (at_most, at_least) = order(i as i32 - FAR_UPS - ups, m as u32 ^ nimber);
                table[i][m].above |= (at_least as u32) << bit;
                table[i][m].below |= (at_most as u32) << bit;
                bit += 1;
            }
            m += 1;
        }
        i += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    // The left and right options, as in `options.rs`.
    fn options(ups: i32, nimber: u32) -> [Vec<(i32, u32)>; 2] {
        let right = |k: i32| match (k, nimber) {
            (0, m) => (0..m).map(|n| (0, n)).collect(),
            (-1, 1) => vec![(0, 0), (0, 1)],
            (k, _) if k < 0 => vec![(0, 0)],
            (k, m) => vec![(k - 1, m ^ 1)],
        };
        let negated: Vec<(i32, u32)> = right(-ups);
        [negated.iter().map(|(k, m)| (-k, *m)).collect(), right(ups)]
    }

    // The definition: landmark by landmark in the order of birthdays, from their options.
    fn plainly(reached: u32, undercut: u32) -> Marks {
        let birthday = |ups: i32, nimber: u32| match (ups.unsigned_abs(), nimber) {
            (0, m) => m,
            (k, 0 | 1) => k + 1,
            (k, m) => k + (m ^ (k & 1)),
        };
        let bit = |ups: i32, nimber: u32| 1u32 << (4 * (ups + 3) + nimber as i32);
        let mut marks = Marks { above: 0, below: 0 };
        let mut all: Vec<(i32, u32)> = (-3..=3).flat_map(|k| (0..4).map(move |m| (k, m))).collect();
        all.sort_by_key(|(k, m)| birthday(*k, *m));
        for (k, m) in all {
            let [left, right] = options(k, m);
            let above = undercut & bit(k, m) == 0
                && left.iter().all(|(k, m)| marks.below & bit(*k, *m) == 0);
            let below = reached & bit(k, m) == 0
                && right.iter().all(|(k, m)| marks.above & bit(*k, *m) == 0);
            marks.above |= if above { bit(k, m) } else { 0 };
            marks.below |= if below { bit(k, m) } else { 0 };
        }
        marks
    }

    #[test]
    fn the_words_are_those_of_the_definition() {
        let mut x = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..100_000 {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            let (reached, undercut) = (
                x as u32 & (x >> 11) as u32,
                (x >> 32) as u32 & (x >> 7) as u32,
            );
            assert_eq!(
                Marks::of_options(reached, undercut, true),
                plainly(reached, undercut)
            );
        }
    }

    // The words of k ups plus a nimber, computed from its options, are those of the closed formula, also for games that are
    // not landmarks.
    #[test]
    fn the_recursion_agrees_with_the_formula() {
        for (ups, nimber) in (-9..=9).flat_map(|k| (0..9).map(move |m| (k, m))) {
            if (ups, nimber) == (0, 0) {
                continue;
            }
            let [left, right] = options(ups, nimber);
            let or = |side: Vec<(i32, u32)>, of: fn(Marks) -> u32| {
                let words = side.into_iter().map(|(k, m)| of(Marks::of_closed(k, m)));
                words.fold(0, |set, word| set | word)
            };
            assert_eq!(
                Marks::of_options(or(left, |m| m.above), or(right, |m| m.below), true),
                Marks::of_closed(ups, nimber),
                "{ups} {nimber}"
            );
        }
    }
}
