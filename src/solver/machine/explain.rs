//! The facts derived about a position, each with its reason: the data of `cgdsl explain`.

use super::pack;
use super::{Kind, Machine, each_width, key};
use crate::game::{Analysis, Shortcut};
use crate::ir::ground::{Ground, GroundVar, Write};
use crate::ir::instance::Var;
use crate::ir::val::Val;

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
    /// Why it is not ground, if it is not.
    pub level1: Option<String>,
    /// Whether it is then played by code for integers, not by the naive evaluator.
    pub integers: bool,
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
    /// The symmetries that are turns of the plane, as sentences: those of patterns that keys use or, where a clause decides
    /// who wins, those of the board, which are checked against that clause.
    pub symmetries: Vec<String>,
    /// The other symmetries, as permutations of variables.
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
                integers: matches!(&t.kind, Kind::Level1(l) if l.integers.is_some()),
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
                let name = |f: usize| {
                    let var = p.fields.get(f).map_or(u32::MAX, |f| f.var);
                    p.ground.vars.name(setting, var)
                };
                let vars: Vec<u32> = p.fields.iter().map(|f| f.var).collect();
                // If infinite play counts as a win of one player, exchanging the players is not a symmetry.
                let named = machine.endless.is_some();
                let symmetries = |of| match pack::layout(&p.ground, &machine.settings) {
                    Ok(layout) => key::symmetries(
                        &p.ground,
                        &layout,
                        p.start.len(),
                        of,
                        machine.settings.planted,
                    ),
                    Err(_) => Vec::new(),
                };
                if setting.instance.has_values() {
                    if let Some(pattern) = &p.key.pattern {
                        let images = pattern.images.iter().skip(1);
                        for image in images.filter(|i| !(i.exchanged && named)) {
                            e.symmetries.push(describe(image));
                        }
                    }
                    let others = match p.images.is_empty() {
                        true => Vec::new(),
                        false => symmetries(key::Of::Parts),
                    };
                    let others = others.iter().skip(1);
                    let mut of_plane = Vec::new();
                    for s in others.filter(|s| !(s.exchanged && named)) {
                        match turned(&p.ground, &vars, &s.fields, s.exchanged) {
                            Some(turn) => of_plane.push((s.exchanged, s.values, turn)),
                            None => {
                                let moved = cycles(&s.fields, name);
                                e.turns.push(said(&moved, s.values, s.exchanged));
                            }
                        }
                    }
                    of_plane.sort_unstable();
                    let told = of_plane.into_iter();
                    e.symmetries
                        .extend(told.map(|(exchanged, values, t)| said(turn(t), values, exchanged)));
                } else if machine.settings.has(Shortcut::Symmetry) {
                    let found = symmetries(key::Of::Whole);
                    let mut turns = vec![(Turned::default(), false, false)];
                    let others = found.iter().skip(1);
                    for s in others.filter(|s| !(s.exchanged && named)) {
                        match turned(&p.ground, &vars, &s.fields, s.exchanged) {
                            Some(turn) => turns.push((turn, s.values, s.exchanged)),
                            None => {
                                let moved = cycles(&s.fields, name);
                                e.turns.push(of_winners(&moved, s.values, s.exchanged));
                            }
                        }
                    }
                    e.symmetries = of_board(turns, setting.board.shape);
                }
                // The search for symmetries lists them in an order that depends on the machine.
                e.turns.sort_unstable();
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
    said(turn(image.turn), image.values.is_some(), image.exchanged)
}

/// A turn of the plane: whether rows and columns are exchanged, then whether rows are reversed, then columns.
type Turned = (bool, bool, bool);

fn turn(turn: Turned) -> &'static str {
    match turn {
        (false, false, false) => "as it lies",
        (false, true, false) => "top and bottom exchanged",
        (false, false, true) => "left and right exchanged",
        (false, true, true) => "turned by half",
        (true, false, false) => "rows and columns exchanged",
        (true, true, true) => "rows and columns exchanged, turned by half",
        (true, true, false) | (true, false, true) => "turned by a quarter",
    }
}

/// The turn of the board that a permutation of fields is, if it is one.
fn turned(ground: &Ground, vars: &[u32], fields: &[u16], exchanged: bool) -> Option<Turned> {
    let (m, n) = ground.setting.board.shape?;
    let flags = [false, true];
    let mut all = flags
        .iter()
        .flat_map(|t| flags.iter().map(move |v| (*t, *v)));
    all.find_map(|(t, v)| {
        let same = |h: &&bool| {
            let to = |(i, j): (u32, u32)| {
                let (i, j) = if t { (j, i) } else { (i, j) };
                let i = if v { m.checked_sub(i + 1)? } else { i };
                let j = if **h { n.checked_sub(j + 1)? } else { j };
                Some((i, j))
            };
            (m == n || !t)
                && vars.iter().zip(fields).all(|(from, f)| {
                    let image = vars.get(usize::from(*f));
                    image.is_some_and(|image| turns_var(ground, (*from, *image), exchanged, n, &to))
                })
        };
        flags.iter().find(same).map(|h| (t, v, *h))
    })
}

/// Turns of a board, with whether values and players are exchanged, as sentences; all turns of the board together are one.
fn of_board(mut turns: Vec<(Turned, bool, bool)>, shape: Option<(u32, u32)>) -> Vec<String> {
    turns.sort_by_key(|(turn, values, exchanged)| (*exchanged, *values, *turn));
    turns.dedup();
    let all = match shape {
        Some((m, n)) if m == n && m > 1 => 8,
        Some((m, n)) if m > 1 && n > 1 => 4,
        _ => usize::MAX,
    };
    let mut told = Vec::new();
    for group in turns.chunk_by(|a, b| (a.1, a.2) == (b.1, b.2)) {
        if group.len() == all {
            let (values, exchanged) = (group[0].1, group[0].2);
            let text = format!("all {all} turns and reflections of the board");
            told.push(of_winners(&text, values, exchanged));
            continue;
        }
        for (moved, values, exchanged) in group {
            if (*moved, *values, *exchanged) != (Turned::default(), false, false) {
                told.push(of_winners(turn(*moved), *values, *exchanged));
            }
        }
    }
    told
}

/// Whether a map of cells, counted from 0, takes one variable to another, perhaps with the players exchanged.
fn turns_var(
    ground: &Ground,
    (from, image): (u32, u32),
    exchanged: bool,
    columns: u32,
    to: &impl Fn((u32, u32)) -> Option<(u32, u32)>,
) -> bool {
    let var = |v: u32| ground.vars.list.get(v as usize);
    let site = |s: u32| {
        let (i, j) = to((s.checked_div(columns)?, s.checked_rem(columns)?))?;
        Some(i * columns + j)
    };
    match (var(from), var(image)) {
        (Some(GroundVar::Site(a)), Some(GroundVar::Site(b)))
        | (Some(GroundVar::Present(a)), Some(GroundVar::Present(b))) => site(*a) == Some(*b),
        (Some(GroundVar::State(a)), Some(GroundVar::State(b))) => {
            let (board, setting) = (&ground.setting.board, &ground.setting);
            let (Some(Var::State(f, a)), Some(Var::State(g, b))) =
                (setting.var(*a), setting.var(*b))
            else {
                return false;
            };
            let moved = |v: &Val| match board.find(v) {
                Some(s) => site(s).map(|s| board.label(s)),
                None => Some(match v {
                    Val::Player(p @ (0 | 1)) if exchanged => Val::Player(1 - p),
                    v => v.clone(),
                }),
            };
            f == g
                && a.len() == b.len()
                && a.iter().zip(b).all(|(a, b)| moved(a).as_ref() == Some(&b))
        }
        _ => false,
    }
}

/// A symmetry where only the winner is known: there is no negative.
fn of_winners(turn: &str, values: bool, exchanged: bool) -> String {
    let values = if values { ", pieces exchanged" } else { "" };
    let players = if exchanged { ", players exchanged" } else { "" };
    format!("{turn}{values}{players}")
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
            None => {
                let exchanged = || p.images.iter().flat_map(|i| &i.exchanged);
                (1 + exchanged().count(), exchanged().any(|e| *e))
            }
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
