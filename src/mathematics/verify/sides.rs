//! Checks of witnesses of the sides of a loopy value: a graph of moves with one or two stoppers. The order is computed from
//! its definition on the product of both graphs; no code that found the stoppers is used.

use super::{Refusal, is_genuine, refuse};
use serde::{Deserialize, Serialize};

/// The theorem that this kind of witness rests on.
pub const SIDES_THEOREM: &str = "definition (Siegel, Combinatorial Game Theory, chapter VI): a stopper S is the onside of G if S <= G and G <= S where Left wins \
infinite play of each component, and the offside where Right does; a stopper without dominated or reversible options, no two of whose followers are equal, is the canonical form";

/// The greatest number of pairs of a vertex of one graph and a vertex of the other.
const MOST_PAIRS: usize = 20_000_000;

/// For each vertex the targets of Left's and of Right's moves. Vertex 0 is the game itself.
pub type Vertices = Vec<[Vec<u32>; 2]>;

/// A claim that stoppers are the sides of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SidesWitness {
    /// [`VERSION`](super::VERSION).
    pub cgdsl_sides_witness: u32,
    /// The name of the game, for people.
    pub name: String,
    /// [`SIDES_THEOREM`].
    pub theorem: String,
    /// All positions that follow, with their moves.
    pub game: Vertices,
    /// The canonical form of the onside, if it is claimed.
    pub onside: Option<Vertices>,
    /// The canonical form of the offside, if it is claimed.
    pub offside: Option<Vertices>,
    /// As in [`super::Witness`].
    pub hash: String,
}

impl SidesWitness {
    /// The hash that the witness should carry.
    #[must_use]
    pub fn right_hash(&self) -> String {
        super::hash_of_text(&SidesWitness {
            hash: String::new(),
            ..self.clone()
        })
    }
}

/// Checks a witness. `progress` gets the number of pairs compared so far, and ends the check by returning false.
///
/// # Errors
/// The first thing that is wrong.
pub fn check_sides(w: &SidesWitness, progress: &mut dyn FnMut(u64) -> bool) -> Result<(), Refusal> {
    is_genuine(
        w.cgdsl_sides_witness,
        (&w.hash, w.right_hash()),
        (&w.theorem, &[SIDES_THEOREM]),
    )?;
    if w.onside.is_none() && w.offside.is_none() {
        return refuse("no side is claimed");
    }
    is_graph(&w.game, "game")?;
    for (side, left_wins, name) in [(&w.onside, true, "onside"), (&w.offside, false, "offside")] {
        let Some(side) = side else { continue };
        is_graph(side, name)?;
        is_canonical(side, name, progress)?;
        let below = at_most(side, &w.game, left_wins, progress)?;
        if !below.holds(0, 0) {
            return refuse(format!("the {name} is not at most the game"));
        }
        let above = at_most(&w.game, side, left_wins, progress)?;
        if !above.holds(0, 0) {
            return refuse(format!("the game is not at most its {name}"));
        }
    }
    Ok(())
}

fn is_graph(graph: &Vertices, name: &str) -> Result<(), Refusal> {
    if graph.is_empty() {
        return refuse(format!("the {name} has no vertex"));
    }
    for (v, lists) in graph.iter().enumerate() {
        for list in lists {
            if list.iter().any(|w| *w as usize >= graph.len()) {
                return refuse(format!(
                    "a move from vertex {v} of the {name} leads nowhere"
                ));
            }
            if !list.is_sorted_by(|a, b| a < b) {
                return refuse(format!(
                    "the moves from vertex {v} of the {name} are not increasing"
                ));
            }
        }
    }
    Ok(())
}

/// Checks that the graph is a stopper in canonical form: all vertices follow the first, no two are equal, and no option is
/// dominated or reversible.
fn is_canonical(
    side: &Vertices,
    name: &str,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<(), Refusal> {
    let n = side.len();
    let (mut met, mut open) = (vec![false; n], vec![0]);
    met[0] = true;
    while let Some(v) = open.pop() {
        for w in side[v].iter().flatten().map(|w| *w as usize) {
            if !met[w] {
                met[w] = true;
                open.push(w);
            }
        }
    }
    if met.contains(&false) {
        return refuse(format!("a vertex of the {name} does not follow its first"));
    }
    // Alternating play ends: states whose moves all end are removed until none is left.
    let (mut left, mut before) = (vec![0usize; 2 * n], vec![Vec::new(); 2 * n]);
    for v in 0..n {
        for p in 0..2 {
            left[2 * v + p] = side[v][p].len();
            for w in &side[v][p] {
                before[2 * *w as usize + 1 - p].push(2 * v + p);
            }
        }
    }
    let mut ended: Vec<usize> = (0..2 * n).filter(|s| left[*s] == 0).collect();
    let mut count = 0;
    while let Some(s) = ended.pop() {
        count += 1;
        for &b in &before[s] {
            left[b] -= 1;
            if left[b] == 0 {
                ended.push(b);
            }
        }
    }
    if count < 2 * n {
        return refuse(format!("the {name} is not a stopper"));
    }
    // For stoppers both modes agree.
    let order = at_most(side, side, true, progress)?;
    let le = |u: u32, v: u32| order.holds(u as usize, v as usize);
    for v in 0..n as u32 {
        if (0..v).any(|u| le(u, v) && le(v, u)) {
            return refuse(format!("two vertices of the {name} are equal"));
        }
        let [left, right] = &side[v as usize];
        let dominated = left
            .iter()
            .any(|x| left.iter().any(|y| x != y && le(*x, *y)))
            || right
                .iter()
                .any(|x| right.iter().any(|y| x != y && le(*y, *x)));
        if dominated {
            return refuse(format!(
                "an option of vertex {v} of the {name} is dominated"
            ));
        }
        let replies = |x: &u32, p: usize| side[*x as usize][p].iter();
        let reversible = left.iter().any(|x| replies(x, 1).any(|y| le(*y, v)))
            || right.iter().any(|x| replies(x, 0).any(|y| le(v, *y)));
        if reversible {
            return refuse(format!(
                "an option of vertex {v} of the {name} is reversible"
            ));
        }
    }
    Ok(())
}

/// Where Left survives b − a, for all vertices a of one graph and b of another.
struct Order {
    width: usize,
    survives: Vec<bool>,
}

impl Order {
    /// a ≤ b: Left survives b − a if Right moves first.
    fn holds(&self, a: usize, b: usize) -> bool {
        self.survives[2 * (a * self.width + b) + 1]
    }
}

/// Left survives an infinite play of b − a exactly if infinitely many moves are made in b (if Left wins infinite play) or
/// in a (if Right does). So the states where she survives form the greatest set from each of whose states she can force,
/// staying within it, one more such move or a state where Right has no move.
fn at_most(
    first: &Vertices,
    second: &Vertices,
    left_wins: bool,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<Order, Refusal> {
    let width = second.len();
    let pairs = first.len().saturating_mul(width);
    if pairs > MOST_PAIRS {
        return refuse(format!(
            "more than {MOST_PAIRS} pairs of positions are not compared here"
        ));
    }
    let (back_first, back_second) = (backwards(first), backwards(second));
    let at = |a: usize, b: usize, mover: usize| 2 * (a * width + b) + mover;
    // Moves in a are those of the other player.
    let in_first = |graph: &Vertices, a: usize, b: usize, mover: usize, player: usize| {
        let list = graph[a][1 - player].iter();
        list.map(move |w| at(*w as usize, b, mover))
            .collect::<Vec<_>>()
    };
    let in_second = |graph: &Vertices, a: usize, b: usize, mover: usize, player: usize| {
        let list = graph[b][player].iter();
        list.map(move |w| at(a, *w as usize, mover))
            .collect::<Vec<_>>()
    };
    let moves = |s: usize, counting: bool| {
        let (a, b, p) = (s / 2 / width, s / 2 % width, s % 2);
        match counting == left_wins {
            true => in_second(second, a, b, 1 - p, p),
            false => in_first(first, a, b, 1 - p, p),
        }
    };
    // The states from which a move that does not count leads to s.
    let sources = |s: usize| {
        let (a, b, p) = (s / 2 / width, s / 2 % width, 1 - s % 2);
        match left_wins {
            true => in_first(&back_first, a, b, p, p),
            false => in_second(&back_second, a, b, p, p),
        }
    };
    let mut alive = vec![true; 2 * pairs];
    let mut done = 0;
    loop {
        let mut reached = vec![false; 2 * pairs];
        let mut missing = vec![0usize; 2 * pairs];
        let mut open = Vec::new();
        for s in 0..2 * pairs {
            let counting = moves(s, true);
            let good = counting.iter().filter(|t| alive[**t]).count();
            missing[s] = counting.len() - good + moves(s, false).len();
            let left_moves = s % 2 == 0;
            if left_moves && good > 0 || !left_moves && missing[s] == 0 {
                reached[s] = true;
                open.push(s);
            }
        }
        while let Some(s) = open.pop() {
            for source in sources(s) {
                missing[source] -= 1;
                if !reached[source] && (source % 2 == 0 || missing[source] == 0) {
                    reached[source] = true;
                    open.push(source);
                }
            }
        }
        done += pairs as u64;
        if !progress(done) {
            return Err(Refusal::Ended);
        }
        if reached == alive {
            return Ok(Order {
                width,
                survives: alive,
            });
        }
        alive = reached;
    }
}

fn backwards(graph: &Vertices) -> Vertices {
    let mut back: Vertices = vec![Default::default(); graph.len()];
    for (v, lists) in graph.iter().enumerate() {
        for (p, list) in lists.iter().enumerate() {
            for w in list {
                back[*w as usize][p].push(v as u32);
            }
        }
    }
    back
}

#[cfg(test)]
mod tests {
    use super::*;

    fn witness(
        game: Vertices,
        onside: Option<Vertices>,
        offside: Option<Vertices>,
    ) -> SidesWitness {
        let mut w = SidesWitness {
            cgdsl_sides_witness: super::super::VERSION,
            name: "G".to_owned(),
            theorem: SIDES_THEOREM.to_owned(),
            game,
            onside,
            offside,
            hash: String::new(),
        };
        w.hash = w.right_hash();
        w
    }

    fn holds(w: &SidesWitness) -> bool {
        check_sides(w, &mut |_| true).is_ok()
    }

    #[test]
    fn sides_of_dud_and_over_hold_and_no_others() {
        let on: Vertices = vec![[vec![0], vec![]]];
        let off: Vertices = vec![[vec![], vec![0]]];
        let dud: Vertices = vec![[vec![0], vec![0]]];
        let zero: Vertices = vec![[vec![], vec![]]];
        let over: Vertices = vec![[vec![1], vec![0]], [vec![], vec![]]];
        assert!(holds(&witness(
            dud.clone(),
            Some(on.clone()),
            Some(off.clone())
        )));
        assert!(!holds(&witness(dud.clone(), Some(off.clone()), None)));
        assert!(!holds(&witness(dud.clone(), None, Some(on))));
        assert!(!holds(&witness(dud.clone(), None, None)));
        // Not a stopper.
        assert!(!holds(&witness(dud.clone(), Some(dud), None)));
        assert!(holds(&witness(
            over.clone(),
            Some(over.clone()),
            Some(over.clone())
        )));
        assert!(!holds(&witness(over.clone(), Some(zero.clone()), None)));
        // Not canonical: {0, over | pass} has a dominated option.
        let wide: Vertices = vec![[vec![0, 1], vec![0]], [vec![], vec![]]];
        assert!(!holds(&witness(over.clone(), Some(wide), None)));
        // {*|*} is 0, and its own graph is not canonical.
        let two: Vertices = vec![[vec![1], vec![1]], [vec![2], vec![2]], [vec![], vec![]]];
        let star: Vertices = vec![[vec![1], vec![1]], [vec![], vec![]]];
        assert!(!holds(&witness(two.clone(), Some(star), None)));
        assert!(!holds(&witness(zero.clone(), Some(two.clone()), None)));
        assert!(holds(&witness(two, Some(zero.clone()), None)));
        assert!(holds(&witness(zero.clone(), Some(zero), None)));
    }

    #[test]
    fn a_changed_entry_is_refused() {
        // {over | under} with its own canonical form.
        let hot: Vertices = vec![
            [vec![1], vec![2]],
            [vec![3], vec![1]],
            [vec![2], vec![3]],
            [vec![], vec![]],
        ];
        let good = witness(hot.clone(), Some(hot.clone()), Some(hot.clone()));
        assert!(holds(&good));
        let mut refused = 0;
        for side in 0..2 {
            for v in 0..4 {
                for p in 0..2 {
                    for to in 0..4u32 {
                        let mut bad = good.clone();
                        let all = if side == 0 {
                            &mut bad.onside
                        } else {
                            &mut bad.offside
                        };
                        let list = &mut all.as_mut().unwrap()[v][p];
                        match list.iter().position(|w| *w == to) {
                            Some(i) => drop(list.remove(i)),
                            None => list.push(to),
                        }
                        list.sort_unstable();
                        // Without a new hash, and with one.
                        assert!(!holds(&bad));
                        bad.hash = bad.right_hash();
                        assert!(!holds(&bad), "side {side}, vertex {v}, player {p}, {to}");
                        refused += 1;
                    }
                }
            }
        }
        assert_eq!(refused, 64);
    }
}
