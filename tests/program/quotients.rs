//! `cgdsl seq --misere`: the quotients of `quotients.tsv` with their certificates, quotients that are known for the first heaps
//! only, and what is refused.

use crate::program::{Folder, cgdsl, code, err, json, out};

const OCTAL: &[&str] = &["seq", "octal", "--misere"];

fn octal(game: &str, more: &[&str]) -> std::process::Output {
    let game = format!("Octal(\"{game}\")");
    let mut args = vec![OCTAL[0], OCTAL[1], &game, OCTAL[2]];
    args.extend(more);
    cgdsl(&args)
}

#[test]
fn published_quotients_and_their_certificates() {
    let dir = Folder::new("quotients");
    let witness = dir.0.join("witness.json").display().to_string();
    let rows = include_str!("quotients.tsv").lines();
    for row in rows.filter(|r| !r.starts_with('#')) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [game, order, p] = columns[..] else {
            panic!("{row}")
        };
        let o = octal(game, &["--to", "300", "--json", "--certify", &witness]);
        assert_eq!(code(&o), 0, "{row}: {}", err(&o));
        let told = json(&o);
        assert_eq!(told["code"], game);
        assert_eq!(told["order"].to_string(), order, "{row}");
        assert_eq!(told["all_heaps"], true, "{row}");
        let in_p = told["p"].as_array().expect("a list");
        assert!(p == "-" || in_p.len().to_string() == p, "{row}");
        assert_eq!(told["heaps"].as_array().map(Vec::len), Some(301), "{row}");
        // The outcome of a heap is that of its element, and Φ repeats.
        for heap in told["heaps"].as_array().expect("a list") {
            assert_eq!(heap["outcome"] == "P", in_p.contains(&heap["phi"]), "{row}");
        }
        let of = |key: &str| told["period"][key].as_u64().expect("a period") as usize;
        for n in of("preperiod")..=300 - of("period") {
            assert_eq!(told["heaps"][n], told["heaps"][n + of("period")], "{row}");
        }
        let o = cgdsl(&["verify", &witness]);
        assert_eq!(code(&o), 0, "{row}: {}", out(&o));
        let said = format!("for all heaps, with period {} from", of("period"));
        assert!(out(&o).contains(&said), "{}", out(&o));
        let text = std::fs::read_to_string(&witness).expect("a witness");
        let changed = text.replacen("\"phi\":[0,", "\"phi\":[1,", 1);
        assert_ne!(changed, text);
        let o = cgdsl(&["verify", &dir.file("changed.json", changed)]);
        assert_eq!(code(&o), 1, "{row}: {}", out(&o));
    }
}

/// W. L. Sibert, J. H. Conway, *Mathematical Kayles* (1992): misère Kayles has period 12 from 71 on, as normal Kayles has.
#[test]
fn kayles_for_all_heaps() {
    let o = cgdsl(&["seq", "kayles", "--misere", "--to", "200"]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    for said in [
        "quotient of all heaps: 40 elements, 9 of them in P",
        "generators  a = phi(1), b = phi(2)",
        "period  12 from n = 71: proven for all heaps, since phi(n + 12) = phi(n) was checked for 71 <= n < 156",
    ] {
        assert!(out(&o).contains(said), "{said}: {}", out(&o));
    }
    let far = cgdsl(&[
        "seq", "kayles", "--misere", "--to", "1e9", "--quiet", "--time", "60s",
    ]);
    assert_eq!(code(&far), 0, "{}", err(&far));
    assert!(
        out(&far).contains("last    phi(1000000000) = "),
        "{}",
        out(&far)
    );
    let few = cgdsl(&["seq", "kayles", "--misere", "--to", "3", "--format", "csv"]);
    // Heaps of one are lost, heaps of two and three are won by leaving one pin.
    assert_eq!(out(&few), "n,phi,outcome\n0,1,N\n1,a,P\n2,b,N\n3,ab,N\n");
}

#[test]
fn what_is_not_found_is_unknown() {
    let dir = Folder::new("quotients-unknown");
    let witness = dir.0.join("witness.json").display().to_string();
    let o = octal(
        "0.07",
        &["--to", "40", "--nodes", "50", "--certify", &witness],
    );
    assert_eq!(code(&o), 3, "{}", out(&o));
    assert!(
        err(&o).contains("the quotient is known to heap"),
        "{}",
        err(&o)
    );
    assert!(err(&o).contains("--nodes sets it"), "{}", err(&o));
    assert!(out(&o).contains("quotient of heaps 0 to"), "{}", out(&o));
    assert!(out(&o).contains("period  none found"), "{}", out(&o));
    // What is known is proven.
    let holds = cgdsl(&["verify", &witness]);
    assert_eq!(code(&holds), 0, "{}", out(&holds));
    assert!(out(&holds).contains("for heaps up to"), "{}", out(&holds));
    let o = octal("0.07", &["--to", "40", "--nodes", "50", "--json"]);
    let told = json(&o);
    assert_eq!((code(&o), told["all_heaps"].as_bool()), (3, Some(false)));
    assert!(told["unknown"].is_string());
    assert_eq!(
        told["heaps"].as_array().map(|h| h.len() as u64 - 1),
        told["added_to"].as_u64()
    );
}

/// Nim with heaps below 2^n has the quotient T(n) (Plambeck and Siegel 2008): orders 2, 6, 10. The rule takes any number, so
/// the quotient is found heap by heap.
#[test]
fn rules_without_a_shape_go_heap_by_heap() {
    let dir = Folder::new("quotients-nim");
    let witness = dir.0.join("witness.json").display().to_string();
    for (file, to, order) in [
        ("misere-nim", "1", 2),
        ("misere-nim", "3", 6),
        ("nim", "7", 10),
    ] {
        let o = cgdsl(&[
            "seq",
            file,
            "--misere",
            "--to",
            to,
            "--json",
            "--certify",
            &witness,
        ]);
        assert_eq!(code(&o), 0, "{}", err(&o));
        let told = json(&o);
        assert_eq!(told["order"], order, "{file} {to}");
        assert!(told["period"].is_null() && told["no_shape"].is_string());
        assert_eq!(code(&cgdsl(&["verify", &witness])), 0, "{file} {to}");
    }
    let o = cgdsl(&["seq", "grundy", "--misere", "--to", "12"]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    assert!(
        out(&o).contains("some moves ask for different sizes"),
        "{}",
        out(&o)
    );
}

/// Kayles has five idempotents; their components have the 40 elements of the quotient.
#[test]
fn idempotents_are_drawn() {
    let dir = Folder::new("idempotents");
    let path = dir.0.join("kayles.svg").display().to_string();
    let o = cgdsl(&["seq", "kayles", "--misere", "-o", &path]);
    assert_eq!(code(&o), 0, "{}", err(&o));
    let svg = std::fs::read_to_string(&path).expect("a picture");
    let elements = svg.split(" elements, ").count() - 1;
    assert!(svg.contains("</svg>") && elements == 5, "{svg}");
    let o = cgdsl(&["seq", "kayles", "--misere", "--plot"]);
    let text = out(&o);
    let sizes = text
        .lines()
        .skip(1)
        .filter_map(|l| l.split_whitespace().nth(1)?.parse::<u32>().ok());
    assert_eq!(sizes.sum::<u32>(), 40, "{text}");
}

#[test]
fn what_has_no_quotient_is_refused() {
    for (args, said) in [
        (
            &["seq", "partizan-kayles", "--misere"][..],
            "different moves",
        ),
        (
            &["seq", "kayles", "--misere", "--format", "bfile"],
            "no b-file",
        ),
        (&["seq", "kayles", "--misere", "--identify"], "--misere"),
        (
            &["seq", "misere-nim"],
            "cgdsl seq misere-nim MisereNim --misere",
        ),
    ] {
        let o = cgdsl(args);
        assert_eq!(code(&o), 2, "{args:?}: {}", out(&o));
        assert!(err(&o).contains(said), "{args:?}: {}", err(&o));
    }
}
