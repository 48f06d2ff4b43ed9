//! Linear forms in the size of a heap and in the unknowns of a choice, and constraints on them.

/// The maximal number of unknowns besides the heap.
pub(super) const MAX_UNKNOWNS: usize = 2;

/// The linear form `self.n * n + self.x · x + self.c` in the heap's size n and the unknowns x.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Linear {
    pub(super) n: i64,
    pub(super) x: [i64; MAX_UNKNOWNS],
    pub(super) c: i64,
}

impl Linear {
    pub(super) fn of(c: i64) -> Linear {
        Linear {
            n: 0,
            x: [0; MAX_UNKNOWNS],
            c,
        }
    }

    pub(super) fn n() -> Linear {
        Linear {
            n: 1,
            ..Linear::of(0)
        }
    }

    pub(super) fn constant(&self) -> Option<i64> {
        (self.n == 0 && self.x == [0; MAX_UNKNOWNS]).then_some(self.c)
    }

    pub(super) fn plus(&self, o: &Linear) -> Linear {
        let mut sum = self.clone();
        sum.n = sum.n.saturating_add(o.n);
        sum.c = sum.c.saturating_add(o.c);
        for (a, b) in sum.x.iter_mut().zip(&o.x) {
            *a = a.saturating_add(*b);
        }
        sum
    }

    pub(super) fn times(&self, k: i64) -> Linear {
        Linear {
            n: self.n.saturating_mul(k),
            x: self.x.map(|a| a.saturating_mul(k)),
            c: self.c.saturating_mul(k),
        }
    }

    pub(super) fn minus(&self, o: &Linear) -> Linear {
        self.plus(&o.times(-1))
    }

    pub(super) fn at(&self, n: i64, x: &[i64]) -> i64 {
        let dot: i64 = self.x.iter().zip(x).map(|(a, b)| a * b).sum();
        self.n * n + dot + self.c
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    AtLeast,
    Zero,
    NotZero,
}

/// A condition that compares a linear form with 0.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    pub(super) form: Linear,
    pub(super) sign: Sign,
}

impl Constraint {
    pub(super) fn atleast(form: Linear) -> Constraint {
        Constraint {
            form,
            sign: Sign::AtLeast,
        }
    }

    /// Whether it holds for no heap of 1 to `bound`. False if it contains unknowns.
    pub(super) fn never(&self, bound: i64) -> bool {
        let none = |n: i64| !self.holds(n, &[0; MAX_UNKNOWNS]);
        self.form.x == [0; MAX_UNKNOWNS] && self.sign == Sign::AtLeast && none(1) && none(bound)
    }

    pub(super) fn holds(&self, n: i64, x: &[i64]) -> bool {
        let v = self.form.at(n, x);
        match self.sign {
            Sign::AtLeast => v >= 0,
            Sign::Zero => v == 0,
            Sign::NotZero => v != 0,
        }
    }
}
