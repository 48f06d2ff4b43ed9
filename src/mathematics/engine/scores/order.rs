//! The order of guaranteed scoring games. Input: two games of a table. Output: whether one is at least as good for Left as
//! the other beside every guaranteed game, when players alternate.
//!
//! A game is *guaranteed* if at each follower where Left is stuck her score is at most every score at or below it, and
//! dually for Right: who is stuck does not gain by it (U. Larsson, R. J. Nowakowski, J. P. Neto, C. P. dos Santos,
//! *Guaranteed scoring games*, Electronic Journal of Combinatorics 23, 2016). Sums of guaranteed games are guaranteed. For
//! guaranteed games G ≥ H means that Ls(G + X) ≥ Ls(H + X) and Rs(G + X) ≥ Rs(H + X) for all guaranteed X.
//!
//! Let L(G) be the score if Left begins and Right may pass whenever it is his turn, and R(G) the score if Right begins and
//! Left may pass. They are the pessimistic scores of that paper: the least Ls(G - n̂) and the greatest Rs(G + n̂), where n̂ is
//! n waiting moves of Left; n > rank(G) is enough, since between two passes the other player moves in G.
//!
//! **Theorem** (U. Larsson, R. J. Nowakowski, C. P. dos Santos, *Absolute combinatorial game theory*, for this class). For
//! guaranteed G and H, G ≥ H if and only if
//!
//! 1. L(G) ≥ L(H) and R(G) ≥ R(H);
//! 2. for each G^R there is an H^R ≤ G^R or a G^RL ≥ H;
//! 3. for each H^L there is a G^L ≥ H^L or an H^LR ≤ G.
//!
//! *Proof that they suffice*, by induction on the moves in G, H and X. Let Left begin. If her best move in H + X is in X, she
//! makes it in G + X. If it is to H^L + X, then by 3 either G^L + X is as good by induction, or
//! Rs(H^L + X) ≤ Ls(H^LR + X) ≤ Ls(G + X). If she is stuck, H and X end with h and x, where h = L(H) ≤ L(G), and x is at most
//! every score of X. Left plays G as if Right's moves elsewhere were passes. Where that ends with a score g ≥ L(G), she is
//! stuck in G, so g is at most every score that G can still come to. So she gets at least L(G) + x ≥ h + x. For Right use 2.
//! *They are necessary*: see `contexts`, which builds an X for each condition that fails. ∎
//!
//! Let G + d be G with d points more, and G ≥ H - ∞ mean that G + d ≥ H for no d. If G + d ≥ H, then G + d + 1 ≥ H. So the
//! conditions give for each two nodes the least d with G + d ≥ H, and one table serves all games that differ in points.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::listed::{ScoringGame, ScoringGames, Side};
use crate::game::{Budget, Limit};

/// No points are enough.
pub const NEVER: i64 = i64::MAX / 4;

/// How many points one game needs to be as good as another.
#[derive(Debug, Default)]
pub struct Order {
    known: HashMap<(u32, u32), i64, FxBuildHasher>,
}

impl Order {
    /// Whether G ≥ H. Both must be guaranteed.
    ///
    /// # Errors
    /// A limit.
    pub fn ge(
        &mut self,
        games: &mut ScoringGames,
        g: ScoringGame,
        h: ScoringGame,
        budget: &Budget,
    ) -> Result<bool, Limit> {
        let margin = self.margin(games, g.node, h.node, budget)?;
        Ok(margin <= g.points.saturating_sub(h.points))
    }

    /// The least d with G + d ≥ H, for the nodes of two guaranteed games; [`NEVER`] if there is none.
    ///
    /// # Errors
    /// A limit.
    pub fn margin(
        &mut self,
        games: &mut ScoringGames,
        g: u32,
        h: u32,
        budget: &Budget,
    ) -> Result<i64, Limit> {
        let mut line = vec![(g, h)];
        while let Some(&(g, h)) = line.last() {
            if self.known.contains_key(&(g, h)) {
                line.pop();
                continue;
            }
            budget.charge()?;
            let before = line.len();
            let margin = self.by_options(games, g, h, &mut line);
            if line.len() == before {
                games.hold(3 * size_of::<(u32, u32, i64)>())?;
                self.known.insert((g, h), margin);
                line.pop();
            }
        }
        self.known.get(&(g, h)).copied().ok_or(Limit::Nodes)
    }

    /// The margin, by the theorem; pairs that are needed and not known yet are added to `missing`, and then the answer means
    /// nothing.
    fn by_options(
        &self,
        games: &ScoringGames,
        g: u32,
        h: u32,
        missing: &mut Vec<(u32, u32)>,
    ) -> i64 {
        if g == h {
            return 0;
        }
        let (of_g, of_h) = (games.node(g), games.node(h));
        let mut known = |pair: (u32, u32), points: i64| match self.known.get(&pair).copied() {
            Some(NEVER) => NEVER,
            Some(margin) => margin.saturating_add(points),
            None => {
                missing.push(pair);
                NEVER
            }
        };
        let proviso = |i: usize| of_h.pessimistic[i].saturating_sub(of_g.pessimistic[i]);
        let mut margin = proviso(0).max(proviso(1));
        let moves = |side: &Side| match side {
            Side::Stuck(_) => Vec::new(),
            Side::Moves(all) => all.clone(),
        };
        let [gl, gr] = [0, 1].map(|i| moves(&of_g.sides[i]));
        let [hl, hr] = [0, 1].map(|i| moves(&of_h.sides[i]));
        for a in &gr {
            let mut least = NEVER;
            for b in &hr {
                least = least.min(known((a.node, b.node), b.points - a.points));
            }
            if let Side::Moves(back) = &games.node(a.node).sides[0] {
                for c in back {
                    least = least.min(known((c.node, h), -a.points - c.points));
                }
            }
            margin = margin.max(least);
        }
        for b in &hl {
            let mut least = NEVER;
            for a in &gl {
                least = least.min(known((a.node, b.node), b.points - a.points));
            }
            if let Side::Moves(back) = &games.node(b.node).sides[1] {
                for c in back {
                    least = least.min(known((g, c.node), b.points + c.points));
                }
            }
            margin = margin.max(least);
        }
        margin
    }
}
