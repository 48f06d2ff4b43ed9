//! All facts about a value, as plain data for `cgdsl value`.

use super::algebra::memory;
use super::host::Answerer;
use crate::base::Span;
use crate::ir::Res;
use crate::value::CanonicalForm;
use serde::Serialize;
use std::cmp::Ordering;

/// The facts about a value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Valued {
    /// The expression, as written.
    pub expression: String,
    /// The canonical form.
    pub value: String,
    /// `L-position` and so on.
    pub outcome: String,
    /// Left stop.
    pub left_stop: String,
    /// Right stop.
    pub right_stop: String,
    /// Mean value.
    pub mean: String,
    /// Temperature.
    pub temperature: String,
    /// Left options of the canonical form; of an enormous nimber the first ones.
    pub left_options: Vec<String>,
    /// Right options of the canonical form; of an enormous nimber the first ones.
    pub right_options: Vec<String>,
    /// The numbers of options of both players, `[left, right]`.
    pub option_counts: [usize; 2],
    /// `cold` (a number), `tepid` (a number plus an infinitesimal) or `hot`, and further kinds.
    pub kinds: Vec<&'static str>,
    /// The numbers with which it is confused: `(-1, 1)`, or `no number`.
    pub confused_with: String,
    /// The facts that need all followers of the canonical form; `None` for a game with too many followers.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub inside: Option<Inside>,
    /// The thermograph: `mean`, `temperature`, and two walls of corners `[value, temperature]`.
    pub thermograph: serde_json::Value,
    /// The same as text.
    #[serde(skip)]
    pub thermograph_text: String,
    /// A small drawing of it, if the game is hot.
    #[serde(skip)]
    pub thermograph_art: String,
    /// Whether something may be cut short, since the run was ended.
    #[serde(skip)]
    pub cut: bool,
    /// The comparison with another value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
}

/// The facts that need all followers of a canonical form.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Inside {
    /// The depth of the canonical form.
    pub birthday: String,
    /// The number of distinct followers, the game itself included.
    pub followers: usize,
    /// The number of lines of play that reach a number.
    pub stop_count: String,
    /// The best incentives of Left.
    pub left_incentives: Vec<String>,
    /// The best incentives of Right.
    pub right_incentives: Vec<String>,
    /// The reduced canonical form.
    pub reduced: String,
    /// The companion in the lattice of its day.
    pub companion: String,
    /// The least nimber that is not a follower: `*n` for this n.
    pub remote_star: String,
    /// The atomic weight.
    pub atomic_weight: Found,
    /// The expansion into powers of up.
    pub uptimal: Found,
}

/// A result that may not exist.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Found {
    /// The value, if it exists.
    Value(String),
    /// The reason why it does not exist.
    Reason(String),
}

/// The most options that are listed.
const MOST_OPTIONS: usize = 2000;
/// The most followers of a form for which [`Inside`] is computed.
const MOST_FOLLOWERS: usize = 2000;

// `None` if the form is too large or the arena is full.
fn inside(answerer: &Answerer<'_>, g: CanonicalForm) -> Option<Inside> {
    let forms = answerer.solver().forms();
    let followers = forms.number_of_followers_up_to(g, MOST_FOLLOWERS).ok()?;
    if followers > MOST_FOLLOWERS {
        return None;
    }
    let show = |all: Vec<CanonicalForm>| all.into_iter().map(|g| answerer.print(g)).collect();
    let game = |g: CanonicalForm| answerer.print(g);
    Some(Inside {
        birthday: forms.birthday(g).ok()?.to_string(),
        followers,
        stop_count: forms.stop_count(g).ok()?.to_string(),
        left_incentives: show(forms.left_incentives(g).ok()?),
        right_incentives: show(forms.right_incentives(g).ok()?),
        reduced: game(forms.reduced_canonical_form(g).ok()?),
        companion: game(forms.companion(g).ok()?),
        remote_star: forms.remote_star(g).ok()?.to_string(),
        atomic_weight: found(forms.atomic_weight(g).ok()?.map(game)),
        uptimal: found(
            forms
                .uptimal_expansion(g)
                .ok()?
                .map(|u| super::algebra::uptimal(&u)),
        ),
    })
}

fn found(result: Result<String, crate::value::Reason>) -> Found {
    match result {
        Ok(value) => Found::Value(value),
        Err(reason) => Found::Reason(reason.to_string()),
    }
}

// The kinds of a game.
fn kinds(forms: &crate::value::Forms, g: CanonicalForm) -> Vec<&'static str> {
    let mut kinds = vec![if forms.is_number(g) {
        "cold"
    } else if forms.is_hot(g) {
        "hot"
    } else {
        "tepid"
    }];
    if forms.is_integer(g) {
        kinds.push("integer");
    } else if forms.is_number(g) {
        kinds.push("number");
    } else if forms.is_nimber(g) {
        kinds.push("nimber");
    } else if forms.is_infinitesimal(g) {
        kinds.push("infinitesimal");
    } else if forms.is_numberish(g) {
        kinds.push("number plus an infinitesimal");
    }
    if forms.is_all_small(g) && !forms.is_number(g) {
        kinds.push("all small");
    }
    kinds
}

/// The comparison of two values.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// The other expression, as written.
    pub with: String,
    /// Its value.
    pub value: String,
    /// `=`, `<`, `>` or `||` (confused).
    pub relation: &'static str,
    /// The difference.
    pub difference: String,
}

/// Collects the facts about a value.
///
/// # Errors
/// A limit.
pub fn valued(
    answerer: &Answerer<'_>,
    expression: &str,
    g: CanonicalForm,
    other: Option<(&str, CanonicalForm)>,
) -> Res<Valued> {
    let forms = answerer.solver().forms();
    let span = Span::default();
    let m = memory(span);
    let show = |all: Vec<CanonicalForm>| all.into_iter().map(|g| answerer.print(g)).collect();
    let thermograph = forms.thermograph(g).map_err(&m)?;
    let comparison = match other {
        None => None,
        Some((with, h)) => Some(Comparison {
            with: with.to_owned(),
            value: answerer.print(h),
            relation: match forms.compare(g, h).map_err(&m)? {
                Some(Ordering::Equal) => "=",
                Some(Ordering::Less) => "<",
                Some(Ordering::Greater) => ">",
                None => "||",
            },
            difference: answerer.print(forms.subtract(g, h).map_err(&m)?),
        }),
    };
    Ok(Valued {
        expression: expression.to_owned(),
        value: answerer.print(g),
        outcome: format!("{}-position", forms.outcome(g).map_err(&m)?),
        left_stop: forms.left_stop(g).to_string(),
        right_stop: forms.right_stop(g).to_string(),
        mean: forms.mean(g).map_err(&m)?.to_string(),
        temperature: forms.temperature(g).map_err(&m)?.to_string(),
        left_options: show(forms.first_options(g, true, MOST_OPTIONS).map_err(&m)?),
        right_options: show(forms.first_options(g, false, MOST_OPTIONS).map_err(&m)?),
        option_counts: forms.option_counts(g).map_err(&m)?.into(),
        kinds: kinds(forms, g),
        confused_with: super::algebra::interval(&forms.confusion_interval(g).map_err(&m)?),
        inside: inside(answerer, g),
        thermograph: thermograph.to_json(),
        thermograph_text: format!("{}{}", thermograph.to_art(60, 16), thermograph.to_text()),
        thermograph_art: if forms.is_hot(g) {
            thermograph.to_art(44, 9)
        } else {
            String::new()
        },
        cut: forms.is_ended(),
        comparison,
    })
}

/// All games born by a day, with the covering pairs of their order.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Born {
    /// The day.
    pub day: u32,
    /// The games, in structural order.
    pub games: Vec<String>,
    /// Pairs of indices in the list: the second game covers the first. Empty unless requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub covers: Vec<(usize, usize)>,
}

/// All games born by a day, from 0 to 3.
///
/// # Errors
/// A limit; a day beyond 3.
pub fn born(answerer: &Answerer<'_>, day: u32, covers: bool) -> Res<Born> {
    let forms = answerer.solver().forms();
    let span = Span::default();
    let games = super::trees::born(forms, &crate::ir::Int::from(day), span)?;
    let covers = if covers {
        forms.hasse_edges(&games).map_err(memory(span))?
    } else {
        Vec::new()
    };
    Ok(Born {
        day,
        games: games.into_iter().map(|g| answerer.print(g)).collect(),
        covers,
    })
}
