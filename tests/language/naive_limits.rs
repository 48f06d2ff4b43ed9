//! Limits of the evaluator: nothing hangs, overflows the stack or eats the memory; large boards are built in good time.

use crate::load::{load, positions, try_load};
use cgdsl::base::Span;
use cgdsl::game::Player;
use cgdsl::ir::{Calls, Evaluator, Frame, Host, Int, NoHost, Res, Scope, Val, draw, naive};
use cgdsl::model::typed::GameOp;
use std::cell::Cell;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// The values of the queries of a text, each under a million steps.
fn eval(text: &str) -> Vec<Res<Val>> {
    let model = load(text);
    let mut all = Vec::new();
    for e in model.queries.iter().flat_map(|q| &q.body) {
        let ev = Evaluator::new(&model, &NoHost).with_steps(1_000_000);
        all.push(ev.eval(e, &mut Frame::default(), Scope::default()));
    }
    all
}

/// Says that every value is 5, and how often it was asked.
#[derive(Default)]
struct Five(Cell<u32>);

impl Host for Five {
    fn game(&self, _: &GameOp, _: &[Val], _: Span) -> Res<Val> {
        self.0.set(self.0.get() + 1);
        Ok(Val::Int(Int::from(5i64)))
    }

    fn born(&self, _: &Int, span: Span) -> Res<Val> {
        NoHost.game(&GameOp::Value, &[], span)
    }
}

/// Results of functions that are kept change neither the answer nor the steps that are charged for it: those of few steps,
/// with boards, and failures are found anew.
#[test]
fn results_that_are_kept_change_nothing() {
    let text = "ruleset Nim\n  board heaps\n  move by anyone: choose n, k in 0..n-1 then n -> [k]\n\
        let Long(n)     = size({x in 0..40: x mod 7 < n}) + nimber(Nim[n])\n\
        let Short(n)    = n + nimber(Nim[n])\n\
        let Sets(A, B)  = {x in 0..40: x in A or some a in A, b in B: a + Long(b) = x}\n\
        let On(B)       = size({x in 0..40: x < size(vertices(B)) + nimber(Nim[x])})\n\
        let Fails(n)    = size({x in 0..40: x mod 7 < n}) div (n - 2)\n\
        eval [Long(a) for a in 1..3, b in 1..4]\n\
        eval [Short(a) for a in 1..3, b in 1..4]\n\
        eval [Sets(A, B) for A in subsets(0..2), B in subsets(1..2), c in 1..2]\n\
        eval [On(path(a)) for a in 1..2, b in 1..2]\n\
        eval [Fails(a) for a in {4, 3, 4, 2}]\n";
    let model = load(text);
    let mut asked = Vec::new();
    let calls = Calls::default();
    for e in model.queries.iter().flat_map(|q| &q.body) {
        let (plain, keeping) = (Five::default(), Five::default());
        let slow = Evaluator::new(&model, &plain);
        let fast = Evaluator::new(&model, &keeping).remembering(&calls);
        let [a, b] = [&slow, &fast].map(|ev| {
            let found = ev.eval(e, &mut Frame::default(), Scope::default());
            (found.map_err(|f| f.message), ev.steps_left())
        });
        assert_eq!(a, b);
        asked.push((plain.0.get(), keeping.0.get()));
    }
    assert_eq!(asked[..2], [(12, 3), (12, 12)]);
    assert!(
        asked[2].1 < asked[2].0 && asked[3].0 == asked[3].1,
        "{asked:?}"
    );
    // A budget that does not suffice without them does not suffice with them.
    let e = &model.queries[0].body[0];
    let host = Five::default();
    let ev = Evaluator::new(&model, &host).remembering(&calls);
    let ev = ev.with_steps(1_000);
    let found = ev.eval(e, &mut Frame::default(), Scope::default());
    assert!(found.is_err_and(|f| f.code.is_limit()));
}

#[test]
fn too_much_is_said_and_not_tried() {
    for text in [
        "size(subsets(1..60))",
        "size(lists(1..9, 50))",
        "size(graphs(30))",
        "size(posets(9))",
        "size([x for x in 1..10^12])",
        "size(1..10^12)",
        "(all x in 1..10^12: x > 0)",
        "(some T in subsets(1..60): size(T) > 60)",
        "2^(2^40) mod 7",
        "(3^(10^5))^(10^5) mod 7",
        "size(vertices(path(10^9)))",
        "size(vertices(complete(10^5)))",
        "size(cells(grid(10^5, 10^5)))",
        "size([(x, y, z) for x in 1..10^4, y in 1..10^4, z in 1..10^4])",
        "size(points(divisors(10^15)))",
    ] {
        let start = Instant::now();
        let Ok(model) = try_load(&format!("eval {text}\n")) else {
            continue;
        };
        let ev = Evaluator::new(&model, &NoHost).with_steps(1_000_000);
        let e = &model.queries[0].body[0];
        let found = ev.eval(e, &mut Frame::default(), Scope::default());
        let fault = found.expect_err(text);
        assert!(fault.code.is_limit(), "{text}: {fault}");
        assert!(start.elapsed() < Duration::from_secs(20), "{text}");
    }
}

#[test]
fn integers_have_no_bounds() {
    let found =
        eval("eval 2^100 mod 10^9 + 7, (0 - 7) div 2, (0 - 7) mod 2, isqrt(10^40), abs(0 - 5)\n");
    let shown: Vec<String> = found
        .into_iter()
        .map(|v| draw::value(&v.unwrap(), None))
        .collect();
    // 2^100 = 1267650600228229401496703205376.
    assert_eq!(
        shown,
        ["703205383", "-4", "1", "100000000000000000000", "5"]
    );
}

/// Formulas and functions nested as deeply as the checks allow, read, checked and evaluated on two megabytes of stack.
#[test]
fn deep_nests_end_in_a_message() {
    let mut text = String::from("let f0(n) = n + 1\n");
    for i in 1..200 {
        let open = "(1 + ".repeat(20);
        let close = ")".repeat(20);
        let _ = writeln!(text, "let f{i}(n) = {open}f{}(n){close}", i - 1);
    }
    text.push_str("eval f199(1)\n");
    let many: Vec<String> = (0..3000).map(|i| format!("x{i} in {{1}}")).collect();
    let binders = format!("eval size([1 for {}])\n", many.join(", "));
    for text in [text, binders] {
        let Some(model) = try_load(&text).ok() else {
            continue;
        };
        let ev = Evaluator::new(&model, &NoHost);
        let e = &model.queries[0].body[0];
        match ev.eval(e, &mut Frame::default(), Scope::default()) {
            Ok(v) => assert_eq!(v, Val::int(1 + 1 + 20 * 199)),
            Err(f) => assert!(f.code.is_limit(), "{f}"),
        }
    }
}

const RULES: &str = "ruleset Nodes\n  board graph\n  pieces o\n  move by anyone: choose v where at(v) = empty, no w in nbrs(v): at(w) = o then at(v) := o\n\
ruleset Cells\n  board grid\n  move by Left: choose a, b = a + south where at(a) = empty, at(b) = empty then remove a, b\n\
ruleset Order\n  board poset\n  move by anyone: choose x then remove up(x)\n\
ruleset Stalks\n  board graph rooted at ground\n  pieces b = Left, r = Right on edges\n  move by p: choose edge e where p owns at(e) then remove e then keep reach(ground)\n\
ruleset Walk\n  board digraph acyclic\n  pieces o\n  move by anyone: choose u -> v where at(u) = o then at(u) := empty, at(v) := o\n";

/// Equal heaps are looked at once, so that thousands of them cost no more than what they are written with.
#[test]
fn many_equal_heaps() {
    let heaps = vec!["7"; 20_000].join(", ");
    let rules =
        "ruleset Nim\n  board heaps\n  move by anyone: choose n, k in 0..n-1 then n -> [k]\n";
    let model = load(&format!("{rules}eval Nim[{heaps}]\n"));
    let ev = Evaluator::new(&model, &NoHost).with_steps(100_000);
    let moved = naive::moves(&ev, &positions(&model)[0], Player::LEFT);
    assert_eq!(moved.unwrap().len(), 7);
}

/// A hundred thousand sites: the position is there in a moment, and asking for its options ends.
#[test]
fn large_boards() {
    for board in [
        "Nodes[path(100000)]",
        "Nodes[grid(300, 300)]",
        "Cells[grid(300, 300)]",
        "Order[antichain(100000)]",
        "Order[chain(100000)]",
        "Order[chain(50000) / chain(50000)]",
        "Stalks[stalk([b for i in 1..100000])]",
        "Walk[path(100000)]",
    ] {
        let start = Instant::now();
        let model = load(&format!("{RULES}eval {board}\n"));
        let all = positions(&model);
        assert_eq!(all.len(), 1, "{board}");
        let _ = draw::short(&all[0]);
        let ev = Evaluator::new(&model, &NoHost).with_steps(20_000);
        let moved = naive::moves(&ev, &all[0], Player::LEFT);
        if let Err(f) = moved {
            assert!(f.code.is_limit(), "{board}: {f}");
        }
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "{board}: {:?}",
            start.elapsed()
        );
    }
}
