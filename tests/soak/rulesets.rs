//! Every question by every road against the plain evaluator and the definitions, on random rulesets of a fixed budget; what
//! was exercised is printed and held above a floor. `examples/soak.rs`, whose tests these are, runs the same for hours.

use crate::random_rules::{
    COMPOSED, Random, affine, balanced, clausal, composed_of, integers, joined,
};
use crate::replay::replay;
use crate::soak_support::judge::{Effort, Judge};
use crate::soak_support::mistakes::{mistakes, named};
use crate::soak_support::shrink::differs;
use crate::soak_support::ways::{self, Way};
use cgdsl::ir::ground::condition::Phase;
use cgdsl::machine::Machine;
use std::path::Path;

/// How many rulesets are judged, unless the environment says otherwise.
fn budget(usual: u64) -> u64 {
    let set = std::env::var("CGDSL_ROUNDS").ok();
    set.and_then(|s| s.parse().ok()).unwrap_or(usual)
}

#[test]
fn every_road_gives_the_plain_answers() {
    let mut judge = Judge::new(Effort::QUICK);
    let mut wrong = Vec::new();
    let samples = (0..budget(ROUNDS)).map(|seed| (seed, balanced(seed)));
    let integral = (0..budget(INTEGRAL)).map(|seed| (seed, integers(seed)));
    for (seed, s) in samples.chain(integral) {
        let text = s.file();
        if let Err(d) = judge.text(&text, &s.marks) {
            wrong.push(format!("seed {seed}: {d}\n{text}"));
        }
    }
    println!("{}", judge.coverage.report(false));
    if budget(ROUNDS) >= ROUNDS {
        let (met, all) = judge.coverage.pairs();
        assert!(100 * met >= FLOOR * all, "{met} of {all} pairs were met");
        let mut thin = judge.coverage.thin();
        thin.retain(|road| !SELDOM.contains(road));
        assert!(thin.is_empty(), "seldom met: {thin:?}");
        let constructs = judge.coverage.constructs();
        assert!(constructs >= CONSTRUCTS, "{constructs} constructs were met");
        let count = |question| judge.coverage.by_question.get(question).copied();
        for (question, floor) in QUESTIONS {
            assert!(
                count(question) >= Some(floor),
                "{question}: {:?}",
                count(question)
            );
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong: {}",
        wrong.len(),
        wrong[..wrong.len().min(5)].join("\n")
    );
}

/// Rulesets that are judged, and of a hundred pairs of a construct and a road how many must be met in them; 34 are.
const ROUNDS: u64 = 40;
const FLOOR: usize = 28;
/// Rulesets in integers, which are judged with them.
const INTEGRAL: u64 = 2;
/// Of the constructs, how many.
const CONSTRUCTS: usize = 60;
/// Roads that only long runs meet.
const SELDOM: [&str; 9] = [
    "antichains",
    "bounds",
    "by-value",
    "duel",
    "guess",
    "mixed",
    "outlast",
    "strips",
    "whole",
];
/// Questions of other theories than that of short games, and how often each must be asked at least.
const QUESTIONS: [(&str, u64); 8] = [
    ("compound", 100),
    ("compound in misère play", 100),
    ("loopy value beside a named one", 20),
    ("onside and offside", 20),
    ("outcome of a loopy sum", 20),
    ("misère nimber", 100),
    ("score", 50),
    ("nimber or loony", 20),
];

/// Clauses that end play, further turns and play without end, compiled and from the text.
#[test]
fn clauses_mean_what_the_definitions_say() {
    let only = ["all", "without compile"];
    let ways = ways::ways().into_iter();
    let ways = ways.filter(|w| only.contains(&&*w.name)).collect();
    let mut judge = Judge::new(Effort::QUICK).with_ways(ways);
    let mut wrong = Vec::new();
    let samples = (0..budget(CLAUSAL)).map(|seed| (seed, clausal(seed)));
    let impartial = (0..budget(CLAUSAL) / 2).map(|seed| (seed, affine(seed)));
    for (seed, s) in samples.chain(impartial) {
        let text = s.file();
        if let Err(d) = judge.text(&text, &s.marks) {
            wrong.push(format!("seed {seed}: {d}\n{text}"));
        }
    }
    println!("{}", judge.coverage.report(false));
    assert!(wrong.is_empty(), "{}: {}", wrong.len(), wrong.join("\n"));
    if budget(CLAUSAL) >= CLAUSAL {
        let c = &judge.coverage;
        let met = |name: &str| c.by_construct.get(name).copied().unwrap_or(0);
        assert!(c.drawn > 15, "{} drawn", c.drawn);
        for name in [
            "win when",
            "lose when",
            "draw when",
            "again",
            "repeat",
            "endless",
        ] {
            assert!(met(name) > 20, "{name}: {}", met(name));
        }
        for question in [
            "steps",
            "remoteness",
            "winner of two",
            "winner and coalitions",
        ] {
            assert!(c.by_question.contains_key(question), "{question}");
        }
        let affine = c.by_question.get("nimber or loony").copied();
        assert!(
            affine.unwrap_or(0) > 100,
            "{affine:?} values of affine games"
        );
    }
}

/// Rulesets that are judged there.
const CLAUSAL: u64 = 60;

/// Groups and what can be reached, in conditions and effects of moves and in ends: compiled, with symmetries and without, and from the
/// text. Most are compiled, or they say nothing.
#[test]
fn groups_in_moves_mean_what_the_definitions_say() {
    let only = [
        "all",
        "without compile",
        "without symmetry",
        "without index",
    ];
    let ways = ways::ways().into_iter();
    let ways = ways.filter(|w| only.contains(&&*w.name)).collect();
    let mut judge = Judge::new(Effort::QUICK).with_ways(ways);
    let mut wrong = Vec::new();
    let (mut compiled, mut asking, mut written, mut all) = (0, 0, 0, 0);
    let mut reasons = Vec::new();
    for seed in 0..budget(JOINED) {
        let s = joined(seed);
        let text = s.file();
        if let Err(d) = judge.text(&text, &s.marks) {
            wrong.push(format!("seed {seed}: {d}\n{text}"));
        }
        let model = crate::load::load(&text);
        for p in crate::load::positions(&model) {
            let machine = Machine::new(&model, &p).unwrap();
            all += 1;
            for (_, ground) in machine.grounds() {
                let Some(ground) = ground else {
                    let told = machine.explain().terms;
                    reasons.extend(told.into_iter().filter_map(|t| t.level1));
                    continue;
                };
                compiled += 1;
                asking += usize::from(ground.asks());
                let when = |p: &Phase| matches!(p, Phase::When(_));
                written += usize::from(ground.instances.iter().any(|m| m.phases.iter().any(when)));
            }
        }
    }
    println!("{asking} of {compiled} of {all} ask in play, {written} write so; {reasons:?}");
    assert!(
        wrong.is_empty(),
        "{}: {}",
        wrong.len(),
        wrong[..wrong.len().min(4)].join("\n")
    );
    if budget(JOINED) >= JOINED {
        assert!(10 * compiled > 7 * all && 2 * asking > all && 6 * written > all);
    }
}

/// Rulesets that are judged there.
const JOINED: u64 = 24;

/// What is composed passes the checker.
#[test]
fn composed_rulesets_check() {
    let mut broken = Vec::new();
    let composed = COMPOSED.iter().flat_map(|kind| {
        (0..40).map(move |seed| (seed, composed_of(kind, &mut Random::new(seed))))
    });
    for (seed, s) in composed.chain((0..200).map(|seed| (seed, clausal(seed)))) {
        let world = cgdsl::session::Memory::default().with("t.rules", s.file());
        let mut session = cgdsl::session::Session::new(&world, cgdsl::session::Settings::default());
        let loaded = session.load("t.rules");
        let errors = loaded.diagnostics.iter().filter(|d| d.is_error());
        let told: Vec<String> = errors
            .map(|d| cgdsl::diagnostic::one_line(d, session.sources()))
            .collect();
        if !told.is_empty() {
            let kind = s.kind;
            broken.push(format!("{kind} {seed}: {}\n{}", told.join("\n"), s.file()));
        }
    }
    assert!(
        broken.is_empty(),
        "{} broken: {}",
        broken.len(),
        broken[..broken.len().min(12)].join("\n")
    );
}

/// Each mistake that is planted shows on the witnesses that name it, and nothing is wrong there without it.
#[test]
fn each_planted_mistake_is_killed_by_the_judge() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/mistakes");
    let listed = std::fs::read_dir(&folder).expect("the folder of witnesses");
    let mut files: Vec<_> = listed.map(|f| f.expect("a file").path()).collect();
    files.sort();
    let sound: Vec<Way> = ways::ways()
        .into_iter()
        .filter(|w| w.direct || w.name == "all")
        .collect();
    let mut wrong = Vec::new();
    let mut left = mistakes();
    let all = mistakes();
    for file in files {
        let name = file.display();
        let text = std::fs::read_to_string(&file).expect("a text");
        let shown = named(&text);
        if shown.is_empty() {
            wrong.push(format!("{name} names no mistake"));
        }
        for one in shown {
            match all.iter().find(|m| m.name == one) {
                None => wrong.push(format!("{name}: there is no mistake {one}")),
                Some(m) if m.shown_by(&text).is_none() => {
                    wrong.push(format!("{name} does not show {one}"));
                }
                Some(_) => left.retain(|m| m.name != one),
            }
        }
        if let Some(d) = differs(&text, &sound, None) {
            wrong.push(format!("{name} differs without a mistake: {d}"));
        }
    }
    wrong.extend(left.iter().map(|m| format!("{} has no witness", m.name)));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the fuzz target `machine` has gathered.
#[test]
fn machine_holds() {
    replay("machine", crate::soak_support::of_bytes);
}
