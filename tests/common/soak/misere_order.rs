//! The order of dicots and of dead-ending games in misère play, checked by what it promises: where H is at least as good for
//! Left as G, she does at least as well in H + X as in G + X, whoever begins, for every X of their class.

use super::ask::Reply;
use super::fates::Fate;
use super::further::{Functions, Judged, Plain};
use super::judge::{Expected, Judge, Known};
use super::ways::Way;
use cgdsl::game::Convention;
use cgdsl::ir::Val;
use cgdsl::model::typed::GameFunction as F;

impl Plain {
    /// Whether a player who cannot move at a follower cannot move later either. It is enough to look one move ahead.
    fn is_dead_ending(&self) -> bool {
        self.0.iter().all(|sides| {
            (0..2).all(|player| {
                let others = &sides[1 - player];
                let stays = |q: &usize| self.0[*q][player].is_empty();
                !sides[player].is_empty() || others.iter().all(stays)
            })
        })
    }

    fn is_dicot(&self) -> bool {
        self.0.iter().all(|[l, r]| l.is_empty() == r.is_empty())
    }

    /// Whether Left wins in misère play, by who begins.
    pub(super) fn left_wins(&self) -> [bool; 2] {
        let fates = self.fates(Convention::Misere, None);
        fates.map(|f| matches!(f, Fate::Won(0, _)))
    }
}

impl Judge {
    /// Whether H is at least as good for Left as G. The games X are those of no moves, of one move of one player, G, H, and
    /// sums of these.
    pub(super) fn misere_order(
        &mut self,
        known: &Known,
        [i, j]: [usize; 2],
        [g, h]: [&Plain; 2],
        way: &Way,
        functions: &Functions<'_>,
    ) -> Judged {
        let parts = [i, j].map(|k| Val::Position(known.positions[k].clone()));
        let found = functions.call(F::MisereLe, &parts);
        let found = found.map(|v| v == Val::Bool(true));
        let expected = match found {
            _ if !g.is_dead_ending() || !h.is_dead_ending() => Expected::Nothing,
            Reply::Is(true) => {
                let one = |sides| Plain(vec![sides, [Vec::new(), Vec::new()]]);
                let mut beside = vec![Plain::heap(0), g.clone(), h.clone(), g.plus(h)];
                if !(g.is_dicot() && h.is_dicot()) {
                    let waits = [[vec![1], Vec::new()], [Vec::new(), vec![1]]].map(one);
                    beside.extend(waits.iter().map(|x| g.plus(x)));
                    beside.extend(waits.iter().map(|x| h.plus(x)));
                    beside.extend(waits);
                }
                beside.push(Plain::heap(1));
                let keeps = |x: &Plain| {
                    let wins = [g, h].map(|p| p.plus(x).left_wins());
                    (0..2).all(|first| wins[0][first] <= wins[1][first])
                };
                Expected::Is(beside.iter().all(keeps))
            }
            // A game is as good as itself; that two games are not ordered is seen beside games that may not be among these.
            _ => Expected::Is(i == j),
        };
        let p = &known.positions[i];
        self.compare("misère order", p, way, expected, found, |le| {
            format!(
                "{le} with {}",
                cgdsl::ir::draw::literal(&known.positions[j])
            )
        })
    }
}
