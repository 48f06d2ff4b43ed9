//! Applies the suggestions of a file's messages. Input: a file; output: its mended text and the list of applied
//! suggestions. Each round checks the file again, since mending one fault can uncover the next, and the loop ends when
//! nothing is left to apply. Guesses are kept only as far as they leave fewer errors, or as many and fewer warnings, than
//! there were before them.
//!
//! It terminates: there are at most [`ROUNDS`] rounds, and a text that was seen before ends the loop.

use super::world::{NoFile, Unsaved, World};
use super::{Session, Settings};
use crate::diagnostic::{Code, Edit, PlainEdit, apply, plain_edits};
use serde::Serialize;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The most rounds of checking and applying. A clause reports one syntax error at a time, so a badly broken file needs
/// many.
pub const ROUNDS: u32 = 100;

/// Which suggestions are applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// Suggestions whose message allows only one reading.
    Safe,
    /// The first safe suggestion of each message; if it has none, its first suggestion, which is a guess.
    All,
}

/// A suggestion that was applied.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Applied {
    /// The round, from 1. Places refer to the text at the beginning of that round.
    pub round: u32,
    /// The code of the message.
    pub code: Code,
    /// The text of the message.
    pub message: String,
    /// The text of the suggestion.
    pub suggestion: String,
    /// Whether the message allows only one reading.
    pub safe: bool,
    /// The edits.
    pub edits: Vec<PlainEdit>,
}

/// A file with suggestions applied.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mended {
    /// The text before, in UTF-8, with its byte order mark if it has one.
    pub before: String,
    /// The text after.
    pub text: String,
    /// The applied suggestions, in order.
    pub applied: Vec<Applied>,
}

/// Applies suggestions to the file `name` until none is left. Does not write to disk.
///
/// # Errors
/// Why the file cannot be read.
pub fn mend(
    world: &dyn World,
    settings: &Settings,
    name: &str,
    which: Which,
) -> Result<Mended, NoFile> {
    let bytes = world.read(name, &settings.cancel)?;
    let before = String::from_utf8(bytes).map_err(|_| NoFile::Other("it is not UTF-8".into()))?;
    let mark = if before.starts_with('\u{feff}') {
        "\u{feff}"
    } else {
        ""
    };
    let mut text = before[mark.len()..].to_owned();
    let mut seen = HashSet::from([fingerprint(&text)]);
    let mut applied = Vec::new();
    let mut rounds = 1..=ROUNDS;
    let ways: &[Which] = match which {
        Which::Safe => &[Which::Safe],
        Which::All => &[Which::Safe, Which::All],
    };
    for way in ways {
        // The fewest faults so far, with the text that has them and the number of suggestions that led there.
        let mut best: Option<((usize, usize), String, usize)> = None;
        for round in rounds.by_ref() {
            if settings.cancel.is_cancelled() {
                break;
            }
            let Round { faults, next, more } = once(world, settings, name, &text, *way, round);
            if best.as_ref().is_none_or(|(fewest, ..)| faults < *fewest) {
                best = Some((faults, text.clone(), applied.len()));
            }
            if more.is_empty() || !seen.insert(fingerprint(&next)) {
                break;
            }
            applied.extend(more);
            text = next;
        }
        if let (Which::All, Some((_, fewest, count))) = (way, best) {
            text = fewest;
            applied.truncate(count);
        }
    }
    Ok(Mended {
        text: format!("{mark}{text}"),
        before,
        applied,
    })
}

/// Recognises a text that was seen before, without keeping it: files may be long, and there may be many rounds.
fn fingerprint(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// What a round has found and done.
struct Round {
    /// The numbers of errors and of all messages before it.
    faults: (usize, usize),
    /// The text after it.
    next: String,
    /// The suggestions applied.
    more: Vec<Applied>,
}

/// One round of checking and applying.
fn once(
    world: &dyn World,
    settings: &Settings,
    name: &str,
    text: &str,
    which: Which,
    round: u32,
) -> Round {
    let unsaved = Unsaved::new(world, name, text.as_bytes());
    let mut session = Session::new(&unsaved, settings.clone());
    let loaded = session.load(name);
    let errors = loaded.diagnostics.iter().filter(|d| d.is_error()).count();
    let faults = (errors, loaded.diagnostics.len());
    let Some(main) = loaded.main else {
        return Round {
            faults,
            next: text.to_owned(),
            more: Vec::new(),
        };
    };
    let mut found: Vec<(Applied, Vec<Edit>)> = Vec::new();
    for d in &loaded.diagnostics {
        let suggestion = d
            .suggestions
            .iter()
            .find(|s| s.safe)
            .or_else(|| d.suggestions.first().filter(|_| which == Which::All));
        let Some(suggestion) = suggestion else {
            continue;
        };
        if let Some(edits) = suggestion.resolved(session.sources()) {
            let told = Applied {
                round,
                code: d.code,
                message: d.message.clone(),
                suggestion: suggestion.message.clone(),
                safe: suggestion.safe,
                edits: plain_edits(&edits, session.sources()),
            };
            found.push((told, edits));
        }
    }
    let edits: Vec<Vec<Edit>> = found.iter().map(|(_, edits)| edits.clone()).collect();
    let (next, taken) = apply(text, main, &edits);
    let more = found
        .into_iter()
        .zip(taken)
        .filter_map(|((told, _), taken)| taken.then_some(told))
        .collect();
    Round { faults, next, more }
}

#[cfg(test)]
mod tests {
    use super::super::Memory;
    use super::*;

    #[test]
    fn faults_are_mended_until_none_is_left() {
        let text = "\u{feff}# Nim\r\nruleset Nim: // stays\r\n  board heaps\r\n  move by anyone: choose n, k in 1..n where k % 2 = 1 && k < 9 then remov n\r\n";
        let world = Memory::default().with("nim.rules", text);
        let mended = mend(&world, &Settings::default(), "nim.rules", Which::Safe).expect("a file");
        assert_eq!(mended.before, text);
        assert_eq!(
            mended.text,
            "\u{feff}// Nim\r\nruleset Nim // stays\r\n  board heaps\r\n  move by anyone: choose n, k in 1..n where k mod 2 = 1 and k < 9 then remove n\r\n"
        );
        assert!(mended.applied.iter().all(|a| a.safe));
    }

    #[test]
    fn what_is_mended_is_what_was_meant() {
        let rules = "ruleset Cut\n  board graph rooted at ground\n  pieces b = Left on edges\n  move by Left: choose edge e where at(e) = b then remove e\n";
        for (written, meant) in [
            ("eval Cut[ground -b-u]", "eval Cut[ground -b- u]"),
            ("eval Cut[ground-b-u -b- v]", "eval Cut[ground -b- u -b- v]"),
            ("assert √4 = 2", "assert isqrt(4) = 2"),
        ] {
            let world = Memory::default().with("a.rules", format!("{rules}{written}\n"));
            let mended =
                mend(&world, &Settings::default(), "a.rules", Which::Safe).expect("a file");
            assert_eq!(mended.text, format!("{rules}{meant}\n"));
        }
    }

    /// Each guess about these leads to another error.
    #[test]
    fn guesses_that_help_nobody_are_not_applied() {
        for line in [
            "claim Bouton: nimber(Nim[3]) = 3",
            "claim \"x\" for n in 1..3, m in n..3 if m > n: nimber(Nim[n]) = n",
        ] {
            let text = format!("use \"nim.rules\"\n{line}\n");
            let world = Memory::default().with("a.rules", text.as_str());
            let mended = mend(&world, &Settings::default(), "a.rules", Which::All).expect("a file");
            assert!(mended.text.len() < text.len() + 40, "{}", mended.text);
        }
    }

    #[test]
    fn a_file_that_is_fine_stays_as_it_is() {
        let text = "use \"nim.rules\"\nassert nimber(Nim[3]) = 3\n";
        let world = Memory::default().with("a.rules", text);
        let mended = mend(&world, &Settings::default(), "a.rules", Which::All).expect("a file");
        assert_eq!(mended.text, text);
        assert_eq!(mended.applied, []);
    }
}
