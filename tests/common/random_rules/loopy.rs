//! Rulesets whose play can repeat: walks on graphs with arcs of either player, which give all loopy games with few positions;
//! stones that move in both directions; and counts that go up and down within bounds. Some define the result of endless play.

use super::{Random, Sample};

pub fn loopy(r: &mut Random) -> Sample {
    let (kind, mut rules, positions) = match r.below(6) {
        0 => stones(r),
        1 => counts(r),
        2 => everyones(r),
        _ => walk(r),
    };
    match r.below(10) {
        0 => rules.push_str("  endless win Left\n"),
        1 => rules.push_str("  endless win Right\n"),
        _ => {}
    }
    Sample {
        rules,
        positions,
        kind,
        marks: vec!["loopy by design"],
    }
}

/// A literal with arcs between a few vertices, a third of them drawn from `arcs`.
fn graph(r: &mut Random, arcs: &[&str]) -> String {
    const NAMES: [&str; 5] = ["u", "v", "w", "y", "z"];
    let n = r.within(2, 5);
    let mut all: Vec<String> = NAMES[..n].iter().map(|name| (*name).to_owned()).collect();
    let most = r.within(n, 2 * n + 1);
    let mut seen = Vec::new();
    for _ in 0..most {
        let (from, to) = (r.below(n), r.below(n));
        let arc = r.one(arcs);
        if !seen.contains(&(from, to)) {
            seen.push((from, to));
            all.push(format!("{} {arc} {}", NAMES[from], NAMES[to]));
        }
    }
    format!("R[{}, token: u]", all.join(", "))
}

fn walk(r: &mut Random) -> (&'static str, String, Vec<String>) {
    let mut rules = String::from(
        "ruleset R\n  board digraph\n  pieces l = Left, r = Right, b = anyone on edges\n  state token: vertex\n  move by p: choose edge e where tail(e) = token, p owns at(e) then token := head(e)\n",
    );
    // An arc that is removed, reversed, or closed to the other player.
    match r.below(6) {
        0 => rules.push_str(
            "  move by p: choose edge e where head(e) = token, at(e) = p then remove e, token := tail(e)\n",
        ),
        1 => rules.push_str(
            "  move by p: choose edge e where tail(e) = token, at(e) = opponent(p) then at(e) := p\n",
        ),
        2 => rules.push_str(
            "  move by anyone: choose v in out(token) where size(out(v)) = 0 then token := v\n",
        ),
        _ => {}
    }
    let arcs = ["-l->", "-l->", "-r->", "-r->", "-b->"];
    let positions = (0..3).map(|_| graph(r, &arcs)).collect();
    ("walk", rules, positions)
}

fn everyones(r: &mut Random) -> (&'static str, String, Vec<String>) {
    let mut rules = String::from(
        "ruleset R\n  board digraph\n  state token: vertex\n  move by anyone: choose v in out(token) then token := v\n",
    );
    if r.once_in(3) {
        rules.push_str("  move by anyone: choose v in into(token) where size(into(v)) = 0 then remove token, token := v\n");
    }
    let positions = (0..3).map(|_| graph(r, &["->"])).collect();
    ("everyone's walk", rules, positions)
}

fn stones(r: &mut Random) -> (&'static str, String, Vec<String>) {
    let board = r.one(&["strip", "strip", "grid"]);
    let mut rules = format!(
        "ruleset R\n  board {board}\n  pieces x = Left, o = Right\n  let ahead(Left) = east, ahead(Right) = west\n"
    );
    let to = r.one(&[
        "b in nbrs(a)",
        "b = a + ahead(p)",
        "d in orthogonal, b = a + d",
    ]);
    let more = r.one(&[
        "",
        "",
        ", size(group(a)) = 1",
        ", no c in nbrs(b): at(c) = opponent(p)",
    ]);
    rules.push_str(&format!(
        "  move by p: choose a, {to} where at(a) = p, at(b) = empty{more} then at(a) := empty, at(b) := p\n"
    ));
    let second = [
        "choose a, b = a + 2 * ahead(p) where at(a) = p, at(a + ahead(p)) = opponent(p), at(b) = empty then at(a) := empty, at(b) := p",
        "choose a, b = a + ahead(p) where at(a) = p, at(b) = opponent(p) then at(a) := empty, at(b) := p",
        "choose a where at(a) = p, some b in nbrs(a): at(b) = opponent(p) then at(a) := empty",
        "choose a, b = a + ahead(p) where at(a) = p, at(b) = empty then at(b) := wall",
        "choose a, b in nbrs(a) where at(a) = p, at(b) = opponent(p) then at(a) := opponent(p), at(b) := p",
    ];
    for _ in 0..r.below(3) {
        rules.push_str(&format!("  move by p: {}\n", r.one(&second)));
    }
    let positions = (0..3)
        .map(|_| {
            let (rows, columns) = match board {
                "grid" => (2, r.within(2, 3)),
                _ => (1, r.within(3, 5)),
            };
            let row = |r: &mut Random| -> String {
                (0..columns)
                    .map(|_| r.one(&[".", ".", ".", "x", "o", "#"]))
                    .collect()
            };
            let art: Vec<String> = (0..rows).map(|_| row(r)).collect();
            let art = format!("\"{}\"", art.join("|"));
            match board == "grid" && r.once_in(3) {
                true => format!(
                    "R[grid({art}, wrap: {})]",
                    r.one(&["both", "rows", "columns"])
                ),
                false => format!("R[{art}]"),
            }
        })
        .collect();
    ("stones", rules, positions)
}

fn counts(r: &mut Random) -> (&'static str, String, Vec<String>) {
    let mut rules = String::from("ruleset R\n  state m, n: nat\n");
    let who = |r: &mut Random| r.one(&["Left", "Right", "anyone"]);
    for _ in 0..r.within(2, 4) {
        let (a, b) = r.one(&[("m", "n"), ("n", "m")]);
        let k = r.within(1, 3);
        let body = match r.below(6) {
            0 => format!("where {a} < {k} then {a} += 1"),
            1 => format!("choose k in 1..{a} then {a} -= k"),
            2 => format!("where {a} > {b} then {a} := {b}, {b} := {a}"),
            3 => format!("where {a} >= {k} then {a} := {a} div 2, {b} := {k}"),
            4 => format!("where {a} >= 1, {b} < 3 then {a} -= 1, {b} += 1"),
            _ => format!("where {a} = {k} then {a} := 0"),
        };
        rules.push_str(&format!("  move by {}: {body}\n", who(r)));
    }
    let positions = (0..3)
        .map(|_| format!("R[m: {}, n: {}]", r.below(4), r.below(4)))
        .collect();
    ("counts up and down", rules, positions)
}
