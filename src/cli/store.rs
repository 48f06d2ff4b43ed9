//! `cgdsl store merge`: puts the values of several stores into one.

use super::bar::Bar;
use super::run::Run;
use crate::report::Document;
use crate::session::store::{Merged, NotMerged, merge};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The content of `store merge --json`.
#[derive(Serialize)]
struct Told {
    store: String,
    /// The stores that were put together.
    stores: Vec<ToldStore>,
    values: u64,
    nimbers: u64,
    forms: u64,
    rules: u64,
}

#[derive(Serialize)]
struct ToldStore {
    store: String,
    values: u64,
    nimbers: u64,
    /// How many of its entries the stores before it do not have.
    new: u64,
}

impl Run<'_> {
    /// `cgdsl store merge`
    pub fn merge_stores(&mut self, stores: &[PathBuf], to: &Path) -> u8 {
        let bar = Mutex::new(Bar::bytes(self.output.json));
        let cancel = self.cancel.clone();
        let watch = move |done, all| {
            let mut bar = bar.lock().unwrap_or_else(PoisonError::into_inner);
            bar.of(all);
            bar.tell(done);
            !cancel.is_cancelled()
        };
        // The bar ends with the last clone of the function.
        let merged = merge(stores, to, Arc::new(watch));
        match merged {
            Ok(merged) => self.tell_merged(to, merged),
            Err(NotMerged::Ended) => {
                self.output
                    .error("ended before all stores were read, so nothing was written");
                3
            }
            Err(NotMerged::Refused(why)) => self.refused(&why),
        }
    }

    fn tell_merged(&mut self, to: &Path, merged: Merged) -> u8 {
        let name = |folder: &Path| folder.display().to_string();
        let stores = merged.stores.iter().map(|s| ToldStore {
            store: name(&s.folder),
            values: s.values,
            nimbers: s.nimbers,
            new: s.new,
        });
        let told = Told {
            store: name(to),
            stores: stores.collect(),
            values: merged.values,
            nimbers: merged.nimbers,
            forms: merged.forms,
            rules: merged.rules,
        };
        if self.output.json {
            let document = Document::new("cgdsl/store/1", told, Vec::new());
            self.output.document(&document);
            return 0;
        }
        let n = |n: u64, one: &str, more: &str| format!("{n} {}", if n == 1 { one } else { more });
        let entries = |values: u64, nimbers: u64| n(values + nimbers, "entry", "entries");
        for s in &told.stores {
            let all = entries(s.values, s.nimbers);
            let line = match s.store == told.store {
                true => format!("{}: {all}, as it was", s.store),
                false => format!("{}: {all}, {} of them new", s.store, s.new),
            };
            self.output.line(&line);
        }
        self.output.line(&format!(
            "{}: {} ({}, {}) of {}, with {}",
            told.store,
            entries(told.values, told.nimbers),
            n(told.values, "value", "values"),
            n(told.nimbers, "nimber", "nimbers"),
            n(told.rules, "set of rules", "sets of rules"),
            n(told.forms, "form", "forms"),
        ));
        0
    }
}
