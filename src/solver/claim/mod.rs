//! Evaluates typed queries: the answers are cards, values, verdicts and tables, computed with an engine. Nothing is printed
//! here.

mod affine;
mod algebra;
mod answer;
mod beside;
pub mod card;
mod compounds;
mod court;
mod dealt;
mod decided;
mod derived;
mod dicots;
mod explain;
mod fault;
pub mod figure;
mod followers;
mod functions;
mod growth;
mod guaranteed;
pub mod heaps;
mod host;
mod judge;
mod knot_figure;
mod knotted;
mod lists;
mod loopy;
mod machines;
mod many;
mod misere;
mod misere_heaps;
pub mod options;
mod orders;
mod quotients;
mod scores;
mod shaped;
mod solve;
mod subsets;
mod theory;
pub mod tree;
mod trees;
mod valued;
pub mod why;

pub use answer::{
    Answer, Asked, BestMoves, Binding, Card, Coalitions, Evaluated, Fact, Instance, Item, Move,
    OptionCount, Picture, PlayerNote, Row, Search, Source, Status, Table, Verdict,
};
pub use decided::{fate_of, outcome_of};
pub use fault::{diagnose, of_limit, with_reason};
pub use host::{Answerer, MARKS};
pub use knot_figure::loopy_figure;
pub use knotted::{LoopyComparison, LoopyValued, loopy_valued, sides_witness};
pub use many::Winner;
pub use misere::{PartGenus, nim_heaps_in_words};
pub use quotients::{Certificate, HeapQuotient, Idempotent, idempotents};

pub use judge::{Judge, Progress};
pub use solve::Solver;
pub use valued::{Born, Comparison, Found, Inside, Valued, born, valued};
