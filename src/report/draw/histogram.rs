//! Draws histograms. Input: names with counts (how many positions have a value, a temperature, an outcome); output: a scene
//! for SVG, TikZ and Typst, or lines of characters. Numbers are placed on an axis and nimbers in order; other names are bars,
//! the most frequent first.

use super::plot::{Axis, SIZE, TEXT, axes};
use super::scene::{Anchor, Block, Ink, Item, Scene, text_width};
use crate::session::figure::Owner;

/// The most bars; the least frequent names beyond it are combined.
const MOST: usize = 24;
/// The most characters of a name beside its bar.
const LONGEST: usize = 40;
/// The height of a bar beside its name, including the gap.
const ROW: f64 = 22.0;
/// The colour of all bars.
const INK: Ink = Ink::Owner(Owner::Player(0));

/// One bar.
#[derive(Clone, PartialEq, Debug)]
struct Bar {
    name: String,
    /// Its number, if all names are numbers.
    number: Option<f64>,
    count: u64,
}

/// Counts by name.
#[derive(Clone, PartialEq, Debug)]
pub struct Histogram {
    title: String,
    /// The property that is counted, and the things that are counted.
    axes: [String; 2],
    bars: Vec<Bar>,
    /// The number of names combined in the last bar, and their total count.
    rest: Option<(usize, u64)>,
}

/// A name, shortened to fit beside a bar.
fn short(name: &str) -> String {
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    let kept: String = name.chars().take(LONGEST - 2).collect();
    format!("{kept}..")
}

impl Histogram {
    /// A histogram of counts by name. `number` and `nimber` read a name as a number or a nimber, if it is one.
    #[must_use]
    pub fn new(
        title: String,
        axes: [String; 2],
        counts: impl IntoIterator<Item = (String, u64)>,
        (number, nimber): (fn(&str) -> Option<f64>, fn(&str) -> Option<f64>),
    ) -> Histogram {
        let all: Vec<(String, u64)> = counts.into_iter().collect();
        let read = |of: fn(&str) -> Option<f64>| -> Option<Vec<f64>> {
            all.iter().map(|(name, _)| of(name)).collect()
        };
        let (numbers, nimbers) = (read(number), read(nimber));
        let keys = numbers.as_ref().or(nimbers.as_ref()).cloned();
        let on_axis = numbers.is_some();
        let mut bars: Vec<(Option<f64>, Bar)> = all
            .into_iter()
            .enumerate()
            .map(|(i, (name, count))| {
                let key = keys.as_ref().map(|k| k[i]);
                let number = key.filter(|_| on_axis);
                let bar = Bar {
                    name,
                    number,
                    count,
                };
                (key, bar)
            })
            .collect();
        // Names with equal counts stay in input order.
        bars.sort_by_key(|(_, bar)| std::cmp::Reverse(bar.count));
        let most = if on_axis { usize::MAX } else { MOST };
        let rest = (bars.len() > most).then(|| {
            let rest = bars.split_off(MOST - 1);
            (rest.len(), rest.iter().map(|(_, b)| b.count).sum())
        });
        if keys.is_some() {
            bars.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(std::cmp::Ordering::Equal));
        }
        Histogram {
            title,
            axes,
            bars: bars.into_iter().map(|(_, bar)| bar).collect(),
            rest,
        }
    }

    /// All bars with their names; the combined bar is last.
    fn rows(&self) -> Vec<(String, u64)> {
        let mut rows: Vec<(String, u64)> = self
            .bars
            .iter()
            .map(|b| (short(&b.name), b.count))
            .collect();
        if let Some((names, count)) = self.rest {
            rows.push((format!("{names} others"), count));
        }
        rows
    }

    /// A description in words.
    #[must_use]
    pub fn description(&self) -> String {
        const SAID: usize = 12;
        let rows = self.rows();
        let said: Vec<String> = rows
            .iter()
            .take(SAID)
            .map(|(name, count)| format!("{name}: {count}"))
            .collect();
        let more = match rows.len() > SAID {
            true => format!(" and {} more bars", rows.len() - SAID),
            false => String::new(),
        };
        format!(
            "{} by {}. {}{more}.",
            self.axes[1],
            self.axes[0],
            said.join(", ")
        )
    }

    /// The histogram as a scene.
    #[must_use]
    pub fn scene(&self) -> Scene {
        let mut block = Block::default();
        let numbers: Option<Vec<(f64, u64)>> = self
            .bars
            .iter()
            .map(|b| Some((b.number?, b.count)))
            .collect();
        match numbers.filter(|n| !n.is_empty()) {
            Some(numbers) => self.columns(&mut block, &numbers),
            None => self.beside_names(&mut block),
        }
        block.fit(10.0);
        Scene {
            block,
            title: self.title.clone(),
            description: self.description(),
        }
    }

    /// Draws a column over each number.
    fn columns(&self, block: &mut Block, numbers: &[(f64, u64)]) {
        let (low, high) = (numbers[0].0, numbers[numbers.len() - 1].0);
        let gap = numbers
            .windows(2)
            .map(|w| w[1].0 - w[0].0)
            .fold(high - low, f64::min);
        // Room for the outermost columns.
        let half = if gap > 0.0 { gap / 2.0 } else { 0.5 };
        let across = Axis::over([low - half, high + half].into_iter(), 10.0);
        let up = Axis::over(
            [0.0, numbers.iter().map(|n| n.1).max().unwrap_or(1) as f64].into_iter(),
            8.0,
        );
        let width = (0.8 * gap / (across.high - across.low) * SIZE.0).clamp(2.0, 40.0);
        axes(block, (across, up), &self.axes);
        for (number, count) in numbers {
            let height = up.part(*count as f64) * SIZE.1;
            block.items.push(Item::Rectangle {
                at: (across.part(*number) * SIZE.0 - width / 2.0, SIZE.1 - height),
                size: (width, height),
                fill: INK,
                border: Ink::None,
            });
        }
        let middle = (SIZE.0 / 2.0, -26.0);
        block.text(middle, self.title.clone(), 14.0, Ink::Line, Anchor::Middle);
    }

    /// Draws a bar beside each name, with its count at its end.
    fn beside_names(&self, block: &mut Block) {
        let rows = self.rows();
        let most = rows.iter().map(|r| r.1).max().unwrap_or(1).max(1) as f64;
        for (i, (name, count)) in (0u32..).zip(&rows) {
            let y = ROW * f64::from(i);
            let length = (*count as f64 / most * SIZE.0).max(1.0);
            let rest = self.rest.is_some() && i as usize + 1 == rows.len();
            block.items.push(Item::Rectangle {
                at: (0.0, y - ROW * 0.36),
                size: (length, ROW * 0.72),
                fill: if rest { Ink::Faint } else { INK },
                border: Ink::None,
            });
            block.text((-8.0, y), name.clone(), TEXT, Ink::Line, Anchor::End);
            let at = (length + 6.0, y);
            block.text(at, count.to_string(), TEXT, Ink::Faint, Anchor::Start);
        }
        let widest = rows.iter().map(|r| text_width(&r.0, TEXT));
        let left = -8.0 - widest.fold(0.0, f64::max);
        block.text(
            (left, -ROW),
            self.axes[0].clone(),
            TEXT,
            Ink::Faint,
            Anchor::Start,
        );
        block.text(
            (0.0, -ROW),
            self.axes[1].clone(),
            TEXT,
            Ink::Faint,
            Anchor::Start,
        );
        let middle = (SIZE.0 / 2.0, -ROW - 24.0);
        block.text(middle, self.title.clone(), 14.0, Ink::Line, Anchor::Middle);
    }

    /// The histogram in characters, at most `columns` columns wide.
    #[must_use]
    pub fn text(&self, columns: usize) -> String {
        let rows = self.rows();
        let wide = |text: &str| text.chars().count();
        let names = rows
            .iter()
            .map(|r| wide(&r.0))
            .chain([wide(&self.axes[0])])
            .max()
            .unwrap_or(0);
        let counts = rows
            .iter()
            .map(|r| r.1.to_string().len())
            .chain([wide(&self.axes[1])])
            .max()
            .unwrap_or(0);
        let room = columns
            .clamp(24, 200)
            .saturating_sub(names + counts + 4)
            .max(8);
        let most = rows.iter().map(|r| r.1).max().unwrap_or(1).max(1);
        let gap = " ".repeat(names - wide(&self.axes[0]));
        let mut out = format!("{}{gap}  {:>counts$}\n", self.axes[0], self.axes[1]);
        for (name, count) in &rows {
            let length = (*count as f64 / most as f64 * room as f64).round() as usize;
            let bar = "#".repeat(length.max(usize::from(*count > 0)));
            let gap = " ".repeat(names - wide(name));
            out.push_str(format!("{name}{gap}  {count:>counts$}  {bar}").trim_end());
            out.push('\n');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Option<f64> {
        text.parse().ok()
    }

    fn none(_: &str) -> Option<f64> {
        None
    }

    fn of(counts: &[(&str, u64)]) -> Histogram {
        let counts = counts.iter().map(|(n, c)| ((*n).to_owned(), *c));
        let axes = ["value".to_owned(), "positions".to_owned()];
        Histogram::new("All".to_owned(), axes, counts, (whole, none))
    }

    #[test]
    fn numbers_stand_in_their_order_and_names_by_their_counts() {
        let text = of(&[("2", 1), ("-1", 4), ("0", 2)]).text(40);
        let names: Vec<&str> = text
            .lines()
            .skip(1)
            .filter_map(|l| l.split_whitespace().next())
            .collect();
        assert_eq!(names, ["-1", "0", "2"]);
        let text = of(&[("up", 1), ("*", 4), ("0", 2)]).text(40);
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[1].starts_with("*") && lines[3].starts_with("up"),
            "{text}"
        );
        let bar = |line: &str| line.matches('#').count();
        assert_eq!(bar(lines[1]), 2 * bar(lines[2]), "{text}");
        assert!(lines.iter().all(|l| l.chars().count() <= 40), "{text}");
    }

    #[test]
    fn rare_names_are_put_together() {
        let names: Vec<String> = (0..60).map(|i| format!("g{i}")).collect();
        let counts: Vec<(&str, u64)> = names.iter().map(|n| (n.as_str(), 1)).collect();
        let histogram = of(&counts);
        let rows = histogram.rows();
        assert_eq!(rows.len(), MOST);
        assert_eq!(
            rows[MOST - 1],
            (format!("{} others", 61 - MOST), 61 - MOST as u64)
        );
        assert_eq!(rows.iter().map(|r| r.1).sum::<u64>(), 60);
    }

    #[test]
    fn a_column_is_as_high_as_its_count() {
        let scene = of(&[("0", 10), ("1", 5), ("3", 0)]).scene();
        let heights: Vec<f64> = scene
            .block
            .items
            .iter()
            .filter_map(|i| match i {
                Item::Rectangle { size, .. } => Some(size.1),
                _ => None,
            })
            .collect();
        assert!((heights[0] - 2.0 * heights[1]).abs() < 1e-9 && heights[2].abs() < 1e-9);
    }
}
