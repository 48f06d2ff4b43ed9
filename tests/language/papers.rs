//! The pages on the papers say what the files check. The list at the end of each page is made from the files (write it anew
//! with `UPDATE_DOCS=1 cargo test --test language papers`); the numbers in its table of claims are cited by queries of these files,
//! and what the table calls refuted is refuted there. That each query holds is the business of `tests/data/rulesets.rs`.

use cgdsl::model::typed::QueryKind;
use cgdsl::session::{Disk, Session, Settings};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- made from the files: UPDATE_DOCS=1 cargo test --test language papers -->";

/// A query of a file.
struct Asked {
    kind: QueryKind,
    slow: bool,
    /// Where it comes from, as cited.
    source: String,
    name: String,
    /// What it says, in one line.
    text: String,
    range: String,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The files of a paper, in their order.
fn files(page: &str) -> Vec<PathBuf> {
    let folder = root().join("rulesets/papers").join(page);
    if !folder.is_dir() {
        return vec![folder.with_extension("rules")];
    }
    let mut all: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|e| e.expect("an entry").path())
        .collect();
    all.sort();
    all
}

fn pages() -> Vec<(String, PathBuf)> {
    let mut all: Vec<(String, PathBuf)> = fs::read_dir(root().join("docs/papers"))
        .expect("docs")
        .map(|e| e.expect("an entry").path())
        .map(|p| {
            (
                p.file_stem()
                    .expect("a name")
                    .to_string_lossy()
                    .into_owned(),
                p,
            )
        })
        .collect();
    all.sort();
    assert_eq!(all.len(), 7);
    all
}

fn asked(path: &Path) -> Vec<Asked> {
    let world = Disk;
    let mut session = Session::new(&world, Settings::default());
    let loaded = session.load(&path.to_string_lossy());
    assert_eq!(loaded.broken, 0, "{path:?}");
    let slice = |span| {
        let text = session.sources().slice(span);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let queries = loaded
        .queries
        .iter()
        .filter(|q| Some(q.span.file) == loaded.main);
    queries
        .map(|q| {
            let mut range: Vec<String> = q.binders.iter().map(|b| slice(b.span)).collect();
            if let (Some(phi), Some(last)) = (&q.condition, range.last_mut()) {
                last.push_str(&format!(" where {}", slice(phi.span)));
            }
            Asked {
                kind: q.kind,
                slow: q.slow,
                source: match &q.source {
                    Some((true, program)) => format!("program {program}"),
                    Some((false, text)) => text.to_string(),
                    None => String::new(),
                },
                name: q
                    .name
                    .as_ref()
                    .map_or_else(String::new, ToString::to_string),
                text: q
                    .body
                    .iter()
                    .map(|e| slice(e.span))
                    .collect::<Vec<_>>()
                    .join(", "),
                range: range.join(", "),
            }
        })
        .collect()
}

fn list(page: &str) -> String {
    let cell = |text: &str| {
        let cut: String = text.chars().take(150).collect();
        let dots = if cut.len() < text.len() { " .." } else { "" };
        format!("{cut}{dots}")
            .replace('|', "\\|")
            .replace('*', "\\*")
    };
    let mut text = format!(
        "{BEGIN}\n\nRun them with `cgdsl eval --slow FILE`. All of these hold in the tests: a claim for its whole range, a refutation by a\n\
         counterexample that is evaluated in full.\n"
    );
    for path in files(page) {
        let shown = path
            .strip_prefix(root())
            .expect("inside")
            .to_string_lossy()
            .replace('\\', "/");
        let rows: Vec<Asked> = asked(&path)
            .into_iter()
            .filter(|a| {
                matches!(
                    a.kind,
                    QueryKind::Assert | QueryKind::Claim | QueryKind::Refute
                )
            })
            .collect();
        if rows.is_empty() {
            continue;
        }
        let shipped = shown.trim_start_matches("rulesets/");
        text.push_str(&format!(
            "\n`{shipped}`:\n\n| from | | what | for |\n|---|---|---|---|\n"
        ));
        for a in rows {
            let kind = match a.kind {
                QueryKind::Refute => "refuted",
                QueryKind::Claim => "claimed",
                _ => "asserted",
            };
            let slow = if a.slow { ", slow" } else { "" };
            let code = |text: &str| {
                let cut: String = text.chars().take(110).collect();
                let dots = if cut.len() < text.len() { " .." } else { "" };
                format!("`{}{dots}`", cut.replace('|', "\\|"))
            };
            let what = if a.name.is_empty() {
                code(&a.text)
            } else {
                cell(&a.name)
            };
            let range = if a.range.is_empty() {
                String::new()
            } else {
                code(&a.range)
            };
            text.push_str(&format!(
                "| {} | {kind}{slow} | {what} | {range} |\n",
                cell(&a.source)
            ));
        }
    }
    text
}

#[test]
fn the_lists_are_those_of_the_files() {
    for (page, path) in pages() {
        let text = fs::read_to_string(&path).expect("a page");
        let body = match text.find(BEGIN) {
            Some(at) => text[..at].trim_end().to_owned(),
            None => format!("{}\n\n## What is checked", text.trim_end()),
        };
        let want = format!("{body}\n\n{}", list(&page));
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&path, &want).expect("written");
        } else {
            assert!(
                text == want,
                "docs/papers/{page}.md is not up to date: UPDATE_DOCS=1 cargo test --test language papers"
            );
        }
    }
}

/// The numbered items that a text names: `Lemmas 3.2 (3), (4) and 3.4 (1) to (10)` as `3.2 (3)`, `3.2 (4)`, `3.4`; parts of
/// a range are not told apart.
fn numbers(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || ",;:".contains(c))
        .collect();
    let mut current: Option<String> = None;
    for word in words.into_iter().filter(|w| !w.is_empty()) {
        let dotted = word.split_once('.').is_some_and(|(a, b)| {
            let digits =
                |s: &str| !s.is_empty() && s.chars().all(|c| c.is_ascii_digit() || c == '.');
            digits(a) && digits(b)
        });
        if dotted {
            current = Some(word.to_owned());
            found.insert(word.to_owned());
        } else if let (Some(number), Some(part)) = (
            &current,
            word.strip_prefix('(').and_then(|w| w.strip_suffix(')')),
        ) && part.chars().all(|c| c.is_ascii_digit())
        {
            found.insert(format!("{number} ({part})"));
        }
    }
    found
}

#[test]
fn what_the_tables_name_is_asked_in_the_files() {
    for (page, path) in pages() {
        let text = fs::read_to_string(&path).expect("a page");
        let all: Vec<Asked> = files(&page).iter().flat_map(|f| asked(f)).collect();
        let names = |number: &str| {
            let of: Vec<&Asked> = all
                .iter()
                .filter(|a| {
                    let mut named = numbers(&a.source);
                    named.extend(numbers(&a.name));
                    named.contains(number)
                })
                .collect();
            of
        };
        let table = text
            .split("\n## Claims")
            .nth(1)
            .and_then(|t| t.split("\n## ").next());
        let rows = table
            .unwrap_or("")
            .lines()
            .filter(|l| l.starts_with("| "))
            .skip(1);
        let mut count = 0;
        for row in rows {
            let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
            let (claim, found) = (cells[0], cells[1]);
            count += 1;
            assert!(
                ["held", "refuted", "restricted", "answered", "not checked"].contains(&found),
                "{page}: {row}"
            );
            if found == "not checked" {
                continue;
            }
            let cited = numbers(claim);
            for number in &cited {
                assert!(
                    !names(number).is_empty(),
                    "{page}: nothing asks {number}: {row}"
                );
            }
            // A row of a single item: refuted if the page says so.
            if found == "refuted" && !cited.is_empty() {
                let refuted = cited
                    .iter()
                    .any(|n| names(n).iter().any(|a| a.kind == QueryKind::Refute));
                assert!(refuted, "{page}: nothing is refuted: {row}");
            }
        }
        assert!(count >= 5, "{page}: {count} rows");
    }
}

#[test]
fn links_lead_somewhere() {
    for (page, path) in pages() {
        let text = fs::read_to_string(&path).expect("a page");
        for link in text.split("](").skip(1).filter_map(|t| t.split(')').next()) {
            if !link.contains("://") {
                let target = path.parent().expect("a folder").join(link);
                assert!(target.exists(), "{page}: {link}");
            }
        }
    }
}
