//! Positions of a composed ruleset: small boards of its kind, with random contents that it declares.

use super::composed::{Board, Draft};

const VERTICES: [&str; 5] = ["w1", "w2", "w3", "w4", "w5"];

/// A position of the draft, for the ruleset `name`.
pub fn position(d: &mut Draft<'_>, name: &str) -> String {
    let (mut entries, sites) = match d.board {
        Board::Heaps => heaps(d),
        Board::Pairs => pairs(d),
        Board::Strip | Board::Grid => cells(d),
        Board::Scalars => (Vec::new(), Vec::new()),
        _ => linked(d),
    };
    if d.counter {
        for site in &sites {
            let n = d.r.below(4);
            if n > 0 {
                entries.push(format!("c({site}): {n}"));
            }
        }
    }
    for scalar in d.scalars.clone() {
        let most = if d.board == Board::Scalars { 6 } else { 3 };
        entries.push(format!("{scalar}: {}", d.r.below(most)));
    }
    if d.token {
        let site = d.r.below(sites.len());
        entries.push(format!("token: {}", sites[site]));
    }
    if d.mark && d.r.once_in(2) {
        let piece = d.r.below(d.pieces.len());
        entries.push(format!("mark: {}", d.pieces[piece]));
    }
    let arguments: Vec<&str> = d.parameters.iter().map(|p| p.2).collect();
    let arguments = match arguments.is_empty() {
        true => String::new(),
        false => format!("({})", arguments.join(", ")),
    };
    format!("{name}{arguments}[{}]", entries.join(", "))
}

fn heaps(d: &mut Draft<'_>) -> (Vec<String>, Vec<String>) {
    // Occasionally a large heap, which a rule for heaps serves otherwise than small ones.
    if d.r.once_in(5) {
        return (vec![d.r.within(6, 14).to_string()], Vec::new());
    }
    let count = d.r.within(1, 3);
    let all = (0..count).map(|_| d.r.within(1, 5).to_string()).collect();
    (all, Vec::new())
}

fn pairs(d: &mut Draft<'_>) -> (Vec<String>, Vec<String>) {
    let count = d.r.within(1, 2);
    let all = (0..count)
        .map(|_| format!("({}, {})", d.r.within(1, 3), d.r.within(1, 3)))
        .collect();
    (all, Vec::new())
}

fn cells(d: &mut Draft<'_>) -> (Vec<String>, Vec<String>) {
    let (rows, columns) = match d.board {
        Board::Grid => (d.r.within(1, 2), d.r.within(1, 3)),
        _ => (1, d.r.within(2, 5)),
    };
    let mut signs = vec![".", ".", "."];
    // Occasionally a wall, possibly at the place of the token.
    if d.r.once_in(3) {
        signs.push("#");
    }
    signs.extend(&d.pieces);
    let mut sites = Vec::new();
    let mut art = Vec::new();
    for row in 1..=rows {
        art.push((0..columns).map(|_| d.r.one(&signs)).collect::<String>());
        for column in 1..=columns {
            sites.push(match d.board {
                Board::Grid => format!("({row}, {column})"),
                _ => column.to_string(),
            });
        }
    }
    let mut art = format!("\"{}\"", art.join("|"));
    if d.board == Board::Grid && d.r.once_in(4) {
        let word = d.r.one(&["both", "rows", "columns"]);
        art = format!("grid({art}, wrap: {word})");
    }
    (vec![art], sites)
}

/// Boards of vertices or elements, with their lines.
fn linked(d: &mut Draft<'_>) -> (Vec<String>, Vec<String>) {
    let n = d.r.within(2, if d.board.on_edges() { 5 } else { 4 });
    let mut names: Vec<&str> = VERTICES[..n].to_vec();
    if d.board.is_rooted() {
        names[0] = "ground";
    }
    let mut entries: Vec<String> = names.iter().map(|name| tagged(d, name)).collect();
    let cyclic = matches!(d.board, Board::Digraph | Board::Arcs) && d.r.once_in(2);
    for i in 0..n {
        for j in 0..n {
            if (i < j || (cyclic && i != j)) && d.r.below(n) <= 1 {
                entries.push(format!("{} {} {}", names[i], link(d), names[j]));
            }
        }
    }
    // Two edges with the same ends.
    if d.board.has_edges() && d.r.once_in(8) {
        entries.push(format!("{} {} {}", names[0], link(d), names[1]));
    }
    (entries, names.iter().map(|n| (*n).to_owned()).collect())
}

fn tagged(d: &mut Draft<'_>, name: &str) -> String {
    if d.stock {
        let mut parts = Vec::new();
        for piece in d.pieces.clone() {
            let n = d.r.below(3);
            if n > 0 {
                parts.push(format!("{n}{piece}"));
            }
        }
        return match parts.is_empty() {
            true => name.to_owned(),
            false => format!("{name}:{}", parts.join("+")),
        };
    }
    if d.has_pieces() && !d.board.on_edges() && d.r.once_in(2) {
        return format!("{name}:{}", d.r.one(&d.pieces));
    }
    name.to_owned()
}

fn link(d: &mut Draft<'_>) -> String {
    let piece = match d.board.on_edges() {
        true => d.r.one(&d.pieces),
        false => "",
    };
    match (d.board, piece) {
        (Board::Poset, _) => "<".to_owned(),
        (b, "") if b.has_arcs() => "->".to_owned(),
        (b, piece) if b.has_arcs() => format!("-{piece}->"),
        (_, "") => "--".to_owned(),
        (_, piece) => format!("-{piece}-"),
    }
}
