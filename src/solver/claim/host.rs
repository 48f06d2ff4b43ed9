//! What the evaluator of expressions asks about games comes in; values of the language come out. Games are handles: a
//! canonical form of the arena, or a form as written that is not canonical.

use super::algebra::{self, Argument, Reply, memory};
use super::many::Winner;
use super::solve::Solver;
use crate::base::Span;
use crate::engine::arena::{Fate, Played};
use crate::game::Player;
use crate::ir::{Code as FaultCode, Fault, Host, Int, Position, Res, Val, draw};
use crate::model::typed::{GameLiteral, GameOp};
use crate::value::notation::{Style, print};
use crate::value::{CanonicalForm, Form, Forms, Number};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most positions that `positions(G)` lists.
const MOST_POSITIONS: usize = 1 << 18;

/// A game as handles of the language name it.
enum Named {
    Canonical(CanonicalForm),
    Written(CanonicalForm, Form),
}

#[derive(Default)]
struct Names {
    games: Vec<Named>,
    canonical: FxHashMap<CanonicalForm, u32>,
    reports: Vec<Arc<str>>,
    // What the players are called in the positions that were asked about; `Some([])` where they disagree.
    players: Option<Vec<Arc<str>>>,
}

/// What stands before and after a printed game where texts are marked: characters of the private use area, which no value,
/// board or name of the language is made of.
pub const MARKS: [char; 2] = ['\u{E000}', '\u{E001}'];

/// Answers the evaluator.
pub struct Answerer<'s> {
    solver: &'s Solver,
    style: Style,
    marked: bool,
    names: RefCell<Names>,
}

fn refuse(span: Span, message: impl Into<String>) -> Box<Fault> {
    Fault::new(FaultCode::Host, span, message)
}

impl<'s> Answerer<'s> {
    /// Answers by asking `solver`; games are printed in `style`.
    #[must_use]
    pub fn new(solver: &'s Solver, style: Style) -> Answerer<'s> {
        Answerer {
            solver,
            style,
            marked: false,
            names: RefCell::default(),
        }
    }

    /// Games are printed between [`MARKS`], so that a writer for papers finds them in sentences and lists.
    #[must_use]
    pub fn marked(mut self, marked: bool) -> Answerer<'s> {
        self.marked = marked;
        self
    }

    /// Who is asked.
    #[must_use]
    pub fn solver(&self) -> &'s Solver {
        self.solver
    }

    fn forms(&self) -> &'s Forms {
        self.solver.forms()
    }

    /// Forgets the handles given so far: between two queries.
    pub fn forget(&self) {
        *self.names.borrow_mut() = Names::default();
        self.solver.forget();
    }

    /// The players that an answer names are those of this position.
    fn players_of(&self, position: &Position) {
        let names: Vec<Arc<str>> = (0..position.players())
            .map(|p| position.player_name(Player(p)).to_string().into())
            .collect();
        let known = &mut self.names.borrow_mut().players;
        match known {
            None => *known = Some(names),
            Some(known) => {
                let common = known.iter().zip(&names).all(|(a, b)| a == b);
                if !common {
                    known.clear();
                } else if known.len() < names.len() && !known.is_empty() {
                    *known = names;
                }
            }
        }
    }

    /// Whoever is asked about must take part.
    fn take_part(position: &Position, players: &[Player], span: Span) -> Res<()> {
        match players.iter().find(|p| p.0 >= position.players()) {
            None => Ok(()),
            Some(p) => {
                let names: Vec<String> = (0..position.players())
                    .map(|p| position.player_name(Player(p)).to_string())
                    .collect();
                Err(Fault::new(
                    FaultCode::Players,
                    span,
                    format!(
                        "there is no player {} in this position: the players are {}",
                        u32::from(p.0) + 1,
                        names.join(", ")
                    ),
                ))
            }
        }
    }

    fn player(&self, p: u8) -> String {
        match &self.names.borrow().players {
            Some(names) if usize::from(p) < names.len() => names[usize::from(p)].to_string(),
            Some(_) if usize::from(p) < crate::ir::instance::MAX_PLAYERS => {
                format!("player {}", u32::from(p) + 1)
            }
            _ => draw::value(&Val::Player(p), None),
        }
    }

    fn name(&self, g: CanonicalForm) -> Val {
        let mut names = self.names.borrow_mut();
        let next = u32::try_from(names.games.len()).unwrap_or(u32::MAX);
        let handle = *names.canonical.entry(g).or_insert(next);
        if handle == next {
            names.games.push(Named::Canonical(g));
        }
        Val::Game(handle)
    }

    fn name_written(&self, g: CanonicalForm, form: Form) -> Val {
        let mut names = self.names.borrow_mut();
        let handle = u32::try_from(names.games.len()).unwrap_or(u32::MAX);
        names.games.push(Named::Written(g, form));
        Val::Game(handle)
    }

    fn report(&self, text: String) -> Val {
        let mut names = self.names.borrow_mut();
        let handle = u32::try_from(names.reports.len()).unwrap_or(u32::MAX);
        names.reports.push(text.into());
        Val::Report(handle)
    }

    /// The canonical form of a game or position.
    ///
    /// # Errors
    /// See [`Solver::value`].
    pub fn canonical(&self, v: &Val, span: Span) -> Res<CanonicalForm> {
        match v {
            Val::Game(handle) => match self.names.borrow().games.get(*handle as usize) {
                Some(Named::Canonical(g) | Named::Written(g, _)) => Ok(*g),
                None => Err(refuse(span, "a game that nobody has made")),
            },
            Val::Position(p) => self.solver.value(p, span),
            Val::Int(n) => algebra::integer(self.forms(), n, span),
            _ => Err(refuse(span, "this is no game")),
        }
    }

    fn form(&self, v: &Val, span: Span) -> Res<Form> {
        if let Val::Game(handle) = v
            && let Some(Named::Written(_, form)) = self.names.borrow().games.get(*handle as usize)
        {
            return Ok(form.clone());
        }
        if let Val::Position(p) = v {
            return super::trees::of_position(self.solver, p, span);
        }
        let g = self.canonical(v, span)?;
        Form::from_canonical(self.forms(), g).map_err(memory(span))
    }

    /// A value as text that reads back: games as values.
    #[must_use]
    pub fn show(&self, v: &Val) -> String {
        match v {
            Val::Game(handle) => match self.names.borrow().games.get(*handle as usize) {
                Some(Named::Canonical(g) | Named::Written(g, _)) => self.print(*g),
                None => "?".to_owned(),
            },
            Val::Report(handle) => self
                .names
                .borrow()
                .reports
                .get(*handle as usize)
                .map_or_else(|| "?".to_owned(), |t| t.to_string()),
            Val::Player(p) => self.player(*p),
            Val::Set(items) => {
                let mut shown = self.show_each(items);
                // Sets of games are ordered by handle; by their text they are the same for every run.
                if items.iter().all(|v| matches!(v, Val::Game(_))) {
                    shown.sort();
                }
                format!("{{{}}}", shown.join(", "))
            }
            Val::List(items) => format!("[{}]", self.show_each(items).join(", ")),
            Val::Tuple(items) => format!("({})", self.show_each(items).join(", ")),
            other => draw::value(other, None),
        }
    }

    fn show_each(&self, items: &[Val]) -> Vec<String> {
        items.iter().map(|v| self.show(v)).collect()
    }

    /// A value printed in the style of this host.
    #[must_use]
    pub fn print(&self, g: CanonicalForm) -> String {
        let text = print(self.forms(), g, self.style);
        match self.marked {
            true => format!("{}{text}{}", MARKS[0], MARKS[1]),
            false => text,
        }
    }

    fn literal(&self, literal: &GameLiteral, arguments: &[Val], span: Span) -> Res<Val> {
        let forms = self.forms();
        let mut sum = CanonicalForm::ZERO;
        let mut add = |g: CanonicalForm| {
            sum = forms.add(sum, g).map_err(memory(span))?;
            Res::Ok(())
        };
        if let Some((numerator, exponent)) = &literal.number {
            add(algebra::number(
                forms,
                &Number::from_big(numerator.clone(), *exponent),
                span,
            )?)?;
        }
        if literal.ups != 0.into() {
            add(algebra::ups(forms, &literal.ups, span)?)?;
        }
        if let Some(n) = &literal.pow {
            add(algebra::up_power(forms, n, false, span)?)?;
        }
        if let Some(n) = &literal.pow_to {
            add(algebra::up_power(forms, n, true, span)?)?;
        }
        if let Some(n) = &literal.star {
            add(algebra::star(forms, &Int::from(n.clone()), span)?)?;
        }
        if literal.star_computed {
            match arguments {
                [Val::Int(n)] => add(algebra::star(forms, n, span)?)?,
                _ => return Err(refuse(span, "the n of *n is an integer")),
            }
        }
        Ok(self.name(sum))
    }

    fn braces(&self, left: &[Val], right: &[Val], span: Span) -> Res<Val> {
        let forms = self.forms();
        let all = |items: &[Val]| -> Res<Vec<CanonicalForm>> {
            items.iter().map(|v| self.canonical(v, span)).collect()
        };
        let (l, r) = (all(left)?, all(right)?);
        let g = forms.from_options(&l, &r).map_err(memory(span))?;
        let sorted = |mut v: Vec<CanonicalForm>| {
            v.sort_by(|a, b| forms.structural_cmp(*a, *b));
            v.dedup();
            v
        };
        let is_plain = |items: &[Val]| {
            let names = self.names.borrow();
            items
                .iter()
                .all(|v| matches!(v, Val::Game(h) if matches!(names.games.get(*h as usize), Some(Named::Canonical(_)))))
        };
        let canonical = is_plain(left)
            && is_plain(right)
            && sorted(l) == sorted(forms.left_options(g).map_err(memory(span))?)
            && sorted(r) == sorted(forms.right_options(g).map_err(memory(span))?);
        if canonical {
            return Ok(self.name(g));
        }
        let form = |items: &[Val]| -> Res<Vec<Form>> {
            items.iter().map(|v| self.form(v, span)).collect()
        };
        Ok(self.name_written(g, Form::new(form(left)?, form(right)?)))
    }

    fn compare(&self, op: &GameOp, a: &Val, b: &Val, span: Span) -> Res<Val> {
        let forms = self.forms();
        let (g, h) = (self.canonical(a, span)?, self.canonical(b, span)?);
        let le = |x, y| forms.less_or_equal(x, y).map_err(memory(span));
        Ok(Val::Bool(match op {
            GameOp::LessEqual => le(g, h)?,
            GameOp::GreaterEqual => le(h, g)?,
            GameOp::Less => g != h && le(g, h)?,
            GameOp::Greater => g != h && le(h, g)?,
            _ => g == h,
        }))
    }

    /// Of the form of the first: the ordinal sum looks at it.
    fn ordinal_sum(&self, arguments: &[Val], span: Span) -> Res<Val> {
        let [g, h] = arguments else {
            return Err(refuse(span, "an ordinal sum is of two games"));
        };
        let form = self.form(g, span)?.ordinal_sum(&self.form(h, span)?);
        let value = form.canonical(self.forms()).map_err(memory(span))?;
        Ok(self.name_written(value, form))
    }

    fn two(&self, arguments: &[Val], span: Span) -> Res<(CanonicalForm, CanonicalForm)> {
        match arguments {
            [a, b] => Ok((self.canonical(a, span)?, self.canonical(b, span)?)),
            _ => Err(refuse(span, "this takes two games")),
        }
    }

    fn one(&self, arguments: &[Val], span: Span) -> Res<CanonicalForm> {
        match arguments {
            [a] => self.canonical(a, span),
            _ => Err(refuse(span, "this takes one game")),
        }
    }

    fn function(&self, name: &str, arguments: &[Val], span: Span) -> Res<Val> {
        if let Some(v) = self.of_position(name, arguments, span)? {
            return Ok(v);
        }
        let mut plain = Vec::with_capacity(arguments.len());
        for v in arguments {
            plain.push(match v {
                Val::Int(n) => Argument::Int(n.clone()),
                _ => Argument::Game(self.canonical(v, span)?),
            });
        }
        match algebra::apply(self.forms(), name, &plain, span) {
            Some(reply) => Ok(match reply? {
                Reply::Game(g) => self.name(g),
                Reply::Plain(v) => v,
                Reply::Games(all) => Val::set(all.into_iter().map(|g| self.name(g)).collect()),
                Reply::Report(text) => self.report(text),
            }),
            None => Err(refuse(
                span,
                format!("`{name}` is not known to this version"),
            )),
        }
    }

    /// The functions that look at a position, not only at its value.
    fn of_position(&self, name: &str, arguments: &[Val], span: Span) -> Res<Option<Val>> {
        let solver = self.solver;
        Ok(Some(match (name, arguments) {
            ("ordinal_sum", _) => self.ordinal_sum(arguments, span)?,
            ("identical", [a, b]) => Val::Bool(super::trees::identical(
                &self.form(a, span)?,
                &self.form(b, span)?,
            )),
            ("outcome", [Val::Position(p)]) => Val::Outcome(solver.outcome(p, span)?),
            ("misere_outcome", [Val::Position(p)]) => Val::Outcome(solver.misere_outcome(p, span)?),
            ("nimber", [Val::Position(p)]) => match solver.nimber(p, span)? {
                Some(n) => Val::Int(Int::from(n)),
                None => {
                    return Err(refuse(
                        span,
                        format!("the value of {} is no nimber", draw::literal(p)),
                    )
                    .help("`value(G)` shows it; nimbers are the values of impartial positions"));
                }
            },
            ("gset", [Val::Position(p)]) => {
                if let Some(set) = solver.gset(p, span)? {
                    return Ok(Some(Val::set(
                        set.iter().map(|n| Val::Int(Int::from(n))).collect(),
                    )));
                }
                let mut found = Vec::new();
                for moved in solver.moves(p, Player::LEFT)? {
                    match solver.nimber(&moved.position, span)? {
                        Some(n) => found.push(Val::Int(Int::from(n))),
                        None => return Err(refuse(span, "an option's value is no nimber")),
                    }
                }
                Val::set(found)
            }
            ("options", [Val::Position(p), rest @ ..]) => {
                let mut all = Vec::new();
                for player in chosen(p, rest) {
                    for moved in solver.moves(p, player)? {
                        all.push(Val::Position(Arc::new(moved.position)));
                    }
                }
                Val::set(all)
            }
            ("moves", [Val::Position(p), rest @ ..]) => {
                let mut text = String::new();
                for player in chosen(p, rest) {
                    for moved in solver.moves(p, player)? {
                        text.push_str(&super::card::move_text(p, player, &moved));
                        text.push('\n');
                    }
                }
                self.report(text)
            }
            ("positions", [Val::Position(p)]) => self.positions(p, span)?,
            ("best", [Val::Position(p), Val::Player(player)]) if solver.is_decided(p) => Val::set(
                solver
                    .decided_moves(p, Player(*player), span)?
                    .into_iter()
                    .filter(|m| m.best)
                    .map(|m| Val::Position(Arc::new(m.moved.position)))
                    .collect(),
            ),
            ("remoteness", [Val::Position(p), Val::Player(first)]) => {
                self.players_of(p);
                Self::take_part(p, &[Player(*first)], span)?;
                match solver.played(p, Player(*first), span)? {
                    Played { moves: Some(n), .. } => Val::Int(Int::from(n)),
                    Played {
                        fate: Fate::Drawn, ..
                    } => {
                        return Err(refuse(
                            span,
                            "nobody can force a win, so there is no number of moves to it",
                        )
                        .help("`outcome(G)` shows who can force a win"));
                    }
                    Played {
                        fate: Fate::Won(_), ..
                    } => {
                        return Err(refuse(
                            span,
                            "the winner wins by play without end, which takes no number of moves",
                        ));
                    }
                }
            }
            ("best", [Val::Position(p), Val::Player(player)]) => Val::set(
                solver
                    .valued_moves(p, Player(*player), span)?
                    .into_iter()
                    .filter(|(_, _, best)| *best)
                    .map(|(moved, _, _)| Val::Position(Arc::new(moved.position)))
                    .collect(),
            ),
            ("winner", [Val::Position(p), Val::Player(first)]) => {
                self.players_of(p);
                Self::take_part(p, &[Player(*first)], span)?;
                match solver.winner(p, Player(*first), span)? {
                    Winner::Alone(player) => Val::Player(player.0),
                    Winner::Queer => crate::ir::eval::QUEER,
                    Winner::Drawn => crate::ir::eval::DRAW,
                }
            }
            ("wins", [Val::Position(p), coalition, Val::Player(first)]) => {
                self.players_of(p);
                let members: Vec<Player> = coalition
                    .elements()
                    .unwrap_or(&[])
                    .iter()
                    .filter_map(|v| match v {
                        Val::Player(p) => Some(Player(*p)),
                        _ => None,
                    })
                    .collect();
                Self::take_part(p, &members, span)?;
                Self::take_part(p, &[Player(*first)], span)?;
                Val::Bool(solver.wins(p, &members, Player(*first), span)?)
            }
            ("coalitions", [Val::Position(p), Val::Player(first)]) => {
                self.players_of(p);
                Self::take_part(p, &[Player(*first)], span)?;
                Val::set(
                    solver
                        .coalitions(p, Player(*first), span)?
                        .into_iter()
                        .map(|c| Val::set(c.into_iter().map(|p| Val::Player(p.0)).collect()))
                        .collect(),
                )
            }
            _ => return Ok(None),
        }))
    }

    fn positions(&self, start: &Arc<Position>, span: Span) -> Res<Val> {
        let mut seen: BTreeSet<Arc<Position>> = BTreeSet::from([start.clone()]);
        let mut open = vec![start.clone()];
        while let Some(p) = open.pop() {
            for player in 0..p.players() {
                for moved in self.solver.moves(&p, Player(player))? {
                    let next = Arc::new(moved.position);
                    if seen.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
            if seen.len() > MOST_POSITIONS {
                return Err(Fault::new(
                    FaultCode::TooMuch,
                    span,
                    format!("more than {MOST_POSITIONS} positions follow"),
                ));
            }
        }
        Ok(Val::set(seen.into_iter().map(Val::Position).collect()))
    }
}

/// The player given, or all.
fn chosen(position: &Position, rest: &[Val]) -> Vec<Player> {
    match rest {
        [Val::Player(p)] => vec![Player(*p)],
        _ => (0..position.players()).map(Player).collect(),
    }
}

impl Host for Answerer<'_> {
    fn game(&self, op: &GameOp, arguments: &[Val], span: Span) -> Res<Val> {
        let forms = self.forms();
        let m = memory(span);
        match op {
            GameOp::Literal(literal) => self.literal(literal, arguments, span),
            GameOp::OfInteger | GameOp::Value => Ok(self.name(self.one(arguments, span)?)),
            GameOp::Fraction => match arguments {
                [Val::Int(a), Val::Int(b)] => Ok(self.name(algebra::fraction(forms, a, b, span)?)),
                _ => Err(refuse(span, "a fraction is made of two integers")),
            },
            GameOp::Braces(left) => {
                let cut = (*left as usize).min(arguments.len());
                self.braces(&arguments[..cut], &arguments[cut..], span)
            }
            GameOp::Add => {
                let (g, h) = self.two(arguments, span)?;
                Ok(self.name(forms.add(g, h).map_err(m)?))
            }
            GameOp::Subtract => {
                let (g, h) = self.two(arguments, span)?;
                Ok(self.name(forms.subtract(g, h).map_err(m)?))
            }
            GameOp::Negate => {
                let g = self.one(arguments, span)?;
                Ok(self.name(forms.negate(g).map_err(m)?))
            }
            GameOp::Times => match arguments {
                [Val::Int(n), g] => {
                    let g = self.canonical(g, span)?;
                    Ok(self.name(forms.multiple_big(&n.to_big(), g).map_err(m)?))
                }
                _ => Err(refuse(span, "a multiple is an integer and a game")),
            },
            GameOp::PlusMinus => {
                let g = self.one(arguments, span)?;
                Ok(self.name(forms.switch(g).map_err(m)?))
            }
            GameOp::OrdinalSum => self.ordinal_sum(arguments, span),
            GameOp::Equal
            | GameOp::LessEqual
            | GameOp::Less
            | GameOp::GreaterEqual
            | GameOp::Greater => match arguments {
                [a, b] => self.compare(op, a, b, span),
                _ => Err(refuse(span, "two games are compared")),
            },
            GameOp::Function(name) => self.function(name, arguments, span),
        }
    }

    fn born(&self, day: &Int, span: Span) -> Res<Val> {
        let games = super::trees::born(self.forms(), day, span)?;
        Ok(Val::list(games.into_iter().map(|g| self.name(g)).collect()))
    }
}
