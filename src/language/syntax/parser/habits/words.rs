//! Words of other languages, and keywords with a wrong letter or a capital.

use super::phrases::SITES;
use super::{Line, goes_before, keyword_meant};
use crate::base::Span;
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::lexer::{RESERVED, STAGE_WORDS, TokenKind, opens_clause};

impl Line<'_, '_> {
    /// `Choose`, `Where`: keywords are in lower case.
    pub(super) fn capitals(&self, i: usize) -> Option<Diagnostic> {
        let word = self.word(i);
        if self.kind(i) != Some(TokenKind::Name) {
            return None;
        }
        let small = word.to_lowercase();
        let opens = self.source.first_on_line(self.tokens[i])
            && opens_clause(&small, Some(self.word(i + 1)));
        if small == word
            || !(RESERVED.contains(&&*small) || opens)
            || matches!(self.word(i + 1), "(" | "=" | "," | "in")
        {
            return None;
        }
        Some(
            self.error(
                Code::E0101,
                format!("`{word}` is written with small letters"),
                i,
            )
            .suggest(Suggestion::replace(self.span(i), &small, format!("write `{small}`")).safe()),
        )
    }

    /// Words of other languages between operands.
    pub(super) fn words(&self, i: usize) -> Option<Diagnostic> {
        let word = self.word(i);
        if self.kind(i) != Some(TokenKind::Name) {
            return None;
        }
        let after_operand = i > self.first && self.ends_operand(i - 1);
        let before_operand = matches!(
            self.kind(i + 1),
            Some(TokenKind::Name | TokenKind::Integer | TokenKind::OpenBracket | TokenKind::Text)
        ) || matches!(self.word(i + 1), "not" | "all" | "some" | "no");
        if self.in_ruleset && after_operand && before_operand {
            let stage = self.stage_word(i);
            let conditional = matches!(
                word,
                "if" | "when"
                    | "whenever"
                    | "with"
                    | "given"
                    | "provided"
                    | "such"
                    | "st"
                    | "and_where"
            );
            if stage == Some("choose")
                && conditional
                && self.find(i, self.last, |w| w == "else").is_none()
            {
                let place = if word == "such" && self.word(i + 1) == "that" {
                    self.span(i).to(self.span(i + 1))
                } else {
                    self.span(i)
                };
                let mut fix = Suggestion::replace(place, "where", "write `where`");
                let next = self.next_stage(i);
                if let Some(next) = next.filter(|n| self.word(*n) == "where") {
                    // The conditions after `where` continue after these.
                    let (before, at) = (self.span(next - 1).end, self.span(next).end);
                    let other = Span::new(self.source.file, before as usize, at as usize);
                    fix = fix.and(other, ",");
                }
                // Further choices after the conditions would become conditions.
                if !self.chooses_after(i, next.unwrap_or(self.last)) {
                    fix = fix.safe();
                }
                return Some(
                    self.error(
                        Code::E0110,
                        format!("conditions stand after `where`, not after `{word}`"),
                        i,
                    )
                    .suggest(fix),
                );
            }
        }
        if self.in_ruleset
            && matches!(word, "do" | "doing" | "yields" | "gives")
            && after_operand
            && self.stage_word(i) != Some("then")
        {
            let fix = Suggestion::replace(self.span(i), "then", "write `then`");
            return Some(
                self.error(
                    Code::E0110,
                    format!("effects stand after `then`, not after `{word}`"),
                    i,
                )
                .suggest(self.safe_before(fix, i, "then")),
            );
        }
        // `n is even`, `n is not odd`
        if word == "is" && after_operand {
            let not = usize::from(self.word(i + 1) == "not");
            if let parity @ ("even" | "odd") = self.word(i + 1 + not) {
                let rest = usize::from(parity == "odd") ^ not;
                let place = self.span(i).to(self.span(i + 1 + not));
                let text = format!("mod 2 = {rest}");
                return Some(
                    self.error(Code::E0101, "`is` is not a word of the language", i)
                        .suggest(Suggestion::replace(place, &text, format!("write `{text}`"))),
                );
            }
        }
        if word == "is" && after_operand {
            let not = self.word(i + 1) == "not";
            let (place, sign) = if not {
                (self.span(i).to(self.span(i + 1)), "!=")
            } else {
                (self.span(i), "=")
            };
            let games = "data are compared with `=`, games with `==`";
            return Some(
                self.error(Code::E0101, "`is` is not a word of the language", i)
                    .note(games)
                    .suggest(Suggestion::replace(place, sign, format!("write `{sign}`"))),
            );
        }
        // Quantifiers.
        let quantifier = match word {
            "exists" | "exist" | "any" | "there_is" => Some("some"),
            "forall" | "every" => Some("all"),
            "none" | "nowhere" => Some("no"),
            _ => None,
        };
        if let Some(meant) = quantifier
            && self.kind(i + 1) == Some(TokenKind::Name)
            && matches!(self.word(i + 2), "in" | "," | ":" | "∈")
        {
            return Some(
                self.error(Code::E0101, format!("`{word}` is not a quantifier"), i)
                    .suggest(
                        Suggestion::replace(
                            self.span(i),
                            meant,
                            format!("the language says `{meant} {} in S: ..`", self.word(i + 1)),
                        )
                        .safe(),
                    ),
            );
        }
        // `vertex v` where a site is chosen.
        if self.in_ruleset
            && matches!(self.before(i), "choose" | ",")
            && self.stage_word(i) == Some("choose")
            && SITES.contains(&word)
            && self.kind(i + 1) == Some(TokenKind::Name)
        {
            let name = self.word(i + 1);
            let place = Span::new(
                self.source.file,
                self.span(i).start as usize,
                self.span(i + 1).start as usize,
            );
            return Some(
                self.error(
                    Code::E0110,
                    format!("`{word} {name}` is not how something is chosen"),
                    i,
                )
                .suggest(
                    Suggestion::replace(
                        place,
                        "",
                        format!("a name alone is each site: `choose {name}`"),
                    )
                    .safe(),
                ),
            );
        }
        self.misspelt(i)
    }

    /// A keyword with a wrong letter, where two names are adjacent.
    fn misspelt(&self, i: usize) -> Option<Diagnostic> {
        let word = self.word(i);
        let next_operand = matches!(self.kind(i + 1), Some(TokenKind::Name | TokenKind::Integer));
        if !self.in_ruleset || !next_operand {
            return None;
        }
        let opens_line = self.source.first_on_line(self.tokens[i]);
        let before = self.before(i);
        let candidates: &[&str] =
            if matches!(before, "then") || before == "," && self.stage_word(i) == Some("then") {
                &["remove", "keep", "each"]
            } else if matches!(before, "choose")
                || before == "," && self.stage_word(i) == Some("choose")
            {
                &["edge", "piece"]
            } else if before == ":" && self.stage_word(i).is_none() {
                &["choose"]
            } else if i > self.first && self.ends_operand(i - 1) && self.stage_word(i).is_some() {
                &["where", "then", "in", "mod", "div", "and", "or", "owns"]
            } else {
                return None;
            };
        // A line starts with a keyword of a move or of a clause; the latter have their own message.
        let candidates: &[&str] = match opens_line {
            true if i > self.first && self.ends_operand(i - 1) => &["where", "then"],
            true => return None,
            false => candidates,
        };
        // A word of other languages that means the same, or a slip, is safe to replace.
        let (meant, sure) = match word {
            "delete" | "erase" if candidates.contains(&"remove") => ("remove", true),
            "take" | "kill" | "destroy" | "discard" if candidates.contains(&"remove") => {
                ("remove", false)
            }
            "pick" | "select" if candidates.contains(&"choose") => ("choose", true),
            "take" if candidates.contains(&"choose") => ("choose", false),
            "modulo" | "rem" if candidates.contains(&"mod") => ("mod", true),
            "elem" | "within" if candidates.contains(&"in") => ("in", true),
            _ => keyword_meant(word, candidates.iter().copied())?,
        };
        // Words of two letters are near to many others.
        if word.len() < 3 && meant.len() < 3 {
            return None;
        }
        let fix = Suggestion::replace(self.span(i), meant, format!("did you mean `{meant}`?"));
        Some(
            self.error(Code::E0110, format!("`{word}` is not a word of a move"), i)
                .suggest(match sure {
                    true => self.safe_before(fix, i, meant),
                    false => fix,
                }),
        )
    }

    /// The next keyword after `i` in this clause that opens a part of a move.
    fn next_stage(&self, i: usize) -> Option<usize> {
        self.find(i + 1, self.last, |w| STAGE_WORDS.contains(&w))
    }

    /// An edit that writes `word` at `i`; safe unless the stage goes on with the same word, or with `where` after `then`.
    fn safe_before(&self, fix: Suggestion, i: usize, word: &str) -> Suggestion {
        let next = self.next_stage(i).map_or("", |n| self.word(n));
        fix.safe_if(goes_before(word, next))
    }

    /// Whether, after a comma between `i` and `end`, something is chosen: a name alone, a name `in` a set, an edge, a piece.
    fn chooses_after(&self, i: usize, end: usize) -> bool {
        let mut at = i + 1;
        while let Some(comma) = self.find(at, end, |w| w == ",") {
            let name = self.kind(comma + 1) == Some(TokenKind::Name);
            let alone =
                comma + 2 >= end || matches!(self.word(comma + 2), "," | "in" | "--" | "->");
            let kind = matches!(self.word(comma + 1), "edge" | "piece");
            if name && (alone || kind) {
                return true;
            }
            at = comma + 1;
        }
        false
    }
}
