//! Components of packed states (language.md, section 7.2).
//!
//! The live instances at a state are the least set that contains every instance each of whose atoms is met by the present
//! value or by one that a live instance may write. V is the set of variables that some live instance observes and some live
//! instance writes. Live instances that share a variable of V are linked; with components `L1 .. Lk`, the position is
//! isomorphic to the sum of the positions played with `Li` only. The position of a component keeps the variables that its
//! instances observe and has all others out of play.
//!
//! `keep reach(root)` reads and writes every edge that is joined to the removed edge without passing the root.

use super::index::{each, each_set};
use super::pack::{Program, and, holds, is_zero, meets, or};
use smallvec::SmallVec;

/// Live instances, by index of their mask.
pub(super) type Live = SmallVec<[u32; 64]>;

impl<const N: usize> Program<N> {
    /// The live instances, with all variables that they observe and all that they write.
    pub(super) fn live(&self, state: &[u64; N]) -> (Live, [u64; N], [u64; N]) {
        let all = self.live_at_most(state, usize::MAX);
        // No set exceeds this limit.
        all.unwrap_or_else(|| (Live::new(), [0; N], [0; N]))
    }

    /// The same, if at most `most` instances are live.
    pub(super) fn live_at_most(
        &self,
        state: &[u64; N],
        most: usize,
    ) -> Option<(Live, [u64; N], [u64; N])> {
        if let Some(index) = &self.index {
            return each_set!(index, S => {
                let (found, observed, written): (S, _, _) =
                    index.live_at_most(state, &self.always, most)?;
                let mut live = Live::new();
                each(&found, |i| live.push(i as u32));
                Some((live, observed, written))
            });
        }
        let mut possible = and(state, &self.atoms);
        or(&mut possible, &self.always);
        let mut live = Live::new();
        let (mut observed, mut written) = ([0; N], [0; N]);
        let mut first = possible;
        let mut in_it: SmallVec<[u64; 8]> = SmallVec::new();
        loop {
            for (i, m) in self.masks.iter().enumerate() {
                if holds(&possible, &m.guard)
                    && in_it.get(i >> 6).is_none_or(|w| w >> (i & 63) & 1 == 0)
                {
                    live.push(i as u32);
                    or(&mut observed, &m.observed);
                    or(&mut written, &m.written);
                    or(&mut possible, &m.gives);
                }
            }
            if live.len() > most {
                return None;
            }
            if possible == first {
                return Some((live, observed, written));
            }
            // More atoms can be met: another pass over the instances that are not live yet.
            first = possible;
            in_it.clear();
            in_it.resize(self.masks.len().div_ceil(64), 0);
            for i in &live {
                in_it[*i as usize >> 6] |= 1 << (i & 63);
            }
        }
    }

    /// The variables that link: observed by some live instance and written by some live instance.
    pub(super) fn linking(
        &self,
        state: &[u64; N],
        live: &Live,
        observed: &mut [u64; N],
        written: &mut [u64; N],
    ) -> [u64; N] {
        if let Some(keep) = &self.keep
            && !live.is_empty()
        {
            // Cutting off reads every edge that is there, and may remove it.
            let fields = keep.fields_there(state);
            or(observed, &fields);
            or(written, &fields);
        }
        and(observed, written)
    }

    /// Appends the independent parts of a state.
    pub(super) fn split(&self, state: &[u64; N], part: &mut dyn FnMut([u64; N])) {
        if let Some(rooted) = &self.rooted {
            rooted.split(state, part);
            return;
        }
        if self.asks {
            // Conditions may read everything.
            part(*state);
            return;
        }
        if let Some(index) = &self.index {
            each_set!(index, S => self.split_by_sets::<S>(index, state, part));
            return;
        }
        let (live, mut observed, mut written) = self.live(state);
        if live.is_empty() {
            return;
        }
        let v = self.linking(state, &live, &mut observed, &mut written);
        let mut components: SmallVec<[[u64; N]; 8]> = SmallVec::new();
        // If edges may be separate from the root, the first move of any part removes them.
        let mut alone = self.keep.as_ref().is_some_and(|k| !k.joined);
        for i in &live {
            let m = &self.masks[*i as usize];
            let seen = and(&m.observed, &v);
            alone |= is_zero(&seen);
            let mut touched = seen;
            or(&mut touched, &and(&m.written, &v));
            join(&mut components, touched);
            if components.len() == 1 && components[0] == v && self.keep.is_none() {
                // Everything is linked already.
                break;
            }
        }
        if let Some(keep) = &self.keep {
            for e in keep.edges.iter().filter(|e| meets(state, &e.bit)) {
                let mut touched = and(&e.joined, &v);
                or(&mut touched, &e.field);
                let mut there = [0; N];
                for f in keep.edges.iter().filter(|f| meets(state, &f.bit)) {
                    if meets(&touched, &f.field) {
                        or(&mut there, &f.field);
                    }
                }
                join(&mut components, there);
            }
        }
        if components.len() == 1 || (alone && !self.planted) {
            // An instance that observes nothing that can change can be played for ever, so the state is not split.
            part(and(state, &observed));
            return;
        }
        let mut seen: SmallVec<[[u64; N]; 8]> = SmallVec::from_elem([0; N], components.len());
        for i in &live {
            let m = &self.masks[*i as usize];
            let touched = and(&m.observed, &v);
            if let Some(c) = components.iter().position(|c| meets(c, &touched)) {
                or(&mut seen[c], &m.observed);
            }
        }
        for (s, c) in seen.iter().zip(&components) {
            if is_zero(s) {
                // Edges that no move removes or cuts off.
                continue;
            }
            let mut all = *s;
            if self.keep.is_some() {
                or(&mut all, c);
            }
            part(and(state, &all));
        }
    }

    /// Whether all live instances belong to every player.
    pub(super) fn all_share(&self, state: &[u64; N]) -> bool {
        if self.impartial {
            return true;
        }
        if let Some(rooted) = &self.rooted {
            return rooted.all_share(state);
        }
        if let Some(index) = &self.index {
            return each_set!(index, S => index.all_share::<S>(state, &self.always));
        }
        let players = self.ground.setting.instance.players.len();
        let everyone = if players >= 64 {
            u64::MAX
        } else {
            (1u64 << players) - 1
        };
        let (live, _, _) = self.live(state);
        live.iter()
            .all(|i| self.masks[*i as usize].players == everyone)
    }
}

/// Adds the fields of an instance to the component that they meet, and joins the components that they link.
#[inline]
fn join<const N: usize>(components: &mut SmallVec<[[u64; N]; 8]>, touched: [u64; N]) {
    let mut all = touched;
    let mut first = None;
    let mut i = 0;
    while i < components.len() {
        if meets(&components[i], &all) {
            or(&mut all, &components[i].clone());
            match first {
                None => {
                    first = Some(i);
                    i += 1;
                }
                Some(_) => {
                    components.swap_remove(i);
                }
            }
        } else {
            i += 1;
        }
    }
    match first {
        Some(f) => components[f] = all,
        None if is_zero(&all) => {}
        None => components.push(all),
    }
}
