//! Writes a table of the `.rules` files of this folder, with their texts, for `lib.rs` to include.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let mut table = String::from("&[\n");
    for file in files {
        // Each directory is watched, since adding a file changes only the file's own directory.
        if let Some(dir) = file.parent() {
            println!("cargo::rerun-if-changed={}", dir.display());
        }
        let relative = file.strip_prefix(&root).expect("below the root");
        let name: Vec<String> = relative
            .components()
            .map(|c| c.as_os_str().to_string_lossy().into_owned())
            .collect();
        writeln!(
            table,
            "    (\"{}\", include_str!({:?})),",
            name.join("/"),
            file.display().to_string()
        )
        .expect("a string takes all");
    }
    table.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("shipped.rs"), table).expect("OUT_DIR can be written");
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "rules") {
            files.push(path);
        }
    }
}
