//! The operations on the states of one term, as words and by the term's own players; [`super::game`] builds a game from them.
//! There are two kinds of states: the packed states of a program, and sets of ground instances of a removal game.

use super::game::ones;
use super::key::{Key, state_key};
use super::pack::Program;
use super::removal::Removal;
use super::settings::Settings;
use super::{Packed, wrap};
use crate::game::{Conflicts, End, Player, Sign};
use crate::ir::Fault;

/// The operations on the states of one term.
pub(super) trait States<const N: usize>: Sync {
    /// Whether moves only remove moves, so that every line of play ends and no rule fails.
    const DWINDLES: bool = false;

    /// A state as a position of the machine.
    fn packed(&self, number: u32, state: &[u64; N]) -> Packed;

    fn options(
        &self,
        state: &[u64; N],
        player: Player,
        found: impl FnMut([u64; N]),
    ) -> Result<(), Box<Fault>>;

    /// Calls `found` with each option, whether the player moves again, and how play ends there.
    fn steps(
        &self,
        state: &[u64; N],
        player: Player,
        found: impl FnMut([u64; N], bool, Option<End>),
    ) -> Result<(), Box<Fault>>;

    fn split(&self, state: &[u64; N], part: &mut dyn FnMut([u64; N]));

    #[inline]
    fn regions(
        &self,
        _from: Option<&[u64; N]>,
        _state: &[u64; N],
        _region: &mut dyn FnMut([u64; N]),
    ) -> bool {
        false
    }

    fn key(&self, part: &[u64; N], settings: &Settings) -> (Key, Sign);

    fn plain_key(&self, part: &[u64; N]) -> Option<(Key, Sign)>;

    #[inline]
    fn image(&self, _part: &[u64; N]) -> Option<([u64; N], Sign)> {
        None
    }

    fn all_share(&self, state: &[u64; N]) -> bool;

    fn mobility(&self, part: &[u64; N]) -> [u32; 2];

    #[inline]
    fn margin(&self, _state: &[u64; N], _player: Player, _begins: bool) -> Option<i32> {
        None
    }

    fn conflicts(&self, _state: &[u64; N], _least: u32) -> Option<Conflicts> {
        None
    }

    fn tied(
        &self,
        part: &[u64; N],
        player: Player,
        weight: u32,
        piece: &mut dyn FnMut([u64; N]),
    ) -> bool;
}

impl<const N: usize> States<N> for Program<N> {
    fn packed(&self, number: u32, state: &[u64; N]) -> Packed {
        wrap(number, *state)
    }

    #[inline]
    fn options(
        &self,
        state: &[u64; N],
        player: Player,
        found: impl FnMut([u64; N]),
    ) -> Result<(), Box<Fault>> {
        self.options(state, player.index(), found)
    }

    #[inline]
    fn steps(
        &self,
        state: &[u64; N],
        player: Player,
        mut found: impl FnMut([u64; N], bool, Option<End>),
    ) -> Result<(), Box<Fault>> {
        self.steps(state, player.index(), |next, instance, again| {
            found(next, again, self.ends.ended_after(&next, player, instance));
        })
    }

    #[inline]
    fn split(&self, state: &[u64; N], part: &mut dyn FnMut([u64; N])) {
        self.split(state, part);
    }

    #[inline]
    fn regions(
        &self,
        from: Option<&[u64; N]>,
        state: &[u64; N],
        region: &mut dyn FnMut([u64; N]),
    ) -> bool {
        self.regions(from, state, region)
    }

    #[inline]
    fn key(&self, part: &[u64; N], settings: &Settings) -> (Key, Sign) {
        self.key(part, settings)
    }

    #[inline]
    fn plain_key(&self, part: &[u64; N]) -> Option<(Key, Sign)> {
        self.plain_key(part)
    }

    #[inline]
    fn all_share(&self, state: &[u64; N]) -> bool {
        self.all_share(state)
    }

    #[inline]
    fn mobility(&self, part: &[u64; N]) -> [u32; 2] {
        self.mobility(part)
    }

    #[inline]
    fn tied(
        &self,
        part: &[u64; N],
        player: Player,
        weight: u32,
        piece: &mut dyn FnMut([u64; N]),
    ) -> bool {
        self.tied(part, player.index(), weight, piece)
    }
}

/// The states of a term that is a removal game: sets of ground instances.
pub(super) struct Removed<'m, const W: usize> {
    pub removal: &'m Removal,
    /// Converts a set to a position of the machine.
    pub packed: &'m (dyn Fn(&[u64; W]) -> Packed + Sync),
    /// Set if a part is determined by the cells that it covers.
    pub by_cells: Option<ByCells<'m, W>>,
}

/// The operations on a part that use the cells it covers.
pub(super) struct ByCells<'m, const W: usize> {
    pub key: &'m (dyn Fn(&[u64; W]) -> (Key, Sign) + Sync),
    pub tied: &'m Tied<'m, W>,
}

/// Appends the pieces of a part from which moves of a player are deleted; see [`States::tied`].
type Tied<'m, const W: usize> =
    dyn Fn(&[u64; W], Player, u32, &mut dyn FnMut([u64; W])) -> bool + Sync + 'm;

impl<const W: usize> States<W> for Removed<'_, W> {
    const DWINDLES: bool = true;

    fn packed(&self, _number: u32, state: &[u64; W]) -> Packed {
        (self.packed)(state)
    }

    #[inline]
    fn options(
        &self,
        state: &[u64; W],
        player: Player,
        found: impl FnMut([u64; W]),
    ) -> Result<(), Box<Fault>> {
        self.removal.options(state, player.index(), found);
        Ok(())
    }

    // Rules with clauses are not played by sets of instances, so no option ends play and the turn passes.
    fn steps(
        &self,
        state: &[u64; W],
        player: Player,
        mut found: impl FnMut([u64; W], bool, Option<End>),
    ) -> Result<(), Box<Fault>> {
        self.removal
            .options(state, player.index(), |next| found(next, false, None));
        Ok(())
    }

    #[inline]
    fn split(&self, state: &[u64; W], part: &mut dyn FnMut([u64; W])) {
        self.removal.split(state, part);
    }

    fn key(&self, part: &[u64; W], settings: &Settings) -> (Key, Sign) {
        match &self.by_cells {
            Some(cells) => (cells.key)(part),
            None => self
                .removal
                .key(part, settings)
                .unwrap_or_else(|| (state_key(self.removal.board, part), Sign::Plus)),
        }
    }

    fn plain_key(&self, part: &[u64; W]) -> Option<(Key, Sign)> {
        if self.by_cells.is_some() {
            return None;
        }
        let (set, sign) = match &self.removal.images {
            Some(images) => images.least(part),
            None => (*part, Sign::Plus),
        };
        Some((state_key(self.removal.board, &set), sign))
    }

    #[inline]
    fn image(&self, part: &[u64; W]) -> Option<([u64; W], Sign)> {
        Some(self.removal.images.as_ref()?.least(part))
    }

    #[inline]
    fn all_share(&self, state: &[u64; W]) -> bool {
        self.removal.all_share(state)
    }

    #[inline]
    fn mobility(&self, part: &[u64; W]) -> [u32; 2] {
        self.removal.mobility(part)
    }

    #[inline]
    fn margin(&self, state: &[u64; W], player: Player, begins: bool) -> Option<i32> {
        self.removal.margin(state, player.index(), begins)
    }

    fn conflicts(&self, state: &[u64; W], least: u32) -> Option<Conflicts> {
        if ones(state) < least {
            return None;
        }
        self.removal.conflicts(state)
    }

    fn tied(
        &self,
        part: &[u64; W],
        player: Player,
        weight: u32,
        piece: &mut dyn FnMut([u64; W]),
    ) -> bool {
        match &self.by_cells {
            Some(cells) => (cells.tied)(part, player, weight, piece),
            None => self.removal.tied(part, player.index(), weight, piece),
        }
    }
}
