//! Negatives, sums and multiples of values.
//!
//! The onside of G + H is that of G⁺ + H⁺, and the offside that of G⁻ + H⁻ (Siegel VI.1), so a sum is found on the product of two canonical
//! graphs, as the value of any other graph is, by `solve.rs`. All sums of followers are kept.

use super::graph::{Graph, To};
use super::{CanonicalForm, Edge, Forms, Halt, Kind, Loops, Loopy, Moves, Side};
use num_bigint::{BigInt, Sign};
use rustc_hash::FxHashMap;

/// A product of more vertices than this is not looked at.
const MAX_VERTICES: usize = 1 << 20;

impl Loops {
    /// The negative of a value: sides and players are exchanged.
    ///
    /// # Errors
    /// Limits.
    pub fn negate(&mut self, forms: &Forms, g: Loopy) -> Result<Loopy, Halt> {
        Ok(Loopy {
            onside: self.negative(forms, g.offside)?,
            offside: self.negative(forms, g.onside)?,
        })
    }

    fn negative(&mut self, forms: &Forms, side: Side) -> Result<Side, Halt> {
        if let Some(g) = self.as_short(side) {
            return self.short(forms.negate(g)?);
        }
        if let Some(id) = self.negatives.get(&side.0) {
            return Ok(Side(*id));
        }
        let all = self.followers(side.0);
        let index: FxHashMap<u32, usize> = all.iter().enumerate().map(|(i, id)| (*id, i)).collect();
        let mut graph = Graph::default();
        for id in &all {
            let node = &self.nodes[*id as usize];
            let lists = [node.right.to_vec(), node.left.to_vec()];
            let mut moves = [Vec::new(), Vec::new()];
            for (to, list) in moves.iter_mut().zip(lists) {
                for id in list {
                    to.push(match (index.get(&id), self.nodes[id as usize].kind) {
                        (Some(i), _) => To::inner(*i),
                        (None, Kind::Short(g)) => To::node(self.short(forms.negate(g)?)?.0),
                        // All others are among the followers.
                        (None, _) => To::node(id),
                    });
                }
            }
            graph.push(moves);
        }
        let is_graph = |id: &u32| self.nodes[*id as usize].kind == Kind::Graph;
        let mut marked: Vec<bool> = all.iter().map(is_graph).collect();
        graph.spread(&mut marked);
        let mut ids = self.intern(forms, &graph, &marked)?;
        let found = self.rest_as_graph(&graph, &mut ids)?;
        self.charge(32 * all.len())?;
        for (id, negative) in all.iter().zip(&found) {
            self.negatives.insert(*id, negative.0);
            self.negatives.insert(negative.0, *id);
        }
        Ok(found.first().copied().unwrap_or(side))
    }

    /// The sum of two values.
    ///
    /// # Errors
    /// Limits.
    pub fn add(&mut self, forms: &Forms, g: Loopy, h: Loopy) -> Result<Loopy, Halt> {
        let on = self.sum(forms, g.onside, h.onside)?;
        if g.as_one().is_some() && h.as_one().is_some() {
            return Ok(on);
        }
        let off = self.sum(forms, g.offside, h.offside)?;
        Ok(Loopy {
            onside: on.onside,
            offside: off.offside,
        })
    }

    /// The difference of two values.
    ///
    /// # Errors
    /// Limits.
    pub fn subtract(&mut self, forms: &Forms, g: Loopy, h: Loopy) -> Result<Loopy, Halt> {
        let h = self.negate(forms, h)?;
        self.add(forms, g, h)
    }

    /// n copies of a value, or of its negative.
    ///
    /// # Errors
    /// Limits.
    pub fn multiple(&mut self, forms: &Forms, n: &BigInt, g: Loopy) -> Result<Loopy, Halt> {
        if let Some(short) = self.as_short_value(g) {
            let product = forms.multiple_big(n, short)?;
            return Ok(Loopy::of(self.short(product)?));
        }
        let mut power = match n.sign() {
            Sign::Minus => self.negate(forms, g)?,
            _ => g,
        };
        let mut sum = Loopy::of(self.short(CanonicalForm::ZERO)?);
        let bits = n.magnitude().bits();
        if bits > 32 {
            return Err(Halt::Size);
        }
        for i in 0..bits {
            if i > 0 {
                power = self.add(forms, power, power)?;
            }
            if n.magnitude().bit(i) {
                sum = self.add(forms, sum, power)?;
            }
        }
        Ok(sum)
    }

    /// The degree of loopiness, G° = the onside of G − G (Siegel VI.4; *Winning Ways*, chapter 11).
    ///
    /// # Errors
    /// Limits.
    pub fn degree(&mut self, forms: &Forms, g: Loopy) -> Result<Side, Halt> {
        Ok(self.subtract(forms, g, g)?.onside)
    }

    fn known_sum(&mut self, forms: &Forms, a: u32, b: u32) -> Result<Option<Loopy>, Halt> {
        let of = |id: u32| match self.nodes[id as usize].kind {
            Kind::Short(g) => Some(g),
            _ => None,
        };
        match (of(a), of(b)) {
            (Some(g), Some(h)) => {
                let sum = forms.add(g, h)?;
                Ok(Some(Loopy::of(self.short(sum)?)))
            }
            (Some(CanonicalForm::ZERO), None) => Ok(Some(Loopy::of(Side(b)))),
            (None, Some(CanonicalForm::ZERO)) => Ok(Some(Loopy::of(Side(a)))),
            _ => Ok(self.sums.get(&(a, b)).copied()),
        }
    }

    fn sum(&mut self, forms: &Forms, a: Side, b: Side) -> Result<Loopy, Halt> {
        let root = (a.0.min(b.0), a.0.max(b.0));
        if let Some(known) = self.known_sum(forms, root.0, root.1)? {
            return Ok(known);
        }
        let mut pairs = vec![root];
        let mut index: FxHashMap<(u32, u32), usize> = FxHashMap::default();
        index.insert(root, 0);
        let mut vertices: Vec<Moves> = Vec::new();
        while let Some(&(a, b)) = pairs.get(vertices.len()) {
            if pairs.len() > MAX_VERTICES {
                return Err(Halt::Size);
            }
            forms.go_on()?;
            self.list(forms, a)?;
            self.list(forms, b)?;
            let mut moves: Moves = [Vec::new(), Vec::new()];
            for (side, list) in moves.iter_mut().enumerate() {
                let of = |id: u32| {
                    let node = &self.nodes[id as usize];
                    if side == 0 {
                        node.left.clone()
                    } else {
                        node.right.clone()
                    }
                };
                let first = of(a).into_vec().into_iter().map(|x| (x, b));
                let second = of(b).into_vec().into_iter().map(|y| (a, y));
                for (x, y) in first.chain(second) {
                    let pair = (x.min(y), x.max(y));
                    list.push(match self.known_sum(forms, pair.0, pair.1)? {
                        Some(value) => Edge::Out(value),
                        None => Edge::In(*index.entry(pair).or_insert_with(|| {
                            pairs.push(pair);
                            pairs.len() - 1
                        })),
                    });
                }
            }
            vertices.push(moves);
        }
        let values = self.solve(forms, &vertices)?;
        self.charge(40 * pairs.len())?;
        for (pair, value) in pairs.iter().zip(&values) {
            self.sums.insert(*pair, *value);
        }
        Ok(values[0])
    }
}
