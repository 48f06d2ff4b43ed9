//! The concrete semantics of the language: values, boards, positions, the evaluator of typed expressions, and the naive
//! evaluator of moves. It maps typed trees ([`crate::model::typed`]) to values, positions and faults.
//!
//! Level 1 of the intermediate representation is the typed tree itself; `ground` holds level 2.
//!
//! Users import this module from the package `cgdsl`, which exports it as `ir`.

pub mod banked;
mod bijections;
pub mod board;
pub mod domains;
pub mod draw;
pub mod edit;
pub mod eval;
pub mod fault;
pub mod ground;
pub mod heap_rule;
mod identity;
pub mod instance;
pub mod int;
pub mod layout;
pub mod naive;
pub mod position;
pub mod val;
pub mod view;

use cgdsl_language::{base, diagnostic, model};
use cgdsl_mathematics::game;

pub use bijections::bijections;
pub use board::Board;
pub use eval::{Calls, Evaluator, Frame, Host, NoHost, Scope};
pub use fault::{Code, Fault, Res};
pub use instance::{Instance, Layout, Setting, Var};
pub use int::Int;
pub use position::{Position, State, Term};
pub use val::{Compound, Handle, Outcome, Piece, Val};
