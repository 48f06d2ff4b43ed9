//! Enumerates permutations of 0..n by backtracking. The searches for isomorphisms and for symmetries use it with different
//! conditions.

use std::ops::ControlFlow;

/// Calls `found` for each permutation of 0..n all of whose prefixes fit, in lexicographic order. `fits(map, j)` says
/// whether the prefix `map` may be extended by j, which `map` does not contain. Ends early if `found` breaks. Finds nothing
/// if n > 64.
pub fn bijections(
    n: usize,
    fits: impl Fn(&[usize], usize) -> bool,
    mut found: impl FnMut(&[usize]) -> ControlFlow<()>,
) {
    if n > 64 {
        return;
    }
    let mut map: Vec<usize> = Vec::with_capacity(n);
    let mut used = 0u64;
    let mut next = 0;
    loop {
        if map.len() == n && found(&map).is_break() {
            return;
        }
        let choice = if map.len() < n {
            (next..n).find(|j| used >> j & 1 == 0 && fits(&map, *j))
        } else {
            None
        };
        match choice {
            Some(j) => {
                map.push(j);
                used |= 1 << j;
                next = 0;
            }
            None => match map.pop() {
                Some(j) => {
                    used &= !(1 << j);
                    next = j + 1;
                }
                None => return,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(n: usize, fits: impl Fn(&[usize], usize) -> bool) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        bijections(n, fits, |map| {
            found.push(map.to_vec());
            ControlFlow::Continue(())
        });
        found
    }

    #[test]
    fn all_in_order_and_only_what_fits() {
        assert_eq!(all(0, |_, _| true), [Vec::<usize>::new()]);
        let three = all(3, |_, _| true);
        assert_eq!(three.len(), 6);
        assert!(three.is_sorted());
        // The derangements of four points: 9.
        assert_eq!(all(4, |map, j| map.len() != j).len(), 9);
        assert!(all(65, |_, _| true).is_empty());
        let mut count = 0;
        bijections(
            5,
            |_, _| true,
            |_| {
                count += 1;
                if count == 7 {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
        );
        assert_eq!(count, 7);
    }
}
