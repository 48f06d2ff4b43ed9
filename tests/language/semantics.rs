//! What rules mean, on every road: files whose values are worked out by hand or known from books come in (`tests/semantics`);
//! every query of theirs must hold by the plain evaluator, with all shortcuts and with each closed. And what no road may
//! answer.

use cgdsl::game::{Limits, Shortcut, Shortcuts};
use cgdsl::session::{Memory, Session, Settings, Status};

/// Ways to come to an answer: all shortcuts, each closed, all but few closed.
fn treatments() -> Vec<(String, Shortcuts)> {
    let all = Shortcuts::ALL;
    let few = Shortcuts::only(&[Shortcut::Memo]);
    let ground = Shortcuts::only(&[Shortcut::Memo, Shortcut::Compile, Shortcut::Ground]);
    let mut treatments = vec![
        ("all shortcuts".to_owned(), all),
        ("memory alone".to_owned(), few),
        ("ground, with memory".to_owned(), ground),
    ];
    let sometimes = [Shortcut::Memo, Shortcut::Digests, Shortcut::Incentives];
    for shortcut in all.iter().filter(|s| !sometimes.contains(s)) {
        let name = format!("without {}", shortcut.entry().name);
        treatments.push((name, all.without(&[shortcut])));
    }
    treatments
}

/// The statuses of the queries of a text, with what was said of those that did not hold.
fn evaluated(text: &str, shortcuts: Shortcuts) -> Vec<(Status, String)> {
    let world = Memory::default().with("a.rules", text);
    let settings = Settings {
        shortcuts,
        ..Settings::default()
    };
    let mut session = Session::new(&world, settings);
    let loaded = session.load("a.rules");
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    let items = session.evaluate(&loaded, |_, _| {});
    items
        .into_iter()
        .map(|item| {
            let line = text.lines().nth(item.line.saturating_sub(1)).unwrap_or("");
            (item.status, format!("{line}: {:?}", item.diagnostics))
        })
        .collect()
}

/// A text without its queries.
fn definitions(text: &str) -> String {
    let items = text.split("\n\n");
    let is_query = |line: &str| line.starts_with("assert") || line.starts_with("claim");
    let only = items.filter(|item| !item.lines().any(is_query));
    only.collect::<Vec<_>>().join("\n\n")
}

fn all_hold(text: &str) {
    let mut wrong = Vec::new();
    for (name, treatment) in treatments() {
        let all = evaluated(text, treatment);
        assert!(all.len() > 5);
        for (status, said) in all.iter().filter(|(status, _)| *status != Status::Held) {
            wrong.push(format!("{name}: {status:?}: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_stage_sees_what_the_one_before_left() {
    all_hold(include_str!("../semantics/stages.rules"));
}

#[test]
fn free_moves_of_one_of_three_players() {
    all_hold(include_str!("../semantics/players.rules"));
}

#[test]
fn sites_that_are_gone_mean_the_same_everywhere() {
    all_hold(include_str!("../semantics/gone.rules"));
}

#[test]
fn rings_hexagons_and_boards_as_they_were_drawn() {
    all_hold(include_str!("../semantics/rings.rules"));
}

#[test]
fn sets_of_sites_are_compared_as_they_are_in_play() {
    all_hold(include_str!("../semantics/sets.rules"));
}

#[test]
fn functions_that_are_chosen() {
    all_hold(include_str!("../semantics/functions.rules"));
}

#[test]
fn loose_forms() {
    all_hold(include_str!("../semantics/loose.rules"));
}

#[test]
fn values_by_cases() {
    all_hold(include_str!("../semantics/cases.rules"));
}

#[test]
fn ends_further_turns_and_chains_mean_what_the_grammar_says() {
    all_hold(include_str!("../semantics/ends.rules"));
}

#[test]
fn what_is_inherited_means_what_it_says_written_out() {
    all_hold(include_str!("../semantics/inherited.rules"));
}

#[test]
fn play_ends_where_one_of_the_players_cannot_move() {
    all_hold(include_str!("../semantics/dicotic.rules"));
}

#[test]
fn games_as_papers_define_them_have_the_values_of_other_programs() {
    all_hold(include_str!("../semantics/papers.rules"));
}

#[test]
fn sums_have_the_players_and_the_rules_of_their_terms() {
    all_hold(include_str!("../semantics/sums.rules"));
}

#[test]
fn edges_that_are_added_are_like_those_that_were_given() {
    all_hold(include_str!("../semantics/adding.rules"));
}

#[test]
fn what_is_fixed_is_read_as_it_was_given() {
    all_hold(include_str!("../semantics/fixed.rules"));
}

#[test]
fn nimbers_and_loony_values_are_those_of_play() {
    all_hold(include_str!("../semantics/affine.rules"));
}

#[test]
fn answers_to_entailing_moves_are_made_in_what_they_left() {
    all_hold(include_str!("../semantics/entail.rules"));
}

#[test]
fn loopy_values_are_data_like_others() {
    all_hold(include_str!("../semantics/loopy.rules"));
}

#[test]
fn scores_are_those_worked_out_by_hand() {
    all_hold(include_str!("../semantics/scores.rules"));
}

#[test]
fn codes_are_given_as_text_or_as_digits() {
    all_hold(include_str!("../semantics/codes.rules"));
}

#[test]
fn scores_in_sums_are_those_of_the_literature() {
    all_hold(include_str!("../semantics/guaranteed.rules"));
}

#[test]
fn genera_and_misere_quotients_are_those_of_the_literature() {
    all_hold(include_str!("../semantics/misere.rules"));
}

#[test]
fn positions_that_play_does_not_lead_to_are_worth_what_their_moves_say() {
    all_hold(include_str!("../semantics/given.rules"));
}

/// The numbers that may be taken are tried for each heap, which is too much for the first heap. The second is still answered by
/// its sequence, without a search. The nimber of n is one more than its number of factors 2: if a divisor d has fewer of them than
/// n, then n - d has as many as d; else n - d is 0, or has more than n. (And checked up to 400 in Python.)
#[test]
fn a_large_heap_does_not_spoil_the_small_ones() {
    let text = "ruleset D\n  board heaps\n  \
                move by anyone: choose n, k in 1..n where n mod k = 0 then n -> [n - k]\n\n\
                eval nimber(D[5000])\n\nassert nimber(D[300]) = 3\n\nassert nimber(D[96]) = 6\n";
    let world = Memory::default().with("a.rules", text);
    let settings = Settings {
        limits: Limits {
            nodes: Some(3),
            ..Limits::default()
        },
        ..Settings::default()
    };
    let mut session = Session::new(&world, settings);
    let loaded = session.load("a.rules");
    let items = session.evaluate(&loaded, |_, _| {});
    let statuses: Vec<Status> = items.into_iter().map(|item| item.status).collect();
    assert_eq!(statuses, [Status::Unknown, Status::Held, Status::Held]);
}

#[test]
fn a_table_may_have_as_many_rows_as_it_says() {
    for (rows, wanted) in [(100_000, Status::Held), (100_001, Status::Unknown)] {
        let all = evaluated(&format!("table for n in 1..{rows}: n\n"), Shortcuts::ALL);
        let [(status, said)] = &all[..] else {
            panic!("one answer: {}", all.len())
        };
        assert_eq!(*status, wanted, "{rows}: {said}");
    }
}

#[test]
fn winners_agree_with_values() {
    all_hold(include_str!("../semantics/winners.rules"));
}

#[test]
fn what_nobody_can_force_is_refused_on_every_road() {
    let rules = include_str!("../semantics/winners.rules");
    let rules = definitions(rules);
    let asked = [
        // Left can move for ever, and a nimber has no options of Left alone.
        "nimber(Shuttle[\"x.\"])",
        // Left may make a w, which Right cannot move.
        "value(Slip[\"x\"])",
        "misere_outcome(Slip[\"x\"])",
        "outcome(Slip[\"w\"])",
        "outcome(Mirror[\"xo\"])",
        "winner(Mirror[\"x.o\"], first: Left)",
        "winner(Slip[\"w\"], first: Right)",
        "winner(Slip[\"wx\"], first: Right)",
    ];
    // Nobody takes a heap of two, and who leaves one loses: play grows, and nobody knows an end.
    let grows = [
        "outcome(Growing[2])",
        "winner(Growing[1, 1], first: Left)",
        "coalitions(Growing[2], first: Right)",
        "misere_outcome(Growing[1])",
        "value(Growing[1])",
    ];
    let asked = asked.map(|q| (q, Status::Broken)).into_iter();
    let asked = asked.chain(grows.map(|q| (q, Status::Unknown)));
    let mut wrong = Vec::new();
    for (question, wanted) in asked {
        for (name, treatment) in treatments() {
            let all = evaluated(&format!("{rules}\neval {question}\n"), treatment);
            let [(status, said)] = &all[..] else {
                panic!("one answer: {all:?}")
            };
            if *status != wanted {
                wrong.push(format!("{name}: {question}: {status:?} {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Positions of `Shuttle`, as strings, by plain retrograde analysis: who wins where each player begins, if either can force it.
fn shuttled(start: &str, misere: bool) -> [Option<bool>; 2] {
    fn options(state: &[u8], player: usize) -> Vec<Vec<u8>> {
        let own = [b'x', b'o'][player];
        let mut found = Vec::new();
        for i in (0..state.len()).filter(|i| state[*i] == own) {
            for j in [i.wrapping_sub(1), i + 1] {
                if state.get(j) == Some(&b'.') {
                    let mut next = state.to_vec();
                    next.swap(i, j);
                    found.push(next);
                }
            }
        }
        found
    }
    let mut nodes: Vec<(Vec<u8>, usize)> = vec![(start.into(), 0), (start.into(), 1)];
    let mut at = 0;
    while let Some((state, player)) = nodes.get(at).cloned() {
        for next in options(&state, player) {
            if !nodes.contains(&(next.clone(), 1 - player)) {
                nodes.push((next, 1 - player));
            }
        }
        at += 1;
    }
    let mut wins: std::collections::HashMap<(Vec<u8>, usize), bool> = Default::default();
    loop {
        let before = wins.len();
        for (state, player) in &nodes {
            let next = options(state, *player);
            let told: Vec<_> = next
                .iter()
                .map(|n| wins.get(&(n.clone(), 1 - player)).copied())
                .collect();
            let result = if next.is_empty() {
                Some(misere)
            } else if told.contains(&Some(false)) {
                Some(true)
            } else {
                told.iter().all(|t| *t == Some(true)).then_some(false)
            };
            if let Some(result) = result {
                wins.insert((state.clone(), *player), result);
            }
        }
        if wins.len() == before {
            return [0, 1].map(|p| wins.get(&(start.into(), p)).copied());
        }
    }
}

#[test]
fn winners_where_play_need_not_end_are_those_of_retrograde_analysis() {
    let mut text = definitions(include_str!("../semantics/winners.rules"));
    let mut expected = Vec::new();
    for cells in 1..=4u32 {
        for number in 0..3usize.pow(cells) {
            let art: String = (0..cells)
                .map(|i| [".", "x", "o"][number / 3usize.pow(i) % 3])
                .collect();
            for (question, misere) in [("outcome", false), ("misere_outcome", true)] {
                let wanted = match shuttled(&art, misere) {
                    [Some(true), Some(true)] => "N",
                    [Some(true), Some(false)] => "L",
                    [Some(false), Some(true)] => "R",
                    [Some(false), Some(false)] => "P",
                    [None, None] => "D",
                    [Some(true), None] => "LD",
                    [Some(false), None] => "RD",
                    [None, Some(true)] => "DR",
                    [None, Some(false)] => "DL",
                };
                text.push_str(&format!(
                    "\nassert {question}(Shuttle[\"{art}\"]) = {wanted}-position\n"
                ));
                expected.push(wanted.contains('D'));
            }
        }
    }
    let drawn = expected.iter().filter(|e| **e).count();
    assert!(drawn > 10 && drawn < expected.len() / 2, "{drawn}");
    for (name, treatment) in treatments() {
        let found = evaluated(&text, treatment);
        assert_eq!(found.len(), expected.len());
        for (status, said) in &found {
            assert_eq!(*status, Status::Held, "{name}: {said}");
        }
    }
}
