//! Positions of the language come in; what an engine says of them comes out. A position is a sum of terms, each a ruleset on
//! a board; each term is compiled once for its board and searched by the engine, and the values are added (Siegel,
//! *Combinatorial Game Theory*, II.1).

use super::algebra::memory;
use super::answer::Fact;
use super::card::fact;
use super::decided::{Arenas, of_a_line};
use super::fault;
use super::heaps::Heaps;
use super::many::Many;
use super::orders::{Orders, Removed, Tabled};
use crate::base::Span;
use crate::engine::upsets::{NimberSet, Order, Solved};
use crate::engine::{Archive, Engine, Statistics, Stopped};
use crate::game::{
    Analysis, Cancel, Convention, Limit, Limits, Player, Pulse, Rules, Shortcut, Shortcuts,
};
use crate::ir::ground;
use crate::ir::naive::{self, Moved, NaiveGame};
use crate::ir::{Code as FaultCode, Evaluator, Fault, NoHost, Position, Res, Setting, Term, draw};
use crate::machine::upsets::{Removal, by_instances, by_rules};
use crate::machine::{self, Machine, Packed, TermExplanation, same_definitions};
use crate::model::typed::{Again, Model};
use crate::value::{CanonicalForm, Forms, Outcome};
use lru::LruCache;
use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// How many compiled boards are kept.
const BOARDS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(63);

/// The most points of an order for which a board is ground to see whether its moves are removals.
const GROUND_POINTS: usize = 400;

/// How many symmetries a card shows.
const SYMMETRIES: usize = 2;
/// The most symmetries of boards without cells that are told.
const TURNS: usize = 4;

/// What the ground instances of a term are like.
fn grounded(term: &TermExplanation) -> Vec<Fact> {
    if term.level1.is_some() {
        return Vec::new();
    }
    let mut facts = vec![
        fact(
            "instances",
            format!(
                "{} of {} ground moves of {} can ever happen",
                term.live, term.instances, term.ruleset
            ),
        ),
        fact(
            "state",
            format!(
                "{} variables, {} of them both written and observed, in {} bits",
                term.variables, term.linking, term.bits
            ),
        ),
    ];
    if let Some(bound) = &term.bound {
        facts.push(fact("bounded", bound.clone()));
    }
    facts
}

/// A position as an engine searches it.
pub(super) enum Road {
    Fast(Arc<Machine>, Packed),
    Naive(NaiveGame, Arc<Position>),
}

/// Asks engines about positions.
#[derive(Debug)]
pub struct Solver {
    pub(super) model: Arc<Model>,
    pub(super) fast: Engine<machine::Key>,
    pub(super) naive: Engine<Arc<Position>>,
    machines: RefCell<LruCache<Arc<Setting>, Arc<Machine>>>,
    counters: Arc<machine::Counters>,
    pub(super) heaps: Heaps,
    orders: Orders,
    pub(super) shortcuts: Shortcuts,
    pub(super) cancel: Cancel,
    pub(super) many: Many,
    pub(super) arenas: Arenas,
    pub(super) limits: Limits,
    pub(super) pulse: Arc<Pulse>,
}

/// The arena of values ends without a word why: where the search was cancelled, that is why.
fn ended<P, F>(stopped: Stopped<P, F>, cancel: &Cancel) -> Stopped<P, F> {
    match stopped {
        Stopped::Limit(_) if cancel.is_cancelled() => Stopped::Limit(Limit::Cancelled),
        other => other,
    }
}

/// Asks a question of a search on the road that a position takes.
macro_rules! ask {
    ($solver:expr, $position:expr, $span:expr, |$search:ident, $start:ident| $question:expr) => {
        match $solver.road($position, $span)? {
            Road::Fast(machine, $start) => {
                let mut $search = $solver.fast.search(&*machine);
                $question.map_err(|s| {
                    let s = ended(s, &$solver.cancel);
                    fault::of_stop(s, $span, &$solver.model, |p| machine.show(p))
                })
            }
            Road::Naive(game, $start) => {
                let mut $search = $solver.naive.search(&game);
                $question.map_err(|s| {
                    let s = ended(s, &$solver.cancel);
                    fault::of_stop(s, $span, &$solver.model, |p| Position::clone(p))
                })
            }
        }
    };
}

impl Solver {
    /// A solver for positions of these files; with an archive, what is compiled keeps its values there.
    #[must_use]
    pub fn new(
        model: Arc<Model>,
        limits: &Limits,
        cancel: &Cancel,
        shortcuts: Shortcuts,
        archive: Option<Arc<dyn Archive>>,
        pulse: &Arc<Pulse>,
    ) -> Solver {
        let mut fast = Engine::new(limits.clone())
            .with_shortcuts(shortcuts)
            .with_cancel(cancel.clone())
            .with_pulse(pulse);
        if let Some(archive) = archive {
            fast = fast.with_archive(archive);
        }
        Solver {
            model,
            naive: fast.beside(),
            fast,
            machines: RefCell::new(LruCache::new(BOARDS)),
            counters: Arc::default(),
            heaps: Heaps::default(),
            orders: Orders::default(),
            shortcuts,
            cancel: cancel.clone(),
            many: Many::default(),
            arenas: Arenas::default(),
            limits: limits.clone(),
            pulse: pulse.clone(),
        }
    }

    /// The same with a mistake made on purpose in a shortcut, for the tests that must catch it.
    #[doc(hidden)]
    #[must_use]
    pub fn planting(mut self, mistake: Option<Shortcut>) -> Solver {
        self.fast = self.fast.planting(mistake);
        self
    }

    /// The same, with all that was found, for a model that has the definitions of the one before and perhaps more functions.
    #[must_use]
    pub fn with_model(mut self, model: Arc<Model>) -> Solver {
        same_definitions(&self.model, &model);
        self.model = model;
        self
    }

    /// The nimber of a sum of heaps, where the shape of the rule is known ([`super::heaps`]).
    fn heaps_nimber(&self, term: &Term, span: Span) -> Res<Option<u32>> {
        if !self.shortcuts.has(Shortcut::Sequences) || term.state.heaps.is_empty() {
            return Ok(None);
        }
        let instance = &term.setting.instance;
        let wrong = u32::from(self.fast.plants(Shortcut::Sequences));
        self.heaps
            .nimber(&self.model, instance, &term.state, &self.cancel)
            .map(|found| found.map(|n| n + wrong))
            .map_err(|limit| fault::of_limit(limit, span))
    }

    /// The order of a removal game ([`crate::machine::upsets`]).
    fn removal(&self, term: &Term) -> Option<Removed> {
        let shortcuts = self.shortcuts;
        if !(shortcuts.has(Shortcut::Product) || shortcuts.has(Shortcut::Antichains))
            || !term.state.heaps.is_empty()
        {
            return None;
        }
        if let Some(order) = by_rules(&term.setting, &term.state) {
            return Some(Removed {
                order,
                setting: term.setting.clone(),
                machine: None,
            });
        }
        if !self.shortcuts.has(Shortcut::Ground) || term.setting.layout.len() > GROUND_POINTS {
            return None;
        }
        let single = Position::single(term.setting.clone(), term.state.clone());
        let (machine, _) = self.compiled(&single).ok()?;
        let ground = machine.grounds().next().flatten()?;
        let order = by_instances(ground, &term.state)?;
        Some(Removed {
            order,
            setting: term.setting.clone(),
            machine: Some(machine),
        })
    }

    /// An order, solved by one of the ways that are made for it, with the table of its positions.
    fn order_solved(&self, of: &Removal) -> Result<Option<Tabled>, Limit> {
        self.fast.upsets(&Order::new(of.points, of.pairs.clone()))
    }

    /// A removal game on an order, solved by one of the ways that are made for it.
    fn solved(&self, term: &Term, span: Span) -> Res<Option<Solved>> {
        let Some(removed) = self.removal(term) else {
            return Ok(None);
        };
        self.orders
            .solved(removed, |of| self.order_solved(of))
            .map_err(|limit| fault::of_limit(limit, span))
    }

    /// The nimber of a term by a road that is made for the shape of its rules.
    fn shaped_nimber(&self, term: &Term, span: Span) -> Res<Option<u32>> {
        if let Some(n) = self.heaps_nimber(term, span)? {
            return Ok(Some(n));
        }
        let Some(removed) = self.removal(term) else {
            return Ok(None);
        };
        self.orders
            .nimber(removed, |of| self.order_solved(of))
            .map_err(|limit| fault::of_limit(limit, span))
    }

    /// The nimbers of the options of a removal game on an order.
    ///
    /// # Errors
    /// A limit.
    pub fn gset(&self, position: &Position, span: Span) -> Res<Option<NimberSet>> {
        match position.as_single() {
            Some(term) => Ok(self.solved(term, span)?.map(|s| s.gset)),
            None => Ok(None),
        }
    }

    /// How many options each player has, where the rules say it without a look at each.
    #[must_use]
    pub fn option_count(&self, position: &Position) -> Option<usize> {
        Some(self.removal(position.as_single()?)?.order.points)
    }

    /// The arena in which all values lie.
    #[must_use]
    pub fn forms(&self) -> &Forms {
        self.fast.forms()
    }

    /// How often the machines took their shortcuts.
    #[must_use]
    pub fn counters(&self) -> &Arc<machine::Counters> {
        &self.counters
    }

    /// What the engines have done.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        let mut all = match self.shortcuts.has(Shortcut::Compile) {
            true => self.fast.statistics(),
            false => self.naive.statistics(),
        };
        self.arenas.count(&mut all);
        all
    }

    /// The position compiled: by a machine of the same board that knows it, or by a new one.
    fn compiled(&self, position: &Position) -> Res<(Arc<Machine>, Packed)> {
        let setting = match position.terms() {
            [term] => Some(&term.setting),
            _ => None,
        };
        if let Some(setting) = setting
            && let Some(machine) = self.machines.borrow_mut().get(setting)
            // A negative has another winner of play without end.
            && Rules::endless(&**machine) == position.endless()
            && let Some(start) = machine.pack(position)
        {
            return Ok((machine.clone(), start));
        }
        let machine = Arc::new(
            Machine::until(&self.model, position, self.shortcuts.into(), &self.cancel)?
                .counting_in(&self.counters),
        );
        let start = machine.initial();
        if let Some(setting) = setting {
            self.machines
                .borrow_mut()
                .put(setting.clone(), machine.clone());
        }
        Ok((machine, start))
    }

    pub(super) fn road(&self, position: &Position, span: Span) -> Res<Road> {
        super::growth::refuse(&self.model, position, &self.cancel, span)?;
        self.plain_road(position)
    }

    pub(super) fn plain_road(&self, position: &Position) -> Res<Road> {
        if !self.shortcuts.has(Shortcut::Compile) {
            let position = Arc::new(position.clone());
            return Ok(Road::Naive(
                NaiveGame::new(self.model.clone(), &position).with_cancel(self.cancel.clone()),
                position,
            ));
        }
        let (machine, start) = self.compiled(position)?;
        Ok(Road::Fast(machine, start))
    }

    pub(super) fn two_players(&self, position: &Position, what: &str, span: Span) -> Res<()> {
        if position.players() == 2 {
            return Ok(());
        }
        Err(Fault::new(
            FaultCode::Players,
            span,
            format!("a position of {} players has no {what}", position.players()),
        )
        .help("ask for winner(G, first: p), wins(G, coalition: C, first: p) or coalitions(G, first: p)"))
    }

    /// The canonical form.
    ///
    /// # Errors
    /// A limit, a rule that goes wrong, play that need not end, more than two players.
    pub fn value(&self, position: &Position, span: Span) -> Res<CanonicalForm> {
        self.two_players(position, "value", span)?;
        self.valued(position, "value", span)?;
        let forms = self.forms();
        let mut sum = CanonicalForm::ZERO;
        for term in position.terms() {
            let mut value = self.term_value(term, span)?;
            if term.negated {
                value = forms.negate(value).map_err(memory(span))?;
            }
            let value = forms
                .multiple_big(&term.count.to_big(), value)
                .map_err(memory(span))?;
            sum = forms.add(sum, value).map_err(memory(span))?;
        }
        Ok(sum)
    }

    fn term_value(&self, term: &Term, span: Span) -> Res<CanonicalForm> {
        if let Some(n) = self.shaped_nimber(term, span)? {
            return self.forms().nimber(n).map_err(memory(span));
        }
        let single = Position::single(term.setting.clone(), term.state.clone());
        ask!(self, &single, span, |search, start| search.value(&start))
    }

    /// The n of `*n`, if the value is a nimber.
    ///
    /// # Errors
    /// As for [`Solver::value`].
    pub fn nimber(&self, position: &Position, span: Span) -> Res<Option<u32>> {
        self.two_players(position, "nimber", span)?;
        self.valued(position, "nimber", span)?;
        if let Some(term) = position.as_single() {
            if let Some(n) = self.shaped_nimber(term, span)? {
                return Ok(Some(n));
            }
            return ask!(self, position, span, |search, start| search.nimber(&start));
        }
        let value = self.value(position, span)?;
        Ok(self.forms().as_nimber(value))
    }

    /// Who wins, by who begins.
    ///
    /// # Errors
    /// A limit; a rule that goes wrong where that matters; more than two players.
    pub fn outcome(&self, position: &Position, span: Span) -> Res<crate::ir::Outcome> {
        self.two_players(position, "outcome", span)?;
        if position.has_values() {
            return match self.short_outcome(position, span) {
                Err(fault) if of_a_line(&fault) => self.decided_outcome(position, span),
                found => found.map(super::algebra::outcome),
            };
        }
        if self.is_plainly_misere(position) {
            return self.misere_outcome(position, span);
        }
        self.decided_outcome(position, span)
    }

    /// Whether the rules differ from those of short games by `play misere` alone.
    fn is_plainly_misere(&self, position: &Position) -> bool {
        position.convention() == Convention::Misere
            && position.terms().iter().all(|t| {
                let rules = &t.setting.instance.rules;
                rules.ends.is_empty() && rules.moves.iter().all(|m| matches!(m.again, Again::Never))
            })
    }

    /// Who wins where play ends, one of four.
    fn short_outcome(&self, position: &Position, span: Span) -> Res<Outcome> {
        if let Some(term) = position.as_single()
            && let Some(n) = self.shaped_nimber(term, span)?
        {
            return Ok(if n == 0 {
                Outcome::Previous
            } else {
                Outcome::Next
            });
        }
        if let Some(outcome) = self.outcome_though_it_grows(position, false, span)? {
            return Ok(outcome);
        }
        ask!(self, position, span, |search, start| search.outcome(&start))
    }

    /// Who wins if whoever moves last loses.
    ///
    /// # Errors
    /// As for [`Solver::value`].
    pub fn misere_outcome(&self, position: &Position, span: Span) -> Res<crate::ir::Outcome> {
        self.two_players(position, "misère outcome", span)?;
        let plain = self.is_plainly_misere(position);
        if !plain {
            self.valued(position, "misère outcome", span)?;
        }
        if !plain && let Some(outcome) = self.outcome_though_it_grows(position, true, span)? {
            return Ok(super::algebra::outcome(outcome));
        }
        let found = ask!(self, position, span, |search, start| search
            .misere_outcome(&start));
        match found {
            Err(fault) if plain && of_a_line(&fault) => self.decided_outcome(position, span),
            Err(fault) if of_a_line(&fault) => self.misere_decided(position, span),
            found => found.map(super::algebra::outcome),
        }
    }

    /// What was derived from the rules: in short for a card, in full for `explain`.
    #[must_use]
    pub fn derived(&self, position: &Position, full: bool) -> Vec<Fact> {
        let order = position.as_single().and_then(|t| self.order_facts(t));
        if let Some((points, facts)) = &order
            && *points > GROUND_POINTS
        {
            // So many moves are not listed to say the same of each.
            return facts.clone();
        }
        let Ok((machine, _)) = self.compiled(position) else {
            return Vec::new();
        };
        let all = machine.explain();
        let notes = position
            .terms()
            .iter()
            .flat_map(|t| &t.setting.board.notes)
            .map(|text| fact("board", text.as_str()));
        let decided = !position.has_values();
        let mut facts = vec![fact(
            "parts",
            match all.components {
                0 => "none: nobody can ever move".to_owned(),
                1 => "1: the position is not a sum of smaller ones".to_owned(),
                n => format!("{n}: the position is the sum of {n} independent parts"),
            },
        )];
        if decided {
            // A clause that ends play ends all of it, so there are no parts to speak of.
            facts = self.theory(position);
        }
        facts.extend(notes);
        if full {
            let terms = position.terms().iter();
            let rules = terms.filter_map(|t| t.setting.instance.rules.inherits.as_deref());
            let mut told: Vec<Fact> = rules.map(|text| fact("inherits", text)).collect();
            told.dedup();
            facts.extend(told);
        }
        if all.impartial {
            facts.push(fact(
                "impartial",
                if position.players() == 2 {
                    "both players have the same options for ever"
                } else {
                    "all players have the same options for ever"
                },
            ));
        }
        for term in &all.terms {
            if full {
                facts.extend(grounded(term));
            }
            let told = |all: &[String], shown: usize| {
                let mut told: Vec<String> = all.iter().take(shown).cloned().collect();
                if all.len() > shown {
                    told.push(format!("{} more", all.len() - shown));
                }
                (!told.is_empty()).then(|| fact("symmetry", told.join("; ")))
            };
            let shown = if full { usize::MAX } else { SYMMETRIES };
            facts.extend(told(&term.symmetries, shown));
            if full {
                facts.extend(told(&term.turns, TURNS));
            }
            if full && term.removal {
                facts.push(fact(
                    "removal",
                    "a move only takes moves away, the same ones in every position",
                ));
            }
            if let Some(ends) = &term.ends {
                facts.push(fact("play ends", format!("since {ends}")));
            }
            if let Some(reason) = &term.level1 {
                facts.push(fact(
                    "method",
                    format!("the rules are read anew for each move, which is slower: {reason}"),
                ));
            }
        }
        if let Some(term) = position.as_single()
            && !term.state.heaps.is_empty()
        {
            let instance = &term.setting.instance;
            let words = super::heaps::road_in_words(&self.model, instance, &self.cancel);
            facts.extend(words.map(|words| fact("heaps", words)));
        }
        if full && let Some((_, of_order)) = order {
            let said = |f: &Fact| facts.iter().any(|g| g.about == f.about);
            let new: Vec<Fact> = of_order.into_iter().filter(|f| !said(f)).collect();
            facts.extend(new);
        }
        for term in &all.terms {
            if full {
                facts.extend(term.lints.iter().map(|l| fact("note", l.clone())));
            }
        }
        facts.dedup();
        facts
    }

    /// The independent parts of a position, each as a position of its own (see [`Machine::show`]).
    ///
    /// # Errors
    /// A sum of too many copies.
    pub fn parts(&self, position: &Position) -> Res<Vec<Arc<Position>>> {
        let (machine, start) = self.compiled(position)?;
        let mut parts = Vec::new();
        machine.split(&start, &mut parts);
        Ok(parts.iter().map(|p| Arc::new(machine.show(p))).collect())
    }

    /// Whether both players are known to have the same options for ever.
    #[must_use]
    pub fn is_impartial(&self, position: &Position) -> bool {
        let Ok((machine, start)) = self.compiled(position) else {
            return false;
        };
        let mut parts = Vec::new();
        machine.split(&start, &mut parts);
        parts.iter().all(|p| machine.is_impartial(p))
    }

    /// What is known of a removal game on an order, and which road it takes; with the number of its points.
    fn order_facts(&self, term: &Term) -> Option<(usize, Vec<Fact>)> {
        let removed = self.removal(term)?;
        let points = removed.order.points;
        let from = if removed.machine.is_none() {
            "by the text of the rules"
        } else {
            "by every ground move"
        };
        let mut facts = vec![
            fact(
                "order",
                format!("a move takes one of {points} points with all above it, {from}"),
            ),
            fact("impartial", "both players have the same options for ever"),
            fact(
                "play ends",
                "since every move removes something, and nothing comes back",
            ),
        ];
        let road = match self.orders.solved(removed, |of| self.order_solved(of)) {
            Ok(Some(s)) if s.ranked.is_empty() => format!(
                "series-parallel: {} parts put together by the nim-sum and the Grundy product",
                s.joined + 1
            ),
            Ok(Some(s)) => {
                let prime: Vec<String> = s
                    .ranked
                    .iter()
                    .map(|(points, positions)| {
                        format!("{points} points in {positions} positions, ranked by antichains")
                    })
                    .collect();
                match s.joined {
                    0 => prime.join("; "),
                    n => format!(
                        "{} parts put together by the nim-sum and the Grundy product; prime are: {}",
                        n + 1,
                        prime.join("; ")
                    ),
                }
            }
            Ok(None) => {
                "neither series-parallel nor of few antichains: the general search".to_owned()
            }
            Err(_) => "not known within the limits".to_owned(),
        };
        facts.push(fact("method", road));
        Some((points, facts))
    }

    /// The ground instances of each term, as text.
    ///
    /// # Errors
    /// A sum of too many copies.
    pub fn instances(&self, position: &Position) -> Res<String> {
        let (machine, _) = self.compiled(position)?;
        let mut text = String::new();
        for (term, ground) in position.terms().iter().zip(machine.grounds()) {
            let name = draw::ruleset(&term.setting.instance);
            match ground {
                Some(ground) => {
                    text.push_str(&ground::show(ground));
                    text.push('\n');
                }
                None => text.push_str(&format!(
                    "// {name} is not compiled: it has no list of moves\n"
                )),
            }
        }
        Ok(text)
    }

    /// The options of a player.
    ///
    /// # Errors
    /// A rule that goes wrong; a limit.
    pub fn moves(&self, position: &Position, player: Player) -> Res<Vec<Moved>> {
        if self.has_ended(position)? {
            return Ok(Vec::new());
        }
        let ev = Evaluator::new(&self.model, &NoHost).with_cancel(self.cancel.clone());
        naive::moves(&ev, position, player)
    }

    /// The options of a player with their values; best are those that no other dominates. Nimbers never dominate each
    /// other: where they and the position are nimbers, best are those that win, the zeros, if there are any.
    ///
    /// # Errors
    /// As for [`Solver::value`].
    pub fn valued_moves(
        &self,
        position: &Position,
        player: Player,
        span: Span,
    ) -> Res<Vec<(Moved, CanonicalForm, bool)>> {
        let mut found = Vec::new();
        // The nimber of a position may be known by proof while those of its options are not.
        if let Some(term) = position.as_single()
            && self.is_impartial(position)
            && self.shaped_nimber(term, span)?.is_none()
        {
            ask!(self, position, span, |search, start| search
                .value_options(&start, player))?;
        }
        for moved in self.moves(position, player)? {
            let value = self.value(&moved.position, span)?;
            found.push((moved, value, true));
        }
        let forms = self.forms();
        let better = if player == Player::LEFT {
            std::cmp::Ordering::Greater
        } else {
            std::cmp::Ordering::Less
        };
        let mut values: Vec<CanonicalForm> = found.iter().map(|f| f.1).collect();
        values.sort_by(|a, b| forms.structural_cmp(*a, *b));
        values.dedup();
        let mut dominated = Vec::new();
        for v in &values {
            for w in &values {
                if forms.compare(*w, *v).map_err(memory(span))? == Some(better) {
                    dominated.push(*v);
                    break;
                }
            }
        }
        if values.contains(&CanonicalForm::ZERO)
            && values.iter().all(|v| forms.as_nimber(*v).is_some())
            && forms.as_nimber(self.value(position, span)?).is_some()
        {
            dominated = values;
            dominated.retain(|v| *v != CanonicalForm::ZERO);
        }
        for f in &mut found {
            f.2 = !dominated.contains(&f.1);
        }
        Ok(found)
    }
}
