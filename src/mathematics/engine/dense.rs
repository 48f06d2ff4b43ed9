//! Scores of all subsets at once: a game in which each move takes members out of a set and may count points comes in; what best play
//! comes to from every subset goes out, as one table.
//!
//! A position is a set s of at most [`MOST_MEMBERS`] members, as the bits of a number. A kind of move takes the members of `takes` out of s;
//! whether it can be made, what it counts for its player and whether he moves again depend on which of the members of `asks` are in s.
//! Both players have the same moves, and what counts for one counts against the other; who is stuck gets nothing more. With r(s) what the
//! player to move gains over the other, from s on,
//!
//! r(s) = max over the moves of (gain + r(s')) where he moves again, and (gain - r(s')) where he does not; 0 where there is none.
//!
//! A move leads to a subset, which is a smaller number. So one pass in the order of the numbers finds r, with one byte for each subset:
//! backward induction without a search (for Dots and Boxes: D. Wilson 2010; J. K. Barker, R. E. Korf 2012).
//!
//! What a kind of move does is looked up by the members of `asks` that are in s, gathered into an index: of the low bits by a table, and of
//! the high bits once for each block of subsets that share them.

use crate::game::{Budget, Limit};

/// The most members of a set.
pub const MOST_MEMBERS: u32 = 32;

/// The most members that a kind of move may ask for.
pub const MOST_ASKED: u32 = 12;

/// So many low bits make a block.
const LOW: u32 = 10;

/// What a move counts, and whether its player moves again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts {
    /// Points for the player who makes it.
    pub gain: i8,
    /// The same player moves next.
    pub again: bool,
}

/// A kind of move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taking {
    /// What it takes; all must be there.
    pub takes: u32,
    /// Members that decide what it counts, none of `takes`, at most [`MOST_ASKED`].
    pub asks: u32,
    /// For each choice of members of `asks`, the lowest member being the lowest bit of the index, what it counts; nothing where it cannot
    /// be made.
    pub counts: Vec<Option<Counts>>,
}

/// What the player to move gains over the other, for each subset.
#[derive(Debug)]
pub struct Table(Vec<i8>);

impl Table {
    /// Of one subset.
    #[must_use]
    pub fn of(&self, set: u32) -> Option<i64> {
        self.0.get(set as usize).map(|n| i64::from(*n))
    }

    /// Bytes that it takes.
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

/// A kind of move, ready for the pass.
struct Ready {
    takes: u32,
    asks: u32,
    /// By index: twice the gain, plus 1 where the same player moves next; [`NONE`] where it cannot be made.
    codes: Vec<i16>,
    /// What the low bits contribute to the index.
    low: Vec<u16>,
}

/// A move that cannot be made.
const NONE: i16 = i16::MIN;

/// Plays every subset of `members` members; nothing where the moves are not of this kind or the numbers do not fit a byte.
///
/// # Errors
/// A limit; the memory that the table would take is more than there may be.
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
        // Moves that leave the block for another one, of all its subsets together.
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

/// What a move comes to, from what the player to move after it gains.
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

/// No line of play gains or loses more than a byte holds: each move takes a member of its own.
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
