//! The wording of messages: sorts, board kinds and counts in plain words.

use super::typed::{BoardKind, SiteKind, Sort};
use crate::base::Span;
use crate::diagnostic::{Code, Diagnostic};

/// The error for an expression of the wrong sort.
pub(super) fn stands_where(found: &Sort, span: Span, wanted: &str) -> Diagnostic {
    let is_function =
        matches!(found, Sort::Set(of) if matches!(&**of, Sort::Tuple(p) if p.len() == 2));
    let help = match (found, wanted) {
        (Sort::Int, "a list of integers") => {
            Some("write one for each, in brackets and in the order of the board: `[2, 0, 1]`")
        }
        (Sort::Site(SiteKind::Vertex), "an integer") => Some(
            "a rule knows no names of vertices: give each vertex a number with the board, by `fixed number(vertex): nat`, and write `number(v)`",
        ),
        (Sort::Int, "a vertex") => Some(
            "a rule is for every board and knows no vertex of one by its name: mark the vertex on the board, by a piece or by `state mark(vertex): nat`",
        ),
        _ => None,
    };
    let found = a(found);
    let d = Diagnostic::error(
        Code::E0203,
        format!("{found} stands where {wanted} is expected"),
    )
    .at(span, format!("this is {found}"));
    let d = match help {
        Some(help) => d.help(help),
        None => d,
    };
    match is_function {
        true => d.note(
            "where `t(x in S)` was chosen, `t` is all of the function, and `t(x)` its value at x",
        ),
        false => d,
    }
}

/// "an integer", "a set of pieces".
pub(super) fn a(sort: &Sort) -> String {
    match sort {
        Sort::Unknown => "something unknown".into(),
        Sort::Bool => "a condition".into(),
        Sort::Int => "an integer".into(),
        Sort::Text => "a string".into(),
        Sort::Digits => "the digits of a code".into(),
        Sort::Player => "a player".into(),
        Sort::Piece => "a piece".into(),
        Sort::Direction => "a direction".into(),
        Sort::Site(k) => match k {
            SiteKind::StripCell | SiteKind::GridCell => "a cell".into(),
            SiteKind::Vertex => "a vertex".into(),
            SiteKind::Edge => "an edge".into(),
            SiteKind::Element => "an element of the poset".into(),
            SiteKind::Heap => "a heap".into(),
        },
        Sort::Label => "a vertex or element".into(),
        Sort::Tuple(parts) => match parts.len() {
            2 => "a pair".into(),
            3 => "a triple".into(),
            n => format!("a tuple of {n}"),
        },
        Sort::Set(of) => format!("a set of {}", many(of)),
        Sort::List(of) => format!("a list of {}", many(of)),
        Sort::Board => "a board".into(),
        Sort::Position => "a position".into(),
        Sort::Game => "a game".into(),
        Sort::Outcome => "an outcome".into(),
        Sort::Compound => "a compound".into(),
        Sort::Genus => "a genus".into(),
        Sort::MisereForm => "a misère form".into(),
        Sort::QuotientElement => "an element of a misère quotient".into(),
        Sort::Report => "a report".into(),
    }
}

/// "integers", "sets of pieces".
fn many(sort: &Sort) -> String {
    match sort {
        Sort::Unknown => "anything".into(),
        Sort::Bool => "conditions".into(),
        Sort::Int => "integers".into(),
        Sort::Text => "strings".into(),
        Sort::Digits => "codes".into(),
        Sort::Player => "players".into(),
        Sort::Piece => "pieces".into(),
        Sort::Direction => "directions".into(),
        Sort::Site(k) => match k {
            SiteKind::StripCell | SiteKind::GridCell => "cells".into(),
            SiteKind::Vertex => "vertices".into(),
            SiteKind::Edge => "edges".into(),
            SiteKind::Element => "elements".into(),
            SiteKind::Heap => "heaps".into(),
        },
        Sort::Label => "vertices or elements".into(),
        Sort::Tuple(parts) if parts.len() == 2 => "pairs".into(),
        Sort::Tuple(_) => "tuples".into(),
        Sort::Set(of) => format!("sets of {}", many(of)),
        Sort::List(of) => format!("lists of {}", many(of)),
        Sort::Board => "boards".into(),
        Sort::Position => "positions".into(),
        Sort::Game => "games".into(),
        Sort::Outcome => "outcomes".into(),
        Sort::Compound => "compounds".into(),
        Sort::Genus => "genera".into(),
        Sort::MisereForm => "misère forms".into(),
        Sort::QuotientElement => "elements of a misère quotient".into(),
        Sort::Report => "reports".into(),
    }
}

/// "a grid", "heaps".
pub(super) fn board(kind: BoardKind) -> &'static str {
    kind.descriptor().called
}

/// "1 argument", "2 arguments".
pub(super) fn count(n: usize, what: &str) -> String {
    match n {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

/// "a, b and c".
pub(super) fn list<S: AsRef<str>>(words: &[S], and: &str) -> String {
    match words {
        [] => String::new(),
        [one] => format!("`{}`", one.as_ref()),
        [init @ .., last] => {
            let init: Vec<String> = init.iter().map(|w| format!("`{}`", w.as_ref())).collect();
            format!("{} {and} `{}`", init.join(", "), last.as_ref())
        }
    }
}
