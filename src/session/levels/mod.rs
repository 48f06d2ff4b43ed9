//! The levels of the course, for the terminal and the page. Input: the chapters in `docs/course/levels`; output: lessons
//! with their levels, as plain data. [`judge`](Level::judge) says whether an answer solves a level, and why not.
//!
//! A chapter is a rules file that is valid as a whole. Its first comment names the lesson and the lessons it needs. Each
//! level begins with the comment `// == KIND: TITLE`; the comments below it are its text, `Hint: ..` and `Why: ..`.
//! Everything before the first level is shared by all levels.

mod judge;
pub mod record;
mod refute;

use super::shipped::{self, Found};
pub use judge::{Shown, Verdict};
use std::sync::OnceLock;

/// What a level asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Predict the value of an expression.
    Predict,
    /// Make a winning move.
    Move,
    /// Change one word of the rules so that the claims hold.
    Change,
    /// Build something for which the claims hold.
    Build,
    /// Find an instance that falsifies a sentence.
    Refute,
}

/// The kinds, their words in chapters, and what to type, phrased to follow "type".
const KINDS: [(Kind, &str, &str); 5] = [
    (Kind::Predict, "predict", "the answer"),
    (
        Kind::Move,
        "move",
        "a winning move: what is chosen, or the position it leads to",
    ),
    (
        Kind::Change,
        "change",
        "a word and its replacement, such as `south -> east`; if the word stands in several lines, begin with the number of the line (`5: ..`)",
    ),
    (Kind::Build, "build", "what you have built"),
    (
        Kind::Refute,
        "refute",
        "an instance for which the statement is false",
    ),
];

impl Kind {
    /// The word for the kind in chapters.
    #[must_use]
    pub fn word(self) -> &'static str {
        KINDS.iter().find(|k| k.0 == self).map_or("", |k| k.1)
    }

    /// What to type.
    #[must_use]
    pub fn wanted(self) -> &'static str {
        KINDS.iter().find(|k| k.0 == self).map_or("", |k| k.2)
    }
}

/// A level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Level {
    /// The number of its lesson.
    pub lesson: usize,
    /// Its number in the lesson, from 1.
    pub number: usize,
    /// The kind of task.
    pub kind: Kind,
    /// Its title.
    pub title: &'static str,
    /// The text before the question; may be empty.
    pub text: String,
    /// Hints beyond those of the question.
    hints: Vec<&'static str>,
    /// Why a wrong answer is wrong, for use where the program finds no explanation.
    why: Option<&'static str>,
    /// The text shared by all levels of the chapter.
    shared: &'static str,
    /// Its items.
    items: String,
}

impl Level {
    /// Its name: `3.4`.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}.{}", self.lesson, self.number)
    }

    /// The rules shared by the chapter, and those of the shipped files that it uses.
    #[must_use]
    pub fn rules(&self) -> String {
        let mut out = format!("{}\n", self.shared);
        let used = self.shared.lines().filter_map(|l| l.strip_prefix("use \""));
        for name in used.filter_map(|l| l.strip_suffix('"')) {
            let Found::One(file) = shipped::find(name) else {
                continue;
            };
            let kept = |l: &&str| {
                let words = [
                    "eval ", "assert ", "claim ", "refute ", "table ", "search ", "slow ",
                ];
                !words.iter().any(|w| l.starts_with(w))
            };
            let lines: Vec<&str> = file.text.lines().take_while(kept).collect();
            out.push_str(&format!("\n{}\n", lines.join("\n").trim()));
        }
        out
    }
}

/// A lesson with its levels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lesson {
    /// Its number.
    pub number: usize,
    /// Its title.
    pub title: &'static str,
    /// The numbers of the lessons it builds on.
    pub needs: Vec<usize>,
    /// Its levels.
    pub levels: Vec<Level>,
}

macro_rules! chapters {
    ($($name:literal),* $(,)?) => {
        [$(include_str!(concat!("../../../docs/course/levels/", $name, ".rules"))),*]
    };
}

/// The chapters in the order of the lessons.
const CHAPTERS: [&str; 20] = chapters![
    "01-games",
    "02-outcomes",
    "03-nim",
    "04-grundy",
    "05-taking-and-breaking",
    "06-graphs",
    "07-posets",
    "08-partizan",
    "09-numbers",
    "10-canonical",
    "11-infinitesimals",
    "12-hot",
    "13-decomposition",
    "14-blocking-pebbles",
    "15-misere",
    "16-many-players",
    "17-endless",
    "18-scores",
    "19-reductions",
    "20-research",
];

/// All lessons.
pub fn lessons() -> &'static [Lesson] {
    static LESSONS: OnceLock<Vec<Lesson>> = OnceLock::new();
    LESSONS.get_or_init(|| CHAPTERS.into_iter().filter_map(lesson).collect())
}

/// Finds a level by its name, for example `3.4`.
#[must_use]
pub fn level(id: &str) -> Option<&'static Level> {
    let (lesson, number) = id.split_once('.')?;
    let (lesson, number): (usize, usize) = (lesson.parse().ok()?, number.parse().ok()?);
    let found = lessons().iter().find(|l| l.number == lesson)?;
    found.levels.get(number.checked_sub(1)?)
}

/// All levels in their order.
pub fn levels() -> impl Iterator<Item = &'static Level> {
    lessons().iter().flat_map(|l| &l.levels)
}

/// The mark at the head of each level.
const MARK: &str = "// == ";

/// Reads a chapter; `None` if it has no head, which a test excludes.
fn lesson(text: &'static str) -> Option<Lesson> {
    let mut parts = text.split(MARK);
    let shared = parts.next()?;
    let (head, shared) = shared.split_once('\n')?;
    let (number, rest) = head.strip_prefix("// Lesson ")?.split_once(": ")?;
    let number = number.parse().ok()?;
    let (title, needs) = match rest.split_once("; needs ") {
        Some((title, needs)) => (title, needs.split(", ").flat_map(str::parse).collect()),
        None => (rest, Vec::new()),
    };
    let levels = parts
        .enumerate()
        .filter_map(|(i, part)| {
            let (head, body) = part.split_once('\n')?;
            let (word, title) = head.split_once(": ")?;
            let kind = KINDS.iter().find(|k| k.1 == word)?.0;
            let comments = body.lines().take_while(|l| l.starts_with("// "));
            let (mut said, mut hints, mut why) = (Vec::new(), Vec::new(), None);
            for comment in comments {
                let comment = &comment[3..];
                if let Some(hint) = comment.strip_prefix("Hint: ") {
                    hints.push(hint);
                } else if let Some(reason) = comment.strip_prefix("Why: ") {
                    why = Some(reason);
                } else {
                    said.push(comment);
                }
            }
            let items = body.lines().skip_while(|l| l.starts_with("// "));
            let items: Vec<&str> = items.collect();
            Some(Level {
                lesson: number,
                number: i + 1,
                kind,
                title,
                text: said.join(" "),
                hints,
                why,
                shared: shared.trim(),
                items: items.join("\n").trim().to_owned() + "\n",
            })
        })
        .collect();
    Some(Lesson {
        number,
        title,
        needs,
        levels,
    })
}
