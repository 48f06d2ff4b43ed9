//! Seals answers. Input: the canonical text of an answer; output: a slow salted hash of it (Argon2id: Biryukov, Dinu,
//! Khovratovich 2016; RFC 9106), and whether another answer has the same hash. This deters peeking, not attack: the answers
//! of homework are few, and trying them all finds the right one.

use crate::model::Seal;
use argon2::{Algorithm, Argon2, Params, Version};

/// Memory for one hash in kibibytes: the first choice of the OWASP's list of 2023.
const MEMORY: u32 = 19_456;
/// The number of passes.
const PASSES: u32 = 2;
/// The length of a salt in bytes.
const SALT: usize = 16;
/// The length of a hash in bytes.
const HASH: usize = 32;

/// The hash; `None` if there is not enough memory.
fn hash(memory: u32, passes: u32, length: usize, text: &str, salt: &[u8]) -> Option<Vec<u8>> {
    let params = Params::new(memory, passes, 1, Some(length)).ok()?;
    let mut out = vec![0; length];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into(text.as_bytes(), salt, &mut out)
        .ok()?;
    Some(out)
}

/// Seals an answer of a kind. The salt is derived from the question, so that a file always gives the same seals, while equal
/// answers to two questions get different seals.
#[must_use]
pub fn seal(question: &str, kind: &str, answer: &str) -> Option<Seal> {
    let salt = hash(8, 1, SALT, question, b"cgdsl question 1")?;
    let hash = hash(MEMORY, PASSES, HASH, answer, &salt)?;
    Some(Seal {
        kind: kind.to_owned(),
        memory: MEMORY,
        passes: PASSES,
        salt,
        hash,
    })
}

/// Whether this is the answer that was sealed; `None` if there is not enough memory to tell.
#[must_use]
pub fn opens(seal: &Seal, answer: &str) -> Option<bool> {
    let found = hash(
        seal.memory,
        seal.passes,
        seal.hash.len(),
        answer,
        &seal.salt,
    )?;
    Some(found == seal.hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_opens_and_no_other() {
        let a = seal("What is 3 + 5?", "int", "6").expect("memory");
        let b = seal("What is 1 + 7?", "int", "6").expect("memory");
        assert_ne!(a.hash, b.hash);
        assert_eq!(seal("What is 3 + 5?", "int", "6"), Some(a.clone()));
        assert_eq!(Seal::parse(&a.to_string()), Some(a.clone()));
        assert_eq!((opens(&a, "6"), opens(&a, "8")), (Some(true), Some(false)));
    }
}
