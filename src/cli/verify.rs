//! `cgdsl verify`: checks whether a witness holds.

use super::bar::Bar;
use super::run::Run;
use crate::report::Document;
use crate::session::read_regular;
use crate::verify::{self, Claimed, InfiniteWitness, Parts, QuotientWitness, SidesWitness};
use serde::Serialize;

#[derive(Serialize)]
struct Verified {
    file: String,
    holds: bool,
    reason: Option<String>,
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
    let (name, period, preperiod, values, what) = match claimed {
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
    let text =
        format!("holds: {name} has period {period}{saltus} from n = {preperiod} ({values} {what})");
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
        w.name,
        w.order,
        w.p.len()
    )
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
        w.name
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
        w.name
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
        let read = verify::read(&text);
        let length = read.as_ref().map_or(0, |w| told(w).0);
        let mut bar = Bar::new(length, self.output.json);
        let cancel = self.cancel.clone();
        let threads = usize::from(self.common.threads);
        let mut progress = |n| {
            bar.tell(n);
            !cancel.is_cancelled()
        };
        let checked = read.and_then(|claimed| {
            match &claimed {
                Claimed::Period(w) => verify::check(w, threads, &mut progress),
                Claimed::Shift(w) => verify::check_shift(w, &mut progress),
                Claimed::Partizan(w) => verify::check_partizan(w, &mut progress),
                Claimed::Quotient(w) => verify::check_quotient(w, &mut progress),
                Claimed::Infinite(w) => verify::check_infinite(w, &mut progress),
                Claimed::Sides(w) => verify::check_sides(w, &mut progress),
            }
            .map(|()| told(&claimed).1)
        });
        drop(bar);
        if self.output.json {
            let verified = Verified {
                file: file.to_owned(),
                holds: checked.is_ok(),
                reason: checked.as_ref().err().map(ToString::to_string),
            };
            let document = Document::new("cgdsl/verify/1", verified, Vec::new());
            self.output.document(&document);
        } else {
            match &checked {
                Ok(text) => self.output.line(text),
                Err(why) => self.output.line(&format!("refused: {why}")),
            }
        }
        match checked {
            Ok(_) => 0,
            Err(_) if self.cancel.is_cancelled() => 3,
            Err(_) => 1,
        }
    }
}
