//! Searches over all boards up to a size: as many boards and positions as there are known to be, each once, found again
//! when a search is taken up, and the same as when everything is looked at one by one.

use crate::program::{Folder, cgdsl, code, err, json, out, with_input};
use serde_json::Value;
use std::collections::BTreeMap;

const RULES: &str = "
ruleset Graphs
  board graph
  move by anyone: choose v then remove v
ruleset Two
  board graph
  pieces k = anyone
  move by anyone: choose v where at(v) = k then remove v
ruleset Three
  board graph
  pieces x = Left, o = Right
  move by p: choose v where at(v) = p then remove v
ruleset Arcs
  board digraph
  move by anyone: choose v then remove v
ruleset Dags
  board digraph acyclic
  move by anyone: choose v then remove v
ruleset Loops
  board digraph
  pieces k = anyone
  move by anyone: choose v where at(v) = k then remove v
ruleset Orders
  board poset
  move by anyone: choose x then remove up(x)
ruleset Cells
  board grid
  pieces x = Left, o = Right
  move by p: choose a, b in nbrs(a) where at(a) = p, at(b) = opponent(p) then at(a) := empty, at(b) := p
ruleset Token
  board digraph
  state token: vertex
  move by anyone: choose v in out(token) then remove token, token := v
ruleset Piles
  board graph
  state size(vertex): nat
  move by anyone: choose v, k in 1..size(v) then size(v) -= k
";

fn search(dir: &Folder, arguments: &[&str]) -> Value {
    let file = dir.file("search.rules", RULES);
    let mut all = vec!["search", file.as_str()];
    all.extend(arguments);
    all.push("--json");
    let o = cgdsl(&all);
    assert_eq!(code(&o), 0, "{arguments:?} {}{}", out(&o), err(&o));
    json(&o)
}

fn of_sizes(v: &Value, what: &str) -> Vec<u64> {
    let sizes = v["sizes"].as_array().expect("sizes");
    sizes
        .iter()
        .map(|s| s[what].as_u64().expect("a count"))
        .collect()
}

#[test]
fn boards_are_as_many_as_known() {
    let dir = Folder::new("search-boards");
    for (ruleset, to, want) in [
        // OEIS A000088, A000273, A003087, A000112.
        ("Graphs", "6", vec![1, 2, 4, 11, 34, 156]),
        ("Arcs", "4", vec![1, 3, 16, 218]),
        ("Dags", "5", vec![1, 2, 6, 31, 302]),
        ("Orders", "6", vec![1, 2, 5, 16, 63, 318]),
    ] {
        // Nothing is asked of them but that they are there.
        let v = search(
            &dir,
            &[ruleset, "--up-to", to, "--where", "size(vertices(G)) < 0"],
        );
        let v = if ruleset == "Orders" {
            search(
                &dir,
                &[ruleset, "--up-to", to, "--where", "size(points(G)) < 0"],
            )
        } else {
            v
        };
        assert_eq!(of_sizes(&v, "boards"), want, "{ruleset}");
        assert_eq!(of_sizes(&v, "positions"), want, "{ruleset}");
        assert_eq!(v["matches"], 0);
        assert_eq!(v["complete"], true);
    }
}

/// Positions whose rules have no values are found by who wins: in Hexapawn the mutual zugzwangs, as many as a program of its own counts among
/// all fillings (1, 1, 2, 5, 3 and 14 by board).
#[test]
fn zugzwangs_are_found() {
    let o = cgdsl(&[
        "search",
        "hexapawn",
        "--up-to",
        "3x2",
        "--where",
        "outcome = P-position",
        "--json",
    ]);
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
    let v = json(&o);
    assert_eq!(v["matches"], 26, "{v}");
    assert!(
        out(&o).contains("\"group\":\"P-position\"")
            || out(&o).contains("\"group\": \"P-position\"")
    );
}

#[test]
fn positions_are_as_many_as_known() {
    let dir = Folder::new("search-positions");
    let none = "1 < 0";
    for (ruleset, to, want) in [
        // Graphs with vertices of two colours: OEIS A000666. Relations, which are digraphs with loops: A000595.
        ("Two", "4", vec![2, 6, 20, 90]),
        ("Loops", "4", vec![2, 10, 104, 3044]),
    ] {
        let v = search(&dir, &[ruleset, "--up-to", to, "--where", none]);
        assert_eq!(of_sizes(&v, "positions"), want, "{ruleset}");
    }
    // With three colours, by Burnside's lemma.
    let v = search(&dir, &["Three", "--up-to", "4", "--where", none]);
    let want: Vec<u64> = (1..=4).map(|n| burnside(n, 3)).collect();
    assert_eq!(of_sizes(&v, "positions"), want);
    assert_eq!(burnside(4, 2), 90);
    // Cells with three states up to the symmetries of a rectangle: 3, then (9 + 3) / 2, then 2x2 by Burnside's lemma.
    let v = search(&dir, &["Cells", "--up-to", "2x2", "--where", none]);
    assert_eq!(of_sizes(&v, "positions"), [3, 6, 21]);
    // A digraph with one vertex marked: on 3 vertices (64 + 8) / 2, by Burnside's lemma for the exchange of the others.
    let v = search(&dir, &["Token", "--up-to", "3", "--where", none]);
    assert_eq!(of_sizes(&v, "positions"), [1, 4, 36]);
}

/// Graphs on n vertices with c colours: the mean, over all permutations, of how many they leave as they are.
fn burnside(n: usize, c: u64) -> u64 {
    let mut fixed = 0;
    let mut count = 0;
    let mut p: Vec<usize> = (0..n).collect();
    loop {
        let points = cycles(n, |i| p[i]);
        let pairs: Vec<(usize, usize)> = (0..n).flat_map(|i| (0..i).map(move |j| (j, i))).collect();
        let image = |k: usize| {
            let (i, j) = (p[pairs[k].0], p[pairs[k].1]);
            pairs
                .iter()
                .position(|q| *q == (i.min(j), i.max(j)))
                .expect("a pair")
        };
        fixed += c.pow(points) * 2u64.pow(cycles(pairs.len(), image));
        count += 1;
        // The next permutation in lexicographic order.
        let Some(i) = (1..n).rev().find(|i| p[i - 1] < p[*i]) else {
            return fixed / count;
        };
        let j = (i..n)
            .rev()
            .find(|j| p[*j] > p[i - 1])
            .expect("a larger one");
        p.swap(i - 1, j);
        p[i..].reverse();
    }
}

fn cycles(n: usize, image: impl Fn(usize) -> usize) -> u32 {
    let mut seen = vec![false; n];
    let mut found = 0;
    for start in 0..n {
        let mut at = start;
        found += u32::from(!seen[at]);
        while !std::mem::replace(&mut seen[at], true) {
            at = image(at);
        }
    }
    found
}

#[test]
fn counts_are_run_through_by_their_sum() {
    let dir = Folder::new("search-counts");
    // On one vertex 0..4, on two joined or not: multisets of two counts with sum up to 4: 1 + 1 + 2 + 2 + 3.
    let v = search(
        &dir,
        &[
            "Piles",
            "--up-to",
            "2",
            "--counts",
            "4",
            "--group-by",
            "nimber",
        ],
    );
    assert_eq!(of_sizes(&v, "positions"), [5, 18]);
    let first = &v["groups"][0];
    assert_eq!(first["group"], "0");
    // Of 5 + 18 positions: none, and (1, 1), (2, 2) on either graph, and nothing on it.
    assert_eq!(first["count"], 7);
}

#[test]
fn a_board_and_boards_that_are_given() {
    let dir = Folder::new("search-given");
    let v = search(
        &dir,
        &["Three", "--board", "a -- b -- c", "--group-by", "value"],
    );
    // 27 fillings of a path, 9 of them symmetric: 18.
    assert_eq!(of_sizes(&v, "positions"), [18]);
    let file = dir.file("search.rules", RULES);
    // A path of three and the empty graph on two, as nauty writes them.
    let arguments = [
        "search",
        file.as_str(),
        "Graphs",
        "--boards",
        "-",
        "--group-by",
        "nimber",
        "--json",
    ];
    let o = with_input(&arguments, b"BW\n\nA?\n");
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
    let v = json(&o);
    assert_eq!(of_sizes(&v, "boards"), [2]);
    let o = with_input(&arguments, b"BW\nnot a graph\n");
    assert_eq!(code(&o), 2);
    let said = json(&o)["diagnostics"].to_string();
    assert!(said.contains("line 2"), "{said}");
}

#[test]
fn statistics_of_a_search_count_its_boards() {
    let dir = Folder::new("search-stats");
    let v = search(&dir, &["Three", "--board", "a -- b -- c", "--stats"]);
    let compiled = v["stats"]["boards_compiled"].as_u64();
    assert!(compiled.is_some_and(|n| n > 0), "{}", v["stats"]);
}

/// The board of a term is compiled once, however many sums have it as a term.
#[test]
fn sums_share_the_boards_of_their_terms() {
    let dir = Folder::new("sums-share");
    let file = dir.file(
        "sums.rules",
        format!("{RULES}claim for k in 1..4, n in 1..4: outcome(Graphs[path(k)] + Graphs[path(n)]) != L-position\n"),
    );
    let v = json(&cgdsl(&[
        "eval",
        file.as_str(),
        "--stats",
        "--json",
        "--threads",
        "1",
    ]));
    assert_eq!(v["stats"]["boards_compiled"], 4, "{}", v["stats"]);
}

#[test]
fn a_search_is_taken_up_again() {
    let dir = Folder::new("search-keep");
    let file = dir.file("search.rules", RULES);
    let kept = dir.file("kept.jsonl", String::new());
    std::fs::remove_file(&kept).expect("removed");
    let arguments = [
        "search",
        file.as_str(),
        "Three",
        "--up-to",
        "4",
        "--group-by",
        "value",
        "--keep",
        kept.as_str(),
        "--json",
    ];
    let whole = cgdsl(&arguments);
    assert_eq!(code(&whole), 0, "{}", err(&whole));
    let text = std::fs::read_to_string(&kept).expect("kept");
    // Cut in the middle of a line, as a run that was killed leaves it: what stands up to the last count is passed over.
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() > 300, "{}", lines.len());
    assert!(lines[2..200].iter().any(|l| l.contains("\"looked\":")));
    let mut cut: String = lines[..200].join("\n");
    cut.push('\n');
    cut.push_str(&lines[200][..lines[200].len() / 2]);
    std::fs::write(&kept, cut).expect("written");
    let again = cgdsl(&arguments);
    let (a, b) = (json(&whole), json(&again));
    assert_eq!(a["groups"], b["groups"]);
    assert_eq!(a["matches"], b["matches"]);
    // Everything is there now: a third run has nothing to do and says the same.
    let third = cgdsl(&arguments);
    assert_eq!(json(&third)["groups"], a["groups"]);
    // Another question does not go on from it.
    let mut other = arguments;
    other[6] = "outcome";
    let o = cgdsl(&other);
    assert_eq!(code(&o), 2);
    let said = json(&o)["diagnostics"].to_string();
    assert!(said.contains("another search"), "{said}");
}

#[test]
fn shards_are_disjoint_and_together_the_whole() {
    let dir = Folder::new("search-shards");
    let all = ["Three", "--up-to", "3", "--where", "outcome = N-position"];
    let whole = search(&dir, &all);
    let numbers = |v: &Value| -> Vec<u64> {
        let found = v["found"].as_array().expect("found");
        found
            .iter()
            .map(|f| f["number"].as_u64().expect("a number"))
            .collect()
    };
    for of in [1, 2, 5] {
        let mut together = Vec::new();
        let mut positions = 0;
        for part in 1..=of {
            let shard = format!("{part}/{of}");
            let mut arguments = all.to_vec();
            arguments.extend(["--shard", &shard]);
            let v = search(&dir, &arguments);
            assert!(numbers(&v).iter().all(|n| n % of == part - 1));
            together.extend(numbers(&v));
            positions += of_sizes(&v, "positions").iter().sum::<u64>();
        }
        together.sort_unstable();
        assert_eq!(together, numbers(&whole), "of {of}");
        assert_eq!(positions, of_sizes(&whole, "positions").iter().sum::<u64>());
    }
    for wrong in ["0/3", "4/3", "1/0", "3", "-1/2", "a/b"] {
        let shard = format!("--shard={wrong}");
        let o = cgdsl(&["search", "col", "Col", shard.as_str()]);
        assert_eq!(code(&o), 2, "{wrong}");
        assert!(err(&o).contains("I/N"), "{}", err(&o));
    }
}

/// The group of a complete graph on nine vertices is too large, so the first vertex is held: on it, and on eight vertices up
/// to their order, there are 3 * C(10, 2) = 135 fillings with three states. (Of eight vertices all symmetries are used:
/// C(10, 2) = 45.) Each class of fillings, given by the numbers of its x and o, must be among them.
#[test]
fn symmetries_of_a_large_group_still_form_a_group() {
    let dir = Folder::new("search-large-group");
    let complete = |n: usize| {
        let all = (1..=n).flat_map(|i| (1..i).map(move |j| format!("{j} -- {i}")));
        all.collect::<Vec<_>>().join(", ")
    };
    let eight = complete(8);
    let v = search(&dir, &["Three", "--board", &eight, "--where", "1 < 0"]);
    assert_eq!(of_sizes(&v, "positions"), [45]);
    let nine = complete(9);
    // Every filling has as many pieces as it has.
    let all = ["Three", "--board", &nine, "--group-by", "size(vertices(G))"];
    let whole = search(&dir, &all);
    assert_eq!(of_sizes(&whole, "positions"), [135]);
    assert_eq!(whole["matches"], 135);
    let mut positions = 0;
    let mut found = Vec::new();
    for shard in ["1/2", "2/2"] {
        let part = [
            "Three", "--board", &nine, "--where", "0 < 1", "--shard", shard,
        ];
        let v = search(&dir, &part);
        positions += of_sizes(&v, "positions")[0];
        let texts = v["found"].as_array().expect("found").iter();
        found.extend(texts.map(|f| f["position"].to_string()));
    }
    assert_eq!(positions, 135);
    assert_eq!(found.len(), 135);
    let sides = found
        .iter()
        .map(|text| [text.matches(":x").count(), text.matches(":o").count()]);
    let mut classes: Vec<_> = sides.collect();
    classes.sort_unstable();
    classes.dedup();
    assert_eq!(classes.len(), 55);
    found.sort();
    found.dedup();
    assert_eq!(found.len(), 135);
}

#[test]
fn shards_of_many_positions_are_disjoint_and_pass_boards_over() {
    let dir = Folder::new("search-blocks");
    // Boards with and without counts: 1,200 positions and more, so that blocks are longer than one.
    let cases = [
        ["Three", "--up-to", "4", "--where", "0 < 1"],
        ["Piles", "--up-to", "3", "--counts", "9"],
    ];
    for all in cases {
        let whole = search(&dir, &[&all[..], &["--group-by", "outcome"]].concat());
        let count = |v: &Value| v["matches"].as_u64().expect("a count");
        for of in [2, 7] {
            let mut found = Vec::new();
            let mut positions = vec![0; of_sizes(&whole, "positions").len()];
            for part in 1..=of {
                let shard = format!("{part}/{of}");
                let v = search(&dir, &[&all[..], &["--shard", &shard]].concat());
                for (sum, n) in positions.iter_mut().zip(of_sizes(&v, "positions")) {
                    *sum += n;
                }
                // Of even cost.
                assert!(count(&v) * of < count(&whole) * 2 + 60, "{all:?} {shard}");
                let numbers = v["found"].as_array().expect("found").iter();
                found.extend(numbers.map(|f| (f["number"].as_u64(), f["position"].to_string())));
            }
            found.sort();
            let mut numbers: Vec<_> = found.iter().map(|f| f.0).collect();
            numbers.dedup();
            assert_eq!(numbers.len() as u64, count(&whole), "{all:?} of {of}");
            let mut texts: Vec<_> = found.iter().map(|f| &f.1).collect();
            texts.sort();
            texts.dedup();
            assert_eq!(texts.len(), found.len(), "{all:?} of {of}");
            assert_eq!(positions, of_sizes(&whole, "positions"));
        }
    }
}

#[test]
fn parts_are_written_where_the_program_has_parquet() {
    let dir = Folder::new("search-parts");
    let file = dir.file("search.rules", RULES);
    let folder = file.replace("search.rules", "parts");
    let mut all = vec!["search", &file, "Three", "--up-to", "3", "--json"];
    all.extend(["--format", "parquet", "-o", &folder, "--shard"]);
    for part in ["1/2", "2/2", "2/2"] {
        let o = cgdsl(&[&all[..], &[part]].concat());
        let told = json(&o);
        if cfg!(feature = "parquet") {
            assert_eq!(code(&o), 0, "{told:#}");
        } else {
            assert_eq!(code(&o), 2);
            assert!(told["diagnostics"].to_string().contains("without Parquet"));
        }
    }
    let o = cgdsl(&["census", "merge", &folder, "--json"]);
    let told = json(&o);
    if cfg!(feature = "parquet") {
        let whole = search(&dir, &["Three", "--up-to", "3", "--group-by", "value"]);
        assert_eq!(told["sizes"], whole["sizes"]);
        assert_eq!(told["rows"], whole["matches"]);
        let counts = |v: &Value| -> Vec<(String, u64)> {
            let groups = v["groups"].as_array().expect("groups").iter();
            groups
                .map(|g| (g["group"].to_string(), g["count"].as_u64().unwrap_or(0)))
                .collect()
        };
        assert_eq!(counts(&told), counts(&whole));
    } else {
        assert_eq!(code(&o), 2);
    }
    let keep = ["--format", "parquet", "-o", &folder, "--keep", &file];
    for wrong in [&["--format", "parquet"][..], &keep] {
        let o = cgdsl(&[&["search", &file, "Three"][..], wrong].concat());
        assert_eq!(code(&o), 2, "{wrong:?}");
    }
}

#[test]
fn a_shard_goes_on_from_what_it_kept_alone() {
    let dir = Folder::new("search-shard-keep");
    let kept = dir.file("kept.jsonl", String::new());
    std::fs::remove_file(&kept).expect("removed");
    let arguments = |shard: &'static str| {
        [
            "Three",
            "--up-to",
            "3",
            "--group-by",
            "value",
            "--keep",
            kept.as_str(),
            "--shard",
            shard,
        ]
    };
    let first = search(&dir, &arguments("2/3"));
    assert_eq!(search(&dir, &arguments("2/3"))["groups"], first["groups"]);
    let file = dir.file("search.rules", RULES);
    let mut other = vec!["search", file.as_str()];
    other.extend(arguments("1/3"));
    let o = cgdsl(&other);
    assert_eq!(code(&o), 2);
    assert!(err(&o).contains("another search"), "{}", err(&o));
}

#[test]
fn limits_end_in_unknown() {
    let dir = Folder::new("search-limits");
    let file = dir.file("search.rules", RULES);
    let o = cgdsl(&["search", &file, "Three", "--up-to", "5", "--time", "0s"]);
    assert_eq!(code(&o), 3, "{}", out(&o));
    assert!(
        out(&o).contains("ended before all positions"),
        "{}",
        out(&o)
    );
    let o = cgdsl(&[
        "search",
        &file,
        "Cells",
        "--up-to",
        "2x3",
        "--nodes",
        "2",
        "--smallest",
    ]);
    assert_eq!(code(&o), 3, "{}", out(&o));
    assert!(out(&o).contains("unknown within the limits"), "{}", out(&o));
}

#[test]
fn what_is_wrong_is_said() {
    let dir = Folder::new("search-wrong");
    let file = dir.file("search.rules", RULES);
    for (arguments, want) in [
        (vec!["Thre"], "did you mean `Three`"),
        (vec!["Three", "--where", "temprature > 1"], "temprature"),
        (vec!["Three", "--up-to", "2x2"], "one number"),
        (vec!["Three", "--up-to", "many"], "not a size"),
        (vec!["Graphs", "--up-to", "12"], "up to 8"),
        (vec!["Cells", "--board", "xo"], "without pieces"),
    ] {
        let mut all = vec!["search", file.as_str()];
        all.extend(&arguments);
        let o = cgdsl(&all);
        assert_eq!(code(&o), 2, "{arguments:?} {}", out(&o));
        assert!(err(&o).contains(want), "{arguments:?}: {}", err(&o));
    }
}

/// On one vertex the first condition divides by zero. A condition that is false decides, on whichever side it stands.
#[test]
fn a_false_condition_decides_in_any_order() {
    let dir = Folder::new("search-false");
    let divides = "1 div (size(vertices(G)) - 1) = 1";
    for (condition, undefined, matches) in [
        (format!("{divides}, 0 < 1"), 1, 2),
        (format!("0 < 1, {divides}"), 1, 2),
        (format!("{divides}, 1 < 0"), 0, 0),
        (format!("1 < 0, {divides}"), 0, 0),
    ] {
        let v = search(&dir, &["Graphs", "--up-to", "2", "--where", &condition]);
        assert_eq!(v["undefined"], undefined, "{condition}");
        assert_eq!(v["matches"], matches, "{condition}");
    }
}

/// Symmetry only leaves out what is the same: the values found are those of all positions, one by one.
#[test]
fn the_same_values_with_and_without_symmetry() {
    let dir = Folder::new("search-values");
    // The same game, in words that tell directions apart.
    let text = format!(
        "{RULES}
ruleset Words
  board grid
  pieces x = Left, o = Right
  move by p: choose a, b = a + north where at(a) = p, at(b) = opponent(p) then at(a) := empty, at(b) := p
  move by p: choose a, b = a + south where at(a) = p, at(b) = opponent(p) then at(a) := empty, at(b) := p
  move by p: choose a, b = a + east where at(a) = p, at(b) = opponent(p) then at(a) := empty, at(b) := p
  move by p: choose a, b = a + west where at(a) = p, at(b) = opponent(p) then at(a) := empty, at(b) := p
"
    );
    let file = dir.file("words.rules", text);
    let groups = |ruleset: &str| -> Vec<String> {
        let o = cgdsl(&[
            "search",
            &file,
            ruleset,
            "--up-to",
            "2x3",
            "--smallest",
            "--json",
        ]);
        assert_eq!(code(&o), 0, "{}", err(&o));
        let v = json(&o);
        let mut all: Vec<String> = v["groups"]
            .as_array()
            .expect("groups")
            .iter()
            .map(|g| g["group"].as_str().unwrap_or_default().to_owned())
            .collect();
        all.sort();
        assert_eq!(v["up_to_symmetry"], ruleset == "Cells");
        all
    };
    assert_eq!(groups("Cells"), groups("Words"));
}

/// Rules, by board: those that cannot tell sites apart, and those that can, each by another construct.
const BLIND: [(&str, &[&str]); 4] = [
    (
        "grid",
        &[
            "choose a, S = nbrs(a) + {a} where at(a) = x then remove S",
            "choose a, b in nbrs(a) where at(a) = x, at(b) = empty then at(a) := empty",
            "choose a where at(a) = x, size([b for b in nbrs(a) where at(b) = x]) > 0 then remove a",
            "choose a where at(a) = x, at(a) in [at(b) for b in nbrs(a)] then remove a",
            "choose a, b in slide(a, compass) where at(a) = x then at(a) := empty, remove b",
            "choose a, d in diagonal, b in ray(a, d) where at(a) = x then remove a, b",
            "choose a where at(a) = x, size(board) > 2, no b in cells - {a}: at(b) = x then remove a",
            "choose a where at(a) = x, size(group(a)) > 1 then remove a",
            "choose a, t(b in nbrs(a)) in 0..1 where at(a) = x, some b in nbrs(a): t(b) = 1 then remove a, each b in nbrs(a) where t(b) = 1: at(b) := empty",
            "choose a, S in subsets(nbrs(a)) where at(a) = x, size(S) = 1 then remove S",
            "choose a where at(a) = x, rich(nbrs(a)) then remove a\n  let rich(S) = size({c in S: at(c) = x}) > 0",
        ],
    ),
    (
        "strip",
        &[
            "choose a where at(a) = x, no b in nbrs(a): at(b) = x then remove a",
            "choose a, b in nbrs(a) where at(a) = x then remove {a} + nbrs(b)",
        ],
    ),
    (
        "graph",
        &[
            "choose v, S = nbrs(v) + {v} where at(v) = x then remove S",
            "choose edge e, v in ends(e) where at(v) = x then remove e",
            "choose v where at(v) = x, sum(size(nbrs(w)) for w in nbrs(v)) > 1 then remove v",
        ],
    ),
    (
        "poset",
        &[
            "choose y, S = up(y) + down(y) where at(y) = x then remove S - {y}, y",
            "choose y where at(y) = x, all z in up(y): at(z) = x then remove up(y)",
        ],
    ),
];
const SEEING: [(&str, &[&str]); 4] = [
    (
        "grid",
        &[
            "choose a where at(a) = x, size({i for (i, j) in cells}) < size({j for (i, j) in cells}) then remove a",
            "choose a where at(a) = x, some (i, j) in {a}: i = 1 then remove a",
            "choose a where at(a) = x, some (i, j) in nbrs(a): i = 1 then remove a",
            "choose a, h = size({i for (i, j) in cells}) where at(a) = x, h = 1 then remove a",
            "choose a where at(a) = x, rows = 1 then remove a",
            "choose a, b in ray(a, [north, east, south, west][1]) where at(a) = x, at(b) = empty then at(a) := empty",
            "choose a where at(a) = x, at(a + north) = off then remove a",
            "choose a where at(a) = x then remove a\n  win Left when size({i for (i, j) in cells}) = 1 and size({j for (i, j) in cells}) = 2",
        ],
    ),
    (
        "strip",
        &[
            "choose a where at(a) = x, [c for c in cells][1] = a then remove a",
            "choose a, L = [c for c in cells] where at(a) = x, L[1] = a then remove a",
            "choose a where at(a) = x, [at(c) for c in cells] = [x, empty] then remove a",
            "choose a, S = {c in cells: at(c) = x} where at(a) = x, max(S) = 2 then at(a) := empty",
        ],
    ),
    (
        "graph",
        &[
            "choose v where at(v) = x, [w for w in vertices][1] = v then remove v",
            "choose v where at(v) = x, [at(w) for w in vertices] = [x, empty] then remove v",
        ],
    ),
    (
        "poset",
        &["choose y where at(y) = x, [w for w in points][1] = y then remove y"],
    ),
];

/// A position up to symmetry: the least of the images of a drawing, or of a graph, an order or what lies on them under all
/// permutations of its names.
fn class(literal: &str) -> String {
    let inside = literal.split_once('[').expect("a bracket").1;
    let inside = inside.strip_suffix(']').expect("a bracket");
    let numbers = |text: &str| -> Vec<usize> {
        let parts = text.split(|c: char| !c.is_ascii_digit());
        parts.filter_map(|n| n.parse().ok()).collect()
    };
    let rows: Option<Vec<Vec<char>>> = match inside.split_once('(') {
        Some(("grid", size)) => Some(vec![vec!['.'; numbers(size)[1]]; numbers(size)[0]]),
        Some(("strip", size)) => Some(vec![vec!['.'; numbers(size)[0]]]),
        _ => inside.strip_prefix('"').map(|art| {
            let art = art.trim_end_matches('"');
            art.split('|').map(|row| row.chars().collect()).collect()
        }),
    };
    if let Some(mut rows) = rows {
        let mut images = Vec::new();
        for _ in 0..4 {
            let (m, n) = (rows.len(), rows[0].len());
            // A quarter turn.
            rows = (0..n)
                .map(|j| (0..m).rev().map(|i| rows[i][j]).collect())
                .collect();
            images.push(rows.clone());
            images.push(rows.iter().rev().cloned().collect());
        }
        return format!("{:?}", images.iter().min());
    }
    let mut names: Vec<&str> = Vec::new();
    let mut pieces: Vec<String> = Vec::new();
    let mut links: Vec<(usize, usize, &str)> = Vec::new();
    for chain in inside.split(", ") {
        let mut before: Option<(usize, &str)> = None;
        let words: Vec<&str> = chain.split(' ').collect();
        for pair in words.chunks(2) {
            let (name, piece) = pair[0].split_once(':').unwrap_or((pair[0], ""));
            let at = names.iter().position(|n| *n == name).unwrap_or_else(|| {
                names.push(name);
                pieces.push(String::new());
                names.len() - 1
            });
            pieces[at].push_str(piece);
            if let Some((from, link)) = before {
                links.push((from, at, link));
            }
            before = pair.get(1).map(|link| (at, *link));
        }
    }
    let n = names.len();
    let mut images = Vec::new();
    let mut order: Vec<usize> = (0..n).collect();
    loop {
        let mut on = vec![""; n];
        (0..n).for_each(|v| on[order[v]] = pieces[v].as_str());
        let mut lines: Vec<(usize, usize, &str)> = links
            .iter()
            .map(|(u, v, link)| match (order[*u], order[*v]) {
                (u, v) if *link == "--" && u > v => (v, u, *link),
                (u, v) => (u, v, *link),
            })
            .collect();
        lines.sort_unstable();
        images.push(format!("{on:?} {lines:?}"));
        // The next permutation.
        let Some(i) = (1..n).rev().find(|i| order[i - 1] < order[*i]) else {
            break;
        };
        let j = (i..n)
            .rev()
            .find(|j| order[*j] > order[i - 1])
            .expect("one");
        order.swap(i - 1, j);
        order[i..].reverse();
    }
    images.into_iter().min().expect("an image")
}

/// One position of each class is examined where the rules cannot tell sites apart, and every position where they can: compared
/// with the same game in rules that have one more move, which tells sites apart and can never be made.
#[test]
fn classes_are_those_of_all_positions_one_by_one() {
    let dir = Folder::new("search-classes");
    let all = BLIND.iter().map(|c| (c, true));
    for ((board, moves), blind) in all.chain(SEEING.iter().map(|c| (c, false))) {
        let (size, never) = match *board {
            "grid" => (
                "2x2",
                "choose a where 1 < 0, at(a + east) = off then remove a",
            ),
            "strip" => (
                "3",
                "choose a where 1 < 0, at(a + east) = off then remove a",
            ),
            "graph" => (
                "3",
                "choose v where 1 < 0, [w for w in vertices][1] = v then remove v",
            ),
            _ => (
                "3",
                "choose y where 1 < 0, [w for w in points][1] = y then remove y",
            ),
        };
        for text in *moves {
            let rules = format!(
                "ruleset Own
  board {board}
  pieces x = Left, o = Right
  move by Left: {text}
ruleset Seen = Own with
  move never by anyone: {never}
"
            );
            let file = dir.file("classes.rules", rules);
            let found = |ruleset: &str| -> (bool, BTreeMap<String, Vec<(String, String)>>) {
                let o = cgdsl(&[
                    "search", &file, ruleset, "--up-to", size, "--where", "true", "--json",
                ]);
                assert_eq!(code(&o), 0, "{text}: {}{}", out(&o), err(&o));
                let v = json(&o);
                let mut classes: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
                for f in v["found"].as_array().expect("positions") {
                    let position = f["position"].as_str().expect("a position");
                    let value = f["group"].as_str().expect("a value").to_owned();
                    let inside = position.split_once('[').expect("a bracket").1.to_owned();
                    classes
                        .entry(class(position))
                        .or_default()
                        .push((inside, value));
                }
                (v["up_to_symmetry"] == true, classes)
            };
            let (up_to, own) = found("Own");
            let (seen_up_to, seen) = found("Seen");
            assert_eq!((up_to, seen_up_to), (blind, false), "{board}: {text}");
            let one_value = |all: &Vec<(String, String)>| all.iter().all(|one| one.1 == all[0].1);
            if blind {
                assert!(seen.values().all(one_value), "{board}: {text}: {seen:?}");
                let firsts =
                    |classes: &BTreeMap<String, Vec<(String, String)>>| -> Vec<(String, String)> {
                        let each = classes.iter();
                        each.map(|(class, all)| (class.clone(), all[0].1.clone()))
                            .collect()
                    };
                assert_eq!(firsts(&own), firsts(&seen), "{board}: {text}");
                assert!(own.values().all(|all| all.len() == 1), "{board}: {text}");
            } else {
                assert_eq!(own, seen, "{board}: {text}");
                // They do tell sites apart.
                assert!(!seen.values().all(one_value), "{board}: {text}");
            }
        }
    }
}

/// Formulas about the position may tell sites apart, too.
#[test]
fn a_formula_that_tells_sites_apart_forbids_symmetry() {
    let dir = Folder::new("search-formulas");
    for (formula, symmetric) in [
        ("size(cells(G)) = 2", true),
        ("size(options(G, Left)) > 0", true),
        ("some a in cells(G): at(G, a) = x", true),
        ("size({i for (i, j) in cells(G)}) = 1", false),
        ("rows(G) = 1", false),
        ("at(G, (1, 1)) = x", false),
    ] {
        for option in ["--where", "--group-by"] {
            let v = search(&dir, &["Cells", "--up-to", "1x2", option, formula]);
            assert_eq!(v["up_to_symmetry"], symmetric, "{option} {formula}");
        }
    }
    let v = search(
        &dir,
        &[
            "Cells",
            "--up-to",
            "2x2",
            "--where",
            "rows(G) = 2, columns(G) = 1",
        ],
    );
    assert_eq!(v["matches"], 9);
    // The arguments of a ruleset stay where they are.
    let text = "ruleset Of(S: set of nat)
  board strip
  pieces x = anyone
  move by anyone: choose a where at(a) = x, a in S then remove a
";
    let file = dir.file("of.rules", text);
    let o = cgdsl(&[
        "search",
        &file,
        "Of({1})",
        "--up-to",
        "2",
        "--group-by",
        "value",
        "--json",
    ]);
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
    assert_eq!(of_sizes(&json(&o), "positions"), [2, 4]);
}

/// The symmetries of a board whose rows close to rings, tokens on edges, walls and absent edges with nothing on them.
#[test]
fn fillings_are_as_many_as_known() {
    let dir = Folder::new("search-fillings");
    let text = "ruleset Ring
  board grid
  pieces x = anyone
  move by anyone: choose a, b in nbrs(a) where at(a) = x, at(b) = empty then remove a
ruleset Marked
  board graph
  state t: edge
  move by anyone: choose e in edges where e != t, some v in ends(e): v in ends(t) then remove t, t := e
ruleset Groups
  board graph
  pieces x = Left, o = Right
  move by Left: choose v where size(group(v)) > 1 then remove v
ruleset Piles
  board strip
  state c(cell): nat
  move by anyone: choose a, k in 1..c(a) then c(a) -= k
ruleset Joined
  board graph
  state w(edge): nat
  move by anyone: choose u, v where u != v, v not in nbrs(u) then add u -- v
ruleset Two
  state m, n: nat
  move by anyone: choose k in 1..m then m -= k
";
    let file = dir.file("fillings.rules", text);
    let sizes = |arguments: &[&str]| -> Vec<u64> {
        let fixed = ["search", &file];
        let o = cgdsl(&[&fixed[..], arguments, &["--where", "1 < 0", "--json"]].concat());
        assert_eq!(code(&o), 0, "{arguments:?} {}{}", out(&o), err(&o));
        of_sizes(&json(&o), "positions")
    };
    // By Burnside's lemma: (16 + 3 * 4) / 4, and with the diagonals (16 + 3 * 4 + 2 * 8 + 2 * 2) / 8.
    assert_eq!(sizes(&["Ring", "--board", "grid(2, 2, wrap: rows)"]), [7]);
    assert_eq!(sizes(&["Ring", "--board", "grid(2, 2, wrap: both)"]), [6]);
    // A path and a triangle of three have one edge up to symmetry.
    assert_eq!(sizes(&["Marked", "--up-to", "3"]), [0, 1, 3]);
    let three: Vec<u64> = (1..=3).map(|n| burnside(n, 3)).collect();
    assert_eq!(sizes(&["Groups", "--up-to", "3"]), three);
    // 0 to 3, or a wall; on two cells 10 pairs of counts, 8 counts beside a wall, two walls: (19 + 2 + 1) / 2.
    assert_eq!(sizes(&["Piles", "--up-to", "2"]), [5, 11]);
    let part = |shard| sizes(&["Piles", "--up-to", "2", "--shard", shard]);
    let sum: u64 = ["1/3", "2/3", "3/3"].into_iter().flat_map(part).sum();
    assert_eq!(sum, 16);
    // An edge that is not there has no count: 1, then 1 and 4.
    assert_eq!(sizes(&["Joined", "--up-to", "2"]), [1, 5]);
    // Pairs of numbers with a sum of at most 5.
    for size in [&["--counts", "5"][..], &["--up-to", "5"]] {
        assert_eq!(sizes(&[&["Two"][..], size].concat()), [21]);
    }
    assert_eq!(sizes(&["Two"]), [10]);
}

/// A board and its mirror image may have other scores where the score tells directions apart.
#[test]
fn a_score_that_names_a_direction_forbids_symmetry() {
    let dir = Folder::new("search-scores");
    let with = |score: &str| {
        format!(
            "ruleset Scored
  board grid
  pieces x = anyone
  score {score}
  move by anyone: choose a where at(a) = empty then at(a) := x
"
        )
    };
    for (score, symmetric) in [
        ("size({a in cells: at(a) = x})", true),
        (
            "size({a in cells: at(a) = x and at(a + east) != off})",
            false,
        ),
    ] {
        let file = dir.file("scored.rules", with(score));
        let o = cgdsl(&["search", &file, "Scored", "--up-to", "1x3", "--json"]);
        assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
        assert_eq!(json(&o)["up_to_symmetry"], symmetric, "{score}");
    }
}

/// What the fuzz target `kept` holds, of its corpus and of all that is one byte away from it.
#[test]
fn what_is_kept_is_read_or_refused() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/fuzz/kept");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the corpus is there") {
        let bytes = std::fs::read(entry.expect("an entry").path()).expect("a file");
        cgdsl::cli::kept_reads(&bytes);
        for at in 0..bytes.len().min(400) {
            cgdsl::cli::kept_reads(&bytes[..at]);
            for other in [b'\n', b'"', b'9', bytes[at] ^ 1] {
                let mut changed = bytes.clone();
                changed[at] = other;
                cgdsl::cli::kept_reads(&changed);
            }
        }
        count += 1;
    }
    assert!(count > 3, "{count}");
}
