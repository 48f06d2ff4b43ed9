//! `cgdsl seq --misere`: prints the misère quotient of the heaps of an impartial ruleset: the element of each heap, the
//! quotient in generators and relations, and the period where it is proven for all heaps.

use super::args::{Format, Seq};
use super::bar::Bar;
use super::run::Run;
use super::seq::MOST_SHOWN;
use crate::claim::idempotents;
use crate::engine::misere::quotient::{PERIOD_THEOREM, Quotient};
use crate::report::Document;
use crate::report::idempotents::Idempotents;
use crate::session::sequence::{HeapGame, MisereHeaps};
use crate::session::{Loaded, Session};
use crate::verify::INFINITE_THEOREM;
use serde::Serialize;
use std::fmt::Write;

/// The most P-positions among the heaps, and the most elements of P, that are listed as text.
const MOST_LISTED: usize = 60;

/// The content of `seq --misere --json`.
#[derive(Serialize)]
struct Told {
    ruleset: String,
    /// The rule in words, if it is a taking-and-breaking rule.
    shape: Option<String>,
    code: Option<String>,
    /// Why it is not one.
    no_shape: Option<String>,
    /// The largest heap that was asked for.
    to: u64,
    /// Heaps 0, 1, .. as far as they are known, at most to `to`.
    heaps: Vec<Heap>,
    /// Whether the quotient is that of all heaps.
    all_heaps: bool,
    /// The largest heap that was added to the quotient.
    added_to: Option<u64>,
    order: usize,
    /// The elements of P.
    p: Vec<String>,
    generators: Vec<Generator>,
    /// Pairs of words; the second is the least of its class.
    relations: Vec<(String, String)>,
    presentation: String,
    idempotents: Vec<String>,
    period: Option<ProvenPeriod>,
    infinite: Option<ProvenInfinite>,
    /// Why the quotient of more heaps was not found.
    unknown: Option<String>,
}

#[derive(Serialize)]
struct Heap {
    phi: String,
    outcome: &'static str,
}

#[derive(Serialize)]
struct Generator {
    letter: String,
    /// The heap that is this part.
    heap: Option<u64>,
}

#[derive(Serialize)]
struct ProvenPeriod {
    period: u64,
    preperiod: u64,
    checked_below: u64,
    theorem: &'static str,
}

/// That the quotient with one heap more is infinite.
#[derive(Serialize)]
struct ProvenInfinite {
    /// The first heap with which it is.
    from: u64,
    /// The heap of which infinitely many sums are told apart; `None` if this part is no heap by itself.
    powers_of: Option<u64>,
    /// The heap that occurs in the sums that tell them apart; `None` likewise.
    beside: Option<u64>,
    theorem: &'static str,
}

/// The outcome of a sum with this element.
fn outcome(q: &Quotient, element: u16) -> &'static str {
    match q.is_p(element) {
        true => "P",
        false => "N",
    }
}

/// The elements of P by name.
fn elements_of_p(q: &Quotient) -> Vec<String> {
    let all = (0..q.order() as u16).filter(|x| q.is_p(*x));
    all.map(|x| q.name(x)).collect()
}

/// A list of at most so many items.
fn listed(items: &[String]) -> String {
    match items.len() > MOST_LISTED {
        true => format!("{}, ..", items[..MOST_LISTED].join(", ")),
        false => items.join(", "),
    }
}

/// The last heap whose element is known, at most `to`.
fn last_known(found: &MisereHeaps, to: u64) -> Option<u64> {
    match found.quotient.phi(to) {
        Some(_) => Some(to),
        None => found.quotient.heaps().checked_sub(1).map(|n| n.min(to)),
    }
}

impl Run<'_> {
    pub(super) fn misere_heaps(
        &mut self,
        args: &Seq,
        session: &mut Session<'_>,
        loaded: &Loaded,
        game: &HeapGame,
    ) -> u8 {
        if args.format == Format::Bfile {
            self.output.error(
                "elements of a quotient are no numbers, so they have no b-file: --format csv or jsonl gives a line for each heap",
            );
            return 2;
        }
        if self.too_long(args) {
            return 2;
        }
        let mut bar = Bar::new(args.to.saturating_add(1), self.output.json);
        let found = session.misere_heaps(loaded, game, args.to, &mut |n| bar.tell(n));
        drop(bar);
        let found = match found {
            Ok(found) => found,
            Err(d) => {
                let plain = self.complain(session, &[d]);
                let code = self.failed("cgdsl/error/1", plain);
                return if self.cancel.is_cancelled() { 3 } else { code };
            }
        };
        if let Err(code) = self.output.redirect(args.output.as_ref()) {
            return code;
        }
        let last = last_known(&found, args.to);
        let short = found.quotient.why_unknown().map(|why| {
            let known = match last {
                Some(m) => format!("the quotient is known to heap {m}"),
                None => "the quotient is known for no heap".to_owned(),
            };
            format!("{known}; beyond it was not found: {why}")
        });
        self.short_before(short.as_deref());
        if self.output.json {
            let document = Document::new("cgdsl/quotient/1", told(args, &found, last), Vec::new());
            self.output.document(&document);
        } else if args.plots() {
            let code = self.plot_idempotents(args, &found);
            if code != 0 {
                return code;
            }
        } else if args.format == Format::Text {
            self.tell_quotient(args, &found, last);
        } else {
            let code = self.quotient_lines(args.format, &found, last);
            if code != 0 {
                return code;
            }
        }
        if let Some(path) = &args.certify {
            let Some(witness) = found.quotient.certificate(args.ruleset()) else {
                self.output.error(
                    "there is no format for a witness of a rule that asks for different heaps in some moves and not in others",
                );
                return 3;
            };
            if let Some(code) = self.write_witness(path, &witness) {
                return code;
            }
        }
        self.short_after(short.as_deref())
    }

    fn tell_quotient(&mut self, args: &Seq, found: &MisereHeaps, last: Option<u64>) {
        let (all, q) = (&found.quotient, found.quotient.quotient());
        let rule = match &found.shape {
            Ok((words, Some(code))) => format!("{words} (code {code})"),
            Ok((words, None)) => words.clone(),
            Err(why) => format!("of no known shape: {why}"),
        };
        let names: Vec<String> = (0..q.order() as u16).map(|x| q.name(x)).collect();
        let phi = |n| {
            let name = all.phi(n).and_then(|x| names.get(usize::from(x)));
            name.map_or("", String::as_str)
        };
        let known = || (0..=last.unwrap_or(0)).take_while(|_| last.is_some());
        let shown = || known().take(usize::try_from(MOST_SHOWN).unwrap_or(usize::MAX));
        let mut text = match last {
            Some(m) => format!(
                "{}: elements of heaps 0 to {m} in the misère quotient\nrule    {rule}\n\n",
                args.ruleset()
            ),
            None => format!("{}: no heap is known\nrule    {rule}\n\n", args.ruleset()),
        };
        if let Some(m) = last
            && !args.quiet
        {
            let width = shown().map(|n| phi(n).len()).max().unwrap_or(1);
            self.print_rows(&mut text, m, width, shown().map(|n| phi(n).to_owned()));
        }
        if let Some(m) = last
            && m >= MOST_SHOWN
        {
            let _ = writeln!(text, "last    phi({m}) = {}", phi(m));
        }
        let in_p = |n: &u64| all.phi(*n).is_some_and(|x| q.is_p(x));
        let p_heaps = shown().filter(in_p).map(|n| n.to_string());
        let p_heaps: Vec<String> = p_heaps.take(MOST_LISTED + 1).collect();
        let p_heaps = match p_heaps.is_empty() {
            true => "none".to_owned(),
            false => listed(&p_heaps),
        };
        let _ = writeln!(text, "heaps that are P-positions: {p_heaps}\n");
        let of = match (all.period(), all.heaps().checked_sub(1)) {
            (Some(_), _) => "of all heaps".to_owned(),
            (None, Some(m)) => format!("of heaps 0 to {m}"),
            (None, None) => "of no heaps".to_owned(),
        };
        let _ = writeln!(
            text,
            "quotient {of}: {} elements, {} of them in P",
            q.order(),
            q.p_order()
        );
        let generators = all.generators().into_iter().enumerate();
        let generators = generators.map(|(i, heap)| match heap {
            Some(n) => format!("{} = phi({n})", Quotient::letter(i)),
            None => format!("{} (no single heap)", Quotient::letter(i)),
        });
        let generators: Vec<String> = generators.collect();
        if !generators.is_empty() {
            let _ = writeln!(text, "generators  {}", generators.join(", "));
            let _ = writeln!(text, "relations   {}", relations(q).join(", "));
            let _ = writeln!(text, "P           {}", listed(&elements_of_p(q)));
            let idempotents = q.idempotents().into_iter();
            let idempotents: Vec<String> = idempotents.map(|x| q.name(x)).collect();
            let _ = writeln!(text, "idempotents {}", listed(&idempotents));
        }
        text.push('\n');
        match (all.period(), all.infinite(), &found.shape) {
            (Some(p), ..) => {
                let _ = writeln!(
                    text,
                    "period  {} from n = {}: proven for all heaps, since phi(n + {}) = phi(n) was checked for {} <= n < {}\n        ({PERIOD_THEOREM})",
                    p.period, p.preperiod, p.period, p.preperiod, p.checked,
                );
            }
            (None, Some((g, h)), _) => {
                let heap = |n: Option<u64>| match n {
                    Some(n) => format!("heaps of {n}"),
                    None => "a part of larger heaps".to_owned(),
                };
                let _ = writeln!(
                    text,
                    "infinite from heap {} on, proven: infinitely many sums of {} are told apart by sums with {}",
                    all.heaps(),
                    heap(g),
                    heap(h)
                );
            }
            (None, None, Ok((_, Some(_)))) => {
                let m = all.heaps().saturating_sub(1);
                let _ = writeln!(text, "period  none found up to n = {m}");
            }
            (None, None, Ok(_)) => {
                text.push_str("period  no theorem applies: some moves ask for different sizes\n");
            }
            (None, None, Err(_)) => {
                text.push_str(
                    "period  none claimed: no theorem is applied to rules of no known shape\n",
                );
            }
        }
        self.output.text(&text);
    }

    /// The idempotents of the quotient as a picture. Returns the exit code.
    fn plot_idempotents(&mut self, args: &Seq, found: &MisereHeaps) -> u8 {
        let all = match idempotents(found.quotient.quotient()) {
            Ok(all) => all,
            Err(n) => {
                let why = format!(
                    "the quotient has {n} idempotents, too many for a picture; --json lists them"
                );
                self.output.error(&why);
                return 2;
            }
        };
        let all = Idempotents {
            of: args.ruleset(),
            all: &all,
        };
        match self.idempotents(&all, args.output.as_deref()) {
            Some(picture) => {
                self.output.text(&picture);
                0
            }
            None => 2,
        }
    }

    /// A line for each heap. Returns the exit code.
    fn quotient_lines(&mut self, format: Format, found: &MisereHeaps, last: Option<u64>) -> u8 {
        let q = found.quotient.quotient();
        let csv = format == Format::Csv;
        let known = (0..=last.unwrap_or(0)).take_while(|_| last.is_some());
        let lines = known.map_while(|n| {
            let x = found.quotient.phi(n)?;
            let (phi, outcome) = (q.name(x), outcome(q, x));
            let line = match csv {
                true => format!("{n},{phi},{outcome}\n"),
                false => {
                    format!("{{\"n\":{n},\"phi\":\"{phi}\",\"outcome\":\"{outcome}\"}}\n")
                }
            };
            Some((n, line))
        });
        self.lines(if csv { "n,phi,outcome\n" } else { "" }, lines)
    }
}

/// The relations as equations.
fn relations(q: &Quotient) -> Vec<String> {
    let all = in_letters(q).into_iter();
    all.map(|(a, b)| format!("{a} = {b}")).collect()
}

fn in_letters(q: &Quotient) -> Vec<(String, String)> {
    let all = q.relations();
    all.iter()
        .map(|(a, b)| (q.in_letters(a), q.in_letters(b)))
        .collect()
}

fn told(args: &Seq, found: &MisereHeaps, last: Option<u64>) -> Told {
    let (all, q) = (&found.quotient, found.quotient.quotient());
    let heap = |n| {
        let x = all.phi(n)?;
        Some(Heap {
            phi: q.name(x),
            outcome: outcome(q, x),
        })
    };
    let letters = all.generators().into_iter().enumerate();
    Told {
        ruleset: args.ruleset().to_owned(),
        shape: found.shape.as_ref().ok().map(|(words, _)| words.clone()),
        code: found.shape.as_ref().ok().and_then(|(_, c)| c.clone()),
        no_shape: found.shape.as_ref().err().cloned(),
        to: args.to,
        heaps: match last {
            Some(m) => (0..=m).map_while(heap).collect(),
            None => Vec::new(),
        },
        all_heaps: all.period().is_some(),
        added_to: all.heaps().checked_sub(1),
        order: q.order(),
        p: elements_of_p(q),
        generators: letters
            .map(|(i, heap)| Generator {
                letter: Quotient::letter(i),
                heap,
            })
            .collect(),
        relations: in_letters(q),
        presentation: q.presentation(),
        idempotents: q.idempotents().into_iter().map(|x| q.name(x)).collect(),
        period: all.period().map(|p| ProvenPeriod {
            period: p.period,
            preperiod: p.preperiod,
            checked_below: p.checked,
            theorem: PERIOD_THEOREM,
        }),
        infinite: all.infinite().map(|(powers_of, beside)| ProvenInfinite {
            from: all.heaps(),
            powers_of,
            beside,
            theorem: INFINITE_THEOREM,
        }),
        unknown: all.why_unknown().map(str::to_owned),
    }
}
