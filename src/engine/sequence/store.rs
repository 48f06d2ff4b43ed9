//! Values of a long run, to be kept in a file between runs and read back: the rule, the number of values, a hash, the
//! values (two bytes each, the lower first). What was damaged, or is of another rule, is refused.

use super::{Sequence, TakingRule};
use std::io::{self, Write};

const TITLE: &str = "cgdsl sequence 1";

/// FNV-1a, 64 bits, going on from an earlier hash.
fn hash(bytes: &[u8], from: u64) -> u64 {
    bytes.iter().fold(from, |h, b| {
        (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3)
    })
}

const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

/// How many values are turned into bytes at a time.
const BLOCK: usize = 1 << 16;

fn ways(rule: &TakingRule) -> String {
    let ways = rule.takes().iter().map(|t| {
        let distinct = if t.distinct { "d" } else { "" };
        format!("{}:{}{distinct}", t.taken, t.heaps)
    });
    ways.collect::<Vec<_>>().join(" ")
}

fn blocks(values: &[u16]) -> impl Iterator<Item = Vec<u8>> {
    let bytes = |block: &[u16]| block.iter().flat_map(|v| v.to_le_bytes()).collect();
    values.chunks(BLOCK).map(bytes)
}

/// Writes what is to be kept.
///
/// # Errors
/// Those of the writer.
pub fn save(sequence: &Sequence, out: &mut impl Write) -> io::Result<()> {
    let values = sequence.values();
    let hashed = blocks(values).fold(EMPTY, |h, block| hash(&block, h));
    let rule = ways(sequence.rule());
    write!(out, "{TITLE}\n{rule}\n{} {hashed:016x}\n", values.len())?;
    for block in blocks(values) {
        out.write_all(&block)?;
    }
    out.flush()
}

/// The sequence that was kept.
///
/// # Errors
/// Why the bytes are not what was kept of this rule.
pub fn load(rule: TakingRule, bytes: &[u8]) -> Result<Sequence, &'static str> {
    let mut parts = bytes.splitn(4, |b| *b == b'\n');
    let mut line = || parts.next().and_then(|l| std::str::from_utf8(l).ok());
    if line() != Some(TITLE) {
        return Err("it is no file of a sequence, or one of another version");
    }
    if line() != Some(&*ways(&rule)) {
        return Err("it keeps the values of another rule");
    }
    let counted = line().and_then(|l| l.split_once(' '));
    let body = parts.next().unwrap_or(&[]);
    let right = format!("{:016x}", hash(body, EMPTY));
    match counted {
        Some((count, h))
            if h == right && count.parse() == Ok(body.len() / 2) && body.len() % 2 == 0 =>
        {
            let pairs = body.chunks_exact(2);
            let values: Vec<u16> = pairs.map(|p| u16::from_le_bytes([p[0], p[1]])).collect();
            match values.iter().all(|v| *v < 1 << 15) {
                true => Ok(Sequence::resume(rule, values)),
                false => Err("it is damaged"),
            }
        }
        _ => Err("it is damaged"),
    }
}
