//! Queries answered in a game with smaller positions ([`Analysis::narrowed`]). The game tree and the keys are the same, and
//! so is the answer. It is returned with the counters. Facts stored by key stay with the engine; all other memory is
//! released.

use super::Engine;
use super::play::Play;
use super::proof::{Proof, Wanted};
use super::questions::{nimber_over, values_over, wins_over};
use super::statistics::Statistics;
use super::stopped::{Stopped, StoppedIn};
use super::sums::{Algebra, Nimbers, Sums, Values};
use crate::game::{Budget, Game, Player, Task};
use crate::value::CanonicalForm;

/// The value of a position.
pub(super) struct ValueIn<'a, K> {
    pub(super) engine: &'a Engine<K>,
    pub(super) budget: &'a Budget,
}

impl<G: Game> Task<G> for ValueIn<'_, G::Key> {
    type Output = (Result<CanonicalForm, StoppedIn<G>>, Statistics);

    fn run<H: Game<Key = G::Key, Fault = G::Fault>>(
        self,
        game: &H,
        position: &H::Position,
        widen: impl Fn(H::Position) -> G::Position,
    ) -> Self::Output {
        let ValueIn { engine, budget } = self;
        let (value, statistics) = with_sums(engine, |values, nimbers| {
            values_over(engine, game, position, budget, values, nimbers)
        });
        (value.map_err(|stopped| stopped.map(widen)), statistics)
    }
}

/// Finds the values of the options of a player, which are then known by key.
pub(super) struct OptionsIn<'a, K> {
    pub(super) engine: &'a Engine<K>,
    pub(super) player: Player,
}

impl<G: Game> Task<G> for OptionsIn<'_, G::Key> {
    type Output = (Result<(), StoppedIn<G>>, Statistics);

    fn run<H: Game<Key = G::Key, Fault = G::Fault>>(
        self,
        game: &H,
        position: &H::Position,
        widen: impl Fn(H::Position) -> G::Position,
    ) -> Self::Output {
        let OptionsIn { engine, player } = self;
        let mut options = Vec::new();
        let made = game.options(position, player, &mut options);
        let made = made.map_err(|fault| Stopped::Fault {
            position: position.clone(),
            fault,
        });
        let (found, statistics) = with_sums(engine, |values, nimbers| {
            made?;
            options.iter().try_for_each(|option| {
                // Each query has a budget of its own.
                let budget = engine.budget();
                values_over(engine, game, option, &budget, values, nimbers).map(|_| ())
            })
        });
        (found.map_err(|stopped| stopped.map(widen)), statistics)
    }
}

/// The nimber of an impartial position, or whether it is 0.
pub(super) struct NimberIn<'a, K> {
    pub(super) engine: &'a Engine<K>,
    pub(super) wanted: Wanted,
    pub(super) budget: &'a Budget,
}

impl<G: Game> Task<G> for NimberIn<'_, G::Key> {
    type Output = (Result<u32, StoppedIn<G>>, Statistics);

    fn run<H: Game<Key = G::Key, Fault = G::Fault>>(
        self,
        game: &H,
        position: &H::Position,
        widen: impl Fn(H::Position) -> G::Position,
    ) -> Self::Output {
        let NimberIn {
            engine,
            wanted,
            budget,
        } = self;
        let mut nimbers = Sums::new(Nimbers::default());
        let mut proof: Option<Proof<H>> = None;
        let nimber = nimber_over(
            engine,
            game,
            position,
            wanted,
            budget,
            &mut nimbers,
            &mut proof,
        );
        let mut statistics = counted(&[given_back(engine, nimbers)]);
        if let Some(mut proof) = proof {
            statistics.absorb(&proof.take_statistics());
            proof.clear(&engine.account);
        }
        (nimber.map_err(|stopped| stopped.map(widen)), statistics)
    }
}

/// Whether the player who moves first wins, under normal or misère play.
pub(super) struct WinsIn<'a, K> {
    pub(super) engine: &'a Engine<K>,
    pub(super) misere: bool,
    /// Who may move first; the others are not asked about.
    pub(super) movers: &'a [Player],
}

impl<G: Game> Task<G> for WinsIn<'_, G::Key> {
    /// By player.
    type Output = (Result<[bool; 2], StoppedIn<G>>, Statistics);

    fn run<H: Game<Key = G::Key, Fault = G::Fault>>(
        self,
        game: &H,
        position: &H::Position,
        widen: impl Fn(H::Position) -> G::Position,
    ) -> Self::Output {
        let WinsIn {
            engine,
            misere,
            movers,
        } = self;
        let mut values = Sums::new(Values(&engine.forms));
        let mut nimbers = Sums::new(Nimbers::default());
        let mut play = Play::new(game, misere);
        // Under normal play each player's query has a budget of its own.
        let both = engine.budget();
        let mut wins = [false; 2];
        let mut found = Ok(());
        for mover in movers {
            let own = engine.budget();
            let budget = if misere { &both } else { &own };
            let (play, values, nimbers) = (&mut play, &mut values, &mut nimbers);
            let won = wins_over(
                engine, game, position, *mover, budget, play, values, nimbers,
            );
            match won {
                Ok(won) => wins[mover.index() & 1] = won,
                Err(stopped) => {
                    found = Err(stopped);
                    break;
                }
            }
        }
        let statistics = counted(&[
            given_back(engine, values),
            given_back(engine, nimbers),
            play.take_statistics(),
        ]);
        play.clear(&engine.account);
        (
            found.map(|()| wins).map_err(|stopped| stopped.map(widen)),
            statistics,
        )
    }
}

// Runs `work` with tables of values and nimbers of its own; returns its result and the counters.
fn with_sums<'e, G: Game, T>(
    engine: &'e Engine<G::Key>,
    work: impl FnOnce(&mut Sums<G, Values<'e>>, &mut Sums<G, Nimbers>) -> T,
) -> (T, Statistics) {
    let mut values = Sums::new(Values(&engine.forms));
    let mut nimbers = Sums::new(Nimbers::default());
    let result = work(&mut values, &mut nimbers);
    let statistics = counted(&[given_back(engine, values), given_back(engine, nimbers)]);
    (result, statistics)
}

// Ends a search in a narrower game: releases its memory and returns its counters.
fn given_back<G: Game, A: Algebra>(engine: &Engine<G::Key>, mut sums: Sums<G, A>) -> Statistics {
    sums.clear(&engine.account);
    sums.statistics
}

// The counters of one query in a narrower game.
fn counted(parts: &[Statistics]) -> Statistics {
    let mut all = Statistics {
        narrowed: 1,
        ..Statistics::default()
    };
    parts.iter().for_each(|part| all.absorb(part));
    all
}
