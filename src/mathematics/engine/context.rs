//! What a search borrows from its engine.

use super::Engine;
use super::account::Account;
use super::archive::Library;
use super::parallel::Idle;
use crate::game::{Budget, Shortcut, Shortcuts};
use crate::value::Forms;
use std::sync::Arc;

/// The parts of an engine that a search needs.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) shortcuts: Shortcuts,
    pub(crate) forms: &'a Forms,
    pub(crate) account: &'a Account,
    pub(crate) budget: &'a Budget,
    /// Values kept between runs.
    pub(crate) library: Option<&'a Library>,
    /// The number of the thread among those that work on one position: 0 answers, and the others, which help, search options
    /// in other orders ([`super::parallel::begins_at`]).
    pub(crate) order: usize,
    /// The threads that nobody uses, if work may be shared.
    pub(super) idle: Option<&'a Arc<Idle>>,
    /// A deliberate mistake, for tests.
    pub(crate) planted: Option<Shortcut>,
    /// Whether searches for a winner use whole positions from the start, where they may.
    pub(crate) whole_first: bool,
    /// Whether bounds are made of pieces with few moves.
    pub(crate) small_pieces: bool,
    /// Whether strips are used for all games of conflicts.
    pub(crate) strips_always: bool,
}

impl<'a> Context<'a> {
    /// The context of one query.
    pub(crate) fn new<K>(engine: &'a Engine<K>, budget: &'a Budget) -> Context<'a> {
        Context {
            shortcuts: engine.shortcuts,
            forms: &engine.forms,
            account: &engine.account,
            budget,
            library: engine.library.as_deref(),
            order: 0,
            idle: engine.may_share().then_some(&engine.idle),
            planted: engine.planted,
            whole_first: engine.whole_first,
            small_pieces: engine.small_pieces,
            strips_always: engine.strips_always,
        }
    }

    /// Whether this shortcut makes a deliberate mistake.
    #[inline]
    pub(crate) fn plants(&self, shortcut: Shortcut) -> bool {
        self.planted == Some(shortcut)
    }

    /// Whether positions are first split into regions. Not with a library: its keys require fully split components, so that
    /// other boards can share them.
    pub(crate) fn by_regions(&self) -> bool {
        self.shortcuts.has(Shortcut::Regions) && self.library.is_none()
    }
}
