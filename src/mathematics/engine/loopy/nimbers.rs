//! Loopy nimbers. Input: a graph of moves that both players share. Output: a nimber or `oo{K}` for each vertex.
//!
//! A vertex gets the label m if m is the least number that is not a label of its options, and each unlabelled option has an
//! option with the label m: then the game is equal to *m. A vertex that gets no label is `oo{K}`, where K is the set of the
//! labels of its options: beside *m the first player wins it if m is in K, and nobody does if m is not (Smith 1966, *Graphs
//! and composite games*; Fraenkel and Perl 1975; *Winning Ways*, chapter 12; Siegel, IV.4). Sums: nimbers by nim-addition,
//! oo{K} + *m = oo{K xor m}, oo{K} + oo{L} = oo{}.

use super::{Target, Theory};
use crate::game::Limit;
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
                let mut all: Vec<u32> = k.iter().map(|n| n ^ m).collect();
                all.sort_unstable();
                Smith::Infinite(all)
            }
            (Smith::Infinite(_), Smith::Infinite(_)) => Smith::Infinite(Vec::new()),
        }
    }
}

impl fmt::Display for Smith {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Smith::Nimber(0) => f.write_str("0"),
            Smith::Nimber(1) => f.write_str("*"),
            Smith::Nimber(n) => write!(f, "*{n}"),
            Smith::Infinite(k) => {
                let all: Vec<String> = k.iter().map(u32::to_string).collect();
                write!(f, "oo{{{}}}", all.join(","))
            }
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

    fn solve(&mut self, vertices: Vec<[Vec<Target<Smith>>; 2]>) -> Result<Vec<Smith>, Limit> {
        let moves: Vec<Vec<Target<Smith>>> = vertices.into_iter().map(|[left, _]| left).collect();
        let n = moves.len();
        let mut label: Vec<Option<u32>> = vec![None; n];
        let of = |label: &[Option<u32>], to: &Target<Smith>| match to {
            Target::In(w) => label[*w],
            Target::Out(Smith::Nimber(m)) => Some(*m),
            Target::Out(Smith::Infinite(_)) => None,
        };
        // Whether an unlabelled option has an option with the label m.
        let reverts = |label: &[Option<u32>], to: &Target<Smith>, m: u32| match to {
            Target::In(w) => moves[*w].iter().any(|t| of(label, t) == Some(m)),
            Target::Out(Smith::Infinite(k)) => k.contains(&m),
            Target::Out(Smith::Nimber(_)) => false,
        };
        // A label is at most the number of moves.
        let most = moves.iter().map(Vec::len).max().unwrap_or(0) as u32;
        for m in 0..=most {
            loop {
                let mut changed = false;
                for v in 0..n {
                    if label[v].is_some() {
                        continue;
                    }
                    let labels: Vec<u32> = moves[v].iter().filter_map(|t| of(&label, t)).collect();
                    let least = (0..m).all(|k| labels.contains(&k)) && !labels.contains(&m);
                    let mut rest = moves[v].iter().filter(|t| of(&label, t).is_none());
                    if least && rest.all(|t| reverts(&label, t, m)) {
                        label[v] = Some(m);
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
        }
        let value = |v: usize| match label[v] {
            Some(m) => Smith::Nimber(m),
            None => {
                let mut all: Vec<u32> = moves[v].iter().filter_map(|t| of(&label, t)).collect();
                all.sort_unstable();
                all.dedup();
                Smith::Infinite(all)
            }
        };
        Ok((0..n).map(value).collect())
    }
}
