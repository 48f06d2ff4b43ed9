//! Makes a table of the files of the page for `lib.rs`, from those built by `web/build.mjs`. If they were not built, the
//! table is empty. `CGDSL_PAGE` names another folder.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CGDSL_PAGE");
    let own = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let folder = env::var_os("CGDSL_PAGE").map_or(own.join("../web/dist"), PathBuf::from);
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = files(&folder);
    files.sort();
    if files.is_empty() {
        println!(
            "cargo::warning=the page is not built, so `cgdsl page` has no files: cd web && npm ci && node build.mjs"
        );
    }
    let mut table = String::from("&[\n");
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let path = fs::canonicalize(&file).expect("it was listed");
        writeln!(
            table,
            "    ({name:?}, include_bytes!({:?})),",
            path.display().to_string()
        )
        .expect("a string takes all");
    }
    table.push(']');
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("files.rs"), table).expect("OUT_DIR can be written");
}

/// The files of a folder that contains the page; none if it does not.
fn files(folder: &Path) -> Vec<PathBuf> {
    if !folder.join("index.html").is_file() {
        return Vec::new();
    }
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let all = entries.flatten().map(|e| e.path());
    all.filter(|p| p.is_file()).collect()
}
