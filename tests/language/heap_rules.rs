//! Rules on heaps whose shape is derived (`ir/heap_rule`) against the textbook: random rules of taking and breaking, whose
//! conditions often bite only for large heaps, by the nimbers of all heaps up to a bound. The rules are evaluated here from
//! numbers, by code that shares nothing with the language.

use crate::random::Random;
use cgdsl::claim::heaps::Shape;
use cgdsl::game::Cancel;
use cgdsl::session::{Memory, Session, Settings, Status};
use std::fmt::Write;

/// `n n + x x + y y + c`
#[derive(Clone, Copy)]
struct Form([i64; 4]);

impl Form {
    fn at(self, n: i64, x: i64, y: i64) -> i64 {
        let [a, b, c, d] = self.0;
        a * n + b * x + c * y + d
    }

    fn text(self) -> String {
        let [.., constant] = self.0;
        let mut text = constant.to_string();
        for (a, name) in self.0.iter().zip(["n", "x", "y"]).filter(|(a, _)| **a != 0) {
            let _ = write!(text, " + ({a}) * {name}");
        }
        text
    }
}

/// A rule: the ranges of x and y, conditions that are at least 0, heaps left.
struct Rule {
    x: [Form; 2],
    y: [Form; 2],
    conditions: Vec<Form>,
    parts: Vec<Form>,
}

impl Rule {
    fn text(&self) -> String {
        let range = |r: &[Form; 2]| format!("{}..{}", r[0].text(), r[1].text());
        let mut conditions: Vec<String> = Vec::new();
        for c in &self.conditions {
            conditions.push(format!("{} >= 0", c.text()));
        }
        let parts: Vec<String> = self.parts.iter().map(|p| p.text()).collect();
        format!(
            "ruleset R\n  board heaps\n  move by anyone: choose n, x in {}, y in {} where {} then n -> [{}]\n",
            range(&self.x),
            range(&self.y),
            conditions.join(", "),
            parts.join(", "),
        )
    }

    /// The nimbers of the heaps up to a bound, from the definition.
    fn nimbers(&self, bound: i64) -> Vec<u64> {
        let mut found = vec![0u64];
        for n in 1..=bound {
            let mut reached = Vec::new();
            for x in self.x[0].at(n, 0, 0)..=self.x[1].at(n, 0, 0) {
                for y in self.y[0].at(n, x, 0)..=self.y[1].at(n, x, 0) {
                    if self.conditions.iter().all(|c| c.at(n, x, y) >= 0) {
                        let heap = |p: &Form| found[p.at(n, x, y) as usize];
                        reached.push(self.parts.iter().map(heap).fold(0, |a, b| a ^ b));
                    }
                }
            }
            found.push((0..).find(|g| !reached.contains(g)).expect("a mex"));
        }
        found
    }
}

const N: Form = Form([1, 0, 0, 0]);
const X: Form = Form([0, 1, 0, 0]);
const Y: Form = Form([0, 0, 1, 0]);

fn constant(c: i64) -> Form {
    Form([0, 0, 0, c])
}

/// A rule of one of several shapes, with conditions that most small heaps meet.
fn rule(random: &mut Random) -> Rule {
    let mut within = |lo: i64, hi: i64| lo + random.below((hi - lo + 1) as usize) as i64;
    let taken = within(0, 2);
    let one = [constant(1), constant(1)];
    let shape = within(0, 5);
    let (x, y, parts) = match shape {
        // Two heaps; y shows only in the conditions.
        0 => {
            let y = [
                constant(1),
                [constant(within(3, 12)), N][within(0, 1) as usize],
            ];
            (
                [constant(0), Form([1, 0, 0, -taken])],
                y,
                vec![X, Form([1, -1, 0, -taken])],
            )
        }
        // The heap that is left, counted from twice the heap.
        1 => (
            [Form([1, 0, 0, 1]), Form([2, 0, 0, 0])],
            one,
            vec![Form([2, -1, 0, 0])],
        ),
        2 => ([constant(1), N], one, vec![Form([1, -1, 0, 0])]),
        3 => ([constant(0), Form([1, 0, 0, -1])], one, vec![X]),
        // Three heaps.
        4 => (
            [constant(0), Form([1, 0, 0, -taken])],
            [constant(0), Form([1, -1, 0, -taken])],
            vec![X, Y, Form([1, -1, -1, -taken])],
        ),
        _ => (
            [constant(0), Form([1, 0, 0, -taken])],
            one,
            vec![X, Form([1, -1, 0, -taken])],
        ),
    };
    let mut conditions: Vec<Form> = Vec::new();
    // No heap stays as it is, and none is negative.
    conditions.extend(parts.iter().map(|p| {
        let [a, b, c, d] = p.0;
        Form([1 - a, -b, -c, -1 - d])
    }));
    conditions.extend(&parts);
    for _ in 0..within(0, 2) {
        let slope = |random: i64| random - 2;
        let with_y = if shape == 0 || shape == 4 {
            slope(within(0, 4))
        } else {
            0
        };
        let [n, x] = [within(0, 2), slope(within(0, 4))];
        conditions.push(Form([
            if within(0, 2) == 0 { n } else { 0 },
            x,
            with_y,
            within(0, 16),
        ]));
    }
    Rule {
        x,
        y,
        conditions,
        parts,
    }
}

#[test]
fn derived_shapes_of_heap_rules_are_those_of_the_textbook() {
    let mut random = Random(11);
    let mut shapes = [0; 3];
    for _ in 0..120 {
        let rule = rule(&mut random);
        let bound = if rule.parts.len() == 3 { 45 } else { 90 };
        let expected = rule.nimbers(bound);
        let mut text = rule.text();
        let _ = write!(
            text,
            "let found = [nimber(R[n]) for n in 0..{bound}]\nassert found = {expected:?}\n"
        );
        let world = Memory::default().with("a.rules", text.as_str());
        let mut session = Session::new(&world, Settings::default());
        let loaded = session.load("a.rules");
        let items = session.evaluate(&loaded, |_, _| {});
        let held = items.iter().all(|item| item.status == Status::Held);
        assert!(
            held && !items.is_empty(),
            "{text}\n{:?} {items:?}",
            loaded.diagnostics
        );
        let mut loaded = loaded;
        let game = session.heap_game(&mut loaded, "R", 1, &Cancel::new());
        let shape = game.expect("a game of heaps").shape;
        shapes[match shape {
            Ok(Shape::Taking(_)) => 0,
            Ok(Shape::Amounts(_)) => 1,
            _ => 2,
        }] += 1;
    }
    // Enough of them have a shape that is claimed for all heaps.
    assert!(shapes[0] >= 10 && shapes[1] >= 10, "{shapes:?}");
}
