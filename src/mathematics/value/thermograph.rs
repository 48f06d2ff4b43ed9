//! Thermographs: the exact walls of a canonical form, its mean and its temperature.
//!
//! For a game G that is not a number, the left scaffold at temperature t is `max R_t(G^L) - t` and the right scaffold is
//! `min L_t(G^R) + t`, where `L_t` and `R_t` are the walls of the options. The scaffolds are the walls of G up to the first
//! temperature at which they meet; above it both walls are a mast at the mean (*Winning Ways*, chapter 6; Siegel,
//! *Combinatorial Game Theory*, chapter II). Temperatures start at -1. In this range only integers are cold throughout: a
//! number with denominator `2^k` has temperature `-1/2^k`.

use std::cmp::Ordering;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::forms::{CanonicalForm, Forms, OutOfMemory};
use super::number::Number;

/// A wall: a piecewise linear function of the temperature, vertical above its last corner.
///
/// Between corners its slope is 0 or -1 for a left wall, 0 or 1 for a right wall.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Wall {
    corners: Vec<Corner>,
}

/// A point of a wall where its slope may change.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Corner {
    /// The temperature t.
    pub temperature: Number,
    /// The value of the wall at t.
    pub value: Number,
}

impl Wall {
    /// The corners by rising temperature. The first is at the base of the thermograph, the last at the foot of the mast.
    pub fn corners(&self) -> &[Corner] {
        &self.corners
    }

    /// The value at a temperature. Below the base it is the value at the base.
    pub fn at(&self, temperature: &Number) -> Number {
        let next = self
            .corners
            .partition_point(|c| c.temperature <= *temperature);
        if next == 0 {
            return self.corners[0].value.clone();
        }
        let low = &self.corners[next - 1];
        match self
            .corners
            .get(next)
            .map(|high| high.value.cmp(&low.value))
        {
            None | Some(Ordering::Equal) => low.value.clone(),
            Some(Ordering::Greater) => &low.value + &(temperature - &low.temperature),
            Some(Ordering::Less) => &low.value - &(temperature - &low.temperature),
        }
    }
}

/// The walls of a game over all temperatures from a base upwards; the base is 0 or -1.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Thermograph {
    /// The value of the mast.
    pub mean: Number,
    /// Where the mast begins: the temperature of the game.
    pub temperature: Number,
    /// The left wall, drawn on the left. Its values are at least those of the right wall.
    pub left_wall: Wall,
    /// The right wall.
    pub right_wall: Wall,
}

// The approximate size of an entry of the memo table, in bytes.
const ENTRY: usize = 64;

/// The memo table of thermographs, by game.
pub(crate) type Known = FxHashMap<CanonicalForm, Arc<Thermograph>>;

// A wall or scaffold under construction: its corners, and its slope after the last one.
struct Line {
    corners: Vec<Corner>,
    slope: i32,
}

fn corner(temperature: Number, value: Number) -> Corner {
    Corner { temperature, value }
}

impl Line {
    fn of(wall: &Wall) -> Line {
        Line {
            corners: wall.corners.clone(),
            slope: 0,
        }
    }

    // The slope between corner i and the next.
    fn slope_after(&self, i: usize) -> i32 {
        match self.corners.get(i + 1) {
            None => self.slope,
            Some(next) => match next.value.cmp(&self.corners[i].value) {
                Ordering::Less => -1,
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            },
        }
    }

    // The maximum (sign 1) or minimum (sign -1) of two lines over the same base. The slopes of both are in {0, -1} or in
    // {0, 1}.
    fn extreme(&self, other: &Line, sign: i32) -> Line {
        let mut corners: Vec<Corner> = Vec::with_capacity(self.corners.len() + other.corners.len());
        let mut push = |c: Corner| {
            // Drop a corner in the middle of a straight piece.
            if let [.., a, b] = &corners[..]
                && straight(a, b, &c)
            {
                corners.pop();
            }
            corners.push(c);
        };
        let (mut i, mut j) = (0, 0);
        // The current temperature, and the values of both lines at it.
        let mut t = self.corners[0].temperature.clone();
        let (mut a, mut b) = (
            self.corners[0].value.clone(),
            other.corners[0].value.clone(),
        );
        loop {
            let (p, q) = (self.slope_after(i), other.slope_after(j));
            let order = a.cmp(&b);
            let first = (sign > 0) == (order != Ordering::Less);
            push(corner(t.clone(), if first { a.clone() } else { b.clone() }));
            let next = match (self.corners.get(i + 1), other.corners.get(j + 1)) {
                (None, None) => None,
                (Some(c), None) | (None, Some(c)) => Some(&c.temperature),
                (Some(c), Some(d)) => Some((&c.temperature).min(&d.temperature)),
            };
            // The lines meet where the lower one catches up. Their slopes differ by at most one.
            let closing = match order {
                Ordering::Less => p - q,
                Ordering::Greater => q - p,
                Ordering::Equal => 0,
            };
            if closing > 0 {
                let meet = &t + &(&a - &b).abs();
                if next.is_none_or(|n| meet < *n) {
                    let value = advance(&a, p, &(&meet - &t));
                    push(corner(meet.clone(), value.clone()));
                    let step = next.map(|n| n - &meet);
                    (a, b, t) = (value.clone(), value, meet);
                    match step {
                        None => {
                            let slope = if sign > 0 { p.max(q) } else { p.min(q) };
                            return Line { corners, slope };
                        }
                        Some(step) => {
                            a = advance(&a, p, &step);
                            b = advance(&b, q, &step);
                            t = &t + &step;
                        }
                    }
                } else if let Some(n) = next {
                    let step = n - &t;
                    a = advance(&a, p, &step);
                    b = advance(&b, q, &step);
                    t = n.clone();
                }
            } else if let Some(n) = next {
                let step = n - &t;
                a = advance(&a, p, &step);
                b = advance(&b, q, &step);
                t = n.clone();
            } else {
                let slope = match order {
                    Ordering::Equal if sign > 0 => p.max(q),
                    Ordering::Equal => p.min(q),
                    _ if first => p,
                    _ => q,
                };
                return Line { corners, slope };
            }
            if self.corners.get(i + 1).is_some_and(|c| c.temperature == t) {
                i += 1;
            }
            if other.corners.get(j + 1).is_some_and(|c| c.temperature == t) {
                j += 1;
            }
        }
    }

    // The line plus `tax` times the temperature.
    fn taxed(mut self, tax: i32) -> Line {
        for c in &mut self.corners {
            c.value = advance(&c.value, tax, &c.temperature);
        }
        self.slope += tax;
        self
    }
}

// value + slope * step
fn advance(value: &Number, slope: i32, step: &Number) -> Number {
    match slope {
        0 => value.clone(),
        s if s > 0 => value + step,
        _ => value - step,
    }
}

fn straight(a: &Corner, b: &Corner, c: &Corner) -> bool {
    let first = (&b.value - &a.value, &b.temperature - &a.temperature);
    let second = (&c.value - &b.value, &c.temperature - &b.temperature);
    // Slopes are -1, 0 or 1.
    first.0.cmp(&Number::ZERO) == second.0.cmp(&Number::ZERO)
        && (first.0.is_zero() || first.0.abs() == first.1)
        && (second.0.is_zero() || second.0.abs() == second.1)
}

// The walls of the given scaffolds: the scaffolds up to where they first meet, then the mast.
fn meet(left: &Line, right: &Line) -> Thermograph {
    let mut walls: [Vec<Corner>; 2] = [Vec::new(), Vec::new()];
    let (mut i, mut j) = (0, 0);
    let mut t = left.corners[0].temperature.clone();
    let (mut a, mut b) = (
        left.corners[0].value.clone(),
        right.corners[0].value.clone(),
    );
    let push = |wall: &mut Vec<Corner>, c: Corner| {
        if let [.., x, y] = &wall[..]
            && straight(x, y, &c)
        {
            wall.pop();
        }
        if wall.last() != Some(&c) {
            wall.push(c);
        }
    };
    loop {
        push(&mut walls[0], corner(t.clone(), a.clone()));
        push(&mut walls[1], corner(t.clone(), b.clone()));
        let gap = &a - &b;
        if gap.signum() <= 0 {
            break;
        }
        let (p, q) = (left.slope_after(i), right.slope_after(j));
        let next = match (left.corners.get(i + 1), right.corners.get(j + 1)) {
            (None, None) => None,
            (Some(c), None) | (None, Some(c)) => Some(&c.temperature),
            (Some(c), Some(d)) => Some((&c.temperature).min(&d.temperature)),
        };
        let closing = q - p;
        // The temperature difference until they meet: the gap divided by 1 or 2.
        let wait = match closing {
            1 => Some(gap),
            2 => Some(gap.half()),
            _ => None,
        };
        let step = match (wait, next.map(|n| n - &t)) {
            (Some(w), Some(n)) => w.min(n),
            (Some(w), None) => w,
            (None, Some(n)) => n,
            // Not reached: scaffolds end with slopes -1 and 1.
            (None, None) => break,
        };
        a = advance(&a, p, &step);
        b = advance(&b, q, &step);
        t = &t + &step;
        if left.corners.get(i + 1).is_some_and(|c| c.temperature == t) {
            i += 1;
        }
        if right.corners.get(j + 1).is_some_and(|c| c.temperature == t) {
            j += 1;
        }
    }
    let [l, r] = walls;
    Thermograph {
        mean: a,
        temperature: t,
        left_wall: Wall { corners: l },
        right_wall: Wall { corners: r },
    }
}

// The thermograph of the number x from the base upwards.
fn of_number(x: &Number, base: &Number) -> Thermograph {
    if x.is_integer() || base.is_zero() {
        let foot = if base.is_zero() {
            base.clone()
        } else {
            x.temperature()
        };
        let wall = Wall {
            corners: vec![corner(foot, x.clone())],
        };
        return Thermograph {
            mean: x.clone(),
            temperature: x.temperature(),
            left_wall: wall.clone(),
            right_wall: wall,
        };
    }
    // The simplest numbers on the way down to x. Both options of each are earlier in the list.
    let mut path: Vec<(Number, Thermograph)> = Vec::new();
    let floor = Number::from(x.floor());
    let ceil = Number::from(x.ceil());
    let (mut low, mut high) = (floor, ceil);
    path.push((low.clone(), of_number(&low, base)));
    path.push((high.clone(), of_number(&high, base)));
    loop {
        let middle = (&low + &high).half();
        let wall = |y: &Number| path.iter().rev().find(|p| p.0 == *y).map(|p| &p.1);
        let (Some(l), Some(r)) = (wall(&low), wall(&high)) else {
            return of_number(&middle, &Number::ZERO);
        };
        let thermograph = meet(
            &Line::of(&l.right_wall).taxed(-1),
            &Line::of(&r.left_wall).taxed(1),
        );
        match x.cmp(&middle) {
            Ordering::Equal => return thermograph,
            Ordering::Less => high = middle.clone(),
            Ordering::Greater => low = middle.clone(),
        }
        path.push((middle, thermograph));
    }
}

impl Forms {
    // The thermograph of a number plus ups plus a nimber. Below temperature zero its walls follow from its canonical
    // options.
    fn closed_thermograph(&self, g: CanonicalForm, base: &Number) -> Thermograph {
        let Some(value) = self.as_number_up_star(g) else {
            return of_number(&Number::ZERO, base);
        };
        let x = of_number(&value.number, base);
        if value.is_number() {
            return x;
        }
        if base.is_zero() {
            return Thermograph {
                temperature: Number::ZERO,
                ..x
            };
        }
        // Both players can move to the number itself, except in multiples of up. There one player's only option has, on the
        // side that matters, the wall of a nimber.
        let left = Line::of(&x.right_wall).taxed(-1);
        let right = Line::of(&x.left_wall).taxed(1);
        match (value.ups, value.nimber) {
            (0, _) | (1 | -1, 1) => meet(&left, &right),
            (k, _) if k > 0 => meet(&left, &Line::of(&x.right_wall)),
            _ => meet(&Line::of(&x.left_wall), &right),
        }
    }

    // The thermograph of a form from those of its options.
    fn raised<'t>(
        &self,
        left: impl Iterator<Item = &'t Thermograph>,
        right: impl Iterator<Item = &'t Thermograph>,
        base: &Number,
    ) -> Thermograph {
        let low = left
            .map(|t| Line::of(&t.right_wall))
            .reduce(|a, b| a.extreme(&b, 1));
        let high = right
            .map(|t| Line::of(&t.left_wall))
            .reduce(|a, b| a.extreme(&b, -1));
        match (low, high) {
            (Some(l), Some(r)) => meet(&l.taxed(-1), &r.taxed(1)),
            // A form that is not a number has options on both sides.
            _ => of_number(&Number::ZERO, base),
        }
    }

    // The thermograph of a base from temperature 0 upwards. There, adding a number only translates it.
    fn base_thermograph(&self, g: CanonicalForm) -> Result<Arc<Thermograph>, OutOfMemory> {
        let lock = || self.thermographs.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(known) = lock().get(&g) {
            return Ok(known.clone());
        }
        let mut ledger = self.ledger();
        let mut known: Known = FxHashMap::default();
        let missing = {
            let shared = lock();
            self.base_followers(g, |f| match shared.get(&f) {
                Some(found) => {
                    known.insert(f, found.clone());
                    false
                }
                None => true,
            })?
        };
        for f in &missing {
            let (left, right) = self.base_options(*f);
            let options = |side: &[CanonicalForm]| -> Vec<Arc<Thermograph>> {
                side.iter()
                    .map(|o| match self.base_and_number(*o) {
                        Some((b, x)) => match known.get(&b) {
                            Some(t) if x.is_zero() => t.clone(),
                            Some(t) => Arc::new(t.translated(&x)),
                            None => Arc::new(of_number(&x, &Number::ZERO)),
                        },
                        None => Arc::new(self.closed_thermograph(*o, &Number::ZERO)),
                    })
                    .collect()
            };
            let (left, right) = (options(left), options(right));
            let raised = self.raised(
                left.iter().map(|t| &**t),
                right.iter().map(|t| &**t),
                &Number::ZERO,
            );
            ledger.take(raised.bytes())?;
            known.insert(*f, Arc::new(raised));
        }
        let result = known.get(&g).cloned();
        let mut shared = lock();
        // The memo table is bounded: when it is full it is cleared.
        if shared.len() + missing.len() > self.thermograph_room() {
            shared.clear();
        }
        for f in missing.into_iter().rev().take(self.thermograph_room()) {
            if let Some(t) = known.remove(&f) {
                shared.insert(f, t);
            }
        }
        Ok(result.unwrap_or_else(|| Arc::new(of_number(&Number::ZERO, &Number::ZERO))))
    }

    /// The thermograph from temperature 0 upwards, where a number is a mast.
    pub fn thermograph(&self, g: CanonicalForm) -> Result<Arc<Thermograph>, OutOfMemory> {
        Ok(match self.base_and_number(g) {
            None => Arc::new(self.closed_thermograph(g, &Number::ZERO)),
            Some((base, x)) if x.is_zero() => self.base_thermograph(base)?,
            Some((base, x)) => Arc::new(self.base_thermograph(base)?.translated(&x)),
        })
    }

    /// The thermograph from temperature -1 upwards, where only an integer is a mast throughout.
    pub fn extended_thermograph(&self, g: CanonicalForm) -> Result<Arc<Thermograph>, OutOfMemory> {
        let base = Number::MINUS_ONE;
        let mut ledger = self.ledger();
        self.fold(
            g,
            |f| Ok((!f.is_general()).then(|| Arc::new(self.closed_thermograph(f, &base)))),
            |_, left, right| {
                let (left, right) = (left.iter().map(|t| &**t), right.iter().map(|t| &**t));
                let raised = self.raised(left, right, &base);
                ledger.take(raised.bytes())?;
                Ok(Arc::new(raised))
            },
        )
    }

    /// The mean, which is the value of the mast: `n·G` stays within a bounded distance of `n` times the mean (Siegel II).
    pub fn mean(&self, g: CanonicalForm) -> Result<Number, OutOfMemory> {
        Ok(match self.base_and_number(g) {
            Some((base, x)) if self.is_hot(g) => &self.base_thermograph(base)?.mean + &x,
            _ => self.left_stop(g),
        })
    }

    /// The temperature at which the mast begins: `-1/2^k` for a number over `2^k`, 0 for a number plus a nonzero
    /// infinitesimal.
    pub fn temperature(&self, g: CanonicalForm) -> Result<Number, OutOfMemory> {
        if let Some(x) = self.as_number(g) {
            return Ok(x.temperature());
        }
        Ok(match self.base_and_number(g) {
            Some((base, _)) if self.is_hot(g) => self.base_thermograph(base)?.temperature.clone(),
            _ => Number::ZERO,
        })
    }
}

impl Thermograph {
    // The approximate size in bytes. Long numbers are rare in corners; their digits count in full.
    fn bytes(&self) -> usize {
        let long = |x: &Number| match x.to_small() {
            Some(_) => 0,
            None => x.numerator().bits() as usize / 8 + 64,
        };
        let corners = |wall: &Wall| -> usize {
            let each = |c: &Corner| size_of::<Corner>() + long(&c.value) + long(&c.temperature);
            wall.corners.iter().map(each).sum()
        };
        size_of::<Thermograph>() + corners(&self.left_wall) + corners(&self.right_wall) + ENTRY
    }

    // The thermograph of the game plus the number x, from temperature 0 upwards.
    fn translated(&self, x: &Number) -> Thermograph {
        let wall = |w: &Wall| Wall {
            corners: w
                .corners
                .iter()
                .map(|c| corner(c.temperature.clone(), &c.value + x))
                .collect(),
        };
        Thermograph {
            mean: &self.mean + x,
            temperature: self.temperature.clone(),
            left_wall: wall(&self.left_wall),
            right_wall: wall(&self.right_wall),
        }
    }

    /// The thermograph as lines of exact corners, for a terminal or a test:
    ///
    /// ```text
    /// mean 0, temperature 1
    /// left wall:  1 at 0, 0 at 1
    /// right wall: -1 at 0, 0 at 1
    /// ```
    pub fn to_text(&self) -> String {
        let wall = |w: &Wall| {
            let parts: Vec<String> = w
                .corners
                .iter()
                .map(|c| format!("{} at {}", c.value, c.temperature))
                .collect();
            parts.join(", ")
        };
        format!(
            "mean {}, temperature {}\nleft wall:  {}\nright wall: {}\n",
            self.mean,
            self.temperature,
            wall(&self.left_wall),
            wall(&self.right_wall)
        )
    }

    /// The thermograph as a JSON object with `mean`, `temperature`, `left_wall` and `right_wall`. A wall is a list of
    /// `[value, temperature]` corners. Numbers are strings, so that none is rounded.
    pub fn to_json(&self) -> serde_json::Value {
        let wall = |w: &Wall| -> Vec<[String; 2]> {
            w.corners
                .iter()
                .map(|c| [c.value.to_string(), c.temperature.to_string()])
                .collect()
        };
        serde_json::json!({
            "mean": self.mean.to_string(),
            "temperature": self.temperature.to_string(),
            "left_wall": wall(&self.left_wall),
            "right_wall": wall(&self.right_wall),
        })
    }
}
