//! Saves the values of a long run to a file and reads them back: the rule, the number of values, a hash, the values (two
//! bytes each, little endian). Damaged files and files of another rule are refused.

use super::{Road, Sequence, TakingRule};
use crate::game::Cancel;
use std::io::{self, Write};

const TITLE: &str = "cgdsl sequence 1";

/// FNV-1a, 64 bits, continuing from an earlier hash.
fn hash(bytes: &[u8], from: u64) -> u64 {
    bytes.iter().fold(from, |h, b| {
        (h ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3)
    })
}

const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

/// The number of values of a loaded file that are recomputed.
const CHECKED: usize = 500;

/// The number of values converted to bytes at a time.
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

/// Writes a sequence.
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

/// Whether the first values are those of the rule. This finds mistakes; the other values are trusted.
fn right_at_first(rule: &TakingRule, values: &[u16]) -> bool {
    let first = &values[..values.len().min(CHECKED)];
    let mut again = Sequence::new(rule.clone());
    again.seek_period(false);
    let last = (first.len() as u64).saturating_sub(1);
    let done = again.extend(last, Road::Plain, &Cancel::new(), &mut |_| {});
    done.is_ok() && again.values().starts_with(first)
}

/// Reads a sequence that [`save`] wrote.
///
/// # Errors
/// Why the bytes are not a saved sequence of this rule.
pub fn load(rule: TakingRule, bytes: &[u8]) -> Result<Sequence, &'static str> {
    let mut parts = bytes.splitn(4, |b| *b == b'\n');
    let mut line = || parts.next().and_then(|l| std::str::from_utf8(l).ok());
    if line() != Some(TITLE) {
        return Err("it is not a file of a sequence, or one of another version");
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
            if !right_at_first(&rule, &values) {
                return Err("its values are not those of the rule");
            }
            match values.iter().all(|v| *v < 1 << 15) {
                true => Ok(Sequence::resume(rule, values)),
                false => Err("it is damaged"),
            }
        }
        _ => Err("it is damaged"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(values: Vec<u16>) -> Vec<u8> {
        let rule = TakingRule::of_code("0.6").expect("a code");
        let mut bytes = Vec::new();
        save(&Sequence::resume(rule, values), &mut bytes).expect("memory takes all");
        bytes
    }

    #[test]
    fn what_is_kept_comes_back_and_what_was_changed_is_refused() {
        let rule = TakingRule::of_code("0.6").expect("a code");
        let mut s = Sequence::new(rule.clone());
        s.extend(3000, Road::Sparse, &Cancel::new(), &mut |_| {})
            .expect("no limit");
        let bytes = kept(s.values().to_vec());
        let back = load(rule.clone(), &bytes).expect("as it was kept");
        assert_eq!(back.values(), s.values());
        assert!(load(rule.clone(), &kept(Vec::new())).is_ok());
        let other = TakingRule::of_code("0.7").expect("a code");
        assert!(load(other, &bytes).is_err());
        for at in [0, 20, 40, bytes.len() - 1] {
            let mut bad = bytes.clone();
            bad[at] ^= 1;
            assert!(load(rule.clone(), &bad).is_err(), "byte {at}");
        }
        assert!(load(rule.clone(), &bytes[..bytes.len() - 2]).is_err());
        // Wrong values with a matching hash.
        let mut values = s.values().to_vec();
        values[77] ^= 1;
        assert!(load(rule, &kept(values)).is_err());
    }
}
