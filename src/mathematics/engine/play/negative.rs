//! Recognizes positions that are their own negatives. Input: a position. Output: whether it is evidently its own negative.
//!
//! If a symmetry exchanges the players' roles, then `G = -G`. So Left wins moving first if and only if Right does, and if
//! the value of G is the sum of a number, ups and a nimber, it is a nimber. This file finds such positions from the numbers
//! of parts alone, which say which part is the negative of which, whatever the symmetry.

use super::{Play, Word};
use crate::engine::context::Context;
use crate::engine::stopped::StoppedIn;
use crate::game::{Game, Player};
use smallvec::SmallVec;

/// The most parts that are expanded to show that one is its own negative.
const OWN_NEGATIVES: usize = 64;

/// Options, each as its parts.
type Options = Vec<SmallVec<[Word; 8]>>;

impl<G: Game> Play<G> {
    /// Whether a position is evidently its own negative: it is a single part, and the options of one player are the
    /// negatives of the options of the other. Parts that must be their own negatives for this are checked in the same way,
    /// up to a limit. This is no circular argument, since play ends. The expansions are charged to the budget.
    pub(crate) fn is_own_negative(
        &mut self,
        game: &G,
        position: &G::Position,
        context: &Context<'_>,
    ) -> Result<bool, StoppedIn<G>> {
        let mut parts = Vec::new();
        self.components.split(game, position, context, &mut parts)?;
        let [part] = parts[..] else { return Ok(false) };
        // The words of parts that must be their own negatives, with the players not exchanged; those before `next` are
        // checked.
        let mut own = vec![part & !1];
        let mut next = 0;
        while let Some(part) = own.get(next).copied() {
            next += 1;
            let left = self.words_of(game, part, Player::LEFT, context)?;
            let right = self.words_of(game, part, Player::RIGHT, context)?;
            let alone = |these: &Options, those: &Options| -> Vec<Word> {
                let missing = these.iter().filter(|o| those.binary_search(o).is_err());
                missing.flatten().copied().collect()
            };
            let (here, there) = (alone(&left, &right), alone(&right, &left));
            for word in here {
                if there.contains(&(word ^ 1)) && !own.contains(&(word & !1)) {
                    own.push(word & !1);
                }
            }
            let plain = |options: &Options| {
                let word = |word: &Word| match own.contains(&(word & !1)) {
                    true => word & !1,
                    false => *word,
                };
                let mut all: Options = options
                    .iter()
                    .map(|option| option.iter().map(word).collect())
                    .collect();
                all.iter_mut().for_each(|option| option.sort_unstable());
                all.sort_unstable();
                all.dedup();
                all
            };
            if own.len() > OWN_NEGATIVES || plain(&left) != plain(&right) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    // The sorted options of a player in a part, each as its parts; those of Right with the players exchanged.
    fn words_of(
        &mut self,
        game: &G,
        part: Word,
        player: Player,
        context: &Context<'_>,
    ) -> Result<Options, StoppedIn<G>> {
        let (mut at, end, _) = self.components.moves(game, part, player, context)?;
        let exchanged = Word::from(player == Player::RIGHT);
        let mut all = Options::new();
        while at < end {
            let option = self.components.option(at);
            at += 1 + option.len() as u32;
            let mut words: SmallVec<[Word; 8]> =
                option.iter().map(|word| word ^ exchanged).collect();
            words.sort_unstable();
            all.push(words);
        }
        all.sort_unstable();
        Ok(all)
    }
}
