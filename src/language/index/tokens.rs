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

/// The places of a file that could not be read, and the partly read rulesets, each in the order of the text.
pub(super) struct Unread {
    places: Vec<Span>,
    partial: Vec<Span>,
}

impl Unread {
    pub(super) fn of(file: &File) -> Unread {
        let mut places = file.unread.clone();
        let mut partial: Vec<Span> = file.partial.iter().map(|i| i.span).collect();
        places.sort_by_key(|s| s.start);
        partial.sort_by_key(|s| s.start);
        Unread { places, partial }
    }

    /// The places within an item.
    fn within(&self, whole: Span) -> impl Iterator<Item = Span> {
        let from = self.places.partition_point(|p| p.start < whole.start);
        let to = self.places.partition_point(|p| p.start <= whole.end);
        let all = self.places.get(from..to).unwrap_or(&[]).iter();
        all.copied().filter(move |p| holds(whole, *p))
    }
}

/// The last of some places in the order of the text, none of which holds another, if it holds `part`.
fn around<T: Copy>(places: &[(Span, T)], part: Span) -> Option<T> {
    let after = places.partition_point(|(s, _)| s.start <= part.start);
    let (whole, found) = places[..after].last()?;
    holds(*whole, part).then_some(*found)
}

impl Builder<'_> {
    /// Defines the names of items that could not be read.
    pub(super) fn unread_headings(&mut self, unread: &Unread) {
        let partial: Vec<(Span, ())> = unread.partial.iter().map(|s| (*s, ())).collect();
        for place in &unread.places {
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
            if name.is_name() && around(&partial, *place).is_none() {
                self.global(&name.ident(), kind, *place, &[]);
            }
        }
    }

    /// Defines what unreadable clauses of a ruleset declare.
    pub(super) fn unread_declarations(&mut self, id: DefId, unread: &Unread, whole: Span) {
        for place in unread.within(whole) {
            let text = self.sources.slice(place).to_owned();
            let all = words(&text, place);
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
                    self.member(id, &pair[1].ident(), kind, place, whole);
                    self.owner = None;
                }
            }
        }
    }

    /// Records the uses in text that could not be read, and the variables that it binds.
    pub(super) fn unread_bodies(&mut self, unread: &Unread) {
        let rulesets = self.index.definitions();
        let mut rulesets: Vec<(Span, DefId)> = rulesets
            .filter(|(_, d)| d.kind == Kind::Ruleset)
            .map(|(id, d)| (d.whole, id))
            .filter(|(s, _)| unread.places.first().is_some_and(|p| p.file == s.file))
            .collect();
        rulesets.sort_by_key(|(s, _)| s.start);
        for place in &unread.places {
            let text = self.sources.slice(*place).to_owned();
            let all = words(&text, *place);
            self.home = around(&rulesets, *place);
            self.spoken.clear();
            self.within(*place, true, |b| b.unread(&all));
            self.home = None;
        }
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
