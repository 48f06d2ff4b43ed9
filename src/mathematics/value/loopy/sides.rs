//! The sides of the vertices of a strongly connected class in one mode. Moves may leave the class, to known sides. The
//! result is the stopper that equals the vertex, where there is one.
//!
//! **The options of a side.** Let v be a vertex, ≤ the order of onsides, and S a stopper in canonical form with S⁺ = v⁺. A
//! *line* of Left starts with a Left option y of v. When it has reached y, Right may *reverse* to a Right option z of y
//! with z ≤ v, and Left continues with a Left option of z. Left *holds* a vertex x if in such a line she can keep to
//! vertices y ≥ x for as long as Right reverses.
//!
//! *Theorem.* The Left options of S are, up to equality, the maximal vertices that Left holds at v. *Proof.* (a) Let x be a
//! Left option of S. Consider Left's move to x in S − v, where S ≤ v. No Right option of x is at most S, so Right's answer
//! is in v, to some y ≥ x. If Right reverses y ≥ x to z ≤ v, then z ≤ S, and in y − x ≥ 0 Left has an answer to z. The
//! answer is not a move of Right in x, since its result would be ≤ z ≤ S; so it is a Left option of z that is ≥ x. Hence
//! Left holds x. Now let Right reverse by a strategy that survives v − S. Infinite play in v alone is lost for Right, so the
//! line ends, and Right answers some y by a Left option x' of S with x ≤ y ≤ x'. No option of S is dominated, so x = y =
//! x': x is a vertex. (b) If Left holds x, then in the same way the line ends at some y ≥ x with y ≤ x' for a Left option
//! x' of S. ∎
//!
//! For Right's options in the onside the same holds with ≤ reversed, except that infinite play in v is lost for Right
//! there, so he holds x only if the line ends: a least fixed point in place of a greatest one. In (a) the line ends if he
//! answers by a strategy for y ≤ x, since infinite play in y alone is lost for that strategy. For the offside, exchange the
//! players.
//!
//! So a side is not searched for but built from the order. It exists exactly if the result is a stopper and equals the
//! vertex in the pair game. That equality is the certificate, and it is always checked. For stoppers both sides are the
//! same.

use super::graph::{Graph, To};
use super::pairs::Pairs;
use super::{Forms, Halt, Kind, Loops, Mode, Side};
use rustc_hash::FxHashMap;

/// The lines of one player from a vertex: the vertices `ends` reached by his moves, the first moves among them, and for
/// each end and each reversing move from it the replies.
#[derive(Default)]
struct Lines {
    ends: Vec<To>,
    replies: Vec<Vec<Vec<usize>>>,
    first: Vec<usize>,
}

impl Pairs<'_> {
    // a ≤ b for Left (0), b ≤ a for Right (1).
    fn worse(&mut self, player: usize, a: To, b: To) -> Result<bool, Halt> {
        match player {
            0 => self.le(a, b),
            _ => self.le(b, a),
        }
    }

    fn lines(&mut self, v: To, player: usize) -> Result<Lines, Halt> {
        let mut lines = Lines::default();
        let mut index: FxHashMap<To, usize> = FxHashMap::default();
        let mut add = |lines: &mut Lines, y: To| {
            *index.entry(y).or_insert_with(|| {
                lines.ends.push(y);
                lines.ends.len() - 1
            })
        };
        for y in self.moves(v, player)? {
            let i = add(&mut lines, y);
            lines.first.push(i);
        }
        while let Some(&y) = lines.ends.get(lines.replies.len()) {
            let mut all = Vec::new();
            for z in self.moves(y, 1 - player)? {
                if self.worse(player, z, v)? {
                    let on = self.moves(z, player)?;
                    all.push(on.into_iter().map(|y| add(&mut lines, y)).collect());
                }
            }
            lines.replies.push(all);
        }
        Ok(lines)
    }

    /// The options of a player at v in canonical form, as vertices and nodes. With `forever`, a line that never ends holds,
    /// too.
    fn kept(&mut self, v: To, player: usize, forever: bool) -> Result<Vec<To>, Halt> {
        let lines = self.lines(v, player)?;
        let n = lines.ends.len();
        let mut held = Vec::new();
        let plain = lines.replies.iter().all(Vec::is_empty);
        for i in 0..n {
            if plain || self.holds(&lines, i, player, forever)? {
                held.push(lines.ends[i]);
            }
        }
        let mut kept: Vec<To> = Vec::new();
        // Nodes come first: of equal elements the first is kept.
        held.sort_unstable();
        'next: for (i, x) in held.iter().enumerate() {
            for (j, y) in held.iter().enumerate() {
                if i != j
                    && self.worse(player, *x, *y)?
                    && (j < i || !self.worse(player, *y, *x)?)
                {
                    continue 'next;
                }
            }
            kept.push(*x);
        }
        Ok(kept)
    }

    fn holds(
        &mut self,
        lines: &Lines,
        x: usize,
        player: usize,
        forever: bool,
    ) -> Result<bool, Halt> {
        let n = lines.ends.len();
        let mut above = vec![false; n];
        for (y, above) in above.iter_mut().enumerate() {
            *above = self.worse(player, lines.ends[x], lines.ends[y])?;
        }
        let mut held = match forever {
            true => above.clone(),
            false => vec![false; n],
        };
        loop {
            let mut changed = false;
            for y in 0..n {
                let answered = |held: &[bool]| {
                    let mut all = lines.replies[y].iter();
                    above[y] && all.all(|replies| replies.iter().any(|r| held[*r]))
                };
                let now = answered(&held);
                if now != held[y] {
                    held[y] = now;
                    changed = true;
                }
            }
            if !changed {
                return Ok(lines.first.iter().any(|y| held[*y]));
            }
        }
    }
}

impl Loops {
    /// The sides in one mode of the vertices of a graph whose moves lead within it or to nodes. A vertex that equals no
    /// stopper becomes a node of kind `Graph`.
    pub(super) fn sides(
        &mut self,
        forms: &Forms,
        graph: &Graph,
        mode: Mode,
    ) -> Result<Vec<Side>, Halt> {
        let n = graph.len();
        let mut pairs = Pairs::new(forms, self, graph, mode);
        let mut built = Graph::default();
        for v in 0..n {
            let v = To::inner(v);
            let left = pairs.kept(v, 0, mode == Mode::On)?;
            let right = pairs.kept(v, 1, mode == Mode::Off)?;
            built.push([left, right]);
        }
        let mut bad = built.not_stoppers();
        for (v, bad) in bad.iter_mut().enumerate() {
            let mut all = built.moves[v].iter().flatten();
            let graph = |id: u32| pairs.loops.nodes[id as usize].kind == Kind::Graph;
            *bad |= all.any(|to| to.as_node().is_some_and(graph));
        }
        built.spread(&mut bad);
        let found = pairs.loops.intern(forms, &built, &bad)?;
        let mut sides = vec![None; n];
        for (v, id) in found.iter().enumerate() {
            let Some(id) = *id else { continue };
            pairs.loops.checked += 1;
            let (v, node) = (To::inner(v), To::node(id));
            if pairs.le(v, node)? && pairs.le(node, v)? {
                sides[v.as_inner().unwrap_or(0)] = Some(id);
            }
        }
        self.rest_as_graph(graph, &mut sides)
    }

    /// Turns the vertices without a stopper into nodes.
    pub(super) fn rest_as_graph(
        &mut self,
        graph: &Graph,
        sides: &mut [Option<u32>],
    ) -> Result<Vec<Side>, Halt> {
        let rest: Vec<usize> = (0..graph.len()).filter(|v| sides[*v].is_none()).collect();
        for &v in &rest {
            sides[v] = Some(self.push(Kind::Graph, Box::default(), Box::default())?);
        }
        for v in rest {
            let list = |side: usize| -> Box<[u32]> {
                let of = |to: &To| match to.as_inner() {
                    Some(w) => sides[w].unwrap_or(0),
                    None => to.bits(),
                };
                graph.moves[v][side].iter().map(of).collect()
            };
            let (left, right) = (list(0), list(1));
            self.charge(4 * (left.len() + right.len()))?;
            let node = &mut self.nodes[sides[v].unwrap_or(0) as usize];
            node.left = left;
            node.right = right;
        }
        Ok(sides.iter().map(|id| Side(id.unwrap_or(0))).collect())
    }
}
