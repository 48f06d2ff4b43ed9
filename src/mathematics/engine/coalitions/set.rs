//! Sets of players.

use std::fmt;

use crate::game::Player;

/// A set of players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Coalition([u64; 4]);

impl Coalition {
    /// Nobody.
    pub const EMPTY: Coalition = Coalition([0; 4]);

    /// The first `n` players: everybody in a game of n.
    #[must_use]
    pub fn all(n: u8) -> Coalition {
        (0..n).map(Player).collect()
    }

    /// Whether a player is a member.
    #[must_use]
    pub fn contains(&self, player: Player) -> bool {
        self.0[player.index() / 64] >> (player.index() % 64) & 1 == 1
    }

    /// Adds a player.
    pub fn insert(&mut self, player: Player) {
        self.0[player.index() / 64] |= 1 << (player.index() % 64);
    }

    /// Removes a player.
    pub fn remove(&mut self, player: Player) {
        self.0[player.index() / 64] &= !(1 << (player.index() % 64));
    }

    /// How many members there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether there is no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Coalition::EMPTY
    }

    /// The members in the order of turns.
    pub fn iter(&self) -> impl Iterator<Item = Player> + '_ {
        (0..=u8::MAX).map(Player).filter(|p| self.contains(*p))
    }

    /// The players in both sets.
    #[must_use]
    pub fn intersection(&self, other: &Coalition) -> Coalition {
        Coalition(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// The players among the first `n` who are not members.
    #[must_use]
    pub fn complement(&self, n: u8) -> Coalition {
        let all = Coalition::all(n);
        Coalition(std::array::from_fn(|i| all.0[i] & !self.0[i]))
    }

    /// The next member in turn after `player`, cyclically; `player` if it is the only member, `None` if there is no member.
    #[must_use]
    pub fn after(&self, player: Player) -> Option<Player> {
        self.iter()
            .find(|p| *p > player)
            .or_else(|| self.iter().next())
    }

    /// The members as words of 32 bits, from the first player on; as many words as `n` players need.
    pub(super) fn words(&self, n: u8) -> impl Iterator<Item = u32> + '_ {
        (0..usize::from(n).div_ceil(32)).map(|i| (self.0[i / 2] >> (32 * (i % 2))) as u32)
    }

    /// The members among the first 64 players, as bits.
    #[must_use]
    pub fn low(&self) -> u64 {
        self.0[0]
    }

    pub(super) fn from_low(bits: u64) -> Coalition {
        Coalition([bits, 0, 0, 0])
    }

    /// The members, each `by` places earlier in the cycle of the first `n` players.
    pub(super) fn turned(&self, by: u8, n: u8) -> Coalition {
        self.iter()
            .map(|p| Player(((u16::from(p.0) + u16::from(n) - u16::from(by)) % u16::from(n)) as u8))
            .collect()
    }
}

impl FromIterator<Player> for Coalition {
    fn from_iter<I: IntoIterator<Item = Player>>(players: I) -> Coalition {
        let mut coalition = Coalition::EMPTY;
        for player in players {
            coalition.insert(player);
        }
        coalition
    }
}

impl fmt::Debug for Coalition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(|p| p.0)).finish()
    }
}
