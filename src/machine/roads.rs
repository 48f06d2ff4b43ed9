//! Which of the machine's fast roads are open: each can be closed, and the answers must not change.

/// Which roads are open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Roads {
    /// Rules are grounded to instances; else the naive evaluator plays.
    pub ground: bool,
    /// Positions are split into independent components.
    pub split: bool,
    /// Enabled and live instances are found by sets; else each instance is looked at.
    pub index: bool,
    /// Parts are known by their shape, wherever they lie; else by the board and the state.
    pub shapes: bool,
    /// Cells with different sets of values have one numbering of values, so that parts of such boards have patterns too.
    pub values: bool,
    /// Images under the symmetries of the instances share a key, mirror images with exchanged players too.
    pub symmetry: bool,
    /// Positions in which all players have the same options are recognised.
    pub impartial: bool,
    /// The instances are printed and read back before they are played (for tests).
    pub reread: bool,
    /// A mistake made on purpose, for the tests that must catch it.
    #[doc(hidden)]
    pub planted: Option<Planted>,
}

impl Roads {
    /// All roads.
    #[must_use]
    pub fn all() -> Roads {
        Roads {
            ground: true,
            split: true,
            index: true,
            shapes: true,
            values: true,
            symmetry: true,
            impartial: true,
            reread: false,
            planted: None,
        }
    }

    /// None of them: level 1 as it stands.
    #[must_use]
    pub fn none() -> Roads {
        Roads {
            ground: false,
            split: false,
            index: false,
            shapes: false,
            values: false,
            symmetry: false,
            impartial: false,
            reread: false,
            planted: None,
        }
    }
}

impl Default for Roads {
    fn default() -> Roads {
        Roads::all()
    }
}

/// Unsound variants of the analyses: each must be caught by a test.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Planted {
    /// A `-=` is taken not to observe its count.
    SubtractDoesNotObserve,
    /// Heaps are split whatever the rules name.
    HeapsAlwaysSplit,
    /// Keys leave the values of the variables out.
    KeysWithoutValues,
    /// A part and its mirror image are taken for negatives of each other, whether the instances say so or not.
    SymmetryUnchecked,
}
