//! From any options to the canonical form: numbers at once, then domination, then reversibility, then interning.
//!
//! Simplicity theorem (*Winning Ways*, chapter 2): if some number fits between the options, the game is the simplest that
//! does. Else dominated options are removed (Siegel II.2.4), and an option that the opponent reverses is replaced by
//! what it is reversed through (II.2.5); what is left is the canonical form (II.2.9). Both steps keep the value, so the
//! comparisons made for one stay good for the other.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::handle::{POINT, PROVISIONAL};
use super::order::Provisional;
use super::sum::Sum;
use super::{CanonicalForm, Forms, Node, Number, Options, OutOfMemory, SHARDS, Shift, scramble};
use crate::value::nimber::Nimber;
use std::sync::atomic::AtomicU32;

pub(super) type List = SmallVec<[CanonicalForm; 12]>;

// A nimber with more options is not taken apart as an option of another game.
const MAX_REPLIES: usize = 1 << 14;

impl Forms {
    /// The value of `{left | right}`.
    pub fn from_options(
        &self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
    ) -> Result<CanonicalForm, OutOfMemory> {
        let (high, low) = match self.number_or_stops(left, right)? {
            Ok(number) => return Ok(number),
            Err(stops) => stops,
        };
        if let Some(g) = self.impartial(left, right, high)? {
            return Ok(g);
        }
        let mut left = self.undominated(left, true)?;
        let mut right = self.undominated(right, false)?;
        self.bypass_reversible(&mut left, &mut right, high, low)?;
        left.sort_unstable_by_key(|g| g.0);
        right.sort_unstable_by_key(|g| g.0);
        self.intern(&left, &right, high, low)
    }

    // The value of `{left | right}` if it is a number, else its stops.
    fn number_or_stops(
        &self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
    ) -> Result<Result<CanonicalForm, (CanonicalForm, CanonicalForm)>, OutOfMemory> {
        // The stops, were the game no number.
        let high = self.extreme(
            left.iter().map(|g| self.right_stop_handle(*g)),
            Ordering::Greater,
        );
        let low = self.extreme(
            right.iter().map(|g| self.left_stop_handle(*g)),
            Ordering::Less,
        );
        let (Some(high), Some(low)) = (high, low) else {
            return self.simplest(left, right, high, low).map(Ok);
        };
        match self.compare_numbers(high, low) {
            Ordering::Less => return self.simplest(left, right, Some(high), Some(low)).map(Ok),
            Ordering::Equal => {
                if self.closed_below(left, high)? && self.closed_above(right, low)? {
                    return Ok(Ok(high));
                }
            }
            Ordering::Greater => {}
        }
        Ok(Err((high, low)))
    }

    // The same nimbers on both sides, all with one number added: mex (Sprague and Grundy), translated.
    fn impartial(
        &self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
        number: CanonicalForm,
    ) -> Result<Option<CanonicalForm>, OutOfMemory> {
        let nimber = |g: &CanonicalForm| {
            (g.is_number_up_star() && self.number_part(*g) == number)
                .then(|| self.infinitesimal_part(*g))
                .filter(|(ups, _)| *ups == 0)
                .map(|(_, m)| Nimber(u64::from(m)))
        };
        if left != right {
            return Ok(None);
        }
        let Some(nimbers) = left.iter().map(nimber).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        // Distinct 32-bit nimbers leave one out below 2^32, or memory ran out before.
        match u32::try_from(Nimber::mex(nimbers).0) {
            Ok(m) => self.translated(number, 0, m).map(Some),
            Err(_) => Err(OutOfMemory),
        }
    }

    /// The value of the sum of two canonical forms from the sums with their options: of g's with h, then of g with h's,
    /// on each side. `middle` says where h's begin.
    ///
    /// Options that move in the same summand are incomparable, as they were there. And a move in g is reversed only by a
    /// move in h: a reply `g^LR + h <= g + h` would reverse `g^L` in g.
    pub(super) fn build_sum(
        &self,
        sides: [(&[CanonicalForm], usize); 2],
        g: [Options<'_>; 2],
        h: [Options<'_>; 2],
    ) -> Result<CanonicalForm, OutOfMemory> {
        let [(left, _), (right, _)] = sides;
        let (high, low) = match self.number_or_stops(left, right)? {
            Ok(number) => return Ok(number),
            Err(stops) => stops,
        };
        if let Some(g) = self.impartial(left, right, high)? {
            return Ok(g);
        }
        // Options with the place that they have among the moves.
        let mut kept: [SmallVec<[(CanonicalForm, usize); 12]>; 2] = Default::default();
        for (side, (options, middle)) in sides.into_iter().enumerate() {
            let at_most = |a, b| {
                if side == 0 {
                    self.less_or_equal(a, b)
                } else {
                    self.less_or_equal(b, a)
                }
            };
            let (mine, theirs) = options.split_at(middle);
            let mut dominated: SmallVec<[bool; 24]> = SmallVec::from_elem(false, options.len());
            for (i, a) in mine.iter().enumerate() {
                for (j, b) in theirs.iter().enumerate() {
                    if dominated[i] || dominated[middle + j] {
                        continue;
                    }
                    if at_most(*a, *b)? {
                        dominated[i] = true;
                    } else if at_most(*b, *a)? {
                        dominated[middle + j] = true;
                    }
                }
            }
            let alive = options
                .iter()
                .copied()
                .enumerate()
                .filter(|(i, _)| !dominated[*i]);
            kept[side].extend(alive.map(|(i, option)| (option, i)));
        }
        let lists: [List; 2] = [0, 1].map(|side| kept[side].iter().map(|k| k.0).collect());
        let mut game = Provisional {
            left: &lists[0],
            right: &lists[1],
            left_stop: high,
            right_stop: low,
            known: FxHashMap::default(),
        };
        let mut done: [List; 2] = Default::default();
        for side in 0..2 {
            let middle = sides[side].1;
            // What reversible options are replaced by; these are checked like any others.
            let mut replaced = List::new();
            'options: for (option, place) in &kept[side] {
                // The option moved in one summand; the replies are in the other.
                let (moved, replies) = if *place < middle {
                    (g[side].at(self, *place)?, &h[1 - side])
                } else {
                    (h[side].at(self, *place - middle)?, &g[1 - side])
                };
                if replies.len() > MAX_REPLIES {
                    return Err(OutOfMemory);
                }
                for i in 0..replies.len() {
                    // It was an option of this option's own sum; should the cache have lost it, the general way
                    // does without, and without recursion.
                    let Sum::Known(reply) = self.sum(moved, replies.at(self, i)?)? else {
                        return self.from_options(left, right);
                    };
                    let (x, y) = if side == 0 {
                        (reply, PROVISIONAL)
                    } else {
                        (PROVISIONAL, reply)
                    };
                    if self.search(x, y, &mut game)? {
                        let through = if side == 0 {
                            self.left_of(reply)?
                        } else {
                            self.right_of(reply)?
                        };
                        for j in 0..through.len() {
                            replaced.push(through.at(self, j)?);
                        }
                        continue 'options;
                    }
                }
                done[side].push(*option);
            }
            if !replaced.is_empty() {
                let mut all = done[side].clone();
                for option in replaced {
                    self.insert_undominated(&mut all, option, side == 0)?;
                }
                self.bypass(&mut all, &done[side], side == 0, &mut game)?;
                done[side] = all;
            }
            done[side].sort_unstable_by_key(|g| g.0);
        }
        self.intern(&done[0], &done[1], high, low)
    }

    fn extreme(
        &self,
        numbers: impl Iterator<Item = CanonicalForm>,
        wanted: Ordering,
    ) -> Option<CanonicalForm> {
        numbers.reduce(|a, b| {
            if self.compare_numbers(b, a) == wanted {
                b
            } else {
                a
            }
        })
    }

    // Whether x itself is not at most any of the left options.
    fn closed_below(&self, left: &[CanonicalForm], x: CanonicalForm) -> Result<bool, OutOfMemory> {
        for g in left {
            if self.right_stop_handle(*g) == x && self.less_or_equal(x, *g)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn closed_above(&self, right: &[CanonicalForm], x: CanonicalForm) -> Result<bool, OutOfMemory> {
        for g in right {
            if self.left_stop_handle(*g) == x && self.less_or_equal(*g, x)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    // The simplest number between the options, given the greatest right stop of the left ones and the least left
    // stop of the right ones.
    fn simplest(
        &self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
        high: Option<CanonicalForm>,
        low: Option<CanonicalForm>,
    ) -> Result<CanonicalForm, OutOfMemory> {
        if let Some(x) = self.simplest_inline(left, right, high, low)? {
            return Ok(x);
        }
        let lower = match high {
            None => None,
            Some(x) => Some((
                self.as_number(x).unwrap_or_default(),
                self.closed_below(left, x)?,
            )),
        };
        let upper = match low {
            None => None,
            Some(x) => Some((
                self.as_number(x).unwrap_or_default(),
                self.closed_above(right, x)?,
            )),
        };
        let x = Number::simplest_between(
            lower.as_ref().map(|(x, closed)| (x, *closed)),
            upper.as_ref().map(|(x, closed)| (x, *closed)),
        );
        // The interval is never empty here: one bound is missing or the lower lies below the upper.
        self.number(&x.unwrap_or_default())
    }

    // As `simplest`, in 32nds, if bounds and result are all so small.
    fn simplest_inline(
        &self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
        high: Option<CanonicalForm>,
        low: Option<CanonicalForm>,
    ) -> Result<Option<CanonicalForm>, OutOfMemory> {
        // The least and the greatest multiple of 1/32 that fits.
        let mut least = i32::MIN;
        let mut greatest = i32::MAX;
        if let Some(x) = high {
            if !x.is_inline() {
                return Ok(None);
            }
            least = x.thirtyseconds() + i32::from(!self.closed_below(left, x)?);
        }
        if let Some(x) = low {
            if !x.is_inline() {
                return Ok(None);
            }
            greatest = x.thirtyseconds() - i32::from(!self.closed_above(right, x)?);
        }
        let x = if least <= 0 && greatest >= 0 {
            0
        } else {
            // Towards zero: the multiple of the coarsest step that fits.
            let mut found = None;
            for exponent in 0..=POINT {
                let step = 32 >> exponent;
                let x = if least > 0 {
                    (least + step - 1).div_euclid(step) * step
                } else {
                    greatest.div_euclid(step) * step
                };
                if least <= x && x <= greatest {
                    found = Some(x);
                    break;
                }
            }
            match found {
                Some(x) => x,
                None => return Ok(None),
            }
        };
        Ok(CanonicalForm::pack(x, 0, 0))
    }

    fn undominated(&self, options: &[CanonicalForm], left: bool) -> Result<List, OutOfMemory> {
        let mut kept = List::new();
        for g in options {
            self.insert_undominated(&mut kept, *g, left)?;
        }
        Ok(kept)
    }

    // Adds an option unless another dominates it, and drops those that it dominates. Says whether it was added.
    fn insert_undominated(
        &self,
        kept: &mut List,
        g: CanonicalForm,
        left: bool,
    ) -> Result<bool, OutOfMemory> {
        let at_most = |a, b| {
            if left {
                self.less_or_equal(a, b)
            } else {
                self.less_or_equal(b, a)
            }
        };
        for h in kept.iter() {
            if at_most(g, *h)? {
                return Ok(false);
            }
        }
        let mut i = 0;
        while i < kept.len() {
            if at_most(kept[i], g)? {
                kept.remove(i);
            } else {
                i += 1;
            }
        }
        kept.push(g);
        Ok(true)
    }

    // Replaces each reversible option by the options that it is reversed to, until none is reversible.
    fn bypass_reversible(
        &self,
        left: &mut List,
        right: &mut List,
        left_stop: CanonicalForm,
        right_stop: CanonicalForm,
    ) -> Result<(), OutOfMemory> {
        // The options as they are now define the game throughout.
        let (first_left, first_right) = (left.clone(), right.clone());
        let mut game = Provisional {
            left: &first_left,
            right: &first_right,
            left_stop,
            right_stop,
            known: FxHashMap::default(),
        };
        self.bypass(left, &[], true, &mut game)?;
        self.bypass(right, &[], false, &mut game)
    }

    // `done` are options known not to be reversible.
    fn bypass<'a>(
        &'a self,
        kept: &mut List,
        done: &[CanonicalForm],
        left: bool,
        game: &mut Provisional<'a>,
    ) -> Result<(), OutOfMemory> {
        let mut done = List::from_slice(done);
        'next: while let Some(option) = kept.iter().copied().find(|g| !done.contains(g)) {
            let replies = if left {
                self.right_of(option)?
            } else {
                self.left_of(option)?
            };
            if replies.len() > MAX_REPLIES {
                return Err(OutOfMemory);
            }
            for i in 0..replies.len() {
                let reply = replies.at(self, i)?;
                let (x, y) = if left {
                    (reply, PROVISIONAL)
                } else {
                    (PROVISIONAL, reply)
                };
                if !self.search(x, y, game)? {
                    continue;
                }
                kept.retain(|g| *g != option);
                let through = if left {
                    self.left_of(reply)?
                } else {
                    self.right_of(reply)?
                };
                for j in 0..through.len() {
                    self.insert_undominated(kept, through.at(self, j)?, left)?;
                }
                continue 'next;
            }
            done.push(option);
        }
        Ok(())
    }

    /// Interns a form that is canonical and no number, from its options in order of their handles.
    pub(super) fn intern(
        &self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
        left_stop: CanonicalForm,
        right_stop: CanonicalForm,
    ) -> Result<CanonicalForm, OutOfMemory> {
        if left_stop == right_stop
            && let Some(g) = self.recognise(left, right, left_stop)?
        {
            return Ok(g);
        }
        self.intern_general(left, right, left_stop, right_stop)
    }

    // The closed form of canonical options, if there is one: see `options.rs`.
    fn recognise(
        &self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
        number: CanonicalForm,
    ) -> Result<Option<CanonicalForm>, OutOfMemory> {
        let closed = |g: &CanonicalForm| g.is_number_up_star() && self.number_part(*g) == number;
        if !left.iter().chain(right).all(closed) {
            return Ok(None);
        }
        if left == right {
            // Options with distinct nimbers and no ups, as many as the least one left out: *0 .. *(m-1).
            let m = left.len() as u32;
            let nimbers = left.iter().all(|g| {
                let (ups, nimber) = self.infinitesimal_part(*g);
                ups == 0 && nimber < m
            });
            return if nimbers {
                self.translated(number, 0, m).map(Some)
            } else {
                Ok(None)
            };
        }
        let up_star = |two: &[CanonicalForm], one: &[CanonicalForm]| {
            two.len() == 2
                && one == [number]
                && two.contains(&number)
                && two.iter().any(|g| self.infinitesimal_part(*g) == (0, 1))
        };
        if up_star(left, right) {
            return self.translated(number, 1, 1).map(Some);
        }
        if up_star(right, left) {
            return self.translated(number, -1, 1).map(Some);
        }
        if let ([l], [r]) = (left, right) {
            let ((k, m), (j, n)) = (self.infinitesimal_part(*l), self.infinitesimal_part(*r));
            if (k, m) == (0, 0) && j >= 0 {
                let ups = j.checked_add(1).ok_or(OutOfMemory)?;
                return self.translated(number, ups, n ^ 1).map(Some);
            }
            if (j, n) == (0, 0) && k <= 0 {
                let ups = k.checked_sub(1).ok_or(OutOfMemory)?;
                return self.translated(number, ups, m ^ 1).map(Some);
            }
        }
        Ok(None)
    }

    /// Interns a canonical form that has no closed form: its base, and the translation.
    pub(super) fn intern_general(
        &self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
        left_stop: CanonicalForm,
        right_stop: CanonicalForm,
    ) -> Result<CanonicalForm, OutOfMemory> {
        if right_stop == CanonicalForm::ZERO {
            return self.intern_base(left, right, left_stop);
        }
        let down = self.negate_number(right_stop)?;
        let moved = |side: &[CanonicalForm]| -> Result<List, OutOfMemory> {
            let mut list = List::with_capacity(side.len());
            for g in side {
                list.push(self.translate(*g, down)?);
            }
            list.sort_unstable_by_key(|g| g.0);
            Ok(list)
        };
        let (left, right) = (moved(left)?, moved(right)?);
        let base = self.intern_base(&left, &right, self.add_numbers(left_stop, down)?)?;
        self.shifted(base, right_stop)
    }

    /// The form plus a number.
    pub(crate) fn translate(
        &self,
        g: CanonicalForm,
        number: CanonicalForm,
    ) -> Result<CanonicalForm, OutOfMemory> {
        if number == CanonicalForm::ZERO {
            return Ok(g);
        }
        if !g.is_general() {
            return self.add_closed(g, number);
        }
        let (base, own) = self.split(g)?;
        match self.add_numbers(own, number)? {
            CanonicalForm::ZERO => Ok(base),
            sum => self.shifted(base, sum),
        }
    }

    // A base plus a number that is not zero.
    fn shifted(
        &self,
        base: CanonicalForm,
        number: CanonicalForm,
    ) -> Result<CanonicalForm, OutOfMemory> {
        if let Some(known) = self.sums.get(number.0, base.0) {
            return Ok(CanonicalForm(known));
        }
        // Its left stop must have a handle too.
        self.add_numbers(self.node(base).left_stop, number)?;
        let hash = scramble((u64::from(base.0) << 32) | u64::from(number.0));
        let shift = Shift { base, number };
        let shard = &self.unique_shifts[hash as usize % SHARDS];
        let mut table = shard.lock().unwrap_or_else(|e| e.into_inner());
        let form = match table.find(hash, |index| *self.shifts.get(index) == shift) {
            Some(index) => CanonicalForm::from_shifted(index),
            None => {
                let bytes = table.growth();
                self.charge(bytes)?;
                match self.shifts.push(shift, || OutOfMemory, |b| self.charge(b)) {
                    Ok(index) => {
                        table.insert(hash, index);
                        CanonicalForm::from_shifted(index)
                    }
                    Err(e) => {
                        self.refund(bytes);
                        return Err(e);
                    }
                }
            }
        };
        drop(table);
        self.sums.put(number.0, base.0, form.0);
        Ok(form)
    }

    fn intern_base(
        &self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
        left_stop: CanonicalForm,
    ) -> Result<CanonicalForm, OutOfMemory> {
        // Sums over the options, so that the order of handles does not matter.
        let side = |options: &[CanonicalForm], seed: u64| {
            options.iter().fold(seed, |sum, g| {
                sum.wrapping_add(scramble(self.structural_hash(*g) ^ seed))
            })
        };
        let hash = scramble(
            side(left, 0x8cb9_2ba7_2f3d_8dd7)
                .wrapping_add(side(right, 0x3c79_ac49_2ba7_b653).rotate_left(21)),
        );
        let shard = &self.unique[hash as usize % SHARDS];
        let mut table = shard.lock().unwrap_or_else(|e| e.into_inner());
        let found = table.find(hash, |index| {
            let node = self.nodes.get(index);
            node.hash == hash && node.options() == (left, right)
        });
        if let Some(index) = found {
            return Ok(CanonicalForm::from_base(index));
        }
        // The options, and the allocator's own overhead.
        let count = left.len() + right.len();
        let bytes = count * size_of::<CanonicalForm>() + 16 + table.growth();
        self.charge(bytes)?;
        let mut list = Vec::with_capacity(count);
        list.extend_from_slice(left);
        list.extend_from_slice(right);
        let node = Node {
            list: list.into_boxed_slice(),
            left: left.len() as u32,
            left_stop,
            negative: AtomicU32::new(0),
            hash,
        };
        match self.nodes.push(node, || OutOfMemory, |b| self.charge(b)) {
            Ok(index) => {
                table.insert(hash, index);
                Ok(CanonicalForm::from_base(index))
            }
            Err(e) => {
                self.refund(bytes);
                Err(e)
            }
        }
    }
}
