//! From text to [`ast::File`]: the lexer splits a file into items (logos), the grammar parses each (pest), the printer
//! writes them back.

pub mod ast;
