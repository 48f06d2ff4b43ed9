//! Values as text: printed values read back as the same game, and spellings of other programs are read.

use crate::value_support::*;
use cgdsl::value::notation::{Style, print, read, read_form};
use cgdsl::value::{CanonicalForm, Forms};

fn intern(forms: &Forms, g: &Game) -> CanonicalForm {
    let left: Vec<_> = g.left.iter().map(|x| intern(forms, x)).collect();
    let right: Vec<_> = g.right.iter().map(|x| intern(forms, x)).collect();
    forms.from_options(&left, &right).unwrap()
}

#[test]
fn printed_values_read_back() {
    let forms = Forms::new();
    let mut rng = Rng(11);
    let mut braces = 0;
    for i in 0..12_000 {
        let mut g = intern(&forms, &rng.game(2 + i % 3));
        if i % 3 == 0 {
            g = forms.add(g, intern(&forms, &rng.game(2))).unwrap();
        }
        for style in Style::ALL {
            let text = print(&forms, g, style);
            match read(&forms, &text) {
                Ok(back) => assert_eq!(
                    back,
                    g,
                    "{style:?}: {text} is read as {}",
                    print(&forms, back, style)
                ),
                Err(e) => panic!("{style:?}: {text}: {e} at {:?}", e.span),
            }
            braces += usize::from(text.contains('{'));
        }
    }
    assert!(braces > 6_000, "{braces}");
}

#[test]
fn printing_does_not_depend_on_the_arena() {
    let (a, b) = (Forms::new(), Forms::new());
    let mut rng = Rng(5);
    let games: Vec<Game> = (0..500).map(|_| rng.game(4)).collect();
    let handles: Vec<_> = games.iter().rev().map(|g| intern(&b, g)).collect();
    for (g, h) in games.iter().zip(handles.iter().rev()) {
        let g = intern(&a, g);
        assert_eq!(print(&a, g, Style::Ascii), print(&b, *h, Style::Ascii));
        assert_eq!(a.structural_hash(g), b.structural_hash(*h));
    }
}

// One value per line: ASCII, Unicode, LaTeX as printed, then spellings that are read as the same value.
#[test]
fn table() {
    let forms = Forms::new();
    let table: &[(&str, &str, &str, &[&str])] = &[
        (
            "0",
            "0",
            "0",
            &["{|}", "{ | }", "-0", "*0", "{*|*}", "{v|^}", "0*0"],
        ),
        (
            "-3/4",
            "-3/4",
            r"-\frac34",
            &["{-1|-1/2}", "-6/8", "−3/4", r"-\frac{3}{4}"],
        ),
        ("13/16", "13/16", r"\frac{13}{16}", &[]),
        (
            "*",
            "∗",
            r"\ast",
            &["{0|0}", "★", "☆", r"\star", "*1", "+-0"],
        ),
        ("*2", "∗2", r"\ast 2", &["{0,*|0,*}", r"\ast2"]),
        (
            "^",
            "↑",
            r"\uparrow",
            &["{0|*}", "^1", "^<1>", "^[1]", "-v", "Tiny(0)"],
        ),
        (
            "^^",
            "⇑",
            r"\Uparrow",
            &["^2", "{0|^*}", "2·↑", "↑+↑", "↑2", "^+^"],
        ),
        ("^3", "3·↑", r"3\cdot\uparrow", &["^^^", "3·^", "{0||0|^}"]),
        ("v*", "↓∗", r"\downarrow\ast", &["{0|0,*}", "v+*", "* - ^"]),
        ("vv", "⇓", r"\Downarrow", &["v2", "-⇑", "v+v"]),
        (
            "1/2^3*2",
            "1/2+3·↑+∗2",
            r"\frac12+3\cdot\uparrow+\ast 2",
            &["1/2 + ^3 + *2"],
        ),
        ("-1^", "-1+↑", r"-1+\uparrow", &["^ - 1", "{-1|-1*}"]),
        ("5/2^6", "5/2+6·↑", r"\frac52+6\cdot\uparrow", &[]),
        ("1*2", "1+∗2", r"1+\ast 2", &["*2 + 1"]),
        (
            "^<2>",
            "↑²",
            r"\uparrow^{2}",
            &["{0|v*}", "^.Pow(2)", "↑^2", r"\uparrow^2", "^[2] - ^"],
        ),
        (
            "^[2]",
            "↑^[2]",
            r"\uparrow^{[2]}",
            &["{^|*}", "^.PowTo(2)", "^ + ^<2>"],
        ),
        (
            "^[2]*",
            "↑^[2]∗",
            r"\uparrow^{[2]}\ast",
            &["{0,^*|0}", "^[2] + *"],
        ),
        ("v[3]*", "↓^[3]∗", r"\downarrow^{[3]}\ast", &["v[3] + *"]),
        ("^<3>", "↑³", r"\uparrow^{3}", &["^[3] - ^[2]"]),
        ("v<12>", "↓¹²", r"\downarrow^{12}", &[]),
        ("v[3]", "↓^[3]", r"\downarrow^{[3]}", &["{*|v[2]}"]),
        (
            "Tiny(2)",
            "⧾_2",
            "+_{2}",
            &["{0||0|-2}", "+_2", "⧾2", "{0|{0|-2}}"],
        ),
        (
            "Miny(1/2)",
            "⧿_1/2",
            r"-_{\frac12}",
            &["{1/2|0||0}", "-_1/2", "-Tiny(1/2)"],
        ),
        (
            "{0|Tiny(1)}",
            "{0|⧾_1}",
            "",
            &["Tiny({1|0})", "+_{1|0}", "{0|||0||0|-1}", "{0⦀0‖0|-1}"],
        ),
        ("{6||6|4}", "{6‖6|4}", "", &["6Tiny(2)", "6 + Tiny(2)"]),
        (
            "+-1",
            "±1",
            r"\pm 1",
            &["{1|-1}", "+-{1}", "1|-1", "±{1}", "{1 | -1}"],
        ),
        ("+-1*", "±(1+∗)", r"\pm (1+\ast)", &["{1*|-1*}"]),
        ("+-{2|1}", "±{2|1}", r"\pm \{2\mid 1\}", &["{2|1||-1|-2}"]),
        ("+-{1,{2|0}}", "±{1,{2|0}}", "", &["{1,{2|0}|-1,{0|-2}}"]),
        (
            "{2|0}",
            "{2|0}",
            r"\{2\mid 0\}",
            &["1+-1", "1 +- 1", "1 ± 1", "2|0"],
        ),
        (
            "{2||1|0}",
            "{2‖1|0}",
            r"\{2\,\|\,1\mid 0\}",
            &["2||1|0", "{2|{1|0}}", "{2 || 1 | 0}"],
        ),
        ("{3|2||1|0}", "{3|2‖1|0}", "", &["{3|2‖1|0}"]),
        (
            "^^*",
            "⇑∗",
            r"\Uparrow\ast",
            // Siegel's n·↑∗ is n ups and a star.
            &["2·↑∗", "2.^*", "⇑+★", "2·^ + *", r"2\cdot\uparrow\ast"],
        ),
        (
            "{^^*|v*}",
            "{⇑∗|↓∗}",
            "",
            &["1/2·^", "½.↑", "{0|1}·^", "1/2.NortonMultiply(^)"],
        ),
        (
            "Tiny(1/2)",
            "⧾_1/2",
            "",
            &["1/2.Tiny", "½.Tiny", "⧾_½", "{0|1}.Tiny()"],
        ),
        ("Miny(2)", "⧿_2", "", &["-2.Tiny", "2.Miny", "-₂", "⧿₂"]),
        ("5/2*3", "5/2+∗3", "", &["2½∗₃", "2½ + *3", "5⁄2 + ∗3"]),
        (
            "{2|-1}",
            "{2|-1}",
            "",
            &["{1|0}.Heat(1)", "{3∣-2}.Cool(1)", "2∣-1"],
        ),
        (
            "-1",
            "-1",
            "-1",
            &["v.AtomicWeight", "{0|-2}.Mean", "-{3|1}.Temperature"],
        ),
        ("1000001", "1000001", "1000001", &["1000000+1"]),
    ];
    for (ascii, unicode, latex, others) in table {
        let g = read(&forms, ascii).unwrap_or_else(|e| panic!("{ascii}: {e}"));
        assert_eq!(&print(&forms, g, Style::Ascii), ascii);
        assert_eq!(&print(&forms, g, Style::Unicode), unicode);
        if !latex.is_empty() {
            assert_eq!(&print(&forms, g, Style::Latex), latex);
        }
        for other in *others {
            let read = read(&forms, other).unwrap_or_else(|e| panic!("{other}: {e}"));
            assert_eq!(
                read,
                g,
                "{other} is read as {}",
                print(&forms, read, Style::Ascii)
            );
        }
    }
}

#[test]
fn texts_that_are_no_values() {
    let forms = Forms::new();
    let deep = "{".repeat(100_000);
    let bars = "1".to_owned() + &"|".repeat(5000) + "2" + &"|".repeat(5001) + "3";
    let long = "9".repeat(10_000);
    let table: &[(&str, &str)] = &[
        ("", "a value is missing"),
        ("1/3", "1/3 is not dyadic"),
        ("1/0", "the denominator is zero"),
        ("{1|2", "never closed"),
        ("{1,2}", "has a bar"),
        ("{1|2|3}", "a second bar of the same length"),
        ("(1", "never closed"),
        ("1 * 2", "a nimber is written"),
        ("2**3", "stands where"),
        ("x", "`x` is not part of a value"),
        ("Foo(2)", "no value is called `Foo`"),
        ("1 +", "a value"),
        ("*99999999999", "a nimber is at most"),
        ("^99999999999999999999", "too large"),
        ("{1,|2}", "another option"),
        ("1,2", "one value"),
        ("1)", "`)` stands"),
        ("↑^[0]", "from 1 to"),
        ("3·", "a value"),
        ("1/2·v", "greater than zero"),
        ("^.3", "the multiplier comes first"),
        ("0.5", "numbers are written as fractions"),
        ("2.Huge", "no method of values is called `.Huge`"),
        ("^.Pow(0)", "from 1 to"),
        ("*.Pow(2)", "powers are known of"),
        ("{1|0}.Cool(*)", "cooled by a number"),
        ("{1|0}.AtomicWeight", "all small"),
        ("{1|0}.Heat", "`(`"),
        ("é", "`é` is not part"),
        (&deep, "nested deeper"),
        (&long, "digits"),
    ];
    for (text, message) in table {
        match read(&forms, text) {
            Ok(g) => panic!("{text} is read as {}", print(&forms, g, Style::Ascii)),
            Err(e) => {
                assert!(e.to_string().contains(message), "{text}: {e}");
                assert!(e.span.start <= e.span.end && e.span.end <= text.len());
                assert!(text.is_char_boundary(e.span.start) && text.is_char_boundary(e.span.end));
            }
        }
    }
    assert!(read(&forms, &bars).is_ok());
}

// Random strings over the alphabet of values neither panic nor hang.
#[test]
fn noise() {
    let forms = Forms::with_limit(64 << 20);
    let alphabet: Vec<char> = "01239/*^v{}|,+-()[]<>_.TinyPow↑⇑↓±‖·²⧾\\ "
        .chars()
        .collect();
    let mut rng = Rng(99);
    for _ in 0..20_000 {
        let text: String = (0..rng.below(14))
            .map(|_| alphabet[rng.below(alphabet.len() as u64) as usize])
            .collect();
        if let Err(e) = read(&forms, &text) {
            assert!(text.get(e.span.clone()).is_some(), "{text:?} {e:?}");
        }
    }
}

// Forms keep dominated and reversible options; text without braces is the canonical form of its value.
#[test]
fn forms_are_read_as_written() {
    let forms = Forms::new();
    let read = |text: &str| read_form(&forms, text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let shape = |text: &str| {
        let g = read(text);
        (g.left().len(), g.right().len())
    };
    for (text, left, right, value) in [
        ("{-1, -2 | 1}", 2, 1, "0"),
        ("{|}", 0, 0, "0"),
        ("{0,0,*|0}", 3, 1, "^*"),
        ("2||1|0", 1, 1, "{2||1|0}"),
        ("{0,1|0,1||2}", 1, 1, "0"),
        ("{0|0} + *", 0, 0, "0"),
        ("{{0|0}+*|1}", 1, 1, "1/2"),
        ("^^*", 1, 1, "^^*"),
        ("1/2", 1, 1, "1/2"),
        (r"\{1, 0\mid 0\}", 2, 1, "{1|0}"),
    ] {
        assert_eq!(shape(text), (left, right), "{text}");
        let canonical = read(text).canonical(&forms).unwrap();
        assert_eq!(print(&forms, canonical, Style::Ascii), value, "{text}");
    }
    // In an ordinal sum the form of the base matters.
    let one = read("1");
    let sum = |base: &str| read(base).ordinal_sum(&one).canonical(&forms).unwrap();
    assert_eq!(print(&forms, sum("{-1|1}"), Style::Ascii), "1/2");
    assert_eq!(print(&forms, sum("0"), Style::Ascii), "1");
    let deep = "{".repeat(100_000);
    for text in ["", "{1|2", "1,2", "{1,2}", "{1|2|3}", "x", &deep] {
        assert!(read_form(&forms, text).is_err(), "{text}");
    }
}
