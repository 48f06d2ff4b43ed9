//! The bytes of a stored value, as `engine::archive` writes them: their forms get the numbers of another store, or the value
//! is built to be shown and compared. Input: bytes that may be wrong; output: bytes, or a canonical form.
//!
//! An item is a number plus ups plus a nimber (a first byte 0), or the number of a base plus a number (a first byte 1). A form
//! is two lists of items, its options, in ascending order of their bytes.

use crate::value::notation::{Style, print};
use crate::value::{CanonicalForm, Forms, Number, NumberUpStar};
use rustc_hash::FxHashMap;

/// The first byte of an item.
const CLOSED: u8 = 0;
const GENERAL: u8 = 1;

/// The greatest nimber of a component.
const MOST_NIMBER: u64 = (1 << 31) - 1;

/// The longest numerator that is shown, in bytes; the greatest exponent of 2 in a denominator.
const LONGEST: usize = 1 << 10;
const MOST_HALVINGS: u64 = 1 << 16;

/// The most characters of a value that are shown, the memory to build it, and the most forms in it.
const MOST_SHOWN: usize = 200;
const MEMORY: usize = 64 << 20;
const MOST_FORMS: usize = 1 << 16;

fn write_unsigned(bytes: &mut Vec<u8>, mut n: u64) {
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

/// The exponent and the numerator of a number, as bytes in two's complement, the lowest first.
fn read_number<'b>(rest: &mut &'b [u8]) -> Option<(u64, &'b [u8])> {
    let exponent = read_unsigned(rest)?;
    let length = usize::try_from(read_unsigned(rest)?).ok()?;
    let (numerator, tail) = rest.split_at_checked(length)?;
    *rest = tail;
    (exponent <= MOST_HALVINGS).then_some((exponent, numerator))
}

/// An item that was read.
enum Item<'b> {
    /// A number, ups and a nimber.
    Closed((u64, &'b [u8]), u64, u32),
    /// The number of a base, and a number.
    General(u64, (u64, &'b [u8])),
}

fn read_item<'b>(rest: &mut &'b [u8]) -> Option<Item<'b>> {
    let (kind, tail) = rest.split_first()?;
    *rest = tail;
    match *kind {
        CLOSED => {
            let number = read_number(rest)?;
            let ups = read_unsigned(rest)?;
            let nimber = u32::try_from(read_unsigned(rest)?).ok()?;
            Some(Item::Closed(number, ups, nimber))
        }
        GENERAL => Some(Item::General(read_unsigned(rest)?, read_number(rest)?)),
        _ => None,
    }
}

fn read_sides(bytes: &[u8]) -> Option<[Vec<Item<'_>>; 2]> {
    let mut rest = bytes;
    let mut sides: [Vec<Item<'_>>; 2] = Default::default();
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

/// What each number of a form becomes; `None` for a number that is not allowed.
pub(super) type Renumber<'r> = &'r dyn Fn(u64) -> Option<u64>;

fn renumbered(item: &Item<'_>, renumber: Renumber<'_>) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let number = |bytes: &mut Vec<u8>, (exponent, numerator): (u64, &[u8])| {
        write_unsigned(bytes, exponent);
        write_unsigned(bytes, numerator.len() as u64);
        bytes.extend(numerator);
    };
    match *item {
        Item::Closed(x, ups, nimber) => {
            bytes.push(CLOSED);
            number(&mut bytes, x);
            write_unsigned(&mut bytes, ups);
            write_unsigned(&mut bytes, u64::from(nimber));
        }
        Item::General(base, x) => {
            bytes.push(GENERAL);
            write_unsigned(&mut bytes, renumber(base)?);
            number(&mut bytes, x);
        }
    }
    Some(bytes)
}

/// A value with other numbers of forms; `None` if it cannot be read.
pub(super) fn value(bytes: &[u8], renumber: Renumber<'_>) -> Option<Vec<u8>> {
    let mut rest = bytes;
    let item = read_item(&mut rest)?;
    rest.is_empty().then(|| renumbered(&item, renumber))?
}

/// A form with other numbers of forms, its options in the order that these numbers ask for; `None` if it cannot be read.
pub(super) fn form(bytes: &[u8], renumber: Renumber<'_>) -> Option<Vec<u8>> {
    let mut written = Vec::with_capacity(bytes.len());
    for side in read_sides(bytes)? {
        let items: Option<Vec<Vec<u8>>> = side.iter().map(|i| renumbered(i, renumber)).collect();
        let mut items = items?;
        items.sort_unstable();
        write_unsigned(&mut written, items.len() as u64);
        written.extend(items.into_iter().flatten());
    }
    Some(written)
}

/// A nimber that a component can have.
pub(super) fn nimber(bytes: &[u8]) -> Option<u64> {
    let mut rest = bytes;
    let nimber = read_unsigned(&mut rest)?;
    (rest.is_empty() && nimber <= MOST_NIMBER).then_some(nimber)
}

/// Values of one store, built from their bytes.
pub(super) struct Built<'b> {
    forms: Forms,
    known: FxHashMap<u64, CanonicalForm>,
    /// The bytes of a form.
    bytes: &'b dyn Fn(u64) -> Option<Vec<u8>>,
}

impl<'b> Built<'b> {
    pub(super) fn new(bytes: &'b dyn Fn(u64) -> Option<Vec<u8>>) -> Built<'b> {
        Built {
            forms: Forms::with_limit(MEMORY),
            known: FxHashMap::default(),
            bytes,
        }
    }

    /// A value; `None` if it cannot be read, or is too large.
    pub(super) fn value(&mut self, bytes: &[u8]) -> Option<CanonicalForm> {
        let mut rest = bytes;
        let item = read_item(&mut rest).filter(|_| rest.is_empty())?;
        let mut open: Vec<u64> = Vec::new();
        open.extend(self.unknown(&item));
        while let Some(&number) = open.last() {
            let bytes = (self.bytes)(number)?;
            let sides = read_sides(&bytes)?;
            let next = sides.iter().flatten().find_map(|i| self.unknown(i));
            match next {
                // Options have smaller numbers, so this ends.
                Some(next) if next < number && open.len() < MOST_FORMS => open.push(next),
                Some(_) => return None,
                None => {
                    let mut built: [Vec<CanonicalForm>; 2] = Default::default();
                    for (side, items) in built.iter_mut().zip(&sides) {
                        for item in items {
                            side.push(self.item(item)?);
                        }
                    }
                    let form = self.forms.from_options(&built[0], &built[1]).ok()?;
                    self.known.insert(number, form);
                    open.pop();
                }
            }
        }
        self.item(&item)
    }

    /// A value as it is written, shortened if it is long.
    pub(super) fn text(&self, value: CanonicalForm) -> String {
        let text = print(&self.forms, value, Style::Ascii);
        match text.char_indices().nth(MOST_SHOWN) {
            Some((at, _)) => format!("{}..", &text[..at]),
            None => text,
        }
    }

    /// The number of the base of an item, if it is not built yet.
    fn unknown(&self, item: &Item<'_>) -> Option<u64> {
        match item {
            Item::General(base, _) if !self.known.contains_key(base) => Some(*base),
            _ => None,
        }
    }

    fn item(&self, item: &Item<'_>) -> Option<CanonicalForm> {
        match *item {
            Item::Closed(x, ups, nimber) => self
                .forms
                .number_up_star(&NumberUpStar {
                    number: number(x)?,
                    ups: (ups >> 1) as i64 ^ -((ups & 1) as i64),
                    nimber,
                })
                .ok(),
            Item::General(base, x) => {
                let x = self.forms.number(&number(x)?).ok()?;
                self.forms.add(*self.known.get(&base)?, x).ok()
            }
        }
    }
}

fn number((exponent, numerator): (u64, &[u8])) -> Option<Number> {
    if numerator.len() > LONGEST {
        return None;
    }
    let digits = numerator.iter().rev();
    let mut x = digits.fold(Number::default(), |x, byte| {
        &x.scale(8) + &Number::from(i64::from(*byte))
    });
    if numerator.last().is_some_and(|byte| *byte >= 0x80) {
        x = &x - &Number::from(1).scale(i32::try_from(8 * numerator.len()).ok()?);
    }
    Some(x.scale(-i32::try_from(exponent).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let mut built = Built::new(&no_forms);
        for (bytes, text) in [
            (closed(&[0], 0, 0, 0), "0"),
            (closed(&[7], 3, 0, 0), "7/8"),
            (closed(&[0xf9], 3, 0, 0), "-7/8"),
            (closed(&[0, 0x80], 0, 0, 0), "-32768"),
            (closed(&[0, 0x80, 0], 0, 0, 0), "32768"),
            (closed(&[3], 0, 2, 2), "3^*2"),
            (closed(&[0], 0, 1, 0), "v"),
        ] {
            let value = built.value(&bytes).expect(text);
            assert_eq!(built.text(value), text);
            // There is no form in it to be numbered.
            assert_eq!(super::value(&bytes, &none), Some(bytes.clone()));
            for end in 0..bytes.len() {
                assert_eq!(super::value(&bytes[..end], &none), None, "{text} {end}");
            }
            let mut long = bytes;
            long.push(0);
            assert_eq!(super::value(&long, &none), None);
        }
        assert_eq!(nimber(&[0x80, 0x80, 0x80, 0x80, 0x08]), None);
        assert_eq!(nimber(&[3]), Some(3));
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
        assert_eq!(form(&old, &renumber), Some(new.clone()));
        assert_eq!(form(&new, &renumber), None);
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
        let mut built = Built::new(&bytes);
        let value = built.value(&[GENERAL, 1, 1, 1, 1]).expect("a value");
        let forms = Forms::new();
        let same = crate::value::notation::read(&forms, "{{1|-1}|-2} + 1/2").expect("a value");
        assert_eq!(built.text(value), print(&forms, same, Style::Ascii));
        assert!(built.value(&[GENERAL, 2, 0, 1, 0]).is_none());
        // A form that is an option of itself.
        let own = |_: u64| Some(vec![1, GENERAL, 0, 0, 1, 0, 0]);
        assert!(Built::new(&own).value(&[GENERAL, 0, 0, 1, 0]).is_none());
    }
}
