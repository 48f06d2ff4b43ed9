//! Divides a search among parts. Input: the number of positions on each board of one size; output: which of them belong to a
//! part.
//!
//! The positions of a size are numbered consecutively and cut into blocks, and the blocks are dealt to the parts in turn. So
//! the parts are disjoint, cover all positions, cost about the same, and need no communication. A part does not fill a board
//! none of whose positions belong to it: Burnside's lemma gives their number. Blocks are long where a size has many
//! positions, so that few boards are filled by more than one part.

/// The most positions in a block; most boards have fewer.
const LONGEST: u64 = 1 << 16;
/// The number of blocks for each part, given enough positions, so that parts cost about the same.
const BLOCKS: u64 = 16;

/// One part of a search that is divided into several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// The number of the part, from 1.
    pub part: u64,
    /// The number of parts.
    pub of: u64,
}

impl Shard {
    /// The only part.
    pub const WHOLE: Shard = Shard { part: 1, of: 1 };

    /// Reads `I/N`, for I from 1 to N.
    #[must_use]
    pub fn read(text: &str) -> Option<Shard> {
        let (part, of) = text.split_once('/')?;
        let (part, of): (u64, u64) = (part.trim().parse().ok()?, of.trim().parse().ok()?);
        (1..=of).contains(&part).then_some(Shard { part, of })
    }
}

/// How the positions of one size are dealt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deal {
    /// The number of the first position of the size.
    pub first: u64,
    /// The number of consecutive positions dealt to the same part.
    pub block: u64,
}

impl Deal {
    /// The deal of `positions` positions to `of` parts.
    pub(super) fn new(first: u64, positions: u64, of: u64) -> Deal {
        let block = (positions / of.saturating_mul(BLOCKS)).clamp(1, LONGEST);
        Deal { first, block }
    }

    /// Whether the position `number` belongs to a part.
    #[must_use]
    pub fn has(self, shard: Shard, number: u64) -> bool {
        shard.of == 1 || self.count(shard, number, number.saturating_add(1)) == 1
    }

    /// How many of the positions `from..until` belong to a part.
    #[must_use]
    pub fn count(self, shard: Shard, from: u64, until: u64) -> u64 {
        self.before(shard, until) - self.before(shard, from)
    }

    /// How many positions of this size with a smaller number belong to a part.
    fn before(self, shard: Shard, number: u64) -> u64 {
        let (block, of) = (u128::from(self.block), u128::from(shard.of));
        let past = u128::from(number.saturating_sub(self.first));
        // The dealing continues across sizes: the number of the first position determines which part gets the first block.
        let turn = (u128::from(shard.part - 1) + of - u128::from(self.first) % of) % of;
        let (rounds, rest) = (past / (block * of), past % (block * of));
        let begun = rest.saturating_sub(turn * block).min(block);
        // At most `past`, which came from a `u64`.
        u64::try_from(rounds * block + begun).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::{Deal, Shard};

    #[test]
    fn every_position_has_one_part_and_ranges_are_seen_through() {
        for (first, positions, of) in [
            (0, 100, 3),
            (7, 1000, 4),
            (13, 5, 8),
            (1, 3000, 1),
            (2, 9000, 7),
        ] {
            let deal = Deal::new(first, positions, of);
            let parts: Vec<Shard> = (1..=of).map(|part| Shard { part, of }).collect();
            let mut counts = vec![0u64; parts.len()];
            for n in first..first + positions {
                let mine: Vec<usize> = (0..parts.len())
                    .filter(|i| deal.has(parts[*i], n))
                    .collect();
                assert_eq!(mine.len(), 1);
                counts[mine[0]] += 1;
            }
            let (least, most) = (counts.iter().min(), counts.iter().max());
            let (least, most) = (least.copied().unwrap_or(0), most.copied().unwrap_or(0));
            assert!(most - least <= deal.block, "{counts:?}");
            let end = first + positions;
            for from in (first..end).step_by(3) {
                for until in [from, from + 1, from + 17, from + 170, end] {
                    for shard in &parts {
                        let count = (from..until).filter(|n| deal.has(*shard, *n)).count() as u64;
                        let until = until.max(from);
                        assert_eq!(
                            deal.count(*shard, from, until),
                            count,
                            "{deal:?} {shard:?} {from}..{until}"
                        );
                    }
                }
            }
        }
    }
}
