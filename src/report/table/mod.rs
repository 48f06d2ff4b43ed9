//! Formats a table of values (rows with the values of the binders) as a grid, CSV or a picture, and detects repetitions. A
//! repetition is an observation, not a theorem.

mod heat;
mod periods;
mod plotted;
use super::paper::field;
use super::rows::one_line;
use crate::claim::Table;
pub use heat::heat_map;
#[cfg(feature = "cli")]
pub(crate) use heat::{nimber, number};
pub use periods::{Observation, observe};
pub use plotted::{NO_PLOT, plot};
use std::collections::HashMap;
use std::fmt::Write;

/// Values over two binders, the first down, the second across; or over one, as a single column.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Grid {
    /// The names of the binders, for the corner.
    pub corner: [String; 2],
    /// The values of the first binder.
    pub rows: Vec<String>,
    /// The values of the second binder.
    pub columns: Vec<String>,
    /// The values, row by row; `None` where there is no instance, a rule fails, or a limit was met.
    pub cells: Vec<Vec<Option<String>>>,
}

/// The table as a grid, if it has two binders whose values mostly fill it.
#[must_use]
pub fn grid(table: &Table) -> Option<Grid> {
    let [down, across] = &table.names[..] else {
        return None;
    };
    let mut grid = Grid {
        corner: [down.clone(), across.clone()],
        ..Grid::default()
    };
    fn place<'a>(
        known: &mut Vec<String>,
        index: &mut HashMap<&'a str, usize>,
        key: &'a str,
    ) -> usize {
        *index.entry(key).or_insert_with(|| {
            known.push(key.to_owned());
            known.len() - 1
        })
    }
    let (mut down, mut across) = (HashMap::new(), HashMap::new());
    for row in &table.rows {
        let [a, b] = &row.keys[..] else { return None };
        let i = place(&mut grid.rows, &mut down, a);
        let j = place(&mut grid.columns, &mut across, b);
        // A triangle fills half of the grid; a sparser table is more readable as a list.
        if grid.rows.len().saturating_mul(grid.columns.len()) > 1 << 22 {
            return None;
        }
        if grid.cells.len() <= i {
            grid.cells.resize(i + 1, Vec::new());
        }
        if grid.cells[i].len() <= j {
            grid.cells[i].resize(j + 1, None);
        }
        grid.cells[i][j].clone_from(&row.value);
    }
    for cells in &mut grid.cells {
        cells.resize(grid.columns.len(), None);
    }
    let whole = grid.rows.len() * grid.columns.len();
    (whole <= table.rows.len().saturating_mul(4)).then_some(grid)
}

/// The head and the lines of a table, for formats that consist of rows.
#[must_use]
pub fn lines(table: &Table) -> (Vec<String>, Vec<Vec<String>>) {
    let cell = |v: &Option<String>| v.clone().unwrap_or_default();
    match grid(table) {
        Some(grid) => {
            let mut head = vec![format!("{} \\ {}", grid.corner[0], grid.corner[1])];
            head.extend(grid.columns.iter().cloned());
            let all = grid.rows.iter().zip(&grid.cells).map(|(key, cells)| {
                std::iter::once(key.clone())
                    .chain(cells.iter().map(cell))
                    .collect()
            });
            (head, all.collect())
        }
        None => {
            let mut head = table.names.clone();
            head.push(one_line(&table.expression));
            let all = table.rows.iter().map(|row| {
                let mut line = row.keys.clone();
                line.push(cell(&row.value));
                line
            });
            (head, all.collect())
        }
    }
}

/// What stands above a table: its name, what it shows, or both.
pub(super) fn title(table: &Table, shows: Option<String>) -> Option<String> {
    match (&table.name, shows) {
        (Some(name), Some(shows)) => Some(format!("{name}: {shows}")),
        (name, shows) => name.clone().or(shows),
    }
}

/// A line for each instance: `m,n,value`, with a head; above the head of one of several tables, what it shows.
#[must_use]
pub fn csv(table: &Table, several: bool) -> String {
    let mut out = String::new();
    if several && let Some(title) = title(table, Some(one_line(&table.expression))) {
        let _ = writeln!(out, "{}", field(&title));
    }
    for name in &table.names {
        let _ = write!(out, "{},", field(name));
    }
    out.push_str("value\n");
    for row in &table.rows {
        for key in &row.keys {
            let _ = write!(out, "{},", field(key));
        }
        let _ = writeln!(out, "{}", field(row.value.as_deref().unwrap_or("")));
    }
    out
}
