//! Why a position has its value, argued as in a textbook: sentence by sentence, each a datum that can be checked by itself.
//!
//! The argument uses the sum of independent parts (Siegel, *Combinatorial Game Theory*, II.1); the mex rule (Sprague 1935,
//! Grundy 1939); dominated and reversible options (II.2; *Winning Ways*, ch. 3); the simplest number (*On Numbers and Games*,
//! ch. 2); and moves that keep the turn or end play (see [`crate::engine::affine`]).

use super::algebra::memory;
use super::answer::Picture;
use super::card::{affine_text, is_refusal, loopy_value, picture};
use super::fault::comes_again;
use super::host::Answerer;
use super::many::Winner;
use super::misere::PartGenus;
use super::solve::Solver;
use super::theory::Theory;
use crate::base::Span;
use crate::engine::affine::{Affine, Nimbers};
use crate::engine::arena::ToMove;
use crate::game::{Convention, End, Player};
use crate::ir::{Position, Res, draw};
use crate::value::{CanonicalForm, Forms, Outcome};
use serde::Serialize;
use std::cmp::Ordering;
use std::sync::Arc;

/// The most different parts that are explained one by one.
const PARTS: usize = 8;
/// The most copies of a part that are counted.
const MOST_COPIES: usize = 1_000_000;
/// The most positions named for one value.
const NAMED: usize = 4;

/// The name of the player of an impartial position's options.
pub const BOTH: &str = "Both players";

/// Options of one value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Group {
    /// Their value.
    pub value: String,
    /// The first of them as literals.
    pub positions: Vec<String>,
    /// The number of options with this value.
    pub count: usize,
}

/// A part of a sum.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Summand {
    /// The part.
    pub position: String,
    /// Its value.
    pub value: String,
    /// The number of equal parts.
    pub count: usize,
}

/// What a move does with the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Turn {
    /// The other player moves next.
    Passes,
    /// The same player moves next.
    Keeps,
    /// The other player moves next, and must answer in what this move has left.
    Entails,
    /// Play ends, and the player who moved wins.
    Wins,
    /// Play ends, and the player who moved loses.
    Loses,
}

/// A step of the argument. Values are printed so that they parse back.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "says", rename_all = "kebab-case")]
pub enum Sentence {
    /// The position is the sum of independent parts, and its value the sum of theirs.
    Sum {
        /// The parts.
        parts: Vec<Summand>,
        /// The sum of their values.
        value: String,
    },
    /// All parts are nimbers, so the sum is a nim-sum.
    NimSum {
        /// The n of each `*n`.
        nimbers: Vec<u32>,
        /// Their nim-sum.
        sum: u32,
    },
    /// Both players have the same options at every follower, so the value is a nimber.
    Impartial,
    /// The player has no options.
    NoMoves {
        /// The player.
        player: String,
    },
    /// The player's options with their values, equal values together.
    Options {
        /// The player's name, or [`BOTH`].
        player: String,
        /// The options.
        groups: Vec<Group>,
    },
    /// The least nimber that no option has.
    Mex {
        /// The nimbers of the options, each once, in order.
        options: Vec<u32>,
        /// The least missing nimber.
        mex: u32,
    },
    /// Both players have the same moves at every follower, and a move may keep the turn or end play: the value is a nimber or
    /// `loony`.
    Entailing,
    /// The moves of both players that do the same with the turn, equal values together. A move that ends play has no value; in
    /// the place of the value of one that must be answered stands what it wins.
    Moves {
        /// What the moves do with the turn.
        turn: Turn,
        /// The positions reached.
        groups: Vec<Group>,
    },
    /// For which nimbers a move wins the sum with them. The value is the least other nimber, or `loony` if there is none.
    Covered {
        /// Nimbers of moves that pass the turn; each wins the sum with this nimber.
        passed: Vec<u32>,
        /// Nimbers of moves that keep the turn; each wins the sum with every nimber but this one.
        kept: Vec<u32>,
        /// Whether a move wins every such sum: it wins at once, or keeps the turn at a loony position.
        every: bool,
        /// Whether a move must be answered; [`Sentence::Moves`] says which sums it wins.
        answered: bool,
        /// The value.
        value: String,
    },
    /// The last move must be answered in this position.
    Answered {
        /// The sums that the player to move wins.
        wins: String,
    },
    /// An option is no better for the player than another.
    Dominated {
        /// The player whose option it is.
        player: String,
        /// The value of the dominated option.
        option: String,
        /// The value of the better option.
        by: String,
    },
    /// The opponent has a reply that leaves the opponent no worse off than before; the option is replaced by the player's
    /// options after it.
    Reversible {
        /// The player whose option it is.
        player: String,
        /// The player who replies.
        opponent: String,
        /// The value of the option.
        option: String,
        /// The value of the reply: for Left's options at most the value of the position, for Right's at least.
        reply: String,
        /// The position after the reply, if the option is a position.
        #[serde(skip_serializing_if = "Option::is_none")]
        position: Option<String>,
        /// The values that replace it: the player's options after the reply.
        replaced_by: Vec<String>,
    },
    /// The value is the simplest number that fits between the options.
    Simplest {
        /// Left's options that are not dominated. None of them is at least the value.
        left: Vec<String>,
        /// Right's options that are not dominated. None of them is at most the value.
        right: Vec<String>,
        /// The number.
        value: String,
    },
    /// The remaining options are those of the canonical form.
    Canonical {
        /// Left's options.
        left: Vec<String>,
        /// Right's options.
        right: Vec<String>,
        /// The value, by its name if it has one.
        value: String,
    },
    /// The comparison with zero, and hence the outcome.
    Outcome {
        /// `>`, `<`, `=` or `||`.
        sign: String,
        /// `L-position` and so on.
        outcome: String,
    },
    /// Mean and temperature.
    Thermal {
        /// The mean value.
        mean: String,
        /// The temperature.
        temperature: String,
    },
    /// There is no value, since there are more than two players, or the last mover loses; only who wins is known.
    NoValue {
        /// The number of players.
        players: u8,
    },
    /// The genera of the parts of an impartial position in misère play.
    Genera {
        /// The parts.
        parts: Vec<PartGenus>,
    },
    /// The players who can force a win if one player starts.
    Starts {
        /// The player who starts.
        first: String,
        /// The player who wins alone against all others, if any.
        winner: Option<String>,
        /// Whether each player can force that no other wins.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        drawn: bool,
        /// A move that keeps the win, if the player who starts is the winner.
        #[serde(skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        /// The minimal coalitions that can force a win of one of their members.
        minimal: Vec<Vec<String>>,
    },
    /// The score under best play if one player starts.
    Scored {
        /// The player who starts.
        first: String,
        /// Left's points minus Right's.
        points: i64,
        /// A move with this score; `None` if the player cannot move.
        #[serde(skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        /// The number of moves with a worse score for the player.
        worse: usize,
    },
    /// Whether scores in sums have an order here: whether nobody gains by being stuck.
    Guaranteed {
        /// Why it is not guaranteed.
        #[serde(skip_serializing_if = "Option::is_none")]
        refusal: Option<String>,
    },
    /// The scores have no mean and no temperature.
    NoMean {
        /// The condition that fails, and where.
        reason: String,
    },
}

/// The explanation of a position's value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Why {
    /// The position.
    #[serde(flatten)]
    pub picture: Picture,
    /// Its value, for two players and normal play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The argument.
    pub sentences: Vec<Sentence>,
    /// The explanations of the different parts of a sum.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Why>,
}

/// Explains the value of a position.
///
/// # Errors
/// As for [`Solver::value`].
pub fn why(answerer: &Answerer<'_>, position: &Arc<Position>) -> Res<Why> {
    let solver = answerer.solver();
    if position.players() != 2
        || position.convention() != Convention::Normal
        || solver.is_decided(position)
    {
        return winners(answerer, position);
    }
    let mut all = match argued(answerer, position, true) {
        Err(fault) if comes_again(&fault) => return winners(answerer, position),
        argued => argued?,
    };
    let (forms, m) = (solver.forms(), memory(Span::default()));
    let value = solver.value(position, Span::default())?;
    let outcome = forms.outcome(value).map_err(&m)?;
    let sign = match outcome {
        Outcome::Left => ">",
        Outcome::Right => "<",
        Outcome::Previous => "=",
        Outcome::Next => "||",
    };
    all.sentences.push(Sentence::Outcome {
        sign: sign.to_owned(),
        outcome: format!("{}-position", outcome.letter()),
    });
    if !forms.is_number(value) {
        all.sentences.push(Sentence::Thermal {
            mean: forms.mean(value).map_err(&m)?.to_string(),
            temperature: forms.temperature(value).map_err(&m)?.to_string(),
        });
    }
    Ok(all)
}

/// The argument for the value alone.
fn argued(answerer: &Answerer<'_>, position: &Arc<Position>, split: bool) -> Res<Why> {
    let solver = answerer.solver();
    let value = solver.value(position, Span::default())?;
    let mut why = Why {
        picture: picture(position),
        value: Some(answerer.print(value)),
        sentences: Vec::new(),
        parts: Vec::new(),
    };
    if split {
        let parts = solver.parts(position)?;
        if parts.len() > 1 && by_parts(answerer, &parts, value, &mut why)? {
            return Ok(why);
        }
    }
    by_options(answerer, position, value, &mut why)?;
    Ok(why)
}

/// Explains a sum by its parts; equal parts are given once. Returns false if the values of the parts do not add up to the
/// value, since the parts could not be shown faithfully; then the position is explained as a whole.
fn by_parts(
    answerer: &Answerer<'_>,
    parts: &[Arc<Position>],
    value: CanonicalForm,
    why: &mut Why,
) -> Res<bool> {
    let solver = answerer.solver();
    let (forms, m) = (solver.forms(), memory(Span::default()));
    let mut different: Vec<(Arc<Position>, CanonicalForm, usize)> = Vec::new();
    let mut sum = CanonicalForm::ZERO;
    for part in parts {
        let v = solver.value(part, Span::default())?;
        sum = forms.add(sum, v).map_err(&m)?;
        match different.iter_mut().find(|d| d.0 == *part) {
            Some(d) => d.2 += 1,
            None => different.push((part.clone(), v, 1)),
        }
    }
    if sum != value {
        return Ok(false);
    }
    why.sentences.push(Sentence::Sum {
        parts: different
            .iter()
            .map(|(p, v, count)| Summand {
                position: draw::short(p),
                value: answerer.print(*v),
                count: *count,
            })
            .collect(),
        value: answerer.print(value),
    });
    let nimbers: Option<Vec<u32>> = different
        .iter()
        .flat_map(|(_, v, count)| std::iter::repeat_n(forms.as_nimber(*v), *count))
        .collect();
    if let (Some(nimbers), Some(sum)) = (nimbers, forms.as_nimber(value)) {
        why.sentences.push(Sentence::NimSum { nimbers, sum });
    }
    for (part, ..) in different.iter().take(PARTS) {
        why.parts.push(argued(answerer, part, false)?);
    }
    Ok(true)
}

/// The value of an option, with the positions that have it.
struct Valued {
    value: CanonicalForm,
    positions: Vec<Arc<Position>>,
}

/// Options of one value, of which the first few are named.
fn group(value: String, positions: &[Arc<Position>]) -> Group {
    let named = positions.iter().take(NAMED);
    Group {
        value,
        positions: named.map(|p| draw::short(p)).collect(),
        count: positions.len(),
    }
}

/// The entry of a key, which is added behind the others if there is none.
fn entry<K: PartialEq, V: Default>(all: &mut Vec<(K, V)>, key: K) -> &mut V {
    let known = all.iter().position(|(k, _)| *k == key);
    let at = known.unwrap_or_else(|| {
        all.push((key, V::default()));
        all.len() - 1
    });
    &mut all[at].1
}

fn grouped(solver: &Solver, position: &Arc<Position>, player: Player) -> Res<Vec<Valued>> {
    let mut all: Vec<Valued> = Vec::new();
    for moved in solver.moves(position, player)? {
        let value = solver.value(&moved.position, Span::default())?;
        let reached = Arc::new(moved.position);
        match all.iter_mut().find(|g| g.value == value) {
            Some(g) => g.positions.push(reached),
            None => all.push(Valued {
                value,
                positions: vec![reached],
            }),
        }
    }
    Ok(all)
}

fn by_options(
    answerer: &Answerer<'_>,
    position: &Arc<Position>,
    value: CanonicalForm,
    why: &mut Why,
) -> Res<()> {
    let solver = answerer.solver();
    let forms = solver.forms();
    let name = |p: Player| position.player_name(p).to_string();
    let impartial = solver.is_impartial(position) && forms.as_nimber(value).is_some();
    let tell = |player: Player, groups: &[Valued]| {
        if groups.is_empty() {
            return Sentence::NoMoves {
                player: name(player),
            };
        }
        Sentence::Options {
            player: name(player),
            groups: groups
                .iter()
                .map(|g| group(answerer.print(g.value), &g.positions))
                .collect(),
        }
    };
    let left = grouped(solver, position, Player::LEFT)?;
    if impartial {
        why.sentences.push(Sentence::Impartial);
        if !left.is_empty() {
            let mut options = tell(Player::LEFT, &left);
            if let Sentence::Options { player, .. } = &mut options {
                BOTH.clone_into(player);
            }
            why.sentences.push(options);
        }
        let mut options: Vec<u32> = left
            .iter()
            .filter_map(|g| forms.as_nimber(g.value))
            .collect();
        options.sort_unstable();
        why.sentences.push(Sentence::Mex {
            options,
            mex: forms.as_nimber(value).unwrap_or(0),
        });
        return Ok(());
    }
    let right = grouped(solver, position, Player::RIGHT)?;
    why.sentences.push(tell(Player::LEFT, &left));
    why.sentences.push(tell(Player::RIGHT, &right));
    let mut reduction = Reduction {
        answerer,
        forms,
        position,
        value,
        options: [
            left.iter().map(|g| g.value).collect(),
            right.iter().map(|g| g.value).collect(),
        ],
        written: [&left, &right],
    };
    reduction.dominated(why)?;
    let shown = |side: &[CanonicalForm]| side.iter().map(|g| answerer.print(*g)).collect();
    if forms.is_number(value) {
        why.sentences.push(Sentence::Simplest {
            left: shown(&reduction.options[0]),
            right: shown(&reduction.options[1]),
            value: answerer.print(value),
        });
        return Ok(());
    }
    while reduction.reversible(why)? {
        reduction.dominated(why)?;
    }
    for side in &mut reduction.options {
        forms.sort_structurally(side);
    }
    why.sentences.push(Sentence::Canonical {
        left: shown(&reduction.options[0]),
        right: shown(&reduction.options[1]),
        value: answerer.print(value),
    });
    Ok(())
}

/// The options during their reduction to canonical form.
struct Reduction<'a> {
    answerer: &'a Answerer<'a>,
    forms: &'a Forms,
    position: &'a Arc<Position>,
    value: CanonicalForm,
    /// Left's and Right's options.
    options: [Vec<CanonicalForm>; 2],
    /// The options that are positions.
    written: [&'a [Valued]; 2],
}

impl Reduction<'_> {
    fn name(&self, side: usize) -> String {
        let player = if side == 0 {
            Player::LEFT
        } else {
            Player::RIGHT
        };
        self.position.player_name(player).to_string()
    }

    /// Removes dominated options, each in favour of an option that is not dominated.
    fn dominated(&mut self, why: &mut Why) -> Res<()> {
        for side in 0..2 {
            let better = if side == 0 {
                Ordering::Greater
            } else {
                Ordering::Less
            };
            let all = self.options[side].clone();
            let beats = |a: CanonicalForm, b: CanonicalForm| -> Res<bool> {
                let order = self.forms.compare(a, b);
                Ok(order.map_err(memory(Span::default()))? == Some(better))
            };
            let mut best = Vec::new();
            for v in &all {
                let mut beaten = false;
                for w in &all {
                    beaten = beaten || beats(*w, *v)?;
                }
                if !beaten {
                    best.push(*v);
                }
            }
            for v in &all {
                if best.contains(v) {
                    continue;
                }
                for w in &best {
                    if beats(*w, *v)? {
                        why.sentences.push(Sentence::Dominated {
                            player: self.name(side),
                            option: self.answerer.print(*v),
                            by: self.answerer.print(*w),
                        });
                        break;
                    }
                }
            }
            self.options[side] = best;
        }
        Ok(())
    }

    /// Whether a reply leaves the opponent at least as well off as before: `reply <= G` after Left's option.
    fn reverses(&self, side: usize, reply: CanonicalForm) -> Res<bool> {
        let order = if side == 0 {
            self.forms.less_or_equal(reply, self.value)
        } else {
            self.forms.less_or_equal(self.value, reply)
        };
        order.map_err(memory(Span::default()))
    }

    /// Replaces the first reversible option. Returns whether there was one.
    fn reversible(&mut self, why: &mut Why) -> Res<bool> {
        let m = memory(Span::default());
        for side in 0..2 {
            for (i, option) in self.options[side].clone().into_iter().enumerate() {
                let replies = if side == 0 {
                    self.forms.right_options(option)
                } else {
                    self.forms.left_options(option)
                }
                .map_err(&m)?;
                let mut reversing = Vec::new();
                for r in replies {
                    if self.reverses(side, r)? {
                        reversing.push(r);
                    }
                }
                let Some(mut reply) = reversing.first().copied() else {
                    continue;
                };
                // Prefer a reply that is visible on the board. It must be an option of the canonical form, since only such a
                // reply is certain to be simpler, so that the reduction ends.
                let mut seen = None;
                if let Some(written) = self.written[side].iter().find(|w| w.value == option)
                    && let Some(at) = written.positions.first()
                {
                    let opponent = if side == 0 {
                        Player::RIGHT
                    } else {
                        Player::LEFT
                    };
                    for answer in grouped(self.answerer.solver(), at, opponent)? {
                        if reversing.contains(&answer.value) {
                            seen = answer.positions.first().map(|p| draw::short(p));
                            reply = answer.value;
                            break;
                        }
                    }
                }
                let instead = if side == 0 {
                    self.forms.left_options(reply)
                } else {
                    self.forms.right_options(reply)
                }
                .map_err(&m)?;
                why.sentences.push(Sentence::Reversible {
                    player: self.name(side),
                    opponent: self.name(1 - side),
                    option: self.answerer.print(option),
                    reply: self.answerer.print(reply),
                    position: seen,
                    replaced_by: instead.iter().map(|g| self.answerer.print(*g)).collect(),
                });
                let options = &mut self.options[side];
                options.remove(i);
                for g in instead {
                    if !options.contains(&g) {
                        options.push(g);
                    }
                }
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Explains the value of a position whose moves may keep the turn or end play.
fn entailing(
    answerer: &Answerer<'_>,
    position: &Arc<Position>,
    value: Affine,
    why: &mut Why,
) -> Res<()> {
    let solver = answerer.solver();
    let shown = affine_text(answerer, value)?;
    why.value = Some(shown.clone());
    why.sentences.push(Sentence::Entailing);
    if position.as_single().is_none() {
        let mut parts = Vec::new();
        for term in position.terms() {
            let Some(count) = term.count.to_usize().filter(|n| *n <= MOST_COPIES) else {
                return Ok(());
            };
            let part = term.single();
            let worth = solver.affine(&part, Span::default())?;
            parts.push(Summand {
                position: draw::short(&part),
                value: affine_text(answerer, worth.unwrap_or(value))?,
                count,
            });
        }
        let value = shown;
        why.sentences.push(Sentence::Sum { parts, value });
        return Ok(());
    }
    let (mut passed, mut kept, mut every, mut answered) = (Vec::new(), Vec::new(), false, false);
    let mut all: Vec<(Turn, Vec<(String, Vec<Arc<Position>>)>)> = Vec::new();
    for moved in solver.moves(position, Player::LEFT)? {
        if moved.end.is_none()
            && let Some(answers) = solver.answers(&moved.position, Span::default())?
        {
            answered = true;
            let all = entry(&mut all, Turn::Entails);
            entry(all, wins_text(&answers.others())).push(Arc::new(moved.position));
            continue;
        }
        let turn = match (moved.end, moved.again) {
            (Some(End::Won(who)), _) if who == 1 << Player::LEFT.0 => Turn::Wins,
            (Some(_), _) => Turn::Loses,
            (None, true) => Turn::Keeps,
            (None, false) => Turn::Passes,
        };
        let worth = match moved.end {
            Some(_) => None,
            None => solver.affine(&moved.position, Span::default())?,
        };
        match (turn, worth) {
            (Turn::Passes, Some(Affine::Nimber(n))) => passed.push(n),
            (Turn::Keeps, Some(Affine::Nimber(n))) => kept.push(n),
            (Turn::Keeps, Some(Affine::Loony)) | (Turn::Wins, _) => every = true,
            _ => {}
        }
        let worth = match worth {
            Some(worth) => affine_text(answerer, worth)?,
            None => String::new(),
        };
        entry(entry(&mut all, turn), worth).push(Arc::new(moved.position));
    }
    for nimbers in [&mut passed, &mut kept] {
        nimbers.sort_unstable();
        nimbers.dedup();
    }
    for (turn, groups) in all {
        let groups = groups.into_iter().map(|(value, all)| group(value, &all));
        why.sentences.push(Sentence::Moves {
            turn,
            groups: groups.collect(),
        });
    }
    why.sentences.push(Sentence::Covered {
        passed,
        kept,
        every,
        answered,
        value: shown,
    });
    Ok(())
}

/// The sums of a position with one nimber that a player wins, given the nimbers.
fn wins_text(nimbers: &Nimbers) -> String {
    let (listed, all_but) = nimbers.listed();
    let all: Vec<String> = listed.iter().map(ToString::to_string).collect();
    match (all_but, &all[..]) {
        (false, []) => "wins no sum with a nimber".to_owned(),
        (false, all) => format!("wins the sum with {}", all.join(", ")),
        (true, []) => "wins the sum with every nimber".to_owned(),
        (true, all) => format!("wins the sum with every nimber but {}", all.join(", ")),
    }
}

/// Explains who wins, for more players, or if there is no value.
fn winners(answerer: &Answerer<'_>, position: &Arc<Position>) -> Res<Why> {
    let solver = answerer.solver();
    let span = Span::default();
    if position.convention() == Convention::Scoring {
        return super::scores::why(answerer, position);
    }
    let name = |p: Player| position.player_name(p).to_string();
    let mut why = Why {
        picture: picture(position),
        sentences: Vec::new(),
        value: loopy_value(answerer, position),
        parts: Vec::new(),
    };
    if why.value.is_none() {
        let value = solver.affine(position, span);
        let answers = match &value {
            Err(fault) if is_refusal(fault) => solver.answers(position, span),
            _ => Ok(None),
        };
        match (value, answers) {
            (Ok(Some(value)), _) => entailing(answerer, position, value, &mut why)?,
            (Err(fault), _) | (_, Err(fault)) if !is_refusal(&fault) => return Err(fault),
            (_, Ok(Some(answers))) => why.sentences.push(Sentence::Answered {
                wins: wins_text(&answers),
            }),
            _ => why.sentences.push(Sentence::NoValue {
                players: position.players(),
            }),
        }
    }
    if Theory::of(position) == Theory::Misere
        && let Some(parts) = solver.genera_of_parts(position)
        && !parts.is_empty()
    {
        why.sentences.push(Sentence::Genera { parts });
    }
    for p in 0..position.players() {
        let first = Player(p);
        let winner = solver.winner(position, first, span)?;
        let mut by = None;
        if winner.includes(first) {
            let pass_on = Player((p + 1) % position.players());
            for moved in solver.moves(position, first)? {
                let next = ToMove::after_a_move(if moved.again { first } else { pass_on });
                let wins = match moved.end {
                    Some(End::Won(who)) => who >> (first.0 & 63) & 1 == 1,
                    Some(End::Drawn) => false,
                    None => solver.winner(&moved.position, next, span)?.includes(first),
                };
                if wins {
                    by = Some(draw::short(&moved.position));
                    break;
                }
            }
        }
        why.sentences.push(Sentence::Starts {
            first: name(first),
            winner: winner.only().map(name),
            drawn: winner == Winner::Drawn,
            by,
            minimal: solver
                .coalitions(position, first, span)?
                .into_iter()
                .map(|c| c.into_iter().map(name).collect())
                .collect(),
        });
    }
    Ok(why)
}
