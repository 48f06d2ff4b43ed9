//! Guesses what was meant by characters that have no meaning in the language, from the text around them, and proposes an
//! edit if possible: signs of LaTeX, MATLAB, C and Python, typographic signs, comments of other languages.

use super::ItemSource;
use crate::base::Span;
use crate::diagnostic::{Code, Diagnostic, Suggestion, near};
use crate::syntax::lexer::{Token, TokenKind};

/// The message for a character, and the byte of the file up to which it covers the text.
pub(super) struct Strange {
    /// The message.
    pub said: Diagnostic,
    /// Tokens that start before this byte are covered by the message.
    pub until: usize,
}

/// How many tokens before and after are examined.
const WINDOW: usize = 200;

/// The message for the token `i`, a [`TokenKind::Unknown`].
pub(super) fn explain(source: &ItemSource<'_>, tokens: &[Token], i: usize) -> Strange {
    // Only a window is examined, since an item may be as long as a file.
    let start = i.saturating_sub(WINDOW);
    let around = Around {
        source,
        tokens: &tokens[start..tokens.len().min(i + WINDOW)],
        i: i - start,
    };
    let slice = around.word(0);
    match slice {
        "#" => {
            let found = around.comment(true);
            Strange {
                said: found
                    .said
                    .note("a cell that is closed is `wall` in a rule, and `#` in drawn art"),
                ..found
            }
        }
        "&&" => around.ampersands(),
        "!" => around.not("!"),
        "~" => around.not("~"),
        "%" => around.percent(),
        "÷" => around.sign(
            "div",
            "a quotient that is rounded down is written `div`: `n div 2`",
        ),
        "\\" => around.latex(),
        "$" => around.one(Some(""), "formulas stand without `$`"),
        "." => around.point(),
        "?" => around.one(
            None,
            "two cases are two moves, or joined: `(a and b) or (not a and c)`",
        ),
        "@" => around.one(None, "what lies on a site is `at(v)`"),
        "'" | "‘" | "’" | "`" | "´" | "“" | "”" | "„" | "«" | "»" | "″" => {
            around.quotes()
        }
        "⌊" => around.floor(),
        _ => around.look_alike(slice),
    }
}

struct Around<'a, 'b> {
    source: &'b ItemSource<'a>,
    tokens: &'b [Token],
    i: usize,
}

/// The error for a character, at its place.
fn nothing(shown: &str, span: Span) -> Diagnostic {
    Diagnostic::error(Code::E0106, format!("{shown} means nothing here")).at(span, "")
}

impl<'a> Around<'a, '_> {
    fn at(&self, offset: isize) -> Option<Token> {
        self.i
            .checked_add_signed(offset)
            .and_then(|i| self.tokens.get(i))
            .copied()
    }

    fn word(&self, offset: isize) -> &'a str {
        self.at(offset).map_or("", |t| self.source.slice(t))
    }

    fn span(&self) -> Span {
        self.source.span_of(self.tokens[self.i])
    }

    fn end(&self) -> usize {
        self.tokens[self.i].end as usize
    }

    fn place(&self, from: usize, to: usize) -> Span {
        Span::new(self.source.file, from, to)
    }

    /// Whether the token at `offset` directly follows the one before it.
    fn glued(&self, offset: isize) -> bool {
        match (self.at(offset - 1), self.at(offset)) {
            (Some(a), Some(b)) => a.end == b.start,
            _ => false,
        }
    }

    fn shown(&self) -> String {
        let c = self.word(0).chars().next().unwrap_or(' ');
        if c.is_control() || c.is_whitespace() {
            format!("the character U+{:04X}", c as u32)
        } else {
            format!("`{c}`")
        }
    }

    /// The message for one character, with an optional replacement.
    fn one(&self, text: Option<&str>, help: &str) -> Strange {
        let d = nothing(&self.shown(), self.span());
        Strange {
            said: match text {
                Some(text) => d.suggest(Suggestion::replace(self.span(), text, help).safe()),
                None => d.help(help),
            },
            until: self.end(),
        }
    }

    /// A word in place of a sign, with blanks around it where needed.
    fn spaced(&self, place: Span, word: &str) -> String {
        let bytes = self.source.text.as_bytes();
        let blank = |at: Option<usize>| {
            at.and_then(|at| bytes.get(at))
                .is_none_or(u8::is_ascii_whitespace)
        };
        let before = if blank((place.start as usize).checked_sub(1)) {
            ""
        } else {
            " "
        };
        let after = if blank(Some(place.end as usize)) {
            ""
        } else {
            " "
        };
        format!("{before}{word}{after}")
    }

    /// A sign that the language writes as a word.
    fn sign(&self, word: &str, help: &str) -> Strange {
        let text = self.spaced(self.span(), word);
        self.one(Some(&text), help)
    }

    /// `a && b`
    fn ampersands(&self) -> Strange {
        let help = "`&&` is written `and`; between conditions a comma says the same";
        let text = self.spaced(self.span(), "and");
        let fix = Suggestion::replace(self.span(), text, help).safe();
        Strange {
            said: nothing("`&&`", self.span()).suggest(fix),
            until: self.end(),
        }
    }

    /// `!x`, `~x`, `~=`.
    fn not(&self, sign: &str) -> Strange {
        let start = self.span().start as usize;
        if self.word(1) == "=" && self.glued(1) {
            let place = self.place(start, self.end() + 1);
            let said = nothing(&format!("`{sign}=`"), place)
                .suggest(Suggestion::replace(place, "!=", "inequality is written `!=`").safe());
            return Strange {
                said,
                until: self.end() + 1,
            };
        }
        let operand = self.at(-1).is_some_and(|t| {
            matches!(
                t.kind,
                TokenKind::Name | TokenKind::Integer | TokenKind::CloseBracket
            )
        });
        if operand && self.glued(0) {
            return self.one(
                None,
                "there are no factorials: a product is written out, or defined by `let`",
            );
        }
        // `a ~ b`
        if operand && sign == "~" && !self.glued(1) {
            return self.one(
                None,
                "two sites are joined where one is in `nbrs` of the other: `b in nbrs(a)`",
            );
        }
        let text = if self.glued(1) { "not " } else { "not" };
        self.one(Some(text), "negation is written `not`: `not at(v) = empty`")
    }

    /// `#` or `%` to the end of the line.
    fn comment(&self, safe: bool) -> Strange {
        let text = self.source.text;
        let sign = self.word(0);
        let start = self.span().start as usize;
        let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
        let rest = text[start..].trim_start_matches(sign);
        let place = self.place(start, text.len() - rest.len());
        let fix = Suggestion::replace(place, "//", "a comment is written `// ..`");
        Strange {
            said: nothing(&format!("`{sign}`"), place).suggest(fix.safe_if(safe)),
            until: line_end,
        }
    }

    /// Whether the token at `offset` is on the line of this one.
    fn on_this_line(&self, offset: isize) -> bool {
        self.at(offset).is_some_and(|t| {
            let (from, to) = (self.end(), t.start as usize);
            !self.source.text[from.min(t.end as usize)..to.max(from)].contains('\n')
        })
    }

    /// `k % 2`, a remainder; `% note`, a comment.
    fn percent(&self) -> Strange {
        let kind = |offset| {
            let token = self.at(offset).filter(|_| self.on_this_line(offset));
            token.map(|t| t.kind)
        };
        let operand = matches!(
            kind(-1),
            Some(TokenKind::Name | TokenKind::Integer | TokenKind::CloseBracket)
        );
        let next =
            matches!(kind(1), Some(TokenKind::Name | TokenKind::Integer)) || self.word(1) == "(";
        // Two words side by side are a sentence.
        let sentence = matches!(kind(2), Some(TokenKind::Name | TokenKind::Integer))
            && self.word(1) != "("
            && !self.glued(2)
            && !matches!(self.word(2), "when" | "again");
        if !operand || !next || sentence {
            return self.comment(true);
        }
        let known = kind(1) != Some(TokenKind::Name)
            || self.tokens[..self.i]
                .iter()
                .any(|t| self.source.slice(*t) == self.word(1));
        let text = self.spaced(self.span(), "mod");
        let help = "a remainder is written `mod`: `n mod 2 = 0`";
        let remainder = Suggestion::replace(self.span(), text, help);
        // One unknown word at the end of a line may be either.
        if !known && kind(2).is_none() {
            let comment = self.comment(false);
            return Strange {
                said: comment.said.suggest(remainder),
                ..comment
            };
        }
        Strange {
            said: nothing("`%`", self.span()).suggest(remainder.safe_if(known)),
            until: self.end(),
        }
    }

    /// `\leq`, `\{`, `\ `.
    fn latex(&self) -> Strange {
        let start = self.span().start as usize;
        let glued = self.glued(1);
        let next = self.word(1);
        if glued && matches!(next, "{" | "}" | "," | ";" | "!" | "_" | "|") {
            // `\{` is a brace, `\,` a blank.
            let gone = if matches!(next, "{" | "}" | "|") {
                self.end()
            } else {
                self.end() + 1
            };
            let place = self.place(start, gone);
            return Strange {
                said: nothing("`\\`", place)
                    .suggest(Suggestion::replace(place, "", "write symbols without `\\`").safe()),
                until: gone,
            };
        }
        // `\leq` is a name for the lexer, and `\in` a keyword; `\le2` includes a digit.
        let name: &str = next
            .split(|c: char| !c.is_ascii_alphabetic())
            .next()
            .unwrap_or("");
        if glued && !name.is_empty() {
            let place = self.place(start, self.end() + name.len());
            let shown = format!("`\\{name}`");
            let until = self.at(1).map_or(self.end(), |t| t.end as usize);
            let said = nothing(&shown, place);
            let said = match latex_sign(name) {
                Some(sign) => {
                    let text = if sign.starts_with(|c: char| c.is_ascii_alphabetic()) {
                        self.spaced(place, sign)
                    } else {
                        sign.to_owned()
                    };
                    let message = match sign {
                        "" => format!("leave out {shown}"),
                        sign => format!("{shown} is written `{sign}`"),
                    };
                    said.suggest(Suggestion::replace(place, text, message).safe())
                }
                None => said.help(
                    "signs are written as themselves, `<=`, `->`, `in`, and names without `\\`",
                ),
            };
            return Strange { said, until };
        }
        self.one(None, "a difference of sets is written `A - B`")
    }

    /// A decimal number, a call as in `G.CanonicalForm`, `...`, or a point by itself.
    fn point(&self) -> Strange {
        let digit = |t: Option<Token>| t.is_some_and(|t| t.kind == TokenKind::Integer);
        if digit(self.at(-1)) && digit(self.at(1)) && self.glued(0) && self.glued(1) {
            return self.decimal();
        }
        if self.word(-1) == ".." && self.glued(0) {
            return self.dots();
        }
        let operand = self.at(-1).is_some_and(|t| {
            matches!(
                t.kind,
                TokenKind::Name | TokenKind::CloseBracket | TokenKind::Integer
            )
        });
        let name = self
            .at(1)
            .is_some_and(|t| matches!(t.kind, TokenKind::Name | TokenKind::Keyword));
        if operand && name && self.glued(1) {
            return self.method();
        }
        let d = nothing("`.`", self.span())
            .help("use `empty` for a site with nothing on it, `..` for a range");
        let last = self.at(1).is_none();
        Strange {
            said: if last {
                d.suggest(
                    Suggestion::replace(
                        self.span(),
                        "",
                        "an item ends without a point: leave out `.`",
                    )
                    .safe(),
                )
            } else {
                d
            },
            until: self.end(),
        }
    }

    fn decimal(&self) -> Strange {
        let (whole, digits) = (self.word(-1), self.word(1));
        let start = self.at(-1).map_or(0, |t| t.start as usize);
        let end = self.at(1).map_or(self.end(), |t| t.end as usize);
        let place = self.place(start, end);
        let code = format!("{whole}.{digits}");
        let quoted = format!("\"{code}\"");
        let as_code = Suggestion::replace(
            place,
            &quoted,
            format!("the code of an octal game is a string: {quoted}"),
        );
        let as_fraction = fraction(whole, digits).map(|f| {
            let message = format!("the number {code} is written `{f}`");
            Suggestion::replace(place, f, message)
        });
        // After `(` or `,` it is probably a code, the argument of a ruleset; elsewhere a number.
        let argument = matches!(self.word(-2), "(" | ",") && as_octal(digits);
        let d = Diagnostic::error(Code::E0117, format!("`{code}` is a decimal number"))
            .at(place, "numbers have no decimal point");
        let said = match as_fraction {
            Some(f) if argument => d.suggest(as_code).suggest(f),
            Some(f) => d.suggest(f).suggest(as_code),
            None => d
                .suggest(as_code)
                .note("values are dyadic fractions, such as 3/4"),
        };
        Strange { said, until: end }
    }

    /// `1...n` and `{1, 2, ..., n}`.
    fn dots(&self) -> Strange {
        let start = self.at(-1).map_or(self.span().start, |t| t.start);
        let d = nothing("`...`", self.place(start as usize, self.end()));
        if self.word(-2) != "," || self.word(1) != "," {
            let said = d.suggest(
                Suggestion::replace(
                    self.span(),
                    "",
                    "a range is written with two points: `1..n`",
                )
                .safe(),
            );
            return Strange {
                said,
                until: self.end(),
            };
        }
        let Some((open, close)) = self.brackets() else {
            return Strange {
                said: d.help("a range is written `1..n`"),
                until: self.end(),
            };
        };
        let word = |i: usize| self.source.slice(self.tokens[i]);
        // The bracket itself is still to be closed.
        let until = self.tokens[close].start as usize;
        let listed: Vec<&str> = (open + 1..self.i - 1).map(word).collect();
        let alone =
            listed.len().is_multiple_of(2) && listed.iter().skip(1).step_by(2).all(|w| *w == ",");
        let numbers: Vec<Option<u64>> = listed.iter().step_by(2).map(|w| w.parse().ok()).collect();
        let by_one = |pair: &[Option<u64>]| match pair {
            [Some(a), Some(b)] => a.checked_add(1) == Some(*b),
            _ => false,
        };
        let last_start = self.at(2).map_or(until, |t| t.start as usize).min(until);
        let last = self.source.text[last_start..until].trim();
        if !alone || last.is_empty() || !numbers.windows(2).all(by_one) {
            return Strange {
                said: d
                    .help("consecutive numbers are `1..n`, other ones are computed: `{2*k for k in 1..n}`"),
                until,
            };
        }
        // Of a list after a name, such as a board, the brackets stay.
        let after_name = open > 0
            && self.tokens[open - 1].end == self.tokens[open].start
            && (self.tokens[open - 1].kind == TokenKind::Name || word(open - 1) == ")");
        let (from, to) = match after_name {
            true => (self.tokens[open].end as usize, until),
            false => (
                self.tokens[open].start as usize,
                self.tokens[close].end as usize,
            ),
        };
        let text = format!("{}..{last}", word(open + 1));
        let message = format!("this range is written `{text}`");
        Strange {
            said: d.suggest(Suggestion::replace(self.place(from, to), text, message)),
            until,
        }
    }

    /// The innermost brackets around this token.
    fn brackets(&self) -> Option<(usize, usize)> {
        let around = |j: &usize, depth: &mut usize, inner: TokenKind, outer: TokenKind| {
            let kind = self.tokens[*j].kind;
            if kind == inner {
                *depth += 1;
            } else if kind == outer && *depth > 0 {
                *depth -= 1;
            } else {
                return kind == outer;
            }
            false
        };
        let (open, close) = (TokenKind::OpenBracket, TokenKind::CloseBracket);
        let (mut left, mut right) = (0, 0);
        let before = (0..self.i)
            .rev()
            .find(|j| around(j, &mut left, close, open))?;
        let after = (self.i..self.tokens.len()).find(|j| around(j, &mut right, open, close))?;
        Some((before, after))
    }

    /// `G.CanonicalForm`, `G.Options(Left)`.
    fn method(&self) -> Strange {
        let name = self.word(1);
        let end = self.at(1).map_or(self.end(), |t| t.end as usize);
        let function = method(name);
        let start = self.operand_start();
        let object = self.place(start, self.span().start as usize);
        let written = &self.source.text[object.range()];
        let call = self.word(2) == "(" && self.glued(2);
        let place = self.place(self.span().start as usize, end);
        let d = nothing(&format!("`.{name}`"), place);
        let help = "a function stands before its argument";
        let Some(function) = function else {
            return Strange {
                said: self.of_another_file(d, object, written, name, help),
                until: end,
            };
        };
        let (tail, until) = match (call, self.word(3)) {
            (false, _) => (")", end),
            // `G.Value()`: the closing bracket is already there.
            (true, ")") => ("", self.at(2).map_or(end, |t| t.end as usize)),
            (true, _) => (", ", self.at(2).map_or(end, |t| t.end as usize)),
        };
        let place = self.place(self.span().start as usize, until);
        let shown = if call { ".." } else { "" };
        let message = format!(
            "{help}: `{function}({written}{}{shown})`",
            if shown.is_empty() { "" } else { ", " }
        );
        Strange {
            said: d.suggest(
                Suggestion::replace(place, tail, message)
                    .and_before(object, format!("{function}("))
                    .safe(),
            ),
            until,
        }
    }

    /// The message for `X.Nim` where no file is used as X.
    fn of_another_file(
        &self,
        d: Diagnostic,
        object: Span,
        written: &str,
        name: &str,
        help: &str,
    ) -> Diagnostic {
        let known = self.source.used;
        let called = self.word(2) == "(" && self.glued(2);
        let one_name = self.at(-1).is_some_and(|t| t.kind == TokenKind::Name)
            && object.range().len() == self.word(-1).len();
        if let Some(meant) = near(written, known.iter().copied()).filter(|_| one_name) {
            let message = format!("a file is used as `{meant}`: `{meant}.{name}`");
            return d.suggest(Suggestion::replace(object, meant, message));
        }
        let d = d.help(format!("{help}: `f({written})`"));
        match one_name && !called {
            true => d.help(format!(
                "where it is of another file, that is used as {written}: `use \"other.rules\" as {written}`"
            )),
            false => d,
        }
    }

    /// Where the operand that ends before this token begins: a name with its brackets.
    fn operand_start(&self) -> usize {
        let mut i = self.i;
        let mut depth = 0usize;
        while i > 0 {
            let token = self.tokens[i - 1];
            match token.kind {
                TokenKind::CloseBracket => depth += 1,
                TokenKind::OpenBracket if depth == 0 => break,
                TokenKind::OpenBracket => depth -= 1,
                _ if depth > 0 => {}
                TokenKind::Name | TokenKind::Integer => {
                    i -= 1;
                    break;
                }
                _ => break,
            }
            i -= 1;
        }
        self.tokens.get(i).map_or(0, |t| t.start as usize)
    }

    /// A string between other quotes, up to the closing quote on the same line.
    fn quotes(&self) -> Strange {
        let text = self.source.text;
        let open = self.word(0);
        let start = self.span().start as usize;
        let line_end = text[self.end()..]
            .find('\n')
            .map_or(text.len(), |i| self.end() + i);
        let closing: &[char] = match open {
            "“" | "„" | "”" => &['”', '“', '"'],
            "«" => &['»'],
            "»" => &['«'],
            "‘" => &['’', '\''],
            "`" => &['`', '\''],
            _ => &['\'', '’', '´', '″'],
        };
        let d = nothing(&self.shown(), self.span());
        let found = text[self.end()..line_end]
            .char_indices()
            .find(|(_, c)| closing.contains(c));
        let Some((at, c)) = found else {
            let said =
                d.help("a string stands between straight quotes `\"`; `'` may follow a name");
            return Strange {
                said,
                until: self.end(),
            };
        };
        let close = self.end() + at;
        let inner = &text[self.end()..close];
        let place = self.place(start, close + c.len_utf8());
        let said = if inner.contains('"') {
            d.help("a string stands between straight quotes `\"`")
        } else {
            let message = format!("a string stands between straight quotes: `\"{inner}\"`");
            d.suggest(Suggestion::replace(place, format!("\"{inner}\""), message).safe())
        };
        Strange {
            said,
            until: place.end as usize,
        }
    }

    /// `⌊n / 2⌋`.
    fn floor(&self) -> Strange {
        let d = nothing("`⌊`", self.span());
        let close = (self.i..self.tokens.len()).find(|j| self.source.slice(self.tokens[*j]) == "⌋");
        let slash =
            close.and_then(|c| (self.i..c).find(|j| self.source.slice(self.tokens[*j]) == "/"));
        let (Some(close), Some(slash)) = (close, slash) else {
            return Strange {
                said: d.help("a quotient that is rounded down is `n div 2`"),
                until: self.end(),
            };
        };
        let slash = self.source.span_of(self.tokens[slash]);
        let close = self.source.span_of(self.tokens[close]);
        let div = self.spaced(slash, "div");
        Strange {
            said: d.suggest(
                Suggestion::replace(
                    self.span(),
                    "(",
                    "a quotient that is rounded down is `(n div 2)`",
                )
                .and(slash, div)
                .and(close, ")")
                .safe(),
            ),
            until: close.end as usize,
        }
    }

    /// `⇒`: an arrow after `choose` and `then` and on a board, elsewhere an implication.
    fn double_arrow(&self) -> Strange {
        let before = || {
            self.tokens[..self.i]
                .iter()
                .rev()
                .map(|t| self.source.slice(*t))
        };
        let on_board =
            before().filter(|w| *w == "[").count() > before().filter(|w| *w == "]").count();
        let stage = before().find(|w| matches!(*w, "choose" | "where" | "then" | "when" | ":"));
        match on_board || matches!(stage, Some("choose" | "then")) {
            true => self.one(Some("->"), "write `->`"),
            false => self.one(None, "`A ⇒ B` is written `not A or B`"),
        }
    }

    /// A sign that resembles one of the language, or that other languages use.
    fn look_alike(&self, slice: &str) -> Strange {
        let c = slice.chars().next().unwrap_or(' ');
        let same = |text: &str| self.one(Some(text), &format!("write `{text}`"));
        match c {
            '–' | '‐' | '‑' | '‒' | '﹣' | '－' => {
                let d = nothing(&self.shown(), self.span());
                let difference =
                    Suggestion::replace(self.span(), "-", "a difference is written `-`");
                let edge = Suggestion::replace(self.span(), "--", "an edge is written `--`");
                // Among the entries of a board names are joined, elsewhere they are subtracted.
                let names = [self.at(-1), self.at(1)]
                    .iter()
                    .all(|t| t.is_some_and(|t| t.kind == TokenKind::Name));
                let open = self.tokens[..self.i]
                    .iter()
                    .filter(|t| self.source.slice(**t) == "[")
                    .count();
                let closed = self.tokens[..self.i]
                    .iter()
                    .filter(|t| self.source.slice(**t) == "]")
                    .count();
                let said = match names && open > closed {
                    true => d.suggest(edge).suggest(difference),
                    false => d.suggest(difference).suggest(edge),
                };
                Strange {
                    said,
                    until: self.end(),
                }
            }
            '（' => same("("),
            '）' => same(")"),
            '［' => same("["),
            '］' => same("]"),
            '｛' => same("{"),
            '｝' => same("}"),
            '，' | '、' => same(","),
            '：' | '∶' => same(":"),
            '；' => same(";"),
            '＝' => same("="),
            '≡' => self.one(
                Some("=="),
                "equal games are compared with `==`, equal data with `=`",
            ),
            '⇒' | '⟹' => self.double_arrow(),
            '➔' | '➜' => same("->"),
            '←' | '⟵' => self.one(
                None,
                "an arc is written `->`, with the two ends exchanged; what is set, `:=`",
            ),
            '∣' | '｜' | '¦' => same("|"),
            '✱' | '＊' | '✶' | '﹡' => same("*"),
            '∪' => self.one(Some("+"), "the union of sets is written `A + B`"),
            '∖' => self.one(Some("-"), "a difference of sets is written `A - B`"),
            '∩' => self.one(None, "what two sets share is written `{x in A: x in B}`"),
            '⊆' | '⊂' => self.one(
                None,
                "A lies in B where `all x in A: x in B`; a subset is chosen by `A in subsets(B)`",
            ),
            '√' => {
                let help = "a root that is rounded down is written `isqrt(n)`";
                let after = self.source.text.get(self.end()..).unwrap_or("");
                let word = |c: char| !c.is_alphanumeric() && c != '_';
                let word = &after[..after.find(word).unwrap_or(after.len())];
                if word.is_empty() {
                    return self.one(Some("isqrt"), help);
                }
                let place = self.place(self.span().range().start, self.end() + word.len());
                let d = nothing(&self.shown(), self.span());
                let fix = Suggestion::replace(place, format!("isqrt({word})"), help);
                Strange {
                    said: d.suggest(fix.safe()),
                    until: self.end(),
                }
            }
            '⊕' => self.one(None, "use `xor(..)` of nimbers, `+` of games"),
            '∥' => self.one(None, "use `confused(G, H)`"),
            '⧏' | '⧐' | '⊳' | '⊲' => self.one(None, "use `not H <= G`"),
            '∅' => self.one(Some("{}"), "the empty set is written `{}`"),
            _ => Strange {
                said: nothing(&self.shown(), self.span()),
                until: self.end(),
            },
        }
    }
}

/// The decimal as a fraction, if its denominator is a power of two.
fn fraction(whole: &str, digits: &str) -> Option<String> {
    if digits.len() > 18 || whole.len() > 18 {
        return None;
    }
    let mut over = 10u128.checked_pow(u32::try_from(digits.len()).ok()?)?;
    let whole: u128 = whole.parse().ok()?;
    let mut top = whole * over + digits.parse::<u128>().ok()?;
    for prime in [2, 5] {
        while top.is_multiple_of(prime) && over.is_multiple_of(prime) {
            top /= prime;
            over /= prime;
        }
    }
    match over {
        1 => Some(top.to_string()),
        n if n.is_power_of_two() => Some(format!("{top}/{over}")),
        _ => None,
    }
}

fn as_octal(digits: &str) -> bool {
    digits.bytes().all(|b| (b'0'..=b'7').contains(&b))
}

/// The sign for a LaTeX command.
fn latex_sign(name: &str) -> Option<&'static str> {
    Some(match name {
        "in" => "in",
        "notin" => "not in",
        "le" | "leq" | "leqslant" => "<=",
        "ge" | "geq" | "geqslant" => ">=",
        "lt" => "<",
        "gt" => ">",
        "ne" | "neq" => "!=",
        "to" | "rightarrow" | "longrightarrow" | "mapsto" => "->",
        "land" | "wedge" => "and",
        "lor" | "vee" => "or",
        "lnot" | "neg" => "not",
        "cdot" | "times" | "ast" => "*",
        "star" => "*",
        "bmod" | "mod" | "pmod" => "mod",
        "pm" => "+-",
        "dots" | "ldots" | "cdots" => "..",
        "forall" => "all",
        "exists" => "some",
        "nexists" => "no",
        "uparrow" | "up" => "^",
        "downarrow" | "down" => "v",
        "equiv" => "==",
        "mid" | "vert" => "|",
        "cup" => "+",
        "setminus" => "-",
        "emptyset" | "varnothing" => "{}",
        "langle" | "lbrace" => "{",
        "rangle" | "rbrace" => "}",
        "left" | "right" | "quad" | "qquad" | "displaystyle" | "mathrm" | "text" => "",
        _ => return None,
    })
}

/// The function for a method of CGSuite, Java or Python.
pub(super) fn method(name: &str) -> Option<&'static str> {
    Some(match name.to_lowercase().replace('_', "").as_str() {
        "canonicalform" | "value" | "canonize" | "canonical" => "value",
        "outcomeclass" | "outcome" => "outcome",
        "mean" => "mean",
        "temperature" | "temp" => "temperature",
        "thermograph" => "thermograph",
        "leftstop" => "left_stop",
        "rightstop" => "right_stop",
        "birthday" => "birthday",
        "nimvalue" | "nimber" | "grundyvalue" | "grundy" | "spraguegrundy" => "nimber",
        "options" => "options",
        "cool" => "cool",
        "heat" => "heat",
        "freeze" => "freeze",
        "atomicweight" => "atomic_weight",
        "misereoutcome" => "misere_outcome",
        "length" | "size" | "count" | "len" => "size",
        "vertices" | "nodes" => "vertices",
        "edges" => "edges",
        "neighbors" | "neighbours" | "nbrs" => "nbrs",
        _ => return None,
    })
}
