//! Faults: what can go wrong when a well-sorted text is evaluated. A fault has a code, a place, the bindings and the
//! position at which it happened, so that the message can show them.

use crate::base::Span;
use crate::game::Reason;
use std::sync::Arc;

/// A result of evaluation. Faults are boxed: they are rare and large.
pub type Res<T> = Result<T, Box<Fault>>;

/// Something that went wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Which kind.
    pub code: Code,
    /// Where in the text it happened.
    pub span: Span,
    /// The message: one sentence without a full stop.
    pub message: String,
    /// Further places, each with a message.
    pub labels: Vec<(Span, String)>,
    /// How to fix it.
    pub help: Option<String>,
    /// The names bound when the fault happened, with their values as text.
    pub bindings: Vec<(Arc<str>, String)>,
    /// The position at which it happened, as text.
    pub position: Option<String>,
}

/// The kinds of faults. Each has the number of a diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Code {
    /// Division by zero, a negative exponent, a root of a negative number, an integer too large to hold.
    Arithmetic,
    /// `min` or `max` of nothing; an index outside its list.
    NoElement,
    /// Too many steps or too large a set: the answer is *unknown*.
    TooMuch,
    /// The evaluation was cancelled from outside: the answer is *unknown*.
    Cancelled,
    /// A write, or a read other than `at`, off the board.
    OffBoard,
    /// Two writes of different values to one site.
    TwoWrites,
    /// A site that is both removed and written.
    RemovedAndWritten,
    /// A natural would become negative.
    NegativeNat,
    /// A player owns no piece alone, or more than one.
    NoSuchPiece,
    /// A row of art whose length differs from that of the first row.
    RaggedRow,
    /// A glyph that is the name of no piece.
    UnknownGlyph,
    /// A board that does not fit its ruleset: a cycle in an acyclic digraph, the wrong kind, a heap of the wrong size.
    Board,
    /// An initial state that does not fit: a missing value, the wrong number of values, counts without a counter, an
    /// unknown site.
    Initial,
    /// An argument outside a function's domain, such as `chain(-1)`.
    Argument,
    /// A sum of positions with different numbers of players, a mirror of an n-player position.
    Players,
    /// An expression that needs a board, a position or an engine, where there is none.
    NoBoard,
    /// A line of play that repeats a position.
    Cycle,
    /// A line of play that grew for as long as it was followed: the answer is *unknown*.
    Grows,
    /// At the start of play, a clause that ends play for the player who has just moved; or parts of a sum that have ended
    /// differently.
    NobodyMoved,
    /// A request for a value under rules where the last mover need not win.
    NoTheory,
    /// A question that the host cannot answer.
    Host,
    /// A state that the checks before evaluation exclude: a bug in this program.
    Internal,
}

impl Code {
    /// The diagnostic code shown to users.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Code::RaggedRow => "E0310",
            Code::UnknownGlyph => "E0311",
            Code::Board => "E0312",
            Code::Initial => "E0313",
            Code::Argument => "E0314",
            Code::Players => "E0315",
            Code::NoBoard => "E0316",
            Code::OffBoard => "E0401",
            Code::TwoWrites => "E0402",
            Code::RemovedAndWritten => "E0403",
            Code::NegativeNat => "E0404",
            Code::NoSuchPiece => "E0405",
            Code::Arithmetic => "E0406",
            Code::NoElement => "E0407",
            Code::Cycle => "E0408",
            Code::Grows => "E0409",
            Code::NobodyMoved => "E0410",
            Code::NoTheory => "E0411",
            Code::Host => "E0553",
            Code::TooMuch => "E0710",
            Code::Cancelled => "E0711",
            Code::Internal => "E0799",
        }
    }

    /// Every kind, in the order of the codes.
    pub const ALL: &[Code] = &[
        Code::RaggedRow,
        Code::UnknownGlyph,
        Code::Board,
        Code::Initial,
        Code::Argument,
        Code::Players,
        Code::NoBoard,
        Code::OffBoard,
        Code::TwoWrites,
        Code::RemovedAndWritten,
        Code::NegativeNat,
        Code::NoSuchPiece,
        Code::Arithmetic,
        Code::NoElement,
        Code::Cycle,
        Code::Grows,
        Code::NobodyMoved,
        Code::NoTheory,
        Code::Host,
        Code::TooMuch,
        Code::Cancelled,
        Code::Internal,
    ];

    /// Whether a limit was reached: the answer is *unknown*, and nothing is wrong with the text.
    #[must_use]
    pub fn is_limit(self) -> bool {
        matches!(self, Code::TooMuch | Code::Cancelled | Code::Grows)
    }
}

impl Fault {
    /// The fault of an evaluation that was ended from outside.
    #[must_use]
    pub fn ended(reason: Reason, span: Span) -> Box<Fault> {
        let code = match reason {
            Reason::Memory => Code::TooMuch,
            Reason::Interrupted | Reason::Time => Code::Cancelled,
        };
        Fault::new(code, span, reason.text())
    }

    /// A fault with a code, a place and a message.
    #[must_use]
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Box<Fault> {
        Box::new(Fault {
            code,
            span,
            message: message.into(),
            labels: Vec::new(),
            help: None,
            bindings: Vec::new(),
            position: None,
        })
    }

    /// Adds a help text.
    #[must_use]
    pub fn help(mut self: Box<Self>, help: impl Into<String>) -> Box<Fault> {
        self.help = Some(help.into());
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn label(mut self: Box<Self>, span: Span, text: impl Into<String>) -> Box<Fault> {
        self.labels.push((span, text.into()));
        self
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code.text(), self.message)?;
        for (name, value) in &self.bindings {
            write!(f, "\n  {name} = {value}")?;
        }
        if let Some(position) = &self.position {
            write!(f, "\n  at {position}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}

#[cfg(test)]
mod tests {
    use super::Code;

    #[test]
    fn every_code_has_its_page() {
        for code in Code::ALL {
            let known = crate::diagnostic::Code::parse(code.text());
            assert!(known.is_some(), "{}", code.text());
        }
    }
}
