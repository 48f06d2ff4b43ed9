//! Rulesets whose moves and ends depend on connectivity: `group` and `reach` occur in conditions before and after a move, in
//! its effects, and in whether the player moves again. Stones are on cells or vertices; boards are so small that every line
//! of play can be followed.

use super::{Random, Sample};

struct Draft<'r> {
    r: &'r mut Random,
    /// `cells` or `vertices`.
    all: &'static str,
    /// The number of names given to bound sites.
    names: usize,
}

impl Draft<'_> {
    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("y{}", self.names)
    }

    /// A set of sites; `v` is a site in scope.
    fn set(&mut self, v: &str, depth: usize) -> String {
        let all = self.all;
        match self.r.below(if depth == 0 { 5 } else { 8 }) {
            0 if all == "cells" && self.r.once_in(4) => {
                let line = self.r.one(&["ray", "slide"]);
                format!("{line}({v}, hexagonal)")
            }
            0 => format!("nbrs({v})"),
            1 | 2 => format!("group({v})"),
            3 => all.to_owned(),
            4 => format!("{{{v}}}"),
            5 => {
                let y = self.fresh();
                let inside = self.about(&y, depth - 1);
                let within = self.set(v, 0);
                format!("reach({v}, within: {{{y} in {all}: {inside}}} + {within})")
            }
            6 => {
                let y = self.fresh();
                let (over, inside) = (self.set(v, depth - 1), self.about(&y, depth - 1));
                format!("{{{y} in {over}: {inside}}}")
            }
            _ => {
                let (a, b) = (self.set(v, depth - 1), self.set(v, depth - 1));
                format!("({a} {} {b})", self.r.one(&["+", "-"]))
            }
        }
    }

    /// A condition on a site.
    fn about(&mut self, v: &str, depth: usize) -> String {
        let plain = match self.r.below(6) {
            0 => format!("at({v}) = p"),
            1 => format!("at({v}) = opponent(p)"),
            2 => format!("at({v}) != empty"),
            3 => format!("at({v}) != p"),
            _ => format!("at({v}) = empty"),
        };
        if depth == 0 {
            return plain;
        }
        match self.r.below(8) {
            0 => {
                let (a, b) = (self.about(v, depth - 1), self.about(v, depth - 1));
                format!("({a} {} {b})", self.r.one(&["or", "and"]))
            }
            1 => format!("not {}", self.joins(v, depth - 1)),
            2 | 3 => plain,
            _ => self.joins(v, depth - 1),
        }
    }

    /// A condition on the sites connected to a site.
    fn joins(&mut self, v: &str, depth: usize) -> String {
        let all = self.all;
        let k = self.r.within(1, 3);
        match self.r.below(12) {
            0 | 1 => {
                let (y, z) = (self.fresh(), self.fresh());
                let last = self.about(&z, 0);
                format!("(some {y} in group({v}), {z} in nbrs({y}): {last})")
            }
            2 => {
                let y = self.fresh();
                let over = self.set(v, depth);
                let inside = self.about(&y, depth);
                format!(
                    "({} {y} in {over}: {inside})",
                    self.r.one(&["some", "no", "all"])
                )
            }
            3 => {
                let op = self.r.one(&["<=", ">=", "<", "=", "!="]);
                format!("size({}) {op} {k}", self.set(v, depth))
            }
            4 => {
                let (y, p) = (self.fresh(), self.r.one(&["p", "opponent(p)", "empty"]));
                format!("size(group({v})) + {k} > size({{{y} in {all}: at({y}) = {p}}})")
            }
            5 => {
                let y = self.fresh();
                format!("(some {y} in {all}: {y} in group({v}) and at({y}) != empty)")
            }
            6 => format!("free({v})"),
            7 => format!("open(p, {v})"),
            8 => {
                let (a, b) = (self.number(v, depth), self.number(v, depth));
                let op = self.r.one(&["<=", ">=", "<", "=", "!="]);
                format!("{a} {op} {b}")
            }
            9 => {
                let a = self.number(v, depth);
                let range = self
                    .r
                    .one(&["0..2", "-1..1", "{0, 2}", "{1, size(players) - 2}"]);
                format!("{a} {} {range}", self.r.one(&["in", "not in"]))
            }
            10 => {
                let (a, b) = (self.joins(v, 0), self.about(v, 0));
                format!("(({a}) {} ({b}))", self.r.one(&["=", "!="]))
            }
            _ => {
                let (y, z) = (self.fresh(), self.fresh());
                format!(
                    "(all {y} in nbrs({v}) where at({y}) != empty: some {z} in group({y}): {z} != {v} or size(group({y})) > {k})"
                )
            }
        }
    }

    /// A number that depends on the sites connected to a site.
    fn number(&mut self, v: &str, depth: usize) -> String {
        let all = self.all;
        let k = self.r.within(1, 3);
        match self.r.below(if depth == 0 { 3 } else { 13 }) {
            0 => format!("size(group({v}))"),
            1 => {
                let y = self.fresh();
                format!("size([{k} for {y} in {all} where at({y}) = p])")
            }
            2 => format!("({} - {k})", self.r.one(&["size(players)", "1"])),
            3 | 4 => {
                let (a, by) = (
                    self.number(v, depth - 1),
                    self.r.one(&["2", "3", "(0 - 2)"]),
                );
                format!("({a} {} {by})", self.r.one(&["mod", "div"]))
            }
            5 => format!("abs({})", self.number(v, depth - 1)),
            6 => {
                let (y, inside) = (self.fresh(), self.about(v, 0));
                let n = self.number(&y, 0);
                format!("sum([{n} for {y} in {all} where at({y}) != empty or {inside}])")
            }
            7 => {
                let (y, of) = (self.fresh(), self.r.one(&["max", "min"]));
                let n = self.number(&y, depth - 1);
                format!("{of}([{n} for {y} in {all}])")
            }
            8 => {
                let (a, b) = (self.number(v, depth - 1), self.number(v, depth - 1));
                format!("{}({a}, {b})", self.r.one(&["max", "min"]))
            }
            9 => {
                let (y, n) = (self.fresh(), self.fresh());
                let inside = self.number(&y, 0);
                let [open, close] = self.r.one(&[["{", "}"], ["[", "]"]]);
                format!("sum([{n} for {n} in {open}{inside} for {y} in {all}{close}])")
            }
            10 => {
                let (y, z, w) = (self.fresh(), self.fresh(), self.fresh());
                let inside = self.about(&z, 0);
                format!(
                    "size([{k} for {y} in {{{w} for {z} in nbrs({v}), {w} in nbrs({z}) where {inside}}}])"
                )
            }
            _ => {
                let (a, b) = (self.number(v, depth - 1), self.number(v, depth - 1));
                format!("({a} {} {b})", self.r.one(&["+", "-", "*"]))
            }
        }
    }

    fn effect(&mut self, v: &str, after: bool) -> String {
        let piece = self.r.one(&["p", "opponent(p)", "empty"]);
        let (y, z, w) = (self.fresh(), self.fresh(), self.fresh());
        let all = self.all;
        match self.r.below(5) {
            0 if after => format!(
                "each {y} in nbrs({v}), {z} in group({y}) where at({y}) = opponent(p), not free({y}): at({z}) := empty"
            ),
            1 => format!("each {y} in group({v}) where {y} != {v}: at({y}) := {piece}"),
            2 => {
                let inside = self.joins(&y, 1);
                format!("each {y} in {all} where {y} != {v}, {inside}: at({y}) := {piece}")
            }
            3 => format!(
                "each {y} in nbrs({v}) where at({y}) = opponent(p): each {w} in group({y}): at({w}) := {piece}"
            ),
            _ => {
                let inside = self.about(&z, 1);
                format!("each {z} in nbrs({v}) where {inside}: at({z}) := {piece}")
            }
        }
    }

    fn a_move(&mut self) -> String {
        let who = self.r.one(&["p", "p", "p", "p"]);
        let mut text = format!("  move by {who}: ");
        let (choose, mut conditions, mut effects) = match self.r.below(5) {
            0 | 1 => (
                "choose a",
                vec!["at(a) = empty".to_owned()],
                vec!["at(a) := p".to_owned()],
            ),
            2 => (
                "choose a, b in reach(a, within: {s in ALL: at(s) = empty} + {a})",
                vec!["at(a) = p".to_owned(), "at(b) = empty".to_owned()],
                vec!["at(a) := empty".to_owned(), "at(b) := p".to_owned()],
            ),
            3 => (
                "choose a, b in group(a)",
                vec!["at(a) = empty".to_owned()],
                vec!["at(b) := p".to_owned()],
            ),
            _ => (
                "choose a",
                vec!["at(a) = p".to_owned()],
                vec!["at(a) := empty".to_owned()],
            ),
        };
        text.push_str(&choose.replace("ALL", self.all));
        if self.r.once_in(2) {
            conditions.push(self.about("a", 2));
        }
        if self.r.once_in(5) {
            effects.push(self.effect("a", false));
        }
        let joined = conditions.join(", ");
        text.push_str(&format!(" where {joined} then {}", effects.join(", ")));
        if self.r.once_in(2) {
            let later = match self.r.once_in(2) {
                true => self.joins("a", 2),
                false => self.about("a", 2),
            };
            text.push_str(&format!("\n    where {later}"));
            if self.r.once_in(3) {
                text.push_str(&format!(" then {}", self.effect("a", true)));
            }
        } else if self.r.once_in(2) {
            text.push_str(&format!("\n    then {}", self.effect("a", true)));
            if self.r.once_in(2) {
                text.push_str(&format!("\n    where {}", self.about("a", 2)));
            }
        }
        if self.r.once_in(8)
            && !text.ends_with(')')
            && text
                .rsplit('\n')
                .next()
                .is_some_and(|l| l.contains(" then "))
        {
            let when = self.joins("a", 1);
            text.push_str(&format!(", again when {when}"));
        }
        text.push('\n');
        text
    }
}

/// A ruleset that depends on connectivity.
pub fn joined_of(r: &mut Random) -> Sample {
    let (board, all) = match r.below(4) {
        0 => ("strip", "cells"),
        1 | 2 => ("grid", "cells"),
        _ => ("graph", "vertices"),
    };
    let mut draft = Draft { r, all, names: 0 };
    let mut rules = format!(
        "ruleset R\n  board {board}\n  pieces x = Left, o = Right\n  let free(v) = some b in group(v), c in nbrs(b): at(c) = empty\n  let open(p, v) = at(v) = p or (some c in nbrs(v): at(c) = p and size(group(c)) > 1)\n"
    );
    for _ in 0..draft.r.below(3) {
        let word = draft.r.one(&["win p", "lose p", "draw"]);
        let s = draft.fresh();
        let inside = draft.joins(&s, 1);
        let own = draft.r.one(&["at", "at", "not at"]);
        let who = match word {
            "draw" => "at(SITE) != empty",
            _ => "at(SITE) = p",
        };
        let who = who.replace("SITE", &s);
        let inside = match word {
            "draw" => inside.replace("opponent(p)", "empty").replace("= p", "= x"),
            _ => inside,
        };
        if own == "at" && !(word == "draw" && inside.contains("open(")) {
            rules.push_str(&format!(
                "  {word} when some {s} in {all}: {who} and {inside}\n"
            ));
        } else if word != "draw" {
            let (k, t) = (draft.r.within(2, 4), draft.fresh());
            rules.push_str(&format!("  {word} when some {s} in {all}: {who} and (no {t} in group({s}), c in nbrs({t}): at(c) = empty) and size({all}) > {k}\n"));
        }
    }
    for _ in 0..draft.r.within(1, 2) {
        let one = draft.a_move();
        rules.push_str(&one);
    }
    let positions = (0..2).map(|_| {
        let r = &mut *draft.r;
        match board {
            "graph" => {
                let shape = r.one(&[
                    "path(4)",
                    "cycle(4)",
                    "cycle(5)",
                    "complete(3)",
                    "star(3)",
                    "path(5)",
                ]);
                format!("R[{shape}]")
            }
            _ => {
                let (rows, columns) = match board {
                    "strip" => (1, r.within(2, 6)),
                    _ => (r.within(2, 3), r.within(2, 3)),
                };
                let walls = r.once_in(4);
                let row = |r: &mut Random| -> String {
                    let one = |r: &mut Random| match r.below(8) {
                        0 => 'x',
                        1 => 'o',
                        2 if walls => '#',
                        _ => '.',
                    };
                    (0..columns).map(|_| one(r)).collect()
                };
                let all: Vec<String> = (0..rows).map(|_| row(r)).collect();
                let art = format!("\"{}\"", all.join("|"));
                if board == "grid" && r.once_in(4) {
                    let word = r.one(&["both", "rows", "columns"]);
                    return format!("R[grid({art}, wrap: {word})]");
                }
                format!("R[{art}]")
            }
        }
    });
    let positions = positions.collect();
    Sample {
        rules,
        positions,
        kind: board,
        marks: vec!["joined in moves"],
    }
}
