//! The options of a part in the search for nimbers. Input: a part that is opened. Output: the row of its options, with what
//! is known of them. Options that are known or small get their nimbers at once; all others remain positions until the search
//! visits them.

use super::{Entry, Options, Proof, SUM, distinct, weight};
use crate::engine::components::TOGETHER;
use crate::engine::context::Context;
use crate::engine::parallel::begins_at;
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::game::{Analysis, Game, Limit, Player, Shortcut};
use smallvec::SmallVec;

/// A part with at most this many moves is small: its nimber is computed outright. On boards of some ten or hundred thousand
/// positions, 14 and 16 took the least time of the even numbers up to 18.
const SMALL: u32 = 14;

/// What is known of an option before it is expanded.
enum Look {
    /// Its nimber.
    Nimber(u32),
    /// It is a single part with this number.
    Part(u32),
    /// The number of moves left in its parts with unknown nimber.
    Whole(u32),
}

// Whether the part has few followers.
fn is_small<G: Game>(game: &G, part: &G::Position, context: &Context<'_>) -> bool {
    context.shortcuts.has(Shortcut::Small)
        && game.analysis().dwindles()
        && weight(game, part) <= SMALL
}

impl<G: Game> Proof<G> {
    // Looks at the options of a part, lightest first. Returns whether one is known to have nimber `n`; then the others are
    // not needed.
    pub(super) fn open(
        &mut self,
        game: &G,
        part: u32,
        n: u32,
        context: &Context<'_>,
    ) -> Result<bool, StoppedIn<G>> {
        let (position, options) = self.options(game, part, context)?;
        // By the moves left; each with its index in the low half.
        let mut order: SmallVec<[u64; 64]> = (0..options.len() as u64).collect();
        if options.len() > 2 {
            for (i, option) in order.iter_mut().zip(&options) {
                let [left, right] = game.analysis().mobility(option).unwrap_or_default();
                *i |= u64::from(left.saturating_add(right)) << 32;
            }
            order.sort_unstable();
        }
        // Threads that help begin elsewhere among options that are alike.
        let count = options.len() as u32;
        let begin = begins_at(context.order, options.len()) as u32;
        // The numbers of options that are a single part; for the other options the moves left and their index from there.
        let mut parts: SmallVec<[u32; 64]> = SmallVec::new();
        let mut wholes: SmallVec<[(u32, u32); 64]> = SmallVec::new();
        for (place, i) in order.iter().map(|i| *i as u32).enumerate() {
            if place % TOGETHER == 0 {
                let next = order[place..].iter().take(TOGETHER);
                self.components
                    .touch(next.map(|i| &options[*i as u32 as usize]));
            }
            match self.look(game, &position, &options[i as usize], context)? {
                Look::Nimber(nimber) => {
                    self.note(part, nimber);
                    if nimber == n {
                        self.exclude(part, n);
                        self.give_back(options);
                        return Ok(true);
                    }
                }
                Look::Part(part) => parts.push(part),
                Look::Whole(moves) => wholes.push((moves, (i + count - begin) % count)),
            }
        }
        // Duplicate options are dropped.
        parts.sort_unstable();
        parts.dedup();
        let first = begins_at(context.order, parts.len());
        parts.rotate_left(first);
        wholes.sort_unstable();
        let start = self.entries.len();
        let entry = |at, weight| Entry { at, weight };
        self.entries.extend(parts.iter().map(|at| entry(*at, 0)));
        for (weight, i) in &wholes {
            let position = options[((i + begin) % count) as usize].clone();
            self.heap += game.position_bytes(&position);
            self.entries.push(entry(self.wholes.len() as u32, *weight));
            self.wholes.push(position);
        }
        self.give_back(options);
        if self.entries.len().max(self.wholes.len()) >= SUM as usize {
            return Err(Limit::Memory.into());
        }
        self.opened.push(Options {
            start: start as u32,
            whole: (start + parts.len()) as u32,
            end: self.entries.len() as u32,
            count,
        });
        self.facts[part as usize].opened = self.opened.len() as u32;
        self.measure(game, context)?;
        Ok(false)
    }

    // The position of a part, and its options.
    #[allow(clippy::type_complexity)]
    fn options(
        &mut self,
        game: &G,
        part: u32,
        context: &Context<'_>,
    ) -> Result<(G::Position, Vec<G::Position>), StoppedIn<G>> {
        self.components.begin(context)?;
        let position = self.components.part(part << 1).clone();
        let mut options = self.spare.pop().unwrap_or_default();
        match game.options(&position, Player::LEFT, &mut options) {
            Ok(()) => Ok((position, options)),
            Err(fault) => Err(Stopped::Fault { position, fault }),
        }
    }

    fn give_back(&mut self, mut positions: Vec<G::Position>) {
        positions.clear();
        self.spare.push(positions);
    }

    // Looks at an option without adding to the tables, except for small parts.
    fn look(
        &mut self,
        game: &G,
        from: &G::Position,
        option: &G::Position,
        context: &Context<'_>,
    ) -> Result<Look, StoppedIn<G>> {
        if context.shortcuts.has(Shortcut::Boards)
            && let Some(word) = self.components.find(option)
        {
            let part = word >> 1;
            return Ok(self
                .fact(part)
                .nimber()
                .map_or(Look::Part(part), Look::Nimber));
        }
        let mut parts = self.spare.pop().unwrap_or_default();
        let components = &mut self.components;
        components.take_apart(game, Some(from), option, context, &mut parts);
        let only = parts.len() == 1;
        let (mut sum, mut open, mut known) = (0, 0u32, None);
        let mut is_open = false;
        for part in parts.drain(..) {
            let missed = context.shortcuts.has(Shortcut::Boards) && part == *option;
            let found = if missed {
                None
            } else {
                self.components.find(&part).map(|word| word >> 1)
            };
            let number = match found {
                None if is_small(game, &part, context) => {
                    let number = self.number(game, part.clone(), context)?;
                    self.outright(game, number, SMALL + 1, context)?;
                    Some(number)
                }
                found => found,
            };
            match number.map(|number| (number, self.fact(number))) {
                Some((_, fact)) if fact.known > 0 => sum ^= fact.known - 1,
                Some((number, fact)) => {
                    is_open = true;
                    known = Some(number);
                    open = open.saturating_add(fact.weight);
                }
                None => {
                    is_open = true;
                    open = open.saturating_add(weight(game, &part));
                }
            }
        }
        self.give_back(parts);
        Ok(match known {
            _ if !is_open => Look::Nimber(sum),
            Some(part) if only => Look::Part(part),
            _ => Look::Whole(open),
        })
    }

    // The nimber of a small part, from those of all its options; `None` if play in it can last longer than `depth` moves.
    fn outright(
        &mut self,
        game: &G,
        part: u32,
        depth: u32,
        context: &Context<'_>,
    ) -> Result<Option<u32>, StoppedIn<G>> {
        if let Some(nimber) = self.fact(part).nimber() {
            return Ok(Some(nimber));
        }
        if depth == 0 {
            return Ok(None);
        }
        let (position, options) = self.options(game, part, context)?;
        let mut parts = self.spare.pop().unwrap_or_default();
        let mut seen = 0u64;
        let mut whole = true;
        'options: for option in &options {
            let components = &mut self.components;
            components.take_apart(game, Some(&position), option, context, &mut parts);
            let mut sum = 0;
            for part in parts.drain(..) {
                let number = self.number(game, part, context)?;
                match self.outright(game, number, depth - 1, context)? {
                    Some(nimber) => sum ^= nimber,
                    None => {
                        whole = false;
                        break 'options;
                    }
                }
            }
            seen |= 1u64.checked_shl(sum).unwrap_or(0);
        }
        parts.clear();
        self.give_back(parts);
        self.give_back(options);
        if !whole {
            return Ok(None);
        }
        let nimber = match context.plants(Shortcut::Small) {
            true => seen.trailing_ones() + 1,
            false => seen.trailing_ones(),
        };
        self.facts[part as usize].known = nimber + 1;
        self.statistics.small += 1;
        Ok(Some(nimber))
    }

    // Splits the first unsplit option of a part.
    pub(super) fn take_apart(
        &mut self,
        game: &G,
        part: u32,
        place: usize,
        context: &Context<'_>,
    ) -> Result<(), Limit> {
        let Options { start, whole, .. } = self.opened[place];
        let option = self.wholes[self.entries[whole as usize].at as usize].clone();
        let mut words = Vec::new();
        let from = self.components.part(part << 1).clone();
        self.components
            .split_from(game, Some(&from), &option, context, &mut words)?;
        self.measure(game, context)?;
        words.sort_unstable();
        let parts: SmallVec<[u32; 8]> = distinct(&words).collect();
        let at = match parts[..] {
            [only] => only,
            _ => {
                let at = self.sums.len() as u32 | SUM;
                if self.sums.len() + parts.len() >= SUM as usize {
                    return Err(Limit::Memory);
                }
                self.sums.push(parts.len() as u32);
                self.sums.extend_from_slice(&parts);
                at
            }
        };
        let (first, place_of) = (start as usize, whole as usize);
        let options = &mut self.opened[place];
        options.whole += 1;
        self.entries[place_of] = Entry { at, weight: 0 };
        if self.entries[first..place_of].iter().any(|e| e.at == at) {
            // Duplicate options are moved to those that are answered.
            self.entries.swap(first, place_of);
            options.start += 1;
        }
        Ok(())
    }
}
