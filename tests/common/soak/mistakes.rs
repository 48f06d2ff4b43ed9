//! Planted mistakes: each in one shortcut, or in one analysis of the machine. Each has a witness, a small file of
//! `tests/corpus/mistakes` that reveals it and names it in its first line: `// Shows: Split, Near`.
//! `cargo run --release --example soak -- --mistakes FOLDER` says what each file reveals, and searches for missing witnesses.

use super::judge::{Difference, Effort, Judge};
use super::shrink::{differs, shrink};
use super::ways::{self, Way};
use crate::random_rules::sample;
use cgdsl::game::{REGISTRY, Shortcut};
use cgdsl::machine::Planted;

/// A mistake, with the ways of asking that contain it.
pub struct Mistake {
    pub name: String,
    pub ways: Vec<Way>,
}

/// The mistakes of the machine that belong to no shortcut, or are a second one for it.
const IN_MACHINE: [Planted; 20] = [
    Planted::SubtractDoesNotObserve,
    Planted::HeapsAlwaysSplit,
    Planted::KeysWithoutValues,
    Planted::SymmetryUnchecked,
    Planted::RemovalForgets,
    Planted::RemovalOwnerless,
    Planted::LinksForget,
    Planted::RootedStands,
    Planted::RegionsApart,
    Planted::IndexForgets,
    Planted::CopiesForget,
    Planted::BitsForget,
    Planted::ValuesAlike,
    Planted::ImpartialAlways,
    Planted::EndsAlways,
    Planted::MergedAlways,
    Planted::AskedNever,
    Planted::LastValueHolds,
    Planted::StagesStale,
    Planted::PairedInTheWay,
];

/// Shortcuts in which no mistake is planted by their name: those of the machine, which has mistakes of its own, and one that no
/// short game takes, whose mistake `engine/arena.rs` finds.
const NOT_BY_NAME: [Shortcut; 14] = [
    Shortcut::Compile,
    Shortcut::Ground,
    Shortcut::Integers,
    Shortcut::Index,
    Shortcut::Removal,
    Shortcut::Rooted,
    Shortcut::Copies,
    Shortcut::Shapes,
    Shortcut::Isomorphism,
    Shortcut::Mixed,
    Shortcut::Bits,
    Shortcut::Symmetry,
    Shortcut::Pairing,
    Shortcut::Threats,
];

/// The way with everything enabled, the eager one, and those with little memory, each with the mistake.
fn mistaken(plant: impl Fn(&mut Way)) -> Vec<Way> {
    let mut all = vec![Way::all()];
    all.extend(ways::ways().into_iter().filter(|w| w.direct));
    all.iter_mut().for_each(plant);
    all
}

/// The mistakes that a file claims to reveal.
pub fn named(text: &str) -> Vec<&str> {
    let first = text
        .lines()
        .next()
        .and_then(|l| l.strip_prefix("// Shows: "));
    first.map_or_else(Vec::new, |names| names.split(", ").collect())
}

/// Every mistake.
pub fn mistakes() -> Vec<Mistake> {
    let by_name = REGISTRY.iter().map(|e| e.shortcut);
    let by_name = by_name.filter(|s| !NOT_BY_NAME.contains(s));
    let by_name = by_name.map(|shortcut| Mistake {
        name: format!("{shortcut:?}"),
        ways: mistaken(|w| w.planted = Some(shortcut)),
    });
    let in_machine = IN_MACHINE.into_iter().map(|mistake| Mistake {
        name: format!("{mistake:?}"),
        ways: mistaken(|w| (w.direct, w.machine.planted) = (true, Some(mistake))),
    });
    by_name.chain(in_machine).collect()
}

impl Mistake {
    /// The difference that the mistake causes on a text, if any. A panic also counts.
    pub fn shown_by(&self, text: &str) -> Option<Difference> {
        differs(text, &self.ways, None)
    }

    /// A small text that reveals the mistake, from one of the first `seeds` random rulesets.
    pub fn found(&self, seeds: u64) -> Option<String> {
        let effort = Effort {
            graph: 80,
            open: 8,
            closed: 4,
            ways: usize::MAX,
            nodes: 1_000,
            time: None,
            twice: false,
        };
        for seed in 0..seeds {
            let s = sample(seed);
            let text = s.file();
            let judged = std::panic::catch_unwind(|| {
                let mut judge = Judge::new(effort).with_ways(self.ways.clone());
                judge.text(&text, &s.marks)
            });
            if matches!(judged, Ok(Ok(()))) {
                continue;
            }
            let Some(difference) = self.shown_by(&text) else {
                continue;
            };
            let (small, d) = shrink(&text, &difference, &self.ways);
            return Some(format!(
                "// Shows: {}\n// {} of {}, asked {}: {}, not {}\n{small}",
                self.name, d.question, d.position, d.way, d.expected, d.found
            ));
        }
        None
    }
}
