//! Enabled and live instances, and the instances that touch a variable, computed word by word. The instances of a program are
//! the bits of a set, and there is a set of instances for each bit of a state and each field.
//!
//! Each set is found by a few word operations for each four or eight bits of the state, where the plain way (`split`) looks
//! at every instance. Both find the same least fixpoint.

use super::pack::{Field, Mask, Program, and, is_zero, meets, or, set_words};
use smallvec::SmallVec;

/// The most bytes of the tables of one program.
const MOST: usize = 64 << 20;
/// The most bytes of the table of missing bits with a row for each value of eight bits; above, it has one for each of four
/// bits.
const MOST_BY_BYTES: usize = 1 << 18;

/// The most passes over the instances that test whether they link everything, before links are followed one by one.
const PASSES: usize = 3;

/// A set of instances. Small sets are arrays, so that loops over them are unrolled.
pub(super) trait Set: Clone {
    fn none(words: usize) -> Self;
    fn width(words: usize) -> usize;
    fn words(&self) -> &[u64];
    fn words_mut(&mut self) -> &mut [u64];
}

impl<const W: usize> Set for [u64; W] {
    #[inline]
    fn none(_: usize) -> Self {
        [0; W]
    }
    #[inline]
    fn width(_: usize) -> usize {
        W
    }
    #[inline]
    fn words(&self) -> &[u64] {
        self
    }
    #[inline]
    fn words_mut(&mut self) -> &mut [u64] {
        self
    }
}

impl Set for SmallVec<[u64; 32]> {
    #[inline]
    fn none(words: usize) -> Self {
        SmallVec::from_elem(0, words)
    }
    #[inline]
    fn width(words: usize) -> usize {
        words
    }
    #[inline]
    fn words(&self) -> &[u64] {
        self
    }
    #[inline]
    fn words_mut(&mut self) -> &mut [u64] {
        self
    }
}

/// Runs an expression with the type of sets that suits a program.
///
/// The words of a wide state cost more than the set does; then there is only one type of set, which saves code.
macro_rules! each_set {
    ($index:expr, $set:ident => $body:expr) => {
        match $index.words {
            _ if N >= 8 => {
                type $set = smallvec::SmallVec<[u64; 32]>;
                $body
            }
            1 => {
                type $set = [u64; 1];
                $body
            }
            2 => {
                type $set = [u64; 2];
                $body
            }
            4 => {
                type $set = [u64; 4];
                $body
            }
            8 => {
                type $set = [u64; 8];
                $body
            }
            16 => {
                type $set = [u64; 16];
                $body
            }
            _ => {
                type $set = smallvec::SmallVec<[u64; 32]>;
                $body
            }
        }
    };
}
pub(super) use each_set;

#[inline]
pub(super) fn add<S: Set>(a: &mut S, row: &[u64]) {
    for (a, r) in a.words_mut().iter_mut().zip(row) {
        *a |= r;
    }
}

#[inline]
pub(super) fn is_none<S: Set>(a: &S) -> bool {
    a.words().iter().all(|w| *w == 0)
}

/// Calls `f` with the members of a set, in order.
#[inline]
pub(super) fn each<S: Set>(a: &S, mut f: impl FnMut(usize)) {
    for (w, word) in a.words().iter().enumerate() {
        let mut rest = *word;
        while rest != 0 {
            f(w * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

/// A few adjacent bits of a state.
#[derive(Clone, Copy, Debug)]
struct Piece {
    word: usize,
    shift: u32,
}

/// Sets of the instances of a program, each of `words` words.
#[derive(Clone, Debug)]
pub(super) struct Index<const N: usize> {
    pub words: usize,
    /// The bits that some guard tests.
    bits: [u64; N],
    /// The pieces that contain such bits; each has `at_a_time` bits.
    pieces: Vec<Piece>,
    at_a_time: u32,
    /// For each piece and each value of its missing bits: the instances that need one of the missing bits.
    needs: Vec<u64>,
    /// For each instance: the tested bits that it may give, the variables that it observes, and those that it writes.
    effects: Vec<[[u64; N]; 3]>,
    /// For each field: the instances that observe it, and (`touches`) those that observe or write it.
    pub observed: Vec<u64>,
    pub touches: Vec<u64>,
    all: Vec<u64>,
    /// For each player, his instances; then the instances that every player has.
    players: Vec<u64>,
    everyone: Vec<u64>,
    /// Whether some instance belongs to every player.
    shared: bool,
    /// For each instance, the fields that it touches.
    pub touched: Vec<[u64; N]>,
    /// The field of each bit.
    pub field_at: Vec<u16>,
}

impl<const N: usize> Index<N> {
    /// Builds the sets for some masks; `None` if they are too large.
    pub(super) fn new(
        fields: &[Field],
        masks: &[Mask<N>],
        players: usize,
        always: &[u64; N],
    ) -> Option<Index<N>> {
        let words = set_words(masks.len());
        let rows = 64 * N * 4 + 2 * fields.len() + players;
        if words.checked_mul(8 * rows)? > MOST || fields.len() > usize::from(u16::MAX) {
            return None;
        }
        let mut bits = *always;
        let mut given = [0; N];
        for m in masks {
            or(&mut bits, &m.guard);
            or(&mut given, &m.gives);
        }
        let given = and(&given, &bits);
        let table = |rows: usize| vec![0u64; rows * words];
        let put = |table: &mut [u64], row: usize, i: usize| {
            table[row * words + i / 64] |= 1 << (i % 64);
        };
        let pieces_of = |at_a_time: u32| {
            let mut pieces = Vec::new();
            for (word, asked) in bits.iter().enumerate() {
                for shift in (0..64).step_by(at_a_time as usize) {
                    if asked >> shift & ((1 << at_a_time) - 1) != 0 {
                        pieces.push(Piece { word, shift });
                    }
                }
            }
            pieces
        };
        let (mut at_a_time, mut pieces) = (8, pieces_of(8));
        if pieces.len() * 256 * 8 * words > MOST_BY_BYTES {
            (at_a_time, pieces) = (4, pieces_of(4));
        }
        let mut index = Index {
            words,
            bits,
            needs: table(pieces.len() << at_a_time),
            effects: masks
                .iter()
                .map(|m| [and(&m.gives, &given), m.observed, m.written])
                .collect(),
            observed: table(fields.len()),
            touches: table(fields.len()),
            all: table(1),
            players: table(players),
            everyone: table(1),
            shared: false,
            touched: Vec::with_capacity(masks.len()),
            field_at: vec![u16::MAX; 64 * N],
            pieces,
            at_a_time,
        };
        // First the rows of single bits; each other row is the union of the row of its lowest bit and that of the rest.
        for (n, piece) in index.pieces.iter().enumerate() {
            let first = n << at_a_time;
            for (i, m) in masks.iter().enumerate() {
                let wanted = m.guard[piece.word] >> piece.shift & ((1 << at_a_time) - 1);
                let mut rest = wanted;
                while rest != 0 {
                    put(
                        &mut index.needs,
                        first + (rest & rest.wrapping_neg()) as usize,
                        i,
                    );
                    rest &= rest - 1;
                }
            }
            for missing in (1usize..1 << at_a_time).filter(|m| !m.is_power_of_two()) {
                let (lowest, rest) = (missing & missing.wrapping_neg(), missing & (missing - 1));
                for w in 0..words {
                    let both = index.needs[(first + lowest) * words + w]
                        | index.needs[(first + rest) * words + w];
                    index.needs[(first + missing) * words + w] = both;
                }
            }
        }
        let everyone = if players >= 64 {
            u64::MAX
        } else {
            (1 << players) - 1
        };
        for (i, m) in masks.iter().enumerate() {
            for (f, field) in fields.iter().enumerate() {
                let (o, w) = (m.observed[field.word], m.written[field.word]);
                if o & field.mask != 0 {
                    put(&mut index.observed, f, i);
                }
                if (o | w) & field.mask != 0 {
                    put(&mut index.touches, f, i);
                }
            }
            put(&mut index.all, 0, i);
            for p in (0..players).filter(|p| m.players >> p & 1 == 1) {
                put(&mut index.players, p, i);
            }
            if m.players & everyone == everyone {
                put(&mut index.everyone, 0, i);
                index.shared = true;
            }
            let mut touched = m.observed;
            or(&mut touched, &m.written);
            index.touched.push(touched);
        }
        for (f, field) in (0u16..).zip(fields) {
            for bit in (0..64).filter(|b| field.mask >> b & 1 == 1) {
                index.field_at[field.word * 64 + bit] = f;
            }
        }
        Some(index)
    }

    #[inline]
    pub(super) fn row<'a, S: Set>(&self, table: &'a [u64], row: usize) -> &'a [u64] {
        let width = S::width(self.words);
        &table[row * width..][..width]
    }

    // All instances that need no missing bit.
    #[inline]
    fn without<S: Set>(&self, missing: &[u64; N]) -> S {
        let mut dead = S::none(self.words);
        for (n, piece) in self.pieces.iter().enumerate() {
            let value = missing[piece.word] >> piece.shift & ((1 << self.at_a_time) - 1);
            let row = n << self.at_a_time | value as usize;
            add(&mut dead, self.row::<S>(&self.needs, row));
        }
        for (d, all) in dead.words_mut().iter_mut().zip(&self.all) {
            *d = all & !*d;
        }
        dead
    }

    fn missing(&self, state: &[u64; N]) -> [u64; N] {
        let mut missing = self.bits;
        for (m, s) in missing.iter_mut().zip(state) {
            *m &= !s;
        }
        missing
    }

    /// The enabled instances of a player.
    pub(super) fn enabled<S: Set>(&self, state: &[u64; N], player: usize) -> S {
        let mut found: S = self.without(&self.missing(state));
        let row = self.row::<S>(&self.players, player);
        for (f, p) in found.words_mut().iter_mut().zip(row) {
            *f &= p;
        }
        found
    }

    /// The number of enabled instances of each of the first two players.
    pub(super) fn mobility<S: Set>(&self, state: &[u64; N]) -> [u32; 2] {
        let enabled: S = self.without(&self.missing(state));
        [0, 1].map(|player| {
            let row = self.row::<S>(&self.players, player);
            let own = enabled.words().iter().zip(row);
            own.map(|(e, p)| (e & p).count_ones()).sum()
        })
    }

    /// The live instances, with all variables that they observe and all that they write.
    pub(super) fn live<S: Set>(
        &self,
        state: &[u64; N],
        always: &[u64; N],
    ) -> (S, [u64; N], [u64; N]) {
        let all = self.live_at_most(state, always, usize::MAX);
        // No set exceeds this limit.
        all.unwrap_or_else(|| (S::none(self.words), [0; N], [0; N]))
    }

    /// The same, if at most `most` instances are live.
    #[inline]
    pub(super) fn live_at_most<S: Set>(
        &self,
        state: &[u64; N],
        always: &[u64; N],
        most: usize,
    ) -> Option<(S, [u64; N], [u64; N])> {
        let mut possible = *state;
        or(&mut possible, always);
        let (mut observed, mut written) = ([0; N], [0; N]);
        // The instances whose gifts are in `possible`.
        let mut seen = S::none(self.words);
        loop {
            let missing = self.missing(&possible);
            let live: S = self.without(&missing);
            // Live instances stay live in later rounds.
            if most != usize::MAX {
                let count: u32 = live.words().iter().map(|w| w.count_ones()).sum();
                if count as usize > most {
                    return None;
                }
            }
            let before = possible;
            let mut new = live.clone();
            for (n, s) in new.words_mut().iter_mut().zip(seen.words_mut()) {
                *n &= !*s;
                *s |= *n;
            }
            each(&new, |i| {
                let [gives, observes, writes] = &self.effects[i];
                or(&mut possible, gives);
                or(&mut observed, observes);
                or(&mut written, writes);
            });
            if possible == before {
                return Some((live, observed, written));
            }
        }
    }

    /// A quick test whether instances link all of the variables `v`, as they do in most parts: starting with the first
    /// instance, each one that meets the linked variables links all that it touches, in a few passes in order. False means
    /// undecided.
    fn links_all<S: Set>(&self, live: &S, v: &[u64; N]) -> bool {
        let mut own = [0; N];
        for _ in 0..PASSES {
            let before = own;
            each(live, |i| {
                let touched = and(&self.touched[i], v);
                if meets(&touched, &own) || is_zero(&own) {
                    or(&mut own, &touched);
                }
            });
            if own == *v {
                return true;
            }
            if own == before {
                return false;
            }
        }
        false
    }

    /// Whether all live instances belong to every player.
    pub(super) fn all_share<S: Set>(&self, state: &[u64; N], always: &[u64; N]) -> bool {
        if !self.shared {
            return false;
        }
        let (live, ..): (S, _, _) = self.live(state, always);
        let shared = live.words().iter().zip(&self.everyone);
        shared.into_iter().all(|(l, e)| l & !e == 0)
    }
}

impl<const N: usize> Program<N> {
    /// Appends the independent parts of a state, as `split` does, but by sets.
    pub(super) fn split_by_sets<S: Set>(
        &self,
        index: &Index<N>,
        state: &[u64; N],
        part: &mut dyn FnMut([u64; N]),
    ) {
        let (live, mut observed, mut written): (S, _, _) = index.live(state, &self.always);
        if is_none(&live) {
            return;
        }
        or(&mut observed, &self.always);
        // The edges that are left, for `keep`.
        let there = self
            .keep
            .as_ref()
            .map(|keep| keep.fields_there(state))
            .unwrap_or([0; N]);
        or(&mut observed, &there);
        or(&mut written, &there);
        let v = and(&observed, &written);
        if self.keep.is_none() && index.links_all(&live, &v) {
            part(and(state, &observed));
            return;
        }
        let mut components: SmallVec<[([u64; N], [u64; N]); 4]> = SmallVec::new();
        let mut done = S::none(index.words);
        // Live instances that observe a variable of `v`.
        let mut linked = S::none(index.words);
        let mut rest = v;
        while let Some(first) = self.first_field(index, &rest) {
            let mut own = [0; N];
            own[self.fields[first].word] = self.fields[first].mask;
            let mut seen = [0; N];
            let mut frontier = own;
            while let Some(f) = self.first_field(index, &frontier) {
                let field = &self.fields[f];
                frontier[field.word] &= !field.mask;
                add(&mut linked, index.row::<S>(&index.observed, f));
                let row = index.row::<S>(&index.touches, f);
                let mut new = S::none(index.words);
                for (((n, l), d), r) in new
                    .words_mut()
                    .iter_mut()
                    .zip(live.words())
                    .zip(done.words_mut())
                    .zip(row)
                {
                    *n = l & r & !*d;
                    *d |= *n;
                }
                each(&new, |i| {
                    let touched = and(&index.touched[i], &v);
                    for w in 0..N {
                        frontier[w] |= touched[w] & !own[w];
                        own[w] |= touched[w];
                    }
                    let sees = &self.masks[i].observed;
                    if meets(sees, &v) {
                        or(&mut seen, sees);
                    }
                });
                if let Some(keep) = &self.keep
                    && let Some(e) = keep.edge_of(f)
                    && meets(state, &e.bit)
                {
                    let joined = and(&e.joined, &there);
                    for w in 0..N {
                        frontier[w] |= joined[w] & !own[w];
                        own[w] |= joined[w];
                    }
                }
                if own == v {
                    // Everything is linked.
                    part(and(state, &observed));
                    return;
                }
            }
            for w in 0..N {
                rest[w] &= !own[w];
            }
            components.push((own, seen));
        }
        // An instance that observes nothing that can change can be played for ever, so the state is not split. It is not
        // split either if edges may be separate from the root: the first move of any part removes them.
        let alone = self.keep.as_ref().is_some_and(|k| !k.joined)
            || live
                .words()
                .iter()
                .zip(linked.words())
                .any(|(l, o)| l & !o != 0);
        if alone && !self.planted {
            part(and(state, &observed));
            return;
        }
        for (own, seen) in &components {
            if seen.iter().all(|w| *w == 0) {
                // Edges that no move removes or cuts off.
                continue;
            }
            let mut all = *seen;
            if self.keep.is_some() {
                or(&mut all, own);
            }
            part(and(state, &all));
        }
    }

    fn first_field(&self, index: &Index<N>, mask: &[u64; N]) -> Option<usize> {
        mask.iter()
            .enumerate()
            .find(|(_, w)| **w != 0)
            .map(|(w, word)| usize::from(index.field_at[w * 64 + word.trailing_zeros() as usize]))
    }
}
