//! The algebra of short games: options and texts in, canonical forms and their invariants out.
//!
//! Siegel, *Combinatorial Game Theory* (2013), chapter II, and Berlekamp, Conway, Guy, *Winning Ways*.

mod atomic;
mod born;
mod form;
mod forms;
mod measure;
mod nimber;
pub mod notation;
mod number;
mod number_up_star;
mod outcome;
mod product;
mod reason;
mod reduced;
mod special;
mod thermal;
mod thermograph;
mod thermograph_picture;
mod uptimal;

pub use form::Form;
pub use forms::{CanonicalForm, Forms, OutOfMemory};
pub use measure::ConfusionInterval;
pub use nimber::Nimber;
pub use number::Number;
pub use number_up_star::NumberUpStar;
pub use outcome::Outcome;
pub use reason::{Maybe, Reason};
pub use thermograph::{Corner, Thermograph, Wall};
pub use uptimal::Uptimal;
