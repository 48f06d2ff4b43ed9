//! `cgdsl learn`: the levels of the course as a game. Reads answers line by line and judges them. Solved levels are kept in a
//! file and shown on a map; a certificate holds the answers, so that anyone can have them judged again.

use super::args::{Learn, PictureFormat};
use super::draw::{format_of, written};
use super::guard::Bounded;
use super::lines::{Lines, Typed};
use super::progress::{Progress, read, usual_file};
use super::run::Run;
use super::search::counted;
use crate::game::Limits;
use crate::report::{Document, map};
use crate::session::levels::record::{LONGEST, Record, Solved};
use crate::session::levels::{Level, Shown, Verdict, lessons, level, levels};
use crate::session::{Settings, read_regular};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time for one answer, and the memory.
const EACH: Duration = Duration::from_secs(10);
const MEMORY: usize = 512 << 20;

const HELP: &str = "\
  an answer  is judged by the rules, not by spelling
  rules      the rules of this lesson
  hint       the next hint
  skip       the next level
  back       the level before
  map        the map of the course
  quit       end
";

/// The content of `learn --json`: the course.
#[derive(Serialize)]
struct Course {
    lessons: Vec<LessonDone>,
    solved: usize,
    of: usize,
}

#[derive(Serialize)]
struct LessonDone {
    number: usize,
    title: &'static str,
    needs: Vec<usize>,
    levels: Vec<LevelDone>,
}

#[derive(Serialize)]
struct LevelDone {
    level: String,
    kind: &'static str,
    title: &'static str,
    solved: bool,
}

/// The content of `learn LEVEL --json`.
#[derive(Serialize)]
struct Played {
    levels: Vec<LevelPlayed>,
    solved: usize,
    of: usize,
}

#[derive(Serialize)]
struct LevelPlayed {
    level: String,
    kind: &'static str,
    question: String,
    solved: bool,
    hints: u64,
    answers: Vec<Judged>,
}

/// An answer and its verdict.
#[derive(Serialize)]
struct Judged {
    answer: String,
    #[serde(flatten)]
    said: Said,
}

/// A verdict as data.
#[derive(Serialize)]
struct Said {
    /// `right`, `wrong`, `unread`, `unknown`
    verdict: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    why: String,
}

impl Said {
    fn of(verdict: &Verdict) -> Said {
        let (verdict, why) = match verdict {
            Verdict::Right(why) => ("right", why),
            Verdict::Wrong(why) => ("wrong", why),
            Verdict::Unread(why) => ("unread", why),
            Verdict::Unknown(why) => ("unknown", why),
        };
        Said {
            verdict,
            why: why.clone(),
        }
    }
}

/// The content of `learn --verify --json`.
#[derive(Serialize)]
struct Verified {
    certificates: Vec<Certificate>,
}

#[derive(Serialize)]
struct Certificate {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Why the file is not a certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    levels: Vec<LevelChecked>,
    solved: usize,
    of: usize,
}

#[derive(Serialize)]
struct LevelChecked {
    level: String,
    attempts: u64,
    hints: u64,
    #[serde(flatten)]
    judged: Judged,
}

/// How a level ended.
enum Ended {
    Next,
    Back,
    Quit,
}

/// The requested levels.
fn wanted(name: &str, progress: &Record) -> Result<Vec<&'static Level>, String> {
    if name == "next" {
        let rest: Vec<&Level> = levels().filter(|l| !progress.has(l)).collect();
        return match rest.is_empty() {
            true => Err("all levels are solved".to_owned()),
            false => Ok(rest),
        };
    }
    if let Some(one) = level(name) {
        return Ok(vec![one]);
    }
    let lesson = name.parse().ok();
    let lesson = lesson.and_then(|n: usize| lessons().iter().find(|l| l.number == n));
    match lesson {
        Some(lesson) => Ok(lesson.levels.iter().collect()),
        None => Err(format!(
            "there is no level `{name}`: write a lesson (3), a level (3.4) or `next`; `cgdsl learn` shows the map"
        )),
    }
}

impl Run<'_> {
    /// Settings for one answer, which is cancelled with the returned token.
    fn settings_of_one(&self) -> (Settings, Bounded) {
        let memory = self.common.memory.min(MEMORY);
        let bounded = Bounded::new(&self.cancel, EACH, memory);
        let settings = Settings {
            cancel: bounded.cancel.clone(),
            limits: Limits {
                memory,
                ..self.settings(false).limits
            },
            ..self.settings(false)
        };
        (settings, bounded)
    }

    /// `cgdsl learn`
    pub fn learn(&mut self, args: &Learn) -> u8 {
        if !args.verify.is_empty() {
            return self.verify_certificates(&args.verify);
        }
        let file = args
            .progress
            .as_ref()
            .map(PathBuf::from)
            .or_else(usual_file);
        let mut progress = match Progress::read(file) {
            Ok(progress) => progress,
            Err(why) => {
                self.output.error(&why);
                return 2;
            }
        };
        if let Some(file) = &progress.file {
            self.output.reads(file.clone());
        }
        let to = args.output.as_deref().filter(|path| *path != "-");
        if let Some(name) = &args.certificate {
            return self.certificate(&progress.record, name, to);
        }
        match &args.level {
            Some(name) if !args.map => match wanted(name, &progress.record) {
                Ok(levels) => self.play_levels(&levels, &mut progress),
                Err(why) => {
                    self.output.error(&why);
                    2
                }
            },
            _ => self.map(&progress.record, to),
        }
    }

    fn map(&mut self, record: &Record, to: Option<&str>) -> u8 {
        let solved = |l: &Level| record.has(l);
        let (of, done) = (levels().count(), levels().filter(|l| solved(l)).count());
        if let Some(path) = to {
            let picture = match format_of(None, Some(path)) {
                Ok(PictureFormat::Text) => map::text(lessons(), &solved, self.output.ascii),
                Ok(PictureFormat::Dot) => {
                    self.output.error("the map is not a graph for Graphviz: end the name in .svg, .tex, .typ or .txt");
                    return 2;
                }
                Ok(format) => written(&map::scene(lessons(), &solved), format, false),
                Err(why) => {
                    self.output.error(&why);
                    return 2;
                }
            };
            return if self.output.write(path, picture) {
                0
            } else {
                2
            };
        }
        if self.output.json {
            let lessons = lessons().iter().map(|l| LessonDone {
                number: l.number,
                title: l.title,
                needs: l.needs.clone(),
                levels: l
                    .levels
                    .iter()
                    .map(|l| LevelDone {
                        level: l.id(),
                        kind: l.kind.word(),
                        title: l.title,
                        solved: solved(l),
                    })
                    .collect(),
            });
            let course = Course {
                lessons: lessons.collect(),
                solved: done,
                of,
            };
            self.output
                .document(&Document::new("cgdsl/course/1", course, Vec::new()));
            return 0;
        }
        let text = map::text(lessons(), &solved, self.output.ascii);
        self.output.text(&text);
        let next = levels().find(|l| !solved(l));
        let next = next.map_or(String::new(), |l| {
            format!("; `cgdsl learn next` goes on with {}, {}", l.id(), l.title)
        });
        self.output
            .line(&format!("\n{done} of {of} levels are solved{next}."));
        0
    }

    fn play_levels(&mut self, levels: &[&'static Level], progress: &mut Progress) -> u8 {
        let mut lines = Lines::new(self.output.json, self.cancel.clone());
        let mut played: Vec<LevelPlayed> = Vec::new();
        let (mut i, mut broken) = (0, false);
        while let Some(level) = levels.get(i) {
            let shown = {
                let (settings, _bounded) = self.settings_of_one();
                level.show(&settings)
            };
            self.present(level, &shown);
            if played.len() <= i {
                played.push(LevelPlayed {
                    level: level.id(),
                    kind: level.kind.word(),
                    question: shown.question.clone(),
                    solved: false,
                    hints: 0,
                    answers: Vec::new(),
                });
            }
            let one = &mut played[i];
            let ended = match self.one_level(level, &shown, one, &mut lines, progress) {
                Ok(ended) => ended,
                Err(why) => {
                    self.output.error(&why);
                    broken = true;
                    Ended::Quit
                }
            };
            match ended {
                Ended::Next => i += 1,
                Ended::Back if i == 0 => self.say("This is the first level."),
                Ended::Back => i -= 1,
                Ended::Quit => break,
            }
            if self.output.is_closed() || self.cancel.is_cancelled() {
                break;
            }
        }
        let solved = played.iter().filter(|p| p.solved).count();
        let of = levels.len();
        let unknown = |p: &LevelPlayed| {
            let last = p.answers.last();
            last.is_some_and(|a| a.said.verdict == "unknown")
        };
        let unknown = played.iter().any(|p| !p.solved && unknown(p));
        self.say(&format!("\n{solved} of {of} solved."));
        if self.output.json {
            let all = Played {
                levels: played,
                solved,
                of,
            };
            self.output
                .document(&Document::new("cgdsl/learn/1", all, Vec::new()));
        }
        match (broken, unknown, solved < of) {
            (true, ..) => 2,
            (_, true, _) => 3,
            (_, _, true) => 1,
            _ => 0,
        }
    }

    fn present(&mut self, level: &Level, shown: &Shown) {
        self.say(&format!("\n{}  {}", level.id(), level.title));
        if !shown.question.is_empty() {
            self.say(&shown.question);
        }
        let look = self.output.look();
        let drawn = shown.picture.as_ref().map(|p| look.drawing(p));
        let drawn = drawn.unwrap_or_default();
        if !drawn.is_empty() {
            self.say("");
        }
        for line in drawn.iter().chain(&shown.items) {
            self.say(format!("  {line}").trim_end());
        }
        if !drawn.is_empty() {
            self.say("");
        }
        self.say(&format!("(Type {}. `help` says more.)", shown.wanted));
    }

    /// Plays one level, until it is solved or left.
    fn one_level(
        &mut self,
        level: &'static Level,
        shown: &Shown,
        one: &mut LevelPlayed,
        lines: &mut Lines,
        progress: &mut Progress,
    ) -> Result<Ended, String> {
        let mut hints = shown.hints.iter();
        loop {
            let Typed::Line(line) = lines.read(self.output, "> ") else {
                return Ok(Ended::Quit);
            };
            if self.cancel.is_cancelled() {
                return Ok(Ended::Quit);
            }
            match line.trim() {
                // An empty line is not an answer.
                "" => {}
                "skip" => return Ok(Ended::Next),
                "back" => return Ok(Ended::Back),
                "quit" | "exit" => return Ok(Ended::Quit),
                "help" | "?" => {
                    if !self.output.json {
                        self.output.text(HELP);
                    }
                    self.say(&format!("  type {}", shown.wanted));
                }
                "rules" => {
                    for line in level.rules().lines() {
                        self.say(&format!("  {line}"));
                    }
                }
                "map" => {
                    let record = &progress.record;
                    let text = map::text(lessons(), &|l| record.has(l), self.output.ascii);
                    self.say(&text);
                }
                "hint" => match hints.next() {
                    Some(hint) => {
                        one.hints += 1;
                        self.say(&format!("Hint: {hint}"));
                    }
                    None => self.say("There are no more hints."),
                },
                typed => {
                    let verdict = {
                        let (settings, _bounded) = self.settings_of_one();
                        level.judge(typed, &settings)
                    };
                    one.answers.push(Judged {
                        answer: typed.to_owned(),
                        said: Said::of(&verdict),
                    });
                    match verdict {
                        Verdict::Right(said) => {
                            one.solved = true;
                            self.say(format!("Right. {said}").trim_end());
                            let judged = |a: &&Judged| a.said.verdict != "unread";
                            let attempts = one.answers.iter().filter(judged).count() as u64;
                            progress.add(Solved {
                                level: level.id(),
                                answer: typed.to_owned(),
                                attempts,
                                hints: one.hints,
                            })?;
                            return Ok(Ended::Next);
                        }
                        Verdict::Wrong(why) => self.say(&format!("No. {why}")),
                        Verdict::Unread(why) => self.say(&why),
                        Verdict::Unknown(why) => self.say(&format!("That is not known: {why}.")),
                    }
                }
            }
        }
    }

    fn certificate(&mut self, record: &Record, name: &str, to: Option<&str>) -> u8 {
        if record.solved.is_empty() {
            self.output
                .error("nothing is solved yet: `cgdsl learn next` begins");
            return 2;
        }
        let text = record.certificate(name).to_text();
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
                let levels = counted(record.solved.len() as u128, "level");
                self.output.line(&format!(
                    "{path}: {levels}; `cgdsl learn --verify {path}` judges the answers again"
                ));
            }
        }
        0
    }

    /// Judges certificates again; the exit code is 0 if all answers are right.
    fn verify_certificates(&mut self, files: &[String]) -> u8 {
        let (mut certificates, mut code) = (Vec::new(), 0);
        for file in files {
            let found = read_regular(Path::new(file), LONGEST)
                .map_err(|why| why.to_string())
                .and_then(|bytes| read(&bytes));
            let mut one = Certificate {
                file: file.clone(),
                name: None,
                problem: None,
                levels: Vec::new(),
                solved: 0,
                of: levels().count(),
            };
            match found {
                Err(why) => {
                    self.say(&format!("{file}: no certificate: {why}"));
                    one.problem = Some(why);
                    code = 2;
                }
                Ok(record) => {
                    self.verify_certificate(&record, &mut one);
                    let bad = one
                        .levels
                        .iter()
                        .filter(|l| l.judged.said.verdict != "right");
                    let unknown = bad.clone().all(|l| l.judged.said.verdict == "unknown");
                    if bad.count() > 0 && code != 2 {
                        code = if unknown && code != 1 { 3 } else { 1 };
                    }
                }
            }
            certificates.push(one);
        }
        if self.output.json {
            let verified = Verified { certificates };
            self.output
                .document(&Document::new("cgdsl/certificates/1", verified, Vec::new()));
        }
        code
    }

    fn verify_certificate(&mut self, record: &Record, one: &mut Certificate) {
        one.name.clone_from(&record.name);
        // Each answer has its own token, which lives until the next one.
        let mut bounded = None;
        let checked = record.check(|| {
            let (settings, one) = self.settings_of_one();
            bounded = Some(one);
            settings
        });
        drop(bounded);
        for c in checked {
            one.levels.push(LevelChecked {
                level: c.solved.level.clone(),
                attempts: c.solved.attempts,
                hints: c.solved.hints,
                judged: Judged {
                    answer: c.solved.answer.clone(),
                    said: Said::of(&c.verdict),
                },
            });
        }
        one.solved = one
            .levels
            .iter()
            .filter(|l| l.judged.said.verdict == "right")
            .count();
        let name = record.name.as_deref().unwrap_or("no name");
        self.say(&format!(
            "{}: {name}, {} of {} levels",
            one.file, one.solved, one.of
        ));
        for l in &one.levels {
            let said = &l.judged.said;
            if said.verdict != "right" {
                self.say(&format!(
                    "  {}: {}: `{}`: {}",
                    l.level, said.verdict, l.judged.answer, said.why
                ));
            }
        }
    }
}
