//! Random rulesets for as long as you like: every question, asked in every way, is checked against the plain evaluator and
//! the definitions.
//!
//! `cargo run --release --example soak -- --minutes 30 --seed 1`
//!
//! Prints how many positions were checked, by road and by construct. Each answer that differs is shrunk to a small file,
//! which is printed with the question, both answers and the ways of asking that give the wrong one, and written into the
//! folder of `--out`. The exit code is 1 if there was any. `--judge FILE` judges one file in every way; `--print SEED` prints
//! the ruleset of a seed, as named by a difference. `--rounds N` judges the first N rulesets as `cargo test` does, to measure
//! its floors. `--mistakes FOLDER` says which file of a folder reveals each planted mistake, and writes one there where none
//! does.
//!
//! As a test, this target judges a fixed number of rulesets (`tests/soak/`).

#[cfg(test)]
#[path = "../tests/common/load.rs"]
mod load;
#[path = "../tests/common/random_rules/mod.rs"]
mod random_rules;
#[cfg(test)]
#[path = "../tests/common/replay.rs"]
mod replay;
#[cfg(test)]
#[path = "../tests/soak/rulesets.rs"]
mod rulesets;
#[path = "../tests/common/soak/mod.rs"]
mod soak_support;

use cpu_time::ProcessTime;
use soak_support::judge::{Difference, Effort, Judge};
use soak_support::mistakes::{mistakes, named};
use soak_support::shrink::{differs, shrink};
use soak_support::ways::{Way, ways};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The most differences that are shrunk; further ones are mostly repetitions.
const MOST: usize = 200;

struct Asked {
    minutes: f64,
    seed: u64,
    out: Option<PathBuf>,
    file: Option<PathBuf>,
    kind: Option<String>,
    print: Option<u64>,
    rounds: Option<u64>,
    mistakes: Option<PathBuf>,
}

fn asked() -> Result<Asked, String> {
    let mut asked = Asked {
        minutes: 1.0,
        seed: 1,
        out: None,
        file: None,
        kind: None,
        print: None,
        rounds: None,
        mistakes: None,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().ok_or(format!("{word} wants a value"))?;
        let wrong = |_| format!("{word} {value}: a number is expected");
        match word.as_str() {
            "--minutes" => asked.minutes = value.parse().map_err(|_| wrong(()))?,
            "--seed" => asked.seed = value.parse().map_err(|_| wrong(()))?,
            "--out" => asked.out = Some(value.into()),
            "--judge" => asked.file = Some(value.into()),
            "--print" => asked.print = Some(value.parse().map_err(|_| wrong(()))?),
            "--rounds" => asked.rounds = Some(value.parse().map_err(|_| wrong(()))?),
            "--kind" => asked.kind = Some(value),
            "--mistakes" => asked.mistakes = Some(value.into()),
            _ => {
                return Err(format!(
                    "{word}: --minutes N, --seed S, --kind KIND, --out FOLDER, --judge FILE, --print SEED, --rounds N, --mistakes FOLDER"
                ));
            }
        }
    }
    Ok(asked)
}

fn main() -> ExitCode {
    let asked = match asked() {
        Ok(asked) => asked,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    if let Some(file) = &asked.file {
        return judged(file);
    }
    if let Some(seed) = asked.print {
        print!("{}", random_rules::sample(seed).file());
        return ExitCode::SUCCESS;
    }
    if let Some(rounds) = asked.rounds {
        return measured(rounds);
    }
    if let Some(folder) = &asked.mistakes {
        return witnesses(folder);
    }
    let from = Instant::now();
    let over = Duration::from_secs_f64(asked.minutes * 60.0);
    let mut judge = Judge::new(Effort::LONG);
    let mut differences = 0;
    let mut told = from;
    let worked = ProcessTime::now();
    let mut n = 0;
    while from.elapsed() < over {
        // Seeds of different runs do not overlap.
        let seed = asked.seed.wrapping_mul(1 << 40).wrapping_add(n);
        n += 1;
        let sample = random_rules::sample(seed);
        if asked.kind.as_ref().is_some_and(|k| k != sample.kind) {
            continue;
        }
        let text = sample.file();
        let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            judge.text(&text, &sample.marks)
        }));
        let difference = match found {
            Ok(Ok(())) => None,
            Ok(Err(difference)) => Some(*difference),
            Err(_) => differs(&text, &ways(), Effort::LONG.time),
        };
        if let Some(difference) = difference {
            differences += 1;
            if differences <= MOST {
                told_in_full(&asked, seed, &text, &difference);
            }
        }
        if told.elapsed() > Duration::from_secs(60) {
            told = Instant::now();
            let seconds = from.elapsed().as_secs_f64();
            println!(
                "{seconds:.0} s: {}",
                account(&judge, n, differences, &worked)
            );
        }
    }
    println!("{}", judge.coverage.report(true));
    println!(
        "seed {}: {}",
        asked.seed,
        account(&judge, n, differences, &worked)
    );
    ExitCode::from(u8::from(differences > 0))
}

/// A summary of the work so far.
fn account(judge: &Judge, rulesets: u64, differences: usize, worked: &ProcessTime) -> String {
    format!(
        "{rulesets} rulesets, {} positions, {} answers, {differences} differences in {:.1} core-minutes",
        judge.coverage.positions(),
        judge.coverage.answers(),
        worked.elapsed().as_secs_f64() / 60.0
    )
}

/// Judges one file in every way.
fn judged(file: &std::path::Path) -> ExitCode {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(why) => {
            eprintln!("{}: {why}", file.display());
            return ExitCode::from(2);
        }
    };
    match differs(&text, &ways(), None) {
        None => {
            println!("no difference");
            ExitCode::SUCCESS
        }
        Some(d) => {
            println!("{d}\nwrong: {}", wrong_ways(&text, &d).join(", "));
            ExitCode::FAILURE
        }
    }
}

/// Measures what `cargo test` meets in this many rulesets.
fn measured(rounds: u64) -> ExitCode {
    let mut judge = Judge::new(Effort::QUICK);
    let worked = ProcessTime::now();
    let mut differences = 0;
    for seed in 0..rounds {
        let s = random_rules::balanced(seed);
        if let Err(difference) = judge.text(&s.file(), &s.marks) {
            differences += 1;
            println!("seed {seed}: {difference}");
        }
    }
    println!("{}", judge.coverage.report(false));
    println!("roads seldom met: {:?}", judge.coverage.thin());
    println!("{}", account(&judge, rounds, differences, &worked));
    ExitCode::from(u8::from(differences > 0))
}

/// Says which file of a folder reveals each planted mistake, and searches for one where none does.
fn witnesses(folder: &std::path::Path) -> ExitCode {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut known: Vec<(String, String)> = files
        .filter_map(|f| {
            let name = f.file_name().to_string_lossy().into_owned();
            Some((name, std::fs::read_to_string(f.path()).ok()?))
        })
        .collect();
    let mut missing = 0;
    for mistake in mistakes() {
        // Files that name the mistake come first.
        known.sort_by_key(|(name, t)| (!named(t).contains(&&*mistake.name), name.clone()));
        let shows = known.iter().find(|(_, t)| mistake.shown_by(t).is_some());
        if let Some((name, _)) = shows {
            println!("{}: {name}", mistake.name);
            continue;
        }
        let Some(text) = mistake.found(SEEDS) else {
            println!("{} shows on none of {SEEDS} rulesets", mistake.name);
            missing += 1;
            continue;
        };
        println!("{text}");
        let path = folder.join(format!("{}.rules", mistake.name.to_lowercase()));
        if let Err(why) = std::fs::write(&path, text) {
            eprintln!("{}: {why}", path.display());
            missing += 1;
        }
    }
    ExitCode::from(u8::from(missing > 0))
}

/// The number of rulesets tried for each mistake.
const SEEDS: u64 = 1_000;

/// The ways of asking that give a wrong answer to this question.
fn wrong_ways(text: &str, difference: &Difference) -> Vec<String> {
    let all = ways().into_iter().filter(|way| {
        differs(text, std::slice::from_ref(way), Effort::LONG.time)
            .is_some_and(|d| d.question == difference.question)
    });
    all.map(|way| way.name).collect()
}

fn told_in_full(asked: &Asked, seed: u64, text: &str, difference: &Difference) {
    println!("seed {seed}: {difference}");
    // The way that differed, and all ways open: the smaller text may differ in either.
    let mut some = vec![Way::all()];
    some.extend(ways().into_iter().filter(|w| w.name == difference.way));
    let (small, d) = shrink(text, difference, &some);
    let wrong = wrong_ways(&small, &d);
    let shown = format!(
        "// {} of {}\n// expected {}\n// found    {} ({})\n// wrong: {}\n// seed {seed}\n{small}",
        d.question,
        d.position,
        d.expected,
        d.found,
        d.way,
        wrong.join(", ")
    );
    println!("{shown}");
    if let Some(folder) = &asked.out {
        let name = d.question.replace(' ', "-");
        let path = folder.join(format!("soak-{name}-{seed}.rules"));
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, shown));
        if let Err(why) = written {
            eprintln!("{}: {why}", path.display());
        }
    }
}
