//! Checks moves: the player, and the stages `choose .. where .. then ..`.

use super::binders::List;
use super::checker::{Checker, expr};
use super::error;
use super::lints;
use super::scope::{Around, Env, Hint};
use super::typed::{
    Again, By, Effect, EffectKind, Expr, ExprKind, Lines, Move, Play, Players, Repeat, Ruleset,
    RulesetId, Score, SiteKind, Slot, Sort, Stage, Target,
};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, Suggestion, meant};
use crate::syntax::ast::{self, AssignOp, Pattern};
use crate::syntax::printer::print_expr;

impl Checker<'_> {
    /// A move of a ruleset.
    pub(super) fn check_move(&mut self, home: RulesetId, m: &ast::Move, span: Span) -> Move {
        let rules = self.ruleset(home);
        let errors = self.errors;
        let mut env = Env::new(Around::Rule, Some(home));
        self.ruleset_parameters(home, &mut env);
        let own = env.visible.len();
        let (by, variable) = self.by(&rules, &m.by, &mut env);
        let mut stages = Vec::new();
        let mut repeat = None;
        for (i, stage) in m.stages.iter().enumerate() {
            let outer = env.visible.clone();
            let last = i + 1 == m.stages.len();
            stages.push(self.stage(stage, last, &rules, &mut env));
            if stage.repeat {
                repeat = self.repeat(m, i, &outer, variable, own, &mut env);
            } else if let Some((name, _)) = stage.next.first() {
                self.report(
                    Diagnostic::error(Code::E0225, "`next` belongs to a stage that is repeated")
                        .at(name.span, "this stage is done once")
                        .help("write `repeat` before the stage: `repeat choose .. then .. next a = b`"),
                );
            }
        }
        let again = self.again(m, &rules, &mut env);
        if let ([written], [typed]) = (&m.stages[..], &stages[..])
            && !self.failed
        {
            lints::repeated(self, written, typed);
        }
        if let Some(slot) = variable
            && !env.slots[slot as usize].used
        {
            let var = env.slots[slot as usize].clone();
            let players: Vec<String> = match &rules.players {
                Players::Named(names) => names.iter().map(|n| n.to_string()).collect(),
                Players::Range(_) => Vec::new(),
            };
            let names = players
                .iter()
                .map(String::as_str)
                .chain(std::iter::once("anyone"));
            let name = Ident::new(&var.name, var.span);
            let everyone = matches!(
                &*var.name,
                "everyone"
                    | "both"
                    | "any"
                    | "everybody"
                    | "anybody"
                    | "impartial"
                    | "either"
                    | "whoever"
            );
            let near = everyone
                .then(|| {
                    Suggestion::replace(
                        var.span,
                        "anyone",
                        "the same options for every player: `move by anyone:`",
                    )
                    .safe()
                })
                .or_else(|| meant(&name, names));
            let d = Diagnostic::error(
                Code::E0211,
                format!(
                    "`{}` is not a player, and the move does not use it",
                    var.name
                ),
            )
            .at(var.span, "who moves?");
            match near {
                Some(near) => self.report(d.suggest(near)),
                // What has an error may be where the player was meant.
                None if self.errors > errors => {}
                None => self.report(d.help("the same options for every player: `move by anyone:`; for each player p: use p in the move, as in `at(v) = p`")),
            }
        }
        for slot in &env.visible[own.min(env.visible.len())..] {
            // An unused player of `by p` has its own message.
            if Some(*slot) == variable {
                env.slots[*slot as usize].used = true;
            }
        }
        if !self.failed {
            self.unused(own, &env);
        }
        self.spend_parameters(home, &env);
        let found = Move {
            span,
            label: m.label.as_ref().map(|l| l.text.clone()),
            by,
            slots: env.size(),
            slot_names: env.slot_names(),
            stages,
            again,
            repeat,
        };
        if !self.failed {
            lints::grows(self, &found);
        }
        found
    }

    /// `again` at the end of a move. Anywhere else [`Checker::effect`] rejects it.
    fn again(&mut self, m: &ast::Move, rules: &Ruleset, env: &mut Env) -> Again {
        let last = m.stages.last().and_then(|s| s.effects.last());
        if let Some(ast::Effect {
            kind: ast::EffectKind::Entail,
            span,
        }) = last
        {
            self.entail(*span, rules);
            return Again::Entail;
        }
        let Some(ast::Effect {
            kind: ast::EffectKind::Again(when),
            span,
        }) = last
        else {
            return Again::Never;
        };
        let many = !matches!(&rules.players, Players::Named(names) if names.len() == 2);
        if many && rules.convention == Play::LastWins {
            self.report(
                Diagnostic::error(
                    Code::E0225,
                    "`again` and `play last-wins` do not go together",
                )
                .at(*span, "who is stuck then has moved last himself")
                .help("for three players and more: `play elimination`"),
            );
        }
        match when {
            None => Again::Always,
            Some(phi) => Again::When(Box::new(self.condition(phi, env))),
        }
    }

    /// Whether moves of these rules may entail.
    fn entail(&mut self, span: Span, rules: &Ruleset) {
        let refused = |why: &str| Diagnostic::error(Code::E0225, why).at(span, "");
        if !rules.board.has_heaps() {
            self.report(
                refused("`entail` is for rules on heaps")
                    .help("the answer must be made in a heap that the move has left; on other boards, entailing moves are not supported"),
            );
        } else if !matches!(&rules.players, Players::Named(names) if names.len() == 2) {
            self.report(refused("`entail` is for two players"));
        }
    }

    /// Under rules with `entail`, each move has one stage, which is done once, and no points are counted.
    pub(super) fn beside_entail(&mut self, moves: &[Move], score: Option<&Score>) {
        if !moves.iter().any(|m| matches!(m.again, Again::Entail)) {
            return;
        }
        if let Some(score) = score {
            self.report(
                Diagnostic::error(Code::E0225, "`entail` and `score` do not go together")
                    .at(score.span, "points are counted here"),
            );
        }
        for m in moves {
            if m.stages.len() > 1 || m.repeat.is_some() {
                self.report(
                    Diagnostic::error(Code::E0225, "beside `entail`, a move is made in one stage")
                        .at(m.span, "this one has several, or repeats one"),
                );
            }
        }
    }

    /// A stage that is performed once or more, with its `next` clause.
    fn repeat(
        &mut self,
        m: &ast::Move,
        at: usize,
        outer: &[u32],
        player: Option<u32>,
        parameters: usize,
        env: &mut Env,
    ) -> Option<Repeat> {
        let stage = &m.stages[at];
        let alone = |s: &ast::Stage| s.binders.is_empty() && s.effects.is_empty() && !s.repeat;
        let last = match &m.stages[at + 1..] {
            [] => true,
            [rest] => alone(rest),
            _ => false,
        };
        if !last {
            self.report(
                Diagnostic::error(Code::E0225, "`repeat` is the last stage of a move")
                    .at(stage.span, "stages follow it")
                    .help("one stage of `where` alone may follow: what must hold after the last round"),
            );
            return None;
        }
        if stage.effects.is_empty() {
            self.report(
                Diagnostic::error(
                    Code::E0225,
                    "a round that changes nothing cannot be repeated",
                )
                .at(stage.span, "`then` is missing"),
            );
            return None;
        }
        let mut next: Vec<(Slot, Expr)> = Vec::new();
        for (name, value) in &stage.next {
            let slot = env.find(&name.text).filter(|s| outer.contains(s));
            let slot = slot.filter(|s| {
                Some(*s) != player && outer.iter().position(|o| o == s) >= Some(parameters)
            });
            let Some(slot) = slot else {
                self.report(
                    Diagnostic::error(
                        Code::E0225,
                        format!("`{}` is not chosen before `repeat`", name.text),
                    )
                    .at(name.span, "`next` gives a name of an earlier stage its value in the next round")
                    .help("bind it in a stage of its own: `choose a where at(a) = p  repeat choose .. then .. next a = b`"),
                );
                self.expr(value, env);
                continue;
            };
            if next.iter().any(|(s, _)| s.0 == slot) {
                self.report(
                    Diagnostic::error(
                        Code::E0225,
                        format!("`next` gives `{}` two values", name.text),
                    )
                    .at(name.span, "the second time"),
                );
                continue;
            }
            let sort = env.slots[slot as usize].sort.clone();
            let value = self.expect(value, &sort, env);
            next.push((Slot(slot), value));
        }
        Some(Repeat { stage: at, next })
    }

    pub(super) fn by(&mut self, rules: &Ruleset, by: &Ident, env: &mut Env) -> (By, Option<u32>) {
        let text = &*by.text;
        if text == "anyone" {
            return (By::Anyone, None);
        }
        if let Players::Named(names) = &rules.players
            && let Some(i) = names.iter().position(|n| **n == *text)
        {
            return (By::One(u8::try_from(i).unwrap_or(u8::MAX)), None);
        }
        let slot = self.declare(by, Sort::Player, Hint::default(), env, false);
        (By::Each(Slot(slot)), Some(slot))
    }

    fn stage(&mut self, stage: &ast::Stage, last: bool, rules: &Ruleset, env: &mut Env) -> Stage {
        env.heaps.clear();
        let binders = self.binders(&stage.binders, List::Choose, env);
        let mut conditions = Vec::new();
        for c in &stage.conditions {
            let c = self.condition(c, env);
            if lints::is_constant(&c) {
                self.report(
                    Diagnostic::warning(
                        Code::W0804,
                        "this condition is the same in every position",
                    )
                    .at(c.span, "it reads neither the position nor the choice")
                    .help("leave it out"),
                );
            }
            conditions.push(c);
        }
        let mut effects = Vec::new();
        for (i, e) in stage.effects.iter().enumerate() {
            let turn = matches!(e.kind, ast::EffectKind::Again(_) | ast::EffectKind::Entail);
            if turn && last && i + 1 == stage.effects.len() {
                continue;
            }
            if let Some(kind) = self.effect(e, rules, env) {
                effects.push(Effect { span: e.span, kind });
            }
        }
        lints::zero_taken(self, &binders, &effects);
        Stage {
            span: stage.span,
            binders,
            conditions,
            effects,
        }
    }

    fn effect(&mut self, e: &ast::Effect, rules: &Ruleset, env: &mut Env) -> Option<EffectKind> {
        match &e.kind {
            ast::EffectKind::Assign(target, op, value) => {
                self.assign(target, *op, value, rules, env)
            }
            ast::EffectKind::Remove(what) => {
                let what: Vec<Expr> = what.iter().map(|w| self.removed(w, rules, env)).collect();
                Some(EffectKind::Remove(what))
            }
            ast::EffectKind::Keep(what) => {
                let what = self.removed(what, rules, env);
                let what = match what.sort.clone() {
                    Sort::Set(_) | Sort::Unknown => what,
                    sort => expr(
                        what.span,
                        Sort::Set(Box::new(sort)),
                        ExprKind::Elements(vec![what]),
                    ),
                };
                if matches!(&what.sort, Sort::Set(of) if **of == Sort::Site(SiteKind::Edge)) {
                    self.report(
                        Diagnostic::error(Code::E0218, "`keep` takes sites, and edges follow them")
                            .at(what.span, "these are edges")
                            .help("keep vertices: `keep reach(ground)`"),
                    );
                }
                Some(EffectKind::Keep(what))
            }
            ast::EffectKind::Join(u, arc, v) => self.join(e, u, *arc, v, rules, env),
            ast::EffectKind::Merge(u, v) => self.merge(e, u, v, rules, env),
            ast::EffectKind::Replace(pattern, heaps) => {
                self.replace(pattern, heaps, e.span, rules, env)
            }
            ast::EffectKind::Each(binders, condition, effect) => {
                let depth = env.visible.len();
                let binders = self.inner_binders(binders, env);
                let condition = condition.as_ref().map(|c| self.condition(c, env));
                let inner = self.effect(effect, rules, env);
                self.close(depth, env);
                let effect = Effect {
                    span: effect.span,
                    kind: inner?,
                };
                Some(EffectKind::Each(binders, condition, Box::new(effect)))
            }
            ast::EffectKind::When(effect, phi) => {
                let phi = self.condition(phi, env);
                let kind = self.effect(effect, rules, env);
                let effect = Effect {
                    span: effect.span,
                    kind: kind?,
                };
                Some(EffectKind::Each(Vec::new(), Some(phi), Box::new(effect)))
            }
            ast::EffectKind::Again(when) => {
                self.report(
                    Diagnostic::error(Code::E0225, "`again` is the last word of a move")
                        .at(e.span, "something follows it")
                        .help("put it at the end: `then remove e, again when k > 0`"),
                );
                if let Some(phi) = when {
                    self.condition(phi, env);
                }
                None
            }
            ast::EffectKind::Entail => {
                self.report(
                    Diagnostic::error(Code::E0225, "`entail` is the last word of a move")
                        .at(e.span, "something follows it")
                        .help("put it at the end: `then n -> [n - 1], entail`"),
                );
                None
            }
        }
    }

    /// `add u -- v` on a graph, `add u -> v` on a digraph.
    fn join(
        &mut self,
        e: &ast::Effect,
        u: &ast::Expr,
        arc: bool,
        v: &ast::Expr,
        rules: &Ruleset,
        env: &mut Env,
    ) -> Option<EffectKind> {
        let found = [self.expr(u, env), self.expr(v, env)];
        let lines = rules.board.lines();
        let meant = match lines {
            Lines::Edges => "--",
            Lines::Arcs => "->",
            _ => {
                self.report(
                    Diagnostic::error(Code::E0218, "there are no edges to add here")
                        .at(
                            e.span,
                            format!("{} is played on {}", rules.name, error::board(rules.board)),
                        )
                        .help("`add` joins vertices of a graph or a digraph"),
                );
                return None;
            }
        };
        if arc != (lines == Lines::Arcs) {
            let written = if arc { "->" } else { "--" };
            let text = format!("write `add {} {meant} {}`", print_expr(u), print_expr(v));
            self.report(
                Diagnostic::error(
                    Code::E0218,
                    match arc {
                        true => "a graph has edges, not arcs",
                        false => "a digraph has arcs, not edges",
                    },
                )
                .at(e.span, "")
                .suggest(Suggestion::between(u.span, v.span, written, meant, text).safe()),
            );
            return None;
        }
        if rules.acyclic {
            self.report(
                Diagnostic::error(Code::E0218, "an arc that is added may close a cycle")
                    .at(e.span, "this board is declared `acyclic`")
                    .help("leave `acyclic` out, and ask for it where it matters: `where u not in reach(v)`"),
            );
            return None;
        }
        let [u, v] = found.map(|end| self.coerce(end, &Sort::Site(SiteKind::Vertex), env));
        Some(EffectKind::Join(u, v))
    }

    /// `merge u, v` on a graph or a digraph.
    fn merge(
        &mut self,
        e: &ast::Effect,
        u: &ast::Expr,
        v: &ast::Expr,
        rules: &Ruleset,
        env: &mut Env,
    ) -> Option<EffectKind> {
        let found = [self.expr(u, env), self.expr(v, env)];
        let refusal = if !matches!(rules.board.lines(), Lines::Edges | Lines::Arcs) {
            Some((
                "there are no edges here",
                "`merge` makes two vertices of a graph or a digraph one",
            ))
        } else if rules.acyclic {
            Some((
                "vertices that become one may close a cycle",
                "leave `acyclic` out, and ask for it where it matters: `where u not in reach(v)`",
            ))
        } else if rules.pieces_on_edges {
            Some((
                "edges hold pieces here, and `merge` does not say which piece an edge of both vertices holds",
                "join the edges one by one: `remove v, each w in nbrs(v) where w not in nbrs(u) and w != u: add u -- w`, and place the pieces in another `then`",
            ))
        } else {
            None
        };
        if let Some((message, help)) = refusal {
            self.report(
                Diagnostic::error(Code::E0218, message)
                    .at(e.span, "")
                    .help(help),
            );
            return None;
        }
        let [u, v] = found.map(|end| self.coerce(end, &Sort::Site(SiteKind::Vertex), env));
        Some(EffectKind::Merge(u, v))
    }

    /// `at(b) := p`, `f(v) += 1`, `m -= k`.
    fn assign(
        &mut self,
        target: &ast::Expr,
        op: AssignOp,
        value: &ast::Expr,
        rules: &Ruleset,
        env: &mut Env,
    ) -> Option<EffectKind> {
        let variable = match &*target.kind {
            ast::ExprKind::Name(name) | ast::ExprKind::Call(name, _) => {
                env.var(&name.text).map(|v| (name.clone(), v.parameter))
            }
            _ => None,
        };
        if let Some((name, parameter)) = variable {
            let what = if parameter { "a parameter" } else { "chosen" };
            let d = Diagnostic::error(
                Code::E0218,
                format!("`{}` is {what}, and cannot be assigned", name.text),
            )
            .at(target.span, "only `at( )` and the state change");
            let d = if rules.board.has_heaps() {
                d.suggest(heap_left(&name, target, op, value))
            } else {
                d.help(format!(
                    "change what lies on it by `at({}) := ..`",
                    name.text
                ))
            };
            self.report(d);
            self.expr(value, env);
            return None;
        }
        let found = self.expr(target, env);
        let (typed_target, sort) = match (*found.kind, &found.sort) {
            (ExprKind::At(site), _) => (Target::At(site), Sort::Piece),
            (ExprKind::State(id, _), _)
                if rules.state.get(id.0 as usize).is_some_and(|s| s.fixed) =>
            {
                let name = &rules.state[id.0 as usize].name;
                self.report(
                    Diagnostic::error(
                        Code::E0218,
                        format!("`{name}` is fixed: it is given with the board, and no move changes it"),
                    )
                    .at(target.span, "this would change it")
                    .help(format!("what moves change is declared by `state {name}..` in the place of `fixed {name}..`")),
                );
                self.expr(value, env);
                return None;
            }
            (ExprKind::State(id, arguments), sort) => (Target::State(id, arguments), sort.clone()),
            (_, Sort::Unknown) => {
                self.expr(value, env);
                return None;
            }
            (_, sort) => {
                let names: Vec<String> = rules.state.iter().map(|s| s.name.to_string()).collect();
                let mut d = Diagnostic::error(
                    Code::E0218,
                    format!("{} cannot be assigned", error::a(sort)),
                )
                .at(target.span, "only `at( )` and the state change");
                if names.is_empty() {
                    d = d.help(
                        "what a position remembers is declared by `state`: `state token: vertex`",
                    );
                } else {
                    d = d.help(format!("the state here is {}", error::list(&names, "and")));
                }
                self.report(d);
                self.expr(value, env);
                return None;
            }
        };
        if op == AssignOp::Set {
            let value = self.expect(value, &sort, env);
            if matches!(*value.kind, ExprKind::Off) {
                self.report(
                    Diagnostic::error(
                        Code::E0218,
                        "`off` is what lies outside the board, and cannot be put on it",
                    )
                    .at(value.span, "")
                    .suggest(Suggestion::replace(
                        value.span,
                        "empty",
                        "to take a site off the board: `remove a`; no piece is `empty`",
                    )),
                );
            }
            return Some(EffectKind::Set(typed_target, value));
        }
        if sort != Sort::Int && sort != Sort::Unknown {
            let sign = if op == AssignOp::Add { "+=" } else { "-=" };
            let value_span = value.span;
            self.report(
                Diagnostic::error(
                    Code::E0218,
                    format!("`{sign}` counts, and this is {}", error::a(&sort)),
                )
                .at(target.span, format!("this is {}", error::a(&sort)))
                .suggest(Suggestion::between(
                    target.span,
                    value_span,
                    sign,
                    ":=",
                    "assign it by `:=`",
                )),
            );
            self.expr(value, env);
            return None;
        }
        let value = self.expect(value, &Sort::Int, env);
        Some(match op {
            AssignOp::Add => EffectKind::Add(typed_target, value),
            _ => EffectKind::Subtract(typed_target, value),
        })
    }

    /// The argument of `remove` or `keep`: a site, or a set of sites.
    fn removed(&mut self, e: &ast::Expr, rules: &Ruleset, env: &mut Env) -> Expr {
        let found = self.expr(e, env);
        let kind = rules.board.site();
        let Some(kind) = kind else {
            if found.sort == Sort::Unknown {
                return found;
            }
            let d = Diagnostic::error(Code::E0218, "there are no sites to remove here").at(
                found.span,
                format!("{} is played on {}", rules.name, error::board(rules.board)),
            );
            return self.hole(if rules.board.has_heaps() {
                d.help("a heap is taken away by `n -> []`")
            } else {
                d
            });
        };
        let site = Sort::Site(kind);
        let fits = match &found.sort {
            Sort::Unknown | Sort::Site(_) => true,
            Sort::Set(of) => matches!(**of, Sort::Site(_) | Sort::Unknown),
            _ => false,
        };
        if fits {
            return found;
        }
        let want = match &found.sort {
            Sort::Set(_) => Sort::Set(Box::new(site)),
            _ => site,
        };
        if found.sort == Sort::Piece {
            return self.hole(
                Diagnostic::error(
                    Code::E0218,
                    "`remove` takes sites off the board, not pieces off a site",
                )
                .at(found.span, "this is a piece")
                .help("to take the piece away: `at(v) := empty`"),
            );
        }
        self.coerce(found, &want, env)
    }

    /// `n -> [a, b]`.
    fn replace(
        &mut self,
        pattern: &Pattern,
        heaps: &ast::Expr,
        span: Span,
        rules: &Ruleset,
        env: &mut Env,
    ) -> Option<EffectKind> {
        let names: Vec<&Ident> = match pattern {
            Pattern::Name(name) => vec![name],
            Pattern::Tuple(names, _) => names.iter().collect(),
        };
        let Some(k) = rules.board.heap_of() else {
            self.report(
                Diagnostic::error(Code::E0219, "there are no heaps to replace here")
                    .at(
                        span,
                        format!("{} is played on {}", rules.name, error::board(rules.board)),
                    )
                    .help("heaps are declared by `board heaps`"),
            );
            return None;
        };
        let heap = env.heaps.iter().position(|h| {
            h.names.len() == names.len() && h.names.iter().zip(&names).all(|(a, b)| **a == *b.text)
        });
        let of = if k == 1 {
            Sort::Int
        } else {
            Sort::Tuple(vec![Sort::Int; usize::from(k)])
        };
        let guess = self.guess(heaps, env);
        if guess == of {
            let text = match &names[..] {
                [one] => one.text.to_string(),
                all => {
                    let all: Vec<&str> = all.iter().map(|n| &*n.text).collect();
                    format!("({})", all.join(", "))
                }
            };
            self.report(
                Diagnostic::error(Code::E0219, "a heap is replaced by a list of heaps")
                    .at(heaps.span, "this is one heap")
                    .note("none left is `[]`")
                    .suggest(
                        Suggestion::before(
                            heaps.span,
                            "[",
                            format!("write square brackets: `{text} -> [{}]`", print_expr(heaps)),
                        )
                        .and_after(heaps.span, "]")
                        .safe(),
                    ),
            );
            self.expr(heaps, env);
            return None;
        }
        let heaps = self.expect(heaps, &Sort::List(Box::new(of)), env);
        for name in &names {
            if let Some(slot) = env.find(&name.text) {
                env.slots[slot as usize].used = true;
            }
        }
        let Some(heap) = heap else {
            let chosen: Vec<String> = env
                .heaps
                .iter()
                .map(|h| match &h.names[..] {
                    [one] => one.to_string(),
                    many => format!("({})", many.join(", ")),
                })
                .collect();
            let written: Vec<&str> = names.iter().map(|n| &*n.text).collect();
            let d = Diagnostic::error(
                Code::E0219,
                format!(
                    "`{}` is not a heap chosen in this stage",
                    written.join(", ")
                ),
            )
            .at(names[0].span, "not a heap");
            let bound = names.len() == 1 && env.find(&names[0].text).is_some();
            self.report(if chosen.is_empty() && bound {
                d.help("a move replaces the heaps that it chooses by name: `choose m, n`. On any number of heaps, let each cell of a strip hold one: `board strip`, `state h(cell): nat`, and `choose t(a in cells) in 0..h(a) then each a in cells: h(a) -= t(a)`")
            } else if chosen.is_empty() {
                d.help(format!("choose it: `choose {}`", written.join(", ")))
            } else {
                d.help(format!(
                    "the heaps chosen here are {}",
                    error::list(&chosen, "and")
                ))
            });
            return None;
        };
        let heap = u32::try_from(heap).unwrap_or(u32::MAX);
        Some(EffectKind::Replace { heap, heaps })
    }
}

/// Rewrites `n -= k` for a heap as the replacement `n -> [n - k]`.
fn heap_left(name: &Ident, target: &ast::Expr, op: AssignOp, value: &ast::Expr) -> Suggestion {
    let n = &name.text;
    let simple = matches!(
        &*value.kind,
        ast::ExprKind::Name(_)
            | ast::ExprKind::Integer(_)
            | ast::ExprKind::Paren(_)
            | ast::ExprKind::Call(..)
    );
    let (open, close) = if simple { ("", "") } else { ("(", ")") };
    let (sign, head) = match op {
        AssignOp::Set => (":=", "-> [".to_owned()),
        AssignOp::Add => ("+=", format!("-> [{n} + {open}")),
        AssignOp::Subtract => ("-=", format!("-> [{n} - {open}")),
    };
    let close = if op == AssignOp::Set { "" } else { close };
    let message = format!(
        "a heap is replaced by heaps: `{n} {head}{}{close}]`",
        print_expr(value)
    );
    Suggestion::between(target.span, value.span, sign, head.trim_end(), message)
        .and_after(value.span, format!("{close}]"))
        .safe()
}
