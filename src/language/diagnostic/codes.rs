//! The table of all diagnostic codes: one line per code with its title, and one page per code in `pages/`.
//!
//! E01xx syntax, E02xx names and sorts, E03xx boards and positions, E04xx moves (run-time faults of rules), E05xx
//! queries and claims, E06xx values, E07xx limits and files, W08xx lints. A new code is a line in the table and a page
//! `pages/CODE.md` whose first fenced block marked `rules` must give that code (a test runs it).

use std::fmt;

/// A diagnostic code, such as `E0203`. Only codes of the table exist.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(&'static str);

/// A line of the table.
#[derive(Clone, Copy, Debug)]
pub struct CodeInfo {
    /// The code.
    pub code: Code,
    /// What it is about, in a few words.
    pub title: &'static str,
    /// The page that explains it, in Markdown.
    pub page: &'static str,
}

macro_rules! table {
    ($($name:ident $title:literal;)*) => {
        impl Code {
            $(#[doc = $title] pub const $name: Code = Code(stringify!($name));)*
        }
        const TABLE: &[CodeInfo] = &[
            $(CodeInfo {
                code: Code::$name,
                title: $title,
                page: include_str!(concat!("pages/", stringify!($name), ".md")),
            },)*
        ];
    };
}

table! {
    // E01xx: syntax.
    E0101 "unexpected text";
    E0102 "text that belongs to no item";
    E0103 "a bracket without its partner";
    E0104 "brackets nested too deeply";
    E0105 "a string without its closing quotes";
    E0106 "a character that means nothing here";
    E0107 "an expression too long or too deep";
    E0108 "a keyword in the wrong column";
    E0109 "an unknown item or clause";
    E0110 "a move without its parts";
    E0111 "`=`, `==` and `:=` mixed up";
    E0112 "an effect that is none";
    E0113 "star, up and signs in the wrong order";
    E0114 "bars that do not nest";
    E0115 "a chain of comparisons";
    E0116 "a reserved word as a name";
    E0117 "a decimal number";
    E0118 "a tab in drawn art";
    E0119 "an entry of a board that cannot be read";
    E0120 "a version of the language that is not known";
    E0121 "an `if` without its `else`";
    // E02xx: names and sorts.
    E0201 "an unknown name";
    E0202 "a name that is taken";
    E0203 "a thing of the wrong sort";
    E0204 "wrong arguments";
    E0205 "a variable with a name that is taken";
    E0206 "`=` between games, `==` between data";
    E0207 "star and product, up and power";
    E0208 "a number that is not dyadic";
    E0209 "a definition that uses itself";
    E0210 "a table with a gap";
    E0211 "a move by nobody";
    E0212 "an unknown sort";
    E0213 "a player without a piece of his own";
    E0214 "definitions nested too deeply";
    E0215 "a ruleset without its board";
    E0216 "a question with nobody to ask";
    E0217 "an opponent among three";
    E0218 "an effect on what does not change";
    E0219 "a heap that was not chosen";
    E0220 "a variable without a range";
    E0221 "a variable bound twice";
    E0222 "clauses that do not make a ruleset";
    E0223 "a derived ruleset that is none";
    E0224 "something with errors of its own";
    E0225 "`again`, `entail`, `repeat` or `next` where it cannot stand";
    E0226 "a change to a ruleset that cannot be made";
    // E03xx: boards and positions.
    E0301 "a board of the wrong kind";
    E0302 "an entry that does not fit its board";
    E0303 "a field that is none";
    E0304 "an unknown piece on a board";
    E0305 "a code that cannot be read";
    E0306 "a board without a ruleset";
    E0307 "one site or all of them";
    E0310 "a row of another length";
    E0311 "a glyph that is not a piece";
    E0312 "a board that does not fit";
    E0313 "an initial state that does not fit";
    E0314 "an argument outside the domain";
    E0315 "players that do not fit";
    E0316 "a question without a board";
    // E04xx: rules, when they run.
    E0401 "off the board";
    E0402 "two values for one site";
    E0403 "a site removed and written";
    E0404 "a natural number below nought";
    E0405 "no piece that is exactly his";
    E0406 "arithmetic that has no answer";
    E0407 "an element that is not there";
    E0408 "play that repeats";
    E0409 "play that grows";
    E0410 "play that has ended before the first move";
    E0411 "a value where none is defined";
    // E05xx: queries and claims.
    E0501 "a query that binds down";
    E0502 "a value of three players";
    E0503 "a claim that claims nothing";
    E0504 "an answer that cannot be compared";
    E0505 "a seal that cannot be read";
    E0551 "a claim without an instance";
    E0552 "a position is needed";
    E0553 "a question without an answer";
    // E07xx: files and limits.
    E0701 "a file that cannot be read";
    E0702 "a file that is not a text";
    E0703 "files that use each other in a circle";
    E0704 "a store that is not used";
    E0705 "a command line that is not understood";
    E0706 "a command that cannot be done";
    E0707 "stores that contradict each other";
    E0710 "too much to work out";
    E0711 "ended early";
    E0712 "an answer found without memory";
    E0799 "a mistake of this program";
    // W08xx: lints.
    W0801 "a variable that nothing uses";
    W0802 "a parameter that nothing uses";
    W0803 "taking nothing";
    W0804 "a condition that is always the same";
    W0805 "a move that only grows";
    W0806 "a condition that leaves out pieces of several owners";
    W0807 "a move that changes nothing when it is made again";
    W0808 "a definition that hides a board of the language";
    W0809 "a clause that never decides";
}

impl Code {
    /// `E0203` and so on.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.0
    }

    /// Reads a code, in capitals or not, with or without its letter: `E0203`, `e0203`, `0203`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Code> {
        let text = text.trim();
        TABLE
            .iter()
            .map(|i| i.code)
            .find(|c| c.0.eq_ignore_ascii_case(text) || c.0[1..] == *text)
    }

    /// Whether it concerns the syntax of a text, not its meaning.
    #[must_use]
    pub fn is_syntax(self) -> bool {
        self.0.starts_with("E01")
    }

    /// Its line of the table.
    #[must_use]
    pub fn info(self) -> CodeInfo {
        TABLE
            .iter()
            .copied()
            .find(|i| i.code == self)
            .unwrap_or(CodeInfo {
                code: self,
                title: "",
                page: "",
            })
    }

    /// What it is about, in a few words.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.info().title
    }

    /// The page that explains it, in Markdown.
    #[must_use]
    pub fn page(self) -> &'static str {
        self.info().page
    }

    /// The whole table, in order.
    pub fn all() -> impl Iterator<Item = CodeInfo> {
        TABLE.iter().copied()
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_order_and_once_and_have_pages() {
        let all: Vec<CodeInfo> = Code::all().collect();
        assert!(all.windows(2).all(|w| w[0].code.0[1..] < w[1].code.0[1..]));
        for info in all {
            let head = format!("# {}: {}", info.code, info.title);
            assert!(
                info.page.starts_with(&head),
                "the page of {} must open with `{head}`",
                info.code
            );
            assert_eq!(Code::parse(info.code.as_str()), Some(info.code));
        }
        assert_eq!(Code::parse("e0101"), Some(Code::E0101));
        assert_eq!(Code::parse("E9999"), None);
    }
}
