//! The table of everything that a file may name without defining it: functions, sets, constants, constructors, board
//! kinds, sorts, keywords. A function's row documents it completely: signature, parameters and result, definition with a
//! source, errors, and an example. The checker, messages, completion, `cgdsl explain` and the reference read it;
//! evaluation matches on its identifier ([`ids`]).
//!
//! Books: WW is *Winning Ways* (2nd edition), LIP *Lessons in Play*, CGT Siegel's *Combinatorial Game Theory* (2013), ONAG *On
//! Numbers and Games*.

mod algebra;
mod boards;
mod games;
pub mod ids;
mod loopy;
mod misere;
pub mod parameters;
mod plain;
mod words;

pub use ids::{AllSites, Builtin, Catalogue, Constructor, Drawn, Fold, GameFunction, SitesFrom};
pub use parameters::{Answer, Given, Parameter, Takes};

use crate::syntax::lexer::RESERVED_2;

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// As written in a file.
    pub name: &'static str,
    /// Its kind.
    pub what: What,
    /// How it is called: `reach(v), reach(G, v)`.
    pub signature: &'static str,
    /// One line, no full stop.
    pub doc: &'static str,
    /// A line of the language that uses it.
    pub example: &'static str,
    /// Data of functions only.
    pub function: Option<Function>,
}

/// The data of a function.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// Its parameters in order; those with a name may be given by it and come after the others.
    pub parameters: &'static [Parameter],
    /// The kind of its result.
    pub answer: Answer,
    /// Whether it is defined for two players only.
    pub two_players: bool,
    /// The definition, or the theorem, with its source; empty if `doc` suffices.
    pub theory: &'static str,
    /// Where it is undefined or rejected; empty if it is total.
    pub fails: &'static str,
    /// An example that is evaluated.
    pub run: Example,
}

/// An expression, and the shipped file whose rulesets it uses.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The file.
    pub file: &'static str,
    /// The expression.
    pub expression: &'static str,
}

/// The kinds of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A function or set that needs no engine.
    Function(Builtin),
    /// `size min max sum xor mex`
    Fold(Fold),
    /// A function evaluated by the host.
    Game(GameFunction),
    /// A constant: pieces, directions, outcomes, `true`.
    Constant,
    /// A way to derive a ruleset from another.
    Derivation,
    /// A kind of board, after `board` or before a brace.
    BoardKind,
    /// A sort of parameters and state.
    Sort,
    /// A reserved word, which cannot be used as a name.
    Keyword,
    /// A word that has a meaning in one place only and may be a name elsewhere.
    Word,
}

/// A part of the table, and of the reference.
pub struct Section {
    /// Its title.
    pub title: &'static str,
    /// Its rows.
    pub rows: &'static [Row],
}

const fn section(title: &'static str, rows: &'static [Row]) -> Section {
    Section { title, rows }
}

/// The table by sections.
pub const SECTIONS: &[Section] = &[
    section("Arithmetic", plain::ARITHMETIC),
    section("Players and pieces", plain::PLAYERS),
    section("Sets of sites", boards::SITES),
    section("Domains", plain::DOMAINS),
    section("Boards", boards::CONSTRUCTORS),
    section("Values", games::VALUES),
    section("Positions", games::POSITIONS),
    section("Compounds", games::COMPOUNDS),
    section("Misère play", misere::MISERE),
    section("The algebra of games", algebra::ALGEBRA),
    section("Loopy games", loopy::LOOPY),
    section("Constants", words::CONSTANTS),
    section("Derived rulesets", words::DERIVATIONS),
    section("Kinds of boards", words::KINDS),
    section("Sorts", words::SORTS),
    section("Keywords", words::KEYWORDS),
    section("Words of one place", words::WORDS),
];

const IN_RULES: &str = "outside of a ruleset there is no position to speak of: it stands in rules, which the example evaluates";
const NOT_NEGATIVE: &str = "n is a natural number";

const fn row(name: &'static str, what: What, doc: &'static str, example: &'static str) -> Row {
    Row {
        name,
        what,
        signature: name,
        doc,
        example,
        function: None,
    }
}

const fn function(
    name: &'static str,
    what: What,
    parameters: &'static [Parameter],
    answer: Answer,
    two_players: bool,
) -> Row {
    let function = Function {
        parameters,
        answer,
        two_players,
        theory: "",
        fails: "",
        run: Example {
            file: "",
            expression: "",
        },
    };
    Row {
        function: Some(function),
        ..row(name, what, "", "")
    }
}

/// A function that needs no engine.
const fn plain(
    name: &'static str,
    id: Builtin,
    parameters: &'static [Parameter],
    answer: Answer,
) -> Row {
    function(name, What::Function(id), parameters, answer, false)
}

const fn fold(name: &'static str, id: Fold) -> Row {
    function(
        name,
        What::Fold(id),
        &[parameters::MANY],
        Answer::Int,
        false,
    )
    .written("of a set, a list, several arguments, or E for x in S")
}

/// A function of games, for two players.
const fn game(
    name: &'static str,
    id: GameFunction,
    parameters: &'static [Parameter],
    answer: Answer,
) -> Row {
    function(name, What::Game(id), parameters, answer, true)
}

const fn constant(name: &'static str, doc: &'static str, example: &'static str) -> Row {
    row(name, What::Constant, doc, example)
}

const fn board(name: &'static str, doc: &'static str, example: &'static str) -> Row {
    row(name, What::BoardKind, doc, example)
}

const fn sort(name: &'static str, doc: &'static str, example: &'static str) -> Row {
    row(name, What::Sort, doc, example)
}

const fn keyword(name: &'static str, doc: &'static str, example: &'static str) -> Row {
    row(name, What::Keyword, doc, example)
}

const fn word(name: &'static str, doc: &'static str, example: &'static str) -> Row {
    row(name, What::Word, doc, example)
}

impl Row {
    const fn written(mut self, signature: &'static str) -> Row {
        self.signature = signature;
        self
    }

    const fn says(mut self, doc: &'static str) -> Row {
        self.doc = doc;
        self
    }

    const fn example(mut self, example: &'static str) -> Row {
        self.example = example;
        self
    }

    const fn theory(mut self, theory: &'static str) -> Row {
        if let Some(function) = &mut self.function {
            function.theory = theory;
        }
        self
    }

    const fn fails(mut self, fails: &'static str) -> Row {
        if let Some(function) = &mut self.function {
            function.fails = fails;
        }
        self
    }

    const fn run(mut self, file: &'static str, expression: &'static str) -> Row {
        if let Some(function) = &mut self.function {
            function.run = Example { file, expression };
        }
        self
    }

    const fn any_players(mut self) -> Row {
        if let Some(function) = &mut self.function {
            function.two_players = false;
        }
        self
    }

    const fn two_players(mut self) -> Row {
        if let Some(function) = &mut self.function {
            function.two_players = true;
        }
        self
    }

    /// The row as a function.
    #[must_use]
    pub fn as_function(&self) -> Option<&Function> {
        self.function.as_ref()
    }

    /// Whether it can occur in an expression: function, fold, game function or constant.
    #[must_use]
    pub fn in_expressions(&self) -> bool {
        self.function.is_some() || self.what == What::Constant
    }
}

impl Row {
    /// How the function of a board is written with the board as its first argument: `nbrs(G, v)`.
    #[must_use]
    pub fn of_a_board(&self) -> String {
        let name = self.name;
        let call = |begin: &str| {
            let (_, rest) = self.signature.split_once(begin)?;
            Some(format!("{begin}{})", rest.split_once(')')?.0))
        };
        call(&format!("{name}(G"))
            .or_else(|| call(&format!("{name}(P")))
            .or_else(|| {
                let plain = call(&format!("{name}("))?;
                let (_, arguments) = plain.split_once('(')?;
                Some(format!("{name}(G, {arguments}"))
            })
            .unwrap_or_else(|| format!("{name}(G)"))
    }
}

impl Function {
    /// The minimum and maximum number of positional arguments; no maximum if one may be repeated.
    #[must_use]
    pub fn arity(&self) -> (usize, Option<usize>) {
        let plain = || self.parameters.iter().filter(|p| !p.named);
        let least = plain().filter(|p| p.given != Given::Perhaps).count();
        let repeats = plain().any(|p| p.given == Given::Repeatedly);
        (least, (!repeats).then(|| plain().count()))
    }

    /// Whether it accepts `count` positional arguments.
    #[must_use]
    pub fn takes(&self, count: usize) -> bool {
        let (least, most) = self.arity();
        count >= least && most.is_none_or(|most| count <= most)
    }

    /// The number of arguments, in words: `1 or 2`.
    #[must_use]
    pub fn count(&self) -> String {
        match self.arity() {
            (0, None) => "any number of".to_owned(),
            (1, None) => "one or more".to_owned(),
            (least, None) => format!("{least} or more"),
            (0, Some(0)) => "no".to_owned(),
            (0, Some(1)) => "no, or 1,".to_owned(),
            (0, Some(most)) => format!("up to {most}"),
            (least, Some(most)) if least == most => most.to_string(),
            (least, Some(most)) if least + 1 == most => format!("{least} or {most}"),
            (least, Some(most)) => format!("{least} to {most}"),
        }
    }
}

/// All rows.
pub fn table() -> impl DoubleEndedIterator<Item = &'static Row> + Clone {
    SECTIONS.iter().flat_map(|s| s.rows)
}

/// The row with this name that can occur in an expression: function, fold, game function or constant.
#[must_use]
pub fn find(name: &str) -> Option<&'static Row> {
    table().find(|r| r.name == name && r.in_expressions())
}

/// Whether a constant's name is reserved. Not reserved are the names of loopy values and `pass`, for which a definition
/// in the file takes precedence.
#[must_use]
pub fn is_kept(name: &str) -> bool {
    let free = matches!(
        name,
        "on" | "over" | "under" | "upon" | "dud" | "tis" | "tisn" | "pass"
    );
    !free && find(name).is_some_and(|row| row.what == What::Constant)
}

/// The name of a function; the first one if it has several.
#[must_use]
pub fn name_of(what: What) -> &'static str {
    names_of(what).next().unwrap_or("?")
}

/// Whether the word is reserved in every version of the language. In files of version 2 the others are no names already for
/// the lexer.
#[must_use]
pub fn reserved(name: &str) -> bool {
    !RESERVED_2.contains(&name) && table().any(|r| r.name == name && r.what == What::Keyword)
}

/// Names that can occur in an expression, for suggestions.
pub fn names() -> impl Iterator<Item = &'static str> {
    table()
        .filter(|r| r.in_expressions())
        .map(|r| r.name)
        .chain(std::iter::once("at"))
}

/// Names of rows of this kind, for suggestions.
pub fn names_of(what: What) -> impl Iterator<Item = &'static str> {
    table().filter(move |r| r.what == what).map(|r| r.name)
}

#[cfg(test)]
mod tests;
