//! All games born by day n, and the lattice that they form.
//!
//! The numbers of games born by day 0, 1, 2, 3 are 1, 4, 22, 1474 (Siegel, *Combinatorial Game Theory*, III.1; the games
//! born by day n form a distributive lattice: Calistrate, Paulhus, Wolfe, *On the lattice structure of finite games*,
//! More Games of No Chance, 2002). Only antichains of options matter, since dominated options change nothing.

use std::cmp::Ordering;
use std::fmt::Write;

use rustc_hash::FxHashSet;

use super::forms::{CanonicalForm, Forms, OutOfMemory};
use super::notation::{Style, print};

impl Forms {
    /// All games with birthday at most `day`, in structural order. Day 4 has more games than any memory holds.
    pub fn born_by(&self, day: u32) -> Result<Vec<CanonicalForm>, OutOfMemory> {
        let mut games = vec![CanonicalForm::ZERO];
        for _ in 0..day {
            let antichains = self.antichains(&games)?;
            let mut next: FxHashSet<CanonicalForm> = FxHashSet::default();
            for left in &antichains {
                for right in &antichains {
                    next.insert(self.from_options(left, right)?);
                }
            }
            games = next.into_iter().collect();
            games.sort_by(|a, b| self.structural_cmp(*a, *b));
        }
        Ok(games)
    }

    // All sets of pairwise confused games, the empty one included.
    fn antichains(&self, games: &[CanonicalForm]) -> Result<Vec<Vec<CanonicalForm>>, OutOfMemory> {
        // Beyond day 2 the list would not end in any time.
        if games.len() > 64 {
            return Err(OutOfMemory);
        }
        let mut found: Vec<Vec<CanonicalForm>> = vec![vec![]];
        for g in games {
            for i in 0..found.len() {
                let mut free = true;
                for h in &found[i] {
                    free &= self.compare(*g, *h)?.is_none();
                }
                if free {
                    let mut longer = found[i].clone();
                    longer.push(*g);
                    found.push(longer);
                }
            }
        }
        Ok(found)
    }

    /// The Hasse diagram of the games under their order, as a DOT graph with the greater ones above.
    pub fn hasse_dot(&self, games: &[CanonicalForm]) -> Result<String, OutOfMemory> {
        let mut dot = String::from(
            "digraph hasse {\n  rankdir=BT;\n  edge [dir=none];\n  node [shape=plaintext];\n",
        );
        for (i, g) in games.iter().enumerate() {
            let name = print(self, *g, Style::Unicode)
                .replace('\\', "\\\\")
                .replace('"', "\\\"");
            let _ = writeln!(dot, "  g{i} [label=\"{name}\"];");
        }
        for (low, high) in self.hasse_edges(games)? {
            let _ = writeln!(dot, "  g{low} -> g{high};");
        }
        dot.push_str("}\n");
        Ok(dot)
    }

    /// The covering pairs among the games, as indices: the second is greater and none lies between.
    pub fn hasse_edges(&self, games: &[CanonicalForm]) -> Result<Vec<(usize, usize)>, OutOfMemory> {
        let n = games.len();
        let mut less = vec![false; n * n];
        for (i, g) in games.iter().enumerate() {
            for (j, h) in games.iter().enumerate() {
                less[i * n + j] = self.compare(*g, *h)? == Some(Ordering::Less);
            }
        }
        let mut edges = Vec::new();
        for i in 0..n {
            for j in (0..n).filter(|j| less[i * n + j]) {
                if !(0..n).any(|k| less[i * n + k] && less[k * n + j]) {
                    edges.push((i, j));
                }
            }
        }
        Ok(edges)
    }
}
