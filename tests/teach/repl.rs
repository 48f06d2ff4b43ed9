//! What is typed live, driven as scripts drive it: lines on the standard input, answers plainly on the output, the exit code
//! of a run; and on a terminal (where `script` gives one) the line editor.

use crate::program::{Folder, code, err, out, with_input};

fn repl(args: &[&str], said: &str) -> (i32, String, String) {
    let mut all = vec!["repl"];
    all.extend(args);
    let o = with_input(&all, said.as_bytes());
    (code(&o), out(&o), err(&o))
}

#[test]
fn positions_values_queries_and_definitions_are_answered_as_they_are_typed() {
    let (end, said, wrong) = repl(
        &[],
        "\
{1|-1} + ^*
1/2 + 1/4
ruleset Race
  board  strip
  pieces x = Left, o = Right
  let    to(Left) = east, to(Right) = west
  move by p: choose a, b = a + to(p) where at(a) = p, at(b) = empty then at(a) := empty, at(b) := p

value(Race[\"x.o\"])
let far = 3
position Alone = Race[strip(far), at(1): x]
value(Alone)
assert value(Race[\"\"\"
  x . o
\"\"\"]) == *
claim \"a lone stone runs to the end\" for n in 1..4:
  value(Race[strip(n), at(1): x]) == (n - 1)
ruleset Race
  board  strip
  pieces x = Left, o = Right
  move by p: choose a, b = a + east where at(a) = p, at(b) = empty then at(a) := empty, at(b) := p
value(Alone)
value(Race[\"x.o\"])
:names
",
    );
    assert_eq!((end, wrong.as_str()), (0, ""), "{said}");
    assert_eq!(
        said,
        "\
{1|-1} + ^* = {1^*|-1^*}
1/2 + 1/4 = 3/4
Race is defined
value(Race[\"x.o\"]) = *
far is defined
Alone is defined
value(Alone) = 2
held     assert value(Race[\"\"\" x . o \"\"\"]) == *
held     claim \"a lone stone runs to the end\" for n = 1..4  (4 instances)
Race is defined anew
value(Alone) = 2
value(Race[\"x.o\"]) = 1
Alone, Race, far
"
    );
}

#[test]
fn commands_speak_of_the_last_position_or_of_one_that_is_named() {
    let (end, said, wrong) = repl(
        &["nim"],
        "Nim[3, 5]\n:why\n:draw\n:moves Nim[1]\n:tree\n:explain\n3, 3\n:why\n:explain E0201\n:help\n:load hackenbush\n:draw stalk(\"br\")\n:quit\nnever\n",
    );
    assert_eq!(end, 0, "{said}{wrong}");
    for part in [
        "  nimber ",
        "3 xor 5 = 6.",
        "o  o\no  o\no  o\n----\n3  5\n",
        "best  Nim[0]  = 0",
        "* Left: ",
        "impartial",
        "3 xor 3 = 0.",
        "# E0201",
        ":load FILE",
        "hackenbush: Hackenbush",
    ] {
        assert!(said.contains(part), "{part}\n{said}{wrong}");
    }
    assert!(!said.contains("never") && !wrong.contains("never"));
}

/// Whose dominoes lie how is typed anew; a column of two cells is worth 1 to Left alone, and * where both may take it.
#[test]
fn what_a_definition_has_changed_is_told() {
    let rules = |name: &str, right: &str| {
        format!(
            "ruleset {name}\n  board grid\n  let along(Left) = south, along(Right) = {right}\n  move by p: choose a, b = a + along(p) where at(a) = empty, at(b) = empty then remove a, b\n\n"
        )
    };
    let said = format!(
        "{}:diff\nvalue(Dominoes[grid(2, 1)])\n{}:diff 2x2\nlet k = 1\nlet k = 2\n:diff 2x2\n{}:diff Dominoes Rows 2x2\n:diff Dominoes Nothing\n:diff Rows\n",
        rules("Dominoes", "east"),
        rules("Dominoes", "south"),
        rules("Rows", "east")
    );
    let (end, said, wrong) = repl(&[], &said);
    assert_eq!(end, 2);
    for part in [
        "no definition has taken the place of another yet",
        "there is no ruleset `Nothing`",
        "two rulesets, and the largest boards",
    ] {
        assert!(wrong.contains(part), "{part}\n{wrong}");
    }
    let told = "\
Dominoes
  - let along(Right) = east
  + let along(Right) = south

  26 positions on boards up to 2x2, by value: 7 change
  ~ [grid(1, 2)]  was -1, now 0
  ~ [grid(2, 1)]  was 1, now *
";
    assert!(said.contains(told), "{said}");
    assert!(
        said.contains("k is defined anew\nno ruleset differs\n"),
        "{said}"
    );
    let back = "Dominoes and Rows\n  - let along(Right) = south\n  + let along(Right) = east\n";
    assert!(said.contains(back), "{said}");
    // A file that is read again is compared with itself as it was.
    let dir = Folder::new("repl-diff");
    let file = dir.file("game.rules", rules("Dominoes", "east"));
    let (end, said, wrong) = repl(&[&file], ":load\n:diff\n:load nim\n:diff\n");
    assert_eq!(end, 2, "{said}{wrong}");
    assert!(said.contains("no ruleset differs"), "{said}{wrong}");
    assert!(wrong.contains("no definition has taken"), "{said}{wrong}");
}

#[test]
fn errors_do_not_end_the_conversation_and_the_exit_code_is_that_of_a_run() {
    let (end, said, wrong) = repl(
        &[],
        ":load nim\nNmi[3]\nnimber(Nim[3])\n:wyh\n:load no-such-file\nnimber(Nim[4])\n",
    );
    assert_eq!(end, 2);
    assert!(
        said.contains("nimber(Nim[3]) = 3\n") && said.ends_with("nimber(Nim[4]) = 4\n"),
        "{said}"
    );
    for part in [
        "there is no ruleset `Nmi`",
        "did you mean `Nim`?",
        "there is no command `:wyh` (did you mean `:why`?)",
        "there is no file `no-such-file`",
    ] {
        assert!(wrong.contains(part), "{part}\n{wrong}");
    }
    assert_eq!(repl(&[], "assert 1 = 2\n").0, 1);
    assert_eq!(repl(&[], "assert 1 = 2\n)\nassert 1 = 1\n").0, 2);
    assert_eq!(repl(&[], "").0, 0);
    let (end, said, _) = repl(
        &["domineering", "--nodes", "20"],
        "value(Domineering[grid(5, 5)])\nvalue(Domineering[grid(1, 2)])\n",
    );
    assert_eq!(end, 3);
    assert!(
        said.contains("unknown") && said.ends_with("= -1\n"),
        "{said}"
    );
    // A broken definition leaves the one before it; unfinished and odd input is no trouble.
    let (end, said, wrong) = repl(
        &["nim"],
        "ruleset Nim\n  board heaps\n  move by anyone: choose n then m -> [n]\n\nnimber(Nim[3])\n\"\"\"\nnever closed\n",
    );
    assert_eq!(end, 2);
    assert!(said.contains("nimber(Nim[3]) = 3"), "{said}{wrong}");
    let o = with_input(
        &["repl"],
        b"\xff\xfe\n((((\n\n\n\"\n{{{{{\n\n\n:\n:why\n\t\n",
    );
    assert_eq!(code(&o), 2);
    for args in [vec!["repl", "--json"], vec!["repl", "-"]] {
        assert_eq!(code(&with_input(&args, b"")), 2);
    }
}

#[test]
fn what_a_file_uses_and_what_is_used_live_is_there() {
    let dir = Folder::new("repl-use");
    let file = dir.file(
        "half.rules",
        "use \"graphs/hackenbush.rules\"\nposition Half = Hackenbush[stalk(\"br\")]\n",
    );
    let (end, said, wrong) = repl(
        &[&file],
        "value(2 * Half)\nuse \"grids/domineering.rules\"\nvalue(Half + Domineering[grid(2, 1)])\nask \"What?\" expect 3\n\n",
    );
    assert_eq!(end, 0, "{wrong}");
    assert!(
        said.starts_with("value(2 * Half) = 1\n") && said.contains("= 3/2\n"),
        "{said}"
    );
    assert!(said.contains("`cgdsl quiz FILE`"), "{said}");
}

/// On a terminal (the one that `script` of util-linux makes; without it there is nothing to test): names are completed, what is
/// typed is coloured, Ctrl-C ends an evaluation and not the conversation, Ctrl-D ends it.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_has_a_line_editor() {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};
    use std::sync::mpsc::{RecvTimeoutError, channel};
    use std::time::{Duration, Instant};
    let dir = Folder::new("repl-terminal");
    let started = Command::new("script")
        .arg("-qec")
        .arg(format!(
            "exec {} repl domineering",
            env!("CARGO_BIN_EXE_cgdsl")
        ))
        .arg("/dev/null")
        .env("XDG_STATE_HOME", &dir.0)
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = started else {
        return;
    };
    let mut keys = child.stdin.take().expect("a pipe");
    let mut screen = child.stdout.take().expect("a pipe");
    let (tell, hear) = channel();
    std::thread::spawn(move || {
        let mut some = [0; 4096];
        while let Ok(n) = screen.read(&mut some) {
            if n == 0 || tell.send(some[..n].to_vec()).is_err() {
                return;
            }
        }
    });
    let mut seen = String::new();
    let mut until = |mark: &str| {
        let end = Instant::now() + Duration::from_secs(120);
        while !seen.contains(mark) {
            match hear.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(more) => seen.push_str(&String::from_utf8_lossy(&more)),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    panic!("{mark:?} is not on the screen: {seen}")
                }
            }
        }
        let at = seen.find(mark).map_or(0, |i| i + mark.len());
        seen.drain(..at).collect::<String>()
    };
    let mut press = |text: &[u8]| {
        keys.write_all(text)
            .and_then(|()| keys.flush())
            .expect("typed");
    };
    until("Ctrl-D ends");
    until("> ");
    press(b"value(Domi\t[grid(2, 2)])\r");
    let before = until("value(Domineering[grid(2, 2)]) = ");
    // In a colour, whichever it is.
    assert!(before.contains("mDomineering\x1b[0m"), "{before}");
    until("> ");
    press(b"value(Domineering[grid(8, 9)])\r");
    until("\x1b[?2004l");
    std::thread::sleep(Duration::from_millis(500));
    press(b"\x03");
    until("the run was interrupted");
    until("> ");
    press(b"value(Domineering[grid(2, 1)])\r");
    until("value(Domineering[grid(2, 1)]) = ");
    until("> ");
    press(b"\x04");
    assert!(child.wait().expect("it ends").success());
    let history = std::fs::read_to_string(dir.0.join("cgdsl/history")).expect("kept");
    assert!(history.contains("grid(2, 1)"), "{history}");
}
