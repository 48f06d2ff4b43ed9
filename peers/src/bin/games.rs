//! Positions of shipped rulesets, read from their text, raced in one run against the games that peers bring along in
//! Rust: the crate `cgt` (values) and the crate `igs` (nimbers). Every answer of the one is compared with the other's.
//!
//! `cargo run --release --bin games [WORD] [--long]` prints a table; a word chooses rows, `--long` adds those that take
//! a peer a minute and more.

use cgt::short::partizan::games::{amazons, fission, konane};
use cpu_time::ProcessTime;
use peers::{
    CGT, IGS, Row, chomp_on, col_on, cram_on, dominoes, long, ours, parsed, row, snort_on, toads,
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
            let (seconds, found) = ours(&row, theirs.asked());
            theirs.compare(&row, &found);
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
