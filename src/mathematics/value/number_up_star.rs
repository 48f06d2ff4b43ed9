//! Sums of a number, a multiple of up and a nimber: `x + k·↑ + *m`.
//!
//! Canonical options, order and sums of these games are closed formulas (*Winning Ways*, chapters 2 and 3; Siegel II), so
//! they need no table and no search, however large the parts are.

use std::cmp::Ordering;

use super::number::Number;

/// The game `number + ups·↑ + *nimber`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NumberUpStar {
    /// The number x.
    pub number: Number,
    /// The multiple k of up; negative for down.
    pub ups: i64,
    /// The nimber m of `*m`; 0 for none.
    pub nimber: u32,
}

/// The order of `ups·↑ + *nimber` against zero; `None` if confused.
///
/// `↑` is greater than every nimber but `*`, with which it is confused: among the positive multiples of up plus a nimber,
/// only `↑*` is confused with zero.
pub(crate) fn infinitesimal_sign(ups: i64, nimber: u32) -> Option<Ordering> {
    match ups {
        0 => (nimber == 0).then_some(Ordering::Equal),
        1 | -1 if nimber == 1 => None,
        k if k > 0 => Some(Ordering::Greater),
        _ => Some(Ordering::Less),
    }
}

impl NumberUpStar {
    /// A number alone.
    pub fn from_number(number: Number) -> NumberUpStar {
        NumberUpStar {
            number,
            ups: 0,
            nimber: 0,
        }
    }

    /// Whether the game is just a number, without ups and nimber.
    pub fn is_number(&self) -> bool {
        self.ups == 0 && self.nimber == 0
    }

    /// The sum; `None` if the ups do not fit in a machine word.
    pub fn add(&self, other: &NumberUpStar) -> Option<NumberUpStar> {
        Some(NumberUpStar {
            number: &self.number + &other.number,
            ups: self.ups.checked_add(other.ups)?,
            nimber: self.nimber ^ other.nimber,
        })
    }

    /// The negative; `None` if the ups do not fit in a machine word.
    pub fn negate(&self) -> Option<NumberUpStar> {
        Some(NumberUpStar {
            number: -&self.number,
            ups: self.ups.checked_neg()?,
            nimber: self.nimber,
        })
    }
}

impl PartialOrd for NumberUpStar {
    fn partial_cmp(&self, other: &NumberUpStar) -> Option<Ordering> {
        match self.number.cmp(&other.number) {
            Ordering::Equal => {
                let ups = self.ups.saturating_sub(other.ups);
                infinitesimal_sign(ups, self.nimber ^ other.nimber)
            }
            order => Some(order),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn g(ups: i64, nimber: u32) -> NumberUpStar {
        NumberUpStar {
            number: Number::ZERO,
            ups,
            nimber,
        }
    }

    // Winning Ways, chapter 3: up is positive, confused with star, and greater than *2.
    #[test]
    fn order() {
        assert_eq!(g(1, 0).partial_cmp(&g(0, 0)), Some(Ordering::Greater));
        assert_eq!(g(1, 0).partial_cmp(&g(0, 1)), None);
        assert_eq!(g(1, 0).partial_cmp(&g(0, 2)), Some(Ordering::Greater));
        assert_eq!(g(2, 0).partial_cmp(&g(0, 1)), Some(Ordering::Greater));
        assert_eq!(g(0, 3).partial_cmp(&g(0, 2)), None);
    }
}
