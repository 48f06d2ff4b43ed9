//! `cgdsl lsp`: a server for the Language Server Protocol, which reads messages from one stream and writes answers and
//! diagnostics to another. All knowledge about a text comes from `session`; this module converts it to the protocol, with
//! UTF-16 columns.
//!
//! One thread owns the documents and handles messages in order, so an answer always refers to the text that the client sent
//! before its request. Evaluations and cards run in threads of their own, each with a token that an edit cancels. A file is
//! evaluated only after the client has declared its folder trusted, or when the user requests it.

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
