//! A file comes in; what was solved of the course comes out, and goes back into the file level by level.

use crate::session::levels::record::{LONGEST, Record, Solved};
use crate::session::{NoFile, read_regular};
use std::path::PathBuf;

/// The file of the progress, where there is a place for such things.
pub(super) fn usual_file() -> Option<PathBuf> {
    let var = |name: &str| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    let folder = var("XDG_DATA_HOME")
        .or_else(|| var("HOME").map(|h| h.join(".local").join("share")))
        .or_else(|| var("LOCALAPPDATA"))?;
    Some(folder.join("cgdsl").join("learn.json"))
}

/// What was solved so far, and where it is kept.
pub(super) struct Progress {
    /// The levels.
    pub(super) record: Record,
    /// The file; nothing where there is no place for it.
    pub(super) file: Option<PathBuf>,
}

impl Progress {
    /// Reads a file, which need not be there.
    pub(super) fn read(file: Option<PathBuf>) -> Result<Progress, String> {
        let Some(path) = &file else {
            return Ok(Progress {
                record: Record::default(),
                file,
            });
        };
        let record = match read_regular(path, LONGEST) {
            Ok(bytes) => read(&bytes).map_err(|why| {
                format!(
                    "{}: it holds no progress: {why}; move it away, or name another file with --progress",
                    path.display()
                )
            })?,
            Err(NoFile::Missing) => Record::default(),
            Err(why) => return Err(format!("{}: {why}", path.display())),
        };
        Ok(Progress { record, file })
    }

    /// Keeps a level. The file is exchanged as a whole, so that it is never half written.
    pub(super) fn add(&mut self, solved: Solved) -> Result<(), String> {
        self.record.add(solved);
        let Some(path) = &self.file else {
            return Ok(());
        };
        let told = |e: std::io::Error| format!("{}: {e}", path.display());
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(told)?;
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}", std::process::id()));
        let fresh = path.with_file_name(name);
        std::fs::write(&fresh, self.record.to_text()).map_err(told)?;
        std::fs::rename(&fresh, path).map_err(told)
    }
}

/// A record in bytes.
pub(super) fn read(bytes: &[u8]) -> Result<Record, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
    Record::read(text)
}
