//! What may follow a value: products with a dot, and CGSuite's methods that return values.
//!
//! `3·^` is a multiple, `1/2·^` and `{1|0}·^` are Norton products (*Winning Ways*, chapter 8). `2.Tiny`, `^.Pow(3)`,
//! `{2|*}.Heat(1)` are CGSuite's spellings.

use super::super::{CanonicalForm, Maybe, Number, NumberUpStar};
use super::ReadError;
use super::atoms::Arrows;
use super::lex::Token;
use super::read::{Read, Reader};

/// The known methods.
const METHODS: &str = "`.Tiny`, `.Miny`, `.Pow(n)`, `.PowTo(n)`, `.Heat(t)`, `.Cool(t)`, `.Overheat(s, t)`, `.Freeze`, \
     `.NortonMultiply(U)`, `.ConwayMultiply(G)`, `.AtomicWeight`, `.Companion`, `.Rcf`, `.Mean`, `.Temperature`, \
     `.LeftStop` and `.RightStop`";

impl Reader<'_> {
    // The products and methods after the value g, which was read from `start` on.
    pub(super) fn followed(&mut self, start: usize, mut g: CanonicalForm) -> Read<CanonicalForm> {
        loop {
            g = match self.peek() {
                Some(Token::Dot) => {
                    self.take();
                    self.product(start, g)?
                }
                Some(Token::Name) if self.text[self.span()].starts_with('.') => {
                    self.deeper(|r| r.method(start, g))?
                }
                _ => return Ok(g),
            };
        }
    }

    // The product of g and what follows the dot: `3·^*` is three ups and a star.
    pub(super) fn product(&mut self, start: usize, g: CanonicalForm) -> Read<CanonicalForm> {
        if self.peek() == Some(Token::Digits) && self.forms.as_integer(g).is_none() {
            return Err(self
                .unexpected("a game that is multiplied")
                .help("the multiplier comes first, as in `3·^`"));
        }
        if !self.peek().is_some_and(Token::is_arrow) {
            let unit = self.deeper(|r| r.term(false))?;
            return self.times(start, g, unit);
        }
        let unit = match self.arrows()? {
            Arrows::Multiple(ups) => self.closed(start, Number::ZERO, ups, 0)?,
            Arrows::Power(power) => power,
        };
        let product = self.times(start, g, unit)?;
        let nimber = self.star()?;
        let star = self.closed(start, Number::ZERO, 0, nimber)?;
        self.built(start..self.end(), self.forms.add(product, star))
    }

    // The multiple if g is an integer, else the Norton product.
    fn times(&self, start: usize, g: CanonicalForm, unit: CanonicalForm) -> Read<CanonicalForm> {
        match self.forms.as_integer(g) {
            Some(n) => self.built(start..self.end(), self.forms.multiple_big(&n, unit)),
            None => self.perhaps(start, self.forms.norton_product(g, unit)),
        }
    }

    pub(super) fn closed(
        &self,
        start: usize,
        number: Number,
        ups: i64,
        nimber: u32,
    ) -> Read<CanonicalForm> {
        let value = NumberUpStar {
            number,
            ups,
            nimber,
        };
        self.built(start..self.end(), self.forms.number_up_star(&value))
    }

    fn perhaps(&self, start: usize, result: Maybe<CanonicalForm>) -> Read<CanonicalForm> {
        let span = start..self.end();
        match result {
            Ok(Ok(g)) => Ok(g),
            Ok(Err(reason)) => Err(ReadError::new(span, reason.to_string())),
            Err(full) => self.built(span, Err(full)),
        }
    }

    fn arguments(&mut self, name: &str, wanted: usize) -> Read<Vec<CanonicalForm>> {
        let mut list = Vec::new();
        if wanted > 0 || self.peek() == Some(Token::OpenParen) {
            self.expect(Token::OpenParen, "`(`")?;
            while list.len() < wanted {
                if !list.is_empty() {
                    self.expect(Token::Comma, "`,`")?;
                }
                list.push(self.deeper(Self::sum)?);
            }
            if self.peek() != Some(Token::CloseParen) {
                return Err(self.unexpected(&format!("the `)` of `{name}`")));
            }
            self.take();
        }
        Ok(list)
    }

    fn method(&mut self, start: usize, g: CanonicalForm) -> Read<CanonicalForm> {
        let span = self.take();
        let name = self.text[span.clone()].to_owned();
        let forms = self.forms;
        let wanted = match &name[1..] {
            "Pow" | "PowTo" | "Heat" | "Cool" | "NortonMultiply" | "ConwayMultiply" => 1,
            "Overheat" => 2,
            _ => 0,
        };
        let arguments = self.arguments(&name, wanted)?;
        let number = |x: &Number| forms.number(x);
        let result = match (&name[1..], &arguments[..]) {
            ("Tiny", _) => forms.tiny(g),
            ("Miny", _) => forms.miny(g),
            ("Freeze", _) => forms.freeze(g),
            ("Companion", _) => forms.companion(g),
            ("Rcf" | "ReducedCanonicalForm", _) => forms.reduced_canonical_form(g),
            ("Mean", _) => forms.mean(g).and_then(|x| number(&x)),
            ("Temperature", _) => forms.temperature(g).and_then(|x| number(&x)),
            ("LeftStop", _) => number(&forms.left_stop(g)),
            ("RightStop", _) => number(&forms.right_stop(g)),
            ("AtomicWeight", _) => return self.perhaps(start, forms.atomic_weight(g)),
            ("Heat", [t]) => forms.heat(g, *t),
            ("Overheat", [s, t]) => forms.overheat(g, *s, *t),
            ("Cool", [t]) => match forms.as_number(*t) {
                Some(t) => forms.cool(g, &t),
                None => return Err(ReadError::new(span, "a game is cooled by a number")),
            },
            ("NortonMultiply", [unit]) => {
                return self.perhaps(start, forms.norton_product(g, *unit));
            }
            ("ConwayMultiply", [h]) => return self.perhaps(start, forms.multiply(g, *h)),
            (to @ ("Pow" | "PowTo"), [n]) => {
                let n = forms.as_integer(*n).and_then(|n| u32::try_from(n).ok());
                let power = match n {
                    Some(n) if (1..=10_000).contains(&n) => forms.up_power(n, to == "PowTo"),
                    _ => {
                        let wrong = "the power of up is an integer from 1 to 10000";
                        return Err(ReadError::new(span, wrong));
                    }
                };
                match g {
                    CanonicalForm::UP => power,
                    CanonicalForm::DOWN => power.and_then(|g| forms.negate(g)),
                    _ => return Err(ReadError::new(span, "powers are known of `^` and `v`")),
                }
            }
            _ => {
                let unknown = format!("no method of values is called `{name}`");
                return Err(ReadError::new(span, unknown).help(format!("known are {METHODS}")));
            }
        };
        self.built(start..self.end(), result)
    }
}
