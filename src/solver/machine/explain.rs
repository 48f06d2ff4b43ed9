//! The facts derived about a position, each with its reason: the data of `cgdsl explain`.

use super::{Kind, Machine, each_width};
use crate::game::Analysis;
use crate::ir::ground::{Ground, Write};

/// The facts about a whole position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The facts about each term.
    pub terms: Vec<TermExplanation>,
    /// Independent components at the start.
    pub components: usize,
    /// Whether both players have the same options at every follower.
    pub impartial: bool,
    /// Whether play is known to end.
    pub ends: bool,
}

/// The facts about one ruleset on one board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TermExplanation {
    /// The ruleset.
    pub ruleset: String,
    /// Why the naive evaluator plays it, if it does.
    pub level1: Option<String>,
    /// Number of ground instances.
    pub instances: usize,
    /// Number of instances that are live at the start.
    pub live: usize,
    /// Number of state variables.
    pub variables: usize,
    /// Number of variables that have a field in the packed state.
    pub linking: usize,
    /// Bits of a packed state.
    pub bits: usize,
    /// Why counts are bounded.
    pub bound: Option<String>,
    /// The symmetries of patterns that keys use, as sentences.
    pub symmetries: Vec<String>,
    /// The symmetries on boards without cells, as permutations of variables.
    pub turns: Vec<String>,
    /// Whether moves only remove moves, and which ones they remove does not depend on the position.
    pub removal: bool,
    /// Why play ends, as a sentence.
    pub ends: Option<String>,
    /// Lints: moves that can never happen, variables that nobody observes.
    pub lints: Vec<String>,
}

pub(super) fn explain(machine: &Machine) -> Explanation {
    let mut parts = Vec::new();
    machine.split(&machine.start, &mut parts);
    let terms = machine
        .terms
        .iter()
        .map(|t| {
            let setting = &t.term.setting;
            let mut e = TermExplanation {
                ruleset: crate::ir::draw::ruleset(&setting.instance),
                level1: t.reason.clone(),
                variables: setting.layout.len(),
                ends: t.ends.clone(),
                ..TermExplanation::default()
            };
            each_width!(&t.kind, p => {
                let (live, _, _) = p.live(&p.start);
                e.instances = p.masks.len();
                e.live = live.len();
                e.variables = p.ground.vars.list.len();
                e.linking = p.fields.len();
                e.bits = p.fields.iter().map(|f| f.mask.count_ones() as usize).sum();
                e.bound = p.ground.bound.clone();
                if let Some(pattern) = &p.key.pattern {
                    for image in pattern.images.iter().skip(1) {
                        e.symmetries.push(describe(image));
                    }
                }
                for turn in p.turns.iter().skip(1) {
                    let name = |f: usize| {
                        let var = p.fields.get(f).map_or(u32::MAX, |f| f.var);
                        p.ground.vars.name(setting, var)
                    };
                    let moved = cycles(&turn.fields, name);
                    e.turns.push(said(&moved, turn.values, turn.exchanged));
                }
                if p.removal.is_some() {
                    e.removal = true;
                }
                e.lints = lints(&p.ground);
            }, _l => {});
            e
        })
        .collect();
    Explanation {
        terms,
        components: parts.len(),
        impartial: parts.iter().all(|p| machine.is_impartial(p)),
        ends: machine.ends,
    }
}

fn describe(image: &super::key::Image) -> String {
    let turn = match image.turn {
        (false, false, false) => "as it lies",
        (false, true, false) => "top and bottom exchanged",
        (false, false, true) => "left and right exchanged",
        (false, true, true) => "turned by half",
        (true, false, false) => "rows and columns exchanged",
        (true, true, true) => "rows and columns exchanged, turned by half",
        (true, true, false) | (true, false, true) => "turned by a quarter",
    };
    said(turn, image.values.is_some(), image.exchanged)
}

fn said(turn: &str, values: bool, exchanged: bool) -> String {
    let values = if values { ", pieces exchanged" } else { "" };
    let players = if exchanged {
        ", players exchanged: the negative"
    } else {
        ""
    };
    format!("{turn}{values}{players}")
}

/// The most cycles of a permutation that are listed, and the most names in one.
const MOST_CYCLES: usize = 3;

/// A permutation of variables by its cycles.
fn cycles(map: &[u16], name: impl Fn(usize) -> String) -> String {
    let mut seen = vec![false; map.len()];
    let mut told = Vec::new();
    let mut more = 0;
    for first in 0..map.len() {
        let mut cycle = Vec::new();
        let mut at = first;
        while let Some(mark) = seen.get_mut(at).filter(|mark| !**mark) {
            *mark = true;
            cycle.push(at);
            at = usize::from(map[at]);
        }
        if cycle.len() < 2 {
            continue;
        }
        if told.len() == MOST_CYCLES {
            more += 1;
            continue;
        }
        let names: Vec<String> = cycle.into_iter().map(&name).collect();
        told.push(match &names[..] {
            [a, b] => format!("{a} and {b} exchanged"),
            _ => format!("{} in a cycle", names.join(", ")),
        });
    }
    if more > 0 {
        told.push(format!("{more} more cycles"));
    }
    if told.is_empty() {
        "as it lies".to_owned()
    } else {
        told.join(", ")
    }
}

fn lints(ground: &Ground) -> Vec<String> {
    let mut found = Vec::new();
    let rules = &ground.setting.instance.rules;
    for (i, m) in rules.moves.iter().enumerate() {
        if !ground.instances.iter().any(|g| g.rule as usize == i) {
            let name = m
                .label
                .as_ref()
                .map_or_else(|| format!("move {}", i + 1), |l| format!("move {l}"));
            found.push(format!("{name} can never happen here"));
        }
    }
    let mut observed = vec![false; ground.vars.list.len()];
    let mut written = vec![false; ground.vars.list.len()];
    for m in &ground.instances {
        for (v, _) in &m.guard {
            observed[*v as usize] = true;
        }
        for (v, w) in &m.update {
            written[*v as usize] = true;
            if let Write::Table(from, _) = w {
                observed[*from as usize] = true;
            }
        }
    }
    ground.each_asked(&mut |var, _| observed[var as usize] = true);
    if ground.asks_groups() {
        observed.fill(true);
    }
    let unread: Vec<String> = (0u32..)
        .zip(observed.iter().zip(&written))
        .filter(|(_, (o, w))| !**o && **w)
        .map(|(v, _)| ground.vars.name(&ground.setting, v))
        .collect();
    match &unread[..] {
        [] => {}
        list if list.len() <= 3 => found.push(format!("nothing observes {}", list.join(", "))),
        list => found.push(format!(
            "nothing observes {} and {} more",
            list[0],
            list.len() - 1
        )),
    }
    found
}

impl Machine {
    /// The number of symmetries that keys of the first term use, and whether some of them exchange the players.
    #[must_use]
    pub fn symmetries(&self) -> (usize, bool) {
        let Some(t) = self.terms.first() else {
            return (1, false);
        };
        each_width!(&t.kind, p => match &p.key.pattern {
            Some(pattern) => (pattern.images.len(), pattern.images.iter().any(|i| i.exchanged)),
            None => (p.turns.len().max(1), p.turns.iter().any(|t| t.exchanged)),
        }, _l => (1, false))
    }

    /// Whether every term was grounded.
    #[must_use]
    pub fn is_grounded(&self) -> bool {
        self.terms
            .iter()
            .all(|t| !matches!(t.kind, Kind::Level1(_)))
    }
}
