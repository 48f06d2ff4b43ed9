//! Stores that many runs read at once (`--read-only`), and stores that are put together (`cgdsl store merge`).

use super::store::{is_in_use, opened, run, settled};
use crate::program::{Folder, cgdsl, code, err, json, out};
use cgdsl::engine::{Archive, Shelf};
use cgdsl::game::Shortcuts;
use cgdsl::session::store::{Merged, NotMerged, merge};
use cgdsl::session::{Memory, Session, Settings, Store};
use redb::ReadableDatabase;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

/// All files of a folder, with their bytes and times.
fn content(folder: &Path) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let entries = entries.map(|entry| {
        let path = entry.expect("an entry").path();
        let time = path.metadata().and_then(|about| about.modified());
        let bytes = std::fs::read(&path).expect("a file");
        (path, (bytes, time.expect("a time")))
    });
    entries.collect()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    std::fs::copy(from.join("values.redb"), to.join("values.redb")).expect("a copy");
}

fn read_only(store: &Path) -> Result<Store, String> {
    for _ in 0..200 {
        match Store::open_read_only(store) {
            // See `opened`.
            Err(d) if is_in_use(&d.message) => std::thread::sleep(Duration::from_millis(20)),
            other => return other.map_err(|d| d.message),
        }
    }
    Store::open_read_only(store).map_err(|d| d.message)
}

/// Merges in this process; the message if the stores are refused.
fn merged(sources: &[&Path], to: &Path) -> Result<Merged, String> {
    let sources: Vec<PathBuf> = sources.iter().map(|s| s.to_path_buf()).collect();
    for _ in 0..200 {
        match merge(&sources, to, Arc::new(|_, _| true)) {
            Ok(merged) => return Ok(merged),
            Err(NotMerged::Refused(d)) if is_in_use(&d.message) => {
                std::thread::sleep(Duration::from_millis(20));
            }
            Err(NotMerged::Refused(d)) => return Err(format!("{} {}", d.code, d.message)),
            Err(NotMerged::Ended) => return Err("ended".to_owned()),
        }
    }
    Err("in use".to_owned())
}

const SMALL: (&str, &str) = ("domineering", "value(Domineering[grid(4, 4)])");

#[test]
fn many_runs_read_a_store_at_once_and_leave_it_as_it_is() {
    let dir = Folder::new("store-read");
    let store = dir.0.join("all");
    run(Some(&store), SMALL.0, SMALL.1, &[]);
    let before = content(&store);
    // The same question, a larger one, and other rules.
    let questions = [
        SMALL,
        ("domineering", "value(Domineering[grid(4, 5)])"),
        ("cram", "nimber(Cram[grid(3, 4)])"),
    ];
    let plain = questions.map(|(file, query)| run(None, file, query, &[]));
    // They all have it open at the same time as this process.
    let held = read_only(&store).expect("a reader");
    let also = read_only(&store).expect("a reader beside it");
    assert!(held.is_read_only() && also.is_read_only());
    std::thread::scope(|scope| {
        for (i, (file, query)) in questions.into_iter().enumerate() {
            let (store, (answer, [all, ..])) = (&store, &plain[i]);
            scope.spawn(move || {
                let (own, [expanded, found, kept]) =
                    run(Some(store), file, query, &["--read-only"]);
                assert_eq!(&own, answer, "{query}");
                assert_eq!(kept, 0, "{query}");
                match i {
                    0 => assert!(expanded == 0 && found > 0, "{expanded} {found}"),
                    1 => assert!(expanded < *all && found > 0, "{expanded} of {all}"),
                    _ => assert!(expanded == *all && found == 0, "{expanded} of {all}"),
                }
            });
        }
    });
    drop((held, also));
    assert!(content(&store) == before);
    // It was the option that kept the values out: without it, they are kept.
    let (_, [_, _, kept]) = run(Some(&store), questions[1].0, questions[1].1, &[]);
    assert!(kept > 0 && content(&store) != before);
}

#[test]
fn a_store_is_read_where_nothing_can_be_written() {
    let dir = Folder::new("store-frozen");
    let (first, store) = (dir.0.join("first"), dir.0.join("frozen"));
    let (plain, _) = run(Some(&first), SMALL.0, SMALL.1, &[]);
    // A copy without the file `lock`.
    copy(&first, &store);
    let frozen = |is: bool| {
        for path in [store.join("values.redb"), store.clone()] {
            let mut rights = path.metadata().expect("it is there").permissions();
            rights.set_readonly(is);
            std::fs::set_permissions(&path, rights).expect("its rights");
        }
    };
    frozen(true);
    let before = content(&store);
    let (own, [expanded, found, kept]) = run(Some(&store), SMALL.0, SMALL.1, &["--read-only"]);
    assert!(own == plain && expanded == 0 && found > 0 && kept == 0);
    // Not even `lock` is made, also for root, who may write everywhere.
    assert!(content(&store) == before && before.len() == 1);
    frozen(false);
}

#[test]
fn those_who_read_and_those_who_write_exclude_each_other() {
    let dir = Folder::new("store-both");
    let store = dir.0.join("all");
    run(Some(&store), SMALL.0, SMALL.1, &[]);
    let name = store.display().to_string();
    let refused = |more: &[&str], why: &str, help: &str| {
        let o = cgdsl(&[&["value", "1", "--store", &name], more].concat());
        let said = err(&o).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(code(&o), 2, "{said}");
        assert!(said.contains("E0704") && said.contains(why), "{said}");
        assert!(said.contains(help), "{said}");
    };
    let reader = read_only(&store).expect("a reader");
    let writer = Store::open(&store).expect_err("it is read");
    assert!(writer.message.contains("are reading it"), "{writer:?}");
    refused(&[], "other runs are reading it", "`--read-only`");
    drop(reader);
    let writer = opened(&store).expect("nobody reads any more");
    let reader = Store::open_read_only(&store).expect_err("it is written");
    assert!(reader.message.contains("is writing it"), "{reader:?}");
    refused(&["--read-only"], "another run is writing it", "wait");
    let o = cgdsl(&[
        "store",
        "merge",
        &name,
        "-o",
        &dir.0.join("to").display().to_string(),
    ]);
    assert_eq!(code(&o), 2);
    assert!(err(&o).contains("is writing it") && !dir.0.join("to").exists());
    drop(writer);
    assert!(read_only(&store).is_ok());
    // Also where the file `lock` has got lost.
    std::fs::remove_file(store.join("lock")).expect("removed");
    let reader = read_only(&store).expect("a reader");
    if cfg!(target_os = "linux") {
        refused(&[], "other runs are reading it", "`--read-only`");
    }
    drop(reader);
    assert!(opened(&store).is_ok());
}

#[test]
fn reading_needs_a_store() {
    let dir = Folder::new("store-none");
    let o = cgdsl(&["value", "1", "--read-only"]);
    assert_eq!(code(&o), 2);
    assert!(err(&o).contains("E0705") && err(&o).contains("--store DIR"));
    let none = dir.0.join("none");
    let name = none.display().to_string();
    for o in [
        cgdsl(&["value", "1", "--read-only", "--store", &name]),
        cgdsl(&["--store", &name, "--read-only", "value", "1"]),
        cgdsl(&["store", "merge", &name, "-o", &name]),
        cgdsl(&["store", "merge", &name, "-o", &format!("{name}-2")]),
    ] {
        assert_eq!(code(&o), 2);
        assert!(
            err(&o).contains("there is no store in this folder"),
            "{}",
            err(&o)
        );
    }
    assert!(
        std::fs::read_dir(&dir.0)
            .expect("a folder")
            .next()
            .is_none()
    );
    for words in [
        &["store", "--help"][..],
        &["help", "store"],
        &["store", "merge", "--help"],
    ] {
        let text = out(&cgdsl(words));
        assert!(text.lines().count() <= 40, "{text}");
        assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
        assert!(text.contains("merge"), "{text}");
    }
}

/// What two stores hold: the same rules, others, and the same positions met in another order.
const LEFT: [(&str, &str); 3] = [
    SMALL,
    ("clobber", "value(Clobber[\"xoxo|oxox|xoxo\"])"),
    ("hackenbush", "value(Hackenbush[stalk(\"brbbr\")])"),
];
const RIGHT: [(&str, &str); 4] = [
    ("snort", "value(Snort[path(7)])"),
    ("cram", "nimber(Cram[grid(3, 4)])"),
    ("domineering", "value(Domineering[grid(3, 5)])"),
    ("clobber", "value(Clobber[\"xox|oxo|xox\"])"),
];

fn fill(store: &Path, questions: &[(&str, &str)]) {
    for (file, query) in questions {
        run(Some(store), file, query, &[]);
    }
}

#[test]
fn merged_stores_answer_what_each_of_them_does() {
    let dir = Folder::new("store-merge");
    let at = |name: &str| dir.0.join(name);
    let name = |name: &str| at(name).display().to_string();
    let (left, right) = (at("left"), at("right"));
    fill(&left, &LEFT);
    fill(&right, &RIGHT);
    let before = [content(&left), content(&right)];
    let one = json(&settled(&[
        "store",
        "merge",
        &name("left"),
        &name("right"),
        "-o",
        &name("one"),
        "--json",
    ]));
    let other = merged(&[&right, &left], &at("other")).expect("merged");
    // Into a store that is there, and of a store with itself.
    copy(&left, &at("grown"));
    let grown = merged(&[&right, &at("grown")], &at("grown")).expect("merged");
    assert_eq!(grown.stores[0].folder, at("grown"));
    let again = merged(&[&right, &left, &right], &at("grown")).expect("merged");
    assert!(again.stores[1..].iter().all(|s| s.new == 0), "{again:?}");
    let text = out(&settled(&[
        "store",
        "merge",
        &name("left"),
        "-o",
        &name("other"),
    ]));
    assert!(text.contains(&format!("{}: ", name("other"))), "{text}");
    assert!(
        text.contains("as it was") && text.contains(", 0 of them new"),
        "{text}"
    );
    assert!([content(&left), content(&right)] == before);
    for m in [&other, &grown, &again] {
        let counts = [m.values, m.nimbers, m.forms, m.rules];
        let same =
            ["values", "nimbers", "forms", "rules"].map(|n| one[n].as_u64().expect("a count"));
        assert_eq!(counts, same);
        let new: u64 = m.stores.iter().map(|s| s.new).sum();
        assert_eq!(new, m.values + m.nimbers);
        // Something is in both, and each has what the other has not.
        let all: u64 = m.stores.iter().map(|s| s.values + s.nimbers).sum();
        assert!(
            all > new && m.forms > 0 && m.nimbers > 0 && m.rules > 3,
            "{m:?}"
        );
    }
    assert!(other.stores.iter().all(|s| s.new > 0), "{other:?}");
    for (file, query) in LEFT.into_iter().chain(RIGHT) {
        let (plain, _) = run(None, file, query, &[]);
        for store in ["one", "other", "grown"] {
            let (own, [expanded, found, _]) = run(Some(&at(store)), file, query, &["--read-only"]);
            assert_eq!(own, plain, "{store}: {query}");
            assert!(
                expanded == 0 && found > 0,
                "{store}: {query}: {expanded} {found}"
            );
        }
    }
    // What is larger than both profits, and the result can be written.
    let query = "value(Domineering[grid(4, 5)])";
    let (plain, [all, ..]) = run(None, "domineering", query, &[]);
    let (own, [expanded, found, kept]) = run(Some(&at("one")), "domineering", query, &[]);
    assert!(own == plain && expanded < all && found > 0 && kept > 0);
    let (own, [expanded, ..]) = run(Some(&at("one")), "domineering", query, &[]);
    assert!(own == plain && expanded == 0);
    // Neither of the two alone would have done.
    for (store, (file, query)) in [(&left, RIGHT[0]), (&right, LEFT[2])] {
        let (_, [expanded, ..]) = run(Some(store), file, query, &["--read-only"]);
        assert!(expanded > 0, "{query}");
    }
}

/// A store that keeps another nimber than it is told, once.
#[derive(Debug)]
struct Liar(Store, Mutex<Option<[u8; 2]>>);

impl Archive for Liar {
    fn rules(&self, text: &[u8]) -> Option<u32> {
        self.0.rules(text)
    }
    fn get(&self, shelf: Shelf, key: &[u8]) -> Option<Vec<u8>> {
        self.0.get(shelf, key)
    }
    fn put(&self, shelf: Shelf, key: &[u8], value: &[u8]) {
        let mut lie = self.1.lock().expect("no panic");
        match (shelf, value) {
            (Shelf::Nimbers, [true_one]) if lie.is_none() => {
                *lie = Some([*true_one, *true_one + 5]);
                self.0.put(shelf, key, &[*true_one + 5]);
            }
            _ => self.0.put(shelf, key, value),
        }
    }
    fn form(&self, number: u64) -> Option<Vec<u8>> {
        self.0.form(number)
    }
    fn number(&self, form: &[u8]) -> Option<u64> {
        self.0.number(form)
    }
    fn distrust(&self) {
        self.0.distrust();
    }
}

#[test]
fn stores_that_contradict_each_other_are_refused_with_both_values() {
    let dir = Folder::new("store-contradiction");
    let at = |name: &str| dir.0.join(name);
    let (honest, lying, third) = (at("honest"), at("lying"), at("third"));
    fill(&honest, &RIGHT[1..2]);
    fill(&third, &RIGHT[..1]);
    let liar = Arc::new(Liar(opened(&lying).expect("a store"), Mutex::new(None)));
    let world = Memory::default();
    let settings = Settings {
        archive: Some(liar.clone()),
        shortcuts: Shortcuts::ALL,
        ..Settings::default()
    };
    let mut session = Session::new(&world, settings);
    let mut loaded = session.load(RIGHT[1].0);
    let query = session.expression(&mut loaded, RIGHT[1].1);
    loaded.queries = vec![query.expect("an expression")];
    session.evaluate(&loaded, |_, _| {});
    drop(session);
    let [right, wrong] = liar.1.lock().expect("no panic").expect("a lie");
    liar.0.finish().expect("written");
    drop(liar);
    let stores = [&honest, &lying, &third];
    let before = stores.map(|s| content(s));
    merged(&[&third, &honest], &at("sound")).expect("these agree");
    let sound = content(&at("sound"));
    for (order, first, second) in [
        ([&honest, &third, &lying], right, wrong),
        ([&lying, &third, &honest], wrong, right),
    ] {
        let names = order.map(|s| s.display().to_string());
        for to in ["new", "sound"] {
            let to = at(to).display().to_string();
            let mut words = vec!["store", "merge"];
            words.extend(names.iter().map(String::as_str));
            words.extend(["-o", &to, "--json"]);
            let o = settled(&words);
            assert_eq!(code(&o), 2, "{}{}", out(&o), err(&o));
            let said = json(&o)["diagnostics"][0].clone();
            assert_eq!(said["code"], "E0707");
            let message = said["message"].to_string();
            // The store that is there is honest, and comes first.
            let [a, b] = match to.ends_with("sound") {
                true => [(&to, right), (&lying.display().to_string(), wrong)],
                false => [(&names[0], first), (&names[2], second)],
            };
            let later = format!("`{}` has the value *{},", b.0, b.1);
            assert!(message.contains(&later), "{message}");
            assert!(
                message.contains(&format!("`{}` *{}", a.0, a.1)),
                "{message}"
            );
            assert!(said["notes"].to_string().contains("with the key"), "{said}");
        }
        assert!(!at("new").exists());
        assert!(content(&at("sound")) == sound);
    }
    assert!(stores.map(|s| content(s)) == before);
}

/// Stores made entry by entry: forms with other numbers and numbers in other bytes are the same values.
#[test]
fn values_are_compared_and_not_their_bytes() {
    let dir = Folder::new("store-bytes");
    let at = |name: &str| dir.0.join(name);
    // A number (the lowest byte first) as an item: its exponent, its length, its bytes; no ups, no nimber.
    let item = |n: u8, exponent: u8| vec![0, exponent, 1, n, 0, 0];
    let switch = |x: u8, y: u8| [vec![1], item(x, 0), vec![1], item(y, 0)].concat();
    let store = |name: &str, entries: &dyn Fn(&Store) -> Vec<(&'static str, Vec<u8>)>| {
        let store = opened(&at(name)).expect("a store");
        store.rules(format!("other {name}").as_bytes());
        let rules = store
            .rules(b"keys 0\nshapes")
            .expect("a number")
            .to_be_bytes();
        for (key, value) in entries(&store) {
            store.put(Shelf::Values, &[&rules, key.as_bytes()].concat(), &value);
        }
        store.finish().expect("written");
    };
    let general = |number: Option<u64>| vec![1, number.expect("a number") as u8, 0, 1, 0];
    store("a", &|s| {
        let hot = general(s.number(&switch(3, 0xfd)));
        let cold = general(s.number(&switch(1, 0xff)));
        vec![("hot", hot), ("cold", cold), ("one", item(1, 0))]
    });
    store("b", &|s| {
        let cold = general(s.number(&switch(1, 0xff)));
        let hot = general(s.number(&switch(3, 0xfd)));
        // 2/2 is not how this program writes 1.
        vec![("hot", hot), ("cold", cold), ("one", item(2, 1))]
    });
    store("c", &|s| {
        let hot = general(s.number(&switch(3, 0xfd)));
        vec![("cold", hot)]
    });
    store("d", &|_| vec![("lost", vec![1, 7, 0, 1, 0])]);
    store("e", &|_| vec![("short", vec![0, 0])]);
    store("f", &|s| {
        // Its own option.
        s.number(&[1, 1, 0, 0, 1, 0, 0]);
        Vec::new()
    });
    let both = merged(&[&at("a"), &at("b")], &at("ab")).expect("the same values");
    assert_eq!((both.values, both.forms, both.rules), (3, 2, 3), "{both:?}");
    assert_eq!(
        merged(&[&at("b"), &at("a")], &at("ba"))
            .expect("the same")
            .values,
        3
    );
    let why = merged(&[&at("ab"), &at("c")], &at("abc")).expect_err("a contradiction");
    assert!(
        why.contains("E0707") && why.contains("value +-3") && why.contains(" +-1"),
        "{why}"
    );
    for bad in ["d", "e", "f"] {
        let why = merged(&[&at("ab"), &at(bad)], &at("no")).expect_err("no sense");
        assert!(
            why.contains("E0704") && why.contains("make no sense"),
            "{why}"
        );
        assert!(!at("no").exists());
    }
}

#[test]
fn stores_of_another_version_are_refused() {
    let dir = Folder::new("store-version");
    let at = |name: &str| dir.0.join(name);
    let (old, good) = (at("old"), at("good"));
    fill(&old, &RIGHT[..1]);
    copy(&old, &good);
    {
        const ABOUT: redb::TableDefinition<'_, &str, &[u8]> = redb::TableDefinition::new("about");
        let database = redb::Database::open(old.join("values.redb")).expect("a database");
        let read = database.begin_read().expect("a transaction");
        let table = read.open_table(ABOUT).expect("a table");
        let format = table
            .get("format")
            .expect("a row")
            .expect("a row")
            .value()
            .to_vec();
        assert_eq!(format, b"cgdsl values, 1");
        let write = database.begin_write().expect("a transaction");
        let mut table = write.open_table(ABOUT).expect("a table");
        table
            .insert("format", &b"cgdsl values, 0"[..])
            .expect("written");
        drop(table);
        write.commit().expect("written");
    }
    let before = content(&old);
    let (name, to) = (old.display().to_string(), at("to").display().to_string());
    for words in [
        &["value", "1", "--store", &name][..],
        &["value", "1", "--store", &name, "--read-only"],
        &[
            "store",
            "merge",
            &good.display().to_string(),
            &name,
            "-o",
            &to,
        ],
        &["store", "merge", &good.display().to_string(), "-o", &name],
    ] {
        let o = settled(words);
        assert_eq!(code(&o), 2, "{words:?}");
        let said = err(&o).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("E0704"), "{said}");
        let formats =
            "it has the format `cgdsl values, 0`, and this program reads `cgdsl values, 1`";
        assert!(said.contains(formats), "{said}");
        assert!(said.contains("nothing in it was changed"), "{said}");
        assert!(content(&old) == before && !at("to").exists());
    }
    assert!(merged(&[&good], &at("to")).is_ok());
}

#[test]
fn a_merge_that_is_ended_leaves_no_half_store() {
    let dir = Folder::new("store-killed");
    let at = |name: &str| dir.0.join(name);
    let (left, right, to) = (at("left"), at("right"), at("to"));
    fill(&left, &LEFT);
    fill(&right, &RIGHT);
    let names = [&left, &right, &to].map(|p| p.display().to_string());
    let words = ["store", "merge", &names[0], &names[1], "-o", &names[2]];
    // By its time.
    let o = settled(&[&words[..], &["--time", "0s"]].concat());
    assert_eq!(code(&o), 3, "{}", err(&o));
    assert!(err(&o).contains("nothing was written") && !to.exists());
    let is_whole = || {
        let whole = |(file, query): (&str, &str)| {
            let (_, [expanded, ..]) = run(Some(&to), file, query, &["--read-only"]);
            expanded == 0
        };
        whole(LEFT[2]) && whole(RIGHT[0])
    };
    // By a signal that nobody can catch, at any moment.
    let mut ended = 0;
    for wait in (0..40).step_by(4) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cgdsl"))
            .args(words)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs");
        std::thread::sleep(Duration::from_millis(wait));
        let _ = child.kill();
        ended += u32::from(!child.wait().expect("it ends").success());
        assert!(
            !to.join("values.redb").exists() || is_whole(),
            "after {wait} ms"
        );
    }
    assert!(ended > 0);
    // What they left under another name is no obstacle.
    std::fs::write(to.join("values.redb.new"), b"a half").expect("a file");
    assert_eq!(code(&settled(&words)), 0);
    assert!(is_whole() && !to.join("values.redb.new").exists());
    // In a store that is there, its values stay if a merge into it is ended at any report of its progress.
    let before = content(&to);
    for most in [0, 1, 5, 20] {
        let reports = std::sync::atomic::AtomicU32::new(0);
        let over = Arc::new(AtomicBool::new(false));
        let said = over.clone();
        let watch = Arc::new(move |done: u64, all: u64| {
            assert!(done <= all);
            let on = reports.fetch_add(1, Ordering::Relaxed) < most;
            said.store(!on, Ordering::Relaxed);
            on
        });
        let sources = [left.clone(), right.clone()];
        let mut result = merge(&sources, &to, watch.clone());
        while let Err(NotMerged::Refused(d)) = &result {
            assert!(is_in_use(&d.message), "{d:?}");
            result = merge(&sources, &to, watch.clone());
        }
        assert!(matches!(result, Err(NotMerged::Ended)) && over.load(Ordering::Relaxed));
        assert!(content(&to) == before);
    }
}
