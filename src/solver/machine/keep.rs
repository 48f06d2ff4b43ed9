//! `keep reach(root)`: after a move, the edges that are no longer joined to the root are removed.
//!
//! The input is a packed state, the output the state without these edges. Edges are followed by masks.

use super::index::each;
use super::pack::{Layout, and, is_gone, or};
use crate::ir::ground::Ground;

/// The edges that `keep reach(..)` follows.
#[derive(Clone, Debug)]
pub(super) struct Keep<const N: usize> {
    /// The edges that have a field. `bit` is set while the edge is there; `touching` has the bits of the edges that share an
    /// end with it.
    pub edges: Vec<KeepEdge<N>>,
    /// The number of the edge with this bit, by word * 64 + bit. The bit of an edge is set while the edge is there.
    pub at_bit: Vec<u16>,
    /// The bits of all edges, and of the edges at the root.
    pub all: [u64; N],
    pub at_root: [u64; N],
    /// The fields of all edges.
    pub fields: [u64; N],
    /// The patterns written to removed edges.
    pub gone: [u64; N],
    /// Whether every edge that is there is joined to the root, at the start and after every move.
    pub joined: bool,
    pub root: u32,
    /// The edge of each field; `u16::MAX` for other fields.
    of_field: Vec<u16>,
}

#[derive(Clone, Debug)]
pub(super) struct KeepEdge<const N: usize> {
    pub bit: [u64; N],
    pub field: [u64; N],
    pub touching: [u64; N],
    /// Fields of the edges that share an end other than the root.
    pub joined: [u64; N],
    pub ends: (u32, u32),
    pub var_field: usize,
}

/// The edges of `there` that are joined to `others` by a path of edges of `there`; `touching` gives the edges that share an
/// end with the edge of a bit.
#[inline]
pub(super) fn joined_to<'e, const N: usize>(
    there: &[u64; N],
    others: &[u64; N],
    touching: impl Fn(usize) -> &'e [u64; N],
) -> [u64; N] {
    let mut reached = and(there, others);
    let mut frontier = reached;
    while reached != *there {
        let mut near = [0; N];
        each(&frontier, |bit| or(&mut near, touching(bit)));
        let mut any = false;
        for w in 0..N {
            frontier[w] = near[w] & there[w] & !reached[w];
            reached[w] |= frontier[w];
            any |= frontier[w] != 0;
        }
        if !any {
            break;
        }
    }
    reached
}

impl<const N: usize> Keep<N> {
    /// The edge with this field.
    pub(super) fn edge_of(&self, field: usize) -> Option<&KeepEdge<N>> {
        self.edges.get(usize::from(*self.of_field.get(field)?))
    }

    /// The fields of the edges that are there.
    pub(super) fn fields_there(&self, state: &[u64; N]) -> [u64; N] {
        let mut fields = [0; N];
        let there = and(state, &self.all);
        for (w, word) in there.iter().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                let bit = w * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                or(
                    &mut fields,
                    &self.edges[usize::from(self.at_bit[bit])].field,
                );
            }
        }
        fields
    }

    /// Removes the edges that are not joined to the root.
    pub(super) fn cut(&self, state: &mut [u64; N]) {
        let there = and(state, &self.all);
        let touching = |bit: usize| &self.edges[usize::from(self.at_bit[bit])].touching;
        let reached = joined_to(&there, &self.at_root, touching);
        for w in 0..N {
            let mut rest = there[w] & !reached[w];
            while rest != 0 {
                let bit = w * 64 + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let field = &self.edges[usize::from(self.at_bit[bit])].field;
                for (i, word) in state.iter_mut().enumerate() {
                    *word = (*word & !field[i]) | (self.gone[i] & field[i]);
                }
            }
        }
    }
}

/// The edges of a board.
pub(super) fn edges<const N: usize>(ground: &Ground, layout: &Layout, root: u32) -> Keep<N> {
    let board = &ground.setting.board;
    let mut keep = Keep {
        edges: Vec::new(),
        at_bit: vec![0; 64 * N],
        all: [0; N],
        at_root: [0; N],
        fields: [0; N],
        gone: [0; N],
        joined: true,
        root,
        of_field: vec![u16::MAX; layout.fields.len()],
    };
    for (e, (u, v)) in board.lines.iter().enumerate() {
        let var = ground.vars.edge(u32::try_from(e).unwrap_or(u32::MAX));
        let Some(f) = var.and_then(|v| layout.of_var[v as usize]) else {
            continue;
        };
        let field = &layout.fields[f];
        let there = ground.values[field.var as usize]
            .iter()
            .enumerate()
            .filter(|(_, v)| !is_gone(v))
            .fold(0u64, |s, (i, _)| s | 1 << i);
        let bit = layout.bits_of(f, there).trailing_zeros();
        let mut own = KeepEdge {
            bit: [0; N],
            field: [0; N],
            touching: [0; N],
            joined: [0; N],
            ends: (*u, *v),
            var_field: f,
        };
        own.bit[field.word] = 1 << (field.shift + bit);
        own.field[field.word] = field.mask;
        keep.at_bit[field.word * 64 + (field.shift + bit) as usize] =
            u16::try_from(keep.edges.len()).unwrap_or(0);
        if let Some(n) = ground.values[field.var as usize].iter().position(is_gone) {
            keep.gone[field.word] |= field.patterns[n] << field.shift;
        }
        or(&mut keep.all, &own.bit);
        or(&mut keep.fields, &own.field);
        if *u == root || *v == root {
            or(&mut keep.at_root, &own.bit);
        }
        keep.of_field[f] = u16::try_from(keep.edges.len()).unwrap_or(u16::MAX);
        keep.edges.push(own);
    }
    let all: Vec<((u32, u32), [u64; N], [u64; N])> = keep
        .edges
        .iter()
        .map(|e| (e.ends, e.bit, e.field))
        .collect();
    for e in &mut keep.edges {
        for (ends, bit, field) in &all {
            let share = |s: u32| ends.0 == s || ends.1 == s;
            if share(e.ends.0) || share(e.ends.1) {
                or(&mut e.touching, bit);
            }
            if [e.ends.0, e.ends.1].iter().any(|s| *s != root && share(*s)) {
                or(&mut e.joined, field);
            }
        }
    }
    keep
}
