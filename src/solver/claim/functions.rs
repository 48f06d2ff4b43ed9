//! The built-in functions of games: evaluates a function of the table with its arguments. The match has an arm for each
//! function, so that a function without an implementation does not compile. The checker has converted the arguments to the
//! sorts and the order of the parameters; the mathematics is in `value` and `engine`.

use super::algebra::{self, memory};
use super::guaranteed::counts_points;
use super::host::{Answerer, refuse};
use super::loopy::halted;
use super::many::Winner;
use crate::base::Span;
use crate::engine::arena::{Fate, Played};
use crate::engine::loopy::Smith;
use crate::game::{Compound, Player};
use crate::ir::{self, Code as FaultCode, Fault, Int, Position, Res, Val, draw};
use crate::model::typed::{GameFunction, GameOp};
use crate::value::loopy::Loopy;
use crate::value::{CanonicalForm, Form, Number, OutOfMemory};
use num_bigint::BigInt;
use std::sync::Arc;

/// The most positions that `positions(G)` lists.
const MOST_POSITIONS: usize = 1 << 18;

/// A call of a function.
pub(super) struct Call<'a, 's> {
    pub(super) host: &'a Answerer<'s>,
    pub(super) arguments: &'a [Val],
    pub(super) span: Span,
}

impl Call<'_, '_> {
    /// The value of the function.
    pub(super) fn apply(&self, f: GameFunction) -> Res<Val> {
        use GameFunction as F;
        let (forms, solver, span) = (self.host.forms(), self.host.solver(), self.span);
        let m = memory(span);
        match f {
            F::Value | F::Canonical => self.host.value(self.argument(0)?, span),
            F::Conjunctive => self.compound(Compound::Conjunctive),
            F::Continued => self.compound(Compound::Continued),
            F::Selective => self.compound(Compound::Selective),
            F::Shortened => self.compound(Compound::Shortened),
            F::Sequential => self.compound(Compound::Sequential),
            F::Outcome => Ok(Val::Outcome(match self.argument(0)? {
                Val::Position(p) => solver.outcome(p, span)?,
                Val::Compound(c) => solver.compound_outcome(c, false, span)?,
                v => self.host.outcome_of(v, span)?,
            })),
            F::MisereOutcome => Ok(Val::Outcome(match self.argument(0)? {
                Val::Compound(c) => solver.compound_outcome(c, true, span)?,
                _ => solver.misere_outcome(self.position(0)?, span)?,
            })),
            F::Onside => self.host.found_side(self.loopy(0)?.onside, span),
            F::Offside => self.host.found_side(self.loopy(0)?.offside, span),
            F::Sides => self.sides(),
            F::Degree => {
                let g = self.loopy(0)?;
                let degree = solver.knots.loops.borrow_mut().degree(forms, g);
                self.host
                    .found_side(degree.map_err(halted(solver, span))?, span)
            }
            F::IsStopper => {
                let g = self.loopy(0)?;
                Ok(Val::Bool(solver.knots.loops.borrow().is_stopper(g)))
            }
            F::Remoteness => self.remoteness(),
            F::Suspense => self.suspense(),
            F::Score => self.score(),
            F::Nimber => self.nimber(),
            F::Gset => self.gset(),
            F::Birthday => self.count(forms.birthday(self.game(0)?)),
            F::Mean => self.number(forms.mean(self.thermal(0)?).map_err(m)?),
            F::Temperature => self.number(forms.temperature(self.thermal(0)?).map_err(m)?),
            F::Thermograph => {
                let thermograph = forms.thermograph(self.thermal(0)?).map_err(m)?;
                Ok(self.host.report(thermograph.to_text()))
            }
            F::LeftStop => self.number(forms.left_stop(self.game(0)?)),
            F::RightStop => self.number(forms.right_stop(self.game(0)?)),
            F::Identical => {
                let (g, h) = (self.form(0)?, self.form(1)?);
                Ok(Val::Bool(super::trees::identical(&g, &h)))
            }
            F::Confused => self.confused(),
            F::Moves => self.moves(),
            F::Options => self.options(),
            F::Positions => self.positions(),
            F::Best => self.best(),
            F::Winner => self.winner(),
            F::Wins => self.wins(),
            F::Coalitions => self.coalitions(),
            F::Tiny => self.named(forms.tiny(self.game(0)?)),
            F::Miny => self.named(forms.miny(self.game(0)?)),
            F::LeftOptions => self.games(forms.left_options(self.game(0)?)),
            F::RightOptions => self.games(forms.right_options(self.game(0)?)),
            F::LeftIncentives => self.games(forms.left_incentives(self.game(0)?)),
            F::RightIncentives => self.games(forms.right_incentives(self.game(0)?)),
            F::Incentives => self.games(forms.incentives(self.game(0)?)),
            F::AtomicWeight => {
                let weight = forms.atomic_weight(self.game(0)?);
                let weight = algebra::maybe(weight, "atomic weight", span)?;
                Ok(self.host.name(weight))
            }
            F::Reduced => self.named(forms.reduced_canonical_form(self.game(0)?)),
            F::Uptimal => {
                let expansion = forms.uptimal_expansion(self.game(0)?);
                let expansion = algebra::maybe(expansion, "uptimal expansion", span)?;
                Ok(self.host.report(algebra::uptimal(&expansion)))
            }
            F::Followers => {
                let form = Form::from_canonical(forms, self.game(0)?).map_err(m)?;
                Ok(Val::Int(Int::from(BigInt::from(
                    form.number_of_followers(),
                ))))
            }
            F::StopCount => self.count(forms.stop_count(self.game(0)?)),
            F::RemoteStar => self.count(forms.remote_star(self.game(0)?).map(BigInt::from)),
            F::ConfusionInterval => {
                let interval = forms.confusion_interval(self.game(0)?).map_err(m)?;
                Ok(self.host.report(algebra::interval(&interval)))
            }
            F::OrdinalSum => self.ordinal_sum(),
            F::ConwayProduct => {
                let product = forms.multiply(self.game(0)?, self.game(1)?);
                let product = algebra::maybe(product, "Conway product", span)?;
                Ok(self.host.name(product))
            }
            F::Norton => {
                let product = forms.norton_product(self.game(0)?, self.game(1)?);
                let product = algebra::maybe(product, "Norton product", span)?;
                Ok(self.host.name(product))
            }
            F::Heat => self.named(forms.heat(self.game(0)?, self.game(1)?)),
            F::Cool => match forms.as_number(self.game(1)?) {
                Some(t) => self.named(forms.cool(self.thermal(0)?, &t)),
                None => Err(refuse(span, "a game is cooled by a number")),
            },
            F::Chill => self.named(forms.chill(self.thermal(0)?)),
            F::Freeze => self.named(forms.freeze(self.game(0)?)),
            F::Overheat => {
                let hot = forms.overheat(self.game(0)?, self.game(1)?, self.game(2)?);
                self.named(hot)
            }
            F::Companion => self.named(forms.companion(self.game(0)?)),
            F::Pow | F::PowTo => {
                let to = f == F::PowTo;
                let power = algebra::power(forms, self.game(0)?, self.int(1)?, to, span)?;
                Ok(self.host.name(power))
            }
            F::NimSum | F::NimProduct | F::NimQuotient | F::NimPower => {
                algebra::nimbers(f, self.int(0)?, self.int(1)?, span)
            }
            F::IsNumber => Ok(Val::Bool(forms.is_number(self.game(0)?))),
            F::IsInteger => Ok(Val::Bool(forms.as_integer(self.game(0)?).is_some())),
            F::IsNimber => Ok(Val::Bool(forms.as_nimber(self.game(0)?).is_some())),
            F::IsInfinitesimal => Ok(Val::Bool(forms.is_infinitesimal(self.game(0)?))),
            F::IsAllSmall => Ok(Val::Bool(forms.is_all_small(self.game(0)?))),
            F::IsEvenTempered => self.holds(forms.is_even_tempered(self.game(0)?)),
            F::IsOddTempered => self.holds(forms.is_odd_tempered(self.game(0)?)),
            F::IsNumberish => {
                let g = self.game(0)?;
                Ok(Val::Bool(forms.left_stop(g) == forms.right_stop(g)))
            }
            F::IsUptimal => self.holds(forms.is_uptimal(self.game(0)?)),
            F::Genus | F::IsTame | F::MisereNimber | F::MisereForm => self.in_misere_play(f),
            F::MisereLe => {
                let (g, h) = (self.position(0)?, self.position(1)?);
                solver.misere_le(g, h, span).map(Val::Bool)
            }
            F::MisereQuotient | F::Phi | F::Indistinguishable => self.of_a_quotient(f),
        }
    }

    fn loopy(&self, i: usize) -> Res<Loopy> {
        self.host.loopy(self.argument(i)?, self.span)
    }

    fn confused(&self) -> Res<Val> {
        let (g, h) = (self.argument(0)?, self.argument(1)?);
        let is =
            |op| -> Res<bool> { Ok(self.host.compare(&op, g, h, self.span)? == Val::Bool(true)) };
        Ok(Val::Bool(
            !is(GameOp::LessEqual)? && !is(GameOp::GreaterEqual)?,
        ))
    }

    /// `sides(S, T)`.
    fn sides(&self) -> Res<Val> {
        let (solver, span) = (self.host.solver(), self.span);
        let (s, t) = (self.loopy(0)?, self.loopy(1)?);
        let (Some(onside), Some(offside)) = (s.as_one(), t.as_one()) else {
            return Err(refuse(span, "a side is a stopper, and not a pair of sides"));
        };
        let mut loops = solver.knots.loops.borrow_mut();
        let below = loops.less_or_equal(self.host.forms(), t, s);
        drop(loops);
        match below.map_err(halted(solver, span))? {
            true => self.host.name_loopy(Loopy { onside, offside }, span),
            false => Err(refuse(
                span,
                "the offside is at most the onside, and here it is not",
            )),
        }
    }

    pub(super) fn argument(&self, i: usize) -> Res<&Val> {
        let missing = || refuse(self.span, "an argument is missing");
        self.arguments.get(i).ok_or_else(missing)
    }

    fn game(&self, i: usize) -> Res<CanonicalForm> {
        self.host.canonical(self.argument(i)?, self.span)
    }

    /// A game for a function of its thermograph; of a position that counts points the short game with the same one.
    fn thermal(&self, i: usize) -> Res<CanonicalForm> {
        match self.as_position(i) {
            Some(p) if counts_points(self.argument(i)?) => {
                self.host.solver().short_of_scores(p, self.span)
            }
            _ => self.game(i),
        }
    }

    fn form(&self, i: usize) -> Res<Form> {
        self.host.form(self.argument(i)?, self.span)
    }

    fn as_position(&self, i: usize) -> Option<&Arc<Position>> {
        match self.arguments.get(i) {
            Some(Val::Position(p)) => Some(p),
            _ => None,
        }
    }

    pub(super) fn position(&self, i: usize) -> Res<&Arc<Position>> {
        let other = || refuse(self.span, "this is not a position");
        self.as_position(i).ok_or_else(other)
    }

    pub(super) fn int(&self, i: usize) -> Res<&Int> {
        let other = || refuse(self.span, "this is not an integer");
        self.argument(i)?.as_int().ok_or_else(other)
    }

    /// A player, who must take part in the position.
    fn player(&self, i: usize, position: &Position) -> Res<Player> {
        let Val::Player(p) = self.argument(i)? else {
            return Err(refuse(self.span, "this is not a player"));
        };
        self.host.players_of(position);
        take_part(position, Player(*p), self.span)
    }

    /// The players of the query: the one given as the second argument, or all.
    fn players(&self, position: &Position) -> Res<Vec<Player>> {
        Ok(match self.arguments.get(1) {
            Some(_) => vec![self.player(1, position)?],
            None => (0..position.players()).map(Player).collect(),
        })
    }

    fn named(&self, g: Result<CanonicalForm, OutOfMemory>) -> Res<Val> {
        g.map(|g| self.host.name(g)).map_err(memory(self.span))
    }

    fn games(&self, all: Result<Vec<CanonicalForm>, OutOfMemory>) -> Res<Val> {
        let all = all.map_err(memory(self.span))?;
        Ok(Val::set(
            all.into_iter().map(|g| self.host.name(g)).collect(),
        ))
    }

    fn number(&self, n: Number) -> Res<Val> {
        let g = algebra::number(self.host.forms(), &n, self.span)?;
        Ok(self.host.name(g))
    }

    fn count(&self, n: Result<BigInt, OutOfMemory>) -> Res<Val> {
        let n = n.map_err(memory(self.span))?;
        Ok(Val::Int(Int::from(n)))
    }

    fn holds(&self, b: Result<bool, OutOfMemory>) -> Res<Val> {
        b.map(Val::Bool).map_err(memory(self.span))
    }

    /// The ordinal sum depends on the form of its first argument, not only on the value.
    pub(super) fn ordinal_sum(&self) -> Res<Val> {
        let form = self.form(0)?.ordinal_sum(&self.form(1)?);
        let value = form.canonical(self.host.forms());
        let value = value.map_err(memory(self.span))?;
        Ok(self.host.name_written(value, form))
    }

    fn nimber(&self) -> Res<Val> {
        let (forms, span) = (self.host.forms(), self.span);
        if let Some(infinite) = self.host.as_infinite(self.argument(0)?) {
            return Ok(self.host.name_infinite(infinite));
        }
        if let Some(p) = self.as_position(0) {
            return match self.host.nimber_of(p, span)? {
                Some(Smith::Nimber(n)) => Ok(Val::Int(Int::from(n))),
                Some(infinite) => Ok(self.host.name_infinite(infinite)),
                None => Err(refuse(
                    span,
                    format!("the value of {} is not a nimber", draw::literal(p)),
                )
                .help("`value(G)` shows it; nimbers are the values of impartial positions")),
            };
        }
        match forms.as_nimber(self.game(0)?) {
            Some(n) => Ok(Val::Int(Int::from(n))),
            None => Err(refuse(span, "the value is not a nimber")
                .help("`value(G)` shows it; nimbers are *n, and 0 is *0")),
        }
    }

    fn gset(&self) -> Res<Val> {
        let (solver, span) = (self.host.solver(), self.span);
        let Some(p) = self.as_position(0) else {
            return algebra::gset(self.host.forms(), self.game(0)?, span);
        };
        if let Some(set) = solver.gset(p, span)? {
            let all = set.iter().map(|n| Val::Int(Int::from(n)));
            return Ok(Val::set(all.collect()));
        }
        let mut found = Vec::new();
        for moved in solver.moves(p, Player::LEFT)? {
            match self.host.nimber_of(&Arc::new(moved.position), span)? {
                Some(Smith::Nimber(n)) => found.push(Val::Int(Int::from(n))),
                Some(infinite) => found.push(self.host.name_infinite(infinite)),
                None => return Err(refuse(span, "an option's value is not a nimber")),
            }
        }
        Ok(Val::set(found))
    }

    fn moves(&self) -> Res<Val> {
        let p = self.position(0)?;
        let mut text = String::new();
        for player in self.players(p)? {
            for moved in self.host.solver().moves(p, player)? {
                text.push_str(&moved.in_words(p, player));
                text.push('\n');
            }
        }
        Ok(self.host.report(text))
    }

    fn options(&self) -> Res<Val> {
        let p = self.position(0)?;
        let mut all = Vec::new();
        for player in self.players(p)? {
            for moved in self.host.solver().moves(p, player)? {
                all.push(Val::Position(Arc::new(moved.position)));
            }
        }
        Ok(Val::set(all))
    }

    fn positions(&self) -> Res<Val> {
        let start = self.position(0)?;
        match self
            .host
            .solver()
            .followers(start, MOST_POSITIONS, self.span)?
        {
            Some(all) => Ok(Val::set(all.into_iter().map(Val::Position).collect())),
            None => Err(Fault::new(
                FaultCode::TooMuch,
                self.span,
                format!("more than {MOST_POSITIONS} positions follow"),
            )),
        }
    }

    fn best(&self) -> Res<Val> {
        let (solver, span) = (self.host.solver(), self.span);
        let p = self.position(0)?;
        let player = self.player(1, p)?;
        let option = |position| Val::Position(Arc::new(position));
        let all = if solver.is_decided(p) {
            let moves = solver.decided_moves(p, player, span)?.into_iter();
            let best = moves.filter(|m| m.best);
            best.map(|m| option(m.moved.position)).collect()
        } else {
            let best = solver.best_moves(p, player, span)?.into_iter();
            best.map(|moved| option(moved.position)).collect()
        };
        Ok(Val::set(all))
    }

    fn compound(&self, how: Compound) -> Res<Val> {
        let parts = self.arguments.to_vec();
        Ok(Val::Compound(Arc::new(ir::Compound { how, parts })))
    }

    fn suspense(&self) -> Res<Val> {
        let p = self.position(0)?;
        let first = self.player(1, p)?;
        let found = self.host.solver().length(p, first, self.span)?;
        match found.wins {
            Some(_) => Ok(Val::Int(Int::from(found.suspense))),
            None => Err(nobody_wins(self.span)),
        }
    }

    fn remoteness(&self) -> Res<Val> {
        let p = self.position(0)?;
        let first = self.player(1, p)?;
        match self.host.solver().played(p, first, self.span)? {
            Played { moves: Some(n), .. } => Ok(Val::Int(Int::from(n))),
            Played {
                fate: Fate::Drawn, ..
            } => Err(nobody_wins(self.span)),
            Played {
                fate: Fate::Won(_), ..
            } => Err(refuse(
                self.span,
                "the winner wins by play without end, which takes no number of moves",
            )),
        }
    }

    fn score(&self) -> Res<Val> {
        let p = self.position(0)?;
        let first = self.player(1, p)?;
        let points = self.host.solver().score(p, first, self.span)?;
        Ok(Val::Int(Int::from(points)))
    }

    fn winner(&self) -> Res<Val> {
        if let Val::Compound(c) = self.argument(0)? {
            let Val::Player(first @ 0..=1) = self.argument(1)? else {
                return Err(refuse(self.span, "who begins is Left or Right"));
            };
            let solver = self.host.solver();
            return Ok(match solver.compound_fate(c, Player(*first), self.span)? {
                Fate::Won(player) => Val::Player(player.0),
                Fate::Drawn => crate::ir::eval::DRAW,
            });
        }
        let p = self.position(0)?;
        let first = self.player(1, p)?;
        Ok(match self.host.solver().winner(p, first, self.span)? {
            Winner::Alone(player) => Val::Player(player.0),
            Winner::Several(all) => {
                let names: Vec<_> = all.iter().map(|q| p.player_name(q)).collect();
                let (one, first) = (&names[0], p.player_name(first));
                return Err(refuse(
                    self.span,
                    format!("there is no one winner: {} each win alone", names.join(" and ")),
                )
                .help(format!(
                    "ask wins(G, coalition: {{{one}}}, first: {first}) about one player, or coalitions(G, first: {first}) about all"
                )));
            }
            Winner::Queer => crate::ir::eval::QUEER,
            Winner::Drawn => crate::ir::eval::DRAW,
        })
    }

    fn wins(&self) -> Res<Val> {
        let p = self.position(0)?;
        self.host.players_of(p);
        let mut members = Vec::new();
        for v in self.argument(1)?.elements().unwrap_or(&[]) {
            if let Val::Player(member) = v {
                members.push(take_part(p, Player(*member), self.span)?);
            }
        }
        let first = self.player(2, p)?;
        let wins = self.host.solver().wins(p, &members, first, self.span)?;
        Ok(Val::Bool(wins))
    }

    fn coalitions(&self) -> Res<Val> {
        let p = self.position(0)?;
        let first = self.player(1, p)?;
        let all = self.host.solver().coalitions(p, first, self.span)?;
        let players = |c: Vec<Player>| Val::set(c.into_iter().map(|p| Val::Player(p.0)).collect());
        Ok(Val::set(all.into_iter().map(players).collect()))
    }
}

fn nobody_wins(span: Span) -> Box<Fault> {
    refuse(
        span,
        "nobody can force a win, so there is no number of moves to it",
    )
    .help("`outcome(G)` shows who can force a win")
}

/// Checks that a player takes part in the position.
fn take_part(position: &Position, player: Player, span: Span) -> Res<Player> {
    if player.0 < position.players() {
        return Ok(player);
    }
    let names: Vec<String> = (0..position.players())
        .map(|p| position.player_name(Player(p)).to_string())
        .collect();
    let who = Val::Player(player.0);
    let who = match who == crate::ir::eval::DRAW || who == crate::ir::eval::QUEER {
        true => draw::value(&who, None),
        false => format!("player {}", u32::from(player.0) + 1),
    };
    Err(Fault::new(
        FaultCode::Players,
        span,
        format!(
            "there is no {who} in this position: the players are {}",
            names.join(", ")
        ),
    ))
}
