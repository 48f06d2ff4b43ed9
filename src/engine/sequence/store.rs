//! Values of a long run, to be kept in a file between runs and read back: the rule, the number of values, a hash, the
//! values. What was damaged, or is of another rule, is refused.

use super::{Sequence, TakingRule};

const TITLE: &str = "cgdsl sequence 1";

fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |h, b| {
        (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn ways(rule: &TakingRule) -> String {
    let ways = rule.takes().iter().map(|t| {
        let distinct = if t.distinct { "d" } else { "" };
        format!("{}:{}{distinct}", t.taken, t.heaps)
    });
    ways.collect::<Vec<_>>().join(" ")
}

/// The bytes to keep.
#[must_use]
pub fn save(sequence: &Sequence) -> Vec<u8> {
    let values = sequence.values().iter();
    let body: Vec<u8> = values.flat_map(|v| v.to_le_bytes()).collect();
    let head = format!(
        "{TITLE}\n{}\n{} {:016x}\n",
        ways(sequence.rule()),
        sequence.values().len(),
        hash(&body)
    );
    let mut bytes = head.into_bytes();
    bytes.extend(body);
    bytes
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
    let right = format!("{:016x}", hash(body));
    match counted {
        Some((count, h))
            if h == right && count.parse() == Ok(body.len() / 2) && body.len() % 2 == 0 =>
        {
            let pairs = body.chunks_exact(2);
            let values = pairs.map(|p| u16::from_le_bytes([p[0], p[1]])).collect();
            Ok(Sequence::resume(rule, values))
        }
        _ => Err("it is damaged"),
    }
}
