//! A text comes in; the same text in the standard layout goes out. Only blanks change: comments and the alignment that an
//! author chose inside a line stay. Laying out twice is laying out once.
//!
//! Items start in column 1, clauses of a ruleset two blanks in; no blanks at the ends of lines, no tabs outside strings, no
//! two empty lines in a row, `\n` at the end of each line.

use crate::base::FileId;
use crate::diagnostic::{Diagnostic, has_errors};
use crate::syntax::parse_file;
use crate::syntax::printer::print_file;

/// Words that begin a clause of a ruleset.
const CLAUSES: &[&str] = &["board", "players", "pieces", "state", "let", "move", "play"];
/// Words that begin an item.
const ITEMS: &[&str] = &[
    "language", "use", "ruleset", "let", "position", "eval", "assert", "claim", "refute", "table",
    "search", "slow",
];

/// The text in the standard layout.
///
/// # Errors
/// What is wrong with the text, if it cannot be read; the places are in `file`.
pub fn format(file: FileId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let (tree, diagnostics) = parse_file(file, text);
    if has_errors(&diagnostics) {
        return Err(diagnostics);
    }
    let laid = lay_out(text);
    // Whatever this file does, it must not change what the text says.
    let (again, complaints) = parse_file(file, &laid);
    if has_errors(&complaints) || print_file(&again) != print_file(&tree) {
        return Ok(text.to_owned());
    }
    Ok(laid)
}

/// Where a line stands when it begins.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    Code,
    /// In a string of three quotes, whose lines are left alone.
    Art,
}

fn lay_out(text: &str) -> String {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = text.replace("\r\n", "\n");
    let mut out = String::with_capacity(text.len());
    let mut inside = Inside::Code;
    let mut empty = 0;
    let mut in_ruleset = false;
    // How much the clause at hand moves, for the lines that go on below it.
    let mut shift = 0isize;
    for line in text.lines() {
        if inside == Inside::Art {
            out.push_str(line);
            out.push('\n');
            inside = after(line, inside);
            continue;
        }
        let ends = after(line, inside);
        // A line that opens art keeps its blanks at the end: they may be inside it.
        let line = if ends == Inside::Art {
            line
        } else {
            line.trim_end()
        };
        let code = line.trim_start();
        if code.is_empty() {
            empty += 1;
            inside = ends;
            continue;
        }
        if empty > 0 && !out.is_empty() {
            out.push('\n');
        }
        empty = 0;
        let indent: usize = line[..line.len() - code.len()]
            .chars()
            .map(|c| if c == '\t' { 2 } else { 1 })
            .sum();
        let word: &str = code
            .split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
            .next()
            .unwrap_or("");
        let column = if indent == 0 {
            if ITEMS.contains(&word) {
                in_ruleset = word == "ruleset";
            }
            shift = 0;
            0
        } else if in_ruleset && CLAUSES.contains(&word) {
            shift = 2 - isize::try_from(indent).unwrap_or(2);
            2
        } else if code.starts_with("//") {
            indent
        } else {
            // A line that goes on moves with what it belongs to, and never to column 1.
            usize::try_from(isize::try_from(indent).unwrap_or(2) + shift)
                .unwrap_or(2)
                .max(2)
        };
        out.extend(std::iter::repeat_n(' ', column));
        push_without_tabs(&mut out, code);
        out.push('\n');
        inside = ends;
    }
    out
}

/// Tabs outside strings become a blank.
fn push_without_tabs(out: &mut String, code: &str) {
    let mut quoted = false;
    for c in code.chars() {
        if c == '"' {
            quoted = !quoted;
        }
        out.push(if c == '\t' && !quoted { ' ' } else { c });
    }
}

/// Whether the next line begins inside art.
fn after(line: &str, mut inside: Inside) -> Inside {
    let mut rest = line;
    loop {
        if inside == Inside::Art {
            match rest.find("\"\"\"") {
                Some(i) => {
                    rest = &rest[i + 3..];
                    inside = Inside::Code;
                }
                None => return Inside::Art,
            }
        }
        let Some(i) = rest.find(['"', '/']) else {
            return Inside::Code;
        };
        rest = &rest[i..];
        if rest.starts_with("//") {
            return Inside::Code;
        }
        if let Some(more) = rest.strip_prefix("\"\"\"") {
            rest = more;
            inside = Inside::Art;
            continue;
        }
        if let Some(string) = rest.strip_prefix('"') {
            // To the closing quote; a string ends with its line.
            let mut escaped = false;
            let end = string.char_indices().find(|(_, c)| {
                let closes = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                closes
            });
            match end {
                Some((i, _)) => rest = &string[i + 1..],
                None => return Inside::Code,
            }
            continue;
        }
        rest = &rest[1..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_blanks_change_and_twice_is_once() {
        for (from, to) in [
            ("eval 1\r\n\r\n\r\n\r\neval 2   ", "eval 1\n\neval 2\n"),
            (
                "ruleset R   // a comment\n\tboard\theaps\n      move by anyone:\n        choose n\n        then n -> [0]\n",
                "ruleset R   // a comment\n  board heaps\n  move by anyone:\n    choose n\n    then n -> [0]\n",
            ),
            (
                "\n\n// one\n/// two\neval \"a\tb // c\"  // d  \n",
                "// one\n/// two\neval \"a\tb // c\"  // d\n",
            ),
            (
                "eval Clobber[\"\"\"\nxo  \n\n\n  ox\"\"\"]  \n",
                "eval Clobber[\"\"\"\nxo  \n\n\n  ox\"\"\"]\n",
            ),
        ] {
            let laid = lay_out(from);
            assert_eq!(laid, to);
            assert_eq!(lay_out(&laid), laid);
        }
    }

    #[test]
    fn shipped_files_stand_in_the_standard_layout_once_laid_out() {
        for file in crate::session::shipped::all() {
            let once = lay_out(file.text);
            assert_eq!(lay_out(&once), once, "{}", file.path);
            let (a, _) = parse_file(FileId(0), file.text);
            let (b, _) = parse_file(FileId(0), &once);
            assert_eq!(print_file(&a), print_file(&b), "{}", file.path);
        }
    }
}
