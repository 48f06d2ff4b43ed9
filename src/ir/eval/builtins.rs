//! The built-in functions that need no engine: arithmetic, digits of codes, sets of sites, domains, constructors.

use super::{Evaluator, Frame, Scope, internal, need_instance, no_integer};
use crate::base::Span;
use crate::board::{Board, constructors};
use crate::domains;
use crate::fault::{Code, Fault, Res};
use crate::int::Int;
use crate::model::typed::{
    AllSites, BoardKind, Builtin, Constructor, Drawn, Expr, ExprKind, SitesFrom, StateId,
};
use crate::position::{Position, Term};
use crate::val::{Edge, Piece, Val};
use crate::view::View;
use std::sync::Arc;

/// The only term of a position.
pub(super) fn one_term(p: &Position, span: Span) -> Res<&Term> {
    match p.terms() {
        [t] => Ok(t),
        terms => Err(Fault::new(
            Code::NoBoard,
            span,
            format!("a sum of {} positions has no board of its own", terms.len()),
        )),
    }
}

impl Evaluator<'_> {
    pub(super) fn builtin(
        &self,
        b: Builtin,
        args: &[Expr],
        e: &Expr,
        frame: &mut Frame,
        scope: Scope<'_>,
    ) -> Res<Val> {
        let span = e.span;
        if b == Builtin::Sample
            && let [n, seed, domain] = args
        {
            return self.sample(n, seed, domain, frame, scope);
        }
        let args = self.eval_all(args, frame, scope)?;
        let int = |i: usize| integer_of(&args, i, span);
        let number = |r: Result<Int, crate::int::IntFault>| {
            r.map(Val::Int).map_err(|f| super::ops::arithmetic(f, span))
        };
        match b {
            Builtin::Abs => Ok(Val::Int(int(0)?.abs())),
            Builtin::Isqrt => number(int(0)?.isqrt()),
            Builtin::Bit => number(int(0)?.bit(int(1)?)),
            Builtin::Gcd => number(int(0)?.gcd(int(1)?)),
            Builtin::Digit => match args.first() {
                Some(Val::Text(code)) => Ok(Val::Int(digit(code, int(1)?))),
                _ => Err(internal(span, "not a code")),
            },
            Builtin::Opponent => match args.first() {
                Some(p @ Val::Player(_)) => {
                    let players = scope.instance.map_or(2, |i| i.players.len());
                    opponent(p, players, span)
                }
                _ => Err(internal(span, "not a player")),
            },
            Builtin::Players => {
                let count = match args.first() {
                    Some(Val::Position(p)) => usize::from(p.players()),
                    _ => need_instance(scope, span)?.players.len(),
                };
                Ok(Val::set(
                    (0u8..=u8::MAX).take(count).map(Val::Player).collect(),
                ))
            }
            Builtin::Pieces => {
                let count = match args.first() {
                    Some(Val::Position(p)) => one_term(p, span)?.setting.instance.pieces.len(),
                    _ => need_instance(scope, span)?.pieces.len(),
                };
                let all = (0u16..).take(count).map(Piece::Declared).map(Val::Piece);
                Ok(Val::set(all.collect()))
            }
            Builtin::Ends => match &args[..] {
                [Val::Edge(e)] | [Val::Board(_) | Val::Position(_), Val::Edge(e)] => {
                    Ok(Val::set(vec![e.from.clone(), e.to.clone()]))
                }
                _ => Err(internal(span, "not an edge")),
            },
            Builtin::Tail | Builtin::Head => match args.last() {
                Some(Val::Edge(e)) => Ok(end_of(b, e)),
                _ => Err(internal(span, "not an arc")),
            },
            Builtin::Drawn(which) => {
                let (view, rest) = self.view(&args, span, scope)?;
                self.charge(view.board.sites() as u64 / 16 + 1, span)?;
                drawn(view.board, which, rest, span)
            }
            Builtin::Heaps => self.heap_sizes(&args, span, scope),
            Builtin::AllSites(all) => self.all_sites(all, &args, span, scope),
            Builtin::SitesFrom(from) => self.sites_from(from, &args, span, scope),
            Builtin::Subsets => {
                let Val::Set(items) = Val::set(elements(&args, 0, span)?.to_vec()) else {
                    return Err(internal(span, "not a set"));
                };
                let all = domains::subsets(&items, span, &|n| self.charge(n, span))?;
                Ok(Val::set(all))
            }
            Builtin::Functions => {
                let rows = elements(&args, 0, span)?;
                let mut all = Vec::new();
                for function in domains::OneOfEach::new(rows) {
                    self.charge(1 + rows.len() as u64, span)?;
                    all.push(function);
                }
                Ok(Val::set(all))
            }
            Builtin::Lists => {
                let all = domains::lists(elements(&args, 0, span)?, int(1)?, span, &|n| {
                    self.charge(n, span)
                })?;
                Ok(Val::list(all))
            }
            Builtin::Catalogue(which) => {
                let boards = domains::boards(which, int(0)?, span, &|n| self.charge(n, span))?;
                Ok(Val::list(boards))
            }
            Builtin::Born => self.host.born(int(0)?, span),
            Builtin::Sample => Err(internal(span, "sample takes three arguments")),
            Builtin::StateOf => self.state_of(&args, span),
            Builtin::BoardOf => match args.first() {
                Some(Val::Position(p)) => {
                    let board = &one_term(p, span)?.setting.board;
                    Ok(Val::Board(match board.spare {
                        0 => board.clone(),
                        _ => Arc::new(board.without_spare()),
                    }))
                }
                Some(board @ Val::Board(_)) => Ok(board.clone()),
                _ => Err(internal(span, "not a position")),
            },
            Builtin::CodeOf => match args.first() {
                Some(digits) => code_of(digits, span),
                None => Err(internal(span, "not a list")),
            },
            Builtin::Construct(which) => self.construct(which, args, span, scope),
        }
    }

    fn construct(
        &self,
        which: Constructor,
        args: Vec<Val>,
        span: Span,
        scope: Scope<'_>,
    ) -> Res<Val> {
        let kind = scope.kind.unwrap_or(BoardKind::Graph);
        let args = match which {
            Constructor::Stalk => self.stalk_glyphs(args, span, scope)?,
            _ => args,
        };
        if let (Constructor::Complete | Constructor::TransitiveTournament, Some(Val::Int(n))) =
            (which, args.first())
        {
            let n = n.to_usize().unwrap_or(usize::MAX);
            self.room(0, n, n.saturating_mul(n) / 2, span)?;
        }
        let board = constructors::make(which, &args, kind, span)?;
        self.room_for(&board, span)?;
        self.charge((board.sites() + board.lines.len()) as u64, span)?;
        Ok(Val::Board(Arc::new(board)))
    }

    /// Replaces the pieces in the list of a stalk by their names.
    fn stalk_glyphs(&self, mut args: Vec<Val>, span: Span, scope: Scope<'_>) -> Res<Vec<Val>> {
        if let Some(Val::List(items)) = args.first() {
            let names: Res<Vec<Val>> = items
                .iter()
                .map(|v| Ok(Val::Text(self.glyph(v, span, scope)?)))
                .collect();
            args[0] = Val::list(names?);
        }
        Ok(args)
    }

    /// The name of a piece given by itself, its number, its name, or a player who owns it alone.
    pub(super) fn glyph(&self, v: &Val, span: Span, scope: Scope<'_>) -> Res<Arc<str>> {
        match v {
            Val::Text(t) => Ok(t.clone()),
            Val::Int(n) => Ok(n.to_string().into()),
            Val::Label(l) if l.args.is_empty() => Ok(l.name.clone()),
            Val::Piece(p) => match (p, scope.instance) {
                (Piece::Empty, _) => Ok(".".into()),
                (Piece::Wall, _) => Ok("#".into()),
                (p, Some(instance)) => Ok(instance.piece_name(*p)),
                (_, None) => Err(Fault::new(Code::NoBoard, span, "there is no ruleset here")),
            },
            Val::Player(p) => {
                let instance = need_instance(scope, span)?;
                Ok(instance.piece_name(instance.piece_of(*p, span)?))
            }
            _ => Err(Fault::new(
                Code::Argument,
                span,
                "a piece, or the number of one, is expected here",
            )),
        }
    }

    /// The sizes of the heaps of a position, in increasing order.
    fn heap_sizes(&self, args: &[Val], span: Span, scope: Scope<'_>) -> Res<Val> {
        let sizes = |state: &crate::State| {
            let one = |heap: &crate::board::Heap| match &heap[..] {
                [n] => Val::Int(n.clone()),
                all => Val::tuple(all.iter().cloned().map(Val::Int).collect()),
            };
            Val::list(state.heaps.iter().map(one).collect())
        };
        let found = match args.first() {
            Some(Val::Position(p)) => {
                let term = one_term(p, span)?;
                match term.setting.board.kind.heap_of() {
                    Some(1) => sizes(&term.state),
                    _ => {
                        return Err(Fault::new(
                            Code::NoBoard,
                            span,
                            "this position has no heaps that are numbers",
                        ));
                    }
                }
            }
            Some(_) => {
                return Err(Fault::new(
                    Code::Argument,
                    span,
                    "heaps are a position's: a board does not hold them",
                )
                .help("give the position: heaps(G)"));
            }
            None => match scope.here {
                Some((_, state)) => sizes(state),
                None => {
                    return Err(
                        Fault::new(Code::NoBoard, span, "the heaps of which position?")
                            .help("give the position: heaps(G)"),
                    );
                }
            },
        };
        self.charge(
            found.elements().map_or(1, <[Val]>::len) as u64 / 16 + 1,
            span,
        )?;
        Ok(found)
    }

    /// The board of the first argument, or else the current one, and the remaining arguments.
    fn view<'v>(
        &self,
        args: &'v [Val],
        span: Span,
        scope: Scope<'v>,
    ) -> Res<(View<'v>, &'v [Val])> {
        let found = match args.first() {
            Some(Val::Board(board)) => (View::of_board(board), &args[1..]),
            Some(Val::Position(p)) => {
                let term = one_term(p, span)?;
                (View::at_state(&term.setting, &term.state), &args[1..])
            }
            _ => match scope.here {
                Some((setting, state)) => (View::at_state(setting, state), args),
                None => {
                    return Err(Fault::new(
                        Code::NoBoard,
                        span,
                        "of which board? there is no position here",
                    )
                    .help("give the board or the position first: vertices(G)"));
                }
            },
        };
        self.charge(1 + found.0.board.sites() as u64 / 16, span)?;
        Ok(found)
    }

    fn all_sites(&self, all: AllSites, args: &[Val], span: Span, scope: Scope<'_>) -> Res<Val> {
        if let (Some(builder), []) = (scope.building, args) {
            return match all {
                AllSites::Vertices | AllSites::Points => Ok(Val::set(builder.labels().to_vec())),
                AllSites::Edges | AllSites::Arcs | AllSites::Cells => Err(still_building(span)),
            };
        }
        let (view, _) = self.view(args, span, scope)?;
        Ok(sites_of(&view, all))
    }

    fn sites_from(&self, from: SitesFrom, args: &[Val], span: Span, scope: Scope<'_>) -> Res<Val> {
        let elsewhere = matches!(args.first(), Some(Val::Board(_) | Val::Position(_)));
        if scope.building.is_some() && !elsewhere {
            return Err(still_building(span));
        }
        let (view, args) = self.view(args, span, scope)?;
        let Some(of) = args.first() else {
            return Err(internal(span, "a site is missing"));
        };
        let Some(site) = view.board.find(of) else {
            return Err(Fault::new(
                Code::OffBoard,
                span,
                format!(
                    "{} is not on the board",
                    crate::draw::value(of, scope.instance)
                ),
            ));
        };
        let found = match from {
            SitesFrom::Nbrs => view.nbrs(site),
            SitesFrom::Out => view.out(site),
            SitesFrom::Into => view.entering(site),
            SitesFrom::Up => view.up(site),
            SitesFrom::Down => view.down(site),
            SitesFrom::Reach => view.reach(site),
            SitesFrom::ReachWithin => {
                let within: Vec<u32> = elements(args, 1, span)?
                    .iter()
                    .filter_map(|v| view.board.find(v))
                    .collect();
                view.reach_within(site, &within)
            }
            SitesFrom::Group => view.group(site),
            SitesFrom::Component => view.component(site),
            SitesFrom::Ray | SitesFrom::Slide => {
                let directions = match args.get(1) {
                    Some(d @ Val::Direction(..)) => std::slice::from_ref(d),
                    Some(Val::Set(d) | Val::List(d)) => &d[..],
                    _ => return Err(internal(span, "not a direction")),
                };
                let mut all = Vec::new();
                for d in directions {
                    if let Val::Direction(dr, dc) = d {
                        all.extend(view.ray(site, *dr, *dc, from == SitesFrom::Slide));
                    }
                }
                all
            }
        };
        self.charge(found.len() as u64, span)?;
        Ok(view.labels(found))
    }

    /// `pebbles(P, g, v)`: the arguments are the position, the name of the state function, and the function's arguments.
    fn state_of(&self, args: &[Val], span: Span) -> Res<Val> {
        let [Val::Position(p), Val::Text(name), rest @ ..] = args else {
            return Err(internal(span, "not a position and a state function"));
        };
        let term = one_term(p, span)?;
        let (setting, state) = (&term.setting, &term.state);
        if &**name == "at" {
            let site = rest.first().cloned().unwrap_or(Val::Bool(false));
            return Ok(Val::Piece(super::at(setting, state, &site)));
        }
        let functions = &setting.instance.rules.state;
        let Some(f) = functions.iter().position(|f| f.name == *name) else {
            return Err(Fault::new(
                Code::Argument,
                span,
                format!("{} has no state {name}", setting.instance.name),
            ));
        };
        let f = StateId(u32::try_from(f).unwrap_or(u32::MAX));
        super::read_state(setting, state, f, rest, span)
    }

    fn sample(
        &self,
        n: &Expr,
        seed: &Expr,
        domain: &Expr,
        frame: &mut Frame,
        scope: Scope<'_>,
    ) -> Res<Val> {
        let span = domain.span;
        let n = self.integer(n, frame, scope)?;
        let n = n.to_usize().filter(|n| *n <= super::MAX_ELEMENTS);
        let n = n.ok_or_else(|| {
            Fault::new(
                Code::Argument,
                span,
                "sample takes how many: a small natural",
            )
        })?;
        let seed = self.integer(seed, frame, scope)?;
        let mut random = domains::Random::new(&seed);
        let charge = |n: u64| self.charge(n, span);
        // Sample large domains without building them.
        if let ExprKind::Builtin(b, args) = &*domain.kind {
            let args_of = |frame: &mut Frame| self.eval_all(args, frame, scope);
            match b {
                Builtin::Subsets => {
                    let args = args_of(frame)?;
                    let items = elements(&args, 0, span)?;
                    return domains::sample_subsets(items, n, &mut random, &charge);
                }
                Builtin::Lists => {
                    let args = args_of(frame)?;
                    let length = integer_of(&args, 1, span)?;
                    let items = elements(&args, 0, span)?;
                    return domains::sample_lists(items, length, n, &mut random, span, &charge);
                }
                Builtin::Catalogue(which) => {
                    let args = args_of(frame)?;
                    let size = integer_of(&args, 0, span)?;
                    return domains::sample_boards(*which, size, n, &mut random, span, &charge);
                }
                _ => {}
            }
        }
        let v = self.eval(domain, frame, scope)?;
        let Some(items) = v.elements() else {
            return Err(internal(span, "not a set or list"));
        };
        domains::sample_items(items, n, &mut random, &charge)
    }
}

fn integer_of(args: &[Val], i: usize, span: Span) -> Res<&Int> {
    match args.get(i) {
        Some(Val::Int(n)) => Ok(n),
        Some(other) => Err(no_integer(other, span)),
        None => Err(internal(span, "an argument is missing")),
    }
}

fn elements(args: &[Val], i: usize, span: Span) -> Res<&[Val]> {
    args.get(i)
        .and_then(Val::elements)
        .ok_or_else(|| internal(span, "not a set or list"))
}

fn still_building(span: Span) -> Box<Fault> {
    Fault::new(
        Code::NoBoard,
        span,
        "the board is still being built: only its elements can be asked for",
    )
}

/// Facts about a board as drawn. A row or column outside the board has no cells.
pub(crate) fn drawn(board: &Board, which: Drawn, rest: &[Val], span: Span) -> Res<Val> {
    if which == Drawn::Sites {
        return Ok(Val::int(i64::try_from(board.sites()).unwrap_or(i64::MAX)));
    }
    let Some((rows, columns)) = board.shape.filter(|_| board.has_cells()) else {
        return Err(Fault::new(
            Code::NoBoard,
            span,
            "a grid or a strip has rows and columns",
        ));
    };
    let number = match rest.first() {
        Some(Val::Int(k)) => k
            .to_usize()
            .and_then(|k| u32::try_from(k).ok())
            .unwrap_or(0),
        _ => 0,
    };
    let cells = |all: Vec<u32>| Ok(Val::set(all.into_iter().map(|s| board.label(s)).collect()));
    match which {
        Drawn::Rows => Ok(Val::int(i64::from(rows))),
        Drawn::Columns => Ok(Val::int(i64::from(columns))),
        Drawn::Row if (1..=rows).contains(&number) => {
            cells((0..columns).map(|j| (number - 1) * columns + j).collect())
        }
        Drawn::Column if (1..=columns).contains(&number) => {
            cells((0..rows).map(|i| i * columns + number - 1).collect())
        }
        _ => cells(Vec::new()),
    }
}

/// All present sites of a board, or all of its lines.
fn sites_of(view: &View<'_>, all: AllSites) -> Val {
    match all {
        AllSites::Edges | AllSites::Arcs => {
            Val::set(view.edges().filter_map(|e| view.board.edge(e)).collect())
        }
        AllSites::Vertices | AllSites::Cells | AllSites::Points => view.labels(view.sites()),
    }
}

/// The other one of two players.
///
/// # Errors
/// There are not two players; an answer of `winner` that is no player.
pub(crate) fn opponent(p: &Val, players: usize, span: Span) -> Res<Val> {
    if players != 2 {
        let message = format!("opponent(p) is for two players, here are {players}");
        return Err(Fault::new(Code::Players, span, message));
    }
    match p {
        Val::Player(p @ 0..=1) => Ok(Val::Player(1 - p)),
        other => {
            let message = format!("{} has no opponent", crate::draw::value(other, None));
            Err(Fault::new(Code::Players, span, message))
        }
    }
}

/// The tail or the head of an arc.
#[must_use]
pub fn end_of(b: Builtin, arc: &Edge) -> Val {
    match b {
        Builtin::Tail => arc.from.clone(),
        _ => arc.to.clone(),
    }
}

/// Digit k of a code: 0 is the last one before the point, k ≥ 1 the k-th one after it. Missing digits are 0. Examples of
/// codes: `"0.77"`, `"4.007"`, `"0.8F"`.
#[must_use]
pub fn digit(code: &str, k: &Int) -> Int {
    let (whole, fraction) = code.split_once('.').unwrap_or((code, ""));
    let c = match k.to_usize() {
        Some(0) => whole.trim().chars().last(),
        Some(k) => fraction.trim_end().chars().nth(k - 1),
        None => None,
    };
    Int::from(c.and_then(|c| c.to_digit(36)).unwrap_or(0))
}

/// The code whose digits are these integers from 0 to 35, the first before the point: the inverse of `digit`.
pub(super) fn code_of(digits: &Val, span: Span) -> Res<Val> {
    let mut code = String::new();
    for (k, v) in digits.elements().unwrap_or_default().iter().enumerate() {
        let Some(digit) = v.as_int() else {
            return Err(internal(span, "a digit is an integer"));
        };
        let small = digit.to_i64().and_then(|d| u32::try_from(d).ok());
        let Some(c) = small.and_then(|d| char::from_digit(d, 36)) else {
            let message = format!("a digit of a code is 0 to 35, not {digit}");
            return Err(Fault::new(Code::Argument, span, message));
        };
        code.push(c.to_ascii_uppercase());
        if k == 0 {
            code.push('.');
        }
    }
    match code.is_empty() {
        true => Err(Fault::new(
            Code::Argument,
            span,
            "a code has at least one digit",
        )),
        false => Ok(Val::Text(code.into())),
    }
}

/// The board of a value: a board itself, or the board of a position.
pub(super) fn board_of(v: &Val, span: Span) -> Res<Arc<Board>> {
    match v {
        Val::Board(b) => Ok(b.clone()),
        Val::Position(p) => Ok(one_term(p, span)?.setting.board.clone()),
        _ => Err(Fault::new(Code::Board, span, "a board is expected here")),
    }
}
