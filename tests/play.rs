//! Play: perfect play wins whatever the other does, where it can; words mean the moves that they name, and what is no move is
//! answered with the condition that forbids it; a conversation as a whole.
#![cfg(feature = "cli")]

#[path = "common/program.rs"]
#[allow(dead_code)]
mod program;

use cgdsl::game::Player;
use cgdsl::session::play::{Play, Prospect, Reading, Standing};
use cgdsl::session::{Disk, Session, Settings};
use program::{Folder, code, err, out, with_input};

fn play(file: &str, position: &str, first: u8) -> (Session<'static>, Play) {
    static WORLD: Disk = Disk;
    let mut session = Session::new(&WORLD, Settings::default());
    let mut loaded = session.load(file);
    let query = session.position(&mut loaded, position).expect("a position");
    let position = session.value_of(&loaded, &query).expect("a position");
    let play = session
        .play(&loaded, &position, Player(first))
        .expect("a game");
    (session, play)
}

/// Tries every reply of the others; the one who was promised a win must get it. How many games were played.
fn always_wins(play: &mut Play, hero: Player) -> usize {
    match play.standing().clone() {
        Standing::Won(winner) => {
            assert_eq!(winner, hero, "{:?}", play.made());
            1
        }
        Standing::ToMove(p) if p == hero => {
            let advice = play.advise().expect("no fault").expect("a move");
            assert_eq!(advice.prospect, Some(Prospect::Wins), "{:?}", play.made());
            play.make(&advice.choice).expect("a move");
            let games = always_wins(play, hero);
            back(play);
            games
        }
        Standing::ToMove(_) => {
            let mut games = 0;
            for choice in play.moves().expect("moves") {
                play.make(&choice).expect("a move");
                games += always_wins(play, hero);
                back(play);
            }
            games
        }
    }
}

/// One move back, whoever made it.
fn back(play: &mut Play) {
    let all = play.players();
    let before = play.made().len();
    assert!(play.undo(&all));
    assert_eq!(play.made().len(), before - 1);
}

#[test]
fn perfect_play_wins_whatever_the_other_does() {
    let mut games = 0;
    for (file, position) in [
        ("nim", "1, 2, 4"),
        ("nim", "2, 3, 1"),
        ("domineering", "grid(2, 4)"),
        ("domineering", "grid(3, 3)"),
        ("clobber", "\"xox|ox.\""),
        ("hackenbush", "ground -b- u -r- w, u -g- x, ground -r- y"),
        ("snort", "a:x -- b -- c, b -- d"),
        ("col", "path(4)"),
        ("toads-and-frogs", "ToadsAndFrogs[\"t.tf.f\"]"),
        ("chomp", "chomp(2, 3)"),
        ("n-player/nim", "Nim3[1, 2]"),
        (
            "n-player/hackenbush",
            "NHackenbush(3)[ground -2- u -1- w, ground -3- x]",
        ),
    ] {
        for first in [0, 1] {
            let (_session, mut play) = play(file, position, first);
            let Some(advice) = play.advise().expect("no fault") else {
                continue;
            };
            let Standing::ToMove(mover) = play.standing().clone() else {
                continue;
            };
            let hero = match advice.prospect {
                Some(Prospect::Wins) => mover,
                Some(Prospect::Loses(p)) => p,
                _ => continue,
            };
            games += always_wins(&mut play, hero);
        }
    }
    assert!(games > 60, "{games}");
}

#[test]
fn words_mean_the_moves_that_they_name() {
    for (file, position) in [
        ("domineering", "grid(3, 3)"),
        ("nim", "3, 5"),
        ("clobber", "\"xoxo|oxox\""),
        ("snort", "a:x -- b -- c, b -- d"),
        ("hackenbush", "stalk(\"brb\")"),
        ("amazons", "Amazons[\"x..o\"]"),
        ("blocking-pebbles", "A:2b+1g -> B -> C:r, A -> C"),
    ] {
        let (_session, play) = play(file, position, 0);
        let all = play.moves().expect("moves");
        assert!(!all.is_empty());
        for choice in all {
            match play.read(&choice.text).expect("no fault") {
                Reading::Move(found) => {
                    assert_eq!(found.position, choice.position, "{}", choice.text)
                }
                other => panic!("{file} {}: {other:?}", choice.text),
            }
        }
    }
}

#[test]
fn what_is_no_move_is_answered_with_what_forbids_it() {
    let (session, play) = play("snort", "a:x -- b -- c, b -- d", 1);
    let Reading::Forbidden { span, .. } = play.read("b").expect("no fault") else {
        panic!("Right may not colour b: a is Left's");
    };
    assert_eq!(
        session.sources().slice(span),
        "no b in nbrs(a): at(b) = opponent(p)"
    );
    let Reading::Forbidden { span, .. } = play.read("a").expect("no fault") else {
        panic!("a is not empty");
    };
    assert_eq!(session.sources().slice(span), "at(a) = empty");
    assert!(matches!(play.read("zz"), Ok(Reading::Unknown(_))));
}

fn talk(args: &[&str], said: &str) -> (i32, String, String) {
    let o = with_input(args, said.as_bytes());
    (code(&o), out(&o), err(&o))
}

#[test]
fn a_conversation() {
    let dir = Folder::new("play");
    let saved = dir.0.join("game").display().to_string();
    let (end, said, _) = talk(
        &["play", "domineering", "...|...|...", "--human", "Right"],
        &format!("1 1\n2 1\nnonsense\nhint\nhint\nhint\nhint\nsave {saved}\nwhy\nquit\n"),
    );
    assert_eq!(end, 0, "{said}");
    for part in [
        "Left plays a = (1, 2), b = (2, 2)",
        // A cell that is gone: the choice of the rule that fails is told with its place.
        "That is no move: with a = (1, 1) this is off the board, or on a cell that is gone:\n    b = a + along(p)  (rulesets/grids/domineering.rules, line 6)",
        "Nothing that can be chosen is called `nonsense`",
        "Left wins against perfect play; every move here loses.",
        "Play a = (3, 1), b = (3, 2)",
        "saved in",
        "It is greater than 0: Left wins",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    let (end, said, _) = talk(
        &[
            "play",
            "domineering",
            "...|...|...",
            "--human",
            "Right",
            "--replay",
            &saved,
        ],
        "",
    );
    assert_eq!(end, 0);
    assert!(said.contains(". # .\n    . # .\n    . . ."), "{said}");
    // Moves are taken back, one's own with the answer to it.
    let (_, said, _) = talk(
        &["play", "nim", "3, 5", "--first", "Right"],
        "5 4\nundo\nundo\nquit\n",
    );
    assert!(said.contains("there is nothing to take back"), "{said}");
    assert_eq!(said.matches("3  5").count(), 2, "{said}");
    // A game that cannot have been.
    let bad = dir.file("bad", "cgdsl game 1\nLeft: a = (3, 1)\n");
    let (end, _, why) = talk(
        &["play", "domineering", "...|...|...", "--replay", &bad],
        "",
    );
    assert_eq!(end, 2);
    assert!(why.contains("line 2: That is no move"), "{why}");
    let none = dir.file("none", "hello\n");
    assert_eq!(talk(&["play", "nim", "1", "--replay", &none], "").0, 2);
}

#[test]
fn hints_name_the_part_the_move_and_the_reason() {
    let (_, said, _) = talk(&["play", "nim", "3, 5, 7"], "hint\nhint\nhint\nhint\n");
    // 3 xor 5 xor 7 = 1: a heap is made smaller by its last bit (Bouton 1901).
    assert!(said.contains("You are winning"), "{said}");
    assert!(
        said.contains("Of 3 independent parts, look at Nim["),
        "{said}"
    );
    assert!(said.contains("xor") && said.contains("= 0."), "{said}");
    let (_, said, _) = talk(
        &[
            "play",
            "hackenbush",
            "Hackenbush[stalk(\"br\")] - Hackenbush[stalk(\"br\")]",
        ],
        "hint\n",
    );
    assert!(said.contains("Right wins against perfect play"), "{said}");
}

#[test]
fn odd_input_is_no_trouble() {
    let o = with_input(
        &["play", "nim", "3, 5"],
        b"\xff\xfe\n\n  \n#99\n#\n999999999999999999999\n",
    );
    assert_eq!(code(&o), 0, "{}", err(&o));
    assert!(out(&o).contains("there are"), "{}", out(&o));
    let o = with_input(&["play", "nim", "3, 5"], &vec![b'a'; 200_000]);
    assert_eq!(code(&o), 0);
    for args in [
        vec!["play", "-", "3"],
        vec!["play", "nim", "3", "--human", "Nobody"],
        vec!["play", "nim", "3", "--first", "Nobody"],
        vec!["play", "nim", "3", "--json"],
        vec!["play", "nim", "Nim["],
    ] {
        let o = with_input(&args, b"");
        assert_eq!(code(&o), 2, "{args:?}");
        assert!(!err(&o).is_empty());
    }
    // A lost game is taken back to the last move of the one who lost it.
    let o = with_input(
        &["play", "nim", "1, 2", "--first", "Left"],
        b"2 0\nundo\n2 1\n",
    );
    assert!(
        out(&o).contains("Right has won.") && out(&o).contains("1  1"),
        "{}",
        out(&o)
    );
    // Nothing to play: the other has won at once.
    let o = with_input(&["play", "nim", "0"], b"");
    assert!(out(&o).contains("Right has won."), "{}", out(&o));
}
