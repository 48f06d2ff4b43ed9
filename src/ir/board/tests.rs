//! Boards by constructor, encoding, art and combination.

use super::{Board, Builder, art, combine, constructors, encoded};
use crate::base::Span;
use crate::draw;
use crate::fault::Code;
use crate::model::typed::{BoardKind, Constructor};
use crate::val::Val;

fn make(which: Constructor, args: &[Val]) -> Board {
    constructors::make(which, args, BoardKind::Graph, Span::default()).unwrap()
}

fn n(k: i64) -> Val {
    Val::int(k)
}

/// Sites and edges of a board.
fn size(b: &Board) -> (usize, usize) {
    (b.sites(), b.lines.len())
}

#[test]
fn constructors_have_the_sizes_of_the_literature() {
    assert_eq!(size(&make(Constructor::Path, &[n(5)])), (5, 4));
    assert_eq!(size(&make(Constructor::Path, &[n(0)])), (0, 0));
    assert_eq!(size(&make(Constructor::Cycle, &[n(5)])), (5, 5));
    assert_eq!(size(&make(Constructor::Complete, &[n(6)])), (6, 15));
    assert_eq!(size(&make(Constructor::Star, &[n(4)])), (5, 4));
    assert_eq!(size(&make(Constructor::InStar, &[n(4)])), (5, 4));
    assert_eq!(
        size(&make(Constructor::TransitiveTournament, &[n(4)])),
        (4, 6)
    );
    assert_eq!(size(&make(Constructor::Chain, &[n(4)])), (4, 3));
    assert_eq!(size(&make(Constructor::Antichain, &[n(4)])), (4, 0));
    // chomp drops the corner: 3 * 4 - 1 elements.
    assert_eq!(make(Constructor::Chomp, &[n(3), n(4)]).sites(), 11);
    assert_eq!(make(Constructor::Chomp, &[n(1), n(1)]).sites(), 0);
    // 72 has 12 divisors; 1 is dropped.
    assert_eq!(make(Constructor::Divisors, &[n(72)]).sites(), 11);
    assert_eq!(make(Constructor::Divisors, &[n(1)]).sites(), 0);
    let stalk = make(Constructor::Stalk, &[Val::Text("brb".into())]);
    assert_eq!(size(&stalk), (4, 3));
    assert_eq!(stalk.root, Some(0));
    assert_eq!(stalk.marks.len(), 3);
}

#[test]
fn divisors_are_ordered_by_divisibility() {
    let b = make(Constructor::Divisors, &[n(360)]);
    for s in 0..u32::try_from(b.sites()).unwrap() {
        let up: Vec<Val> = b.above(s).into_iter().map(|t| b.label(t)).collect();
        let Val::Int(d) = b.label(s) else { panic!() };
        let d = d.to_i64().unwrap();
        let want: Vec<Val> = (2..=360)
            .filter(|m| 360 % m == 0 && m % d == 0)
            .map(Val::int)
            .collect();
        assert_eq!(up, want, "above {d}");
    }
}

#[test]
fn encodings_of_the_format_description() {
    let sorted = |b: &Board| {
        let mut lines = b.lines.clone();
        lines.sort_unstable();
        lines
    };
    fn parse(f: &str, t: &str) -> crate::Res<Board> {
        encoded::parse(f, t, Span::default())
    }
    // The examples of formats.txt.
    let b = parse("graph6", "DQc").unwrap();
    assert_eq!(
        (b.sites(), sorted(&b)),
        (5, vec![(0, 2), (0, 4), (1, 3), (3, 4)])
    );
    let b = parse("sparse6", ":Fa@x^").unwrap();
    assert_eq!(
        (b.sites(), sorted(&b)),
        (7, vec![(0, 1), (0, 2), (1, 2), (5, 6)])
    );
    let b = parse("digraph6", "&DI?AO?").unwrap();
    assert_eq!(
        (b.sites(), sorted(&b)),
        (5, vec![(0, 2), (0, 4), (3, 1), (3, 4)])
    );
    for (f, t) in [
        ("graph6", "D"),
        ("graph6", "é"),
        ("sparse6", "Fa"),
        ("foo", "A"),
        ("graph6", ""),
    ] {
        assert_eq!(parse(f, t).unwrap_err().code, Code::Board, "{f} {t}");
    }
    for t in ["~~~~~~~~~~", "~", "~~", "~????"] {
        let _ = parse("graph6", t);
        let _ = parse("sparse6", &format!(":{t}"));
        let _ = parse("digraph6", &format!("&{t}"));
    }
}

#[test]
fn art_reads_rows() {
    let b = art::parse("x o|. #\n", BoardKind::Grid, Span::default()).unwrap();
    assert_eq!(b.shape, Some((2, 2)));
    assert_eq!(b.marks.len(), 3);
    let fault = art::parse("xo|.", BoardKind::Grid, Span::default()).unwrap_err();
    assert_eq!(fault.code, Code::RaggedRow);
    let fault = art::parse("xo|..", BoardKind::Strip, Span::default()).unwrap_err();
    assert_eq!(fault.code, Code::Board);
    let graph = b.to_graph(Span::default()).unwrap();
    assert_eq!(size(&graph), (3, 2));
}

#[test]
fn parts_are_copies_that_share_the_root_only() {
    let (c2, c1) = (
        make(Constructor::Chain, &[n(2)]),
        make(Constructor::Chain, &[n(1)]),
    );
    let side = combine::beside(&c2, &c1, Span::default()).unwrap();
    assert_eq!(size(&side), (3, 1));
    let over = combine::over(
        &make(Constructor::Antichain, &[n(3)]),
        &side,
        Span::default(),
    )
    .unwrap();
    assert_eq!(over.sites(), 6);
    // Every element of the upper part is above every element of the lower one.
    let bottom = over.find(&n(1)).unwrap();
    assert_eq!(over.above(bottom).len(), 1 + 1 + 3);
    let stalk = make(Constructor::Stalk, &[Val::Text("br".into())]);
    let two = combine::beside(&stalk, &stalk, Span::default()).unwrap();
    assert_eq!(size(&two), (5, 4));
    assert!(combine::beside(&stalk, &c1, Span::default()).is_err());
}

#[test]
fn elements_below_each_other_are_one() {
    let mut b = Builder::new(BoardKind::Poset, Span::default());
    let [x, y, z] = ["x", "y", "z"].map(|l| b.site(Val::name(l)).unwrap());
    for (u, v) in [(x, y), (y, x), (y, z), (z, z)] {
        b.line(u, v).unwrap();
    }
    let board = b.finish();
    assert_eq!(size(&board), (2, 1));
    assert_eq!(
        board.notes,
        ["x, y are below each other: they are one element"]
    );
    assert_eq!(board.find(&Val::name("y")), Some(0));
}

#[test]
fn large_boards_are_quick_and_flat() {
    let m = 100_000;
    let path = make(Constructor::Path, &[n(m)]);
    assert_eq!(
        path.closure(0, |s| path.leaving(s).iter().map(|e| e.1))
            .len(),
        100_000
    );
    let mut b = Builder::new(BoardKind::Poset, Span::default());
    b.glue(&make(Constructor::Chain, &[n(m)])).unwrap();
    b.glue(&make(Constructor::Chain, &[n(m)])).unwrap();
    let board = b.finish();
    assert_eq!(board.sites(), 200_000);
    assert_eq!(board.above(0).len(), 100_000);
    assert!(board.find_cycle().is_none());
    let cycle = constructors::make(
        Constructor::Cycle,
        &[n(m)],
        BoardKind::Digraph,
        Span::default(),
    );
    assert_eq!(cycle.unwrap().find_cycle().map(|c| c.len()), Some(100_000));
}

/// Against the definition: x < y with nothing present between them. All relations of the board are given, not only covers.
#[test]
fn covers_are_those_of_the_definition() {
    let mut b = Builder::new(BoardKind::Poset, Span::default());
    for k in 1..=70 {
        b.site(n(k)).unwrap();
    }
    // Divisibility of the numbers 1 to 70.
    let below = |x: u32, y: u32| x != y && (y + 1).is_multiple_of(x + 1);
    for x in 0..70 {
        for y in (0..70).filter(|y| below(x, *y)) {
            b.line(x, y).unwrap();
        }
    }
    let board = b.finish();
    for gone in [0, 2, 3, 7] {
        let present = |s: u32| gone == 0 || !(s + 1).is_multiple_of(gone);
        let all = || (0..70).filter(|s| present(*s));
        let mut expected = Vec::new();
        for x in all() {
            let covering = all().filter(|y| below(x, *y));
            let covering = covering.filter(|y| !all().any(|z| below(x, z) && below(z, *y)));
            expected.extend(covering.map(|y| (x, y)));
        }
        assert_eq!(
            board.covers(&present),
            expected,
            "without multiples of {gone}"
        );
    }
}

#[test]
fn forests_have_their_roots_on_top() {
    let term = Val::Label(std::sync::Arc::new(crate::val::Label {
        name: "r".into(),
        args: vec![Val::name("a"), Val::name("b")],
    }));
    let b = make(Constructor::Forest, &[term]);
    assert_eq!(draw::board(&b), "poset { a < r; b < r }");
}
