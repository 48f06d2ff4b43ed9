//! Signs of other languages, numbers glued to names, `mod(k, 2)`, `[k*k | k in S]`, `if .. then .. else ..`.

use super::{Line, WINDOW, number_or_name};
use crate::base::Span;
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::lexer::{self, STAGE_WORDS, TokenKind};

impl Line<'_, '_> {
    /// Signs of other languages that the lexer reads as several signs.
    pub(super) fn signs(&self, i: usize) -> Option<Diagnostic> {
        let (word, next) = (self.word(i), self.word(i + 1));
        let glued = self.glued(i + 1);
        let two = || self.span(i).to(self.span(i + 1));
        let sign = |shown: &str, text: &str, help: &str| {
            Some(
                Diagnostic::error(
                    Code::E0111,
                    format!("`{shown}` is not a sign of the language"),
                )
                .at(two(), "")
                .suggest(Suggestion::replace(two(), text, help).safe()),
            )
        };
        match (word, next) {
            ("=", ">") if glued => Some(self.fat_arrow(i)),
            ("=", "<") if glued => sign("=<", "<=", "at most is written `<=`"),
            ("<", ">") if glued => sign("<>", "!=", "inequality is written `!=`"),
            ("==", "=") if glued => {
                let d = Diagnostic::error(Code::E0111, "`===` is not a sign of the language");
                let d = d
                    .at(two(), "")
                    .note("numbers and other data are compared with `=`");
                let help = "games are compared with `==`";
                Some(d.suggest(Suggestion::replace(two(), "==", help)))
            }
            ("||", _) if i > 0 && self.ends_operand(i - 1) && !self.in_game(i) => {
                let d = self.error(Code::E0106, "`||` means nothing here", i);
                let gap = |touches: bool| if touches { " " } else { "" };
                let text = format!("{}or{}", gap(self.glued(i)), gap(glued));
                let fix = Suggestion::replace(self.span(i), text, "`||` is written `or`");
                Some(d.suggest(fix.safe()))
            }
            ("=", "=") if glued => sign("= =", "==", "games are compared with `==`"),
            ("/", "=") if glued => sign("/=", "!=", "inequality is written `!=`"),
            ("<", "-") if glued && self.in_ruleset && self.stage_word(i) == Some("then") => {
                sign("<-", ":=", "assign with `:=`")
            }
            ("<", "-") if glued && self.kind(i + 2) != Some(TokenKind::Integer) => {
                sign("<-", "in", "an element of a set is written `k in S`")
            }
            ("*" | "∗", "*" | "∗")
                if glued
                    && i > 0
                    && self.ends_operand(i - 1)
                    && (number_or_name(self.kind(i + 2)) || self.word(i + 2) == "(") =>
            {
                sign("**", "^", "a power is written `2^3`")
            }
            ("+", "/") if glued && self.word(i + 2) == "-" && self.glued(i + 2) => {
                let place = self.run(i, i + 2);
                let d = Diagnostic::error(Code::E0111, "`+/-` is not a sign of the language");
                let fix = Suggestion::replace(place, "+-", "plus or minus is written `+-`");
                Some(d.at(place, "").suggest(fix.safe()))
            }
            ("+", "+")
                if glued
                    && i > 0
                    && self.ends_operand(i - 1)
                    && !number_or_name(self.kind(i + 2)) =>
            {
                sign("++", " += 1", "one more is written `m += 1`")
            }
            _ => self.brackets_and_numbers(i),
        }
    }

    /// Whether the token stands in braces outside of the rules, where bars separate options.
    fn in_game(&self, i: usize) -> bool {
        let braces = |open: usize| self.word(open) == "{";
        !self.in_ruleset && self.opened_by(i).is_some_and(braces)
    }

    /// `=>`: an arrow in an effect, among choices and on a board; elsewhere an implication, or `>=`.
    fn fat_arrow(&self, i: usize) -> Diagnostic {
        let place = self.span(i).to(self.span(i + 1));
        let error = Diagnostic::error(Code::E0111, "`=>` is not a sign of the language");
        let error = error.at(place, "");
        let opens = |w: &&str| matches!(*w, "choose" | "where" | "then" | "when");
        let before = (self.first..i).rev().take(2 * WINDOW);
        let stage = before.map(|j| self.word(j)).find(opens);
        let on_board = self.on_board(i);
        if on_board || matches!(stage, Some("choose" | "then")) {
            let help = "a heap is replaced, and an arc drawn, by `->`";
            let fix = Suggestion::replace(place, "->", help);
            return error.suggest(fix.safe_if(on_board || stage == Some("then")));
        }
        if let Some(implication) = self.implies(i) {
            return implication;
        }
        // A number on one side is compared; between names it may be an implication.
        let number = |j: usize| self.kind(j) == Some(TokenKind::Integer);
        let compared = number(i + 2) || i > 0 && number(i - 1);
        let fix = Suggestion::replace(place, ">=", "at least is written `>=`");
        let d = error.suggest(fix.safe_if(compared));
        match compared {
            true => d,
            false => d.help("that A implies B is written `not A or B`"),
        }
    }

    /// Whether the token stands among the entries of a board: in square brackets that touch a name.
    pub(super) fn on_board(&self, i: usize) -> bool {
        self.opened_by(i).is_some_and(|open| {
            self.word(open) == "[" && self.glued(open) && self.ends_operand(open - 1)
        })
    }

    /// The bracket that is open at the token.
    pub(super) fn opened_by(&self, i: usize) -> Option<usize> {
        let mut depth = 0usize;
        (self.first..i).rev().take(2 * WINDOW).find(|j| {
            match self.kind(*j) {
                Some(TokenKind::CloseBracket) => depth += 1,
                Some(TokenKind::OpenBracket) if depth == 0 => return true,
                Some(TokenKind::OpenBracket) => depth -= 1,
                _ => {}
            }
            false
        })
    }

    /// `k > 1 => n > 3`: the sign `=>` after a condition.
    fn implies(&self, i: usize) -> Option<Diagnostic> {
        let compares = |w: &str| {
            matches!(
                w,
                "=" | "!="
                    | "<"
                    | "<="
                    | ">"
                    | ">="
                    | "=="
                    | "in"
                    | "owns"
                    | "not"
                    | "some"
                    | "all"
                    | "no"
            )
        };
        // The condition begins after this token, or inside this bracket.
        let mut depth = 0usize;
        let start = (self.first..i).rev().take(2 * WINDOW).find(|j| {
            match self.kind(*j) {
                Some(TokenKind::CloseBracket) => depth += 1,
                Some(TokenKind::OpenBracket) if depth == 0 => return true,
                Some(TokenKind::OpenBracket) => depth -= 1,
                _ => {}
            }
            depth == 0 && matches!(self.word(*j), "where" | "when" | "," | ":" | "assert")
        })?;
        if start + 1 >= i {
            return None;
        }
        self.find(start + 1, i, compares)?;
        let joined = self.find(start + 1, i, |w| {
            matches!(w, "and" | "or" | "not" | "some" | "all" | "no")
        });
        let (open, close) = match joined {
            Some(_) => ("not (", ") or"),
            None => ("not ", " or"),
        };
        let premise = self.text(start + 1, i - 1);
        let gap = Span::new(
            self.source.file,
            self.span(i - 1).end as usize,
            self.span(i + 1).end as usize,
        );
        Some(
            Diagnostic::error(Code::E0111, "`=>` is not a sign of the language")
                .at(self.span(i).to(self.span(i + 1)), "")
                .suggest(
                    Suggestion::replace(
                        gap,
                        close,
                        format!("`A => B` is written `not A or B`: `{open}{premise}{close} ..`"),
                    )
                    .and_before(self.span(start + 1), open),
                ),
        )
    }

    /// `mod(k, 2)`, `2k`, `[k*k | k in S]`, `k in 1:n`.
    fn brackets_and_numbers(&self, i: usize) -> Option<Diagnostic> {
        let (word, next) = (self.word(i), self.word(i + 1));
        if matches!(word, "mod" | "div")
            && next == "("
            && (i == self.first || !self.ends_operand(i - 1))
        {
            let close = self.partner(i + 1)?;
            let comma = self.find(i + 2, close, |w| w == ",")?;
            let side = |from: usize, to: usize| {
                let plain = to <= from
                    || self
                        .find(from, to + 1, |w| matches!(w, "+" | "-" | "*" | "/"))
                        .is_none();
                let text = self.text(from, to);
                if plain {
                    text.to_owned()
                } else {
                    format!("({text})")
                }
            };
            let text = format!(
                "({} {word} {})",
                side(i + 2, comma - 1),
                side(comma + 1, close - 1)
            );
            let place = self.span(i).to(self.span(close));
            return Some(
                self.error(
                    Code::E0101,
                    format!("`{word}` stands between its two numbers"),
                    i,
                )
                .suggest(Suggestion::replace(place, &text, format!("write `{text}`")).safe()),
            );
        }
        let number = self.kind(i) == Some(TokenKind::Integer);
        if number && self.kind(i + 1) == Some(TokenKind::Name) && self.glued(i + 1) {
            return self.product(i);
        }
        // A bar in a list, or in braces where a binder follows.
        if word == "|" && self.ends_operand(i.wrapping_sub(1)) && i > 0 {
            let open = (self.first..i)
                .rev()
                .take(2 * WINDOW)
                .find(|j| self.kind(*j) == Some(TokenKind::OpenBracket))?;
            let bracket = self.word(open);
            let chosen = self.kind(i + 1) == Some(TokenKind::Name)
                && matches!(self.word(i + 2), "in" | "∈" | "<");
            if matches!(bracket, "[" | "{") && chosen {
                let close = if bracket == "[" { "]" } else { "}" };
                let element = self.text(open + 1, i - 1);
                let shown = format!("{bracket}{element} for {} in ..{close}", self.word(i + 1));
                return Some(
                    self.error(
                        Code::E0101,
                        format!("`|` does not stand before `{} in`", self.word(i + 1)),
                        i,
                    )
                    .suggest(
                        Suggestion::replace(
                            self.span(i),
                            "for",
                            format!("the range follows `for`: `{shown}`"),
                        )
                        .safe(),
                    ),
                );
            }
        }
        // `k in 1:n`
        if word == ":"
            && number_or_name(self.kind(i.wrapping_sub(1)))
            && number_or_name(self.kind(i + 1))
            && i >= 2
            && matches!(self.word(i - 2), "in" | "=" | "∈")
            && self.stage_word(i) == Some("choose")
        {
            let text = format!("{}..{}", self.word(i - 1), self.word(i + 1));
            return Some(
                self.error(Code::E0101, "a range is written with two points", i)
                    .suggest(
                        Suggestion::replace(self.span(i), "..", format!("write `{text}`")).safe(),
                    ),
            );
        }
        // A line that ends with `;`, as in C; parts of a clause that are separated by it.
        if word == ";" {
            let ends = i + 1 >= self.last || self.opens_line(i + 1) || next == "}";
            if ends || self.in_ruleset && STAGE_WORDS.contains(&next) {
                let what = if self.in_ruleset { "clauses" } else { "items" };
                let message = match ends {
                    true => format!("{what} end with their line, without `;`"),
                    false => format!("no sign stands before `{next}`"),
                };
                let fix = Suggestion::replace(self.span(i), "", "leave out `;`");
                return Some(self.error(Code::E0101, message, i).suggest(fix.safe()));
            }
            if self.in_ruleset && self.word(self.first) != "let" && self.opened_by(i).is_none() {
                let d = self.error(Code::E0101, "the parts of a clause are separated by `,`", i);
                let fix = Suggestion::replace(self.span(i), ",", "write `,`");
                return Some(d.suggest(fix.safe()));
            }
        }
        if self.in_ruleset
            && word == "end"
            && self.kind(i) == Some(TokenKind::Name)
            && self.source.first_on_line(self.tokens[i])
            && i + 1 >= self.last
        {
            return Some(
                self.error(Code::E0109, "a ruleset ends where the next item begins", i)
                    .suggest(Suggestion::replace(self.span(i), "", "leave out `end`").safe()),
            );
        }
        None
    }

    /// `2k`, `3x3`.
    fn product(&self, i: usize) -> Option<Diagnostic> {
        let (number, name) = (self.word(i), self.word(i + 1));
        let place = self.span(i).to(self.span(i + 1));
        let d = Diagnostic::error(
            Code::E0101,
            format!("a number glued to a name: `{number}{name}`"),
        )
        .at(place, "");
        if let Some(columns) = name.strip_prefix('x').and_then(|n| n.parse::<u32>().ok()) {
            let inside = self.before(i) == "("
                && self.word(i + 2) == ")"
                && i >= 2
                && self.kind(i - 2) == Some(TokenKind::Name);
            let board = format!("grid({number}, {columns})");
            let text = if inside {
                format!("{number}, {columns}")
            } else {
                board.clone()
            };
            return Some(
                d.suggest(
                    Suggestion::replace(
                        place,
                        text,
                        format!("a board of {number} rows and {columns} columns is `{board}`"),
                    )
                    .safe(),
                ),
            );
        }
        // Counts and pieces of a board are written like this: `a:2b`.
        if matches!(self.before(i), ":" | "+" | "[" | ",") && !self.in_ruleset {
            return None;
        }
        Some(
            d.suggest(
                Suggestion::replace(
                    place,
                    format!("{number}*{name}"),
                    format!("a product is written `{number}*{name}`"),
                )
                .safe(),
            ),
        )
    }

    /// `if C then A else B`.
    pub(super) fn cases(&self, i: usize) -> Option<Diagnostic> {
        if self.word(i) != "if" {
            return None;
        }
        let end = self.last;
        let then = self.find(i + 1, end, |w| w == "then")?;
        let other = self.find(then + 1, end, |w| w == "else")?;
        let stop = self
            .find(other + 1, end, |w| {
                matches!(w, ")" | "," | "then" | "choose" | "]" | "}")
            })
            .unwrap_or_else(|| {
                (other + 1..end)
                    .find(|j| self.kind(*j) == Some(TokenKind::CloseBracket))
                    .map_or(end, |_| self.closing(other + 1, end))
            });
        if then <= i + 1 || other <= then + 1 || stop <= other + 1 {
            return None;
        }
        if self.kind(i) != Some(TokenKind::Name) {
            return None;
        }
        let d = self.error(
            Code::E0101,
            "`if .. then .. else` is read where the file says `language 2`",
            i,
        );
        let d = d.note("in version 1 of the language `if` and `else` are names");
        Some(d.suggest(self.version_2()))
    }

    /// Adds a first line `language 2`.
    fn version_2(&self) -> Suggestion {
        let message = "open the file with `language 2`";
        match self.version_2_edit() {
            Some((place, text)) => Suggestion::replace(place, text, message),
            None => Suggestion::replace(Span::new(self.source.file, 0, 0), "", message),
        }
    }

    /// The edit that makes a file declare `language 2`, if it does not.
    pub(super) fn version_2_edit(&self) -> Option<(Span, &'static str)> {
        let text = self.source.text;
        let tokens = self.source.all;
        let file = self.source.file;
        match lexer::version(text, tokens) {
            Some("2") => None,
            Some(_) => tokens
                .iter()
                .find(|t| t.kind == TokenKind::Integer)
                .map(|n| (Span::new(file, n.start as usize, n.end as usize), "2")),
            None => {
                let start = text.len() - text.trim_start_matches('\u{feff}').len();
                Some((Span::new(file, start, start), "language 2\n"))
            }
        }
    }

    /// The first token from `from` on that closes a bracket opened before `from`.
    pub(super) fn closing(&self, from: usize, end: usize) -> usize {
        let mut depth = 0usize;
        for i in from..end {
            match self.kind(i) {
                Some(TokenKind::OpenBracket) => depth += 1,
                Some(TokenKind::CloseBracket) if depth == 0 => return i,
                Some(TokenKind::CloseBracket) => depth -= 1,
                _ => {}
            }
        }
        end
    }
}
