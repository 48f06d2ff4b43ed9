//! Instances as text, and back: `cgdsl --ir` prints them, and the printed text can be played again.
//!
//! ```text
//! ground Domineering
//! x0 at((1, 1)) = *empty | wall
//! x1 at((2, 1)) = *empty | wall
//! 1: x0 in {0}, x1 in {0} then x0 := 1, x1 := 1    // move 1 by Left
//! ```
//! A variable is listed with the values that it can ever have, the one at the start marked; instances refer to values by
//! their numbers in that list. `x := y[0:1 2:3]` is a table; `x += [0:1]` adds a constant; `keep 4` keeps what can be
//! reached from the site of that number; `again` leaves the turn with its player; `gain 2` banks points; `fault` marks a
//! choice at which the rule raises a fault. The number in front is the set of players in binary, the first player last.
//!
//! A line `end after 0: x0 in {1} then won 1` is a way in which play ends after a move of player 0; `2 ~ 5` says that two
//! sites are connected through equal pieces. These lines are for readers and are not read back. `asks 3` means that the
//! instance with this number has phases, which evaluate conditions in play (groups, for example). They are not printed.

use super::{Ground, GroundInstance, NEVER, Write};
use crate::draw;
use crate::fault::{Code, Fault};
use crate::game::End;
use std::fmt::Write as _;
use std::sync::Arc;

/// The error of a text that is not a list of instances.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The error.
    pub message: String,
}

/// The instances as text.
#[must_use]
pub fn show(ground: &Ground) -> String {
    let setting = &ground.setting;
    let instance = &setting.instance;
    let mut out = format!("ground {}\n", draw::ruleset(instance));
    for v in 0..ground.vars.list.len() {
        let number = u32::try_from(v).unwrap_or(u32::MAX);
        let values: Vec<String> = ground.values[v]
            .iter()
            .enumerate()
            .map(|(i, value)| {
                let start = usize::from(ground.start[v]) == i;
                let mark = if start { "*" } else { "" };
                format!("{mark}{}", draw::value(value, Some(instance)))
            })
            .collect();
        let name = ground.vars.name(setting, number);
        let _ = writeln!(out, "x{v} {name} = {}", values.join(" | "));
    }
    for (place, m) in ground.instances.iter().enumerate() {
        let _ = writeln!(out, "{}", line(ground, m, place));
    }
    for (last, ends) in ground.ends.iter().enumerate() {
        for end in ends {
            let joined = end.joined.iter().map(|(a, b)| format!("{a} ~ {b}"));
            let asked = end.asked.iter().map(|_| "asks".to_owned());
            let all: Vec<String> = guard(&end.guard)
                .into_iter()
                .chain(joined)
                .chain(asked)
                .collect();
            let how = match end.end {
                End::Won(who) => format!("won {who:b}"),
                End::Drawn => "drawn".to_owned(),
            };
            let _ = writeln!(out, "end after {last}: {} then {how}", all.join(", "));
        }
    }
    out
}

fn guard(guard: &[(u32, u64)]) -> Vec<String> {
    guard
        .iter()
        .map(|(v, set)| {
            let values = (0..64).filter(|i| set >> i & 1 == 1);
            let values: Vec<String> = values.map(|i| i.to_string()).collect();
            format!("x{v} in {{{}}}", values.join(" "))
        })
        .collect()
}

fn line(ground: &Ground, m: &GroundInstance, place: usize) -> String {
    let instance = &ground.setting.instance;
    let guard = guard(&m.guard);
    let table = |t: &[u8]| {
        let rows = t.iter().enumerate().filter(|(_, n)| **n != NEVER);
        let rows: Vec<String> = rows.map(|(i, n)| format!("{i}:{n}")).collect();
        rows.join(" ")
    };
    let mut effects: Vec<String> = m
        .update
        .iter()
        .map(|(v, w)| match w {
            Write::Value(n) => format!("x{v} := {n}"),
            Write::Table(y, t) => format!("x{v} := x{y}[{}]", table(t)),
            Write::Plus(t) => format!("x{v} += [{}]", table(t)),
        })
        .collect();
    if !m.phases.is_empty() {
        effects.push(format!("asks {place}"));
    }
    effects.extend(m.keep.map(|s| format!("keep {s}")));
    effects.extend(m.again.then(|| "again".to_owned()));
    if m.gain != 0 {
        effects.push(format!("gain {}", m.gain));
    }
    if m.fault.is_some() {
        effects.push("fault".into());
    }
    let who: Vec<&str> = instance
        .players
        .iter()
        .enumerate()
        .filter(|(i, _)| m.players >> i & 1 == 1)
        .map(|(_, n)| &**n)
        .collect();
    let rule = instance.rules.moves.get(m.rule as usize);
    let label = rule.and_then(|r| r.label.as_ref());
    let label = label.map_or_else(|| (m.rule + 1).to_string(), ToString::to_string);
    let choice: Vec<String> = m
        .choice
        .iter()
        .map(|(name, v)| format!("{name} = {}", draw::value(v, Some(instance))))
        .collect();
    let choice = if choice.is_empty() {
        String::new()
    } else {
        format!(": {}", choice.join(", ").replace('\n', " "))
    };
    format!(
        "{:b}: {} then {}    // {} move {label} by {}{choice}",
        m.players,
        guard.join(", "),
        effects.join(", "),
        m.rule,
        who.join(", ")
    )
}

/// Reads a text that [`show`] wrote for the same ruleset on the same board. The instances are those of the text.
///
/// # Errors
/// The first line that does not have this form.
pub fn read(text: &str, like: &Ground) -> Result<Ground, ParseError> {
    let mut ground = like.clone();
    ground.instances.clear();
    let expected = show(&ground);
    let mut head = expected.lines();
    for (i, line) in text.lines().enumerate() {
        let error = |message: &str| ParseError {
            line: i + 1,
            message: message.to_owned(),
        };
        if line.starts_with("ground ") || line.starts_with('x') {
            if head.next() != Some(line) {
                return Err(error("this is about another board, or another start"));
            }
            continue;
        }
        if line.trim().is_empty() || line.starts_with("end ") {
            continue;
        }
        let m = instance(line, &ground, like).ok_or_else(|| error("this is not an instance"))?;
        ground.instances.push(m);
    }
    Ok(ground)
}

fn instance(line: &str, ground: &Ground, like: &Ground) -> Option<GroundInstance> {
    let (body, note) = line.split_once("    // ")?;
    let (players, body) = body.split_once(": ")?;
    let (guard, effects) = match body.strip_prefix("then ") {
        Some(effects) => ("", effects),
        None => body
            .split_once(" then ")
            .or_else(|| Some((body.strip_suffix(" then")?, "")))?,
    };
    let count = ground.vars.list.len();
    let var = |s: &str| -> Option<u32> {
        let v: u32 = s.strip_prefix('x')?.parse().ok()?;
        ((v as usize) < count).then_some(v)
    };
    let number = |s: &str, v: u32| -> Option<u8> {
        let n: u8 = s.parse().ok()?;
        (usize::from(n) < ground.values[v as usize].len() || n == NEVER).then_some(n)
    };
    let table = |s: &str, from: u32, to: u32| -> Option<Box<[u8]>> {
        let mut out = vec![NEVER; ground.values[from as usize].len()];
        for row in s.split_whitespace() {
            let (i, n) = row.split_once(':')?;
            *out.get_mut(i.parse::<usize>().ok()?)? = number(n, to)?;
        }
        Some(out.into())
    };
    let mut m = GroundInstance {
        players: u64::from_str_radix(players.trim(), 2).ok()?,
        guard: Vec::new(),
        update: Vec::new(),
        keep: None,
        fault: None,
        again: false,
        gain: 0,
        phases: Vec::new(),
        rule: note.split(' ').next()?.parse().ok()?,
        choice: Vec::new(),
    };
    for atom in guard.split(", ").filter(|a| !a.trim().is_empty()) {
        let (v, set) = atom.trim().split_once(" in ")?;
        let v = var(v)?;
        let mut bits = 0u64;
        for n in set.strip_prefix('{')?.strip_suffix('}')?.split_whitespace() {
            bits |= 1u64.checked_shl(u32::from(number(n, v)?))?;
        }
        m.guard.push((v, bits));
    }
    for effect in effects.split(", ").filter(|e| !e.trim().is_empty()) {
        let effect = effect.trim();
        if effect == "fault" {
            let fault = Fault::new(
                Code::Host,
                crate::base::Span::default(),
                "the rule goes wrong",
            );
            m.fault = Some(Arc::from(fault));
        } else if effect == "again" {
            m.again = true;
        } else if let Some(points) = effect.strip_prefix("gain ") {
            m.gain = points.parse().ok()?;
        } else if let Some(place) = effect.strip_prefix("asks ") {
            let of = like.instances.get(place.parse::<usize>().ok()?)?;
            m.phases.clone_from(&of.phases);
        } else if let Some(site) = effect.strip_prefix("keep ") {
            m.keep = Some(site.parse().ok()?);
        } else if let Some((v, t)) = effect.split_once(" += ") {
            let v = var(v)?;
            let t = t.strip_prefix('[')?.strip_suffix(']')?;
            m.update.push((v, Write::Plus(table(t, v, v)?)));
        } else {
            let (v, e) = effect.split_once(" := ")?;
            let v = var(v)?;
            let write = match e.split_once('[') {
                Some((y, t)) => {
                    let y = var(y)?;
                    Write::Table(y, table(t.strip_suffix(']')?, y, v)?)
                }
                None => Write::Value(number(e, v)?),
            };
            m.update.push((v, write));
        }
    }
    Some(m)
}
