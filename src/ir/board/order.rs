//! Orders and reachability on boards, without recursion: strongly connected components (Tarjan 1972), up-sets and
//! down-sets, covers, and cycles.

use super::{Board, Builder, Mark, Place};
use crate::val::Val;

/// Strongly connected components of a digraph on 0..n: the number of each vertex's component, and the number of components.
#[must_use]
pub fn components(n: usize, out: &[Vec<u32>]) -> (Vec<u32>, u32) {
    const NONE: u32 = u32::MAX;
    let mut comp = vec![NONE; n];
    let mut low = vec![0u32; n];
    let mut num = vec![NONE; n];
    let mut stack: Vec<u32> = Vec::new();
    let mut work: Vec<(u32, usize)> = Vec::new();
    let (mut next, mut count) = (0u32, 0u32);
    for root in 0..n {
        if num[root] != NONE {
            continue;
        }
        work.push((u32::try_from(root).unwrap_or(NONE), 0));
        while let Some((v, i)) = work.pop() {
            let vi = v as usize;
            if i == 0 {
                num[vi] = next;
                low[vi] = next;
                next += 1;
                stack.push(v);
            }
            if let Some(&w) = out[vi].get(i) {
                work.push((v, i + 1));
                if num[w as usize] == NONE {
                    work.push((w, 0));
                } else if comp[w as usize] == NONE {
                    low[vi] = low[vi].min(num[w as usize]);
                }
                continue;
            }
            if low[vi] == num[vi] {
                while let Some(w) = stack.pop() {
                    comp[w as usize] = count;
                    if w == v {
                        break;
                    }
                }
                count += 1;
            }
            if let Some((u, _)) = work.last() {
                let ui = *u as usize;
                low[ui] = low[ui].min(low[vi]);
            }
        }
    }
    (comp, count)
}

/// Merges the elements of each cycle of a poset under construction into its first element.
pub(super) fn merge_cycles(b: &mut Builder) {
    let n = b.labels.len();
    let mut out = vec![Vec::new(); n];
    for (u, v) in &b.lines {
        if u != v {
            out[*u as usize].push(*v);
        }
    }
    let (comp, count) = components(n, &out);
    b.lines.retain(|(u, v)| u != v);
    if count as usize == n {
        return;
    }
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); count as usize];
    for (s, c) in (0u32..).zip(&comp) {
        members[*c as usize].push(s);
    }
    let mut new = vec![u32::MAX; n];
    let mut labels: Vec<Val> = Vec::with_capacity(count as usize);
    for s in 0..n {
        let group = &members[comp[s] as usize];
        let first = group[0] as usize;
        if first == s {
            new[s] = u32::try_from(labels.len()).unwrap_or(u32::MAX);
            labels.push(b.labels[s].clone());
            if group.len() > 1 {
                let names: Vec<String> = group
                    .iter()
                    .map(|m| crate::draw::label(&b.labels[*m as usize]))
                    .collect();
                b.note(format!(
                    "{} are below each other: they are one element",
                    names.join(", ")
                ));
            }
        } else {
            new[s] = new[first];
        }
    }
    b.index = (0u32..).zip(&labels).map(|(s, l)| (l.clone(), s)).collect();
    // Labels that were merged away still name the merged element.
    for (s, label) in b.labels.iter().enumerate() {
        b.index.entry(label.clone()).or_insert(new[s]);
    }
    b.labels = labels;
    b.lines = b
        .lines
        .iter()
        .map(|(u, v)| (new[*u as usize], new[*v as usize]))
        .filter(|(u, v)| u != v)
        .collect();
    b.root = b.root.map(|r| new[r as usize]);
    let mut seen = std::collections::BTreeSet::new();
    let marks = std::mem::take(&mut b.marks);
    for m in marks {
        let place = match m.place {
            Place::Site(s) => Place::Site(new[s as usize]),
            edge @ Place::Edge(_) => edge,
        };
        if seen.insert((place, m.glyph.clone())) {
            b.marks.push(Mark { place, ..m });
        }
    }
}

impl Board {
    /// The sites reachable along `next`, including the start, in increasing order.
    pub fn closure<I: Iterator<Item = u32>>(
        &self,
        start: u32,
        mut next: impl FnMut(u32) -> I,
    ) -> Vec<u32> {
        let mut seen = vec![false; self.sites()];
        let mut found = Vec::new();
        if (start as usize) < seen.len() {
            seen[start as usize] = true;
            found.push(start);
        }
        let mut i = 0;
        while let Some(&s) = found.get(i) {
            i += 1;
            for t in next(s) {
                if !std::mem::replace(&mut seen[t as usize], true) {
                    found.push(t);
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// Elements at or above an element, present or not.
    #[must_use]
    pub fn above(&self, site: u32) -> Vec<u32> {
        self.closure(site, |s| self.leaving(s).iter().map(|(_, t)| *t))
    }

    /// Elements at or below an element, present or not.
    #[must_use]
    pub fn below(&self, site: u32) -> Vec<u32> {
        self.closure(site, |s| self.entering(s).iter().map(|(_, t)| *t))
    }

    /// The maximal sites (nothing above) and the minimal sites (nothing below).
    #[must_use]
    pub fn extremes(&self) -> (Vec<u32>, Vec<u32>) {
        let sites = 0..u32::try_from(self.sites()).unwrap_or(u32::MAX);
        let top = sites.clone().filter(|s| self.leaving(*s).is_empty());
        let bottom = sites.clone().filter(|s| self.entering(*s).is_empty());
        (top.collect(), bottom.collect())
    }

    /// A directed cycle, as the list of its sites, if there is one.
    #[must_use]
    pub fn find_cycle(&self) -> Option<Vec<u32>> {
        let n = self.sites();
        let mut degree: Vec<usize> = (0u32..).take(n).map(|s| self.leaving(s).len()).collect();
        let mut queue: Vec<u32> = (0u32..)
            .take(n)
            .filter(|s| degree[*s as usize] == 0)
            .collect();
        // Remove sinks repeatedly; each remaining site has an arc to a remaining site.
        while let Some(s) = queue.pop() {
            for (_, t) in self.entering(s) {
                degree[*t as usize] -= 1;
                if degree[*t as usize] == 0 {
                    queue.push(*t);
                }
            }
        }
        let first = (0u32..).take(n).find(|s| degree[*s as usize] > 0)?;
        let mut at = vec![usize::MAX; n];
        let mut walk = Vec::new();
        let mut s = first;
        loop {
            if at[s as usize] != usize::MAX {
                return Some(walk.split_off(at[s as usize]));
            }
            at[s as usize] = walk.len();
            walk.push(s);
            let next = self.leaving(s).iter();
            s = next.map(|(_, t)| *t).find(|t| degree[*t as usize] > 0)?;
        }
    }

    /// The covering pairs (below, above) of the order induced on the elements for which `present` holds. On a poset of more
    /// than 1500 elements the result may contain further pairs, implied by the others, since removing these takes too long.
    #[must_use]
    pub fn covers(&self, present: &dyn Fn(u32) -> bool) -> Vec<(u32, u32)> {
        let n = u32::try_from(self.sites()).unwrap_or(u32::MAX);
        if n > 1500 {
            return self.generators(present);
        }
        // A poset under construction merges the elements of a cycle, so there is none.
        let Some(order) = self.downwards() else {
            return self.generators(present);
        };
        let words = (n as usize).div_ceil(64);
        let has = |set: &[u64], s: u32| set[s as usize / 64] >> (s % 64) & 1 == 1;
        let or = |set: &mut [u64], more: &[u64]| {
            set.iter_mut().zip(more).for_each(|(a, b)| *a |= b);
        };
        // For each element, the present ones above it.
        let mut above = vec![vec![0u64; words]; n as usize];
        for s in order {
            let mut up = std::mem::take(&mut above[s as usize]);
            for (_, t) in self.leaving(s) {
                or(&mut up, &above[*t as usize]);
                if present(*t) {
                    up[*t as usize / 64] |= 1 << (t % 64);
                }
            }
            above[s as usize] = up;
        }
        let mut pairs = Vec::new();
        let mut indirect = vec![0u64; words];
        for s in (0..n).filter(|s| present(*s)) {
            let up = &above[s as usize];
            indirect.fill(0);
            for t in (0..n).filter(|t| has(up, *t)) {
                or(&mut indirect, &above[t as usize]);
            }
            let covering = (0..n).filter(|t| has(up, *t) && !has(&indirect, *t));
            pairs.extend(covering.map(|t| (s, t)));
        }
        pairs
    }

    /// The sites in an order in which no arc leads from an earlier one to a later one; `None` if there is a cycle.
    fn downwards(&self) -> Option<Vec<u32>> {
        let n = self.sites();
        let mut degree: Vec<usize> = (0u32..).take(n).map(|s| self.leaving(s).len()).collect();
        let mut order: Vec<u32> = (0u32..)
            .take(n)
            .filter(|s| degree[*s as usize] == 0)
            .collect();
        let mut next = 0;
        while let Some(&s) = order.get(next) {
            next += 1;
            for (_, t) in self.entering(s) {
                degree[*t as usize] -= 1;
                if degree[*t as usize] == 0 {
                    order.push(*t);
                }
            }
        }
        (order.len() == n).then_some(order)
    }

    /// Pairs that generate the induced order: each path from a present element through absent ones to the next present
    /// element.
    fn generators(&self, present: &dyn Fn(u32) -> bool) -> Vec<(u32, u32)> {
        let n = self.sites();
        let mut pairs = Vec::new();
        let mut seen = vec![u32::MAX; n];
        for s in (0u32..).take(n).filter(|s| present(*s)) {
            let mut work: Vec<u32> = self.leaving(s).iter().map(|(_, t)| *t).collect();
            while let Some(t) = work.pop() {
                if std::mem::replace(&mut seen[t as usize], s) == s {
                    continue;
                }
                if present(t) {
                    pairs.push((s, t));
                } else {
                    work.extend(self.leaving(t).iter().map(|(_, w)| *w));
                }
            }
        }
        pairs
    }
}
