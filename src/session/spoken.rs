//! Translates an answer as people type it into the language, and recognises answers in words. `up` becomes `^`, `0.75`
//! becomes `3/4`, `star 2` becomes `*2`, `plus minus 1` becomes `+-1`.

use crate::ir::Outcome;

/// The most digits after a decimal point.
const MOST_DECIMALS: usize = 18;

/// Words for values and signs, in lower case; longer ones come before their prefixes.
const WORDS: [(&str, &str); 29] = [
    ("plus or minus", "+-"),
    ("plus minus", "+-"),
    ("plus-minus", "+-"),
    ("triple up", "^^^"),
    ("double up", "^^"),
    ("triple down", "vvv"),
    ("double down", "vv"),
    ("three quarters", "3/4"),
    ("one quarter", "1/4"),
    ("one half", "1/2"),
    ("a quarter", "1/4"),
    ("a half", "1/2"),
    ("half", "1/2"),
    ("minus", "-"),
    ("plus", "+"),
    ("nothing", "0"),
    ("nought", "0"),
    ("zero", "0"),
    ("one", "1"),
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("star", "*"),
    ("nimber", "*"),
    ("up", "^"),
    ("down", "v"),
];

/// Translates a value: words into signs, decimals into fractions, with the blanks between parts of one value removed.
#[must_use]
pub fn value(text: &str) -> String {
    let text = text.trim().trim_end_matches(['.', '!']);
    let mut out = mixed(text)
        .or_else(|| fractions(text))
        .unwrap_or_else(|| text.to_owned());
    let lower = out.to_lowercase();
    // A text with brackets or quotes is an expression of the language, and is left unchanged.
    if lower.chars().any(char::is_alphabetic) && !out.contains(['(', '[', '"']) {
        out = signs(&lower);
    }
    out
}

/// Replaces words by signs. `up star` is one value, `^*`; `1 plus star` is a sum.
fn signs(lower: &str) -> String {
    let mut out = String::with_capacity(lower.len());
    let mut rest = lower;
    let mut glue = false;
    'text: while let Some(c) = rest.chars().next() {
        let before = out.chars().next_back();
        if before.is_none_or(|b| !b.is_alphanumeric() || glue) {
            for (word, sign) in WORDS {
                let Some(after) = rest.strip_prefix(word) else {
                    continue;
                };
                let ends = after.chars().next().is_none_or(|c| !c.is_alphabetic());
                if !ends {
                    continue;
                }
                let value = !matches!(*sign.as_bytes(), [b'+'] | [b'-'] | [b'+', b'-']);
                if value && glue {
                    // In `up star` and `star 2`, the parts of one value are joined.
                    out.truncate(out.trim_end().len());
                }
                out.push_str(sign);
                rest = after;
                glue = value && !sign.starts_with(|c: char| c.is_ascii_digit());
                // A prefix sign is joined to its operand: `minus 1` becomes `-1`.
                if sign == "+-" || (sign == "-" && before.is_none()) {
                    rest = rest.trim_start();
                }
                continue 'text;
            }
        }
        if c.is_ascii_digit() && glue && out.ends_with(' ') {
            out.truncate(out.trim_end().len());
        }
        glue &= c == ' ';
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// Turns a mixed number, `1 1/2`, into a fraction; `None` for any other text.
fn mixed(text: &str) -> Option<String> {
    let (sign, rest) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest.trim_start()),
        None => ("", text),
    };
    let (whole, part) = rest.split_once(char::is_whitespace)?;
    let (above, below) = part.split_once('/')?;
    let number = |text: &str| text.trim().parse::<u32>().ok().map(u64::from);
    let (whole, above, below) = (number(whole)?, number(above)?, number(below)?);
    // `1 3/2` is not a mixed number.
    (above < below).then(|| format!("{sign}{}/{below}", whole * below + above))
}

/// Turns decimals into fractions; `None` if there are none, or one is too long.
fn fractions(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    let mut out = String::with_capacity(text.len());
    let (mut at, mut any) = (0, false);
    while at < text.len() {
        // Two points form a range.
        let point = bytes[at] == b'.' && digit(at + 1) && (at == 0 || bytes[at - 1] != b'.');
        if !point {
            let c = text[at..].chars().next()?;
            out.push(c);
            at += c.len_utf8();
            continue;
        }
        let start = out.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let whole = out.split_off(start);
        let end = (at + 1..).find(|i| !digit(*i)).unwrap_or(text.len());
        let decimals = text[at + 1..end].trim_end_matches('0');
        at = end;
        any = true;
        if decimals.is_empty() {
            out.push_str(if whole.is_empty() { "0" } else { &whole });
            continue;
        }
        if decimals.len() > MOST_DECIMALS || whole.len() > MOST_DECIMALS {
            return None;
        }
        let mut below = 10u128.pow(u32::try_from(decimals.len()).ok()?);
        let mut above = format!("0{whole}{decimals}").parse::<u128>().ok()?;
        for p in [2, 5] {
            while above % p == 0 && below % p == 0 {
                above /= p;
                below /= p;
            }
        }
        out.push_str(&format!("{above}/{below}"));
    }
    any.then_some(out)
}

/// Reads a truth value.
#[must_use]
pub fn truth(text: &str) -> Option<bool> {
    match plain(text).as_str() {
        "yes" | "y" | "yep" | "yeah" | "true" | "t" | "holds" | "it holds" | "it does"
        | "it is" | "correct" => Some(true),
        "no" | "n" | "nope" | "false" | "f" | "it does not" | "it is not" => Some(false),
        _ => None,
    }
}

/// Reads an outcome.
#[must_use]
pub fn outcome(text: &str) -> Option<Outcome> {
    let mut word = plain(text);
    for end in [" wins", " win", " player", "-position", " position"] {
        if let Some(before) = word.strip_suffix(end) {
            word = before.to_owned();
        }
    }
    let word = word.strip_prefix("the ").unwrap_or(&word);
    let word = word.strip_prefix("an ").unwrap_or(word);
    let word = word.strip_prefix("a ").unwrap_or(word);
    Some(match word {
        "l" | "left" => Outcome::L,
        "r" | "right" => Outcome::R,
        "n" | "next" | "first" => Outcome::N,
        "p" | "previous" | "second" => Outcome::P,
        "d" | "draw" | "drawn" | "nobody" => Outcome::D,
        _ => return None,
    })
}

/// Reads a player's name: `left wins` becomes `Left`.
#[must_use]
pub fn player(text: &str) -> String {
    let word = plain(text);
    let word = word.strip_suffix(" wins").unwrap_or(&word);
    let word = word.strip_suffix(" player").unwrap_or(word);
    match word.strip_prefix("the ").unwrap_or(word) {
        "l" | "left" => "Left".to_owned(),
        "r" | "right" => "Right".to_owned(),
        _ => text.to_owned(),
    }
}

/// Lower case, single blanks, without a final full stop or exclamation mark.
fn plain(text: &str) -> String {
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").trim_end_matches(['.', '!']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_signs_and_decimals_are_fractions() {
        for (typed, meant) in [
            ("up", "^"),
            ("Star", "*"),
            ("up star", "^*"),
            ("double up star", "^^*"),
            ("star 2", "*2"),
            ("star2", "*2"),
            ("nimber 6", "*6"),
            ("1 plus star", "1 + *"),
            ("minus 1", "-1"),
            ("minus a half", "-1/2"),
            ("plus minus 1", "+-1"),
            ("zero", "0"),
            ("0.75", "3/4"),
            (".5", "1/2"),
            ("-1.25", "-5/4"),
            ("2.0", "2"),
            ("0.1", "1/10"),
            ("{0.5|1}", "{1/2|1}"),
            ("1 1/2", "3/2"),
            ("-2 3/4", "-11/4"),
            ("1 3/2", "1 3/2"),
            // Text of the language is left unchanged.
            ("{1|-1}", "{1|-1}"),
            ("1..3", "1..3"),
            ("value(Nim[3, 5])", "value(Nim[3, 5])"),
            ("v", "v"),
            ("^*", "^*"),
        ] {
            assert_eq!(value(typed), meant, "{typed}");
        }
    }

    #[test]
    fn players_are_named_as_people_name_them() {
        for (typed, meant) in [
            ("left wins", "Left"),
            ("The right player.", "Right"),
            ("L", "Left"),
            ("C", "C"),
        ] {
            assert_eq!(player(typed), meant, "{typed}");
        }
    }

    #[test]
    fn people_say_who_wins_in_many_words() {
        for (typed, meant) in [
            ("the next player wins", Some(Outcome::N)),
            ("previous player", Some(Outcome::P)),
            ("Left", Some(Outcome::L)),
            ("R-position", Some(Outcome::R)),
            ("an N-position.", Some(Outcome::N)),
            ("second player wins", Some(Outcome::P)),
            ("nobody", Some(Outcome::D)),
            ("somebody", None),
        ] {
            assert_eq!(outcome(typed), meant, "{typed}");
        }
        assert_eq!(truth("Yes."), Some(true));
        assert_eq!(truth("nope"), Some(false));
        assert_eq!(truth("perhaps"), None);
    }
}
