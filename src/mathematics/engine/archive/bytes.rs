//! The bytes of an archive. Input: a value or a form, its bases by their numbers; output: bytes, and back. Bytes may be wrong.
//!
//! An item is a number plus ups plus a nimber (a first byte 0), or the number of a base plus a number (a first byte 1). A form is
//! two lists of items, its options, in ascending order of their bytes. All integers are written byte by byte, the lowest first,
//! so the format does not depend on the machine.

use num_bigint::BigInt;

use crate::value::{Number, NumberUpStar};

/// The greatest exponent of 2 in the denominator of a stored number.
const MOST_HALVINGS: u32 = 1 << 16;

/// The greatest nimber of a part: a part has fewer moves than this, and no greater nimber than it has moves.
const MOST_NIMBER: u32 = (1 << 31) - 1;

/// The first byte of an item: a number plus ups plus a nimber, or a base plus a number.
const CLOSED: u8 = 0;
const GENERAL: u8 = 1;

/// A form in the archive's format.
pub(super) enum Item {
    Closed(NumberUpStar),
    General(u64, Number),
}

impl Item {
    /// Appends the item; `None` if a denominator is too large.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) -> Option<()> {
        match self {
            Item::Closed(value) => {
                bytes.push(CLOSED);
                write_number(bytes, &value.number)?;
                write_unsigned(bytes, (value.ups << 1 ^ value.ups >> 63) as u64);
                write_unsigned(bytes, u64::from(value.nimber));
            }
            Item::General(base, number) => {
                bytes.push(GENERAL);
                write_unsigned(bytes, *base);
                write_number(bytes, number)?;
            }
        }
        Some(())
    }

    /// The item with another number of its base, as bytes.
    fn renumbered(self, renumber: Renumber<'_>) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let item = match self {
            Item::General(base, number) => Item::General(renumber(base)?, number),
            closed => closed,
        };
        item.write(&mut bytes)?;
        Some(bytes)
    }
}

/// The options of a form as bytes: sorted, so that their order is the same in every run.
pub(super) fn write_sides(sides: [Vec<Vec<u8>>; 2]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for mut items in sides {
        items.sort_unstable();
        write_unsigned(&mut bytes, items.len() as u64);
        bytes.extend(items.into_iter().flatten());
    }
    bytes
}

/// What the number of a form becomes in another archive; `None` for a number that is not allowed.
pub type Renumber<'r> = &'r dyn Fn(u64) -> Option<u64>;

/// A stored value with other numbers of forms; `None` if it cannot be decoded.
#[must_use]
pub fn renumbered_value(bytes: &[u8], renumber: Renumber<'_>) -> Option<Vec<u8>> {
    let mut rest = bytes;
    let item = read_item(&mut rest).filter(|_| rest.is_empty())?;
    item.renumbered(renumber)
}

/// A stored form with other numbers of forms, its options in the order that these numbers ask for; `None` if it cannot be
/// decoded.
#[must_use]
pub fn renumbered_form(bytes: &[u8], renumber: Renumber<'_>) -> Option<Vec<u8>> {
    let side = |items: Vec<Item>| items.into_iter().map(|i| i.renumbered(renumber)).collect();
    let [left, right]: [Option<Vec<Vec<u8>>>; 2] = read_sides(bytes)?.map(side);
    Some(write_sides([left?, right?]))
}

/// A stored nimber; `None` if it cannot be decoded, or if no part can have it.
#[must_use]
pub fn read_nimber(bytes: &[u8]) -> Option<u32> {
    let mut rest = bytes;
    let nimber = u32::try_from(read_unsigned(&mut rest)?).ok()?;
    (rest.is_empty() && nimber <= MOST_NIMBER).then_some(nimber)
}

pub(super) fn read_sides(bytes: &[u8]) -> Option<[Vec<Item>; 2]> {
    let mut rest = bytes;
    let mut sides: [Vec<Item>; 2] = Default::default();
    for side in &mut sides {
        let count = read_unsigned(&mut rest)?;
        // Each item takes at least two bytes.
        if count > rest.len() as u64 {
            return None;
        }
        for _ in 0..count {
            side.push(read_item(&mut rest)?);
        }
    }
    rest.is_empty().then_some(sides)
}

pub(super) fn read_item(rest: &mut &[u8]) -> Option<Item> {
    let (kind, tail) = rest.split_first()?;
    *rest = tail;
    match *kind {
        CLOSED => {
            let number = read_number(rest)?;
            let ups = read_unsigned(rest)?;
            let nimber = u32::try_from(read_unsigned(rest)?).ok()?;
            Some(Item::Closed(NumberUpStar {
                number,
                ups: (ups >> 1) as i64 ^ -((ups & 1) as i64),
                nimber,
            }))
        }
        GENERAL => {
            let number = read_unsigned(rest)?;
            Some(Item::General(number, read_number(rest)?))
        }
        _ => None,
    }
}

fn write_number(bytes: &mut Vec<u8>, x: &Number) -> Option<()> {
    if x.exponent() > MOST_HALVINGS {
        return None;
    }
    let numerator = x.numerator().to_signed_bytes_le();
    write_unsigned(bytes, u64::from(x.exponent()));
    write_unsigned(bytes, numerator.len() as u64);
    bytes.extend(numerator);
    Some(())
}

fn read_number(rest: &mut &[u8]) -> Option<Number> {
    let exponent = u32::try_from(read_unsigned(rest)?).ok()?;
    if exponent > MOST_HALVINGS {
        return None;
    }
    let len = usize::try_from(read_unsigned(rest)?).ok()?;
    let (numerator, tail) = rest.split_at_checked(len)?;
    *rest = tail;
    Some(Number::from_big(
        BigInt::from_signed_bytes_le(numerator),
        exponent,
    ))
}

pub(super) fn write_unsigned(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        bytes.push((n & 0x7f) as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
}

fn read_unsigned(rest: &mut &[u8]) -> Option<u64> {
    let mut n = 0u64;
    for shift in (0..64).step_by(7) {
        let (byte, tail) = rest.split_first()?;
        *rest = tail;
        let part = u64::from(byte & 0x7f);
        if part << shift >> shift != part {
            return None;
        }
        n |= part << shift;
        if byte & 0x80 == 0 {
            return Some(n);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::read_value;
    use super::*;
    use crate::value::Forms;
    use crate::value::notation::{self, Style, print};

    #[test]
    fn integers_come_back() {
        for n in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            write_unsigned(&mut bytes, n);
            assert_eq!(read_unsigned(&mut &bytes[..]), Some(n));
            assert_eq!(read_unsigned(&mut &bytes[..bytes.len() - 1]), None);
        }
        assert_eq!(read_unsigned(&mut &[0xff; 10][..]), None);
    }

    /// `n / 2^exponent` plus ups plus a nimber, as an item.
    fn closed(numerator: &[u8], exponent: u64, ups: u64, nimber: u64) -> Vec<u8> {
        let mut bytes = vec![CLOSED];
        write_unsigned(&mut bytes, exponent);
        write_unsigned(&mut bytes, numerator.len() as u64);
        bytes.extend(numerator);
        write_unsigned(&mut bytes, ups);
        write_unsigned(&mut bytes, nimber);
        bytes
    }

    #[test]
    fn items_are_read_as_they_are_written() {
        let none = |_: u64| None;
        let no_forms = |_: u64| None;
        let forms = Forms::new();
        for (bytes, text) in [
            (closed(&[0], 0, 0, 0), "0"),
            (closed(&[7], 3, 0, 0), "7/8"),
            (closed(&[0xf9], 3, 0, 0), "-7/8"),
            (closed(&[0, 0x80], 0, 0, 0), "-32768"),
            (closed(&[0, 0x80, 0], 0, 0, 0), "32768"),
            (closed(&[3], 0, 2, 2), "3^*2"),
            (closed(&[0], 0, 1, 0), "v"),
        ] {
            let value = read_value(&bytes, &no_forms, &forms).unwrap().expect(text);
            assert_eq!(print(&forms, value, Style::Ascii), text);
            // There is no form in it to be numbered.
            assert_eq!(renumbered_value(&bytes, &none), Some(bytes.clone()));
            for end in 0..bytes.len() {
                assert_eq!(renumbered_value(&bytes[..end], &none), None, "{text} {end}");
            }
            let mut long = bytes;
            long.push(0);
            assert_eq!(renumbered_value(&long, &none), None);
        }
        assert_eq!(read_nimber(&[0x80, 0x80, 0x80, 0x80, 0x08]), None);
        assert_eq!(read_nimber(&[3]), Some(3));
    }

    #[test]
    fn options_are_sorted_by_their_new_numbers() {
        let one = |n: u64| -> Vec<u8> { [vec![GENERAL, n as u8], vec![0, 1, 0]].concat() };
        let old = [vec![2], one(4), one(6), vec![0]].concat();
        let new = [vec![2], one(1), one(9), vec![0]].concat();
        let renumber = |n: u64| match n {
            4 => Some(9),
            6 => Some(1),
            _ => None,
        };
        assert_eq!(renumbered_form(&old, &renumber), Some(new.clone()));
        assert_eq!(renumbered_form(&new, &renumber), None);
    }

    #[test]
    fn a_value_is_built_from_its_forms() {
        // {1|-1}, and {{1|-1}|-2} moved by a half.
        let switch = [
            vec![1],
            closed(&[1], 0, 0, 0),
            vec![1],
            closed(&[0xff], 0, 0, 0),
        ]
        .concat();
        let above = [
            vec![1],
            vec![GENERAL, 0, 0, 1, 0],
            vec![1],
            closed(&[0xfe], 0, 0, 0),
        ]
        .concat();
        let all = [switch, above];
        let bytes = |n: u64| all.get(n as usize).cloned();
        let forms = Forms::new();
        let read = |item: &[u8]| read_value(item, &bytes, &forms);
        let same = notation::read(&forms, "{{1|-1}|-2} + 1/2").expect("a value");
        assert_eq!(read(&[GENERAL, 1, 1, 1, 1]), Ok(Some(same)));
        assert_eq!(read(&[GENERAL, 2, 0, 1, 0]), Ok(None));
        // A form that is an option of itself.
        let own = |_: u64| Some(vec![1, GENERAL, 0, 0, 1, 0, 0]);
        let found = read_value(&[GENERAL, 0, 0, 1, 0], &own, &forms);
        assert_eq!(found, Ok(None));
    }
}
