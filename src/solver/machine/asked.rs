//! Conditions that masks cannot express: conditions on groups and reachable sites ([`crate::ir::ground::condition`]) are
//! compiled to [`Node`]s, and an [`Eye`] evaluates them at a packed state.
//!
//! Sets of sites are words of bits. Equal sets are stored once and computed at most once for each state. A group is found by
//! a flood fill over sites with the same piece; the result serves all sites of the group.

use super::ends::{Groups, Site, has, sites};
use super::pack::{Field, Layout, Look, holds};
use crate::ir::ground::condition::{Condition, Number, Order, Phase, Sites};
use crate::ir::ground::{Ground, Write};
use num_integer::Integer;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A set of sites.
pub(super) type Set = SmallVec<[u64; 2]>;

/// A condition.
#[derive(Clone, Debug)]
pub(super) enum Node<const N: usize> {
    Truth(bool),
    /// Some bit of a word is set.
    Bits(u16, u64),
    /// All of these bits are set.
    Mask(Box<[u64; N]>),
    Not(Box<Node<N>>),
    All(Box<[Node<N>]>),
    Any(Box<[Node<N>]>),
    Meet(u32, u32),
    Compare(Order, Count<N>, Count<N>),
}

/// An integer.
#[derive(Clone, Debug)]
pub(super) enum Count<const N: usize> {
    Is(i64),
    Of(usize, Box<[i64]>),
    /// How many of these bits are set.
    Bits(Box<[u64; N]>),
    Size(u32),
    If(Box<(Node<N>, Count<N>, Count<N>)>),
    Negative(Box<Count<N>>),
    Sum(Box<[Count<N>]>),
    Product(Box<[Count<N>; 2]>),
    Greatest(Box<[Count<N>]>),
    Quotient(Box<Count<N>>, i64),
    Remainder(Box<Count<N>>, i64),
}

#[derive(Clone, Debug)]
enum Member<const N: usize> {
    Where(Box<[(u16, Node<N>)]>),
    Group(u16),
    Reach(u16, u32),
    Either(u32, u32),
    Both(u32, u32),
    Without(u32, u32),
}

/// One phase of an instance.
#[derive(Clone, Debug)]
pub(super) enum Act<const N: usize> {
    Test(Node<N>),
    Write {
        clear: [u64; N],
        set: [u64; N],
        looks: Vec<Look>,
    },
    When(Vec<When<N>>),
}

/// A value that is written where a condition holds.
#[derive(Clone, Debug)]
pub(super) struct When<const N: usize> {
    condition: Node<N>,
    clear: [u64; N],
    set: [u64; N],
}

/// The sets that conditions refer to.
#[derive(Clone, Debug)]
pub(super) struct Asked<const N: usize> {
    sets: Vec<Member<N>>,
    sites: Vec<Site>,
    fields: Vec<Field>,
    /// For each site, the sites one step away along an edge, or along an arc in its direction.
    out: Vec<Box<[u16]>>,
}

/// Compiles the conditions of a program.
pub(super) struct Maker<'g, const N: usize> {
    ground: &'g Ground,
    layout: &'g Layout,
    known: FxHashMap<Sites, u32>,
    asked: Asked<N>,
}

impl<'g, const N: usize> Maker<'g, N> {
    pub(super) fn new(ground: &'g Ground, layout: &'g Layout) -> Maker<'g, N> {
        let board = &ground.setting.board;
        let count = u32::try_from(board.sites()).unwrap_or(u32::MAX);
        let narrow = |s: u32| u16::try_from(s).unwrap_or(u16::MAX);
        let out = (0..count).map(|s| match board.has_cells() {
            true => super::ends::near(board, s)
                .into_iter()
                .map(narrow)
                .collect(),
            false => match board.kind.lines() {
                crate::model::typed::Lines::Arcs => {
                    board.leaving(s).iter().map(|(_, t)| narrow(*t)).collect()
                }
                _ => super::ends::near(board, s)
                    .into_iter()
                    .map(narrow)
                    .collect(),
            },
        });
        Maker {
            ground,
            layout,
            known: FxHashMap::default(),
            asked: Asked {
                sets: Vec::new(),
                sites: sites(ground, layout),
                fields: layout.fields.clone(),
                out: out.collect(),
            },
        }
    }

    pub(super) fn done(self) -> Asked<N> {
        self.asked
    }

    pub(super) fn node(&mut self, c: &Condition) -> Node<N> {
        match c {
            Condition::Truth(b) => Node::Truth(*b),
            Condition::Holds(var, set) => self.holds(*var, *set),
            Condition::Not(c) => Node::Not(Box::new(self.node(c))),
            Condition::All(list) => {
                let mut mask = [0u64; N];
                let mut rest = Vec::new();
                for c in list {
                    match self.node(c) {
                        Node::Bits(word, bits) if bits.is_power_of_two() => {
                            mask[usize::from(word)] |= bits;
                        }
                        Node::Truth(true) => {}
                        node => rest.push(node),
                    }
                }
                if mask != [0; N] {
                    rest.insert(0, Node::Mask(Box::new(mask)));
                }
                match rest.len() {
                    1 => rest.remove(0),
                    _ => Node::All(rest.into()),
                }
            }
            Condition::Any(list) => {
                let mut words = [0u64; N];
                let mut rest = Vec::new();
                for c in list {
                    match self.node(c) {
                        Node::Bits(word, bits) => words[usize::from(word)] |= bits,
                        Node::Truth(false) => {}
                        node => rest.push(node),
                    }
                }
                let bits = (0u16..).zip(words).filter(|(_, b)| *b != 0);
                let mut all: Vec<Node<N>> = bits.map(|(w, b)| Node::Bits(w, b)).collect();
                all.append(&mut rest);
                match all.len() {
                    1 => all.remove(0),
                    _ => Node::Any(all.into()),
                }
            }
            Condition::Meet(a, b) => Node::Meet(self.set(a), self.set(b)),
            Condition::Compare(order, a, b) => Node::Compare(*order, self.count(a), self.count(b)),
        }
    }

    /// A variable that a condition reads has a field, unless its value never changes.
    fn holds(&self, var: u32, set: u64) -> Node<N> {
        let field = self.layout.of_var.get(var as usize).copied().flatten();
        let Some(f) = field else {
            let start = self.ground.start.get(var as usize);
            return Node::Truth(start.is_some_and(|n| set >> n & 1 == 1));
        };
        let field = &self.layout.fields[f];
        let values = self.ground.values[var as usize].len();
        if (0..values).all(|i| set >> i & 1 == 1) {
            return Node::Truth(true);
        }
        if set == 0 {
            return Node::Truth(false);
        }
        let bits = self.layout.bits_of(f, set) << field.shift;
        match bits.is_power_of_two() {
            true => Node::Bits(u16::try_from(field.word).unwrap_or(u16::MAX), bits),
            false => {
                let mut mask = [0; N];
                mask[field.word] = bits;
                Node::Mask(Box::new(mask))
            }
        }
    }

    fn set(&mut self, s: &Sites) -> u32 {
        if let Some(known) = self.known.get(s) {
            return *known;
        }
        let narrow = |s: u32| u16::try_from(s).unwrap_or(u16::MAX);
        let member = match s {
            Sites::Where(list) => Member::Where(
                list.iter()
                    .map(|(site, c)| (narrow(*site), self.node(c)))
                    .collect(),
            ),
            Sites::Group(site) => Member::Group(narrow(*site)),
            Sites::Reach(site, within) => Member::Reach(narrow(*site), self.set(within)),
            Sites::Either(a, b) => Member::Either(self.set(a), self.set(b)),
            Sites::Both(a, b) => Member::Both(self.set(a), self.set(b)),
            Sites::Without(a, b) => Member::Without(self.set(a), self.set(b)),
        };
        let number = u32::try_from(self.asked.sets.len()).unwrap_or(u32::MAX);
        self.asked.sets.push(member);
        self.known.insert(s.clone(), number);
        number
    }

    fn count(&mut self, n: &Number) -> Count<N> {
        match n {
            Number::Is(n) => Count::Is(*n),
            Number::Of(var, table) => {
                let field = self.layout.of_var.get(*var as usize).copied().flatten();
                match field {
                    Some(f) => Count::Of(f, table.clone().into()),
                    None => {
                        let start = self.ground.start.get(*var as usize);
                        let n = start.and_then(|n| table.get(usize::from(*n)));
                        Count::Is(n.copied().unwrap_or(0))
                    }
                }
            }
            Number::Size(s) => match self.bits(s) {
                Some(bits) => Count::Bits(Box::new(bits)),
                None => Count::Size(self.set(s)),
            },
            Number::If(phi, a, b) => {
                Count::If(Box::new((self.node(phi), self.count(a), self.count(b))))
            }
            Number::Negative(a) => Count::Negative(Box::new(self.count(a))),
            Number::Sum(list) => Count::Sum(list.iter().map(|n| self.count(n)).collect()),
            Number::Product(both) => {
                Count::Product(Box::new([self.count(&both[0]), self.count(&both[1])]))
            }
            Number::Greatest(list) => Count::Greatest(list.iter().map(|n| self.count(n)).collect()),
            Number::Quotient(a, by) => Count::Quotient(Box::new(self.count(a)), *by),
            Number::Remainder(a, by) => Count::Remainder(Box::new(self.count(a)), *by),
        }
    }

    /// A different bit for each site of a set that may be in it; set if the site is. `None` if the set has no such bits.
    fn bits(&mut self, s: &Sites) -> Option<[u64; N]> {
        let Sites::Where(list) = s else {
            return None;
        };
        let mut all = [0u64; N];
        for (_, c) in list {
            match self.node(c) {
                Node::Truth(false) => {}
                Node::Bits(word, bit) if bit.is_power_of_two() => {
                    let word = &mut all[usize::from(word)];
                    if *word & bit != 0 {
                        return None;
                    }
                    *word |= bit;
                }
                _ => return None,
            }
        }
        Some(all)
    }

    /// The phases of an instance.
    pub(super) fn acts(&mut self, phases: &[Phase]) -> Vec<Act<N>> {
        let layout = self.layout;
        let pattern = |var: u32, n: u8| {
            let f = layout.of_var.get(var as usize).copied().flatten()?;
            let field = &layout.fields[f];
            let (mut clear, mut set) = ([0u64; N], [0u64; N]);
            clear[field.word] = field.mask;
            set[field.word] = field.patterns.get(usize::from(n)).copied()? << field.shift;
            Some((clear, set))
        };
        let mut acts = Vec::new();
        for phase in phases {
            acts.push(match phase {
                Phase::Test(c) => Act::Test(self.node(c)),
                Phase::When(list) => {
                    let each = list.iter().filter_map(|(c, var, n)| {
                        let (clear, set) = pattern(*var, *n)?;
                        Some(When {
                            condition: self.node(c),
                            clear,
                            set,
                        })
                    });
                    Act::When(each.collect())
                }
                Phase::Write(list) => {
                    let (mut clear, mut set) = ([0u64; N], [0u64; N]);
                    let mut looks = Vec::new();
                    for (var, write) in list {
                        let Some(to) = layout.of_var.get(*var as usize).copied().flatten() else {
                            continue;
                        };
                        let (from, table) = match write {
                            Write::Value(n) => {
                                if let Some((c, s)) = pattern(*var, *n) {
                                    (0..N).for_each(|i| {
                                        clear[i] |= c[i];
                                        set[i] |= s[i];
                                    });
                                }
                                continue;
                            }
                            Write::Table(y, t) => (*y, t),
                            Write::Plus(t) => (*var, t),
                        };
                        if let Some(from) = layout.of_var.get(from as usize).copied().flatten() {
                            let table = table.clone();
                            looks.push(Look { from, to, table });
                        }
                    }
                    Act::Write { clear, set, looks }
                }
            });
        }
        acts
    }
}

/// A state at which conditions are evaluated.
pub(super) struct Eye<'a, const N: usize> {
    asked: &'a Asked<N>,
    state: &'a [u64; N],
    /// The sets that are known; empty until one is asked for.
    sets: Vec<Option<Set>>,
    groups: Groups<'a>,
}

impl<'a, const N: usize> Eye<'a, N> {
    pub(super) fn new(asked: &'a Asked<N>, state: &'a [u64; N]) -> Eye<'a, N> {
        Eye {
            asked,
            state,
            sets: Vec::new(),
            groups: Groups::new(&asked.sites),
        }
    }

    pub(super) fn holds(&mut self, node: &Node<N>) -> bool {
        match node {
            Node::Truth(b) => *b,
            Node::Bits(word, bits) => self.state[usize::from(*word)] & bits != 0,
            Node::Mask(mask) => holds(self.state, mask),
            Node::Not(node) => !self.holds(node),
            Node::All(list) => list.iter().all(|node| self.holds(node)),
            Node::Any(list) => list.iter().any(|node| self.holds(node)),
            Node::Meet(a, b) => {
                self.find(*a);
                self.find(*b);
                let (a, b) = (&self.sets[*a as usize], &self.sets[*b as usize]);
                match (a, b) {
                    (Some(a), Some(b)) => a.iter().zip(b).any(|(a, b)| a & b != 0),
                    _ => false,
                }
            }
            Node::Compare(order, a, b) => {
                let (a, b) = (self.count(a), self.count(b));
                match order {
                    Order::Same => a == b,
                    Order::Less => a < b,
                    Order::AtMost => a <= b,
                }
            }
        }
    }

    /// Performs the writes whose conditions hold.
    fn write(&mut self, list: &[When<N>], after: &mut [u64; N]) {
        for when in list {
            if self.holds(&when.condition) {
                (0..N).for_each(|i| after[i] = (after[i] & !when.clear[i]) | when.set[i]);
            }
        }
    }

    fn count(&mut self, n: &Count<N>) -> i64 {
        match n {
            Count::Is(n) => *n,
            Count::Of(field, table) => {
                let field = &self.asked.fields[*field];
                let n = field.decode(self.state[field.word]);
                n.and_then(|n| table.get(n)).copied().unwrap_or(0)
            }
            Count::Bits(bits) => {
                let set = self.state.iter().zip(&**bits);
                set.map(|(w, b)| i64::from((w & b).count_ones())).sum()
            }
            Count::Size(set) => {
                self.find(*set);
                let words = self.sets[*set as usize].iter().flatten();
                words.map(|w| i64::from(w.count_ones())).sum()
            }
            Count::If(parts) => match self.holds(&parts.0) {
                true => self.count(&parts.1),
                false => self.count(&parts.2),
            },
            Count::Negative(n) => -self.count(n),
            Count::Sum(list) => list.iter().map(|n| self.count(n)).sum(),
            Count::Product(both) => self.count(&both[0]) * self.count(&both[1]),
            Count::Greatest(list) => list.iter().map(|n| self.count(n)).max().unwrap_or(0),
            Count::Quotient(n, by) => Integer::div_floor(&self.count(n), by),
            Count::Remainder(n, by) => Integer::mod_floor(&self.count(n), by),
        }
    }

    /// Computes a set, unless it is known already.
    fn find(&mut self, set: u32) {
        let at = set as usize;
        let asked = self.asked;
        if self.sets.is_empty() {
            self.sets.resize(asked.sets.len(), None);
        }
        if self.sets[at].is_some() {
            return;
        }
        let words = asked.sites.len().div_ceil(64);
        let mut found = Set::from_elem(0, words);
        let put = |found: &mut Set, site: u16| {
            found[usize::from(site) / 64] |= 1 << (site % 64);
        };
        let two = |eye: &mut Self, a: u32, b: u32, of: fn(u64, u64) -> u64| -> Set {
            eye.find(a);
            eye.find(b);
            match (&eye.sets[a as usize], &eye.sets[b as usize]) {
                (Some(a), Some(b)) => a.iter().zip(b).map(|(a, b)| of(*a, *b)).collect(),
                _ => Set::from_elem(0, words),
            }
        };
        let found = match &asked.sets[at] {
            Member::Where(list) => {
                for (site, node) in list {
                    if self.holds(node) {
                        put(&mut found, *site);
                    }
                }
                found
            }
            Member::Group(site) => match asked.sites[usize::from(*site)].is_there(self.state) {
                true => {
                    let group = self.groups.of(self.state, *site);
                    self.groups.found[group].clone()
                }
                false => found,
            },
            Member::Reach(site, within) => {
                self.find(*within);
                let within = self.sets[*within as usize].clone().unwrap_or_default();
                let there =
                    |s: u16| has(&within, s) && asked.sites[usize::from(s)].is_there(self.state);
                let mut open: SmallVec<[u16; 32]> = SmallVec::new();
                if there(*site) {
                    put(&mut found, *site);
                    open.push(*site);
                }
                while let Some(s) = open.pop() {
                    for t in &asked.out[usize::from(s)] {
                        if !has(&found, *t) && there(*t) {
                            put(&mut found, *t);
                            open.push(*t);
                        }
                    }
                }
                found
            }
            Member::Either(a, b) => two(self, *a, *b, |a, b| a | b),
            Member::Both(a, b) => two(self, *a, *b, |a, b| a & b),
            Member::Without(a, b) => two(self, *a, *b, |a, b| a & !b),
        };
        self.sets[at] = Some(found);
    }
}

impl<const N: usize> Asked<N> {
    /// The state after the phases of an instance; `None` if a test fails.
    pub(super) fn after(
        &self,
        state: &[u64; N],
        before: &mut Eye<'_, N>,
        acts: &[Act<N>],
    ) -> Option<[u64; N]> {
        let mut next = *state;
        let mut written = false;
        for act in acts {
            match act {
                Act::Test(node) => {
                    let holds = match written {
                        false => before.holds(node),
                        true => Eye::new(self, &next).holds(node),
                    };
                    if !holds {
                        return None;
                    }
                }
                Act::Write { clear, set, looks } => {
                    written = true;
                    (0..N).for_each(|i| next[i] = (next[i] & !clear[i]) | set[i]);
                    for look in looks {
                        let (from, to) = (&self.fields[look.from], &self.fields[look.to]);
                        let n = from.decode(state[from.word]);
                        let n = n.and_then(|n| look.table.get(n));
                        if let Some(bits) = n.and_then(|n| to.patterns.get(usize::from(*n))) {
                            next[to.word] = (next[to.word] & !to.mask) | bits << to.shift;
                        }
                    }
                }
                Act::When(list) => {
                    let mut after = next;
                    match written {
                        false => before.write(list, &mut after),
                        true => Eye::new(self, &next).write(list, &mut after),
                    }
                    next = after;
                    written = true;
                }
            }
        }
        Some(next)
    }
}
