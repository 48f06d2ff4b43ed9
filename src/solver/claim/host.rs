//! Evaluates the operations on games for the evaluator of expressions. Games are values of the language by their handles: a
//! canonical form of the arena or a value of another theory, perhaps with a form as written that is not canonical. Equal
//! values have one handle, so that sets and lists of games compare by value.

use super::affine::no_form;
use super::algebra::{self, memory};
use super::fault::{comes_again, with_reason};
use super::functions::Call;
use super::guaranteed::counts_points;
use super::loopy::halted;
use super::solve::Solver;
use crate::base::Span;
use crate::engine::affine::Affine;
use crate::engine::loopy::Smith;
use crate::engine::misere::form::MisereForm;
use crate::engine::misere::genus::Genus;
use crate::game::Player;
use crate::ir::{Code as FaultCode, Fault, Handle, Host, Int, Outcome, Position, Res, Val, draw};
use crate::model::typed::{GameLiteral, GameOp};
use crate::value::loopy::Loopy;
use crate::value::notation::{Style, print};
use crate::value::{CanonicalForm, Form, Forms, Number, OutOfMemory};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::sync::Arc;

/// The value of a handle.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Named {
    Canonical(CanonicalForm),
    Loony,
    Loopy(Loopy),
    /// `oo{K}`.
    Infinite(Smith),
    /// The option `pass` of a game in braces: a move to the game itself.
    Pass,
}

/// The value of a game in sums.
#[derive(Clone, PartialEq)]
enum Worth {
    Short(CanonicalForm),
    Loony,
    Loopy(Loopy),
    Infinite(Smith),
}

/// An answer of misère play.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum InMisere {
    Genus(Genus),
    Form(MisereForm),
    /// An element of the misère quotient with this index.
    Element(usize, u16),
}

#[derive(Default)]
struct Names {
    games: Vec<Named>,
    handles: FxHashMap<Named, u32>,
    // Loopy values without canonical form.
    graphs: Vec<(Loopy, u32)>,
    forms: Vec<Form>,
    reports: Vec<Arc<str>>,
    // Equal answers of misère play have one report.
    misere: FxHashMap<InMisere, u32>,
    // The quotients of the reports of their elements.
    quotients: FxHashMap<u32, usize>,
    // The names of the players in the positions queried so far; `Some([])` if these disagree.
    players: Option<Vec<Arc<str>>>,
}

/// Marks before and after a printed game, in marked texts. They are characters of the private use area, which do not occur in
/// values, boards or names.
pub const MARKS: [char; 2] = ['\u{E000}', '\u{E001}'];

/// The host of the evaluator: evaluates operations on games.
pub struct Answerer<'s> {
    solver: &'s Solver,
    style: Style,
    marked: bool,
    names: RefCell<Names>,
}

/// The text of the value `loony`.
pub(super) const LOONY: &str = "loony";

fn misplaced(span: Span) -> Box<Fault> {
    refuse(span, "`pass` stands among the options of a game in braces")
}

/// The refusal of an infinite nimber where a game is needed.
fn only_nimbers(smith: &Smith, style: Style, span: Span) -> Box<Fault> {
    let text = smith.text(style);
    refuse(
        span,
        format!("the nimber {text} is infinite: no short game has it"),
    )
    .help("`value(G)` is the game; `nimber(G) = nimber(H)` compares nimbers")
}

pub(super) fn refuse(span: Span, message: impl Into<String>) -> Box<Fault> {
    Fault::new(FaultCode::Host, span, message)
}

impl<'s> Answerer<'s> {
    /// Creates a host that uses `solver` and prints games in `style`.
    #[must_use]
    pub fn new(solver: &'s Solver, style: Style) -> Answerer<'s> {
        Answerer {
            solver,
            style,
            marked: false,
            names: RefCell::default(),
        }
    }

    /// Whether games are printed between [`MARKS`], so that a writer for papers finds them in sentences and lists.
    #[must_use]
    pub fn marked(mut self, marked: bool) -> Answerer<'s> {
        self.marked = marked;
        self
    }

    /// Makes a host that prints in the same way, for the solver of another thread.
    pub(super) fn beside(&self) -> impl for<'o> FnOnce(&'o Solver) -> Answerer<'o> + Send + use<> {
        let (style, marked) = (self.style, self.marked);
        move |solver| Answerer::new(solver, style).marked(marked)
    }

    /// The solver.
    #[must_use]
    pub fn solver(&self) -> &'s Solver {
        self.solver
    }

    pub(super) fn forms(&self) -> &'s Forms {
        self.solver.forms()
    }

    /// Discards all handles. Call it between two queries.
    pub fn forget(&self) {
        *self.names.borrow_mut() = Names::default();
        self.solver.forget();
    }

    /// Takes the names of players in answers from this position.
    pub(super) fn players_of(&self, position: &Position) {
        let names: Vec<Arc<str>> = (0..position.players())
            .map(|p| position.player_name(Player(p)).to_string().into())
            .collect();
        let known = &mut self.names.borrow_mut().players;
        match known {
            None => *known = Some(names),
            Some(known) => {
                let common = known.iter().zip(&names).all(|(a, b)| a == b);
                if !common {
                    known.clear();
                } else if known.len() < names.len() && !known.is_empty() {
                    *known = names;
                }
            }
        }
    }

    fn player(&self, p: u8) -> String {
        match &self.names.borrow().players {
            Some(names) if usize::from(p) < names.len() => names[usize::from(p)].to_string(),
            Some(_) if usize::from(p) < crate::ir::instance::MAX_PLAYERS => {
                format!("player {}", u32::from(p) + 1)
            }
            _ => draw::value(&Val::Player(p), None),
        }
    }

    fn handle(&self, named: Named) -> u32 {
        let names = &mut *self.names.borrow_mut();
        let next = u32::try_from(names.games.len()).unwrap_or(u32::MAX);
        *names.handles.entry(named).or_insert_with_key(|named| {
            names.games.push(named.clone());
            next
        })
    }

    fn named(&self, named: Named) -> Val {
        let value = self.handle(named);
        Val::Game(Handle { value, form: None })
    }

    /// The value of a game.
    fn meant(&self, handle: Handle) -> Option<Named> {
        let names = self.names.borrow();
        names.games.get(handle.value as usize).cloned()
    }

    pub(super) fn name(&self, g: CanonicalForm) -> Val {
        self.named(Named::Canonical(g))
    }

    pub(super) fn name_written(&self, g: CanonicalForm, form: Form) -> Val {
        let value = self.handle(Named::Canonical(g));
        let forms = &mut self.names.borrow_mut().forms;
        forms.push(form);
        let form = u32::try_from(forms.len() - 1).ok();
        Val::Game(Handle { value, form })
    }

    pub(super) fn report(&self, text: String) -> Val {
        let mut names = self.names.borrow_mut();
        let handle = u32::try_from(names.reports.len()).unwrap_or(u32::MAX);
        names.reports.push(text.into());
        Val::Report(handle)
    }

    /// The report of an answer of misère play.
    pub(super) fn in_misere(&self, answer: InMisere, text: impl FnOnce() -> String) -> Val {
        if let Some(known) = self.names.borrow().misere.get(&answer) {
            return Val::Report(*known);
        }
        let val = self.report(text());
        if let Val::Report(handle) = val {
            let names = &mut *self.names.borrow_mut();
            if let InMisere::Element(place, _) = answer {
                names.quotients.insert(handle, place);
            }
            names.misere.insert(answer, handle);
        }
        val
    }

    /// The index of the misère quotient that has this element.
    pub(super) fn quotient_of(&self, element: &Val) -> Option<usize> {
        match element {
            Val::Report(handle) => self.names.borrow().quotients.get(handle).copied(),
            _ => None,
        }
    }

    /// The canonical form of a game or position.
    ///
    /// # Errors
    /// See [`Solver::value`].
    pub fn canonical(&self, v: &Val, span: Span) -> Res<CanonicalForm> {
        match v {
            Val::Game(handle) => match self.meant(*handle) {
                Some(Named::Canonical(g)) => Ok(g),
                Some(Named::Loony) => Err(no_form(span)),
                Some(Named::Loopy(_)) => Err(super::loopy::no_form(span)),
                Some(Named::Infinite(smith)) => Err(only_nimbers(&smith, self.style, span)),
                Some(Named::Pass) => Err(misplaced(span)),
                None => Err(refuse(span, "a game that nobody has made")),
            },
            Val::Position(p) => match self.worth_of(p, span)? {
                Worth::Short(g) => Ok(g),
                _ => Err(super::loopy::no_form(span)),
            },
            Val::Int(n) => algebra::integer(self.forms(), n, span),
            _ => Err(refuse(span, "this is not a game")),
        }
    }

    pub(super) fn form(&self, v: &Val, span: Span) -> Res<Form> {
        if let Val::Game(Handle { form: Some(i), .. }) = v
            && let Some(form) = self.names.borrow().forms.get(*i as usize)
        {
            return Ok(form.clone());
        }
        if let Val::Position(p) = v {
            return super::trees::of_position(self.solver, p, span);
        }
        let g = self.canonical(v, span)?;
        Form::from_canonical(self.forms(), g).map_err(memory(span))
    }

    /// A value as text that parses back; games are shown as values.
    #[must_use]
    pub fn show(&self, v: &Val) -> String {
        match v {
            Val::Game(handle) => match self.meant(*handle) {
                Some(Named::Canonical(g)) => self.print(g),
                Some(Named::Loony) => LOONY.to_owned(),
                Some(Named::Loopy(g)) => self.print_loopy(g),
                Some(Named::Infinite(smith)) => self.mark(smith.text(self.style)),
                Some(Named::Pass) => "pass".to_owned(),
                None => "?".to_owned(),
            },
            Val::Report(handle) => self
                .names
                .borrow()
                .reports
                .get(*handle as usize)
                .map_or_else(|| "?".to_owned(), |t| t.to_string()),
            Val::Player(p) => self.player(*p),
            Val::Set(items) => {
                let mut shown = self.show_each(items);
                // Sets of games are in the order of handles; sorted by text, they are the same in every run.
                if items.iter().all(|v| matches!(v, Val::Game(_))) {
                    shown.sort();
                }
                format!("{{{}}}", shown.join(", "))
            }
            Val::List(items) => format!("[{}]", self.show_each(items).join(", ")),
            Val::Tuple(items) => format!("({})", self.show_each(items).join(", ")),
            other => draw::value(other, None),
        }
    }

    fn show_each(&self, items: &[Val]) -> Vec<String> {
        items.iter().map(|v| self.show(v)).collect()
    }

    /// A canonical form as text, in the style of this host.
    #[must_use]
    pub fn print(&self, g: CanonicalForm) -> String {
        let text = print(self.forms(), g, self.style);
        if text.ends_with('…') && self.forms().is_ended() {
            self.solver.truncated.set(true);
        }
        self.mark(text)
    }

    pub(super) fn mark(&self, text: String) -> String {
        match self.marked {
            true => format!("{}{text}{}", MARKS[0], MARKS[1]),
            false => text,
        }
    }

    pub(super) fn style(&self) -> Style {
        self.style
    }

    /// A loopy value as a handle. A value without canonical form is compared with the others of its kind.
    pub(super) fn name_knot(&self, value: Loopy, span: Span) -> Res<Val> {
        let (forms, mut loops) = (self.forms(), self.solver.knots.loops.borrow_mut());
        let named = Named::Loopy(value);
        let has_form = loops.is_found(value.onside) && loops.is_found(value.offside);
        if has_form || self.names.borrow().handles.contains_key(&named) {
            return Ok(self.named(named));
        }
        for (known, handle) in &self.names.borrow().graphs {
            let equal = loops.equal(forms, value, *known);
            if equal.map_err(halted(self.solver, span))? {
                let value = *handle;
                return Ok(Val::Game(Handle { value, form: None }));
            }
        }
        let handle = self.handle(named);
        self.names.borrow_mut().graphs.push((value, handle));
        Ok(Val::Game(Handle {
            value: handle,
            form: None,
        }))
    }

    pub(super) fn name_infinite(&self, smith: Smith) -> Val {
        self.named(Named::Infinite(smith))
    }

    fn literal(&self, literal: &GameLiteral, arguments: &[Val], span: Span) -> Res<Val> {
        let forms = self.forms();
        let mut sum = CanonicalForm::ZERO;
        let mut add = |g: CanonicalForm| {
            sum = forms.add(sum, g).map_err(memory(span))?;
            Res::Ok(())
        };
        if let Some((numerator, exponent)) = &literal.number {
            add(algebra::number(
                forms,
                &Number::from_big(numerator.clone(), *exponent),
                span,
            )?)?;
        }
        if literal.ups != 0.into() {
            add(algebra::ups(forms, &literal.ups, span)?)?;
        }
        if let Some(n) = &literal.pow {
            add(algebra::up_power(forms, n, false, span)?)?;
        }
        if let Some(n) = &literal.pow_to {
            add(algebra::up_power(forms, n, true, span)?)?;
        }
        if let Some(n) = &literal.star {
            add(algebra::star(forms, &Int::from(n.clone()), span)?)?;
        }
        if literal.star_computed {
            match arguments {
                [Val::Int(n)] => add(algebra::star(forms, n, span)?)?,
                _ => return Err(refuse(span, "the n of *n is an integer")),
            }
        }
        Ok(self.name(sum))
    }

    fn braces(&self, left: &[Val], right: &[Val], span: Span) -> Res<Val> {
        let forms = self.forms();
        let is_loopy = |v: &Val| matches!(v, Val::Game(h) if matches!(self.meant(*h), Some(Named::Loopy(_) | Named::Pass)));
        if left.iter().chain(right).any(is_loopy) {
            let one = |v: &Val| match self.is_pass(v) {
                true => Ok(None),
                false => self.loopy(v, span).map(Some),
            };
            let side = |list: &[Val]| list.iter().map(one).collect::<Res<Vec<_>>>();
            return self.loopy_braces([side(left)?, side(right)?], span);
        }
        let all = |items: &[Val]| -> Res<Vec<CanonicalForm>> {
            items.iter().map(|v| self.canonical(v, span)).collect()
        };
        let (l, r) = (all(left)?, all(right)?);
        let g = forms.from_options(&l, &r).map_err(memory(span))?;
        let sorted = |mut v: Vec<CanonicalForm>| {
            forms.sort_structurally(&mut v);
            v.dedup();
            v
        };
        let is_plain = |items: &[Val]| {
            let plain = |v: &Val| matches!(v, Val::Game(Handle { form: None, .. }));
            items.iter().all(plain)
        };
        let canonical = is_plain(left)
            && is_plain(right)
            && sorted(l) == sorted(forms.left_options(g).map_err(memory(span))?)
            && sorted(r) == sorted(forms.right_options(g).map_err(memory(span))?);
        if canonical {
            return Ok(self.name(g));
        }
        let form = |items: &[Val]| -> Res<Vec<Form>> {
            items.iter().map(|v| self.form(v, span)).collect()
        };
        Ok(self.name_written(g, Form::new(form(left)?, form(right)?)))
    }

    fn is_pass(&self, v: &Val) -> bool {
        matches!(v, Val::Game(h) if self.meant(*h) == Some(Named::Pass))
    }

    /// The value of a game or a position.
    fn worth(&self, v: &Val, span: Span) -> Res<Worth> {
        match v {
            Val::Position(p) => match self.solver.affine(p, span)? {
                Some(Affine::Loony) => Ok(Worth::Loony),
                _ => self.worth_of(p, span),
            },
            Val::Game(h) => match self.meant(*h) {
                Some(Named::Loony) => Ok(Worth::Loony),
                Some(Named::Loopy(value)) => Ok(Worth::Loopy(value)),
                Some(Named::Infinite(smith)) => Ok(Worth::Infinite(smith)),
                _ => self.canonical(v, span).map(Worth::Short),
            },
            _ => self.canonical(v, span).map(Worth::Short),
        }
    }

    /// The value of a position. It may be a short game even if a position is repeated.
    fn worth_of(&self, p: &Position, span: Span) -> Res<Worth> {
        match self.solver.value(p, span) {
            Err(fault) if comes_again(&fault) => {
                let value = self.solver.loopy(p, span)?;
                let short = self.solver.knots.loops.borrow().as_short_value(value);
                Ok(short.map_or(Worth::Loopy(value), Worth::Short))
            }
            found => found.map(Worth::Short),
        }
    }

    /// The value of a game or a position in the theory of loopy games, which includes short games.
    ///
    /// # Errors
    /// A limit; a value of another theory.
    pub fn loopy(&self, v: &Val, span: Span) -> Res<Loopy> {
        match self.worth(v, span)? {
            Worth::Short(g) => self.solver.loopy_of_short(g, span),
            Worth::Loopy(g) => Ok(g),
            Worth::Loony => Err(no_form(span)),
            Worth::Infinite(smith) => Err(only_nimbers(&smith, self.style, span)),
        }
    }

    /// The value of a game or a position as a text that only this value has.
    ///
    /// # Errors
    /// See [`Solver::value`]; a loopy value that has no such text.
    pub fn canonical_text(&self, v: &Val, span: Span) -> Res<String> {
        match self.worth(v, span)? {
            Worth::Short(g) => Ok(print(self.forms(), g, Style::Ascii)),
            Worth::Loony => Ok(LOONY.to_owned()),
            Worth::Infinite(smith) => Ok(smith.text(Style::Ascii)),
            Worth::Loopy(value) => self.loopy_text(value, span),
        }
    }

    /// The value of a game or a position, in the theory that applies to it.
    ///
    /// # Errors
    /// See [`Solver::value`].
    pub fn value(&self, v: &Val, span: Span) -> Res<Val> {
        self.name_worth(self.worth(v, span)?, span)
    }

    fn name_worth(&self, worth: Worth, span: Span) -> Res<Val> {
        Ok(match worth {
            Worth::Short(g) => self.name(g),
            Worth::Loony => self.named(Named::Loony),
            Worth::Loopy(value) => self.name_loopy(value, span)?,
            Worth::Infinite(smith) => self.name_infinite(smith),
        })
    }

    /// Adds or subtracts. For affine impartial games, the sum of loony and a nimber, or of two loony games, is loony. No sum
    /// of `loony` with another value is known.
    fn sum(
        &self,
        arguments: &[Val],
        short: impl Fn(CanonicalForm, CanonicalForm) -> Result<CanonicalForm, OutOfMemory>,
        minus: bool,
        span: Span,
    ) -> Res<Val> {
        let [a, b] = arguments else {
            return Err(refuse(span, "this takes two games"));
        };
        let sum = match (self.worth(a, span)?, self.worth(b, span)?) {
            (Worth::Short(g), Worth::Short(h)) => Worth::Short(short(g, h).map_err(memory(span))?),
            (Worth::Short(g), Worth::Loony) | (Worth::Loony, Worth::Short(g)) => {
                self.beside_loony(g, span)?;
                Worth::Loony
            }
            (Worth::Loony, Worth::Loony) => Worth::Loony,
            (a @ Worth::Infinite(_), b) | (a, b @ Worth::Infinite(_)) => {
                Worth::Infinite(self.smith_of(a, span)?.plus(&self.smith_of(b, span)?))
            }
            (Worth::Loony, _) | (_, Worth::Loony) => return Err(no_form(span)),
            _ => {
                let (g, h) = (self.loopy(a, span)?, self.loopy(b, span)?);
                let (forms, mut loops) = (self.forms(), self.solver.knots.loops.borrow_mut());
                let sum = match minus {
                    true => loops.subtract(forms, g, h),
                    false => loops.add(forms, g, h),
                };
                Worth::Loopy(sum.map_err(halted(self.solver, span))?)
            }
        };
        self.name_worth(sum, span)
    }

    /// Checks that a value next to `loony` is a nimber.
    fn beside_loony(&self, g: CanonicalForm, span: Span) -> Res<()> {
        if self.forms().as_nimber(g).is_some() {
            return Ok(());
        }
        Err(Fault::new(
            FaultCode::NoTheory,
            span,
            format!(
                "{LOONY} is compared with and added to nimbers, and {} is none",
                self.print(g)
            ),
        )
        .help("of a sum of positions, ask who wins: `outcome(G + H)`"))
    }

    /// A nimber, short or infinite.
    fn smith_of(&self, worth: Worth, span: Span) -> Res<Smith> {
        let n = match worth {
            Worth::Infinite(smith) => return Ok(smith),
            Worth::Short(g) => self.forms().as_nimber(g),
            Worth::Loony | Worth::Loopy(_) => None,
        };
        n.map(Smith::Nimber).ok_or_else(|| {
            let why = "an infinite nimber is compared with and added to nimbers, and the other value is none";
            Fault::new(FaultCode::NoTheory, span, why)
                .help("compare the nimber of the other position: `nimber(G) = oo{0}`")
        })
    }

    /// An infinite nimber.
    #[must_use]
    pub fn as_infinite(&self, v: &Val) -> Option<Smith> {
        match v {
            Val::Game(h) => match self.meant(*h) {
                Some(Named::Infinite(smith)) => Some(smith),
                _ => None,
            },
            _ => None,
        }
    }

    /// Who wins a game, by who begins: that of the whole, or of a value of any theory.
    pub(super) fn outcome_of(&self, v: &Val, span: Span) -> Res<Outcome> {
        Ok(match self.worth(v, span)? {
            Worth::Loony => Outcome::N,
            Worth::Infinite(Smith::Infinite(k)) if !k.contains(&0) => Outcome::D,
            Worth::Infinite(_) => Outcome::N,
            Worth::Short(_) | Worth::Loopy(_) => {
                super::knotted::outcome(self, self.loopy(v, span)?, span)?
            }
        })
    }

    pub(super) fn compare(&self, op: &GameOp, a: &Val, b: &Val, span: Span) -> Res<Val> {
        if counts_points(a) || counts_points(b) {
            let holds = self.solver.compare_scores(self, op, a, b, span)?;
            return Ok(Val::Bool(holds));
        }
        let forms = self.forms();
        let (g, h) = match (self.worth(a, span)?, self.worth(b, span)?) {
            (Worth::Short(g), Worth::Short(h)) => (g, h),
            // Like nimbers, two of them are equal or confused.
            (Worth::Loony, Worth::Loony) => {
                let equal = matches!(op, GameOp::Equal | GameOp::LessEqual | GameOp::GreaterEqual);
                return Ok(Val::Bool(equal));
            }
            (Worth::Short(g), Worth::Loony) | (Worth::Loony, Worth::Short(g)) => {
                self.beside_loony(g, span)?;
                return Ok(Val::Bool(false));
            }
            (a @ Worth::Infinite(_), b) | (a, b @ Worth::Infinite(_)) => {
                let equal = self.smith_of(a, span)? == self.smith_of(b, span)?;
                let strict = matches!(op, GameOp::Less | GameOp::Greater);
                return Ok(Val::Bool(equal && !strict));
            }
            (Worth::Loony, _) | (_, Worth::Loony) => return Err(no_form(span)),
            _ => {
                let (g, h) = (self.loopy(a, span)?, self.loopy(b, span)?);
                return self.compare_loopy(op, g, h, span);
            }
        };
        let le = |x, y| forms.less_or_equal(x, y).map_err(memory(span));
        Ok(Val::Bool(match op {
            GameOp::LessEqual => le(g, h)?,
            GameOp::GreaterEqual => le(h, g)?,
            GameOp::Less => g != h && le(g, h)?,
            GameOp::Greater => g != h && le(h, g)?,
            _ => g == h,
        }))
    }

    fn compare_loopy(&self, op: &GameOp, g: Loopy, h: Loopy, span: Span) -> Res<Val> {
        let (forms, mut loops) = (self.forms(), self.solver.knots.loops.borrow_mut());
        let halt = halted(self.solver, span);
        let mut le = |x, y| loops.less_or_equal(forms, x, y).map_err(&halt);
        Ok(Val::Bool(match op {
            GameOp::LessEqual => le(g, h)?,
            GameOp::GreaterEqual => le(h, g)?,
            GameOp::Less => le(g, h)? && !le(h, g)?,
            GameOp::Greater => le(h, g)? && !le(g, h)?,
            _ => le(g, h)? && le(h, g)?,
        }))
    }

    fn call<'a>(&'a self, arguments: &'a [Val], span: Span) -> Call<'a, 's> {
        Call {
            host: self,
            arguments,
            span,
        }
    }

    fn one(&self, arguments: &[Val], span: Span) -> Res<CanonicalForm> {
        match arguments {
            [a] => self.canonical(a, span),
            _ => Err(refuse(span, "this takes one game")),
        }
    }
}

impl Answerer<'_> {
    // As `game`, but a cancelled computation in the arena of values may be reported as a lack of memory.
    fn made(&self, op: &GameOp, arguments: &[Val], span: Span) -> Res<Val> {
        let forms = self.forms();
        let m = memory(span);
        match op {
            GameOp::Literal(literal) => self.literal(literal, arguments, span),
            GameOp::Loony => Ok(self.named(Named::Loony)),
            GameOp::Loopy(word) => {
                let mut loops = self.solver.knots.loops.borrow_mut();
                let value = loops.named(forms, super::loopy::name(*word));
                drop(loops);
                let value = value.map_err(halted(self.solver, span))?;
                self.name_loopy(value, span)
            }
            GameOp::Infinite => {
                let set = arguments.iter().map(|v| match v {
                    Val::Int(n) => {
                        let n = n.to_i64().and_then(|n| u32::try_from(n).ok());
                        n.ok_or_else(|| refuse(span, "`oo{K}` lists naturals below 2^32"))
                    }
                    _ => Err(refuse(
                        span,
                        "`oo{K}` lists naturals, and no infinite nimber",
                    )),
                });
                Ok(self.name_infinite(Smith::infinite(set.collect::<Res<_>>()?)))
            }
            GameOp::Pass => Ok(self.named(Named::Pass)),
            GameOp::GenusOfText | GameOp::MisereFormOfText => {
                self.call(arguments, span).read_in_misere(op)
            }
            GameOp::OfInteger | GameOp::Value => match arguments {
                [v] => self.value(v, span),
                _ => Err(refuse(span, "this takes one game")),
            },
            GameOp::Fraction => match arguments {
                [Val::Int(a), Val::Int(b)] => Ok(self.name(algebra::fraction(forms, a, b, span)?)),
                _ => Err(refuse(span, "a fraction is made of two integers")),
            },
            GameOp::Braces(left) => {
                let cut = (*left as usize).min(arguments.len());
                self.braces(&arguments[..cut], &arguments[cut..], span)
            }
            GameOp::Knot(vertices) => self.labelled_braces(vertices, arguments, span),
            GameOp::Add => self.sum(arguments, |g, h| forms.add(g, h), false, span),
            GameOp::Subtract => self.sum(arguments, |g, h| forms.subtract(g, h), true, span),
            GameOp::Negate => match arguments {
                [v] => {
                    let negative = match self.worth(v, span)? {
                        Worth::Short(g) => Worth::Short(forms.negate(g).map_err(m)?),
                        own @ (Worth::Loony | Worth::Infinite(_)) => own,
                        Worth::Loopy(g) => {
                            let mut loops = self.solver.knots.loops.borrow_mut();
                            let negative = loops.negate(forms, g);
                            Worth::Loopy(negative.map_err(halted(self.solver, span))?)
                        }
                    };
                    self.name_worth(negative, span)
                }
                _ => Err(refuse(span, "this takes one game")),
            },
            GameOp::Times => match arguments {
                [Val::Int(n), v] => {
                    let n = n.to_big();
                    let product = match self.worth(v, span)? {
                        Worth::Loony if n == 0.into() => Worth::Short(CanonicalForm::ZERO),
                        Worth::Loony => Worth::Loony,
                        Worth::Infinite(smith) => Worth::Infinite(smith.times(&n)),
                        Worth::Short(g) => Worth::Short(forms.multiple_big(&n, g).map_err(m)?),
                        Worth::Loopy(g) => {
                            let mut loops = self.solver.knots.loops.borrow_mut();
                            let product = loops.multiple(forms, &n, g);
                            Worth::Loopy(product.map_err(halted(self.solver, span))?)
                        }
                    };
                    self.name_worth(product, span)
                }
                _ => Err(refuse(span, "a multiple is an integer and a game")),
            },
            GameOp::PlusMinus => {
                let g = self.one(arguments, span)?;
                Ok(self.name(forms.switch(g).map_err(m)?))
            }
            GameOp::OrdinalSum => self.call(arguments, span).ordinal_sum(),
            GameOp::Equal
            | GameOp::LessEqual
            | GameOp::Less
            | GameOp::GreaterEqual
            | GameOp::Greater => match arguments {
                [a, b] => self.compare(op, a, b, span),
                _ => Err(refuse(span, "two games are compared")),
            },
            GameOp::Function(f) => self.call(arguments, span).apply(*f),
        }
    }
}

impl Host for Answerer<'_> {
    fn game(&self, op: &GameOp, arguments: &[Val], span: Span) -> Res<Val> {
        let made = self.made(op, arguments, span);
        made.map_err(|fault| with_reason(fault, &self.solver.cancel))
    }

    fn born(&self, day: &Int, span: Span) -> Res<Val> {
        let games = super::trees::born(self.forms(), day, span);
        let games = games.map_err(|fault| with_reason(fault, &self.solver.cancel))?;
        Ok(Val::list(games.into_iter().map(|g| self.name(g)).collect()))
    }
}
