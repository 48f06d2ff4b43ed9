//! The scope: the items of all files, and the meaning of names inside each ruleset. It outlives the check, so that later
//! queries (`eval -e`, positions on the command line, a repl) can be read in it.

use super::inherit::Whole;
use super::typed::{BoardKind, FunctionId, Model, Players, Query, RulesetId, Sort};
use crate::base::{FileId, Ident, Span};
use crate::syntax::ast;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// All checked definitions: the [`Model`], and the names needed to read further queries.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub(super) model: Model,
    /// Names of the file level, as the main file writes them: `X.Nim` of a file that is used as X.
    pub(super) names: BTreeMap<Arc<str>, Named>,
    /// The prefixes of files' names there.
    pub(super) prefixes: HashMap<FileId, Arc<str>>,
    pub(super) definitions: Vec<Definition>,
    /// For each ruleset of the model.
    pub(super) insides: Vec<Inside>,
    pub(super) instances: HashMap<Key, Option<FunctionId>>,
    /// For each function of the model: what is known of the positions that it returns.
    pub(super) hints: Vec<Hint>,
    pub(super) skipped: Vec<Skipped>,
    pub(super) library: Option<Library>,
    /// Rulesets with all of their clauses, by name, from which others inherit.
    pub(super) whole: BTreeMap<Arc<str>, Arc<Whole>>,
    /// The assertions, claims and refutations of the files.
    pub(super) claims: Vec<(Arc<ast::Query>, Span)>,
}

/// The files that define a ruleset, by its name, likeliest first, as written in `use`.
pub type Library = fn(&str) -> Vec<&'static str>;

/// A query that was skipped without a message of its own, since it uses a broken definition.
#[derive(Clone, Debug)]
pub struct Skipped {
    /// Its place.
    pub span: Span,
    /// The name that it uses.
    pub name: Arc<str>,
}

/// The meaning of a name of the file level.
#[derive(Clone, Copy, Debug)]
pub(super) enum Named {
    Ruleset(RulesetId),
    Definition(u32),
    /// A definition whose errors have been reported.
    Broken,
}

/// What is known of a position before it is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Hint {
    /// The ruleset, if all terms of a sum have the same.
    pub ruleset: Option<RulesetId>,
    /// A ruleset with the players of every term.
    pub players_of: Option<RulesetId>,
    /// The number of players.
    pub players: Option<u32>,
}

/// One entry for each tuple of argument sorts with which a definition is used.
pub(super) type Key = (u32, Vec<(Sort, Hint)>);

/// A `let` or `position`, before it is checked.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub name: Ident,
    /// One, or the entries of a table.
    pub lets: Vec<ast::Let>,
    pub table: bool,
    pub position: bool,
    pub doc: Vec<Arc<str>>,
    pub home: Option<RulesetId>,
    pub used: bool,
}

/// The meaning of names inside a ruleset, except pieces, players and state (these are in the typed ruleset).
#[derive(Clone, Debug, Default)]
pub(super) struct Inside {
    pub lets: BTreeMap<Arc<str>, u32>,
    /// Names whose declaration was reported.
    pub broken: Vec<Arc<str>>,
    /// Which parameters of the ruleset are used.
    pub spent: Vec<bool>,
    /// The place of the clause `board ..`.
    pub board: Option<Span>,
}

impl Scope {
    /// An empty scope with a library.
    pub(super) fn beside(library: Option<Library>) -> Scope {
        Scope {
            library,
            ..Scope::default()
        }
    }

    /// The typed model of the files.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Removes and returns the queries of the main file, since the model is copied for every later query.
    pub fn take_queries(&mut self) -> Vec<Query> {
        std::mem::take(&mut self.model.queries)
    }

    /// Queries that were skipped without a message of their own, since they use a broken definition.
    #[must_use]
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// The prefix of a file's names in the main file.
    pub(super) fn prefix(&self, file: FileId) -> &str {
        self.prefixes.get(&file).map_or("", |p| p)
    }

    /// A name of the file level as the main file writes it. A name belongs to the file that contains it, wherever it is
    /// read, even in a ruleset that inherits from another file. Generated names contain a blank or a bracket and get no
    /// prefix.
    pub(super) fn full(&self, name: &Ident) -> Arc<str> {
        match self.prefix(name.span.file) {
            "" => name.text.clone(),
            _ if name.text.contains([' ', '(']) => name.text.clone(),
            prefix => format!("{prefix}{}", name.text).into(),
        }
    }

    /// Whether a file is used under this name.
    pub(super) fn is_file(&self, name: &Ident) -> bool {
        let under = format!("{}.", self.full(name));
        self.prefixes.values().any(|p| **p == *under)
    }

    /// The meaning of a name of the file level.
    pub(super) fn named(&self, name: &Ident) -> Option<Named> {
        self.names.get(&self.full(name)).copied()
    }

    /// Names of the file level as a file writes them, without broken ones.
    pub(super) fn names_for(&self, file: FileId) -> impl Iterator<Item = &str> {
        let prefix = self.prefix(file);
        self.names()
            .filter_map(move |name| name.strip_prefix(prefix))
    }

    /// The ruleset with this name.
    #[must_use]
    pub fn ruleset(&self, name: &str) -> Option<RulesetId> {
        match self.names.get(name) {
            Some(Named::Ruleset(id)) => Some(*id),
            _ => None,
        }
    }

    /// Names of the file level in alphabetical order, without broken ones: for completion and suggestions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names
            .iter()
            .filter(|(_, n)| !matches!(n, Named::Broken))
            .map(|(name, _)| &**name)
    }

    /// The number of players of the ruleset, if it does not depend on the parameters.
    #[must_use]
    pub fn players(&self, ruleset: RulesetId) -> Option<usize> {
        match &self.model.rulesets.get(ruleset.0 as usize)?.players {
            Players::Named(names) => Some(names.len()),
            Players::Range(_) => None,
        }
    }
}

/// A variable of a frame.
#[derive(Clone, Debug)]
pub(super) struct Var {
    pub name: Arc<str>,
    pub span: Span,
    pub sort: Sort,
    pub hint: Hint,
    /// A parameter of the ruleset or function.
    pub parameter: bool,
    pub used: bool,
    /// Whether to report a lint if it is unused.
    pub lint: bool,
}

/// The context of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Around {
    /// Clauses of a ruleset: only its parameters are in scope.
    Header,
    /// A move or a `let` of a ruleset: may read the position.
    Rule,
    /// A definition of the file level.
    Definition,
    /// A query.
    Query,
}

/// A heap binder of the current stage.
#[derive(Clone, Debug)]
pub(super) struct HeapBinder {
    pub names: Vec<Arc<str>>,
}

/// The names in scope for an expression, and the frame that it fills.
#[derive(Clone, Debug)]
pub(super) struct Env {
    pub around: Around,
    pub home: Option<RulesetId>,
    pub slots: Vec<Var>,
    /// Slots in scope, ascending, innermost last.
    pub visible: Vec<u32>,
    /// The same by name.
    named: HashMap<Arc<str>, Vec<u32>>,
    /// Outside a ruleset: the ruleset whose pieces, players and state a name may mean.
    pub hint: Hint,
    pub heaps: Vec<HeapBinder>,
    /// Inside a board literal: its kind.
    pub literal: Option<BoardKind>,
}

impl Env {
    pub(super) fn new(around: Around, home: Option<RulesetId>) -> Env {
        Env {
            around,
            home,
            slots: Vec::new(),
            visible: Vec::new(),
            named: HashMap::new(),
            hint: Hint::default(),
            heaps: Vec::new(),
            literal: None,
        }
    }

    /// The slot of a variable in scope.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.named.get(name)?.last().copied()
    }

    /// Leaves a scope: only the first `depth` variables remain in scope.
    pub(super) fn leave(&mut self, depth: usize) {
        for slot in self.visible.drain(depth.min(self.visible.len())..).rev() {
            if let Some(slots) = self.named.get_mut(&self.slots[slot as usize].name) {
                slots.pop();
            }
        }
    }

    pub(super) fn var(&self, name: &str) -> Option<&Var> {
        self.find(name).map(|s| &self.slots[s as usize])
    }

    /// A new variable.
    pub(super) fn push(&mut self, var: Var) -> u32 {
        let slot = u32::try_from(self.slots.len()).unwrap_or(u32::MAX);
        self.named.entry(var.name.clone()).or_default().push(slot);
        self.slots.push(var);
        self.visible.push(slot);
        slot
    }

    pub(super) fn size(&self) -> u32 {
        u32::try_from(self.slots.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn slot_names(&self) -> Vec<Arc<str>> {
        self.slots.iter().map(|v| v.name.clone()).collect()
    }

    /// The ruleset whose pieces and players a name may mean.
    pub(super) fn ruleset(&self) -> Option<RulesetId> {
        self.home.or(self.hint.ruleset)
    }

    /// The ruleset whose players a name may mean.
    pub(super) fn players_of(&self) -> Option<RulesetId> {
        self.ruleset().or(self.hint.players_of)
    }
}
