//! Expands queries about several rulesets: `for R in {Nim, Kayles}`, and the claims that a ruleset inherits by
//! `with claims`. Before anything is checked, a query becomes one query for each ruleset, with the ruleset's name
//! substituted.

use super::checker::Checker;
use super::scope::{Definition, Named, Scope};
use super::typed::Of;
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{
    self, BinderKind, Expr, ExprKind, File, ItemKind, Pattern, Query, QueryKind,
};
use crate::syntax::names::{self, Change, Names};
use crate::syntax::printer::print_expr;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// The most queries into which one query is expanded.
const MOST: usize = 1000;
/// The most queries into which those of a file are expanded, and the most claims that its rulesets inherit together, with
/// the definitions that these mention.
const MOST_QUERIES: usize = 100_000;

/// A query, its place, and the ruleset that it is about.
pub(super) type Repeated = (Query, Span, Option<Of>);

/// Replaces a name by an expression.
struct Replace<'r> {
    name: &'r Ident,
    with: &'r Expr,
}

impl Change for Replace<'_> {
    fn expr(&mut self, e: &mut Expr) -> bool {
        let here = match &mut *e.kind {
            ExprKind::Name(name) => name == self.name,
            // The call's arguments are passed to the new ruleset.
            ExprKind::Call(name, _) if name == self.name => {
                if let ExprKind::Name(with) = &*self.with.kind {
                    *name = match name.span.file == with.span.file {
                        true => Ident::new(&with.text, name.span),
                        // The name keeps the meaning that it has where it was written.
                        false => with.clone(),
                    };
                }
                false
            }
            _ => false,
        };
        if here {
            // The place is kept, since messages refer to it.
            e.kind = self.with.kind.clone();
        }
        here
    }
}

impl Checker<'_> {
    /// The queries of a file, in order, with those about several rulesets expanded, and the claims that a ruleset does not
    /// inherit.
    pub(super) fn repeated(&mut self, file: &File) -> (Vec<Repeated>, Needless) {
        let mut out = Vec::new();
        let mut heirs: HashMap<Span, &ast::Ruleset> = HashMap::new();
        for item in &file.items {
            match &item.kind {
                ItemKind::Query(q) => {
                    if matches!(
                        q.kind,
                        QueryKind::Assert | QueryKind::Claim | QueryKind::Refute
                    ) {
                        let claim = (Arc::new(q.clone()), item.span);
                        self.scope.claims.push(claim);
                    }
                    let each = self.each_ruleset(q, out.len()).into_iter();
                    out.extend(each.map(|(q, of)| {
                        let of = in_words(&of).map(|ruleset| Of {
                            ruleset,
                            parent: None,
                        });
                        (q, item.span, of)
                    }));
                }
                ItemKind::Ruleset(r) if r.parent.as_ref().is_some_and(|p| p.claims.is_some()) => {
                    heirs.insert(item.span, r);
                    out.push((placeholder(), item.span, None));
                }
                _ => {}
            }
        }
        // Claims may come after the ruleset that inherits them.
        let mut all = Vec::new();
        let mut mentions = Mentions::default();
        let mut needless = Needless::default();
        let mut inherited = 0usize;
        for (q, span, of) in out {
            let heir = heirs.get(&span).filter(|_| q.body.is_empty());
            let Some(r) = heir else {
                all.push((q, span, of));
                continue;
            };
            if inherited > MOST_QUERIES {
                continue;
            }
            // Definitions that claims mention are copied, too.
            let size =
                |checker: &Self, all: &[Repeated]| checker.scope.definitions.len() + all.len();
            let before = size(self, &all);
            self.inherited_claims(r, &mut mentions, &mut needless, &mut all);
            inherited += size(self, &all) - before;
            if inherited > MOST_QUERIES {
                let message = format!(
                    "the rulesets up to `{}` inherit more than {MOST_QUERIES} claims and definitions",
                    r.name.text
                );
                let d = Diagnostic::error(Code::E0226, message).at(r.name.span, "");
                self.report(d.help("further claims are not inherited"));
            }
        }
        (all, needless)
    }

    /// Whether a set is one of rulesets: it names one, and perhaps something unknown, which is reported where the query
    /// is checked.
    fn names_rulesets(&self, all: &[Expr]) -> bool {
        let named = |e: &Expr| self.scope.bottom(e).map(|b| self.scope.named(b));
        let ruleset = |e: &Expr| matches!(named(e), Some(Some(Named::Ruleset(_))));
        let unknown = |e: &Expr| matches!(named(e), Some(None | Some(Named::Broken)));
        all.iter().any(ruleset) && all.iter().all(|e| ruleset(e) || unknown(e))
    }

    /// The instances of a query, each with the rulesets chosen for it. `before` is the number of queries so far.
    fn each_ruleset(&self, q: &Query, before: usize) -> Vec<(Query, Vec<Expr>)> {
        let mut open = vec![(q.clone(), Vec::new())];
        loop {
            let found = open[0].0.binders.iter().enumerate().find_map(|(i, b)| {
                let BinderKind::In(Pattern::Name(name), over) = &b.kind else {
                    return None;
                };
                let ExprKind::Set(all) = &*over.kind else {
                    return None;
                };
                self.names_rulesets(all)
                    .then(|| (i, name.clone(), all.clone()))
            });
            let Some((i, name, all)) = found else { break };
            let more = open.len().saturating_mul(all.len());
            if more > MOST || before > MOST_QUERIES {
                break;
            }
            open = open
                .into_iter()
                .flat_map(|(q, of)| {
                    let (name, all) = (name.clone(), all.clone());
                    all.into_iter().map(move |with| {
                        let mut q = q.clone();
                        q.binders.remove(i);
                        let mut replace = Replace {
                            name: &name,
                            with: &with,
                        };
                        names::of_query(&mut q, &mut replace);
                        let mut of = of.clone();
                        of.push(with);
                        (q, of)
                    })
                })
                .collect();
        }
        open
    }

    /// The claims about the parent of a ruleset, restated for the ruleset. Definitions that mention the parent are
    /// copied.
    fn inherited_claims(
        &mut self,
        r: &ast::Ruleset,
        mentions: &mut Mentions,
        needless: &mut Needless,
        out: &mut Vec<Repeated>,
    ) {
        let Some(of) = r.parent.as_ref().map(|p| &p.of) else {
            return;
        };
        let Some(bottom) = self.scope.bottom(of) else {
            return;
        };
        let parent = self.scope.full(bottom);
        mentions.extend(self.scope);
        let scope = &*self.scope;
        let mut restate = Restate {
            scope,
            parent: parent.clone(),
            given: scope.arguments_of(of),
            heir: r,
            copied: BTreeMap::new(),
            changed: false,
            others: None,
        };
        // Definitions that mention the parent, then those that mention these, and so on.
        let mut open = vec![parent.clone()];
        while let Some(name) = open.pop() {
            for d in mentions.definitions.get(&name).into_iter().flatten() {
                let name = &scope.definitions[*d].name.text;
                if !restate.copied.contains_key(name) && restate.definition(*d).is_some() {
                    let copy = format!("{name} ({})", r.name.text);
                    restate.copied.insert(name.clone(), copy.into());
                    open.push(name.clone());
                }
            }
        }
        let named = restate.copied.keys();
        let copied: BTreeSet<usize> = named
            .filter_map(|name| mentions.named.get(name))
            .flatten()
            .copied()
            .collect();
        let mut copies = Vec::new();
        for d in copied {
            let definition = &scope.definitions[d];
            let copy = restate.definition(d);
            let mut copy = copy.unwrap_or_else(|| definition.clone());
            if let Some(with) = restate.copied.get(&definition.name.text) {
                copy.used = true;
                copy.name.text = with.clone();
                for l in &mut copy.lets {
                    l.name.text = with.clone();
                }
                copies.push(copy);
            }
        }
        let mut concerned: Vec<usize> = std::iter::once(&parent)
            .chain(restate.copied.keys())
            .filter_map(|name| mentions.claims.get(name))
            .flatten()
            .copied()
            .collect();
        concerned.sort_unstable();
        concerned.dedup();
        let before = out.len();
        'claims: for (q, span) in concerned.into_iter().map(|i| &scope.claims[i]) {
            restate.others = None;
            let mut any = false;
            for (mut q, mut rulesets) in self.each_ruleset(q, out.len()) {
                restate.changed = false;
                rulesets
                    .iter_mut()
                    .for_each(|e| names::of_expr(e, &mut restate));
                // A query for several rulesets may mention the parent by itself.
                let chosen = in_words(&rulesets).filter(|_| restate.changed);
                restate.changed = false;
                names::of_query(&mut q, &mut restate);
                if restate.changed {
                    any = true;
                    let of = Of {
                        ruleset: chosen.unwrap_or_else(|| r.name.text.clone()),
                        parent: Some(parent.clone()),
                    };
                    out.push((q, *span, Some(of)));
                }
                if out.len() - before > MOST_QUERIES {
                    break 'claims;
                }
            }
            if let (Some(others), false) = (&restate.others, any) {
                needless.add(&r.name.text, || {
                    format!("it inherits from {}, not from {others}", print_expr(of))
                });
            }
        }
        for copy in copies {
            let d = u32::try_from(self.scope.definitions.len()).unwrap_or(u32::MAX);
            let name = copy.name.text.clone();
            self.scope.names.insert(name, Named::Definition(d));
            self.scope.definitions.push(copy);
        }
    }
}

/// The rulesets chosen for a query, if it is one for several.
fn in_words(chosen: &[Expr]) -> Option<Arc<str>> {
    let all: Vec<String> = chosen.iter().map(print_expr).collect();
    (!all.is_empty()).then(|| all.join(", ").into())
}

/// Restates what is said about a parent for a ruleset that inherits from it.
struct Restate<'r> {
    scope: &'r Scope,
    parent: Arc<str>,
    /// The arguments that the ruleset gives to its parent, if any: only the parent with these arguments is restated.
    given: &'r [ast::Argument],
    heir: &'r ast::Ruleset,
    /// The definitions that are copied, and the names of the copies.
    copied: BTreeMap<Arc<str>, Arc<str>>,
    /// Whether anything was restated.
    changed: bool,
    /// The parent with other arguments.
    others: Option<String>,
}

impl Restate<'_> {
    /// A definition restated, if it mentions what is.
    fn definition(&mut self, d: usize) -> Option<Definition> {
        let mut copy = self.scope.definitions[d].clone();
        self.changed = false;
        for l in &mut copy.lets {
            names::of_let(l, self);
        }
        self.changed.then_some(copy)
    }

    /// The new name belongs to the file of the ruleset that inherits.
    fn rename(&mut self, name: &mut Ident, with: Arc<str>) {
        let own = self.heir.name.span;
        if self.scope.prefix(name.span.file) != self.scope.prefix(own.file) {
            name.span = own;
        }
        name.text = with;
        self.changed = true;
    }

    /// The arguments of the ruleset that inherits, if these are those that it gives to its parent: a parameter alone stands
    /// for any argument.
    fn matched(&self, arguments: &[ast::Argument]) -> Option<Vec<ast::Argument>> {
        let mut own: BTreeMap<&str, &ast::Argument> = BTreeMap::new();
        for (given, found) in self.given.iter().zip(arguments) {
            let parameter = match &*given.value.kind {
                ExprKind::Name(n) => self.heir.parameters.iter().find(|p| p.name == *n),
                _ => None,
            };
            let (given, text) = (print_expr(&given.value), print_expr(&found.value));
            let same = match parameter {
                Some(p) => {
                    let known = own.insert(&p.name.text, found);
                    known.is_none_or(|k| print_expr(&k.value) == text)
                }
                None => given == text,
            };
            if !same {
                return None;
            }
        }
        let parameters = self.heir.parameters.iter();
        parameters
            .map(|p| own.get(&*p.name.text).map(|a| (*a).clone()))
            .collect::<Option<Vec<_>>>()
            .filter(|_| self.given.len() == arguments.len())
    }
}

impl Change for Restate<'_> {
    fn name(&mut self, name: &mut Ident) {
        let full = self.scope.full(name);
        if full == self.parent && self.given.is_empty() {
            let heir = self.heir.name.text.clone();
            self.rename(name, heir);
        } else if let Some(copy) = self.copied.get(&full).cloned() {
            self.rename(name, copy);
        }
    }

    fn expr(&mut self, e: &mut Expr) -> bool {
        let ExprKind::Call(name, arguments) = &mut *e.kind else {
            return false;
        };
        if self.given.is_empty() || self.scope.full(name) != self.parent {
            return false;
        }
        match self.matched(arguments) {
            Some(own) => {
                let (heir, mut name) = (self.heir.name.text.clone(), name.clone());
                self.rename(&mut name, heir);
                *e.kind = match own.is_empty() {
                    true => ExprKind::Name(name),
                    false => ExprKind::Call(name, own),
                };
            }
            None => {
                let text = || print_expr(e);
                self.others.get_or_insert_with(text);
            }
        }
        true
    }
}

/// Where the names of the file level are mentioned: the numbers of the definitions and claims, in their order.
#[derive(Default)]
struct Mentions {
    /// The definitions outside of rulesets whose bodies mention a name.
    definitions: HashMap<Arc<str>, Vec<usize>>,
    /// The definitions outside of rulesets with a name.
    named: HashMap<Arc<str>, Vec<usize>>,
    /// The claims that mention a name.
    claims: HashMap<Arc<str>, Vec<usize>>,
    /// How many definitions and claims of the scope have been read.
    read: (usize, usize),
}

impl Mentions {
    /// Adds what has been added to the scope.
    fn extend(&mut self, scope: &Scope) {
        let add = |to: &mut HashMap<Arc<str>, Vec<usize>>, name: Arc<str>, number: usize| {
            let numbers = to.entry(name).or_default();
            if numbers.last() != Some(&number) {
                numbers.push(number);
            }
        };
        let (definitions, claims) = self.read;
        for (i, d) in scope.definitions.iter().enumerate().skip(definitions) {
            if d.home.is_some() {
                continue;
            }
            add(&mut self.named, d.name.text.clone(), i);
            for mut l in d.lets.iter().cloned() {
                let found = &mut self.definitions;
                let mut look = Names(|n: &mut Ident| add(found, scope.full(n), i));
                names::of_expr(&mut l.body, &mut look);
            }
        }
        for (i, (q, _)) in scope.claims.iter().enumerate().skip(claims) {
            let found = &mut self.claims;
            let mut look = Names(|n: &mut Ident| add(found, scope.full(n), i));
            names::of_query(&mut (**q).clone(), &mut look);
        }
        self.read = (scope.definitions.len(), scope.claims.len());
    }
}

/// Queries that make sense for the ruleset for which they are written, but not for another one for which they would be
/// repeated: by the latter ruleset, their number, and the reason for the first.
#[derive(Default)]
pub(super) struct Needless(BTreeMap<Arc<str>, (usize, String)>);

impl Needless {
    /// Whether the only errors of a query are that it applies a function for two players to more players, or mentions
    /// Left and Right where there are others.
    pub(super) fn has(&mut self, ruleset: &Arc<str>, said: &[Diagnostic]) -> bool {
        let mut errors = said.iter().filter(|d| d.is_error()).peekable();
        let Some(first) = errors.peek().map(|d| d.message.clone()) else {
            return false;
        };
        let needless =
            errors.all(|d| d.code == Code::E0502 || is_for_others(d) || speaks_of_two(d));
        if needless {
            self.add(ruleset, || first);
        }
        needless
    }

    /// A query that is not asked of a ruleset.
    fn add(&mut self, ruleset: &Arc<str>, why: impl FnOnce() -> String) {
        let known = self.0.entry(ruleset.clone());
        known.or_insert_with(|| (0, why())).0 += 1;
    }

    /// A remark for each ruleset.
    pub(super) fn told(self) -> impl Iterator<Item = Diagnostic> {
        self.0.into_iter().map(|(ruleset, (count, why))| {
            let queries = match count {
                1 => "1 query is".to_owned(),
                n => format!("{n} queries are"),
            };
            Diagnostic::remark(
                Code::E0502,
                format!("{queries} not asked of {ruleset}: {why}"),
            )
        })
    }
}

/// Whether a ruleset for more players stands where one for two is needed: `misere(R)`, `reversed(R)`.
fn is_for_others(d: &Diagnostic) -> bool {
    d.code == Code::E0223 && d.message.ends_with(super::inherit::FOR_OTHERS)
}

/// Whether an unknown name is that of one of the usual two players, in a ruleset with other players.
fn speaks_of_two(d: &Diagnostic) -> bool {
    let names = ["Left", "Right"].map(|p| format!("nothing is called `{p}` here"));
    let others = d.help.iter().any(|h| h.starts_with("the players of "));
    d.code == Code::E0201 && others && names.contains(&d.message)
}

/// A placeholder for the claims that a ruleset inherits, until all claims are known.
fn placeholder() -> Query {
    Query {
        kind: QueryKind::Eval,
        slow: false,
        name: None,
        binders: Vec::new(),
        condition: None,
        body: Vec::new(),
        source: None,
    }
}
