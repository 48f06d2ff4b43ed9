//! The ways in which a question is asked: all shortcuts open, each closed alone, all closed; searches that take their rare
//! turns at once, some short of memory, and machines made in other ways.

use cgdsl::engine::Statistics;
use cgdsl::game::{REGISTRY, Shortcut, Shortcuts};
use cgdsl::machine::{Counters, Settings};

/// How a question is asked.
#[derive(Clone, Debug)]
pub struct Way {
    /// `all`, `none`, or what is different.
    pub name: String,
    /// How machines are made, and which shortcuts are open.
    pub machine: Settings,
    /// A machine is asked by an engine directly: not as commands do, where the settings are others than these.
    pub direct: bool,
    /// Values are guessed, and looked at for a winner, as soon as anything was searched.
    pub eager: bool,
    /// Winners are searched for in whole positions, where they may be.
    pub whole: bool,
    /// Bytes that may be used.
    pub memory: usize,
    /// A mistake is made in this shortcut.
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
            memory: MEMORY,
            planted: None,
        }
    }

    /// Everything open, as users ask.
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

/// Every way, the open one first.
pub fn ways() -> Vec<Way> {
    let mut all = vec![Way::all()];
    for entry in &REGISTRY {
        let name = format!("without {}", entry.name);
        let shortcuts = Shortcuts::ALL.without(&[entry.shortcut]);
        all.push(Way::new(&name, shortcuts));
    }
    // Where one is closed another one is taken that is seldom reached.
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
    all.push(Way::direct("eager", |w| w.eager = true));
    all.push(Way::direct("whole positions", |w| w.whole = true));
    for (name, memory) in [("short of memory", 60_000), ("shorter of memory", 20_000)] {
        all.push(Way::direct(name, |w| (w.eager, w.memory) = (true, memory)));
    }
    all
}

/// The shortcuts that were taken.
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
