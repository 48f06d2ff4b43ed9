//! `cgdsl seq` for rules that are not taking-and-breaking rules: those without a bound on what is taken, whose nim-values
//! have a saltus, and all others, heap by heap with the engine.

use super::args::{Format, Seq};
use super::bar::Bar;
use super::compared::tell_looks;
use super::plotted::Proven;
use super::run::Run;
use super::seq::{Looks, MOST_IN_ONE_DOCUMENT, MOST_SHOWN, Periodic, Told, Written};
use crate::claim::heaps::{Shape, amounts_in_words, listed_in_words, subtraction_in_words};
use crate::diagnostic::{Diagnostic, Plain};
use crate::engine::sequence::amounts::{AmountRule, AmountSequence, Shift, plainly};
use crate::engine::sequence::listed::{ListedRule, ListedSequence};
use crate::engine::sequence::{Period, find_partizan_period, looks_regular, partizan_witness};
use crate::report::Document;
use crate::session::sequence::HeapGame;
use crate::session::{Loaded, Session};
use crate::verify;
use std::fmt::Write;

/// The greatest width of the values shown.
fn width_of(written: Written, values: impl Iterator<Item = u64>) -> usize {
    let shown = values.take(usize::try_from(MOST_SHOWN).unwrap_or(usize::MAX));
    shown.max().map_or(1, |v| written.show(v).len())
}

impl Run<'_> {
    /// Whether values are to be kept in a file, which only taking-and-breaking rules support; reports this.
    fn keeps(&mut self, args: &Seq, why: &str) -> bool {
        if args.keep.is_some() {
            self.output.error(&format!(
                "--keep needs a rule of taking and breaking, and this is none: {why}"
            ));
        }
        args.keep.is_some()
    }

    /// Whether more values are requested than one document can hold; reports this.
    pub(super) fn too_long(&mut self, args: &Seq) -> bool {
        let long = self.output.json && args.to >= MOST_IN_ONE_DOCUMENT;
        if long {
            self.output.error(&format!(
                "--json is one document of at most {MOST_IN_ONE_DOCUMENT} values; --format jsonl gives a line for each"
            ));
        }
        long
    }

    /// A rule that leaves at most one heap, without a bound on what is taken.
    pub(super) fn by_amounts(&mut self, args: &Seq, rule: &AmountRule, written: Written) -> u8 {
        if self.keeps(args, "there is no bound to what may be taken") || self.too_long(args) {
            return 2;
        }
        let mut sequence = AmountSequence::new(rule.clone());
        sequence.limit_memory(self.common.memory);
        let mut bar = Bar::new(args.to.saturating_add(1), self.output.json);
        // By the definition, on request: the answers are the same.
        let plain = args.plain && args.to < MOST_IN_ONE_DOCUMENT;
        let plain = plain.then(|| {
            let length = usize::try_from(args.to)
                .unwrap_or(usize::MAX)
                .saturating_add(1);
            plainly(rule, length, &self.cancel)
        });
        let ended = sequence.extend(args.to, &self.cancel, &mut |n| bar.tell(n));
        drop(bar);
        if let Err(code) = self.output.redirect(args.output.as_ref()) {
            return code;
        }
        let value = |n: u64| match &plain {
            Some(values) => values.get(usize::try_from(n).ok()?).map(|v| u64::from(*v)),
            None => sequence.value(n),
        };
        let last = match value(args.to) {
            Some(_) => args.to,
            None => (sequence.values().len() as u64).saturating_sub(1),
        };
        let compared = self.compared(args, None, last.saturating_add(1), &value);
        let words = amounts_in_words(rule);
        let values = (0..=last).map_while(value);
        let looks = match sequence.shift() {
            None => looks_regular(sequence.values()),
            Some(_) => None,
        };
        let short = match ended {
            Err(stop) if sequence.value(args.to).is_none() => {
                let known = sequence.values().len();
                Some(format!(
                    "{stop}: the values of the heaps below {known} are known"
                ))
            }
            _ => None,
        };
        self.short_before(short.as_deref());
        if self.output.json {
            let told = Told {
                ruleset: args.ruleset().to_owned(),
                shape: Some(words),
                code: None,
                no_shape: None,
                to: last,
                values: values.map(|v| written.show(v)).collect(),
                period: sequence.shift().map(periodic),
                looks: looks.map(Looks::from),
                computed: sequence.values().len() as u64,
                same_as: compared.same_as(),
                differs_at: compared.differs_at(),
            };
            let document = Document::new("cgdsl/seq/1", told, Vec::new());
            self.output.document(&document);
        } else if args.plots() {
            let period = sequence.shift().map(|s| Proven {
                preperiod: s.preperiod,
                period: s.period,
                saltus: s.saltus,
            });
            let code = self.plot_values(args, values, period);
            if code != 0 {
                return code;
            }
        } else if args.format != Format::Text {
            let written = written.in_lines(args.format);
            let strings = (0u64..).zip(values.map(|v| written.show(v)));
            let code = self.print_lines(args.format, strings);
            if code != 0 {
                return code;
            }
        } else {
            let width = width_of(written, (0..=last).filter_map(value));
            let mut text = self.nim_values(args, &words, last, (written, width), value);
            match sequence.shift() {
                Some(s) => {
                    let saltus = match s.saltus {
                        0 => String::new(),
                        t => format!(" and saltus {t}"),
                    };
                    let plus = match s.saltus {
                        0 => String::new(),
                        t => format!(" + {t}"),
                    };
                    let _ = writeln!(
                        text,
                        "period  {}{saltus} from n = {}: proven, G(n + {}) = G(n){plus}, since the state at heap {} repeats at heap {}\n        ({})",
                        s.period,
                        s.preperiod,
                        s.period,
                        s.state_at,
                        s.state_at + s.period,
                        verify::SHIFT_THEOREM
                    );
                }
                None => {
                    let known = (sequence.values().len() as u64).saturating_sub(1);
                    let _ = writeln!(text, "period  none found up to n = {known}");
                    tell_looks(&mut text, looks, known);
                }
            }
            compared.tell(&mut text);
            self.output.text(&text);
        }
        if let Some(code) = self.certify(args, &sequence.witness(args.ruleset())) {
            return code;
        }
        self.short_after(short.as_deref())
    }

    /// A rule that leaves at most one heap, whose amounts were tested one by one.
    pub(super) fn by_list(&mut self, args: &Seq, rule: &ListedRule, written: Written) -> u8 {
        if self.keeps(args, "the amounts are known up to a bound only") || self.too_long(args) {
            return 2;
        }
        let mut sequence = ListedSequence::new(rule.clone(), args.plain);
        sequence.limit_memory(self.common.memory);
        let mut bar = Bar::new(args.to.saturating_add(1), self.output.json);
        let ended = sequence.extend(args.to, &self.cancel, &mut |n| bar.tell(n));
        drop(bar);
        if let Err(code) = self.output.redirect(args.output.as_ref()) {
            return code;
        }
        let values = sequence.values();
        let words = listed_in_words(rule);
        let without = "none claimed: no theorem is applied to amounts that may go on for ever";
        let known = values.len();
        let short = match ended {
            Err(stop) => Some(format!(
                "{stop}: the values of the heaps below {known} are known"
            )),
            Ok(()) if known as u64 <= args.to => Some(format!(
                "amounts are tried up to {}: the values of larger heaps are not known",
                rule.bound
            )),
            Ok(()) => None,
        };
        self.short_before(short.as_deref());
        let code = self.unproven(args, (values, written), Ok(words), (without, Vec::new()));
        code.unwrap_or_else(|| self.short_after(short.as_deref()))
    }

    /// Prints nim-values of a rule for which no theorem is known, with the rule in words or why it has none, and any observed
    /// period; a document gets the messages. Returns an exit code if something fails.
    fn unproven(
        &mut self,
        args: &Seq,
        (values, written): (&[u32], Written),
        words: Result<String, String>,
        (period, messages): (&str, Vec<Plain>),
    ) -> Option<u8> {
        let value = |n| Some(u64::from(*values.get(usize::try_from(n).ok()?)?));
        let known = values.len() as u64;
        let compared = self.compared(args, None, known, &value);
        let looks = looks_regular(values);
        if self.output.json {
            let told = Told {
                ruleset: args.ruleset().to_owned(),
                no_shape: words.clone().err(),
                shape: words.ok(),
                code: None,
                to: known.saturating_sub(1),
                values: values.iter().map(|v| written.show((*v).into())).collect(),
                period: None,
                looks: looks.map(Looks::from),
                computed: known,
                same_as: compared.same_as(),
                differs_at: compared.differs_at(),
            };
            let document = Document::new("cgdsl/seq/1", told, messages);
            self.output.document(&document);
        } else if args.plots() {
            let code = self.plot_values(args, values.iter().map(|v| u64::from(*v)), None);
            if code != 0 {
                return Some(code);
            }
        } else if args.format != Format::Text {
            let written = written.in_lines(args.format);
            let strings = (0u64..).zip(values.iter().map(|v| written.show((*v).into())));
            let code = self.print_lines(args.format, strings);
            if code != 0 {
                return Some(code);
            }
        } else {
            let width = width_of(written, values.iter().map(|v| u64::from(*v)));
            let rule = words.unwrap_or_else(|why| format!("of no known shape: {why}"));
            let last = known.saturating_sub(1);
            let mut text = self.nim_values(args, &rule, last, (written, width), value);
            let _ = writeln!(text, "period  {period}");
            tell_looks(&mut text, looks, last);
            compared.tell(&mut text);
            self.output.text(&text);
        }
        self.certify(args, &None::<()>)
    }

    /// After the work heap by heap: redirects the output to the requested file and reports what went wrong. Returns the exit
    /// code of the run and the messages for a document, or `Err` if nothing can be written.
    fn ended(
        &mut self,
        args: &Seq,
        session: &Session<'_>,
        ended: Result<(), (Diagnostic, bool)>,
    ) -> Result<(u8, Vec<Plain>), u8> {
        self.output.redirect(args.output.as_ref())?;
        Ok(match ended {
            Ok(()) => (0, Vec::new()),
            Err((d, limit)) => {
                let plain = self.complain(session, &[d]);
                (if limit { 3 } else { 2 }, plain)
            }
        })
    }

    /// An impartial rule of unknown shape, heap by heap with the engine.
    pub(super) fn nim_by_nim(
        &mut self,
        args: &Seq,
        session: &mut Session<'_>,
        loaded: &Loaded,
        game: &HeapGame,
    ) -> u8 {
        let why = game.shape.as_ref().err().cloned().unwrap_or_default();
        if self.keeps(args, &why) || self.too_long(args) {
            return 2;
        }
        let mut bar = Bar::new(args.to.saturating_add(1), self.output.json);
        let mut values = Vec::new();
        let ended = session.heap_nimbers(loaded, game, args.to, |n, value| {
            bar.tell(n);
            values.push(value);
        });
        drop(bar);
        let (code, messages) = match self.ended(args, session, ended) {
            Ok(ended) => ended,
            Err(code) => return code,
        };
        let without = "none claimed: no theorem is applied to rules of no known shape";
        let values = (&values[..], Written::NimValues);
        self.unproven(args, values, Err(why), (without, messages))
            .unwrap_or(code)
    }

    /// A rule of another shape or of none, heap by heap with the engine. A proven period of a partizan rule ends the work.
    pub(super) fn one_by_one(
        &mut self,
        args: &Seq,
        session: &mut Session<'_>,
        loaded: &Loaded,
        game: &HeapGame,
    ) -> u8 {
        let (why, partizan) = match (&game.shape, &game.entailing) {
            (_, Some(Ok(_))) => ("heaps can be loony".to_owned(), None),
            (_, Some(Err(why))) => (why.clone(), None),
            (Ok(Shape::Partizan(left, right)), _) => (
                "the players take differently".to_owned(),
                Some((left, right)),
            ),
            (Ok(_), _) => (String::new(), None),
            (Err(why), _) => (why.clone(), None),
        };
        if args.identify || args.compare.is_some() || args.plots() {
            self.output.error(&format!(
                "--identify, --compare and plots need nim-values, and these are not: {why}"
            ));
            return 2;
        }
        if self.keeps(args, &why) || self.too_long(args) {
            return 2;
        }
        let mut bar = Bar::new(args.to.saturating_add(1), self.output.json);
        let found = self.tell_if_ended(args);
        // Numbers that are equal exactly if the values are.
        let mut forms = Vec::new();
        let mut same: Vec<u16> = Vec::new();
        let mut period: Option<Period> = None;
        let mut look_at = 16;
        let ended = session.heap_values(loaded, game, args.to, |n, value, form| {
            bar.tell(n);
            let known = found.add(value);
            let (Some((left, right)), Some(form)) = (partizan, form) else {
                return true;
            };
            let number = forms.iter().position(|f| *f == form).unwrap_or(forms.len());
            if number == forms.len() {
                forms.push(form);
            }
            if let Ok(number) = u16::try_from(number)
                && same.len() + 1 == known
            {
                same.push(number);
            }
            if same.len() == known && (same.len() >= look_at || n == args.to) {
                look_at = same.len() + same.len() / 4;
                period = find_partizan_period(left, right, &same);
            }
            period.is_none()
        });
        drop(bar);
        if let Some(guard) = &self.guard {
            guard.stand_down();
        }
        let values = found.take();
        let (code, messages) = match self.ended(args, session, ended) {
            Ok(ended) => ended,
            Err(code) => return code,
        };
        let mut written = 0;
        let place = |n: u64| match &period {
            Some(p) if n >= p.preperiod => p.preperiod + (n - p.preperiod) % p.period,
            _ => n,
        };
        let value = |n: u64| {
            let direct = |n: u64| values.get(usize::try_from(n).ok()?);
            direct(n).or_else(|| direct(place(n)))
        };
        let told = (0..=args.to).map_while(|n| Some((n, value(n)?.clone())));
        // An interrupted run knows fewer values than requested.
        let last = match value(args.to) {
            Some(_) => args.to,
            None => (values.len() as u64).saturating_sub(1),
        };
        let shape = partizan.map(|(left, right)| {
            let (left, right) = (subtraction_in_words(left), subtraction_in_words(right));
            format!("Left may {left}; Right may {right}")
        });
        let shape = shape.or(game.entailing.clone().and_then(Result::ok));
        if self.output.json {
            let told = Told {
                ruleset: args.ruleset().to_owned(),
                no_shape: shape.is_none().then_some(why),
                shape,
                code: None,
                to: last,
                computed: values.len() as u64,
                values: told.map(|(_, v)| v).collect(),
                period: period.as_ref().map(|p| Periodic {
                    theorem: verify::PARTIZAN_THEOREM,
                    ..Periodic::from(p)
                }),
                looks: None,
                same_as: Vec::new(),
                differs_at: None,
            };
            let document = Document::new("cgdsl/seq/1", told, messages);
            self.output.document(&document);
        } else if args.format == Format::Text {
            let mut text = format!("{}: values of heaps 0 to {last}\n", args.ruleset());
            let _ = match &shape {
                Some(words) => writeln!(text, "rule    {words}\n"),
                None => writeln!(text, "rule    of no known shape: {why}\n"),
            };
            if !args.quiet {
                let shown = last.min(MOST_SHOWN - 1);
                let label = shown.to_string().len();
                for (n, v) in told.take(usize::try_from(shown).unwrap_or(usize::MAX) + 1) {
                    let _ = writeln!(text, "{n:>label$}  {v}");
                }
                if shown < last {
                    text.push_str("..      (--format csv, jsonl or bfile gives all values)\n");
                }
                text.push('\n');
            }
            let loony: Vec<String> = (0..)
                .zip(&values)
                .filter(|(_, v)| *v == "loony")
                .map(|(n, _): (u64, _)| n.to_string())
                .collect();
            if !loony.is_empty() {
                let _ = writeln!(text, "loony   {}\n", loony.join(", "));
            }
            match (&period, partizan) {
                (Some(p), _) => {
                    let _ = writeln!(
                        text,
                        "period  {} from n = {}: proven, since G(n + {}) = G(n) was found for {} <= n < {}\n        ({})",
                        p.period,
                        p.preperiod,
                        p.period,
                        p.preperiod,
                        p.checked,
                        verify::PARTIZAN_THEOREM
                    );
                }
                (None, Some(_)) => {
                    let known = values.len().saturating_sub(1);
                    let _ = writeln!(
                        text,
                        "period  none found of the values up to n = {known}; outcomes alone prove none"
                    );
                }
                (None, None) => text.push_str("period  no theorem applies; none is claimed\n"),
            }
            self.output.text(&text);
        } else if args.format == Format::Bfile {
            match as_integers(&values) {
                Ok(whole) => {
                    let of = |n: u64| whole.get(usize::try_from(n).ok()?);
                    let value = |n: u64| of(n).or_else(|| of(place(n)));
                    let told = (0..=args.to).map_while(|n| Some((n, value(n)?.clone())));
                    written = self.print_lines(args.format, told);
                }
                Err(n) => {
                    self.output.error(&format!(
                        "a b-file holds integers, and the heap of {n} is worth {}; --format csv takes any value",
                        values[n]
                    ));
                    return 2;
                }
            }
        } else {
            written = self.print_lines(args.format, told);
        }
        if written != 0 {
            return written;
        }
        let witness = match (partizan, &period) {
            (Some((left, right)), Some(p)) => {
                partizan_witness(args.ruleset(), left, right, p, &same)
            }
            _ => None,
        };
        self.certify(args, &witness).unwrap_or(code)
    }
}

/// Values as integers: nim-values if all are nimbers, or the values themselves if all are integers. Otherwise the index of
/// the first value that is neither.
fn as_integers(values: &[String]) -> Result<Vec<String>, usize> {
    let nimber = |v: &String| match v.as_str() {
        "0" => Some("0".to_owned()),
        "*" => Some("1".to_owned()),
        v => v
            .strip_prefix('*')
            .filter(|n| n.parse::<u32>().is_ok())
            .map(str::to_owned),
    };
    let nimbers: Option<Vec<String>> = values.iter().map(nimber).collect();
    let integer = |v: &String| {
        v.trim_start_matches('-')
            .bytes()
            .all(|b| b.is_ascii_digit())
    };
    match (nimbers, values.iter().position(|v| !integer(v))) {
        (Some(nimbers), _) => Ok(nimbers),
        (None, None) => Ok(values.to_vec()),
        (None, Some(n)) => Err(n),
    }
}

fn periodic(s: &Shift) -> Periodic {
    Periodic {
        period: s.period,
        preperiod: s.preperiod,
        saltus: s.saltus,
        checked_from: s.preperiod,
        checked_below: s.state_at,
        theorem: verify::SHIFT_THEOREM,
    }
}
