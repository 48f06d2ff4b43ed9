//! The functions that say which coalitions win. They are monotone and self-dual; each is stored once and named by a small
//! number.
//!
//! With up to [`TABLE_PLAYERS`] players a function is stored as its truth table, in words; with more, as a reduced ordered
//! binary decision diagram (Bryant 1986) with hash-consed nodes. The function of a position is computed from those of its
//! options: if the mover is in the coalition, some option must win; otherwise all must.

use rustc_hash::FxHashMap;

use super::set::Coalition;
use crate::engine::account::Account;
use crate::engine::table::{SliceTable, hash_of};
use crate::game::{Limit, Player};
use crate::value::Forms;

/// With at most this many players, functions are truth tables.
pub(crate) const TABLE_PLAYERS: u8 = 12;

/// The name of a function.
pub(crate) type Function = u32;

/// All functions of one game.
pub(crate) struct Functions {
    n: u8,
    kind: Kind,
    turned: FxHashMap<(Function, u8), Function>,
    noted: usize,
}

enum Kind {
    Tables {
        // Truth tables: bit c says whether coalition c wins; 32 bits in each word.
        all: SliceTable<()>,
        // Scratch: the disjunction and the conjunction of the options' tables.
        some: Vec<u32>,
        every: Vec<u32>,
    },
    Diagrams(Diagrams),
}

/// Decision diagrams: nodes 0 and 1 are the constants.
struct Diagrams {
    // The variable, then the nodes for "not a member" and "a member".
    nodes: Vec<(u16, u32, u32)>,
    unique: SliceTable<()>,
    // Lossy cache of the results of if-then-else.
    cache: Vec<((u32, u32, u32), u32)>,
    // The number of calls of if-then-else since the last check, at most `CHECK`.
    calls: u32,
}

/// Whether a computation may go on that holds this many bytes more than its functions had noted.
pub(crate) type Check<'c> = &'c dyn Fn(usize) -> Result<(), Limit>;

/// The number of calls of if-then-else between two checks.
const CHECK: u32 = 1 << 12;

const CACHE_BITS: u32 = 16;
const CONSTANT: u16 = u16::MAX;

impl Diagrams {
    fn new() -> Diagrams {
        let mut unique = SliceTable::default();
        for constant in 0..2u32 {
            let key = [u32::from(CONSTANT), constant, constant];
            unique.insert(hash_of(&key[..]), &key, ());
        }
        Diagrams {
            nodes: vec![(CONSTANT, 0, 0), (CONSTANT, 1, 1)],
            unique,
            cache: vec![((u32::MAX, 0, 0), 0); 1 << CACHE_BITS],
            calls: 0,
        }
    }

    fn node(&mut self, variable: u16, low: u32, high: u32) -> u32 {
        if low == high {
            return low;
        }
        let key = [u32::from(variable), low, high];
        let hash = hash_of(&key[..]);
        if let Some(node) = self.unique.find(hash, &key) {
            return node;
        }
        self.nodes.push((variable, low, high));
        self.unique.insert(hash, &key, ())
    }

    // If f then g else h. Each call descends at least one variable, so the depth is at most the number of players.
    // There may be many calls, so `check` gets the bytes held from time to time.
    fn choose(&mut self, f: u32, g: u32, h: u32, check: Check<'_>) -> Result<u32, Limit> {
        match (f, g, h) {
            (1, _, _) => return Ok(g),
            (0, _, _) => return Ok(h),
            (_, 1, 0) => return Ok(f),
            _ if g == h => return Ok(g),
            _ => {}
        }
        self.calls += 1;
        if self.calls >= CHECK {
            self.calls = 0;
            check(self.bytes())?;
        }
        let slot = (hash_of(&(f, g, h)) >> (64 - CACHE_BITS)) as usize;
        if self.cache[slot].0 == (f, g, h) {
            return Ok(self.cache[slot].1);
        }
        let top = [f, g, h].map(|node| self.nodes[node as usize].0);
        let variable = top.into_iter().min().unwrap_or(CONSTANT);
        let part = |d: &Diagrams, node: u32, member: bool| {
            let (v, low, high) = d.nodes[node as usize];
            if v != variable {
                node
            } else if member {
                high
            } else {
                low
            }
        };
        let [fl, gl, hl] = [f, g, h].map(|node| part(self, node, false));
        let [fh, gh, hh] = [f, g, h].map(|node| part(self, node, true));
        let low = self.choose(fl, gl, hl, check)?;
        let high = self.choose(fh, gh, hh, check)?;
        let result = self.node(variable, low, high);
        self.cache[slot] = ((f, g, h), result);
        Ok(result)
    }

    fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<(u16, u32, u32)>()
            + self.unique.bytes()
            + self.cache.len() * size_of::<((u32, u32, u32), u32)>()
    }
}

impl Functions {
    pub(crate) fn new(n: u8) -> Functions {
        let kind = if n <= TABLE_PLAYERS {
            Kind::Tables {
                all: SliceTable::default(),
                some: Vec::new(),
                every: Vec::new(),
            }
        } else {
            Kind::Diagrams(Diagrams::new())
        };
        Functions {
            n,
            kind,
            turned: FxHashMap::default(),
            noted: 0,
        }
    }

    /// The bytes noted.
    pub(crate) fn noted(&self) -> usize {
        self.noted
    }

    /// Notes the bytes held.
    pub(crate) fn note(&mut self, account: &Account, forms: &Forms) -> Result<(), Limit> {
        let bytes = self.turned.capacity() * 16
            + match &self.kind {
                Kind::Tables { all, .. } => all.bytes(),
                Kind::Diagrams(d) => d.bytes(),
            };
        if bytes != self.noted {
            account.note(self.noted, bytes);
            self.noted = bytes;
            if account.is_over(forms) {
                return Err(Limit::Memory);
            }
        }
        Ok(())
    }

    /// Releases the memory.
    pub(crate) fn release(&mut self, account: &Account) {
        account.note(self.noted, 0);
        *self = Functions::new(self.n);
    }

    /// The function of a position won by `player`: the coalitions that contain him win.
    pub(crate) fn member(&mut self, player: Player) -> Function {
        let n = self.n;
        match &mut self.kind {
            Kind::Tables { all, .. } => {
                let table: Vec<u32> = (0..words(n))
                    .map(|i| (0..32).fold(0, |w, b| w | bit(32 * i + b, n, player) << b))
                    .collect();
                intern(all, &table)
            }
            Kind::Diagrams(d) => d.node(u16::from(player.0), 0, 1),
        }
    }

    /// The function of a position from those of its options, of which there must be at least one.
    pub(crate) fn of_options(
        &mut self,
        mover: Player,
        options: &[Function],
        check: Check<'_>,
    ) -> Result<Function, Limit> {
        let first = options[0];
        if options.iter().all(|o| *o == first) {
            return Ok(first);
        }
        let n = self.n;
        Ok(match &mut self.kind {
            Kind::Tables { all, some, every } => {
                some.clear();
                some.extend_from_slice(all.key(first));
                every.clone_from(some);
                for option in &options[1..] {
                    for (i, word) in all.key(*option).iter().enumerate() {
                        some[i] |= word;
                        every[i] &= word;
                    }
                }
                for (i, word) in some.iter_mut().enumerate() {
                    let member = members(i, mover);
                    *word = (*word & member | every[i] & !member) & mask(n);
                }
                intern(all, some)
            }
            Kind::Diagrams(d) => {
                let (mut some, mut every) = (first, first);
                for option in &options[1..] {
                    some = d.choose(some, 1, *option, check)?;
                    every = d.choose(every, *option, 0, check)?;
                }
                let member = d.node(u16::from(mover.0), 0, 1);
                d.choose(member, some, every, check)?
            }
        })
    }

    /// The function in which each player takes the role of the player `by` places earlier.
    pub(crate) fn turn(
        &mut self,
        function: Function,
        by: u8,
        check: Check<'_>,
    ) -> Result<Function, Limit> {
        let n = self.n;
        if by == 0 {
            return Ok(function);
        }
        if let Some(turned) = self.turned.get(&(function, by)) {
            return Ok(*turned);
        }
        let turned = match &mut self.kind {
            Kind::Tables { all, .. } => {
                let old = all.key(function);
                let mut table = vec![0u32; words(n)];
                for c in 0..1usize << n {
                    let before = Coalition::from_low(c as u64).turned(by, n).low() as usize;
                    table[c / 32] |= (old[before / 32] >> (before % 32) & 1) << (c % 32);
                }
                intern(all, &table)
            }
            Kind::Diagrams(d) => {
                // Rebuilt from the bottom: children have smaller numbers than their parents.
                let mut below: Vec<u32> = Vec::new();
                reachable(&d.nodes, function, &mut below);
                let mut image: FxHashMap<u32, u32> = [(0, 0), (1, 1)].into_iter().collect();
                for node in below {
                    let (variable, low, high) = d.nodes[node as usize];
                    let turned = (variable + u16::from(by)) % u16::from(n);
                    let member = d.node(turned, 0, 1);
                    let (low, high) = (image[&low], image[&high]);
                    let result = d.choose(member, high, low, check)?;
                    image.insert(node, result);
                }
                image[&function]
            }
        };
        self.turned.insert((function, by), turned);
        Ok(turned)
    }

    /// A copy that outlives the store.
    pub(crate) fn export(&self, function: Function) -> CoalitionFunction {
        let kind = match &self.kind {
            Kind::Tables { all, .. } => Exported::Table(all.key(function).into()),
            Kind::Diagrams(d) => {
                let mut below = Vec::new();
                reachable(&d.nodes, function, &mut below);
                let mut image: FxHashMap<u32, u32> = [(0, 0), (1, 1)].into_iter().collect();
                let mut nodes = vec![(CONSTANT, 0, 0), (CONSTANT, 1, 1)];
                for node in below {
                    let (variable, low, high) = d.nodes[node as usize];
                    image.insert(node, nodes.len() as u32);
                    nodes.push((variable, image[&low], image[&high]));
                }
                Exported::Diagram(nodes.into(), image[&function])
            }
        };
        CoalitionFunction { n: self.n, kind }
    }

    /// Whether a coalition wins.
    pub(crate) fn wins(&self, function: Function, coalition: &Coalition) -> bool {
        match &self.kind {
            Kind::Tables { all, .. } => table_wins(all.key(function), self.n, coalition),
            Kind::Diagrams(d) => diagram_wins(&d.nodes, function, coalition),
        }
    }
}

// The nodes at and below `from` except constants, children first.
fn reachable(nodes: &[(u16, u32, u32)], from: u32, below: &mut Vec<u32>) {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut todo = vec![from];
    while let Some(node) = todo.pop() {
        if node > 1 && seen.insert(node) {
            todo.extend([nodes[node as usize].1, nodes[node as usize].2]);
        }
    }
    below.extend(seen);
    below.sort_unstable();
}

fn words(n: u8) -> usize {
    (1usize << n).div_ceil(32)
}

// The bits of a word that stand for coalitions.
fn mask(n: u8) -> u32 {
    if n >= 5 {
        u32::MAX
    } else {
        (1 << (1 << n)) - 1
    }
}

// Whether coalition c contains the player, as a bit; 0 beyond the last coalition.
fn bit(c: usize, n: u8, player: Player) -> u32 {
    u32::from(c < 1 << n && c >> player.index() & 1 == 1)
}

// The coalitions of a word that contain the player.
fn members(word: usize, player: Player) -> u32 {
    const LOW: [u32; 5] = [
        0xaaaa_aaaa,
        0xcccc_cccc,
        0xf0f0_f0f0,
        0xff00_ff00,
        0xffff_0000,
    ];
    match player.index() {
        p @ 0..5 => LOW[p],
        p => {
            if word >> (p - 5) & 1 == 1 {
                u32::MAX
            } else {
                0
            }
        }
    }
}

fn intern(all: &mut SliceTable<()>, table: &[u32]) -> Function {
    let hash = hash_of(table);
    match all.find(hash, table) {
        Some(function) => function,
        None => all.insert(hash, table, ()),
    }
}

fn table_wins(table: &[u32], n: u8, coalition: &Coalition) -> bool {
    let c = coalition.intersection(&Coalition::all(n)).low() as usize;
    table[c / 32] >> (c % 32) & 1 == 1
}

fn diagram_wins(nodes: &[(u16, u32, u32)], function: u32, coalition: &Coalition) -> bool {
    let mut node = function;
    while node > 1 {
        let (variable, low, high) = nodes[node as usize];
        node = if coalition.contains(Player(variable as u8)) {
            high
        } else {
            low
        };
    }
    node == 1
}

/// Which coalitions can force that one of their members wins, whatever all others do together.
///
/// The function is monotone (a superset of a winning coalition wins) and self-dual (of a coalition and its complement
/// exactly one wins).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CoalitionFunction {
    n: u8,
    kind: Exported,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Exported {
    Table(Box<[u32]>),
    Diagram(Box<[(u16, u32, u32)]>, u32),
}

/// The greatest length of a list of minimal coalitions.
const MOST_MINIMAL: usize = 1 << 16;

impl CoalitionFunction {
    /// A function from its truth table: bit c, with 32 bits in each word, says whether coalition c wins.
    pub(super) fn from_table(n: u8, table: Vec<u32>) -> CoalitionFunction {
        CoalitionFunction {
            n,
            kind: Exported::Table(table.into()),
        }
    }

    /// The number of players.
    #[must_use]
    pub fn players(&self) -> u8 {
        self.n
    }

    /// Whether a coalition wins against all other players.
    #[must_use]
    pub fn wins(&self, coalition: &Coalition) -> bool {
        match &self.kind {
            Exported::Table(table) => table_wins(table, self.n, coalition),
            Exported::Diagram(nodes, root) => diagram_wins(nodes, *root, coalition),
        }
    }

    /// The player who wins alone against all others; `None` if the position is *queer* (Propp 2000).
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        (0..self.n)
            .map(Player)
            .find(|p| self.wins(&Coalition::from_iter([*p])))
    }

    /// The minimal winning coalitions, sorted by size and then by their members; `None` if there are more than 65536 of
    /// them, or if the computation would hold too many.
    #[must_use]
    pub fn minimal(&self) -> Option<Vec<Coalition>> {
        let mut minimal = match &self.kind {
            Exported::Table(_) => (0..1u64 << self.n)
                .map(Coalition::from_low)
                .filter(|c| {
                    self.wins(c)
                        && c.iter().all(|p| {
                            let mut less = *c;
                            less.remove(p);
                            !self.wins(&less)
                        })
                })
                .collect(),
            Exported::Diagram(nodes, root) => {
                let mut known: Vec<Vec<Coalition>> = vec![vec![], vec![Coalition::EMPTY]];
                let mut held = 0;
                // Children precede their parents.
                for (variable, low, high) in &nodes[2..] {
                    let mut all = known[*low as usize].clone();
                    for c in &known[*high as usize] {
                        if !diagram_wins(nodes, *low, c) {
                            let mut c = *c;
                            c.insert(Player(*variable as u8));
                            all.push(c);
                        }
                    }
                    held += all.len();
                    if held > 16 * MOST_MINIMAL {
                        return None;
                    }
                    known.push(all);
                }
                known.swap_remove(*root as usize)
            }
        };
        if minimal.len() > MOST_MINIMAL {
            return None;
        }
        minimal.sort_by_cached_key(|c| (c.len(), c.iter().map(|p| p.0).collect::<Vec<_>>()));
        Some(minimal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: Check<'static> = &|_| Ok(());

    /// The function x0 x20 or x1 x21 or .. or x19 x39: if all first variables come before all second ones, its diagram has
    /// about 2^20 nodes (Bryant 1986). The check ends the computation long before that.
    #[test]
    fn large_diagrams_are_given_up_at_a_limit() {
        let mut functions = Functions::new(40);
        let check: Check<'_> = &|bytes| match bytes > 1 << 23 {
            true => Err(Limit::Memory),
            false => Ok(()),
        };
        let Kind::Diagrams(d) = &mut functions.kind else {
            unreachable!()
        };
        let mut all = 0;
        let result: Result<(), Limit> = (0..20).try_for_each(|i| {
            let (x, y) = (d.node(i, 0, 1), d.node(20 + i, 0, 1));
            let pair = d.choose(x, y, 0, check)?;
            all = d.choose(all, 1, pair, check)?;
            Ok(())
        });
        assert_eq!(result, Err(Limit::Memory));
        assert!(d.bytes() < 1 << 25);
    }

    fn both() -> [Functions; 2] {
        let tables = Functions::new(5);
        let mut diagrams = Functions::new(5);
        diagrams.kind = Kind::Diagrams(Diagrams::new());
        [tables, diagrams]
    }

    #[test]
    fn tables_and_diagrams_agree() {
        let [mut tables, mut diagrams] = both();
        let mut pairs: Vec<(Function, Function)> = (0..5)
            .map(|p| (tables.member(Player(p)), diagrams.member(Player(p))))
            .collect();
        let mut seed = 7usize;
        for step in 0..400 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let pick = |k: usize| pairs[(seed >> (10 + 9 * k)) % pairs.len()];
            let mover = Player((seed >> 50) as u8 % 5);
            let options = [pick(0), pick(1), pick(2)];
            let made = (
                tables
                    .of_options(mover, &options.map(|o| o.0), FREE)
                    .unwrap(),
                diagrams
                    .of_options(mover, &options.map(|o| o.1), FREE)
                    .unwrap(),
            );
            let by = (step % 5) as u8;
            let turned = (
                tables.turn(made.0, by, FREE).unwrap(),
                diagrams.turn(made.1, by, FREE).unwrap(),
            );
            for pair in [made, turned] {
                let (a, b) = (tables.export(pair.0), diagrams.export(pair.1));
                for c in (0..32).map(Coalition::from_low) {
                    assert_eq!(a.wins(&c), b.wins(&c));
                    assert_eq!(a.wins(&c), tables.wins(pair.0, &c));
                    assert_eq!(b.wins(&c), diagrams.wins(pair.1, &c));
                    // Self-dual.
                    assert_ne!(a.wins(&c), a.wins(&c.complement(5)));
                    if by > 0 && pair == turned {
                        let before = tables.wins(made.0, &c.turned(by, 5));
                        assert_eq!(a.wins(&c), before);
                    }
                }
                assert_eq!(a.minimal(), b.minimal());
                assert_eq!(a.winner(), b.winner());
            }
            pairs.push(made);
        }
        assert!(
            pairs
                .iter()
                .map(|p| p.0)
                .collect::<std::collections::BTreeSet<_>>()
                .len()
                > 30
        );
    }
}
