//! Every command that the README and the documents show is run, and its output compared with what they show.
//!
//! A block of the form
//!
//! ````text
//! ```console
//! $ cgdsl value '{1|-1}'
//! +-1
//! ..
//! ```
//! ````
//!
//! is run line by line; `..` or `...` alone on a line stands for any lines. A block marked `rules` and followed on its first
//! line by `// name.rules` is a file for the commands after it.
//!
//! A line `<!-- $ cgdsl draw .. -o name.svg -->`, which readers do not see, makes a picture: the line below it shows
//! `pictures/name.svg`, which must be that picture. `UPDATE_DOCS=1` writes it anew.

use libtest_mimic::{Failed, Trial};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

struct Block {
    language: String,
    text: String,
    line: usize,
}

fn blocks(text: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    let mut fence = String::new();
    for (i, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        let command = line
            .strip_prefix("<!-- $ ")
            .and_then(|l| l.strip_suffix(" -->"));
        if let (None, Some(command)) = (&open, command) {
            found.push(Block {
                language: "picture".to_owned(),
                text: format!("{command}\n{}", text.lines().nth(i + 1).unwrap_or_default()),
                line: i + 1,
            });
            continue;
        }
        match &mut open {
            None if trimmed.starts_with("```") => {
                fence = trimmed.chars().take_while(|c| *c == '`').collect();
                open = Some(Block {
                    language: trimmed[fence.len()..].trim().to_owned(),
                    text: String::new(),
                    line: i + 1,
                });
            }
            None => {}
            Some(_) if trimmed.trim_end() == fence => found.extend(open.take()),
            Some(block) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
        }
    }
    found
}

/// Words of a command line as a shell would split them; quotes only.
fn words(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    if quote.is_some() {
        return Err(format!("a quote is not closed: {line}"));
    }
    Ok(words)
}

/// Whether the lines found are those shown, `..` standing for any.
fn fits(shown: &[&str], found: &[&str]) -> bool {
    match shown {
        [] => found.is_empty(),
        [first, rest @ ..] if matches!(first.trim(), ".." | "...") => {
            (0..=found.len()).any(|n| fits(rest, &found[n..]))
        }
        [first, rest @ ..] => found
            .split_first()
            .is_some_and(|(f, more)| f.trim_end() == first.trim_end() && fits(rest, more)),
    }
}

fn run(command: &str, shown: &str, dir: &Path) -> Result<(), Failed> {
    let mut all = words(command)?;
    let mut expected = 0;
    // `; echo $?` at the end shows the exit code.
    let mut shown: Vec<&str> = shown.lines().collect();
    if all.len() >= 2 && all[all.len() - 2..] == ["echo".to_owned(), "$?".to_owned()] {
        all.truncate(all.len() - 2);
        if let Some(last) = all.last_mut() {
            *last = last.trim_end_matches(';').to_owned();
        }
        all.retain(|w| !w.is_empty());
        let code = shown.pop().unwrap_or_default();
        expected = code
            .trim()
            .parse()
            .map_err(|_| format!("no exit code: {code}"))?;
    }
    // `printf '..' | cgdsl ..`: what is typed.
    let mut typed = None;
    if let [printf, text, pipe, ..] = &all[..]
        && printf == "printf"
        && pipe == "|"
    {
        typed = Some(text.replace("\\n", "\n"));
        all.drain(..3);
    }
    // From a fresh clone, the program is run by cargo.
    let cargo = ["cargo", "run", "--release", "--"];
    let args = match &all[..] {
        [first, args @ ..] if first == "cgdsl" => args,
        all if all.len() > 4 && all[..4].iter().zip(cargo).all(|(a, b)| a == b) => &all[4..],
        _ => return Ok(()),
    };
    let mut child = Command::new(env!("CARGO_BIN_EXE_cgdsl"))
        .args(args)
        .current_dir(dir)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| e.to_string())?;
    if let Some(mut input) = child.stdin.take() {
        // The program may end before it has read everything.
        let _ = input.write_all(typed.unwrap_or_default().as_bytes());
    }
    let output = child.wait_with_output().map_err(|e| e.to_string())?;
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
    .replace("\r\n", "\n");
    if output.status.code() != Some(expected) {
        return Err(format!(
            "exit code {:?}, not {expected}\n{text}",
            output.status.code()
        )
        .into());
    }
    while shown.last().is_some_and(|l| l.trim().is_empty()) {
        shown.pop();
    }
    let found: Vec<&str> = text.trim_end().lines().collect();
    if fits(&shown, &found) {
        Ok(())
    } else {
        Err(format!("it prints\n{text}\nnot\n{}", shown.join("\n")).into())
    }
}

/// Makes a picture and compares it with the one that the page shows.
fn picture(block: &Block, page: &Path, dir: &Path) -> Result<(), Failed> {
    let (command, below) = block.text.split_once('\n').unwrap_or_default();
    let name = command.rsplit(' ').next().unwrap_or_default();
    let shown = format!("](pictures/{name})");
    if !below.starts_with("![") || !below.contains(&shown) {
        return Err(format!("the line below does not show pictures/{name}").into());
    }
    // `value --born` prints the games, too.
    run(command, "..", dir)?;
    let made = std::fs::read_to_string(dir.join(name)).map_err(|e| e.to_string())?;
    let kept = page.with_file_name("pictures").join(name);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(kept, made).map_err(|e| e.to_string())?;
        return Ok(());
    }
    let known = std::fs::read_to_string(&kept).unwrap_or_default();
    match known.replace("\r\n", "\n") == made {
        true => Ok(()),
        false => Err(format!(
            "{name} is not as the program draws it; UPDATE_DOCS=1 cargo test --test data readme"
        )
        .into()),
    }
}

fn check(file: &Path, root: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(file)
        .map_err(|e| e.to_string())?
        .replace("\r\n", "\n");
    // Files that the document shows live in a folder of their own, beside a link to nothing: paths such as
    // `rulesets/..` are taken from the root.
    let dir = std::env::temp_dir().join(format!(
        "cgdsl-docs-{}-{}",
        std::process::id(),
        // Of its own: several documents are called README.md.
        file.display()
            .to_string()
            .replace(|c: char| !c.is_ascii_alphanumeric(), "-")
    ));
    std::fs::create_dir_all(&dir).map_err(|e| e.to_string())?;
    let mut complaints = Vec::new();
    for block in blocks(&text) {
        if block.language == "picture" {
            if let Err(e) = picture(&block, file, &dir) {
                let place = format!("{}:{}", file.display(), block.line);
                complaints.push(format!("{place}: {}", e.message().unwrap_or_default()));
            }
            continue;
        }
        if block.language.starts_with("rules")
            && let Some(name) = block
                .text
                .lines()
                .next()
                .and_then(|l| l.strip_prefix("// "))
            && name.ends_with(".rules")
            && !name.contains(['/', '\\'])
        {
            std::fs::write(dir.join(name.trim()), &block.text).map_err(|e| e.to_string())?;
        }
        if !block.language.starts_with("console") {
            continue;
        }
        let mut rest = block.text.as_str();
        while let Some(start) = rest.strip_prefix("$ ") {
            let (command, after) = start.split_once('\n').unwrap_or((start, ""));
            let end = if after.starts_with("$ ") {
                0
            } else {
                after.find("\n$ ").map_or(after.len(), |n| n + 1)
            };
            let place = if command.contains("rulesets/") {
                root
            } else {
                &dir
            };
            if let Err(e) = run(command, &after[..end], place) {
                complaints.push(format!(
                    "{}:{}: $ {command}\n{}",
                    file.display(),
                    block.line,
                    e.message().unwrap_or_default()
                ));
            }
            rest = &after[end..];
        }
    }
    let _ = std::fs::remove_dir_all(&dir);
    if complaints.is_empty() {
        Ok(())
    } else {
        Err(complaints.join("\n").into())
    }
}

fn documents(dir: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            documents(&path, found);
        } else if path.extension().is_some_and(|e| e == "md") {
            found.push(path);
        }
    }
}

/// A test for each document.
pub fn trials() -> Vec<Trial> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("README.md")];
    documents(&root.join("docs"), &mut files);
    files.sort();
    files
        .into_iter()
        .map(|file| {
            let name = file.strip_prefix(&root).unwrap_or(&file).display();
            let root = root.clone();
            Trial::test(format!("readme: {name}"), move || check(&file, &root))
        })
        .collect()
}
