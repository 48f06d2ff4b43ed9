//! Why a search ended without an answer.

use std::fmt;

use crate::game::{Limit, Rules};

/// Why a search ended without an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stopped<P, F> {
    /// A limit was met: the answer is unknown.
    Limit(Limit),
    /// Play need not end. The line starts at a part of a position. Each further position is an option of the one before it,
    /// or of a part of it, and the last one contains the first again.
    Cycle {
        /// The positions of the line, at least two.
        line: Vec<P>,
    },
    /// A rule failed.
    Fault {
        /// The position at which it failed.
        position: P,
        /// The game's error.
        fault: F,
    },
    /// The query makes no sense for this game.
    Refused(Refused),
}

/// A query that the engine does not answer for a game of this kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// Values, nimbers and outcomes are for two players with normal play; ask for coalitions instead.
    NotTwoPlayers,
    /// The coalition function has too many minimal coalitions to be listed.
    TooManyCoalitions,
    /// The player does not take part.
    NoSuchPlayer,
    /// There are more than 64 players.
    TooManyPlayers,
}

/// The reason why a search in `G` ended without an answer.
pub type StoppedIn<G> = Stopped<<G as Rules>::Position, <G as Rules>::Fault>;

impl<P, F> Stopped<P, F> {
    /// Maps the positions.
    pub(crate) fn map<Q>(self, f: impl Fn(P) -> Q) -> Stopped<Q, F> {
        match self {
            Stopped::Limit(limit) => Stopped::Limit(limit),
            Stopped::Cycle { line } => Stopped::Cycle {
                line: line.into_iter().map(f).collect(),
            },
            Stopped::Fault { position, fault } => Stopped::Fault {
                position: f(position),
                fault,
            },
            Stopped::Refused(refused) => Stopped::Refused(refused),
        }
    }
}

impl<P, F> From<Limit> for Stopped<P, F> {
    fn from(limit: Limit) -> Stopped<P, F> {
        Stopped::Limit(limit)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refused::NotTwoPlayers => {
                "values and outcomes are for two players; ask for the winner or for coalitions"
            }
            Refused::TooManyCoalitions => "there are too many minimal coalitions to list",
            Refused::NoSuchPlayer => "this player does not take part",
            Refused::TooManyPlayers => "there are more than 64 players",
        })
    }
}

impl<P: fmt::Debug, F: fmt::Debug> fmt::Display for Stopped<P, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Limit(Limit::Nodes) => f.write_str("the limit of positions was met"),
            Stopped::Limit(Limit::Memory) => f.write_str("the limit of memory was met"),
            Stopped::Limit(Limit::Cancelled(reason)) => f.write_str(reason.text()),
            Stopped::Cycle { line } => write!(f, "play need not end: {line:?}"),
            Stopped::Fault { position, fault } => {
                write!(f, "a rule goes wrong at {position:?}: {fault:?}")
            }
            Stopped::Refused(refused) => refused.fmt(f),
        }
    }
}

impl<P: fmt::Debug, F: fmt::Debug> std::error::Error for Stopped<P, F> {}
