//! Random numbers, sites, sets and conditions over the bound names: each function draws one expression of its sort.

use super::composed::{Board, Draft};

/// The sort of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    Site,
    Edge,
    Number,
    /// A heap given by one number, which also denotes that number.
    Heap,
    /// A heap given by a pair, by its pattern.
    Pair,
    Piece,
    Player,
}

/// A bound name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    pub name: String,
    pub sort: Sort,
}

const COMPARED: [&str; 6] = ["=", "!=", "<", "<=", ">", ">="];

impl Draft<'_> {
    /// A random element.
    pub fn pick(&mut self, mut of: Vec<String>) -> Option<String> {
        if of.is_empty() {
            return None;
        }
        let i = self.r.below(of.len());
        Some(of.swap_remove(i))
    }

    /// The bound names of a sort.
    pub fn named(&self, sort: Sort) -> Vec<String> {
        let all = self.scope.iter().filter(|n| n.sort == sort);
        all.map(|n| n.name.clone()).collect()
    }

    /// The name of a site: a variable, the token, or the root.
    pub fn site(&mut self) -> Option<String> {
        let mut all = self.named(Sort::Site);
        if self.token {
            all.push("token".to_owned());
        }
        if self.board.is_rooted() && self.r.once_in(3) {
            all.push("ground".to_owned());
        }
        self.pick(all)
    }

    pub fn edge(&mut self) -> Option<String> {
        let all = self.named(Sort::Edge);
        self.pick(all)
    }

    pub fn direction(&mut self) -> String {
        if self.by_each && self.ahead && !self.r.once_in(3) {
            return "ahead(p)".to_owned();
        }
        let all: &[&str] = if self.board == Board::Grid {
            &["south", "east", "west", "north"]
        } else {
            &["east", "west"]
        };
        self.r.one(all).to_owned()
    }

    fn directions(&mut self) -> String {
        if self.r.once_in(2) {
            return self.direction();
        }
        let all: &[&str] = if self.board == Board::Grid {
            &[
                "orthogonal",
                "diagonal",
                "compass",
                "knight",
                "hexagonal",
                "{south, east}",
            ]
        } else {
            &["{east, west}"]
        };
        self.r.one(all).to_owned()
    }

    /// A set of sites.
    pub fn set(&mut self, depth: usize) -> String {
        let all = self.board.sites().to_owned();
        let Some(s) = self.site() else { return all };
        if depth > 0 && self.r.once_in(6) {
            let (a, b) = (self.set(depth - 1), self.set(depth - 1));
            return format!("({a} {} {b})", self.r.one(&["+", "-"]));
        }
        if depth > 0 && self.r.once_in(8) {
            let over = self.set(0);
            let y = self.fresh("y");
            let inside = self.about(&y, depth - 1);
            return format!("{{{y} in {over}: {inside}}}");
        }
        if depth > 0 && self.r.once_in(12) {
            let (a, b) = (self.set(0), self.set(0));
            return self.either(&a, &b);
        }
        if self.board.is_cells() && self.r.once_in(12) {
            let line = self.r.one(&["row", "column"]);
            let number = self.r.one(&["1", "2", "rows", "columns"]);
            return format!("{line}({number})");
        }
        if self.board != Board::Poset && self.r.once_in(8) {
            return match depth > 0 && self.r.once_in(2) {
                true => {
                    let within = self.set(depth - 1);
                    format!("reach({s}, within: {within})")
                }
                false if self.lies() => format!("group({s})"),
                false => format!("component({s})"),
            };
        }
        let choice = self.r.below(6);
        match self.board {
            Board::Strip | Board::Grid => match choice {
                0 | 1 => format!("nbrs({s})"),
                2 => format!("ray({s}, {})", self.directions()),
                3 => format!("slide({s}, {})", self.directions()),
                4 => all,
                _ => format!("{{{s}}}"),
            },
            Board::Poset => match choice {
                0 | 1 => format!("up({s})"),
                2 | 3 => format!("down({s})"),
                4 => all,
                _ => format!("{{{s}}}"),
            },
            b if b.has_arcs() => match choice {
                0 => format!("out({s})"),
                1 => format!("into({s})"),
                2 => format!("reach({s})"),
                3 => format!("component({s})"),
                4 => format!("nbrs({s})"),
                _ => all,
            },
            _ => match choice {
                0 | 1 => format!("nbrs({s})"),
                2 => format!("reach({s})"),
                3 => format!("component({s})"),
                4 => format!("{{{s}}}"),
                _ => all,
            },
        }
    }

    /// A bound on the amount that a move may take: a number in scope.
    pub fn amount_bound(&mut self) -> String {
        let mut all: Vec<String> = ["2", "3"].map(str::to_owned).into();
        for _ in 0..2 {
            all.extend(self.named(Sort::Heap));
            all.extend(self.scalars.iter().map(|s| (*s).to_owned()));
        }
        if self.board == Board::Pairs {
            all.extend(self.named(Sort::Number));
        }
        if let Some(s) = self.site() {
            if self.counter {
                all.push(format!("c({s})"));
                all.push(format!("c({s})"));
            }
            if self.stock {
                let piece = self.piece();
                all.push(format!("q({piece}, {s})"));
            }
        }
        self.pick(all).unwrap_or_default()
    }

    /// An expression for a piece that is not empty.
    pub fn piece(&mut self) -> String {
        let mut all = self.named(Sort::Piece);
        if self.by_each {
            all.push("own(p)".to_owned());
            all.push("own(p)".to_owned());
        }
        if self.mark && self.r.once_in(2) {
            all.push("mark".to_owned());
        }
        let one = self.r.one(&self.pieces);
        all.push(one.to_owned());
        self.pick(all).unwrap_or_default()
    }

    fn literal(&mut self) -> String {
        self.r.below(4).to_string()
    }

    /// A number, with at most two terms at each depth.
    pub fn number(&mut self, depth: usize) -> String {
        let known: Vec<String> = [Sort::Number, Sort::Heap]
            .into_iter()
            .flat_map(|sort| self.named(sort))
            .chain(self.scalars.iter().map(|s| (*s).to_owned()))
            .collect();
        match self.r.below(if depth > 0 { 17 } else { 7 }) {
            16 => {
                let (a, b) = (self.number(0), self.number(0));
                self.either(&a, &b)
            }
            0 => self.literal(),
            1 | 2 => match self.site() {
                Some(s) if self.counter => format!("c({s})"),
                Some(s) if self.stock => format!("q({}, {s})", self.piece()),
                Some(s) if self.board == Board::Strip => s,
                _ => self.literal(),
            },
            3..=6 => match self.pick(known) {
                Some(name) => name,
                None => self.literal(),
            },
            7 => format!("({} + {})", self.number(depth - 1), self.number(0)),
            8 => format!("({} - {})", self.number(depth - 1), self.number(0)),
            9 => format!("({} mod {})", self.number(depth - 1), self.r.within(2, 3)),
            10 => format!("({} div {})", self.number(depth - 1), self.r.within(2, 3)),
            11 => self.counted(),
            12 => {
                let name = self.r.one(&["min", "max", "xor", "mex", "sum"]);
                format!("{name}({{{}, {}}})", self.number(0), self.number(0))
            }
            13 => self.of_a_parameter(),
            14 => self.over_the_board(),
            _ => format!("abs({} - {})", self.number(0), self.number(0)),
        }
    }

    /// A choice between two numbers by a condition.
    fn either(&mut self, a: &str, b: &str) -> String {
        let phi = self.condition(0);
        self.mark("if");
        // No blanks around `then`, since texts are split at the words that begin stages.
        format!("(if({phi})then({a})else({b}))")
    }

    /// The size of a set.
    fn counted(&mut self) -> String {
        match self.board {
            Board::Heaps | Board::Pairs => "size(heaps)".to_owned(),
            Board::Scalars => "size(players)".to_owned(),
            b if b.has_edges() && self.r.once_in(3) => "size(edges)".to_owned(),
            b if b.is_cells() && self.r.once_in(4) => {
                self.r.one(&["rows", "columns", "size(board)"]).to_owned()
            }
            _ => format!("size({})", self.set(1)),
        }
    }

    fn of_a_parameter(&mut self) -> String {
        let names: Vec<&str> = self.parameters.iter().map(|p| p.0).collect();
        match names.first() {
            Some(&"S") => "size(S)".to_owned(),
            Some(&"K") => "K".to_owned(),
            Some(&"D") => format!("bit(D({}), {})", self.r.below(3), self.r.below(3)),
            Some(&"T") => self.r.one(&["T[1]", "size(T)", "sum(T)"]).to_owned(),
            _ => self.literal(),
        }
    }

    /// A number that depends on the whole board.
    fn over_the_board(&mut self) -> String {
        if self.board == Board::Heaps {
            self.mark("over the whole board");
            return self
                .r
                .one(&["sum(heaps)", "xor(heaps)", "max([0] + heaps)"])
                .to_owned();
        }
        if !self.board.has_sites() {
            return self.literal();
        }
        self.mark("over the whole board");
        let y = self.fresh("y");
        let sites = self.board.sites();
        if self.counter {
            let name = self.r.one(&["sum", "max", "xor"]);
            let zero = if name == "max" { "{0} + " } else { "" };
            return match name {
                "max" => format!("max({zero}{{c({y}) for {y} in {sites}}})"),
                _ => format!("{name}(c({y}) for {y} in {sites})"),
            };
        }
        let inside = self.about(&y, 0);
        format!("size({{{y} in {sites}: {inside}}})")
    }

    /// A right-hand side for `at(s) =`.
    fn occupant(&mut self) -> String {
        let mut all = vec!["empty".to_owned()];
        if self.board.is_cells() {
            all.push(self.r.one(&["wall", "off", "empty"]).to_owned());
        } else if self.r.once_in(4) {
            all.push("off".to_owned());
        }
        if self.has_pieces() {
            let one = self.r.one(&self.pieces);
            all.push(one.to_owned());
            all.push(self.piece());
            if self.by_each {
                all.push("p".to_owned());
                if self.players.len() == 2 {
                    all.push("opponent(p)".to_owned());
                }
            }
        }
        self.pick(all).unwrap_or_default()
    }

    /// A condition about a site that is bound only here: the range of a quantifier or a set.
    fn about(&mut self, y: &str, depth: usize) -> String {
        self.bind(y, Sort::Site);
        let found = match self.r.below(5) {
            0 if depth > 0 => format!("({})", self.condition(depth - 1)),
            1 if self.counter => {
                let n = self.number(0);
                format!("c({y}) {} {n}", self.r.one(&COMPARED))
            }
            2 => match self.site() {
                Some(s) => format!("{y} != {s}"),
                None => format!("{y} = {y}"),
            },
            3 if self.has_pieces() && self.by_each && !self.board.on_edges() => {
                format!("p owns at({y})")
            }
            _ if !self.lies() && self.board == Board::Poset => {
                format!("size(up({y})) {} 1", self.r.one(&COMPARED))
            }
            _ if !self.lies() => format!("size(nbrs({y})) {} 1", self.r.one(&COMPARED)),
            _ => {
                let what = self.occupant();
                format!("at({y}) {} {what}", self.r.one(&["=", "!="]))
            }
        };
        self.scope.retain(|n| n.name != *y);
        found
    }

    /// A condition.
    pub fn condition(&mut self, depth: usize) -> String {
        match self.r.below(if depth > 0 { 15 } else { 8 }) {
            14 => {
                let (a, b) = (self.condition(0), self.condition(0));
                self.either(&a, &b)
            }
            0..=2 => self.of_a_place(),
            3 | 4 => self.compared(depth),
            5 => self.of_two_sites(),
            6 => format!("{} in {{0, 1, 3}}", self.number(depth.min(1))),
            7 | 8 => self.quantified(depth),
            9 => format!("not ({})", self.condition(depth - 1)),
            10 => format!(
                "(({}) {} ({}))",
                self.condition(depth - 1),
                self.r.one(&["or", "or", "and"]),
                self.condition(depth - 1)
            ),
            11 => {
                let counted = self.counted();
                format!("{counted} {} {}", self.r.one(&COMPARED), self.r.below(4))
            }
            _ => self.of_a_place(),
        }
    }

    /// A comparison of two numbers that are not both literals.
    fn compared(&mut self, depth: usize) -> String {
        let b = self.number(0);
        for _ in 0..4 {
            let a = self.number(depth.min(1));
            if a.contains(|c: char| c.is_alphabetic()) {
                return format!("{a} {} {b}", self.r.one(&COMPARED));
            }
        }
        let a = self.counted();
        format!("{a} >= {b}")
    }

    fn of_two_sites(&mut self) -> String {
        let (Some(a), Some(b)) = (self.site(), self.site()) else {
            return self.of_a_place();
        };
        match self.r.below(4) {
            0 => format!("{a} in {}", self.set(1)),
            1 => format!("{a} not in {}", self.set(1)),
            2 => format!("{a} = {b}"),
            _ => format!("{a} != {b}"),
        }
    }

    /// A condition on the contents of a place.
    fn of_a_place(&mut self) -> String {
        if self.board.on_edges() {
            return match self.edge() {
                Some(e) if self.by_each && self.r.once_in(2) => format!("p owns at({e})"),
                Some(e) => format!("at({e}) {} {}", self.r.one(&["=", "!="]), self.occupant()),
                None => format!("size(edges) >= {}", self.r.below(3)),
            };
        }
        let Some(s) = self.site() else {
            return self.compared(1);
        };
        if !self.lies() {
            let set = self.set(1);
            return format!("size({set}) {} {}", self.r.one(&COMPARED), self.r.below(4));
        }
        let place = match self.board.is_cells() && self.r.once_in(4) {
            true => format!("{s} + {}", self.direction()),
            false => s,
        };
        if self.has_pieces() && self.by_each && self.r.once_in(3) {
            return format!("p owns at({place})");
        }
        if self.has_pieces() && self.r.once_in(6) {
            let one = self.r.one(&self.pieces);
            return format!("at({place}) in {{{one}, empty}}");
        }
        let what = self.occupant();
        format!("at({place}) {} {what}", self.r.one(&["=", "!=", "="]))
    }

    fn quantified(&mut self, depth: usize) -> String {
        let word = self.r.one(&["all", "some", "no", "no"]);
        if self.board == Board::Heaps {
            self.mark("over the whole board");
            let n = self.number(0);
            let y = self.fresh("y");
            return format!("{word} {y} in heaps: {y} {} {n}", self.r.one(&COMPARED));
        }
        if self.board == Board::Pairs {
            self.mark("over the whole board");
            let n = self.number(0);
            let (y, z) = (self.fresh("y"), self.fresh("y"));
            return format!(
                "{word} ({y}, {z}) in heaps: {y} {} {n} + {z}",
                self.r.one(&COMPARED)
            );
        }
        if self.board == Board::Scalars {
            return format!("{} != {}", self.number(1), self.number(0));
        }
        if self.board.has_edges() && self.r.once_in(3) {
            self.mark("over the whole board");
            let y = self.fresh("y");
            self.bind(&y, Sort::Edge);
            let inside = match self.board.on_edges() {
                true => {
                    let what = self.occupant();
                    format!("at({y}) {} {what}", self.r.one(&["=", "!="]))
                }
                false => {
                    let s = self.site();
                    s.map_or_else(|| "1 = 1".to_owned(), |s| format!("{s} in ends({y})"))
                }
            };
            self.scope.retain(|n| n.name != y);
            return format!("({word} {y} in edges: {inside})");
        }
        let whole = self.r.once_in(3);
        let over = if whole {
            self.mark("over the whole board");
            self.board.sites().to_owned()
        } else {
            self.set(1)
        };
        let y = self.fresh("y");
        let filter = match self.r.once_in(4) && self.lies() {
            true => {
                let what = self.occupant();
                format!(" where at({y}) != {what}")
            }
            false => String::new(),
        };
        let inside = self.about(&y, depth.saturating_sub(1));
        format!("({word} {y} in {over}{filter}: {inside})")
    }
}
