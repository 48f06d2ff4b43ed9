//! Proof numbers: what is known of the options of a node comes in; the numbers of the node, the option to look at next and
//! how far to follow it go out. A node is a position with a player to move; both searches that proof numbers lead
//! ([`super::proof`], `play::led`) hold theirs so.
//!
//! V. Allis, M. van der Meulen and J. van den Herik, "Proof-number search", *Artificial Intelligence* 66, 1994; depth first
//! with thresholds after A. Nagai, *Df-pn algorithm for searching AND/OR trees*, 2002.

/// More than any number of a node that is not decided.
pub(super) const INFINITE: u32 = 1 << 30;

/// How much must be shown, at least, until the one who moves has won, and until he has lost.
#[derive(Clone, Copy)]
pub(super) struct Numbers {
    pub win: u32,
    pub loss: u32,
}

impl Numbers {
    /// He wins.
    pub const WON: Numbers = Numbers {
        win: 0,
        loss: INFINITE,
    };
    /// He loses.
    pub const LOST: Numbers = Numbers {
        win: INFINITE,
        loss: 0,
    };
    /// As thresholds: the search goes on to the end.
    pub const NEVER: Numbers = Numbers {
        win: INFINITE,
        loss: INFINITE,
    };

    /// Of a node that was not opened yet: one move that wins is enough, and so much must be answered to show that none does.
    pub fn unopened(loss: u32) -> Numbers {
        Numbers {
            win: 1,
            loss: loss.min(INFINITE / 2),
        }
    }
}

/// What the options that are not decided say of their node. The one who moves there wins by one option that loses for the
/// other, and loses if all win for the other.
pub(super) struct Tally<O> {
    numbers: Numbers,
    /// The least effort to win by another option than the best.
    next: u32,
    /// The option nearest to be shown to win, and what shows that it does not.
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

    /// An option that is not decided, and its numbers for the other player, who moves there.
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

    /// So many more options that were not opened yet, none of which is nearer to be shown to win than two that were added.
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

    /// The option to look at, with its thresholds under those of the node: until another option is better by a quarter, or
    /// the node reaches its own. Nothing if all options are decided.
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
