//! Finds the text on which the answer to each query depends. Input: a file that has been read and checked; output: for
//! each query its own text and that of every definition whose name occurs in it, transitively. If that text is unchanged,
//! so is the answer. Names are compared as words, so the result may include a definition that does not matter, but omits
//! none that does.

use super::{Item, Loaded, Session};
use crate::base::Sources;
use crate::model::typed::QueryKind;
use crate::syntax::ast::ItemKind;
use crate::syntax::lexer::{TokenKind, lex};
use crate::syntax::parse_file;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The names in a text.
fn names(text: &str) -> BTreeSet<&str> {
    lex(text)
        .into_iter()
        .filter(|t| matches!(t.kind, TokenKind::Name | TokenKind::Keyword))
        .filter_map(|t| text.get(t.range()))
        .collect()
}

/// For each query of the file, in order, the text on which its answer depends.
#[must_use]
pub fn dependencies(sources: &Sources, loaded: &Loaded) -> Vec<String> {
    // All definitions by name. Several definitions of one name (entries of a table) are grouped.
    let mut defined: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut queries = Vec::new();
    // The `use` items that give their file a name.
    let mut under = String::new();
    for (id, source) in sources.iter() {
        let (file, _) = parse_file(id, &source.text);
        for item in file.items {
            let text = sources.slice(item.span).to_owned();
            let name: Option<Arc<str>> = match &item.kind {
                ItemKind::Ruleset(r) => Some(r.name.text.clone()),
                ItemKind::Derived(d) => Some(d.name.text.clone()),
                ItemKind::Let(l) | ItemKind::Position(l) => Some(l.name.text.clone()),
                ItemKind::Use(used) => {
                    if used.name.is_some() {
                        under.push('\0');
                        under.push_str(&text);
                    }
                    continue;
                }
                ItemKind::Ask(_) => continue,
                ItemKind::Query(_) => {
                    queries.push((item.span, text));
                    continue;
                }
            };
            let name = name.map_or_else(String::new, |n| n.to_string());
            defined.entry(name).or_default().push(text);
        }
    }
    let inside: BTreeMap<&str, BTreeSet<&str>> = defined
        .iter()
        .map(|(name, texts)| {
            let all = texts.iter().flat_map(|t| names(t)).collect();
            (name.as_str(), all)
        })
        .collect();
    loaded
        .queries
        .iter()
        .map(|query| {
            let own = queries
                .iter()
                .find(|(span, _)| {
                    span.file == query.span.file
                        && span.start <= query.span.start
                        && query.span.end <= span.end
                })
                .map_or_else(|| sources.slice(query.span), |(_, text)| text.as_str());
            let mut open: Vec<&str> = names(own).into_iter().collect();
            // The same query text may be asked of several rulesets.
            let of = query.of.as_ref().map_or("", |of| &*of.ruleset);
            open.extend(names(of));
            let mut reached: BTreeSet<&str> = BTreeSet::new();
            while let Some(name) = open.pop() {
                if let Some((name, more)) = inside.get_key_value(name)
                    && reached.insert(name)
                {
                    open.extend(more);
                }
            }
            let mut text = format!("{own}\0{of}{under}");
            for name in reached {
                for definition in &defined[name] {
                    text.push('\0');
                    text.push_str(definition);
                }
            }
            text
        })
        .collect()
}

/// Answers the queries of a file. Answers in `known`, keyed by the text on which they depend, are reported first and not
/// recomputed; the others are reported as soon as they are computed.
pub fn answers(
    session: &mut Session<'_>,
    loaded: &mut Loaded,
    known: &BTreeMap<String, Vec<Item>>,
    mut tell: impl FnMut(String, Vec<Item>),
) {
    let slow = session.settings.slow;
    let keys = dependencies(session.sources(), loaded);
    let queries = std::mem::take(&mut loaded.queries);
    let mut fresh = Vec::new();
    for (query, key) in queries.into_iter().zip(keys) {
        match known.get(&key) {
            Some(items) => tell(key, items.clone()),
            None => {
                let count = match query.kind {
                    QueryKind::Eval if !query.slow || slow => query.body.len(),
                    _ => 1,
                };
                fresh.push((key, count));
                loaded.queries.push(query);
            }
        }
    }
    let mut waiting = Vec::new();
    let mut next = fresh.into_iter();
    let mut current = next.next();
    session.evaluate(loaded, |item, _| {
        waiting.push(item.clone());
        if let Some((key, count)) = &current
            && waiting.len() >= *count
        {
            tell(key.clone(), std::mem::take(&mut waiting));
            current = next.next();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Memory, Session, Settings};

    fn keys(text: &str) -> Vec<String> {
        let world = Memory::default().with("a.rules", text);
        let mut session = Session::new(&world, Settings::default());
        let loaded = session.load("a.rules");
        assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
        dependencies(session.sources(), &loaded)
    }

    #[test]
    fn what_is_asked_of_several_rulesets_is_told_apart() {
        let text = "ruleset One\n  board heaps\n  move by anyone: choose n then n -> [n - 1]\n\n\
             ruleset Two = One with claims\n  play misere\n\n\
             assert outcome(One[1]) = N-position\n\
             claim for R in {One, misere(One)}: outcome(R[2]) = P-position\n";
        let all = keys(text);
        let told: BTreeSet<&String> = all.iter().collect();
        assert_eq!((all.len(), told.len()), (6, 6), "{all:?}");
    }

    #[test]
    fn only_what_is_named_matters() {
        let rules = |to: &str, top: &str| {
            format!(
                "ruleset One\n  board heaps\n  move by anyone: choose n then n -> [n - {to}]\n\n\
                 ruleset Two\n  board heaps\n  move by anyone: choose n, k in 0..n - 1 then n -> [k]\n\n\
                 let top = {top}\nlet more = top + 1\n\n\
                 eval value(One[3])\neval value(Two[3])\neval value(Two[more])\n"
            )
        };
        let before = keys(&rules("1", "2"));
        let after = keys(&rules("n", "2"));
        let same: Vec<bool> = before.iter().zip(&after).map(|(a, b)| a == b).collect();
        assert_eq!(same, [false, true, true]);
        // A change that reaches the query through two definitions.
        let after = keys(&rules("1", "5"));
        let same: Vec<bool> = before.iter().zip(&after).map(|(a, b)| a == b).collect();
        assert_eq!(same, [true, true, false]);
    }
}
