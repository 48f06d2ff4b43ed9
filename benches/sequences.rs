//! Sequences of nim-values: the plain quadratic algorithm against that of rare and common values, in one run. Run it with
//! `cargo bench --bench sequences`; `--long` after `--` adds a million values by the second algorithm.
//!
//! The plain algorithm is the textbook's (`Road::Plain`): for each heap, each way to break it marks an entry in a table of
//! bytes, and the least unmarked entry is the value. Times are processor seconds. For the first three columns, no period is
//! sought, so that every value is computed, and the values are compared; the last column is the work as `cgdsl seq` does it,
//! which ends when a period is proven.

use cgdsl::engine::sequence::{Road, Sequence, Take, TakingRule};
use cgdsl::game::Cancel;
use cpu_time::ProcessTime;

fn run(rule: &TakingRule, last: u64, road: Road, seek: bool) -> (Sequence, f64) {
    let start = ProcessTime::now();
    let mut sequence = Sequence::new(rule.clone());
    sequence.seek_period(seek);
    let ended = sequence.extend(last, road, &Cancel::new(), &mut |_| {});
    assert_eq!(ended, Ok(()));
    (sequence, start.elapsed().as_secs_f64())
}

fn main() {
    let long = std::env::args().any(|a| a == "--long");
    let codes = ["0.77", "0.137", "0.07", "0.6", "0.014", "0.16", "0.56"];
    let mut rules: Vec<(String, TakingRule)> = codes
        .iter()
        .filter_map(|c| Some(((*c).to_owned(), TakingRule::of_code(c)?)))
        .collect();
    let grundy = Take {
        taken: 0,
        heaps: 2,
        distinct: true,
    };
    rules.extend(TakingRule::new(vec![grundy]).map(|r| ("Grundy".to_owned(), r)));
    println!(
        "{:<8} {:>10} {:>10} {:>8} {:>12}",
        "100,000", "plain", "sparse", "factor", "with period"
    );
    for (name, rule) in &rules {
        let (plain, slow) = run(rule, 100_000, Road::Plain, false);
        let (sparse, fast) = run(rule, 100_000, Road::Sparse, false);
        let (_, known) = run(rule, 100_000, Road::Sparse, true);
        assert_eq!(plain.values(), sparse.values());
        println!(
            "{name:<8} {slow:>8.2} s {fast:>8.3} s {:>7.1}x {known:>10.3} s",
            slow / fast
        );
    }
    if long {
        println!("{:<8} {:>21}", "1,000,000", "sparse, no period");
        for (name, rule) in &rules {
            let (_, fast) = run(rule, 1_000_000, Road::Sparse, false);
            println!("{name:<8} {fast:>19.2} s");
        }
    }
}
