//! The facts derived from the rules of a position, for a card or for `explain`: parts, symmetries, why play ends, and the
//! method that finds its values.

use super::affine::unequal;
use super::answer::Fact;
use super::heaps;
use super::shaped::GROUND_POINTS;
use super::solve::Solver;
use super::theory::{self, Theory};
use crate::ir::{Position, Res, Term};
use crate::machine::TermExplanation;
use crate::model::typed::Endless;

/// The most symmetries that a card shows.
const SYMMETRIES: usize = 2;
/// The most symmetries of boards without cells that are shown.
const TURNS: usize = 4;

/// The facts about the ground instances of a term.
fn grounded(term: &TermExplanation) -> Vec<Fact> {
    if term.level1.is_some() {
        return Vec::new();
    }
    let mut facts = vec![
        Fact::new(
            "instances",
            format!(
                "{} of {} ground moves of {} can ever happen",
                term.live, term.instances, term.ruleset
            ),
        ),
        Fact::new(
            "state",
            format!(
                "{} variables, {} of them both written and observed, in {} bits",
                term.variables, term.linking, term.bits
            ),
        ),
    ];
    if let Some(bound) = &term.bound {
        facts.push(Fact::new("bounded", bound.clone()));
    }
    facts
}

impl Solver {
    /// The facts derived from the rules: in short for a card, in full for `explain`.
    ///
    /// # Errors
    /// A limit.
    pub fn derived(&self, position: &Position, full: bool) -> Res<Vec<Fact>> {
        let order = position.as_single().and_then(|t| self.order_facts(t));
        if let Some((points, facts)) = &order
            && *points > GROUND_POINTS
        {
            // The ground moves would be many, and add nothing to these facts.
            return Ok(facts.clone());
        }
        let machine = match self.compiled_alone(position) {
            Ok(machine) => machine,
            Err(fault) if fault.code.is_limit() => return Err(fault),
            Err(_) => return Ok(Vec::new()),
        };
        let all = machine.explain();
        let notes = position
            .terms()
            .iter()
            .flat_map(|t| &t.setting.board.notes)
            .map(|text| Fact::new("board", text.as_str()));
        let decided = !position.has_values();
        let mut facts = vec![Fact::new(
            "parts",
            match all.components {
                0 => "none: nobody can ever move".to_owned(),
                1 => "1: the position is not a sum of smaller ones".to_owned(),
                n => format!("{n}: the position is the sum of {n} independent parts"),
            },
        )];
        if decided {
            // A clause that ends play ends all of it, so such a position has no parts.
            facts = theory::facts(position);
        }
        facts.extend(notes);
        if full {
            let terms = position.terms().iter();
            let rules = terms.filter_map(|t| t.setting.instance.rules.inherits.as_deref());
            let mut told: Vec<Fact> = rules.map(|text| Fact::new("inherits", text)).collect();
            told.dedup();
            facts.extend(told);
        }
        if all.impartial {
            let who = match position.players() {
                2 => "both",
                _ => "all",
            };
            // Under a clause that says who wins or counts points, the same move may mean different things.
            let alike = position.terms().iter().all(|t| {
                let rules = &t.setting.instance.rules;
                rules.score.is_none() && !matches!(rules.endless, Endless::Win(_))
            });
            let what = match alike && unequal(position).is_none() {
                true => "options",
                false => "moves",
            };
            facts.push(Fact::new(
                "impartial",
                format!("{who} players have the same {what} for ever"),
            ));
        }
        if Theory::of(position) == Theory::Misere {
            facts.extend(match all.impartial {
                true => self
                    .genus_for_a_card(position)
                    .map(|g| Fact::new("genus", g)),
                false => self
                    .class_in_misere_play(position)
                    .map(|c| Fact::new("class", c)),
            });
        }
        let by_sequence = position
            .as_single()
            .filter(|term| !term.state.heaps.is_empty())
            .and_then(|term| {
                let instance = &term.setting.instance;
                match Theory::of(position) {
                    Theory::Misere => heaps::misere_road_in_words(&self.model, instance),
                    _ => heaps::road_in_words(&self.model, instance, &self.cancel),
                }
            });
        // Where there are values, these are symmetries of the moves. Otherwise they are checked against the clauses that end
        // play, too, but not against a score.
        let mut terms = position.terms().iter();
        let counted = terms.any(|t| t.setting.instance.rules.score.is_some());
        for term in &all.terms {
            if full {
                facts.extend(grounded(term));
            }
            let told = |all: &[String], shown: usize| {
                let mut told: Vec<String> = all.iter().take(shown).cloned().collect();
                if all.len() > shown {
                    told.push(format!("{} more", all.len() - shown));
                }
                // The position itself need not be symmetric, nor lie on such a board.
                let text = || format!("of the rules: {}", told.join("; "));
                (!told.is_empty()).then(|| Fact::new("symmetry", text()))
            };
            let shown = if full { usize::MAX } else { SYMMETRIES };
            if !counted {
                facts.extend(told(&term.symmetries, shown));
            }
            if full && !counted {
                facts.extend(told(&term.turns, TURNS));
            }
            if full && term.removal {
                facts.push(Fact::new(
                    "removal",
                    "a move only takes moves away, the same ones in every position",
                ));
            }
            // A sum ends if all its terms do.
            if all.ends
                && let Some(ends) = &term.ends
            {
                let same = all.terms.iter().all(|t| t.ends == term.ends);
                let fact = Fact::new(
                    "play ends",
                    match same {
                        true => format!("since {ends}"),
                        false => format!("in {} since {ends}", term.ruleset),
                    },
                );
                if !facts.contains(&fact) {
                    facts.push(fact);
                }
            }
            // A sequence of nim-values is found without making a move.
            if by_sequence.is_none()
                && let Some(reason) = &term.level1
            {
                let method = match term.integers {
                    true => format!("moves are computed, not listed beforehand: {reason}"),
                    false => format!(
                        "the rules are read anew for each move, which is slower: {reason}{}",
                        what_to_change(reason)
                    ),
                };
                facts.push(Fact::new("method", method));
            }
        }
        facts.extend(by_sequence.map(|words| Fact::new("heaps", words)));
        if full && let Some((_, of_order)) = order {
            let said = |f: &Fact| facts.iter().any(|g| g.about == f.about);
            let new: Vec<Fact> = of_order.into_iter().filter(|f| !said(f)).collect();
            facts.extend(new);
        }
        for term in &all.terms {
            if full {
                facts.extend(term.lints.iter().map(|l| Fact::new("note", l.clone())));
            }
        }
        facts.dedup();
        Ok(facts)
    }

    /// The facts about a removal game on an order, with its method and its number of points.
    fn order_facts(&self, term: &Term) -> Option<(usize, Vec<Fact>)> {
        let removed = self.removal(term)?;
        let points = removed.order.points;
        let from = if removed.machine.is_none() {
            "by the text of the rules"
        } else {
            "by every ground move"
        };
        let mut facts = vec![
            Fact::new(
                "order",
                format!("a move takes one of {points} points with all above it, {from}"),
            ),
            Fact::new("impartial", "both players have the same options for ever"),
            Fact::new(
                "play ends",
                "since every move removes something, and nothing comes back",
            ),
        ];
        let road = match self.orders.solved(removed, |of| self.order_solved(of)) {
            Ok(Some(s)) if s.ranked.is_empty() => format!(
                "series-parallel: {} parts put together by the nim-sum and the Grundy product",
                s.joined + 1
            ),
            Ok(Some(s)) => {
                let prime: Vec<String> = s
                    .ranked
                    .iter()
                    .map(|(points, positions)| {
                        format!("{points} points in {positions} positions, ranked by antichains")
                    })
                    .collect();
                match s.joined {
                    0 => prime.join("; "),
                    n => format!(
                        "{} parts put together by the nim-sum and the Grundy product; prime are: {}",
                        n + 1,
                        prime.join("; ")
                    ),
                }
            }
            Ok(None) => {
                "neither series-parallel nor of few antichains: the general search".to_owned()
            }
            Err(_) => "not known within the limits".to_owned(),
        };
        facts.push(Fact::new("method", road));
        Some((points, facts))
    }
}

/// How to change rules so that they are compiled, by the reason why they are not; empty if no rewriting helps.
fn what_to_change(reason: &str) -> &'static str {
    let hints = [
        (
            "too many steps",
            "; a condition in place of a name for what depends on the position (`size(S) = 3` for `k = size(S), k = 3`), or several stages in place of one choice of several sites, takes fewer",
        ),
        (
            "ways to end",
            "; a clause that says what is there (`some .. : ..`) has fewer than one that says what is not",
        ),
        (
            "instances",
            "; several stages in place of one choice of several sites make fewer",
        ),
        (
            "no bound",
            "; a count that no move raises without lowering another of its kind has one",
        ),
        (
            "beside groups",
            "; conditions made of `some`, `all`, `no`, `size`, `in` and comparisons are followed",
        ),
    ];
    let hint = hints.iter().find(|(part, _)| reason.contains(part));
    hint.map_or("", |(_, change)| change)
}
