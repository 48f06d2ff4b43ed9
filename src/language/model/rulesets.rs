//! Checks rulesets: first their clauses (the meaning of the names inside them), then their moves.

use super::advice;
use super::builtins;
use super::checker::Checker;
use super::error;
use super::scope::{Around, Definition, Env, Hint, Inside, Named};
use super::typed::{
    BoardKind, Derived, Endless, ExprKind, Form, MAX_PLAYERS, Owners, Parameter, Piece, Play,
    Players, Ruleset, RulesetId, Sort, StateVar,
};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, Suggestion, meant};
use crate::syntax::ast::{self, ClauseKind};
use crate::syntax::printer::print_expr;
use std::sync::Arc;

/// An empty ruleset.
pub(super) fn blank(name: &Ident, doc: &[Arc<str>]) -> Ruleset {
    Ruleset {
        name: name.text.clone(),
        span: name.span,
        doc: doc.to_vec(),
        parameters: Vec::new(),
        board: BoardKind::Scalars,
        heap_fields: Vec::new(),
        acyclic: false,
        root: None,
        players: Players::Named(vec!["Left".into(), "Right".into()]),
        pieces: Vec::new(),
        pieces_range: None,
        pieces_on_sites: false,
        pieces_on_edges: false,
        state: Vec::new(),
        convention: Play::Normal,
        ends: Vec::new(),
        endless: Endless::Draw,
        score: None,
        moves: Vec::new(),
        derived: None,
        inherits: None,
        hidden: false,
        broken: false,
    }
}

/// The words that may follow `play`.
const WAYS_TO_END: [&str; 5] = [
    "normal",
    "misere",
    "stuck-draws",
    "last-wins",
    "elimination",
];

/// The intended meaning of a clause `play ..` with an unknown word.
fn way_to_end(how: &Ident, clause: Span) -> Option<Suggestion> {
    let gone = |message: &str| Some(Suggestion::replace(clause, "", message));
    match &*how.text.to_lowercase() {
        "misère" | "misere-play" => Some(
            Suggestion::replace(
                how.span,
                "misere",
                "write it without the accent: `play misere`",
            )
            .safe(),
        ),
        "last-loses" | "loses-last" | "reverse" | "inverse" | "last-mover-loses" => Some(
            Suggestion::replace(
                how.span,
                "misere",
                "if whoever moves last loses: `play misere`",
            )
            .safe(),
        ),
        "stalemate" | "draws" => Some(Suggestion::replace(
            how.span,
            "stuck-draws",
            "who cannot move draws: `play stuck-draws`",
        )),
        "normal-play" | "default" | "standard" => {
            gone("normal play needs no clause for two players: leave it out")
        }
        _ => meant(how, WAYS_TO_END),
    }
}

/// Reports a clause that occurs a second time; returns whether it is the first.
fn once(checker: &mut Checker<'_>, seen: &mut Option<Span>, span: Span, what: &str) -> bool {
    match seen.replace(span) {
        None => true,
        Some(first) => {
            *seen = Some(first);
            checker.report(
                Diagnostic::error(Code::E0222, format!("a second `{what}` clause"))
                    .at(span, "the second")
                    .at(first, "the first"),
            );
            false
        }
    }
}

impl Checker<'_> {
    pub(super) fn set_ruleset(&mut self, id: RulesetId, rules: Ruleset) {
        self.scope.model.rulesets[id.0 as usize] = Arc::new(rules);
    }

    fn inside(&mut self, id: RulesetId) -> &mut Inside {
        &mut self.scope.insides[id.0 as usize]
    }

    /// Checks the clauses of a ruleset except its moves. Broken clauses are left out.
    pub(super) fn header(&mut self, id: RulesetId, r: &ast::Ruleset, doc: &[Arc<str>]) {
        let mut rules = blank(&r.name, doc);
        // What it inherits may be in error.
        rules.broken = self.ruleset(id).broken;
        rules.hidden = self.ruleset(id).hidden;
        rules.parameters = self.parameters(&r.parameters, None);
        let (mut board, mut players, mut play, mut endless) = (None, None, None, None);
        let mut pieces: Vec<&ast::PiecesClause> = Vec::new();
        let mut state: Vec<&ast::StateDecl> = Vec::new();
        let mut lets: Vec<(&ast::Let, &[Arc<str>])> = Vec::new();
        let mut has_move = false;
        let mut owners_named: Option<&Vec<ast::Expr>> = None;
        let mut ends: Option<(&Ident, Span)> = None;
        let mut forever: Option<(Option<&Ident>, Span)> = None;
        for clause in &r.clauses {
            match &clause.kind {
                ClauseKind::Board(b) => {
                    if once(self, &mut board, clause.span, "board") {
                        self.inside(id).board = Some(clause.span);
                        self.board_clause(b, &mut rules);
                    }
                }
                ClauseKind::Players(p) => {
                    if once(self, &mut players, clause.span, "players") {
                        owners_named = Some(p);
                    }
                }
                ClauseKind::Play(how) => {
                    if once(self, &mut play, clause.span, "play") {
                        ends = Some((how, clause.span));
                    }
                }
                ClauseKind::Pieces(p) => pieces.push(p),
                ClauseKind::State(s) => state.extend(s),
                ClauseKind::Let(all) => {
                    lets.extend(all.iter().map(|l| (l, &clause.doc[..])));
                }
                ClauseKind::Endless(who) => {
                    if once(self, &mut endless, clause.span, "endless") {
                        forever = Some((who.as_ref(), clause.span));
                    }
                }
                // These read the position, as moves do, and are checked with them.
                ClauseKind::End(_) | ClauseKind::Score(_) => {}
                ClauseKind::Move(_) => has_move = true,
                ClauseKind::Without(_) => self.report(
                    Diagnostic::error(Code::E0226, "`without` leaves out what is inherited")
                        .at(clause.span, "this ruleset inherits nothing")
                        .help("`ruleset Mine = Theirs with`, and below it the clauses that change"),
                ),
            }
        }
        // From here on expressions may use the definitions found so far.
        self.set_ruleset(id, rules);
        if let Some(p) = owners_named {
            self.players_clause(id, p);
        }
        for clause in pieces {
            self.pieces_clause(id, clause);
        }
        self.play_clause(id, &r.name, ends);
        if let Some((who, span)) = forever {
            self.endless_clause(id, who, span);
        }
        self.scores_alone(id, r);
        for s in state {
            self.state_clause(id, s);
        }
        self.lets_of(id, &lets);
        let rules = self.ruleset(id);
        if !has_move {
            self.report(
                Diagnostic::error(Code::E0222, format!("{} has no move", r.name.text))
                    .at(r.name.span, "a ruleset says how to move")
                    .help("add a clause `move by anyone: choose .. then ..`"),
            );
        }
        if rules.board.form() == Form::Scalars && board.is_none() && rules.state.is_empty() {
            self.report(
                Diagnostic::error(Code::E0222, format!("{} has neither a board nor state", r.name.text))
                    .at(r.name.span, "its positions would all be the same")
                    .help("add `board heaps`, `board grid`, `board graph`, ..; or, without a board, `state m, n: nat`"),
            );
        }
    }

    /// Parameters with their sorts; the default is nat.
    fn parameters(&mut self, all: &[ast::Parameter], home: Option<RulesetId>) -> Vec<Parameter> {
        let mut found: Vec<Parameter> = Vec::new();
        for p in all {
            if found.iter().any(|f| f.name == p.name.text) {
                self.report(
                    Diagnostic::error(
                        Code::E0202,
                        format!("two parameters are called `{}`", p.name.text),
                    )
                    .at(p.name.span, "the second"),
                );
            }
            self.may_be_bound(&p.name, &Env::new(Around::Header, None));
            let (sort, natural) = match &p.sort {
                Some(sort) => self.sort(sort, home),
                None => {
                    self.report(
                        Diagnostic::error(
                            Code::E0212,
                            format!("the parameter `{}` of a ruleset needs a sort", p.name.text),
                        )
                        .at(p.name.span, "of which sort?")
                        .suggest(Suggestion::after(
                            p.name.span,
                            ": nat",
                            format!(
                                "write `{}: nat`, or int, string, digits, piece, board, set of nat, ..",
                                p.name.text
                            ),
                        )),
                    );
                    (Sort::Unknown, false)
                }
            };
            found.push(Parameter {
                name: p.name.text.clone(),
                sort,
                natural,
            });
        }
        found
    }

    fn board_clause(&mut self, b: &ast::BoardClause, rules: &mut Ruleset) {
        let named = |word: &str| BoardKind::named(word, b.tuple.len());
        rules.board = match named(&b.kind.text) {
            Some(kind) => {
                if kind.has_heaps() {
                    rules.heap_fields = b.tuple.iter().map(|f| f.text.clone()).collect();
                }
                kind
            }
            None => {
                let other = &*b.kind.text;
                let kinds = builtins::names_of(builtins::What::BoardKind);
                let fix = advice::board_meant(other)
                    .map(|kind| {
                        let message = format!("did you mean `board {kind}`?");
                        Suggestion::replace(b.kind.span, kind, message)
                    })
                    .or_else(|| meant(&b.kind, kinds));
                let kind = fix.as_ref().map(|f| f.edits[0].text.clone());
                self.report(
                    Diagnostic::error(Code::E0222, format!("`{other}` is not a kind of board"))
                        .at(b.kind.span, "unknown kind")
                        .suggest_if(fix)
                        .help_if(match other {
                            "torus" | "cylinder" | "ring" => Some(
                                "a grid is closed where a position is written: `[grid(4, 5, wrap: both)]`".to_owned(),
                            ),
                            _ => None,
                        })
                        .note("boards are heaps, strip, grid, graph, digraph and poset"),
                );
                // Continue with the likely kind, so that the moves cause no further messages.
                kind.as_deref().and_then(named).unwrap_or(BoardKind::Graph)
            }
        };
        if !b.tuple.is_empty() && !rules.board.has_heaps() {
            self.report(
                Diagnostic::error(Code::E0222, "only heaps are tuples")
                    .at(b.tuple[0].span, "")
                    .help("`board heaps (m, n)`"),
            );
        }
        for (i, name) in b.tuple.iter().enumerate() {
            if b.tuple[..i].contains(name) {
                self.report(
                    Diagnostic::error(
                        Code::E0202,
                        format!("two components are called `{}`", name.text),
                    )
                    .at(name.span, "the second"),
                );
            }
        }
        if let Some(span) = b.acyclic {
            rules.acyclic = true;
            if !rules.board.has_arcs() {
                self.report(
                    Diagnostic::error(Code::E0222, "only a digraph can be asked to be acyclic")
                        .at(span, "")
                        .help("`board digraph acyclic`"),
                );
            }
        }
        if let Some(root) = &b.root {
            rules.root = Some(root.text.clone());
            if !rules.board.has_edges() {
                self.report(
                    Diagnostic::error(Code::E0222, "only a graph can be rooted")
                        .at(root.span, "")
                        .help("`board graph rooted at ground`"),
                );
            }
        }
    }

    fn players_clause(&mut self, id: RulesetId, written: &[ast::Expr]) {
        let mut rules = (*self.ruleset(id)).clone();
        if let [one] = written
            && let ast::ExprKind::Binary(ast::BinaryOp::Range, a, b) = &*one.kind
        {
            if !matches!(&*a.kind, ast::ExprKind::Integer(n) if *n == 1.into()) {
                self.report(
                    Diagnostic::error(Code::E0222, "numbered players count from 1")
                        .at(a.span, "")
                        .suggest(Suggestion::replace(a.span, "1", "write `players 1..n`").safe()),
                );
            }
            let upper = self.over_parameters(id, b);
            // Where parameters decide, this is checked for each instance.
            if let ExprKind::Integer(n) = &*upper.kind {
                if *n > MAX_PLAYERS.into() {
                    self.too_many_players(b.span);
                } else if *n < 2.into() {
                    self.too_few_players(one.span);
                }
            }
            rules.players = Players::Range(upper);
            self.set_ruleset(id, rules);
            return;
        }
        // `players 3`, `players n`.
        if let [one] = written
            && match &*one.kind {
                ast::ExprKind::Integer(_) => true,
                ast::ExprKind::Name(n) => rules.parameters.iter().any(|p| p.name == n.text),
                _ => false,
            }
        {
            let text = format!("players 1..{}", print_expr(one));
            self.report(
                Diagnostic::error(Code::E0222, "players are named, or numbered by a range")
                    .at(one.span, "this is a number")
                    .suggest(Suggestion::before(one.span, "1..", format!("write `{text}`")).safe()),
            );
            rules.players = Players::Range(self.over_parameters(id, one));
            self.set_ruleset(id, rules);
            return;
        }
        let mut names: Vec<Arc<str>> = Vec::new();
        for e in written {
            match &*e.kind {
                ast::ExprKind::Name(name) => {
                    if names.contains(&name.text) {
                        self.report(
                            Diagnostic::error(
                                Code::E0202,
                                format!("two players are called `{}`", name.text),
                            )
                            .at(name.span, "the second"),
                        );
                    } else {
                        self.declarable(name, "player");
                        names.push(name.text.clone());
                    }
                }
                _ => self.report(
                    Diagnostic::error(
                        Code::E0222,
                        "players are named, or numbered by `players 1..n`",
                    )
                    .at(e.span, "this is not a name"),
                ),
            }
        }
        if names.len() < 2 {
            self.too_few_players(written.first().map_or(rules.span, |e| e.span));
        }
        if names.len() > MAX_PLAYERS {
            let span = written.get(MAX_PLAYERS).map_or(rules.span, |e| e.span);
            self.too_many_players(span);
            names.truncate(MAX_PLAYERS);
        }
        rules.players = Players::Named(names);
        self.set_ruleset(id, rules);
    }

    fn too_few_players(&mut self, span: Span) {
        self.report(
            Diagnostic::error(Code::E0222, "a game has two players or more")
                .at(span, "")
                .help("leave the clause out for Left and Right"),
        );
    }

    fn too_many_players(&mut self, span: Span) {
        let message = format!("a game has {MAX_PLAYERS} players at most");
        self.report(Diagnostic::error(Code::E0222, message).at(span, ""));
    }

    /// An integer over the ruleset's parameters.
    fn over_parameters(&mut self, id: RulesetId, e: &ast::Expr) -> super::typed::Expr {
        let mut env = Env::new(Around::Header, Some(id));
        self.ruleset_parameters(id, &mut env);
        let found = self.expect(e, &Sort::Int, &mut env);
        self.spend_parameters(id, &env);
        found
    }

    /// Records which parameters of the ruleset an expression used.
    pub(super) fn spend_parameters(&mut self, id: RulesetId, env: &Env) {
        let n = self.ruleset(id).parameters.len();
        let used: Vec<bool> = env.slots.iter().take(n).map(|v| v.used).collect();
        let inside = self.inside(id);
        inside.spent.resize(n, false);
        for (spent, used) in inside.spent.iter_mut().zip(used) {
            *spent |= used;
        }
    }

    /// Reports a name that is reserved by the language.
    fn declarable(&mut self, name: &Ident, what: &str) {
        let constant = builtins::is_kept(&name.text);
        if constant || &*name.text == "anyone" {
            self.report(
                Diagnostic::error(
                    Code::E0205,
                    format!(
                        "`{}` is a word of the language and cannot be a {what}",
                        name.text
                    ),
                )
                .at(name.span, "declared here")
                .help("take another name"),
            );
        } else if builtins::reserved(&name.text) {
            self.report(
                Diagnostic::error(Code::E0116, format!("`{}` is a reserved word", name.text))
                    .at(name.span, "it cannot be a name")
                    .help("take another name"),
            );
        }
    }

    fn pieces_clause(&mut self, id: RulesetId, clause: &ast::PiecesClause) {
        let mut rules = (*self.ruleset(id)).clone();
        let on_edges = clause.on_edges.is_some();
        if on_edges {
            rules.pieces_on_edges = true;
            if !rules.board.has_edges() {
                self.report(
                    Diagnostic::error(
                        Code::E0222,
                        format!("{} has no edges for pieces", error::board(rules.board)),
                    )
                    .at(clause.on_edges.unwrap_or_default(), "")
                    .help("edges belong to `board graph` and `board digraph`"),
                );
            }
        } else {
            rules.pieces_on_sites = true;
        }
        if let Some(range) = &clause.range {
            let upper = match &*range.kind {
                ast::ExprKind::Binary(ast::BinaryOp::Range, a, b) => {
                    if !matches!(&*a.kind, ast::ExprKind::Integer(n) if *n == 1.into()) {
                        self.report(
                            Diagnostic::error(Code::E0222, "numbered pieces count from 1")
                                .at(a.span, "")
                                .suggest(
                                    Suggestion::replace(a.span, "1", "write `pieces 1..n`").safe(),
                                ),
                        );
                    }
                    b
                }
                _ => range,
            };
            if !matches!(rules.players, Players::Range(_)) {
                self.report(
                    Diagnostic::error(Code::E0222, "`pieces 1..n` gives player i the piece i, and the players here are not numbered")
                        .at(range.span, "")
                        .help("add `players 1..n`, or name the pieces: `pieces x = Left, o = Right`"),
                );
            }
            let upper = self.over_parameters(id, upper);
            rules.pieces_range = Some(upper);
            self.set_ruleset(id, rules);
            return;
        }
        for p in &clause.pieces {
            self.declarable(&p.name, "piece");
            if rules.pieces.iter().any(|q| q.name == p.name.text) {
                self.report(
                    Diagnostic::error(
                        Code::E0202,
                        format!("two pieces are called `{}`", p.name.text),
                    )
                    .at(p.name.span, "the second"),
                );
                continue;
            }
            if let Players::Named(players) = &rules.players
                && players.contains(&p.name.text)
            {
                self.report(
                    Diagnostic::error(
                        Code::E0202,
                        format!("`{}` is a player already", p.name.text),
                    )
                    .at(p.name.span, "and here a piece")
                    .help("take another name for the piece"),
                );
                continue;
            }
            let owners = self.owners(&p.owners, &rules);
            rules.pieces.push(Piece {
                name: p.name.text.clone(),
                owners,
                on_edges,
            });
        }
        self.set_ruleset(id, rules);
    }

    fn owners(&mut self, written: &[Ident], rules: &Ruleset) -> Owners {
        let mut these: Vec<u8> = Vec::new();
        let mut anyone = false;
        for owner in written {
            // The other owners are still checked: an unknown name is a mistake.
            if &*owner.text == "anyone" {
                anyone = true;
                continue;
            }
            let Players::Named(players) = &rules.players else {
                self.report(
                    Diagnostic::error(Code::E0201, format!("there is no player `{}`", owner.text))
                        .at(owner.span, "the players are numbered")
                        .help("`pieces 1..n` gives each player a piece; `pieces w = anyone` gives one to all"),
                );
                continue;
            };
            match players.iter().position(|p| *p == owner.text) {
                Some(i) => {
                    let i = u8::try_from(i).unwrap_or(u8::MAX);
                    if !these.contains(&i) {
                        these.push(i);
                    }
                }
                None => {
                    let known: Vec<&str> = players.iter().map(|p| &**p).chain(["anyone"]).collect();
                    self.report(
                        Diagnostic::error(
                            Code::E0201,
                            format!("there is no player `{}`", owner.text),
                        )
                        .at(owner.span, "unknown player")
                        .suggest_if(meant(owner, known.iter().copied()))
                        .note(format!(
                            "the players are {}",
                            error::list(&known[..known.len() - 1], "and")
                        )),
                    );
                }
            }
        }
        these.sort_unstable();
        if anyone {
            Owners::Anyone
        } else {
            Owners::These(these)
        }
    }

    fn play_clause(&mut self, id: RulesetId, name: &Ident, written: Option<(&Ident, Span)>) {
        let mut rules = (*self.ruleset(id)).clone();
        let many = match &rules.players {
            Players::Named(names) => names.len() > 2,
            Players::Range(_) => true,
        };
        match written {
            Some((how, clause)) => {
                if many && &*how.text == "normal" {
                    self.report(
                        Diagnostic::error(Code::E0222, "normal play is for two players")
                            .at(how.span, "here can be three players or more")
                            .help("`play last-wins`: whoever moved last wins; `play elimination`: a player who cannot move is out, and the last one left wins"),
                    );
                }
                if many && matches!(&*how.text, "misere" | "stuck-draws") {
                    self.report(
                        Diagnostic::error(
                            Code::E0222,
                            format!("`play {}` is for two players", how.text),
                        )
                        .at(how.span, "here can be three players or more")
                        .help("`play last-wins`: whoever moved last wins; `play elimination`: a player who cannot move is out, and the last one left wins"),
                    );
                }
                rules.convention = match &*how.text {
                    "last-wins" => Play::LastWins,
                    "elimination" => Play::Elimination,
                    "normal" => Play::Normal,
                    "misere" => Play::Misere,
                    "stuck-draws" => Play::StuckDraws,
                    other => {
                        self.report(
                            Diagnostic::error(Code::E0222, format!("`{other}` is not a way for play to end"))
                                .at(how.span, "")
                                .suggest_if(way_to_end(how, clause))
                                .note("`play misere`: a player who cannot move wins; `play stuck-draws`: a player who cannot move draws; `play last-wins`: whoever moved last wins; `play elimination`: a player who cannot move is out, and the last one left wins"),
                        );
                        Play::LastWins
                    }
                };
            }
            None => {
                if many {
                    self.report(
                        Diagnostic::error(Code::E0222, format!("{} must say how play ends", name.text))
                            .at(name.span, "it can have three players or more")
                            .help("`play last-wins`: whoever moved last wins; `play elimination`: a player who cannot move is out, and the last one left wins"),
                    );
                }
            }
        }
        if rules.board.has_cells() {
            rules.pieces_on_sites = true;
        }
        self.set_ruleset(id, rules);
    }

    fn state_clause(&mut self, id: RulesetId, s: &ast::StateDecl) {
        let mut rules = (*self.ruleset(id)).clone();
        self.declarable(&s.name, "state");
        let taken = rules.state.iter().any(|t| t.name == s.name.text)
            || rules.pieces.iter().any(|p| p.name == s.name.text)
            || rules.parameters.iter().any(|p| p.name == s.name.text)
            || matches!(&rules.players, Players::Named(n) if n.contains(&s.name.text));
        if taken || &*s.name.text == "at" {
            self.report(
                Diagnostic::error(
                    Code::E0202,
                    format!("`{}` is declared already", s.name.text),
                )
                .at(s.name.span, "the second time")
                .help(if &*s.name.text == "at" {
                    "`at` exists whenever there are pieces, a grid or a strip"
                } else {
                    "take another name"
                }),
            );
            self.inside(id).broken.push(s.name.text.clone());
            return;
        }
        let errors = self.out.len();
        let mut arguments = Vec::new();
        for a in &s.arguments {
            let (sort, _) = self.sort(a, Some(id));
            let finite = matches!(
                sort,
                Sort::Piece
                    | Sort::Player
                    | Sort::Site(_)
                    | Sort::Direction
                    | Sort::Bool
                    | Sort::Unknown
            );
            if !finite {
                self.report(
                    Diagnostic::error(
                        Code::E0212,
                        format!("state cannot depend on {}", error::a(&sort)),
                    )
                    .at(Checker::sort_span(a), "this has no finite range")
                    .help("arguments of state are sites, pieces, players and directions"),
                );
            }
            arguments.push(sort);
        }
        let (sort, natural) = self.sort(&s.sort, Some(id));
        let storable = matches!(
            sort,
            Sort::Int
                | Sort::Piece
                | Sort::Player
                | Sort::Site(_)
                | Sort::Direction
                | Sort::Bool
                | Sort::Unknown
        );
        if !storable {
            self.report(
                Diagnostic::error(
                    Code::E0212,
                    format!("state cannot hold {}", error::a(&sort)),
                )
                .at(Checker::sort_span(&s.sort), "")
                .help("state holds nat, int, bool, a piece, a player, a direction or a site"),
            );
        }
        if self.out.len() > errors {
            self.inside(id).broken.push(s.name.text.clone());
            return;
        }
        rules.state.push(StateVar {
            name: s.name.text.clone(),
            arguments,
            sort,
            natural,
            fixed: s.fixed,
        });
        self.set_ruleset(id, rules);
    }

    /// The `let` clauses of a ruleset: entries with the same name form one table.
    fn lets_of(&mut self, id: RulesetId, lets: &[(&ast::Let, &[Arc<str>])]) {
        let rules = self.ruleset(id);
        for (l, doc) in lets {
            self.declarable(&l.name, "definition");
            let text = &l.name.text;
            let taken = rules.state.iter().any(|t| t.name == *text)
                || rules.pieces.iter().any(|p| p.name == *text)
                || rules.parameters.iter().any(|p| p.name == *text)
                || rules.root.as_ref() == Some(text)
                || matches!(&rules.players, Players::Named(n) if n.contains(text));
            if taken {
                self.report(
                    Diagnostic::error(Code::E0202, format!("`{text}` is declared already"))
                        .at(l.name.span, "the second time")
                        .help("take another name"),
                );
                continue;
            }
            let known = self.scope.insides[id.0 as usize].lets.get(text).copied();
            self.add_let(known, l, doc, Some(id));
            if known.is_none() {
                let d = u32::try_from(self.scope.definitions.len() - 1).unwrap_or(u32::MAX);
                self.inside(id).lets.insert(text.clone(), d);
            }
        }
    }

    /// Adds a `let`: a definition, or a further entry of a table.
    pub(super) fn add_let(
        &mut self,
        known: Option<u32>,
        l: &ast::Let,
        doc: &[Arc<str>],
        home: Option<RulesetId>,
    ) {
        let env = match home {
            Some(home) => Env::new(Around::Rule, Some(home)),
            None => Env::new(Around::Definition, None),
        };
        let constant = l
            .parameters
            .iter()
            .any(|p| p.sort.is_none() && self.constant_of_table(&p.name, &env).is_some());
        if let Some(known) = known {
            let definition = &mut self.scope.definitions[known as usize];
            if definition.table || constant {
                // An entry without constants is reported with its table.
                definition.table = true;
                definition.lets.push(l.clone());
                return;
            }
            let first = definition.name.span;
            self.report(
                Diagnostic::error(Code::E0202, format!("`{}` is defined twice", l.name.text))
                    .at(l.name.span, "the second time")
                    .at(first, "the first time")
                    .help("several entries make a table, and then each names constants: `let f(Left) = .., f(Right) = ..`"),
            );
            return;
        }
        self.scope.definitions.push(Definition {
            name: l.name.clone(),
            lets: vec![l.clone()],
            table: constant,
            position: false,
            doc: doc.to_vec(),
            home,
            used: false,
        });
    }

    /// `ruleset R(parameters) = impartial(S)`.
    pub(super) fn derived(&mut self, id: RulesetId, d: &ast::Derived, doc: &[Arc<str>]) {
        let ways = builtins::names_of(builtins::What::Derivation);
        let (way, argument) = match &*d.body.kind {
            ast::ExprKind::Call(way, arguments) if arguments.len() == 1 => {
                if !self.are_plain(way, arguments) {
                    return;
                }
                (way, &arguments[0].value)
            }
            _ => {
                self.report(
                    Diagnostic::error(
                        Code::E0223,
                        "a ruleset is derived by one function of another ruleset",
                    )
                    .at(d.body.span, "")
                    .help("`ruleset R = impartial(S)`, or `ruleset R = S with` and the clauses that change"),
                );
                return;
            }
        };
        let Some(how) = Checker::derivation(&way.text) else {
            self.report(
                Diagnostic::error(Code::E0223, format!("`{}` derives no ruleset", way.text))
                    .at(way.span, "unknown derivation")
                    .suggest_if(meant(way, ways))
                    .note("there are `impartial(S)`, where everyone may make anyone's moves, `dicotic(S)`, where nobody may move unless both can, `misere(S)` and `reversed(S)`"),
            );
            return;
        };
        let (name, arguments): (&Ident, &[ast::Argument]) = match &*argument.kind {
            ast::ExprKind::Name(name) => (name, &[]),
            ast::ExprKind::Call(name, arguments) => (name, arguments),
            _ => {
                self.report(
                    Diagnostic::error(Code::E0223, "a ruleset is derived from a ruleset")
                        .at(argument.span, "this is none"),
                );
                return;
            }
        };
        let of = match self.scope.named(name) {
            Some(Named::Ruleset(of)) => of,
            Some(Named::Broken) => {
                self.uses_broken(name);
                return;
            }
            _ => {
                self.missing_ruleset(name);
                return;
            }
        };
        let base = self.ruleset(of);
        if base.broken {
            self.uses_broken(name);
            return;
        }
        let mut rules = (*base).clone();
        rules.hidden = self.ruleset(id).hidden;
        rules.broken = self.ruleset(id).broken;
        rules.name = d.name.text.clone();
        rules.span = d.name.span;
        rules.doc = doc.to_vec();
        rules.moves = Vec::new();
        rules.parameters = self.parameters(&d.parameters, None);
        let own = rules.parameters.clone();
        self.set_ruleset(id, rules);
        let mut env = Env::new(Around::Header, None);
        for p in &own {
            env.push(super::scope::Var {
                name: p.name.clone(),
                span: d.name.span,
                sort: p.sort.clone(),
                hint: Hint::default(),
                parameter: true,
                used: true,
                lint: false,
            });
        }
        let arguments = self.ruleset_arguments(&base, name, arguments, argument.span, &mut env);
        let mut rules = (*self.ruleset(id)).clone();
        rules.derived = Some(Derived { how, of, arguments });
        self.set_ruleset(id, rules);
    }

    /// Checks the moves of a ruleset, its end clauses and its score.
    pub(super) fn body(&mut self, id: RulesetId, r: &ast::Ruleset) {
        let mut moves = Vec::new();
        let (mut ends, mut score) = (Vec::new(), None);
        self.exact.clear();
        self.asks_owners = false;
        self.pieces_named.clear();
        for clause in &r.clauses {
            let failed = std::mem::replace(&mut self.failed, false);
            match &clause.kind {
                ClauseKind::Move(m) => {
                    let found = self.check_move(id, m, clause.span);
                    if !self.failed {
                        moves.push(found);
                    }
                }
                ClauseKind::End(end) => {
                    let found = self.check_end(id, end, clause.span);
                    if !self.failed {
                        ends.push(found);
                    }
                }
                ClauseKind::Score(points) => {
                    let found = self.check_score(id, points, clause.span);
                    if !self.failed {
                        score = Some(found);
                    }
                }
                _ => {}
            }
            self.failed |= failed;
        }
        self.beside_entail(&moves, score.as_ref());
        let lets: Vec<u32> = self.inside(id).lets.values().copied().collect();
        for d in lets {
            let definition = self.scope.definitions[d as usize].clone();
            let errors = self.errors();
            if !definition.used {
                self.check_unused(d);
            }
            if self.errors() > errors {
                self.failed = true;
            }
        }
        let rules = self.ruleset(id);
        self.exactly_owned(&rules);
        let spent = self.inside(id).spent.clone();
        if !self.failed && !self.ruleset(id).broken && !self.ruleset(id).hidden {
            for (i, p) in r.parameters.iter().enumerate() {
                if !spent.get(i).copied().unwrap_or(false) && !p.name.text.starts_with('_') {
                    self.report(
                        Diagnostic::warning(
                            Code::W0802,
                            format!(
                                "`{}` does not use its parameter `{}`",
                                r.name.text, p.name.text
                            ),
                        )
                        .at(p.name.span, "this parameter")
                        .suggest(super::binders::underscored(p.name.span, &p.name.text)),
                    );
                }
            }
        }
        super::lints::never_decides(self, r, &ends);
        let mut rules = (*self.ruleset(id)).clone();
        rules.moves = moves;
        rules.ends = ends;
        rules.score = score;
        self.set_ruleset(id, rules);
    }

    /// Marks a ruleset as broken.
    pub(super) fn break_ruleset(&mut self, id: RulesetId) {
        let mut rules = (*self.ruleset(id)).clone();
        rules.broken = true;
        self.set_ruleset(id, rules);
    }

    pub(super) fn errors(&self) -> usize {
        self.errors
    }
}
