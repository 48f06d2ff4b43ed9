//! The grammar and its scanner come in; the parser is generated and compiled, and the shipped rulesets and the corpus are parsed.
//!
//! `check` holds what is generated against `src/`; `check --write` writes it there.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use tree_sitter::{Language, Parser, Query};
use tree_sitter_generate::{OptLevel, generate_parser_in_directory};
use tree_sitter_language::LanguageFn;

/// What editors from 2022 on read.
const VERSION: usize = 14;

fn main() -> Result<(), Box<dyn Error>> {
    let grammar = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .ok_or("no folder")?
        .to_path_buf();
    let made = std::env::temp_dir().join(format!("cgdsl-tree-sitter-{}", std::process::id()));
    fs::create_dir_all(&made)?;
    generate_parser_in_directory(
        grammar.clone(),
        Some(made.clone()),
        Some(grammar.join("grammar.js")),
        VERSION,
        None,
        Some("node"),
        true,
        OptLevel::default(),
    )?;
    let source = grammar.join("src");
    let parts = [
        "parser.c",
        "grammar.json",
        "node-types.json",
        "tree_sitter/parser.h",
    ];
    if std::env::args().any(|a| a == "--write") {
        fs::create_dir_all(source.join("tree_sitter"))?;
        for part in parts {
            fs::copy(made.join(part), source.join(part))?;
        }
    }
    for part in parts {
        if fs::read(made.join(part))? != fs::read(source.join(part))? {
            return Err(
                format!("src/{part} is not what grammar.js makes: run with --write").into(),
            );
        }
    }
    let library = made.join("cgdsl.so");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let done = Command::new(compiler)
        .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-I"])
        .arg(&source)
        .args([source.join("parser.c"), source.join("scanner.c")])
        .arg("-o")
        .arg(&library)
        .status()?;
    if !done.success() {
        return Err("the parser does not compile".into());
    }
    let library = unsafe { libloading::Library::new(&library)? };
    let entry =
        unsafe { *library.get::<unsafe extern "C" fn() -> *const ()>(b"tree_sitter_cgdsl")? };
    let language = Language::new(unsafe { LanguageFn::from_raw(entry) });
    Query::new(
        &language,
        &fs::read_to_string(grammar.join("queries/highlights.scm"))?,
    )?;
    let mut parser = Parser::new();
    parser.set_language(&language)?;
    let mut wrong = 0;

    let mut files = Vec::new();
    collect(&grammar.join("../../rulesets"), &mut files)?;
    files.sort();
    for file in &files {
        let text = fs::read_to_string(file)?;
        let tree = parser.parse(&text, None).ok_or("no tree")?;
        let root = tree.root_node();
        // Each word of an item in column 1 begins one, and nothing else does.
        let words = [
            "ruleset", "use", "let", "position", "eval", "assert", "claim", "refute", "table",
            "search", "slow", "language", "ask", "expect", "seal",
        ];
        let first = |l: &str| {
            l.split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
                .unwrap_or("")
                .to_owned()
        };
        let expected = text
            .lines()
            .filter(|l| words.contains(&first(l).as_str()))
            .count();
        let mut cursor = root.walk();
        let items = root
            .named_children(&mut cursor)
            .filter(|n| ["ruleset", "definition", "use", "query"].contains(&n.kind()))
            .count();
        if root.has_error() || root.to_sexp().contains("(unclosed)") || items != expected {
            wrong += 1;
            println!(
                "{}: {items} items of {expected}\n{}",
                file.display(),
                root.to_sexp()
            );
        }
    }

    let mut cases = 0;
    for entry in fs::read_dir(grammar.join("test/corpus"))? {
        let text = fs::read_to_string(entry?.path())?;
        let mut parts = text.split("==================\n").skip(1);
        while let (Some(name), Some(body)) = (parts.next(), parts.next()) {
            let (code, tree) = body.split_once("\n---\n").ok_or("a case without ---")?;
            let code = code.strip_prefix('\n').unwrap_or(code);
            let found = parser
                .parse(code, None)
                .ok_or("no tree")?
                .root_node()
                .to_sexp();
            let plain = |s: &str| {
                s.replace('(', " (")
                    .replace(')', " ) ")
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ")
            };
            cases += 1;
            if plain(&found) != plain(tree) {
                wrong += 1;
                println!(
                    "{}: expected\n{}\nfound\n{}",
                    name.trim(),
                    plain(tree),
                    plain(&found)
                );
            }
        }
    }
    // One long line within an item: a scanner that asks for the column at each token takes a minute here.
    let start = Instant::now();
    let long = format!("eval {}", "f(".repeat(50_000));
    let tree = parser.parse(&long, None).ok_or("no tree")?;
    if tree.root_node().named_child_count() != 1 || start.elapsed().as_secs() > 20 {
        wrong += 1;
        println!("a long line takes {:?}", start.elapsed());
    }
    fs::remove_dir_all(&made)?;
    if wrong > 0 || files.len() < 150 || cases == 0 {
        return Err(format!(
            "tree-sitter: {wrong} of {} files and {cases} cases differ",
            files.len()
        )
        .into());
    }
    println!(
        "tree-sitter: {} files parse without an error, {cases} cases agree",
        files.len()
    );
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "rules") {
            files.push(path);
        }
    }
    Ok(())
}
