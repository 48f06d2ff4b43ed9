//! Queries come in (typed), answers go out: cards, values, verdicts, tables. What needs an engine is asked of one; nothing
//! is printed.

mod answer;

pub use answer::{
    Answer, Asked, BestMoves, Binding, Card, Coalitions, Evaluated, Fact, Instance, Item, Move,
    OptionCount, Picture, PlayerNote, Row, Search, Source, Status, Table, Verdict,
};
