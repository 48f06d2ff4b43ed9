//! The façade of every front end: names of files and texts of queries come in, plain data goes out. Files are read through
//! one [`World`]; nothing is printed, no clock is read.

pub mod shipped;
mod world;

pub use world::{Disk, LONGEST, Memory, NoFile, World};
