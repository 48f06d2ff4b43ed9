//! Rulesets composed from the grammar: declarations, then moves of one to three stages, each with binders, conditions and
//! effects that are drawn one by one over the names bound so far. The result is the text of a ruleset with positions, which
//! passes the checker.
//!
//! Most drafts are monotone, so that play ends: pieces are only placed or only removed, and each move removes or counts down
//! something. One in eight is free, and often repeats.

use super::expressions::{Name, Sort};
use super::{Random, Sample, boards};

/// The kinds of boards of composed rulesets.
pub const KINDS: [&str; 13] = [
    "+heaps", "+pairs", "+strip", "+grid", "+graph", "+edges", "+rooted", "+digraph", "+acyclic",
    "+arcs", "+poset", "+scalars", "+players",
];

/// The board of a ruleset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Board {
    Heaps,
    Pairs,
    Strip,
    Grid,
    Graph,
    /// A rooted graph with pieces on edges.
    Edges,
    Rooted,
    Digraph,
    Acyclic,
    /// A digraph with pieces on arcs.
    Arcs,
    Poset,
    Scalars,
}

impl Board {
    pub fn is_cells(self) -> bool {
        matches!(self, Board::Strip | Board::Grid)
    }

    pub fn is_heaps(self) -> bool {
        matches!(self, Board::Heaps | Board::Pairs)
    }

    pub fn has_edges(self) -> bool {
        self.is_graph() || self.has_arcs()
    }

    pub fn is_graph(self) -> bool {
        matches!(self, Board::Graph | Board::Edges | Board::Rooted)
    }

    pub fn is_rooted(self) -> bool {
        matches!(self, Board::Edges | Board::Rooted)
    }

    pub fn has_arcs(self) -> bool {
        matches!(self, Board::Digraph | Board::Acyclic | Board::Arcs)
    }

    pub fn has_sites(self) -> bool {
        !self.is_heaps() && self != Board::Scalars
    }

    /// Whether moves may add edges.
    pub fn grows(self) -> bool {
        self.has_edges() && self != Board::Acyclic
    }

    pub fn on_edges(self) -> bool {
        matches!(self, Board::Edges | Board::Arcs)
    }

    /// The word for all sites.
    pub fn sites(self) -> &'static str {
        match self {
            Board::Strip | Board::Grid => "cells",
            Board::Poset => "points",
            _ => "vertices",
        }
    }

    /// The sort of a site, in a declaration of state.
    pub fn site(self) -> &'static str {
        match self {
            Board::Strip | Board::Grid => "cell",
            Board::Poset => "element",
            _ => "vertex",
        }
    }

    fn clause(self) -> &'static str {
        match self {
            Board::Heaps => "heaps",
            Board::Pairs => "heaps (m, n)",
            Board::Strip => "strip",
            Board::Grid => "grid",
            Board::Graph => "graph",
            Board::Edges | Board::Rooted => "graph rooted at ground",
            Board::Digraph | Board::Arcs => "digraph",
            Board::Acyclic => "digraph acyclic",
            Board::Poset => "poset",
            Board::Scalars => "",
        }
    }
}

/// The direction of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// Pieces are only placed.
    Fill,
    /// Pieces are only removed, or capture others.
    Take,
    /// No restriction.
    Free,
}

/// A ruleset under construction.
pub struct Draft<'r> {
    pub r: &'r mut Random,
    pub board: Board,
    pub way: Way,
    /// The names of the players.
    pub players: Vec<&'static str>,
    /// The names of the pieces, starting with each player's own.
    pub pieces: Vec<&'static str>,
    /// `state c(site): nat`
    pub counter: bool,
    /// `state q(piece, site): nat`
    pub stock: bool,
    /// Single values of sort `nat`.
    pub scalars: Vec<&'static str>,
    /// `state token: site`
    pub token: bool,
    /// `state mark: piece`
    pub mark: bool,
    /// `let ahead(..) = ..`: directions of the players.
    pub ahead: bool,
    /// The parameters: name, sort, argument.
    pub parameters: Vec<(&'static str, &'static str, &'static str)>,
    /// The names bound at the current place.
    pub scope: Vec<Name>,
    /// Whether the player of the move is called `p`.
    pub by_each: bool,
    /// Variables whose site was removed in an earlier stage.
    pub gone: Vec<String>,
    pub marks: Vec<&'static str>,
    /// The number of names bound before this stage.
    pub before: usize,
    /// Whether the move so far removes, places, captures or counts down something.
    pub progress: bool,
    next: usize,
}

impl Draft<'_> {
    /// A name that has not been used.
    pub fn fresh(&mut self, letter: &str) -> String {
        self.next += 1;
        format!("{letter}{}", self.next)
    }

    pub fn bind(&mut self, name: &str, sort: Sort) {
        self.scope.push(Name {
            name: name.to_owned(),
            sort,
        });
    }

    pub fn mark(&mut self, mark: &'static str) {
        if !self.marks.contains(&mark) {
            self.marks.push(mark);
        }
    }

    pub fn has_pieces(&self) -> bool {
        !self.pieces.is_empty()
    }

    /// Whether sites have contents for `at`.
    pub fn lies(&self) -> bool {
        !self.board.on_edges() && (self.has_pieces() || self.board.is_cells())
    }
}

/// A ruleset on that kind of board, with positions.
pub fn composed(kind: &'static str, r: &mut Random) -> Sample {
    let board = match kind {
        "+heaps" => Board::Heaps,
        "+pairs" => Board::Pairs,
        "+strip" => Board::Strip,
        "+grid" => Board::Grid,
        "+graph" => Board::Graph,
        "+edges" => Board::Edges,
        "+rooted" => Board::Rooted,
        "+digraph" => Board::Digraph,
        "+acyclic" => Board::Acyclic,
        "+arcs" => Board::Arcs,
        "+poset" => Board::Poset,
        "+scalars" => Board::Scalars,
        _ => r.one(&[
            Board::Heaps,
            Board::Strip,
            Board::Graph,
            Board::Edges,
            Board::Poset,
            Board::Digraph,
        ]),
    };
    let many = kind == "+players";
    let mut d = declared(board, many, r);
    let mut text = header(&mut d, many);
    for _ in 0..d.r.within(2, 4) {
        let m = a_move(&mut d);
        text.push_str(&m);
    }
    // A derived ruleset, in which everyone has everyone's moves.
    let derived = d.r.once_in(10) && d.parameters.is_empty();
    if derived {
        text.push_str("\nruleset I = impartial(R)\n");
    }
    let name = if derived { "I" } else { "R" };
    let positions = (0..3).map(|_| boards::position(&mut d, name)).collect();
    let marks = d.marks;
    if marks.contains(&"if") {
        text.insert_str(0, "language 2\n");
    }
    Sample {
        rules: text,
        positions,
        kind,
        marks,
    }
}

fn declared(board: Board, many: bool, r: &mut Random) -> Draft<'_> {
    let players: Vec<&str> = match (many, r.below(2)) {
        (true, 0) => vec!["A", "B", "C"],
        (true, _) => vec!["A", "B", "C", "D"],
        _ => vec!["Left", "Right"],
    };
    let own: &[&str] = if board.on_edges() {
        &["b", "r", "y", "z"]
    } else {
        &["x", "o", "y", "z"]
    };
    let mut pieces: Vec<&str> = Vec::new();
    if board.has_sites() && (board.on_edges() || !r.once_in(5)) {
        pieces.extend(&own[..players.len()]);
        if r.once_in(3) {
            pieces.push("g");
        }
    }
    let sites = board.has_sites();
    let mut scalars = Vec::new();
    if board == Board::Scalars {
        scalars.extend(&["h", "l", "t"][..r.within(1, 3)]);
    } else if r.once_in(4) {
        scalars.push("h");
    }
    let stock =
        matches!(board, Board::Digraph | Board::Acyclic) && !pieces.is_empty() && r.once_in(3);
    Draft {
        way: match r.below(8) {
            0 => Way::Free,
            1..=3 => Way::Take,
            _ => Way::Fill,
        },
        counter: sites && !stock && r.once_in(3),
        stock,
        token: sites && r.once_in(5),
        mark: !pieces.is_empty() && !board.on_edges() && r.once_in(10),
        ahead: board.is_cells(),
        parameters: parameters(r),
        scope: Vec::new(),
        by_each: false,
        gone: Vec::new(),
        marks: Vec::new(),
        before: 0,
        progress: false,
        next: 0,
        players,
        pieces,
        scalars,
        board,
        r,
    }
}

fn parameters(r: &mut Random) -> Vec<(&'static str, &'static str, &'static str)> {
    let mut all = Vec::new();
    if r.once_in(8) {
        all.push(("S", "set of nat", r.one(&["{1, 2}", "{2}", "{1, 3}", "{}"])));
    }
    if r.once_in(10) {
        all.push(("K", "nat", r.one(&["1", "2", "0"])));
    }
    if r.once_in(10) {
        let code = r.one(&["\"0.37\"", "\"4.7\"", "\"0.137\"", "\"0.07\""]);
        all.push(("D", "digits", code));
    }
    if r.once_in(12) {
        all.push((
            "T",
            "list of nat",
            r.one(&["[1, 2]", "[2, 1, 1]", "[0, 3]"]),
        ));
    }
    all
}

fn header(d: &mut Draft<'_>, many: bool) -> String {
    let parameters: Vec<String> = d
        .parameters
        .iter()
        .map(|(name, sort, _)| format!("{name}: {sort}"))
        .collect();
    let mut text = match parameters.is_empty() {
        true => "ruleset R\n".to_owned(),
        false => format!("ruleset R({})\n", parameters.join(", ")),
    };
    if d.board != Board::Scalars {
        text.push_str(&format!("  board {}\n", d.board.clause()));
    }
    if many {
        let play = d.r.one(&["last-wins", "elimination"]);
        text.push_str(&format!(
            "  players {}\n  play {play}\n",
            d.players.join(", ")
        ));
    }
    if d.has_pieces() {
        let mut all: Vec<String> = d
            .pieces
            .iter()
            .zip(&d.players)
            .map(|(piece, player)| format!("{piece} = {player}"))
            .collect();
        if d.pieces.len() > d.players.len() {
            all.push(match d.r.once_in(2) {
                true => format!("g = {} or {}", d.players[0], d.players[1]),
                false => "g = anyone".to_owned(),
            });
        }
        let on = if d.board.on_edges() { " on edges" } else { "" };
        text.push_str(&format!("  pieces {}{on}\n", all.join(", ")));
    }
    let site = d.board.site();
    if d.counter {
        text.push_str(&format!("  state c({site}): nat\n"));
    }
    if d.stock {
        text.push_str(&format!("  state q(piece, {site}): nat\n"));
    }
    if !d.scalars.is_empty() {
        text.push_str(&format!("  state {}: nat\n", d.scalars.join(", ")));
    }
    if d.token {
        text.push_str(&format!("  state token: {site}\n"));
    }
    if d.mark {
        text.push_str("  state mark: piece\n");
    }
    if d.ahead {
        let ways: &[&str] = if d.board == Board::Grid {
            &["south", "east", "west", "north"]
        } else {
            &["east", "west"]
        };
        let from = d.r.below(ways.len());
        let all: Vec<String> = d
            .players
            .iter()
            .enumerate()
            .map(|(i, player)| format!("ahead({player}) = {}", ways[(from + i) % ways.len()]))
            .collect();
        text.push_str(&format!("  let {}\n", all.join(", ")));
    }
    if d.has_pieces() {
        let all: Vec<String> = d
            .players
            .iter()
            .zip(&d.pieces)
            .map(|(player, piece)| format!("own({player}) = {piece}"))
            .collect();
        text.push_str(&format!("  let {}\n", all.join(", ")));
    }
    text
}

fn a_move(d: &mut Draft<'_>) -> String {
    d.scope.clear();
    d.gone.clear();
    d.progress = false;
    let by = match d.r.below(8) {
        0 => "anyone",
        1 => d.players[0],
        2 => d.players[1],
        _ => "p",
    };
    d.by_each = by == "p";
    let label = if d.r.once_in(6) { "go " } else { "" };
    let mut text = format!("  move {label}by {by}:");
    let stages = match d.r.below(10) {
        0..=6 => 1,
        7 | 8 => 2,
        _ => 3,
    };
    let mut all = Vec::new();
    let mut outer = 0;
    for i in 0..stages {
        outer = d.scope.len();
        all.push(d.stage(i, stages));
    }
    if !d.progress && d.way != Way::Free {
        outer = d.scope.len();
        all.push(d.certain());
    }
    if d.r.once_in(5)
        && let Some(last) = all.pop()
    {
        let repeated = d.repeated(last, outer);
        all.push(repeated);
    }
    for (i, stage) in all.iter().enumerate() {
        text.push_str(if i == 0 { " " } else { "\n    " });
        text.push_str(stage);
    }
    // A move `by p` must mention `p`.
    let (head, body) = text.split_once(':').unwrap_or((&text, ""));
    let mut words = body.split(|c: char| !c.is_alphanumeric());
    if by == "p" && !words.any(|word| word == "p") {
        text = format!("{}by anyone:{body}", &head[..head.len() - "by p".len()]);
    }
    text.push('\n');
    text
}

impl Draft<'_> {
    /// One stage: binders, conditions, effects.
    fn stage(&mut self, index: usize, of: usize) -> String {
        let mut parts = Vec::new();
        let mut conditions = Vec::new();
        let before = self.scope.len();
        self.before = before;
        if index == 0 || !self.r.once_in(4) {
            let binders = self.binders(&mut conditions);
            parts.push(format!("choose {}", binders.join(", ")));
        }
        let only_looks = index > 0 && index + 1 == of && self.r.once_in(3);
        let effects = match only_looks {
            true => Vec::new(),
            false => self.effects(before, &mut conditions),
        };
        let more = [0, 0, 0, 0, 1, 1, 2][self.r.below(7)];
        for _ in 0..more + usize::from(only_looks) {
            let c = self.condition(2);
            conditions.push(c);
        }
        if !conditions.is_empty() {
            parts.push(format!("where {}", conditions.join(", ")));
        }
        if !effects.is_empty() {
            parts.push(format!("then {}", effects.join(", ")));
        }
        if index > 0 && parts.iter().any(|p| self.names_gone(p)) {
            self.mark("a site that is gone");
        }
        parts.join(" ")
    }

    /// Turns the last stage into one that is done once or more, if it chooses and changes something: with another value for a
    /// name that an earlier stage has bound, and with conditions after the last round. `outer` names were bound before it.
    fn repeated(&mut self, stage: String, outer: usize) -> String {
        if !stage.starts_with("choose") || !stage.contains(" then ") {
            return stage;
        }
        let mut text = format!("repeat {stage}");
        let sort = self.r.one(&[Sort::Site, Sort::Site, Sort::Number]);
        let names = |all: &[Name]| -> Vec<String> {
            let all = all.iter().filter(|n| n.sort == sort);
            all.map(|n| n.name.clone()).collect()
        };
        let (before, own) = (names(&self.scope[..outer]), names(&self.scope[outer..]));
        if let (Some(name), Some(value)) = (self.pick(before), self.pick(own)) {
            text.push_str(&format!(" next {name} = {value}"));
        }
        if self.r.once_in(4) {
            let c = self.condition(1);
            text.push_str(&format!("\n    where {c}"));
        }
        text
    }

    /// A stage that certainly brings the end of play nearer.
    fn certain(&mut self) -> String {
        match self.board {
            Board::Heaps => "choose nn then nn -> [nn - 1]".to_owned(),
            Board::Pairs => "choose (mm, nn) then (mm, nn) -> [(mm - 1, nn)]".to_owned(),
            Board::Scalars => format!("then {} -= 1", self.scalars[0]),
            b if b.on_edges() => "choose edge ee then remove ee".to_owned(),
            b if b.is_rooted() => "choose aa where aa != ground then remove aa".to_owned(),
            _ => "choose aa then remove aa".to_owned(),
        }
    }

    fn names_gone(&self, text: &str) -> bool {
        self.gone.iter().any(|name| {
            text.split(|c: char| !c.is_alphanumeric())
                .any(|word| word == name)
        })
    }

    fn binders(&mut self, conditions: &mut Vec<String>) -> Vec<String> {
        let mut all = Vec::new();
        let count = [1, 1, 2, 2, 3][self.r.below(5)];
        for i in 0..count {
            let one = match self.board {
                Board::Heaps => self.heap_binder(i),
                Board::Pairs => self.pair_binder(i),
                Board::Scalars => self.number_binder(),
                _ if i > 0 && self.r.once_in(4) => self.number_binder(),
                _ if self.has_pieces() && self.r.once_in(12) => {
                    let name = self.fresh("z");
                    self.bind(&name, Sort::Piece);
                    let owned = self.r.once_in(2) && self.by_each;
                    if owned {
                        conditions.push(format!("p owns {name}"));
                    }
                    match self.r.once_in(2) {
                        true => format!("piece {name}"),
                        false => format!("{name} in pieces"),
                    }
                }
                _ => self.site_binder(),
            };
            all.push(one);
        }
        all
    }

    fn heap_binder(&mut self, i: usize) -> String {
        if i == 0 || self.r.once_in(3) {
            let name = self.fresh("n");
            self.bind(&name, Sort::Heap);
            return name;
        }
        self.number_binder()
    }

    fn pair_binder(&mut self, i: usize) -> String {
        if i == 0 || self.r.once_in(5) {
            let (m, n) = (self.fresh("m"), self.fresh("n"));
            self.bind(&m, Sort::Number);
            self.bind(&n, Sort::Number);
            let pair = format!("({m}, {n})");
            self.bind(&pair, Sort::Pair);
            return pair;
        }
        self.number_binder()
    }

    /// A range of positive amounts, for example `k in 1..n`.
    fn number_binder(&mut self) -> String {
        let name = self.fresh("k");
        let most = self.amount_bound();
        let range = match self.r.below(8) {
            0 => "{1, 2}".to_owned(),
            1 if self.parameters.iter().any(|p| p.0 == "S") => "S".to_owned(),
            1 => "{1, 3}".to_owned(),
            2 => format!("0..{most}"),
            3 => {
                let n = self.number(1);
                self.bind(&name, Sort::Number);
                return format!("{name} = {n}");
            }
            _ => format!("1..{most}"),
        };
        self.bind(&name, Sort::Number);
        format!("{name} in {range}")
    }

    fn site_binder(&mut self) -> String {
        let known = self.site();
        let choice = self.r.below(if known.is_some() { 8 } else { 3 });
        if self.board.has_edges() && (choice == 0 || (self.board.on_edges() && choice < 3)) {
            return self.edge_binder();
        }
        let name = self.fresh("a");
        let text = match (choice, known) {
            (3.., Some(from)) if self.board.is_cells() && choice < 6 => {
                let step = self.direction();
                let far = if self.r.once_in(5) { "2 * " } else { "" };
                format!("{name} = {from} + {far}{step}")
            }
            (4.., _) => {
                let set = self.set(1);
                format!("{name} in {set}")
            }
            (2, _) if self.board.has_edges() => {
                if let Some(e) = self.edge() {
                    self.bind(&name, Sort::Site);
                    return format!("{name} in ends({e})");
                }
                name.clone()
            }
            _ => name.clone(),
        };
        self.bind(&name, Sort::Site);
        text
    }

    fn edge_binder(&mut self) -> String {
        if self.r.once_in(2) || self.board.on_edges() {
            let name = self.fresh("e");
            self.bind(&name, Sort::Edge);
            return format!("edge {name}");
        }
        let sign = if self.board.has_arcs() { "->" } else { "--" };
        let names: Vec<String> = (0..self.r.within(2, 3)).map(|_| self.fresh("a")).collect();
        for name in &names {
            self.bind(name, Sort::Site);
        }
        names.join(&format!(" {sign} "))
    }
}
