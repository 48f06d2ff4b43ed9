//! Checks the two conditions of the theorem in `quotient`. Input: a monoid with marked elements, and parts. Output: that the
//! conditions hold, or the lightest failing sum found.

use super::super::{Word, sum};
use super::Quotient;
use super::monoid::{Bits, Monoid};
use crate::game::{Budget, Limit};

/// A sum at which the marks are contradictory.
pub(super) struct Failure {
    /// The marks of this sum and of its options cannot all be right.
    pub word: Word,
    /// An option that is marked P, like the sum itself; `None` if neither the sum nor any of its options is marked.
    pub option: Option<Word>,
}

/// The predecessor of state 0.
const NOBODY: usize = usize::MAX;

/// The state (Φ(w), U(w)) of a sum w.
#[derive(Clone)]
struct State {
    /// U(w).
    open: Bits,
    /// The predecessor, and the part that was added to it.
    from: usize,
    part: u32,
    element: u16,
}

/// The states of all sums of the parts so far; for each element only the maximal sets.
#[derive(Clone)]
pub(super) struct Conditions {
    order: usize,
    /// Row x is the set {z : xz in P}.
    rows: Vec<Bits>,
    /// All states that were ever kept, including those dominated since.
    states: Vec<State>,
    /// For each element its states with maximal sets.
    kept: Vec<Vec<usize>>,
    /// The pairs (Φ, T) of the parts added so far.
    taken: hashbrown::HashSet<(u16, Bits), rustc_hash::FxBuildHasher>,
}

impl Conditions {
    /// The conditions for a quotient; the empty sum needs no option in P.
    pub(super) fn of(q: &Quotient) -> Conditions {
        let marks: Vec<bool> = (0..q.order() as u16).map(|x| q.is_p(x)).collect();
        Conditions::new(&q.monoid, &marks, None)
    }

    /// The conditions for a monoid with marked elements. With `answers`, a sum whose element is in `answers` needs no option
    /// in P, and every other sum that is not marked does, including the empty sum.
    pub(super) fn new(q: &Monoid, marks: &[bool], answers: Option<&[bool]>) -> Conditions {
        let n = q.order();
        let mut rows = Vec::with_capacity(n);
        for x in 0..n as u16 {
            let mut row = Bits::none(n);
            for y in 0..n as u16 {
                if marks[usize::from(q.times(x, y))] {
                    row.set(usize::from(y));
                }
            }
            rows.push(row);
        }
        let mut start = Bits::none(n);
        for (y, marked) in marks.iter().enumerate() {
            if !marked && !answers.is_some_and(|a| a[y]) {
                start.set(y);
            }
        }
        let mut kept = vec![Vec::new(); n];
        // State 0 is the empty sum. Where it needs no option, it is extended but dominates no other state.
        if answers.is_some() {
            kept[0].push(0);
        }
        let states = vec![State {
            open: start,
            from: NOBODY,
            part: 0,
            element: 0,
        }];
        Conditions {
            order: n,
            rows,
            states,
            kept,
            taken: hashbrown::HashSet::with_hasher(rustc_hash::FxBuildHasher),
        }
    }

    /// The kept states: for each element its maximal sets.
    pub(super) fn greatest(&self) -> Vec<(u16, Vec<u16>)> {
        let all = self.kept.iter().flatten();
        all.map(|i| {
            let s = &self.states[*i];
            (s.element, s.open.list())
        })
        .collect()
    }

    /// Whether some element of `options` and x are both in P beside some y, so that no part with these options can have the
    /// element x.
    pub(super) fn clashes(&self, x: u16, options: &Bits) -> bool {
        let row = &self.rows[usize::from(x)];
        let both = |t: u16| row.meets(&self.rows[usize::from(t)]);
        options.list().into_iter().any(both)
    }

    fn word_of(&self, mut at: usize) -> Word {
        let mut word = Word::new();
        while self.states[at].from != NOBODY {
            word.push(self.states[at].part);
            at = self.states[at].from;
        }
        word.sort_unstable();
        word
    }

    /// Adds a part with element x and the set `options` of the products of its options. `option` returns an option of the
    /// part with a given element. The lightest failure by `weight` is returned.
    pub(super) fn add(
        &mut self,
        q: &Monoid,
        (part, x, options): (u32, u16, &Bits),
        option: &mut dyn FnMut(u16) -> Word,
        weight: &dyn Fn(&[u32]) -> u64,
        budget: &Budget,
    ) -> Result<Result<(), Failure>, Limit> {
        if !self.taken.insert((x, options.clone())) {
            return Ok(Ok(()));
        }
        let n = self.order;
        // Condition (P).
        let mut worst: Option<Failure> = None;
        let row = &self.rows[usize::from(x)];
        for t in options.list() {
            if !row.meets(&self.rows[usize::from(t)]) {
                continue;
            }
            let option = option(t);
            for y in 0..n {
                if row.has(y) && self.rows[usize::from(t)].has(y) {
                    let word = sum(&q.words[y], &[part]);
                    if worst
                        .as_ref()
                        .is_none_or(|w| weight(&word) < weight(&w.word))
                    {
                        let option = sum(&q.words[y], &option);
                        worst = Some(Failure {
                            word,
                            option: Some(option),
                        });
                    }
                }
            }
        }
        if let Some(failure) = worst {
            return Ok(Err(failure));
        }
        // Condition (N). For each z the set of y with zty in P for some option t, computed on demand.
        let mut allowed: Vec<Option<Bits>> = vec![None; n];
        let options = options.list();
        let times_x: Vec<u16> = (0..n as u16).map(|y| q.times(x, y)).collect();
        // All kept states and the empty sum. The part is added to each once or more.
        let mut queue: Vec<usize> = vec![0];
        queue.extend(self.kept.iter().flatten().copied().filter(|i| *i != 0));
        let mut worst: Option<Word> = None;
        while let Some(from) = queue.pop() {
            budget.charge()?;
            let z = self.states[from].element;
            if from != 0 && !self.kept[usize::from(z)].contains(&from) {
                continue;
            }
            let open = &self.states[from].open;
            let hit = allowed[usize::from(z)].get_or_insert_with(|| {
                let mut hit = Bits::none(n);
                for t in &options {
                    hit.join(&self.rows[usize::from(q.times(z, *t))]);
                }
                hit
            });
            let mut next = Bits::none(n);
            for (y, xy) in times_x.iter().enumerate() {
                if open.has(usize::from(*xy)) && !hit.has(y) {
                    next.set(y);
                }
            }
            if next.is_empty() {
                continue;
            }
            if next.has(0) {
                let word = sum(&self.word_of(from), &[part]);
                if worst.as_ref().is_none_or(|w| weight(&word) < weight(w)) {
                    worst = Some(word);
                }
                continue;
            }
            let element = q.times(z, x);
            let kept = &mut self.kept[usize::from(element)];
            if kept.iter().any(|i| next.is_within(&self.states[*i].open)) {
                continue;
            }
            kept.retain(|i| !self.states[*i].open.is_within(&next));
            let at = self.states.len();
            kept.push(at);
            self.states.push(State {
                open: next,
                from,
                part,
                element,
            });
            queue.push(at);
        }
        Ok(match worst {
            Some(word) => Err(Failure { word, option: None }),
            None => Ok(()),
        })
    }
}
