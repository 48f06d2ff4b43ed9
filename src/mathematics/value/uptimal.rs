//! Uptimals: sums of a number, multiples of powers of up and a nimber, and the expansion of a value into such a sum.
//!
//! The powers are `↑^1 = ↑` and `↑^n = {0 | ↓^[n-1]*}`, each infinitesimal with respect to the one before (*Winning Ways*,
//! chapter 8; Siegel, *Combinatorial Game Theory*, chapter II). An expansion is unique. The search goes from the bottom up:
//! a canonical option of an uptimal is mostly the result of a move in one term, so the game minus the option is one of few
//! simple games. If it is one of them, the expansion of the option gives that of the game. Left moves from `↑^n` to 0, Right
//! to `↓^[n-1]*`.

use rustc_hash::FxHashMap;

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

impl Uptimal {
    // Adds a multiple of a power; `None` if the coefficient passes a machine word.
    fn change(&mut self, power: usize, by: i64) -> Option<()> {
        if self.powers.len() < power {
            self.powers.resize(power, 0);
        }
        self.powers[power - 1] = self.powers[power - 1].checked_add(by)?;
        while self.powers.last() == Some(&0) {
            self.powers.pop();
        }
        Some(())
    }

    // The sum with the difference; `None` if a coefficient passes a machine word.
    fn plus(&self, difference: Difference) -> Option<Uptimal> {
        let mut sum = self.clone();
        match difference {
            Difference::Power(n, sign) => sum.change(n, sign)?,
            Difference::To(n, sign) => {
                // From the highest on, so that the list grows once.
                (1..=n).rev().try_for_each(|k| sum.change(k, sign))?;
                sum.nimber ^= 1;
            }
        }
        Some(sum)
    }
}

// By how much a move in one term changes an uptimal.
#[derive(Clone, Copy)]
enum Difference {
    // `↑^n` or its negative, by the sign.
    Power(usize, i64),
    // `↑^[n]*` or its negative: ↑ + .. + ↑^n + *.
    To(usize, i64),
}

// The differences for all powers up to some power.
struct Differences {
    all: FxHashMap<CanonicalForm, Difference>,
    power: usize,
    // `↑^[n]` for this power n.
    to: CanonicalForm,
}

impl Differences {
    fn new() -> Differences {
        Differences {
            all: FxHashMap::default(),
            power: 0,
            to: CanonicalForm::ZERO,
        }
    }

    // Adds the differences for powers up to `power`.
    fn extend(&mut self, forms: &Forms, power: usize) -> Result<(), OutOfMemory> {
        let star = CanonicalForm::STAR;
        while self.power < power {
            forms.go_on()?;
            let n = self.power + 1;
            let down = forms.add(forms.negate(self.to)?, star)?;
            let up = forms.from_options(&[CanonicalForm::ZERO], &[down])?;
            self.to = forms.from_options(&[self.to], &[star])?;
            let to = forms.add(self.to, star)?;
            self.all.insert(up, Difference::Power(n, 1));
            self.all.insert(forms.negate(up)?, Difference::Power(n, -1));
            self.all.insert(to, Difference::To(n, 1));
            self.all.insert(forms.negate(to)?, Difference::To(n, -1));
            self.power = n;
        }
        Ok(())
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
    /// tinies.
    pub fn uptimal_expansion(&self, g: CanonicalForm) -> Maybe<Uptimal> {
        if !self.is_numberish(g) {
            return Ok(Err(Reason::NotNumberish));
        }
        let number = self.left_stop(g);
        let infinitesimal = self.subtract(g, self.left_stop_handle(g))?;
        if !self.is_all_small(infinitesimal) {
            return Ok(Err(Reason::NotUptimal));
        }
        let mut differences = Differences::new();
        let mut ledger = self.ledger();
        let found = self.fold(
            infinitesimal,
            |f| {
                Ok(self.as_number_up_star(f).map(|v| {
                    let u = Uptimal {
                        number: v.number,
                        powers: if v.ups == 0 { vec![] } else { vec![v.ups] },
                        nimber: v.nimber,
                    };
                    Some((f, u))
                }))
            },
            |f, left, right| {
                let mut options: Vec<_> = left.iter().chain(right).flatten().collect();
                // Simple options first: they are subtracted faster.
                options.sort_by_key(|(_, u)| u.powers.len());
                let longest = options.last().map_or(0, |(_, u)| u.powers.len());
                differences.extend(self, longest + 1)?;
                for (option, u) in options {
                    let rest = self.subtract(f, *option)?;
                    let sum = if let Some(difference) = differences.all.get(&rest) {
                        u.plus(*difference).ok_or(OutOfMemory)?
                    } else if let Some(v) = self.as_number_up_star(rest)
                        && v.number == u.number
                    {
                        let mut sum = u.clone();
                        if v.ups != 0 {
                            sum.change(1, v.ups).ok_or(OutOfMemory)?;
                        }
                        sum.nimber ^= v.nimber;
                        sum
                    } else {
                        continue;
                    };
                    ledger.take(size_of::<i64>() * sum.powers.len())?;
                    return Ok(Some((f, sum)));
                }
                Ok(None)
            },
        )?;
        Ok(match found {
            Some((_, u)) => Ok(Uptimal { number, ..u }),
            None => Err(Reason::NotUptimal),
        })
    }

    /// Whether the game is a sum of a number, multiples of powers of up and a nimber.
    pub fn is_uptimal(&self, g: CanonicalForm) -> Result<bool, OutOfMemory> {
        Ok(self.uptimal_expansion(g)?.is_ok())
    }
}
