//! Tests the parser and the printer against each other and against the reader of long brackets, and checks their running
//! time.

use super::ast::{Entry, Expr};
use super::lexer;
use super::parser::{MAX_BRACKETS, MAX_DEPTH, parse_entries, parse_expression, parse_file};
use super::printer::{print_entries, print_expr, print_file};
use crate::base::FileId;
use crate::diagnostic::{Code, Diagnostic};
use std::time::{Duration, Instant};

#[path = "../../../tests/properties/shape.rs"]
mod shape;
pub(super) use shape::shape;

fn messages(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics
        .iter()
        .map(|d| format!("{} {}", d.code, d.message))
        .collect()
}

#[track_caller]
fn expr(text: &str) -> Expr {
    let (expr, diagnostics) = parse_expression(FileId(0), text);
    expr.unwrap_or_else(|| panic!("{text}: {:?}", messages(&diagnostics)))
}

#[track_caller]
fn entries(text: &str) -> Vec<Entry> {
    let (entries, diagnostics) = parse_entries(FileId(0), text);
    entries.unwrap_or_else(|| panic!("{text}: {:?}", messages(&diagnostics)))
}

/// Each line: a text, and an equivalent one with every operation in parentheses or in another form.
#[test]
fn precedence() {
    for (text, same) in [
        ("a + b * c", "a + b*c"),
        ("a - b - c", "a -b -c"),
        ("not a = b", "not  a=b"),
        ("2^3^k", "2 ^ 3^k"),
        ("x ≤ y ∧ y ≠ z", "x <= y and y != z"),
        ("∀ x ∈ S: x ≥ 1", "all x in S: x >= 1"),
        ("a ± b", "a +- b"),
        ("∗2 + ★", "*2 + *"),
        ("⇑∗", "^^*"),
        ("{1‖0|−2}", "{1||0|-2}"),
        ("u → v", "u -> v"),
        ("x∉S", "x not in S"),
    ] {
        let entry = text.contains('→');
        let (a, b) = if entry {
            (shape(&entries(text)), shape(&entries(same)))
        } else {
            (shape(&expr(text)), shape(&expr(same)))
        };
        assert_eq!(a, b, "{text}");
    }
    for (text, grouped) in [
        ("a or b and c", "a or (b and c)"),
        ("a + b..c * d", "(a + b)..(c * d)"),
        ("-a mod b", "(-a) mod b"),
        ("a:b + c", "a:(b + c)"),
        ("a:b == c", "(a:b) == c"),
        ("a - b + c", "(a - b) + c"),
        ("P / Q + R", "(P / Q) + R"),
        ("-k^2", "-(k^2)"),
        ("not a and b", "(not a) and b"),
        ("some x in S: a or b", "some x in S: (a or b)"),
        ("n * G:H", "(n * G):H"),
        ("p owns c and q", "(p owns c) and q"),
        ("a^b^c", "a^(b^c)"),
    ] {
        let plain = shape(&expr(text));
        let paren = shape(&expr(grouped));
        // The tree without its Paren nodes.
        assert_eq!(plain, without_parens(&paren), "{text} is {grouped}");
    }
}

fn without_parens(shape: &str) -> String {
    let mut out = shape.to_string();
    while let Some(at) = out.find("Paren(Expr { span: , kind: ") {
        let start = at + "Paren(Expr { span: , kind: ".len();
        let mut depth = 0usize;
        let mut end = start;
        for (i, c) in out[start..].char_indices() {
            match c {
                '(' | '{' | '[' => depth += 1,
                '}' if depth == 0 => {
                    end = start + i;
                    break;
                }
                ')' | '}' | ']' => depth -= 1,
                _ => {}
            }
        }
        let inner = out[start..end].trim_end().to_string();
        out.replace_range(at..end + 2, &inner);
    }
    out
}

/// Forms that must print as written.
#[test]
fn canonical_forms_print_as_they_are() {
    for text in [
        "1*2",
        "1 * 2",
        "(1*2)",
        "1/2^3*2",
        "^^*",
        "*",
        "*k",
        "*(k + 1)",
        "v*",
        "v*2",
        "v",
        "vv",
        "v3",
        "2^3",
        "1^",
        "^<2>",
        "^[2]",
        "2^[2]",
        "2^k",
        "2^(k + 1)",
        "3 * (k + 1)",
        "2 ^ 3^2",
        "-1^",
        "+-1",
        "+-{a, b}",
        "a +- b",
        "{1|{0|-2}}",
        "{|}",
        "{}",
        "{1, 2}",
        "{1, 2|3}",
        "{0|v*}",
        "1/2",
        "-3/4",
        "{x in S: x > 2, x < 5}",
        "{(i, j) for i in 1..3, j in 1..3 where i < j}",
        "sum(x * 2 for x in S)",
        "[x for x in S where a, b]",
        "all x in S where x > 1: some y in T: x = y and y < 3 or 1 = 2",
        "not v in ends(e)",
        "G:H == K",
        "value(G:H)",
        "winner(G, first: A)",
        "outcome(G) = P-position",
        "n * Nim[3] + -Nim[2]",
        "Foo[n - k - a]",
        "Foo[m: k + 1]",
        "Foo[a:x -b- c]",
        "Foo[u -(i + 1)- v]",
        "Foo[(antichain(1):w + chain(2)) / chain(1):b]",
        "Foo[a:b -> b:(j)r -> c:(k)r, a -> c]",
        "Foo[f(v): 3, at(v): x]",
        "Foo[A:x + B]",
        "Foo[A:2b+1g -> B]",
        "stalk([i] + side(i))",
        "graph6 \"DQc\"",
        "Nim[]",
        "(a, b)",
        "- -a",
        "a - -b",
        "Tiny(2)",
        "c[1]",
        "poset { low(e), high(e) for e in edges(G); mid(v) < high(e) for e in E, v in ends(e); (i, j) < (x, y) where i <= x, j <= y }",
        "graph { a -- b, c }",
        "{f(x) for u -> v, edge e, piece c, (m, n), x, y = 3}",
        "\"a\\\"b\\\\c\"",
        "Snort[\"\"\"xo\n.o\"\"\"]",
        "*f(2)",
        "(all x in S: x > 1) or b",
    ] {
        assert_eq!(print_expr(&expr(text)), text);
    }
    for text in [
        "3, 5, 6",
        "\"xo|ox\"",
        "a:x -- b -- c, b -- d",
        "m: 3, n: 5",
        "grid(3, 4)",
        "a < b > c",
    ] {
        assert_eq!(print_entries(&entries(text)), text);
    }
}

/// Rejected expressions, by code.
#[test]
fn refused_expressions() {
    for (text, code) in [
        ("*-3", Code::E0113),
        ("1**", Code::E0113),
        ("2**3", Code::E0111),
        ("^^3", Code::E0101),
        ("{1|2|3}", Code::E0114),
        ("0.77", Code::E0117),
        ("a < b < c", Code::E0115),
        ("Foo[a b]", Code::E0119),
        ("Foo[2x]", Code::E0119),
        ("2k", Code::E0101),
        ("(a", Code::E0103),
        ("a)", Code::E0103),
        ("(a]", Code::E0103),
        ("\"a", Code::E0105),
        ("a € b", Code::E0106),
        ("\"a\tb\"", Code::E0118),
        ("", Code::E0101),
        ("a +", Code::E0101),
        ("then", Code::E0101),
    ] {
        let (expr, diagnostics) = parse_expression(FileId(0), text);
        assert!(expr.is_none(), "{text}");
        assert_eq!(
            diagnostics.first().map(|d| d.code),
            Some(code),
            "{text}: {:?}",
            messages(&diagnostics)
        );
    }
}

#[test]
fn names_of_broken_items_are_kept() {
    let text = "ruleset A\n  bord heaps\n\nlet x = = 3\nposition P(k) = Nim[k]\neval P(3)\n";
    let (file, diagnostics) = parse_file(FileId(0), text);
    assert_eq!(file.items.len(), 2);
    assert_eq!(file.broken_count, 2);
    let broken: Vec<&str> = file.broken.iter().map(|b| &*b.text).collect();
    assert_eq!(broken, ["A", "x"]);
    assert_eq!(diagnostics.len(), 2, "{:?}", messages(&diagnostics));
}

#[test]
fn documentation_stays_with_its_item() {
    let text = "// no\n/// of A\n/// two\nruleset A\n  /// of the board\n  board heaps // no\n  move by anyone: choose n then n -> []\n";
    let (file, diagnostics) = parse_file(FileId(0), text);
    assert!(diagnostics.is_empty(), "{:?}", messages(&diagnostics));
    assert_eq!(
        file.items[0].doc.iter().map(|d| &**d).collect::<Vec<_>>(),
        ["of A", "two"]
    );
    let printed = print_file(&file);
    assert!(
        printed.starts_with("/// of A\n/// two\nruleset A\n  /// of the board\n  board heaps\n"),
        "{printed}"
    );
    let (again, _) = parse_file(FileId(0), &printed);
    assert_eq!(shape(&file), shape(&again));
}

/// The reader of long brackets and pest must produce the same trees, places included.
#[test]
fn long_brackets_read_like_short_ones() {
    for one in [
        "3",
        "a",
        "(1, 2)",
        "(a, b, 3)",
        "a -- b",
        "a -> b -> c",
        "a:x -- b:y",
        "u -b- v",
        "u -2- c[3]",
        "a < b > c",
        "\"xo|.o\"",
        "c[12] -- c[13]",
        "a — b → c",
    ] {
        let inner = vec![one; 40].join(", ");
        for text in [
            format!("Foo[{inner}]"),
            format!("graph {{ {inner} }}"),
            format!("Foo(1)[{inner},]"),
        ] {
            let long = expr(&text);
            let one_entry = expr(&format!("Foo[{one}]"));
            let (super::ast::ExprKind::Bracket(_, short) | super::ast::ExprKind::Board(_, short)) =
                *one_entry.kind
            else {
                panic!("{one}");
            };
            let (super::ast::ExprKind::Bracket(_, long) | super::ast::ExprKind::Board(_, long)) =
                *long.kind
            else {
                panic!("{one}");
            };
            assert_eq!(long.len(), 40);
            for entry in &long {
                assert_eq!(shape(entry), shape(&short[0]), "{one}");
                let place = entry.span.range();
                assert_eq!(&text[place], one);
                let node = entry.first.expr.span.range();
                let first = short[0].first.expr.span;
                assert_eq!(node.len(), first.range().len(), "{one}");
            }
        }
        if !one.contains(['-', '<', ':', '→']) {
            let list = expr(&format!("[{inner}]"));
            let super::ast::ExprKind::List(parts) = *list.kind else {
                panic!("{one}")
            };
            assert_eq!(parts.len(), 40);
        }
    }
    // Text that the reader cannot read is left to pest, and errors show their true place.
    let inner = vec!["c[i + 1] -- d"; 40].join(", ");
    assert_eq!(entries(&inner).len(), 40);
    let text = format!("Foo[{} a b]", "x -- y, ".repeat(40));
    let (none, diagnostics) = parse_expression(FileId(0), &text);
    assert!(none.is_none());
    assert_eq!(diagnostics[0].code, Code::E0119);
    assert_eq!(&text[diagnostics[0].labels[0].span.range()], "b");
}

#[test]
fn depth_is_bounded() {
    for (text, code) in [
        (
            format!("{}1{}", "(".repeat(MAX_BRACKETS), ")".repeat(MAX_BRACKETS)),
            None,
        ),
        (
            format!(
                "{}1{}",
                "(".repeat(MAX_BRACKETS + 1),
                ")".repeat(MAX_BRACKETS + 1)
            ),
            Some(Code::E0104),
        ),
        (
            format!("{}1{}", "(".repeat(4_000), ")".repeat(4_000)),
            Some(Code::E0104),
        ),
        ("(".repeat(4_000), Some(Code::E0104)),
        (format!("{}|{}", "{".repeat(100), "}".repeat(100)), None),
        (vec!["1"; MAX_DEPTH - 1].join(" + "), None),
        (vec!["1"; 4_000].join(" + "), Some(Code::E0107)),
        (vec!["x"; 4_000].join("^"), Some(Code::E0107)),
        ("- ".repeat(4_000) + "1", Some(Code::E0107)),
        ("not ".repeat(4_000) + "1", Some(Code::E0107)),
        ("all x in S: ".repeat(4_000) + "1", Some(Code::E0107)),
        (format!("f{}", "[1]".repeat(4_000)), Some(Code::E0107)),
        (format!("{{{}}}", "1|".repeat(4_000)), Some(Code::E0107)),
        (
            format!("{{x in S: {}}}", vec!["x = 1"; 4_000].join(", ")),
            Some(Code::E0107),
        ),
        // Sums within sums: the depth of a bracket's contents counts.
        (
            (0..60).fold("1".to_string(), |inner, _| {
                format!("[{inner}] + {}", vec!["1"; 20].join(" + "))
            }),
            Some(Code::E0107),
        ),
        (
            (0..60).fold("1".to_string(), |inner, _| {
                format!("Foo[m: {inner} + {}]", vec!["1"; 20].join(" + "))
            }),
            Some(Code::E0107),
        ),
        ("9".repeat(20_000), Some(Code::E0107)),
    ] {
        let start = Instant::now();
        let (_, diagnostics) = parse_expression(FileId(0), &text);
        let shown: String = text.chars().take(40).collect();
        assert_eq!(
            diagnostics.first().map(|d| d.code),
            code,
            "{shown}: {:?}",
            messages(&diagnostics)
        );
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "{shown} took {:?}",
            start.elapsed()
        );
        if std::env::var_os("CGDSL_TIMES").is_some() {
            println!("{shown:?} {:?}", start.elapsed());
        }
    }
    let sorts = format!("ruleset A(x: {} nat)\n", "set of ".repeat(4_000));
    assert_eq!(parse_file(FileId(0), &sorts).1[0].code, Code::E0107);
    let each = format!(
        "ruleset A\n  move by p: then {} remove x\n",
        "each x in S: ".repeat(4_000)
    );
    assert_eq!(parse_file(FileId(0), &each).1[0].code, Code::E0107);
}

#[test]
fn the_lists_of_words_agree() {
    let grammar = cgdsl_grammar::TEXT;
    let start = grammar.find("reserved   = _{").expect("the rule");
    let end = start + grammar[start..].find('}').expect("its end");
    let mut words: Vec<&str> = grammar[start..end].split('"').skip(1).step_by(2).collect();
    let mut listed = lexer::RESERVED.to_vec();
    words.sort_unstable();
    listed.sort_unstable();
    assert_eq!(words, listed);
}

/// Limits far above the time needed (measured: 0.36 s in a dev build on a busy machine), to detect superlinear time.
#[test]
fn large_input_is_read_in_linear_time() {
    let edges: Vec<String> = (0..100_000)
        .map(|i| format!("v{i} -- v{}", i + 1))
        .collect();
    let heaps: Vec<String> = (0..100_000).map(|i| i.to_string()).collect();
    let row = "xo.#".repeat(250);
    let art = vec![row; 1000].join("\n");
    for text in [
        format!("eval Snort[{}]\n", edges.join(", ")),
        format!("eval Nim[{}]\n", heaps.join(", ")),
        format!("let x = [{}]\n", heaps.join(", ")),
        format!("eval Clobber[\"\"\"{art}\"\"\"]\n"),
        "let x = 1\n".repeat(4_000),
        "let x = (\n".repeat(4_000),
        "\n".repeat(300_000),
        "\"\"\"".repeat(100_001),
        "/// x\n".repeat(100_000),
    ] {
        let start = Instant::now();
        let _ = parse_file(FileId(0), &text);
        let shown: String = text.chars().take(40).collect();
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "{shown} took {:?}",
            start.elapsed()
        );
        if std::env::var_os("CGDSL_TIMES").is_some() {
            println!("{shown:?} {:?}", start.elapsed());
        }
    }
}

#[test]
fn layout() {
    use super::format::format_file;
    let before = "\u{feff}// head\r\n\r\n\r\n/// Nim\r\nruleset  Nim\r\n// a board\r\n board heaps   // here\r\n     pieces x = Left ,o = Right\r\n  /// the move\r\n  move by p:\r\n   choose n , k in 1..n  // binders\r\n    where k>=1,\r\n k <= n\r\n   then n -> [n-k]\r\n  move by anyone: choose aaaaaaaaaaaaaaaaaaaaaaaaaaaa, b in {1,2} where bbbbbbbbbbbbbbbbbbbbbb = ccccccccccccccccc then aaaaaaaaaaaaaaaaa -> []\r\nlet x = [\r\n1,\r\n      2\r\n]\r\n\r\nclaim \"x\":\r\n1 = 1\r\n  // the end";
    let after = "// head\n\n/// Nim\nruleset  Nim\n  // a board\n  board  heaps   // here\n  pieces x = Left, o = Right\n  /// the move\n  move by p:\n    choose n, k in 1..n  // binders\n    where  k>=1,\n           k <= n\n    then   n -> [n-k]\n  move by anyone:\n    choose aaaaaaaaaaaaaaaaaaaaaaaaaaaa, b in {1, 2}\n    where  bbbbbbbbbbbbbbbbbbbbbb = ccccccccccccccccc\n    then   aaaaaaaaaaaaaaaaa -> []\nlet x = [\n  1,\n      2\n]\n\nclaim \"x\":\n  1 = 1\n// the end\n";
    let once = format_file(before);
    assert_eq!(once, after);
    assert_eq!(format_file(&once), once);
    let (a, b) = (
        parse_file(FileId(0), before.trim_start_matches('\u{feff}')).0,
        parse_file(FileId(0), &once).0,
    );
    assert_eq!(shape(&a), shape(&b));
}
