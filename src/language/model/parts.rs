//! The parts of typed expressions. Input: expressions. Output: whether some part is of a kind, or the list of direct parts.

use super::typed::{
    Binder, BinderKind, BoardEntry, BoardEntryKind, BoardLink, BoardLiteral, BoardNode, Expr,
    ExprKind, FieldTarget, FunctionBody, FunctionId, Model, PositionLiteral,
};

/// Whether some part of the expressions satisfies `is`, including the bodies of called functions.
pub fn any_part<'e>(
    model: &'e Model,
    all: impl IntoIterator<Item = &'e Expr>,
    is: impl Fn(&Expr) -> bool,
) -> bool {
    let mut open: Vec<&Expr> = all.into_iter().collect();
    let mut called: Vec<FunctionId> = Vec::new();
    while let Some(e) = open.pop() {
        if is(e) {
            return true;
        }
        if let ExprKind::Call(f, _) = &*e.kind
            && !called.contains(f)
        {
            called.push(*f);
            match model.functions.get(f.0 as usize).map(|f| &f.body) {
                Some(FunctionBody::Expr(body)) => open.push(body),
                Some(FunctionBody::Table(rows)) => open.extend(rows.iter().map(|(_, e)| e)),
                None => {}
            }
        }
        below(e, &mut open);
    }
    false
}

/// Appends the expressions in binders.
pub fn of_binders<'e>(binders: &'e [Binder], parts: &mut Vec<&'e Expr>) {
    for b in binders {
        if let BinderKind::In(_, e) | BinderKind::Is { value: e, .. } = &b.kind {
            parts.push(e);
        }
    }
}

/// Appends the direct parts of an expression.
pub fn below<'e>(e: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &*e.kind {
        ExprKind::PlayerNumber(a)
        | ExprKind::PieceNumber(a)
        | ExprKind::Coordinates(a)
        | ExprKind::At(a)
        | ExprKind::PieceOf(a)
        | ExprKind::Negative(a)
        | ExprKind::Not(a)
        | ExprKind::Mirror(a)
        | ExprKind::Fold(_, a) => parts.push(a),
        ExprKind::IsPieceOf(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::Index(a, b)
        | ExprKind::Sum(a, b)
        | ExprKind::Multiple(a, b) => parts.extend([a, b]),
        ExprKind::If(phi, a, b) => parts.extend([phi, a, b]),
        ExprKind::Cell(list)
        | ExprKind::Label(_, list)
        | ExprKind::Call(_, list)
        | ExprKind::State(_, list)
        | ExprKind::Builtin(_, list)
        | ExprKind::Elements(list)
        | ExprKind::Tuple(list)
        | ExprKind::Game(_, list) => parts.extend(list),
        ExprKind::Quantifier(_, binders, phi, body) | ExprKind::For(body, binders, phi) => {
            of_binders(binders, parts);
            parts.extend(phi);
            parts.push(body);
        }
        ExprKind::Board(literal) => board(literal, parts),
        ExprKind::Position(literal) => position(literal, parts),
        ExprKind::Integer(_)
        | ExprKind::Bool(_)
        | ExprKind::Text(_)
        | ExprKind::Player(_)
        | ExprKind::Piece(_)
        | ExprKind::Empty
        | ExprKind::Wall
        | ExprKind::Off
        | ExprKind::Outcome(_)
        | ExprKind::Queer
        | ExprKind::Draw
        | ExprKind::Direction(..)
        | ExprKind::Root
        | ExprKind::Slot(_) => {}
    }
}

fn position<'e>(literal: &'e PositionLiteral, parts: &mut Vec<&'e Expr>) {
    parts.extend(&literal.arguments);
    board(&literal.board, parts);
    for field in &literal.fields {
        match &field.target {
            FieldTarget::At(e) => parts.push(e),
            FieldTarget::State(_, list) => parts.extend(list),
            FieldTarget::Whole(_) => {}
        }
        parts.push(&field.value);
    }
}

fn board<'e>(literal: &'e BoardLiteral, parts: &mut Vec<&'e Expr>) {
    let node = |node: &'e BoardNode, parts: &mut Vec<&'e Expr>| {
        parts.push(&node.label);
        parts.extend(node.pieces.iter().filter_map(|(count, ..)| count.as_ref()));
    };
    for BoardEntry {
        binders,
        condition,
        kind,
        ..
    } in &literal.entries
    {
        of_binders(binders, parts);
        parts.extend(condition);
        match kind {
            BoardEntryKind::Art(_) | BoardEntryKind::Encoded(..) => {}
            BoardEntryKind::Heap { sizes: e, .. } | BoardEntryKind::Board(e) => parts.push(e),
            BoardEntryKind::Chain(first, rest) => {
                node(first, parts);
                for (link, next) in rest {
                    if let BoardLink::Computed(e) = link {
                        parts.push(e);
                    }
                    node(next, parts);
                }
            }
        }
    }
}
