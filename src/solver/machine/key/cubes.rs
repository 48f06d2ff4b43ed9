//! Unions of *cubes*: sets of states given by a set of values for each of some fields.
//!
//! A condition that is decided field by field becomes one guard for each branch, and the order of the fields leaves its mark
//! on the guards. The maximal cubes of their union depend on the union alone. They are its prime implicants, found by iterated
//! consensus (W. V. Quine 1955; for more than two values: S. Y. H. Su and P. T. Cheung 1972).

/// Fields, in order, each with a set of its values; a field that is not named may have any value.
pub(super) type Cube = Vec<(u16, u64)>;

/// The most cubes that a union is described by, and the most that are looked at.
const MOST: usize = 64;
const MOST_LOOKS: usize = 4_000;

/// Cubes with the same union, sorted: the maximal ones, or those given if there are too many. `values` gives all values of
/// each field.
pub(super) fn maximal(cubes: impl IntoIterator<Item = Cube>, values: &[u64]) -> Vec<Cube> {
    let all = |f: u16| values.get(usize::from(f)).copied().unwrap_or(u64::MAX);
    let proper = |mut cube: Cube| {
        cube.retain(|(f, set)| set & all(*f) != all(*f));
        cube.sort_unstable();
        cube
    };
    let mut given: Vec<Cube> = cubes.into_iter().map(proper).collect();
    given.sort_unstable();
    given.dedup();
    if given.len() == 1 {
        return given;
    }
    let mut open = given.clone();
    let mut found: Vec<Cube> = Vec::new();
    let mut looks = 0;
    while let Some(cube) = open.pop() {
        looks += 1;
        if looks > MOST_LOOKS || found.len() > MOST {
            return given;
        }
        if found.iter().any(|other| within(&cube, other)) {
            continue;
        }
        found.retain(|other| !within(other, &cube));
        for other in &found {
            for (f, set) in &cube {
                let Some((_, more)) = other.iter().find(|(g, _)| g == f) else {
                    continue;
                };
                if set & more != *set
                    && set & more != *more
                    && let Some(joined) = joined(&cube, other, *f)
                {
                    open.push(proper(joined));
                }
            }
        }
        found.push(cube);
    }
    found.sort_unstable();
    found
}

/// Whether a cube is part of another.
fn within(cube: &Cube, other: &Cube) -> bool {
    other.iter().all(|(f, set)| {
        let own = cube.iter().find(|(g, _)| g == f);
        own.is_some_and(|(_, own)| own & !set == 0)
    })
}

/// The states that are in one of two cubes, whatever the value of a field in the union of both sets; `None` if there are
/// none.
fn joined(a: &Cube, b: &Cube, field: u16) -> Option<Cube> {
    let mut out = a.clone();
    for (f, set) in b {
        match out.iter_mut().find(|(g, _)| g == f) {
            Some((_, own)) if *f == field => *own |= set,
            Some((_, own)) => *own &= set,
            None => out.push((*f, *set)),
        }
    }
    out.iter().all(|(_, set)| *set != 0).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::super::next;
    use super::*;

    const VALUES: [u64; 4] = [0b111, 0b111, 0b11, 0b1111];

    /// The states of four fields that are in a union, as a list of truth values.
    fn states(cubes: &[Cube]) -> Vec<bool> {
        let state = |n: usize| [n % 3, n / 3 % 3, n / 9 % 2, n / 18];
        let holds =
            |s: [usize; 4], c: &Cube| c.iter().all(|(f, set)| set >> s[usize::from(*f)] & 1 == 1);
        (0..72)
            .map(|n| cubes.iter().any(|c| holds(state(n), c)))
            .collect()
    }

    fn any_cube(seed: &mut u64) -> Cube {
        let sets = VALUES.map(|all| next(seed) >> 20 & all);
        (0u16..).zip(sets).filter(|(_, set)| *set != 0).collect()
    }

    #[test]
    fn maximal_cubes_depend_on_the_union_alone() {
        let mut seed = 0x9e37_79b9_7f4a_7c15;
        for _ in 0..300 {
            let given: Vec<Cube> = (0..1 + next(&mut seed) % 6)
                .map(|_| any_cube(&mut seed))
                .collect();
            let found = maximal(given.clone(), &VALUES);
            let union = states(&given);
            assert_eq!(states(&found), union, "{given:?}");
            // All maximal cubes, by trying all cubes.
            let mut all: Vec<Cube> = Vec::new();
            for n in 0..7 * 7 * 3 * 15 {
                let sets = [n % 7 + 1, n / 7 % 7 + 1, n / 49 % 3 + 1, n / 147 + 1];
                let sets = (0u16..)
                    .zip(sets)
                    .filter(|(f, set)| *set != VALUES[usize::from(*f)]);
                let cube: Cube = sets.collect();
                if states(std::slice::from_ref(&cube))
                    .iter()
                    .zip(&union)
                    .all(|(c, u)| !c | u)
                {
                    all.push(cube);
                }
            }
            let mut most: Vec<Cube> = Vec::new();
            for cube in &all {
                if !all.iter().any(|other| other != cube && within(cube, other)) {
                    most.push(cube.clone());
                }
            }
            most.sort_unstable();
            assert_eq!(found, most, "{given:?}");
        }
    }
}
