//! The table of `docs/performance.md`: positions of shipped rulesets, evaluated from the text, compared with the same games
//! written by hand (`examples/`) on the same engine. Run it with `cargo bench --bench ratios`; a word after `--` selects
//! rows, and `--long` adds rows that take minutes.
//!
//! Each figure is the minimum of several alternating runs in processor seconds, all in one process and one thread. A run from
//! the text includes reading the file, compiling the board and searching. Each run has a fresh engine.

// Each example is self-contained, so shared code is included with each of them.
#![allow(clippy::duplicate_mod)]

#[allow(dead_code)]
#[path = "../examples/amazons.rs"]
mod amazons;
#[allow(dead_code)]
#[path = "../examples/blocking_pebbles.rs"]
mod blocking_pebbles;
#[allow(dead_code)]
#[path = "../examples/clobber.rs"]
mod clobber;
#[allow(dead_code)]
#[path = "../examples/colouring.rs"]
mod colouring;
#[allow(dead_code)]
#[path = "../examples/cram.rs"]
mod cram;
#[allow(dead_code)]
#[path = "../examples/digraph_placement.rs"]
mod digraph_placement;
#[allow(dead_code)]
#[path = "../examples/dodgem.rs"]
mod dodgem;
#[allow(dead_code)]
#[path = "../examples/domineering.rs"]
mod domineering;
#[allow(dead_code)]
#[path = "../examples/fission.rs"]
mod fission;
#[allow(dead_code)]
#[path = "../examples/hackenbush.rs"]
mod hackenbush;
#[allow(dead_code)]
#[path = "../examples/hare_and_hounds.rs"]
mod hare_and_hounds;
#[allow(dead_code)]
#[path = "../examples/hex.rs"]
mod hex;
#[allow(dead_code)]
#[path = "../examples/kayles.rs"]
mod kayles;
#[allow(dead_code)]
#[path = "../examples/konane.rs"]
mod konane;
#[allow(dead_code)]
#[path = "../examples/push.rs"]
mod push;
#[allow(dead_code)]
#[path = "../examples/tic_tac_toe.rs"]
mod tic_tac_toe;
#[allow(dead_code)]
#[path = "../examples/toads_and_frogs.rs"]
mod toads_and_frogs;

use cgdsl::engine::arena::Arena;
use cgdsl::engine::{Engine, Search};
use cgdsl::game::{Budget, Cancel, Convention, Game, Limits, Player, Rules};
use cgdsl::machine::{Bared, Key, Machine};
use cgdsl::session::{Memory, Session, Settings};
use cgdsl::value::Outcome;
use cgdsl::value::notation::{Style, print};
use cpu_time::ProcessTime;
use std::fmt::Debug;
use std::sync::Arc;

/// The question about a position.
#[derive(Clone, Copy, PartialEq)]
enum Ask {
    Value,
    Nimber,
    Outcome,
    /// Who wins, by the arena.
    Winner,
    /// Who wins and how soon, by listing all followers.
    Played,
}

/// An answer, and its cost.
struct Run {
    answer: String,
    seconds: f64,
    /// The part of this time spent on reading the file and compiling boards.
    start: f64,
    bytes: usize,
    expanded: u64,
}

type Hand = fn(Ask) -> Run;

struct Row {
    name: &'static str,
    file: &'static str,
    position: &'static str,
    /// Several positions for one engine, instead of one.
    list: Option<fn() -> Vec<String>>,
    ask: Ask,
    hand: Option<Hand>,
    long: bool,
}

const fn row(
    name: &'static str,
    file: &'static str,
    position: &'static str,
    ask: Ask,
    hand: Option<Hand>,
) -> Row {
    Row {
        name,
        file,
        position,
        list: None,
        ask,
        hand,
        long: false,
    }
}

const fn long(mut row: Row) -> Row {
    row.long = true;
    row
}

const TRIPLE_211: &str = "BlockingPebbles[A:2b+2r+2g -> B:1b+1r+1g -> C:1b+1r+1g, A -> C]";
const TRIPLE_321: &str = "BlockingPebbles[A:3b+3r+3g -> B:2b+2r+2g -> C:1b+1r+1g, A -> C]";
const TRIPLE_322: &str = "BlockingPebbles[A:3b+3r+3g -> B:2b+2r+2g -> C:2b+2r+2g, A -> C]";
/// Eighteen edges, connected.
const EDGES: &[(u8, u8, char)] = &[
    (0, 1, 'b'),
    (1, 2, 'r'),
    (2, 3, 'g'),
    (3, 4, 'b'),
    (4, 1, 'r'),
    (0, 5, 'r'),
    (5, 6, 'b'),
    (6, 2, 'g'),
    (0, 7, 'g'),
    (7, 5, 'r'),
    (4, 8, 'b'),
    (8, 9, 'r'),
    (9, 3, 'g'),
    (6, 8, 'r'),
    (7, 9, 'b'),
    (0, 9, 'b'),
    (5, 4, 'g'),
    (6, 9, 'r'),
];
const HACKENBUSH: &str = "Hackenbush[ground -b- a -r- b -g- c -b- d -r- a, ground -r- e -b- f -g- b, \
     ground -g- h -r- e, d -b- i -r- j -g- c, f -r- i, h -b- j, ground -b- j, e -g- d, f -r- j]";

const ROWS: &[Row] = &[
    row(
        "Domineering 4x4",
        "domineering",
        "Domineering[grid(4, 4)]",
        Ask::Value,
        Some(|a| dominoes(4, 4, a)),
    ),
    row(
        "Domineering 5x5",
        "domineering",
        "Domineering[grid(5, 5)]",
        Ask::Value,
        Some(|a| dominoes(5, 5, a)),
    ),
    row(
        "Domineering 5x6",
        "domineering",
        "Domineering[grid(5, 6)]",
        Ask::Value,
        Some(|a| dominoes(5, 6, a)),
    ),
    long(row(
        "Domineering 6x6",
        "domineering",
        "Domineering[grid(6, 6)]",
        Ask::Value,
        Some(|a| dominoes(6, 6, a)),
    )),
    long(row(
        "Domineering 5x7",
        "domineering",
        "Domineering[grid(5, 7)]",
        Ask::Value,
        Some(|a| dominoes(5, 7, a)),
    )),
    row(
        "Clobber 3x5",
        "clobber",
        "Clobber[\"xoxox|oxoxo|xoxox\"]",
        Ask::Value,
        Some(|a| stones(3, 5, a)),
    ),
    row(
        "Clobber 4x4",
        "clobber",
        "Clobber[\"xoxo|oxox|xoxo|oxox\"]",
        Ask::Value,
        Some(|a| stones(4, 4, a)),
    ),
    long(row(
        "Clobber 3x6",
        "clobber",
        "Clobber[\"xoxoxo|oxoxox|xoxoxo\"]",
        Ask::Value,
        Some(|a| stones(3, 6, a)),
    )),
    row(
        "Hackenbush, 18 edges",
        "hackenbush",
        HACKENBUSH,
        Ask::Value,
        Some(hackenbush_18),
    ),
    row(
        "Blocking Pebbles 2,1,1",
        "graphs/blocking-pebbles.rules",
        TRIPLE_211,
        Ask::Value,
        Some(|a| pebbles([2, 1, 1], a)),
    ),
    row(
        "Blocking Pebbles 3,2,1",
        "graphs/blocking-pebbles.rules",
        TRIPLE_321,
        Ask::Value,
        Some(|a| pebbles([3, 2, 1], a)),
    ),
    row(
        "Blocking Pebbles 3,2,2",
        "graphs/blocking-pebbles.rules",
        TRIPLE_322,
        Ask::Value,
        Some(|a| pebbles([3, 2, 2], a)),
    ),
    row(
        "Snort 4x4",
        "graphs/snort.rules",
        "Snort[grid(4, 4)]",
        Ask::Value,
        Some(|a| colours(&colouring::Colouring::snort(4, 4), a)),
    ),
    row(
        "Snort 4x5",
        "graphs/snort.rules",
        "Snort[grid(4, 5)]",
        Ask::Value,
        Some(|a| colours(&colouring::Colouring::snort(4, 5), a)),
    ),
    row(
        "Amazons 3x4",
        "amazons",
        "Amazons[\"x...|....|...o\"]",
        Ask::Value,
        Some(|a| {
            let board = amazons::Amazons::new(3, 4);
            by_hand(&board, &[board.position("x...|....|...o")], a)
        }),
    ),
    row(
        "Konane 5x5",
        "konane",
        "Konane[\"xoxox|oxoxo|xo..x|oxoxo|xoxox\"]",
        Ask::Value,
        Some(|a| {
            let board = konane::Konane::new(5, 5);
            by_hand(
                &board,
                &[board.position("xoxox|oxoxo|xo..x|oxoxo|xoxox")],
                a,
            )
        }),
    ),
    row(
        "Toads and Frogs 5,5,5",
        "toads-and-frogs",
        "ToadsAndFrogs[\"ttttt.....fffff\"]",
        Ask::Value,
        Some(|a| toads(&["ttttt.....fffff".to_owned()], a)),
    ),
    Row {
        name: "Toads and Frogs, all up to 5,5,5",
        file: "toads-and-frogs",
        position: "",
        list: Some(|| boards(5)),
        ask: Ask::Value,
        hand: Some(|a| toads(&strips(5), a)),
        long: false,
    },
    Row {
        name: "Toads and Frogs, all up to 6,6,6",
        file: "toads-and-frogs",
        position: "",
        list: Some(|| boards(6)),
        ask: Ask::Value,
        hand: Some(|a| toads(&strips(6), a)),
        long: true,
    },
    row(
        "Col 4x4",
        "graphs/col.rules",
        "Col[grid(4, 4)]",
        Ask::Value,
        Some(|a| colours(&colouring::Colouring::col(4, 4), a)),
    ),
    row(
        "Col 4x5",
        "graphs/col.rules",
        "Col[grid(4, 5)]",
        Ask::Value,
        Some(|a| colours(&colouring::Colouring::col(4, 5), a)),
    ),
    row(
        "Col 4x6",
        "graphs/col.rules",
        "Col[grid(4, 6)]",
        Ask::Value,
        Some(|a| colours(&colouring::Colouring::col(4, 6), a)),
    ),
    row(
        "Node Kayles 5x6",
        "node-kayles",
        "NodeKayles[grid(5, 6)]",
        Ask::Nimber,
        Some(|a| kayles(5, 6, true, a)),
    ),
    row(
        "Node Kayles 6x8",
        "node-kayles",
        "NodeKayles[grid(6, 8)]",
        Ask::Nimber,
        Some(|a| kayles(6, 8, true, a)),
    ),
    row(
        "Arc Kayles 4x5",
        "graphs/arc-kayles.rules",
        "ArcKayles[grid(4, 5)]",
        Ask::Nimber,
        Some(|a| kayles(4, 5, false, a)),
    ),
    row(
        "Arc Kayles 5x6",
        "graphs/arc-kayles.rules",
        "ArcKayles[grid(5, 6)]",
        Ask::Nimber,
        Some(|a| kayles(5, 6, false, a)),
    ),
    row(
        "Fission 5x5",
        "fission",
        "Fission[\".....|.....|..x..|.....|.....\"]",
        Ask::Value,
        Some(|a| split_stones(5, 5, ".....|.....|..x..|.....|.....", a)),
    ),
    row(
        "Fission 5x7",
        "fission",
        "Fission[\".......|.......|...x...|.......|.......\"]",
        Ask::Value,
        Some(|a| split_stones(5, 7, ".......|.......|...x...|.......|.......", a)),
    ),
    Row {
        name: "Digraph Placement, 20 vertices",
        file: "digraph-placement",
        position: "",
        list: Some(|| vec![placement_board(20)]),
        ask: Ask::Value,
        hand: Some(|a| placed(20, a)),
        long: false,
    },
    Row {
        name: "Digraph Placement, 28 vertices",
        file: "digraph-placement",
        position: "",
        list: Some(|| vec![placement_board(28)]),
        ask: Ask::Value,
        hand: Some(|a| placed(28, a)),
        long: false,
    },
    row(
        "Push, 14 cells",
        "push",
        "Push[\"..l.r.lr.l.r.r\"]",
        Ask::Value,
        Some(|a| pushed(false, "..l.r.lr.l.r.r", a)),
    ),
    row(
        "Push, 20 cells",
        "push",
        "Push[\"..l.r.lr.l.r.r.l.r.l\"]",
        Ask::Value,
        Some(|a| pushed(false, "..l.r.lr.l.r.r.l.r.l", a)),
    ),
    row(
        "Shove, 16 cells",
        "shove",
        "Shove[\"..l.r.lr.l.r.rl.\"]",
        Ask::Value,
        Some(|a| pushed(true, "..l.r.lr.l.r.rl.", a)),
    ),
    row(
        "Shove, 24 cells",
        "shove",
        "Shove[\"..l.r.lr.l.r.rl..l.r.lr.\"]",
        Ask::Value,
        Some(|a| pushed(true, "..l.r.lr.l.r.rl..l.r.lr.", a)),
    ),
    row(
        "Chomp 10x10",
        "poset-game",
        "PosetGame[chomp(10, 10)]",
        Ask::Nimber,
        None,
    ),
    long(row(
        "Chomp 12x12",
        "poset-game",
        "PosetGame[chomp(12, 12)]",
        Ask::Nimber,
        None,
    )),
    row(
        "Cram 5x6",
        "cram",
        "Cram[grid(5, 6)]",
        Ask::Nimber,
        Some(|a| pairs(5, 6, a)),
    ),
    row(
        "Cram 5x7",
        "cram",
        "Cram[grid(5, 7)]",
        Ask::Nimber,
        Some(|a| pairs(5, 7, a)),
    ),
    row(
        "Domineering 6x6, outcome",
        "domineering",
        "Domineering[grid(6, 6)]",
        Ask::Outcome,
        Some(|a| dominoes(6, 6, a)),
    ),
    row(
        "Clobber 4x4, outcome",
        "clobber",
        "Clobber[\"xoxo|oxox|xoxo|oxox\"]",
        Ask::Outcome,
        Some(|a| stones(4, 4, a)),
    ),
    row(
        "Clobber 3x6, outcome",
        "clobber",
        "Clobber[\"xoxoxo|oxoxox|xoxoxo\"]",
        Ask::Outcome,
        Some(|a| stones(3, 6, a)),
    ),
    Row {
        name: "Clobber 1x26, outcome",
        file: "clobber",
        position: "",
        list: Some(|| vec![format!("Clobber[\"{}\"]", "xo".repeat(13))]),
        ask: Ask::Outcome,
        hand: Some(|a| stones(1, 26, a)),
        long: false,
    },
    row(
        "Hex 4x4, who wins",
        "graphs/hex.rules",
        "Rhombus(4)",
        Ask::Winner,
        Some(|a| judged(&hex::Hex::new(4), &[0, 0], a)),
    ),
    row(
        "Tic-tac-toe, all that follows",
        "tic-tac-toe",
        "TicTacToe[\"...|...|...\"]",
        Ask::Played,
        Some(|a| judged(&tic_tac_toe::TicTacToe::new(3, 3, 3), &[0, 0], a)),
    ),
    row(
        "Tic-tac-toe 3x5, all that follows",
        "tic-tac-toe",
        "TicTacToe[\".....|.....|.....\"]",
        Ask::Played,
        Some(|a| judged(&tic_tac_toe::TicTacToe::new(3, 5, 3), &[0, 0], a)),
    ),
    row(
        "Hare and Hounds, all that follows",
        "hare-and-hounds",
        "HareAndHounds[\"#d..#|d...h|#d..#\"]",
        Ask::Played,
        Some(|a| {
            let board = hare_and_hounds::HareAndHounds::new();
            judged(&board, &board.start(), a)
        }),
    ),
    row(
        "Dodgem 3x3, all that follows",
        "dodgem",
        "Dodgem[\"x..|x..|.oo\"]",
        Ask::Played,
        Some(|a| {
            let board = dodgem::Dodgem::new(3);
            judged(&board, &board.start(), a)
        }),
    ),
    row(
        "Dodgem 4x4, all that follows",
        "dodgem",
        "Dodgem[\"x...|x...|x...|.ooo\"]",
        Ask::Played,
        Some(|a| {
            let board = dodgem::Dodgem::new(4);
            judged(&board, &board.start(), a)
        }),
    ),
    row(
        "Domineering 7x7, outcome",
        "domineering",
        "Domineering[grid(7, 7)]",
        Ask::Outcome,
        None,
    ),
];

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

/// The same strips, as positions of the ruleset.
fn boards(n: usize) -> Vec<String> {
    let board = |s: &String| format!("ToadsAndFrogs[\"{s}\"]");
    strips(n).iter().map(board).collect()
}

fn toads(strips: &[String], ask: Ask) -> Run {
    let all: Vec<_> = strips
        .iter()
        .map(|s| toads_and_frogs::Strip::new(s))
        .collect();
    by_hand(&toads_and_frogs::ToadsAndFrogs, &all, ask)
}

fn colours(board: &colouring::Colouring, ask: Ask) -> Run {
    by_hand(board, &[board.start()], ask)
}

fn pairs(rows: u32, columns: u32, ask: Ask) -> Run {
    let board = cram::Cram::new(rows, columns);
    let empty = board.empty();
    by_hand(&board, &[empty], ask)
}

fn kayles(rows: usize, columns: usize, nodes: bool, ask: Ask) -> Run {
    let game = kayles::Kayles::grid(rows, columns, nodes);
    by_hand(&game, &[game.whole()], ask)
}

fn pushed(shove: bool, strip: &str, ask: Ask) -> Run {
    by_hand(&push::Strips { shove }, &[push::Strip::new(strip)], ask)
}

fn split_stones(rows: u32, columns: u32, picture: &str, ask: Ask) -> Run {
    let board = fission::Fission::new(rows, columns);
    by_hand(&board, &[board.position(picture)], ask)
}

/// Two arcs from each vertex, none of them a loop.
fn placement_arcs(n: usize) -> Vec<(usize, usize)> {
    let arcs =
        |v: usize| [1 + v * v % (n - 1), 1 + (5 * v + 2) % (n - 1)].map(|step| (v, (v + step) % n));
    (0..n).flat_map(arcs).collect()
}

fn placement_board(n: usize) -> String {
    let colour = |v: usize| if v % 3 == 2 { 'r' } else { 'b' };
    let arcs = placement_arcs(n);
    let arcs = arcs.iter().map(|(u, v)| format!("v{u} -> v{v}"));
    let vertices = (0..n).map(|v| format!("v{v}:{}", colour(v)));
    let all: Vec<String> = vertices.chain(arcs).collect();
    format!("DigraphPlacement[{}]", all.join(", "))
}

fn placed(n: usize, ask: Ask) -> Run {
    let left: Vec<bool> = (0..n).map(|v| v % 3 != 2).collect();
    let game = digraph_placement::DigraphPlacement::new(&left, &placement_arcs(n));
    by_hand(&game, &[game.whole()], ask)
}

fn dominoes(rows: u32, columns: u32, ask: Ask) -> Run {
    let board = domineering::Domineering::new(rows, columns);
    let empty = board.empty();
    by_hand(&board, &[empty], ask)
}

fn stones(rows: u32, columns: u32, ask: Ask) -> Run {
    let board = clobber::Clobber::new(rows, columns);
    let stones = board.alternating();
    by_hand(&board, &[stones], ask)
}

fn pebbles(counts: [u8; 3], ask: Ask) -> Run {
    let triple = blocking_pebbles::BlockingPebbles::transitive_triple();
    let pebbles = triple.pebbles(&counts.map(|n| [n; 3]));
    by_hand(&triple, &[pebbles], ask)
}

fn hackenbush_18(ask: Ask) -> Run {
    let edges: Vec<hackenbush::Edge> = EDGES
        .iter()
        .map(|(u, v, colour)| hackenbush::Edge {
            ends: [*u, *v],
            owners: match colour {
                'b' => 1,
                'r' => 2,
                _ => 3,
            },
        })
        .collect();
    let game = hackenbush::Hackenbush::new(2, &edges).under(Convention::Normal);
    let whole = game.whole();
    by_hand(&game, &[whole], ask)
}

fn answer<G: Game>(search: &mut Search<'_, G>, position: &G::Position, ask: Ask) -> String
where
    G::Key: Debug,
{
    let forms = search.engine().forms();
    match ask {
        Ask::Value => search
            .value(position)
            .map_or_else(|e| format!("{e:?}"), |v| print(forms, v, Style::Ascii)),
        Ask::Nimber => format!("{:?}", search.nimber(position).ok().flatten()),
        Ask::Outcome => {
            let found: Result<Outcome, _> = search.outcome(position);
            found.map_or_else(|e| format!("{e:?}"), |o| format!("{o:?}"))
        }
        Ask::Winner | Ask::Played => "asked of the arena".to_owned(),
    }
}

/// Who wins for either starting player, and in how many moves; and the number of nodes examined.
fn verdict<R: Rules>(rules: &R, start: &R::Position, ask: Ask) -> (String, u64) {
    let mut arena = Arena::new(2 << 30);
    let budget = Budget::new(&Limits::default(), Cancel::new());
    let (mut answers, mut nodes) = (Vec::new(), 0);
    for first in [Player::LEFT, Player::RIGHT] {
        answers.push(match ask {
            Ask::Played => {
                let found = arena.played(rules, start, first, &budget);
                found.map_or_else(|_| "stopped".to_owned(), |p| format!("{p:?}"))
            }
            _ => {
                let found = arena.fate(rules, start, first, &budget);
                found.map_or_else(|_| "stopped".to_owned(), |f| format!("{f:?}"))
            }
        });
        nodes += arena.nodes_listed() as u64;
    }
    let nodes = if ask == Ask::Played {
        nodes
    } else {
        arena.counts().0
    };
    (answers.join(", "), nodes)
}

/// The same for rules by hand.
fn judged<R: Rules>(rules: &R, start: &R::Position, ask: Ask) -> Run {
    let begin = ProcessTime::now();
    let (answer, expanded) = verdict(rules, start, ask);
    Run {
        answer,
        seconds: begin.elapsed().as_secs_f64(),
        start: 0.0,
        bytes: 0,
        expanded,
    }
}

fn by_hand<G: Game>(game: &G, positions: &[G::Position], ask: Ask) -> Run {
    let begin = ProcessTime::now();
    let engine = Engine::new(Limits::default());
    let answers: Vec<String> = positions
        .iter()
        .map(|p| answer(&mut engine.search(game), p, ask))
        .collect();
    let statistics = engine.statistics();
    Run {
        answer: answers.join(", "),
        seconds: begin.elapsed().as_secs_f64(),
        start: 0.0,
        bytes: statistics.bytes,
        expanded: statistics.expanded,
    }
}

fn from_text(row: &Row) -> Run {
    let positions = match row.list {
        None => vec![row.position.to_owned()],
        Some(list) => list(),
    };
    let begin = ProcessTime::now();
    let world = Memory::default();
    let mut session = Session::new(&world, Settings::default());
    let mut loaded = session.load(row.file);
    let engine = Engine::<Key>::new(Limits::default());
    let mut answers = Vec::new();
    let mut start_up = begin.elapsed();
    let mut decided = 0;
    for position in &positions {
        let compiling = ProcessTime::now();
        let query = session
            .position(&mut loaded, position)
            .unwrap_or_else(|d| panic!("{position}: {d:?}"));
        let start = session
            .value_of(&loaded, &query)
            .unwrap_or_else(|d| panic!("{position}: {d:?}"));
        let machine = Machine::new(&loaded.model, &start).unwrap_or_else(|f| panic!("{f}"));
        if matches!(row.ask, Ask::Winner | Ask::Played) {
            let machine = Arc::new(machine);
            let initial = machine.initial();
            let bare = machine.bare(&initial);
            start_up += compiling.elapsed();
            let (answer, nodes) = match &bare {
                Some(Bared::One(rules)) => verdict(rules, &rules.position(&initial), row.ask),
                Some(Bared::Two(rules)) => verdict(rules, &rules.position(&initial), row.ask),
                Some(Bared::Four(rules)) => verdict(rules, &rules.position(&initial), row.ask),
                None => verdict(&*machine, &initial, row.ask),
            };
            answers.push(answer);
            decided += nodes;
            continue;
        }
        start_up += compiling.elapsed();
        let mut search = engine.search(&machine);
        answers.push(answer(&mut search, &machine.initial(), row.ask));
    }
    let statistics = engine.statistics();
    Run {
        answer: answers.join(", "),
        seconds: begin.elapsed().as_secs_f64(),
        start: start_up.as_secs_f64(),
        bytes: statistics.bytes,
        expanded: statistics.expanded + decided,
    }
}

/// The faster of two runs.
fn least(best: Option<Run>, run: Run) -> Option<Run> {
    match best {
        Some(b) if b.seconds <= run.seconds => Some(b),
        _ => Some(run),
    }
}

fn seconds(s: f64) -> String {
    if s < 0.01 {
        format!("{s:.4}")
    } else if s < 0.1 {
        format!("{s:.3}")
    } else {
        format!("{s:.2}")
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let all = arguments.iter().any(|a| a == "--long");
    let words: Vec<&String> = arguments.iter().filter(|a| !a.starts_with('-')).collect();
    println!(
        "cgdsl {}, {} {}, one thread, {}",
        env!("CARGO_PKG_VERSION"),
        std::env::consts::ARCH,
        std::env::consts::OS,
        processor().unwrap_or_else(|| "unknown processor".into())
    );
    println!();
    println!(
        "| position | from the file | of which to start | by hand | ratio | memory | by hand | expanded | by hand | answer |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    for row in ROWS {
        let lower = row.name.to_lowercase();
        let chosen = words.iter().any(|w| lower.contains(&w.to_lowercase()));
        if !(chosen || words.is_empty() && (all || !row.long)) {
            continue;
        }
        let (mut text, mut hand) = (None, None);
        let begin = ProcessTime::now();
        for _ in 0..7 {
            text = least(text, from_text(row));
            if let Some(f) = row.hand {
                hand = least(hand, f(row.ask));
            }
            if begin.elapsed().as_secs_f64() > 4.0 {
                break;
            }
        }
        let Some(text) = text else { continue };
        let mega = |bytes: usize| format!("{:.1} MB", bytes as f64 / 1e6);
        let shown: String = text.answer.chars().take(24).collect();
        match hand {
            Some(hand) => {
                assert_eq!(text.answer, hand.answer, "{}", row.name);
                println!(
                    "| {} | {} s | {} s | {} s | {:.2} | {} | {} | {} | {} | `{shown}` |",
                    row.name,
                    seconds(text.seconds),
                    seconds(text.start),
                    seconds(hand.seconds),
                    text.seconds / hand.seconds,
                    mega(text.bytes),
                    mega(hand.bytes),
                    text.expanded,
                    hand.expanded,
                );
            }
            None => println!(
                "| {} | {} s | {} s | – | – | {} | – | {} | – | `{shown}` |",
                row.name,
                seconds(text.seconds),
                seconds(text.start),
                mega(text.bytes),
                text.expanded,
            ),
        }
    }
}

/// The processor's name, where the system reports it.
fn processor() -> Option<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|l| l.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
