//! Loopy values with a name (*Winning Ways*, chapter 11; Siegel VI).

use super::{CanonicalForm, Edge, Forms, Halt, Loops, Loopy, Side};

/// The name of a loopy value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Name {
    /// `{pass |}`
    On,
    /// `{| pass}`
    Off,
    /// `{0 | pass}`
    Over,
    /// `{pass | 0}`
    Under,
    /// `{pass | *}`
    Upon,
    /// `{pass | pass}` = `on & off`
    Dud,
    /// `{tisn |}` = `1 & 0`
    Tis,
    /// `{| tis}` = `0 & -1`
    Tisn,
}

impl Name {
    /// All names.
    pub const ALL: [Name; 8] = [
        Name::On,
        Name::Off,
        Name::Over,
        Name::Under,
        Name::Upon,
        Name::Dud,
        Name::Tis,
        Name::Tisn,
    ];

    /// The name as text.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Name::On => "on",
            Name::Off => "off",
            Name::Over => "over",
            Name::Under => "under",
            Name::Upon => "upon",
            Name::Dud => "dud",
            Name::Tis => "tis",
            Name::Tisn => "tisn",
        }
    }

    /// The name with this text.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Name> {
        Name::ALL.into_iter().find(|name| name.text() == text)
    }
}

/// A stopper as a named value plus a number and perhaps a star, read from the shape of its canonical form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    /// The number that is added; 0 for on and off.
    pub(super) number: CanonicalForm,
    pub(super) negative: bool,
    pub(super) name: Name,
    pub(super) star: bool,
}

impl Loops {
    /// The value with this name.
    ///
    /// # Errors
    /// Memory or size limits.
    pub fn named(&mut self, forms: &Forms, name: Name) -> Result<Loopy, Halt> {
        let zero = Edge::Out(Loopy::of(self.short(CanonicalForm::ZERO)?));
        let star = Edge::Out(Loopy::of(self.short(CanonicalForm::STAR)?));
        let pass = Edge::In(0);
        let graph = match name {
            Name::On => vec![[vec![pass], vec![]]],
            Name::Off => vec![[vec![], vec![pass]]],
            Name::Over => vec![[vec![zero], vec![pass]]],
            Name::Under => vec![[vec![pass], vec![zero]]],
            Name::Upon => vec![[vec![pass], vec![star]]],
            Name::Dud => vec![[vec![pass], vec![pass]]],
            Name::Tis => vec![[vec![Edge::In(1)], vec![]], [vec![], vec![pass]]],
            Name::Tisn => vec![[vec![], vec![Edge::In(1)]], [vec![pass], vec![]]],
        };
        Ok(self.solve(forms, &graph)?[0])
    }

    /// The shape of a stopper: x + over is `{x | pass}`, x + upon is `{pass | x*}`, x + upon + * is `{x, pass | x}`.
    pub(super) fn shape(&self, forms: &Forms, side: Side) -> Option<Shape> {
        let node = &self.nodes[side.0 as usize];
        if node.listed && self.as_short(side).is_some() || !self.is_found(side) {
            return None;
        }
        let number = |id: u32| {
            let g = self.as_short(Side(id))?;
            forms.is_number(g).then_some(g)
        };
        // The x of a value x*.
        let starred = |id: u32| {
            let value = forms.as_number_up_star(self.as_short(Side(id))?)?;
            let plain = value.ups == 0 && value.nimber == 1;
            plain.then(|| forms.number(&value.number).ok()).flatten()
        };
        let shape = |number: CanonicalForm, negative: bool, name: Name, star: bool| {
            Some(Shape {
                number,
                negative,
                name,
                star,
            })
        };
        let me = side.0;
        let zero = CanonicalForm::ZERO;
        // Of two options one of which is a pass, the other.
        let beside = |list: &[u32]| match *list {
            [a, b] if a == me => Some(b),
            [a, b] if b == me => Some(a),
            _ => None,
        };
        match (&node.left[..], &node.right[..]) {
            (&[l], &[]) if l == me => shape(zero, false, Name::On, false),
            (&[], &[r]) if r == me => shape(zero, false, Name::Off, false),
            (&[l], &[r]) if r == me => match (number(l), starred(l)) {
                (Some(x), _) => shape(x, false, Name::Over, false),
                (_, Some(x)) => shape(x, true, Name::Upon, false),
                _ => None,
            },
            (&[l], &[r]) if l == me => match (number(r), starred(r)) {
                (Some(x), _) => shape(x, false, Name::Under, false),
                (_, Some(x)) => shape(x, false, Name::Upon, false),
                _ => None,
            },
            (left, &[r]) if beside(left) == Some(r) => shape(number(r)?, false, Name::Upon, true),
            (&[l], right) if beside(right) == Some(l) => shape(number(l)?, true, Name::Upon, true),
            _ => None,
        }
    }
}
