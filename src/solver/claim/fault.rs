//! Converts faults of evaluation to diagnostics, and reasons why a search stopped to faults.

use crate::base::Span;
use crate::diagnostic::{Code, Diagnostic};
use crate::engine::Stopped;
use crate::game::{Cancel, Limit, Player};
use crate::ir::{Code as FaultCode, Evaluator, Fault, NoHost, Position, draw, naive};
use crate::model::typed::Model;

/// The message to the user.
#[must_use]
pub fn diagnose(fault: &Fault) -> Diagnostic {
    // Every code of a fault is in the table (tested in `ir`).
    let code = Code::parse(fault.code.text()).unwrap_or(Code::E0551);
    // A limit is not an error: the answer is unknown.
    let mut d = if fault.code.is_limit() {
        Diagnostic::remark(code, fault.message.clone())
    } else {
        Diagnostic::error(code, fault.message.clone())
    };
    // Questions that are not asked in a text have no place.
    if fault.span != Span::default() {
        d = d.at(fault.span, "");
    }
    for (span, text) in &fault.labels {
        d = d.at(*span, text);
    }
    if !fault.bindings.is_empty() {
        let bindings: Vec<String> = fault
            .bindings
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        d = d.note(format!("where {}", bindings.join(", ")));
    }
    if let Some(position) = &fault.position {
        let what = if fault.code == FaultCode::Cycle {
            "this line of play repeats"
        } else {
            "on the position"
        };
        d = d.note(format!("{what}\n{position}"));
    }
    d.help_if(fault.help.clone())
}

/// The message for a limit.
#[must_use]
pub fn limit_text(limit: Limit) -> &'static str {
    match limit {
        Limit::Nodes => "the limit of positions was met; --nodes sets it",
        Limit::Memory => "the limit of memory was met; --memory sets it",
        Limit::Cancelled(reason) => reason.text(),
    }
}

/// A limit that was reached, as a fault: *unknown*.
#[must_use]
pub fn of_limit(limit: Limit, span: Span) -> Box<Fault> {
    match limit {
        Limit::Cancelled(reason) => Fault::ended(reason, span),
        Limit::Nodes | Limit::Memory => Fault::new(FaultCode::TooMuch, span, limit_text(limit)),
    }
}

/// A fault with the reason for which the run was ended, which the arena of values does not know.
#[must_use]
pub fn with_reason(fault: Box<Fault>, cancel: &Cancel) -> Box<Fault> {
    match cancel.limit() {
        Some(limit) if fault.message == limit_text(Limit::Memory) => of_limit(limit, fault.span),
        _ => fault,
    }
}

/// The first fault with this code that the naive evaluator meets at a position.
fn replayed(model: &Model, position: &Position, code: FaultCode) -> Option<Box<Fault>> {
    let ev = Evaluator::new(model, &NoHost);
    let mut players = (0..position.players()).map(Player);
    players.find_map(|p| {
        naive::moves(&ev, position, p)
            .err()
            .filter(|f| f.code == code)
    })
}

/// Why a search stopped, as a fault. `shown` converts a position of the searched game to the language.
pub fn of_stop<P, F: Into<Box<Fault>>>(
    stopped: Stopped<P, F>,
    span: Span,
    model: &Model,
    shown: impl Fn(&P) -> Position,
) -> Box<Fault> {
    match stopped {
        Stopped::Limit(limit) => of_limit(limit, span),
        Stopped::Fault { position, fault } => {
            let mut fault: Box<Fault> = fault.into();
            let position = shown(&position);
            // A compiled rule does not know the choices of the failing move; the naive evaluator does.
            if fault.bindings.is_empty()
                && !fault.code.is_limit()
                && let Some(told) = replayed(model, &position, fault.code)
            {
                fault = told;
            }
            if fault.position.is_none() {
                fault.position = Some(draw::picture(&position));
            }
            fault
        }
        Stopped::Cycle { line } => {
            let mut fault = Fault::new(
                FaultCode::Cycle,
                span,
                "play need not end: a position comes again",
            )
            .help(match &line[..] {
                [one, two, ..] if draw::picture(&shown(one)) == draw::picture(&shown(two)) => {
                    "a move leads to the same position: nothing changes; say in `where` when it may be made, as in `where at(v) = empty`"
                }
                _ => "this is defined only if every line of play ends; if moves can undo each other, something has to decrease with every move",
            });
            let line: Vec<String> = line.iter().map(|p| draw::picture(&shown(p))).collect();
            fault.position = Some(line.join("\n  then\n"));
            fault
        }
        Stopped::Refused(refused) => Fault::new(FaultCode::Host, span, refused.to_string()),
    }
}

/// Whether a fault says that a position is repeated.
pub(super) fn comes_again(fault: &Fault) -> bool {
    fault.code == FaultCode::Cycle
}

/// Whether a fault concerns one line of play, so that a player may still win or hold a draw: a position is repeated, or a
/// rule fails.
pub(super) fn of_a_line(fault: &Fault) -> bool {
    comes_again(fault)
        || !fault.code.is_limit()
            && matches!(
                fault.code,
                FaultCode::OffBoard
                    | FaultCode::TwoWrites
                    | FaultCode::RemovedAndWritten
                    | FaultCode::NegativeNat
                    | FaultCode::NoSuchPiece
                    | FaultCode::Arithmetic
                    | FaultCode::NoElement
            )
}
