//! Expands queries about several rulesets: `for R in {Nim, Kayles}`, and the claims that a ruleset inherits by
//! `with claims`. Before anything is checked, a query becomes one query for each ruleset, with the ruleset's name
//! substituted.

use super::checker::Checker;
use super::scope::{Named, Scope};
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
    /// The queries of a file, in order, with those about several rulesets expanded.
    pub(super) fn repeated(&mut self, file: &File) -> Vec<Repeated> {
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
                    self.each_ruleset(q, item.span, &mut out);
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
            self.inherited_claims(r, &mut mentions, &mut all);
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
        all
    }

    /// Whether an expression names a ruleset.
    fn names_ruleset(&self, e: &Expr) -> bool {
        let bottom = self.scope.bottom(e);
        bottom.is_some_and(|b| matches!(self.scope.named(b), Some(Named::Ruleset(_))))
    }

    fn each_ruleset(&self, q: &Query, span: Span, out: &mut Vec<Repeated>) {
        let mut open = vec![(q.clone(), Vec::new())];
        loop {
            let found = open[0].0.binders.iter().enumerate().find_map(|(i, b)| {
                let BinderKind::In(Pattern::Name(name), over) = &b.kind else {
                    return None;
                };
                let ExprKind::Set(all) = &*over.kind else {
                    return None;
                };
                let rulesets = !all.is_empty() && all.iter().all(|e| self.names_ruleset(e));
                rulesets.then(|| (i, name.clone(), all.clone()))
            });
            let Some((i, name, all)) = found else { break };
            let more = open.len().saturating_mul(all.len());
            if more > MOST || out.len() > MOST_QUERIES {
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
                        of.push(print_expr(&with));
                        (q, of)
                    })
                })
                .collect();
        }
        out.extend(open.into_iter().map(|(q, of)| {
            let of = (!of.is_empty()).then(|| Of {
                ruleset: of.join(", ").into(),
                parent: None,
            });
            (q, span, of)
        }));
    }

    /// The claims about the parent of a ruleset, restated for the ruleset. Definitions that mention the parent are
    /// copied.
    fn inherited_claims(
        &mut self,
        r: &ast::Ruleset,
        mentions: &mut Mentions,
        out: &mut Vec<Repeated>,
    ) {
        let Some(parent) = r.parent.as_ref() else {
            return;
        };
        let Some(bottom) = self.scope.bottom(&parent.of).cloned() else {
            return;
        };
        // Names and their replacements.
        let mut other: BTreeMap<Arc<str>, Arc<str>> = BTreeMap::new();
        let parent = self.scope.full(&bottom);
        other.insert(parent.clone(), r.name.text.clone());
        mentions.extend(self.scope);
        let scope = &*self.scope;
        let mut copied: BTreeSet<usize> = BTreeSet::new();
        let mut open = vec![parent.clone()];
        while let Some(name) = open.pop() {
            for d in mentions.definitions.get(&name).into_iter().flatten() {
                let name = &scope.definitions[*d].name.text;
                if !other.contains_key(name) {
                    let copy = format!("{name} ({})", r.name.text);
                    other.insert(name.clone(), copy.into());
                    open.push(name.clone());
                }
            }
        }
        for name in other.keys().filter(|name| **name != parent) {
            copied.extend(mentions.named.get(name).into_iter().flatten());
        }
        // Replaces a name; returns whether it was changed. The new name belongs to the current file.
        let change = |n: &mut Ident| {
            let Some(with) = other.get(&scope.full(n)) else {
                return false;
            };
            if scope.prefix(n.span.file) != scope.prefix(r.name.span.file) {
                n.span = r.name.span;
            }
            n.text = with.clone();
            true
        };
        let mut copies = Vec::new();
        for d in copied.into_iter().map(|d| &scope.definitions[d]) {
            if let Some(with) = other.get(&d.name.text) {
                let mut copy = d.clone();
                copy.used = true;
                copy.name.text = with.clone();
                for l in &mut copy.lets {
                    names::of_let(l, &mut Names(|n: &mut Ident| _ = change(n)));
                    l.name.text = with.clone();
                }
                copies.push(copy);
            }
        }
        let before = out.len();
        let mut claims = Vec::new();
        let mut concerned: Vec<usize> = other
            .keys()
            .filter_map(|name| mentions.claims.get(name))
            .flatten()
            .copied()
            .collect();
        concerned.sort_unstable();
        concerned.dedup();
        for (q, span) in concerned.into_iter().map(|i| &scope.claims[i]) {
            let mut copy = (**q).clone();
            let mut changed = false;
            let mut rename = Names(|n: &mut Ident| changed |= change(n));
            names::of_query(&mut copy, &mut rename);
            if changed {
                claims.push((copy, *span));
            }
        }
        for copy in copies {
            let d = u32::try_from(self.scope.definitions.len()).unwrap_or(u32::MAX);
            let name = copy.name.text.clone();
            self.scope.names.insert(name, Named::Definition(d));
            self.scope.definitions.push(copy);
        }
        for (copy, span) in claims {
            let mut each = Vec::new();
            self.each_ruleset(&copy, span, &mut each);
            out.extend(each.into_iter().map(|(q, span, which)| {
                let ruleset = which.map_or(r.name.text.clone(), |w| w.ruleset);
                let parent = Some(parent.clone());
                (q, span, Some(Of { ruleset, parent }))
            }));
            if out.len() - before > MOST_QUERIES {
                break;
            }
        }
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

/// Queries that make sense for the ruleset for which they are written, but not for another one for which they are
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
        let needless = errors.all(|d| d.code == Code::E0502 || speaks_of_two(d));
        if needless {
            self.0.entry(ruleset.clone()).or_insert((0, first)).0 += 1;
        }
        needless
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
