//! Every sentence of `why` is worked out again: with values that are read back from its text, and with the values of the
//! options in another way (played from the typed tree, nothing compiled or split), on every position that the shipped
//! rulesets evaluate and on all positions that follow those in one move.

use crate::evaluated::evaluated;
use cgdsl::game::{Limits, Shortcut, Shortcuts};
use cgdsl::session::{Disk, Loaded, Sentence, Session, Settings, Summand, Turn, Why, shipped};
use cgdsl::value::notation::{Style, print, read};
use cgdsl::value::{CanonicalForm, Forms, Nimber, Outcome, loopy};
use std::collections::BTreeSet;
use std::sync::Arc;

struct Checker {
    forms: Forms,
    checked: std::collections::BTreeMap<&'static str, usize>,
}

impl Checker {
    fn read(&self, text: &str) -> CanonicalForm {
        read(&self.forms, text).unwrap_or_else(|e| panic!("{text}: {e}"))
    }

    fn all(&self, texts: &[String]) -> Vec<CanonicalForm> {
        texts.iter().map(|t| self.read(t)).collect()
    }

    fn le(&self, g: CanonicalForm, h: CanonicalForm) -> bool {
        self.forms.less_or_equal(g, h).expect("small")
    }

    fn set(&self, mut all: Vec<CanonicalForm>) -> Vec<CanonicalForm> {
        all.sort_by(|a, b| self.forms.structural_cmp(*a, *b));
        all.dedup();
        all
    }

    /// The options told, as values: Left's and Right's.
    fn told(why: &Why) -> [Vec<String>; 2] {
        let mut sides = [Vec::new(), Vec::new()];
        for s in &why.sentences {
            if let Sentence::Options { player, groups } = s {
                let values = groups.iter().map(|g| g.value.clone());
                if player == "Right" {
                    sides[1].extend(values);
                } else {
                    sides[0].extend(values);
                }
            }
        }
        sides
    }

    fn check(&mut self, name: &str, why: &Why) {
        let Some(value_text) = &why.value else {
            return;
        };
        if why.sentences.contains(&Sentence::Entailing) {
            let what = format!("{name}: {}", why.picture.text);
            assert_eq!(entailed(why), *value_text, "{what}");
            *self.checked.entry("entailing").or_default() += 1;
            return;
        }
        // No sentence is about how a loopy value comes from its options.
        if loopy::notation::is_loopy(value_text) {
            return;
        }
        let value = self.read(value_text);
        let [left, right] = Checker::told(why).map(|s| self.all(&s));
        for sentence in &why.sentences {
            let what = format!("{name}: {}: {sentence:?}", why.picture.text);
            let kind = match sentence {
                Sentence::Sum { parts, value: sum } => {
                    let mut total = CanonicalForm::ZERO;
                    for p in parts {
                        let v = self.read(&p.value);
                        let many = self.forms.multiple(p.count as i64, v).expect("small");
                        total = self.forms.add(total, many).expect("small");
                    }
                    assert!(total == value && self.read(sum) == value, "{what}");
                    "sum"
                }
                Sentence::NimSum { nimbers, sum } => {
                    assert_eq!(nimbers.iter().fold(0, |a, b| a ^ b), *sum, "{what}");
                    assert_eq!(self.forms.nimber(*sum), Ok(value), "{what}");
                    "nim-sum"
                }
                Sentence::Impartial => "impartial",
                Sentence::NoMoves { player } => {
                    let side = if player == "Left" { &left } else { &right };
                    assert!(side.is_empty(), "{what}");
                    "no-moves"
                }
                Sentence::Options { groups, .. } => {
                    let values: BTreeSet<&String> = groups.iter().map(|g| &g.value).collect();
                    assert_eq!(values.len(), groups.len(), "{what}: values come once");
                    assert!(groups.iter().all(|g| g.count >= g.positions.len().max(1)));
                    "options"
                }
                Sentence::Mex { options, mex } => {
                    let told: BTreeSet<u32> = left
                        .iter()
                        .map(|g| self.forms.as_nimber(*g).unwrap_or_else(|| panic!("{what}")))
                        .collect();
                    assert_eq!(told.into_iter().collect::<Vec<_>>(), *options, "{what}");
                    let least = Nimber::mex(options.iter().map(|n| Nimber((*n).into())));
                    assert_eq!(least, Nimber((*mex).into()), "{what}");
                    assert_eq!(self.forms.nimber(*mex), Ok(value), "{what}");
                    "mex"
                }
                Sentence::Dominated { player, option, by } => {
                    let (o, b) = (self.read(option), self.read(by));
                    assert!(o != b, "{what}");
                    assert!(
                        if player == "Left" {
                            self.le(o, b)
                        } else {
                            self.le(b, o)
                        },
                        "{what}"
                    );
                    "dominated"
                }
                Sentence::Reversible {
                    player,
                    option,
                    reply,
                    replaced_by,
                    ..
                } => {
                    let (o, r) = (self.read(option), self.read(reply));
                    let instead = self.set(self.all(replaced_by));
                    let (fits, options) = if player == "Left" {
                        (self.le(r, value), self.forms.left_options(r))
                    } else {
                        (self.le(value, r), self.forms.right_options(r))
                    };
                    assert!(fits, "{what}");
                    assert_eq!(instead, self.set(options.expect("small")), "{what}");
                    // The option loses nothing if the reply is added to what the opponent can do after it.
                    let l = self.forms.left_options(o).expect("small");
                    let mut rr = self.forms.right_options(o).expect("small");
                    let mut ll = l.clone();
                    if player == "Left" {
                        rr.push(r);
                    } else {
                        ll.push(r);
                    }
                    assert_eq!(self.forms.from_options(&ll, &rr), Ok(o), "{what}");
                    "reversible"
                }
                Sentence::Simplest {
                    left,
                    right,
                    value: x,
                } => {
                    assert_eq!(self.read(x), value, "{what}");
                    let number = self
                        .forms
                        .as_number(value)
                        .unwrap_or_else(|| panic!("{what}"));
                    let (l, r) = (self.all(left), self.all(right));
                    let fits = |x: CanonicalForm| {
                        l.iter().all(|g| !self.le(x, *g)) && r.iter().all(|g| !self.le(*g, x))
                    };
                    assert!(fits(value), "{what}: it does not fit");
                    // Simpler numbers are the options of a number, on both sides, and theirs.
                    for simpler in [number.left_option(), number.right_option()]
                        .into_iter()
                        .flatten()
                    {
                        let s = self.forms.number(&simpler).expect("small");
                        assert!(!fits(s), "{what}: {simpler} is simpler and fits");
                    }
                    "simplest"
                }
                Sentence::Canonical {
                    left,
                    right,
                    value: v,
                } => {
                    assert_eq!(self.read(v), value, "{what}");
                    let l = self.set(self.forms.left_options(value).expect("small"));
                    let r = self.set(self.forms.right_options(value).expect("small"));
                    assert_eq!(self.set(self.all(left)), l, "{what}");
                    assert_eq!(self.set(self.all(right)), r, "{what}");
                    "canonical"
                }
                Sentence::Outcome { sign, outcome } => {
                    let zero = CanonicalForm::ZERO;
                    let (up, down) = (self.le(zero, value), self.le(value, zero));
                    let (expected, letter) = match (up, down) {
                        (true, true) => ("=", Outcome::Previous),
                        (true, false) => (">", Outcome::Left),
                        (false, true) => ("<", Outcome::Right),
                        (false, false) => ("||", Outcome::Next),
                    };
                    assert_eq!(sign, expected, "{what}");
                    assert_eq!(*outcome, format!("{}-position", letter.letter()), "{what}");
                    "outcome"
                }
                Sentence::Thermal { mean, temperature } => {
                    assert_eq!(*mean, self.forms.mean(value).expect("small").to_string());
                    let t = self.forms.temperature(value).expect("small").to_string();
                    assert_eq!(*temperature, t, "{what}");
                    "thermal"
                }
                Sentence::Entailing
                | Sentence::Moves { .. }
                | Sentence::Covered { .. }
                | Sentence::Answered { .. } => {
                    panic!("{what}: without clauses that end play or keep the turn")
                }
                Sentence::NoValue { .. } | Sentence::Genera { .. } | Sentence::Starts { .. } => {
                    "winners"
                }
                Sentence::Scored { .. } | Sentence::Guaranteed { .. } | Sentence::NoMean { .. } => {
                    "scores"
                }
            };
            *self.checked.entry(kind).or_default() += 1;
        }
        // What the options make is the value.
        // Where play can go on for ever, a short value may have options without one.
        let winners =
            |s: &Sentence| matches!(s, Sentence::NoValue { .. } | Sentence::Starts { .. });
        if why.parts.is_empty() && !why.sentences.iter().any(winners) {
            let impartial = why.sentences.contains(&Sentence::Impartial);
            let right = if impartial { left.clone() } else { right };
            assert_eq!(
                self.forms.from_options(&left, &right),
                Ok(value),
                "{name}: {}",
                why.picture.text
            );
        }
        for part in &why.parts {
            self.check(name, part);
        }
    }
}

/// The value by the definition: the sum with `*x` is tried for each x that an option has, and for one that none has.
fn entailed(why: &Why) -> String {
    let nimber = |text: &str| match text {
        "0" => Some(0),
        "*" => Some(1),
        text => text.strip_prefix('*').and_then(|n| n.parse::<u32>().ok()),
    };
    let shown = |n: u32| match n {
        0 => "0".to_owned(),
        1 => "*".to_owned(),
        n => format!("*{n}"),
    };
    let mut moves: Vec<(Turn, &str)> = Vec::new();
    for s in &why.sentences {
        match s {
            Sentence::Moves { turn, groups } => {
                moves.extend(groups.iter().map(|g| (*turn, g.value.as_str())));
            }
            Sentence::Sum { parts, .. } => {
                let of = |p: &Summand| nimber(&p.value).map(|n| n * (p.count as u32 % 2));
                let sum = parts.iter().map(of);
                let sum = sum.reduce(|a, b| Some(a? ^ b?)).flatten();
                return sum.map_or("loony".to_owned(), shown);
            }
            _ => {}
        }
    }
    let wins = |x: u32| {
        moves.iter().any(|(turn, value)| match turn {
            Turn::Passes => nimber(value) == Some(x),
            Turn::Keeps => nimber(value) != Some(x),
            Turn::Entails => match value.strip_prefix("wins the sum with every nimber") {
                Some(but) => !numbers(but).contains(&x),
                None => numbers(value).contains(&x),
            },
            Turn::Wins => true,
            Turn::Loses => false,
        })
    };
    let most = moves.iter().flat_map(|(turn, v)| match turn {
        Turn::Entails => numbers(v),
        _ => nimber(v).into_iter().collect(),
    });
    let most = most.max();
    let least = (0..=most.map_or(0, |n| n + 1)).find(|x| !wins(*x));
    least.map_or("loony".to_owned(), shown)
}

/// The numbers in a text.
fn numbers(text: &str) -> Vec<u32> {
    let words = text.split(|c: char| !c.is_ascii_digit());
    words.filter_map(|w| w.parse().ok()).collect()
}

fn settings(nodes: u64, naive: bool) -> Settings {
    Settings {
        limits: Limits {
            nodes: Some(nodes),
            ..Limits::default()
        },
        shortcuts: Shortcuts::ALL.with(&[(Shortcut::Compile, !naive)]),
        ..Settings::default()
    }
}

/// The values told of options and parts, found again from their literals without any short cut.
fn other_way(why: &Why, slow: &mut Session<'_>, loaded: &mut Loaded, forms: &Forms) -> usize {
    let mut told: Vec<(&String, &String)> = Vec::new();
    for s in &why.sentences {
        match s {
            Sentence::Options { groups, .. } => {
                for g in groups {
                    told.extend(g.positions.iter().map(|p| (p, &g.value)));
                }
            }
            Sentence::Moves { turn, groups } if *turn != Turn::Entails => {
                for g in groups.iter().filter(|g| !g.value.is_empty()) {
                    told.extend(g.positions.iter().map(|p| (p, &g.value)));
                }
            }
            Sentence::Sum { parts, .. } => {
                told.extend(parts.iter().map(|p| (&p.position, &p.value)));
            }
            Sentence::Reversible {
                position: Some(p),
                reply,
                ..
            } => told.push((p, reply)),
            _ => {}
        }
    }
    let mut agreed = 0;
    for (position, value) in told {
        let Ok(found) = slow.value(loaded, position, None) else {
            continue;
        };
        let known = read(forms, value).expect("a value");
        let again = read(forms, &found.value).expect("a value");
        assert!(
            known == again,
            "{position} is told to be {value}, is {}",
            print(forms, again, Style::Ascii)
        );
        agreed += 1;
    }
    agreed
        + why
            .parts
            .iter()
            .map(|p| other_way(p, slow, loaded, forms))
            .sum::<usize>()
}

#[test]
fn every_sentence_is_true() {
    let mut checker = Checker {
        forms: Forms::new(),
        checked: std::collections::BTreeMap::new(),
    };
    let (mut explained, mut agreed) = (0, 0);
    for file in shipped::all() {
        let world = Disk;
        let mut session = Session::new(&world, settings(400, false));
        let mut slow = Session::new(&world, settings(40, true));
        let name = format!("rulesets/{}", file.path);
        let loaded = session.load(&name);
        let mut beside = slow.load(&name);
        for start in evaluated(&session, &loaded) {
            let Ok(why) = session.why(&loaded, &start) else {
                continue;
            };
            checker.check(file.path, &why);
            explained += 1;
            agreed += other_way(&why, &mut slow, &mut beside, &checker.forms);
            // The first options of each player, too.
            let followers: Vec<String> = why
                .sentences
                .iter()
                .filter_map(|s| match s {
                    Sentence::Options { groups, .. } | Sentence::Moves { groups, .. } => {
                        Some(groups)
                    }
                    _ => None,
                })
                .flatten()
                .filter_map(|g| g.positions.first().cloned())
                .take(3)
                .collect();
            for text in followers {
                let mut all = loaded.clone();
                let Ok(query) = session.position(&mut all, &text) else {
                    continue;
                };
                let Ok(next) = session.value_of(&all, &query) else {
                    continue;
                };
                if let Ok(why) = session.why(&all, &Arc::clone(&next)) {
                    checker.check(file.path, &why);
                    explained += 1;
                }
            }
        }
    }
    println!(
        "{explained} explained, {agreed} values found again, {:?}",
        checker.checked
    );
    assert!(explained > 250 && agreed > 300, "{explained} {agreed}");
    for kind in [
        "sum",
        "nim-sum",
        "impartial",
        "no-moves",
        "options",
        "mex",
        "dominated",
        "reversible",
        "simplest",
        "canonical",
        "outcome",
        "thermal",
        "entailing",
    ] {
        assert!(
            checker.checked.get(kind).copied().unwrap_or(0) >= 5,
            "few sentences of the kind {kind}: {:?}",
            checker.checked
        );
    }
}
