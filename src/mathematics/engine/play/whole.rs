//! Finds the winner where moves can be counted and memory is too short for parts. Input: a position and a player to move.
//! Output: whether this player wins. A search that represents positions by their parts can forget states and parts
//! ([`super::memory`]), but ends when what it needs at once fills the memory. This search represents positions whole, goes
//! depth first, and may forget all that it knows of them.
//!
//! The winner of an option is looked for, cheapest first, in
//! * the table of whole positions, whose size is bounded and which forgets ([`Boards`]);
//! * counts of moves ([`Analysis::margin`]);
//! * small pieces of the option, between which the moves of one player are forbidden ([`Analysis::tied`], as in `bounds`).
//!   First come the sum of their means and the largest of their temperatures: each stop of a sum lies within its temperature
//!   of its mean, and the stop of the player who begins on his side of it (Siegel, *Combinatorial Game Theory*, II.5: means
//!   add up, and a sum is no hotter than its hottest part). If these do not decide, the sum of their values is computed.
//!
//! The remaining options are searched in the order of these numbers, added up.

use super::{Ask, Play, memory, moves_first_and_wins};
use crate::engine::account::Account;
use crate::engine::boards::Boards;
use crate::engine::context::Context;
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::engine::table::hash_of;
use crate::game::{Analysis, Game, Limit, Player, Shortcut};
use crate::value::{CanonicalForm, Forms, Number};

/// The weight of pieces, by the number of positions opened.
const WEIGHTS: [(u64, u32); 4] = [(0, 12), (1 << 6, 14), (1 << 9, 16), (1 << 16, 20)];

/// The number of positions that may be expanded for the value of one piece.
const PIECE: u64 = 1 << 15;

/// Means are in units of 2^-16 of a move: this exponent.
const PLACES: u32 = 16;

/// A solved piece.
#[derive(Clone, Copy)]
struct Piece {
    /// `None` if the value costs too much.
    value: Option<CanonicalForm>,
    /// Mean and temperature (at least 0), if they are multiples of the unit and not too large.
    measures: Option<(i64, i64)>,
}

struct Frame<P> {
    position: P,
    mover: Player,
    /// Where its options begin in the list `options`, and the end of those still to be searched.
    start: usize,
    next: usize,
}

/// The data of the search on one board.
pub(super) struct Whole<P> {
    /// For each player to move: whether he wins.
    known: [Boards<P, bool>; 2],
    pieces: Boards<P, Piece>,
    frames: Vec<Frame<P>>,
    /// The options of the positions on the stack, the best last.
    options: Vec<P>,
    offered: Vec<P>,
    order: Vec<(i64, P)>,
    cut: Vec<P>,
    opened: u64,
}

impl<P: Eq> Default for Whole<P> {
    fn default() -> Whole<P> {
        Whole {
            known: [Boards::large(), Boards::large()],
            pieces: Boards::default(),
            frames: Vec::new(),
            options: Vec::new(),
            offered: Vec::new(),
            order: Vec::new(),
            cut: Vec::new(),
            opened: 0,
        }
    }
}

impl<P: Eq + Clone> Whole<P> {
    /// Frees all memory.
    pub(super) fn clear(&mut self, account: &Account) {
        self.known.iter_mut().for_each(|known| known.clear(account));
        self.pieces.clear(account);
        *self = Whole::default();
    }

    fn weight(&self) -> u32 {
        let due = WEIGHTS.iter().rev().find(|(from, _)| *from <= self.opened);
        due.map_or(0, |(_, weight)| *weight)
    }
}

/// What bounds say about an option.
enum Said {
    /// Whether the player to move there wins.
    Wins(bool),
    /// Not decided: how good the option is for the player to move there, in units of 2^-16 of a move.
    Open(i64),
}

impl<G: Game> Play<G> {
    /// Whether a search of whole positions may start at a position.
    pub(super) fn may_search_whole(
        &self,
        game: &G,
        position: &G::Position,
        context: &Context<'_>,
    ) -> bool {
        let shortcuts = context.shortcuts;
        shortcuts.has(Shortcut::Whole)
            && !self.misere
            && game.analysis().ends()
            && game.analysis().is_faultless()
            && !game.analysis().is_impartial(position)
            && game
                .analysis()
                .margin(position, Player::LEFT, true)
                .is_some()
    }

    /// Whether `mover` wins a position at which `may_search_whole` holds.
    pub(super) fn whole(
        &mut self,
        game: &G,
        position: &G::Position,
        mover: Player,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<bool, StoppedIn<G>> {
        let mut whole = self.whole.take().unwrap_or_default();
        let result = self.search_whole(game, &mut whole, position, mover, context, ask);
        whole.frames.clear();
        whole.options.clear();
        self.whole = Some(whole);
        result
    }

    fn search_whole(
        &mut self,
        game: &G,
        whole: &mut Whole<G::Position>,
        position: &G::Position,
        mover: Player,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<bool, StoppedIn<G>> {
        let mut found = match self.seen(whole, position, mover) {
            Some(wins) => Some(wins),
            None => self.open_whole(game, whole, position.clone(), mover, context, ask)?,
        };
        loop {
            let Some(frame) = whole.frames.last_mut() else {
                return Ok(found.unwrap_or(false));
            };
            let wins = match found {
                // The opponent loses at an option.
                Some(false) => true,
                _ if frame.next == frame.start => false,
                _ => {
                    frame.next -= 1;
                    let mover = frame.mover.opponent();
                    let option = whole.options[frame.next].clone();
                    // It may have been solved below another option.
                    found = match self.seen(whole, &option, mover) {
                        Some(wins) => Some(wins),
                        None => self.open_whole(game, whole, option, mover, context, ask)?,
                    };
                    continue;
                }
            };
            if let Some(frame) = whole.frames.pop() {
                whole.options.truncate(frame.start);
                note(game, whole, frame.position, frame.mover, wins, context);
            }
            found = Some(wins);
        }
    }

    fn seen(
        &mut self,
        whole: &Whole<G::Position>,
        position: &G::Position,
        mover: Player,
    ) -> Option<bool> {
        let found = whole.known[mover.index() & 1].get(hash_of(position), position);
        self.statistics.board_hits += u64::from(found.is_some());
        found
    }

    // Whether the mover wins, if an option decides or none remains to be searched; otherwise a frame is pushed.
    fn open_whole(
        &mut self,
        game: &G,
        whole: &mut Whole<G::Position>,
        position: G::Position,
        mover: Player,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<Option<bool>, StoppedIn<G>> {
        context.budget.charge()?;
        self.statistics.states += 1;
        self.statistics.whole += 1;
        whole.opened += 1;
        let mut offered = std::mem::take(&mut whole.offered);
        let mut order = std::mem::take(&mut whole.order);
        offered.clear();
        order.clear();
        let wins = game
            .options(&position, mover, &mut offered)
            .map_err(|fault| Stopped::Fault {
                position: position.clone(),
                fault,
            });
        let wins = match wins {
            Ok(()) => {
                self.told_by_option(game, whole, &mut offered, &mut order, mover, context, ask)
            }
            Err(fault) => Err(fault),
        };
        let start = whole.options.len();
        // The best option comes last, since options are taken from the end.
        order.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        whole
            .options
            .extend(order.drain(..).map(|(_, option)| option));
        whole.offered = offered;
        whole.order = order;
        let known = match wins? {
            true => Some(true),
            false if whole.options.len() == start => Some(false),
            false => None,
        };
        let known = known.map(|wins| wins != context.plants(Shortcut::Whole));
        match known {
            Some(wins) => {
                whole.options.truncate(start);
                note(game, whole, position, mover, wins, context);
            }
            None => whole.frames.push(Frame {
                position,
                mover,
                start,
                next: whole.options.len(),
            }),
        }
        Ok(known)
    }

    // Whether an option is known to lose for the other player. Undecided options are put into `order`.
    #[allow(clippy::too_many_arguments)]
    fn told_by_option(
        &mut self,
        game: &G,
        whole: &mut Whole<G::Position>,
        offered: &mut Vec<G::Position>,
        order: &mut Vec<(i64, G::Position)>,
        mover: Player,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<bool, StoppedIn<G>> {
        let other = mover.opponent();
        for option in offered.drain(..) {
            match self.seen(whole, &option, other) {
                Some(true) => continue,
                Some(false) => return Ok(true),
                None => {}
            }
            match counted(game, &option, other) {
                Said::Wins(wins) => {
                    self.statistics.counted += 1;
                    if !wins {
                        return Ok(true);
                    }
                }
                Said::Open(score) => order.push((score, option)),
            }
        }
        let mut kept = 0;
        for i in 0..order.len() {
            match self.in_pieces(game, whole, &order[i].1, other, context, ask)? {
                Said::Wins(wins) => {
                    self.statistics.bounds += 1;
                    if !wins {
                        return Ok(true);
                    }
                }
                Said::Open(score) => {
                    order[i].0 += score;
                    order.swap(kept, i);
                    kept += 1;
                }
            }
        }
        order.truncate(kept);
        Ok(false)
    }

    // What the means, temperatures and values of the pieces say.
    fn in_pieces(
        &mut self,
        game: &G,
        whole: &mut Whole<G::Position>,
        position: &G::Position,
        mover: Player,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<Said, StoppedIn<G>> {
        let mut score = 0;
        let mut cut = std::mem::take(&mut whole.cut);
        let mut said = Ok(None);
        for tied in [mover, mover.opponent()] {
            cut.clear();
            if !game
                .analysis()
                .tied(position, tied, whole.weight(), &mut cut)
            {
                game.analysis().split(position, &mut cut);
            }
            said = self.of_sum(
                game, whole, &cut, mover, tied, &mut score, context, &mut *ask,
            );
            if !matches!(said, Ok(None)) {
                break;
            }
        }
        whole.cut = cut;
        Ok(said?.map_or(Said::Open(score), Said::Wins))
    }

    // Whether `mover` wins the sum of pieces, if this carries over to the game in which `tied` may make all moves.
    #[allow(clippy::too_many_arguments)]
    fn of_sum(
        &mut self,
        game: &G,
        whole: &mut Whole<G::Position>,
        cut: &[G::Position],
        mover: Player,
        tied: Player,
        score: &mut i64,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<Option<bool>, StoppedIn<G>> {
        let most = 2 * whole.weight();
        if cut.iter().any(|piece| game.analysis().weight(piece) > most) {
            return Ok(None);
        }
        let mut values: smallvec::SmallVec<[CanonicalForm; 32]> = smallvec::SmallVec::new();
        let mut sum = Some((0i64, 0i64));
        for piece in cut {
            let piece = self.piece(game, whole, piece, context, &mut *ask)?;
            let Some(value) = piece.value else {
                return Ok(None);
            };
            values.push(value);
            sum = sum
                .zip(piece.measures)
                .map(|((mean, hottest), (m, t))| (mean.saturating_add(m), hottest.max(t)));
        }
        let begins = tied == mover;
        if let Some((mean, hottest)) = sum {
            let for_left = if mover == Player::LEFT { mean } else { -mean };
            *score = score.saturating_add(for_left / 2);
            // From the point of view of the player whose moves are restricted.
            let own = if begins { for_left } else { -for_left };
            let (wins, loses) = match begins {
                true => (own > 0, own.saturating_add(hottest) < 0),
                false => (own > hottest, own < 0),
            };
            if wins {
                return Ok(Some(begins));
            }
            if loses {
                return Ok(None);
            }
        }
        let forms = context.forms;
        if context.account.is_crowded(forms) {
            // Sums occupy memory that is not freed.
            return Ok(None);
        }
        let mut sum = CanonicalForm::ZERO;
        for value in values {
            sum = forms.add(sum, value).map_err(memory)?;
        }
        let wins = moves_first_and_wins(forms, sum, mover)?;
        // The mover wins although his moves are restricted, or loses although the opponent's are.
        Ok((wins == begins).then_some(wins))
    }

    fn piece(
        &mut self,
        game: &G,
        whole: &mut Whole<G::Position>,
        position: &G::Position,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<Piece, StoppedIn<G>> {
        let hash = hash_of(position);
        if let Some(piece) = whole.pieces.get(hash, position) {
            return Ok(piece);
        }
        let (result, _) = context.budget.lend(PIECE, |budget| ask(position, budget));
        let forms = context.forms;
        let piece = match result {
            Ok(value) => Piece {
                value: Some(value),
                measures: measures(forms, value)?,
            },
            Err(Stopped::Limit(Limit::Nodes)) => {
                // Either the value costs too much, or the budget of the whole search is spent.
                context.budget.charge()?;
                Piece {
                    value: None,
                    measures: None,
                }
            }
            Err(stopped) => return Err(stopped),
        };
        whole.pieces.put(
            hash,
            position.clone(),
            piece,
            |p| game.position_bytes(p),
            hash_of,
            (context.account, forms),
        );
        Ok(piece)
    }
}

// What counts of moves say about a position: the winner, or how good it is for the player to move.
fn counted<G: Game>(game: &G, position: &G::Position, mover: Player) -> Said {
    let other = mover.opponent();
    let own = game
        .analysis()
        .margin(position, mover, true)
        .unwrap_or(i32::MIN / 4);
    if own > 0 {
        return Said::Wins(true);
    }
    let others = game
        .analysis()
        .margin(position, other, false)
        .unwrap_or(i32::MIN / 4);
    if others >= 0 {
        return Said::Wins(false);
    }
    let [left, right] = game.analysis().mobility(position).unwrap_or_default();
    let more = i64::from(left) - i64::from(right);
    let more = if mover == Player::LEFT { more } else { -more };
    Said::Open((i64::from(own) - i64::from(others) + more) << PLACES)
}

// The mean and the temperature of a value, in units of 2^-16 of a move.
fn measures(forms: &Forms, value: CanonicalForm) -> Result<Option<(i64, i64)>, Limit> {
    let parts = |number: Number| -> Option<i64> {
        let (numerator, exponent) = number.to_small()?;
        let shift = PLACES.checked_sub(exponent)?;
        (numerator.unsigned_abs() < 1 << 32).then_some(numerator << shift)
    };
    let mean = parts(forms.mean(value).map_err(memory)?);
    let temperature = parts(forms.temperature(value).map_err(memory)?);
    Ok(mean.zip(temperature.map(|t| t.max(0))))
}

fn note<G: Game>(
    game: &G,
    whole: &mut Whole<G::Position>,
    position: G::Position,
    mover: Player,
    wins: bool,
    context: &Context<'_>,
) {
    whole.known[mover.index() & 1].put(
        hash_of(&position),
        position,
        wins,
        |p| game.position_bytes(p),
        hash_of,
        (context.account, context.forms),
    );
}
