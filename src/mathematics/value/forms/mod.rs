//! The arena of canonical forms: handles built from options, equal exactly when the games are equal.
//!
//! Every short game has one canonical form, with no dominated and no reversible options (Siegel, *Combinatorial Game
//! Theory*, chapter II; *Winning Ways*, chapter 3). The arena interns each of them once. Small sums of a number, ups and a
//! nimber are stored in the handle itself, so that adding and comparing them needs no table; their options are generated on
//! demand. Every other form is stored with its two stops, which settle most comparisons before any search. Recursion
//! along the depth of a game is bounded (32 steps); deeper descents use explicit stacks, so that no game overflows the
//! program's stack.

mod build;
mod cache;
mod followers;
mod handle;
mod incentives;
mod intern;
mod lay;
mod lay_build;
mod marks;
mod numbers;
mod options;
mod order;
mod sides;
mod store;
mod structure;
mod sum;
mod sum_brief;
mod sum_build;

use std::cmp::Ordering;
use std::fmt;
use std::sync::atomic::{
    AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering as Atomic,
};
use std::sync::{Arc, Mutex, OnceLock};

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::number::Number;
use super::number_up_star::{NumberUpStar, infinitesimal_sign};
use super::outcome::Outcome;
use super::thermograph::Known;
use cache::{OrderCache, SumCache};
pub use handle::CanonicalForm;
use incentives::Incentive;
use lay::Lay;
use marks::Marks;
use sides::Sides;
use store::{HashIndex, Segments};

pub(crate) use options::Options;

// The states of a fast path that tests can switch off, or make faulty on purpose.
const CLOSED: u8 = 0;
const OPEN: u8 = 1;
const MISTAKEN: u8 = 2;

/// The arena has no room for another form within its limit.
///
/// What was interned before stays valid. The same error reports computations that were cancelled from outside (see
/// [`Forms::end_when`]), numbers beyond [`Number::MAX_BITS`], multiples of up beyond a machine word, and computations that
/// would expand an enormous nimber, integer or multiple of up option by option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OutOfMemory;

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the arena of values reached its memory limit")
    }
}

impl std::error::Error for OutOfMemory {}

// A general form: not a number plus ups plus a nimber.
//
// Sums and comparisons are translation invariant. So each class of forms that differ by numbers has one base, the form with
// right stop 0. Only bases store options and appear as keys in the caches.
struct Node {
    // The left options, then the right options, each side sorted by handle.
    list: SmallVec<[CanonicalForm; 6]>,
    // The comparison data of these options (`lay.rs`), in the same order; empty if some number is too wide.
    lays: Box<[Lay]>,
    // Bits 0 to 29: the number of left options. Bits 30 and 31: the form's `Sides`.
    left: u32,
    left_stop: CanonicalForm,
    // As in `Lay`; `TOO_WIDE` if some number is too wide.
    upper: i32,
    marks: Marks,
    // The handle of the negative; 0 until it is known.
    negative: AtomicU32,
    // A use counter, then the place of the incentives: see `incentives.rs`.
    incentives: AtomicU32,
    // The structural hash (`structure.rs`); 0 until it is known.
    hash: AtomicU64,
}

impl Node {
    #[inline]
    fn options(&self) -> (&[CanonicalForm], &[CanonicalForm]) {
        self.list.split_at(self.lefts())
    }

    #[inline]
    fn lefts(&self) -> usize {
        (self.left & MAX_OPTIONS) as usize
    }

    // The comparison data of the base whose node this is.
    #[inline]
    fn lay(&self, base: CanonicalForm) -> Option<Lay> {
        (self.upper != TOO_WIDE).then(|| Lay {
            base,
            upper: self.upper,
            lower: -i32::from(!self.marks.above_stop()),
            marks: self.marks,
        })
    }

    #[inline]
    fn sides(&self) -> Sides {
        Sides::from_bits(self.left >> 30)
    }
}

const TOO_WIDE: i32 = i32::MAX;

// A form has fewer options than this, both sides together. Also the mask of the number in `Node::left`.
const MAX_OPTIONS: u32 = (1 << 30) - 1;

// A base plus a nonzero number.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Shift {
    base: CanonicalForm,
    number: CanonicalForm,
}

struct Wide {
    value: NumberUpStar,
    // The number part, unless the value is a number itself.
    number: Option<CanonicalForm>,
}

const SHARDS: usize = 32;

/// The default memory limit of an arena in bytes: 4 GiB, or half of the address space if that is smaller.
pub const DEFAULT_MEMORY: usize = if usize::BITS > 32 {
    (4u64 << 30) as usize
} else {
    usize::MAX / 2
};

/// The arena that interns canonical forms. Threads share it by reference.
///
/// ```
/// # use cgdsl_mathematics as cgdsl;
/// use cgdsl::value::{CanonicalForm, Forms};
/// let forms = Forms::new();
/// let one = CanonicalForm::ONE;
/// let switch = forms.from_options(&[one], &[forms.negate(one)?])?;
/// assert_eq!(forms.add(switch, switch)?, CanonicalForm::ZERO);
/// # Ok::<(), cgdsl::value::OutOfMemory>(())
/// ```
pub struct Forms {
    nodes: Segments<Node>,
    shifts: Segments<Shift>,
    wides: Segments<Wide>,
    unique: [Mutex<HashIndex>; SHARDS],
    unique_shifts: [Mutex<HashIndex>; SHARDS],
    unique_wide: Mutex<FxHashMap<NumberUpStar, u32>>,
    order: OrderCache,
    sums: SumCache,
    incentives: Segments<Box<[Incentive]>>,
    // Whether incentives are kept and used: `CLOSED`, `OPEN` or `MISTAKEN`.
    pruned: AtomicU8,
    // Whether forms are compared by small integers where possible: `CLOSED`, `OPEN` or `MISTAKEN`.
    laid: AtomicU8,
    // The number of bases with comparison data.
    lays: AtomicU32,
    // Set from outside to cancel all long computations.
    interrupt: OnceLock<Arc<AtomicBool>>,
    used: AtomicUsize,
    limit: usize,
    pub(crate) thermographs: Mutex<Known>,
}

impl Default for Forms {
    fn default() -> Forms {
        Forms::new()
    }
}

impl fmt::Debug for Forms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Forms")
            .field("len", &self.len())
            .field("memory", &self.memory())
            .finish_non_exhaustive()
    }
}

impl Forms {
    /// An empty arena that may grow to [`DEFAULT_MEMORY`].
    pub fn new() -> Forms {
        Forms::with_limit(DEFAULT_MEMORY)
    }

    /// An empty arena that holds at most about `bytes` bytes, caches included.
    pub fn with_limit(bytes: usize) -> Forms {
        // Comparisons get a sixteenth, sums an eighth, both up to a fixed size; the rest is for forms.
        let order = bytes / 16;
        let sums = bytes / 8;
        Forms {
            nodes: Segments::new(),
            shifts: Segments::new(),
            wides: Segments::new(),
            unique: std::array::from_fn(|_| Mutex::new(HashIndex::new())),
            unique_shifts: std::array::from_fn(|_| Mutex::new(HashIndex::new())),
            unique_wide: Mutex::new(FxHashMap::default()),
            order: OrderCache::new(order),
            sums: SumCache::new(sums),
            incentives: Segments::new(),
            pruned: AtomicU8::new(OPEN),
            laid: AtomicU8::new(OPEN),
            lays: AtomicU32::new(0),
            interrupt: OnceLock::new(),
            used: AtomicUsize::new(0),
            limit: bytes - order - sums,
            thermographs: Mutex::new(Known::default()),
        }
    }

    /// The same arena, but sums are built without incentives: for tests that compare the two methods.
    pub fn without_incentives(self) -> Forms {
        self.close_incentives();
        self
    }

    /// The same arena, but all comparisons use the general method: for tests that compare the two methods.
    pub fn without_lays(self) -> Forms {
        self.close_lays();
        self
    }

    /// From now on, sums are built without incentives.
    pub fn close_incentives(&self) {
        self.pruned.store(CLOSED, Atomic::Relaxed);
    }

    /// From now on, all comparisons use the general method.
    pub fn close_lays(&self) {
        self.laid.store(CLOSED, Atomic::Relaxed);
    }

    /// From now on, sums with incentives are wrong, on purpose: for the tests that must detect it.
    #[doc(hidden)]
    pub fn mistake_incentives(&self) {
        self.pruned.store(MISTAKEN, Atomic::Relaxed);
    }

    /// From now on, comparisons of infinitesimals are wrong, on purpose: for the tests that must detect it.
    #[doc(hidden)]
    pub fn mistake_lays(&self) {
        self.laid.store(MISTAKEN, Atomic::Relaxed);
    }

    #[inline]
    fn is_laid(&self) -> bool {
        self.laid.load(Atomic::Relaxed) != CLOSED
    }

    #[inline]
    fn is_pruned(&self) -> bool {
        self.pruned.load(Atomic::Relaxed) != CLOSED
    }

    /// From now on, long computations fail with [`OutOfMemory`] once the flag is set. Only the first flag given counts.
    pub fn end_when(&self, flag: Arc<AtomicBool>) {
        let _ = self.interrupt.set(flag);
    }

    /// Whether long computations were cancelled from outside.
    pub fn is_ended(&self) -> bool {
        self.go_on().is_err()
    }

    #[inline]
    pub(crate) fn go_on(&self) -> Result<(), OutOfMemory> {
        match self.interrupt.get() {
            Some(flag) if flag.load(Atomic::Relaxed) => Err(OutOfMemory),
            _ => Ok(()),
        }
    }

    // The same for loops over long lists: checks at every 256th index.
    #[inline]
    fn go_on_at(&self, i: usize) -> Result<(), OutOfMemory> {
        if i % 256 == 255 { self.go_on() } else { Ok(()) }
    }

    /// The number of stored bases that are compared by small integers and landmarks, because all their numbers are small.
    pub fn lays_kept(&self) -> usize {
        self.lays.load(Atomic::Relaxed) as usize
    }

    /// The number of forms whose incentives are kept.
    pub fn incentives_kept(&self) -> usize {
        self.incentives.len() as usize
    }

    /// The bytes that the arena holds now, caches included.
    pub fn memory(&self) -> usize {
        self.used.load(Atomic::Relaxed) + self.order.bytes() + self.sums.bytes()
    }

    /// The number of forms stored. Sums of a number, ups and a nimber that fit in a handle are not stored.
    pub fn len(&self) -> usize {
        (self.nodes.len() as usize) + (self.shifts.len() as usize) + (self.wides.len() as usize)
    }

    /// Whether no form is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn charge(&self, bytes: usize) -> Result<(), OutOfMemory> {
        let before = self.used.fetch_add(bytes, Atomic::Relaxed);
        if before.saturating_add(bytes) > self.limit {
            self.used.fetch_sub(bytes, Atomic::Relaxed);
            return Err(OutOfMemory);
        }
        Ok(())
    }

    pub(crate) fn refund(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Atomic::Relaxed);
    }

    /// An account of the temporary memory of a computation. Dropping it refunds everything.
    pub(crate) fn ledger(&self) -> Ledger<'_> {
        Ledger {
            forms: self,
            taken: 0,
            spare: 0,
        }
    }

    #[inline]
    fn node(&self, g: CanonicalForm) -> &Node {
        self.nodes.get(g.index())
    }

    #[inline]
    fn shift(&self, g: CanonicalForm) -> Shift {
        match g.inline_shift() {
            Some((base, number)) => Shift { base, number },
            None => *self.shifts.get(g.index()),
        }
    }

    fn wide(&self, g: CanonicalForm) -> &Wide {
        self.wides.get(g.index())
    }

    // Both stops.
    #[inline]
    fn stops(&self, g: CanonicalForm) -> (CanonicalForm, CanonicalForm) {
        (self.left_stop_handle(g), self.right_stop_handle(g))
    }

    #[inline]
    pub(crate) fn left_stop_handle(&self, g: CanonicalForm) -> CanonicalForm {
        if g.is_base() {
            self.node(g).left_stop
        } else if g.is_general() {
            let Shift { base, number } = self.shift(g);
            // Cannot fail: the left stop was interned together with the form.
            self.add_numbers(self.node(base).left_stop, number)
                .unwrap_or_default()
        } else {
            self.number_part(g)
        }
    }

    #[inline]
    pub(crate) fn right_stop_handle(&self, g: CanonicalForm) -> CanonicalForm {
        if g.is_base() {
            CanonicalForm::ZERO
        } else if g.is_general() {
            self.shift(g).number
        } else {
            self.number_part(g)
        }
    }

    /// The left stop: the number reached when Left moves first and both stop at numbers (Siegel II).
    pub fn left_stop(&self, g: CanonicalForm) -> Number {
        self.as_number(self.left_stop_handle(g)).unwrap_or_default()
    }

    /// The right stop: the number reached when Right moves first and both stop at numbers.
    pub fn right_stop(&self, g: CanonicalForm) -> Number {
        self.as_number(self.right_stop_handle(g))
            .unwrap_or_default()
    }

    /// The outcome of the game under normal play.
    pub fn outcome(&self, g: CanonicalForm) -> Result<Outcome, OutOfMemory> {
        Ok(match self.compare(g, CanonicalForm::ZERO)? {
            Some(Ordering::Greater) => Outcome::Left,
            Some(Ordering::Less) => Outcome::Right,
            Some(Ordering::Equal) => Outcome::Previous,
            None => Outcome::Next,
        })
    }

    /// Compares two games; `None` if they are confused.
    pub fn compare(
        &self,
        g: CanonicalForm,
        h: CanonicalForm,
    ) -> Result<Option<Ordering>, OutOfMemory> {
        if g == h {
            return Ok(Some(Ordering::Equal));
        }
        if g.is_number_up_star() && h.is_number_up_star() {
            return Ok(self.compare_number_up_stars(g, h));
        }
        Ok(if self.less_or_equal(g, h)? {
            Some(Ordering::Less)
        } else if self.less_or_equal(h, g)? {
            Some(Ordering::Greater)
        } else {
            None
        })
    }

    fn compare_number_up_stars(&self, g: CanonicalForm, h: CanonicalForm) -> Option<Ordering> {
        match self.compare_numbers(self.number_part(g), self.number_part(h)) {
            Ordering::Equal => {
                let ((k, m), (l, n)) = (self.infinitesimal_part(g), self.infinitesimal_part(h));
                infinitesimal_sign(k.saturating_sub(l), m ^ n)
            }
            order => Some(order),
        }
    }

    /// The canonical options of both sides, in no particular order.
    pub(crate) fn options_of(
        &self,
        g: CanonicalForm,
    ) -> Result<(Vec<CanonicalForm>, Vec<CanonicalForm>), OutOfMemory> {
        let list = |options: Options<'_>| -> Result<Vec<CanonicalForm>, OutOfMemory> {
            if options.len() > followers::MAX_EXPANDED {
                return Err(OutOfMemory);
            }
            (0..options.len()).map(|i| options.at(self, i)).collect()
        };
        Ok((list(self.left_of(g)?)?, list(self.right_of(g)?)?))
    }

    /// The numbers of left and of right options of the canonical form.
    pub fn option_counts(&self, g: CanonicalForm) -> Result<(usize, usize), OutOfMemory> {
        Ok((self.left_of(g)?.len(), self.right_of(g)?.len()))
    }

    /// The left options of the canonical form, in structural order. A nimber has as many as its size; an enormous one is an
    /// error.
    pub fn left_options(&self, g: CanonicalForm) -> Result<Vec<CanonicalForm>, OutOfMemory> {
        self.sorted_options(self.left_of(g)?)
    }

    /// The right options of the canonical form, in structural order.
    pub fn right_options(&self, g: CanonicalForm) -> Result<Vec<CanonicalForm>, OutOfMemory> {
        self.sorted_options(self.right_of(g)?)
    }

    /// The first options of one side in structural order, at most `most`.
    pub fn first_options(
        &self,
        g: CanonicalForm,
        left: bool,
        most: usize,
    ) -> Result<Vec<CanonicalForm>, OutOfMemory> {
        let options = if left {
            self.left_of(g)?
        } else {
            self.right_of(g)?
        };
        match options {
            // Already in order.
            Options::Nimbers(number, m) if m as usize > most => (0..most as u32)
                .map(|n| self.translated(number, 0, n))
                .collect(),
            _ => {
                let mut all = self.sorted_options(options)?;
                all.truncate(most);
                Ok(all)
            }
        }
    }

    fn sorted_options(&self, options: Options<'_>) -> Result<Vec<CanonicalForm>, OutOfMemory> {
        if options.len() > followers::MAX_EXPANDED {
            return Err(OutOfMemory);
        }
        let mut list = Vec::with_capacity(options.len().min(1 << 20));
        for i in 0..options.len() {
            self.go_on_at(i)?;
            list.push(options.at(self, i)?);
        }
        self.sort_structurally(&mut list);
        Ok(list)
    }

    /// The n-fold sum of the game; for negative n, of its negative.
    pub fn multiple(&self, n: i64, g: CanonicalForm) -> Result<CanonicalForm, OutOfMemory> {
        self.multiple_big(&BigInt::from(n), g)
    }

    /// The n-fold sum of the game for a multiplier of any size.
    pub fn multiple_big(&self, n: &BigInt, g: CanonicalForm) -> Result<CanonicalForm, OutOfMemory> {
        if let Some(v) = self.as_number_up_star(g) {
            let ups = if v.ups == 0 {
                0
            } else {
                (BigInt::from(v.ups) * n).to_i64().ok_or(OutOfMemory)?
            };
            return self.number_up_star(&NumberUpStar {
                number: &v.number * &Number::from(n.clone()),
                ups,
                nimber: if n.bit(0) { v.nimber } else { 0 },
            });
        }
        let mut double = if n.sign() == num_bigint::Sign::Minus {
            self.negate(g)?
        } else {
            g
        };
        let magnitude = n.magnitude();
        let bits = magnitude.bits();
        let mut sum = CanonicalForm::ZERO;
        for bit in 0..bits {
            self.go_on()?;
            if magnitude.bit(bit) {
                sum = self.add(sum, double)?;
            }
            if double == CanonicalForm::ZERO {
                break;
            }
            if bit + 1 < bits {
                double = self.add(double, double)?;
            }
        }
        Ok(sum)
    }
}

/// The temporary memory of a computation, charged to the arena in blocks.
pub(crate) struct Ledger<'a> {
    forms: &'a Forms,
    taken: usize,
    spare: usize,
}

impl Ledger<'_> {
    const BLOCK: usize = 1 << 14;

    /// Charges bytes, and checks from time to time whether the computation was cancelled.
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), OutOfMemory> {
        if bytes > self.spare {
            self.forms.go_on()?;
            let more = bytes.max(Ledger::BLOCK);
            self.forms.charge(more)?;
            self.taken += more;
            self.spare += more;
        }
        self.spare -= bytes;
        Ok(())
    }
}

impl Drop for Ledger<'_> {
    fn drop(&mut self) {
        self.forms.refund(self.taken);
    }
}
