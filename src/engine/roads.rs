//! Which short cuts a search may take, and how often it took them: a [`Roads`] comes in with an engine, a
//! [`Statistics`] goes out. No answer depends on either; the tests compare all combinations.

/// The short cuts of the engine, each of which can be closed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Roads {
    /// Remember what was found. Without it every line of play is followed again each time.
    pub memo: bool,
    /// Search in a game with smaller positions, where the game offers one.
    pub narrow: bool,
    /// Look whole positions up before they are taken apart.
    pub boards: bool,
    /// Share what was found between parts with equal keys; without it only equal parts of one board share.
    pub keys: bool,
    /// Look an image of a part up before its key is made, where the game offers one.
    pub images: bool,
    /// Split positions into independent parts.
    pub split: bool,
    /// The parts of an option are looked for near the move, where the game can tell; else everywhere.
    pub near: bool,
    /// Positions are split into regions first, where the game can tell; else what is split is split for good.
    pub regions: bool,
    /// Regions are split for good where that pays; else never.
    pub refine: bool,
    /// Impartial parts take nimbers instead of canonical forms.
    pub impartial: bool,
    /// The nimber of an impartial position is proved, where play is known to end and no rule can go wrong; else the nimbers
    /// of all positions below are found.
    pub proof: bool,
    /// There, the nimbers of parts with few moves are found outright, where every move takes itself away.
    pub small: bool,
    /// A value that is a number, ups and a nimber together is guessed and proved, where play is known to end and no rule can go
    /// wrong; else the values of all positions below are found.
    pub guess: bool,
    /// In an outcome search: parts whose value is cheap are summed by value, and pairs of a part and its negative go.
    pub sums: bool,
    /// In an outcome search: parts are bounded by what they are worth with some moves of a player forbidden.
    pub bounds: bool,
    /// There, where moves can be counted ([`Game::margin`](crate::game::Game::margin)) and memory is too short for parts:
    /// positions are looked for whole, and forgotten.
    pub whole: bool,
    /// Where nearly all values are numbers, a long search for a winner gives way to that for the value.
    pub by_value: bool,
    /// Values are compared by small integers and landmarks, where their numbers are small. Closed for an arena, it stays closed.
    pub lays: bool,
    /// Sums of values are built from what each move gains. Closed for an arena, it stays closed.
    pub incentives: bool,
    /// In an outcome search: proof numbers lead, where play is known to end and no rule can go wrong; else depth comes first.
    pub lead: bool,
    /// In a search for all coalitions: positions are shared over rotations of the players where all have the same moves.
    pub rotations: bool,
    /// In a removal game on an order: parts side by side or above each other are put together by the nim-sum and the
    /// Grundy product.
    pub series_parallel: bool,
    /// In a removal game on an order: positions are ranked by their antichains.
    pub antichains: bool,
}

impl Roads {
    /// All roads open, as everybody but a test wants it.
    #[must_use]
    pub fn all() -> Roads {
        Roads {
            memo: true,
            narrow: true,
            boards: true,
            keys: true,
            images: true,
            split: true,
            near: true,
            regions: true,
            refine: true,
            impartial: true,
            proof: true,
            small: true,
            guess: true,
            sums: true,
            bounds: true,
            whole: true,
            by_value: true,
            lays: true,
            incentives: true,
            lead: true,
            rotations: true,
            series_parallel: true,
            antichains: true,
        }
    }

    /// All roads closed: the plain definitions.
    #[must_use]
    pub fn none() -> Roads {
        Roads {
            memo: false,
            narrow: false,
            boards: false,
            keys: false,
            images: false,
            split: false,
            near: false,
            regions: false,
            refine: false,
            impartial: false,
            proof: false,
            small: false,
            guess: false,
            sums: false,
            bounds: false,
            whole: false,
            by_value: false,
            lays: false,
            incentives: false,
            lead: false,
            rotations: false,
            series_parallel: false,
            antichains: false,
        }
    }
}

impl Default for Roads {
    fn default() -> Roads {
        Roads::all()
    }
}

/// What an engine has done since it was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Statistics {
    /// Parts whose options were generated.
    pub expanded: u64,
    /// Parts found in the memo of their own board.
    pub memo_hits: u64,
    /// Searches that went on in a game with smaller positions.
    pub narrowed: u64,
    /// Whole positions found before they were taken apart.
    pub board_hits: u64,
    /// Parts found by their key.
    pub key_hits: u64,
    /// Parts found by an image.
    pub images: u64,
    /// Positions that fell into two or more parts, or into none.
    pub splits: u64,
    /// Options whose parts were looked for near the move only.
    pub near: u64,
    /// Positions that were split into regions.
    pub regions: u64,
    /// Regions that were split for good.
    pub refined: u64,
    /// Parts that took the road of nimbers inside a search for values.
    pub impartial: u64,
    /// Parts whose nimber was proved.
    pub proved: u64,
    /// Small parts below it whose nimber was found outright.
    pub small: u64,
    /// Parts whose value was guessed and proved.
    pub guessed: u64,
    /// Parts of an outcome search that were summed by value.
    pub sums: u64,
    /// Sums of parts whose winner was clear with some moves of a player forbidden.
    pub bounds: u64,
    /// Whole positions, with a player to move, whose winner was searched for; those clear from counts of moves.
    pub whole: u64,
    /// See `whole`.
    pub counted: u64,
    /// Questions for a winner that the value answered.
    pub by_value: u64,
    /// Pairs of a part and its negative that an outcome search took away.
    pub cancelled: u64,
    /// Sums of parts, with a player to move, whose winner was searched for.
    pub states: u64,
    /// Those among them to which proof numbers led.
    pub led: u64,
    /// States of many players that were turned so that the first player moves.
    pub rotations: u64,
    /// Calls of Algorithm 1: positions with a player to move that it looked at, each as often as it was met.
    pub calls: u64,
    /// Parts of orders that were put together by the nim-sum or the Grundy product.
    pub joined: u64,
    /// Positions of orders that were ranked by their antichains.
    pub ranked: u64,
    /// Parts whose values were found among those kept between runs, and parts whose values were put there.
    pub archive_found: u64,
    /// See `archive_found`.
    pub archive_kept: u64,
    /// How often a table forgot the older half of what it held.
    pub evictions: u64,
    /// Bytes that the tables and the arena of values hold now.
    pub bytes: usize,
    /// Canonical forms in the arena now.
    pub forms: usize,
    /// Those that are compared by small integers.
    pub lays: usize,
    /// Those whose incentives are kept.
    pub incentives: usize,
}

impl Statistics {
    /// Adds the counters of another search; what is held *now* is not added.
    pub(crate) fn absorb(&mut self, other: &Statistics) {
        self.expanded += other.expanded;
        self.memo_hits += other.memo_hits;
        self.board_hits += other.board_hits;
        self.narrowed += other.narrowed;
        self.key_hits += other.key_hits;
        self.images += other.images;
        self.splits += other.splits;
        self.near += other.near;
        self.regions += other.regions;
        self.refined += other.refined;
        self.impartial += other.impartial;
        self.proved += other.proved;
        self.small += other.small;
        self.guessed += other.guessed;
        self.sums += other.sums;
        self.bounds += other.bounds;
        self.whole += other.whole;
        self.counted += other.counted;
        self.by_value += other.by_value;
        self.cancelled += other.cancelled;
        self.states += other.states;
        self.led += other.led;
        self.rotations += other.rotations;
        self.calls += other.calls;
        self.joined += other.joined;
        self.ranked += other.ranked;
        self.evictions += other.evictions;
    }
}
