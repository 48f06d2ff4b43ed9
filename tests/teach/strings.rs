//! Nimstring by plain play, sharing nothing with the library: sums of chains and loops come in, who wins comes out. It confirms
//! the theorems of lesson 18 (Berlekamp, *The Dots and Boxes Game*) and what the program answers.

use cgdsl::session::{Answer, Disk, Session, Settings};
use std::collections::HashMap;

/// Strings, each between two coins; 0 is the ground.
type Strings = Vec<(u8, u8)>;

/// Whether the player to move wins: some cut leads to a win, of the same player if it frees a coin.
fn wins(strings: &Strings, known: &mut HashMap<Strings, bool>) -> bool {
    if let Some(&known) = known.get(strings) {
        return known;
    }
    let won = (0..strings.len()).any(|i| {
        let mut rest = strings.clone();
        let (a, b) = rest.remove(i);
        let held = |coin: u8| coin == 0 || rest.iter().any(|s| s.0 == coin || s.1 == coin);
        let frees = !held(a) || !held(b);
        wins(&rest, known) == frees
    });
    known.insert(strings.clone(), won);
    won
}

/// Chains and loops of these numbers of coins, side by side.
fn sum(chains: &[u8], loops: &[u8]) -> Strings {
    let (mut all, mut first) = (Strings::new(), 1);
    for &n in chains {
        all.push((0, first));
        all.extend((first..first + n - 1).map(|i| (i, i + 1)));
        all.push((0, first + n - 1));
        first += n;
    }
    for &n in loops {
        all.extend((first..first + n - 1).map(|i| (i, i + 1)));
        all.push((first, first + n - 1));
        first += n;
    }
    all
}

/// Lists of at most three numbers from 1 to 5 in order, at most eight in all.
fn lists() -> Vec<Vec<u8>> {
    let mut all = vec![Vec::new()];
    for length in 0..3 {
        let longer: Vec<Vec<u8>> = all
            .iter()
            .filter(|l: &&Vec<u8>| l.len() == length)
            .flat_map(|l| {
                let least = l.last().copied().unwrap_or(1);
                (least..=5).map(move |n| [&l[..], &[n]].concat())
            })
            .filter(|l| l.iter().sum::<u8>() <= 8)
            .collect();
        all.extend(longer);
    }
    all
}

#[test]
fn short_chains_decide_whose_turn_it_is_and_two_tied_coins_change_nothing() {
    let mut known = HashMap::new();
    for chains in lists() {
        let short = chains.iter().filter(|n| **n <= 2).count();
        let odd = short % 2 == 1;
        assert_eq!(wins(&sum(&chains, &[]), &mut known), odd, "{chains:?}");
        // A loop of four or more is long.
        if chains.iter().sum::<u8>() <= 5 {
            assert_eq!(
                wins(&sum(&chains, &[4]), &mut known),
                odd,
                "{chains:?} and a loop"
            );
        }
        // The lemma: a pair that is tied to itself, and a coin on a single string.
        for more in [(100, 101), (0, 100)] {
            let mut with = sum(&chains, &[]);
            with.push(more);
            assert_eq!(wins(&with, &mut known), odd, "{chains:?} and {more:?}");
        }
        // Theorem 1: of an opened long chain two coins are left.
        let mut loony = sum(&chains, &[]);
        loony.extend([(0, 100), (100, 101)]);
        assert!(wins(&loony, &mut known), "{chains:?} and an opened chain");
    }
}

#[test]
fn the_program_says_who_wins_chains_as_plain_play_does() {
    let mut known = HashMap::new();
    let world = Disk;
    let mut session = Session::new(&world, Settings::default());
    let mut loaded = session.load("nimstring");
    for chains in lists().into_iter().filter(|l| (1..=2).contains(&l.len())) {
        let text: Vec<String> = chains.iter().map(|n| format!("Chain({n})")).collect();
        let text = format!("outcome({})", text.join(" + "));
        let query = session
            .expression(&mut loaded, &text)
            .expect("an expression");
        loaded.queries = vec![query];
        let items = session.evaluate(&loaded, |_, _| {});
        let Some(Answer::Value(found)) = items.first().map(|i| &i.answer) else {
            panic!("{text}: {items:?}");
        };
        let expected = match wins(&sum(&chains, &[]), &mut known) {
            true => "N-position",
            false => "P-position",
        };
        assert_eq!(found.value, expected, "{text}");
    }
}
