//! The drawing of a loopy value as a graph ([`Figure`]). Each side is a graph of its own: positions are vertices, with their
//! name in the text or a letter, and moves are arcs with their player.

use super::figure::{
    BoardFigure, Figure, GraphKind, Line, MOST_NODES, Mark, Node, Owner, Spot, TermFigure,
};
use super::host::Answerer;
use super::loopy::halted;
use crate::base::Span;
use crate::game::Player;
use crate::ir::{Code as FaultCode, Fault, Res};
use crate::value::loopy::{Loopy, Side};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The drawing of a value that is not a short game.
///
/// # Errors
/// A limit; more positions than a drawing can show.
pub fn loopy_figure(answerer: &Answerer<'_>, text: &str, value: Loopy) -> Res<Figure> {
    let sides = match value.as_one() {
        Some(side) => vec![(side, None)],
        None => vec![
            (value.onside, Some("onside")),
            (value.offside, Some("offside")),
        ],
    };
    let terms = sides.into_iter().map(|(side, name)| {
        let found = answerer.solver().knots.loops.borrow().is_found(side);
        let mut captions: Vec<String> = name.map(str::to_owned).into_iter().collect();
        if !found {
            captions.push("no stopper is equal to it: these are its moves".to_owned());
        }
        Ok(TermFigure {
            ruleset: name.unwrap_or("value").to_owned(),
            negated: false,
            copies: "1".to_owned(),
            board: graph(answerer, side)?,
            captions,
        })
    });
    Ok(Figure {
        text: text.to_owned(),
        players: vec!["Left".to_owned(), "Right".to_owned()],
        terms: terms.collect::<Res<_>>()?,
        sides: true,
    })
}

fn graph(answerer: &Answerer<'_>, start: Side) -> Res<BoardFigure> {
    let (solver, span) = (answerer.solver(), Span::default());
    let mut numbers = FxHashMap::from_iter([(start, 0)]);
    let mut all = vec![start];
    let mut nodes = Vec::new();
    let mut lines = Vec::new();
    let mut letters = 0;
    while let Some(&side) = all.get(nodes.len()) {
        let at = nodes.len();
        if all.len() > MOST_NODES {
            let what = format!("a picture shows at most {MOST_NODES} positions");
            return Err(Fault::new(FaultCode::TooMuch, span, what));
        }
        let short = solver.knots.loops.borrow().as_short(side);
        let label = match (short, answerer.loopy_name(side)) {
            (Some(g), _) => answerer.print(g),
            (None, Some(name)) => name,
            (None, None) => {
                letters += 1;
                crate::value::loopy::notation::label(letters - 1)
            }
        };
        let tokens = match at {
            0 => vec!["start".to_owned()],
            _ => Vec::new(),
        };
        nodes.push(Node {
            label,
            spot: Spot {
                tokens,
                ..Spot::default()
            },
            ..Node::default()
        });
        if short.is_some() {
            continue;
        }
        let options = solver
            .knots
            .loops
            .borrow_mut()
            .options(solver.forms(), side)
            .map_err(halted(solver, span))?;
        // The players who can move to each option.
        let mut moves: BTreeMap<usize, [bool; 2]> = BTreeMap::new();
        for (player, list) in options.into_iter().enumerate() {
            for option in list {
                let to = *numbers.entry(option).or_insert_with(|| {
                    all.push(option);
                    all.len() - 1
                });
                moves.entry(to).or_default()[player] = true;
            }
        }
        lines.extend(moves.into_iter().map(|(to, who)| Line {
            from: at,
            to,
            spot: Spot {
                marks: vec![mark(who)],
                ..Spot::default()
            },
        }));
    }
    Ok(BoardFigure::Graph {
        graph: GraphKind::Digraph,
        root: None,
        nodes,
        lines,
    })
}

fn mark(who: [bool; 2]) -> Mark {
    let (glyph, owner) = match who {
        [true, true] => ("LR", Owner::Shared),
        [true, false] => ("L", Owner::Player(Player::LEFT.0)),
        _ => ("R", Owner::Player(Player::RIGHT.0)),
    };
    Mark {
        glyph: glyph.to_owned(),
        owner,
        count: None,
    }
}
