//! Positions that are their own negatives: a position comes in, whether that is plain goes out.
//!
//! A game whose players exchange their roles under a symmetry is `G = -G`: Left wins it moving first if and only if Right does, and
//! its value, if it is a number, ups and a nimber, is a nimber. Here that is seen from the numbers of parts alone, which say
//! what is whose negative, whatever the symmetry.

use super::{Play, Word};
use crate::engine::context::Context;
use crate::engine::stopped::StoppedIn;
use crate::game::{Game, Player};
use smallvec::SmallVec;

/// How many parts may be looked at to see that one is its own negative.
const OWN_NEGATIVES: usize = 64;

/// Options, each by its parts.
type Options = Vec<SmallVec<[Word; 8]>>;

impl<G: Game> Play<G> {
    /// Whether it is plain that a position is its own negative: its only part has for each option of a player the
    /// negative of it among those of the other. Parts that would have to be their own negatives for that are looked at in
    /// the same way, a few of them; play ends, so none rests on itself. Charges what it expands.
    pub(crate) fn is_own_negative(
        &mut self,
        game: &G,
        position: &G::Position,
        context: &Context<'_>,
    ) -> Result<bool, StoppedIn<G>> {
        let mut parts = Vec::new();
        self.components.split(game, position, context, &mut parts)?;
        let [part] = parts[..] else { return Ok(false) };
        // The words of parts that must be their own negatives, their players not exchanged; the first ones were looked at.
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

    // The options of a player in a part, Right's exchanged, each by its parts, in order.
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
