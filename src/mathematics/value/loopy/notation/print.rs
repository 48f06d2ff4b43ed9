//! Printing of loopy values.
//!
//! Options that are short games come first, in structural order, then the others by the colours of their graph, so that the
//! text does not depend on the history of the arena. Each vertex is written once; later occurrences are its label, or
//! `pass` for a move to itself.

use super::super::graph::{Graph, To};
use super::super::{Forms, Halt, Loops, Loopy, Name, Side};
use crate::value::notation::{Style, print as print_short};
use rustc_hash::FxHashMap;

/// A longer text is replaced by the number of vertices.
const MAX_CHARACTERS: usize = 1500;
/// A game with more vertices is not written out.
const MAX_NODES: usize = 400;
/// A game with deeper braces is not written out.
const MAX_DEPTH: usize = 100;
/// The longest bar that is written without nested braces.
const MAX_STROKES: u32 = 4;

struct Printer<'a> {
    forms: &'a Forms,
    loops: &'a Loops,
    style: Style,
    labels: FxHashMap<u32, String>,
    strokes: FxHashMap<u32, u32>,
    // Vertices with their options in the order in which they are written.
    sorted: FxHashMap<u32, [Vec<u32>; 2]>,
}

/// The text of a value.
///
/// # Errors
/// Memory or size limits.
pub fn print(forms: &Forms, loops: &mut Loops, value: Loopy, style: Style) -> Result<String, Halt> {
    if let Some(side) = value.as_one() {
        return Ok(print_side(forms, loops, side, style));
    }
    for name in [Name::Dud] {
        if loops.named(forms, name)? == value {
            return Ok(word(name, style));
        }
    }
    let on = print_side(forms, loops, value.onside, style);
    let off = print_side(forms, loops, value.offside, style);
    Ok(match style {
        Style::Latex => format!(r"{on}\mathbin{{\&}}{off}"),
        _ => format!("{on} & {off}"),
    })
}

/// The text of a stopper that has a name, perhaps next to a number and a star: `1over`, `upon*`.
#[must_use]
pub fn print_name(forms: &Forms, loops: &Loops, side: Side, style: Style) -> Option<String> {
    named(forms, loops, side.0, style)
}

/// The n-th label: a, b, .., z without v, then a1, b1, ..
#[must_use]
pub fn label(n: usize) -> String {
    let letters: Vec<char> = ('a'..='z').filter(|c| *c != 'v').collect();
    let letter = letters[n % letters.len()];
    match n / letters.len() {
        0 => letter.to_string(),
        k => format!("{letter}{k}"),
    }
}

fn word(name: Name, style: Style) -> String {
    match style {
        Style::Latex => format!(r"\mathbf{{{}}}", name.text()),
        _ => name.text().to_owned(),
    }
}

fn print_side(forms: &Forms, loops: &Loops, side: Side, style: Style) -> String {
    if let Some(g) = loops.as_short(side) {
        return print_short(forms, g, style);
    }
    if !loops.is_found(side) {
        return match style {
            Style::Latex => r"\mathrm{no\ stopper}",
            _ => "no stopper",
        }
        .to_owned();
    }
    let all = loops.followers(side.0);
    let sizes = || match style {
        Style::Latex => format!(r"\ldots({}\ \mathrm{{positions}})", all.len()),
        _ => format!("…({} positions)", all.len()),
    };
    if all.len() > MAX_NODES {
        return sizes();
    }
    let mut printer = Printer {
        forms,
        loops,
        style,
        labels: FxHashMap::default(),
        strokes: FxHashMap::default(),
        sorted: FxHashMap::default(),
    };
    printer.order(&all);
    if !printer.plan(side.0) {
        return sizes();
    }
    let mut text = String::new();
    printer.node(side.0, None, &mut text);
    match text.chars().count() > MAX_CHARACTERS {
        true => sizes(),
        false => text,
    }
}

impl Printer<'_> {
    fn short(&self, id: u32) -> Option<crate::value::CanonicalForm> {
        self.loops.as_short(Side(id))
    }

    /// Sorts all options, by colours that depend on the game alone.
    fn order(&mut self, all: &[u32]) {
        let index: FxHashMap<u32, usize> = all.iter().enumerate().map(|(i, id)| (*id, i)).collect();
        let mut shorts = Vec::new();
        for id in all {
            let node = &self.loops.nodes[*id as usize];
            shorts.extend(
                node.left
                    .iter()
                    .chain(&node.right)
                    .filter_map(|o| self.short(*o)),
            );
        }
        self.forms.sort_structurally(&mut shorts);
        shorts.dedup();
        let place = |id: u32| {
            let g = self.short(id);
            let at = g.and_then(|g| {
                let by = |h: &crate::value::CanonicalForm| self.forms.structural_cmp(*h, g);
                shorts.binary_search_by(by).ok()
            });
            at.unwrap_or(0) as u32
        };
        let mut graph = Graph::default();
        for id in all {
            let node = &self.loops.nodes[*id as usize];
            let of = |id: &u32| {
                index
                    .get(id)
                    .map_or(To::node(place(*id)), |i| To::inner(*i))
            };
            graph.push([
                node.left.iter().map(of).collect(),
                node.right.iter().map(of).collect(),
            ]);
        }
        let colour = graph.alike(&vec![0; all.len()]);
        let colour: FxHashMap<u32, u32> = all.iter().zip(colour).map(|(id, c)| (*id, c)).collect();
        let mut sorted: FxHashMap<u32, [Vec<u32>; 2]> = FxHashMap::default();
        for id in all {
            let node = &self.loops.nodes[*id as usize];
            let side = |list: &[u32]| {
                let mut list = list.to_vec();
                // A short game has no colour.
                list.sort_by_key(|id| colour.get(id).map_or((0, place(*id)), |c| (1, *c)));
                list
            };
            let sides = [side(&node.left), side(&node.right)];
            sorted.insert(*id, sides);
        }
        self.sorted = sorted;
    }

    fn has_name(&self, id: u32) -> bool {
        self.loops.shape(self.forms, Side(id)).is_some()
    }

    /// Finds the vertices that need labels and the lengths of bars. False if the text would be nested too deeply.
    fn plan(&mut self, root: u32) -> bool {
        // Vertices in the order of the text, each at its first occurrence, with the depth of its braces.
        let mut order: Vec<u32> = Vec::new();
        let mut depth: FxHashMap<u32, usize> = FxHashMap::default();
        let mut again: Vec<u32> = Vec::new();
        let mut stack = vec![(root, None, 1)];
        while let Some((id, from, d)) = stack.pop() {
            if self.short(id).is_some() || from.is_some() && self.has_name(id) {
                continue;
            }
            if depth.contains_key(&id) {
                if from != Some(id) {
                    again.push(id);
                }
                continue;
            }
            if d > MAX_DEPTH {
                return false;
            }
            depth.insert(id, d);
            order.push(id);
            let [left, right] = &self.sorted[&id];
            stack.extend(
                left.iter()
                    .chain(right)
                    .rev()
                    .map(|o| (*o, Some(id), d + 1)),
            );
        }
        for id in &order {
            if again.contains(id) {
                let label = label(self.labels.len());
                self.labels.insert(*id, label);
            }
        }
        // The deepest in the text come first, since a bar is longer than those within.
        for id in order.iter().rev() {
            let [left, right] = &self.sorted[id];
            let within = |list: &[u32]| match *list {
                [only] => self.inner_strokes(only, *id, depth[id], &depth),
                _ => 0,
            };
            let strokes = 1 + within(left).max(within(right));
            self.strokes.insert(*id, strokes);
        }
        true
    }

    /// The length of the bar of a lone option, if it is written without braces; else 0.
    fn inner_strokes(
        &self,
        option: u32,
        of: u32,
        depth: usize,
        depths: &FxHashMap<u32, usize>,
    ) -> u32 {
        if option == of || self.labels.contains_key(&option) {
            return 0;
        }
        match (self.strokes.get(&option), depths.get(&option)) {
            (Some(n), Some(d)) if *d == depth + 1 && *n < MAX_STROKES => *n,
            _ => 0,
        }
    }

    fn node(&self, id: u32, from: Option<u32>, text: &mut String) {
        if from == Some(id) {
            text.push_str(match self.style {
                Style::Latex => r"\mathrm{pass}",
                _ => "pass",
            });
            return;
        }
        if let Some(g) = self.short(id) {
            text.push_str(&print_short(self.forms, g, self.style));
            return;
        }
        if self.named(id, text) {
            return;
        }
        let (open, close) = match self.style {
            Style::Latex => (r"\{", r"\}"),
            _ => ("{", "}"),
        };
        if let Some(label) = self.labels.get(&id) {
            text.push_str(label);
            if self.is_written(id, text) {
                return;
            }
        }
        text.push_str(open);
        self.inner(id, text);
        text.push_str(close);
    }

    /// Whether a labelled vertex was already written, apart from the label at the end of the text.
    fn is_written(&self, id: u32, text: &str) -> bool {
        let open = match self.style {
            Style::Latex => r"\{",
            _ => "{",
        };
        let Some(label) = self.labels.get(&id) else {
            return false;
        };
        let definition = format!("{label}{open}");
        text.match_indices(&definition).any(|(i, _)| {
            let before = text[..i].chars().next_back();
            !before.is_some_and(char::is_alphanumeric)
        })
    }

    fn inner(&self, id: u32, text: &mut String) {
        let strokes = self.strokes.get(&id).copied().unwrap_or(1);
        let [left, right] = &self.sorted[&id];
        self.list(id, left, strokes, text);
        text.push_str(match (self.style, strokes) {
            (Style::Latex, 1) => r"\mid ",
            (Style::Latex, 2) => r"\,\|\,",
            (Style::Latex, 3) => r"\mid\mid\mid ",
            (Style::Latex, _) => r"\mid\mid\mid\mid ",
            (Style::Unicode, 2) => "‖",
            (_, 1) => "|",
            (_, 2) => "||",
            (_, 3) => "|||",
            (_, 4) => "||||",
            _ => "|||||",
        });
        self.list(id, right, strokes, text);
    }

    fn list(&self, of: u32, list: &[u32], strokes: u32, text: &mut String) {
        if let [only] = *list
            && only != of
            && !self.labels.contains_key(&only)
            && !self.has_name(only)
            && self
                .strokes
                .get(&only)
                .is_some_and(|n| *n < strokes && *n < MAX_STROKES)
        {
            self.inner(only, text);
            return;
        }
        for (i, id) in list.iter().enumerate() {
            if i > 0 {
                text.push(',');
            }
            self.node(*id, Some(of), text);
        }
    }

    fn named(&self, id: u32, text: &mut String) -> bool {
        let found = named(self.forms, self.loops, id, self.style);
        text.push_str(found.as_deref().unwrap_or_default());
        found.is_some()
    }
}

fn named(forms: &Forms, loops: &Loops, id: u32, style: Style) -> Option<String> {
    let shape = loops.shape(forms, Side(id))?;
    let zero = shape.number == crate::value::CanonicalForm::ZERO;
    let number = match zero {
        true => String::new(),
        false => print_short(forms, shape.number, style),
    };
    let name = word(shape.name, style);
    let star = match (shape.star, style) {
        (false, _) => "",
        (true, Style::Ascii) => "*",
        (true, Style::Unicode) => "∗",
        (true, Style::Latex) => r"\ast",
    };
    // A negative upon is written on its own or after the number.
    let down = match (shape.negative, style) {
        (false, _) => None,
        (true, Style::Latex) => Some(r"\downarrow^{[\mathbf{on}]}"),
        (true, _) => Some("v[on]"),
    };
    Some(format!("{number}{}{star}", down.unwrap_or(&name)))
}
