//! Seeded random numbers for the mutations, and the real files that are mutated.

use std::path::{Path, PathBuf};

/// xorshift64*: good enough to mutate texts.
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `n`; 0 if that is 0.
    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % (n.max(1) as u64)).expect("small")
    }
}

/// How many mutations are tried: `CGDSL_ROUNDS`, or this.
pub fn rounds(default: u64) -> u64 {
    let set = std::env::var("CGDSL_ROUNDS").ok();
    set.and_then(|n| n.parse().ok()).unwrap_or(default)
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|e| e == "rules") {
            out.push(path);
        }
    }
}

/// The shipped rulesets and the marked files, by path.
pub fn real_files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    collect(&root.join("rulesets"), &mut paths);
    collect(&root.join("tests/ui"), &mut paths);
    paths.sort();
    paths
        .iter()
        .filter_map(|p| Some((p.display().to_string(), std::fs::read_to_string(p).ok()?)))
        .collect()
}
