//! Scores of all subsets at once. Input: a game in which each move removes members from a set and may count points. Output:
//! a table with the result of best play from every subset.
//!
//! A position is a set s of at most [`MOST_MEMBERS`] members, stored as the bits of a number. A kind of move removes the
//! members of `takes` from s. Whether it is legal, how many points it gains for its player and whether he moves again
//! depend on which members of `asks` are in s. Both players have the same moves, and a gain for one is a loss for the
//! other; a player who cannot move gains nothing more. Let r(s) be the gain of the player to move over the other, from s
//! on. Then
//!
//! r(s) = max over the moves of (gain + r(s')) if he moves again, and of (gain - r(s')) if he does not; 0 if there is no
//! move.
//!
//! A move leads to a proper subset, which is a smaller number. So one pass in numerical order finds r, with one byte per
//! subset: backward induction without a search (for Dots and Boxes: D. Wilson 2010; J. K. Barker, R. E. Korf 2012).
//!
//! The effect of a kind of move is looked up under an index, which gathers the members of `asks` that are in s: the low
//! bits by a table, the high bits once for each block of subsets that share them.

use crate::game::{Budget, Limit};

/// The most members of a set.
pub const MOST_MEMBERS: u32 = 32;

/// The most members in `asks` of a kind of move.
pub const MOST_ASKED: u32 = 12;

/// The number of low bits of a block.
const LOW: u32 = 10;

/// The points of a move, and whether its player moves again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Points for the player who moves.
    pub gain: i8,
    /// The same player moves next.
    pub again: bool,
}

/// A kind of move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taking {
    /// The members that it removes; all must be present, and there must be at least one.
    pub takes: u32,
    /// Members that decide its effect, none of them in `takes`, at most [`MOST_ASKED`].
    pub asks: u32,
    /// The effect for each subset of `asks`, whose lowest member is the lowest bit of the index; `None` where the move is
    /// illegal. The length is 2 to the size of `asks`.
    pub counts: Vec<Option<Counts>>,
}

/// The gain of the player to move over the other, for each subset.
#[derive(Debug)]
pub struct Table(Vec<i8>);

impl Table {
    /// The entry of one subset; `None` if it is out of range.
    #[must_use]
    pub fn of(&self, set: u32) -> Option<i64> {
        self.0.get(set as usize).map(|n| i64::from(*n))
    }

    /// The size of a table in bytes; `None` if it does not fit `usize`.
    #[must_use]
    pub fn bytes(members: u32) -> Option<usize> {
        1usize
            .checked_shl(members)
            .filter(|_| members < usize::BITS)
    }
}

/// The members of `asks` that are in a set, as an index.
fn gather(set: u32, asks: u32) -> u32 {
    let (mut index, mut place, mut rest) = (0, 0, asks);
    while rest != 0 {
        let lowest = rest.trailing_zeros();
        index |= (set >> lowest & 1) << place;
        place += 1;
        rest &= rest - 1;
    }
    index
}

/// A kind of move, prepared for the pass.
struct Ready {
    takes: u32,
    asks: u32,
    /// By index: twice the gain, plus 1 if the same player moves next; [`NONE`] if the move is illegal.
    codes: Vec<i16>,
    /// For each value of the low bits, what they contribute to the index.
    low: Vec<u16>,
}

/// An illegal move.
const NONE: i16 = i16::MIN;

/// Solves every subset of `members` members; `None` if the kinds of moves are malformed or a result might not fit a byte.
///
/// # Errors
/// A limit; the table would take more than `memory` bytes.
pub fn play(
    members: u32,
    kinds: &[Taking],
    memory: usize,
    budget: &Budget,
) -> Result<Option<Table>, Limit> {
    if members > MOST_MEMBERS
        || !kinds.iter().all(|k| is_sound(k, members))
        || !fits(members, kinds)
    {
        return Ok(None);
    }
    let Some(bytes) = Table::bytes(members).filter(|b| *b <= memory) else {
        return Err(Limit::Memory);
    };
    let low_bits = LOW.min(members);
    let block = 1usize << low_bits;
    let ready: Vec<Ready> = kinds.iter().map(|k| make_ready(k, block)).collect();
    let mut table: Vec<i8> = Vec::new();
    table.try_reserve_exact(bytes).map_err(|_| Limit::Memory)?;
    table.resize(bytes, 0);
    budget.pulse().note(0, bytes);
    let mut found: Vec<i16> = vec![NONE; block];
    for from in (0..bytes).step_by(block) {
        budget.charge()?;
        budget.spend(block as u64 - 1);
        let high = from as u32;
        // Moves that leave the block for another one, for all its subsets at once.
        found.fill(NONE);
        let mut within: Vec<(&Ready, usize)> = Vec::new();
        for kind in &ready {
            let above = kind.takes & !(block as u32 - 1);
            if high & above != above {
                continue;
            }
            let base = gather(high, kind.asks) as usize;
            if above == 0 {
                within.push((kind, base));
                continue;
            }
            let below = kind.takes as usize & (block - 1);
            let other = (high ^ above) as usize;
            let next = &table[other..other + block];
            for (l, best) in found.iter_mut().enumerate() {
                if l & below == below {
                    let code = kind.codes[base | usize::from(kind.low[l])];
                    *best = (*best).max(result(code, next[l ^ below]));
                }
            }
        }
        let own = &mut table[from..from + block];
        for l in 0..block {
            let mut best = found[l];
            for (kind, base) in &within {
                let takes = kind.takes as usize;
                if l & takes == takes {
                    let code = kind.codes[base | usize::from(kind.low[l])];
                    best = best.max(result(code, own[l ^ takes]));
                }
            }
            own[l] = if best == NONE { 0 } else { best as i8 };
        }
    }
    Ok(Some(Table(table)))
}

/// The result of a move, from the gain of the player who moves after it.
#[inline]
fn result(code: i16, next: i8) -> i16 {
    if code == NONE {
        return NONE;
    }
    let next = i16::from(next);
    (code >> 1) + if code & 1 == 1 { next } else { -next }
}

fn is_sound(kind: &Taking, members: u32) -> bool {
    let all = match members {
        32 => u32::MAX,
        n => (1 << n) - 1,
    };
    kind.takes != 0
        && (kind.takes | kind.asks) & !all == 0
        && kind.takes & kind.asks == 0
        && kind.asks.count_ones() <= MOST_ASKED
        && kind.counts.len() == 1 << kind.asks.count_ones()
}

/// The result of any line of play fits a byte: each move removes at least one member.
fn fits(members: u32, kinds: &[Taking]) -> bool {
    let all = kinds.iter().flat_map(|k| &k.counts).flatten();
    let most = all.map(|c| i64::from(c.gain).abs()).max().unwrap_or(0);
    most * i64::from(members) <= i64::from(i8::MAX)
}

fn make_ready(kind: &Taking, block: usize) -> Ready {
    let code = |c: &Option<Counts>| c.map_or(NONE, |c| i16::from(c.gain) << 1 | i16::from(c.again));
    Ready {
        takes: kind.takes,
        asks: kind.asks,
        codes: kind.counts.iter().map(code).collect(),
        low: (0..block as u32)
            .map(|l| gather(l, kind.asks) as u16)
            .collect(),
    }
}
