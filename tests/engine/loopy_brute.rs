//! The algebra of loopy games against a program that shares nothing with it (`tests/oracles/loopy.rs`): outcomes of sums on
//! products of graphs, the order, sides, stoppers, degrees, and that no stopper exists where the algebra reports none.

use crate::loopy_program::{self as brute, Graph, Mode};
use crate::random::Random;
use cgdsl::value::Forms;
use cgdsl::value::loopy::{Edge, Loops, Loopy, Moves, Side};
use std::collections::HashMap;

fn random_graph(random: &mut Random, n: usize, moves: usize) -> Graph {
    let mut graph: Graph = vec![Default::default(); n];
    for _ in 0..moves {
        let (v, side, to) = (random.below(n), random.below(2), random.below(n));
        graph[v][side].push(to);
    }
    graph
}

fn edges(graph: &Graph) -> Vec<Moves> {
    let side = |list: &Vec<usize>| list.iter().map(|v| Edge::In(*v)).collect();
    graph.iter().map(|[l, r]| [side(l), side(r)]).collect()
}

/// The graph of a side, as the arena gives it; the side is its first vertex.
fn shown(forms: &Forms, loops: &mut Loops, side: Side) -> Graph {
    let mut index = HashMap::from([(side, 0)]);
    let mut all = vec![side];
    let mut graph: Graph = Vec::new();
    while let Some(&s) = all.get(graph.len()) {
        let options = loops.options(forms, s).unwrap();
        graph.push(options.map(|list| {
            let mut place = |o: Side| {
                *index.entry(o).or_insert_with(|| {
                    all.push(o);
                    all.len() - 1
                })
            };
            list.into_iter().map(&mut place).collect()
        }));
    }
    graph
}

fn both(x: Loopy) -> [(Side, Mode); 2] {
    [(x.onside, Mode::On), (x.offside, Mode::Off)]
}

/// A random graph; the number of vertices and of moves varies with the round.
fn draw(random: &mut Random, round: usize) -> Graph {
    let n = 2 + random.below(6);
    random_graph(random, n, (2 + round % 4) * n / 2 + 1)
}

#[test]
fn outcomes_of_sums() {
    let mut random = Random(0x5eed_0001);
    let (mut sums, mut drawn) = (0, 0);
    let mut arenas = (Forms::new(), Loops::new(1 << 30));
    for round in 0..1700 {
        if round % 200 == 0 {
            arenas = (Forms::new(), Loops::new(1 << 30));
        }
        let (forms, loops) = (&arenas.0, &mut arenas.1);
        let (g, h) = (draw(&mut random, round), draw(&mut random, round));
        let x = loops.solve(forms, &edges(&g)).unwrap();
        let y = loops.solve(forms, &edges(&h)).unwrap();
        let fates = brute::fates(&brute::sum(&g, &h));
        for (a, x) in x.iter().enumerate() {
            for (b, y) in y.iter().enumerate() {
                let sum = loops.add(forms, *x, *y).unwrap();
                let expected = fates[brute::beside(a, b, &h)];
                let found = loops.outcome(forms, sum).unwrap();
                assert_eq!(found, expected, "{g:?} at {a}, {h:?} at {b}");
                drawn += usize::from(expected.contains(&None));
                sums += 1;
            }
        }
    }
    println!("{sums} sums, {drawn} drawn for somebody");
    assert!(sums >= 30_000 && drawn > 5_000, "{sums}, {drawn}");
}

#[test]
fn order_sides_and_stoppers() {
    let mut random = Random(0x5eed_0002);
    let (mut pairs, mut sides, mut none, mut tried) = (0, 0, 0, 0);
    for round in 0..500 {
        let (forms, mut loops) = (Forms::new(), Loops::new(1 << 28));
        let (g, h) = (draw(&mut random, round), draw(&mut random, round));
        let x = loops.solve(&forms, &edges(&g)).unwrap();
        let y = loops.solve(&forms, &edges(&h)).unwrap();
        let [on, off] = [Mode::On, Mode::Off].map(|mode| brute::at_most(&g, &h, mode));
        for (a, x) in x.iter().enumerate() {
            for (b, y) in y.iter().enumerate() {
                let expected = on[a][b] && off[a][b];
                let found = loops.less_or_equal(&forms, *x, *y).unwrap();
                assert_eq!(found, expected, "{g:?} at {a}, {h:?} at {b}");
                pairs += 1;
            }
            for (side, mode) in both(*x) {
                let form = shown(&forms, &mut loops, side);
                if loops.is_found(side) {
                    assert!(brute::is_canonical(&form, 0), "{g:?} at {a}, {mode:?}");
                    assert!(
                        brute::at_most(&form, &g, mode)[0][a],
                        "{g:?} at {a}, {mode:?}"
                    );
                    assert!(
                        brute::at_most(&g, &form, mode)[a][0],
                        "{g:?} at {a}, {mode:?}"
                    );
                    sides += 1;
                } else {
                    // Where no stopper is reported, no stopper obtained by leaving out moves is equal to the side.
                    none += 1;
                    let within = brute::some_stopper_within(&g, a, mode, 9);
                    assert!(within.is_none(), "{g:?} at {a}, {mode:?}: {within:?}");
                    tried += usize::from(brute::followers(&g, a).len() > 1);
                }
            }
            // A stopper equals its value on both sides; a value that is not a stopper's has different sides.
            if brute::is_stopper(&g, a) {
                assert!(loops.is_stopper(*x), "{g:?} at {a}");
            }
            if loops.is_found(x.onside) && loops.is_found(x.offside) {
                let [s, t] = [x.onside, x.offside].map(|s| shown(&forms, &mut loops, s));
                let same = brute::at_most(&s, &t, Mode::On)[0][0];
                assert_eq!(same, loops.is_stopper(*x), "{g:?} at {a}");
                assert!(
                    brute::at_most(&t, &s, Mode::On)[0][0],
                    "the offside is the less"
                );
            }
        }
    }
    println!("{pairs} pairs, {sides} sides, {none} without a stopper ({tried} tried)");
    assert!(pairs > 5_000 && sides > 3_000);
}

/// Sides of graphs of 4 to 30 vertices; `CGDSL_SIDES` sets their number.
#[test]
fn nearly_all_sides_of_larger_graphs_are_found() {
    let wanted = std::env::var("CGDSL_SIDES").map_or(10_000, |n| n.parse().expect("a number"));
    let mut random = Random(0x5eed_0004);
    let (mut sides, mut none, mut checked) = (0, 0, 0);
    while sides < wanted {
        let (forms, mut loops) = (Forms::new(), Loops::new(1 << 28));
        let n = 4 + random.below(27);
        let moves = n + random.below(2 * n);
        let g = random_graph(&mut random, n, moves);
        for (a, x) in loops.solve(&forms, &edges(&g)).unwrap().iter().enumerate() {
            for (side, mode) in both(*x) {
                sides += 1;
                if !loops.is_found(side) {
                    none += 1;
                    continue;
                }
                let form = shown(&forms, &mut loops, side);
                if form.len() <= 40 {
                    let within = brute::at_most(&form, &g, mode)[0][a];
                    assert!(within, "{g:?} at {a}, {mode:?}");
                    let within = brute::at_most(&g, &form, mode)[a][0];
                    assert!(within, "{g:?} at {a}, {mode:?}");
                    checked += 1;
                }
            }
        }
    }
    println!("{sides} sides, {none} without a stopper, {checked} checked");
    assert!(2_000 * none <= sides + 2_000, "{none} of {sides}");
    assert!(2 * checked > sides, "{checked} of {sides}");
}

#[test]
fn degrees() {
    // The degree of loopiness is the onside of G − G (Siegel, chapter VI).
    let mut random = Random(0x5eed_0003);
    let mut loopy = 0;
    for round in 0..250 {
        let (forms, mut loops) = (Forms::new(), Loops::new(1 << 28));
        let g = draw(&mut random, round);
        let difference = brute::sum(&g, &brute::negative(&g));
        for (a, x) in loops
            .solve(&forms, &edges(&g))
            .unwrap()
            .into_iter()
            .enumerate()
        {
            let degree = loops.degree(&forms, x).unwrap();
            let form = shown(&forms, &mut loops, degree);
            let at = brute::beside(a, a, &g);
            assert!(
                brute::at_most(&form, &difference, Mode::On)[0][at],
                "{g:?} at {a}"
            );
            assert!(
                brute::at_most(&difference, &form, Mode::On)[at][0],
                "{g:?} at {a}"
            );
            loopy += usize::from(loops.as_short(degree).is_none());
        }
    }
    assert!(loopy > 100);
}
