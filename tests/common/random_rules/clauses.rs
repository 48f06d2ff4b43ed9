//! Adds clauses to a sample: ends of play, further turns, and endless play. Some of the results repeat, some fail, and for
//! some the winner is not the last mover: all evaluators must agree on this.

use super::{Random, Sample};

/// The sample with clauses suitable for its board. Rules that already name their convention keep it.
pub fn with_clauses(mut s: Sample, r: &mut Random) -> Sample {
    let (version, rules) = version(&s.rules);
    // Rulesets derived from the rules are kept apart.
    let (own, derived) = match rules.split_once("\nruleset ") {
        Some((own, derived)) => (format!("{own}\n"), format!("\nruleset {derived}")),
        None => (rules.to_owned(), String::new()),
    };
    let players = players(&own);
    let clauses = clauses(r, &own, &players);
    let turns = turns(r, &own);
    s.rules = format!("{version}{turns}{}{derived}", clauses.concat());
    s
}

/// Splits off the line with the version of the language, if there is one.
fn version(rules: &str) -> (&str, &str) {
    match rules.strip_prefix("language") {
        Some(rest) => {
            rules.split_at(rules.len() - rest.len() + rest.find('\n').map_or(0, |i| i + 1))
        }
        None => ("", rules),
    }
}

/// The sample with further turns, and with clauses that end play depending on the mover.
pub fn with_ends(mut s: Sample, r: &mut Random) -> Sample {
    let line = |l: &str| l.trim().strip_prefix("board ").map(str::to_owned);
    let board = s.rules.lines().find_map(line).unwrap_or_default();
    let pieces = s.rules.contains("\n  pieces ") && !s.rules.contains("on edges");
    let mut clauses = String::new();
    for _ in 0..r.within(0, 2) {
        let word = r.one(&["win", "win", "lose"]);
        if let Some(condition) = condition(r, &board, pieces) {
            clauses.push_str(&format!("  {word} p when mover = p, {condition}\n"));
        }
    }
    s.rules = format!("{}{clauses}", turns(r, &s.rules));
    s
}

/// The names of the players.
fn players(rules: &str) -> Vec<String> {
    let named = rules
        .lines()
        .find_map(|l| l.trim().strip_prefix("players "));
    let named = named.unwrap_or("Left, Right");
    named.split(", ").map(|p| p.trim().to_owned()).collect()
}

/// The rules with `again` at the end of some moves. A stage without effects cannot be followed by it.
fn turns(r: &mut Random, rules: &str) -> String {
    let again = r.one(&[
        "",
        "",
        "",
        ", again",
        ", again when 1 = 1",
        ", again when size(players) = 3",
    ]);
    // A player who is stuck after an own move is also the last mover.
    let none = again.is_empty() || rules.contains("last-wins");
    let parts: Vec<&str> = rules.split("\n  move ").collect();
    let mut text = parts[0].to_owned();
    for part in &parts[1..] {
        let (body, tail) = part.split_at(part.find("\n\n").unwrap_or(part.trim_end().len()));
        let last = body.rsplit(" then ").next().unwrap_or("");
        let effects = body.contains(" then ")
            && ["where", "choose", "keep", "again", "next", ": "]
                .iter()
                .all(|word| !last.contains(word));
        let more = if !none && effects && r.once_in(2) {
            again
        } else {
            ""
        };
        text.push_str(&format!("\n  move {body}{more}{tail}"));
    }
    text
}

/// Clauses for a ruleset on that board, with `cells` or `vertices`, and pieces.
fn clauses(r: &mut Random, rules: &str, players: &[String]) -> Vec<String> {
    let board = rules
        .lines()
        .find_map(|l| l.trim().strip_prefix("board "))
        .map_or("", str::trim);
    let pieces = rules
        .lines()
        .any(|l| l.trim().starts_with("pieces") && !l.contains("on edges"));
    let (first, last) = (&players[0], &players[players.len() - 1]);
    let mut found = Vec::new();
    for _ in 0..r.within(0, 2) {
        let word = match r.below(5) {
            0 => "win p".to_owned(),
            1 => "lose p".to_owned(),
            2 => format!("win {first}"),
            3 => format!("lose {last}"),
            _ => "draw".to_owned(),
        };
        let Some(condition) = condition(r, board, pieces) else {
            continue;
        };
        // Half of the clauses that name a player refer to the mover.
        let condition = match word.ends_with(" p") && r.once_in(2) {
            true => format!("mover = p, {condition}"),
            false => condition,
        };
        found.push(format!("  {word} when {condition}\n"));
    }
    // Both conventions are for two players.
    if players.len() == 2 && !rules.contains("\n  play ") {
        match r.below(6) {
            0 => found.push("  play misere\n".to_owned()),
            1 => found.push("  play stuck-draws\n".to_owned()),
            _ => {}
        }
        match r.below(4) {
            0 => found.push(format!("  endless win {first}\n")),
            1 => found.push(format!("  endless win {last}\n")),
            _ => {}
        }
    }
    found
}

fn condition(r: &mut Random, board: &str, pieces: bool) -> Option<String> {
    let sites = match board {
        b if b.starts_with("strip") || b.starts_with("grid") => "cells",
        b if b.starts_with("graph") || b.starts_with("digraph") => "vertices",
        _ => "",
    };
    let k = r.within(1, 3);
    let text = match (sites, r.below(7)) {
        ("cells", 0) => "some s1 in cells: at(s1) = empty and at(s1 + east) = empty",
        ("cells", 1) => "no s1 in cells: at(s1) = empty",
        ("cells", 2) => "some s1 in cells: at(s1) = wall or (some s2 in nbrs(s1): at(s2) != empty)",
        ("cells", 3) => {
            return Some(format!(
                "some s1 in cells, s2 in group(s1): s1 != s2 and at(s1) != empty, size(cells) > {k}"
            ));
        }
        ("cells", 5) => {
            "some s1 in cells: size(reach(s1, within: {s2 in cells: at(s2) = empty})) >= 2"
        }
        ("cells" | "vertices", 4) => return Some(format!("size({sites}) <= {k}")),
        ("vertices", 0) if pieces => {
            "some s1 in vertices, s2 in group(s1): s1 != s2 and at(s1) != empty"
        }
        ("vertices", 1) if pieces => {
            "all s1 in vertices: at(s1) != empty or (some s2 in nbrs(s1): at(s2) != empty)"
        }
        ("vertices", 2) => "some s1 in vertices: size(nbrs(s1)) = 1",
        ("vertices", 3) if pieces => {
            "some s1 in vertices: size(reach(s1, within: {s2 in vertices: at(s2) != empty})) >= 2"
        }
        ("vertices", _) => return Some(format!("size(edges) <= {k}")),
        ("cells", _) => return Some(format!("size({{s1 in cells: at(s1) = empty}}) <= {k}")),
        _ if board == "poset" => return Some(format!("size(points) <= {k}")),
        _ if board.starts_with("heaps") && !board.contains('(') => {
            return Some(format!("no n in heaps: n > {k}"));
        }
        _ => return None,
    };
    Some(text.to_owned())
}
