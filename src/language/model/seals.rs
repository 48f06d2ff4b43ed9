//! Parses the text of a seal into its parts. Only the form is checked here; `session::seal` interprets it.

/// A sealed answer: `int argon2id m=19456 t=2 p=1 SALT HASH`, salt and hash in hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seal {
    /// The kind of the answer, such as `int`.
    pub kind: String,
    /// Kibibytes of memory for one check, at most `MOST_MEMORY`.
    pub memory: u32,
    /// Passes over the memory, at most `MOST_PASSES`.
    pub passes: u32,
    /// Mixed into the hash, so that equal answers have different hashes.
    pub salt: Vec<u8>,
    /// The hash.
    pub hash: Vec<u8>,
}

/// The limit on a seal's memory in kibibytes: somewhat more than `cgdsl seal` uses, so that one check takes well below a
/// second.
pub const MOST_MEMORY: u32 = 1 << 16;
/// The limit on a seal's passes.
pub const MOST_PASSES: u32 = 4;
/// Bytes of salt and of hash.
const BYTES: std::ops::RangeInclusive<usize> = 8..=64;

fn bytes(hex: &str) -> Option<Vec<u8>> {
    if !hex.is_ascii() || !hex.len().is_multiple_of(2) || !BYTES.contains(&(hex.len() / 2)) {
        return None;
    }
    (0..hex.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&hex[i..i + 2], 16).ok())
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

impl Seal {
    /// Parses a seal; `None` if the text is not one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Seal> {
        let parts: Vec<&str> = text.split_whitespace().collect();
        let [kind, "argon2id", memory, passes, "p=1", salt, hash] = parts[..] else {
            return None;
        };
        let number = |text: &str, name: &str, range: std::ops::RangeInclusive<u32>| {
            let n: u32 = text.strip_prefix(name)?.parse().ok()?;
            range.contains(&n).then_some(n)
        };
        let lower = kind.bytes().all(|b| b.is_ascii_lowercase());
        Some(Seal {
            kind: Some(kind).filter(|_| lower)?.to_owned(),
            memory: number(memory, "m=", 8..=MOST_MEMORY)?,
            passes: number(passes, "t=", 1..=MOST_PASSES)?,
            salt: bytes(salt)?,
            hash: bytes(hash)?,
        })
    }
}

impl std::fmt::Display for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (salt, hash) = (hex(&self.salt), hex(&self.hash));
        write!(
            f,
            "{} argon2id m={} t={} p=1 {salt} {hash}",
            self.kind, self.memory, self.passes
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back_and_nothing_else_is_read() {
        let seal = Seal {
            kind: "int".to_owned(),
            memory: 19456,
            passes: 2,
            salt: vec![0, 1, 2, 3, 250, 251, 252, 253],
            hash: vec![7; 32],
        };
        let text = seal.to_string();
        assert_eq!(Seal::parse(&text), Some(seal));
        for bad in [
            "",
            "three",
            &text.replace("m=19456", "m=65537"),
            &text.replace("m=19456", "m=999999999"),
            &text.replace("t=2", "t=5"),
            &text.replace("t=2", "t=0"),
            &text.replace("p=1", "p=4"),
            &text[..text.len() - 1],
            &text.replace("argon2id", "md5"),
            &text.replace("int", "\u{e9}t"),
            &format!("{text} 00"),
            &text.replace("00", "\u{e9}"),
        ] {
            assert_eq!(Seal::parse(bad), None, "{bad}");
        }
    }
}
