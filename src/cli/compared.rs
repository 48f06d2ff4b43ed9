//! `cgdsl seq --identify` and `--compare`: compares nim-values of any rule with known sequences.

use super::args::Seq;
use super::run::Run;
use crate::engine::sequence::identify::{MOST_SHIFT, Match, first_difference, identify};
use crate::engine::sequence::{Regular, TakingRule};
use serde::Serialize;
use std::fmt::Write;

/// The number of heaps for which sequences are compared with octal games.
pub(super) const COMPARED: u64 = 1000;
/// With fewer values than this, too many games agree.
const FEWEST: u64 = 24;
/// The number of heaps for which two sequences are compared, unless more values were computed.
const COMPARED_WITH_ONE: u64 = 1_000_000;

/// The approximate width of a line of codes.
const LINE: usize = 90;

/// The results of the requested comparisons.
#[derive(Default)]
pub(super) struct Compared {
    same: Option<Vec<Match>>,
    /// Whether there were too few values to identify the sequence.
    too_few: bool,
    /// The code, the place of the first difference, and the number of values compared.
    with: Option<(String, Option<u64>, u64)>,
}

/// A sequence with the same values.
#[derive(Serialize)]
pub(super) struct Same {
    code: String,
    shift: i64,
    compared: u64,
}

impl Run<'_> {
    /// Whether the code to compare with is invalid, which is reported.
    pub(super) fn is_no_code(&mut self, args: &Seq) -> bool {
        let wrong = args.compare.as_ref();
        let wrong = wrong.filter(|code| TakingRule::of_code(code).is_none());
        if let Some(code) = wrong {
            self.output
                .error(&format!("`{code}` is not a code such as 0.137 or 0.F"));
        }
        wrong.is_some()
    }

    /// Compares the nim-values of heaps 0 to `known` - 1 as `args` request; `own` is their rule, if it is a
    /// taking-and-breaking rule.
    pub(super) fn compared(
        &self,
        args: &Seq,
        own: Option<&TakingRule>,
        known: u64,
        value: &dyn Fn(u64) -> Option<u64>,
    ) -> Compared {
        let mut compared = Compared::default();
        if args.identify {
            let length = known.saturating_sub(MOST_SHIFT).min(COMPARED);
            compared.too_few = length < FEWEST;
            if !compared.too_few {
                compared.same = identify(value, length, own, &self.cancel).ok();
            }
        }
        let code = args.compare.as_ref();
        if let Some((code, other)) = code.and_then(|c| Some((c, TakingRule::of_code(c)?))) {
            let asked = args.to.saturating_add(1).min(COMPARED_WITH_ONE);
            let (differs, length) = first_difference(value, known.max(asked), &other, &self.cancel);
            compared.with = Some((code.clone(), differs, length));
        }
        compared
    }
}

impl Compared {
    pub(super) fn same_as(&self) -> Vec<Same> {
        let same = self.same.iter().flatten().map(|m| Same {
            code: m.code.clone(),
            shift: m.shift,
            compared: m.compared,
        });
        same.collect()
    }

    pub(super) fn differs_at(&self) -> Option<u64> {
        self.with.as_ref()?.1
    }

    /// Appends a line for each sequence.
    pub(super) fn tell(&self, text: &mut String) {
        let same = self.same.as_deref().unwrap_or_default();
        for group in same.chunk_by(|a, b| a.shift == b.shift) {
            let Some(Match {
                shift, compared, ..
            }) = group.first()
            else {
                continue;
            };
            let mut line = "same as".to_owned();
            for (i, m) in group.iter().enumerate() {
                if line.len() - line.rfind('\n').map_or(0, |at| at + 1) > LINE {
                    line.push_str("\n       ");
                }
                let _ = write!(
                    line,
                    " {}{}",
                    m.code,
                    if i + 1 < group.len() { "," } else { "" }
                );
            }
            let shift = match shift {
                0 => String::new(),
                k if *k > 0 => format!(" read {k} further on here"),
                k => format!(" read {} further on there", -k),
            };
            let _ = writeln!(
                text,
                "{line}{shift}, as far as compared ({compared} values)"
            );
        }
        if self.too_few {
            let _ = writeln!(
                text,
                "same as is not said of fewer than {FEWEST} values: --to {} or more",
                FEWEST + MOST_SHIFT - 1
            );
        }
        if self.same.as_ref().is_some_and(Vec::is_empty) {
            text.push_str("same as no octal game of up to three digits\n");
        }
        if let Some((code, differs, length)) = &self.with {
            let _ = match differs {
                Some(n) => writeln!(text, "differs from {code} first at n = {n}"),
                None => writeln!(
                    text,
                    "agrees with {code} as far as compared ({length} values)"
                ),
            };
        }
    }
}

/// Describes an apparent regularity of values up to heap `last` that is not proven.
pub(super) fn tell_looks(text: &mut String, looks: Option<Regular>, last: u64) {
    let Some(Regular {
        period: p,
        saltus,
        from,
    }) = looks
    else {
        return;
    };
    let (kind, plus) = match saltus {
        0 => ("periodic", String::new()),
        s => ("arithmetic periodic", format!(" + {s}")),
    };
    let _ = writeln!(
        text,
        "        the values look {kind}, G(n + {p}) = G(n){plus} for {from} <= n, n + {p} <= {last}; no theorem is applied"
    );
}
