//! Regions: parts of a packed state that may split further. They are found by a flood from variable to variable, while
//! `split` first finds the live instances.
//!
//! A variable is in play if some bit of its field is set. An instance can be played, now or later, only while all variables
//! that it *observes* are in play: a value encoded as 0 never meets a guard again ([`super::pack`]), and if a variable out of
//! play is observed by an instance that can still be played, no instance writes it (below). So the instances all of whose
//! observed variables are in play are a superset of the live ones, and this superset shrinks during play. The parts that it
//! links are independent (language.md, section 7.2, with more instances than necessary).
//!
//! An instance links the variables that it observes, and each variable that it writes without observing it, if that is in
//! play. The latter need not be in play: parts (`split`) and pieces (`tied`) drop variables that no live instance observes;
//! nothing reads them any more, though they may still be written. If an instance linked the variables it observes only while
//! all that it *writes* is in play, such a part would be split into pieces that are not independent. The links depend only on
//! which variables are in play: if a move takes none of them out of play, a part remains one part.
//!
//! Instances that contain others linking the same variables are omitted when the board is compiled: all slides of a queen
//! link no more than her single steps do.
//!
//! Hypotheses: the guard of each instance asks for a variable that some instance writes; a variable that some instance writes
//! without observing it is in play with any of its values, so that it is out of play only in parts none of whose instances
//! observes it; there is no `keep`.

use super::index::each;
use super::pack::{Field, Mask, Program, and, holds, is_zero, meets, or, without};
use smallvec::SmallVec;
use std::cmp::Ordering;

/// The most sets of three or more variables that link.
const MOST_LINKS: usize = 128;
/// The most words compared while a board is compiled. Beyond it there are no regions, or `guards` is not reduced to the
/// least.
const MOST_COMPARED: usize = 1 << 24;

/// The links between the variables of a board. A set of variables is given by the highest bit (head) of each field.
#[derive(Clone, Debug)]
pub(super) struct Regions<const N: usize> {
    heads: [u64; N],
    /// All bits of fields below their heads.
    below: [u64; N],
    /// Bits that every part keeps: those of variables that are never written.
    kept: [u64; N],
    /// For each head, by word * 64 + bit: its field in place, and the heads that links of two variables join it to.
    near: Vec<([u64; N], [u64; N])>,
    /// Sets of three or more variables that are linked while all are in play.
    links: Vec<[u64; N]>,
    /// The least guards: if none of them is met, no instance is enabled.
    guards: Vec<[u64; N]>,
}

fn within<const N: usize>(a: &[u64; N], b: &[u64; N]) -> bool {
    (0..N).all(|i| a[i] & !b[i] == 0)
}

fn count<const N: usize>(a: &[u64; N]) -> u32 {
    a.iter().map(|w| w.count_ones()).sum()
}

/// Sorts sets by size. (Sorting the sets in place would be compiled for each width.)
fn by_size<const N: usize>(sets: &[[u64; N]]) -> Vec<[u64; N]> {
    let rank = |i: usize| (count(&sets[i]), &sets[i]);
    let mut order: Vec<usize> = (0..sets.len()).collect();
    let compare: &mut dyn FnMut(&usize, &usize) -> Ordering = &mut |a, b| rank(*a).cmp(&rank(*b));
    order.sort_by(compare);
    order.into_iter().map(|i| sets[i]).collect()
}

/// The first bit of a set, unless it is empty.
#[inline]
fn first<const N: usize>(set: &[u64; N]) -> Option<[u64; N]> {
    let w = set.iter().position(|w| *w != 0)?;
    let mut one = [0; N];
    one[w] = set[w] & set[w].wrapping_neg();
    Some(one)
}

impl<const N: usize> Regions<N> {
    /// The links of a board; `None` if a hypothesis above fails.
    pub(super) fn new(fields: &[Field], masks: &[Mask<N>]) -> Option<Regions<N>> {
        let mut left = MOST_COMPARED.checked_sub(fields.len().checked_mul(masks.len())?)?;
        let mut written = [0; N];
        for m in masks {
            or(&mut written, &m.written);
        }
        let mut regions = Regions {
            heads: [0; N],
            below: [0; N],
            kept: [0; N],
            near: vec![([0; N], [0; N]); 64 * N],
            links: Vec::new(),
            guards: Vec::new(),
        };
        let mut head_of = Vec::with_capacity(fields.len());
        for f in fields {
            if f.mask == 0 {
                return None;
            }
            let top = 63 - f.mask.leading_zeros();
            let mut head = [0; N];
            if written[f.word] & f.mask == 0 {
                regions.kept[f.word] |= f.mask;
            } else {
                head[f.word] = 1 << top;
                regions.below[f.word] |= f.mask & !(1 << top);
                or(&mut regions.heads, &head);
                regions.near[f.word * 64 + top as usize].0[f.word] = f.mask;
            }
            head_of.push(head);
        }
        let in_place = |f: &Field, set: &[u64; N]| set[f.word] & f.mask != 0;
        let mut sets: Vec<[u64; N]> = Vec::new();
        for m in masks {
            let (mut seen, mut asked) = ([0; N], false);
            let mut blind = Vec::new();
            for (f, head) in fields.iter().zip(&head_of) {
                let (sees, writes) = (in_place(f, &m.observed), in_place(f, &m.written));
                if sees {
                    or(&mut seen, head);
                    asked |= in_place(f, &m.guard) && !is_zero(head);
                } else if writes {
                    if f.patterns.contains(&0) {
                        return None;
                    }
                    blind.push(*head);
                }
            }
            if !asked || m.keep {
                return None;
            }
            for head in blind {
                let mut set = seen;
                or(&mut set, &head);
                sets.push(set);
            }
            sets.push(seen);
        }
        let mut sets = by_size(&sets);
        sets.dedup();
        let mut taken: Vec<[u64; N]> = Vec::new();
        for set in sets.iter().filter(|set| count(set) > 1) {
            left = left.checked_sub(N * taken.len())?;
            // The variables that smaller sets link within this one.
            let mut own = first(set)?;
            let inner: Vec<&[u64; N]> = taken.iter().filter(|t| within(t, set)).collect();
            loop {
                let before = own;
                for t in &inner {
                    if meets(t, &own) {
                        or(&mut own, t);
                    }
                }
                if own == before {
                    break;
                }
            }
            if within(set, &own) {
                continue;
            }
            taken.push(*set);
            if count(set) == 2 {
                each(set, |bit| or(&mut regions.near[bit].1, set));
            } else {
                regions.links.push(*set);
            }
            if regions.links.len() > MOST_LINKS {
                return None;
            }
        }
        let guards: Vec<[u64; N]> = masks.iter().map(|m| m.guard).collect();
        let mut guards = by_size(&guards);
        guards.dedup();
        for g in guards {
            left = left.saturating_sub(N * regions.guards.len());
            if left == 0 || !regions.guards.iter().any(|less| within(less, &g)) {
                regions.guards.push(g);
            }
        }
        Some(regions)
    }

    /// A planted mistake: nothing is linked.
    pub(super) fn without_links(mut self) -> Regions<N> {
        self.links.clear();
        self.near.iter_mut().for_each(|near| near.1 = [0; N]);
        self
    }

    /// The heads of the variables in play.
    #[inline]
    fn in_play(&self, state: &[u64; N]) -> [u64; N] {
        // The addition carries into the head of a field if a lower bit is set; nothing is carried further.
        std::array::from_fn(|w| {
            let low = state[w] & self.below[w];
            ((low.wrapping_add(self.below[w])) | state[w]) & self.heads[w]
        })
    }

    /// Whether some instance is enabled.
    #[inline]
    fn moves(&self, state: &[u64; N]) -> bool {
        self.guards.iter().any(|g| holds(state, g))
    }

    /// Appends the regions of a state in which some instance is enabled; `from` is a region of which the state is an option.
    #[inline]
    pub(super) fn split(
        &self,
        from: Option<&[u64; N]>,
        state: &[u64; N],
        part: &mut dyn FnMut([u64; N]),
    ) {
        let mut one = |p: [u64; N]| {
            if self.moves(&p) {
                part(p);
            }
        };
        let all = self.in_play(state);
        // Each region contains one of the `ends`; once all of these are reached, what is left is one region.
        let mut ends = all;
        if let Some(from) = from {
            let before = self.in_play(from);
            if before == all {
                one(*state);
                return;
            }
            let gone = without(&before, &all);
            ends = [0; N];
            each(&gone, |bit| or(&mut ends, &self.near[bit].1));
            for link in self.links.iter().filter(|link| meets(link, &gone)) {
                if within(link, &before) {
                    or(&mut ends, link);
                }
            }
            ends = and(&ends, &all);
        }
        let links: SmallVec<[&[u64; N]; 64]> = self
            .links
            .iter()
            .filter(|link| within(link, &all))
            .collect();
        let mut rest = all;
        let mut whole = true;
        while let Some(mut frontier) = first(&ends) {
            let mut own = frontier;
            while !is_zero(&frontier) {
                if within(&ends, &own) {
                    // The last region is all that is left.
                    if whole {
                        one(*state);
                    } else {
                        one(self.cut(state, &rest));
                    }
                    return;
                }
                let mut next = [0; N];
                each(&frontier, |bit| or(&mut next, &self.near[bit].1));
                for link in &links {
                    if meets(link, &frontier) {
                        or(&mut next, link);
                    }
                }
                for w in 0..N {
                    frontier[w] = next[w] & all[w] & !own[w];
                    own[w] |= frontier[w];
                }
            }
            whole = false;
            rest = without(&rest, &own);
            ends = without(&ends, &own);
            one(self.cut(state, &own));
        }
        if !is_zero(&rest) {
            // Variables that no region reached form one more part.
            one(self.cut(state, &rest));
        }
    }

    /// A state restricted to a set of variables.
    fn cut(&self, state: &[u64; N], set: &[u64; N]) -> [u64; N] {
        let mut bits = self.kept;
        each(set, |bit| or(&mut bits, &self.near[bit].0));
        and(state, &bits)
    }
}

impl<const N: usize> Program<N> {
    /// The number of variables in play, if there are regions.
    #[inline]
    pub(super) fn variables_in_play(&self, state: &[u64; N]) -> Option<usize> {
        let regions = self.regions.as_ref()?;
        Some(count(&regions.in_play(state)) as usize)
    }

    /// Appends the regions of a state, which may split further; false if there are none. `from` is a part of which the state
    /// is an option.
    #[inline]
    pub(super) fn regions(
        &self,
        from: Option<&[u64; N]>,
        state: &[u64; N],
        part: &mut dyn FnMut([u64; N]),
    ) -> bool {
        match &self.regions {
            Some(regions) => {
                regions.split(from, state, part);
                true
            }
            None => false,
        }
    }
}
