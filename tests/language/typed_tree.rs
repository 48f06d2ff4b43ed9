//! Whatever is parsed and checked is looked at. A walk over the typed tree of a file puts an expression that goes wrong in the
//! place of each expression in turn, takes each element of each list out, and changes each field of a query: every time the answers
//! must change, by the plain evaluator and by the compiled one. The structs are taken apart field by field, so a new field does not compile
//! until it is here.

use cgdsl::base::Span;
use cgdsl::game::{Shortcut, Shortcuts};
use cgdsl::model::typed::{
    Again, Binder, BinderKind, BoardEntry, BoardEntryKind, BoardLink, BoardLiteral, BoardNode,
    Builtin, Effect, EffectKind, EndClause, Expr, ExprKind, Field, FieldTarget, Function,
    FunctionBody, Model, Move, Players, PositionLiteral, Query, QueryKind, Repeat, Ruleset, Stage,
    Target,
};
use cgdsl::session::{Item, Memory, Session, Settings, Status};
use std::sync::Arc;

/// What is done at each place of the tree.
trait Walk {
    fn expr(&mut self, e: &mut Expr);
    fn list<T>(&mut self, what: &'static str, list: &mut Vec<T>);
}

fn exprs(all: &mut [Expr], w: &mut impl Walk) {
    all.iter_mut().for_each(|e| expr(e, w));
}

fn maybe(e: &mut Option<Expr>, w: &mut impl Walk) {
    e.iter_mut().for_each(|e| expr(e, w));
}

fn expr(e: &mut Expr, w: &mut impl Walk) {
    use ExprKind as K;
    w.expr(e);
    let Expr {
        span: _,
        sort: _,
        kind,
    } = e;
    match &mut **kind {
        K::Integer(_) | K::Bool(_) | K::Text(_) | K::Player(_) | K::Piece(_) => {}
        K::Empty | K::Wall | K::Off | K::Outcome(_) | K::Queer | K::Draw => {}
        K::Direction(..) | K::Root | K::Slot(_) => {}
        K::PlayerNumber(a) | K::PieceNumber(a) | K::Coordinates(a) | K::At(a) => expr(a, w),
        K::PieceOf(a) | K::Negative(a) | K::Not(a) | K::Fold(_, a) | K::Mirror(a) => expr(a, w),
        K::IsPieceOf(a, b) | K::Binary(_, a, b) | K::Index(a, b) => {
            expr(a, w);
            expr(b, w);
        }
        K::Sum(a, b) | K::Multiple(a, b) => {
            expr(a, w);
            expr(b, w);
        }
        K::Cell(all) | K::Label(_, all) | K::Call(_, all) | K::State(_, all) => exprs(all, w),
        K::Builtin(_, all) | K::Elements(all) | K::Tuple(all) | K::Game(_, all) => exprs(all, w),
        K::If(phi, a, b) => {
            expr(phi, w);
            expr(a, w);
            expr(b, w);
        }
        K::Quantifier(_, binders, condition, body) => {
            all_binders(binders, w);
            maybe(condition, w);
            expr(body, w);
        }
        K::For(body, binders, condition) => {
            all_binders(binders, w);
            maybe(condition, w);
            expr(body, w);
        }
        K::Board(literal) => board(literal, w),
        K::Position(literal) => {
            let PositionLiteral {
                ruleset: _,
                arguments,
                board: literal,
                fields,
            } = &mut **literal;
            exprs(arguments, w);
            board(literal, w);
            w.list("fields of a position", fields);
            for Field {
                span: _,
                target,
                value,
            } in fields
            {
                match target {
                    FieldTarget::At(e) => expr(e, w),
                    FieldTarget::State(_, all) => exprs(all, w),
                    FieldTarget::Whole(_) => {}
                }
                expr(value, w);
            }
        }
    }
}

fn all_binders(binders: &mut Vec<Binder>, w: &mut impl Walk) {
    w.list("binders", binders);
    for Binder { span: _, kind } in binders {
        match kind {
            BinderKind::In(_, e) => expr(e, w),
            BinderKind::Is {
                place: _,
                value,
                cell: _,
            } => expr(value, w),
            BinderKind::Sites(..) | BinderKind::Edges(_) | BinderKind::Pieces(_) => {}
            BinderKind::Heap { heap: _, places: _ } => {}
            BinderKind::Arcs(..) | BinderKind::Lines(..) => {}
        }
    }
}

fn board(literal: &mut BoardLiteral, w: &mut impl Walk) {
    let BoardLiteral {
        span: _,
        kind: _,
        entries,
    } = literal;
    w.list("entries of a board", entries);
    for BoardEntry {
        span: _,
        binders,
        condition,
        kind,
        slots: _,
    } in entries
    {
        all_binders(binders, w);
        maybe(condition, w);
        match kind {
            BoardEntryKind::Art(_) | BoardEntryKind::Encoded(..) => {}
            BoardEntryKind::Heap {
                sizes: e,
                entailed: _,
            }
            | BoardEntryKind::Board(e) => expr(e, w),
            BoardEntryKind::Chain(first, rest) => {
                node(first, w);
                for (link, next) in rest {
                    match link {
                        BoardLink::Computed(e) => expr(e, w),
                        BoardLink::Arc | BoardLink::Line | BoardLink::Labelled(_) => {}
                        BoardLink::Below | BoardLink::Above => {}
                    }
                    node(next, w);
                }
            }
        }
    }
}

fn node(node: &mut BoardNode, w: &mut impl Walk) {
    let BoardNode { label, pieces } = node;
    expr(label, w);
    for (count, _, _) in pieces {
        maybe(count, w);
    }
}

fn target(t: &mut Target, w: &mut impl Walk) {
    match t {
        Target::At(e) => expr(e, w),
        Target::State(_, all) => exprs(all, w),
    }
}

fn effect(of: &mut Effect, w: &mut impl Walk) {
    let Effect { span: _, kind } = of;
    match kind {
        EffectKind::Set(t, e) | EffectKind::Add(t, e) | EffectKind::Subtract(t, e) => {
            target(t, w);
            expr(e, w);
        }
        EffectKind::Remove(all) => {
            w.list("what is removed", all);
            exprs(all, w);
        }
        EffectKind::Keep(e) => expr(e, w),
        EffectKind::Join(u, v) | EffectKind::Merge(u, v) => {
            expr(u, w);
            expr(v, w);
        }
        EffectKind::Replace { heap: _, heaps } => expr(heaps, w),
        EffectKind::Each(binders, condition, inner) => {
            all_binders(binders, w);
            maybe(condition, w);
            effect(inner, w);
        }
    }
}

fn ruleset(rules: &mut Ruleset, w: &mut impl Walk) {
    let Ruleset {
        name: _,
        span: _,
        doc: _,
        parameters: _,
        board: _,
        heap_fields: _,
        acyclic: _,
        root: _,
        players,
        pieces: _,
        pieces_range,
        pieces_on_sites: _,
        pieces_on_edges: _,
        state: _,
        convention: _,
        ends,
        endless: _,
        score,
        moves,
        derived,
        inherits: _,
        hidden: _,
        broken: _,
    } = rules;
    if let Players::Range(e) = players {
        expr(e, w);
    }
    maybe(pieces_range, w);
    if let Some(derived) = derived {
        exprs(&mut derived.arguments, w);
    }
    w.list("ends", ends);
    for EndClause {
        span: _,
        kind: _,
        player: _,
        uses_player: _,
        mover: _,
        slots: _,
        slot_names: _,
        conditions,
    } in ends
    {
        w.list("conditions of an end", conditions);
        exprs(conditions, w);
    }
    if let Some(score) = score {
        expr(&mut score.points, w);
    }
    w.list("moves", moves);
    for Move {
        span: _,
        label: _,
        by: _,
        slots: _,
        slot_names: _,
        stages,
        again,
        repeat,
    } in moves
    {
        if let Again::When(phi) = again {
            expr(phi, w);
        }
        if let Some(Repeat { stage: _, next }) = repeat {
            next.iter_mut().for_each(|(_, e)| expr(e, w));
        }
        w.list("stages", stages);
        for Stage {
            span: _,
            binders,
            conditions,
            effects,
        } in stages
        {
            all_binders(binders, w);
            w.list("conditions", conditions);
            exprs(conditions, w);
            w.list("effects", effects);
            effects.iter_mut().for_each(|e| effect(e, w));
        }
    }
}

fn function(of: &mut Function, w: &mut impl Walk) {
    let Function {
        name: _,
        span: _,
        doc: _,
        in_ruleset: _,
        parameters: _,
        slots: _,
        body,
        sort: _,
    } = of;
    match body {
        FunctionBody::Expr(e) => expr(e, w),
        FunctionBody::Table(rows) => {
            w.list("rows of a table of values", rows);
            for (arguments, value) in rows {
                exprs(arguments, w);
                expr(value, w);
            }
        }
    }
}

fn query(of: &mut Query, w: &mut impl Walk) {
    let Query {
        span: _,
        kind: _,
        slow: _,
        name: _,
        slots: _,
        slot_names: _,
        binders,
        condition,
        body,
        source: _,
        of: _,
    } = of;
    all_binders(binders, w);
    maybe(condition, w);
    w.list("what is asked", body);
    exprs(body, w);
}

/// All definitions, then all queries.
fn tree(model: &mut Model, queries: &mut [Query], w: &mut impl Walk) {
    let Model {
        rulesets,
        functions,
        // The same as are given beside it.
        queries: _,
        asks: _,
    } = model;
    rulesets
        .iter_mut()
        .for_each(|r| ruleset(Arc::make_mut(r), w));
    functions
        .iter_mut()
        .for_each(|f| function(Arc::make_mut(f), w));
    queries.iter_mut().for_each(|q| query(q, w));
}

/// Makes one change: the expression of a number is one that goes wrong, or the element of a number is taken out.
struct Change {
    expr: Option<usize>,
    element: Option<usize>,
    exprs: usize,
    elements: usize,
    made: Option<(String, Span)>,
}

impl Change {
    fn new(expr: Option<usize>, element: Option<usize>) -> Change {
        Change {
            expr,
            element,
            exprs: 0,
            elements: 0,
            made: None,
        }
    }
}

impl Walk for Change {
    fn expr(&mut self, e: &mut Expr) {
        if self.expr == Some(self.exprs) {
            self.made = Some(("an expression".to_owned(), e.span));
            let minus = Expr {
                kind: Box::new(ExprKind::Integer((-1).into())),
                ..e.clone()
            };
            // There is no square root.
            *e.kind = ExprKind::Builtin(Builtin::Isqrt, vec![minus]);
        }
        self.exprs += 1;
    }

    fn list<T>(&mut self, what: &'static str, list: &mut Vec<T>) {
        if let Some(n) = self.element
            && (self.elements..self.elements + list.len()).contains(&n)
        {
            let at = n - self.elements;
            list.remove(at);
            self.made = Some((format!("element {} of the {what}", at + 1), Span::default()));
            // The rest keeps its numbers.
            self.elements += 1;
        }
        self.elements += list.len();
    }
}

/// Every construct of a query and of a move, with queries on whose answers each has a bearing.
fn file() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/semantics/tree.rules");
    std::fs::read_to_string(path).expect("the file is there")
}

fn evaluated(session: &mut Session<'_>, loaded: &cgdsl::session::Loaded) -> Vec<(Status, String)> {
    let items = session.evaluate(loaded, |_, _| {});
    items
        .iter()
        .map(|i: &Item| (i.status, format!("{:?} {:?}", i.answer, i.diagnostics)))
        .collect()
}

fn roads() -> [Settings; 2] {
    [Shortcuts::ALL, Shortcuts::only(&[Shortcut::Memo])].map(|shortcuts| Settings {
        shortcuts,
        limits: cgdsl::game::Limits {
            nodes: Some(20_000),
            ..Default::default()
        },
        ..Settings::default()
    })
}

#[test]
fn every_expression_and_every_element_is_looked_at() {
    for settings in roads() {
        let world = Memory::default().with("t.rules", file());
        let mut session = Session::new(&world, settings);
        let mut loaded = session.load("t.rules");
        let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.is_error()).collect();
        assert!(errors.is_empty(), "{errors:?}");
        let before = evaluated(&mut session, &loaded);
        for (status, said) in &before {
            assert_eq!(*status, Status::Held, "{said}");
        }
        let (model, queries) = (Model::clone(&loaded.model), loaded.queries.clone());
        let mut count = Change::new(None, None);
        tree(&mut model.clone(), &mut queries.clone(), &mut count);
        assert!(count.exprs > 150 && count.elements > 60);
        let expressions = (0..count.exprs).map(|n| Change::new(Some(n), None));
        let elements = (0..count.elements).map(|n| Change::new(None, Some(n)));
        let mut unseen = Vec::new();
        for mut change in expressions.chain(elements) {
            let (mut model, mut queries) = (model.clone(), queries.clone());
            tree(&mut model, &mut queries, &mut change);
            let (what, span) = change.made.expect("a change");
            loaded.model = Arc::new(model);
            loaded.queries = queries;
            if evaluated(&mut session, &loaded) == before {
                let text = session.sources().slice(span).to_owned();
                let numbers = (change.expr, change.element);
                unseen.push(format!("{what} `{text}` {numbers:?}"));
            }
        }
        assert!(unseen.is_empty(), "not looked at: {unseen:#?}");
    }
}

#[test]
fn every_field_of_a_query_is_looked_at() {
    let text = "claim \"small\" for n in 1..9 where n != 4: n < 7, n < 6 from \"a book\"\n";
    let world = Memory::default().with("t.rules", text);
    let mut session = Session::new(&world, Settings::default());
    let mut loaded = session.load("t.rules");
    let before = evaluated(&mut session, &loaded);
    assert_eq!(before[0].0, Status::Failed);
    let Query {
        span,
        kind,
        slow,
        name,
        // Room for what is bound, and no more than that: frames grow.
        slots: _,
        slot_names,
        binders: _,
        condition: _,
        body: _,
        source,
        // Of which ruleset: a word of the answer, looked at with the rulesets that inherit.
        of: _,
    } = loaded.queries[0].clone();
    let changed = |with: &dyn Fn(&mut Query)| {
        let mut q = loaded.queries[0].clone();
        with(&mut q);
        q
    };
    assert!(!slow && kind == QueryKind::Claim && name.is_some() && source.is_some());
    assert_eq!(slot_names.len(), 1);
    let all = [
        ("kind", changed(&|q| q.kind = QueryKind::Refute)),
        ("slow", changed(&|q| q.slow = true)),
        ("name", changed(&|q| q.name = None)),
        ("slot_names", changed(&|q| q.slot_names = vec!["k".into()])),
        ("source", changed(&|q| q.source = None)),
        ("binders", changed(&|q| q.binders.clear())),
        ("condition", changed(&|q| q.condition = None)),
        ("body", changed(&|q| q.body.truncate(1))),
        ("span", changed(&|q| q.span = Span::new(span.file, 0, 0))),
    ];
    let mut unseen = Vec::new();
    for (field, q) in all {
        loaded.queries = vec![q];
        let items = session.evaluate(&loaded, |_, _| {});
        let found = evaluated(&mut session, &loaded);
        // A place is where the item says that it stands.
        if found == before && items[0].line == 1 {
            unseen.push(field);
        }
    }
    // An item tells its line alone, which an empty span keeps.
    unseen.retain(|field| *field != "span");
    assert!(unseen.is_empty(), "not looked at: {unseen:?}");
}
