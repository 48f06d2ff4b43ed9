//! Scoring games as a table. Input: a position of rules that count points, where players alternate. Output: its game, that
//! is, the moves of both players from each follower, the score where a player is stuck, and what is derived from these.
//!
//! A scoring game has for each player either a list of options or, if he is stuck, a score (U. Larsson, R. J. Nowakowski,
//! J. P. Neto, C. P. dos Santos, *Guaranteed scoring games*, 2016, write the latter as ∅ with the score as its index). Games
//! that differ in a constant, added to every score, are stored once: a game is a node, whose least score is 0, and the
//! points to add. Equal nodes are one node, and options have smaller numbers than the node. So banked points, parts and
//! sums take no more room than the different games among them.

use hashbrown::{HashMap, HashTable};
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};

use super::super::stopped::{Stopped, StoppedIn};
use crate::game::{Budget, Limit, MOST_POINTS, Player, Scored};

/// A scoring game in a table: a node, and points that are added to every score of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ScoringGame {
    /// The number of the node.
    pub node: u32,
    /// The points added.
    pub points: i64,
}

impl ScoringGame {
    /// The game with `points` more in every score.
    #[must_use]
    pub fn plus(self, points: i64) -> ScoringGame {
        ScoringGame {
            node: self.node,
            points: self.points.saturating_add(points),
        }
    }
}

/// What a player can do when he is to move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// He is stuck, and this is the score.
    Stuck(i64),
    /// His options, sorted; at least one.
    Moves(Vec<ScoringGame>),
}

impl Side {
    fn options(&self) -> &[ScoringGame] {
        match self {
            Side::Stuck(_) => &[],
            Side::Moves(all) => all,
        }
    }
}

/// Why Milnor's theory does not apply to a game: a condition that fails at one of its followers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unmet {
    /// This player is stuck, and the other can move.
    OneStuck(Player),
    /// Nobody can move, and the score depends on who is stuck: that for Left, that for Right.
    EndDepends(i64, i64),
    /// The score is less if Left begins than if Right begins: the two scores.
    Zugzwang(i64, i64),
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    pub sides: [Side; 2],
    /// The number of moves of the longest line of play, whoever makes them.
    pub rank: u32,
    /// The greatest score; the least is 0.
    pub most: i64,
    /// The scores under best play if Left begins, and if Right begins.
    pub scores: [i64; 2],
    /// The score if Left begins and Right may pass, and the score if Right begins and Left may pass.
    pub pessimistic: [i64; 2],
    /// The other two: if Right begins and may pass, and if Left begins and may pass. Needed for the nodes above.
    passing: [i64; 2],
    /// Whether it is guaranteed, itself and all followers.
    pub guaranteed: bool,
    /// Whether Milnor's conditions hold for it and all followers.
    pub positional: bool,
}

/// The score beyond which points are not added any more.
const MOST: i64 = MOST_POINTS << 18;

/// A position of which all followers are listed.
#[derive(Clone, Debug)]
pub struct Listed<P> {
    /// Its game.
    pub game: ScoringGame,
    /// A follower, without its banked points, at which the game is not guaranteed: the player who is stuck there, his
    /// score, and another score at or below it that is better for the other player.
    pub unguaranteed: Option<(P, Player, [i64; 2])>,
    /// A follower, without its banked points, at which a condition of Milnor's theory fails.
    pub unmet: Option<(P, Unmet)>,
}

/// The answer to a request for a list.
#[derive(Clone, Debug)]
pub enum Listing<P> {
    /// All followers are listed.
    Done(Box<Listed<P>>),
    /// A move at this follower leaves the turn with its player.
    Again(P),
}

/// The table.
#[derive(Debug)]
pub struct ScoringGames {
    nodes: Vec<Node>,
    ids: HashTable<u32>,
    sums: HashMap<(u32, u32), ScoringGame, FxBuildHasher>,
    /// Bytes of the nodes and of everything that is kept beside them.
    held: usize,
    memory: usize,
}

/// A position on the current line of play, with its options and the points that the moves bank.
struct Frame<P> {
    position: P,
    /// The options of Left and of Right.
    options: [Vec<(P, i64)>; 2],
    /// The scores where a player has no option.
    ends: [i64; 2],
    /// The number of options that are known to be listed.
    done: usize,
}

type Numbers<P> = HashMap<P, Option<ScoringGame>, FxBuildHasher>;

fn hash(sides: &[Side; 2]) -> u64 {
    FxBuildHasher.hash_one(sides)
}

impl ScoringGames {
    /// A table without games that may take `memory` bytes.
    #[must_use]
    pub fn new(memory: usize) -> ScoringGames {
        ScoringGames {
            nodes: Vec::new(),
            ids: HashTable::new(),
            sums: HashMap::default(),
            held: 0,
            memory,
        }
    }

    pub(super) fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// Whether the limit of memory was met.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.held > self.memory
    }

    /// Charges bytes to the limit of the table.
    pub(super) fn hold(&mut self, bytes: usize) -> Result<(), Limit> {
        self.held = self.held.saturating_add(bytes);
        match self.held > self.memory {
            true => Err(Limit::Memory),
            false => Ok(()),
        }
    }

    /// The options of a player, with the points of the game added.
    pub fn options(
        &self,
        game: ScoringGame,
        player: Player,
    ) -> impl Iterator<Item = ScoringGame> + '_ {
        let side = &self.node(game.node).sides[player.index() & 1];
        side.options().iter().map(move |o| o.plus(game.points))
    }

    /// The score where a player is stuck; `None` if he can move.
    #[must_use]
    pub fn stuck(&self, game: ScoringGame, player: Player) -> Option<i64> {
        match self.node(game.node).sides[player.index() & 1] {
            Side::Stuck(score) => Some(score.saturating_add(game.points)),
            Side::Moves(_) => None,
        }
    }

    /// The score under best play if a player begins.
    #[must_use]
    pub fn score(&self, game: ScoringGame, first: Player) -> i64 {
        self.node(game.node).scores[first.index() & 1].saturating_add(game.points)
    }

    /// The least and the greatest score.
    #[must_use]
    pub fn range(&self, game: ScoringGame) -> [i64; 2] {
        [
            game.points,
            self.node(game.node).most.saturating_add(game.points),
        ]
    }

    /// The number of moves of the longest line of play, whoever makes them.
    #[must_use]
    pub fn rank(&self, game: ScoringGame) -> u32 {
        self.node(game.node).rank
    }

    /// Whether at each follower the score of a player who is stuck is no better for him than any score at or below it.
    #[must_use]
    pub fn is_guaranteed(&self, game: ScoringGame) -> bool {
        self.node(game.node).guaranteed
    }

    /// Whether Milnor's conditions hold at each follower: see [`Unmet`].
    #[must_use]
    pub fn is_positional(&self, game: ScoringGame) -> bool {
        self.node(game.node).positional
    }

    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no games.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The nodes of all followers of a game, itself included, in an order in which options come first.
    #[must_use]
    pub fn followers(&self, game: ScoringGame) -> Vec<u32> {
        let mut met = vec![false; game.node as usize + 1];
        met[game.node as usize] = true;
        for n in (0..=game.node).rev() {
            if met[n as usize] {
                for side in &self.node(n).sides {
                    for o in side.options() {
                        met[o.node as usize] = true;
                    }
                }
            }
        }
        (0..=game.node).filter(|n| met[*n as usize]).collect()
    }

    /// The game in which nobody can move and the score is `points`.
    ///
    /// # Errors
    /// A limit.
    pub fn number(&mut self, points: i64) -> Result<ScoringGame, Limit> {
        self.push([Side::Stuck(points), Side::Stuck(points)])
    }

    /// The game of `n` moves of one player that change nothing: n̂ of Left, -n̂ of Right.
    ///
    /// # Errors
    /// A limit.
    pub fn waiting(&mut self, n: u32, player: Player) -> Result<ScoringGame, Limit> {
        let mut game = self.number(0)?;
        for _ in 0..n {
            let mut sides = [Side::Stuck(0), Side::Stuck(0)];
            sides[player.index() & 1] = Side::Moves(vec![game]);
            game = self.push(sides)?;
        }
        Ok(game)
    }

    /// The game with these options of Left and of Right, or these scores.
    ///
    /// # Errors
    /// A limit.
    pub fn push(&mut self, mut sides: [Side; 2]) -> Result<ScoringGame, Limit> {
        let next = u32::try_from(self.nodes.len()).map_err(|_| Limit::Memory)?;
        let mut least = i64::MAX;
        for side in &sides {
            match side {
                Side::Stuck(s) => least = least.min(*s),
                Side::Moves(all) => {
                    least = all.iter().map(|o| o.points).fold(least, i64::min);
                }
            }
        }
        if least.saturating_abs() > MOST {
            return Err(Limit::Memory);
        }
        for side in &mut sides {
            match side {
                Side::Stuck(s) => *s = s.saturating_sub(least),
                Side::Moves(all) => {
                    for o in all.iter_mut() {
                        *o = o.plus(-least);
                    }
                    all.sort_unstable();
                    all.dedup();
                }
            }
        }
        let game = |node| ScoringGame {
            node,
            points: least,
        };
        let nodes = &self.nodes;
        let key = hash(&sides);
        if let Some(known) = self.ids.find(key, |id| nodes[*id as usize].sides == sides) {
            return Ok(game(*known));
        }
        let node = self.derive(sides);
        if node.most > MOST {
            return Err(Limit::Memory);
        }
        let options = node.sides.iter().map(|s| s.options().len()).sum::<usize>();
        self.hold(size_of::<Node>() + options * size_of::<ScoringGame>() + 32)?;
        self.nodes.push(node);
        let nodes = &self.nodes;
        self.ids
            .insert_unique(key, next, |id| hash(&nodes[*id as usize].sides));
        Ok(game(next))
    }

    /// What follows from the options, whose nodes are in the table.
    fn derive(&self, sides: [Side; 2]) -> Node {
        let [left, right] = &sides;
        let all = || left.options().iter().chain(right.options());
        let of =
            |o: &ScoringGame, f: fn(&Node) -> i64| o.points.saturating_add(f(self.node(o.node)));
        let best = |f: fn(&Node) -> i64| left.options().iter().map(|o| of(o, f)).max();
        let worst = |f: fn(&Node) -> i64| right.options().iter().map(|o| of(o, f)).min();
        let end = |side: &Side| match side {
            Side::Stuck(s) => *s,
            Side::Moves(_) => 0,
        };
        let ends = sides.iter().filter_map(|s| match s {
            Side::Stuck(s) => Some(*s),
            Side::Moves(_) => None,
        });
        let most = all().map(|o| of(o, |n| n.most)).chain(ends).max();
        let most = most.unwrap_or(0);
        let scores = [
            best(|n| n.scores[1]).unwrap_or(end(left)),
            worst(|n| n.scores[0]).unwrap_or(end(right)),
        ];
        // Right passes, or moves; then Left must move. The other pair is its mirror image.
        let low = best(|n| n.passing[0]).unwrap_or(end(left));
        let high = worst(|n| n.passing[1]).unwrap_or(end(right));
        let low_passing = worst(|n| n.pessimistic[0]).map_or(low, |r| r.min(low));
        let high_passing = best(|n| n.pessimistic[1]).map_or(high, |l| l.max(high));
        let mut node = Node {
            rank: all()
                .map(|o| self.node(o.node).rank.saturating_add(1))
                .max()
                .unwrap_or(0),
            most,
            scores,
            pessimistic: [low, high],
            passing: [low_passing, high_passing],
            guaranteed: false,
            positional: false,
            sides,
        };
        let guaranteed = unguaranteed(&node).is_none();
        let positional = unmet(&node).is_none();
        let below = |f: fn(&Node) -> bool| {
            let mut all = node.sides.iter().flat_map(Side::options);
            all.all(|o| f(self.node(o.node)))
        };
        let (g, p) = (below(|n| n.guaranteed), below(|n| n.positional));
        node.guaranteed = guaranteed && g;
        node.positional = positional && p;
        node
    }

    /// The game of a position, with all its followers.
    ///
    /// # Errors
    /// A limit, a rule that fails, a line of play that repeats a position.
    pub fn list<R: Scored>(
        &mut self,
        rules: &R,
        start: &R::Position,
        budget: &Budget,
    ) -> Result<Listing<R::Position>, StoppedIn<R>> {
        let mut numbers: Numbers<R::Position> = HashMap::default();
        let (start, banked) = rules.bank(start.clone()).map_err(fault(start))?;
        let mut unguaranteed_at = None;
        let mut unmet_at = None;
        let mut line = match open(rules, start.clone(), &mut numbers, budget)? {
            Ok(frame) => vec![frame],
            Err(again) => return Ok(Listing::Again(again)),
        };
        while let Some(frame) = line.last_mut() {
            let [left, right] = &frame.options;
            let next = left.iter().chain(right).nth(frame.done);
            if let Some((next, _)) = next {
                match numbers.get(next) {
                    Some(Some(_)) => frame.done += 1,
                    Some(None) => {
                        let next = next.clone();
                        let from = line.iter().position(|f| f.position == next).unwrap_or(0);
                        let mut cycle: Vec<_> =
                            line[from..].iter().map(|f| f.position.clone()).collect();
                        cycle.push(next);
                        return Err(Stopped::Cycle { line: cycle });
                    }
                    None => {
                        let next = next.clone();
                        match open(rules, next, &mut numbers, budget)? {
                            Ok(frame) => line.push(frame),
                            Err(again) => return Ok(Listing::Again(again)),
                        }
                    }
                }
                continue;
            }
            let Some(frame) = line.pop() else { break };
            let [l, r] = frame.ends;
            let side = |options: &[(R::Position, i64)], end| {
                let games = options.iter().filter_map(|(p, gain)| {
                    let known = numbers.get(p).copied().flatten();
                    known.map(|game| game.plus(*gain))
                });
                let games: Vec<ScoringGame> = games.collect();
                match games.is_empty() {
                    true => Side::Stuck(end),
                    false => Side::Moves(games),
                }
            };
            let game = self.push([side(&frame.options[0], l), side(&frame.options[1], r)])?;
            let bytes = rules.position_bytes(&frame.position);
            self.hold(bytes + 2 * size_of::<(R::Position, Option<ScoringGame>)>())?;
            let node = self.node(game.node);
            if unguaranteed_at.is_none()
                && let Some((player, scores)) = unguaranteed(node)
            {
                let scores = scores.map(|s| s.saturating_add(game.points));
                unguaranteed_at = Some((frame.position.clone(), player, scores));
            }
            if unmet_at.is_none()
                && let Some(unmet) = unmet(node)
            {
                let plus = |s: i64| s.saturating_add(game.points);
                let unmet = match unmet {
                    Unmet::EndDepends(l, r) => Unmet::EndDepends(plus(l), plus(r)),
                    Unmet::Zugzwang(l, r) => Unmet::Zugzwang(plus(l), plus(r)),
                    one @ Unmet::OneStuck(_) => one,
                };
                unmet_at = Some((frame.position.clone(), unmet));
            }
            numbers.insert(frame.position, Some(game));
        }
        let found = numbers.get(&start).copied().flatten();
        let game = found.ok_or(Stopped::Limit(Limit::Nodes))?.plus(banked);
        Ok(Listing::Done(Box::new(Listed {
            game,
            unguaranteed: unguaranteed_at,
            unmet: unmet_at,
        })))
    }

    /// The negative, in which Left and Right are exchanged and all scores change their sign.
    ///
    /// # Errors
    /// A limit.
    pub fn negative(&mut self, game: ScoringGame, budget: &Budget) -> Result<ScoringGame, Limit> {
        let mut negatives: HashMap<u32, ScoringGame, FxBuildHasher> = HashMap::default();
        for n in self.followers(game) {
            budget.charge()?;
            let [left, right] = &self.node(n).sides;
            let side = |side: &Side| match side {
                Side::Stuck(s) => Side::Stuck(s.saturating_neg()),
                Side::Moves(all) => Side::Moves(
                    all.iter()
                        .filter_map(|o| Some(negatives.get(&o.node)?.plus(-o.points)))
                        .collect(),
                ),
            };
            let negative = [side(right), side(left)];
            negatives.insert(n, self.push(negative)?);
        }
        let found = negatives.get(&game.node).ok_or(Limit::Nodes)?;
        Ok(found.plus(-game.points))
    }

    /// The sum. A player who is stuck in both summands is stuck, and the scores are added.
    ///
    /// # Errors
    /// A limit.
    pub fn sum(
        &mut self,
        a: ScoringGame,
        b: ScoringGame,
        budget: &Budget,
    ) -> Result<ScoringGame, Limit> {
        let zero = self.number(0)?.node;
        let key = |a: u32, b: u32| (a.min(b), a.max(b));
        let mut line = vec![key(a.node, b.node)];
        let known = |sums: &HashMap<(u32, u32), ScoringGame, FxBuildHasher>, a: u32, b: u32| {
            let bare = |node| Some(ScoringGame { node, points: 0 });
            match (a == zero, b == zero) {
                (true, _) => bare(b),
                (_, true) => bare(a),
                _ => sums.get(&key(a, b)).copied(),
            }
        };
        while let Some(&(x, y)) = line.last() {
            if known(&self.sums, x, y).is_some() {
                line.pop();
                continue;
            }
            budget.charge()?;
            let before = line.len();
            let mut sides = [Side::Stuck(0), Side::Stuck(0)];
            for (i, side) in sides.iter_mut().enumerate() {
                let (of_x, of_y) = (&self.node(x).sides[i], &self.node(y).sides[i]);
                if let (Side::Stuck(s), Side::Stuck(t)) = (of_x, of_y) {
                    *side = Side::Stuck(s.saturating_add(*t));
                    continue;
                }
                let pairs = of_x.options().iter().map(|o| (o, y));
                let pairs = pairs.chain(of_y.options().iter().map(|o| (o, x)));
                let mut all = Vec::new();
                for (o, other) in pairs {
                    match known(&self.sums, o.node, other) {
                        Some(sum) => all.push(sum.plus(o.points)),
                        None => line.push(key(o.node, other)),
                    }
                }
                *side = Side::Moves(all);
            }
            if line.len() == before {
                let sum = self.push(sides)?;
                self.hold(2 * size_of::<((u32, u32), ScoringGame)>())?;
                self.sums.insert((x, y), sum);
                line.pop();
            }
        }
        let found = known(&self.sums, a.node, b.node).ok_or(Limit::Nodes)?;
        let sum = found.plus(a.points).plus(b.points);
        match sum.points.saturating_abs() > MOST {
            true => Err(Limit::Memory),
            false => Ok(sum),
        }
    }
}

/// Where a game is not guaranteed at its first position: the stuck player, his score, and a score that is better for the
/// other player.
fn unguaranteed(node: &Node) -> Option<(Player, [i64; 2])> {
    let [left, right] = &node.sides;
    match (left, right) {
        (Side::Stuck(s), _) if *s > 0 => Some((Player::LEFT, [*s, 0])),
        (_, Side::Stuck(s)) if *s < node.most => Some((Player::RIGHT, [*s, node.most])),
        _ => None,
    }
}

/// The condition of Milnor's theory that fails at the first position of a game.
fn unmet(node: &Node) -> Option<Unmet> {
    let [l, r] = node.scores;
    match &node.sides {
        [Side::Stuck(_), Side::Moves(_)] => Some(Unmet::OneStuck(Player::LEFT)),
        [Side::Moves(_), Side::Stuck(_)] => Some(Unmet::OneStuck(Player::RIGHT)),
        [Side::Stuck(l), Side::Stuck(r)] if l != r => Some(Unmet::EndDepends(*l, *r)),
        _ if l < r => Some(Unmet::Zugzwang(l, r)),
        _ => None,
    }
}

fn fault<P: Clone, F>(position: &P) -> impl Fn(F) -> Stopped<P, F> {
    move |fault| Stopped::Fault {
        position: position.clone(),
        fault,
    }
}

/// A position with its options, which is on the line of play from now on; or the position, if a move keeps the turn.
fn open<R: Scored>(
    rules: &R,
    position: R::Position,
    numbers: &mut Numbers<R::Position>,
    budget: &Budget,
) -> Result<Result<Frame<R::Position>, R::Position>, StoppedIn<R>> {
    budget.charge()?;
    let mut options = [Vec::new(), Vec::new()];
    let mut ends = [0; 2];
    for (i, player) in [Player::LEFT, Player::RIGHT].into_iter().enumerate() {
        let mut steps = Vec::new();
        rules
            .steps(&position, player, &mut steps)
            .map_err(fault(&position))?;
        for step in steps {
            if step.again {
                return Ok(Err(position));
            }
            options[i].push(rules.bank(step.to).map_err(fault(&position))?);
        }
        if options[i].is_empty() {
            ends[i] = rules.score(&position, player).map_err(fault(&position))?;
        }
    }
    numbers.insert(position.clone(), None);
    Ok(Ok(Frame {
        position,
        options,
        ends,
        done: 0,
    }))
}
