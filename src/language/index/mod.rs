//! Finds, for parsed files, where each name is defined, where it is used, and which names are in scope at a place.
//! Editors use this for definitions, references, renaming, completion and symbols.
//!
//! It reads the syntax tree and does not need the checker, so it works for files with errors: items are resolved one by
//! one, and a clause that could not be read is indexed by its tokens (`tokens.rs`). Names are looked up in the order of
//! `model::names`: variables, the ruleset's own names, pieces and players, the file, and in a query the rulesets that it
//! mentions.

mod exprs;
mod tokens;
mod walk;

use crate::base::{FileId, Ident, Sources, Span};
use crate::syntax::ast;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A definition, by its number in the [`Index`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct DefId(pub u32);

/// What a definition defines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `ruleset R`
    Ruleset,
    /// `let f(x) = ..`, of a file or a ruleset.
    Let,
    /// `position P = ..`
    Position,
    /// A parameter of one of these.
    Parameter,
    /// A bound name: by `choose`, `for`, a quantifier, `move by p`.
    Variable,
    /// A piece.
    Piece,
    /// A variable or function of the state.
    State,
    /// A player with a name.
    Player,
    /// The root of `board graph rooted at ground`.
    Root,
    /// The label of a move.
    Move,
    /// A vertex or element of a board that is written out.
    Site,
    /// `claim "name"`, `refute "name"`, `table "name"`: the string is the name.
    Claim,
}

/// A name where it is defined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The name.
    pub name: Arc<str>,
    /// The prefix of the name in the main file: `X.` if its file is used as X. Empty for names that are not of the file
    /// level.
    pub prefix: Arc<str>,
    /// Where the name stands.
    pub span: Span,
    /// What it names.
    pub kind: Kind,
    /// The item, clause or binder that defines it.
    pub whole: Span,
    /// Where it can be used: `None` means its file and all files that use that file.
    pub scope: Option<Span>,
    /// The ruleset, definition or move to which it belongs.
    pub home: Option<DefId>,
    /// The lines of `///` above it.
    pub doc: Vec<Arc<str>>,
}

/// Definitions and uses of the names of some files.
#[derive(Clone, Debug, Default)]
pub struct Index {
    definitions: Vec<Definition>,
    /// Every place of a resolved name, definitions included, in the order of files and texts.
    places: Vec<(Span, DefId)>,
    /// The files; a file comes after the files that it uses.
    files: Vec<FileId>,
    /// What each ruleset declares and from which it inherits. Inherited names are looked up there, since copies in every heir
    /// would need memory that grows with the square of the text.
    members: HashMap<DefId, Members>,
    /// The rulesets that inherit, and where their text is.
    heirs: Vec<(Span, DefId)>,
    /// The prefixes of a file's names in the main file, where nonempty.
    prefixes: HashMap<FileId, Arc<str>>,
}

impl Index {
    /// The index of files; a file must come after the files that it uses.
    #[must_use]
    pub fn of(files: &[ast::File], sources: &Sources) -> Index {
        let mut builder = Builder::new(sources);
        for file in files {
            builder.prefix.clone_from(&file.prefix);
            builder.file(file);
            if !file.prefix.is_empty() {
                let prefix = file.prefix.clone();
                builder.index.prefixes.insert(file.id, prefix);
            }
        }
        let (mut index, defined) = (builder.index, builder.defined);
        // Parts of a broken text may be read twice. At the place of a definition, only that definition counts.
        let own = |(s, d): &(Span, DefId)| defined.get(s).is_none_or(|own| own == d);
        index.places.retain(own);
        index.files = files.iter().map(|f| f.id).collect();
        index
            .places
            .sort_by_key(|(s, d)| (s.file, s.start, s.end, *d));
        index.places.dedup();
        index
    }

    /// What `file` calls a name of the file level, of this or another file; `None` if `file` cannot refer to it.
    #[must_use]
    pub fn called(&self, definition: &Definition, file: FileId) -> Option<String> {
        let here = self.prefixes.get(&file).map_or("", |p| &**p);
        let prefix = definition.prefix.strip_prefix(here)?;
        Some(format!("{prefix}{}", definition.name))
    }

    /// The definition with that number.
    #[must_use]
    pub fn definition(&self, id: DefId) -> Option<&Definition> {
        self.definitions.get(id.0 as usize)
    }

    /// All definitions, by number.
    pub fn definitions(&self) -> impl Iterator<Item = (DefId, &Definition)> {
        (0u32..).map(DefId).zip(&self.definitions)
    }

    /// What the name at a byte of a file means; a place directly after a name belongs to the name.
    #[must_use]
    pub fn definition_at(&self, file: FileId, offset: u32) -> Option<DefId> {
        let after = self
            .places
            .partition_point(|(s, _)| (s.file, s.start) <= (file, offset));
        let (span, id) = self.places[..after].last()?;
        (span.file == file && offset <= span.end).then_some(*id)
    }

    /// Every place of the name, its definition included, in the order of files and texts.
    #[must_use]
    pub fn references(&self, id: DefId) -> Vec<Span> {
        self.places
            .iter()
            .filter(|(_, d)| *d == id)
            .map(|(s, _)| *s)
            .collect()
    }

    /// The names in scope at a byte of a file, innermost first, without shadowed names.
    #[must_use]
    pub fn names_in_scope(&self, file: FileId, offset: u32) -> Vec<DefId> {
        let order = |f: FileId| self.files.iter().position(|g| *g == f);
        let here = order(file);
        let mut found: Vec<(u32, DefId)> = self
            .definitions()
            .filter(|(_, d)| !matches!(d.kind, Kind::Move | Kind::Claim))
            .filter_map(|(id, d)| match d.scope {
                // In a broken text a scope may end before it begins.
                Some(s) => (s.file == file && s.start <= offset && offset <= s.end)
                    .then(|| (s.end - s.start, id)),
                None => (order(d.span.file) <= here).then_some((u32::MAX, id)),
            })
            .collect();
        for (s, heir) in &self.heirs {
            if s.file == file && s.start <= offset && offset <= s.end {
                // A name that is declared again hides the inherited one.
                let mut nearest: HashMap<&str, DefId> = HashMap::new();
                for members in self.line(*heir).skip(1) {
                    for (name, id) in &members.names {
                        nearest.entry(name).or_insert(*id);
                    }
                }
                found.extend(nearest.into_values().map(|id| (s.end - s.start, id)));
            }
        }
        found.sort_by_key(|(size, id)| (*size, std::cmp::Reverse(*id)));
        let mut seen: HashSet<String> = HashSet::new();
        found
            .into_iter()
            .filter_map(|(_, id)| {
                let definition = &self.definitions[id.0 as usize];
                let name = match definition.scope {
                    Some(_) => definition.name.to_string(),
                    None => self.called(definition, file)?,
                };
                seen.insert(name).then_some(id)
            })
            .collect()
    }

    /// The symbols of a file, in the order of the text: rulesets with their pieces, state and moves, definitions,
    /// positions, claims. Variables and parameters are left out.
    #[must_use]
    pub fn symbols(&self, file: FileId) -> Vec<DefId> {
        let mut out: Vec<DefId> = self
            .definitions()
            .filter(|(_, d)| d.span.file == file)
            .filter(|(_, d)| !matches!(d.kind, Kind::Variable | Kind::Parameter | Kind::Site))
            .map(|(id, _)| id)
            .collect();
        out.sort_by_key(|id| self.definitions[id.0 as usize].span.start);
        out
    }

    /// What a ruleset declares, then what the one from which it inherits declares, and so on.
    fn line(&self, ruleset: DefId) -> impl Iterator<Item = &Members> {
        let of = |m: &&Members| self.members.get(&m.of?);
        std::iter::successors(self.members.get(&ruleset), of).take(MOST_INHERITED)
    }

    /// What a name declared by a ruleset, or by one from which it inherits, means.
    fn member(&self, ruleset: DefId, name: &str) -> Option<DefId> {
        self.line(ruleset).find_map(|m| m.names.get(name).copied())
    }

    /// The move with this label, of a ruleset or of one from which it inherits.
    fn labelled(&self, ruleset: DefId, label: &str) -> Option<DefId> {
        self.line(ruleset)
            .find_map(|m| m.labels.get(label).copied())
    }
}

/// The most rulesets, each inheriting from the next, in which a name is looked up. Names from further away are not indexed.
const MOST_INHERITED: usize = 64;

/// What a ruleset declares.
#[derive(Clone, Debug, Default)]
struct Members {
    names: Names,
    /// The labels of its moves.
    labels: Names,
    /// The ruleset from which it inherits.
    of: Option<DefId>,
}

/// Names with their definitions.
type Names = HashMap<Arc<str>, DefId>;

/// Names of one scope, and where it is.
#[derive(Debug)]
struct Frame {
    names: Names,
    span: Span,
    /// Names of a `choose` or a `for` are matched when they occur again; those of a quantifier may shadow others.
    matching: bool,
}

/// Builds an [`Index`].
struct Builder<'a> {
    index: Index,
    sources: &'a Sources,
    /// Definitions by their places.
    defined: HashMap<Span, DefId>,
    /// Names of the file level of all files so far, as the main file writes them.
    globals: Names,
    /// The prefix of the current file's names there.
    prefix: Arc<str>,
    /// The rulesets that a definition mentions.
    speaks_of: HashMap<DefId, Vec<DefId>>,
    /// Scopes, outermost first.
    frames: Vec<Frame>,
    /// The ruleset whose inside is being read.
    home: Option<DefId>,
    /// The definition or move to which new variables belong.
    owner: Option<DefId>,
    /// Rulesets that the current item mentions.
    spoken: Vec<DefId>,
    /// Boards being read, innermost last.
    boards: Vec<Board>,
}

/// A board that is written out.
struct Board {
    names: Names,
    span: Span,
    ruleset: Option<DefId>,
}

impl<'a> Builder<'a> {
    fn new(sources: &'a Sources) -> Builder<'a> {
        Builder {
            index: Index::default(),
            sources,
            defined: HashMap::new(),
            globals: Names::new(),
            prefix: "".into(),
            speaks_of: HashMap::new(),
            frames: Vec::new(),
            home: None,
            owner: None,
            spoken: Vec::new(),
            boards: Vec::new(),
        }
    }

    /// Adds a definition at its name. Entries of a board that share one `for` each hold its binders; these are one
    /// definition.
    fn define(&mut self, name: &Ident, kind: Kind, whole: Span, scope: Option<Span>) -> DefId {
        if let Some(id) = self.defined.get(&name.span).copied() {
            let known = &mut self.index.definitions[id.0 as usize].scope;
            *known = known.zip(scope).map(|(a, b)| a.to(b));
            return id;
        }
        let id = DefId(u32::try_from(self.index.definitions.len()).unwrap_or(u32::MAX));
        self.index.definitions.push(Definition {
            name: name.text.clone(),
            prefix: match scope {
                Some(_) => "".into(),
                None => self.prefix.clone(),
            },
            span: name.span,
            kind,
            whole,
            scope,
            home: self.owner.or(self.home),
            doc: Vec::new(),
        });
        self.index.places.push((name.span, id));
        self.defined.insert(name.span, id);
        id
    }

    fn used(&mut self, span: Span, id: DefId) {
        self.index.places.push((span, id));
    }

    /// Runs `work` inside a new scope.
    fn within(&mut self, span: Span, matching: bool, work: impl FnOnce(&mut Self)) {
        self.frames.push(Frame {
            names: Names::new(),
            span,
            matching,
        });
        work(self);
        self.frames.pop();
    }

    /// Binds a variable or a parameter in the innermost scope, from here to the scope's end.
    fn bind(&mut self, name: &Ident, kind: Kind) {
        let Some(frame) = self.frames.last() else {
            return;
        };
        let scope = Span {
            start: name.span.start,
            ..frame.span
        };
        let id = self.define(name, kind, name.span, Some(scope));
        if let Some(frame) = self.frames.last_mut() {
            frame.names.insert(name.text.clone(), id);
        }
    }

    fn local(&self, name: &str) -> Option<DefId> {
        self.frames
            .iter()
            .rev()
            .find_map(|f| f.names.get(name).copied())
    }

    /// What a name of the file level means in the current file.
    fn global_named(&self, name: &str) -> Option<DefId> {
        match &*self.prefix {
            "" => self.globals.get(name).copied(),
            prefix => self.globals.get(&*format!("{prefix}{name}")).copied(),
        }
    }

    /// What a name means here; same order as the checker.
    fn lookup(&self, name: &str) -> Option<DefId> {
        let member = |id: &DefId| self.index.member(*id, name);
        self.local(name)
            .or_else(|| self.home.as_ref().and_then(member))
            .or_else(|| {
                self.boards
                    .last()
                    .and_then(|b| b.ruleset.as_ref().and_then(member))
            })
            .or_else(|| self.global_named(name))
            .or_else(|| {
                if self.home.is_some() {
                    return None;
                }
                let direct = self.spoken.iter().rev().find_map(member);
                direct.or_else(|| {
                    let of = self.spoken.iter().filter_map(|d| self.speaks_of.get(d));
                    of.flatten().find_map(member)
                })
            })
    }

    /// Records a use of a name, if the name is known.
    fn mention(&mut self, name: &Ident) -> Option<DefId> {
        let id = self.lookup(&name.text)?;
        // In `X.Nim` only the part after the point is the name.
        let last = name.text.rsplit_once('.').map_or(&*name.text, |(_, l)| l);
        let length = u32::try_from(last.len()).unwrap_or(u32::MAX);
        let start = name.span.end.saturating_sub(length).max(name.span.start);
        self.used(Span { start, ..name.span }, id);
        let kind = self.index.definitions[id.0 as usize].kind;
        if matches!(kind, Kind::Ruleset | Kind::Let | Kind::Position) && !self.spoken.contains(&id)
        {
            self.spoken.push(id);
        }
        Some(id)
    }
}
