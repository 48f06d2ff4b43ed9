//! Rulesets made from others: `ruleset Mine = Theirs with ..`, `misere(R)`, `reversed(R)`, `impartial(R)`, `dicotic(R)`,
//! in any combination. They are resolved before anything is checked: the parent's clauses and the changes are merged into
//! clauses as if written out, each with its own place in the text.
//!
//! With arguments, or if the moves of the clauses are interpreted differently, a hidden ruleset has the clauses, and the
//! named ruleset is derived from it ([`Derivation`]).

use super::checker::Checker;
use super::merge::merge;
use super::more_players::for_players;
use super::scope::{Named, Scope};
use super::typed::{Derivation, RulesetId};
use super::{Order, Source, error};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::ast::{self, Argument, Clause, ClauseKind, Expr, ExprKind, Item, ItemKind};
use crate::syntax::names::{self, Change, Names};
use crate::syntax::printer::{print_clause, print_expr};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The most clauses that the rulesets of a file may inherit together, as each ruleset has a copy.
const MOST_CLAUSES: usize = 1 << 17;

/// How the message ends if a ruleset for more players stands where one for two is needed.
pub(super) const FOR_OTHERS: &str = "is for others";

/// The derivation that passes arguments to a hidden ruleset; not a word that can be written.
pub(super) const ARGUMENTS: &str = "=";

/// The derivation for `impartial(dicotic(S))`; not a word that can be written, either.
const BOTH: &str = "impartial dicotic";

/// A ruleset with all of its clauses.
#[derive(Clone, Debug)]
pub(super) struct Whole {
    /// The clauses, with inherited ones written out.
    pub rules: ast::Ruleset,
    /// The arguments of `rules`, and the parameters in terms of which they are given.
    given: Option<(Vec<ast::Parameter>, Vec<Argument>)>,
    /// Everyone may make anyone's moves.
    everyone: bool,
    /// Nobody may move unless both players can. With `everyone`, this is asked first: `impartial(dicotic(S))`. In the other
    /// order it would say nothing, as both players have the same moves then.
    dicotic: bool,
}

/// What a ruleset inherits from.
#[derive(Clone, Debug)]
pub(super) struct Heritage {
    /// The ruleset named in the text.
    pub of: Arc<str>,
    /// The item that inherits.
    pub span: Span,
    /// The description of the inheritance, in words.
    pub text: Arc<str>,
}

/// The ruleset denoted by an expression.
struct Read {
    whole: Whole,
    arguments: Vec<Argument>,
    /// Its name without arguments: `misere(Subtraction)`.
    name: String,
}

impl Scope {
    /// The clauses of a ruleset, including inherited ones, one per line: if a clause declares several pieces, definitions
    /// or state variables, each gets its own line. Empty if there is no such ruleset.
    #[must_use]
    pub fn clauses(&self, ruleset: &str) -> Vec<String> {
        let Some(whole) = self.whole.get(ruleset) else {
            return Vec::new();
        };
        let mut out = Vec::new();
        if whole.everyone {
            out.push("everyone may make anyone's moves".to_owned());
        }
        if whole.dicotic {
            out.push("nobody may move unless both players can".to_owned());
        }
        for clause in &whole.rules.clauses {
            let mut alone: Vec<ClauseKind> = match &clause.kind {
                ClauseKind::Let(all) => all
                    .iter()
                    .map(|l| ClauseKind::Let(vec![l.clone()]))
                    .collect(),
                ClauseKind::State(all) => all
                    .iter()
                    .map(|s| ClauseKind::State(vec![s.clone()]))
                    .collect(),
                ClauseKind::Pieces(p) if p.range.is_none() => p
                    .pieces
                    .iter()
                    .map(|one| {
                        ClauseKind::Pieces(ast::PiecesClause {
                            pieces: vec![one.clone()],
                            ..p.clone()
                        })
                    })
                    .collect(),
                other => vec![other.clone()],
            };
            out.extend(alone.drain(..).map(|kind| {
                let text = print_clause(&Clause {
                    kind,
                    ..clause.clone()
                });
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            }));
        }
        out
    }

    /// The way to make a ruleset from another that a word denotes, unless the files define the word.
    fn way(&self, word: &Ident) -> Option<&'static str> {
        let way = ["misere", "reversed", "impartial", "dicotic"]
            .into_iter()
            .find(|w| *w == &*word.text)?;
        self.named(word).is_none().then_some(way)
    }

    /// The innermost ruleset of an expression that denotes one.
    pub(super) fn bottom<'e>(&self, e: &'e Expr) -> Option<&'e Ident> {
        match &*e.kind {
            ExprKind::Name(name) => Some(name),
            ExprKind::Call(word, arguments) => match &arguments[..] {
                [one] if self.way(word).is_some() => self.bottom(&one.value),
                _ => Some(word),
            },
            ExprKind::Paren(inner) => self.bottom(inner),
            _ => None,
        }
    }

    /// The arguments of that innermost ruleset.
    pub(super) fn arguments_of<'e>(&self, e: &'e Expr) -> &'e [Argument] {
        match &*e.kind {
            ExprKind::Call(word, arguments) => match &arguments[..] {
                [one] if self.way(word).is_some() => self.arguments_of(&one.value),
                all => all,
            },
            ExprKind::Paren(inner) => self.arguments_of(inner),
            _ => &[],
        }
    }

    /// Whether an expression makes a ruleset from another.
    pub(super) fn makes_ruleset(&self, e: &Expr) -> bool {
        match &*e.kind {
            ExprKind::Call(word, arguments) => arguments.len() == 1 && self.way(word).is_some(),
            _ => false,
        }
    }
}

/// If an item makes a ruleset from another by its clauses: the changes, and the other ruleset.
fn heir(scope: &Scope, item: &ItemKind) -> Option<(ast::Ruleset, Expr)> {
    match item {
        ItemKind::Ruleset(r) => Some((r.clone(), r.parent.as_ref()?.of.clone())),
        ItemKind::Derived(d) => {
            let (word, inner) = match &*d.body.kind {
                ExprKind::Call(word, all) if all.len() == 1 => (word, &all[0].value),
                _ => return None,
            };
            let by_clauses = match scope.way(word)? {
                "impartial" => scope.makes_ruleset(inner),
                _ => true,
            };
            let rules = ast::Ruleset {
                name: d.name.clone(),
                parameters: d.parameters.clone(),
                parent: None,
                clauses: Vec::new(),
            };
            by_clauses.then(|| (rules, d.body.clone()))
        }
        _ => None,
    }
}

impl Checker<'_> {
    /// The rulesets of a file with all of their clauses, each after its parents.
    pub(super) fn wholes<'f>(
        &mut self,
        named: Vec<(RulesetId, &'f Item)>,
        go_on: &dyn Fn() -> bool,
    ) -> Vec<(RulesetId, Source<'f>)> {
        let mut out = Vec::new();
        let mut waiting = Vec::new();
        for (id, item) in named {
            if let Some((rules, of)) = heir(self.scope, &item.kind) {
                waiting.push((id, item, Some((rules, of))));
                continue;
            }
            match &item.kind {
                ItemKind::Ruleset(r) => {
                    self.keep(
                        &r.name.text,
                        Whole {
                            rules: r.clone(),
                            given: None,
                            everyone: false,
                            dicotic: false,
                        },
                    );
                    out.push((id, Source::Written(Arc::new(r.clone()), &item.doc, None)));
                }
                ItemKind::Derived(d) => {
                    out.push((id, Source::Derived(d.clone(), &item.doc)));
                    waiting.push((id, item, None));
                }
                _ => {}
            }
        }
        let names: Vec<_> = waiting.iter().map(|w| name_of(w.1)).collect();
        let needs = waiting.iter().map(|(_, item, heir)| {
            let of = heir.as_ref().map(|h| &h.1).or(body_of(item));
            let bottom = of.and_then(|e| self.scope.bottom(e));
            bottom.map(|b| self.scope.full(b))
        });
        let order = Order::new(&names, &needs.collect::<Vec<_>>());
        let mut written = 0usize;
        let mut waiting: Vec<_> = waiting.into_iter().map(Some).collect();
        for i in order.sorted {
            let Some((id, item, heir)) = waiting[i].take() else {
                continue;
            };
            if !go_on() {
                return out;
            }
            match heir {
                Some((rules, of)) => {
                    let name = rules.name.clone();
                    if written > MOST_CLAUSES {
                        let message = format!(
                            "the rulesets up to `{}` inherit more than {MOST_CLAUSES} clauses",
                            name.text
                        );
                        self.report(Diagnostic::error(Code::E0226, message).at(of.span, ""));
                        self.break_ruleset(id);
                        for (id, _, heir) in waiting.into_iter().flatten() {
                            if heir.is_some() {
                                self.break_ruleset(id);
                            }
                        }
                        return out;
                    }
                    self.item(id, |checker| {
                        checker.inherits(id, item, rules, &of, &mut out);
                    });
                    let whole = self.scope.whole.get(&name.text);
                    written += whole.map_or(1, |w| w.rules.clauses.len() + 1);
                }
                // `impartial(S)` and `dicotic(S)` can be inherited from, too.
                None => {
                    if let Some(body) = body_of(item)
                        && let Some(bottom) = self.scope.bottom(body)
                        && self.scope.whole.contains_key(&self.scope.full(bottom))
                        && let Some(name) = name_of(item)
                        && let ItemKind::Derived(d) = &item.kind
                        && let Some(read) = self.read(body)
                        && let Some(whole) =
                            self.with_arguments(read, d.parameters.clone(), body.span)
                    {
                        written += whole.rules.clauses.len() + 1;
                        self.keep(&name, whole);
                    }
                }
            }
        }
        // Cyclic derivations are reported where derived rulesets are read.
        for (id, _, heir) in order.circular.into_iter().filter_map(|i| waiting[i].take()) {
            if let Some((rules, of)) = heir {
                self.report(
                    Diagnostic::error(
                        Code::E0226,
                        format!("`{}` inherits from itself", rules.name.text),
                    )
                    .at(of.span, "a circle of rulesets that inherit"),
                );
                self.break_ruleset(id);
            }
        }
        out
    }

    fn keep(&mut self, name: &Arc<str>, whole: Whole) {
        self.scope.whole.insert(name.clone(), Arc::new(whole));
    }

    /// Resolves one ruleset that inherits.
    fn inherits<'f>(
        &mut self,
        id: RulesetId,
        item: &'f Item,
        rules: ast::Ruleset,
        of: &Expr,
        out: &mut Vec<(RulesetId, Source<'f>)>,
    ) {
        let bottom = self.scope.bottom(of).map(|b| self.scope.full(b));
        let Some(mut read) = self.read(of) else {
            return;
        };
        if let Some(d) = for_players(&mut read.whole.rules, &rules.clauses) {
            return self.report(d);
        }
        let (clauses, found) = merge(&read.whole.rules, &rules.name, &rules.clauses);
        found.into_iter().for_each(|d| self.report(d));
        read.whole.rules.clauses = clauses;
        read.whole.rules.name = rules.name.clone();
        let Some(whole) = self.with_arguments(read, rules.parameters, of.span) else {
            return;
        };
        let mut text = print_expr(of);
        let changes: Vec<String> = rules
            .clauses
            .iter()
            .map(|c| {
                let words = print_clause(c);
                let words: Vec<&str> = words.split_whitespace().collect();
                format!("`{}`", words.join(" "))
            })
            .collect();
        if !changes.is_empty() {
            text.push_str(" with ");
            text.push_str(&changes.join(", "));
        }
        let heritage = Heritage {
            of: bottom.unwrap_or_default(),
            span: item.span,
            text: text.into(),
        };
        self.keep(&rules.name.text, whole.clone());
        out.extend(self.sources(id, rules.name, whole, &item.doc, heritage));
    }

    /// What to check for a ruleset: the ruleset with its clauses, and, if it needs arguments or a derivation, the derived
    /// ruleset.
    fn sources<'f>(
        &mut self,
        id: RulesetId,
        name: Ident,
        whole: Whole,
        doc: &'f [Arc<str>],
        heritage: Heritage,
    ) -> Vec<(RulesetId, Source<'f>)> {
        if whole.given.is_none() && !whole.everyone && !whole.dicotic {
            return vec![(
                id,
                Source::Written(Arc::new(whole.rules), doc, Some(heritage)),
            )];
        }
        let parameters = whole.rules.parameters.clone();
        let (parameters, arguments) = whole
            .given
            .unwrap_or_else(|| (parameters.clone(), passed(&parameters)));
        let hidden: Ident = Ident::new(&format!("{} (clauses)", name.text), name.span);
        let clauses = self.new_ruleset(&hidden, doc, true);
        let node = |kind| Expr {
            span: name.span,
            kind: Box::new(kind),
        };
        let call = |word: Ident, arguments| node(ExprKind::Call(word, arguments));
        let inner = match arguments.is_empty() {
            true => node(ExprKind::Name(hidden)),
            false => call(hidden, arguments),
        };
        let way = match (whole.everyone, whole.dicotic) {
            (true, true) => BOTH,
            (true, false) => "impartial",
            (false, true) => "dicotic",
            (false, false) => ARGUMENTS,
        };
        let body = call(
            Ident::new(way, name.span),
            vec![Argument {
                name: None,
                value: inner,
            }],
        );
        let derived = ast::Derived {
            name,
            parameters,
            body,
        };
        vec![
            (
                clauses,
                Source::Written(Arc::new(whole.rules), doc, Some(heritage)),
            ),
            (id, Source::Derived(derived, doc)),
        ]
    }

    /// The parameters of a ruleset made from another with these arguments.
    fn with_arguments(
        &mut self,
        read: Read,
        own: Vec<ast::Parameter>,
        span: Span,
    ) -> Option<Whole> {
        let Read {
            mut whole,
            arguments,
            name,
        } = read;
        let wanted = match &whole.given {
            Some((parameters, _)) => parameters.clone(),
            None => whole.rules.parameters.clone(),
        };
        if arguments.len() > wanted.len() || !arguments.is_empty() && arguments.len() < wanted.len()
        {
            self.report(
                Diagnostic::error(
                    Code::E0204,
                    format!(
                        "{name} takes {}, not {}",
                        error::count(wanted.len(), "argument"),
                        arguments.len()
                    ),
                )
                .at(span, ""),
            );
            return None;
        }
        if arguments.is_empty() && !wanted.is_empty() {
            if !own.is_empty() {
                let names: Vec<&str> = own.iter().map(|p| &*p.name.text).collect();
                let names = names.join(", ");
                self.report(
                    Diagnostic::error(
                        Code::E0226,
                        format!("{name} takes {}", error::count(wanted.len(), "argument")),
                    )
                    .at(span, "and none is given")
                    .suggest(Suggestion::after(
                        span,
                        format!("({names})"),
                        format!("write `{name}({names})`, or leave out the parameters: then they are inherited"),
                    )),
                );
                return None;
            }
            // The parameters are inherited.
            return Some(whole);
        }
        if arguments.is_empty() && whole.given.is_none() {
            whole.rules.parameters = own;
            return Some(whole);
        }
        let mut all = match whole.given {
            Some((parameters, mut given)) => {
                let named = parameters.iter().map(|p| p.name.text.clone());
                let mut with = Given(named.zip(arguments.into_iter().map(|a| a.value)).collect());
                for a in &mut given {
                    names::of_expr(&mut a.value, &mut with);
                }
                given
            }
            None => arguments,
        };
        // A parameter passed on under its own name remains one parameter.
        let handed_on = |p: &ast::Parameter| {
            let known = whole.rules.parameters.iter().zip(&all);
            known.into_iter().any(|(k, a)| {
                k.name.text == p.name.text
                    && matches!(&*a.value.kind, ExprKind::Name(n) if n.text == p.name.text)
            })
        };
        let more: Vec<ast::Parameter> = own.iter().filter(|p| !handed_on(p)).cloned().collect();
        all.extend(passed(&more));
        whole.rules.parameters.extend(more);
        whole.given = Some((own, all));
        Some(whole)
    }

    /// The ruleset denoted by an expression; reports if it denotes none.
    fn read(&mut self, e: &Expr) -> Option<Read> {
        let (name, arguments): (&Ident, &[Argument]) = match &*e.kind {
            ExprKind::Name(name) => (name, &[]),
            ExprKind::Call(name, arguments) => (name, arguments),
            ExprKind::Paren(inner) => return self.read(inner),
            _ => {
                self.report(
                    Diagnostic::error(Code::E0226, "a ruleset is made of a ruleset")
                        .at(e.span, "this is none"),
                );
                return None;
            }
        };
        if let Some(way) = self.scope.way(name) {
            let [one] = arguments else {
                self.report(
                    Diagnostic::error(Code::E0223, format!("`{way}` takes one ruleset"))
                        .at(e.span, "")
                        .help(format!("`{way}(Nim)`")),
                );
                return None;
            };
            let mut read = self.read(&one.value)?;
            match way {
                "misere" => self.misere(&mut read.whole.rules, e.span)?,
                "reversed" => self.reverse(&mut read.whole.rules, e.span)?,
                "dicotic" => self.dicotic(&mut read.whole, e.span)?,
                _ => read.whole.everyone = true,
            }
            read.name = format!("{way}({})", read.name);
            return Some(read);
        }
        let full = self.scope.full(name);
        let Some(whole) = self.scope.whole.get(&full) else {
            match self.scope.named(name) {
                // The error has been reported at its definition.
                Some(Named::Broken | Named::Ruleset(_)) => {
                    self.uses_broken(name);
                }
                Some(Named::Definition(_)) => self.report(
                    Diagnostic::error(Code::E0226, "a ruleset is made of a ruleset")
                        .at(name.span, "this is a definition"),
                ),
                None => {
                    self.missing_ruleset(name);
                }
            }
            return None;
        };
        Some(Read {
            whole: (**whole).clone(),
            arguments: arguments.to_vec(),
            name: full.to_string(),
        })
    }

    /// Reports a ruleset that is not for two players.
    fn for_two(&mut self, rules: &ast::Ruleset, what: &str, span: Span) -> Option<()> {
        let two = |c: &Clause| match &c.kind {
            ClauseKind::Players(all) => {
                matches!(&all[..], [a, b] if [a, b].iter().all(|e| matches!(&*e.kind, ExprKind::Name(_))))
            }
            _ => true,
        };
        if !rules.clauses.iter().all(two) {
            self.report(
                Diagnostic::error(
                    Code::E0223,
                    format!(
                        "{what} is for two players, and {} {FOR_OTHERS}",
                        rules.name.text
                    ),
                )
                .at(span, ""),
            );
            return None;
        }
        Some(())
    }

    /// Ends play where one of the two players cannot move. It changes nothing if both have the same moves.
    fn dicotic(&mut self, whole: &mut Whole, span: Span) -> Option<()> {
        self.for_two(&whole.rules, "`dicotic`", span)?;
        whole.dicotic |= !whole.everyone;
        Some(())
    }

    /// Makes a player who cannot move the winner.
    fn misere(&mut self, rules: &mut ast::Ruleset, span: Span) -> Option<()> {
        self.for_two(rules, "misère play", span)?;
        let clause = Clause {
            span,
            doc: Vec::new(),
            kind: ClauseKind::Play(Ident::new("misere", span)),
        };
        rules
            .clauses
            .retain(|c| !matches!(c.kind, ClauseKind::Play(_)));
        rules.clauses.push(clause);
        Some(())
    }

    /// Exchanges the two players of a ruleset in every clause.
    fn reverse(&mut self, rules: &mut ast::Ruleset, span: Span) -> Option<()> {
        let players = rules.clauses.iter().find_map(|c| match &c.kind {
            ClauseKind::Players(all) => Some(all),
            _ => None,
        });
        let (a, b): (Arc<str>, Arc<str>) = match players.map(|all| &all[..]) {
            None => ("Left".into(), "Right".into()),
            Some([a, b]) => match (&*a.kind, &*b.kind) {
                (ExprKind::Name(a), ExprKind::Name(b)) => (a.text.clone(), b.text.clone()),
                _ => return None,
            },
            Some(_) => {
                self.report(
                    Diagnostic::error(
                        Code::E0223,
                        format!("`reversed` exchanges two players, and {} {FOR_OTHERS}", rules.name.text),
                    )
                    .at(span, "")
                    .help("exchange them in the clauses: `ruleset R = .. with` and the clauses that change"),
                );
                return None;
            }
        };
        if let Some(name) = self.named_outside(rules, &a, &b) {
            self.report(
                Diagnostic::error(
                    Code::E0223,
                    format!("the players of {} cannot be exchanged: it uses `{name}`, which names one of them", rules.name.text),
                )
                .at(span, "")
                .help(format!("define `{name}` in the ruleset, by an indented `let`")),
            );
            return None;
        }
        for clause in &mut rules.clauses {
            if matches!(clause.kind, ClauseKind::Players(_)) {
                continue;
            }
            let mut swap = Names(|name: &mut Ident| {
                if name.text == a {
                    name.text = b.clone();
                } else if name.text == b {
                    name.text = a.clone();
                }
            });
            names::of_clause(&mut clause.kind, &mut swap);
            // A score is what the first player has more than the second.
            if let ClauseKind::Score(points) = &mut clause.kind {
                let span = points.span;
                let expr = |kind| Expr {
                    span,
                    kind: Box::new(kind),
                };
                let exchanged = expr(ExprKind::Paren(points.clone()));
                *points = expr(ExprKind::Unary(ast::UnaryOp::Negative, exchanged));
            }
        }
        Some(())
    }

    /// A definition of the file level that a ruleset uses, directly or indirectly, and that mentions one of these
    /// players.
    fn named_outside(&self, rules: &ast::Ruleset, a: &str, b: &str) -> Option<Arc<str>> {
        let mut open: Vec<Ident> = Vec::new();
        for mut clause in rules.clauses.iter().cloned() {
            names::of_clause(
                &mut clause.kind,
                &mut Names(|n: &mut Ident| open.push(n.clone())),
            );
        }
        let mut seen: BTreeSet<Arc<str>> = BTreeSet::new();
        while let Some(name) = open.pop() {
            let Some(Named::Definition(d)) = self.scope.named(&name) else {
                continue;
            };
            if !seen.insert(self.scope.full(&name)) {
                continue;
            }
            for mut l in self.scope.definitions[d as usize].lets.iter().cloned() {
                let mut found = false;
                names::of_let(
                    &mut l,
                    &mut Names(|n: &mut Ident| {
                        found |= &*n.text == a || &*n.text == b;
                        open.push(n.clone());
                    }),
                );
                if found {
                    return Some(name.text);
                }
            }
        }
        None
    }

    /// The ruleset before a bracket, if the expression makes it from another: its name in the scope, and its arguments.
    /// It is checked on first use.
    pub(super) fn made(&mut self, head: &Expr) -> Option<(Ident, Vec<Argument>)> {
        let bottom = self.scope.full(self.scope.bottom(head)?);
        let read = self.read(head)?;
        let name = Ident::new(&read.name, head.span);
        if !self.scope.names.contains_key(&name.text) {
            let mut whole = read.whole;
            whole.rules.name = name.clone();
            let heritage = Heritage {
                of: bottom,
                span: Span::default(),
                text: read.name.as_str().into(),
            };
            let kept = (
                std::mem::take(&mut self.exact),
                std::mem::take(&mut self.pieces_named),
                self.asks_owners,
                self.failed,
                self.broken_name.take(),
            );
            self.keep(&name.text, whole.clone());
            let id = self.new_ruleset(&name, &[], true);
            let sources = self.sources(id, name.clone(), whole, &[], heritage);
            if self.headers(&sources, &|| true) {
                self.bodies(&sources, &|| true);
            }
            (
                self.exact,
                self.pieces_named,
                self.asks_owners,
                self.failed,
                self.broken_name,
            ) = kept;
        }
        Some((name, read.arguments))
    }

    /// Checks a part of a ruleset. Lints of inherited clauses are dropped, since they were reported where the clauses are
    /// written; errors are reported for the ruleset that inherits.
    pub(super) fn heirs_part(
        &mut self,
        id: RulesetId,
        heritage: Option<&Heritage>,
        check: impl FnOnce(&mut Self),
    ) {
        let Some(heritage) = heritage else {
            return self.item(id, check);
        };
        if let Some(Named::Ruleset(of)) = self.scope.names.get(&heritage.of)
            && self.ruleset(*of).broken
        {
            return self.break_ruleset(id);
        }
        let before = self.out.len();
        self.item(id, check);
        let mut rules = (*self.ruleset(id)).clone();
        rules.inherits = Some(heritage.text.clone());
        self.set_ruleset(id, rules);
        let own = heritage.span;
        let mut said = self.out.split_off(before);
        said.retain_mut(|d| {
            let inside = d
                .span()
                .is_some_and(|s| s.file == own.file && own.start <= s.start && s.end <= own.end);
            if !inside && d.is_error() {
                let name = self.ruleset(id).name.clone();
                d.notes
                    .push(format!("{name} inherits this from {}", heritage.of));
            }
            inside || d.is_error()
        });
        self.out.append(&mut said);
    }

    /// The derivation for a word.
    pub(super) fn derivation(way: &str) -> Option<Derivation> {
        match way {
            "impartial" => Some(Derivation::Impartial),
            "dicotic" => Some(Derivation::Dicotic),
            BOTH => Some(Derivation::ImpartialDicotic),
            ARGUMENTS => Some(Derivation::Arguments),
            _ => None,
        }
    }
}

/// Replaces parameters by their arguments.
struct Given(BTreeMap<Arc<str>, Expr>);

impl Change for Given {
    fn expr(&mut self, e: &mut Expr) -> bool {
        let given = match &*e.kind {
            ExprKind::Name(name) => self.0.get(&name.text),
            _ => None,
        };
        if let Some(given) = given {
            *e = given.clone();
            return true;
        }
        false
    }
}

/// The parameters as arguments.
fn passed(parameters: &[ast::Parameter]) -> Vec<Argument> {
    let argument = |p: &ast::Parameter| Argument {
        name: None,
        value: Expr {
            span: p.name.span,
            kind: Box::new(ExprKind::Name(p.name.clone())),
        },
    };
    parameters.iter().map(argument).collect()
}

fn name_of(item: &Item) -> Option<Arc<str>> {
    match &item.kind {
        ItemKind::Ruleset(r) => Some(r.name.text.clone()),
        ItemKind::Derived(d) => Some(d.name.text.clone()),
        _ => None,
    }
}

fn body_of(item: &Item) -> Option<&Expr> {
    match &item.kind {
        ItemKind::Derived(d) => Some(&d.body),
        _ => None,
    }
}
