//! Reads lines of bounded length from standard input. A run that waits for a line can be cancelled: lines are read in a
//! separate thread, since a read of standard input does not respond to signals.

use crate::game::Cancel;
use std::io::BufRead;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The most bytes of a line that are kept.
const KEPT: usize = 1 << 16;
/// A longer line, in bytes, ends the input: nobody typed it.
const LONGEST: usize = 16 << 20;
/// How often a waiting run checks for cancellation.
const OFTEN: Duration = Duration::from_millis(50);

/// A line of standard input, without its end; `None` at the end of the input, or when the run is cancelled. Invalid UTF-8 is
/// replaced.
pub fn read_line(cancel: &Cancel) -> Option<String> {
    static LINES: OnceLock<Mutex<Receiver<String>>> = OnceLock::new();
    let lines = LINES.get_or_init(|| {
        // The reader is at most one line ahead.
        let (tell, hear) = sync_channel(0);
        std::thread::spawn(move || {
            while let Some(line) = next(&mut std::io::stdin().lock()) {
                if tell.send(line).is_err() {
                    break;
                }
            }
        });
        Mutex::new(hear)
    });
    let lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        match lines.recv_timeout(OFTEN) {
            Ok(line) => return Some(line),
            Err(RecvTimeoutError::Timeout) if !cancel.is_cancelled() => {}
            Err(_) => return None,
        }
    }
}

fn next(input: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let mut length = 0usize;
    loop {
        let available = match input.fill_buf() {
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
            available => available.ok()?,
        };
        let end = available.iter().position(|b| *b == b'\n');
        let take = end.map_or(available.len(), |e| e + 1);
        if bytes.len() < KEPT {
            bytes.extend_from_slice(&available[..take]);
        }
        input.consume(take);
        length += take;
        if length > LONGEST || (take == 0 && bytes.is_empty()) {
            return None;
        }
        if end.is_some() || take == 0 {
            let text = String::from_utf8_lossy(&bytes);
            return Some(text.trim_end_matches(['\n', '\r']).to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_one_by_one_and_no_line_is_endless() {
        let mut input = &b"one\r\n\ntwo \xff\nlast"[..];
        let mut lines = std::iter::from_fn(|| next(&mut input));
        let expected = ["one", "", "two \u{fffd}", "last"];
        assert!(expected.iter().all(|e| lines.next().as_deref() == Some(e)));
        assert_eq!(lines.next(), None);
        let mut zeros = std::io::BufReader::new(std::io::repeat(0));
        assert_eq!(next(&mut zeros), None);
    }
}
