//! The incentives of a form, option by option, which prune the options of sums before they are computed.
//!
//! The left incentives of G are the `G^L - G`, the right ones the `G - G^R` (*Winning Ways*, chapter 6; Siegel II). In a
//! sum a move keeps the incentive that it has in its own summand, since `(G^L + H) - (G + H) = G^L - G`. So `G^L + H` is
//! dominated by `G + H^L` exactly when `G^L - G <= H^L - H`, and reversed by the reply `G^L + H^R` exactly when `G^L - G <=
//! H - H^R`. These comparisons concern the summands alone; they recur often, and are answered before any option of the sum
//! is known. With them a sum of switches is the sorted list of its temperatures.
//!
//! Incentives are stored with a base (translations have the same ones) once it has been a summand a few times, if it has few
//! followers: each incentive is a difference, whose cost grows with the square of their number. Those of a sum follow from
//! those of its summands.

use std::cmp::Ordering;
use std::sync::atomic::Ordering as Atomic;

use smallvec::SmallVec;

use super::lay::Lay;
use super::{CanonicalForm, Forms, MISTAKEN, Node, OutOfMemory};

/// The number of uses as a summand before incentives are computed.
const USES: u32 = 6;
/// The count of a base that has too many followers for incentives of its own.
const REFUSED: u32 = 7;
/// The field of a node is a use count or `REFUSED` below this, and an index plus this from here on.
const COUNTS: u32 = 8;
/// Incentives are computed for bases with at most this many bases among their followers. Sums of up to five games `{a|b}` and
/// `{a||b|c}` take as long with 4 as without a limit, but half as long again with 3. Without one, the value of Snort on a
/// path of 21 vertices takes 30 times as long, and that of a random position of Clobber on 3x6 more than 90 times.
const FOLLOWERS: usize = 6;
/// Forms with more options than this on one side store no incentives.
pub(super) const MOST: usize = 32;

/// An incentive, with its comparison data if all its numbers fit in handles.
#[derive(Clone, Copy)]
pub(super) struct Incentive {
    pub(super) form: CanonicalForm,
    lay: Option<Lay>,
}

/// The incentives of a form, in the order of its options: `[left, right]`.
pub(super) enum Incentives<'a> {
    /// Those stored with a base, Left's first, and the number of left options.
    Kept(&'a [Incentive], usize),
    /// Those of a multiple of up plus a nimber.
    Closed([SmallVec<[Incentive; 2]>; 2]),
}

impl Incentives<'_> {
    pub(super) fn side(&self, side: usize) -> &[Incentive] {
        match self {
            Incentives::Kept(list, lefts) if side == 0 => &list[..*lefts],
            Incentives::Kept(list, lefts) => &list[*lefts..],
            Incentives::Closed(sides) => &sides[side],
        }
    }
}

impl Forms {
    /// The incentives of a base or of ups plus a nimber, if they are known. With `grow` they may be computed, which interns
    /// games that are not followers of it.
    pub(super) fn known_incentives(
        &self,
        g: CanonicalForm,
        grow: bool,
    ) -> Result<Option<Incentives<'_>>, OutOfMemory> {
        if !self.is_pruned() {
            return Ok(None);
        }
        if !g.is_general() {
            return self.closed_incentives(g);
        }
        let kept = self.kept_incentives(g, grow)?;
        Ok(kept.map(|list| Incentives::Kept(list, self.node(g).lefts())))
    }

    /// The incentives of a base, Left's first.
    pub(super) fn kept_incentives(
        &self,
        g: CanonicalForm,
        grow: bool,
    ) -> Result<Option<&[Incentive]>, OutOfMemory> {
        if !self.is_pruned() {
            return Ok(None);
        }
        let node = self.node(g);
        let lefts = node.lefts();
        if lefts > MOST || node.list.len() - lefts > MOST {
            return Ok(None);
        }
        let mut known = node.incentives.load(Atomic::Relaxed);
        if known < COUNTS {
            if !grow || known == REFUSED {
                return Ok(None);
            }
            // Those of `{a|b}` and `{a||b|c}` cost almost nothing.
            let cheap = node.list.len() <= 2
                && node.list.iter().all(|option| {
                    let closed = |g: &CanonicalForm| !g.is_general();
                    closed(option) || self.node(self.base(*option)).list.iter().all(closed)
                });
            if known < USES && !cheap {
                node.incentives.store(known + 1, Atomic::Relaxed);
                return Ok(None);
            }
            if !cheap && !self.has_few_followers(g)? {
                node.incentives.store(REFUSED, Atomic::Relaxed);
                return Ok(None);
            }
            let mut list = SmallVec::<[CanonicalForm; 16]>::new();
            if self.is_switch(node) {
                // `a - {a|0} = {a|0} - 0`.
                list.extend([g; 2]);
            } else if let Some(gains) = self.gains_of_threat(node)? {
                list.extend(gains);
            } else {
                let negative = self.negate(g)?;
                for (i, option) in node.list.iter().enumerate() {
                    list.push(if i < lefts {
                        self.add_plainly(*option, negative)?
                    } else {
                        self.add_plainly(self.negate(*option)?, g)?
                    });
                }
            }
            self.keep_incentives(g, &list)?;
            known = node.incentives.load(Atomic::Relaxed);
        }
        Ok((known >= COUNTS).then(|| &**self.incentives.get(known - COUNTS)))
    }

    // Whether a base has at most `FOLLOWERS` bases among its followers. Once there are more, the walk goes no deeper.
    fn has_few_followers(&self, g: CanonicalForm) -> Result<bool, OutOfMemory> {
        let mut met = 0;
        self.base_followers(g, |_| {
            met += 1;
            met <= FOLLOWERS + 1
        })?;
        Ok(met <= FOLLOWERS + 1)
    }

    // The left and the right incentive of a base that is `{a||0|-c}` or `{a+c|a||0}` with a > 0.
    //
    // In `G = {a||0|-c}` Left's move has incentive `a - G = {a+c|a||0}`. Right's move has incentive `D = G + {c|0}`. Its
    // options are `{a+c|a}` and `G + c` for Left, and 0 and G for Right. G is positive, so 0 dominates G. If `a > c`, then
    // `{c|0} < a`, so `{a+c|a}` dominates `G + c = {a+c||c|0}`, and D is Left's incentive. If `a <= c`, then `{c|0} <= D`,
    // since in `{c|0} - D` Left loses after moving to `c - D` (Right answers with -G) and to `{c|0} - 0` (Right answers
    // with 0). So `G + c` is reversed through `{c|0}` to c, and `D = {c,{a+c|a}||0}`. The negative of either form is a
    // translation of the other, with the incentives exchanged.
    fn gains_of_threat(&self, node: &Node) -> Result<Option<[CanonicalForm; 2]>, OutOfMemory> {
        let ([left], [right]) = node.options() else {
            return Ok(None);
        };
        let (threat, mirrored) = match (self.is_number(*left), self.is_number(*right)) {
            (true, false) => (*right, false),
            (false, true) => (*left, true),
            _ => return Ok(None),
        };
        if !threat.is_general() {
            return Ok(None);
        }
        let (a, switch) = (node.left_stop, self.base(threat));
        let zero = CanonicalForm::ZERO;
        let inside = self.node(switch);
        if !self.is_switch(inside) || self.compare_numbers(a, zero) != Ordering::Greater {
            return Ok(None);
        }
        let c = inside.left_stop;
        let high = self.translate(switch, a)?;
        let mine = self.intern_general(&[high], &[zero], a, zero)?;
        let theirs = if self.compare_numbers(a, c) != Ordering::Greater {
            let mut both = [c, high];
            both.sort_unstable_by_key(|g| g.0);
            self.intern_general(&both, &[zero], c, zero)?
        } else {
            mine
        };
        Ok(Some(if mirrored {
            [theirs, mine]
        } else {
            [mine, theirs]
        }))
    }

    #[inline]
    fn incentive(&self, form: CanonicalForm) -> Incentive {
        Incentive {
            form,
            lay: self.lay(form),
        }
    }

    /// Whether one incentive is at most another.
    #[inline]
    pub(super) fn gains_at_most(&self, a: &Incentive, b: &Incentive) -> Result<bool, OutOfMemory> {
        match (&a.lay, &b.lay) {
            _ if a.form == b.form => Ok(true),
            _ if self.pruned.load(Atomic::Relaxed) == MISTAKEN => Ok(true),
            (Some(a), Some(b)) => self.laid_at_most(a, b),
            _ => self.less_or_equal(a.form, b.form),
        }
    }

    fn closed_incentives(&self, g: CanonicalForm) -> Result<Option<Incentives<'_>>, OutOfMemory> {
        let (left, right) = (self.left_of(g)?, self.right_of(g)?);
        if left.len() > MOST || right.len() > MOST {
            return Ok(None);
        }
        let negative = self.negate(g)?;
        let mut sides: [SmallVec<[Incentive; 2]>; 2] = Default::default();
        for i in 0..left.len() {
            sides[0].push(self.incentive(self.add_closed(left.at(self, i)?, negative)?));
        }
        for i in 0..right.len() {
            let gain = self.add_closed(g, self.negate(right.at(self, i)?)?)?;
            sides[1].push(self.incentive(gain));
        }
        Ok(Some(Incentives::Closed(sides)))
    }

    // Stores the incentives of a base, in the order of its options.
    fn keep_incentives(&self, g: CanonicalForm, list: &[CanonicalForm]) -> Result<(), OutOfMemory> {
        self.keep_incentive_list(g, || list.iter().map(|g| self.incentive(*g)).collect())
    }

    /// The same from a list with comparison data, which is built only if none is stored.
    pub(super) fn keep_incentive_list(
        &self,
        g: CanonicalForm,
        list: impl FnOnce() -> Box<[Incentive]>,
    ) -> Result<(), OutOfMemory> {
        let node = self.node(g);
        if node.incentives.load(Atomic::Relaxed) >= COUNTS {
            return Ok(());
        }
        let list = list();
        let bytes = size_of_val(&*list) + 16;
        self.charge(bytes)?;
        match self
            .incentives
            .push(list, || OutOfMemory, |b| self.charge(b))
        {
            // If another thread was faster, one of two equal lists remains in use.
            Ok(index) => node.incentives.store(index + COUNTS, Atomic::Relaxed),
            Err(e) => {
                self.refund(bytes);
                return Err(e);
            }
        }
        Ok(())
    }

    /// Stores the incentives of a sum, given for its options before they were translated.
    pub(super) fn keep_incentives_of_sum(
        &self,
        sum: CanonicalForm,
        options: [&[(CanonicalForm, CanonicalForm)]; 2],
    ) -> Result<(), OutOfMemory> {
        if !sum.is_general() || options.iter().any(|side| side.len() > MOST) {
            return Ok(());
        }
        let (base, number) = self.split(sum)?;
        let node = self.node(base);
        if node.incentives.load(Atomic::Relaxed) >= COUNTS {
            return Ok(());
        }
        let lefts = node.options().0.len();
        let mut list = SmallVec::<[CanonicalForm; 16]>::new();
        for (i, option) in node.list.iter().enumerate() {
            let option = self.translate(*option, number)?;
            let side = options[usize::from(i >= lefts)];
            match side.iter().find(|(g, _)| *g == option) {
                Some((_, incentive)) => list.push(*incentive),
                None => return Ok(()),
            }
        }
        self.keep_incentives(base, &list)
    }
}
