//! Positions of a game come in, taken apart; sums of parts of one closed set go out, for the theory of misère play.

use super::{Listed, Word};
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::game::{Analysis, Budget, Game, Limit, Player};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

/// A part on the line of play that is looked at.
struct Frame<P> {
    place: usize,
    /// Of each option its parts, as places.
    options: Vec<Vec<usize>>,
    /// Parts of options that have no number yet.
    waiting: Vec<(usize, P)>,
}

/// The parts of positions of impartial games, by their keys.
#[derive(Debug)]
pub struct Keyed<K> {
    places: HashMap<K, usize, FxBuildHasher>,
    numbers: Vec<Option<u32>>,
    /// Parts on the line of play.
    open: Vec<bool>,
    held: usize,
    memory: usize,
}

impl<K: Clone + Eq + std::hash::Hash> Keyed<K> {
    /// No parts are known; the table may take so many bytes.
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

    /// The parts of a position as a word; what follows them is added to `listed`. The position at which players have different moves
    /// comes back, if there is one.
    ///
    /// # Errors
    /// A limit, a rule that goes wrong, a line of play that comes again.
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
            options: Vec::new(),
            waiting: start,
        }];
        let found = self.fill(game, &mut line, listed, budget);
        for frame in &line {
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
                    return Err(Stopped::Cycle {
                        line: vec![part.clone(), part],
                    });
                }
                match self.open(game, place, &part, budget)? {
                    Some(next) => line.push(next),
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
                .push(&words)
                .map_err(|_| Stopped::Limit(Limit::Memory))?;
            self.numbers[frame.place] = Some(number);
        }
        Ok(Ok(()))
    }

    /// The options of a part that is new; nothing if the players have different ones.
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
        // Told apart by keys: a part leaves out what no move observes, so what two moves leave may be the same and be written in
        // two ways. That a key is shared with the negative does no harm: where this holds of all that follows, each is its negative.
        if !game.analysis().is_impartial(part)
            && options != self.options_of(game, &of(Player::RIGHT)?, &mut waiting)
        {
            return Ok(None);
        }
        self.held += options.iter().map(|o| o.len() * 12 + 64).sum::<usize>() + 128;
        if self.held > self.memory {
            return Err(Stopped::Limit(Limit::Memory));
        }
        self.open[place] = true;
        Ok(Some(Frame {
            place,
            options,
            waiting,
        }))
    }

    /// Of each option its parts, in order and each once.
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

    /// The parts of a position, as places in the table; those without a number are listed with their positions.
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
            self.held += size_of::<K>();
            let next = self.numbers.len();
            let place = *self.places.entry(key).or_insert(next);
            if place == next {
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
    /// The closed set of the parts of some sums: with the number here of each of its parts.
    #[must_use]
    pub fn closure(&self, words: &[&[u32]]) -> (Listed, Vec<u32>) {
        let mut within: HashSet<u32, FxBuildHasher> = HashSet::default();
        let mut waiting: Vec<u32> = words.iter().flat_map(|w| w.iter().copied()).collect();
        while let Some(part) = waiting.pop() {
            if within.insert(part) {
                waiting.extend(self.of(part).iter().flatten());
            }
        }
        let mut parts: Vec<u32> = within.into_iter().collect();
        parts.sort_unstable();
        let mut closed = Listed::default();
        for part in &parts {
            let place = |p: &u32| parts.binary_search(p).unwrap_or(0) as u32;
            let options = self.of(*part).iter().map(|o| o.iter().map(place).collect());
            let options: Vec<Vec<u32>> = options.collect();
            // Its options come before, so it is not refused.
            let _ = closed.push(&options);
        }
        (closed, parts)
    }
}
