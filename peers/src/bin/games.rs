//! Positions of shipped rulesets, read from their text, raced in one run against the games that peers bring along in
//! Rust: the crate `cgt` (values) and the crate `igs` (nimbers). Every answer of the one is compared with the other's.
//!
//! `cargo run --release --bin games [WORD] [--long]` prints a table; a word chooses rows, `--long` adds those that take
//! a peer a minute and more.

use cgdsl::claim::Answer as Ours;
use cgdsl::session::{Memory, Session, Settings};
use cgdsl::value::Forms;
use cgdsl::value::notation::read;
use cgt::graph::adjacency_matrix::undirected::UndirectedGraph;
use cgt::graph::{Graph, VertexIndex};
use cgt::short::partizan::canonical_form::CanonicalForm;
use cgt::short::partizan::games::{
    amazons, col, domineering, fission, konane, snort, toads_and_frogs,
};
use cgt::short::partizan::partizan_game::PartizanGame;
use cgt::short::partizan::transposition_table::ParallelTranspositionTable;
use cpu_time::ProcessTime;
use igs::game::{DecomposableGame, Game, SimpleGame};
use igs::games::{chomp, cram};
use std::str::FromStr;

/// What a peer answers: canonical forms as it writes them, or a nimber.
#[derive(Clone)]
enum Answer {
    Values(Vec<String>),
    Nimber(u32),
}

struct Row {
    name: &'static str,
    file: &'static str,
    positions: Vec<String>,
    peer: &'static str,
    theirs: Box<dyn Fn() -> Answer>,
    long: bool,
}

fn row(
    name: &'static str,
    file: &'static str,
    position: &str,
    peer: &'static str,
    theirs: impl Fn() -> Answer + 'static,
) -> Row {
    Row {
        name,
        file,
        positions: vec![position.to_owned()],
        peer,
        theirs: Box::new(theirs),
        long: false,
    }
}

fn long(row: Row) -> Row {
    Row { long: true, ..row }
}

/// The values of positions in one table, as the crate's own tests find them.
fn values<G: PartizanGame>(positions: impl IntoIterator<Item = G>) -> Answer {
    let table = ParallelTranspositionTable::new();
    let forms = positions.into_iter().map(|p| p.canonical_form(&table));
    Answer::Values(forms.map(|form: CanonicalForm| form.to_string()).collect())
}

fn parsed<G: PartizanGame + FromStr>(text: &str) -> Answer {
    let Ok(position) = G::from_str(text) else {
        panic!("the peer does not read {text}");
    };
    values([position])
}

/// The edges of a grid.
fn grid(rows: usize, columns: usize) -> Vec<(VertexIndex, VertexIndex)> {
    let at = |row, column| VertexIndex {
        index: row * columns + column,
    };
    let mut edges = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            if column + 1 < columns {
                edges.push((at(row, column), at(row, column + 1)));
            }
            if row + 1 < rows {
                edges.push((at(row, column), at(row + 1, column)));
            }
        }
    }
    edges
}

fn snort_on(rows: usize, columns: usize) -> Answer {
    let empty = snort::VertexKind::Single(snort::VertexColor::Empty);
    let graph = UndirectedGraph::from_edges(&grid(rows, columns), &vec![empty; rows * columns]);
    values([snort::Snort::new(graph)])
}

fn col_on(rows: usize, columns: usize) -> Answer {
    let empty = vec![col::VertexColor::Empty; rows * columns];
    let graph = UndirectedGraph::from_edges(&grid(rows, columns), &empty);
    values([col::Col::new(graph)])
}

/// All strips of a toads, b empty cells and c frogs, for a, b, c from 1 to n.
fn strips(n: usize) -> Vec<String> {
    let mut all = Vec::new();
    for a in 1..=n {
        for b in 1..=n {
            for c in 1..=n {
                all.push("t".repeat(a) + &".".repeat(b) + &"f".repeat(c));
            }
        }
    }
    all
}

fn toads(n: usize) -> Row {
    Row {
        name: [
            "",
            "",
            "",
            "",
            "Toads and Frogs, all up to 4,4,4",
            "Toads and Frogs, all up to 5,5,5",
        ][n],
        file: "toads-and-frogs",
        positions: strips(n)
            .iter()
            .map(|s| format!("ToadsAndFrogs[\"{s}\"]"))
            .collect(),
        peer: "cgt 0.11",
        theirs: Box::new(move || {
            values(strips(n).iter().map(|s| {
                toads_and_frogs::ToadsAndFrogs::from_str(&s.to_uppercase())
                    .expect("toads, frogs and dots")
            }))
        }),
        long: false,
    }
}

fn cram_on(rows: u8, columns: u8) -> Answer {
    let game = cram::Cram::new(columns, rows);
    Answer::Nimber(u32::from(
        game.solver().nimber_of_component(game.initial_position()),
    ))
}

fn chomp_on(rows: u8, columns: u8) -> Answer {
    let game = chomp::Chomp::new(columns, rows);
    Answer::Nimber(u32::from(game.solver().nimber(game.initial_position())))
}

fn rows() -> Vec<Row> {
    const CGT: &str = "cgt 0.11";
    const IGS: &str = "igs 0.1.4";
    let dominoes = |rows: usize, columns: usize| {
        let empty = vec![".".repeat(columns); rows].join("|");
        move || parsed::<domineering::Domineering>(&empty)
    };
    vec![
        row(
            "Domineering 4x4",
            "domineering",
            "Domineering[grid(4, 4)]",
            CGT,
            dominoes(4, 4),
        ),
        row(
            "Domineering 5x5",
            "domineering",
            "Domineering[grid(5, 5)]",
            CGT,
            dominoes(5, 5),
        ),
        long(row(
            "Domineering 5x6",
            "domineering",
            "Domineering[grid(5, 6)]",
            CGT,
            dominoes(5, 6),
        )),
        row(
            "Snort 3x4",
            "graphs/snort.rules",
            "Snort[grid(3, 4)]",
            CGT,
            || snort_on(3, 4),
        ),
        row(
            "Snort 4x4",
            "graphs/snort.rules",
            "Snort[grid(4, 4)]",
            CGT,
            || snort_on(4, 4),
        ),
        row(
            "Col 4x4",
            "graphs/col.rules",
            "Col[grid(4, 4)]",
            CGT,
            || col_on(4, 4),
        ),
        row(
            "Amazons 3x4",
            "amazons",
            "Amazons[\"x...|....|...o\"]",
            CGT,
            || parsed::<amazons::Amazons>("x...|....|...o"),
        ),
        row(
            "Konane 5x5",
            "konane",
            "Konane[\"xoxox|oxoxo|xo..x|oxoxo|xoxox\"]",
            CGT,
            || parsed::<konane::Konane>("xoxox|oxoxo|xo..x|oxoxo|xoxox"),
        ),
        row(
            "Fission 5x5, one stone",
            "fission",
            "Fission[\".....|.....|..x..|.....|.....\"]",
            CGT,
            || parsed::<fission::Fission>(".....|.....|..x..|.....|....."),
        ),
        toads(4),
        toads(5),
        row("Cram 5x6", "cram", "Cram[grid(5, 6)]", IGS, || {
            cram_on(5, 6)
        }),
        row("Cram 5x7", "cram", "Cram[grid(5, 7)]", IGS, || {
            cram_on(5, 7)
        }),
        row(
            "Chomp 10x10",
            "poset-game",
            "PosetGame[chomp(10, 10)]",
            IGS,
            || chomp_on(10, 10),
        ),
        row(
            "Chomp 12x12",
            "poset-game",
            "PosetGame[chomp(12, 12)]",
            IGS,
            || chomp_on(12, 12),
        ),
        long(row(
            "Chomp 13x13",
            "poset-game",
            "PosetGame[chomp(13, 13)]",
            IGS,
            || chomp_on(13, 13),
        )),
    ]
}

/// Our answers to what a user asks, from the text of the rules: reading, compiling and searching; compared with the peer's.
fn ours(row: &Row, theirs: &Answer) -> f64 {
    let begin = ProcessTime::now();
    let world = Memory::default();
    let mut session = Session::new(&world, Settings::default());
    let mut loaded = session.load(row.file);
    let asked = match theirs {
        Answer::Values(_) => "value",
        Answer::Nimber(_) => "nimber",
    };
    loaded.queries.clear();
    for position in &row.positions {
        let query = session
            .expression(&mut loaded, &format!("{asked}({position})"))
            .unwrap_or_else(|d| panic!("{position}: {d:?}"));
        loaded.queries.push(query);
    }
    let items = session.evaluate(&loaded, |_, _| ());
    let seconds = begin.elapsed().as_secs_f64();
    let found: Vec<&str> = items
        .iter()
        .map(|item| match &item.answer {
            Ours::Value(evaluated) => evaluated.value.as_str(),
            other => panic!("{}: {other:?}", row.name),
        })
        .collect();
    assert_eq!(found.len(), row.positions.len(), "{}", row.name);
    match theirs {
        Answer::Values(texts) => {
            let forms = Forms::new();
            for ((own, text), position) in found.iter().zip(texts).zip(&row.positions) {
                let value = read(&forms, own);
                assert!(value.is_ok(), "{position}: {own}");
                assert_eq!(value, read(&forms, text), "{position}: {own} and {text}");
            }
        }
        Answer::Nimber(n) => assert_eq!(found, [n.to_string()], "{}", row.name),
    }
    seconds
}

fn seconds(s: f64) -> String {
    if s < 0.01 {
        format!("{s:.4} s")
    } else if s < 0.1 {
        format!("{s:.3} s")
    } else {
        format!("{s:.2} s")
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let all = arguments.iter().any(|a| a == "--long");
    let words: Vec<String> = arguments
        .iter()
        .filter(|a| !a.starts_with('-'))
        .map(|a| a.to_lowercase())
        .collect();
    println!("| position | from the file | peer | peer's seconds | ratio |");
    println!("|---|---|---|---|---|");
    for row in rows() {
        let name = row.name.to_lowercase();
        let chosen = words.iter().any(|w| name.contains(w));
        if !(chosen || words.is_empty() && (all || !row.long)) {
            continue;
        }
        // In turns, the least of up to five runs of each; a peer's long run is made once.
        let (mut mine, mut peer) = (f64::INFINITY, f64::INFINITY);
        let begin = ProcessTime::now();
        for _ in 0..5 {
            let start = ProcessTime::now();
            let theirs = (row.theirs)();
            peer = peer.min(start.elapsed().as_secs_f64());
            mine = mine.min(ours(&row, &theirs));
            if begin.elapsed().as_secs_f64() > 8.0 {
                break;
            }
        }
        println!(
            "| {} | {} | {} | {} | {:.1} |",
            row.name,
            seconds(mine),
            row.peer,
            seconds(peer),
            peer / mine
        );
    }
}
