//! Builds the trees of items, clauses, stages, binders and effects from pest's pairs.

use super::{Build, Builder, Read, Rule, node};
use crate::base::Ident;
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::ast::{
    Ask, AskAnswer, AssignOp, BinaryOp, Binder, BinderKind, BoardClause, Clause, ClauseKind,
    Derived, Effect, EffectKind, EndClause, EndKind, Expr, ExprKind, ItemKind, LeftOut, Let, Move,
    Parameter, Parent, Pattern, PieceDecl, PiecesClause, Query, QueryKind, Ruleset, SortName,
    SourceNote, Stage, StateDecl, Use,
};
use crate::syntax::lexer;
use cgdsl_grammar::pest::iterators::{Pair, Pairs};
use std::sync::Arc;

/// How deep `set of` and `list of` may be nested in a sort.
const MAX_SORT: usize = 16;

/// The first pair of `rule` inside `pair`.
pub(super) fn first(pair: Pair<'_, Rule>, rule: Rule) -> Build<Pair<'_, Rule>> {
    pair.into_inner()
        .find(|p| p.as_rule() == rule)
        .ok_or_else(|| Box::new(Diagnostic::error(Code::E0101, "something is missing here")))
}

impl Builder<'_> {
    pub(super) fn item(&mut self, pair: Pair<'_, Rule>) -> Build<Read> {
        let kinds = match pair.as_rule() {
            Rule::item_language => {
                let number = first(pair, Rule::integer)?;
                let version = number.as_str().trim_end().parse().unwrap_or(u32::MAX);
                return Ok(Read::Language(version, self.span(&number)));
            }
            Rule::item_use => {
                let string = first(pair.clone(), Rule::string)?;
                let name = pair.into_inner().find(|p| p.as_rule() == Rule::name);
                vec![ItemKind::Use(Use {
                    target: self.text(&string),
                    name: name.map(|n| self.ident(&n)),
                })]
            }
            Rule::item_ruleset => vec![self.ruleset(pair)?],
            Rule::item_let => self
                .bindings(pair)?
                .into_iter()
                .map(ItemKind::Let)
                .collect(),
            Rule::item_position => self
                .bindings(pair)?
                .into_iter()
                .map(ItemKind::Position)
                .collect(),
            Rule::item_ask => vec![ItemKind::Ask(self.ask(pair)?)],
            _ => vec![ItemKind::Query(self.query(pair)?)],
        };
        Ok(Read::Items(kinds))
    }

    fn ruleset(&mut self, pair: Pair<'_, Rule>) -> Build<ItemKind> {
        let mut name = Ident::new("", self.span(&pair));
        let mut parameters = Vec::new();
        let mut inner = pair.into_inner().peekable();
        while let Some(part) = inner.peek() {
            match part.as_rule() {
                Rule::kw_ruleset => {}
                Rule::name => name = self.ident(part),
                Rule::parameters => parameters = self.parameters(part.clone())?,
                Rule::derived => {
                    let expr = first(part.clone(), Rule::expr)?;
                    let body = self.expr(expr)?;
                    let with = part
                        .clone()
                        .into_inner()
                        .find(|p| p.as_rule() == Rule::inherited);
                    if let Some(with) = with {
                        return self.inheriting(name, parameters, body, with);
                    }
                    return Ok(ItemKind::Derived(Derived {
                        name,
                        parameters,
                        body,
                    }));
                }
                _ => break,
            }
            inner.next();
        }
        let mut clauses = Vec::new();
        for part in inner.filter(|p| p.as_rule() != Rule::EOI) {
            clauses.push(self.clause(part)?);
        }
        Ok(ItemKind::Ruleset(Ruleset {
            name,
            parameters,
            parent: None,
            clauses,
        }))
    }

    fn inheriting(
        &mut self,
        name: Ident,
        parameters: Vec<Parameter>,
        of: Expr,
        with: Pair<'_, Rule>,
    ) -> Build<ItemKind> {
        let mut claims = None;
        let mut clauses = Vec::new();
        for part in with.into_inner() {
            match part.as_rule() {
                Rule::kw_with => {}
                Rule::kw_claims => claims = Some(self.span(&part)),
                _ => clauses.push(self.clause(part)?),
            }
        }
        Ok(ItemKind::Ruleset(Ruleset {
            name,
            parameters,
            parent: Some(Parent { of, claims }),
            clauses,
        }))
    }

    pub(super) fn clauses(&mut self, pairs: Pairs<'_, Rule>) -> Build<Vec<Clause>> {
        pairs
            .filter(|p| p.as_rule() != Rule::EOI)
            .map(|p| self.clause(p))
            .collect()
    }

    fn parameters(&mut self, pair: Pair<'_, Rule>) -> Build<Vec<Parameter>> {
        let mut out = Vec::new();
        for part in pair.into_inner().filter(|p| p.as_rule() == Rule::parameter) {
            let mut name = Ident::new("", self.span(&part));
            let mut sort = None;
            for inner in part.into_inner() {
                match inner.as_rule() {
                    Rule::name | Rule::integer => name = self.ident(&inner),
                    Rule::sort => sort = Some(self.sort(inner)?),
                    _ => {}
                }
            }
            out.push(Parameter { name, sort });
        }
        Ok(out)
    }

    fn sort(&mut self, pair: Pair<'_, Rule>) -> Build<SortName> {
        let whole = self.span(&pair);
        let mut wraps = Vec::new();
        let mut out = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::sort_set => wraps.push((true, self.span(&part))),
                Rule::sort_list => wraps.push((false, self.span(&part))),
                _ => out = Some(SortName::Name(self.ident(&part))),
            }
        }
        if wraps.len() > MAX_SORT {
            return Err(Box::new(
                Diagnostic::error(Code::E0107, "a sort nested too deeply").at(
                    whole,
                    format!("at most {MAX_SORT} times `set of` and `list of`"),
                ),
            ));
        }
        let mut out = out.unwrap_or(SortName::Name(Ident::new("", whole)));
        for (set, span) in wraps.into_iter().rev() {
            out = if set {
                SortName::Set(Box::new(out), span)
            } else {
                SortName::List(Box::new(out), span)
            };
        }
        Ok(out)
    }

    fn bindings(&mut self, pair: Pair<'_, Rule>) -> Build<Vec<Let>> {
        let mut out = Vec::new();
        for part in pair.into_inner().filter(|p| p.as_rule() == Rule::binding) {
            let span = self.span(&part);
            let mut name = Ident::new("", span);
            let mut parameters = Vec::new();
            let mut body = None;
            for inner in part.into_inner() {
                match inner.as_rule() {
                    Rule::name => name = self.ident(&inner),
                    Rule::parameters => parameters = self.parameters(inner)?,
                    Rule::expr => body = Some(self.expr(inner)?),
                    _ => {}
                }
            }
            let body = body.unwrap_or_else(|| node(span, ExprKind::Name(name.clone())));
            out.push(Let {
                span,
                name,
                parameters,
                body,
            });
        }
        Ok(out)
    }

    fn clause(&mut self, pair: Pair<'_, Rule>) -> Build<Clause> {
        let span = self.span(&pair);
        // Documentation is in the trivia before the clause's first token.
        let tokens = self.source.tokens;
        let at = tokens.partition_point(|t| t.start < span.start);
        let doc: Vec<Arc<str>> = lexer::doc_above(self.source.text, tokens, at)
            .into_iter()
            .map(Arc::from)
            .collect();
        let kind = match pair.as_rule() {
            Rule::board_clause => self.board_clause(pair)?,
            Rule::players_clause => ClauseKind::Players(self.exprs(pair)?),
            Rule::pieces_clause => self.pieces_clause(pair)?,
            Rule::state_clause | Rule::fixed_clause => self.state_clause(pair)?,
            Rule::let_clause => ClauseKind::Let(self.bindings(pair)?),
            Rule::play_clause => ClauseKind::Play(self.ident(&first(pair, Rule::play_name)?)),
            Rule::won_clause | Rule::drawn_clause => self.end_clause(pair)?,
            Rule::endless_clause => {
                let owner = pair.into_inner().find(|p| p.as_rule() == Rule::owner);
                ClauseKind::Endless(owner.map(|p| self.ident(&p)))
            }
            Rule::score_clause => ClauseKind::Score(self.expr(first(pair, Rule::expr)?)?),
            Rule::move_clause => self.move_clause(pair)?,
            Rule::without_clause => self.without_clause(pair),
            _ => return self.unexpected(&pair),
        };
        Ok(Clause { span, doc, kind })
    }

    fn exprs(&mut self, pair: Pair<'_, Rule>) -> Build<Vec<Expr>> {
        pair.into_inner()
            .filter(|p| p.as_rule() == Rule::expr)
            .map(|p| self.expr(p))
            .collect()
    }

    fn board_clause(&mut self, pair: Pair<'_, Rule>) -> Build<ClauseKind> {
        let mut out = BoardClause {
            kind: Ident::new("", self.span(&pair)),
            tuple: Vec::new(),
            acyclic: None,
            root: None,
        };
        for part in pair.into_inner() {
            let here = self.span(&part);
            let again = match part.as_rule() {
                Rule::name => {
                    out.kind = self.ident(&part);
                    false
                }
                Rule::kw_acyclic => out.acyclic.replace(here).is_some(),
                Rule::rooted => {
                    let root = self.ident(&first(part, Rule::name)?);
                    out.root.replace(root).is_some()
                }
                Rule::heap_shape => {
                    let names = self.names(first(part, Rule::names)?);
                    !std::mem::replace(&mut out.tuple, names).is_empty()
                }
                _ => false,
            };
            if again {
                return Err(Box::new(
                    Diagnostic::error(Code::E0222, "this is given twice for the board")
                        .at(here, "the second time")
                        .help("leave one of them out"),
                ));
            }
        }
        Ok(ClauseKind::Board(out))
    }

    fn names(&self, pair: Pair<'_, Rule>) -> Vec<Ident> {
        pair.into_inner()
            .filter(|p| p.as_rule() == Rule::name)
            .map(|p| self.ident(&p))
            .collect()
    }

    fn pieces_clause(&mut self, pair: Pair<'_, Rule>) -> Build<ClauseKind> {
        let mut out = PiecesClause {
            pieces: Vec::new(),
            range: None,
            on_edges: None,
        };
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::piece_range => {
                    let range = first(part, Rule::sum_expr)?;
                    out.range = Some(self.expr(range)?);
                }
                Rule::piece_decl => {
                    let mut name = Ident::new("", self.span(&part));
                    let mut owners = Vec::new();
                    for inner in part.into_inner() {
                        match inner.as_rule() {
                            Rule::name => name = self.ident(&inner),
                            Rule::owner => owners.push(self.ident(&inner)),
                            _ => {}
                        }
                    }
                    out.pieces.push(PieceDecl { name, owners });
                }
                Rule::on_edges => out.on_edges = Some(self.span(&part)),
                _ => {}
            }
        }
        Ok(ClauseKind::Pieces(out))
    }

    fn state_clause(&mut self, pair: Pair<'_, Rule>) -> Build<ClauseKind> {
        let fixed = pair.as_rule() == Rule::fixed_clause;
        let mut out = Vec::new();
        for group in pair
            .into_inner()
            .filter(|p| p.as_rule() == Rule::state_group)
        {
            let mut names: Vec<(Ident, Vec<SortName>)> = Vec::new();
            for part in group.into_inner() {
                match part.as_rule() {
                    Rule::state_name => {
                        let mut name = Ident::new("", self.span(&part));
                        let mut arguments = Vec::new();
                        for inner in part.into_inner() {
                            match inner.as_rule() {
                                Rule::name => name = self.ident(&inner),
                                Rule::sort => arguments.push(self.sort(inner)?),
                                _ => {}
                            }
                        }
                        names.push((name, arguments));
                    }
                    Rule::sort => {
                        let sort = self.sort(part)?;
                        out.extend(names.drain(..).map(|(name, arguments)| StateDecl {
                            name,
                            arguments,
                            sort: sort.clone(),
                            fixed,
                        }));
                    }
                    _ => {}
                }
            }
        }
        Ok(ClauseKind::State(out))
    }

    fn end_clause(&mut self, pair: Pair<'_, Rule>) -> Build<ClauseKind> {
        let mut out = EndClause {
            kind: EndKind::Draw,
            player: None,
            conditions: Vec::new(),
        };
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::kw_win => out.kind = EndKind::Win,
                Rule::kw_lose => out.kind = EndKind::Lose,
                Rule::owner => out.player = Some(self.ident(&part)),
                Rule::conditions => out.conditions = self.conditions(part)?,
                _ => {}
            }
        }
        Ok(ClauseKind::End(out))
    }

    fn move_clause(&mut self, pair: Pair<'_, Rule>) -> Build<ClauseKind> {
        let mut out = Move {
            label: None,
            by: Ident::new("", self.span(&pair)),
            stages: Vec::new(),
        };
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::label => out.label = Some(self.ident(&part)),
                Rule::owner => out.by = self.ident(&part),
                Rule::stage => out.stages.push(self.stage(part)?),
                _ => {}
            }
        }
        Ok(ClauseKind::Move(out))
    }

    fn without_clause(&self, pair: Pair<'_, Rule>) -> ClauseKind {
        let parts = pair.into_inner().filter(|p| p.as_rule() == Rule::left_out);
        let left_out = |part: Pair<'_, Rule>| {
            let span = self.span(&part);
            let mut words = part.into_inner();
            LeftOut {
                span,
                word: words
                    .next()
                    .map_or_else(|| Ident::new("", span), |w| self.ident(&w)),
                name: words.next().map(|n| self.ident(&n)),
            }
        };
        ClauseKind::Without(parts.map(left_out).collect())
    }

    fn stage(&mut self, pair: Pair<'_, Rule>) -> Build<Stage> {
        let mut out = Stage {
            span: self.span(&pair),
            binders: Vec::new(),
            conditions: Vec::new(),
            effects: Vec::new(),
            repeat: false,
            next: Vec::new(),
        };
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::kw_repeat => out.repeat = true,
                Rule::next => {
                    for renewal in part.into_inner().filter(|p| p.as_rule() == Rule::renewal) {
                        let name = self.ident(&first(renewal.clone(), Rule::name)?);
                        let value = self.expr(first(renewal, Rule::expr)?)?;
                        out.next.push((name, value));
                    }
                }
                Rule::choose => {
                    let binders = first(part, Rule::binders)?;
                    out.binders = self.binders(binders)?;
                }
                Rule::given => {
                    let conditions = first(part, Rule::conditions)?;
                    out.conditions = self.conditions(conditions)?;
                }
                Rule::effects => out.effects = self.effects(part)?,
                _ => {}
            }
        }
        Ok(out)
    }

    pub(super) fn conditions(&mut self, pair: Pair<'_, Rule>) -> Build<Vec<Expr>> {
        pair.into_inner()
            .filter(|p| matches!(p.as_rule(), Rule::expr | Rule::plain_expr))
            .map(|p| self.expr(p))
            .collect()
    }

    pub(super) fn binders(&mut self, pair: Pair<'_, Rule>) -> Build<Vec<Binder>> {
        let mut out = Vec::new();
        for part in pair.into_inner().filter(|p| p.as_rule() == Rule::binder) {
            self.binder(part, &mut out)?;
        }
        Ok(out)
    }

    fn binder(&mut self, pair: Pair<'_, Rule>, out: &mut Vec<Binder>) -> Build<()> {
        let span = self.span(&pair);
        let mut pattern: Option<Pattern> = None;
        let mut sign = None;
        let mut from: Option<Ident> = None;
        let mut on: Option<(Ident, Expr)> = None;
        for part in pair.into_inner() {
            let here = self.span(&part);
            match part.as_rule() {
                Rule::choice_of => {
                    let argument = self.ident(&first(part.clone(), Rule::name)?);
                    on = Some((argument, self.expr(first(part, Rule::sum_expr)?)?));
                }
                Rule::edge_binder | Rule::piece_binder => {
                    let edge = part.as_rule() == Rule::edge_binder;
                    let name = self.ident(&first(part, Rule::name)?);
                    let kind = if edge {
                        BinderKind::Edge(name)
                    } else {
                        BinderKind::Piece(name)
                    };
                    out.push(Binder { span, kind });
                    return Ok(());
                }
                Rule::pattern => {
                    let Some(inner) = part.into_inner().next() else {
                        continue;
                    };
                    pattern = Some(if inner.as_rule() == Rule::names {
                        Pattern::Tuple(self.names(inner), here)
                    } else {
                        let name = self.ident(&inner);
                        from = Some(name.clone());
                        Pattern::Name(name)
                    });
                }
                Rule::name => {
                    // `u -> v -> w` is `u -> v, v -> w`.
                    let to = self.ident(&part);
                    let Some(start) = from.replace(to.clone()) else {
                        return Err(Box::new(
                            Diagnostic::error(Code::E0101, "an edge joins two names, not tuples")
                                .at(span, "")
                                .help("bind the two ends by names, and their coordinates by `=`"),
                        ));
                    };
                    let span = start.span.to(to.span);
                    let kind = match sign {
                        Some(Rule::line) => BinderKind::Line(start, to),
                        _ => BinderKind::Arc(start, to),
                    };
                    pattern = None;
                    out.push(Binder { span, kind });
                }
                Rule::sum_expr => {
                    let expr = self.expr(part)?;
                    let Some(pattern) = pattern.take() else {
                        continue;
                    };
                    if let Some((argument, over)) = on.take() {
                        let Pattern::Name(name) = pattern else {
                            return Err(Box::new(
                                Diagnostic::error(
                                    Code::E0101,
                                    "a function has one name, not a tuple",
                                )
                                .at(here, "")
                                .help(
                                    "one function for each: `s(x in S) in 0..1, t(x in S) in 0..1`",
                                ),
                            ));
                        };
                        let kind = BinderKind::Function {
                            name,
                            argument,
                            over,
                            values: expr,
                        };
                        out.push(Binder { span, kind });
                        continue;
                    }
                    let kind = match sign {
                        Some(Rule::is) => BinderKind::Is(pattern, expr),
                        _ => BinderKind::In(pattern, expr),
                    };
                    out.push(Binder { span, kind });
                }
                rule => sign = Some(rule),
            }
        }
        match pattern {
            Some(Pattern::Name(name)) => out.push(Binder {
                span,
                kind: BinderKind::Site(name),
            }),
            Some(Pattern::Tuple(names, _)) => out.push(Binder {
                span,
                kind: BinderKind::Heap(names),
            }),
            None => {}
        }
        Ok(())
    }

    fn effects(&mut self, pair: Pair<'_, Rule>) -> Build<Vec<Effect>> {
        let mut out: Vec<Effect> = Vec::new();
        for part in pair.into_inner().filter(|p| p.as_rule() == Rule::effect) {
            self.effect(part, &mut out)?;
        }
        Ok(out)
    }

    fn effect(&mut self, pair: Pair<'_, Rule>, out: &mut Vec<Effect>) -> Build<()> {
        let span = self.span(&pair);
        if let Some(again) = pair
            .clone()
            .into_inner()
            .find(|p| p.as_rule() == Rule::again)
        {
            let when = again.into_inner().find(|p| p.as_rule() == Rule::expr);
            let when = when.map(|e| self.expr(e)).transpose()?.map(Box::new);
            out.push(Effect {
                span,
                kind: EffectKind::Again(when),
            });
            return Ok(());
        }
        let entails = |p: Pair<'_, Rule>| p.as_rule() == Rule::entail;
        if pair.clone().into_inner().any(entails) {
            out.push(Effect {
                span,
                kind: EffectKind::Entail,
            });
            return Ok(());
        }
        let mut eaches = Vec::new();
        let mut word = None;
        let mut sign: Option<(Rule, String)> = None;
        let mut exprs = Vec::new();
        let mut when = None;
        for part in pair.into_inner() {
            let here = self.span(&part);
            match part.as_rule() {
                Rule::when => {
                    let phi = first(part, Rule::expr)?;
                    when = Some(Box::new(self.expr(phi)?));
                }
                Rule::each => eaches.push((here, self.comprehension(part)?)),
                Rule::join | Rule::merge => {
                    for inner in part.into_inner() {
                        match inner.as_rule() {
                            Rule::operand => exprs.push(self.operand(inner)?.0),
                            rule @ (Rule::kw_add | Rule::kw_merge) => word = Some((rule, here)),
                            Rule::comma => {}
                            drawn => sign = Some((drawn, String::new())),
                        }
                    }
                }
                Rule::kw_remove | Rule::kw_keep => word = Some((part.as_rule(), here)),
                Rule::assign | Rule::arrow => {
                    sign = Some((part.as_rule(), part.as_str().trim_end().to_string()))
                }
                Rule::expr => exprs.push(self.expr(part)?),
                _ => {}
            }
        }
        if eaches.len() > MAX_SORT {
            return Err(Box::new(
                Diagnostic::error(
                    Code::E0107,
                    format!("more than {MAX_SORT} `each` in one another"),
                )
                .at(span, "")
                .help("one `each` may have several binders: each x in S, y in T: .."),
            ));
        }
        let mut exprs = exprs.into_iter();
        let Some(left) = exprs.next() else {
            return Err(Box::new(
                Diagnostic::error(Code::E0112, "an effect is missing").at(span, ""),
            ));
        };
        let kind = match (word, sign, exprs.next()) {
            (Some((Rule::kw_add, _)), Some((drawn, _)), Some(right)) => {
                EffectKind::Join(left, drawn == Rule::arrow, right)
            }
            (Some((Rule::kw_merge, _)), None, Some(right)) => EffectKind::Merge(left, right),
            (Some((rule, word)), Some(_), _) => {
                let word_text = if rule == Rule::kw_remove {
                    "remove"
                } else {
                    "keep"
                };
                return Err(Box::new(
                    Diagnostic::error(
                        Code::E0112,
                        format!("`{word_text}` takes sites and sets of sites, not an assignment"),
                    )
                    .at(span, "")
                    .at(word, "from here on"),
                ));
            }
            (Some((Rule::kw_remove, _)), None, _) => EffectKind::Remove(vec![left]),
            (Some(_), None, _) => EffectKind::Keep(left),
            (None, Some((Rule::arrow, _)), Some(right)) => {
                EffectKind::Replace(pattern_of(left)?, right)
            }
            (None, Some((_, sign)), Some(right)) => {
                let op = match sign.as_str() {
                    "+=" => AssignOp::Add,
                    "-=" => AssignOp::Subtract,
                    _ => AssignOp::Set,
                };
                EffectKind::Assign(left, op, right)
            }
            _ => {
                // The list of `remove` continues until an assignment follows.
                if eaches.is_empty()
                    && !matches!(
                        &*left.kind,
                        ExprKind::Binary(BinaryOp::Is | BinaryOp::Equal, ..)
                    )
                    && let Some(last) = out.last_mut()
                {
                    let inner = innermost(last);
                    if let EffectKind::Remove(sites) = &mut inner.kind {
                        inner.span = inner.span.to(span);
                        sites.push(left);
                        // A condition at the end applies to the whole list.
                        if let Some(phi) = when {
                            let whole = Effect {
                                span: inner.span,
                                kind: std::mem::replace(&mut inner.kind, EffectKind::Again(None)),
                            };
                            inner.kind = EffectKind::When(Box::new(whole), phi);
                        }
                        last.span = last.span.to(span);
                        return Ok(());
                    }
                }
                return Err(no_effect(&left));
            }
        };
        let mut effect = Effect { span, kind };
        if let Some(phi) = when {
            effect = Effect {
                span,
                kind: EffectKind::When(Box::new(effect), phi),
            };
        }
        for (start, (binders, condition)) in eaches.into_iter().rev() {
            effect = Effect {
                span: start.to(effect.span),
                kind: EffectKind::Each(binders, condition.map(Box::new), Box::new(effect)),
            };
        }
        out.push(effect);
        Ok(())
    }

    fn source(&self, pair: Pair<'_, Rule>) -> Build<SourceNote> {
        let program = pair
            .clone()
            .into_inner()
            .any(|p| p.as_rule() == Rule::kw_program);
        let string = first(pair, Rule::string)?;
        Ok(SourceNote {
            program,
            text: self.text(&string),
        })
    }

    fn ask(&mut self, pair: Pair<'_, Rule>) -> Build<Ask> {
        let question = self.text(&first(pair.clone(), Rule::string)?);
        let (mut answer, mut hints, mut source) = (None, Vec::new(), None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::expected => {
                    let conditions = first(part, Rule::conditions)?;
                    answer = Some(AskAnswer::Expect(self.joined(conditions)?));
                }
                Rule::sealed => {
                    let text = first(part, Rule::string)?;
                    answer = Some(AskAnswer::Seal(self.text(&text)));
                }
                Rule::hints => hints.extend(
                    part.into_inner()
                        .filter(|p| p.as_rule() == Rule::string)
                        .map(|p| self.text(&p)),
                ),
                Rule::source => source = Some(self.source(part)?),
                _ => {}
            }
        }
        let missing = || Box::new(Diagnostic::error(Code::E0101, "something is missing here"));
        Ok(Ask {
            question,
            answer: answer.ok_or_else(missing)?,
            hints,
            source,
        })
    }

    fn query(&mut self, pair: Pair<'_, Rule>) -> Build<Query> {
        let kind = match pair.as_rule() {
            Rule::item_eval => QueryKind::Eval,
            Rule::item_assert => QueryKind::Assert,
            Rule::item_claim => QueryKind::Claim,
            Rule::item_refute => QueryKind::Refute,
            Rule::item_table => QueryKind::Table,
            _ => QueryKind::Search { first: false },
        };
        let mut out = Query {
            kind,
            slow: false,
            name: None,
            binders: Vec::new(),
            condition: None,
            body: Vec::new(),
            source: None,
        };
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::kw_slow => out.slow = true,
                Rule::kw_first => out.kind = QueryKind::Search { first: true },
                Rule::string => out.name = Some(self.text(&part)),
                Rule::ranges => (out.binders, out.condition) = self.comprehension(part)?,
                Rule::binders => out.binders = self.binders(part)?,
                Rule::expr => out.body.push(self.expr(part)?),
                Rule::conditions => out.body = self.conditions(part)?,
                Rule::source => out.source = Some(self.source(part)?),
                _ => {}
            }
        }
        Ok(out)
    }
}

/// The effect below all `each`.
fn innermost(mut effect: &mut Effect) -> &mut Effect {
    while matches!(effect.kind, EffectKind::Each(..)) {
        match &mut effect.kind {
            EffectKind::Each(_, _, inner) => effect = inner,
            _ => unreachable!("just matched"),
        }
    }
    effect
}

/// The left side of `n -> [a, b]`.
fn pattern_of(expr: Expr) -> Build<Pattern> {
    let span = expr.span;
    let name = |e: &Expr| match &*e.kind {
        ExprKind::Name(name) => Some(name.clone()),
        _ => None,
    };
    let found = match &*expr.kind {
        ExprKind::Name(name) => Some(Pattern::Name(name.clone())),
        ExprKind::Paren(inner) => name(inner).map(|n| Pattern::Tuple(vec![n], span)),
        ExprKind::Tuple(parts) => parts
            .iter()
            .map(name)
            .collect::<Option<Vec<_>>>()
            .map(|n| Pattern::Tuple(n, span)),
        _ => None,
    };
    found.ok_or_else(|| {
        Box::new(
            Diagnostic::error(Code::E0112, "only a heap that was chosen can be replaced")
                .at(span, "not a name, nor a tuple of names")
                .help("n -> [a, b] replaces the heap n; a state variable is set by `:=`"),
        )
    })
}

fn no_effect(expr: &Expr) -> Box<Diagnostic> {
    let d = match &*expr.kind {
        ExprKind::Binary(op @ (BinaryOp::Is | BinaryOp::Equal), left, right) => {
            let sign = if *op == BinaryOp::Is { "=" } else { "==" };
            Diagnostic::error(Code::E0111, format!("`{sign}` compares; an effect is written with `:=`"))
                .at(expr.span, "a condition, where an effect must stand")
                .suggest(Suggestion::between(left.span, right.span, sign, ":=", "assign with `:=`").safe())
                .note("a condition belongs after `where`")
        }
        _ => Diagnostic::error(Code::E0112, "this is not an effect")
            .at(expr.span, "does nothing")
            .help("an effect is `x := E`, `x += E`, `x -= E`, `remove a, b`, `keep S`, `n -> [a, b]`, `each x in S: ..`, or one of these and `when φ`"),
    };
    Box::new(d)
}
