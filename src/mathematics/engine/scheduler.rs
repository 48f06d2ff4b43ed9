//! Decides whether a shortcut pays, and how long it goes on, from what it has cost and gained so far.
//!
//! Some shortcuts help in one game and cost time in another, which shows only while a search runs. One of three devices
//! decides:
//!
//! - A [`Fund`] is work that may still be spent. It starts with enough for a few tries, and grows with the work that others
//!   do and with each success.
//! - A [`Share`] counts tries and successes, and says whether enough of them succeeded.
//! - [`Turns`] are for two searches for the same answer. Each turn is twice as long as the one before, so that both
//!   together cost a few times what the better one does.
//!
//! All three count positions and never read a clock, so answers, counters and memory are the same in every run. No answer
//! depends on them. This file is the table of their constants, each with the measurement behind it.

/// How much a [`Fund`] starts with, what it pays for, and what it grows with.
#[derive(Debug)]
pub(crate) struct Funding {
    /// The amount at the start.
    pub start: u64,
    /// The cost of an expanded position.
    pub position: u64,
    /// The income for each thing that others do, as described at the constant.
    pub income: u64,
    /// The income for each success.
    pub success: u64,
}

/// Guesses of values (`guess`). The start is the cost of three tries. The income is one position for each eight
/// ([`SHARED`]) that the search for canonical forms expands; a correct guess returns what it cost.
///
/// In one run, the time with guesses over the time without: Domineering 5x6 0.03, Col 4x6 0.03, Konane 5x5 0.015, Clobber
/// 3x6 0.07; where guesses fail, at most 1.18 (Blocking Pebbles 3,2,1).
pub(crate) const GUESSES: Funding = Funding {
    start: 7 * FIRST_GUESS,
    position: 1,
    income: 0,
    success: 0,
};

/// Guesses get one position for this many that the search for canonical forms expands.
pub(crate) const SHARED: u64 = 8;

/// Positions expanded for the value of a part before the first guess, and then for the guess. Both double from turn to
/// turn.
pub(crate) const FIRST_GUESS: u64 = 1 << 12;

/// Where the search for a value is deeper than this many moves, guesses may not spend the starting amount of the fund: play
/// is long, positions are often met again, and a proof is hardly faster. Toads and Frogs, Push and Blocking Pebbles are
/// deeper than this, Konane and Hackenbush are not.
pub(crate) const LONG: usize = 16;

/// Values of components in an outcome search (`play::adding`). The income is one for each state, and one for each value
/// that is added.
///
/// In Amazons, where values are large, a cost of 8 takes a sixth of the time of a cost of 1; with 16 Col takes longer.
pub(crate) const VALUES: Funding = Funding {
    start: 1 << 13,
    position: 8,
    income: 1,
    success: 1,
};

/// Bounds of components with some moves forbidden (`play::bounds`). The income is one for each query for the winner; a
/// winner decided by bounds earns the cost of taking eight components to pieces ([`PIECES`]).
///
/// Domineering, where bounds decide most winners, is never short of funds. Amazons, where they decide next to none, went
/// from 11.9 s to 2.0 s with this fund and [`VALUES`].
pub(crate) const BOUNDS: Funding = Funding {
    start: 8 << 11,
    position: 8,
    income: 1,
    success: 8 * PIECES,
};

/// The cost of taking a component to pieces, in a search for bounds.
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

    /// Whether the fund pays for this many expanded positions.
    pub(crate) fn affords(&self, positions: u64) -> bool {
        positions.saturating_mul(self.by.position) <= self.left
    }

    /// Pays for this many expanded positions.
    pub(crate) fn spend(&mut self, positions: u64) {
        self.pay(positions.saturating_mul(self.by.position));
    }

    /// Pays this price for something else.
    pub(crate) fn pay(&mut self, price: u64) {
        self.left = self.left.saturating_sub(price);
    }

    /// Adds the income for one thing that others did.
    pub(crate) fn earn(&mut self) {
        self.left = self.left.saturating_add(self.by.income);
    }

    /// Adds the income for a success.
    pub(crate) fn succeed(&mut self) {
        self.left = self.left.saturating_add(self.by.success);
    }

    /// Adds this amount.
    pub(crate) fn add(&mut self, income: u64) {
        self.left = self.left.saturating_add(income);
    }
}

/// A share of tries that must succeed.
#[derive(Debug)]
pub(crate) struct Quota {
    /// No decision is made before this many tries.
    pub tries: u64,
    /// This many successes..
    pub of: u64,
    /// .. in this many tries are enough.
    pub each: u64,
}

/// Full keys are used while they find one component in sixteen, plain ones otherwise. Without this quota Digraph Placement
/// on 28 vertices, where they find 3 %, takes 0.18 s instead of 0.12 s.
pub(crate) const FULL_KEYS: Quota = Quota {
    tries: 1 << 10,
    of: 1,
    each: 16,
};

/// With three players or more, keys are computed for components of a weight while they find one in 64 of them. Hackenbush with
/// 30 edges took 405 MB with all keys, of which one in 170 found anything, and takes 278 MB. With two players all keys are
/// computed: with this quota Amazons took an eighth more memory and Clobber an eighth less, with one in 16 Konane took twice the
/// time.
pub(crate) const COMPONENT_KEYS: Quota = Quota {
    tries: 1 << 10,
    of: 1,
    each: 64,
};

/// The proof-number search gives way to a depth-first search once bounds decide one winner per state: bounds improve with
/// components that are met again, and depth-first search meets them more often (Domineering).
pub(crate) const DEPTH_FIRST: Quota = Quota {
    tries: 1 << 8,
    of: 1,
    each: 1,
};

/// An outcome search gives way to a search for the value if seven values in eight are numbers. The outcome of Push on 20
/// cells went from 9.2 s to 1.0 s; Domineering, Clobber and Toads and Frogs stay below the quota.
pub(crate) const NUMBERS: Quota = Quota {
    tries: 0,
    of: 7,
    each: 8,
};

/// States entered in an outcome search before values are looked at; then positions expanded to sample values; then
/// positions expanded for the value of the position.
pub(crate) const BY_VALUE: [u64; 3] = [1 << 15, 1 << 13, 1 << 20];

/// Positions opened in the first turn of a search by strips; turns double (`play::turns`).
pub(crate) const STRIPS: u64 = 1 << 9;

/// Between two of its turns, the search by components enters one state for this many positions opened by strips. A state takes
/// some forty times as long (Domineering 8x8: 250 against 6 microseconds), so each search takes about half of the time.
pub(crate) const PARTS: u64 = 48;

/// A nimber is proved without turns of the plain search if positions split often: two splits per expanded part. It does not
/// matter for how many parts nimbers are found: turns where these are a quarter of the parts or more slowed ten of 57 boards,
/// by up to 2.8 times the positions (Node Kayles on 50 vertices and 75 edges), and sped up none.
pub(crate) const SPLITTING: Quota = Quota {
    tries: 0,
    of: 2,
    each: 1,
};

/// How many parts a proof expands between two checks of this quota.
pub(crate) const PROOF_LOOK: u64 = 1 << 11;

/// How many positions the plain search for nimbers expands in the time in which a proof expands one: two on strips of
/// sliding stones, five in Chomp.
pub(crate) const PLAIN: u64 = 3;

/// The options of a state are sorted if the first option wins more often by a quarter than without sorting, judged after 64
/// states of each kind. One state in [`CONTRARY`] goes the other way, so that the two can be compared.
pub(crate) const ORDERED: Quota = Quota {
    tries: 64,
    of: 5,
    each: 4,
};

/// See [`ORDERED`].
pub(crate) const CONTRARY: u64 = 16;

/// Counts of tries and of successes.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Share {
    tried: u64,
    came: u64,
}

impl Share {
    /// A share with these counts.
    pub(crate) const fn of(tried: u64, came: u64) -> Share {
        Share { tried, came }
    }

    /// Counts a try.
    pub(crate) fn count(&mut self, success: bool) {
        self.tried += 1;
        self.came += u64::from(success);
    }

    /// Whether there were enough tries, and enough of them succeeded.
    pub(crate) fn meets(self, quota: &Quota) -> bool {
        self.is_enough(quota)
            && self.came.saturating_mul(quota.each) >= self.tried.saturating_mul(quota.of)
    }

    /// Whether there were as many tries as the quota requires.
    pub(crate) fn is_enough(self, quota: &Quota) -> bool {
        self.tried >= quota.tries
    }

    /// Whether the share exceeds another by the factor of the quota.
    pub(crate) fn beats(self, other: Share, quota: &Quota) -> bool {
        let scaled =
            |came: u64, tried: u64, by: u64| u128::from(came) * u128::from(tried) * u128::from(by);
        scaled(self.came, other.tried, quota.each) > scaled(other.came, self.tried, quota.of)
    }

    /// Resets both counts.
    pub(crate) fn clear(&mut self) {
        *self = Share::default();
    }
}

/// Lengths of turns, each twice as long as the one before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turns(u64);

impl Turns {
    /// The first turn has this length.
    pub(crate) const fn from(first: u64) -> Turns {
        Turns(first)
    }

    /// The length of the next turn.
    pub(crate) fn length(self) -> u64 {
        self.0
    }

    /// Ends a turn.
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
