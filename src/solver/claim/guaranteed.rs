//! Scores of positions in sums: the order of guaranteed positions, and means and temperatures of positions without zugzwang, by
//! [`crate::engine::scores`]. Input: positions of rules that count points. Output: comparisons, with a context that separates
//! two positions; a short game with the same mean and thermograph. Where a condition fails, the refusal names it and the
//! follower where it fails.

use super::algebra::memory;
use super::answer::{Binding, Card, Fact};
use super::fault::{self, of_limit};
use super::host::Answerer;
use super::solve::Solver;
use super::theory::{Question, Theory};
use super::why::Sentence;
use crate::base::Span;
use crate::engine::scores::contexts::{Contexts, Separated};
use crate::engine::scores::listed::{Listed, Listing, ScoringGame, ScoringGames, Unmet};
use crate::engine::scores::order::Order;
use crate::engine::scores::positional::{Ended, short_game};
use crate::game::{Budget, Convention, Limit, Limits, Player};
use crate::ir::naive::NaiveGame;
use crate::ir::{Code as FaultCode, Fault, Position, Res, Setting, State, Term, Val, draw};
use crate::model::typed::{Again, GameOp};
use crate::value::CanonicalForm;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The most positions that are listed to find whether a position is guaranteed, for a card.
const MOST_FOR_A_CARD: u64 = 1 << 10;
/// The most characters of a context.
const LONGEST: usize = 200;

/// A follower at which a condition fails, and how.
type Failing = (Arc<Position>, Unmet);

/// A term of a sum, with what its list of followers has shown.
type Found = Arc<Listed<Arc<Position>>>;

/// The games of positions, kept between queries.
pub(super) struct Listings {
    games: ScoringGames,
    order: Order,
    contexts: Contexts,
    terms: FxHashMap<(Arc<Setting>, State), Found>,
}

/// The game of a position, and its terms.
struct Whole {
    game: ScoringGame,
    terms: Vec<(Position, Found)>,
}

/// Whether a position belongs to rules that count points.
pub(super) fn counts_points(v: &Val) -> bool {
    matches!(v, Val::Position(p) if p.players() == 2 && p.convention() == Convention::Scoring)
}

fn no_theory(span: Span, message: String) -> Box<Fault> {
    Fault::new(FaultCode::NoTheory, span, message).help(super::scores::WHAT_TO_ASK)
}

impl Listings {
    fn new(memory: usize) -> Listings {
        Listings {
            games: ScoringGames::new(memory),
            order: Order::default(),
            contexts: Contexts::default(),
            terms: FxHashMap::default(),
        }
    }

    /// The game of a term, without its sign and its count.
    fn term(&mut self, solver: &Solver, term: &Term, budget: &Budget, span: Span) -> Res<Found> {
        let key = (term.setting.clone(), term.state.clone());
        if let Some(found) = self.terms.get(&key) {
            return Ok(found.clone());
        }
        let single = Position::single(key.0.clone(), key.1.clone());
        let game = NaiveGame::new(solver.model.clone(), &single).with_cancel(solver.cancel.clone());
        let listing = self.games.list(&game, &Arc::new(single.clone()), budget);
        let listing =
            listing.map_err(|s| fault::of_stop(s, span, &solver.model, |p| Position::clone(p)))?;
        match listing {
            Listing::Done(found) => {
                let found = Arc::new(*found);
                self.terms.insert(key, found.clone());
                Ok(found)
            }
            Listing::Again(at) => Err(no_theory(
                span,
                format!(
                    "scores of sums are known where the players alternate, and a move at {} leaves the turn with its player",
                    draw::literal(&at)
                ),
            )),
        }
    }

    /// The terms of a position, each with its sign and its count.
    fn terms(
        &mut self,
        solver: &Solver,
        position: &Position,
        budget: &Budget,
        span: Span,
    ) -> Res<Vec<(Position, Found, bool, BigInt)>> {
        let mut all = Vec::new();
        for term in position.terms() {
            let found = self.term(solver, term, budget, span)?;
            let single = term.single();
            all.push((single, found, term.negated, term.count.to_big()));
        }
        Ok(all)
    }

    /// The game of a position, the sum of its terms.
    fn whole(
        &mut self,
        solver: &Solver,
        position: &Position,
        budget: &Budget,
        span: Span,
    ) -> Res<Whole> {
        let limit = |limit: Limit| of_limit(limit, span);
        let mut sum = self.games.number(0).map_err(limit)?;
        let mut terms = Vec::new();
        for (single, found, negated, count) in self.terms(solver, position, budget, span)? {
            let mut game = found.game;
            if negated {
                game = self.games.negative(game, budget).map_err(limit)?;
            }
            // The multiple, by doubling.
            let bits = count.bits();
            for bit in 0..bits {
                if count.bit(bit) {
                    sum = self.games.sum(sum, game, budget).map_err(limit)?;
                }
                if bit + 1 < bits {
                    game = self.games.sum(game, game, budget).map_err(limit)?;
                }
            }
            terms.push((single, found));
        }
        Ok(Whole { game: sum, terms })
    }

    /// The game of a position, if it is guaranteed.
    fn guaranteed(
        &mut self,
        solver: &Solver,
        position: &Position,
        budget: &Budget,
        span: Span,
    ) -> Res<ScoringGame> {
        let whole = self.whole(solver, position, budget, span)?;
        match self.games.is_guaranteed(whole.game) {
            true => Ok(whole.game),
            false => Err(not_guaranteed(&whole, span)),
        }
    }
}

/// The refusal of an order: where the position is not guaranteed.
fn not_guaranteed(whole: &Whole, span: Span) -> Box<Fault> {
    let failing = |(p, f): &(Position, Found)| Some((p.clone(), f.unguaranteed.clone()?));
    let message = match whole.terms.iter().find_map(failing) {
        // A sum of guaranteed terms is guaranteed.
        None => "this sum is not guaranteed".to_owned(),
        Some((term, (at, player, scores))) => format!(
            "scoring games have an order if they are guaranteed, and {} is not: {}",
            draw::literal(&term),
            stuck_in_words(&at, player, scores)
        ),
    };
    no_theory(span, message)
}

fn stuck_in_words(at: &Position, player: Player, [own, other]: [i64; 2]) -> String {
    let name = at.player_name(player);
    let against = at.player_name(player.opponent());
    format!(
        "at {} {name} is stuck with the score {own}, and there or later it can be {other}, which is better for {against}",
        draw::literal(at)
    )
}

/// A condition of Milnor's theory that fails, in words.
fn unmet_in_words((at, unmet): &Failing) -> String {
    let place = draw::literal(at);
    match unmet {
        Unmet::OneStuck(player) => format!(
            "at {place} {} is stuck and {} can move",
            at.player_name(*player),
            at.player_name(player.opponent())
        ),
        Unmet::EndDepends(l, r) => {
            format!("at {place} nobody can move, and the score depends on who is stuck: {l} or {r}")
        }
        Unmet::Zugzwang(l, r) => format!(
            "at {place} nobody wants to move: the score is {l} if {} begins and {r} if {} does",
            at.player_name(Player::LEFT),
            at.player_name(Player::RIGHT)
        ),
    }
}

impl Solver {
    /// Runs a question on the games that are kept. When memory is full they are dropped.
    fn on_listings<T>(&self, ask: impl FnOnce(&mut Listings) -> Res<T>) -> Res<T> {
        let kept = self.counted.listings.borrow_mut().take();
        let mut listings = kept.unwrap_or_else(|| Listings::new(self.limits.memory));
        let answer = ask(&mut listings);
        if !listings.games.is_full() {
            *self.counted.listings.borrow_mut() = Some(listings);
        }
        answer
    }

    /// The game of an operand of a comparison: a guaranteed position, or an integer, that many points.
    fn operand(
        &self,
        listings: &mut Listings,
        host: &Answerer<'_>,
        v: &Val,
        budget: &Budget,
        span: Span,
    ) -> Res<ScoringGame> {
        if let Val::Position(p) = v {
            Theory::answering(Question::Order, p, span)?;
            return listings.guaranteed(self, p, budget, span);
        }
        let value = host.canonical(v, span)?;
        match self.forms().as_integer(value) {
            Some(n) => {
                let n = n.to_i64().ok_or(Limit::Memory);
                let number = n.and_then(|n| listings.games.number(n));
                number.map_err(|limit| of_limit(limit, span))
            }
            None => Err(Fault::new(
                FaultCode::NoTheory,
                span,
                format!(
                    "a position that counts points is compared with another, or with an integer, so many points; {} is neither",
                    host.print(value)
                ),
            )
            .help("`mean(G)` and `cool(G, 1)` are values, where they exist")),
        }
    }

    /// Whether G >= H and G <= H, of guaranteed scoring games.
    fn both_ways(&self, host: &Answerer<'_>, a: &Val, b: &Val, span: Span) -> Res<[bool; 2]> {
        let budget = &self.budget();
        self.on_listings(|all| {
            let g = self.operand(all, host, a, budget, span)?;
            let h = self.operand(all, host, b, budget, span)?;
            let mut ge = |g, h| {
                let held = all.order.ge(&mut all.games, g, h, budget);
                held.map_err(|limit| of_limit(limit, span))
            };
            Ok([ge(g, h)?, ge(h, g)?])
        })
    }

    /// A comparison of guaranteed scoring games.
    ///
    /// # Errors
    /// A position is not guaranteed; a limit; a rule that fails; a position that is repeated.
    pub(super) fn compare_scores(
        &self,
        host: &Answerer<'_>,
        op: &GameOp,
        a: &Val,
        b: &Val,
        span: Span,
    ) -> Res<bool> {
        let [above, below] = self.both_ways(host, a, b, span)?;
        Ok(match op {
            GameOp::LessEqual => below,
            GameOp::GreaterEqual => above,
            GameOp::Less => below && !above,
            GameOp::Greater => above && !below,
            _ => above && below,
        })
    }

    /// The contexts in which two guaranteed positions come to different scores, as lines for an answer: one if the first is
    /// less, one if it is greater. The names are those of the positions as written.
    pub(super) fn contexts(
        &self,
        host: &Answerer<'_>,
        [a, b]: [&Val; 2],
        names: [&str; 2],
        span: Span,
    ) -> Res<Vec<Binding>> {
        let budget = &self.budget();
        self.on_listings(|all| {
            let g = self.operand(all, host, a, budget, span)?;
            let h = self.operand(all, host, b, budget, span)?;
            let mut found = Vec::new();
            for (games, names) in [([g, h], names), ([h, g], [names[1], names[0]])] {
                let separated = all.contexts.separate(
                    &mut all.games,
                    &mut all.order,
                    games[0],
                    games[1],
                    budget,
                );
                let Some(separated) = separated.map_err(|l| of_limit(l, span))? else {
                    continue;
                };
                let name = ["X", "Y"][found.len() / 3];
                let Separated {
                    context,
                    first,
                    scores,
                } = separated;
                found.push(Binding {
                    name: name.to_owned(),
                    value: all.games.text(context, LONGEST).unwrap_or_else(|| {
                        let size = all.games.followers(context).len();
                        format!("a game of {size} positions, too long to be written")
                    }),
                });
                let who = player_of([a, b], first);
                for (of, score) in names.into_iter().zip(scores) {
                    found.push(Binding {
                        name: format!("score({of} + {name}, first: {who})"),
                        value: score.to_string(),
                    });
                }
            }
            Ok(found)
        })
    }

    /// A short game with the mean, the thermograph and, cooled, the chilled game of a position that counts points.
    ///
    /// # Errors
    /// A condition that fails, with the follower at which it does; a limit; a rule that fails; a position that is repeated.
    pub(super) fn short_of_scores(&self, position: &Position, span: Span) -> Res<CanonicalForm> {
        Theory::answering(Question::Mean, position, span)?;
        let budget = &self.budget();
        self.on_listings(|all| self.short_in(all, position, budget, span))
    }

    fn short_in(
        &self,
        all: &mut Listings,
        position: &Position,
        budget: &Budget,
        span: Span,
    ) -> Res<CanonicalForm> {
        let (forms, full) = (self.forms(), memory(span));
        let mut sum = CanonicalForm::ZERO;
        for (term, found, negated, count) in all.terms(self, position, budget, span)? {
            if let Some(failing) = &found.unmet {
                return Err(no_theory(
                    span,
                    format!(
                        "{} has no mean and no temperature: {}",
                        draw::literal(&term),
                        unmet_in_words(failing)
                    ),
                ));
            }
            let value = short_game(&all.games, forms, found.game, budget);
            let mut value = value.map_err(|ended| match ended {
                Ended::Limit(limit) => of_limit(limit, span),
                Ended::Memory(m) => full(m),
            })?;
            if negated {
                value = forms.negate(value).map_err(&full)?;
            }
            let value = forms.multiple_big(&count, value).map_err(&full)?;
            sum = forms.add(sum, value).map_err(&full)?;
        }
        Ok(sum)
    }

    /// What is known of the position beside others: whether it is guaranteed, and a short game with its mean. Each is `None`
    /// where that is not known within a small limit, or its theory does not apply.
    fn beside_others(&self, position: &Position) -> Option<(Whole, bool, Option<CanonicalForm>)> {
        let turns = |again: &Again| !matches!(again, Again::Never);
        let mut rules = position.instances().map(|i| &i.rules);
        if rules.any(|r| r.moves.iter().any(|m| turns(&m.again))) {
            return None;
        }
        let limits = Limits {
            nodes: Some(MOST_FOR_A_CARD.min(self.limits.nodes.unwrap_or(u64::MAX))),
            ..self.limits.clone()
        };
        let (budget, span) = (self.budget_of(&limits), Span::default());
        let asked = self.on_listings(|all| {
            let whole = all.whole(self, position, &budget, span)?;
            let guaranteed = all.games.is_guaranteed(whole.game);
            let short = self.short_in(all, position, &budget, span).ok();
            Ok((whole, guaranteed, short))
        });
        asked.ok()
    }

    /// Fills in what a card says of scores in sums.
    pub(super) fn scores_in_sums(&self, card: &mut Card, position: &Position) {
        let Some((whole, guaranteed, short)) = self.beside_others(position) else {
            return;
        };
        let forms = self.forms();
        if let Some(short) = short
            && let (Ok(mean), Ok(temperature)) = (forms.mean(short), forms.temperature(short))
        {
            card.mean = Some(mean.to_string());
            card.temperature = Some(temperature.to_string());
        }
        card.guaranteed = Some(guaranteed);
        if !guaranteed {
            let refusal = not_guaranteed(&whole, Span::default());
            card.derived.push(Fact::new("order", refusal.message));
        }
    }

    /// The sentences of an explanation about scores in sums.
    pub(super) fn sentences_in_sums(&self, position: &Position) -> Vec<Sentence> {
        let Some((whole, guaranteed, short)) = self.beside_others(position) else {
            return Vec::new();
        };
        let refusal = (!guaranteed).then(|| not_guaranteed(&whole, Span::default()).message);
        let mut all = vec![Sentence::Guaranteed { refusal }];
        let forms = self.forms();
        if let Some(short) = short
            && let (Ok(mean), Ok(temperature)) = (forms.mean(short), forms.temperature(short))
        {
            all.push(Sentence::Thermal {
                mean: mean.to_string(),
                temperature: temperature.to_string(),
            });
            return all;
        }
        let unmet = whole.terms.iter().find_map(|(_, f)| f.unmet.as_ref());
        if let Some(failing) = unmet {
            all.push(Sentence::NoMean {
                reason: unmet_in_words(failing),
            });
        }
        all
    }
}

/// The name of a player in the positions that are compared.
fn player_of(compared: [&Val; 2], player: Player) -> String {
    let position = compared.iter().find_map(|v| match v {
        Val::Position(p) => Some(p),
        _ => None,
    });
    position.map_or_else(String::new, |p| p.player_name(player).to_string())
}
