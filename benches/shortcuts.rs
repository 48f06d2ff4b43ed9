//! The table of gains of `docs/performance.md`: each shortcut of the registry switched off, against all on, for the positions
//! of `ratios.rs` and others, of rulesets for which no shortcut was designed (`shortcuts.txt`). Run it with
//! `cargo bench --bench shortcuts`. A word after `--` selects shortcuts by name, `--rows WORD` selects rows by their file,
//! `--list=FILE` reads other rows, `--open` runs each row once with everything on, `--each` prints each measurement.
//!
//! Each figure is the minimum of up to five runs in processor seconds, on and off in turns, in one process. A run reads the
//! file, compiles the board and searches. A run that takes four times as long as the one with everything on is stopped, and
//! counts as four. A shortcut is switched off only for rows where its counters say that it was used.

use cgdsl::claim::{Answer, Status};
use cgdsl::game::{Cancel, Entry, Limits, REGISTRY, Shortcut, Shortcuts};
use cgdsl::session::{Item, Memory, Session, Settings};
use cpu_time::ProcessTime;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A file and questions about it, asked one after the other in one session. Rows of one file form a family.
struct Row {
    file: &'static str,
    queries: Vec<String>,
}

/// The rows, one a line: a file and questions, separated by tabs.
fn rows(list: &'static str) -> Vec<Row> {
    let lines = list
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'));
    let row = |line: &'static str| {
        let mut words = line.split('\t');
        let file = words.next().unwrap_or_default();
        let queries = words.map(str::to_owned).collect();
        Row { file, queries }
    };
    lines.map(row).collect()
}

/// The result of a run.
struct Run {
    answer: String,
    seconds: f64,
    expanded: u64,
    ended: bool,
    counters: BTreeMap<&'static str, u64>,
}

/// Asks all questions of a row with these shortcuts on, for at most `most` processor seconds.
fn run(row: &Row, shortcuts: Shortcuts, most: f64) -> Run {
    let cancel = Cancel::new();
    let begin = ProcessTime::now();
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !over.load(Ordering::Relaxed) {
                if begin.elapsed().as_secs_f64() > most {
                    cancel.cancel();
                }
                std::thread::park_timeout(Duration::from_millis(20));
            }
        });
        let found = asked(row, shortcuts, &cancel, begin);
        over.store(true, Ordering::Relaxed);
        found
    })
}

fn asked(row: &Row, shortcuts: Shortcuts, cancel: &Cancel, begin: ProcessTime) -> Run {
    let world = Memory::default();
    let settings = Settings {
        limits: Limits {
            memory: 1 << 30,
            ..Limits::default()
        },
        cancel: cancel.clone(),
        shortcuts,
        ..Settings::default()
    };
    let mut session = Session::new(&world, settings);
    let mut loaded = session.load(row.file);
    let mut read = |session: &mut Session<'_>, text: &String| {
        let query = session.expression(&mut loaded, text);
        query.unwrap_or_else(|d| panic!("{}: {text}: {d:?}", row.file))
    };
    let queries = row.queries.iter().map(|q| read(&mut session, q)).collect();
    loaded.queries = queries;
    let items = session.evaluate(&loaded, |_, _| {});
    let seconds = begin.elapsed().as_secs_f64();
    let statistics = session.statistics();
    let counters = statistics.named().into_iter().chain(session.counters());
    let ended = cancel.is_cancelled() || items.iter().any(|i| i.status == Status::Unknown);
    let answers: Vec<String> = items.iter().map(|i| text_of(row, i)).collect();
    Run {
        answer: answers.join(", "),
        seconds,
        expanded: statistics
            .expanded
            .max(statistics.states)
            .max(statistics.calls),
        ended,
        counters: counters.collect(),
    }
}

fn text_of(row: &Row, item: &Item) -> String {
    match &item.answer {
        Answer::Value(v) => v.value.clone(),
        other if item.status == Status::Unknown => format!("{other:?}"),
        other => panic!("{}: {other:?} {:?}", row.file, item.messages),
    }
}

/// A row with one shortcut off, and with all on: seconds and positions expanded.
struct Pair {
    file: &'static str,
    query: String,
    closed: (f64, u64),
    open: (f64, u64),
    ended: bool,
}

impl Pair {
    fn gain(&self) -> f64 {
        self.closed.0 / self.open.0
    }

    /// Whether it takes long enough to be measured.
    fn counts(&self) -> bool {
        self.closed.0.max(self.open.0) >= 0.05
    }
}

/// A run with a shortcut off is stopped when it takes this many times as long.
const FAR: f64 = 4.0;

/// The most repetitions of a pair.
const TURNS: u32 = 5;

/// Measures with the shortcut off and on in turns, and takes the minimum of each.
fn pair(row: &Row, first: &Run, entry: &Entry) -> Pair {
    let closed = Shortcuts::ALL.without(&[entry.shortcut]);
    let most = (first.seconds * FAR).clamp(0.25, 30.0);
    let begin = ProcessTime::now();
    let mut pair = Pair {
        file: row.file,
        query: row.queries[row.queries.len() - 1].clone(),
        closed: (f64::INFINITY, 0),
        open: (first.seconds, first.expanded),
        ended: false,
    };
    for turn in 0..TURNS {
        let with = run(row, closed, most);
        assert!(
            with.ended || with.answer == first.answer,
            "{} without {}: {} and not {}",
            row.file,
            entry.name,
            with.answer,
            first.answer
        );
        pair.ended |= with.ended;
        pair.closed = (pair.closed.0.min(with.seconds), with.expanded);
        let far = pair.ended || pair.gain() > FAR || !pair.counts();
        if far || turn > 0 && begin.elapsed().as_secs_f64() > 4.0 {
            break;
        }
        let again = run(row, Shortcuts::ALL, 60.0);
        pair.open.0 = pair.open.0.min(again.seconds);
    }
    pair
}

/// Whether a shortcut was used, as far as its counters show.
fn taken(entry: &Entry, run: &Run) -> bool {
    let counted = |name: &&'static str| run.counters.get(name).is_some_and(|n| *n > 0);
    entry.counters.is_empty() || entry.counters.iter().any(counted)
}

/// The geometric mean of the gains of each family, the greatest first.
fn families(pairs: &[Pair]) -> Vec<(&'static str, f64)> {
    let mut all: BTreeMap<&'static str, Vec<f64>> = BTreeMap::new();
    for pair in pairs.iter().filter(|p| p.counts()) {
        all.entry(pair.file).or_default().push(pair.gain().ln());
    }
    let mean = |logs: Vec<f64>| (logs.iter().sum::<f64>() / logs.len() as f64).exp();
    let mut all: Vec<_> = all.into_iter().map(|(f, logs)| (f, mean(logs))).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is = |flag: &str| arguments.iter().any(|a| a == flag);
    let at = arguments.iter().position(|a| a == "--rows");
    let chosen = at.and_then(|i| arguments.get(i + 1));
    let words: Vec<&String> = arguments
        .iter()
        .filter(|a| !a.starts_with('-') && Some(*a) != chosen)
        .collect();
    let wanted = |e: &&Entry| words.is_empty() || words.iter().any(|w| *w == e.name);
    let mut pairs: BTreeMap<Shortcut, Vec<Pair>> = BTreeMap::new();
    let list = arguments.iter().find_map(|a| a.strip_prefix("--list="));
    let list = list.map(|path| std::fs::read_to_string(path).expect("a list of rows"));
    let list: &'static str = list.map_or(include_str!("shortcuts.txt"), |text| text.leak());
    for row in rows(list)
        .into_iter()
        .filter(|r| chosen.is_none_or(|w| r.file.contains(w.as_str())))
    {
        let first = run(&row, Shortcuts::ALL, 60.0);
        if is("--open") || first.ended {
            let ended = if first.ended { " (ended)" } else { "" };
            let answer: String = first.answer.chars().take(40).collect();
            println!(
                "{:.3} s {} {}: {answer}{ended}",
                first.seconds, first.expanded, row.file
            );
            continue;
        }
        let second = run(&row, Shortcuts::ALL, 60.0);
        let first = if second.seconds < first.seconds {
            second
        } else {
            first
        };
        for entry in REGISTRY.iter().filter(wanted).filter(|e| taken(e, &first)) {
            let pair = pair(&row, &first, entry);
            if is("--each") {
                let end = if pair.ended { " and more" } else { "" };
                let (closed, open) = (pair.closed, pair.open);
                println!(
                    "{}\t{:.2}\t{:.3} s{end}\t{:.3} s\t{}\t{}\t{}\t{}",
                    entry.name,
                    pair.gain(),
                    closed.0,
                    open.0,
                    closed.1,
                    open.1,
                    pair.file,
                    pair.query
                );
            }
            pairs.entry(entry.shortcut).or_default().push(pair);
        }
    }
    if is("--open") {
        return;
    }
    println!("| shortcut | rows | all | families, the greatest gains first |");
    println!("|---|---|---|---|");
    for entry in REGISTRY.iter().filter(wanted) {
        let own = pairs.remove(&entry.shortcut).unwrap_or_default();
        let families = families(&own);
        let counted: Vec<&Pair> = own.iter().filter(|p| p.counts()).collect();
        let logs: f64 = counted.iter().map(|p| p.gain().ln()).sum();
        let all = (logs / counted.len().max(1) as f64).exp();
        let shown: Vec<String> = families
            .iter()
            .take(4)
            .map(|(file, gain)| format!("{} {gain:.2}", stem(file)))
            .collect();
        let least = families.last().filter(|_| families.len() > 4);
        let least = least.map_or(String::new(), |(f, g)| format!(" .. {} {g:.2}", stem(f)));
        println!(
            "| `{}` | {} | {all:.2} | {}{least} |",
            entry.name,
            counted.len(),
            shown.join(", ")
        );
    }
}

/// The name of a ruleset: `col` for `graphs/col.rules`.
fn stem(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.trim_end_matches(".rules")
}
