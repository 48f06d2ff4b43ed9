//! Turns a position, or all answers of a file, into text for a paper, a page or a file.

use super::ask::{position, with};
use super::{Host, Request};
use cgdsl::ir::draw as text;
use cgdsl::report::draw;
use cgdsl::report::paper::{self, Format};
use cgdsl::session::figure::figure;
use serde_json::{Value, json};

pub fn copy(r: &Request, host: &impl Host) -> Value {
    with(r, host, |session, loaded| {
        if r.expression.is_empty() {
            let format = match r.want.as_str() {
                "latex" => Format::Latex,
                "typst" => Format::Typst,
                "markdown" => Format::Markdown,
                other => return Err(format!("there is no format `{other}` for answers")),
            };
            let items = session.evaluate(loaded, |_, _| {});
            return Ok(json!({ "text": paper::items(&items, format) }));
        }
        let found = position(session, loaded, &r.expression)?;
        let figure = figure(&found)?;
        let scene = draw::scene(&figure);
        let copied = match r.want.as_str() {
            "latex" => draw::tikz(&scene),
            "typst" => draw::typst(&scene),
            "svg" => draw::svg(&scene),
            "markdown" => format!("```text\n{}\n```\n", draw::text(&figure).join("\n")),
            "rules" => text::literal(&found),
            other => return Err(format!("there is no format `{other}` for pictures")),
        };
        Ok(json!({ "text": copied }))
    })
}
