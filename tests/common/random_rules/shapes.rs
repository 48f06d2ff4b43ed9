//! Rulesets close to those of the literature, as templates: each kind of board has a few moves that usually give many legal
//! moves, with a random number, direction or condition. Constructs that do not occur here occur in
//! [`composed`](super::composed).
//!
//! Everything is monotone (pieces are placed, removed or moved ahead; heaps and counts shrink), but nothing ensures that play
//! ends: a search must detect a cycle by itself.

use super::Random;

/// The kinds of boards and their contents.
pub const KINDS: [&str; 14] = [
    "heaps", "pairs", "strip", "grid", "graph", "edges", "digraph", "counts", "poset", "scalars",
    "stacks", "arcs", "regular", "mirrored",
];

/// A ruleset on that kind of board, and position literals.
pub fn shaped(kind: &str, r: &mut Random) -> (String, Vec<String>) {
    match kind {
        "heaps" => heaps(r),
        "pairs" => pairs(r),
        "strip" | "grid" => cells(kind, r),
        "graph" => graph(r),
        "edges" => edges(r),
        "digraph" => digraph(r),
        "counts" => counts(r),
        "regular" => regular(r),
        "mirrored" => mirrored(r),
        "poset" => poset(r),
        "stacks" => stacks(r),
        "arcs" => arcs(r),
        _ => scalars(r),
    }
}

/// `by anyone`, `by Left`, `by Right`; where each player needs a move, the caller ensures that.
fn by(r: &mut Random) -> &'static str {
    ["anyone", "Left", "Right", "anyone"][r.below(4)]
}

fn number_set(r: &mut Random, most: usize) -> String {
    let count = r.within(1, 3);
    let all: Vec<String> = (0..count).map(|_| r.within(1, most).to_string()).collect();
    format!("{{{}}}", all.join(", "))
}

fn heaps(r: &mut Random) -> (String, Vec<String>) {
    let limited = r.once_in(4);
    let mut text = String::from("ruleset R\n  board heaps\n");
    if limited {
        text.push_str("  state limit: nat\n");
    }
    for i in 0..r.within(1, 3) {
        let who = if i == 0 { "anyone" } else { by(r) };
        let s = number_set(r, 4);
        let parity = ["", ", n mod 2 = 0", ", n mod 3 != 1", ", not n = 2"][r.below(4)];
        let body = match r.below(8) {
            0 => format!("choose n, s in {s} where s <= n{parity} then n -> [n - s]"),
            1 => format!("choose n, k in {s}, a in 0..n-k where k <= n then n -> [a, n - k - a]"),
            2 => "choose n, k in 1..n-1 where k < n - k then n -> [k, n - k]".to_owned(),
            3 => format!("choose m, n where m < n{parity} then n -> [n - m, m - 1]"),
            4 => "choose m, n where m >= 1, n >= 1 then m -> [m - 1], n -> [n - 1]".to_owned(),
            5 => format!(
                "choose n, k in 1..n where k in {s}{parity} then n -> [n - k]\n    where {} > 0",
                r.within(0, 1)
            ),
            6 if limited => {
                "choose n, k in 1..n where k <= limit then n -> [n - k], limit := 2 * k".to_owned()
            }
            6 => "choose n where n >= 2 then n -> [n div 2]".to_owned(),
            _ if limited => {
                "choose n, k in 1..2 where k <= n then n -> [n - k], limit -= 1".to_owned()
            }
            _ => {
                "choose n where n >= 3 then n -> [n - 2, 1] choose m where m >= 1 then m -> [m - 1]"
                    .to_owned()
            }
        };
        text.push_str(&format!("  move by {who}: {body}\n"));
    }
    let positions = (0..4)
        .map(|_| {
            let (count, most) = match r.once_in(4) {
                true => (1, 14),
                false => (r.within(1, 3), 6),
            };
            let mut parts: Vec<String> =
                (0..count).map(|_| r.within(1, most).to_string()).collect();
            if limited {
                parts.push(format!("limit: {}", r.below(4)));
            }
            format!("R[{}]", parts.join(", "))
        })
        .collect();
    (text, positions)
}

fn pairs(r: &mut Random) -> (String, Vec<String>) {
    let mut text = String::from("ruleset R\n  board heaps (m, n)\n");
    for who in ["Left", "Right"] {
        let (a, b) = if (who == "Left") == (r.below(5) > 0) {
            ("m", "n")
        } else {
            ("n", "m")
        };
        let heap = |x: &str, y: &str| {
            if a == "m" {
                format!("({x}, {y})")
            } else {
                format!("({y}, {x})")
            }
        };
        let body = match r.below(4) {
            0 => format!(
                "k in 1..{a}-1 then (m, n) -> [{}, {}]",
                heap("k", b),
                heap(&format!("{a} - k"), b)
            ),
            1 => format!(
                "k in 1..{a} then (m, n) -> [{}]",
                heap(&format!("{a} - k"), b)
            ),
            2 => format!(
                "k in 1..{a} where k <= {b} then (m, n) -> [{}]",
                heap(&format!("{a} - k"), &format!("{b} - k"))
            ),
            _ => format!(
                "d in 2..{a} where {a} mod d = 0 then (m, n) -> [{} for i in 1..d]",
                heap(&format!("{a} div d"), b)
            ),
        };
        text.push_str(&format!("  move by {who}: choose (m, n), {body}\n"));
    }
    let positions = (0..4)
        .map(|_| {
            let count = r.within(1, 2);
            let parts: Vec<String> = (0..count)
                .map(|_| format!("({}, {})", r.within(1, 4), r.within(1, 4)))
                .collect();
            format!("R[{}]", parts.join(", "))
        })
        .collect();
    (text, positions)
}

fn cells(kind: &str, r: &mut Random) -> (String, Vec<String>) {
    let grid = kind == "grid";
    let green = r.once_in(3);
    let mut text = format!(
        "ruleset R\n  board  {kind}\n  pieces x = Left, o = Right{}\n",
        if green { ", g = Left or Right" } else { "" }
    );
    let ahead = if grid {
        r.one(&[
            "along(Left) = south, along(Right) = east",
            "along(Left) = east, along(Right) = west",
            "along(Left) = south, along(Right) = north",
        ])
    } else {
        "along(Left) = east, along(Right) = west"
    };
    text.push_str(&format!("  let    {ahead}\n"));
    let directions = if grid { "orthogonal" } else { "{east, west}" };
    for _ in 0..r.within(1, 3) {
        let extra = match r.below(8) {
            0 => ", no w in nbrs(a): at(w) = opponent(p)",
            1 => ", some w in nbrs(a): at(w) = empty",
            2 => ", at(a + along(p)) != off",
            3 => ", size(nbrs(a)) >= 1",
            4 => ", all w in nbrs(a): at(w) != p or at(w) = empty",
            _ => "",
        };
        let body = match r.below(13) {
            0 => format!("choose a, b = a + along(p) where at(a) = empty, at(b) = empty{extra} then remove a, b"),
            1 => format!("choose a, b = a + along(p) where at(a) = empty, at(b) = empty{extra} then at(a) := p, at(b) := p"),
            2 => format!("choose a where at(a) = empty{extra}, p in players then at(a) := p"),
            3 => format!("choose a, b = a + along(p) where at(a) = p, at(b) = empty{extra} then at(a) := empty, at(b) := p"),
            4 => format!("choose a, b in nbrs(a) where at(a) = p, at(b) = opponent(p){extra} then at(a) := empty, at(b) := p"),
            5 => "choose a, b = a + along(p), c = b + along(p) where at(a) = p, at(b) = opponent(p), at(c) = empty then at(a) := empty, at(c) := p".to_owned(),
            6 => format!("choose a, b in slide(a, {directions}) where at(a) = p{extra} then remove a, at(b) := p"),
            7 => format!("choose a, d in {directions}, b = a + d where at(a) = p, at(b) = opponent(p) then at(b) := empty, remove a"),
            8 => format!("choose a where p owns at(a){extra} then remove a, each b in nbrs(a) where at(b) = opponent(p): at(b) := empty"),
            9 => format!("choose a, b in slide(a, {directions}) where at(a) = p then at(a) := empty, at(b) := p\n    choose c in slide(b, {directions}) then at(c) := wall"),
            10 => format!("choose a where p owns at(a){extra} then keep nbrs(a) + {{a}} then remove a"),
            11 => "choose a, b in ray(a, along(p)) where p owns at(a), at(b) != empty then remove a, at(b) := empty".to_owned(),
            _ => format!("choose a where p owns at(a){extra} then remove a, ray(a, along(p))"),
        };
        let body = if green && r.once_in(3) {
            body.replace("at(a) = p,", "p owns at(a),")
        } else {
            body
        };
        text.push_str(&format!("  move by p: {body}\n"));
    }
    let glyphs: &[&str] = if green {
        &[".", ".", "x", "o", "g", "x", "o"]
    } else {
        &[".", ".", ".", "x", "o", "x", "o", "#"]
    };
    let positions = (0..4)
        .map(|_| {
            let (m, n) = if grid {
                (r.within(1, 3), r.within(2, 3))
            } else {
                (1, r.within(3, 6))
            };
            let rows: Vec<String> = (0..m)
                .map(|_| (0..n).map(|_| r.one(glyphs)).collect())
                .collect();
            format!("R[\"{}\"]", rows.join("|"))
        })
        .collect();
    (text, positions)
}

/// A random graph on up to five vertices with tags: edges as `a -- b`.
fn links(
    r: &mut Random,
    link: &[&str],
    tag: &mut dyn FnMut(&mut Random) -> String,
    acyclic: bool,
) -> String {
    const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];
    let n = r.within(2, 5);
    let nodes: Vec<String> = NAMES[..n]
        .iter()
        .map(|name| format!("{name}{}", tag(r)))
        .collect();
    let mut all = nodes;
    for (i, from) in NAMES[..n].iter().enumerate() {
        for (j, to) in NAMES[..n].iter().enumerate() {
            if (i < j || (!acyclic && i != j && link[0] == "->")) && r.once_in(2) {
                all.push(format!("{from} {} {to}", r.one(link)));
            }
        }
    }
    all.join(", ")
}

fn graph(r: &mut Random) -> (String, Vec<String>) {
    let mut text = String::from("ruleset R\n  board  graph\n  pieces x = Left, o = Right\n");
    for _ in 0..r.within(1, 3) {
        let body = match r.below(9) {
            0 => "choose v where at(v) = empty, no w in nbrs(v): at(w) = p then at(v) := p",
            1 => {
                "choose v where at(v) = empty, no w in nbrs(v): at(w) = opponent(p) then at(v) := p"
            }
            2 => "choose u -- v where at(u) = empty, at(v) != opponent(p) then remove u, v",
            3 => {
                "choose v where at(v) != opponent(p), size(nbrs(v)) mod 2 = 1, p in players then remove v, nbrs(v)"
            }
            4 => "choose v where p owns at(v) then remove v, nbrs(v)",
            5 => "choose edge e where some v in ends(e): at(v) = p then remove e",
            6 => {
                "choose u -- v where at(u) = p, at(v) = opponent(p) then at(u) := empty, at(v) := p"
            }
            7 => {
                "choose edge e, v in ends(e) where at(v) != opponent(p), p in players then remove e then keep reach(v)"
            }
            _ => "choose v, w in nbrs(v) where at(v) = p, at(w) = empty then remove v, at(w) := p",
        };
        text.push_str(&format!("  move by p: {body}\n"));
    }
    let positions = (0..4)
        .map(|_| {
            format!(
                "R[{}]",
                links(
                    r,
                    &["--"],
                    &mut |r| r.one(&["", "", ":x", ":o"]).to_owned(),
                    true
                )
            )
        })
        .collect();
    (text, positions)
}

/// Rules on graphs, with highly symmetric boards.
fn regular(r: &mut Random) -> (String, Vec<String>) {
    let (text, _) = graph(r);
    let positions = (0..4)
        .map(|_| match r.below(6) {
            0 => format!("R[cycle({})]", r.within(3, 6)),
            1 => format!("R[complete({})]", r.within(2, 4)),
            2 => "R[grid(2, 3)]".to_owned(),
            3 => format!("R[path({})]", r.within(3, 6)),
            4 => "R[a -- b, c -- d, e]".to_owned(),
            _ => {
                const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];
                let n = r.within(3, 5);
                let names = NAMES[..n].iter();
                let mut all: Vec<String> = names
                    .map(|name| format!("{name}{}", r.one(&["", "", "", ":x", ":o"])))
                    .collect();
                for i in 0..n {
                    all.push(format!("{} -- {}", NAMES[i], NAMES[(i + 1) % n]));
                }
                format!("R[{}]", all.join(", "))
            }
        })
        .collect();
    (text, positions)
}

/// Counts on boards that are symmetric between the players.
fn mirrored(r: &mut Random) -> (String, Vec<String>) {
    let (text, _) = counts(r);
    let positions = (0..4)
        .map(|_| {
            let mut tag = |r: &mut Random| {
                let one = ["", ":1b+1r", ":1b+1r+1g", ":1g", ":2b+2r"];
                r.one(&one).to_owned()
            };
            let text = links(r, &["->"], &mut tag, true);
            format!("R[{}]", vertices_without_pieces(&text))
        })
        .collect();
    (text, positions)
}

fn edges(r: &mut Random) -> (String, Vec<String>) {
    let mut text = String::from(
        "ruleset R\n  board  graph rooted at ground\n  pieces b = Left, r = Right, g = Left or Right on edges\n",
    );
    for _ in 0..r.within(1, 2) {
        let body = match r.below(5) {
            0 | 1 => "choose edge e where p owns at(e) then remove e then keep reach(ground)",
            2 => {
                "choose edge e where p owns at(e), no f in edges: at(f) = g and at(e) != g then remove e"
            }
            3 => "choose edge e where at(e) = g, p in players then at(e) := p",
            _ => {
                "choose edge e, v in ends(e) where p owns at(e), v != ground then remove v then keep reach(ground)"
            }
        };
        text.push_str(&format!("  move by p: {body}\n"));
    }
    let positions = (0..4)
        .map(|_| {
            const NAMES: [&str; 5] = ["ground", "a", "b", "c", "d"];
            let mut all = Vec::new();
            for i in 1..r.within(2, 5) {
                let from = NAMES[r.below(i)];
                all.push(format!("{from} -{}- {}", r.one(&["b", "r", "g"]), NAMES[i]));
            }
            if r.once_in(3) && all.len() > 1 {
                all.push(format!("ground -{}- a", r.one(&["b", "r", "g"])));
            }
            // Names of pieces cannot be names of vertices here.
            let text = all
                .join(", ")
                .replace(" b,", " y,")
                .replace("- b", "- y")
                .replace("b -", "y -");
            format!("R[{}]", text.replace("-y-", "-b-"))
        })
        .collect();
    (text, positions)
}

/// Pieces on arcs.
fn arcs(r: &mut Random) -> (String, Vec<String>) {
    let mut text = String::from(
        "ruleset R\n  board digraph\n  pieces b = Left, r = Right, g = Left or Right on edges\n",
    );
    for _ in 0..r.within(1, 2) {
        let body = match r.below(5) {
            0 => "choose edge e where p owns at(e) then remove e",
            1 => "choose edge e, x in ends(e) where p owns at(e) then remove x",
            2 => {
                "choose u -> v, edge e where u in ends(e), v in ends(e), p owns at(e), size(out(v)) >= 1 then remove e"
            }
            3 => "choose edge e where at(e) = g, p in players then at(e) := p",
            _ => "choose u -> v, edge e where p owns at(e), u in ends(e) then remove out(v), e",
        };
        text.push_str(&format!("  move by p: {body}\n"));
    }
    let positions = (0..4)
        .map(|_| {
            let all = links(r, &["-b->", "-r->", "-g->"], &mut |_| String::new(), true);
            // Names of pieces cannot be names of vertices here.
            let named: Vec<String> = all
                .split(' ')
                .map(|word| match word {
                    "b" | "b," => word.replace('b', "y"),
                    _ => word.to_owned(),
                })
                .collect();
            format!("R[{}]", named.join(" "))
        })
        .collect();
    (text, positions)
}

fn digraph(r: &mut Random) -> (String, Vec<String>) {
    let mut text = String::from("ruleset R\n  board  digraph\n  pieces x = Left, o = Right\n");
    let token = r.once_in(3);
    if token {
        text.push_str("  state  token: vertex\n");
    }
    for i in 0..r.within(1, 2) {
        let body = match if token && i == 0 {
            r.within(5, 6)
        } else if token {
            1
        } else {
            r.below(5)
        } {
            0 => "choose u -> v where at(u) = p, at(v) = empty then remove u, at(v) := p",
            1 => "choose v where at(v) = empty, no w in into(v): at(w) = p then at(v) := p",
            2 => {
                "choose v where at(v) != opponent(p), size(out(v)) >= 1, p in players then remove v"
            }
            3 => "choose v where p owns at(v) then remove reach(v)",
            4 => {
                "choose u -> v where at(u) = p, at(v) = opponent(p) then at(u) := empty, at(v) := p"
            }
            5 => "choose v in out(token) where at(v) != opponent(p) then remove token, token := v",
            _ => {
                "choose v in out(token) where at(token) != opponent(p) then token := v, each w in into(v) where w = token: at(w) := p\n    where size(out(v)) >= 0"
            }
        };
        text.push_str(&format!("  move by p: {body}\n"));
    }
    let positions = (0..4)
        .map(|_| {
            let acyclic = token;
            let mut inside = links(
                r,
                &["->"],
                &mut |r| r.one(&["", "", ":x", ":o"]).to_owned(),
                acyclic,
            );
            if token {
                inside.push_str(", token: a");
            }
            format!("R[{inside}]")
        })
        .collect();
    (text, positions)
}

fn counts(r: &mut Random) -> (String, Vec<String>) {
    let mut text = String::from(
        "ruleset R\n  board  digraph acyclic\n  pieces b = Left, r = Right, g = Left or Right\n  state  pebbles(piece, vertex): nat\n  let    own(Left) = b, own(Right) = r\n",
    );
    for _ in 0..r.within(1, 2) {
        let body = match r.below(6) {
            0 => {
                "choose u -> v, piece c, piece d where p owns c, p owns d, c = g or pebbles(own(opponent(p)), v) = 0 then pebbles(c, u) -= 1, pebbles(d, u) -= 1, pebbles(c, v) += 1"
            }
            1 => {
                "choose u -> v, i in 0..pebbles(own(p), v), j in 0..pebbles(g, v) where i + j >= 1, i = 0 or pebbles(own(opponent(p)), u) = 0 then pebbles(own(p), v) -= i, pebbles(own(p), u) += i, pebbles(g, v) -= j, pebbles(g, u) += j"
            }
            2 => {
                "choose u -> v, piece c where p owns c then pebbles(c, u) -= 1, pebbles(c, v) += 1"
            }
            3 => {
                "choose v, piece c where p owns c, pebbles(c, v) >= 2 then pebbles(c, v) -= 2, pebbles(own(opponent(p)), v) += 1"
            }
            4 => {
                "choose u -> v where pebbles(own(p), u) > pebbles(own(opponent(p)), v) then pebbles(own(p), u) -= 1, pebbles(own(opponent(p)), v) := 0"
            }
            _ => {
                "choose v, k in 1..3 where pebbles(own(p), v) >= k, no w in into(v): pebbles(own(p), w) > 0 then pebbles(own(p), v) -= k"
            }
        };
        text.push_str(&format!("  move by p: {body}\n"));
    }
    let positions = (0..4)
        .map(|_| {
            let mut tag = |r: &mut Random| {
                let mut parts = Vec::new();
                for piece in ["b", "r", "g"] {
                    let n = r.below(3);
                    if n > 0 && (piece != "g" || r.once_in(2)) {
                        parts.push(format!("{n}{piece}"));
                    }
                }
                if parts.is_empty() {
                    String::new()
                } else {
                    format!(":{}", parts.join("+"))
                }
            };
            let text = links(r, &["->"], &mut tag, true);
            format!("R[{}]", vertices_without_pieces(&text))
        })
        .collect();
    (text, positions)
}

/// Renames the vertices a..e to s..w, since `b` and `g` are pieces.
fn vertices_without_pieces(text: &str) -> String {
    let mut out = String::new();
    let mut inside_tag = false;
    for c in text.chars() {
        match c {
            ':' => inside_tag = true,
            ',' | ' ' => inside_tag = false,
            _ => {}
        }
        out.push(match c {
            'a'..='e' if !inside_tag => char::from(b's' + (c as u8 - b'a')),
            c => c,
        });
    }
    out
}

fn poset(r: &mut Random) -> (String, Vec<String>) {
    let mut text = String::from("ruleset R\n  board  poset\n  pieces x = Left, o = Right\n");
    for _ in 0..r.within(1, 2) {
        let body = match r.below(6) {
            0 | 1 => "choose v where at(v) != opponent(p), p in players then remove up(v)",
            2 => "choose v where p owns at(v) then remove down(v)",
            3 => "choose v where at(v) = empty, size(up(v)) <= 2 then at(v) := p",
            4 => "choose v where at(v) = empty, no w in down(v): at(w) = opponent(p) then remove v",
            _ => "choose v, w in up(v) where at(v) = p, at(w) != p, w != v then remove up(w)",
        };
        text.push_str(&format!("  move by p: {body}\n"));
    }
    let positions = (0..4)
        .map(|_| {
            format!(
                "R[{}]",
                links(
                    r,
                    &["<"],
                    &mut |r| r.one(&["", ":x", ":o"]).to_owned(),
                    true
                )
            )
        })
        .collect();
    (text, positions)
}

/// Counts on a strip that are moved from cell to cell; all positions share their board.
fn stacks(r: &mut Random) -> (String, Vec<String>) {
    let mut text = String::from(
        "ruleset R\n  board strip\n  state c(cell): nat\n  let along(Left) = west, along(Right) = east\n",
    );
    for _ in 0..r.within(1, 3) {
        let ahead = r.one(&["b = a + along(p)", "b = a + west", "b in nbrs(a)"]);
        let body = match r.below(8) {
            0 => format!("choose a, {ahead}, k in 1..c(a) then c(a) -= k, c(b) += k"),
            1 => "choose a, k in 1..c(a) then c(a) -= k".to_owned(),
            2 => format!("choose a, {ahead} where c(a) > c(b) then c(a) -= 1, c(b) += 1"),
            3 => format!("choose a, {ahead} where c(a) >= 2 then c(a) -= 2, c(b) += 1"),
            4 => "choose a where no b in cells: c(b) > c(a) then c(a) -= 1".to_owned(),
            5 => format!("choose a, {ahead}, k in {{1, 2}} then c(a) -= k, c(b) := c(a)"),
            6 => "choose a, k in 1..c(a) where at(a + west) = off then c(a) -= k".to_owned(),
            _ => format!("choose a, {ahead} where c(a) >= 1, c(b) >= 1 then c(a) := 0, c(b) += 1"),
        };
        let who = if body.contains("(p)") { "p" } else { by(r) };
        text.push_str(&format!("  move by {who}: {body}\n"));
    }
    let n = r.within(2, 4);
    let positions = (0..4)
        .map(|_| {
            let counts: Vec<String> = (0..n).map(|_| r.below(3).to_string()).collect();
            format!("R[strip({n}), c: [{}]]", counts.join(", "))
        })
        .collect();
    (text, positions)
}

fn scalars(r: &mut Random) -> (String, Vec<String>) {
    let mut text = String::from("ruleset R\n  state m, n: nat\n  state turn: nat\n");
    for i in 0..r.within(2, 3) {
        let who = if i == 0 { "anyone" } else { by(r) };
        let body = match r.below(6) {
            0 => "choose k in 1..m then m -= k",
            1 => "choose k in 1..n then n -= k, turn += 1",
            2 => "choose k in 1..min({m, n}) then m -= k, n -= k",
            3 => "where m >= 2, n mod 2 = 1 or turn > 1 then m := m div 2",
            4 => "choose k in 1..m where k * n <= m, n >= 1 then m -= k * n",
            _ => "choose k in {1, 2} then m -= k, n += 1, turn -= 1",
        };
        text.push_str(&format!("  move by {who}: {body}\n"));
    }
    let positions = (0..4)
        .map(|_| {
            format!(
                "R[m: {}, n: {}, turn: {}]",
                r.below(6),
                r.below(6),
                r.below(3)
            )
        })
        .collect();
    (text, positions)
}
