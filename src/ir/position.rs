//! Positions. A [`State`] holds the values of the state variables of a [`Setting`]; a [`Position`] is a sum of terms, each
//! a state with a sign and a number of copies.

use super::board::{Heap, Place};
use super::fault::{Code, Fault, Res};
use super::identity::{self, Seen};
use super::instance::{Instance, Setting};
use super::int::Int;
use super::val::{Piece, Val};
use crate::base::Span;
use crate::game::{Convention, Player};
use crate::model::typed::Endless;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// The values of the variables, in the order of the setting's layout, and the heaps.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State {
    /// The heaps, sorted, without empty ones.
    pub heaps: Vec<Heap>,
    /// The variables.
    pub vars: Vec<Val>,
    /// After a move with `entail`: the numbers, in order, of the heaps that it has left. The answer must be made in one of
    /// them; of equal heaps the last are such. `None` if the answer may be made anywhere.
    pub entailed: Option<Vec<usize>>,
}

impl State {
    /// Sorts the heaps and drops empty ones.
    pub fn settle(&mut self) {
        let is_left = |h: &Heap| h.iter().any(|n| !n.is_zero());
        let Some(entailed) = &mut self.entailed else {
            self.heaps.retain(is_left);
            self.heaps.sort();
            return;
        };
        let heaps = std::mem::take(&mut self.heaps).into_iter().enumerate();
        let mut heaps: Vec<(Heap, bool)> = heaps
            .map(|(i, h)| (h, entailed.contains(&i)))
            .filter(|(h, _)| is_left(h))
            .collect();
        heaps.sort();
        *entailed = (0..heaps.len()).filter(|i| heaps[*i].1).collect();
        self.heaps = heaps.into_iter().map(|(h, _)| h).collect();
    }

    /// Whether the answer to the last move must be made in some heaps, of which this is one.
    #[must_use]
    pub fn is_entailed(&self, heap: usize) -> bool {
        self.entailed.as_ref().is_some_and(|e| e.contains(&heap))
    }

    /// Whether a site is present: a cell that is not a wall, a vertex or element that was not removed.
    #[must_use]
    pub fn has_site(&self, setting: &Setting, site: u32) -> bool {
        match setting.layout.present(site) {
            Some(var) => self.vars.get(var) == Some(&Val::Bool(true)),
            None => {
                (site as usize) < setting.board.sites()
                    && self.at(setting, Place::Site(site)) != Piece::Wall
            }
        }
    }

    /// Whether an edge is present.
    #[must_use]
    pub fn has_edge(&self, setting: &Setting, edge: u32) -> bool {
        let var = setting.layout.edge_present(edge);
        var.is_some_and(|v| self.vars.get(v) == Some(&Val::Bool(true)))
    }

    /// Whether all sites and edges that a variable belongs to are present.
    #[must_use]
    pub fn has_places(&self, setting: &Setting, var: usize) -> bool {
        setting.places(var).iter().all(|place| match *place {
            Place::Site(s) => self.has_site(setting, s),
            Place::Edge(e) => self.has_edge(setting, e),
        })
    }

    /// The value of a variable as rules read it. A fixed variable of a removed vertex, edge or element reads as its default
    /// value, if its sort has one. On boards of cells, fixed values stay when a cell is removed.
    #[must_use]
    pub fn read(&self, setting: &Setting, var: usize) -> Option<Val> {
        let value = self.vars.get(var)?;
        if setting.board.has_cells() || !setting.is_fixed(var) || self.has_places(setting, var) {
            return Some(value.clone());
        }
        Some(setting.default(var).unwrap_or_else(|| value.clone()))
    }

    /// The piece on a site or an edge: empty if no pieces are declared, off if the place was removed.
    #[must_use]
    pub fn at(&self, setting: &Setting, place: Place) -> Piece {
        let (var, there) = match place {
            Place::Site(s) => (setting.layout.at(s), setting.layout.present(s)),
            Place::Edge(e) => (setting.layout.edge_at(e), setting.layout.edge_present(e)),
        };
        if there.is_some_and(|v| self.vars.get(v) == Some(&Val::Bool(false))) {
            return Piece::Off;
        }
        match var.and_then(|v| self.vars.get(v)) {
            Some(Val::Piece(p)) => *p,
            _ => Piece::Empty,
        }
    }
}

/// One term of a sum.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term {
    /// The ruleset and the board.
    pub setting: Arc<Setting>,
    /// The state.
    pub state: State,
    /// Whether the players' roles are exchanged.
    pub negated: bool,
    /// The number of copies: at least one, except in [`Position::nought`].
    pub count: Int,
}

impl Term {
    /// One copy, not negated.
    #[must_use]
    pub fn single(&self) -> Position {
        Position::single(self.setting.clone(), self.state.clone())
    }

    /// The winner of an endless play of this term. In a negative, the other player wins it.
    #[must_use]
    pub fn endless(&self) -> Option<Player> {
        match self.setting.instance.rules.endless {
            Endless::Draw => None,
            Endless::Win(p) if self.negated => Some(Player(p).opponent()),
            Endless::Win(p) => Some(Player(p)),
        }
    }
}

/// A sum of positions: sorted terms, with equal ones merged. Equality compares terms together with their starting boards;
/// [`Position::is_same`] compares the visible content.
#[derive(Clone, Debug, Default)]
pub struct Position {
    terms: Vec<Term>,
    /// See [`Position::nought`].
    nought: Option<Box<Term>>,
    /// Computed on demand.
    seen: OnceLock<Arc<[Seen]>>,
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Position {}

impl PartialOrd for Position {
    fn partial_cmp(&self, other: &Position) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Position {
    fn cmp(&self, other: &Position) -> Ordering {
        self.identity().cmp(&other.identity())
    }
}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

impl Position {
    /// What equality compares: of an empty sum its rules.
    fn identity(&self) -> (&[Term], Option<(&Instance, bool)>) {
        fn rules(term: &Term) -> (&Instance, bool) {
            (&term.setting.instance, term.negated)
        }
        (&self.terms, self.nought().map(rules))
    }

    /// A single position of one ruleset.
    #[must_use]
    pub fn single(setting: Arc<Setting>, state: State) -> Position {
        Position {
            terms: vec![Term {
                setting,
                state,
                negated: false,
                count: Int::ONE,
            }],
            nought: None,
            seen: OnceLock::new(),
        }
    }

    /// The visible content, in an order that does not depend on the history of the position; used in comparisons.
    #[must_use]
    pub fn seen(&self) -> &[Seen] {
        self.seen.get_or_init(|| identity::seen(self))
    }

    /// Whether the visible contents of two positions are equal.
    #[must_use]
    pub fn is_same(&self, other: &Position) -> bool {
        std::ptr::eq(self, other) || self.seen() == other.seen()
    }

    /// The terms.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Of an empty sum `0 * G`: G, with no copies. Its rules say who plays, and what it means that nobody can move. `None` if
    /// these are the rules of a short game, like those of the empty sum itself.
    #[must_use]
    pub fn nought(&self) -> Option<&Term> {
        self.nought.as_deref()
    }

    fn with_nought(&self) -> impl Iterator<Item = &Term> {
        self.terms.iter().chain(self.nought())
    }

    /// The number of the term in which the last move must be answered, if there is one.
    #[must_use]
    pub fn entailed(&self) -> Option<usize> {
        self.terms.iter().position(|t| t.state.entailed.is_some())
    }

    /// The rules of its terms; of an empty sum those of [`Position::nought`].
    pub fn instances(&self) -> impl Iterator<Item = &Arc<Instance>> {
        self.with_nought().map(|t| &t.setting.instance)
    }

    /// The only term, if the position is a single position of one ruleset and not negated.
    #[must_use]
    pub fn as_single(&self) -> Option<&Term> {
        match &self.terms[..] {
            [t] if !t.negated && t.count == Int::ONE => Some(t),
            _ => None,
        }
    }

    /// A sum of terms: sorts them and merges equal ones.
    ///
    /// # Errors
    /// Terms with different numbers of players, or of rulesets that end differently; too many copies.
    pub fn sum(terms: Vec<Term>, span: Span) -> Res<Position> {
        let (mut noughts, mut terms): (Vec<Term>, Vec<Term>) =
            terms.into_iter().partition(|t| t.count.is_zero());
        noughts.retain(|t| !t.setting.instance.is_plain());
        terms.sort();
        let mut merged: Vec<Term> = Vec::with_capacity(terms.len());
        for t in terms {
            match merged.last_mut() {
                Some(last)
                    if last.negated == t.negated
                        && last.state == t.state
                        && last.setting == t.setting =>
                {
                    last.count = last.count.add(&t.count).map_err(|_| {
                        Fault::new(Code::TooMuch, span, "too many copies of one position")
                    })?;
                }
                _ => merged.push(t),
            }
        }
        let mut entailed = merged.iter().filter(|t| t.state.entailed.is_some());
        let one = |t: &Term| t.count == Int::ONE;
        if entailed.next().is_some_and(|t| !one(t)) || entailed.next().is_some() {
            return Err(Fault::new(
                Code::Board,
                span,
                "in two parts of this sum the last move would be answered",
            )
            .help("at most one part of a sum has heaps marked with `!`: those that the last move has left"));
        }
        let mut rules = merged.iter().chain(&noughts).map(|t| &t.setting.instance);
        if let Some(a) = rules.next() {
            for b in rules {
                if a.players.len() != b.players.len() {
                    return Err(Fault::new(
                        Code::Players,
                        span,
                        format!(
                            "{} has {} players, {} has {}: they cannot be played together",
                            a.name,
                            a.players.len(),
                            b.name,
                            b.players.len()
                        ),
                    ));
                }
                if a.convention != b.convention {
                    return Err(Fault::new(
                        Code::Players,
                        span,
                        format!("play of {} and of {} ends differently", a.name, b.name),
                    ));
                }
            }
        }
        let nought = noughts.into_iter().next().filter(|_| merged.is_empty());
        Ok(Position {
            terms: merged,
            nought: nought.map(Box::new),
            seen: OnceLock::new(),
        })
    }

    /// `G + H`
    ///
    /// # Errors
    /// See [`Position::sum`].
    pub fn plus(&self, other: &Position, span: Span) -> Res<Position> {
        let terms = self.with_nought().chain(other.with_nought()).cloned();
        Position::sum(terms.collect(), span)
    }

    /// `-G`: exchanges the players' roles.
    ///
    /// # Errors
    /// There are not two players.
    pub fn negate(&self, span: Span) -> Res<Position> {
        self.times(&Int::from(-1i64), span)
    }

    /// `n * G`
    ///
    /// # Errors
    /// A negative multiple of a position without two players; too many copies.
    pub fn times(&self, n: &Int, span: Span) -> Res<Position> {
        if n.is_negative() && self.players() != 2 {
            return Err(Fault::new(
                Code::Players,
                span,
                format!(
                    "only a position of two players has a negative, here are {}",
                    self.players()
                ),
            ));
        }
        let mut terms: Vec<Term> = self.with_nought().cloned().collect();
        for t in &mut terms {
            t.negated ^= n.is_negative();
            t.count = t
                .count
                .mul(&n.abs())
                .map_err(|_| Fault::new(Code::TooMuch, span, "too many copies of one position"))?;
        }
        Position::sum(terms, span)
    }

    /// The number of players; 2 for the empty sum.
    #[must_use]
    pub fn players(&self) -> u8 {
        self.instances()
            .next()
            .map_or(2, |i| u8::try_from(i.players.len()).unwrap_or(u8::MAX))
    }

    /// The convention of play.
    #[must_use]
    pub fn convention(&self) -> Convention {
        self.instances()
            .next()
            .map_or(Convention::Normal, |i| i.convention)
    }

    /// The winner of an endless play, by the first term's ruleset.
    #[must_use]
    pub fn endless(&self) -> Option<Player> {
        self.with_nought().next().and_then(Term::endless)
    }

    /// Whether all terms agree on the winner of an endless play.
    #[must_use]
    pub fn agrees_on_endless(&self) -> bool {
        self.terms.iter().all(|t| t.endless() == self.endless())
    }

    /// Whether the theory of values of short games applies to all its rules: see [`super::instance::Instance::has_values`].
    #[must_use]
    pub fn has_values(&self) -> bool {
        self.instances().all(|i| i.has_values())
    }

    /// The name of a player, by the first term's ruleset.
    #[must_use]
    pub fn player_name(&self, player: Player) -> Arc<str> {
        let names = self.instances().next().map(|i| &i.players);
        let name = names.and_then(|n| n.get(player.index()).cloned());
        name.unwrap_or_else(|| match player {
            Player::LEFT => "Left".into(),
            Player::RIGHT => "Right".into(),
            Player(n) => (u32::from(n) + 1).to_string().into(),
        })
    }

    /// The position after a move to `state` in one copy of term `index`.
    ///
    /// # Errors
    /// See [`Position::sum`].
    pub fn after(&self, index: usize, state: State, span: Span) -> Res<Position> {
        let mut terms = self.terms.clone();
        let Some(t) = terms.get_mut(index) else {
            return Ok(self.clone());
        };
        let moved = Term {
            setting: t.setting.clone(),
            state,
            negated: t.negated,
            count: Int::ONE,
        };
        t.count = t.count.sub(&Int::ONE).unwrap_or_default();
        terms.push(moved);
        Position::sum(terms, span)
    }
}
