//! Reads and writes the frames of the Language Server Protocol. A frame that is not a message is reported with the reason.
//! Frames are bounded, so that a length field alone cannot exhaust the memory.

use lsp_server::{ErrorCode, Message, RequestId};
use serde_json::{Value, json};
use std::io::{BufRead, Read, Write};

/// The longest message in bytes: the longest file that is read, with all its characters escaped.
const LONGEST: usize = 128 << 20;
/// The longest line of a header, in bytes.
const HEADER: u64 = 4096;
/// The most lines of a header.
const LINES: usize = 32;

/// A frame that was read.
#[derive(Debug)]
pub enum Frame {
    /// A message.
    Message(Message),
    /// A valid frame without a message: the error to answer with.
    Malformed(Value),
    /// The end of the stream, or of its frames, with the reason.
    End(Option<String>),
}

/// Reads the next frame.
pub fn read(from: &mut impl BufRead) -> Frame {
    let broken = |why: &str| Frame::End(Some(why.to_owned()));
    let mut length = None;
    for number in 0.. {
        let mut line = Vec::new();
        match from.by_ref().take(HEADER).read_until(b'\n', &mut line) {
            Err(e) => return broken(&e.to_string()),
            Ok(0) if number == 0 => return Frame::End(None),
            Ok(_) if line.ends_with(b"\n") && number < LINES => {}
            Ok(_) => return broken("a header that does not end"),
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim_end_matches(['\r', '\n']);
        if line.is_empty() {
            break;
        }
        let Some((name, value)) = line.split_once(':') else {
            return broken("a line of a header without a colon");
        };
        if name.trim().eq_ignore_ascii_case("content-length") {
            match value.trim().parse::<usize>() {
                Ok(n) if n <= LONGEST => length = Some(n),
                _ => return broken("a length that is not a number, or too large"),
            }
        }
    }
    let Some(length) = length else {
        return broken("a header without a length");
    };
    // Not allocated in advance: the length is only claimed.
    let mut body = Vec::new();
    match from.by_ref().take(length as u64).read_to_end(&mut body) {
        Ok(n) if n == length => {}
        Ok(_) => return broken("the stream ended inside a message"),
        Err(e) => return broken(&e.to_string()),
    }
    let value: Value = match serde_json::from_slice(&body) {
        Ok(value) => value,
        Err(e) => {
            let why = format!("no JSON: {e}");
            return Frame::Malformed(error(&Value::Null, ErrorCode::ParseError, &why));
        }
    };
    let id = value.get("id").cloned().unwrap_or(Value::Null);
    // An id that is too large, or `null`, would change the kind of the message.
    if value.get("id").is_some() && serde_json::from_value::<RequestId>(id.clone()).is_err() {
        let why = "an id is a string or a number of 32 bits";
        return Frame::Malformed(error(&Value::Null, ErrorCode::InvalidRequest, why));
    }
    match serde_json::from_value::<Message>(value) {
        Ok(message) => Frame::Message(message),
        Err(_) => Frame::Malformed(error(&id, ErrorCode::InvalidRequest, "no request")),
    }
}

fn error(id: &Value, code: ErrorCode, why: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": why } })
}

/// A frame to be written.
#[derive(Debug)]
pub enum Out {
    /// A message.
    Message(Message),
    /// An answer to a frame that was not a message.
    Plain(Value),
}

/// Writes a frame.
///
/// # Errors
/// The stream is closed.
pub fn write(to: &mut impl Write, out: &Out) -> std::io::Result<()> {
    match out {
        Out::Message(message) => message.write(to),
        Out::Plain(value) => {
            let text = value.to_string();
            write!(to, "Content-Length: {}\r\n\r\n{text}", text.len())?;
            to.flush()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_and_others_refused() {
        let read = |text: &str| read(&mut text.as_bytes());
        let good =
            "Content-Length: 40\r\nX: y\r\n\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"   }";
        assert!(matches!(read(good), Frame::Message(Message::Request(r)) if r.method == "m"));
        assert!(matches!(
            read("Content-Length: 3\r\n\r\n{]}"),
            Frame::Malformed(_)
        ));
        assert!(matches!(
            read("Content-Length: 2\r\n\r\n[]"),
            Frame::Malformed(_)
        ));
        let large = "{\"id\":99999999999,\"method\":\"m\"}";
        let large = format!("Content-Length: {}\r\n\r\n{large}", large.len());
        assert!(matches!(read(&large), Frame::Malformed(_)));
        assert!(matches!(read(""), Frame::End(None)));
        for broken in [
            "Content-Length: 99999999999999\r\n\r\n",
            "Content-Length: -1\r\n\r\n",
            "Content-Length: 10\r\n\r\n{}",
            "hello\r\n\r\n",
            "X: y\r\n\r\n",
            "Content-Length: 2",
        ] {
            assert!(matches!(read(broken), Frame::End(Some(_))), "{broken}");
        }
        let mut out = Vec::new();
        write(&mut out, &Out::Plain(json!({}))).expect("a vector takes all");
        assert_eq!(out, b"Content-Length: 2\r\n\r\n{}");
    }
}
