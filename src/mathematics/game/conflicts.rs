//! Games in which moves exclude each other: each move can be made once, and ends all moves in conflict with it. On the graph
//! of conflicts this is partizan Node Kayles: a player takes a vertex of his own, and its neighbours go, too.

use super::Player;

/// The moves left at a position, numbered from 0, and their conflicts.
///
/// At the position, each move can be made. Making one removes it and all moves in conflict with it; nothing else happens.
#[derive(Clone, Debug, Default)]
pub struct Conflicts {
    /// Whose move each is: Left's or Right's.
    pub owners: Vec<Player>,
    /// For each move, the others in conflict with it, in ascending order. If i is among those of j, j is among those of i.
    pub with: Vec<Vec<u32>>,
    /// Some symmetries: for each move its image, with the same owner; images are in conflict if and only if the moves are.
    pub symmetries: Vec<Vec<u32>>,
    /// Whether a symmetry is known that exchanges the players: each move has an image of the other owner. Then either both
    /// win who begin, or neither.
    pub exchanges: bool,
}
