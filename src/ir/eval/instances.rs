//! Turns a ruleset with arguments into an [`Instance`]: determines players and pieces, unfolds derived rulesets.

use super::{Evaluator, Frame, Scope, internal};
use crate::base::Span;
use crate::fault::{Code, Fault, Res};
use crate::game::Convention;
use crate::instance::{Instance, MAX_PLAYERS, PieceInfo};
use crate::int::Int;
use crate::model::typed::{Derivation, Expr, Owners, Play, Players, RulesetId, Sort};
use crate::val::Val;
use std::sync::Arc;

impl Evaluator<'_> {
    /// The instance of a ruleset with these arguments.
    ///
    /// # Errors
    /// A negative natural, an invalid code, too many players.
    pub fn instance(&self, id: RulesetId, arguments: Vec<Val>, span: Span) -> Res<Arc<Instance>> {
        let unknown = || internal(span, "an unknown ruleset");
        let ruleset = self.model.rulesets.get(id.0 as usize).ok_or_else(unknown)?;
        let mut rules = ruleset.clone();
        let mut rules_id = id;
        let mut rules_arguments = arguments.clone();
        self.check_arguments(&rules, &rules_arguments, span)?;
        let (mut everyone, mut dicotic) = (false, false);
        let mut steps = 0;
        while let Some(derived) = &rules.derived {
            steps += 1;
            if steps > self.model.rulesets.len() {
                return Err(internal(span, "a ruleset that is derived from itself"));
            }
            match derived.how {
                // From the outside in. `dicotic(impartial(S))` is `impartial(S)`: where one player has a move, both have.
                Derivation::Impartial => (everyone, dicotic) = (true, false),
                Derivation::Dicotic => dicotic = true,
                Derivation::ImpartialDicotic => (everyone, dicotic) = (true, true),
                Derivation::Arguments => {}
            }
            let mut frame = Frame::new(rules_arguments);
            rules_arguments = self.eval_all(&derived.arguments, &mut frame, Scope::default())?;
            rules_id = derived.of;
            let of = self.model.rulesets.get(rules_id.0 as usize);
            rules = of.ok_or_else(unknown)?.clone();
            self.check_arguments(&rules, &rules_arguments, span)?;
        }
        let players = match &rules.players {
            Players::Named(names) => names.clone(),
            Players::Range(to) => {
                let n = self.count(to, &rules_arguments, "players", span)?;
                (1..=n).map(|i| i.to_string().into()).collect()
            }
        };
        if players.is_empty() || players.len() > MAX_PLAYERS {
            let message = match players.is_empty() {
                true => format!("{} would have no players", ruleset.name),
                false => format!("a game has {MAX_PLAYERS} players at most"),
            };
            return Err(Fault::new(Code::Players, span, message));
        }
        let mut pieces: Vec<PieceInfo> = rules
            .pieces
            .iter()
            .map(|p| PieceInfo {
                name: p.name.clone(),
                owners: p.owners.clone(),
                on_edges: p.on_edges,
            })
            .collect();
        if let Some(to) = &rules.pieces_range {
            let n = self.count(to, &rules_arguments, "pieces", span)?;
            for i in 0..n {
                let owner = u8::try_from(i)
                    .ok()
                    .filter(|i| usize::from(*i) < players.len());
                pieces.push(PieceInfo {
                    name: (i + 1).to_string().into(),
                    owners: Owners::These(owner.into_iter().collect()),
                    on_edges: rules.pieces_on_edges && !rules.pieces_on_sites,
                });
            }
        }
        Ok(Arc::new(Instance {
            id,
            name: ruleset.name.clone(),
            arguments,
            rules_id,
            rules_arguments,
            everyone,
            dicotic,
            players,
            pieces,
            convention: match rules.convention {
                _ if rules.score.is_some() => Convention::Scoring,
                Play::Normal => Convention::Normal,
                Play::LastWins => Convention::LastWins,
                Play::Elimination => Convention::Elimination,
                Play::Misere => Convention::Misere,
                Play::StuckDraws => Convention::StuckDraws,
            },
            rules,
        }))
    }

    /// The upper end of the range `1..n` of players or pieces.
    fn count(&self, to: &Expr, arguments: &[Val], what: &str, span: Span) -> Res<usize> {
        let mut frame = Frame::new(arguments.iter().cloned());
        let n = self.integer(to, &mut frame, Scope::default())?;
        if n.is_negative() {
            return Ok(0);
        }
        n.to_usize().filter(|n| *n <= MAX_PLAYERS).ok_or_else(|| {
            let message = format!("a game has {MAX_PLAYERS} {what} at most, not {n}");
            Fault::new(Code::Players, span, message)
        })
    }

    fn check_arguments(
        &self,
        rules: &crate::model::typed::Ruleset,
        arguments: &[Val],
        span: Span,
    ) -> Res<()> {
        if arguments.len() != rules.parameters.len() {
            return Err(internal(span, "the wrong number of arguments"));
        }
        for (v, p) in arguments.iter().zip(&rules.parameters) {
            // Rules do not take games: this is an infinite nimber.
            let mut inside = v.elements().unwrap_or_default().iter().chain([v]);
            if let Some(game) = inside.find(|v| matches!(v, Val::Game(_))) {
                return Err(super::no_integer(game, span));
            }
            let message = match (&p.sort, v) {
                (Sort::Digits, Val::Text(code)) if !is_code(code) => {
                    format!("{code:?} is not a code such as \"0.77\"")
                }
                _ => match naturals(v).find(|n| p.natural && n.is_negative()) {
                    Some(n) => format!("{} of {} is a natural number, not {n}", p.name, rules.name),
                    None => continue,
                },
            };
            return Err(Fault::new(Code::Argument, span, message));
        }
        Ok(())
    }
}

/// The integers in a value: itself, or the elements of a set or list.
fn naturals(v: &Val) -> Box<dyn Iterator<Item = &Int> + '_> {
    match v {
        Val::Int(n) => Box::new(std::iter::once(n)),
        Val::Set(items) | Val::List(items) => Box::new(items.iter().filter_map(Val::as_int)),
        _ => Box::new(std::iter::empty()),
    }
}

/// Digits or letters, perhaps with one point.
fn is_code(code: &str) -> bool {
    let digits = |s: &str| s.chars().all(|c| c.is_ascii_alphanumeric());
    match code.trim().split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => !code.trim().is_empty() && digits(code.trim()),
    }
}
