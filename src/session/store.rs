//! The store: values kept between runs. Input: the name of a folder, which holds an embedded database (redb); output: an
//! [`Archive`] for the engine.
//!
//! Only one run at a time can use a store. When a store is opened, all of it is read and every page is compared with its
//! checksum, on a copy that is never written back. A database that is damaged, is not a store, or has another version is
//! refused and left unchanged. New values are written in batches, one transaction each, so that however a run ends, the store
//! holds all values up to some moment.

use super::world::{NoFile, open_regular};
use crate::diagnostic::{Code, Diagnostic};
use crate::engine::{Archive, Shelf};
use redb::{Builder, Database, ReadOnlyTable, ReadableDatabase, StorageBackend, TableDefinition};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Data about the store itself.
const ABOUT: TableDefinition<&str, &[u8]> = TableDefinition::new("about");
/// The numbers of rules, by their texts.
const RULES: TableDefinition<&[u8], u32> = TableDefinition::new("rules");
/// The forms by number, and the numbers by form.
const FORMS: TableDefinition<u64, &[u8]> = TableDefinition::new("forms");
const NUMBERS: TableDefinition<&[u8], u64> = TableDefinition::new("numbers");
const VALUES: TableDefinition<&[u8], &[u8]> = TableDefinition::new("values");
const NIMBERS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("nimbers");

/// The format recorded in `about`.
const FORMAT: &[u8] = b"cgdsl values, 1";

/// The database file in the folder, and the file whose lock shows that a run uses it.
const FILE: &str = "values.redb";
const LOCK: &str = "lock";

/// The number of entries in a batch.
const BATCH: usize = 1 << 15;

/// The size of the database cache, in bytes.
const CACHE: usize = 64 << 20;

/// Values kept between runs. Dropping it writes the remaining values; [`Store::finish`] also reports errors.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    inner: Mutex<Inner>,
    // Locked for the lifetime of the store.
    _lock: File,
}

#[derive(Debug)]
struct Inner {
    database: Database,
    read: Option<Tables>,
    // Entries not yet written.
    shelves: [BTreeMap<Vec<u8>, Vec<u8>>; 2],
    rules: FxHashMap<Vec<u8>, u32>,
    forms: Vec<Vec<u8>>,
    numbers: FxHashMap<Vec<u8>, u64>,
    // The next numbers: of forms, of forms not yet written, of rules.
    next: u64,
    written: u64,
    next_rules: u32,
    // Why the store can no longer be used.
    failed: Option<String>,
}

struct Tables {
    rules: ReadOnlyTable<&'static [u8], u32>,
    forms: ReadOnlyTable<u64, &'static [u8]>,
    numbers: ReadOnlyTable<&'static [u8], u64>,
    shelves: [ReadOnlyTable<&'static [u8], &'static [u8]>; 2],
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tables")
    }
}

/// An error of the database.
type Wrong = Box<redb::Error>;

fn wrong(e: impl Into<redb::Error>) -> Wrong {
    Box::new(e.into())
}

fn refused(path: &Path, why: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error(
        Code::E0704,
        format!("the store `{}` is not used: {why}", path.display()),
    )
}

impl Store {
    /// Opens the store in a folder, or creates it if there is none.
    ///
    /// # Errors
    /// It is damaged, is not a store, has another version, is used by another run, or cannot be read or created.
    pub fn open(folder: &Path) -> Result<Store, Diagnostic> {
        fs::create_dir_all(folder).map_err(|e| refused(folder, e))?;
        // Opening a pipe would wait for its other end.
        for name in [LOCK, FILE] {
            let path = folder.join(name);
            match open_regular(&path) {
                Ok(_) | Err(NoFile::Missing) => {}
                Err(why) => return Err(refused(&path, why)),
            }
        }
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(folder.join(LOCK))
            .map_err(|e| refused(folder, e))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(refused(folder, "another run has it").help(
                    "wait for it to end, or name another folder: each run has a store to itself",
                ));
            }
            Err(TryLockError::Error(e)) => return Err(refused(folder, e)),
        }
        let path = folder.join(FILE);
        if path.exists() {
            inspect(&path).map_err(|why| {
                refused(&path, why).help(format!(
                    "nothing in it was changed; move it away or remove it, and a new one is made: `{}`",
                    path.display()
                ))
            })?;
        } else {
            // Created under another name first, so that a file of the right name is always complete.
            let new = folder.join(format!("{FILE}.new"));
            let made = make(&new).and_then(|()| fs::rename(&new, &path).map_err(wrong));
            made.map_err(|e| refused(folder, e))?;
        }
        let inner = Inner::open(&path).map_err(|e| refused(&path, e))?;
        Ok(Store {
            path,
            inner: Mutex::new(inner),
            _lock: lock,
        })
    }

    fn inner(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Writes everything not yet written.
    ///
    /// # Errors
    /// Why the store became unusable.
    pub fn finish(&self) -> Result<(), Diagnostic> {
        let mut inner = self.inner();
        inner.write();
        match &inner.failed {
            None => Ok(()),
            Some(why) => Err(refused(&self.path, why)),
        }
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.inner().write();
    }
}

/// Creates an empty store.
fn make(path: &Path) -> Result<(), Wrong> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(wrong(e)),
        _ => {}
    }
    let database = Database::create(path).map_err(wrong)?;
    let write = database.begin_write().map_err(wrong)?;
    {
        let mut about = write.open_table(ABOUT).map_err(wrong)?;
        about.insert("format", FORMAT).map_err(wrong)?;
        write.open_table(RULES).map_err(wrong)?;
        write.open_table(FORMS).map_err(wrong)?;
        write.open_table(NUMBERS).map_err(wrong)?;
        write.open_table(VALUES).map_err(wrong)?;
        write.open_table(NIMBERS).map_err(wrong)?;
    }
    write.commit().map_err(wrong)
}

/// Reads all of a store without changing it.
fn inspect(path: &Path) -> Result<(), String> {
    let overlay = Overlay::new(path).map_err(|e| e.to_string())?;
    let looked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut database = Builder::new()
            .set_cache_size(CACHE)
            .create_with_backend(overlay)
            .map_err(|e| match e {
                redb::DatabaseError::UpgradeRequired(_) => {
                    "it is of another version of the database".to_owned()
                }
                e => format!("it is damaged, or no store at all ({e})"),
            })?;
        match database.check_integrity() {
            Ok(true) => {}
            Ok(false) => return Err("it is damaged".to_owned()),
            Err(e) => return Err(format!("it is damaged ({e})")),
        }
        let read = database.begin_read().map_err(|e| e.to_string())?;
        let about = read
            .open_table(ABOUT)
            .map_err(|_| "it is a database of something else")?;
        let format = about.get("format").map_err(|e| e.to_string())?;
        match format {
            Some(format) if format.value() == FORMAT => Ok(()),
            _ => Err("it is of another version of this program".to_owned()),
        }
    }));
    looked.unwrap_or_else(|_| Err("it is damaged".to_owned()))
}

impl Inner {
    fn open(path: &Path) -> Result<Inner, Wrong> {
        let database = Builder::new()
            .set_cache_size(CACHE)
            .open(path)
            .map_err(wrong)?;
        let read = Tables::open(&database)?;
        use redb::ReadableTable;
        let next = match read.forms.last().map_err(wrong)? {
            Some((number, _)) => number.value().saturating_add(1),
            None => 0,
        };
        let mut next_rules = 0;
        for row in read.rules.iter().map_err(wrong)? {
            let (_, number) = row.map_err(wrong)?;
            next_rules = next_rules.max(number.value().saturating_add(1));
        }
        Ok(Inner {
            database,
            read: Some(read),
            shelves: Default::default(),
            rules: FxHashMap::default(),
            forms: Vec::new(),
            numbers: FxHashMap::default(),
            next,
            written: next,
            next_rules,
            failed: None,
        })
    }

    fn fail(&mut self, why: impl std::fmt::Display) {
        self.failed.get_or_insert_with(|| why.to_string());
        self.read = None;
        self.clear();
    }

    fn clear(&mut self) {
        self.shelves = Default::default();
        self.rules = FxHashMap::default();
        self.forms = Vec::new();
        self.numbers = FxHashMap::default();
    }

    // Queries a table, if the store is still usable.
    fn ask<T>(
        &mut self,
        question: impl FnOnce(&Tables) -> Result<Option<T>, redb::StorageError>,
    ) -> Option<T> {
        match question(self.read.as_ref()?) {
            Ok(answer) => answer,
            Err(e) => {
                self.fail(e);
                None
            }
        }
    }

    fn waiting(&self) -> usize {
        self.shelves.iter().map(BTreeMap::len).sum::<usize>() + self.forms.len() + self.rules.len()
    }

    fn write_if_many(&mut self) {
        if self.waiting() >= BATCH {
            self.write();
        }
    }

    fn write(&mut self) {
        if self.failed.is_some() || self.waiting() == 0 {
            return;
        }
        let written = self.commit().and_then(|()| Tables::open(&self.database));
        match written {
            Ok(tables) => {
                self.read = Some(tables);
                self.written = self.next;
                self.clear();
            }
            Err(e) => self.fail(format!("it cannot be written: {e}")),
        }
    }

    fn commit(&self) -> Result<(), Wrong> {
        let write = self.database.begin_write().map_err(wrong)?;
        {
            let mut table = write.open_table(RULES).map_err(wrong)?;
            for (text, number) in &self.rules {
                table.insert(&text[..], number).map_err(wrong)?;
            }
            let mut table = write.open_table(FORMS).map_err(wrong)?;
            for (number, form) in (self.written..).zip(&self.forms) {
                table.insert(number, &form[..]).map_err(wrong)?;
            }
            let mut table = write.open_table(NUMBERS).map_err(wrong)?;
            for (form, number) in &self.numbers {
                table.insert(&form[..], number).map_err(wrong)?;
            }
            for (shelf, definition) in self.shelves.iter().zip([VALUES, NIMBERS]) {
                let mut table = write.open_table(definition).map_err(wrong)?;
                for (key, value) in shelf {
                    table.insert(&key[..], &value[..]).map_err(wrong)?;
                }
            }
        }
        write.commit().map_err(wrong)
    }
}

impl Tables {
    fn open(database: &Database) -> Result<Tables, Wrong> {
        let read = database.begin_read().map_err(wrong)?;
        Ok(Tables {
            rules: read.open_table(RULES).map_err(wrong)?,
            forms: read.open_table(FORMS).map_err(wrong)?,
            numbers: read.open_table(NUMBERS).map_err(wrong)?,
            shelves: [
                read.open_table(VALUES).map_err(wrong)?,
                read.open_table(NIMBERS).map_err(wrong)?,
            ],
        })
    }
}

fn place(shelf: Shelf) -> usize {
    match shelf {
        Shelf::Values => 0,
        Shelf::Nimbers => 1,
    }
}

impl Archive for Store {
    fn rules(&self, text: &[u8]) -> Option<u32> {
        let mut inner = self.inner();
        if inner.failed.is_some() {
            return None;
        }
        if let Some(number) = inner.rules.get(text) {
            return Some(*number);
        }
        let known = inner.ask(|t| Ok(t.rules.get(text)?.map(|n| n.value())));
        if known.is_some() || inner.failed.is_some() {
            return known;
        }
        let number = inner.next_rules;
        inner.next_rules = number.checked_add(1)?;
        inner.rules.insert(text.to_vec(), number);
        Some(number)
    }

    fn get(&self, shelf: Shelf, key: &[u8]) -> Option<Vec<u8>> {
        let mut inner = self.inner();
        let shelf = place(shelf);
        if let Some(value) = inner.shelves[shelf].get(key) {
            return Some(value.clone());
        }
        inner.ask(|t| Ok(t.shelves[shelf].get(key)?.map(|v| v.value().to_vec())))
    }

    fn put(&self, shelf: Shelf, key: &[u8], value: &[u8]) {
        let mut inner = self.inner();
        if inner.failed.is_none() {
            inner.shelves[place(shelf)].insert(key.to_vec(), value.to_vec());
            inner.write_if_many();
        }
    }

    fn form(&self, number: u64) -> Option<Vec<u8>> {
        let mut inner = self.inner();
        if let Some(waiting) = number.checked_sub(inner.written) {
            return inner.forms.get(usize::try_from(waiting).ok()?).cloned();
        }
        inner.ask(|t| Ok(t.forms.get(number)?.map(|f| f.value().to_vec())))
    }

    fn number(&self, form: &[u8]) -> Option<u64> {
        let mut inner = self.inner();
        if inner.failed.is_some() {
            return None;
        }
        if let Some(number) = inner.numbers.get(form) {
            return Some(*number);
        }
        let known = inner.ask(|t| Ok(t.numbers.get(form)?.map(|n| n.value())));
        if known.is_some() || inner.failed.is_some() {
            return known;
        }
        let number = inner.next;
        inner.next = number.checked_add(1)?;
        inner.forms.push(form.to_vec());
        inner.numbers.insert(form.to_vec(), number);
        // Not written here: the numbers of the forms it refers to must be assigned first.
        Some(number)
    }

    fn distrust(&self) {
        self.inner()
            .fail("its contents make no sense; remove the folder, and a new one is created");
    }
}

/// A file that is read, with later writes held in memory.
#[derive(Debug)]
struct Overlay(Mutex<Layers>);

#[derive(Debug)]
struct Layers {
    file: File,
    // The length of the part of the file that may still be read, and the total length.
    below: u64,
    len: u64,
    pages: FxHashMap<u64, Box<[u8]>>,
}

const PAGE: u64 = 4096;

impl Overlay {
    fn new(path: &Path) -> io::Result<Overlay> {
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        Ok(Overlay(Mutex::new(Layers {
            file,
            below: len,
            len,
            pages: FxHashMap::default(),
        })))
    }

    fn layers(&self) -> std::sync::MutexGuard<'_, Layers> {
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl Layers {
    // Reads from the file at `offset`; zeros after its end.
    fn below(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        out.fill(0);
        let there = self.below.saturating_sub(offset).min(out.len() as u64) as usize;
        if there > 0 {
            self.file.seek(SeekFrom::Start(offset))?;
            self.file.read_exact(&mut out[..there])?;
        }
        Ok(())
    }

    fn check(&self, offset: u64, len: usize) -> io::Result<()> {
        let end = offset.checked_add(len as u64);
        match end.is_some_and(|end| end <= self.len) {
            true => Ok(()),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

impl StorageBackend for Overlay {
    fn len(&self) -> io::Result<u64> {
        Ok(self.layers().len)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        let mut layers = self.layers();
        layers.check(offset, out.len())?;
        layers.below(offset, out)?;
        let mut at = offset;
        let end = offset + out.len() as u64;
        while at < end {
            let page = at / PAGE;
            let stop = end.min((page + 1) * PAGE);
            if let Some(bytes) = layers.pages.get(&page) {
                let (from, to) = ((at - page * PAGE) as usize, (stop - page * PAGE) as usize);
                out[(at - offset) as usize..(stop - offset) as usize]
                    .copy_from_slice(&bytes[from..to]);
            }
            at = stop;
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut layers = self.layers();
        if len < layers.len {
            layers.below = layers.below.min(len);
            layers.pages.retain(|page, _| page * PAGE < len);
            if let Some(last) = layers.pages.get_mut(&(len / PAGE)) {
                last[(len % PAGE) as usize..].fill(0);
            }
        }
        layers.len = len;
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut layers = self.layers();
        layers.check(offset, data.len())?;
        let mut at = offset;
        let end = offset + data.len() as u64;
        while at < end {
            let page = at / PAGE;
            let stop = end.min((page + 1) * PAGE);
            if !layers.pages.contains_key(&page) {
                let mut bytes = vec![0; PAGE as usize].into_boxed_slice();
                layers.below(page * PAGE, &mut bytes)?;
                layers.pages.insert(page, bytes);
            }
            if let Some(bytes) = layers.pages.get_mut(&page) {
                let (from, to) = ((at - page * PAGE) as usize, (stop - page * PAGE) as usize);
                bytes[from..to]
                    .copy_from_slice(&data[(at - offset) as usize..(stop - offset) as usize]);
            }
            at = stop;
        }
        Ok(())
    }
}
