//! Sequences of nim-values: the two methods against each other and against a third program, written here from the
//! definition; periods against published ones.

use cgdsl::engine::sequence::amounts::{AmountRule, AmountSequence, Amounts};
use cgdsl::engine::sequence::{Road, Sequence, Take, TakingRule, find_partizan_period, witness};
use cgdsl::game::Cancel;
use cgdsl::verify;

/// The definition, implemented independently: every way to divide, recursively, over a set of reached values.
fn by_definition(rule: &TakingRule, length: usize) -> Vec<u16> {
    fn divide(
        rest: usize,
        heaps: u8,
        least: usize,
        distinct: bool,
        sum: u16,
        g: &[u16],
        out: &mut Vec<u16>,
    ) {
        if heaps == 0 {
            if rest == 0 {
                out.push(sum);
            }
            return;
        }
        let most = if heaps > 1 {
            rest.saturating_sub(1)
        } else {
            rest
        };
        for a in least..=most {
            let next = if distinct { a + 1 } else { a };
            divide(rest - a, heaps - 1, next, distinct, sum ^ g[a], g, out);
        }
    }
    let mut g: Vec<u16> = Vec::new();
    for n in 0..length {
        let mut reached = Vec::new();
        for t in rule.takes() {
            if let Some(rest) = n.checked_sub(t.taken as usize) {
                divide(rest, t.heaps, 1, t.distinct, 0, &g, &mut reached);
            }
        }
        g.push((0..).find(|v| !reached.contains(v)).unwrap());
    }
    g
}

fn values(rule: &TakingRule, last: u64, road: Road) -> Sequence {
    let mut s = Sequence::new(rule.clone());
    s.extend(last, road, &Cancel::new(), &mut |_| {}).unwrap();
    s
}

/// A small generator, so that the rules are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// Any rule, or one to which the theorem applies: each move takes something, and sizes are free.
fn random_rule(dice: &mut Dice, most_heaps: u64, any: bool) -> TakingRule {
    loop {
        let takes = (0..1 + dice.roll(4))
            .map(|_| Take {
                taken: dice.roll(6) as u32 + u32::from(!any),
                heaps: dice.roll(most_heaps + 1) as u8,
                distinct: any && dice.roll(5) == 0,
            })
            .collect();
        if let Some(rule) = TakingRule::new(takes) {
            return rule;
        }
    }
}

#[test]
fn plain_road_is_the_definition_on_random_rules() {
    let mut dice = Dice(1);
    for _ in 0..300 {
        let rule = random_rule(&mut dice, 3, true);
        let s = values(&rule, 39, Road::Plain);
        let expected = by_definition(&rule, 40);
        let found: Vec<u16> = (0..40).map(|n| s.value(n).unwrap()).collect();
        assert_eq!(found, expected, "{rule:?}");
    }
}

/// The theorem applies to every other rule. It applies to few of the rest, and where it does not, no period may be claimed.
#[test]
fn both_ways_agree_on_random_rules_and_every_period_holds() {
    let mut dice = Dice(2);
    let (mut periods, mut proper, mut codes) = (0, 0, 0);
    for round in 0..120 {
        let rule = random_rule(&mut dice, 2, round % 2 == 0);
        // Far beyond every proven period: the plain values are computed one by one.
        let mut plain = Sequence::new(rule.clone());
        plain.seek_period(false);
        let extended = plain.extend(2499, Road::Plain, &Cancel::new(), &mut |_| {});
        assert_eq!(extended, Ok(()));
        let plain = plain.values();
        // With a period, and by the sparse method alone.
        let sparse = values(&rule, 2499, Road::Sparse);
        let mut alone = Sequence::new(rule.clone());
        alone.seek_period(false);
        alone
            .extend(2499, Road::Sparse, &Cancel::new(), &mut |_| {})
            .unwrap();
        assert_eq!(alone.values(), plain, "{rule:?}");
        for (n, v) in plain.iter().enumerate() {
            assert_eq!(sparse.value(n as u64), Some(*v), "{rule:?} at {n}");
        }
        codes += u32::from(rule.is_code());
        if let Some(p) = sparse.period() {
            assert!(
                rule.is_code(),
                "{rule:?}: the theorem is not about this rule"
            );
            periods += 1;
            proper += u32::from(p.period > 1);
            for n in p.preperiod as usize..plain.len().saturating_sub(p.period as usize) {
                assert_eq!(plain[n], plain[n + p.period as usize], "{rule:?} at {n}");
            }
            if let Some(n) = p.preperiod.checked_sub(1) {
                let (a, b) = (plain.get(n as usize), plain.get((n + p.period) as usize));
                assert!(a != b, "{rule:?}: the preperiod is not the least");
            }
        }
    }
    println!("{codes} rules of the theorem, {periods} periods, {proper} longer than 1");
    assert!(
        periods > 40 && proper > 20,
        "{periods} periods, {proper} longer than 1"
    );
}

/// Many counters taken at once, values with many digits, and a sequence that is continued in steps of any length: blocks of
/// the sparse method begin and end everywhere.
#[test]
fn the_sparse_road_goes_on_from_anywhere() {
    let mut dice = Dice(3);
    for round in 0..48 {
        let far = [3, 7, 29, 170][round % 4];
        let takes = (0..1 + dice.roll(4)).map(|_| {
            let heaps = dice.roll(3) as u8;
            Take {
                taken: dice.roll(far) as u32 + 1,
                heaps,
                distinct: dice.roll(3) == 0,
            }
        });
        let Some(rule) = TakingRule::new(takes.collect()) else {
            continue;
        };
        let last = 300 + dice.roll(900);
        let mut plain = Sequence::new(rule.clone());
        plain.seek_period(false);
        plain
            .extend(last, Road::Plain, &Cancel::new(), &mut |_| {})
            .unwrap();
        let mut sparse = Sequence::new(rule.clone());
        sparse.seek_period(false);
        let mut at = 0;
        while at < last {
            at = last.min(at + 1 + dice.roll(last));
            sparse
                .extend(at, Road::Sparse, &Cancel::new(), &mut |_| {})
                .unwrap();
        }
        assert_eq!(sparse.values(), plain.values(), "{rule:?}");
    }
}

/// Rules that may leave three heaps: sets of sums of pairs against the definition.
#[test]
fn three_heaps_by_sets_of_pairs() {
    let mut dice = Dice(4);
    for _ in 0..40 {
        let rule = random_rule(&mut dice, 3, true);
        let last = 60 + dice.roll(120);
        let mut roads = [Road::Plain, Road::Sparse].map(|road| {
            let mut s = Sequence::new(rule.clone());
            s.seek_period(false);
            s.extend(last, road, &Cancel::new(), &mut |_| {}).unwrap();
            s
        });
        let [plain, sparse] = &mut roads;
        assert_eq!(plain.values(), sparse.values(), "{rule:?}");
    }
}

/// Guy and Smith 1956; *Winning Ways*, ch. 4; Flammenkamp's table of octal games: period and last exceptional heap plus one.
#[test]
fn published_periods_are_found() {
    let published = [
        ("0.77", 12, 71),
        ("0.137", 34, 52),
        ("0.07", 34, 53),
        ("0.156", 349, 3479),
        ("0.055", 148, 259),
        ("0.644", 442, 3256),
        ("0.356", 142, 7315),
        ("0.165", 1550, 5181),
        ("0.16", 149_459, 105_351),
        ("0.56", 144, 326_640),
    ];
    for (code, period, preperiod) in published {
        let s = values(&TakingRule::of_code(code).unwrap(), 1_000_000, Road::Sparse);
        let p = s.period().unwrap_or_else(|| panic!("{code}: no period"));
        assert_eq!((p.period, p.preperiod), (period, preperiod), "{code}");
    }
}

#[test]
fn subtraction_games_repeat() {
    for set in [vec![1, 2, 3], vec![2, 5, 7], vec![3, 11, 20]] {
        let s = values(
            &TakingRule::of_subtraction(&set).unwrap(),
            100_000_000,
            Road::Sparse,
        );
        let direct = by_definition(s.rule(), 300);
        let p = s.period().unwrap();
        assert!(
            (0..300).all(|n| s.value(n as u64) == Some(direct[n])),
            "{set:?}"
        );
        assert!(s.values().len() < 1000);
        assert!(s.value(100_000_000).is_some());
        let least =
            (1..200).find(|q| (p.preperiod as usize..300 - q).all(|n| direct[n] == direct[n + q]));
        assert_eq!(Some(p.period as usize), least, "{set:?}");
    }
}

/// Codes with a digit before the point: they print as they were read, and 4.0 is a game of n - 1 moves.
#[test]
fn codes_read_back_and_break_without_taking() {
    for code in ["0.77", "4.007", "4.0", "8.3", "0.F", "0.137", "C.1"] {
        let rule = TakingRule::of_code(code).unwrap();
        assert_eq!(rule.code().as_deref(), Some(code));
        let s = values(&rule, 399, Road::Sparse);
        let expected = by_definition(&rule, 60);
        assert!(
            (0..60).all(|n| s.value(n as u64) == Some(expected[n])),
            "{code}"
        );
    }
    assert_eq!(TakingRule::of_code(".07"), TakingRule::of_code("0.07"));
    for wrong in ["", ".", "7", "1.0", "2.7", "12.3", "0.1x", "0..1"] {
        let rule = TakingRule::of_code(wrong).filter(|r| !r.takes().is_empty());
        assert_eq!(rule, None, "{wrong}");
    }
    let s = values(&TakingRule::of_code("4.0").unwrap(), 50, Road::Sparse);
    assert!((1..50).all(|n| s.value(n) == Some((n as u16 - 1) % 2)));
    let good = witness(&s, "4.0").expect("a period");
    assert_eq!((good.period, good.preperiod), (2, 1));
    assert_eq!(verify::check(&good, 1, &mut |_| true), Ok(()));
}

/// A known erratum: published tables once called 0.161 and 0.36 equivalent; they differ first at heap 519 (reported by the
/// public octal-games project of T. Czajka).
#[test]
fn the_codes_161_and_36_differ_first_at_519() {
    let a = values(&TakingRule::of_code("0.161").unwrap(), 600, Road::Plain);
    let b = values(&TakingRule::of_code("0.36").unwrap(), 600, Road::Plain);
    let first = (0..=600).find(|n| a.value(*n) != b.value(*n));
    assert_eq!(first, Some(519));
}

/// A witness holds as created, and is refused if one value, period, bound, rule or hash is changed, even if the hash is
/// adapted to the change.
#[test]
fn a_changed_witness_is_refused() {
    let mut dice = Dice(3);
    for code in ["0.77", "0.137", "0.07", "0.333", "0.17", "0.2"] {
        let s = values(&TakingRule::of_code(code).unwrap(), 2000, Road::Sparse);
        let good = witness(&s, code).unwrap_or_else(|| panic!("{code}: no period"));
        let holds = |w: &verify::Witness| verify::check(w, 2, &mut |_| true);
        assert_eq!(holds(&good), Ok(()), "{code}");
        let text = serde_json::to_string(&good).unwrap();
        let read = verify::read(&text);
        assert_eq!(read, Ok(verify::Claimed::Period(good.clone())));
        for _ in 0..20 {
            let mut bad = good.clone();
            let at = dice.roll(bad.values.len() as u64) as usize;
            bad.values[at] ^= 1 << dice.roll(3);
            assert!(holds(&bad).is_err(), "{code}: value {at}, hash as it was");
            bad.hash = bad.right_hash();
            assert!(holds(&bad).is_err(), "{code}: value {at}");
        }
        let changes: [fn(&mut verify::Witness); 6] = [
            |w| w.period += 1,
            |w| w.preperiod += 1,
            |w| w.checked += 1,
            |w| w.heaps += 1,
            |w| w.rule[0].taken += 1,
            |w| w.values.truncate(w.values.len() - 1),
        ];
        for change in changes {
            let mut bad = good.clone();
            change(&mut bad);
            assert!(holds(&bad).is_err(), "{code}: hash as it was");
            bad.hash = bad.right_hash();
            assert!(holds(&bad).is_err(), "{code}");
        }
        // The theorem in the words of earlier witnesses.
        let mut before = good.clone();
        before.theorem = "Guy and Smith 1956: if each move takes at most k counters and leaves at most b heaps, and G(n + p) = G(n) for n0 <= n < b n0 + (b - 1) p + k, then it holds for all n >= n0".to_owned();
        before.hash = before.right_hash();
        assert_eq!(holds(&before), Ok(()), "{code}");
        before.theorem.push('.');
        before.hash = before.right_hash();
        assert!(holds(&before).is_err(), "{code}");
        let mut bad = good.clone();
        bad.hash.push('0');
        assert!(holds(&bad).is_err());
        assert!(verify::check(&good, 1, &mut |_| false).is_err());
    }
}

/// The same for witnesses of periods with a saltus, and of partizan rules.
#[test]
fn changed_witnesses_of_other_kinds_are_refused() {
    let amounts = |listed: &[u32], all_but| Amounts {
        listed: listed.to_vec(),
        all_but,
    };
    let rules = [
        (amounts(&[], true), amounts(&[], true)),
        (amounts(&[1, 4], true), amounts(&[1, 4], true)),
        (amounts(&[2, 3, 7], true), amounts(&[5], false)),
        (amounts(&[1, 3], false), amounts(&[], true)),
    ];
    let mut dice = Dice(8);
    for (partly, wholly) in rules {
        let mut s = AmountSequence::new(AmountRule { partly, wholly });
        s.extend(3000, &Cancel::new(), &mut |_| {}).unwrap();
        let good = s.witness("a rule").expect("a period");
        let holds = |w: &verify::ShiftWitness| verify::check_shift(w, &mut |_| true);
        assert_eq!(holds(&good), Ok(()), "{good:?}");
        let text = serde_json::to_string(&good).unwrap();
        assert_eq!(
            verify::read(&text),
            Ok(verify::Claimed::Shift(good.clone()))
        );
        let mut bad: Vec<verify::ShiftWitness> = Vec::new();
        for _ in 0..20 {
            let mut w = good.clone();
            let at = dice.roll(w.values.len() as u64) as usize;
            w.values[at] ^= 1 << dice.roll(3);
            bad.push(w);
        }
        let changes: [fn(&mut verify::ShiftWitness); 7] = [
            |w| w.period += 1,
            |w| w.saltus += 1,
            |w| w.preperiod += 1,
            |w| w.state_at += 1,
            |w| w.partly.all_but = !w.partly.all_but,
            |w| w.wholly.listed.push(1000),
            |w| w.values.truncate(w.values.len() - 1),
        ];
        for change in changes {
            let mut w = good.clone();
            change(&mut w);
            bad.push(w);
        }
        for mut w in bad {
            assert!(holds(&w).is_err(), "hash as it was: {w:?}");
            w.hash = w.right_hash();
            assert!(holds(&w).is_err(), "{w:?}");
        }
        assert!(verify::check_shift(&good, &mut |_| false).is_err());
    }
    let left = TakingRule::of_subtraction(&[1, 2]).unwrap();
    let right = TakingRule::of_subtraction(&[1]).unwrap();
    let way = |taken, heaps| verify::Way { taken, heaps };
    let mut good = verify::PartizanWitness {
        cgdsl_partizan_witness: verify::VERSION,
        name: "none".to_owned(),
        left: vec![way(1, 0), way(1, 1)],
        right: vec![way(1, 0), way(1, 1)],
        theorem: verify::PARTIZAN_THEOREM.to_owned(),
        period: 2,
        preperiod: 0,
        taken: 1,
        checked: 1,
        // Both take one: 0, *, 0, ..
        same_as: vec![0, 1, 0],
        hash: String::new(),
    };
    good.hash = good.right_hash();
    let holds = |w: &verify::PartizanWitness| verify::check_partizan(w, &mut |_| true);
    assert_eq!(holds(&good), Ok(()));
    let changes: [fn(&mut verify::PartizanWitness); 7] = [
        |w| w.period += 1,
        |w| w.preperiod += 1,
        |w| w.checked += 1,
        |w| w.taken += 1,
        |w| w.same_as[1] = 0,
        |w| w.same_as[2] = 2,
        |w| w.left.truncate(1),
    ];
    for change in changes {
        let mut bad = good.clone();
        change(&mut bad);
        assert!(holds(&bad).is_err(), "hash as it was");
        bad.hash = bad.right_hash();
        assert!(holds(&bad).is_err(), "{bad:?}");
    }
    assert_eq!(
        find_partizan_period(&left, &right, &[0, 1, 2, 1, 2, 1, 2])
            .map(|p| (p.period, p.preperiod)),
        Some((2, 1))
    );
}
