//! Positions as literals and as drawings.

use super::{cut, heap, label, value, vertex};
use crate::board::Place;
use crate::eval::counter;
use crate::instance::{Instance, Setting, Var};
use crate::int::Int;
use crate::model::typed::{Form, SiteKind, Sort, StateId};
use crate::position::{Position, State, Term};
use crate::val::{Piece, Val};
use std::fmt::Write as _;

/// A ruleset with its arguments: `Nim`, `Subtraction({1, 2, 3})`.
#[must_use]
pub fn ruleset(instance: &Instance) -> String {
    if instance.arguments.is_empty() {
        return instance.name.to_string();
    }
    let args: Vec<String> = instance
        .arguments
        .iter()
        .map(|v| value(v, Some(instance)))
        .collect();
    // `misere(Subtraction)` takes its arguments after the innermost name.
    let name = instance.name.trim_end_matches(')');
    let closing = &instance.name[name.len()..];
    format!("{name}({}){closing}", args.join(", "))
}

/// A position as a literal.
#[must_use]
pub fn literal(p: &Position) -> String {
    joined(p, |t| literal_of(&t.setting, &t.state), " + ")
}

/// A position as a literal, cut if it is long.
#[must_use]
pub fn short(p: &Position) -> String {
    cut(literal(p))
}

/// Literals of at most this many characters are shown in full.
const READABLE: usize = 72;
/// The maximal number of changes that are listed one by one.
const MOST_CHANGES: usize = 8;

/// Describes what a move changes, as `x on (1, 2), nothing on (1, 1)`. `None` unless the literal of the position after it
/// is long and both are single positions of one ruleset on one board. Edges removed with their ends are not listed.
#[must_use]
pub fn change(before: &Position, after: &Position) -> Option<String> {
    let (before, after) = (before.as_single()?, after.as_single()?);
    let setting = &after.setting;
    let same = before.setting.board == setting.board && before.state.heaps == after.state.heaps;
    if !same || literal_of(setting, &after.state).chars().count() <= READABLE {
        return None;
    }
    let instance = Some(&*setting.instance);
    let pairs = before.state.vars.iter().zip(&after.state.vars);
    let changed = pairs.enumerate().filter(|(_, (old, new))| old != new);
    let mut said = Vec::new();
    let mut gone = Vec::new();
    let lies = |new: &Val, on: &Val| {
        let on = value(on, instance);
        match new {
            Val::Piece(Piece::Off | Piece::Wall) => format!("without {on}"),
            Val::Piece(Piece::Empty) => format!("nothing on {on}"),
            piece => format!("{} on {on}", value(piece, instance)),
        }
    };
    for (i, (_, new)) in changed {
        match setting.var(i)? {
            Var::At(s) => {
                if *new == Val::Piece(Piece::Off) {
                    gone.push(s);
                }
                said.push(lies(new, &setting.board.label(s)));
            }
            Var::Present(s) => {
                gone.push(s);
                said.push(format!(
                    "without {}",
                    value(&setting.board.label(s), instance)
                ));
            }
            Var::EdgeAt(e) | Var::EdgePresent(e) => {
                let (u, v) = *setting.board.lines.get(e as usize)?;
                if !gone.contains(&u) && !gone.contains(&v) {
                    let edge = setting.board.edge(e)?;
                    said.push(match new {
                        Val::Bool(_) => format!("without {}", value(&edge, instance)),
                        new => lies(new, &edge),
                    });
                }
            }
            Var::State(..) => {
                said.push(format!(
                    "{}: {}",
                    super::var(setting, i),
                    value(new, instance)
                ));
            }
        }
    }
    said.dedup();
    (!said.is_empty() && said.len() <= MOST_CHANGES).then(|| said.join(", "))
}

/// A drawing of a position: rows of art for grids and strips, else the entries of its literal.
#[must_use]
pub fn picture(p: &Position) -> String {
    joined(p, |t| picture_of(&t.setting, &t.state), "\n+\n")
}

/// A sum as a literal; `each` writes its terms, by number.
pub(crate) fn joined_with(p: &Position, each: impl Fn(usize, &Term) -> String) -> String {
    let number = |t: &Term| p.terms().iter().position(|own| std::ptr::eq(own, t));
    joined(p, |t| each(number(t).unwrap_or(0), t), " + ")
}

fn joined(p: &Position, each: impl Fn(&Term) -> String, between: &str) -> String {
    if p.terms().is_empty() {
        return match p.nought() {
            Some(t) if between == " + " && t.negated => format!("-(0 * {})", each(t)),
            Some(t) if between == " + " => format!("0 * {}", each(t)),
            _ => "0".into(),
        };
    }
    let mut text = String::new();
    for (i, t) in p.terms().iter().enumerate() {
        let shown = each(t);
        let sign = match (t.negated, i) {
            (true, _) if between == " + " && i > 0 => " - ",
            (_, 0) => "",
            _ => between,
        };
        text.push_str(sign);
        let minus = t.negated && sign != " - ";
        let copies = t.count != Int::ONE;
        let gap = if shown.contains('\n') { "\n" } else { " " };
        if copies {
            let minus = if minus { "-" } else { "" };
            let _ = write!(text, "{minus}{} *{gap}", t.count);
        } else if minus {
            text.push('-');
            if gap == "\n" {
                text.push('\n');
            }
        }
        text.push_str(&shown);
    }
    text
}

/// One state of one ruleset as a literal.
#[must_use]
pub fn literal_of(setting: &Setting, state: &State) -> String {
    let mut entries = entries(setting, state, "|");
    if entries.is_empty()
        && let Some(k) = setting.board.kind.heap_of()
    {
        let zeros = vec!["0"; usize::from(k)].join(", ");
        entries.push(if k == 1 { zeros } else { format!("({zeros})") });
    }
    format!("{}[{}]", ruleset(&setting.instance), entries.join(", "))
}

/// A drawing of one state of one ruleset.
#[must_use]
pub fn picture_of(setting: &Setting, state: &State) -> String {
    if let Some(rows) = rows(setting, state) {
        let mut lines: Vec<String> = rows.iter().map(|r| r.join(" ")).collect();
        lines.extend(fields(setting, state, true));
        return lines.join("\n");
    }
    let entries = entries(setting, state, "|");
    if entries.is_empty() {
        return "nothing".into();
    }
    let body = entries.join(", ");
    if body.len() <= 76 {
        return body;
    }
    // Wrap longer ones, between entries.
    let mut lines = vec![String::new()];
    for (i, entry) in entries.iter().enumerate() {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].len() + entry.len() > 72 {
            lines.push(String::new());
        }
        let last = lines.len() - 1;
        if !lines[last].is_empty() {
            lines[last].push(' ');
        }
        lines[last].push_str(entry);
        if i + 1 < entries.len() {
            lines[last].push(',');
        }
    }
    lines.join("\n")
}

/// The heaps; behind those in which the last move must be answered stands `!`. An empty heap is written only if there is no
/// other such heap.
fn heaps(setting: &Setting, state: &State) -> Vec<String> {
    let marked = |(i, h): (usize, &Vec<Int>)| match state.is_entailed(i) {
        true => format!("{}!", heap(h)),
        false => heap(h),
    };
    let mut all: Vec<String> = state.heaps.iter().enumerate().map(marked).collect();
    if state.entailed.as_ref().is_some_and(Vec::is_empty) {
        let none = vec![Int::ZERO; usize::from(setting.board.kind.heap_of().unwrap_or(1))];
        all.push(format!("{}!", heap(&none)));
    }
    all
}

fn entries(setting: &Setting, state: &State, row_end: &str) -> Vec<String> {
    let board = &setting.board;
    match board.kind.form() {
        Form::Heaps => {
            let mut all = heaps(setting, state);
            all.extend(fields(setting, state, false));
            all
        }
        Form::Scalars => fields(setting, state, false),
        Form::Cells => cells(setting, state, row_end),
        Form::Chains => {
            if let Some(rows) = rows(setting, state) {
                let art: Vec<String> = rows.iter().map(|r| r.concat()).collect();
                let mut all = vec![format!("\"{}\"", art.join(row_end))];
                all.extend(fields(setting, state, false));
                return all;
            }
            let mut all = chains(setting, state);
            all.extend(fields(setting, state, false));
            all
        }
    }
}

/// The entries of a literal that describe the board (without art), and those for the other state.
pub(crate) fn entries_of(setting: &Setting, state: &State) -> (Vec<String>, Vec<String>) {
    let shown = match setting.board.kind.form() {
        Form::Chains => chains(setting, state),
        Form::Heaps => heaps(setting, state),
        _ => Vec::new(),
    };
    (shown, fields(setting, state, false))
}

fn cells(setting: &Setting, state: &State, row_end: &str) -> Vec<String> {
    let board = &setting.board;
    let count = u32::try_from(board.sites()).unwrap_or(u32::MAX);
    let bare = (0..count).all(|s| state.at(setting, Place::Site(s)) == Piece::Empty);
    let constructor = super::cells_by_name(board);
    let mut all = Vec::new();
    match rows(setting, state) {
        Some(rows) if !bare && count > 0 => {
            let art: Vec<String> = rows.iter().map(|r| r.concat()).collect();
            all.push(super::art_by_name(board, &art.join(row_end)));
        }
        shown => {
            all.push(constructor);
            if shown.is_none() {
                for s in 0..count {
                    let p = state.at(setting, Place::Site(s));
                    if p != Piece::Empty {
                        all.push(format!(
                            "at({}): {}",
                            label(&board.label(s)),
                            setting.instance.piece_name(p)
                        ));
                    }
                }
            }
        }
    }
    all.extend(fields(setting, state, false));
    all
}

/// The rows of glyphs of a grid, of a strip, or of a graph made from one; `None` if art cannot show the whole state.
fn rows(setting: &Setting, state: &State) -> Option<Vec<Vec<String>>> {
    let board = &setting.board;
    let (m, n) = board.shape?;
    let graph = !board.has_cells();
    let mut rows = Vec::new();
    if graph {
        for e in (0u32..).take(board.lines.len()) {
            let (u, v) = board.lines[e as usize];
            let whole = state.has_site(setting, u) && state.has_site(setting, v);
            if whole && (!state.has_edge(setting, e) || marked(setting, state, Place::Edge(e))) {
                return None;
            }
        }
    }
    for i in 0..m {
        let mut row = Vec::new();
        for j in 0..n {
            let site = if graph {
                let cell = |k: u32| i64::from(k) + 1;
                let pair = Val::tuple(vec![Val::int(cell(i)), Val::int(cell(j))]);
                let one = Val::int(cell(j));
                board
                    .find(&pair)
                    .or_else(|| board.find(&one).filter(|_| m == 1))
            } else {
                Some(i * n + j)
            };
            let piece = match site {
                Some(s) if state.has_site(setting, s) => state.at(setting, Place::Site(s)),
                _ => Piece::Wall,
            };
            row.push(match piece {
                Piece::Empty => ".".to_owned(),
                Piece::Wall if graph && site.is_some_and(|s| state.has_site(setting, s)) => {
                    return None;
                }
                Piece::Wall | Piece::Off => "#".to_owned(),
                p @ Piece::Declared(_) => {
                    let name = setting.instance.piece_name(p);
                    if name.chars().count() != 1 || &*name == "#" || &*name == "." {
                        return None;
                    }
                    name.to_string()
                }
            });
        }
        rows.push(row);
    }
    if graph && counter(&setting.instance).is_some() {
        return None;
    }
    Some(rows)
}

fn marked(setting: &Setting, state: &State, place: Place) -> bool {
    !matches!(state.at(setting, place), Piece::Empty | Piece::Off)
}

/// The pieces on a site as written in a literal: `:2b+1g`.
pub(crate) fn tag(setting: &Setting, state: &State, site: u32) -> String {
    let mut parts = Vec::new();
    if let Some(f) = counter(&setting.instance) {
        for (k, piece) in (0u32..).zip(&setting.instance.pieces) {
            let var = f.var(setting, k, site);
            if let Some(Val::Int(n)) = var.and_then(|v| state.vars.get(v))
                && !n.is_zero()
            {
                parts.push(format!("{n}{}", piece.name));
            }
        }
    }
    if let p @ Piece::Declared(_) = state.at(setting, Place::Site(site))
        && counter(&setting.instance).is_none()
    {
        parts.push(setting.instance.piece_name(p).to_string());
    }
    if parts.is_empty() {
        return String::new();
    }
    format!(":{}", parts.join("+"))
}

fn chains(setting: &Setting, state: &State) -> Vec<String> {
    let board = &setting.board;
    let count = u32::try_from(board.sites()).unwrap_or(u32::MAX);
    let mut lines: Vec<(u32, u32, String)> = Vec::new();
    if board.kind.is_order() {
        let present = |s: u32| state.has_site(setting, s);
        for (u, v) in board.covers(&present) {
            lines.push((u, v, " < ".into()));
        }
    } else {
        for e in (0u32..).take(board.lines.len()) {
            if !state.has_edge(setting, e) {
                continue;
            }
            let (u, v) = board.lines[e as usize];
            let piece = state.at(setting, Place::Edge(e));
            let lines_are = board.kind.lines();
            let link = match piece {
                Piece::Declared(_) => lines_are.sign_with(&setting.instance.piece_name(piece)),
                _ => lines_are.sign().to_owned(),
            };
            lines.push((u, v, format!(" {link} ")));
        }
    }
    let mut named = vec![false; board.sites()];
    let mut node = |s: u32| {
        let mut text = vertex(&board.label(s));
        if !std::mem::replace(&mut named[s as usize], true) {
            text.push_str(&tag(setting, state, s));
        }
        text
    };
    let mut all: Vec<String> = Vec::new();
    let mut last: Option<u32> = None;
    for (u, v, link) in &lines {
        match all.last_mut() {
            // Continue the chain that ends at this site.
            Some(chain) if last == Some(*u) => {
                let _ = write!(chain, "{link}{}", node(*v));
            }
            _ => {
                let from = node(*u);
                all.push(format!("{from}{link}{}", node(*v)));
            }
        }
        last = Some(*v);
    }
    let rest: Vec<u32> = (0..count)
        .filter(|s| state.has_site(setting, *s))
        .filter(|s| !named[*s as usize])
        .collect();
    for s in rest {
        let mut text = vertex(&board.label(s));
        text.push_str(&tag(setting, state, s));
        if board.root != Some(s) || all.is_empty() {
            all.push(text);
        }
    }
    all
}

/// Whether a variable belongs to an edge that another edge with the same ends, in the same direction, lies beside.
fn has_parallel(setting: &Setting, var: usize) -> bool {
    let board = &setting.board;
    let Some(Var::State(_, args)) = setting.var(var) else {
        return false;
    };
    let Some(e) = args.first().and_then(|a| board.find_edge(a)) else {
        return false;
    };
    let (u, v) = board.lines[e as usize];
    let same =
        |(a, b): &(u32, u32)| (*a, *b) == (u, v) || !board.kind.has_arcs() && (*a, *b) == (v, u);
    board.lines.iter().filter(|line| same(line)).count() > 1
}

/// The state that the board does not show: `token: c[1]`, `size: [3, 1, 4]`, `f(v): 3`.
fn fields(setting: &Setting, state: &State, picture: bool) -> Vec<String> {
    fields_on(setting, state, picture, None)
}

/// The entries for the state other than the board on those sites of a board of cells that `kept` names. They leave out the
/// other sites and what is as it would be without an entry.
pub(crate) fn fields_kept(
    setting: &Setting,
    state: &State,
    kept: &dyn Fn(u32) -> bool,
) -> Vec<String> {
    fields_on(setting, state, false, Some(kept))
}

fn fields_on(
    setting: &Setting,
    state: &State,
    picture: bool,
    kept: Option<&dyn Fn(u32) -> bool>,
) -> Vec<String> {
    let instance = Some(&*setting.instance);
    let board = &setting.board;
    let end = |v: &Val| match v {
        Val::Int(_) if !board.has_cells() => vertex(v),
        _ => value(v, instance),
    };
    let shown = |v: &Val, sort: &Sort| match (sort, v) {
        (_, Val::Edge(e)) => format!(
            "{} {} {}",
            end(&e.from),
            board.kind.lines().sign(),
            end(&e.to)
        ),
        (Sort::Site(_) | Sort::Label, v) => end(v),
        _ => value(v, instance),
    };
    let mut all = Vec::new();
    for (i, decl) in setting.instance.rules.state.iter().enumerate() {
        let f = StateId(u32::try_from(i).unwrap_or(u32::MAX));
        let range = setting.layout.state_range(f);
        let values = &state.vars[range.clone()];
        if decl.arguments.is_empty() {
            if let Some(v) = values.first() {
                all.push(format!("{}: {}", decl.name, shown(v, &decl.sort)));
            }
            continue;
        }
        let changed = |var: &usize| state.read(setting, *var) != setting.default(*var);
        if !range.clone().any(|v| changed(&v)) {
            continue;
        }
        if Some(f) == counter(&setting.instance).map(|c| c.f)
            && !setting.board.has_cells()
            && !picture
        {
            continue;
        }
        let whole = setting.board.has_cells() && matches!(decl.arguments[..], [Sort::Site(_)]);
        if whole && kept.is_none() {
            let list: Vec<String> = values.iter().map(|v| shown(v, &decl.sort)).collect();
            all.push(format!("{}: [{}]", decl.name, list.join(", ")));
            continue;
        }
        // Parallel edges have no names of their own: then the values of all edges are listed.
        if matches!(decl.arguments[..], [Sort::Site(SiteKind::Edge)])
            && range
                .clone()
                .any(|v| changed(&v) && has_parallel(setting, v))
        {
            let there = range.filter(|v| match setting.var(*v) {
                Some(Var::State(_, args)) => args
                    .first()
                    .and_then(|a| board.find_edge(a))
                    .is_some_and(|e| state.has_edge(setting, e)),
                _ => false,
            });
            let list: Vec<String> = there.map(|v| shown(&state.vars[v], &decl.sort)).collect();
            all.push(format!("{}: [{}]", decl.name, list.join(", ")));
            continue;
        }
        for v in range.filter(changed) {
            let Some(Var::State(_, args)) = setting.var(v) else {
                continue;
            };
            let mut sites = args.iter().filter_map(|a| setting.board.find(a));
            if let Some(kept) = kept
                && !sites.all(kept)
            {
                continue;
            }
            let args: Vec<String> = args
                .iter()
                .zip(&decl.arguments)
                .map(|(a, s)| shown(a, s))
                .collect();
            all.push(format!(
                "{}({}): {}",
                decl.name,
                args.join(", "),
                shown(&state.vars[v], &decl.sort)
            ));
        }
    }
    all
}
