//! What the program reads and writes: files without an end, files that are no files, files that would be lost, files with
//! characters that a terminal obeys, kept files that were changed; and that `--json` prints a document whatever happens.

use super::NIM;
use crate::program::{Folder, cgdsl, code, err, json, out, with_input};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Runs the program with 4 GB of addresses at most, and ends it after a time that no run here needs.
#[cfg(unix)]
fn guarded(args: &[&str], stdin: Stdio) -> Output {
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v 4000000; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_cgdsl"))
        .args(args)
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            let _ = child.kill();
            panic!("{args:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().expect("it ended")
}

#[cfg(unix)]
#[test]
fn files_without_an_end_are_not_read() {
    let dir = Folder::new("endless");
    let pipe = dir.0.join("pipe").display().to_string();
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    std::fs::create_dir(dir.0.join("store")).expect("a folder");
    let lock = dir.0.join("store/lock");
    assert!(
        Command::new("mkfifo")
            .arg(&lock)
            .status()
            .expect("mkfifo")
            .success()
    );
    let store = dir.0.join("store").display().to_string();
    for path in ["/dev/zero", &pipe] {
        for args in [
            &["verify", path][..],
            &["seq", "kayles", "Kayles", "--keep", path],
            &["search", "domineering", "--up-to", "1", "--keep", path],
            &["search", "col", "--boards", path],
            &["play", "nim", "3", "--replay", path],
            &["eval", path],
            &["check", path],
            &["fmt", path],
            &["quiz", path],
            &["value", "1", "--in", path],
        ] {
            let o = guarded(args, Stdio::null());
            assert_eq!(code(&o), 2, "{args:?} {}", err(&o));
            assert!(
                err(&o).contains("not a regular file"),
                "{args:?}: {}",
                err(&o)
            );
        }
    }
    let o = guarded(&["value", "1", "--store", &store], Stdio::null());
    assert_eq!(code(&o), 2);
    assert!(err(&o).contains("not a regular file"), "{}", err(&o));
    // The standard input may be a device, but not without end.
    let zero = || Stdio::from(std::fs::File::open("/dev/zero").expect("/dev/zero"));
    let o = guarded(&["eval", "-"], zero());
    assert_eq!(code(&o), 2);
    assert!(err(&o).contains("longer than 16 MiB"), "{}", err(&o));
    for args in [
        &["quiz", "teaching/quiz"][..],
        &["play", "nim", "3"],
        &["repl"],
    ] {
        guarded(args, zero());
    }
}

/// A run that waits for its input ends when its time is over.
#[cfg(unix)]
#[test]
fn an_input_that_does_not_end_is_waited_for_as_long_as_there_is_time() {
    for args in [
        &["eval", "-"][..],
        &["check", "-"],
        &["fmt", "-"],
        &["seq", "-"],
        &["search", "snort", "--boards", "-"],
        &["explain", "-", "3"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cgdsl"))
            .args(args)
            .args(["--time", "300ms"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let held = child.stdin.take();
        let start = Instant::now();
        while child.try_wait().expect("a child").is_none() {
            assert!(start.elapsed() < Duration::from_secs(30), "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
        drop(held);
        let o = child.wait_with_output().expect("it ended");
        // Nothing is broken: the answer is unknown.
        assert_eq!(code(&o), 3, "{args:?}: {}", err(&o));
        let why = "the run was ended before its input ended";
        assert!(err(&o).contains(why), "{args:?}: {}", err(&o));
        if args[0] == "eval" {
            assert_eq!(out(&o), "1 unknown\n");
        }
    }
}

/// Without its file, a command says nothing else.
#[test]
fn a_file_that_is_missing_is_all_that_is_said() {
    let o = cgdsl(&["eval", "nimm", "3", "x", "\"brb\""]);
    assert_eq!(
        (code(&o), out(&o).as_str()),
        (2, "1 broken\n"),
        "{}",
        err(&o)
    );
    assert_eq!(err(&o).matches("error").count(), 1, "{}", err(&o));
    let o = cgdsl(&["table", "nimm", "for n in 0..3: n"]);
    assert_eq!((code(&o), out(&o).as_str()), (2, ""), "{}", err(&o));
    assert_eq!(err(&o).matches("error").count(), 1, "{}", err(&o));
}

/// A board alone, where the file does not say whose it is.
#[test]
fn a_board_alone_is_given_its_ruleset() {
    for (file, board, text) in [
        (
            "geography",
            "a -> b",
            "`Geography[a -> b]`, or another name: UndirectedGeography",
        ),
        ("euclid", "m: 5, n: 3", "`Euclid[m: 5, n: 3]`"),
        ("tic-tac-toe", "\"xo.\"", "`TicTacToe[\"xo.\"]`"),
        ("tic-tac-toe", "xo.|...", "`TicTacToe[\"xo.|...\"]`"),
        (
            "subtraction",
            "3, 4",
            "`Subtraction(S)[3, 4]`, with a value for each",
        ),
        (
            "subtraction",
            "3",
            "`Subtraction(S)[3]`, with a value for each",
        ),
        ("connect-four", "\"..|xo\"", "`Connect(k)[\"..|xo\"]`"),
    ] {
        for command in ["eval", "moves"] {
            let o = cgdsl(&[command, file, board]);
            assert_eq!(code(&o), 2, "{}{}", out(&o), err(&o));
            let said = err(&o);
            assert!(said.contains(&format!("write {text}")), "{said}");
        }
    }
    // What was read as an expression keeps its message.
    let o = cgdsl(&["eval", "geography", "Geogrphy[a -> b]"]);
    assert!(err(&o).contains("did you mean `Geography`?"), "{}", err(&o));
}

#[test]
fn what_is_read_is_not_written_over() {
    let dir = Folder::new("over");
    let text = format!(
        "{NIM}ruleset Take\n  board heaps\n  move by anyone: choose n, k in 1..2 where k <= n then n -> [n - k]\n\ntable for n in 0..3: nimber(Nim[n])\nask \"Which?\" expect nimber(Nim[3])\n"
    );
    let file = dir.file("nim.rules", &text);
    let link = dir.0.join("link.txt").display().to_string();
    std::fs::hard_link(&file, &link).expect("a hard link");
    let dotted = dir.0.join("./nim.rules").display().to_string();
    let mut names = vec![file.clone(), link, dotted];
    #[cfg(unix)]
    {
        let soft = dir.0.join("soft.txt");
        std::os::unix::fs::symlink(&file, &soft).expect("a link");
        names.push(soft.display().to_string());
    }
    let user = dir.file("user.rules", "use \"nim.rules\"\neval Nim[3]\n");
    for to in &names {
        for args in [
            &["table", &file, "-o", to][..],
            &["seq", &file, "Nim", "--to", "9", "-o", to],
            &["seq", &file, "Nim", "--to", "9", "--certify", to],
            &["seq", &file, "Take", "--to", "9", "--keep", to],
            &["draw", &file, "Nim[3]", "--format", "svg", "-o", to],
            &["tree", &file, "Nim[3]", "--format", "svg", "-o", to],
            &["seal", &file, "-o", to],
            &["search", &file, "Nim", "--up-to", "1x1", "--keep", to],
            // A file that is used is read, too.
            &["draw", &user, "Nim[3]", "--format", "svg", "-o", to],
        ] {
            let o = cgdsl(args);
            assert_eq!(code(&o), 2, "{args:?} {}{}", out(&o), err(&o));
            assert!(err(&o).contains("would be lost"), "{args:?}: {}", err(&o));
            let after = std::fs::read_to_string(&file).expect("it is there");
            assert_eq!(after, text, "{args:?}");
        }
    }
    // The name of a picture is required here, and that of a file that is read is refused, too.
    let drawn = dir.0.join("link.svg").display().to_string();
    std::fs::hard_link(&file, &drawn).expect("a hard link");
    for (to, said) in [(&drawn, "would be lost"), (&file, "end the name in .svg")] {
        let o = cgdsl(&["value", "1", "--in", &file, "--thermograph", to]);
        assert_eq!(code(&o), 2, "{to} {}{}", out(&o), err(&o));
        assert!(err(&o).contains(said), "{to}: {}", err(&o));
        let after = std::fs::read_to_string(&file).expect("it is there");
        assert_eq!(after, text, "{to}");
    }
    // Another name is fine.
    let other = dir.0.join("other.svg").display().to_string();
    assert_eq!(code(&cgdsl(&["draw", &file, "Nim[3]", "-o", &other])), 0);
    assert!(Path::new(&other).exists());
}

/// Escape, bell, a control of one byte of Latin-1, and bidirectional override.
const NASTY: &str = "\u{1b}[2J\u{7}\u{9b}31m\u{202e}x\u{fdd0}[31m";

fn tame(text: &str) -> bool {
    !text.contains(|c: char| {
        (c.is_control() && c != '\n' && c != '\t') || ('\u{202a}'..='\u{202e}').contains(&c)
    })
}

#[test]
fn what_a_terminal_obeys_is_written_out() {
    let dir = Folder::new("nasty");
    let text = format!(
        "// {NASTY}\n{NIM}let label = \"{NASTY}\"\nclaim \"{NASTY}\" for n in 0..2: nimber(Nim[n]) = n\nclaim \"no {NASTY}\": nimber(Nim[1]) = 2\n\
         assert \"{NASTY}\" = \"b\"\neval label\nask \"{NASTY}?\" expect 3 hint \"{NASTY}\"\ntable for s in {{\"{NASTY}\"}}: s\nassert wrong({NASTY})\n"
    );
    let file = dir.file("nasty.rules", &text);
    for args in [
        &["eval", &file][..],
        &["eval", &file, "--color", "never", "--unicode"],
        &["check", &file],
        &["table", &file],
        &["eval", &file, "--format", "markdown"],
        &["eval", &file, "-e", &format!("\"{NASTY}\"")],
        &["eval", &format!("{NASTY}.rules")],
        &["moves", &file, "3", "--player", NASTY],
        &["list", NASTY],
        &["explain", NASTY],
    ] {
        let o = cgdsl(args);
        assert!(tame(&out(&o)), "{args:?}: {:?}", out(&o));
        assert!(tame(&err(&o)), "{args:?}: {:?}", err(&o));
    }
    let o = cgdsl(&["eval", &file]);
    assert!(
        out(&o).contains("claim \"\\u{1b}[2J\\u{7}\\u{9b}31m\\u{202e}x"),
        "{}",
        out(&o)
    );
    let o = with_input(&["quiz", &file], format!("hint\n{NASTY}\n").as_bytes());
    assert!(tame(&out(&o)) && tame(&err(&o)), "{:?}", out(&o));
    // In colour, only the colours of the program are left.
    let o = cgdsl(&["eval", &file, "--color", "always"]);
    for text in [out(&o), err(&o)] {
        let mut rest = text.as_str();
        while let Some(at) = rest.find('\u{1b}') {
            let code = &rest[at + 1..];
            let end = code.find('m').expect("a colour");
            assert!(
                code[1..end].chars().all(|c| c.is_ascii_digit() || c == ';'),
                "{text:?}"
            );
            rest = &code[end..];
        }
        assert!(tame(&text.replace('\u{1b}', "")), "{text:?}");
        assert!(!text.contains("\u{1b}[2J"), "{text:?}");
    }
    // JSON means the same and shows it.
    let o = cgdsl(&["eval", &file, "--json"]);
    assert!(tame(&out(&o)), "{:?}", out(&o));
    let names = json(&o)["items"].to_string();
    assert!(names.contains('\u{202e}'), "{names}");
    // A file is a file: what is laid out and piped is what was written.
    let o = with_input(&["fmt", "-"], text.as_bytes());
    assert!(out(&o).contains("\u{1b}[2J"), "{:?}", out(&o));
}

#[test]
fn files_are_used_from_where_they_may_lie() {
    let (dir, away) = (Folder::new("inside"), Folder::new("outside"));
    std::fs::create_dir(dir.0.join("sub")).expect("a folder");
    std::fs::create_dir(dir.0.join("work")).expect("a folder");
    dir.file("sub/nim.rules", NIM);
    dir.file("secret.txt", "s3cret\n");
    let far = away.file("far.rules", "s3cret\n");
    dir.file("work/own.rules", NIM);
    let run = |text: &str, more: &[&str]| {
        let main = dir.file("main.rules", format!("{text}\neval 1 + 1\n"));
        let o = Command::new(env!("CARGO_BIN_EXE_cgdsl"))
            .args(["eval", &main])
            .args(more)
            .current_dir(dir.0.join("work"))
            .output()
            .expect("the program runs");
        (code(&o), err(&o))
    };
    // Beside the file and below, in the working directory, and shipped.
    for fine in [
        "use \"sub/nim.rules\"",
        "use \"./sub/../sub/nim.rules\"",
        "use \"domineering\"",
        "use \"n-player/nim.rules\"",
    ] {
        assert_eq!(run(fine, &[]).0, 0, "{fine}: {}", run(fine, &[]).1);
    }
    for refused in [
        format!("use \"{far}\""),
        "use \"/etc/passwd\"".to_owned(),
        "use \"../../../../../../../etc/passwd\"".to_owned(),
        "use \"secret.txt\"".to_owned(),
        "use \"sub\"".to_owned(),
        format!(
            "use \"../{}/far.rules\"",
            away.0.file_name().and_then(|n| n.to_str()).expect("a name")
        ),
    ] {
        let (code, said) = run(&refused, &[]);
        assert_eq!(code, 2, "{refused}");
        assert!(said.contains("E0701"), "{refused}: {said}");
        assert!(
            !said.contains("s3cret") && !said.contains("root:"),
            "{refused}: {said}"
        );
    }
    #[cfg(unix)]
    {
        // A link leads out all the same.
        std::os::unix::fs::symlink(&far, dir.0.join("near.rules")).expect("a link");
        let (code, said) = run("use \"near.rules\"", &[]);
        assert_eq!(code, 2);
        assert!(
            said.contains("--allow-outside") && !said.contains("s3cret"),
            "{said}"
        );
    }
    away.file("far.rules", NIM);
    let (code, said) = run(&format!("use \"{far}\""), &["--allow-outside"]);
    assert_eq!(code, 0, "{said}");
    // Never what is not a file of rules.
    let (code, said) = run("use \"secret.txt\"", &["--allow-outside"]);
    assert_eq!(code, 2);
    assert!(!said.contains("s3cret"), "{said}");
    // What is typed obeys, too.
    let o = with_input(&["repl"], b"use \"/etc/passwd\"\n");
    assert!(
        !err(&o).contains("root:") && err(&o).contains("E0701"),
        "{}",
        err(&o)
    );
}

#[test]
fn seals_that_ask_for_much_are_refused() {
    let dir = Folder::new("seals");
    let file = dir.file(
        "ask.rules",
        format!("{NIM}ask \"Which?\" expect nimber(Nim[3])\n"),
    );
    let sealed = out(&cgdsl(&["seal", &file]));
    assert!(sealed.contains("m=19456 t=2"), "{sealed}");
    for (memory, passes) in [
        ("262144", "2"),
        ("19456", "64"),
        ("4294967295", "4294967295"),
    ] {
        let edited = sealed.replace("m=19456 t=2", &format!("m={memory} t={passes}"));
        let edited = dir.file("edited.rules", edited);
        let start = Instant::now();
        let o = with_input(&["quiz", &edited, "--time", "5s"], b"3\n");
        assert_eq!(code(&o), 2, "{}", out(&o));
        assert!(err(&o).contains("E0505"), "{}", err(&o));
        assert!(start.elapsed() < Duration::from_secs(5));
    }
}

/// The word `expect` in questions and comments is not the keyword; a comment before the answer goes with it.
#[test]
fn a_seal_stands_in_place_of_expect() {
    let dir = Folder::new("seals-comments");
    let ask = "ask \"What do you expect?\" expect // as we expect, 3\n  nimber(Nim[3]) // expect no more\n";
    let file = dir.file(
        "ask.rules",
        format!("{NIM}{ask}ask \"Two?\" expect 1 + 1\n"),
    );
    let sealed = out(&cgdsl(&["seal", &file]));
    let lines: Vec<&str> = sealed.lines().filter(|l| l.starts_with("ask")).collect();
    assert_eq!(lines.len(), 2, "{sealed}");
    assert!(
        lines[0].starts_with("ask \"What do you expect?\" seal \""),
        "{sealed}"
    );
    assert!(lines[0].ends_with("\" // expect no more"), "{sealed}");
    assert!(lines[1].starts_with("ask \"Two?\" seal \""), "{sealed}");
    let edited = dir.file("sealed.rules", sealed);
    let o = with_input(&["quiz", &edited], b"3\n2\n");
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
}

#[test]
fn broken_items_are_left_as_they_are() {
    let dir = Folder::new("fmt-broken");
    let broken = "ruleset  Nim\n   board   heaps\n let k = \"open\n  move by anyone:   choose n ((\n\n      pieces  x\n";
    let text = format!("let  a   =  1,  \n{broken}\n\nlet b =  2\n");
    let file = dir.file("broken.rules", &text);
    let o = cgdsl(&["fmt", &file]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    let after = std::fs::read_to_string(&file).expect("it is there");
    assert!(after.contains(broken), "{after}");
    let items = |text: &str| {
        let starts = text
            .lines()
            .filter(|l| l.starts_with(|c: char| c.is_ascii_lowercase()));
        starts.count()
    };
    assert_eq!(items(&after), items(&text), "{after}");
    cgdsl(&["fmt", &file]);
    assert_eq!(std::fs::read_to_string(&file).expect("it is there"), after);
}

#[test]
fn every_command_prints_a_document() {
    let dir = Folder::new("documents");
    let asks = dir.file(
        "ask.rules",
        format!("{NIM}ask \"Which?\" expect nimber(Nim[3])\n"),
    );
    let sealed = dir.0.join("sealed.rules").display().to_string();
    let made = dir.0.join("made.rules").display().to_string();
    let folder = dir.0.join("man").display().to_string();
    for (args, want, schema) in [
        (&["verify", "missing.json"][..], 2, "error"),
        (&["draw", "domineering", "..", "-o", "x.foo"], 2, "error"),
        (&["seal", &asks], 0, "file"),
        (&["seal", &asks, "-o", &sealed], 0, "file"),
        (&["seal", &asks, "-o", &asks], 2, "error"),
        (&["seal", "nim"], 2, "error"),
        (&["seal", "missing.rules"], 2, "error"),
        (&["play", "nim", "3"], 2, "error"),
        (&["play", "-", "3"], 2, "error"),
        (&["repl"], 2, "error"),
        (&["watch", "missing.rules"], 2, "error"),
        (&["watch", &asks], 2, "error"),
        (&["new"], 0, "file"),
        (&["new", "-o", &made], 0, "file"),
        (&["new", "-o", &made], 2, "error"),
        (&["list", "--show", "nim"], 0, "file"),
        (&["list", "--show", "no such game"], 2, "error"),
        (&["completions", "bash"], 0, "file"),
        (&["man", &folder], 2, "error"),
        // Without the feature `page`.
        (&["page"], 2, "error"),
        (&["page", "--out", &folder], 2, "error"),
        (&["search", "domineering", "--up-to", "many"], 2, "error"),
        (&["search", "col", "--boards", "missing"], 2, "error"),
        (
            &["search", "domineering", "--up-to", "1", "--keep", &asks],
            2,
            "error",
        ),
        (&["seq", "kayles", "--keep", &asks], 2, "error"),
        (&["table", "hackenbush"], 2, "error"),
        (&["moves", "nim", "3", "--player", "Bob"], 2, "error"),
        (&["explain", "no such name"], 2, "error"),
        (&["explain", "--code", "E9999"], 2, "error"),
        (&["quiz", "-"], 2, "error"),
        (&["quiz", "nim"], 2, "error"),
        (
            &["draw", "domineering", "..", "--store", "/dev/null"],
            2,
            "error",
        ),
    ] {
        let mut all = args.to_vec();
        all.push("--json");
        let o = cgdsl(&all);
        assert_eq!(code(&o), want, "{args:?} {}{}", out(&o), err(&o));
        let v = json(&o);
        assert_eq!(v["schema"], format!("cgdsl/{schema}/1"), "{args:?}");
        let said = v["diagnostics"].as_array().expect("diagnostics");
        assert_eq!(said.is_empty(), want == 0, "{args:?} {v}");
        assert!(err(&o).is_empty(), "{args:?}: {}", err(&o));
    }
}

/// Any changed byte of a kept file is refused, or changes nothing: the groups found are those of a run that was never ended.
#[test]
fn a_kept_search_that_was_changed_is_refused_at_its_line() {
    let dir = Folder::new("kept-search");
    let kept = dir.0.join("kept.jsonl").display().to_string();
    let args = [
        "search",
        "domineering",
        "--up-to",
        "2x3",
        "--group-by",
        "value",
    ];
    let plain = out(&cgdsl(&args));
    let run = || cgdsl(&[&args[..], &["--keep", &kept]].concat());
    assert_eq!(out(&run()), plain);
    let bytes = std::fs::read(&kept).expect("it is there");
    assert_eq!(out(&run()), plain, "taken up where nothing is left");
    let text = String::from_utf8(bytes.clone()).expect("text");
    assert!(
        text.lines()
            .all(|l| serde_json::from_str::<serde_json::Value>(l).is_ok())
    );
    let mut refused = 0;
    // A linear congruential generator (Knuth's constants) chooses the bytes.
    let mut seed = 18u64;
    for _ in 0..40 {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let at = (seed >> 33) as usize % bytes.len();
        let mut bad = bytes.clone();
        bad[at] ^= 1 << (seed >> 61);
        std::fs::write(&kept, &bad).expect("written");
        let o = run();
        if code(&o) == 2 {
            refused += 1;
            let line = bytes[..at].iter().filter(|b| **b == b'\n').count() + 1;
            let near = [line, line + 1]
                .iter()
                .any(|l| err(&o).contains(&format!("line {l} ")));
            assert!(near || line == 1, "byte {at} of line {line}: {}", err(&o));
            assert_eq!(
                std::fs::read(&kept).expect("it is there"),
                bad,
                "what is refused is left as it is"
            );
        } else {
            assert_eq!(out(&o), plain, "byte {at}");
        }
    }
    assert!(refused >= 38, "{refused} of 40");
    // Lines lost, moved or doubled.
    let lines: Vec<&str> = text.lines().collect();
    for wrong in [
        [&lines[..3], &lines[4..]].concat(),
        [&lines[..3], &[lines[4], lines[3]], &lines[5..]].concat(),
        [&lines[..4], &lines[3..]].concat(),
    ] {
        std::fs::write(&kept, wrong.join("\n") + "\n").expect("written");
        let o = run();
        assert_eq!(code(&o), 2, "{}", out(&o));
        assert!(
            err(&o).contains("line 4 ") || err(&o).contains("line 5 "),
            "{}",
            err(&o)
        );
    }
    // Half a line at the end is what a run leaves that is killed.
    std::fs::write(&kept, &bytes[..bytes.len() - 7]).expect("written");
    assert_eq!(out(&run()), plain);
}

/// Cells with three states up to the symmetries of a rectangle, by Burnside's lemma: on 1x1, .. 3x4 there are 3, 6, 18, 45, 21,
/// 216, 1701, 2862 and (3^12 + 3^6 + 3^6 + 3^8) / 4 = 134,865 positions. Rules that tell directions apart have no symmetries: then
/// there are as many positions as ways to build walls.
#[test]
fn a_search_says_how_much_there_is_before_it_begins() {
    let dir = Folder::new("extent");
    let rules = "ruleset Cells\n  board grid\n  pieces x = Left, o = Right\n  move by p: choose a, b in nbrs(a) where at(a) = p, at(b) = opponent(p) then at(a) := empty, at(b) := p\n";
    let file = dir.file("cells.rules", rules);
    let o = cgdsl(&["search", &file, "--up-to", "3x4", "--time", "1s"]);
    assert_eq!(code(&o), 3, "{}", err(&o));
    assert_eq!(err(&o), "Cells: 139,737 positions on 9 boards to look at\n");
    assert!(
        out(&o).contains(" on ") && out(&o).contains(", up to symmetry\n"),
        "{}",
        out(&o)
    );
    let o = cgdsl(&["search", &file, "--up-to", "2x2"]);
    assert_eq!((code(&o), err(&o)), (0, String::new()));
    // What nobody will see the end of is said at once, and --time shows what was found.
    let o = cgdsl(&["search", "domineering", "--up-to", "6", "--time", "2s"]);
    assert_eq!(code(&o), 3, "{}", err(&o));
    let all: u64 = (1..=6)
        .flat_map(|m| (1..=6).map(move |n| 1u64 << (m * n)))
        .sum();
    let said: String = err(&o).chars().filter(char::is_ascii_digit).collect();
    assert!(said.starts_with(&format!("{all}36")), "{}", err(&o));
    assert!(
        out(&o).contains("ended before all positions were looked at"),
        "{}",
        out(&o)
    );
}

#[test]
fn a_saved_game_that_was_changed_is_refused() {
    let dir = Folder::new("saved");
    let game = dir.0.join("game.txt").display().to_string();
    let o = with_input(
        &["play", "nim", "3, 5", "--human", "Left", "--human", "Right"],
        format!("#2\n#2\nsave {game}\nquit\n").as_bytes(),
    );
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
    let text = std::fs::read_to_string(&game).expect("it was saved");
    let replay = || {
        let args = [
            "play", "nim", "3, 5", "--human", "Left", "--human", "Right", "--replay", &game,
        ];
        with_input(&args, b"quit\n")
    };
    assert_eq!(code(&replay()), 0, "{}", err(&replay()));
    for at in 0..text.trim_end().len() {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        std::fs::write(&game, &bytes).expect("written");
        let o = replay();
        assert_eq!(code(&o), 2, "byte {at} of {text}: {}", out(&o));
    }
    // A game that someone types needs no checksum.
    let moves: Vec<&str> = text
        .lines()
        .filter(|l| !l.starts_with(['#', 'c']))
        .collect();
    std::fs::write(&game, format!("cgdsl game 1\n{}\n", moves.join("\n"))).expect("written");
    assert_eq!(code(&replay()), 0, "{}", err(&replay()));
    assert_eq!(moves.len(), 2, "{text}");
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let dir = Folder::new("meant");
    let file = dir.file("nim.rules", NIM);
    let table = ["table", &file, "for n in 0..3: nimber(Nim[n])"];
    let to = |name: &str| dir.0.join(name).display().to_string();
    let (png, json) = (to("t.png"), to("t.json"));
    for (args, part) in [
        (
            &[&table[..], &["-o", &png]].concat()[..],
            "no table is written as .png",
        ),
        (&["eval", &file, "--json", "--format", "csv"], "two formats"),
        (&["value", "{1|0}", "--hasse", "-"], "--hasse"),
        (&["search", &file, "--up-to", "65535"], "at most 1000"),
        (&["list", "qwertzuiop"], "no shipped file fits"),
        (
            &["moves", &file, "3", "--player", "Lef"],
            "the players are Left, Right",
        ),
    ] {
        let o = cgdsl(args);
        assert_eq!(code(&o), 2, "{args:?} {}{}", out(&o), err(&o));
        let said = format!("{}{}", out(&o), err(&o));
        assert!(said.contains(part), "{args:?}: {said}");
    }
    assert!(!Path::new(&png).exists());
    assert_eq!(code(&cgdsl(&[&table[..], &["-o", &json]].concat())), 0);
    let written = std::fs::read_to_string(&json).expect("a file");
    assert!(written.contains("cgdsl/table/1"), "{written}");
    let o = cgdsl(&["moves", &file, "3", "--player", "left"]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    assert!(!out(&o).contains("Right"), "{}", out(&o));
    let o = cgdsl(&["eval", &file]);
    assert_eq!(code(&o), 0);
    assert!(
        err(&o).contains("add a line such as `eval Nim[3, 5]`"),
        "{}",
        err(&o)
    );
}
