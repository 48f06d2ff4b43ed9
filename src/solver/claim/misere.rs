//! Genera, misère forms and misère quotients of impartial positions, by [`crate::engine::misere`]. Rules of normal play are
//! treated as if they had the clause `play misere`.

use super::fault;
use super::functions::Call;
use super::growth;
use super::host::{InMisere, refuse};
use super::machines::Machines;
use super::misere_heaps::HeapQuotients;
use super::solve::Solver;
use super::theory::{Question, Theory};
use crate::base::Span;
use crate::engine::Stopped;
use crate::engine::misere::form::{MisereForm, MisereForms};
use crate::engine::misere::game::Keyed;
use crate::engine::misere::genus::{Genera, Genus};
use crate::engine::misere::quotient::{Learner, Limits, Quotient, Unknown};
use crate::engine::misere::{Closed, Listed, Word};
use crate::game::{Game, Shortcut, Shortcuts};
use crate::ir::{Code as FaultCode, Fault, Int, Position, Res, Val, draw};
use crate::machine::Machine;
use crate::model::typed::{GameFunction, GameOp};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use serde::Serialize;
use std::cell::{Ref, RefCell, RefMut};
use std::sync::Arc;

/// A hint: the questions that misère play answers.
pub(super) const WHAT_TO_ASK: &str = "ask in misère play: `outcome(G)`, `best(G, Left)`; of impartial games also `genus(G)`, `is_tame(G)`, `misere_nimber(G)`, `misere_form(G)`, `misere_quotient(G)`, `indistinguishable(G, H)`";

/// The most different parts whose genera are explained.
const MOST_PARTS: usize = 8;
/// The longest misère form that is printed, in characters.
const LONGEST: usize = 1500;

/// The results for parts of impartial games.
pub(super) struct Misere {
    listed: RefCell<Listed>,
    keyed: RefCell<Keyed<<Machine as Game>::Key>>,
    genera: RefCell<Genera>,
    forms: RefCell<(MisereForms, Vec<MisereForm>)>,
    quotients: RefCell<Vec<Arc<Known>>>,
    /// The quotients by the sets of parts of the positions that were asked about.
    asked: RefCell<FxHashMap<Word, usize>>,
    pub(super) of_heaps: HeapQuotients,
}

/// A quotient of the parts of a position.
pub(super) struct Known {
    /// The places of the parts in the quotient, by their numbers in the table of all parts.
    places: FxHashMap<u32, u32>,
    /// The quotient.
    pub quotient: Quotient,
}

impl Misere {
    pub(super) fn new(memory: usize) -> Misere {
        Misere {
            listed: RefCell::default(),
            keyed: RefCell::new(Keyed::new(memory)),
            genera: RefCell::new(Genera::new(memory)),
            forms: RefCell::new((MisereForms::new(memory), Vec::new())),
            quotients: RefCell::default(),
            asked: RefCell::default(),
            of_heaps: HeapQuotients::default(),
        }
    }
}

impl Misere {
    /// The parts met so far.
    pub(super) fn listed(&self) -> Ref<'_, Listed> {
        self.listed.borrow()
    }

    /// The genera found so far.
    pub(super) fn genera(&self) -> RefMut<'_, Genera> {
        self.genera.borrow_mut()
    }
}

impl std::fmt::Debug for Misere {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Misere")
    }
}

/// Why no more parts were added to a quotient, in words.
pub(super) fn why_unknown(why: Unknown) -> String {
    match why {
        Unknown::Limit(limit) => fault::limit_text(limit).to_owned(),
        Unknown::Order(most) => {
            format!("with the next part it has more than {most} elements, the bound of the program")
        }
        Unknown::States(most) => format!(
            "with the next part the search needs more than {most} states, the bound of the program"
        ),
        Unknown::Infinite => "with the next part it is infinite, which is proven".to_owned(),
    }
}

/// The fault that a quotient of `parts` parts was not found, with what is known of it.
fn unknown(why: Unknown, known: &Quotient, parts: usize, span: Span) -> Box<Fault> {
    let code = match why {
        Unknown::Limit(limit) => fault::of_limit(limit, span).code,
        Unknown::Order(_) | Unknown::States(_) | Unknown::Infinite => FaultCode::TooMuch,
    };
    let message = format!(
        "the misère quotient is known for only {} of the {parts} parts of the position and its followers ({} elements): {}",
        known.parts(),
        known.order(),
        why_unknown(why)
    );
    Fault::new(code, span, message)
}

/// A part of a position in misère play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PartGenus {
    /// The part.
    pub position: String,
    /// The number of equal parts.
    pub count: usize,
    /// Its genus.
    pub genus: String,
    /// If it is tame, the Nim heaps that are played alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nim: Option<Vec<u64>>,
}

/// The Nim heaps whose sum has a genus of Nim sums: one, or two for 0^0 and 1^1.
fn nim_heaps(genus: &Genus) -> Vec<u64> {
    let n = genus.nimber();
    match genus.misere_nimber(0) == n && n < 2 {
        true => vec![2, n + 2],
        false => vec![n],
    }
}

/// `a Nim heap of 3`, `Nim heaps of 2 and 3`.
#[must_use]
pub fn nim_heaps_in_words(heaps: &[u64]) -> String {
    match heaps {
        [a, b] => format!("Nim heaps of {a} and {b}"),
        _ => format!("a Nim heap of {}", heaps.first().unwrap_or(&0)),
    }
}

impl Solver {
    /// The parts of an impartial position, by their numbers in the table of all parts.
    pub(super) fn misere_word(&self, position: &Position, span: Span) -> Res<Word> {
        Theory::answering(Question::MisereValue, position, span)?;
        let budget = &self.budget();
        let listed = &mut *self.misere.listed.borrow_mut();
        growth::refuse(&self.tried, &self.model, position, &self.cancel, span)?;
        let (machine, start) = self.compiled_in_full(position)?;
        let mut keyed = self.misere.keyed.borrow_mut();
        let found = keyed.word(&*machine, &start, listed, budget);
        let found = found.map_err(|s| {
            let cycle = matches!(s, Stopped::Cycle { .. });
            let told = cycle.then(|| self.misere_line(position, span)).flatten();
            told.unwrap_or_else(|| fault::of_stop(s, span, &self.model, |p| machine.show(p)))
        })?;
        let partizan = match found {
            Ok(word) => return Ok(word),
            Err(at) => draw::literal(&machine.show(&at)),
        };
        Err(Fault::new(
            FaultCode::NoTheory,
            span,
            format!("the theory of misère play asks for impartial games, and the players have different moves at {partizan}"),
        )
        .help("ask who wins: `misere_outcome(G)`"))
    }

    /// The genus of a position with few followers, and whether it is tame; `None` if it has many, or no genus. The result is
    /// the same whatever was asked before.
    fn genus_of_few(&self, position: &Position) -> Option<(Genus, bool)> {
        Theory::answering(Question::MisereValue, position, Span::default()).ok()?;
        let budget = self.budget_for_a_card();
        let (machine, start) = self.compiled_in_full(position).ok()?;
        let mut listed = Listed::default();
        let mut keyed = Keyed::new(self.limits.memory);
        let found = keyed.word(&*machine, &start, &mut listed, &budget);
        let word = found.ok()?.ok()?;
        let mut genera = Genera::new(self.limits.memory);
        let (genus, tame) = genera.genus(&listed, &word, &budget).ok()?;
        Some((genus.clone(), tame))
    }

    /// The genus of a position for a card.
    pub(super) fn genus_for_a_card(&self, position: &Position) -> Option<String> {
        let (genus, tame) = self.genus_of_few(position)?;
        Some(match tame {
            false => format!("{genus}, wild: no Nim heaps can take its place in every sum"),
            true => format!(
                "{genus}, tame: beside tame positions it is played like {}",
                nim_heaps_in_words(&nim_heaps(&genus))
            ),
        })
    }

    /// The parts of a position with their genera, equal parts together; `None` if there are many, or one has no genus.
    pub(super) fn genera_of_parts(&self, position: &Position) -> Option<Vec<PartGenus>> {
        let parts = self.parts(position).ok()?;
        let mut found: Vec<PartGenus> = Vec::new();
        for part in parts {
            let name = draw::short(&part);
            if let Some(known) = found.iter_mut().find(|p| p.position == name) {
                known.count += 1;
                continue;
            }
            if found.len() == MOST_PARTS {
                return None;
            }
            let (genus, tame) = self.genus_of_few(&part)?;
            found.push(PartGenus {
                position: name,
                count: 1,
                genus: genus.to_string(),
                nim: tame.then(|| nim_heaps(&genus)),
            });
        }
        Some(found)
    }

    /// The line of play that repeats, as it is played: where parts share keys, a line leads to an image of its first position.
    fn misere_line(&self, position: &Position, span: Span) -> Option<Box<Fault>> {
        let shortcuts = Shortcuts::default().without(&[Shortcut::Shapes]);
        let machines = Machines::default();
        let (machine, start) = self
            .compiled_with(position, shortcuts, &machines, false)
            .ok()?;
        let (mut keyed, mut listed) = (Keyed::new(self.limits.memory), Listed::default());
        let found = keyed.word(&*machine, &start, &mut listed, &self.budget());
        let stopped = found.err()?;
        let fault = fault::of_stop(stopped, span, &self.model, |p| machine.show(p));
        fault::comes_again(&fault).then_some(fault)
    }

    /// The genus of a position, and whether it is tame.
    ///
    /// # Errors
    /// The players have different moves somewhere; a limit; a rule that fails.
    pub fn genus(&self, position: &Position, span: Span) -> Res<(Genus, bool)> {
        let word = self.misere_word(position, span)?;
        let listed = self.misere.listed.borrow();
        let mut genera = self.misere.genera.borrow_mut();
        let found = genera.genus(&*listed, &word, &self.budget());
        found
            .map(|(genus, tame)| (genus.clone(), tame))
            .map_err(|limit| fault::of_limit(limit, span))
    }

    fn form_in_misere_play(&self, position: &Position, span: Span) -> Res<MisereForm> {
        let word = self.misere_word(position, span)?;
        let listed = self.misere.listed.borrow();
        let (forms, of_parts) = &mut *self.misere.forms.borrow_mut();
        let budget = &self.budget();
        let to = word.last().map_or(0, |p| p + 1);
        let found = forms
            .of_parts(&*listed, to, of_parts, budget)
            .and_then(|()| forms.of_sum(&word, of_parts, budget));
        found.map_err(|limit| fault::of_limit(limit, span))
    }

    /// A misère form as text.
    fn form_text(&self, form: MisereForm) -> String {
        let forms = &self.misere.forms.borrow().0;
        forms.text(form, LONGEST).unwrap_or_else(|| {
            let (day, options) = (forms.birthday(form), forms.options(form).len());
            format!("a form of birthday {day} with {options} options, too long to be written")
        })
    }

    /// Whether two positions are equal in misère play, in every sum.
    ///
    /// # Errors
    /// As for [`Solver::genus`].
    pub fn equal_in_misere_play(&self, g: &Position, h: &Position, span: Span) -> Res<bool> {
        Ok(self.form_in_misere_play(g, span)? == self.form_in_misere_play(h, span)?)
    }

    /// The quotient of all sums of followers of a position, with its index.
    ///
    /// # Errors
    /// As for [`Solver::genus`]; a quotient larger than the bound on its order.
    pub(super) fn misere_quotient(
        &self,
        position: &Position,
        span: Span,
    ) -> Res<(usize, Arc<Known>)> {
        let mut word = self.misere_word(position, span)?;
        word.dedup();
        let all = |at: usize| (at, self.misere.quotients.borrow()[at].clone());
        if let Some(at) = self.misere.asked.borrow().get(&word) {
            return Ok(all(*at));
        }
        let (closed, parts) = self.misere.listed.borrow().closure(&[&word]);
        let places: FxHashMap<u32, u32> = parts.into_iter().zip(0..).collect();
        let known = |k: &Arc<Known>| k.places == places;
        let known = self.misere.quotients.borrow().iter().position(known);
        if let Some(at) = known {
            self.misere.asked.borrow_mut().insert(word, at);
            return Ok(all(at));
        }
        let mut learner = Learner::new(Limits {
            memory: self.limits.memory,
            ..Limits::default()
        });
        learner
            .take_all(&closed, &self.budget())
            .map_err(|why| unknown(why, learner.quotient(), closed.len(), span))?;
        debug_assert_eq!(closed.len(), learner.quotient().parts());
        let known = Arc::new(Known {
            places,
            quotient: learner.quotient().clone(),
        });
        let at = self.misere.quotients.borrow().len();
        self.misere.quotients.borrow_mut().push(known);
        self.misere.asked.borrow_mut().insert(word, at);
        Ok(all(at))
    }

    /// The element of a position in a quotient.
    ///
    /// # Errors
    /// As for [`Solver::genus`]; the position has a part outside the quotient.
    pub(super) fn phi(&self, position: &Position, within: &Known, span: Span) -> Res<u16> {
        let word = self.misere_word(position, span)?;
        let place = |p: &u32| within.places.get(p).copied();
        let local: Option<Vec<u32>> = word.iter().map(place).collect();
        let element = local.and_then(|local| within.quotient.of(&local));
        element.ok_or_else(|| {
            Fault::new(
                FaultCode::NoTheory,
                span,
                format!("{} is not a sum of positions that this quotient is about", draw::literal(position)),
            )
            .help("the quotient of G is about G, its followers, and sums of these: take that of a larger position, or of a sum of both")
        })
    }
}

impl Call<'_, '_> {
    /// Functions of one position in misère play.
    pub(super) fn in_misere_play(&self, f: GameFunction) -> Res<Val> {
        let (solver, span) = (self.host.solver(), self.span);
        let position = self.position(0)?;
        if f == GameFunction::MisereForm {
            return Ok(self.form_report(solver.form_in_misere_play(position, span)?));
        }
        let (genus, tame) = solver.genus(position, span)?;
        Ok(match f {
            GameFunction::IsTame => Val::Bool(tame),
            GameFunction::MisereNimber => {
                let twos = match self.arguments.get(1) {
                    None => Some(0),
                    Some(_) => {
                        let k = self.int(1)?.to_i64().and_then(|k| i32::try_from(k).ok());
                        k.and_then(|k| usize::try_from(k).ok())
                    }
                };
                let Some(twos) = twos else {
                    return Err(refuse(
                        span,
                        "the number of copies of *2 is a natural number below 2^31",
                    ));
                };
                Val::Int(Int::from(BigInt::from(genus.misere_nimber(twos))))
            }
            _ => self.genus_report(genus),
        })
    }

    fn genus_report(&self, genus: Genus) -> Val {
        let text = genus.to_string();
        self.host.in_misere(InMisere::Genus(genus), || text)
    }

    fn form_report(&self, form: MisereForm) -> Val {
        let text = || self.host.solver().form_text(form);
        self.host.in_misere(InMisere::Form(form), text)
    }

    fn element_report(&self, place: usize, x: u16, quotient: &Quotient) -> Val {
        let name = || quotient.name(x);
        self.host.in_misere(InMisere::Element(place, x), name)
    }

    /// A genus or a misère form from a string.
    pub(super) fn read_in_misere(&self, op: &GameOp) -> Res<Val> {
        let (solver, span) = (self.host.solver(), self.span);
        let Some(Val::Text(text)) = self.arguments.first() else {
            return Err(refuse(span, "this takes a string"));
        };
        if matches!(op, GameOp::GenusOfText) {
            let genus = text.parse::<Genus>().map(|genus| self.genus_report(genus));
            return genus.map_err(|()| {
                refuse(span, format!("`\"{text}\"` is not a genus")).help("write it as `eval genus(G)` shows it: `\"4^146\"`, `\"3^3\"`, `\"13^(13)\"`; of two misère nimbers or more, the last two are k and k xor 2")
            });
        }
        let budget = solver.budget();
        let form = solver.misere.forms.borrow_mut().0.read(text, &budget);
        let form = form.map_err(|limit| fault::of_limit(limit, span))?;
        let form = form.ok_or_else(|| {
            refuse(span, format!("`\"{text}\"` is not a misère form"))
                .help("write it as `eval misere_form(G)` shows it: `\"0\"`, `\"*\"`, `\"*2\"`, `\"*[[3,2],3,2,1]\"`")
        })?;
        Ok(self.form_report(form))
    }

    /// Functions of misère quotients and their elements.
    pub(super) fn of_a_quotient(&self, f: GameFunction) -> Res<Val> {
        let (solver, span) = (self.host.solver(), self.span);
        match f {
            GameFunction::MisereQuotient => {
                let (place, known) = solver.misere_quotient(self.position(0)?, span)?;
                let all = 0..known.quotient.order() as u16;
                let name = |x: u16| self.element_report(place, x, &known.quotient);
                Ok(Val::set(all.map(name).collect()))
            }
            GameFunction::Phi => {
                let (place, known) = self.quotient(1)?;
                let x = solver.phi(self.position(0)?, &known, span)?;
                Ok(self.element_report(place, x, &known.quotient))
            }
            _ => {
                let (g, h) = (self.position(0)?, self.position(1)?);
                if self.arguments.len() < 3 {
                    return solver.equal_in_misere_play(g, h, span).map(Val::Bool);
                }
                let (_, known) = self.quotient(2)?;
                let same = solver.phi(g, &known, span)? == solver.phi(h, &known, span)?;
                Ok(Val::Bool(same))
            }
        }
    }

    /// The quotient of which the argument is the set of all elements.
    fn quotient(&self, i: usize) -> Res<(usize, Arc<Known>)> {
        let elements = self.argument(i)?.elements().unwrap_or(&[]);
        let place = elements.first().and_then(|x| self.host.quotient_of(x));
        let all = self.host.solver().misere.quotients.borrow();
        let found = place.and_then(|place| Some((place, all.get(place)?.clone())));
        let whole = |(place, known): &(usize, Arc<Known>)| {
            let of_it = |x: &Val| self.host.quotient_of(x) == Some(*place);
            elements.len() == known.quotient.order() && elements.iter().all(of_it)
        };
        found.filter(whole).ok_or_else(|| {
            refuse(self.span, "this is not a misère quotient")
                .help("as in `phi(G, within: misere_quotient(H))`")
        })
    }
}
