//! Components as numbers: a position becomes a multiset of small integers, and so do its options.
//!
//! Where values do not add up (misère play, many players) or need not be known (outcomes), a position is the multiset of
//! its components. The game tree of each component has a number; the lowest bit of a word says that the players are
//! exchanged. Two components have the same number if their keys are equal: then their trees are isomorphic, and so are
//! sums that contain them.

use super::account::Account;
use super::context::Context;
use super::scheduler::{COMPONENT_KEYS, Share};
use super::statistics::Statistics;
use super::stopped::Stopped;
use super::sums::TELL;
use super::table::{Table, hash_of};
use crate::game::{Analysis, Game, Limit, Player, Shortcut, Sign};

/// The number of a component, shifted by one; the lowest bit says that the players are exchanged.
pub(crate) type Word = u32;

/// The number of components is bounded so that words leave room for marks.
const MOST: usize = 1 << 30;

/// Heavier components count as this heavy where their keys are counted.
const HEAVIEST: usize = 512;

/// How many options are prefetched together. In a proof of a nimber one of the first often decides.
pub(crate) const TOGETHER: usize = 16;

/// Where the options of a player in a component begin and end in `moves`, and how many there are.
pub(crate) type Span = (u32, u32, u32);

/// The components of one board found so far.
pub(crate) struct Components<G: Game> {
    // By position on the board.
    known: Table<G::Position, Word>,
    // By key: the number of the first component with this key, and its sign.
    keys: Table<G::Key, Word>,
    // By weight of components: how many keys were looked up, and found.
    found: Vec<Share>,
    // The entry, in `known`, of the first component with each number.
    first: Vec<u32>,
    // For each component and player, where the options are in `moves`.
    spans: Vec<Option<Span>>,
    // The options of a component: for each, the number of its components and then their words, sorted.
    moves: Vec<Word>,
    players: usize,
    parts: Vec<G::Position>,
    options: Vec<G::Position>,
    hashes: Vec<u64>,
    noted: usize,
    // Hits already reported to the pulse.
    told: u64,
    pub(crate) statistics: Statistics,
}

impl<G: Game> Components<G> {
    pub(crate) fn new(game: &G) -> Components<G> {
        Components {
            known: Table::default(),
            keys: Table::default(),
            found: Vec::new(),
            first: Vec::new(),
            spans: Vec::new(),
            moves: Vec::new(),
            players: usize::from(game.players()),
            parts: Vec::new(),
            options: Vec::new(),
            hashes: Vec::new(),
            noted: 0,
            told: 0,
            statistics: Statistics::default(),
        }
    }

    /// The counters of a search and of its components since they were last taken.
    pub(crate) fn take_statistics(&mut self, of_search: &mut Statistics) -> Statistics {
        let mut statistics = std::mem::take(of_search);
        statistics.absorb(&std::mem::take(&mut self.statistics));
        statistics
    }

    /// How many numbers are assigned.
    pub(crate) fn len(&self) -> usize {
        self.first.len()
    }

    /// A component with this number; the sign of the word is ignored.
    pub(crate) fn part(&self, word: Word) -> &G::Position {
        self.known.key(self.first[(word >> 1) as usize])
    }

    /// The key of a component by its number, if one was computed. With two players each number is given to one key, so their
    /// entries are in this order.
    pub(crate) fn key(&self, number: u32) -> Option<&G::Key> {
        let is_its = (number as usize) < self.keys.len() && self.keys.value(number) >> 1 == number;
        is_its.then(|| self.keys.key(number))
    }

    /// Appends the words of the components of a position, in any order.
    pub(crate) fn split(
        &mut self,
        game: &G,
        position: &G::Position,
        context: &Context<'_>,
        words: &mut Vec<Word>,
    ) -> Result<(), Limit> {
        self.split_from(game, None, position, context, words)
    }

    /// The same; `from` is the component that the position is an option of, if there is one.
    pub(crate) fn split_from(
        &mut self,
        game: &G,
        from: Option<&G::Position>,
        position: &G::Position,
        context: &Context<'_>,
        words: &mut Vec<Word>,
    ) -> Result<(), Limit> {
        // A position that is known as a component is one again, and a look-up is cheaper than splitting it.
        if context.shortcuts.has(Shortcut::Boards)
            && let Some(word) = self.find(position)
        {
            words.push(word);
            return Ok(());
        }
        let mut parts = std::mem::take(&mut self.parts);
        self.take_apart(game, from, position, context, &mut parts);
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

    /// The word of a component that is already known by its position.
    pub(crate) fn find(&mut self, part: &G::Position) -> Option<Word> {
        let entry = self.known.find(hash_of(part), part)?;
        self.statistics.memo_hits += 1;
        Some(self.known.value(entry))
    }

    /// Prefetches what the look-ups of some positions read first: these reads do not wait for each other.
    pub(crate) fn touch<'a>(&mut self, positions: impl Iterator<Item = &'a G::Position>)
    where
        G::Position: 'a,
    {
        self.hashes.clear();
        self.hashes.extend(positions.map(hash_of));
        self.known.touch(&self.hashes);
    }

    /// Appends the components of a position, in any order; `from` is the component that the position is an option of, if
    /// there is one.
    pub(crate) fn take_apart(
        &mut self,
        game: &G,
        from: Option<&G::Position>,
        position: &G::Position,
        context: &Context<'_>,
        parts: &mut Vec<G::Position>,
    ) {
        if !context.shortcuts.has(Shortcut::Split) {
            parts.push(position.clone());
            return;
        }
        let before = parts.len();
        if context.by_regions() && game.analysis().regions(from, position, parts) {
            self.statistics.regions += 1;
            if context.plants(Shortcut::Regions) && parts.len() > before + 1 {
                parts.pop();
            }
        } else {
            game.analysis().split(position, parts);
            if context.plants(Shortcut::Split) && parts.len() > before + 1 {
                parts.pop();
            }
        }
        if parts.len() != before + 1 {
            self.statistics.splits += 1;
        }
    }

    /// The word of a component; assigns a number if it has none.
    pub(crate) fn number(
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
        // Only two players can be exchanged.
        let two = self.players == 2;
        let exchanged = |sign| Word::from(sign == Sign::Minus && two);
        let mut image = None;
        if context.shortcuts.has(Shortcut::Images)
            && let Some((other, sign)) = game.analysis().image(&part)
            && other != part
        {
            let (sign, place) = (exchanged(sign), hash_of(&other));
            if let Some(entry) = self.known.find(place, &other) {
                self.statistics.images += 1;
                let unsigned = context.plants(Shortcut::Images);
                let word = self.known.value(entry) ^ if unsigned { 0 } else { sign };
                let heap = game.position_bytes(&part);
                self.known.insert(hash, part, word, heap);
                return Ok(word);
            }
            image = Some((place, other, sign));
        }
        let weight = match two {
            true => 0,
            false => (game.analysis().weight(&part) as usize).min(HEAVIEST),
        };
        if context.shortcuts.has(Shortcut::Keys) && self.keys_pay(weight) {
            let (key, sign) = game.key(&part);
            let exchanged = exchanged(sign);
            let hash = hash_of(&key);
            let entry = self.keys.find(hash, &key);
            self.found[weight].count(entry.is_some());
            if let Some(entry) = entry {
                self.statistics.key_hits += 1;
                // The word belongs to the key's game; the part is its negative if the sign says so.
                let unsigned = context.plants(Shortcut::Keys);
                word = self.keys.value(entry) ^ if unsigned { 0 } else { exchanged };
            } else {
                let heap = game.key_bytes(&key);
                self.keys.insert(hash, key, word | exchanged, heap);
            }
        }
        let heap = game.position_bytes(&part);
        let entry = self.known.insert(hash, part, word, heap);
        if (word >> 1) as usize == self.first.len() {
            self.first.push(entry);
            self.note(context)?;
        }
        if let Some((place, image, sign)) = image
            && !self.known.is_full()
        {
            let heap = game.position_bytes(&image);
            self.known.insert(place, image, word ^ sign, heap);
        }
        Ok(word)
    }

    // Whether keys find enough of the components of this weight. With many players large ones are seldom like others; with
    // two, keys also find components with the players exchanged.
    fn keys_pay(&mut self, weight: usize) -> bool {
        if weight >= self.found.len() {
            self.found.resize(weight + 1, Share::of(0, 0));
        }
        let found = self.found[weight];
        self.players == 2 || !found.is_enough(&COMPONENT_KEYS) || found.meets(&COMPONENT_KEYS)
    }

    fn bytes(&self) -> usize {
        self.known.bytes()
            + self.keys.bytes()
            + self.found.capacity() * size_of::<Share>()
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

    /// Where the options of a player in a component are; see [`Components::option`].
    pub(crate) fn moves(
        &mut self,
        game: &G,
        word: Word,
        player: Player,
        context: &Context<'_>,
    ) -> Result<Span, Stopped<G::Position, G::Fault>> {
        // Where the players are exchanged, Left's moves are Right's.
        let player = if word & 1 == 1 {
            player.opponent()
        } else {
            player
        };
        let slot = (word >> 1) as usize * self.players + player.index();
        if let Some(span) = self.spans.get(slot).copied().flatten() {
            return Ok(span);
        }
        self.begin(context)?;
        let mut options = std::mem::take(&mut self.options);
        let part = &self.part(word).clone();
        let result = game
            .options(part, player, &mut options)
            .map_err(|fault| Stopped::Fault {
                position: part.clone(),
                fault,
            });
        let span = match result {
            Ok(()) => self
                .intern_moves(game, part, &options, context)
                .map_err(Stopped::from),
            Err(fault) => Err(fault),
        };
        options.clear();
        self.options = options;
        let span = span?;
        if self.spans.len() <= slot {
            self.spans.resize(self.first.len() * self.players, None);
        }
        if let Some(place) = self.spans.get_mut(slot) {
            *place = Some(span);
        }
        Ok(span)
    }

    /// Charges for a component that is expanded, counts it, and reports progress now and then.
    pub(crate) fn begin(&mut self, context: &Context<'_>) -> Result<(), Limit> {
        context.budget.charge()?;
        self.statistics.expanded += 1;
        if self.statistics.expanded.is_multiple_of(TELL) {
            let found = self.statistics.memo_hits + self.statistics.key_hits;
            let bytes = context.account.tables() + context.forms.memory();
            let more = found.checked_sub(self.told).unwrap_or(found);
            context.budget.pulse().note(more, bytes);
            self.told = found;
        }
        Ok(())
    }

    fn intern_moves(
        &mut self,
        game: &G,
        part: &G::Position,
        options: &[G::Position],
        context: &Context<'_>,
    ) -> Result<Span, Limit> {
        let mut all: Vec<smallvec::SmallVec<[Word; 4]>> = Vec::with_capacity(options.len());
        let mut words = Vec::new();
        for options in options.chunks(TOGETHER) {
            self.touch(options.iter());
            for option in options {
                words.clear();
                self.split_from(game, Some(part), option, context, &mut words)?;
                words.sort_unstable();
                all.push(words.as_slice().into());
            }
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
            (Ok(start), Ok(end)) => Ok((start, end, all.len() as u32)),
            _ => Err(Limit::Memory),
        }
    }

    /// The components of the option at index `at` of a span, before the players are exchanged; the next option begins
    /// where they end.
    pub(crate) fn option(&self, at: u32) -> &[Word] {
        let at = at as usize;
        &self.moves[at + 1..at + 1 + self.moves[at] as usize]
    }

    /// Forgets the components that are not marked, by their numbers, and the options of all. Returns the new number of each
    /// marked component; their order stays.
    pub(crate) fn forget_others(
        &mut self,
        game: &G,
        marked: &[bool],
        account: &Account,
    ) -> Vec<Word> {
        let mut next = 0;
        let mut numbers = vec![Word::MAX; marked.len()];
        for (number, _) in numbers
            .iter_mut()
            .zip(marked)
            .filter(|(_, marked)| **marked)
        {
            *number = next;
            next += 1;
        }
        // Entries are in the order of their numbers if only the first of each number is kept.
        let first = std::mem::take(&mut self.first);
        self.known.retain(
            |part| game.position_bytes(part),
            |i, word| {
                let number = (word >> 1) as usize;
                marked[number] && first[number] as usize == i
            },
            |_, _, _| {},
        );
        self.first = (0..next).collect();
        (0..next).for_each(|number| self.known.set(number, number << 1));
        self.keys.retain(
            |key| game.key_bytes(key),
            |_, word| marked[(word >> 1) as usize],
            |_, _, _| {},
        );
        for entry in 0..self.keys.len() as u32 {
            let word = self.keys.value(entry);
            let number = numbers[(word >> 1) as usize];
            self.keys.set(entry, number << 1 | word & 1);
        }
        self.known.shrink();
        self.keys.shrink();
        self.spans = Vec::new();
        self.moves = Vec::new();
        account.note(self.noted, self.bytes());
        self.noted = self.bytes();
        numbers
    }

    /// Releases all memory.
    pub(crate) fn clear(&mut self, account: &Account) {
        account.note(self.noted, 0);
        self.noted = 0;
        self.known.clear();
        self.keys.clear();
        self.found = Vec::new();
        self.first = Vec::new();
        self.spans = Vec::new();
        self.moves = Vec::new();
    }
}
