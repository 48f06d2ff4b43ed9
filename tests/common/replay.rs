//! Replays the inputs that a fuzz target has gathered: each file of a folder of `corpus/fuzz/`.

use std::path::Path;

/// Hands each input of a target to `with`, which panics if something does not hold of it.
pub fn replay(target: &str, with: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/fuzz");
    let mut count = 0;
    let all = std::fs::read_dir(folder.join(target)).expect("the corpus is there");
    for entry in all {
        let path = entry.expect("an entry").path();
        let bytes = std::fs::read(&path).expect("a file");
        let held = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| with(&bytes)));
        assert!(held.is_ok(), "{}", path.display());
        count += 1;
    }
    assert!(count > 0, "the corpus of {target} is empty");
}
