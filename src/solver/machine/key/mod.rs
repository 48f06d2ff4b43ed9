//! Keys of parts: parts with equal keys have isomorphic game trees, whatever the board they come from; with opposite signs,
//! one is the negative of the other.
//!
//! On boards of cells whose instances are translates of each other (checked, instance by instance), the key is the *pattern*
//! of the part's cells in their bounding box. Images under turns and reflections of the plane, combined with permutations of
//! values and the exchange of the players, share a key if they map the set of instances onto itself (checked likewise).
//! Otherwise the key is the *shape* of the part: its live instances, with variables renamed in their order and values renamed
//! relative to the current value, so that board, place and names of pieces do not matter; with the players exchanged if that
//! comes first. Parts of removal games ([`graph`]; large ones: [`walk`]) and rooted graphs have their own keys. Where none of
//! these applies, the key is the state on its board.

mod bits;
mod cells;
mod colours;
mod cubes;
mod graph;
mod items;
mod pattern;
mod shape;
mod symmetry;
mod walk;

use super::pack::{Field, Program};
use super::settings::{Planted, Settings};
use crate::game::{Shortcut, Sign};
use crate::ir::ground::Ground;
pub(super) use pattern::{Image, Pattern};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::{Arc, Mutex};
pub(super) use symmetry::{Of, symmetries};
pub(super) use walk::Links;

/// Identifies the game tree of a part; compared in full.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Key {
    /// Two words.
    Short([u64; 2]),
    /// Any number of words.
    Long(Box<[u64]>),
}

impl std::hash::Hash for Key {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        for w in self.words() {
            state.write_u64(*w);
        }
    }
}

impl Key {
    /// The words.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        match self {
            Key::Short(w) => w,
            Key::Long(w) => w,
        }
    }

    pub(super) fn new(words: &[u64]) -> Key {
        match words {
            [a] => Key::Short([*a, 0]),
            [a, b] => Key::Short([*a, *b]),
            _ => Key::Long(words.into()),
        }
    }

    /// The kind of the key.
    pub(super) fn kind(&self) -> Kind {
        match self.words().first().copied().unwrap_or(0) >> 56 {
            1 => Kind::Pattern,
            2 => Kind::Shape,
            5 => Kind::Removal,
            6 => Kind::Rooted,
            _ => Kind::State,
        }
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        match self {
            Key::Short(_) => 0,
            Key::Long(w) => 8 * w.len(),
        }
    }
}

/// What a key was made from.
pub(super) enum Kind {
    Pattern,
    Shape,
    State,
    Removal,
    Rooted,
}

// The first byte of a key gives its kind.
const PATTERN: u64 = 1 << 56;
const SHAPE: u64 = 2 << 56;
const STATE: u64 = 3 << 56;
const SUM: u64 = 4 << 56;
const REMOVAL: u64 = 5 << 56;
const ROOTED: u64 = 6 << 56;

/// The version of the keys. Increase it whenever a part gets another key or a key other words, so that stored values of one
/// version are not read by another. A test keeps a digest of some keys with it (`tests/corpus/keys.txt`).
const VERSION: u32 = 3;

/// Texts and their numbers.
#[derive(Default)]
struct Names {
    numbers: FxHashMap<Arc<[u8]>, u32>,
    texts: Vec<Arc<[u8]>>,
}

static NAMES: Mutex<Option<Names>> = Mutex::new(None);

/// A number for a text; equal texts have equal numbers for the life of the process.
pub(super) fn intern(text: Vec<u8>) -> u32 {
    let mut names = NAMES.lock().unwrap_or_else(|e| e.into_inner());
    let names = names.get_or_insert_with(Names::default);
    if let Some(number) = names.numbers.get(&text[..]) {
        return *number;
    }
    let next = u32::try_from(names.texts.len()).unwrap_or(u32::MAX);
    let text: Arc<[u8]> = text.into();
    names.texts.push(text.clone());
    names.numbers.insert(text, next);
    next
}

/// The text with a number.
fn name(number: u32) -> Option<Arc<[u8]>> {
    let names = NAMES.lock().unwrap_or_else(|e| e.into_inner());
    names.as_ref()?.texts.get(number as usize).cloned()
}

/// Numbers of rules, for values stored between runs. The number of a pattern is twice that of its name. Keys of shapes,
/// removal games and rooted graphs determine the game without further rules. States are not stored.
const SHAPES: u32 = u32::MAX;
const REMOVALS: u32 = u32::MAX - 2;
const ROOTEDS: u32 = u32::MAX - 4;

/// Appends the words of a key that have a meaning outside this process, and returns the number of its rules; see
/// [`Game::portable`](crate::game::Game::portable).
pub(super) fn portable(key: &Key, bytes: &mut Vec<u8>) -> Option<u32> {
    let (first, rest) = key.words().split_first()?;
    let rules = match key.kind() {
        Kind::Pattern => {
            bytes.extend((*first as u16).to_le_bytes());
            u32::try_from(first >> 16 & 0xffff_ffff).ok()? << 1
        }
        Kind::Shape => {
            bytes.extend((*first as u32).to_le_bytes());
            SHAPES
        }
        Kind::Removal => {
            bytes.extend((*first as u32).to_le_bytes());
            REMOVALS
        }
        Kind::Rooted => {
            bytes.extend((*first as u32).to_le_bytes());
            ROOTEDS
        }
        // The number of its board has a meaning in this process only.
        Kind::State => return None,
    };
    rest.iter()
        .for_each(|word| bytes.extend(word.to_le_bytes()));
    Some(rules)
}

/// The text of the rules with a number.
pub(super) fn rules(number: u32) -> Vec<u8> {
    let mut text = format!("keys {VERSION}\n").into_bytes();
    match number {
        SHAPES => text.extend(b"shapes"),
        REMOVALS => text.extend(b"removals"),
        ROOTEDS => text.extend(b"rooted graphs"),
        _ => {
            text.extend(b"patterns ");
            text.extend(name(number >> 1).iter().flat_map(|n| n.iter()));
        }
    }
    text
}

/// The key of a sum that was not split.
pub(super) fn sum_key(words: &[u64]) -> Key {
    let mut all = vec![SUM | words.len() as u64];
    all.extend_from_slice(words);
    Key::new(&all)
}

/// The key of a part of a removal game; the first byte of the first word must be zero, and receives the kind.
pub(super) fn removal_key(words: &mut [u64]) -> Key {
    if let Some(first) = words.first_mut() {
        *first |= REMOVAL;
    }
    Key::new(words)
}

/// The key of a rooted graph; the first byte of the first word must be zero, and receives the kind.
pub(super) fn rooted_key(words: &mut [u64]) -> Key {
    if let Some(first) = words.first_mut() {
        *first |= ROOTED;
    }
    Key::new(words)
}

/// The key of a state on its own board.
pub(super) fn state_key(board: u64, words: &[u64]) -> Key {
    // If the second of two words is half empty, the number of the board is put there.
    if let [a, b] = words
        && b >> 32 == 0
        && (1..1 << 24).contains(&board)
    {
        return Key::Short([STATE | board << 32 | b, *a]);
    }
    let mut all: SmallVec<[u64; 8]> = SmallVec::new();
    all.push(STATE | board);
    all.extend_from_slice(words);
    Key::new(&all)
}

/// A number for the states of one board, unique in the process.
pub(super) fn new_board() -> u64 {
    static BOARDS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);
    BOARDS.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
}

/// How keys of a program are computed.
#[derive(Clone, Debug)]
pub(super) struct KeyPlan {
    pub pattern: Option<Pattern>,
    /// States are their own keys: writing shapes would cost more than it saves.
    pub by_state: bool,
    pub board: u64,
    /// The field of each variable; `u16::MAX` if it has none.
    field_of: Vec<u16>,
}

impl KeyPlan {
    pub(super) fn new(ground: &Ground, fields: &[Field], settings: &Settings) -> KeyPlan {
        KeyPlan {
            pattern: if settings.has(Shortcut::Shapes) && !ground.asks() {
                Pattern::new(ground, fields, settings)
            } else {
                None
            },
            by_state: !settings.has(Shortcut::Shapes) || fields.len() > 2000,
            field_of: {
                let mut of = vec![u16::MAX; ground.vars.list.len()];
                for (i, f) in (0u16..).zip(fields) {
                    of[f.var as usize] = i;
                }
                of
            },
            board: new_board(),
        }
    }
}

impl<const N: usize> Program<N> {
    /// The key of a part.
    pub(super) fn key(&self, part: &[u64; N], settings: &Settings) -> (Key, Sign) {
        if let Some(pattern) = &self.key.pattern {
            let without = settings.planted == Some(Planted::KeysWithoutValues);
            return pattern.key(&self.fields, part, without);
        }
        if let Some(rooted) = &self.rooted {
            return rooted.key(part, settings.has(Shortcut::Symmetry));
        }
        if walk::IS_USED
            && let Some(links) = &self.links
            && let Some((live, ..)) = self.live_at_most(part, usize::MAX)
        {
            return links.key(&live, settings);
        }
        if self.key.by_state {
            return (state_key(self.key.board, part), Sign::Plus);
        }
        let (image, sign) = self.least_image(part);
        if self.asks {
            return (state_key(self.key.board, &image), sign);
        }
        match self.shape(&image, settings) {
            Some((key, own)) => (key, Sign::of_exchanged(own != sign)),
            None => (state_key(self.key.board, &image), sign),
        }
    }

    /// The key of a part as a state, without writing its shape; `None` if keys have no shapes anyway.
    pub(super) fn plain_key(&self, part: &[u64; N]) -> Option<(Key, Sign)> {
        if self.key.pattern.is_some() || self.rooted.is_some() || self.key.by_state || self.asks {
            return None;
        }
        let (image, sign) = self.least_image(part);
        Some((state_key(self.key.board, &image), sign))
    }

    /// The least image of a state under the symmetries; with the sign Minus if it exchanges the players.
    fn least_image(&self, state: &[u64; N]) -> ([u64; N], Sign) {
        let all = self.images.iter();
        all.fold((*state, Sign::Plus), |least, images| {
            images.least_from(state, least)
        })
    }
}

/// A generator of numbers for tests (G. Marsaglia, *Xorshift RNGs*, 2003).
#[cfg(test)]
fn next(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}
