//! Indexes text that could not be parsed by its tokens: names that it defines, recognized by the keywords before them,
//! and uses of known names.

use super::walk::is_constant;
use super::{Builder, DefId, Kind};
use crate::base::{Ident, Span};
use crate::syntax::ast::File;
use crate::syntax::lexer::{Token, TokenKind, join, lex};

/// A token with its text.
#[derive(Clone, Copy)]
struct Word<'t> {
    text: &'t str,
    kind: TokenKind,
    span: Span,
}

impl Word<'_> {
    fn is_name(&self) -> bool {
        self.kind == TokenKind::Name
    }

    fn ident(&self) -> Ident {
        Ident::new(self.text, self.span)
    }
}

/// The tokens of a range of text, without blanks and comments.
fn words<'t>(text: &'t str, place: Span) -> Vec<Word<'t>> {
    let base = place.start as usize;
    let mut tokens = lex(text);
    join(text, &mut tokens, &|_, _| true);
    tokens
        .into_iter()
        .filter(|t: &Token| !t.is_trivia())
        .map(|t| Word {
            text: &text[t.range()],
            kind: t.kind,
            span: Span::new(place.file, base + t.start as usize, base + t.end as usize),
        })
        .collect()
}

impl Builder<'_> {
    /// Defines the names of items that could not be read.
    pub(super) fn unread_headings(&mut self, file: &File) {
        for place in &file.unread {
            let text = self.sources.slice(*place).to_owned();
            let all = words(&text, *place);
            let [first, name, ..] = &all[..] else {
                continue;
            };
            let kind = match first.text {
                "let" => Kind::Let,
                "position" => Kind::Position,
                _ => continue,
            };
            // A clause `let` belongs to its ruleset.
            if name.is_name() && !inside_partial(file, *place) {
                self.global(&name.ident(), kind, *place, &[]);
            }
        }
    }

    /// Defines what unreadable clauses of a ruleset declare.
    pub(super) fn unread_declarations(&mut self, id: DefId, file: &File, whole: Span) {
        for place in file.unread.iter().filter(|p| holds(whole, **p)) {
            let text = self.sources.slice(*place).to_owned();
            let all = words(&text, *place);
            let kind = match all.first().map(|w| w.text) {
                Some("pieces") => Kind::Piece,
                Some("players") => Kind::Player,
                Some("state") => Kind::State,
                Some("let") => Kind::Let,
                _ => continue,
            };
            let mut depth = 0usize;
            for pair in all.windows(2) {
                match pair[0].kind {
                    TokenKind::OpenBracket => depth += 1,
                    TokenKind::CloseBracket => depth = depth.saturating_sub(1),
                    _ => {}
                }
                let opens = pair[0].kind == TokenKind::Keyword || pair[0].text == ",";
                if depth == 0 && opens && pair[1].is_name() {
                    self.owner = Some(id);
                    self.member(id, &pair[1].ident(), kind, *place, whole);
                    self.owner = None;
                }
            }
        }
    }

    /// Records the uses in text that could not be read, and the variables that it binds.
    pub(super) fn unread_bodies(&mut self, file: &File) {
        for place in &file.unread {
            let text = self.sources.slice(*place).to_owned();
            let all = words(&text, *place);
            self.home = self.ruleset_around(*place);
            self.spoken.clear();
            self.within(*place, true, |b| b.unread(&all));
            self.home = None;
        }
    }

    /// The ruleset whose text contains a place.
    fn ruleset_around(&self, place: Span) -> Option<DefId> {
        self.index
            .definitions()
            .find(|(_, d)| d.kind == Kind::Ruleset && holds(d.whole, place))
            .map(|(id, _)| id)
    }

    fn unread(&mut self, all: &[Word<'_>]) {
        let word = |i: usize| all.get(i).map_or("", |w| w.text);
        let definition = matches!(word(0), "let" | "position");
        // Whether the current tokens are binders, and the bracket depth at which they began.
        let mut binding: Option<usize> = None;
        let mut depth = 0usize;
        for (i, w) in all.iter().enumerate() {
            match w.kind {
                TokenKind::OpenBracket => depth += 1,
                TokenKind::CloseBracket => {
                    depth = depth.saturating_sub(1);
                    binding = binding.filter(|d| *d <= depth);
                }
                TokenKind::Keyword => match w.text {
                    "choose" | "for" | "all" | "some" | "no" | "each" => binding = Some(depth),
                    "where" | "then" | "in" => {
                        binding = binding.filter(|_| w.text == "in");
                    }
                    _ => {}
                },
                TokenKind::Sign if w.text == ":" => binding = None,
                TokenKind::Name => {
                    let before = i.checked_sub(1).map_or("", word);
                    self.unread_name(w, before, word(i + 1), binding, definition && depth == 1);
                }
                _ => {}
            }
        }
    }

    fn unread_name(
        &mut self,
        w: &Word<'_>,
        before: &str,
        after: &str,
        binding: Option<usize>,
        in_heading: bool,
    ) {
        let name = w.ident();
        let opens = matches!(
            before,
            "choose"
                | "for"
                | "all"
                | "some"
                | "no"
                | "each"
                | ","
                | "edge"
                | "piece"
                | "("
                | "--"
                | "->"
        );
        let closes = matches!(
            after,
            "in" | "=" | "," | "--" | "->" | "where" | "then" | ":" | ")" | "∈"
        );
        let word = matches!(w.text, "edge" | "piece") && binding.is_some() && opens;
        if word || is_constant(w.text) {
            return;
        }
        if before == "by" && self.lookup(w.text).is_none() {
            self.bind(&name, Kind::Variable);
        } else if binding.is_some() && opens && closes && self.local(w.text).is_none() {
            // Names in brackets of an expression are used, not bound.
            if before == "(" && self.lookup(w.text).is_some() {
                self.mention(&name);
            } else {
                self.bind(&name, Kind::Variable);
            }
        } else if in_heading && matches!(before, "(" | ",") && self.lookup(w.text).is_none() {
            self.bind(&name, Kind::Parameter);
        } else {
            self.mention(&name);
        }
    }
}

fn holds(whole: Span, part: Span) -> bool {
    whole.file == part.file && whole.start <= part.start && part.end <= whole.end
}

fn inside_partial(file: &File, place: Span) -> bool {
    file.partial.iter().any(|i| holds(i.span, place))
}
