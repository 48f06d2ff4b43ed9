//! A picture as lines, shapes and texts on a plane (pixels, y downwards), from which SVG, TikZ and Typst are written. Owners
//! are distinguished by colour and also, for readers who cannot see it, by shape and line style.

use super::layout::Point;
use crate::claim::MARKS;
use crate::session::figure::Owner;

/// A colour, by its purpose.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Ink {
    /// The colour of an owner.
    Owner(Owner),
    /// Text on the colour of an owner.
    On(Owner),
    /// Lines and text.
    Line,
    /// Less important lines and text.
    Faint,
    /// Walls.
    Wall,
    /// The background.
    Paper,
    /// Red, green and blue, where the colour encodes a number.
    Rgb([u8; 3]),
    /// Black or white, whichever is more legible on this colour.
    OnRgb([u8; 3]),
    /// No colour.
    None,
}

/// The palette of Okabe and Ito, distinguishable with any colour vision, blue and vermilion first; darkened until lines have
/// a contrast of 3 on white paper (WCAG 2.2, 1.4.11).
const PALETTE: [(&str, [u8; 3]); 6] = [
    ("blue", [0x00, 0x72, 0xB2]),
    ("vermilion", [0xC0, 0x50, 0x00]),
    ("purple", [0xC0, 0x68, 0x99]),
    ("orange", [0xB8, 0x7C, 0x00]),
    ("sky blue", [0x38, 0x94, 0xC8]),
    ("yellow", [0x95, 0x8A, 0x00]),
];
const WHITE: [u8; 3] = [0xFF; 3];
const BLACK: [u8; 3] = [0; 3];

impl Ink {
    /// Red, green and blue; `None` for [`Ink::None`].
    #[must_use]
    pub fn rgb(self) -> Option<[u8; 3]> {
        Some(match self {
            Ink::Owner(Owner::Player(p)) => PALETTE[usize::from(p) % PALETTE.len()].1,
            Ink::Owner(Owner::Shared) => [0x00, 0x80, 0x5C],
            Ink::Owner(Owner::Nobody) => [0x76; 3],
            Ink::On(owner) => return Ink::Owner(owner).rgb().and_then(|c| Ink::OnRgb(c).rgb()),
            Ink::Paper => WHITE,
            Ink::Line => [0x22; 3],
            Ink::Faint => [0x66; 3],
            Ink::Wall => [0x5A; 3],
            Ink::Rgb(color) => color,
            Ink::OnRgb(color) if contrast(color, WHITE) >= 4.5 => WHITE,
            Ink::OnRgb(_) => BLACK,
            Ink::None => return None,
        })
    }

    /// Six hexadecimal digits; `None` for [`Ink::None`].
    #[must_use]
    pub fn hex(self) -> Option<String> {
        self.rgb().map(|[r, g, b]| format!("{r:02X}{g:02X}{b:02X}"))
    }
}

/// The contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio" and "relative luminance").
#[must_use]
pub fn contrast(a: [u8; 3], b: [u8; 3]) -> f64 {
    let linear = |c: u8| {
        let c = f64::from(c) / 255.0;
        if c <= 0.04045 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    };
    let light =
        |[r, g, b]: [u8; 3]| 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) + 0.05;
    let (a, b) = (light(a), light(b));
    a.max(b) / a.min(b)
}

/// The colour of an owner in a terminal with 256 colours. Only six of these colours have a contrast of 4.5 on both black and
/// white.
#[must_use]
pub fn ansi(owner: Owner) -> u8 {
    match owner {
        Owner::Player(p) => [63, 131, 163, 98][usize::from(p) % 4],
        Owner::Shared => 29,
        Owner::Nobody => 243,
    }
}

/// The shape of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A circle.
    Disc,
    /// A square resting on a side.
    Square,
    /// A square standing on a corner.
    Diamond,
    /// A regular polygon with this many corners, one of them at the top.
    Polygon(u8),
}

/// The style of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dash {
    /// Continuous.
    Solid,
    /// Lengths of strokes and gaps.
    Gaps(&'static [u8]),
    /// Two parallel lines.
    Double,
}

/// The shape of an owner's pieces.
#[must_use]
pub fn form(owner: Owner) -> Form {
    match owner {
        Owner::Player(p) => match usize::from(p) % PALETTE.len() {
            0 => Form::Disc,
            1 => Form::Square,
            2 => Form::Polygon(3),
            3 => Form::Polygon(5),
            4 => Form::Polygon(6),
            _ => Form::Polygon(8),
        },
        Owner::Shared => Form::Diamond,
        Owner::Nobody => Form::Disc,
    }
}

/// The style of an owner's lines.
#[must_use]
pub fn dash(owner: Owner) -> Dash {
    match owner {
        Owner::Player(p) => match usize::from(p) % PALETTE.len() {
            0 => Dash::Solid,
            1 => Dash::Gaps(&[8, 4]),
            2 => Dash::Gaps(&[2, 3]),
            3 => Dash::Gaps(&[9, 3, 2, 3]),
            4 => Dash::Gaps(&[14, 4]),
            _ => Dash::Gaps(&[5, 3, 5, 7]),
        },
        Owner::Shared => Dash::Double,
        Owner::Nobody => Dash::Solid,
    }
}

/// An owner's colour, form and lines in words: `blue, discs, solid lines`.
#[must_use]
pub fn in_words(owner: Owner) -> (&'static str, &'static str, &'static str) {
    let color = match owner {
        Owner::Player(p) => PALETTE[usize::from(p) % PALETTE.len()].0,
        Owner::Shared => "green",
        Owner::Nobody => "grey",
    };
    let forms = match form(owner) {
        Form::Disc => "discs",
        Form::Square => "squares",
        Form::Diamond => "diamonds",
        Form::Polygon(3) => "triangles",
        Form::Polygon(5) => "pentagons",
        Form::Polygon(6) => "hexagons",
        Form::Polygon(_) => "octagons",
    };
    let lines = match dash(owner) {
        Dash::Solid => "solid lines",
        Dash::Double => "double lines",
        Dash::Gaps([8, 4]) => "dashed lines",
        Dash::Gaps([2, 3]) => "dotted lines",
        Dash::Gaps([9, ..]) => "dash-dotted lines",
        Dash::Gaps([14, ..]) => "long-dashed lines",
        Dash::Gaps(_) => "broken lines",
    };
    (color, forms, lines)
}

/// The position of a text relative to its point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    /// The text starts at the point.
    Start,
    /// The text is centred on the point.
    Middle,
    /// The text ends at the point.
    End,
}

/// An element of a picture.
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// A line, straight or bent towards a control point (a quadratic Bézier curve).
    Path {
        /// The start point.
        from: Point,
        /// The control point, if the line is bent.
        control: Option<Point>,
        /// The end point.
        to: Point,
        /// Its colour.
        ink: Ink,
        /// Its width.
        width: f64,
        /// Its style.
        dash: Dash,
        /// Whether it has an arrow head at its end.
        arrow: bool,
    },
    /// A piece.
    Piece {
        /// Its shape.
        form: Form,
        /// Its centre.
        at: Point,
        /// The distance from the centre to the corners (for a square, approximately).
        radius: f64,
        /// The colour inside.
        fill: Ink,
        /// Its border.
        border: Ink,
    },
    /// A rectangle.
    Rectangle {
        /// The upper left corner.
        at: Point,
        /// Width and height.
        size: Point,
        /// The colour inside.
        fill: Ink,
        /// Its border.
        border: Ink,
    },
    /// A line of text.
    Text {
        /// The reference point, at half the height of the text.
        at: Point,
        /// The text.
        text: String,
        /// The height of the letters.
        size: f64,
        /// Its colour.
        ink: Ink,
        /// The position relative to `at`.
        anchor: Anchor,
        /// Whether it is bold.
        bold: bool,
        /// Whether it is struck through.
        struck: bool,
    },
}

/// The corners of a form.
#[must_use]
pub fn corners(form: Form, at: Point, radius: f64) -> Vec<Point> {
    // Unit vectors of regular polygons with one corner at the top, as constants: the same on every machine.
    let unit: &[Point] = match form {
        Form::Disc => &[],
        Form::Square => &[(-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)],
        Form::Diamond => &[(0.0, -1.15), (1.15, 0.0), (0.0, 1.15), (-1.15, 0.0)],
        Form::Polygon(3) => &[(0.0, -1.2), (1.1, 0.75), (-1.1, 0.75)],
        Form::Polygon(5) => &[
            (0.0, -1.05),
            (1.0, -0.325),
            (0.617, 0.85),
            (-0.617, 0.85),
            (-1.0, -0.325),
        ],
        Form::Polygon(6) => &[
            (0.0, -1.05),
            (0.91, -0.525),
            (0.91, 0.525),
            (0.0, 1.05),
            (-0.91, 0.525),
            (-0.91, -0.525),
        ],
        Form::Polygon(_) => &[
            (-0.41, -1.0),
            (0.41, -1.0),
            (1.0, -0.41),
            (1.0, 0.41),
            (0.41, 1.0),
            (-0.41, 1.0),
            (-1.0, 0.41),
            (-1.0, -0.41),
        ],
    };
    unit.iter()
        .map(|(x, y)| (at.0 + radius * x, at.1 + radius * y))
        .collect()
}

/// The number of visible characters of a text: a command of LaTeX counts as one, its braces as none.
#[must_use]
pub fn seen(text: &str) -> usize {
    if !text.contains(MARKS[0]) {
        return text.chars().count();
    }
    let mut count = 0;
    let mut command = false;
    for c in text.chars() {
        let letter = c.is_ascii_alphabetic();
        count += match c {
            '\\' => 1,
            '{' | '}' | ' ' | '\u{E000}' | '\u{E001}' => 0,
            _ if command && letter => 0,
            _ => 1,
        };
        command = c == '\\' || (command && letter);
    }
    count
}

/// The approximate width of a text.
#[must_use]
pub fn text_width(text: &str, size: f64) -> f64 {
    seen(text) as f64 * size * 0.58
}

/// An element of a board, by its number in the figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Of {
    /// A cell.
    Cell(usize),
    /// A vertex or an element.
    Vertex(usize),
    /// An edge, an arc or a covering relation.
    Line(usize),
    /// A heap.
    Heap(usize),
}

/// A rectangle of a picture that represents an element of a board, for pointing devices.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    /// The term of the sum.
    pub term: usize,
    /// The element of the term's board.
    pub of: Of,
    /// The centre.
    pub at: Point,
    /// Width and height.
    pub size: Point,
}

/// A part of a picture with its own coordinates.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Block {
    /// The elements, bottom first.
    pub items: Vec<Item>,
    /// The targets for pointing.
    pub targets: Vec<Target>,
    /// Its size; nothing is drawn outside.
    pub size: Point,
}

impl Block {
    /// Adds a text on a line, with a background that hides the line behind it.
    pub fn text_on_line(&mut self, middle: Point, text: String, size: f64) {
        let w = text_width(&text, size) + 4.0;
        self.items.push(Item::Rectangle {
            at: (middle.0 - w / 2.0, middle.1 - 7.0),
            size: (w, 14.0),
            fill: Ink::Paper,
            border: Ink::None,
        });
        self.text(middle, text, size, Ink::Line, Anchor::Middle);
    }

    /// Adds a text.
    pub fn text(
        &mut self,
        at: Point,
        text: impl Into<String>,
        size: f64,
        ink: Ink,
        anchor: Anchor,
    ) {
        self.items.push(Item::Text {
            at,
            text: text.into(),
            size,
            ink,
            anchor,
            bold: false,
            struck: false,
        });
    }

    /// Adds a straight line.
    pub fn line(&mut self, from: Point, to: Point, ink: Ink, width: f64) {
        self.items.push(Item::Path {
            from,
            control: None,
            to,
            ink,
            width,
            dash: Dash::Solid,
            arrow: false,
        });
    }

    /// Records the place of an element of the board.
    pub fn target(&mut self, of: Of, at: Point, size: Point) {
        self.targets.push(Target {
            term: 0,
            of,
            at,
            size,
        });
    }

    /// Adds all elements of another block, shifted by `by`.
    pub fn place(&mut self, other: Block, by: Point) {
        self.targets
            .extend(other.targets.into_iter().map(|t| Target {
                at: (t.at.0 + by.0, t.at.1 + by.1),
                ..t
            }));
        for mut item in other.items {
            let shift = |p: &mut Point| *p = (p.0 + by.0, p.1 + by.1);
            match &mut item {
                Item::Path {
                    from, control, to, ..
                } => {
                    shift(from);
                    shift(to);
                    control.iter_mut().for_each(shift);
                }
                Item::Piece { at, .. } | Item::Rectangle { at, .. } | Item::Text { at, .. } => {
                    shift(at);
                }
            }
            self.items.push(item);
        }
        self.size = (
            self.size.0.max(by.0 + other.size.0),
            self.size.1.max(by.1 + other.size.1),
        );
    }

    /// Scales everything by a factor.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Block {
        let near = |p: &mut Point| *p = (p.0 * factor, p.1 * factor);
        for item in &mut self.items {
            match item {
                Item::Path {
                    from,
                    control,
                    to,
                    width,
                    ..
                } => {
                    near(from);
                    near(to);
                    control.iter_mut().for_each(near);
                    *width *= factor;
                }
                Item::Piece { at, radius, .. } => {
                    near(at);
                    *radius *= factor;
                }
                Item::Rectangle { at, size, .. } => {
                    near(at);
                    near(size);
                }
                Item::Text { at, size, .. } => {
                    near(at);
                    *size *= factor;
                }
            }
        }
        for target in &mut self.targets {
            near(&mut target.at);
            near(&mut target.size);
        }
        near(&mut self.size);
        self
    }

    /// Shifts and sizes the block so that it contains all elements, with a margin around them.
    pub fn fit(&mut self, margin: f64) {
        let (mut low, mut high) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
        let mut cover = |p: Point, rx: f64, ry: f64| {
            low = (low.0.min(p.0 - rx), low.1.min(p.1 - ry));
            high = (high.0.max(p.0 + rx), high.1.max(p.1 + ry));
        };
        for item in &self.items {
            match item {
                Item::Path {
                    from, control, to, ..
                } => {
                    cover(*from, 2.0, 2.0);
                    cover(*to, 2.0, 2.0);
                    if let Some(c) = control {
                        // A quadratic curve reaches at most half-way to its control point.
                        let middle = (
                            f64::midpoint(f64::midpoint(from.0, to.0), c.0),
                            f64::midpoint(f64::midpoint(from.1, to.1), c.1),
                        );
                        cover(middle, 2.0, 2.0);
                    }
                }
                Item::Piece { at, radius, .. } => cover(*at, radius * 1.2, radius * 1.2),
                Item::Rectangle { at, size, .. } => {
                    cover(*at, 1.0, 1.0);
                    cover((at.0 + size.0, at.1 + size.1), 1.0, 1.0);
                }
                Item::Text {
                    at,
                    text,
                    size,
                    anchor,
                    ..
                } => {
                    let w = text_width(text, *size);
                    let middle = match anchor {
                        Anchor::Start => at.0 + w / 2.0,
                        Anchor::Middle => at.0,
                        Anchor::End => at.0 - w / 2.0,
                    };
                    cover((middle, at.1), w / 2.0, size * 0.6);
                }
            }
        }
        if low.0 > high.0 {
            return;
        }
        let all = Block {
            size: (0.0, 0.0),
            ..std::mem::take(self)
        };
        self.place(all, (margin - low.0, margin - low.1));
        self.size = (high.0 - low.0 + 2.0 * margin, high.1 - low.1 + 2.0 * margin);
    }
}

/// A whole picture.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scene {
    /// The elements.
    pub block: Block,
    /// The title.
    pub title: String,
    /// A description in words.
    pub description: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owners() -> impl Iterator<Item = Owner> {
        let players = (0..12).map(Owner::Player);
        players.chain([Owner::Shared, Owner::Nobody])
    }

    /// On white paper. WCAG 2.2 requires a contrast of 4.5 for text (1.4.3) and 3 for graphics (1.4.11).
    #[test]
    fn everything_is_seen_on_its_background() {
        let of = |ink: Ink| ink.rgb().expect("a colour");
        // A known value: grey 767676 is the lightest grey with contrast 4.5 on white.
        assert!(contrast([0x76; 3], WHITE) >= 4.5 && contrast([0x77; 3], WHITE) < 4.5);
        for ink in [Ink::Line, Ink::Faint] {
            assert!(contrast(of(ink), WHITE) >= 4.5, "{ink:?}");
        }
        assert!(contrast(of(Ink::Wall), WHITE) >= 3.0);
        for owner in owners() {
            let fill = of(Ink::Owner(owner));
            assert!(contrast(fill, WHITE) >= 3.0, "{owner:?}");
            assert!(contrast(of(Ink::On(owner)), fill) >= 4.5, "{owner:?}");
        }
        for c in 0..=255u8 {
            for color in [[c; 3], [c, 255 - c, 0], [0, c, 255 - c]] {
                assert!(contrast(of(Ink::OnRgb(color)), color) >= 4.5, "{color:?}");
            }
        }
    }

    /// In a terminal with 256 colours, 16 to 231 form a cube with these levels; 232 and above are greys.
    #[test]
    fn owners_are_read_on_a_dark_and_on_a_light_terminal() {
        for owner in owners() {
            let n = usize::from(ansi(owner));
            let level = |k: usize| [0u8, 95, 135, 175, 215, 255][k % 6];
            let color = match n {
                232.. => [8 + 10 * u8::try_from(n - 232).expect("small"); 3],
                n => [level((n - 16) / 36), level((n - 16) / 6), level(n - 16)],
            };
            for screen in [BLACK, WHITE] {
                assert!(contrast(color, screen) >= 4.5, "{owner:?}: {n}");
            }
        }
    }

    /// Without colour, owners are distinguished by the shape of pieces and the style of lines.
    #[test]
    fn owners_are_told_without_colour() {
        let all: Vec<Owner> = (0..6).map(Owner::Player).chain([Owner::Shared]).collect();
        for (i, a) in all.iter().enumerate() {
            for b in &all[..i] {
                assert_ne!(form(*a), form(*b));
                assert_ne!(dash(*a), dash(*b));
            }
        }
    }
}
