//! Every query of every file in `rulesets/` is a named test: claims and asserts hold, refutations refute, positions
//! evaluate. Each runs under several treatments that must agree to the byte. The answers of a file, as JSON, satisfy the
//! schema.
//!
//! A file is read once; what a query answers by itself, plainly treated, is computed once and compared with its answers
//! under other treatments and among the other queries of the file.
//!
//! Slow ones run with `cargo test --test data -- --ignored`.

use cgdsl::base::Sources;
use cgdsl::game::{Limits, Shortcut, Shortcuts};
use cgdsl::model::typed::Query;
use cgdsl::report::{self, Document, Items, Look, Summary};
use cgdsl::session::{Answer, Disk, Item, Loaded, Session, Settings, Status, shipped};
use libtest_mimic::{Failed, Trial};
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// How many limited treatments a plain answer is compared with.
const TREATMENTS: usize = 3;

/// The analyses of a board: what the machine derives beyond the list of its moves.
const ANALYSES: [Shortcut; 8] = [
    Shortcut::Index,
    Shortcut::Removal,
    Shortcut::Rooted,
    Shortcut::Copies,
    Shortcut::Shapes,
    Shortcut::Symmetry,
    Shortcut::Split,
    Shortcut::Impartial,
];

/// What each limited treatment is called, and the shortcuts it takes.
fn treatments() -> [(&'static str, Shortcuts); TREATMENTS] {
    let all = Shortcuts::ALL;
    [
        (" [no analyses]", all.without(&ANALYSES)),
        (
            " [no shortcuts]",
            Shortcuts::only(&[Shortcut::Ground, Shortcut::Memo]),
        ),
        (" [naive]", all.without(&[Shortcut::Compile])),
    ]
}

/// Positions that one question may expand under a treatment without shortcuts: such a treatment may end in *unknown*, but
/// never with another answer.
const PATIENCE: u64 = 500;

/// And the time that it has for one query.
const TIME: Duration = Duration::from_secs(1);

/// The share of answers, in percent, that each limited treatment gives at least: less, and the comparison says little.
const FLOOR: usize = 75;

/// The stack of a test's thread, as that of the program.
const STACK: usize = 256 << 20;

/// How an item ended and what is printed for it.
#[derive(Clone)]
struct Outcome {
    status: Status,
    /// As a user sees it.
    shown: String,
    /// Without what depends on the treatment, with the messages.
    compared: String,
}

impl Outcome {
    fn of(item: &Item) -> Outcome {
        let mut plain = item.clone();
        if let Answer::Card(card) = &mut plain.answer {
            // What is derived does depend on the treatment.
            card.derived.clear();
        }
        let mut compared = report::item(&plain, Look::default());
        for d in &item.diagnostics {
            let notes = d.notes.join("\n  ");
            let _ = writeln!(compared, "{}: {}\n  {notes}", d.code, d.message);
        }
        Outcome {
            status: item.status,
            shown: report::item(item, Look::default()),
            compared,
        }
    }
}

/// A shipped file, read once for all its tests.
struct File {
    sources: Sources,
    loaded: Loaded,
    /// What each query answers by itself, plainly treated; computed when first asked for.
    alone: Vec<OnceLock<Vec<Outcome>>>,
}

impl File {
    fn read(path: &'static str) -> File {
        let mut session = Session::new(&Disk, Settings::default());
        let loaded = session.load(&format!("rulesets/{path}"));
        File {
            sources: session.sources().clone(),
            alone: loaded.queries.iter().map(|_| OnceLock::new()).collect(),
            loaded,
        }
    }

    /// The answers to some queries, one after the other in one session.
    fn items(&self, queries: Vec<Query>, settings: Settings) -> Vec<Item> {
        let loaded = Loaded {
            model: self.loaded.model.clone(),
            queries,
            ..Loaded::default()
        };
        let mut session = Session::over(&Disk, self.sources.clone(), settings);
        session.evaluate(&loaded, |_, _| {})
    }

    fn answers(&self, queries: Vec<Query>, settings: Settings) -> Vec<Outcome> {
        let items = self.items(queries, settings);
        items.iter().map(Outcome::of).collect()
    }

    fn alone(&self, index: usize) -> &[Outcome] {
        self.alone[index].get_or_init(|| {
            let query = self.loaded.queries[index].clone();
            self.answers(vec![query], settings(Shortcuts::ALL, 1, None))
        })
    }
}

fn settings(shortcuts: Shortcuts, threads: usize, nodes: Option<u64>) -> Settings {
    Settings {
        limits: Limits {
            nodes,
            threads,
            memory: 1 << 30,
        },
        shortcuts,
        slow: true,
        ..Settings::default()
    }
}

/// Does work that needs the stack of the program; a panic is a failure.
fn deep(
    work: impl FnOnce() -> Result<(), Failed> + Send + 'static,
) -> impl FnOnce() -> Result<(), Failed> {
    move || {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let done = thread.spawn(work).map_err(|e| e.to_string())?.join();
        done.unwrap_or_else(|_| Err("it panics".into()))
    }
}

/// Where answers are not those of plain treatment. A limited treatment may also end in *unknown*.
fn difference(plain: &[Outcome], found: &[Outcome], limited: bool) -> Option<String> {
    for (a, b) in plain.iter().zip(found) {
        match b.status {
            Status::Held if a.compared == b.compared => {}
            Status::Held => return Some(format!("{}\nbut\n{}", a.compared, b.compared)),
            Status::Unknown if limited => {}
            status => return Some(format!("{status:?}\n{}", b.compared)),
        }
    }
    let all = found.iter().all(|o| o.status == Status::Held);
    (found.len() != plain.len() && all).then(|| "another number of answers".to_owned())
}

/// A query by itself: held when plainly treated, and the same answer or *unknown* under the limited treatments. Slow ones are
/// also asked with two threads; quick ones are so in [`together`].
fn judge(file: &File, index: usize) -> Result<(), Failed> {
    let query = &file.loaded.queries[index];
    let first = file.alone(index);
    for o in first {
        if o.status != Status::Held {
            return Err(format!("{:?}\n{}", o.status, o.compared).into());
        }
    }
    if query.slow {
        let found = file.answers(vec![query.clone()], settings(Shortcuts::ALL, 2, None));
        if let Some(difference) = difference(first, &found, false) {
            return Err(format!("with two threads: {difference}").into());
        }
    }
    for (number, (name, shortcuts)) in treatments().into_iter().enumerate() {
        let settings = settings(shortcuts, 1, Some(PATIENCE));
        let cancel = settings.cancel.clone();
        std::thread::spawn(move || {
            std::thread::sleep(TIME);
            cancel.cancel();
        });
        let found = file.answers(vec![query.clone()], settings);
        for o in &found {
            SHARES[number][usize::from(o.status == Status::Held)].fetch_add(1, Relaxed);
        }
        if let Some(difference) = difference(first, &found, true) {
            return Err(format!("under{name}: {difference}").into());
        }
    }
    Ok(())
}

/// For each treatment: answers that are unknown, and that held.
static SHARES: [[AtomicUsize; 2]; TREATMENTS] =
    [const { [const { AtomicUsize::new(0) }; 2] }; TREATMENTS];

/// After all quick queries: whether each treatment has answered enough of them.
pub fn shares_are_kept() -> Result<(), String> {
    for (number, (name, _)) in treatments().into_iter().enumerate() {
        let [unknown, held] = SHARES[number].each_ref().map(|n| n.load(Relaxed));
        println!("rulesets{name}: {held} answers held, {unknown} unknown");
        if held * 100 < (held + unknown) * FLOOR {
            return Err(format!("less than {FLOOR} % are answered{name}"));
        }
    }
    Ok(())
}

/// Whether answers, as `eval --json` prints them, satisfy the schema.
fn validated(items: Vec<Item>) -> Result<(), Failed> {
    static SCHEMA: OnceLock<jsonschema::Validator> = OnceLock::new();
    let schema = SCHEMA.get_or_init(|| {
        let schema = include_str!("../../schemas/eval.schema.json");
        let schema = serde_json::from_str(schema).expect("a schema is JSON");
        jsonschema::validator_for(&schema).expect("a schema")
    });
    let content = Items {
        file: String::new(),
        summary: Summary::of(&items, 0),
        items,
    };
    let document = Document::new("cgdsl/eval/1", content, Vec::new());
    let document = serde_json::to_value(&document).map_err(|e| e.to_string())?;
    match schema.iter_errors(&document).next() {
        None => Ok(()),
        Some(wrong) => {
            let at = wrong.instance_path().to_string();
            let what = document.pointer(&at).unwrap_or_default();
            Err(format!("not as its schema says: {wrong}\n{at}: {what:#}").into())
        }
    }
}

/// All quick queries of a file one after the other in one session, then in the opposite order with two threads: neither what
/// one question leaves in the tables nor a second thread must change what another one finds.
fn together(file: &File) -> Result<(), Failed> {
    let queries = &file.loaded.queries;
    let quick: Vec<usize> = (0..queries.len()).filter(|i| !queries[*i].slow).collect();
    let sorted = |outcomes: &mut dyn Iterator<Item = &Outcome>| {
        let mut shown: Vec<String> = outcomes.map(|o| o.shown.clone()).collect();
        shown.sort();
        shown
    };
    let alone = sorted(&mut quick.iter().flat_map(|i| file.alone(*i)));
    for (turned, threads) in [(false, 1), (true, 2)] {
        let mut chosen: Vec<Query> = quick.iter().map(|i| queries[*i].clone()).collect();
        if turned {
            chosen.reverse();
        }
        let items = file.items(chosen, settings(Shortcuts::ALL, threads, None));
        let found: Vec<Outcome> = items.iter().map(Outcome::of).collect();
        let found = sorted(&mut found.iter());
        if let Some((a, b)) = alone.iter().zip(&found).find(|(a, b)| a != b) {
            return Err(format!("alone\n{a}\namong others\n{b}").into());
        }
        if found.len() != alone.len() {
            return Err("another number of answers".into());
        }
        if !turned {
            validated(items)?;
        }
    }
    Ok(())
}

/// For each file: that it reads, each of its queries by itself, and all in one session.
pub fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for shipped in shipped::all() {
        let path = shipped.path;
        let file = Arc::new(File::read(path));
        let reads = file.clone();
        trials.push(Trial::test(format!("rulesets: {path}: reads"), move || {
            let line = |d| cgdsl::diagnostic::one_line(d, &reads.sources);
            let complaints: Vec<String> = reads.loaded.diagnostics.iter().map(line).collect();
            if reads.loaded.broken > 0 || !complaints.is_empty() {
                return Err(complaints.join("\n").into());
            }
            Ok(())
        }));
        let all = file.clone();
        let name = format!("rulesets: {path}: all in one session");
        trials.push(Trial::test(name, deep(move || together(&all))));
        for (index, query) in file.loaded.queries.iter().enumerate() {
            let name = match &query.name {
                Some(name) => name.to_string(),
                None => {
                    let text = file.sources.slice(query.span);
                    let words: Vec<&str> = text.split_whitespace().collect();
                    words.join(" ").chars().take(100).collect()
                }
            };
            let file = file.clone();
            let work = deep(move || judge(&file, index));
            let trial = Trial::test(format!("rulesets: {path}: {name}"), work);
            trials.push(trial.with_ignored_flag(query.slow));
        }
    }
    trials
}
