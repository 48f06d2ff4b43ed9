//! The two conditions of the theorem in `quotient`: a monoid with marked elements and parts come in; they hold, or the least failing
//! sum that was met goes out.

use super::super::{Word, sum};
use super::Quotient;
use super::monoid::{Bits, Monoid};
use crate::game::{Budget, Limit};

/// A sum at which the marks contradict each other.
pub(super) struct Failure {
    /// The marks of this sum and of its options cannot all be right.
    pub word: Word,
    /// An option that is marked P, as the sum itself is; where there is none, the sum and all its options are not marked.
    pub option: Option<Word>,
}

/// No state.
const NOBODY: usize = usize::MAX;

/// A state: what matters of a sum.
#[derive(Clone)]
struct State {
    /// U(w).
    open: Bits,
    /// The state that it came from, and the part that was added.
    from: usize,
    part: u32,
    element: u16,
}

/// The states of all sums of the parts so far, with the greatest sets only.
#[derive(Clone)]
pub(super) struct Conditions {
    order: usize,
    /// Of each element x and t: which y have xty in P; row x holds the bits of {z : xz in P}.
    rows: Vec<Bits>,
    /// Of each x, those t for which an element y has xy and ty both in P: no option of x may be one of them.
    clash: Vec<Bits>,
    /// All states that were ever kept.
    states: Vec<State>,
    /// Of each element the states that are kept.
    kept: Vec<Vec<usize>>,
    /// Pairs (Φ, T) of parts that were taken in.
    taken: hashbrown::HashSet<(u16, Bits), rustc_hash::FxBuildHasher>,
}

impl Conditions {
    /// Of a quotient; the sum of no parts is not asked to have an option.
    pub(super) fn of(q: &Quotient) -> Conditions {
        let marks: Vec<bool> = (0..q.order() as u16).map(|x| q.is_p(x)).collect();
        Conditions::new(&q.monoid, &marks, None)
    }

    /// Of a monoid with marked elements. Where further answers are given, a sum whose element is one of them needs no option, and every other sum
    /// that is not marked does, the sum of no parts too.
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
        // State 0 is the sum of no parts; where it needs no option it is followed, but excuses no other.
        if answers.is_some() {
            kept[0].push(0);
        }
        let states = vec![State {
            open: start,
            from: NOBODY,
            part: 0,
            element: 0,
        }];
        let clash = (0..n)
            .map(|x| {
                let mut row = Bits::none(n);
                for t in 0..n {
                    if rows[x].meets(&rows[t]) {
                        row.set(t);
                    }
                }
                row
            })
            .collect();
        Conditions {
            order: n,
            rows,
            clash,
            states,
            kept,
            taken: hashbrown::HashSet::with_hasher(rustc_hash::FxBuildHasher),
        }
    }

    /// The kept states: of each element the greatest sets.
    pub(super) fn greatest(&self) -> Vec<(u16, Vec<u16>)> {
        let all = self.kept.iter().flatten();
        all.map(|i| {
            let s = &self.states[*i];
            (s.element, s.open.list())
        })
        .collect()
    }

    /// Whether an option of a part with element x, one of those in `options`, may be a P-position together with it.
    pub(super) fn clashes(&self, x: u16, options: &Bits) -> bool {
        self.clash[usize::from(x)].meets(options)
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

    /// Takes in a part with element x whose options come to `options`; `least` gives a word of an element and `option` an
    /// option of the part with an element.
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
        // (P)
        let mut worst: Option<Failure> = None;
        let row = &self.clash[usize::from(x)];
        for t in options.list() {
            if !row.has(usize::from(t)) {
                continue;
            }
            let option = option(t);
            for y in 0..n {
                if self.rows[usize::from(x)].has(y) && self.rows[usize::from(t)].has(y) {
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
        // (N): zty in P for an option t, of each z that is met.
        let mut allowed: Vec<Option<Bits>> = vec![None; n];
        let options = options.list();
        let times_x: Vec<u16> = (0..n as u16).map(|y| q.times(x, y)).collect();
        // The sums so far, and the sum of no parts, to which the part is added once or more.
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
