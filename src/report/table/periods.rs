//! Finds lines of a table that repeat, perhaps with a constant increment. This proves nothing: the next value may differ, and
//! the reports say so.

use super::{Grid, grid};
use crate::claim::Table;
use serde::Serialize;

/// The number of repetitions after which a line is reported.
const TIMES: usize = 3;

/// An observation about lines of a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Observation {
    /// `row`, `column` or `diagonal`.
    pub line: &'static str,
    /// The lines: the values of the binder; for a diagonal, the difference of the second and the first binder.
    pub at: Vec<String>,
    /// The least p with f(n + p) = f(n) + saltus.
    pub period: usize,
    /// The increment.
    pub saltus: i64,
    /// The start of the repetition, as a value of the binder along the line.
    pub from: String,
}

/// The repetitions in the rows, columns and diagonals of a table, with lines of the same pattern combined. None in a table
/// that a limit ended, since its lines are not whole.
#[must_use]
pub fn observe(table: &Table) -> Vec<Observation> {
    let mut found = Vec::new();
    if !table.complete {
        return found;
    }
    if table.names.len() == 1 {
        let keys: Vec<String> = table.rows.iter().map(|r| r.keys.concat()).collect();
        let cells: Vec<Option<String>> = table.rows.iter().map(|r| r.value.clone()).collect();
        note(&mut found, "column", table.names[0].clone(), &cells, &keys);
    }
    let Some(grid) = grid(table) else {
        return found;
    };
    for (key, cells) in grid.rows.iter().zip(&grid.cells) {
        note(&mut found, "row", key.clone(), cells, &grid.columns);
    }
    for (j, key) in grid.columns.iter().enumerate() {
        let cells: Vec<Option<String>> = grid.cells.iter().map(|r| r[j].clone()).collect();
        note(&mut found, "column", key.clone(), &cells, &grid.rows);
    }
    diagonals(&grid, &mut found);
    found
}

fn diagonals(grid: &Grid, found: &mut Vec<Observation>) {
    let steps = |keys: &[String]| -> Option<i64> {
        let numbers: Option<Vec<i64>> = keys.iter().map(|k| k.parse().ok()).collect();
        let numbers = numbers?;
        let even = numbers.windows(2).all(|w| w[1] == w[0] + 1);
        even.then(|| numbers.first().copied()).flatten()
    };
    let (Some(down), Some(across)) = (steps(&grid.rows), steps(&grid.columns)) else {
        return;
    };
    let (rows, columns) = (grid.rows.len() as i64, grid.columns.len() as i64);
    for shift in 1 - rows..columns {
        let places = (-shift).max(0)..rows.min(columns - shift);
        let places: Vec<(usize, usize)> = places
            .filter_map(|i| Some((usize::try_from(i).ok()?, usize::try_from(i + shift).ok()?)))
            .collect();
        let cells: Vec<Option<String>> = places
            .iter()
            .map(|(i, j)| grid.cells[*i][*j].clone())
            .collect();
        let keys: Vec<String> = places.iter().map(|(i, _)| grid.rows[*i].clone()).collect();
        let name = (across + shift - down).to_string();
        note(found, "diagonal", name, &cells, &keys);
    }
}

fn note(
    found: &mut Vec<Observation>,
    line: &'static str,
    at: String,
    cells: &[Option<String>],
    keys: &[String],
) {
    // Leading gaps are those of a triangle.
    let gap = cells.iter().take_while(|c| c.is_none()).count();
    let cells: Option<Vec<&String>> = cells[gap..].iter().map(Option::as_ref).collect();
    let Some((period, saltus, from)) = cells.and_then(|cells| repeats(&cells)) else {
        return;
    };
    let from = keys.get(gap + from).cloned().unwrap_or_default();
    let same = found
        .iter_mut()
        .find(|o| o.line == line && o.period == period && o.saltus == saltus && o.from == from);
    match same {
        Some(o) => o.at.push(at),
        None => found.push(Observation {
            line,
            at: vec![at],
            period,
            saltus,
            from,
        }),
    }
}

/// The least period, the saltus and the start, if the repetition occurs [`TIMES`] times over at least half the line. If the
/// whole line repeats, even twice only, a part of it that repeats otherwise says nothing: 0 1 2 3 4 0 1 2 3 4.
fn repeats(cells: &[&String]) -> Option<(usize, i64, usize)> {
    let numbers: Option<Vec<i64>> = cells.iter().map(|c| c.parse().ok()).collect();
    let n = cells.len();
    let from = |p: usize| {
        let saltus = match &numbers {
            Some(v) => v[n - 1].checked_sub(v[n - 1 - p])?,
            None => 0,
        };
        let agrees = |i: &usize| match &numbers {
            Some(v) => v[i + p].checked_sub(v[*i]) == Some(saltus),
            None => cells[*i] == cells[i + p],
        };
        let run = (0..n - p).rev().take_while(agrees).count();
        Some((saltus, n - p - run))
    };
    let whole = (1..=n / 2).find(|p| matches!(from(*p), Some((_, 0))));
    let periods = whole.map_or(1..=n / TIMES, |p| p..=p.min(n / TIMES));
    periods.into_iter().find_map(|p| {
        let (saltus, from) = from(p)?;
        (n - from >= TIMES * p && 2 * from <= n && n >= 6).then_some((p, saltus, from))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(values: &[i64]) -> Option<(usize, i64, usize)> {
        let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
        repeats(&texts.iter().collect::<Vec<_>>())
    }

    #[test]
    fn what_repeats_three_times_is_seen() {
        assert_eq!(seen(&[0, 1, 2, 0, 1, 2, 0, 1, 2]), Some((3, 0, 0)));
        assert_eq!(seen(&[9, 0, 1, 0, 1, 0, 1, 0, 1]), Some((2, 0, 1)));
        assert_eq!(seen(&[0, 1, 2, 3, 4, 5, 6]), Some((1, 1, 0)));
        assert_eq!(
            seen(&[2, 0, 1, 5, 3, 4, 8, 6, 7, 11, 9, 10]),
            Some((3, 3, 0))
        );
        assert_eq!(seen(&[0, 1, 0, 2, 0, 1, 0, 3]), None);
        // The whole line repeats, so the run at its end means nothing.
        assert_eq!(seen(&[0, 1, 2, 3, 4, 0, 1, 2, 3, 4]), None);
        assert_eq!(seen(&[0, 1, 2, 0, 1, 2]), None);
        assert_eq!(seen(&[7, 0, 1, 2, 3, 4, 5]), Some((1, 1, 1)));
        assert_eq!(seen(&[1, 1, 1]), None);
        assert_eq!(seen(&[]), None);
    }
}
