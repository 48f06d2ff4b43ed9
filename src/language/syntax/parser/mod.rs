//! Parses an item's tokens into its tree, or into diagnostics that say why there is none. The only user of pest.
//!
//! Each item is parsed alone, so one run reports every broken item and keeps the good ones. Before pest runs, the tokens
//! show that strings are closed and that brackets match and nest at most [`MAX_BRACKETS`] deep; long plain brackets (edge
//! lists, heaps) are read from the tokens by [`long`] and cut out. Pest returns a flat list of operands and signs, to
//! which [`expr`] applies precedence. No tree is deeper than [`MAX_DEPTH`].

mod check;
mod entries;
mod explain;
mod expr;
mod habits;
mod items;
mod long;
mod strange;
mod value;

pub(crate) use expr::conditions_with_sides;

use super::ast::{Entry, Expr, ExprKind, File, Item, ItemKind, Ruleset};
use super::lexer::{self, RawItem, Token};
use crate::base::{FileId, Ident, Span, with_room};
use crate::diagnostic::{Code, Diagnostic, tidy};
use cgdsl_grammar::pest::Parser;
use cgdsl_grammar::pest::iterators::Pair;
use cgdsl_grammar::{Grammar, Rule};
use std::collections::VecDeque;
use std::sync::Arc;

/// How deep brackets may nest.
pub const MAX_BRACKETS: usize = 128;
/// How deep an expression may be; a sum of n terms is n deep.
pub const MAX_DEPTH: usize = 256;
/// How many operators an expression may have between two commas. Far fewer already exceed [`MAX_DEPTH`]; this limit
/// rejects the expression before a tree is built.
const MAX_OPERATORS: usize = 50_000;
/// How many digits an integer may have.
const MAX_DIGITS: usize = 10_000;
/// Items nested deeper than this are parsed on a stack that is large enough for all depths.
const SHALLOW: usize = 12;

/// The result of a building step, or what is wrong with the item.
type Build<T> = Result<T, Box<Diagnostic>>;

/// Reads a whole file. Broken items are reported and left out.
#[must_use]
pub fn parse_file(file: FileId, text: &str) -> (File, Vec<Diagnostic>) {
    parse_file_while(file, text, &mut |_| true)
}

/// As [`parse_file`]; before each item, `go_on` gets the number of its tokens, and reading stops if it returns false.
#[must_use]
pub fn parse_file_while(
    file: FileId,
    text: &str,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> (File, Vec<Diagnostic>) {
    read_file(file, text, &lexer::lex(text), go_on)
}

/// Reads text that is typed in addition to files. The names under which these use other files do not occur in the text,
/// so any joined name is accepted.
#[must_use]
pub fn parse_typed(file: FileId, text: &str) -> (File, Vec<Diagnostic>) {
    let mut tokens = lexer::lex(text);
    lexer::join(text, &mut tokens, &|_, name| {
        strange::method(name).is_none()
    });
    read_file(file, text, &tokens, &mut |_| true)
}

fn read_file(
    file: FileId,
    text: &str,
    tokens: &[Token],
    go_on: &mut dyn FnMut(usize) -> bool,
) -> (File, Vec<Diagnostic>) {
    let mut out = File {
        id: file,
        language: None,
        items: Vec::new(),
        broken: Vec::new(),
        broken_count: 0,
        unread_uses: false,
        prefix: "".into(),
        again: false,
        partial: Vec::new(),
        unread: Vec::new(),
    };
    let mut diagnostics = Vec::new();
    let mut waiting: VecDeque<RawItem> = lexer::items(text, tokens).into();
    let used = lexer::names_of_files(text, tokens);
    while let Some(raw) = waiting.pop_front() {
        let source = ItemSource {
            file,
            text,
            tokens: &tokens[raw.tokens.clone()],
            all: tokens,
            used: &used,
        };
        if !go_on(source.tokens.len()) {
            break;
        }
        let before = diagnostics.len();
        let read = read_item(&source, &raw, &mut diagnostics);
        if read.is_none() {
            let parts = source.parts(&raw);
            if parts.len() > 1 {
                // A part that should be an item by itself has broken this one.
                diagnostics.truncate(before);
                parts.into_iter().rev().for_each(|p| waiting.push_front(p));
                continue;
            }
            if diagnostics[before..].iter().any(|d| d.code == Code::E0102) {
                out.leave_unfinished();
            }
        }
        match read {
            Some(Read::Items(kinds)) => {
                let doc: Vec<Arc<str>> = lexer::doc_above(text, tokens, raw.tokens.start)
                    .into_iter()
                    .map(Arc::from)
                    .collect();
                let span = source.span();
                out.items.extend(kinds.into_iter().map(|kind| Item {
                    span,
                    doc: doc.clone(),
                    kind,
                }));
            }
            Some(Read::Language(version, span)) => {
                if !(1..=2).contains(&version) {
                    diagnostics.push(
                        Diagnostic::error(
                            Code::E0120,
                            format!("version {version} of the language is not known here"),
                        )
                        .at(span, "this cgdsl reads `language 1` and `language 2`"),
                    );
                    out.broken_count += 1;
                } else {
                    out.language = Some((version, span));
                }
            }
            None => {
                out.broken_count += 1;
                out.broken.extend(source.defined_names());
                out.unread_uses |= source.uses_a_file();
                match source.partial() {
                    Some((ruleset, unread)) => {
                        out.partial.push(ruleset);
                        out.unread.extend(unread);
                    }
                    None => out.unread.push(source.span()),
                }
            }
        }
    }
    tidy(&mut diagnostics);
    (out, diagnostics)
}

/// The token ranges of items that cannot be read.
pub(super) fn unreadable<'t>(
    text: &'t str,
    tokens: &'t [Token],
    items: &'t [RawItem],
) -> impl Iterator<Item = std::ops::Range<usize>> + 't {
    items.iter().filter_map(move |raw| {
        let source = ItemSource {
            file: FileId::default(),
            text,
            tokens: &tokens[raw.tokens.clone()],
            all: tokens,
            used: &[],
        };
        let read = read_item(&source, raw, &mut Vec::new());
        read.is_none().then(|| raw.tokens.clone())
    })
}

/// Reads one expression (`-e EXPR`, a POSITION on the command line).
#[must_use]
pub fn parse_expression(file: FileId, text: &str) -> (Option<Expr>, Vec<Diagnostic>) {
    parse_whole(file, text, Rule::only_expr, |build, pair| {
        let inner = items::first(pair, Rule::expr)?;
        build.expr(inner)
    })
}

/// Reads conditions separated by commas (`--where` on the command line); all must hold.
#[must_use]
pub fn parse_conditions(file: FileId, text: &str) -> (Option<Vec<Expr>>, Vec<Diagnostic>) {
    parse_whole(file, text, Rule::only_conditions, |build, pair| {
        let inner = items::first(pair, Rule::conditions)?;
        build.conditions(inner)
    })
}

/// Reads a bare board, as inside the brackets of a position: `xox|ox.` in quotes, `3, 5, 6`, `a -- b -- c`.
#[must_use]
pub fn parse_entries(file: FileId, text: &str) -> (Option<Vec<Entry>>, Vec<Diagnostic>) {
    parse_whole(file, text, Rule::only_entries, |build, pair| {
        match pair.into_inner().find(|p| p.as_rule() == Rule::entries) {
            Some(entries) => build.entries(entries),
            None => Ok(Vec::new()),
        }
    })
}

fn parse_whole<T: Send>(
    file: FileId,
    text: &str,
    rule: Rule,
    build: impl Fn(&mut Builder<'_>, Pair<'_, Rule>) -> Build<T> + Sync,
) -> (Option<T>, Vec<Diagnostic>) {
    let mut tokens = lexer::lex(text);
    // No expression of version 1 contains `then`.
    if tokens.iter().any(|t| &text[t.range()] == "then") {
        lexer::reserve(text, &mut tokens);
    }
    lexer::join(text, &mut tokens, &|_, name| {
        strange::method(name).is_none()
    });
    let last = tokens
        .iter()
        .rposition(|t| !t.is_trivia())
        .map_or(0, |i| i + 1);
    let source = ItemSource {
        file,
        text,
        tokens: &tokens[..last],
        all: &tokens,
        used: &[],
    };
    let mut diagnostics = Vec::new();
    let read = source.read(rule, &mut diagnostics, build);
    tidy(&mut diagnostics);
    (read, diagnostics)
}

/// Whether a token in column 1 looks like the beginning of an item, although it is not an item keyword: a definition
/// without its keyword, a misspelt item keyword, a comment of another language.
pub(super) fn opens_item(text: &str, tokens: &[Token], i: usize) -> bool {
    let token = tokens[i];
    let at = token.start as usize;
    if at > 0 && text.as_bytes()[at - 1] != b'\n' {
        return false;
    }
    let slice = &text[token.range()];
    match token.kind {
        lexer::TokenKind::Unknown => matches!(slice, "#" | "%"),
        lexer::TokenKind::Name => {
            let next = tokens[i + 1..].iter().find(|t| !t.is_trivia());
            let defines = next.is_some_and(|t| matches!(&text[t.range()], "=" | ":=" | "("));
            let clause = lexer::CLAUSE_WORDS.contains(&&*slice.to_lowercase());
            !clause && (defines || habits::item_word(slice).is_some())
        }
        _ => false,
    }
}

/// The result of reading an item.
enum Read {
    Items(Vec<super::ast::ItemKind>),
    Language(u32, Span),
}

fn read_item(
    source: &ItemSource<'_>,
    raw: &RawItem,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Read> {
    // After `slow`, the second word decides.
    let word = match raw.word {
        Some("slow") => source.significant().nth(1).map(|t| &source.text[t.range()]),
        other => other,
    };
    let queries = ["eval", "assert", "claim", "refute", "table", "search"];
    if raw.word == Some("slow") && word.is_none_or(|w| !queries.contains(&w)) {
        diagnostics.push(explain::no_item(source, raw.word, word));
        return None;
    }
    let rule = match word {
        Some("use") => Rule::item_use,
        Some("language") => Rule::item_language,
        Some("ruleset") => Rule::item_ruleset,
        Some("let") => Rule::item_let,
        Some("position") => Rule::item_position,
        Some("eval") => Rule::item_eval,
        Some("assert") => Rule::item_assert,
        Some("claim") => Rule::item_claim,
        Some("refute") => Rule::item_refute,
        Some("table") => Rule::item_table,
        Some("search") => Rule::item_search,
        Some("ask") => Rule::item_ask,
        word => {
            let strange = source
                .significant()
                .next()
                .is_some_and(|t| t.kind == lexer::TokenKind::Unknown);
            if !strange || check::check(source, diagnostics).is_some() {
                diagnostics.push(explain::no_item(source, raw.word, word));
            }
            return None;
        }
    };
    let before = diagnostics.len();
    let read = source.read(rule, diagnostics, |build, pair| build.item(pair));
    if read.is_none() && rule == Rule::item_ruleset && diagnostics.len() > before {
        // One broken clause hides the others from pest, so each is parsed alone.
        source.more_broken_clauses(diagnostics, before);
    }
    read
}

/// An item as text and tokens.
struct ItemSource<'a> {
    file: FileId,
    /// The whole file.
    text: &'a str,
    /// The item's tokens.
    tokens: &'a [Token],
    /// The tokens of the file.
    all: &'a [Token],
    /// The names under which the file uses other files.
    used: &'a [&'a str],
}

impl<'a> ItemSource<'a> {
    fn range(&self) -> std::ops::Range<usize> {
        let start = self.tokens.first().map_or(0, |t| t.start as usize);
        start..self.tokens.last().map_or(start, |t| t.end as usize)
    }

    fn span(&self) -> Span {
        let range = self.range();
        Span::new(self.file, range.start, range.end)
    }

    fn span_of(&self, token: Token) -> Span {
        Span::new(self.file, token.start as usize, token.end as usize)
    }

    fn significant(&self) -> impl DoubleEndedIterator<Item = Token> + '_ {
        self.tokens.iter().copied().filter(|t| !t.is_trivia())
    }

    /// Whether only blanks precede it on its line.
    fn first_on_line(&self, token: Token) -> bool {
        let at = token.start as usize;
        let line = self.text[..at].rfind('\n').map_or(0, |i| i + 1);
        self.text[line..at].trim().is_empty()
    }

    /// Whether a clause of a ruleset opens at a token, as the first word of its line.
    fn opens_clause(&self, tokens: &[Token], i: usize) -> bool {
        let next = || tokens[i + 1..].iter().find(|t| !t.is_trivia());
        let named = |t: &&Token| {
            matches!(t.kind, lexer::TokenKind::Keyword | lexer::TokenKind::Name)
                && lexer::opens_clause(self.slice(**t), next().map(|t| self.slice(*t)))
        };
        let token = tokens.get(i).filter(named);
        token.is_some_and(|t| self.first_on_line(*t))
    }

    fn slice(&self, token: Token) -> &'a str {
        &self.text[token.range()]
    }

    /// Splits the item before tokens in column 1 that look like the beginning of an item (see [`opens_item`]).
    fn parts(&self, raw: &RawItem) -> Vec<RawItem> {
        let mut starts = vec![0];
        for (i, token) in self.tokens.iter().enumerate().skip(1) {
            if !token.is_trivia() && opens_item(self.text, self.tokens, i) {
                starts.push(i);
            }
        }
        let ends = starts.iter().skip(1).copied().chain([self.tokens.len()]);
        let first = raw.tokens.start;
        starts
            .iter()
            .zip(ends)
            .map(|(start, end)| {
                let last = (*start..end).rev().find(|i| !self.tokens[*i].is_trivia());
                RawItem {
                    word: raw.word.filter(|_| *start == 0),
                    tokens: first + start..first + last.unwrap_or(*start) + 1,
                }
            })
            .collect()
    }

    /// Whether the item should use another file.
    fn uses_a_file(&self) -> bool {
        let first = self.significant().next();
        first.is_some_and(|t| habits::item_word(self.slice(t)) == Some("use"))
    }

    /// The names by which a file may mean what a broken item would have defined: of `ruleset My-Game` both words, of
    /// `ruleset "My Game"` the two as one.
    fn defined_names(&self) -> Vec<Ident> {
        let mut names: Vec<Ident> = self.defined_name().into_iter().collect();
        let words: Vec<Token> = self.significant().take(20).collect();
        let Some(second) = words.get(1).filter(|_| self.slice(words[0]) == "ruleset") else {
            return names;
        };
        if second.kind == lexer::TokenKind::Text {
            let name = habits::one_word(self.slice(*second));
            names.push(Ident::new(&name, self.span_of(*second)));
        }
        let dashes = words[1..].windows(3).step_by(2);
        let joined = dashes.take_while(|w| {
            self.slice(w[1]) == "-" && w[0].end == w[1].start && w[1].end == w[2].start
        });
        names.extend(joined.map(|w| Ident::new(self.slice(w[2]), self.span_of(w[2]))));
        names
    }

    /// The name that a broken item would have defined.
    fn defined_name(&self) -> Option<Ident> {
        let mut words = self.significant();
        let first = words.next()?;
        let word = habits::item_word(self.slice(first));
        if !matches!(word, Some("ruleset" | "let" | "position")) {
            let next = words.next().map(|t| self.slice(t));
            let defines =
                first.kind == lexer::TokenKind::Name && matches!(next, Some("=" | ":=" | "("));
            return defines.then(|| Ident::new(self.slice(first), self.span_of(first)));
        }
        let name = words.next().filter(|t| t.kind == lexer::TokenKind::Name)?;
        Some(Ident::new(self.slice(name), self.span_of(name)))
    }

    /// Parses the tokens by a rule and builds the result.
    fn read<T: Send>(
        &self,
        rule: Rule,
        diagnostics: &mut Vec<Diagnostic>,
        build: impl Fn(&mut Builder<'_>, Pair<'_, Rule>) -> Build<T> + Sync,
    ) -> Option<T> {
        let before = diagnostics.len();
        let read = check::check(self, diagnostics).and_then(|depth| {
            let run = || self.read_here(rule, &build);
            let result = if depth <= SHALLOW {
                run()
            } else {
                with_room(run)
            };
            result.map_err(|d| diagnostics.push(*d)).ok()
        });
        if read.is_none() && diagnostics.len() == before + 1 {
            let in_ruleset = matches!(rule, Rule::item_ruleset | Rule::only_clauses);
            if let Some(habit) = habits::newer(self, in_ruleset) {
                diagnostics.truncate(before);
                diagnostics.push(habit);
            }
        }
        read
    }

    fn read_here<T>(
        &self,
        rule: Rule,
        build: &impl Fn(&mut Builder<'_>, Pair<'_, Rule>) -> Build<T>,
    ) -> Build<T> {
        let mut prepared = long::prepare(self);
        let parsed = match Grammar::parse(rule, &prepared.text) {
            Ok(mut pairs) => pairs.next(),
            Err(_) if !prepared.cuts.is_empty() => {
                // Explain the error in the text as written.
                prepared = long::whole(self);
                match Grammar::parse(rule, &prepared.text) {
                    Ok(mut pairs) => pairs.next(),
                    Err(error) => return Err(Box::new(explain::explain(self, rule, &error))),
                }
            }
            Err(error) => return Err(Box::new(explain::explain(self, rule, &error))),
        };
        let Some(pair) = parsed else {
            return Err(Box::new(
                Diagnostic::error(Code::E0101, "nothing to read here").at(self.span(), ""),
            ));
        };
        let mut builder = Builder {
            source: self,
            map: &prepared.map,
            cuts: prepared.cuts,
            in_entry: false,
            seen: 0,
        };
        build(&mut builder, pair)
    }

    /// The readable parts of a broken ruleset: its heading and each clause that is correct by itself; and the places of
    /// the other clauses.
    fn partial(&self) -> Option<(Item, Vec<Span>)> {
        let first = self.significant().next()?;
        if self.slice(first) != "ruleset" {
            return None;
        }
        let clauses = check::clauses(self);
        let start = clauses.first().and_then(|c| c.first()).map(|t| t.start);
        let heading = ItemSource {
            tokens: &self.tokens[..start.map_or(self.tokens.len(), |s| {
                self.tokens.partition_point(|t| t.start < s)
            })],
            ..*self
        };
        let mut quiet = Vec::new();
        let read = heading.read(Rule::item_ruleset, &mut quiet, |build, pair| {
            build.item(pair)
        });
        let mut ruleset = match read {
            Some(Read::Items(kinds)) => match kinds.into_iter().next() {
                Some(ItemKind::Ruleset(r)) => r,
                _ => return None,
            },
            _ => Ruleset {
                name: self.defined_name()?,
                parameters: Vec::new(),
                parent: None,
                clauses: Vec::new(),
            },
        };
        let mut unread = Vec::new();
        for tokens in clauses {
            let clause = ItemSource { tokens, ..*self };
            let read = clause.read(Rule::only_clauses, &mut quiet, |build, pair| {
                build.clauses(pair.into_inner())
            });
            match read {
                Some(found) => ruleset.clauses.extend(found),
                None => unread.push(clause.span()),
            }
        }
        let item = Item {
            span: self.span(),
            doc: Vec::new(),
            kind: ItemKind::Ruleset(ruleset),
        };
        Some((item, unread))
    }

    /// Reports further broken clauses of a ruleset that is known to have one. The diagnostics from `first` on are about it.
    fn more_broken_clauses(&self, diagnostics: &mut Vec<Diagnostic>, first: usize) {
        let known = diagnostics[first..].iter().filter_map(Diagnostic::span);
        let known: Vec<Span> = known.collect();
        for tokens in check::clauses(self) {
            let clause = ItemSource { tokens, ..*self };
            let range = clause.range();
            let reported = known.iter().any(|s| {
                s.file == self.file
                    && range.start <= s.start as usize
                    && s.start as usize <= range.end
            });
            if !reported {
                clause.read(Rule::only_clauses, diagnostics, |build, pair| {
                    build.clauses(pair.into_inner()).map(|_| ())
                });
            }
        }
    }
}

/// The contents of a long bracket.
enum Cut {
    Entries(Vec<Entry>),
    List(Vec<Expr>),
}

/// Builds trees from pest's pairs.
struct Builder<'a> {
    source: &'a ItemSource<'a>,
    /// Places in the text given to pest, each with the corresponding place in the file; ascending.
    map: &'a [(usize, usize)],
    /// Brackets that were cut out, by the place of their mark in the text given to pest.
    cuts: Vec<(usize, Option<Cut>)>,
    /// Inside a board's bracket, where `B:x` is a tag, not an ordinal sum.
    in_entry: bool,
    /// The depth of the expressions built since the enclosing operand began.
    seen: usize,
}

impl Builder<'_> {
    /// The place in the file for a place in the text given to pest.
    fn place(&self, at: usize) -> usize {
        let i = self.map.partition_point(|m| m.0 <= at).max(1) - 1;
        self.map
            .get(i)
            .map_or(at, |(from, to)| to + (at - from.min(&at)))
    }

    /// The span of a pair, without trailing trivia, which pest includes.
    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        let start = self.place(span.start());
        let end = self.place(span.end());
        let tokens = self.source.tokens;
        let mut i = tokens.partition_point(|t| (t.start as usize) < end);
        while i > 0 {
            let token = tokens[i - 1];
            if !token.is_trivia() {
                return Span::new(
                    self.source.file,
                    start,
                    end.min(token.end as usize).max(start),
                );
            }
            i -= 1;
        }
        Span::new(self.source.file, start, end.max(start))
    }

    fn ident(&self, pair: &Pair<'_, Rule>) -> Ident {
        Ident::new(pair.as_str().trim_end(), self.span(pair))
    }

    fn take_cut(&mut self, pair: &Pair<'_, Rule>) -> Option<Cut> {
        let at = pair.as_span().start();
        let i = self.cuts.binary_search_by_key(&at, |c| c.0).ok()?;
        self.cuts[i].1.take()
    }

    /// An internal error: the grammar returned a pair that the builder does not expect.
    fn unexpected<T>(&self, pair: &Pair<'_, Rule>) -> Build<T> {
        Err(Box::new(
            Diagnostic::error(
                Code::E0101,
                format!("cannot read this ({:?})", pair.as_rule()),
            )
            .at(self.span(pair), ""),
        ))
    }
}

/// An expression at a place.
fn node(span: Span, kind: ExprKind) -> Expr {
    Expr {
        span,
        kind: Box::new(kind),
    }
}
