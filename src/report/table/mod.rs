//! A table of values comes in (rows with what the binders stand for); the table as CSV, Markdown, LaTeX or a picture comes
//! out, and what repeats in it. What repeats is an observation: no theorem is looked for.

mod periods;
mod svg;

use crate::claim::Table;
pub use periods::{Observation, observe};
use std::fmt::Write;
pub use svg::heat_map;

/// Values by two binders, the first down, the second across; or by one, as a single column.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Grid {
    /// What is in the corner: the names of the binders.
    pub corner: [String; 2],
    /// What the first binder stands for.
    pub rows: Vec<String>,
    /// What the second binder stands for.
    pub columns: Vec<String>,
    /// Values, row by row; nothing where there is no instance, or a limit was met.
    pub cells: Vec<Vec<Option<String>>>,
}

/// The table as a grid: of two binders, if they mostly fill it.
#[must_use]
pub fn grid(table: &Table) -> Option<Grid> {
    let [down, across] = &table.names[..] else {
        return None;
    };
    let mut grid = Grid {
        corner: [down.clone(), across.clone()],
        ..Grid::default()
    };
    let place = |known: &mut Vec<String>, key: &String| match known.iter().position(|k| k == key) {
        Some(at) => at,
        None => {
            known.push(key.clone());
            known.len() - 1
        }
    };
    for row in &table.rows {
        let [a, b] = &row.keys[..] else { return None };
        let (i, j) = (place(&mut grid.rows, a), place(&mut grid.columns, b));
        // A triangle is half full; what is emptier reads better as a list.
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

/// Head and lines of a table for formats of rows.
fn lines(table: &Table) -> (Vec<String>, Vec<Vec<String>>) {
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
            head.push(
                table
                    .expression
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" "),
            );
            let all = table.rows.iter().map(|row| {
                let mut line = row.keys.clone();
                line.push(cell(&row.value));
                line
            });
            (head, all.collect())
        }
    }
}

/// A line for each instance: `m,n,value`, with a head.
#[must_use]
pub fn csv(table: &Table) -> String {
    let field = |text: &str| match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    };
    let mut out = String::new();
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

/// A table in Markdown.
#[must_use]
pub fn markdown(table: &Table) -> String {
    let (head, all) = lines(table);
    let cell = |text: &String| text.replace('|', "\\|");
    let line = |cells: &[String]| {
        format!(
            "| {} |\n",
            cells.iter().map(cell).collect::<Vec<_>>().join(" | ")
        )
    };
    let mut out = line(&head);
    let _ = writeln!(out, "|{}", "---:|".repeat(head.len()));
    for cells in &all {
        out.push_str(&line(cells));
    }
    out
}

/// A tabular for LaTeX with the package booktabs; values were written for LaTeX.
#[must_use]
pub fn latex(table: &Table) -> String {
    let (mut head, all) = lines(table);
    let escaped = |text: &str| -> String {
        let special = |c: char| match c {
            '\\' => "\\textbackslash{}".to_owned(),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => format!("\\{c}"),
            '^' => "\\^{}".to_owned(),
            '~' => "\\~{}".to_owned(),
            c => c.to_string(),
        };
        text.chars().map(special).collect()
    };
    // Words such as N-position are text, all else is mathematics; bare integers need neither.
    let cell = |text: &String| {
        let word = text
            .chars()
            .all(|c| c.is_alphabetic() || c == '-' || c == ' ');
        match text.parse::<u64>().is_ok() || text.is_empty() {
            true => text.clone(),
            false if word && text.chars().any(char::is_alphabetic) => escaped(text),
            false => format!("${text}$"),
        }
    };
    for (i, text) in head.iter_mut().enumerate() {
        *text = match (i, text.split_once(" \\ ")) {
            (0, Some((a, b))) => format!("${a} \\backslash {b}$"),
            _ if text.parse::<i64>().is_ok() => cell(text),
            _ => format!("\\texttt{{{}}}", escaped(text)),
        };
    }
    let expression = table
        .expression
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let mut out = format!("% {expression}\n% needs \\usepackage{{booktabs}}\n");
    let columns = "r".repeat(head.len().saturating_sub(1));
    let _ = writeln!(out, "\\begin{{tabular}}{{r{columns}}}\n\\toprule");
    let _ = writeln!(out, "{} \\\\\n\\midrule", head.join(" & "));
    for cells in &all {
        let cells: Vec<String> = cells.iter().map(cell).collect();
        let _ = writeln!(out, "{} \\\\", cells.join(" & "));
    }
    out.push_str("\\bottomrule\n\\end{tabular}\n");
    out
}
