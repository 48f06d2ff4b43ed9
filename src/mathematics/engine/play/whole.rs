//! Who wins, where moves can be counted and memory is too short for parts: a position and a player to move come in, whether
//! that player wins goes out. Parts are never forgotten, so a search that knows positions by them ends when they fill the
//! memory. Here positions are looked for whole, depth first, and what is known of them may be forgotten.
//!
//! Who wins an option is asked, the cheapest first, of
//! * what is known of whole positions, in a table of bounded size that forgets ([`Boards`]);
//! * counts of moves ([`Analysis::margin`]);
//! * small pieces of it, between which a player is forbidden to move ([`Analysis::tied`], as in `bounds`): of the sum of their
//!   means and the largest of their temperatures, since each stop of a sum lies within its temperature of its mean, the
//!   stop of the player who begins on his side of it (Siegel, *Combinatorial Game Theory*, II.5: means add up, and a sum is no hotter than
//!   its hottest part); and of the sum of their values where that leaves it open.
//!
//! The options that are left are looked at in the order of these numbers together.

use super::{Ask, Play, memory, moves_first_and_wins};
use crate::engine::account::Account;
use crate::engine::boards::Boards;
use crate::engine::context::Context;
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::engine::table::hash_of;
use crate::game::{Analysis, Game, Limit, Player, Shortcut};
use crate::value::{CanonicalForm, Forms, Number};

/// The weight of pieces, by how many positions were opened.
const WEIGHTS: [(u64, u32); 4] = [(0, 12), (1 << 6, 14), (1 << 9, 16), (1 << 16, 20)];

/// Positions that may be expanded for the value of one piece.
const PIECE: u64 = 1 << 15;

/// Parts of a move that means are reckoned in: 2 to this.
const PLACES: u32 = 16;

/// What is known of a piece.
#[derive(Clone, Copy)]
struct Piece {
    /// Nothing if it is too dear.
    value: Option<CanonicalForm>,
    /// Mean and temperature (0 where that is below), if they can be written in parts of a move.
    measures: Option<(i64, i64)>,
}

struct Frame<P> {
    position: P,
    mover: Player,
    /// Where its options begin, in the list of those that are to be looked at, and the next of them.
    start: usize,
    next: usize,
}

/// What the search of one board keeps.
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
    /// Gives all memory back.
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

/// What bounds say of an option.
enum Said {
    /// Whether the player wins who moves there.
    Wins(bool),
    /// How well off he is, in parts of a move.
    Open(i64),
}

impl<G: Game> Play<G> {
    /// Whether whole positions may be searched from a position on.
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

    /// Whether `mover` wins a position from which whole positions may be searched.
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
                // An option loses for the other.
                Some(false) => true,
                _ if frame.next == frame.start => false,
                _ => {
                    frame.next -= 1;
                    let mover = frame.mover.opponent();
                    let option = whole.options[frame.next].clone();
                    // It may have been met below another option.
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

    // Whether the mover wins, if an option tells or there is none left to be looked at; else its frame is pushed.
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
        // The best is taken first, from the end.
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

    // Whether an option is known to lose for the other player; those that may yet are put into `order`.
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

    // What the means, temperatures and values of pieces say.
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

    // Whether `mover` wins the sum of pieces, if that holds of the game in which the hand of `tied` is free, too.
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
            // As the one whose hand is tied sees it.
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
            // Sums take room that is not given back.
            return Ok(None);
        }
        let mut sum = CanonicalForm::ZERO;
        for value in values {
            sum = forms.add(sum, value).map_err(memory)?;
        }
        let wins = moves_first_and_wins(forms, sum, mover)?;
        // He wins with his hand tied, or loses although the other's is.
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
                // Either it is too dear or the whole search has no more to spend.
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

// What counts of moves say of a position, and how well off the one is who moves.
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

// The mean and the temperature of a value, in parts of a move.
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
