//! Lists the options of a state that may matter, in the order in which they are searched. An option that is known to lose
//! for the opponent decides the state at once.

use super::{Ask, LOST, Play, WON, Worth, bits, memory, moves_first_and_wins};
use crate::engine::components::Word;
use crate::engine::context::Context;
use crate::engine::stopped::StoppedIn;
use crate::engine::table::hash_of;
use crate::game::{Analysis, Game, Limit, Player, Shortcut};
use crate::value::{CanonicalForm, Forms};

/// The weight of each move that a player has more than the opponent, in 32nds of a move.
const WEIGHT: i64 = 16;

/// The weight of each move by which Left's margins exceed Right's. Found by trial on Domineering and Tridomineering: with it the
/// outcomes of 7x7, 6x8 and 7x7 take 0.28, 0.59 and 0.43 times as many states, with four times as much 6x8 takes 1.8 times
/// as many. No answer depends on it.
const COUNTED: i64 = 4;

// The sum of the two stops, in 32nds; used for the order of options only.
pub(super) fn stops(forms: &Forms, value: CanonicalForm) -> i64 {
    let number = |x: CanonicalForm| {
        if x.is_inline() {
            i64::from(x.thirtyseconds())
        } else {
            0
        }
    };
    number(forms.left_stop_handle(value)) + number(forms.right_stop_handle(value))
}

impl<G: Game> Play<G> {
    // Appends the options of `self.state`. Returns whether one of them is known to lose for the opponent.
    pub(super) fn options(
        &mut self,
        game: &G,
        mover: Player,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<bool, StoppedIn<G>> {
        let state = std::mem::take(&mut self.state);
        let mut child = std::mem::take(&mut self.child);
        let result = self.options_of(game, &state, mover, &mut child, context, ask);
        self.state = state;
        self.child = child;
        result
    }

    fn options_of(
        &mut self,
        game: &G,
        state: &[Word],
        mover: Player,
        child: &mut Vec<Word>,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<bool, StoppedIn<G>> {
        if !game.analysis().is_faultless() {
            // A state at which a rule fails is won by nobody, whatever other moves there are.
            for part in &state[1..] {
                self.components.moves(game, *part, mover, context)?;
            }
        }
        for (i, part) in state.iter().enumerate().skip(1) {
            if i > 1 && state[i - 1] == *part {
                continue;
            }
            let (mut at, end, _) = self.components.moves(game, *part, mover, context)?;
            while at < end {
                let option: smallvec::SmallVec<[Word; 8]> = self.components.option(at).into();
                at += 1 + option.len() as u32;
                child.clear();
                child.extend_from_slice(&state[..i]);
                child.extend_from_slice(&state[i + 1..]);
                self.add_parts(game, &option, part & 1 == 1, child, context, ask)?;
                self.tidy(game, child, context);
                if self.offer(game, child, mover, context, ask)? {
                    return Ok(true);
                }
            }
        }
        let sum = CanonicalForm(state[0]);
        let options = if mover == Player::LEFT {
            context.forms.left_of(sum)
        } else {
            context.forms.right_of(sum)
        }
        .map_err(memory)?;
        for i in 0..options.len() {
            child.clear();
            child.push(options.at(context.forms, i).map_err(memory)?.0);
            child.extend_from_slice(&state[1..]);
            if self.offer(game, child, mover, context, ask)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    // Sorts the options that begin at `start` so that the better ones are likely to come first: those that leave the mover
    // many moves and the opponent few.
    pub(super) fn put_in_order(
        &mut self,
        game: &G,
        start: usize,
        mover: Player,
        context: &Context<'_>,
    ) -> Result<(), StoppedIn<G>> {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        let mut at = start;
        while at < self.words.len() {
            let end = at + 1 + self.words[at] as usize;
            let mut score = stops(context.forms, CanonicalForm(self.words[at + 1]));
            for i in at + 2..end {
                let word = self.words[i];
                let [left, right] = self.mobility(game, word, context)?;
                score += (i64::from(left) - i64::from(right)) * WEIGHT;
                if let Some(surplus) = self.surplus(game, word, context) {
                    score += surplus * COUNTED;
                }
            }
            order.push((if mover == Player::LEFT { -score } else { score }, at));
            at = end;
        }
        order.sort_unstable();
        self.sorted.clear();
        for (_, at) in &order {
            let end = at + 1 + self.words[*at] as usize;
            self.sorted.extend_from_slice(&self.words[*at..end]);
        }
        self.words.truncate(start);
        self.words.extend_from_slice(&self.sorted);
        self.order = order;
        Ok(())
    }

    // The number of moves of each player at a part, if the game provides it or they were counted.
    pub(super) fn told_mobility(&mut self, game: &G, part: Word) -> Option<[u32; 2]> {
        let number = (part >> 1) as usize;
        if self.mobility.len() <= number {
            self.mobility.resize(self.components.len(), None);
        }
        if self.mobility[number].is_none() {
            self.mobility[number] = game.analysis().mobility(self.components.part(part));
        }
        let [left, right] = self.mobility[number]?;
        Some(if part & 1 == 1 {
            [right, left]
        } else {
            [left, right]
        })
    }

    // The number of moves of each player at a part; counted if the game does not provide it.
    pub(super) fn mobility(
        &mut self,
        game: &G,
        part: Word,
        context: &Context<'_>,
    ) -> Result<[u32; 2], StoppedIn<G>> {
        if let Some(told) = self.told_mobility(game, part) {
            return Ok(told);
        }
        let mut count = |player| self.components.moves(game, part, player, context);
        let counted = [count(Player::LEFT)?.2, count(Player::RIGHT)?.2];
        let [left, right] = counted;
        self.mobility[(part >> 1) as usize] = Some(if part & 1 == 1 {
            [right, left]
        } else {
            counted
        });
        Ok(counted)
    }

    // Whether `mover` wins a state of one part whose value is known.
    fn settled(
        &self,
        state: &[Word],
        mover: Player,
        context: &Context<'_>,
    ) -> Result<Option<bool>, Limit> {
        let [sum, part] = *state else { return Ok(None) };
        if self.misere || !self.peeks {
            return Ok(None);
        }
        let Some(Worth::Known(value)) = self.worth.get((part >> 1) as usize) else {
            return Ok(None);
        };
        let forms = context.forms;
        // The part is compared with the negative of the rest; with the rest itself if the players of the part are exchanged.
        let (mut rest, exchanged) = (CanonicalForm(sum), part & 1 == 1);
        if !exchanged {
            rest = forms.negate(rest).map_err(memory)?;
        }
        let loses = if (mover == Player::LEFT) != exchanged {
            forms.less_or_equal(*value, rest)
        } else {
            forms.less_or_equal(rest, *value)
        };
        Ok(Some(!loses.map_err(memory)?))
    }

    // Adds an option to the list unless it is known to win for the opponent. Returns whether it is known to lose.
    fn offer(
        &mut self,
        game: &G,
        child: &[Word],
        mover: Player,
        context: &Context<'_>,
        ask: Ask<'_, G>,
    ) -> Result<bool, StoppedIn<G>> {
        let opponent = mover.opponent();
        if child.len() == 1 && !self.misere {
            return Ok(!moves_first_and_wins(
                context.forms,
                CanonicalForm(child[0]),
                opponent,
            )?);
        }
        if context.shortcuts.has(Shortcut::Memo)
            && let Some(entry) = self.table.find(hash_of(child), child)
        {
            match bits(self.table.value(entry), opponent) {
                LOST => return Ok(true),
                WON if !self.misere || self.any_option() => return Ok(false),
                _ => {}
            }
        }
        if let Some(wins) = self.settled(child, opponent, context)? {
            return Ok(!wins);
        }
        if let Some(wins) = self.bounded(game, child, opponent, context, ask)? {
            return Ok(!wins);
        }
        self.words.push(child.len() as Word);
        self.words.extend_from_slice(child);
        Ok(false)
    }

    // Whether the state on top of the stack has a listed option: in misère play a state with options must not look as if it
    // had none.
    fn any_option(&self) -> bool {
        self.frames
            .last()
            .is_some_and(|frame| frame.start < self.words.len())
    }
}
