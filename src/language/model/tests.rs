//! Every example of the language's specification checks without a message; errors are tested in `tests/ui/`.

use super::check;
use super::typed::Model;
use crate::base::Sources;
use crate::diagnostic::{Diagnostic, one_line};
use crate::syntax::parse_file;

fn run(text: &str) -> (Model, Vec<String>) {
    let mut sources = Sources::default();
    let id = sources.add("test.rules", text);
    let (file, mut messages) = parse_file(id, text);
    let (scope, more) = check(&[file]);
    messages.extend(more);
    let lines = messages
        .iter()
        .map(|d: &Diagnostic| format!("{} {}", one_line(d, &sources), d.help.join(" | ")))
        .collect();
    (scope.model().clone(), lines)
}

fn fine(text: &str) -> Model {
    let (model, messages) = run(text);
    assert!(messages.is_empty(), "{}", messages.join("\n"));
    assert!(model.rulesets.iter().all(|r| !r.broken));
    model
}

const EXAMPLES: &str = include_str!("examples.rules");

#[test]
fn the_examples_of_the_contract() {
    let model = fine(EXAMPLES);
    assert!(model.rulesets.len() >= 12);
}

/// The result of a call is not known to be a list before it is used; its index is checked anyway.
#[test]
fn an_index_uses_its_variables() {
    fine(
        "let Ends(w, c) = [0] + [i for i in 1..size(w) where i in c]\nlet Rising(w, c) = all k in 2..size(c): Ends(w, c)[k] > 1",
    );
}

/// In version 1 `if` and `else` are names like others.
#[test]
fn if_and_else_are_names_in_version_1() {
    fine(
        "let if(n) = n + 1\nassert if(3) = 4\nlet else = 2\nruleset R\n  state if: nat\n  move by anyone: choose else in 1..if then if -= else\n",
    );
}

const TWO: &str = "ruleset Sub\n  board heaps\n  move by anyone: choose n, k in 1..2 where k <= n then n -> [n - k]\n\nassert value(Sub[1]) == *\nassert winner(Sub[1], first: Left) = Left\nassert options(Sub[1], Right) = {Sub[]}\n";

/// Values are for two players, and Left and Right do not exist among three: one remark for all queries that are skipped.
#[test]
fn what_only_two_players_have_is_not_asked_of_three() {
    let heir = "ruleset Sub3 = Sub with claims\n  players A, B, C\n";
    let (model, said) = run(&format!("{TWO}{heir}"));
    assert_eq!(model.queries.len(), 3);
    assert_eq!(said.len(), 1, "{said:#?}");
    assert!(
        said[0].contains("3 queries are not asked of Sub3"),
        "{said:#?}"
    );
    // A query of its own, and a misspelt name, are errors.
    for query in [
        "assert value(Sub3[1]) == *",
        "assert winner(Sub3[1], first: Left) = A",
        "claim for R in {Sub3}: winner(R[1], first: D) = A",
    ] {
        let (_, said) = run(&format!(
            "{TWO}ruleset Sub3 = Sub with\n  players A, B, C\n{query}\n"
        ));
        let errors = said.iter().filter(|d| d.contains("rror")).count();
        assert!(errors > 0, "{query}: {said:#?}");
    }
}

/// Numbered players, and rules made of rules for more players: what is for two is not asked.
#[test]
fn what_only_two_players_have_is_not_asked_of_numbered_players() {
    let more = "assert winner(misere(Sub)[1], first: Left) = Right\nassert winner(misere(Sub)[2], first: Left) = Left\nassert winner(reversed(Sub)[1], first: Left) = Left\n";
    for players in ["A, B, C", "1..3"] {
        let heir = format!("ruleset Sub3 = Sub with claims\n  players {players}\n");
        let (model, said) = run(&format!("{TWO}{more}{heir}"));
        assert_eq!(model.queries.len(), 6, "{players}");
        assert_eq!(said.len(), 1, "{said:#?}");
        assert!(
            said[0].contains("6 queries are not asked of Sub3"),
            "{said:#?}"
        );
    }
}

/// Of a parent with arguments the claims about these arguments are inherited, and of a query for several rulesets the
/// instances about the parent.
#[test]
fn claims_about_other_arguments_are_not_inherited() {
    let parent = "ruleset Sub(S: set of nat)\n  board heaps\n  move by anyone: choose n, s in S where s <= n then n -> [n - s]\n";
    let claims = "let one(n) = Sub({1})[n]\nlet two(n) = Sub({1, 2})[n]\nlet both(n) = value(one(n)) == value(two(n))\nassert nimber(Sub({1,2})[1]) = 1\nassert nimber(Sub({1})[1]) = 1\nassert nimber(one(1)) = 1\nassert nimber(two(1)) = 1\nassert both(1)\nclaim for R in {Sub({1, 2}), Sub({1})}: nimber(R[1]) = 1\n";
    let inherited = |heir: &str| {
        let (model, said) = run(&format!("{parent}{claims}{heir}"));
        let of = model.queries.iter().filter_map(|q| q.of.as_ref());
        (of.filter(|of| of.parent.is_some()).count(), said)
    };
    let (count, said) = inherited("ruleset T12 = Sub({1, 2}) with claims\n");
    assert_eq!(count, 4);
    assert_eq!(said.len(), 1, "{said:#?}");
    let line = "1 query is not asked of T12: it inherits from Sub({1, 2}), not from Sub({1})";
    assert!(said[0].contains(line), "{said:#?}");
    let (count, said) = inherited("ruleset Any(T: set of nat) = Sub(T) with claims\n");
    assert_eq!((count, said.len()), (7, 0), "{said:#?}");
}

/// A ruleset may be derived from one that comes later, over many steps; a circle is reported once for each of its rulesets.
#[test]
fn derivations_have_any_order() {
    let chain: String = (1..=100)
        .rev()
        .map(|i| match i % 2 {
            0 => format!("ruleset R{i} = impartial(R{})\n", i - 1),
            _ => format!("ruleset R{i} = R{} with\n  let k{i} = {i}\n", i - 1),
        })
        .collect();
    let first = "ruleset R0\n  board heaps\n  move by anyone: choose n then n -> []\n";
    let (model, said) = run(&format!("{chain}{first}"));
    let errors = said.iter().filter(|d| d.contains("rror")).count();
    assert_eq!(errors, 0, "{said:#?}");
    let named = model
        .rulesets
        .iter()
        .filter(|r| r.name.starts_with('R') && !r.hidden);
    assert_eq!(named.count(), 101);
    let circle = "ruleset P = impartial(Q)\nruleset Q = impartial(P)\nruleset S = impartial(P)\n";
    let (_, said) = run(circle);
    let circles = said
        .iter()
        .filter(|d| d.contains("derived from itself"))
        .count();
    assert_eq!(circles, 3, "{said:#?}");
}

/// A claim about the parent is inherited through definitions that mention each other, in any order.
#[test]
fn claims_are_inherited_through_definitions() {
    let chain: String = (1..=20)
        .rev()
        .map(|i| format!("let f{i}(n) = f{}(n)\n", i - 1))
        .collect();
    let other = "ruleset Other\n  board heaps\n  move by anyone: choose n then n -> []\nassert nimber(Other[1]) = 1\n";
    let model = fine(&format!(
        "{TWO}{other}{chain}let f0(n) = Sub[n]\nassert nimber(f20(1)) = 1\nassert nimber(f20(2)) = 2\nruleset Heir = Sub with claims\nruleset Next = Heir with claims\n"
    ));
    // Five about Sub and one about Other; Heir has the former. Those of Heir are not written about it, so Next has none.
    assert_eq!(model.queries.len(), 11);
}

/// A further player gets a piece, a table needs an entry, and numbers are not names.
#[test]
fn a_game_for_two_becomes_one_for_more() {
    let sides = "ruleset Dominoes\n  board grid\n  let along(Left) = south, along(Right) = east\n  move by p: choose a, b = a + along(p) where at(a) = empty, at(b) = empty then remove a, b\n";
    fine(&format!(
        "{sides}ruleset Three = Dominoes with\n  players A, B, C\n  let along(C) = southeast\n"
    ));
    broken(
        &format!("{sides}ruleset Three = Dominoes with\n  players A, B, C\n"),
        "E0210",
    );
    broken(
        &format!("{sides}ruleset Three = Dominoes with\n  players 1..3\n"),
        "E0222",
    );
    let pieces = "ruleset Col\n  board graph\n  pieces c = Left, x = Right\n  move by p: choose a where at(a) = empty, no d in nbrs(a): at(d) = p then at(a) := p\n";
    // `c` and `d` have a meaning there: Cid's piece is the next letter, e.
    let model = fine(&format!(
        "{pieces}ruleset Three = Col with\n  players Ann, Bob, Cid\nposition P = Three[1:c -- 2:x -- 3:e]\n"
    ));
    assert_eq!(
        model
            .rulesets
            .iter()
            .filter(|r| &*r.name == "Three")
            .count(),
        1
    );
    fine(&format!(
        "{pieces}ruleset Some(n: nat) = Col with\n  players 1..n\nposition P = Some(3)[1:1 -- 2:3]\n"
    ));
}

fn broken(text: &str, code: &str) {
    let (_, messages) = run(text);
    assert!(
        messages.iter().any(|m| m.contains(&format!("[{code}]"))),
        "{text} gives {messages:?}"
    );
}

/// The body of the only query, as Rust prints it, without places.
fn body(text: &str) -> String {
    let model = fine(text);
    let printed = format!("{:?}", model.queries[0].body[0].kind);
    printed
        .split("span: ")
        .map(|part| match part.split_once(", ") {
            Some((place, rest)) if place.contains("..") => rest.to_string(),
            _ => part.to_string(),
        })
        .collect()
}

#[test]
fn the_sides_are_told_apart() {
    let product = body("eval (1*2)");
    assert!(product.contains("Binary(Multiply"), "{product}");
    let sum = body("eval {1*2|}");
    assert!(sum.contains("star: Some(2)"), "{sum}");
    let power = body("eval (2^3)");
    assert!(power.contains("Binary(Power"), "{power}");
    let ups = body("eval {2^3|}");
    assert!(ups.contains("ups: 3"), "{ups}");
    let sign = body("assert -1^ == 0");
    assert!(
        sign.contains("number: Some((-1, 0))") && sign.contains("ups: 1"),
        "{sign}"
    );
    let down = body("assert v3 == 0");
    assert!(down.contains("ups: -3"), "{down}");
    let order = body("assert 1 <= 2");
    assert!(order.contains("Binary(LessEqual"), "{order}");
    let games = body("assert 1 <= ^");
    assert!(games.contains("Game(LessEqual"), "{games}");
    let half = body("assert (1/2^3) == 0");
    assert!(half.contains("number: Some((1, 3))"), "{half}");
}

const SNORT: &str = "ruleset Snort
  board  graph
  pieces x = Left, o = Right
  move by p: choose v where at(v) = empty, no w in nbrs(v): at(w) = opponent(p) then at(v) := p
";

#[test]
fn a_player_stands_for_his_piece() {
    let model = fine(SNORT);
    let m = format!("{:?}", model.rulesets[0].moves[0]);
    assert!(m.contains("PieceOf(") && m.contains("IsPieceOf("), "{m}");
    broken(&SNORT.replace("o = Right", "o = Left"), "E0213");
}

#[test]
fn functions_are_checked_for_each_tuple_of_sorts() {
    let model = fine("let f(x) = {x}\n\neval f(1), f(2), f(true), f(f(1))");
    assert_eq!(model.functions.len(), 3);
    broken("let f(x) = x + 1\n\neval f(true)", "E0203");
    // Never called, and wrong for all sorts.
    broken("let f(x) = size(3)", "E0203");
    assert!(fine("let f(x) = x + 1").functions.is_empty());
}

#[test]
fn a_long_chain_of_definitions_is_no_deep_one() {
    let mut text = "let f0 = 1\n".to_string();
    for i in 0..1000 {
        text += &format!("let f{} = f{i} + 1\n", i + 1);
    }
    fine(&(text + "eval f1000"));
}

#[test]
fn what_is_broken_is_reported_once() {
    let text = SNORT.replace("empty", "emty")
        + "position A = Snort[a -- b]\neval A\neval Snort[a]\nassert 1 = 1\n";
    let (model, messages) = run(&text);
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert_eq!(model.queries.len(), 1);
    assert!(model.rulesets[0].broken);
}

#[test]
fn queries_of_the_command_line() {
    let mut sources = Sources::default();
    let id = sources.add("t", SNORT);
    let (file, _) = parse_file(id, SNORT);
    let (mut scope, _) = check(&[file]);
    let cli = sources.add("<command line>", "");
    let (e, _) = crate::syntax::parse_expression(cli, "Snort[path(3)] + 1*2");
    assert!(scope.check_query(&e.unwrap(), super::Side::Integer).is_ok());
    let (e, _) = crate::syntax::parse_expression(cli, "2*3");
    let query = scope.check_query(&e.unwrap(), super::Side::Value).unwrap();
    assert_eq!(query.body[0].sort, super::typed::Sort::Game);
    let (e, _) = crate::syntax::parse_expression(cli, "Snrt[path(3)]");
    assert!(
        scope
            .check_query(&e.unwrap(), super::Side::Integer)
            .is_err()
    );
    let (board, _) = crate::syntax::parse_entries(cli, "a -- b, c:x");
    let span = crate::base::Span::new(cli, 0, 0);
    assert!(scope.check_board(None, &[], &board.unwrap(), span).is_ok());
    let (board, _) = crate::syntax::parse_entries(cli, "3, 5");
    assert!(
        scope.check_board(None, &[], &board.unwrap(), span).is_ok(),
        "vertices may be numbers"
    );
    let (board, _) = crate::syntax::parse_entries(cli, "chain(3)");
    assert!(scope.check_board(None, &[], &board.unwrap(), span).is_err());
}

#[test]
fn the_examples_of_the_table_are_checked() {
    use super::builtins::{What, table};
    let rules = "ruleset Nim
  board heaps
  move by anyone: choose n, k in 1..n then n -> [n - k]

ruleset Kayles
  board heaps
  move by anyone: choose n, k in {1, 2}, a in 0..n - k then n -> [a, n - k - a]

ruleset NodeKayles
  board graph
  move by anyone: choose v then remove v, nbrs(v)

ruleset PosetGame
  board poset
  move by anyone: choose x then remove up(x)
";
    for row in table() {
        let example = row.example;
        let is_game = matches!(row.what, What::Game(_));
        let text = if ["eval ", "assert ", "claim ", "refute ", "table ", "search "]
            .iter()
            .any(|k| example.starts_with(k))
        {
            format!("{rules}\n{example}")
        } else if is_game {
            format!("{rules}\nlet test(G, H) = {example}")
        } else {
            continue;
        };
        let (_, messages) = run(&text);
        let errors: Vec<&String> = messages.iter().filter(|m| m.contains("error")).collect();
        assert!(errors.is_empty(), "{}: {example}: {errors:?}", row.name);
    }
}
