//! Reading of values, liberally: every spelling that [`print`](super::print) writes, those of other software, Unicode and
//! LaTeX, sums and differences of them, and slashes with or without outer braces.

use std::ops::Range;

use num_traits::ToPrimitive;

use super::super::{CanonicalForm, Form, Forms, Number, OutOfMemory};
use super::ReadError;
use super::atoms::Arrows;
use super::lex::{Lexeme, Token, lex};

/// The greatest depth to which braces, parentheses and slashes may nest.
pub const MAX_DEPTH: usize = 128;
/// The greatest length of a text in bytes.
pub const MAX_TEXT: usize = 1 << 20;

/// Reads a value.
///
/// ```
/// # use cgdsl_mathematics as cgdsl;
/// use cgdsl::value::{Forms, notation::{print, read, Style}};
/// let forms = Forms::new();
/// let g = read(&forms, "{1|-1} + ↑∗").unwrap();
/// assert_eq!(print(&forms, g, Style::Ascii), "{1^*|-1^*}");
/// assert_eq!(read(&forms, "1/2^3*2"), read(&forms, r"\frac12 + 3\cdot\uparrow + \ast 2"));
/// ```
///
/// # Errors
///
/// Texts that are not a value, that nest deeper than [`MAX_DEPTH`], are longer than [`MAX_TEXT`], or have a number of more
/// than 4096 digits; and values for which the arena has no room.
pub fn read(forms: &Forms, text: &str) -> Result<CanonicalForm, ReadError> {
    let mut reader = Reader::new(forms, text)?;
    let value = reader.barred(None, &Reader::sum, &Reader::value)?;
    reader.only(value)
}

/// Reads a form as it is written: braces and slashes keep their options, even dominated and reversible ones. Everything
/// else (numbers, names, sums) becomes the canonical form of its value.
///
/// ```
/// # use cgdsl_mathematics as cgdsl;
/// use cgdsl::value::{Form, Forms, notation::read_form};
/// let forms = Forms::new();
/// let g = read_form(&forms, "{-1, -2 | 1}").unwrap();
/// assert_eq!(g.left().len(), 2);
/// assert_eq!(g.canonical(&forms).unwrap(), Form::zero().canonical(&forms).unwrap());
/// ```
///
/// # Errors
///
/// As for [`read`].
pub fn read_form(forms: &Forms, text: &str) -> Result<Form, ReadError> {
    let mut reader = Reader::new(forms, text)?;
    let form = reader.barred(None, &Reader::written, &|_, _, left, right| {
        Ok(Form::new(left.to_vec(), right.to_vec()))
    })?;
    reader.only(form)
}

// The contents of braces: a game, or options without a bar.
pub(super) enum Contents<T> {
    Game(T),
    Set(Vec<T>),
}

pub(super) struct Reader<'a> {
    pub(super) forms: &'a Forms,
    pub(super) text: &'a str,
    pub(super) lexemes: Vec<Lexeme>,
    pub(super) at: usize,
    depth: usize,
}

// The options between bars, and the length and place of each bar.
struct Slashes<T> {
    lists: Vec<Vec<T>>,
    bars: Vec<(usize, Range<usize>)>,
}

pub(super) type Read<T> = Result<T, ReadError>;

// How options are read, and how they are combined: to values, or to forms as written.
type Element<'a, T> = dyn Fn(&mut Reader<'a>) -> Read<T>;
type Build<'a, T> = dyn Fn(&Reader<'a>, Range<usize>, &[T], &[T]) -> Read<T>;

impl<'a> Reader<'a> {
    fn new(forms: &'a Forms, text: &'a str) -> Read<Reader<'a>> {
        if text.len() > MAX_TEXT {
            return Err(ReadError::new(
                0..text.len(),
                format!("the text is longer than {MAX_TEXT} bytes"),
            ));
        }
        let lexemes = lex(text)?;
        Ok(Reader {
            forms,
            text,
            lexemes,
            at: 0,
            depth: 0,
        })
    }

    // The single game that makes up the whole text.
    fn only<T>(&self, contents: Contents<T>) -> Read<T> {
        if self.peek().is_some() {
            return Err(self.unexpected("an operator or the end"));
        }
        match contents {
            Contents::Game(g) => Ok(g),
            Contents::Set(mut set) => match (set.pop(), set.is_empty()) {
                (Some(g), true) => Ok(g),
                (None, _) => Err(ReadError::new(0..self.text.len(), "a value is missing")),
                _ => Err(ReadError::new(
                    0..self.text.len(),
                    "one value is expected, not a list",
                )),
            },
        }
    }

    pub(super) fn value(
        &self,
        span: Range<usize>,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
    ) -> Read<CanonicalForm> {
        self.built(span, self.forms.from_options(left, right))
    }

    // A form in braces that is a whole option, or the canonical form of a value.
    fn written(&mut self) -> Read<Form> {
        let start = self.at;
        if self.peek() == Some(Token::Open) && !self.lexemes[start].group {
            let open = self.take();
            let contents = self.deeper(|r| {
                r.barred(Some(open), &Reader::written, &|_, _, left, right| {
                    Ok(Form::new(left.to_vec(), right.to_vec()))
                })
            })?;
            self.expect(Token::Close, "`}`")?;
            if let Contents::Game(form) = contents
                && matches!(
                    self.peek(),
                    None | Some(Token::Comma | Token::Bar | Token::Close)
                )
            {
                return Ok(form);
            }
            // A sum, or something else that begins with a brace.
            self.at = start;
        }
        let from = self.span().start;
        let g = self.sum()?;
        Form::from_canonical(self.forms, g).map_err(|_| {
            ReadError::new(
                from..self.end(),
                "this value needs more memory than the arena of values may use",
            )
        })
    }

    pub(super) fn peek(&self) -> Option<Token> {
        self.lexemes.get(self.at).map(|l| l.token)
    }

    pub(super) fn span(&self) -> Range<usize> {
        match self.lexemes.get(self.at) {
            Some(l) => l.span.clone(),
            None => self.text.len()..self.text.len(),
        }
    }

    // Whether there is no space between the last token and the next one.
    pub(super) fn glued(&self) -> bool {
        match (
            self.at.checked_sub(1).map(|i| &self.lexemes[i]),
            self.lexemes.get(self.at),
        ) {
            (Some(last), Some(next)) => last.span.end == next.span.start,
            _ => false,
        }
    }

    pub(super) fn take(&mut self) -> Range<usize> {
        let span = self.span();
        self.at += 1;
        span
    }

    pub(super) fn eat(&mut self, token: Token) -> bool {
        let found = self.peek() == Some(token);
        if found {
            self.at += 1;
        }
        found
    }

    pub(super) fn unexpected(&self, wanted: &str) -> ReadError {
        match self.peek() {
            None => ReadError::new(
                self.span(),
                format!("the text ends, but {wanted} is expected"),
            ),
            Some(_) => ReadError::new(
                self.span(),
                format!(
                    "`{}` stands where {wanted} is expected",
                    &self.text[self.span()]
                ),
            ),
        }
    }

    pub(super) fn expect(&mut self, token: Token, wanted: &str) -> Read<Range<usize>> {
        if self.peek() == Some(token) {
            Ok(self.take())
        } else {
            Err(self.unexpected(wanted))
        }
    }

    pub(super) fn built(
        &self,
        span: Range<usize>,
        result: Result<CanonicalForm, OutOfMemory>,
    ) -> Read<CanonicalForm> {
        result.map_err(|_| ReadError {
            limit: true,
            ..ReadError::new(
                span,
                "this value needs more memory than the arena of values may use",
            )
        })
    }

    pub(super) fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_DEPTH {
            return Err(ReadError::new(
                self.span(),
                format!("the value is nested deeper than {MAX_DEPTH}"),
            ));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    // Options and bars up to the closing brace (of the opening brace at `open`) or the end.
    pub(super) fn barred<T: Clone>(
        &mut self,
        open: Option<Range<usize>>,
        element: &Element<'a, T>,
        build: &Build<'a, T>,
    ) -> Read<Contents<T>> {
        let start = self.span().start;
        let mut slashes = Slashes {
            lists: vec![Vec::new()],
            bars: Vec::new(),
        };
        loop {
            match self.peek() {
                None | Some(Token::Close | Token::CloseParen) => break,
                Some(Token::Bar) => {
                    let bar = self.bar();
                    slashes.bars.push(bar);
                    slashes.lists.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            let g = self.deeper(element)?;
            if let Some(list) = slashes.lists.last_mut() {
                list.push(g);
            }
            match self.peek() {
                Some(Token::Comma) => {
                    self.take();
                    if matches!(
                        self.peek(),
                        None | Some(Token::Close | Token::Bar | Token::Comma)
                    ) {
                        return Err(self.unexpected("another option"));
                    }
                }
                None | Some(Token::Bar | Token::Close | Token::CloseParen) => {}
                Some(Token::Star) => {
                    return Err(self
                        .unexpected("a comma, a bar or the end of the value")
                        .help("a product is written with a dot, `3·^`, and a sum with `+`"));
                }
                Some(_) => return Err(self.unexpected("a comma, a bar or the end of the value")),
            }
        }
        if let Some(open) = &open
            && self.peek() != Some(Token::Close)
        {
            return Err(
                ReadError::new(open.clone(), "this brace is never closed").help("add a `}`")
            );
        }
        if slashes.bars.is_empty() {
            return Ok(Contents::Set(slashes.lists.pop().unwrap_or_default()));
        }
        let end = self
            .at
            .checked_sub(1)
            .map_or(start, |i| self.lexemes[i].span.end);
        let last = slashes.bars.len();
        self.game(&mut slashes, (0, last), start..end, 0, build)
            .map(Contents::Game)
    }

    // A run of bars, with its length and place.
    fn bar(&mut self) -> (usize, Range<usize>) {
        let mut total = 0;
        let mut span = self.span();
        loop {
            let piece = self.take();
            total += match &self.text[piece.clone()] {
                "‖" | "∥" | r"\|" | r"\parallel" | r"\Vert" => 2,
                "⦀" => 3,
                r"\mid" | r"\vert" | "∣" => 1,
                bars => bars.len(),
            };
            span.end = piece.end;
            // `\mid\mid` is one long bar, `| |` is two.
            let again = self.peek() == Some(Token::Bar)
                && (self.glued() || self.text[piece].starts_with('\\'));
            if !again {
                return (total, span);
            }
        }
    }

    // The game made by the bars first..last: the longest of them divides it.
    fn game<T: Clone>(
        &self,
        slashes: &mut Slashes<T>,
        (first, last): (usize, usize),
        span: Range<usize>,
        depth: usize,
        build: &Build<'a, T>,
    ) -> Read<T> {
        if depth + self.depth > MAX_DEPTH {
            return Err(ReadError::new(
                span,
                format!("the value is nested deeper than {MAX_DEPTH}"),
            ));
        }
        let bars = &slashes.bars[first..last];
        let length = bars.iter().map(|b| b.0).max().unwrap_or(0);
        let mut longest = (first..last).filter(|i| slashes.bars[*i].0 == length);
        let middle = longest.next().unwrap_or(first);
        if let Some(second) = longest.next() {
            return Err(ReadError::new(
                slashes.bars[second].1.clone(),
                "a second bar of the same length",
            )
            .help("the bar that divides the game must be the longest, as in `{2||1|0}`"));
        }
        let mut side = |from: usize, to: usize| -> Read<Vec<T>> {
            if from == to {
                Ok(std::mem::take(&mut slashes.lists[from]))
            } else {
                let part = self.game(slashes, (from, to), span.clone(), depth + 1, build)?;
                Ok(vec![part])
            }
        };
        let left = side(first, middle)?;
        let right = side(middle + 1, last)?;
        build(self, span, &left, &right)
    }

    pub(super) fn sum(&mut self) -> Read<CanonicalForm> {
        let start = self.span().start;
        let mut sum = self.signed()?;
        loop {
            let result = match self.peek() {
                Some(Token::Plus) => {
                    self.take();
                    let g = self.signed()?;
                    self.forms.add(sum, g)
                }
                Some(Token::Minus) => {
                    self.take();
                    let g = self.term(false)?;
                    self.forms.subtract(sum, g)
                }
                // `a+-b` is a plus the switch of b.
                Some(Token::Switch) => {
                    let g = self.term(false)?;
                    self.forms.add(sum, g)
                }
                _ => return Ok(sum),
            };
            sum = self.built(start..self.end(), result)?;
        }
    }

    // A term, perhaps with a sign. The sign of a number belongs to the number: -1^ is -1 + up.
    fn signed(&mut self) -> Read<CanonicalForm> {
        let start = self.span().start;
        if self.eat(Token::Plus) {
            return self.term(false);
        }
        if !self.eat(Token::Minus) {
            return self.term(false);
        }
        if let Some(Token::Digits | Token::Frac | Token::Vulgar) = self.peek() {
            return self.term(true);
        }
        let g = self.term(false)?;
        self.built(start..self.end(), self.forms.negate(g))
    }

    pub(super) fn end(&self) -> usize {
        self.at
            .checked_sub(1)
            .map_or(0, |i| self.lexemes[i].span.end)
    }

    // A value without a sum, or a number with ups and a nimber, and the products and methods after it.
    pub(super) fn term(&mut self, negative: bool) -> Read<CanonicalForm> {
        let start = self.span().start;
        let g = match self.peek() {
            Some(Token::Digits | Token::Frac | Token::Vulgar) => {
                let x = self.number()?;
                if negative && self.is_method() {
                    // `-2.Tiny` is the negative of `2.Tiny`.
                    let g = self.closed(start, x, 0, 0)?;
                    let g = self.followed(start, g)?;
                    return self.built(start..self.end(), self.forms.negate(g));
                }
                let x = if negative { -x } else { x };
                if let Some(Token::Name | Token::TinySign | Token::MinySign) = self.peek()
                    && self.glued()
                    && !self.is_method()
                {
                    // `6Tiny(1)` is 6 + tiny-one.
                    let g = self.primary()?;
                    let number = self.closed(start, x, 0, 0)?;
                    return self.built(start..self.end(), self.forms.add(number, g));
                }
                self.infinitesimals(start, x)?
            }
            Some(token) if token.is_arrow() || token == Token::Star => {
                self.infinitesimals(start, Number::ZERO)?
            }
            _ => self.primary()?,
        };
        self.followed(start, g)
    }

    fn is_method(&self) -> bool {
        self.peek() == Some(Token::Name) && self.text[self.span()].starts_with('.')
    }

    // Ups and a nimber after the number x.
    fn infinitesimals(&mut self, start: usize, x: Number) -> Read<CanonicalForm> {
        let mut sum = CanonicalForm::ZERO;
        let mut ups = 0;
        if self.peek().is_some_and(Token::is_arrow) {
            match self.arrows()? {
                Arrows::Multiple(k) => ups = k,
                Arrows::Power(g) => sum = g,
            }
        }
        let nimber = self.star()?;
        let closed = self.closed(start, x, ups, nimber)?;
        self.built(start..self.end(), self.forms.add(sum, closed))
    }

    // The nimber after ups; 0 if there is none.
    pub(super) fn star(&mut self) -> Read<u32> {
        if !self.eat(Token::Star) {
            return Ok(0);
        }
        if !matches!(self.peek(), Some(Token::Digits | Token::Subscript)) {
            return Ok(1);
        }
        let glued =
            self.glued() || self.text[self.lexemes[self.at - 1].span.clone()].starts_with('\\');
        if !glued {
            return Err(self
                .unexpected("an operator")
                .help("a nimber is written `*2`, a product with a dot"));
        }
        let (n, span) = self.digits()?;
        n.to_u32()
            .ok_or_else(|| ReadError::new(span, format!("a nimber is at most *{}", u32::MAX)))
    }
}
