//! The interface to the page. The page writes a request to `input`, calls `run`, and reads the answer at `output`; meanwhile,
//! `tell` passes intermediate answers to the page, and `tick` asks whether to end.
//!
//! No code here is unsafe: pointers are only passed on. The attributes count as unsafe code because names of functions could
//! clash, and the declarations of imported functions because Rust cannot check their types.
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

/// A buffer for a request of `length` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    let mut input = lock(&INPUT);
    input.clear();
    input.resize(length, 0);
    input.as_mut_ptr()
}

/// Answers the request and returns the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn run() -> usize {
    std::panic::set_hook(Box::new(|what| {
        let text = what.to_string();
        failed(text.as_ptr(), text.len());
    }));
    let request = std::mem::take(&mut *lock(&INPUT));
    // One stack for all recursion below, since each new stack leaves a hole of 128 MiB in the memory.
    let answer =
        cgdsl::base::with_room(|| crate::answer(&String::from_utf8_lossy(&request), &Page));
    let mut output = lock(&OUTPUT);
    *output = answer.into_bytes();
    output.len()
}

/// The address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    lock(&OUTPUT).as_ptr()
}
