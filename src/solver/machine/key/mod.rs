//! Keys of parts: equal keys have isomorphic game trees, whatever the board they come from.
//!
//! Two kinds. On boards of cells whose instances are the same wherever they fit (checked, instance by instance), a part
//! is the pattern of its cells in their bounding box; images under the turns and reflections of the plane, together with
//! permutations of values and the exchange of the players, share a key where they map the set of instances onto itself
//! (checked likewise). Else a part is written out: its live instances with the variables in play renamed in their order and
//! their values renamed by what they are now, so that it matters neither which board the part lies on nor where nor what
//! its pieces are called; with the players exchanged if that comes first.

mod graph;
mod pattern;
mod shape;
mod symmetry;

use super::pack::{Field, Program};
use super::settings::{Planted, Settings};
use crate::game::{Shortcut, Sign};
use crate::ir::ground::Ground;
pub(super) use pattern::{Image, Pattern};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::{Arc, Mutex};
pub(super) use symmetry::{Turn, symmetries};

/// What identifies the game tree of a part; compared in full.
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

    /// Which kind of key it is.
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

/// What a key was made of.
pub(super) enum Kind {
    Pattern,
    Shape,
    State,
    Removal,
    Rooted,
}

// The first byte of a key says which kind it is.
const PATTERN: u64 = 1 << 56;
const SHAPE: u64 = 2 << 56;
const STATE: u64 = 3 << 56;
const SUM: u64 = 4 << 56;
const REMOVAL: u64 = 5 << 56;
const ROOTED: u64 = 6 << 56;

/// What the keys of this version say: another number whenever a part gets another key, or a key other words, so that values
/// kept by one version are not taken for those of another. A test holds a digest of some keys beside it (`tests/corpus/keys.txt`).
const VERSION: u32 = 2;

/// Texts and their numbers.
#[derive(Default)]
struct Names {
    numbers: FxHashMap<Arc<[u8]>, u32>,
    texts: Vec<Arc<[u8]>>,
}

static NAMES: Mutex<Option<Names>> = Mutex::new(None);

/// A number for a text, the same for equal texts as long as the process runs.
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

/// Numbers of rules, for what is kept between runs: those of patterns are twice the number of their name; shapes and games of
/// removal need no rules beside them; a state is one of a board.
const SHAPES: u32 = u32::MAX;
const REMOVALS: u32 = u32::MAX - 2;
const ROOTEDS: u32 = u32::MAX - 4;

/// What a key means outside of this process: appends its words, and says of which rules; see
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
        // Of a board that has its number in this process only.
        Kind::State => return None,
    };
    rest.iter()
        .for_each(|word| bytes.extend(word.to_le_bytes()));
    Some(rules)
}

/// The text of rules by their number.
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

/// A key of a sum that was not taken apart.
pub(super) fn sum_key(words: &[u64]) -> Key {
    let mut all = vec![SUM | words.len() as u64];
    all.extend_from_slice(words);
    Key::new(&all)
}

/// A key of a part of a game of removal; the first word has room for what it is.
pub(super) fn removal_key(words: &mut [u64]) -> Key {
    if let Some(first) = words.first_mut() {
        *first |= REMOVAL;
    }
    Key::new(words)
}

/// A key of a rooted graph; the first word has room for what it is.
pub(super) fn rooted_key(words: &mut [u64]) -> Key {
    if let Some(first) = words.first_mut() {
        *first |= ROOTED;
    }
    Key::new(words)
}

/// A key of a state on its own board.
pub(super) fn state_key(board: u64, words: &[u64]) -> Key {
    // Of two words of which the second is half empty, the number of the board finds room there.
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

/// A number for the states of one board, as long as the process runs.
pub(super) fn new_board() -> u64 {
    static BOARDS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);
    BOARDS.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
}

/// How the keys of a program are made.
#[derive(Clone, Debug)]
pub(super) struct KeyPlan {
    pub pattern: Option<Pattern>,
    /// Writing shapes out would cost more than it brings.
    pub by_state: bool,
    pub board: u64,
    /// Number of the field of each variable, `u16::MAX` if it has none.
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
        if self.key.by_state {
            return (state_key(self.key.board, part), Sign::Plus);
        }
        let (image, sign) = self.least_image(part);
        if self.asks {
            return (state_key(self.key.board, &image), Sign::of_exchanged(sign));
        }
        match self.shape(&image, settings) {
            Some((key, exchanged)) => (key, Sign::of_exchanged((exchanged == Sign::Minus) != sign)),
            None => (state_key(self.key.board, &image), Sign::of_exchanged(sign)),
        }
    }

    /// The key of a part without writing it out as a shape; nothing where that is not done anyway.
    pub(super) fn plain_key(&self, part: &[u64; N]) -> Option<(Key, Sign)> {
        if self.key.pattern.is_some() || self.rooted.is_some() || self.key.by_state || self.asks {
            return None;
        }
        let (image, sign) = self.least_image(part);
        Some((state_key(self.key.board, &image), Sign::of_exchanged(sign)))
    }

    /// The least image of a state under the symmetries, and whether players are exchanged in it.
    fn least_image(&self, state: &[u64; N]) -> ([u64; N], bool) {
        let mut best = (*state, false);
        for turn in self.turns.iter().skip(1) {
            let image = turn.of(state);
            if image < best.0 {
                best = (image, turn.exchanged);
            }
        }
        best
    }
}
