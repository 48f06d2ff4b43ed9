//! The naive evaluator of moves against options worked out by hand from the rules, and positions that read back.

use crate::load::{answers, load, load_file, options, positions, try_load};
use cgdsl::game::Player;
use cgdsl::ir::{Evaluator, NoHost, Val, draw, naive};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const L: Player = Player::LEFT;
const R: Player = Player::RIGHT;

const RULES: &str = r#"
ruleset Nim
  board heaps
  move by anyone: choose n, k in 1..n then n -> [n - k]
ruleset Subtraction(S: set of nat)
  board heaps
  move by anyone: choose n, s in S where s <= n then n -> [n - s]
ruleset Kayles
  board heaps
  move by anyone: choose n, k in {1, 2}, a in 0..n-k then n -> [a, n-k-a]
ruleset Pair
  board heaps
  move by anyone: choose m, n where m <= n, m >= 1 then m -> [m - 1], n -> [n - 1]
ruleset Cutcake
  board heaps (m, n)
  move by Left:  choose (m, n), k in 1..m-1 then (m, n) -> [(k, n), (m - k, n)]
  move by Right: choose (m, n), k in 1..n-1 then (m, n) -> [(m, k), (m, n - k)]
ruleset Pebbles
  board  graph
  pieces o
  move by anyone: choose v where at(v) = empty, no w in nbrs(v): at(w) = o then at(v) := o
ruleset Domineering
  board  grid
  let    along(Left) = south, along(Right) = east
  move by p: choose a, b = a + along(p) where at(a) = empty, at(b) = empty then remove a, b
ruleset Cram = impartial(Domineering)
ruleset Clobber
  board  grid
  pieces x = Left, o = Right
  move by p: choose a, b in nbrs(a) where at(a) = p, at(b) = opponent(p) then at(a) := empty, at(b) := p
ruleset Amazons
  board  grid
  pieces x = Left, o = Right
  move by p:
    choose a, b in slide(a, compass) where at(a) = p then at(a) := empty, at(b) := p
    choose c in slide(b, compass)                     then at(c) := wall
ruleset Toads
  board  strip
  pieces x = Left, o = Right
  let    ahead(Left) = east, ahead(Right) = west
  move by p: choose a, b = a + ahead(p) where at(a) = p, at(b) = empty then at(a) := empty, at(b) := p
  move by p: choose a, b = a + ahead(p), c = b + ahead(p)
    where at(a) = p, at(b) = opponent(p), at(c) = empty then at(a) := empty, at(c) := p
ruleset PosetGame
  board poset
  move by anyone: choose x then remove up(x)
ruleset BlackWhite
  board poset
  pieces b = Left, w = Right
  move by p: choose x where at(x) = p then remove up(x)
ruleset Hackenbush
  board  graph rooted at ground
  pieces b = Left, r = Right, g = Left or Right on edges
  move by p: choose edge e where p owns at(e) then remove e then keep reach(ground)
ruleset NHackenbush(n: nat)
  board   graph rooted at ground
  players 1..n
  pieces  1..n on edges
  play    elimination
  move by p: choose edge e where at(e) = p then remove e then keep reach(ground)
ruleset Geography
  board digraph
  state token: vertex
  move by anyone: choose v in out(token) then remove token, token := v
ruleset ArcKayles
  board graph
  move by anyone: choose u -- v then remove u, v
ruleset EndNim
  board strip
  state size(cell): nat
  move by Left: choose a, k in 1..size(a) where no b in cells: b < a and size(b) > 0 then size(a) -= k
ruleset Share
  board heaps
  move by Left: choose n, m, k in 1..n where m >= k then n -> [n - k], m -> [m - k]
  move by Right: choose n, m where n <= m then n -> [], m -> [m - n, 1]
ruleset Wythoff
  state m, n: nat
  move by anyone: choose k in 1..m then m -= k
  move by anyone: choose k in 1..n then n -= k
  move by anyone: choose k in 1..min({m, n}) then m -= k, n -= k
ruleset Pebbling
  board  digraph acyclic
  pieces b = Left, r = Right, g = Left or Right
  state  pebbles(piece, vertex): nat
  let    own(Left) = b, own(Right) = r
  move back by p:
    choose u -> v, i in 0..pebbles(own(p), v), j in 0..pebbles(g, v)
    where  i + j >= 1, i = 0 or pebbles(own(opponent(p)), u) = 0
    then   pebbles(own(p), v) -= i, pebbles(own(p), u) += i,
           pebbles(g, v) -= j,      pebbles(g, u) += j
  move along by p:
    choose u -> v, piece c, piece d
    where  p owns c, p owns d, c = g or pebbles(own(opponent(p)), v) = 0
    then   pebbles(c, u) -= 1, pebbles(d, u) -= 1, pebbles(c, v) += 1
"#;

/// The options of a player at a position are exactly these: written alike, and the same as what is written.
fn check(position: &str, player: Player, want: &[&str]) {
    let mut text = format!("{RULES}\neval {position}\n");
    for option in want {
        text.push_str(&format!("eval {option}\n"));
    }
    let model = load(&text);
    let all = positions(&model);
    assert_eq!(all.len(), 1 + want.len(), "{position}");
    let written = all[1..].iter().cloned().map(Val::Position).collect();
    if let Ok(found) = naive::moves(&Evaluator::new(&model, &NoHost), &all[0], player) {
        let found = found
            .into_iter()
            .map(|m| Val::Position(Arc::new(m.position)));
        let same = Val::set(found.collect()) == Val::set(written);
        assert!(same, "{position}: not the same positions as {want:?}");
    }
    let mut want: Vec<&str> = want.to_vec();
    want.sort_unstable();
    match options(&model, &all[0], player) {
        Ok(found) => assert_eq!(found, want, "{position} {player:?}"),
        Err(f) => panic!("{position}: {f}"),
    }
}

#[test]
fn heaps() {
    for p in [L, R] {
        check("Nim[2, 1]", p, &["Nim[2]", "Nim[1]", "Nim[1, 1]"]);
        check("Nim[0]", p, &[]);
        check("Nim[1]", p, &["Nim[0]"]);
        check(
            "Subtraction({1, 3})[3]",
            p,
            &["Subtraction({1, 3})[2]", "Subtraction({1, 3})[0]"],
        );
        check("Kayles[3]", p, &["Kayles[2]", "Kayles[1, 1]", "Kayles[1]"]);
        // Two heap binders take different heaps, perhaps of equal size.
        check("Pair[2]", p, &[]);
        check("Pair[2, 2]", p, &["Pair[1, 1]"]);
        check("Pair[1, 2, 2]", p, &["Pair[1, 2]", "Pair[1, 1, 1]"]);
    }
    let taken = [
        "Share[1, 1, 1, 1]",
        "Share[1, 1]",
        "Share[1, 1, 2]",
        "Share[2, 2]",
    ];
    check("Share[1, 1, 2, 2]", L, &taken);
    let moved = ["Share[1, 3, 3]", "Share[1, 1, 2, 3]", "Share[1, 2, 2]"];
    check("Share[2, 2, 3, 3]", R, &moved);
    check("Cutcake[(3, 2)]", L, &["Cutcake[(1, 2), (2, 2)]"]);
    check("Cutcake[(3, 2)]", R, &["Cutcake[(3, 1), (3, 1)]"]);
}

#[test]
fn grids_and_strips() {
    check(
        "Domineering[grid(2, 2)]",
        L,
        &["Domineering[\"#.|#.\"]", "Domineering[\".#|.#\"]"],
    );
    check(
        "Domineering[grid(2, 2)]",
        R,
        &["Domineering[\"##|..\"]", "Domineering[\"..|##\"]"],
    );
    check("Domineering[\".#|#.\"]", L, &[]);
    check("Cram[grid(1, 2)]", L, &["Cram[\"##\"]"]);
    check("Cram[grid(2, 1)]", R, &["Cram[\"#|#\"]"]);
    check("Clobber[\"xo.\"]", L, &["Clobber[\".x.\"]"]);
    check("Clobber[\"xo.\"]", R, &["Clobber[\"o..\"]"]);
    check("Clobber[\"x.o\"]", L, &[]);
    // Two stages: the cell left is free for the arrow; without a place for it the move is none.
    check("Amazons[\"x.\"]", L, &["Amazons[\"#x\"]"]);
    check(
        "Amazons[\"x..\"]",
        L,
        &[
            "Amazons[\"#x.\"]",
            "Amazons[\".x#\"]",
            "Amazons[\"#.x\"]",
            "Amazons[\".#x\"]",
        ],
    );
    check("Amazons[\"x#.\"]", L, &[]);
    check("Toads[\"xo.\"]", L, &["Toads[\".ox\"]"]);
    check("Toads[\"x.o\"]", L, &["Toads[\".xo\"]"]);
    check("Toads[\"x.o\"]", R, &["Toads[\"xo.\"]"]);
    check("Toads[\"xo\"]", L, &[]);
}

#[test]
fn graphs_and_digraphs() {
    check(
        "Pebbles[strip(3)]",
        L,
        &["Pebbles[\"o..\"]", "Pebbles[\".o.\"]", "Pebbles[\"..o\"]"],
    );
    check(
        "Pebbles[a:o -- b -- c -- d]",
        L,
        &[
            "Pebbles[a:o -- b -- c:o -- d]",
            "Pebbles[a:o -- b -- c -- d:o]",
        ],
    );
    check("Hackenbush[ground -b- u -r- w]", L, &["Hackenbush[ground]"]);
    check(
        "Hackenbush[ground -b- u -r- w]",
        R,
        &["Hackenbush[ground -b- u]"],
    );
    check(
        "Hackenbush[ground -g- u -b- ground]",
        L,
        &["Hackenbush[u -b- ground]", "Hackenbush[ground -g- u]"],
    );
    check(
        "NHackenbush(3)[ground -2- u -1- w]",
        Player(0),
        &["NHackenbush(3)[ground -2- u]"],
    );
    check(
        "NHackenbush(3)[ground -2- u -1- w]",
        Player(1),
        &["NHackenbush(3)[ground]"],
    );
    check("NHackenbush(3)[ground -2- u -1- w]", Player(2), &[]);
    check(
        "Geography[cycle(3), token: c[1]]",
        L,
        &["Geography[c[2] -> c[3], token: c[2]]"],
    );
    check(
        "Geography[a -> b, a -> c, token: a]",
        L,
        &["Geography[b, c, token: b]", "Geography[b, c, token: c]"],
    );
    check(
        "ArcKayles[a -- b -- c]",
        L,
        &["ArcKayles[c]", "ArcKayles[a]"],
    );
    check(
        "ArcKayles[grid(1, 3)]",
        L,
        &["ArcKayles[\"##.\"]", "ArcKayles[\".##\"]"],
    );
}

#[test]
fn posets() {
    check(
        "PosetGame[a < c, b < c, b < d]",
        L,
        &[
            "PosetGame[b < d]",
            "PosetGame[a]",
            "PosetGame[b < d, a]",
            "PosetGame[a < c, b < c]",
        ],
    );
    check(
        "PosetGame[chomp(2, 2)]",
        R,
        &[
            "PosetGame[(2, 1)]",
            "PosetGame[(1, 2)]",
            "PosetGame[(1, 2), (2, 1)]",
        ],
    );
    check("BlackWhite[a:b < c:w]", L, &["BlackWhite[]"]);
    check("BlackWhite[a:b < c:w]", R, &["BlackWhite[a:b]"]);
}

#[test]
fn scalars_and_counts() {
    check(
        "Wythoff[m: 1, n: 2]",
        L,
        &[
            "Wythoff[m: 0, n: 2]",
            "Wythoff[m: 1, n: 1]",
            "Wythoff[m: 1, n: 0]",
            "Wythoff[m: 0, n: 1]",
        ],
    );
    check(
        "EndNim[strip(3), size: [0, 2, 1]]",
        L,
        &[
            "EndNim[strip(3), size: [0, 1, 1]]",
            "EndNim[strip(3), size: [0, 0, 1]]",
        ],
    );
    check("EndNim[strip(3), size: [0, 2, 1]]", R, &[]);
    // Blocking Pebbles, Theorem 3.1 of the paper for k = 1: two blue on v, one red on u, arc u -> v: nothing goes back
    // past red, and along nothing leaves v.
    check("Pebbling[u:1r -> v:2b]", L, &[]);
    check("Pebbling[u:1r -> v:2b]", R, &[]);
    check("Pebbling[u:2b -> v]", L, &["Pebbling[u -> v:1b]"]);
    check(
        "Pebbling[u -> v:1b+1g]",
        L,
        &[
            "Pebbling[u:1b -> v:1g]",
            "Pebbling[u:1g -> v:1b]",
            "Pebbling[u:1b+1g -> v]",
        ],
    );
    check(
        "Pebbling[u:1b+1g -> v]",
        L,
        &["Pebbling[u -> v:1b]", "Pebbling[u -> v:1g]"],
    );
    // What is not there cannot be taken, even if it comes in the same step.
    check("Pebbling[u:1b -> v]", L, &[]);
}

/// Sets of positions: names count, the order of writing and what was removed do not.
#[test]
fn the_same_to_see() {
    for (position, other, same) in [
        (
            "Hackenbush[ground -b- u -r- v]",
            "Hackenbush[v -r- u, u -b- ground]",
            true,
        ),
        (
            "Hackenbush[ground -b- u]",
            "Hackenbush[ground -b- v]",
            false,
        ),
        (
            "Hackenbush[stalk(\"b\")]",
            "Hackenbush[ground -b- c[1]]",
            true,
        ),
        (
            "Hackenbush[ground -b- u -r- ground]",
            "Hackenbush[ground -r- u -b- ground]",
            true,
        ),
        (
            "Hackenbush[ground -b- u -b- ground]",
            "Hackenbush[ground -r- u -b- ground]",
            false,
        ),
        (
            "PosetGame[a < b, b < c]",
            "PosetGame[a < c, a < b < c]",
            true,
        ),
        ("PosetGame[a < b, a < c]", "PosetGame[b < a, b < c]", false),
        ("Pebbling[u:1b -> v]", "Pebbling[v, u:1b, u -> v]", true),
        ("Pebbling[u:1b -> v]", "Pebbling[u -> v:1b]", false),
        (
            "Geography[cycle(3), token: c[1]]",
            "Geography[cycle(3), token: c[2]]",
            false,
        ),
        ("Nim[2, 1]", "Nim[1, 0, 2]", true),
        ("Nim[2] + Nim[2]", "2 * Nim[2]", true),
        ("Nim[2] + Nim[2]", "Nim[2, 2]", false),
        ("Nim[2]", "-Nim[2]", false),
        ("Domineering[\"..#\"]", "Domineering[\"#..\"]", false),
        ("Wythoff[m: 1, n: 2]", "Wythoff[m: 2, n: 1]", false),
    ] {
        let all = positions(&load(&format!("{RULES}\neval {position}\neval {other}\n")));
        assert_eq!(all[0].is_same(&all[1]), same, "{position} and {other}");
        assert_eq!(
            Val::Position(all[0].clone()) == Val::Position(all[1].clone()),
            same
        );
    }
}

#[test]
fn sums_and_negatives() {
    check(
        "Clobber[\"xo\"] + Nim[1]",
        L,
        &["Nim[1] + Clobber[\".x\"]", "Nim[0] + Clobber[\"xo\"]"],
    );
    check("-Hackenbush[stalk(\"b\")]", L, &[]);
    check("-Hackenbush[stalk(\"b\")]", R, &["-Hackenbush[ground]"]);
    check("2 * Nim[1]", L, &["Nim[0] + Nim[1]"]);
}

/// A fault has its code, the choice and the position.
#[test]
fn faults_show_choice_and_position() {
    let text = "ruleset Push\n  board  grid\n  pieces x = Left\n  move by Left: choose a where at(a) = x then at(a) := empty, at(a + east) := x\n\
                eval Push[\".x\"]\n";
    let model = load(text);
    let p = positions(&model);
    let fault = options(&model, &p[0], L).unwrap_err();
    assert_eq!(fault.code.text(), "E0401");
    assert_eq!(fault.bindings[0].0.as_ref(), "a");
    assert_eq!(fault.bindings[0].1, "(1, 2)");
    assert_eq!(fault.position.as_deref(), Some("Push[\".x\"]"));
}

/// The example of each page of a run-time fault gives that code.
#[test]
fn pages_of_faults() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/language/diagnostic/pages");
    for code in cgdsl::ir::Code::ALL {
        let code = code.text();
        // A cycle, a line of play that grows, an end and an impossible question need an engine.
        if [
            "E0408", "E0409", "E0410", "E0411", "E0553", "E0711", "E0799",
        ]
        .contains(&code)
        {
            continue;
        }
        let page = std::fs::read_to_string(pages.join(format!("{code}.md"))).unwrap();
        let example = page
            .split("```rules\n")
            .nth(1)
            .and_then(|t| t.split("```").next());
        let Some(example) = example else {
            panic!("{code} has no example");
        };
        match try_load(example) {
            Ok(model) => {
                let found: Vec<String> = answers(&model)
                    .into_iter()
                    .filter_map(Result::err)
                    .map(|f| f.code.text().to_owned())
                    .collect();
                assert!(found.iter().any(|c| c == code), "{code}: found {found:?}");
            }
            // Drawn boards are read when a file is checked.
            Err(e) => assert!(
                e.to_string().contains(&format!("error[{code}]")),
                "{code}: {e}"
            ),
        }
    }
}

fn rule_files(folder: &Path, all: &mut Vec<PathBuf>) {
    let mut inside: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    inside.sort();
    for path in inside {
        if path.is_dir() {
            rule_files(&path, all);
        } else if path.extension().is_some_and(|e| e == "rules") {
            all.push(path);
        }
    }
}

/// Every position in the shipped files, and every option of it, reads back from its literal and has the same options.
#[test]
fn shipped_positions_read_back() {
    let mut files = Vec::new();
    rule_files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets"),
        &mut files,
    );
    let mut count = 0;
    for file in &files {
        println!("{}", file.display());
        let Ok(model) = load_file(file) else {
            continue;
        };
        let mut text = std::fs::read_to_string(file).unwrap();
        let mut literals: Vec<(String, Vec<usize>)> = Vec::new();
        for p in positions(&model).iter().take(12) {
            let ev = Evaluator::new(&model, &NoHost);
            let mut all = vec![(**p).clone()];
            for k in 0..p.players() {
                let moved = naive::moves(&ev, p, Player(k)).unwrap_or_else(|f| panic!("{f}"));
                all.extend(moved.into_iter().take(3).map(|m| m.position));
            }
            for q in all {
                if q.terms().iter().any(|t| t.setting.board.sites() > 60) {
                    continue;
                }
                let sizes = (0..q.players())
                    .map(|k| naive::moves(&ev, &q, Player(k)).unwrap().len())
                    .collect();
                literals.push((draw::literal(&q), sizes));
            }
        }
        let before = model.queries.len();
        for (l, _) in &literals {
            text.push_str(&format!("\neval {l}"));
        }
        let again = crate::load::load_text_as(file, &text)
            .unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let back = answers_from(&again, before);
        assert_eq!(back.len(), literals.len(), "{}", file.display());
        for ((l, sizes), q) in literals.iter().zip(&back) {
            let ev = Evaluator::new(&again, &NoHost);
            let found: Vec<usize> = (0..q.players())
                .map(|k| naive::moves(&ev, q, Player(k)).unwrap().len())
                .collect();
            assert_eq!(*sizes, found, "{l} in {}", file.display());
            count += 1;
        }
    }
    assert!(count > 100, "only {count}");
}

fn answers_from(
    model: &cgdsl::model::typed::Model,
    from: usize,
) -> Vec<std::sync::Arc<cgdsl::ir::Position>> {
    let mut later = model.clone();
    later.queries.drain(..from);
    positions(&later)
}
