//! The façade of every front end: names of files and texts of queries come in, plain data goes out. Files are read through
//! one [`World`]; nothing is printed, no clock is read.
//!
//! ```
//! use cgdsl::session::{Memory, Session, Settings};
//!
//! let world = Memory::default().with(
//!     "one.rules",
//!     "ruleset One\n  board heaps\n  move by anyone: choose n then n -> [n - 1]\n\neval value(One[3])\n",
//! );
//! let mut session = Session::new(&world, Settings::default());
//! let loaded = session.load("one.rules");
//! let items = session.evaluate(&loaded, |_, _| {});
//! assert_eq!(items.len(), 1);
//! ```

pub mod assist;
pub mod changes;
pub mod compare;
pub mod edited;
pub mod fix;
pub mod levels;
mod load;
mod objection;
pub mod play;
pub mod quiz;
pub mod reference;
pub mod repl;
mod seal;
pub mod search;
pub mod sequence;
pub mod shipped;
mod spoken;
mod store;
mod table;
mod world;

pub use crate::claim::why::{Group, Sentence, Summand, Why};
pub use crate::claim::{
    Answer, Asked, BestMoves, Binding, Born, Card, Coalitions, Evaluated, Fact, Instance, Item,
    Move, OptionCount, Picture, PlayerNote, Progress, Row, Search, Source, Status, Table, Valued,
    Verdict,
};
pub use crate::claim::{figure, tree};
use crate::value::notation;
pub use crate::value::notation::Style;
pub use store::Store;
pub use world::{Disk, LONGEST, Memory, NoFile, Unsaved, World, open_regular, read_regular};

use crate::base::{FileId, Sources, Span, with_room};
use crate::claim::{Answerer, Judge, Solver, card};
use crate::diagnostic::{Code, Diagnostic, has_errors, tidy};
use crate::engine::{Archive, Statistics};
use crate::game::{Cancel, Limit, Limits, Player, Shortcuts};
use crate::index::Index;
use crate::ir::{Position, Res};
use crate::machine::Counters;
use crate::model::typed::{Model, Query, QueryKind, Ruleset, Sort};
use crate::model::{self, Scope, Side};
use crate::syntax::format::format_file;
use crate::syntax::{ast, parse_entries, parse_expression};
use load::{Allowance, Loader, unreadable};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// How a session works.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// What each question may spend.
    pub limits: Limits,
    /// Ends everything.
    pub cancel: Cancel,
    /// How games are printed.
    pub style: Style,
    /// Printed games stand between marks ([`crate::claim::MARKS`]), for a writer that sets them in mathematics.
    pub marked: bool,
    /// The shortcuts that may be taken.
    pub shortcuts: Shortcuts,
    /// Evaluate what is marked `slow`, too.
    pub slow: bool,
    /// Values kept between runs.
    pub archive: Option<Arc<dyn Archive>>,
    /// A file may use files that lie outside the working directory and its own folder.
    pub allow_outside: bool,
}

/// Files that have been read and checked.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// What they define.
    pub scope: Scope,
    /// The same, to be shared.
    pub model: Arc<Model>,
    /// The main file, if it could be read.
    pub main: Option<FileId>,
    /// Queries to answer.
    pub queries: Vec<Query>,
    /// What is to be said of the files.
    pub diagnostics: Vec<Diagnostic>,
    /// Items and files that are broken.
    pub broken: usize,
    /// What ended the reading: then nothing else is here but a message that says so.
    pub met: Option<Limit>,
}

/// An order to be drawn.
#[derive(Clone, PartialEq, Debug)]
pub enum Lattice {
    /// The values of the options of a position of two players.
    Options(figure::Figure),
    /// The card of a position of more players, with the coalitions that win.
    Coalitions(Box<Card>),
}

/// One front end's work.
pub struct Session<'w> {
    world: &'w dyn World,
    settings: Settings,
    sources: Sources,
    progress: Arc<Progress>,
    statistics: Statistics,
    counters: Arc<Counters>,
    /// What engines found, where a conversation keeps it from question to question.
    kept: Option<RefCell<Option<Rc<Solver>>>>,
}

impl Loaded {
    /// Nothing but the message that reading was ended.
    fn ended(limit: Limit, sources: &mut Sources) -> Loaded {
        let whole = sources.iter().last().map(|(id, _)| Span::new(id, 0, 0));
        let fault = crate::claim::of_limit(limit, whole.unwrap_or_default());
        let d =
            crate::claim::diagnose(&fault).note("this was met while the file was read and checked");
        Loaded {
            diagnostics: vec![d],
            broken: 1,
            met: Some(limit),
            ..Loaded::default()
        }
    }

    /// Checks something against the files. Functions that it uses in a new way join the model.
    fn read(
        &mut self,
        check: impl FnOnce(&mut Scope) -> Result<Query, Vec<Diagnostic>>,
    ) -> Result<Query, Vec<Diagnostic>> {
        let query = check(&mut self.scope)?;
        self.model = Arc::new(self.scope.model().clone());
        Ok(query)
    }
}

impl<'w> Session<'w> {
    /// A session that has read nothing.
    #[must_use]
    pub fn new(world: &'w dyn World, settings: Settings) -> Session<'w> {
        Session {
            world,
            settings,
            sources: Sources::default(),
            progress: Arc::default(),
            statistics: Statistics::default(),
            counters: Arc::default(),
            kept: None,
        }
    }

    /// A session over texts that another one has read: what that one loaded can be evaluated here, under other settings.
    #[must_use]
    pub fn over(world: &'w dyn World, sources: Sources, settings: Settings) -> Session<'w> {
        Session {
            sources,
            ..Session::new(world, settings)
        }
    }

    /// From now on this token ends what is evaluated.
    pub fn set_cancel(&mut self, cancel: Cancel) {
        self.settings.cancel = cancel;
    }

    /// The session keeps what engines found from question to question, until it is told to forget.
    #[must_use]
    pub fn keeping(mut self) -> Session<'w> {
        self.kept = Some(RefCell::new(None));
        self
    }

    /// Drops what engines found: a definition has changed, or an evaluation was ended.
    fn forget(&self) {
        if let Some(kept) = &self.kept {
            kept.borrow_mut().take();
        }
    }

    /// All texts that have been read, for drawing messages.
    #[must_use]
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// How far the run has come; it can be watched from another thread.
    #[must_use]
    pub fn progress(&self) -> Arc<Progress> {
        self.progress.clone()
    }

    /// What the engines have done so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// How often the shortcuts of the compiled boards were taken, by name.
    #[must_use]
    pub fn counters(&self) -> [(&'static str, u64); 13] {
        self.counters.all()
    }

    /// Reads and checks a file (a path, `-`, or the name of a shipped file) and all that it uses. What is broken is
    /// reported and left out.
    pub fn load(&mut self, name: &str) -> Loaded {
        self.load_files(name).0
    }

    /// The same, with the index of the files.
    pub fn load_indexed(&mut self, name: &str) -> (Loaded, Index) {
        let (loaded, parsed) = self.load_files(name);
        (loaded, Index::of(&parsed, &self.sources))
    }

    fn load_files(&mut self, name: &str) -> (Loaded, Vec<ast::File>) {
        let cancel = self.settings.cancel.clone();
        let allowance = self.allowance();
        let mut loader = Loader::new(self.world, &mut self.sources, &self.settings, allowance);
        let main = loader.main(name);
        let (met, long) = (loader.allowance().met, loader.allowance().is_long());
        let files = loader.files;
        if let Some(limit) = met {
            return (Loaded::ended(limit, &mut self.sources), Vec::new());
        }
        let ended = || long && cancel.is_cancelled();
        let (mut scope, mut found) =
            model::check_while(&files.parsed, Some(shipped::defining), &|| !ended());
        if ended() {
            let loaded = Loaded::ended(Limit::Cancelled, &mut self.sources);
            return (loaded, Vec::new());
        }
        let unread: usize = files.parsed.iter().map(|f| f.broken_count).sum();
        let mut diagnostics = files.diagnostics;
        // Each broken item counts once, however many things are wrong with it.
        let checked = broken_items(&files.parsed, &found) + scope.skipped().len();
        diagnostics.append(&mut found);
        tidy(&mut diagnostics);
        let queries = scope.take_queries();
        let loaded = Loaded {
            model: Arc::new(scope.model().clone()),
            queries,
            scope,
            main,
            diagnostics,
            broken: files.broken + unread + checked,
            met: None,
        };
        (loaded, files.parsed)
    }

    /// What reading may spend.
    fn allowance(&self) -> Allowance {
        Allowance::new(&self.settings.cancel, self.settings.limits.memory)
    }

    /// Where the names of a file, and of all that it uses, are defined and used; and the file's number. Files with errors
    /// are read as far as they can be.
    pub fn index(&mut self, name: &str) -> (Index, Option<FileId>) {
        let allowance = self.allowance();
        let mut loader = Loader::new(self.world, &mut self.sources, &self.settings, allowance);
        let main = loader.main(name);
        let files = loader.files.parsed;
        (Index::of(&files, &self.sources), main)
    }

    /// The text of a file, and the same in the standard layout.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn format(&mut self, name: &str) -> Result<(String, String), Vec<Diagnostic>> {
        let bytes = self
            .world
            .read(name, &self.settings.cancel)
            .map_err(|why| vec![unreadable(name, &why)])?;
        let Ok(text) = String::from_utf8(bytes) else {
            return Err(vec![Diagnostic::error(
                Code::E0702,
                format!("`{name}` is no UTF-8 text"),
            )]);
        };
        let laid = format_file(&text);
        Ok((text, laid))
    }

    fn solver(&self, loaded: &Loaded) -> Rc<Solver> {
        let Some(kept) = &self.kept else {
            return Rc::new(self.new_solver(loaded));
        };
        let mut kept = kept.borrow_mut();
        // Definitions are the same; queries may have added functions to the model.
        let solver = match kept.take().map(Rc::try_unwrap) {
            Some(Ok(solver)) => solver.with_model(loaded.model.clone()),
            _ => self.new_solver(loaded),
        };
        let solver = Rc::new(solver);
        *kept = Some(solver.clone());
        solver
    }

    fn new_solver(&self, loaded: &Loaded) -> Solver {
        Solver::new(
            loaded.model.clone(),
            &self.settings.limits,
            &self.settings.cancel,
            self.settings.shortcuts,
            self.settings.archive.clone(),
            &self.progress.pulse,
        )
    }

    /// Answers every query of the file in order. Each item goes to `each` as soon as it is known.
    pub fn evaluate(
        &mut self,
        loaded: &Loaded,
        mut each: impl FnMut(&Item, &Sources),
    ) -> Vec<Item> {
        use std::sync::atomic::Ordering::Relaxed;
        let solver = self.solver(loaded);
        let judge = Judge {
            model: &loaded.model,
            answerer: Answerer::new(&solver, self.settings.style).marked(self.settings.marked),
            sources: &self.sources,
            cancel: self.settings.cancel.clone(),
            progress: &self.progress,
            slow: self.settings.slow,
        };
        self.progress
            .items
            .store(loaded.queries.len() as u64, Relaxed);
        let mut items = Vec::new();
        for query in &loaded.queries {
            for item in with_room(|| judge.query(query)) {
                each(&item, &self.sources);
                items.push(item);
            }
            self.progress.done.fetch_add(1, Relaxed);
        }
        self.statistics = solver.statistics();
        self.counters = solver.counters().clone();
        items
    }

    /// Reads an expression against the files, as `eval` does.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn expression(
        &mut self,
        loaded: &mut Loaded,
        text: &str,
    ) -> Result<Query, Vec<Diagnostic>> {
        let (id, expr) = self.parse(text)?;
        let query = ast::Query {
            kind: QueryKind::Eval,
            slow: false,
            name: None,
            binders: Vec::new(),
            condition: None,
            body: vec![expr],
            source: None,
        };
        let span = Span::new(id, 0, text.len());
        loaded.read(|scope| scope.check_query_item(&query, span))
    }

    /// Reads an expression of games against the files: `*` is star here.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn game(&mut self, loaded: &mut Loaded, text: &str) -> Result<Query, Vec<Diagnostic>> {
        let (_, expr) = self.parse(text)?;
        loaded.read(|scope| scope.check_query(&expr, Side::Value))
    }

    fn parse(&mut self, text: &str) -> Result<(FileId, ast::Expr), Vec<Diagnostic>> {
        let id = self.sources.add("<command line>", text);
        let (expr, diagnostics) = parse_expression(id, text);
        match expr {
            Some(expr) if !has_errors(&diagnostics) => Ok((id, expr)),
            _ => Err(diagnostics),
        }
    }

    /// Reads a position against the files: a position in full, a name, or a bare board where the file has one ruleset.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn position(&mut self, loaded: &mut Loaded, text: &str) -> Result<Query, Vec<Diagnostic>> {
        let whole = self.expression(loaded, text);
        if let Ok(query) = &whole
            && query.body.iter().all(|e| e.sort == Sort::Position)
        {
            return whole;
        }
        let rulesets = playable(loaded);
        if let [ruleset] = &rulesets[..] {
            let board = self.board(loaded, ruleset, text);
            if board.is_ok() {
                return board;
            }
            // What has brackets or signs is no art.
            if text.contains(['(', '[', '{', '<', '>', '=', ':']) {
                return match whole {
                    Err(complaints) if text.contains('[') => Err(complaints),
                    _ => board,
                };
            }
            // Art may come without its quotes.
            let quoted = format!("\"{}\"", text.replace(['"', '\\'], ""));
            let art = self.board(loaded, ruleset, &quoted);
            if art.is_ok() {
                return art;
            }
            // If it looks like a position in full, say what is wrong with that; if like art, with the art; else with the board.
            return match whole {
                Err(complaints) if text.contains('[') => Err(complaints),
                _ if text.contains(['|', '.']) && !text.contains("..") => art,
                _ => board,
            };
        }
        whole.and_then(|_| {
            let d = Diagnostic::error(Code::E0552, format!("`{text}` is no position"));
            Err(vec![match rulesets.first() {
                None => d.note("the file has no ruleset that needs no arguments"),
                Some(first) => d.help(format!(
                    "the file has several rulesets: write `{first}[..]`"
                )),
            }])
        })
    }

    /// A bare board of a ruleset.
    fn board(
        &mut self,
        loaded: &mut Loaded,
        ruleset: &str,
        text: &str,
    ) -> Result<Query, Vec<Diagnostic>> {
        let id = self.sources.add("<command line>", text);
        let (entries, diagnostics) = parse_entries(id, text);
        let Some(entries) = entries.filter(|_| !has_errors(&diagnostics)) else {
            return Err(diagnostics);
        };
        let span = Span::new(id, 0, text.len());
        loaded.read(|scope| scope.check_board(Some(ruleset), &[], &entries, span))
    }

    /// The position that a query gives.
    ///
    /// # Errors
    /// What goes wrong.
    pub fn value_of(&self, loaded: &Loaded, query: &Query) -> Result<Arc<Position>, Diagnostic> {
        let solver = self.solver(loaded);
        let answerer = Answerer::new(&solver, self.settings.style).marked(self.settings.marked);
        let ev = crate::ir::Evaluator::new(&loaded.model, &answerer)
            .with_cancel(self.settings.cancel.clone());
        let mut frame = crate::ir::Frame::default();
        let [e] = &query.body[..] else {
            return Err(Diagnostic::error(Code::E0552, "one position is wanted"));
        };
        ev.eval_position(e, &mut frame, crate::ir::Scope::default())
            .map_err(|fault| crate::claim::diagnose(&fault))
    }

    /// The options of a position for each player, with their values where there are two.
    ///
    /// # Errors
    /// What goes wrong, and whether that is only a limit.
    pub fn moves(
        &mut self,
        loaded: &Loaded,
        position: &Arc<Position>,
    ) -> Result<Vec<(String, Vec<Move>)>, (Diagnostic, bool)> {
        self.ask(loaded, |answerer| {
            let players = (0..position.players()).map(Player);
            players
                .map(|player| {
                    let moves = card::moves(answerer, position, player)?;
                    Ok((position.player_name(player).to_string(), moves))
                })
                .collect()
        })
    }
}

impl Session<'_> {
    /// One question to the engines, for front ends that want values themselves and not their texts. What the engines did is
    /// noted.
    ///
    /// # Errors
    /// What goes wrong, and whether that is only a limit.
    pub fn ask<T>(
        &mut self,
        loaded: &Loaded,
        question: impl FnOnce(&Answerer<'_>) -> Res<T>,
    ) -> Result<T, (Diagnostic, bool)> {
        let solver = self.solver(loaded);
        let answerer = Answerer::new(&solver, self.settings.style).marked(self.settings.marked);
        let found = question(&answerer);
        self.statistics = solver.statistics();
        self.counters = solver.counters().clone();
        found.map_err(|fault| (crate::claim::diagnose(&fault), fault.code.is_limit()))
    }

    /// Why a position is worth what it is.
    ///
    /// # Errors
    /// What goes wrong, and whether that is only a limit.
    pub fn why(
        &mut self,
        loaded: &Loaded,
        position: &Arc<Position>,
    ) -> Result<Why, (Diagnostic, bool)> {
        self.ask(loaded, |answerer| {
            crate::claim::why::why(answerer, position)
        })
    }

    /// What there is to draw of an order: of two players the values of the options, of more the coalitions that win.
    ///
    /// # Errors
    /// What goes wrong, and whether that is only a limit.
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

    /// The positions that follow one within `depth` moves.
    ///
    /// # Errors
    /// What goes wrong, and whether that is only a limit.
    pub fn tree(
        &mut self,
        loaded: &Loaded,
        position: &Arc<Position>,
        depth: usize,
    ) -> Result<tree::Tree, (Diagnostic, bool)> {
        self.ask(loaded, |answerer| tree::tree(answerer, position, depth))
    }

    /// A game that begins at a position.
    ///
    /// # Errors
    /// A rule that goes wrong.
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

    /// What was derived of a position from the rules.
    #[must_use]
    pub fn derived(&self, loaded: &Loaded, position: &Position) -> Vec<Fact> {
        self.solver(loaded).derived(position, true)
    }

    /// The ground instances of a position, as text.
    ///
    /// # Errors
    /// What goes wrong.
    pub fn instances(&self, loaded: &Loaded, position: &Position) -> Result<String, Diagnostic> {
        self.solver(loaded)
            .instances(position)
            .map_err(|fault| crate::claim::diagnose(&fault))
    }

    /// What is known of the value of an expression of games, and how it compares with another.
    ///
    /// # Errors
    /// What is wrong with the expressions, or what goes wrong; and whether that is only a limit.
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
        let fail = |fault: Box<crate::ir::Fault>| {
            let limit = fault.code.is_limit();
            let fault = if limit && self.settings.cancel.is_cancelled() {
                crate::claim::of_limit(crate::game::Limit::Cancelled, fault.span)
            } else {
                fault
            };
            (vec![crate::claim::diagnose(&fault)], limit)
        };
        let mut games = Vec::new();
        for (query, text) in queries.into_iter().zip(std::iter::once(text).chain(other)) {
            let query = match query {
                Ok(query) => query,
                // What is no expression of the language may be a value in LaTeX, or as other programs spell it.
                Err(all) => match notation::read(answerer.solver().forms(), text) {
                    Ok(g) => {
                        games.push(g);
                        continue;
                    }
                    Err(e) if e.limit => {
                        let span = crate::base::Span::default();
                        let memory = crate::game::Limit::Memory;
                        return Err(fail(crate::claim::of_limit(memory, span)));
                    }
                    // It says more than that a character is unknown, where the text is a value up to there.
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
        self.statistics = solver.statistics();
        self.counters = solver.counters().clone();
        valued
    }

    /// All games born by a day, with the covering pairs of their order if these are wanted.
    ///
    /// # Errors
    /// What goes wrong, and whether that is only a limit.
    pub fn born(&mut self, day: u32, covers: bool) -> Result<Born, (Vec<Diagnostic>, bool)> {
        let loaded = Loaded::default();
        let solver = self.solver(&loaded);
        let answerer = Answerer::new(&solver, self.settings.style).marked(self.settings.marked);
        crate::claim::born(&answerer, day, covers).map_err(|fault| {
            let limit = fault.code.is_limit();
            (vec![crate::claim::diagnose(&fault)], limit)
        })
    }
}

/// The ruleset that a command is about when none was named: the only one of the main file (or of the files that it uses,
/// if it has none) of which `fits` holds and that needs no arguments.
///
/// # Errors
/// There is none, or there are several: they are listed.
pub fn only_ruleset(
    loaded: &Loaded,
    fits: impl Fn(&Ruleset) -> bool,
    what: &str,
) -> Result<String, Diagnostic> {
    let whole = loaded
        .model
        .rulesets
        .iter()
        .filter(|r| !r.broken && !r.hidden && !edited::is_former(loaded, r));
    let own = whole.clone().filter(|r| Some(r.span.file) == loaded.main);
    let mut all: Vec<_> = own.collect();
    if all.is_empty() {
        all = whole.collect();
    }
    if all.iter().any(|r| fits(r)) {
        all.retain(|r| fits(r));
    }
    match &all[..] {
        [] => Err(Diagnostic::error(Code::E0552, "the file has no ruleset")),
        [one] if one.parameters.is_empty() => Ok(one.name.to_string()),
        [one] => {
            let message = format!("`{}` needs arguments", one.name);
            let parameters: Vec<&str> = one.parameters.iter().map(|p| &*p.name).collect();
            let help = format!("write them: '{}({})'", one.name, parameters.join(", "));
            Err(Diagnostic::error(Code::E0552, message).help(help))
        }
        several => {
            let message = format!("the file has several rulesets{what}: say which");
            let names: Vec<String> = several
                .iter()
                .map(|r| {
                    let parameters: Vec<&str> = r.parameters.iter().map(|p| &*p.name).collect();
                    match parameters.is_empty() {
                        true => r.name.to_string(),
                        false => format!("{}({})", r.name, parameters.join(", ")),
                    }
                })
                .collect();
            let help = format!("one of {}", names.join("; "));
            Err(Diagnostic::error(Code::E0552, message).help(help))
        }
    }
}

/// The names of rulesets that can be played without arguments and without a prefix, in the order of the files; those of the
/// main file alone if it has any.
fn playable(loaded: &Loaded) -> Vec<String> {
    let all = loaded.model.rulesets.iter().filter(|r| {
        r.parameters.is_empty() && !r.broken && !r.hidden && !edited::is_former(loaded, r)
    });
    let own: Vec<String> = all
        .clone()
        .filter(|r| Some(r.span.file) == loaded.main)
        .map(|r| r.name.to_string())
        .collect();
    if own.is_empty() {
        all.map(|r| r.name.to_string()).collect()
    } else {
        own
    }
}

/// How many items of these files have an error.
fn broken_items(files: &[ast::File], diagnostics: &[Diagnostic]) -> usize {
    let mut wrong: Vec<(FileId, u32)> = diagnostics
        .iter()
        .filter(|d| d.is_error())
        .filter_map(Diagnostic::span)
        .map(|span| (span.file, span.start))
        .collect();
    wrong.sort_unstable();
    let broken = |file: &ast::File, item: &ast::Item| {
        let first = wrong.partition_point(|at| *at < (file.id, item.span.start));
        wrong
            .get(first)
            .is_some_and(|at| *at <= (file.id, item.span.end))
    };
    files
        .iter()
        .map(|file| file.items.iter().filter(|item| broken(file, item)).count())
        .sum()
}
