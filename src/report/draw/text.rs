//! A figure comes in; a picture made of characters comes out. The characters are those of ASCII but for names.

use super::board::{mark_text, place};
use super::layout::Point;
use crate::session::figure::{BoardFigure, Cell, Figure, GraphKind, Line, Node, Spot, TermFigure};

/// A heap that is drawn counter by counter has at most so many.
const PILE: u64 = 12;
/// A graph that is wider is listed instead.
const WIDEST: usize = 160;

/// The figure in characters, line by line.
#[must_use]
pub fn text(figure: &Figure) -> Vec<String> {
    let mut out = Vec::new();
    if figure.terms.is_empty() {
        out.push("0".to_owned());
    }
    for (i, term) in figure.terms.iter().enumerate() {
        if i > 0 {
            out.push(if term.negated { "-" } else { "+" }.to_owned());
        } else if term.negated {
            out.push("-".to_owned());
        }
        if term.copies != "1" {
            out.push(format!("{} *", term.copies));
        }
        out.extend(of_term(term));
    }
    for line in &mut out {
        line.truncate(line.trim_end().len());
    }
    out
}

fn of_term(term: &TermFigure) -> Vec<String> {
    let mut lines = match &term.board {
        BoardFigure::Cells { columns, cells, .. } => grid(*columns, cells),
        BoardFigure::Heaps { heaps } => piles(heaps),
        BoardFigure::Graph {
            graph,
            root,
            nodes,
            lines,
        } => of_graph(*graph, *root, nodes, lines),
        BoardFigure::Nothing => Vec::new(),
    };
    lines.extend(term.captions.iter().cloned());
    if lines.is_empty() {
        lines.push("nothing".to_owned());
    }
    lines
}

fn width(text: &str) -> usize {
    text.chars().count()
}

fn words(spot: &Spot) -> String {
    let mut text: String = spot
        .marks
        .iter()
        .map(mark_text)
        .collect::<Vec<_>>()
        .join("+");
    if !spot.notes.is_empty() {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&spot.notes.join(" "));
    }
    for token in &spot.tokens {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&format!("({token})"));
    }
    text
}

fn grid(columns: u32, cells: &[Cell]) -> Vec<String> {
    let shown: Vec<String> = cells
        .iter()
        .map(|c| match words(&c.spot) {
            _ if c.wall => "#".to_owned(),
            w if w.is_empty() => ".".to_owned(),
            w => w,
        })
        .collect();
    let widest = shown.iter().map(|s| width(s)).max().unwrap_or(1);
    shown
        .chunks((columns as usize).max(1))
        .map(|row| {
            let cells: Vec<String> = row
                .iter()
                .map(|s| format!("{s}{:1$}", "", widest - width(s)))
                .collect();
            cells.join(" ")
        })
        .collect()
}

/// Heaps as piles of `o`, the sizes below a line.
fn piles(heaps: &[Vec<String>]) -> Vec<String> {
    if heaps.is_empty() {
        return Vec::new();
    }
    let small = |n: &String| n.parse::<u64>().ok().filter(|n| *n <= PILE);
    let highest = heaps
        .iter()
        .flatten()
        .map(|n| small(n).unwrap_or(3))
        .max()
        .unwrap_or(0);
    let labels: Vec<String> = heaps
        .iter()
        .map(|h| match &h[..] {
            [n] => n.clone(),
            all => format!("({})", all.join(", ")),
        })
        .collect();
    let columns: Vec<usize> = heaps
        .iter()
        .zip(&labels)
        .map(|(h, l)| width(l).max(2 * h.len() - 1))
        .collect();
    let centred = |text: &str, w: usize| {
        let left = (w - width(text).min(w)) / 2;
        format!("{:left$}{text}{:2$}", "", "", w - left - width(text).min(w))
    };
    let mut lines = Vec::new();
    for level in (0..highest).rev() {
        let row: Vec<String> = heaps
            .iter()
            .zip(&columns)
            .map(|(h, w)| {
                let part: Vec<&str> = h
                    .iter()
                    .map(|n| match small(n) {
                        Some(k) if level < k => "o",
                        Some(_) => " ",
                        // Too many to be drawn one by one.
                        None if level < 3 => [":", "o", ":"][level as usize % 3],
                        None => " ",
                    })
                    .collect();
                centred(&part.join(" "), *w)
            })
            .collect();
        lines.push(row.join("  "));
    }
    let total: usize = columns.iter().sum::<usize>() + 2 * (columns.len() - 1);
    lines.push("-".repeat(total));
    let row: Vec<String> = labels
        .iter()
        .zip(&columns)
        .map(|(l, w)| centred(l, *w))
        .collect();
    lines.push(row.join("  "));
    lines
}

/// Characters on a plane.
struct Canvas {
    rows: Vec<Vec<char>>,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Canvas {
        Canvas {
            rows: vec![vec![' '; width]; height],
        }
    }

    fn put(&mut self, x: i64, y: i64, c: char) {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else {
            return;
        };
        if let Some(cell) = self.rows.get_mut(y).and_then(|r| r.get_mut(x)) {
            *cell = c;
        }
    }

    fn write(&mut self, x: i64, y: i64, text: &str) {
        for (i, c) in (0i64..).zip(text.chars()) {
            self.put(x + i, y, c);
        }
    }

    /// A line, its ends left out: each step is shown by the character that slants as it does.
    fn line(&mut self, (x0, y0): (i64, i64), (x1, y1): (i64, i64)) {
        let (dx, dy) = (x1 - x0, y1 - y0);
        // A slanted line has one character in each row; only a very flat one is drawn out.
        let steps = if dx.abs() >= 4 * dy.abs() {
            dx.abs()
        } else {
            dy.abs()
        };
        for k in 1..steps {
            let part = |d: i64| (2 * d * k + d.signum() * steps) / (2 * steps);
            let (x, y) = (x0 + part(dx), y0 + part(dy));
            let c = if dy == 0 {
                '-'
            } else if dx.abs() * 2 <= dy.abs() {
                '|'
            } else if dx.abs() >= 4 * dy.abs() {
                '-'
            } else if (dx > 0) == (dy > 0) {
                '\\'
            } else {
                '/'
            };
            self.put(x, y, c);
        }
    }
}

fn of_graph(kind: GraphKind, root: Option<usize>, nodes: &[Node], lines: &[Line]) -> Vec<String> {
    if nodes.is_empty() {
        return Vec::new();
    }
    let labels: Vec<String> = nodes
        .iter()
        .map(|n| match words(&n.spot) {
            w if w.is_empty() => n.label.clone(),
            w => format!("{}:{w}", n.label),
        })
        .collect();
    // The ground is known without its name.
    let shown: Vec<&str> = (0..nodes.len())
        .map(|v| {
            if Some(v) == root {
                ""
            } else {
                labels[v].as_str()
            }
        })
        .collect();
    let widest = shown.iter().map(|l| width(l)).max().unwrap_or(1);
    let placed = place(kind, root, nodes, lines);
    let mark_width = lines
        .iter()
        .map(|l| width(&words(&l.spot)))
        .max()
        .unwrap_or(0);
    // Even, so that two below one stand at the same distance from its middle.
    let across = (widest + 3 + mark_width).max(6).next_multiple_of(2);
    let down = if mark_width > 0 {
        4.0
    } else {
        (across / 2).clamp(3, 4) as f64
    };
    let across = across as f64;
    let least = |f: fn(&Point) -> f64| placed.at.iter().map(f).fold(f64::INFINITY, f64::min);
    let (left, top) = (least(|p| p.0), least(|p| p.1));
    // Even numbers of columns and rows to a step keep lines straight.
    let spot = |p: &Point| -> (i64, i64) {
        (
            ((p.0 - left) * across).round() as i64 + widest as i64 / 2,
            ((p.1 - top) * down).round() as i64,
        )
    };
    let at: Vec<(i64, i64)> = placed.at.iter().map(spot).collect();
    let right = at.iter().map(|p| p.0).max().unwrap_or(0) + widest as i64;
    let bottom = at.iter().map(|p| p.1).max().unwrap_or(0);
    let parallel = has_parallel(lines);
    let (Ok(w), Ok(h)) = (usize::try_from(right + 2), usize::try_from(bottom + 1)) else {
        return Vec::new();
    };
    // What would be a tangle of characters is listed instead; so are loops and parallel lines.
    if w > WIDEST || h > 100 || parallel || lines.len() > 3 * nodes.len() + 8 {
        return listed(kind, nodes, &labels, lines);
    }
    let mut canvas = Canvas::new(w, h);
    if let Some(r) = root {
        for x in 0..w as i64 {
            canvas.put(x, at[r].1, '=');
        }
    }
    let ends = |l: &Line| match root {
        Some(r) if l.from == r => ((at[l.to].0, at[r].1), at[l.to]),
        Some(r) if l.to == r => (at[l.from], (at[l.from].0, at[r].1)),
        _ => (at[l.from], at[l.to]),
    };
    // Texts that would lie on each other say nothing: the graph is listed.
    let mut texts: Vec<(i64, i64, i64)> = shown
        .iter()
        .zip(&at)
        .filter(|(label, _)| !label.is_empty())
        .map(|(label, p)| {
            let x = p.0 - width(label) as i64 / 2;
            (p.1, x, x + width(label) as i64)
        })
        .collect();
    for l in lines {
        let (a, b) = ends(l);
        let text = width(&words(&l.spot)) as i64;
        if text > 0 {
            let x = (a.0 + b.0) / 2 - text / 2;
            texts.push(((a.1 + b.1) / 2, x, x + text));
        }
    }
    texts.sort_unstable();
    if texts
        .windows(2)
        .any(|w| w[0].0 == w[1].0 && w[1].1 < w[0].2)
    {
        return listed(kind, nodes, &labels, lines);
    }
    for l in lines {
        let (a, b) = ends(l);
        canvas.line(a, b);
    }
    for (v, label) in shown.iter().enumerate() {
        let x = at[v].0 - width(label) as i64 / 2;
        canvas.write(x, at[v].1, label);
    }
    for l in lines {
        let (a, b) = ends(l);
        let text = words(&l.spot);
        let x = (a.0 + b.0) / 2;
        let y = (a.1 + b.1) / 2;
        if !text.is_empty() {
            canvas.write(x - width(&text) as i64 / 2, y, &text);
        }
        if kind == GraphKind::Digraph {
            head(&mut canvas, a, b, width(shown[l.to]) as i64);
        }
    }
    canvas
        .rows
        .into_iter()
        .map(|r| r.into_iter().collect())
        .collect()
}

/// The head of an arrow, beside the label at its end.
fn head(canvas: &mut Canvas, a: (i64, i64), b: (i64, i64), label: i64) {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let steps = dx.abs().max(dy.abs()).max(1);
    let mut k = steps - 1;
    let point = |k: i64| (a.0 + dx * k / steps, a.1 + dy * k / steps);
    while k > 1 {
        let (x, y) = point(k);
        let start = b.0 - label / 2;
        if y != b.1 || x < start || x >= start + label {
            break;
        }
        k -= 1;
    }
    let (x, y) = point(k);
    let c = if dy.abs() * 2 >= dx.abs() {
        if dy > 0 { 'v' } else { '^' }
    } else if dx > 0 {
        '>'
    } else {
        '<'
    };
    canvas.put(x, y, c);
}

fn has_parallel(lines: &[Line]) -> bool {
    let mut pairs: Vec<(usize, usize)> = lines
        .iter()
        .map(|l| (l.from.min(l.to), l.from.max(l.to)))
        .collect();
    pairs.sort_unstable();
    pairs.windows(2).any(|w| w[0] == w[1]) || pairs.iter().any(|(a, b)| a == b)
}

/// Each vertex with the lines that leave it.
fn listed(kind: GraphKind, nodes: &[Node], labels: &[String], lines: &[Line]) -> Vec<String> {
    let link = match kind {
        GraphKind::Graph => "--",
        GraphKind::Digraph => "->",
        GraphKind::Poset => "<",
    };
    let mut out = Vec::new();
    for (v, label) in labels.iter().enumerate() {
        let own: Vec<String> = lines
            .iter()
            .filter(|l| l.from == v)
            .map(|l| match words(&l.spot) {
                w if w.is_empty() => nodes[l.to].label.clone(),
                w => format!("{} ({w})", nodes[l.to].label),
            })
            .collect();
        let alone = !lines.iter().any(|l| l.from == v || l.to == v);
        if !own.is_empty() {
            out.push(format!("{label} {link} {}", own.join(", ")));
        } else if alone || !nodes[v].spot.marks.is_empty() {
            out.push(label.clone());
        }
    }
    out
}
