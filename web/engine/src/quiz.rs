//! The questions of a file: asks them, gives hints, and marks answers. Right answers are not sent to the page until it asks
//! for them.

use super::ask::{said, with};
use super::{Host, Request, drawn};
use cgdsl::claim::card::picture;
use cgdsl::report::hints;
use cgdsl::session::quiz::{Mark, Question};
use cgdsl::session::{Loaded, Session};
use serde_json::{Value, json};

pub fn quiz(r: &Request, host: &impl Host) -> Value {
    with(r, host, |session, loaded| {
        let all = session.questions(loaded);
        if r.want.is_empty() {
            let told = all.iter().map(|found| match found {
                Ok(q) => json!({
                    "question": q.text, "line": q.line, "kind": q.kind.described(), "sealed": q.right().is_none(),
                    "picture": q.about.as_ref().and_then(|p| drawn(&picture(p))),
                }),
                Err((d, _)) => json!({ "error": d.message }),
            });
            return Ok(json!({ "questions": told.collect::<Vec<_>>() }));
        }
        let asked = all
            .into_iter()
            .nth(r.at)
            .ok_or("there is no such question")?;
        let question = asked.map_err(|(d, _)| said(&[d]))?;
        match r.want.as_str() {
            "mark" => Ok(match session.mark(loaded, &question, &r.expression) {
                Mark::Right => json!({ "is": "right", "source": question.source }),
                Mark::Wrong => json!({ "is": "wrong" }),
                Mark::None(why) => {
                    json!({ "is": "none", "why": why, "wanted": question.kind.described() })
                }
            }),
            "hint" => Ok(json!({ "hints": all_hints(session, loaded, &question) })),
            "show" => Ok(json!({ "right": question.right() })),
            other => Err(format!("there is no `{other}` of a question")),
        }
    })
}

/// All hints: those of the file, then the steps of the argument.
fn all_hints(session: &mut Session<'_>, loaded: &Loaded, question: &Question) -> Vec<String> {
    let mut all = question.hints.clone();
    if let Some(position) = &question.about
        && let Ok(why) = session.why(loaded, position)
    {
        all.extend(hints(&why));
    }
    all
}
