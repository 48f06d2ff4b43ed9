//! Linear forms in the size of a heap and in the unknowns of a choice, and constraints on them.

/// The maximal number of unknowns besides the heap.
pub(super) const MAX_UNKNOWNS: usize = 2;

/// Forms with larger numbers are refused where they are made ([`Linear::is_small`]). The numbers of all that is made of the
/// others stay far below those of the type.
const MAX_NUMBER: i128 = 1 << 50;

/// The linear form `self.n * n + self.x · x + self.c` in the heap's size n and the unknowns x.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Linear {
    pub(super) n: i128,
    pub(super) x: [i128; MAX_UNKNOWNS],
    pub(super) c: i128,
}

impl Linear {
    pub(super) fn of(c: impl Into<i128>) -> Linear {
        Linear {
            n: 0,
            x: [0; MAX_UNKNOWNS],
            c: c.into(),
        }
    }

    pub(super) fn n() -> Linear {
        Linear {
            n: 1,
            ..Linear::of(0)
        }
    }

    /// The coefficients of the heap and of the unknowns.
    pub(super) fn slopes(&self) -> impl Iterator<Item = i128> {
        [self.n].into_iter().chain(self.x)
    }

    /// Whether sums and multiples of forms like this one can be computed.
    pub(super) fn is_small(&self) -> bool {
        self.slopes().chain([self.c]).all(|a| a.abs() <= MAX_NUMBER)
    }

    pub(super) fn constant(&self) -> Option<i128> {
        self.slopes().all(|a| a == 0).then_some(self.c)
    }

    pub(super) fn plus(&self, o: &Linear) -> Linear {
        let mut sum = self.clone();
        sum.n += o.n;
        sum.c += o.c;
        for (a, b) in sum.x.iter_mut().zip(&o.x) {
            *a += b;
        }
        sum
    }

    pub(super) fn times(&self, k: i128) -> Linear {
        Linear {
            n: self.n * k,
            x: self.x.map(|a| a * k),
            c: self.c * k,
        }
    }

    pub(super) fn minus(&self, o: &Linear) -> Linear {
        self.plus(&o.times(-1))
    }

    pub(super) fn at(&self, n: i64, x: &[i64]) -> i128 {
        let dot: i128 = self.x.iter().zip(x).map(|(a, b)| a * i128::from(*b)).sum();
        self.n * i128::from(n) + dot + self.c
    }

    /// The form where each unknown is another form.
    pub(super) fn at_forms(&self, unknowns: &[Linear; MAX_UNKNOWNS]) -> Linear {
        let own = Linear {
            x: [0; MAX_UNKNOWNS],
            ..self.clone()
        };
        let each = self.x.iter().zip(unknowns);
        each.fold(own, |all, (a, x)| all.plus(&x.times(*a)))
    }

    /// The form where one unknown is another form.
    pub(super) fn with(&self, unknown: usize, form: &Linear) -> Linear {
        let mut own = self.clone();
        own.x[unknown] = 0;
        own.plus(&form.times(self.x[unknown]))
    }

    /// The form with two unknowns exchanged.
    pub(super) fn exchanged(&self, i: usize, j: usize) -> Linear {
        let mut own = self.clone();
        own.x.swap(i, j);
        own
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
