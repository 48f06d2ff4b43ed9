//! The reasons why an operation or an invariant does not exist for a game. A reason is an answer, not an error.

use std::fmt;

use super::OutOfMemory;

/// A result that may not exist, for a stated reason. The outer error says that memory ran out.
pub type Maybe<T> = Result<Result<T, Reason>, OutOfMemory>;

/// Why something does not exist.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The operation is defined for numbers only.
    NotANumber,
    /// The unit of a Norton product is not greater than zero.
    NotPositive,
    /// Some follower is a number other than zero, so the game is not all small (dicotic).
    NotAllSmall,
    /// The game is not a number plus an infinitesimal.
    NotNumberish,
    /// The game is not a sum of a number, powers of up and a nimber.
    NotUptimal,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::NotANumber => "both factors must be numbers",
            Reason::NotPositive => "the unit must be greater than zero",
            Reason::NotAllSmall => "the game is not all small: a follower is a nonzero number",
            Reason::NotNumberish => "the game is not a number plus an infinitesimal",
            Reason::NotUptimal => {
                "the game is not a sum of a number, multiples of powers of up and a nimber"
            }
        })
    }
}

impl std::error::Error for Reason {}
