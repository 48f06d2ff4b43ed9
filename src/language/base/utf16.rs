//! Converts places in a text from bytes to UTF-16 units and back, since editors and browsers count in UTF-16 units. Lines
//! end as in the Language Server Protocol, at `\n`, `\r\n` and `\r`.

/// Converts places of one text. Queries in ascending order read the text only once.
#[derive(Clone, Debug)]
pub struct Utf16<'t> {
    text: &'t str,
    last: Mark,
}

/// A byte and the counts up to it.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    byte: usize,
    unit: usize,
    line: usize,
    /// The unit at which the line begins.
    start: usize,
}

impl<'t> Utf16<'t> {
    /// A converter for this text.
    #[must_use]
    pub fn new(text: &'t str) -> Utf16<'t> {
        Utf16 {
            text,
            last: Mark::default(),
        }
    }

    /// Units before a byte. A byte inside a character counts as the character's first byte, a byte beyond the text as its
    /// end.
    pub fn offset(&mut self, byte: usize) -> usize {
        self.go(byte);
        self.last.unit
    }

    /// The line of a byte and the units before it on that line, both from 0.
    pub fn place(&mut self, byte: usize) -> (usize, usize) {
        self.go(byte);
        (self.last.line, self.last.unit - self.last.start)
    }

    fn go(&mut self, byte: usize) {
        let mut byte = byte.min(self.text.len());
        while !self.text.is_char_boundary(byte) {
            byte -= 1;
        }
        if byte < self.last.byte {
            self.last = Mark::default();
        }
        let mut mark = self.last;
        let mut chars = self.text[mark.byte..byte].chars().peekable();
        let after = self.text[byte..].chars().next();
        while let Some(c) = chars.next() {
            mark.unit += c.len_utf16();
            let next = chars.peek().copied().or(after);
            if c == '\n' || (c == '\r' && next != Some('\n')) {
                mark.line += 1;
                mark.start = mark.unit;
            }
        }
        mark.byte = byte;
        self.last = mark;
    }
}

/// The byte before which there are `unit` units; a unit inside a character gives the character's first byte.
#[must_use]
pub fn byte_of_offset(text: &str, unit: usize) -> usize {
    let mut units = 0;
    for (at, c) in text.char_indices() {
        units += c.len_utf16();
        if units > unit {
            return at;
        }
    }
    text.len()
}

/// The byte at a line and a column in units, both from 0. Beyond the end of a line gives the end of the line, beyond the
/// text the end of the text.
#[must_use]
pub fn byte_of_place(text: &str, line: usize, column: usize) -> usize {
    let bytes = text.as_bytes();
    let is_end =
        |at: usize| bytes[at] == b'\n' || (bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
    let start = match line {
        0 => 0,
        _ => match (0..bytes.len()).filter(|at| is_end(*at)).nth(line - 1) {
            Some(at) => at + 1,
            None => return text.len(),
        },
    };
    let length = text[start..]
        .find(['\n', '\r'])
        .unwrap_or(text.len() - start);
    start + byte_of_offset(&text[start..start + length], column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_there_and_back() {
        let text = "a𝒢é\r\n😀b\rc\n\n";
        let mut utf16 = Utf16::new(text);
        let mut places = Vec::new();
        for (at, c) in text.char_indices() {
            let offset: usize = text[..at].chars().map(char::len_utf16).sum();
            assert_eq!(utf16.offset(at), offset);
            assert_eq!(byte_of_offset(text, offset), at);
            let (line, column) = utf16.place(at);
            places.push((line, column));
            // The place between `\r` and `\n` does not map back to itself.
            if c != '\n' || !text[..at].ends_with('\r') {
                assert_eq!(byte_of_place(text, line, column), at, "{line}:{column}");
            }
        }
        assert_eq!(
            places,
            [
                (0, 0),
                (0, 1),
                (0, 3),
                (0, 4),
                (0, 5),
                (1, 0),
                (1, 2),
                (1, 3),
                (2, 0),
                (2, 1),
                (3, 0)
            ]
        );
        assert_eq!(utf16.place(text.len()), (4, 0));
        // Back again.
        assert_eq!(utf16.place(1), (0, 1));
        assert_eq!(utf16.offset(3), 1, "inside a character");
        assert_eq!(
            (byte_of_place(text, 0, 2), byte_of_place(text, 0, 99)),
            (1, 7)
        );
        assert_eq!(byte_of_place(text, 99, 0), text.len());
    }
}
