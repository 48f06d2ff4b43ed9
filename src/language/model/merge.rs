//! Merges the clauses of a ruleset with the changes of a ruleset that inherits from it, and returns all clauses of the
//! latter. A clause replaces its counterpart: a board the board, a piece the piece with that name, an entry of a table
//! that entry, `win` the clauses with `win`, a move the move with that label. A clause without a counterpart is added; a
//! clause that ends play gets a place among the inherited ones ([`Merge::place_ends`]), since the first that holds decides.
//! Each clause keeps its place in the text.

use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, Suggestion, meant};
use crate::syntax::ast::{
    self, Clause, ClauseKind, EndKind, LeftOut, Let, Move, PieceDecl, PiecesClause, StateDecl,
};
use crate::syntax::names::entry_of_table;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The clauses of `parent` with the changes `clauses`, and the errors in the changes. `name` is the ruleset that
/// inherits.
pub(super) fn merge(
    parent: &ast::Ruleset,
    name: &Ident,
    clauses: &[Clause],
) -> (Vec<Clause>, Vec<Diagnostic>) {
    let mut merge = Merge {
        parent,
        name,
        out: parent.clauses.iter().cloned().map(Some).collect(),
        added: Vec::new(),
        ends: Vec::new(),
        vacant: None,
        found: Vec::new(),
    };
    for clause in clauses {
        if let ClauseKind::Without(all) = &clause.kind {
            all.iter().for_each(|one| merge.leave_out(one));
        }
    }
    merge.moves(clauses);
    let mut replaced: BTreeSet<&str> = BTreeSet::new();
    for clause in clauses {
        let word = clause.kind.word();
        match &clause.kind {
            ClauseKind::Without(_) | ClauseKind::Move(_) => {}
            ClauseKind::Pieces(p) => merge.pieces(clause, p),
            ClauseKind::State(all) => merge.state(clause, all),
            ClauseKind::Let(all) => merge.lets(clause, all),
            _ if replaced.insert(word) => merge.whole(clause),
            _ => merge.after(clause),
        }
    }
    merge.place_ends();
    let mut all: Vec<Clause> = merge.out.into_iter().flatten().collect();
    all.append(&mut merge.added);
    (all, merge.found)
}

struct Merge<'m> {
    parent: &'m ast::Ruleset,
    name: &'m Ident,
    /// The parent's clauses in their order; removed ones are `None`.
    out: Vec<Option<Clause>>,
    added: Vec<Clause>,
    /// Added clauses that end play.
    ends: Vec<Clause>,
    /// The place of the first clause that ends play and is left out.
    vacant: Option<usize>,
    found: Vec<Diagnostic>,
}

/// Whether a clause ends play by one of these words.
fn ends_by(clause: Option<&Clause>, kinds: &[EndKind]) -> bool {
    matches!(clause.map(|c| &c.kind), Some(ClauseKind::End(end)) if kinds.contains(&end.kind))
}

/// The move of a clause.
fn move_of(clause: &Clause) -> Option<&Move> {
    match &clause.kind {
        ClauseKind::Move(m) => Some(m),
        _ => None,
    }
}

impl Merge<'_> {
    /// The parent's moves, in order, each with the number of its clause.
    fn parents_moves(&self) -> Vec<(usize, &Move)> {
        let clauses = self.parent.clauses.iter().enumerate();
        clauses
            .filter_map(|(i, c)| Some((i, move_of(c)?)))
            .collect()
    }

    /// The labels or numbers of the parent's moves, for messages.
    fn called(&self) -> String {
        let moves = self.parents_moves();
        let names: Vec<String> = moves
            .iter()
            .enumerate()
            .map(|(i, (_, m))| match &m.label {
                Some(label) => format!("`move {}`", label.text),
                None => format!("`move {}`", i + 1),
            })
            .collect();
        match &names[..] {
            [] => format!("{} has no moves", self.parent.name.text),
            all => format!("the moves of {}: {}", self.parent.name.text, all.join(", ")),
        }
    }

    fn error(&mut self, d: Diagnostic) {
        self.found.push(d);
    }

    /// Reports that the parent has nothing of this name.
    fn nothing(&mut self, what: &LeftOut, known: &[Arc<str>], note: Option<String>) {
        let parent = &self.parent.name.text;
        let said = match &what.name {
            Some(name) => format!("{parent} has no `{} {}`", what.word.text, name.text),
            None => format!("{parent} has no clause `{}`", what.word.text),
        };
        let near = what
            .name
            .as_ref()
            .and_then(|name| meant(name, known.iter().map(|k| &**k)));
        let mut d = Diagnostic::error(Code::E0226, said)
            .at(what.span, "there is nothing to leave out")
            .suggest_if(near);
        d.notes.extend(note);
        self.error(d);
    }

    fn leave_out(&mut self, what: &LeftOut) {
        let name = what.name.as_ref();
        match (&*what.word.text, name) {
            ("move", Some(name)) => self.leave_out_move(what, name),
            ("pieces", Some(name)) => {
                let known = self.remove(name, |kind| match kind {
                    ClauseKind::Pieces(p) => Some(Named::Pieces(&mut p.pieces)),
                    _ => None,
                });
                self.missed(what, known);
            }
            ("state" | "fixed", Some(name)) => {
                let known = self.remove(name, |kind| match kind {
                    ClauseKind::State(all) => Some(Named::State(all)),
                    _ => None,
                });
                self.missed(what, known);
            }
            ("let", Some(name)) => {
                let known = self.remove(name, |kind| match kind {
                    ClauseKind::Let(all) => Some(Named::Lets(all)),
                    _ => None,
                });
                self.missed(what, known);
            }
            (word, _) => {
                let mut any = false;
                for (i, clause) in self.out.iter_mut().enumerate() {
                    if clause.as_ref().is_some_and(|c| c.kind.word() == word) {
                        if matches!(clause.take().map(|c| c.kind), Some(ClauseKind::End(_))) {
                            self.vacant = Some(self.vacant.map_or(i, |v| v.min(i)));
                        }
                        any = true;
                    }
                }
                if !any {
                    self.nothing(what, &[], None);
                }
            }
        }
    }

    /// Reports a missing name, given the known names.
    fn missed(&mut self, what: &LeftOut, known: Option<Vec<Arc<str>>>) {
        if let Some(known) = known {
            self.nothing(what, &known, None);
        }
    }

    fn leave_out_move(&mut self, what: &LeftOut, name: &Ident) {
        let moves = self.parents_moves();
        let number: Option<usize> = name.text.parse().ok();
        let gone: Vec<usize> = match number {
            Some(n) => moves.get(n.wrapping_sub(1)).iter().map(|m| m.0).collect(),
            None => moves
                .iter()
                .filter(|(_, m)| m.label.as_ref() == Some(name))
                .map(|m| m.0)
                .collect(),
        };
        if gone.is_empty() {
            let known: Vec<Arc<str>> = moves
                .iter()
                .filter_map(|(_, m)| Some(m.label.as_ref()?.text.clone()))
                .collect();
            let note = Some(self.called());
            self.nothing(what, &known, note);
        } else if gone.iter().all(|i| self.out[*i].is_none()) {
            let said = format!("`{} {}` is left out twice", what.word.text, name.text);
            self.error(
                Diagnostic::error(Code::E0226, said)
                    .at(what.span, "it has been left out before")
                    .help("each move is left out once: leave this out"),
            );
        }
        for i in gone {
            self.out[i] = None;
        }
    }

    /// Removes a name from the clauses of one kind; returns the known names if it is not there.
    fn remove(
        &mut self,
        name: &Ident,
        of: impl Fn(&mut ClauseKind) -> Option<Named<'_>>,
    ) -> Option<Vec<Arc<str>>> {
        let mut known = Vec::new();
        let mut any = false;
        for place in &mut self.out {
            let Some(clause) = place else { continue };
            let Some(mut all) = of(&mut clause.kind) else {
                continue;
            };
            known.extend(all.names());
            any |= all.remove(name);
            if all.is_empty() {
                *place = None;
            }
        }
        (!any).then_some(known)
    }

    /// A clause that occurs once, or the first with its keyword: replaces the parent's.
    fn whole(&mut self, clause: &Clause) {
        let word = clause.kind.word();
        let mut place = None;
        for (i, c) in self.out.iter_mut().enumerate() {
            if c.as_ref().is_some_and(|c| c.kind.word() == word) {
                *c = None;
                place = place.or(Some(i));
            }
        }
        match place {
            Some(i) => self.out[i] = Some(clause.clone()),
            None => self.add(clause),
        }
    }

    /// A clause without a counterpart.
    fn add(&mut self, clause: &Clause) {
        match clause.kind {
            ClauseKind::End(_) => self.ends.push(clause.clone()),
            _ => self.added.push(clause.clone()),
        }
    }

    /// Added clauses that end play stand where such a clause was left out, or else behind the inherited `win` and `lose` and
    /// before the `draw` that follow: a draw is what is left when nobody has won. An added `draw` has no inherited one
    /// behind it, as it would have replaced it.
    fn place_ends(&mut self) {
        let decided = |c: &Option<Clause>| ends_by(c.as_ref(), &[EndKind::Win, EndKind::Lose]);
        let drawn = |c: &Option<Clause>| ends_by(c.as_ref(), &[EndKind::Draw]);
        let place = self
            .vacant
            .or_else(|| Some(self.out.iter().rposition(decided)? + 1))
            .or_else(|| self.out.iter().position(drawn))
            .unwrap_or(self.out.len());
        let added = self.ends.drain(..).map(Some);
        self.out.splice(place..place, added);
    }

    /// A further clause with the same keyword: comes after the earlier ones.
    fn after(&mut self, clause: &Clause) {
        let word = clause.kind.word();
        let last = self
            .out
            .iter()
            .rposition(|c| c.as_ref().is_some_and(|c| c.kind.word() == word));
        match last {
            Some(i) => {
                self.out.insert(i + 1, Some(clause.clone()));
                self.vacant = self.vacant.map(|v| v + usize::from(v > i));
            }
            None => self.add(clause),
        }
    }

    fn pieces(&mut self, clause: &Clause, new: &PiecesClause) {
        if new.range.is_some() {
            for place in &mut self.out {
                if let Some(Clause {
                    kind: ClauseKind::Pieces(old),
                    ..
                }) = place
                    && old.on_edges.is_some() == new.on_edges.is_some()
                {
                    *place = None;
                }
            }
            self.added.push(clause.clone());
            return;
        }
        let mut rest: Vec<PieceDecl> = Vec::new();
        for piece in &new.pieces {
            let mut replaced = false;
            for place in &mut self.out {
                let Some(Clause {
                    kind: ClauseKind::Pieces(old),
                    ..
                }) = place
                else {
                    continue;
                };
                let Some(i) = old.pieces.iter().position(|p| p.name == piece.name) else {
                    continue;
                };
                if old.on_edges.is_some() == new.on_edges.is_some() && !replaced {
                    old.pieces[i] = piece.clone();
                    replaced = true;
                } else {
                    old.pieces.remove(i);
                    if old.pieces.is_empty() {
                        *place = None;
                    }
                }
            }
            if !replaced {
                rest.push(piece.clone());
            }
        }
        if !rest.is_empty() {
            let kind = ClauseKind::Pieces(PiecesClause {
                pieces: rest,
                ..new.clone()
            });
            self.added.push(Clause {
                kind,
                ..clause.clone()
            });
        }
    }

    fn state(&mut self, clause: &Clause, new: &[StateDecl]) {
        let mut rest = Vec::new();
        for one in new {
            let old = self
                .out
                .iter_mut()
                .flatten()
                .find_map(|c| match &mut c.kind {
                    ClauseKind::State(all) => all.iter_mut().find(|s| s.name == one.name),
                    _ => None,
                });
            match old {
                Some(old) if old.fixed == one.fixed => *old = one.clone(),
                Some(_) => {
                    self.remove(&one.name, |kind| match kind {
                        ClauseKind::State(all) => Some(Named::State(all)),
                        _ => None,
                    });
                    rest.push(one.clone());
                }
                None => rest.push(one.clone()),
            }
        }
        if !rest.is_empty() {
            self.added.push(Clause {
                kind: ClauseKind::State(rest),
                ..clause.clone()
            });
        }
    }

    /// Whether a definition is an entry of a table, i.e. a parameter of it is a constant.
    fn is_entry(&self, l: &Let) -> bool {
        let named = |name: &Ident| {
            entry_of_table(&name.text).is_some()
                || name.text.starts_with(|c: char| c.is_ascii_digit())
                || self
                    .out
                    .iter()
                    .flatten()
                    .chain(&self.added)
                    .any(|c| match &c.kind {
                        ClauseKind::Pieces(p) => p.pieces.iter().any(|p| p.name == *name),
                        ClauseKind::Players(all) => all
                            .iter()
                            .any(|e| matches!(&*e.kind, ast::ExprKind::Name(n) if n == name)),
                        _ => false,
                    })
        };
        l.parameters
            .iter()
            .any(|p| p.sort.is_none() && named(&p.name))
    }

    fn lets(&mut self, clause: &Clause, new: &[Let]) {
        let mut rest = Vec::new();
        for one in new {
            let key = |l: &Let| -> Vec<Arc<str>> {
                l.parameters.iter().map(|p| p.name.text.clone()).collect()
            };
            if self.is_entry(one) {
                let same = self
                    .out
                    .iter_mut()
                    .flatten()
                    .find_map(|c| match &mut c.kind {
                        ClauseKind::Let(all) => all
                            .iter_mut()
                            .find(|l| l.name == one.name && key(l) == key(one)),
                        _ => None,
                    });
                if let Some(same) = same {
                    *same = one.clone();
                    continue;
                }
                let other = self.out.iter().flatten().any(|c| match &c.kind {
                    ClauseKind::Let(all) => {
                        all.iter().any(|l| l.name == one.name && !self.is_entry(l))
                    }
                    _ => false,
                });
                if !other {
                    rest.push(one.clone());
                    continue;
                }
            }
            // A definition of another form replaces the parent's completely.
            let _ = self.remove(&one.name, |kind| match kind {
                ClauseKind::Let(all) => Some(Named::Lets(all)),
                _ => None,
            });
            rest.push(one.clone());
        }
        if !rest.is_empty() {
            self.added.push(Clause {
                kind: ClauseKind::Let(rest),
                ..clause.clone()
            });
        }
    }

    fn moves(&mut self, clauses: &[Clause]) {
        let parents: Vec<(usize, Option<Ident>, Span)> = self
            .parents_moves()
            .into_iter()
            .map(|(i, m)| (i, m.label.clone(), self.parent.clauses[i].span))
            .collect();
        let left = parents.iter().filter(|m| self.out[m.0].is_some()).count();
        // The parent's only move, if it has one; the first move without a label replaces it.
        let mut only = (parents.len() == 1 && left == 1).then(|| parents[0].0);
        let mut taken = false;
        let mut seen: Vec<&Ident> = Vec::new();
        for clause in clauses {
            let Some(m) = move_of(clause) else { continue };
            let Some(label) = &m.label else {
                match only {
                    Some(i) if !taken => {
                        self.out[i] = Some(clause.clone());
                        taken = true;
                    }
                    None if left > 0 => {
                        let d = self.which(clause, &parents);
                        self.error(d);
                    }
                    _ => self.added.push(clause.clone()),
                }
                continue;
            };
            if let Some(first) = seen.iter().find(|s| **s == label) {
                self.error(
                    Diagnostic::error(
                        Code::E0226,
                        format!("two moves of {} are called `{}`", self.name.text, label.text),
                    )
                    .at(label.span, "the second")
                    .at(first.span, "the first")
                    .help("where a ruleset inherits, a label says which move is meant: give each its own"),
                );
                continue;
            }
            seen.push(label);
            let same: Vec<&(usize, Option<Ident>, Span)> = parents
                .iter()
                .filter(|p| p.1.as_ref() == Some(label) && self.out[p.0].is_some())
                .collect();
            match same[..] {
                [] => self.added.push(clause.clone()),
                [one] => {
                    self.out[one.0] = Some(clause.clone());
                    // The parent's only move has been replaced: a move without a label would be a further move.
                    if only == Some(one.0) {
                        only = None;
                    }
                }
                [first, second, ..] => {
                    let number = |i: usize| 1 + parents.iter().position(|p| p.0 == i).unwrap_or(0);
                    let d = Diagnostic::error(
                        Code::E0226,
                        format!("several moves of {} are called `{}`", self.parent.name.text, label.text),
                    )
                    .at(label.span, "which of them does this replace?")
                    .at(first.2, "the first")
                    .at(second.2, "the second")
                    .help(format!(
                        "leave out the one that it replaces, by its number, and give this move another label: `without move {}`",
                        number(second.0)
                    ));
                    self.error(d);
                }
            }
        }
    }

    /// The error for a move without a label, if the parent has several moves.
    fn which(&self, clause: &Clause, parents: &[(usize, Option<Ident>, Span)]) -> Diagnostic {
        let word = Span {
            end: clause.span.start + 4,
            ..clause.span
        };
        let labelled = parents.iter().find_map(|p| p.1.as_ref());
        let d = Diagnostic::error(
            Code::E0226,
            format!("which move of {} does this replace?", self.parent.name.text),
        )
        .at(word, "it has no label")
        .note(self.called());
        match labelled {
            Some(label) => d
                .suggest(Suggestion::after(
                    word,
                    format!(" {}", label.text),
                    format!("give it the label of the move that it replaces: `move {} by ..`", label.text),
                ))
                .help("a move that is added has a label of its own"),
            None => d.help("leave out the move that it replaces, by its number, and give this one a label: `without move 1` and `move other by ..`; a move that is added has a label, too"),
        }
    }
}

/// The named declarations of a clause.
enum Named<'n> {
    Pieces(&'n mut Vec<PieceDecl>),
    State(&'n mut Vec<StateDecl>),
    Lets(&'n mut Vec<Let>),
}

impl Named<'_> {
    fn names(&self) -> Vec<Arc<str>> {
        match self {
            Named::Pieces(all) => all.iter().map(|p| p.name.text.clone()).collect(),
            Named::State(all) => all.iter().map(|s| s.name.text.clone()).collect(),
            Named::Lets(all) => all.iter().map(|l| l.name.text.clone()).collect(),
        }
    }

    /// Removes the declarations of this name; returns whether there were any.
    fn remove(&mut self, name: &Ident) -> bool {
        let before = self.names().len();
        match self {
            Named::Pieces(all) => all.retain(|p| p.name != *name),
            Named::State(all) => all.retain(|s| s.name != *name),
            Named::Lets(all) => all.retain(|l| l.name != *name),
        }
        self.names().len() < before
    }

    fn is_empty(&self) -> bool {
        self.names().is_empty()
    }
}
