//! A benchmark of sequences of nim-values: first the plain quadratic algorithm and the sparse one in one run, then long
//! sequences by the sparse algorithm alone. Both must give the same values.
//!
//! `cargo run --release --example heap_sequences -- [plain length] [long length]`; the defaults are 100,000 and 1,000,000.

use cgdsl::engine::sequence::{Road, Sequence, Take, TakingRule};
use cgdsl::game::Cancel;
use std::time::Instant;

/// The rule with this name: `Grundy's game` or a code.
fn rule(name: &str) -> TakingRule {
    if name == "Grundy's game" {
        let divide = Take {
            taken: 0,
            heaps: 2,
            distinct: true,
        };
        return TakingRule::new(vec![divide]).expect("a rule");
    }
    TakingRule::of_code(name).expect("a code")
}

fn timed(name: &str, last: u64, road: Road) -> (Sequence, f64) {
    // The plain algorithm uses no theorem: it computes every value.
    let mut sequence = Sequence::new(rule(name));
    sequence.seek_period(road == Road::Sparse);
    let start = Instant::now();
    sequence
        .extend(last, road, &Cancel::new(), &mut |_| {})
        .expect("no limit is met");
    (sequence, start.elapsed().as_secs_f64())
}

fn main() {
    let mut lengths = std::env::args().skip(1).filter_map(|a| a.parse().ok());
    let (short, long): (u64, u64) = (
        lengths.next().unwrap_or(100_000),
        lengths.next().unwrap_or(1_000_000),
    );
    let games = [
        "0.77",
        "0.137",
        "0.07",
        "0.6",
        "0.014",
        "0.16",
        "Grundy's game",
    ];
    println!("game            plain to {short}   sparse   factor    sparse to {long}");
    for name in games {
        let (plain, slow) = timed(name, short, Road::Plain);
        let (sparse, fast) = timed(name, short, Road::Sparse);
        for n in 0..=short {
            assert_eq!(plain.value(n), sparse.value(n), "{name} at {n}");
        }
        let (longer, time) = timed(name, long, Road::Sparse);
        let end = match longer.period() {
            Some(p) => format!("period {} from {}", p.period, p.preperiod),
            None => format!("{} heaps of rare value", longer.rare()),
        };
        println!(
            "{name:13} {slow:12.3} s {fast:10.4} s {:8.0}    {time:10.3} s   {end}",
            slow / fast
        );
    }
}
