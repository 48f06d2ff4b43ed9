//! A state with some moves of one player forbidden for ever, so that it splits: finds pieces whose sum is that game. In
//! normal play it bounds the value of the state, since forbidding moves of a player never helps him.
//!
//! The live instances of the other player link variables to clusters (as in `split`); instances that only the tied player has
//! link clusters to each other. Clusters are joined, those with the most such instances between them first, as long as no
//! piece grows too heavy. Instances that still lie between two pieces are forbidden. The position of a piece has all
//! variables of the others out of play: so a forbidden instance is not enabled in it if its guard asks for variables of two
//! pieces, which is checked for each. It stays so: an instance of the piece writes no variable that an instance of another
//! observes, or they would be linked.
//!
//! A piece omits variables that none of its instances observes, though some may write them. Such a variable is out of play in
//! the piece and may come into play later, when nothing reads it any more. Code that splits pieces must allow for that
//! (`regions`).

use super::index::each_set;
use super::pack::{Program, and, holds, is_zero, meets, or};
use smallvec::SmallVec;

/// The most clusters.
const MOST: usize = 128;

impl<const N: usize> Program<N> {
    /// The number of enabled instances of each of two players.
    pub(super) fn mobility(&self, state: &[u64; N]) -> [u32; 2] {
        if let Some(rooted) = &self.rooted {
            return rooted.mobility(state);
        }
        match &self.index {
            Some(index) => each_set!(index, S => index.mobility::<S>(state)),
            None => [0, 1].map(|player| {
                let own = self.masks.iter().filter(|m| m.players >> player & 1 == 1);
                own.filter(|m| holds(state, &m.guard)).count() as u32
            }),
        }
    }

    /// Appends the pieces of a state in which moves of `player` are forbidden, of at most `weight` bits each if possible;
    /// false if the state does not split.
    pub(super) fn tied(
        &self,
        state: &[u64; N],
        player: usize,
        weight: u32,
        piece: &mut dyn FnMut([u64; N]),
    ) -> bool {
        if self.keep.is_some() || self.planted || self.asks {
            return false;
        }
        let (live, mut observed, mut written) = self.live(state);
        let v = self.linking(state, &live, &mut observed, &mut written);
        let is_own = |i: u32| self.masks[i as usize].players == 1 << player;
        let touched = |i: u32| {
            let m = &self.masks[i as usize];
            let mut touched = m.observed;
            or(&mut touched, &m.written);
            and(&touched, &v)
        };
        let mut clusters: SmallVec<[[u64; N]; 32]> = SmallVec::new();
        let mut linked = [0; N];
        for i in live.iter().filter(|i| !is_own(**i)) {
            let touched = touched(*i);
            or(&mut linked, &touched);
            join(&mut clusters, touched);
        }
        // Variables that only instances of the tied player touch are clusters of their own.
        let mut alone = v;
        (0..N).for_each(|w| alone[w] &= !linked[w]);
        for field in &self.fields {
            if alone[field.word] & field.mask != 0 {
                let mut one = [0; N];
                one[field.word] = field.mask;
                clusters.push(one);
            }
        }
        if !(2..=MOST).contains(&clusters.len()) {
            return false;
        }
        // The number of instances of the tied player that lie between two clusters.
        let mut between = Between::default();
        for i in live.iter().filter(|i| is_own(**i)) {
            let touched = touched(*i);
            let mut met = (0..clusters.len()).filter(|c| meets(&clusters[*c], &touched));
            let Some(first) = met.next() else {
                // It depends on nothing that can change.
                return false;
            };
            met.for_each(|second| between.count(first, second));
        }
        if live
            .iter()
            .any(|i| is_zero(&and(&self.masks[*i as usize].observed, &v)))
        {
            return false;
        }
        between.join(&mut clusters, weight, &|cluster| {
            and(cluster, state).iter().map(|w| w.count_ones()).sum()
        });
        clusters.retain(|c| !is_zero(c));
        if clusters.len() < 2 {
            return false;
        }
        let mut seen: SmallVec<[[u64; N]; 32]> = SmallVec::from_elem([0; N], clusters.len());
        for i in &live {
            let m = &self.masks[*i as usize];
            let touched = touched(*i);
            let mut met = (0..clusters.len()).filter(|c| meets(&clusters[*c], &touched));
            match (met.next(), met.next()) {
                (Some(c), None) => or(&mut seen[c], &m.observed),
                _ => {
                    // Forbidden: its guard must ask for variables of two pieces.
                    let asked = clusters.iter().filter(|c| meets(c, &m.guard)).count();
                    if asked < 2 {
                        return false;
                    }
                }
            }
        }
        for s in seen.iter().filter(|s| !is_zero(s)) {
            // A piece has no variables of another: the observed variables of V lie in one.
            piece(and(state, s));
        }
        true
    }
}

/// The number of instances between two clusters, which are given by their numbers.
#[derive(Default)]
pub(super) struct Between(Vec<(u32, usize, usize)>);

impl Between {
    /// Counts one more.
    pub(super) fn count(&mut self, first: usize, second: usize) {
        match self.0.iter_mut().find(|b| (b.1, b.2) == (first, second)) {
            Some(b) => b.0 += 1,
            None => self.0.push((1, first, second)),
        }
    }

    /// Joins clusters, those with the most instances between them first, as long as none gets larger than `most`. A cluster
    /// that is joined to another is empty afterwards.
    pub(super) fn join<const N: usize>(
        mut self,
        clusters: &mut [[u64; N]],
        most: u32,
        size: &dyn Fn(&[u64; N]) -> u32,
    ) {
        self.0
            .sort_unstable_by_key(|(n, a, b)| (u32::MAX - n, *a, *b));
        let mut place: SmallVec<[usize; 32]> = (0..clusters.len()).collect();
        for (_, a, b) in self.0 {
            let (a, b) = (place[a], place[b]);
            if a != b && size(&clusters[a]) + size(&clusters[b]) <= most {
                let other = std::mem::replace(&mut clusters[b], [0; N]);
                or(&mut clusters[a], &other);
                place.iter_mut().filter(|p| **p == b).for_each(|p| *p = a);
            }
        }
    }
}

// Adds a set of variables to clusters; those that it meets become one.
fn join<const N: usize>(clusters: &mut SmallVec<[[u64; N]; 32]>, touched: [u64; N]) {
    let mut all = touched;
    clusters.retain(|c| {
        let met = meets(c, &all);
        if met {
            or(&mut all, c);
        }
        !met
    });
    if !is_zero(&all) {
        clusters.push(all);
    }
}
