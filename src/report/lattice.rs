//! Draws the lattice of coalitions. Input: the card of a position for many players; output: a picture for each player who may
//! begin, as a scene or as text.
//!
//! Coalitions are in rows by size, the empty one at the bottom and that of all players at the top. A line joins two
//! coalitions that differ in one player. Winning coalitions are filled; the minimal ones among them have a double border. The
//! function is monotone, so every coalition above a winning one wins; it is self-dual, so rotating the picture by 180 degrees
//! exchanges winners and losers (a coalition goes to its complement).

use super::draw::layout::Point;
use super::draw::scene::{Anchor, Block, Dash, Ink, Item, Scene, dash, text_width};
use super::rows::who;
use crate::claim::{Card, Coalitions};
use crate::session::figure::Owner;
use std::fmt::Write;

/// Up to this many players, all coalitions are drawn; with more, players who make no difference are omitted.
const ALL: usize = 4;
/// The most players in a picture, which then has 64 coalitions.
const MOST: usize = 6;
/// The greatest width of panels side by side.
const WIDEST: f64 = 1100.0;
/// The height of a coalition, the height of a row with the space above it, and the margin.
const HEIGHT: f64 = 26.0;
const ROW: f64 = 64.0;
const MARGIN: f64 = 20.0;

/// The owner whose colour fills winning coalitions.
const WINNER: Owner = Owner::Player(0);

/// Draws the field of a coalition around a point, filled if it wins, with a second border if it is minimal. Returns the ink
/// for its name.
fn field(block: &mut Block, at: Point, size: Point, (wins, minimal): (bool, bool)) -> Ink {
    let mut rectangle = |room: f64, fill: Ink, border: Ink| {
        block.items.push(Item::Rectangle {
            at: (at.0 - size.0 / 2.0 - room, at.1 - size.1 / 2.0 - room),
            size: (size.0 + 2.0 * room, size.1 + 2.0 * room),
            fill,
            border,
        });
    };
    if minimal {
        rectangle(4.0, Ink::Paper, Ink::Owner(WINNER));
    }
    match wins {
        true => {
            rectangle(0.0, Ink::Owner(WINNER), Ink::Owner(WINNER));
            Ink::On(WINNER)
        }
        false => {
            rectangle(0.0, Ink::Paper, Ink::Faint);
            Ink::Line
        }
    }
}

/// Draws the legend in a row that starts at a point.
fn legend(block: &mut Block, (mut x, y): Point) {
    for (kind, text) in [
        ((true, false), "wins"),
        ((true, true), "wins, and is minimal"),
        ((false, false), "loses"),
    ] {
        field(block, (x + 10.0, y), (20.0, 12.0), kind);
        block.text((x + 30.0, y), text, 12.0, Ink::Line, Anchor::Start);
        x += 56.0 + text_width(text, 12.0);
    }
}

/// Why there is no picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoLattice {
    /// There are no coalitions: the position has two players, or a limit was met.
    Nothing,
    /// More players make a difference than a picture can show: this many.
    TooMany(usize),
}

impl std::fmt::Display for NoLattice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoLattice::Nothing => {
                f.write_str("there are no coalitions to draw: a lattice is for a position of three or more players whose winners are known")
            }
            NoLattice::TooMany(n) => write!(
                f,
                "{n} players make a difference, and a lattice of more than {MOST} is not drawn; coalitions(G, first: p) lists the minimal winning coalitions"
            ),
        }
    }
}

/// The coalitions when one given player begins.
struct Panel<'c> {
    head: String,
    /// The players in the picture.
    players: Vec<&'c str>,
    /// The players who make no difference.
    out: Vec<&'c str>,
    /// The minimal winning coalitions, as bit sets over `players`.
    minimal: Vec<u32>,
}

impl<'c> Panel<'c> {
    fn new(names: &'c [String], coalitions: &'c Coalitions) -> Result<Panel<'c>, NoLattice> {
        let matters = |name: &str| coalitions.minimal.iter().flatten().any(|m| m == name);
        let (players, out): (Vec<&str>, Vec<&str>) = names
            .iter()
            .map(String::as_str)
            .partition(|n| names.len() <= ALL || matters(n));
        if players.len() > MOST {
            return Err(NoLattice::TooMany(players.len()));
        }
        let bit = |name: &String| players.iter().position(|p| p == name);
        let bits = |c: &Vec<String>| c.iter().filter_map(bit).map(|p| 1u32 << p).sum();
        Ok(Panel {
            head: format!("{} starts: {}", coalitions.first, who(coalitions, ',')),
            minimal: coalitions.minimal.iter().map(bits).collect(),
            players,
            out,
        })
    }

    fn wins(&self, c: u32) -> bool {
        self.minimal.iter().any(|m| m & c == *m)
    }

    fn is_minimal(&self, c: u32) -> bool {
        self.minimal.contains(&c)
    }

    /// The coalitions by size, the empty one first. Each row is in increasing order, so that complements are opposite each
    /// other.
    fn rows(&self) -> Vec<Vec<u32>> {
        let n = self.players.len() as u32;
        (0..=n)
            .map(|size| {
                (0..1 << n)
                    .filter(|c: &u32| c.count_ones() == size)
                    .collect()
            })
            .collect()
    }

    fn names(&self, c: u32) -> Vec<&str> {
        (0..self.players.len())
            .filter(|p| c >> p & 1 == 1)
            .map(|p| self.players[p])
            .collect()
    }

    fn set(&self, c: u32) -> String {
        format!("{{{}}}", self.names(c).join(", "))
    }

    fn note(&self) -> Option<String> {
        match &self.out[..] {
            [] => None,
            [one] => Some(format!("{one} makes no difference")),
            several => Some(format!("{} make no difference", several.join(", "))),
        }
    }

    /// The width of a coalition, in pixels.
    fn node(&self) -> f64 {
        let all = (1u32 << self.players.len()) - 1;
        let rows = self.rows();
        let widest = rows
            .iter()
            .flatten()
            // The coalition of all players has room beside it.
            .filter(|c| **c != all)
            .map(|c| self.set(*c).chars().count())
            .max();
        (widest.unwrap_or(2) as f64 * 7.4 + 14.0).max(44.0)
    }

    fn size(&self) -> (f64, f64) {
        let rows = self.rows();
        let most = rows.iter().map(Vec::len).max().unwrap_or(1) as f64;
        let all = self.set((1 << self.players.len()) - 1).chars().count() as f64 * 7.4 + 14.0;
        let head = self.head.chars().count() as f64 * 7.6;
        let width = (most * (self.node() + 14.0)).max(all).max(head) + 2.0 * MARGIN;
        let height = rows.len() as f64 * ROW + 2.0 * MARGIN + 24.0;
        (width, height)
    }

    /// Adds the panel to a picture, with its upper left corner at a point.
    fn add(&self, block: &mut Block, (x, y): (f64, f64)) {
        let (width, height) = self.size();
        let rows = self.rows();
        let node = self.node();
        let middle = x + width / 2.0;
        block.items.push(Item::Text {
            at: (middle, y + MARGIN),
            text: self.head.clone(),
            size: 14.0,
            ink: Ink::Line,
            anchor: Anchor::Middle,
            bold: true,
            struck: false,
        });
        let place = |c: u32| {
            let row = c.count_ones() as usize;
            let at = rows[row].iter().position(|d| *d == c).unwrap_or(0) as f64;
            let count = rows[row].len() as f64;
            (
                middle + (at - (count - 1.0) / 2.0) * (node + 14.0),
                y + height - MARGIN - 24.0 - HEIGHT / 2.0 - row as f64 * ROW,
            )
        };
        let turn = Owner::Player(1);
        for c in rows.iter().flatten() {
            for p in (0..self.players.len()).filter(|p| c >> p & 1 == 0) {
                let more = c | 1 << p;
                let (ink, stroke) = match (self.wins(*c), self.wins(more)) {
                    (true, _) => (Ink::Owner(WINNER), Dash::Solid),
                    (false, true) => (Ink::Owner(turn), dash(turn)),
                    _ => (Ink::Faint, Dash::Solid),
                };
                block.items.push(Item::Path {
                    from: place(*c),
                    control: None,
                    to: place(more),
                    ink,
                    width: 1.4,
                    dash: stroke,
                    arrow: false,
                });
            }
        }
        for c in rows.iter().flatten() {
            let (cx, cy) = place(*c);
            let label = self.set(*c);
            let w = node.max(label.chars().count() as f64 * 7.4 + 14.0);
            let kind = (self.wins(*c), self.is_minimal(*c));
            let ink = field(block, (cx, cy), (w, HEIGHT), kind);
            block.text((cx, cy), label, 12.0, ink, Anchor::Middle);
        }
        if let Some(note) = self.note() {
            let at = (middle, y + height - MARGIN + 2.0);
            block.text(at, note, 12.0, Ink::Faint, Anchor::Middle);
        }
    }

    fn text(&self) -> String {
        let marked = |c: u32| {
            let mark = match (self.wins(c), self.is_minimal(c)) {
                (true, true) => "*",
                (true, false) => "+",
                _ => " ",
            };
            format!("{mark}{}", self.set(c))
        };
        let mut rows: Vec<String> = self
            .rows()
            .iter()
            .map(|row| {
                let row: Vec<String> = row.iter().map(|c| marked(*c)).collect();
                row.join("  ")
            })
            .collect();
        rows.reverse();
        let width = rows.iter().map(|r| r.chars().count()).max().unwrap_or(0);
        let mut text = format!("{}\n", self.head);
        for row in rows {
            let left = (width - row.chars().count()) / 2;
            let _ = writeln!(text, "  {}{row}", " ".repeat(left));
        }
        if let Some(note) = self.note() {
            let _ = writeln!(text, "  {note}");
        }
        text
    }
}

fn panels<'c>(card: &'c Card, names: &'c [String]) -> Result<Vec<Panel<'c>>, NoLattice> {
    if card.coalitions.is_empty() {
        return Err(NoLattice::Nothing);
    }
    let all = card.coalitions.iter();
    all.map(|c| Panel::new(names, c)).collect()
}

fn names(card: &Card) -> Vec<String> {
    card.players.iter().map(|p| p.name.clone()).collect()
}

/// The panels of a card with their corners, in rows no wider than a page.
struct Sheet<'c> {
    panels: Vec<(Panel<'c>, (f64, f64))>,
    width: f64,
    height: f64,
    /// A description in words.
    description: String,
}

fn sheet<'c>(card: &'c Card, names: &'c [String]) -> Result<Sheet<'c>, NoLattice> {
    let mut sheet = Sheet {
        panels: Vec::new(),
        width: 0.0,
        height: 0.0,
        description: String::new(),
    };
    let (mut x, mut y) = (0.0, 0.0);
    for panel in panels(card, names)? {
        let (w, h) = panel.size();
        if x > 0.0 && x + w > WIDEST {
            (x, y) = (0.0, sheet.height);
        }
        let minimal: Vec<String> = panel.minimal.iter().map(|m| panel.set(*m)).collect();
        let _ = write!(
            sheet.description,
            "{}; minimal winning coalitions {}. ",
            panel.head,
            minimal.join(" ")
        );
        sheet.panels.push((panel, (x, y)));
        x += w;
        sheet.width = sheet.width.max(x);
        sheet.height = sheet.height.max(y + h);
    }
    sheet
        .description
        .truncate(sheet.description.trim_end().len());
    Ok(sheet)
}

/// The lattices of a card as a picture: winning coalitions are filled, minimal ones have a double border.
///
/// # Errors
/// Why there is no picture.
pub fn scene(card: &Card) -> Result<Scene, NoLattice> {
    let names = names(card);
    let sheet = sheet(card, &names)?;
    let mut block = Block::default();
    for (panel, corner) in &sheet.panels {
        panel.add(&mut block, *corner);
    }
    legend(&mut block, (MARGIN, sheet.height + 14.0));
    block.fit(MARGIN);
    Ok(Scene {
        block,
        title: format!("Coalitions of {}", card.picture.text),
        description: sheet.description,
    })
}

/// The lattices of a card as text: `+` before a winning coalition, `*` before a minimal one.
///
/// # Errors
/// Why there is no picture.
pub fn text(card: &Card) -> Result<String, NoLattice> {
    let names = names(card);
    let mut text = String::new();
    for panel in panels(card, &names)? {
        text.push_str(&panel.text());
        text.push('\n');
    }
    text.push_str("+ wins, * wins and is minimal\n");
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::PlayerNote;

    fn card(names: &[&str], minimal: &[&[&str]]) -> Card {
        let own = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
        Card {
            players: own(names)
                .into_iter()
                .map(|name| PlayerNote {
                    name,
                    pieces: Vec::new(),
                    shared: Vec::new(),
                    marks: Vec::new(),
                })
                .collect(),
            coalitions: vec![Coalitions {
                first: names[0].to_owned(),
                winner: None,
                drawn: false,
                minimal: minimal.iter().map(|m| own(m)).collect(),
            }],
            ..Card::default()
        }
    }

    #[test]
    fn a_queer_position_of_three() {
        let card = card(&["A", "B", "C"], &[&["A", "B"], &["A", "C"], &["B", "C"]]);
        let expected = "A starts: queer, nobody wins alone\n         +{A, B, C}\n  *{A, B}  *{A, C}  *{B, C}\n       {A}   {B}   {C}\n              {}\n\n+ wins, * wins and is minimal\n";
        assert_eq!(text(&card).unwrap(), expected);
        // Eight coalitions, twelve lines; half of the coalitions win. The legend shows each kind once.
        let items = scene(&card).unwrap().block.items;
        let count = |f: &dyn Fn(&Item) -> bool| items.iter().filter(|i| f(i)).count();
        assert_eq!(count(&|i| matches!(i, Item::Path { .. })), 12);
        let fields = |f: Ink, b: Ink| {
            count(
                &|i| matches!(i, Item::Rectangle { fill, border, .. } if (*fill, *border) == (f, b)),
            )
        };
        let blue = Ink::Owner(WINNER);
        assert_eq!(fields(blue, blue), 4 + 2);
        assert_eq!(fields(Ink::Paper, Ink::Faint), 4 + 1);
        assert_eq!(fields(Ink::Paper, blue), 3 + 1);
    }

    #[test]
    fn a_loser_and_a_draw() {
        let mut card = card(&["A", "B", "C"], &[&["B"], &["C"]]);
        let head = |card: &Card| text(card).unwrap().lines().next().map(str::to_owned);
        let several = "A starts: B and C each win alone";
        assert_eq!(head(&card).as_deref(), Some(several));
        card.coalitions[0].minimal.clear();
        card.coalitions[0].drawn = true;
        let drawn = "A starts: a draw, each player can force that no other wins";
        assert_eq!(head(&card).as_deref(), Some(drawn));
    }

    #[test]
    fn who_makes_no_difference_is_left_out_and_names_are_escaped() {
        let names = ["<a>", "b", "c", "d", "e", "f", "g"];
        let card = card(&names, &[&["<a>", "b"], &["<a>", "c"], &["b", "c"]]);
        let text = text(&card).unwrap();
        assert!(text.contains("d, e, f, g make no difference"), "{text}");
        let svg = crate::report::draw::svg(&scene(&card).unwrap());
        assert!(svg.contains("{&lt;a&gt;, b}") && !svg.contains("<a>"));
    }

    #[test]
    fn no_picture() {
        assert_eq!(text(&Card::default()), Err(NoLattice::Nothing));
        let names = ["a", "b", "c", "d", "e", "f", "g"];
        let many = card(&names, &[&["a", "b", "c", "d", "e", "f", "g"]]);
        assert_eq!(text(&many), Err(NoLattice::TooMany(7)));
    }
}
