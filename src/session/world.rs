//! All access to files. Input: a path; output: the bytes of a regular file of bounded length. Rules are read through a
//! [`World`]: front ends use [`Disk`], tests use [`Memory`]. Kept files, witnesses and saved games are read with
//! [`read_regular`] and [`open_regular`].
//!
//! A pipe or a device may be endless and need not respond to signals. Hence only standard input may be one; it is read in
//! a separate thread, so that a run can be cancelled while it waits.

use crate::game::Cancel;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The longest rules file that is read, in bytes.
pub const LONGEST: u64 = 16 << 20;

/// How often a run that waits for standard input checks for cancellation.
const OFTEN: Duration = Duration::from_millis(50);

/// Why a file could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoFile {
    /// There is no file of that name.
    Missing,
    /// The file is longer than this many bytes.
    TooLong(u64),
    /// The path is a folder.
    Folder,
    /// The path is a pipe, a socket or a device.
    Special,
    /// The run was cancelled while it waited for standard input.
    Cancelled,
    /// The error message of the system.
    Other(String),
}

impl fmt::Display for NoFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoFile::Missing => f.write_str("there is no such file"),
            NoFile::TooLong(most) if *most < 1 << 20 => write!(f, "it is longer than {most} bytes"),
            NoFile::TooLong(most) => write!(f, "it is longer than {} MiB", most >> 20),
            NoFile::Folder => f.write_str("it is a folder"),
            NoFile::Special => f.write_str("it is a pipe or a device, not a regular file"),
            NoFile::Cancelled => f.write_str("the run was ended before its input ended"),
            NoFile::Other(why) => f.write_str(why),
        }
    }
}

impl From<std::io::Error> for NoFile {
    fn from(e: std::io::Error) -> NoFile {
        match e.kind() {
            // A name that no file can have (too long, or with characters that the system refuses) counts as missing.
            ErrorKind::NotFound
            | ErrorKind::NotADirectory
            | ErrorKind::InvalidFilename
            | ErrorKind::InvalidInput => NoFile::Missing,
            _ => NoFile::Other(e.to_string()),
        }
    }
}

/// A source of files.
pub trait World: Sync {
    /// The bytes of the file at `path`, at most [`LONGEST`]; `-` is standard input.
    ///
    /// # Errors
    /// Why the file cannot be read.
    fn read(&self, path: &str, cancel: &Cancel) -> Result<Vec<u8>, NoFile>;

    /// Whether a file is in a folder or below it, after symbolic links are resolved.
    fn lies_in(&self, path: &str, folder: &str) -> bool;
}

/// The files of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

fn regular(about: &Metadata) -> Result<(), NoFile> {
    match about {
        about if about.is_dir() => Err(NoFile::Folder),
        about if !about.is_file() => Err(NoFile::Special),
        _ => Ok(()),
    }
}

/// Opens a regular file for reading.
///
/// # Errors
/// The file is missing, or is a folder, a pipe or a device.
pub fn open_regular(path: impl AsRef<Path>) -> Result<File, NoFile> {
    let path = path.as_ref();
    // Checked before opening, since opening a pipe waits for its other end, and again after, since the file may have been
    // replaced.
    regular(&std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    regular(&file.metadata()?)?;
    Ok(file)
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// The file is missing, is a folder, a pipe or a device, or is longer than `most`.
pub fn read_regular(path: impl AsRef<Path>, most: u64) -> Result<Vec<u8>, NoFile> {
    limited(open_regular(path)?, most)
}

fn limited(source: impl Read, most: u64) -> Result<Vec<u8>, NoFile> {
    let mut bytes = Vec::new();
    source
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(NoFile::TooLong(most)),
        false => Ok(bytes),
    }
}

/// Reads standard input to its end, unless the run is cancelled first.
fn input(cancel: &Cancel) -> Result<Vec<u8>, NoFile> {
    let (tell, hear) = channel();
    std::thread::spawn(move || tell.send(limited(std::io::stdin().lock(), LONGEST)));
    loop {
        match hear.recv_timeout(OFTEN) {
            Ok(read) => return read,
            Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => {
                return Err(NoFile::Cancelled);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(NoFile::Other("it cannot be read".to_owned()));
            }
        }
    }
}

impl World for Disk {
    fn read(&self, path: &str, cancel: &Cancel) -> Result<Vec<u8>, NoFile> {
        match path {
            "-" => input(cancel),
            path => read_regular(path, LONGEST),
        }
    }

    fn lies_in(&self, path: &str, folder: &str) -> bool {
        let plain =
            |p: &str| std::path::absolute(p).map(|p| PathBuf::from(normal(&p.to_string_lossy())));
        // If either path does not exist, the names alone are compared.
        let real = |p: &str| std::fs::canonicalize(p);
        match (real(path), real(folder)) {
            (Ok(path), Ok(folder)) => path.starts_with(folder),
            _ => matches!((plain(path), plain(folder)), (Ok(p), Ok(f)) if p.starts_with(&f)),
        }
    }
}

/// A world in which some files have other texts: those of an editor, or mended ones.
pub struct Unsaved<'w> {
    world: &'w dyn World,
    texts: Vec<(&'w str, &'w [u8])>,
}

impl<'w> Unsaved<'w> {
    /// A world in which the file `name` has the text `text`.
    #[must_use]
    pub fn new(world: &'w dyn World, name: &'w str, text: &'w [u8]) -> Unsaved<'w> {
        Unsaved::all(world, [(name, text)])
    }

    /// A world in which the named files have the given texts.
    #[must_use]
    pub fn all(
        world: &'w dyn World,
        texts: impl IntoIterator<Item = (&'w str, &'w [u8])>,
    ) -> Unsaved<'w> {
        let texts = texts.into_iter().collect();
        Unsaved { world, texts }
    }
}

impl World for Unsaved<'_> {
    fn read(&self, path: &str, cancel: &Cancel) -> Result<Vec<u8>, NoFile> {
        match self.texts.iter().find(|(name, _)| *name == path) {
            Some((_, text)) if text.len() as u64 > LONGEST => Err(NoFile::TooLong(LONGEST)),
            Some((_, text)) => Ok(text.to_vec()),
            None => self.world.read(path, cancel),
        }
    }

    fn lies_in(&self, path: &str, folder: &str) -> bool {
        self.world.lies_in(path, folder)
    }
}

/// Files held in memory.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: BTreeMap<String, Vec<u8>>,
}

impl Memory {
    /// Adds a file.
    #[must_use]
    pub fn with(mut self, path: &str, text: impl Into<Vec<u8>>) -> Memory {
        self.files.insert(path.to_owned(), text.into());
        self
    }
}

impl World for Memory {
    fn read(&self, path: &str, _: &Cancel) -> Result<Vec<u8>, NoFile> {
        self.files.get(path).cloned().ok_or(NoFile::Missing)
    }

    fn lies_in(&self, path: &str, folder: &str) -> bool {
        let (path, folder) = (normal(path), normal(folder));
        let within = match folder.is_empty() {
            true => !path.starts_with('/'),
            false => Path::new(&path).starts_with(&folder),
        };
        within && !path.starts_with("..")
    }
}

/// Normalizes a path: `a/../b.rules` becomes `b.rules`, and backslashes become slashes.
pub(super) fn normal(path: &str) -> String {
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|p| *p != "..") => {
                parts.pop();
            }
            ".." if absolute => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if absolute {
        format!("/{joined}")
    } else {
        joined
    }
}
