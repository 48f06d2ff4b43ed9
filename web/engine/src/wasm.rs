//! The border to the page. Bytes of a request come in by `input`, `run` answers it, the answer's bytes go out by `output`;
//! meanwhile `tell` hands over answers that are ready, and `tick` asks whether to end.
//!
//! Nothing here does anything unsafe: pointers are only handed over. The attributes count as unsafe code since names of
//! functions could clash, and the declarations of what the page offers since Rust cannot check their types.
#![allow(unsafe_code)]

use std::sync::{Mutex, MutexGuard, PoisonError};

static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static OUTPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    safe fn tell(at: *const u8, length: usize);
    safe fn tick(positions: f64, bytes: f64) -> u32;
    safe fn failed(at: *const u8, length: usize);
}

#[derive(Clone)]
struct Page;

impl crate::Host for Page {
    fn tell(&self, json: &str) {
        tell(json.as_ptr(), json.len());
    }

    fn tick(&self, positions: u64, bytes: usize) -> bool {
        tick(positions as f64, bytes as f64) != 0
    }
}

fn lock(of: &'static Mutex<Vec<u8>>) -> MutexGuard<'static, Vec<u8>> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Room for a request of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    let mut input = lock(&INPUT);
    input.clear();
    input.resize(length, 0);
    input.as_mut_ptr()
}

/// Answers the request; the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn run() -> usize {
    std::panic::set_hook(Box::new(|what| {
        let text = what.to_string();
        failed(text.as_ptr(), text.len());
    }));
    let request = std::mem::take(&mut *lock(&INPUT));
    // One stack for all that recurses below: each that is made anew leaves a hole of 128 MiB behind.
    let answer =
        cgdsl::base::with_room(|| crate::answer(&String::from_utf8_lossy(&request), &Page));
    let mut output = lock(&OUTPUT);
    *output = answer.into_bytes();
    output.len()
}

/// Where the answer lies.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    lock(&OUTPUT).as_ptr()
}
