//! `cgdsl search`: finds the positions of a ruleset up to a size that satisfy a condition, one by one or in groups. The
//! results are kept in a file of JSON lines, from which an interrupted search resumes.

use super::args::{Search, SearchFormat};
use super::census::Order;
use super::kept::{Head, Kept, Looked, hash_of};
use super::plotted::is_plot;
use super::run::Run;
use super::watch::{Watch, count};
use crate::model::typed::Form;
use crate::report::Document;
use crate::report::draw::histogram::Histogram;
use crate::report::table::{nimber, number};
use crate::session::search::{
    BoardSource, Counted, Ended, Event, Extent, Found, Part, Shard, Wanted, read_lines,
};
use crate::session::{Disk, NoFile, Session, World, only_ruleset};
use serde::Serialize;
use std::collections::BTreeMap;

/// The most positions in a list.
const MOST: usize = 10_000;
/// A search of this many positions is announced.
const MANY: u128 = 10_000;
/// The greatest sum of counts if none is given.
const COUNTS: u32 = 3;
/// The number of positions between records of progress.
const OFTEN: u64 = 100;

/// A group of positions.
#[derive(Clone, Debug, Serialize)]
struct Group {
    group: String,
    count: u64,
    smallest: Found,
}

/// The content of `search --json`.
#[derive(Serialize)]
struct Told {
    ruleset: String,
    #[serde(flatten)]
    ended: Ended,
    /// Whether positions that differ by a symmetry of the board are counted once.
    up_to_symmetry: bool,
    matches: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<Vec<Group>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<Vec<Found>>,
}

/// The results of a search so far.
#[derive(Default)]
struct Gathered {
    matches: u64,
    list: Vec<Found>,
    groups: BTreeMap<String, (u64, Found)>,
    /// The groups, in the order of their first positions.
    order: Vec<String>,
}

impl Gathered {
    /// Counts a position; `found` gives it, if it is to be shown.
    fn take(&mut self, group: Option<&str>, grouped: bool, found: impl FnOnce() -> Found) {
        self.matches += 1;
        if grouped {
            let name = group.unwrap_or_default();
            match self.groups.get_mut(name) {
                Some(group) => group.0 += 1,
                None => {
                    self.order.push(name.to_owned());
                    self.groups.insert(name.to_owned(), (1, found()));
                }
            }
        } else if self.list.len() < MOST {
            self.list.push(found());
        }
    }

    fn groups(&self) -> Vec<Group> {
        let all = self.order.iter().filter_map(|name| {
            let (count, smallest) = self.groups.get(name)?;
            Some(Group {
                group: name.clone(),
                count: *count,
                smallest: smallest.clone(),
            })
        });
        all.collect()
    }
}

/// The largest side of a board that is searched.
const LARGEST_SIDE: u32 = 1000;

/// `4x4`, `5`
pub(super) fn size(text: &str) -> Result<Vec<u32>, String> {
    let parts: Vec<&str> = text.split(['x', '×']).map(str::trim).collect();
    let digits = |n: &&str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
    if parts.len() > 2 || !parts.iter().all(digits) {
        return Err(format!("`{text}` is not a size such as 5 or 4x4"));
    }
    let number = |n: &str| n.parse().ok().filter(|n| *n <= LARGEST_SIDE);
    let size: Option<Vec<u32>> = parts.into_iter().map(number).collect();
    size.ok_or_else(|| {
        format!("`{text}` is too large: a size is at most {LARGEST_SIDE}, or {LARGEST_SIDE}x{LARGEST_SIDE}")
    })
}

impl Run<'_> {
    /// `cgdsl search`
    pub fn search(&mut self, args: &Search) -> u8 {
        let world = Disk;
        let mut session = Session::new(&world, self.settings(false));
        let (mut loaded, mut plain) = self.load(&mut session, &args.file);
        if loaded.main.is_none() {
            return self.failed("cgdsl/error/1", plain);
        }
        // All texts of the rules, before those of the command line are added.
        let texts: Vec<&str> = session.sources().iter().map(|(_, s)| &*s.text).collect();
        let all_rules = format!("{:016x}", hash_of(texts.join("\0").as_bytes()));
        let mut args = args.clone();
        if args.ruleset.is_none() {
            match only_ruleset(&loaded, |_| true, "") {
                Ok(name) => args.ruleset = Some(name),
                Err(d) => {
                    plain.extend(self.complain(&session, &[d]));
                    return self.failed("cgdsl/error/1", plain);
                }
            }
        }
        let args = &args;
        // The folder of a census may have any name.
        let text = args.format == SearchFormat::Text;
        let plotted = text && (args.plot || args.output.as_deref().is_some_and(is_plot));
        if plotted && self.plot_format(args.output.as_deref()).is_none() {
            return 2;
        }
        let group_by = match (&args.group_by, args.smallest || plotted) {
            (None, true) => Some("value".to_owned()),
            (by, _) => by.clone(),
        };
        let read = session.to_search(
            &mut loaded,
            args.ruleset(),
            args.condition.as_deref(),
            group_by.as_deref(),
        );
        let searched = match read {
            Ok(searched) => searched,
            Err(all) => {
                plain.extend(self.complain(&session, &all));
                return self.failed("cgdsl/error/1", plain);
            }
        };
        let from = if let Some(path) = &args.boards {
            let kind = Session::kind_searched(&searched);
            self.output.reads(path);
            let text = world.read(path, &self.cancel).map_err(|why| {
                self.output.ended |= why == NoFile::Cancelled;
                format!("{path}: {why}")
            });
            let text = text.and_then(|b| String::from_utf8(b).map_err(|e| format!("{path}: {e}")));
            let boards = text.and_then(|text| {
                read_lines(&text, kind).map_err(|fault| format!("{path}: {}", fault.message))
            });
            match boards {
                Ok(boards) => BoardSource::Given(boards),
                Err(why) => {
                    self.output.error(&why);
                    return 2;
                }
            }
        } else if !args.board.is_empty() {
            let mut boards = Vec::new();
            for text in &args.board {
                match session.board_to_search(&mut loaded, &searched, text) {
                    Ok(board) => boards.push(board),
                    Err(all) => {
                        plain.extend(self.complain(&session, &all));
                        return self.failed("cgdsl/error/1", plain);
                    }
                }
            }
            BoardSource::Given(boards)
        } else {
            // Without a board, counts are all that has a size.
            let numbers = Session::kind_searched(&searched).form() == Form::Scalars;
            let counts = args.counts.filter(|_| numbers).map(|n| vec![n]);
            match counts.map_or_else(|| size(&args.up_to), Ok) {
                Ok(size) => BoardSource::Size(size),
                Err(why) => {
                    self.output.error(&why);
                    return 2;
                }
            }
        };
        let wanted = Wanted {
            from,
            counts: args.counts.unwrap_or(COUNTS),
            walls: args.walls.then_some(true),
            condition: args.condition.clone(),
            group_by: group_by.clone(),
        };
        let folder = match (args.format, &args.output, &args.keep) {
            (SearchFormat::Text, ..) => None,
            (SearchFormat::Parquet, Some(folder), None) => Some(folder),
            (SearchFormat::Parquet, None, _) => {
                self.output.error("--format parquet wants a folder: -o DIR");
                return 2;
            }
            (SearchFormat::Parquet, _, Some(_)) => {
                self.output.error(
                    "--keep and --format parquet exclude each other: a part that is whole is kept in its folder",
                );
                return 2;
            }
        };
        if let Some(folder) = folder {
            let order = Order {
                folder,
                ruleset: args.ruleset(),
                rules: all_rules,
                wanted: &wanted,
                shard: args.shard.unwrap_or(Shard::WHOLE),
                searched: &searched,
                loaded: &loaded,
            };
            return self.write_part(&mut session, &order);
        }
        let rules = session.sources().get(loaded.main.unwrap_or_default());
        let rules = rules.map_or("", |s| &s.text);
        let shard = args.shard.unwrap_or(Shard::WHOLE);
        let asked = match shard {
            Shard::WHOLE => format!("{wanted:?}"),
            Shard { part, of } => format!("{wanted:?}, blocks of part {part} of {of}"),
        };
        let head = Head::new(rules, args.ruleset(), &asked);
        let grouped = group_by.is_some();
        let mut gathered = Gathered::default();
        let (mut keep, before) = match self.kept_search(args, &head, &mut gathered, grouped) {
            Ok(kept) => kept,
            Err(code) => return code,
        };
        let total = match session.extent(&searched, &wanted) {
            Ok(extent) => {
                self.announce(args.ruleset(), &extent);
                extent.complete.then_some(extent.positions)
            }
            // The search reports it again.
            Err(_) => None,
        };
        let watch = Watch::search(&session.progress(), self.output.json, total);
        let mut so_far = before.clone();
        let mut failed_to_write = None;
        let part = Part {
            skip: before.looked,
            shard,
            rows: false,
        };
        let ended = session.search(&loaded, &searched, &wanted, part, &mut |event| {
            let written = match event {
                Event::Found(one) => match &mut keep {
                    Some(file) => {
                        let found = one.written();
                        gathered.take(one.group.as_deref(), grouped, || found.clone());
                        file.found(found)
                    }
                    None => {
                        gathered.take(one.group.as_deref(), grouped, || one.written());
                        Ok(())
                    }
                },
                Event::Unknown(_) => {
                    so_far.unknown += 1;
                    Ok(())
                }
                Event::Undefined(why) => {
                    so_far.undefined += 1;
                    so_far.reason.get_or_insert_with(|| why.to_owned());
                    Ok(())
                }
                Event::Row(_) | Event::Dealt(_) => Ok(()),
                Event::Looked(n) => {
                    so_far.looked = n;
                    match &mut keep {
                        Some(file) if n % OFTEN == 0 => file.looked(so_far.clone()),
                        _ => Ok(()),
                    }
                }
            };
            written.map_err(|why| failed_to_write = Some(why)).is_ok()
        });
        watch.stop();
        let mut ended = match ended {
            Ok(ended) => ended,
            Err(d) => {
                plain.extend(self.complain(&session, &[d]));
                return self.failed("cgdsl/error/1", plain);
            }
        };
        if let Some(file) = &mut keep
            && let Err(why) = file.looked(so_far.clone())
        {
            failed_to_write = Some(why);
        }
        if let Some(why) = failed_to_write {
            let path = args.keep.as_deref().unwrap_or_default();
            self.output.error(&format!("{path}: {why}"));
            return 2;
        }
        (ended.unknown, ended.undefined) = (so_far.unknown, so_far.undefined);
        ended.reason = so_far.reason;
        let code = if ended.complete && ended.unknown == 0 {
            0
        } else {
            3
        };
        if let Err(code) = self.output.redirect(args.output.as_ref()) {
            return code;
        }
        let told = Told {
            ruleset: args.ruleset().to_owned(),
            up_to_symmetry: !searched.looks.at_directions,
            matches: gathered.matches,
            groups: grouped.then(|| gathered.groups()),
            found: (!grouped).then(|| std::mem::take(&mut gathered.list)),
            ended,
        };
        if self.output.json {
            let mut document = Document::new("cgdsl/search/1", told, plain);
            document.stats = self.stats(&session);
            self.output.document(&document);
        } else {
            let text = match plotted {
                true => {
                    let picture = self.histogram(&histogram(&told, args), args.output.as_deref());
                    match picture {
                        Some(picture) => picture,
                        None => return 2,
                    }
                }
                false => shown(&told, args),
            };
            self.output.text(&text);
            self.print_stats(&session);
        }
        code
    }

    /// The file that keeps the results, and the progress of an earlier run, whose results are collected.
    fn kept_search(
        &mut self,
        args: &Search,
        head: &Head,
        gathered: &mut Gathered,
        grouped: bool,
    ) -> Result<(Option<Kept>, Looked), u8> {
        let Some(path) = &args.keep else {
            return Ok((None, Looked::default()));
        };
        if !self.output.may_write(path) {
            return Err(2);
        }
        let mut each = |found: Found| {
            let group = found.group.clone();
            gathered.take(group.as_deref(), grouped, || found);
        };
        match Kept::open(path, head, &self.cancel, &mut each) {
            Ok((kept, looked)) => Ok((Some(kept), looked)),
            Err(why) => {
                self.output.error(&format!("{path}: {why}"));
                Err(if self.cancel.is_cancelled() { 3 } else { 2 })
            }
        }
    }

    /// Prints the size of the search on standard error, to warn of searches that cannot finish. A short search needs no
    /// warning.
    fn announce(&mut self, ruleset: &str, extent: &Extent) {
        if self.output.json || (extent.complete && extent.positions < MANY) {
            return;
        }
        let Extent {
            boards,
            positions,
            complete,
        } = extent;
        let least = if *complete { "" } else { "at least " };
        let boards = counted(u128::from(*boards), "board");
        let positions = match positions {
            n if *n == u128::MAX => "more than 10^38 positions".to_owned(),
            n => counted(*n, "position"),
        };
        self.output.aside(&format!(
            "{ruleset}: {least}{positions} on {boards} to look at\n"
        ));
    }
}

/// `1 board`, `8,590,000,000 positions`
pub(super) fn counted(n: u128, one: &str) -> String {
    format!("{} {one}{}", count(n), if n == 1 { "" } else { "s" })
}

/// The number of positions in each group.
fn histogram(told: &Told, args: &Search) -> Histogram {
    let by = args.group_by.as_deref().unwrap_or("value");
    let groups = told.groups.iter().flatten();
    let counts = groups.map(|g| (g.group.clone(), g.count));
    let mut title = format!(
        "{}: {} positions",
        told.ruleset,
        count(u128::from(told.matches))
    );
    if let Some(condition) = &args.condition {
        title.push_str(&format!(" with {condition}"));
    }
    if told.up_to_symmetry {
        title.push_str(", up to symmetry");
    }
    if !told.ended.complete || told.ended.unknown > 0 {
        title.push_str(" (not all could be looked at)");
    }
    let axes = [by.to_owned(), "positions".to_owned()];
    Histogram::new(title, axes, counts, (number, nimber))
}

/// The answer as text.
fn shown(told: &Told, args: &Search) -> String {
    let mut text = String::new();
    let ended = &told.ended;
    let sum = |of: fn(&Counted) -> u64| ended.sizes.iter().map(of).sum::<u64>();
    let n = |n: u64, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
    text.push_str(&format!(
        "{}: {} on {}{}\n",
        told.ruleset,
        n(sum(|c| c.positions), "position"),
        n(sum(|c| c.boards), "board"),
        if told.up_to_symmetry {
            ", up to symmetry"
        } else {
            ""
        }
    ));
    let width = ended
        .sizes
        .iter()
        .map(|c| c.size.chars().count())
        .max()
        .unwrap_or(0);
    let boards = ended
        .sizes
        .iter()
        .map(|c| n(c.boards, "board").len())
        .max()
        .unwrap_or(0);
    if ended.sizes.len() > 1 {
        for c in &ended.sizes {
            text.push_str(&format!(
                "  {:width$}  {:>boards$}  {}\n",
                c.size,
                n(c.boards, "board"),
                n(c.positions, "position")
            ));
        }
    }
    text.push('\n');
    if let Some(groups) = &told.groups {
        let by = args.group_by.as_deref().unwrap_or("value");
        text.push_str(&format!("{} by {by}\n", n(groups.len() as u64, "group")));
        let width = groups
            .iter()
            .map(|g| g.group.chars().count())
            .max()
            .unwrap_or(0)
            .min(40);
        let counts = groups
            .iter()
            .map(|g| g.count.to_string().len())
            .max()
            .unwrap_or(0);
        for g in groups {
            text.push_str(&format!(
                "  {:width$}  {:>counts$}  {}\n",
                g.group, g.count, g.smallest.position
            ));
        }
    }
    if let Some(found) = &told.found {
        text.push_str(&format!("{} found\n", n(told.matches, "position")));
        let most = usize::try_from(args.limit).unwrap_or(usize::MAX);
        for f in found.iter().take(most) {
            let value = f
                .group
                .as_ref()
                .map_or(String::new(), |g| format!(" = {g}"));
            text.push_str(&format!("  {}{value}\n", f.position));
        }
        if found.len() > most || told.matches > found.len() as u64 {
            text.push_str("  .. (more with --limit)\n");
        }
    }
    if ended.undefined > 0 {
        let why = ended.reason.as_deref().unwrap_or_default();
        let (count, word) = (
            n(ended.undefined, "position"),
            if ended.undefined == 1 { "has" } else { "have" },
        );
        text.push_str(&format!("{count} {word} no answer: {why}\n"));
    }
    if ended.unknown > 0 {
        text.push_str(&format!(
            "{} unknown within the limits\n",
            n(ended.unknown, "position")
        ));
    }
    if !ended.complete {
        text.push_str("ended before all positions were looked at");
        text.push_str(if args.keep.is_some() {
            "; the same command goes on from here\n"
        } else {
            "; with --keep FILE it could go on\n"
        });
    }
    text
}
