//! `cgdsl lsp`: messages of the Language Server Protocol come in on one stream, answers and diagnostics go out on another. All
//! that is known of a text comes from `session`; here it gets the protocol's shape, in UTF-16 columns.
//!
//! One thread owns the documents and handles messages in order, so an answer is always about the text that the client had sent
//! before it asked. Evaluations and cards run in threads of their own, each with a token that an edit cancels. A file is
//! evaluated only once the client has said that its folder is trusted, or when its user asks for it.

mod answers;
mod convert;
mod document;
mod edits;
mod jobs;
mod names;
mod options;
mod server;
mod tokens;
mod wire;

pub use server::serve;
