//! With several threads, the program prints the same as with one: queries with many instances, which are dealt to the
//! threads, searches, whose positions are, and winners that all threads look for.

use crate::program::{Folder, cgdsl, code, err, out};

const QUERIES: &str = r#"
use "col"
use "nim"
use "snort"

claim "held" for a in 0..20, b in 0..20: nimber(Nim[a, b]) = xor([a, b])
claim "boards" for n in 1..5, G in graphs(n): value(Snort[G]) == -value(Snort[G]), temperature(Col[G]) < 1
claim "false" for a in 0..20, b in 0..20, c in 0..5: nimber(Nim[a, b, c]) < 20
claim "false at once" for a in 0..900: nimber(Nim[a]) > 0
claim "false of players" for a in 0..30, b in 1..30: winner(Nim[a, b], first: Left) = Left
refute "refuted" for a in 3..40, b in 1..40: nimber(Nim[a, b]) != a + b
refute "not refuted" for a in 0..400: nimber(Nim[a]) = a
claim "goes wrong" for a in 0..60: 60 div (50 - a) >= 0 - 60
claim "goes wrong in the range" for a in 0..60, b in 0..(60 div (40 - a)): a >= b - 60
claim "goes wrong after it is false" for a in 0..60: a < 45, 60 div (50 - a) > 0
claim "games in a set" for n in 1..50, G in {value(Nim[k]) for k in 0..n}: G + G == 0
claim "games in order" for G in born(2), H in born(2): (G >= H) = (G - H >= 0)
claim "nothing" for a in 1..0: a = a
table for a in 0..60: nimber(Nim[a, 3]), value(Nim[a])
table for n in 1..7: value(Snort[path(n)]), temperature(Snort[path(n)])
table for n in 0..60: winner(Nim[n], first: Left)
table "goes wrong" for a in 0..60: 60 div (50 - a)
table for n in 1..40: {value(Nim[k]) for k in 0..n}
search for a in 0..30, b in 0..30 where nimber(Nim[a, b]) = 5
search first for a in 5..90, b in 5..90 where nimber(Nim[a, b]) = 100
search first for a in 5..90 where nimber(Nim[a]) > 100
search for a in 0..150, b in 0..150 where a != b
search for a in 0..60 where 60 div (50 - a) = 60
"#;

fn with_threads(arguments: &[&str]) -> [(i32, String, String); 3] {
    ["1", "2", "5"].map(|threads| {
        let o = cgdsl(&[arguments, &["--threads", threads]].concat());
        (code(&o), out(&o), err(&o))
    })
}

#[test]
fn answers_are_those_of_one_thread() {
    let dir = Folder::new("threads-queries");
    // Each by itself, and all of them in one file.
    let (uses, queries) = QUERIES.split_once("\n\n").expect("queries");
    let mut files: Vec<String> = queries.lines().map(|q| format!("{uses}\n{q}\n")).collect();
    files.push(QUERIES.to_owned());
    let mut codes = Vec::new();
    for text in &files {
        let file = dir.file("queries.rules", text);
        for json in [&["eval", &file, "--json"][..], &["eval", &file]] {
            let [one, two, five] = with_threads(json);
            assert_eq!(one, two, "{text}");
            assert_eq!(one, five, "{text}");
            codes.push(one.0);
        }
    }
    // All kinds of answers are among them.
    for code in [0, 1, 2] {
        assert!(codes.contains(&code), "{codes:?}");
    }
}

/// A table of more rows than there may be.
#[test]
fn a_table_that_is_too_long_is_cut_in_the_same_place() {
    let dir = Folder::new("threads-table");
    for rows in ["99_999", "100_000"] {
        let text = format!("table for a in 0..{}: a mod 7\n", rows.replace('_', ""));
        let file = dir.file("table.rules", &text);
        let [one, two, five] = with_threads(&["eval", &file, "--json"]);
        assert!(one == two && one == five, "{rows}");
        assert_eq!(one.0, if rows == "99_999" { 0 } else { 3 }, "{}", one.2);
    }
}

#[test]
fn searches_are_those_of_one_thread() {
    let searches: &[&[&str]] = &[
        &["snort", "--up-to", "5"],
        &["snort", "--up-to", "5", "--smallest"],
        &["snort", "--up-to", "5", "--where", "value = +-1", "--json"],
        &["snort", "--up-to", "5", "--shard", "2/3"],
        &[
            "hexapawn",
            "--up-to",
            "3x2",
            "--where",
            "outcome = P-position",
        ],
        &[
            "clobber",
            "--up-to",
            "3x3",
            "--group-by",
            "temperature",
            "--json",
        ],
        // Heaps, and a condition without answer at some positions.
        &[
            "nim",
            "--counts",
            "6",
            "--up-to",
            "3",
            "--group-by",
            "nimber",
        ],
        &[
            "snort",
            "--up-to",
            "4",
            "--group-by",
            "60 div (size(vertices(G)) - 3)",
        ],
    ];
    for search in searches {
        let [one, two, five] = with_threads(&[&["search"], *search].concat());
        assert_eq!(one, two, "{search:?}");
        assert_eq!(one, five, "{search:?}");
    }
}

#[test]
fn the_file_of_a_search_is_that_of_one_thread() {
    let dir = Folder::new("threads-keep");
    let kept = ["1", "2", "5"].map(|threads| {
        let file = dir.0.join(threads).display().to_string();
        let search = ["search", "snort", "--up-to", "5", "--where", "value > 0"];
        let o = cgdsl(&[&search[..], &["--keep", &file, "--threads", threads]].concat());
        assert_eq!(code(&o), 0, "{}", err(&o));
        std::fs::read(&file).expect("a file")
    });
    assert!(kept[0] == kept[1] && kept[0] == kept[2]);
}

/// A claim that is false at an early instance ends there, though another thread looks at a later one, which takes for ever.
#[test]
fn a_claim_that_is_false_does_not_wait_for_later_instances() {
    let dir = Folder::new("threads-skip");
    let slow = "n != 40 or value(Snort[path(13)])";
    let for_ever = "n < 41 or value(Snort[grid(6, n)]) == 0";
    for query in [
        format!("claim for n in 1..60: {slow} == 100, {for_ever}"),
        format!("search first for n in 1..60 where n >= 40, {slow} != 100, {for_ever}"),
    ] {
        let text = format!("use \"snort\"\n{query}\n");
        let file = dir.file("claim.rules", text);
        let [one, two, five] = with_threads(&["eval", &file, "--time", "60s"]);
        assert!(one == two && one == five, "{one:?} {two:?} {five:?}");
        assert!(one.0 < 3, "{one:?}");
    }
}

/// Boards of Domineering on which a search by strips opens some thousand positions, so that other threads take part.
const HOLES: [&str; 4] = [
    ".......|.......|...#...|#......|.......|.......|.......",
    ".......|.......|...#...|..#....|.......|#......",
    ".......|.......|.......|.......|.......|......#|..#..#.",
    "#......|.......|.......|.......|.......|..##...|.......",
];

#[test]
fn winners_by_strips_are_those_of_one_thread() {
    for board in HOLES {
        let query = format!("outcome(Domineering[{board:?}])");
        let [one, two, five] = with_threads(&["eval", "domineering", "-e", &query]);
        assert!(one.0 == 0 && one.1.contains("position"), "{one:?}");
        assert_eq!(one, two, "{board}");
        assert_eq!(one, five, "{board}");
    }
}
