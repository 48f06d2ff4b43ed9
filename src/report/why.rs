//! Puts an argument ([`Why`]) into words, sentence by sentence or in one line.

use super::rows::{Pen, alone};
use super::text::Look;
use crate::claim::{MARKS, PartGenus, nim_heaps_in_words};
use crate::session::{Group, Sentence, Summand, Turn, Why};
use std::fmt::Write;

/// The most options listed for one player; further ones are only counted.
const LISTED: usize = 24;

/// A list in words: `a`, `a and b`, `a, b and c`.
pub(super) fn listed(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [all @ .., end] => format!("{} {last} {end}", all.join(", ")),
    }
}

fn braces(left: &[String], right: &[String]) -> String {
    format!("{{{} | {}}}", left.join(", "), right.join(", "))
        .replace("{ |", "{|")
        .replace("| }", "|}")
}

/// A sentence in words; lists take several lines.
#[must_use]
pub fn sentence(sentence: &Sentence) -> String {
    in_words(sentence, Pen::Plain)
}

fn in_words(sentence: &Sentence, pen: Pen) -> String {
    match sentence {
        Sentence::Sum { parts, value } => {
            let count: usize = parts.iter().map(|p| p.count).sum();
            let mut text = format!(
                "It falls into {count} parts that have nothing to do with each other, so its value is the sum of theirs:"
            );
            for Summand {
                position,
                value,
                count,
            } in parts
            {
                let times = if *count > 1 {
                    format!("{count} times ")
                } else {
                    String::new()
                };
                let position = pen.code(position);
                let _ = write!(text, "\n    {times}{position}  = {value}");
            }
            let _ = write!(text, "\nTogether they are worth {value}.");
            text
        }
        Sentence::NimSum { nimbers, sum } => {
            let all: Vec<String> = nimbers.iter().map(ToString::to_string).collect();
            format!(
                "All parts are nimbers, which add without carrying: {} = {sum}.",
                all.join(" xor ")
            )
        }
        Sentence::Impartial => {
            "Both players always have the same moves, so it is worth a nimber (Sprague and Grundy)."
                .to_owned()
        }
        Sentence::NoMoves { player } => format!("{player} has no move."),
        Sentence::Options { player, groups } => {
            format!("{player} can move to{}", positions(groups, false, pen))
        }
        Sentence::Entailing => {
            "Both players always have the same moves, which may keep the turn, restrict the answer or end play; so it is worth a nimber, or it is loony: whoever moves first wins every sum of nimbers with it.".to_owned()
        }
        Sentence::Moves { turn, groups } => {
            let what = match turn {
                Turn::Passes => "Both players can move to",
                Turn::Keeps => "Both players can move, and then move again, to",
                Turn::Entails => "Both players can move, so that the other must answer in what is left of it, to",
                Turn::Wins => "Both players can win at once by moving to",
                Turn::Loses => "Both players lose at once by moving to",
            };
            format!("{what}{}", positions(groups, *turn == Turn::Entails, pen))
        }
        Sentence::Covered {
            passed,
            kept,
            every,
            answered,
            value,
        } => match answered {
            true if value == "loony" => {
                format!("With every nimber, one of these moves wins the sum: it is {value}.")
            }
            true => format!(
                "Every sum with a smaller nimber is won by one of these moves, and the sum with {value} by none: it is worth {value}."
            ),
            false => covered(passed, kept, *every, value),
        },
        Sentence::Answered { wins } => format!(
            "The last move must be answered here, so it has no value by itself. The player to move {wins}."
        ),
        Sentence::Mex { options, mex } => {
            let all: Vec<String> = options.iter().map(ToString::to_string).collect();
            if all.is_empty() {
                "There is no move, so it is worth 0.".to_owned()
            } else {
                format!(
                    "The least nimber that is not among them is mex{{{}}} = {mex}.",
                    all.join(", ")
                )
            }
        }
        Sentence::Dominated { player, option, by } => {
            format!("{player}'s option {option} is dominated by {by}: it can be left out.")
        }
        Sentence::Reversible {
            player,
            opponent,
            option,
            reply,
            position,
            replaced_by,
        } => {
            let to = position
                .as_ref()
                .map_or_else(String::new, |p| format!(", to {}", pen.code(p)));
            let least = if opponent == "Right" || player == "Left" {
                "<="
            } else {
                ">="
            };
            let instead = if replaced_by.is_empty() {
                format!("{player} has no move from there, and the option goes")
            } else {
                format!(
                    "it is replaced by what {player} can move to from there: {}",
                    listed(replaced_by, "and")
                )
            };
            format!(
                "{player}'s option {option} is reversible: {opponent}'s reply{to}, worth {reply}, is {least} the whole; {instead}."
            )
        }
        Sentence::Simplest { left, right, value } => {
            let none = |player: &str, options: &[String], than: &str| match options {
                [] => format!("{player} has no option"),
                all => format!("no option of {player} ({}) is at {than} {value}", all.join(", ")),
            };
            match (&left[..], &right[..]) {
                ([], []) => "Nobody can move: it is worth 0.".to_owned(),
                // The player without an option comes first.
                (l, r) => {
                    let mut fits = [none("Left", l, "least"), none("Right", r, "most")];
                    if r.is_empty() {
                        fits.reverse();
                    }
                    let [first, second] = fits;
                    let first = first.replacen("no option of", "No option of", 1);
                    format!(
                        "{first}, {second}, and {value} is the simplest number that fits: {} = {value}.",
                        braces(l, r)
                    )
                }
            }
        }
        Sentence::Canonical { left, right, value } => {
            let form = braces(left, right);
            let plain = |t: &str| t.replace(' ', "");
            // A marked value is written in another style than the braces here.
            let slashes = value.trim_start_matches([MARKS[0], '\\']).starts_with('{');
            if plain(&form) == plain(value) || (pen == Pen::Marked && slashes) {
                format!("What is left is the canonical form {value}.")
            } else {
                format!("What is left is the canonical form {form}, which is called {value}.")
            }
        }
        Sentence::Outcome { sign, outcome } => match sign.as_str() {
            ">" => format!("It is greater than 0: Left wins, whoever starts ({outcome})."),
            "<" => format!("It is less than 0: Right wins, whoever starts ({outcome})."),
            "=" => format!("It is equal to 0: whoever starts loses ({outcome})."),
            _ => format!("It is confused with 0: whoever starts wins ({outcome})."),
        },
        Sentence::Thermal { mean, temperature } => {
            let hot = if temperature.starts_with('-') {
                "it is cold"
            } else if temperature == "0" {
                "it is tepid: a move gains an infinitesimal at most"
            } else {
                "it is hot: both want to move first"
            };
            let (mean, temperature) = (pen.value(mean), pen.value(temperature));
            format!("Its mean is {mean} and its temperature {temperature}; {hot}.")
        }
        Sentence::NoValue { players } => match players {
            2 => "Who wins is not who moves last here, so it has no value of normal play; what can be said is who can force a win.".to_owned(),
            n => format!("A position of {n} players has no value; what can be said is who can force a win."),
        },
        Sentence::Genera { parts } => genera(parts, pen),
        Sentence::Starts {
            first,
            winner,
            drawn,
            by,
            minimal,
        } => {
            let mut text = format!("When {first} starts, ");
            match (winner, by) {
                (Some(w), Some(by)) => {
                    let by = pen.code(by);
                    let _ = write!(text, "{w} wins against all others: for instance by moving to\n    {by}");
                }
                (Some(w), None) => {
                    let _ = write!(text, "{w} wins against all others.");
                }
                (None, _) if *drawn => {
                    text.push_str("nobody can force a win: each player can hold a draw at least.");
                }
                (None, _) if !alone(minimal).is_empty() => {
                    let all = listed(&alone(minimal), "and");
                    let _ = write!(text, "{all} each win against all others.");
                }
                (None, _) => {
                    let all: Vec<String> = minimal
                        .iter()
                        .map(|c| format!("{{{}}}", c.join(", ")))
                        .collect();
                    let _ = write!(
                        text,
                        "nobody wins alone; the least coalitions that can are {}.",
                        listed(&all, "and")
                    );
                }
            }
            text
        }
        Sentence::Guaranteed { refusal: None } => {
            "It is guaranteed: at no follower does a player gain by being stuck. So it can be compared with others of which this is true, for play in sums."
                .to_owned()
        }
        Sentence::Guaranteed {
            refusal: Some(refusal),
        } => format!("It cannot be compared with others: {refusal}."),
        Sentence::NoMean { reason } => {
            format!("It has no mean and no temperature: {reason}.")
        }
        Sentence::Scored {
            first,
            points,
            by,
            worse,
        } => {
            let ahead = match points {
                0 => "as many points for Left as for Right".to_owned(),
                1.. => format!("{points} more for Left"),
                _ => format!("{} more for Right", points.unsigned_abs()),
            };
            let start = format!("When {first} starts, best play comes to the score {points}, {ahead}");
            match by {
                None => format!("When {first} starts, there is no move, and the score is {points}."),
                Some(by) => {
                    let others = match worse {
                        0 => "every move comes to as much".to_owned(),
                        1 => "one move comes to less for the player".to_owned(),
                        n => format!("{n} moves come to less for the player"),
                    };
                    format!("{start}; {others}. One of the best is the move to\n    {}", pen.code(by))
                }
            }
        }
    }
}

/// Positions with their values, a line for each value.
/// The positions reached, with their values or, if `won`, with the sums that the move wins.
fn positions(groups: &[Group], won: bool, pen: Pen) -> String {
    let mut text = String::new();
    for Group {
        value,
        positions,
        count,
    } in groups.iter().take(LISTED)
    {
        let first = pen.code(positions.first().map_or("", String::as_str));
        let _ = write!(text, "\n    {first}");
        // A move that ends play has no value.
        let of = match value.as_str() {
            "" => "",
            wins if won => {
                let _ = write!(text, "  {wins}");
                ""
            }
            value => {
                let _ = write!(text, "  = {value}");
                " of this value"
            }
        };
        if *count > 1 {
            let plural = if *count == 2 { "" } else { "s" };
            let _ = write!(text, "  (and {} other{plural}{of})", count - 1);
        }
    }
    if groups.len() > LISTED {
        let _ = write!(text, "\n    and {} more values", groups.len() - LISTED);
    }
    text
}

/// Why a position is worth the least nimber with which no move wins the sum, or is loony.
fn covered(passed: &[u32], kept: &[u32], every: bool, value: &str) -> String {
    let again = |n: &u32| {
        format!(
            "A move to the nimber {n} after which the same player moves again wins the sum with every nimber but {n}"
        )
    };
    match kept {
        _ if every => {
            format!("One of these moves wins every sum of nimbers with it: it is {value}.")
        }
        [] if passed.is_empty() => format!("No move wins a sum with it: it is worth {value}."),
        [] => {
            let all: Vec<String> = passed.iter().map(ToString::to_string).collect();
            let mex = (0..).zip(passed).take_while(|(i, n)| i == *n).count();
            format!(
                "The least nimber that is not among them is mex{{{}}} = {mex}.",
                all.join(", ")
            )
        }
        [n, m, ..] => format!(
            "{}, and such a move to {m} wins that one, too: it is {value}.",
            again(n)
        ),
        [n] if passed.contains(n) => format!(
            "{}, and the move to {n} that passes the turn wins that one, too: it is {value}.",
            again(n)
        ),
        [n] => format!(
            "{}, and no move wins that one: it is worth {value}.",
            again(n)
        ),
    }
}

/// The steps of an argument as hints: they lead to the value, but do not reveal it.
#[must_use]
pub fn hints(why: &Why) -> Vec<String> {
    let mut out = Vec::new();
    for s in &why.sentences {
        out.push(match s {
            Sentence::Sum { parts, .. } => {
                let all: Vec<&str> = parts.iter().map(|p| p.position.as_str()).collect();
                format!(
                    "It falls into parts that have nothing to do with each other, and its value is the sum of theirs: {}.",
                    listed_of(&all)
                )
            }
            Sentence::NimSum { .. } => {
                "Its parts are nimbers: add them in binary, without carrying.".to_owned()
            }
            Sentence::Mex { options, .. } => {
                let all: Vec<String> = options.iter().map(ToString::to_string).collect();
                match all.is_empty() {
                    true => "There is no move.".to_owned(),
                    false => format!(
                        "The nimbers of the options are {{{}}}: which is the least that is not among them?",
                        all.join(", ")
                    ),
                }
            }
            Sentence::Simplest { left, right, .. } => format!(
                "It is a number: which is the simplest in {}?",
                braces(left, right)
            ),
            Sentence::Canonical { left, right, .. } => {
                format!("What is left is {}: has it a name?", braces(left, right))
            }
            Sentence::Covered { .. } => {
                "With which nimbers does a move win the sum? Which is the least other one, if there is one?".to_owned()
            }
            Sentence::Outcome { .. } => {
                "Who wins if Left starts, and who if Right does?".to_owned()
            }
            Sentence::Thermal { .. }
            | Sentence::NoValue { .. }
            | Sentence::Genera { .. }
            | Sentence::Answered { .. }
            | Sentence::Starts { .. } => {
                continue;
            }
            other => sentence(other),
        });
    }
    out
}

/// The genera of parts; if all are tame, the Nim sum that is played alike.
fn genera(parts: &[PartGenus], pen: Pen) -> String {
    let told = parts.iter().map(|p| {
        let position = pen.code(&p.position);
        let times = match p.count {
            1 => String::new(),
            n => format!(" ({n} times)"),
        };
        let genus = &p.genus;
        match &p.nim {
            Some(heaps) => format!(
                "{position}{times} has the genus {genus} and is tame: beside tame positions it is played like {}.",
                nim_heaps_in_words(heaps)
            ),
            None => format!(
                "{position}{times} has the genus {genus} and is wild: no Nim heaps can take its place in every sum."
            ),
        }
    });
    let mut text = told.collect::<Vec<_>>().join("\n");
    let heaps = parts.iter().map(|p| {
        let heaps = p.nim.iter().flatten().copied();
        Some((heaps.collect::<Vec<u64>>(), p.nim.as_ref()?.len() * p.count))
    });
    let Some(heaps) = heaps.collect::<Option<Vec<_>>>() else {
        return text;
    };
    if heaps.iter().map(|h| h.1).sum::<usize>() < 2 {
        return text;
    }
    let odd = parts.iter().filter(|p| p.count % 2 == 1);
    let sum = odd
        .flat_map(|p| p.nim.iter().flatten())
        .fold(0, |a, b| a ^ b);
    let large = heaps.iter().any(|h| h.0.iter().any(|n| *n > 1));
    let loses = (sum == 0) == large;
    let rule = match large {
        true => "with a heap of two or more, who moves loses where it is 0",
        false => "with heaps of 0 and 1 only, who moves loses where it is 1",
    };
    let who = if loses { "loses" } else { "wins" };
    text += &format!(
        "\nThe nim-sum of these heaps is {sum}; {rule} (Bouton). So who moves first {who}."
    );
    text
}

/// At most [`LISTED`] items, with commas.
fn listed_of(all: &[&str]) -> String {
    let mut text = all[..all.len().min(LISTED)].join(", ");
    if all.len() > LISTED {
        text.push_str(", ..");
    }
    text
}

/// The whole argument.
#[must_use]
pub fn why(why: &Why, look: Look) -> String {
    let mut out = String::new();
    told(&mut out, why, look, 0);
    out
}

fn told(out: &mut String, why: &Why, look: Look, indent: usize) {
    let pad = " ".repeat(indent);
    let _ = writeln!(out, "{pad}{}", look.head(&why.picture.text));
    let drawing = look.drawing(&why.picture);
    let plain = match &drawing[..] {
        [line] => why.picture.text.ends_with(&format!("[{line}]")),
        _ => false,
    };
    if !plain {
        out.push('\n');
        for line in &drawing {
            let _ = writeln!(out, "{pad}    {line}");
        }
    }
    out.push('\n');
    for text in argument(why, indent == 0, Pen::Plain) {
        for line in text.lines() {
            let _ = writeln!(out, "{pad}  {line}");
        }
    }
    for part in &why.parts {
        out.push('\n');
        told(out, part, look, indent + 2);
    }
}

/// The sentences of an argument, without those of its parts. With `whole`, also who wins, and the temperature.
#[must_use]
pub fn argument(why: &Why, whole: bool, pen: Pen) -> Vec<String> {
    let all = &why.sentences;
    let end = all
        .iter()
        .position(|s| matches!(s, Sentence::Outcome { .. }))
        .filter(|_| !whole)
        .unwrap_or(all.len());
    all[..end].iter().map(|s| in_words(s, pen)).collect()
}

/// The argument in one line: the value and the decisive step.
#[must_use]
pub fn why_short(why: &Why) -> String {
    short(why, Pen::Plain)
}

/// The argument in one line, written with a pen.
#[must_use]
pub fn short(why: &Why, pen: Pen) -> String {
    let Some(value) = &why.value else {
        let starts: Vec<String> = why
            .sentences
            .iter()
            .filter_map(|s| match s {
                Sentence::Starts {
                    first,
                    winner,
                    drawn,
                    minimal,
                    ..
                } => Some(match (winner, &alone(minimal)[..]) {
                    (Some(w), _) => format!("{w} wins when {first} starts"),
                    (None, []) if *drawn => format!("a draw when {first} starts"),
                    (None, []) => format!("nobody wins alone when {first} starts"),
                    (None, all) => format!("{} each win when {first} starts", listed(all, "and")),
                }),
                _ => None,
            })
            .collect();
        return starts.join("; ");
    };
    let reason = why.sentences.iter().rev().find_map(|s| {
        Some(match s {
            Sentence::NimSum { nimbers, sum } => {
                let all: Vec<String> = nimbers.iter().map(ToString::to_string).collect();
                format!("the nim-sum {} = {sum}", all.join(" xor "))
            }
            Sentence::Sum { parts, .. } => {
                let all: Vec<String> = parts
                    .iter()
                    .map(|p| match p.count {
                        1 => format!("({})", p.value),
                        n => format!("{n} * ({})", p.value),
                    })
                    .collect();
                format!("the sum {}", all.join(" + "))
            }
            Sentence::Mex { options, mex } => {
                let all: Vec<String> = options.iter().map(ToString::to_string).collect();
                format!("mex{{{}}} = {mex}", all.join(", "))
            }
            Sentence::Covered {
                passed,
                kept,
                every,
                answered,
                ..
            } => match (every, &kept[..]) {
                _ if *answered => return None,
                (false, []) => {
                    let all: Vec<String> = passed.iter().map(ToString::to_string).collect();
                    format!("mex{{{}}}", all.join(", "))
                }
                (false, [n]) if !passed.contains(n) => {
                    "a move that keeps the turn wins the sum with every other nimber".to_owned()
                }
                _ => "a move wins the sum with every nimber".to_owned(),
            },
            Sentence::Simplest { left, right, .. } if left.is_empty() && right.is_empty() => {
                "nobody can move".to_owned()
            }
            Sentence::Simplest { left, right, .. } => {
                format!("the simplest number in {}", braces(left, right))
            }
            Sentence::Canonical { left, right, .. } => {
                format!(
                    "{} when nothing is dominated or reversible",
                    braces(left, right)
                )
            }
            _ => return None,
        })
    });
    match reason {
        Some(reason) => format!("{}: {reason}", pen.value(value)),
        None => pen.value(value),
    }
}
