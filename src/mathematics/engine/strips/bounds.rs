//! A player's lower bounds. Input: a position as a set of moves, or an option of the one before. Output: its walls.
//!
//! A position that is opened is bounded by its parts: small ones by their own walls, others cut into strips of up to
//! [`LONGEST`] rows; most parts were met before. Its options, of which there are many more, are cut as wholes into shorter
//! strips, most of which are those of the position.

use super::cut::Cut;
use super::layout::{LONGEST, Layout};
use super::set::Set;
use super::walls::Walls;
use crate::engine::account::Account;
use crate::engine::boards::Boards;
use crate::engine::context::Context;
use crate::engine::table::hash_of;
use crate::game::{Conflicts, Limit, Player};

/// The bounds for one player.
pub(super) struct Side<const W: usize> {
    pub(super) layout: Layout<W>,
    /// The position that was opened last, cut into strips of the usual length.
    opened: Cut,
    part: Cut,
    /// Parts that were cut.
    parts: Boards<Set<W>, Walls>,
}

impl<const W: usize> Side<W> {
    /// `None` if strips would say little.
    pub(super) fn new(conflicts: &Conflicts, player: Player, always: bool) -> Option<Side<W>> {
        let layout = Layout::new(conflicts, player, always)?;
        Some(Side {
            opened: Cut::new(layout.usual),
            part: Cut::new(LONGEST),
            parts: Boards::default(),
            layout,
        })
    }

    /// The walls of the sum of the parts of a position, each of them cut in the best way.
    ///
    /// # Errors
    /// A limit other than memory.
    pub(super) fn in_parts(&mut self, set: &Set<W>, context: &Context<'_>) -> Result<Walls, Limit> {
        let mut rest = *set;
        let mut walls = Walls::ZERO;
        while !rest.is_empty() {
            let part = self.layout.board.part(&rest);
            rest = rest.without(&part);
            walls = walls.plus(&self.part(&part, context)?);
        }
        Ok(walls)
    }

    fn part(&mut self, part: &Set<W>, context: &Context<'_>) -> Result<Walls, Limit> {
        if let Some(walls) = self.layout.small(part, context)? {
            return Ok(walls);
        }
        let hash = hash_of(part);
        if let Some(walls) = self.parts.get(hash, part) {
            return Ok(walls);
        }
        let walls = self.part.cut(&mut self.layout, part, context)?;
        let room = (context.account, context.forms);
        self.parts.put(hash, *part, walls, |_| 0, hash_of, room);
        Ok(walls)
    }

    /// Cuts a position, for [`Side::option`].
    ///
    /// # Errors
    /// A limit other than memory.
    pub(super) fn open(&mut self, set: &Set<W>, context: &Context<'_>) -> Result<(), Limit> {
        self.opened.cut(&mut self.layout, set, context)?;
        self.opened.backwards();
        Ok(())
    }

    /// The walls of an option, made by a move of this bit, of the position that was cut.
    ///
    /// # Errors
    /// A limit other than memory.
    pub(super) fn option(
        &mut self,
        option: &Set<W>,
        bit: usize,
        context: &Context<'_>,
    ) -> Result<Walls, Limit> {
        self.opened.option(&mut self.layout, option, bit, context)
    }

    /// Frees all memory.
    pub(super) fn clear(&mut self, account: &Account) {
        self.layout.clear(account);
        self.parts.clear(account);
    }
}
