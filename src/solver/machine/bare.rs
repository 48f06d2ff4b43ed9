//! The rules of a single term, for searching the winner: positions are bare words, with moves and ends of play.
//!
//! A [`Packed`] position names its term and may be of several kinds. While play stays within one term, this is not needed.
//! Positions that are images of each other under the symmetries of the instances and of the end clauses ([`super::key`]) are
//! represented by the least of them.

use super::game::{Words, end_in_roles, in_words, role};
use super::images::Images;
use super::key;
use super::pack::{self, Program};
use super::{Kind, Machine, Packed, words, wrap};
use crate::game::{Convention, End, Player, Rules, Shortcut, Sign, Step};
use crate::ir::{Fault, Position};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// The rules of one term on its board.
#[derive(Debug)]
pub struct Bare<const N: usize> {
    machine: Arc<Machine>,
    program: Arc<Program<N>>,
    /// The number of the term, doubled, plus 1 if the players' roles are exchanged.
    number: u32,
    /// Images under symmetries that keep the players, without the identity; then under those that exchange them.
    images: [Vec<Images>; 2],
}

/// The rules of one term, by the number of words of its positions.
#[derive(Debug)]
#[expect(missing_docs, reason = "the numbers")]
pub enum Bared {
    One(Bare<1>),
    Two(Bare<2>),
    Four(Bare<4>),
}

impl Machine {
    /// The rules of the only term of a position; `None` if the term is not ground or a position has more than four words.
    #[must_use]
    pub fn bare(self: &Arc<Machine>, position: &Packed) -> Option<Bared> {
        if !self.settings.has(Shortcut::Narrow) {
            return None;
        }
        let number = in_words(position)?;
        match &self.term(number).kind {
            Kind::W1(p) => Some(Bared::One(Bare::new(self, p, number))),
            Kind::W2(p) => Some(Bared::Two(Bare::new(self, p, number))),
            Kind::W4(p) => Some(Bared::Four(Bare::new(self, p, number))),
            _ => None,
        }
    }
}

impl<const N: usize> Bare<N> {
    fn new(machine: &Arc<Machine>, program: &Arc<Program<N>>, number: u32) -> Bare<N> {
        let mut images = [Vec::new(), Vec::new()];
        if machine.settings.has(Shortcut::Symmetry)
            && let Ok(layout) = pack::layout(&program.ground, &machine.settings)
        {
            let planted = machine.settings.planted;
            let all = key::symmetries(&program.ground, &layout, N, key::Of::Whole, planted);
            images = [false, true].map(|exchanged| {
                let others = all.iter().skip(1).filter(|s| s.exchanged == exchanged);
                Images::new(N, &others.map(|s| s.image()).collect::<Vec<_>>())
            });
        }
        // If infinite play counts as a win of one player, exchanging the players is not a symmetry.
        if machine.endless.is_some() {
            images[1].clear();
        }
        let symmetric = images.iter().any(|i| !i.is_empty());
        machine
            .counters
            .symmetric
            .fetch_add(u64::from(symmetric), Relaxed);
        Bare {
            machine: machine.clone(),
            program: program.clone(),
            number,
            images,
        }
    }

    /// Whether `position` is a position of this machine and this term.
    #[must_use]
    pub fn is_of(&self, machine: &Arc<Machine>, position: &Packed) -> bool {
        Arc::ptr_eq(&self.machine, machine)
            && matches!(
                position,
                Packed::One(..) | Packed::Two(..) | Packed::Many(..)
            )
            && position.number() == self.number
    }

    /// Converts a position of the machine to bare words.
    #[must_use]
    pub fn position(&self, position: &Packed) -> Words<N> {
        Words(words(position))
    }

    /// Converts a position to one of the language.
    #[must_use]
    pub fn show(&self, position: &Words<N>) -> Position {
        self.machine.show(&wrap(self.number, position.0))
    }

    fn end(&self, state: &[u64; N], mover: Player, instance: usize) -> Option<End> {
        let end = self.program.ends.ended_after(state, mover, instance)?;
        Some(end_in_roles(self.number, end))
    }
}

impl<const N: usize> Rules for Bare<N> {
    type Position = Words<N>;
    type Fault = Box<Fault>;

    fn players(&self) -> u8 {
        self.machine.players
    }

    fn convention(&self) -> Convention {
        self.machine.convention
    }

    fn endless(&self) -> Option<Player> {
        self.machine.endless
    }

    fn options(
        &self,
        position: &Words<N>,
        player: Player,
        options: &mut Vec<Words<N>>,
    ) -> Result<(), Box<Fault>> {
        let mover = role(self.number, player);
        self.program
            .options(&position.0, mover.index(), |s| options.push(Words(s)))
    }

    fn ended(&self, position: &Words<N>) -> Result<Option<End>, Box<Fault>> {
        Rules::ended(&*self.machine, &wrap(self.number, position.0))
    }

    fn steps(
        &self,
        position: &Words<N>,
        player: Player,
        steps: &mut Vec<Step<Words<N>>>,
    ) -> Result<(), Box<Fault>> {
        let mover = role(self.number, player);
        self.program
            .steps(&position.0, mover.index(), |s, instance, again| {
                steps.push(Step {
                    to: Words(s),
                    again,
                    end: self.end(&s, mover, instance),
                });
            })
    }

    fn can_end(
        &self,
        position: &Words<N>,
        player: Player,
        good: &dyn Fn(End) -> bool,
    ) -> Result<bool, Box<Fault>> {
        if self.program.ends.is_empty() {
            return Ok(false);
        }
        let mover = role(self.number, player);
        let mut found = false;
        self.program
            .steps(&position.0, mover.index(), |s, instance, _| {
                found = found || self.end(&s, mover, instance).is_some_and(good);
            })?;
        Ok(found)
    }

    fn need(&self, position: &Words<N>, player: Player) -> Option<u32> {
        self.program
            .ends
            .need(&position.0, role(self.number, player))
    }

    fn image(&self, position: &Words<N>, exchanged: bool) -> Option<Words<N>> {
        let images = &self.images[usize::from(exchanged)];
        if images.is_empty() {
            return None;
        }
        // The position itself is an image if the players keep their roles.
        let start = match exchanged {
            true => ([u64::MAX; N], Sign::Plus),
            false => (position.0, Sign::Plus),
        };
        let least = images
            .iter()
            .fold(start, |least, i| i.least_from(&position.0, least));
        Some(Words(least.0))
    }
}
