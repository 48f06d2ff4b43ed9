//! The façade of every front end. Input: names of files and texts of queries; output: plain data. Files are read through one
//! [`World`]; nothing is printed, and no clock is read.
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
mod former;
pub mod levels;
mod load;
mod objection;
pub mod play;
mod positions;
mod questions;
pub mod quiz;
pub mod reference;
pub mod repl;
mod seal;
pub mod search;
pub mod sequence;
pub mod shipped;
mod spoken;
pub mod store;
mod table;
mod world;

pub use crate::claim::why::{Group, Sentence, Summand, Turn, Why};
pub use crate::claim::{
    Answer, Asked, BestMoves, Binding, Born, Card, Coalitions, Evaluated, Fact, Instance, Item,
    LoopyValued, Move, OptionCount, Picture, PlayerNote, Progress, Row, Search, Source, Status,
    Table, Valued, Verdict,
};
pub use crate::claim::{figure, tree};
pub use crate::value::notation::Style;
pub use store::Store;
pub use world::{Disk, LONGEST, Memory, NoFile, Unsaved, World, open_regular, read_regular};

use crate::base::{FileId, Sources, Span, with_room};
use crate::claim::{Answerer, Judge, Solver};
use crate::diagnostic::{Code, Diagnostic, plain, tidy};
use crate::engine::{Archive, Statistics};
use crate::game::{Cancel, Limit, Limits, Shortcuts};
use crate::index::Index;
use crate::ir::Calls;
use crate::machine::Counters;
use crate::model::typed::{Model, Query};
use crate::model::{self, Scope};
use crate::syntax::ast;
use crate::syntax::format::format_file;
use load::{Allowance, Loader, unreadable};
pub use positions::only_ruleset;
pub use questions::Lattice;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// The settings of a session.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The limits for each question.
    pub limits: Limits,
    /// Cancels all work.
    pub cancel: Cancel,
    /// How games are printed.
    pub style: Style,
    /// Whether printed games are enclosed in marks ([`crate::claim::MARKS`]), for writers that set them as mathematics.
    pub marked: bool,
    /// The shortcuts that the engines may use.
    pub shortcuts: Shortcuts,
    /// Whether queries marked `slow` are evaluated.
    pub slow: bool,
    /// The store of values kept between runs.
    pub archive: Option<Arc<dyn Archive>>,
    /// Whether a file may use files outside the working directory and its own folder.
    pub allow_outside: bool,
}

/// Files that have been read and checked.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The names they define.
    pub scope: Scope,
    /// The model of `scope`, to be shared.
    pub model: Arc<Model>,
    /// The main file, if it could be read.
    pub main: Option<FileId>,
    /// The queries of the main file.
    pub queries: Vec<Query>,
    /// The messages about the files.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of broken items and files; 1 if a limit ended the reading.
    pub broken: usize,
    /// The limit that ended the reading, if any. Then everything else is empty, except for a message that says so.
    pub met: Option<Limit>,
    /// The names that [`edited::changed`] gave to former versions of rulesets; these are not meant where none is named.
    pub former: Vec<String>,
}

/// The work of one front end.
pub struct Session<'w> {
    world: &'w dyn World,
    settings: Settings,
    sources: Sources,
    progress: Arc<Progress>,
    statistics: Statistics,
    counters: Arc<Counters>,
    /// What engines have found, where a conversation keeps it between questions.
    kept: Option<RefCell<Option<Rc<Solver>>>>,
    /// Where changed clauses come from.
    given: Option<edited::Given>,
}

impl Loaded {
    /// A result that holds only the message that reading was ended.
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

    /// Whether a ruleset is the former version of one whose clause was changed.
    fn is_former(&self, rules: &model::typed::Ruleset) -> bool {
        self.former.iter().any(|name| **name == *rules.name)
    }

    /// Checks something against the files. Instances of functions that it needs are added to the model.
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
    /// A session that has read no files.
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
            given: None,
        }
    }

    /// A session over the sources of another session: what that one has loaded can be evaluated here, under other settings.
    #[must_use]
    pub fn over(world: &'w dyn World, sources: Sources, settings: Settings) -> Session<'w> {
        Session {
            sources,
            ..Session::new(world, settings)
        }
    }

    /// Replaces the token that cancels evaluations.
    pub fn set_cancel(&mut self, cancel: Cancel) {
        self.settings.cancel = cancel;
    }

    /// Makes the session keep what engines find between questions, until a definition changes or an evaluation is ended.
    #[must_use]
    pub fn keeping(mut self) -> Session<'w> {
        self.kept = Some(RefCell::new(None));
        self
    }

    /// Drops what engines found, because a definition has changed or an evaluation was ended.
    fn forget(&self) {
        if let Some(kept) = &self.kept {
            kept.borrow_mut().take();
        }
    }

    /// All texts that have been read, for printing messages.
    #[must_use]
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The progress of the run; another thread may watch it.
    #[must_use]
    pub fn progress(&self) -> Arc<Progress> {
        self.progress.clone()
    }

    /// Statistics of the engines so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// The number of uses of each shortcut of the compiled boards, by name.
    #[must_use]
    pub fn counters(&self) -> Vec<(&'static str, u64)> {
        self.counters.all().to_vec()
    }

    /// Reads and checks a file (a path, `-`, or the name of a shipped file) and all files it uses. Broken items are reported
    /// and left out.
    pub fn load(&mut self, name: &str) -> Loaded {
        self.load_files(name).0
    }

    /// As [`Session::load`], of a file with changed clauses. If one of these is wrong, there is nothing to evaluate.
    pub fn load_changed(&mut self, name: &str, changed: &edited::Changed) -> Loaded {
        let mut loaded = self.load(name);
        loaded.former.clone_from(&changed.former);
        let Some(main) = loaded.main else {
            return loaded;
        };
        let given = edited::Given::new(main, changed, &mut self.sources);
        let mut wrong = Vec::new();
        for d in &mut loaded.diagnostics {
            if given.place(d) && d.is_error() {
                wrong.push(d.clone());
            }
        }
        self.given = Some(given);
        match wrong.is_empty() {
            true => loaded,
            // The messages about the rest may follow from these.
            false => Loaded {
                broken: 1,
                diagnostics: wrong,
                ..Loaded::default()
            },
        }
    }

    /// As [`Session::load`], with the index of the files.
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
            let mut loaded = Loaded::ended(limit, &mut self.sources);
            if main.is_none() {
                // Standard input did not end: the message says so.
                loaded.diagnostics = files.diagnostics;
            }
            return (loaded, Vec::new());
        }
        let ended = || cancel.limit().filter(|_| long);
        let (mut scope, mut found) =
            model::check_while(&files.parsed, Some(shipped::defining), &|| {
                ended().is_none()
            });
        if let Some(limit) = ended() {
            let loaded = Loaded::ended(limit, &mut self.sources);
            return (loaded, Vec::new());
        }
        let unread: usize = files.parsed.iter().map(|f| f.broken_count).sum();
        let mut diagnostics = files.diagnostics;
        // Each broken item counts once, however many errors it has.
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
            former: Vec::new(),
        };
        (loaded, files.parsed)
    }

    /// The budget for reading.
    fn allowance(&self) -> Allowance {
        Allowance::new(&self.settings.cancel, self.settings.limits.memory)
    }

    /// The definitions and uses of names in a file and all files it uses, and the number of the file. Files with errors are
    /// indexed as far as they can be parsed.
    pub fn index(&mut self, name: &str) -> (Index, Option<FileId>) {
        let allowance = self.allowance();
        let mut loader = Loader::new(self.world, &mut self.sources, &self.settings, allowance);
        let main = loader.main(name);
        let files = loader.files.parsed;
        (Index::of(&files, &self.sources), main)
    }

    /// The text of a file, and the same text in the standard layout.
    ///
    /// # Errors
    /// Why the file cannot be read or parsed.
    pub fn format(&mut self, name: &str) -> Result<(String, String), Vec<Diagnostic>> {
        let bytes = self
            .world
            .read(name, &self.settings.cancel)
            .map_err(|why| vec![unreadable(name, &why)])?;
        let Ok(text) = String::from_utf8(bytes) else {
            return Err(vec![Diagnostic::error(
                Code::E0702,
                format!("`{name}` is not UTF-8 text"),
            )]);
        };
        let laid = format_file(&text);
        Ok((text, laid))
    }

    // For `--stats`.
    fn keep_statistics(&mut self, solver: &Solver) {
        self.statistics = solver.statistics();
        self.counters = solver.counters().clone();
    }

    fn solver(&self, loaded: &Loaded) -> Rc<Solver> {
        let Some(kept) = &self.kept else {
            return Rc::new(self.new_solver(loaded));
        };
        let mut kept = kept.borrow_mut();
        // The definitions are unchanged, but queries may have added functions to the model.
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
            calls: Calls::default(),
        };
        self.progress
            .items
            .store(loaded.queries.len() as u64, Relaxed);
        let mut items = Vec::new();
        for query in &loaded.queries {
            for mut item in with_room(|| judge.query(query)) {
                if let Some(given) = &self.given {
                    for d in &mut item.messages {
                        given.place(d);
                    }
                    let messages = item.messages.iter();
                    item.diagnostics = messages.map(|d| plain(d, &self.sources)).collect();
                }
                each(&item, &self.sources);
                items.push(item);
            }
            self.progress.done.fetch_add(1, Relaxed);
        }
        self.keep_statistics(&solver);
        items
    }
}

/// The number of items in these files that have an error.
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
