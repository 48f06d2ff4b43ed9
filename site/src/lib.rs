//! The files of the page: their names and contents. Empty if the page was not built before this package.

/// All files, by name.
pub const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));
