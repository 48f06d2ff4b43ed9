use super::*;
use crate::syntax::names::{InTable, entry_of_table};

#[test]
fn each_name_once_for_each_use() {
    let mut seen = std::collections::HashSet::new();
    for row in table() {
        if row.in_expressions() {
            assert!(seen.insert(row.name), "{} twice", row.name);
        }
        assert!(
            !row.doc.is_empty() && !row.doc.ends_with('.'),
            "{}",
            row.name
        );
        assert!(!row.signature.is_empty(), "{}", row.name);
    }
}

#[test]
fn each_function_has_its_row() {
    for id in Builtin::all() {
        assert_ne!(name_of(What::Function(id)), "?", "{id:?}");
    }
    for id in Fold::ALL {
        assert_ne!(name_of(What::Fold(*id)), "?", "{id:?}");
    }
    for id in GameFunction::ALL {
        assert_ne!(name_of(What::Game(*id)), "?", "{id:?}");
    }
    for row in table() {
        let called = matches!(row.what, What::Function(_) | What::Fold(_) | What::Game(_));
        assert_eq!(row.function.is_some(), called, "{}", row.name);
    }
}

/// The calls that a signature shows: the arguments of each; empty if it has no parentheses.
fn calls(row: &Row) -> Vec<Vec<&str>> {
    let mut found = Vec::new();
    let mut rest = row.signature;
    while let Some(at) = rest.find(row.name) {
        rest = &rest[at + row.name.len()..];
        if !rest.starts_with('(') {
            found.push(Vec::new());
            continue;
        }
        let (mut depth, mut from) = (0, 1);
        let mut arguments = Vec::new();
        for (i, c) in rest.char_indices() {
            depth += i32::from(c == '(') - i32::from(c == ')');
            if depth == 0 || depth == 1 && c == ',' {
                arguments.push(rest[from..i].trim());
                from = i + 1;
            }
            if depth == 0 {
                rest = &rest[i + 1..];
                break;
            }
        }
        found.push(arguments);
    }
    found
}

#[test]
fn signatures_agree_with_the_parameters() {
    for row in table() {
        let Some(f) = row
            .as_function()
            .filter(|_| !matches!(row.what, What::Fold(_)))
        else {
            continue;
        };
        let calls = calls(row);
        assert!(!calls.is_empty(), "{}: {}", row.name, row.signature);
        for arguments in calls {
            // A drawn board can take the place of its sizes.
            if arguments.iter().any(|a| a.starts_with('"')) {
                continue;
            }
            let plain = arguments.iter().filter(|a| !a.contains(':')).count();
            assert!(f.takes(plain), "{}: {}", row.name, row.signature);
            for (name, _) in arguments.iter().filter_map(|a| a.split_once(':')) {
                let known = f.parameters.iter().any(|p| p.named && p.name == name);
                assert!(known, "{}: {name}", row.name);
            }
        }
        for p in f.parameters.iter().filter(|p| p.named) {
            assert!(
                row.signature.contains(&format!("{}:", p.name)),
                "{}",
                row.name
            );
        }
    }
}

#[test]
fn each_kind_of_board_has_a_word() {
    let kinds = crate::model::typed::BoardKind::NAMED;
    let words: Vec<&str> = names_of(What::BoardKind).collect();
    assert_eq!(kinds.map(|k| k.descriptor().name).to_vec(), words);
}

#[test]
fn a_function_of_a_board_is_shown_with_the_board() {
    for (name, shown) in [
        ("nbrs", "nbrs(G, v)"),
        ("vertices", "vertices(G)"),
        ("points", "points(P)"),
        ("up", "up(P, x)"),
        ("reach", "reach(G, v)"),
        ("row", "row(G, i)"),
        ("group", "group(G, v)"),
        ("ray", "ray(G, a, D)"),
        ("players", "players(G)"),
        ("pieces", "pieces(G)"),
    ] {
        let row = super::find(name);
        assert_eq!(row.map(Row::of_a_board).as_deref(), Some(shown));
    }
}

/// The words for a number of arguments fit what is accepted.
#[test]
fn the_number_of_arguments_in_words() {
    for row in table() {
        let Some(f) = &row.function else {
            continue;
        };
        let words = f.count();
        let numbers = words
            .split(' ')
            .filter_map(|w| w.trim_end_matches(',').parse::<usize>().ok());
        let numbers: Vec<usize> = numbers.collect();
        let (least, most) = f.arity();
        assert!(numbers.iter().all(|n| f.takes(*n)), "{}: {words}", row.name);
        if let Some(most) = most.filter(|n| *n > 0) {
            assert_eq!(numbers.last(), Some(&most), "{}: {words}", row.name);
        }
        assert!(
            least < 2 || numbers.first() == Some(&least),
            "{}: {words}",
            row.name
        );
    }
}

/// The parser's list agrees with the table.
#[test]
fn what_can_stand_in_an_entry_is_a_constant_of_the_table() {
    let constants = names_of(What::Constant).filter(|name| entry_of_table(name).is_some());
    // Eight directions, three contents of a site, true and false. Players are not constants of the language.
    assert_eq!(constants.count(), 13);
    for player in ["Left", "Right"] {
        assert_eq!(entry_of_table(player), Some(InTable::Player));
        assert!(find(player).is_none());
    }
}
