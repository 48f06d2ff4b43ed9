//! Draws a table as a heat map: a field for each value, with the value in it, and a legend below. If the values are numbers
//! or nimbers, the colour shows their size (the darker, the smaller); otherwise it distinguishes the most frequent values.

use super::{Grid, grid};
use crate::claim::Table;
use crate::report::draw::scene::{Anchor, Block, Ink, Item, Scene, text_width};
use std::collections::HashMap;

/// The side of a field.
const SIDE: f64 = 28.0;
/// The height of letters.
const TEXT: f64 = 12.0;
/// A longer value, in characters, is written in the legend, and its field shows a sign for it.
const LONG: usize = 12;
/// The most signs that the legend explains; further long values are truncated.
const MOST_SIGNS: usize = 80;
/// The most values with their own fields in the legend.
const MOST_KINDS: usize = 12;
/// The least width of the legend.
const LEGEND: f64 = 420.0;

/// Colours from dark to light whose order remains visible in grey and to colour-blind readers (viridis).
const SCALE: [[u8; 3]; 5] = [
    [68, 1, 84],
    [59, 82, 139],
    [33, 145, 140],
    [94, 201, 98],
    [253, 231, 37],
];

/// Colours for unordered values: light, for black letters.
const KINDS: [[u8; 3]; MOST_KINDS] = [
    [0xA6, 0xCE, 0xE3],
    [0xFD, 0xBF, 0x6F],
    [0xB2, 0xDF, 0x8A],
    [0xFB, 0x9A, 0x99],
    [0xCA, 0xB2, 0xD6],
    [0xFF, 0xFF, 0x99],
    [0x8D, 0xD3, 0xC7],
    [0xE5, 0xC4, 0x94],
    [0xD9, 0xD9, 0xD9],
    [0x80, 0xB1, 0xD3],
    [0xFC, 0xCD, 0xE5],
    [0xB3, 0xB3, 0x4D],
];

/// The colour of other values in a table of numbers.
const OTHER: [u8; 3] = [0xE0; 3];

fn colour(part: f64) -> [u8; 3] {
    let x = part.clamp(0.0, 1.0) * (SCALE.len() - 1) as f64;
    let i = (x as usize).min(SCALE.len() - 2);
    let (a, b) = (SCALE[i], SCALE[i + 1]);
    std::array::from_fn(|k| {
        let (a, b) = (f64::from(a[k]), f64::from(b[k]));
        (a + (b - a) * (x - i as f64)).round() as u8
    })
}

/// An approximation of a number such as `-3/4`.
pub(crate) fn number(text: &str) -> Option<f64> {
    let (minus, rest) = match text.strip_prefix(['-', '−']) {
        Some(rest) => (-1.0, rest),
        None => (1.0, text),
    };
    let (above, below) = rest.split_once('/').unwrap_or((rest, "1"));
    let whole = |t: &str| {
        let digits = !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
        // Larger numbers than this type holds are clamped.
        digits.then(|| t.parse().unwrap_or(f64::MAX).min(1e300))
    };
    Some(minus * whole(above)? / whole(below)?.max(1.0))
}

/// The n of `*n`.
pub(crate) fn nimber(text: &str) -> Option<f64> {
    match text.strip_prefix(['*', '∗']) {
        Some("") => Some(1.0),
        Some(n) => number(n).filter(|n| *n > 1.0),
        None => (text == "0").then_some(0.0),
    }
}

/// The distinct values of a table, the most frequent first (ties by first occurrence).
struct Kinds<'t> {
    all: Vec<&'t str>,
    index: HashMap<&'t str, usize>,
    /// Their sizes, where sizes are compared.
    sizes: Vec<Option<f64>>,
    least: f64,
    most: f64,
}

impl<'t> Kinds<'t> {
    fn of(grid: &'t Grid) -> Kinds<'t> {
        let mut count: HashMap<&str, (usize, usize)> = HashMap::new();
        for value in grid.cells.iter().flatten().flatten() {
            let met = count.len();
            count.entry(value).or_insert((0, met)).0 += 1;
        }
        let mut all: Vec<&str> = count.keys().copied().collect();
        all.sort_by_key(|k| {
            let (times, met) = count[k];
            (std::cmp::Reverse(times), met)
        });
        let sized = |f: fn(&str) -> Option<f64>| all.iter().map(|k| f(k)).collect::<Vec<_>>();
        let known = |sizes: &[Option<f64>]| sizes.iter().flatten().count();
        let (numbers, nimbers) = (sized(number), sized(nimber));
        let sizes = if known(&nimbers) == all.len() && known(&nimbers) > known(&numbers) {
            nimbers
        } else if 2 * known(&numbers) >= all.len() && known(&numbers) >= all.len().min(2) {
            numbers
        } else {
            vec![None; all.len()]
        };
        let found = || sizes.iter().flatten().copied();
        let (least, most) = (
            found().fold(f64::INFINITY, f64::min),
            found().fold(f64::NEG_INFINITY, f64::max),
        );
        Kinds {
            index: all.iter().enumerate().map(|(i, k)| (*k, i)).collect(),
            all,
            sizes,
            least,
            most,
        }
    }

    fn ordered(&self) -> bool {
        self.sizes.iter().any(Option::is_some)
    }

    /// The position of a size on the scale, from 0 to 1. Halving keeps differences of large numbers finite.
    fn part(&self, size: f64) -> f64 {
        let span = self.most / 2.0 - self.least / 2.0;
        if span > 0.0 {
            (size / 2.0 - self.least / 2.0) / span
        } else {
            0.5
        }
    }

    fn colour(&self, kind: usize) -> Option<[u8; 3]> {
        match self.sizes[kind] {
            Some(size) => Some(colour(self.part(size))),
            None if self.ordered() => Some(OTHER),
            None => KINDS.get(kind).copied(),
        }
    }
}

/// Signs for long values: `a`, `b`, .., `z`, `aa`, ..
fn sign(mut n: usize) -> String {
    let mut out = Vec::new();
    loop {
        out.push(b'a' + (n % 26) as u8);
        match n / 26 {
            0 => break,
            more => n = more - 1,
        }
    }
    out.iter().rev().map(|b| char::from(*b)).collect()
}

fn long(text: &str) -> bool {
    text.chars().count() > LONG
}

/// The text in the field of each kind.
fn shown(kinds: &Kinds<'_>) -> Vec<String> {
    let mut signs = 0;
    let all = kinds.all.iter().map(|k| {
        if !long(k) {
            return (*k).to_owned();
        }
        signs += 1;
        if signs <= MOST_SIGNS {
            sign(signs - 1)
        } else {
            let start: String = k.chars().take(LONG - 1).collect();
            format!("{start}…")
        }
    });
    all.collect()
}

fn field(block: &mut Block, at: (f64, f64), size: (f64, f64), colour: Option<[u8; 3]>, text: &str) {
    block.items.push(Item::Rectangle {
        at,
        size,
        fill: colour.map_or(Ink::Paper, Ink::Rgb),
        border: Ink::Paper,
    });
    let middle = (at.0 + size.0 / 2.0, at.1 + size.1 / 2.0);
    let ink = colour.map_or(Ink::Line, Ink::OnRgb);
    block.text(middle, text, TEXT, ink, Anchor::Middle);
}

/// The picture; `None` for a table over three or more binders, or one that is mostly empty.
#[must_use]
pub fn heat_map(table: &Table) -> Option<Scene> {
    let grid = match &table.names[..] {
        [name] => Grid {
            corner: [String::new(), name.clone()],
            rows: vec![String::new()],
            columns: table.rows.iter().map(|r| r.keys.concat()).collect(),
            cells: vec![table.rows.iter().map(|r| r.value.clone()).collect()],
        },
        _ => grid(table)?,
    };
    let kinds = Kinds::of(&grid);
    let shown = shown(&kinds);
    let words: Vec<&str> = table.expression.split_whitespace().collect();
    let title = words.join(" ");
    let mut block = Block::default();
    block.text((0.0, 0.0), title.clone(), TEXT, Ink::Line, Anchor::Start);
    let corner = match grid.corner[0].is_empty() {
        true => grid.corner[1].clone(),
        false => format!("{} \\ {}", grid.corner[0], grid.corner[1]),
    };
    let wide = |text: &str| text_width(text, TEXT) + 10.0;
    let left = grid
        .rows
        .iter()
        .map(|t| wide(t))
        .fold(wide(&corner), f64::max);
    let (head, top) = (SIDE, 1.5 * SIDE);
    let mut place = |at: (f64, f64), text: &str, anchor: Anchor| {
        block.text(at, text, TEXT, Ink::Line, anchor);
    };
    place((left - 6.0, head), &corner, Anchor::End);
    for (i, key) in grid.rows.iter().enumerate() {
        place(
            (left - 6.0, top + SIDE * (i as f64 + 0.5)),
            key,
            Anchor::End,
        );
    }
    // Each column is as wide as its contents.
    let mut x = left;
    for (j, key) in grid.columns.iter().enumerate() {
        let cells = || grid.cells.iter().map(|row| row[j].as_deref());
        let kind = |value: &str| kinds.index.get(value).copied();
        let width = cells()
            .flatten()
            .filter_map(kind)
            .map(|k| wide(&shown[k]))
            .fold(wide(key).max(SIDE), f64::max);
        block.text(
            (x + width / 2.0, head),
            key,
            TEXT,
            Ink::Line,
            Anchor::Middle,
        );
        for (i, value) in cells().enumerate() {
            let Some(k) = value.and_then(kind) else {
                continue;
            };
            let at = (x, top + SIDE * i as f64);
            field(&mut block, at, (width, SIDE), kinds.colour(k), &shown[k]);
        }
        x += width;
    }
    let below = top + SIDE * (grid.rows.len() as f64 + 0.5);
    legend(&mut block, &kinds, &shown, below, x.max(LEGEND));
    block.fit(8.0);
    let colours = match kinds.ordered() {
        true => "the darker a field the smaller its number",
        false => "fields of the same value have the same colour",
    };
    Some(Scene {
        block,
        description: format!(
            "A table of {} rows and {} columns with {} different values; {colours}.",
            grid.rows.len(),
            grid.columns.len(),
            kinds.all.len()
        ),
        title,
    })
}

/// Draws the legend of colours and signs.
fn legend(block: &mut Block, kinds: &Kinds<'_>, shown: &[String], mut y: f64, width: f64) {
    if kinds.ordered() {
        scale(block, kinds, y);
        y += SIDE * 1.5;
    }
    let own = |k: usize| !kinds.ordered() && kinds.colour(k).is_some();
    let mut x = 0.0;
    for (k, value) in kinds.all.iter().enumerate() {
        let signed = long(value) && !shown[k].ends_with('…');
        if !(signed || own(k) && kinds.all.len() > 1) {
            continue;
        }
        let text = format!(" {value}");
        let side = SIDE - 4.0;
        let wide = side + text_width(&text, TEXT) + 16.0;
        if x > 0.0 && x + wide > width {
            (x, y) = (0.0, y + SIDE);
        }
        let mark = if signed { shown[k].as_str() } else { "" };
        field(block, (x, y), (side, SIDE - 6.0), kinds.colour(k), mark);
        let at = (x + side + 2.0, y + SIDE / 2.0 - 3.0);
        block.text(at, text, TEXT, Ink::Line, Anchor::Start);
        x += wide;
    }
}

/// Draws a bar of the colours, with the numbers that they represent.
fn scale(block: &mut Block, kinds: &Kinds<'_>, y: f64) {
    let mut sized: Vec<(f64, &str)> = kinds
        .sizes
        .iter()
        .zip(&kinds.all)
        .filter_map(|(size, text)| Some(((*size)?, *text)))
        .collect();
    sized.sort_by(|a, b| a.0.total_cmp(&b.0));
    const STEPS: usize = 40;
    let step = LEGEND * 0.75 / STEPS as f64;
    for i in 0..STEPS {
        let part = (i as f64 + 0.5) / STEPS as f64;
        block.items.push(Item::Rectangle {
            at: (step * i as f64, y),
            // An overlap avoids seams between the steps.
            size: (step + 0.5, SIDE / 2.0),
            fill: Ink::Rgb(colour(part)),
            border: Ink::None,
        });
    }
    // Labels the ends first, then zero, then what fits between.
    let zero = sized.iter().find(|s| s.0 == 0.0).copied();
    let ends = sized.first().into_iter().chain(sized.last()).copied();
    let mut told: Vec<(f64, f64)> = Vec::new();
    for (size, text) in ends.chain(zero).chain(sized.iter().copied()) {
        let x = kinds.part(size) * step * STEPS as f64;
        let half = text_width(text, TEXT) / 2.0 + 4.0;
        if long(text) || told.iter().any(|(at, w)| (at - x).abs() < w + half) {
            continue;
        }
        block.line(
            (x, y + SIDE / 2.0),
            (x, y + SIDE / 2.0 + 4.0),
            Ink::Line,
            1.0,
        );
        block.text(
            (x, y + SIDE / 2.0 + 12.0),
            text,
            TEXT,
            Ink::Line,
            Anchor::Middle,
        );
        told.push((x, half));
    }
    if sized.len() < kinds.all.len() {
        let at = (step * STEPS as f64 + 24.0, y);
        field(block, at, (SIDE - 4.0, SIDE / 2.0), Some(OTHER), "");
        let at = (at.0 + SIDE, y + SIDE / 4.0);
        block.text(at, "no number", TEXT, Ink::Line, Anchor::Start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::Row;

    fn table(values: &[&str]) -> Table {
        let rows = values.iter().enumerate().map(|(i, v)| Row {
            keys: vec![i.to_string()],
            value: Some((*v).to_owned()),
        });
        Table {
            name: None,
            source: None,
            expression: "f(n)".to_owned(),
            names: vec!["n".to_owned()],
            rows: rows.collect(),
            complete: true,
        }
    }

    /// The fields with their colours and widths, from left to right.
    fn fields(values: &[&str]) -> Vec<(Ink, f64)> {
        let scene = heat_map(&table(values)).expect("one binder");
        let fields = scene.block.items.iter().filter_map(|i| match i {
            Item::Rectangle { size, fill, .. } if size.1 == SIDE => Some((*fill, size.0)),
            _ => None,
        });
        fields.collect()
    }

    fn lightness(ink: Ink) -> f64 {
        let c = ink.rgb().expect("a colour");
        crate::report::draw::scene::contrast(c, [0; 3])
    }

    #[test]
    fn numbers_are_coloured_by_size_not_by_turn() {
        // The values in order of size: the second, the fourth, the first, the third.
        for values in [["1/2", "-3", "10", "-1/4"], ["*2", "0", "*12", "*"]] {
            let all: Vec<f64> = fields(&values).iter().map(|f| lightness(f.0)).collect();
            assert!(
                all[1] < all[3] && all[3] < all[0] && all[0] < all[2],
                "{all:?}"
            );
        }
        assert_eq!(number("-3/4"), Some(-0.75));
        assert_eq!(
            (number("{1|0}"), number("*2"), number("")),
            (None, None, None)
        );
        assert_eq!(
            (nimber("*"), nimber("∗3"), nimber("1")),
            (Some(1.0), Some(3.0), None)
        );
    }

    #[test]
    fn a_long_value_widens_nothing_and_stands_in_the_legend() {
        let long = "{{5|3},{4|2}||{1|-1}}";
        let all = fields(&["1", long, "2", "3"]);
        assert_eq!(all[0].1, SIDE);
        assert!(all[1].1 <= SIDE, "{all:?}");
        assert_eq!(all[1].0, Ink::Rgb(OTHER));
        let scene = heat_map(&table(&["1", long, "2", "3"])).expect("one binder");
        let told = scene.block.items.iter().any(|i| match i {
            Item::Text { text, .. } => text.trim() == long,
            _ => false,
        });
        assert!(told);
    }

    #[test]
    fn words_are_told_apart_and_signs_are_letters() {
        let all = fields(&["P-position", "N-position", "P-position"]);
        assert!(all[0].0 == all[2].0 && all[0].0 != all[1].0);
        assert_eq!(
            [sign(0), sign(25), sign(26), sign(701)],
            ["a", "z", "aa", "zz"]
        );
    }
}
