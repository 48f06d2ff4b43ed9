//! The handle of a canonical form that is not a number, given its options. Closed forms are recognised; every other form is
//! interned as a base with right stop 0, translated by a number.
//!
//! By the number translation theorem (Siegel II) the options of `G + x` are those of G plus x if G is not a number, so a
//! class of translations is stored once.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering as Atomic};

use smallvec::SmallVec;

use super::build::List;
use super::handle::MAX_SHIFT;
use super::lay::Lay;
use super::marks::Marks;
use super::numbers::scramble;
use super::sides::Sides;
use super::{CanonicalForm, Forms, MAX_OPTIONS, Node, OutOfMemory, SHARDS, Shift, TOO_WIDE};

impl Forms {
    /// Interns a form that is canonical and not a number. Its options are sorted by handle.
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

    // The closed form with these canonical options, if there is one: see `options.rs`.
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
            // Distinct nimbers without ups, as many as the least one left out: *0 .. *(m-1).
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

    /// Interns a canonical form that has no closed form, as a base and a number.
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

    // A base plus a nonzero number.
    pub(super) fn shifted(
        &self,
        base: CanonicalForm,
        number: CanonicalForm,
    ) -> Result<CanonicalForm, OutOfMemory> {
        if let Some(form) = CanonicalForm::shifted_inline(base, number) {
            // Its left stop must have a handle, too.
            self.add_numbers(self.node(base).left_stop, number)?;
            return Ok(form);
        }
        if let Some(known) = self.sums.get(number.0, base.0) {
            return Ok(CanonicalForm(known));
        }
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
                    Ok(index) if index >= MAX_SHIFT => return Err(OutOfMemory),
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
        self.intern_base_laid(left, right, left_stop, || {
            let lay = |g: &CanonicalForm| self.lay(*g);
            let lays = left_stop
                .is_inline()
                .then(|| left.iter().chain(right).map(lay).collect());
            lays.flatten().unwrap_or_default()
        })
    }

    /// Interns a base. If it is new, `lays` gives the comparison data of its options, Left's first; empty if numbers are
    /// too wide.
    pub(super) fn intern_base_laid(
        &self,
        left: &[CanonicalForm],
        right: &[CanonicalForm],
        left_stop: CanonicalForm,
        lays: impl FnOnce() -> Box<[Lay]>,
    ) -> Result<CanonicalForm, OutOfMemory> {
        // The hash is that of the sorted handles, so the options themselves are read only if the form is new.
        let mut hash = (left.len() as u64) << 32 | right.len() as u64;
        for g in left.iter().chain(right) {
            hash = (hash.rotate_left(5) ^ u64::from(g.0)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        let hash = scramble(hash);
        let shard = &self.unique[hash as usize % SHARDS];
        let mut table = shard.lock().unwrap_or_else(|e| e.into_inner());
        let found = table.find(hash, |index| {
            self.nodes.get(index).options() == (left, right)
        });
        if let Some(index) = found {
            return Ok(CanonicalForm::from_base(index));
        }
        let count = left.len() + right.len();
        if count >= MAX_OPTIONS as usize {
            return Err(OutOfMemory);
        }
        let mut list = SmallVec::with_capacity(count);
        list.extend_from_slice(left);
        list.extend_from_slice(right);
        let lays = lays();
        let (upper, marks, sides) = if lays.is_empty() {
            let sides = self.sides_of(left, right, left_stop, CanonicalForm::ZERO);
            (TOO_WIDE, Marks::NUMBER, sides)
        } else {
            self.lays.fetch_add(1, Atomic::Relaxed);
            let stops = (left_stop.thirtyseconds(), 0);
            let marks = Forms::marks_of(&lays[..left.len()], &lays[left.len()..], stops);
            let sides = Sides::new(marks.above_stop(), marks.below_stop());
            (Lay::new(left_stop, stops.0, 0, marks).upper, marks, sides)
        };
        // The allocations beside the node, each with the overhead of the allocator.
        let beside = if list.spilled() {
            size_of_val(&*list) + 16
        } else {
            0
        };
        let bytes = beside + size_of_val(&*lays) + 16 + table.growth();
        self.charge(bytes)?;
        let node = Node {
            hash: AtomicU64::new(0),
            list,
            lays,
            left: left.len() as u32 | sides.bits() << 30,
            left_stop,
            upper,
            marks,
            negative: AtomicU32::new(0),
            incentives: AtomicU32::new(0),
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
