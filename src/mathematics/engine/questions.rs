//! Answers a query about a position, with the tables of one search. Where two methods apply and it is not known which is
//! better, they alternate ([`scheduler`]).

use super::Engine;
use super::context::Context;
use super::guess;
use super::parallel;
use super::play::{Play, moves_first_and_wins};
use super::proof::{self, Proof, Wanted};
use super::scheduler;
use super::stopped::{Stopped, StoppedIn};
use super::sums::{self, Nimbers, Sums, Values};
use crate::game::{Analysis, Budget, Game, Limit, Player, Shortcut};
use crate::value::CanonicalForm;

/// The value of a position, with helper threads if there are any.
pub(super) fn values_over<G: Game>(
    engine: &Engine<G::Key>,
    game: &G,
    position: &G::Position,
    budget: &Budget,
    values: &mut Sums<G, Values<'_>>,
    nimbers: &mut Sums<G, Nimbers>,
) -> Result<CanonicalForm, StoppedIn<G>> {
    guess::learn(engine, game, position, budget, values, nimbers)?;
    let alone = |budget: &Budget| {
        let context = Context::new(engine, budget);
        value_of(engine, game, values, nimbers, position, &context)
    };
    parallel::run(engine, budget, parallel::ALONE, alone, |budget, order| {
        let context = Context {
            order,
            ..Context::new(engine, budget)
        };
        let mut values = Sums::new(Values(&engine.forms));
        let mut nimbers = Sums::new(Nimbers::default());
        let _ = value_of(engine, game, &mut values, &mut nimbers, position, &context);
        values.clear(&engine.account);
        nimbers.clear(&engine.account);
        values.statistics.absorb(&nimbers.statistics);
        values.statistics
    })
}

/// The nimber of an impartial position, or whether it is 0 ([`Wanted`]): by proof where that is known to pay. Otherwise the
/// proof and the plain search alternate. Each continues where it stopped, and both get about the same time. Both have helper
/// threads if there are any.
pub(super) fn nimber_over<G: Game>(
    engine: &Engine<G::Key>,
    game: &G,
    position: &G::Position,
    wanted: Wanted,
    budget: &Budget,
    nimbers: &mut Sums<G, Nimbers>,
    proof: &mut Option<Proof<G>>,
) -> Result<u32, StoppedIn<G>> {
    let shortcuts = engine.shortcuts;
    if shortcuts.has(Shortcut::Proof) && game.analysis().ends() && game.analysis().is_faultless() {
        let proof = proof.get_or_insert_with(|| Proof::new(game));
        loop {
            match proved_nimber(engine, game, position, wanted, budget, proof) {
                Ok(Some(nimber)) => return Ok(nimber),
                Ok(None) => {}
                Err(Stopped::Limit(Limit::Memory)) => {
                    if proof.begin_again(&engine.account, &engine.forms) {
                        continue;
                    }
                    break;
                }
                Err(other) => return Err(other),
            }
            let Some(expanded) = proof.turn() else {
                break;
            };
            let (found, _) = budget.lend(expanded.saturating_mul(scheduler::PLAIN), |turn| {
                plain_nimber(engine, game, position, turn, nimbers)
            });
            match found {
                Err(Stopped::Limit(Limit::Nodes)) if budget.left() > 0 => {}
                Err(Stopped::Limit(Limit::Memory)) => break,
                other => return other,
            }
        }
        // The plain search can evict where memory is short.
        proof.clear(&engine.account);
    }
    plain_nimber(engine, game, position, budget, nimbers)
}

// What `Proof::nimber` finds, with helper threads if there are any.
fn proved_nimber<G: Game>(
    engine: &Engine<G::Key>,
    game: &G,
    position: &G::Position,
    wanted: Wanted,
    budget: &Budget,
    proof: &mut Proof<G>,
) -> Result<Option<u32>, StoppedIn<G>> {
    let verdicts = proof::SHARES.then(|| proof.verdicts());
    let mut alone = |budget: &Budget| {
        let context = Context::new(engine, budget);
        proof.nimber(game, position, wanted, &context, &engine.nimbers)
    };
    let Some(verdicts) = verdicts else {
        return alone(budget);
    };
    parallel::run(engine, budget, proof::ALONE, alone, |budget, order| {
        let context = Context {
            order,
            ..Context::new(engine, budget)
        };
        let mut proof = Proof::beside(game, &verdicts);
        let _ = proof.nimber(game, position, wanted, &context, &engine.nimbers);
        proof.clear(&engine.account);
        proof.take_statistics()
    })
}

fn plain_nimber<G: Game>(
    engine: &Engine<G::Key>,
    game: &G,
    position: &G::Position,
    budget: &Budget,
    nimbers: &mut Sums<G, Nimbers>,
) -> Result<u32, StoppedIn<G>> {
    let alone = |budget: &Budget| {
        let context = Context::new(engine, budget);
        nimbers.run(game, position, &context, &engine.nimbers, None)
    };
    parallel::run(engine, budget, parallel::ALONE, alone, |budget, order| {
        let context = Context {
            order,
            ..Context::new(engine, budget)
        };
        let mut nimbers = Sums::new(Nimbers::default());
        let _ = nimbers.run(game, position, &context, &engine.nimbers, None);
        nimbers.clear(&engine.account);
        nimbers.statistics
    })
}

/// Whether a player wins who moves first at a position. Where nearly all values are numbers, the position's value is found
/// much sooner than its winner. So a long outcome search is paused to sample values, and if most are numbers, to compute
/// the value of the position. The arena never releases memory, so there must be plenty of it.
#[allow(clippy::too_many_arguments)]
pub(super) fn wins_over<G: Game>(
    engine: &Engine<G::Key>,
    game: &G,
    position: &G::Position,
    mover: Player,
    budget: &Budget,
    play: &mut Play<G>,
    values: &mut Sums<G, Values<'_>>,
    nimbers: &mut Sums<G, Nimbers>,
) -> Result<bool, StoppedIn<G>> {
    let may = (engine.shortcuts.has(Shortcut::ByValue) && !play.misere)
        && (game.analysis().ends()
            && game.analysis().is_faultless()
            && !game.analysis().is_impartial(position));
    if may {
        play.rests_after(Some(engine.value_after));
        let found = played_over(engine, game, position, mover, budget, play, values, nimbers);
        play.rests_after(None);
        match found {
            Err(Stopped::Limit(Limit::Nodes)) if budget.left() > 0 => {}
            other => return other,
        }
        for positions in &scheduler::BY_VALUE[1..] {
            if play.is_bounded() || !engine.account.is_roomy(&engine.forms) {
                break;
            }
            let (value, _) = budget.lend(*positions, |turn| {
                values_over(engine, game, position, turn, values, nimbers)
            });
            match value {
                Ok(value) => {
                    play.statistics.by_value += 1;
                    let mover = match engine.plants(Shortcut::ByValue) {
                        true => mover.opponent(),
                        false => mover,
                    };
                    return Ok(moves_first_and_wins(&engine.forms, value, mover)?);
                }
                Err(Stopped::Limit(Limit::Nodes)) if budget.left() > 0 => {}
                Err(Stopped::Limit(Limit::Memory)) => break,
                Err(other) => return Err(other),
            }
            if !values.are_mostly_numbers() {
                break;
            }
        }
    }
    played_over(engine, game, position, mover, budget, play, values, nimbers)
}

#[allow(clippy::too_many_arguments)]
fn played_over<G: Game>(
    engine: &Engine<G::Key>,
    game: &G,
    position: &G::Position,
    mover: Player,
    budget: &Budget,
    play: &mut Play<G>,
    values: &mut Sums<G, Values<'_>>,
    nimbers: &mut Sums<G, Nimbers>,
) -> Result<bool, StoppedIn<G>> {
    let context = Context::new(engine, budget);
    let mut ask = |part: &G::Position, budget: &Budget| {
        let context = Context { budget, ..context };
        value_of(engine, game, values, nimbers, part, &context)
    };
    let none = CanonicalForm::ZERO;
    let found = play.wins(game, position, none, mover, &context, &mut ask);
    if matches!(found, Err(Stopped::Cycle { .. } | Stopped::Fault { .. }))
        && let Some(wins) = play.forced(game, position, mover, &context)?
    {
        return Ok(wins);
    }
    // With keys, a cycle runs through images of its positions: search again without keys, to report it as it is played.
    if matches!(found, Err(Stopped::Cycle { .. })) && context.shortcuts.has(Shortcut::Keys) {
        let mut plain = Play::new(game, play.misere);
        let closed = [Shortcut::Keys, Shortcut::Bounds];
        let shortcuts = context.shortcuts.without(&closed);
        let as_played = Context {
            shortcuts,
            ..context
        };
        let told = plain.wins(game, position, none, mover, &as_played, &mut ask);
        plain.clear(context.account);
        if matches!(told, Err(Stopped::Cycle { .. })) {
            return told;
        }
    }
    found
}

pub(super) fn value_of<G: Game>(
    engine: &Engine<G::Key>,
    game: &G,
    values: &mut Sums<G, Values<'_>>,
    nimbers: &mut Sums<G, Nimbers>,
    position: &G::Position,
    context: &Context<'_>,
) -> Result<CanonicalForm, StoppedIn<G>> {
    let mut impartial = |part: &G::Position| {
        let n = nimbers.run(game, part, context, &engine.nimbers, None)?;
        engine
            .forms
            .nimber(n)
            .map_err(|_| Stopped::Limit(Limit::Memory))
    };
    let nimber: sums::Impartial<'_, G, CanonicalForm> = if engine.shortcuts.has(Shortcut::Impartial)
    {
        Some(&mut impartial)
    } else {
        None
    };
    values.run(game, position, context, &engine.values, nimber)
}
