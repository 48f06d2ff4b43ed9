//! Loopy nimbers. Input: a graph of moves that both players share. Output: a nimber or `oo{K}` for each vertex.
//!
//! A vertex gets the label m if m is the least number that is not a label of its options, and each unlabelled option has an
//! option with the label m: then the game is equal to *m. A vertex that gets no label is `oo{K}`, where K is the set of the
//! labels of its options: beside *m the first player wins it if m is in K, and nobody does if m is not (Smith 1966, *Graphs
//! and composite games*; Fraenkel and Perl 1975; *Winning Ways*, chapter 12; Siegel, IV.4). Sums: nimbers by nim-addition,
//! oo{K} + *m = oo{K xor m}, oo{K} + oo{L} = oo{}.

use super::{Target, Theory};
use crate::game::{Budget, Limit};
use crate::value::notation::Style;
use num_bigint::BigInt;
use num_traits::{One, Zero};
use std::fmt;

/// The value of an impartial game in sums of impartial games.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Smith {
    /// A nimber.
    Nimber(u32),
    /// `oo{K}`: a game that is not equal to a nimber; K is sorted.
    Infinite(Vec<u32>),
}

impl Smith {
    /// The value of the sum.
    #[must_use]
    pub fn plus(&self, other: &Smith) -> Smith {
        match (self, other) {
            (Smith::Nimber(a), Smith::Nimber(b)) => Smith::Nimber(a ^ b),
            (Smith::Infinite(k), Smith::Nimber(m)) | (Smith::Nimber(m), Smith::Infinite(k)) => {
                Smith::infinite(k.iter().map(|n| n ^ m).collect())
            }
            (Smith::Infinite(_), Smith::Infinite(_)) => Smith::Infinite(Vec::new()),
        }
    }

    /// The infinite nimber of a set, given in any order.
    #[must_use]
    pub fn infinite(mut set: Vec<u32>) -> Smith {
        set.sort_unstable();
        set.dedup();
        Smith::Infinite(set)
    }

    /// The value of n copies. Two copies of an infinite nimber have no labelled options, and further ones change nothing.
    #[must_use]
    pub fn times(&self, n: &BigInt) -> Smith {
        match self {
            _ if n.is_zero() => Smith::Nimber(0),
            Smith::Nimber(_) if !n.bit(0) => Smith::Nimber(0),
            Smith::Infinite(_) if !n.magnitude().is_one() => Smith::Infinite(Vec::new()),
            own => own.clone(),
        }
    }

    /// The text; that of an infinite nimber in the given style.
    #[must_use]
    pub fn text(&self, style: Style) -> String {
        let Smith::Infinite(k) = self else {
            return self.to_string();
        };
        let all: Vec<String> = k.iter().map(u32::to_string).collect();
        let all = all.join(",");
        match style {
            Style::Ascii => format!("oo{{{all}}}"),
            Style::Unicode => format!("∞{{{all}}}"),
            Style::Latex => format!(r"\infty_{{{all}}}"),
        }
    }
}

impl fmt::Display for Smith {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Smith::Nimber(0) => f.write_str("0"),
            Smith::Nimber(1) => f.write_str("*"),
            Smith::Nimber(n) => write!(f, "*{n}"),
            Smith::Infinite(_) => f.write_str(&self.text(Style::Ascii)),
        }
    }
}

/// The theory of loopy nimbers, for games in which both players have the same moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nimbers;

impl Theory for Nimbers {
    type Value = Smith;

    fn zero(&mut self) -> Result<Smith, Limit> {
        Ok(Smith::Nimber(0))
    }

    fn negate(&mut self, value: &Smith) -> Result<Smith, Limit> {
        Ok(value.clone())
    }

    fn add(&mut self, a: &Smith, b: &Smith) -> Result<Smith, Limit> {
        Ok(a.plus(b))
    }

    fn solve(
        &mut self,
        vertices: Vec<[Vec<Target<Smith>>; 2]>,
        budget: &Budget,
    ) -> Result<Vec<Smith>, Limit> {
        let graph = Graph::new(vertices);
        let label = graph.labels(budget)?;
        let value = |v: usize| match label[v] {
            Some(m) => Smith::Nimber(m),
            None => {
                let mut all = graph.nimbers[v].clone();
                all.extend(graph.inner[v].iter().filter_map(|w| label[*w]));
                Smith::infinite(all)
            }
        };
        Ok((0..label.len()).map(value).collect())
    }
}

/// How many edges are passed between two looks at the token.
const LOOK: u32 = 1 << 12;

/// The moves of each vertex, without repetitions.
struct Graph {
    /// The options within the graph, and the vertices of which a vertex is such an option.
    inner: Vec<Vec<usize>>,
    before: Vec<Vec<usize>>,
    /// The nimbers among the options outside, sorted.
    nimbers: Vec<Vec<u32>>,
    /// The sets K of the other options outside.
    infinite: Vec<Vec<Vec<u32>>>,
}

impl Graph {
    fn new(vertices: Vec<[Vec<Target<Smith>>; 2]>) -> Graph {
        let n = vertices.len();
        let mut graph = Graph {
            inner: vec![Vec::new(); n],
            before: vec![Vec::new(); n],
            nimbers: vec![Vec::new(); n],
            infinite: vec![Vec::new(); n],
        };
        for (v, [left, _]) in vertices.into_iter().enumerate() {
            for to in left {
                match to {
                    Target::In(w) => graph.inner[v].push(w),
                    Target::Out(Smith::Nimber(m)) => graph.nimbers[v].push(m),
                    Target::Out(Smith::Infinite(k)) => graph.infinite[v].push(k),
                }
            }
            graph.inner[v].sort_unstable();
            graph.inner[v].dedup();
            graph.nimbers[v].sort_unstable();
            graph.nimbers[v].dedup();
            for w in &graph.inner[v] {
                graph.before[*w].push(v);
            }
        }
        graph
    }

    /// The labels, in rounds: round m gives the label m.
    ///
    /// An option that gets a label above m in a later round has an option with the label m already, so it satisfies the
    /// condition for m either way, and no round is repeated. A vertex stays a candidate as long as its options have all
    /// labels so far. Within a round, each candidate counts the unlabelled options that have no option with the label m.
    fn labels(&self, budget: &Budget) -> Result<Vec<Option<u32>>, Limit> {
        let n = self.inner.len();
        let mut label: Vec<Option<u32>> = vec![None; n];
        // The last round, plus 1, in which an option within the graph got the label of the round.
        let mut reached = vec![0u32; n];
        // The candidates of the round, and how many of their options hinder them.
        let mut counted = vec![0u32; n];
        let mut hindered = vec![0usize; n];
        let mut candidates: Vec<usize> = (0..n).collect();
        let mut edges = 0u32;
        let mut pass = || {
            edges = (edges + 1) % LOOK;
            if edges == 0 { budget.check() } else { Ok(()) }
        };
        // A vertex that is a candidate in round m has at least m options.
        let mut m = 0u32;
        while !candidates.is_empty() {
            let round = m.saturating_add(1);
            let has = |reached: &[u32], v: usize| {
                reached[v] == round || self.nimbers[v].binary_search(&m).is_ok()
            };
            let mut found = Vec::new();
            for v in &candidates {
                let mut hinder = 0;
                for w in &self.inner[*v] {
                    pass()?;
                    hinder += usize::from(label[*w].is_none() && !has(&reached, *w));
                }
                let others = self.infinite[*v].iter();
                hinder += others.filter(|k| k.binary_search(&m).is_err()).count();
                (counted[*v], hindered[*v]) = (round, hinder);
                if hinder == 0 && !has(&reached, *v) {
                    found.push(*v);
                }
            }
            while let Some(v) = found.pop() {
                // An option may have got the label since.
                if label[v].is_some() || has(&reached, v) {
                    continue;
                }
                label[v] = Some(m);
                for p in &self.before[v] {
                    pass()?;
                    if has(&reached, *p) {
                        continue;
                    }
                    reached[*p] = round;
                    if label[*p].is_some() {
                        continue;
                    }
                    for q in &self.before[*p] {
                        pass()?;
                        if counted[*q] == round {
                            hindered[*q] = hindered[*q].saturating_sub(1);
                            if hindered[*q] == 0 {
                                found.push(*q);
                            }
                        }
                    }
                }
            }
            candidates.retain(|v| label[*v].is_none() && has(&reached, *v));
            m = round;
        }
        Ok(label)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Cancel, Limits};

    fn budget() -> Budget {
        Budget::new(&Limits::default(), Cancel::new())
    }

    fn solved(moves: &[Vec<Target<Smith>>]) -> Vec<Smith> {
        let both = moves.iter().map(|m| [m.clone(), m.clone()]).collect();
        Nimbers.solve(both, &budget()).unwrap()
    }

    /// The labels by the definition alone: any vertex that may get a label gets it, until none may.
    fn by_definition(moves: &[Vec<Target<Smith>>]) -> Vec<Smith> {
        let n = moves.len();
        let mut label: Vec<Option<u32>> = vec![None; n];
        let of = |label: &[Option<u32>], to: &Target<Smith>| match to {
            Target::In(w) => label[*w],
            Target::Out(Smith::Nimber(m)) => Some(*m),
            Target::Out(Smith::Infinite(_)) => None,
        };
        let labels = |label: &[Option<u32>], v: usize| -> Vec<u32> {
            moves[v].iter().filter_map(|t| of(label, t)).collect()
        };
        while let Some((v, m)) = (0..n).find_map(|v| {
            let own = labels(&label, v);
            let m = (0..).find(|m| !own.contains(m))?;
            let reverts = |t: &Target<Smith>| match t {
                Target::In(w) => labels(&label, *w).contains(&m),
                Target::Out(Smith::Infinite(k)) => k.contains(&m),
                Target::Out(Smith::Nimber(_)) => false,
            };
            let mut rest = moves[v].iter().filter(|t| of(&label, t).is_none());
            (label[v].is_none() && rest.all(reverts)).then_some((v, m))
        }) {
            label[v] = Some(m);
        }
        let value = |v: usize| match label[v] {
            Some(m) => Smith::Nimber(m),
            None => {
                let mut all = labels(&label, v);
                all.sort_unstable();
                all.dedup();
                Smith::Infinite(all)
            }
        };
        (0..n).map(value).collect()
    }

    #[test]
    fn labels_follow_the_definition() {
        let mut seed = 1u64;
        let mut below = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % n
        };
        let mut kinds = [0, 0];
        for _ in 0..4000 {
            let n = 1 + below(8);
            let mut moves: Vec<Vec<Target<Smith>>> = Vec::new();
            for _ in 0..n {
                let options = (0..below(5)).map(|_| match below(8) {
                    0 => Target::Out(Smith::Nimber(below(3) as u32)),
                    1 => Target::Out(Smith::Infinite((0..below(3) as u32).collect())),
                    _ => Target::In(below(n) as usize),
                });
                moves.push(options.collect());
            }
            let found = solved(&moves);
            assert_eq!(found, by_definition(&moves), "{moves:?}");
            for value in found {
                kinds[usize::from(matches!(value, Smith::Nimber(_)))] += 1;
            }
        }
        assert!(kinds[0] > 1000 && kinds[1] > 1000, "{kinds:?}");
    }

    /// A long path into a cycle: labels go backwards from the end of a path, one vertex at a time. By hand: along the path
    /// 0 and 1 alternate from its end; on a cycle without an exit nobody ever has to stop.
    #[test]
    fn a_long_path_takes_linear_time() {
        let n = 200_000;
        let mut moves: Vec<Vec<Target<Smith>>> = (0..n).map(|v| vec![Target::In(v + 1)]).collect();
        moves.push(Vec::new());
        let found = solved(&moves);
        for (v, value) in found.iter().enumerate() {
            assert_eq!(*value, Smith::Nimber(((n - v) % 2) as u32));
        }
        moves[n] = vec![Target::In(0)];
        let found = solved(&moves);
        assert!(found.iter().all(|v| *v == Smith::Infinite(Vec::new())));
    }

    #[test]
    fn a_cancelled_token_ends_it() {
        let cancel = Cancel::new();
        let budget = Budget::new(&Limits::default(), cancel.clone());
        cancel.cancel();
        let n = 10_000;
        let moves: Vec<_> = (0..n).map(|v| vec![Target::In((v + 1) % n)]).collect();
        let both = moves.iter().map(|m| [m.clone(), m.clone()]).collect();
        assert!(matches!(
            Nimbers.solve(both, &budget),
            Err(Limit::Cancelled(_))
        ));
    }
}
