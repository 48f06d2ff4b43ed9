//! Reads the ruleset and formulas of a search, as written on the command line, into a ruleset ready to be searched.

use super::{NAME, Searched, symmetry};
use crate::base::{FileId, Ident, Span};
use crate::claim::diagnose;
use crate::diagnostic::{Code, Diagnostic, has_errors};
use crate::ir::{self, Board, Evaluator, Frame, Val};
use crate::model::typed::{
    BinderKind, BoardKind, Expr, ExprKind, Form, Place, PositionLiteral, Query, QueryKind, Slot,
};
use crate::session::{Loaded, Session};
use crate::syntax::{ast, parse_conditions};
use std::sync::Arc;

impl Session<'_> {
    /// Reads `Ruleset` or `Ruleset(arguments)` and the formulas of a search.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn to_search(
        &mut self,
        loaded: &mut Loaded,
        ruleset: &str,
        condition: Option<&str>,
        group_by: Option<&str>,
    ) -> Result<Searched, Vec<Diagnostic>> {
        // A board of the right kind; it is only checked, not evaluated.
        let mut first = None;
        let mut complaints = Vec::new();
        for text in [
            format!("options({ruleset}[])"),
            format!("options({ruleset}[\".\"])"),
        ] {
            match self.formula(loaded, &text, "true", QueryKind::Search { first: false }) {
                Ok(query) => {
                    first = Some((text, query));
                    break;
                }
                Err(all) if complaints.is_empty() => complaints = all,
                Err(_) => {}
            }
        }
        let Some((domain, query)) = first else {
            return Err(complaints);
        };
        let (literal, slot) = literal(&query).ok_or_else(|| {
            let message = format!("`{ruleset}` is not a ruleset with its arguments");
            vec![Diagnostic::error(Code::E0552, message)]
        })?;
        let literal = literal.clone();
        let condition = condition
            .map(|text| self.formula(loaded, &domain, text, QueryKind::Search { first: false }))
            .transpose()?;
        let group = group_by
            .map(|text| self.formula(loaded, &domain, text, QueryKind::Table))
            .transpose()?;
        let model = loaded.model.clone();
        let ev = Evaluator::new(&model, &ir::NoHost);
        let mut arguments = Vec::new();
        for e in &literal.arguments {
            let v = ev.eval(e, &mut Frame::default(), ir::Scope::default());
            arguments.push(v.map_err(|f| vec![diagnose(&f)])?);
        }
        let instance = ev
            .instance(literal.ruleset, arguments, Span::default())
            .map_err(|f| vec![diagnose(&f)])?;
        Ok(Searched {
            looks: symmetry::looks(
                &model,
                &instance.rules,
                condition.iter().chain(&group),
                slot,
            ),
            ruleset: instance,
            condition,
            group,
            slot,
        })
    }

    /// Checks formulas about the position at hand, separated by commas.
    fn formula(
        &mut self,
        loaded: &mut Loaded,
        domain: &str,
        text: &str,
        kind: QueryKind,
    ) -> Result<Query, Vec<Diagnostic>> {
        let (file, set) = self.parse(domain)?;
        let text = applied(text);
        let id = self.sources.add("<command line>", &text);
        let (body, diagnostics) = parse_conditions(id, &text);
        let Some(body) = body.filter(|_| !has_errors(&diagnostics)) else {
            return Err(diagnostics);
        };
        let query = ast::Query {
            kind,
            slow: false,
            name: None,
            binders: vec![binder(file, domain, set)],
            condition: None,
            body,
            source: None,
        };
        let span = Span::new(id, 0, text.len());
        loaded.read(|scope| scope.check_query_item(&query, span))
    }

    /// Checks a single board, written in the language, to be searched alone.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn board_to_search(
        &mut self,
        loaded: &mut Loaded,
        searched: &Searched,
        text: &str,
    ) -> Result<Arc<Board>, Vec<Diagnostic>> {
        let kind = searched.ruleset.rules.board;
        let fail = |message: String| vec![Diagnostic::error(Code::E0552, message)];
        let braced = match kind.form() {
            Form::Chains => format!("{} {{ {text} }}", kind.descriptor().name),
            Form::Cells => {
                let read = |t: &str| ir::board::art::parse(t, kind, Span::default());
                if !text.contains('(') {
                    let board = read(text.trim_matches('"')).map_err(|f| vec![diagnose(&f)])?;
                    if board.marks.iter().any(|m| &*m.glyph != "#") {
                        return Err(fail(
                            "the board is written without pieces: walls `#` stay".into(),
                        ));
                    }
                    return Ok(Arc::new(board));
                }
                text.to_owned()
            }
            _ => {
                return Err(fail(
                    "a board of heaps or numbers is not a board to search on".into(),
                ));
            }
        };
        let query = self.expression(loaded, &braced)?;
        let ev = Evaluator::new(&loaded.model, &ir::NoHost);
        let [e] = &query.body[..] else {
            return Err(fail("one board is expected".into()));
        };
        match ev.eval(e, &mut Frame::default(), ir::Scope::default()) {
            Ok(Val::Board(b)) if b.kind != kind => Err(fail(format!(
                "a {} where a {} is expected",
                Board::kind_name(b.kind),
                Board::kind_name(kind)
            ))),
            Ok(Val::Board(b)) if b.marks.is_empty() => Ok(b),
            Ok(Val::Board(_)) => Err(fail("the board is written without pieces".into())),
            Ok(_) => Err(fail(format!("`{text}` is not a board"))),
            Err(fault) => Err(vec![diagnose(&fault)]),
        }
    }

    /// The kind of board that is searched.
    #[must_use]
    pub fn kind_searched(searched: &Searched) -> BoardKind {
        searched.ruleset.rules.board
    }
}

/// `G in domain`
fn binder(file: FileId, domain: &str, set: ast::Expr) -> ast::Binder {
    let span = Span::new(file, 0, domain.len());
    ast::Binder {
        span,
        kind: ast::BinderKind::In(
            ast::Pattern::Name(Ident {
                text: NAME.into(),
                span,
            }),
            set,
        ),
    }
}

/// The position literal in `G in options(R[..])`, and the slot of G.
fn literal(query: &Query) -> Option<(&PositionLiteral, Slot)> {
    let [binder] = &query.binders[..] else {
        return None;
    };
    let BinderKind::In(places, set) = &binder.kind else {
        return None;
    };
    let [Place::New(slot)] = places[..] else {
        return None;
    };
    fn inside(e: &Expr) -> Option<&PositionLiteral> {
        match &*e.kind {
            ExprKind::Position(literal) => Some(literal),
            ExprKind::Game(_, all) => all.iter().find_map(inside),
            _ => None,
        }
    }
    Some((inside(set)?, slot))
}

/// Applies a function of one position that stands alone to the position at hand: `temperature > 1` becomes
/// `temperature(G) > 1`.
fn applied(text: &str) -> String {
    const FUNCTIONS: [&str; 18] = [
        "value",
        "outcome",
        "misere_outcome",
        "nimber",
        "gset",
        "birthday",
        "mean",
        "temperature",
        "left_stop",
        "right_stop",
        "options",
        "is_number",
        "is_integer",
        "is_nimber",
        "is_infinitesimal",
        "is_all_small",
        "atomic_weight",
        "reduced",
    ];
    let mut out = String::with_capacity(text.len() + 8);
    let mut rest = text;
    let mut quoted = false;
    while let Some(c) = rest.chars().next() {
        if c == '"' {
            quoted = !quoted;
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
        if quoted || !(c.is_alphabetic() || c == '_') {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            // Letters directly after a number belong to it.
            if c.is_numeric() {
                let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
                out.push_str(&rest[..end]);
                rest = &rest[end..];
            }
            continue;
        }
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        out.push_str(word);
        if FUNCTIONS.contains(&word) && !after.trim_start().starts_with('(') {
            out.push_str(&format!("({NAME})"));
        }
        rest = after;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::applied;

    #[test]
    fn functions_alone_are_applied() {
        assert_eq!(applied("temperature > 3/2"), "temperature(G) > 3/2");
        assert_eq!(
            applied("value(G) == 1/4 and is_number"),
            "value(G) == 1/4 and is_number(G)"
        );
        assert_eq!(applied("size(options) > 2"), "size(options(G)) > 2");
        assert_eq!(applied("mean (G) = \"value\""), "mean (G) = \"value\"");
    }
}
