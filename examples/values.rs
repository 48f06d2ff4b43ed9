//! The algebra of values without any rules: reading, adding, comparing, printing and measuring; one arena shared by threads,
//! and one with bounded memory.
//!
//! `cargo run --example values --no-default-features`; values to add may be given: `-- '{2|-1}' '^*' '1/2'`.

use cgdsl::value::notation::{Style, print, read, read_form};
use cgdsl::value::{CanonicalForm, Forms, OutOfMemory};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let forms = Forms::new();
    let given: Vec<String> = std::env::args().skip(1).collect();
    let texts: Vec<&str> = match &given[..] {
        [] => vec!["{2|-1}", "{1||0|-2}", "↑∗", "1/2"],
        given => given.iter().map(String::as_str).collect(),
    };

    // Texts are read into handles, and these are added.
    let mut sum = CanonicalForm::ZERO;
    for text in &texts {
        sum = forms.add(sum, read(&forms, text)?)?;
    }
    println!(
        "{} = {}",
        texts.join(" + "),
        print(&forms, sum, Style::Unicode)
    );
    println!("LaTeX: {}", print(&forms, sum, Style::Latex));
    println!("outcome: {}", forms.outcome(sum)?);
    println!(
        "stops: {} and {}",
        forms.left_stop(sum),
        forms.right_stop(sum)
    );
    println!(
        "mean: {}, temperature: {}",
        forms.mean(sum)?,
        forms.temperature(sum)?
    );
    match forms.atomic_weight(sum)? {
        Ok(weight) => println!("atomic weight: {}", print(&forms, weight, Style::Ascii)),
        Err(reason) => println!("no atomic weight: {reason}"),
    }

    // Equal games have equal handles; a form as written keeps its options.
    let zero = read_form(&forms, "{{|0} | {0|}}")?;
    assert_eq!(zero.canonical(&forms)?, CanonicalForm::ZERO);
    assert_eq!(zero.left().len(), 1);
    // An ordinal sum depends on the form: {-1|1} : 1 is 1/2, but 0 : 1 is 1.
    let one = read_form(&forms, "1")?;
    let ordinal = zero.ordinal_sum(&one).canonical(&forms)?;
    assert_eq!(print(&forms, ordinal, Style::Ascii), "1/2");

    // One arena serves several threads, each of which adds up a different part of the multiples of a game.
    let game = read(&forms, "{3||1|-2}")?;
    let multiples = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4i64)
            .map(|i| {
                let forms = &forms;
                scope.spawn(move || forms.multiple(i + 1, game))
            })
            .collect();
        let joined = threads
            .into_iter()
            .map(|t| t.join().expect("no thread panics"));
        joined.collect::<Result<Vec<_>, OutOfMemory>>()
    })?;
    for (n, g) in (1..).zip(multiples) {
        let (mean, temperature) = (forms.mean(g)?, forms.temperature(g)?);
        println!("{n} times {{3||1|-2}}: mean {mean}, temperature {temperature}");
    }
    println!("{} forms in {} KiB", forms.len(), forms.memory() >> 10);

    // A small arena refuses values that do not fit; those it holds stay valid.
    let small = Forms::with_limit(1 << 15);
    let switch = read(&small, "{1|-1}")?;
    let many = (1..30).try_fold(CanonicalForm::ZERO, |sum, n| {
        let game = read(&small, &format!("{{{n}||0|-{n}*}}")).map_err(|_| OutOfMemory)?;
        small.add(sum, game)
    });
    match many {
        Ok(g) => println!("it fits, with temperature {}", small.temperature(g)?),
        Err(full) => println!("in 32 KiB: {full}"),
    }
    assert_eq!(print(&small, switch, Style::Ascii), "+-1");
    Ok(())
}
