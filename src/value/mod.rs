//! The algebra of short games: options and texts in, canonical forms and their invariants out.
//!
//! Siegel, *Combinatorial Game Theory* (2013), chapter II, and Berlekamp, Conway, Guy, *Winning Ways*.

mod form;
mod forms;
mod nimber;
pub mod notation;
mod number;
mod number_up_star;
mod outcome;
mod special;
mod thermograph;

pub use form::Form;
pub use forms::{CanonicalForm, Forms, OutOfMemory};
pub use nimber::Nimber;
pub use number::Number;
pub use number_up_star::NumberUpStar;
pub use outcome::Outcome;
pub use thermograph::{Corner, Thermograph, Wall};
