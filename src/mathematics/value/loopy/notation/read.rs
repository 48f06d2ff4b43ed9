//! Reading of loopy values. Braces become vertices of a graph, whose labels are valid within the outermost braces.
//! Everything else is read as a value, by the reader of short games where it contains no loopy word.

use super::super::{Edge, Forms, Halt, Loops, Loopy, Mode, Moves, Name};
use super::is_label;
use crate::value::CanonicalForm;
use crate::value::notation::{MAX_DEPTH, MAX_TEXT, ReadError, read as read_short};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::ops::Range;

type Read<T> = Result<T, ReadError>;

/// The greatest number of vertices in a text.
const MAX_VERTICES: usize = 1 << 12;

fn error(span: Range<usize>, message: impl Into<String>) -> ReadError {
    ReadError {
        span,
        message: message.into(),
        help: None,
        limit: false,
    }
}

fn halted(span: Range<usize>, halt: Halt) -> ReadError {
    ReadError {
        limit: true,
        ..error(span, halt.to_string())
    }
}

/// Whether a text is about loopy games: it has a label, `&`, `pass` or the name of a loopy value.
#[must_use]
pub fn is_loopy(text: &str) -> bool {
    if text.contains('&') {
        return true;
    }
    let bytes = text.as_bytes();
    words(text).any(|w| {
        let word = &text[w.clone()];
        Name::from_text(word).is_some()
            || word == "pass"
            || (is_label(word) && bytes.get(w.end) == Some(&b'{'))
    })
}

/// The maximal runs of letters. Digits after a run that could be a label belong to it.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &text[at..];
        let from = at + rest.find(|c: char| c.is_ascii_alphabetic())?;
        let letters = text[from..].find(|c: char| !c.is_ascii_alphabetic());
        let mut end = letters.map_or(text.len(), |n| from + n);
        if is_label(&text[from..end]) {
            let digits = text[end..].find(|c: char| !c.is_ascii_digit());
            end = digits.map_or(text.len(), |n| end + n);
        }
        at = end;
        Some(from..end)
    })
}

/// Reads a value, loopy or short.
///
/// # Errors
/// Texts that are not a value, and limits, as for short games.
pub fn read(forms: &Forms, loops: &mut Loops, text: &str) -> Read<Loopy> {
    if text.len() > MAX_TEXT {
        let span = 0..text.len();
        return Err(error(
            span,
            format!("the text is longer than {MAX_TEXT} bytes"),
        ));
    }
    if !is_loopy(text) {
        let g = read_short(forms, text)?;
        let side = loops.short(g).map_err(|h| halted(0..text.len(), h))?;
        return Ok(Loopy::of(side));
    }
    let mut reader = Reader {
        forms,
        loops,
        text,
        at: 0,
        depth: 0,
    };
    let value = reader.whole()?;
    reader.space();
    match reader.at < text.len() {
        true => Err(reader.unexpected("an operator or the end")),
        false => Ok(value),
    }
}

/// The graph built from the braces of one text.
#[derive(Default)]
struct Sketch {
    vertices: Vec<Moves>,
    labels: FxHashMap<String, (usize, bool)>,
    // Every use of a label as an option, so that undefined labels can be reported.
    used: Vec<(String, Range<usize>)>,
}

#[derive(Clone, Copy)]
enum Item {
    Pass,
    To(Edge),
}

struct Reader<'a> {
    forms: &'a Forms,
    loops: &'a mut Loops,
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn space(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn peek(&mut self) -> Option<char> {
        self.space();
        self.text[self.at..].chars().next()
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn unexpected(&mut self, wanted: &str) -> ReadError {
        match self.peek() {
            None => error(
                self.text.len()..self.text.len(),
                format!("the text ends, but {wanted} is expected"),
            ),
            Some(c) => error(
                self.at..self.at + c.len_utf8(),
                format!("`{c}` stands where {wanted} is expected"),
            ),
        }
    }

    fn deeper<T>(&mut self, inner: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_DEPTH {
            let message = format!("the value is nested deeper than {MAX_DEPTH}");
            return Err(error(self.at..self.at, message));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    fn made(&self, from: usize, result: Result<Loopy, Halt>) -> Read<Loopy> {
        result.map_err(|h| halted(from..self.at, h))
    }

    /// A value, or options between bars without braces.
    fn whole(&mut self) -> Read<Loopy> {
        let mut sketch = Sketch::default();
        let from = self.at;
        let (lists, bars) = self.lists(&mut sketch)?;
        if bars.is_empty() {
            return match lists.into_iter().flatten().collect::<Vec<_>>()[..] {
                [Item::To(edge)] => self.finish(sketch, edge, from),
                _ => Err(error(from..self.at, "one value is expected")),
            };
        }
        let root = self.game(&mut sketch, &lists, &bars, None, from)?;
        self.finish(sketch, Edge::In(root), from)
    }

    /// The value of an edge, once all labels of the sketch are known.
    fn finish(&mut self, sketch: Sketch, edge: Edge, from: usize) -> Read<Loopy> {
        let root = match edge {
            Edge::Out(value) => return Ok(value),
            Edge::In(root) => root,
        };
        for (label, span) in &sketch.used {
            if !sketch.labels.get(label).is_some_and(|l| l.1) {
                let message = format!("no game is labelled `{label}`");
                return Err(ReadError {
                    help: Some(format!("write `{label}{{..|..}}` where it is meant")),
                    ..error(span.clone(), message)
                });
            }
        }
        let values = self.loops.solve(self.forms, &sketch.vertices);
        self.made(from, values.map(|all| all[root]))
    }

    /// `x & y`, or a sum.
    fn sides(&mut self) -> Read<Loopy> {
        let from = self.at;
        let on = self.sum()?;
        if !self.eat('&') {
            return Ok(on);
        }
        let off = self.sum()?;
        let span = from..self.at;
        let (Some(onside), Some(offside)) = (on.as_one(), off.as_one()) else {
            return Err(error(span, "a side is a stopper, and not a pair of sides"));
        };
        let below = self.loops.side_le(self.forms, offside, onside, Mode::On);
        match below.map_err(|h| halted(span.clone(), h))? {
            true => Ok(Loopy { onside, offside }),
            false => Err(error(span, "the offside is not at most the onside")),
        }
    }

    fn sum(&mut self) -> Read<Loopy> {
        let from = self.at;
        let mut sum = self.signed()?;
        loop {
            let minus = match self.operator() {
                Some(minus) => minus,
                None => return Ok(sum),
            };
            let term = self.term()?;
            let result = match minus {
                true => self.loops.subtract(self.forms, sum, term),
                false => self.loops.add(self.forms, sum, term),
            };
            sum = self.made(from, result)?;
        }
    }

    /// Consumes `+` or `-` where it is a binary operator or a sign. The result says whether it was `-`.
    fn operator(&mut self) -> Option<bool> {
        self.space();
        let rest = &self.text[self.at..];
        if rest.starts_with("+-") || rest.starts_with('±') || rest.starts_with('⧾') {
            return None;
        }
        let minus = match rest.chars().next()? {
            '+' => false,
            '-' | '−' | '–' => true,
            _ => return None,
        };
        self.at += rest.chars().next().map_or(0, char::len_utf8);
        Some(minus)
    }

    fn signed(&mut self) -> Read<Loopy> {
        let from = self.at;
        self.space();
        let rest = &self.text[self.at..];
        // The sign of a number belongs to the number: -1^ is -1 + up. The same holds for a number glued to a name.
        let digit = rest
            .trim_start_matches(['-', '−'])
            .starts_with(|c: char| c.is_ascii_digit());
        match digit {
            true => self.term(),
            false => match self.operator() {
                Some(true) => {
                    let g = self.term()?;
                    let negative = self.loops.negate(self.forms, g);
                    self.made(from, negative)
                }
                _ => self.term(),
            },
        }
    }

    fn term(&mut self) -> Read<Loopy> {
        let from = self.at;
        if self.eat('(') {
            let g = self.deeper(Self::sides)?;
            return match self.eat(')') {
                true => Ok(g),
                false => Err(self.unexpected("`)`")),
            };
        }
        if self.label_of_braces().is_some() || self.peek() == Some('{') {
            let mut sketch = Sketch::default();
            let root = self.braces(&mut sketch)?;
            return self.finish(sketch, Edge::In(root), from);
        }
        self.atom()
    }

    /// The label at this position, if it is glued to a brace.
    fn label_of_braces(&mut self) -> Option<Range<usize>> {
        self.space();
        let rest = &self.text[self.at..];
        let n = rest.find(|c: char| !c.is_ascii_alphanumeric())?;
        (is_label(&rest[..n]) && rest[n..].starts_with('{')).then(|| self.at..self.at + n)
    }

    /// Reads braces as a vertex.
    fn braces(&mut self, sketch: &mut Sketch) -> Read<usize> {
        let label = self.label_of_braces();
        let from = self.at;
        let root = match &label {
            None => self.vertex(sketch)?,
            Some(span) => {
                let name = self.text[span.clone()].to_owned();
                let known = self.labelled(sketch, &name)?;
                let defined = sketch.labels.get_mut(&name);
                if let Some((_, defined)) = defined {
                    if *defined {
                        let message = format!("`{name}` labels two games");
                        return Err(error(span.clone(), message));
                    }
                    *defined = true;
                }
                self.at = span.end;
                known
            }
        };
        self.eat('{');
        let (lists, bars) = self.deeper(|r| r.lists(sketch))?;
        if !self.eat('}') {
            return match self.peek() {
                None => Err(error(from..from + 1, "this brace is never closed")),
                Some(_) => Err(self.unexpected("a comma, a bar or the end of the value")),
            };
        }
        if bars.is_empty() {
            return Err(error(from..self.at, "a game in braces has a bar"));
        }
        self.game(sketch, &lists, &bars, Some(root), from)
    }

    fn vertex(&self, sketch: &mut Sketch) -> Read<usize> {
        if sketch.vertices.len() >= MAX_VERTICES {
            return Err(halted(self.at..self.at, Halt::Size));
        }
        sketch.vertices.push([Vec::new(), Vec::new()]);
        Ok(sketch.vertices.len() - 1)
    }

    fn labelled(&self, sketch: &mut Sketch, name: &str) -> Read<usize> {
        if let Some((v, _)) = sketch.labels.get(name) {
            return Ok(*v);
        }
        let v = self.vertex(sketch)?;
        sketch.labels.insert(name.to_owned(), (v, false));
        Ok(v)
    }

    /// Options and the bars between them, each with its length and place, up to the closing bracket.
    #[allow(clippy::type_complexity)]
    fn lists(&mut self, sketch: &mut Sketch) -> Read<(Vec<Vec<Item>>, Vec<(usize, usize)>)> {
        let mut lists = vec![Vec::new()];
        let mut bars = Vec::new();
        loop {
            match self.peek() {
                None | Some('}' | ')') => break,
                Some('|' | '‖' | '∣') => {
                    let start = self.at;
                    let mut length = 0;
                    while let Some(c) = self.text[self.at..].chars().next() {
                        length += match c {
                            '|' | '∣' => 1,
                            '‖' => 2,
                            _ => break,
                        };
                        self.at += c.len_utf8();
                    }
                    bars.push((length, start));
                    lists.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            let item = self.deeper(|r| r.item(sketch))?;
            if let Some(list) = lists.last_mut() {
                list.push(item);
            }
            match self.peek() {
                Some(',') => {
                    self.eat(',');
                    if matches!(self.peek(), None | Some('}' | ')' | ',' | '|' | '‖')) {
                        return Err(self.unexpected("another option"));
                    }
                }
                None | Some('|' | '‖' | '∣' | '}' | ')') => {}
                Some(_) => return Err(self.unexpected("a comma, a bar or the end of the value")),
            }
        }
        Ok((lists, bars))
    }

    /// One option: a pass, a label, braces, or a value.
    fn item(&mut self, sketch: &mut Sketch) -> Read<Item> {
        self.space();
        let rest = &self.text[self.at..];
        let n = rest.find(|c: char| !c.is_ascii_alphanumeric());
        let word = &rest[..n.unwrap_or(rest.len())];
        let alone = self.ends_at(self.at + word.len());
        if word == "pass" && alone {
            self.at += word.len();
            return Ok(Item::Pass);
        }
        if is_label(word) && alone {
            let span = self.at..self.at + word.len();
            let name = word.to_owned();
            self.at = span.end;
            let v = self.labelled(sketch, &name)?;
            sketch.used.push((name, span));
            return Ok(Item::To(Edge::In(v)));
        }
        let open = match self.label_of_braces() {
            Some(label) => Some(label.end),
            None => (self.peek() == Some('{')).then_some(self.at),
        };
        // Braces followed by an operator are a value of their own.
        if let Some(open) = open
            && self.closing(open).is_none_or(|end| self.ends_at(end))
        {
            return Ok(Item::To(Edge::In(self.braces(sketch)?)));
        }
        Ok(Item::To(Edge::Out(self.sides()?)))
    }

    /// Whether an option ends here.
    fn ends_at(&self, at: usize) -> bool {
        let next = self.text[at..].trim_start().chars().next();
        matches!(next, None | Some(',' | '|' | '‖' | '∣' | '}' | ')'))
    }

    /// The position after the brace that closes the one at `open`.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for (i, c) in self.text[open..].char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 1 => return Some(open + i + 1),
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        None
    }

    /// The vertex made by options between bars: the longest bar divides it, and both parts may be vertices of their own.
    fn game(
        &mut self,
        sketch: &mut Sketch,
        lists: &[Vec<Item>],
        bars: &[(usize, usize)],
        root: Option<usize>,
        from: usize,
    ) -> Read<usize> {
        if bars.len() > MAX_DEPTH {
            let message = format!("the value is nested deeper than {MAX_DEPTH}");
            return Err(error(from..self.at, message));
        }
        let root = match root {
            Some(root) => root,
            None => self.vertex(sketch)?,
        };
        // The vertex v has the bars first..last between the lists first..=last.
        let mut open = vec![(root, 0, bars.len())];
        while let Some((v, first, last)) = open.pop() {
            let longest = bars[first..last].iter().map(|b| b.0).max().unwrap_or(0);
            let mut all = (first..last).filter(|i| bars[*i].0 == longest);
            let middle = all.next().unwrap_or(first);
            if let Some(second) = all.next() {
                let (length, at) = bars[second];
                return Err(ReadError {
                    help: Some("the bar that divides the game must be the longest".to_owned()),
                    ..error(at..at + length, "a second bar of the same length")
                });
            }
            for (side, (a, b)) in [(first, middle), (middle + 1, last)]
                .into_iter()
                .enumerate()
            {
                if a == b {
                    let of = |item: &Item| match item {
                        Item::Pass => Edge::In(v),
                        Item::To(edge) => *edge,
                    };
                    sketch.vertices[v][side] = lists[a].iter().map(of).collect();
                } else {
                    let inner = self.vertex(sketch)?;
                    sketch.vertices[v][side] = vec![Edge::In(inner)];
                    open.push((inner, a, b));
                }
            }
        }
        Ok(root)
    }

    /// A value that does not begin with braces: a number, a name, both, or any other short game.
    fn atom(&mut self) -> Read<Loopy> {
        self.space();
        let from = self.at;
        let mut depth = 0usize;
        let mut end = self.text.len();
        let mut last = ' ';
        for (i, c) in self.text[from..].char_indices() {
            match c {
                '{' | '(' | '[' => depth += 1,
                '}' | ')' | ']' if depth > 0 => depth -= 1,
                '}' | ')' | ',' | '|' | '‖' | '∣' | '&' if depth == 0 => {
                    end = from + i;
                    break;
                }
                // A sign ends the atom, unless it belongs to what follows.
                '+' | '-' | '−' | '–' | '±' | '⧾' | '⧿'
                    if depth == 0 && i > 0 && !"+-±.·".contains(last) =>
                {
                    end = from + i;
                    break;
                }
                _ => {}
            }
            if !c.is_whitespace() {
                last = c;
            }
        }
        let chunk = self.text[from..end].trim_end();
        if chunk.is_empty() {
            return Err(self.unexpected("a value"));
        }
        self.at = from + chunk.len();
        self.loopy_atom(chunk, from)
    }

    fn loopy_atom(&mut self, chunk: &str, from: usize) -> Read<Loopy> {
        let span = from..from + chunk.len();
        let halt = |h: Halt| halted(span.clone(), h);
        // A star or a nimber after a name.
        let (body, star) = match chunk.find(['*', '∗']) {
            Some(i) if i > 0 => (&chunk[..i], Some(&chunk[i..])),
            _ => (chunk, None),
        };
        let arrows = [
            ("^[on]", 1, true),
            ("↑^[on]", 1, true),
            ("↑[on]", 1, true),
            ("v[on]", -1, true),
            ("↓^[on]", -1, true),
            ("↓[on]", -1, true),
            ("^<on>", 1, false),
            ("v<on>", -1, false),
        ];
        let letters = body
            .rfind(|c: char| !c.is_ascii_lowercase())
            .map_or(0, |i| {
                i + body[i..].chars().next().map_or(1, char::len_utf8)
            });
        let found = match Name::from_text(&body[letters..]) {
            Some(name) => {
                let value = self.loops.named(self.forms, name).map_err(halt)?;
                Some((value, &body[..letters]))
            }
            None => match arrows.iter().find(|a| body.ends_with(a.0)) {
                None => None,
                Some((text, sign, to)) => {
                    let value = self.arrow(*sign, *to).map_err(halt)?;
                    Some((value, &body[..body.len() - text.len()]))
                }
            },
        };
        let Some((value, number)) = found else {
            let short = read_short(self.forms, chunk).map_err(|e| ReadError {
                span: from + e.span.start..from + e.span.end,
                ..e
            })?;
            return Ok(Loopy::of(self.loops.short(short).map_err(halt)?));
        };
        let mut sum = value;
        // `2·upon` is a multiple.
        if let Some(times) = number.strip_suffix(['.', '·', '⋅']) {
            let n: BigInt = times
                .trim()
                .replace('−', "-")
                .parse()
                .map_err(|_| error(span.clone(), format!("`{times}` is not an integer")))?;
            sum = self.loops.multiple(self.forms, &n, sum).map_err(halt)?;
        } else {
            sum = self.plus_short(sum, number.trim_end_matches('+'), from)?;
        }
        match star {
            Some(star) => self.plus_short(sum, star, from + body.len()),
            None => Ok(sum),
        }
    }

    fn plus_short(&mut self, value: Loopy, text: &str, from: usize) -> Read<Loopy> {
        if text.trim().is_empty() {
            return Ok(value);
        }
        let short = read_short(self.forms, text).map_err(|e| ReadError {
            span: from + e.span.start..from + e.span.end,
            ..e
        })?;
        let side = self.loops.short(short);
        let sum = side.and_then(|s| self.loops.add(self.forms, value, Loopy::of(s)));
        self.made(from, sum)
    }

    /// `^[on]`, `^<on>` and their negatives.
    fn arrow(&mut self, sign: i32, to: bool) -> Result<Loopy, Halt> {
        let (forms, loops) = (self.forms, &mut *self.loops);
        let mut value = loops.named(forms, Name::Upon)?;
        if !to {
            // {0 | v[on]*}
            let star = Loopy::of(loops.short(CanonicalForm::STAR)?);
            let right = loops.subtract(forms, star, value)?;
            let zero = Loopy::of(loops.short(CanonicalForm::ZERO)?);
            let graph = [[vec![Edge::Out(zero)], vec![Edge::Out(right)]]];
            value = loops.solve(forms, &graph)?[0];
        }
        match sign < 0 {
            true => loops.negate(forms, value),
            false => Ok(value),
        }
    }
}
