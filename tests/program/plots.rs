//! Plots of nim-values and of tables, in characters and as pictures.

use crate::program::{Folder, cgdsl, err, out};

/// The rows of a plot in characters that hold a sign, by their labels.
fn rows_with(plot: &str, sign: char) -> Vec<String> {
    let rows = plot.lines().filter_map(|l| l.split_once('|'));
    let with = rows.filter(|(_, cells)| cells.contains(sign));
    with.map(|(label, _)| label.trim().to_owned()).collect()
}

/// *Winning Ways*, chapter 4: of the nim-values of Kayles 0, 3, 5 and 6 are rare, and heap 70 is the last exception to the period 12.
#[test]
fn rare_values_of_kayles_have_their_own_sign() {
    let o = cgdsl(&["seq", "kayles", "Kayles", "--to", "150", "--plot"]);
    assert!(o.status.success());
    assert_eq!(rows_with(&out(&o), '#'), ["6", "5", "3", "0"]);
    assert_eq!(rows_with(&out(&o), 'o'), ["8", "7", "4", "2", "1"]);
    let dir = Folder::new("plots");
    let file = dir.file("kayles.svg", "");
    let o = cgdsl(&["seq", "kayles", "Kayles", "--to", "200", "-o", &file]);
    assert!(o.status.success(), "{}", err(&o));
    let picture = std::fs::read_to_string(&file).expect("written");
    assert!(picture.contains("period 12 from n = 71"));
    assert!(picture.contains("rare values") && picture.ends_with("</svg>\n"));
    // A picture does not depend on what was asked before it.
    let again = cgdsl(&[
        "seq", "kayles", "Kayles", "--to", "200", "--plot", "-o", &file,
    ]);
    assert!(again.status.success());
    assert_eq!(picture, std::fs::read_to_string(&file).expect("written"));
}

#[test]
fn papers_get_plots() {
    let dir = Folder::new("plots-for-papers");
    for (name, begins) in [("k.tex", "\\documentclass"), ("k.typ", "")] {
        let file = dir.file(name, "");
        let o = cgdsl(&["seq", "grundy", "--to", "50", "-o", &file]);
        assert!(o.status.success(), "{}", err(&o));
        let text = std::fs::read_to_string(&file).expect("written");
        assert!(
            text.contains("nim-value") && text.contains(begins),
            "{text}"
        );
    }
}

#[test]
fn tables_are_plotted_over_their_first_binder() {
    let o = cgdsl(&[
        "table",
        "nim",
        "for n in 0..9, k in 1..2: nimber(Nim[n, k])",
        "--plot",
    ]);
    assert!(o.status.success(), "{}", err(&o));
    assert!(out(&o).contains("o k = 1    # k = 2"), "{}", out(&o));
    let o = cgdsl(&["table", "nim", "for n in 0..9: outcome(Nim[n])", "--plot"]);
    assert_eq!(o.status.code(), Some(2));
    assert!(err(&o).contains("a plot needs numbers"), "{}", err(&o));
}

#[test]
fn points_stand_alone_if_that_is_wanted() {
    let dir = Folder::new("points");
    let picture = |more: &[&str]| {
        let file = dir.file("t.svg", "");
        let mut all = vec!["table", "nim", "for n in 0..9: nimber(Nim[n, 3])", "--plot"];
        all.extend(more);
        all.extend(["-o", &file]);
        let o = cgdsl(&all);
        assert!(o.status.success(), "{}", err(&o));
        std::fs::read_to_string(&file).expect("written")
    };
    let (lines, points) = (picture(&[]), picture(&["--points"]));
    // Nine lines join ten points.
    let count = |text: &str| {
        (
            text.matches("<circle").count(),
            text.matches("<path").count(),
        )
    };
    assert_eq!(count(&lines).0, 10, "{lines}");
    assert_eq!(count(&points).0, 10, "{points}");
    assert!(lines.len() > points.len(), "{points}");
}

/// The four boards of at most two cells in a row or a column: nothing, and one domino each way.
#[test]
fn what_a_search_finds_is_counted_in_a_histogram() {
    let o = cgdsl(&["search", "domineering", "--up-to", "1x2", "--plot"]);
    assert!(o.status.success(), "{}", err(&o));
    let text = out(&o);
    let rows: Vec<Vec<&str>> = text
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    assert_eq!(rows[0], ["value", "positions"], "{text}");
    // -1 alone is the free row of two; all others are 0.
    assert_eq!(rows[1][..2], ["-1", "1"], "{text}");
    assert_eq!((rows[2][0], rows.len()), ("0", 3), "{text}");
    let dir = Folder::new("histograms");
    for (name, group, has) in [
        ("t.svg", "temperature", "</svg>"),
        ("t.tex", "value", "\\end{tikzpicture}"),
        ("t.typ", "outcome", "outcome"),
    ] {
        let file = dir.file(name, "");
        let o = cgdsl(&[
            "search",
            "domineering",
            "--up-to",
            "2x3",
            "--group-by",
            group,
            "-o",
            &file,
        ]);
        assert!(o.status.success(), "{}", err(&o));
        let picture = std::fs::read_to_string(&file).expect("written");
        assert!(
            picture.contains(has) && picture.contains("positions"),
            "{picture}"
        );
    }
    let file = dir.file("t.dot", "");
    let o = cgdsl(&["search", "domineering", "--plot", "-o", &file]);
    assert_eq!(o.status.code(), Some(2));
    assert!(err(&o).contains(".svg, .tex, .typ or .txt"), "{}", err(&o));
}

#[test]
fn what_cannot_be_plotted_says_why() {
    let dir = Folder::new("no-plots");
    let file = dir.file("k.dot", "");
    let o = cgdsl(&["seq", "kayles", "Kayles", "--plot", "-o", &file]);
    assert_eq!(o.status.code(), Some(2));
    assert!(err(&o).contains(".svg, .tex, .typ or .txt"), "{}", err(&o));
    let rules = "PartizanSubtraction({1, 2}, {1, 3})";
    let o = cgdsl(&["seq", "partizan-subtraction", rules, "--plot"]);
    assert_eq!(o.status.code(), Some(2));
    assert!(err(&o).contains("need nim-values"), "{}", err(&o));
}
