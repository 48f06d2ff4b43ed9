//! How often an engine took each shortcut, and how much it holds: the counters behind `--stats`.

use std::sync::{Arc, Mutex, MutexGuard};

/// The counters of the finished searches of one thread, which are added to those of the first thread in the end.
#[derive(Debug, Default)]
pub(super) struct Counts {
    own: Mutex<Statistics>,
    of: Option<Arc<Counts>>,
}

impl Counts {
    pub(super) fn beside(first: &Arc<Counts>) -> Arc<Counts> {
        Arc::new(Counts {
            own: Mutex::default(),
            of: Some(first.clone()),
        })
    }

    /// Those of this thread.
    pub(super) fn own(&self) -> MutexGuard<'_, Statistics> {
        self.own.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl Drop for Counts {
    fn drop(&mut self) {
        if let Some(of) = &self.of {
            of.own().absorb(&self.own());
        }
    }
}

/// The counters of an engine since it was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Statistics {
    /// Parts whose options were generated.
    pub expanded: u64,
    /// Parts found in the memo table of their own board.
    pub memo_hits: u64,
    /// Searches that were run in a game with smaller positions.
    pub narrowed: u64,
    /// Whole positions found before they were split.
    pub board_hits: u64,
    /// Parts found by their key.
    pub key_hits: u64,
    /// Parts found by their image under a symmetry.
    pub images: u64,
    /// Positions that split into two or more parts, or into none.
    pub splits: u64,
    /// Positions that were split into regions.
    pub regions: u64,
    /// Parts solved by nimbers inside a search for values.
    pub impartial: u64,
    /// Queries that a pairing of the moves answered.
    pub paired: u64,
    /// Parts whose nimber was proved.
    pub proved: u64,
    /// Small parts below a proof whose nimber was computed directly.
    pub small: u64,
    /// Parts whose value was guessed and proved.
    pub guessed: u64,
    /// Parts of an outcome search that were added by value.
    pub sums: u64,
    /// Sums of parts whose winner a bound decided, with some moves of a player forbidden.
    pub bounds: u64,
    /// Positions, with a player to move, that a search by strips opened.
    pub strips: u64,
    /// Whole positions, with a player to move, whose winner was searched for, and those among them decided by counts of
    /// moves.
    pub whole: u64,
    /// See `whole`.
    pub counted: u64,
    /// Queries for a winner that the value answered.
    pub by_value: u64,
    /// Pairs of a part and its negative that an outcome search cancelled.
    pub cancelled: u64,
    /// Sums of parts, with a player to move, whose winner was searched for.
    pub states: u64,
    /// Those among them searched by proof numbers.
    pub led: u64,
    /// Nodes of the arena at which the replies to a threat were forced.
    pub forced: u64,
    /// States of many players that were searched for one coalition, and those decided by the moves that are left.
    pub duels: u64,
    /// See `duels`.
    pub outlasted: u64,
    /// States of many players that were rotated so that the first player moves.
    pub rotations: u64,
    /// Calls of Algorithm 1: visits of a position with a player to move, with repetitions.
    pub calls: u64,
    /// Parts of orders that were combined by the nim-sum or the Grundy product.
    pub joined: u64,
    /// Positions of orders that were ranked by their antichains.
    pub ranked: u64,
    /// Parts whose values were found in the archive, and parts whose values were stored there.
    pub archive_found: u64,
    /// See `archive_found`.
    pub archive_kept: u64,
    /// How often a table evicted its older half.
    pub evictions: u64,
    /// Bytes that the tables and the arena of values hold now.
    pub bytes: usize,
    /// Canonical forms in the arena now.
    pub forms: usize,
    /// Those compared by small integers.
    pub lays: usize,
    /// Those whose incentives are stored.
    pub incentives: usize,
}

impl Statistics {
    /// Each counter with its name in `--stats`; counters of shortcuts have the names of the registry
    /// ([`crate::game::Entry`]).
    #[must_use]
    pub fn named(&self) -> [(&'static str, u64); 36] {
        let n = |n: usize| n as u64;
        [
            ("positions_expanded", self.expanded),
            ("found_on_board", self.memo_hits),
            ("found_whole", self.board_hits),
            ("searches_in_words", self.narrowed),
            ("found_by_key", self.key_hits),
            ("found_by_image", self.images),
            ("zero_by_pairing", self.paired),
            ("positions_split_by_regions", self.regions),
            ("positions_split", self.splits),
            ("by_nimbers", self.impartial),
            ("nimbers_of_small_parts", self.small),
            ("nimbers_proved", self.proved),
            ("values_proved", self.guessed),
            ("sums_by_value", self.sums),
            ("states_by_proof_numbers", self.led),
            ("winners_by_bounds", self.bounds),
            ("winners_by_value", self.by_value),
            ("winners_by_counts", self.counted),
            ("positions_cut_into_strips", self.strips),
            ("whole_positions_searched", self.whole),
            ("states_of_outcome_search", self.states),
            ("negatives_cancelled", self.cancelled),
            ("replies_forced", self.forced),
            ("states_of_one_coalition", self.duels),
            ("winners_by_moves_left", self.outlasted),
            ("turned_over_players", self.rotations),
            ("calls_of_algorithm_1", self.calls),
            ("order_parts_joined", self.joined),
            ("order_positions_ranked", self.ranked),
            ("found_in_store", self.archive_found),
            ("put_into_store", self.archive_kept),
            ("evictions", self.evictions),
            ("bytes", n(self.bytes)),
            ("forms", n(self.forms)),
            ("forms_by_integers", n(self.lays)),
            ("forms_with_incentives", n(self.incentives)),
        ]
    }

    /// Adds the counters of another search, except amounts that are held *now*.
    pub(crate) fn absorb(&mut self, other: &Statistics) {
        self.expanded += other.expanded;
        self.memo_hits += other.memo_hits;
        self.board_hits += other.board_hits;
        self.narrowed += other.narrowed;
        self.key_hits += other.key_hits;
        self.images += other.images;
        self.splits += other.splits;
        self.regions += other.regions;
        self.impartial += other.impartial;
        self.paired += other.paired;
        self.proved += other.proved;
        self.small += other.small;
        self.guessed += other.guessed;
        self.sums += other.sums;
        self.bounds += other.bounds;
        self.strips += other.strips;
        self.whole += other.whole;
        self.counted += other.counted;
        self.by_value += other.by_value;
        self.cancelled += other.cancelled;
        self.states += other.states;
        self.led += other.led;
        self.forced += other.forced;
        self.duels += other.duels;
        self.outlasted += other.outlasted;
        self.rotations += other.rotations;
        self.calls += other.calls;
        self.joined += other.joined;
        self.ranked += other.ranked;
        self.archive_found += other.archive_found;
        self.archive_kept += other.archive_kept;
        self.evictions += other.evictions;
    }
}
