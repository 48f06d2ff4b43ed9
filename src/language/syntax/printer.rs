//! Prints trees as text that parses to the same trees (up to places): parse(print(t)) = t for every parsed tree t.
//! Written parentheses are nodes of the tree and are printed; where a tree built otherwise needs more, they are added.

use super::ast::{
    Ask, AskAnswer, AssignOp, BinaryOp, Binder, BinderKind, Clause, ClauseKind, Compact, Effect,
    EffectKind, Entry, Expr, ExprKind, File, Item, ItemKind, Let, Link, Move, Node, Parameter,
    Pattern, Quantifier, Query, QueryKind, Ruleset, SortName, SourceNote, Stage, StarNote, Tag,
    Text, UnaryOp, UpCount,
};
use std::fmt::Write;

/// A whole file.
#[must_use]
pub fn print_file(file: &File) -> String {
    let mut out = String::new();
    if let Some((version, _)) = file.language {
        let _ = writeln!(out, "language {version}\n");
    }
    for (i, item) in file.items.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        out.push_str(&print_item(item));
    }
    out
}

/// One item, with its documentation; ends with a newline.
#[must_use]
pub fn print_item(item: &Item) -> String {
    let mut p = Printer::default();
    for line in &item.doc {
        p.doc(line, "");
    }
    match &item.kind {
        ItemKind::Use(used) => {
            p.out.push_str("use ");
            p.text(&used.target);
            if let Some(name) = &used.name {
                let _ = write!(p.out, " as {}", name.text);
            }
        }
        ItemKind::Ruleset(ruleset) => p.ruleset(ruleset),
        ItemKind::Derived(derived) => {
            let _ = write!(p.out, "ruleset {}", derived.name.text);
            p.parameters(&derived.parameters);
            p.out.push_str(" = ");
            p.expr(&derived.body);
        }
        ItemKind::Let(binding) => {
            p.out.push_str("let ");
            p.binding(binding);
        }
        ItemKind::Position(binding) => {
            p.out.push_str("position ");
            p.binding(binding);
        }
        ItemKind::Query(query) => p.query(query),
        ItemKind::Ask(ask) => p.ask(ask),
    }
    p.out.push('\n');
    p.out
}

/// One expression.
#[must_use]
pub fn print_expr(expr: &Expr) -> String {
    let mut p = Printer::default();
    p.expr(expr);
    p.out
}

/// The entries of a board, as between its brackets.
#[must_use]
pub fn print_entries(entries: &[Entry]) -> String {
    let mut p = Printer::default();
    p.entries(entries);
    p.out
}

/// One clause of a ruleset, without indentation.
#[must_use]
pub fn print_clause(clause: &Clause) -> String {
    let mut p = Printer::default();
    p.clause(clause);
    p.out
}

const OR: u8 = 1;
const AND: u8 = 3;
const NOT: u8 = 5;
const COMPARE: u8 = 7;
const SIDES: u8 = 8;
const COLON: u8 = 9;
const RANGE: u8 = 11;
const SUM: u8 = 13;
const PRODUCT: u8 = 15;
const PREFIX: u8 = 17;
const POWER: u8 = 20;
const TAG: u8 = 30;
const OPERAND: u8 = 40;

fn strength(op: BinaryOp) -> u8 {
    use BinaryOp as B;
    match op {
        B::Comma | B::Arc => 0,
        B::Or => OR,
        B::And => AND,
        B::Is
        | B::IsNot
        | B::Equal
        | B::Less
        | B::LessEqual
        | B::Greater
        | B::GreaterEqual
        | B::In
        | B::Owns => COMPARE,
        B::Sides => SIDES,
        B::Range => RANGE,
        B::Add | B::Subtract | B::PlusMinus => SUM,
        B::Multiply | B::Slash | B::Mod | B::Div => PRODUCT,
        B::Power => POWER,
    }
}

/// The sign of an infix operation, as written.
#[must_use]
pub fn sign(op: BinaryOp) -> &'static str {
    use BinaryOp as B;
    match op {
        B::Comma => ",",
        B::Or => "or",
        B::And => "and",
        B::Is => "=",
        B::IsNot => "!=",
        B::Equal => "==",
        B::Less => "<",
        B::LessEqual => "<=",
        B::Greater => ">",
        B::GreaterEqual => ">=",
        B::In => "in",
        B::Owns => "owns",
        B::Sides => "&",
        B::Range => "..",
        B::Add => "+",
        B::Subtract => "-",
        B::PlusMinus => "+-",
        B::Multiply => "*",
        B::Slash => "/",
        B::Mod => "mod",
        B::Div => "div",
        B::Power => "^",
        B::Arc => "->",
    }
}

#[derive(Default)]
struct Printer {
    out: String,
    /// Inside a board's bracket, where the colon of `B:x` binds most tightly.
    in_entry: bool,
}

impl Printer {
    fn doc(&mut self, line: &str, indent: &str) {
        let blank = if line.is_empty() { "" } else { " " };
        let _ = writeln!(self.out, "{indent}///{blank}{line}");
    }

    fn text(&mut self, text: &Text) {
        if text.value.contains('\n') && !text.value.contains("\"\"\"") {
            let _ = write!(self.out, "\"\"\"{}\"\"\"", text.value);
            return;
        }
        let escaped = text.value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = write!(self.out, "\"{escaped}\"");
    }

    fn list<T>(&mut self, items: &[T], mut each: impl FnMut(&mut Printer, &T)) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            each(self, item);
        }
    }

    // Items and clauses.

    fn ruleset(&mut self, ruleset: &Ruleset) {
        let _ = write!(self.out, "ruleset {}", ruleset.name.text);
        self.parameters(&ruleset.parameters);
        if let Some(parent) = &ruleset.parent {
            self.out.push_str(" = ");
            self.expr(&parent.of);
            self.out.push_str(" with");
            if parent.claims.is_some() {
                self.out.push_str(" claims");
            }
        }
        for clause in &ruleset.clauses {
            self.out.push('\n');
            for line in &clause.doc {
                self.doc(line, "  ");
            }
            self.out.push_str("  ");
            self.clause(clause);
        }
    }

    fn parameters(&mut self, parameters: &[Parameter]) {
        if parameters.is_empty() {
            return;
        }
        self.out.push('(');
        self.list(parameters, |p, parameter| {
            p.out.push_str(&parameter.name.text);
            if let Some(sort) = &parameter.sort {
                p.out.push_str(": ");
                p.sort(sort);
            }
        });
        self.out.push(')');
    }

    fn sort(&mut self, mut sort: &SortName) {
        loop {
            match sort {
                SortName::Name(name) => {
                    self.out.push_str(&name.text);
                    return;
                }
                SortName::Set(inner, _) => {
                    self.out.push_str("set of ");
                    sort = inner;
                }
                SortName::List(inner, _) => {
                    self.out.push_str("list of ");
                    sort = inner;
                }
            }
        }
    }

    fn binding(&mut self, binding: &Let) {
        self.out.push_str(&binding.name.text);
        self.parameters(&binding.parameters);
        self.out.push_str(" = ");
        self.expr(&binding.body);
    }

    fn clause(&mut self, clause: &Clause) {
        match &clause.kind {
            ClauseKind::Board(board) => {
                let _ = write!(self.out, "board {}", board.kind.text);
                if !board.tuple.is_empty() {
                    self.out.push_str(" (");
                    self.list(&board.tuple, |p, name| p.out.push_str(&name.text));
                    self.out.push(')');
                }
                if board.acyclic.is_some() {
                    self.out.push_str(" acyclic");
                }
                if let Some(root) = &board.root {
                    let _ = write!(self.out, " rooted at {}", root.text);
                }
            }
            ClauseKind::Players(players) => {
                self.out.push_str("players ");
                self.list(players, Printer::expr);
            }
            ClauseKind::Pieces(pieces) => {
                self.out.push_str("pieces ");
                if let Some(range) = &pieces.range {
                    self.at_least(range, RANGE);
                }
                self.list(&pieces.pieces, |p, piece| {
                    p.out.push_str(&piece.name.text);
                    for (i, owner) in piece.owners.iter().enumerate() {
                        let _ = write!(
                            p.out,
                            "{}{}",
                            if i == 0 { " = " } else { " or " },
                            owner.text
                        );
                    }
                });
                if pieces.on_edges.is_some() {
                    self.out.push_str(" on edges");
                }
            }
            ClauseKind::State(state) => {
                let _ = write!(self.out, "{} ", clause.kind.word());
                self.list(state, |p, one| {
                    p.out.push_str(&one.name.text);
                    if !one.arguments.is_empty() {
                        p.out.push('(');
                        p.list(&one.arguments, Printer::sort);
                        p.out.push(')');
                    }
                    p.out.push_str(": ");
                    p.sort(&one.sort);
                });
            }
            ClauseKind::Let(bindings) => {
                self.out.push_str("let ");
                self.list(bindings, Printer::binding);
            }
            ClauseKind::Play(how) => {
                let _ = write!(self.out, "play {}", how.text);
            }
            ClauseKind::End(end) => {
                self.out.push_str(end.kind.word());
                if let Some(player) = &end.player {
                    let _ = write!(self.out, " {}", player.text);
                }
                self.out.push_str(" when ");
                self.list(&end.conditions, Printer::expr);
            }
            ClauseKind::Endless(None) => self.out.push_str("endless draw"),
            ClauseKind::Endless(Some(player)) => {
                let _ = write!(self.out, "endless win {}", player.text);
            }
            ClauseKind::Score(e) => {
                self.out.push_str("score ");
                self.expr(e);
            }
            ClauseKind::Move(one) => self.one_move(one),
            ClauseKind::Without(all) => {
                self.out.push_str("without ");
                self.list(all, |p, one| {
                    p.out.push_str(&one.word.text);
                    if let Some(name) = &one.name {
                        let _ = write!(p.out, " {}", name.text);
                    }
                });
            }
        }
    }

    fn one_move(&mut self, one: &Move) {
        self.out.push_str("move ");
        if let Some(label) = &one.label {
            let _ = write!(self.out, "{} ", label.text);
        }
        let _ = write!(self.out, "by {}:", one.by.text);
        for stage in &one.stages {
            self.stage(stage);
        }
    }

    fn stage(&mut self, stage: &Stage) {
        if stage.repeat {
            self.out.push_str("\n    repeat");
        }
        if !stage.binders.is_empty() {
            self.out.push_str("\n    choose ");
            self.list(&stage.binders, Printer::binder);
        }
        if !stage.conditions.is_empty() {
            self.out.push_str("\n    where  ");
            self.list(&stage.conditions, Printer::expr);
        }
        if !stage.effects.is_empty() {
            self.out.push_str("\n    then   ");
            self.list(&stage.effects, Printer::effect);
        }
        if !stage.next.is_empty() {
            self.out.push_str("\n    next   ");
            self.list(&stage.next, |p, (name, value)| {
                p.out.push_str(&name.text);
                p.out.push_str(" = ");
                p.expr(value);
            });
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match &effect.kind {
            EffectKind::Assign(left, op, right) => {
                self.expr(left);
                self.out.push_str(match op {
                    AssignOp::Set => " := ",
                    AssignOp::Add => " += ",
                    AssignOp::Subtract => " -= ",
                });
                self.expr(right);
            }
            EffectKind::Remove(sites) => {
                self.out.push_str("remove ");
                self.list(sites, Printer::expr);
            }
            EffectKind::Keep(sites) => {
                self.out.push_str("keep ");
                self.expr(sites);
            }
            EffectKind::Join(u, arc, v) => {
                self.out.push_str("add ");
                self.expr(u);
                self.out.push_str(if *arc { " -> " } else { " -- " });
                self.expr(v);
            }
            EffectKind::Merge(u, v) => {
                self.out.push_str("merge ");
                self.expr(u);
                self.out.push_str(", ");
                self.expr(v);
            }
            EffectKind::Replace(pattern, right) => {
                self.pattern(pattern);
                self.out.push_str(" -> ");
                self.expr(right);
            }
            EffectKind::Each(binders, condition, inner) => {
                self.out.push_str("each ");
                self.list(binders, Printer::binder);
                if let Some(condition) = condition {
                    self.out.push_str(" where ");
                    self.plain(condition);
                }
                self.out.push_str(": ");
                self.effect(inner);
            }
            EffectKind::When(inner, phi) => {
                self.effect(inner);
                self.out.push_str(" when ");
                self.expr(phi);
            }
            EffectKind::Again(when) => {
                self.out.push_str("again");
                if let Some(when) = when {
                    self.out.push_str(" when ");
                    self.expr(when);
                }
            }
            EffectKind::Entail => self.out.push_str("entail"),
        }
    }

    fn query(&mut self, query: &Query) {
        if query.slow {
            self.out.push_str("slow ");
        }
        self.out.push_str(match query.kind {
            QueryKind::Eval => "eval",
            QueryKind::Assert => "assert",
            QueryKind::Claim => "claim",
            QueryKind::Refute => "refute",
            QueryKind::Table => "table",
            QueryKind::Search { first: false } => "search",
            QueryKind::Search { first: true } => "search first",
        });
        if let Some(name) = &query.name {
            self.out.push(' ');
            self.text(name);
        }
        if !query.binders.is_empty() {
            self.out.push_str(" for ");
            self.list(&query.binders, Printer::binder);
        }
        if let Some(condition) = &query.condition {
            self.out.push_str(" where ");
            self.plain(condition);
        }
        self.out.push_str(match query.kind {
            QueryKind::Claim | QueryKind::Refute | QueryKind::Table => ": ",
            QueryKind::Search { .. } => " where ",
            _ => " ",
        });
        self.list(&query.body, Printer::expr);
        if let Some(source) = &query.source {
            self.out.push(' ');
            self.source(source);
        }
    }

    fn source(&mut self, source: &SourceNote) {
        self.out.push_str(if source.program {
            "from program "
        } else {
            "from "
        });
        self.text(&source.text);
    }

    fn ask(&mut self, ask: &Ask) {
        self.out.push_str("ask ");
        self.text(&ask.question);
        match &ask.answer {
            AskAnswer::Expect(e) => {
                self.out.push_str("\n  expect ");
                self.expr(e);
            }
            AskAnswer::Seal(text) => {
                self.out.push_str("\n  seal ");
                self.text(text);
            }
        }
        for hint in &ask.hints {
            self.out.push_str("\n  hint ");
            self.text(hint);
        }
        if let Some(source) = &ask.source {
            self.out.push_str("\n  ");
            self.source(source);
        }
    }

    // Binders.

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Name(name) => self.out.push_str(&name.text),
            Pattern::Tuple(names, _) => {
                self.out.push('(');
                self.list(names, |p, name| p.out.push_str(&name.text));
                self.out.push(')');
            }
        }
    }

    fn binder(&mut self, binder: &Binder) {
        match &binder.kind {
            BinderKind::In(pattern, expr) => {
                self.pattern(pattern);
                self.out.push_str(" in ");
                self.at_least(expr, RANGE);
            }
            BinderKind::Is(pattern, expr) => {
                self.pattern(pattern);
                self.out.push_str(" = ");
                self.at_least(expr, RANGE);
            }
            BinderKind::Function {
                name,
                argument,
                over,
                values,
            } => {
                let _ = write!(self.out, "{}({} in ", name.text, argument.text);
                self.at_least(over, RANGE);
                self.out.push_str(") in ");
                self.at_least(values, RANGE);
            }
            BinderKind::Site(name) => self.out.push_str(&name.text),
            BinderKind::Heap(names) => {
                self.out.push('(');
                self.list(names, |p, name| p.out.push_str(&name.text));
                self.out.push(')');
            }
            BinderKind::Edge(name) => {
                let _ = write!(self.out, "edge {}", name.text);
            }
            BinderKind::Piece(name) => {
                let _ = write!(self.out, "piece {}", name.text);
            }
            BinderKind::Arc(from, to) => {
                let _ = write!(self.out, "{} -> {}", from.text, to.text);
            }
            BinderKind::Line(from, to) => {
                let _ = write!(self.out, "{} -- {}", from.text, to.text);
            }
        }
    }

    fn comprehension(&mut self, binders: &[Binder], condition: Option<&Expr>) {
        self.out.push_str(" for ");
        self.list(binders, Printer::binder);
        if let Some(condition) = condition {
            self.out.push_str(" where ");
            self.expr(condition);
        }
    }

    // Expressions.

    fn expr(&mut self, expr: &Expr) {
        self.at_least(expr, 0);
    }

    /// A condition before a colon: a quantifier or an ordinal sum there needs parentheses.
    fn plain(&mut self, expr: &Expr) {
        if has_colon(expr) {
            self.paren(expr);
        } else {
            self.expr(expr);
        }
    }

    fn paren(&mut self, expr: &Expr) {
        self.out.push('(');
        self.expr(expr);
        self.out.push(')');
    }

    fn strength(&self, expr: &Expr) -> u8 {
        match &*expr.kind {
            ExprKind::Binary(op, ..) => strength(*op),
            ExprKind::Unary(UnaryOp::Not, _) => NOT,
            ExprKind::Unary(..) => PREFIX,
            ExprKind::Quantifier(..) | ExprKind::If(..) => 0,
            ExprKind::Colon(..) if self.in_entry => TAG,
            ExprKind::Colon(..) => COLON,
            _ => OPERAND,
        }
    }

    /// An operand where operators at least as tight as `least` are allowed; in parentheses if it binds more loosely.
    fn at_least(&mut self, expr: &Expr, least: u8) {
        if self.strength(expr) < least {
            self.paren(expr);
        } else {
            self.bare(expr);
        }
    }

    /// A right operand; a prefix sign may be there regardless of its strength.
    fn right(&mut self, expr: &Expr, least: u8) {
        match &*expr.kind {
            ExprKind::Unary(..) | ExprKind::Quantifier(..) => self.bare(expr),
            ExprKind::If(..) if !self.in_entry => self.bare(expr),
            _ => self.at_least(expr, least),
        }
    }

    /// A left operand: must not end in a prefix sign that would include the following text.
    fn left(&mut self, expr: &Expr, least: u8) {
        if open_right(expr) < least {
            self.paren(expr);
        } else {
            self.at_least(expr, least);
        }
    }

    fn inner<T>(&mut self, in_entry: bool, step: impl FnOnce(&mut Printer) -> T) -> T {
        let outside = std::mem::replace(&mut self.in_entry, in_entry);
        let out = step(self);
        self.in_entry = outside;
        out
    }

    fn bare(&mut self, expr: &Expr) {
        match &*expr.kind {
            ExprKind::Name(name) => self.out.push_str(&name.text),
            ExprKind::Integer(n) => {
                let _ = write!(self.out, "{n}");
            }
            ExprKind::Text(text) => self.text(text),
            ExprKind::Compact(compact) => self.compact(compact),
            ExprKind::Paren(inner) => self.paren(inner),
            ExprKind::Tuple(parts) => {
                self.out.push('(');
                self.list(parts, Printer::expr);
                self.out.push(')');
            }
            ExprKind::List(parts) => self.inner(false, |p| {
                p.out.push('[');
                p.list(parts, Printer::expr);
                p.out.push(']');
            }),
            ExprKind::ListFor(head, binders, condition) => self.inner(false, |p| {
                p.out.push('[');
                p.expr(head);
                p.comprehension(binders, condition.as_ref());
                p.out.push(']');
            }),
            ExprKind::Set(parts) => self.inner(false, |p| {
                p.out.push('{');
                p.list(parts, Printer::expr);
                p.out.push('}');
            }),
            ExprKind::SetFor(head, binders, condition) => self.inner(false, |p| {
                p.out.push('{');
                p.expr(head);
                p.comprehension(binders, condition.as_ref());
                p.out.push('}');
            }),
            ExprKind::SetThat(binders, phi) => self.inner(false, |p| {
                p.out.push('{');
                p.list(binders, Printer::binder);
                p.out.push_str(": ");
                p.expr(phi);
                p.out.push('}');
            }),
            ExprKind::Braces(left, right) => self.braces(left, right),
            ExprKind::Knot(label, left, right) => {
                self.out.push_str(&label.text);
                self.braces(left, right);
            }
            ExprKind::Call(name, arguments) => self.inner(false, |p| {
                let _ = write!(p.out, "{}(", name.text);
                p.list(arguments, |p, argument| {
                    if let Some(name) = &argument.name {
                        let _ = write!(p.out, "{}: ", name.text);
                    }
                    p.expr(&argument.value);
                });
                p.out.push(')');
            }),
            ExprKind::Fold(name, head, binders, condition) => self.inner(false, |p| {
                let _ = write!(p.out, "{}(", name.text);
                p.expr(head);
                p.comprehension(binders, condition.as_ref());
                p.out.push(')');
            }),
            ExprKind::Bracket(whole, entries) => {
                self.at_least(whole, OPERAND);
                self.out.push('[');
                self.entries(entries);
                self.out.push(']');
            }
            ExprKind::Board(kind, entries) => {
                let _ = write!(self.out, "{} {{", kind.text);
                if !entries.is_empty() {
                    self.out.push(' ');
                    self.entries(entries);
                    self.out.push(' ');
                }
                self.out.push('}');
            }
            ExprKind::Encoded(kind, text) => {
                let _ = write!(self.out, "{} ", kind.text);
                self.text(text);
            }
            ExprKind::Colon(left, right) => {
                let least = if self.in_entry { TAG } else { COLON };
                self.left(left, least);
                self.out.push(':');
                self.right(right, least + 1);
            }
            ExprKind::Unary(op, inner) => self.unary(*op, inner),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::If(condition, then, other) => {
                self.inner(false, |p| {
                    p.out.push_str("if ");
                    p.expr(condition);
                    p.out.push_str(" then ");
                    p.expr(then);
                    p.out.push_str(" else ");
                });
                self.expr(other);
            }
            ExprKind::Quantifier(quantifier, binders, condition, body) => {
                self.out.push_str(match quantifier {
                    Quantifier::All => "all ",
                    Quantifier::Some => "some ",
                    Quantifier::No => "no ",
                });
                self.list(binders, Printer::binder);
                if let Some(condition) = condition {
                    self.out.push_str(" where ");
                    self.plain(condition);
                }
                self.out.push_str(": ");
                self.expr(body);
            }
        }
    }

    fn braces(&mut self, left: &[Expr], right: &[Expr]) {
        self.inner(false, |p| {
            p.out.push('{');
            p.list(left, Printer::expr);
            p.out.push('|');
            p.list(right, Printer::expr);
            p.out.push('}');
        });
    }

    fn unary(&mut self, op: UnaryOp, inner: &Expr) {
        let (word, least) = match op {
            UnaryOp::Negative => ("-", PREFIX),
            UnaryOp::PlusMinus => ("+-", PREFIX),
            UnaryOp::Not => ("not ", NOT),
        };
        self.out.push_str(word);
        let at = self.out.len();
        self.right(inner, least);
        // `--` is an edge, `-_` is miny: keep the signs apart.
        if op != UnaryOp::Not && self.out[at..].starts_with(['-', '_', '>', '=', '+']) {
            self.out.insert(at, ' ');
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        let power = strength(op);
        match op {
            BinaryOp::Comma => {
                self.expr(left);
                self.out.push_str(", ");
                self.expr(right);
            }
            BinaryOp::Arc => {
                self.expr(left);
                self.out.push_str(" -> ");
                self.expr(right);
            }
            BinaryOp::Power => {
                self.left(left, POWER + 1);
                let plain = |e: &Expr| {
                    matches!(
                        &*e.kind,
                        ExprKind::Name(_) | ExprKind::Paren(_) | ExprKind::Call(..)
                    )
                };
                let number = |e: &Expr| matches!(&*e.kind, ExprKind::Integer(_));
                let glue =
                    plain(left) && (plain(right) || number(right)) || number(left) && plain(right);
                self.out.push_str(if glue { "^" } else { " ^ " });
                self.right(right, POWER);
            }
            BinaryOp::Range => {
                self.left(left, RANGE);
                self.out.push_str("..");
                self.right(right, RANGE + 1);
            }
            _ => {
                // Comparisons do not chain: both operands bind more tightly.
                self.left(left, if power == COMPARE { COMPARE + 1 } else { power });
                let number = |e: &Expr| matches!(&*e.kind, ExprKind::Integer(_));
                let signed = matches!(&*left.kind, ExprKind::Unary(UnaryOp::Negative, inner) if number(inner));
                let fraction = op == BinaryOp::Slash && (number(left) || signed) && number(right);
                if fraction {
                    self.out.push('/');
                } else {
                    let _ = write!(self.out, " {} ", sign(op));
                }
                self.right(right, power + 1);
            }
        }
    }

    fn compact(&mut self, compact: &Compact) {
        if let Some((top, bottom)) = &compact.number {
            let _ = write!(self.out, "{top}");
            if *bottom != 1.into() {
                let _ = write!(self.out, "/{bottom}");
            }
        }
        if let Some(word) = &compact.word {
            self.out.push_str(&word.text);
        }
        if let Some(up) = &compact.up {
            let arrow = if up.down { "v" } else { "^" };
            // `3·↑` without a number keeps its form: `v3` alone would be a name.
            let lone_down = up.down && compact.number.is_none() && compact.star.is_none();
            match &up.count {
                UpCount::Arrows(n) if lone_down => self.out.push_str(&"↓".repeat(*n as usize)),
                UpCount::Arrows(n) => self.out.push_str(&arrow.repeat(*n as usize)),
                UpCount::Times(n) if lone_down => {
                    let _ = write!(self.out, "{n}·↓");
                }
                UpCount::Times(n) => {
                    let _ = write!(self.out, "{arrow}{n}");
                }
                UpCount::Pow(n) => {
                    let _ = write!(self.out, "{arrow}<{n}>");
                }
                UpCount::PowTo(n) if lone_down => {
                    let _ = write!(self.out, "↓[{n}]");
                }
                UpCount::PowTo(n) => {
                    let _ = write!(self.out, "{arrow}[{n}]");
                }
                UpCount::PowOn => {
                    let _ = write!(self.out, "{arrow}<on>");
                }
                UpCount::PowToOn => {
                    let _ = write!(self.out, "{arrow}[on]");
                }
            }
        }
        match &compact.star {
            None => {}
            Some(StarNote::Star) => self.out.push('*'),
            Some(StarNote::Of(expr)) => {
                self.out.push('*');
                match &*expr.kind {
                    ExprKind::Name(_)
                    | ExprKind::Integer(_)
                    | ExprKind::Paren(_)
                    | ExprKind::Tuple(_)
                    | ExprKind::Call(..)
                    | ExprKind::Fold(..) => {
                        self.bare(expr);
                    }
                    _ => self.paren(expr),
                }
            }
        }
    }

    // Boards.

    fn entries(&mut self, entries: &[Entry]) {
        let computed = entries
            .iter()
            .any(|e| !e.binders.is_empty() || e.condition.is_some());
        self.inner(true, |p| {
            for (i, entry) in entries.iter().enumerate() {
                if i > 0 {
                    p.out.push_str(if computed { "; " } else { ", " });
                }
                p.entry(entry);
            }
        });
    }

    fn entry(&mut self, entry: &Entry) {
        self.node(&entry.first);
        for (link, node) in &entry.links {
            match link {
                Link::Arc(_) => self.out.push_str(" -> "),
                Link::Line(_) => self.out.push_str(" -- "),
                Link::Below(_) => self.out.push_str(" < "),
                Link::Above(_) => self.out.push_str(" > "),
                Link::Labelled(label, _, arc) => {
                    self.out.push_str(" -");
                    self.at_least(label, OPERAND);
                    self.out.push_str(if *arc { "-> " } else { "- " });
                }
            }
            self.node(node);
        }
        for node in &entry.more {
            self.out.push_str(", ");
            self.node(node);
        }
        if !entry.binders.is_empty() {
            self.out.push_str(" for ");
            self.inner(false, |p| p.list(&entry.binders, Printer::binder));
        }
        if let Some(condition) = &entry.condition {
            self.out.push_str(" where ");
            self.inner(false, |p| p.expr(condition));
        }
    }

    fn node(&mut self, node: &Node) {
        self.at_least(&node.expr, RANGE);
        match &node.tag {
            None => {}
            Some(Tag::Entailed) => self.out.push('!'),
            Some(Tag::Value(value)) => {
                self.out.push_str(": ");
                self.at_least(value, RANGE);
            }
            Some(Tag::Pieces(pieces)) => {
                let field = matches!(&*node.expr.kind, ExprKind::Call(..))
                    && pieces.len() == 1
                    && pieces[0].0.is_none();
                self.out.push_str(if field { ": " } else { ":" });
                for (i, (count, piece)) in pieces.iter().enumerate() {
                    if i > 0 {
                        self.out.push('+');
                    }
                    if let Some(count) = count {
                        match &*count.kind {
                            ExprKind::Integer(_) | ExprKind::Paren(_) => self.bare(count),
                            _ => self.paren(count),
                        }
                    }
                    self.out.push_str(&piece.text);
                }
            }
        }
    }
}

/// Whether there is a colon or a quantifier outside all brackets.
fn has_colon(expr: &Expr) -> bool {
    match &*expr.kind {
        ExprKind::Colon(..) | ExprKind::Quantifier(..) => true,
        ExprKind::If(_, _, other) => has_colon(other),
        ExprKind::Unary(_, inner) => has_colon(inner),
        ExprKind::Binary(_, left, right) => has_colon(left) || has_colon(right),
        _ => false,
    }
}

/// How loosely the prefix sign at the right end binds, if there is one.
fn open_right(expr: &Expr) -> u8 {
    match &*expr.kind {
        ExprKind::Quantifier(..) | ExprKind::If(..) => 0,
        ExprKind::Unary(UnaryOp::Not, inner) => NOT.min(open_right(inner)),
        ExprKind::Unary(_, inner) => PREFIX.min(open_right(inner)),
        ExprKind::Binary(_, _, right) | ExprKind::Colon(_, right) => open_right(right),
        _ => OPERAND,
    }
}
