//! A census: a search whose parts are Parquet files, which any number of machines can write, and their totals. Parquet is an
//! optional feature of the build, since few users need it.

#[cfg(feature = "parquet")]
mod columns;
#[cfg(feature = "parquet")]
mod merge;
#[cfg(feature = "parquet")]
mod part;
#[cfg(feature = "parquet")]
mod written;

#[cfg(not(feature = "parquet"))]
use super::run::Run;
use crate::session::Loaded;
#[cfg(not(feature = "parquet"))]
use crate::session::Session;
use crate::session::search::{Searched, Shard, Wanted};

/// A part to be written.
#[cfg_attr(not(feature = "parquet"), allow(dead_code))]
pub(super) struct Order<'o> {
    /// The folder.
    pub folder: &'o str,
    pub ruleset: &'o str,
    /// A hash of the rules.
    pub rules: String,
    pub wanted: &'o Wanted,
    pub shard: Shard,
    pub searched: &'o Searched,
    pub loaded: &'o Loaded,
}

#[cfg(not(feature = "parquet"))]
impl Run<'_> {
    pub(super) fn write_part(&mut self, _session: &mut Session<'_>, _order: &Order<'_>) -> u8 {
        self.without_parquet()
    }

    /// `cgdsl census merge`
    pub fn merge(&mut self, _folder: &str, _limit: u64) -> u8 {
        self.without_parquet()
    }

    fn without_parquet(&mut self) -> u8 {
        self.output.error(
            "this program was built without Parquet. In the folder of its source:\n  cargo install --path . --locked --profile dist --features parquet",
        );
        2
    }
}
