//! `cgdsl verify`: checks whether a witness holds.

use super::bar::Bar;
use super::run::Run;
use crate::claim::heaps::{amounts_in_words, with_code};
use crate::engine::sequence::amounts::{AmountRule, Amounts};
use crate::engine::sequence::{Take, TakingRule};
use crate::report::Document;
use crate::session::read_regular;
use crate::verify::{
    self, Claimed, InfiniteWitness, Parts, QuotientWitness, Refusal, SidesWitness,
};
use serde::Serialize;

#[derive(Serialize)]
struct Verified {
    file: String,
    /// `None` if the check was ended before it was done.
    holds: Option<bool>,
    reason: Option<String>,
    /// What was checked: a witness may call it as it likes.
    checked: Option<String>,
}

/// The longest witness that is read, in bytes.
const LONGEST: u64 = 1 << 30;

/// The number of values of a witness, and what it claims.
fn told(claimed: &Claimed) -> (u64, String) {
    match claimed {
        Claimed::Quotient(w) => return (w.phi.len() as u64, told_quotient(w)),
        Claimed::Infinite(w) => return (w.phi.len() as u64, told_infinite(w)),
        Claimed::Sides(w) => return (w.game.len() as u64, told_sides(w)),
        _ => {}
    }
    let (named, period, preperiod, values, what) = match claimed {
        Claimed::Period(w) => (
            &w.name,
            w.period,
            w.preperiod,
            w.values.len(),
            "values computed again",
        ),
        Claimed::Shift(w) => (
            &w.name,
            w.period,
            w.preperiod,
            w.values.len(),
            "values computed again",
        ),
        Claimed::Partizan(w) => (
            &w.name,
            w.period,
            w.preperiod,
            w.same_as.len(),
            "heaps compared with each other",
        ),
        Claimed::Quotient(_) | Claimed::Infinite(_) | Claimed::Sides(_) => {
            return (0, String::new());
        }
    };
    let saltus = match claimed {
        Claimed::Shift(w) if w.saltus > 0 => format!(" and saltus {}", w.saltus),
        _ => String::new(),
    };
    let text = format!(
        "holds: {} has period {period}{saltus} from n = {preperiod} ({values} {what})",
        name(named)
    );
    (values as u64, text)
}

fn told_quotient(w: &QuotientWitness) -> String {
    let of = match (&w.parts, &w.period) {
        (Parts::Listed(all), _) => format!("its {} positions", all.len()),
        (_, Some(p)) => format!(
            "all heaps, with period {} from n = {}",
            p.period, p.preperiod
        ),
        (_, None) => format!("heaps up to {}", w.phi.len().saturating_sub(1)),
    };
    format!(
        "holds: the misère quotient of {}, for {of}, has {} elements, {} of them P-positions",
        name(&w.name),
        w.order,
        w.p.len()
    )
}

/// The name that a witness gives, in one line.
fn name(name: &str) -> String {
    name.replace(char::is_control, " ")
}

/// What was checked, in words: the rule, or the game that the witness lists. Its name is not checked.
fn checked(claimed: &Claimed) -> String {
    let ways = |ways: &[verify::Way], distinct: bool| {
        let takes = ways.iter().map(|w| Take {
            taken: w.taken,
            heaps: w.heaps,
            distinct,
        });
        let rule = TakingRule::new(takes.collect());
        rule.map_or_else(String::new, |rule| with_code(&rule))
    };
    let parts = |parts: &Parts| match parts {
        Parts::Heaps(rule) => ways(rule, false),
        Parts::DifferentHeaps(rule) => ways(rule, true),
        Parts::Listed(all) => format!("the {} positions that the file lists", all.len()),
    };
    match claimed {
        Claimed::Period(w) => ways(&w.rule, false),
        Claimed::Shift(w) => {
            let [partly, wholly] = [&w.partly, &w.wholly].map(|a| Amounts {
                listed: a.listed.clone(),
                all_but: a.all_but,
            });
            amounts_in_words(&AmountRule { partly, wholly })
        }
        Claimed::Partizan(w) => {
            let [left, right] = [&w.left, &w.right].map(|rule| ways(rule, false));
            format!("Left: {left}; Right: {right}")
        }
        Claimed::Quotient(w) => parts(&w.parts),
        Claimed::Infinite(w) => parts(&w.parts),
        Claimed::Sides(w) => format!("the game of {} positions that the file lists", w.game.len()),
    }
}

fn told_infinite(w: &InfiniteWitness) -> String {
    let (part, of) = match &w.parts {
        Parts::Listed(all) => ("position", format!("its {} positions", all.len())),
        _ => (
            "heap",
            format!("heaps up to {}", w.phi.len().saturating_sub(1)),
        ),
    };
    let (g, h) = w.pair;
    format!(
        "holds: the misère quotient of {}, for {of}, is infinite: infinitely many sums of {part} {g} are told apart by sums with {part} {h}",
        name(&w.name)
    )
}

fn told_sides(w: &SidesWitness) -> String {
    let size = |side: &Option<verify::Vertices>| side.as_ref().map(Vec::len);
    let sides = match (size(&w.onside), size(&w.offside)) {
        (Some(_), Some(n)) if w.onside == w.offside => format!("a stopper of {n} positions"),
        (Some(a), Some(b)) => format!("an onside of {a} positions and an offside of {b}"),
        (Some(n), None) => format!("an onside of {n} positions"),
        (_, n) => format!("an offside of {} positions", n.unwrap_or(0)),
    };
    let n = w.game.len();
    format!(
        "holds: {} is worth {sides} ({n} positions compared with them)",
        name(&w.name)
    )
}

impl Run<'_> {
    /// `cgdsl verify`
    pub fn verify(&mut self, file: &str) -> u8 {
        let read = read_regular(file, LONGEST).map_err(|why| why.to_string());
        let text = read.and_then(|bytes| String::from_utf8(bytes).map_err(|e| e.to_string()));
        let text = match text {
            Ok(text) => text,
            Err(why) => {
                self.output.error(&format!("{file}: {why}"));
                return 2;
            }
        };
        let read = verify::read(text.trim_start_matches('\u{feff}'));
        let length = read.as_ref().map_or(0, |w| told(w).0);
        let mut bar = Bar::new(length, self.output.json);
        let cancel = self.cancel.clone();
        let threads = usize::from(self.common.threads);
        let mut progress = |n| {
            bar.tell(n);
            !cancel.is_cancelled()
        };
        let found = read.and_then(|claimed| {
            match &claimed {
                Claimed::Period(w) => verify::check(w, threads, &mut progress),
                Claimed::Shift(w) => verify::check_shift(w, &mut progress),
                Claimed::Partizan(w) => verify::check_partizan(w, &mut progress),
                Claimed::Quotient(w) => verify::check_quotient(w, &mut progress),
                Claimed::Infinite(w) => verify::check_infinite(w, &mut progress),
                Claimed::Sides(w) => verify::check_sides(w, &mut progress),
            }
            .map(|()| claimed)
        });
        drop(bar);
        if self.output.json {
            let verified = Verified {
                file: file.to_owned(),
                holds: match &found {
                    Ok(_) => Some(true),
                    Err(Refusal::Wrong(_)) => Some(false),
                    Err(Refusal::Ended) => None,
                },
                reason: found.as_ref().err().map(ToString::to_string),
                checked: found.as_ref().ok().map(checked),
            };
            let document = Document::new("cgdsl/verify/1", verified, Vec::new());
            self.output.document(&document);
        } else {
            match &found {
                Ok(claimed) => {
                    self.output.line(&told(claimed).1);
                    let what = checked(claimed);
                    self.output
                        .line(&format!("checked: {what}; the name is not checked"));
                }
                Err(why @ Refusal::Wrong(_)) => self.output.line(&format!("refused: {why}")),
                Err(Refusal::Ended) => self
                    .output
                    .line("unknown: the check was ended before it was done"),
            }
        }
        match found {
            Ok(_) => 0,
            Err(Refusal::Wrong(_)) => 1,
            Err(Refusal::Ended) => 3,
        }
    }
}
