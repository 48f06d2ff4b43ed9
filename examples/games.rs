//! Games written by hand against `game::Game`, each in its own file beside this one, as one program:
//! `cargo run --release --example games -- NAME`; without a name it lists them.
//!
//! As a test, this target checks their values against the literature and independent programs (`tests/games/`).

// Each game is self-contained, so shared code is included with each of them; parts of it serve only tests and benchmarks.
#![allow(clippy::duplicate_mod, dead_code)]

mod amazons;
mod blocking_pebbles;
mod clobber;
mod colouring;
mod cram;
mod digraph_placement;
mod dodgem;
mod domineering;
mod fission;
mod hackenbush;
mod hare_and_hounds;
mod hex;
mod kayles;
mod konane;
mod nim;
mod push;
mod tic_tac_toe;
mod toads_and_frogs;

/// A function that prints the results of a game.
type Shown = fn() -> Result<(), Box<dyn std::error::Error>>;

const GAMES: &[(&str, Shown)] = &[
    ("amazons", amazons::main),
    ("blocking_pebbles", blocking_pebbles::main),
    ("clobber", clobber::main),
    ("colouring", colouring::main),
    ("cram", cram::main),
    ("digraph_placement", digraph_placement::main),
    ("dodgem", dodgem::main),
    ("domineering", domineering::main),
    ("fission", fission::main),
    ("hackenbush", hackenbush::main),
    ("hare_and_hounds", hare_and_hounds::main),
    ("hex", hex::main),
    ("kayles", kayles::main),
    ("konane", konane::main),
    ("nim", nim::main),
    ("push", push::main),
    ("tic_tac_toe", tic_tac_toe::main),
    ("toads_and_frogs", toads_and_frogs::main),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).unwrap_or_default();
    if let Some((_, show)) = GAMES.iter().find(|(game, _)| *game == name) {
        return show();
    }
    let names: Vec<&str> = GAMES.iter().map(|(game, _)| *game).collect();
    Err(format!("name one of {}", names.join(", ")).into())
}

#[cfg(test)]
#[path = "../tests/games/coalitions.rs"]
mod coalitions;
#[cfg(test)]
#[path = "../tests/common/moves_left.rs"]
mod moves_left;
#[cfg(test)]
#[path = "../tests/common/random.rs"]
mod random;
#[cfg(test)]
#[path = "../tests/games/values.rs"]
mod values;

/// Every game prints its results, without reaching a limit.
#[test]
fn every_game_runs() {
    for (name, show) in GAMES {
        show().unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}
