//! Who wins, where it is clear with one hand tied: a state comes in, its winner goes out if bounds are enough to know it.
//!
//! With some of Left's moves forbidden for ever a game is at most what it was: Left can follow any strategy of the tied game
//! in the whole one (the one-hand-tied principle, *Winning Ways*, chapter 1). The machine forbids moves by which a
//! part hangs together, so that it falls into small ones, whose values are cheap and come again. So each part of a state has
//! a value that it is not below, and one that it is not above; where Left wins the sum of the former, or loses the sum
//! of the latter, Left wins or loses the state.
//!
//! The hypotheses, and where each is shown. (1) All that is forbidden are moves of one player, for ever, and the moves of the
//! other stay as they are: [`Analysis::tied`]. (2) What is left is the sum of the pieces: there, and by the split of pieces, which is
//! sound for any position of the game. (3) Each piece has a value, so every line of play in the tied sum ends: it was
//! found by a search of all lines; nothing is asked of lines in the whole game, of which the strategy meets those of the tied game
//! alone. (4) No rule goes wrong at a position of the whole game, as one might by a move that is forbidden: it is asked of
//! the game here. (5) Normal play, in which values add up.
//!
//! A part gets its bounds from small pieces at first. Whenever it was met four times as often, larger pieces are tried,
//! for which more positions may be expanded: larger pieces forbid less, and so say more.

use super::adding::has_few_options;
use super::{Ask, Play, Word, Worth, memory, moves_first_and_wins};
use crate::engine::context::Context;
use crate::engine::scheduler::{self, Fund};
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::game::{Analysis, Game, Limit, Player, Shortcut};
use crate::value::CanonicalForm;

/// The weight of the pieces and the positions that may be expanded for one, from the first try to the last.
const TRIES: [(u32, u64); 5] = [
    (14, 1 << 10),
    (16, 1 << 11),
    (20, 1 << 13),
    (24, 1 << 15),
    (28, 1 << 17),
];

/// The weight of pieces in tests ([`Context::small_pieces`]).
const FEW: u32 = 4;

/// A sum of pieces whose values have more options than this, together, is not made: it can take longer than all else (in
/// Snort on a path of 24 vertices).
const MOST_OPTIONS: usize = 8;

/// What is known of a part with some moves of a player forbidden.
#[derive(Clone, Copy, Default)]
struct Bound {
    value: Option<CanonicalForm>,
    /// How often it was asked for, and how many tries there were.
    visits: u32,
    tries: u8,
}

/// What is known of parts, and what may still be spent.
pub(super) struct Bounds {
    /// By the number of a part: with Left's hand tied, and with Right's.
    known: Vec<[Bound; 2]>,
    fund: Fund,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            known: Vec::new(),
            fund: Fund::new(&scheduler::BOUNDS),
        }
    }
}

impl Bounds {
    pub(super) fn bytes(&self) -> usize {
        self.known.capacity() * size_of::<[Bound; 2]>()
    }

    pub(super) fn clear(&mut self) {
        *self = Bounds::default();
    }
}

impl<G: Game> Play<G> {
    /// Whether `mover` wins at a state, if it is clear with some moves of a player forbidden.
    pub(super) fn bounded(
        &mut self,
        game: &G,
        state: &[Word],
        mover: Player,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<Option<bool>, StoppedIn<G>> {
        let shortcuts = context.shortcuts;
        if self.misere || !shortcuts.has(Shortcut::Bounds) || !game.analysis().is_faultless() {
            return Ok(None);
        }
        self.bounds.fund.earn();
        'players: for tied in [mover.opponent(), mover] {
            let mut sum = CanonicalForm(state[0]);
            for part in &state[1..] {
                let Some(bound) = self.bound(game, *part, tied, context, ask)? else {
                    continue 'players;
                };
                sum = context.forms.add(sum, bound).map_err(memory)?;
            }
            let wins = moves_first_and_wins(context.forms, sum, mover)?;
            // The mover wins with a hand tied, or loses although the opponent's is.
            if wins == (mover == tied) || context.plants(Shortcut::Bounds) {
                self.statistics.bounds += 1;
                self.bounds.fund.succeed();
                return Ok(Some(wins));
            }
        }
        Ok(None)
    }

    // The value of a part with some moves of a player forbidden, if it is known.
    fn bound(
        &mut self,
        game: &G,
        part: Word,
        tied: Player,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<Option<CanonicalForm>, StoppedIn<G>> {
        let exchanged = part & 1 == 1;
        let own = if exchanged { tied.opponent() } else { tied };
        let number = (part >> 1) as usize;
        if self.bounds.known.len() <= number {
            self.bounds
                .known
                .resize(self.components.len(), Default::default());
        }
        let bound = &mut self.bounds.known[number][own.index()];
        bound.visits = bound.visits.saturating_add(1);
        let due = bound.visits
            >= 1u32
                .checked_shl(2 * u32::from(bound.tries))
                .unwrap_or(u32::MAX);
        let next = TRIES.get(usize::from(bound.tries)).copied();
        let fund = &self.bounds.fund;
        if due && let Some(next) = next.filter(|(_, nodes)| fund.affords(*nodes)) {
            bound.tries += 1;
            let next = match context.small_pieces {
                true => (FEW, next.1),
                false => next,
            };
            let found = self.find_bound(game, part & !1, own, next, context, ask)?;
            let bound = &mut self.bounds.known[number][own.index()];
            match found {
                Piecewise::Value(value) => {
                    // Neither need be the better one.
                    let keep = match bound.value {
                        None => false,
                        Some(old) if own == Player::LEFT => {
                            context.forms.less_or_equal(value, old).map_err(memory)?
                        }
                        Some(old) => context.forms.less_or_equal(old, value).map_err(memory)?,
                    };
                    if !keep {
                        bound.value = Some(value);
                    }
                }
                Piecewise::Costly => {}
                Piecewise::Never => bound.tries = u8::MAX,
            }
        }
        let Some(value) = self.bounds.known[number][own.index()].value else {
            return Ok(None);
        };
        Ok(Some(if exchanged {
            context.forms.negate(value).map_err(memory)?
        } else {
            value
        }))
    }

    fn find_bound(
        &mut self,
        game: &G,
        part: Word,
        tied: Player,
        (weight, nodes): (u32, u64),
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<Piecewise, StoppedIn<G>> {
        self.bounds.fund.pay(scheduler::PIECES);
        let mut pieces = Vec::new();
        if !game
            .analysis()
            .tied(self.components.part(part), tied, weight, &mut pieces)
        {
            return Ok(Piecewise::Never);
        }
        let mut words = Vec::new();
        for piece in &pieces {
            self.components.split(game, piece, context, &mut words)?;
        }
        let mut sum = CanonicalForm::ZERO;
        for word in words {
            let number = (word >> 1) as usize;
            if self.worth.len() <= number {
                self.worth.resize(self.components.len(), Worth::Visits(0));
            }
            let value = match self.worth[number] {
                Worth::Known(value) => value,
                Worth::Never => return Ok(Piecewise::Never),
                Worth::Visits(_) => {
                    let part = self.components.part(word & !1);
                    let (result, spent) = context.budget.lend(nodes, |budget| ask(part, budget));
                    self.bounds.fund.spend(spent);
                    match result {
                        Ok(value) => {
                            self.worth[number] = Worth::Known(value);
                            value
                        }
                        Err(Stopped::Limit(Limit::Nodes)) => {
                            // Either what was lent was not enough, or the whole search has no more to spend.
                            context.budget.charge()?;
                            return Ok(Piecewise::Costly);
                        }
                        Err(Stopped::Limit(limit)) => return Err(limit.into()),
                        Err(_) => {
                            self.worth[number] = Worth::Never;
                            return Ok(Piecewise::Never);
                        }
                    }
                }
            };
            let value = if word & 1 == 1 {
                context.forms.negate(value).map_err(memory)?
            } else {
                value
            };
            let is_inline = sum.is_inline() || value.is_inline();
            if !is_inline && !has_few_options(context.forms, &[sum, value], MOST_OPTIONS)? {
                return Ok(Piecewise::Costly);
            }
            sum = context.forms.add(sum, value).map_err(memory)?;
        }
        Ok(Piecewise::Value(sum))
    }
}

enum Piecewise {
    Value(CanonicalForm),
    /// Its pieces cost too much.
    Costly,
    /// No pieces give a bound, however large they are.
    Never,
}
