//! Evaluates board literals to a [`Board`]. In chains, equal labels are one site; computed boards are added as copies that
//! share only the root.

use super::builtins::board_of;
use super::{Evaluator, Frame, Scope};
use crate::base::Span;
use crate::board::{Board, Builder, Heap, Place, art, encoded};
use crate::fault::{Code, Fault, Res};
use crate::model::typed::{
    AllSites, Binder, BinderKind, BoardEntry, BoardEntryKind, BoardKind, BoardLink, BoardLiteral,
    BoardNode, Builtin, Expr, ExprKind, Form, Lines, PieceRef,
};
use crate::val::Val;
use std::ops::ControlFlow;
use std::sync::Arc;

impl Evaluator<'_> {
    /// The board that a literal describes, of the literal's kind.
    ///
    /// # Errors
    /// Entries that do not fit the kind; whatever goes wrong in them.
    pub fn board(&self, literal: &BoardLiteral, frame: &mut Frame, scope: Scope<'_>) -> Res<Board> {
        let scope = Scope {
            kind: Some(literal.kind),
            building: None,
            ..scope
        };
        match literal.kind.form() {
            Form::Heaps => self.heaps(literal, frame, scope),
            Form::Scalars => match literal.entries.first() {
                None => Ok(Board::empty(literal.kind)),
                Some(e) => Err(Fault::new(
                    Code::Board,
                    e.span,
                    "this ruleset has no board: its state is given by fields such as `m: 3`",
                )),
            },
            Form::Cells => match &literal.entries[..] {
                [] => Board::cells(literal.kind, 0, 0, literal.span),
                [entry] => {
                    let board = self.cell_board(entry, literal.kind, frame, scope)?;
                    self.room_for(&board, entry.span)?;
                    Ok(board)
                }
                [_, second, ..] => Err(Fault::new(
                    Code::Board,
                    second.span,
                    "a grid or strip is one drawing or one constructor",
                )),
            },
            Form::Chains => self.built(literal, frame, scope),
        }
    }

    fn cell_board(
        &self,
        entry: &BoardEntry,
        kind: BoardKind,
        frame: &mut Frame,
        scope: Scope<'_>,
    ) -> Res<Board> {
        match &entry.kind {
            BoardEntryKind::Art(drawn) => art::board(drawn, kind, entry.span),
            BoardEntryKind::Board(e) if entry.binders.is_empty() => {
                let v = self.eval(e, frame, scope)?;
                if let Val::Text(text) = &v {
                    return art::named(text, kind, entry.span);
                }
                let board = board_of(&v, e.span)?;
                fit((*board).clone(), kind, e.span)
            }
            _ => Err(Fault::new(
                Code::Board,
                entry.span,
                format!(
                    "a {} is a drawing such as \"x.o\" or a constructor",
                    Board::kind_name(kind)
                ),
            )),
        }
    }

    fn heaps(&self, literal: &BoardLiteral, frame: &mut Frame, scope: Scope<'_>) -> Res<Board> {
        let mut board = Board::empty(literal.kind);
        let Some(arity) = literal.kind.heap_of() else {
            return Ok(board);
        };
        for entry in &literal.entries {
            let phi = entry.condition.as_slice();
            let _ = self.choices(&entry.binders, phi, frame, scope, &mut |frame| {
                match &entry.kind {
                    BoardEntryKind::Heap { sizes: e, entailed } => {
                        let v = self.eval(e, frame, scope)?;
                        let from = board.heaps.len();
                        add_heaps(&v, arity, e.span, &mut board.heaps)?;
                        if *entailed {
                            board.entailed.extend(from..board.heaps.len());
                        }
                    }
                    BoardEntryKind::Board(e) => match self.eval(e, frame, scope)? {
                        v @ (Val::Board(_) | Val::Position(_)) => {
                            let other = board_of(&v, e.span)?;
                            let other = fit((*other).clone(), literal.kind, e.span)?;
                            board.take_heaps(&other);
                        }
                        v => add_heaps(&v, arity, e.span, &mut board.heaps)?,
                    },
                    _ => {
                        return Err(Fault::new(
                            Code::Board,
                            entry.span,
                            "heaps are written as numbers: Nim[3, 5]",
                        ));
                    }
                }
                if board.heaps.len() > crate::board::MAX_SITES {
                    return Err(Fault::new(Code::TooMuch, entry.span, "too many heaps"));
                }
                Ok(ControlFlow::Continue(()))
            })?;
        }
        Ok(board)
    }

    fn built(&self, literal: &BoardLiteral, frame: &mut Frame, scope: Scope<'_>) -> Res<Board> {
        let rooted = scope.instance.and_then(|i| i.rules.root.clone());
        // A single computed board keeps its shape and its labels.
        if let [entry] = &literal.entries[..]
            && entry.binders.is_empty()
            && entry.condition.is_none()
            && let Some(board) = self.whole(entry, literal.kind, frame, scope)?
        {
            let root_fits = match &rooted {
                None => true,
                Some(name) => board.root == board.find(&Val::name(name)) && board.root.is_some(),
            };
            if root_fits {
                return Ok(board);
            }
        }
        let mut builder = Builder::new(literal.kind, literal.span);
        if let Some(name) = &rooted {
            let root = builder.site(Val::name(name))?;
            builder.root = Some(root);
        }
        let mut written = 0;
        for pass in 0..3 {
            if pass == 1 {
                written = builder.labels().len();
            }
            for entry in &literal.entries {
                let parts = !matches!(entry.kind, BoardEntryKind::Chain(..));
                let wanted = match pass {
                    0 => !parts && !ranges_over_elements(entry),
                    1 => parts,
                    _ => !parts && ranges_over_elements(entry),
                };
                if !wanted {
                    continue;
                }
                if parts {
                    let mut parts = Parts {
                        builder: &mut builder,
                        written,
                    };
                    self.glue_entry(entry, &mut parts, literal.kind, frame, scope)?;
                } else {
                    self.chain_entry(entry, &mut builder, frame, scope)?;
                }
            }
        }
        let (sites, lines) = (builder.labels().len(), builder.lines().len());
        self.charge((sites + lines) as u64, literal.span)?;
        self.room(0, sites, lines, literal.span)?;
        Ok(builder.finish())
    }

    /// The board, if the entry gives one as a whole.
    fn whole(
        &self,
        entry: &BoardEntry,
        kind: BoardKind,
        frame: &mut Frame,
        scope: Scope<'_>,
    ) -> Res<Option<Board>> {
        let board = match &entry.kind {
            BoardEntryKind::Art(drawn) => art::board(drawn, BoardKind::Grid, entry.span)?,
            BoardEntryKind::Encoded(format, text) => encoded::parse(format, text, entry.span)?,
            BoardEntryKind::Board(e) => match self.eval(e, frame, scope)? {
                Val::Text(text) => art::named(&text, BoardKind::Grid, entry.span)?,
                v @ (Val::Board(_) | Val::Position(_)) => (*board_of(&v, e.span)?).clone(),
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        self.room_for(&board, entry.span)?;
        Ok(Some(fit(board, kind, entry.span)?))
    }

    fn glue_entry(
        &self,
        entry: &BoardEntry,
        parts: &mut Parts<'_>,
        kind: BoardKind,
        frame: &mut Frame,
        scope: Scope<'_>,
    ) -> Res<()> {
        let phi = entry.condition.as_slice();
        let _ = self.choices(&entry.binders, phi, frame, scope, &mut |frame| {
            if let Some(board) = self.whole(entry, kind, frame, scope)? {
                self.charge((board.sites() + board.lines.len()) as u64, entry.span)?;
                parts.glue(&board, entry.span)?;
                return Ok(ControlFlow::Continue(()));
            }
            // The entry must be a set or list of boards.
            let BoardEntryKind::Board(e) = &entry.kind else {
                return Err(Fault::new(
                    Code::Board,
                    entry.span,
                    format!("this is not an entry of a {}", Board::kind_name(kind)),
                ));
            };
            let v = self.eval(e, frame, scope)?;
            let Some(items) = v.elements() else {
                return Err(Fault::new(Code::Board, e.span, "a board is expected here"));
            };
            for item in items {
                let board = board_of(item, e.span)?;
                parts.glue(&fit((*board).clone(), kind, e.span)?, e.span)?;
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(())
    }

    fn chain_entry(
        &self,
        entry: &BoardEntry,
        builder: &mut Builder,
        frame: &mut Frame,
        scope: Scope<'_>,
    ) -> Res<()> {
        let BoardEntryKind::Chain(first, rest) = &entry.kind else {
            return Ok(());
        };
        if entry.binders.is_empty() && entry.condition.is_none() {
            return self.chain(first, rest, builder, frame, scope);
        }
        // The binders read the elements that exist before this entry, so collect the new ones first.
        let mut added = Vec::new();
        {
            let scope = Scope {
                building: ranges_over_elements(entry).then_some(&*builder),
                ..scope
            };
            let phi = entry.condition.as_slice();
            let _ = self.choices(&entry.binders, phi, frame, scope, &mut |frame| {
                added.push(self.chain_values(first, rest, frame, scope)?);
                super::too_many_elements(added.len(), entry.span)?;
                self.room(0, added.len(), added.len(), entry.span)?;
                Ok(ControlFlow::Continue(()))
            })?;
        }
        for chain in added {
            add_chain(builder, chain)?;
        }
        Ok(())
    }

    fn chain(
        &self,
        first: &BoardNode,
        rest: &[(BoardLink, BoardNode)],
        builder: &mut Builder,
        frame: &mut Frame,
        scope: Scope<'_>,
    ) -> Res<()> {
        let chain = self.chain_values(first, rest, frame, scope)?;
        add_chain(builder, chain)
    }

    fn chain_values(
        &self,
        first: &BoardNode,
        rest: &[(BoardLink, BoardNode)],
        frame: &mut Frame,
        scope: Scope<'_>,
    ) -> Res<Chain> {
        let mut chain = Chain {
            nodes: vec![self.node(first, frame, scope)?],
            links: Vec::new(),
        };
        for (link, node) in rest {
            chain.links.push(match link {
                BoardLink::Arc | BoardLink::Line | BoardLink::Below => Link::Forth,
                BoardLink::Above => Link::Back,
                BoardLink::Labelled(piece) => {
                    Link::Labelled(self.piece_ref(piece, scope), node.label.span)
                }
                BoardLink::Computed(e) => {
                    let v = self.eval(e, frame, scope)?;
                    Link::Labelled(self.glyph(&v, e.span, scope)?, e.span)
                }
            });
            chain.nodes.push(self.node(node, frame, scope)?);
        }
        Ok(chain)
    }

    fn node(&self, node: &BoardNode, frame: &mut Frame, scope: Scope<'_>) -> Res<Node> {
        let label = self.eval(&node.label, frame, scope)?;
        if !is_label(&label) {
            return Err(Fault::new(
                Code::Board,
                node.label.span,
                "a name, a number, a tuple, a set or a term is expected for a vertex or element",
            ));
        }
        let mut pieces = Vec::new();
        for (count, piece, span) in &node.pieces {
            let count = match count {
                Some(e) => Some(self.integer(e, frame, scope)?),
                None => None,
            };
            pieces.push((count, self.piece_ref(piece, scope), *span));
        }
        Ok(Node {
            label: label.as_label(),
            pieces,
        })
    }

    pub(super) fn piece_ref(&self, piece: &PieceRef, scope: Scope<'_>) -> Arc<str> {
        match (piece, scope.instance) {
            (PieceRef::Name(name), _) => name.clone(),
            (PieceRef::Id(id), Some(i)) => i.piece_name(crate::val::Piece::Declared(id.0)),
            (PieceRef::Id(_), None) => "?".into(),
        }
    }
}

/// A board under construction to which copies of others are added.
struct Parts<'b> {
    builder: &'b mut Builder,
    /// The number of sites named by chains; these are the first ones.
    written: usize,
}

impl Parts<'_> {
    /// Adds a copy of a board. Refuses if one of its sites has the name of a written site, which may be meant to be the
    /// same.
    fn glue(&mut self, part: &Board, span: Span) -> Res<()> {
        let named = (0..part.sites())
            .filter_map(|s| u32::try_from(s).ok())
            .filter(|s| part.root != Some(*s))
            .map(|s| part.label(s));
        for label in named {
            let there = self.builder.find(&label);
            if there.is_some_and(|s| (s as usize) < self.written && self.builder.root != Some(s)) {
                let name = crate::draw::label(&label);
                let message = format!(
                    "{name} stands in a chain, and this part has a site {name} of its own: a part is a copy, so they would be two sites"
                );
                return Err(Fault::new(Code::Board, span, message)
                    .help(format!(
                        "a part's site is chosen by a condition, `x -- y where x = {name}, ..`; if two sites are meant, give the one in the chain another name"
                    )));
            }
        }
        self.builder.glue(part).map(drop)
    }
}

struct Chain {
    nodes: Vec<Node>,
    links: Vec<Link>,
}

struct Node {
    label: Val,
    pieces: Vec<(Option<crate::int::Int>, Arc<str>, Span)>,
}

enum Link {
    Forth,
    Back,
    Labelled(Arc<str>, Span),
}

fn add_chain(builder: &mut Builder, chain: Chain) -> Res<()> {
    let mut previous = None;
    for (i, node) in chain.nodes.into_iter().enumerate() {
        let site = builder.site(node.label)?;
        for (count, glyph, span) in node.pieces {
            builder.mark(Place::Site(site), &glyph, count, span);
        }
        if let (Some(p), Some(link)) = (previous, i.checked_sub(1).and_then(|i| chain.links.get(i)))
        {
            match link {
                Link::Forth => {
                    builder.line(p, site)?;
                }
                Link::Back => {
                    builder.line(site, p)?;
                }
                Link::Labelled(glyph, span) => {
                    let e = builder.line(p, site)?;
                    builder.mark(Place::Edge(e), glyph, None, *span);
                }
            }
        }
        previous = Some(site);
    }
    Ok(())
}

/// Whether a value can name a vertex or an element.
fn is_label(v: &Val) -> bool {
    matches!(
        v,
        Val::Int(_)
            | Val::Cell(..)
            | Val::Tuple(_)
            | Val::Label(_)
            | Val::Edge(_)
            | Val::Set(_)
            | Val::List(_)
            | Val::Text(_)
            | Val::Player(_)
    )
}

/// Whether an entry's binders range over the elements of the board under construction.
fn ranges_over_elements(entry: &BoardEntry) -> bool {
    fn asks(e: &Expr) -> bool {
        match &*e.kind {
            ExprKind::Builtin(Builtin::AllSites(AllSites::Points | AllSites::Vertices), args) => {
                args.is_empty()
            }
            _ => false,
        }
    }
    fn over(b: &Binder) -> bool {
        match &b.kind {
            BinderKind::Sites(..) | BinderKind::Arcs(..) | BinderKind::Lines(..) => true,
            BinderKind::In(_, e) => asks(e),
            _ => false,
        }
    }
    entry.binders.iter().any(over)
}

/// Converts a board to the expected kind: cells to a graph, a grid of one row to a strip.
fn fit(board: Board, kind: BoardKind, span: Span) -> Res<Board> {
    if board.kind == kind {
        return Ok(board);
    }
    let has_one_row = board.shape.is_none_or(|(m, _)| m <= 1);
    match (board.kind.form(), kind.form()) {
        (Form::Cells, _) if kind.lines() == Lines::Edges => board.to_graph(span),
        (Form::Cells, Form::Cells) if !kind.is_row() || has_one_row => {
            let mut board = board;
            board.kind = kind;
            Ok(board)
        }
        _ => Err(Fault::new(
            Code::Board,
            span,
            format!(
                "the board is of kind {}; expected is {}",
                Board::kind_name(board.kind),
                Board::kind_name(kind)
            ),
        )),
    }
}

fn add_heaps(v: &Val, arity: u8, span: Span, heaps: &mut Vec<Heap>) -> Res<()> {
    if let Some(items) = v.elements() {
        for item in items {
            heaps.push(heap(item, arity, span)?);
        }
        return Ok(());
    }
    heaps.push(heap(v, arity, span)?);
    Ok(())
}

/// A heap from a natural or a tuple of naturals.
pub(crate) fn heap(v: &Val, arity: u8, span: Span) -> Res<Heap> {
    let components: Option<Heap> = match v {
        Val::Int(n) => Some(vec![n.clone()]),
        _ => v
            .parts()
            .and_then(|p| p.iter().map(|x| x.as_int().cloned()).collect()),
    };
    let Some(components) = components.filter(|c| c.len() == usize::from(arity)) else {
        let wanted = if arity == 1 {
            "a number".to_owned()
        } else {
            format!("a tuple of {arity} numbers")
        };
        return Err(Fault::new(
            Code::Board,
            span,
            format!("a heap of this ruleset is {wanted}"),
        ));
    };
    if let Some(n) = components.iter().find(|n| n.is_negative()) {
        return Err(Fault::new(
            Code::NegativeNat,
            span,
            format!("a heap of {n}: heaps are naturals"),
        ));
    }
    Ok(components)
}
