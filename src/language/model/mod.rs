//! The checker: from [`crate::syntax::ast`] to [`typed`]. Resolves names, checks sorts, separates the value side from the
//! integer side, and reports every error that can be found before evaluation. Takes files in dependency order; returns a
//! [`Scope`] with the [`typed::Model`], and the diagnostics. Broken parts are left out and their names remembered, so
//! that each error is reported once.

mod advice;
pub mod art;
mod binders;
mod boards;
pub mod builtins;
mod calls;
mod checker;
mod compared;
mod ends;
mod entries;
mod error;
mod exprs;
mod fields;
mod functions;
mod games;
pub mod growth;
mod guess;
mod inherit;
pub mod kinds;
mod labels;
mod lints;
mod merge;
mod more_players;
mod moves;
mod names;
mod operators;
pub mod parts;
mod queries;
mod reads;
mod repeated;
mod rulesets;
mod scope;
mod scores;
mod seals;
mod sites;
mod sorts;
#[cfg(test)]
mod tests;
pub mod typed;

pub use queries::Side;
pub use scope::{Library, Scope, Skipped};
pub use seals::Seal;

use crate::base::{Ident, Span, with_room};
use crate::diagnostic::{Code, Diagnostic, tidy};
use crate::syntax::ast;
use ast::ItemKind;
use checker::Checker;
use inherit::Heritage;
use scope::{Definition, Inside, Named};
use std::collections::HashMap;
use std::sync::Arc;
use typed::RulesetId;

/// Checks files. A file must come after the files that it uses, and the main file last; its queries become the model's.
#[must_use]
pub fn check(files: &[ast::File]) -> (Scope, Vec<Diagnostic>) {
    check_while(files, None, &|| true)
}

/// As [`check`], with a library of files that could be used, in which missing names are looked up. `go_on` is called from
/// time to time; if it returns false, the rest is not checked.
#[must_use]
pub fn check_while(
    files: &[ast::File],
    library: Option<Library>,
    go_on: &dyn Fn() -> bool,
) -> (Scope, Vec<Diagnostic>) {
    let mut scope = Scope::beside(library);
    let mut out = Vec::new();
    for (i, file) in files.iter().enumerate() {
        let mut checker = Checker::new(&mut scope);
        with_room(|| checker.file(file, i + 1 == files.len(), go_on));
        out.append(&mut checker.out);
    }
    tidy(&mut out);
    (scope, out)
}

impl Scope {
    /// Adds a file to the scope: its items may use each other and all that was added before. The queries of the main file
    /// are appended to the model's.
    pub fn add(&mut self, file: &ast::File, main: bool) -> Vec<Diagnostic> {
        let mut checker = Checker::new(self);
        with_room(|| checker.file(file, main, &|| true));
        let mut out = checker.out;
        tidy(&mut out);
        out
    }
}

/// The item that defines a ruleset.
enum Source<'f> {
    /// Its clauses, including the inherited ones.
    Written(Arc<ast::Ruleset>, &'f [Arc<str>], Option<Heritage>),
    Derived(ast::Derived, &'f [Arc<str>]),
}

impl Checker<'_> {
    fn file(&mut self, file: &ast::File, main: bool, go_on: &dyn Fn() -> bool) {
        if file.prefix.is_empty() {
            return self.names_and_items(file, main, go_on);
        }
        let prefix = file.prefix.clone();
        self.scope.prefixes.insert(file.id, prefix.clone());
        let mut full = file.clone();
        let under = |name: &mut Ident| name.text = format!("{prefix}{}", name.text).into();
        full.broken.iter_mut().for_each(under);
        for item in &mut full.items {
            match &mut item.kind {
                ItemKind::Ruleset(r) => under(&mut r.name),
                ItemKind::Derived(d) => under(&mut d.name),
                ItemKind::Let(l) | ItemKind::Position(l) => under(&mut l.name),
                ItemKind::Use(_) | ItemKind::Query(_) | ItemKind::Ask(_) => {}
            }
        }
        self.names_and_items(&full, main, go_on);
        if file.again {
            self.out.clear();
        }
    }

    /// Checks a file whose names already have the prefix of the main file.
    fn names_and_items(&mut self, file: &ast::File, main: bool, go_on: &dyn Fn() -> bool) {
        self.use_place = Some(use_place(file));
        self.incomplete = file.unread_uses;
        let first = self.scope.definitions.len();
        let rulesets = self.collect(file, go_on);
        if !self.headers(&rulesets, go_on) || !self.bodies(&rulesets, go_on) {
            return;
        }
        // Definitions whose parameters all have sorts come first, in the order of the text, so that a long chain of
        // definitions does not recurse deeply.
        for d in first..self.scope.definitions.len() {
            if !go_on() {
                return;
            }
            let definition = &self.scope.definitions[d];
            let ready = definition.lets[0]
                .parameters
                .iter()
                .all(|p| p.sort.is_some());
            if definition.home.is_none() && !definition.table && ready {
                self.failed = false;
                self.check_unused(u32::try_from(d).unwrap_or(u32::MAX));
            }
        }
        let mut queries = Vec::new();
        let (repeated, mut needless) = self.repeated(file);
        for (q, span, of) in repeated {
            if !main {
                continue;
            }
            if !go_on() {
                return;
            }
            self.failed = false;
            self.broken_name = None;
            let errors = self.errors();
            let before = self.out.len();
            let mut found = self.query(&q, span);
            if let Some(of) = &of
                && needless.has(&of.ruleset, &self.out[before..])
            {
                self.unsay(before);
                continue;
            }
            found.of = of;
            if !self.failed {
                queries.push(found);
            } else if self.errors() == errors {
                let name = self.broken_name.take();
                self.scope.skip(span, name);
            }
        }
        if main {
            needless.told().for_each(|d| self.report(d));
        }
        self.scope.model.queries.extend(queries);
        for item in &file.items {
            if let (ItemKind::Ask(ask), true) = (&item.kind, main) {
                self.failed = false;
                self.broken_name = None;
                let errors = self.errors();
                if let Some(found) = self.ask(ask, item.span) {
                    self.scope.model.asks.push(found);
                } else if self.errors() == errors {
                    let name = self.broken_name.take();
                    self.scope.skip(item.span, name);
                }
            }
        }
        for d in first..self.scope.definitions.len() {
            let definition = &self.scope.definitions[d];
            if definition.home.is_none() && !definition.used {
                self.failed = false;
                self.check_unused(u32::try_from(d).unwrap_or(u32::MAX));
            }
        }
        self.failed = false;
    }

    /// Checks the moves of all rulesets; returns false if `go_on` does.
    fn bodies(&mut self, rulesets: &[(RulesetId, Source<'_>)], go_on: &dyn Fn() -> bool) -> bool {
        for (id, source) in rulesets {
            if !go_on() {
                return false;
            }
            if let Source::Written(r, _, heritage) = source {
                self.heirs_part(*id, heritage.as_ref(), |checker| checker.body(*id, r));
            }
        }
        true
    }

    /// Checks a part of a ruleset and marks the ruleset as broken on failure.
    fn item(&mut self, id: RulesetId, check: impl FnOnce(&mut Self)) {
        self.failed = false;
        self.broken_name = None;
        check(self);
        if self.failed {
            self.break_ruleset(id);
        }
    }

    /// Collects the names of a file.
    fn collect<'f>(
        &mut self,
        file: &'f ast::File,
        go_on: &dyn Fn() -> bool,
    ) -> Vec<(RulesetId, Source<'f>)> {
        let mut rulesets = Vec::new();
        let mut here: HashMap<Arc<str>, Span> = HashMap::new();
        for item in &file.items {
            match &item.kind {
                ItemKind::Use(_) | ItemKind::Query(_) | ItemKind::Ask(_) => {}
                ItemKind::Ruleset(r) => {
                    if self.free(&r.name, &mut here) {
                        rulesets.push((self.new_ruleset(&r.name, &item.doc, false), item));
                    }
                }
                ItemKind::Derived(d) => {
                    if self.free(&d.name, &mut here) {
                        rulesets.push((self.new_ruleset(&d.name, &item.doc, false), item));
                    }
                }
                ItemKind::Let(l) => {
                    let known = match self.scope.names.get(&l.name.text) {
                        Some(Named::Definition(d))
                            if !self.scope.definitions[*d as usize].position =>
                        {
                            Some(*d)
                        }
                        _ => None,
                    };
                    if known.is_some() || self.free(&l.name, &mut here) {
                        self.add_let(known, l, &item.doc, None);
                        self.name_definition(known, &l.name);
                    }
                }
                ItemKind::Position(l) => {
                    if self.free(&l.name, &mut here) {
                        self.scope.definitions.push(Definition {
                            name: l.name.clone(),
                            lets: vec![l.clone()],
                            table: false,
                            position: true,
                            doc: item.doc.clone(),
                            home: None,
                            used: false,
                        });
                        self.name_definition(None, &l.name);
                    }
                }
            }
        }
        for name in &file.broken {
            self.scope
                .names
                .entry(name.text.clone())
                .or_insert(Named::Broken);
        }
        self.wholes(rulesets, go_on)
    }

    fn name_definition(&mut self, known: Option<u32>, name: &Ident) {
        if known.is_none() {
            lints::hides(self, name);
            let d = u32::try_from(self.scope.definitions.len() - 1).unwrap_or(u32::MAX);
            self.scope
                .names
                .insert(name.text.clone(), Named::Definition(d));
        }
    }

    /// Adds an empty ruleset; `hidden` if no item has this name.
    fn new_ruleset(&mut self, name: &Ident, doc: &[Arc<str>], hidden: bool) -> RulesetId {
        let id = RulesetId(u32::try_from(self.scope.model.rulesets.len()).unwrap_or(u32::MAX));
        let mut rules = rulesets::blank(name, doc);
        rules.hidden = hidden;
        self.scope.model.rulesets.push(Arc::new(rules));
        self.scope.insides.push(Inside::default());
        self.scope
            .names
            .insert(name.text.clone(), Named::Ruleset(id));
        id
    }

    /// Whether the name is free; reports if it is not.
    fn free(&mut self, name: &Ident, here: &mut HashMap<Arc<str>, Span>) -> bool {
        let first = here.get(&name.text).copied();
        let first = first.or_else(|| match self.scope.names.get(&name.text)? {
            Named::Ruleset(id) => Some(self.scope.model.rulesets[id.0 as usize].span),
            Named::Definition(d) => Some(self.scope.definitions[*d as usize].name.span),
            Named::Broken => None,
        });
        here.entry(name.text.clone()).or_insert(name.span);
        if let Some(first) = first {
            self.report(
                Diagnostic::error(Code::E0202, format!("`{}` is defined twice", name.text))
                    .at(name.span, "the second time")
                    .at(first, "the first time")
                    .help("take another name"),
            );
            return false;
        }
        let prefix = self.scope.prefix(name.span.file);
        let short = name.text.strip_prefix(prefix).unwrap_or(&name.text);
        if builtins::reserved(short) {
            self.report(
                Diagnostic::error(Code::E0116, format!("`{short}` is a reserved word"))
                    .at(name.span, "it cannot be a name")
                    .help("take another name"),
            );
        }
        true
    }

    /// Checks the clauses of all rulesets; a derived ruleset comes after the one from which it is derived. Returns false if
    /// `go_on` does.
    fn headers(&mut self, rulesets: &[(RulesetId, Source<'_>)], go_on: &dyn Fn() -> bool) -> bool {
        let mut waiting: Vec<(RulesetId, &ast::Derived, &[Arc<str>])> = Vec::new();
        for (id, source) in rulesets {
            if !go_on() {
                return false;
            }
            match source {
                Source::Written(r, doc, heritage) => {
                    self.heirs_part(*id, heritage.as_ref(), |checker| {
                        checker.header(*id, r, doc);
                    });
                }
                Source::Derived(d, doc) => waiting.push((*id, d, doc)),
            }
        }
        let named = waiting.iter().map(|w| Some(w.1.name.text.clone()));
        let bases = waiting
            .iter()
            .map(|w| base_of(w.1).map(|base| self.scope.full(base)));
        let order = Order::new(&named.collect::<Vec<_>>(), &bases.collect::<Vec<_>>());
        for i in order.sorted {
            if !go_on() {
                return false;
            }
            let (id, d, doc) = waiting[i];
            self.item(id, |checker| checker.derived(id, d, doc));
        }
        for i in order.circular {
            let (id, d, _) = waiting[i];
            self.report(
                Diagnostic::error(
                    Code::E0223,
                    format!("`{}` is derived from itself", d.name.text),
                )
                .at(d.body.span, "a circle of derivations"),
            );
            self.break_ruleset(id);
        }
        true
    }
}

/// An order of items in which each comes after the one that it needs, in time linear in their number.
struct Order {
    /// The numbers of the items. First come those that need no other item, in their order, then those that need these, and
    /// so on.
    sorted: Vec<usize>,
    /// The items that need themselves, directly or indirectly, and those that need these.
    circular: Vec<usize>,
}

impl Order {
    /// The order of items with these names, each of which needs the item with the other name, if there is one.
    fn new(names: &[Option<Arc<str>>], needs: &[Option<Arc<str>>]) -> Order {
        let numbered = names.iter().enumerate();
        let by_name: HashMap<&str, usize> = numbered
            .filter_map(|(i, name)| Some((name.as_deref()?, i)))
            .collect();
        let mut needed_by: Vec<Vec<usize>> = vec![Vec::new(); names.len()];
        let mut ready = Vec::new();
        for (i, need) in needs.iter().enumerate() {
            match need.as_deref().and_then(|need| by_name.get(need)) {
                Some(of) => needed_by[*of].push(i),
                None => ready.push(i),
            }
        }
        let mut sorted = Vec::with_capacity(names.len());
        let mut is_sorted = vec![false; names.len()];
        while !ready.is_empty() {
            let mut next = Vec::new();
            for i in ready {
                sorted.push(i);
                is_sorted[i] = true;
                next.append(&mut needed_by[i]);
            }
            next.sort_unstable();
            ready = next;
        }
        let circular = (0..names.len()).filter(|i| !is_sorted[*i]).collect();
        Order { sorted, circular }
    }
}

/// Where to insert a `use` that the file needs, and whether it goes on a line of its own before the following text.
fn use_place(file: &ast::File) -> (Span, bool) {
    let last = file
        .items
        .iter()
        .filter(|i| matches!(i.kind, ItemKind::Use(_)))
        .map(|i| i.span)
        .next_back();
    match last.or(file.language.map(|(_, span)| span)) {
        Some(span) => (
            Span {
                start: span.end,
                ..span
            },
            false,
        ),
        None => (Span::new(file.id, 0, 0), true),
    }
}

/// The ruleset from which another is derived, as written.
fn base_of(d: &ast::Derived) -> Option<&Ident> {
    let ast::ExprKind::Call(_, arguments) = &*d.body.kind else {
        return None;
    };
    match &*arguments.first()?.value.kind {
        ast::ExprKind::Name(name) | ast::ExprKind::Call(name, _) => Some(name),
        _ => None,
    }
}
