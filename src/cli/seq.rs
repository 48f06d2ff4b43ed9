//! `cgdsl seq`: prints the values of a ruleset on heaps in one of several formats, with what is proven of their period. This
//! file handles taking-and-breaking rules; `heap_by_heap` handles the others.

use super::args::{Format, Seq};
use super::bar::Bar;
use super::compared::{COMPARED, Compared, Same, tell_looks};
use super::play::quoted;
use super::plotted::Proven;
use super::run::{Run, lock};
use crate::base::Sources;
use crate::claim::heaps::Shape;
use crate::engine::sequence::identify::MOST_SHIFT;
use crate::engine::sequence::{
    Period, Regular, Road, Sequence, Stop, TakingRule, looks_regular, store, witness,
};
use crate::model::typed::Ruleset;
use crate::report::Document;
use crate::session::sequence::{HeapGame, describe};
use crate::session::{Disk, NoFile, Session, only_ruleset, read_regular};
use crate::verify;
use serde::Serialize;
use std::fmt::Write;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The number of values in a row of text.
pub(super) const ROW: u64 = 20;

/// How often a long run saves its values.
const KEEP_EVERY: Duration = Duration::from_secs(300);
/// The most values in one JSON document.
pub(super) const MOST_IN_ONE_DOCUMENT: u64 = 10_000_000;
/// The most values that are shown as text; the other formats give them all.
pub(super) const MOST_SHOWN: u64 = 20_000;

/// The temporary name under which the file of values is written.
fn beside(path: &str) -> String {
    format!("{path}.new")
}

/// Writes the values to the file given with `--keep`, if any: under a temporary name first, so that a killed run leaves the
/// last complete file.
fn keep(args: &Seq, sequence: &Sequence) -> Result<(), String> {
    let Some(path) = &args.keep else {
        return Ok(());
    };
    let beside = beside(path);
    let written = std::fs::File::create(&beside)
        .map(std::io::BufWriter::new)
        .and_then(|mut out| store::save(sequence, &mut out))
        .and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|e| format!("{path}: {e}"))
}

/// How nimbers are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Written {
    /// `0 1 2`: the rule declares its moves to be everyone's, so all values are nim-values.
    NimValues,
    /// `0 * *2`: the rule distinguishes the players, although it gives both the same moves; here 1 is the number one.
    Values,
}

impl Written {
    pub(super) fn of(game: &HeapGame) -> Written {
        match game.impartial {
            true => Written::NimValues,
            false => Written::Values,
        }
    }

    /// The nimber with this nim-value.
    pub(super) fn show(self, nim_value: u64) -> String {
        match (self, nim_value) {
            (Written::NimValues, n) => n.to_string(),
            (Written::Values, 0) => "0".to_owned(),
            (Written::Values, 1) => "*".to_owned(),
            (Written::Values, n) => format!("*{n}"),
        }
    }

    /// The notation in a file of this format: a b-file holds integers.
    pub(super) fn in_lines(self, format: Format) -> Written {
        match format {
            Format::Bfile => Written::NimValues,
            _ => self,
        }
    }

    fn called(self) -> &'static str {
        match self {
            Written::NimValues => "nim-values",
            Written::Values => "values",
        }
    }
}

/// The content of `seq --json`.
#[derive(Serialize)]
pub(super) struct Told {
    pub(super) ruleset: String,
    /// The rule in words, if it is a taking-and-breaking rule.
    pub(super) shape: Option<String>,
    pub(super) code: Option<String>,
    /// Why it is not one.
    pub(super) no_shape: Option<String>,
    /// The values are those of heaps 0 to this.
    pub(super) to: u64,
    pub(super) values: Vec<String>,
    pub(super) period: Option<Periodic>,
    /// An apparent regularity of the values, without a proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) looks: Option<Looks>,
    /// The number of values examined for a period.
    pub(super) computed: u64,
    pub(super) same_as: Vec<Same>,
    pub(super) differs_at: Option<u64>,
}

#[derive(Serialize)]
pub(super) struct Periodic {
    pub(super) period: u64,
    pub(super) preperiod: u64,
    pub(super) saltus: u64,
    pub(super) checked_from: u64,
    pub(super) checked_below: u64,
    pub(super) theorem: &'static str,
}

/// Values that seem to repeat, or to increase by a constant each period.
#[derive(Serialize)]
pub(super) struct Looks {
    period: u64,
    saltus: u64,
    from: u64,
}

impl From<Regular> for Looks {
    fn from(a: Regular) -> Looks {
        Looks {
            period: a.period,
            saltus: a.saltus,
            from: a.from,
        }
    }
}

impl From<&Period> for Periodic {
    fn from(p: &Period) -> Periodic {
        Periodic {
            period: p.period,
            preperiod: p.preperiod,
            saltus: 0,
            checked_from: p.preperiod,
            checked_below: p.checked,
            theorem: verify::THEOREM,
        }
    }
}

/// The values found so far, which a run that has to be ended tells, too.
#[derive(Clone, Default)]
pub(super) struct Found(Arc<Mutex<Vec<String>>>);

impl Found {
    /// Adds a value; returns how many there are.
    pub(super) fn add(&self, value: &str) -> usize {
        let mut all = lock(&self.0);
        all.push(value.to_owned());
        all.len()
    }

    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.0))
    }
}

/// The line of a heap.
fn line(format: Format, n: u64, v: &str) -> String {
    match format {
        Format::Csv if v.contains(',') => format!("{n},\"{v}\"\n"),
        Format::Csv => format!("{n},{v}\n"),
        Format::Jsonl => format!("{{\"n\":{n},\"value\":\"{v}\"}}\n"),
        Format::Text | Format::Bfile => format!("{n} {v}\n"),
    }
}

/// The line above those of the heaps.
fn head(format: Format) -> &'static str {
    match format {
        Format::Csv => "n,value\n",
        _ => "",
    }
}

impl Run<'_> {
    /// Values that are printed, one on a line, if the run has to be ended before it ends itself.
    pub(super) fn tell_if_ended(&self, args: &Seq) -> Found {
        let found = Found::default();
        if let Some(guard) = self.guard.as_ref().filter(|_| args.output.is_none()) {
            let (found, ruleset) = (found.clone(), args.ruleset().to_owned());
            let (format, json) = (args.format, self.output.json);
            guard.say(move |message| {
                let values = found.take();
                if !json {
                    let lines = (0..).zip(&values).map(|(n, v)| line(format, n, v));
                    return std::iter::once(head(format).to_owned())
                        .chain(lines)
                        .collect();
                }
                let computed = values.len() as u64;
                let told = Told {
                    ruleset: ruleset.clone(),
                    shape: None,
                    code: None,
                    no_shape: None,
                    to: computed.saturating_sub(1),
                    values,
                    period: None,
                    looks: None,
                    computed,
                    same_as: Vec::new(),
                    differs_at: None,
                };
                let said = crate::diagnostic::plain(&message, &Sources::default());
                Document::new("cgdsl/seq/1", told, vec![said]).to_text()
            });
        }
        found
    }

    /// `cgdsl seq`
    pub fn seq(&mut self, args: &Seq) -> u8 {
        let world = Disk;
        self.output
            .values_for(self.common, args.output.as_deref(), false);
        let mut session = Session::new(&world, self.settings(false));
        let (mut loaded, mut plain) = self.load(&mut session, &args.file);
        if loaded.main.is_none() {
            return self.failed("cgdsl/error/1", plain);
        }
        let mut args = args.clone();
        if args.ruleset.is_none() {
            let on_heaps = |r: &Ruleset| r.board.has_heaps();
            match only_ruleset(&loaded, on_heaps, " on heaps") {
                Ok(name) => args.ruleset = Some(name),
                Err(d) => {
                    plain.extend(self.complain(&session, &[d]));
                    return self.failed("cgdsl/error/1", plain);
                }
            }
        }
        let args = &args;
        if self.is_no_code(args) {
            return self.failed("cgdsl/error/1", plain);
        }
        // In misère play no amounts are tried one by one.
        let tried = if args.misere { 0 } else { args.to };
        let found = session.heap_game(&mut loaded, args.ruleset(), tried, &self.cancel);
        let game = match found {
            Ok(game) => game,
            Err(all) => {
                plain.extend(self.complain(&session, &all));
                return self.failed("cgdsl/error/1", plain);
            }
        };
        if args.misere {
            return self.misere_heaps(args, &mut session, &loaded, &game);
        }
        if game.misere {
            self.output.error(&format!(
                "under `play misere` heaps have no nim-values; ask for their misère quotient: cgdsl seq {} {} --misere",
                quoted(&args.file),
                quoted(args.ruleset())
            ));
            return 2;
        }
        let written = Written::of(&game);
        match &game.shape {
            Ok(Shape::Taking(rule)) => self.by_shape(args, rule, written),
            Ok(Shape::Amounts(rule)) => self.by_amounts(args, rule, written),
            Ok(Shape::Listed(rule)) => self.by_list(args, rule, written),
            Err(_) if game.impartial && game.entailing.is_none() => {
                self.nim_by_nim(args, &mut session, &loaded, &game)
            }
            Ok(Shape::Partizan(..)) | Err(_) => self.one_by_one(args, &mut session, &loaded, &game),
        }
    }

    fn by_shape(&mut self, args: &Seq, rule: &TakingRule, written: Written) -> u8 {
        let mut sequence = match self.kept(args, rule) {
            Ok(sequence) => sequence,
            Err(code) => return code,
        };
        let road = if args.plain {
            Road::Plain
        } else {
            Road::Sparse
        };
        if self.too_long(args) {
            return 2;
        }
        sequence.limit_memory(self.common.memory);
        let mut bar = Bar::new(args.to.saturating_add(1), self.output.json);
        bar.begin_at(sequence.values().len() as u64);
        let mut saved = Instant::now();
        let mut trouble = None;
        let ended = sequence.extend(args.to, road, &self.cancel, &mut |s| {
            bar.tell(s.values().len() as u64);
            if saved.elapsed() > KEEP_EVERY {
                trouble = trouble.take().or_else(|| keep(args, s).err());
                saved = Instant::now();
            }
        });
        drop(bar);
        let kept = || keep(args, &sequence);
        let kept = self
            .guard
            .as_ref()
            .map_or_else(kept, |guard| guard.hold(kept));
        sequence.look();
        if let Some(why) = trouble.or_else(|| kept.err()) {
            self.output.error(&why);
            return 2;
        }
        if args.identify {
            // Extends the sequence as far as the comparison needs; if this is interrupted, there is less to compare.
            let _ = sequence.extend(COMPARED + MOST_SHIFT, road, &self.cancel, &mut |_| {});
        }
        let known = match sequence.period() {
            Some(_) => COMPARED + MOST_SHIFT,
            None => 0,
        };
        let known = known.max(sequence.values().len() as u64);
        let value = |n| sequence.value(n).map(u64::from);
        let compared = self.compared(args, Some(sequence.rule()), known, &value);
        if let Err(code) = self.output.redirect(args.output.as_ref()) {
            return code;
        }
        // A proven period may determine the value beyond the computed ones.
        let short = match ended {
            Err(stop) if sequence.value(args.to).is_none() => {
                let known = sequence.values().len();
                let again = match (&args.keep, stop) {
                    (Some(path), Stop::Cancelled(_) | Stop::Memory) => {
                        format!("; --keep {path} goes on from there")
                    }
                    _ => String::new(),
                };
                Some(format!(
                    "{stop}: the values of the heaps below {known} are known{again}"
                ))
            }
            _ => None,
        };
        self.short_before(short.as_deref());
        let code = self.print_sequence(args, &sequence, &compared, written);
        if code != 0 {
            return code;
        }
        if let Some(code) = self.certify(args, &witness(&sequence, args.ruleset())) {
            return code;
        }
        self.short_after(short.as_deref())
    }

    /// Says why not all values are known, if a document is printed next, which includes it.
    pub(super) fn short_before(&mut self, why: Option<&str>) {
        if let Some(why) = why.filter(|_| self.output.json) {
            self.output.error(why);
        }
    }

    /// Says the same below values that are no document. Returns the exit code.
    pub(super) fn short_after(&mut self, why: Option<&str>) -> u8 {
        if let Some(why) = why.filter(|_| !self.output.json) {
            self.output.error(why);
        }
        if why.is_some() { 3 } else { 0 }
    }

    /// The kept sequence, or a new one.
    fn kept(&mut self, args: &Seq, rule: &TakingRule) -> Result<Sequence, u8> {
        let fresh = Sequence::new(rule.clone());
        let Some(path) = &args.keep else {
            return Ok(fresh);
        };
        if !self.output.may_write(path) || !self.output.may_write(&beside(path)) {
            return Err(2);
        }
        self.output.reads(path);
        // At most as many bytes as memory is allowed.
        match read_regular(path, self.common.memory as u64) {
            Err(NoFile::Missing) => Ok(fresh),
            Err(why) => {
                self.output.error(&format!("{path}: {why}"));
                Err(2)
            }
            Ok(bytes) => store::load(rule.clone(), &bytes).map_err(|why| {
                self.output.error(&format!("{path} is not used: {why}"));
                2
            }),
        }
    }

    /// Prints what is known of a sequence. Returns an exit code on failure.
    fn print_sequence(
        &mut self,
        args: &Seq,
        s: &Sequence,
        compared: &Compared,
        written: Written,
    ) -> u8 {
        let values = (0..=args.to).map_while(|n| s.value(n));
        // An interrupted run knows fewer values than requested.
        let last = match s.value(args.to) {
            Some(_) => args.to,
            None => (s.values().len() as u64).saturating_sub(1),
        };
        let looks = match s.period() {
            // If a code looks periodic for this long, its period is also proven, except for the last few values.
            None => looks_regular(s.values()).filter(|l| l.saltus > 0 || !s.rule().is_code()),
            Some(_) => None,
        };
        if self.output.json {
            let told = Told {
                ruleset: args.ruleset().to_owned(),
                shape: Some(describe(s)),
                code: s.rule().code(),
                no_shape: None,
                to: last,
                values: values.map(|v| written.show(v.into())).collect(),
                period: s.period().map(Periodic::from),
                looks: looks.map(Looks::from),
                computed: s.values().len() as u64,
                same_as: compared.same_as(),
                differs_at: compared.differs_at(),
            };
            let document = Document::new("cgdsl/seq/1", told, Vec::new());
            self.output.document(&document);
            return 0;
        }
        if args.plots() {
            let period = s.period().map(|p| Proven {
                preperiod: p.preperiod,
                period: p.period,
                saltus: 0,
            });
            return self.plot_values(args, values.map(u64::from), period);
        }
        if args.format != Format::Text {
            let written = written.in_lines(args.format);
            let strings = (0u64..).zip(values.map(|v| written.show(v.into())));
            return self.print_lines(args.format, strings);
        }
        let code = s
            .rule()
            .code()
            .map_or(String::new(), |c| format!(" (code {c})"));
        let rule = format!("{}{code}", describe(s));
        let width = s.values().iter().max();
        let width = width.map_or(1, |v| written.show(u64::from(*v)).len());
        let value = |n| s.value(n).map(u64::from);
        let mut text = self.nim_values(args, &rule, last, (written, width), value);
        match s.period() {
            Some(p) => {
                let _ = write!(
                    text,
                    "period  {} from n = {}: proven, since G(n + {}) = G(n) was checked for {} <= n < {}\n        ({})\n",
                    p.period,
                    p.preperiod,
                    p.period,
                    p.preperiod,
                    p.checked,
                    verify::THEOREM
                );
            }
            None if s.rule().is_code() => {
                let _ = writeln!(
                    text,
                    "period  none found up to n = {}",
                    s.values().len().saturating_sub(1)
                );
            }
            None => {
                text.push_str("period  no theorem applies: some moves ask for different sizes\n");
            }
        }
        let last = (s.values().len() as u64).saturating_sub(1);
        tell_looks(&mut text, looks, last);
        compared.tell(&mut text);
        self.output.text(&text);
        0
    }

    /// Prints the nim-values of heaps 0 to `last` with the rule in words, in rows unless these are not wanted. Returns the
    /// text still to be printed.
    pub(super) fn nim_values(
        &mut self,
        args: &Seq,
        rule: &str,
        last: u64,
        (written, width): (Written, usize),
        value: impl Fn(u64) -> Option<u64>,
    ) -> String {
        let mut text = format!(
            "{}: {} of heaps 0 to {last}\nrule    {rule}\n\n",
            args.ruleset(),
            written.called()
        );
        if !args.quiet {
            let values = (0..=last).map_while(|n| value(n).map(|v| written.show(v)));
            self.print_rows(&mut text, last, width, values);
        }
        if last >= MOST_SHOWN
            && let Some(v) = value(last)
        {
            let _ = writeln!(text, "last    G({last}) = {}", written.show(v));
        }
        text
    }

    /// Appends values in rows; if there are many, only the first.
    pub(super) fn print_rows(
        &mut self,
        text: &mut String,
        last: u64,
        width: usize,
        values: impl Iterator<Item = String>,
    ) {
        let shown = last.min(MOST_SHOWN - 1);
        let label = shown.to_string().len();
        let room = match self.output.width() {
            0 => u64::MAX,
            columns => (columns.saturating_sub(label + 1) / (width + 1)) as u64,
        };
        let row = [ROW, 10, 5].into_iter().find(|r| *r <= room).unwrap_or(1);
        for (n, v) in (0..=shown).zip(values) {
            if n % row == 0 {
                let _ = write!(text, "{}{n:>label$} ", if n == 0 { "" } else { "\n" });
            }
            let _ = write!(text, " {v:>width$}");
            if text.len() > 1 << 20 {
                self.output.text(text);
                text.clear();
            }
        }
        text.push_str("\n\n");
        if shown < last {
            let _ = writeln!(
                text,
                "..      (--format csv, jsonl or bfile gives all {} values)",
                u128::from(last) + 1
            );
        }
    }

    /// Writes a witness, if requested. Returns an exit code on failure.
    pub(super) fn certify<W: Serialize>(&mut self, args: &Seq, witness: &Option<W>) -> Option<u8> {
        let path = args.certify.as_ref()?;
        let Some(witness) = witness else {
            self.output.error(&format!(
                "no period is proven up to {}, so there is no witness to write",
                args.to
            ));
            return Some(3);
        };
        self.write_witness(path, witness)
    }

    /// Writes a witness. Returns the exit code if that fails.
    pub(super) fn write_witness(&mut self, path: &str, witness: &impl Serialize) -> Option<u8> {
        let text = serde_json::to_string(witness).unwrap_or_default();
        (!self.output.write(path, text + "\n")).then_some(2)
    }

    /// Prints a line for each value. Returns the exit code, as [`Run::lines`] does.
    pub(super) fn print_lines(
        &mut self,
        format: Format,
        values: impl Iterator<Item = (u64, String)>,
    ) -> u8 {
        let lines = values.map(|(n, v)| (n, line(format, n, &v)));
        self.lines(head(format), lines)
    }

    /// Prints a head and the lines of heaps. Returns the exit code: if the run is ended meanwhile, the remaining lines are
    /// missing.
    pub(super) fn lines(&mut self, head: &str, lines: impl Iterator<Item = (u64, String)>) -> u8 {
        let mut text = head.to_owned();
        for (n, line) in lines {
            text.push_str(&line);
            if text.len() > 1 << 20 {
                self.output.text(&text);
                text.clear();
                if self.output.is_closed() {
                    return 0;
                }
                if let Some(reason) = self.cancel.reason() {
                    let why = reason.text();
                    self.output
                        .error(&format!("{why}: the values after n = {n} are not written"));
                    return 3;
                }
            }
        }
        self.output.text(&text);
        0
    }
}
