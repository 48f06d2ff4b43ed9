//! The registry of shortcuts: every optimization that can be switched off, with what it does, when it applies, what it
//! needs, its justification, and the counters that show its use. An engine or a machine is given a set of shortcuts
//! ([`Shortcuts`]); no answer depends on it.
//!
//! `--without`, `help shortcuts`, the table in `docs/performance.md` and the sweeps of the tests are made from
//! [`REGISTRY`]. So a new shortcut needs one entry here and one test `shortcuts.has(..)` where it is used.

/// One shortcut. The order is that of [`REGISTRY`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "the registry describes each")]
pub enum Shortcut {
    Compile,
    Ground,
    Integers,
    Index,
    Removal,
    Rooted,
    Copies,
    Memo,
    Boards,
    Keys,
    Shapes,
    Isomorphism,
    Mixed,
    Bits,
    Symmetry,
    Images,
    Pairing,
    Narrow,
    Split,
    Regions,
    Impartial,
    Proof,
    Small,
    Guess,
    Sums,
    Bounds,
    Counts,
    Strips,
    Whole,
    ByValue,
    ProofNumbers,
    Digests,
    Incentives,
    Duel,
    Outlast,
    Rotations,
    Sequences,
    Product,
    Antichains,
    Threats,
    Quotients,
}

/// The description of a shortcut.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The shortcut described.
    pub shortcut: Shortcut,
    /// Its name for users: `--without NAME`.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// When it applies.
    pub applies: &'static str,
    /// The shortcuts that it depends on: switching one of them off switches it off, too.
    pub needs: &'static [Shortcut],
    /// The theorem or paper it rests on, or the file with the argument.
    pub source: &'static str,
    /// The counters of `--stats` that grow when it is used; empty if it only changes what other shortcuts do.
    pub counters: &'static [&'static str],
}

use Shortcut as S;

/// Every shortcut: those of the machine first, then those of the engine.
pub const REGISTRY: [Entry; 41] = [
    Entry {
        shortcut: S::Compile,
        name: "compile",
        summary: "Rules are compiled for the board; without it, every move is interpreted from the text of the rules.",
        applies: "always",
        needs: &[],
        source: "the plain evaluator (ir/naive) is the definition",
        counters: &["boards_compiled"],
    },
    Entry {
        shortcut: S::Ground,
        name: "ground",
        summary: "Moves are listed once for the whole board, as guards and writes; without it, they are interpreted from the text.",
        applies: "where heaps and counters have bounds",
        needs: &[S::Compile],
        source: "ir/ground",
        counters: &["boards_compiled"],
    },
    Entry {
        shortcut: S::Integers,
        name: "integers",
        summary: "Rules whose state is a few integers are compiled to code; without it, they are interpreted from the text.",
        applies: "to rules without a board, with at most eight integers, players or truth values as state, that are not ground",
        needs: &[S::Compile],
        source: "machine/integers.rs; where the code cannot answer, the plain evaluator does",
        counters: &["rules_in_integers"],
    },
    Entry {
        shortcut: S::Index,
        name: "index",
        summary: "The possible moves are found by operations on sets; without it, each move is tested.",
        applies: "to boards that are ground",
        needs: &[S::Ground],
        source: "machine/index.rs",
        counters: &["boards_by_sets"],
    },
    Entry {
        shortcut: S::Removal,
        name: "removal",
        summary: "A position is stored as the set of its remaining moves.",
        applies: "where no move becomes possible again and each forbids a fixed set of moves",
        needs: &[S::Ground],
        source: "machine/removal.rs",
        counters: &["boards_of_removal"],
    },
    Entry {
        shortcut: S::Rooted,
        name: "rooted",
        summary: "A position is stored as the set of its remaining edges.",
        applies: "where each move takes an edge and what is no longer joined to the root falls",
        needs: &[S::Ground, S::Shapes],
        source: "machine/rooted.rs",
        counters: &["boards_of_rooted_graphs"],
    },
    Entry {
        shortcut: S::Copies,
        name: "copies",
        summary: "Writes that depend on the position copy runs of bits or use tables of bits; without it, they go value by value.",
        applies: "to boards that are ground",
        needs: &[S::Ground],
        source: "machine/copies.rs",
        counters: &["boards_by_copies"],
    },
    Entry {
        shortcut: S::Memo,
        name: "memo",
        summary: "Results are stored for each position; without it, every line of play is followed again.",
        applies: "always",
        needs: &[],
        source: "options are a function of the position (game/mod.rs, laws)",
        counters: &["found_on_board"],
    },
    Entry {
        shortcut: S::Boards,
        name: "boards",
        summary: "Whole positions are looked up before they are split.",
        applies: "to positions of one board",
        needs: &[S::Memo, S::Split],
        source: "engine/boards.rs",
        counters: &["found_whole"],
    },
    Entry {
        shortcut: S::Keys,
        name: "keys",
        summary: "Components with equal keys share results; without it, only equal components of one board share them.",
        applies: "always",
        needs: &[S::Memo],
        source: "equal keys have isomorphic game trees (game/mod.rs, laws)",
        counters: &["found_by_key"],
    },
    Entry {
        shortcut: S::Shapes,
        name: "shapes",
        summary: "The key of a component is its shape, independent of place and board; without it, the board and the position.",
        applies: "to boards that are ground",
        needs: &[S::Keys],
        source: "machine/key",
        counters: &["keys_by_pattern", "keys_by_shape"],
    },
    Entry {
        shortcut: S::Isomorphism,
        name: "isomorphism",
        summary: "Components share a key if their moves disable each other in the same way.",
        applies: "to games of removal",
        needs: &[S::Removal, S::Shapes],
        source: "machine/key/graph.rs",
        counters: &["keys_by_graph"],
    },
    Entry {
        shortcut: S::Mixed,
        name: "mixed",
        summary: "Cells with different sets of values share one numbering, so that components of such boards also have patterns.",
        applies: "to boards on which cells can hold different things",
        needs: &[S::Shapes],
        source: "machine/key/pattern.rs",
        counters: &["boards_of_mixed_values"],
    },
    Entry {
        shortcut: S::Bits,
        name: "bits",
        summary: "Patterns of small boards are computed by operations on words; without it, cell by cell.",
        applies: "to grids and strips that fit into a few words",
        needs: &[S::Shapes],
        source: "machine/key/cells.rs",
        counters: &["boards_by_bits"],
    },
    Entry {
        shortcut: S::Symmetry,
        name: "symmetry",
        summary: "Images under the symmetries of the rules share a key; images with exchanged players share it as negatives.",
        applies: "where the moves have a symmetry, which is checked move by move",
        needs: &[S::Shapes],
        source: "machine/key/symmetry.rs",
        counters: &["boards_with_symmetry"],
    },
    Entry {
        shortcut: S::Images,
        name: "images",
        summary: "The least image of a component is looked up before its key is computed.",
        applies: "to games of removal on boards with symmetries",
        needs: &[S::Keys, S::Removal, S::Symmetry],
        source: "machine/images.rs",
        counters: &["found_by_image"],
    },
    Entry {
        shortcut: S::Pairing,
        name: "pairing",
        summary: "A position is zero if the second player can answer each move by its image under a symmetry.",
        applies: "to the position asked about and its options, in games of removal",
        needs: &[S::Removal, S::Symmetry],
        source: "machine/pairing.rs",
        counters: &["zero_by_pairing"],
    },
    Entry {
        shortcut: S::Narrow,
        name: "narrow",
        summary: "A search within one ruleset on one board works on single words or sets of moves.",
        applies: "to single positions of at most 128 bits (256 where a clause ends play) and to games of removal",
        needs: &[S::Memo, S::Keys, S::Ground],
        source: "machine/game.rs, machine/bare.rs",
        counters: &["searches_in_words"],
    },
    Entry {
        shortcut: S::Split,
        name: "split",
        summary: "Positions are split into independent components.",
        applies: "where no move links two of them",
        needs: &[],
        source: "values add (Siegel, Combinatorial Game Theory, II.1); machine/split.rs",
        counters: &["positions_split"],
    },
    Entry {
        shortcut: S::Regions,
        name: "regions",
        summary: "Positions are split by the variables in play first; without it, by the moves that can still happen.",
        applies: "to boards that are ground",
        needs: &[S::Split],
        source: "machine/regions.rs",
        counters: &["positions_split_by_regions"],
    },
    Entry {
        shortcut: S::Impartial,
        name: "impartial",
        summary: "Impartial positions are evaluated by nimbers instead of canonical forms.",
        applies: "where all players have the same options for ever",
        needs: &[],
        source: "Sprague 1935, Grundy 1939",
        counters: &["by_nimbers"],
    },
    Entry {
        shortcut: S::Proof,
        name: "proof",
        summary: "The nimber of a position is proved; without it, the nimbers of all its followers are computed.",
        applies: "to impartial positions where play is known to end and no rule goes wrong",
        needs: &[S::Memo],
        source: "engine/proof.rs",
        counters: &["nimbers_proved"],
    },
    Entry {
        shortcut: S::Small,
        name: "small",
        summary: "Nimbers of components with few moves are computed directly.",
        applies: "inside `proof`, where every move takes itself away",
        needs: &[S::Proof],
        source: "engine/proof/options.rs",
        counters: &["nimbers_of_small_parts"],
    },
    Entry {
        shortcut: S::Guess,
        name: "guess",
        summary: "A value that is a number, ups and a nimber is guessed, and proved by finding who wins the difference.",
        applies: "where play is known to end and no rule goes wrong",
        needs: &[S::Memo, S::Keys, S::Split, S::Sums],
        source: "G = H if and only if the second player wins G - H; engine/guess.rs",
        counters: &["values_proved"],
    },
    Entry {
        shortcut: S::Sums,
        name: "sums",
        summary: "In a search for the winner, components with cheap values are added by value, and pairs G - G are removed.",
        applies: "in normal play; pairs go where play is known to end and no rule goes wrong",
        needs: &[S::Memo],
        source: "engine/play/mod.rs",
        counters: &["sums_by_value"],
    },
    Entry {
        shortcut: S::Bounds,
        name: "bounds",
        summary: "A position is bounded by its value with some moves of a player forbidden.",
        applies: "in a search for the winner, in normal play, where no rule goes wrong",
        needs: &[S::Memo, S::Split, S::Sums],
        source: "machine/tied.rs, engine/play/bounds.rs",
        counters: &["winners_by_bounds"],
    },
    Entry {
        shortcut: S::Counts,
        name: "counts",
        summary: "Moves that a player is sure of are counted against those that the other can ever have.",
        applies: "in a search for the winner, in normal play, where moves only remove moves, each the other, and no rule goes wrong",
        needs: &[S::Memo],
        source: "machine/margin.rs (Bullock 2002), engine/play/counts.rs",
        counters: &["winners_by_counts"],
    },
    Entry {
        shortcut: S::Strips,
        name: "strips",
        summary: "The board is cut into strips, whose thermographs bound who wins; positions are searched whole, in a table that forgets.",
        applies: "in normal play, where moves exclude each other and the moves of each player lie in rows; not in the page",
        needs: &[S::Memo, S::Narrow],
        source: "engine/strips/ (Siegel, II.5)",
        counters: &["positions_cut_into_strips"],
    },
    Entry {
        shortcut: S::Whole,
        name: "whole",
        summary: "Where memory is too small for components, the search for the winner uses whole positions, in a table that forgets.",
        applies: "in normal play, where moves can be counted, play is known to end and no rule goes wrong",
        needs: &[S::Bounds],
        source: "engine/play/whole.rs, machine/margin.rs (Bullock)",
        counters: &["whole_positions_searched"],
    },
    Entry {
        shortcut: S::ByValue,
        name: "by-value",
        summary: "A long search for the winner gives way to a search for the value where nearly all values are numbers.",
        applies: "in normal play, where play is known to end and no rule goes wrong",
        needs: &[S::Memo],
        source: "engine/questions.rs",
        counters: &["winners_by_value"],
    },
    Entry {
        shortcut: S::ProofNumbers,
        name: "proof-numbers",
        summary: "Proof numbers guide the search for the winner; without it, the search is depth first.",
        applies: "where play is known to end and no rule goes wrong",
        needs: &[S::Memo],
        source: "Allis 1994; engine/play/led.rs",
        counters: &["states_by_proof_numbers"],
    },
    Entry {
        shortcut: S::Digests,
        name: "digests",
        summary: "Values are compared by their stops and flags as small integers before any option is looked at.",
        applies: "to values whose numbers are small",
        needs: &[],
        source: "value/forms/lay.rs",
        counters: &["forms_by_integers"],
    },
    Entry {
        shortcut: S::Incentives,
        name: "incentives",
        summary: "Sums of values are built from the incentives of moves.",
        applies: "to all values",
        needs: &[],
        source: "value/forms/incentives.rs",
        counters: &["forms_with_incentives"],
    },
    Entry {
        shortcut: S::Duel,
        name: "duel",
        summary: "Whether a coalition wins is searched for it alone, guided by proof numbers.",
        applies: "with three players or more, where play is known to end and no rule goes wrong, unless all have the same moves",
        needs: &[S::Memo],
        source: "V. Allis, M. van der Meulen and J. van den Herik, Proof-number search, 1994; engine/coalitions/duel",
        counters: &["states_of_one_coalition"],
    },
    Entry {
        shortcut: S::Outlast,
        name: "outlast",
        summary: "A player who is sure of more moves than anybody else can make has won, and parts that one player has alone are counted.",
        applies: "inside `duel`, under elimination, where no move becomes possible again",
        needs: &[S::Duel, S::Ground],
        source: "engine/coalitions/duel/left.rs",
        counters: &["winners_by_moves_left"],
    },
    Entry {
        shortcut: S::Rotations,
        name: "rotations",
        summary: "Positions of many players are shared over rotations of the players.",
        applies: "in a search for all coalitions where all players have the same moves",
        needs: &[S::Memo],
        source: "engine/coalitions/pass.rs",
        counters: &["turned_over_players"],
    },
    Entry {
        shortcut: S::Sequences,
        name: "sequences",
        summary: "Nimbers of heaps come from the sequence of the rule; without it, heaps are searched like any position.",
        applies: "to impartial rules on heaps whose shape is known: what may be taken, what may be left",
        needs: &[S::Impartial, S::Compile],
        source: "engine/sequence; Guy and Smith 1956",
        counters: &[],
    },
    Entry {
        shortcut: S::Product,
        name: "product",
        summary: "Parts of an order that lie side by side or above each other are combined by the nim-sum and the Grundy product.",
        applies: "to games in which a move takes a point with all above it",
        needs: &[S::Impartial, S::Compile],
        source: "engine/upsets/mod.rs",
        counters: &["order_parts_joined"],
    },
    Entry {
        shortcut: S::Antichains,
        name: "antichains",
        summary: "Positions of an order are ranked by their antichains.",
        applies: "to games in which a move takes a point with all above it, of orders with few antichains",
        needs: &[S::Impartial, S::Compile],
        source: "engine/upsets/antichains.rs",
        counters: &["order_positions_ranked"],
    },
    Entry {
        shortcut: S::Threats,
        name: "threats",
        summary: "A move that the opponent would answer by winning at once is left out.",
        applies: "in a search for who wins where a clause ends play, for two players",
        needs: &[],
        source: "engine/arena/proof.rs",
        counters: &["replies_forced"],
    },
    Entry {
        shortcut: S::Quotients,
        name: "quotients",
        summary: "Who wins a sum of heaps in misère play comes from the misère quotient of the rule, or from tame heaps.",
        applies: "to impartial rules on heaps with a quotient that is not too large, or with tame heaps only",
        needs: &[S::Compile],
        source: "engine/misere/quotient; Plambeck and Siegel 2008; Winning Ways, ch. 13",
        counters: &[],
    },
];

impl Shortcut {
    /// Its entry in the registry.
    #[must_use]
    pub const fn entry(self) -> &'static Entry {
        &REGISTRY[self as usize]
    }

    /// The shortcut with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Shortcut> {
        let entry = REGISTRY.iter().find(|e| e.name == name)?;
        Some(entry.shortcut)
    }
}

/// A set of shortcuts that contains everything its members need.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shortcuts(u64);

impl Shortcuts {
    /// All shortcuts: the default outside tests.
    pub const ALL: Shortcuts = Shortcuts((1 << REGISTRY.len()) - 1);

    /// No shortcuts: the plain definitions.
    pub const NONE: Shortcuts = Shortcuts(0);

    /// Whether the shortcut is in the set.
    #[must_use]
    #[inline]
    pub const fn has(self, shortcut: Shortcut) -> bool {
        self.0 >> shortcut as u8 & 1 == 1
    }

    /// The set without these shortcuts, and without those that need them.
    #[must_use]
    pub fn without(self, closed: &[Shortcut]) -> Shortcuts {
        let closed: Vec<(Shortcut, bool)> = closed.iter().map(|s| (*s, false)).collect();
        self.with(&closed)
    }

    /// The set with some shortcuts switched on or off, without those whose needs are then missing.
    #[must_use]
    pub fn with(mut self, changes: &[(Shortcut, bool)]) -> Shortcuts {
        for (shortcut, open) in changes {
            let bit = 1 << *shortcut as u8;
            self.0 = if *open { self.0 | bit } else { self.0 & !bit };
        }
        self.closed_under_needs()
    }

    /// These shortcuts and everything they need.
    #[must_use]
    pub fn only(wanted: &[Shortcut]) -> Shortcuts {
        let mut set = 0;
        let mut open: Vec<Shortcut> = wanted.to_vec();
        while let Some(shortcut) = open.pop() {
            set |= 1 << shortcut as u8;
            open.extend(shortcut.entry().needs);
        }
        Shortcuts(set)
    }

    /// The shortcuts in the set, in the order of the registry.
    pub fn iter(self) -> impl Iterator<Item = Shortcut> {
        let all = REGISTRY.iter().map(|e| e.shortcut);
        all.filter(move |s| self.has(*s))
    }

    fn closed_under_needs(mut self) -> Shortcuts {
        loop {
            let lacks = |e: &&Entry| e.needs.iter().any(|n| !self.has(*n));
            let lost = REGISTRY.iter().filter(lacks);
            let lost = lost.fold(0, |set, e| set | 1 << e.shortcut as u8);
            if self.0 & lost == 0 {
                return self;
            }
            self.0 &= !lost;
        }
    }
}

impl Default for Shortcuts {
    fn default() -> Shortcuts {
        Shortcuts::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registry_is_in_the_order_of_the_shortcuts_and_names_are_unique() {
        for (i, entry) in REGISTRY.iter().enumerate() {
            assert_eq!(entry.shortcut as usize, i, "{}", entry.name);
            assert_eq!(Shortcut::named(entry.name), Some(entry.shortcut));
        }
    }

    #[test]
    fn closing_one_closes_what_needs_it() {
        let without = Shortcuts::ALL.without(&[S::Memo]);
        assert!(!without.has(S::Bounds) && !without.has(S::Whole) && !without.has(S::Images));
        assert!(without.has(S::Split) && without.has(S::Impartial));
        let closed = REGISTRY
            .iter()
            .map(|e| Shortcuts::ALL.without(&[e.shortcut]));
        for set in closed {
            assert!(
                set.iter()
                    .all(|s| s.entry().needs.iter().all(|n| set.has(*n)))
            );
        }
    }

    #[test]
    fn some_come_with_what_they_need() {
        let whole = Shortcuts::only(&[S::Whole]);
        let names: Vec<&str> = whole.iter().map(|s| s.entry().name).collect();
        assert_eq!(names, ["memo", "split", "sums", "bounds", "whole"]);
        assert_eq!(Shortcuts::ALL.without(&[]), Shortcuts::ALL);
        assert_eq!(Shortcuts::only(&[]), Shortcuts::NONE);
    }
}
