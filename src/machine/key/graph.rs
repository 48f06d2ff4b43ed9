//! Keys of parts of a game of removal: a set of instances comes in, the graph of who disables whom goes out, written in an
//! order that does not depend on names.
//!
//! The order comes from colour refinement (B. Weisfeiler and A. Leman, 1968) and individualization. All work is done on the
//! rows of bits that the game of removal has anyway; a tie between instances that are linked alike (twins) is none, since
//! the graph looks the same in either order. The key holds the whole graph, so an order that is not canonical costs a part
//! that is not found again and never a wrong value.

use super::{Key, removal_key};
use crate::game::Sign;
use crate::machine::index::each;
use crate::machine::removal::Removal;
use crate::machine::roads::Roads;
use smallvec::SmallVec;

/// The most instances of a part whose graph is written out.
const MOST_WRITTEN: usize = 128;
/// The most times that a tie between instances is broken with a new refinement.
const MOST_TIES: usize = 12;
/// The bits of a colour that say nothing: an instance fits in.
const NAME: u64 = 0xff;

impl Removal {
    /// The graph of a set of instances as a key; `None` if it is too large to be written out, or that road is closed.
    pub(in crate::machine) fn key<const W: usize>(
        &self,
        set: &[u64; W],
        roads: &Roads,
    ) -> Option<(Key, Sign)> {
        let count: u32 = set.iter().map(|w| w.count_ones()).sum();
        let n = count as usize;
        if n > MOST_WRITTEN || !roads.isomorphism {
            return None;
        }
        Some(match W {
            1 => Graph::<W, 64>::new(self, set).key(n, roads),
            2 => Graph::<W, 128>::new(self, set).key(n, roads),
            _ => Graph::<W, 256>::new(self, set).key(n, roads),
        })
    }
}

/// A number that says as much as a few others.
#[inline]
fn mix(x: u64) -> u64 {
    let x = (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (x ^ x >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// The graph of a part: a set of instances, less than `M` in number, by number.
struct Graph<'a, const W: usize, const M: usize> {
    removal: &'a Removal,
    set: [u64; W],
    players: [u8; M],
}

/// A colour for each instance, and room for those of the next round.
struct Colours<const M: usize> {
    of: [[u64; M]; 2],
    /// Which of the two holds.
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
        let mut players = [0; M];
        players
            .iter_mut()
            .zip(&removal.players)
            .for_each(|(p, whose)| *p = *whose);
        Graph {
            removal,
            set: *set,
            players,
        }
    }

    /// Those of a row that are in the part.
    #[inline]
    fn near(&self, table: &[u64], i: usize) -> [u64; W] {
        let row: &[u64; W] = self.removal.row(table, i);
        std::array::from_fn(|w| row[w] & self.set[w])
    }

    fn exchange(p: u8, exchanged: bool) -> u8 {
        if exchanged { (p & 1) << 1 | p >> 1 } else { p }
    }

    fn key(&self, n: usize, roads: &Roads) -> (Key, Sign) {
        let mut colours = Colours {
            of: [[0; M]; 2],
            at: 0,
        };
        let first = colours.now_mut();
        // How many links each has, and how many of them to instances that are both players'; whose it is comes later. What
        // Left's instances have beyond Right's tells the two apart.
        let mut more = 0u64;
        let both: [u64; W] = std::array::from_fn(|w| {
            let [left, right] = [0, 1].map(|p| self.removal.own[p].get(w).copied().unwrap_or(0));
            left & right
        });
        each(&self.set, |i| {
            let near = self.near(&self.removal.linked, i);
            let (mut all, mut shared) = (0, 0);
            for w in 0..W {
                all += near[w].count_ones();
                shared += (near[w] & both[w]).count_ones();
            }
            let mut links = u64::from(all) | u64::from(shared) << 8;
            if !self.removal.mutual {
                let out = self.near(&self.removal.removes, i);
                let out: u32 = out.iter().map(|w| w.count_ones()).sum();
                links |= u64::from(out) << 16;
            }
            let links = mix(links | 1 << 40);
            match self.players[i] {
                1 => more = more.wrapping_add(links),
                2 => more = more.wrapping_sub(links),
                _ => {}
            }
            first[i] = links;
        });
        let [left, right] = self.removal.mobility(&self.set);
        let mut exchanged = false;
        if !roads.symmetry || self.removal.all_share(&self.set) {
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
            // As many rounds for both: what is compared does not depend on names.
            for _ in 0..2 {
                self.round(&mut colours);
                self.round(&mut other);
            }
            if self.sum(&other) < self.sum(&colours) {
                exchanged = true;
                colours = other;
            }
        }
        self.refine(&mut colours, n);
        let order = self.order(&mut colours, n);
        let sign = if exchanged { Sign::Minus } else { Sign::Plus };
        (self.written(&order, exchanged), sign)
    }

    /// Colours say whose an instance is.
    fn paint(&self, colours: &mut Colours<M>, exchanged: bool) {
        let now = colours.now_mut();
        each(&self.set, |i| {
            let p = Self::exchange(self.players[i], exchanged);
            now[i] = mix(now[i] ^ u64::from(p) << 16);
        });
    }

    fn sum(&self, colours: &Colours<M>) -> u64 {
        let (mut sum, now) = (0u64, colours.now());
        each(&self.set, |i| sum = sum.wrapping_add(now[i]));
        sum
    }

    /// One round: the colour of each instance with those of its links.
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

    /// Rounds until no class of colours falls apart any more, as far as a count by buckets tells: where two colours share
    /// one there may be a round too few, and what is left over is a tie.
    fn refine(&self, colours: &mut Colours<M>, n: usize) {
        let classes = |colours: &[u64; M]| -> usize {
            let mut seen = [0u64; 8];
            each(&self.set, |i| {
                let c = colours[i] >> 8;
                seen[(c >> 6 & 7) as usize] |= 1 << (c & 63);
            });
            seen.iter().map(|w| w.count_ones() as usize).sum()
        };
        let mut most = classes(colours.now());
        while most < n {
            self.round(colours);
            let now = classes(colours.now());
            if now <= most {
                return;
            }
            most = now;
        }
    }

    /// Whether two instances of one colour are linked alike, so that the graph looks the same in either order.
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
        self.players[i] == self.players[j]
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

    /// The instances in the order of their colours, ties broken one after the other.
    fn order(&self, colours: &mut Colours<M>, n: usize) -> SmallVec<[u64; 64]> {
        let mut ties = 0;
        let mut order: SmallVec<[u64; 64]> = SmallVec::with_capacity(n);
        loop {
            order.clear();
            let now = colours.now();
            each(&self.set, |i| order.push(now[i] & !NAME | i as u64));
            order.sort_unstable();
            let tie = order.windows(2).find(|w| {
                (w[0] ^ w[1]) & !NAME == 0
                    && !self.twins((w[0] & NAME) as usize, (w[1] & NAME) as usize)
            });
            match tie {
                Some(tie) if ties < MOST_TIES => {
                    ties += 1;
                    let i = (tie[0] & NAME) as usize;
                    let colour = &mut colours.now_mut()[i];
                    *colour = mix(*colour ^ 0x5555);
                    // What is told apart now tells others apart.
                    self.round(colours);
                    self.refine(colours, n);
                }
                _ => return order,
            }
        }
    }

    /// The whole graph in an order: whose each instance is, and its links to those before it.
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
        for (at, i) in (0u8..).zip(order) {
            let i = (i & NAME) as usize;
            place[i] = at;
            let p = Self::exchange(self.players[i], exchanged);
            out.push(u64::from(p), 2);
        }
        for (at, i) in order.iter().enumerate().skip(1) {
            let i = (i & NAME) as usize;
            let mut write = |table: &[u64]| {
                let mut row = [0u64; 2];
                each(&self.near(table, i), |j| {
                    let p = usize::from(place[j]);
                    row[p / 64 & 1] |= 1 << (p % 64);
                });
                let low = at.min(64);
                out.push(row[0] & u64::MAX >> (64 - low), low);
                if at > 64 {
                    out.push(row[1] & u64::MAX >> (128 - at), at - 64);
                }
            };
            if removal.mutual {
                write(&removal.linked);
            } else {
                write(&removal.removes);
                write(&removal.removed_by);
            }
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
    /// Appends so many bits, 64 at most.
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
