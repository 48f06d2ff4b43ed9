//! The file with the solved levels of the course. It is read at the start, and written after each level.

use crate::session::levels::record::{LONGEST, Record, Solved};
use crate::session::{NoFile, read_regular};
use std::path::PathBuf;

/// The default file for progress, if the system has a place for such data.
pub(super) fn usual_file() -> Option<PathBuf> {
    Some(own_folder("XDG_DATA_HOME", "share")?.join("learn.json"))
}

/// The folder for data of this program: in the folder that a variable of the environment names, else in `~/.local/NAME`, else
/// where Windows keeps such data. It need not exist.
pub(super) fn own_folder(variable: &str, name: &str) -> Option<PathBuf> {
    let var = |name: &str| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    let folder = var(variable)
        .or_else(|| var("HOME").map(|h| h.join(".local").join(name)))
        .or_else(|| var("LOCALAPPDATA"))?;
    Some(folder.join("cgdsl"))
}

/// The levels solved so far, and where they are kept.
pub(super) struct Progress {
    /// The levels.
    pub(super) record: Record,
    /// The file; `None` if there is no place for it.
    pub(super) file: Option<PathBuf>,
}

impl Progress {
    /// Reads a file, which need not exist.
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

    /// Adds a level. The file is replaced as a whole, so that it is never incomplete.
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

/// Reads a record from bytes.
pub(super) fn read(bytes: &[u8]) -> Result<Record, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())?;
    Record::read(text)
}
