//! The methods of [`Session`] that ask the engines one question: reasons, orders, trees, games, values.

use super::{
    Born, Card, Fact, Loaded, LoopyValued, Move, Session, Valued, Why, figure, play, tree,
};
use crate::base::Span;
use crate::claim::figure::Figure;
use crate::claim::{Answerer, card};
use crate::diagnostic::{Code, Diagnostic};
use crate::game::Player;
use crate::ir::{Position, Res};
use crate::model::typed::Query;
use crate::value::{loopy, notation};
use std::sync::Arc;

/// An order to be drawn.
#[derive(Clone, PartialEq, Debug)]
pub enum Lattice {
    /// The order of the values of the options of a two-player position.
    Options(figure::Figure),
    /// The card of a position for more players, with its winning coalitions.
    Coalitions(Box<Card>),
}

impl<'w> Session<'w> {
    /// The position that a query yields.
    ///
    /// # Errors
    /// What went wrong.
    pub fn value_of(&self, loaded: &Loaded, query: &Query) -> Result<Arc<Position>, Diagnostic> {
        let solver = self.solver(loaded);
        let answerer = Answerer::new(&solver, self.settings.style).marked(self.settings.marked);
        let ev = crate::ir::Evaluator::new(&loaded.model, &answerer)
            .with_cancel(self.settings.cancel.clone());
        let mut frame = crate::ir::Frame::default();
        let [e] = &query.body[..] else {
            return Err(Diagnostic::error(Code::E0552, "one position is expected"));
        };
        ev.eval_position(e, &mut frame, crate::ir::Scope::default())
            .map_err(|fault| reported(fault, &self.settings.cancel).0)
    }

    /// The options of a position for each player, with their values if there are two players.
    ///
    /// # Errors
    /// What went wrong, and whether that is only a limit.
    pub fn moves(
        &mut self,
        loaded: &Loaded,
        position: &Arc<Position>,
    ) -> Result<Options, (Diagnostic, bool)> {
        let found = self.ask(loaded, |answerer| card::options(answerer, position))?;
        let names = (0..position.players()).map(|p| position.player_name(Player(p)).to_string());
        let stopped = found.stopped;
        Ok(Options {
            players: names.zip(found.players).collect(),
            stopped: stopped.map(|fault| reported(fault, &self.settings.cancel)),
        })
    }
}

/// The options of a position.
pub struct Options {
    /// For each player, by name.
    pub players: Vec<(String, Vec<Move>)>,
    /// Why not all have values or fates, and whether that is only a limit. What is left open has the fate `unknown`.
    pub stopped: Option<(Diagnostic, bool)>,
}

impl Session<'_> {
    /// Asks the engines one question, for front ends that want the values themselves rather than their text. The statistics
    /// are recorded.
    ///
    /// # Errors
    /// What went wrong, and whether that is only a limit.
    pub fn ask<T>(
        &mut self,
        loaded: &Loaded,
        question: impl FnOnce(&Answerer<'_>) -> Res<T>,
    ) -> Result<T, (Diagnostic, bool)> {
        let solver = self.solver(loaded);
        let answerer = Answerer::new(&solver, self.settings.style).marked(self.settings.marked);
        let found = question(&answerer).and_then(|found| whole(&answerer, found));
        self.keep_statistics(&solver);
        found.map_err(|fault| reported(fault, &self.settings.cancel))
    }

    /// Explains the value of a position.
    ///
    /// # Errors
    /// What went wrong, and whether that is only a limit.
    pub fn why(
        &mut self,
        loaded: &Loaded,
        position: &Arc<Position>,
    ) -> Result<Why, (Diagnostic, bool)> {
        self.ask(loaded, |answerer| {
            crate::claim::why::why(answerer, position)
        })
    }

    /// The order to draw for a position: for two players the values of the options, for more the winning coalitions.
    ///
    /// # Errors
    /// What went wrong, and whether that is only a limit.
    pub fn lattice(
        &mut self,
        loaded: &Loaded,
        position: &Arc<Position>,
    ) -> Result<Lattice, (Diagnostic, bool)> {
        self.ask(loaded, |answerer| {
            if position.players() == 2 {
                return crate::claim::options::order(answerer, position).map(Lattice::Options);
            }
            let text = crate::ir::draw::short(position);
            card::card(answerer, &loaded.model, &text, position, Span::default())
                .map(|card| Lattice::Coalitions(Box::new(card)))
        })
    }

    /// The value of a position, drawn as a graph.
    ///
    /// # Errors
    /// What went wrong, and whether that is only a limit; also if the value is a short game.
    pub fn value_figure(
        &mut self,
        loaded: &Loaded,
        position: &Arc<Position>,
    ) -> Result<Figure, (Diagnostic, bool)> {
        self.ask(loaded, |answerer| {
            let value =
                answerer.loopy(&crate::ir::Val::Position(position.clone()), Span::default())?;
            if let Some(g) = answerer.as_short(value) {
                let what = format!("its value is the short game {}", answerer.print(g));
                let fault = crate::ir::Fault::new(crate::ir::Code::NoTheory, Span::default(), what);
                return Err(fault.help(
                    "`cgdsl tree` draws the moves of a position; loopy values are drawn as graphs",
                ));
            }
            crate::claim::loopy_figure(answerer, &crate::ir::draw::short(position), value)
        })
    }

    /// The followers of a position within `depth` moves, and the limit that was met before all values were found.
    ///
    /// # Errors
    /// What went wrong, and whether that is only a limit.
    pub fn tree(
        &mut self,
        loaded: &Loaded,
        position: &Arc<Position>,
        depth: usize,
    ) -> Result<(tree::Tree, Option<Diagnostic>), (Diagnostic, bool)> {
        let mut tree = self.ask(loaded, |answerer| tree::tree(answerer, position, depth))?;
        let limit = tree.limit.take();
        let limit = limit.map(|fault| reported(fault, &self.settings.cancel).0);
        Ok((tree, limit))
    }

    /// Starts a game at a position.
    ///
    /// # Errors
    /// A rule that fails.
    pub fn play(
        &self,
        loaded: &Loaded,
        position: &Arc<Position>,
        first: Player,
        misere: bool,
    ) -> Result<play::Play, Diagnostic> {
        play::Play::new(
            self.new_solver(loaded),
            loaded.model.clone(),
            self.settings.style,
            self.settings.cancel.clone(),
            position,
            (first, misere),
        )
    }

    /// The facts derived from the rules about a position, and the limit that left some of them out, if one did.
    #[must_use]
    pub fn derived(&self, loaded: &Loaded, position: &Position) -> (Vec<Fact>, Option<Diagnostic>) {
        let derived = self.solver(loaded).derived(position, true);
        let ended = self.settings.cancel.limit();
        let (facts, fault) = match derived {
            Ok(facts) => {
                let fault = ended.map(|limit| crate::claim::of_limit(limit, Span::default()));
                (facts, fault)
            }
            Err(fault) => (Vec::new(), Some(fault)),
        };
        let fault = fault.map(|fault| reported(fault, &self.settings.cancel).0);
        (facts, fault)
    }

    /// The ground instances of a position, as text.
    ///
    /// # Errors
    /// What went wrong, and whether that is only a limit.
    pub fn instances(
        &self,
        loaded: &Loaded,
        position: &Position,
    ) -> Result<String, (Diagnostic, bool)> {
        self.solver(loaded)
            .instances(position)
            .map_err(|fault| reported(fault, &self.settings.cancel))
    }

    /// The known facts about the value of an expression of games, and how it compares with another expression.
    ///
    /// # Errors
    /// What is wrong with the expressions, or what went wrong; and whether that is only a limit.
    pub fn value(
        &mut self,
        loaded: &mut Loaded,
        text: &str,
        other: Option<&str>,
    ) -> Result<Valued, (Vec<Diagnostic>, bool)> {
        let mut queries = Vec::new();
        for text in std::iter::once(text).chain(other) {
            queries.push(self.game(loaded, text));
        }
        let solver = self.solver(loaded);
        let answerer = Answerer::new(&solver, self.settings.style).marked(self.settings.marked);
        let cancel = self.settings.cancel.clone();
        let fail = |fault| listed(fault, &cancel);
        let mut games = Vec::new();
        for (query, text) in queries.into_iter().zip(std::iter::once(text).chain(other)) {
            let query = match query {
                Ok(query) => query,
                // A text that is not an expression may be a value in LaTeX or in the notation of other programs, or a loopy
                // graph that equals a short game.
                Err(all) => match notation::read(answerer.solver().forms(), text).or_else(|e| {
                    let loopy = answerer.read_loopy(text).ok();
                    loopy.and_then(|g| answerer.as_short(g)).ok_or(e)
                }) {
                    Ok(g) => {
                        games.push(g);
                        continue;
                    }
                    Err(e) if e.limit => return Err(fail(no_memory())),
                    // If the text is a value up to the error, this message is more precise than that of an unknown character.
                    Err(e)
                        if text.contains('\\')
                            || (all.iter().all(|d| d.code == Code::E0106)
                                && !e.message.contains("is not part of")) =>
                    {
                        let latex = Diagnostic::error(Code::E0101, e.to_string());
                        return Err((vec![latex], false));
                    }
                    Err(_) => return Err((all, false)),
                },
            };
            let ev = crate::ir::Evaluator::new(&loaded.model, &answerer)
                .with_cancel(self.settings.cancel.clone());
            for e in &query.body {
                let v = ev
                    .eval(
                        e,
                        &mut crate::ir::Frame::default(),
                        crate::ir::Scope::default(),
                    )
                    .map_err(fail)?;
                games.push(answerer.canonical(&v, e.span).map_err(fail)?);
            }
        }
        let [g, rest @ ..] = &games[..] else {
            return Err((
                vec![Diagnostic::error(Code::E0552, "there is no expression")],
                false,
            ));
        };
        let other = other.zip(rest.first().copied());
        let valued = crate::claim::valued(&answerer, text, *g, other).map_err(fail);
        self.keep_statistics(&solver);
        valued
    }

    /// The known facts about the value of an expression of games, if it or the other expression is loopy. `None` if neither
    /// is, or if [`Session::value`] reports what is wrong.
    ///
    /// # Errors
    /// As for [`Session::value`].
    pub fn loopy_value(
        &mut self,
        loaded: &mut Loaded,
        text: &str,
        other: Option<&str>,
    ) -> Result<Option<LoopyValued>, (Vec<Diagnostic>, bool)> {
        let texts: Vec<&str> = std::iter::once(text).chain(other).collect();
        let said = |answerer: &Answerer<'_>, games: &[loopy::Loopy]| {
            let other = other.zip(games.get(1).copied());
            crate::claim::loopy_valued(answerer, text, games[0], other)
        };
        self.of_loopy(loaded, &texts, said)
    }

    /// A value drawn as a graph; `None` if it is a short game.
    ///
    /// # Errors
    /// As for [`Session::value`].
    pub fn loopy_figure(
        &mut self,
        loaded: &mut Loaded,
        text: &str,
    ) -> Result<Option<Figure>, (Vec<Diagnostic>, bool)> {
        self.of_loopy(loaded, &[text], |answerer, games| {
            crate::claim::loopy_figure(answerer, text, games[0])
        })
    }

    /// Applies `say` to values at least one of which is not a short game; `None` if all are.
    fn of_loopy<T>(
        &mut self,
        loaded: &mut Loaded,
        texts: &[&str],
        say: impl FnOnce(&Answerer<'_>, &[loopy::Loopy]) -> crate::ir::Res<T>,
    ) -> Result<Option<T>, (Vec<Diagnostic>, bool)> {
        let queries: Vec<_> = texts.iter().map(|t| self.game(loaded, t)).collect();
        let solver = self.solver(loaded);
        let answerer = Answerer::new(&solver, self.settings.style).marked(self.settings.marked);
        let cancel = self.settings.cancel.clone();
        let fail = |fault| listed(fault, &cancel);
        let mut games = Vec::new();
        for (query, text) in queries.into_iter().zip(texts) {
            let Ok(query) = query else {
                match answerer.read_loopy(text) {
                    Ok(g) => games.push(g),
                    Err(e) if e.limit => return Err(fail(no_memory())),
                    Err(e) if loopy::notation::is_loopy(text) => {
                        return Err((vec![Diagnostic::error(Code::E0101, e.to_string())], false));
                    }
                    Err(_) => return Ok(None),
                }
                continue;
            };
            let ev = crate::ir::Evaluator::new(&loaded.model, &answerer)
                .with_cancel(self.settings.cancel.clone());
            for e in &query.body {
                let mut frame = crate::ir::Frame::default();
                let Ok(v) = ev.eval(e, &mut frame, crate::ir::Scope::default()) else {
                    return Ok(None);
                };
                match answerer.loopy(&v, e.span) {
                    Ok(g) => games.push(g),
                    Err(_) => return Ok(None),
                }
            }
        }
        if !games.iter().any(|g| answerer.as_short(*g).is_none()) {
            return Ok(None);
        }
        let said = say(&answerer, &games).and_then(|said| whole(&answerer, said));
        let said = said.map_err(fail)?;
        self.keep_statistics(&solver);
        Ok(Some(said))
    }

    /// A witness of the value of a position, for `cgdsl verify`.
    ///
    /// # Errors
    /// What went wrong, and whether that is only a limit.
    pub fn sides_witness(
        &mut self,
        loaded: &mut Loaded,
        text: &str,
    ) -> Result<crate::verify::SidesWitness, (Vec<Diagnostic>, bool)> {
        let query = self.game(loaded, text).map_err(|all| (all, false))?;
        let solver = self.solver(loaded);
        let answerer = Answerer::new(&solver, self.settings.style);
        let cancel = self.settings.cancel.clone();
        let fail = |fault| listed(fault, &cancel);
        let ev = crate::ir::Evaluator::new(&loaded.model, &answerer)
            .with_cancel(self.settings.cancel.clone());
        for e in &query.body {
            let mut frame = crate::ir::Frame::default();
            let value = ev.eval(e, &mut frame, crate::ir::Scope::default());
            if let crate::ir::Val::Position(p) = value.map_err(fail)? {
                return crate::claim::sides_witness(&answerer, text, &p).map_err(fail);
            }
        }
        let what = "a witness is written of a position: this is a value";
        Err((vec![Diagnostic::error(Code::E0552, what)], false))
    }

    /// All games born by a day, with the covering pairs of their order if requested.
    ///
    /// # Errors
    /// What went wrong, and whether that is only a limit.
    pub fn born(&mut self, day: u32, covers: bool) -> Result<Born, (Vec<Diagnostic>, bool)> {
        self.ask(&Loaded::default(), |answerer| {
            crate::claim::born(answerer, day, covers)
        })
        .map_err(|(d, limit)| (vec![d], limit))
    }
}

/// The message for a fault, with the limit that ended the run; and whether it is only a limit.
fn reported(fault: Box<crate::ir::Fault>, cancel: &crate::game::Cancel) -> (Diagnostic, bool) {
    let fault = crate::claim::with_reason(fault, cancel);
    (crate::claim::diagnose(&fault), fault.code.is_limit())
}

/// The same, where several messages are possible.
fn listed(fault: Box<crate::ir::Fault>, cancel: &crate::game::Cancel) -> (Vec<Diagnostic>, bool) {
    let (message, limit) = reported(fault, cancel);
    (vec![message], limit)
}

/// The arena had no room for a value that was read.
fn no_memory() -> Box<crate::ir::Fault> {
    crate::claim::of_limit(crate::game::Limit::Memory, Span::default())
}

/// An answer, unless the end of the run truncated a value in it.
pub(super) fn whole<T>(answerer: &Answerer<'_>, answer: T) -> Res<T> {
    match answerer.solver().take_truncated() {
        Some(limit) => Err(crate::claim::of_limit(limit, Span::default())),
        None => Ok(answer),
    }
}
