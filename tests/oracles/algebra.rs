//! A second, small algebra of short games for the oracles. It shares no code with the library: a game consists of two sorted
//! lists of handles, the order is the definition (G >= 0 if no Right option is <= 0), and the simplest form is Conway's (On
//! Numbers and Games, ch. 10): delete dominated options, bypass reversible ones.

use std::collections::HashMap;

/// A handle of a game in simplest form. Equal games have equal handles.
pub type Id = usize;

/// All games met so far.
#[derive(Default)]
pub struct Games {
    forms: Vec<(Vec<Id>, Vec<Id>)>,
    index: HashMap<(Vec<Id>, Vec<Id>), Id>,
    order: HashMap<(Id, Id), bool>,
    sums: HashMap<(Id, Id), Id>,
    negatives: HashMap<Id, Id>,
}

impl Games {
    pub fn left(&self, g: Id) -> Vec<Id> {
        self.forms[g].0.clone()
    }

    pub fn right(&self, g: Id) -> Vec<Id> {
        self.forms[g].1.clone()
    }

    fn intern(&mut self, mut left: Vec<Id>, mut right: Vec<Id>) -> Id {
        left.sort_unstable();
        left.dedup();
        right.sort_unstable();
        right.dedup();
        let forms = &mut self.forms;
        *self
            .index
            .entry((left.clone(), right.clone()))
            .or_insert_with(|| {
                forms.push((left, right));
                forms.len() - 1
            })
    }

    /// g <= h if no Left option of g is >= h and no Right option of h is <= g.
    pub fn le(&mut self, g: Id, h: Id) -> bool {
        if g == h {
            return true;
        }
        if let Some(&known) = self.order.get(&(g, h)) {
            return known;
        }
        let answer = !self.left(g).into_iter().any(|l| self.le(h, l))
            && !self.right(h).into_iter().any(|r| self.le(r, g));
        self.order.insert((g, h), answer);
        answer
    }

    /// The simplest form of `{ left | right }`.
    pub fn game(&mut self, left: &[Id], right: &[Id]) -> Id {
        let (mut left, mut right) = (left.to_vec(), right.to_vec());
        loop {
            left = self.maximal(&left);
            right = self.minimal(&right);
            let draft = (left.clone(), right.clone());
            let mut changed = false;
            let mut kept = Vec::new();
            for l in left {
                // l is reversible through its Right option r if r <= G. It is replaced by the Left options of r.
                match self
                    .right(l)
                    .into_iter()
                    .find(|&r| self.draft_ge(&draft, r))
                {
                    Some(r) => {
                        kept.extend(self.left(r));
                        changed = true;
                    }
                    None => kept.push(l),
                }
            }
            left = kept;
            let mut kept = Vec::new();
            for r in right {
                match self.left(r).into_iter().find(|&l| self.draft_le(&draft, l)) {
                    Some(l) => {
                        kept.extend(self.right(l));
                        changed = true;
                    }
                    None => kept.push(r),
                }
            }
            right = kept;
            if !changed {
                return self.intern(left, right);
            }
        }
    }

    /// `{ left | right } >= h`, for a game that is not interned.
    fn draft_ge(&mut self, draft: &(Vec<Id>, Vec<Id>), h: Id) -> bool {
        !draft.1.iter().any(|&r| self.le(r, h))
            && !self.left(h).into_iter().any(|l| self.draft_le(draft, l))
    }

    fn draft_le(&mut self, draft: &(Vec<Id>, Vec<Id>), h: Id) -> bool {
        !draft.0.iter().any(|&l| self.le(h, l))
            && !self.right(h).into_iter().any(|r| self.draft_ge(draft, r))
    }

    fn maximal(&mut self, options: &[Id]) -> Vec<Id> {
        let mut kept: Vec<Id> = Vec::new();
        for &g in options {
            if !kept.iter().any(|&h| self.le(g, h)) {
                kept.retain(|&h| !self.le(h, g));
                kept.push(g);
            }
        }
        kept
    }

    fn minimal(&mut self, options: &[Id]) -> Vec<Id> {
        let mut kept: Vec<Id> = Vec::new();
        for &g in options {
            if !kept.iter().any(|&h| self.le(h, g)) {
                kept.retain(|&h| !self.le(g, h));
                kept.push(g);
            }
        }
        kept
    }

    pub fn neg(&mut self, g: Id) -> Id {
        if let Some(&known) = self.negatives.get(&g) {
            return known;
        }
        let left: Vec<Id> = self.right(g).into_iter().map(|r| self.neg(r)).collect();
        let right: Vec<Id> = self.left(g).into_iter().map(|l| self.neg(l)).collect();
        let answer = self.intern(left, right);
        self.negatives.insert(g, answer);
        answer
    }

    pub fn add(&mut self, g: Id, h: Id) -> Id {
        let key = (g.min(h), g.max(h));
        if let Some(&known) = self.sums.get(&key) {
            return known;
        }
        let mut left: Vec<Id> = self.left(g).into_iter().map(|l| self.add(l, h)).collect();
        left.extend(
            self.left(h)
                .into_iter()
                .map(|l| self.add(g, l))
                .collect::<Vec<_>>(),
        );
        let mut right: Vec<Id> = self.right(g).into_iter().map(|r| self.add(r, h)).collect();
        right.extend(
            self.right(h)
                .into_iter()
                .map(|r| self.add(g, r))
                .collect::<Vec<_>>(),
        );
        let answer = self.game(&left, &right);
        self.sums.insert(key, answer);
        answer
    }

    pub fn zero(&mut self) -> Id {
        self.intern(vec![], vec![])
    }

    pub fn integer(&mut self, n: i64) -> Id {
        let zero = self.zero();
        (0..n.abs()).fold(zero, |g, _| {
            if n > 0 {
                self.intern(vec![g], vec![])
            } else {
                self.intern(vec![], vec![g])
            }
        })
    }

    pub fn nimber(&mut self, n: u64) -> Id {
        let mut options = Vec::new();
        for _ in 0..n {
            let g = self.intern(options.clone(), options.clone());
            options.push(g);
        }
        self.intern(options.clone(), options)
    }

    /// m / 2^k.
    pub fn dyadic(&mut self, m: i64, k: u32) -> Id {
        if k == 0 {
            return self.integer(m);
        }
        if m % 2 == 0 {
            return self.dyadic(m / 2, k - 1);
        }
        let (left, right) = (
            self.dyadic((m - 1) / 2, k - 1),
            self.dyadic((m + 1) / 2, k - 1),
        );
        self.intern(vec![left], vec![right])
    }

    /// n times up; n may be negative.
    pub fn ups(&mut self, n: i64) -> Id {
        let (zero, star) = (self.zero(), self.nimber(1));
        let unit = if n >= 0 {
            self.game(&[zero], &[star])
        } else {
            self.game(&[star], &[zero])
        };
        (0..n.abs()).fold(zero, |g, _| self.add(g, unit))
    }

    /// `{0 || 0 | -g}`
    pub fn tiny(&mut self, g: Id) -> Id {
        let (zero, minus) = (self.zero(), self.neg(g));
        let threat = self.game(&[zero], &[minus]);
        self.game(&[zero], &[threat])
    }

    /// (m, k) where g = m / 2^k, if g is a number.
    pub fn as_number(&self, g: Id) -> Option<(i64, u32)> {
        match (self.forms[g].0.as_slice(), self.forms[g].1.as_slice()) {
            ([], []) => Some((0, 0)),
            (&[l], []) => self
                .as_number(l)
                .filter(|&(m, k)| k == 0 && m >= 0)
                .map(|(m, _)| (m + 1, 0)),
            ([], &[r]) => self
                .as_number(r)
                .filter(|&(m, k)| k == 0 && m <= 0)
                .map(|(m, _)| (m - 1, 0)),
            (&[l], &[r]) => {
                let ((a, i), (b, j)) = (self.as_number(l)?, self.as_number(r)?);
                let k = i.max(j);
                let (a, b) = (a << (k - i), b << (k - j));
                (b - a == 1).then_some((a + b, k + 1))
            }
            _ => None,
        }
    }
}
