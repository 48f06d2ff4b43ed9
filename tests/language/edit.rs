//! Changes of a board by hand: the text of the position afterwards, against literals written by hand; and, of all shipped
//! positions, that each change gives a text that reads back as itself, or a sentence.

use cgdsl::ir::draw::literal;
use cgdsl::ir::edit::{Edit, Spot, edited};
use cgdsl::ir::{Piece, Position};
use cgdsl::model::typed::{QueryKind, Sort};
use cgdsl::session::{Loaded, Memory, Session, Settings, shipped};
use std::sync::Arc;

fn position(
    session: &mut Session<'_>,
    loaded: &mut Loaded,
    text: &str,
) -> Result<Arc<Position>, String> {
    let said = |all: Vec<cgdsl::diagnostic::Diagnostic>| {
        all.first().map_or(String::new(), |d| d.message.clone())
    };
    let query = session.position(loaded, text).map_err(said)?;
    session
        .value_of(loaded, &query)
        .map_err(|d| d.message.clone())
}

/// The position after a change is the one that is written beside it.
fn gives(rulesets: &str, before: &str, edit: &Edit, expected: &str) {
    let world = Memory::default().with("f.rules", rulesets.as_bytes());
    let mut session = Session::new(&world, Settings::default());
    let mut loaded = session.load("f.rules");
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let start = position(&mut session, &mut loaded, before).expect("a position");
    let text = edited(&start, 0, edit).unwrap_or_else(|why| panic!("{before}: {why}"));
    let found = position(&mut session, &mut loaded, &text).expect("a position");
    let wanted = position(&mut session, &mut loaded, expected).expect("a position");
    assert!(
        found.is_same(&wanted),
        "{before} by {edit:?} is {text}, not {expected}"
    );
}

fn refused(rulesets: &str, before: &str, edit: &Edit) {
    let world = Memory::default().with("f.rules", rulesets.as_bytes());
    let mut session = Session::new(&world, Settings::default());
    let mut loaded = session.load("f.rules");
    let start = position(&mut session, &mut loaded, before).expect("a position");
    let text = edited(&start, 0, edit);
    let read = text.and_then(|t| position(&mut session, &mut loaded, &t));
    assert!(read.is_err(), "{before} by {edit:?} is {read:?}");
}

fn put(site: usize, piece: &str) -> Edit {
    Edit::Put {
        spot: Spot::Site(site),
        piece: piece.to_owned(),
    }
}

fn remove(spot: Spot) -> Edit {
    Edit::Remove { spot }
}

fn join(from: usize, to: usize, piece: Option<&str>) -> Edit {
    Edit::Join {
        from,
        to,
        piece: piece.map(str::to_owned),
    }
}

#[test]
fn cells_take_pieces_and_go() {
    let clobber = "use \"clobber\"";
    gives(
        clobber,
        "Clobber[\"xo.|ox.\"]",
        &put(2, "x"),
        "Clobber[\"xox|ox.\"]",
    );
    gives(
        clobber,
        "Clobber[\"xo.|ox.\"]",
        &put(0, "empty"),
        "Clobber[\".o.|ox.\"]",
    );
    gives(
        clobber,
        "Clobber[\"xo.|ox.\"]",
        &put(0, "o"),
        "Clobber[\"oo.|ox.\"]",
    );
    refused(clobber, "Clobber[\"xo.\"]", &put(0, "z"));
    refused(clobber, "Clobber[\"xo.\"]", &put(7, "x"));
    let domineering = "use \"domineering\"";
    gives(
        domineering,
        "Domineering[grid(2, 2)]",
        &remove(Spot::Site(3)),
        "Domineering[\"..|.#\"]",
    );
    gives(
        domineering,
        "Domineering[\"..|.#\"]",
        &put(3, "empty"),
        "Domineering[grid(2, 2)]",
    );
    let sides = Edit::Resize {
        rows: 1,
        columns: 3,
    };
    gives(
        domineering,
        "Domineering[\"#.|..\"]",
        &sides,
        "Domineering[\"#..\"]",
    );
    refused(
        domineering,
        "Domineering[grid(2, 2)]",
        &Edit::Resize {
            rows: 0,
            columns: 3,
        },
    );
    refused(
        domineering,
        "Domineering[grid(2, 2)]",
        &Edit::Resize {
            rows: 9000,
            columns: 9000,
        },
    );
}

#[test]
fn values_of_cells_stay_with_their_cells() {
    let counters = "ruleset Counters\n  board grid\n  state f(cell): nat\n  \
                    move by anyone: choose a where f(a) >= 1 then f(a) -= 1\n";
    let sides = |rows, columns| Edit::Resize { rows, columns };
    gives(
        counters,
        "Counters[grid(2, 2), f: [1, 2, 3, 4]]",
        &sides(2, 3),
        "Counters[grid(2, 3), f: [1, 2, 0, 3, 4, 0]]",
    );
    gives(
        counters,
        "Counters[grid(2, 2), f: [1, 2, 3, 4]]",
        &sides(1, 2),
        "Counters[grid(1, 2), f: [1, 2]]",
    );
    gives(
        counters,
        "Counters[grid(2, 2), f: [1, 2, 3, 4]]",
        &sides(3, 1),
        "Counters[grid(3, 1), f: [1, 3, 0]]",
    );
    let stacks = "ruleset Stacks\n  board strip\n  state f(cell): nat\n  \
                  move by anyone: choose a where f(a) >= 1 then f(a) -= 1\n";
    gives(
        stacks,
        "Stacks[strip(3), f: [0, 2, 5]]",
        &sides(1, 2),
        "Stacks[strip(2), f: [0, 2]]",
    );
}

#[test]
fn graphs_take_pieces_edges_and_vertices() {
    let snort = "use \"snort\"";
    let start = "Snort[a:x -- b -- c]";
    gives(snort, start, &put(2, "o"), "Snort[a:x -- b -- c:o]");
    gives(snort, start, &put(0, "empty"), "Snort[a -- b -- c]");
    gives(
        snort,
        start,
        &join(0, 2, None),
        "Snort[a:x -- b -- c, a -- c]",
    );
    gives(snort, start, &remove(Spot::Site(1)), "Snort[a:x, c]");
    gives(snort, start, &remove(Spot::Line(0)), "Snort[a:x, b -- c]");
    // `a`, `b` and `c` are taken.
    gives(snort, start, &Edit::Add, "Snort[a:x -- b -- c, d]");
    gives(
        snort,
        "Snort[path(2)]",
        &Edit::Add,
        "Snort[c[1] -- c[2], c[3]]",
    );
    let hackenbush = "use \"hackenbush\"";
    let stalk = "Hackenbush[ground -b- u -r- w]";
    gives(
        hackenbush,
        stalk,
        &join(0, 2, Some("g")),
        "Hackenbush[ground -b- u -r- w, ground -g- w]",
    );
    let recolour = Edit::Put {
        spot: Spot::Line(1),
        piece: "b".into(),
    };
    gives(
        hackenbush,
        stalk,
        &recolour,
        "Hackenbush[ground -b- u -b- w]",
    );
    refused(hackenbush, stalk, &remove(Spot::Site(0)));
    refused(hackenbush, stalk, &put(1, "b"));
    let blocking = "use \"blocking-pebbles\"";
    gives(
        blocking,
        "BlockingPebbles[A:2b+1g -> B -> C:r]",
        &put(0, "b"),
        "BlockingPebbles[A:3b+1g -> B -> C:r]",
    );
    gives(
        blocking,
        "BlockingPebbles[A:2b+1g -> B -> C:r]",
        &put(0, "empty"),
        "BlockingPebbles[A -> B -> C:r]",
    );
}

#[test]
fn relations_come_and_go_one_by_one() {
    let poset = "use \"poset-game\"";
    // Without a < b, a < c still holds.
    gives(
        poset,
        "PosetGame[a < b, b < c]",
        &remove(Spot::Line(0)),
        "PosetGame[a < c, b < c]",
    );
    gives(
        poset,
        "PosetGame[a < c, b < c]",
        &join(0, 2, None),
        "PosetGame[a < b, b < c]",
    );
    refused(poset, "PosetGame[a < b]", &join(1, 0, None));
    refused(poset, "PosetGame[a < b]", &join(1, 1, None));
}

#[test]
fn heaps_grow_and_vanish() {
    let nim = "use \"nim\"";
    let heap = |heap, size| Edit::Heap {
        heap,
        component: 0,
        size,
    };
    gives(nim, "Nim[3, 5]", &heap(0, 4), "Nim[4, 5]");
    gives(nim, "Nim[3, 5]", &heap(1, 0), "Nim[3]");
    gives(nim, "Nim[3, 5]", &Edit::Add, "Nim[1, 3, 5]");
    gives(nim, "Nim[0]", &Edit::Add, "Nim[1]");
    gives(nim, "2 * Nim[3]", &heap(0, 1), "2 * Nim[1]");
    refused(nim, "Nim[3]", &heap(4, 1));
    refused(
        nim,
        "Nim[3]",
        &Edit::Resize {
            rows: 2,
            columns: 2,
        },
    );
}

#[test]
fn changes_of_all_shipped_positions_read_back() {
    let mut changed = 0;
    for file in shipped::all() {
        let world = Memory::default();
        let mut session = Session::new(&world, Settings::default());
        let mut loaded = session.load(file.path);
        let queries = loaded.queries.clone();
        let asked = queries.iter().filter(|q| {
            let one = matches!(&q.body[..], [e] if e.sort == Sort::Position);
            q.kind == QueryKind::Eval && q.binders.is_empty() && one
        });
        for query in asked.take(3) {
            let Ok(start) = session.value_of(&loaded, query) else {
                continue;
            };
            let pieces: Vec<String> = start.terms().first().map_or_else(Vec::new, |t| {
                let all = (0u16..).take(t.setting.instance.pieces.len());
                all.map(|p| {
                    t.setting
                        .instance
                        .piece_name(Piece::Declared(p))
                        .to_string()
                })
                .collect()
            });
            let mut edits = vec![
                Edit::Add,
                remove(Spot::Site(0)),
                remove(Spot::Site(1)),
                remove(Spot::Line(0)),
                join(0, 1, pieces.first().map(String::as_str)),
                join(1, 0, None),
                Edit::Heap {
                    heap: 0,
                    component: 0,
                    size: 3,
                },
                Edit::Resize {
                    rows: 3,
                    columns: 3,
                },
            ];
            for piece in pieces.iter().chain([&"empty".to_owned()]) {
                edits.push(put(1, piece));
                edits.push(Edit::Put {
                    spot: Spot::Line(0),
                    piece: piece.clone(),
                });
            }
            for edit in edits {
                let Ok(text) = edited(&start, 0, &edit) else {
                    continue;
                };
                // The rules may not take such a board; then a message says so.
                let Ok(found) = position(&mut session, &mut loaded, &text) else {
                    continue;
                };
                let printed = literal(&found);
                let again = position(&mut session, &mut loaded, &printed)
                    .unwrap_or_else(|why| panic!("{}: {printed}: {why}", file.path));
                assert!(again.is_same(&found), "{}: {edit:?}: {printed}", file.path);
                changed += 1;
            }
        }
    }
    assert!(changed > 300, "only {changed} changes");
}
