//! The course (`docs/course`): lessons with exercises come in. A lesson has the length of a lecture, pictures, a claim and a
//! refutation; no term of the glossary stands in it before it is explained; each question has hints and a solution, and the
//! answers of the solutions, which are argued for there, are right in the open file and in the sealed one. A file of mistakes
//! is mended by what the messages say.
//!
//! The listings, the outputs and the pictures are run by `tests/data/readme.rs`.

use crate::program::{Folder, cgdsl, code, err, out, with_input};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn course() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/course")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path)
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
        .replace("\r\n", "\n")
}

/// The names of the lessons in their order, such as `03-nim`.
fn lessons() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(course())
        .expect("the course")
        .map(|e| e.expect("a file").file_name().into_string().expect("text"))
        .filter_map(|n| n.strip_suffix(".md").map(str::to_owned))
        .filter(|n| n.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    names.sort();
    assert!(names.len() >= 3, "{names:?}");
    names
}

/// A lesson without its headings, its listings, its pictures and what stands between backticks.
fn prose(text: &str) -> String {
    let mut inside = false;
    let mut kept = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if !inside && !["#", "<!--", "!["].iter().any(|w| line.starts_with(w)) {
            kept.extend(line.split('`').step_by(2).flat_map(|part| [part, " "]));
            kept.push('\n');
        }
    }
    kept
}

#[test]
fn a_lesson_is_a_lecture_with_pictures_a_claim_and_a_refutation() {
    for name in lessons() {
        let text = read(&course().join(format!("{name}.md")));
        let words = prose(&text)
            .split_whitespace()
            .filter(|w| w.chars().any(char::is_alphanumeric))
            .count();
        assert!((1200..=2500).contains(&words), "{name}: {words} words");
        let pictures: BTreeSet<&str> = text
            .lines()
            .filter(|l| l.starts_with("<!-- $ cgdsl ") && l.ends_with(".svg -->"))
            .collect();
        assert!(pictures.len() >= 4, "{name}: {} pictures", pictures.len());
        for part in ["held     claim", "held     refute", "## What is open"] {
            assert!(text.contains(part), "{name}: {part}");
        }
        assert!(
            text.contains(&format!("](exercises/{name}.rules)")),
            "{name}"
        );
    }
    // No picture is left over.
    let shown: String = lessons()
        .iter()
        .map(|n| read(&course().join(format!("{n}.md"))))
        .collect();
    for entry in std::fs::read_dir(course().join("pictures")).expect("pictures") {
        let name = entry
            .expect("a file")
            .file_name()
            .into_string()
            .expect("text");
        assert!(
            shown.contains(&format!("](pictures/{name})")),
            "{name} is in no lesson"
        );
    }
}

/// Terms that are also everyday words, or words of every page: that they come too early cannot be seen by looking for them.
const EVERYDAY: [&str; 29] = [
    "down",
    "claim",
    "clause",
    "coalition",
    "cold",
    "component",
    "confused",
    "convention",
    "form",
    "hot",
    "instance",
    "mean",
    "move",
    "number",
    "option",
    "period",
    "position",
    "queer",
    "ruleset",
    "star",
    "stop",
    "up",
    "value",
    "tiny",
    "switch",
    "mast",
    "scaffold",
    "wall",
    "order",
];

/// The terms of the glossary.
fn terms() -> BTreeSet<String> {
    read(&course().with_file_name("glossary.md"))
        .lines()
        .filter_map(|l| l.strip_prefix("## ").map(str::to_owned))
        .collect()
}

/// The lesson that explains a term, as the glossary says; nothing for a term that goes beyond the course.
fn lesson_of(term: &str) -> Option<usize> {
    let text = read(&course().with_file_name("glossary.md"));
    let entry = text
        .split("\n## ")
        .find(|e| e.starts_with(&format!("{term}\n")));
    let last = entry
        .expect("a term")
        .trim()
        .rsplit("\n\n")
        .next()
        .expect("a line");
    let number = |rest: &str| rest.split('.').next().and_then(|n| n.parse().ok());
    match last.strip_prefix("Lesson ") {
        Some(rest) => Some(number(rest).expect("a lesson")),
        None => {
            let beyond = last.strip_prefix("Beyond lesson ").and_then(number);
            assert!(beyond.is_some(), "{term}: {last}");
            None
        }
    }
}

#[test]
fn each_term_has_a_lesson_a_source_and_an_example_that_is_right() {
    assert!((120..=160).contains(&terms().len()), "{}", terms().len());
    let text = read(&course().with_file_name("glossary.md"));
    for entry in text.split("\n## ").skip(1) {
        let (name, rest) = entry.split_once('\n').expect("a term");
        let words: Vec<&str> = rest.trim().split("\n\n").collect();
        let [definition, last] = words[..] else {
            panic!("{name}: a definition and a last line");
        };
        assert!(definition.split_whitespace().count() >= 4, "{name}");
        let (head, example) = last
            .split_once(" With ")
            .unwrap_or_else(|| panic!("{name}: {last}"));
        let (_, source) = head
            .split_once(". ")
            .unwrap_or_else(|| panic!("{name}: {head}"));
        assert!(source.len() > 3, "{name}: {source}");
        let (file, example) = example.split_once(": `").expect("a file");
        let (expression, value) = example.split_once("` is `").expect("an example");
        let value = value.strip_suffix("`.").expect("a value");
        let world = cgdsl::session::Disk;
        let mut session = cgdsl::session::Session::new(&world, Default::default());
        let mut loaded = session.load(file);
        let query = session.expression(&mut loaded, expression);
        loaded.queries = vec![query.unwrap_or_else(|d| panic!("{name}: {d:?}"))];
        let items = session.evaluate(&loaded, |_, _| {});
        match items.first().map(|i| &i.answer) {
            Some(cgdsl::session::Answer::Value(v)) => assert_eq!(v.value, value, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
    // A term is found where it stands in a comment, in the plural too, and the longer one of two.
    let at = |text: &str, byte| cgdsl::session::reference::term_at(text, byte).map(|(_, e)| e.name);
    assert_eq!(at("// the nim-sums of heaps", 8), Some("nim-sum"));
    assert_eq!(at("/// a canonical form", 16), Some("canonical form"));
    assert_eq!(at("x\n// Left option", 8), Some("left option"));
    assert_eq!(at("// warmth", 5), None);
    // The terminal prints the same.
    let o = cgdsl(&["explain", "loony"]);
    assert!(out(&o).contains("Lesson 18."), "{}", out(&o));
    assert!(out(&o).contains("$ cgdsl eval nimstring"), "{}", out(&o));
}

/// A term may stand in the plural.
fn singular<'a>(word: &'a str, terms: &BTreeSet<String>) -> Option<&'a str> {
    [Some(word), word.strip_suffix('s'), word.strip_suffix("es")]
        .into_iter()
        .flatten()
        .find(|w| terms.contains(*w))
}

/// Where a term stands as words of their own, singular or plural.
fn first(text: &str, term: &str) -> Option<usize> {
    let boundary = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '-');
    text.match_indices(term).map(|(at, _)| at).find(|at| {
        let rest = &text[at + term.len()..];
        let rest = rest.strip_prefix('s').unwrap_or(rest);
        boundary(text[..*at].chars().next_back()) && boundary(rest.chars().next())
    })
}

#[test]
fn no_term_is_used_before_it_is_explained() {
    let terms = terms();
    // What is in bold is explained there, and stands in the glossary.
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut complaints = Vec::new();
    for name in lessons() {
        let mut text = prose(&read(&course().join(format!("{name}.md"))));
        for part in ["solutions", "levels"] {
            for line in read(&course().join(format!("{part}/{name}.rules"))).lines() {
                let line = line.trim();
                let said = ["ask ", "hint ", "// "].iter().any(|w| line.starts_with(w));
                let head = line.starts_with("// Lesson ");
                if said && !head {
                    let words: Vec<&str> = line.split('`').step_by(2).collect();
                    text.push_str(&(words.join(" ") + "\n"));
                }
            }
        }
        let words = text.replace('\n', " ");
        let mut explained: Vec<(usize, String)> = Vec::new();
        let mut at = 0;
        for (i, part) in words.split("**").enumerate() {
            if i % 2 == 1 && !part.starts_with(|c: char| c.is_ascii_digit()) {
                match singular(part, &terms) {
                    Some(term) => explained.push((at, term.to_owned())),
                    None => complaints.push(format!("{name}: {part} is not in the glossary")),
                }
            }
            at += part.len() + 2;
        }
        let lower = words.to_lowercase();
        let number: usize = name[..2].parse().expect("a number");
        for term in &terms {
            if EVERYDAY.contains(&term.as_str()) || known.contains(term) {
                continue;
            }
            // A term that is explained without being set in bold may be used from its lesson on.
            let in_bold = explained.iter().any(|e| e.1 == *term);
            if !in_bold && lesson_of(term).is_some_and(|lesson| lesson <= number) {
                continue;
            }
            let here = explained.iter().find(|e| e.1 == *term).map(|e| e.0);
            if let Some(used) = first(&lower, &term.to_lowercase())
                && here.is_none_or(|at| used < at)
            {
                let end = (used..words.len())
                    .filter(|i| words.is_char_boundary(*i))
                    .nth(60)
                    .unwrap_or(words.len());
                complaints.push(format!("{name}: {term} in \"{}\"", &words[used..end]));
            }
        }
        known.extend(explained.into_iter().map(|e| e.1));
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The questions of a file: text, and number of hints.
fn questions(text: &str) -> Vec<(String, usize)> {
    let mut found: Vec<(String, usize)> = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("ask ") {
            found.push((rest.trim().trim_matches('"').to_owned(), 0));
        } else if line.trim_start().starts_with("hint ") {
            found.last_mut().expect("a question").1 += 1;
        }
    }
    found
}

/// The answers of a page of solutions: `**3.** ` and the answer between backticks, then the argument for it.
fn solutions(text: &str, name: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines().filter(|l| l.starts_with("**")) {
        let number = format!("**{}.** `", found.len() + 1);
        let rest = line
            .strip_prefix(&number)
            .unwrap_or_else(|| panic!("{name}: {line} is not {number}"));
        let (answer, argument) = rest.split_once('`').expect("an answer");
        assert!(argument.split_whitespace().count() >= 5, "{name}: {line}");
        found.push(answer.to_owned());
    }
    found
}

#[test]
fn each_question_has_a_grade_hints_and_a_solution_that_is_right() {
    for name in lessons() {
        let open = course().join(format!("solutions/{name}.rules"));
        let sealed = course().join(format!("exercises/{name}.rules"));
        let asked = questions(&read(&open));
        assert!((8..=15).contains(&asked.len()), "{name}: {}", asked.len());
        for grade in ["Try. ", "Prove. ", "Explore. "] {
            assert!(
                asked.iter().any(|q| q.0.starts_with(grade)),
                "{name}: {grade}"
            );
        }
        for (text, hints) in &asked {
            let (grade, _) = text.split_once(". ").unwrap_or_default();
            let least = match grade {
                "Try" => 1,
                "Prove" | "Explore" => 2,
                _ => panic!("{name}: no grade: {text}"),
            };
            assert!(*hints >= least, "{name}: {hints} hints: {text}");
        }
        let answers = solutions(&read(&open.with_extension("md")), &name);
        assert_eq!(answers.len(), asked.len(), "{name}");
        let of = asked.len();
        let typed = answers.join("\n") + "\n";
        for file in [&open, &sealed] {
            let file = file.display().to_string();
            let o = with_input(&["quiz", &file], typed.as_bytes());
            assert_eq!(code(&o), 0, "{file}: {}{}", out(&o), err(&o));
            let all = format!("{of} of {of} right, at the first attempt.");
            assert!(out(&o).contains(&all), "{file}: {}", out(&o));
            let o = cgdsl(&["fmt", "--check", &file]);
            assert_eq!(code(&o), 0, "{}", out(&o));
        }
        // What students get is the open file with its answers sealed.
        let o = cgdsl(&["seal", &open.display().to_string()]);
        assert_eq!(code(&o), 0, "{}", err(&o));
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&sealed, out(&o)).expect("written");
        }
        assert_eq!(out(&o), read(&sealed), "{name}: seal it again");
    }
}

#[test]
fn the_file_of_mistakes_is_mended_by_its_messages() {
    let dir = Folder::new("mistakes");
    let text = std::fs::read_to_string(course().join("exercises/mistakes.rules")).expect("a file");
    let mut text = text.replace("\r\n", "\n");
    let file = dir.file("mistakes.rules", &text);
    let mut rounds = 0;
    loop {
        let o = cgdsl(&["check", &file]);
        if code(&o) == 0 {
            break;
        }
        // Each message shows the word at fault in its line, and the one that is meant.
        let said = err(&o);
        let mut mended = false;
        for message in said.split("[E").skip(1) {
            let Some(meant) = message
                .split("did you mean `")
                .nth(1)
                .and_then(|m| m.split('`').next())
            else {
                continue;
            };
            let place = message.split("-[ ").nth(1).expect("a place");
            let mut numbers = place
                .split(" ]")
                .next()
                .expect("a place")
                .rsplit(':')
                .map(|n| n.parse::<usize>().expect("a number"));
            let (column, line) = (
                numbers.next().expect("a column"),
                numbers.next().expect("a line"),
            );
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let (before, after) = lines[line - 1].split_at(column - 1);
            let rest = after.trim_start_matches(char::is_alphanumeric);
            lines[line - 1] = format!("{before}{meant}{rest}");
            text = lines.join("\n") + "\n";
            mended = true;
            break;
        }
        assert!(mended, "{said}");
        rounds += 1;
        assert!(rounds <= 3, "{said}");
        std::fs::write(&file, &text).expect("written");
    }
    assert_eq!(rounds, 3);
    // Winning Ways, ch. 5: {2|-1/2}.
    let o = with_input(&["quiz", &file], b"{2|-1/2}\n");
    assert_eq!(code(&o), 0, "{}", out(&o));
}
