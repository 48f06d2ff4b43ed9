//! Instances as text, one a line, and back.

use super::Ground;

/// Why a text is no list of instances.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

/// The instances as text.
#[must_use]
pub fn show(_ground: &Ground) -> String {
    String::new()
}

/// Reads what [`show`] has written.
///
/// # Errors
/// The first line that is not of that form.
pub fn read(_text: &str) -> Result<(), ParseError> {
    Ok(())
}
