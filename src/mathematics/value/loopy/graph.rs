//! Finite graphs whose edges are moves: merging of bisimilar vertices, strongly connected classes in bottom-up order, and
//! detection of alternating cycles. No function here is recursive.

use rustc_hash::FxHashMap;

/// Where a move leads: to a vertex of the graph, or to a node of the arena.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct To(u32);

const INNER: u32 = 1 << 31;

impl To {
    pub(super) fn inner(i: usize) -> To {
        To(INNER | i as u32)
    }

    pub(super) fn node(id: u32) -> To {
        To(id)
    }

    pub(super) fn as_inner(self) -> Option<usize> {
        (self.0 & INNER != 0).then_some((self.0 & !INNER) as usize)
    }

    pub(super) fn as_node(self) -> Option<u32> {
        (self.0 & INNER == 0).then_some(self.0)
    }

    pub(super) fn bits(self) -> u32 {
        self.0
    }
}

/// The moves of Left and of Right at each vertex, sorted and without repetitions.
#[derive(Clone, Default, Debug)]
pub(super) struct Graph {
    pub(super) moves: Vec<[Vec<To>; 2]>,
}

impl Graph {
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    pub(super) fn push(&mut self, mut moves: [Vec<To>; 2]) {
        for side in &mut moves {
            side.sort_unstable();
            side.dedup();
        }
        self.moves.push(moves);
    }

    fn successors(&self, v: usize) -> impl Iterator<Item = usize> + '_ {
        let [left, right] = &self.moves[v];
        left.iter().chain(right).filter_map(|to| to.as_inner())
    }

    /// The strongly connected classes, each after the classes that it leads to.
    pub(super) fn classes(&self) -> Vec<Vec<usize>> {
        let next = |v: usize| self.successors(v).collect();
        strong(self.len(), &next)
    }

    /// Whether v has an edge to itself.
    pub(super) fn is_loop(&self, v: usize) -> bool {
        self.successors(v).any(|w| w == v)
    }

    /// Marks the vertices from which a cycle of alternating moves can be reached. All others are stoppers, as far as this
    /// graph goes (Siegel, *Combinatorial Game Theory*, VI.2).
    pub(super) fn not_stoppers(&self) -> Vec<bool> {
        let n = self.len();
        // State 2v + p: player p moves at v.
        let next = |s: usize| -> Vec<usize> {
            let inner = self.moves[s / 2][s % 2].iter().filter_map(|t| t.as_inner());
            inner.map(|w| 2 * w + 1 - s % 2).collect()
        };
        let mut bad = vec![false; n];
        for class in strong(2 * n, &next) {
            if class.len() > 1 {
                for s in class {
                    bad[s / 2] = true;
                }
            }
        }
        self.spread(&mut bad);
        bad
    }

    /// Marks all vertices that lead to a marked vertex.
    pub(super) fn spread(&self, marked: &mut [bool]) {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.len()];
        for v in 0..self.len() {
            for w in self.successors(v) {
                before[w].push(v);
            }
        }
        let mut open: Vec<usize> = (0..self.len()).filter(|v| marked[*v]).collect();
        while let Some(w) = open.pop() {
            for &v in &before[w] {
                if !marked[v] {
                    marked[v] = true;
                    open.push(v);
                }
            }
        }
    }

    /// A colour for each vertex, equal exactly if the vertices are bisimilar (their graphs unfold to the same tree): the
    /// coarsest stable partition that refines `start`. Colours are ordered by the colours of the vertices they lead to,
    /// where these differ.
    pub(super) fn alike(&self, start: &[u32]) -> Vec<u32> {
        let mut colour: Vec<u32> = rank(start.to_vec());
        let mut count = distinct(&colour);
        loop {
            let signature = |v: usize| {
                let side = |list: &[To]| -> Vec<u64> {
                    let of = |to: &To| match to.as_inner() {
                        Some(w) => 1 << 32 | u64::from(colour[w]),
                        None => u64::from(to.bits()),
                    };
                    let mut all: Vec<u64> = list.iter().map(of).collect();
                    all.sort_unstable();
                    all.dedup();
                    all
                };
                let [left, right] = &self.moves[v];
                (colour[v], side(left), side(right))
            };
            let finer = rank((0..self.len()).map(signature).collect());
            let now = distinct(&finer);
            colour = finer;
            if now == count {
                return colour;
            }
            count = now;
        }
    }

    /// The graph of the classes of `alike`, and the class of each vertex.
    pub(super) fn merged(&self) -> (Graph, Vec<usize>) {
        let colour = self.alike(&vec![0; self.len()]);
        let mut small = Graph::default();
        let mut of: FxHashMap<u32, usize> = FxHashMap::default();
        let mut class = Vec::with_capacity(self.len());
        let mut heads = Vec::new();
        for (v, c) in colour.iter().enumerate() {
            let next = of.len();
            let i = *of.entry(*c).or_insert(next);
            if i == next {
                heads.push(v);
            }
            class.push(i);
        }
        for v in heads {
            let map = |list: &[To]| -> Vec<To> {
                let of = |t: &To| t.as_inner().map_or(*t, |w| To::inner(class[w]));
                list.iter().map(of).collect()
            };
            let [left, right] = &self.moves[v];
            small.push([map(left), map(right)]);
        }
        (small, class)
    }
}

fn distinct(colour: &[u32]) -> usize {
    colour.iter().max().map_or(0, |c| *c as usize + 1)
}

/// Replaces each element by its rank among the distinct ones.
fn rank<T: Ord + Clone>(all: Vec<T>) -> Vec<u32> {
    let mut sorted = all.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let place = |x: &T| sorted.binary_search(x).unwrap_or(0) as u32;
    all.iter().map(place).collect()
}

/// Tarjan's algorithm: strongly connected classes, each after the classes that it leads to.
pub(super) fn strong(n: usize, next: &dyn Fn(usize) -> Vec<usize>) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let mut index = vec![NEW; n];
    let mut low = vec![0; n];
    let mut on_stack = vec![false; n];
    let (mut stack, mut classes, mut count) = (Vec::new(), Vec::new(), 0);
    for root in 0..n {
        if index[root] != NEW {
            continue;
        }
        let mut line = vec![(root, Vec::new(), false)];
        while let Some((v, left, opened)) = line.last_mut() {
            let v = *v;
            if !*opened {
                *opened = true;
                index[v] = count;
                low[v] = count;
                count += 1;
                stack.push(v);
                on_stack[v] = true;
                *left = next(v);
            }
            if let Some(w) = left.pop() {
                if index[w] == NEW {
                    line.push((w, Vec::new(), false));
                } else if on_stack[w] {
                    low[v] = low[v].min(index[w]);
                }
                continue;
            }
            line.pop();
            if let Some((before, _, _)) = line.last() {
                low[*before] = low[*before].min(low[v]);
            }
            if low[v] == index[v] {
                let mut class = Vec::new();
                while let Some(w) = stack.pop() {
                    on_stack[w] = false;
                    class.push(w);
                    if w == v {
                        break;
                    }
                }
                class.reverse();
                classes.push(class);
            }
        }
    }
    classes
}
