//! Whether a coalition can force a win, by a depth-first search led by proof numbers: a node comes in, a proof or a disproof goes out.
//!
//! The proof number of a node is at most how many ends must still be shown to be won so that the node is; the disproof number
//! likewise. The coalition's nodes need one move that wins, the others' nodes are won if all moves are. The search goes down to
//! the child that is cheapest to settle and stays below it as long as it is (df-pn: A. Nagai, *Df-pn algorithm for searching AND/OR
//! trees and its applications*, 2002). Numbers count shared nodes more than once, which costs time and no truth: a node is proved when its
//! proof number is 0, and that is so only by a finite tree of ends.
//!
//! Where a node is met again below itself, the numbers would depend on the path; the search stops there and the caller lists instead.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rustc_hash::FxBuildHasher;

use super::{Moves, Next, Node, StoppedIn, bit, moves};
use crate::engine::stopped::Stopped;
use crate::game::{Budget, End, Limit, Rules};

/// Settled: what it is the number of cannot be.
const NEVER: u32 = u32::MAX;
/// The largest number of what is open.
const MOST: u32 = NEVER - 1;

/// What an entry takes beside its position: keys, numbers, the table's own bytes at its fullest.
const ENTRY: usize = 40;

#[derive(Clone, Copy, PartialEq, Eq)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

impl Numbers {
    const OPEN: Numbers = Numbers {
        proof: 1,
        disproof: 1,
    };
    const PROVED: Numbers = Numbers {
        proof: 0,
        disproof: NEVER,
    };
    const DISPROVED: Numbers = Numbers {
        proof: NEVER,
        disproof: 0,
    };

    fn settled(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }

    fn of(won: bool) -> Numbers {
        if won {
            Numbers::PROVED
        } else {
            Numbers::DISPROVED
        }
    }
}

#[derive(Clone, Copy)]
struct Known {
    numbers: Numbers,
    /// On the line of play that is being looked at.
    above: bool,
}

/// What was found for one coalition.
type Table<P> = HashMap<Node<P>, Known, FxBuildHasher>;

/// What was found for each coalition asked about.
pub(super) struct Proofs<P> {
    tables: Vec<(u64, Table<P>)>,
    memory: usize,
}

/// A node that is being looked at.
struct Frame<P> {
    node: Node<P>,
    /// The coalition moves here.
    own: bool,
    children: Vec<(Node<P>, Numbers)>,
    /// The best of the moves that end play.
    ends: Option<Numbers>,
    most: Numbers,
    /// Which child is being looked at.
    chosen: usize,
}

fn sum(all: impl Iterator<Item = u32>) -> u32 {
    let mut total = 0u32;
    for n in all {
        if n == NEVER {
            return NEVER;
        }
        total = total.saturating_add(n).min(MOST);
    }
    total
}

impl<P> Frame<P> {
    fn numbers(&self) -> Numbers {
        let all = || self.children.iter().map(|c| c.1).chain(self.ends);
        match self.own {
            true => Numbers {
                proof: all().map(|n| n.proof).min().unwrap_or(NEVER),
                disproof: sum(all().map(|n| n.disproof)),
            },
            false => Numbers {
                proof: sum(all().map(|n| n.proof)),
                disproof: all().map(|n| n.disproof).min().unwrap_or(NEVER),
            },
        }
    }

    /// The child to look at, with the numbers at which to come back.
    fn choose(&mut self, now: Numbers) -> Option<Numbers> {
        // From the mover's side: `own` numbers are to be made 0.
        let side = |n: Numbers| match self.own {
            true => (n.proof, n.disproof),
            false => (n.disproof, n.proof),
        };
        let (mut best, mut second) = (None::<(usize, (u32, u32))>, NEVER);
        for (i, (_, n)) in self.children.iter().enumerate() {
            let n = side(*n);
            match best {
                Some((_, b)) if b <= n => second = second.min(n.0),
                _ => {
                    if let Some((_, b)) = best {
                        second = second.min(b.0);
                    }
                    best = Some((i, n));
                }
            }
        }
        let (i, (_, other)) = best?;
        let ((_, others), (most_own, most_other)) = (side(now), side(self.most));
        // A quarter more than the second best: else two equal children take turns for ever.
        let own = most_own.min(second.saturating_add(second / 4 + 1));
        // A sum that was cut off at `MOST` bounds nothing.
        let other = match most_other {
            NEVER => NEVER,
            most => most.saturating_sub(others.saturating_sub(other)),
        };
        self.chosen = i;
        Some(match self.own {
            true => Numbers {
                proof: own,
                disproof: other,
            },
            false => Numbers {
                proof: other,
                disproof: own,
            },
        })
    }
}

impl<P: Clone + Eq + std::hash::Hash> Proofs<P> {
    pub(super) fn new(memory: usize) -> Proofs<P> {
        Proofs {
            tables: Vec::new(),
            memory,
        }
    }

    pub(super) fn clear(&mut self) {
        self.tables.clear();
    }

    /// Whether the coalition forces a win from a node.
    pub(super) fn prove<R: Rules<Position = P>>(
        &mut self,
        rules: &R,
        start: &Node<P>,
        coalition: u64,
        budget: &Budget,
    ) -> Result<bool, StoppedIn<R>> {
        let at = match self.tables.iter().position(|t| t.0 == coalition) {
            Some(at) => at,
            None => {
                self.tables.push((coalition, Table::default()));
                self.tables.len() - 1
            }
        };
        let entries: usize = self.tables.iter().map(|t| t.1.len()).sum();
        let each = ENTRY + 2 * size_of::<Node<P>>() + rules.position_bytes(&start.position);
        let room = (self.memory / each).saturating_sub(entries);
        let table = &mut self.tables[at].1;
        let room = room + table.len();
        let result = search(rules, start, coalition, table, room, budget);
        if result.is_err() {
            table.values_mut().for_each(|k| k.above = false);
        }
        result
    }
}

fn expand<R: Rules>(
    rules: &R,
    node: Node<R::Position>,
    coalition: u64,
    most: Numbers,
    table: &Table<R::Position>,
    steps: &mut Vec<crate::game::Step<R::Position>>,
) -> Result<Frame<R::Position>, StoppedIn<R>> {
    let own = bit(node.mover) & coalition != 0;
    let mut frame = Frame {
        own,
        children: Vec::new(),
        ends: None,
        most,
        chosen: 0,
        node,
    };
    let all = match moves(rules, &frame.node, steps)? {
        Moves::Some(all) => all,
        Moves::Stuck(next) => vec![next],
    };
    for next in all {
        match next {
            Next::Ended(end) => {
                let won = matches!(end, End::Won(who) if who & coalition != 0);
                // One that the mover likes settles the node.
                if won == own || frame.ends.is_none() {
                    frame.ends = Some(Numbers::of(won));
                }
            }
            Next::Node(node) => {
                let numbers = table.get(&node).map_or(Numbers::OPEN, |k| k.numbers);
                frame.children.push((node, numbers));
            }
        }
    }
    Ok(frame)
}

fn search<R: Rules>(
    rules: &R,
    start: &Node<R::Position>,
    coalition: u64,
    table: &mut Table<R::Position>,
    room: usize,
    budget: &Budget,
) -> Result<bool, StoppedIn<R>> {
    if let Some(known) = table.get(start)
        && known.numbers.settled()
    {
        return Ok(known.numbers.proof == 0);
    }
    let open = Numbers {
        proof: NEVER,
        disproof: NEVER,
    };
    let mut steps = Vec::new();
    let mut stack = vec![expand(
        rules,
        start.clone(),
        coalition,
        open,
        table,
        &mut steps,
    )?];
    let mut looked: u64 = 0;
    while let Some(frame) = stack.last_mut() {
        let now = frame.numbers();
        let back =
            now.settled() || now.proof >= frame.most.proof || now.disproof >= frame.most.disproof;
        let most = if back { None } else { frame.choose(now) };
        let Some(most) = most else {
            let done = stack.pop().map(|f| f.node);
            let Some(node) = done else { break };
            if let Some(parent) = stack.last_mut() {
                parent.children[parent.chosen].1 = now;
            } else {
                table.insert(
                    node,
                    Known {
                        numbers: now,
                        above: false,
                    },
                );
                return match now.settled() {
                    true => Ok(now.proof == 0),
                    false => Err(Stopped::Limit(Limit::Nodes)),
                };
            }
            let known = Known {
                numbers: now,
                above: false,
            };
            table.insert(node, known);
            continue;
        };
        let child = frame.children[frame.chosen].0.clone();
        // What was found of it elsewhere since.
        match table.entry(child) {
            Entry::Occupied(mut entry) => {
                let known = *entry.get();
                if known.above {
                    let node = entry.key().position.clone();
                    return Err(Stopped::Cycle {
                        line: vec![node.clone(), node],
                    });
                }
                let n = known.numbers;
                if n.settled() || n.proof >= most.proof || n.disproof >= most.disproof {
                    frame.children[frame.chosen].1 = n;
                    continue;
                }
                entry.get_mut().above = true;
            }
            Entry::Vacant(entry) => {
                entry.insert(Known {
                    numbers: Numbers::OPEN,
                    above: true,
                });
            }
        }
        budget.charge()?;
        looked += 1;
        if looked.is_multiple_of(1 << 12) {
            budget.pulse().note(0, table.len() * ENTRY);
        }
        if table.len() > room {
            forget(table, room)?;
        }
        let child = frame.children[frame.chosen].0.clone();
        let next = expand(rules, child, coalition, most, table, &mut steps)?;
        stack.push(next);
    }
    Err(Stopped::Limit(Limit::Nodes))
}

/// Forgets what is still open and not being looked at; then every other settled node.
fn forget<P: Clone + Eq + std::hash::Hash>(table: &mut Table<P>, room: usize) -> Result<(), Limit> {
    table.retain(|_, k| k.above || k.numbers.settled());
    if table.len() > room / 2 {
        let mut keep = false;
        table.retain(|_, k| {
            keep = !keep;
            k.above || keep
        });
    }
    if table.len() > room / 4 * 3 {
        return Err(Limit::Memory);
    }
    Ok(())
}
