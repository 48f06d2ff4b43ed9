//! Positions of shipped rulesets, read from their text, raced in one run against the games that peers bring along in
//! Rust: the crate `cgt` (values) and the crate `igs` (nimbers). Every answer of the one is compared with the other's.
//!
//! `cargo run --release --bin games [WORD] [--long]` prints a table, and then one of boards that were never used to make
//! cgdsl faster: these are only run. A word chooses rows, `--long` adds those that take a peer a minute and more.

use cgt::short::partizan::games::{amazons, domineering, fission, konane};
use cpu_time::ProcessTime;
use peers::{
    Answer, CGT, IGS, Row, chomp_on, col_on, cram_on, dominoes, long, ours, parsed, row, snort_on,
    strip, toads,
};

fn rows() -> Vec<Row> {
    vec![
        row(
            "Domineering 4x4",
            "domineering",
            "Domineering[grid(4, 4)]",
            CGT,
            || dominoes(4, 4),
        ),
        row(
            "Domineering 5x5",
            "domineering",
            "Domineering[grid(5, 5)]",
            CGT,
            || dominoes(5, 5),
        ),
        long(row(
            "Domineering 5x6",
            "domineering",
            "Domineering[grid(5, 6)]",
            CGT,
            || dominoes(5, 6),
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
        row("Cram 4x7", "cram", "Cram[grid(4, 7)]", IGS, || {
            cram_on(4, 7)
        }),
        long(row("Cram 4x9", "cram", "Cram[grid(4, 9)]", IGS, || {
            cram_on(4, 9)
        })),
        long(row("Cram 5x8", "cram", "Cram[grid(5, 8)]", IGS, || {
            cram_on(5, 8)
        })),
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

/// Boards that no change of cgdsl was measured on.
fn held_out() -> Vec<Row> {
    let drawn =
        |name: &str, file, ruleset: &str, drawing: &'static str, theirs: fn(&str) -> Answer| {
            let position = format!("{ruleset}[\"{drawing}\"]");
            row(name, file, &position, CGT, move || theirs(drawing))
        };
    vec![
        row(
            "Domineering 3x8",
            "domineering",
            "Domineering[grid(3, 8)]",
            CGT,
            || dominoes(3, 8),
        ),
        drawn(
            "Domineering 5x5, three cells gone",
            "domineering",
            "Domineering",
            ".....|..#..|.....|#....|...#.",
            parsed::<domineering::Domineering>,
        ),
        row(
            "Snort 2x8",
            "graphs/snort.rules",
            "Snort[grid(2, 8)]",
            CGT,
            || snort_on(2, 8),
        ),
        row(
            "Col 3x6",
            "graphs/col.rules",
            "Col[grid(3, 6)]",
            CGT,
            || col_on(3, 6),
        ),
        drawn(
            "Amazons 4x3",
            "amazons",
            "Amazons",
            ".x.|...|...|o..",
            parsed::<amazons::Amazons>,
        ),
        drawn(
            "Konane 4x6",
            "konane",
            "Konane",
            "xoxoxo|oxo.ox|xoxoxo|ox.xox",
            parsed::<konane::Konane>,
        ),
        drawn(
            "Fission 4x6, two stones",
            "fission",
            "Fission",
            "......|.x....|....x.|......",
            parsed::<fission::Fission>,
        ),
        drawn(
            "Toads and Frogs 6,4,5",
            "toads-and-frogs",
            "ToadsAndFrogs",
            "tttttt....fffff",
            strip,
        ),
        row("Cram 3x11", "cram", "Cram[grid(3, 11)]", IGS, || {
            cram_on(3, 11)
        }),
        row(
            "Chomp 9x13",
            "poset-game",
            "PosetGame[chomp(9, 13)]",
            IGS,
            || chomp_on(9, 13),
        ),
    ]
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
    let chosen = |row: &Row| {
        let name = row.name.to_lowercase();
        words.iter().any(|w| name.contains(w)) || words.is_empty() && (all || !row.long)
    };
    race(rows().iter().filter(|row| chosen(row)));
    println!("\nBoards that were never used to make cgdsl faster:\n");
    race(held_out().iter().filter(|row| chosen(row)));
}

fn race<'r>(rows: impl Iterator<Item = &'r Row>) {
    println!("| position | from the file | peer | peer's seconds | ratio |");
    println!("|---|---|---|---|---|");
    for row in rows {
        // In turns, the least of up to five runs of each; a peer's long run is made once.
        let (mut mine, mut peer) = (f64::INFINITY, f64::INFINITY);
        let begin = ProcessTime::now();
        for _ in 0..5 {
            let start = ProcessTime::now();
            let theirs = (row.theirs)();
            peer = peer.min(start.elapsed().as_secs_f64());
            let (seconds, found) = ours(row, theirs.asked());
            theirs.compare(row, &found);
            mine = mine.min(seconds);
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
