//! Completion, hover and signature help, for editors and the page. Input: a text, a place in it, and the index of its
//! files; output: what may be written there, what the name there means, and the signature of the function around it.
//!
//! A text is mostly unfinished while someone types, so the place is classified by its tokens: the item, the line, the
//! words before it. Suggestions whose sort fits the place come first.

use super::reference::{Entry, described, term_at};
use super::shipped;
use crate::base::{FileId, Sources};
use crate::index::{Definition, Index, Kind};
use crate::model::builtins::{Row, Takes, What, find, table};
use crate::syntax::lexer::{
    CLAUSE_WORDS, END_WORDS, ITEM_WORDS, RESERVED_2, STAGE_WORDS, Token, TokenKind, items, lex,
    names_of_files, version,
};
use std::ops::Range;

/// What may be written at a place.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Completions {
    /// The range that a completion replaces: the word being typed.
    pub replaces: Range<usize>,
    /// The completions, likeliest first.
    pub all: Vec<Completion>,
}

/// One completion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// The text to insert.
    pub text: String,
    /// What it is: `ruleset`, `variable`, `function`, `keyword`, `file`, ..
    pub what: &'static str,
    /// The signature, or a short description.
    pub detail: String,
    /// The documentation.
    pub doc: String,
    /// Whether it is defined in the files rather than by the language.
    pub own: bool,
    /// Smaller is likelier.
    pub rank: u8,
}

/// What a name means.
#[derive(Clone, PartialEq, Debug)]
pub struct Meaning {
    /// The range of the name.
    pub place: Range<usize>,
    /// The name.
    pub name: String,
    /// Its kind, see [`Completion::what`].
    pub what: &'static str,
    /// The signature, or the line that defines the name.
    pub signature: String,
    /// The documentation.
    pub doc: String,
    /// The entries of the reference; empty for names defined in the files.
    pub entries: Vec<Entry>,
}

/// The signature of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// `reach(G, v)`
    pub signature: String,
    /// The byte ranges of the arguments in `signature`.
    pub arguments: Vec<Range<usize>>,
    /// The documentation.
    pub doc: String,
}

/// The kind of a definition, as a word.
#[must_use]
pub fn what(kind: Kind) -> &'static str {
    match kind {
        Kind::Ruleset => "ruleset",
        Kind::Let => "definition",
        Kind::Position => "position",
        Kind::Parameter => "parameter",
        Kind::Variable => "variable",
        Kind::Piece => "piece",
        Kind::State => "state",
        Kind::Player => "player",
        Kind::Root => "root",
        Kind::Move => "move",
        Kind::Site => "site",
        Kind::Claim => "claim",
    }
}

/// A place in one of the files.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// The names defined in the files.
    pub index: &'a Index,
    /// Their texts.
    pub sources: &'a Sources,
    /// The file.
    pub file: FileId,
    /// The offset in bytes.
    pub byte: usize,
}

/// The kinds of places that the tokens distinguish.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Place {
    /// In a comment or a string.
    Nowhere,
    /// In the string after `use`.
    File(Range<usize>),
    /// In column 1.
    Item,
    /// The first word of a line in a ruleset.
    Clause,
    /// After `board`.
    Board,
    /// After the `by` of a move.
    Mover,
    /// After `play`.
    Play,
    /// Where a sort is expected.
    Sort,
    /// Where a value is expected, with the words and the kind of name that fit best.
    Value(Vec<&'static str>, Option<Kind>),
}

const PLAYERS: &[&str] = &["Left", "Right"];
const OUTCOMES: &[&str] = &["L-position", "R-position", "N-position", "P-position"];
const LYING: &[&str] = &["empty", "wall", "off"];
const DIRECTIONS: &[&str] = &[
    "north",
    "south",
    "east",
    "west",
    "orthogonal",
    "diagonal",
    "compass",
    "knight",
    "hexagonal",
];
/// The ways in which a grid may wrap.
const WRAPS: &[&str] = &["both", "rows", "columns"];
/// Keywords inside values and conditions.
const WITHIN: &[&str] = &[
    "and", "or", "not", "in", "mod", "div", "owns", "all", "some", "no", "for", "where",
];

impl<'a> At<'a> {
    fn text(self) -> &'a str {
        self.sources.get(self.file).map_or("", |s| &s.text)
    }

    /// The end of the word at the place, or of the last word before it: an item ends with its last word, but whoever
    /// types may continue it.
    fn offset(self) -> u32 {
        let before = self.text().get(..self.byte).unwrap_or(self.text());
        u32::try_from(before.trim_end().len()).unwrap_or(u32::MAX)
    }
}

/// The tokens before a place, without blanks and comments, and the item that contains the place.
struct Before<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    item: Option<&'static str>,
    /// The range of the word being typed; may be empty.
    word: Range<usize>,
    /// The comment or string that contains the place, if any.
    inside: Option<Token>,
}

impl<'t> Before<'t> {
    fn of(text: &'t str, byte: usize) -> Before<'t> {
        let mut byte = byte.min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        let all = lex(text);
        let end = all.partition_point(|t| (t.start as usize) < byte);
        let last = end.checked_sub(1).map(|i| all[i]);
        let held = last.filter(|t| byte <= t.end as usize);
        let inside = held.filter(|t| match t.kind {
            TokenKind::Comment | TokenKind::Doc | TokenKind::Open => true,
            TokenKind::Text | TokenKind::Art => byte < t.end as usize,
            _ => false,
        });
        let word = held
            .filter(|t| matches!(t.kind, TokenKind::Name | TokenKind::Keyword))
            .map_or(byte..byte, Token::range);
        // After `X.` comes a name of the file that is used as X.
        let point = held.filter(|t| text.get(t.range()) == Some("."));
        let file = point.and_then(|_| all[..end].iter().rev().nth(1));
        let file = file.filter(|t| {
            let name = text.get(t.range()).unwrap_or("");
            let first = name.split('.').next().unwrap_or("");
            t.kind == TokenKind::Name && names_of_files(text, &all).contains(&first)
        });
        let word = file.map_or(word, |t| t.start as usize..byte);
        let item = items(text, &all)
            .into_iter()
            .take_while(|i| i.tokens.start < end)
            .last()
            .and_then(|i| i.word);
        let tokens = all[..end]
            .iter()
            .filter(|t| !t.is_trivia() && (t.end as usize) <= word.start)
            .copied()
            .collect();
        Before {
            text,
            tokens,
            item,
            word,
            inside,
        }
    }

    fn slice(&self, token: Token) -> &'t str {
        self.text.get(token.range()).unwrap_or("")
    }

    /// The n-th token before the word, counted backwards from 0.
    fn back(&self, n: usize) -> &'t str {
        let at = self.tokens.len().checked_sub(n + 1);
        at.map_or("", |at| self.slice(self.tokens[at]))
    }

    /// The open call around the place: the index of its name among the tokens, and the number of the argument.
    fn call(&self) -> Option<(usize, usize)> {
        let mut depth = 0usize;
        let mut argument = 0;
        for (i, token) in self.tokens.iter().enumerate().rev() {
            match (token.kind, self.slice(*token)) {
                (TokenKind::CloseBracket, _) => depth += 1,
                (TokenKind::OpenBracket, sign) if depth == 0 => {
                    let name = i.checked_sub(1)?;
                    let is_name =
                        matches!(self.tokens[name].kind, TokenKind::Name | TokenKind::Keyword);
                    // A blank distinguishes the call `f(x)` from a separate bracket.
                    let glued = self.tokens[name].end == token.start;
                    return (sign == "(" && is_name && glued).then_some((name, argument));
                }
                (TokenKind::OpenBracket, _) => depth -= 1,
                (TokenKind::Sign, ",") if depth == 0 => argument += 1,
                // No call extends across the beginning of an item.
                (TokenKind::Keyword, word)
                    if depth == 0
                        && starts_line(self.text, *token)
                        && ITEM_WORDS.contains(&word) =>
                {
                    return None;
                }
                _ => {}
            }
        }
        None
    }

    fn place(&self) -> Place {
        if let Some(token) = self.inside {
            let string = matches!(token.kind, TokenKind::Text | TokenKind::Open);
            let before: Vec<&Token> = self
                .tokens
                .iter()
                .filter(|t| t.end <= token.start)
                .collect();
            let used = before.last().is_some_and(|t| self.slice(**t) == "use");
            if !string || !used {
                return Place::Nowhere;
            }
            let inner = self.slice(token);
            let closed = inner.len() > 1 && inner.ends_with('"');
            let start = token.start as usize + 1;
            let end = token.end as usize - usize::from(closed);
            let line = self.text[start..end].find(['\n', '\r']);
            return Place::File(start..line.map_or(end, |n| start + n));
        }
        let line = self.text[..self.word.start]
            .rfind('\n')
            .map_or(0, |i| i + 1);
        let indent = &self.text[line..self.word.start];
        if indent.is_empty() {
            return Place::Item;
        }
        let last = self.back(0);
        let rules = self.item == Some("ruleset");
        match last {
            "board" if rules => return Place::Board,
            "play" if rules => return Place::Play,
            "by" if rules => return Place::Mover,
            "of" => return Place::Sort,
            ":" if rules && self.sorted() => return Place::Sort,
            _ => {}
        }
        if rules && indent.trim().is_empty() {
            return Place::Clause;
        }
        self.value()
    }

    /// Whether the colon before the place is followed by a sort: in a parameter of a ruleset, or in `state`.
    fn sorted(&self) -> bool {
        let all = self.tokens.iter().rev();
        let mut words = all.filter(|t| starts_line(self.text, **t));
        words
            .next()
            .is_some_and(|t| matches!(self.slice(*t), "ruleset" | "state"))
    }

    /// The words and kind of name that fit best at a value.
    fn value(&self) -> Place {
        let named = |word: &str| -> (Vec<&'static str>, Option<Kind>) {
            match word {
                "outcome" | "misere_outcome" => (OUTCOMES.to_vec(), None),
                "winner" => ([PLAYERS, &["queer"]].concat(), Some(Kind::Player)),
                "at" => (LYING.to_vec(), Some(Kind::Piece)),
                _ => (Vec::new(), None),
            }
        };
        let (mut words, mut kind) = (Vec::new(), None);
        match self.back(0) {
            "=" | "!=" | ":=" if self.back(1) == ")" => {
                // The name before the matching opening bracket.
                let mut depth = 0usize;
                for (i, t) in self.tokens.iter().enumerate().rev().skip(1) {
                    match t.kind {
                        TokenKind::CloseBracket => depth += 1,
                        TokenKind::OpenBracket => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    if depth == 0 {
                        let name = i.checked_sub(1).map_or("", |i| self.slice(self.tokens[i]));
                        (words, kind) = named(name);
                        break;
                    }
                }
            }
            ":" if self.back(1) == "first" => {
                (words, kind) = (PLAYERS.to_vec(), Some(Kind::Player))
            }
            ":" if self.back(1) == "wrap" => words = WRAPS.to_vec(),
            "eval" => kind = Some(Kind::Ruleset),
            _ => {
                if let Some((name, argument)) = self.call() {
                    let name = self.slice(self.tokens[name]);
                    match takes(name, argument) {
                        _ if name == "grid" && argument > 0 => words = vec!["wrap"],
                        Some(Takes::Directions) => words = DIRECTIONS.to_vec(),
                        Some(Takes::Player) => {
                            (words, kind) = (PLAYERS.to_vec(), Some(Kind::Player));
                        }
                        Some(
                            Takes::Position
                            | Takes::Played
                            | Takes::Any
                            | Takes::Either
                            | Takes::Game,
                        ) => {
                            kind = Some(Kind::Ruleset);
                        }
                        _ => {}
                    }
                }
            }
        }
        Place::Value(words, kind)
    }
}

/// Whether only blanks precede a token on its line.
fn starts_line(text: &str, token: Token) -> bool {
    let start = token.start as usize;
    let line = text[..start].rfind('\n').map_or(0, |i| i + 1);
    text[line..start].trim().is_empty()
}

/// What the given argument of a function may be. A leading board parameter is skipped, since rules omit it.
fn takes(function: &str, argument: usize) -> Option<Takes> {
    let parameters = find(function)?.as_function()?.parameters.iter();
    let mut given = parameters.filter(|p| p.takes != Takes::Board);
    given.nth(argument).map(|p| p.takes)
}

fn of_row(row: &'static Row, rank: u8) -> Completion {
    let entry = described(row);
    Completion {
        text: row.name.to_owned(),
        what: entry.what,
        detail: row.signature.to_owned(),
        doc: row.doc.to_owned(),
        own: false,
        rank,
    }
}

fn word(text: &str, what: &'static str, rank: u8) -> Completion {
    // A word of a clause may also be the name of a function.
    let clause = END_WORDS.contains(&text) && what == "keyword";
    let row = table().find(|r| r.name == text && (!clause || r.what == What::Word));
    Completion {
        text: text.to_owned(),
        what,
        detail: row.map_or("", |r| r.signature).to_owned(),
        doc: row.map_or("", |r| r.doc).to_owned(),
        own: false,
        rank,
    }
}

/// The possible completions at a place, likeliest first.
#[must_use]
pub fn completions(at: At<'_>) -> Completions {
    let before = Before::of(at.text(), at.byte);
    let mut replaces = before.word.clone();
    let rows = |of: fn(What) -> bool, rank: u8| {
        table()
            .filter(move |r| of(r.what))
            .map(move |r| of_row(r, rank))
    };
    let words = |all: &[&str], what: &'static str, rank: u8| -> Vec<Completion> {
        all.iter().map(|w| word(w, what, rank)).collect()
    };
    let mut all: Vec<Completion> = Vec::new();
    match before.place() {
        Place::Nowhere => return Completions::default(),
        Place::File(inner) => {
            replaces = inner;
            all.extend(shipped::all().map(|f| Completion {
                text: short_name(&f),
                what: "file",
                detail: f.folder().to_owned(),
                doc: f.title().to_owned(),
                own: false,
                rank: 0,
            }));
        }
        Place::Item => all.extend(words(ITEM_WORDS, "keyword", 0)),
        Place::Board => {
            all.extend(rows(|w| w == What::BoardKind, 0));
            all.extend(words(&["acyclic", "rooted"], "word", 1));
        }
        Place::Mover => {
            all.extend(words(&["anyone"], "word", 0));
            all.extend(words(PLAYERS, "player", 0));
            all.extend(names(at, &[Kind::Player], 0));
        }
        Place::Play => all.extend(words(&["normal", "last-wins", "elimination"], "word", 0)),
        Place::Sort => all.extend(rows(|w| w == What::Sort, 0)),
        Place::Clause => {
            all.extend(words(CLAUSE_WORDS, "keyword", 0));
            all.extend(words(STAGE_WORDS, "keyword", 1));
            all.extend(words(END_WORDS, "keyword", 1));
            all.extend(words(&["repeat", "next", "without"], "keyword", 1));
            let known: Vec<String> = all.iter().map(|c| c.text.clone()).collect();
            let further = values(at, &before, &[], None);
            all.extend(further.into_iter().filter(|c| !known.contains(&c.text)));
        }
        Place::Value(best, kind) => all.extend(values(at, &before, &best, kind)),
    }
    all.sort_by_key(|c| c.rank);
    Completions { replaces, all }
}

/// The names in scope that have one of these kinds; all names if `of` is empty.
fn names(at: At<'_>, of: &[Kind], rank: u8) -> Vec<Completion> {
    let ids = at.index.names_in_scope(at.file, at.offset());
    ids.into_iter()
        .filter_map(|id| at.index.definition(id))
        .filter(|d| of.is_empty() || of.contains(&d.kind))
        .map(|d| Completion {
            text: match d.scope {
                Some(_) => d.name.to_string(),
                None => (at.index.called(d, at.file)).unwrap_or_else(|| d.name.to_string()),
            },
            what: what(d.kind),
            detail: heading(d, at.sources),
            doc: d.doc.join("\n"),
            own: true,
            rank,
        })
        .collect()
}

fn values(
    at: At<'_>,
    before: &Before<'_>,
    best: &[&'static str],
    kind: Option<Kind>,
) -> Vec<Completion> {
    let mut all = names(at, &[], 2);
    for c in &mut all {
        let wanted = kind.is_some_and(|k| what(k) == c.what)
            || (kind == Some(Kind::Ruleset) && c.what == "position");
        let local = !matches!(c.what, "ruleset" | "definition" | "position");
        c.rank = match (wanted, local) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 2,
        };
    }
    for text in best {
        if !all.iter().any(|c| c.text == *text) {
            all.push(word(text, "constant", 0));
        }
    }
    let rules = before.item == Some("ruleset");
    let second = version(before.text, &before.tokens) == Some("2");
    for row in table() {
        let rank = match row.what {
            What::Function(_) | What::Fold(_) => 3,
            What::Game(_) if rules => 6,
            What::Game(_) => 3,
            What::Derivation if rules && before.back(0) == "=" => 0,
            What::Constant => 4,
            What::BoardKind if !rules => 5,
            What::Word if row.name == "at" => 3,
            What::Word
                if rules && matches!(row.name, "when" | "again" | "entail" | "add" | "merge") =>
            {
                5
            }
            What::Keyword if WITHIN.contains(&row.name) => 5,
            What::Keyword if second && RESERVED_2.contains(&row.name) => 5,
            What::Keyword
                if rules && matches!(row.name, "choose" | "then" | "remove" | "keep" | "each") =>
            {
                5
            }
            What::Keyword if !rules && row.name == "from" => 5,
            _ => continue,
        };
        if !all.iter().any(|c| c.text == row.name) {
            all.push(of_row(row, rank));
        }
    }
    all
}

/// The shortest name by which `use` finds a shipped file.
fn short_name(file: &shipped::Shipped) -> String {
    let path = file.path.strip_suffix(".rules").unwrap_or(file.path);
    match shipped::find(file.name()) {
        shipped::Found::One(found) if found == *file => file.name().to_owned(),
        _ => path.to_owned(),
    }
}

/// The line that defines a name, shortened: `ruleset Subtraction(S: set of nat)`, `let triangle(n) = ..`.
#[must_use]
pub fn heading(d: &Definition, sources: &Sources) -> String {
    let Some(source) = sources.get(d.span.file) else {
        return String::new();
    };
    let from = match d.kind {
        Kind::Ruleset | Kind::Move => d.whole.start,
        Kind::Variable | Kind::Parameter | Kind::Site | Kind::Claim => {
            return format!("{} {}", what(d.kind), d.name);
        }
        _ => d.span.start,
    };
    let rest = source.text.get(from as usize..).unwrap_or("");
    let line = rest.lines().next().unwrap_or("").trim();
    let line = line.find("//").map_or(line, |at| line[..at].trim_end());
    let mut short: String = line.chars().take(100).collect();
    if short.len() < line.len() {
        short.push_str(" ..");
    }
    match d.kind {
        Kind::Let => format!("let {short}"),
        Kind::Position => format!("position {short}"),
        Kind::Ruleset | Kind::Move => short,
        kind => format!("{} {short}", what(kind)),
    }
}

/// The meaning of a term of the theory in a comment or a string.
fn of_term(text: &str, byte: usize) -> Option<Meaning> {
    let (place, entry) = term_at(text, byte)?;
    Some(Meaning {
        name: text.get(place.clone()).unwrap_or("").to_owned(),
        place,
        what: entry.what,
        signature: entry.signature.to_owned(),
        doc: entry.doc.to_owned(),
        entries: vec![entry],
    })
}

/// The meaning of the name at a place.
#[must_use]
pub fn meaning(at: At<'_>) -> Option<Meaning> {
    let text = at.text();
    let prose = lex(text).into_iter().any(|t| {
        let said = matches!(
            t.kind,
            TokenKind::Comment | TokenKind::Doc | TokenKind::Text
        );
        said && t.range().contains(&at.byte)
    });
    if prose {
        return of_term(text, at.byte);
    }
    let token = lex(text).into_iter().find(|t| {
        let word = matches!(t.kind, TokenKind::Name | TokenKind::Keyword);
        word && t.start as usize <= at.byte && at.byte <= t.end as usize
    })?;
    let name = text.get(token.range()).unwrap_or("").to_owned();
    let place = token.range();
    let found = at.index.definition_at(at.file, token.end);
    if let Some(d) = found.and_then(|id| at.index.definition(id)) {
        return Some(Meaning {
            place,
            name,
            what: what(d.kind),
            signature: heading(d, at.sources),
            doc: d.doc.join("\n"),
            entries: Vec::new(),
        });
    }
    let rows: Vec<&Row> = table().filter(|r| r.name == name).collect();
    let first = rows.first()?;
    Some(Meaning {
        place,
        what: described(first).what,
        signature: first.signature.to_owned(),
        doc: first.doc.to_owned(),
        entries: rows.into_iter().map(described).collect(),
        name,
    })
}

/// The range of the position at a place: the innermost `Ruleset[board]` or `Ruleset(arguments)[board]`, or the name of a
/// position.
#[must_use]
pub fn position(at: At<'_>) -> Option<Range<usize>> {
    let text = at.text();
    let tokens: Vec<Token> = lex(text).into_iter().filter(|t| !t.is_trivia()).collect();
    let is = |t: &Token, kind: Kind| {
        let found = at.index.definition_at(at.file, t.end);
        let found = found.and_then(|id| at.index.definition(id));
        t.kind == TokenKind::Name && found.is_some_and(|d| d.kind == kind)
    };
    let holds = |r: &Range<usize>| r.start <= at.byte && at.byte <= r.end;
    if let Some(name) = tokens
        .iter()
        .find(|t| holds(&t.range()) && is(t, Kind::Position))
    {
        return Some(name.range());
    }
    let is_ruleset = |t: &Token| is(t, Kind::Ruleset);
    // The heads of positions whose brackets are open, with their depths.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut depth = 0usize;
    let mut best: Option<Range<usize>> = None;
    let mut head: Option<usize> = None;
    for (i, t) in tokens.iter().enumerate() {
        let glued = i > 0 && tokens[i - 1].end == t.start;
        match (t.kind, text.get(t.range()).unwrap_or("")) {
            (TokenKind::Name, _) => head = is_ruleset(t).then_some(i),
            (TokenKind::OpenBracket, sign) => {
                if let Some(h) = head.take().filter(|_| glued && sign != "{") {
                    open.push((h, depth));
                }
                depth += 1;
            }
            (TokenKind::CloseBracket, sign) => {
                depth = depth.saturating_sub(1);
                head = None;
                if let Some((h, d)) = open.last().copied()
                    && d >= depth
                {
                    open.pop();
                    if sign == ")" {
                        // These were the arguments; the board follows.
                        head = Some(h);
                    } else {
                        let range = tokens[h].range().start..t.range().end;
                        if holds(&range) && best.as_ref().is_none_or(|b| range.len() < b.len()) {
                            best = Some(range);
                        }
                    }
                }
            }
            _ => head = None,
        }
        if t.range().start > at.byte && open.is_empty() && head.is_none() {
            break;
        }
    }
    best
}

/// The signatures of the function around a place, and the number of the argument.
#[must_use]
pub fn calls(at: At<'_>) -> Option<(Vec<Call>, usize)> {
    let before = Before::of(at.text(), at.byte);
    if before.inside.is_some_and(|t| t.kind != TokenKind::Text) {
        return None;
    }
    let (name, argument) = before.call()?;
    let token = before.tokens[name];
    let found = at.index.definition_at(at.file, token.end);
    if let Some(d) = found.and_then(|id| at.index.definition(id)) {
        let source = at.sources.get(d.span.file)?;
        let rest = source.text.get(d.span.range().start..)?;
        let head = rest.get(..d.span.range().len())?;
        let list = rest.get(head.len()..)?;
        let end = list.starts_with('(').then(|| closing(list)).flatten()?;
        let signature: String = rest[..head.len() + end + 1].to_owned();
        let call = of_signature(
            signature.split_whitespace().collect::<Vec<_>>().join(" "),
            d.doc.join("\n"),
        );
        return Some((vec![call], argument));
    }
    let name = before.slice(token);
    let mut all = Vec::new();
    for row in table().filter(|r| r.name == name) {
        let mut rest = row.signature;
        while let Some(end) = rest
            .find('(')
            .and_then(|open| Some(open + closing(&rest[open..])?))
        {
            all.push(of_signature(rest[..=end].to_owned(), row.doc.to_owned()));
            rest = rest[end + 1..].trim_start_matches([',', ' ']);
        }
    }
    (!all.is_empty()).then_some((all, argument))
}

/// The index of the bracket that closes the one at the start of the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(i);
                }
            }
            _ => {}
        }
    }
    None
}

fn of_signature(signature: String, doc: String) -> Call {
    let mut arguments = Vec::new();
    if let Some(open) = signature.find('(') {
        let mut depth = 0usize;
        let mut start = open + 1;
        for (i, c) in signature.char_indices().skip_while(|(i, _)| *i <= open) {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' if depth > 0 => depth -= 1,
                ',' | ')' if depth == 0 => {
                    let inner = &signature[start..i];
                    let from = start + inner.len() - inner.trim_start().len();
                    arguments.push(from..i);
                    start = i + 1;
                }
                _ => {}
            }
        }
    }
    Call {
        signature,
        arguments,
        doc,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Memory, Session, Settings};

    /// Applies `question` at the place of `|` in a text.
    fn ask<T>(text: &str, question: impl FnOnce(At<'_>) -> T) -> T {
        let byte = text.find('|').expect("a place");
        let text = text.replacen('|', "", 1);
        let world = Memory::default().with("a.rules", text);
        let mut session = Session::new(&world, Settings::default());
        let (_, index) = session.load_indexed("a.rules");
        let sources = session.sources();
        let file = sources.iter().find(|(_, s)| &*s.name == "a.rules");
        question(At {
            index: &index,
            sources,
            file: file.expect("the file").0,
            byte,
        })
    }

    fn first(text: &str, n: usize) -> Vec<String> {
        let found = ask(text, completions);
        found.all.into_iter().take(n).map(|c| c.text).collect()
    }

    #[test]
    fn what_fits_the_place_comes_first() {
        assert_eq!(first("ru|", 2), ["ruleset", "use"]);
        assert!(first("use \"ni|\"", 999).contains(&"nim".to_owned()));
        assert!(first("use \"ni|", 999).contains(&"n-player/nim".to_owned()));
        assert_eq!(first("// nothing| here", 9), [""; 0]);
        assert_eq!(first("assert x from \"no|thing\"", 9), [""; 0]);
        assert_eq!(first("ruleset R\n  bo|", 1), ["board"]);
        assert_eq!(first("ruleset R\n  board |", 3), ["heaps", "strip", "grid"]);
        assert_eq!(
            first("ruleset R\n  board heaps\n  move by |", 1),
            ["anyone"]
        );
        assert_eq!(first("ruleset R(S: |", 2), ["nat", "int"]);
        assert_eq!(first("ruleset R\n  state m: |", 2), ["nat", "int"]);
        assert_eq!(
            first("use \"nim\"\nassert outcome(Nim[3]) = |", 4),
            OUTCOMES
        );
        let rules = "ruleset R\n  board graph\n  pieces x = Left, o = Right\n  move by p: choose v where at(v) = |";
        let found = first(rules, 5);
        assert!(
            found.contains(&"x".to_owned()) && found.contains(&"empty".to_owned()),
            "{found:?}"
        );
        let rules = "ruleset R\n  board graph\n  pieces x = Left, o = Right\n  move by p:\n    choose here\n    where at(|) = x then at(here) := p";
        let found = first(rules, 4);
        assert!(
            found.contains(&"here".to_owned()) && found.contains(&"p".to_owned()),
            "{found:?}"
        );
    }

    #[test]
    fn names_and_functions_are_told() {
        let m = ask(
            "/// All of them.\nlet all_of(n) = n + 1\neval al|l_of(3)",
            meaning,
        )
        .expect("a name");
        assert_eq!(
            (m.what, &*m.signature, &*m.doc),
            ("definition", "let all_of(n) = n + 1", "All of them.")
        );
        let m = ask("use \"nim\"\neval outcome|(Nim[3])", meaning).expect("a name");
        assert_eq!((m.what, m.entries.len()), ("function", 1));
        assert_eq!(ask("eval 1 |+ 2", meaning), None);
        let (calls, n) = ask("use \"nim\"\neval winner(Nim[3, 4], f|", calls).expect("a call");
        assert_eq!((&*calls[0].signature, n), ("winner(G, first: p)", 1));
        let second = calls[0].arguments[1].clone();
        assert_eq!(&calls[0].signature[second], "first: p");
        let (calls, n) =
            ask("let f(x, y) = x + y\neval f(1, g[2, 3], |", super::calls).expect("a call");
        assert_eq!(
            (&*calls[0].signature, calls[0].arguments.len(), n),
            ("f(x, y)", 2, 2)
        );
        assert_eq!(ask("eval (1, |", super::calls), None);
    }

    #[test]
    fn the_innermost_position_is_found() {
        let of = |text: &str| {
            let plain = text.replace('|', "");
            ask(text, position).map(|r| plain[r].to_owned())
        };
        let rules = "use \"nim\"\nuse \"subtraction\"\n";
        let asked = |query: &str| of(&format!("{rules}{query}"));
        assert_eq!(asked("eval Ni|m[3, 5] + 2").as_deref(), Some("Nim[3, 5]"));
        assert_eq!(
            asked("eval size(options(Nim[3, |5]))").as_deref(),
            Some("Nim[3, 5]")
        );
        assert_eq!(
            asked("eval Subtraction({1, |2})[7]").as_deref(),
            Some("Subtraction({1, 2})[7]")
        );
        assert_eq!(asked("eval |1 + Nim[3]"), None);
        assert_eq!(
            asked("position P = Nim[3]\neval P| + 1").as_deref(),
            Some("P")
        );
        assert_eq!(asked("eval Nim[3|"), None);
        assert_eq!(asked("eval [Nim[2], Nim[|3]]").as_deref(), Some("Nim[3]"));
    }
}
