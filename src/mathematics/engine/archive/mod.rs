//! Values kept between runs. An [`Archive`] stores canonical forms and nimbers as bytes, under keys that mean the same in
//! every process. How an archive stores them (a file, a map) is up to the caller.
//!
//! A canonical form is a number plus ups plus a nimber, or a base (a form whose right stop is 0) plus a number (Siegel,
//! *Combinatorial Game Theory*, II.3.22). Each base is stored once, under a number that the archive assigns, as the lists
//! of its options; their bases have smaller numbers. Handles of the arena are never stored, since they mean nothing to
//! another run (`bytes` has the format).

mod bytes;

use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use rustc_hash::FxHashMap;

use super::account::Account;
use crate::game::{Game, Limit};
use crate::value::{CanonicalForm, Forms, OutOfMemory};
use bytes::{Item, read_item, read_sides, write_sides, write_unsigned};
pub use bytes::{Renumber, read_nimber, renumbered_form, renumbered_value};

/// The kinds of values in an archive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shelf {
    /// Canonical forms.
    Values,
    /// Nimbers.
    Nimbers,
}

/// A store of values that outlives a run. Several threads may call it at once.
pub trait Archive: Send + Sync + Debug {
    /// A number for rules, the same in every run for equal texts; `None` if nothing can be stored for them.
    fn rules(&self, text: &[u8]) -> Option<u32>;
    /// The bytes stored under a key.
    fn get(&self, shelf: Shelf, key: &[u8]) -> Option<Vec<u8>>;
    /// Stores bytes under a key.
    fn put(&self, shelf: Shelf, key: &[u8], value: &[u8]);
    /// The form with a number.
    fn form(&self, number: u64) -> Option<Vec<u8>>;
    /// The number of a form, a new one if it has none yet; new numbers are greater than all earlier ones.
    fn number(&self, form: &[u8]) -> Option<u64>;
    /// Reports that an entry could not be decoded: nothing in the archive is to be trusted.
    fn distrust(&self);
    /// Whether the archive stores what is put into it. Nothing is put into one that does not.
    fn keeps(&self) -> bool {
        true
    }
}

#[derive(Debug, Default)]
struct Known {
    /// By the number that the rules have in this process.
    rules: FxHashMap<u32, Option<u32>>,
    numbers: FxHashMap<CanonicalForm, u64>,
    forms: FxHashMap<u64, CanonicalForm>,
    noted: usize,
}

/// An archive in use by one engine.
#[derive(Debug)]
pub(crate) struct Library {
    archive: Arc<dyn Archive>,
    known: Mutex<Known>,
    /// How many parts were found in the archive, and how many were put into it.
    pub(crate) found: AtomicU64,
    pub(crate) kept: AtomicU64,
}

fn memory(_: OutOfMemory) -> Limit {
    Limit::Memory
}

impl Library {
    pub(crate) fn new(archive: Arc<dyn Archive>) -> Library {
        Library {
            archive,
            known: Mutex::default(),
            found: AtomicU64::new(0),
            kept: AtomicU64::new(0),
        }
    }

    /// Writes a key in the archive's format; false if it means nothing outside of this process.
    pub(crate) fn key<G: Game>(&self, game: &G, key: &G::Key, bytes: &mut Vec<u8>) -> bool {
        bytes.clear();
        bytes.extend([0; 4]);
        let Some(number) = game.portable(key, bytes) else {
            return false;
        };
        let mut known = self.known.lock().unwrap_or_else(|e| e.into_inner());
        let rules = *known
            .rules
            .entry(number)
            .or_insert_with(|| self.archive.rules(&game.rules_text(number)));
        let Some(rules) = rules else {
            return false;
        };
        bytes[..4].copy_from_slice(&rules.to_be_bytes());
        true
    }

    pub(crate) fn nimber(&self, key: &[u8]) -> Option<u32> {
        let nimber = read_nimber(&self.archive.get(Shelf::Nimbers, key)?);
        match nimber {
            Some(_) => {
                self.found.fetch_add(1, Ordering::Relaxed);
            }
            None => self.archive.distrust(),
        }
        nimber
    }

    pub(crate) fn keep_nimber(&self, key: &[u8], nimber: u32) {
        if !self.archive.keeps() {
            return;
        }
        let mut bytes = Vec::new();
        write_unsigned(&mut bytes, u64::from(nimber));
        self.archive.put(Shelf::Nimbers, key, &bytes);
        self.kept.fetch_add(1, Ordering::Relaxed);
    }

    /// The value stored under a key.
    pub(crate) fn value(
        &self,
        key: &[u8],
        forms: &Forms,
        account: &Account,
    ) -> Result<Option<CanonicalForm>, Limit> {
        let Some(bytes) = self.archive.get(Shelf::Values, key) else {
            return Ok(None);
        };
        let mut known = self.known.lock().unwrap_or_else(|e| e.into_inner());
        let value = known.read(&bytes, &|number| self.archive.form(number), forms)?;
        known.note(account);
        match value {
            Some(_) => self.found.fetch_add(1, Ordering::Relaxed),
            None => {
                self.archive.distrust();
                0
            }
        };
        Ok(value)
    }

    /// Stores a value under a key.
    pub(crate) fn keep_value(
        &self,
        key: &[u8],
        value: CanonicalForm,
        forms: &Forms,
        account: &Account,
    ) {
        if !self.archive.keeps() {
            return;
        }
        let mut known = self.known.lock().unwrap_or_else(|e| e.into_inner());
        let mut bytes = Vec::new();
        if self.number_bases(&mut known, value, forms).is_some()
            && known.write(&mut bytes, value, forms).is_some()
        {
            self.archive.put(Shelf::Values, key, &bytes);
            self.kept.fetch_add(1, Ordering::Relaxed);
        }
        known.note(account);
    }

    // Assigns a number to every base in a form, to those of its options first.
    fn number_bases(&self, known: &mut Known, value: CanonicalForm, forms: &Forms) -> Option<()> {
        let Some((base, _)) = forms.base_and_number(value) else {
            return Some(());
        };
        let mut stack = vec![base];
        while let Some(&base) = stack.last() {
            if known.numbers.contains_key(&base) {
                stack.pop();
                continue;
            }
            let (left, right) = forms.base_options(base);
            let before = stack.len();
            for option in left.iter().chain(right) {
                if let Some((b, _)) = forms.base_and_number(*option)
                    && !known.numbers.contains_key(&b)
                {
                    stack.push(b);
                }
            }
            if stack.len() > before {
                continue;
            }
            let item = |option: &CanonicalForm| {
                let mut item = Vec::new();
                known.write(&mut item, *option, forms)?;
                Some(item)
            };
            let side = |options: &[CanonicalForm]| options.iter().map(item).collect();
            let sides: [Option<Vec<Vec<u8>>>; 2] = [side(left), side(right)];
            let [left, right] = sides;
            let number = self.archive.number(&write_sides([left?, right?]))?;
            known.numbers.insert(base, number);
            known.forms.insert(number, base);
            stack.pop();
        }
        Some(())
    }
}

/// The bytes of the form with a number.
pub type FormOf<'f> = &'f dyn Fn(u64) -> Option<Vec<u8>>;

/// The value that some bytes of an archive stand for; `None` if they, or the bytes of a form in it, cannot be decoded.
///
/// # Errors
/// The arena is full.
pub fn read_value(
    bytes: &[u8],
    form: FormOf<'_>,
    forms: &Forms,
) -> Result<Option<CanonicalForm>, Limit> {
    Known::default().read(bytes, form, forms)
}

impl Known {
    fn read(
        &mut self,
        bytes: &[u8],
        form: FormOf<'_>,
        forms: &Forms,
    ) -> Result<Option<CanonicalForm>, Limit> {
        let mut rest = bytes;
        match read_item(&mut rest).filter(|_| rest.is_empty()) {
            Some(item) => self.build(item, form, forms),
            None => Ok(None),
        }
    }

    // The form that an item stands for; `None` if the archive cannot be decoded.
    fn build(
        &mut self,
        item: Item,
        form: FormOf<'_>,
        forms: &Forms,
    ) -> Result<Option<CanonicalForm>, Limit> {
        let mut open: Vec<(u64, [Vec<Item>; 2])> = Vec::new();
        let wanted = |known: &Known, item: &Item| match item {
            Item::General(number, _) if !known.forms.contains_key(number) => Some(*number),
            _ => None,
        };
        let mut next = wanted(self, &item);
        loop {
            if let Some(number) = next {
                // Options have smaller numbers, so this ends.
                if open.last().is_some_and(|(above, _)| number >= *above) {
                    return Ok(None);
                }
                let sides = form(number).and_then(|b| read_sides(&b));
                let Some(sides) = sides else {
                    return Ok(None);
                };
                open.push((number, sides));
            }
            let Some((number, sides)) = open.last() else {
                break;
            };
            next = sides.iter().flatten().find_map(|i| wanted(self, i));
            if next.is_some() {
                continue;
            }
            let number = *number;
            let mut built: [Vec<CanonicalForm>; 2] = Default::default();
            for (side, items) in built.iter_mut().zip(sides) {
                for item in items {
                    match self.form(item, forms)? {
                        Some(form) => side.push(form),
                        None => return Ok(None),
                    }
                }
            }
            let form = forms.from_options(&built[0], &built[1]).map_err(memory)?;
            self.forms.insert(number, form);
            if form.is_base() {
                self.numbers.insert(form, number);
            }
            open.pop();
        }
        self.form(&item, forms)
    }

    fn note(&mut self, account: &Account) {
        // The bytes of a slot of each table, which is at most three quarters full.
        let bytes = 24 * (self.numbers.capacity() + self.forms.capacity());
        account.note(self.noted, bytes);
        self.noted = bytes;
    }

    fn form(&self, item: &Item, forms: &Forms) -> Result<Option<CanonicalForm>, Limit> {
        Ok(match item {
            Item::Closed(value) => Some(forms.number_up_star(value).map_err(memory)?),
            Item::General(number, x) => match self.forms.get(number) {
                Some(base) => {
                    let x = forms.number(x).map_err(memory)?;
                    Some(forms.add(*base, x).map_err(memory)?)
                }
                None => None,
            },
        })
    }

    // If the value has a base, that base must have a number.
    fn write(&self, bytes: &mut Vec<u8>, value: CanonicalForm, forms: &Forms) -> Option<()> {
        let item = match forms.base_and_number(value) {
            Some((base, number)) => Item::General(*self.numbers.get(&base)?, number),
            None => Item::Closed(forms.as_number_up_star(value)?),
        };
        item.write(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive in memory.
    #[derive(Debug, Default)]
    struct Map {
        forms: Mutex<Vec<Vec<u8>>>,
        values: Mutex<FxHashMap<(Shelf, Vec<u8>), Vec<u8>>>,
        distrusted: AtomicU64,
    }

    impl Archive for Map {
        fn rules(&self, _: &[u8]) -> Option<u32> {
            Some(1)
        }
        fn get(&self, shelf: Shelf, key: &[u8]) -> Option<Vec<u8>> {
            let values = self.values.lock().unwrap();
            values.get(&(shelf, key.to_vec())).cloned()
        }
        fn put(&self, shelf: Shelf, key: &[u8], value: &[u8]) {
            let mut values = self.values.lock().unwrap();
            values.insert((shelf, key.to_vec()), value.to_vec());
        }
        fn form(&self, number: u64) -> Option<Vec<u8>> {
            let forms = self.forms.lock().unwrap();
            forms.get(usize::try_from(number).ok()?).cloned()
        }
        fn number(&self, form: &[u8]) -> Option<u64> {
            let mut forms = self.forms.lock().unwrap();
            let at = forms.iter().position(|f| f == form).unwrap_or_else(|| {
                forms.push(form.to_vec());
                forms.len() - 1
            });
            Some(at as u64)
        }
        fn distrust(&self) {
            self.distrusted.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn forms_come_back_into_another_arena() {
        let archive = Arc::new(Map::default());
        let texts = [
            "0",
            "-7/8",
            "1/1048576",
            "3^*2",
            "{1|-1}",
            "{3||2|-1/2}",
            "{{2|0},{2||2|0}|Miny(2)}",
            "5+{1|-1}+{7||3|0}",
            "{0|v*}",
            "1000000000000000000000000000000",
            "{1000000000000000000000|0}",
        ];
        let account = Account::new(1 << 30);
        let first = Forms::new();
        let library = Library::new(archive.clone());
        let read = |forms: &Forms, t: &str| crate::value::notation::read(forms, t).unwrap();
        for text in texts {
            let value = read(&first, text);
            library.keep_value(text.as_bytes(), value, &first, &account);
        }
        let kept = archive.forms.lock().unwrap().len();
        for (round, order) in [texts.to_vec(), texts.iter().rev().copied().collect()]
            .into_iter()
            .enumerate()
        {
            let second = Forms::new();
            let library = Library::new(archive.clone());
            for text in order {
                if round == 1 {
                    // Forms that are found in another order keep their numbers.
                    library.keep_value(b"again", read(&second, text), &second, &account);
                }
                let value = library.value(text.as_bytes(), &second, &account);
                assert_eq!(value.unwrap(), Some(read(&second, text)), "{text}");
            }
        }
        assert_eq!(archive.forms.lock().unwrap().len(), kept);
        assert_eq!(archive.distrusted.load(Ordering::Relaxed), 0);
        // Whatever byte is changed, nothing panics; a truncated item is refused, and so is one with something behind it.
        let values = archive.values.lock().unwrap().clone();
        for ((shelf, key), value) in values {
            for at in 0..value.len() {
                let mut bad = value.clone();
                bad[at] ^= 0x55;
                archive.put(shelf, b"bad", &bad);
                let _ = library.value(b"bad", &first, &account).unwrap();
                archive.put(shelf, b"bad", &value[..at]);
                let short = library.value(b"bad", &first, &account).unwrap();
                assert!(short.is_none(), "{key:?}");
            }
            let mut long = value;
            long.push(0);
            archive.put(shelf, b"bad", &long);
            let long = library.value(b"bad", &first, &account).unwrap();
            assert!(long.is_none(), "{key:?}");
        }
    }

    #[test]
    fn nimbers_come_back_unless_no_part_can_have_them() {
        let archive = Arc::new(Map::default());
        let library = Library::new(archive.clone());
        for n in [0, 1, 200, (1 << 31) - 1, 1 << 31, u32::MAX] {
            library.keep_nimber(b"n", n);
            let found = library.nimber(b"n");
            assert_eq!(found, (n < 1 << 31).then_some(n));
        }
        assert_eq!(archive.distrusted.load(Ordering::Relaxed), 2);
    }
}
