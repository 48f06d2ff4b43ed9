//! Edits the text of a file: changes clauses of a ruleset, or redirects queries to another ruleset. The rest of the text
//! stays unchanged.

use crate::base::FileId;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::ItemKind;
use crate::syntax::lexer::{self, CLAUSE_WORDS, TokenKind, opens_clause};
use crate::syntax::parse_file;

/// Renames each changed ruleset to `Name'` and appends the ruleset `Name = Name' with ..`, which has the new clauses, so that
/// queries about `Name` refer to it. A clause may be written without its `let`; where the file has several rulesets,
/// `Ruleset: clause` says which one is meant. Returns the text, and the new names of the former rulesets.
///
/// # Errors
/// There is no such ruleset, or the ruleset is ambiguous.
pub fn changed(text: &str, clauses: &[String]) -> Result<(String, Vec<String>), Diagnostic> {
    let (file, _) = parse_file(FileId::default(), text);
    let rulesets: Vec<_> = file
        .items
        .iter()
        .chain(&file.partial)
        .filter_map(|item| match &item.kind {
            ItemKind::Ruleset(r) => Some(&r.name),
            ItemKind::Derived(d) => Some(&d.name),
            _ => None,
        })
        .collect();
    let mut text = text.to_owned();
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for clause in clauses {
        let named = clause
            .split_once(':')
            .map(|(name, rest)| (name.trim(), rest));
        let named = named.filter(|(name, _)| rulesets.iter().any(|r| &*r.text == *name));
        let (name, clause) = match (named, &rulesets[..]) {
            (Some((name, rest)), _) => (name.to_owned(), rest.trim()),
            (None, [one]) => (one.text.to_string(), clause.trim()),
            (None, []) => {
                return Err(Diagnostic::error(
                    Code::E0552,
                    "the file has no ruleset to change",
                ));
            }
            (None, several) => {
                let names: Vec<&str> = several.iter().map(|r| &*r.text).collect();
                return Err(Diagnostic::error(
                    Code::E0552,
                    format!("which ruleset does `{clause}` change?"),
                )
                .help(format!(
                    "write it before the clause: `{}: {clause}`; there are {}",
                    names[0],
                    names.join(", ")
                )));
            }
        };
        let mut words = clause.split_whitespace();
        let first = words.next().unwrap_or("");
        let opens = CLAUSE_WORDS.contains(&first) || opens_clause(first, words.next());
        let clause = match (opens, clause) {
            (true, _) => clause.to_owned(),
            // A convention alone.
            (false, "misere" | "misère" | "normal") => format!("play {clause}"),
            (false, _) => format!("let {clause}"),
        };
        match all.iter_mut().find(|(n, _)| *n == name) {
            Some((_, clauses)) => clauses.push(clause),
            None => all.push((name, vec![clause])),
        }
    }
    // Edits go from the last ruleset to the first, so that the places of earlier names stay valid.
    all.sort_by_key(|(name, _)| {
        let place = rulesets.iter().find(|r| *r.text == **name);
        std::cmp::Reverse(place.map(|r| r.span.start))
    });
    let mut added = String::new();
    let mut former = Vec::new();
    for (name, clauses) in all {
        let Some(place) = rulesets.iter().find(|r| *r.text == *name) else {
            continue;
        };
        let mut old = format!("{name}'");
        while rulesets.iter().any(|r| *r.text == *old) {
            old.push('\'');
        }
        text.replace_range(place.span.range(), &old);
        added.push_str(&format!("\nruleset {name} = {old} with\n"));
        for clause in clauses {
            added.push_str(&format!("  {clause}\n"));
        }
        former.push(old);
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&added);
    Ok((text, former))
}

/// The text with queries and positions that name `old` changed to name `new`.
#[must_use]
pub fn asked_of(text: &str, old: &str, new: &str) -> String {
    let tokens = lexer::lex(text);
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for item in lexer::items(text, &tokens) {
        if matches!(item.word, Some("ruleset" | "use" | "language")) {
            continue;
        }
        for token in &tokens[item.tokens] {
            let range = token.range();
            if token.kind == TokenKind::Name && &text[range.clone()] == old {
                out.push_str(&text[at..range.start]);
                out.push_str(new);
                at = range.end;
            }
        }
    }
    out.push_str(&text[at..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "ruleset A\n  board heaps\n  move by anyone: choose n then n -> []\nlet f(n) = A[n]\neval A[3]\n";

    #[test]
    fn a_ruleset_is_changed_by_one_that_inherits() {
        let (text, former) =
            changed(TEXT, &["play misere".into(), "k = 3".into()]).expect("one ruleset");
        assert_eq!(former, ["A'"]);
        assert!(text.starts_with("ruleset A'\n  board heaps\n"), "{text}");
        assert!(
            text.ends_with("\nruleset A = A' with\n  play misere\n  let k = 3\n"),
            "{text}"
        );
        // A name of the file is not taken.
        let primed = format!("{TEXT}ruleset A' = A with\n");
        let (text, former) = changed(&primed, &["A: play misere".into()]).expect("a ruleset");
        assert!(text.contains("\nruleset A = A'' with\n"), "{text}");
        assert_eq!(former, ["A''"]);
        let two = format!("{TEXT}ruleset B = A with\n");
        assert!(changed(&two, &["play misere".into()]).is_err());
        assert!(
            changed(&two, &["B: play misere".into()])
                .is_ok_and(|t| t.0.contains("ruleset B' = A with"))
        );
    }

    #[test]
    fn questions_are_asked_of_another() {
        let text = asked_of(TEXT, "A", "Bee");
        assert!(text.contains("let f(n) = Bee[n]\neval Bee[3]\n"), "{text}");
        assert!(text.starts_with("ruleset A\n"), "{text}");
    }
}
