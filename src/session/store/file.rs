//! The files of a store: their names, tables and locks. Input: a folder; output: a checked database, or why it is refused.
//!
//! A run that writes locks the file `lock`; runs that only read share the lock. These also share a lock of the database
//! itself, in case the file `lock` is missing, as in a copy of a store, and cannot be created.

use super::overlay::{OnRead, Overlay};
use crate::diagnostic::{Code, Diagnostic};
use crate::session::world::{NoFile, open_regular};
use redb::{Builder, Database, ReadOnlyTable, ReadableDatabase, TableDefinition};
use std::cell::Cell;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::sync::Once;

/// Data about the store itself.
const ABOUT: TableDefinition<&str, &[u8]> = TableDefinition::new("about");
/// The numbers of rules, by their texts.
pub(super) const RULES: TableDefinition<&[u8], u32> = TableDefinition::new("rules");
/// The forms by number, and the numbers by form.
pub(super) const FORMS: TableDefinition<u64, &[u8]> = TableDefinition::new("forms");
pub(super) const NUMBERS: TableDefinition<&[u8], u64> = TableDefinition::new("numbers");
/// The canonical forms and the nimbers of components.
pub(super) const SHELVES: [TableDefinition<&[u8], &[u8]>; 2] = [
    TableDefinition::new("values"),
    TableDefinition::new("nimbers"),
];

/// The format recorded in `about`.
const FORMAT: &[u8] = b"cgdsl values, 1";

/// The database file in the folder, and the file whose lock shows that a run uses it.
pub(super) const FILE: &str = "values.redb";
pub(super) const LOCK: &str = "lock";

/// The number of entries in a transaction.
pub(super) const BATCH: usize = 1 << 15;

/// The size of the database cache, in bytes.
const CACHE: usize = 64 << 20;

/// An error of the database.
pub(super) type Wrong = Box<redb::Error>;

pub(super) fn wrong(e: impl Into<redb::Error>) -> Wrong {
    Box::new(e.into())
}

pub(super) fn refused(path: &Path, why: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error(
        Code::E0704,
        format!("the store `{}` is not used: {why}", path.display()),
    )
}

/// The message to a run that would write while others read.
pub(super) fn being_read(folder: &Path) -> Diagnostic {
    refused(folder, "other runs are reading it")
        .help("wait for them to end, add `--read-only` to read it too, or name another folder")
}

/// Makes the folder if necessary, and locks it for writing.
pub(super) fn lock(folder: &Path) -> Result<File, Diagnostic> {
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
        .map_err(|e| {
            refused(folder, e).help("a store that cannot be written is read with `--read-only`")
        })?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => match lock.try_lock_shared() {
            // Those who have it share it.
            Ok(()) => Err(being_read(folder)),
            Err(_) => Err(refused(folder, "another run has it").help(
                "wait for it to end, or name another folder: each run that writes has a store to itself",
            )),
        },
        Err(TryLockError::Error(e)) => Err(refused(folder, e)),
    }
}

/// Shares the lock of a file among those that read it; false if a run writes.
fn shared(file: &File) -> bool {
    match file.try_lock_shared() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => false,
        // A file system without locks, where no run writes a store either.
        Err(TryLockError::Error(_)) => true,
    }
}

fn is_written(folder: &Path) -> Diagnostic {
    refused(folder, "another run is writing it").help(
        "wait for it to end: any number of runs read a store at once, but none while another one writes",
    )
}

/// Opens and checks a store without changing anything in its folder, and shares its lock.
pub(super) fn read(folder: &Path, on_read: Option<OnRead>) -> Result<Opened, Diagnostic> {
    let lock = match open_regular(folder.join(LOCK)) {
        Ok(lock) if shared(&lock) => Some(lock),
        Ok(_) => return Err(is_written(folder)),
        Err(NoFile::Missing) => None,
        Err(why) => return Err(refused(&folder.join(LOCK), why)),
    };
    Ok((read_unlocked(folder, on_read)?, lock))
}

/// A store that was opened for reading, and its lock.
pub(super) type Opened = (Database, Option<File>);

/// The same, in a folder that is locked.
pub(super) fn read_unlocked(
    folder: &Path,
    on_read: Option<OnRead>,
) -> Result<Database, Diagnostic> {
    let path = folder.join(FILE);
    let file = match open_regular(&path) {
        Ok(file) if shared(&file) => file,
        Ok(_) => return Err(is_written(folder)),
        Err(NoFile::Missing) => {
            return Err(refused(folder, "there is no store in this folder")
                .help("a run with `--store` makes one, without `--read-only`"));
        }
        Err(why) => return Err(refused(&path, why)),
    };
    checked(file, on_read).map_err(|why| {
        refused(&path, why).help(
            "nothing in it was changed; read it with the program that wrote it, take another copy, or compute the values again",
        )
    })
}

/// Reads all of a store without changing it.
pub(super) fn checked(file: File, on_read: Option<OnRead>) -> Result<Database, String> {
    let overlay = Overlay::new(file, on_read).map_err(|e| e.to_string())?;
    let looked = caught(|| {
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
        match format.as_ref().map(|f| f.value()) {
            Some(FORMAT) => {}
            Some(other) => {
                return Err(format!(
                    "it has the format `{}`, and this program reads `{}`",
                    String::from_utf8_lossy(&other[..other.len().min(80)]),
                    String::from_utf8_lossy(FORMAT)
                ));
            }
            None => return Err("it does not say which format it has".to_owned()),
        }
        drop((format, about, read));
        Ok(database)
    });
    looked.unwrap_or_else(|| Err("it is damaged".to_owned()))
}

/// The result of reading a database, or `None` if the library panics, as it does on some that are damaged. That panic prints
/// nothing.
pub(super) fn caught<T>(read: impl FnOnce() -> T) -> Option<T> {
    thread_local! {
        static IS_QUIET: Cell<bool> = const { Cell::new(false) };
    }
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !IS_QUIET.get() {
                usual(info);
            }
        }));
    });
    IS_QUIET.set(true);
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(read));
    IS_QUIET.set(false);
    result.ok()
}

/// Opens a store that was checked, to be written.
pub(super) fn written(path: &Path) -> Result<Database, Wrong> {
    Builder::new()
        .set_cache_size(CACHE)
        .open(path)
        .map_err(wrong)
}

/// Creates an empty store.
pub(super) fn make(path: &Path) -> Result<Database, Wrong> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(wrong(e)),
        _ => {}
    }
    let database = Builder::new()
        .set_cache_size(CACHE)
        .create(path)
        .map_err(wrong)?;
    let write = database.begin_write().map_err(wrong)?;
    {
        let mut about = write.open_table(ABOUT).map_err(wrong)?;
        about.insert("format", FORMAT).map_err(wrong)?;
        write.open_table(RULES).map_err(wrong)?;
        write.open_table(FORMS).map_err(wrong)?;
        write.open_table(NUMBERS).map_err(wrong)?;
        for shelf in SHELVES {
            write.open_table(shelf).map_err(wrong)?;
        }
    }
    write.commit().map_err(wrong)?;
    Ok(database)
}

/// The tables as they are after a transaction.
pub(super) struct Tables {
    pub(super) rules: ReadOnlyTable<&'static [u8], u32>,
    pub(super) forms: ReadOnlyTable<u64, &'static [u8]>,
    pub(super) numbers: ReadOnlyTable<&'static [u8], u64>,
    pub(super) shelves: [ReadOnlyTable<&'static [u8], &'static [u8]>; 2],
}

impl std::fmt::Debug for Tables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Tables")
    }
}

impl Tables {
    pub(super) fn open(database: &Database) -> Result<Tables, Wrong> {
        let read = database.begin_read().map_err(wrong)?;
        let [values, nimbers] = SHELVES;
        Ok(Tables {
            rules: read.open_table(RULES).map_err(wrong)?,
            forms: read.open_table(FORMS).map_err(wrong)?,
            numbers: read.open_table(NUMBERS).map_err(wrong)?,
            shelves: [
                read.open_table(values).map_err(wrong)?,
                read.open_table(nimbers).map_err(wrong)?,
            ],
        })
    }
}
