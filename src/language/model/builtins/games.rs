//! Functions that an engine evaluates: of positions, and of the values of positions.

use super::parameters::*;
use super::{Answer, GameFunction as F, Row, game};

/// Functions of a value, or of a position by its value.
pub(super) const VALUES: &[Row] = &[
    game("value", F::Value, &[G], Answer::Game)
        .written("value(G)")
        .says("the canonical form")
        .theory("The only form equal to G without dominated and reversible options (CGT II.2).")
        .fails("of two players and normal play; the position must come to an end")
        .example("value(G) == 1/2")
        .run("domineering", "value(Domineering[grid(2, 3)])"),
    game("outcome", F::Outcome, &[ANY], Answer::Outcome)
        .written("outcome(G)")
        .says("who can force a win, by who begins: one of nine outcomes where play can be drawn")
        .theory("L: Left wins, whoever starts; R: Right does; N: the next player; P: the previous one. G > 0, G < 0, G is confused with 0, G = 0 (ONAG 7).")
        .fails("of two players")
        .example("outcome(G) = N-position")
        .run("domineering", "outcome(Domineering[grid(2, 3)])"),
    game("misere_outcome", F::MisereOutcome, &[PLAYED], Answer::Outcome)
        .written("misere_outcome(G)")
        .says("who wins if who moves last loses")
        .theory("Who makes the last move loses (WW 13).")
        .fails("of a position, not of a value: equal games may differ")
        .example("misere_outcome(Nim[1, 1]) = N-position")
        .run("nim", "misere_outcome(Nim[1, 1])"),
    game("remoteness", F::Remoteness, &[POSITION, FIRST], Answer::Int)
        .written("remoteness(G, first: p)")
        .says("the number of moves to the end where the winner hurries and the loser holds out")
        .theory("The number of moves to the end under best play, where the winner hurries and the loser holds out (Steinhaus 1925; WW 9).")
        .fails("somebody must be able to force a win in finitely many moves")
        .example("remoteness(G, first: Left) = 5")
        .run("tic-tac-toe", "remoteness(TicTacToe[\"xx.|oo.|...\"], first: Left)"),
    game("suspense", F::Suspense, &[POSITION, FIRST], Answer::Int)
        .written("suspense(G, first: p)")
        .says("the number of moves to the end where the winner takes his time and the loser hurries")
        .theory("As remoteness, with the greatest and the least number exchanged (WW 9).")
        .fails("somebody must be able to force a win, and every line of play must end")
        .example("suspense(G, first: Left) = 5")
        .run("nim", "suspense(Nim[1, 2], first: Left)"),
    game("score", F::Score, &[POSITION, FIRST], Answer::Int)
        .written("score(G, first: p)")
        .says("what best play comes to, Left's points minus Right's, where p begins")
        .theory("The Left and Right scores: minimax over the scores of the ends (Milnor 1953; Larsson, Neto, Nowakowski, Santos 2016).")
        .fails("of rules with a clause `score`")
        .example("score(G, first: Left) = 5")
        .run("dots-and-boxes", "score(Boxes(1, 2), first: Left)"),
    game("nimber", F::Nimber, &[EITHER], Answer::Int)
        .written("nimber(G)")
        .says("the n of an impartial position of value *n")
        .theory("Every impartial position is worth a nimber (Sprague 1935, Grundy 1939).")
        .fails("the value must be a nimber")
        .example("nimber(Nim[3, 5]) = 6")
        .run("nim", "nimber(Nim[3, 5])"),
    game("gset", F::Gset, &[EITHER], Answer::Ints)
        .written("gset(G)")
        .says("the nimbers of the options of an impartial position")
        .theory("nimber(G) is its mex.")
        .fails("the value must be a nimber")
        .example("gset(Nim[3]) = {0, 1, 2}")
        .run("nim", "gset(Nim[3])"),
    game("birthday", F::Birthday, &[G], Answer::Int)
        .written("birthday(G)")
        .says("the birthday of the value")
        .theory("The depth of the canonical form (CGT II.1).")
        .example("birthday({1|-1}) = 2")
        .run("nim", "birthday({1|-1})"),
    game("mean", F::Mean, &[G], Answer::Game)
        .written("mean(G)")
        .says("the mean value: the mast of the thermograph")
        .theory("mean(G + H) = mean(G) + mean(H) (WW 6; CGT II.5). Of a position that counts points: where at each follower both can move or neither can, the end does not depend on who is stuck, and nobody gains by passing (Milnor 1953; Hanner 1959).")
        .example("mean({3|-1}) == 1")
        .run("nim", "mean({3||1|-2})"),
    game("temperature", F::Temperature, &[G], Answer::Game)
        .written("temperature(G)")
        .says("the height at which the walls of the thermograph meet; -1/2^k of a number m/2^k")
        .theory("Where the mast of the thermograph begins; of a sum at most the greater one. 0 for a number plus a nonzero infinitesimal, -1/2^k for a number over 2^k (WW 6; CGT II.5).")
        .example("temperature({3|-1}) == 2")
        .run("nim", "temperature({3||1|-2})"),
    game("thermograph", F::Thermograph, &[G], Answer::Report)
        .written("thermograph(G)")
        .says("both walls with their corners")
        .theory("The left scaffold at t is the greatest right wall of a left option less t, the right one the least left wall of a right option plus t; above the first t where they meet stands the mast (WW 6; CGT II.5.10).")
        .example("eval thermograph({3||1|-1})")
        .run("nim", "thermograph({3||1|-2})"),
    game("left_stop", F::LeftStop, &[G], Answer::Game)
        .written("left_stop(G)")
        .says("the number reached if Left starts and both play well until it is one")
        .theory("L(G) >= R(G) (CGT II.3.15; LIP 6).")
        .example("left_stop({3|-1}) == 3")
        .run("nim", "left_stop({3||1|-2})"),
    game("right_stop", F::RightStop, &[G], Answer::Game)
        .written("right_stop(G)")
        .says("the number reached if Right starts and both play well until it is one")
        .theory("L(G) >= R(G) (CGT II.3.15; LIP 6).")
        .example("right_stop({3|-1}) == -1")
        .run("nim", "right_stop({3||1|-2})"),
    game("identical", F::Identical, &[EITHER, EITHER_H], Answer::Bool)
        .written("identical(G, H)")
        .says("the same form, option by option")
        .theory("Stronger than ==, which compares values.")
        .example("identical({0|0}, *)")
        .run("nim", "identical({-1|1}, 0)"),
    game("confused", F::Confused, &[G, H], Answer::Bool)
        .written("confused(G, H)")
        .says("neither G <= H nor H <= G")
        .theory("Then whoever starts wins G - H (ONAG 0; LIP 4). Of guaranteed positions that count points: each is better than the other beside some game.")
        .example("confused(*, 0)")
        .run("nim", "confused(^, *)"),
];

/// Several positions played together, for `outcome`, `misere_outcome` and `winner`.
pub(super) const COMPOUNDS: &[Row] = &[
    game("conjunctive", F::Conjunctive, &[TOGETHER], Answer::Compound)
        .written("conjunctive(G, H)")
        .says("all played at once: a move is made in each; over when one of them is over")
        .theory("Of impartial games the least remoteness decides: even for a P-position (Smith 1966; ONAG 14; WW 9).")
        .fails("of two players, without clauses that end play or keep the turn")
        .example("outcome(conjunctive(G, H)) = P-position")
        .run("nim", "outcome(conjunctive(Nim[3], Nim[1, 1]))"),
    game("continued", F::Continued, &[TOGETHER], Answer::Compound)
        .written("continued(G, H)")
        .says("all played at once: a move is made in each that is not over; over when all are over")
        .theory("Of impartial games the greatest suspense decides: even for a P-position (Smith 1966; ONAG 14; WW 9).")
        .fails("of two players, without clauses that end play or keep the turn")
        .example("outcome(continued(G, H)) = P-position")
        .run("nim", "outcome(continued(Nim[3], Nim[1, 1]))"),
    game("selective", F::Selective, &[TOGETHER], Answer::Compound)
        .written("selective(G, H)")
        .says("a move is made in some of them, at least one; over when all are over")
        .theory("Of impartial games a P-position iff all are P-positions (Smith 1966; ONAG 14).")
        .fails("of two players, without clauses that end play or keep the turn")
        .example("outcome(selective(G, H)) = N-position")
        .run("nim", "outcome(selective(Nim[3], Nim[3]))"),
    game("shortened", F::Shortened, &[TOGETHER], Answer::Compound)
        .written("shortened(G, H)")
        .says("a move is made in one of them, as in a sum; over when one of them is over")
        .theory("The diminished disjunctive compound (ONAG 14).")
        .fails("of two players, without clauses that end play or keep the turn")
        .example("outcome(shortened(G, H)) = N-position")
        .run("nim", "outcome(shortened(Nim[2], Nim[3]))"),
    game("sequential", F::Sequential, &[TOGETHER], Answer::Compound)
        .written("sequential(G, H)")
        .says("one after the other: a move is made in the first that is not over")
        .theory("The sequential compound (Stromquist and Ullman 1993).")
        .fails("of two players, without clauses that end play or keep the turn")
        .example("outcome(sequential(G, H)) = P-position")
        .run("nim", "outcome(sequential(Nim[2], Nim[3]))"),
];

/// Functions of a position, its moves and its players.
pub(super) const POSITIONS: &[Row] = &[
    game("moves", F::Moves, &[POSITION, MAYBE_PLAYER], Answer::Report)
        .any_players()
        .written("moves(G), moves(G, p)")
        .says("every move with the position it leads to")
        .example("eval moves(Nim[3])")
        .run("nim", "moves(Nim[2])"),
    game("options", F::Options, &[POSITION, MAYBE_PLAYER], Answer::Positions)
        .any_players()
        .written("options(G), options(G, p)")
        .says("the positions that one move reaches")
        .theory("Positions are the same where there is the same to see, names of vertices included.")
        .example("options(Nim[2]) = {Nim[0], Nim[1]}")
        .run("nim", "options(Nim[3])"),
    game("positions", F::Positions, &[POSITION], Answer::Positions)
        .any_players()
        .written("positions(G)")
        .says("every position that moves of any players reach before play ends, G included")
        .fails("at most 262144 are listed")
        .example("size(positions(Nim[3])) = 4")
        .run("nim", "size(positions(Nim[3]))"),
    game("best", F::Best, &[POSITION, PLAYER], Answer::Positions)
        .written("best(G, p)")
        .says("the options that are best for p")
        .theory("Of an impartial position those to nimber 0, else those that no other option dominates.")
        .fails("of two players")
        .example("eval best(Nim[3, 5], Left)")
        .run("nim", "best(Nim[3, 5], Left)"),
    game("winner", F::Winner, &[PLAYED, FIRST], Answer::Player)
        .any_players()
        .written("winner(G, first: p)")
        .says("the player who wins alone against all others, queer or draw")
        .theory("Queer if nobody wins alone (Cincotti 2009; Propp 2000), a draw if each player can force that no other wins. Where `lose` ends play, several players may win alone; then it is refused.")
        .example("winner(G, first: 1) = 2")
        .run("n-player/nim", "winner(Nim3[1, 2], first: A)"),
    game("wins", F::Wins, &[POSITION, COALITION, FIRST], Answer::Bool)
        .any_players()
        .written("wins(G, coalition: C, first: p)")
        .says("whether the coalition can force that one of them wins")
        .theory("With two players C is one of them, and this is normal play.")
        .fails("every member takes part")
        .example("wins(G, coalition: {1, 3}, first: 2)")
        .run("n-player/nim", "wins(Nim3[1, 2], coalition: {A, B}, first: A)"),
    game("coalitions", F::Coalitions, &[POSITION, FIRST], Answer::Coalitions)
        .any_players()
        .written("coalitions(G, first: p)")
        .says("the least coalitions that win")
        .theory("The coalitions that win are those that contain one of these.")
        .example("coalitions(G, first: 1)")
        .run("n-player/nim", "coalitions(Nim3[1, 2], first: A)"),
];
