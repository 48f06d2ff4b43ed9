//! What a search borrows from its engine.

use super::account::Account;
use super::roads::Roads;
use crate::game::Budget;
use crate::value::Forms;

/// What a search needs of its engine.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) roads: Roads,
    pub(crate) forms: &'a Forms,
    pub(crate) account: &'a Account,
    pub(crate) budget: &'a Budget,
    /// Whether options are taken from the last to the first: the second of two threads goes the other way round.
    pub(crate) backwards: bool,
}
