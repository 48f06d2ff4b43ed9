//! `cgdsl quiz`: asks the questions of a file one by one, and marks answers line by line. `cgdsl seal`: writes a file with
//! its answers sealed.

use super::lines::{Lines, Typed};
use super::run::Run;
use crate::diagnostic::plain;
use crate::report::paper::Format;
use crate::report::sheet::{Exercise, latex};
use crate::report::{Document, hints};
use crate::session::figure::figure;
use crate::session::quiz::{Mark, Question};
use crate::session::{Disk, Loaded, Session};
use serde::Serialize;

const HELP: &str = "\
  an answer  is compared by value, not by spelling
  hint       the next hint
  show       give up and see the answer
  skip       pass over the question
  back       go back to the question before
  quit       end
";

/// The content of `quiz --json`.
#[derive(Serialize)]
struct Quiz {
    file: String,
    questions: Vec<Asked>,
    right: usize,
    of: usize,
}

/// How a question was answered.
#[derive(Serialize)]
struct Asked {
    question: String,
    line: usize,
    kind: &'static str,
    right: bool,
    /// The number of answers that were compared.
    attempts: usize,
    hints: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    answers: Vec<String>,
}

impl Asked {
    fn new(question: &Question) -> Asked {
        Asked {
            question: question.text.clone(),
            line: question.line,
            kind: question.kind.word(),
            right: false,
            attempts: 0,
            hints: 0,
            answers: Vec::new(),
        }
    }
}

/// How a question ended.
enum Ended {
    Next,
    Back,
    Quit,
}

impl Run<'_> {
    /// `cgdsl quiz`
    pub fn quiz(&mut self, file: &str, once: bool) -> u8 {
        if file == "-" {
            self.output
                .error("the standard input is for the answers: name a file");
            return 2;
        }
        let world = Disk;
        let mut session = Session::new(&world, self.settings(false));
        let (mut loaded, mut said) = self.load(&mut session, file);
        let broken = loaded.broken > 0;
        let (mut unknown, mut wrong_file) = (false, broken);
        let mut questions = Vec::new();
        for found in session.questions(&mut loaded) {
            match found {
                Ok(question) => questions.push(question),
                Err((d, limit)) => {
                    unknown |= limit;
                    wrong_file |= !limit;
                    self.complain(&session, std::slice::from_ref(&d));
                    said.push(plain(&d, session.sources()));
                }
            }
        }
        if questions.is_empty() && !wrong_file && !unknown {
            self.output.error(&format!(
                "`{file}` asks nothing: write  ask \"What is it worth?\" expect value(G)"
            ));
            return self.failed("cgdsl/error/1", said);
        }
        let of = questions.len();
        if of > 0 {
            let many = if of == 1 {
                "1 question".to_owned()
            } else {
                format!("{of} questions")
            };
            let help = if once {
                "one answer each"
            } else {
                "`hint` helps, `show` gives up, `help` says more"
            };
            self.say(&format!("{many}; {help}."));
        }
        let mut lines = Lines::new(self.output.json, self.cancel.clone());
        let mut asked: Vec<Asked> = Vec::new();
        let mut i = 0;
        while let Some(question) = questions.get(i) {
            let head = match of {
                1 => question.text.clone(),
                _ => format!("{} of {of}: {}", i + 1, question.text),
            };
            self.say(&format!("\n{head}"));
            if asked.len() <= i {
                asked.push(Asked::new(question));
            }
            let one = &mut asked[i];
            match self.ask(&mut session, &mut loaded, question, one, &mut lines, once) {
                Ended::Next => i += 1,
                Ended::Back if i == 0 => self.say("This is the first question."),
                Ended::Back => i -= 1,
                Ended::Quit => break,
            }
            if self.output.is_closed() || self.cancel.is_cancelled() {
                break;
            }
        }
        let right = asked.iter().filter(|a| a.right).count();
        let alone = asked
            .iter()
            .filter(|a| a.right && a.attempts == 1 && a.hints == 0)
            .count();
        if of > 0 {
            let first = match (right, alone) {
                (_, 0) => String::new(),
                (r, a) if r == a => ", at the first attempt".to_owned(),
                (_, a) => format!(", {a} of them at the first attempt and without a hint"),
            };
            self.say(&format!("\n{right} of {of} right{first}."));
        }
        if self.output.json {
            let quiz = Quiz {
                file: file.to_owned(),
                questions: asked,
                right,
                of,
            };
            self.output
                .document(&Document::new("cgdsl/quiz/1", quiz, said));
        }
        match (wrong_file, right < of, unknown) {
            (true, _, _) => 2,
            (_, true, _) => 1,
            (_, _, true) => 3,
            _ => 0,
        }
    }

    /// `cgdsl quiz FILE --sheet sheet.tex`: the questions on paper, and, if the answers are not sealed, `sheet-solutions.tex`
    /// beside it.
    pub fn sheet(&mut self, file: &str, to: &str) -> u8 {
        let Some(stem) = to.strip_suffix(".tex") else {
            self.output
                .error(&format!("a sheet is a LaTeX file: write --sheet {to}.tex"));
            return 2;
        };
        let world = Disk;
        let settings = self.settings_for(false, Some(Format::Latex));
        let mut session = Session::new(&world, settings);
        let (mut loaded, said) = self.load(&mut session, file);
        if loaded.broken > 0 {
            return self.failed("cgdsl/error/1", said);
        }
        let mut exercises = Vec::new();
        for found in session.questions(&mut loaded) {
            match found {
                Ok(question) => exercises.push(Exercise {
                    figure: question.about.as_ref().and_then(|p| figure(p).ok()),
                    answer: question.right().map(str::to_owned),
                    question: question.text,
                    hints: question.hints,
                }),
                Err((d, limit)) => {
                    let said = self.complain(&session, &[d]);
                    let code = self.failed("cgdsl/error/1", said);
                    return if limit { 3 } else { code };
                }
            }
        }
        if exercises.is_empty() {
            self.output.error(&format!("`{file}` asks nothing"));
            return 2;
        }
        let title = std::path::Path::new(file).file_stem().unwrap_or_default();
        let title = title.to_string_lossy();
        let sheet = latex(&title, &exercises, false);
        if !self.output.write(to, &sheet) {
            return 2;
        }
        let mut made = vec![to.to_owned()];
        if exercises.iter().any(|e| e.answer.is_some()) {
            let path = format!("{stem}-solutions.tex");
            if !self.output.write(&path, latex(&title, &exercises, true)) {
                return 2;
            }
            made.push(path);
        }
        match self.output.json {
            true => self.output.file(Some(to), &sheet),
            false => self.output.line(&made.join(", ")),
        }
        0
    }

    /// Prints a line of the conversation, except with JSON.
    pub(super) fn say(&mut self, line: &str) {
        if !self.output.json {
            self.output.line(line);
        }
    }

    /// Asks one question, until it is answered or given up.
    fn ask(
        &mut self,
        session: &mut Session<'_>,
        loaded: &mut Loaded,
        question: &Question,
        asked: &mut Asked,
        lines: &mut Lines,
        once: bool,
    ) -> Ended {
        let mut left: Option<Vec<String>> = None;
        loop {
            let Typed::Line(line) = lines.read(self.output, "> ") else {
                return Ended::Quit;
            };
            if self.cancel.is_cancelled() {
                return Ended::Quit;
            }
            match line.trim() {
                // An empty line is neither an answer nor a way to give up.
                "" => {}
                "skip" => return Ended::Next,
                "back" => return Ended::Back,
                "quit" | "exit" => return Ended::Quit,
                "help" | "?" => {
                    if !self.output.json {
                        self.output.text(HELP);
                    }
                    self.say(&format!("  type {}", question.described()));
                }
                "hint" if once => self.say("There are no hints now."),
                "hint" => self.next_hint(session, loaded, question, &mut left, asked),
                "show" => {
                    match question.right() {
                        Some(right) => self.say(&format!("It is {right}.")),
                        None => self.say("The answer is sealed."),
                    }
                    return Ended::Next;
                }
                typed => {
                    match session.mark(loaded, question, typed) {
                        Mark::Right => {
                            asked.attempts += 1;
                            asked.answers.push(typed.to_owned());
                            asked.right = true;
                            let source = question
                                .source
                                .as_ref()
                                .map_or(String::new(), |s| format!("  [{s}]"));
                            self.say(&format!("Right.{source}"));
                            return Ended::Next;
                        }
                        Mark::Wrong => {
                            asked.attempts += 1;
                            asked.answers.push(typed.to_owned());
                            self.say("No.");
                            if !once {
                                self.next_hint(session, loaded, question, &mut left, asked);
                            }
                        }
                        Mark::None(why) => self.say(&why),
                    }
                    if once {
                        return Ended::Next;
                    }
                }
            }
        }
    }

    /// The next hint: first those of the file, then the steps of the argument.
    fn next_hint(
        &mut self,
        session: &mut Session<'_>,
        loaded: &Loaded,
        question: &Question,
        left: &mut Option<Vec<String>>,
        asked: &mut Asked,
    ) {
        let all = left.get_or_insert_with(|| {
            let mut all = question.hints.clone();
            if let Some(position) = &question.about
                && let Ok(why) = session.why(loaded, position)
            {
                all.extend(hints(&why));
            }
            all.reverse();
            all
        });
        match all.pop() {
            Some(hint) => {
                asked.hints += 1;
                self.say(&format!("Hint: {hint}"));
            }
            None if question.right().is_some() => {
                self.say("There are no more hints; `show` gives up.");
            }
            None => self.say("There are no more hints."),
        }
    }

    /// `cgdsl seal`
    pub fn seal(&mut self, file: &str, to: Option<&str>) -> u8 {
        let world = Disk;
        let mut session = Session::new(&world, self.settings(false));
        let (mut loaded, said) = self.load(&mut session, file);
        if loaded.broken > 0 {
            return self.failed("cgdsl/error/1", said);
        }
        if to.is_some_and(|to| !self.output.may_write(to)) {
            return self.failed("cgdsl/error/1", said);
        }
        let (text, count) = match session.sealed(&mut loaded) {
            Ok(done) => done,
            Err((d, limit)) => {
                let said = self.complain(&session, &[d]);
                let code = self.failed("cgdsl/error/1", said);
                return if limit { 3 } else { code };
            }
        };
        if count == 0 {
            self.output.error(&format!(
                "`{file}` has no answer to seal: write  ask \"What is it worth?\" expect value(G)"
            ));
            return 2;
        }
        let Some(path) = to else {
            self.output.file(None, &text);
            return 0;
        };
        if !self.output.write(path, &text) {
            return 2;
        }
        match self.output.json {
            true => self.output.file(Some(path), &text),
            false => {
                let many = if count == 1 { "answer" } else { "answers" };
                self.output.line(&format!("{path}: {count} {many} sealed"));
            }
        }
        0
    }
}
