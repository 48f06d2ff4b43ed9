//! Resolves the names of sorts.

use super::builtins::{self, What};
use super::checker::Checker;
use super::typed::{BoardKind, RulesetId, SiteKind, Sort};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, meant};
use crate::syntax::ast::SortName;

/// The place of a sort.
fn span(name: &SortName) -> Span {
    match name {
        SortName::Name(name) => name.span,
        SortName::Set(_, span) | SortName::List(_, span) => *span,
    }
}

/// The sort outside rulesets; reports nothing.
pub(super) fn plain(name: &SortName) -> Sort {
    match name {
        SortName::Name(name) => by_name(&name.text, None).map_or(Sort::Unknown, |(sort, _)| sort),
        SortName::Set(of, _) => Sort::Set(Box::new(plain(of))),
        SortName::List(of, _) => Sort::List(Box::new(plain(of))),
    }
}

/// The sort, and whether it is `nat`. Sites are those of the given board; without a board they are labels.
fn by_name(name: &str, board: Option<BoardKind>) -> Option<(Sort, bool)> {
    let site = |kinds: &[SiteKind]| match board {
        None => Some(Sort::Label),
        Some(board) => board.site().filter(|k| kinds.contains(k)).map(Sort::Site),
    };
    const CELLS: &[SiteKind] = &[SiteKind::StripCell, SiteKind::GridCell];
    const SITES: &[SiteKind] = &[
        SiteKind::StripCell,
        SiteKind::GridCell,
        SiteKind::Vertex,
        SiteKind::Element,
    ];
    let sort = match name {
        "nat" => return Some((Sort::Int, true)),
        "int" => Sort::Int,
        "string" => Sort::Text,
        "digits" => Sort::Digits,
        "bool" => Sort::Bool,
        "piece" => Sort::Piece,
        "player" => Sort::Player,
        "direction" => Sort::Direction,
        "board" => Sort::Board,
        "position" => Sort::Position,
        "game" => Sort::Game,
        "outcome" => Sort::Outcome,
        "vertex" => site(&[SiteKind::Vertex])?,
        "cell" => site(CELLS)?,
        "element" | "point" => site(&[SiteKind::Element])?,
        "site" => site(SITES)?,
        "edge" | "arc" => match board {
            None => Sort::Label,
            Some(board) if board.has_edges() => Sort::Site(SiteKind::Edge),
            Some(_) => return None,
        },
        _ => return None,
    };
    Some((sort, false))
}

impl Checker<'_> {
    /// A sort as written; reports an unknown name.
    pub(super) fn sort(&mut self, name: &SortName, home: Option<RulesetId>) -> (Sort, bool) {
        let board = home.map(|id| self.ruleset(id).board);
        match name {
            SortName::Name(name) => match by_name(&name.text, board) {
                Some(found) => found,
                None => {
                    self.unknown_sort(name, board);
                    (Sort::Unknown, false)
                }
            },
            SortName::Set(of, _) => (Sort::Set(Box::new(self.sort(of, home).0)), false),
            SortName::List(of, _) => (Sort::List(Box::new(self.sort(of, home).0)), false),
        }
    }

    fn unknown_sort(&mut self, name: &Ident, board: Option<BoardKind>) {
        let mut d = Diagnostic::error(
            Code::E0212,
            format!("there is no sort `{}` here", name.text),
        )
        .at(name.span, "unknown sort");
        let sites = board.and_then(BoardKind::site).map(|k| match k {
            SiteKind::StripCell | SiteKind::GridCell => "cell",
            SiteKind::Vertex => "vertex",
            SiteKind::Element => "element",
            SiteKind::Edge | SiteKind::Heap => "edge",
        });
        if matches!(
            &*name.text,
            "vertex" | "cell" | "element" | "site" | "edge" | "arc" | "point"
        ) {
            d = d.help(match sites {
                Some(site) => format!("a site of this board is a `{site}`"),
                None => {
                    "this board has no sites; state without arguments is a scalar: `state m: nat`"
                        .into()
                }
            });
        } else {
            let sorts = builtins::names_of(What::Sort).filter(|n| !n.contains(' '));
            d = d
                .suggest_if(meant(name, sorts.chain(["board", "position"])))
                .note("sorts are nat, int, string, digits, bool, piece, player, direction, vertex, cell, edge, element, board, position, game, `set of ..` and `list of ..`");
        }
        self.report(d);
    }

    /// The place of a sort as written.
    pub(super) fn sort_span(name: &SortName) -> Span {
        span(name)
    }
}
