//! Loads texts and files for tests: checked models and positions.
#![allow(dead_code)]

use cgdsl::base::Sources;
use cgdsl::diagnostic::{Diagnostic, one_line};
use cgdsl::game::Player;
use cgdsl::ir::{
    Evaluator, Fault, Frame, Host, Int, NoHost, Position, Res, Scope, Val, draw, naive,
};
use cgdsl::model::typed::{GameFunction, GameOp, Model};
use cgdsl::syntax::{ast, parse_file};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Checks a text. Returns the messages if there are errors.
pub fn try_load(text: &str) -> Result<Arc<Model>, String> {
    load_all(&[("test.rules".into(), text.into())])
}

/// Checks a text that must have no errors.
pub fn load(text: &str) -> Arc<Model> {
    try_load(text).unwrap_or_else(|e| panic!("{e}\nin\n{text}"))
}

/// Checks a file of the project and the files it uses.
pub fn load_file(path: &Path) -> Result<Arc<Model>, String> {
    let mut texts = Vec::new();
    collect(path, &mut texts)?;
    load_all(&texts)
}

/// Checks a text as if it were the content of that file.
pub fn load_text_as(path: &Path, text: &str) -> Result<Arc<Model>, String> {
    let mut texts = Vec::new();
    collect(path, &mut texts)?;
    texts.pop();
    texts.push((path.display().to_string(), text.to_owned()));
    load_all(&texts)
}

fn collect(path: &Path, texts: &mut Vec<(String, String)>) -> Result<(), String> {
    let name = path.display().to_string();
    if texts.iter().any(|(n, _)| *n == name) {
        return Ok(());
    }
    let text = std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
    let mut sources = Sources::default();
    let (file, _) = parse_file(sources.add(&name, &text), &text);
    let folder = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    for item in &file.items {
        if let ast::ItemKind::Use(used) = &item.kind {
            collect(&folder.join(&*used.target.value), texts)?;
        }
    }
    texts.push((name, text));
    Ok(())
}

fn load_all(texts: &[(String, String)]) -> Result<Arc<Model>, String> {
    let mut sources = Sources::default();
    let mut messages: Vec<Diagnostic> = Vec::new();
    let mut files = Vec::new();
    for (name, text) in texts {
        let (file, more) = parse_file(sources.add(name, text), text);
        messages.extend(more);
        files.push(file);
    }
    let (scope, more) = cgdsl::model::check(&files);
    messages.extend(more);
    let errors: Vec<String> = messages
        .iter()
        .filter(|d| d.is_error())
        .map(|d| one_line(d, &sources))
        .collect();
    if errors.is_empty() {
        Ok(Arc::new(scope.model().clone()))
    } else {
        Err(errors.join("\n"))
    }
}

/// The results of the queries of a file; of the functions that need an engine, only `moves` is answered.
pub fn answers(model: &Model) -> Vec<Res<Val>> {
    let host = MovesOnly(model);
    let mut all = Vec::new();
    for q in model.queries.iter().filter(|q| q.binders.is_empty()) {
        for e in &q.body {
            let ev = Evaluator::new(model, &host);
            all.push(ev.eval(e, &mut Frame::default(), Scope::default()));
        }
    }
    all
}

/// The positions among the answers; faults panic.
pub fn positions(model: &Model) -> Vec<Arc<Position>> {
    let all = answers(model).into_iter();
    all.filter_map(|v| match v {
        Ok(Val::Position(p)) => Some(p),
        Ok(_) => None,
        // Queries that need an engine are skipped.
        Err(f) if f.code == cgdsl::ir::Code::Host => None,
        Err(f) => panic!("{f} ({:?})", f.span),
    })
    .collect()
}

/// A host that answers `moves` only.
pub struct MovesOnly<'m>(pub &'m Model);

impl Host for MovesOnly<'_> {
    fn game(&self, op: &GameOp, args: &[Val], span: cgdsl::base::Span) -> Res<Val> {
        match (op, args) {
            (GameOp::Function(GameFunction::Moves), [Val::Position(p)]) => {
                let ev = Evaluator::new(self.0, &NoHost);
                for k in 0..p.players() {
                    naive::moves(&ev, p, Player(k))?;
                }
                Ok(Val::Report(0))
            }
            _ => NoHost.game(op, args, span),
        }
    }

    fn born(&self, day: &Int, span: cgdsl::base::Span) -> Res<Val> {
        NoHost.born(day, span)
    }
}

/// The options of a player, as literals in order.
pub fn options(model: &Model, p: &Position, player: Player) -> Result<Vec<String>, Box<Fault>> {
    let ev = Evaluator::new(model, &NoHost);
    let mut all: Vec<String> = naive::moves(&ev, p, player)?
        .iter()
        .map(|m| draw::literal(&m.position))
        .collect();
    all.sort();
    Ok(all)
}
