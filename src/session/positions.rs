//! Reads text from the command line (expressions, games, positions, bare boards) into checked queries.

use super::{Loaded, Session};
use crate::base::{FileId, Span};
use crate::diagnostic::{Code, Diagnostic, has_errors};
use crate::model::Side;
use crate::model::typed::{Query, QueryKind, Ruleset, Sort};
use crate::syntax::{ast, parse_entries, parse_expression};

/// The ruleset that a command refers to when none is named: the only ruleset of the main file (or, if it has none, of the
/// files it uses) that satisfies `fits` and needs no arguments.
///
/// # Errors
/// No ruleset qualifies, or several do; the message lists them.
pub fn only_ruleset(
    loaded: &Loaded,
    fits: impl Fn(&Ruleset) -> bool,
    what: &str,
) -> Result<String, Diagnostic> {
    let whole = loaded
        .model
        .rulesets
        .iter()
        .filter(|r| !r.broken && !r.hidden && !loaded.is_former(r));
    let own = whole.clone().filter(|r| Some(r.span.file) == loaded.main);
    let mut all: Vec<_> = own.collect();
    if all.is_empty() {
        all = whole.collect();
    }
    if all.iter().any(|r| fits(r)) {
        all.retain(|r| fits(r));
    }
    match &all[..] {
        [] => Err(Diagnostic::error(Code::E0552, "the file has no ruleset")),
        [one] if one.parameters.is_empty() => Ok(one.name.to_string()),
        [one] => {
            let message = format!("`{}` needs arguments", one.name);
            let help = format!("write them: '{}'", called(one));
            Err(Diagnostic::error(Code::E0552, message).help(help))
        }
        several => {
            let message = format!("the file has several rulesets{what}: say which");
            let names: Vec<String> = several.iter().map(|r| called(r)).collect();
            let help = format!("one of {}", names.join("; "));
            Err(Diagnostic::error(Code::E0552, message).help(help))
        }
    }
}

/// A ruleset with its parameters: `Subtraction(S)`.
fn called(ruleset: &Ruleset) -> String {
    let parameters: Vec<&str> = ruleset.parameters.iter().map(|p| &*p.name).collect();
    match parameters.is_empty() {
        true => ruleset.name.to_string(),
        false => format!("{}({})", ruleset.name, parameters.join(", ")),
    }
}

/// The rulesets that can be played without a prefix and fulfil a condition, in file order. If the main file has any, only
/// those.
fn playable(loaded: &Loaded, fits: impl Fn(&Ruleset) -> bool) -> Vec<String> {
    let all = loaded
        .model
        .rulesets
        .iter()
        .filter(|r| fits(r) && !r.broken && !r.hidden && !loaded.is_former(r));
    let own: Vec<String> = all
        .clone()
        .filter(|r| Some(r.span.file) == loaded.main)
        .map(|r| called(r))
        .collect();
    if own.is_empty() {
        all.map(|r| called(r)).collect()
    } else {
        own
    }
}

/// A text without a ruleset as it stands between brackets, if it can: a board, or art without its quotes.
fn bare(text: &str) -> Option<String> {
    let text = text.trim();
    let (entries, diagnostics) = parse_entries(FileId::default(), text);
    let art =
        text.contains(['.', '|']) && !text.contains(['"', '\\', '(', '{', '<', '>', '=', ',']);
    match text.contains('[') {
        true => None,
        false if entries.is_some() && !has_errors(&diagnostics) => Some(text.to_owned()),
        false => art.then(|| format!("\"{text}\"")),
    }
}

/// What to write instead of a board alone, where the file does not determine its ruleset.
fn whose(loaded: &Loaded, text: &str) -> Diagnostic {
    let d = Diagnostic::error(Code::E0552, format!("`{text}` is not a position"));
    let board = bare(text).unwrap_or_else(|| "..".to_owned());
    let (free, all) = (
        playable(loaded, |r| r.parameters.is_empty()),
        playable(loaded, |_| true),
    );
    match (&free[..], &all[..]) {
        ([first, rest @ ..], _) => {
            let others = match rest {
                [] => String::new(),
                rest => format!(", or another name: {}", rest.join(", ")),
            };
            d.help(format!(
                "the file has several rulesets: write `{first}[{board}]`{others}"
            ))
        }
        ([], [first, ..]) => d.help(format!(
            "its ruleset needs arguments: write `{first}[{board}]`, with a value for each"
        )),
        ([], []) => d.note("the file has no ruleset"),
    }
}

impl<'w> Session<'w> {
    /// Checks an expression against the files, as `eval` does.
    ///
    /// # Errors
    /// What is wrong with the expression.
    pub fn expression(
        &mut self,
        loaded: &mut Loaded,
        text: &str,
    ) -> Result<Query, Vec<Diagnostic>> {
        let (id, expr) = self.parse(text)?;
        let query = ast::Query {
            kind: QueryKind::Eval,
            slow: false,
            name: None,
            binders: Vec::new(),
            condition: None,
            body: vec![expr],
            source: None,
        };
        let span = Span::new(id, 0, text.len());
        loaded.read(|scope| scope.check_query_item(&query, span))
    }

    /// Checks an expression of games against the files: here `*` is star.
    ///
    /// # Errors
    /// What is wrong with the expression.
    pub fn game(&mut self, loaded: &mut Loaded, text: &str) -> Result<Query, Vec<Diagnostic>> {
        let (_, expr) = self.parse(text)?;
        loaded.read(|scope| scope.check_query(&expr, Side::Value))
    }

    pub(super) fn parse(&mut self, text: &str) -> Result<(FileId, ast::Expr), Vec<Diagnostic>> {
        let id = self.sources.add("<command line>", text);
        let (expr, diagnostics) = parse_expression(id, text);
        match expr {
            Some(expr) if !has_errors(&diagnostics) => Ok((id, expr)),
            _ => Err(diagnostics),
        }
    }

    /// Checks a position against the files: a full position, a name, or, where the file has one ruleset, a bare board.
    ///
    /// # Errors
    /// What is wrong with the position.
    pub fn position(&mut self, loaded: &mut Loaded, text: &str) -> Result<Query, Vec<Diagnostic>> {
        let whole = self.expression(loaded, text);
        if let Ok(query) = &whole
            && query.body.iter().all(|e| e.sort == Sort::Position)
        {
            return whole;
        }
        let rulesets = playable(loaded, |r| r.parameters.is_empty());
        if let [ruleset] = &rulesets[..] {
            let board = self.board(loaded, ruleset, text);
            if board.is_ok() {
                return board;
            }
            // Text with brackets or operators is not art.
            if text.contains(['(', '[', '{', '<', '>', '=', ':']) {
                return match whole {
                    Err(complaints) if text.contains('[') => Err(complaints),
                    _ => board,
                };
            }
            // Art may be written without its quotes.
            let quoted = format!("\"{}\"", text.replace(['"', '\\'], ""));
            let art = self.board(loaded, ruleset, &quoted);
            if art.is_ok() {
                return art;
            }
            // Report the fault of the reading that the text resembles: a full position, art, or a board.
            return match whole {
                Err(complaints) if text.contains('[') => Err(complaints),
                _ if text.contains(['|', '.']) && !text.contains("..") => art,
                _ => board,
            };
        }
        // An expression that was read is no board alone.
        let (expr, diagnostics) = parse_expression(FileId::default(), text);
        let is_read = expr.is_some() && !has_errors(&diagnostics);
        match whole {
            Err(complaints) if is_read || bare(text).is_none() => Err(complaints),
            _ => Err(vec![whose(loaded, text)]),
        }
    }

    /// As [`Session::position`]; if the text is not a position, accepts a question about one, for example `outcome(Nim[3])`.
    ///
    /// # Errors
    /// What is wrong with the text as a position.
    pub fn position_or_question(
        &mut self,
        loaded: &mut Loaded,
        text: &str,
    ) -> Result<Query, Vec<Diagnostic>> {
        self.position(loaded, text).or_else(|complaints| {
            // A number alone is a heap.
            let number = text.trim().bytes().all(|b| b.is_ascii_digit());
            let asks = |query: &Query| {
                let mut sorts = query.body.iter().map(|e| &e.sort);
                !number && sorts.all(|sort| !matches!(sort, Sort::Board | Sort::Text))
            };
            self.expression(loaded, text)
                .ok()
                .filter(asks)
                .ok_or(complaints)
        })
    }

    /// A bare board of a ruleset.
    pub(super) fn board(
        &mut self,
        loaded: &mut Loaded,
        ruleset: &str,
        text: &str,
    ) -> Result<Query, Vec<Diagnostic>> {
        let id = self.sources.add("<command line>", text);
        let (entries, diagnostics) = parse_entries(id, text);
        let Some(entries) = entries.filter(|_| !has_errors(&diagnostics)) else {
            return Err(diagnostics);
        };
        let span = Span::new(id, 0, text.len());
        loaded.read(|scope| scope.check_board(Some(ruleset), &[], &entries, span))
    }
}
