//! From [`crate::syntax::ast`] to [`typed`]: names resolved, sorts checked, sides told apart.

pub mod typed;
