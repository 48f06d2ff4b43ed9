//! Parts as numbers: positions come in, multisets of small integers go out, and the moves between them.
//!
//! Where values do not add up (misère play, many players) or need not be known (outcomes), a position is the multiset
//! of its parts. Each part's tree has a number; the lowest bit of a word says that the players are exchanged. Two parts
//! have one number if their keys are equal: then their trees are isomorphic, and so are sums that contain them.

use super::account::Account;
use super::context::Context;
use super::refining::Refining;
use super::roads::Statistics;
use super::stopped::Stopped;
use super::sums::TELL;
use super::table::{Table, hash_of};
use crate::game::{Game, Limit, Player, Sign};

/// A part's number, shifted by one; the lowest bit says that the players are exchanged.
pub(crate) type Word = u32;

/// The number of parts is bounded so that words leave room for marks.
const MOST: usize = 1 << 30;

/// Where the options of a player in a part begin and end, and how many there are.
pub(crate) type Span = (u32, u32, u32);

/// What is known of the parts of one board.
pub(crate) struct Components<G: Game> {
    // By the part as it lies on the board.
    known: Table<G::Position, Word>,
    // By key: the number of the part that came first, and its sign.
    keys: Table<G::Key, Word>,
    // The entry, in `known`, of the part that came first.
    first: Vec<u32>,
    // For each part and player, where the moves begin and end in `moves`.
    spans: Vec<Option<Span>>,
    // The options of a part: for each, the number of its parts and then these, in order.
    moves: Vec<Word>,
    players: usize,
    parts: Vec<G::Position>,
    refining: Refining<G::Position>,
    options: Vec<G::Position>,
    // How many moves options leave, and their places.
    order: Vec<(Option<u32>, u32)>,
    noted: usize,
    // What was told of parts found again.
    told: u64,
    pub(crate) statistics: Statistics,
}

impl<G: Game> Components<G> {
    pub(crate) fn new(game: &G) -> Components<G> {
        Components {
            known: Table::default(),
            keys: Table::default(),
            first: Vec::new(),
            spans: Vec::new(),
            moves: Vec::new(),
            players: usize::from(game.players()),
            parts: Vec::new(),
            refining: Refining::default(),
            options: Vec::new(),
            order: Vec::new(),
            noted: 0,
            told: 0,
            statistics: Statistics::default(),
        }
    }

    /// How many parts have a number.
    pub(crate) fn len(&self) -> usize {
        self.first.len()
    }

    /// A part with this number, whose players are not exchanged.
    pub(crate) fn part(&self, word: Word) -> &G::Position {
        self.known.key(self.first[(word >> 1) as usize])
    }

    /// Appends the words of the parts of a position, in no order.
    pub(crate) fn split(
        &mut self,
        game: &G,
        position: &G::Position,
        context: &Context<'_>,
        words: &mut Vec<Word>,
    ) -> Result<(), Limit> {
        self.split_from(game, None, position, context, words)
    }

    // The same; `from` is a part that the position is an option of, if it is.
    fn split_from(
        &mut self,
        game: &G,
        from: Option<&G::Position>,
        position: &G::Position,
        context: &Context<'_>,
        words: &mut Vec<Word>,
    ) -> Result<(), Limit> {
        // What was a part once is one again, and to look it up is cheaper than to find its parts.
        if context.roads.boards
            && let Some(entry) = self.known.find(hash_of(position), position)
        {
            self.statistics.memo_hits += 1;
            words.push(self.known.value(entry));
            return Ok(());
        }
        let mut parts = std::mem::take(&mut self.parts);
        if context.roads.split {
            let near = context.roads.near
                && from.is_some_and(|part| game.split_option(part, position, &mut parts));
            if near {
                self.statistics.near += 1;
            } else if context.by_regions() && game.regions(from, position, &mut parts) {
                self.statistics.regions += 1;
                if context.roads.refine {
                    let known = |hash, p: &G::Position| self.known.find(hash, p).is_some();
                    self.statistics.refined += self.refining.refine(game, 0, &mut parts, known);
                }
            } else {
                game.split(position, &mut parts);
            }
            if parts.len() != 1 {
                self.statistics.splits += 1;
            }
        } else {
            parts.push(position.clone());
        }
        let mut result = Ok(());
        for part in parts.drain(..) {
            match self.number(game, part, context) {
                Ok(word) => words.push(word),
                Err(limit) => result = Err(limit),
            }
        }
        self.parts = parts;
        result
    }

    fn number(
        &mut self,
        game: &G,
        part: G::Position,
        context: &Context<'_>,
    ) -> Result<Word, Limit> {
        let hash = hash_of(&part);
        if let Some(entry) = self.known.find(hash, &part) {
            self.statistics.memo_hits += 1;
            return Ok(self.known.value(entry));
        }
        if self.first.len() >= MOST || self.known.is_full() {
            return Err(Limit::Memory);
        }
        let mut word = (self.first.len() as Word) << 1;
        if context.roads.keys {
            let (key, sign) = game.key(&part);
            // Only two players can be exchanged.
            let exchanged = Word::from(sign == Sign::Minus && self.players == 2);
            let hash = hash_of(&key);
            if let Some(entry) = self.keys.find(hash, &key) {
                self.statistics.key_hits += 1;
                // The word of the key's own game; the part is its negative where the sign says so.
                word = self.keys.value(entry) ^ exchanged;
            } else {
                let heap = game.key_bytes(&key);
                self.keys.insert(hash, key, word | exchanged, heap);
            }
        }
        let heap = game.position_bytes(&part);
        let entry = self.known.insert(hash, part, word, heap);
        if (word >> 1) as usize == self.first.len() {
            self.first.push(entry);
            self.spans.extend(std::iter::repeat_n(None, self.players));
            self.note(context)?;
        }
        Ok(word)
    }

    fn bytes(&self) -> usize {
        self.known.bytes()
            + self.keys.bytes()
            + self.first.capacity() * size_of::<u32>()
            + self.spans.capacity() * size_of::<Option<Span>>()
            + self.moves.capacity() * size_of::<Word>()
    }

    fn note(&mut self, context: &Context<'_>) -> Result<(), Limit> {
        let bytes = self.bytes();
        if bytes != self.noted {
            context.account.note(self.noted, bytes);
            self.noted = bytes;
            if context.account.is_over(context.forms) {
                return Err(Limit::Memory);
            }
        }
        Ok(())
    }

    /// Where the options of a player in a part lie; see [`Components::option`].
    pub(crate) fn moves(
        &mut self,
        game: &G,
        word: Word,
        player: Player,
        context: &Context<'_>,
    ) -> Result<Span, Stopped<G::Position, G::Fault>> {
        let all = self.moves_until(game, word, player, false, context, |_| false)?;
        // Nothing ends it before all are made.
        Ok(all.unwrap_or_default())
    }

    /// The same, unless `seen` says of the parts of an option, in order, that no more need be made: then nothing is kept of
    /// them but the numbers of their parts. Options that leave few moves are made first, if wanted.
    pub(crate) fn moves_until(
        &mut self,
        game: &G,
        word: Word,
        player: Player,
        in_order: bool,
        context: &Context<'_>,
        seen: impl FnMut(&[Word]) -> bool,
    ) -> Result<Option<Span>, Stopped<G::Position, G::Fault>> {
        // Where the players are exchanged, Left's moves are the other's.
        let player = if word & 1 == 1 {
            player.opponent()
        } else {
            player
        };
        let slot = (word >> 1) as usize * self.players + player.index();
        if let Some(span) = self.spans[slot] {
            return Ok(Some(span));
        }
        context.budget.charge()?;
        self.statistics.expanded += 1;
        if self.statistics.expanded.is_multiple_of(TELL) {
            let found = self.statistics.memo_hits + self.statistics.key_hits;
            let bytes = context.account.tables() + context.forms.memory();
            let more = found.checked_sub(self.told).unwrap_or(found);
            context.budget.pulse().note(more, bytes);
            self.told = found;
        }
        let mut options = std::mem::take(&mut self.options);
        let part = &self.part(word).clone();
        let result = game
            .options(part, player, &mut options)
            .map_err(|fault| Stopped::Fault {
                position: part.clone(),
                fault,
            });
        let span = match result {
            Ok(()) => {
                let mut order = std::mem::take(&mut self.order);
                if in_order && options.len() > 2 {
                    let left = |o| game.mobility(o).map(|[left, right]| left + right);
                    order.extend((0u32..).zip(&options).map(|(i, o)| (left(o), i)));
                    order.sort_unstable();
                } else {
                    order.extend((0u32..).zip(&options).map(|(i, _)| (None, i)));
                }
                let span = self.intern_moves(game, part, &options, &order, context, seen);
                order.clear();
                self.order = order;
                span.map_err(Stopped::from)
            }
            Err(fault) => Err(fault),
        };
        options.clear();
        self.options = options;
        let span = span?;
        self.spans[slot] = span;
        Ok(span)
    }

    fn intern_moves(
        &mut self,
        game: &G,
        part: &G::Position,
        options: &[G::Position],
        order: &[(Option<u32>, u32)],
        context: &Context<'_>,
        mut seen: impl FnMut(&[Word]) -> bool,
    ) -> Result<Option<Span>, Limit> {
        let mut all: Vec<smallvec::SmallVec<[Word; 4]>> = Vec::with_capacity(options.len());
        let mut words = Vec::new();
        for (_, i) in order {
            words.clear();
            self.split_from(game, Some(part), &options[*i as usize], context, &mut words)?;
            words.sort_unstable();
            if seen(&words) {
                self.note(context)?;
                return Ok(None);
            }
            all.push(words.as_slice().into());
        }
        // Options are a set.
        all.sort_unstable();
        all.dedup();
        let start = self.moves.len();
        for words in &all {
            self.moves.push(words.len() as Word);
            self.moves.extend_from_slice(words);
        }
        self.note(context)?;
        match (u32::try_from(start), u32::try_from(self.moves.len())) {
            (Ok(start), Ok(end)) => Ok(Some((start, end, all.len() as u32))),
            _ => Err(Limit::Memory),
        }
    }

    /// The parts of the option that begins at `at` of a span, before the players are exchanged; the next option begins
    /// where they end.
    pub(crate) fn option(&self, at: u32) -> &[Word] {
        let at = at as usize;
        &self.moves[at + 1..at + 1 + self.moves[at] as usize]
    }

    /// Gives all memory back.
    pub(crate) fn clear(&mut self, account: &Account) {
        account.note(self.noted, 0);
        self.noted = 0;
        self.known.clear();
        self.keys.clear();
        self.first = Vec::new();
        self.spans = Vec::new();
        self.moves = Vec::new();
    }
}
