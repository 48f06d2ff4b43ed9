//! Values by proof. Input: a position. Output: its value, if that is a sum of a number, ups and a nimber. Most followers
//! are never searched.
//!
//! `G = H` if and only if the first player loses `G - H` (Siegel, *Combinatorial Game Theory*, II.1). So a value can be
//! guessed and then proved by a search for the winner (`play`), which may prune every option that cannot change the winner,
//! whereas a search for canonical forms must visit all followers. The guesses come from the same search: if `G - x` is won
//! by Left or by Right, whoever begins, the number `x` bounds `G` from below or from above; if the second player wins it,
//! `G = x`; and if the first player wins it, `G` can still be `x` plus ups and a nimber. If `G` is no such sum, its options
//! may be, and so on for a few moves: from their values the search for canonical forms computes that of `G`.
//!
//! Guesses and the search for canonical forms alternate, so that neither waits long for the other. An engine has one fund
//! for guesses ([`scheduler::GUESSES`]). Where guesses fail, hardly anything is spent on them after a while.
//!
//! Play must be known to end, and no rule may fail: otherwise a violation in a pruned line of play would go unnoticed.

use super::Engine;
use super::context::Context;
use super::play::{Ask, Play};
use super::questions::value_of;
use super::scheduler::{self, Fund, Turns};
use super::stopped::{Stopped, StoppedIn};
use super::sums::{Nimbers, Sums, Values};
use crate::game::{Analysis, Budget, Game, Limit, Player, Shortcut};
use crate::value::{CanonicalForm, Outcome};
use std::sync::{MutexGuard, PoisonError};

/// The least budget of a guess.
const LEAST: u64 = 64;

/// How many comparisons may be found by further guesses in a row, without a turn of the search for canonical forms in
/// between. More are needed only for values far from zero and for fine fractions.
const NEAR: usize = 8;

/// How many moves below a position options are guessed if its own value is no such sum.
const DEPTH: u32 = 12;

/// The number 1, in 32nds.
const ONE: i32 = 32;

/// The greatest absolute value of a number that is guessed, in 32nds.
const FAR: i32 = 256 * ONE;

/// The greatest nimber and the most ups that are guessed.
const NIMBERS: u32 = 8;
const UPS: i32 = 4;

/// Finds the values of those components of a position that are numbers, ups and nimbers, where that pays, so that a search
/// for the value of the position knows them. The work is charged to the budget.
///
/// # Errors
/// The budget is used up, the search was cancelled, or there is no value.
pub(super) fn learn<G: Game>(
    engine: &Engine<G::Key>,
    game: &G,
    position: &G::Position,
    budget: &Budget,
    values: &mut Sums<G, Values<'_>>,
    nimbers: &mut Sums<G, Nimbers>,
) -> Result<(), StoppedIn<G>> {
    let shortcuts = engine.shortcuts;
    let open = shortcuts.has(Shortcut::Guess);
    if !open || game.players() != 2 || !game.analysis().ends() || !game.analysis().is_faultless() {
        return Ok(());
    }
    let mut parts = Vec::new();
    game.analysis().split(position, &mut parts);
    let mut learner = Learner {
        engine,
        game,
        budget,
        values,
        nimbers,
        play: Play::new(game, false).peeking(),
        open: true,
    };
    let mut result = Ok(true);
    for part in &parts {
        if matches!(result, Ok(true)) {
            result = learner.part(part, DEPTH);
        }
    }
    let Learner { mut play, .. } = learner;
    values.statistics.absorb(&play.take_statistics());
    play.clear(&engine.account);
    match result {
        // The search for canonical forms can evict where memory is short.
        Ok(_) | Err(Stopped::Limit(Limit::Memory)) => Ok(()),
        Err(other) => Err(other),
    }
}

struct Learner<'a, 'v, G: Game> {
    engine: &'a Engine<G::Key>,
    game: &'a G,
    budget: &'a Budget,
    values: &'a mut Sums<G, Values<'v>>,
    nimbers: &'a mut Sums<G, Nimbers>,
    play: Play<G>,
    // Whether further guesses are worth while.
    open: bool,
}

impl<G: Game> Learner<'_, '_, G> {
    // What may still be spent on guesses.
    fn fund(&self) -> MutexGuard<'_, Fund> {
        let guesses = &self.engine.guesses;
        guesses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // Finds the value of a part; returns whether it is known afterwards.
    fn part(&mut self, part: &G::Position, depth: u32) -> Result<bool, StoppedIn<G>> {
        if self.game.analysis().is_impartial(part) {
            return Ok(true);
        }
        let mut guesses = Guesses::default();
        let mut turns = Turns::from(self.engine.guess_after);
        let mut tries = Turns::from(self.engine.guess_after.max(LEAST));
        // Work spent on guesses for this part, and how much of it was lent again because the guesses made progress.
        let (mut spent, mut lent) = (0u64, 0u64);
        // Positions expanded by the search for its canonical form.
        let mut plain = 0u64;
        // Whether the last try found an answer, and whether play is long.
        let (mut nearer, mut long) = (false, false);
        loop {
            if !nearer {
                if self.whole(part, turns.length())? {
                    self.fund().spend(lent);
                    return Ok(true);
                }
                plain = plain.saturating_add(turns.length());
                turns.end();
                long = self.values.depth() > scheduler::LONG;
            }
            if !self.open {
                self.fund().spend(lent);
                return Ok(false);
            }
            nearer = false;
            // In long games the starting amount of the fund is left alone.
            let kept = if long { scheduler::GUESSES.start } else { 0 };
            let most = tries.length();
            if !self.fund().affords(most.saturating_add(kept)) {
                continue;
            }
            let (before, answers) = (spent, guesses.tried.len());
            match self.guess(part, most, &mut spent, &mut guesses) {
                Ok(Some(value)) => {
                    self.values.statistics.guessed += 1;
                    self.fund().add(spent.saturating_sub(lent));
                    let context = Context::new(self.engine, self.budget);
                    let nought = context.plants(Shortcut::Guess);
                    let value = if nought { CanonicalForm::ZERO } else { value };
                    self.values
                        .learn(self.game, part, value, &context, &self.engine.values)?;
                    return Ok(true);
                }
                Ok(None) => {
                    self.fund().spend(lent);
                    // It is no such sum, but its options may be.
                    return Ok(depth > 0
                        && self.options(part, depth - 1)?
                        && self.whole(part, turns.length())?);
                }
                // Progress was made: the same amount may be enough to finish.
                Err(Stopped::Limit(Limit::Nodes))
                    if !long
                        && guesses.tried.len() > answers
                        && guesses.tried.len() <= NEAR
                        && spent <= plain.saturating_mul(2) =>
                {
                    lent += spent - before;
                    self.fund().add(spent - before);
                    nearer = true;
                }
                Err(Stopped::Limit(Limit::Nodes)) => tries.end(),
                Err(Stopped::Limit(limit @ Limit::Cancelled(_))) => return Err(limit.into()),
                // The search for the canonical form reports the error.
                Err(_) => return Ok(false),
            }
        }
    }

    // Finds the values of the options of a part; returns whether all are known afterwards.
    fn options(&mut self, part: &G::Position, depth: u32) -> Result<bool, StoppedIn<G>> {
        let mut options = Vec::new();
        for player in [Player::LEFT, Player::RIGHT] {
            self.game
                .options(part, player, &mut options)
                .map_err(|fault| Stopped::Fault {
                    position: part.clone(),
                    fault,
                })?;
        }
        let mut parts = Vec::new();
        for option in &options {
            self.game.analysis().split(option, &mut parts);
        }
        // Light ones first: they help with the others.
        let weights = parts.iter().map(|part| self.game.analysis().weight(part));
        let mut order: Vec<(u32, usize)> = weights.zip(0..).collect();
        order.sort_unstable();
        for (_, at) in order {
            if !self.part(&parts[at], depth)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    // Runs the search for the canonical form for at most `turn` positions; returns whether the value is known.
    fn whole(&mut self, part: &G::Position, turn: u64) -> Result<bool, StoppedIn<G>> {
        let has_turn = self.budget.left() >= turn;
        let (engine, game) = (self.engine, self.game);
        let (values, nimbers) = (&mut *self.values, &mut *self.nimbers);
        let (whole, spent) = self.budget.lend(turn, |own| {
            let context = Context::new(engine, own);
            value_of(engine, game, values, nimbers, part, &context)
        });
        self.fund().add(spent / scheduler::SHARED);
        match whole {
            Ok(_) => Ok(true),
            Err(Stopped::Limit(Limit::Nodes)) if has_turn => Ok(false),
            Err(other) => Err(other),
        }
    }

    fn guess(
        &mut self,
        part: &G::Position,
        most: u64,
        all: &mut u64,
        guesses: &mut Guesses,
    ) -> Result<Option<CanonicalForm>, StoppedIn<G>> {
        let has_most = self.budget.left() >= most;
        let (engine, game) = (self.engine, self.game);
        let (values, nimbers) = (&mut *self.values, &mut *self.nimbers);
        let play = &mut self.play;
        let ((found, hopeless), spent) = self.budget.lend(most, |own| {
            let context = Context::new(engine, own);
            let mut ask = |part: &G::Position, budget: &Budget| {
                let context = Context { budget, ..context };
                value_of(engine, game, values, nimbers, part, &context)
            };
            let mut asker = Asker {
                game,
                part,
                context: &context,
                play,
                ask: &mut ask,
                guesses,
                hopeless: false,
            };
            (asker.value(), asker.hopeless)
        });
        self.fund().spend(spent);
        *all += spent;
        // The budget is used up, or the values of the followers are likely to be out of range, too.
        if hopeless || matches!(found, Err(Stopped::Limit(Limit::Nodes))) && !has_most {
            self.open = false;
        }
        found
    }
}

/// A guess: a number (in 32nds), a number of ups, and a nimber.
type Guess = (i32, i32, u32);

/// The guesses tried for a part: the guess, who moves first, and whether that player wins the difference.
#[derive(Default)]
struct Guesses {
    tried: Vec<(Guess, Player, bool)>,
    // Whether the part is its own negative, if that was tested.
    symmetric: Option<bool>,
}

struct Asker<'a, G: Game> {
    game: &'a G,
    part: &'a G::Position,
    context: &'a Context<'a>,
    play: &'a mut Play<G>,
    ask: Ask<'a, G>,
    guesses: &'a mut Guesses,
    // No guess fits, since the value is next to a number that is finer or farther from zero than those that are guessed.
    hopeless: bool,
}

impl<G: Game> Asker<'_, G> {
    // The value, if it is a sum of a number, ups and a nimber within the bounds.
    fn value(&mut self) -> Result<Option<CanonicalForm>, StoppedIn<G>> {
        // Greatest lower and least upper bound of the part found so far.
        let (mut low, mut high) = (None::<i32>, None::<i32>);
        let (mut x, mut step) = (0i32, ONE);
        while x.abs() <= FAR {
            match self.compare((x, 0, 0))? {
                Outcome::Previous => return Ok(CanonicalForm::pack(x, 0, 0)),
                Outcome::Left => low = Some(x),
                Outcome::Right => high = Some(x),
                Outcome::Next => return self.near(x),
            }
            x = match (low, high) {
                (Some(low), Some(high)) => match between(low, high) {
                    Some(x) => x,
                    None => break,
                },
                (Some(low), None) => low + step,
                (None, Some(high)) => high - step,
                (None, None) => break,
            };
            step *= 2;
        }
        self.hopeless = true;
        Ok(None)
    }

    // The value of a part that is confused with the number `x`, if it is `x` plus ups and a nimber.
    fn near(&mut self, x: i32) -> Result<Option<CanonicalForm>, StoppedIn<G>> {
        // Sums of ups and nimbers are less than every positive number and greater than every negative one.
        let mut first = self.compare((x, 0, 1))?;
        if first == Outcome::Previous {
            return Ok(CanonicalForm::pack(x, 0, 1));
        }
        if self.wins((x + 1, 0, 0), Player::LEFT)? || self.wins((x - 1, 0, 0), Player::RIGHT)? {
            return Ok(None);
        }
        let mut nimber = 1;
        while first == Outcome::Next && nimber < NIMBERS {
            nimber += 1;
            first = self.compare((x, 0, nimber))?;
        }
        let sign = match first {
            Outcome::Previous => return Ok(CanonicalForm::pack(x, 0, nimber)),
            Outcome::Left => 1,
            Outcome::Right => -1,
            Outcome::Next => return Ok(None),
        };
        // It is greater or less than `x` plus this nimber, and confused with `x`.
        for ups in 1..=UPS {
            for nimber in [nimber, 0] {
                let ups = sign * ups;
                if self.compare((x, ups, nimber))? == Outcome::Previous {
                    return Ok(CanonicalForm::pack(x, ups, nimber));
                }
            }
        }
        Ok(None)
    }

    // The outcome of the part minus a guess.
    fn compare(&mut self, guess: Guess) -> Result<Outcome, StoppedIn<G>> {
        let left = self.wins(guess, Player::LEFT)?;
        let right = self.wins(guess, Player::RIGHT)?;
        Ok(Outcome::from_first(left, right))
    }

    fn wins(&mut self, guess: Guess, mover: Player) -> Result<bool, StoppedIn<G>> {
        let symmetric = match self.guesses.symmetric {
            Some(symmetric) => symmetric,
            None => {
                let found = self
                    .play
                    .is_own_negative(self.game, self.part, self.context)?;
                *self.guesses.symmetric.insert(found)
            }
        };
        // Who is first in a game is second in its negative, with the players exchanged.
        let (guess, mover) = match (symmetric, guess, mover) {
            (true, (x, ups, nimber), Player::RIGHT) => ((-x, -ups, nimber), Player::LEFT),
            (_, guess, mover) => (guess, mover),
        };
        let mut tried = self.guesses.tried.iter();
        if let Some((_, _, wins)) = tried.find(|(g, p, _)| (*g, *p) == (guess, mover)) {
            return Ok(*wins);
        }
        let (x, ups, nimber) = guess;
        let Some(beside) = CanonicalForm::pack(-x, -ups, nimber) else {
            return Err(Limit::Memory.into());
        };
        let wins = self.play.wins(
            self.game,
            self.part,
            beside,
            mover,
            self.context,
            &mut *self.ask,
        )?;
        self.guesses.tried.push((guess, mover, wins));
        Ok(wins)
    }
}

// The number strictly between two that is a multiple of the greatest power of two, in 32nds; `None` if there is none.
fn between(low: i32, high: i32) -> Option<i32> {
    (0..31).rev().find_map(|exponent| {
        let step = 1i32 << exponent;
        let x = (low.div_euclid(step)).checked_add(1)?.checked_mul(step)?;
        (x < high).then_some(x)
    })
}

#[cfg(test)]
mod tests {
    use super::between;

    #[test]
    fn numbers_between() {
        for (low, high, x) in [
            (0, 32, 16),
            (-64, -32, -48),
            (3 * 32, 7 * 32, 4 * 32),
            (4 * 32, 7 * 32, 6 * 32),
        ] {
            assert_eq!(between(low, high), Some(x));
        }
        assert_eq!(between(5, 6), None);
        assert_eq!(between(-5, 7), Some(0));
    }
}
