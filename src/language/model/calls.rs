//! Checks calls: state functions, definitions, built-in functions of the table, and queries of a position.

use super::advice;
use super::builtins::{self, Answer, Function, Given, Parameter, Row, Takes, What};
use super::checker::{Checker, element, expr, set, unknown};
use super::error;
use super::scope::{Around, Env, Hint, Named};
use super::typed::{
    Builtin, Constructor, Drawn, Expr, ExprKind, Fold, GameFunction, GameOp, Players, SitesFrom,
    Sort,
};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, Suggestion, meant};
use crate::syntax::ast::{self, Argument};
use crate::syntax::printer::print_expr;

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
                // The ruleset's own state takes precedence over the language's functions, unless the first argument is a
                // position.
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
        match self.scope.named(name) {
            Some(Named::Broken) => return self.uses_broken(name),
            Some(Named::Definition(d)) => return self.call_with(d, name, arguments, span, env),
            Some(Named::Ruleset(id)) => {
                let rules = self.ruleset(id);
                let board = rules.board.descriptor().example;
                return self.hole(
                    Diagnostic::error(
                        Code::E0215,
                        format!("`{text}` is a ruleset, not a position"),
                    )
                    .at(span, "a board is missing")
                    .suggest(match rules.parameters.is_empty() {
                        true => in_square_brackets(name, arguments, span, board),
                        false => Suggestion::after(
                            span,
                            board,
                            format!("write the board after it: `{text}(..){board}`"),
                        ),
                    }),
                );
            }
            None => {}
        }
        let row = builtins::find(text);
        match row.map(|r| r.what) {
            Some(What::Fold(Fold::Size))
                if env.around == Around::Rule
                    && env.find("board").is_none()
                    && matches!(arguments, [Argument { name: None, value }]
                        if matches!(&*value.kind, ast::ExprKind::Name(n) if &*n.text == "board")) =>
            {
                let board = Ident::new("board", arguments[0].value.span);
                self.drawn(Drawn::Sites, &board, &[], span, env)
            }
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
            Some(What::Function(Builtin::SitesFrom(SitesFrom::Reach)))
                if arguments.len() == 2
                    && arguments[0].name.is_none()
                    && arguments[1]
                        .name
                        .as_ref()
                        .is_some_and(|n| &*n.text == "within") =>
            {
                self.reach_within(name, &arguments[0].value, &arguments[1].value, span, env)
            }
            Some(What::Function(b @ Builtin::Construct(Constructor::Grid)))
                if arguments
                    .last()
                    .and_then(|a| a.name.as_ref())
                    .is_some_and(|n| &*n.text == "wrap") =>
            {
                self.ring(b, name, arguments, span, env)
            }
            Some(What::Function(b)) => match (row, self.plain_arguments(name, arguments)) {
                (Some(row), Some(plain)) => self.builtin(row, b, &plain, span, env),
                _ => unknown(span),
            },
            Some(What::Game(id)) => match row.and_then(Row::as_function) {
                Some(f) => self.game_function(id, f, name, arguments, span, env),
                None => unknown(span),
            },
            _ => self.state_of(name, arguments, span, env),
        }
    }

    /// `grid(m, n, wrap: both)`, `grid("xo|..", wrap: rows)`.
    fn ring(
        &mut self,
        b: Builtin,
        name: &Ident,
        arguments: &[Argument],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        let Some((how, sides)) = arguments.split_last() else {
            return unknown(span);
        };
        if !self.are_plain(name, sides) {
            return unknown(span);
        }
        let mut parts: Vec<Expr> = match sides {
            [drawn] => vec![self.expect(&drawn.value, &Sort::Text, env)],
            [m, n] => [m, n]
                .map(|side| self.expect(&side.value, &Sort::Int, env))
                .into(),
            _ => return self.wrong_count(name, sides.len(), "2", span),
        };
        match &*how.value.kind {
            ast::ExprKind::Name(word) if matches!(&*word.text, "both" | "rows" | "columns") => {
                parts.push(expr(
                    how.value.span,
                    Sort::Text,
                    ExprKind::Text(word.text.clone()),
                ));
            }
            _ => {
                return self.hole(
                    Diagnostic::error(
                        Code::E0204,
                        "a grid wraps its `rows`, its `columns` or `both`",
                    )
                    .at(how.value.span, "none of these")
                    .suggest(
                        Suggestion::replace(
                            how.value.span,
                            "both",
                            "write `wrap: both`, `wrap: rows` or `wrap: columns`",
                        )
                        .safe_if(matches!(&*how.value.kind, ast::ExprKind::Name(w) if &*w.text == "true")),
                    )
                    .note("grid(4, 5, wrap: both) is a torus, grid(4, 5, wrap: rows) a cylinder"),
                );
            }
        }
        expr(span, Sort::Board, ExprKind::Builtin(b, parts))
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
            // A function is represented by the set of its pairs.
            Sort::Set(of) if matches!(&**of, Sort::Tuple(parts) if parts.len() == 2) => {
                let Sort::Tuple(parts) = (**of).clone() else {
                    return unknown(span);
                };
                match self.plain_arguments(name, arguments).as_deref() {
                    Some([x]) => {
                        let x = self.expect(x, &parts[0], env);
                        expr(span, parts[1].clone(), ExprKind::Index(variable, x))
                    }
                    Some(_) => self.wrong_count(name, arguments.len(), "1", span),
                    None => unknown(span),
                }
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

    /// Whether no argument has a name; reports one that has.
    pub(super) fn are_plain(&mut self, name: &Ident, arguments: &[Argument]) -> bool {
        let Some(named) = arguments.iter().find_map(|a| a.name.as_ref()) else {
            return true;
        };
        self.report(
            Diagnostic::error(
                Code::E0204,
                format!("`{}` has no argument called `{}`", name.text, named.text),
            )
            .at(named.span, "unknown argument")
            .suggest(Suggestion::replace(
                label_of(arguments, named),
                "",
                format!("leave out `{}:`", named.text),
            )),
        );
        false
    }

    /// The arguments, if none of them has a name; else reports.
    fn plain_arguments(&mut self, name: &Ident, arguments: &[Argument]) -> Option<Vec<ast::Expr>> {
        let plain = self.are_plain(name, arguments);
        plain.then(|| arguments.iter().map(|a| a.value.clone()).collect())
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

    pub(super) fn unknown_function(
        &mut self,
        name: &Ident,
        arguments: &[Argument],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        let other = self
            .constant_called(name, arguments, span, env)
            .or_else(|| advice::ruleset_meant(name, arguments, span));
        let failed = match other {
            Some(d) => self.hole(d),
            None => self.unknown_call(name, arguments, span, env),
        };
        // The arguments may contain further errors.
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
        row: &'static Row,
        b: Builtin,
        arguments: &[ast::Expr],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        let name = Ident::new(row.name, span);
        let Some(f) = row.as_function().filter(|f| f.takes(arguments.len())) else {
            if let Some(d) = advice::drawing_alone(&name, arguments, span) {
                return self.hole(d);
            }
            let wanted = row.as_function().map(Function::count).unwrap_or_default();
            return self.wrong_count(&name, arguments.len(), &wanted, span);
        };
        if f.two_players
            && let Some(rules) = self.rules(env)
            && !matches!(&rules.players, Players::Named(p) if p.len() == 2)
        {
            return self.hole(
                Diagnostic::error(
                    Code::E0217,
                    format!("`{}` exists for two players only", row.name),
                )
                .at(span, "there may be several others here")
                .help("name the others: `q in players where q != p`"),
            );
        }
        match b {
            Builtin::Drawn(which) => return self.drawn(which, &name, arguments, span, env),
            Builtin::Players | Builtin::Pieces | Builtin::Heaps | Builtin::AllSites(_) => {
                return self.all_sites(b, &name, arguments.first(), span, env);
            }
            Builtin::SitesFrom(SitesFrom::Ray | SitesFrom::Slide) => {
                return self.rays(b, &name, arguments, span, env);
            }
            Builtin::SitesFrom(_) | Builtin::Ends | Builtin::Tail | Builtin::Head => {
                return self.site_function(b, &name, arguments, span, env);
            }
            _ => {}
        }
        // A repeated parameter is the last one.
        let last = f.parameters.last();
        let parameters = f.parameters.iter().chain(last.into_iter().cycle());
        let mut parts = Vec::with_capacity(arguments.len());
        let mut of = Sort::Unknown;
        for (e, p) in arguments.iter().zip(parameters) {
            let part = self.plain_argument(e, p.takes, env);
            if p.takes == Takes::Items {
                match element(&part.sort) {
                    Some(found) => of = found,
                    None => {
                        let wanted = set(Sort::Unknown);
                        return self.coerce(part, &wanted, env);
                    }
                }
            }
            parts.push(part);
        }
        let sort = match f.answer {
            Answer::Subsets => set(set(of)),
            Answer::Lists => set(Sort::List(Box::new(of))),
            Answer::Alike => parts.last().map_or(Sort::Unknown, |p| p.sort.clone()),
            answer => answer.sort(),
        };
        expr(span, sort, ExprKind::Builtin(b, parts))
    }

    /// An argument of a function that needs no engine.
    fn plain_argument(&mut self, e: &ast::Expr, takes: Takes, env: &mut Env) -> Expr {
        match takes {
            Takes::Int => self.expect(e, &Sort::Int, env),
            Takes::Digits => self.expect(e, &Sort::Digits, env),
            Takes::Player => self.expect(e, &Sort::Player, env),
            Takes::Position => self.expect(e, &Sort::Position, env),
            Takes::Pieces => self.stalk(e, env),
            Takes::Term => self.label(e, env),
            Takes::Game
            | Takes::Either
            | Takes::Played
            | Takes::Any
            | Takes::Board
            | Takes::Site
            | Takes::Edge
            | Takes::Directions
            | Takes::Coalition
            | Takes::Items => self.expr(e, env),
        }
    }

    /// The argument of a stalk: a string, or a list of pieces or their numbers.
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

    /// A function evaluated by the host.
    fn game_function(
        &mut self,
        id: GameFunction,
        f: &Function,
        name: &Ident,
        arguments: &[Argument],
        span: Span,
        env: &mut Env,
    ) -> Expr {
        if env.around == Around::Rule || env.around == Around::Header {
            // A function of the board may have been meant.
            if let Some(fix) = advice::written_out(name, arguments, span) {
                let message = format!(
                    "`{}` is a function of values, and rules read the board",
                    name.text
                );
                let d = Diagnostic::error(Code::E0216, message);
                return self.hole(d.at(span, "").suggest(fix));
            }
            return self.hole(
                Diagnostic::error(
                    Code::E0216,
                    format!("`{}` asks what a position is worth, and a rule cannot", name.text),
                )
                .at(span, "")
                .help("rules read the board and the state; values belong to definitions in column 1 and to queries"),
            );
        }
        // A repeated parameter takes as many arguments as there are.
        let plain = arguments.iter().filter(|a| a.name.is_none()).count();
        let parameters: Vec<Parameter> = f
            .parameters
            .iter()
            .flat_map(|p| match p.given {
                Given::Repeatedly => std::iter::repeat_n(*p, plain.max(1)),
                _ => std::iter::repeat_n(*p, 1),
            })
            .collect();
        let mut given: Vec<Option<&ast::Expr>> = vec![None; parameters.len()];
        let mut next = 0;
        let named = |a: &Argument| match &*a.value.kind {
            ast::ExprKind::Colon(called, value) if a.name.is_none() => match &*called.kind {
                ast::ExprKind::Name(n) => {
                    let known = parameters.iter().any(|p| p.named && *p.name == *n.text);
                    (known && env.find(&n.text).is_none()).then_some((n.clone(), value.span))
                }
                _ => None,
            },
            _ => None,
        };
        if let Some((called, value)) = arguments.iter().find_map(named) {
            let message = format!("a blank stands after `{}:`", called.text);
            let d = Diagnostic::error(Code::E0204, message);
            let d = d.at(called.span.to(value), "without it, this is an ordinal sum");
            let write = format!("write `{}: ..`", called.text);
            return self.hole(d.suggest(Suggestion::before(value, " ", write).safe()));
        }
        for a in arguments {
            let place = match &a.name {
                Some(called) => parameters
                    .iter()
                    .position(|p| p.named && *p.name == *called.text),
                None => (next < parameters.len()).then(|| {
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
                            format!("`{}` is given twice", parameters[i].name),
                        )
                        .at(a.value.span, "the second time"),
                    );
                }
                None => {
                    if let Some(called) = &a.name {
                        let known = f.parameters.iter().filter(|p| p.named).map(|p| p.name);
                        let game = f.parameters.first().is_some_and(|p| {
                            matches!(p.takes, Takes::Game | Takes::Either | Takes::Any)
                        });
                        return self.hole(
                            Diagnostic::error(
                                Code::E0204,
                                format!("`{}` has no argument called `{}`", name.text, called.text),
                            )
                            .at(called.span, "unknown argument")
                            .help_if(game.then(|| {
                                format!(
                                    "an ordinal sum stands in parentheses here: `{}(({} : ..))`",
                                    name.text, called.text
                                )
                            }))
                            .suggest_if(meant(called, known))
                            .help_if(
                                builtins::find(&name.text)
                                    .map(|r| format!("it is written `{}`", r.signature)),
                            ),
                        );
                    }
                    let wanted = f.parameters.len().to_string();
                    return self.wrong_count(name, arguments.len(), &wanted, span);
                }
            }
        }
        let mut parts: Vec<Expr> = Vec::new();
        let outer = env.hint;
        for (p, e) in parameters.iter().zip(given) {
            let Some(e) = e else {
                if p.given == Given::Perhaps {
                    continue;
                }
                env.hint = outer;
                let missing = if p.named {
                    format!("`{}` needs `{}:`", name.text, p.name)
                } else {
                    format!(
                        "`{}` needs {}",
                        name.text,
                        error::count(f.parameters.len(), "argument")
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
                Takes::Either | Takes::Any => {
                    let compound = p.takes == Takes::Any && self.guess(e, env) == Sort::Compound;
                    let found = match compound {
                        true => self.expr(e, env),
                        false => self.value(e, env),
                    };
                    if f.two_players {
                        self.asked_of_two(&found, name, span, env);
                    }
                    if found.sort == Sort::Position || compound {
                        found
                    } else {
                        self.coerce(found, &Sort::Game, env)
                    }
                }
                Takes::Played => {
                    let compound = matches!(self.guess(e, env), Sort::Compound | Sort::Unknown);
                    let found = match compound {
                        true => self.expr(e, env),
                        false => self.expect(e, &Sort::Position, env),
                    };
                    if f.two_players {
                        self.asked_of_two(&found, name, span, env);
                    }
                    match found.sort {
                        Sort::Compound => found,
                        _ => self.coerce(found, &Sort::Position, env),
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
                // The players of a position with errors are not known.
                Takes::Player | Takes::Coalition
                    if parts.first().is_some_and(|g| g.sort == Sort::Unknown) =>
                {
                    unknown(e.span)
                }
                Takes::Player => self.expect(e, &Sort::Player, env),
                Takes::Coalition => self.expect(e, &set(Sort::Player), env),
                Takes::Board
                | Takes::Site
                | Takes::Edge
                | Takes::Directions
                | Takes::Digits
                | Takes::Items
                | Takes::Pieces
                | Takes::Term => self.plain_argument(e, p.takes, env),
            };
            // The other arguments may name the players of the position.
            if part.sort == Sort::Position {
                let hint = self.hint_of(&part, env);
                if hint != Hint::default() {
                    env.hint = hint;
                }
            }
            parts.push(part);
        }
        env.hint = outer;
        let op = match (id, parts.first().map(|p| &p.sort)) {
            (GameFunction::Value, Some(Sort::Game)) if parts.len() == 1 => {
                // Already a position's value, or a game: its canonical form.
                let part = parts.remove(0);
                return match &*part.kind {
                    ExprKind::Game(GameOp::Value, _) => Expr { span, ..part },
                    _ => expr(
                        span,
                        Sort::Game,
                        ExprKind::Game(GameOp::Function(GameFunction::Canonical), vec![part]),
                    ),
                };
            }
            (GameFunction::OrdinalSum, _) => GameOp::OrdinalSum,
            _ => GameOp::Function(id),
        };
        expr(span, f.answer.sort(), ExprKind::Game(op, parts))
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

/// Rewrites `Nim(3, 5)`, a board in round brackets, with square brackets.
fn in_square_brackets(name: &Ident, arguments: &[Argument], span: Span, board: &str) -> Suggestion {
    let (Some(first), Some(last)) = (arguments.first(), arguments.last()) else {
        let message = format!(
            "the board stands in square brackets: `{}{board}`",
            name.text
        );
        return Suggestion::replace(span, format!("{}{board}", name.text), message);
    };
    let inside: Vec<String> = arguments.iter().map(|a| print_expr(&a.value)).collect();
    let message = format!(
        "the board stands in square brackets: `{}[{}]`",
        name.text,
        inside.join(", ")
    );
    let start = first.name.as_ref().map_or(first.value.span, |n| n.span);
    let between = |from: u32, to: u32| Span {
        start: from,
        end: to,
        ..span
    };
    Suggestion::replace(between(name.span.end, start.start), "[", message)
        .and(between(last.value.span.end, span.end), "]")
        .safe()
}

/// The name of an argument with its colon.
fn label_of(arguments: &[Argument], named: &Ident) -> Span {
    let of = arguments
        .iter()
        .find(|a| a.name.as_ref().is_some_and(|n| n.span == named.span));
    of.map_or(named.span, |a| Span {
        end: a.value.span.start,
        ..named.span
    })
}
