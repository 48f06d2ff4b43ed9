//! Functions of positions in misère play: of impartial ones, and the order of dicots and of dead-ending games. Rules without
//! `play misere` are treated as if they had it.

use super::parameters::*;
use super::{Answer, GameFunction as F, Row, game};

/// Functions of positions in misère play.
pub(super) const MISERE: &[Row] = &[
    game("genus", F::Genus, &[POSITION], Answer::Genus)
        .written("genus(G)")
        .says("the nim-value and the misère nimbers of G, G + *2, G + *2 + *2 and so on")
        .theory("4^146 is nim-value 4 and misère nimbers 1, 4, 6, 4, 6, ..: the last two go on in turn. Of the genera of Nim sums only the first misère nimber is written: 0^1, 1^0, n^n. If a misère nimber exceeds 9, they stand in parentheses, with commas: 13^(13) (ONAG 12; WW 13).")
        .fails("of impartial games")
        .example("assert genus(Kayles[5]) = \"4^146\"")
        .run("kayles", "genus(Kayles[5])"),
    game("is_tame", F::IsTame, &[POSITION], Answer::Bool)
        .written("is_tame(G)")
        .says("whether G is played like a sum of Nim heaps beside other tame positions")
        .theory("The genus is that of a Nim sum, the tame options alone give it, and each other option has a reverting move to a tame position of this genus (WW 13).")
        .fails("of impartial games")
        .example("is_tame(Kayles[4])")
        .run("kayles", "is_tame(Kayles[5])"),
    game("misere_nimber", F::MisereNimber, &[POSITION, TWOS], Answer::Int)
        .written("misere_nimber(G), misere_nimber(G, k)")
        .says("the n for which G + *n, or G + k times *2 + *n, is a P-position of misère play")
        .theory("The superscripts of the genus (ONAG 12; WW 13).")
        .fails("of impartial games; k is a natural number")
        .example("misere_nimber(Kayles[5]) = 1")
        .run("kayles", "misere_nimber(Kayles[5], 1)"),
    game("misere_form", F::MisereForm, &[POSITION], Answer::MisereForm)
        .written("misere_form(G)")
        .says("the simplest game that is equal to G in all of misère play")
        .theory("A Nim heap by its size, other games by their options in brackets; equal games have the same (ONAG 12).")
        .fails("of impartial games")
        .example("eval misere_form(Kayles[5])")
        .run("kayles", "misere_form(Kayles[5])"),
    game("misere_quotient", F::MisereQuotient, &[POSITION], Answer::Elements)
        .written("misere_quotient(G)")
        .says("the misère quotient of all sums of followers of G, as the set of its elements")
        .theory("Sums are in one class if they have the same outcome beside every such sum; the quotient is checked by two finite conditions, so what it says holds for all sums (Plambeck and Siegel 2008).")
        .fails("of impartial games; the quotient is finite and not too large")
        .example("size(misere_quotient(Kayles[5])) = 12")
        .run("kayles", "size(misere_quotient(Kayles[5]))"),
    game("phi", F::Phi, &[POSITION, QUOTIENT], Answer::Element)
        .written("phi(G, within: Q)")
        .says("the element of a sum in a misère quotient")
        .theory("In letters of parts that generate it, the least word; elements of two quotients are never equal (Plambeck and Siegel 2008).")
        .fails("Q is the misère quotient of a position H; it speaks of H, all that follows it, and of sums of these")
        .example("eval phi(Kayles[2, 2], within: misere_quotient(Kayles[5]))")
        .run("kayles", "phi(Kayles[2, 2], within: misere_quotient(Kayles[5]))"),
    game("indistinguishable", F::Indistinguishable, &[POSITION, POSITION_H, MAYBE_QUOTIENT], Answer::Bool)
        .written("indistinguishable(G, H), indistinguishable(G, H, within: Q)")
        .says("whether G and H have the same outcome of misère play beside every impartial game, or beside every sum that Q speaks of")
        .theory("Beside every game: equal misère forms (ONAG 12). Within Q: equal elements (Plambeck and Siegel 2008).")
        .fails("of impartial games")
        .example("indistinguishable(Kayles[1], Kayles[4])")
        .run("kayles", "indistinguishable(Kayles[1], Kayles[4])"),
    game("misere_le", F::MisereLe, &[POSITION, POSITION_H], Answer::Bool)
        .written("misere_le(G, H)")
        .says("whether H is at least as good for Left as G in misère play: beside every dicot if both are dicots, else beside every dead-ending game")
        .theory("A dicot: at each follower both players can move or neither can. Dead-ending: a player who cannot move at a follower cannot move later either. (Dorbec, Renault, Siegel and Sopena 2015; Larsson, Milley, Nowakowski, Renault and Santos 2018.)")
        .fails("both are dicots, or both are dead-ending")
        .example("misere_le(Kayles[1], Kayles[4])")
        .run("clobber", "misere_le(Clobber[\"xo.xo\"], Clobber[\"x\"])"),
];
