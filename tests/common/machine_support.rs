//! Positions and machines for tests, and their comparison with the naive evaluator.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::sync::Arc;

use cgdsl::engine::Engine;
use cgdsl::game::{Limits, Player, Rules, Shortcut, Shortcuts};
use cgdsl::ir::{Evaluator, NoHost, Position, draw, naive};
use cgdsl::machine::{Machine, Packed, Settings};
use cgdsl::model::typed::Model;
use cgdsl::session::{self, Memory, Session};
use cgdsl::value::CanonicalForm;

/// A position of a shipped file, or of a text that contains a `ruleset`.
pub fn position(file: &str, text: &str) -> (Arc<Model>, Arc<Position>) {
    try_position(file, text).unwrap_or_else(|why| panic!("{why}"))
}

/// As [`position`], with the error instead of a panic.
pub fn try_position(file: &str, text: &str) -> Result<(Arc<Model>, Arc<Position>), String> {
    let mut world = Memory::default();
    let mut name = file;
    if file.contains("ruleset") {
        world = world.with("test.rules", file);
        name = "test.rules";
    }
    let mut session = Session::new(&world, session::Settings::default());
    let mut loaded = session.load(name);
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.is_error()).collect();
    if !errors.is_empty() {
        return Err(format!("{file}: {errors:?}"));
    }
    let query = session
        .position(&mut loaded, text)
        .map_err(|d| format!("{file} {text}: {d:?}"))?;
    let found = session
        .value_of(&loaded, &query)
        .map_err(|d| format!("{file} {text}: {d:?}"))?;
    Ok((loaded.model.clone(), found))
}

/// Visits up to `limit` followers, and compares the options of every player, as sets, with those of the naive evaluator.
/// Returns the number of positions compared.
pub fn same_options(model: &Arc<Model>, start: &Position, limit: usize) -> Result<usize, String> {
    same_options_of(model, start, limit, Settings::default())
}

/// The same for a machine compiled with the given settings.
pub fn same_options_of(
    model: &Arc<Model>,
    start: &Position,
    limit: usize,
    settings: Settings,
) -> Result<usize, String> {
    let settings = settings.with(&[(Shortcut::Split, false)]);
    let machine = Machine::with_settings(model, start, settings).map_err(|f| f.to_string())?;
    let ev = Evaluator::new(model, &NoHost);
    let mut seen: BTreeSet<Position> = [start.clone()].into();
    let mut queue = vec![start.clone()];
    let mut next = 0;
    while let Some(p) = queue.get(next).cloned() {
        next += 1;
        if next > limit {
            return Ok(next - 1);
        }
        let packed = machine
            .pack(&p)
            .ok_or_else(|| format!("{} is unknown to the machine", draw::literal(&p)))?;
        for player in (0..start.players()).map(Player) {
            let slow = naive::moves(&ev, &p, player);
            let mut own = Vec::new();
            let fast = machine.options(&packed, player, &mut own);
            let slow = match (slow, fast) {
                (Ok(slow), Ok(())) => slow,
                (Err(_), Err(_)) => continue,
                // The plain evaluator takes more steps.
                (Err(fault), Ok(())) if fault.code.is_limit() => continue,
                (a, b) => {
                    return Err(format!(
                        "at {} for {player:?}: naive {:?}, machine {b:?}",
                        draw::literal(&p),
                        a.map(|l| l.len())
                    ));
                }
            };
            let mut expected = BTreeSet::new();
            for m in slow {
                let option = machine.pack(&m.position).ok_or_else(|| {
                    format!("{} is unknown to the machine", draw::literal(&m.position))
                })?;
                expected.insert(sorted(&option));
                if seen.len() < limit && seen.insert(m.position.clone()) {
                    queue.push(m.position);
                }
            }
            let found: BTreeSet<String> = own.iter().map(sorted).collect();
            if found != expected {
                let shown: Vec<String> = own
                    .iter()
                    .map(|o| draw::literal(&machine.show(o)))
                    .collect();
                return Err(format!(
                    "at {} for {player:?}: naive {expected:?}, machine {found:?} = {shown:?}",
                    draw::literal(&p)
                ));
            }
        }
    }
    Ok(next)
}

fn sorted(p: &Packed) -> String {
    match p {
        Packed::Sum(list) => {
            let mut parts: Vec<String> = list.iter().map(|p| format!("{p:?}")).collect();
            parts.sort();
            parts.join("+")
        }
        p => format!("{p:?}"),
    }
}

/// The value as text, with the given shortcuts of machine and engine.
pub fn value(
    model: &Arc<Model>,
    start: &Position,
    settings: Settings,
    engine_shortcuts: Shortcuts,
) -> Result<String, String> {
    value_bounded(model, start, settings, engine_shortcuts, 2_000_000)
}

/// The same, with a limit on positions.
pub fn value_bounded(
    model: &Arc<Model>,
    start: &Position,
    settings: Settings,
    engine_shortcuts: Shortcuts,
    nodes: u64,
) -> Result<String, String> {
    let engine = Engine::new(Limits {
        nodes: Some(nodes),
        ..Limits::default()
    })
    .with_shortcuts(engine_shortcuts);
    value_in(&engine, model, start, settings).map(|v| show(&engine, v))
}

/// The value, guessed as soon as a position has been expanded; and the number of guessed values.
pub fn value_guessed(
    model: &Arc<Model>,
    start: &Position,
    settings: Settings,
) -> (Result<String, String>, u64) {
    let engine = Engine::new(Limits::default()).guessing_after(1);
    let value = value_in(&engine, model, start, settings).map(|v| show(&engine, v));
    (value, engine.statistics().guessed)
}

/// The value, computed by a given engine.
pub fn value_in(
    engine: &Engine<cgdsl::machine::Key>,
    model: &Arc<Model>,
    start: &Position,
    settings: Settings,
) -> Result<CanonicalForm, String> {
    let machine = Machine::with_settings(model, start, settings).map_err(|f| f.to_string())?;
    engine
        .value(&machine, &machine.initial())
        .map_err(|s| format!("{s:?}"))
}

/// A value as text.
pub fn show<K: Clone + Eq + std::hash::Hash + Send + Sync + std::fmt::Debug>(
    engine: &Engine<K>,
    value: CanonicalForm,
) -> String {
    cgdsl::value::notation::print(engine.forms(), value, cgdsl::value::notation::Style::Ascii)
}
