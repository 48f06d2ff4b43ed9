//! All games born by day n, and the lattice they form.
//!
//! The numbers of games born by day 0, 1, 2, 3 are 1, 4, 22, 1474 (Siegel, *Combinatorial Game Theory*, chapter III; the games
//! born by day n form a distributive lattice: Calistrate, Paulhus, Wolfe, *On the lattice structure of finite games*,
//! More Games of No Chance, 2002). Only antichains of options matter, since dominated options change nothing.

use rustc_hash::FxHashSet;

use super::forms::{CanonicalForm, Forms, OutOfMemory};

impl Forms {
    /// All games with birthday at most `day`, in structural order. An error from day 4 on, which has more games than any
    /// memory holds.
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
            self.sort_structurally(&mut games);
        }
        Ok(games)
    }

    // All sets of pairwise confused games, the empty set included.
    fn antichains(&self, games: &[CanonicalForm]) -> Result<Vec<Vec<CanonicalForm>>, OutOfMemory> {
        // The games of day 3 have far too many antichains to list.
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

    /// The covering pairs among distinct games, as indices: the second is greater and no game lies between. They are the
    /// lines of the Hasse diagram.
    pub fn hasse_edges(&self, games: &[CanonicalForm]) -> Result<Vec<(usize, usize)>, OutOfMemory> {
        let n = games.len();
        let words = n.div_ceil(64);
        // Bit j of row i: game i is less than game j.
        let mut less = vec![0u64; n * words];
        for (i, g) in games.iter().enumerate() {
            for (j, h) in games.iter().enumerate() {
                if i != j && self.less_or_equal(*g, *h)? {
                    less[i * words + j / 64] |= 1 << (j % 64);
                }
            }
        }
        let row = |i: usize| &less[i * words..(i + 1) * words];
        let mut edges = Vec::new();
        for i in 0..n {
            // The games greater than some game that is greater than game i.
            let mut beyond = vec![0u64; words];
            for k in (0..n).filter(|k| row(i)[k / 64] >> (k % 64) & 1 == 1) {
                for (b, word) in beyond.iter_mut().zip(row(k)) {
                    *b |= word;
                }
            }
            for (w, (above, beyond)) in row(i).iter().zip(&beyond).enumerate() {
                let mut covers = above & !beyond;
                while covers != 0 {
                    edges.push((i, w * 64 + covers.trailing_zeros() as usize));
                    covers &= covers - 1;
                }
            }
        }
        Ok(edges)
    }
}
