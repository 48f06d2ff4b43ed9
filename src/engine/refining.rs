//! Regions that may fall apart further ([`Game::regions`]): they come in, parts go out, as fine as it pays.
//!
//! To split a region for good takes longer than to find it. It pays where several regions come to the same parts, or where
//! regions fall apart. All are split at first; of some in a row it is seen whether that pays, and again from time to time:
//! from there on all regions are split, or none is. While none is, no use is made of a trial: a part is written otherwise
//! than the region that it is made of, so what is split only now and then is known twice. Parts that are coarser than they
//! need be are right, too.

use super::table::hash_of;
use crate::game::Game;
use rustc_hash::FxHashSet;
use std::hash::Hash;

/// Different regions, not known before, that are tried in a row.
const TRIED: usize = 1 << 9;
/// After how many regions the next trial begins, at first and at last.
const FIRST: u32 = 1 << 11;
const LAST: u32 = 1 << 15;
/// It pays to go on if of as many regions one fewer is left, or one falls apart; and to begin again, where two are: then
/// the regions known so far are known twice.
const SHARE: usize = 8;

/// What is known of whether it pays.
#[derive(Debug)]
pub(crate) struct Refining<P> {
    regions: Vec<P>,
    // All regions are split.
    open: bool,
    // A trial is going on; else how many regions came since the last one, and when the next begins.
    trial: bool,
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
            open: true,
            trial: true,
            seen: 0,
            next: FIRST,
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
        if !self.trial {
            let more = u32::try_from(parts.len() - from).unwrap_or(u32::MAX);
            self.seen = self.seen.saturating_add(more);
            if self.seen < self.next {
                if !self.open {
                    return 0;
                }
            } else {
                (self.seen, self.trial) = (0, true);
                self.next = (2 * self.next).min(LAST);
            }
        }
        let mut split = 0;
        let mut regions = std::mem::take(&mut self.regions);
        regions.extend(parts.drain(from..));
        for region in regions.drain(..) {
            let hash = hash_of(&region);
            if known(hash, &region) || !self.open && !self.before.insert(hash) {
                parts.push(region);
                continue;
            }
            let end = parts.len();
            game.split(&region, parts);
            split += 1;
            if self.trial {
                self.before.insert(hash);
                self.after.extend(parts[end..].iter().map(hash_of));
                self.apart += usize::from(parts.len() > end + 1);
            }
            if !self.open {
                parts.truncate(end);
                parts.push(region);
            }
        }
        self.regions = regions;
        if self.trial && self.before.len() >= TRIED {
            self.judge();
        }
        split
    }

    // A trial is over.
    fn judge(&mut self) {
        let all = self.before.len();
        let fewer = all.saturating_sub(self.after.len());
        let found = fewer.max(self.apart);
        self.open = all > 0 && SHARE * found >= if self.open { all } else { 2 * all };
        self.trial = false;
        self.before.clear();
        self.after.clear();
        self.apart = 0;
    }
}
