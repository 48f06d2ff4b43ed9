//! Suggestions for comparisons whose sides do not fit: names in quotes, and boards, sets and strings in place of games.

use super::error;
use super::guess::gamelike;
use super::typed::Sort;
use crate::base::{FileId, Span};
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::ast::{self, BinaryOp, ExprKind};
use crate::syntax::parse_expression;
use crate::syntax::printer::print_expr;

/// The longest string that is tried as the text of a game.
const LONGEST: usize = 40;

/// The outcomes, the players and so on stand without quotes. For the side that is a string and the sort of the other.
pub(super) fn in_quotes(e: &ast::Expr, other: &Sort) -> Option<Suggestion> {
    let ExprKind::Text(text) = &*e.kind else {
        return None;
    };
    let word = text.value.trim();
    let name = match other {
        Sort::Outcome => match word {
            "N" | "P" | "L" | "R" | "D" => format!("{word}-position"),
            "N-position" | "P-position" | "L-position" | "R-position" | "D-position" => word.into(),
            _ => return None,
        },
        Sort::Player | Sort::Piece | Sort::Direction
            if !word.is_empty() && word.chars().all(char::is_alphanumeric) =>
        {
            word.into()
        }
        _ => return None,
    };
    let message = format!("{} stands without quotes: `{name}`", error::a(other));
    Some(Suggestion::replace(e.span, name, message))
}

/// The edit that makes an expression the game it seems to mean: `"*3"`, `star(3)`, `{1/-1}`.
fn as_game(e: &ast::Expr) -> Option<Suggestion> {
    match &*e.kind {
        ExprKind::Text(text) if text.value.len() <= LONGEST => {
            let (read, _) = parse_expression(FileId::default(), &text.value);
            let kind = *read?.kind;
            let game = matches!(
                kind,
                ExprKind::Compact(_)
                    | ExprKind::Integer(_)
                    | ExprKind::Braces(..)
                    | ExprKind::Unary(..)
                    | ExprKind::Binary(..)
            );
            let message = format!("a game stands without quotes: `{}`", text.value);
            game.then(|| Suggestion::replace(e.span, &*text.value, message))
        }
        ExprKind::Call(name, arguments) if &*name.text == "star" => {
            let [ast::Argument { name: None, value }] = &arguments[..] else {
                return None;
            };
            let text = match &*value.kind {
                ExprKind::Integer(n) => format!("*{n}"),
                _ => format!("*({})", print_expr(value)),
            };
            let message = format!("`star(n)` is a graph, and the nimber is `{text}`");
            Some(Suggestion::replace(e.span, text, message))
        }
        ExprKind::Set(parts) => match parts.as_slice() {
            [one] => match &*one.kind {
                ExprKind::Binary(BinaryOp::Slash, a, b) => {
                    let text = format!("{{{}|{}}}", print_expr(a), print_expr(b));
                    let message = format!("the options of a game stand beside a bar: `{text}`");
                    Some(Suggestion::between(a.span, b.span, "/", "|", message))
                }
                _ => None,
            },
            [a, b] => {
                let text = format!("{{{}|{}}}", print_expr(a), print_expr(b));
                let message = format!("braces without a bar are a set; a game is `{text}`");
                Some(Suggestion::between(a.span, b.span, ",", "|", message))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The error for `==` where a side is no game.
pub(super) fn no_game(sides: [(&ast::Expr, &Sort); 2], whole: Span) -> Option<Diagnostic> {
    let fits = |s: &Sort| gamelike(s) || matches!(s, Sort::Int | Sort::Unknown);
    let at = sides.iter().position(|(_, sort)| !fits(sort))?;
    let ((side, sort), (other, of)) = (sides[at], sides[1 - at]);
    let d = Diagnostic::error(
        Code::E0206,
        "`==` compares games, and data are compared with `=`",
    )
    .at(side.span, format!("this is {}", error::a(sort)))
    .at(whole, "");
    if fits(of)
        && let Some(fix) = as_game(side)
    {
        return Some(d.suggest(fix));
    }
    if gamelike(of) || *of == Sort::Int {
        let help = format!("{} is never equal to {}", error::a(sort), error::a(of));
        return Some(match sort {
            Sort::Board => d.help("a board becomes a position by its ruleset: `Ruleset[board]`"),
            _ => d.help(help),
        });
    }
    let [(a, _), (b, _)] = sides;
    let fix = Suggestion::between(a.span, b.span, "==", "=", "write `=`");
    Some(d.suggest(
        match in_quotes(other, sort).or_else(|| in_quotes(side, of)) {
            Some(unquoted) => unquoted.and_between(a.span, b.span, "==", "="),
            None => fix.safe(),
        },
    ))
}

/// Adds the edits that make the other side of `=`, which should be `==`, a game.
pub(super) fn both_games(
    mut fix: Suggestion,
    [(a, ga), (b, gb)]: [(&ast::Expr, &Sort); 2],
) -> Suggestion {
    let other = match (gamelike(ga), gamelike(gb)) {
        (true, false) => b,
        (false, true) => a,
        _ => return fix,
    };
    if let Some(game) = as_game(other) {
        fix.message = format!("{}; {}", fix.message, game.message);
        fix.edits.extend(game.edits);
        fix.safe = false;
    }
    fix
}

/// An integer compared with `star(3)`.
pub(super) fn integer_of_star(e: &ast::Expr, other: &Sort) -> Option<Suggestion> {
    match &*e.kind {
        ExprKind::Call(name, arguments) if &*name.text == "star" && *other == Sort::Int => {
            let [ast::Argument { name: None, value }] = &arguments[..] else {
                return None;
            };
            let text = print_expr(value);
            let message = format!("`nimber(G)` is an integer: write `{text}`");
            Some(Suggestion::replace(e.span, text, message))
        }
        _ => None,
    }
}
