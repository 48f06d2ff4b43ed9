//! Files that are used under a name: several files come in; what the names of one mean in another, and what is said where they mean
//! nothing, come out.

use cgdsl::session::{Memory, Session, Settings, Status};

/// Reads and asks the files, the last of which is the main one; its messages in short, and how its queries went.
fn asked(files: &[(&str, &str)]) -> (Vec<String>, Vec<Status>) {
    let mut world = Memory::default();
    for (name, text) in files {
        world = world.with(name, *text);
    }
    let mut session = Session::new(&world, Settings::default());
    let main = files.last().expect("a file").0;
    let loaded = session.load(main);
    let said = |d: &cgdsl::diagnostic::Diagnostic| {
        let suggested = d.suggestions.iter().map(|s| s.message.to_string());
        let all = suggested.chain(d.help.iter().map(ToString::to_string));
        format!("{}: {}", d.message, all.collect::<Vec<_>>().join("; "))
    };
    let messages = loaded.diagnostics.iter().map(said).collect();
    let items = session.evaluate(&loaded, |_, _| {});
    (messages, items.into_iter().map(|i| i.status).collect())
}

/// Every query holds, and nothing is said.
fn hold(files: &[(&str, &str)], queries: usize) {
    let (messages, statuses) = asked(files);
    assert_eq!(messages, [""; 0]);
    assert_eq!(statuses, vec![Status::Held; queries]);
}

/// Take one or more, at most `most`.
const TAKE: &str = "let most = 2\n\
    ruleset Take\n  board heaps\n  move by anyone: choose n, k in 1..most where k <= n then n -> [n - k]\n\n\
    position Nine = Take[9]\n\
    claim \"by turns\" for n in 0..9: nimber(Take[n]) = n mod (most + 1)\n";

/// The same names with another meaning; a ruleset that two definitions lead to.
const OTHER: &str = "use \"take.rules\" as Two\n\
    let most = 4, limit = most\n\
    ruleset Take\n  board heaps\n  move by anyone: choose n, k in 1..limit where k <= n then n -> [n - k]\n\n\
    ruleset Same = Two.Take with\n\
    ruleset Wide = Two.Take with\n  move by anyone: choose n, k in 1..limit where k <= n then n -> [n - k]\n\n\
    position Nine = Take[9] + Two.Nine\n";

#[test]
fn names_mean_what_they_do_in_their_file() {
    // A heap of n, at most k taken: n mod (k + 1) (Winning Ways, ch. 4).
    let main = "use \"take.rules\" as A\nuse \"other.rules\" as B\n\
        let most = 100\n\
        ruleset Take = A.Take with\n  without move 1\n  move by anyone: choose n, k in 1..most where k <= n then n -> [n - k]\n\n\
        ruleset Kept = B.Same with\n\
        ruleset Back = reversed(B.Wide)\n\
        assert A.most = 2, B.most = 4, B.limit = 4, B.Two.most = 2, most = 100\n\
        claim for n in 0..9: nimber(A.Take[n]) = n mod 3, nimber(B.Take[n]) = n mod 5, nimber(Take[n]) = n\n\
        claim for n in 0..9: nimber(B.Two.Take[n]) = n mod 3, nimber(B.Same[n]) = n mod 3, nimber(B.Wide[n]) = n mod 5\n\
        claim for n in 0..9: nimber(Kept[n]) = n mod 3, nimber(Back[n]) = n mod 5\n\
        claim for R in {A.Take, B.Same, misere(misere(A.Take))}, n in 0..3: outcome(misere(R)[n]) = if_one(n)\n\
        let if_one(n) = outcome(misere(A.Take)[n])\n\
        assert outcome(misere(A.Take)[1]) = P-position\n\
        assert A.Nine == {0|0}\n\
        assert nimber(B.Nine) = xor(4, 0)\n\
        assert nimber(impartial(A.Take)[4]) = 1\n";
    let main = main.replace("assert A.Nine == {0|0}\n", "assert nimber(A.Nine) = 0\n");
    hold(
        &[
            ("take.rules", TAKE),
            ("other.rules", OTHER),
            ("main.rules", &main),
        ],
        11,
    );
}

#[test]
fn claims_of_another_file_are_asked_of_the_heir() {
    let main = "use \"take.rules\" as A\n\
        ruleset Mine = A.Take with claims\n\
        ruleset Most = A.Take with claims\n  move by anyone: choose n, k in 1..n then n -> [n - k]\n";
    let (messages, statuses) = asked(&[("take.rules", TAKE), ("main.rules", main)]);
    assert_eq!(messages, [""; 0]);
    assert_eq!(statuses, [Status::Held, Status::Failed]);
}

#[test]
fn one_file_may_be_used_under_several_names() {
    let main = "use \"take.rules\"\nuse \"take.rules\" as A\nuse \"take.rules\" as B\n\
        assert A.Take[5] == B.Take[5], Take[5] == A.Take[5]\n\
        assert identical(value(A.Take[2]), value(Take[2]))\n";
    hold(&[("take.rules", TAKE), ("main.rules", main)], 2);
    // A mistake in it is told once.
    let broken = "ruleset Take\n  board heaps\n  move by anyone: choose n then n -> [m]\n";
    let (messages, _) = asked(&[("take.rules", broken), ("main.rules", main)]);
    assert_eq!(messages.len(), 1, "{messages:?}");
}

#[test]
fn what_a_name_could_mean_is_said() {
    let ask = |main: &str| {
        let (messages, _) = asked(&[
            ("take.rules", TAKE),
            ("other.rules", OTHER),
            ("main.rules", main),
        ]);
        messages.join("\n")
    };
    let one = ask("use \"take.rules\" as A\neval Take[3]\n");
    assert!(one.contains("it is `A.Take`"), "{one}");
    let one = ask("use \"take.rules\" as A\neval A.Tak[3]\n");
    assert!(one.contains("did you mean `A.Take`"), "{one}");
    let one = ask("use \"take.rules\" as A\neval A.Kayles[3]\n");
    assert!(
        one.contains("it defines `Nine`, `Take` and `most`"),
        "{one}"
    );
    let one = ask("use \"take.rules\" as A\neval A[3]\n");
    assert!(one.contains("stand behind it: `A."), "{one}");
    let one = ask("use \"other.rules\" as B\neval Two.Take[3]\n");
    assert!(one.contains("as Two`"), "{one}");
    let one = ask("use \"take.rules\"\nuse \"other.rules\"\neval Take[3]\n");
    assert!(one.contains("`Take` is defined twice"), "{one}");
    let one = ask("use \"take.rules\"\neval A.Take[3]\n");
    assert!(one.contains("as A`"), "{one}");
}

#[test]
fn files_that_use_each_other_under_many_names_are_bounded() {
    let mut files = vec![("f0.rules".to_owned(), "let x = 1\n".to_owned())];
    for n in 1..40 {
        let one = format!("use \"f{}.rules\"", n - 1);
        files.push((format!("f{n}.rules"), format!("{one} as A\n{one} as B\n")));
    }
    files.push((
        "main.rules".into(),
        "use \"f39.rules\" as C\neval 1\n".into(),
    ));
    let all: Vec<(&str, &str)> = files.iter().map(|(n, t)| (&**n, &**t)).collect();
    let (messages, _) = asked(&all);
    assert!(
        messages.iter().any(|m| m.contains("more than 1000 files")),
        "{messages:?}"
    );
    let circle = [("a.rules", "use \"a.rules\" as A\nlet x = A.x\n")];
    let (messages, _) = asked(&circle);
    assert!(messages[0].contains("in a circle"), "{messages:?}");
}
