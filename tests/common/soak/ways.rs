//! The ways in which a question is asked: with all shortcuts, with all but one, with none; with searches that take their rare
//! branches at once, some with little memory, and machines compiled in other ways.

use cgdsl::engine::Statistics;
use cgdsl::game::{REGISTRY, Shortcut, Shortcuts};
use cgdsl::machine::{Counters, Settings};

/// A way of asking a question.
#[derive(Clone, Debug)]
pub struct Way {
    /// `all`, `none`, or the difference from `all`.
    pub name: String,
    /// How machines are compiled, and which shortcuts are enabled.
    pub machine: Settings,
    /// Whether an engine is applied to the machine directly, which commands do not do with these settings.
    pub direct: bool,
    /// Whether values are guessed, and used to decide the winner, as soon as a search has begun.
    pub eager: bool,
    /// Whether winners are searched for in whole positions, where possible.
    pub whole: bool,
    /// Whether winners are searched for by strips, where possible.
    pub strips: bool,
    /// The memory limit in bytes.
    pub memory: usize,
    /// A shortcut with a planted mistake.
    pub planted: Option<Shortcut>,
}

const MEMORY: usize = 256 << 20;

impl Way {
    fn new(name: &str, shortcuts: Shortcuts) -> Way {
        Way {
            name: name.to_owned(),
            machine: Settings::from(shortcuts),
            direct: false,
            eager: false,
            whole: false,
            strips: false,
            memory: MEMORY,
            planted: None,
        }
    }

    /// All shortcuts, as users ask.
    pub fn all() -> Way {
        Way::new("all", Shortcuts::ALL)
    }

    fn direct(name: &str, change: impl FnOnce(&mut Way)) -> Way {
        let mut way = Way::new(name, Shortcuts::ALL);
        way.direct = true;
        change(&mut way);
        way
    }
}

/// Every way, with all shortcuts first.
pub fn ways() -> Vec<Way> {
    let mut all = vec![Way::all()];
    for entry in &REGISTRY {
        let name = format!("without {}", entry.name);
        let shortcuts = Shortcuts::ALL.without(&[entry.shortcut]);
        all.push(Way::new(&name, shortcuts));
    }
    // When one is disabled, another is used that is otherwise rarely reached.
    for closed in [
        [Shortcut::Removal, Shortcut::Rooted],
        [Shortcut::Removal, Shortcut::Symmetry],
        [Shortcut::Shapes, Shortcut::Regions],
        [Shortcut::Impartial, Shortcut::Bounds],
    ] {
        let names = closed.map(|s| s.entry().name).join(", ");
        let shortcuts = Shortcuts::ALL.without(&closed);
        all.push(Way::new(&format!("without {names}"), shortcuts));
    }
    all.push(Way::new("none", Shortcuts::NONE));
    let only = [Shortcut::Memo, Shortcut::Compile];
    all.push(Way::new("memo and compile only", Shortcuts::only(&only)));
    all.push(Way::direct("nothing written out", |w| {
        w.machine.written_out = 0;
    }));
    all.push(Way::direct("read back", |w| w.machine.reread = true));
    all.push(Way::direct("effects merged", |w| w.machine.merging = true));
    all.push(Way::direct("asked in play", |w| w.machine.asking = true));
    all.push(Way::direct("bits apart", |w| w.machine.apart = true));
    all.push(Way::direct("eager", |w| w.eager = true));
    all.push(Way::direct("whole positions", |w| w.whole = true));
    all.push(Way::direct("in strips", |w| w.strips = true));
    all.push(Way::direct("in strips, short of memory", |w| {
        (w.strips, w.memory) = (true, 20_000);
    }));
    for (name, memory) in [("short of memory", 60_000), ("shorter of memory", 20_000)] {
        all.push(Way::direct(name, |w| (w.eager, w.memory) = (true, memory)));
    }
    all.push(Way::direct("links listed", |w| w.machine.listed = true));
    all
}

/// The shortcuts that were used.
pub fn taken(s: &Statistics, c: &Counters) -> Vec<&'static str> {
    let counters: Vec<(&str, u64)> = s.named().into_iter().chain(c.all()).collect();
    let grew = |name: &&'static str| counters.iter().any(|(known, n)| known == name && *n > 0);
    let taken = REGISTRY.iter().filter(|e| e.counters.iter().any(&grew));
    taken.map(|e| e.name).collect()
}

/// Every shortcut whose use is counted.
pub fn counted() -> Vec<&'static str> {
    let counted = REGISTRY.iter().filter(|e| !e.counters.is_empty());
    counted.map(|e| e.name).collect()
}
