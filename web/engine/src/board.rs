//! The board of a position, possibly after a change by hand: its picture, the elements that can be pointed at and their
//! names, and the pieces that can be placed.

use super::ask::{position, with};
use super::{Host, Request};
use cgdsl::ir::edit::edited;
use cgdsl::ir::{Position, draw as text};
use cgdsl::model::typed::{Form, Owners};
use cgdsl::report::draw;
use cgdsl::report::draw::scene::{Of, Scene, Target};
use cgdsl::session::figure::{BoardFigure, Figure, Mark, Owner, Spot, figure};
use serde_json::{Value, json};

pub fn board(r: &Request, host: &impl Host) -> Value {
    with(r, host, |session, loaded| {
        let mut found = position(session, loaded, &r.expression)?;
        if let Some(edit) = &r.edit {
            let changed = edited(&found, r.term, edit)?;
            found = position(session, loaded, &changed)?;
        }
        shown(&found)
    })
}

/// The picture of a position and its targets.
fn shown(position: &Position) -> Result<Value, String> {
    let figure = figure(position)?;
    let scene = draw::scene(&figure);
    let terms: Vec<Value> = position.terms().iter().map(kind).collect();
    Ok(json!({
        "text": text::literal(position), "picture": super::of_scene(&scene), "terms": terms,
        "size": scene.block.size, "targets": targets(&figure, &scene),
    }))
}

/// The kind of a board, and its pieces.
fn kind(term: &cgdsl::ir::Term) -> Value {
    let setting = &term.setting;
    let kind = match setting.board.kind.form() {
        Form::Scalars => "scalars",
        Form::Heaps | Form::Cells | Form::Chains => setting.board.kind.descriptor().name,
    };
    let name = |p: u8| setting.instance.players.get(usize::from(p)).cloned();
    let pieces = setting.instance.pieces.iter().map(|p| {
        let owners = match &p.owners {
            Owners::Anyone => "anyone".to_owned(),
            Owners::These(all) => {
                let all: Vec<String> = all
                    .iter()
                    .filter_map(|p| name(*p))
                    .map(|n| n.to_string())
                    .collect();
                all.join(" or ")
            }
        };
        json!({ "name": &*p.name, "owners": owners, "lines": p.on_edges })
    });
    json!({
        "kind": kind, "ruleset": text::ruleset(&setting.instance), "pieces": pieces.collect::<Vec<_>>(),
        "sides": setting.board.shape,
    })
}

/// The targets of a scene, with their names and contents.
pub fn targets(figure: &Figure, scene: &Scene) -> Vec<Value> {
    let all = scene.block.targets.iter();
    all.filter_map(|t| target(figure, t)).collect()
}

fn target(figure: &Figure, t: &Target) -> Option<Value> {
    let term = figure.terms.get(t.term)?;
    let holds = |spot: &Spot| -> String {
        let marks = spot.marks.iter().map(|m| mark(figure, m));
        let tokens = spot.tokens.iter().cloned();
        let all: Vec<String> = marks.chain(tokens).chain(spot.notes.clone()).collect();
        all.join(", ")
    };
    let (kind, number, name, holds) = match (t.of, &term.board) {
        (
            Of::Cell(n),
            BoardFigure::Cells {
                columns,
                strip,
                cells,
                ..
            },
        ) => {
            let cell = cells.get(n)?;
            let columns = (*columns as usize).max(1);
            let name = match strip {
                true => format!("{}", n + 1),
                false => format!("({}, {})", n / columns + 1, n % columns + 1),
            };
            let holds = match cell.wall {
                true => "wall".to_owned(),
                false => holds(&cell.spot),
            };
            ("site", n, name, holds)
        }
        (Of::Vertex(n), BoardFigure::Graph { nodes, .. }) => {
            let node = nodes.get(n)?;
            ("site", n, node.label.clone(), holds(&node.spot))
        }
        (Of::Line(n), BoardFigure::Graph { nodes, lines, .. }) => {
            let line = lines.get(n)?;
            let (from, to) = (nodes.get(line.from)?, nodes.get(line.to)?);
            let name = format!("{} -- {}", from.label, to.label);
            ("line", n, name, holds(&line.spot))
        }
        (Of::Heap(n), BoardFigure::Heaps { heaps, .. }) => {
            let heap = heaps.get(n)?;
            ("heap", n, format!("{}", n + 1), heap.join(", "))
        }
        _ => return None,
    };
    Some(json!({
        "term": t.term, "kind": kind, "number": number, "name": name, "holds": holds,
        "at": t.at, "size": t.size,
    }))
}

fn mark(figure: &Figure, mark: &Mark) -> String {
    let whose = match mark.owner {
        Owner::Player(p) => figure.players.get(usize::from(p)).map(String::as_str),
        Owner::Shared | Owner::Nobody => None,
    };
    let count = mark.count.as_deref().unwrap_or("");
    match whose {
        Some(who) if *who != mark.glyph => format!("{count}{} ({who})", mark.glyph),
        _ => format!("{count}{}", mark.glyph),
    }
}

/// The targets that a move changes: those whose element of the board looks different afterwards.
pub fn touched(before: &Figure, after: &Figure) -> Vec<(usize, &'static str, usize)> {
    let mut all = Vec::new();
    let ([own], [next]) = (&before.terms[..], &after.terms[..]) else {
        return all;
    };
    match (&own.board, &next.board) {
        (BoardFigure::Cells { cells, .. }, BoardFigure::Cells { cells: later, .. })
            if cells.len() == later.len() =>
        {
            let changed = (0..cells.len()).filter(|c| cells[*c] != later[*c]);
            all.extend(changed.map(|c| (0, "site", c)));
        }
        (
            BoardFigure::Graph { nodes, lines, .. },
            BoardFigure::Graph {
                nodes: later,
                lines: later_lines,
                ..
            },
        ) => {
            for (n, node) in nodes.iter().enumerate() {
                let still = later.iter().find(|l| l.label == node.label);
                if still.is_none_or(|l| l.spot != node.spot) {
                    all.push((0, "site", n));
                }
            }
            let mut left: Vec<_> = later_lines
                .iter()
                .filter_map(|l| Some((&later.get(l.from)?.label, &later.get(l.to)?.label, &l.spot)))
                .collect();
            for (n, line) in lines.iter().enumerate() {
                let (Some(from), Some(to)) = (nodes.get(line.from), nodes.get(line.to)) else {
                    continue;
                };
                let own = (&from.label, &to.label, &line.spot);
                match left.iter().position(|l| *l == own) {
                    Some(at) => {
                        left.swap_remove(at);
                    }
                    None => all.push((0, "line", n)),
                }
            }
        }
        (BoardFigure::Heaps { heaps, .. }, BoardFigure::Heaps { heaps: later, .. }) => {
            let mut left: Vec<&Vec<String>> = later.iter().collect();
            for (n, heap) in heaps.iter().enumerate() {
                match left.iter().position(|l| *l == heap) {
                    Some(at) => {
                        left.swap_remove(at);
                    }
                    None => all.push((0, "heap", n)),
                }
            }
        }
        _ => {}
    }
    all
}
