//! Times of the machine on the cases of the roadmap; run by hand:
//! `cargo test --release --test language machine_speed -- --ignored --nocapture`.

use crate::machine_support::{position, show, value_in};
use cgdsl::engine::Engine;
use cgdsl::game::Limits;
use cgdsl::machine::Settings;
use std::time::Instant;

#[test]
#[ignore = "measures"]
fn speed() {
    let only = std::env::var("CASE").unwrap_or_default();
    for (file, text) in [
        ("grids/domineering.rules", "Domineering[grid(4, 4)]"),
        ("grids/domineering.rules", "Domineering[grid(5, 5)]"),
        ("grids/domineering.rules", "Domineering[grid(5, 6)]"),
        ("grids/clobber.rules", "Clobber[\"xoxo|oxox|xoxo|oxox\"]"),
        ("snort", "Snort[grid(4, 4)]"),
        ("amazons", "Amazons[\"x...|....|...o\"]"),
        ("konane", "Konane[\"xoxox|oxoxo|xo..x|oxoxo|xoxox\"]"),
        ("toads-and-frogs", "ToadsAndFrogs[\"ttttt.....fffff\"]"),
        (
            "graphs/hackenbush.rules",
            "Hackenbush[ground -b- a -r- b -g- c -b- d -r- a, ground -r- e -b- f -g- b, ground -g- h -r- e, d -b- i -r- j -g- c, f -r- i, h -b- j, ground -b- j, e -g- d]",
        ),
        (
            "blocking-pebbles",
            "BlockingPebbles[A:2b+1r+1g -> B:2b+1r+1g -> C:2b+1r+1g, A -> C]",
        ),
        (
            "blocking-pebbles",
            "BlockingPebbles[A:2b+2r+2g -> B:1b+1r+1g -> C:1b+1r+1g, A -> C]",
        ),
        (
            "blocking-pebbles",
            "BlockingPebbles[A:3b+3r+3g -> B:2b+2r+2g -> C:1b+1r+1g, A -> C]",
        ),
        ("poset-game", "PosetGame[chomp(8, 8)]"),
        ("poset-game", "PosetGame[chomp(10, 10)]"),
        ("cram", "Cram[grid(5, 6)]"),
        ("kayles", "Kayles[300]"),
    ] {
        if !text.contains(&only) {
            continue;
        }
        let (model, start) = position(file, text);
        let engine = Engine::new(Limits {
            nodes: Some(5_000_000),
            ..Limits::default()
        });
        let begin = Instant::now();
        let machine = cgdsl::machine::Machine::new(&model, &start).unwrap();
        let compiled = begin.elapsed();
        let e = machine.explain();
        let v = value_in(&engine, &model, &start, Settings::default());
        let s = engine.statistics();
        println!(
            "{text}: {:?} (compile {compiled:?}, {} instances, {} bits, {} symmetries) = {}; expanded {}, memo {}, keys {}, bytes {}",
            begin.elapsed(),
            e.terms[0].instances,
            e.terms[0].bits,
            e.terms[0].symmetries.len(),
            v.map_or_else(|e| e.chars().take(200).collect(), |v| show(&engine, v)),
            s.expanded,
            s.memo_hits,
            s.key_hits,
            s.bytes
        );
    }
}
