//! Where names are defined and used.
//!
//! In `tests/index/*.rules` a comment line marks places of the last line that is none: `//   ^def name` under the first letter
//! of a definition, `^use name` under a use. Marks of one name are one definition and all of its places; marks of different
//! names are different definitions. A name may be told from another by an ending, `k.inner`.
//!
//! The checker is the second opinion: in every shipped file all that the index resolves is renamed, and the file must check as
//! before. A use that was missed keeps its old name, which nobody knows.

use cgdsl::base::FileId;
use cgdsl::index::{DefId, Index, Kind};
use cgdsl::session::{Disk, Memory, Session, Settings, Unsaved, shipped};
use std::collections::BTreeMap;
use std::path::Path;

/// A mark: whether it is a definition, the name, the byte that it marks.
type Mark = (bool, String, u32);

fn marks(text: &str) -> Vec<Mark> {
    let mut out = Vec::new();
    let mut start = 0;
    let mut marked = 0;
    for line in text.split_inclusive('\n') {
        let mark = line.find('^').filter(|_| line.starts_with("//"));
        match mark.and_then(|at| Some((at, line[at + 1..].trim().split_once(' ')?))) {
            Some((at, (what @ ("def" | "use"), name))) => {
                let at = u32::try_from(marked + at).expect("a short file");
                out.push((what == "def", name.to_owned(), at));
            }
            _ => marked = start,
        }
        start += line.len();
    }
    out
}

fn check_marks(path: &Path) {
    let name = path
        .file_name()
        .expect("a file")
        .to_string_lossy()
        .into_owned();
    let text = std::fs::read_to_string(path)
        .expect("it can be read")
        .replace("\r\n", "\n");
    let world = Memory::default().with(&name, text.as_str());
    let mut session = Session::new(&world, Settings::default());
    let (index, main) = session.index(&name);
    let file = main.expect("it is there");
    let marks = marks(&text);
    assert!(marks.len() > 10, "{name} marks {} places", marks.len());
    let mut known: BTreeMap<&str, DefId> = BTreeMap::new();
    let mut places: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (defines, mark, at) in &marks {
        let line = text[..*at as usize].matches('\n').count() + 1;
        let id = index
            .definition_at(file, *at)
            .unwrap_or_else(|| panic!("{name}:{line}: nothing is known of `{mark}`"));
        let first = *known.entry(mark).or_insert(id);
        assert_eq!(first, id, "{name}:{line}: `{mark}` means two things");
        places.entry(mark).or_default().push(*at);
        let span = index.definition(id).expect("a definition").span;
        if *defines {
            assert_eq!(
                span.start, *at,
                "{name}:{line}: `{mark}` is defined elsewhere"
            );
        }
        let plain = mark.split('.').next().unwrap_or(mark);
        let called = &*index.definition(id).expect("a definition").name;
        assert!(
            called == plain || mark.starts_with('p'),
            "{name}:{line}: `{mark}` is `{called}`"
        );
    }
    let mut seen: Vec<DefId> = known.values().copied().collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(
        seen.len(),
        known.len(),
        "{name}: two names are one definition"
    );
    for (mark, mut at) in places {
        at.sort_unstable();
        let found: Vec<u32> = index
            .references(known[mark])
            .iter()
            .map(|s| s.start)
            .collect();
        assert_eq!(found, at, "{name}: all places of `{mark}`");
    }
}

#[test]
fn marked_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/index");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder")
        .flatten()
        .map(|e| e.path())
        .collect();
    files.sort();
    assert!(files.len() >= 3);
    files.iter().for_each(|f| check_marks(f));
}

/// The file with every name that it defines replaced by a new one, and how many names that were.
fn renamed(text: &str, index: &Index, file: FileId) -> (String, usize) {
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    let mut count = 0;
    for (id, d) in index.definitions() {
        // Pieces and players are drawn and said by their names; a claim's name is a string.
        let kept = matches!(
            d.kind,
            Kind::Piece | Kind::Player | Kind::Claim | Kind::Site
        );
        if d.span.file != file || kept {
            continue;
        }
        count += 1;
        for span in index.references(id) {
            assert_eq!(span.file, file, "a file is used by no other here");
            edits.push((
                span.start as usize,
                span.end as usize,
                format!("qq{}q", id.0),
            ));
        }
    }
    edits.sort();
    edits.dedup();
    let mut out = String::new();
    let mut from = 0;
    for (start, end, new) in edits {
        assert!(start >= from, "places overlap: {:?}", &text[start..end]);
        out += &text[from..start];
        out += &new;
        from = end;
    }
    (out + &text[from..], count)
}

#[test]
fn a_renamed_file_checks_as_before() {
    let mut names = 0;
    for shipped in shipped::all() {
        let path = format!("rulesets/{}", shipped.path);
        let mut session = Session::new(&Disk, Settings::default());
        let (index, main) = session.index(&path);
        let file = main.expect("a shipped file");
        let text = session
            .sources()
            .get(file)
            .expect("its text")
            .text
            .to_string();
        let before = session.load(&path);
        let (new, count) = renamed(&text, &index, file);
        names += count;
        let world = Unsaved::new(&Disk, &path, new.as_bytes());
        let mut again = Session::new(&world, Settings::default());
        let after = again.load(&path);
        let said: Vec<String> = after
            .diagnostics
            .iter()
            .map(|d| cgdsl::diagnostic::one_line(d, again.sources()))
            .collect();
        assert_eq!(before.broken, after.broken, "{path}: {said:#?}\n{new}");
        assert_eq!(before.queries.len(), after.queries.len(), "{path}");
    }
    assert!(names > 500, "{names} names");
}

#[test]
fn names_in_scope_and_symbols() {
    let text = "ruleset A(m: nat)\n  board heaps\n  move by p: choose n, k in 1..n then n -> [n - k]\nlet f(x) = x + 1\neval f(2)\n";
    let world = Memory::default().with("a.rules", text);
    let mut session = Session::new(&world, Settings::default());
    let (index, main) = session.index("a.rules");
    let file = main.expect("it is there");
    let names = |at: &str| -> Vec<String> {
        let offset = u32::try_from(text.find(at).expect("it is there") + at.len()).expect("short");
        let ids = index.names_in_scope(file, offset);
        let mut out: Vec<String> = ids
            .iter()
            .map(|id| index.definition(*id).expect("one").name.to_string())
            .collect();
        out.sort();
        out
    };
    assert_eq!(names("then n -> [n"), ["A", "f", "k", "m", "n", "p"]);
    assert_eq!(names("choose n"), ["A", "f", "m", "n", "p"]);
    assert_eq!(names("= x + "), ["A", "f", "x"]);
    assert_eq!(names("eval "), ["A", "f"]);
    let symbols: Vec<&str> = index
        .symbols(file)
        .iter()
        .map(|id| &*index.definition(*id).expect("one").name)
        .collect();
    assert_eq!(symbols, ["A", "f"]);
}

/// No text, however broken, makes the index fail; what it says are places of the text.
#[test]
fn torn_files() {
    for shipped in shipped::all() {
        for part in [3, 5, 7] {
            let cut = shipped.text.len() * part / 8;
            let cut = (cut..)
                .find(|i| shipped.text.is_char_boundary(*i))
                .unwrap_or(0);
            let torn = format!(
                "{}{}",
                &shipped.text[..cut],
                shipped.text[cut..].replace(['(', '='], " ")
            );
            let world = Memory::default().with("torn.rules", torn.as_str());
            let mut session = Session::new(&world, Settings::default());
            let (index, main) = session.index("torn.rules");
            let file = main.expect("it is there");
            for (id, d) in index.definitions().filter(|(_, d)| d.span.file == file) {
                assert_eq!(
                    index.definition_at(file, d.span.start),
                    Some(id),
                    "{}: {} at byte {}",
                    shipped.path,
                    d.name,
                    d.span.start
                );
                if d.kind != Kind::Claim {
                    for span in index.references(id).iter().filter(|s| s.file == file) {
                        assert_eq!(&torn[span.range()], &*d.name, "{}", shipped.path);
                    }
                }
            }
        }
    }
}

/// Names are found in a ruleset that inherits them over many steps, and offered there once.
#[test]
fn names_are_inherited_through_a_chain() {
    let mut text = "ruleset R0\n  board strip\n  pieces x = anyone\n  let k = 0\n  move by anyone: choose a where at(a) = x then at(a) := empty\n".to_owned();
    for i in 1..=50 {
        text.push_str(&format!(
            "ruleset R{i} = R{} with\n  let k{i} = {i}\n  let k = {i}\n",
            i - 1
        ));
    }
    text.push_str("ruleset Last = R50 with\n  move more by anyone: choose a where at(a) = x, k1 = k50, k = 50 then at(a) := empty\n");
    let world = Memory::default().with("a.rules", text.as_str());
    let mut session = Session::new(&world, Settings::default());
    let (index, main) = session.index("a.rules");
    let file = main.expect("it is there");
    let last = text.find("ruleset Last").expect("the last ruleset");
    for name in ["x", "k1", "k50"] {
        let at = text[last..].find(&format!(" {name}")).expect("a use") + last + 1;
        let at = u32::try_from(at).expect("a short file");
        let id = index.definition_at(file, at).expect("a definition");
        let found = index.definition(id).expect("a definition");
        assert_eq!(&*found.name, name);
        let offered = index.names_in_scope(file, at);
        let names = offered.iter().filter_map(|id| index.definition(*id));
        assert_eq!(names.filter(|d| &*d.name == name).count(), 1, "{name}");
    }
}
