//! Draws the map of the course, as text and as a picture. Input: the lessons, and which levels are solved; output: a tree in
//! which each lesson is below one that it needs, with a mark for each level.

use super::draw::scene::{Anchor, Block, Form, Ink, Item, Scene, text_width};
use crate::session::figure::Owner;
use crate::session::levels::{Lesson, Level};

/// The lesson below which a lesson is drawn: the last one that it needs.
fn parent(lesson: &Lesson) -> Option<usize> {
    lesson.needs.iter().copied().max()
}

/// The ancestors of a lesson in the tree.
fn ancestors(lessons: &[Lesson], lesson: &Lesson) -> Vec<usize> {
    let mut above = Vec::new();
    let mut next = parent(lesson);
    while let Some(number) = next.filter(|n| !above.contains(n)) {
        above.push(number);
        let lesson = lessons.iter().find(|l| l.number == number);
        next = lesson.and_then(parent);
    }
    above
}

/// The lessons as a tree, each with the branch characters that precede it.
fn branches(lessons: &[Lesson], ascii: bool) -> Vec<(String, &Lesson)> {
    let [tee, end, bar] = match ascii {
        true => ["+- ", "`- ", "|  "],
        false => ["├─ ", "└─ ", "│  "],
    };
    // A stack of lessons, each with the prefix of its line and the prefix of the lines below it.
    let below = |of: Option<usize>| lessons.iter().filter(move |l| parent(l) == of);
    let mut found = Vec::new();
    let mut waiting: Vec<(&Lesson, String, String)> = below(None)
        .map(|l| (l, String::new(), String::new()))
        .collect();
    waiting.reverse();
    while let Some((lesson, own, children)) = waiting.pop() {
        found.push((own, lesson));
        let all: Vec<&Lesson> = below(Some(lesson.number)).collect();
        let last = all.len();
        for (i, child) in all.into_iter().enumerate().rev() {
            let (sign, rest) = if i + 1 == last {
                (end, "   ")
            } else {
                (tee, bar)
            };
            waiting.push((
                child,
                format!("{children}{sign}"),
                format!("{children}{rest}"),
            ));
        }
    }
    found
}

/// The map as text.
#[must_use]
pub fn text(lessons: &[Lesson], solved: &dyn Fn(&Level) -> bool, ascii: bool) -> String {
    let [done, open] = if ascii { ['#', '.'] } else { ['●', '○'] };
    let rows = branches(lessons, ascii);
    let head = |(own, l): &(String, &Lesson)| format!("{own}{} {}", l.number, short(l.title));
    let width = rows.iter().map(|r| head(r).chars().count()).max();
    let width = width.unwrap_or(0) + 2;
    let mut out = String::new();
    for row in &rows {
        let marks = row
            .1
            .levels
            .iter()
            .map(|l| if solved(l) { done } else { open });
        let marks: String = marks.collect();
        let above = ancestors(lessons, row.1);
        let needs = row.1.needs.iter().filter(|n| !above.contains(n));
        let also: Vec<String> = needs.map(ToString::to_string).collect();
        let also = match also.is_empty() {
            true => String::new(),
            false => format!("  (after {}, too)", also.join(", ")),
        };
        let head = head(row);
        let gap = " ".repeat(width - head.chars().count());
        out.push_str(format!("{head}{gap}{marks}{also}").trim_end());
        out.push('\n');
    }
    out
}

/// A title up to its first colon.
fn short(title: &str) -> &str {
    title.split(':').next().unwrap_or(title)
}

/// The distances in pixels between rows, and between a lesson and those below it.
const ROW: f64 = 34.0;
const STEP: f64 = 26.0;

/// The map as a picture.
#[must_use]
pub fn scene(lessons: &[Lesson], solved: &dyn Fn(&Level) -> bool) -> Scene {
    let rows = branches(lessons, true);
    let place = |number: usize| {
        rows.iter().position(|(_, l)| l.number == number).map(|i| {
            let depth = rows.get(i).map_or(0, |(own, _)| own.chars().count() / 3);
            (20.0 + STEP * depth as f64, 24.0 + ROW * i as f64)
        })
    };
    let mut block = Block::default();
    for (_, lesson) in &rows {
        if let Some(at) = place(lesson.number)
            && let Some(above) = parent(lesson).and_then(place)
        {
            block.line(above, (above.0, at.1), Ink::Faint, 1.5);
            block.line((above.0, at.1), at, Ink::Faint, 1.5);
        }
    }
    let disc = |at, radius, full| Item::Piece {
        form: Form::Disc,
        at,
        radius,
        fill: if full {
            Ink::Owner(Owner::Shared)
        } else {
            Ink::Paper
        },
        border: Ink::Line,
    };
    let mut width: f64 = 0.0;
    for (_, lesson) in &rows {
        let Some(at) = place(lesson.number) else {
            continue;
        };
        let all = lesson.levels.iter().all(solved);
        block.items.push(disc(at, 11.0, all));
        let ink = if all {
            Ink::On(Owner::Shared)
        } else {
            Ink::Line
        };
        block.text(at, lesson.number.to_string(), 11.0, ink, Anchor::Middle);
        let title = short(lesson.title);
        let start = (at.0 + 18.0, at.1 - 6.0);
        block.text(start, title, 13.0, Ink::Line, Anchor::Start);
        for (i, level) in lesson.levels.iter().enumerate() {
            let to = (at.0 + 23.0 + 13.0 * i as f64, at.1 + 9.0);
            block.items.push(disc(to, 4.0, solved(level)));
        }
        width = width.max(start.0 + text_width(title, 13.0) + 10.0);
        width = width.max(at.0 + 32.0 + 13.0 * lesson.levels.len() as f64);
    }
    block.size = (width, 24.0 + ROW * rows.len() as f64);
    let levels = || lessons.iter().flat_map(|l| &l.levels);
    let (of, done) = (levels().count(), levels().filter(|l| solved(l)).count());
    Scene {
        title: "The map of the course".to_owned(),
        description: format!(
            "{} lessons, each below one that it needs, with a disc for each level; {done} of {of} levels are solved.",
            lessons.len()
        ),
        block,
    }
}
