//! Splits positions of a game into parts. Output: sums of parts of one closed set, for the theory of misère play.

use super::{Closed, Listed, Word};
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::game::{Analysis, Budget, Game, Limit, Player};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

/// A part on the current line of play.
struct Frame<P> {
    place: usize,
    /// `None` for the sum with which play begins.
    part: Option<P>,
    /// For each option its parts, as places in the table.
    options: Vec<Vec<usize>>,
    /// Parts of options that have no number yet, with their positions.
    waiting: Vec<(usize, P)>,
    /// The bytes charged for its options.
    held: usize,
}

/// The parts of positions of impartial games, by their keys.
#[derive(Debug)]
pub struct Keyed<K> {
    places: HashMap<K, usize, FxBuildHasher>,
    numbers: Vec<Option<u32>>,
    /// Whether a part is on the current line of play.
    open: Vec<bool>,
    held: usize,
    memory: usize,
}

impl<K: Clone + Eq + std::hash::Hash> Keyed<K> {
    /// A table without parts. `memory` is the limit in bytes.
    #[must_use]
    pub fn new(memory: usize) -> Keyed<K> {
        Keyed {
            places: HashMap::default(),
            numbers: Vec::new(),
            open: Vec::new(),
            held: 0,
            memory,
        }
    }

    /// The parts of a position as a word. The followers of these parts are added to `listed`. If a follower gives the
    /// players different moves, it is returned as the inner error.
    ///
    /// # Errors
    /// A limit, a rule that fails, or a repeated position.
    pub fn word<G: Game<Key = K>>(
        &mut self,
        game: &G,
        position: &G::Position,
        listed: &mut Listed,
        budget: &Budget,
    ) -> Result<Result<Word, G::Position>, StoppedIn<G>> {
        let mut start = Vec::new();
        let places = self.places_of(game, position, &mut start);
        let mut line: Vec<Frame<G::Position>> = vec![Frame {
            place: usize::MAX,
            part: None,
            options: Vec::new(),
            waiting: start,
            held: 0,
        }];
        let found = self.fill(game, &mut line, listed, budget);
        // After a limit or a refusal, parts are left without a number; their options are not stored.
        for frame in &line {
            self.held = self.held.saturating_sub(frame.held);
            if let Some(open) = self.open.get_mut(frame.place) {
                *open = false;
            }
        }
        Ok(found?.map(|()| {
            let numbers = places.iter().filter_map(|p| self.numbers[*p]);
            let mut word: Word = numbers.filter(|n| !listed.of(*n).is_empty()).collect();
            word.sort_unstable();
            word
        }))
    }

    fn fill<G: Game<Key = K>>(
        &mut self,
        game: &G,
        line: &mut Vec<Frame<G::Position>>,
        listed: &mut Listed,
        budget: &Budget,
    ) -> Result<Result<(), G::Position>, StoppedIn<G>> {
        while let Some(frame) = line.last_mut() {
            if let Some((place, part)) = frame.waiting.pop() {
                if self.numbers[place].is_some() {
                    continue;
                }
                if self.open[place] {
                    let from = line.iter().position(|f| f.place == place);
                    let parts = line[from.unwrap_or(0)..].iter();
                    let parts = parts.filter_map(|f| f.part.clone()).chain([part]);
                    return Err(Stopped::Cycle {
                        line: parts.collect(),
                    });
                }
                match self.open(game, place, &part, budget)? {
                    Some(next) => line.push(Frame {
                        part: Some(part),
                        ..next
                    }),
                    None => return Ok(Err(part)),
                }
                continue;
            }
            let Some(frame) = line.pop() else { break };
            let Some(open) = self.open.get_mut(frame.place) else {
                break;
            };
            *open = false;
            let words = frame.options.iter().map(|option| {
                let numbers = option.iter().filter_map(|p| self.numbers[*p]);
                numbers.collect::<Vec<u32>>()
            });
            let words: Vec<Vec<u32>> = words.collect();
            let number = listed
                .number(&words)
                .map_err(|_| Stopped::Limit(Limit::Memory))?;
            self.numbers[frame.place] = Some(number);
        }
        Ok(Ok(()))
    }

    /// The options of a part that is not in the table yet; `None` if the players have different options.
    fn open<G: Game<Key = K>>(
        &mut self,
        game: &G,
        place: usize,
        part: &G::Position,
        budget: &Budget,
    ) -> Result<Option<Frame<G::Position>>, StoppedIn<G>> {
        budget.charge()?;
        let of = |player: Player| {
            let mut options = Vec::new();
            match game.options(part, player, &mut options) {
                Ok(()) => Ok(options),
                Err(fault) => Err(Stopped::Fault {
                    position: part.clone(),
                    fault,
                }),
            }
        };
        let mut waiting = Vec::new();
        let options = self.options_of(game, &of(Player::LEFT)?, &mut waiting);
        // Options are compared by their keys: a part omits what no move observes, so two moves may leave the same part
        // written in two ways. It does no harm that a position and its negative may share a key: where the options agree at
        // all followers, each follower is its own negative.
        if !game.analysis().is_impartial(part)
            && options != self.options_of(game, &of(Player::RIGHT)?, &mut waiting)
        {
            return Ok(None);
        }
        let held = options.iter().map(|o| o.len() * 12 + 64).sum::<usize>() + 128;
        if self.held + held > self.memory {
            return Err(Stopped::Limit(Limit::Memory));
        }
        self.held += held;
        self.open[place] = true;
        Ok(Some(Frame {
            place,
            part: None,
            options,
            waiting,
            held,
        }))
    }

    /// For each option its parts, sorted; options without duplicates.
    fn options_of<G: Game<Key = K>>(
        &mut self,
        game: &G,
        options: &[G::Position],
        waiting: &mut Vec<(usize, G::Position)>,
    ) -> Vec<Vec<usize>> {
        let parts = options.iter().map(|o| self.places_of(game, o, waiting));
        let mut all: Vec<Vec<usize>> = parts.collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The parts of a position, as places in the table. Parts without a number are added to `waiting` with their positions.
    fn places_of<G: Game<Key = K>>(
        &mut self,
        game: &G,
        position: &G::Position,
        waiting: &mut Vec<(usize, G::Position)>,
    ) -> Vec<usize> {
        let mut parts = Vec::new();
        game.analysis().split(position, &mut parts);
        let mut places = Vec::with_capacity(parts.len());
        for part in parts {
            let (key, _) = game.key(&part);
            let heap = game.key_bytes(&key);
            let next = self.numbers.len();
            let place = *self.places.entry(key).or_insert(next);
            if place == next {
                self.held += size_of::<K>() + heap;
                self.numbers.push(None);
                self.open.push(false);
            }
            if self.numbers[place].is_none() {
                waiting.push((place, part));
            }
            places.push(place);
        }
        places.sort_unstable();
        places
    }
}

impl Listed {
    /// The closed set of all parts that occur in some sums or in their followers. The second result lists these parts by
    /// their numbers here, in the order of their new numbers.
    ///
    /// The new numbers depend on the parts alone, not on their numbers here, which tell what was asked before: parts that
    /// last fewer moves come first, then those with the lesser list of options.
    #[must_use]
    pub fn closure(&self, words: &[&[u32]]) -> (Listed, Vec<u32>) {
        let mut within: HashSet<u32, FxBuildHasher> = HashSet::default();
        let mut waiting: Vec<u32> = words.iter().flat_map(|w| w.iter().copied()).collect();
        while let Some(part) = waiting.pop() {
            if within.insert(part) {
                waiting.extend(self.of(part).iter().flatten());
            }
        }
        let mut open: Vec<u32> = within.into_iter().collect();
        open.sort_unstable_by_key(|p| self.birthday(*p));
        let mut closed = Listed::default();
        let mut parts: Vec<u32> = Vec::with_capacity(open.len());
        let mut places: HashMap<u32, u32, FxBuildHasher> = HashMap::default();
        for alike in open.chunk_by(|a, b| self.birthday(*a) == self.birthday(*b)) {
            // Options last fewer moves, so they have their places already.
            let renamed = alike.iter().map(|part| {
                let place = |p: &u32| places.get(p).copied().unwrap_or(0);
                let options = self.of(*part).iter().map(|o| {
                    let mut option: Vec<u32> = o.iter().map(place).collect();
                    option.sort_unstable();
                    option
                });
                let mut options: Vec<Vec<u32>> = options.collect();
                options.sort_unstable();
                (options, *part)
            });
            let mut renamed: Vec<(Vec<Vec<u32>>, u32)> = renamed.collect();
            renamed.sort_unstable();
            for (options, part) in renamed {
                // Options have smaller numbers, so this cannot fail.
                if let Ok(place) = closed.push(&options) {
                    places.insert(part, place);
                    parts.push(part);
                }
            }
        }
        (closed, parts)
    }
}
