//! Games that separate two guaranteed scoring games. Input: guaranteed G and H of a table such that G ≥ H is false. Output: a
//! guaranteed game X, and a player who begins, so that G + X comes to less than H + X.
//!
//! The construction proves that the conditions of the theorem in `order` are necessary.
//!
//! 1. If L(G) < L(H), take the waiting moves X = -n̂ with n > rank(G), rank(H): if Left begins, Right passes as often as he
//!    likes. If R(G) < R(H), take X = n̂, and Right begins.
//! 2. Call G *linked* to H by T if Ls(G + T) < Rs(H + T). **Lemma.** If no G^L ≥ H and no H^R ≤ G, then there is such a T.
//!    *Proof.* By induction for each G^L there is an X with Ls(G^L + X) < Ls(H + X), and for each H^R a Y with
//!    Rs(G + Y) < Rs(H^R + Y). Add points to make the lesser number 0. Let T be the game where Right can move to each X and
//!    Left to each Y; if there is no X, add a number x with Ls(H) + x = 1, and if there is no Y, a number y with
//!    Rs(G) + y = 0. If Left begins in G + T, she gets at most 0: Right answers G^L + T by G^L + X, and Rs(G + Y) = 0. If Right
//!    begins in H + T, Left gets at least 1 in the same way. T is guaranteed, since nobody is stuck in it. ∎
//! 3. If a G^R has no H^R ≤ G^R and no G^RL ≥ H, then it is linked to H by a T, and Rs(G + T) ≤ Ls(G^R + T) < Rs(H + T). If an
//!    H^L has no G^L ≥ H^L and no H^LR ≤ G, then G is linked to it by a T, and Ls(G + T) < Rs(H^L + T) ≤ Ls(H + T).
//! 4. Who begins can be chosen. If X separates G from H when Left begins, {n | X} does when Right begins, for n so large that
//!    Right has to move to X at once; and {X | -n} the other way round.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::listed::{ScoringGame, ScoringGames, Side};
use super::order::Order;
use crate::game::{Budget, Limit, Player};

/// A game that separates two others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Separated {
    /// The game beside which they are played.
    pub context: ScoringGame,
    /// Who begins.
    pub first: Player,
    /// The score of the first and of the second beside it; the first is less.
    pub scores: [i64; 2],
}

/// Two nodes and the points that the first has more.
type Pair = (u32, u32, i64);

/// Why G + k ≥ H is false.
enum Reason {
    /// A pessimistic score is less: that where this player begins.
    Waiting(Player),
    /// The first game is linked to the second, and their link separates G from H when this player begins.
    Linked(ScoringGame, ScoringGame, Player),
}

/// Contexts that were built, and scores of sums.
#[derive(Debug, Default)]
pub struct Contexts {
    built: HashMap<Pair, (ScoringGame, Player), FxBuildHasher>,
    /// The scores of the sum of two nodes, by who begins.
    played: HashMap<(u32, u32), [i64; 2], FxBuildHasher>,
}

impl Contexts {
    /// The score of a sum under best play if a player begins, by minimax.
    ///
    /// # Errors
    /// A limit.
    pub fn score(
        &mut self,
        games: &mut ScoringGames,
        g: ScoringGame,
        x: ScoringGame,
        first: Player,
        budget: &Budget,
    ) -> Result<i64, Limit> {
        let mut line = vec![(g.node, x.node)];
        while let Some(&(a, b)) = line.last() {
            if self.played.contains_key(&(a, b)) {
                line.pop();
                continue;
            }
            budget.charge()?;
            let before = line.len();
            let mut scores = [0; 2];
            for (i, score) in scores.iter_mut().enumerate() {
                let (of_a, of_b) = (&games.node(a).sides[i], &games.node(b).sides[i]);
                let mut found: Option<i64> = None;
                let mut take = |pair: (u32, u32), points: i64| match self.played.get(&pair) {
                    Some(scores) => {
                        let s = scores[1 - i].saturating_add(points);
                        found = Some(match (found, i) {
                            (None, _) => s,
                            (Some(t), 0) => s.max(t),
                            (Some(t), _) => s.min(t),
                        });
                    }
                    None => line.push(pair),
                };
                match (of_a, of_b) {
                    (Side::Stuck(s), Side::Stuck(t)) => {
                        *score = s.saturating_add(*t);
                        continue;
                    }
                    (of_a, of_b) => {
                        if let Side::Moves(all) = of_a {
                            all.iter().for_each(|o| take((o.node, b), o.points));
                        }
                        if let Side::Moves(all) = of_b {
                            all.iter().for_each(|o| take((a, o.node), o.points));
                        }
                    }
                }
                *score = found.unwrap_or(0);
            }
            if line.len() == before {
                games.hold(2 * size_of::<(u32, u32, [i64; 2])>())?;
                self.played.insert((a, b), scores);
                line.pop();
            }
        }
        let found = self.played.get(&(g.node, x.node)).ok_or(Limit::Nodes)?;
        Ok(found[first.index() & 1]
            .saturating_add(g.points)
            .saturating_add(x.points))
    }

    /// A context in which G comes to less than H; `None` if G ≥ H. Both must be guaranteed. Small contexts are tried first.
    ///
    /// # Errors
    /// A limit.
    pub fn separate(
        &mut self,
        games: &mut ScoringGames,
        order: &mut Order,
        g: ScoringGame,
        h: ScoringGame,
        budget: &Budget,
    ) -> Result<Option<Separated>, Limit> {
        if order.ge(games, g, h, budget)? {
            return Ok(None);
        }
        let [bottom, top] = [games.range(g), games.range(h)];
        let wide = top[1].max(bottom[1]).saturating_sub(top[0].min(bottom[0]));
        let wide = wide.saturating_add(1);
        let mut small = vec![games.number(0)?];
        small.push(games.waiting(1, Player::RIGHT)?);
        small.push(games.waiting(1, Player::LEFT)?);
        for n in [1, wide] {
            let (plus, minus) = (games.number(n)?, games.number(-n)?);
            for (l, r) in [(plus, minus), (minus, plus)] {
                small.push(games.push([Side::Moves(vec![l]), Side::Moves(vec![r])])?);
            }
        }
        for x in small {
            for first in [Player::LEFT, Player::RIGHT] {
                if let Some(found) = self.tried(games, [g, h], x, first, budget)? {
                    return Ok(Some(found));
                }
            }
        }
        let (x, first) = self.build(games, order, g, h, budget)?;
        self.tried(games, [g, h], x, first, budget)
    }

    fn tried(
        &mut self,
        games: &mut ScoringGames,
        [g, h]: [ScoringGame; 2],
        context: ScoringGame,
        first: Player,
        budget: &Budget,
    ) -> Result<Option<Separated>, Limit> {
        let of_g = self.score(games, g, context, first, budget)?;
        let of_h = self.score(games, h, context, first, budget)?;
        Ok((of_g < of_h).then_some(Separated {
            context,
            first,
            scores: [of_g, of_h],
        }))
    }

    /// The context of the construction above, and who begins in it. G ≥ H must be false.
    ///
    /// # Errors
    /// A limit.
    pub fn build(
        &mut self,
        games: &mut ScoringGames,
        order: &mut Order,
        g: ScoringGame,
        h: ScoringGame,
        budget: &Budget,
    ) -> Result<(ScoringGame, Player), Limit> {
        let pair = |g: ScoringGame, h: ScoringGame| -> Pair {
            (g.node, h.node, g.points.saturating_sub(h.points))
        };
        let start = pair(g, h);
        let mut line = vec![start];
        while let Some(&at) = line.last() {
            if self.built.contains_key(&at) {
                line.pop();
                continue;
            }
            budget.charge()?;
            let (g, h) = (game(at.0, at.2), game(at.1, 0));
            let built = match reason(games, order, g, h, budget)? {
                Reason::Waiting(first) => self.wait(games, g, h, first, budget)?,
                Reason::Linked(a, b, first) => {
                    let before = line.len();
                    let lefts: Vec<_> = games.options(a, Player::LEFT).collect();
                    let rights: Vec<_> = games.options(b, Player::RIGHT).collect();
                    let all = lefts.iter().map(|l| pair(*l, b));
                    let all = all.chain(rights.iter().map(|r| pair(a, *r)));
                    line.extend(all.filter(|p| !self.built.contains_key(p)));
                    if line.len() > before {
                        continue;
                    }
                    let link = self.link(games, [a, b], (&lefts, &rights), budget)?;
                    (link, first)
                }
            };
            games.hold(2 * size_of::<(Pair, (ScoringGame, Player))>())?;
            self.built.insert(at, built);
            line.pop();
        }
        self.built.get(&start).copied().ok_or(Limit::Nodes)
    }

    /// The fewest waiting moves of the player who does not begin that separate G from H.
    fn wait(
        &mut self,
        games: &mut ScoringGames,
        g: ScoringGame,
        h: ScoringGame,
        first: Player,
        budget: &Budget,
    ) -> Result<(ScoringGame, Player), Limit> {
        let most = games.rank(g).max(games.rank(h)).saturating_add(1);
        let mut n = 0;
        loop {
            let x = games.waiting(n, first.opponent())?;
            if n >= most || self.tried(games, [g, h], x, first, budget)?.is_some() {
                return Ok((x, first));
            }
            n += 1;
        }
    }

    /// The game T by which a is linked to b, from the contexts of a's left options with b and of a with b's right options.
    fn link(
        &mut self,
        games: &mut ScoringGames,
        [a, b]: [ScoringGame; 2],
        (lefts, rights): (&[ScoringGame], &[ScoringGame]),
        budget: &Budget,
    ) -> Result<ScoringGame, Limit> {
        let (mut to_x, mut to_y): (Vec<ScoringGame>, Vec<ScoringGame>) = Default::default();
        for l in lefts {
            let mut serves = false;
            for x in &to_x {
                serves |= self.score(games, *l, *x, Player::LEFT, budget)? <= 0;
            }
            if !serves {
                let x = self.beginning(games, *l, b, Player::LEFT, budget)?;
                let less = self.score(games, *l, x, Player::LEFT, budget)?;
                to_x.push(x.plus(-less));
            }
        }
        for r in rights {
            let mut serves = false;
            for y in &to_y {
                serves |= self.score(games, *r, *y, Player::RIGHT, budget)? >= 1;
            }
            if !serves {
                let y = self.beginning(games, a, *r, Player::RIGHT, budget)?;
                let less = self.score(games, a, y, Player::RIGHT, budget)?;
                to_y.push(y.plus(-less));
            }
        }
        if to_x.is_empty() {
            let x = 1i64.saturating_sub(games.score(b, Player::LEFT));
            to_x.push(games.number(x)?);
        }
        if to_y.is_empty() {
            let y = games.score(a, Player::RIGHT).saturating_neg();
            to_y.push(games.number(y)?);
        }
        games.push([Side::Moves(to_y), Side::Moves(to_x)])
    }

    /// A context of G and H, already built, changed so that this player begins.
    fn beginning(
        &mut self,
        games: &mut ScoringGames,
        g: ScoringGame,
        h: ScoringGame,
        wanted: Player,
        budget: &Budget,
    ) -> Result<ScoringGame, Limit> {
        let pair = (g.node, h.node, g.points.saturating_sub(h.points));
        let (x, first) = *self.built.get(&pair).ok_or(Limit::Nodes)?;
        if first == wanted {
            return Ok(x);
        }
        let sides = match wanted {
            // Left answers each move to H^R by taking n, after which H is worth no less than its least score.
            Player::RIGHT => {
                let score = self.score(games, h, x, Player::LEFT, budget)?;
                let n = games.number(score.saturating_sub(games.range(h)[0]))?;
                [Side::Moves(vec![n]), Side::Moves(vec![x])]
            }
            _ => {
                let score = self.score(games, g, x, Player::RIGHT, budget)?;
                let n = games.number(score.saturating_sub(games.range(g)[1]))?;
                [Side::Moves(vec![x]), Side::Moves(vec![n])]
            }
        };
        games.push(sides)
    }
}

impl ScoringGames {
    /// A game as a text of at most `longest` bytes: a number of points, or options in braces, with `stuck` before the score
    /// of a player who has none. `None` if it is longer.
    #[must_use]
    pub fn text(&self, game: ScoringGame, longest: usize) -> Option<String> {
        enum Piece {
            Text(&'static str),
            Stuck(i64),
            Game(ScoringGame),
        }
        let mut text = String::new();
        let mut open = vec![Piece::Game(game)];
        while let Some(piece) = open.pop() {
            if text.len() > longest || open.len() > longest {
                return None;
            }
            let game = match piece {
                Piece::Text(t) => {
                    text.push_str(t);
                    continue;
                }
                Piece::Stuck(score) => {
                    text.push_str(&format!("stuck {score}"));
                    continue;
                }
                Piece::Game(game) => game,
            };
            let ends = [Player::LEFT, Player::RIGHT].map(|p| self.stuck(game, p));
            if let [Some(l), Some(r)] = ends
                && l == r
            {
                text.push_str(&l.to_string());
                continue;
            }
            // The last piece first.
            open.push(Piece::Text("}"));
            for (player, before) in [(Player::RIGHT, "|"), (Player::LEFT, "{")] {
                if let Some(score) = self.stuck(game, player) {
                    open.push(Piece::Stuck(score));
                }
                let options: Vec<_> = self.options(game, player).collect();
                for (i, o) in options.into_iter().enumerate().rev() {
                    open.push(Piece::Game(o));
                    if i > 0 {
                        open.push(Piece::Text(", "));
                    }
                }
                open.push(Piece::Text(before));
            }
        }
        (text.len() <= longest).then_some(text)
    }
}

fn game(node: u32, points: i64) -> ScoringGame {
    ScoringGame { node, points }
}

/// A condition of the theorem that fails for G and H, of which G ≥ H is false.
fn reason(
    games: &mut ScoringGames,
    order: &mut Order,
    g: ScoringGame,
    h: ScoringGame,
    budget: &Budget,
) -> Result<Reason, Limit> {
    for (i, first) in [Player::LEFT, Player::RIGHT].into_iter().enumerate() {
        let of = |x: ScoringGame| games.node(x.node).pessimistic[i].saturating_add(x.points);
        if of(g) < of(h) {
            return Ok(Reason::Waiting(first));
        }
    }
    let all = |games: &ScoringGames, x: ScoringGame, player: Player| -> Vec<ScoringGame> {
        games.options(x, player).collect()
    };
    let answers = all(games, h, Player::RIGHT);
    for a in all(games, g, Player::RIGHT) {
        let mut held = false;
        for b in &answers {
            held = held || order.ge(games, a, *b, budget)?;
        }
        for c in all(games, a, Player::LEFT) {
            held = held || order.ge(games, c, h, budget)?;
        }
        if !held {
            return Ok(Reason::Linked(a, h, Player::RIGHT));
        }
    }
    let answers = all(games, g, Player::LEFT);
    for b in all(games, h, Player::LEFT) {
        let mut held = false;
        for a in &answers {
            held = held || order.ge(games, *a, b, budget)?;
        }
        for c in all(games, b, Player::RIGHT) {
            held = held || order.ge(games, g, c, budget)?;
        }
        if !held {
            return Ok(Reason::Linked(g, b, Player::LEFT));
        }
    }
    // The order says that all conditions hold: there is nothing to separate.
    Err(Limit::Nodes)
}
