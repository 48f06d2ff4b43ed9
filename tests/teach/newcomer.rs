//! Someone who has never seen the program writes Domineering from the course, breaks it in three ways and is put right by
//! the messages alone, changes one direction under `watch`, loses to `play`, and understands from `why` what she should
//! have done. The whole transcript is `newcomer.txt`; `CGDSL_BLESS=1` writes it anew, to be read before it is believed.
//! What the messages must say for her is asserted beside it.

use crate::program::Folder;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// As the course has it, lesson 8.
const WRITTEN: &str = "\
ruleset Dominoes
  board grid
  let   along(Left) = south, along(Right) = east
  move by p:
    choose a, b = a + along(p)
    where  at(a) = empty, at(b) = empty
    then   remove a, b

assert value(Dominoes[grid(2, 1)]) == 1
assert value(Dominoes[grid(2, 2)]) == +-1
eval value(Dominoes[grid(3, 3)])
";

struct Desk {
    folder: Folder,
    said: String,
}

impl Desk {
    /// Saves the file and notes what is different.
    fn save(&mut self, text: &str, what: &str) {
        self.folder.file("dominoes.rules", text);
        self.said.push_str(&format!("\n# She {what}.\n"));
    }

    /// Runs a command; what it says.
    fn run(&mut self, args: &[&str], typed: &str) -> String {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cgdsl"))
            .args(args)
            .current_dir(&self.folder.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let _ = child
            .stdin
            .take()
            .expect("a pipe")
            .write_all(typed.as_bytes());
        let o = child.wait_with_output().expect("it ends");
        let text = format!(
            "{}{}",
            String::from_utf8_lossy(&o.stdout),
            String::from_utf8_lossy(&o.stderr)
        )
        .replace("\r\n", "\n");
        let shown: Vec<String> = args
            .iter()
            .map(|a| match a.contains([' ', '(', '|']) {
                true => format!("'{a}'"),
                false => (*a).to_owned(),
            })
            .collect();
        self.said
            .push_str(&format!("\n$ cgdsl {}\n{text}", shown.join(" ")));
        text
    }

    /// Watches the file while it is saved in these ways.
    fn watch(&mut self, saves: &[(&str, &str)]) -> String {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cgdsl"))
            .args(["watch", "dominoes.rules"])
            .current_dir(&self.folder.0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let (tell, lines) = channel();
        let pipe = child.stdout.take().expect("a pipe");
        std::thread::spawn(move || {
            for line in BufReader::new(pipe).lines().map_while(Result::ok) {
                if tell.send(line).is_err() {
                    return;
                }
            }
        });
        let mut text = String::new();
        self.said.push_str("\n$ cgdsl watch dominoes.rules\n");
        let mut saves = saves.iter();
        loop {
            let line = lines
                .recv_timeout(Duration::from_secs(120))
                .expect("an answer");
            // How long it took is not the same every day.
            let line = match line.rsplit_once("; ") {
                Some((line, _)) if line.starts_with("-- ") => line.to_owned(),
                _ => line,
            };
            text.push_str(&format!("{line}\n"));
            self.said.push_str(&format!("{line}\n"));
            if line.starts_with("-- ") {
                match saves.next() {
                    Some((save, what)) => self.save(save, what),
                    None => break,
                }
            }
        }
        let _ = child.kill();
        let _ = child.wait();
        text
    }
}

#[test]
fn a_newcomer_is_put_right_by_the_messages_alone() {
    let mut desk = Desk {
        folder: Folder::new("newcomer"),
        said: String::from(
            "A first hour with cgdsl. `$` is what she types; lines with # say what she does in her editor.\n",
        ),
    };
    let holds = |text: &str, parts: &[&str]| {
        for part in parts {
            assert!(text.contains(part), "{part}\n{text}");
        }
    };
    desk.save(WRITTEN, "types the file of lesson 8");
    let said = desk.run(&["eval", "dominoes.rules"], "");
    holds(&said, &["value(Dominoes[grid(3, 3)]) = +-1", "3 held"]);

    // Broken in three ways. Each time the message has what mends it.
    desk.save(
        &WRITTEN.replace("south", "down"),
        "writes `down` for Left's direction",
    );
    let said = desk.run(&["check", "dominoes.rules"], "");
    holds(&said, &["dominoes.rules:3:", "the direction is `south`"]);
    desk.save(
        &WRITTEN
            .replace("\n  let   along", "\nlet along")
            .replace("\n  move by p", "\nmove by p"),
        "mends it, but forgets to indent two lines",
    );
    let said = desk.run(&["check", "dominoes.rules"], "");
    holds(
        &said,
        &[
            "`move` belongs in a ruleset",
            "indent the lines of a ruleset",
        ],
    );
    desk.save(
        &WRITTEN
            .replace("== +-1", "= +-1")
            .replace("then   remove a, b", "then   at(a) = wall, at(b) = wall"),
        "indents them, rewrites the effect and an assert",
    );
    let said = desk.run(&["check", "dominoes.rules"], "");
    holds(
        &said,
        &["an effect is written with `:=`", "assign with `:=`"],
    );
    desk.save(
        &WRITTEN.replace("== +-1", "= +-1"),
        "takes `remove a, b` again",
    );
    let said = desk.run(&["check", "dominoes.rules"], "");
    holds(&said, &["games are compared with `==`"]);
    desk.save(WRITTEN, "writes `==`");
    let said = desk.run(&["check", "dominoes.rules"], "");
    holds(&said, &["dominoes.rules: fine (1 ruleset, 3 queries)"]);

    // One direction is changed under watch, and changed back.
    let said = desk.watch(&[
        (
            &WRITTEN.replace("along(Right) = east", "along(Right) = south"),
            "turns Right's direction to south and saves",
        ),
        (WRITTEN, "turns it back"),
    ]);
    holds(
        &said,
        &[
            "assert value(Dominoes[grid(2, 1)]) == 1: was held, now FAILED",
            // Three upright strips of three, a star each.
            "value(Dominoes[grid(3, 3)]): was +-1, now *",
            "-- 3 changed, 0 the same, 0 wrong",
            "now held",
        ],
    );

    // She begins on the board of three by three and loses, goes back, and asks.
    let said = desk.run(
        &["play", "dominoes.rules", "grid(3, 3)"],
        "1 1\nundo\nwhy\nhint\nhint\nhint\nhint\n3 1\n1 2\nquit\n",
    );
    holds(
        &said,
        &[
            "Right has won.",
            "That is not a move",
            "You are winning",
            "It leaves 1, a number",
        ],
    );
    let said = desk.run(&["why", "dominoes.rules", "grid(3, 3)"], "");
    holds(&said, &["whoever starts wins (N-position)"]);

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/teach/newcomer.txt");
    if std::env::var_os("CGDSL_BLESS").is_some() {
        std::fs::write(&path, &desk.said).expect("written");
    }
    let before = std::fs::read_to_string(&path)
        .unwrap_or_default()
        .replace("\r\n", "\n");
    assert_eq!(
        before, desk.said,
        "the transcript has changed (CGDSL_BLESS=1 accepts it)"
    );
}
