//! The algebra of short games: canonical forms built from options or read from text, and their invariants.
//!
//! The module stands alone (`default-features = false`). [`Forms`] is the arena of canonical forms; a [`CanonicalForm`] is
//! a 32-bit handle into it, and two handles are equal exactly when the games are equal. [`Form`] is a game as written. All
//! results are exact: numbers are dyadic rationals of up to [`Number::MAX_BITS`] bits, and only pictures round.
//!
//! ```
//! # use cgdsl_mathematics as cgdsl;
//! use cgdsl::value::notation::{Style, print, read};
//! use cgdsl::value::{Forms, Outcome};
//!
//! let forms = Forms::new();
//! let switch = read(&forms, "{1|-1}")?;
//! let up_star = read(&forms, "^*")?;
//! let sum = forms.add(switch, up_star)?;
//! assert_eq!(print(&forms, sum, Style::Ascii), "{1^*|-1^*}");
//! assert_eq!(forms.outcome(sum)?, Outcome::Next);
//! assert_eq!(forms.temperature(sum)?.to_string(), "1");
//! assert_eq!(forms.mean(sum)?.to_string(), "0");
//!
//! // An invariant that does not exist says why.
//! let reason = forms.atomic_weight(sum)?.unwrap_err();
//! assert!(reason.to_string().contains("not all small"));
//! let weight = forms.atomic_weight(up_star)?.unwrap();
//! assert_eq!(print(&forms, weight, Style::Unicode), "1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Siegel, *Combinatorial Game Theory* (2013), chapter II; Berlekamp, Conway, Guy, *Winning Ways*; Albert, Nowakowski,
//! Wolfe, *Lessons in Play*. Every operation cites its definition. Where a result may not exist, its [`Reason`] says why.

mod atomic;
mod born;
mod companion;
mod form;
mod forms;
pub mod loopy;
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
pub use forms::{CanonicalForm, DEFAULT_MEMORY, Forms, OutOfMemory};
pub use measure::ConfusionInterval;
pub use nimber::Nimber;
pub use number::Number;
pub use number_up_star::NumberUpStar;
pub use outcome::Outcome;
pub use reason::{Maybe, Reason};
pub use thermograph::{Corner, Thermograph, Wall};
pub use uptimal::Uptimal;
