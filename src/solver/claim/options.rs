//! The order of the values of the options of a position of two players, as a figure: each value once, with the number of
//! options of Left and of Right that have it, together with the value of the position itself. The lines are the covering
//! pairs of the order of games, the greater game above (*On Numbers and Games*, ch. 0).

use super::algebra::memory;
use super::figure::{
    BoardFigure, Figure, GraphKind, Line, MOST_NODES, Mark, Node, Owner, Spot, TermFigure,
};
use super::host::Answerer;
use crate::base::Span;
use crate::game::Player;
use crate::ir::{Code, Fault, Position, Res, draw};
use crate::value::CanonicalForm;

/// The values of a position's options in their order, as a figure.
///
/// # Errors
/// Not two players, or too many values; a rule that fails; a limit.
pub fn order(answerer: &Answerer<'_>, position: &Position) -> Res<Figure> {
    let (solver, span) = (answerer.solver(), Span::default());
    let forms = solver.forms();
    let whole = solver.value(position, span)?;
    // Each value, with the number of options of each player that have it.
    let mut games: Vec<(CanonicalForm, [usize; 2])> = vec![(whole, [0; 2])];
    for (p, player) in [Player::LEFT, Player::RIGHT].into_iter().enumerate() {
        for (_, value, _) in solver.valued_moves(position, player, span)? {
            match games.iter_mut().find(|g| g.0 == value) {
                Some(known) => known.1[p] += 1,
                None => {
                    let mut count = [0; 2];
                    count[p] = 1;
                    games.push((value, count));
                }
            }
        }
        if games.len() > MOST_NODES {
            let message = format!("a picture shows at most {MOST_NODES} values");
            return Err(Fault::new(Code::Host, span, message));
        }
    }
    games.sort_by(|a, b| forms.structural_cmp(a.0, b.0));
    let all: Vec<CanonicalForm> = games.iter().map(|g| g.0).collect();
    let covers = forms.hasse_edges(&all).map_err(memory(span))?;
    let players: Vec<String> = (0..2)
        .map(|p| position.player_name(Player(p)).to_string())
        .collect();
    let nodes = games.iter().map(|(value, count)| {
        let marks = (0u8..2).zip(count).filter(|(_, n)| **n > 0);
        Node {
            label: answerer.print(*value),
            cell: None,
            coordinates: Vec::new(),
            spot: Spot {
                marks: marks
                    .map(|(p, n)| Mark {
                        glyph: players[usize::from(p)].chars().take(1).collect(),
                        owner: Owner::Player(p),
                        count: Some(n.to_string()),
                    })
                    .collect(),
                notes: match *value == whole {
                    true => vec!["the position".to_owned()],
                    false => Vec::new(),
                },
                tokens: Vec::new(),
            },
        }
    });
    let board = BoardFigure::Graph {
        graph: GraphKind::Poset,
        root: None,
        nodes: nodes.collect(),
        lines: covers
            .into_iter()
            .map(|(from, to)| Line {
                from,
                to,
                ..Line::default()
            })
            .collect(),
    };
    Ok(Figure {
        text: draw::short(position),
        players,
        terms: vec![TermFigure {
            ruleset: "The values of the options".to_owned(),
            negated: false,
            copies: "1".to_owned(),
            board,
            captions: Vec::new(),
        }],
        sides: false,
    })
}
