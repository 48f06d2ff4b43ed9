//! Guesses the sort of an expression in advance, without messages. The sort decides whether a formula is read on the
//! integer side or on the value side. If it cannot be determined it is [`Sort::Unknown`].

use super::builtins::{self, Row};
use super::checker::{Checker, DEPTH, INSTANCES, is_downs};
use super::scope::{Around, Env, Hint, Named, Var};
use super::typed::{Players, Ruleset, RulesetId, SiteKind, Sort};
use crate::base::Ident;
use crate::syntax::ast::{self, BinaryOp, ExprKind, UnaryOp, UpCount};
use crate::syntax::names::{InTable, entry_of_table};

/// Whether it is read on the value side.
pub(super) fn gamelike(sort: &Sort) -> bool {
    matches!(sort, Sort::Game | Sort::Position)
}

/// Whether a compact literal can be read on the integer side: `1*2`, `2^3`; not `^*`, `1*`.
pub(super) fn compact_is_integer(c: &ast::Compact) -> bool {
    c.number.is_some()
        && c.word.is_none()
        && !matches!(c.star, Some(ast::StarNote::Star))
        && c.up
            .as_ref()
            .is_none_or(|u| !u.down && matches!(u.count, UpCount::Times(_)))
}

impl Checker<'_> {
    /// The sort of an expression, as far as it can be determined.
    pub(super) fn guess(&mut self, e: &ast::Expr, env: &Env) -> Sort {
        if self.depth > DEPTH {
            return Sort::Unknown;
        }
        self.depth += 1;
        let sort = self.guess_kind(e, env);
        self.depth -= 1;
        sort
    }

    /// The sort where no piece can stand: beside an arithmetic sign or an order, or as a position. There `off` is the loopy
    /// value.
    pub(super) fn guess_value(&mut self, e: &ast::Expr, env: &Env) -> Sort {
        match self.guess(e, env) {
            Sort::Piece if env.home.is_none() && env.literal.is_none() && self.is_off(e, env) => {
                Sort::Game
            }
            sort => sort,
        }
    }

    /// Whether this is the word `off`, or a name for it.
    fn is_off(&self, e: &ast::Expr, env: &Env) -> bool {
        match &*e.kind {
            ExprKind::Paren(e) => self.is_off(e, env),
            ExprKind::Name(name) if env.var(&name.text).is_none() => match self.scope.named(name) {
                Some(Named::Definition(d)) => {
                    let lets = &self.scope.definitions[d as usize].lets;
                    self.is_off(&lets[0].body, env)
                }
                _ => &*name.text == "off",
            },
            _ => false,
        }
    }

    fn guess_kind(&mut self, e: &ast::Expr, env: &Env) -> Sort {
        let set = |s| Sort::Set(Box::new(s));
        let list = |s| Sort::List(Box::new(s));
        match &*e.kind {
            ExprKind::Name(name) => self.guess_name(name, env),
            ExprKind::Integer(_) => Sort::Int,
            ExprKind::Text(_) => Sort::Text,
            ExprKind::Compact(c) => {
                if super::exprs::entry_of_v(c, e.span, env).is_some() {
                    return match &c.star {
                        Some(ast::StarNote::Of(_)) => Sort::Int,
                        _ => Sort::Game,
                    };
                }
                if !compact_is_integer(c) {
                    return Sort::Game;
                }
                match &c.star {
                    Some(ast::StarNote::Of(e)) if gamelike(&self.guess(e, env)) => Sort::Game,
                    _ if c.number.as_ref().is_some_and(|(_, d)| *d != 1.into()) => Sort::Game,
                    _ => Sort::Int,
                }
            }
            ExprKind::Paren(e) => self.guess(e, env),
            ExprKind::Tuple(parts) => {
                Sort::Tuple(parts.iter().map(|p| self.guess(p, env)).collect())
            }
            ExprKind::List(parts) => {
                list(parts.first().map_or(Sort::Unknown, |p| self.guess(p, env)))
            }
            ExprKind::Set(parts) => {
                set(parts.first().map_or(Sort::Unknown, |p| self.guess(p, env)))
            }
            ExprKind::ListFor(..) => list(Sort::Unknown),
            ExprKind::SetFor(..) | ExprKind::SetThat(..) => set(Sort::Unknown),
            ExprKind::Braces(..) | ExprKind::Knot(..) => Sort::Game,
            ExprKind::Call(name, arguments) => self.guess_call(name, arguments, env),
            ExprKind::Bracket(head, _) => self.guess_bracket(head, env),
            ExprKind::Board(kind, _) if &*kind.text == "oo" => Sort::Int,
            ExprKind::Board(..) | ExprKind::Encoded(..) => Sort::Board,
            ExprKind::Colon(a, _) => match self.guess(a, env) {
                Sort::Board => Sort::Board,
                _ => Sort::Game,
            },
            ExprKind::Unary(op, e) => match op {
                UnaryOp::Not => Sort::Bool,
                UnaryOp::PlusMinus => Sort::Game,
                UnaryOp::Negative => self.guess_value(e, env),
            },
            ExprKind::Binary(op, a, b) => self.guess_binary(*op, a, b, env),
            ExprKind::Quantifier(..) => Sort::Bool,
            ExprKind::If(_, a, b) => match (self.guess(a, env), self.guess(b, env)) {
                (x, y) if gamelike(&x) || gamelike(&y) => match (&x, &y) {
                    (Sort::Position, Sort::Position) => Sort::Position,
                    _ => Sort::Game,
                },
                (Sort::Unknown, y) => y,
                (x, _) => x,
            },
            ExprKind::Fold(..) => Sort::Int,
        }
    }

    fn guess_binary(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr, env: &Env) -> Sort {
        match op {
            BinaryOp::Or
            | BinaryOp::And
            | BinaryOp::Comma
            | BinaryOp::Is
            | BinaryOp::IsNot
            | BinaryOp::Equal
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual
            | BinaryOp::In
            | BinaryOp::Owns => Sort::Bool,
            BinaryOp::Sides => Sort::Game,
            BinaryOp::Range => Sort::Set(Box::new(Sort::Int)),
            BinaryOp::Mod | BinaryOp::Div | BinaryOp::Power => Sort::Int,
            BinaryOp::Arc => Sort::Site(SiteKind::Edge),
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::PlusMinus => {
                match (self.guess_value(a, env), self.guess_value(b, env)) {
                    (Sort::Position, Sort::Position) => Sort::Position,
                    (x, y) if gamelike(&x) || gamelike(&y) => Sort::Game,
                    (Sort::Unknown, y) => y,
                    (x, _) => x,
                }
            }
            BinaryOp::Multiply => match (self.guess_value(a, env), self.guess_value(b, env)) {
                (_, Sort::Position) => Sort::Position,
                (x, y) if gamelike(&x) || gamelike(&y) => Sort::Game,
                (_, Sort::Board) => Sort::Board,
                (Sort::Direction, _) | (_, Sort::Direction) => Sort::Direction,
                _ => Sort::Int,
            },
            BinaryOp::Slash => match (self.guess(a, env), self.guess(b, env)) {
                (Sort::Board, _) | (_, Sort::Board) => Sort::Board,
                _ => Sort::Game,
            },
        }
    }

    fn guess_name(&mut self, ident: &Ident, env: &Env) -> Sort {
        let name = &ident.text;
        if let Some(var) = env.var(name) {
            return var.sort.clone();
        }
        if let Some(home) = env.home {
            let rules = self.ruleset(home);
            if let Some(state) = rules.state.iter().find(|s| s.name == *name) {
                return state.sort.clone();
            }
            if let Some(d) = self.scope.insides[home.0 as usize].lets.get(name).copied() {
                return self.guess_definition(d, Vec::new());
            }
        }
        if let Some(rules) = self.rules(env) {
            if rules.pieces.iter().any(|p| p.name == *name) {
                return Sort::Piece;
            }
            if matches!(&rules.players, Players::Named(n) if n.contains(name)) {
                return Sort::Player;
            }
        }
        match self.scope.named(ident) {
            Some(Named::Definition(d)) => return self.guess_definition(d, Vec::new()),
            Some(_) => return Sort::Unknown,
            None => {}
        }
        if let Some(constant) = entry_of_table(name) {
            return match constant {
                InTable::Truth => Sort::Bool,
                InTable::Player => Sort::Player,
                InTable::Piece => Sort::Piece,
                InTable::Direction => Sort::Direction,
            };
        }
        match &**name {
            "queer" => Sort::Player,
            "orthogonal" | "diagonal" | "compass" | "knight" | "hexagonal" => {
                Sort::Set(Box::new(Sort::Direction))
            }
            name if name.ends_with("-position") => Sort::Outcome,
            "on" | "over" | "under" | "upon" | "dud" | "tis" | "tisn" | "pass" | "loony"
                if env.home.is_none() && env.literal.is_none() =>
            {
                Sort::Game
            }
            text if is_downs(text) && env.home.is_none() && env.literal.is_none() => Sort::Game,
            _ => Sort::Unknown,
        }
    }

    fn guess_bracket(&mut self, head: &ast::Expr, env: &Env) -> Sort {
        if self.scope.makes_ruleset(head) {
            return Sort::Position;
        }
        let name = match &*head.kind {
            ExprKind::Name(name) | ExprKind::Call(name, _) => name,
            _ => return Sort::Unknown,
        };
        if let Some(var) = env.var(&name.text) {
            return match &var.sort {
                Sort::List(of) => (**of).clone(),
                _ => Sort::Unknown,
            };
        }
        match self.scope.named(name) {
            Some(Named::Ruleset(_)) => Sort::Position,
            // Outside of boards `v[2]` is the negative of `^[2]`.
            None if &*name.text == "v" && env.home.is_none() && env.literal.is_none() => Sort::Game,
            Some(_) => match self.guess(head, env) {
                Sort::List(of) => *of,
                _ => Sort::Unknown,
            },
            None => Sort::Unknown,
        }
    }

    fn guess_call(&mut self, ident: &Ident, arguments: &[ast::Argument], env: &Env) -> Sort {
        let name = &ident.text;
        if let Some(var) = env.var(name) {
            return match &var.sort {
                Sort::Digits => Sort::Int,
                _ => Sort::Unknown,
            };
        }
        let mut definition = None;
        if let Some(home) = env.home {
            let rules = self.ruleset(home);
            if let Some(state) = rules.state.iter().find(|s| s.name == *name) {
                return state.sort.clone();
            }
            definition = self.scope.insides[home.0 as usize].lets.get(name).copied();
        }
        if &**name == "at" {
            return Sort::Piece;
        }
        if definition.is_none() {
            match self.scope.named(ident) {
                Some(Named::Definition(d)) => definition = Some(d),
                Some(_) => return Sort::Unknown,
                None => {}
            }
        }
        if let Some(d) = definition {
            let sorts = arguments
                .iter()
                .map(|a| (self.guess(&a.value, env), Hint::default()))
                .collect();
            return self.guess_definition(d, sorts);
        }
        // In rules there are no values.
        let rule = matches!(env.around, Around::Rule | Around::Header);
        let row = builtins::find(name);
        let of_games = |r: &&Row| rule && matches!(r.what, builtins::What::Game(_));
        if row.as_ref().is_some_and(of_games) {
            return Sort::Unknown;
        }
        match row.and_then(Row::as_function) {
            Some(f) => f.answer.sort(),
            None => {
                // A state function of a position: `pebbles(P, g, v)`. Where the ruleset of the position is not known, all that
                // have a state of this name must agree.
                let own = arguments.first();
                let own = own.and_then(|a| self.guess_ruleset(&a.value, env));
                let own = own.map(|id| self.ruleset(id));
                let of = |r: &Ruleset| {
                    r.state
                        .iter()
                        .find(|s| s.name == *name)
                        .map(|s| s.sort.clone())
                };
                if let Some(sort) = own.as_deref().and_then(of) {
                    return sort;
                }
                let mut all = self.scope.model.rulesets.iter().filter_map(|r| of(r));
                match all.next() {
                    Some(sort) if all.all(|other| other == sort) => sort,
                    _ => Sort::Unknown,
                }
            }
        }
    }

    /// The ruleset of a position that is written out or a variable.
    fn guess_ruleset(&self, e: &ast::Expr, env: &Env) -> Option<RulesetId> {
        match &*e.kind {
            ExprKind::Paren(e) => self.guess_ruleset(e, env),
            ExprKind::Name(name) => env.var(&name.text)?.hint.ruleset,
            ExprKind::Bracket(head, _) => match self.scope.named(self.scope.bottom(head)?)? {
                Named::Ruleset(id) => Some(id),
                _ => None,
            },
            _ => None,
        }
    }

    /// The sort of a definition, given the sorts of its arguments.
    fn guess_definition(&mut self, d: u32, arguments: Vec<(Sort, Hint)>) -> Sort {
        let definition = &self.scope.definitions[d as usize];
        if definition.position {
            return Sort::Position;
        }
        let key = (d, arguments);
        if let Some(sort) = self.guesses.get(&key) {
            return sort.clone();
        }
        if self.guess_open.contains(&d)
            || self.guesses.len() >= INSTANCES.saturating_add(self.scope.definitions.len())
        {
            return Sort::Unknown;
        }
        let definition = definition.clone();
        let around = if definition.home.is_some() {
            Around::Rule
        } else {
            Around::Definition
        };
        let mut env = Env::new(around, definition.home);
        if let Some(home) = definition.home {
            for p in &self.ruleset(home).parameters {
                env.push(Var {
                    name: p.name.clone(),
                    span: definition.name.span,
                    sort: p.sort.clone(),
                    hint: Hint::default(),
                    parameter: true,
                    used: true,
                    lint: false,
                });
            }
        }
        if !definition.table {
            for (i, p) in definition.lets[0].parameters.iter().enumerate() {
                let sort = match &p.sort {
                    Some(sort) => super::sorts::plain(sort),
                    None => key.1.get(i).map_or(Sort::Unknown, |(s, _)| s.clone()),
                };
                env.push(Var {
                    name: p.name.text.clone(),
                    span: p.name.span,
                    sort,
                    hint: Hint::default(),
                    parameter: true,
                    used: true,
                    lint: false,
                });
            }
        }
        self.guess_open.push(d);
        let sort = self.guess(&definition.lets[0].body, &env);
        self.guess_open.pop();
        self.guesses.insert(key, sort.clone());
        sort
    }
}
