//! From text to the value, liberally: every spelling that [`print`](super::print) writes, those of other software,
//! Unicode and LaTeX, sums and differences of them, and slashes with or without outer braces.

use std::ops::Range;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::super::{CanonicalForm, Forms, Number, NumberUpStar, OutOfMemory};
use super::ReadError;
use super::lex::{Lexeme, Token, lex};

/// How deep braces, parentheses and slashes may nest.
pub const MAX_DEPTH: usize = 128;
/// How many bytes a text may have.
pub const MAX_TEXT: usize = 1 << 20;
/// How many digits a number may have.
const MAX_DIGITS: usize = 4096;

/// Reads a value.
///
/// ```
/// use cgdsl::value::{Forms, notation::{print, read, Style}};
/// let forms = Forms::new();
/// let g = read(&forms, "{1|-1} + ↑∗").unwrap();
/// assert_eq!(print(&forms, g, Style::Ascii), "{1^*|-1^*}");
/// assert_eq!(read(&forms, "1/2^3*2"), read(&forms, r"\frac12 + 3\cdot\uparrow + \ast 2"));
/// ```
///
/// # Errors
///
/// Texts that are no value, deeper than [`MAX_DEPTH`], longer than [`MAX_TEXT`], or with numbers of more digits than
/// can be sensible; and values for which the arena has no room.
pub fn read(forms: &Forms, text: &str) -> Result<CanonicalForm, ReadError> {
    if text.len() > MAX_TEXT {
        return Err(ReadError::new(
            0..text.len(),
            format!("the text is longer than {MAX_TEXT} bytes"),
        ));
    }
    let lexemes = lex(text)?;
    let mut reader = Reader {
        forms,
        text,
        lexemes,
        at: 0,
        depth: 0,
    };
    let value = reader.barred(None)?;
    match reader.peek() {
        None => match value {
            Contents::Game(g) => Ok(g),
            Contents::Set(mut set) => match (set.pop(), set.is_empty()) {
                (Some(g), true) => Ok(g),
                (None, _) => Err(ReadError::new(0..text.len(), "a value is missing")),
                _ => Err(ReadError::new(
                    0..text.len(),
                    "one value is wanted, not a list",
                )),
            },
        },
        Some(_) => Err(reader.unexpected("an operator or the end")),
    }
}

// What stands between braces: a game, or options without a bar.
enum Contents {
    Game(CanonicalForm),
    Set(Vec<CanonicalForm>),
}

struct Reader<'a> {
    forms: &'a Forms,
    text: &'a str,
    lexemes: Vec<Lexeme>,
    at: usize,
    depth: usize,
}

// The options between bars, and the lengths and places of the bars.
struct Slashes {
    lists: Vec<Vec<CanonicalForm>>,
    bars: Vec<(usize, Range<usize>)>,
}

type Read<T> = Result<T, ReadError>;

impl Reader<'_> {
    fn peek(&self) -> Option<Token> {
        self.lexemes.get(self.at).map(|l| l.token)
    }

    fn span(&self) -> Range<usize> {
        match self.lexemes.get(self.at) {
            Some(l) => l.span.clone(),
            None => self.text.len()..self.text.len(),
        }
    }

    // Whether nothing stands between the last token and the next one.
    fn glued(&self) -> bool {
        match (
            self.at.checked_sub(1).map(|i| &self.lexemes[i]),
            self.lexemes.get(self.at),
        ) {
            (Some(last), Some(next)) => last.span.end == next.span.start,
            _ => false,
        }
    }

    fn take(&mut self) -> Range<usize> {
        let span = self.span();
        self.at += 1;
        span
    }

    fn eat(&mut self, token: Token) -> bool {
        let found = self.peek() == Some(token);
        if found {
            self.at += 1;
        }
        found
    }

    fn unexpected(&self, wanted: &str) -> ReadError {
        match self.peek() {
            None => ReadError::new(
                self.span(),
                format!("the text ends, but {wanted} is wanted"),
            ),
            Some(_) => ReadError::new(
                self.span(),
                format!(
                    "`{}` stands where {wanted} is wanted",
                    &self.text[self.span()]
                ),
            ),
        }
    }

    fn expect(&mut self, token: Token, wanted: &str) -> Read<Range<usize>> {
        if self.peek() == Some(token) {
            Ok(self.take())
        } else {
            Err(self.unexpected(wanted))
        }
    }

    fn built(
        &self,
        span: Range<usize>,
        result: Result<CanonicalForm, OutOfMemory>,
    ) -> Read<CanonicalForm> {
        result.map_err(|_| {
            ReadError::new(
                span,
                "this value needs more memory than the arena of values may use",
            )
        })
    }

    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
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

    // Options and bars up to a closing brace (of the given opening) or the end.
    fn barred(&mut self, open: Option<Range<usize>>) -> Read<Contents> {
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
            let g = self.deeper(Self::sum)?;
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
        self.game(&mut slashes, 0, last, start..end, 0)
            .map(Contents::Game)
    }

    // A run of bars: its length and place.
    fn bar(&mut self) -> (usize, Range<usize>) {
        let mut total = 0;
        let mut span = self.span();
        loop {
            let piece = self.take();
            total += match &self.text[piece.clone()] {
                "‖" | "∥" | r"\|" | r"\parallel" | r"\Vert" => 2,
                "⦀" => 3,
                r"\mid" | r"\vert" => 1,
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
    fn game(
        &self,
        slashes: &mut Slashes,
        first: usize,
        last: usize,
        span: Range<usize>,
        depth: usize,
    ) -> Read<CanonicalForm> {
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
        let mut side = |from: usize, to: usize| -> Read<Vec<CanonicalForm>> {
            if from == to {
                Ok(std::mem::take(&mut slashes.lists[from]))
            } else {
                Ok(vec![self.game(
                    slashes,
                    from,
                    to,
                    span.clone(),
                    depth + 1,
                )?])
            }
        };
        let left = side(first, middle)?;
        let right = side(middle + 1, last)?;
        self.built(span, self.forms.from_options(&left, &right))
    }

    fn sum(&mut self) -> Read<CanonicalForm> {
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

    // A term, perhaps with a sign; the sign belongs to the number: -1^ is -1 + up.
    fn signed(&mut self) -> Read<CanonicalForm> {
        let start = self.span().start;
        if self.eat(Token::Plus) {
            return self.term(false);
        }
        if !self.eat(Token::Minus) {
            return self.term(false);
        }
        if let Some(Token::Digits | Token::Frac) = self.peek() {
            return self.term(true);
        }
        let g = self.term(false)?;
        self.built(start..self.end(), self.forms.negate(g))
    }

    fn end(&self) -> usize {
        self.at
            .checked_sub(1)
            .map_or(0, |i| self.lexemes[i].span.end)
    }

    // A value without a sum, or a number with ups and a nimber beside it.
    fn term(&mut self, negative: bool) -> Read<CanonicalForm> {
        let start = self.span().start;
        match self.peek() {
            Some(Token::Digits | Token::Frac) => {
                let x = self.number()?;
                let x = if negative { -x } else { x };
                if self.eat(Token::Dot) {
                    return self.multiple(start, &x);
                }
                if let Some(Token::Name | Token::TinySign | Token::MinySign) = self.peek()
                    && self.glued()
                {
                    // `6Tiny(1)` is 6 + tiny-one.
                    let g = self.primary()?;
                    let number = self.built(start..self.end(), self.forms.number(&x))?;
                    return self.built(start..self.end(), self.forms.add(number, g));
                }
                self.infinitesimals(start, x)
            }
            Some(
                Token::Caret
                | Token::V
                | Token::Up
                | Token::Down
                | Token::DoubleUp
                | Token::DoubleDown
                | Token::Star,
            ) => self.infinitesimals(start, Number::ZERO),
            _ => self.primary(),
        }
    }

    fn multiple(&mut self, start: usize, x: &Number) -> Read<CanonicalForm> {
        if !x.is_integer() {
            return Err(ReadError::new(
                start..self.end(),
                "only an integer multiple of a game is defined",
            ));
        }
        let g = self.deeper(|r| r.term(false))?;
        self.built(
            start..self.end(),
            self.forms.multiple_big(&x.numerator(), g),
        )
    }

    // Ups and a nimber after the number x.
    fn infinitesimals(&mut self, start: usize, x: Number) -> Read<CanonicalForm> {
        let mut sum = CanonicalForm::ZERO;
        let mut ups = 0;
        if let Some(
            Token::Caret | Token::V | Token::Up | Token::Down | Token::DoubleUp | Token::DoubleDown,
        ) = self.peek()
        {
            match self.arrows()? {
                Arrows::Multiple(k) => ups = k,
                Arrows::Power(g) => sum = g,
            }
        }
        let mut nimber = 0;
        if self.eat(Token::Star) {
            nimber = 1;
            if self.peek() == Some(Token::Digits) {
                let glued = self.glued()
                    || self.text[self.lexemes[self.at - 1].span.clone()].starts_with('\\');
                if !glued {
                    return Err(self
                        .unexpected("an operator")
                        .help("a nimber is written `*2`, a product with a dot"));
                }
                let (n, span) = self.digits()?;
                nimber = n.to_u32().ok_or_else(|| {
                    ReadError::new(span, format!("a nimber is at most *{}", u32::MAX))
                })?;
            }
        }
        let closed = self.forms.number_up_star(&NumberUpStar {
            number: x,
            ups,
            nimber,
        });
        let closed = self.built(start..self.end(), closed)?;
        self.built(start..self.end(), self.forms.add(sum, closed))
    }

    // The exponent or multiple after an arrow.
    fn arrows(&mut self) -> Read<Arrows> {
        let start = self.span().start;
        let token = self.peek();
        let span = self.take();
        let (sign, mut count) = match token {
            Some(Token::V) => (-1, span.len() as i64),
            Some(Token::Down) => (-1, 1),
            Some(Token::DoubleDown) => (-1, 2),
            Some(Token::DoubleUp) => (1, 2),
            _ => (1, 1),
        };
        let ascii = matches!(token, Some(Token::V | Token::Caret));
        if token == Some(Token::Caret) {
            while self.peek() == Some(Token::Caret) && self.glued() {
                self.take();
                count += 1;
            }
        }
        let power = |r: &mut Self, to: bool| -> Read<Arrows> {
            let (n, span) = r.digits()?;
            let n = n
                .to_u32()
                .filter(|n| (1..=10_000).contains(n))
                .ok_or_else(|| {
                    ReadError::new(span, "the power of up is an integer from 1 to 10000")
                })?;
            let g = r.forms.up_power(n, to);
            let g = g.and_then(|g| if sign < 0 { r.forms.negate(g) } else { Ok(g) });
            r.built(start..r.end(), g).map(Arrows::Power)
        };
        if count == 1 {
            match self.peek() {
                Some(Token::OpenBracket) => {
                    self.take();
                    let result = power(self, true)?;
                    self.expect(Token::CloseBracket, "`]`")?;
                    return Ok(result);
                }
                Some(Token::Less) => {
                    self.take();
                    let result = power(self, false)?;
                    self.expect(Token::Greater, "`>`")?;
                    return Ok(result);
                }
                Some(Token::Superscript) => {
                    let result = power(self, false)?;
                    return Ok(result);
                }
                Some(Token::Name) if self.text[self.span()].starts_with('.') => {
                    let name = self.take();
                    let to = match &self.text[name.clone()] {
                        ".Pow" => false,
                        ".PowTo" => true,
                        _ => {
                            return Err(ReadError::new(
                                name,
                                "after an arrow `.Pow` or `.PowTo` is known",
                            ));
                        }
                    };
                    self.expect(Token::OpenParen, "`(`")?;
                    let result = power(self, to)?;
                    self.expect(Token::CloseParen, "`)`")?;
                    return Ok(result);
                }
                // After an arrow, unlike after the ASCII caret, `^` begins a superscript.
                Some(Token::Caret) if !ascii => {
                    self.take();
                    let group = self.peek() == Some(Token::Open) && self.lexemes[self.at].group;
                    if group {
                        self.take();
                    }
                    let to = self.eat(Token::OpenBracket);
                    let result = power(self, to)?;
                    if to {
                        self.expect(Token::CloseBracket, "`]`")?;
                    }
                    if group {
                        self.expect(Token::Close, "`}`")?;
                    }
                    return Ok(result);
                }
                Some(Token::Digits) if self.glued() => {
                    let (n, span) = self.digits()?;
                    count = n
                        .to_i64()
                        .ok_or_else(|| ReadError::new(span, "the multiple of up is too large"))?;
                }
                _ => {}
            }
        }
        Ok(Arrows::Multiple(sign * count))
    }

    fn digits(&mut self) -> Read<(BigInt, Range<usize>)> {
        let token = self.peek();
        if !matches!(token, Some(Token::Digits | Token::Superscript)) {
            return Err(self.unexpected("an integer"));
        }
        let span = self.take();
        let text = &self.text[span.clone()];
        if text.len() > MAX_DIGITS {
            return Err(ReadError::new(
                span,
                format!("the number has more than {MAX_DIGITS} digits"),
            ));
        }
        let plain: String = text
            .chars()
            .map(|c| {
                "⁰¹²³⁴⁵⁶⁷⁸⁹"
                    .chars()
                    .zip('0'..='9')
                    .find(|p| p.0 == c)
                    .map_or(c, |p| p.1)
            })
            .collect();
        match plain.parse() {
            Ok(n) => Ok((n, span)),
            Err(_) => Err(ReadError::new(span, "not an integer")),
        }
    }

    fn number(&mut self) -> Read<Number> {
        if self.peek() == Some(Token::Frac) {
            let start = self.take().start;
            let (numerator, denominator) = self.fraction_parts()?;
            return self.dyadic(numerator, denominator, start..self.end());
        }
        let (numerator, span) = self.digits()?;
        if self.peek() == Some(Token::Slash) {
            self.take();
            let (denominator, end) = self.digits()?;
            return self.dyadic(numerator, denominator, span.start..end.end);
        }
        Ok(Number::from(numerator))
    }

    // `34` or `{3}{4}` after `\frac`.
    fn fraction_parts(&mut self) -> Read<(BigInt, BigInt)> {
        if self.peek() == Some(Token::Digits) {
            let span = self.take();
            let text = &self.text[span.clone()];
            if text.len() == 2 {
                return match (text[..1].parse(), text[1..].parse()) {
                    (Ok(n), Ok(d)) => Ok((n, d)),
                    _ => Err(ReadError::new(span, "not a fraction")),
                };
            }
            return Err(ReadError::new(
                span,
                "two digits or groups are wanted after `\\frac`",
            ));
        }
        let mut part = || -> Read<BigInt> {
            self.expect(Token::Open, "`{`")?;
            let (n, _) = self.digits()?;
            self.expect(Token::Close, "`}`")?;
            Ok(n)
        };
        Ok((part()?, part()?))
    }

    fn dyadic(&self, numerator: BigInt, denominator: BigInt, span: Range<usize>) -> Read<Number> {
        let power = denominator
            .trailing_zeros()
            .and_then(|k| u32::try_from(k).ok());
        match power {
            Some(k) if denominator == BigInt::from(1) << k => Ok(Number::from_big(numerator, k)),
            None => Err(ReadError::new(span, "the denominator is zero")),
            _ => Err(
                ReadError::new(span, format!("{numerator}/{denominator} is not dyadic"))
                    .help("the denominator of a number that is a short game is a power of two"),
            ),
        }
    }

    fn primary(&mut self) -> Read<CanonicalForm> {
        let start = self.span().start;
        match self.peek() {
            Some(Token::Open) => {
                let group = self.lexemes[self.at].group;
                match self.braces()? {
                    Contents::Game(g) => Ok(g),
                    Contents::Set(set) => match set[..] {
                        [g] if group => Ok(g),
                        _ => Err(
                            ReadError::new(start..self.end(), "a game in braces has a bar")
                                .help("write `{a,b|c}`, with `{|}` for zero"),
                        ),
                    },
                }
            }
            Some(Token::OpenParen) => {
                let open = self.take();
                let g = self.deeper(Self::sum)?;
                if self.peek() != Some(Token::CloseParen) {
                    return Err(if self.peek().is_none() {
                        ReadError::new(open, "this parenthesis is never closed").help("add a `)`")
                    } else {
                        self.unexpected("`)`")
                    });
                }
                self.take();
                Ok(g)
            }
            Some(Token::Switch) => {
                self.take();
                let set = if self.peek() == Some(Token::Open) {
                    match self.braces()? {
                        Contents::Game(g) => vec![g],
                        Contents::Set(set) => set,
                    }
                } else {
                    vec![self.deeper(|r| r.term(false))?]
                };
                let mut negatives = Vec::with_capacity(set.len());
                for g in &set {
                    negatives.push(self.built(start..self.end(), self.forms.negate(*g))?);
                }
                self.built(start..self.end(), self.forms.from_options(&set, &negatives))
            }
            Some(token @ (Token::TinySign | Token::MinySign)) => {
                self.take();
                let g = match self.peek() {
                    // The subscript is the number alone: `+_2*` is tiny-two plus star nowhere, so a longer one is grouped.
                    Some(Token::Digits | Token::Frac) => {
                        let x = self.number()?;
                        self.built(start..self.end(), self.forms.number(&x))?
                    }
                    // `_{2}` groups also where nothing else shows that this is LaTeX.
                    Some(Token::Open) => match self.braces()? {
                        Contents::Game(g) => g,
                        Contents::Set(set) => match set[..] {
                            [g] => g,
                            _ => {
                                let span = start..self.end();
                                return Err(ReadError::new(span, "the subscript is one value"));
                            }
                        },
                    },
                    _ => self.deeper(Self::primary)?,
                };
                self.tiny(start, token == Token::MinySign, g)
            }
            Some(Token::Name) => {
                let name = self.take();
                match &self.text[name.clone()] {
                    word @ ("Tiny" | "Miny") => {
                        self.expect(Token::OpenParen, "`(`")?;
                        let g = self.deeper(Self::sum)?;
                        self.expect(Token::CloseParen, "`)`")?;
                        self.tiny(start, word == "Miny", g)
                    }
                    word => Err(ReadError::new(name, format!("no value is called `{word}`"))
                        .help("known names are `Tiny(G)` and `Miny(G)`")),
                }
            }
            Some(Token::Minus | Token::Plus) => Err(self
                .unexpected("a value")
                .help("put a signed value in parentheses")),
            _ => Err(self.unexpected("a value")),
        }
    }

    fn tiny(&self, start: usize, miny: bool, g: CanonicalForm) -> Read<CanonicalForm> {
        let result = if miny {
            self.forms.miny(g)
        } else {
            self.forms.tiny(g)
        };
        self.built(start..self.end(), result)
    }

    fn braces(&mut self) -> Read<Contents> {
        let open = self.take();
        let contents = self.deeper(|r| r.barred(Some(open)))?;
        self.expect(Token::Close, "`}`")?;
        Ok(contents)
    }
}

enum Arrows {
    Multiple(i64),
    Power(CanonicalForm),
}
