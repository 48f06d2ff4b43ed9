//! Semantic tokens, outline and folding ranges of a text.

use super::convert::location;
use super::document::{Analysis, Texts};
use crate::base::Span;
use crate::index::Kind;
use crate::model::builtins::{What, table};
use crate::session::assist::{heading, what};
use crate::syntax::lexer::{END_WORDS, Token, TokenKind, items, lex, opens_clause};
use lsp_types::{
    DocumentSymbol, FoldingRange, FoldingRangeKind, Location, OneOf, SemanticToken,
    SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensLegend, SymbolKind,
    Uri, WorkspaceSymbol,
};
use std::collections::HashMap;

const TYPES: [SemanticTokenType; 13] = [
    SemanticTokenType::COMMENT,
    SemanticTokenType::STRING,
    SemanticTokenType::NUMBER,
    SemanticTokenType::KEYWORD,
    SemanticTokenType::OPERATOR,
    SemanticTokenType::CLASS,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::TYPE,
    SemanticTokenType::METHOD,
];
const DEFINITION: u32 = 1;
const DOCUMENTATION: u32 = 2;
const OF_THE_LANGUAGE: u32 = 4;

/// The names of token types and modifiers.
pub fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.to_vec(),
        token_modifiers: vec![
            SemanticTokenModifier::DECLARATION,
            SemanticTokenModifier::DOCUMENTATION,
            SemanticTokenModifier::DEFAULT_LIBRARY,
        ],
    }
}

fn of_kind(kind: Kind) -> SemanticTokenType {
    match kind {
        Kind::Ruleset => SemanticTokenType::CLASS,
        Kind::Let => SemanticTokenType::FUNCTION,
        Kind::Position | Kind::Variable | Kind::Root | Kind::Site => SemanticTokenType::VARIABLE,
        Kind::Parameter => SemanticTokenType::PARAMETER,
        Kind::Piece | Kind::Player => SemanticTokenType::ENUM_MEMBER,
        Kind::State => SemanticTokenType::PROPERTY,
        Kind::Move => SemanticTokenType::METHOD,
        Kind::Claim => SemanticTokenType::STRING,
    }
}

fn of_language(what: What) -> SemanticTokenType {
    match what {
        What::Function(_) | What::Fold(_) | What::Game(_) | What::Derivation => {
            SemanticTokenType::FUNCTION
        }
        What::Constant => SemanticTokenType::ENUM_MEMBER,
        What::BoardKind | What::Sort => SemanticTokenType::TYPE,
        What::Keyword | What::Word => SemanticTokenType::KEYWORD,
    }
}

/// All tokens except blanks, in the protocol's relative form; a token of several lines is split.
pub fn semantic(known: &Analysis) -> SemanticTokens {
    let text = known.text();
    // Keyed by the end of the token: in `X.Nim`, the index has the name after the point.
    let mut names: HashMap<u32, (SemanticTokenType, u32)> = HashMap::new();
    for (id, d) in known.index.definitions() {
        for span in known.index.references(id) {
            if Some(span.file) == known.main {
                let bit = if span == d.span { DEFINITION } else { 0 };
                names.insert(span.end, (of_kind(d.kind), bit));
            }
        }
    }
    let language: HashMap<&str, SemanticTokenType> = table()
        .rev()
        .map(|r| (r.name, of_language(r.what)))
        .collect();
    let mut places = known.places();
    let mut data = Vec::new();
    let (mut line, mut column) = (0, 0);
    let tokens = lex(text);
    for (i, token) in tokens.iter().enumerate() {
        let slice = text.get(token.range()).unwrap_or("");
        let named = names.get(&token.end).cloned();
        let (kind, bits) = match token.kind {
            TokenKind::Blank | TokenKind::OpenBracket | TokenKind::CloseBracket => continue,
            TokenKind::Unknown => continue,
            TokenKind::Comment => (SemanticTokenType::COMMENT, 0),
            TokenKind::Doc => (SemanticTokenType::COMMENT, DOCUMENTATION),
            TokenKind::Text | TokenKind::Art | TokenKind::Open => (SemanticTokenType::STRING, 0),
            TokenKind::Integer => (SemanticTokenType::NUMBER, 0),
            TokenKind::Sign => (SemanticTokenType::OPERATOR, 0),
            TokenKind::Keyword => (SemanticTokenType::KEYWORD, 0),
            TokenKind::Name if begins_clause(text, &tokens[i..]) => {
                (SemanticTokenType::KEYWORD, OF_THE_LANGUAGE)
            }
            TokenKind::Name => match (named, language.get(slice)) {
                (Some(found), _) => found,
                (None, Some(kind)) => (kind.clone(), OF_THE_LANGUAGE),
                (None, None) => continue,
            },
        };
        let number = TYPES.iter().position(|t| *t == kind);
        let number = number.and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
        let mut from = token.range().start;
        for part in slice.split_inclusive(['\n', '\r']) {
            let inner = part.trim_end_matches(['\n', '\r']);
            let (start, end) = (places.position(from), places.position(from + inner.len()));
            from += part.len();
            if inner.is_empty() || start.line != end.line {
                continue;
            }
            if start.line != line {
                column = 0;
            }
            data.push(SemanticToken {
                delta_line: start.line - line,
                delta_start: start.character - column,
                length: end.character - start.character,
                token_type: number,
                token_modifiers_bitset: bits,
            });
            (line, column) = (start.line, start.character);
        }
    }
    SemanticTokens {
        result_id: None,
        data,
    }
}

/// Whether the first token is the word of a clause: it begins its line, and what follows fits.
fn begins_clause(text: &str, tokens: &[Token]) -> bool {
    let mut solid = tokens.iter().filter(|t| !t.is_trivia());
    let Some(first) = solid.next() else {
        return false;
    };
    let start = first.range().start;
    let line = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let word = &text[first.range()];
    // In `endless draw` and `without score`, the second word is also the word of a clause.
    let second =
        matches!(text[line..start].trim(), "endless" | "without") && END_WORDS.contains(&word);
    let mut opens = || opens_clause(word, solid.next().map(|t| &text[t.range()]));
    second || text[line..start].trim().is_empty() && opens()
}

fn symbol_kind(kind: Kind) -> SymbolKind {
    match kind {
        Kind::Ruleset => SymbolKind::CLASS,
        Kind::Let => SymbolKind::FUNCTION,
        Kind::Position => SymbolKind::CONSTANT,
        Kind::Piece | Kind::Player => SymbolKind::ENUM_MEMBER,
        Kind::State => SymbolKind::FIELD,
        Kind::Move => SymbolKind::METHOD,
        Kind::Claim => SymbolKind::EVENT,
        Kind::Root | Kind::Site | Kind::Variable | Kind::Parameter => SymbolKind::VARIABLE,
    }
}

/// The outline: rulesets with what they declare, definitions, positions, claims.
pub fn symbols(known: &Analysis) -> Vec<DocumentSymbol> {
    let Some(main) = known.main else {
        return Vec::new();
    };
    let mut places = known.places();
    let mut out: Vec<DocumentSymbol> = Vec::new();
    // The index of each ruleset in the outline.
    let mut homes = HashMap::new();
    for id in known.index.symbols(main) {
        let Some(d) = known.index.definition(id) else {
            continue;
        };
        // The protocol requires that the whole range contain the name.
        let whole = Span {
            file: main,
            ..d.whole
        }
        .to(d.span);
        #[allow(deprecated)]
        let symbol = DocumentSymbol {
            name: match d.name.is_empty() {
                true => what(d.kind).to_owned(),
                false => d.name.to_string(),
            },
            detail: Some(heading(d, &known.sources)),
            kind: symbol_kind(d.kind),
            tags: None,
            deprecated: None,
            range: places.range(whole),
            selection_range: places.range(d.span),
            children: None,
        };
        let home = d.home.and_then(|h| homes.get(&h).copied());
        match home.and_then(|h: usize| out.get_mut(h)) {
            Some(home) => home.children.get_or_insert_default().push(symbol),
            None => {
                homes.insert(id, out.len());
                out.push(symbol);
            }
        }
    }
    out
}

/// The names that contain the given letters, of a text and of the files it uses that are not open themselves.
pub fn named(
    known: &Analysis,
    uri: &Uri,
    letters: &str,
    texts: &Texts,
    shipped: bool,
) -> Vec<WorkspaceSymbol> {
    let letters = letters.to_lowercase();
    let mut places = known.places();
    let mut out = Vec::new();
    for (file, source) in known.sources.iter() {
        let own = Some(file) == known.main;
        if !own && texts.contains_key(&*source.name) {
            continue;
        }
        for id in known.index.symbols(file) {
            let Some(d) = known.index.definition(id) else {
                continue;
            };
            if d.name.is_empty() || !d.name.to_lowercase().contains(&letters) {
                continue;
            }
            let place = match own {
                true => Some(Location::new(uri.clone(), places.range(d.span))),
                false => location(d.span, &known.sources, shipped),
            };
            let home = d.home.and_then(|h| known.index.definition(h));
            out.extend(place.map(|place| WorkspaceSymbol {
                name: d.name.to_string(),
                kind: symbol_kind(d.kind),
                tags: None,
                container_name: home.map(|h| h.name.to_string()),
                location: OneOf::Left(place),
                data: None,
            }));
        }
    }
    out
}

/// The folding ranges: items, clauses, drawn boards, blocks of comments.
pub fn folds(known: &Analysis) -> Vec<FoldingRange> {
    let text = known.text();
    let tokens = lex(text);
    let mut places = known.places();
    let mut spans: Vec<(usize, usize, Option<FoldingRangeKind>)> = Vec::new();
    for item in items(text, &tokens) {
        let all = &tokens[item.tokens];
        if let (Some(first), Some(last)) = (all.first(), all.last()) {
            spans.push((first.range().start, last.range().end, None));
        }
        if item.word == Some("ruleset") {
            clauses(text, all, &mut spans);
        }
    }
    for token in &tokens {
        if token.kind == TokenKind::Art {
            spans.push((token.range().start, token.range().end, None));
        }
    }
    let comment = |t: &Token| matches!(t.kind, TokenKind::Comment | TokenKind::Doc);
    let mut block: Option<(usize, usize)> = None;
    for token in &tokens {
        match (&mut block, token.kind) {
            (Some((_, end)), _) if comment(token) => *end = token.range().end,
            (None, _) if comment(token) => block = Some((token.range().start, token.range().end)),
            (Some(_), TokenKind::Blank) if text[token.range()].matches('\n').count() <= 1 => {}
            _ => spans.extend(
                block
                    .take()
                    .map(|(a, b)| (a, b, Some(FoldingRangeKind::Comment))),
            ),
        }
    }
    spans.extend(block.map(|(a, b)| (a, b, Some(FoldingRangeKind::Comment))));
    spans.sort_by_key(|(start, end, _)| (*start, *end));
    let folded = spans.into_iter().filter_map(|(start, end, kind)| {
        let (start, end) = (places.position(start).line, places.position(end).line);
        (start < end).then_some(FoldingRange {
            start_line: start,
            end_line: end,
            kind,
            ..FoldingRange::default()
        })
    });
    folded.collect()
}

/// The clauses of a ruleset, by the words at the beginning of its lines.
fn clauses(
    text: &str,
    tokens: &[Token],
    spans: &mut Vec<(usize, usize, Option<FoldingRangeKind>)>,
) {
    let solid: Vec<Token> = tokens.iter().filter(|t| !t.is_trivia()).copied().collect();
    let starts: Vec<usize> = (0..solid.len())
        .filter(|i| begins_clause(text, &solid[*i..]))
        .collect();
    for (n, start) in starts.iter().enumerate() {
        let end = starts.get(n + 1).copied().unwrap_or(solid.len());
        spans.push((
            solid[*start].range().start,
            solid[end - 1].range().end,
            None,
        ));
    }
}
