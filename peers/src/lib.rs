//! What the races share: a question that a user asks of a shipped ruleset, our answer from its text, and the answer of a peer
//! that has the game in Rust.

use cgdsl::claim::Answer as Ours;
use cgdsl::session::{Memory, Session, Settings};
use cgdsl::value::Forms;
use cgdsl::value::notation::read;
use cgt::graph::adjacency_matrix::undirected::UndirectedGraph;
use cgt::graph::{Graph, VertexIndex};
use cgt::short::partizan::canonical_form::CanonicalForm;
use cgt::short::partizan::games::{col, domineering, snort, toads_and_frogs};
use cgt::short::partizan::partizan_game::PartizanGame;
use cgt::short::partizan::transposition_table::ParallelTranspositionTable;
use cpu_time::ProcessTime;
use igs::game::{DecomposableGame, Game, SimpleGame};
use igs::games::{chomp, cram};
use std::str::FromStr;

/// What a peer answers: canonical forms as it writes them, or a nimber.
#[derive(Clone)]
pub enum Answer {
    Values(Vec<String>),
    Nimber(u32),
}

pub struct Row {
    pub name: String,
    pub file: &'static str,
    pub positions: Vec<String>,
    pub peer: &'static str,
    pub theirs: Box<dyn Fn() -> Answer>,
    pub long: bool,
}

pub fn row(
    name: impl Into<String>,
    file: &'static str,
    position: &str,
    peer: &'static str,
    theirs: impl Fn() -> Answer + 'static,
) -> Row {
    Row {
        name: name.into(),
        file,
        positions: vec![position.to_owned()],
        peer,
        theirs: Box::new(theirs),
        long: false,
    }
}

pub fn long(row: Row) -> Row {
    Row { long: true, ..row }
}

/// The values of positions in one table, as the crate's own tests find them.
pub fn values<G: PartizanGame>(positions: impl IntoIterator<Item = G>) -> Answer {
    let table = ParallelTranspositionTable::new();
    let forms = positions.into_iter().map(|p| p.canonical_form(&table));
    Answer::Values(forms.map(|form: CanonicalForm| form.to_string()).collect())
}

pub fn parsed<G: PartizanGame + FromStr>(text: &str) -> Answer {
    let Ok(position) = G::from_str(text) else {
        panic!("the peer does not read {text}");
    };
    values([position])
}

pub const CGT: &str = "cgt 0.11";
pub const IGS: &str = "igs 0.1.4";

pub fn dominoes(rows: usize, columns: usize) -> Answer {
    parsed::<domineering::Domineering>(&vec![".".repeat(columns); rows].join("|"))
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

pub fn snort_on(rows: usize, columns: usize) -> Answer {
    let empty = snort::VertexKind::Single(snort::VertexColor::Empty);
    let graph = UndirectedGraph::from_edges(&grid(rows, columns), &vec![empty; rows * columns]);
    values([snort::Snort::new(graph)])
}

pub fn col_on(rows: usize, columns: usize) -> Answer {
    let empty = vec![col::VertexColor::Empty; rows * columns];
    let graph = UndirectedGraph::from_edges(&grid(rows, columns), &empty);
    values([col::Col::new(graph)])
}

/// All strips of a toads, b empty cells and c frogs, for a, b, c from 1 to n.
pub fn strips(n: usize) -> Vec<String> {
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

/// The value of one strip of toads, empty cells and frogs.
pub fn strip(text: &str) -> Answer {
    parsed::<toads_and_frogs::ToadsAndFrogs>(&text.to_uppercase())
}

pub fn toads(n: usize) -> Row {
    Row {
        name: format!("Toads and Frogs, all up to {n},{n},{n}"),
        file: "toads-and-frogs",
        positions: strips(n)
            .iter()
            .map(|s| format!("ToadsAndFrogs[\"{s}\"]"))
            .collect(),
        peer: CGT,
        theirs: Box::new(move || {
            values(strips(n).iter().map(|s| {
                toads_and_frogs::ToadsAndFrogs::from_str(&s.to_uppercase())
                    .expect("toads, frogs and dots")
            }))
        }),
        long: false,
    }
}

pub fn cram_on(rows: u8, columns: u8) -> Answer {
    let game = cram::Cram::new(columns, rows);
    Answer::Nimber(u32::from(
        game.solver().nimber_of_component(game.initial_position()),
    ))
}

pub fn chomp_on(rows: u8, columns: u8) -> Answer {
    let game = chomp::Chomp::new(columns, rows);
    Answer::Nimber(u32::from(game.solver().nimber(game.initial_position())))
}

/// Our answers to what a user asks, from the text of the rules, and the processor seconds for reading, compiling and searching.
/// `asked` is `value` or `nimber`.
pub fn ours(row: &Row, asked: &str) -> (f64, Vec<String>) {
    let begin = ProcessTime::now();
    let world = Memory::default();
    let mut session = Session::new(&world, Settings::default());
    let mut loaded = session.load(row.file);
    loaded.queries.clear();
    for position in &row.positions {
        let query = session
            .expression(&mut loaded, &format!("{asked}({position})"))
            .unwrap_or_else(|d| panic!("{position}: {d:?}"));
        loaded.queries.push(query);
    }
    let items = session.evaluate(&loaded, |_, _| ());
    let seconds = begin.elapsed().as_secs_f64();
    let found: Vec<String> = items
        .into_iter()
        .map(|item| match item.answer {
            Ours::Value(evaluated) => evaluated.value,
            other => panic!("{}: {other:?}", row.name),
        })
        .collect();
    assert_eq!(found.len(), row.positions.len(), "{}", row.name);
    (seconds, found)
}

impl Answer {
    /// What we are asked for such an answer.
    pub fn asked(&self) -> &'static str {
        match self {
            Answer::Values(_) => "value",
            Answer::Nimber(_) => "nimber",
        }
    }

    /// Stops the run unless our answers are the same.
    pub fn compare(&self, row: &Row, found: &[String]) {
        match self {
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
    }
}
