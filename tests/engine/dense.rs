//! Scores of all subsets in one pass, against the same moves played one by one.

use cgdsl::engine::dense::{Counts, MOST_MEMBERS, Taking, play};
use cgdsl::game::{Budget, Cancel, Limit, Limits};

use crate::random::Random;

fn budget() -> Budget {
    Budget::new(&Limits::default(), Cancel::new())
}

/// The gain of the player to move over the other, straight from the definition.
fn plain(set: u32, kinds: &[Taking], known: &mut Vec<Option<i64>>) -> i64 {
    if let Some(found) = known[set as usize] {
        return found;
    }
    let mut best = None;
    for kind in kinds {
        if set & kind.takes != kind.takes {
            continue;
        }
        let asked = (0..32).filter(|i| kind.asks >> i & 1 == 1);
        let index: usize = asked
            .enumerate()
            .map(|(place, i)| ((set >> i & 1) as usize) << place)
            .sum();
        let Some(Counts { gain, again }) = kind.counts[index] else {
            continue;
        };
        let next = plain(set & !kind.takes, kinds, known);
        let result = i64::from(gain) + if again { next } else { -next };
        best = best.max(Some(result));
    }
    let found = best.unwrap_or(0);
    known[set as usize] = Some(found);
    found
}

/// Random moves on `members` members, whose effects depend on a few others.
fn random(r: &mut Random, members: u32) -> Vec<Taking> {
    let any =
        |r: &mut Random, n: u32| (0..n).fold(0u32, |set, _| set | 1 << r.below(members as usize));
    let count = 1 + r.below(2 * members as usize);
    (0..count)
        .map(|_| {
            let most = 1 + r.below(2) as u32;
            let takes = any(r, most);
            let most = r.below(5) as u32;
            let asks = any(r, most) & !takes;
            let counts = (0..1u32 << asks.count_ones())
                .map(|_| {
                    (r.below(5) > 0).then(|| Counts {
                        gain: r.below(8) as i8 - 3,
                        again: r.below(3) == 0,
                    })
                })
                .collect();
            Taking {
                takes,
                asks,
                counts,
            }
        })
        .collect()
}

#[test]
fn every_subset_is_played_as_the_definition_says() {
    let mut r = Random(20);
    for round in 0..60u32 {
        // Below, at and above the size of a block.
        let members = 1 + round % 13;
        let kinds = random(&mut r, members);
        let table = play(members, &kinds, 1 << 20, &budget());
        let table = table.expect("within the limits").expect("small numbers");
        let mut known = vec![None; 1 << members];
        for set in 0..1u32 << members {
            let want = plain(set, &kinds, &mut known);
            assert_eq!(table.of(set), Some(want), "{set:b} of {members}: {kinds:?}");
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let kind = |takes, gain| Taking {
        takes,
        asks: 0,
        counts: vec![Some(Counts { gain, again: false })],
    };
    assert!(matches!(
        play(4, &[kind(16, 1)], 1 << 20, &budget()),
        Ok(None)
    ));
    assert!(matches!(
        play(4, &[kind(0, 1)], 1 << 20, &budget()),
        Ok(None)
    ));
    assert!(matches!(
        play(4, &[kind(1, 100)], 1 << 20, &budget()),
        Ok(None)
    ));
    assert!(matches!(
        play(MOST_MEMBERS + 1, &[kind(1, 1)], 1 << 20, &budget()),
        Ok(None)
    ));
    assert!(matches!(
        play(24, &[kind(1, 1)], 1 << 20, &budget()),
        Err(Limit::Memory)
    ));
    let cancel = Cancel::new();
    cancel.cancel();
    let cancelled = Budget::new(&Limits::default(), cancel);
    assert!(play(20, &[kind(1, 1)], 1 << 24, &cancelled).is_err());
}
