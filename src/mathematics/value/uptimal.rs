//! Uptimals: sums of a number, multiples of powers of up and a nimber, and the expansion of a value into such a sum.
//!
//! The powers are `↑^1 = ↑` and `↑^n = {0 | ↓^[n-1]*}`, each infinitesimal with respect to the one before (*Winning Ways*,
//! chapter 8; Siegel, *Combinatorial Game Theory*, chapter II). An expansion is unique. The search proposes sums and proves
//! one by building it and comparing: a canonical option of an uptimal is mostly the result of a move in one term, and there
//! are few such moves. Left moves from `↑^n` to 0, Right to `↓^[n-1]*`.

use super::forms::{CanonicalForm, Forms, OutOfMemory};
use super::number::Number;
use super::reason::{Maybe, Reason};

/// The game `number + Σ powers[i]·↑^(i+1) + *nimber`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Uptimal {
    /// The number.
    pub number: Number,
    /// The coefficient of `↑^(i+1)`, without zeros at the end.
    pub powers: Vec<i64>,
    /// The size n of the nimber `*n`.
    pub nimber: u32,
}

/// The highest power that the search considers.
const MAX_POWER: usize = 64;

impl Uptimal {
    fn changed(&self, power: usize, by: i64) -> Option<Uptimal> {
        let mut powers = self.powers.clone();
        if powers.len() < power {
            powers.resize(power, 0);
        }
        powers[power - 1] = powers[power - 1].checked_add(by)?;
        while powers.last() == Some(&0) {
            powers.pop();
        }
        Some(Uptimal {
            powers,
            ..self.clone()
        })
    }

    // The games from which a move of the given player (Left if `left`) in one term leads to this game.
    fn origins(&self, left: bool) -> Vec<Uptimal> {
        let mut origins = Vec::new();
        let top = (self.powers.len() + 1).min(MAX_POWER);
        let sign = if left { 1 } else { -1 };
        for n in 1..=top {
            // The player removed a whole power of his own sign.
            origins.extend(self.changed(n, sign));
            // Or he moved in one of the opponent's: Right moves from ↑^n to ↓^[n-1]*, which adds -↑^n - ... - ↑ + *.
            let mut undone = Some(self.clone());
            for k in 1..=n {
                undone = undone.and_then(|u| u.changed(k, -sign));
            }
            origins.extend(undone.map(|u| Uptimal {
                nimber: u.nimber ^ 1,
                ..u
            }));
        }
        for nimber in 0..=self.nimber.saturating_add(1).min(64) {
            origins.push(Uptimal {
                nimber,
                ..self.clone()
            });
        }
        origins
    }
}

impl Forms {
    /// The value of an expansion.
    pub fn from_uptimal(&self, u: &Uptimal) -> Result<CanonicalForm, OutOfMemory> {
        let mut sum = self.add(self.number(&u.number)?, self.nimber(u.nimber)?)?;
        for (i, k) in u.powers.iter().enumerate().filter(|(_, k)| **k != 0) {
            let n = u32::try_from(i + 1).map_err(|_| OutOfMemory)?;
            sum = self.add(sum, self.multiple(*k, self.up_power_of(n)?)?)?;
        }
        Ok(sum)
    }

    /// The expansion of the game into a number, powers of up and a nimber.
    ///
    /// It does not exist for a game that is not a number plus an infinitesimal, nor for most infinitesimals, among them the
    /// tinies. Powers beyond the 64th are not considered.
    pub fn uptimal_expansion(&self, g: CanonicalForm) -> Maybe<Uptimal> {
        if !self.is_numberish(g) {
            return Ok(Err(Reason::NotNumberish));
        }
        let number = self.left_stop(g);
        let infinitesimal = self.subtract(g, self.left_stop_handle(g))?;
        if !self.is_all_small(infinitesimal) {
            return Ok(Err(Reason::NotUptimal));
        }
        let found = self.fold(
            infinitesimal,
            |f| {
                Ok(self.as_number_up_star(f).map(|v| {
                    Some(Uptimal {
                        number: v.number,
                        powers: if v.ups == 0 { vec![] } else { vec![v.ups] },
                        nimber: v.nimber,
                    })
                }))
            },
            |f, left, right| {
                for (options, is_left) in [(left, true), (right, false)] {
                    for option in options.iter().flatten() {
                        for origin in option.origins(is_left) {
                            if self.from_uptimal(&origin)? == f {
                                return Ok(Some(origin));
                            }
                        }
                    }
                }
                Ok(None)
            },
        )?;
        Ok(match found {
            Some(u) => Ok(Uptimal { number, ..u }),
            None => Err(Reason::NotUptimal),
        })
    }

    /// Whether the game is a sum of a number, multiples of powers of up and a nimber.
    pub fn is_uptimal(&self, g: CanonicalForm) -> Result<bool, OutOfMemory> {
        Ok(self.uptimal_expansion(g)?.is_ok())
    }
}
