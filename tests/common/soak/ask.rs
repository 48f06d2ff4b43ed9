//! Asks questions about positions in one way. Values are answered as numbers in the test's own arena.

use super::brute::{Arena, Id};
use super::ways::Way;
use cgdsl::base::Span;
use cgdsl::claim::{Answerer, Solver};
use cgdsl::engine::arena::Fate;
use cgdsl::engine::loopy::Smith;
use cgdsl::engine::{Engine, Statistics, Stopped};
use cgdsl::game::{Cancel, Limits, Player};
use cgdsl::ir::{Code, Fault, Host, Int, Outcome, Position, Val};
use cgdsl::machine::{Counters, Key, Machine};
use cgdsl::model::typed::{GameOp, Model};
use cgdsl::value::notation::Style;
use cgdsl::value::{CanonicalForm, Forms};
use std::collections::HashMap;
use std::sync::Arc;

/// The reply to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply<T> {
    Is(T),
    /// Play can repeat, or a rule fails.
    Refused(String),
    /// A limit was met.
    Unknown,
}

impl<T> Reply<T> {
    pub fn map<U>(self, with: impl FnOnce(T) -> U) -> Reply<U> {
        match self {
            Reply::Is(t) => Reply::Is(with(t)),
            Reply::Refused(why) => Reply::Refused(why),
            Reply::Unknown => Reply::Unknown,
        }
    }
}

fn reply<T>(found: Result<T, Box<Fault>>) -> Reply<T> {
    match found {
        Ok(t) => Reply::Is(t),
        Err(fault) if fault.code.is_limit() || fault.code == Code::Cancelled => Reply::Unknown,
        Err(fault) => Reply::Refused(fault.code.text().to_owned()),
    }
}

fn stopped<T, P, F: Into<Box<Fault>>>(found: Result<T, Stopped<P, F>>) -> Reply<T> {
    match found {
        Ok(t) => Reply::Is(t),
        Err(Stopped::Limit(_)) => Reply::Unknown,
        Err(Stopped::Fault { fault, .. }) => reply(Err(fault.into())),
        Err(Stopped::Cycle { .. }) => Reply::Refused(Code::Cycle.text().to_owned()),
        Err(Stopped::Refused(why)) => Reply::Refused(why.to_string()),
    }
}

/// Converts an outcome of the engine to one of the language.
fn named(outcome: cgdsl::value::Outcome) -> Outcome {
    match outcome {
        cgdsl::value::Outcome::Left => Outcome::L,
        cgdsl::value::Outcome::Right => Outcome::R,
        cgdsl::value::Outcome::Next => Outcome::N,
        cgdsl::value::Outcome::Previous => Outcome::P,
    }
}

/// Answers questions in one way.
pub struct Asked {
    solver: Solver,
    // Used in place of the solver.
    direct: Option<(Engine<Key>, Arc<Model>, Way)>,
    cancel: Cancel,
    counters: Arc<Counters>,
    games: HashMap<CanonicalForm, Id>,
}

impl Asked {
    /// A fresh answerer. Each question may expand `nodes` positions; after `cancel`, no question is answered.
    pub fn new(model: &Arc<Model>, way: &Way, nodes: u64, cancel: &Cancel) -> Asked {
        let limits = Limits {
            nodes: Some(nodes),
            memory: way.memory,
            threads: 1,
        };
        let solver = Solver::new(
            model.clone(),
            &limits,
            cancel,
            way.machine.shortcuts,
            None,
            &Arc::default(),
        )
        .planting(way.planted);
        let direct = way.direct.then(|| {
            let mut engine = Engine::new(limits)
                .with_shortcuts(way.machine.shortcuts)
                .with_cancel(cancel.clone())
                .planting(way.planted);
            if way.eager {
                engine = engine.guessing_after(1).valuing_after(1).in_small_pieces();
            }
            if way.whole {
                engine = engine.whole_first();
            }
            if way.strips {
                engine = engine.in_strips_always();
            }
            (engine, model.clone(), way.clone())
        });
        Asked {
            solver,
            direct,
            cancel: cancel.clone(),
            counters: Arc::default(),
            games: HashMap::new(),
        }
    }

    /// The statistics so far.
    pub fn done(&self) -> (Statistics, Arc<Counters>) {
        match &self.direct {
            Some((engine, _, _)) => (engine.statistics(), self.counters.clone()),
            None => (self.solver.statistics(), self.solver.counters().clone()),
        }
    }

    fn forms(&self) -> &Forms {
        match &self.direct {
            Some((engine, _, _)) => engine.forms(),
            None => self.solver.forms(),
        }
    }

    fn game(&mut self, g: CanonicalForm, arena: &mut Arena) -> Reply<Id> {
        if let Some(id) = self.games.get(&g) {
            return Reply::Is(*id);
        }
        let sides = [self.forms().left_options(g), self.forms().right_options(g)];
        let mut all = [Vec::new(), Vec::new()];
        for (side, options) in sides.into_iter().enumerate() {
            let Ok(options) = options else {
                return Reply::Unknown;
            };
            for option in options.iter() {
                match self.game(*option, arena) {
                    Reply::Is(id) => all[side].push(id),
                    other => return other,
                }
            }
        }
        let [left, right] = all;
        let id = arena.game(left, right);
        self.games.insert(g, id);
        Reply::Is(id)
    }

    fn compiled(&self, position: &Position) -> Option<Reply<(&Engine<Key>, Machine)>> {
        let (engine, model, way) = self.direct.as_ref()?;
        let machine = Machine::until(model, position, way.machine, &self.cancel);
        Some(match machine {
            Ok(machine) => Reply::Is((engine, machine.counting_in(&self.counters))),
            Err(fault) => reply(Err(fault)),
        })
    }

    pub fn value(&mut self, position: &Position, arena: &mut Arena) -> Reply<Id> {
        let found = match self.compiled(position) {
            Some(Reply::Is((engine, machine))) => {
                stopped(engine.search(&machine).value(&machine.initial()))
            }
            Some(other) => other.map(|_| CanonicalForm::ZERO),
            None => reply(self.solver.value(position, Span::default())),
        };
        match found {
            Reply::Is(g) => self.game(g, arena),
            Reply::Refused(why) => Reply::Refused(why),
            Reply::Unknown => Reply::Unknown,
        }
    }

    pub fn outcome(&self, position: &Position) -> Reply<Outcome> {
        match self.compiled(position) {
            Some(Reply::Is((engine, machine))) => {
                stopped(engine.search(&machine).outcome(&machine.initial())).map(named)
            }
            Some(other) => other.map(|_| Outcome::P),
            None => reply(self.solver.outcome(position, Span::default())),
        }
    }

    pub fn misere(&self, position: &Position) -> Reply<Outcome> {
        match self.compiled(position) {
            Some(Reply::Is((engine, machine))) => {
                stopped(engine.search(&machine).misere_outcome(&machine.initial())).map(named)
            }
            Some(other) => other.map(|_| Outcome::P),
            None => reply(self.solver.misere_outcome(position, Span::default())),
        }
    }

    pub fn nimber(&self, position: &Position) -> Reply<Option<u32>> {
        match self.compiled(position) {
            Some(Reply::Is((engine, machine))) => {
                stopped(engine.search(&machine).nimber(&machine.initial()))
            }
            Some(other) => other.map(|_| None),
            None => reply(self.solver.nimber(position, Span::default())),
        }
    }

    /// `G <= 0`, `G == 0`, `G >= 0`, as the language evaluates them.
    pub fn against_zero(&self, position: &Arc<Position>) -> Reply<[bool; 3]> {
        let answerer = Answerer::new(&self.solver, Style::Ascii);
        let mut all = [false; 3];
        let signs = [GameOp::LessEqual, GameOp::Equal, GameOp::GreaterEqual];
        for (found, sign) in all.iter_mut().zip(signs) {
            let sides = [Val::Position(position.clone()), Val::Int(Int::from(0i64))];
            match reply(answerer.game(&sign, &sides, Span::default())) {
                Reply::Is(v) => *found = v == Val::Bool(true),
                other => return other.map(|_| all),
            }
        }
        Reply::Is(all)
    }

    /// Evaluates functions of the language.
    pub fn answerer(&self, style: Style) -> Answerer<'_> {
        Answerer::new(&self.solver, style)
    }

    /// A function or an operator, as the language evaluates it.
    pub fn op(&self, answerer: &Answerer<'_>, op: &GameOp, arguments: &[Val]) -> Reply<Val> {
        reply(answerer.game(op, arguments, Span::default()))
    }

    /// The loopy nimber: the n of `*n`, or the K of `oo{K}`; `None` if the rules do not say that both players have the same
    /// moves.
    pub fn smith(&self, position: &Position) -> Reply<Option<Result<u32, Vec<u32>>>> {
        let found = reply(self.solver.smith(position, Span::default()));
        found.map(|smith| {
            smith.map(|smith| match smith {
                Smith::Nimber(n) => Ok(n),
                Smith::Infinite(k) => Err(k),
            })
        })
    }

    /// The score of best play.
    pub fn score(&self, position: &Position, first: usize) -> Reply<i64> {
        let first = Player(first as u8);
        reply(self.solver.score(position, first, Span::default()))
    }

    /// The winner of a two-player game, and in how many moves; `None` if it is a draw.
    pub fn played(&self, position: &Position, first: usize) -> Reply<Option<(usize, Option<u32>)>> {
        let first = Player(first as u8);
        let found = reply(self.solver.played(position, first, Span::default()));
        found.map(|played| match played.fate {
            Fate::Won(p) => Some((p.index(), played.moves)),
            Fate::Drawn => None,
        })
    }

    /// The player who wins alone, and the winning coalitions as bit sets.
    pub fn coalitions(&self, position: &Position, first: usize) -> Reply<(Option<u8>, Vec<u32>)> {
        let first = Player(first as u8);
        let span = Span::default();
        let winner = match reply(self.solver.winner(position, first, span)) {
            Reply::Is(winner) => winner.player().map(|p| p.0),
            other => return other.map(|_| (None, Vec::new())),
        };
        let minimal = reply(self.solver.coalitions(position, first, span));
        self.solver.forget();
        minimal.map(|all| {
            let bits = |c: &Vec<Player>| c.iter().fold(0u32, |bits, p| bits | 1 << p.0);
            let mut all: Vec<u32> = all.iter().map(bits).collect();
            all.sort_unstable();
            (winner, all)
        })
    }

    /// Whether a coalition wins.
    pub fn wins(&self, position: &Position, coalition: u32, first: usize) -> Reply<bool> {
        let members: Vec<Player> = (0..32u8)
            .filter(|p| coalition >> p & 1 == 1)
            .map(Player)
            .collect();
        let first = Player(first as u8);
        let found = self.solver.wins(position, &members, first, Span::default());
        self.solver.forget();
        reply(found)
    }
}
