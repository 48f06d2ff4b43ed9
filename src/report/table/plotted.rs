//! Plots a table: its values are points over the first binder, with a series for each value of the second.

use super::heat::{nimber, number};
use crate::claim::Table;
use crate::report::draw::plot::{Plot, Series};

/// The most series that can be distinguished by their symbols.
const MOST_SERIES: usize = 6;

/// Why a table is not plotted.
pub const NO_PLOT: &str = "a plot needs numbers or nimbers, over a binder that stands for numbers; a second binder may stand for at most 6 values";

/// The plot of a table over one or two binders whose values are numbers or nimbers.
#[must_use]
pub fn plot(table: &Table) -> Option<Plot> {
    if !(1..=2).contains(&table.names.len()) {
        return None;
    }
    let mut series: Vec<Series> = Vec::new();
    for row in &table.rows {
        // An unknown value (a limit was met) has no point.
        let Some(value) = &row.value else { continue };
        let point = (
            number(row.keys.first()?)?,
            number(value).or_else(|| nimber(value))?,
        );
        let name = match row.keys.get(1) {
            Some(key) => format!("{} = {key}", table.names[1]),
            None => table.expression.clone(),
        };
        match series.iter_mut().find(|s| s.name == name) {
            Some(known) => known.points.push(point),
            None => series.push(Series {
                name,
                points: vec![point],
            }),
        }
    }
    let told = (1..=MOST_SERIES).contains(&series.len());
    told.then(|| Plot {
        title: table
            .name
            .clone()
            .unwrap_or_else(|| table.expression.clone()),
        axes: [table.names[0].clone(), "value".to_owned()],
        series,
        shaded: None,
        joined: true,
    })
}
