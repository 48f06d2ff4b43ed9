//! Keys of parts of a board of cells: the pattern of a part's cells in their bounding box.
//!
//! The class of an instance consists of its translates. Patterns are keys if each class has an instance wherever it fits:
//! wherever all its cells are on the board and, if cells have different sets of values, each cell can have the value that the
//! class asks for. Then the play in a part depends only on the values of its cells: a cell out of play enables nothing, and
//! the instances on the cells in play are those of any other place with the same pattern.

use super::bits::Bits;
use super::cells::Cells;
use super::{Key, PATTERN, intern};
use crate::game::{Shortcut, Sign};
use crate::ir::ground::{Ground, GroundVar, NEVER, Write};
use crate::ir::val::Val;
use crate::machine::pack::Field;
use crate::machine::settings::{Planted, Settings};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// Keys of parts of a board of cells.
#[derive(Clone, Debug)]
pub(in crate::machine) struct Pattern {
    name: u64,
    width: u32,
    /// Row and column of each field.
    cells: Vec<(u8, u8)>,
    /// If cells have different values: for each field, the code in a key of each pattern of bits.
    codes: Option<Vec<Box<[u8]>>>,
    /// The field of each bit of the words.
    at_bit: Vec<u16>,
    pub images: Vec<Image>,
    /// Set if each cell is one bit and the board is small.
    bits: Option<Bits>,
    /// Set if cells have several values and the board is small.
    sets: Option<Cells>,
}

/// A symmetry of the instances.
#[derive(Clone, Debug)]
pub(in crate::machine) struct Image {
    /// Whether rows and columns are exchanged, then whether rows are reversed, then columns.
    pub turn: (bool, bool, bool),
    /// The new code of a cell by its code; `None` if codes stay.
    pub values: Option<Box<[u8]>>,
    /// The image of each value, for the explanation.
    pub permutation: Vec<u8>,
    pub exchanged: bool,
    /// Images with the same codes have the same number.
    kind: usize,
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
    /// Translates the class so that its first atom is at the origin; also returns where the atom was.
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

impl Pattern {
    pub(super) fn new(ground: &Ground, fields: &[Field], settings: &Settings) -> Option<Pattern> {
        let setting = &ground.setting;
        // On a ring, coordinates do not tell which cells are adjacent, so patterns in the plane are no keys.
        if !setting.board.has_cells() || setting.board.wrap.any() || fields.is_empty() {
            return None;
        }
        let (rows, columns) = setting.board.shape?;
        if rows > 255 || columns > 255 || columns == 0 {
            return None;
        }
        let first = &fields[0];
        let alike = |f: &Field| {
            f.patterns == first.patterns
                && ground.values[f.var as usize] == ground.values[first.var as usize]
        };
        let uniform = fields.iter().all(alike);
        if !uniform && !settings.has(Shortcut::Mixed) {
            return None;
        }
        // The values of all cells, and the numbers in this list of each cell's values.
        let mut values: Vec<Val> = Vec::new();
        let mut global: Vec<Vec<u8>> = vec![Vec::new(); ground.vars.list.len()];
        for f in fields {
            for v in &ground.values[f.var as usize] {
                let number = values.iter().position(|w| w == v).unwrap_or_else(|| {
                    values.push(v.clone());
                    values.len() - 1
                });
                global[f.var as usize].push(u8::try_from(number).ok()?);
            }
        }
        let mut field_at: FxHashMap<(i32, i32), usize> = FxHashMap::default();
        let mut cells = Vec::new();
        for (i, f) in fields.iter().enumerate() {
            let GroundVar::Site(s) = ground.vars.list.get(f.var as usize)? else {
                return None;
            };
            let (r, c) = (s / columns, s % columns);
            field_at.insert((r as i32, c as i32), i);
            cells.push((u8::try_from(r).ok()?, u8::try_from(c).ok()?));
        }
        let widest = fields
            .iter()
            .map(|f| f.mask.count_ones())
            .max()
            .unwrap_or(0);
        let width = if uniform {
            widest
        } else {
            usize::BITS - values.len().leading_zeros()
        };
        if widest > 8 || width > 8 || values.len() > 8 {
            return None;
        }
        // The classes of instances, and the places of each.
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
                let set = if uniform {
                    *set
                } else if set.is_power_of_two() {
                    let number = global[*var as usize].get(set.trailing_zeros() as usize)?;
                    1 << number
                } else {
                    // Which values of other cells the set would ask for is not known.
                    return None;
                };
                class.atoms.push((r, c, set));
            }
            // The number of a written value in the list of all values.
            let number = |var: u32, n: u8| -> Option<u8> {
                if uniform || n == NEVER {
                    return Some(n);
                }
                global[var as usize].get(usize::from(n)).copied()
            };
            for (var, write) in &m.update {
                let (r, c) = place(*var)?;
                let does = match write {
                    Write::Value(n) => Does::Value(number(*var, *n)?),
                    Write::Table(y, t) if !uniform => {
                        // The guard fixes the value read.
                        let set = m.guard.iter().find(|(v, _)| v == y)?.1;
                        Does::Value(number(*var, *t.get(set.trailing_zeros() as usize)?)?)
                    }
                    Write::Plus(_) if !uniform => return None,
                    Write::Table(y, t) => {
                        let (i, j) = place(*y)?;
                        Does::Table(i, j, t.to_vec())
                    }
                    Write::Plus(t) => Does::Plus(t.to_vec()),
                };
                class.writes.push((r, c, does));
            }
            // Every cell written must be on the board wherever the guard is.
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
        // Each class must have an instance wherever it fits.
        for (class, places) in &classes {
            let mut fits = 0;
            for r in 0..rows as i32 {
                for c in 0..columns as i32 {
                    let on = |i: i32, j: i32| field_at.contains_key(&(r + i, c + j));
                    let can = |i: i32, j: i32, set: u64| {
                        uniform
                            || field_at.get(&(r + i, c + j)).is_some_and(|f| {
                                let values = &global[fields[*f].var as usize];
                                values.iter().any(|n| set >> n & 1 == 1)
                            })
                    };
                    let fit = class
                        .atoms
                        .iter()
                        .all(|a| on(a.0, a.1) && can(a.0, a.1, a.2))
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
        let name = if uniform {
            format!("{:?}{:?}", first.patterns, list)
        } else {
            format!("{} {:?}", values.len(), list)
        };
        let name = intern(name.into_bytes());
        // The code of each value in a key.
        let code: Vec<u64> = if uniform {
            first.patterns.clone()
        } else {
            (1..=values.len() as u64).collect()
        };
        let codes: Option<Vec<Box<[u8]>>> = (!uniform).then(|| {
            fields
                .iter()
                .map(|f| {
                    let mut table = vec![0u8; 1 << f.mask.count_ones()];
                    let own = (0u8..).zip(&f.patterns).zip(&global[f.var as usize]);
                    for ((place, p), n) in own {
                        let alike = settings.planted == Some(Planted::ValuesAlike);
                        if *p != 0 {
                            table[*p as usize] = if alike { place } else { *n } + 1;
                        }
                    }
                    table.into_boxed_slice()
                })
                .collect()
        });
        let images = images(&list, &classes, &code, width, setting, settings);
        let mut at_bit = Vec::new();
        for (i, f) in fields.iter().enumerate() {
            let start = f.word * 64 + f.shift as usize;
            let end = start + f.mask.count_ones() as usize;
            if at_bit.len() < end {
                at_bit.resize(end, 0);
            }
            at_bit[start..end].fill(u16::try_from(i).ok()?);
        }
        let one_bit = width == 1
            && codes.is_none()
            && settings.has(Shortcut::Bits)
            && images.iter().all(|image| image.values.is_none())
            && fields.iter().all(|f| f.mask.count_ones() == 1);
        let places = fields.iter().map(|f| (f.word, f.shift));
        let bits = one_bit
            .then(|| {
                let forgotten = usize::from(settings.planted == Some(Planted::BitsForget));
                Bits::new(cells.iter().copied().zip(places).skip(forgotten))
            })
            .flatten();
        let code = |f: usize, bits: u64| match &codes {
            Some(codes) => u64::from(codes[f][bits as usize]),
            None => bits,
        };
        let sets = (settings.has(Shortcut::Bits) && bits.is_none())
            .then(|| Cells::new(fields, &cells, width, code, &images))
            .flatten();
        Some(Pattern {
            name: u64::from(name),
            width,
            cells,
            codes,
            at_bit,
            images,
            bits,
            sets,
        })
    }

    pub(super) fn key<const N: usize>(
        &self,
        fields: &[Field],
        part: &[u64; N],
        without_values: bool,
    ) -> (Key, Sign) {
        if let Some(bits) = &self.bits
            && part.iter().any(|word| *word != 0)
        {
            let (words, image) = bits.key(part, self.name, &self.images);
            let exchanged = self.images.get(image).is_some_and(|i| i.exchanged);
            let sign = Sign::of_exchanged(exchanged);
            return (Key::new(&words), sign);
        }
        if let Some(sets) = &self.sets
            && !without_values
            && let Some((words, image)) = sets.key(part, self.name, &self.images)
        {
            let exchanged = self.images.get(image).is_some_and(|i| i.exchanged);
            let sign = Sign::of_exchanged(exchanged);
            return (Key::new(&words), sign);
        }
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
                let mut bits = (word & field.mask) >> field.shift;
                if let Some(codes) = &self.codes {
                    bits = u64::from(codes[f][bits as usize]);
                }
                found.push((r, c, if without_values { bits.min(1) } else { bits }));
            }
        }
        if found.is_empty() {
            return (Key::new(&[PATTERN | self.name << 16]), Sign::Plus);
        }
        // For each code, the number of its cells and the sums of their rows and columns.
        let mut sums: SmallVec<[(u64, u32, u32, u32); 8]> = SmallVec::new();
        for (r, c, bits) in &mut found {
            (*r, *c) = (*r - top, *c - west);
            let (r, c) = (u32::from(*r), u32::from(*c));
            match sums.iter_mut().find(|s| s.0 == *bits) {
                Some(s) => (s.1, s.2, s.3) = (s.1 + 1, s.2 + r, s.3 + c),
                None => sums.push((*bits, 1, r, c)),
            }
        }
        let (h, w) = (bottom - top + 1, east - west + 1);
        let per = 64 / self.width as usize;
        let words = (usize::from(h) * usize::from(w)).div_ceil(per);
        // Only images with the least shape and the least sums of rows and columns, weighted by codes, are written.
        let weighed = |image: &Image| {
            let (mut all, mut rows, mut columns) = (0u64, 0u64, 0u64);
            for (bits, n, r, c) in &sums {
                let weight = image.code(*bits);
                all += weight * u64::from(*n);
                rows += weight * u64::from(*r);
                columns += weight * u64::from(*c);
            }
            (all, rows, columns)
        };
        let mut ranks: SmallVec<[(u64, u64, u64, u64); 16]> = SmallVec::new();
        let mut low = None;
        if self.images.len() > 1 {
            // Images with the same codes have the same sums.
            let mut last = (usize::MAX, (0, 0, 0));
            for image in &self.images {
                if last.0 != image.kind {
                    last = (image.kind, weighed(image));
                }
                let (all, rows, columns) = last.1;
                let rank = image.rank(all, (u64::from(h), u64::from(w), rows, columns));
                if low.is_none_or(|low| rank < low) {
                    low = Some(rank);
                }
                ranks.push(rank);
            }
        }
        let mut best: SmallVec<[u64; 8]> = SmallVec::new();
        let mut sign = Sign::Plus;
        let mut one: SmallVec<[u64; 8]> = SmallVec::new();
        for (i, image) in self.images.iter().enumerate() {
            if ranks.get(i).copied() != low {
                continue;
            }
            let (h2, w2) = if image.turn.0 { (w, h) } else { (h, w) };
            one.clear();
            one.push(PATTERN | self.name << 16 | u64::from(h2) << 8 | u64::from(w2));
            one.resize(words + 1, 0);
            for (r, c, bits) in &found {
                let (r, c) = if image.turn.0 { (*c, *r) } else { (*r, *c) };
                let r = if image.turn.1 { h2 - 1 - r } else { r };
                let c = if image.turn.2 { w2 - 1 - c } else { c };
                let at = usize::from(r) * usize::from(w2) + usize::from(c);
                let (word, at) = if words == 1 {
                    (1, at)
                } else {
                    (1 + at / per, at % per)
                };
                one[word] |= image.code(*bits) << (at * self.width as usize);
            }
            if best.is_empty() || one < best {
                std::mem::swap(&mut best, &mut one);
                sign = Sign::of_exchanged(image.exchanged);
            }
        }
        (Key::new(&best), sign)
    }
}

impl Pattern {
    /// Whether cells have different sets of values.
    pub(in crate::machine) fn is_mixed(&self) -> bool {
        self.codes.is_some()
    }

    /// Whether keys are computed by word operations.
    pub(in crate::machine) fn is_bits(&self) -> bool {
        self.bits.is_some() || self.sets.is_some()
    }
}

impl Image {
    /// A number that images with the same codes share; the numbers are 0, 1, 2, ...
    pub(super) fn kind(&self) -> usize {
        self.kind
    }

    /// The code of a cell in the image, by its code in the part.
    pub(super) fn code(&self, code: u64) -> u64 {
        match &self.values {
            Some(v) => u64::from(v[code as usize]),
            None => code,
        }
    }

    /// The values by which images are compared first; the least are written. Takes the total weight `all` of the cells, and
    /// height, width and weighted sums of rows and columns of the part; returns the last four for the image.
    pub(super) fn rank(
        &self,
        all: u64,
        (h, w, rows, columns): (u64, u64, u64, u64),
    ) -> (u64, u64, u64, u64) {
        let (h, w, rows, columns) = if self.turn.0 {
            (w, h, columns, rows)
        } else {
            (h, w, rows, columns)
        };
        let rows = if self.turn.1 {
            all * (h - 1) - rows
        } else {
            rows
        };
        let columns = if self.turn.2 {
            all * (w - 1) - columns
        } else {
            columns
        };
        (h, w, rows, columns)
    }
}

/// The symmetries of a set of classes of instances. The identity is the first.
fn images(
    list: &[&Class],
    classes: &FxHashMap<Class, FxHashSet<(i32, i32)>>,
    code: &[u64],
    width: u32,
    setting: &crate::ir::Setting,
    settings: &Settings,
) -> Vec<Image> {
    let values = code.len();
    let two = setting.instance.players.len() == 2;
    let unchecked = settings.planted == Some(Planted::SymmetryUnchecked);
    let mut found = Vec::new();
    for permutation in permutations(values) {
        // A value with code 0 must go to a value with code 0.
        let fine = (0..values).all(|i| {
            let j = usize::from(permutation[i]);
            (code[i] == 0) == (code[j] == 0)
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
                if !trivial && !settings.has(Shortcut::Symmetry) {
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
                    let mut table = vec![0u8; 1 << width];
                    for (i, p) in code.iter().enumerate() {
                        let to = code[usize::from(permutation[i])];
                        table[*p as usize] = u8::try_from(to).unwrap_or(0);
                    }
                    table.into_boxed_slice()
                });
                found.push(Image {
                    turn,
                    values: table,
                    permutation: permutation.clone(),
                    exchanged,
                    kind: 0,
                });
            }
        }
    }
    // On a board of one row, several turns are the same.
    found.sort_by_key(|i| (i.exchanged, i.turn, i.permutation.clone()));
    if setting.board.shape.is_some_and(|s| s.0 == 1) {
        found.retain(|i| !i.turn.0 && !i.turn.1);
    }
    let mut kinds: Vec<Vec<u8>> = Vec::new();
    for image in &mut found {
        image.kind = kinds
            .iter()
            .position(|k| *k == image.permutation)
            .unwrap_or(kinds.len());
        if image.kind == kinds.len() {
            kinds.push(image.permutation.clone());
        }
    }
    found
}

/// Permutations of values: all for up to four values, otherwise the identity and the transpositions.
pub(super) fn permutations(n: usize) -> Vec<Vec<u8>> {
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
