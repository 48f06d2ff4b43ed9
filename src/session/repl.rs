//! The interactive conversation. Input: text, piece by piece; output: answers as plain data. A piece is an expression, a
//! position (a bare board where there is one ruleset), or items as in a file. A definition replaces the one of the same name,
//! wherever that was written, so that a rule can be changed and its positions evaluated again. What engines find is kept
//! until a definition changes.

use super::former::Former;
use super::load::Loader;
use super::{Item, Loaded, Session, Settings, World};
use crate::base::{FileId, Sources, with_room};
use crate::claim::card;
use crate::diagnostic::{Code, Diagnostic, has_errors, tidy};
use crate::ir::Position;
use crate::model;
use crate::model::typed::{Query, Sort};
use crate::syntax::ast::{self, ItemKind};
use crate::syntax::lexer::{self, Token, TokenKind};
use crate::syntax::parse_typed;
use std::sync::Arc;

/// The longest piece, in bytes.
pub const LONGEST: usize = 1 << 20;

/// Words that cannot end a piece.
const OPEN_WORDS: [&str; 18] = [
    "choose", "where", "then", "by", "for", "in", "owns", "and", "or", "not", "all", "some", "no",
    "mod", "div", "expect", "hint", "from",
];

/// Whether a bracket or drawn art is unclosed at the end of a text.
#[must_use]
pub fn is_open(text: &str) -> bool {
    let mut depth = 0usize;
    for token in lexer::lex(text) {
        match token.kind {
            TokenKind::OpenBracket => depth += 1,
            TokenKind::CloseBracket => depth = depth.saturating_sub(1),
            TokenKind::Open if text[token.range()].starts_with("\"\"\"") => return true,
            _ => {}
        }
    }
    depth > 0
}

/// Whether a text is complete. It is not, so that more lines are read, if a bracket or drawn art is open, if it ends with a
/// sign or word that must be followed by something, or if it ends in a ruleset without an empty line.
#[must_use]
pub fn is_complete(text: &str) -> bool {
    let tokens = lexer::lex(text);
    let ended = text
        .rsplit_once('\n')
        .is_some_and(|(_, last)| last.trim().is_empty());
    if is_open(text) {
        // Two empty lines abandon an open bracket; within drawn art they are allowed.
        let art = tokens
            .iter()
            .any(|t| t.kind == TokenKind::Open && text[t.range()].starts_with("\"\"\""));
        return !art && text.trim_end_matches([' ', '\t', '\r']).ends_with("\n\n");
    }
    let Some(last) = tokens.iter().rev().find(|t| !t.is_trivia()) else {
        return true;
    };
    let word = &text[last.range()];
    let open_sign = last.kind == TokenKind::Sign
        && matches!(
            word,
            ":" | "," | "=" | ":=" | "->" | "--" | "==" | "+=" | "-=" | ";"
        );
    let open_word =
        matches!(last.kind, TokenKind::Keyword | TokenKind::Name) && OPEN_WORDS.contains(&word);
    // A derived ruleset on one line is complete.
    let items = lexer::items(text, &tokens);
    let body = items.last().is_some_and(|item| {
        let own = &tokens[item.tokens.clone()];
        match item.word {
            Some("ruleset") => !is_derived(text, own),
            // The next line may be its `expect` or its `hint`.
            Some("ask") => true,
            _ => false,
        }
    });
    !(open_sign || open_word || body) || ended
}

/// Whether a ruleset is defined by another one, without changes: `Mine(S) = Other(S)`. The sign stands behind the name and the
/// parameters; any other `=` is part of a clause.
fn is_derived(text: &str, ruleset: &[Token]) -> bool {
    let mut depth = 0usize;
    let mut head = ruleset.iter().filter(|t| !t.is_trivia()).skip(2);
    let sign = head.find(|t| {
        let inside = depth > 0 || t.kind == TokenKind::OpenBracket;
        match t.kind {
            TokenKind::OpenBracket => depth += 1,
            TokenKind::CloseBracket => depth = depth.saturating_sub(1),
            _ => {}
        }
        !inside
    });
    sign.is_some_and(|t| &text[t.range()] == "=") && !head.any(|t| &text[t.range()] == "with")
}

/// The start of the word being typed, which may be completed.
#[must_use]
pub fn word_before(line: &str, at: usize) -> usize {
    let before = line.get(..at).unwrap_or(line);
    before
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_alphanumeric() || matches!(c, '_' | '\''))
        .last()
        .map_or(before.len(), |(i, _)| i)
}

/// The result of entering a piece.
#[derive(Debug, Default)]
pub struct Entered {
    /// The names that were defined, and whether they were defined before.
    pub defined: Vec<(String, bool)>,
    /// The answers, which have already been passed to `each`.
    pub items: Vec<Item>,
    /// The messages.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether a question to the reader was typed; only a quiz asks those.
    pub asked: bool,
}

/// A conversation.
pub struct Repl<'w> {
    pub(super) session: Session<'w>,
    pub(super) loaded: Loaded,
    /// The files as they were read, used files first, with redefined items replaced.
    files: Vec<ast::File>,
    /// Items that were typed and replace nothing in a file.
    typed: ast::File,
    /// The position last asked about.
    last: Option<Arc<Position>>,
    /// The definitions before the last redefinition, or before the file was read again.
    pub(super) former: Option<Former>,
}

/// The name that an item defines.
fn defined(kind: &ItemKind) -> Option<&Arc<str>> {
    match kind {
        ItemKind::Ruleset(r) => Some(&r.name.text),
        ItemKind::Derived(d) => Some(&d.name.text),
        ItemKind::Let(l) | ItemKind::Position(l) => Some(&l.name.text),
        ItemKind::Use(_) | ItemKind::Query(_) | ItemKind::Ask(_) => None,
    }
}

fn nothing() -> ast::File {
    ast::File {
        id: FileId::default(),
        language: None,
        items: Vec::new(),
        broken: Vec::new(),
        broken_count: 0,
        prefix: "".into(),
        again: false,
        unread_uses: false,
        partial: Vec::new(),
        unread: Vec::new(),
    }
}

impl<'w> Repl<'w> {
    /// A conversation with no definitions.
    #[must_use]
    pub fn new(world: &'w dyn World, settings: Settings) -> Repl<'w> {
        Repl {
            session: Session::new(world, settings).keeping(),
            loaded: Loaded::default(),
            files: Vec::new(),
            typed: nothing(),
            last: None,
            former: None,
        }
    }

    /// The session, for messages and progress.
    #[must_use]
    pub fn session(&self) -> &Session<'w> {
        &self.session
    }

    /// The token that cancels the current evaluation.
    #[must_use]
    pub fn cancel(&self) -> crate::game::Cancel {
        self.session.settings.cancel.clone()
    }

    /// Prepares for the next evaluation after one was cancelled: drops its results and replaces the token.
    pub fn renew(&mut self) {
        let memory = self.session.settings.limits.memory;
        self.session.settings.cancel = crate::game::Cancel::with_memory(memory);
        self.session.forget();
    }

    /// Names of rulesets, definitions and positions, in alphabetical order.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.loaded.scope.names().map(str::to_owned).collect()
    }

    /// Replaces all definitions by those of a file. Returns whether it could be read.
    pub fn load(&mut self, name: &str) -> (bool, Vec<Diagnostic>) {
        let mut sources = std::mem::take(&mut self.session.sources);
        let mut loader = Loader::new(
            self.session.world,
            &mut sources,
            &self.session.settings,
            self.session.allowance(),
        );
        let main = loader.main(name);
        let files = loader.files;
        self.session.sources = sources;
        if main.is_none() {
            return (false, files.diagnostics);
        }
        let mut all = files.diagnostics;
        let called = |id: Option<FileId>| {
            let source = self.session.sources.get(id?);
            source.map(|s| s.name.clone())
        };
        let again = called(self.loaded.main).is_some() && called(self.loaded.main) == called(main);
        let typed = std::mem::replace(&mut self.typed, nothing());
        let before = std::mem::replace(&mut self.files, files.parsed);
        self.former = again.then_some(Former {
            files: before,
            typed,
            only_rulesets: false,
        });
        self.last = None;
        all.append(&mut self.check());
        self.loaded.main = main;
        tidy(&mut all);
        (true, all)
    }

    /// Checks all definitions again.
    fn check(&mut self) -> Vec<Diagnostic> {
        let mut files = self.files.clone();
        files.push(self.typed.clone());
        let (scope, found) = model::check(&files);
        self.session.forget();
        self.loaded = Loaded {
            model: Arc::new(scope.model().clone()),
            scope,
            main: self.loaded.main,
            ..Loaded::default()
        };
        found
    }

    /// Reads a piece and answers its queries. Each answer is passed to `each` as soon as it is known.
    pub fn enter(&mut self, text: &str, each: impl FnMut(&Item, &Sources)) -> Entered {
        let mut each = each;
        let mut out = Entered::default();
        if text.len() > LONGEST {
            out.diagnostics.push(Diagnostic::error(
                Code::E0710,
                "this is too long to be typed: load it as a file",
            ));
            return out;
        }
        let text = text.trim_end();
        let tokens = lexer::lex(text);
        let items = lexer::items(text, &tokens);
        if items.is_empty() {
            return out;
        }
        if items[0].word.is_none() {
            self.ask(text.trim(), &mut each, &mut out);
            return out;
        }
        let id = self.session.sources.add("typed", text);
        let (file, mut diagnostics) = parse_typed(id, text);
        if has_errors(&diagnostics) {
            out.diagnostics.append(&mut diagnostics);
            return out;
        }
        let (definitions, rest): (Vec<ast::Item>, Vec<ast::Item>) = file
            .items
            .into_iter()
            .partition(|i| defined(&i.kind).is_some() || matches!(i.kind, ItemKind::Use(_)));
        if !definitions.is_empty() && !self.define(id, definitions, &mut out) {
            return out;
        }
        for item in rest {
            match &item.kind {
                ItemKind::Query(query) => {
                    let read = self
                        .loaded
                        .read(|scope| scope.check_query_item(query, item.span));
                    match read {
                        Ok(query) => self.answer(query, &mut each, &mut out),
                        Err(mut all) => out.diagnostics.append(&mut all),
                    }
                }
                _ => out.asked = true,
            }
        }
        out
    }

    /// Adds definitions, unless they are broken themselves. Returns whether they were added.
    fn define(&mut self, id: FileId, items: Vec<ast::Item>, out: &mut Entered) -> bool {
        let before = (self.files.clone(), self.typed.clone());
        let mut names: Vec<(String, bool)> = Vec::new();
        let mut used = Vec::new();
        let only_rulesets = items
            .iter()
            .all(|i| matches!(i.kind, ItemKind::Ruleset(_) | ItemKind::Derived(_)));
        for item in items {
            let Some(name) = defined(&item.kind).cloned() else {
                if let ItemKind::Use(file) = &item.kind {
                    used.push(file.clone());
                }
                continue;
            };
            // The entries of a table stay together.
            if names.last().is_some_and(|n| n.0 == *name) {
                self.beside(&name, item);
                continue;
            }
            let again = self.replace(&name, item);
            names.push((name.to_string(), again));
        }
        for target in used {
            let mut sources = std::mem::take(&mut self.session.sources);
            let mut loader = Loader::new(
                self.session.world,
                &mut sources,
                &self.session.settings,
                self.session.allowance(),
            );
            loader.typed(&target);
            let mut files = loader.files;
            self.session.sources = sources;
            if has_errors(&files.diagnostics) {
                out.diagnostics.append(&mut files.diagnostics);
                (self.files, self.typed) = before;
                return false;
            }
            names.push((format!("what is in {}", target.target.value), false));
            self.files.append(&mut files.parsed);
        }
        let mut found = self.check();
        let own = |d: &Diagnostic| d.is_error() && d.span().is_some_and(|s| s.file == id);
        if found.iter().any(own) {
            // Do not report what it would have broken elsewhere.
            found.retain(|d| d.span().is_some_and(|s| s.file == id));
            (self.files, self.typed) = before;
            self.check();
            out.diagnostics.append(&mut found);
            return false;
        }
        // Warnings about earlier definitions have already been reported.
        found.retain(|d| d.is_error() || d.span().is_some_and(|s| s.file == id));
        out.diagnostics.append(&mut found);
        if names.iter().any(|(_, again)| *again) {
            let (files, typed) = before;
            self.former = Some(Former {
                files,
                typed,
                only_rulesets,
            });
        }
        out.defined = names;
        true
    }

    /// Replaces the definition of that name, or appends the item if there is none. Returns whether there was one.
    fn replace(&mut self, name: &Arc<str>, item: ast::Item) -> bool {
        let mut item = Some(item);
        // Names used under a prefix cannot be redefined.
        let own = self.files.iter_mut().filter(|f| f.prefix.is_empty());
        for file in own.chain([&mut self.typed]) {
            let is = |i: &ast::Item| defined(&i.kind) == Some(name);
            let Some(at) = file.items.iter().position(is) else {
                continue;
            };
            file.items.retain(|i| !is(i));
            if let Some(item) = item.take() {
                file.items.insert(at, item);
            }
        }
        match item {
            None => true,
            Some(item) => {
                self.typed.items.push(item);
                false
            }
        }
    }

    /// Adds an entry to the table of that name.
    fn beside(&mut self, name: &Arc<str>, item: ast::Item) {
        // Names used under a prefix cannot be redefined.
        let own = self.files.iter_mut().filter(|f| f.prefix.is_empty());
        for file in own.chain([&mut self.typed]) {
            let is = |i: &ast::Item| defined(&i.kind) == Some(name);
            if let Some(at) = file.items.iter().rposition(is) {
                file.items.insert(at + 1, item);
                return;
            }
        }
    }

    /// Answers an expression, a position or a bare board.
    fn ask(&mut self, text: &str, each: &mut impl FnMut(&Item, &Sources), out: &mut Entered) {
        let whole = self.session.expression(&mut self.loaded, text);
        let read = match whole {
            Ok(query) => Ok(query),
            // It may be a bare board, or a value in printed form.
            Err(all) => match self.board(text) {
                Some(query) => Ok(query),
                None => self.session.game(&mut self.loaded, text).map_err(|_| all),
            },
        };
        match read {
            Ok(query) => self.answer(query, each, out),
            Err(mut all) => out.diagnostics.append(&mut all),
        }
    }

    /// Reads a bare board; `None` if the text is not one or does not fit.
    fn board(&mut self, text: &str) -> Option<Query> {
        let query = self.session.position(&mut self.loaded, text).ok()?;
        with_room(|| self.session.value_of(&self.loaded, &query)).ok()?;
        Some(query)
    }

    fn answer(&mut self, query: Query, each: &mut impl FnMut(&Item, &Sources), out: &mut Entered) {
        if let [e] = &query.body[..]
            && e.sort == Sort::Position
            && let Ok(position) = with_room(|| self.session.value_of(&self.loaded, &query))
        {
            self.last = Some(position);
        }
        self.loaded.queries = vec![query];
        let loaded = std::mem::take(&mut self.loaded);
        let mut items = self
            .session
            .evaluate(&loaded, |item, sources| each(item, sources));
        self.loaded = loaded;
        self.loaded.queries.clear();
        out.items.append(&mut items);
    }

    /// The position that a command refers to: the one named in `text`, or the last one.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn position(&mut self, text: &str) -> Result<Arc<Position>, Vec<Diagnostic>> {
        let text = text.trim();
        if text.is_empty() {
            return self.last.clone().ok_or_else(|| {
                vec![
                    Diagnostic::error(Code::E0552, "there is no position to speak of yet")
                        .help("type one, or name it after the command: `:why Nim[3, 5]`"),
                ]
            });
        }
        let query = self.session.position(&mut self.loaded, text)?;
        let position = self
            .session
            .value_of(&self.loaded, &query)
            .map_err(|d| vec![d])?;
        self.last = Some(position.clone());
        Ok(position)
    }

    /// The session and its definitions, for a question about a position.
    pub fn parts(&mut self) -> (&mut Session<'w>, &Loaded) {
        (&mut self.session, &self.loaded)
    }

    /// A position as text and as a drawing.
    #[must_use]
    pub fn picture(position: &Position) -> super::Picture {
        card::picture(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Answer, Memory};

    #[test]
    fn a_piece_is_whole_or_waits_for_more() {
        for text in [
            "",
            "Nim[3, 5]",
            "{0|1}",
            "let x = 3",
            "assert 1 = 1",
            "ruleset A = impartial(B)",
            "ruleset A(S: set of nat) = B(S)",
            "ruleset A\n  board heaps\n",
            "Clobber[\"\"\"\nxo\n\"\"\"]",
            "\"open",
            "// only a comment",
            "Nim[3,\n\n",
            ")",
        ] {
            assert!(is_complete(text), "{text:?}");
        }
        for text in [
            "Nim[3,",
            "{0|",
            "let x =",
            "claim \"a\" for n in 1..4:",
            "ruleset A",
            "ruleset A\n  board heaps",
            "ruleset A\n  let x = 1\n  move by p: choose a then remove a",
            "ruleset A\n  board strip\n  pieces x = Left, o = Right",
            "ruleset A(n: nat)\n  board strip\n  let d(p) = east",
            "ruleset A = B with\n  let d = 3",
            "Clobber[\"\"\"\nxo",
            "1 = 1 and",
            "ask \"Which?\"",
        ] {
            assert!(!is_complete(text), "{text:?}");
        }
    }

    const ONE: &str = "ruleset One\n  board heaps\n  move by anyone: choose n then n -> [n - 1]\n\nposition P = One[3]\n";

    fn value(repl: &mut Repl<'_>, text: &str) -> String {
        let entered = repl.enter(text, |_, _| {});
        assert!(entered.diagnostics.is_empty(), "{:?}", entered.diagnostics);
        match &entered.items[0].answer {
            Answer::Value(v) => v.value.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_definition_takes_the_place_of_the_one_of_its_name() {
        let world = Memory::default().with("one.rules", ONE);
        let mut repl = Repl::new(&world, Settings::default());
        assert!(repl.load("one.rules").0);
        assert_eq!(value(&mut repl, "value(P)"), "*");
        // Now a move may leave any smaller heap: P was defined before and now uses the new rule.
        let entered = repl.enter(
            "ruleset One\n  board heaps\n  move by anyone: choose n, k in 0..n-1 then n -> [k]\n",
            |_, _| {},
        );
        assert_eq!(entered.defined, [("One".to_owned(), true)]);
        assert_eq!(value(&mut repl, "value(P)"), "*3");
        // A broken definition is not added.
        let entered = repl.enter(
            "ruleset One\n  board heaps\n  move by p: choose m then q := m\n",
            |_, _| {},
        );
        assert!(has_errors(&entered.diagnostics) && entered.defined.is_empty());
        assert_eq!(value(&mut repl, "value(P)"), "*3");
        repl.enter("let k = 4", |_, _| {});
        repl.enter("let k = 5", |_, _| {});
        assert_eq!(value(&mut repl, "value(One[k])"), "*5");
        assert_eq!(repl.names(), ["One", "P", "k"]);
    }

    #[test]
    fn what_engines_found_is_kept_until_a_definition_changes() {
        let world = Memory::default().with("one.rules", ONE);
        let mut repl = Repl::new(&world, Settings::default());
        repl.load("one.rules");
        value(&mut repl, "outcome(One[4] + One[2])");
        let first = repl.session().statistics().expanded;
        value(&mut repl, "outcome(One[4] + One[2])");
        assert_eq!(repl.session().statistics().expanded, first);
    }
}
