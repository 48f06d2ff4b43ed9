//! Keys of parts of a removal game: the graph of which instance disables which, written in an order that does not depend on
//! the numbers of the instances.
//!
//! The order comes from colour refinement (B. Weisfeiler and A. Leman, 1968) and individualization, computed on the rows of
//! bits that the removal game already has. A tie between instances with the same links (twins) need not be broken, since the
//! graph looks the same in either order. The key holds the whole graph, so an order that is not canonical can cost a hit in
//! the memo table but never gives a wrong value.

use super::walk::{self, Part};
use super::{Key, removal_key};
use crate::game::{Shortcut, Sign};
use crate::machine::index::each;
use crate::machine::pack::{and, is_zero};
use crate::machine::removal::Removal;
use crate::machine::settings::Settings;
use smallvec::SmallVec;

/// The most instances of a part whose graph is written as rows of bits; of larger ones the links are listed ([`super::walk`]).
pub(super) const MOST_WRITTEN: usize = 128;
/// The most ties between instances that are broken by a new refinement.
const MOST_TIES: usize = 12;
/// The low bits of a colour, which are ignored: they hold the number of an instance.
const NAME: u64 = 0xff;

impl Removal {
    /// The graph of a set of instances as a key; `None` if the set is too large and removal not mutual, or the shortcut is off.
    pub(in crate::machine) fn key<const W: usize>(
        &self,
        set: &[u64; W],
        settings: &Settings,
    ) -> Option<(Key, Sign)> {
        let count: u32 = set.iter().map(|w| w.count_ones()).sum();
        let n = count as usize;
        if !settings.has(Shortcut::Isomorphism) {
            return None;
        }
        if n > MOST_WRITTEN {
            let listed = self.mutual && walk::IS_USED;
            return listed.then(|| (Part::new(self, set).key(), Sign::Plus));
        }
        Some(match W {
            1 => Graph::<W, 64>::new(self, set).key(n, settings),
            2 => Graph::<W, 128>::new(self, set).key(n, settings),
            _ => Graph::<W, 256>::new(self, set).key(n, settings),
        })
    }
}

/// Mixes the bits of a number (a hash).
#[inline]
pub(super) fn mix(x: u64) -> u64 {
    let x = (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// The graph of a part: a set of instances, whose numbers are below `M`.
struct Graph<'a, const W: usize, const M: usize> {
    removal: &'a Removal,
    set: [u64; W],
}

/// A colour for each instance, and space for those of the next round.
struct Colours<const M: usize> {
    of: [[u64; M]; 2],
    /// Index (last bit) of the current colours.
    at: usize,
}

impl<const M: usize> Colours<M> {
    fn now(&self) -> &[u64; M] {
        &self.of[self.at & 1]
    }

    fn now_mut(&mut self) -> &mut [u64; M] {
        &mut self.of[self.at & 1]
    }
}

impl<'a, const W: usize, const M: usize> Graph<'a, W, M> {
    fn new(removal: &'a Removal, set: &[u64; W]) -> Self {
        Graph { removal, set: *set }
    }

    fn player(&self, i: usize) -> u8 {
        self.removal.players.get(i).copied().unwrap_or(0)
    }

    /// The members of a row that are in the part.
    #[inline]
    fn near(&self, table: &[u64], i: usize) -> [u64; W] {
        let row: &[u64; W] = self.removal.row(table, i);
        std::array::from_fn(|w| row[w] & self.set[w])
    }

    fn exchange(p: u8, exchanged: bool) -> u8 {
        if exchanged { (p & 1) << 1 | p >> 1 } else { p }
    }

    fn key(&self, n: usize, settings: &Settings) -> (Key, Sign) {
        let mut colours = Colours {
            of: [[0; M]; 2],
            at: 0,
        };
        let first = colours.now_mut();
        // The number of links of each instance, and how many of them lead to instances of both players; the player follows
        // below. The difference between Left's and Right's colours tells the players apart.
        let mut more = 0u64;
        let size = |set: [u64; W]| set.iter().map(|w| u64::from(w.count_ones())).sum::<u64>();
        let both: &[u64; W] = self.removal.row(&self.removal.shared, 0);
        let shared = !is_zero(&and(both, &self.set));
        each(&self.set, |i| {
            let near = self.near(&self.removal.linked, i);
            let mut links = size(near) | 1 << 40;
            if shared {
                links |= size(and(&near, both)) << 8;
            }
            if !self.removal.mutual {
                links |= size(self.near(&self.removal.removes, i)) << 16;
            }
            let links = mix(links);
            match self.player(i) {
                1 => more = more.wrapping_add(links),
                2 => more = more.wrapping_sub(links),
                _ => {}
            }
            first[i] = links;
        });
        let [left, right] = self.removal.mobility(&self.set);
        let mut exchanged = false;
        // Two rounds separate most instances that can be separated, and all of them in small parts.
        let mut rounds = match n {
            0..=2 => 0,
            3 | 4 => 1,
            _ => 2,
        };
        if !settings.has(Shortcut::Symmetry) || self.removal.all_share(&self.set) {
            self.paint(&mut colours, false);
        } else if left != right || more != 0 {
            exchanged = if left != right {
                left < right
            } else {
                more >> 63 == 1
            };
            self.paint(&mut colours, exchanged);
        } else {
            let mut other = Colours {
                of: colours.of,
                at: colours.at,
            };
            self.paint(&mut colours, false);
            self.paint(&mut other, true);
            // The same number of rounds for both, so that the comparison does not depend on instance numbers.
            for _ in 0..rounds {
                self.round(&mut colours);
                self.round(&mut other);
            }
            rounds = 0;
            if self.sum(&other) < self.sum(&colours) {
                exchanged = true;
                colours = other;
            }
        }
        for _ in 0..rounds {
            self.round(&mut colours);
        }
        let mut order = [0; M];
        let order = &mut order[..n];
        self.order(&mut colours, order);
        let sign = Sign::of_exchanged(exchanged);
        (self.written(order, exchanged), sign)
    }

    /// Mixes the players of each instance into its colour.
    fn paint(&self, colours: &mut Colours<M>, exchanged: bool) {
        let now = colours.now_mut();
        each(&self.set, |i| {
            let p = Self::exchange(self.player(i), exchanged);
            now[i] = mix(now[i] ^ u64::from(p) << 16);
        });
    }

    fn sum(&self, colours: &Colours<M>) -> u64 {
        let (mut sum, now) = (0u64, colours.now());
        each(&self.set, |i| sum = sum.wrapping_add(now[i]));
        sum
    }

    /// One round of refinement: combines the colour of each instance with those of its links.
    #[inline]
    fn round(&self, colours: &mut Colours<M>) {
        let [a, b] = &mut colours.of;
        let (now, next) = if colours.at & 1 == 0 { (a, b) } else { (b, a) };
        let removal = self.removal;
        each(&self.set, |i| {
            let mut all = 0u64;
            if removal.mutual {
                each(&self.near(&removal.linked, i), |j| {
                    all = all.wrapping_add(now[j]);
                });
            } else {
                each(&self.near(&removal.removes, i), |j| {
                    all = all.wrapping_add(now[j].rotate_left(21));
                });
                each(&self.near(&removal.removed_by, i), |j| {
                    all = all.wrapping_add(now[j].rotate_left(42));
                });
            }
            next[i] = mix(now[i].wrapping_mul(5).wrapping_add(all));
        });
        colours.at ^= 1;
    }

    /// Whether two instances of one colour have the same links, so that the graph looks the same in either order.
    fn twins(&self, i: usize, j: usize) -> bool {
        let alike = |table: &[u64]| {
            let (mut a, mut b) = (self.near(table, i), self.near(table, j));
            for k in [i, j] {
                a[k / 64] &= !(1 << (k % 64));
                b[k / 64] &= !(1 << (k % 64));
            }
            a == b
        };
        let removal = self.removal;
        self.player(i) == self.player(j)
            && if removal.mutual {
                alike(&removal.linked)
            } else {
                alike(&removal.removes)
                    && alike(&removal.removed_by)
                    && self.removes(i, j) == self.removes(j, i)
            }
    }

    fn removes(&self, i: usize, j: usize) -> bool {
        let row: &[u64; W] = self.removal.row(&self.removal.removes, i);
        row[j / 64] >> (j % 64) & 1 == 1
    }

    /// Sorts the instances by colour; each entry has the instance in the low bits of its colour. While two instances that are
    /// not twins have the same colour, rounds follow as long as they separate more. What is left is a tie; ties are broken
    /// one by one.
    fn order(&self, colours: &mut Colours<M>, order: &mut [u64]) {
        let (mut most, mut ties) = (0, 0);
        loop {
            let (mut at, now) = (0, colours.now());
            each(&self.set, |i| {
                order[at] = now[i] & !NAME | i as u64;
                at += 1;
            });
            order.sort_unstable();
            let (mut classes, mut tie) = (1, None);
            for pair in order.windows(2) {
                if (pair[0] ^ pair[1]) & !NAME != 0 {
                    classes += 1;
                } else if tie.is_none() {
                    let [i, j] = [pair[0], pair[1]].map(|c| (c & NAME) as usize);
                    tie = (!self.twins(i, j)).then_some(i);
                }
            }
            match tie {
                Some(_) if classes > most => {}
                Some(i) if ties < MOST_TIES => {
                    ties += 1;
                    let colour = &mut colours.now_mut()[i];
                    *colour = mix(*colour ^ 0x5555);
                }
                _ => return,
            }
            most = classes;
            self.round(colours);
        }
    }

    /// The whole graph in an order: the players of each instance, and its links to earlier ones.
    fn written(&self, order: &[u64], exchanged: bool) -> Key {
        let n = order.len();
        let removal = self.removal;
        let per = if removal.mutual { 1 } else { 2 };
        let bits = 2 * n + per * (n * n.saturating_sub(1) / 2);
        let mut out = Bits {
            words: SmallVec::from_elem(0, bits.div_ceil(64) + 1),
            at: 64,
        };
        out.words[0] = (n as u64) | u64::from(removal.mutual) << 16;
        let mut place = [0u8; M];
        let mut before = [0u64; W];
        for (at, i) in order.iter().enumerate() {
            let i = (i & NAME) as usize;
            place[i] = at as u8;
            out.push(u64::from(Self::exchange(self.player(i), exchanged)), 2);
            let mut write = |table: &[u64]| {
                let mut row = [0u64; 2];
                each(&and(removal.row(table, i), &before), |j| {
                    let p = usize::from(place[j]);
                    row[(p / 64) & 1] |= 1 << (p % 64);
                });
                out.push(row[0], at.min(64));
                if at > 64 {
                    out.push(row[1], at - 64);
                }
            };
            if removal.mutual {
                write(&removal.linked);
            } else {
                write(&removal.removes);
                write(&removal.removed_by);
            }
            before[i / 64] |= 1 << (i % 64);
        }
        removal_key(&mut out.words)
    }
}

/// Words that are filled bit by bit.
struct Bits {
    words: SmallVec<[u64; 24]>,
    at: usize,
}

impl Bits {
    /// Appends the low `count` bits of a value, 64 at most.
    #[inline]
    fn push(&mut self, value: u64, count: usize) {
        let (word, shift) = (self.at / 64, self.at % 64);
        self.words[word] |= value << shift;
        if shift + count > 64 {
            self.words[word + 1] |= value >> (64 - shift);
        }
        self.at += count;
    }
}
