//! `cgdsl diff`: prints the differences between two files, or two rulesets of one, as text, Markdown or JSON. The exit code
//! does not depend on the differences: it is 0 if both could be read.

use super::args::{AnswerFormat, Diff};
use super::run::Run;
use super::search::size;
use crate::diagnostic::{Code, Diagnostic, Plain};
use crate::report::changed::Said;
use crate::report::{Document, Look, differences, name};
use crate::session::compare::{Ruleset, Side, compare};
use crate::session::{Answer, Disk, Item, Session, Status, Unsaved, World, edited, shipped};
use serde::Serialize;
use std::collections::BTreeMap;

/// The content of `diff --json`.
#[derive(Serialize)]
pub(super) struct Told {
    old: String,
    new: String,
    up_to: String,
    rulesets: Vec<Ruleset>,
    queries: Vec<differences::Query>,
    queries_compared: usize,
    queries_unknown: usize,
}

impl Told {
    /// The differences between two files: their answers and their rulesets.
    pub(super) fn of_files(
        (old_name, before, old): (&str, &[Item], Side<'_, '_>),
        (new_name, after, new): (&str, &[Item], Side<'_, '_>),
        (written, up_to): (&str, &[u32]),
    ) -> Told {
        let (queries, [queries_compared, queries_unknown]) = queries(before, after, false);
        Told {
            old: old_name.to_owned(),
            new: new_name.to_owned(),
            up_to: written.to_owned(),
            rulesets: compare(old, new, up_to),
            queries,
            queries_compared,
            queries_unknown,
        }
    }

    fn differences(&self) -> differences::Differences<'_> {
        differences::Differences {
            old: &self.old,
            new: &self.new,
            up_to: &self.up_to,
            rulesets: &self.rulesets,
            queries: &self.queries,
            queries_compared: self.queries_compared,
            queries_unknown: self.queries_unknown,
        }
    }

    pub(super) fn text(&self, look: Look) -> String {
        differences::text(&self.differences(), look)
    }
}

/// Reads the size given with `--up-to`.
pub(super) fn read_size(text: &str) -> Result<Vec<u32>, Diagnostic> {
    size(text)
        .map_err(|why| Diagnostic::error(Code::E0705, why).help("write --up-to 4, or --up-to 3x4"))
}

/// The text of a file or of a shipped file.
pub(super) fn text_of(world: &dyn World, run: &Run<'_>, file: &str) -> Option<String> {
    match world.read(file, &run.cancel) {
        Ok(bytes) => String::from_utf8(bytes).ok(),
        Err(_) => match shipped::find(file) {
            shipped::Found::One(found) => Some(found.text.to_owned()),
            _ => None,
        },
    }
}

/// The text of a query and its formula, since the name of a named claim does not determine its formula.
fn written(item: &Item) -> (String, &str) {
    let formula = match &item.answer {
        Answer::Verdict(v) => &*v.text,
        Answer::Table(t) => &*t.expression,
        Answer::Search(s) => &*s.text,
        Answer::Card(_) | Answer::Value(_) | Answer::None { .. } => "",
    };
    (name(item), formula)
}

/// The queries of both files whose answers differ, the number compared, and how many of these are unknown on one side at
/// least. Queries are matched by text, or by order if `paired`.
fn queries(before: &[Item], after: &[Item], paired: bool) -> (Vec<differences::Query>, [usize; 2]) {
    let mut out = Vec::new();
    let [mut count, mut unknown] = [0; 2];
    let mut compare = |a: &Item, b: &Item| {
        if a.status == Status::Skipped || b.status == Status::Skipped {
            return;
        }
        count += 1;
        unknown += usize::from([a, b].iter().any(|item| item.status == Status::Unknown));
        let (was, now) = (Said::of(a), Said::of(b));
        let mut lines = was.changes(&name(a), &now);
        if lines.is_empty() {
            return;
        }
        lines.remove(0);
        out.push(differences::Query {
            asked: name(a),
            was: was.brief,
            now: now.brief,
            cells: lines.into_iter().map(|l| l.trim().to_owned()).collect(),
        });
    };
    if paired {
        let both = before.iter().zip(after);
        both.filter(|(a, b)| written(a) != written(b))
            .for_each(|(a, b)| compare(a, b));
    } else {
        let mut known: BTreeMap<String, Vec<&Item>> = BTreeMap::new();
        for b in after.iter().rev() {
            known.entry(name(b)).or_default().push(b);
        }
        for a in before {
            if let Some(b) = known.get_mut(&name(a)).and_then(Vec::pop) {
                compare(a, b);
            }
        }
    }
    (out, [count, unknown])
}

impl Run<'_> {
    /// `cgdsl diff`
    pub fn diff(&mut self, args: &Diff) -> u8 {
        let up_to = match read_size(&args.up_to) {
            Ok(up_to) => up_to,
            Err(why) => return self.refused(&why),
        };
        let (old_name, new_name) = (&args.files[0], &args.files[1]);
        let one_file = args.files.len() == 3;
        let (file, other) = match one_file {
            true => (old_name, old_name),
            false => (old_name, new_name),
        };
        let rulesets = one_file.then(|| (args.files[1].as_str(), args.files[2].as_str()));
        let disk = Disk;
        let mut text = None;
        if let Some((a, b)) = rulesets {
            text = text_of(&disk, self, file).map(|t| edited::asked_of(&t, a, b));
        }
        let changed = match text {
            Some(text) => vec![(file.as_str(), text)],
            None => Vec::new(),
        };
        let overlay = Unsaved::all(&disk, changed.iter().map(|(n, t)| (*n, t.as_bytes())));
        let mut first = Session::new(&disk, self.settings(false));
        let (mut old, mut plain) = self.load(&mut first, file);
        let before = first.evaluate(&old, |_, _| {});
        // A second session, since its texts may differ under the same name.
        let mut second = Session::new(&overlay, self.settings(false));
        let (mut new, more) = self.load(&mut second, other);
        plain.extend(more);
        if old.main.is_none() || new.main.is_none() || old.broken > 0 || new.broken > 0 {
            return self.failed("cgdsl/error/1", plain);
        }
        if let Some((a, b)) = rulesets {
            for name in [a, b] {
                if old.scope.ruleset(name).is_none()
                    && first.to_search(&mut old, name, None, None).is_err()
                {
                    let names: Vec<&str> = old
                        .model
                        .rulesets
                        .iter()
                        .filter(|r| !r.hidden && Some(r.span.file) == old.main)
                        .map(|r| &*r.name)
                        .collect();
                    let d =
                        Diagnostic::error(Code::E0552, format!("{file} has no ruleset `{name}`"))
                            .help(format!("it has {}", names.join(", ")));
                    return self.refused(&d);
                }
            }
        }
        let after = second.evaluate(&new, |_, _| {});
        let (queries, [queries_compared, queries_unknown]) = queries(&before, &after, one_file);
        let found = {
            let (a, b) = (rulesets.map(|r| r.0), rulesets.map(|r| r.1));
            let old = Side {
                session: &mut first,
                loaded: &mut old,
                ruleset: a,
            };
            let new = Side {
                session: &mut second,
                loaded: &mut new,
                ruleset: b,
            };
            compare(old, new, &up_to)
        };
        let told = Told {
            old: rulesets.map_or(old_name.clone(), |r| r.0.to_owned()),
            new: rulesets.map_or(new_name.clone(), |r| r.1.to_owned()),
            up_to: args.up_to.clone(),
            rulesets: found,
            queries,
            queries_compared,
            queries_unknown,
        };
        self.tell_differences(args, told, plain)
    }

    fn tell_differences(&mut self, args: &Diff, told: Told, plain: Vec<Plain>) -> u8 {
        let format = args.written.format;
        let is_part = told.queries_unknown > 0 || told.rulesets.iter().any(|r| r.cut);
        let code = match is_part || self.cancel.is_cancelled() {
            true => 3,
            false => 0,
        };
        if self.output.json || matches!(format, AnswerFormat::Json) {
            self.output
                .document(&Document::new("cgdsl/diff/1", told, plain));
            return code;
        }
        match format {
            AnswerFormat::Markdown => {
                let text = differences::markdown(&told.differences());
                self.output.content(&text);
            }
            _ => self.output.text(&told.text(self.output.look())),
        }
        code
    }
}
