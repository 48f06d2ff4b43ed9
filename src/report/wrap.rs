//! Wraps text to a width, breaking only between words. Continuation lines are aligned with the text of the line: with the
//! second column of a row (`name  what it is`), otherwise with its first word.

use textwrap::core::display_width;
use textwrap::{Options, WordSeparator, WordSplitter, wrap};

/// Below this width, lines are not wrapped.
const NARROWEST: usize = 20;

/// The text in lines of at most `width` columns, except for longer words.
#[must_use]
pub fn wrapped(text: &str, width: usize) -> String {
    if width < NARROWEST {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for line in text.split_inclusive('\n') {
        let (body, end) = match line.strip_suffix('\n') {
            Some(body) => (body, "\n"),
            None => (line, ""),
        };
        if display_width(body) <= width {
            out.push_str(body);
        } else {
            let indent = " ".repeat(hanging(body, width));
            let options = Options::new(width)
                .break_words(false)
                .word_separator(WordSeparator::AsciiSpace)
                .word_splitter(WordSplitter::NoHyphenation)
                .subsequent_indent(&indent);
            out.push_str(&wrap(body, options).join("\n"));
        }
        out.push_str(end);
    }
    out
}

/// The indentation of continuation lines.
fn hanging(line: &str, width: usize) -> usize {
    let mut plain = String::with_capacity(line.len());
    let mut inside = false;
    for c in line.chars() {
        match c {
            '\u{1b}' => inside = true,
            'm' if inside => inside = false,
            c if !inside => plain.push(c),
            _ => {}
        }
    }
    let first = plain.len() - plain.trim_start().len();
    let second = plain[first..].find("  ").map(|gap| {
        let rest = &plain[first + gap..];
        display_width(&plain[..first + gap]) + rest.len() - rest.trim_start().len()
    });
    match second {
        Some(column) if column <= width / 2 => column,
        _ if first <= width / 2 => first,
        _ => 0,
    }
}

/// A Markdown page for a terminal: paragraphs are rewrapped to at most `width` columns; code, headings and tables are
/// unchanged.
#[must_use]
pub fn page(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut code = false;
    let mut paragraph = String::new();
    let set = |paragraph: &mut String, out: &mut String| {
        if !paragraph.is_empty() {
            out.push_str(&wrapped(paragraph, width));
            out.push('\n');
            paragraph.clear();
        }
    };
    for line in text.lines() {
        let fence = line.trim_start().starts_with("```");
        let plain = !code && !fence && !line.is_empty() && !line.starts_with(['#', '|', ' ']);
        let item = line.starts_with(['-', '*']) || line.starts_with(|c: char| c.is_ascii_digit());
        if !plain || item {
            set(&mut paragraph, &mut out);
        }
        if plain {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(line.trim_end());
        } else {
            out.push_str(line);
            out.push('\n');
        }
        code ^= fence;
    }
    set(&mut paragraph, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_go_on_below_their_text() {
        let text = "  nim       heaps of counters, of which a move takes any number\n";
        assert_eq!(
            wrapped(text, 40),
            "  nim       heaps of counters, of which\n            a move takes any number\n"
        );
        assert_eq!(wrapped(text, 80), text);
        assert_eq!(wrapped(text, 3), text, "no width at all");
        // A word that is too long is not broken.
        let long = format!("see {} there", "x".repeat(50));
        assert_eq!(
            wrapped(&long, 30),
            format!("see\n{}\nthere", "x".repeat(50))
        );
        // Colours have no width, and wide characters take two columns.
        let painted = "\u{1b}[1mHeads are bold\u{1b}[0m and fit";
        assert_eq!(wrapped(painted, 22), painted);
        assert_eq!(
            wrapped("漢字漢字漢字 漢字漢字漢字", 20),
            "漢字漢字漢字\n漢字漢字漢字"
        );
    }

    #[test]
    fn pages_are_set_anew() {
        let text = "# E0001: a title\n\nOne sentence that\ngoes on.\nAnd on.\n\n```rules\nlet x = 1    // a comment that is longer than a line\n```\n- an item\n- another\n";
        assert_eq!(
            page(text, 30),
            "# E0001: a title\n\nOne sentence that goes on. And\non.\n\n```rules\nlet x = 1    // a comment that is longer than a line\n```\n- an item\n- another\n"
        );
    }
}
