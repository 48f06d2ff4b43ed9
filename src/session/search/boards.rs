//! The boards of a search. Input: the size of the search; output: the boards to be filled, small ones first, one of each
//! isomorphism class, with their symmetries.

use super::symmetry::{Permutation, automorphisms, first_automorphisms, turns};
use crate::base::Span;
use crate::ir::board::{Builder, Heap, encoded};
use crate::ir::domains::{self, Digraphs};
use crate::ir::{Board, Fault, Instance, Int, Res, Val};
use crate::model::typed::{BoardKind, Catalogue, Form};
use std::sync::Arc;

/// The boards of one size.
pub(super) struct Size {
    /// The name of the size: `3 vertices`, `2x3`.
    pub name: String,
    /// The boards, with their symmetries.
    pub boards: Vec<(Arc<Board>, Vec<Permutation>)>,
}

/// The source of the boards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BoardSource {
    /// All boards up to a size: one number; two for rows and columns; or the number of heaps and their size.
    Size(Vec<u32>),
    /// These boards, as written in the language or in the formats of nauty.
    Given(Vec<Arc<Board>>),
}

fn refuse(message: impl Into<String>) -> Box<Fault> {
    Fault::new(crate::ir::Code::Argument, Span::default(), message)
}

/// The sizes of the boards up to a size, smallest first.
pub(super) fn sizes(from: &BoardSource, kind: BoardKind) -> Res<Vec<Vec<u32>>> {
    let BoardSource::Size(up_to) = from else {
        return Ok(vec![Vec::new()]);
    };
    Ok(match (kind.form(), &up_to[..]) {
        (Form::Scalars, [_]) => vec![Vec::new()],
        (Form::Cells, [m, n]) if kind.has_rows() => {
            let mut all: Vec<Vec<u32>> = (1..=*m)
                .flat_map(|i| (1..=*n).map(move |j| vec![i, j]))
                .collect();
            all.sort_by_key(|s| (s[0] * s[1], s[0].min(s[1]), s[0]));
            all
        }
        (Form::Cells, [n]) if kind.has_rows() => {
            return sizes(&BoardSource::Size(vec![*n, *n]), kind);
        }
        (Form::Heaps, [h, n]) => (0..=*h)
            .flat_map(|i| (u32::from(i > 0)..=if i == 0 { 0 } else { *n }).map(move |j| vec![i, j]))
            .collect(),
        (Form::Heaps, [n]) => return sizes(&BoardSource::Size(vec![1, *n]), kind),
        (Form::Cells | Form::Chains, [n]) => (1..=*n).map(|i| vec![i]).collect(),
        (_, all) => {
            return Err(refuse(format!(
                "a size of {} numbers for a board of kind {}: grids take rows x columns (4x4), heaps their number x \
                 their size (3x10), other boards one number",
                all.len(),
                Board::kind_name(kind)
            )));
        }
    })
}

/// The boards of one size. `free` says that the rules do not distinguish directions and places.
pub(super) fn of_size(
    from: &BoardSource,
    instance: &Instance,
    size: &[u32],
    free: bool,
    charge: domains::Charge<'_>,
) -> Res<Size> {
    let kind = instance.rules.board;
    let span = Span::default();
    let alone = |board: &Board| -> Vec<Permutation> {
        let n = u32::try_from(board.sites()).unwrap_or(u32::MAX);
        vec![(0..n).collect()]
    };
    let symmetries = |board: &Board| match (kind.form(), board.shape) {
        _ if !free => alone(board),
        (Form::Cells, Some((m, n))) => turns(m, n, board.wrap),
        (Form::Chains, _) => automorphisms(board),
        _ => alone(board),
    };
    let count = size.first().copied().unwrap_or(0);
    let (name, boards): (String, Vec<Arc<Board>>) = match (from, kind.form()) {
        (BoardSource::Given(boards), _) => ("given".to_owned(), boards.clone()),
        (_, Form::Scalars) => ("numbers".to_owned(), vec![Arc::new(Board::empty(kind))]),
        (_, Form::Cells) if kind.is_row() => (
            format!("1x{count}"),
            vec![Arc::new(Board::cells(kind, 1, count, span)?)],
        ),
        (_, Form::Cells) => {
            let (m, n) = (count, size.get(1).copied().unwrap_or(0));
            // The transposed rectangle is the same board.
            let twice = free && m > n;
            let boards = if twice {
                Vec::new()
            } else {
                vec![Arc::new(Board::cells(kind, m, n, span)?)]
            };
            (format!("{m}x{n}"), boards)
        }
        (_, Form::Heaps) => {
            let arity = kind.heap_of().unwrap_or(1);
            let largest = size.get(1).copied().unwrap_or(0);
            let boards = heaps(kind, arity, count, largest, charge)?;
            let name = match count {
                0 => "no heap".to_owned(),
                1 => format!("a heap of {largest}"),
                h => format!("{h} heaps, the largest of {largest}"),
            };
            (name, boards)
        }
        (_, Form::Chains) => {
            let all = match Catalogue::ALL.iter().find(|c| c.kind() == kind) {
                Some(which) => {
                    let all = domains::boards(*which, &Int::from(i64::from(count)), span, charge)?;
                    let boards = all.into_iter().filter_map(|v| match v {
                        Val::Board(b) => Some(b),
                        _ => None,
                    });
                    boards.collect()
                }
                None => {
                    let which = if instance.rules.acyclic {
                        Digraphs::Acyclic
                    } else {
                        Digraphs::All
                    };
                    domains::digraphs(which, count as usize, span, charge)?
                }
            };
            let descriptor = kind.descriptor();
            let what = match count {
                1 => descriptor.one,
                _ => descriptor.sites,
            };
            (format!("{count} {what}"), all)
        }
    };
    let boards = match &instance.rules.root {
        Some(root) => {
            let mut rooted = Vec::new();
            for board in boards {
                charge(1)?;
                rooted.extend(with_roots(&board, root)?);
            }
            rooted
        }
        None => boards,
    };
    Ok(Size {
        name,
        boards: boards
            .into_iter()
            .map(|b| {
                let s = symmetries(&b);
                (b, s)
            })
            .collect(),
    })
}

/// The multisets of `count` heaps whose largest heap (by its largest number) has size `largest`.
fn heaps(
    kind: BoardKind,
    arity: u8,
    count: u32,
    largest: u32,
    charge: domains::Charge<'_>,
) -> Res<Vec<Arc<Board>>> {
    // All heaps, sorted by their largest number.
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..arity {
        charge(all.len() as u64 * u64::from(largest))?;
        all = all
            .iter()
            .flat_map(|h| {
                (0..=largest).map(move |n| {
                    let mut h = h.clone();
                    h.push(n);
                    h
                })
            })
            .collect();
    }
    all.retain(|h| h.iter().any(|n| *n > 0));
    all.sort_by_key(|h| (h.iter().max().copied(), h.clone()));
    let mut found = Vec::new();
    if count > 0 && all.is_empty() {
        return Ok(found);
    }
    let mut at = vec![0usize; count as usize];
    loop {
        charge(u64::from(count) + 1)?;
        let is_largest = at
            .last()
            .is_none_or(|i| all[*i].iter().max() == Some(&largest));
        if is_largest {
            let mut board = Board::empty(kind);
            board.heaps = at
                .iter()
                .map(|i| all[*i].iter().map(|n| Int::from(*n)).collect::<Heap>())
                .collect();
            found.push(Arc::new(board));
        }
        // Enumerates non-decreasing lists: increment the first entry that may grow, and reset those before it.
        let Some(i) = (0..at.len()).find(|i| {
            let top = at
                .get(i + 1)
                .copied()
                .unwrap_or(all.len().saturating_sub(1));
            at[*i] < top
        }) else {
            return Ok(found);
        };
        at[i] += 1;
        at[..i].fill(0);
    }
}

/// A connected graph with a root, once for each orbit of its vertices.
fn with_roots(board: &Board, root: &str) -> Res<Vec<Arc<Board>>> {
    let n = u32::try_from(board.sites()).unwrap_or(u32::MAX);
    if board.root.is_some() {
        return Ok(vec![Arc::new(board.clone())]);
    }
    let reached = board.closure(0, |s| {
        let all: Vec<u32> = board.incident(s).map(|(_, t)| t).collect();
        all.into_iter()
    });
    if reached.len() != n as usize {
        return Ok(Vec::new());
    }
    // Any automorphism shows that two vertices are in one orbit, and none maps the least vertex of an orbit lower. So some of
    // the automorphisms suffice, though with fewer an orbit may occur more than once.
    let symmetries = first_automorphisms(board);
    let mut found = Vec::new();
    for r in 0..n {
        if symmetries.iter().any(|p| p[r as usize] < r) {
            continue;
        }
        let mut b = Builder::new(board.kind, Span::default());
        let at_root = b.site(Val::name(root))?;
        b.root = Some(at_root);
        let mut number = Vec::with_capacity(n as usize);
        for s in 0..n {
            number.push(if s == r {
                at_root
            } else {
                b.site(board.label(s))?
            });
        }
        for (u, v) in &board.lines {
            b.line(number[*u as usize], number[*v as usize])?;
        }
        found.push(Arc::new(b.finish()));
    }
    Ok(found)
}

/// Reads boards in the formats of nauty, one a line: graph6, sparse6 (`:`), digraph6 (`&`). Blank lines are skipped.
///
/// # Errors
/// What is wrong with the first faulty line.
pub fn read_lines(text: &str, kind: BoardKind) -> Res<Vec<Arc<Board>>> {
    let mut all = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let bare = line
            .trim_start_matches(">>graph6<<")
            .trim_start_matches(">>sparse6<<")
            .trim_start_matches(">>digraph6<<");
        let format = match bare.as_bytes().first() {
            None => continue,
            Some(b':') => "sparse6",
            Some(b'&') => "digraph6",
            Some(_) => "graph6",
        };
        let board = encoded::parse(format, bare, Span::default())
            .and_then(|b| fit(b, kind))
            .map_err(|fault| refuse(format!("line {number}: {}", fault.message)))?;
        all.push(Arc::new(board));
    }
    Ok(all)
}

/// Turns a digraph into the pairs of a poset where an order is wanted; otherwise the board must already be of the kind.
fn fit(board: Board, kind: BoardKind) -> Res<Board> {
    match (board.kind, kind) {
        (a, b) if a == b => Ok(board),
        (a, b) if a.has_arcs() && b.is_order() => {
            let mut b = Builder::new(kind, Span::default());
            for s in 0..u32::try_from(board.sites()).unwrap_or(u32::MAX) {
                b.site(board.label(s))?;
            }
            for (u, v) in &board.lines {
                b.line(*u, *v)?;
            }
            Ok(b.finish())
        }
        (a, b) => Err(refuse(format!(
            "a {} where a {} is expected",
            Board::kind_name(a),
            Board::kind_name(b)
        ))),
    }
}
