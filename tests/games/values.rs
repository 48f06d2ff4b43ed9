//! The games of `examples/`, evaluated by the engine and compared with values from the literature and from independent
//! programs.

use crate::blocking_pebbles::BlockingPebbles;
use crate::clobber::Clobber;
use crate::digraph_placement::DigraphPlacement;
use crate::domineering::Domineering;
use crate::fission::Fission;
use crate::hackenbush::Hackenbush;
use crate::nim::Nim;
use cgdsl::engine::arena::Fate;
use cgdsl::engine::{Engine, Stopped};
use cgdsl::game::{Cancel, Game, Limit, Limits, Player, Reason, Rules, Shortcut, Shortcuts, Sign};
use cgdsl::value::notation::{Style, print, read};
use cgdsl::value::{Number, Outcome};

// The value of a position equals the value given as text.
fn is<G: Game>(engine: &Engine<G::Key>, game: &G, position: &G::Position, text: &str) {
    let forms = engine.forms();
    let value = engine.value(game, position).unwrap();
    let expected = read(forms, text).unwrap();
    let found = print(forms, value, Style::Ascii);
    assert_eq!(value, expected, "{position:?} is {found}, not {text}");
    assert_eq!(
        engine.outcome(game, position).unwrap(),
        forms.outcome(value).unwrap()
    );
}

/// Bouton 1901: the nim-sum of the heaps.
#[test]
fn nim_is_a_sum_without_carry() {
    let engine = Engine::new(Limits::default());
    let mut search = engine.search(&Nim);
    for a in 0..6 {
        for b in 0..8 {
            for c in [0, 3, 9] {
                assert_eq!(search.nimber(&vec![a, b, c]), Ok(Some(a ^ b ^ c)));
            }
        }
    }
    // No canonical form was built.
    assert_eq!(engine.statistics().forms, 0);
}

/// Cram: nimbers of M. Schneider (*Das Spiel Juvavum*, 2009) and of Lemoine and Viennot (2012), by proof-number search and
/// by plain search.
#[test]
fn nimbers_of_cram() {
    let boards = [(3, 3, 0), (3, 4, 1), (3, 5, 1), (4, 4, 0), (4, 5, 2)];
    for proof in [true, false] {
        let shortcuts = Shortcuts::ALL.with(&[(Shortcut::Proof, proof)]);
        let engine = Engine::new(Limits::default()).with_shortcuts(shortcuts);
        for (rows, columns, nimber) in boards {
            let board = crate::cram::Cram::new(rows, columns);
            assert_eq!(engine.nimber(&board, &board.empty()), Ok(Some(nimber)));
        }
        assert_eq!(engine.statistics().proved > 0, proof);
    }
}

/// Misère Nim (Bouton 1901): as in normal play, unless no heap has more than one stone.
#[test]
fn misere_nim() {
    let engine = Engine::new(Limits::default());
    let mut search = engine.search(&Nim);
    for a in 0..5 {
        for b in 0..5 {
            for c in 0..4 {
                let wins = if a.max(b).max(c) <= 1 {
                    (a + b + c) % 2 == 0
                } else {
                    a ^ b ^ c != 0
                };
                let expected = if wins {
                    Outcome::Next
                } else {
                    Outcome::Previous
                };
                assert_eq!(search.misere_outcome(&vec![a, b, c]), Ok(expected));
            }
        }
    }
}

/// Rectangles in *Winning Ways*, chapter 5, and (4x5, 5x5) by the crate `cgt` and by CGSuite.
#[test]
fn domineering_rectangles() {
    let engine = Engine::new(Limits::default());
    for (rows, columns, text) in [
        (1, 1, "0"),
        (2, 1, "1"),
        (1, 2, "-1"),
        (1, 5, "-2"),
        (2, 2, "+-1"),
        (2, 3, "{2|-1/2}"),
        (3, 3, "+-1"),
        (4, 5, "1"),
        (5, 4, "-1"),
        (5, 5, "0"),
    ] {
        let board = Domineering::new(rows, columns);
        is(&engine, &board, &board.empty(), text);
    }
}

/// The table of the Blocking Pebbles paper and its corrected theorems (`claims.md`, BP-T, BP-3.x), according to two
/// independent programs.
#[test]
fn blocking_pebbles() {
    let engine = Engine::new(Limits::default());
    let triple = BlockingPebbles::transitive_triple();
    let star = BlockingPebbles::out_star(2);
    let path = BlockingPebbles::new(3, &[(0, 1), (1, 2)]);
    for (board, counts, text) in [
        (&triple, [[1, 0, 0], [2, 4, 0], [0, 0, 0]], "1/4"),
        (&triple, [[3, 1, 0], [0, 0, 0], [0, 1, 0]], "1/2"),
        (&triple, [[2, 3, 0], [0, 0, 0], [1, 0, 0]], "3/4"),
        (&triple, [[4, 4, 0], [0, 0, 0], [0, 0, 0]], "+-1/2"),
        (&triple, [[3, 5, 0], [0, 0, 0], [1, 0, 0]], "^*"),
        (&triple, [[3, 5, 0], [2, 0, 0], [0, 0, 0]], "^[2]*"),
        (&path, [[0, 0, 0], [2, 2, 0], [0, 0, 0]], "*2"),
        (&star, [[0, 0, 0], [1, 0, 0], [0, 1, 1]], "v"),
    ] {
        is(&engine, board, &board.pebbles(&counts), text);
    }
    for (a, b, c) in (1..5).flat_map(|a| (1..5).flat_map(move |b| (1..4).map(move |c| (a, b, c)))) {
        // BP-3.2.3, BP-3.2.4, BP-3.2.6-corrected, BP-3.4.1.
        let half = (i32::from(a) - 1).div_euclid(2);
        is(
            &engine,
            &star,
            &star.pebbles(&[[a, b, 0], [c, 0, 0], [1, 2, 0]]),
            &half.to_string(),
        );
        let switch = format!("{{{}|-{}}}", a + c - 1, b + 1 - 1);
        is(
            &engine,
            &star,
            &star.pebbles(&[[0, 0, 0], [a, b, 0], [c, 1, 0]]),
            &switch,
        );
        let (x, y) = ((3 * i32::from(a) - 5).max(0), (3 * i32::from(b) - 5).max(0));
        is(
            &engine,
            &star,
            &star.pebbles(&[[0, 0, 0], [a, b, 0], [0, 0, 0]]),
            &format!("{{{x}|{}}}", -y),
        );
        let value = -3 * i32::from(b) - 2 * i32::from(a) + 2;
        is(
            &engine,
            &triple,
            &triple.pebbles(&[[1, 0, 0], [0, a, 0], [0, b, 0]]),
            &value.to_string(),
        );
    }
    // Green pebbles only. BP-3.6: the out-star is the sum of the leaves. BP-3.7: the path is the sum of the even places.
    for (g1, g2) in (0..5u8).flat_map(|a| (0..5u8).map(move |b| (a, b))) {
        let mut search = engine.search(&star);
        let nimber = search.nimber(&star.pebbles(&[[0, 0, 2], [0, 0, g1], [0, 0, g2]]));
        assert_eq!(nimber, Ok(Some(u32::from(g1 ^ g2))));
        let mut search = engine.search(&path);
        let nimber = search.nimber(&path.pebbles(&[[0, 0, g2], [0, 0, g1], [0, 0, g2]]));
        assert_eq!(nimber, Ok(Some(u32::from(g1))));
    }
}

/// Alternating boards: 3x4 = 0 and 3x5 = * by the crate `cgt`; the strips by hand.
#[test]
fn clobber_boards() {
    let engine = Engine::new(Limits::default());
    for (rows, columns, text) in [
        (1, 1, "0"),
        (1, 2, "*"),
        (1, 3, "*"),
        (3, 4, "0"),
        (3, 5, "*"),
    ] {
        let board = Clobber::new(rows, columns);
        is(&engine, &board, &board.alternating(), text);
    }
}

/// Berlekamp's rule for red-blue strings: a bottom run of n edges counts n - 1, the first change of colour is the binary
/// point, the edges above it are binary digits (1 if they have the colour of the bottom), and a final digit 1 is added.
#[test]
fn hackenbush_strings() {
    let engine = Engine::new(Limits::default());
    for len in 1..=9u32 {
        for bits in 0..1u32 << len {
            let colours: String = (0..len)
                .map(|i| if bits >> i & 1 == 1 { 'b' } else { 'r' })
                .collect();
            let sign = if bits & 1 == 1 { 1 } else { -1 };
            let same = |i: u32| bits >> i & 1 == bits & 1;
            let run = (0..len).take_while(|i| same(*i)).count() as u32;
            let number = if run == len {
                Number::from(i64::from(len))
            } else {
                let digits = len - run - 1;
                let fraction = (run + 1..len).fold(0i64, |f, i| 2 * f + i64::from(same(i)));
                let numerator = (i64::from(run - 1) << (digits + 1)) + 2 * fraction + 1;
                Number::dyadic(numerator, digits + 1)
            };
            let expected = if sign == 1 { number } else { -number };
            let stalk = Hackenbush::stalk(&colours);
            let value = engine.value(&stalk, &stalk.whole()).unwrap();
            assert_eq!(engine.forms().as_number(value), Some(expected), "{colours}");
        }
    }
}

/// Small boards by hand. The larger boards are their own negatives: a quarter turn followed by a reflection maps each to
/// itself and exchanges the players.
#[test]
fn fission_boards() {
    let engine = Engine::new(Limits::default());
    let board = Fission::new(3, 3);
    is(&engine, &board, &board.position("...|.x.|..."), "0");
    is(&engine, &board, &board.position("...|x..|..."), "1");
    is(&engine, &board, &board.position(".x.|...|..."), "-1");
    for (rows, columns, picture) in [
        (5, 5, ".....|.x...|.....|...x.|....."),
        (4, 4, "....|.x..|..x.|...."),
    ] {
        let board = Fission::new(rows, columns);
        let value = engine.value(&board, &board.position(picture)).unwrap();
        assert_eq!(engine.forms().negate(value), Ok(value), "{picture}");
    }
}

/// A. Clow and N. A. McKay, Digraph Placement games (2024): a single vertex has value 1, an arc onto a vertex of the other
/// player gives 1/2, and with the reverse arc a star. Arcs between vertices of one colour hinder only their owner.
#[test]
fn digraph_placement_games() {
    for (left, arcs, text) in [
        (&[true][..], &[][..], "1"),
        (&[true, false], &[], "0"),
        (&[true, false], &[(0, 1)], "1/2"),
        (&[true, false], &[(0, 1), (1, 0)], "*"),
        (&[true, true], &[(0, 1)], "2"),
        (&[true, true], &[(0, 1), (1, 0)], "1"),
    ] {
        let game = DigraphPlacement::new(left, arcs);
        is(&Engine::new(Limits::default()), &game, &game.whole(), text);
    }
}

/// The outcome of a sum of a dozen red-blue strings, which has far too many positions for a plain search. By Berlekamp's
/// rule above, the sum of the numbers determines the winner.
#[test]
fn an_outcome_search_adds_values() {
    let strings: [&[u8]; 12] = [
        &[1, 2, 1, 1],
        &[2, 1, 1, 2],
        &[1, 1, 2, 2, 1],
        &[2, 2, 2, 1],
        &[1, 2, 2, 2, 2],
        &[2, 1, 2, 1],
        &[1, 1, 1, 2],
        &[2, 1, 1, 1, 1],
        &[1, 2, 1, 2, 2],
        &[2, 2, 1, 2],
        &[1, 2, 2, 1],
        &[2, 1, 2, 2],
    ];
    // All values in 16ths.
    let sixteenths = |s: &[u8]| {
        let run = s.iter().take_while(|c| **c == s[0]).count();
        let mut value = 16 * (run as i64 - 1);
        let mut unit = 8;
        for c in s[run + 1..].iter() {
            value += if *c == s[0] { unit } else { 0 };
            unit /= 2;
        }
        value += unit;
        if s[0] == 1 { value } else { -value }
    };
    let total: i64 = strings.iter().map(|s| sixteenths(s)).sum();
    let game = Hackenbush::strings(2, &strings);
    let engine = Engine::new(Limits::default());
    let expected = match total {
        0 => Outcome::Previous,
        1.. => Outcome::Left,
        _ => Outcome::Right,
    };
    assert_eq!(engine.outcome(&game, &game.whole()), Ok(expected));
    let statistics = engine.statistics();
    assert!(
        statistics.sums > 0 && statistics.states < 20_000,
        "{statistics:?}"
    );
}

/// *Winning Ways*, chapter 2: a green string of n edges is *n. And a blue edge on a green one.
#[test]
fn green_hackenbush() {
    let engine = Engine::new(Limits::default());
    for n in 0..8 {
        let stalk = Hackenbush::stalk(&"g".repeat(n));
        is(&engine, &stalk, &stalk.whole(), &format!("*{n}"));
    }
    // {0,*|0}: a flower with a blue petal.
    let flower = Hackenbush::stalk("gb");
    is(&engine, &flower, &flower.whole(), "{0,*|0}");
}

/// The answer does not depend on the shortcuts that are turned off, nor on the memory.
#[test]
fn shortcuts_and_memory_change_nothing() {
    let board = Domineering::new(4, 4);
    let plenty = Engine::new(Limits::default());
    let expected = print(
        plenty.forms(),
        plenty.value(&board, &board.empty()).unwrap(),
        Style::Ascii,
    );
    let all = Shortcuts::ALL;
    for shortcuts in [
        all,
        all.with(&[(Shortcut::Keys, false)]),
        all.with(&[(Shortcut::Boards, false)]),
        all.with(&[(Shortcut::Split, false)]),
        all.with(&[(Shortcut::Keys, false), (Shortcut::Split, false)]),
    ] {
        let engine = Engine::new(Limits::default()).with_shortcuts(shortcuts);
        let value = engine.value(&board, &board.empty()).unwrap();
        assert_eq!(print(engine.forms(), value, Style::Ascii), expected);
        let statistics = engine.statistics();
        assert_eq!(statistics.key_hits > 0, shortcuts.has(Shortcut::Keys));
        assert_eq!(statistics.splits > 0, shortcuts.has(Shortcut::Split));
        // A position that is not split is found as its own single part.
        assert_eq!(statistics.board_hits > 0, shortcuts.has(Shortcut::Boards));
        assert!(statistics.expanded > 0 && statistics.memo_hits > 0);
    }
    // From far too little memory to enough: at first unknown, then correct with evictions, then without.
    let board = Domineering::new(5, 5);
    let (mut unknown, mut forgetful) = (0, 0);
    let memories = [
        20_000, 1_600_000, 1_800_000, 2_000_000, 2_200_000, 2_400_000, 50_000_000,
    ];
    // A guess needs less memory and evicts less, so these runs are not counted.
    let guesses = [(false, 1), (true, 0)];
    let cases = guesses.map(|guess| memories.map(|memory| (guess, memory)));
    for ((guess, counts), memory) in cases.into_iter().flatten() {
        let engine = Engine::new(Limits {
            memory,
            nodes: Some(100_000),
            ..Limits::default()
        })
        .with_shortcuts(all.with(&[(Shortcut::Guess, guess)]));
        match engine.value(&board, &board.empty()) {
            Ok(value) => {
                assert_eq!(print(engine.forms(), value, Style::Ascii), "0");
                forgetful += counts * u64::from(engine.statistics().evictions > 0);
            }
            Err(Stopped::Limit(Limit::Memory | Limit::Nodes)) => unknown += counts,
            Err(other) => panic!("{other}"),
        }
        assert!(
            engine.statistics().bytes <= memory + 300_000,
            "{memory} {:?}",
            engine.statistics()
        );
    }
    assert!(unknown > 0 && forgetful > 0, "{unknown} {forgetful}");
}

/// Several threads give the same values, and the same line of play if it repeats.
#[test]
fn threads_change_nothing() {
    let limits = |threads| Limits {
        threads,
        ..Limits::default()
    };
    let board = Domineering::new(5, 5);
    let stones = Clobber::new(3, 5);
    for (threads, guess) in [(1, true), (2, true), (2, false), (3, false)] {
        let shortcuts = Shortcuts::ALL.with(&[(Shortcut::Guess, guess)]);
        let engine = Engine::new(limits(threads)).with_shortcuts(shortcuts);
        is(&engine, &board, &board.empty(), "0");
        let narrow = Domineering::new(3, 6);
        let value = engine.value(&narrow, &narrow.empty()).unwrap();
        let alone = Engine::new(limits(1));
        let expected = alone.value(&narrow, &narrow.empty()).unwrap();
        assert_eq!(
            print(engine.forms(), value, Style::Ascii),
            print(alone.forms(), expected, Style::Ascii)
        );
        let engine = Engine::new(limits(threads)).with_shortcuts(shortcuts);
        is(&engine, &stones, &stones.alternating(), "*");
    }
    /// From n to n - 1 or n - 2, and from 3 also to 40.
    struct Stairs;
    impl Rules for Stairs {
        type Position = u32;
        type Fault = std::convert::Infallible;

        fn options(&self, n: &u32, _: Player, options: &mut Vec<u32>) -> Result<(), Self::Fault> {
            options.extend([n.checked_sub(2), n.checked_sub(1)].into_iter().flatten());
            if *n == 3 {
                options.push(40);
            }
            Ok(())
        }
    }

    impl Game for Stairs {
        type Key = u32;

        fn key(&self, n: &u32) -> (u32, Sign) {
            (*n, Sign::Plus)
        }
    }
    let lines = [1, 2, 3].map(|threads| Engine::new(limits(threads)).value(&Stairs, &20_000));
    assert!(matches!(lines[0], Err(Stopped::Cycle { .. })));
    assert!(lines.iter().all(|line| *line == lines[0]));
}

#[test]
fn a_cancelled_search_ends() {
    let cancel = Cancel::new();
    let engine = Engine::new(Limits::default()).with_cancel(cancel.clone());
    cancel.cancel_for(Reason::Time);
    // The first reason counts.
    cancel.cancel_for(Reason::Memory);
    let board = Domineering::new(6, 6);
    let stopped = engine.value(&board, &board.empty());
    let limit = Limit::Cancelled(Reason::Time);
    assert_eq!(stopped, Err(Stopped::Limit(limit)));
}

#[test]
fn who_begins_wins_hex() {
    // The first player wins (Nash 1949, by strategy stealing).
    for n in 1..=3 {
        let (fate, _) = crate::hex::winner(n);
        assert_eq!(fate, Some(Fate::Won(Player::LEFT)), "{n} by {n}");
    }
}

/// Lines, pursuit and cars, written by hand, against the literature (*Winning Ways*, ch. 21 and 22) and an independent
/// program.
#[test]
fn who_wins_by_hand_where_play_ends_by_clauses_or_never() {
    let (left, drawn) = (Some(Fate::Won(Player::LEFT)), Some(Fate::Drawn));
    let lines = |rows, columns, length| {
        let board = crate::tic_tac_toe::TicTacToe::new(rows, columns, length);
        crate::tic_tac_toe::solved(&board)
    };
    // 5,478 positions, 958 of which are terminal; up to rotations and reflections 765 and 138.
    assert_eq!(lines(3, 3, 3), (drawn, 765 - 138));
    assert_eq!(lines(3, 4, 3).0, left);
    for first in [Player::LEFT, Player::RIGHT] {
        assert_eq!(crate::hare_and_hounds::solved(first).0, left);
    }
    assert_eq!(crate::dodgem::solved(3).0, left);
    assert_eq!(crate::dodgem::solved(2).0, left);
}
