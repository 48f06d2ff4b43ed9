//! The files of the page: their names and bytes. None where the page was not built before this package was.

/// All files, by name.
pub const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));
