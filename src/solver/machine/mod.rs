//! The machine: a position of the language comes in, something that the engine can search comes out ([`Game`]), fast.
//!
//! Each term of the position is grounded ([`crate::ir::ground`]) and packed into words (`pack`); what cannot be grounded
//! is played by the naive evaluator (`level1`). Parts are found (`split`) and known by their shape (`key`); keys do not
//! depend on the board, so one engine may serve many machines. The analyses are those of language.md, section 7; each
//! can be switched off ([`Settings`]).

mod copies;
mod ending;
mod ends;
mod explain;
mod images;
mod index;
mod keep;
mod key;
mod level1;
mod margin;
mod narrow;
mod pack;
mod regions;
mod removal;
mod rooted;
mod settings;
mod split;
mod tied;
pub mod upsets;

pub use explain::{Explanation, TermExplanation};
pub use key::Key;
pub use settings::{Counters, Planted, Settings};

use crate::base::Span;
use crate::game::{Cancel, Convention, End, Errand, Game, Player, Rules, Shortcut, Sign, Step};
use crate::ir::eval::{Evaluator, NoHost};
use crate::ir::fault::Code;
use crate::ir::ground::{self, Ground};
use crate::ir::naive;
use crate::ir::{Fault, Position, State, Term};
use crate::model::typed::Model;
use level1::Level1;
pub use level1::same_definitions;
use pack::Program;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// The most copies of positions in one sum.
const MAX_PARTS: usize = 100_000;

/// A position of the machine, or a part of one: its first number is the program, doubled, plus 1 if the players' roles
/// are exchanged.
#[derive(Clone, Eq, Debug)]
pub enum Packed {
    /// One word.
    One(u32, u64),
    /// Two words.
    Two(u32, [u64; 2]),
    /// More words.
    Many(u32, Box<[u64]>),
    /// A state of level 1.
    State(u32, Arc<State>),
    /// Several.
    Sum(Box<[Packed]>),
}

impl PartialEq for Packed {
    #[inline]
    fn eq(&self, other: &Packed) -> bool {
        match (self, other) {
            (Packed::One(p, v), Packed::One(q, w)) => v == w && p == q,
            (Packed::Two(p, v), Packed::Two(q, w)) => v == w && p == q,
            (Packed::Many(p, v), Packed::Many(q, w)) => p == q && v == w,
            (Packed::State(p, s), Packed::State(q, t)) => p == q && s == t,
            (Packed::Sum(a), Packed::Sum(b)) => a == b,
            _ => false,
        }
    }
}

impl Packed {
    /// The number of its program, doubled; plus 1 if the players' roles are exchanged. Of a sum, of its first term.
    fn number(&self) -> u32 {
        match self {
            Packed::One(p, _) | Packed::Two(p, _) | Packed::Many(p, _) | Packed::State(p, _) => *p,
            Packed::Sum(list) => list.first().map_or(0, Packed::number),
        }
    }

    /// Terms of a sum in this order: equal sums are written alike.
    fn order(&self) -> (u32, u64) {
        let mut hasher = FxHasher::default();
        self.hash(&mut hasher);
        (self.number(), hasher.finish())
    }
}

impl Hash for Packed {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Packed::One(p, w) => {
                state.write_u32(*p);
                state.write_u64(*w);
            }
            Packed::Two(p, w) => {
                state.write_u32(*p);
                state.write_u64(w[0]);
                state.write_u64(w[1]);
            }
            Packed::Many(p, w) => {
                state.write_u32(*p);
                w.iter().for_each(|w| state.write_u64(*w));
            }
            Packed::State(p, s) => {
                state.write_u32(*p);
                s.hash(state);
            }
            Packed::Sum(list) => list.hash(state),
        }
    }
}

fn wrap<const N: usize>(program: u32, words: [u64; N]) -> Packed {
    match words[..] {
        [a] => Packed::One(program, a),
        [a, b] => Packed::Two(program, [a, b]),
        _ => Packed::Many(program, words[..].into()),
    }
}

fn words<const N: usize>(p: &Packed) -> [u64; N] {
    let mut out = [0; N];
    let from: &[u64] = match p {
        Packed::One(_, w) => std::slice::from_ref(w),
        Packed::Two(_, w) => w,
        Packed::Many(_, w) => w,
        _ => &[],
    };
    for (o, w) in out.iter_mut().zip(from) {
        *o = *w;
    }
    out
}

// One for each board: the size of the widest does not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Debug)]
enum Kind {
    W1(Program<1>),
    W2(Program<2>),
    W4(Program<4>),
    W8(Program<8>),
    W16(Program<16>),
    Level1(Level1),
}

/// Runs an expression for the program of any width, or another for level 1.
macro_rules! each_width {
    ($kind:expr, $p:ident => $packed:expr, $l:ident => $level1:expr) => {
        match $kind {
            Kind::W1($p) => $packed,
            Kind::W2($p) => $packed,
            Kind::W4($p) => $packed,
            Kind::W8($p) => $packed,
            Kind::W16($p) => $packed,
            Kind::Level1($l) => $level1,
        }
    };
}
use each_width;

/// One ruleset on one board.
#[derive(Debug)]
struct Compiled {
    term: Term,
    kind: Kind,
    /// Why it is played at level 1.
    reason: Option<String>,
    ends: Option<String>,
}

/// A position of the language, ready to be searched. All positions that can follow it are positions of this game.
#[derive(Debug)]
pub struct Machine {
    model: Arc<Model>,
    terms: Vec<Compiled>,
    players: u8,
    convention: Convention,
    endless: Option<Player>,
    start: Packed,
    settings: Settings,
    ends: bool,
    faultless: bool,
    counters: Arc<Counters>,
    cancel: Cancel,
}

impl Machine {
    /// Compiles a position with all shortcuts.
    ///
    /// # Errors
    /// A sum of too many copies.
    pub fn new(model: &Arc<Model>, position: &Position) -> Result<Machine, Box<Fault>> {
        Machine::with_settings(model, position, Settings::default())
    }

    /// Compiles a position.
    ///
    /// # Errors
    /// A sum of too many copies.
    pub fn with_settings(
        model: &Arc<Model>,
        position: &Position,
        settings: Settings,
    ) -> Result<Machine, Box<Fault>> {
        Machine::until(model, position, settings, &Cancel::new())
    }

    /// The same; compiling and what is played from the text of the rules end when somebody cancels.
    ///
    /// # Errors
    /// A sum of too many copies; that somebody has cancelled.
    pub fn until(
        model: &Arc<Model>,
        position: &Position,
        settings: Settings,
        cancel: &Cancel,
    ) -> Result<Machine, Box<Fault>> {
        let mut terms: Vec<Compiled> = Vec::new();
        let mut start = Vec::new();
        for term in position.terms() {
            let same = terms
                .iter()
                .position(|c| c.term.setting == term.setting && c.term.state == term.state);
            let index = match same {
                Some(i) => i,
                None => {
                    terms.push(compile(model, term, &settings, cancel));
                    if cancel.is_cancelled() {
                        return Err(Fault::new(
                            Code::Cancelled,
                            Span::default(),
                            "the search was cancelled, or its time was over",
                        ));
                    }
                    terms.len() - 1
                }
            };
            let copies = term.count.to_usize().unwrap_or(usize::MAX);
            if start.len().saturating_add(copies) > MAX_PARTS {
                return Err(Fault::new(
                    Code::TooMuch,
                    Span::default(),
                    format!("a sum of more than {MAX_PARTS} positions"),
                ));
            }
            let number = u32::try_from(index).unwrap_or(u32::MAX) << 1 | u32::from(term.negated);
            let one = terms[index].pack(number, &term.state);
            let one = one.unwrap_or_else(|| Packed::State(number, Arc::new(term.state.clone())));
            start.extend(std::iter::repeat_n(one, copies));
        }
        let start = match &start[..] {
            [one] => one.clone(),
            _ => Packed::Sum(start.into()),
        };
        Ok(Machine {
            model: model.clone(),
            ends: !terms.is_empty() && terms.iter().all(|t| t.ends.is_some()),
            counters: Arc::default(),
            cancel: cancel.clone(),
            faultless: terms.iter().all(|t| {
                each_width!(&t.kind, p => p.masks.iter().all(|m| m.fault.is_none()), _l => false)
            }),
            terms,
            players: position.players(),
            convention: position.convention(),
            endless: position.endless(),
            start,
            settings,
        })
    }

    /// The machine, counting together with others.
    #[must_use]
    pub fn counting_in(mut self, counters: &Arc<Counters>) -> Machine {
        for t in &self.terms {
            each_width!(&t.kind, p => {
                counters.compiled.fetch_add(1, Relaxed);
                counters.by_sets.fetch_add(u64::from(p.index.is_some()), Relaxed);
                counters.symmetric.fetch_add(u64::from(p.turns.len() > 1), Relaxed);
                counters.copies.fetch_add(u64::from(p.copies()), Relaxed);
                counters.open.fetch_add(u64::from(p.open.is_some()), Relaxed);
                counters.removals.fetch_add(u64::from(p.removal.is_some()), Relaxed);
                counters.rooted.fetch_add(u64::from(p.rooted.is_some()), Relaxed);
                if let Some(pattern) = &p.key.pattern {
                    counters.symmetric.fetch_add(u64::from(pattern.images.len() > 1), Relaxed);
                    counters.mixed.fetch_add(u64::from(pattern.is_mixed()), Relaxed);
                    counters.bits.fetch_add(u64::from(pattern.is_bits()), Relaxed);
                }
            }, _l => ());
        }
        self.counters = counters.clone();
        self
    }

    /// The position that was compiled.
    #[must_use]
    pub fn initial(&self) -> Packed {
        self.start.clone()
    }

    /// A position as this machine's, if what was compiled speaks for it: each position that follows the one compiled, and
    /// others on its board; else `None`.
    #[must_use]
    pub fn pack(&self, position: &Position) -> Option<Packed> {
        let mut all = Vec::new();
        for term in position.terms() {
            let one = self.terms.iter().enumerate().find_map(|(i, c)| {
                if c.term.setting != term.setting {
                    return None;
                }
                c.pack(
                    u32::try_from(i).ok()? << 1 | u32::from(term.negated),
                    &term.state,
                )
            })?;
            let copies = term.count.to_usize()?;
            if all.len().saturating_add(copies) > MAX_PARTS {
                return None;
            }
            all.extend(std::iter::repeat_n(one, copies));
        }
        Some(match &all[..] {
            [one] => one.clone(),
            _ => Packed::Sum(all.into()),
        })
    }

    /// A position of this machine as one of the language. Of a part, what is out of play is shown as nobody's any more
    /// where there is a value for that, else as it was at the start.
    #[must_use]
    pub fn show(&self, position: &Packed) -> Position {
        let mut terms = Vec::new();
        self.show_into(position, &mut terms);
        Position::sum(terms, Span::default()).unwrap_or_default()
    }

    fn show_into(&self, position: &Packed, terms: &mut Vec<Term>) {
        let number = match position {
            Packed::Sum(list) => {
                for p in list.iter() {
                    self.show_into(p, terms);
                }
                return;
            }
            Packed::One(p, _) | Packed::Two(p, _) | Packed::Many(p, _) | Packed::State(p, _) => *p,
        };
        let Some(c) = self.terms.get((number >> 1) as usize) else {
            return;
        };
        let state = match (position, &c.kind) {
            (Packed::State(_, s), _) => (**s).clone(),
            (_, kind) => each_width!(kind,
                p => p.ground.state(&c.term.state, &p.unpack(&words(position))),
                _l => c.term.state.clone()),
        };
        terms.push(Term {
            setting: c.term.setting.clone(),
            state,
            negated: is_exchanged(number),
            count: crate::ir::Int::ONE,
        });
    }

    /// What was derived, with reasons.
    #[must_use]
    pub fn explain(&self) -> Explanation {
        explain::explain(self)
    }

    /// The ground instances of each term, where it was grounded.
    pub fn grounds(&self) -> impl Iterator<Item = Option<&Arc<Ground>>> + '_ {
        self.terms
            .iter()
            .map(|t| each_width!(&t.kind, p => Some(&p.ground), _l => None))
    }

    fn term(&self, number: u32) -> &Compiled {
        // Numbers come from this machine's own positions.
        &self.terms[(number >> 1) as usize]
    }
}

/// Whether the players of a term exchange their roles: of its number, doubled, the last bit.
const fn is_exchanged(number: u32) -> bool {
    number & 1 == 1
}

/// The player whose moves a player has in a term.
fn role(number: u32, player: Player) -> Player {
    match is_exchanged(number) {
        true => player.opponent(),
        false => player,
    }
}

/// What Left and Right have in a term, from what is so by its rules.
const fn in_roles(number: u32, [left, right]: [u32; 2]) -> [u32; 2] {
    match is_exchanged(number) {
        true => [right, left],
        false => [left, right],
    }
}

impl Machine {
    /// Counts a key of a term; its sign is the other one where the players of the term are exchanged.
    fn signed_key(&self, number: u32, key: Key, sign: Sign) -> (Key, Sign) {
        let counter = match key.kind() {
            key::Kind::Pattern => &self.counters.patterns,
            key::Kind::Shape | key::Kind::Rooted => &self.counters.shapes,
            key::Kind::Removal => &self.counters.graphs,
            key::Kind::State => &self.counters.states,
        };
        counter.fetch_add(1, Relaxed);
        match (is_exchanged(number), sign) {
            (false, sign) => (key, sign),
            (true, Sign::Plus) => (key, Sign::Minus),
            (true, Sign::Minus) => (key, Sign::Plus),
        }
    }
}

fn compile(model: &Arc<Model>, term: &Term, settings: &Settings, cancel: &Cancel) -> Compiled {
    let mut reason = "grounding is switched off".to_owned();
    if settings.has(Shortcut::Ground) {
        let packed = Ground::until(model, &term.setting, &term.state, cancel).and_then(|ground| {
            let ground = if settings.reread {
                // Printed and read back: what is played is what the text says.
                ground::read(&ground::show(&ground), &ground)
                    .map_err(|e| format!("line {}: {}", e.line, e.message))?
            } else {
                ground
            };
            let layout = pack::layout(&ground, settings)?;
            Ok((Arc::new(ground), layout))
        });
        match packed {
            Ok((ground, layout)) => {
                let ends = match settings.planted == Some(settings::Planted::EndsAlways) {
                    true => Some(String::new()),
                    false => ending::why_it_ends(&ground),
                };
                let kind = match layout.words {
                    0 | 1 => Some(Kind::W1(Program::new(ground, &layout, settings))),
                    2 => Some(Kind::W2(Program::new(ground, &layout, settings))),
                    3 | 4 => Some(Kind::W4(Program::new(ground, &layout, settings))),
                    5..=8 => Some(Kind::W8(Program::new(ground, &layout, settings))),
                    9..=16 => Some(Kind::W16(Program::new(ground, &layout, settings))),
                    _ => None,
                };
                if let Some(kind) = kind {
                    return Compiled {
                        term: term.clone(),
                        kind,
                        reason: None,
                        ends,
                    };
                }
                reason = "its states take more than 1024 bits".into();
            }
            Err(why) => reason = why,
        }
    }
    Compiled {
        term: term.clone(),
        kind: Kind::Level1(Level1::new(model, &term.setting, settings)),
        reason: Some(reason),
        ends: None,
    }
}

impl Compiled {
    fn pack(&self, number: u32, state: &State) -> Option<Packed> {
        each_width!(&self.kind,
            p => {
                let words = p.pack(&p.ground.numbers(state)?);
                p.speaks_for(&words).then(|| wrap(number, words))
            },
            _l => Some(Packed::State(number, Arc::new(state.clone()))))
    }
}

impl Rules for Machine {
    type Position = Packed;
    type Fault = Box<Fault>;

    fn players(&self) -> u8 {
        self.players
    }

    fn convention(&self) -> Convention {
        self.convention
    }

    fn endless(&self) -> Option<Player> {
        self.endless
    }

    fn ended(&self, position: &Packed) -> Result<Option<End>, Box<Fault>> {
        let ev = Evaluator::new(&self.model, &NoHost).with_cancel(self.cancel.clone());
        naive::ended(&ev, &self.show(position), None)
    }

    fn steps(
        &self,
        position: &Packed,
        player: Player,
        steps: &mut Vec<Step<Packed>>,
    ) -> Result<(), Box<Fault>> {
        if let Packed::Sum(list) = position {
            let mut own = Vec::new();
            for (i, p) in list.iter().enumerate() {
                if i > 0 && list[i - 1] == *p {
                    continue;
                }
                self.steps(p, player, &mut own)?;
                for step in own.drain(..) {
                    let mut all = list.clone();
                    all[i] = step.to;
                    // The others may say that whoever has moved has won.
                    let mut end = step.end;
                    for (_, other) in list.iter().enumerate().filter(|(j, _)| *j != i) {
                        if end.is_none() {
                            end = self.end_of_term(other, player)?;
                        }
                    }
                    all.sort_unstable_by_key(Packed::order);
                    steps.push(Step {
                        to: Packed::Sum(all),
                        again: step.again,
                        end,
                    });
                }
            }
            return Ok(());
        }
        let number = position.number();
        let mover = role(number, player);
        let from = steps.len();
        each_width!(&self.term(number).kind,
        p => {
            p.steps(&words(position), mover.index(), |s, again| {
                let end = p.ends.ended(&s, mover).map(|e| end_in_roles(number, e));
                steps.push(Step { to: wrap(number, s), again, end });
            })?;
        },
        l => {
            if let Packed::State(_, state) = position {
                let reached = l.reached(&self.model, &self.cancel, state, mover)?;
                for r in reached {
                    let to = Packed::State(number, Arc::new(r.state));
                    steps.push(Step { to, again: r.again, end: None });
                }
                for step in &mut steps[from..] {
                    step.end = self.end_of_term(&step.to, player)?;
                }
            }
        });
        Ok(())
    }

    fn position_bytes(&self, position: &Packed) -> usize {
        Game::position_bytes(self, position)
    }
}

impl Machine {
    /// How play has ended at one term where a player has just moved.
    fn end_of_term(&self, position: &Packed, last: Player) -> Result<Option<End>, Box<Fault>> {
        let number = position.number();
        let mover = role(number, last);
        let compiled = self.term(number);
        let end = each_width!(&compiled.kind,
        p => p.ends.ended(&words(position), mover),
        _l => match position {
            Packed::State(_, state) => {
                let ev = Evaluator::new(&self.model, &NoHost).with_cancel(self.cancel.clone());
                naive::ended_in(&ev, &compiled.term.setting, state, Some(mover))?
            }
            _ => None,
        });
        Ok(end.map(|e| end_in_roles(number, e)))
    }
}

/// An end of a term, by the players of the sum.
fn end_in_roles(number: u32, end: End) -> End {
    match end {
        End::Won(who) if is_exchanged(number) => End::Won((who & 1) << 1 | (who >> 1 & 1)),
        end => end,
    }
}

impl Game for Machine {
    type Position = Packed;
    type Key = Key;
    type Fault = Box<Fault>;

    fn players(&self) -> u8 {
        self.players
    }

    fn convention(&self) -> Convention {
        self.convention
    }

    fn options(
        &self,
        position: &Packed,
        player: Player,
        options: &mut Vec<Packed>,
    ) -> Result<(), Box<Fault>> {
        let number = match position {
            Packed::Sum(list) => {
                let mut own = Vec::new();
                for (i, p) in list.iter().enumerate() {
                    if i > 0 && list[i - 1] == *p {
                        continue;
                    }
                    self.options(p, player, &mut own)?;
                    for option in own.drain(..) {
                        let mut all = list.clone();
                        all[i] = option;
                        options.push(Packed::Sum(all));
                    }
                }
                return Ok(());
            }
            Packed::One(p, _) | Packed::Two(p, _) | Packed::Many(p, _) | Packed::State(p, _) => *p,
        };
        let mover = role(number, player);
        let compiled = self.term(number);
        each_width!(&compiled.kind,
        p => {
            p.options(&words(position), mover.index(), |s| options.push(wrap(number, s)))?;
        },
        l => {
            if let Packed::State(_, state) = position {
                let reached = l.options(&self.model, &self.cancel, state, mover)?;
                options.extend(reached.into_iter().map(|s| Packed::State(number, Arc::new(s))));
            }
        });
        Ok(())
    }

    fn split(&self, position: &Packed, parts: &mut Vec<Packed>) {
        let number = match position {
            Packed::Sum(list) => {
                for p in list.iter() {
                    self.split(p, parts);
                }
                return;
            }
            Packed::One(p, _) | Packed::Two(p, _) | Packed::Many(p, _) | Packed::State(p, _) => *p,
        };
        if !self.settings.has(Shortcut::Split) {
            parts.push(position.clone());
            return;
        }
        each_width!(&self.term(number).kind,
        p => p.split(&words(position), |part| parts.push(wrap(number, part))),
        l => if let Packed::State(_, state) = position {
            l.split(state, |s| parts.push(Packed::State(number, s)));
        })
    }

    fn regions(&self, from: Option<&Packed>, position: &Packed, parts: &mut Vec<Packed>) -> bool {
        let number = match position {
            Packed::One(p, _) | Packed::Two(p, _) | Packed::Many(p, _) => *p,
            Packed::State(..) | Packed::Sum(_) => return false,
        };
        // A part of a sum is one of its terms.
        let from = from.filter(|part| match part {
            Packed::One(p, _) | Packed::Two(p, _) | Packed::Many(p, _) => *p == number,
            Packed::State(..) | Packed::Sum(_) => false,
        });
        each_width!(&self.term(number).kind,
            p => {
                let from = from.map(words);
                p.regions(from.as_ref(), &words(position), |part| parts.push(wrap(number, part)))
            },
            _l => false)
    }

    fn key(&self, part: &Packed) -> (Key, Sign) {
        let number = match part {
            Packed::Sum(list) => {
                // Parts that were not taken apart: all keys, one after the other.
                let mut all = Vec::new();
                for p in list.iter() {
                    let (key, sign) = self.key(p);
                    all.push(key.words().len() as u64 | u64::from(sign == Sign::Minus) << 63);
                    all.extend_from_slice(key.words());
                }
                return (key::sum_key(&all), Sign::Plus);
            }
            Packed::One(p, _) | Packed::Two(p, _) | Packed::Many(p, _) | Packed::State(p, _) => *p,
        };
        let (key, sign) = each_width!(&self.term(number).kind,
        p => p.key(&words(part), &self.settings),
        l => match part {
            Packed::State(_, state) => (l.key(state), Sign::Plus),
            _ => (key::sum_key(&[]), Sign::Plus),
        });
        self.signed_key(number, key, sign)
    }

    fn portable(&self, key: &Key, bytes: &mut Vec<u8>) -> Option<u32> {
        key::portable(key, bytes)
    }

    fn rules(&self, number: u32) -> Vec<u8> {
        key::rules(number)
    }

    fn mobility(&self, part: &Packed) -> Option<[u32; 2]> {
        let number = match part {
            Packed::One(p, _) | Packed::Two(p, _) | Packed::Many(p, _) => *p,
            Packed::State(..) | Packed::Sum(_) => return None,
        };
        let own = each_width!(&self.term(number).kind,
            p => p.mobility(&words(part)),
            _l => return None);
        Some(in_roles(number, own))
    }

    fn tied(&self, part: &Packed, player: Player, weight: u32, pieces: &mut Vec<Packed>) -> bool {
        let number = match part {
            Packed::One(p, _) | Packed::Two(p, _) | Packed::Many(p, _) => *p,
            Packed::State(..) | Packed::Sum(_) => return false,
        };
        if !self.settings.has(Shortcut::Split) || self.players != 2 {
            return false;
        }
        let own = role(number, player);
        each_width!(&self.term(number).kind,
            p => p.tied(&words(part), own.index(), weight, |s| pieces.push(wrap(number, s))),
            _l => false)
    }

    fn is_impartial(&self, part: &Packed) -> bool {
        if !self.settings.has(Shortcut::Impartial) {
            return false;
        }
        let number = match part {
            Packed::Sum(list) => return list.iter().all(|p| self.is_impartial(p)),
            Packed::One(p, _) | Packed::Two(p, _) | Packed::Many(p, _) | Packed::State(p, _) => *p,
        };
        each_width!(&self.term(number).kind,
            p => p.all_share(&words(part)),
            l => l.everyone)
    }

    fn ends(&self) -> bool {
        self.ends
    }

    fn is_faultless(&self) -> bool {
        self.faultless
    }

    fn weight(&self, part: &Packed) -> u32 {
        match part {
            Packed::One(_, w) => w.count_ones(),
            Packed::Two(_, w) => w.iter().map(|w| w.count_ones()).sum(),
            Packed::Many(_, w) => w.iter().map(|w| w.count_ones()).sum(),
            Packed::State(..) => 0,
            Packed::Sum(list) => list.iter().map(|p| self.weight(p)).sum(),
        }
    }

    fn narrowed<E: Errand<Machine>>(&self, position: &Packed, errand: E) -> Result<E::Output, E> {
        let number = match position {
            Packed::One(p, _) | Packed::Two(p, _) | Packed::Many(p, _) => *p,
            Packed::State(..) | Packed::Sum(_) => return Err(errand),
        };
        let kind = &self.term(number).kind;
        let errand = each_width!(kind, p => match &p.removal {
            // The parts of an order are dear to write as graphs, and for nimbers that does not pay.
            Some(removal)
                if self.settings.has(Shortcut::Split)
                    && self.settings.has(Shortcut::Shapes)
                    && (removal.mutual || !self.is_impartial(position)) =>
            {
                return Ok(narrow::remove(self, p, removal, number, position, errand));
            }
            _ => errand,
        }, _l => errand);
        match kind {
            Kind::W1(p) => Ok(narrow::run(self, p, number, position, errand)),
            Kind::W2(p) => Ok(narrow::run(self, p, number, position, errand)),
            // Wider positions cost more than they would save.
            _ => Err(errand),
        }
    }

    fn position_bytes(&self, position: &Packed) -> usize {
        match position {
            Packed::One(..) | Packed::Two(..) => 0,
            Packed::Many(_, w) => 8 * w.len(),
            Packed::State(_, s) => size_of::<State>() + s.vars.len() * 24 + s.heaps.len() * 64,
            Packed::Sum(list) => list
                .iter()
                .map(|p| size_of::<Packed>() + Game::position_bytes(self, p))
                .sum(),
        }
    }

    fn key_bytes(&self, key: &Key) -> usize {
        key.heap_bytes()
    }
}
