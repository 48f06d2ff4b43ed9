//! What is named: the items of all files, and what the names inside each ruleset mean. It outlives the check, so that
//! later queries (`eval -e`, positions on the command line, a repl) are read against it.

use super::inherit::Whole;
use super::typed::{BoardKind, FunctionId, Model, Players, Query, RulesetId, Sort};
use crate::base::{FileId, Ident, Span};
use crate::syntax::ast;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// All that was checked: the [`Model`], and the names to read further queries by.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub(super) model: Model,
    /// Names of the file level, as the main file says them: `X.Nim` of a file that is used as X.
    pub(super) names: BTreeMap<Arc<str>, Named>,
    /// What stands before the names of a file there.
    pub(super) prefixes: HashMap<FileId, Arc<str>>,
    pub(super) definitions: Vec<Definition>,
    /// For each ruleset of the model.
    pub(super) insides: Vec<Inside>,
    pub(super) instances: HashMap<Key, Option<FunctionId>>,
    /// For each function of the model: what is known of the positions it gives.
    pub(super) hints: Vec<Hint>,
    pub(super) skipped: Vec<Skipped>,
    pub(super) library: Option<Library>,
    /// Rulesets with all of their clauses, by name: what others inherit from.
    pub(super) whole: BTreeMap<Arc<str>, Arc<Whole>>,
    /// What the files assert, claim and refute.
    pub(super) claims: Vec<(Arc<ast::Query>, Span)>,
}

/// Which files define a ruleset, by its name, the likeliest first: what `use` takes.
pub type Library = fn(&str) -> Vec<&'static str>;

/// A query that was left out without a message of its own, since it uses something that is broken.
#[derive(Clone, Debug)]
pub struct Skipped {
    /// Its place.
    pub span: Span,
    /// The name that it uses.
    pub name: Arc<str>,
}

/// What a name of the file level is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Named {
    Ruleset(RulesetId),
    Definition(u32),
    /// Something that has been reported.
    Broken,
}

/// What is known of a position before it is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Hint {
    pub ruleset: Option<RulesetId>,
    pub players: Option<u32>,
}

/// One entry for each tuple of argument sorts that a definition is used with.
pub(super) type Key = (u32, Vec<(Sort, Hint)>);

/// `let` or `position`, before it is checked.
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

/// What the names inside a ruleset mean, beside pieces, players and state (they are in the typed ruleset).
#[derive(Clone, Debug, Default)]
pub(super) struct Inside {
    pub lets: BTreeMap<Arc<str>, u32>,
    /// Names whose declaration was reported.
    pub broken: Vec<Arc<str>>,
    /// Which parameters of the ruleset something uses.
    pub spent: Vec<bool>,
    /// The clause `board ..`.
    pub board: Option<Span>,
}

impl Scope {
    /// Nothing known yet, beside a library.
    pub(super) fn beside(library: Option<Library>) -> Scope {
        Scope {
            library,
            ..Scope::default()
        }
    }

    /// The typed files.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The queries of the main file; they leave the model, which is copied for every query that is read later.
    pub fn take_queries(&mut self) -> Vec<Query> {
        std::mem::take(&mut self.model.queries)
    }

    /// Queries that were left out without a message of their own, since they use something that is broken.
    #[must_use]
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// What stands before the names of a file where the main file says them.
    pub(super) fn prefix(&self, file: FileId) -> &str {
        self.prefixes.get(&file).map_or("", |p| p)
    }

    /// A name of the file level as the main file says it. A name is of the file in which it stands, wherever it is read: in a ruleset
    /// that inherits from another file, too. Names that were made up hold a blank or a bracket, and no prefix stands before them.
    pub(super) fn full(&self, name: &Ident) -> Arc<str> {
        match self.prefix(name.span.file) {
            "" => name.text.clone(),
            _ if name.text.contains([' ', '(']) => name.text.clone(),
            prefix => format!("{prefix}{}", name.text).into(),
        }
    }

    /// Whether a file is used under that name.
    pub(super) fn is_file(&self, name: &Ident) -> bool {
        let under = format!("{}.", self.full(name));
        self.prefixes.values().any(|p| **p == *under)
    }

    /// What a name of the file level is.
    pub(super) fn named(&self, name: &Ident) -> Option<Named> {
        self.names.get(&self.full(name)).copied()
    }

    /// Names of the file level as a file says them; broken ones are left out.
    pub(super) fn names_for(&self, file: FileId) -> impl Iterator<Item = &str> {
        let prefix = self.prefix(file);
        self.names()
            .filter_map(move |name| name.strip_prefix(prefix))
    }

    /// The ruleset of that name.
    #[must_use]
    pub fn ruleset(&self, name: &str) -> Option<RulesetId> {
        match self.names.get(name) {
            Some(Named::Ruleset(id)) => Some(*id),
            _ => None,
        }
    }

    /// Names of the file level in alphabetical order, broken ones left out: for completion and suggestions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names
            .iter()
            .filter(|(_, n)| !matches!(n, Named::Broken))
            .map(|(name, _)| &**name)
    }

    /// How many players the ruleset has, if that does not depend on its parameters.
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
    /// Whether a lint is due if nothing uses it.
    pub lint: bool,
}

/// What stands around an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Around {
    /// Clauses of a ruleset: its parameters only.
    Header,
    /// A move or a `let` of a ruleset: it reads the position.
    Rule,
    /// A definition of the file level.
    Definition,
    /// A query.
    Query,
}

/// A heap binder of the stage at hand.
#[derive(Clone, Debug)]
pub(super) struct HeapBinder {
    pub names: Vec<Arc<str>>,
}

/// The names that an expression may use, and the frame that it fills.
#[derive(Clone, Debug)]
pub(super) struct Env {
    pub around: Around,
    pub home: Option<RulesetId>,
    pub slots: Vec<Var>,
    /// Slots that can be named, innermost last; ascending.
    pub visible: Vec<u32>,
    /// The same by name.
    named: HashMap<Arc<str>, Vec<u32>>,
    /// Outside a ruleset: whose pieces, players and state a name may mean.
    pub hint: Hint,
    pub heaps: Vec<HeapBinder>,
    /// Inside a board literal: of which kind.
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

    /// The slot of a visible variable.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.named.get(name)?.last().copied()
    }

    /// Leaves a scope: only the first `depth` variables can be named from now on.
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

    /// Whose pieces and players a name may mean.
    pub(super) fn ruleset(&self) -> Option<RulesetId> {
        self.home.or(self.hint.ruleset)
    }
}
