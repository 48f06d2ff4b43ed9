//! The only way to files. A path comes in; the bytes of a regular file of bounded length go out. Rules go through a
//! [`World`]: front ends take [`Disk`], tests take [`Memory`]. Kept files, witnesses and saved games go through
//! [`read_regular`] and [`open_regular`].
//!
//! A pipe or a device may have no end and may answer no signal: only the standard input may be one, and it is read in a
//! thread of its own, so that a run can be ended while it waits.

use crate::game::Cancel;
use std::collections::BTreeMap;
use std::fmt;
use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// The longest file of rules that is read, in bytes.
pub const LONGEST: u64 = 16 << 20;

/// How often a run that waits for its input looks whether it is to end.
const OFTEN: Duration = Duration::from_millis(50);

/// Why a file could not be had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoFile {
    /// There is none of that name.
    Missing,
    /// It is longer than so many bytes.
    TooLong(u64),
    /// It is a folder.
    Folder,
    /// It is a pipe, a socket or a device.
    Special,
    /// The run was ended while it waited for the standard input.
    Cancelled,
    /// The system says why.
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
            // A name that no file can have (too long, or with characters that the system refuses) is that of no file.
            ErrorKind::NotFound
            | ErrorKind::NotADirectory
            | ErrorKind::InvalidFilename
            | ErrorKind::InvalidInput => NoFile::Missing,
            _ => NoFile::Other(e.to_string()),
        }
    }
}

/// Where files come from.
pub trait World: Sync {
    /// The bytes of the file at `path`, at most [`LONGEST`] of them; `-` is the standard input.
    ///
    /// # Errors
    /// Why there are none.
    fn read(&self, path: &str, cancel: &Cancel) -> Result<Vec<u8>, NoFile>;

    /// Whether a file lies in a folder or below it, wherever links lead.
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

/// Opens a regular file to be read.
///
/// # Errors
/// There is none, or it is a folder, a pipe or a device.
pub fn open_regular(path: impl AsRef<Path>) -> Result<File, NoFile> {
    let path = path.as_ref();
    // Before it is opened, since opening a pipe waits for its other end; and after, since it may have been exchanged.
    regular(&std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    regular(&file.metadata()?)?;
    Ok(file)
}

/// The bytes of a regular file, at most so many.
///
/// # Errors
/// There is none, it is a folder, a pipe or a device, or it is longer.
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

/// The standard input to its end, unless the run is ended first.
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
        // Of what is not there only the name is known.
        let real = |p: &str| std::fs::canonicalize(p);
        match (real(path), real(folder)) {
            (Ok(path), Ok(folder)) => path.starts_with(folder),
            _ => matches!((plain(path), plain(folder)), (Ok(p), Ok(f)) if p.starts_with(&f)),
        }
    }
}

/// Another world in which some files have other texts: those of an editor, or a mended one.
pub struct Unsaved<'w> {
    world: &'w dyn World,
    texts: Vec<(&'w str, &'w [u8])>,
}

impl<'w> Unsaved<'w> {
    /// The world with `text` in the place of the file `name`.
    #[must_use]
    pub fn new(world: &'w dyn World, name: &'w str, text: &'w [u8]) -> Unsaved<'w> {
        Unsaved::all(world, [(name, text)])
    }

    /// The world with these texts in the place of the files of these names.
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

/// Files that exist only here.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: BTreeMap<String, Vec<u8>>,
}

impl Memory {
    /// With one more file.
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

/// The plain form of a path: `a/../b.rules` is `b.rules`; slashes lean forward.
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
