//! Compares the definitions of a conversation with those before its last redefinition. Output: the rulesets that differ, with
//! their clauses and positions.

use super::compare::{self, Side};
use super::repl::Repl;
use super::{Loaded, Session};
use crate::diagnostic::{Code, Diagnostic};
use crate::model;
use crate::syntax::ast;
use std::sync::Arc;

/// Earlier definitions.
pub(super) struct Former {
    pub files: Vec<ast::File>,
    pub typed: ast::File,
    /// Whether only rulesets were redefined since.
    pub only_rulesets: bool,
}

/// Whether the rules or an answer differs, or the comparison failed.
fn differs(r: &compare::Ruleset) -> bool {
    !(r.same_rules() && r.positions.is_empty() && r.note.is_none())
}

/// The rulesets that can be named.
fn own_rulesets(loaded: &Loaded) -> Vec<String> {
    let all = loaded.model.rulesets.iter();
    all.filter(|r| !r.broken && !r.hidden)
        .map(|r| r.name.to_string())
        .collect()
}

impl Repl<'_> {
    /// The differences between two rulesets, or between the current definitions and those before the last redefinition. Only
    /// rulesets that differ are returned, with positions on boards up to a size.
    ///
    /// # Errors
    /// There is nothing to compare.
    pub fn differences(
        &mut self,
        two: Option<(&str, &str)>,
        up_to: &[u32],
    ) -> Result<Vec<compare::Ruleset>, Diagnostic> {
        let none = |why: String| Diagnostic::error(Code::E0552, why);
        let (old_scope, all) = match (two, &self.former) {
            (Some((a, b)), _) => {
                for name in [a, b] {
                    if self.loaded.scope.ruleset(name).is_none() {
                        return Err(none(format!("there is no ruleset `{name}`"))
                            .help("`:names` lists what is defined"));
                    }
                }
                (self.loaded.scope.clone(), true)
            }
            (None, Some(former)) => {
                let mut files = former.files.clone();
                files.push(former.typed.clone());
                (model::check(&files).0, !former.only_rulesets)
            }
            (None, None) => {
                return Err(
                    none("no definition has taken the place of another yet".to_owned()).help(
                        "define a ruleset anew and ask again, or name two: `:diff Nim Kayles`",
                    ),
                );
            }
        };
        let mut old = Loaded {
            model: Arc::new(old_scope.model().clone()),
            scope: old_scope,
            ..Loaded::default()
        };
        let settings = self.session.settings.clone();
        let sources = self.session.sources.clone();
        let mut session = Session::over(self.session.world, sources, settings);
        let pairs: Vec<(Option<String>, Option<String>)> = match two {
            Some((a, b)) => vec![(Some(a.to_owned()), Some(b.to_owned()))],
            None => {
                let (was, now) = (own_rulesets(&old), own_rulesets(&self.loaded));
                let kept = was
                    .iter()
                    .map(|n| (Some(n.clone()), now.contains(n).then(|| n.clone())));
                let new = now.iter().filter(|n| !was.contains(n));
                kept.chain(new.map(|n| (None, Some(n.clone())))).collect()
            }
        };
        let mut out = Vec::new();
        for pair in pairs {
            let mut old = Side {
                session: &mut session,
                loaded: &mut old,
                ruleset: None,
            };
            let mut new = Side {
                session: &mut self.session,
                loaded: &mut self.loaded,
                ruleset: None,
            };
            let differ = |r: &compare::Ruleset| all || !r.same_rules();
            let found = compare::compare_pair(&mut old, &mut new, pair, up_to, differ);
            let same = found.old == found.new && !differs(&found);
            if two.is_some() || !same {
                out.push(found);
            }
        }
        Ok(out)
    }
}
