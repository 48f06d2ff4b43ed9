//! Pictures: of every position that the shipped rulesets evaluate, in every format, with what they must show counted
//! again; and snapshots, which were looked at. `BLESS=1 cargo test --test language draw` writes them anew: look at them again.
#![cfg(feature = "cli")]

#[path = "../pages/mod.rs"]
mod pages;

use crate::evaluated::evaluated;
use cgdsl::report::draw;
use cgdsl::report::draw::scene::Item;
use cgdsl::session::figure::{BoardFigure, Figure, figure};
use cgdsl::session::{Disk, Session, Settings, shipped};
use std::path::Path;

/// The figure of a position of a shipped file.
fn of(file: &str, position: &str) -> Figure {
    let world = Disk;
    let mut session = Session::new(&world, Settings::default());
    let mut loaded = session.load(file);
    let query = session
        .position(&mut loaded, position)
        .unwrap_or_else(|d| panic!("{file} {position}: {d:?}"));
    let position = session.value_of(&loaded, &query).expect("a position");
    figure(&position).expect("small enough")
}

/// Whether every tag is closed in order and nothing stands bare.
fn well_formed(xml: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml;
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        if text.contains('>') {
            return Err(format!("a bare > in {text:?}"));
        }
        let end = rest[start..].find('>').ok_or("a tag without an end")? + start;
        let tag = &rest[start + 1..end];
        if tag.contains('<') || tag.matches('"').count() % 2 == 1 {
            return Err(format!("a tag that is none: {tag}"));
        }
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> closes nothing"));
            }
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap_or(""));
        }
        rest = &rest[end + 1..];
    }
    for part in xml.split('&').skip(1) {
        if !["amp;", "lt;", "gt;", "quot;"]
            .iter()
            .any(|e| part.starts_with(e))
        {
            return Err(format!("a bare & before {part:.10}"));
        }
    }
    if open.is_empty() {
        Ok(())
    } else {
        Err(format!("not closed: {open:?}"))
    }
}

fn balanced(text: &str, open: char, close: char) -> bool {
    let mut depth = 0i64;
    let mut escaped = false;
    for c in text.chars() {
        if escaped {
            escaped = false;
        } else if c == '\\' {
            escaped = true;
        } else if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// Every format of a figure holds what the figure holds.
fn check(name: &str, figure: &Figure) {
    let scene = draw::scene(figure);
    let (w, h) = scene.block.size;
    assert!(
        w > 0.0 && h > 0.0 && w.is_finite() && h.is_finite(),
        "{name}: {w} x {h}"
    );
    for item in &scene.block.items {
        let points = match item {
            Item::Path { from, to, .. } => vec![*from, *to],
            Item::Piece { at, .. } | Item::Rectangle { at, .. } | Item::Text { at, .. } => {
                vec![*at]
            }
        };
        for (x, y) in points {
            assert!(
                (-1.0..=w + 1.0).contains(&x) && (-1.0..=h + 1.0).contains(&y),
                "{name}: {item:?} is outside of {w} x {h}"
            );
        }
    }
    let svg = draw::svg(&scene);
    well_formed(&svg).unwrap_or_else(|e| panic!("{name}: {e}\n{svg}"));
    assert!(svg.contains("<title") && svg.contains("<desc"), "{name}");
    let tikz = draw::tikz(&scene);
    assert!(
        balanced(&tikz, '{', '}') && tikz.matches("\\begin{tikzpicture}").count() == 1,
        "{name}: {tikz}"
    );
    pages::formats::lint(&tikz).unwrap_or_else(|e| panic!("{name}: {e}"));
    let dot = draw::dot(figure);
    assert!(balanced(&dot, '{', '}'), "{name}: {dot}");
    let text = draw::text(figure).join("\n");
    let mut marks = 0;
    for term in &figure.terms {
        match &term.board {
            BoardFigure::Cells { cells, .. } => {
                let own: usize = cells.iter().map(|c| c.spot.marks.len()).sum();
                marks += own;
            }
            BoardFigure::Graph {
                nodes, lines, root, ..
            } => {
                marks += nodes.iter().map(|n| n.spot.marks.len()).sum::<usize>();
                for (v, node) in nodes.iter().enumerate() {
                    if Some(v) != *root {
                        assert!(
                            text.contains(&node.label),
                            "{name}: {} is not shown\n{text}",
                            node.label
                        );
                        assert!(
                            svg.contains(&draw::escape(&node.label)),
                            "{name}: {}",
                            node.label
                        );
                    }
                }
                for line in lines {
                    for mark in &line.spot.marks {
                        assert!(text.contains(&mark.glyph), "{name}: {text}");
                    }
                }
                // No two vertices on the same spot.
                for (i, a) in nodes.iter().enumerate() {
                    for b in &nodes[..i] {
                        assert_ne!(a.label, b.label, "{name}");
                    }
                }
            }
            BoardFigure::Heaps { heaps } => {
                for n in heaps.iter().flatten() {
                    assert!(text.contains(n), "{name}: {text}");
                }
            }
            BoardFigure::Nothing => {
                assert!(!term.captions.is_empty(), "{name}");
            }
        }
        for caption in &term.captions {
            assert!(text.contains(caption), "{name}: {caption}");
        }
    }
    // Every piece is drawn with the shape of its owner; the legend and tokens add some.
    let shapes = scene
        .block
        .items
        .iter()
        .filter(|i| matches!(i, Item::Piece { .. }))
        .count();
    assert!(shapes >= marks, "{name}: {shapes} shapes, {marks} pieces");
}

#[test]
fn every_position_of_the_library_is_drawn_in_every_format() {
    let mut drawn = 0;
    for file in shipped::all() {
        let world = Disk;
        let mut session = Session::new(&world, Settings::default());
        let loaded = session.load(&format!("rulesets/{}", file.path));
        for position in evaluated(&session, &loaded) {
            let figure = figure(&position).expect("small enough");
            check(&format!("{}: {}", file.path, figure.text), &figure);
            drawn += 1;
        }
    }
    assert!(drawn > 60, "only {drawn} positions");
}

/// File, position, name of the snapshot.
const SHOWN: &[(&str, &str, &str)] = &[
    ("domineering", "..|.#", "grid"),
    ("clobber", "\"xo.|#ox\"", "pieces"),
    ("toads-and-frogs", "ToadsAndFrogs[\"tt.ff\"]", "strip"),
    ("end-nim", "EndNim[strip(3), stack: [3, 1, 4]]", "stacks"),
    ("nim", "3, 5, 20", "heaps"),
    ("cutcake", "(3, 4), (2, 2)", "pairs"),
    (
        "hackenbush",
        "ground -b- u -r- w, u -g- x, ground -r- y -b- w, ground -b- y, x -r- x",
        "hackenbush",
    ),
    (
        "hackenbush",
        "Hackenbush[ground -g- u -b- w] + 2 * Hackenbush[stalk(\"br\")] - Hackenbush[stalk(\"b\")]",
        "sum",
    ),
    ("snort", "a:x -- b -- c:o, b -- d", "graph"),
    ("snort", "cycle(6)", "cycle"),
    ("blocking-pebbles", "A:2b+1g -> B -> C:r, A -> C", "digraph"),
    (
        "geography",
        "Geography[a -> b -> c -> d, b -> d, token: a]",
        "token",
    ),
    (
        "poset-game",
        "PosetGame[a < b, a < c, b < d, c < d]",
        "poset",
    ),
    ("chomp", "chomp(3, 4)", "chomp"),
    ("n-player/hackenbush", "Queer", "three-players"),
];

#[test]
fn pictures_are_as_they_were_when_somebody_looked_at_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/draw");
    let bless = std::env::var_os("BLESS").is_some();
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut changed = Vec::new();
    for (file, position, name) in SHOWN {
        let figure = of(file, position);
        check(name, &figure);
        let scene = draw::scene(&figure);
        let mut text = draw::text(&figure).join("\n");
        text.push('\n');
        for (ending, found) in [
            ("txt", text),
            ("svg", draw::svg(&scene)),
            ("tex", draw::tikz(&scene)),
            ("dot", draw::dot(&figure)),
        ] {
            let path = folder.join(format!("{name}.{ending}"));
            if bless {
                std::fs::write(&path, &found).expect("written");
                continue;
            }
            let known = std::fs::read_to_string(&path)
                .unwrap_or_default()
                .replace("\r\n", "\n");
            if known != found {
                changed.push(format!("{name}.{ending}:\n{found}"));
            }
        }
    }
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}
