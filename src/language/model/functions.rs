//! Checks definitions: `let` and `position`. A function without declared sorts is checked once for each tuple of argument
//! sorts with which it is called; a table must cover its finite sorts.

use super::checker::{Checker, INSTANCES, expr, unify, unknown};
use super::error;
use super::scope::{Around, Env, Hint, Key, Var};
use super::typed::{
    self, Expr, ExprKind, Function, FunctionBody, FunctionId, PieceId, Players, Ruleset, Sort,
};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, meant};
use crate::syntax::ast;
use crate::syntax::names::{InTable, entry_of_table};
use crate::syntax::printer::print_expr;
use std::sync::Arc;

/// Tables with more rows than this are not checked for completeness.
const ROWS: usize = 4096;

impl Checker<'_> {
    /// The sorts of a definition's parameters, where declared or fixed by a table.
    pub(super) fn parameter_sorts(&mut self, d: u32) -> Vec<Option<Sort>> {
        let definition = self.scope.definitions[d as usize].clone();
        if definition.table {
            let env = self.definition_env(d);
            let n = definition.lets[0].parameters.len();
            return (0..n)
                .map(|i| {
                    definition.lets.iter().find_map(|l| {
                        let name = &l.parameters.get(i)?.name;
                        self.constant_of_table(name, &env).map(|c| c.sort)
                    })
                })
                .collect();
        }
        definition.lets[0]
            .parameters
            .iter()
            .map(|p| p.sort.as_ref().map(|s| self.sort(s, definition.home).0))
            .collect()
    }

    /// The frame of a definition, including the ruleset's parameters if it is inside one.
    fn definition_env(&mut self, d: u32) -> Env {
        let home = self.scope.definitions[d as usize].home;
        let around = match home {
            Some(_) => Around::Rule,
            None => Around::Definition,
        };
        let mut env = Env::new(around, home);
        if let Some(home) = home {
            self.ruleset_parameters(home, &mut env);
        }
        env
    }

    /// Adds the parameters of a ruleset to a frame.
    pub(super) fn ruleset_parameters(&mut self, home: typed::RulesetId, env: &mut Env) {
        let rules = self.ruleset(home);
        for p in &rules.parameters {
            env.push(Var {
                name: p.name.clone(),
                span: rules.span,
                sort: p.sort.clone(),
                hint: Hint::default(),
                parameter: true,
                used: false,
                lint: false,
            });
        }
    }

    /// A call of a definition; the arguments are already converted to the sorts of its parameters.
    pub(super) fn call_definition(
        &mut self,
        d: u32,
        arguments: Vec<Expr>,
        span: Span,
        env: &mut Env,
    ) -> Expr {
        let definition = &self.scope.definitions[d as usize];
        let name = definition.name.clone();
        let home = definition.home;
        if home.is_some() {
            self.reads_state(&Ident::new(&name.text, span), env);
        }
        if arguments.iter().any(|a| a.sort == Sort::Unknown) {
            return unknown(span);
        }
        self.scope.definitions[d as usize].used = true;
        let key: Key = (
            d,
            arguments
                .iter()
                .map(|a| (a.sort.clone(), self.hint_of(a, env)))
                .collect(),
        );
        if self.open.contains(&d) {
            return self.recursive(d, span);
        }
        let found = match self.scope.instances.get(&key) {
            Some(found) => *found,
            None => {
                let found = self.instantiate(&key, span);
                self.scope.instances.insert(key, found);
                found
            }
        };
        match found {
            Some(id) => {
                let sort = self.scope.model.functions[id.0 as usize].sort.clone();
                expr(span, sort, ExprKind::Call(id, arguments))
            }
            None => self.uses_broken(&Ident { span, ..name }),
        }
    }

    fn recursive(&mut self, d: u32, span: Span) -> Expr {
        let from = self.open.iter().position(|o| *o == d).unwrap_or(0);
        let name = |d: &u32| self.scope.definitions[*d as usize].name.text.to_string();
        let mut cycle: Vec<String> = self.open[from..].iter().map(name).collect();
        cycle.push(cycle[0].clone());
        let first = self.scope.definitions[d as usize].name.clone();
        self.hole(
            Diagnostic::error(
                Code::E0209,
                format!("`{}` is defined by itself", first.text),
            )
            .at(span, "used here")
            .at(first.span, "while it is being defined")
            .note(format!("the circle: {}", cycle.join(" -> ")))
            .help("definitions do not recur; sets, `sum`, `all x in S` and comprehensions range over finite sets instead"),
        )
    }

    /// Checks a definition for these sorts of arguments.
    fn instantiate(&mut self, key: &Key, span: Span) -> Option<FunctionId> {
        // The first instance of each definition is not counted, since the text bounds their number.
        if self.scope.instances.len() >= INSTANCES.saturating_add(self.scope.definitions.len()) {
            self.report(
                Diagnostic::error(
                    Code::E0214,
                    "too many functions for too many sorts of arguments",
                )
                .at(span, "")
                .help("give the parameters sorts: `let f(x: int) = ..`"),
            );
            return None;
        }
        let failed = std::mem::replace(&mut self.failed, false);
        let before = self.out.len();
        self.open.push(key.0);
        let found = self.check_definition(key);
        self.open.pop();
        self.called_here(key.0, before, span);
        let fine = !std::mem::replace(&mut self.failed, failed);
        let (function, hint) = found?;
        if !fine {
            return None;
        }
        let id = FunctionId(u32::try_from(self.scope.model.functions.len()).unwrap_or(u32::MAX));
        self.scope.model.functions.push(Arc::new(function));
        self.scope.hints.push(hint);
        Some(id)
    }

    /// Adds to errors that depend on the argument sorts where the call is.
    fn called_here(&mut self, d: u32, before: usize, span: Span) {
        let definition = &self.scope.definitions[d as usize];
        let sorted = definition.table
            || span == definition.name.span
            || definition.lets[0]
                .parameters
                .iter()
                .all(|p| p.sort.is_some());
        if sorted {
            return;
        }
        let text = format!("for this call of `{}`", definition.name.text);
        // The same error for other sorts is reported once.
        let known: Vec<Diagnostic> = self.out.drain(before..).collect();
        for d in known {
            let same =
                |o: &Diagnostic| o.code == d.code && o.span() == d.span() && o.message == d.message;
            if !self.out.iter().any(same) {
                self.out.push(d);
            } else if d.is_error() {
                self.errors -= 1;
            }
        }
        for d in &mut self.out[before..] {
            if d.is_error() && d.labels.len() == 1 {
                d.labels.push(crate::diagnostic::Label {
                    span,
                    text: text.as_str().into(),
                });
            }
        }
    }

    /// A definition without calls: checked with its declared sorts, or for errors that occur with any sorts.
    pub(super) fn check_unused(&mut self, d: u32) {
        let sorts = self.parameter_sorts(d);
        let all: Vec<(Sort, Hint)> = sorts
            .into_iter()
            .map(|s| (s.unwrap_or(Sort::Unknown), Hint::default()))
            .collect();
        let key = (d, all);
        let known = key.1.iter().all(|(s, _)| *s != Sort::Unknown);
        if self.scope.instances.contains_key(&key) {
            return;
        }
        let span = self.scope.definitions[d as usize].name.span;
        if known {
            let found = self.instantiate(&key, span);
            self.scope.instances.insert(key, found);
        } else {
            let failed = std::mem::replace(&mut self.failed, false);
            self.open.push(d);
            self.check_definition(&key);
            self.open.pop();
            self.failed = failed;
        }
    }

    fn check_definition(&mut self, key: &Key) -> Option<(Function, Hint)> {
        let definition = self.scope.definitions[key.0 as usize].clone();
        let mut env = self.definition_env(key.0);
        let own = env.visible.len();
        if definition.table {
            return self.check_table(key.0, env);
        }
        let one = &definition.lets[0];
        let mut parameters = Vec::new();
        for (p, (sort, hint)) in one.parameters.iter().zip(&key.1) {
            let known = env.find(&p.name.text);
            if known.is_some_and(|slot| env.visible[own..].binary_search(&slot).is_ok()) {
                self.report(
                    Diagnostic::error(
                        Code::E0202,
                        format!("two parameters are called `{}`", p.name.text),
                    )
                    .at(p.name.span, "the second"),
                );
            }
            let natural = matches!(&p.sort, Some(ast::SortName::Name(n)) if &*n.text == "nat");
            self.declare(&p.name, sort.clone(), *hint, &mut env, true);
            parameters.push(typed::Parameter {
                name: p.name.text.clone(),
                sort: sort.clone(),
                natural,
            });
        }
        let body = if definition.position {
            self.expect(&one.body, &Sort::Position, &mut env)
        } else {
            self.expr(&one.body, &mut env)
        };
        if !self.failed {
            self.unused_parameters(own, &one.name, &env);
        }
        if let Some(home) = definition.home {
            self.spend_parameters(home, &env);
        }
        let hint = self.hint_of(&body, &env);
        let function = Function {
            name: definition.name.text.clone(),
            span: definition.name.span,
            doc: definition.doc.clone(),
            in_ruleset: definition.home,
            parameters,
            slots: env.size(),
            sort: body.sort.clone(),
            body: FunctionBody::Expr(body),
        };
        Some((function, hint))
    }

    /// A constant that can occur as an argument of a table entry: a player, a piece, a direction.
    pub(super) fn constant_of_table(&mut self, name: &Ident, env: &Env) -> Option<Expr> {
        if let Some(found) = self.piece_or_player(name, env) {
            return Some(found);
        }
        // The players of a ruleset were looked up above.
        let is_constant = entry_of_table(&name.text).is_some_and(|e| e != InTable::Player);
        if !is_constant {
            return None;
        }
        self.lookup(name, &mut Env::new(Around::Definition, None))
    }

    /// A table of which one argument is a constant and the others vary, as a definition by cases.
    fn by_cases(&mut self, entries: &[ast::Let], env: &Env) -> Option<String> {
        let (last, others) = entries.split_last()?;
        let names = |l: &ast::Let| -> Vec<Arc<str>> {
            l.parameters.iter().map(|p| p.name.text.clone()).collect()
        };
        let mut parameters = names(last);
        let mut constant = |p: &ast::Parameter| self.constant_of_table(&p.name, env).is_some();
        let at = last.parameters.iter().position(&mut constant)?;
        let free = |n: &&str| parameters.iter().all(|p| **p != **n);
        let case = ["p", "q", "x", "y"].into_iter().find(free)?;
        parameters[at] = case.into();
        let mut cases = String::new();
        for entry in others {
            let mut own = names(entry);
            let value = std::mem::replace(own.get_mut(at)?, case.into());
            if own != parameters {
                return None;
            }
            let body = print_expr(&entry.body);
            cases.push_str(&format!("if {case} = {value} then {body} else "));
        }
        Some(format!(
            "where another argument varies, write the cases, in a file that opens with `language 2`: `let {}({}) = {cases}{}`",
            last.name.text,
            parameters.join(", "),
            print_expr(&last.body)
        ))
    }

    fn check_table(&mut self, d: u32, mut env: Env) -> Option<(Function, Hint)> {
        let definition = self.scope.definitions[d as usize].clone();
        let name = &definition.name;
        let width = definition.lets[0].parameters.len();
        let mut rows: Vec<(Vec<Expr>, Expr)> = Vec::new();
        let mut columns: Vec<Sort> = vec![Sort::Unknown; width];
        let mut sort = Sort::Unknown;
        for entry in &definition.lets {
            if entry.parameters.len() != width {
                self.report(
                    Diagnostic::error(
                        Code::E0210,
                        format!(
                            "the entries of `{}` differ in the number of arguments",
                            name.text
                        ),
                    )
                    .at(entry.name.span, format!("here {}", entry.parameters.len()))
                    .at(name.span, format!("here {width}")),
                );
                continue;
            }
            let mut row = Vec::new();
            for (i, p) in entry.parameters.iter().enumerate() {
                match self.constant_of_table(&p.name, &env) {
                    Some(constant) => {
                        if columns[i] == Sort::Unknown {
                            columns[i] = constant.sort.clone();
                        } else if columns[i] != constant.sort {
                            self.report(
                                Diagnostic::error(
                                    Code::E0210,
                                    format!(
                                        "a table over {} has no entry for {}",
                                        error::a(&columns[i]),
                                        error::a(&constant.sort)
                                    ),
                                )
                                .at(p.name.span, format!("this is {}", error::a(&constant.sort))),
                            );
                        }
                        row.push(constant);
                    }
                    None => {
                        let known = self.constants(&columns[i], &env);
                        let near = meant(&p.name, known.iter().map(|(n, _)| &**n));
                        let varies = near.is_none();
                        let d = Diagnostic::error(
                            Code::E0210,
                            format!("`{}` is not a player, piece or direction", p.name.text),
                        )
                        .at(p.name.span, "an entry of a table names a constant")
                        .suggest_if(near);
                        if varies {
                            // What the entries say of the argument is no further mistake.
                            let help = self.by_cases(&definition.lets, &env);
                            self.report(d.help_if(help));
                            return None;
                        }
                        self.report(d);
                    }
                }
            }
            let value = self.expr(&entry.body, &mut env);
            match unify(&sort, &value.sort) {
                Some(unified) => sort = unified,
                None => {
                    self.report(
                        Diagnostic::error(
                            Code::E0203,
                            format!("the entries of `{}` differ in what they are", name.text),
                        )
                        .at(value.span, format!("this is {}", error::a(&value.sort)))
                        .at(name.span, format!("the first is {}", error::a(&sort))),
                    );
                }
            }
            if row.len() == width {
                if rows.iter().any(|(r, _)| same_row(r, &row)) {
                    self.report(
                        Diagnostic::error(
                            Code::E0210,
                            format!("two entries of `{}` for the same arguments", name.text),
                        )
                        .at(entry.name.span, "the second"),
                    );
                } else {
                    rows.push((row, value));
                }
            }
        }
        if let Some(home) = definition.home {
            self.spend_parameters(home, &env);
        }
        if self.failed {
            return None;
        }
        self.total(name, &columns, &rows, &env);
        let rows = rows
            .into_iter()
            .map(|(row, value)| {
                let value = self.coerce(value, &sort, &mut env);
                (row, value)
            })
            .collect();
        let parameters = columns
            .iter()
            .zip(&definition.lets[0].parameters)
            .map(|(sort, p)| typed::Parameter {
                name: p.name.text.clone(),
                sort: sort.clone(),
                natural: false,
            })
            .collect();
        let function = Function {
            name: name.text.clone(),
            span: name.span,
            doc: definition.doc.clone(),
            in_ruleset: definition.home,
            parameters,
            slots: env.size() + u32::try_from(width).unwrap_or(u32::MAX),
            sort,
            body: FunctionBody::Table(rows),
        };
        Some((function, Hint::default()))
    }

    /// The constants of a finite sort.
    fn constants(&self, sort: &Sort, env: &Env) -> Vec<(Arc<str>, ExprKind)> {
        let rules: Option<Arc<Ruleset>> = self.rules(env);
        let players = || -> Vec<(Arc<str>, ExprKind)> {
            let names: Vec<Arc<str>> = match &rules {
                Some(r) => match &r.players {
                    Players::Named(names) => names.clone(),
                    Players::Range(_) => Vec::new(),
                },
                None => vec!["Left".into(), "Right".into()],
            };
            (0u8..)
                .zip(names)
                .map(|(i, n)| (n, ExprKind::Player(i)))
                .collect()
        };
        let pieces = || -> Vec<(Arc<str>, ExprKind)> {
            let pieces = rules.iter().flat_map(|r| &r.pieces);
            (0u16..)
                .zip(pieces)
                .map(|(i, p)| (p.name.clone(), ExprKind::Piece(PieceId(i))))
                .collect()
        };
        match sort {
            Sort::Player => players(),
            Sort::Piece => pieces(),
            Sort::Direction => [
                ("north", (-1, 0)),
                ("south", (1, 0)),
                ("east", (0, 1)),
                ("west", (0, -1)),
            ]
            .into_iter()
            .map(|(n, (r, c))| (n.into(), ExprKind::Direction(r, c)))
            .collect(),
            Sort::Bool => vec![
                ("true".into(), ExprKind::Bool(true)),
                ("false".into(), ExprKind::Bool(false)),
            ],
            Sort::Unknown => {
                let mut all = players();
                all.extend(pieces());
                all
            }
            _ => Vec::new(),
        }
    }

    /// Reports the entries that a table lacks.
    fn total(&mut self, name: &Ident, columns: &[Sort], rows: &[(Vec<Expr>, Expr)], env: &Env) {
        let mut wanted: Vec<Vec<(Arc<str>, ExprKind)>> = vec![Vec::new()];
        for sort in columns {
            let constants = self.constants(sort, env);
            if wanted.len().saturating_mul(constants.len()) > ROWS {
                return;
            }
            wanted = wanted
                .into_iter()
                .flat_map(|row| {
                    constants.iter().map(move |c| {
                        let mut row = row.clone();
                        row.push(c.clone());
                        row
                    })
                })
                .collect();
        }
        let missing: Vec<String> = wanted
            .iter()
            .filter(|want| {
                !rows.iter().any(|(row, _)| {
                    row.iter()
                        .zip(want.iter())
                        .all(|(e, (_, k))| same_constant(&e.kind, k))
                })
            })
            .map(|want| {
                let names: Vec<&str> = want.iter().map(|(n, _)| &**n).collect();
                format!("{}({})", name.text, names.join(", "))
            })
            .collect();
        if missing.is_empty() {
            return;
        }
        let shown = &missing[..missing.len().min(4)];
        let more = if missing.len() > 4 { ", and more" } else { "" };
        self.report(
            Diagnostic::error(
                Code::E0210,
                format!(
                    "the table `{}` has no entry for {}{more}",
                    name.text,
                    error::list(shown, "and")
                ),
            )
            .at(name.span, "tables are total")
            .help(format!("add `{} = ..`", missing[0])),
        );
    }
}

fn same_constant(a: &ExprKind, b: &ExprKind) -> bool {
    match (a, b) {
        (ExprKind::Player(a), ExprKind::Player(b)) => a == b,
        (ExprKind::Piece(a), ExprKind::Piece(b)) => a == b,
        (ExprKind::Direction(a, b), ExprKind::Direction(c, d)) => (a, b) == (c, d),
        (ExprKind::Bool(a), ExprKind::Bool(b)) => a == b,
        (ExprKind::Empty, ExprKind::Empty)
        | (ExprKind::Wall, ExprKind::Wall)
        | (ExprKind::Off, ExprKind::Off) => true,
        _ => false,
    }
}

fn same_row(a: &[Expr], b: &[Expr]) -> bool {
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(a, b)| same_constant(&a.kind, &b.kind))
}
