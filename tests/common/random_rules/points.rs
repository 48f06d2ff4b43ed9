//! Adds points and a `score` to a sample. Moves may add to counters. Some counters are used only by the score; others are set
//! or used in a condition, so that they are part of the position.

use super::{Random, Sample};

/// The sample with points, or `None` if it has clauses that define otherwise how play ends.
pub fn with_points(mut s: Sample, r: &mut Random) -> Option<Sample> {
    let own = ["players ", "play ", "\nruleset ", "endless "];
    if own.iter().any(|word| s.rules[1..].contains(word)) || s.rules.contains("points") {
        return None;
    }
    let whose = r.once_in(2);
    let sort = r.one(&["nat", "int"]);
    let mut clauses = match whose {
        true => format!("\n  state points(player): {sort}"),
        false => format!("\n  state points: {sort}"),
    };
    let terms = match whose {
        true => [
            "points(Left) - points(Right)",
            "2 * points(Left) - (points(Right) + 1)",
            "points(stuck)",
        ],
        false => ["points", "0 - 3 * points", "points * points - 2"],
    };
    let term = r.one(&terms);
    let more = r.one(&[
        "",
        "",
        " + size({q in {Left, Right}: q = stuck and q = Left})",
    ]);
    clauses.push_str(&format!("\n  score {term}{more}"));
    let board = s.rules.contains("board grid") || s.rules.contains("board strip");
    if board && r.once_in(2) {
        clauses.push_str(" + size({s9 in cells: at(s9) = empty})");
    }
    let parts: Vec<&str> = s.rules.split("\n  move ").collect();
    let mut text = format!("{}{clauses}", parts[0]);
    for part in &parts[1..] {
        let (body, tail) = part.split_at(part.find("\n\n").unwrap_or(part.trim_end().len()));
        let last = body.rsplit(" then ").next().unwrap_or("");
        let effects = body.contains(" then ")
            && ["where", "choose", "keep", "again", "next", ": "]
                .iter()
                .all(|word| !last.contains(word));
        text.push_str(&format!("\n  move {body}"));
        if effects && !r.once_in(4) {
            let to = match whose {
                true => r.one(&["points(Left)", "points(Right)"]),
                false => "points",
            };
            text.push_str(&match r.below(8) {
                0 => format!(", {to} -= 1"),
                1 => format!(", {to} := 2"),
                n => format!(", {to} += {}", n % 4),
            });
            if r.once_in(4) {
                text.push_str(r.one(&[", again", ", again when size(players) = 3"]));
            }
        }
        text.push_str(tail);
    }
    s.rules = text;
    Some(s)
}
