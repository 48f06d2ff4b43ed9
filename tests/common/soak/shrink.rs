//! Shrinks a text that shows a difference to a small one that shows one of the same kind. Runs of tokens are removed, longest
//! first, then numbers and drawn art are made smaller, until nothing more can be removed (delta debugging: Zeller and
//! Hildebrandt 2002, with one chunk at a time).

use super::judge::{Difference, Effort, Judge};
use super::ways::Way;
use cgdsl::syntax::lexer;
use std::time::Duration;

/// The most smaller texts that are tried.
const TRIES: usize = 1_000;

/// The smallest text found, with its difference. `ways` are those that differ, with the one that enables everything first.
pub fn shrink(text: &str, found: &Difference, ways: &[Way]) -> (String, Difference) {
    let mut left = TRIES;
    let mut best = (text.to_owned(), found.clone());
    let mut ask = |text: &str| -> Option<Difference> {
        if left == 0 {
            return None;
        }
        left -= 1;
        differs(text, ways, Effort::LONG.time).filter(|d| d.question == found.question)
    };
    // One position is enough.
    if let Some((rules, _)) = text.split_once("\neval ") {
        for eval in text.split("\neval ").skip(1) {
            let one = format!("{rules}\neval {}\n", eval.trim());
            if let Some(d) = ask(&one) {
                best = (one, d);
                break;
            }
        }
        // The position that differs, if it is not the one in the text.
        let one = format!("{rules}\neval {}\n", found.position);
        if let Some(d) = ask(&one) {
            best = (one, d);
        }
    }
    loop {
        let before = best.0.clone();
        let mut length = 48;
        while length > 0 {
            let mut at = 0;
            while let Some(shorter) = without(&best.0, at, length) {
                match ask(&shorter) {
                    Some(d) => best = (shorter, d),
                    None => at += 1,
                }
            }
            length = if length > 8 { length / 2 } else { length - 1 };
        }
        for smaller in smaller(&best.0) {
            if let Some(d) = ask(&smaller) {
                best = (smaller, d);
                break;
            }
        }
        if best.0 == before {
            return (tidy(&best.0), best.1);
        }
    }
}

/// The first difference of a text; `time` limits each position, if given.
pub fn differs(text: &str, ways: &[Way], time: Option<Duration>) -> Option<Difference> {
    let judged = std::panic::catch_unwind(|| {
        let effort = Effort {
            time,
            ..Effort::WHOLE
        };
        let mut judge = Judge::new(effort).with_ways(ways.to_vec());
        judge.text(text, &[]).err().map(|d| *d)
    });
    judged.unwrap_or_else(|_| {
        Some(Difference {
            position: String::new(),
            question: "panic".to_owned(),
            way: String::new(),
            expected: "an answer".to_owned(),
            found: "a panic".to_owned(),
        })
    })
}

/// The text without a run of tokens; `None` if there is no such run.
fn without(text: &str, at: usize, length: usize) -> Option<String> {
    let tokens = lexer::lex(text);
    let first = tokens.get(at)?;
    let last = tokens.get(at + length - 1)?;
    Some(format!(
        "{}{}",
        &text[..first.start as usize],
        &text[last.end as usize..]
    ))
}

/// Texts in which one number or one drawn board is smaller.
fn smaller(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    for t in lexer::lex(text) {
        let (start, end) = (t.start as usize, t.end as usize);
        let token = &text[start..end];
        let mut put = |new: &str| all.push(format!("{}{new}{}", &text[..start], &text[end..]));
        if let Ok(n) = token.parse::<u32>() {
            if n > 0 {
                put("0");
                put(&(n - 1).to_string());
            }
        } else if let Some(art) = token.strip_prefix('"').and_then(|t| t.strip_suffix('"')) {
            let rows: Vec<&str> = art.split('|').collect();
            for i in 0..rows.len() {
                let mut fewer = rows.clone();
                fewer.remove(i);
                put(&format!("\"{}\"", fewer.join("|")));
            }
            for column in 0..rows[0].len() {
                let fewer: Vec<String> = rows
                    .iter()
                    .map(|row| {
                        let cells = row.chars().enumerate();
                        cells.filter(|(i, _)| *i != column).map(|c| c.1).collect()
                    })
                    .collect();
                put(&format!("\"{}\"", fewer.join("|")));
            }
            for (i, _) in art.char_indices().filter(|(_, c)| "xog#".contains(*c)) {
                put(&format!("\"{}.{}\"", &art[..i], &art[i + 1..]));
            }
        }
    }
    all
}

/// Joins blanks that removed tokens leave.
fn tidy(text: &str) -> String {
    let lines = text.lines().filter(|l| !l.trim().is_empty());
    let lines = lines.map(|line| {
        let indent: String = line.chars().take_while(|c| *c == ' ').collect();
        let words: Vec<&str> = line.split_whitespace().collect();
        format!("{indent}{}", words.join(" ").replace(" ,", ","))
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}
