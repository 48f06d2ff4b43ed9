//! `cgdsl quiz FILE --mark DIR`: marks a folder of students' answers to the questions of a file, one answer on each line.
//! Output: a table of the class, and why each wrong answer is wrong. The files of students may be anything: one that is not
//! text, is too long, or is not a regular file is reported with that reason, and an evaluation that takes too long is
//! stopped.

use super::args::AnswerFormat;
use super::guard::Bounded;
use super::run::Run;
use crate::base::visible::visible;
use crate::diagnostic::plain;
use crate::report::Document;
use crate::session::quiz::{Mark, Question};
use crate::session::{Disk, Loaded, Session, read_regular};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time for one answer, and the memory.
const EACH: Duration = Duration::from_secs(5);
const MEMORY: usize = 512 << 20;
/// The longest file of answers, and the longest answer, in bytes.
const LONGEST: u64 = 1 << 20;
const LINE: usize = 4096;

/// What `quiz --mark --json` says.
#[derive(Serialize)]
struct Class {
    file: String,
    questions: Vec<Task>,
    students: Vec<Student>,
    of: usize,
}

#[derive(Serialize)]
struct Task {
    question: String,
    line: usize,
}

#[derive(Serialize)]
struct Student {
    name: String,
    /// Why the file could not be marked.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    answers: Vec<Marked>,
    right: usize,
}

/// An answer with its mark.
#[derive(Serialize)]
struct Marked {
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    /// `right`, `wrong`, `unread`, `missing`, `unknown`
    mark: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    why: String,
}

/// The signs of marks.
const SIGNS: [(&str, &str); 5] = [
    ("right", "+"),
    ("wrong", "-"),
    ("unread", "?"),
    ("missing", "."),
    ("unknown", "~"),
];

fn sign(mark: &str) -> &'static str {
    SIGNS.iter().find(|s| s.0 == mark).map_or("", |s| s.1)
}

/// The files of a folder, by name, without hidden files and folders.
fn files(folder: &str) -> Result<Vec<PathBuf>, String> {
    let told = |e: std::io::Error| format!("{folder}: {e}");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(told)? {
        let path = entry.map_err(told)?.path();
        let hidden = path
            .file_name()
            .is_none_or(|n| n.to_string_lossy().starts_with('.'));
        if !hidden && !path.is_dir() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// The answers in a file: its non-empty lines.
fn answers(path: &Path) -> Result<Vec<String>, String> {
    let bytes = read_regular(path, LONGEST).map_err(|why| why.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines = text.lines().map(str::trim).filter(|l| !l.is_empty());
    Ok(lines.map(str::to_owned).collect())
}

impl Run<'_> {
    /// `cgdsl quiz FILE --mark DIR`
    pub fn mark_class(&mut self, file: &str, folder: &str, format: AnswerFormat) -> u8 {
        self.output.speak(format);
        if matches!(format, AnswerFormat::Latex | AnswerFormat::Typst) {
            self.output
                .error("the table of a class is written as text, markdown, csv or json");
            return 2;
        }
        let found = match files(folder) {
            Ok(found) => found,
            Err(why) => {
                self.output.error(&why);
                return 2;
            }
        };
        let world = Disk;
        let mut session = Session::new(&world, self.settings(false));
        let (mut loaded, mut said) = self.load(&mut session, file);
        let mut questions = Vec::new();
        let mut broken = loaded.broken > 0;
        for question in session.questions(&mut loaded) {
            match question {
                Ok(question) => questions.push(question),
                Err((d, _)) => {
                    broken = true;
                    self.complain(&session, std::slice::from_ref(&d));
                    said.push(plain(&d, session.sources()));
                }
            }
        }
        if broken || questions.is_empty() {
            if !broken {
                self.output.error(&format!("`{file}` asks nothing"));
            }
            return self.failed("cgdsl/error/1", said);
        }
        let mut students = Vec::new();
        for path in &found {
            if self.cancel.is_cancelled() {
                break;
            }
            students.push(self.student(file, path, &questions));
        }
        let of = questions.len();
        let unknown = |s: &Student| s.answers.iter().any(|a| a.mark == "unknown");
        let unknown = students.iter().any(unknown) || students.len() < found.len();
        let all = students.iter().all(|s| s.right == of);
        let class = Class {
            file: file.to_owned(),
            questions: questions
                .iter()
                .map(|q| Task {
                    question: q.text.clone(),
                    line: q.line,
                })
                .collect(),
            students,
            of,
        };
        if self.output.json {
            self.output
                .document(&Document::new("cgdsl/marks/1", class, said));
        } else {
            let text = match format {
                AnswerFormat::Csv => csv(&class),
                AnswerFormat::Markdown => markdown(&class),
                _ => text(&class),
            };
            self.output.text(&text);
        }
        match (all, unknown) {
            (_, true) => 3,
            (true, _) => 0,
            _ => 1,
        }
    }

    /// Marks the answers of one student.
    fn student(&self, file: &str, path: &Path, questions: &[Question]) -> Student {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut student = Student {
            name: name.into_owned(),
            problem: None,
            answers: Vec::new(),
            right: 0,
        };
        let lines = match answers(path) {
            Ok(lines) => lines,
            Err(why) => {
                student.problem = Some(why);
                return student;
            }
        };
        let world = Disk;
        // A session, which is kept until an answer is stopped.
        let mut kept: Option<(Session<'_>, Loaded)> = None;
        let lines = lines.into_iter().map(Some).chain(std::iter::repeat(None));
        for (question, line) in questions.iter().zip(lines) {
            let Some(line) = line.filter(|l| l != "skip") else {
                student.answers.push(Marked {
                    answer: None,
                    mark: "missing",
                    why: String::new(),
                });
                continue;
            };
            let (mark, why) = if line.len() > LINE {
                ("unread", format!("It is longer than {LINE} bytes."))
            } else {
                let memory = self.common.memory.min(MEMORY);
                let bounded = Bounded::new(&self.cancel, EACH, memory);
                let (session, loaded) = kept.get_or_insert_with(|| {
                    let mut settings = self.settings(false);
                    settings.limits.memory = memory;
                    let mut session = Session::new(&world, settings);
                    let loaded = session.load(file);
                    (session, loaded)
                });
                session.set_cancel(bounded.cancel.clone());
                let marked = match session.mark(loaded, question, &line) {
                    Mark::Right => ("right", String::new()),
                    Mark::None(why) => ("unread", why),
                    Mark::Wrong => (
                        "wrong",
                        session
                            .objection(loaded, question, &line)
                            .unwrap_or_default(),
                    ),
                };
                match bounded.cancel.is_cancelled() && marked.0 != "right" {
                    true => {
                        kept = None;
                        let why = "It was not evaluated within five seconds.";
                        ("unknown", why.to_owned())
                    }
                    false => marked,
                }
            };
            student.right += usize::from(mark == "right");
            let answer: String = line.chars().take(200).collect();
            student.answers.push(Marked {
                answer: Some(answer),
                mark,
                why,
            });
        }
        student
    }
}

/// Marks in a row, for example `+-+.`; empty where the file could not be marked.
fn signs(student: &Student, of: usize, between: &str) -> String {
    let all = (0..of).map(|i| student.answers.get(i).map_or("", |a| sign(a.mark)));
    all.collect::<Vec<&str>>().join(between)
}

/// The remarks on students' answers, one a line.
fn remarks(class: &Class) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for s in &class.students {
        if let Some(problem) = &s.problem {
            all.push((s.name.clone(), format!("not marked: {problem}")));
        }
        for (i, a) in s.answers.iter().enumerate() {
            if let Some(answer) = &a.answer
                && a.mark != "right"
            {
                let why = if a.why.is_empty() { a.mark } else { &a.why };
                all.push((
                    s.name.clone(),
                    format!("{}: `{}`: {why}", i + 1, visible(answer)),
                ));
            }
        }
    }
    all
}

fn text(class: &Class) -> String {
    let width = class.students.iter().map(|s| s.name.chars().count()).max();
    let width = width.unwrap_or(0).clamp(7, 40);
    let mut out = String::new();
    for (i, q) in class.questions.iter().enumerate() {
        let _ = writeln!(out, "{:3}  {}", i + 1, q.question);
    }
    out.push('\n');
    for s in &class.students {
        let name: String = visible(&s.name).chars().take(width).collect();
        let gap = " ".repeat(width - name.chars().count());
        let marks = match s.problem {
            Some(_) => " ".repeat(class.of),
            None => signs(s, class.of, ""),
        };
        let _ = writeln!(out, "{name}{gap}  {marks}  {} of {}", s.right, class.of);
    }
    let _ = writeln!(
        out,
        "\n+ right, - wrong, ? no answer to the question, . missing, ~ not known within the limits"
    );
    let remarks = remarks(class);
    if !remarks.is_empty() {
        out.push('\n');
    }
    for (name, remark) in remarks {
        let _ = writeln!(out, "{}: {remark}", visible(&name));
    }
    out
}

fn markdown(class: &Class) -> String {
    // Escaped, so that a name or an answer does not change the table.
    let plain = |text: &str| {
        let mut out = String::new();
        for c in visible(text).chars() {
            if "\\|`*_<>[]".contains(c) {
                out.push('\\');
            }
            out.push(if c == '\n' { ' ' } else { c });
        }
        out
    };
    let mut out = String::from("| name |");
    for i in 1..=class.of {
        let _ = write!(out, " {i} |");
    }
    out.push_str(" right |\n|---|");
    out.push_str(&"---|".repeat(class.of + 1));
    out.push('\n');
    for s in &class.students {
        let marks = signs(s, class.of, " | ");
        let _ = writeln!(out, "| {} | {marks} | {} |", plain(&s.name), s.right);
    }
    let remarks = remarks(class);
    if !remarks.is_empty() {
        out.push('\n');
    }
    for (name, remark) in remarks {
        let _ = writeln!(out, "- {}: {}", plain(&name), plain(&remark));
    }
    out
}

/// A CSV field. A text that a spreadsheet would take for a formula is prefixed with a quote (OWASP, "CSV injection").
fn field(text: &str) -> String {
    let text = visible(text).replace('"', "\"\"");
    let formula = text.starts_with(['=', '+', '-', '@']) && text.len() > 1;
    let text = if formula { format!("'{text}") } else { text };
    match text.contains([',', '"', '\n', '\r']) || formula {
        true => format!("\"{text}\""),
        false => text,
    }
}

fn csv(class: &Class) -> String {
    let mut out = String::from("name");
    for i in 1..=class.of {
        let _ = write!(out, ",{i}");
    }
    out.push_str(",right,of,remarks\n");
    let remarks = remarks(class);
    for s in &class.students {
        let marks = (0..class.of).map(|i| match s.answers.get(i) {
            Some(a) if a.mark == "right" => "1",
            Some(a) if a.mark == "unknown" => "",
            _ => "0",
        });
        let marks: Vec<&str> = marks.collect();
        let own = remarks.iter().filter(|r| r.0 == s.name);
        let own: Vec<&str> = own.map(|r| r.1.as_str()).collect();
        let _ = writeln!(
            out,
            "{},{},{},{},{}",
            field(&s.name),
            marks.join(","),
            s.right,
            class.of,
            field(&own.join("; "))
        );
    }
    out
}
