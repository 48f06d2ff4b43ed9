//! Proof numbers. Input: the numbers of the options of a node. Output: the numbers of the node, the option to search next
//! and the thresholds of that search. A node is a position with a player to move. Both proof-number searches
//! ([`super::proof`], `play::led`) use this.
//!
//! V. Allis, M. van der Meulen and J. van den Herik, "Proof-number search", *Artificial Intelligence* 66, 1994; depth first
//! with thresholds after A. Nagai, *Df-pn algorithm for searching AND/OR trees*, 2002.

/// Greater than both numbers of every undecided node.
pub(super) const INFINITE: u32 = 1 << 30;

/// The proof number and the disproof number of a node: how many leaves must at least be decided to prove that the player to
/// move wins, and that he loses.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    pub win: u32,
    pub loss: u32,
}

impl Numbers {
    /// The player to move wins.
    pub const WON: Numbers = Numbers {
        win: 0,
        loss: INFINITE,
    };
    /// The player to move loses.
    pub const LOST: Numbers = Numbers {
        win: INFINITE,
        loss: 0,
    };
    /// As thresholds: the search goes on until the node is decided.
    pub const NEVER: Numbers = Numbers {
        win: INFINITE,
        loss: INFINITE,
    };

    /// From the view of the other side, if `turned`.
    pub fn turned_if(self, turned: bool) -> Numbers {
        let Numbers { win, loss } = self;
        match turned {
            true => Numbers {
                win: loss,
                loss: win,
            },
            false => self,
        }
    }

    /// The numbers of a node that is not opened yet: one winning move is enough, and `loss` answers are needed to show that
    /// there is none.
    pub fn unopened(loss: u32) -> Numbers {
        Numbers {
            win: 1,
            loss: loss.min(INFINITE / 2),
        }
    }
}

/// Collects the numbers of the undecided options of a node. The player to move wins if one option loses for the other
/// player, and loses if all options win for the other.
pub(super) struct Tally<O> {
    numbers: Numbers,
    /// The least disproof number of an option other than the best.
    next: u32,
    /// The option with the least disproof number, and its proof number.
    best: Option<(O, u32)>,
}

impl<O: Copy> Tally<O> {
    pub fn new() -> Tally<O> {
        Tally {
            numbers: Numbers {
                win: INFINITE,
                loss: 0,
            },
            next: INFINITE,
            best: None,
        }
    }

    /// Adds an undecided option, with its numbers for the other player, who moves there.
    #[inline]
    pub fn add(&mut self, option: O, of: Numbers) {
        let Numbers { win, loss } = &mut self.numbers;
        *loss = loss.saturating_add(of.win).min(INFINITE - 1);
        if of.loss < *win {
            (self.next, *win) = (*win, of.loss);
            self.best = Some((option, of.win));
        } else {
            self.next = self.next.min(of.loss);
        }
    }

    /// Adds unopened options whose disproof numbers are not less than those of two options already added.
    #[inline]
    pub fn more(&mut self, options: u32) {
        let Numbers { loss, .. } = &mut self.numbers;
        *loss = loss.saturating_add(options).min(INFINITE - 1);
    }

    /// The numbers of the node.
    pub fn numbers(&self) -> Numbers {
        self.numbers
    }

    /// Whether a number of the node reaches its threshold.
    pub fn reaches(&self, limit: Numbers) -> bool {
        self.numbers.win >= limit.win || self.numbers.loss >= limit.loss
    }

    /// The option to search next, with its thresholds under those of the node: until another option is better by a quarter,
    /// or the node reaches its own thresholds. `None` if all options are decided.
    pub fn next(&self, limit: Numbers) -> Option<(O, Numbers)> {
        let (option, own) = self.best?;
        let win = if limit.loss == INFINITE {
            INFINITE
        } else {
            limit
                .loss
                .saturating_sub(self.numbers.loss)
                .saturating_add(own)
        };
        let loss = limit.win.min(self.next.saturating_add(1 + self.next / 4));
        Some((option, Numbers { win, loss }))
    }
}
