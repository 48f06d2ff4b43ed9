//! Play: perfect play wins whatever the other does, where it can; words mean the moves that they name, and what is not a move is
//! answered with the condition that forbids it; a conversation as a whole.
#![cfg(feature = "cli")]

use crate::program::{Folder, code, err, json, out, with_input};
use cgdsl::game::Player;
use cgdsl::session::play::{Play, Prospect, Reading, Standing};
use cgdsl::session::{Disk, Session, Settings};

fn play(file: &str, position: &str, first: u8) -> (Session<'static>, Play) {
    begin(file, position, first, false)
}

fn begin(file: &str, position: &str, first: u8, misere: bool) -> (Session<'static>, Play) {
    static WORLD: Disk = Disk;
    let mut session = Session::new(&WORLD, Settings::default());
    let mut loaded = session.load(file);
    let query = session.position(&mut loaded, position).expect("a position");
    let position = session.value_of(&loaded, &query).expect("a position");
    let play = session
        .play(&loaded, &position, Player(first), misere)
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
        Standing::Lost(_) | Standing::Drawn => panic!("the promised win: {:?}", play.made()),
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

/// Where positions can repeat, a win is not postponed for ever: each move of the winner is one that wins soonest, so the number
/// of moves to the end falls whatever the other does.
#[test]
fn a_win_comes_where_positions_can_repeat() {
    for (file, position, moves) in [
        (
            "hare-and-hounds",
            r##"HareAndHounds["#d..#|d...h|#d..#"]"##,
            23,
        ),
        ("fox-and-geese", r#"FoxAndGeese["g.g.|....|....|.f.."]"#, 7),
    ] {
        let (_session, mut play) = play(file, position, 0);
        for other in 0..4 {
            let start = play.made().len();
            while let Standing::ToMove(mover) = play.standing().clone() {
                assert!(play.made().len() - start <= moves, "{:?}", play.made());
                let all = play.moves().expect("moves");
                let choice = match mover {
                    Player::LEFT => play.advise().expect("no fault").expect("a move").choice,
                    // The other makes his first move, his last, or any.
                    _ => all[[
                        0,
                        all.len() - 1,
                        all.len() / 2,
                        play.made().len() % all.len(),
                    ][other]]
                        .clone(),
                };
                play.make(&choice).expect("a move");
            }
            assert_eq!(
                play.standing(),
                &Standing::Won(Player::LEFT),
                "{:?}",
                play.made()
            );
            while play.made().len() > start {
                back(&mut play);
            }
        }
    }
}

/// Under misère play too; the games are played out, so that who moved last is seen.
#[test]
fn perfect_misere_play_loses_the_last_move() {
    let mut games = 0;
    for (file, position) in [
        ("nim", "1, 2, 2"),
        ("nim", "1, 1, 1"),
        ("kayles", "7"),
        ("domineering", "grid(3, 3)"),
        ("clobber", "\"xox|ox.\""),
        ("hackenbush", "ground -b- u -r- w, u -g- x, ground -r- y"),
    ] {
        for first in [0, 1] {
            let (_session, mut play) = begin(file, position, first, true);
            let advice = play.advise().expect("no fault").expect("a move");
            let Standing::ToMove(mover) = play.standing().clone() else {
                panic!("{file} {position} is over");
            };
            let hero = match advice.prospect {
                Some(Prospect::Wins) => mover,
                Some(Prospect::Loses(p)) => p,
                other => panic!("{file} {position}: {other:?}"),
            };
            games += always_wins(&mut play, hero);
        }
    }
    assert!(games > 60, "{games}");
    // Bouton: of heaps of one each the parity decides, and who has to leave the last one loses.
    let (_session, mut play) = begin("nim", "1", 0, true);
    assert_eq!(play.standing(), &Standing::ToMove(Player(0)));
    let only = play.moves().expect("moves").swap_remove(0);
    play.make(&only).expect("a move");
    assert_eq!(play.standing(), &Standing::Won(Player(1)));
}

/// A stone steps over the marks, to the third cell, or if two was chosen before, as far as it likes: three ends of the chain.
#[test]
fn a_chain_goes_on_after_every_choice_before_it() {
    let dir = Folder::new("chain");
    let rules = "ruleset Chain\n  board strip\n  pieces o = anyone, e = anyone\n  move by anyone:\n    \
                 choose a, q in {1, 2} where at(a) = o\n    \
                 repeat choose d in {east, west}, c = a + d where at(c) = e, c <= 3 or q = 2\n    \
                 then at(a) := empty, at(c) := o\n    next a = c\n";
    let file = dir.file("chain.rules", rules);
    let (_session, play) = play(&file, "Chain[\"oeee\"]", 0);
    let reached: Vec<String> = play
        .moves()
        .expect("moves")
        .iter()
        .map(|choice| cgdsl::ir::draw::literal(&choice.position))
        .collect();
    assert_eq!(reached.len(), 3, "{reached:?}");
    for end in [".oee", "..oe", "...o"] {
        let wanted = format!("Chain[\"{end}\"]");
        assert!(reached.contains(&wanted), "{wanted}: {reached:?}");
    }
}

/// The condition after the last round reads what `next` gives: from 1 over 2 to 3 the piece must go on over 4 to 5. A jump
/// that stops at 3 is forbidden, and is named by the cell from which it starts.
#[test]
fn a_chain_ends_where_the_last_condition_allows_it() {
    let dir = Folder::new("last");
    let rules = "ruleset Jump\n  board strip\n  pieces x = Left, o = Right\n  move by p:\n    \
                 choose a where at(a) = p\n    \
                 repeat choose d in {east, west}, b = a + d, c = b + d where at(b) = opponent(p), at(c) = empty\n    \
                 then at(a) := empty, at(b) := empty, at(c) := p\n    next a = c\n    \
                 where no e in {east, west}: at(a + e) = opponent(p) and at(a + 2 * e) = empty\n";
    let file = dir.file("last.rules", rules);
    let (session, play) = play(&file, "Jump[\"xo.o.\"]", 0);
    let moves = play.moves().expect("moves");
    let reached: Vec<String> = moves
        .iter()
        .map(|choice| cgdsl::ir::draw::literal(&choice.position))
        .collect();
    assert_eq!(reached, ["Jump[\"....x\"]"]);
    assert!(moves[0].text.contains('3'), "{}", moves[0].text);
    let Reading::Forbidden { span, .. } = play.read("1 east 2 3").expect("no fault") else {
        panic!("the piece must go on");
    };
    assert!(session.sources().slice(span).starts_with("no e in"));
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

#[test]
fn what_is_gone_is_called_so() {
    let (_session, mut play) = play("hackenbush", "stalk(\"rbb\")", 0);
    let all = play.moves().expect("moves");
    let cut = all.last().expect("Left has a move").clone();
    play.make(&cut).expect("a move");
    let read = play.read(&cut.text).expect("no fault");
    assert!(matches!(read, Reading::Gone(_)), "{}: {read:?}", cut.text);
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
        "That is not a move: with a = (1, 1) this is off the board, or on a cell that is gone:\n    b = a + along(p)  (rulesets/grids/domineering.rules, line 9)",
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
    assert!(
        said.contains("       1 2 3\n    1  . L .\n    2  . L .\n    3  . . ."),
        "{said}"
    );
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
    assert!(why.contains("line 2: That is not a move"), "{why}");
    let none = dir.file("none", "hello\n");
    assert_eq!(talk(&["play", "nim", "1", "--replay", &none], "").0, 2);
}

#[test]
fn when_a_game_is_over_it_does_what_it_offers() {
    let dir = Folder::new("play-over");
    let saved = dir.0.join("it's over").display().to_string();
    let (end, said, _) = talk(
        &["play", "nim", "1, 2", "--first", "Left"],
        &format!("2 0\nmoves\nwhy\n\nsave {saved}\nundo\n2 1\n1 0\nwhy\nquit\nnever read\n"),
    );
    assert_eq!(end, 0, "{said}");
    let over =
        "`undo` goes back, `why` says where it was decided, `save FILE` keeps it, `quit` ends";
    for part in [
        &format!("Right has won. {over}.") as &str,
        &format!("> moves\nThe game is over: {over}."),
        // 1, 2: 2 to 1 leaves two equal heaps (Bouton 1901).
        "Left: n = 2, m = 0 gave the game away.\nLeft was winning there by n = 2, m = 1. It makes the nim-sum 0",
        "Left has won.",
        "No move of the others gave the game away: Left was never losing.",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    assert!(!said.contains("never read"), "{said}");
    // The line can be pasted: what a shell makes of it goes on with the game.
    let line = said
        .lines()
        .find_map(|l| l.strip_prefix("  cgdsl play "))
        .expect("a line to be pasted");
    let shell = std::process::Command::new("sh")
        .args([
            "-c",
            &format!("{} play {line} </dev/null", env!("CARGO_BIN_EXE_cgdsl")),
        ])
        .output();
    if let Ok(o) = shell {
        assert!(
            out(&o).contains("Right has won."),
            "{line}\n{}{}",
            out(&o),
            err(&o)
        );
    }
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
fn the_last_hint_says_why_number_mirror_reversal() {
    let fourth = |file: &str, position: &str, first: &str, said: &str| {
        let input = format!("{said}hint\nhint\nhint\nhint\n");
        let (end, text, _) = talk(
            &[
                "play", file, position, "--human", "Left", "--human", "Right", "--first", first,
            ],
            &input,
        );
        assert_eq!(end, 0);
        text
    };
    // Each move in a square of two by two leaves a number (Winning Ways, ch. 5: its value is +-1).
    let text = fourth("domineering", "..|..", "Left", "");
    assert!(text.contains("It leaves 1, a number"), "{text}");
    // The green edge goes, and 1/2 - 1/2 is left.
    let text = fourth(
        "hackenbush",
        "ground -b- u -r- w, ground -r- x -b- y, ground -g- z",
        "Left",
        "",
    );
    assert!(text.contains("which are each other's negatives"), "{text}");
    // Right's move in the board of two by four is reversible through 0 (lesson 10 of the course): 1 and -1 are left.
    let text = fourth("domineering", "....|....", "Right", "1 1\n");
    assert!(text.contains("which are each other's negatives"), "{text}");
    // One, two or three are taken: 4 is lost, and whatever Right takes Left takes the rest.
    let dir = Folder::new("play-hints");
    let take = "ruleset Take\n  board heaps\n  move by anyone: choose n, k in 1..3 where k <= n then n -> [n - k]\n";
    let file = dir.file("take.rules", take);
    let text = fourth(&file, "Take[4]", "Right", "4 1\n");
    assert!(
        text.contains("It reverses the last move: it leaves 0, at least as good for you as 0"),
        "{text}"
    );
    let text = fourth("nim", "1, 2, 4", "Left", "");
    assert!(
        text.contains("It makes the nim-sum 0: 1 xor 2 xor 3 = 0."),
        "{text}"
    );
    // Who is lost is told the move that asks most of the other.
    let text = fourth("nim", "1, 2, 3", "Left", "");
    assert!(text.contains("Nothing wins;"), "{text}");
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
        // What is wrong is told: with JSON in the document.
        match args.contains(&"--json") {
            true => assert!(
                !json(&o)["diagnostics"]
                    .as_array()
                    .expect("messages")
                    .is_empty()
            ),
            false => assert!(!err(&o).is_empty()),
        }
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

/// A ruleset of three players in which one who is out may own pieces again: he stays out (Cincotti 2009).
const GIFT: &str = "\
ruleset Gift
  board   digraph
  players A, B, C
  pieces  a = A, b = B, c = C
  let     after(A) = b, after(B) = c, after(C) = a
  play    elimination
  move by p: choose u -> v where at(u) = p, at(v) = empty then at(u) := empty, at(v) := after(p)
";

#[test]
fn advice_under_elimination_knows_who_is_out() {
    let dir = Folder::new("play-out");
    let file = dir.file("gift.rules", GIFT);
    // A cannot move and is out; B makes a c, C makes an a, which moves no more; B is out: C has won. Were A still in, he
    // would be the one who remains.
    let (_session, mut game) = play(&file, "Gift[u:b -> v -> w -> x]", 0);
    assert_eq!(game.standing(), &Standing::ToMove(Player(1)));
    let advice = game.advise().expect("no fault").expect("a move");
    assert_eq!(advice.prospect, Some(Prospect::Loses(Player(2))));
    assert_eq!(always_wins(&mut game, Player(2)), 1);
    let mut games = 0;
    for position in [
        "Gift[u:b -> v -> w -> x, x -> u]",
        "Gift[u:a -> v -> w, u -> x, y:b -> x -> z]",
        "Gift[u:b -> v -> w -> x, s:c -> t -> y]",
        "Gift[u:b -> v -> w -> x, v -> y, s:a -> t]",
        "Gift[u:c -> v -> w -> x -> y -> z]",
    ] {
        for first in 0..3 {
            let (_session, mut game) = play(&file, position, first);
            let Ok(Some(advice)) = game.advise() else {
                continue;
            };
            let Standing::ToMove(mover) = game.standing().clone() else {
                continue;
            };
            let hero = match advice.prospect {
                Some(Prospect::Wins) => mover,
                Some(Prospect::Loses(p)) => p,
                _ => continue,
            };
            games += always_wins(&mut game, hero);
        }
    }
    assert!(games > 10, "{games}");
}

/// Ctrl-C keeps the game and ends it with the exit code of `quit`.
#[cfg(unix)]
#[test]
fn a_game_that_is_interrupted_is_kept() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};
    let dir = Folder::new("play-interrupted");
    dir.file("game-1.txt", "another game\n");
    let mut child = Command::new(env!("CARGO_BIN_EXE_cgdsl"))
        .args(["play", "nim", "3, 5"])
        .current_dir(&dir.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut typed = child.stdin.take().expect("a pipe");
    let mut said = BufReader::new(child.stdout.take().expect("a pipe"));
    typed.write_all(b"5 4\n").expect("typed");
    let mut line = String::new();
    while !line.starts_with("Right plays") {
        line.clear();
        assert!(said.read_line(&mut line).expect("a line") > 0);
    }
    // The board that follows is drawn when the game has been noted.
    while !line.trim_start().starts_with("---") {
        line.clear();
        assert!(said.read_line(&mut line).expect("a line") > 0);
    }
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill");
    assert!(sent.success());
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(0));
    let kept = std::fs::read_to_string(dir.0.join("game-2.txt")).expect("kept");
    assert!(
        kept.starts_with("cgdsl game 2\n# nim 3, 5\nLeft: "),
        "{kept}"
    );
    assert_eq!(kept.matches("Right: ").count(), 1, "{kept}");
    let other = std::fs::read_to_string(dir.0.join("game-1.txt")).expect("untouched");
    assert_eq!(other, "another game\n");
    let o = with_input(
        &[
            "play",
            "nim",
            "3, 5",
            "--replay",
            &dir.0.join("game-2.txt").display().to_string(),
        ],
        b"quit\n",
    );
    assert_eq!(code(&o), 0, "{}", err(&o));
}
