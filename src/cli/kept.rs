//! The file of a search: records are appended as they are found, and a later run resumes from it. Each line is a JSON object
//! that holds a record and the CRC-32 of all records up to it, so that a line that was changed, lost or moved is detected
//! where it is.
//!
//! A killed run may leave an incomplete line, and positions after the last count: these positions are found again.

use crate::game::Cancel;
use crate::session::search::Found;
use crate::session::{NoFile, open_regular};
use crc32fast::Hasher;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};

/// The version of the format.
const VERSION: &str = "cgdsl/search-lines/2";
/// The longest line that is read, in bytes.
const LONGEST: u64 = 16 << 20;

/// The first record: a search resumes only from a file of the same search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Head {
    kept: String,
    /// Hashes of the rules and of the search parameters.
    file: u64,
    ruleset: String,
    asked: String,
}

impl Head {
    /// The head of a search.
    pub fn new(rules: &str, ruleset: &str, asked: &str) -> Head {
        Head {
            kept: VERSION.to_owned(),
            file: hash_of(rules.as_bytes()),
            ruleset: ruleset.to_owned(),
            // Boards that were given are long when written out.
            asked: format!("{:016x}", hash_of(asked.as_bytes())),
        }
    }
}

pub(super) fn hash_of(bytes: &[u8]) -> u64 {
    // FNV (Fowler, Noll and Vo): the same on every machine.
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |h, b| {
        (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

/// The progress of a search.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Looked {
    /// The number of positions examined.
    pub looked: u64,
    /// How many of these met a limit.
    pub unknown: u64,
    /// The number of positions for which the question is undefined.
    pub undefined: u64,
    /// Why it is undefined for the first of them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Record {
    Head(Head),
    Found(Found),
    Looked(Looked),
}

/// A file to which records are appended.
pub struct Kept {
    file: BufWriter<File>,
    sum: Hasher,
}

/// The text of a line around its checksum and record.
const BEFORE: &str = "{\"crc32\":\"";
const BETWEEN: &str = "\",\"record\":";
const AFTER: &str = "}";

/// The record in a line, if the checksum of all records up to it is correct.
fn record<'l>(line: &'l str, sum: &mut Hasher) -> Option<&'l str> {
    let (crc, record) = line.strip_prefix(BEFORE)?.split_at_checked(8)?;
    let record = record.strip_prefix(BETWEEN)?.strip_suffix(AFTER)?;
    sum.update(record.as_bytes());
    (format!("{:08x}", sum.clone().finalize()) == crc).then_some(record)
}

impl Kept {
    /// Opens or creates a file. Passes each kept position to `each`, and returns the progress of that search and the file to
    /// append to.
    ///
    /// # Errors
    /// Why the file cannot be used, with the number of the faulty line.
    pub fn open(
        path: &str,
        head: &Head,
        cancel: &Cancel,
        each: &mut dyn FnMut(Found),
    ) -> Result<(Kept, Looked), String> {
        match open_regular(path) {
            Ok(_) | Err(NoFile::Missing) => {}
            Err(why) => return Err(why.to_string()),
        }
        let told = |e: std::io::Error| e.to_string();
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(told)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err("another run is writing it".to_owned()),
            // Some file systems do not support locks.
            Err(TryLockError::Error(_)) => {}
        }
        let mut reading = Reading::default();
        reading.all(BufReader::new(&file), head, cancel, each)?;
        let Reading {
            good, sum, looked, ..
        } = reading;
        file.set_len(good).map_err(told)?;
        let mut file = BufWriter::new(file);
        file.seek(SeekFrom::Start(good)).map_err(told)?;
        let mut kept = Kept { file, sum };
        if good == 0 {
            kept.write(&Record::Head(head.clone()))?;
            kept.looked(looked.clone())?;
        }
        kept.file.flush().map_err(told)?;
        Ok((kept, looked))
    }

    fn write(&mut self, record: &Record) -> Result<(), String> {
        let text = serde_json::to_string(record).map_err(|e| e.to_string())?;
        self.sum.update(text.as_bytes());
        let crc = self.sum.clone().finalize();
        writeln!(self.file, "{BEFORE}{crc:08x}{BETWEEN}{text}{AFTER}").map_err(|e| e.to_string())
    }

    /// Appends a position.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn found(&mut self, found: Found) -> Result<(), String> {
        self.write(&Record::Found(found))
    }

    /// Appends the progress of the search, and flushes the file.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn looked(&mut self, looked: Looked) -> Result<(), String> {
        self.write(&Record::Looked(looked))?;
        self.file.flush().map_err(|e| e.to_string())
    }
}

/// A file as far as it has been read.
#[derive(Default)]
struct Reading {
    /// The number of bytes up to the last count.
    good: u64,
    /// The checksum at that place.
    sum: Hasher,
    /// The last count.
    looked: Looked,
    /// The positions after it.
    waiting: Vec<Found>,
}

impl Reading {
    fn all(
        &mut self,
        mut input: impl BufRead,
        head: &Head,
        cancel: &Cancel,
        each: &mut dyn FnMut(Found),
    ) -> Result<(), String> {
        let mut sum = Hasher::new();
        let mut at = 0;
        for number in 1u64.. {
            if cancel.is_cancelled() {
                return Err("the run was ended while this file was read".to_owned());
            }
            let mut line = Vec::new();
            let mut part = (&mut input).take(LONGEST);
            part.read_until(b'\n', &mut line)
                .map_err(|e| e.to_string())?;
            at += line.len() as u64;
            if line.is_empty() {
                return Ok(());
            }
            if line.pop() != Some(b'\n') {
                // An incomplete line at the end of the file.
                return match (line.len() as u64) < LONGEST - 1 && number > 1 {
                    true => Ok(()),
                    false => Err("it is not what a search has kept".to_owned()),
                };
            }
            let line = String::from_utf8_lossy(&line);
            let sound = record(&line, &mut sum).map(serde_json::from_str::<Record>);
            match sound {
                Some(Ok(Record::Head(kept))) if number == 1 && kept == *head => {}
                Some(Ok(Record::Head(_))) if number == 1 => {
                    return Err(
                        "it is of another search, or the file of rules has changed".to_owned()
                    );
                }
                _ if number == 1 => return Err(no_head(&line)),
                Some(Ok(Record::Found(found))) => self.waiting.push(found),
                Some(Ok(Record::Looked(looked))) => {
                    self.waiting.drain(..).for_each(&mut *each);
                    (self.good, self.sum, self.looked) = (at, sum.clone(), looked);
                }
                Some(_) | None => {
                    return Err(format!(
                        "line {number} is not as it was written; remove it and all lines after it, and the search goes on from there"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Checks a property of arbitrary bytes: such a file is refused, or what is read of it, up to the last count, is the same
/// when written and read again. Then the lines are taken as records and given the correct checksums. Called by tests and by
/// the fuzz target `kept`.
///
/// # Panics
/// The property does not hold.
#[doc(hidden)]
pub fn reads(bytes: &[u8]) {
    let records = String::from_utf8_lossy(bytes);
    let mut sum = Hasher::new();
    let mut lines = String::new();
    for record in records.lines() {
        sum.update(record.as_bytes());
        let crc = sum.clone().finalize();
        lines.push_str(&format!("{BEFORE}{crc:08x}{BETWEEN}{record}{AFTER}\n"));
    }
    let first = records.lines().next().unwrap_or_default();
    let head = serde_json::from_str(first).unwrap_or_else(|_| Head::new("", "", ""));
    for bytes in [bytes, lines.as_bytes()] {
        let read = |bytes: &[u8]| {
            let (mut reading, mut all) = (Reading::default(), Vec::new());
            let done = reading.all(bytes, &head, &Cancel::new(), &mut |f| all.push(f));
            (done, reading.good, reading.looked, all)
        };
        let (done, good, looked, all) = read(bytes);
        if done.is_ok() && good > 0 {
            let good = usize::try_from(good).unwrap_or(usize::MAX);
            assert_eq!(read(&bytes[..good]), (Ok(()), good as u64, looked, all));
        }
    }
}

/// The message about a first line that is not a head.
fn no_head(line: &str) -> String {
    match line.contains("cgdsl/search-lines/") {
        true if line.contains(VERSION) => {
            "line 1 is not as it was written; remove the file, and the search begins anew"
                .to_owned()
        }
        true => {
            "it was kept by another version of this program; remove it, and the search begins anew"
                .to_owned()
        }
        false => "it is not what a search has kept".to_owned(),
    }
}
