//! What somebody has solved, as a text that can be kept and handed in: the answers come in; JSON comes out, and the other way
//! round. A certificate is the same with a name. It proves nothing by itself: [`Record::check`] judges its answers again.

use super::{Level, Verdict, level};
use crate::session::Settings;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The longest record that is read, in bytes.
pub const LONGEST: u64 = 4 << 20;
/// The format of progress.
const PROGRESS: &str = "cgdsl/progress/1";
/// The format of a certificate.
const CERTIFICATE: &str = "cgdsl/certificate/1";

/// A level that was solved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Solved {
    /// Its name: `3.4`.
    pub level: String,
    /// The answer that solved it.
    pub answer: String,
    /// Answers that were judged, the right one included.
    pub attempts: u64,
    /// Hints that were given.
    pub hints: u64,
}

/// What somebody has solved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    format: String,
    /// Who; only in a certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The levels in the order in which they were solved.
    pub solved: Vec<Solved>,
}

impl Default for Record {
    fn default() -> Record {
        Record {
            format: PROGRESS.to_owned(),
            name: None,
            solved: Vec::new(),
        }
    }
}

/// An answer of a record, judged again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked<'r> {
    /// What the record says.
    pub solved: &'r Solved,
    /// Its level; nothing if there is none of that name.
    pub level: Option<&'static Level>,
    /// What the answer is worth.
    pub verdict: Verdict,
}

impl Record {
    /// Reads a record.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(text: &str) -> Result<Record, String> {
        let record: Record = serde_json::from_str(text).map_err(|e| e.to_string())?;
        match record.format.as_str() {
            PROGRESS | CERTIFICATE => Ok(record),
            other => Err(format!("its format is `{other}`")),
        }
    }

    /// As JSON.
    #[must_use]
    pub fn to_text(&self) -> String {
        // Nothing in it can fail to be written.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The same with a name, to be handed in.
    #[must_use]
    pub fn certificate(&self, name: &str) -> Record {
        Record {
            format: CERTIFICATE.to_owned(),
            name: Some(name.to_owned()),
            solved: self.solved.clone(),
        }
    }

    /// Whether a level is solved.
    #[must_use]
    pub fn has(&self, level: &Level) -> bool {
        let id = level.id();
        self.solved.iter().any(|s| s.level == id)
    }

    /// Adds a level; the first answer stays.
    pub fn add(&mut self, solved: Solved) {
        if !self.solved.iter().any(|s| s.level == solved.level) {
            self.solved.push(solved);
        }
    }

    /// Judges all answers again; `settings` gives those for each answer. A level counts once.
    pub fn check<'r>(&'r self, mut settings: impl FnMut() -> Settings) -> Vec<Checked<'r>> {
        let mut seen = BTreeSet::new();
        let mut all = Vec::new();
        for solved in &self.solved {
            let level = level(&solved.level);
            let verdict = match level {
                _ if !seen.insert(&solved.level) => {
                    Verdict::Unread("The level stands there twice.".to_owned())
                }
                None => Verdict::Unread("There is no such level.".to_owned()),
                Some(level) => level.judge(&solved.answer, &settings()),
            };
            all.push(Checked {
                solved,
                level,
                verdict,
            });
        }
        all
    }
}
