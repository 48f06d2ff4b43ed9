//! Calls: state functions, definitions, the built-in functions of the table, and what is asked of a position.

use super::builtins::{self, GameFunction, Takes, What};
use super::checker::{Checker, compatible, element, expr, unknown};
use super::error;
use super::guess::answer;
use super::names::site_kind;
use super::scope::{Around, Env, Hint, Named};
use super::typed::{
    BoardKind, Builtin, Expr, ExprKind, Fold, GameOp, Players, Ruleset, SiteKind, Sort, StateId,
};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, did_you_mean};
use crate::syntax::ast::{self, Argument};
use std::sync::Arc;

fn set(of: Sort) -> Sort {
    Sort::Set(Box::new(of))
}

impl Checker<'_> {
    /// `f(..)`.
    pub(super) fn call(
        &mut self,
        name: &Ident,
        arguments: &[Argument],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        let text = &*name.text;
        if let Some(slot) = env.find(text) {
            return self.call_variable(slot, name, arguments, span, env);
        }
        if let Some(home) = env.home {
            let inside = &self.scope.insides[home.0 as usize];
            if inside.broken.iter().any(|b| **b == *text) {
                return self.uses_broken(name);
            }
            let definition = inside.lets.get(text).copied();
            let rules = self.ruleset(home);
            if let Some(i) = rules.state.iter().position(|s| *s.name == *text) {
                // The ruleset's own state comes before the language's functions, unless a position is asked.
                let asked = arguments.len() == rules.state[i].arguments.len() + 1
                    && self.guess(&arguments[0].value, env) == Sort::Position;
                if !asked {
                    self.reads_state(name, env);
                    return self.state(&rules, i, name, arguments, span, env);
                }
            } else if let Some(d) = definition {
                return self.call_with(d, name, arguments, span, env);
            }
        }
        if text == "at" {
            return self.at(name, arguments, span, env);
        }
        match self.scope.names.get(&name.text).copied() {
            Some(Named::Broken) => return self.uses_broken(name),
            Some(Named::Definition(d)) => return self.call_with(d, name, arguments, span, env),
            Some(Named::Ruleset(id)) => {
                let rules = self.ruleset(id);
                let board = super::names::example_board(rules.board);
                return self.hole(
                    Diagnostic::error(
                        Code::E0215,
                        format!("`{text}` is a ruleset, not a position"),
                    )
                    .at(span, "a board is missing")
                    .help(match rules.parameters.is_empty() {
                        true => format!("the board stands in square brackets: `{text}{board}`"),
                        false => format!("write the board after it: `{text}(..){board}`"),
                    }),
                );
            }
            None => {}
        }
        match builtins::find(text).map(|r| r.what) {
            Some(What::Fold(fold)) => {
                let over = match self.plain_arguments(name, arguments).as_deref() {
                    Some([one]) => {
                        let over = self.expr(one, env);
                        if matches!(over.sort, Sort::Int) && !matches!(fold, Fold::Size | Fold::Mex)
                        {
                            let list = Sort::List(Box::new(Sort::Int));
                            expr(one.span, list, ExprKind::Elements(vec![over]))
                        } else {
                            over
                        }
                    }
                    Some([]) => {
                        return self.wrong_count(name, arguments.len(), "one or more", span);
                    }
                    Some(many) => {
                        let parts = many
                            .iter()
                            .map(|a| self.expect(a, &Sort::Int, env))
                            .collect();
                        expr(
                            span,
                            Sort::List(Box::new(Sort::Int)),
                            ExprKind::Elements(parts),
                        )
                    }
                    None => return unknown(span),
                };
                self.fold(span, fold, over, env)
            }
            Some(What::Function(b)) => match self.plain_arguments(name, arguments) {
                Some(plain) => self.builtin(b, text, &plain, span, env),
                None => unknown(span),
            },
            Some(What::Game(f)) => self.game_function(f, name, arguments, span, env),
            _ => self.state_of(name, arguments, span, env),
        }
    }

    /// `d(k)` of a digits parameter.
    fn call_variable(
        &mut self,
        slot: u32,
        name: &Ident,
        arguments: &[Argument],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        let variable = self.name(name, env);
        match &env.slots[slot as usize].sort {
            Sort::Digits => match self.plain_arguments(name, arguments).as_deref() {
                Some([k]) => {
                    let k = self.expect(k, &Sort::Int, env);
                    expr(
                        span,
                        Sort::Int,
                        ExprKind::Builtin(Builtin::Digit, vec![variable, k]),
                    )
                }
                Some(_) => self.wrong_count(name, arguments.len(), "1", span),
                None => unknown(span),
            },
            Sort::Unknown => {
                for a in arguments {
                    self.expr(&a.value, env);
                }
                unknown(span)
            }
            sort => {
                let mut d = Diagnostic::error(
                    Code::E0215,
                    format!("`{}` is {}, not a function", name.text, error::a(sort)),
                )
                .at(name.span, "called here");
                if matches!(sort, Sort::List(_)) {
                    d = d.help(format!(
                        "a list is indexed by square brackets: `{}[1]`",
                        name.text
                    ));
                }
                self.hole(d)
            }
        }
    }

    /// The arguments if none of them has a name; else reported.
    fn plain_arguments(&mut self, name: &Ident, arguments: &[Argument]) -> Option<Vec<ast::Expr>> {
        if let Some(named) = arguments.iter().find_map(|a| a.name.as_ref()) {
            self.report(
                Diagnostic::error(
                    Code::E0204,
                    format!("`{}` has no argument called `{}`", name.text, named.text),
                )
                .at(named.span, "unknown argument")
                .help(format!("leave out `{}:`", named.text)),
            );
            return None;
        }
        Some(arguments.iter().map(|a| a.value.clone()).collect())
    }

    pub(super) fn wrong_count(
        &mut self,
        name: &Ident,
        found: usize,
        wanted: &str,
        span: Span,
    ) -> Expr {
        let signature =
            builtins::find(&name.text).map(|r| format!("it is written `{}`", r.signature));
        self.hole(
            Diagnostic::error(
                Code::E0204,
                format!(
                    "`{}` takes {wanted} argument{}, not {found}",
                    name.text,
                    if wanted == "1" { "" } else { "s" }
                ),
            )
            .at(span, "")
            .help_if(signature),
        )
    }

    /// A state function of the ruleset at hand.
    fn state(
        &mut self,
        rules: &Ruleset,
        i: usize,
        name: &Ident,
        arguments: &[Argument],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        let state = &rules.state[i];
        if arguments.len() != state.arguments.len() {
            return self.wrong_count(
                name,
                arguments.len(),
                &state.arguments.len().to_string(),
                span,
            );
        }
        let arguments = arguments
            .iter()
            .zip(&state.arguments)
            .map(|(a, sort)| self.expect(&a.value, sort, env))
            .collect();
        let id = StateId(u32::try_from(i).unwrap_or(u32::MAX));
        expr(span, state.sort.clone(), ExprKind::State(id, arguments))
    }

    /// `at(s)`, `at(G, s)`.
    fn at(&mut self, name: &Ident, arguments: &[Argument], span: Span, env: &mut Env) -> Expr {
        let rules = match (arguments, env.around, env.home) {
            ([_], Around::Rule, Some(home)) => self.ruleset(home),
            _ => return self.state_of(name, arguments, span, env),
        };
        let site = self.guess(&arguments[0].value, env);
        let argument = &arguments[0].value;
        let here = site_kind(rules.board);
        let site = match (&site, here) {
            (Sort::Site(SiteKind::Edge), _) if rules.pieces_on_edges => self.expr(argument, env),
            (Sort::Site(SiteKind::Edge), _) => {
                return self.hole(
                    Diagnostic::error(Code::E0216, "there are no pieces on edges here")
                        .at(argument.span, "this is an edge")
                        .help("pieces on edges are declared by `pieces b = Left on edges`"),
                );
            }
            (_, Some(kind)) if rules.pieces_on_sites => {
                self.expect(argument, &Sort::Site(kind), env)
            }
            _ => {
                let d = Diagnostic::error(
                    Code::E0216,
                    format!("{} has no pieces for `at` to read", rules.name),
                )
                .at(span, "");
                let d = if rules.pieces_on_edges {
                    d.note("its pieces lie on edges")
                        .help("ask an edge: `choose edge e where .. at(e) ..`")
                } else {
                    d.help("declare pieces: `pieces x = Left, o = Right`")
                };
                return self.hole(d);
            }
        };
        expr(span, Sort::Piece, ExprKind::At(site))
    }

    /// What is asked of a position: `at(G, v)`, `pebbles(P, g, v)`.
    fn state_of(
        &mut self,
        name: &Ident,
        arguments: &[Argument],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        let text = &*name.text;
        let is_at = text == "at";
        let owners: Vec<Arc<Ruleset>> = self
            .scope
            .model
            .rulesets
            .iter()
            .filter(|r| is_at || r.state.iter().any(|s| *s.name == *text))
            .cloned()
            .collect();
        if owners.is_empty() {
            return match is_at {
                true => self.hole(
                    Diagnostic::error(Code::E0216, "`at` asks a position, and here there is none")
                        .at(span, "")
                        .help("write `at(G, v)` with a position G"),
                ),
                false => self.unknown_function(name, arguments, env),
            };
        }
        let Some((first, rest)) = arguments.split_first() else {
            return self.wrong_count(name, 0, "a position and its", span);
        };
        let position = self.expr(&first.value, env);
        if position.sort == Sort::Unknown {
            return unknown(span);
        }
        if position.sort != Sort::Position {
            return self.hole(
                Diagnostic::error(
                    Code::E0216,
                    format!("`{text}` is asked of a position, and here there is none"),
                )
                .at(
                    first.value.span,
                    format!("this is {}", error::a(&position.sort)),
                )
                .help(
                    match is_at && env.home.is_some() && position.sort == Sort::Int {
                        true => {
                            "a cell of a grid is one pair: `at((i, j))`, and `at(c)` if c is chosen"
                                .into()
                        }
                        false => format!("write the position first: `{text}(G, ..)`"),
                    },
                ),
            );
        }
        let hint = self.hint_of(&position, env);
        let rules = match hint.ruleset {
            Some(id) => self.ruleset(id),
            None => owners[0].clone(),
        };
        let (sorts, sort) = if is_at {
            (vec![Sort::Label], Sort::Piece)
        } else {
            match rules.state.iter().find(|s| *s.name == *text) {
                Some(s) => (s.arguments.clone(), s.sort.clone()),
                None => {
                    let known: Vec<&str> = rules.state.iter().map(|s| &*s.name).collect();
                    return self.hole(
                        Diagnostic::error(
                            Code::E0201,
                            format!("{} has no state called `{text}`", rules.name),
                        )
                        .at(name.span, "unknown state")
                        .help_if(did_you_mean(text, known)),
                    );
                }
            }
        };
        if rest.len() != sorts.len() {
            let wanted = format!("a position and {}", sorts.len());
            return self.wrong_count(name, arguments.len(), &wanted, span);
        }
        let outer = std::mem::replace(
            &mut env.hint,
            Hint {
                ruleset: hint.ruleset.or(Some(self.id_of(&rules))),
                players: None,
            },
        );
        let mut parts = vec![
            position,
            expr(name.span, Sort::Text, ExprKind::Text(name.text.clone())),
        ];
        for (a, want) in rest.iter().zip(&sorts) {
            let want = match want {
                Sort::Site(_) => &Sort::Label,
                other => other,
            };
            let part = self.expect(&a.value, want, env);
            parts.push(part);
        }
        env.hint = outer;
        let sort = match sort {
            Sort::Site(_) => Sort::Label,
            other => other,
        };
        expr(span, sort, ExprKind::Builtin(Builtin::StateOf, parts))
    }

    fn id_of(&self, rules: &Ruleset) -> super::typed::RulesetId {
        let i = self
            .scope
            .model
            .rulesets
            .iter()
            .position(|r| r.name == rules.name)
            .unwrap_or(0);
        super::typed::RulesetId(u32::try_from(i).unwrap_or(u32::MAX))
    }

    fn unknown_function(&mut self, name: &Ident, arguments: &[Argument], env: &mut Env) -> Expr {
        let failed = self.unknown_name(name, env, "function");
        // Its arguments may have faults of their own.
        for a in arguments {
            if env.literal.is_none() && !matches!(&*a.value.kind, ast::ExprKind::Name(_)) {
                self.expr(&a.value, env);
            }
        }
        failed
    }

    /// A function of the table that needs no engine.
    pub(super) fn builtin(
        &mut self,
        b: Builtin,
        text: &str,
        arguments: &[ast::Expr],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        use Builtin as B;
        let name = Ident::new(text, span);
        let n = arguments.len();
        let call = |sort, parts| expr(span, sort, ExprKind::Builtin(b, parts));
        match b {
            B::Abs | B::Isqrt if n == 1 => {
                let x = self.expect(&arguments[0], &Sort::Int, env);
                call(Sort::Int, vec![x])
            }
            B::Bit if n == 2 => {
                let x = self.expect(&arguments[0], &Sort::Int, env);
                let k = self.expect(&arguments[1], &Sort::Int, env);
                call(Sort::Int, vec![x, k])
            }
            B::Digit if n == 2 => {
                let x = self.expect(&arguments[0], &Sort::Digits, env);
                let k = self.expect(&arguments[1], &Sort::Int, env);
                call(Sort::Int, vec![x, k])
            }
            B::Opponent if n == 1 => {
                if let Some(rules) = self.rules(env) {
                    let two = matches!(&rules.players, Players::Named(p) if p.len() == 2);
                    if !two {
                        return self.hole(
                            Diagnostic::error(
                                Code::E0217,
                                "`opponent` exists for two players only",
                            )
                            .at(span, "there may be several others here")
                            .help("name the others: `q in players where q != p`"),
                        );
                    }
                }
                let p = self.expect(&arguments[0], &Sort::Player, env);
                call(Sort::Player, vec![p])
            }
            B::Players
            | B::Pieces
            | B::Vertices
            | B::Edges
            | B::Arcs
            | B::Cells
            | B::Points
            | B::Heaps
                if n <= 1 =>
            {
                self.all_sites(b, &name, arguments.first(), span, env)
            }
            B::Nbrs | B::Out | B::Into | B::Ends | B::Up | B::Down | B::Reach
                if n == 1 || n == 2 =>
            {
                self.site_function(b, &name, arguments, span, env)
            }
            B::Ray | B::Slide if n == 2 || n == 3 => self.rays(b, &name, arguments, span, env),
            B::Subsets if n == 1 => {
                let s = self.expr(&arguments[0], env);
                match element(&s.sort) {
                    Some(of) => call(set(set(of)), vec![s]),
                    None => {
                        let of = set(Sort::Unknown);
                        self.coerce(s, &of, env)
                    }
                }
            }
            B::Lists if n == 2 => {
                let s = self.expr(&arguments[0], env);
                let k = self.expect(&arguments[1], &Sort::Int, env);
                match element(&s.sort) {
                    Some(of) => call(set(Sort::List(Box::new(of))), vec![s, k]),
                    None => {
                        let of = set(Sort::Unknown);
                        self.coerce(s, &of, env)
                    }
                }
            }
            B::Graphs | B::Trees | B::Posets if n == 1 => {
                let k = self.expect(&arguments[0], &Sort::Int, env);
                call(set(Sort::Board), vec![k])
            }
            B::Born if n == 1 => {
                let k = self.expect(&arguments[0], &Sort::Int, env);
                call(set(Sort::Game), vec![k])
            }
            B::Sample if n == 3 => {
                let k = self.expect(&arguments[0], &Sort::Int, env);
                let seed = self.expect(&arguments[1], &Sort::Int, env);
                let domain = self.expr(&arguments[2], env);
                match element(&domain.sort) {
                    Some(_) => call(domain.sort.clone(), vec![k, seed, domain]),
                    None => {
                        let of = set(Sort::Unknown);
                        self.coerce(domain, &of, env)
                    }
                }
            }
            B::Grid | B::Chomp if n == 2 => {
                let x = self.expect(&arguments[0], &Sort::Int, env);
                let y = self.expect(&arguments[1], &Sort::Int, env);
                call(Sort::Board, vec![x, y])
            }
            B::Strip
            | B::Path
            | B::Cycle
            | B::Complete
            | B::Star
            | B::InStar
            | B::OutStar
            | B::TransitiveTournament
            | B::Chain
            | B::Antichain
            | B::Divisors
                if n == 1 =>
            {
                let x = self.expect(&arguments[0], &Sort::Int, env);
                call(Sort::Board, vec![x])
            }
            B::Stalk if n == 1 => {
                let x = self.stalk(&arguments[0], env);
                call(Sort::Board, vec![x])
            }
            B::Tree | B::Forest if n >= 1 => {
                let parts = arguments.iter().map(|a| self.label(a, env)).collect();
                call(Sort::Board, parts)
            }
            B::BoardOf if n == 1 => {
                let p = self.expect(&arguments[0], &Sort::Position, env);
                call(Sort::Board, vec![p])
            }
            _ => {
                let wanted = match b {
                    B::Abs
                    | B::Isqrt
                    | B::Opponent
                    | B::Subsets
                    | B::Graphs
                    | B::Trees
                    | B::Posets
                    | B::Born
                    | B::Strip
                    | B::Path
                    | B::Cycle
                    | B::Complete
                    | B::Star
                    | B::InStar
                    | B::OutStar
                    | B::TransitiveTournament
                    | B::Chain
                    | B::Antichain
                    | B::Divisors
                    | B::Stalk
                    | B::BoardOf => "1",
                    B::Bit | B::Digit | B::Lists | B::Grid | B::Chomp => "2",
                    B::Sample => "3",
                    B::Ray | B::Slide => "2 or 3",
                    B::Tree | B::Forest => "one or more",
                    B::Nbrs | B::Out | B::Into | B::Ends | B::Up | B::Down | B::Reach => "1 or 2",
                    _ => "no, or 1,",
                };
                self.wrong_count(&name, n, wanted, span)
            }
        }
    }

    /// The string or list of a stalk: pieces, or numbers of pieces.
    fn stalk(&mut self, e: &ast::Expr, env: &mut Env) -> Expr {
        let x = self.expr(e, env);
        let fine = match &x.sort {
            Sort::Text | Sort::Unknown => true,
            Sort::List(of) => {
                matches!(**of, Sort::Int | Sort::Piece | Sort::Player | Sort::Unknown)
            }
            _ => false,
        };
        if fine {
            return x;
        }
        let found = error::a(&x.sort);
        self.hole(
            Diagnostic::error(
                Code::E0203,
                "a stalk is made of a string or a list of pieces",
            )
            .at(x.span, format!("this is {found}"))
            .help("write `stalk(\"brb\")` or `stalk([1, 2, 1])`"),
        )
    }

    /// The ruleset whose board a set function reads when no board is given; reported if there is none.
    fn here(&mut self, name: &Ident, span: Span, env: &Env) -> Option<Arc<Ruleset>> {
        match (env.around, env.home) {
            (Around::Rule, Some(home)) => Some(self.ruleset(home)),
            _ => {
                let example = match &*name.text {
                    "players" | "pieces" => "players(G)".to_string(),
                    text => builtins::find(text)
                        .and_then(|r| r.signature.split(", ").nth(1))
                        .unwrap_or("nbrs(G, v)")
                        .to_string(),
                };
                self.report(
                    Diagnostic::error(
                        Code::E0216,
                        format!("`{}` needs a board, and here there is none", name.text),
                    )
                    .at(span, "of which board?")
                    .help(format!("give a board or a position: `{example}`")),
                );
                None
            }
        }
    }

    fn wrong_board(&mut self, name: &Ident, rules: &Ruleset, span: Span, help: &str) -> Expr {
        self.hole(
            Diagnostic::error(
                Code::E0301,
                format!(
                    "`{}` has no meaning on {}",
                    name.text,
                    error::board(rules.board)
                ),
            )
            .at(
                span,
                format!("{} is played on {}", rules.name, error::board(rules.board)),
            )
            .help(help),
        )
    }

    /// `players`, `vertices`, `edges(G)`, ..
    fn all_sites(
        &mut self,
        b: Builtin,
        name: &Ident,
        of: Option<&ast::Expr>,
        span: Span,
        env: &mut Env,
    ) -> Expr {
        use Builtin as B;
        let call = |sort, parts| expr(span, set(sort), ExprKind::Builtin(b, parts));
        let list = |sort, parts| {
            let sort = Sort::List(Box::new(sort));
            expr(span, sort, ExprKind::Builtin(b, parts))
        };
        if let Some(of) = of {
            let board = self.expr(of, env);
            if !matches!(board.sort, Sort::Board | Sort::Position | Sort::Unknown) {
                let found = error::a(&board.sort);
                return self.hole(
                    Diagnostic::error(
                        Code::E0203,
                        format!("{found} stands where a board or a position is expected"),
                    )
                    .at(board.span, format!("this is {found}")),
                );
            }
            let sort = match b {
                B::Players => Sort::Player,
                B::Pieces => Sort::Piece,
                B::Heaps => return list(Sort::Int, vec![board]),
                _ => Sort::Label,
            };
            return call(sort, vec![board]);
        }
        let Some(rules) = self.here(name, span, env) else {
            return unknown(span);
        };
        let sort = match (b, rules.board) {
            (B::Players, _) => Sort::Player,
            (B::Pieces, _) => Sort::Piece,
            (B::Vertices, BoardKind::Graph | BoardKind::Digraph) => Sort::Site(SiteKind::Vertex),
            (B::Edges, BoardKind::Graph | BoardKind::Digraph)
            | (B::Arcs, BoardKind::Graph | BoardKind::Digraph) => Sort::Site(SiteKind::Edge),
            (B::Cells, BoardKind::Grid) => Sort::Site(SiteKind::GridCell),
            (B::Cells, BoardKind::Strip) => Sort::Site(SiteKind::StripCell),
            (B::Points, BoardKind::Poset) => Sort::Site(SiteKind::Element),
            (B::Heaps, BoardKind::Heaps(1)) => return list(Sort::Int, Vec::new()),
            (B::Heaps, BoardKind::Heaps(k)) => {
                return list(Sort::Tuple(vec![Sort::Int; usize::from(k)]), Vec::new());
            }
            (_, board) => {
                let help = match site_kind(board) {
                    Some(SiteKind::GridCell | SiteKind::StripCell) => "its sites are `cells`",
                    Some(SiteKind::Vertex) => "its sites are `vertices`",
                    Some(SiteKind::Element) => "its sites are `points`",
                    _ if matches!(board, BoardKind::Heaps(_)) => "its sites are `heaps`",
                    _ => "it has scalars only",
                };
                return self.wrong_board(name, &rules, span, help);
            }
        };
        call(sort, Vec::new())
    }

    /// `nbrs(v)`, `reach(G, v)`, `ends(e)`, ..
    fn site_function(
        &mut self,
        b: Builtin,
        name: &Ident,
        arguments: &[ast::Expr],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        use Builtin as B;
        if let [board, site] = arguments {
            let board = self.expr(board, env);
            if !matches!(board.sort, Sort::Board | Sort::Position | Sort::Unknown) {
                let found = error::a(&board.sort);
                return self.hole(
                    Diagnostic::error(
                        Code::E0203,
                        format!("{found} stands where a board or a position is expected"),
                    )
                    .at(board.span, format!("this is {found}"))
                    .help(format!("in a rule write `{}(v)`", name.text)),
                );
            }
            let site = self.expect(site, &Sort::Label, env);
            return expr(
                span,
                set(Sort::Label),
                ExprKind::Builtin(b, vec![board, site]),
            );
        }
        let site = &arguments[0];
        // An edge knows its ends, so no board is needed.
        if b == B::Ends && self.guess(site, env) == Sort::Label {
            let e = self.expr(site, env);
            return expr(span, set(Sort::Label), ExprKind::Builtin(b, vec![e]));
        }
        if b == B::Ends && env.around != Around::Rule {
            let e = self.expr(site, env);
            if compatible(&e.sort, &Sort::Label) {
                return expr(span, set(Sort::Label), ExprKind::Builtin(b, vec![e]));
            }
        }
        let Some(rules) = self.here(name, span, env) else {
            return unknown(span);
        };
        let (takes, gives) = match (b, rules.board) {
            (B::Nbrs | B::Reach, BoardKind::Graph | BoardKind::Digraph)
            | (B::Out | B::Into, BoardKind::Digraph) => (SiteKind::Vertex, SiteKind::Vertex),
            (B::Nbrs, BoardKind::Grid) => (SiteKind::GridCell, SiteKind::GridCell),
            (B::Nbrs, BoardKind::Strip) => (SiteKind::StripCell, SiteKind::StripCell),
            (B::Ends, BoardKind::Graph | BoardKind::Digraph) => (SiteKind::Edge, SiteKind::Vertex),
            (B::Up | B::Down, BoardKind::Poset) => (SiteKind::Element, SiteKind::Element),
            (B::Up | B::Down, BoardKind::Grid | BoardKind::Strip) => {
                return self.wrong_board(
                    name,
                    &rules,
                    span,
                    "directions are north, south, east, west",
                );
            }
            (B::Out | B::Into, BoardKind::Graph) => {
                return self.wrong_board(
                    name,
                    &rules,
                    span,
                    "the edges of a graph have no direction: `nbrs(v)`, or `board digraph`",
                );
            }
            (B::Nbrs | B::Reach | B::Out | B::Into, BoardKind::Poset) => {
                return self.wrong_board(name, &rules, span, "a poset has `up(x)` and `down(x)`");
            }
            _ => {
                return self.wrong_board(
                    name,
                    &rules,
                    span,
                    "nbrs, out, into, ends and reach belong to graphs, up and down to posets, ray and slide to grids and strips",
                );
            }
        };
        let site = self.expect(site, &Sort::Site(takes), env);
        expr(
            span,
            set(Sort::Site(gives)),
            ExprKind::Builtin(b, vec![site]),
        )
    }

    /// `ray(a, D)`, `slide(a, D)`, perhaps of a position.
    fn rays(
        &mut self,
        b: Builtin,
        name: &Ident,
        arguments: &[ast::Expr],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        let (board, site, directions, cell) = match arguments {
            [board, site, directions] => {
                let board = self.expr(board, env);
                if !matches!(board.sort, Sort::Board | Sort::Position | Sort::Unknown) {
                    let want = Sort::Board;
                    return self.coerce(board, &want, env);
                }
                (Some(board), site, directions, Sort::Label)
            }
            [site, directions] => {
                let Some(rules) = self.here(name, span, env) else {
                    return unknown(span);
                };
                let cell = match rules.board {
                    BoardKind::Grid => SiteKind::GridCell,
                    BoardKind::Strip => SiteKind::StripCell,
                    _ => {
                        return self.wrong_board(
                            name,
                            &rules,
                            span,
                            "rays and slides belong to grids and strips",
                        );
                    }
                };
                (None, site, directions, Sort::Site(cell))
            }
            _ => return unknown(span),
        };
        let site = self.expect(site, &cell, env);
        let directions = self.expr(directions, env);
        if !matches!(&directions.sort, Sort::Direction | Sort::Unknown)
            && !matches!(&directions.sort, Sort::Set(of) if **of == Sort::Direction)
        {
            let found = error::a(&directions.sort);
            return self.hole(
                Diagnostic::error(
                    Code::E0203,
                    format!("{found} stands where a direction or a set of them is expected"),
                )
                .at(directions.span, format!("this is {found}"))
                .help("directions are north, south, east, west; sets of them orthogonal, diagonal, compass, knight"),
            );
        }
        let parts = board.into_iter().chain([site, directions]).collect();
        expr(span, set(cell), ExprKind::Builtin(b, parts))
    }

    /// A function that the host answers.
    fn game_function(
        &mut self,
        f: GameFunction,
        name: &Ident,
        arguments: &[Argument],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        if env.around == Around::Rule || env.around == Around::Header {
            return self.hole(
                Diagnostic::error(
                    Code::E0216,
                    format!("`{}` asks what a position is worth, and a rule cannot", name.text),
                )
                .at(span, "")
                .help("rules read the board and the state; values belong to definitions in column 1 and to queries"),
            );
        }
        let mut given: Vec<Option<&ast::Expr>> = vec![None; f.arguments.len()];
        let mut next = 0;
        for a in arguments {
            let place = match &a.name {
                Some(called) => f
                    .arguments
                    .iter()
                    .position(|p| p.named && *p.name == *called.text),
                None => (next < f.arguments.len()).then(|| {
                    next += 1;
                    next - 1
                }),
            };
            match place {
                Some(i) if given[i].is_none() => given[i] = Some(&a.value),
                Some(i) => {
                    return self.hole(
                        Diagnostic::error(
                            Code::E0204,
                            format!("`{}` is given twice", f.arguments[i].name),
                        )
                        .at(a.value.span, "the second time"),
                    );
                }
                None => {
                    if let Some(called) = &a.name {
                        let known = f.arguments.iter().filter(|p| p.named).map(|p| p.name);
                        return self.hole(
                            Diagnostic::error(
                                Code::E0204,
                                format!("`{}` has no argument called `{}`", name.text, called.text),
                            )
                            .at(called.span, "unknown argument")
                            .help_if(did_you_mean(&called.text, known))
                            .help_if(
                                builtins::find(&name.text)
                                    .map(|r| format!("it is written `{}`", r.signature)),
                            ),
                        );
                    }
                    let wanted = f.arguments.len().to_string();
                    return self.wrong_count(name, arguments.len(), &wanted, span);
                }
            }
        }
        let mut parts: Vec<Expr> = Vec::new();
        let outer = env.hint;
        for (p, e) in f.arguments.iter().zip(given) {
            let Some(e) = e else {
                if p.optional {
                    continue;
                }
                env.hint = outer;
                let missing = if p.named {
                    format!("`{}` needs `{}:`", name.text, p.name)
                } else {
                    format!(
                        "`{}` needs {}",
                        name.text,
                        error::count(f.arguments.len(), "argument")
                    )
                };
                return self.hole(
                    Diagnostic::error(Code::E0204, missing)
                        .at(span, "an argument is missing")
                        .help_if(
                            builtins::find(&name.text)
                                .map(|r| format!("it is written `{}`", r.signature)),
                        ),
                );
            };
            let part = match p.takes {
                Takes::Game => {
                    let found = self.value(e, env);
                    if found.sort == Sort::Position {
                        self.two_players_only(&found, &name.text, span, env);
                        let at = found.span;
                        expr(at, Sort::Game, ExprKind::Game(GameOp::Value, vec![found]))
                    } else {
                        self.coerce(found, &Sort::Game, env)
                    }
                }
                Takes::Either => {
                    let found = self.value(e, env);
                    if f.two_players {
                        self.asked_of_two(&found, name, span, env);
                    }
                    if found.sort == Sort::Position {
                        found
                    } else {
                        self.coerce(found, &Sort::Game, env)
                    }
                }
                Takes::Position => {
                    let found = self.expect(e, &Sort::Position, env);
                    if f.two_players {
                        self.asked_of_two(&found, name, span, env);
                    }
                    found
                }
                Takes::Int => self.expect(e, &Sort::Int, env),
                Takes::Player => self.expect(e, &Sort::Player, env),
                Takes::Coalition => self.expect(e, &set(Sort::Player), env),
            };
            // The players of a position are known to what stands beside it.
            if part.sort == Sort::Position {
                let hint = self.hint_of(&part, env);
                if hint.ruleset.is_some() {
                    env.hint = hint;
                }
            }
            parts.push(part);
        }
        env.hint = outer;
        let op = match (&*name.text, parts.first().map(|p| &p.sort)) {
            ("value", Some(Sort::Game)) if parts.len() == 1 => {
                // A position's value already, or a game: its canonical form.
                let part = parts.remove(0);
                return match &*part.kind {
                    ExprKind::Game(GameOp::Value, _) => Expr { span, ..part },
                    _ => expr(
                        span,
                        Sort::Game,
                        ExprKind::Game(GameOp::Function("canonical".into()), vec![part]),
                    ),
                };
            }
            ("ordinal_sum", _) => GameOp::OrdinalSum,
            _ => GameOp::Function(name.text.clone()),
        };
        expr(span, answer(f.answer), ExprKind::Game(op, parts))
    }

    fn asked_of_two(&mut self, e: &Expr, name: &Ident, span: Span, env: &Env) {
        if e.sort == Sort::Position {
            self.two_players_only(e, &name.text, span, env);
        }
    }

    /// A definition with its arguments.
    fn call_with(
        &mut self,
        d: u32,
        name: &Ident,
        arguments: &[Argument],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        let Some(plain) = self.plain_arguments(name, arguments) else {
            return unknown(span);
        };
        let definition = self.scope.definitions[d as usize].clone();
        let wanted = definition.lets[0].parameters.len();
        if plain.len() != wanted {
            return self.hole(
                Diagnostic::error(
                    Code::E0204,
                    format!(
                        "`{}` takes {}, not {}",
                        name.text,
                        error::count(wanted, "argument"),
                        plain.len()
                    ),
                )
                .at(span, "")
                .at(definition.name.span, "defined here"),
            );
        }
        let sorts = self.parameter_sorts(d);
        let arguments = plain
            .iter()
            .zip(sorts)
            .map(|(a, sort)| match sort {
                Some(sort) => self.expect(a, &sort, env),
                None => self.expr(a, env),
            })
            .collect();
        self.call_definition(d, arguments, span, env)
    }
}
