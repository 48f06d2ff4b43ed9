//! `--store`: values kept between runs. What one run puts there the next one finds; what is damaged is never used.

use crate::program::{Folder, cgdsl, code, err, json, out};
use cgdsl::game::Shortcuts;
use cgdsl::session::{Memory, Session, Settings, Store};
use std::path::Path;
use std::sync::Arc;

fn stat(text: &str, name: &str) -> u64 {
    let line = text.lines().find(|l| l.starts_with(name));
    line.and_then(|l| l.split_whitespace().nth(1))
        .and_then(|n| n.parse().ok())
        .unwrap_or_else(|| panic!("{name}: {text}"))
}

/// A run on stores that this process has used. See `opened`.
pub fn settled(words: &[&str]) -> std::process::Output {
    for _ in 0..200 {
        let o = cgdsl(words);
        if !is_in_use(&err(&o)) && !is_in_use(&out(&o)) {
            return o;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    cgdsl(words)
}

/// What an evaluation prints, and how many positions it expanded, found in the store and put there.
pub fn run(store: Option<&Path>, file: &str, query: &str, more: &[&str]) -> (String, [u64; 3]) {
    let mut words = vec!["eval", file, "-e", query, "--stats"];
    let folder = store.map(|s| s.display().to_string());
    if let Some(folder) = &folder {
        words.extend(["--store", folder]);
    }
    words.extend(more);
    let o = settled(&words);
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
    let text = err(&o);
    let names = ["positions_expanded", "found_in_store", "put_into_store"];
    (out(&o), names.map(|n| stat(&text, n)))
}

#[test]
fn the_second_run_finds_what_the_first_one_kept() {
    let dir = Folder::new("store");
    for (file, query) in [
        ("domineering", "value(Domineering[grid(4, 4)])"),
        ("clobber", "value(Clobber[\"xoxo|oxox|xoxo\"])"),
        ("cram", "nimber(Cram[grid(3, 4)])"),
        ("hackenbush", "value(Hackenbush[stalk(\"brbbr\")])"),
        ("snort", "value(Snort[path(7)])"),
    ] {
        let store = dir.0.join(file);
        let (plain, [expanded, found, kept]) = run(None, file, query, &[]);
        assert!(expanded > 0 && found == 0 && kept == 0, "{file}");
        let (first, [_, found, kept]) = run(Some(&store), file, query, &[]);
        assert_eq!(first, plain, "{file}");
        assert!(found == 0 && kept > 0, "{file}: {found} {kept}");
        let (second, [expanded, found, kept]) = run(Some(&store), file, query, &[]);
        assert_eq!(second, plain, "{file}");
        assert_eq!((expanded, kept), (0, 0), "{file}");
        assert!(found > 0, "{file}");
    }
}

#[test]
fn a_larger_board_begins_with_what_a_smaller_one_left_and_other_rules_find_nothing() {
    let dir = Folder::new("store-other");
    let store = dir.0.join("all");
    run(
        Some(&store),
        "domineering",
        "value(Domineering[grid(3, 4)])",
        &[],
    );
    let (alone, [all, _, _]) = run(None, "domineering", "value(Domineering[grid(4, 4)])", &[]);
    let query = "value(Domineering[grid(4, 4)])";
    let (both, [rest, found, _]) = run(Some(&store), "domineering", query, &["--threads", "2"]);
    assert_eq!(both, alone);
    assert!(found > 0 && rest < all, "{rest} of {all}, {found} found");
    for (file, query) in [
        ("clobber", "value(Clobber[\"xo|ox\"])"),
        ("cram", "nimber(Cram[grid(3, 4)])"),
        ("cram", "value(Cram[grid(3, 3)])"),
    ] {
        let (other, [_, found, _]) = run(Some(&store), file, query, &[]);
        let (plain, _) = run(None, file, query, &[]);
        assert_eq!(other, plain);
        assert!(file == "cram" || found == 0, "{file}: {found}");
    }
    // Without the exchange of the players there are other keys; what they say is as true.
    let (again, _) = run(
        Some(&store),
        "domineering",
        query,
        &["--without", "symmetry"],
    );
    assert_eq!(again, alone);
}

/// The store, in this process. A child that another test has just forked holds the lock of a store that was closed until it starts
/// its program, so a store in use is waited for.
pub fn opened(store: &Path) -> Result<Store, String> {
    for _ in 0..200 {
        match Store::open(store) {
            Err(d) if is_in_use(&d.message) => {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            other => return other.map_err(|d| d.message),
        }
    }
    Store::open(store).map_err(|d| d.message)
}

pub fn is_in_use(message: &str) -> bool {
    ["another run", "other runs"]
        .iter()
        .any(|who| message.contains(who))
}

/// The value of a small position with a store, in this process; or why the store is refused.
fn within(store: &Path) -> Result<(String, u64), String> {
    let store = Arc::new(opened(store)?);
    let world = Memory::default();
    let settings = Settings {
        archive: Some(store.clone()),
        shortcuts: Shortcuts::ALL,
        ..Settings::default()
    };
    let mut session = Session::new(&world, settings);
    let mut loaded = session.load("domineering");
    let query = session
        .expression(&mut loaded, "value(Domineering[grid(3, 4)])")
        .expect("an expression");
    loaded.queries = vec![query];
    let items = session.evaluate(&loaded, |_, _| {});
    let statistics = session.statistics();
    store.finish().map_err(|d| d.message)?;
    Ok((format!("{:?}", items[0].answer), statistics.archive_found))
}

#[test]
fn a_store_that_was_changed_or_cut_short_is_refused_or_right() {
    let dir = Folder::new("store-damage");
    let (right, found) = within(&dir.0).expect("a new store");
    assert_eq!(found, 0);
    let file = dir.0.join("values.redb");
    let whole = std::fs::read(&file).expect("the store");
    let (again, found) = within(&dir.0).expect("as it was left");
    assert!(again == right && found > 0);
    let before = std::fs::read(&file).expect("the store");
    let mut refused = 0;
    let mut try_with = |bytes: &[u8]| {
        std::fs::write(&file, bytes).expect("a file");
        match within(&dir.0) {
            // Where nobody looks.
            Ok((answer, _)) => assert_eq!(answer, right),
            Err(why) => {
                assert!(why.contains("is not used"), "{why}");
                let after = std::fs::read(&file).expect("the store");
                assert!(after == bytes, "what is refused is left as it is");
                refused += 1;
            }
        }
    };
    // Bytes of the pages that hold something, and of all others now and then.
    let places = (0..whole.len()).filter(|i| whole[*i] != 0);
    for at in places.step_by(997) {
        let mut bad = before.clone();
        if at < bad.len() {
            bad[at] ^= 1 << (at % 8);
            try_with(&bad);
        }
    }
    for len in [0, 1, 100, 4096, before.len() / 2, before.len() - 1] {
        try_with(&before[..len]);
    }
    try_with(b"a text that is not a database at all, whatever its name may say about it");
    assert!(refused > 6, "{refused}");
    std::fs::write(&file, &before).expect("a file");
    assert_eq!(within(&dir.0).expect("whole again").0, right);
}

#[test]
fn a_store_that_cannot_be_used_says_so() {
    let dir = Folder::new("store-refused");
    std::fs::write(dir.0.join("values.redb"), b"something else").expect("a file");
    let folder = dir.0.display().to_string();
    let o = cgdsl(&["eval", "nim", "Nim[3]", "--store", &folder]);
    assert_eq!(code(&o), 2);
    assert!(
        err(&o).contains("E0704") && out(&o).is_empty(),
        "{}",
        err(&o)
    );
    let v = json(&cgdsl(&[
        "eval", "nim", "Nim[3]", "--json", "--store", &folder,
    ]));
    assert_eq!(v["diagnostics"][0]["code"], "E0704");
    // One run has it at a time.
    let dir = Folder::new("store-busy");
    let first = Store::open(&dir.0).expect("a new store");
    let second = Store::open(&dir.0).expect_err("it is taken");
    assert!(second.message.contains("another run"), "{}", second.message);
    drop(first);
    assert!(opened(&dir.0).is_ok());
    // A file is no folder.
    let file = dir.file("file", "text");
    assert!(Store::open(Path::new(&file)).is_err());
}
