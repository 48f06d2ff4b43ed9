//! The options and the followers of a position where a limit ends the search for their values: what is known is told.

use cgdsl::game::Limits;
use cgdsl::session::{Memory, Session, Settings};

/// Domineering in which Left may also take all that is left, which has a value at once.
const DOMINEERING: &str = "ruleset Domineering
  board grid
  move clear by Left: choose a then remove cells
  move by Left:  choose a, b = a + south then remove a, b
  move by Right: choose a, b = a + east then remove a, b
";

/// What is printed of the options of each player, and of the positions within one move, with values as far as they are known.
fn told(
    nodes: Option<u64>,
) -> (
    Vec<Vec<(String, Option<String>)>>,
    Vec<Option<String>>,
    [bool; 2],
) {
    let world = Memory::default().with("a.rules", DOMINEERING.to_owned());
    let limits = Limits {
        nodes,
        ..Limits::default()
    };
    let settings = Settings {
        limits,
        ..Settings::default()
    };
    let mut session = Session::new(&world, settings);
    let mut loaded = session.load("a.rules");
    let query = session
        .position(&mut loaded, "grid(3, 4)")
        .expect("a board");
    let start = session.value_of(&loaded, &query).expect("a position");
    let found = session.moves(&loaded, &start).expect("the options");
    let known = |m: cgdsl::session::Move| (m.picture.text, m.value);
    let players = found.players.into_iter();
    let options = players.map(|(_, all)| all.into_iter().map(known).collect());
    let options = options.collect();
    let (tree, limit) = session.tree(&loaded, &start, 1).expect("the followers");
    let values = tree.nodes.into_iter().map(|n| n.value).collect();
    (options, values, [found.stopped.is_some(), limit.is_some()])
}

#[test]
fn values_found_before_a_limit_are_told() {
    let (options, values, limits) = told(None);
    assert_eq!(limits, [false; 2]);
    assert!(options.iter().flatten().all(|(_, value)| value.is_some()));
    assert!(values.iter().all(Option::is_some));
    let mut some = 0;
    for nodes in (5..400).step_by(9) {
        let (fewer, less, limits) = told(Some(nodes));
        for (all, known) in options.iter().zip(&fewer) {
            assert_eq!(all.len(), known.len(), "{nodes}");
            let names = |all: &[(String, Option<String>)]| -> Vec<String> {
                let mut names: Vec<String> = all.iter().map(|(name, _)| name.clone()).collect();
                names.sort();
                names
            };
            assert_eq!(names(all), names(known), "{nodes}");
            assert!(
                known.iter().all(|m| m.1.is_none() || all.contains(m)),
                "{nodes}"
            );
        }
        assert_eq!(values.len(), less.len());
        let agree = |(a, b): (&Option<String>, &Option<String>)| b.is_none() || a == b;
        assert!(values.iter().zip(&less).all(agree), "{nodes}");
        let known = fewer.iter().flatten().filter(|m| m.1.is_some()).count();
        let unknown = fewer.iter().flatten().count() - known;
        assert_eq!(unknown > 0, limits[0], "{nodes}");
        some += usize::from(known > 0 && unknown > 0);
    }
    assert!(some > 0);
}
