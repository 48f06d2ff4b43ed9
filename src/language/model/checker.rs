//! The checker's state, and the conversion of expressions from one sort to another.

use super::advice::Exact;
use super::error;
use super::scope::{Around, Env, Hint, Key, Scope, Var};
use super::typed;
use super::typed::{
    BinderKind, Builtin, Expr, ExprKind, FunctionBody, GameOp, LoopyName, Owners, Place, Players,
    Ruleset, RulesetId, SiteKind, Slot, Sort,
};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Limit on the nesting of definitions and of the expressions inside them.
pub(super) const DEPTH: u32 = 400;

/// Limit on the instances of definitions by the sorts of their arguments, beyond one for each definition.
pub(super) const INSTANCES: usize = 10_000;

/// After this many messages, unknown names get no suggestion.
const SUGGESTED: usize = 500;

/// Limit on the parts of a sort, counting all levels.
const WEIGHT: usize = 256;

/// The number of parts of a sort, counting all levels.
fn weight(sort: &Sort) -> usize {
    match sort {
        Sort::Tuple(parts) => 1 + parts.iter().map(weight).sum::<usize>(),
        Sort::Set(of) | Sort::List(of) => 1 + weight(of),
        _ => 1,
    }
}

/// Checks one set of files, or one query.
pub(super) struct Checker<'a> {
    pub scope: &'a mut Scope,
    pub out: Vec<Diagnostic>,
    /// How many of them are errors.
    pub errors: usize,
    /// Whether the current item is broken.
    pub failed: bool,
    /// The broken name that the current item uses.
    pub broken_name: Option<Arc<str>>,
    /// Definitions that are being checked, outermost first.
    pub open: Vec<u32>,
    pub depth: u32,
    /// Guessed sorts of definitions.
    pub guesses: HashMap<Key, Sort>,
    /// Definitions whose sort is being guessed.
    pub guess_open: Vec<u32>,
    /// Where to insert a `use` in the current file, and whether in its first line.
    pub use_place: Option<(Span, bool)>,
    /// A file that the current one uses is unavailable: missing names may be defined there.
    pub incomplete: bool,
    /// Rulesets reported as missing.
    pub missing: BTreeSet<Arc<str>>,
    /// Rulesets reported as having no pieces.
    pub no_pieces: BTreeSet<RulesetId>,
    /// Conditions `at(e) = p` of the current ruleset, and how else its moves refer to pieces.
    pub exact: Vec<Exact>,
    pub asks_owners: bool,
    pub pieces_named: BTreeSet<usize>,
    /// The places of names bound to a whole range, with the error where one element is meant: [`Checker::boxed_range`].
    pub boxed: BTreeMap<Span, Diagnostic>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(scope: &'a mut Scope) -> Checker<'a> {
        Checker {
            scope,
            out: Vec::new(),
            errors: 0,
            failed: false,
            broken_name: None,
            open: Vec::new(),
            depth: 0,
            guesses: HashMap::new(),
            guess_open: Vec::new(),
            use_place: None,
            incomplete: false,
            missing: BTreeSet::new(),
            no_pieces: BTreeSet::new(),
            exact: Vec::new(),
            asks_owners: false,
            pieces_named: BTreeSet::new(),
            boxed: BTreeMap::new(),
        }
    }

    /// Whether there are few messages yet. After many messages no near names are searched, so that a file with as many
    /// unknown names as known ones is checked in linear time.
    pub(super) fn suggests(&self) -> bool {
        self.out.len() < SUGGESTED
    }

    /// Reports a diagnostic; an error makes the current item broken.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if diagnostic.is_error() {
            self.failed = true;
            self.errors += 1;
        }
        self.out.push(diagnostic);
    }

    /// Removes all but the first `kept` diagnostics.
    pub(super) fn unsay(&mut self, kept: usize) {
        self.errors -= self
            .out
            .split_off(kept)
            .iter()
            .filter(|d| d.is_error())
            .count();
    }

    /// Reports an error at a place and returns a placeholder for the broken expression.
    pub(super) fn hole(&mut self, diagnostic: Diagnostic) -> Expr {
        let span = diagnostic.span().unwrap_or_default();
        self.report(diagnostic);
        unknown(span)
    }

    /// Marks that the current item uses something already reported.
    pub(super) fn uses_broken(&mut self, name: &Ident) -> Expr {
        self.failed = true;
        if self.broken_name.is_none() {
            self.broken_name = Some(name.text.clone());
        }
        unknown(name.span)
    }

    pub(super) fn ruleset(&self, id: RulesetId) -> Arc<Ruleset> {
        self.scope.model.rulesets[id.0 as usize].clone()
    }

    /// The ruleset whose pieces and players a name may mean.
    pub(super) fn rules(&self, env: &Env) -> Option<Arc<Ruleset>> {
        env.ruleset().map(|id| self.ruleset(id))
    }

    /// Whether integers can be used as players.
    fn numbered_players(&self, env: &Env) -> bool {
        match self.rules(env) {
            Some(r) => matches!(r.players, Players::Range(_)),
            None => true,
        }
    }

    /// Whether integers can be used as pieces.
    fn numbered_pieces(&self, env: &Env) -> bool {
        match self.rules(env) {
            Some(r) => r.pieces_range.is_some(),
            None => true,
        }
    }

    /// Converts the expression to sort `want`; reports an error if that is impossible.
    pub(super) fn coerce(&mut self, e: Expr, want: &Sort, env: &mut Env) -> Expr {
        let span = e.span;
        let found = e.sort.clone();
        match self.fit(e, want, env) {
            Ok(e) => e,
            Err(e) => {
                let d = self.unboxed(&e, env).unwrap_or_else(|| {
                    let d = error::stands_where(&found, span, &error::a(want));
                    self.advice(d, &e, want, env)
                });
                self.hole(d)
            }
        }
    }

    fn advice(&self, d: Diagnostic, e: &Expr, want: &Sort, env: &Env) -> Diagnostic {
        let rules = self.rules(env);
        match (&e.sort, want) {
            (Sort::Game, Sort::Int) if matches!(&*e.kind, ExprKind::Game(GameOp::Fraction, _)) => {
                let d = d.note("`/` makes a game, a dyadic number");
                let message = "integers are divided by `div`, which rounds down: `n div 2`";
                match &*e.kind {
                    ExprKind::Game(_, parts) if parts.len() == 2 => d.suggest(Suggestion::between(
                        parts[0].span,
                        parts[1].span,
                        "/",
                        " div ",
                        message,
                    )),
                    _ => d.help(message),
                }
            }
            (Sort::Game | Sort::Position, Sort::Int) => {
                let message = "`nimber(G)` is the integer n of an impartial position *n; games are compared with `==`";
                d.suggest(Suggestion::before(e.span, "nimber(", message).and_after(e.span, ")"))
            }
            (Sort::Board, Sort::Position | Sort::Game) => {
                d.help("a board becomes a position by its ruleset: `Ruleset[board]`")
            }
            (Sort::Compound, Sort::Position | Sort::Game | Sort::Int) => d.help(
                "a compound has no value; ask who wins: `outcome(C)`, `misere_outcome(C)`, `winner(C, first: Left)`",
            ),
            (Sort::Player, Sort::Int) => d.help("the other player is `opponent(p)`"),
            (Sort::Int, Sort::Player) if rules.is_some() => {
                d.help("players here have names; numbers are players only under `players 1..n`")
            }
            (Sort::Int, Sort::Piece) if rules.is_some() => {
                d.help("pieces here have names; numbers are pieces only under `pieces 1..n`")
            }
            (Sort::Int, Sort::Bool) => d.help("compare it with something: `.. = 0`"),
            (Sort::Piece, Sort::Player) => {
                d.help("`p owns c` says that p is among the owners of a piece")
            }
            (Sort::Set(of), other) if **of == *other => {
                d.help("choose an element of it: `x in ..`")
            }
            (other, Sort::Set(of)) if **of == *other => d.suggest(
                Suggestion::before(e.span, "{", "a set of one is written `{..}`")
                    .and_after(e.span, "}"),
            ),
            (Sort::Set(_), Sort::List(_)) | (Sort::List(_), Sort::Set(_)) => {
                d.help("sets are written `{1, 2}`, lists `[1, 2]`")
            }
            _ => d,
        }
    }

    /// Converts the expression to sort `want`, or returns it if that is impossible.
    pub(super) fn fit(&mut self, e: Expr, want: &Sort, env: &mut Env) -> Result<Expr, Box<Expr>> {
        if e.sort == *want || e.sort == Sort::Unknown || *want == Sort::Unknown {
            return Ok(e);
        }
        let span = e.span;
        let kind = match (&e.sort, want) {
            (Sort::Player, Sort::Piece) => return Ok(self.piece_of(e, env)),
            (Sort::Int, Sort::Player) if self.numbered_players(env) => ExprKind::PlayerNumber(e),
            (Sort::Int, Sort::Piece) if self.numbered_pieces(env) => ExprKind::PieceNumber(e),
            (Sort::Int, Sort::Site(SiteKind::StripCell)) => ExprKind::Cell(vec![e]),
            (Sort::Tuple(parts), Sort::Site(SiteKind::GridCell))
                if parts.len() == 2 && parts.iter().all(|p| compatible(p, &Sort::Int)) =>
            {
                match *e.kind {
                    ExprKind::Tuple(parts) => ExprKind::Cell(parts),
                    _ => ExprKind::Cell(vec![e]),
                }
            }
            // A vertex may have a pair as its name.
            (Sort::Tuple(_), Sort::Site(SiteKind::Vertex | SiteKind::Element)) => {
                return Ok(Expr {
                    sort: want.clone(),
                    ..e
                });
            }
            (Sort::Site(SiteKind::StripCell), Sort::Int)
            | (Sort::Site(SiteKind::GridCell), Sort::Tuple(_)) => ExprKind::Coordinates(e),
            (Sort::Int, Sort::Game) => ExprKind::Game(GameOp::OfInteger, vec![e]),
            (Sort::Text, Sort::Genus) => ExprKind::Game(GameOp::GenusOfText, vec![e]),
            (Sort::Text, Sort::MisereForm) => ExprKind::Game(GameOp::MisereFormOfText, vec![e]),
            (Sort::Piece, Sort::Game) if self.means_off(&e) => {
                ExprKind::Game(GameOp::Loopy(LoopyName::Off), Vec::new())
            }
            (Sort::Position, Sort::Game) => {
                self.two_players_only(&e, "value", span, env);
                ExprKind::Game(GameOp::Value, vec![e])
            }
            (Sort::Position, Sort::Board) => ExprKind::Builtin(Builtin::BoardOf, vec![e]),
            (Sort::Text, Sort::Digits) => {
                if let ExprKind::Text(code) = &*e.kind
                    && let Some(why) = bad_code(code)
                {
                    let d = Diagnostic::error(
                        Code::E0305,
                        format!("`\"{code}\"` is not the code of an octal or hexadecimal game"),
                    )
                    .at(span, why)
                    .help("a code is digits, a point, digits: `\"0.77\"`, `\"4.007\"`");
                    return Ok(self.hole(d));
                }
                return Ok(Expr {
                    sort: Sort::Digits,
                    ..e
                });
            }
            (Sort::List(digit), Sort::Digits) if compatible(digit, &Sort::Int) => {
                ExprKind::Builtin(Builtin::CodeOf, vec![e])
            }
            (Sort::Set(a), Sort::Set(b)) | (Sort::List(a), Sort::List(b)) => {
                let (a, b) = ((**a).clone(), (**b).clone());
                return self.fit_elements(e, &a, &b, want, env);
            }
            (Sort::Tuple(a), Sort::Tuple(b)) if a.len() == b.len() => {
                let b = b.clone();
                let fits = a.iter().zip(&b).all(|(a, b)| compatible(a, b));
                return match *e.kind {
                    ExprKind::Tuple(parts) => {
                        let mut fine = Vec::new();
                        for (part, want) in parts.into_iter().zip(&b) {
                            fine.push(self.fit(part, want, env)?);
                        }
                        Ok(tuple(span, fine))
                    }
                    _ if fits => Ok(e),
                    _ => Err(Box::new(e)),
                };
            }
            (a, b) if compatible(a, b) => {
                // The same data at run time; the expected sort determines how it is read.
                return Ok(Expr {
                    sort: want.clone(),
                    ..e
                });
            }
            _ => return Err(Box::new(e)),
        };
        Ok(expr(span, want.clone(), kind))
    }

    /// Whether the expression is the constant `off`.
    pub(super) fn means_off(&self, e: &Expr) -> bool {
        match &*e.kind {
            ExprKind::Off => true,
            ExprKind::Call(f, arguments) if arguments.is_empty() => {
                match self
                    .scope
                    .model
                    .functions
                    .get(f.0 as usize)
                    .map(|f| &f.body)
                {
                    Some(FunctionBody::Expr(body)) => self.means_off(body),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    fn fit_elements(
        &mut self,
        e: Expr,
        from: &Sort,
        to: &Sort,
        want: &Sort,
        env: &mut Env,
    ) -> Result<Expr, Box<Expr>> {
        let span = e.span;
        match *e.kind {
            ExprKind::Elements(elements) => {
                let mut fine = Vec::new();
                for element in elements {
                    fine.push(self.fit(element, to, env)?);
                }
                Ok(expr(span, want.clone(), ExprKind::Elements(fine)))
            }
            ExprKind::For(element, binders, condition) => {
                let element = self.fit(element, to, env)?;
                let kind = ExprKind::For(element, binders, condition);
                Ok(expr(span, want.clone(), kind))
            }
            _ if compatible(from, to) => Ok(Expr {
                sort: want.clone(),
                ..e
            }),
            _ => {
                // Each element converted: { conversion of x for x in e }.
                let slot = env.push(Var {
                    name: "_".into(),
                    span,
                    sort: from.clone(),
                    hint: Hint::default(),
                    parameter: false,
                    used: true,
                    lint: false,
                });
                env.leave(env.visible.len() - 1);
                let variable = expr(span, from.clone(), ExprKind::Slot(Slot(slot)));
                match self.fit(variable, to, env) {
                    Ok(element) => {
                        let binder = typed::Binder {
                            span,
                            kind: BinderKind::In(vec![Place::New(Slot(slot))], e),
                        };
                        let kind = ExprKind::For(element, vec![binder], None);
                        Ok(expr(span, want.clone(), kind))
                    }
                    Err(_) => Err(Box::new(e)),
                }
            }
        }
    }

    /// The unique piece owned by exactly this player; an error if a possible player has none, or several.
    pub(super) fn piece_of(&mut self, e: Expr, env: &Env) -> Expr {
        let span = e.span;
        if let Some(rules) = self.rules(env)
            && rules.pieces_range.is_none()
            && let Players::Named(names) = &rules.players
        {
            let asked: Vec<usize> = match *e.kind {
                ExprKind::Player(p) => vec![usize::from(p)],
                _ => (0..names.len()).collect(),
            };
            for p in asked {
                let own: Vec<&str> = rules
                    .pieces
                    .iter()
                    .filter(|piece| is_just(&piece.owners, p, names.len()))
                    .map(|piece| &*piece.name)
                    .collect();
                if own.len() == 1 {
                    continue;
                }
                let name = &names[p];
                let d = Diagnostic::error(
                    Code::E0213,
                    if own.is_empty() {
                        format!("{name} has no piece of his own to stand for")
                    } else {
                        format!(
                            "{name} has several pieces of his own: {}",
                            error::list(&own, "and")
                        )
                    },
                )
                .at(span, "a player stands here for his piece")
                .help(if own.is_empty() {
                    format!(
                        "give {name} a piece: `pieces x = {name}`, or name the piece that is meant"
                    )
                } else {
                    "name the piece that is meant, or ask `p owns ..`".into()
                });
                return self.hole(d);
            }
        }
        expr(span, Sort::Piece, ExprKind::PieceOf(e))
    }

    /// Reports a function for two players that is applied to a position of more.
    pub(super) fn two_players_only(&mut self, e: &Expr, function: &str, span: Span, env: &Env) {
        let hint = self.hint_of(e, env);
        let count =
            hint.players
                .or_else(|| match &hint.ruleset.map(|id| self.ruleset(id))?.players {
                    Players::Named(names) => u32::try_from(names.len()).ok(),
                    Players::Range(_) => None,
                });
        if let Some(n) = count.filter(|n| *n != 2) {
            self.report(
                Diagnostic::error(
                    Code::E0502,
                    format!("a position of {n} players has no `{function}`"),
                )
                .at(span, format!("{n} players"))
                .note("values, outcomes and similar functions are for two players in normal play")
                .help("ask `winner(G, first: p)`, `wins(G, coalition: {p, q}, first: p)` or `coalitions(G, first: p)`"),
            );
        }
    }

    /// What is known of a position before it is evaluated.
    pub(super) fn hint_of(&self, e: &Expr, env: &Env) -> Hint {
        match &*e.kind {
            ExprKind::Position(p) => {
                let rules = self.ruleset(p.ruleset);
                let players = match &rules.players {
                    Players::Named(names) => u32::try_from(names.len()).ok(),
                    Players::Range(upper) => constant(upper, &p.arguments),
                };
                Hint {
                    ruleset: Some(p.ruleset),
                    players_of: Some(p.ruleset),
                    players,
                }
            }
            ExprKind::Call(f, _) => self
                .scope
                .hints
                .get(f.0 as usize)
                .copied()
                .unwrap_or_default(),
            ExprKind::Slot(slot) => env
                .slots
                .get(slot.0 as usize)
                .map(|v| v.hint)
                .unwrap_or_default(),
            ExprKind::Mirror(e) | ExprKind::Multiple(_, e) | ExprKind::Index(e, _) => {
                self.hint_of(e, env)
            }
            ExprKind::Sum(a, b) => {
                let (a, b) = (self.hint_of(a, env), self.hint_of(b, env));
                Hint {
                    ruleset: a.ruleset.filter(|r| b.ruleset == Some(*r)),
                    players_of: self.same_players(a, b),
                    players: if a.players == b.players {
                        a.players
                    } else {
                        a.players.or(b.players)
                    },
                }
            }
            ExprKind::Game(GameOp::Function(_), args) | ExprKind::Builtin(_, args) => args
                .first()
                .map(|e| self.hint_of(e, env))
                .unwrap_or_default(),
            ExprKind::Elements(elements) => elements
                .first()
                .map(|e| self.hint_of(e, env))
                .unwrap_or_default(),
            ExprKind::For(e, ..) => self.hint_of(e, env),
            ExprKind::If(_, a, b) => {
                let (a, b) = (self.hint_of(a, env), self.hint_of(b, env));
                Hint {
                    ruleset: a.ruleset.filter(|r| b.ruleset == Some(*r)),
                    players_of: self.same_players(a, b),
                    players: a.players.filter(|p| b.players == Some(*p)),
                }
            }
            _ => Hint::default(),
        }
    }

    /// A ruleset with the players of both positions, if they have the same players.
    fn same_players(&self, a: Hint, b: Hint) -> Option<RulesetId> {
        let (a, b) = (a.players_of?, b.players_of?);
        let same = match (&self.ruleset(a).players, &self.ruleset(b).players) {
            _ if a == b => true,
            (Players::Named(a), Players::Named(b)) => a == b,
            _ => false,
        };
        same.then_some(a)
    }

    /// Binds a name as a new variable; reports a name that may not be bound.
    pub(super) fn declare(
        &mut self,
        name: &Ident,
        sort: Sort,
        hint: Hint,
        env: &mut Env,
        parameter: bool,
    ) -> u32 {
        self.may_be_bound(name, env);
        env.push(Var {
            name: name.text.clone(),
            span: name.span,
            sort,
            hint,
            parameter,
            used: false,
            lint: true,
        })
    }

    /// Reports a variable whose name belongs to a piece, a player, a state variable, or the language.
    pub(super) fn may_be_bound(&mut self, name: &Ident, env: &Env) {
        let text = &*name.text;
        let mut shadowed: Option<String> = None;
        if let Some(home) = env.home {
            let rules = self.ruleset(home);
            if rules.pieces.iter().any(|p| *p.name == *text) {
                shadowed = Some(format!("a piece of {}", rules.name));
            } else if matches!(&rules.players, Players::Named(n) if n.iter().any(|n| **n == *text))
            {
                shadowed = Some(format!("a player of {}", rules.name));
            } else if rules.state.iter().any(|s| *s.name == *text) {
                shadowed = Some(format!("state of {}", rules.name));
            } else if rules.root.as_deref() == Some(text) {
                shadowed = Some("the root of the board".into());
            } else if self.scope.insides[home.0 as usize].lets.contains_key(text) {
                shadowed = Some(format!("defined by `let` in {}", rules.name));
            }
        } else if env.around == Around::Query && env.literal.is_none() && is_downs(text) {
            self.report(
                Diagnostic::error(
                    Code::E0501,
                    format!(
                        "a query cannot bind a variable `{text}`: it is down on the value side"
                    ),
                )
                .at(name.span, "bound here")
                .help("take another letter"),
            );
            return;
        }
        let constant = super::builtins::is_kept(text);
        if shadowed.is_none() && constant {
            shadowed = Some("a constant of the language".into());
        }
        if let Some(what) = shadowed {
            self.report(
                Diagnostic::error(
                    Code::E0205,
                    format!("`{text}` is {what} and cannot be a variable"),
                )
                .at(name.span, "bound here")
                .help("take another name"),
            );
        } else if super::builtins::reserved(text) {
            self.report(
                Diagnostic::error(Code::E0116, format!("`{text}` is a reserved word"))
                    .at(name.span, "it cannot be a name")
                    .help("take another name"),
            );
        }
    }

    /// A tuple; an error if its sort would be too large. (Repeatedly pairing a tuple with itself doubles the sort at each
    /// level.)
    pub(super) fn tuple(&mut self, span: Span, parts: Vec<Expr>) -> Expr {
        if parts.iter().map(|p| weight(&p.sort)).sum::<usize>() > WEIGHT {
            return self.hole(
                Diagnostic::error(Code::E0214, "tuples stand too deeply inside one another")
                    .at(span, "")
                    .help(format!(
                        "a tuple holds {WEIGHT} things at most, all levels counted"
                    )),
            );
        }
        tuple(span, parts)
    }

    /// Enters a level; beyond the limit, reports it and returns false.
    pub(super) fn deeper(&mut self, span: Span) -> bool {
        self.depth += 1;
        if self.depth <= DEPTH {
            return true;
        }
        self.failed = true;
        if self.out.iter().any(|d| d.code == Code::E0214) {
            return false;
        }
        self.report(
            Diagnostic::error(
                Code::E0214,
                "definitions stand too deeply inside one another",
            )
            .at(span, "")
            .help(format!(
                "at most {DEPTH} levels of brackets and definitions together"
            )),
        );
        false
    }
}

/// Whether these owners are exactly this player.
pub(super) fn is_just(owners: &Owners, player: usize, players: usize) -> bool {
    match owners {
        Owners::These(p) => p.len() == 1 && usize::from(p[0]) == player,
        Owners::Anyone => players == 1,
    }
}

/// The value of a ruleset's expression over its parameters, if it is a constant or a parameter with a constant argument.
fn constant(e: &Expr, arguments: &[Expr]) -> Option<u32> {
    match &*e.kind {
        ExprKind::Integer(n) => u32::try_from(n).ok(),
        ExprKind::Slot(s) => match &*arguments.get(s.0 as usize)?.kind {
            ExprKind::Integer(n) => u32::try_from(n).ok(),
            _ => None,
        },
        _ => None,
    }
}

/// Why the text is not a code; `None` if it is one.
fn bad_code(code: &str) -> Option<&'static str> {
    let (head, tail) = match code.split_once('.') {
        Some(parts) => parts,
        None => return Some("there is no point in it"),
    };
    let digit = |c: char| c.is_ascii_digit() || c.is_ascii_uppercase();
    if !head.chars().all(digit) || !tail.chars().all(digit) {
        return Some("digits are 0 to 9, then A to Z");
    }
    None
}

/// `v`, `vv`, `v3`: downs on the value side.
pub(super) fn is_downs(text: &str) -> bool {
    let tail = text.trim_start_matches('v');
    let downs = text.len() - tail.len();
    downs >= 1 && (tail.is_empty() || (downs == 1 && tail.chars().all(|c| c.is_ascii_digit())))
}

/// Whether data of one sort can be read as the other without conversion.
pub(super) fn compatible(a: &Sort, b: &Sort) -> bool {
    let label = |s: &Sort| {
        matches!(
            s,
            Sort::Label | Sort::Site(_) | Sort::Int | Sort::Tuple(_) | Sort::Text
        )
    };
    match (a, b) {
        (Sort::Unknown, _) | (_, Sort::Unknown) => true,
        (Sort::Label, other) | (other, Sort::Label) => label(other),
        (Sort::Site(SiteKind::StripCell), Sort::Int)
        | (Sort::Int, Sort::Site(SiteKind::StripCell)) => true,
        (Sort::Site(SiteKind::GridCell), Sort::Tuple(t))
        | (Sort::Tuple(t), Sort::Site(SiteKind::GridCell)) => {
            t.len() == 2 && t.iter().all(|s| compatible(s, &Sort::Int))
        }
        (Sort::Set(a), Sort::Set(b)) | (Sort::List(a), Sort::List(b)) => compatible(a, b),
        (Sort::Tuple(a), Sort::Tuple(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| compatible(a, b))
        }
        _ => a == b,
    }
}

/// The sort to which both can be converted.
pub(super) fn unify(a: &Sort, b: &Sort) -> Option<Sort> {
    use Sort::{Digits, Game, Int, Label, List, Piece, Player, Position, Set, Site, Text, Tuple};
    Some(match (a, b) {
        _ if a == b => a.clone(),
        (Sort::Unknown, x) | (x, Sort::Unknown) => x.clone(),
        (Player, Piece) | (Piece, Player) => Piece,
        (Int, s @ Site(SiteKind::StripCell)) | (s @ Site(SiteKind::StripCell), Int) => s.clone(),
        (Tuple(t), s @ Site(SiteKind::GridCell)) | (s @ Site(SiteKind::GridCell), Tuple(t))
            if t.len() == 2 =>
        {
            s.clone()
        }
        (Int, Player) | (Player, Int) => Player,
        (Int, Piece) | (Piece, Int) => Piece,
        (Int | Position, Game) | (Game, Int | Position) | (Int, Position) | (Position, Int) => Game,
        (Text, Digits) | (Digits, Text) => Digits,
        (Text, s @ (Sort::Genus | Sort::MisereForm))
        | (s @ (Sort::Genus | Sort::MisereForm), Text) => s.clone(),
        (Label, x) | (x, Label) if compatible(&Label, x) => Label,
        (Set(a), Set(b)) => Set(Box::new(unify(a, b)?)),
        (List(a), List(b)) => List(Box::new(unify(a, b)?)),
        (Tuple(a), Tuple(b)) if a.len() == b.len() => Tuple(
            a.iter()
                .zip(b)
                .map(|(a, b)| unify(a, b))
                .collect::<Option<_>>()?,
        ),
        _ => return None,
    })
}

/// An expression.
pub(super) fn expr(span: Span, sort: Sort, kind: ExprKind) -> Expr {
    Expr {
        span,
        sort,
        kind: Box::new(kind),
    }
}

/// A placeholder for something broken.
pub(super) fn unknown(span: Span) -> Expr {
    expr(span, Sort::Unknown, ExprKind::Bool(false))
}

/// The sort of sets of elements of this sort.
pub(super) fn set(of: Sort) -> Sort {
    Sort::Set(Box::new(of))
}

/// A tuple.
pub(super) fn tuple(span: Span, parts: Vec<Expr>) -> Expr {
    let sort = Sort::Tuple(parts.iter().map(|p| p.sort.clone()).collect());
    expr(span, sort, ExprKind::Tuple(parts))
}

/// The sort of the elements of a set or list.
pub(super) fn element(sort: &Sort) -> Option<Sort> {
    match sort {
        Sort::Set(of) | Sort::List(of) => Some((**of).clone()),
        Sort::Unknown => Some(Sort::Unknown),
        _ => None,
    }
}
