//! The atoms of values: arrows with multiples and powers, numbers, games in braces and parentheses, switches, tinies.

use std::ops::Range;

use num_bigint::BigInt;
use num_traits::ToPrimitive;

use super::super::{CanonicalForm, Number};
use super::ReadError;
use super::lex::Token;
use super::read::{Contents, Read, Reader};

/// The greatest number of digits of a number.
const MAX_DIGITS: usize = 4096;

/// Arrows as written: a multiple of up, or one of its powers.
pub(super) enum Arrows {
    Multiple(i64),
    Power(CanonicalForm),
}

impl Reader<'_> {
    // The exponent or multiple after an arrow.
    pub(super) fn arrows(&mut self) -> Read<Arrows> {
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
                // After an arrow `^` begins a superscript, unlike after the ASCII caret.
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

    pub(super) fn digits(&mut self) -> Read<(BigInt, Range<usize>)> {
        let token = self.peek();
        if !matches!(
            token,
            Some(Token::Digits | Token::Superscript | Token::Subscript)
        ) {
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
                "⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉"
                    .chars()
                    .zip(('0'..='9').chain('0'..='9'))
                    .find(|p| p.0 == c)
                    .map_or(c, |p| p.1)
            })
            .collect();
        match plain.parse() {
            Ok(n) => Ok((n, span)),
            Err(_) => Err(ReadError::new(span, "not an integer")),
        }
    }

    pub(super) fn number(&mut self) -> Read<Number> {
        if self.peek() == Some(Token::Frac) {
            let start = self.take().start;
            let (numerator, denominator) = self.fraction_parts()?;
            return self.dyadic(numerator, denominator, start..self.end());
        }
        if self.peek() == Some(Token::Vulgar) {
            return Ok(self.vulgar());
        }
        let (numerator, span) = self.digits()?;
        if self.peek() == Some(Token::Vulgar) && self.glued() {
            // `1½`
            return Ok(Number::from(numerator) + self.vulgar());
        }
        if self.peek() == Some(Token::Dot)
            && self.glued()
            && &self.text[self.span()] == "."
            && let Some(next) = self.lexemes.get(self.at + 1)
            && next.token == Token::Digits
            && next.span.start == self.span().end
        {
            let decimal = span.start..next.span.end;
            return Err(
                ReadError::new(decimal, "numbers are written as fractions, `1/2` for 0.5")
                    .help("a product is written `3·4`"),
            );
        }
        if self.peek() == Some(Token::Slash) {
            self.take();
            let (denominator, end) = self.digits()?;
            return self.dyadic(numerator, denominator, span.start..end.end);
        }
        Ok(Number::from(numerator))
    }

    // A fraction in one character.
    fn vulgar(&mut self) -> Number {
        let span = self.take();
        match &self.text[span] {
            "½" => Number::dyadic(1, 1),
            "¼" => Number::dyadic(1, 2),
            "¾" => Number::dyadic(3, 2),
            "⅛" => Number::dyadic(1, 3),
            "⅜" => Number::dyadic(3, 3),
            "⅝" => Number::dyadic(5, 3),
            _ => Number::dyadic(7, 3),
        }
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
                "two digits or groups are expected after `\\frac`",
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

    pub(super) fn primary(&mut self) -> Read<CanonicalForm> {
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
                    // A bare subscript is the number alone; anything longer must be grouped.
                    Some(Token::Subscript) => {
                        let (n, _) = self.digits()?;
                        self.built(start..self.end(), self.forms.number(&Number::from(n)))?
                    }
                    Some(Token::Digits | Token::Frac | Token::Vulgar) => {
                        let x = self.number()?;
                        self.built(start..self.end(), self.forms.number(&x))?
                    }
                    // `_{2}` groups even where nothing else shows that the text is LaTeX.
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
            // `+₂` is another spelling of tiny-two.
            Some(Token::Subscript)
                if self.glued()
                    && self.at.checked_sub(1).is_some_and(|i| {
                        matches!(self.lexemes[i].token, Token::Plus | Token::Minus)
                    }) =>
            {
                let (n, _) = self.digits()?;
                let g = self.built(start..self.end(), self.forms.number(&Number::from(n)))?;
                self.tiny(start, false, g)
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

    pub(super) fn braces(&mut self) -> Read<Contents<CanonicalForm>> {
        let open = self.take();
        let contents = self.deeper(|r| r.barred(Some(open), &Reader::sum, &Reader::value))?;
        self.expect(Token::Close, "`}`")?;
        Ok(contents)
    }
}
