//! The levels somebody has solved, converted to and from JSON, so that progress can be saved and handed in. A certificate
//! is a record with a name. It proves nothing by itself: [`Record::check`] judges its answers again.

use super::{Level, Verdict, level};
use crate::session::Settings;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The longest record that is read, in bytes.
pub const LONGEST: u64 = 4 << 20;
/// The format name of saved progress.
const PROGRESS: &str = "cgdsl/progress/1";
/// The format name of a certificate.
const CERTIFICATE: &str = "cgdsl/certificate/1";

/// A level that was solved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Solved {
    /// The name of the level: `3.4`.
    pub level: String,
    /// The answer that solved it.
    pub answer: String,
    /// The number of judged answers, including the right one.
    pub attempts: u64,
    /// The number of hints shown.
    pub hints: u64,
}

/// The levels somebody has solved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Record {
    format: String,
    /// The solver's name; only in a certificate.
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
    /// The entry of the record.
    pub solved: &'r Solved,
    /// Its level; `None` if no level has that name.
    pub level: Option<&'static Level>,
    /// The verdict on its answer.
    pub verdict: Verdict,
}

impl Record {
    /// Reads a record.
    ///
    /// # Errors
    /// Why the text is not a record.
    pub fn read(text: &str) -> Result<Record, String> {
        let record: Record = serde_json::from_str(text).map_err(|e| e.to_string())?;
        match record.format.as_str() {
            PROGRESS | CERTIFICATE => Ok(record),
            other => Err(format!("its format is `{other}`")),
        }
    }

    /// The record as JSON.
    #[must_use]
    pub fn to_text(&self) -> String {
        // Serializing this type cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The same record with a name, to be handed in.
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

    /// Adds a level, unless it is already there: the first answer is kept.
    pub fn add(&mut self, solved: Solved) {
        if !self.solved.iter().any(|s| s.level == solved.level) {
            self.solved.push(solved);
        }
    }

    /// Judges all answers again, with fresh settings for each. A level counts once.
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
