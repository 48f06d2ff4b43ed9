//! `cgdsl search`: a ruleset and a size come in; the positions up to that size that fulfil a condition go out, one by one
//! or in groups. What is found is kept in a file of JSON lines, from which a search that was ended goes on.

use super::args::Search;
use super::run::Run;
use super::watch::Watch;
use crate::report::Document;
use crate::session::search::{Counted, Ended, Event, Found, From, Wanted, read_lines};
use crate::session::{Disk, Session, World, only_ruleset};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Write;

/// The most positions in a list.
const MOST: usize = 10_000;
/// How often it is noted how far a search has come.
const OFTEN: u64 = 1000;

/// The first line of what is kept: a search goes on only from one that asked the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Head {
    kept: String,
    file: u64,
    ruleset: String,
    asked: String,
}

/// The other lines.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Line {
    Found(Found),
    Looked { looked: u64, unknown: u64 },
}

/// A group of positions.
#[derive(Clone, Debug, Serialize)]
struct Group {
    group: String,
    count: u64,
    smallest: Found,
}

/// What `search --json` says.
#[derive(Serialize)]
struct Told {
    ruleset: String,
    #[serde(flatten)]
    ended: Ended,
    /// Whether positions that differ by a symmetry of the board are looked at once.
    up_to_symmetry: bool,
    matches: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<Vec<Group>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<Vec<Found>>,
}

/// What a search has found so far.
#[derive(Default)]
struct Gathered {
    matches: u64,
    unknown: u64,
    list: Vec<Found>,
    groups: BTreeMap<String, (u64, Found)>,
    /// Groups in the order in which they were met.
    order: Vec<String>,
}

impl Gathered {
    fn take(&mut self, found: Found, grouped: bool) {
        self.matches += 1;
        if grouped {
            let name = found.group.clone().unwrap_or_default();
            match self.groups.get_mut(&name) {
                Some(group) => group.0 += 1,
                None => {
                    self.order.push(name.clone());
                    self.groups.insert(name, (1, found));
                }
            }
        } else if self.list.len() < MOST {
            self.list.push(found);
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

fn hash_of(bytes: &[u8]) -> u64 {
    // Fowler, Noll and Vo: the same on every machine.
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |h, b| {
        (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

/// `4x4`, `5`
fn size(text: &str) -> Option<Vec<u32>> {
    let parts: Option<Vec<u32>> = text
        .split(['x', '×'])
        .map(|n| n.trim().parse().ok().filter(|n| *n <= 1000))
        .collect();
    parts.filter(|p| !p.is_empty() && p.len() <= 2)
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
        let group_by = match (&args.group_by, args.smallest) {
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
            let text = world.read(path).map_err(|why| format!("{path}: {why}"));
            let text = text.and_then(|b| String::from_utf8(b).map_err(|e| format!("{path}: {e}")));
            let boards = text.and_then(|text| {
                read_lines(&text, kind).map_err(|fault| format!("{path}: {}", fault.message))
            });
            match boards {
                Ok(boards) => From::Given(boards),
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
            From::Given(boards)
        } else {
            match size(&args.up_to) {
                Some(size) => From::Size(size),
                None => {
                    self.output
                        .error(&format!("`{}` is no size such as 5 or 4x4", args.up_to));
                    return 2;
                }
            }
        };
        let wanted = Wanted {
            from,
            counts: args.counts,
            walls: args.walls.then_some(true),
            condition: args.condition.clone(),
            group_by: group_by.clone(),
        };
        let head = Head {
            kept: "cgdsl/search-lines/1".to_owned(),
            file: session
                .sources()
                .get(loaded.main.unwrap_or_default())
                .map_or(0, |s| hash_of(s.text.as_bytes())),
            ruleset: args.ruleset().to_owned(),
            asked: format!("{wanted:?}"),
        };
        let head = Head {
            // Boards that were given are long when written out.
            asked: format!("{:016x}", hash_of(head.asked.as_bytes())),
            ..head
        };
        let mut gathered = Gathered::default();
        let grouped = group_by.is_some();
        let (skip, mut keep) = match self.kept_search(args, &head, &mut gathered, grouped) {
            Ok(kept) => kept,
            Err(code) => return code,
        };
        let watch = Watch::start(&session.progress(), self.output.json);
        let mut looked = skip;
        let before = gathered.unknown;
        let mut failed_to_write = None;
        let mut unknown = 0;
        let ended = session.search(&loaded, &searched, &wanted, skip, &mut |event| {
            let line = match event {
                Event::Found(found) => {
                    let line = keep.as_ref().map(|_| Line::Found(found.clone()));
                    gathered.take(found, grouped);
                    line
                }
                Event::Open(_) => {
                    unknown += 1;
                    None
                }
                Event::Looked(n) => {
                    looked = n;
                    (n % OFTEN == 0).then_some(Line::Looked {
                        looked: n,
                        unknown: before + unknown,
                    })
                }
            };
            if let (Some(line), Some(file)) = (line, &mut keep)
                && let Err(e) =
                    writeln!(file, "{}", serde_json::to_string(&line).unwrap_or_default())
            {
                failed_to_write = Some(e.to_string());
                return false;
            }
            true
        });
        watch.stop();
        let mut ended = match ended {
            Ok(ended) => ended,
            Err(d) => {
                plain.extend(self.complain(&session, &[d]));
                return self.failed("cgdsl/error/1", plain);
            }
        };
        if let Some(file) = &mut keep {
            let line = Line::Looked {
                looked,
                unknown: before + unknown,
            };
            let text = serde_json::to_string(&line).unwrap_or_default();
            if let Err(e) = writeln!(file, "{text}").and_then(|()| file.flush()) {
                failed_to_write = Some(e.to_string());
            }
        }
        if let Some(why) = failed_to_write {
            let path = args.keep.as_deref().unwrap_or_default();
            self.output.error(&format!("{path}: {why}"));
            return 2;
        }
        ended.unknown += before;
        let code = if ended.complete && ended.unknown == 0 {
            0
        } else {
            3
        };
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
            let text = shown(&told, args);
            self.output.text(&text);
            self.print_stats(&session);
        }
        code
    }

    /// What an earlier run has found, how far it came, and the file to go on with.
    fn kept_search(
        &mut self,
        args: &Search,
        head: &Head,
        gathered: &mut Gathered,
        grouped: bool,
    ) -> Result<(u64, Option<std::io::BufWriter<std::fs::File>>), u8> {
        let Some(path) = &args.keep else {
            return Ok((0, None));
        };
        let fail = |run: &mut Self, why: String| {
            run.output.error(&format!("{path}: {why}"));
            2u8
        };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(e) => return Err(fail(self, e.to_string())),
        };
        let mut lines = text.lines();
        let mut skip = 0;
        let mut good = Vec::new();
        if let Some(first) = lines.next() {
            match serde_json::from_str::<Head>(first) {
                Ok(kept) if kept == *head => {}
                Ok(_) => {
                    let why = "it is of another search, or the file of rules has changed";
                    return Err(fail(self, why.to_owned()));
                }
                Err(_) => return Err(fail(self, "it is not what a search has kept".to_owned())),
            }
            // A run that was cut off may have left half a line, and positions beyond the last count.
            let parsed: Vec<Line> = lines.map_while(|l| serde_json::from_str(l).ok()).collect();
            for line in &parsed {
                if let Line::Looked { looked, unknown } = line {
                    skip = *looked;
                    gathered.unknown = *unknown;
                }
            }
            good = parsed;
        }
        let file = std::fs::File::create(path).map_err(|e| fail(self, e.to_string()))?;
        let mut file = std::io::BufWriter::new(file);
        let mut write = |line: String| writeln!(file, "{line}");
        let mut written = write(serde_json::to_string(head).unwrap_or_default());
        for line in good {
            match line {
                Line::Found(found) if found.number < skip => {
                    let text = serde_json::to_string(&found).unwrap_or_default();
                    written = written.and_then(|()| write(text));
                    gathered.take(found, grouped);
                }
                _ => {}
            }
        }
        let so_far = Line::Looked {
            looked: skip,
            unknown: gathered.unknown,
        };
        let text = serde_json::to_string(&so_far).unwrap_or_default();
        written = written.and_then(|()| write(text));
        written
            .and_then(|()| file.flush())
            .map_err(|e| fail(self, e.to_string()))?;
        Ok((skip, Some(file)))
    }
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
