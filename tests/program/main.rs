//! The program as a user runs it: started with arguments and input, in folders of its own.

#[path = "../common/program.rs"]
mod program;

mod check_fix;
mod cli_commands;
mod diff;
mod lsp;
mod play;
mod plots;
mod quotients;
mod search;
mod teach;
mod threads;
mod value_docs;
mod watch;
