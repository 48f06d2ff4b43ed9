//! Everything that is known of a value, as plain data: for `cgdsl value`.

use super::algebra::memory;
use super::host::Answerer;
use crate::base::Span;
use crate::ir::Res;
use crate::value::CanonicalForm;
use serde::Serialize;
use std::cmp::Ordering;

/// What is known of a value.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Valued {
    /// As written.
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
    /// Left options of the canonical form.
    pub left_options: Vec<String>,
    /// Right options of the canonical form.
    pub right_options: Vec<String>,
    /// The thermograph: `mean`, `temperature`, and two walls of corners `[value, temperature]`.
    pub thermograph: serde_json::Value,
    /// The same as text.
    #[serde(skip)]
    pub thermograph_text: String,
    /// The same as a picture of its own.
    #[serde(skip)]
    pub thermograph_svg: String,
    /// How it compares with another value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
}

/// How two values compare.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Comparison {
    /// The other, as written.
    pub with: String,
    /// Its value.
    pub value: String,
    /// `=`, `<`, `>` or `||` (confused).
    pub relation: &'static str,
    /// The difference.
    pub difference: String,
}

/// Gathers it.
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
        left_options: show(forms.left_options(g).map_err(&m)?),
        right_options: show(forms.right_options(g).map_err(&m)?),
        thermograph: thermograph.to_json(),
        thermograph_text: format!("{}{}", thermograph.to_art(60, 16), thermograph.to_text()),
        thermograph_svg: thermograph.to_svg(&answerer.print(g)),
        comparison,
    })
}
