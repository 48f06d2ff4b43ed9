//! Reads graphs in McKay's formats graph6, sparse6 and digraph6 (described in `formats.txt`, which comes with nauty).
//! Vertices are 1..n.

use super::{Board, Builder, MAX_SITES};
use crate::base::Span;
use crate::fault::{Code, Fault, Res};
use crate::model::typed::BoardKind;
use crate::val::Val;

/// Reads an encoded graph as a board.
///
/// # Errors
/// An unknown format; text that is not in the format; too many vertices or edges.
pub fn parse(format: &str, text: &str, span: Span) -> Res<Board> {
    let bad = |why: &str| Fault::new(Code::Board, span, format!("this is not {format}: {why}"));
    let text = text.trim();
    let text = text
        .strip_prefix(">>graph6<<")
        .or_else(|| text.strip_prefix(">>sparse6<<"))
        .or_else(|| text.strip_prefix(">>digraph6<<"))
        .unwrap_or(text);
    let text = match format {
        "graph6" => text,
        "sparse6" => text
            .strip_prefix(':')
            .ok_or_else(|| bad("it begins with `:`"))?,
        "digraph6" => text
            .strip_prefix('&')
            .ok_or_else(|| bad("it begins with `&`"))?,
        _ => {
            return Err(Fault::new(
                Code::Board,
                span,
                format!("no format is called {format}: graph6, sparse6 and digraph6 are"),
            ));
        }
    };
    let bytes = text.as_bytes();
    if bytes.iter().any(|b| !(63..=126).contains(b)) {
        return Err(bad("every character is one of `?` to `~`"));
    }
    let six: Vec<u64> = bytes.iter().map(|b| u64::from(b - 63)).collect();
    let join = |part: &[u64]| part.iter().fold(0u64, |n, b| n << 6 | b);
    let short = || bad("it is too short");
    let (n, rest) = match six[..] {
        [] => return Err(short()),
        [63, 63, ..] => (
            join(six.get(2..8).ok_or_else(short)?),
            six.get(8..).unwrap_or(&[]),
        ),
        [63, ..] => (
            join(six.get(1..4).ok_or_else(short)?),
            six.get(4..).unwrap_or(&[]),
        ),
        [n, ..] => (n, &six[1..]),
    };
    if n > MAX_SITES as u64 {
        return Err(super::too_many(span, "vertices", MAX_SITES));
    }
    let n = u32::try_from(n).unwrap_or(0);
    let digraph = format == "digraph6";
    let mut b = Builder::new(BoardKind::encoded(format), span);
    for i in 1..=n {
        b.site(Val::int(i64::from(i)))?;
    }
    let bits = (rest.len() as u64) * 6;
    let bit = |k: u64| {
        let byte = usize::try_from(k / 6).ok().and_then(|i| rest.get(i));
        byte.is_some_and(|b| b >> (5 - k % 6) & 1 == 1)
    };
    let n64 = u64::from(n);
    if format == "sparse6" {
        let width = u64::from(64 - n64.saturating_sub(1).leading_zeros()).max(u64::from(n > 1));
        let mut at = 0u64;
        let mut v = 0u64;
        while at + 1 + width <= bits {
            let step = bit(at);
            let x = (0..width).fold(0u64, |x, i| x << 1 | u64::from(bit(at + 1 + i)));
            at += 1 + width;
            if step {
                v += 1;
            }
            if v >= n64 {
                break;
            }
            if x > v {
                v = x;
            } else {
                let end = |k: u64| u32::try_from(k).unwrap_or(0);
                b.line(end(x), end(v))?;
            }
        }
        return Ok(b.finish());
    }
    let needed = if digraph {
        n64 * n64
    } else {
        n64 * n64.saturating_sub(1) / 2
    };
    if needed.div_ceil(6) != rest.len() as u64 {
        return Err(bad(&format!(
            "{n} vertices take {} characters for the edges, here are {}",
            needed.div_ceil(6),
            rest.len()
        )));
    }
    let mut k = 0u64;
    if digraph {
        for u in 0..n {
            for v in 0..n {
                if bit(k) {
                    b.line(u, v)?;
                }
                k += 1;
            }
        }
    } else {
        for v in 1..n {
            for u in 0..v {
                if bit(k) {
                    b.line(u, v)?;
                }
                k += 1;
            }
        }
    }
    Ok(b.finish())
}
