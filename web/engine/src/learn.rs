//! The course: its map, a level, the verdict on an answer, or a certificate. Progress is a text in the format of
//! `cgdsl learn --progress`; the page stores it and sends it with each request. If an answer takes too long, the page
//! terminates the thread.

use super::{Request, drawn, of_scene};
use cgdsl::report::map;
use cgdsl::session::levels::record::{LONGEST, Record};
use cgdsl::session::levels::{Level, Verdict, lessons, level, levels};
use serde_json::{Value, json};

pub fn learn(r: &Request) -> Value {
    asked(r).unwrap_or_else(|why| json!({ "error": why }))
}

fn asked(r: &Request) -> Result<Value, String> {
    let known = || level(&r.name).ok_or_else(|| format!("there is no level `{}`", r.name));
    match r.want.as_str() {
        "" => Ok(course(&record(r)?)),
        "level" => Ok(shown(known()?, r)),
        "judge" => Ok(judged(&known()?.judge(&r.expression, &r.settings()))),
        "certificate" => {
            let record = record(r)?;
            if record.solved.is_empty() {
                return Err("nothing is solved yet".to_owned());
            }
            Ok(json!({ "text": record.certificate(r.expression.trim()).to_text() }))
        }
        other => Err(format!("there is no `{other}` of the course")),
    }
}

/// The levels solved so far.
fn record(r: &Request) -> Result<Record, String> {
    match r.text.as_deref() {
        None | Some("") => Ok(Record::default()),
        Some(text) if text.len() as u64 > LONGEST => Err("it is too long".to_owned()),
        Some(text) => Record::read(text),
    }
}

/// All levels, the map as a picture, and the progress as the page stores it: a certificate without a name.
fn course(record: &Record) -> Value {
    let solved = |l: &Level| record.has(l);
    let mut kept = Record::default();
    for one in &record.solved {
        if level(&one.level).is_some() {
            kept.add(one.clone());
        }
    }
    let lessons_of: Vec<Value> = lessons()
        .iter()
        .map(|l| {
            let levels: Vec<Value> = l
                .levels
                .iter()
                .map(|l| json!({ "level": l.id(), "kind": l.kind.word(), "title": l.title }))
                .collect();
            json!({ "number": l.number, "title": l.title, "needs": l.needs, "levels": levels })
        })
        .collect();
    json!({
        "lessons": lessons_of, "of": levels().count(), "record": kept,
        "picture": of_scene(&map::scene(lessons(), &solved)),
    })
}

fn shown(level: &Level, r: &Request) -> Value {
    let shown = level.show(&r.settings());
    json!({
        "level": level.id(), "title": level.title, "kind": level.kind.word(), "question": shown.question,
        "items": shown.items, "wanted": shown.wanted, "hints": shown.hints, "rules": level.rules().trim(),
        "picture": shown.picture.as_ref().and_then(drawn), "file": level.file(),
    })
}

fn judged(verdict: &Verdict) -> Value {
    let (is, why) = match verdict {
        Verdict::Right(why) => ("right", why),
        Verdict::Wrong(why) => ("wrong", why),
        Verdict::Unread(why) => ("unread", why),
        Verdict::Unknown(why) => ("unknown", why),
    };
    json!({ "is": is, "why": why })
}
