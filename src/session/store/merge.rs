//! `cgdsl store merge`: puts the values of several stores into one. Input: their folders and that of the result, which may
//! hold a store already; output: what each one brought.
//!
//! Each store numbers rules and forms in the order in which it met them, so both get new numbers, and the forms in a value
//! with them. A store comes from somewhere else and is not trusted: it is checked like every store that is opened, all its
//! entries must be readable, and no value may differ from that of another store under the same key. (What a store alone
//! says cannot be checked without computing it again.) The result is written under another name and renamed at the end, so
//! there is the store from before or the whole result, however the run ends.
//!
//! Memory: the caches of two databases, 8 bytes for each form of the store that is being read, and some for each of its rules.

use super::file::{
    BATCH, FILE, FORMS, LOCK, NUMBERS, RULES, SHELVES, Tables, Wrong, caught, lock, make, read,
    read_unlocked, refused, wrong,
};
use super::overlay::OnRead;
use crate::diagnostic::{Code, Diagnostic};
use crate::engine::{read_nimber, read_value, renumbered_form, renumbered_value};
use crate::value::notation::{Style, print};
use crate::value::{CanonicalForm, Forms};
use redb::{Database, ReadableTable, ReadableTableMetadata, WriteTransaction};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Called with the bytes that are done and all of them; returns whether to go on. All stores are read twice.
pub type Watch = Arc<dyn Fn(u64, u64) -> bool + Send + Sync>;

/// What a store brought.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The folder of the store.
    pub folder: PathBuf,
    /// The numbers of its values and nimbers.
    pub values: u64,
    /// The number of its nimbers.
    pub nimbers: u64,
    /// How many of both none of the stores before it has.
    pub new: u64,
}

/// The result of a merge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merged {
    /// What each store brought; the first is the one that the result replaces, if there was one.
    pub stores: Vec<Taken>,
    /// The number of values in the result.
    pub values: u64,
    /// The number of its nimbers.
    pub nimbers: u64,
    /// The number of different forms in its values.
    pub forms: u64,
    /// The number of different rules.
    pub rules: u64,
}

/// Why stores were not merged.
#[derive(Clone, Debug)]
pub enum NotMerged {
    /// The run was ended.
    Ended,
    /// A store is refused.
    Refused(Box<Diagnostic>),
}

impl From<Diagnostic> for NotMerged {
    fn from(why: Diagnostic) -> NotMerged {
        NotMerged::Refused(Box::new(why))
    }
}

/// How many entries are read before the run may be ended.
const PIECE: usize = 1 << 12;

/// The most bytes of a key that are shown, and the most characters of a value.
const MOST_KEY: usize = 32;
const MOST_SHOWN: usize = 200;

/// The memory in which two values are built to be compared, the most forms in one of them, and the most bytes of a form.
const MEMORY: usize = 64 << 20;
const MOST_FORMS: usize = 1 << 16;
const MOST_BYTES: usize = 1 << 16;

/// Puts the values of some stores into the store of a folder, which is created if necessary.
///
/// # Errors
/// A store is refused, two of them contradict each other, the result cannot be written, or the run was ended. Then the folder
/// holds what it held before.
pub fn merge(sources: &[PathBuf], target: &Path, watch: Watch) -> Result<Merged, NotMerged> {
    let is_new = !target.exists();
    let lock = lock(target)?;
    let new = target.join(format!("{FILE}.new"));
    let merged = merged(sources, target, &new, watch);
    if merged.is_err() {
        let _ = fs::remove_file(&new);
        if is_new {
            // Other files may have come into the folder; then it stays.
            drop(lock);
            let _ = fs::remove_file(target.join(LOCK));
            let _ = fs::remove_dir(target);
        }
    }
    merged
}

fn merged(
    sources: &[PathBuf],
    target: &Path,
    new: &Path,
    watch: Watch,
) -> Result<Merged, NotMerged> {
    let own = fs::canonicalize(target).ok();
    let mut all: Vec<&Path> = Vec::new();
    if target.join(FILE).exists() {
        all.push(target);
    }
    let is_own = |folder: &Path| own.is_some() && fs::canonicalize(folder).ok() == own;
    all.extend(sources.iter().map(|s| &**s).filter(|s| !is_own(s)));
    if all.is_empty() {
        return Err(refused(target, "there is no store in this folder").into());
    }
    let size = |folder: &Path| fs::metadata(folder.join(FILE)).map_or(0, |about| about.len());
    let meter = Arc::new(Meter {
        watch,
        all: all.iter().map(|f| 2 * size(f)).sum(),
        done: AtomicU64::new(0),
        ended: AtomicBool::new(false),
    });
    let unwritten =
        |e: Wrong| NotMerged::from(refused(target, format!("it cannot be written: {e}")));
    let mut result = Target {
        database: make(new).map_err(unwritten)?,
        write: None,
        waiting: 0,
        forms: 0,
        rules: 0,
    };
    let mut stores = Vec::new();
    let mut begin = 0;
    for (i, folder) in all.iter().enumerate() {
        let size = size(folder);
        let open = |on_read| match *folder == target {
            true => read_unlocked(folder, on_read).map(|database| (database, None)),
            false => read(folder, on_read),
        };
        let opened = open(Some(meter.on_read(begin, size)));
        if meter.has_ended() {
            return Err(NotMerged::Ended);
        }
        let (database, _lock) = opened?;
        let wrong = |e: Wrong| refused(folder, e);
        let tables = Tables::open(&database).map_err(wrong)?;
        let copied = caught(|| {
            let place = |share: f64| meter.at(begin + size + (size as f64 * share) as u64);
            result.add(&tables, &place)
        });
        let copied = copied.unwrap_or_else(|| Err(Fault::Source("it is damaged".to_owned())));
        let (values, nimbers, new) = copied.map_err(|fault| match fault {
            Fault::Ended => NotMerged::Ended,
            Fault::Source(why) => refused(folder, why)
                .help("leave it out, or take another copy")
                .into(),
            Fault::Result(e) => unwritten(e),
            Fault::Contradiction(two) => {
                let earlier = all[..i].iter().find(|f| {
                    let opened = match **f == target {
                        true => read_unlocked(f, None).map(|database| (database, None)),
                        false => read(f, None),
                    };
                    opened.is_ok_and(|(database, _lock)| two.is_in(&database))
                });
                two.message(earlier.copied(), folder).into()
            }
        })?;
        stores.push(Taken {
            folder: folder.to_path_buf(),
            values,
            nimbers,
            new,
        });
        begin += 2 * size;
    }
    result.commit().map_err(unwritten)?;
    let counts = |tables: Tables| -> Result<[u64; 4], Wrong> {
        let [values, nimbers] = &tables.shelves;
        Ok([
            values.len().map_err(wrong)?,
            nimbers.len().map_err(wrong)?,
            tables.forms.len().map_err(wrong)?,
            tables.rules.len().map_err(wrong)?,
        ])
    };
    let counts = Tables::open(&result.database).and_then(counts);
    let [values, nimbers, forms, rules] = counts.map_err(unwritten)?;
    drop(result);
    fs::rename(new, target.join(FILE)).map_err(|e| unwritten(wrong(e)))?;
    Ok(Merged {
        stores,
        values,
        nimbers,
        forms,
        rules,
    })
}

/// How far a merge is.
struct Meter {
    watch: Watch,
    all: u64,
    done: AtomicU64,
    ended: AtomicBool,
}

impl Meter {
    /// Reports that all up to a place is done; returns whether to go on.
    fn at(&self, place: u64) -> bool {
        let done = self.done.fetch_max(place, Ordering::Relaxed).max(place);
        let on = (self.watch)(done, self.all);
        if !on {
            self.ended.store(true, Ordering::Relaxed);
        }
        on
    }

    fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// Reports what is read of a store of so many bytes while it is checked.
    fn on_read(self: &Arc<Meter>, begin: u64, size: u64) -> OnRead {
        let meter = self.clone();
        let read = AtomicU64::new(0);
        Arc::new(move |bytes| {
            let read = read.fetch_add(bytes, Ordering::Relaxed) + bytes;
            meter.at(begin + read.min(size))
        })
    }
}

/// Why a store was not added.
enum Fault {
    Ended,
    /// What is wrong with the store.
    Source(String),
    /// The result cannot be written.
    Result(Wrong),
    Contradiction(Contradiction),
}

impl From<Wrong> for Fault {
    fn from(e: Wrong) -> Fault {
        Fault::Result(e)
    }
}

fn source(e: impl Into<redb::Error>) -> Fault {
    Fault::Source(e.into().to_string())
}

fn senseless(what: &str) -> Fault {
    Fault::Source(format!("its contents make no sense: {what}"))
}

/// The store that is being written.
struct Target {
    database: Database,
    write: Option<WriteTransaction>,
    // Entries in the transaction.
    waiting: usize,
    // The next numbers.
    forms: u64,
    rules: u32,
}

impl Target {
    fn begin(&mut self) -> Result<WriteTransaction, Wrong> {
        match self.write.take() {
            Some(write) => Ok(write),
            None => self.database.begin_write().map_err(wrong),
        }
    }

    fn end(&mut self, write: WriteTransaction, entries: usize) -> Result<(), Wrong> {
        self.write = Some(write);
        self.waiting += entries;
        match self.waiting >= BATCH {
            true => self.commit(),
            false => Ok(()),
        }
    }

    fn commit(&mut self) -> Result<(), Wrong> {
        self.waiting = 0;
        match self.write.take() {
            Some(write) => write.commit().map_err(wrong),
            None => Ok(()),
        }
    }

    /// Adds a store. Returns how many values and nimbers it has, and how many of both are new; `place` is called with the
    /// share that is done.
    fn add(
        &mut self,
        from: &Tables,
        place: &dyn Fn(f64) -> bool,
    ) -> Result<(u64, u64, u64), Fault> {
        let [values, nimbers] = [&from.shelves[0], &from.shelves[1]].map(|t| t.len());
        let (values, nimbers) = (values.map_err(source)?, nimbers.map_err(source)?);
        let all = from.forms.len().map_err(source)? + values + nimbers;
        let mut done = 0u64;
        let mut go_on = |entries: usize| {
            done += entries as u64;
            match place(done as f64 / all.max(1) as f64) {
                true => Ok(()),
                false => Err(Fault::Ended),
            }
        };
        let rules = self.add_rules(from)?;
        let forms = self.add_forms(from, &mut go_on)?;
        let renumber = |n: u64| forms.get(usize::try_from(n).ok()?).copied();
        let mut new = 0;
        for (shelf, definition) in SHELVES.into_iter().enumerate() {
            let mut rows = from.shelves[shelf].iter().map_err(source)?;
            loop {
                let write = self.begin()?;
                let mut entries = 0;
                let mut differ = Vec::new();
                {
                    let mut table = write.open_table(definition).map_err(wrong)?;
                    for row in rows.by_ref().take(PIECE) {
                        let (key, value) = row.map_err(source)?;
                        entries += 1;
                        let Some((number, shape)) = key.value().split_first_chunk() else {
                            return Err(senseless("a key is too short"));
                        };
                        let Some(number) = rules.get(&u32::from_be_bytes(*number)) else {
                            return Err(senseless("a key is of no rules"));
                        };
                        let key = [&number.to_be_bytes()[..], shape].concat();
                        let value = match shelf {
                            0 => renumbered_value(value.value(), &renumber),
                            _ => read_nimber(value.value()).map(|_| value.value().to_vec()),
                        };
                        let Some(value) = value else {
                            return Err(senseless("a value cannot be read"));
                        };
                        match table.insert(&key[..], &value[..]).map_err(wrong)? {
                            None => new += 1,
                            Some(old) if old.value() == value => {}
                            Some(old) => {
                                let old = old.value().to_vec();
                                differ.push((key, old, value));
                            }
                        }
                    }
                }
                for (key, old, value) in differ {
                    if let Some(texts) = differ_in_truth(&write, shelf, &old, &value)? {
                        let two = Contradiction::new(&write, shelf, &key, texts)?;
                        return Err(Fault::Contradiction(two));
                    }
                }
                self.end(write, entries)?;
                go_on(entries)?;
                if entries < PIECE {
                    break;
                }
            }
        }
        Ok((values, nimbers, new))
    }

    /// Adds the rules of a store, and returns what each of its numbers becomes.
    fn add_rules(&mut self, from: &Tables) -> Result<FxHashMap<u32, u32>, Fault> {
        let mut numbers = FxHashMap::default();
        let write = self.begin()?;
        {
            let mut table = write.open_table(RULES).map_err(wrong)?;
            for row in from.rules.iter().map_err(source)? {
                let (text, number) = row.map_err(source)?;
                let known = table.get(text.value()).map_err(wrong)?.map(|n| n.value());
                let to = known.unwrap_or(self.rules);
                if known.is_none() {
                    self.rules = to.checked_add(1).ok_or(senseless("too many rules"))?;
                    table.insert(text.value(), to).map_err(wrong)?;
                }
                if numbers.insert(number.value(), to).is_some() {
                    return Err(senseless("two rules have one number"));
                }
            }
        }
        self.end(write, numbers.len())?;
        Ok(numbers)
    }

    /// Adds the forms of a store, and returns what each of its numbers becomes.
    fn add_forms(
        &mut self,
        from: &Tables,
        go_on: &mut dyn FnMut(usize) -> Result<(), Fault>,
    ) -> Result<Vec<u64>, Fault> {
        let mut became: Vec<u64> = Vec::new();
        let mut rows = from.forms.iter().map_err(source)?;
        loop {
            let write = self.begin()?;
            let mut entries = 0;
            {
                let mut forms = write.open_table(FORMS).map_err(wrong)?;
                let mut numbers = write.open_table(NUMBERS).map_err(wrong)?;
                for row in rows.by_ref().take(PIECE) {
                    let (number, bytes) = row.map_err(source)?;
                    entries += 1;
                    if number.value() != became.len() as u64 {
                        return Err(senseless("the number of a form is missing"));
                    }
                    // Only forms with smaller numbers have become something.
                    let renumber = |n: u64| became.get(usize::try_from(n).ok()?).copied();
                    let Some(form) = renumbered_form(bytes.value(), &renumber) else {
                        return Err(senseless("a form cannot be read"));
                    };
                    let known = numbers.get(&form[..]).map_err(wrong)?.map(|n| n.value());
                    let to = known.unwrap_or(self.forms);
                    if known.is_none() {
                        self.forms += 1;
                        forms.insert(to, &form[..]).map_err(wrong)?;
                        numbers.insert(&form[..], to).map_err(wrong)?;
                    }
                    became.push(to);
                }
            }
            self.end(write, entries)?;
            go_on(entries)?;
            if entries < PIECE {
                return Ok(became);
            }
        }
    }
}

/// Two values as they are written, unless they are the same value in other bytes.
fn differ_in_truth(
    write: &WriteTransaction,
    shelf: usize,
    old: &[u8],
    new: &[u8],
) -> Result<Option<[String; 2]>, Wrong> {
    if shelf == 1 {
        let [old, new] = [old, new].map(read_nimber);
        let text = |n: Option<u32>| format!("*{}", n.unwrap_or_default());
        return Ok((old != new).then(|| [text(old), text(new)]));
    }
    let forms = write.open_table(FORMS).map_err(wrong)?;
    let arena = Forms::with_limit(MEMORY);
    let values = [old, new].map(|bytes| {
        let asked = Cell::new(0);
        let form = |n: u64| {
            asked.set(asked.get() + 1);
            let bytes = forms.get(n).ok()??.value().to_vec();
            (asked.get() <= MOST_FORMS && bytes.len() <= MOST_BYTES).then_some(bytes)
        };
        let short = Some(bytes).filter(|bytes| bytes.len() <= MOST_BYTES)?;
        read_value(short, &form, &arena).ok().flatten()
    });
    if values[0].is_some() && values[0] == values[1] {
        return Ok(None);
    }
    Ok(Some(values.map(|value| match value {
        Some(value) => shown(&arena, value),
        None => "a value that is too large to be shown".to_owned(),
    })))
}

/// A value as it is written, shortened if it is long.
fn shown(forms: &Forms, value: CanonicalForm) -> String {
    let text = print(forms, value, Style::Ascii);
    match text.char_indices().nth(MOST_SHOWN) {
        Some((at, _)) => format!("{}..", &text[..at]),
        None => text,
    }
}

/// Two values under one key.
struct Contradiction {
    /// The text of the rules, the key without their number, and where both values are kept.
    rules: Vec<u8>,
    shape: Vec<u8>,
    shelf: usize,
    texts: [String; 2],
}

impl Contradiction {
    fn new(
        write: &WriteTransaction,
        shelf: usize,
        key: &[u8],
        texts: [String; 2],
    ) -> Result<Contradiction, Wrong> {
        let (number, shape) = key.split_at(4);
        let mut rules = Vec::new();
        for row in write
            .open_table(RULES)
            .map_err(wrong)?
            .iter()
            .map_err(wrong)?
        {
            let (text, own) = row.map_err(wrong)?;
            if own.value().to_be_bytes() == number {
                rules = text.value().to_vec();
            }
        }
        Ok(Contradiction {
            rules,
            shape: shape.to_vec(),
            shelf,
            texts,
        })
    }

    /// Whether a store has a value under this key.
    fn is_in(&self, database: &Database) -> bool {
        let Ok(tables) = Tables::open(database) else {
            return false;
        };
        let Ok(Some(number)) = tables.rules.get(&self.rules[..]) else {
            return false;
        };
        let key = [&number.value().to_be_bytes()[..], &self.shape].concat();
        matches!(tables.shelves[self.shelf].get(&key[..]), Ok(Some(_)))
    }

    fn message(self, earlier: Option<&Path>, later: &Path) -> Diagnostic {
        let [old, new] = self.texts;
        let later = later.display();
        let earlier = match earlier {
            Some(folder) => format!("`{}`", folder.display()),
            None => "the stores before it".to_owned(),
        };
        // The first line of the text is the version of the keys; the second begins with their kind.
        let text = String::from_utf8_lossy(&self.rules);
        let kind = text.lines().nth(1).and_then(|l| l.split(' ').next());
        let kind = kind.unwrap_or_default();
        let shown = self.shape.iter().take(MOST_KEY);
        let key: String = shown.map(|byte| format!("{byte:02x}")).collect();
        let more = if self.shape.len() > MOST_KEY {
            ".."
        } else {
            ""
        };
        Diagnostic::error(
            Code::E0707,
            format!("the stores contradict each other: for one component, `{later}` has the value {new}, and {earlier} {old}"),
        )
        .note(format!("the entry is among the {kind}, with the key {key}{more}"))
        .help("at least one of them is wrong, and nothing was merged: leave out the one that you trust less, or compute it again")
    }
}
