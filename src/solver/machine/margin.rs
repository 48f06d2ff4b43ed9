//! Removal games in which removal is mutual: if one instance removes another, the other removes it, too. For a set of
//! instances and a player, computes a lower bound on the number of moves by which the player outlasts the other.
//!
//! Instances of the player that no enabled instance of the other removes are *safe*. A set of safe instances that do not
//! remove each other can be played at any time. Further instances come in *items* such that no move of either player disturbs
//! two items. An item is one instance, together with instances that become safe once it has been played, since it removes
//! everything that could remove them. The player always plays the item that is worth most, and loses at most one item to each
//! move of the other. So of the items, from the best on, he gets the first, the third and so on, or the second, the fourth
//! and so on if the other begins. (Safe and vulnerable moves: N. Bullock, *Domineering: Solving Large Combinatorial Search
//! Spaces*, ICGA Journal 25, 2002; here they are found for any such game.)
//!
//! The other player's moves are bounded by a cover with cliques of instances that remove each other: at most one move in
//! each. A clique that an item removes as a whole is worth a move if the item is played before the other has disturbed it,
//! since then the other plays in none of its instances. If the player is stuck after k moves, the other has made k, or k + 1
//! if he began. So the player wins if he surely makes more moves than the other can, when the player begins, or at least as
//! many, when the other begins. Both counts hold beside free moves of either player, which disturb no item, so a margin also
//! bounds the value of the set.

use super::index::each;
use super::pack::{and, is_zero, meets, or, without};
use super::removal::Removal;
use smallvec::SmallVec;

/// The lowest bit of a set, if it has any.
#[inline]
fn lowest<const W: usize>(set: &[u64; W]) -> Option<usize> {
    let w = set.iter().position(|w| *w != 0)?;
    Some(64 * w + set[w].trailing_zeros() as usize)
}

impl Removal {
    /// A lower bound on how many more moves a player can make at a set than the other; `begins` says whether the player
    /// begins. `None` if removal is not mutual.
    pub(super) fn margin<const W: usize>(
        &self,
        set: &[u64; W],
        player: usize,
        begins: bool,
    ) -> Option<i32> {
        if !self.mutual {
            return None;
        }
        let own = and(set, self.own_in(player));
        let other = and(set, self.own_in(1 - player));
        let mut danger = [0; W];
        each(&other, |i| or(&mut danger, self.removed(i)));
        let (safe, near) = self.apart(&without(&own, &danger));
        let mut open = without(&and(&own, &danger), &near);
        let mut worth: SmallVec<[i32; 64]> = SmallVec::new();
        let mut with_cliques: SmallVec<[i32; 64]> = SmallVec::new();
        let mut disturbed = [0; W];
        let mut cliques = 0;
        for with_others in [true, false] {
            let mut rest = open;
            while let Some(i) = lowest(&rest) {
                rest[i / 64] &= rest[i / 64] - 1;
                let takes = self.removed::<W>(i);
                let attackers = and(takes, &other);
                if meets(&attackers, &disturbed) {
                    continue;
                }
                let mut gain = 1;
                let mut used = *takes;
                if with_others {
                    let mut nearby = [0; W];
                    each(&attackers, |j| or(&mut nearby, self.removed(j)));
                    let mut saved = [0; W];
                    each(&without(&and(&nearby, &open), takes), |k| {
                        let left = without(&and(self.removed(k), &other), takes);
                        if is_zero(&left) {
                            saved[k / 64] |= 1 << (k % 64);
                        }
                    });
                    let (more, near) = self.apart(&saved);
                    if more == 0 {
                        continue;
                    }
                    gain += more;
                    or(&mut used, &near);
                }
                or(&mut disturbed, &attackers);
                open = without(&open, &used);
                rest = and(&rest, &open);
                let own = self.cliques(&attackers);
                cliques += own;
                worth.push(gain);
                with_cliques.push(gain + own);
            }
        }
        let shared = |worth: &mut [i32]| -> i32 {
            worth.sort_unstable_by(|a, b| b.cmp(a));
            worth.iter().skip(usize::from(!begins)).step_by(2).sum()
        };
        let plain = shared(&mut worth) - self.cliques(&other);
        let finer =
            shared(&mut with_cliques) - cliques - self.cliques(&without(&other, &disturbed));
        Some(safe + plain.max(finer))
    }

    fn apart<const W: usize>(&self, set: &[u64; W]) -> (i32, [u64; W]) {
        apart(set, |i| self.removed(i))
    }

    fn cliques<const W: usize>(&self, set: &[u64; W]) -> i32 {
        cliques(set, |i| self.removed(i))
    }
}

/// The size of a greedy set of instances, lowest first, that can all be played, and the instances that they remove. `removed`
/// says which instances one removes.
pub(super) fn apart<'r, const W: usize>(
    set: &[u64; W],
    removed: impl Fn(usize) -> &'r [u64; W],
) -> (i32, [u64; W]) {
    let (mut rest, mut near, mut count) = (*set, [0; W], 0);
    while let Some(i) = lowest(&rest) {
        let takes = removed(i);
        rest = without(&rest, takes);
        or(&mut near, takes);
        count += 1;
    }
    (count, near)
}

/// The number of cliques of a greedy cover of a set, where removal is mutual: at most this many moves can be made in it.
pub(super) fn cliques<'r, const W: usize>(
    set: &[u64; W],
    removed: impl Fn(usize) -> &'r [u64; W],
) -> i32 {
    let (mut rest, mut count) = (*set, 0);
    while let Some(i) = lowest(&rest) {
        let mut clique = and(&rest, removed(i));
        while let Some(j) = lowest(&clique) {
            rest[j / 64] &= !(1 << (j % 64));
            clique = and(&clique, removed(j));
            clique[j / 64] &= !(1 << (j % 64));
        }
        count += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    // A plain search for the winner of a set beside free moves: of player 0, or of player 1 if their number is negative.
    struct Plain<'r> {
        removal: &'r Removal,
        known: HashMap<(u64, i32, usize), bool>,
    }

    impl Plain<'_> {
        fn wins(&mut self, set: u64, free: i32, mover: usize) -> bool {
            if let Some(wins) = self.known.get(&(set, free, mover)) {
                return *wins;
            }
            let mut options = Vec::new();
            self.removal.options(&[set], mover, |[option]: [u64; 1]| {
                options.push((option, free))
            });
            match mover {
                0 if free > 0 => options.push((set, free - 1)),
                1 if free < 0 => options.push((set, free + 1)),
                _ => {}
            }
            let mut options = options.into_iter();
            let wins = options.any(|(option, free)| !self.wins(option, free, 1 - mover));
            self.known.insert((set, free, mover), wins);
            wins
        }
    }

    #[test]
    fn who_outlasts_the_other_wins() {
        let mut state = 7u64;
        let mut random = |n: u64| {
            // SplitMix64.
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (z ^ (z >> 31)) % n
        };
        let (mut told, mut open, mut by_items) = (0, 0, 0);
        for round in 0..3000 {
            let count = 3 + random(9) as usize;
            let density = 1 + random(6);
            let shared = round % 4 == 0;
            let players: Vec<u8> = (0..count)
                .map(|_| 1 + random(if shared { 3 } else { 2 }) as u8)
                .collect();
            let mut near = vec![Vec::new(); count];
            for i in 0..count {
                for j in (0..i).filter(|_| random(8) < density) {
                    near[i].push(j);
                    near[j].push(i);
                }
            }
            let removal = Removal::of_part(&players, &near);
            let mut plain = Plain {
                removal: &removal,
                known: HashMap::new(),
            };
            let whole = (1u64 << count) - 1;
            for set in [whole, whole & random(whole + 1), whole & random(whole + 1)] {
                for player in [0, 1] {
                    let first = removal.margin(&[set], player, true).unwrap();
                    let second = removal.margin(&[set], player, false).unwrap();
                    assert!(first >= second);
                    let wins = [first > 0, second >= 0];
                    let so = [plain.wins(set, 0, player), !plain.wins(set, 0, 1 - player)];
                    // Free moves of the other, as many as the player is said to outlast.
                    let against = |n: i32| if player == 0 { -n } else { n };
                    assert!(
                        plain.wins(set, against(first - 1), player)
                            && !plain.wins(set, against(second), 1 - player),
                        "{players:?} {near:?} {set:b} {player}: {first} {second}"
                    );
                    for i in [0, 1] {
                        assert!(
                            !wins[i] || so[i],
                            "{players:?} {near:?} {set:b} {player} {i}"
                        );
                        told += usize::from(wins[i]);
                        open += usize::from(so[i] && !wins[i]);
                    }
                    by_items += usize::from(wins[0] && !wins[1]);
                }
            }
        }
        assert!(
            told > 2 * open && by_items > 1000,
            "{told} {open} {by_items}"
        );
    }
}
