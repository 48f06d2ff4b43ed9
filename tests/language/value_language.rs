//! What is printed of values reads back in the rules language, where `v` and `*` have other meanings too.
#![cfg(feature = "language")]

use crate::value_support::*;
use cgdsl::session::{Answer, Disk, Loaded, Session, Settings};
use cgdsl::value::notation::{Style, print, read};
use cgdsl::value::{CanonicalForm, Forms};

fn intern(forms: &Forms, g: &Game) -> CanonicalForm {
    let left: Vec<_> = g.left.iter().map(|x| intern(forms, x)).collect();
    let right: Vec<_> = g.right.iter().map(|x| intern(forms, x)).collect();
    forms.from_options(&left, &right).unwrap()
}

// The value of an expression, printed in ASCII.
fn value(text: &str) -> String {
    let world = Disk;
    let mut session = Session::new(&world, Settings::default());
    match session.value(&mut Loaded::default(), text, None) {
        Ok(valued) => valued.value,
        Err((all, _)) => panic!("{text}: {}", all[0].message),
    }
}

#[test]
fn every_printed_value_is_an_expression() {
    let forms = Forms::new();
    let mut rng = Rng(61);
    for i in 0..150 {
        let g = intern(&forms, &rng.game(2 + i % 2));
        for style in Style::ALL {
            let text = print(&forms, g, style);
            assert_eq!(value(&text), print(&forms, g, Style::Ascii), "{text}");
        }
    }
}

#[test]
fn powers_of_up_and_down() {
    for (text, shown) in [
        ("v[2]", "v[2]"),
        ("v[2]*", "v[2]*"),
        ("v<2>", "v<2>"),
        ("v<3>*2", "v<3>*2"),
        ("-^<2>", "v<2>"),
        ("{0|v[2]*}", "^<3>"),
        ("↓²", "v<2>"),
        ("↓^[2]∗", "v[2]*"),
        ("pow(^, 3)", "^<3>"),
        ("Pow(v, 3)", "v<3>"),
        ("PowTo(^, 2)", "^[2]"),
        ("^.Pow(2)", "^<2>"),
        ("1v[2] - 1", "v[2]"),
        (r"\uparrow^{[2]}", "^[2]"),
        ("companion(^)", "^*"),
    ] {
        let forms = Forms::new();
        let expected = read(&forms, shown).unwrap_or_else(|e| panic!("{shown}: {e}"));
        assert_eq!(value(text), print(&forms, expected, Style::Ascii), "{text}");
    }
}

// Ordinal sums take the forms that are written: both bases are 0.
#[test]
fn ordinal_sums_take_forms_as_written() {
    for (text, shown) in [
        ("{-1|1} : 1", "1/2"),
        ("{|} : 1", "1"),
        ("0 : 1", "1"),
        ("* : *", "*2"),
        ("* : 1", "^*"),
        ("1 : -1", "1/2"),
        ("value({-1|1} : 1)", "1/2"),
        ("ordinal_sum({-1|1}, 1)", "1/2"),
        ("({-1|1} : 1) : 1", "3/4"),
    ] {
        assert_eq!(value(text), shown, "{text}");
    }
}

// Nimbers are as large as the library holds them; *(2^32) is the first that is not. The expected sums are bitwise exclusive or, and
// the nim-product of two different Fermat powers is their product.
#[test]
fn nimbers_of_a_word() {
    assert_eq!(value("*4294967295"), "*4294967295");
    assert_eq!(value("*4294967295 + *4294967294"), "*");
    assert_eq!(value("*3000000 + *1048577"), "*4048577");
    assert_eq!(value("*(nim_product(65536, 256)) + 1"), "1*16777216");
    assert_eq!(value("^ + *2000000000"), "^*2000000000");
    let world = Disk;
    let mut session = Session::new(&world, Settings::default());
    let (all, limit) = session
        .value(&mut Loaded::default(), "*4294967296", None)
        .unwrap_err();
    assert!(!limit && all[0].message.contains("4294967295"), "{all:?}");
    // Its card lists the first options only.
    let card = session
        .value(&mut Loaded::default(), "*4294967295", None)
        .unwrap();
    assert_eq!(card.option_counts, [4_294_967_295; 2]);
    assert!(card.left_options.len() <= 10_000);
    assert_eq!(card.left_options[..4], ["0", "*", "*2", "*3"]);
}

// What would take hours ends by the limits, soon after they are met, and says that it is no more than unknown.
#[test]
fn enormous_values_end_by_the_limits() {
    use cgdsl::game::{Cancel, Limits};
    use std::time::{Duration, Instant};
    for text in [
        "*4294967295 + {1|0}",
        "heat(*4294967295, 1)",
        "heat(*1000000, 1)",
        "heat(1000000 * ^, 1)",
        "overheat(1000000 * ^, 1, 2)",
        "{*4294967295 | *4294967294}",
        "*1000000 : *1000000",
        "{1|0} : 1000000000",
        "followers(1000000000)",
        "stop_count(*4294967295)",
        "1000000 * Tiny(1)",
        "1000000 * {0|^<3>}",
        "{1000000 * ^, *1000000 | {1|0}}",
        "norton({1|1/1048576}, 100000 * ^)",
        "1000000\u{b7}^*2 + {1|*5000}",
        "5000 * {0|^<100>}",
    ] {
        let cancel = Cancel::new();
        let world = Disk;
        let settings = Settings {
            cancel: cancel.clone(),
            limits: Limits {
                memory: 400 << 20,
                ..Limits::default()
            },
            ..Settings::default()
        };
        let mut session = Session::new(&world, settings);
        let wait = Duration::from_millis(200);
        let timer = std::thread::spawn(move || {
            std::thread::sleep(wait);
            cancel.cancel();
        });
        let start = Instant::now();
        let found = session.value(&mut Loaded::default(), text, None);
        let took = start.elapsed();
        timer.join().unwrap();
        // A value is as good. Ends are looked for every few thousand steps; the bound has room for a busy machine.
        if let Err((all, limit)) = found {
            assert!(limit, "{text}: {all:?}");
        }
        assert!(took < Duration::from_secs(30), "{text}: {took:?}");
    }
}

/// The arena of values does not say why it ended; the message must.
#[test]
fn the_end_of_the_time_is_not_reported_as_a_lack_of_memory() {
    use cgdsl::game::{Cancel, Reason};
    use cgdsl::session::Memory;
    let text = "eval is_uptimal({0|^<3>})\neval uptimal(^<10>*20)\neval stop_count({0|^<3>})\n";
    let world = Memory::default().with("a.rules", text.to_owned());
    let mut session = Session::new(&world, Settings::default());
    let loaded = session.load("a.rules");
    let cancel = Cancel::new();
    cancel.cancel_for(Reason::Time);
    session.set_cancel(cancel);
    let items = session.evaluate(&loaded, |_, _| {});
    assert_eq!(items.len(), 3);
    for item in items {
        let told = format!("{item:?}");
        assert!(!told.contains("limit of memory"), "{told}");
        assert!(told.contains("the time was over"), "{told}");
    }
}

// A nimber that is an option of a hot game is not taken apart, since no nimber beside its number comes near the other stop.
#[test]
fn large_nimbers_are_options_of_hot_games() {
    assert_eq!(value("{1|*4294967295}"), "{1|*4294967295}");
    assert_eq!(value("-{1|*20000}"), "{*20000|-1}");
    assert_eq!(value("{1|*20000} - {1|*20000}"), "0");
    assert_eq!(value("{2|*30000, *29999}"), "{2|*29999,*30000}");
}

/// Loopy values: random graphs and sums of named values, printed, read as an expression of the language, and printed again.
#[test]
fn every_printed_loopy_value_is_an_expression() {
    use cgdsl::value::loopy::{Edge, Loops, Moves, notation};
    let (forms, mut loops) = (Forms::new(), Loops::new(1 << 28));
    let mut rng = Rng(0x100b);
    let mut values = Vec::new();
    for round in 0..40 {
        let n = 2 + rng.below(6) as usize;
        let mut graph: Vec<Moves> = vec![Default::default(); n];
        for _ in 0..2 * n {
            let mut below = |m: usize| rng.below(m as u64) as usize;
            let (v, side, to) = (below(n), below(2), below(n));
            graph[v][side].push(Edge::In(to));
        }
        values.extend(loops.solve(&forms, &graph).unwrap());
        let names = [
            "over", "upon", "^[on]", "tis", "1/2over", "-3under*", "dud", "^<on>",
        ];
        let mut name = || names[rng.below(names.len() as u64) as usize];
        let sum = format!("{} - {} + {}", name(), name(), round % 5);
        values.push(notation::read(&forms, &mut loops, &sum).unwrap());
        // Labels are rare: few stoppers have a cycle of more than one position.
        let labelled = format!("a{{0||||0|||a|*||*}} + {}", i64::from(round) - 20);
        values.push(notation::read(&forms, &mut loops, &labelled).unwrap());
    }
    for text in ["-upon", "-upon*", "1 - upon", "-on", "v<on>", "on & -upon"] {
        values.push(notation::read(&forms, &mut loops, text).unwrap());
    }
    values.retain(|v| loops.is_found(v.onside) && loops.is_found(v.offside));
    // One file of rules, since `cgdsl value` would fall back on the reader of values.
    let (mut file, mut printed) = (String::new(), Vec::new());
    let (mut loopy, mut labelled, mut sides) = (0, 0, 0);
    for value in values {
        let ascii = notation::print(&forms, &mut loops, value, Style::Ascii).unwrap();
        for style in [Style::Ascii, Style::Unicode] {
            let text = notation::print(&forms, &mut loops, value, style).unwrap();
            if text.contains("positions)") {
                continue;
            }
            loopy += usize::from(loops.as_short_value(value).is_none());
            labelled += usize::from(text.contains("a{"));
            sides += usize::from(text.contains('&'));
            // A short value, such as `1*2`, may be an integer where no game is expected.
            file += &match loops.as_short_value(value) {
                Some(_) => format!("eval value({text})\n"),
                None => format!("eval {text}\n"),
            };
            printed.push((text, ascii.clone()));
        }
    }
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("loopy-values.rules");
    std::fs::write(&path, file).unwrap();
    let world = Disk;
    let mut session = Session::new(&world, Settings::default());
    let loaded = session.load(&path.display().to_string());
    if let Some(d) = loaded.diagnostics.first() {
        panic!(
            "{}: {:?}",
            d.message,
            d.span().map(|s| session.sources().slice(s))
        );
    }
    let items = session.evaluate(&loaded, |_, _| {});
    assert_eq!(items.len(), printed.len());
    for (item, (text, ascii)) in items.iter().zip(&printed) {
        let Answer::Value(found) = &item.answer else {
            panic!("{text}: {:?}", item.diagnostics);
        };
        assert_eq!(&found.value, ascii, "{text}");
    }
    assert!(
        loopy > 200 && labelled > 10 && sides > 50,
        "{loopy}, {labelled}, {sides}"
    );
}
