//! The store: values kept between runs. Input: the name of a folder, which holds an embedded database (redb); output: an
//! [`Archive`] for the engine.
//!
//! Only one run at a time can write a store; any number can read one that is not written ([`Store::open_read_only`]). When a
//! store is opened, all of it is read and every page is compared with its checksum, on a copy that is never written back. A
//! database that is damaged, is not a store, or has another version is refused and left unchanged. New values are written in
//! batches, one transaction each, so that however a run ends, the store holds all values up to some moment. [`merge`] puts
//! the values of several stores into one.

mod file;
mod merge;
mod overlay;

pub use merge::{Merged, NotMerged, Taken, Watch, merge};

use crate::diagnostic::Diagnostic;
use crate::engine::{Archive, Shelf};
use file::{
    BATCH, FILE, FORMS, NUMBERS, RULES, SHELVES, Tables, Wrong, being_read, checked, lock, make,
    refused, written, wrong,
};
use redb::Database;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Values kept between runs. Dropping it writes the remaining values; [`Store::finish`] also reports errors.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    inner: Mutex<Inner>,
    // Locked for the lifetime of the store. None if it is only read and has no file `lock`.
    _lock: Option<File>,
}

#[derive(Debug)]
struct Inner {
    database: Database,
    // Whether nothing may be written.
    frozen: bool,
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

impl Store {
    /// Opens the store in a folder, or creates it if there is none.
    ///
    /// # Errors
    /// It is damaged, is not a store, has another version, is used by another run, or cannot be read or created.
    pub fn open(folder: &Path) -> Result<Store, Diagnostic> {
        let lock = lock(folder)?;
        let path = folder.join(FILE);
        if path.exists() {
            let file = File::open(&path).map_err(|e| e.to_string());
            let checked = file.and_then(|file| checked(file, None));
            checked.map_err(|why| {
                refused(&path, why).help(format!(
                    "nothing in it was changed; move it away or remove it, and a new one is made: `{}`",
                    path.display()
                ))
            })?;
        } else {
            // Created under another name first, so that a file of the right name is always complete.
            let new = folder.join(format!("{FILE}.new"));
            let made = make(&new).and_then(|made| {
                drop(made);
                fs::rename(&new, &path).map_err(wrong)
            });
            made.map_err(|e| refused(folder, e))?;
        }
        let inner = written(&path).and_then(|database| Inner::new(database, false));
        let inner = inner.map_err(|e| match *e {
            redb::Error::DatabaseAlreadyOpen => being_read(folder),
            e => refused(&path, e),
        })?;
        Ok(Store {
            path,
            inner: Mutex::new(inner),
            _lock: Some(lock),
        })
    }

    /// Opens the store in a folder for reading. Nothing in the folder is changed, and other runs can read it at the same
    /// time. Values that are put into it are dropped.
    ///
    /// # Errors
    /// There is none, it is damaged, is not a store, has another version, is being written, or cannot be read.
    pub fn open_read_only(folder: &Path) -> Result<Store, Diagnostic> {
        let (database, lock) = file::read(folder, None)?;
        let path = folder.join(FILE);
        let inner = Inner::new(database, true).map_err(|e| refused(&path, e))?;
        Ok(Store {
            path,
            inner: Mutex::new(inner),
            _lock: lock,
        })
    }

    /// Whether nothing is written into the store.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.inner().frozen
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

impl Inner {
    fn new(database: Database, frozen: bool) -> Result<Inner, Wrong> {
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
            frozen,
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
            for (shelf, definition) in self.shelves.iter().zip(SHELVES) {
                let mut table = write.open_table(definition).map_err(wrong)?;
                for (key, value) in shelf {
                    table.insert(&key[..], &value[..]).map_err(wrong)?;
                }
            }
        }
        write.commit().map_err(wrong)
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
        if known.is_some() || inner.failed.is_some() || inner.frozen {
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
        if inner.failed.is_none() && !inner.frozen {
            inner.shelves[place(shelf)].insert(key.to_vec(), value.to_vec());
            inner.write_if_many();
        }
    }

    fn keeps(&self) -> bool {
        !self.is_read_only()
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
        if known.is_some() || inner.failed.is_some() || inner.frozen {
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
        let mut inner = self.inner();
        let why = match inner.frozen {
            true => "its contents make no sense; leave it out, or take another copy",
            false => "its contents make no sense; remove the folder, and a new one is created",
        };
        inner.fail(why);
    }
}
