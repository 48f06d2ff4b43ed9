//! Keys of parts: equal keys have isomorphic game trees, whatever the board they come from.
//!
//! Two kinds. On boards of cells whose instances are the same wherever they fit (checked, instance by instance), a part
//! is the pattern of its cells in their bounding box; images under the turns and reflections of the plane, together with
//! permutations of values and the exchange of the players, share a key where they map the set of instances onto itself
//! (checked likewise). Else a part is written out: its live instances with the variables in play renamed in their order and
//! their values renamed by what they are now, so that it matters neither which board the part lies on nor where nor what
//! its pieces are called; with the players exchanged if that comes first.

use super::pack::{Field, Program, and, meets};
use super::roads::{Planted, Roads};
use crate::game::Sign;
use crate::ir::ground::{Ground, GroundVar, NEVER, Write};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::sync::Mutex;

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

    /// Bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        match self {
            Key::Short(_) => 0,
            Key::Long(w) => 8 * w.len(),
        }
    }
}

// The first byte of a key says which kind it is.
const PATTERN: u64 = 1 << 56;
const SHAPE: u64 = 2 << 56;
const STATE: u64 = 3 << 56;
const SUM: u64 = 4 << 56;

static NAMES: Mutex<Option<FxHashMap<Vec<u8>, u32>>> = Mutex::new(None);

/// A number for a text, the same for equal texts as long as the process runs.
pub(super) fn intern(text: Vec<u8>) -> u32 {
    let mut names = NAMES.lock().unwrap_or_else(|e| e.into_inner());
    let names = names.get_or_insert_with(FxHashMap::default);
    let next = u32::try_from(names.len()).unwrap_or(u32::MAX);
    *names.entry(text).or_insert(next)
}

/// A key of a sum that was not taken apart.
pub(super) fn sum_key(words: &[u64]) -> Key {
    let mut all = vec![SUM | words.len() as u64];
    all.extend_from_slice(words);
    Key::new(&all)
}

/// A key of a state on its own board.
pub(super) fn state_key(board: u64, words: &[u64]) -> Key {
    let mut all: SmallVec<[u64; 8]> = SmallVec::new();
    all.push(STATE | board);
    all.extend_from_slice(words);
    Key::new(&all)
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

/// Keys of parts of a board of cells.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    name: u64,
    width: u32,
    /// Row and column of each field.
    cells: Vec<(u8, u8)>,
    /// Number of the field at each bit of the words.
    at_bit: Vec<u16>,
    pub images: Vec<Image>,
}

/// A symmetry of the instances.
#[derive(Clone, Debug)]
pub(super) struct Image {
    /// Rows and columns exchanged, then rows turned round, then columns.
    pub turn: (bool, bool, bool),
    /// The bits of a field for its bits; none if they stay.
    pub values: Option<Box<[u8]>>,
    /// Which value each becomes, for the explanation.
    pub permutation: Vec<u8>,
    pub exchanged: bool,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Does {
    Value(u8),
    Table(i32, i32, Vec<u8>),
    Plus(Vec<u8>),
}

/// An instance up to translation.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Class {
    players: u64,
    atoms: Vec<(i32, i32, u64)>,
    writes: Vec<(i32, i32, Does)>,
}

impl Class {
    /// With its first atom at the origin; and where that was.
    fn settled(mut self) -> Option<(Class, (i32, i32))> {
        self.atoms.sort();
        let (r, c, _) = *self.atoms.first()?;
        for a in &mut self.atoms {
            *a = (a.0 - r, a.1 - c, a.2);
        }
        for w in &mut self.writes {
            let does = match w.2.clone() {
                Does::Table(i, j, t) => Does::Table(i - r, j - c, t),
                d => d,
            };
            *w = (w.0 - r, w.1 - c, does);
        }
        self.writes.sort();
        Some((self, (r, c)))
    }

    fn image(&self, turn: (bool, bool, bool), values: &[u8], exchanged: bool) -> Option<Class> {
        let at = |r: i32, c: i32| turned(turn, r, c);
        let value = |n: u8| values.get(usize::from(n)).copied().unwrap_or(NEVER);
        let set = |s: u64| {
            let bits = (0u8..64).filter(|i| s >> i & 1 == 1);
            bits.fold(0u64, |out, i| {
                out | 1u64.checked_shl(u32::from(value(i))).unwrap_or(0)
            })
        };
        let table = |t: &[u8]| {
            let mut out = vec![NEVER; t.len()];
            for (i, n) in (0u8..).zip(t) {
                if let Some(place) = out.get_mut(usize::from(value(i))) {
                    *place = if *n == NEVER { NEVER } else { value(*n) };
                }
            }
            out
        };
        let players = if exchanged {
            (self.players & 1) << 1 | (self.players >> 1 & 1)
        } else {
            self.players
        };
        let class = Class {
            players,
            atoms: self
                .atoms
                .iter()
                .map(|(r, c, s)| {
                    let (r, c) = at(*r, *c);
                    (r, c, set(*s))
                })
                .collect(),
            writes: self
                .writes
                .iter()
                .map(|(r, c, does)| {
                    let (r, c) = at(*r, *c);
                    let does = match does {
                        Does::Value(n) => Does::Value(if *n == NEVER { NEVER } else { value(*n) }),
                        Does::Table(i, j, t) => {
                            let (i, j) = at(*i, *j);
                            Does::Table(i, j, table(t))
                        }
                        Does::Plus(t) => Does::Plus(table(t)),
                    };
                    (r, c, does)
                })
                .collect(),
        };
        Some(class.settled()?.0)
    }
}

fn turned(turn: (bool, bool, bool), r: i32, c: i32) -> (i32, i32) {
    let (r, c) = if turn.0 { (c, r) } else { (r, c) };
    (if turn.1 { -r } else { r }, if turn.2 { -c } else { c })
}

impl KeyPlan {
    pub(super) fn new(ground: &Ground, fields: &[Field], roads: &Roads) -> KeyPlan {
        static BOARDS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(1);
        KeyPlan {
            pattern: if roads.shapes {
                Pattern::new(ground, fields, roads)
            } else {
                None
            },
            by_state: !roads.shapes || fields.len() > 2000,
            field_of: {
                let mut of = vec![u16::MAX; ground.vars.list.len()];
                for (i, f) in (0u16..).zip(fields) {
                    of[f.var as usize] = i;
                }
                of
            },
            board: BOARDS.fetch_add(1, std::sync::atomic::Ordering::Relaxed),
        }
    }
}

impl Pattern {
    fn new(ground: &Ground, fields: &[Field], roads: &Roads) -> Option<Pattern> {
        let setting = &ground.setting;
        if !setting.board.has_cells() || fields.is_empty() {
            return None;
        }
        let (rows, columns) = setting.board.shape?;
        if rows > 255 || columns > 255 || columns == 0 {
            return None;
        }
        let first = &fields[0];
        let values = &ground.values[first.var as usize];
        let mut field_at: FxHashMap<(i32, i32), usize> = FxHashMap::default();
        let mut cells = Vec::new();
        for (i, f) in fields.iter().enumerate() {
            let GroundVar::Site(s) = ground.vars.list.get(f.var as usize)? else {
                return None;
            };
            if f.patterns != first.patterns || ground.values[f.var as usize] != *values {
                return None;
            }
            let (r, c) = (s / columns, s % columns);
            field_at.insert((r as i32, c as i32), i);
            cells.push((u8::try_from(r).ok()?, u8::try_from(c).ok()?));
        }
        let width = first.mask.count_ones();
        if width > 8 || values.len() > 8 {
            return None;
        }
        // Instances up to translation, and where each stands.
        let place = |var: u32| -> Option<(i32, i32)> {
            match ground.vars.list.get(var as usize)? {
                GroundVar::Site(s) => Some(((s / columns) as i32, (s % columns) as i32)),
                _ => None,
            }
        };
        let mut classes: FxHashMap<Class, FxHashSet<(i32, i32)>> = FxHashMap::default();
        for m in &ground.instances {
            if m.fault.is_some() || m.keep.is_some() {
                return None;
            }
            let mut class = Class {
                players: m.players,
                atoms: Vec::new(),
                writes: Vec::new(),
            };
            for (var, set) in &m.guard {
                let (r, c) = place(*var)?;
                class.atoms.push((r, c, *set));
            }
            for (var, write) in &m.update {
                let (r, c) = place(*var)?;
                let does = match write {
                    Write::Value(n) => Does::Value(*n),
                    Write::Table(y, t) => {
                        let (i, j) = place(*y)?;
                        Does::Table(i, j, t.to_vec())
                    }
                    Write::Plus(t) => Does::Plus(t.to_vec()),
                };
                class.writes.push((r, c, does));
            }
            // What is written must be known to be on the board wherever the guard is.
            let known = |r: i32, c: i32| {
                class.atoms.iter().any(|a| (a.0, a.1) == (r, c))
                    || class
                        .writes
                        .iter()
                        .any(|w| matches!(w.2, Does::Table(i, j, _) if (i, j) == (r, c)))
            };
            if !class.writes.iter().all(|w| known(w.0, w.1)) {
                return None;
            }
            let (class, at) = class.settled()?;
            if !classes.entry(class).or_default().insert(at) {
                return None;
            }
        }
        // Each wherever it fits.
        for (class, places) in &classes {
            let mut fits = 0;
            for r in 0..rows as i32 {
                for c in 0..columns as i32 {
                    let on = |i: i32, j: i32| field_at.contains_key(&(r + i, c + j));
                    let fit = class.atoms.iter().all(|a| on(a.0, a.1))
                        && class.writes.iter().all(|w| {
                            on(w.0, w.1)
                                && match &w.2 {
                                    Does::Table(i, j, _) => on(*i, *j),
                                    _ => true,
                                }
                        });
                    fits += usize::from(fit);
                }
            }
            if fits != places.len() {
                return None;
            }
        }
        let mut list: Vec<&Class> = classes.keys().collect();
        list.sort();
        let name = intern(format!("{:?}{:?}", first.patterns, list).into_bytes());
        let images = images(&list, &classes, first, values.len(), setting, roads);
        let mut at_bit = Vec::new();
        for (i, f) in fields.iter().enumerate() {
            let end = f.word * 64 + f.shift as usize + width as usize;
            if at_bit.len() < end {
                at_bit.resize(end, 0);
            }
            at_bit[end - width as usize..end].fill(u16::try_from(i).ok()?);
        }
        Some(Pattern {
            name: u64::from(name),
            width,
            cells,
            at_bit,
            images,
        })
    }

    fn key<const N: usize>(
        &self,
        fields: &[Field],
        part: &[u64; N],
        without_values: bool,
    ) -> (Key, Sign) {
        let mut found: SmallVec<[(u8, u8, u64); 64]> = SmallVec::new();
        let (mut top, mut west, mut bottom, mut east) = (u8::MAX, u8::MAX, 0u8, 0u8);
        for (w, word) in part.iter().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                let bit = w * 64 + rest.trailing_zeros() as usize;
                let f = usize::from(self.at_bit[bit]);
                let field = &fields[f];
                rest &= !field.mask;
                let (r, c) = self.cells[f];
                (top, bottom) = (top.min(r), bottom.max(r));
                (west, east) = (west.min(c), east.max(c));
                let bits = (word & field.mask) >> field.shift;
                found.push((r, c, if without_values { bits.min(1) } else { bits }));
            }
        }
        if found.is_empty() {
            return (Key::new(&[PATTERN | self.name << 16]), Sign::Plus);
        }
        let (h, w) = (bottom - top + 1, east - west + 1);
        let per = 64 / self.width as usize;
        let words = (usize::from(h) * usize::from(w)).div_ceil(per);
        let mut best: SmallVec<[u64; 8]> = SmallVec::new();
        let mut sign = Sign::Plus;
        let mut one: SmallVec<[u64; 8]> = SmallVec::new();
        for image in &self.images {
            let (h2, w2) = if image.turn.0 { (w, h) } else { (h, w) };
            let head = PATTERN | self.name << 16 | u64::from(h2) << 8 | u64::from(w2);
            if best.first().is_some_and(|b| *b < head) {
                continue;
            }
            one.clear();
            one.resize(words + 1, 0);
            one[0] = head;
            for (r, c, bits) in &found {
                let (r, c) = (r - top, c - west);
                let (r, c) = if image.turn.0 { (c, r) } else { (r, c) };
                let r = if image.turn.1 { h2 - 1 - r } else { r };
                let c = if image.turn.2 { w2 - 1 - c } else { c };
                let at = usize::from(r) * usize::from(w2) + usize::from(c);
                let bits = match &image.values {
                    Some(v) => u64::from(v[*bits as usize]),
                    None => *bits,
                };
                one[1 + at / per] |= bits << (at % per * self.width as usize);
            }
            if best.is_empty() || one < best {
                std::mem::swap(&mut best, &mut one);
                sign = if image.exchanged {
                    Sign::Minus
                } else {
                    Sign::Plus
                };
            }
        }
        (Key::new(&best), sign)
    }
}

/// The symmetries of a set of classes of instances; the identity is the first.
fn images(
    list: &[&Class],
    classes: &FxHashMap<Class, FxHashSet<(i32, i32)>>,
    field: &Field,
    values: usize,
    setting: &crate::ir::Setting,
    roads: &Roads,
) -> Vec<Image> {
    let two = setting.instance.players.len() == 2;
    let unchecked = roads.planted == Some(Planted::SymmetryUnchecked);
    let mut found = Vec::new();
    for permutation in permutations(values) {
        // What is written as nothing stays nothing.
        let fine = (0..values).all(|i| {
            let j = usize::from(permutation[i]);
            (field.patterns[i] == 0) == (field.patterns[j] == 0)
        });
        if !fine {
            continue;
        }
        for exchanged in [false, true] {
            if exchanged && !two {
                continue;
            }
            for t in 0..8u8 {
                let turn = (t & 4 != 0, t & 2 != 0, t & 1 != 0);
                let trivial = t == 0
                    && !exchanged
                    && permutation
                        .iter()
                        .enumerate()
                        .all(|(i, j)| i == usize::from(*j));
                if !trivial && !roads.symmetry {
                    continue;
                }
                let is_symmetry = trivial
                    || (unchecked && exchanged && t == 1)
                    || list.iter().all(|class| {
                        let image = class.image(turn, &permutation, exchanged);
                        image.is_some_and(|i| classes.contains_key(&i))
                    });
                if !is_symmetry {
                    continue;
                }
                let moved = permutation
                    .iter()
                    .enumerate()
                    .any(|(i, j)| i != usize::from(*j));
                let table = moved.then(|| {
                    let mut table = vec![0u8; 1 << field.mask.count_ones()];
                    for (i, p) in field.patterns.iter().enumerate() {
                        let to = field.patterns[usize::from(permutation[i])];
                        table[*p as usize] = u8::try_from(to).unwrap_or(0);
                    }
                    table.into_boxed_slice()
                });
                found.push(Image {
                    turn,
                    values: table,
                    permutation: permutation.clone(),
                    exchanged,
                });
            }
        }
    }
    // On a strip different turns are the same.
    found.sort_by_key(|i| (i.exchanged, i.turn, i.permutation.clone()));
    if setting.board.shape.is_some_and(|s| s.0 == 1) {
        found.retain(|i| !i.turn.0 && !i.turn.1);
    }
    found
}

/// Permutations of few values: all of up to four, else the exchanges of two.
fn permutations(n: usize) -> Vec<Vec<u8>> {
    let identity: Vec<u8> = (0..n).map(|i| i as u8).collect();
    let mut found = vec![identity.clone()];
    if n <= 4 {
        let mut next = 0;
        while next < found.len() {
            let p = found[next].clone();
            next += 1;
            for i in 0..n {
                for j in 0..i {
                    let mut q = p.clone();
                    q.swap(i, j);
                    if !found.contains(&q) {
                        found.push(q);
                    }
                }
            }
        }
    } else {
        for i in 0..n {
            for j in 0..i {
                let mut q = identity.clone();
                q.swap(i, j);
                found.push(q);
            }
        }
    }
    found
}

/// The most live instances of a part that is written out as a shape: larger ones seldom come again elsewhere.
const MAX_SHAPE: usize = 24;

/// In a shape: a value from which nothing more follows.
const DEAD: u8 = 63;

struct Local {
    /// New number of each value by its number in the field.
    label: [u8; 64],
    /// The values that can follow, as a set of numbers of the field.
    reach: u64,
    /// All new numbers.
    all: u64,
}

impl<const N: usize> Program<N> {
    /// The key of a part.
    pub(super) fn key(&self, part: &[u64; N], roads: &Roads) -> (Key, Sign) {
        if let Some(pattern) = &self.key.pattern {
            let without = roads.planted == Some(Planted::KeysWithoutValues);
            return pattern.key(&self.fields, part, without);
        }
        if self.key.by_state {
            return (state_key(self.key.board, part), Sign::Plus);
        }
        self.shape(part, roads)
            .unwrap_or_else(|| (state_key(self.key.board, part), Sign::Plus))
    }

    fn shape(&self, part: &[u64; N], roads: &Roads) -> Option<(Key, Sign)> {
        let (live, mut observed, mut written) = self.live(part);
        if live.len() > MAX_SHAPE {
            return None;
        }
        let v = self.linking(part, &live, &mut observed, &mut written);
        let ground = &self.ground;
        // Variables in play, in order; numbers of the others' values.
        let mut number = vec![u8::MAX; self.fields.len()];
        let of_var = &self.key.field_of;
        let mut locals: Vec<Local> = Vec::new();
        for (i, f) in self.fields.iter().enumerate() {
            if v[f.word] & f.mask == 0 || part[f.word] & f.mask == 0 {
                continue;
            }
            number[i] = u8::try_from(locals.len()).ok().filter(|n| *n < 250)?;
            let now = f.decode(part[f.word])?;
            let mut label = [NEVER; 64];
            let mut next = 1u8;
            let mut all = 1u64;
            label[now] = 0;
            for (k, p) in f.patterns.iter().enumerate() {
                if k == now || f.reach[now] >> k & 1 == 0 {
                    continue;
                }
                label[k] = if *p == 0 {
                    DEAD
                } else {
                    next += 1;
                    next - 1
                };
                all |= 1 << label[k];
            }
            locals.push(Local {
                label,
                reach: f.reach[now],
                all,
            });
        }
        let keys_without = roads.planted == Some(Planted::KeysWithoutValues);
        let mut bytes: Vec<u8> = Vec::with_capacity(live.len() * 8);
        let mut items: SmallVec<[(u32, u32, u64); 64]> = SmallVec::new();
        for i in &live {
            let mask = &self.masks[*i as usize];
            let m = ground.instances.get(mask.ground as usize)?;
            let begin = bytes.len();
            bytes.push(u8::from(mask.keep) | u8::from(mask.fault.is_some()) << 1);
            for (var, set) in &m.guard {
                let f = of_var[*var as usize];
                let n = *number.get(usize::from(f))?;
                if n == u8::MAX {
                    continue;
                }
                let local = &locals[usize::from(n)];
                let met = labels(local, set & local.reach);
                if met == local.all {
                    continue;
                }
                bytes.push(n);
                varint(&mut bytes, if keys_without { 1 } else { met });
            }
            bytes.push(u8::MAX);
            for (var, write) in &m.update {
                let f = of_var[*var as usize];
                let Some(n) = number.get(usize::from(f)).copied() else {
                    continue;
                };
                if n == u8::MAX {
                    continue;
                }
                let local = &locals[usize::from(n)];
                let label = |to: u8| local.label.get(usize::from(to)).copied().unwrap_or(NEVER);
                bytes.push(n);
                match write {
                    Write::Value(to) => bytes.extend([0, label(*to)]),
                    Write::Table(y, table) => {
                        let g = of_var[*y as usize];
                        let source = *number.get(usize::from(g))?;
                        if source == u8::MAX {
                            let field = self.fields.get(usize::from(g))?;
                            let now = field.decode(part[field.word])?;
                            bytes.extend([0, label(*table.get(now)?)]);
                        } else {
                            bytes.extend([1, source]);
                            let from = &locals[usize::from(source)];
                            table_bytes(&mut bytes, from, table, label);
                        }
                    }
                    Write::Plus(table) => {
                        bytes.push(2);
                        table_bytes(&mut bytes, local, table, label);
                    }
                }
            }
            bytes.push(u8::MAX);
            items.push((
                u32::try_from(begin).ok()?,
                u32::try_from(bytes.len()).ok()?,
                m.players,
            ));
        }
        let text = |i: &(u32, u32, u64)| &bytes[i.0 as usize..i.1 as usize];
        items.sort_by(|a, b| text(a).cmp(text(b)));
        items.dedup_by(|later, first| {
            let same = text(later) == text(first);
            if same {
                first.2 |= later.2;
            }
            same
        });
        let two = ground.setting.instance.players.len() == 2;
        let swap = |p: u64| if two { (p & 1) << 1 | p >> 1 & 1 } else { p };
        let plain = items.iter().map(|i| i.2);
        let swapped = items.iter().map(|i| swap(i.2));
        let exchange = two && roads.symmetry && swapped.lt(plain);
        let mut out: Vec<u8> = Vec::with_capacity(bytes.len() + items.len() + 16);
        out.push(u8::try_from(ground.setting.instance.players.len()).ok()?);
        out.push(u8::try_from(locals.len()).ok()?);
        for i in &items {
            varint(&mut out, if exchange { swap(i.2) } else { i.2 });
            out.extend_from_slice(text(i));
        }
        if let Some(keep) = &self.keep {
            // How the edges in play hang together, the root first.
            let mut names: Vec<u32> = vec![keep.root];
            let fields = and(part, &keep.all);
            for e in keep.edges.iter().filter(|e| meets(&fields, &e.bit)) {
                out.push(number[e.var_field]);
                for end in [e.ends.0, e.ends.1] {
                    let at = names.iter().position(|n| *n == end).unwrap_or_else(|| {
                        names.push(end);
                        names.len() - 1
                    });
                    varint(&mut out, at as u64);
                }
            }
        }
        let mut words: Vec<u64> = Vec::with_capacity(out.len() / 8 + 2);
        words.push(SHAPE | out.len() as u64);
        for chunk in out.chunks(8) {
            let mut word = [0u8; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            words.push(u64::from_le_bytes(word));
        }
        let sign = if exchange { Sign::Minus } else { Sign::Plus };
        Some((Key::new(&words), sign))
    }
}

fn labels(local: &Local, set: u64) -> u64 {
    let mut out = 0;
    let mut rest = set;
    while rest != 0 {
        let k = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        out |= 1u64.checked_shl(u32::from(local.label[k])).unwrap_or(0);
    }
    out
}

fn table_bytes(bytes: &mut Vec<u8>, from: &Local, table: &[u8], label: impl Fn(u8) -> u8) {
    // In the order of the new numbers.
    let mut rows: SmallVec<[(u8, u8); 16]> = SmallVec::new();
    for (k, to) in table.iter().enumerate() {
        if from.reach >> k & 1 == 1 && *to != NEVER {
            rows.push((from.label[k], label(*to)));
        }
    }
    rows.sort_unstable();
    rows.dedup();
    bytes.push(u8::try_from(rows.len()).unwrap_or(u8::MAX));
    for (a, b) in rows {
        bytes.extend([a, b]);
    }
}

fn varint(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        bytes.push((n & 0x7f) as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
}
