//! Runs one part of a search and writes it as a Parquet file, unless the folder already has it.

use super::Order;
use super::columns::Cell;
use super::part::{Asked, Head, OTHER, SCHEMA, Writer, name, read, stranger};
use crate::cli::kept::hash_of;
use crate::cli::run::Run;
use crate::cli::watch::Watch;
use crate::report::Document;
use crate::session::Session;
use crate::session::search::{Counted, Event, Part};
use serde::Serialize;
use std::path::Path;

/// The content of `search --format parquet --json`.
#[derive(Serialize)]
struct Told {
    file: String,
    ruleset: String,
    part: u64,
    parts: u64,
    /// Whether the file already existed.
    found: bool,
    sizes: Vec<Counted>,
    rows: u64,
    unknown: u64,
    undefined: u64,
}

impl Run<'_> {
    /// Writes a part of a census.
    pub(in crate::cli) fn write_part(
        &mut self,
        session: &mut Session<'_>,
        order: &Order<'_>,
    ) -> u8 {
        let folder = Path::new(order.folder);
        let path = folder.join(name(order.shard));
        let shown = path.display().to_string();
        let asked = Asked {
            schema: SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            ruleset: order.ruleset.to_owned(),
            rules: order.rules.clone(),
            search: format!("{:016x}", hash_of(format!("{:?}", order.wanted).as_bytes())),
            all: order.wanted.condition.is_none(),
            of: order.shard.of,
        };
        if let Err(e) = std::fs::create_dir_all(folder) {
            self.output.error(&format!("{}: {e}", order.folder));
            return 2;
        }
        if path.exists() {
            let there = read(&path, Some(&mut |_: &[Cell<'_>]| Ok(()))).and_then(|head| {
                match head.asked == asked && head.part == order.shard.part {
                    true => Ok(head),
                    false => Err(OTHER.to_owned()),
                }
            });
            return match there {
                Ok(head) => self.tell_part(shown, &head, true),
                Err(why) => {
                    self.output.error(&format!(
                        "{shown}: {why}; name another folder, or remove the file, and the part is computed anew"
                    ));
                    2
                }
            };
        }
        if let Some(why) = stranger(folder, &asked) {
            self.output
                .error(&format!("{why}; name another folder, or remove its parts"));
            return 2;
        }
        let mut writer = match Writer::new(folder, asked, order.shard) {
            Ok(writer) => writer,
            Err(why) => {
                self.output.error(&format!("{shown}: {why}"));
                return 2;
            }
        };
        let watch = Watch::search(&session.progress(), self.output.json, None);
        let mut failed = None;
        let part = Part {
            skip: 0,
            shard: order.shard,
            rows: true,
        };
        let each = &mut |event: Event<'_>| {
            let written = match event {
                Event::Row(row) => writer.row(&row),
                Event::Dealt(deal) => {
                    writer.dealt(deal);
                    Ok(())
                }
                _ => Ok(()),
            };
            written.map_err(|why| failed = Some(why)).is_ok()
        };
        let ended = session.search(order.loaded, order.searched, order.wanted, part, each);
        watch.stop();
        let written = match (ended, failed) {
            (Err(d), _) => {
                let plain = self.complain(session, &[d]);
                return self.failed("cgdsl/error/1", plain);
            }
            (_, Some(why)) => Err(why),
            (Ok(ended), None) if !ended.complete => {
                self.output.error(&format!(
                    "{shown}: the search ended before all positions of this part were looked at, so it is not written"
                ));
                return 3;
            }
            (Ok(ended), None) => writer.finish(&ended),
        };
        match written.and_then(|()| read(&path, None)) {
            Ok(head) => self.tell_part(shown, &head, false),
            Err(why) => {
                self.output.error(&format!("{shown}: {why}"));
                2
            }
        }
    }

    fn tell_part(&mut self, file: String, head: &Head, found: bool) -> u8 {
        if self.output.json {
            let told = Told {
                file,
                ruleset: head.asked.ruleset.clone(),
                part: head.part,
                parts: head.asked.of,
                found,
                sizes: head.sizes.clone(),
                rows: head.rows,
                unknown: head.unknown,
                undefined: head.undefined,
            };
            self.output
                .document(&Document::new("cgdsl/census-part/1", told, Vec::new()));
        } else {
            let there = if found { "is there already: " } else { "" };
            self.output
                .line(&format!("{file}: {there}{} positions", head.rows));
        }
        if head.unknown > 0 { 3 } else { 0 }
    }
}
