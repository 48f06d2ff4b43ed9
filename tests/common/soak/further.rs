//! Questions beyond those of short games, each checked against its definition on the graph of positions: values of loopy
//! positions, compounds, misère nimbers, and points. A loopy value is checked by the outcomes of its sums with other games,
//! which determine it (Siegel VI).

use super::ask::{Asked, Reply};
use super::brute::{Graph, Step};
use super::fates::{Fate, Places};
use super::judge::{Difference, Expected, Judge, Known};
use super::ways::Way;
use cgdsl::base::Span;
use cgdsl::claim::Answerer;
use cgdsl::game::{Compound, Convention, Player};
use cgdsl::ir::{self, Int, Outcome, Position, Val};
use cgdsl::model::typed::{GameFunction as F, GameLiteral, GameOp, LoopyName};
use cgdsl::value::notation::Style;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

pub(super) type Judged = Result<(), Box<Difference>>;

const ALL: [Compound; 5] = [
    Compound::Conjunctive,
    Compound::Continued,
    Compound::Selective,
    Compound::Shortened,
    Compound::Sequential,
];

/// Products with more positions than this are not constructed.
const MOST: usize = 400;
/// Components with more positions than this are not checked for their degree, or for whole quotients.
const FEW: usize = 7;

/// For each follower of the first position, Left's and Right's options.
#[derive(Clone, Debug)]
pub(super) struct Plain(pub(super) Vec<[Vec<usize>; 2]>);

impl Plain {
    /// The followers of a position; `None` if one of them is unknown, or there are more than `most`.
    fn below(graph: &Graph, start: usize, most: usize) -> Option<Plain> {
        let mut places = HashMap::from([(start, 0)]);
        let mut all = vec![start];
        let mut found = Vec::new();
        while let Some(p) = all.get(found.len()).copied() {
            let mut sides = [Vec::new(), Vec::new()];
            for (player, side) in sides.iter_mut().enumerate() {
                for option in graph.of(p, player)? {
                    let next = all.len();
                    let place = *places.entry(*option).or_insert(next);
                    if place == next {
                        all.push(*option);
                    }
                    side.push(place);
                }
                side.sort_unstable();
                side.dedup();
            }
            if all.len() > most {
                return None;
            }
            found.push(sides);
        }
        Some(Plain(found))
    }

    fn negative(&self) -> Plain {
        Plain(self.0.iter().map(|[l, r]| [r.clone(), l.clone()]).collect())
    }

    fn is_impartial(&self) -> bool {
        self.0.iter().all(|[l, r]| l == r)
    }

    /// The product of two games: `how` lists a player's moves from a pair.
    fn pairs(
        &self,
        other: &Plain,
        how: impl Fn(&[Vec<usize>; 2], &[Vec<usize>; 2], usize, (usize, usize)) -> Vec<(usize, usize)>,
    ) -> Plain {
        let m = other.0.len();
        let mut all = Vec::new();
        for (a, x) in self.0.iter().enumerate() {
            for (b, y) in other.0.iter().enumerate() {
                all.push([0, 1].map(|player| {
                    let moves = how(x, y, player, (a, b));
                    moves.into_iter().map(|(c, d)| c * m + d).collect()
                }));
            }
        }
        Plain(all)
    }

    pub(super) fn plus(&self, other: &Plain) -> Plain {
        self.pairs(other, |x, y, player, (a, b)| {
            let first = x[player].iter().map(|c| (*c, b));
            let second = y[player].iter().map(|d| (a, *d));
            first.chain(second).collect()
        })
    }

    /// *Winning Ways*, chapter 9; J. H. Conway, *On Numbers and Games*, chapter 14.
    fn compound(&self, other: &Plain, how: Compound) -> Plain {
        self.pairs(other, |x, y, player, (a, b)| {
            let over = x.iter().all(Vec::is_empty);
            let (x, y) = (&x[player], &y[player]);
            let both = || x.iter().flat_map(|c| y.iter().map(|d| (*c, *d)));
            let first = || x.iter().map(|c| (*c, b));
            let second = || y.iter().map(|d| (a, *d));
            match how {
                Compound::Conjunctive => both().collect(),
                Compound::Continued if x.is_empty() => second().collect(),
                Compound::Continued if y.is_empty() => first().collect(),
                Compound::Continued => both().collect(),
                Compound::Selective => both().chain(first()).chain(second()).collect(),
                Compound::Shortened if x.is_empty() || y.is_empty() => Vec::new(),
                Compound::Shortened => first().chain(second()).collect(),
                Compound::Sequential if over => second().collect(),
                Compound::Sequential => first().collect(),
            }
        })
    }

    /// The result of best play at the first position, by who begins.
    pub(super) fn fates(&self, convention: Convention, endless: Option<usize>) -> [Fate; 2] {
        let step = |to: &usize| Step {
            to: *to,
            again: false,
            end: None,
        };
        let side = |all: &Vec<usize>| Some(all.iter().map(step).collect());
        let graph = Graph {
            players: 2,
            options: Vec::new(),
            steps: self
                .0
                .iter()
                .map(|sides| sides.iter().map(side).collect())
                .collect(),
        };
        Places::new(&graph, convention, endless, 1).fates(1)[0]
    }

    /// Whether there is no infinite line of play with alternating turns.
    fn is_stopper(&self) -> bool {
        let mut left = vec![true; 2 * self.0.len()];
        loop {
            let ends = |s: usize| {
                self.0[s / 2][s % 2]
                    .iter()
                    .all(|w| !left[2 * w + 1 - s % 2])
            };
            let gone: Vec<usize> = (0..left.len()).filter(|s| left[*s] && ends(*s)).collect();
            if gone.is_empty() {
                return !left.contains(&true);
            }
            gone.into_iter().for_each(|s| left[s] = false);
        }
    }

    /// A nim-heap.
    pub(super) fn heap(n: usize) -> Plain {
        let all = (0..=n).rev().map(|k| {
            let below: Vec<usize> = (n - k + 1..=n).collect();
            [below.clone(), below]
        });
        Plain(all.collect())
    }
}

/// What the definitions say of positions and of pairs of them. This does not depend on the way of asking, and so is computed
/// once.
#[derive(Default)]
pub(super) struct Memo {
    below: RefCell<HashMap<(usize, usize), Option<Rc<Plain>>>>,
    fates: RefCell<HashMap<(&'static str, usize, usize), [Fate; 2]>>,
    nimbers: RefCell<HashMap<(usize, usize), usize>>,
}

impl Memo {
    fn below(&self, graph: &Graph, start: usize, most: usize) -> Option<Rc<Plain>> {
        let mut all = self.below.borrow_mut();
        let found = all.entry((start, most));
        let found = found.or_insert_with(|| Plain::below(graph, start, most).map(Rc::new));
        found.clone()
    }

    pub(super) fn fates(
        &self,
        what: (&'static str, usize, usize),
        found: impl FnOnce() -> [Fate; 2],
    ) -> [Fate; 2] {
        *self.fates.borrow_mut().entry(what).or_insert_with(found)
    }

    /// Misère nimbers, by [`misere_nimber`].
    fn nimber(&self, graph: &Plain, i: usize, twos: usize) -> usize {
        let mut all = self.nimbers.borrow_mut();
        let found = all.entry((i, twos));
        *found.or_insert_with(|| misere_nimber(graph, twos))
    }
}

/// Named games, as graphs. *Winning Ways*, chapter 11.
fn named(n: usize) -> (GameOp, Plain) {
    let star = |star: i32| {
        GameOp::Literal(GameLiteral {
            star: Some(star.into()),
            ..GameLiteral::default()
        })
    };
    let number = |n: i32| {
        GameOp::Literal(GameLiteral {
            number: Some((n.into(), 0)),
            ..GameLiteral::default()
        })
    };
    let loopy = GameOp::Loopy;
    let (op, moves): (GameOp, Vec<[&[usize]; 2]>) = match n % 12 {
        0 => (number(0), vec![[&[], &[]]]),
        1 => (star(1), vec![[&[1], &[1]], [&[], &[]]]),
        2 => (number(1), vec![[&[1], &[]], [&[], &[]]]),
        3 => (number(-1), vec![[&[], &[1]], [&[], &[]]]),
        4 => (loopy(LoopyName::On), vec![[&[0], &[]]]),
        5 => (loopy(LoopyName::Off), vec![[&[], &[0]]]),
        6 => (loopy(LoopyName::Over), vec![[&[1], &[0]], [&[], &[]]]),
        7 => (loopy(LoopyName::Under), vec![[&[0], &[1]], [&[], &[]]]),
        8 => (
            loopy(LoopyName::Upon),
            vec![[&[0], &[1]], [&[2], &[2]], [&[], &[]]],
        ),
        9 => (loopy(LoopyName::Dud), vec![[&[0], &[0]]]),
        10 => (loopy(LoopyName::Tis), vec![[&[1], &[]], [&[], &[0]]]),
        _ => (loopy(LoopyName::Tisn), vec![[&[], &[1]], [&[0], &[]]]),
    };
    let moves = moves.into_iter().map(|sides| sides.map(<[usize]>::to_vec));
    (op, Plain(moves.collect()))
}

/// The outcome determined by two fates.
pub(super) fn outcome_of([left, right]: [Fate; 2]) -> Outcome {
    let winner = |f: Fate| match f {
        Fate::Won(p, _) => Some(p),
        _ => None,
    };
    match (winner(left), winner(right)) {
        (None, None) => Outcome::D,
        (Some(0), None) => Outcome::LD,
        (Some(_), None) => Outcome::RD,
        (None, Some(0)) => Outcome::DL,
        (None, Some(_)) => Outcome::DR,
        (Some(0), Some(0)) => Outcome::L,
        (Some(0), Some(_)) => Outcome::N,
        (Some(_), Some(0)) => Outcome::P,
        (Some(_), Some(_)) => Outcome::R,
    }
}

/// Evaluates functions of the language.
pub(super) struct Functions<'a>(Answerer<'a>, &'a Asked);

impl Functions<'_> {
    fn op(&self, op: &GameOp, arguments: &[Val]) -> Reply<Val> {
        self.1.op(&self.0, op, arguments)
    }

    pub(super) fn call(&self, function: F, arguments: &[Val]) -> Reply<Val> {
        self.op(&GameOp::Function(function), arguments)
    }

    fn outcome(&self, of: Val) -> Reply<Outcome> {
        match self.call(F::Outcome, &[of]) {
            Reply::Is(Val::Outcome(o)) => Reply::Is(o),
            Reply::Is(other) => Reply::Refused(format!("{other:?}")),
            other => other.map(|_| Outcome::P),
        }
    }

    fn sum(&self, a: Val, b: Val) -> Reply<Val> {
        self.op(&GameOp::Add, &[a, b])
    }

    /// The outcome of a sum of values.
    fn outcome_of_sum(&self, a: Val, b: Val) -> Reply<Outcome> {
        match self.sum(a, b) {
            Reply::Is(sum) => self.outcome(sum),
            other => other.map(|_| Outcome::P),
        }
    }

    fn holds(&self, op: &GameOp, arguments: &[Val]) -> Reply<bool> {
        self.op(op, arguments).map(|v| v == Val::Bool(true))
    }
}

/// The misère nimber of a position together with some heaps of two, by the definition: the least heap with which the player
/// to move loses.
fn misere_nimber(graph: &Plain, twos: usize) -> usize {
    let mut sum = graph.clone();
    for _ in 0..twos {
        sum = sum.plus(&Plain::heap(2));
    }
    let lost = |n: &usize| {
        let fates = sum.plus(&Plain::heap(*n)).fates(Convention::Misere, None);
        matches!(fates[0], Fate::Won(1, _))
    };
    (0..).find(lost).unwrap_or_default()
}

impl Judge {
    /// Checks all questions of this file for a position, together with another follower of the same start.
    pub(super) fn further(
        &mut self,
        known: &Known,
        i: usize,
        j: usize,
        way: &Way,
        asked: &Asked,
    ) -> Judged {
        let Some(graph) = known.memo.below(&known.graph, i, MOST) else {
            return Ok(());
        };
        let functions = Functions(asked.answerer(Style::Ascii), asked);
        let other = known.memo.below(&known.graph, j, MOST / graph.0.len());
        if let Some(other) = &other {
            self.compound(known, i, j, &graph, other, way, &functions)?;
        }
        if !known.short {
            return Ok(());
        }
        if known.values[i].is_none() {
            self.loopy(
                known,
                i,
                j,
                &graph,
                other.as_deref(),
                way,
                &functions,
                asked,
            )?;
        } else if graph.is_impartial() && graph.0.len() <= 4 * FEW {
            self.misere_value(known, i, &graph, way, &functions)?;
            if let Some(other) = &other
                && graph.0.len().max(other.0.len()) <= FEW
                && other.is_impartial()
                && known.values[j].is_some()
            {
                self.alike(known, [i, j], [&graph, other], way, &functions)?;
            }
        }
        if known.values[i].is_some()
            && let Some(other) = &other
            && graph.0.len().max(other.0.len()) <= FEW
            && known.values[j].is_some()
        {
            self.misere_order(known, [i, j], [&graph, other], way, &functions)?;
        }
        Ok(())
    }

    /// Compounds of positions: who wins, under the rules' own convention and under misère play.
    #[allow(clippy::too_many_arguments)]
    fn compound(
        &mut self,
        known: &Known,
        i: usize,
        j: usize,
        graph: &Plain,
        other: &Plain,
        way: &Way,
        functions: &Functions<'_>,
    ) -> Judged {
        let p = &known.positions[i];
        let how = ALL[(i + j + self.turn()) % ALL.len()];
        let endless = p.endless().map(Player::index);
        let parts = [i, j].map(|k| Val::Position(known.positions[k].clone()));
        let val = Val::Compound(Arc::new(ir::Compound {
            how,
            parts: parts.into(),
        }));
        let asked = [
            (p.convention(), F::Outcome, "compound"),
            (
                Convention::Misere,
                F::MisereOutcome,
                "compound in misère play",
            ),
        ];
        for (convention, function, question) in asked {
            let fates = known.memo.fates((question, i, j), || {
                graph.compound(other, how).fates(convention, endless)
            });
            let expected = outcome_of(fates);
            let found = functions.call(function, std::slice::from_ref(&val));
            let found = found.map(|v| match v {
                Val::Outcome(o) => Some(o),
                _ => None,
            });
            let q = &known.positions[j];
            self.compare(question, p, way, Expected::Is(Some(expected)), found, |o| {
                format!("{o:?}, {} with {}", how.name(), ir::draw::literal(q))
            })?;
        }
        Ok(())
    }

    /// The outcomes of sums with a loopy value, its order, its degree, and its loopy nimber.
    #[allow(clippy::too_many_arguments)]
    fn loopy(
        &mut self,
        known: &Known,
        i: usize,
        j: usize,
        graph: &Plain,
        other: Option<&Plain>,
        way: &Way,
        functions: &Functions<'_>,
        asked: &Asked,
    ) -> Judged {
        let (p, q) = (&known.positions[i], &known.positions[j]);
        let endless = p.endless().map(Player::index);
        let show = |o: &Outcome| format!("{o:?}");
        if let Some(other) = other
            && let Ok(sum) = p.plus(q, Span::default())
        {
            let fates = known.memo.fates(("loopy sum", i, j), || {
                graph.plus(other).fates(Convention::Normal, endless)
            });
            let found = asked.outcome(&sum);
            let expected = Expected::Is(outcome_of(fates));
            self.compare("outcome of a loopy sum", &sum, way, expected, found, show)?;
        }
        self.smith(known, i, graph, endless, way, asked)?;
        // With a clause `endless`, only one side of the value is defined.
        if endless.is_some() {
            return Ok(());
        }
        let [g, h] = [p, q].map(|p| Val::Position(p.clone()));
        let (x, named) = named(i + j + self.turn());
        let Reply::Is(x) = functions.op(&x, &[]) else {
            return Ok(());
        };
        let beside = known.memo.fates(("named", i, j), || {
            graph.plus(&named).fates(Convention::Normal, None)
        });
        let fates = beside;
        let found = functions.outcome_of_sum(g.clone(), x.clone());
        let expected = Expected::Is(outcome_of(fates));
        self.compare(
            "loopy value beside a named one",
            p,
            way,
            expected,
            found,
            show,
        )?;
        if let Some(other) = other {
            let fates = known.memo.fates(("loopy sum", i, j), || {
                graph.plus(other).fates(Convention::Normal, None)
            });
            let found = functions.outcome_of_sum(g.clone(), h.clone());
            let expected = Expected::Is(outcome_of(fates));
            self.compare("sum of loopy values", p, way, expected, found, show)?;
            // G <= H for stoppers if and only if Left, moving second, survives H - G.
            if graph.is_stopper() && other.is_stopper() {
                let [_, right] = known.memo.fates(("difference", i, j), || {
                    let difference = other.plus(&graph.negative());
                    difference.fates(Convention::Normal, None)
                });
                let expected = Expected::Is(!matches!(right, Fate::Won(1, _)));
                let found = functions.holds(&GameOp::LessEqual, &[g.clone(), h]);
                self.compare(
                    "order of stoppers",
                    p,
                    way,
                    expected,
                    found,
                    bool::to_string,
                )?;
            }
        }
        if graph.is_stopper() {
            let found = functions.holds(&GameOp::Function(F::IsStopper), std::slice::from_ref(&g));
            self.compare(
                "is a stopper",
                p,
                way,
                Expected::Is(true),
                found,
                bool::to_string,
            )?;
        }
        // The sides beside a game that ends: Left survives with the onside exactly if with the game, and Right with the
        // offside.
        let sides = [(F::Onside, 0), (F::Offside, 1)];
        for (side, player) in sides {
            let survives =
                |fates: [Fate; 2]| fates.map(|f| !matches!(f, Fate::Won(w, _) if w != player));
            let expected = survives(beside);
            let Reply::Is(stopper) = functions.call(side, std::slice::from_ref(&g)) else {
                continue;
            };
            let found = functions.outcome_of_sum(stopper, x.clone());
            let found = found.map(|o| survives_of(o, player));
            let expected = Expected::Is(expected);
            self.compare("onside and offside", p, way, expected, found, |s| {
                format!("{s:?}")
            })?;
        }
        if graph.0.len() <= FEW
            && let Reply::Is(degree) = functions.call(F::Degree, std::slice::from_ref(&g))
        {
            let fates = known.memo.fates(("degree", i, j), || {
                let whole = graph.plus(&graph.negative()).plus(&named);
                whole.fates(Convention::Normal, None)
            });
            let expected = fates.map(|f| !matches!(f, Fate::Won(1, _)));
            let found = functions.outcome_of_sum(degree, x);
            let found = found.map(|o| survives_of(o, 0));
            let expected = Expected::Is(expected);
            self.compare("degree", p, way, expected, found, |s| format!("{s:?}"))?;
        }
        Ok(())
    }

    /// Smith's loopy nimbers, by their sums with heaps: *n is balanced by a heap of n; in a sum of `oo{K}` with a heap, the
    /// first player wins if the heap is in K, and otherwise the sum is drawn.
    fn smith(
        &mut self,
        known: &Known,
        i: usize,
        graph: &Plain,
        endless: Option<usize>,
        way: &Way,
        asked: &Asked,
    ) -> Judged {
        let p = &known.positions[i];
        if endless.is_some() || !graph.is_impartial() || graph.0.len() > 4 * FEW {
            return Ok(());
        }
        let most = graph.0.iter().map(|[l, _]| l.len()).max().unwrap_or(0) + 1;
        let beside = |n: usize| {
            let found = || graph.plus(&Plain::heap(n)).fates(Convention::Normal, None);
            known.memo.fates(("heap", i, n), found)[0]
        };
        let fates: Vec<Fate> = (0..=most).map(beside).collect();
        let lost = fates.iter().position(|f| matches!(f, Fate::Won(1, _)));
        let expected = match lost {
            Some(n) => Ok(n as u32),
            None => {
                let all = fates.iter().enumerate();
                let won = all.filter(|(_, f)| matches!(f, Fate::Won(0, _)));
                Err(won.map(|(n, _)| n as u32).collect())
            }
        };
        let found = asked.smith(p);
        // Not answered if the text of the rules does not give both players the same moves.
        if found == Reply::Is(None) {
            return Ok(());
        }
        let expected: Result<u32, Vec<u32>> = expected;
        self.compare(
            "loopy nimber",
            p,
            way,
            Expected::Is(Some(expected)),
            found,
            |s| format!("{s:?}"),
        )
    }

    /// The misère nimbers of an impartial position together with heaps of two.
    fn misere_value(
        &mut self,
        known: &Known,
        i: usize,
        graph: &Plain,
        way: &Way,
        functions: &Functions<'_>,
    ) -> Judged {
        let p = &known.positions[i];
        for twos in 0..3 {
            let nimber = known.memo.nimber(graph, i, twos);
            let expected = Expected::Is(Some(Int::from(nimber as u32)));
            let arguments = [Val::Position(p.clone()), Val::Int(Int::from(twos as u32))];
            let found = functions.call(F::MisereNimber, &arguments);
            let found = found.map(|v| v.as_int().cloned());
            self.compare("misère nimber", p, way, expected, found, |n| {
                format!("{n:?} with {twos} heaps of two")
            })?;
        }
        Ok(())
    }

    /// Indistinguishable positions have the same outcome with each part, and with two.
    fn alike(
        &mut self,
        known: &Known,
        [i, j]: [usize; 2],
        [g, h]: [&Plain; 2],
        way: &Way,
        functions: &Functions<'_>,
    ) -> Judged {
        let parts = [i, j].map(|k| Val::Position(known.positions[k].clone()));
        let found = match functions.call(F::Indistinguishable, &parts) {
            Reply::Is(v) => v == Val::Bool(true),
            Reply::Unknown => return Ok(()),
            other => {
                let p = &known.positions[i];
                let found = other.map(|_| true);
                let expected = Expected::Is(true);
                return self.compare(
                    "indistinguishable",
                    p,
                    way,
                    expected,
                    found,
                    bool::to_string,
                );
            }
        };
        let first_wins = |p: &Plain| p.left_wins()[0];
        let beside = [Plain::heap(0), g.clone(), h.clone(), g.plus(h)];
        let alike = beside
            .iter()
            .all(|x| first_wins(&g.plus(x)) == first_wins(&h.plus(x)));
        // Positions that are alike with these few parts may differ with others.
        let expected = Expected::Is(alike && found);
        let p = &known.positions[i];
        self.compare(
            "indistinguishable",
            p,
            way,
            expected,
            Reply::Is(found),
            bool::to_string,
        )
    }

    /// Points: the score of best play, and who has more.
    pub(super) fn points(
        &mut self,
        known: &Known,
        scores: &[[Option<i64>; 2]],
        way: &Way,
        asked: &Asked,
        most: usize,
    ) -> Judged {
        let played = (0..known.positions.len()).filter(|i| known.played[*i]);
        for i in played.take(most) {
            self.points_of(&known.positions[i], scores[i], way, asked)?;
            let Ok(negative) = known.positions[i].negate(Span::default()) else {
                continue;
            };
            let [left, right] = scores[i];
            let negated = [right.map(|n| -n), left.map(|n| -n)];
            self.points_of(&Arc::new(negative), negated, way, asked)?;
        }
        Ok(())
    }

    pub(super) fn points_of(
        &mut self,
        p: &Arc<Position>,
        scores: [Option<i64>; 2],
        way: &Way,
        asked: &Asked,
    ) -> Judged {
        for (first, points) in scores.into_iter().enumerate() {
            if let Some(points) = points {
                let found = asked.score(p, first);
                self.compare("score", p, way, Expected::Is(points), found, |n| {
                    format!("{n}, {first} first")
                })?;
            }
        }
        if let [Some(left), Some(right)] = scores {
            let fate = |points: i64| match points {
                0 => Fate::Drawn,
                1.. => Fate::Won(0, None),
                _ => Fate::Won(1, None),
            };
            let expected = Expected::Is(outcome_of([fate(left), fate(right)]));
            let found = asked.outcome(p);
            self.compare("outcome by points", p, way, expected, found, |o| {
                format!("{o:?}")
            })?;
        }
        Ok(())
    }
}

/// Whether a player avoids losing, by who begins.
fn survives_of(o: Outcome, player: usize) -> [bool; 2] {
    use Outcome as O;
    let winners = match o {
        O::L => [Some(0), Some(0)],
        O::R => [Some(1), Some(1)],
        O::N => [Some(0), Some(1)],
        O::P => [Some(1), Some(0)],
        O::D => [None, None],
        O::LD => [Some(0), None],
        O::RD => [Some(1), None],
        O::DL => [None, Some(0)],
        O::DR => [None, Some(1)],
    };
    winners.map(|w| w.is_none_or(|w| w == player))
}
