//! `cgdsl check --fix`, `--diff` and `--name` as a user runs them.

use crate::program::{Folder, cgdsl, code, err, json, out, with_input};

const FAULTY: &str = "// A game.\r\nruleset Nim: // heaps\r\n  board heaps\r\n  move by anyone: choose n, k in 1..n where k % 2 = 1 then n -> n - k // odd\r\n\r\nassert nimber(Nim[3]) = 1\r\n";
const MENDED: &str = "// A game.\r\nruleset Nim // heaps\r\n  board heaps\r\n  move by anyone: choose n, k in 1..n where k mod 2 = 1 then n -> [n - k] // odd\r\n\r\nassert nimber(Nim[3]) = 1\r\n";

#[test]
fn a_file_is_mended_in_place_and_comments_and_line_ends_stay() {
    let dir = Folder::new("fix");
    let file = dir.file("nim.rules", FAULTY);
    let o = cgdsl(&["check", "--fix", &file]);
    assert_eq!(code(&o), 0, "{}{}", out(&o), err(&o));
    assert!(
        out(&o).contains("fine (1 ruleset, 1 query), 3 fixes applied"),
        "{}",
        out(&o)
    );
    assert!(err(&o).contains("fixed E0106"), "{}", err(&o));
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), MENDED);
    // Nothing is left beside it.
    assert_eq!(std::fs::read_dir(&dir.0).expect("the folder").count(), 1);
    let again = cgdsl(&["check", "--fix", &file]);
    assert!(!out(&again).contains("applied"), "{}", out(&again));
}

#[test]
fn guesses_are_applied_only_if_asked_for() {
    let dir = Folder::new("guess");
    // How far a number goes is not said: `1..n` is likely.
    let text =
        "ruleset Nim\n  board heaps\n  move by anyone: choose n, k in nat then n -> [n - k]\n";
    let file = dir.file("n.rules", text);
    assert_eq!(code(&cgdsl(&["check", "--fix", &file])), 2);
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), text);
    assert_eq!(code(&cgdsl(&["check", "--fix=all", &file])), 0);
    let mended = std::fs::read_to_string(&file).expect("the file");
    assert_eq!(mended, text.replace("in nat ", "in 1..n "));
}

/// Conditions before and after `where` become one list. Where a choice follows the condition, it would become a condition, so
/// nothing is applied.
#[test]
fn a_second_where_is_not_written() {
    let dir = Folder::new("where-twice");
    let rules = |line: &str| format!("ruleset A\n  board heaps\n  move by anyone: choose {line}\n");
    let text = rules("n if n > 1 where n > 2 then n -> []");
    let file = dir.file("a.rules", text);
    assert_eq!(code(&cgdsl(&["check", "--fix", &file])), 0);
    let mended = std::fs::read_to_string(&file).expect("the file");
    assert_eq!(mended, rules("n where n > 1, n > 2 then n -> []"));
    for line in [
        "n if n > 1, k in 1..n then n -> [n - k]",
        "n were n > 1 where n > 2 then n -> []",
        "n where n > 1 gives n where n > 2 then n -> []",
    ] {
        let text = rules(line);
        let file = dir.file("a.rules", &text);
        assert_eq!(code(&cgdsl(&["check", "--fix", &file])), 2, "{line}");
        assert_eq!(std::fs::read_to_string(&file).expect("the file"), text);
    }
}

#[test]
fn what_would_change_is_shown_and_nothing_is_written() {
    let dir = Folder::new("diff");
    let file = dir.file("nim.rules", FAULTY);
    let o = cgdsl(&["check", "--diff", &file]);
    assert_eq!(code(&o), 2, "the file as it is, is broken");
    assert!(
        out(&o).contains("-ruleset Nim: // heaps\n+ruleset Nim // heaps\n"),
        "{}",
        out(&o)
    );
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), FAULTY);
    let v = json(&cgdsl(&["check", "--diff", "--json", &file]));
    let fixed = &v["files"][0]["fixed"];
    assert_eq!(fixed["changed"], true);
    assert_eq!(fixed["written"], false);
    assert_eq!(fixed["applied"].as_array().expect("a list").len(), 3);
    assert!(
        v["diagnostics"][0]["suggestions"][0]["safe"]
            .as_bool()
            .expect("a flag")
    );
}

/// What `patch` makes of a text: a reader of the unified format of its own.
fn patched(before: &str, diff: &str) -> String {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let (mut at, mut out) = (0, String::new());
    let mut lines = diff.split_inclusive('\n').skip(2).peekable();
    while let Some(line) = lines.next() {
        let (sign, text) = line.split_at(1);
        if sign == "@" {
            let place = line.split(['-', ',']).nth(1).expect("a place");
            let start = place.parse::<usize>().expect("a number") - 1;
            out += &old[at..start].concat();
            at = start;
            continue;
        }
        let open = lines.next_if(|next| next.starts_with('\\')).is_some();
        let text = if open {
            text.trim_end_matches('\n')
        } else {
            text
        };
        if sign != "+" {
            assert_eq!(old[at], text, "line {}", at + 1);
            at += 1;
        }
        if sign != "-" {
            out += text;
        }
    }
    out += &old[at..].concat();
    out
}

#[test]
fn the_lines_that_change_are_a_patch() {
    let long: String = (0..20).map(|i| format!("// line {i}\n")).collect();
    let faulty = FAULTY.replace("\r\n", "\n");
    let open = faulty.trim_end();
    for text in [
        faulty.clone(),
        open.to_owned(),
        format!("{faulty}{long}ruleset Kim: // heaps\n{long}"),
        format!("{long}{open}"),
    ] {
        let dir = Folder::new("patch");
        let file = dir.file("nim.rules", &text);
        let shown = out(&cgdsl(&["check", "--diff", &file]));
        let end = shown.rfind(&format!("\n{file}: ")).expect("a summary");
        let by_hand = patched(&text, &shown[..=end]);
        cgdsl(&["check", "--fix", &file]);
        let mended = std::fs::read_to_string(&file).expect("the file");
        assert_ne!(mended, text);
        assert_eq!(by_hand, mended);
    }
    // Where nothing can be mended, nothing is shown.
    let dir = Folder::new("patch");
    let file = dir.file("broken.rules", "ruleset");
    assert!(!out(&cgdsl(&["check", "--diff", &file])).contains("---"));
}

#[test]
fn what_was_applied_is_listed_as_data() {
    let dir = Folder::new("listed");
    let file = dir.file("nim.rules", FAULTY);
    let v = json(&cgdsl(&["check", "--fix", "--json", &file]));
    let fixed = &v["files"][0]["fixed"];
    assert_eq!(fixed["written"], true);
    let first = &fixed["applied"][0];
    assert_eq!(first["round"], 1);
    assert_eq!(first["edits"][0]["file"], file.as_str());
    assert_eq!(v["files"][0]["broken"], 0);
    assert_eq!(v["diagnostics"].as_array().expect("a list").len(), 0);
}

#[test]
fn the_standard_input_has_a_name_and_its_mended_text_is_printed() {
    let dir = Folder::new("name");
    dir.file("other.rules", "let two = 2\n");
    let name = dir.0.join("game.rules").display().to_string();
    let text = "use \"other.rules\"\nassert two == 2 && two = 2\n";
    let o = with_input(&["check", "-", "--name", &name], text.as_bytes());
    assert_eq!(code(&o), 2);
    assert!(err(&o).contains("game.rules:2:17"), "{}", err(&o));
    let o = with_input(
        &["check", "-", "--name", &name, "--fix=all"],
        text.as_bytes(),
    );
    assert_eq!(
        out(&o),
        "use \"other.rules\"\nassert two == 2 and two = 2\n"
    );
    assert_eq!(code(&o), 0, "{}", err(&o));
    assert!(!std::path::Path::new(&name).exists());
    assert_eq!(code(&cgdsl(&["check", "nim", "--name", "x.rules"])), 2);
}

#[test]
fn shipped_files_are_not_changed() {
    let o = cgdsl(&["check", "--fix", "kayles"]);
    assert_eq!(code(&o), 2);
    assert!(
        err(&o).contains("a shipped file is not changed"),
        "{}",
        err(&o)
    );
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_rights_stay() {
    use std::os::unix::fs::PermissionsExt;
    let dir = Folder::new("link");
    let file = dir.file("nim.rules", FAULTY);
    let rights = std::fs::Permissions::from_mode(0o640);
    std::fs::set_permissions(&file, rights).expect("they can be set");
    let link = dir.0.join("link.rules");
    std::os::unix::fs::symlink(&file, &link).expect("a link");
    assert_eq!(
        code(&cgdsl(&["check", "--fix", &link.display().to_string()])),
        0
    );
    assert!(link.is_symlink());
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), MENDED);
    let mode = std::fs::metadata(&file)
        .expect("the file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
}
