//! Sets of nimbers as words of 64 bits: nim-addition of a nimber to all members of one word.

/// `{x xor g}` for the members x of a word, by the six lowest bits of g. The other bits choose the word of the result.
#[inline]
pub(super) fn turned_word(mut word: u64, g: usize) -> u64 {
    let masks = [
        0x5555_5555_5555_5555u64,
        0x3333_3333_3333_3333,
        0x0F0F_0F0F_0F0F_0F0F,
        0x00FF_00FF_00FF_00FF,
        0x0000_FFFF_0000_FFFF,
        0x0000_0000_FFFF_FFFF,
    ];
    for (k, mask) in masks.into_iter().enumerate() {
        if g >> k & 1 == 1 {
            word = (word & mask) << (1 << k) | (word >> (1 << k)) & mask;
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::turned_word;

    #[test]
    fn each_member_is_turned() {
        for g in 0..64 {
            for x in 0..64 {
                assert_eq!(turned_word(1 << x, g), 1 << (x ^ g));
            }
        }
    }
}
