//! Compares all variants of the sparse method with the definition.

use super::*;

fn rules() -> Vec<TakingRule> {
    let codes = ["0.6", "0.014", "0.16", "0.54", "0.0262", "0.3044", "4.03"];
    let mut rules: Vec<TakingRule> = codes
        .iter()
        .filter_map(|c| TakingRule::of_code(c))
        .collect();
    let take = |taken, heaps, distinct| Take {
        taken,
        heaps,
        distinct,
    };
    let others = [
        vec![take(0, 2, true)],
        vec![take(0, 2, true), take(3, 2, false), take(5, 1, false)],
        vec![take(2, 2, true), take(9, 2, true), take(40, 1, false)],
    ];
    rules.extend(others.into_iter().filter_map(TakingRule::new));
    assert_eq!(rules.len(), codes.len() + 3);
    // And random rules.
    let mut roll = super::super::dice(7);
    for _ in 0..24 {
        let count = 1 + roll(4);
        let takes = (0..count).map(|_| Take {
            taken: roll(12) as u32,
            heaps: 1 + u8::from(roll(3) > 0),
            distinct: roll(3) == 0,
        });
        rules.extend(TakingRule::new(takes.collect()));
    }
    rules
}

/// Narrow blocks, wide blocks, few values, and a change from one to another: all agree with the definition, and each variant
/// occurs.
#[test]
fn all_ways_agree_with_the_definition() {
    let (mut narrow, mut few, mut wide) = (0, 0, 0);
    for rule in rules() {
        let mut plain = Vec::new();
        let mut seen = Seen::default();
        let length = if rule.is_code() { 2000 } else { 1400 };
        let done =
            super::super::plain::extend(&rule, &mut seen, &mut plain, length, &Cancel::new());
        assert!(done.is_ok());
        for (other_from, always) in [(0, true), (1234, true), (usize::MAX, true), (0, false)] {
            let mut values = Vec::new();
            let mut sparse = Sparse {
                always,
                ..Sparse::default()
            };
            while values.len() < plain.len() {
                if values.len() >= other_from && always {
                    sparse.codes.give_up();
                }
                let next = (values.len() + 61).min(plain.len());
                let cancel = Cancel::new();
                assert!(sparse.extend(&rule, &mut values, next, &cancel).is_ok());
                match sparse.narrow_now {
                    true => narrow += 1,
                    false if sparse.top < few::WIDTH => few += 1,
                    false => wide += 1,
                }
            }
            let way = format!("others from {other_from}, {always}");
            assert_eq!(values, plain, "{rule:?}, {way}");
        }
    }
    assert!(
        narrow > 500 && few > 500 && wide > 100,
        "{narrow}, {few} and {wide} times"
    );
}
