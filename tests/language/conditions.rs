//! What a query says of its parts: each condition between commas counts, and lists are told in their order.

use cgdsl::claim::{Answer, Status};
use cgdsl::game::Limits;
use cgdsl::session::{Memory, Session, Settings};

/// Each condition decides, wherever it stands; the one that does not hold is named.
#[test]
fn every_condition_between_commas_counts() {
    let rules =
        "ruleset Cram\n  board grid\n  move by anyone: choose a, b in nbrs(a) then remove a, b\n\n";
    for (query, status, failed) in [
        ("assert 1 = 1, 2 = 3", Status::Failed, Some("2 = 3")),
        ("assert 2 = 3, 1 = 1", Status::Failed, Some("2 = 3")),
        ("assert 1 = 1 and 2 = 3", Status::Failed, Some("2 = 3")),
        ("assert 1 = 1, 2 = 2", Status::Held, None),
        ("assert 1 = 2", Status::Failed, None),
        (
            "claim for n in 1..3: n = n, n = 2",
            Status::Failed,
            Some("n = 2"),
        ),
        (
            "claim for n in 1..3: n > 0, n < 4, n != 5",
            Status::Held,
            None,
        ),
        (
            "refute for n in 1..3: n = n, n = 2",
            Status::Held,
            Some("n = 2"),
        ),
        ("refute for n in 1..3: n = n, n > 0", Status::Failed, None),
        // What is false decides, though a limit keeps another condition from being known.
        (
            "assert nimber(Cram[grid(9, 9)]) = 0, 1 = 2",
            Status::Failed,
            Some("1 = 2"),
        ),
        (
            "assert nimber(Cram[grid(9, 9)]) = 0, 1 = 1",
            Status::Unknown,
            None,
        ),
        // The second relies on the first, which is not known.
        (
            "assert nimber(Cram[grid(9, 9)]) = 0, 1 div 0 = 1",
            Status::Unknown,
            None,
        ),
        ("assert 1 = 2, 1 div 0 = 1", Status::Failed, Some("1 = 2")),
    ] {
        let world = Memory::default().with("a.rules", format!("{rules}{query}\n"));
        let settings = Settings {
            limits: Limits {
                nodes: Some(50),
                ..Limits::default()
            },
            ..Settings::default()
        };
        let mut session = Session::new(&world, settings);
        let loaded = session.load("a.rules");
        let items = session.evaluate(&loaded, |_, _| {});
        let [item] = &items[..] else {
            panic!("{query}: {:?}", loaded.diagnostics);
        };
        let Answer::Verdict(verdict) = &item.answer else {
            panic!("{query}");
        };
        let named = verdict.counterexample.as_ref();
        let named = named.and_then(|found| found.failed.as_deref());
        assert_eq!((item.status, named), (status, failed), "{query}");
    }
}

#[test]
fn lists_are_told_in_their_order() {
    let world = Memory::default().with(
        "a.rules",
        "eval [{1|}, {0|}, *], {{1|}, {0|}}\nassert [{1|}, {0|}] = [{0|}, {1|}]\n",
    );
    let mut session = Session::new(&world, Settings::default());
    let loaded = session.load("a.rules");
    let items = session.evaluate(&loaded, |_, _| {});
    let values: Vec<&str> = items
        .iter()
        .filter_map(|i| match &i.answer {
            Answer::Value(v) => Some(v.value.as_str()),
            _ => None,
        })
        .collect();
    // {n|} is n + 1 (Winning Ways, ch. 2).
    assert_eq!(values, ["[2, 1, *]", "{1, 2}"]);
    let Some(Answer::Verdict(verdict)) = items.last().map(|i| &i.answer) else {
        panic!("no verdict");
    };
    let found = verdict.counterexample.as_ref().expect("it fails");
    let shown: Vec<&str> = found.found.iter().map(|b| b.value.as_str()).collect();
    assert_eq!(shown, ["[2, 1]", "[1, 2]"]);
}
