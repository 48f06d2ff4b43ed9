//! The corpora that the fuzz targets of `fuzz/` have gathered, replayed: a folder for each target, a file for each input, in
//! `corpus/fuzz/`. What a target holds of any input holds of these; they reach what each run of a fuzzer has reached. The
//! corpus of the target `machine` is replayed by `tests/soak/rulesets.rs`.

#[path = "../properties/positions.rs"]
mod positions;
#[path = "../properties/readers.rs"]
mod readers;

use crate::meaning_properties::properties as meaning;
use crate::replay::replay;
use crate::syntax_properties::properties as syntax;

fn replay_text(target: &str, with: impl Fn(&str)) {
    replay(target, |bytes| {
        if let Ok(text) = std::str::from_utf8(bytes) {
            with(text);
        }
    });
}

#[test]
fn syntax_holds() {
    replay_text("syntax", |text| {
        syntax::tokens_cover(text);
        syntax::file_reads(text);
        syntax::pieces_read(text);
    });
}

#[test]
fn layout_holds() {
    replay_text("layout", syntax::layout_keeps);
}

#[test]
fn checker_holds() {
    replay_text("checker", meaning::checks);
}

#[test]
fn value_holds() {
    replay_text("value", |text| {
        if text
            .split(|c: char| !c.is_ascii_digit())
            .all(|n| n.len() <= 2)
        {
            meaning::value_reads(text);
        }
    });
}

#[test]
fn positions_hold() {
    replay("positions", positions::position_reads);
}

#[test]
fn readers_hold() {
    replay("readers", readers::bytes_read);
}

#[test]
fn kept_holds() {
    replay("kept", cgdsl::cli::kept_reads);
}
