//! Pictures: of every position that the shipped rulesets evaluate, in every format, with what they must show counted
//! again; and snapshots, which were looked at. `BLESS=1 cargo test --test language draw` writes them anew: look at them again.
#![cfg(feature = "cli")]

#[path = "../pages/mod.rs"]
mod pages;

use crate::evaluated::evaluated;
use cgdsl::report::draw;
use cgdsl::report::draw::scene::Item;
use cgdsl::session::figure::{BoardFigure, Figure, Owner, figure};
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
            BoardFigure::Heaps { heaps, .. } => {
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

/// Names and texts on lines as rectangles (left, top, right, bottom), for letters that are half as wide as they are high.
fn written(figure: &Figure) -> Vec<(String, [f64; 4])> {
    let items = draw::scene(figure).block.items;
    let texts = items.into_iter().filter_map(|i| match i {
        Item::Text { at, text, size, .. } => {
            let (w, h) = (text.chars().count() as f64 * size / 4.0, size * 0.35);
            Some((text, [at.0 - w, at.1 - h, at.0 + w, at.1 + h]))
        }
        _ => None,
    });
    texts.collect()
}

/// Boards whose names used to lie on lines, on heads of arrows, or on each other.
#[test]
fn names_lie_neither_on_each_other_nor_on_heads_of_arrows() {
    let boards = [
        "Snort[torus(3, 4)]",
        "Snort[torus(5, 5)]",
        "Snort[hypercube(3)]",
        "Snort[hypercube(4)]",
        "Snort[kings(3, 4)]",
        "Snort[bipartite(3, 5)]",
        "Snort[petersen()]",
    ];
    let positions = [
        ("n-player/domineering", "BoxDomineering[Box(2, 2, 2)]"),
        ("n-player/domineering", "BoxDomineering[Box(3, 2, 3)]"),
        ("blocking-pebbles", "A:2b+1g -> B -> C:r, A -> C"),
        ("geography", "Geography[a -> b -> c -> d, b -> d, token: a]"),
        ("timber", "a -> b -> c, d -> b"),
    ];
    let world = Disk;
    let mut session = Session::new(&world, Settings::default());
    let path = std::env::temp_dir().join(format!("cgdsl-boards-{}.rules", std::process::id()));
    std::fs::write(&path, "use \"boards.rules\"\nuse \"graphs/snort.rules\"\n").expect("a file");
    let mut loaded = session.load(&path.display().to_string());
    let _ = std::fs::remove_file(&path);
    let on_boards = boards.iter().map(|p| {
        let query = session.position(&mut loaded, p).expect("a position");
        figure(&session.value_of(&loaded, &query).expect("a position")).expect("small enough")
    });
    let figures: Vec<Figure> = on_boards.chain(positions.map(|(f, p)| of(f, p))).collect();
    for figure in figures {
        let texts = written(&figure);
        for (i, (name, a)) in texts.iter().enumerate() {
            for (other, b) in &texts[..i] {
                let apart = a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
                assert!(apart, "{}: {name} lies on {other}", figure.text);
            }
            for item in &draw::scene(&figure).block.items {
                if let Item::Path {
                    to, arrow: true, ..
                } = item
                {
                    let hidden = a[0] < to.0 && to.0 < a[2] && a[1] < to.1 && to.1 < a[3];
                    assert!(!hidden, "{}: {name} lies on an arrow", figure.text);
                }
            }
        }
    }
}

/// A cake of m rows and n columns has mn squares; of a large one the ends are drawn, and its size is told.
#[test]
fn cakes_are_cut_into_squares() {
    let squares = |position: &str| {
        let items = draw::scene(&of("cutcake", position)).block.items;
        let is_square = |i: &&Item| matches!(i, Item::Rectangle { size, .. } if size.0 == size.1);
        items.iter().filter(is_square).count()
    };
    assert_eq!(squares("(3, 4), (2, 2)"), 3 * 4 + 2 * 2);
    assert!(squares("(1000, 3)") <= 3 * 24);
    let text = draw::text(&of("cutcake", "(2, 3)"));
    assert_eq!(text, ["[][][]", "[][][]", "------", "(2, 3)"]);
}

/// Two state functions of a cell are told apart in every format.
#[test]
fn values_of_several_functions_have_names() {
    let u = of(
        "bernoulli-game",
        "BernoulliGame[strip(2), u: [0, 2], v: [0, 0]]",
    );
    let v = of(
        "bernoulli-game",
        "BernoulliGame[strip(2), u: [0, 0], v: [0, 2]]",
    );
    for (figure, named) in [(u, "u=2"), (v, "v=2")] {
        let scene = draw::scene(&figure);
        let all = [
            draw::text(&figure).join("\n"),
            draw::svg(&scene),
            draw::tikz(&scene),
            draw::typst(&scene),
            draw::dot(&figure),
        ];
        for text in all {
            assert!(text.contains(named), "{named}: {text}");
        }
    }
}

/// State on a wall is shown, since what looks the same is the same.
#[test]
fn counts_on_walls_are_drawn() {
    let figure = of(
        "bernoulli-game",
        "BernoulliGame[\"#.\", u: [2, 0], v: [0, 0]]",
    );
    assert_eq!(draw::text(&figure), ["#u=2 ."]);
}

/// In Domineering Left's dominoes stand and Right's lie: in a tree each is told by the move that placed it.
#[test]
fn dominoes_show_who_placed_them() {
    let world = Disk;
    let mut session = Session::new(&world, Settings::default());
    let mut loaded = session.load("domineering");
    let query = session
        .position(&mut loaded, "grid(2, 3)")
        .expect("a board");
    let start = session.value_of(&loaded, &query).expect("a position");
    let (tree, _) = session.tree(&loaded, &start, 2).expect("a small tree");
    let mut seen = 0;
    for node in &tree.nodes {
        let figure = node.picture.figure.as_deref().expect("small enough");
        let BoardFigure::Cells { cells, taken, .. } = &figure.terms[0].board else {
            panic!("a grid");
        };
        // Two moves of different players may cover the same cells by other dominoes: then nothing is told.
        let walls = cells.iter().filter(|c| c.wall).count();
        assert!(
            walls == 2 * taken.len() || taken.is_empty(),
            "{}",
            figure.text
        );
        for t in taken {
            let [a, b] = t.cells[..] else {
                panic!("a domino has two cells");
            };
            let standing = b - a == 3;
            assert!(standing || b - a == 1, "{}", figure.text);
            assert_eq!(
                t.owner,
                Owner::Player(u8::from(!standing)),
                "{}",
                figure.text
            );
            seen += 1;
        }
    }
    assert!(seen > 10, "{seen} dominoes");
    let figure = tree.nodes[1]
        .picture
        .figure
        .as_deref()
        .expect("small enough");
    let text = draw::text(figure);
    assert_eq!(text, ["L . .", "L . .", "L: taken by Left"]);
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

/// A heap that is not drawn whole is higher than those that are.
#[test]
fn a_large_heap_is_not_lower_than_a_small_one() {
    let figure = of("nim", "5, 12, 40");
    let text = draw::text(&figure);
    let rows: Vec<&str> = text.iter().map(|l| l.trim()).collect();
    assert_eq!(&rows[..2], ["o", "o   o"], "{text:#?}");
    // 5, 12, and for 40 as many as for 12 with a break.
    let svg = draw::svg(&draw::scene(&figure));
    assert_eq!(svg.matches("<circle").count(), 5 + 12 + 12, "{svg}");
}

/// A graph whose lines hide each other in characters is listed.
#[test]
fn a_tangle_is_listed_as_text() {
    let lines = |graph: &str| draw::text(&of("col", graph));
    assert!(lines("complete(4)").iter().any(|l| l.contains('/')));
    let listed = lines("complete(6)");
    assert_eq!(listed[0], "1 -- 2, 3, 4, 5, 6", "{listed:#?}");
    assert_eq!(listed.len(), 5, "{listed:#?}");
}

/// A torus is not drawn as the board without its rings.
#[test]
fn rings_are_named_below_a_board() {
    for (wrap, line) in [
        ("both", "rows and columns wrap around"),
        ("rows", "rows wrap around"),
    ] {
        let position = format!("Domineering[grid(\"..|.#\", wrap: {wrap})]");
        let figure = of("domineering", &position);
        let text = draw::text(&figure);
        assert_eq!(text.last().map(String::as_str), Some(line), "{text:#?}");
        let scene = draw::scene(&figure);
        for picture in [draw::svg(&scene), draw::tikz(&scene)] {
            assert!(picture.contains(line), "{picture}");
        }
    }
}

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
