//! Draws the semilattice of the idempotents of a misère quotient. Input: the idempotents; output: a scene or text.

use super::draw::layout::Point;
use super::draw::scene::{Anchor, Block, Ink, Item, Scene, text_width};
use crate::claim::Idempotent;
use crate::session::figure::Owner;
use std::fmt::Write;

/// The height of a node, the height of a row with the space above it, the space between nodes, and the margin.
const HEIGHT: f64 = 40.0;
const ROW: f64 = 84.0;
const GAP: f64 = 18.0;
const MARGIN: f64 = 20.0;
/// The owner whose colour fills idempotents with P-positions in their component.
const HAS_P: Owner = Owner::Player(0);

/// The semilattice of idempotents.
#[derive(Debug)]
pub struct Idempotents<'i> {
    /// The ruleset.
    pub of: &'i str,
    /// The idempotents.
    pub all: &'i [Idempotent],
}

impl Idempotents<'_> {
    fn rows(&self) -> Vec<Vec<usize>> {
        let deepest = self.all.iter().map(|n| n.depth).max().unwrap_or(0);
        let places = 0..self.all.len();
        (0..=deepest)
            .map(|d| places.clone().filter(|e| self.all[*e].depth == d).collect())
            .collect()
    }

    fn names(&self, of: &[usize]) -> String {
        let names = of.iter().map(|f| self.all[*f].name.as_str());
        names.collect::<Vec<_>>().join(", ")
    }

    /// A table: each idempotent with the size of its component, the number of P-positions in it, and the idempotents directly
    /// above.
    #[must_use]
    pub fn text(&self) -> String {
        let wide = self.all.iter().map(|n| n.name.chars().count()).max();
        let wide = wide.unwrap_or(0).max("idempotent".len());
        let mut text = format!("{:wide$}  elements  in P  directly below\n", "idempotent");
        for e in self.rows().into_iter().flatten() {
            let n = &self.all[e];
            let line = format!(
                "{:wide$}  {:>8}  {:>4}  {}",
                n.name,
                n.elements,
                n.p,
                self.names(&n.below)
            );
            let _ = writeln!(text, "{}", line.trim_end());
        }
        text
    }

    /// The Hasse diagram, the identity at the top. Components with P-positions are filled.
    #[must_use]
    pub fn scene(&self) -> Scene {
        let rows = self.rows();
        let label = |n: &Idempotent| {
            let elements = if n.elements == 1 {
                "element"
            } else {
                "elements"
            };
            format!("{} {elements}, {} in P", n.elements, n.p)
        };
        let width =
            |n: &Idempotent| text_width(&n.name, 13.0).max(text_width(&label(n), 11.0)) + 16.0;
        let node = self.all.iter().map(width).fold(0.0, f64::max);
        let most = rows.iter().map(Vec::len).max().unwrap_or(1) as f64;
        let middle = MARGIN + most * (node + GAP) / 2.0;
        let mut places: Vec<Point> = vec![(0.0, 0.0); self.all.len()];
        for (depth, row) in rows.iter().enumerate() {
            for (at, e) in row.iter().enumerate() {
                let from_middle = at as f64 - (row.len() as f64 - 1.0) / 2.0;
                places[*e] = (
                    middle + from_middle * (node + GAP),
                    MARGIN + HEIGHT / 2.0 + depth as f64 * ROW,
                );
            }
        }
        let mut block = Block::default();
        for (e, n) in self.all.iter().enumerate() {
            for f in &n.below {
                block.line(places[e], places[*f], Ink::Faint, 1.4);
            }
        }
        for (n, (x, y)) in self.all.iter().zip(&places) {
            let (fill, ink) = match n.p {
                0 => (Ink::Paper, Ink::Line),
                _ => (Ink::Owner(HAS_P), Ink::On(HAS_P)),
            };
            block.items.push(Item::Rectangle {
                at: (x - node / 2.0, y - HEIGHT / 2.0),
                size: (node, HEIGHT),
                fill,
                border: Ink::Line,
            });
            block.text((*x, y - 8.0), n.name.as_str(), 13.0, ink, Anchor::Middle);
            block.text((*x, y + 9.0), label(n), 11.0, ink, Anchor::Middle);
        }
        block.fit(MARGIN);
        let all = self.all.iter().map(|n| match n.below[..] {
            [] => format!("{} is the greatest", n.name),
            _ => format!("{} lies directly below {}", n.name, self.names(&n.below)),
        });
        Scene {
            block,
            title: format!("Idempotents of the misère quotient of {}", self.of),
            description: format!("{}.", all.collect::<Vec<_>>().join("; ")),
        }
    }
}
