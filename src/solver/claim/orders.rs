//! Nimbers of removal games on an order. The last order that was solved is kept, and all its followers are answered from the
//! table of its positions. The order of the last term is kept, too, since a card asks several questions about it.

use crate::engine::upsets::{Solved, Table};
use crate::game::Limit;
use crate::ir::{Setting, State, Term};
use crate::machine::Machine;
use crate::machine::upsets::Removal;
use std::cell::RefCell;
use std::sync::Arc;

/// The most bytes of a table that is kept.
const MOST_KEPT: usize = 1 << 26;

/// The result for an order, and the table of its positions, if there is one.
pub(super) type Tabled = (Solved, Option<Table>);

/// A removal game, with what the names of its points refer to.
#[derive(Debug)]
pub(super) struct Removed {
    pub order: Removal,
    pub setting: Arc<Setting>,
    /// The machine whose variables give the names; `None` if names are sites, taken from the text of the rules.
    pub machine: Option<Arc<Machine>>,
}

impl Removed {
    fn names_as(&self, other: &Removed) -> bool {
        let machines = match (&self.machine, &other.machine) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        machines && (Arc::ptr_eq(&self.setting, &other.setting) || self.setting == other.setting)
    }
}

#[derive(Debug)]
struct Kept {
    of: Arc<Removed>,
    solved: Solved,
    table: Option<Table>,
}

impl Kept {
    /// Which of its points are left in a game on the same board; `None` if that game is not a follower.
    fn part(&self, of: &Removed) -> Option<Vec<bool>> {
        if !self.of.names_as(of) {
            return None;
        }
        let mut there = vec![false; self.of.order.points];
        let mut places = (0..).zip(&self.of.order.names);
        for name in &of.order.names {
            let (place, _) = places.find(|(_, n)| *n == name)?;
            let at: usize = place;
            there[at] = true;
        }
        let mut pairs = self.of.order.pairs.iter();
        let closed = pairs.all(|(x, y)| there[*x as usize] || !there[*y as usize]);
        closed.then_some(there)
    }
}

/// The results for removal games.
#[derive(Debug, Default)]
pub(super) struct Orders {
    asked: RefCell<Option<Asked>>,
    /// The board at hand, if its instances remove along no order, whatever the state.
    refused: RefCell<Option<Arc<Setting>>>,
    last: RefCell<Option<Kept>>,
}

/// A term, with its order if it is a removal game.
#[derive(Debug)]
struct Asked {
    setting: Arc<Setting>,
    state: State,
    order: Option<Arc<Removed>>,
}

impl Orders {
    /// The order of a term if it is the last one; `Some(None)` if that is not a removal game.
    pub fn asked(&self, term: &Term) -> Option<Option<Arc<Removed>>> {
        let asked = self.asked.borrow();
        let same = |a: &&Asked| a.state == term.state && a.setting == term.setting;
        asked.as_ref().filter(same).map(|a| a.order.clone())
    }

    /// Whether the board at hand is known to have no order.
    pub fn is_refused(&self, setting: &Arc<Setting>) -> bool {
        let refused = self.refused.borrow();
        refused.as_ref().is_some_and(|r| Arc::ptr_eq(r, setting))
    }

    /// Notes that a board has no order.
    pub fn refuse(&self, setting: &Arc<Setting>) {
        *self.refused.borrow_mut() = Some(setting.clone());
    }

    /// Keeps the order of a term.
    pub fn keep(&self, term: &Term, order: Option<Arc<Removed>>) {
        *self.asked.borrow_mut() = Some(Asked {
            setting: term.setting.clone(),
            state: term.state.clone(),
            order,
        });
    }

    /// The g-set, and how it was found; calls `solve` if it is not known.
    ///
    /// # Errors
    /// A limit.
    pub fn solved(
        &self,
        of: Arc<Removed>,
        solve: impl FnOnce(&Removal) -> Result<Option<Tabled>, Limit>,
    ) -> Result<Option<Solved>, Limit> {
        if let Some(kept) = &*self.last.borrow()
            && kept.of.order == of.order
            && kept.of.names_as(&of)
        {
            return Ok(Some(kept.solved.clone()));
        }
        let Some((solved, table)) = solve(&of.order)? else {
            return Ok(None);
        };
        let mut last = self.last.borrow_mut();
        // A follower of the kept order does not replace it.
        let follows = last
            .as_ref()
            .is_some_and(|kept| kept.table.is_some() && kept.part(&of).is_some());
        if !follows {
            *last = Some(Kept {
                of,
                solved: solved.clone(),
                table: table.filter(|t| t.bytes() <= MOST_KEPT),
            });
        }
        Ok(Some(solved))
    }

    /// The nimber.
    ///
    /// # Errors
    /// A limit.
    pub fn nimber(
        &self,
        of: Arc<Removed>,
        solve: impl FnOnce(&Removal) -> Result<Option<Tabled>, Limit>,
    ) -> Result<Option<u32>, Limit> {
        if let Some(kept) = &*self.last.borrow()
            && let Some(table) = &kept.table
            && let Some(there) = kept.part(&of)
        {
            return Ok(Some(table.nimber(|x| there[x as usize])));
        }
        Ok(self.solved(of, solve)?.map(|s| s.nimber))
    }
}
