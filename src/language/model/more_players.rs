//! Adapts the clauses of a ruleset for Left and Right (or two others) to the players of a new `players` clause. In every
//! clause, the first old player becomes the first new one, and so on. If each player has one piece, each further player
//! gets one, too. With more than two players, `play elimination` is added unless a clause says how play ends: a player
//! who cannot move is out. (With two players the default is normal play.)
//! default is normal play).

use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, Clause, ClauseKind, Expr, ExprKind, PieceDecl, PiecesClause};
use crate::syntax::names::{self, Names};
use std::sync::Arc;

/// The players of a clause, if all are names.
fn named(all: &[Expr]) -> Option<Vec<Ident>> {
    all.iter()
        .map(|e| match &*e.kind {
            ExprKind::Name(name) => Some(name.clone()),
            _ => None,
        })
        .collect()
}

/// The clause `players` of a list.
fn players(clauses: &[Clause]) -> Option<(&[Expr], Span)> {
    clauses.iter().find_map(|c| match &c.kind {
        ClauseKind::Players(all) => Some((&all[..], c.span)),
        _ => None,
    })
}

/// Adapts a ruleset to the players that the changes declare; does nothing if they declare none, or if the ruleset's own
/// are numbered. Returns an error if clauses refer to a single player and the new players have no names.
pub(super) fn for_players(rules: &mut ast::Ruleset, changes: &[Clause]) -> Option<Diagnostic> {
    let (new, span) = players(changes)?;
    let old: Vec<Arc<str>> = match players(&rules.clauses).map(|p| named(p.0)) {
        None => vec!["Left".into(), "Right".into()],
        Some(Some(all)) => all.iter().map(|n| n.text.clone()).collect(),
        Some(None) => return None,
    };
    let more = match named(new) {
        Some(new) => {
            further_pieces(rules, changes, &old, &new);
            let mut rename = Names(|name: &mut Ident| {
                if let Some(i) = old.iter().position(|o| *o == name.text)
                    && let Some(now) = new.get(i)
                {
                    name.text = now.text.clone();
                }
            });
            for clause in &mut rules.clauses {
                names::of_clause(&mut clause.kind, &mut rename);
            }
            new.len() > 2
        }
        None => {
            numbered_pieces(rules, &old, new);
            if let Some(one) = spoken_of(rules, &old) {
                return Some(
                    Diagnostic::error(
                        Code::E0222,
                        format!(
                            "{} says something of {one} alone, and numbered players have no names",
                            rules.name.text
                        ),
                    )
                    .at(span, "")
                    .help("name the players: `players A, B, C`"),
                );
            }
            !matches!(new, [one] if is_two(one))
        }
    };
    let says = |clauses: &[Clause]| {
        clauses
            .iter()
            .any(|c| matches!(c.kind, ClauseKind::Play(_)))
    };
    if more && !says(&rules.clauses) && !says(changes) {
        rules.clauses.push(Clause {
            span,
            doc: Vec::new(),
            kind: ClauseKind::Play(Ident::new("elimination", span)),
        });
    }
    None
}

/// A player that a clause mentions.
fn spoken_of(rules: &ast::Ruleset, players: &[Arc<str>]) -> Option<Arc<str>> {
    let mut found = None;
    for mut clause in rules.clauses.iter().cloned() {
        let mut look = Names(|name: &mut Ident| {
            if found.is_none() && players.contains(&name.text) {
                found = Some(name.text.clone());
            }
        });
        if !matches!(clause.kind, ClauseKind::Players(_)) {
            names::of_clause(&mut clause.kind, &mut look);
        }
    }
    found
}

/// `1..2`
fn is_two(e: &Expr) -> bool {
    crate::syntax::printer::print_expr(e).replace(' ', "") == "1..2"
}

/// Whether each player exclusively owns exactly one piece of a clause, and the clause has no other pieces.
fn one_each(pieces: &PiecesClause, players: &[Arc<str>]) -> bool {
    let has_one = |player: &Arc<str>| {
        let own = |p: &&PieceDecl| matches!(&p.owners[..], [one] if one.text == *player);
        pieces.pieces.iter().filter(own).count() == 1
    };
    pieces.range.is_none() && pieces.pieces.len() == players.len() && players.iter().all(has_one)
}

/// Gives a piece to each further player that has none: the first letter of the player's name, or the next free letter.
fn further_pieces(rules: &mut ast::Ruleset, changes: &[Clause], old: &[Arc<str>], new: &[Ident]) {
    // Letters with a meaning in a clause are taken, even those of variables.
    let mut taken: Vec<Arc<str>> = Vec::new();
    for mut clause in rules.clauses.iter().chain(changes).cloned() {
        let mut note = Names(|name: &mut Ident| taken.push(name.text.clone()));
        names::of_clause(&mut clause.kind, &mut note);
    }
    let has = |player: &Ident| {
        let mut all = changes.iter().filter_map(|c| match &c.kind {
            ClauseKind::Pieces(p) => Some(p),
            _ => None,
        });
        all.any(|p| p.range.is_some() || p.pieces.iter().any(|p| p.owners.contains(player)))
    };
    let further: Vec<&Ident> = new.iter().skip(old.len()).filter(|p| !has(p)).collect();
    for clause in &mut rules.clauses {
        let ClauseKind::Pieces(pieces) = &mut clause.kind else {
            continue;
        };
        if !one_each(pieces, old) {
            continue;
        }
        for player in &further {
            let letter = player.text.bytes().next().unwrap_or(b'a');
            let first = match letter.to_ascii_lowercase() {
                letter @ b'a'..=b'z' => letter - b'a',
                _ => 0,
            };
            let free = (0..26u8)
                .map(|i| char::from(b'a' + (first + i) % 26).to_string())
                .find(|c| !taken.iter().any(|t| **t == **c));
            let Some(name) = free else { continue };
            let name = Ident::new(&name, player.span);
            taken.push(name.text.clone());
            pieces.pieces.push(PieceDecl {
                name,
                owners: vec![(*player).clone()],
            });
        }
    }
}

/// Numbered players have numbered pieces.
fn numbered_pieces(rules: &mut ast::Ruleset, old: &[Arc<str>], new: &[Expr]) {
    for clause in &mut rules.clauses {
        if let ClauseKind::Pieces(p) = &mut clause.kind
            && one_each(p, old)
        {
            p.pieces.clear();
            p.range = new.first().cloned();
        }
    }
}
