//! The value of each vertex of a graph of moves, class by class. Moves may also leave the graph, to known values.
//!
//! The onside of a game depends only on the onsides of its options, and the offside only on their offsides (Siegel VI.1).
//! So the strongly connected classes are solved bottom-up, and each needs only the canonical forms of the values below it.

use super::graph::{Graph, To};
use super::intern::text;
use super::{Forms, Halt, Kind, Loops, Loopy, Mode};

/// Where a move leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Edge {
    /// To another vertex of the same graph.
    In(usize),
    /// To a known value.
    Out(Loopy),
}

/// The moves of Left and of Right at a vertex.
pub type Moves = [Vec<Edge>; 2];

impl PartialOrd for Loopy {
    fn partial_cmp(&self, other: &Loopy) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Loopy {
    fn cmp(&self, other: &Loopy) -> std::cmp::Ordering {
        (self.onside, self.offside).cmp(&(other.onside, other.offside))
    }
}

impl Loops {
    /// The values of all vertices of a graph. An `Edge::In` must lead to one of its vertices.
    ///
    /// # Errors
    /// Memory or size limits.
    pub fn solve(&mut self, forms: &Forms, vertices: &[Moves]) -> Result<Vec<Loopy>, Halt> {
        let mut graph = Graph::default();
        for moves in vertices {
            let inner = |side: &Vec<Edge>| {
                let of = |e: &Edge| match e {
                    Edge::In(v) => Some(To::inner(*v)),
                    Edge::Out(_) => None,
                };
                side.iter().filter_map(of).collect::<Vec<To>>()
            };
            graph.push([inner(&moves[0]), inner(&moves[1])]);
        }
        let mut values: Vec<Option<Loopy>> = vec![None; vertices.len()];
        let mut place = vec![usize::MAX; vertices.len()];
        for class in graph.classes() {
            for (i, v) in class.iter().enumerate() {
                place[*v] = i;
            }
            let own = class.iter().map(|v| {
                let of = |e: &Edge| match e {
                    Edge::In(w) => values[*w].map_or(Edge::In(place[*w]), Edge::Out),
                    out => *out,
                };
                let [left, right] = &vertices[*v];
                [
                    left.iter().map(of).collect(),
                    right.iter().map(of).collect(),
                ]
            });
            let own: Vec<Moves> = own.collect();
            let found = self.close(forms, &own)?;
            for (v, value) in class.iter().zip(found) {
                values[*v] = Some(value);
            }
        }
        let zero = Loopy::of(self.short(super::CanonicalForm::ZERO)?);
        Ok(values.into_iter().map(|v| v.unwrap_or(zero)).collect())
    }

    /// The values of the vertices of one strongly connected class.
    ///
    /// # Errors
    /// Memory or size limits.
    pub fn close(&mut self, forms: &Forms, class: &[Moves]) -> Result<Vec<Loopy>, Halt> {
        if let Some(value) = self.close_short(forms, class)? {
            return Ok(vec![value]);
        }
        // Merge bisimilar vertices, for both sides at once.
        let mut out: Vec<Loopy> = Vec::new();
        for edge in class.iter().flatten().flatten() {
            if let Edge::Out(value) = edge {
                out.push(*value);
            }
        }
        out.sort_unstable();
        out.dedup();
        let mut graph = Graph::default();
        for moves in class {
            let of = |e: &Edge| match e {
                Edge::In(v) => To::inner(*v),
                Edge::Out(value) => To::node(out.binary_search(value).unwrap_or(0) as u32),
            };
            graph.push([
                moves[0].iter().map(of).collect(),
                moves[1].iter().map(of).collect(),
            ]);
        }
        let (small, of) = graph.merged();
        let colour = small.alike(&vec![0; small.len()]);
        let mut order: Vec<usize> = (0..small.len()).collect();
        order.sort_unstable_by_key(|v| colour[*v]);
        let mut key = text(&small, &colour, &order).into_vec();
        key.extend(out.iter().flat_map(|v| [v.onside.0, v.offside.0]));
        let key = key.into_boxed_slice();
        if let Some(known) = self.solved.get(&key) {
            return Ok(of.iter().map(|v| known[colour[*v] as usize]).collect());
        }
        let values = self.both_sides(forms, &small, &out)?;
        let kept: Box<[Loopy]> = order.iter().map(|v| values[*v]).collect();
        self.charge(4 * key.len() + 8 * kept.len() + 64)?;
        self.solved.insert(key, kept);
        Ok(of.iter().map(|v| values[*v]).collect())
    }

    /// The value of a single vertex whose moves all lead to short games; `None` for any other class.
    fn close_short(&mut self, forms: &Forms, class: &[Moves]) -> Result<Option<Loopy>, Halt> {
        let [moves] = class else { return Ok(None) };
        let mut sides = [Vec::new(), Vec::new()];
        for (side, list) in sides.iter_mut().zip(moves) {
            for edge in list {
                let short = match edge {
                    Edge::Out(value) => self.as_short_value(*value),
                    Edge::In(_) => None,
                };
                match short {
                    Some(g) => side.push(g),
                    None => return Ok(None),
                }
            }
        }
        let value = forms.from_options(&sides[0], &sides[1])?;
        Ok(Some(Loopy::of(self.short(value)?)))
    }

    fn both_sides(
        &mut self,
        forms: &Forms,
        graph: &Graph,
        out: &[Loopy],
    ) -> Result<Vec<Loopy>, Halt> {
        let with = |mode: Mode| {
            let mut own = Graph::default();
            for moves in &graph.moves {
                let side = |list: &[To]| -> Vec<To> {
                    let of = |to: &To| match (to.as_node(), mode) {
                        (None, _) => *to,
                        (Some(i), Mode::On) => To::node(out[i as usize].onside.0),
                        (Some(i), Mode::Off) => To::node(out[i as usize].offside.0),
                    };
                    list.iter().map(of).collect()
                };
                own.push([side(&moves[0]), side(&moves[1])]);
            }
            own
        };
        let on = with(Mode::On);
        let same = out.iter().all(|v| {
            let side = v.as_one();
            side.is_some_and(|s| self.nodes[s.0 as usize].kind != Kind::Graph)
        });
        let onsides = self.sides(forms, &on, Mode::On)?;
        if same && !on.not_stoppers().contains(&true) {
            return Ok(onsides.into_iter().map(Loopy::of).collect());
        }
        let offsides = self.sides(forms, &with(Mode::Off), Mode::Off)?;
        let both = onsides.into_iter().zip(offsides);
        Ok(both
            .map(|(onside, offside)| Loopy { onside, offside })
            .collect())
    }
}
