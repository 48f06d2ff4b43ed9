//! The sources come in; whether every folder imports only what lies below it comes out. The table is that of
//! `ARCHITECTURE.md`. Comments, strings and test modules are not looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Folder and what it may import of the crate.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("base", &[]),
    ("diagnostic", &["base"]),
    ("syntax", &["base", "diagnostic"]),
    ("model", &["base", "diagnostic", "syntax"]),
    ("index", &["base", "syntax"]),
    ("ir", &["base", "diagnostic", "syntax", "model", "game"]),
    (
        "machine",
        &[
            "base",
            "diagnostic",
            "syntax",
            "model",
            "ir",
            "game",
            "value",
        ],
    ),
    ("value", &[]),
    ("verify", &[]),
    ("game", &["value"]),
    ("engine", &["value", "game", "verify"]),
    (
        "claim",
        &[
            "base",
            "diagnostic",
            "syntax",
            "model",
            "ir",
            "machine",
            "value",
            "game",
            "engine",
            "verify",
        ],
    ),
    (
        "session",
        &[
            "base",
            "diagnostic",
            "syntax",
            "index",
            "model",
            "ir",
            "machine",
            "value",
            "game",
            "engine",
            "verify",
            "claim",
        ],
    ),
    (
        "report",
        &["base", "diagnostic", "value", "claim", "session"],
    ),
    (
        "lsp",
        &[
            "base",
            "diagnostic",
            "syntax",
            "index",
            "model",
            "game",
            "session",
            "report",
        ],
    ),
    (
        "cli",
        &[
            "base",
            "diagnostic",
            "syntax",
            "model",
            "ir",
            "machine",
            "value",
            "game",
            "engine",
            "verify",
            "claim",
            "session",
            "report",
            "lsp",
        ],
    ),
];

/// Packages below `src/`, whose folders lie one level further down.
const PACKAGES: &[&str] = &["mathematics", "language", "solver"];

/// What only some folders may mention, and who.
const ONLY_IN: &[(&str, &[&str])] = &[
    ("ariadne::", &["diagnostic"]),
    ("pest::", &["syntax"]),
    ("cgdsl_grammar", &["syntax"]),
    ("clap::", &["cli"]),
    ("tiny_http::", &["cli"]),
    ("lsp_types::", &["lsp"]),
    ("lsp_server::", &["lsp"]),
    ("std::fs", &["session", "cli"]),
    ("std::env", &["cli"]),
    ("std::process", &["cli"]),
    ("Instant::now", &["cli", "lsp"]),
    ("SystemTime", &["cli"]),
    ("println!", &["cli"]),
    ("eprintln!", &["cli"]),
    ("print!", &["cli"]),
    ("dbg!", &[]),
];

/// The folders of modules below `src/`, also those of its packages.
fn rooms(src: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(src).unwrap_or_else(|e| panic!("{}: {e}", src.display())) {
        let path = entry.expect("directory entry").path();
        let package = PACKAGES.iter().any(|p| path == src.join(p));
        if package {
            found.extend(rooms(&path));
        } else if path.is_dir() {
            found.push(path);
        }
    }
    found
}

fn rust_files(dir: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(dir)
        .unwrap_or_else(|e| panic!("{}: {e}", dir.display()))
        .map(|e| e.expect("directory entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            rust_files(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// The text without comments, strings and character literals; test modules at the end of a file cut off.
fn code_only(text: &str) -> String {
    let text = match text.find("#[cfg(test)]\nmod ") {
        // `mod tests;` names a file; a block runs to the end of the file by the habit of the house.
        Some(at)
            if text[at..]
                .lines()
                .nth(1)
                .is_some_and(|l| l.trim_end().ends_with('{')) =>
        {
            &text[..at]
        }
        _ => text,
    };
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut i = 0;
    while i < bytes.len() {
        if bytes[i..].starts_with(b"//") {
            while i < bytes.len() && bytes[i] != b'\n' {
                i += 1;
            }
        } else if bytes[i..].starts_with(b"/*") {
            i += 2;
            while i < bytes.len() && !bytes[i..].starts_with(b"*/") {
                i += 1;
            }
            i = (i + 2).min(bytes.len());
        } else if bytes[i] == b'r'
            && (bytes[i..].starts_with(b"r\"") || bytes[i..].starts_with(b"r#"))
            && !out.ends_with(|c: char| c.is_alphanumeric() || c == '_')
        {
            let hashes = bytes[i + 1..].iter().take_while(|b| **b == b'#').count();
            if bytes.get(i + 1 + hashes) == Some(&b'"') {
                let end: String = format!("\"{}", "#".repeat(hashes));
                let from = i + 2 + hashes;
                i = text[from..]
                    .find(&end)
                    .map_or(bytes.len(), |n| from + n + end.len());
                out.push_str("\"\"");
            } else {
                out.push('r');
                i += 1;
            }
        } else if bytes[i] == b'"' {
            i += 1;
            while i < bytes.len() && bytes[i] != b'"' {
                i += if bytes[i] == b'\\' { 2 } else { 1 };
            }
            i += 1;
            out.push_str("\"\"");
        } else if bytes[i..].starts_with(b"'\"'") {
            i += 3;
        } else if bytes[i..].starts_with(b"'\\\"'") {
            i += 4;
        } else {
            let c = text[i..].chars().next().expect("on a character boundary");
            out.push(c);
            i += c.len_utf8();
        }
    }
    out
}

/// The top-level modules that a text names after `crate::`, braces included.
fn imports(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        if code[..at].ends_with('$') {
            continue;
        }
        let rest = &code[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            // The names at depth 1 of the group.
            let (mut depth, mut name, mut taking) = (1usize, String::new(), true);
            for c in group.chars() {
                match c {
                    '{' => {
                        depth += 1;
                        taking = false;
                    }
                    '}' => depth -= 1,
                    ',' if depth == 1 => {
                        found.insert(std::mem::take(&mut name));
                        taking = true;
                    }
                    c if taking && depth == 1 && (c.is_alphanumeric() || c == '_') => name.push(c),
                    ':' if depth == 1 => taking = false,
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
            }
            found.insert(name);
        } else {
            found.insert(
                rest.chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect(),
            );
        }
    }
    found.remove("");
    found
}

#[test]
fn folders_import_only_what_lies_below_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let table: BTreeMap<&str, &[&str]> = MAY_IMPORT.iter().copied().collect();
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for dir in rooms(&src) {
        let folder = dir
            .file_name()
            .and_then(|n| n.to_str())
            .expect("folder name")
            .to_owned();
        let Some(allowed) = table.get(folder.as_str()) else {
            wrong.push(format!(
                "src/{folder}: not in the table of tests/language/layers.rs"
            ));
            continue;
        };
        seen.insert(folder.clone());
        let mut files = Vec::new();
        rust_files(&dir, &mut files);
        for file in files {
            let name = file
                .strip_prefix(&src)
                .unwrap_or(&file)
                .display()
                .to_string();
            if name.ends_with("tests.rs") || name.contains("tests/") || name.contains("tests\\") {
                continue;
            }
            let code = code_only(&fs::read_to_string(&file).expect("source text"));
            for import in imports(&code) {
                if table.contains_key(import.as_str())
                    && import != folder
                    && !allowed.contains(&import.as_str())
                {
                    wrong.push(format!("src/{name}: {folder} may not import {import}"));
                }
            }
            for (word, folders) in ONLY_IN {
                let named = code.match_indices(word).any(|(at, _)| {
                    !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
                });
                if named && !folders.contains(&folder.as_str()) {
                    wrong.push(format!("src/{name}: {folder} may not use {word}"));
                }
            }
        }
    }
    for (folder, _) in MAY_IMPORT {
        if !seen.contains(*folder) {
            wrong.push(format!(
                "src/{folder}: in the table, but there is no such folder"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_table_has_no_cycle() {
    // Folders in an order in which each comes after all it may import.
    let mut placed: BTreeSet<&str> = BTreeSet::new();
    while placed.len() < MAY_IMPORT.len() {
        let next = MAY_IMPORT
            .iter()
            .find(|(f, needs)| !placed.contains(f) && needs.iter().all(|n| placed.contains(n)));
        placed.insert(next.expect("the table of imports has a cycle").0);
    }
}

#[test]
fn imports_are_found() {
    let code = code_only(
        "use crate::{base::{Span, X}, syntax};\n// crate::cli\nlet s = \"crate::session\"; crate::value::f(); use crate::game::Game;",
    );
    let names: Vec<String> = imports(&code).into_iter().collect();
    assert_eq!(names, ["base", "game", "syntax", "value"]);
}
