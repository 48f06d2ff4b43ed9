//! What several proofs of one position have found. Input and output: keys of parts, with their nimber, or nimbers that they do
//! not have.
//!
//! Both are facts of the game, whichever proof found them, so what one thread finds may end a branch of another. Each thread
//! numbers the parts on its own; here a part has a number by its key. To look it up takes a lock, but with the number facts are
//! read and added without one.

use crate::engine::account::{Account, Shared};
use crate::game::Limit;
use crate::value::Forms;
use std::hash::Hash;
use std::num::NonZeroU32;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

/// The number of a part.
pub(super) type Number = NonZeroU32;

/// The number of tables of keys, each under a lock of its own. A thread takes one when it first visits a part.
const SHARDS: usize = 16;

/// Facts are kept in blocks, which do not move: the first two have this many, and each other one as many as all before it.
const FIRST: u32 = 1 << 10;

/// The most blocks.
const BLOCKS: usize = 20;

/// The facts about a part.
#[derive(Default)]
struct Verdict {
    /// The nimber plus 1; 0 if it is unknown.
    known: AtomicU32,
    /// Bit n: the nimber is not n.
    not: AtomicU64,
}

type Block = OnceLock<Box<[Verdict]>>;

/// The facts that the threads share.
pub(crate) struct Verdicts<K> {
    numbers: Shared<K, Number>,
    /// The least number that no part has.
    next: AtomicU32,
    blocks: [Block; BLOCKS],
    /// Whether several threads have been at work.
    are_shared: AtomicBool,
}

// The block of a number, its size, and the place in it.
fn place(number: u32) -> (usize, u32, usize) {
    let block = (number / FIRST).checked_ilog2().map_or(0, |log| log + 1);
    let size = FIRST << block.saturating_sub(1);
    (block as usize, size, (number % size) as usize)
}

impl<K: Clone + Eq + Hash> Verdicts<K> {
    pub(super) fn new() -> Verdicts<K> {
        Verdicts {
            numbers: Shared::new(SHARDS),
            next: AtomicU32::new(1),
            blocks: [const { Block::new() }; BLOCKS],
            are_shared: AtomicBool::new(false),
        }
    }

    /// Notes that several threads are at work.
    pub(super) fn share(&self) {
        self.are_shared.store(true, Relaxed);
    }

    /// Whether several threads have been at work.
    #[inline]
    pub(super) fn are_shared(&self) -> bool {
        self.are_shared.load(Relaxed)
    }

    /// The number of a part by its key; `heap` measures a key.
    ///
    /// # Errors
    /// `Limit::Memory` if there is no room for another one.
    pub(super) fn number(
        &self,
        key: &K,
        heap: impl Fn(&K) -> usize,
        account: &Account,
        forms: &Forms,
    ) -> Result<Number, Limit> {
        if let Some(number) = self.numbers.get(key) {
            return Ok(number);
        }
        let next = |next: u32| next.checked_add(1);
        let next = self.next.fetch_update(Relaxed, Relaxed, next);
        let number = next.ok().and_then(Number::new).ok_or(Limit::Memory)?;
        let (block, size, _) = place(number.get());
        let block = self.blocks.get(block).ok_or(Limit::Memory)?;
        block.get_or_init(|| {
            let block: Box<[Verdict]> = (0..size).map(|_| Verdict::default()).collect();
            account.note(0, size_of_val(&*block));
            block
        });
        self.numbers.put(key.clone(), number, heap, account, forms);
        // Another thread may have been first.
        Ok(self.numbers.get(key).unwrap_or(number))
    }

    #[inline]
    fn verdict(&self, number: Number) -> Option<&Verdict> {
        let (block, _, at) = place(number.get());
        self.blocks.get(block)?.get()?.get(at)
    }

    /// The nimber of a part, if it is known, and nimbers that it does not have, as bits.
    #[inline]
    pub(super) fn get(&self, number: Number) -> (Option<u32>, u64) {
        let verdict = self.verdict(number);
        verdict.map_or((None, 0), |verdict| {
            let known = verdict.known.load(Relaxed);
            (known.checked_sub(1), verdict.not.load(Relaxed))
        })
    }

    /// Adds nimbers that a part does not have.
    #[inline]
    pub(super) fn exclude(&self, number: Number, not: u64) {
        if let Some(verdict) = self.verdict(number) {
            verdict.not.fetch_or(not, Relaxed);
        }
    }

    /// Adds the nimber of a part.
    pub(super) fn prove(&self, number: Number, nimber: u32) {
        if let Some(verdict) = self.verdict(number) {
            verdict.known.store(nimber + 1, Relaxed);
        }
    }

    /// Frees all memory.
    pub(super) fn clear(self, account: &Account) {
        self.numbers.clear(account);
        let blocks = self.blocks.iter().filter_map(Block::get);
        account.note(blocks.map(|block| size_of_val(&**block)).sum(), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Engine;
    use crate::engine::context::Context;
    use crate::engine::proof::{Proof, Wanted};
    use crate::engine::random::Random;
    use crate::game::{Analysis, Budget, Cancel, Game, Limits, Player, Rules, Sign};
    use std::collections::HashMap;
    use std::convert::Infallible;

    // Node Kayles: a move takes a vertex and its neighbours. For each vertex, the set that it takes.
    struct Kayles(Vec<u32>);

    impl Kayles {
        fn moves(&self, set: u32) -> impl Iterator<Item = u32> {
            let taken = self.0.iter().enumerate();
            taken.filter_map(move |(v, taken)| (set >> v & 1 == 1).then_some(set & !taken))
        }

        fn nimber(&self, set: u32, known: &mut HashMap<u32, u32>) -> u32 {
            if let Some(nimber) = known.get(&set) {
                return *nimber;
            }
            let options: Vec<u32> = self.moves(set).map(|o| self.nimber(o, known)).collect();
            let nimber = (0..).find(|n| !options.contains(n)).unwrap();
            known.insert(set, nimber);
            nimber
        }
    }

    impl Rules for Kayles {
        type Position = u32;
        type Fault = Infallible;

        fn options(&self, set: &u32, _: Player, to: &mut Vec<u32>) -> Result<(), Infallible> {
            to.extend(self.moves(*set));
            Ok(())
        }
    }

    impl Game for Kayles {
        type Key = u32;

        fn key(&self, set: &u32) -> (u32, Sign) {
            (*set, Sign::Plus)
        }

        fn analysis(&self) -> &impl Analysis<Self> {
            self
        }
    }

    impl Analysis<Self> for Kayles {
        fn split(&self, set: &u32, parts: &mut Vec<u32>) {
            let mut rest = *set;
            while rest != 0 {
                let mut part = rest & rest.wrapping_neg();
                let near = |part: u32| {
                    let all = (0..self.0.len()).filter(|v| part >> v & 1 == 1);
                    all.fold(part, |near, v| near | self.0[v]) & rest
                };
                while near(part) != part {
                    part = near(part);
                }
                parts.push(part);
                rest &= !part;
            }
        }

        fn weight(&self, set: &u32) -> u32 {
            set.count_ones()
        }

        fn is_impartial(&self, _: &u32) -> bool {
            true
        }

        fn ends(&self) -> bool {
            true
        }

        fn is_faultless(&self) -> bool {
            true
        }
    }

    #[test]
    fn threads_that_share_find_the_nimbers_of_a_plain_search() {
        let mut random = Random(5);
        for _ in 0..2_000 {
            let vertices = 5 + random.below(11) as usize;
            let mut taken: Vec<u32> = (0..vertices).map(|v| 1 << v).collect();
            for _ in 0..vertices + random.below(8) as usize {
                let [v, w] = [0; 2].map(|_| random.below(vertices as u64) as usize);
                taken[v] |= 1 << w;
                taken[w] |= 1 << v;
            }
            let (game, all) = (&Kayles(taken), (1 << vertices) - 1);
            let engine: Engine<u32> = Engine::new(Limits::default());
            let nimber = |proof: &mut Proof<Kayles>, order| {
                let budget = Budget::new(&Limits::default(), Cancel::new());
                let context = Context {
                    order,
                    ..Context::new(&engine, &budget)
                };
                let stored = Shared::new(1);
                let nimber = proof.nimber(game, &all, Wanted::Nimber, &context, &stored);
                stored.clear(&engine.account);
                nimber.unwrap()
            };
            let mut first = Proof::new(game);
            let verdicts = first.verdicts();
            let mut others = [1, 2].map(|_| Proof::beside(game, &verdicts));
            drop(verdicts);
            let mut found = std::thread::scope(|scope| {
                let orders = (1..).zip(&mut others);
                let nimber = &nimber;
                let threads =
                    orders.map(|(order, proof)| scope.spawn(move || nimber(proof, order)));
                let threads: Vec<_> = threads.collect();
                let found = nimber(&mut first, 0);
                let others = threads.into_iter().map(|thread| thread.join().unwrap());
                others.chain([found]).collect::<Vec<_>>()
            });
            // A thread that comes late is told at once.
            let mut late = Proof::beside(game, &first.verdicts());
            found.push(nimber(&mut late, 3));
            assert_eq!(late.take_statistics().expanded, 0);
            let expected = game.nimber(all, &mut HashMap::new());
            assert_eq!(found, [Some(expected); 4], "{:?}", game.0);
            let limits = Limits {
                threads: 3,
                ..Limits::default()
            };
            let asked = Engine::new(limits).search(game).nimber(&all);
            assert_eq!(asked, Ok(Some(expected)), "{:?}", game.0);
            others
                .iter_mut()
                .for_each(|proof| proof.clear(&engine.account));
            [first, late]
                .iter_mut()
                .for_each(|proof| proof.clear(&engine.account));
            assert_eq!(engine.account.tables(), 0);
        }
    }

    #[test]
    fn numbers_have_places_of_their_own() {
        let mut last = (0, 0);
        for number in 1..20_000 {
            let (block, size, at) = place(number);
            assert!(at < size as usize, "{number}");
            let follows = (block, at) == (last.0, last.1 + 1) || (block, at) == (last.0 + 1, 0);
            assert!(follows, "{number}: {last:?}, {block} {at}");
            last = (block, at);
        }
        let (block, size, at) = place(u32::MAX >> 3);
        assert!(block < BLOCKS && at < size as usize);
    }
}
