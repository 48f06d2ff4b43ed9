//! An independent reader of the position literals of ruleset files, for example `Octal("0.77")[5]` or `Snort[a:x -- b --
//! c]`: name, parameters, entries; graphs with labels; drawn boards.

use std::collections::HashMap;

/// `Name(parameters)[inside]`
#[derive(Debug)]
pub struct Literal {
    pub name: String,
    pub parameters: Vec<String>,
    pub entries: Vec<String>,
}

/// Splits at a separator outside of brackets and quotes.
pub fn split(text: &str, separator: &str) -> Vec<String> {
    let (mut depth, mut quoted, mut parts, mut start) = (0, false, Vec::new(), 0);
    for (i, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth -= 1,
            _ => {}
        }
        if depth == 0 && !quoted && i >= start && text[i..].starts_with(separator) {
            parts.push(text[start..i].trim().to_string());
            start = i + separator.len();
        }
    }
    parts.push(text[start..].trim().to_string());
    parts.retain(|p| !p.is_empty());
    parts
}

/// The name and the arguments of `f(x, y)`.
pub fn call(text: &str) -> Option<(String, Vec<String>)> {
    let (name, rest) = text.trim().split_once('(')?;
    let simple = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    simple
        .then(|| Some((name.to_string(), split(rest.strip_suffix(')')?, ","))))
        .flatten()
}

impl Literal {
    pub fn read(text: &str) -> Option<Literal> {
        let text = text.trim().strip_suffix(']')?;
        let mut depth = 0;
        let open = text.char_indices().find(|&(_, c)| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            c == '[' && depth == 0
        })?;
        let (head, inside) = (&text[..open.0], &text[open.0 + 1..]);
        let (name, parameters) = call(head).unwrap_or((head.trim().to_string(), vec![]));
        Some(Literal {
            name,
            parameters,
            entries: split(inside, ","),
        })
    }

    /// The set in a parameter, `{1, 2}` or `1..3`.
    pub fn set(&self, i: usize) -> Vec<i32> {
        let text = self.parameters[i].trim();
        match text.split_once("..") {
            Some((a, b)) => (a.parse().unwrap()..=b.parse().unwrap()).collect(),
            None => numbers(text),
        }
    }

    /// The value of a field `name: ..`.
    pub fn field(&self, name: &str) -> Option<String> {
        self.entries.iter().find_map(|e| {
            Some(
                e.strip_prefix(name)?
                    .trim()
                    .strip_prefix(':')?
                    .trim()
                    .to_string(),
            )
        })
    }

    /// The entries that are plain numbers, which are heaps.
    pub fn heaps(&self) -> Vec<i32> {
        self.entries.iter().filter_map(|e| e.parse().ok()).collect()
    }

    /// A drawn board, or the empty board of `grid(m, n)` and `strip(n)`, as rows of characters.
    pub fn rows(&self) -> Vec<Vec<char>> {
        let first = &self.entries[0];
        if let Some(art) = first.strip_prefix('"') {
            let art = art.trim_end_matches('"');
            return art
                .split('|')
                .map(|r| r.chars().filter(|c| *c != ' ').collect())
                .collect();
        }
        let (name, sizes) = call(first).expect("a board");
        let size = |i: usize| sizes[i].parse::<usize>().expect("a size");
        match name.as_str() {
            "grid" => vec![vec!['.'; size(1)]; size(0)],
            _ => vec![vec!['.'; size(0)]],
        }
    }

    pub fn graph(&self) -> Graph {
        let mut graph = Graph::default();
        for entry in &self.entries {
            match call(entry) {
                Some((name, sizes)) => graph.construct(&name, &sizes),
                None if entry.contains(": [") || entry.starts_with("token:") => {}
                None => graph.chain(entry),
            }
        }
        graph
    }
}

/// The numbers in a text, in order.
pub fn numbers(text: &str) -> Vec<i32> {
    text.split(|c: char| !c.is_ascii_digit())
        .filter_map(|t| t.parse().ok())
        .collect()
}

/// A graph or digraph; edges may carry a label, vertices carry pieces with counts.
#[derive(Default, Debug)]
pub struct Graph {
    pub names: Vec<String>,
    pub pieces: Vec<HashMap<char, i32>>,
    pub edges: Vec<(usize, usize, char)>,
}

impl Graph {
    pub fn vertex(&mut self, text: &str) -> usize {
        let (name, label) = text.split_once(':').unwrap_or((text, ""));
        let name = name.trim().to_string();
        let place = self
            .names
            .iter()
            .position(|n| *n == name)
            .unwrap_or_else(|| {
                self.names.push(name);
                self.pieces.push(HashMap::new());
                self.names.len() - 1
            });
        for part in label.trim().split('+').filter(|p| !p.is_empty()) {
            let piece = part.chars().last().expect("a piece");
            let count = numbers(part).first().copied().unwrap_or(1);
            *self.pieces[place].entry(piece).or_insert(0) += count;
        }
        place
    }

    pub fn piece(&self, vertex: usize) -> char {
        self.pieces[vertex].keys().next().copied().unwrap_or('.')
    }

    /// `a:x -- b -- c`, `a -> b`, `ground -b- u`.
    fn chain(&mut self, text: &str) {
        let mut previous: Option<(usize, char)> = None;
        for word in text.split_whitespace() {
            let arrow = word == "->"
                || word == "--"
                || (word.len() == 3 && word.starts_with('-') && word.ends_with('-'));
            if arrow {
                let label = if word.len() == 3 {
                    word.chars().nth(1)
                } else {
                    Some('-')
                };
                previous = previous.map(|(v, _)| (v, label.unwrap_or('-')));
            } else {
                let v = self.vertex(word);
                if let Some((u, label)) = previous {
                    self.edges.push((u, v, label));
                }
                previous = Some((v, '-'));
            }
        }
    }

    fn construct(&mut self, name: &str, sizes: &[String]) {
        if name == "stalk" {
            let mut below = self.vertex("ground");
            for (i, c) in sizes[0].trim_matches('"').chars().enumerate() {
                let v = self.vertex(&format!("s{i}"));
                self.edges.push((below, v, c));
                below = v;
            }
            return;
        }
        let size = |i: usize| sizes[i].parse::<usize>().expect("a size");
        if name == "grid" {
            let (m, n) = (size(0), size(1));
            let places: Vec<usize> = (0..m * n)
                .map(|k| self.vertex(&format!("({}, {})", k / n, k % n)))
                .collect();
            for k in 0..m * n {
                if k % n + 1 < n {
                    self.edges.push((places[k], places[k + 1], '-'));
                }
                if k + n < m * n {
                    self.edges.push((places[k], places[k + n], '-'));
                }
            }
            return;
        }
        let n = size(0);
        let first = usize::from(name != "star");
        let prefix = if name == "path" { "p" } else { "c" };
        let last = if name == "star" { n } else { n + first - 1 };
        let places: Vec<usize> = (first..last + 1)
            .map(|i| self.vertex(&format!("{prefix}[{i}]")))
            .collect();
        for i in 1..places.len() {
            match name {
                "path" | "strip" | "cycle" => self.edges.push((places[i - 1], places[i], '-')),
                "star" => self.edges.push((places[0], places[i], '-')),
                "complete" => (0..i).for_each(|j| self.edges.push((places[j], places[i], '-'))),
                _ => panic!("constructor {name}"),
            }
        }
        if name == "cycle" && n > 1 {
            self.edges.push((places[n - 1], places[0], '-'));
        }
    }
}
