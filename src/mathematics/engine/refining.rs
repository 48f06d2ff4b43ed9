//! Regions that may fall apart further ([`Analysis::regions`]): they come in, parts go out, as fine as it pays.
//!
//! To split a region for good takes longer than to find it. It pays where several regions come to the same parts, or where
//! regions fall apart. That is tried out on some regions in a row, at first and from time to time, without use being made
//! of it: a part is written otherwise than the region that it is made of, so what is split only now and then is known
//! twice. Once it pays, all regions are split from there on. Parts that are coarser than they need be are right, too.

use super::scheduler::{self, Share};
use super::table::hash_of;
use crate::game::{Analysis, Game};
use rustc_hash::FxHashSet;
use std::hash::Hash;

/// What is known of whether it pays.
#[derive(Debug)]
pub(crate) struct Refining<P> {
    regions: Vec<P>,
    // All regions are split.
    open: bool,
    // Regions that came and were not known, since the last trial began; when the next begins.
    seen: u32,
    next: u32,
    // Of those that are tried: hashes of the regions and of what they come to, and how many fall apart.
    before: FxHashSet<u64>,
    after: FxHashSet<u64>,
    apart: usize,
}

impl<P> Default for Refining<P> {
    fn default() -> Refining<P> {
        Refining {
            regions: Vec::new(),
            open: false,
            seen: 0,
            next: scheduler::TRIALS[0],
            before: FxHashSet::default(),
            after: FxHashSet::default(),
            apart: 0,
        }
    }
}

impl<P: Clone + Eq + Hash> Refining<P> {
    /// Takes the regions from there on to parts, where that pays, but for those that are known; how many were split.
    pub(crate) fn refine<G: Game<Position = P>>(
        &mut self,
        game: &G,
        from: usize,
        parts: &mut Vec<P>,
        known: impl Fn(u64, &P) -> bool,
    ) -> u64 {
        if !self.open {
            return self.try_out(game, from, parts, known);
        }
        let mut refined = 0;
        self.regions.extend(parts.drain(from..));
        for region in self.regions.drain(..) {
            if known(hash_of(&region), &region) {
                parts.push(region);
            } else {
                game.analysis().split(&region, parts);
                refined += 1;
            }
        }
        refined
    }

    fn try_out<G: Game<Position = P>>(
        &mut self,
        game: &G,
        from: usize,
        parts: &mut Vec<P>,
        known: impl Fn(u64, &P) -> bool,
    ) -> u64 {
        let mut tried = 0;
        let end = parts.len();
        for i in from..end {
            self.seen += 1;
            if self.seen > scheduler::TRIED {
                if self.seen >= self.next {
                    self.seen = 0;
                    self.next = (2 * self.next).min(scheduler::TRIALS[1]);
                }
                continue;
            }
            let hash = hash_of(&parts[i]);
            if !known(hash, &parts[i]) && self.before.insert(hash) {
                let region = parts[i].clone();
                game.analysis().split(&region, parts);
                tried += 1;
                self.after.extend(parts[end..].iter().map(hash_of));
                self.apart += usize::from(parts.len() > end + 1);
                parts.truncate(end);
            }
            if self.seen == scheduler::TRIED {
                self.judge();
            }
        }
        tried
    }

    // A trial is over.
    fn judge(&mut self) {
        let all = self.before.len();
        let gain = all.saturating_sub(self.after.len()).max(self.apart);
        self.open = all > 0 && Share::of(all as u64, gain as u64).meets(&scheduler::REFINED);
        self.before.clear();
        self.after.clear();
        self.apart = 0;
    }
}
