//! The followers of a position within some moves, each once, with their values, and the status of each option in the
//! canonical form (Siegel, *Combinatorial Game Theory*, II.2).

use super::algebra::memory;
use super::answer::Picture;
use super::card::{loopy_value, picture};
use super::fault::{comes_again, of_limit};
use super::figure::{Figure, figure};
use super::host::Answerer;
use crate::base::Span;
use crate::engine::arena::ToMove;
use crate::game::{Convention, Player};
use crate::ir::board::order::components;
use crate::ir::{Code, Fault, Position, Res};
use crate::value::CanonicalForm;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most positions of one tree.
pub const MOST: usize = 400;

/// A position of the tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Node {
    /// The position.
    #[serde(flatten)]
    pub picture: Picture,
    /// The least number of moves that lead to it.
    pub level: usize,
    /// Its value, for two players and normal play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// The status of an option.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum Status {
    /// It is an option of the canonical form.
    Canonical,
    /// Another option is better.
    Dominated {
        /// The better value.
        by: String,
    },
    /// A reply reverses it.
    Reversible {
        /// The value of the reply.
        reply: String,
    },
    /// There are no values.
    Plain,
}

/// An option.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Edge {
    /// The index of the position that has the option.
    pub from: usize,
    /// The index of the option.
    pub to: usize,
    /// The player, by place in the order of turns.
    pub player: u8,
    /// Its status.
    #[serde(flatten)]
    pub status: Status,
    /// Whether it lies on a cycle of the positions shown.
    #[serde(skip_serializing_if = "is_false")]
    pub cycle: bool,
}

#[allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands fields by reference"
)]
fn is_false(b: &bool) -> bool {
    !b
}

/// The followers of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Tree {
    /// The players in the order of turns.
    pub players: Vec<String>,
    /// The depth in moves.
    pub depth: usize,
    /// The positions; the first is the start.
    pub nodes: Vec<Node>,
    /// The options, in the order of the rules.
    pub edges: Vec<Edge>,
    /// The limit that was met before all values were found.
    #[serde(skip)]
    pub limit: Option<Box<Fault>>,
}

/// The followers of a position within `depth` moves.
///
/// # Errors
/// More than [`MOST`] positions; a rule that fails; a limit before the positions are listed.
pub fn tree(answerer: &Answerer<'_>, start: &Arc<Position>, depth: usize) -> Res<Tree> {
    let solver = answerer.solver();
    let span = Span::default();
    let valued = start.players() == 2
        && start.convention() == Convention::Normal
        && !solver.is_decided(start);
    let mut tree = Tree {
        players: (0..start.players())
            .map(|p| start.player_name(Player(p)).to_string())
            .collect(),
        depth,
        nodes: Vec::new(),
        edges: Vec::new(),
        limit: None,
    };
    let node = |position: &Position, level: usize| Node {
        picture: picture(position),
        level,
        value: None,
    };
    tree.nodes.push(node(start, 0));
    let mut known: BTreeMap<Arc<Position>, usize> = [(start.clone(), 0)].into();
    let mut positions = vec![start.clone()];
    let mut at = 0;
    while at < positions.len() {
        let level = tree.nodes[at].level;
        if level >= depth {
            break;
        }
        let position = positions[at].clone();
        for p in 0..position.players() {
            let to_move = ToMove {
                player: Player(p),
                reached: at > 0,
            };
            for moved in solver.moves(&position, to_move)? {
                let next = Arc::new(moved.position);
                let shown = followed(&tree.nodes[at].picture, &next, Player(p));
                let to = match known.get(&next) {
                    Some(to) => {
                        let own = tree.nodes[*to].picture.figure.as_mut();
                        if let (Some(own), Some(other)) = (own, shown) {
                            Arc::make_mut(own).agree(&other);
                        }
                        *to
                    }
                    None => {
                        let to = positions.len();
                        if to >= MOST {
                            return Err(Fault::new(
                                Code::TooMuch,
                                span,
                                format!("more than {MOST} positions follow within {depth} moves"),
                            )
                            .help("`--depth 1` shows fewer, and `cgdsl moves` the options alone, all of them with --all"));
                        }
                        let mut node = node(&next, level + 1);
                        if let Some(shown) = shown {
                            node.picture.figure = Some(Arc::new(shown));
                        }
                        tree.nodes.push(node);
                        known.insert(next.clone(), to);
                        positions.push(next);
                        to
                    }
                };
                tree.edges.push(Edge {
                    from: at,
                    to,
                    player: p,
                    status: Status::Plain,
                    cycle: false,
                });
            }
        }
        at += 1;
    }
    mark_cycles(&mut tree);
    if valued {
        evaluate(answerer, &mut tree, &positions)?;
    }
    Ok(tree)
}

/// Finds the values of the positions, in order, until a limit is met.
fn evaluate(answerer: &Answerer<'_>, tree: &mut Tree, positions: &[Arc<Position>]) -> Res<()> {
    let solver = answerer.solver();
    let mut values: Vec<Option<CanonicalForm>> = Vec::new();
    for (node, position) in tree.nodes.iter_mut().zip(positions) {
        let value = match solver.value(position, Span::default()) {
            Err(fault) if comes_again(&fault) => None,
            Err(limit) if limit.code.is_limit() => {
                tree.limit = Some(limit);
                return Ok(());
            }
            found => Some(found?),
        };
        let printed = match value {
            Some(value) => Some(answerer.print(value)),
            None => loopy_value(answerer, position),
        };
        // A value is not printed to its end if the run has ended.
        if let Some(limit) = solver.take_truncated() {
            tree.limit = Some(of_limit(limit, Span::default()));
            return Ok(());
        }
        node.value = printed;
        values.push(value);
    }
    // Among loopy values, no status is given.
    if values.iter().any(Option::is_none) {
        return Ok(());
    }
    match statuses(answerer, tree, &values) {
        Err(limit) if limit.code.is_limit() => tree.limit = Some(limit),
        other => other?,
    }
    Ok(())
}

/// An option lies on a cycle if and only if its ends are strongly connected.
fn mark_cycles(tree: &mut Tree) {
    let mut out: Vec<Vec<u32>> = vec![Vec::new(); tree.nodes.len()];
    for edge in &tree.edges {
        out[edge.from].push(u32::try_from(edge.to).unwrap_or(u32::MAX));
    }
    let (class, _) = components(out.len(), &out);
    for edge in &mut tree.edges {
        edge.cycle = class[edge.from] == class[edge.to];
    }
}

/// The figure of a position with the cells that the last move removed; `None` if there is too much to draw.
fn followed(before: &Picture, position: &Position, mover: Player) -> Option<Figure> {
    let mut shown = figure(position).ok()?;
    shown.follow(before.figure.as_deref()?, mover);
    Some(shown)
}

fn statuses(answerer: &Answerer<'_>, tree: &mut Tree, values: &[Option<CanonicalForm>]) -> Res<()> {
    let forms = answerer.solver().forms();
    let m = memory(Span::default());
    let value = |i: usize| {
        values
            .get(i)
            .copied()
            .flatten()
            .unwrap_or(CanonicalForm::ZERO)
    };
    let edges: Vec<(usize, usize, u8)> = tree
        .edges
        .iter()
        .map(|e| (e.from, e.to, e.player))
        .collect();
    for edge in &mut tree.edges {
        let (whole, option) = (value(edge.from), value(edge.to));
        let better = if edge.player == 0 {
            Ordering::Greater
        } else {
            Ordering::Less
        };
        let mut by: Option<CanonicalForm> = None;
        for (from, to, player) in &edges {
            if *from != edge.from || *player != edge.player {
                continue;
            }
            let other = value(*to);
            let best = by.unwrap_or(option);
            if forms.compare(other, best).map_err(&m)? == Some(better) {
                by = Some(other);
            }
        }
        if let Some(by) = by {
            edge.status = Status::Dominated {
                by: answerer.print(by),
            };
            continue;
        }
        let replies = if edge.player == 0 {
            forms.right_options(option)
        } else {
            forms.left_options(option)
        };
        edge.status = Status::Canonical;
        for reply in replies.map_err(&m)? {
            let reverses = if edge.player == 0 {
                forms.less_or_equal(reply, whole)
            } else {
                forms.less_or_equal(whole, reply)
            };
            if reverses.map_err(&m)? {
                edge.status = Status::Reversible {
                    reply: answerer.print(reply),
                };
                break;
            }
        }
    }
    Ok(())
}
