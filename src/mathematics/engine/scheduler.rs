//! Whether a shortcut pays: what it took and what it brought come in; whether it goes on, and for how long, goes out.
//!
//! Some shortcuts help in one game and cost time in another, and which it is shows only while a search runs. One of three
//! devices decides:
//!
//! - A [`Fund`] is work that may still be spent. It starts with enough for a few tries, and grows with the work that
//!   others do and with each success.
//! - A [`Share`] counts tries and successes, and says whether enough of them succeeded.
//! - [`Turns`] are for two searches that lead to one answer. Each turn is twice as long as the one before, so that both
//!   together cost a few times what the better one does.
//!
//! All three count positions and never look at a clock, so that answers, counters and memory are the same on every run. No
//! answer depends on them. Their constants are the table in this file, each with what it rests on.

/// What a [`Fund`] starts with and what is paid for.
#[derive(Debug)]
pub(crate) struct Funding {
    /// What there is to spend at the start.
    pub start: u64,
    /// What an expanded position costs.
    pub position: u64,
    /// What comes in with each thing that others do, as said at the constant.
    pub income: u64,
    /// What comes in with each success.
    pub success: u64,
}

/// Guesses at values (`guess`). As much is there at first as three tries take. One position comes in for eight ([`SHARED`])
/// that the search for canonical forms expands; a guess that comes true gives back what it took.
///
/// In one run, with guesses to without: Domineering 5x6 0.03, Col 4x6 0.03, Konane 5x5 0.015, Clobber 3x6 0.07 of the time;
/// where they come to nothing 1.18 (Blocking Pebbles 3,2,1) at most.
pub(crate) const GUESSES: Funding = Funding {
    start: 7 * FIRST_GUESS,
    position: 1,
    income: 0,
    success: 0,
};

/// One position is spent on guesses for so many that the search for canonical forms expands.
pub(crate) const SHARED: u64 = 8;

/// Positions that are expanded for the value of a part before the first guess, and then for the guess. Both double from
/// turn to turn.
pub(crate) const FIRST_GUESS: u64 = 1 << 12;

/// Where the search for a value is so many moves deep, only the share of the fund that came in is spent on guesses: play is
/// long, much of it comes again, and a proof is hardly quicker. Toads and Frogs, Push and Blocking Pebbles are deeper than
/// this, Konane and Hackenbush are not.
pub(crate) const LONG: usize = 16;

/// Values of parts in a search for the winner (`play::adding`). One comes in with each state, and one with each value that
/// is added.
///
/// In Amazons, where values are large, a cost of 8 takes a sixth of the time of a cost of 1; with 16 Col takes longer.
pub(crate) const VALUES: Funding = Funding {
    start: 1 << 13,
    position: 8,
    income: 1,
    success: 1,
};

/// Bounds of parts with some moves forbidden (`play::bounds`). One comes in with each question for the winner; a winner
/// that bounds make clear brings as much as it costs to take eight parts to pieces ([`PIECES`]).
///
/// Domineering, where bounds decide most winners, spends what it likes; Amazons, where they decide next to none, went from
/// 11.9 s to 2.0 s with this fund and the one of [`VALUES`].
pub(crate) const BOUNDS: Funding = Funding {
    start: 8 << 11,
    position: 8,
    income: 1,
    success: 8 * PIECES,
};

/// What it costs to take a part to pieces, in a search for bounds.
pub(crate) const PIECES: u64 = 64;

/// Work that may still be spent.
#[derive(Debug)]
pub(crate) struct Fund {
    left: u64,
    by: &'static Funding,
}

impl Fund {
    pub(crate) const fn new(by: &'static Funding) -> Fund {
        Fund { left: by.start, by }
    }

    /// Whether so many positions may be expanded.
    pub(crate) fn affords(&self, positions: u64) -> bool {
        positions.saturating_mul(self.by.position) <= self.left
    }

    /// So many positions were expanded.
    pub(crate) fn spend(&mut self, positions: u64) {
        self.pay(positions.saturating_mul(self.by.position));
    }

    /// Something else was done, at this price.
    pub(crate) fn pay(&mut self, price: u64) {
        self.left = self.left.saturating_sub(price);
    }

    /// Others did what the fund grows with.
    pub(crate) fn earn(&mut self) {
        self.left = self.left.saturating_add(self.by.income);
    }

    /// There was a success.
    pub(crate) fn succeed(&mut self) {
        self.left = self.left.saturating_add(self.by.success);
    }

    /// So much comes in at once.
    pub(crate) fn add(&mut self, income: u64) {
        self.left = self.left.saturating_add(income);
    }
}

/// How many of how many tries must succeed.
#[derive(Debug)]
pub(crate) struct Quota {
    /// Nothing is said before so many tries.
    pub tries: u64,
    /// So many successes..
    pub of: u64,
    /// .. in so many tries are enough.
    pub each: u64,
}

/// Full keys are made while they find one part in sixteen; else plain ones. Without this quota Digraph Placement on 28
/// vertices, where they find 3 %, takes 0.18 s in place of 0.12 s.
pub(crate) const FULL_KEYS: Quota = Quota {
    tries: 1 << 10,
    of: 1,
    each: 16,
};

/// Proof numbers give way to a search depth first where there is a winner by bounds for each state: bounds grow with parts
/// that are met again, and depth first meets them more often (Domineering).
pub(crate) const DEPTH_FIRST: Quota = Quota {
    tries: 1 << 8,
    of: 1,
    each: 1,
};

/// A search for the winner gives way to one for the value where seven values in eight are numbers: the outcome of Push on
/// 20 cells went from 9.2 s to 1.0 s; Domineering, Clobber and Toads and Frogs stay below the quota.
pub(crate) const NUMBERS: Quota = Quota {
    tries: 0,
    of: 7,
    each: 8,
};

/// States that are entered in a search for the winner before values are looked at; positions that are expanded to see what
/// values are like; and then for the position's own.
pub(crate) const BY_VALUE: [u64; 3] = [1 << 15, 1 << 13, 1 << 20];

/// A nimber is proved without turns of the plain search where positions split into two parts or more on average ..
pub(crate) const SPLITTING: Quota = Quota {
    tries: 0,
    of: 2,
    each: 1,
};

/// .. and the nimbers of fewer parts than one in four are found.
pub(crate) const PROVED: Quota = Quota {
    tries: 0,
    of: 1,
    each: 4,
};

/// How many parts are expanded in a proof between two looks at these quotas.
pub(crate) const PROOF_LOOK: u64 = 1 << 11;

/// So many positions are expanded by the plain search for nimbers in the time in which a proof expands one: two on strips
/// of sliding stones, five in Chomp.
pub(crate) const PLAIN: u64 = 3;

/// The options of a state are put in order where the first option wins more often by a quarter than without: after 64
/// states of each kind. One state in [`CONTRARY`] goes the other way, so that the two can be compared.
pub(crate) const ORDERED: Quota = Quota {
    tries: 64,
    of: 5,
    each: 4,
};

/// See [`ORDERED`].
pub(crate) const CONTRARY: u64 = 16;

/// How many of how many tries succeeded.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Share {
    tried: u64,
    came: u64,
}

impl Share {
    /// These counts.
    pub(crate) const fn of(tried: u64, came: u64) -> Share {
        Share { tried, came }
    }

    /// One more try.
    pub(crate) fn count(&mut self, success: bool) {
        self.tried += 1;
        self.came += u64::from(success);
    }

    /// Whether there were enough tries, and enough of them succeeded.
    pub(crate) fn meets(self, quota: &Quota) -> bool {
        self.is_enough(quota)
            && self.came.saturating_mul(quota.each) >= self.tried.saturating_mul(quota.of)
    }

    /// Whether there were as many tries as the quota asks for.
    pub(crate) fn is_enough(self, quota: &Quota) -> bool {
        self.tried >= quota.tries
    }

    /// Whether the share is greater than another, by as much as the quota asks for.
    pub(crate) fn beats(self, other: Share, quota: &Quota) -> bool {
        let scaled =
            |came: u64, tried: u64, by: u64| u128::from(came) * u128::from(tried) * u128::from(by);
        scaled(self.came, other.tried, quota.each) > scaled(other.came, self.tried, quota.of)
    }

    /// Begins again.
    pub(crate) fn clear(&mut self) {
        *self = Share::default();
    }
}

/// Lengths of turns, each twice as long as the one before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turns(u64);

impl Turns {
    /// The first is so long.
    pub(crate) const fn from(first: u64) -> Turns {
        Turns(first)
    }

    /// How long the next turn is.
    pub(crate) fn length(self) -> u64 {
        self.0
    }

    /// A turn is over.
    pub(crate) fn end(&mut self) {
        self.0 = self.0.saturating_mul(2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fund_pays_for_what_it_affords() {
        let mut fund = Fund::new(&VALUES);
        assert!(fund.affords(VALUES.start / VALUES.position));
        assert!(!fund.affords(VALUES.start / VALUES.position + 1));
        fund.spend(VALUES.start);
        assert!(fund.affords(0) && !fund.affords(1));
        (0..VALUES.position).for_each(|_| fund.earn());
        assert!(fund.affords(1) && !fund.affords(2));
        fund.add(u64::MAX);
        assert!(fund.affords(u64::MAX / VALUES.position));
    }

    #[test]
    fn a_share_meets_its_quota() {
        let mut share = Share::default();
        assert!(!share.meets(&FULL_KEYS) && share.meets(&NUMBERS));
        (0..FULL_KEYS.tries).for_each(|i| share.count(i % 16 == 0));
        assert!(share.meets(&FULL_KEYS));
        share.count(false);
        assert!(!share.meets(&FULL_KEYS));
        assert!(Share::of(100, 51).beats(Share::of(100, 40), &ORDERED));
        assert!(!Share::of(100, 50).beats(Share::of(100, 40), &ORDERED));
    }

    #[test]
    fn turns_double() {
        let mut turns = Turns::from(3);
        turns.end();
        assert_eq!(turns.length(), 6);
        let mut turns = Turns::from(u64::MAX);
        turns.end();
        assert_eq!(turns.length(), u64::MAX);
    }
}
