//! Finds the winner of a state from bounds, if they suffice. Input: a state. Output: its winner, or unknown.
//!
//! If some of Left's moves are forbidden for the whole game, the new game is at most the old one: in the old game Left can
//! follow any strategy of the new one (the one-hand-tied principle, *Winning Ways*, chapter 1). The machine forbids moves
//! that connect a part, so that it splits into small pieces, whose values are cheap and recur. So each part of a state has a
//! lower and an upper bound. If Left wins the sum of the lower bounds, Left wins the state; if Left loses the sum of the
//! upper bounds, Left loses the state.
//!
//! The hypotheses, and where each is established. (1) Only moves of one player are forbidden, throughout the game, and the
//! moves of the other player stay as they are: [`Analysis::tied`]. (2) The restricted game is the sum of the pieces: by
//! `tied`, and by the splitting of pieces, which is sound for any position of the game. (3) Each piece has a value, so every
//! line of play in the restricted sum ends: the value was found by a search of all lines. Nothing is required of lines in
//! the unrestricted game, since the strategy meets lines of the restricted one only. (4) No rule fails at a position of the
//! unrestricted game, not even by a forbidden move: checked here for the game. (5) Normal play, in which values add up.
//!
//! The first bounds of a part come from small pieces. Whenever the part has been met four times as often, larger pieces are
//! tried, with a larger budget of positions: larger pieces forbid less, so their bounds are sharper.

use super::adding::has_few_options;
use super::memory::keep;
use super::{Ask, Play, Word, Worth, memory, moves_first_and_wins};
use crate::engine::context::Context;
use crate::engine::scheduler::{self, Fund};
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::game::{Analysis, Game, Limit, Player, Shortcut};
use crate::value::CanonicalForm;

/// For each try: the weight of the pieces, and the number of positions that may be expanded for one piece.
const TRIES: [(u32, u64); 5] = [
    (14, 1 << 10),
    (16, 1 << 11),
    (20, 1 << 13),
    (24, 1 << 15),
    (28, 1 << 17),
];

/// The weight of pieces in tests ([`Context::small_pieces`]).
const FEW: u32 = 4;

/// Values of pieces are not added if they have more options than this, together: the sum can take longer than everything
/// else (in Snort on a path of 24 vertices).
const MOST_OPTIONS: usize = 8;

/// A bound on a part: its value with some moves of one player forbidden.
#[derive(Clone, Copy, Default)]
struct Bound {
    value: Option<CanonicalForm>,
    /// How often the bound was requested, and the number of tries.
    visits: u32,
    tries: u8,
}

/// The bounds of all parts, and the budget for them.
pub(super) struct Bounds {
    /// By the number of a part: with Left's moves restricted, and with Right's.
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

    /// Removes the bounds of parts that are not marked.
    pub(super) fn keep(&mut self, marked: &[bool]) {
        keep(&mut self.known, marked);
    }
}

impl<G: Game> Play<G> {
    /// Whether `mover` wins at a state, if counts of moves or bounds decide it.
    pub(super) fn bounded(
        &mut self,
        game: &G,
        state: &[Word],
        mover: Player,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<Option<bool>, StoppedIn<G>> {
        if let Some(wins) = self.by_counts(game, state, mover, context)? {
            return Ok(Some(wins));
        }
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
            // The mover wins although some of his moves are forbidden, or loses although some of the opponent's are.
            if wins == (mover == tied) || context.plants(Shortcut::Bounds) {
                self.statistics.bounds += 1;
                self.bounds.fund.succeed();
                return Ok(Some(wins));
            }
        }
        Ok(None)
    }

    // A bound on the value of a part: its value with some moves of `tied` forbidden, if it is known.
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
                    // The new bound need not be better than the old one, nor the old one better than the new.
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
                            // Either the loan was too small, or the budget of the whole search is spent.
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
    /// The pieces cost too much.
    Costly,
    /// No pieces give a bound, however large they are.
    Never,
}
