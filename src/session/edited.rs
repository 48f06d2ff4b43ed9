//! Edits the text of a file: changes clauses of a ruleset, or redirects queries to another ruleset. The rest of the text
//! stays unchanged.

use crate::base::{FileId, Sources, Span};
use crate::diagnostic::{Code, Diagnostic, did_you_mean};
use crate::syntax::ast::ItemKind;
use crate::syntax::lexer::{self, CLAUSE_WORDS, TokenKind, opens_clause};
use crate::syntax::parse_file;

/// A text with changed clauses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Changed {
    /// The text.
    pub text: String,
    /// The new names of the former rulesets.
    pub former: Vec<String>,
    /// The clauses as they were given, each with its place in what is added.
    pub clauses: Vec<(usize, String)>,
    /// The length of what is added at the end.
    pub added: usize,
}

/// Renames each changed ruleset to `Name'` and appends the ruleset `Name = Name' with ..`, which has the new clauses, so that
/// queries about `Name` refer to it. A clause may be written without its `let`; where the file has several rulesets,
/// `Ruleset: clause` says which one is meant.
///
/// # Errors
/// There is no such ruleset, or the ruleset is ambiguous.
pub fn changed(text: &str, clauses: &[String]) -> Result<Changed, Diagnostic> {
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
    // For each ruleset, what stands before each clause, and the clause.
    let mut all: Vec<(String, Vec<(&str, &str)>)> = Vec::new();
    for clause in clauses {
        // No clause is a single word before a colon.
        let named = clause
            .split_once(':')
            .map(|(name, rest)| (name.trim(), rest))
            .filter(|(name, _)| name.starts_with(char::is_alphabetic) && is_word(name));
        if let Some((name, _)) = named
            && rulesets.iter().all(|r| &*r.text != name)
        {
            let names = rulesets.iter().map(|r| &*r.text);
            let has: Vec<&str> = names.clone().collect();
            let message = format!("the file has no ruleset `{name}`");
            return Err(Diagnostic::error(Code::E0552, message)
                .help_if(did_you_mean(name, names))
                .help_if((!has.is_empty()).then(|| format!("it has {}", has.join(", ")))));
        }
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
        let Some(first) = words.next() else {
            return Err(
                Diagnostic::error(Code::E0552, "there is no clause to change").help(
                    "write one as in a file, a definition without its `let`: --set 'play misere', --set 'f(x) = x + 1'",
                ),
            );
        };
        let opens = CLAUSE_WORDS.contains(&first) || opens_clause(first, words.next());
        let before = match (opens, clause) {
            (true, _) => "",
            // A convention alone.
            (false, "misere" | "misère" | "normal") => "play ",
            (false, _) => "let ",
        };
        match all.iter_mut().find(|(n, _)| *n == name) {
            Some((_, clauses)) => clauses.push((before, clause)),
            None => all.push((name, vec![(before, clause)])),
        }
    }
    // Edits go from the last ruleset to the first, so that the places of earlier names stay valid.
    all.sort_by_key(|(name, _)| {
        let place = rulesets.iter().find(|r| *r.text == **name);
        std::cmp::Reverse(place.map(|r| r.span.start))
    });
    let mut added = String::new();
    let (mut former, mut places) = (Vec::new(), Vec::new());
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
        for (before, clause) in clauses {
            added.push_str(&format!("  {before}"));
            places.push((added.len(), clause.to_owned()));
            added.push_str(&format!("{clause}\n"));
        }
        former.push(old);
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&added);
    Ok(Changed {
        text,
        former,
        clauses: places,
        added: added.len(),
    })
}

fn is_word(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '_' | '\''))
}

/// Where the changed clauses of a file that was read come from. Messages about them show the clause as it was given.
#[derive(Debug)]
pub(super) struct Given {
    file: FileId,
    /// Where the added text begins.
    from: usize,
    /// The place of each clause in the file, its length, and its source.
    clauses: Vec<(usize, usize, FileId)>,
}

impl Given {
    /// Adds a source for each clause.
    pub(super) fn new(file: FileId, changed: &Changed, sources: &mut Sources) -> Given {
        let length = sources.get(file).map_or(0, |s| s.text.len());
        let from = length.saturating_sub(changed.added);
        let of = |(at, clause): &(usize, String)| {
            let id = sources.add("<command line>", clause);
            (from + at, clause.len(), id)
        };
        Given {
            file,
            from,
            clauses: changed.clauses.iter().map(of).collect(),
        }
    }

    /// The same place in a clause as it was given; `None` for the rest of the file.
    fn moved(&self, span: Span) -> Option<Span> {
        let (start, end) = (span.start as usize, span.end as usize);
        if span.file != self.file || start < self.from {
            return None;
        }
        // What was added before a clause counts as part of it.
        let mut clauses = self.clauses.iter();
        let ends_behind = |(at, length, _): &&(usize, usize, FileId)| start <= at + length;
        let (at, length, id) = clauses.find(ends_behind).or(self.clauses.last())?;
        let start = start.saturating_sub(*at).min(*length);
        let end = end.saturating_sub(*at).clamp(start, *length);
        Some(Span::new(*id, start, end))
    }

    /// Moves the places of a message. Returns whether the message is about a clause that was given.
    pub(super) fn place(&self, message: &mut Diagnostic) -> bool {
        let first = message.span();
        let labels = message.labels.iter_mut().map(|l| &mut l.span);
        let edits = message.suggestions.iter_mut().flat_map(|s| &mut s.edits);
        for span in labels.chain(edits.map(|e| &mut e.span)) {
            *span = self.moved(*span).unwrap_or(*span);
        }
        first.is_some_and(|span| self.moved(span).is_some())
    }
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
        let found = changed(TEXT, &["play misere".into(), "k = 3".into()]).expect("one ruleset");
        let Changed { text, former, .. } = found;
        assert_eq!(former, ["A'"]);
        assert!(text.starts_with("ruleset A'\n  board heaps\n"), "{text}");
        assert!(
            text.ends_with("\nruleset A = A' with\n  play misere\n  let k = 3\n"),
            "{text}"
        );
        // A name of the file is not taken.
        let primed = format!("{TEXT}ruleset A' = A with\n");
        let found = changed(&primed, &["A: play misere".into()]).expect("a ruleset");
        let Changed { text, former, .. } = found;
        assert!(text.contains("\nruleset A = A'' with\n"), "{text}");
        assert_eq!(former, ["A''"]);
        let two = format!("{TEXT}ruleset B = A with\n");
        assert!(changed(&two, &["play misere".into()]).is_err());
        assert!(
            changed(&two, &["B: play misere".into()])
                .is_ok_and(|t| t.text.contains("ruleset B' = A with"))
        );
        for none in ["", "B:", "C: play misere"] {
            assert!(changed(&two, &[none.into()]).is_err(), "{none}");
        }
    }

    #[test]
    fn questions_are_asked_of_another() {
        let text = asked_of(TEXT, "A", "Bee");
        assert!(text.contains("let f(n) = Bee[n]\neval Bee[3]\n"), "{text}");
        assert!(text.starts_with("ruleset A\n"), "{text}");
    }
}
