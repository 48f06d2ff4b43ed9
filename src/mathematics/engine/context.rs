//! What a search borrows from its engine.

use super::Engine;
use super::account::Account;
use super::archive::Library;
use crate::game::{Budget, Shortcut, Shortcuts};
use crate::value::Forms;

/// What a search needs of its engine.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) shortcuts: Shortcuts,
    pub(crate) forms: &'a Forms,
    pub(crate) account: &'a Account,
    pub(crate) budget: &'a Budget,
    /// Values kept between runs.
    pub(crate) library: Option<&'a Library>,
    /// In which order options are taken: by 0 from the first to the last, by 1 the other way, by others from somewhere
    /// in between. Threads that work at one position begin at different places.
    pub(crate) order: usize,
    /// A mistake made on purpose.
    pub(crate) planted: Option<Shortcut>,
    /// Whether winners are searched for in whole positions at once, where they may be.
    pub(crate) whole_first: bool,
    /// Whether bounds are made of pieces of a few moves.
    pub(crate) small_pieces: bool,
}

impl<'a> Context<'a> {
    /// What one question borrows of an engine.
    pub(crate) fn new<K>(engine: &'a Engine<K>, budget: &'a Budget) -> Context<'a> {
        Context {
            shortcuts: engine.shortcuts,
            forms: &engine.forms,
            account: &engine.account,
            budget,
            library: engine.library.as_deref(),
            order: 0,
            planted: engine.planted,
            whole_first: engine.whole_first,
            small_pieces: engine.small_pieces,
        }
    }

    /// Whether a mistake is made on purpose in this shortcut.
    #[inline]
    pub(crate) fn plants(&self, shortcut: Shortcut) -> bool {
        self.planted == Some(shortcut)
    }

    /// Whether positions are taken apart into regions first. What is kept between runs is kept by the keys of parts that are
    /// as small as can be, which other boards have, too.
    pub(crate) fn by_regions(&self) -> bool {
        self.shortcuts.has(Shortcut::Regions) && self.library.is_none()
    }
}
