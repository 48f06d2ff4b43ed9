//! Interning of canonical stoppers: vertices of a graph become nodes that are equal exactly if the games are.
//!
//! Stoppers without dominated or reversible options are equal only if their graphs unfold to the same tree (Siegel VI.2: a
//! stopper has one canonical form). So bisimilar vertices are merged. Colour refinement then distinguishes all vertices and
//! numbers them independently of the order in which they came, and the class is looked up by its encoding. A vertex without
//! cycles is the canonical form of a short game.

use super::graph::{Graph, To};
use super::{Forms, Halt, Kind, Loops};
use rustc_hash::FxHashMap;

const INNER: u32 = 1 << 31;

impl Loops {
    /// The nodes of the unmarked vertices of a graph. Unmarked vertices must not lead to marked ones.
    pub(super) fn intern(
        &mut self,
        forms: &Forms,
        graph: &Graph,
        marked: &[bool],
    ) -> Result<Vec<Option<u32>>, Halt> {
        let mut ids: Vec<Option<u32>> = vec![None; graph.len()];
        for class in graph.classes() {
            if class.iter().any(|v| marked[*v]) {
                continue;
            }
            // The vertices below the class have nodes; its own vertices are numbered by position.
            let mut place = vec![usize::MAX; graph.len()];
            for (i, v) in class.iter().enumerate() {
                place[*v] = i;
            }
            let mut own = Graph::default();
            for v in &class {
                let of = |to: &To| match to.as_inner() {
                    Some(w) => match ids[w] {
                        Some(id) => To::node(id),
                        None => To::inner(place[w]),
                    },
                    None => *to,
                };
                let [left, right] = &graph.moves[*v];
                own.push([
                    left.iter().map(of).collect(),
                    right.iter().map(of).collect(),
                ]);
            }
            let found = self.intern_class(forms, &own)?;
            for (v, id) in class.iter().zip(found) {
                ids[*v] = Some(id);
            }
        }
        Ok(ids)
    }

    fn intern_class(&mut self, forms: &Forms, class: &Graph) -> Result<Vec<u32>, Halt> {
        if let [moves] = &class.moves[..]
            && !class.is_loop(0)
        {
            let short = |list: &[To]| -> Option<Vec<_>> {
                let of = |to: &To| match self.nodes[to.as_node()? as usize].kind {
                    Kind::Short(g) => Some(g),
                    _ => None,
                };
                list.iter().map(of).collect()
            };
            if let (Some(left), Some(right)) = (short(&moves[0]), short(&moves[1])) {
                let value = forms.from_options(&left, &right)?;
                return Ok(vec![self.short(value)?.0]);
            }
        }
        if let Some(found) = self.below(class) {
            return Ok(found);
        }
        let (small, of) = class.merged();
        let colour = small.alike(&vec![0; small.len()]);
        let mut order: Vec<usize> = (0..small.len()).collect();
        order.sort_unstable_by_key(|v| colour[*v]);
        let key = text(&small, &colour, &order);
        let first = match self.classes.get(&key) {
            Some(first) => *first,
            None => {
                let first = self.nodes.len() as u32;
                for v in &order {
                    let list = |side: usize| -> Box<[u32]> {
                        let of = |to: &To| match to.as_inner() {
                            Some(w) => first + colour[w],
                            None => to.bits(),
                        };
                        small.moves[*v][side].iter().map(of).collect()
                    };
                    let (left, right) = (list(0), list(1));
                    self.push(Kind::Stopper, left, right)?;
                }
                self.charge(4 * key.len() + 32)?;
                self.classes.insert(key, first);
                first
            }
        };
        Ok(of.iter().map(|v| first + colour[*v]).collect())
    }

    /// The nodes below a class that its vertices are equal to, if there are any: on = {on |} may arrive as {on' |}.
    fn below(&self, class: &Graph) -> Option<Vec<u32>> {
        let mut nodes: Vec<u32> = Vec::new();
        let mut index: FxHashMap<u32, usize> = FxHashMap::default();
        for to in class.moves.iter().flatten().flatten() {
            for id in to
                .as_node()
                .map(|id| self.followers(id))
                .unwrap_or_default()
            {
                index.entry(id).or_insert_with(|| {
                    nodes.push(id);
                    class.len() + nodes.len() - 1
                });
            }
        }
        if nodes.is_empty() {
            return None;
        }
        let mut both = Graph::default();
        let inner = |id: u32| index.get(&id).map_or(To::node(id), |i| To::inner(*i));
        for [left, right] in &class.moves {
            let of = |to: &To| to.as_node().map_or(*to, inner);
            both.push([
                left.iter().map(of).collect(),
                right.iter().map(of).collect(),
            ]);
        }
        for id in &nodes {
            let node = &self.nodes[*id as usize];
            let of = |list: &[u32]| list.iter().map(|id| inner(*id)).collect();
            both.push([of(&node.left), of(&node.right)]);
        }
        let colour = both.alike(&vec![0; both.len()]);
        let of: FxHashMap<u32, u32> = nodes
            .iter()
            .enumerate()
            .map(|(i, id)| (colour[class.len() + i], *id))
            .collect();
        colour[..class.len()]
            .iter()
            .map(|c| of.get(c).copied())
            .collect()
    }
}

/// A complete encoding of a class whose vertices have different colours.
pub(super) fn text(class: &Graph, colour: &[u32], order: &[usize]) -> Box<[u32]> {
    let mut text = Vec::new();
    for v in order {
        for side in &class.moves[*v] {
            text.push(side.len() as u32);
            let at = text.len();
            text.extend(side.iter().map(|to| match to.as_inner() {
                Some(w) => INNER | colour[w],
                None => to.bits(),
            }));
            text[at..].sort_unstable();
        }
    }
    text.into()
}
