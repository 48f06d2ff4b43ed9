//! Functions of loopy values.

use super::parameters::*;
use super::{Answer, GameFunction as F, Row, game};

/// Functions of a value that may be loopy, or of a position by its value.
pub(super) const LOOPY: &[Row] = &[
    game("onside", F::Onside, &[EITHER], Answer::Game)
        .written("onside(G)")
        .says("the stopper that G is equal to where Left wins all infinite play")
        .theory("G <= H exactly if this holds of their onsides and of their offsides (CGT VI; WW 11).")
        .fails("no stopper need be equal to a side")
        .example("onside(dud) == on")
        .run("nim", "onside(over - over)"),
    game("offside", F::Offside, &[EITHER], Answer::Game)
        .written("offside(G)")
        .says("the stopper that G is equal to where Right wins all infinite play")
        .theory("It is at most the onside, and equal to it exactly if G is equal to a stopper (CGT VI; WW 11).")
        .fails("no stopper need be equal to a side")
        .example("offside(dud) == off")
        .run("nim", "offside(over - over)"),
    game("sides", F::Sides, &[G, G], Answer::Game)
        .written("sides(S, T)")
        .says("the value S & T, whose onside is S and whose offside is T")
        .theory("Two stoppers with T <= S (CGT VI; WW 11).")
        .example("sides(on, off) == dud")
        .run("nim", "sides(over, under)"),
    game("degree", F::Degree, &[EITHER], Answer::Game)
        .written("degree(G)")
        .says("the degree of loopiness, the onside of G - G")
        .theory("0 exactly if G - G is 0, as it is for short games (CGT VI; WW 11).")
        .example("degree(over) == over")
        .run("nim", "degree(over)"),
    game("is_stopper", F::IsStopper, &[EITHER], Answer::Bool)
        .written("is_stopper(G)")
        .says("the value is that of a game in which alternating play always ends")
        .theory("Then both sides are the same, and the value has a canonical form (CGT VI.2).")
        .example("is_stopper(over)")
        .run("nim", "is_stopper(over - over)"),
];
