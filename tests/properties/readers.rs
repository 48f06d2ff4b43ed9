//! Properties of any bytes in the files that the program keeps: they are read or refused, without a panic. Called by
//! `tests/language/fuzz_corpus.rs` and by the fuzz target `readers`.

use cgdsl::engine::sequence::{TakingRule, store};
use cgdsl::game::Player;
use cgdsl::session::play::{Reading, Standing};
use cgdsl::session::store::merge;
use cgdsl::session::{Memory, Session, Settings, Store};
use cgdsl::verify;
use std::sync::Arc;

/// The first byte chooses the kind of file.
pub fn bytes_read(bytes: &[u8]) {
    let Some((kind, rest)) = bytes.split_first() else {
        return;
    };
    match kind % 4 {
        0 => witness(rest),
        1 => sequence(rest),
        2 => game(rest),
        _ => values(rest),
    }
}

/// A witness of a period is refused, or holds.
fn witness(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    // The time of a check grows with the witness; a few steps are enough here.
    let mut steps = 0;
    let mut progress = |_: u64| {
        steps += 1;
        steps < 100
    };
    let _ = match verify::read(text) {
        Ok(verify::Claimed::Period(w)) if w.values.len() < 5_000 => {
            verify::check(&w, 1, &mut progress)
        }
        Ok(verify::Claimed::Partizan(w)) => verify::check_partizan(&w, &mut progress),
        Ok(verify::Claimed::Shift(w)) => verify::check_shift(&w, &mut progress),
        Ok(_) | Err(_) => Ok(()),
    };
}

/// A file of `seq --keep`.
fn sequence(bytes: &[u8]) {
    for code in ["0.77", "0.07", "0.137"] {
        let Some(rule) = TakingRule::of_code(code) else {
            continue;
        };
        if let Ok(kept) = store::load(rule.clone(), bytes) {
            // What was accepted is accepted again after it is written.
            let mut again = Vec::new();
            store::save(&kept, &mut again).expect("memory takes all bytes");
            assert!(store::load(rule, &again).is_ok());
        }
    }
}

/// The lines of a saved game.
fn game(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let world = Memory::default();
    let mut session = Session::new(&world, Settings::default());
    let mut loaded = session.load("amazons");
    let start = session.position(&mut loaded, "Amazons[\"x..|..o\"]");
    let Ok(start) = start.map(|q| session.value_of(&loaded, &q)) else {
        return;
    };
    let Ok(start) = start else { return };
    let Ok(mut play) = session.play(&loaded, &start, Player::LEFT, false) else {
        return;
    };
    for line in text.lines().take(20) {
        let Standing::ToMove(_) = play.standing() else {
            return;
        };
        if let Ok(Reading::Move(choice)) = play.read(line) {
            assert!(play.make(&choice).is_ok(), "a move that was read is made");
        }
    }
}

/// The database of values behind `--store`.
fn values(bytes: &[u8]) {
    let folder = std::env::temp_dir().join(format!("cgdsl-readers-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    if std::fs::create_dir_all(&folder).is_err() {
        return;
    }
    let file = folder.join("values.redb");
    let other = folder.join("other");
    if std::fs::write(&file, bytes).is_ok() {
        let read = Store::open_read_only(&folder).is_ok();
        let merged = merge(std::slice::from_ref(&folder), &other, Arc::new(|_, _| true));
        // A store that is read may hold what makes no sense, and only then it is refused here.
        assert!(read || merged.is_err());
        assert!(merged.is_ok() == Store::open_read_only(&other).is_ok());
        // Bytes that are read or refused are left as they are.
        let own = || std::fs::read(&file).ok();
        assert_eq!(own().as_deref(), Some(bytes));
        if Store::open(&folder).is_err() {
            assert_eq!(own().as_deref(), Some(bytes));
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
}
