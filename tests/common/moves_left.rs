//! The law of `Analysis::moves_left`, tested by all lines of play.

use cgdsl::game::{Analysis, Game, MovesLeft, Player};
use std::collections::{HashMap, HashSet};

/// All lines of play of a position, by the player who counts his moves and those who move.
struct Lines<'g, G: Game> {
    game: &'g G,
    known: HashMap<(G::Position, u8, u64), (u32, u32)>,
}

impl<G: Game> Lines<'_, G> {
    fn options(&self, position: &G::Position, player: u8, within: u64) -> Vec<G::Position> {
        let mut options = Vec::new();
        if within >> player & 1 == 1 {
            let fault = self.game.options(position, Player(player), &mut options);
            assert!(fault.is_ok());
        }
        options
    }

    /// How many moves a player makes at least if he wants many and the others, who may move at any time, want few; and how
    /// many he makes at most.
    fn moves(&mut self, position: &G::Position, player: u8, within: u64) -> (u32, u32) {
        let key = (position.clone(), player, within);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let (mut sure, mut most) = (0, 0);
        for option in self.options(position, player, within) {
            let (least, all) = self.moves(&option, player, within);
            (sure, most) = (sure.max(1 + least), most.max(1 + all));
        }
        for other in (0..self.game.players()).filter(|q| *q != player) {
            for option in self.options(position, other, within) {
                let (least, all) = self.moves(&option, player, within);
                (sure, most) = (sure.min(least), most.max(all));
            }
        }
        self.known.insert(key, (sure, most));
        (sure, most)
    }
}

/// Tests the law at the parts of a position and of what follows it, up to a number of positions. Returns how many numbers of
/// moves were compared, and how many of them are exact, other than 0.
pub fn obeys_the_law<G: Game>(game: &G, start: &G::Position, limit: usize) -> [usize; 2] {
    let n = game.players();
    let mut lines = Lines {
        game,
        known: HashMap::new(),
    };
    let (mut seen, mut queue) = (HashSet::new(), Vec::new());
    game.analysis().split(start, &mut queue);
    let mut counts = [0; 2];
    while let Some(part) = queue.pop() {
        if seen.len() == limit || !seen.insert(part.clone()) {
            continue;
        }
        for within in 1..1u64 << n {
            let mut left = vec![MovesLeft::default(); usize::from(n)];
            assert!(game.analysis().moves_left(&part, within, &mut left));
            for (p, left) in left.iter().enumerate() {
                let can = !lines.options(&part, p as u8, within).is_empty();
                let (sure, most) = lines.moves(&part, p as u8, within);
                let context = format!("{part:?}, player {p} of {within:b}: {left:?}");
                assert!(
                    left.sure <= sure && most <= left.most,
                    "{context}, {sure}, {most}"
                );
                assert_eq!(left.most > 0, can, "{context}");
                counts[0] += 2;
                counts[1] += usize::from(left.sure == sure && sure > 0);
                counts[1] += usize::from(left.most == most && most > 0);
            }
        }
        for p in 0..n {
            for option in lines.options(&part, p, u64::MAX) {
                game.analysis().split(&option, &mut queue);
            }
        }
    }
    counts
}
