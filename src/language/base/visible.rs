//! Writes out the invisible characters of a text by someone else (`\u{1b}`). Terminals obey control characters, and
//! bidirectional controls reorder what is read (Boucher and Anderson, *Trojan Source*, 2021), so neither may reach a
//! terminal from a file.

use std::borrow::Cow;
use std::fmt::Write;

/// Opens a colour in the texts of this program, in place of the escape character. It is a noncharacter, which Unicode
/// reserves for use inside a program; [`super::Sources`] removes it from source texts.
pub const INK: char = '\u{fdd0}';

/// Whether a character moves the cursor, reorders the text around it, or shows nothing. Line feeds and tabs are plain
/// text, and so are the joiners that some scripts need.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' => false,
        c if c.is_control() => true,
        // Soft hyphen, and marks that only set the reading direction.
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' => true,
        // Line and paragraph separators, bidirectional embeddings and isolates, invisible operators.
        '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' => true,
        '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => true,
        '\u{fdd0}'..='\u{fdef}' => true,
        c => c as u32 & 0xfffe == 0xfffe,
    }
}

/// The text with its hidden characters written out; a carriage return before a line feed is dropped.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            c if is_hidden(c) => {
                let _ = write!(out, "{}", c.escape_unicode());
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The text for a terminal: hidden characters written out, colours (`INK` and the sequence after it) turned into escape
/// sequences if `color`, dropped otherwise.
#[must_use]
pub fn painted(text: &str, color: bool) -> Cow<'_, str> {
    if !text.contains(INK) {
        return visible(text);
    }
    let mut pieces = text.split(INK);
    let mut out = visible(pieces.next().unwrap_or_default()).into_owned();
    for piece in pieces {
        let end = piece.strip_prefix('[').map_or(0, |p| {
            p.find(|c: char| !(c.is_ascii_digit() || c == ';'))
                .unwrap_or(0)
                + 1
        });
        match piece.as_bytes().get(end) {
            Some(b'm') if end > 0 => {
                if color {
                    out.push('\u{1b}');
                    out.push_str(&piece[..=end]);
                }
                out.push_str(&visible(&piece[end + 1..]));
            }
            _ => {
                let _ = write!(out, "{}{}", INK.escape_unicode(), visible(piece));
            }
        }
    }
    Cow::Owned(out)
}

/// A text in a colour, by the numbers of its escape sequence (`1;31`).
#[must_use]
pub fn ink(code: &str, text: &str) -> String {
    format!("{INK}[{code}m{text}{INK}[0m")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_written_out() {
        assert_eq!(visible("a\u{1b}[2Jb"), "a\\u{1b}[2Jb");
        assert_eq!(
            visible("\u{202e}x\u{9b}31m\u{7f}"),
            "\\u{202e}x\\u{9b}31m\\u{7f}"
        );
        assert_eq!(visible("one\r\ntwo\rthree\t"), "one\ntwo\\u{d}three\t");
        for plain in ["Nim[3]", "é↑∗ אב", "नि\u{200d}", "👩\u{200d}🔬"] {
            assert!(matches!(visible(plain), Cow::Borrowed(_)), "{plain}");
        }
    }

    #[test]
    fn only_ink_makes_colours() {
        let text = format!("{} \u{1b}[31m", ink("1;31", "FAILED"));
        assert_eq!(
            painted(&text, true),
            "\u{1b}[1;31mFAILED\u{1b}[0m \\u{1b}[31m"
        );
        assert_eq!(painted(&text, false), "FAILED \\u{1b}[31m");
        assert_eq!(
            painted("a\u{fdd0}[2Jb\u{fdd0}", true),
            "a\\u{fdd0}[2Jb\\u{fdd0}"
        );
    }
}
