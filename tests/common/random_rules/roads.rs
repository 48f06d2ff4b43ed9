//! Rulesets that are rarely drawn otherwise: a move cuts an edge and removes what is no longer connected to the root, or a
//! move by anyone removes sites and their neighbours, so that a position is the set of remaining sites.

use super::{Random, Sample};

pub fn of_a_road(r: &mut Random) -> Sample {
    let (kind, rules, positions) = match r.below(3) {
        0 => cutting(r),
        _ => taking(r),
    };
    Sample {
        rules,
        positions,
        kind,
        marks: Vec::new(),
    }
}

fn cutting(r: &mut Random) -> (&'static str, String, Vec<String>) {
    const PLAYERS: [(&str, &str); 3] = [
        ("", "b = Left, r = Right, g = Left or Right"),
        ("", "b = Left, r = Right, g = anyone"),
        (
            "  players A, B, C\n  play elimination\n",
            "b = A, r = B, g = C",
        ),
    ];
    let (players, pieces) = r.one(&PLAYERS);
    let whose = r.one(&["p owns at(e)", "p owns at(e)", "at(e) = p"]);
    let rules = format!(
        "ruleset R\n  board graph rooted at ground\n{players}  pieces {pieces} on edges\n  move by p: choose edge e where {whose} then remove e then keep reach(ground)\n"
    );
    const NAMES: [&str; 7] = ["ground", "s", "t", "u", "v", "w", "x"];
    let positions = (0..3).map(|_| {
        let n = r.within(3, 6);
        let mut all = Vec::new();
        for i in 1..n {
            let from = NAMES[r.below(i)];
            all.push(format!("{from} -{}- {}", r.one(&["b", "r", "g"]), NAMES[i]));
        }
        for _ in 0..r.below(3) {
            let (i, j) = (r.below(n), r.below(n));
            if i != j {
                let piece = r.one(&["b", "r", "g"]);
                all.push(format!("{} -{piece}- {}", NAMES[i], NAMES[j]));
            }
        }
        format!("R[{}]", all.join(", "))
    });
    let positions = positions.collect();
    ("cutting", rules, positions)
}

fn taking(r: &mut Random) -> (&'static str, String, Vec<String>) {
    let board = r.one(&["graph", "graph", "grid", "strip"]);
    let body = match board {
        "graph" => r.one(&[
            "choose v then remove v, nbrs(v)",
            "choose u -- v then remove u, v",
            "choose u -- v -- w where u != w then remove u, v, w",
            "choose edge e then remove e",
            "choose u -- v then remove u, v, nbrs(u)",
        ]),
        "grid" => r.one(&[
            "choose a, d in {east, south}, b = a + d where at(a) = empty, at(b) = empty then remove a, b",
            "choose a where at(a) = empty then remove a, nbrs(a)",
            "choose a, b = a + south + east where at(a) = empty, at(b) = empty then remove a, b",
        ]),
        _ => r.one(&[
            "choose a, b = a + east where at(a) = empty, at(b) = empty then remove a, b",
            "choose a where at(a) = empty then remove a, nbrs(a)",
            "choose a, b = a + 2 * east where at(a) = empty, at(b) = empty then remove a, b",
        ]),
    };
    let rules = format!("ruleset R\n  board {board}\n  move by anyone: {body}\n");
    let positions = (0..3).map(|_| match board {
        "grid" => format!("R[grid({}, {})]", r.within(2, 3), r.within(2, 3)),
        "strip" => format!("R[strip({})]", r.within(4, 8)),
        _ => match r.below(4) {
            0 => format!("R[cycle({})]", r.within(4, 6)),
            1 => format!("R[path({})]", r.within(4, 7)),
            2 => "R[grid(2, 3)]".to_owned(),
            _ => {
                const NAMES: [&str; 6] = ["s", "t", "u", "v", "w", "x"];
                let n = r.within(4, 6);
                let mut all = Vec::new();
                for i in 1..n {
                    all.push(format!("{} -- {}", NAMES[r.below(i)], NAMES[i]));
                    if i > 1 && r.once_in(2) {
                        all.push(format!("{} -- {}", NAMES[r.below(i)], NAMES[i]));
                    }
                }
                format!("R[{}]", all.join(", "))
            }
        },
    });
    let positions = positions.collect();
    ("taking", rules, positions)
}
