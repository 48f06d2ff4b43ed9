//! Parameters and results of the built-in functions.

use crate::model::typed::Sort;

/// A parameter of a built-in function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name in messages and, for named ones, in files.
    pub name: &'static str,
    /// The arguments that it takes.
    pub takes: Takes,
    /// Given by name: `first: A`.
    pub named: bool,
    /// How often it is given.
    pub given: Given,
}

/// How often a parameter is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// Once.
    Once,
    /// Once or not at all.
    Perhaps,
    /// Once or more.
    Repeatedly,
}

/// The arguments that a parameter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// A game; for a position, its value.
    Game,
    /// A position as it is, or a game.
    Either,
    /// A position.
    Position,
    /// A position, or several of them played together.
    Played,
    /// A position or a game, or several positions played together.
    Any,
    /// A board, or a position for its board.
    Board,
    /// A site of that board.
    Site,
    /// An edge or arc of that board.
    Edge,
    /// A direction, or a set of them.
    Directions,
    /// An integer.
    Int,
    /// The digits of a code.
    Digits,
    /// A player.
    Player,
    /// A set of players.
    Coalition,
    /// A set or a list.
    Items,
    /// A string, or a list of pieces or their numbers.
    Pieces,
    /// A term such as `r(a, b(c))`.
    Term,
}

/// The result of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A game; numbers like a temperature are games, too.
    Game,
    /// An integer.
    Int,
    /// True or false.
    Bool,
    /// An outcome.
    Outcome,
    /// Positions played together.
    Compound,
    /// A player, or queer.
    Player,
    /// A set of players.
    Players,
    /// A set of pieces.
    Pieces,
    /// A site.
    Site,
    /// A set of sites, or of edges.
    Sites,
    /// A list of the sizes of heaps.
    Sizes,
    /// A board.
    Board,
    /// A set of boards.
    Boards,
    /// A set of integers.
    Ints,
    /// A set of positions.
    Positions,
    /// A set of games.
    Games,
    /// A set of sets of players.
    Coalitions,
    /// The set of the subsets of the argument.
    Subsets,
    /// A set of lists with entries from the argument.
    Lists,
    /// A set or list like the argument.
    Alike,
    /// Something to be displayed.
    Report,
    /// The genus of a position in misère play.
    Genus,
    /// A misère form.
    MisereForm,
    /// An element of a misère quotient.
    Element,
    /// A set of elements of a misère quotient.
    Elements,
}

impl Answer {
    /// Its sort, as far as it is independent of the arguments.
    #[must_use]
    pub fn sort(self) -> Sort {
        let set = |of| Sort::Set(Box::new(of));
        match self {
            Answer::Game => Sort::Game,
            Answer::Int => Sort::Int,
            Answer::Bool => Sort::Bool,
            Answer::Outcome => Sort::Outcome,
            Answer::Compound => Sort::Compound,
            Answer::Player => Sort::Player,
            Answer::Players => set(Sort::Player),
            Answer::Pieces => set(Sort::Piece),
            Answer::Site => Sort::Unknown,
            Answer::Sizes => Sort::List(Box::new(Sort::Unknown)),
            Answer::Board => Sort::Board,
            Answer::Boards => set(Sort::Board),
            Answer::Ints => set(Sort::Int),
            Answer::Positions => set(Sort::Position),
            Answer::Games => set(Sort::Game),
            Answer::Coalitions => set(set(Sort::Player)),
            Answer::Sites | Answer::Subsets | Answer::Lists | Answer::Alike => set(Sort::Unknown),
            Answer::Report => Sort::Report,
            Answer::Genus => Sort::Genus,
            Answer::MisereForm => Sort::MisereForm,
            Answer::Element => Sort::QuotientElement,
            Answer::Elements => set(Sort::QuotientElement),
        }
    }
}

const fn one(name: &'static str, takes: Takes) -> Parameter {
    Parameter {
        name,
        takes,
        named: false,
        given: Given::Once,
    }
}

const fn perhaps(parameter: Parameter) -> Parameter {
    Parameter {
        given: Given::Perhaps,
        ..parameter
    }
}

const fn repeatedly(parameter: Parameter) -> Parameter {
    Parameter {
        given: Given::Repeatedly,
        ..parameter
    }
}

const fn named(parameter: Parameter) -> Parameter {
    Parameter {
        named: true,
        ..parameter
    }
}

pub(super) const G: Parameter = one("G", Takes::Game);
pub(super) const H: Parameter = one("H", Takes::Game);
pub(super) const U: Parameter = one("U", Takes::Game);
pub(super) const S: Parameter = one("s", Takes::Game);
pub(super) const T: Parameter = one("t", Takes::Game);
pub(super) const EITHER: Parameter = one("G", Takes::Either);
pub(super) const EITHER_H: Parameter = one("H", Takes::Either);
pub(super) const POSITION: Parameter = one("G", Takes::Position);
pub(super) const TOGETHER: Parameter = repeatedly(POSITION);
pub(super) const PLAYED: Parameter = one("G", Takes::Played);
pub(super) const ANY: Parameter = one("G", Takes::Any);
pub(super) const MAYBE_POSITION: Parameter = perhaps(POSITION);
pub(super) const K: Parameter = one("k", Takes::Int);
pub(super) const M: Parameter = one("m", Takes::Int);
pub(super) const N: Parameter = one("n", Takes::Int);
pub(super) const I: Parameter = one("i", Takes::Int);
pub(super) const J: Parameter = one("j", Takes::Int);
pub(super) const SEED: Parameter = one("seed", Takes::Int);
pub(super) const CODE: Parameter = one("code", Takes::Digits);
pub(super) const PLAYER: Parameter = one("p", Takes::Player);
pub(super) const MAYBE_PLAYER: Parameter = perhaps(PLAYER);
pub(super) const FIRST: Parameter = named(one("first", Takes::Player));
pub(super) const COALITION: Parameter = named(one("coalition", Takes::Coalition));
pub(super) const OF: Parameter = perhaps(one("G", Takes::Board));
pub(super) const SITE: Parameter = one("v", Takes::Site);
pub(super) const EDGE: Parameter = one("e", Takes::Edge);
pub(super) const WITHIN: Parameter = named(perhaps(one("within", Takes::Items)));
pub(super) const WRAP: Parameter = named(perhaps(one("wrap", Takes::Term)));
pub(super) const QUOTIENT: Parameter = named(one("within", Takes::Items));
pub(super) const MAYBE_QUOTIENT: Parameter = perhaps(QUOTIENT);
pub(super) const POSITION_H: Parameter = one("H", Takes::Position);
pub(super) const TWOS: Parameter = perhaps(K);
pub(super) const DIRECTIONS: Parameter = one("D", Takes::Directions);
pub(super) const ITEMS: Parameter = one("S", Takes::Items);
pub(super) const MANY: Parameter = repeatedly(ITEMS);
pub(super) const PIECES: Parameter = one("pieces", Takes::Pieces);
pub(super) const TERMS: Parameter = repeatedly(one("T", Takes::Term));
