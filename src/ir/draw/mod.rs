//! Values, boards and positions as plain text. A position becomes a literal of the language, which reads back as the same
//! position (up to names of vertices), or a drawing of several lines for cards and messages.

mod position;

pub use position::{change, literal, literal_of, picture, picture_of, ruleset, short};
pub(crate) use position::{entries_of, fields_kept, joined_with, tag};

use super::board::{Board, Place};
use super::instance::{Instance, Setting, Var};
use super::int::Int;
use super::val::{Piece, Val};
use crate::model::typed::{Form, StateId};
use std::fmt::Write as _;

/// The number of characters after which messages cut a literal.
pub const SHORT: usize = 2000;

/// A value as written in the language. Pieces and players have the names of the instance.
#[must_use]
pub fn value(v: &Val, instance: Option<&Instance>) -> String {
    let all = |items: &[Val]| -> String {
        let items: Vec<String> = items.iter().map(|v| value(v, instance)).collect();
        items.join(", ")
    };
    match v {
        Val::Bool(b) => b.to_string(),
        Val::Int(n) => n.to_string(),
        Val::Cell(a, b) => format!("({a}, {b})"),
        Val::Tuple(parts) => format!("({})", all(parts)),
        Val::Label(l) if l.name.is_empty() => format!("{{{}}}", all(&l.args)),
        Val::Label(l) if l.args.is_empty() => l.name.to_string(),
        Val::Label(l) => format!("{}({})", l.name, all(&l.args)),
        Val::Edge(e) => format!("{} -- {}", value(&e.from, instance), value(&e.to, instance)),
        Val::Piece(p) => match instance {
            Some(i) => i.piece_name(*p).to_string(),
            None => match p {
                Piece::Empty => "empty".into(),
                Piece::Wall => "wall".into(),
                Piece::Off => "off".into(),
                Piece::Declared(k) => format!("piece {}", k + 1),
            },
        },
        Val::Player(p) => match instance.and_then(|i| i.players.get(usize::from(*p))) {
            Some(name) => name.to_string(),
            None => match p {
                0 => "Left".into(),
                1 => "Right".into(),
                _ if *v == crate::eval::QUEER => "queer".into(),
                _ if *v == crate::eval::DRAW => "draw".into(),
                n => format!("player {}", u32::from(*n) + 1),
            },
        },
        Val::Direction(r, c) => direction(*r, *c),
        Val::Text(t) => format!("\"{}\"", t.replace('\\', "\\\\").replace('"', "\\\"")),
        Val::Set(items) => format!("{{{}}}", all(items)),
        Val::List(items) => format!("[{}]", all(items)),
        Val::Board(b) => board(b),
        Val::Position(p) => literal(p),
        Val::Compound(c) => format!("{}({})", c.how.name(), all(&c.parts)),
        Val::Outcome(o) => format!("{o:?}-position"),
        Val::Game(_) => "a game".into(),
        Val::Report(_) => "a report".into(),
    }
}

fn direction(r: i32, c: i32) -> String {
    let part = |n: i32, less: &str, more: &str| {
        let name = if n < 0 { less } else { more };
        match n.unsigned_abs() {
            0 => None,
            1 => Some(name.to_owned()),
            k => Some(format!("{k}*{name}")),
        }
    };
    let parts: Vec<String> = part(r, "north", "south")
        .into_iter()
        .chain(part(c, "west", "east"))
        .collect();
    if parts.is_empty() {
        return "0*north".into();
    }
    parts.join(" + ")
}

/// The label of a site as text, for messages.
#[must_use]
pub fn label(v: &Val) -> String {
    value(v, None)
}

/// The label of a vertex or element as written in a literal: `c[3]` for one that a constructor numbered.
pub(crate) fn vertex(v: &Val) -> String {
    match v {
        Val::Int(n) => format!("c[{n}]"),
        Val::Edge(e) => format!("edge({}, {}, {})", label(&e.from), label(&e.to), e.index),
        Val::Label(_) | Val::Cell(..) | Val::Tuple(_) => nested(v),
        other => format!("c[{}]", label(other)),
    }
}

/// A label inside a label.
fn nested(v: &Val) -> String {
    match v {
        Val::Edge(_) => vertex(v),
        Val::Tuple(parts) => {
            let parts: Vec<String> = parts.iter().map(nested).collect();
            format!("({})", parts.join(", "))
        }
        Val::Label(l) if l.name.is_empty() => {
            let parts: Vec<String> = l.args.iter().map(nested).collect();
            format!("{{{}}}", parts.join(", "))
        }
        Val::Label(l) if !l.args.is_empty() => {
            let parts: Vec<String> = l.args.iter().map(nested).collect();
            format!("{}({})", l.name, parts.join(", "))
        }
        other => label(other),
    }
}

/// A state variable as text: `at((1, 2))`, `pebbles(b, v)`, `m`.
#[must_use]
pub fn var(setting: &Setting, var: usize) -> String {
    let instance = Some(&*setting.instance);
    match setting.var(var) {
        Some(Var::At(s) | Var::Present(s)) => {
            format!("at({})", value(&setting.board.label(s), instance))
        }
        Some(Var::EdgeAt(e) | Var::EdgePresent(e)) => match setting.board.edge(e) {
            Some(e) => format!("at({})", value(&e, instance)),
            None => "at(?)".into(),
        },
        Some(Var::State(f, args)) => {
            let name = state_name(setting, f);
            if args.is_empty() {
                return name;
            }
            let args: Vec<String> = args.iter().map(|v| value(v, instance)).collect();
            format!("{name}({})", args.join(", "))
        }
        None => "?".into(),
    }
}

fn state_name(setting: &Setting, f: StateId) -> String {
    let decl = setting.instance.rules.state.get(f.0 as usize);
    decl.map_or_else(|| "?".into(), |d| d.name.to_string())
}

/// Cuts a text to [`SHORT`] characters.
#[must_use]
pub fn cut(text: String) -> String {
    match text.char_indices().nth(SHORT) {
        Some((at, _)) => format!("{}..", &text[..at]),
        None => text,
    }
}

fn heap(h: &[Int]) -> String {
    let parts: Vec<String> = h.iter().map(Int::to_string).collect();
    match &parts[..] {
        [one] => one.clone(),
        more => format!("({})", more.join(", ")),
    }
}

/// An empty board of cells, written by its constructor.
fn cells_by_name(b: &Board) -> String {
    let (m, n) = b.shape.unwrap_or((0, 0));
    if b.kind.is_row() {
        return format!("strip({n})");
    }
    match b.wrap.word() {
        Some(word) => format!("grid({m}, {n}, wrap: {word})"),
        None => format!("grid({m}, {n})"),
    }
}

/// Art as a board entry of a literal.
fn art_by_name(b: &Board, art: &str) -> String {
    match b.wrap.word() {
        Some(word) => format!("grid(\"{art}\", wrap: {word})"),
        None => format!("\"{art}\""),
    }
}

/// A board as a literal, without a ruleset.
#[must_use]
pub fn board(b: &Board) -> String {
    let (m, n) = b.shape.unwrap_or((0, 0));
    let glyph = |place: Place| -> Option<String> {
        let parts: Vec<String> = b
            .marks
            .iter()
            .filter(|x| x.place == place)
            .map(|x| match &x.count {
                Some(n) => format!("{n}{}", x.glyph),
                None => x.glyph.to_string(),
            })
            .collect();
        (!parts.is_empty()).then(|| parts.join("+"))
    };
    match b.kind.form() {
        Form::Scalars => "no board".into(),
        Form::Heaps => {
            let marked = |(i, h): (usize, &Vec<Int>)| match b.entailed.contains(&i) {
                true => format!("{}!", heap(h)),
                false => heap(h),
            };
            let heaps: Vec<String> = b.heaps.iter().enumerate().map(marked).collect();
            format!("heaps {{ {} }}", heaps.join("; "))
        }
        Form::Cells if b.marks.is_empty() => cells_by_name(b),
        Form::Cells => {
            let count = (m as usize) * (n as usize);
            let mut art = vec![".".to_owned(); count];
            for x in &b.marks {
                if let Place::Site(s) = x.place {
                    art[s as usize] = x.glyph.to_string();
                }
            }
            let rows: Vec<String> = art
                .chunks((n as usize).max(1))
                .map(|r| r.concat())
                .collect();
            art_by_name(b, &rows.join("|"))
        }
        Form::Chains => {
            let mut named = vec![false; b.sites()];
            let mut node = |s: u32| {
                let mut text = vertex(&b.label(s));
                if !std::mem::replace(&mut named[s as usize], true)
                    && let Some(g) = glyph(Place::Site(s))
                {
                    let _ = write!(text, ":{g}");
                }
                text
            };
            let mut all = Vec::new();
            for (e, (u, v)) in (0u32..).zip(&b.lines) {
                let link = match glyph(Place::Edge(e)) {
                    Some(g) => b.kind.lines().sign_with(&g),
                    None => b.kind.lines().sign().to_owned(),
                };
                let from = node(*u);
                all.push(format!("{from} {link} {}", node(*v)));
            }
            let count = u32::try_from(b.sites()).unwrap_or(u32::MAX);
            let used: Vec<bool> = {
                let mut used = vec![false; b.sites()];
                for (u, v) in &b.lines {
                    used[*u as usize] = true;
                    used[*v as usize] = true;
                }
                used
            };
            all.extend((0..count).filter(|s| !used[*s as usize]).map(&mut node));
            format!("{} {{ {} }}", Board::kind_name(b.kind), all.join("; "))
        }
    }
}
