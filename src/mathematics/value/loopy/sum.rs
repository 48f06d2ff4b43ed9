//! Negatives, sums and multiples of values.
//!
//! The onside of G + H is that of G⁺ + H⁺, and the offside that of G⁻ + H⁻ (Siegel VI.1). So a sum is computed on the
//! product of two canonical graphs, like the value of any other graph (`solve.rs`). The sums of all pairs of followers are
//! kept.
//!
//! **Numbers are added without a product.** Let G be a stopper in canonical form that is not a short game, and x a number.
//!
//! *Number avoidance.* A player who survives G + x by moving first survives by a move in G. *Proof.* Let G + xᴸ ≥ 0. Since
//! G is not a number, G + xᴸ > 0, so Left survives it moving first, and by induction on x by a move to some Gᴸ + xᴸ ≥ 0;
//! then Gᴸ + x > 0. ∎
//!
//! *Lemma.* If G is not `off`, then for each number d > 0 some Left option has Gᴸ + d ≥ G. *Proof.* By number avoidance
//! each number y has G ≤ y or y ≤ Gᴸ for some Gᴸ. For each Gᴸ the numbers that are at most Gᴸ form an initial segment, so
//! one option serves for all y of the second kind. If both kinds occur, some y has y ≤ Gᴸ and G ≤ y + d. If G is at most
//! all numbers, then G = `off`: where Right loses G + `on`, he loses it within as many moves as there are states, and that
//! many passes are an integer. If Gᴸ is at least all numbers, then Gᴸ = `on` in the same way, and `on` ≥ G. ∎
//!
//! *Number translation.* G + x has the graph of G, with h + x in place of each short follower h; `on` + x = `on` and
//! `off` + x = `off`. *Proof.* G + x is a stopper, since x ends. By the lemma its options G + xᴸ are dominated: with d = x − xᴸ,
//! G + xᴸ ≤ Gᴸ + x. The same holds for all its followers that are not short games, and dominated options of a stopper may
//! be deleted one by one (Siegel VI.2). ∎ The result is canonical, since adding x keeps the order of options.

use super::graph::{Graph, To};
use super::{CanonicalForm, Edge, Forms, Halt, Kind, Loops, Loopy, Moves, Side};
use num_bigint::{BigInt, Sign};
use rustc_hash::FxHashMap;

/// The greatest number of vertices of a product. Beyond it the sum fails.
const MAX_VERTICES: usize = 1 << 20;

/// Integers of at most this many bits count as near 0.
const NEAR: u64 = 5;

impl Loops {
    /// The negative of a value: the sides and the players are exchanged.
    ///
    /// # Errors
    /// Memory or size limits.
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
                        // All nodes of other kinds are among the followers.
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
    /// Memory or size limits.
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
    /// Memory or size limits.
    pub fn subtract(&mut self, forms: &Forms, g: Loopy, h: Loopy) -> Result<Loopy, Halt> {
        let h = self.negate(forms, h)?;
        self.add(forms, g, h)
    }

    /// The sum of n copies of a value; for negative n, of its negative.
    ///
    /// # Errors
    /// Memory or size limits. Of a value that is not a short game, multiples beyond 32 bits exist only where doubling it
    /// again and again comes to rest, as it does at once for on, off, over and under.
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
        for i in 0..n.magnitude().bits() {
            if i == 32 {
                return Err(Halt::Size);
            }
            if i > 0 {
                let doubled = self.add(forms, power, power)?;
                if doubled == power {
                    // All further powers are equal to this one, and so are their sums. The highest bit of n is one of them.
                    return self.add(forms, sum, power);
                }
                power = doubled;
            }
            if n.magnitude().bit(i) {
                sum = self.add(forms, sum, power)?;
            }
        }
        Ok(sum)
    }

    /// The degree of loopiness G°, the onside of G − G (Siegel VI.4; *Winning Ways*, chapter 11).
    ///
    /// # Errors
    /// Memory or size limits.
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
            _ if self.sums.contains_key(&(a, b)) => Ok(self.sums.get(&(a, b)).copied()),
            (Some(x), None) if self.may_translate(forms, b, x) => self.translated(forms, b, a, x),
            (None, Some(x)) if self.may_translate(forms, a, x) => self.translated(forms, a, b, x),
            _ => Ok(None),
        }
    }

    fn may_translate(&self, forms: &Forms, stopper: u32, x: CanonicalForm) -> bool {
        self.nodes[stopper as usize].kind == Kind::Stopper && forms.is_number(x)
    }

    /// The sum of a stopper that is not a short game and a number x, whose node is `number`.
    fn translated(
        &mut self,
        forms: &Forms,
        stopper: u32,
        number: u32,
        x: CanonicalForm,
    ) -> Result<Option<Loopy>, Halt> {
        let all = self.followers(stopper);
        let is_on_or_off = |loops: &Loops, id: u32| {
            let node = &loops.nodes[id as usize];
            matches!((&node.left[..], &node.right[..]), (&[pass], []) | ([], &[pass]) if pass == id)
        };
        let index: FxHashMap<u32, usize> = all.iter().enumerate().map(|(i, id)| (*id, i)).collect();
        let mut graph = Graph::default();
        for id in &all {
            let node = &self.nodes[*id as usize];
            let lists = [node.left.to_vec(), node.right.to_vec()];
            let mut moves = [Vec::new(), Vec::new()];
            for (to, list) in moves.iter_mut().zip(lists) {
                for id in list {
                    to.push(match self.nodes[id as usize].kind {
                        Kind::Short(h) => To::node(self.short(forms.add(h, x)?)?.0),
                        _ if is_on_or_off(self, id) => To::node(id),
                        _ => To::inner(index.get(&id).copied().unwrap_or(0)),
                    });
                }
            }
            graph.push(moves);
        }
        let ids = self.intern(forms, &graph, &vec![false; all.len()])?;
        self.charge(40 * all.len())?;
        for (id, sum) in all.iter().zip(ids) {
            let sum = match is_on_or_off(self, *id) {
                true => *id,
                false => sum.unwrap_or(*id),
            };
            let pair = (number.min(*id), number.max(*id));
            self.sums.insert(pair, Loopy::of(Side(sum)));
        }
        let pair = (number.min(stopper), number.max(stopper));
        Ok(self.sums.get(&pair).copied())
    }

    fn sum(&mut self, forms: &Forms, a: Side, b: Side) -> Result<Loopy, Halt> {
        let root = (a.0.min(b.0), a.0.max(b.0));
        if let Some(known) = self.known_sum(forms, root.0, root.1)? {
            return Ok(known);
        }
        let far = [self.far(forms, a), self.far(forms, b)];
        let zero = CanonicalForm::ZERO;
        if far == [zero; 2] {
            return self.product(forms, root);
        }
        // Translate stoppers that are far from 0, add them near 0, and translate back.
        let mut near = [a, b];
        for (side, n) in near.iter_mut().zip(far) {
            let back = self.short(forms.negate(n)?)?;
            *side = self.sum(forms, *side, back)?.onside;
        }
        let sum = self.sum(forms, near[0], near[1])?;
        let n = self.short(forms.add(far[0], far[1])?)?;
        let onside = self.sum(forms, sum.onside, n)?.onside;
        let offside = self.sum(forms, sum.offside, n)?.offside;
        let sum = Loopy { onside, offside };
        self.charge(40)?;
        self.sums.insert(root, sum);
        Ok(sum)
    }

    /// The integer by which a stopper is to be translated to come near 0; 0 if it is near already.
    fn far(&self, forms: &Forms, side: Side) -> CanonicalForm {
        if self.nodes[side.0 as usize].kind != Kind::Stopper {
            return CanonicalForm::ZERO;
        }
        let all = self.followers(side.0);
        let options = all.iter().flat_map(|id| {
            let node = &self.nodes[*id as usize];
            node.left.iter().chain(&node.right)
        });
        let mut shorts = options.filter_map(|id| self.as_short(Side(*id)));
        let n = shorts.next().map(|h| forms.left_stop(h).floor());
        let far = n.filter(|n| n.magnitude().bits() > NEAR);
        far.and_then(|n| forms.number(&n.into()).ok())
            .unwrap_or(CanonicalForm::ZERO)
    }

    /// A sum, computed on the product of two graphs.
    fn product(&mut self, forms: &Forms, root: (u32, u32)) -> Result<Loopy, Halt> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::loopy::notation;

    /// The sum with a number, computed without any known sum of a loopy game and a number.
    fn slow(forms: &Forms, loops: &mut Loops, g: Loopy, x: CanonicalForm) -> Loopy {
        let mut graph: Vec<Moves> = Vec::new();
        let mut places = vec![(g.onside.0, x)];
        let place = |places: &mut Vec<(u32, CanonicalForm)>, at| {
            places.iter().position(|p| *p == at).unwrap_or_else(|| {
                places.push(at);
                places.len() - 1
            })
        };
        while let Some(&(id, x)) = places.get(graph.len()) {
            loops.list(forms, id).unwrap();
            let node = &loops.nodes[id as usize];
            let (own, theirs) = (
                [node.left.to_vec(), node.right.to_vec()],
                [
                    forms.left_options(x).unwrap(),
                    forms.right_options(x).unwrap(),
                ],
            );
            graph.push([0, 1].map(|side| {
                let first = own[side].iter().map(|w| (*w, x));
                let moves = first.chain(theirs[side].iter().map(|y| (id, *y)));
                moves.map(|at| Edge::In(place(&mut places, at))).collect()
            }));
        }
        loops.solve(forms, &graph).unwrap()[0]
    }

    #[test]
    fn numbers_are_added_as_on_products() {
        let (forms, mut loops) = (Forms::new(), Loops::new(1 << 28));
        let mut different = 0;
        for stopper in [
            "on",
            "off",
            "over",
            "under",
            "upon",
            "upon*",
            "{over|under}",
            "{on|off}",
            "{on|0}",
            "{1/2over|-1}",
            "{{on|0}|pass}",
            "a{0||||0|||a|*||*}",
            "^<on>",
            "{1|{pass|0}}",
            "{*|over}",
        ] {
            let g = notation::read(&forms, &mut loops, stopper).unwrap();
            assert!(loops.is_stopper(g), "{stopper}");
            for number in ["1", "-1", "2", "-3", "1/2", "-3/4", "5/8", "7"] {
                let x = crate::value::notation::read(&forms, number).unwrap();
                let side = loops.short(x).unwrap();
                let sum = loops.add(&forms, g, Loopy::of(side)).unwrap();
                assert_eq!(sum, slow(&forms, &mut loops, g, x), "{stopper} + {number}");
                different += usize::from(sum != g);
            }
        }
        assert!(different > 60);
    }

    #[test]
    fn large_numbers_are_added_and_compared_at_once() {
        let (forms, mut loops) = (Forms::new(), Loops::new(1 << 24));
        let mut read = |text: &str| notation::read(&forms, &mut loops, text).unwrap();
        let (far, over) = (read("over + 100000000000"), read("over"));
        let (n, off) = (read("100000000000"), read("off + 100000000000"));
        let up = read("upon + 100000000000 + (upon - 100000000000)");
        let pair = read("over + 100000000000 - over - 99999999999");
        let one = read("1over & 1under");
        let (two, plain) = (read("upon + upon"), read("off"));
        assert_eq!(off, plain);
        assert_eq!(up, two);
        assert_eq!(pair, one);
        assert!(loops.less_or_equal(&forms, n, far).unwrap());
        assert!(!loops.less_or_equal(&forms, far, n).unwrap());
        assert!(loops.less_or_equal(&forms, over, n).unwrap());
        assert!(!loops.less_or_equal(&forms, n, over).unwrap());
    }

    /// By hand: on + on = on, and likewise for off, over and dud, so any positive multiple is the game itself. The multiple
    /// n of 1 & 0 is n & 0, for which there is no bound.
    #[test]
    fn large_multiples_of_idempotents() {
        let (forms, mut loops) = (Forms::new(), Loops::new(1 << 24));
        let large = BigInt::from(1) << 100u32;
        let pairs = [
            ("on", "off"),
            ("off", "on"),
            ("over", "under"),
            ("dud", "dud"),
        ];
        for (text, negative) in pairs {
            let g = notation::read(&forms, &mut loops, text).unwrap();
            let h = notation::read(&forms, &mut loops, negative).unwrap();
            for n in [large.clone(), &large + 1, BigInt::from(2)] {
                assert_eq!(loops.multiple(&forms, &n, g), Ok(g), "{text}");
                assert_eq!(loops.multiple(&forms, &-n, g), Ok(h), "{text}");
            }
        }
        let tis = notation::read(&forms, &mut loops, "tis").unwrap();
        assert!(loops.multiple(&forms, &large, tis).is_err());
    }
}
