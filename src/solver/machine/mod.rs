//! The machine: compiles a position of the language to a game that the engine searches fast.
//!
//! Each term of the position is grounded ([`crate::ir::ground`]) and packed into words (`pack`); a term that cannot be
//! grounded is played by the naive evaluator (`level1`), or by code where its state is a few integers (`integers`). `states`
//! collects what the states of one term provide, and `game` implements the traits of the engine with it. Positions are split into parts (`split`) with keys (`key`). Keys of patterns,
//! shapes and graphs do not depend on the board, so one engine may serve many machines. The analyses are those of
//! language.md, section 7; each can be switched off ([`Settings`]).

mod asked;
mod bare;
mod copies;
mod ending;
mod ends;
mod explain;
mod game;
mod goals;
mod images;
mod index;
mod integers;
mod keep;
mod key;
mod lasting;
mod level1;
mod margin;
mod pack;
mod pairing;
mod regions;
mod removal;
mod rooted;
mod settings;
mod split;
mod states;
mod tied;
pub mod upsets;

pub use bare::{Bare, Bared};
pub use explain::{Explanation, TermExplanation};
pub use key::Key;
pub use settings::{Counters, Planted, Settings};

use crate::base::Span;
use crate::game::{Cancel, Convention, Player, Shortcut};
use crate::ir::fault::Code;
use crate::ir::ground::{self, Fallbacks, Ground, Resort};
use crate::ir::{Fault, Position, State, Term};
use crate::model::typed::Model;
use game::{in_words, is_exchanged};
use level1::Level1;
pub use level1::same_definitions;
use pack::Program;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// The most positions in one sum, copies included.
const MAX_PARTS: usize = 100_000;

/// A position of the machine, or a part of one. The number is that of its program, doubled, plus 1 if the players exchange
/// their roles.
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
    /// A sum of positions.
    Sum(Box<[Packed]>),
}

impl PartialEq for Packed {
    #[inline(always)]
    fn eq(&self, other: &Packed) -> bool {
        match (self, other) {
            (Packed::One(p, v), Packed::One(q, w)) => v == w && p == q,
            _ => self.equals(other),
        }
    }
}

impl Packed {
    // Apart, so that the comparison of single words is inlined.
    fn equals(&self, other: &Packed) -> bool {
        match (self, other) {
            (Packed::Two(p, v), Packed::Two(q, w)) => v == w && p == q,
            (Packed::Many(p, v), Packed::Many(q, w)) => p == q && v == w,
            (Packed::State(p, s), Packed::State(q, t)) => p == q && s == t,
            (Packed::Sum(a), Packed::Sum(b)) => a == b,
            _ => false,
        }
    }

    /// The number of its program, doubled, plus 1 if the players exchange their roles. The number of a sum is that of its
    /// first term.
    fn number(&self) -> u32 {
        match self {
            Packed::One(p, _) | Packed::Two(p, _) | Packed::Many(p, _) | Packed::State(p, _) => *p,
            Packed::Sum(list) => list.first().map_or(0, Packed::number),
        }
    }

    /// The sort key of the terms of a sum, so that equal sums are equal lists.
    fn order(&self) -> (u32, u64) {
        let mut hasher = FxHasher::default();
        self.hash(&mut hasher);
        (self.number(), hasher.finish())
    }
}

impl Hash for Packed {
    #[inline(always)]
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Packed::One(p, w) => {
                state.write_u32(*p);
                state.write_u64(*w);
            }
            _ => self.hash_longer(state),
        }
    }
}

impl Packed {
    // Apart, so that the hash of single words is inlined.
    fn hash_longer<H: Hasher>(&self, state: &mut H) {
        match self {
            // Written by `hash`.
            Packed::One(..) => {}
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

#[derive(Debug)]
enum Kind {
    W1(Arc<Program<1>>),
    W2(Arc<Program<2>>),
    W4(Arc<Program<4>>),
    /// Not on WebAssembly, where each width makes the page's engine larger.
    #[cfg(not(target_family = "wasm"))]
    W8(Arc<Program<8>>),
    W16(Arc<Program<16>>),
    Level1(Level1),
}

/// Runs one expression for a program of any width, another for level 1.
macro_rules! each_width {
    ($kind:expr, $p:ident => $packed:expr, $l:ident => $level1:expr) => {
        match $kind {
            Kind::W1($p) => {
                let $p = &**$p;
                $packed
            }
            Kind::W2($p) => {
                let $p = &**$p;
                $packed
            }
            Kind::W4($p) => {
                let $p = &**$p;
                $packed
            }
            #[cfg(not(target_family = "wasm"))]
            Kind::W8($p) => {
                let $p = &**$p;
                $packed
            }
            Kind::W16($p) => {
                let $p = &**$p;
                $packed
            }
            Kind::Level1($l) => $level1,
        }
    };
}
use each_width;

/// One ruleset on one board.
#[derive(Debug)]
struct Compiled {
    term: Term,
    /// Other states of the board whose followers are covered.
    others: Vec<State>,
    kind: Kind,
    /// Why it is played at level 1, if it is.
    reason: Option<String>,
    /// Whether that was decided early.
    hasty: bool,
    ends: Option<String>,
}

/// The steps of compiling that take about a twentieth of a second.
pub const FEW_STEPS: u64 = 1 << 17;

/// The most states for whose followers a machine is widened. It takes at most one for each value that a place may hold.
const MOST_STARTS: usize = 256;

/// A compiled position. All its followers are positions of this game.
#[derive(Debug)]
pub struct Machine {
    model: Arc<Model>,
    terms: Vec<Arc<Compiled>>,
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
    /// `TooMuch` for a sum of more than 100,000 positions.
    pub fn new(model: &Arc<Model>, position: &Position) -> Result<Machine, Box<Fault>> {
        Machine::with_settings(model, position, Settings::default())
    }

    /// Compiles a position.
    ///
    /// # Errors
    /// `TooMuch` for a sum of more than 100,000 positions.
    pub fn with_settings(
        model: &Arc<Model>,
        position: &Position,
        settings: Settings,
    ) -> Result<Machine, Box<Fault>> {
        Machine::until(model, position, settings, &Cancel::new())
    }

    /// The same; compilation and the naive evaluator stop when `cancel` is cancelled.
    ///
    /// # Errors
    /// `TooMuch` for a sum of more than 100,000 positions, or the reason of the cancellation.
    pub fn until(
        model: &Arc<Model>,
        position: &Position,
        settings: Settings,
        cancel: &Cancel,
    ) -> Result<Machine, Box<Fault>> {
        Machine::over(model, position, &[], settings, cancel)
    }

    /// Whether compiling could take as many steps as are worth it.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        self.settings.steps.is_none()
    }

    /// Whether compiling was given up early ([`Settings::steps`]), so that more work may do.
    #[must_use]
    pub fn is_hasty(&self) -> bool {
        self.terms.iter().any(|own| own.hasty)
    }

    /// The same for a position on the board of this one, covering the followers of both. `None` if they have no common list of
    /// moves, or too many positions were covered before.
    ///
    /// # Errors
    /// As [`Machine::until`].
    pub fn widened(
        &self,
        position: &Position,
        cancel: &Cancel,
    ) -> Result<Option<Machine>, Box<Fault>> {
        let ([own], [term]) = (&self.terms[..], position.terms()) else {
            return Ok(None);
        };
        if !own.term.setting.is_like(&term.setting)
            || own.reason.is_some()
            || self.endless != position.endless()
            || own.others.len() >= MOST_STARTS
        {
            return Ok(None);
        }
        let mut others = own.others.clone();
        others.push(own.term.state.clone());
        // Where it takes long, each position is better off alone.
        let settings = Settings {
            steps: Some(FEW_STEPS),
            ..self.settings
        };
        let wide = Machine::over(&self.model, position, &others, settings, cancel)?;
        Ok(wide.is_grounded().then_some(wide))
    }

    /// Whether this was compiled for what a single term starts from, and for nothing else: widened machines cover more.
    #[must_use]
    pub fn is_of(&self, term: &Term) -> bool {
        matches!(&self.terms[..], [own] if own.others.is_empty() && own.is_for(term))
    }

    // `others` are states on the board of the terms.
    fn over(
        model: &Arc<Model>,
        position: &Position,
        others: &[State],
        settings: Settings,
        cancel: &Cancel,
    ) -> Result<Machine, Box<Fault>> {
        let mut compiled: Vec<Arc<Compiled>> = Vec::new();
        for term in position.terms() {
            let one = match compiled.iter().find(|c| c.is_for(term)) {
                Some(same) => same.clone(),
                None => compile(model, term, others, &settings, cancel).into(),
            };
            if let Some(reason) = cancel.reason() {
                return Err(Fault::ended(reason, Span::default()));
            }
            compiled.push(one);
        }
        Machine::assembled(model, position, &compiled, settings, cancel)
    }

    /// The machine of a sum, from machines for each of its terms alone, in their order.
    ///
    /// # Errors
    /// `TooMuch` for a sum of more than 100,000 positions.
    pub fn of_sum(
        model: &Arc<Model>,
        position: &Position,
        machines: &[Arc<Machine>],
        settings: Settings,
        cancel: &Cancel,
    ) -> Result<Machine, Box<Fault>> {
        let compiled: Vec<_> = machines.iter().flat_map(|m| m.terms.clone()).collect();
        Machine::assembled(model, position, &compiled, settings, cancel)
    }

    // `compiled` has a program for each term of the position.
    fn assembled(
        model: &Arc<Model>,
        position: &Position,
        compiled: &[Arc<Compiled>],
        settings: Settings,
        cancel: &Cancel,
    ) -> Result<Machine, Box<Fault>> {
        let mut terms: Vec<Arc<Compiled>> = Vec::new();
        let mut start = Vec::new();
        for (term, own) in position.terms().iter().zip(compiled) {
            let same = terms.iter().position(|c| Arc::ptr_eq(c, own));
            let index = same.unwrap_or(terms.len());
            if same.is_none() {
                terms.push(own.clone());
            }
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
        start.sort_unstable_by_key(Packed::order);
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

    /// The machine with counters shared with others; adds what was compiled to them.
    #[must_use]
    pub fn counting_in(self, counters: &Arc<Counters>) -> Machine {
        for t in &self.terms {
            each_width!(&t.kind, p => {
                counters.compiled.fetch_add(1, Relaxed);
                counters.by_sets.fetch_add(u64::from(p.index.is_some()), Relaxed);
                counters.symmetric.fetch_add(u64::from(!p.images.is_empty()), Relaxed);
                counters.copies.fetch_add(u64::from(p.copies()), Relaxed);
                counters.removals.fetch_add(u64::from(p.removal.is_some()), Relaxed);
                counters.rooted.fetch_add(u64::from(p.rooted.is_some()), Relaxed);
                if let Some(pattern) = &p.key.pattern {
                    counters.symmetric.fetch_add(u64::from(pattern.images.len() > 1), Relaxed);
                    counters.mixed.fetch_add(u64::from(pattern.is_mixed()), Relaxed);
                    counters.bits.fetch_add(u64::from(pattern.is_bits()), Relaxed);
                }
            }, l => {
                counters.integers.fetch_add(u64::from(l.integers.is_some()), Relaxed);
            });
        }
        self.counted_in(counters)
    }

    /// The machine with counters shared with others, to which its terms were added before.
    #[must_use]
    pub fn counted_in(mut self, counters: &Arc<Counters>) -> Machine {
        self.counters = counters.clone();
        self
    }

    /// The position that was compiled.
    #[must_use]
    pub fn initial(&self) -> Packed {
        self.start.clone()
    }

    /// Packs a position. `None` if it is not covered by what was compiled; each follower of the compiled position is covered,
    /// and so are others on its boards.
    #[must_use]
    pub fn pack(&self, position: &Position) -> Option<Packed> {
        let mut all = Vec::new();
        for term in position.terms() {
            let one = self.terms.iter().enumerate().find_map(|(i, c)| {
                if !c.term.setting.is_like(&term.setting) {
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
        all.sort_unstable_by_key(Packed::order);
        Some(match &all[..] {
            [one] => one.clone(),
            _ => Packed::Sum(all.into()),
        })
    }

    /// Whether different positions that follow from this one are packed differently. Words may leave out what no later move
    /// asks for.
    #[must_use]
    pub fn is_exact(&self, position: &Packed) -> bool {
        in_words(position).is_some_and(|number| {
            let c = self.term(number);
            // Banked points are not in the words.
            c.term.setting.instance.rules.score.is_none()
                && each_width!(&c.kind, p => p.exact, _l => true)
        })
    }

    /// Converts a position of this machine to the language. In a part, a variable out of play is shown with a value that no
    /// guard asks for, if it has one, and otherwise with its value at the start.
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
                l => l.unpacked(&words(position)).unwrap_or_else(|| c.term.state.clone())),
        };
        terms.push(Term {
            setting: c.term.setting.clone(),
            state,
            negated: is_exchanged(number),
            count: crate::ir::Int::ONE,
        });
    }

    /// The facts that were derived, with reasons.
    #[must_use]
    pub fn explain(&self) -> Explanation {
        explain::explain(self)
    }

    /// The ground instances of each board, with a term on it; `None` for a board that was not grounded. Terms that start
    /// alike share one.
    pub fn grounds(&self) -> impl Iterator<Item = (&Term, Option<&Arc<Ground>>)> + '_ {
        self.terms.iter().map(|t| {
            (
                &t.term,
                each_width!(&t.kind, p => Some(&p.ground), _l => None),
            )
        })
    }

    fn term(&self, number: u32) -> &Compiled {
        // Numbers come from this machine's own positions.
        &self.terms[(number >> 1) as usize]
    }
}

fn compile(
    model: &Arc<Model>,
    term: &Term,
    others: &[State],
    settings: &Settings,
    cancel: &Cancel,
) -> Compiled {
    let mut reason = "grounding is switched off".to_owned();
    let mut hasty = false;
    if term.setting.instance.dicotic {
        reason = "whether both players have a move depends on the position as a whole".into();
    } else if term.setting.instance.rules.entails() {
        reason = "a move restricts its answer".into();
    } else if settings.has(Shortcut::Ground) {
        let resort = |always: bool, mistake| match always {
            _ if settings.planted == Some(mistake) => Resort::Wrongly,
            true => Resort::Always,
            false => Resort::WhereNeeded,
        };
        let fallbacks = Fallbacks {
            merging: resort(settings.merging, settings::Planted::MergedAlways),
            asking: resort(settings.asking, settings::Planted::AskedNever),
            sets: resort(false, settings::Planted::ReasonsForgotten),
        };
        let (setting, state) = (&term.setting, &term.state);
        let how = (fallbacks, settings.steps);
        let found = Ground::until(model, setting, state, others, how, cancel);
        hasty = matches!(&found, Err(refused) if refused.early);
        let packed = found.map_err(|refused| refused.why).and_then(|ground| {
            let ground = if settings.reread {
                // Printed and read back, so that the game played is the one the text describes.
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
                    0 | 1 => Some(Kind::W1(Program::new(ground, &layout, settings).into())),
                    2 => Some(Kind::W2(Program::new(ground, &layout, settings).into())),
                    3 | 4 => Some(Kind::W4(Program::new(ground, &layout, settings).into())),
                    #[cfg(not(target_family = "wasm"))]
                    5..=8 => Some(Kind::W8(Program::new(ground, &layout, settings).into())),
                    5..=16 => Some(Kind::W16(Program::new(ground, &layout, settings).into())),
                    _ => None,
                };
                if let Some(kind) = kind {
                    return Compiled {
                        term: term.clone(),
                        others: others.to_vec(),
                        kind,
                        reason: None,
                        hasty: false,
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
        others: Vec::new(),
        kind: Kind::Level1(Level1::new(model, &term.setting, settings)),
        reason: Some(reason),
        hasty,
        ends: None,
    }
}

impl Compiled {
    /// Whether it was compiled for what a term starts from.
    fn is_for(&self, term: &Term) -> bool {
        self.term.setting == term.setting && self.term.state == term.state
    }

    fn pack(&self, number: u32, state: &State) -> Option<Packed> {
        each_width!(&self.kind,
            p => {
                let words = p.pack(&p.ground.numbers(state)?);
                p.speaks_for(&words).then(|| wrap(number, words))
            },
            l => Some(l.packed(number, state.clone())))
    }
}
