//! The only way to files: a [`World`] hands out bytes by path. Front ends take [`Disk`]; tests take [`Memory`].

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;

/// The longest file that is read.
pub const LONGEST: u64 = 16 << 20;

/// Why a file could not be had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoFile {
    /// There is none of that name.
    Missing,
    /// It is longer than [`LONGEST`] bytes.
    TooLong,
    /// It is a folder.
    Folder,
    /// The system says why.
    Other(String),
}

impl fmt::Display for NoFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoFile::Missing => f.write_str("there is no such file"),
            NoFile::TooLong => write!(f, "it is longer than {} MiB", LONGEST >> 20),
            NoFile::Folder => f.write_str("it is a folder"),
            NoFile::Other(why) => f.write_str(why),
        }
    }
}

/// Where files come from.
pub trait World: Sync {
    /// The bytes of the file at `path`; `-` is the standard input.
    ///
    /// # Errors
    /// Why there are none.
    fn read(&self, path: &str) -> Result<Vec<u8>, NoFile>;
}

/// The files of this machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

fn limited(source: impl Read) -> Result<Vec<u8>, NoFile> {
    let mut bytes = Vec::new();
    match source.take(LONGEST + 1).read_to_end(&mut bytes) {
        Err(e) => Err(NoFile::Other(e.to_string())),
        Ok(_) if bytes.len() as u64 > LONGEST => Err(NoFile::TooLong),
        Ok(_) => Ok(bytes),
    }
}

impl World for Disk {
    fn read(&self, path: &str) -> Result<Vec<u8>, NoFile> {
        if path == "-" {
            return limited(std::io::stdin().lock());
        }
        let about = match std::fs::metadata(path) {
            Ok(about) => about,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Err(NoFile::Missing),
            Err(e) if e.kind() == std::io::ErrorKind::NotADirectory => return Err(NoFile::Missing),
            // A name that no file can have (too long, or with characters that the system refuses).
            Err(e) if e.kind() == std::io::ErrorKind::InvalidFilename => {
                return Err(NoFile::Missing);
            }
            Err(e) if e.kind() == std::io::ErrorKind::InvalidInput => return Err(NoFile::Missing),
            Err(e) => return Err(NoFile::Other(e.to_string())),
        };
        if about.is_dir() {
            return Err(NoFile::Folder);
        }
        let file = std::fs::File::open(path).map_err(|e| NoFile::Other(e.to_string()))?;
        limited(file)
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
    fn read(&self, path: &str) -> Result<Vec<u8>, NoFile> {
        self.files.get(path).cloned().ok_or(NoFile::Missing)
    }
}
