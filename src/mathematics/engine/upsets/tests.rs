use super::*;
use crate::game::{Cancel, Limits, Reason};
use std::collections::BTreeMap;

fn budget() -> Budget {
    Budget::new(&Limits::default(), Cancel::new())
}

fn roads(order: &Order, series_parallel: bool, antichains: bool) -> Option<Vec<u32>> {
    let open = Open {
        series_parallel,
        antichains,
    };
    let solved = solve(order, open, 1 << 26, &budget()).unwrap();
    solved.map(|(s, _)| s.gset.iter().collect())
}

/// The result of `solve` without the table.
fn only_solved(
    order: &Order,
    open: Open,
    memory: usize,
    budget: &Budget,
) -> Result<Option<Solved>, Limit> {
    Ok(solve(order, open, memory, budget)?.map(|(solved, _)| solved))
}

/// The g-set by the definition, over sets of points.
fn plain(order: &Order) -> Vec<u32> {
    let n = order.points;
    let mut up: Vec<u32> = (0..n).map(|x| 1 << x).collect();
    for _ in 0..n {
        for (x, y) in &order.pairs {
            up[*x as usize] |= up[*y as usize];
        }
    }
    fn options(set: u32, up: &[u32], known: &mut BTreeMap<u32, u32>) -> Vec<u32> {
        let mut all: Vec<u32> = (0..up.len())
            .filter(|x| set >> x & 1 == 1)
            .map(|x| {
                let rest = set & !up[x];
                if let Some(g) = known.get(&rest) {
                    return *g;
                }
                let options = options(rest, up, known);
                let g = (0..).find(|g| !options.contains(g)).unwrap();
                known.insert(rest, g);
                g
            })
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }
    options(((1u64 << n) - 1) as u32, &up, &mut BTreeMap::new())
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as u32) % n.max(1)
    }
}

/// A random order: pairs of increasing points, with the points renamed at random.
fn any(random: &mut Random, n: usize, odds: u32) -> Order {
    let mut name: Vec<u32> = (0u32..).take(n).collect();
    for i in (1..n).rev() {
        name.swap(i, random.below(i as u32 + 1) as usize);
    }
    let mut pairs = Vec::new();
    for i in 0..n {
        for j in i + 1..n {
            if random.below(odds) == 0 {
                pairs.push((name[i], name[j]));
            }
        }
    }
    Order::new(n, pairs)
}

/// A random series-parallel order: its covers and some pairs that follow from them, shuffled.
fn series_parallel_order(random: &mut Random, n: usize) -> Order {
    // Parts as (minimal points, maximal points).
    let mut parts: Vec<(Vec<u32>, Vec<u32>)> =
        (0u32..).take(n).map(|x| (vec![x], vec![x])).collect();
    let mut pairs = Vec::new();
    while parts.len() > 1 {
        let i = random.below(parts.len() as u32) as usize;
        let mut a = parts.swap_remove(i);
        let j = random.below(parts.len() as u32) as usize;
        let b = parts.swap_remove(j);
        if random.below(2) == 0 {
            a.0.extend(b.0);
            a.1.extend(b.1);
            parts.push(a);
        } else {
            for x in &a.1 {
                for y in &b.0 {
                    pairs.push((*x, *y));
                }
            }
            parts.push((a.0, b.1));
        }
    }
    for _ in 0..n {
        if pairs.is_empty() {
            break;
        }
        let (x, y) = pairs[random.below(pairs.len() as u32) as usize];
        let after: Vec<u32> = pairs.iter().filter(|p| p.0 == y).map(|p| p.1).collect();
        if !after.is_empty() {
            pairs.push((x, after[random.below(after.len() as u32) as usize]));
        }
    }
    for i in (1..pairs.len()).rev() {
        pairs.swap(i, random.below(i as u32 + 1) as usize);
    }
    Order::new(n, pairs)
}

/// Whether some four points form an N, by the definition.
fn has_n(order: &Order) -> bool {
    let Some(c) = Closed::new(order) else {
        return false;
    };
    let n = order.points as u32;
    let apart = |x, y| x != y && !c.is_below(x, y) && !c.is_below(y, x);
    (0..n).any(|a| {
        (0..n).any(|b| {
            apart(a, b)
                && (0..n).any(|x| {
                    c.is_below(a, x)
                        && apart(b, x)
                        && (0..n).any(|y| c.is_below(a, y) && c.is_below(b, y) && apart(x, y))
                })
        })
    })
}

#[test]
fn the_roads_agree_with_the_definition() {
    let mut random = Random(7);
    let (mut free, mut prime) = (0, 0);
    for round in 0..1500 {
        let n = random.below(10) as usize;
        let order = if round % 3 == 0 {
            series_parallel_order(&mut random, n)
        } else {
            let odds = 2 + random.below(4);
            any(&mut random, n, odds)
        };
        let want = plain(&order);
        assert_eq!(roads(&order, true, true).as_ref(), Some(&want), "{order:?}");
        assert_eq!(
            roads(&order, false, true).as_ref(),
            Some(&want),
            "{order:?}"
        );
        let product = roads(&order, true, false);
        assert_eq!(product.is_none(), has_n(&order), "{order:?}");
        if let Some(found) = product {
            free += 1;
            assert_eq!(found, want, "{order:?}");
        } else {
            prime += 1;
        }
        assert_eq!(roads(&order, false, false), None);
    }
    assert!(free > 500 && prime > 200, "{free} {prime}");
}

/// The table for followers agrees with the definition along random play.
#[test]
fn the_table_agrees_with_the_definition() {
    let mut random = Random(23);
    let mut asked = 0;
    for round in 0..400 {
        let n = 1 + random.below(9) as usize;
        let odds = 2 + random.below(4);
        let order = any(&mut random, n, odds);
        let series_parallel = round % 2 == 0;
        let open = Open {
            series_parallel,
            antichains: true,
        };
        let Some((solved, Some(table))) = solve(&order, open, 1 << 26, &budget()).unwrap() else {
            continue;
        };
        let closed = Closed::new(&order).unwrap();
        let mut there = vec![true; n];
        while there.contains(&true) {
            let left: Vec<u32> = (0u32..).take(n).filter(|x| there[*x as usize]).collect();
            let place = |x: u32| left.iter().position(|y| *y == x).map(|i| i as u32);
            let pairs = order.pairs.iter();
            let pairs = pairs.filter_map(|(x, y)| Some((place(*x)?, place(*y)?)));
            let want = plain(&Order::new(left.len(), pairs.collect()));
            let mex = (0..).find(|g| !want.contains(g)).unwrap();
            assert_eq!(
                table.nimber(|x| there[x as usize]),
                mex,
                "{order:?} {there:?}"
            );
            asked += 1;
            let x = left[random.below(left.len() as u32) as usize];
            (0u32..)
                .take(n)
                .for_each(|y| there[y as usize] &= y != x && !closed.is_below(x, y));
        }
        assert_eq!(table.nimber(|_| false), 0);
        assert_eq!(table.nimber(|_| true), solved.nimber);
    }
    assert!(asked > 500, "{asked}");
}

/// "N-free" and "built from points by combining side by side and one above the other" agree for every order of up to six
/// points (Fenner and Rogers 2015, section 3.1.1). All naturally labelled orders are tested, so each order in at least one
/// labelling.
#[test]
fn every_small_order_without_n_is_series_parallel() {
    let mut orders = [0u32; 7];
    let mut free = [0u32; 7];
    for n in 0..=6u32 {
        let all: Vec<(u32, u32)> = (0..n)
            .flat_map(|x| (x + 1..n).map(move |y| (x, y)))
            .collect();
        for chosen in 0..1u32 << all.len() {
            let pairs: Vec<(u32, u32)> = (0u32..)
                .zip(&all)
                .filter(|(i, _)| chosen >> i & 1 == 1)
                .map(|(_, p)| *p)
                .collect();
            let has = |x, y| pairs.contains(&(x, y));
            let transitive = pairs
                .iter()
                .all(|(x, y)| (*y..n).all(|z| !has(*y, z) || has(*x, z)));
            if !transitive {
                continue;
            }
            let order = Order::new(n as usize, pairs);
            orders[n as usize] += 1;
            let found = series_parallel::decompose(&order).is_some();
            assert_eq!(found, !has_n(&order), "{order:?}");
            free[n as usize] += u32::from(found);
        }
    }
    // Naturally labelled orders: OEIS A006455.
    assert_eq!(orders, [1, 1, 2, 7, 40, 357, 4824]);
    assert!(free[6] < orders[6]);
}

#[test]
fn larger_orders_agree() {
    let mut random = Random(3);
    for _ in 0..60 {
        let n = 20 + random.below(15) as usize;
        let order = series_parallel_order(&mut random, n);
        let product = roads(&order, true, false).expect("series-parallel");
        if let Some(ranked) = roads(&order, false, true) {
            assert_eq!(product, ranked, "{order:?}");
        }
    }
    for _ in 0..30 {
        let order = any(&mut random, 22, 6);
        if let Some(together) = roads(&order, true, true) {
            assert_eq!(Some(together), roads(&order, false, true), "{order:?}");
        }
    }
}

#[test]
fn a_hundred_thousand_points_in_time_for_a_test() {
    let mut random = Random(11);
    // A chain, with its pairs shuffled.
    let n = 100_000u32;
    let mut pairs: Vec<(u32, u32)> = (1..n).map(|x| (x - 1, x)).collect();
    for i in (1..pairs.len()).rev() {
        pairs.swap(i, random.below(i as u32 + 1) as usize);
    }
    let chain = Order::new(n as usize, pairs);
    let tree = series_parallel::decompose(&chain).expect("a chain");
    assert_eq!(tree.joins(), n as usize - 1);
    // A long N is not series-parallel.
    let mut pairs: Vec<(u32, u32)> = (1..1000).map(|x| (x - 1, x)).collect();
    pairs.extend((1001..2000).map(|x| (x - 1, x)));
    pairs.push((10, 1500));
    assert!(series_parallel::decompose(&Order::new(2000, pairs)).is_none());
}

/// Chomp boards without their corner. The nimbers are from an independent program, `tests/oracles`.
#[test]
fn chomp_boards() {
    for (side, want) in [(2u32, 2u32), (3, 5), (4, 6), (5, 6), (6, 13)] {
        let mut pairs = Vec::new();
        let point = |i: u32, j: u32| (i * side + j).checked_sub(1);
        for i in 0..side {
            for j in 0..side {
                for (k, l) in [(i + 1, j), (i, j + 1)] {
                    if k < side
                        && l < side
                        && let (Some(x), Some(y)) = (point(i, j), point(k, l))
                    {
                        pairs.push((x, y));
                    }
                }
            }
        }
        let order = Order::new((side * side - 1) as usize, pairs);
        let open = Open {
            series_parallel: true,
            antichains: true,
        };
        let (solved, _) = solve(&order, open, 1 << 26, &budget()).unwrap().unwrap();
        assert_eq!(solved.nimber, want, "{side}");
    }
}

#[test]
fn limits_are_met() {
    let order = any(&mut Random(5), 40, 9);
    let open = Open {
        series_parallel: true,
        antichains: true,
    };
    // Too little memory, so it is left to the general search.
    assert_eq!(only_solved(&order, open, 100, &budget()), Ok(None));
    let cancel = Cancel::new();
    cancel.cancel();
    let cancelled = Budget::new(&Limits::default(), cancel);
    let chain = Order::new(9, (1..9).map(|x| (x - 1, x)).collect());
    assert_eq!(
        only_solved(&chain, open, 1 << 20, &cancelled),
        Err(Limit::Cancelled(Reason::Interrupted))
    );
    // Cycles and pairs with points that do not exist give no order.
    assert_eq!(
        only_solved(
            &Order::new(2, vec![(0, 1), (1, 0)]),
            open,
            1 << 20,
            &budget()
        ),
        Ok(None)
    );
    assert_eq!(
        only_solved(&Order::new(2, vec![(0, 5)]), open, 1 << 20, &budget()),
        Ok(None)
    );
}

/// Sixty minimal points and sixty maximal ones, each minimal point below all maximal points but one. The choices for one
/// chain bound those for all others, so few points have many nodes. Too little memory leaves the order to the general
/// search, and a cancelled token ends the work before any position is numbered.
#[test]
fn the_numbering_has_limits() {
    let n = 60;
    let pairs = (0..n).flat_map(|x| (0..n).filter(move |y| x != *y).map(move |y| (x, n + y)));
    let order = Order::new(2 * n as usize, pairs.collect());
    let open = Open {
        series_parallel: true,
        antichains: true,
    };
    assert_eq!(only_solved(&order, open, 1 << 20, &budget()), Ok(None));
    let all: Vec<u32> = (0..2 * n).collect();
    let is_below = |x: u32, y: u32| x < n && y >= n && x != y - n;
    let cancel = Cancel::new();
    cancel.cancel();
    let cancelled = Budget::new(&Limits::default(), cancel);
    let found = antichains::Ranks::new(&all, is_below, 1 << 30, &cancelled);
    assert_eq!(
        found.map(|_| ()),
        Err(Limit::Cancelled(Reason::Interrupted))
    );
}
