//! Every query of every file in `rulesets/` is a named test: claims and asserts hold, refutations refute, positions
//! evaluate. Each runs under several treatments that must agree to the byte.
//!
//! Slow ones run with `cargo test --test rulesets -- --ignored`.

use cgdsl::engine::Roads;
use cgdsl::game::Limits;
use cgdsl::machine;
use cgdsl::report::{Look, item};
use cgdsl::session::{Answer, Disk, Session, Settings, Status, Treatment, shipped};
use libtest_mimic::{Arguments, Failed, Trial};
use std::sync::Arc;

/// What a treatment is called, and what it is.
fn treatments() -> Vec<(&'static str, Treatment, usize)> {
    let all = Treatment::default();
    vec![
        ("", all, 1),
        (" [two threads]", all, 2),
        (
            " [no analyses]",
            Treatment {
                machine: machine::Roads {
                    ground: true,
                    ..machine::Roads::none()
                },
                ..all
            },
            1,
        ),
        (
            " [no short cuts]",
            Treatment {
                roads: Roads {
                    memo: true,
                    ..Roads::none()
                },
                ..all
            },
            1,
        ),
        (" [naive]", Treatment { naive: true, ..all }, 1),
    ]
}

/// Positions that one question may expand under a treatment without short cuts: such a treatment may end in *unknown*, but
/// never with another answer.
const PATIENCE: u64 = 500;

/// And the time that it has for one query.
const TIME: std::time::Duration = std::time::Duration::from_secs(2);

/// The stack of a test's thread, as that of the program.
const STACK: usize = 256 << 20;

/// How an item ended and what is printed for it.
type Outcome = (Status, String);

fn run(
    path: &str,
    index: usize,
    treatment: Treatment,
    threads: usize,
    nodes: Option<u64>,
) -> Result<Vec<Outcome>, String> {
    let settings = Settings {
        limits: Limits {
            nodes,
            threads,
            memory: 1 << 30,
        },
        treatment,
        slow: true,
        ..Settings::default()
    };
    if nodes.is_some() {
        let cancel = settings.cancel.clone();
        std::thread::spawn(move || {
            std::thread::sleep(TIME);
            cancel.cancel();
        });
    }
    let path = path.to_owned();
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || {
            let world = Disk;
            let mut session = Session::new(&world, settings);
            let mut loaded = session.load(&format!("rulesets/{path}"));
            let query = loaded.queries.swap_remove(index);
            loaded.queries = vec![query];
            session
                .evaluate(&loaded, |_, _| {})
                .iter()
                .map(|i| {
                    let mut i = i.clone();
                    if let Answer::Card(card) = &mut i.answer {
                        // What is derived does depend on the treatment.
                        card.derived.clear();
                    }
                    let mut text = item(&i, Look::default());
                    for d in &i.diagnostics {
                        text.push_str(&format!(
                            "{}: {}\n  {}\n",
                            d.code,
                            d.message,
                            d.notes.join("\n  ")
                        ));
                    }
                    (i.status, text)
                })
                .collect()
        })
        .map_err(|e| e.to_string())?
        .join()
        .map_err(|_| "it panics".to_owned())
}

fn judge(path: &str, index: usize) -> Result<(), Failed> {
    let mut first: Option<Vec<Outcome>> = None;
    for (name, treatment, threads) in treatments() {
        let plain = first.is_none() || threads > 1;
        let nodes = (!plain).then_some(PATIENCE);
        let found = run(path, index, treatment, threads, nodes)?;
        for (status, text) in &found {
            let fine = match status {
                Status::Held => true,
                Status::Unknown => !plain,
                _ => false,
            };
            if !fine {
                return Err(format!("{status:?}{name}\n{text}").into());
            }
        }
        match &first {
            None => first = Some(found),
            Some(first) => {
                for (a, b) in first.iter().zip(&found) {
                    if b.0 == Status::Held && a.1 != b.1 {
                        return Err(
                            format!("treatments differ\n{}\nbut{name}\n{}", a.1, b.1).into()
                        );
                    }
                }
            }
        }
    }
    Ok(())
}

/// All quick queries of a file one after the other in one session, then in the opposite order: what one question leaves in
/// the tables must not change what another one finds.
fn together(path: &str) -> Result<(), Failed> {
    let settings = || Settings {
        limits: Limits {
            nodes: None,
            threads: 1,
            memory: 1 << 30,
        },
        ..Settings::default()
    };
    let name = format!("rulesets/{path}");
    let answers = |turned: bool, only: Option<usize>| -> Vec<String> {
        let world = Disk;
        let mut session = Session::new(&world, settings());
        let mut loaded = session.load(&name);
        loaded.queries.retain(|q| !q.slow);
        if let Some(i) = only {
            loaded.queries = vec![loaded.queries.swap_remove(i)];
        }
        if turned {
            loaded.queries.reverse();
        }
        let mut found: Vec<String> = session
            .evaluate(&loaded, |_, _| {})
            .iter()
            .map(|i| item(i, Look::default()))
            .collect();
        if turned {
            found.reverse();
        }
        found
    };
    let count = {
        let world = Disk;
        let loaded = Session::new(&world, settings()).load(&name);
        loaded.queries.iter().filter(|q| !q.slow).count()
    };
    let alone: Vec<String> = (0..count).flat_map(|i| answers(false, Some(i))).collect();
    let mut sorted = alone.clone();
    sorted.sort();
    for turned in [false, true] {
        let mut found = answers(turned, None);
        found.sort();
        if let Some((a, b)) = sorted.iter().zip(&found).find(|(a, b)| a != b) {
            return Err(format!("alone\n{a}\namong others\n{b}").into());
        }
        if found.len() != sorted.len() {
            return Err("another number of answers".into());
        }
    }
    Ok(())
}

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for file in shipped::all() {
        let path = file.path;
        let world = Disk;
        let mut session = Session::new(&world, Settings::default());
        let loaded = session.load(&format!("rulesets/{path}"));
        let complaints: Vec<String> = loaded
            .diagnostics
            .iter()
            .map(|d| cgdsl::diagnostic::one_line(d, session.sources()))
            .collect();
        let broken = loaded.broken;
        trials.push(Trial::test(format!("{path}: reads"), move || {
            if broken > 0 || !complaints.is_empty() {
                return Err(complaints.join("\n").into());
            }
            Ok(())
        }));
        let deep = move || {
            let work = std::thread::Builder::new().stack_size(STACK);
            let work = work.spawn(move || together(path));
            let done = work.map_err(|e| Failed::from(e.to_string()))?.join();
            done.unwrap_or_else(|_| Err("it panics".into()))
        };
        trials.push(Trial::test(format!("{path}: all in one session"), deep));
        let sources = Arc::new(session.sources().clone());
        for (index, query) in loaded.queries.iter().enumerate() {
            let name = match &query.name {
                Some(name) => name.to_string(),
                None => {
                    let text: String = sources
                        .slice(query.span)
                        .split_whitespace()
                        .collect::<Vec<_>>()
                        .join(" ");
                    text.chars().take(100).collect()
                }
            };
            let trial = Trial::test(format!("{path}: {name}"), move || judge(path, index));
            trials.push(trial.with_ignored_flag(query.slow));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}
