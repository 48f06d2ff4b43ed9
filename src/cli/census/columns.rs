//! The columns of a part of a census: their names and types, the buffers between rows and the file, and checksums of their
//! contents.

use crate::session::search::{Row, Said};
use crate::value::Number;
use crc32fast::Hasher;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::schema::types::{SchemaDescriptor, Type, TypePtr};
use std::borrow::Cow;
use std::sync::Arc;

/// The type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Text,
    Integer,
    Real,
    Flag,
}

/// The columns: name, type, and whether every row has a value. `docs/census.md` explains them.
pub(super) const COLUMNS: [(&str, Kind, bool); 21] = [
    ("number", Kind::Integer, true),
    ("board", Kind::Text, true),
    ("position", Kind::Text, true),
    ("status", Kind::Text, true),
    ("reason", Kind::Text, false),
    ("group", Kind::Text, false),
    ("value", Kind::Text, false),
    ("value_id", Kind::Integer, false),
    ("outcome", Kind::Text, false),
    ("mean", Kind::Real, false),
    ("temperature", Kind::Real, false),
    ("left_stop", Kind::Real, false),
    ("right_stop", Kind::Real, false),
    ("birthday", Kind::Integer, false),
    ("as_number", Kind::Real, false),
    ("as_nimber", Kind::Integer, false),
    ("is_infinitesimal", Kind::Flag, false),
    ("is_all_small", Kind::Flag, false),
    ("ruleset", Kind::Text, true),
    ("rules", Kind::Text, true),
    ("version", Kind::Text, true),
];

/// The indices of some columns.
pub(super) const NUMBER: usize = 0;
pub(super) const POSITION: usize = 2;
pub(super) const STATUS: usize = 3;
pub(super) const GROUP: usize = 5;
pub(super) const VALUE: usize = 6;
pub(super) const VALUE_ID: usize = 7;
pub(super) const OUTCOME: usize = 8;
pub(super) const RULESET: usize = 18;
pub(super) const RULES: usize = 19;
pub(super) const VERSION: usize = 20;

/// The values of the column `status`.
pub(super) const KNOWN: &str = "known";
pub(super) const UNKNOWN: &str = "unknown";
pub(super) const UNDEFINED: &str = "undefined";

/// The value of a row in a column.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Cell<'c> {
    Null,
    Text(Cow<'c, str>),
    Integer(i64),
    Real(f64),
    Flag(bool),
}

impl<'c> Cell<'c> {
    fn text(text: impl Into<Cow<'c, str>>) -> Cell<'c> {
        Cell::Text(text.into())
    }

    /// A number, if a double represents it exactly.
    fn exact(x: &Number) -> Cell<'c> {
        match x.to_small() {
            Some((n, exponent)) if n.unsigned_abs() <= 1 << 53 && exponent <= 1000 => {
                Cell::Real(x.to_f64())
            }
            _ => Cell::Null,
        }
    }
}

/// An identifier that is the same on every machine: the FNV hash (Fowler, Noll and Vo) of 64 bits.
pub(super) fn id_of(text: &str) -> i64 {
    crate::cli::kept::hash_of(text.as_bytes()).cast_signed()
}

/// The row of a position.
pub(super) fn cells<'c>(
    row: &'c Row<'_>,
    texts: &'c (String, String),
    [ruleset, rules, version]: [&'c str; 3],
) -> [Cell<'c>; COLUMNS.len()] {
    let mut cells: [Cell<'c>; COLUMNS.len()] = std::array::from_fn(|_| Cell::Null);
    cells[NUMBER] = i64::try_from(row.number).map_or(Cell::Null, Cell::Integer);
    cells[1] = Cell::text(&*texts.0);
    cells[POSITION] = Cell::text(&*texts.1);
    (cells[RULESET], cells[RULES]) = (Cell::text(ruleset), Cell::text(rules));
    cells[VERSION] = Cell::text(version);
    cells[STATUS] = Cell::text(match row.said {
        Ok(_) => KNOWN,
        Err((true, _)) => UNKNOWN,
        Err((false, _)) => UNDEFINED,
    });
    match &row.said {
        Err((_, why)) => cells[4] = Cell::text(*why),
        Ok(Said::Nothing) => {}
        Ok(Said::Group(group)) => cells[GROUP] = Cell::text(&**group),
        Ok(Said::Value(facts)) => {
            cells[VALUE] = Cell::text(&*facts.value);
            cells[VALUE_ID] = Cell::Integer(id_of(&facts.value));
            if let Some(short) = &facts.short {
                cells[OUTCOME] = Cell::text(short.outcome.letter().to_string());
                cells[9] = Cell::exact(&short.mean);
                cells[10] = Cell::exact(&short.temperature);
                cells[11] = Cell::exact(&short.left_stop);
                cells[12] = Cell::exact(&short.right_stop);
                cells[13] = short.birthday.map_or(Cell::Null, Cell::Integer);
                cells[14] = short.number.as_ref().map_or(Cell::Null, Cell::exact);
                let nimber = short.nimber.map(i64::from);
                cells[15] = nimber.map_or(Cell::Null, Cell::Integer);
                cells[16] = Cell::Flag(short.is_infinitesimal);
                cells[17] = Cell::Flag(short.is_all_small);
            }
        }
    }
    cells
}

impl Kind {
    fn physical(self) -> Physical {
        match self {
            Kind::Text => Physical::BYTE_ARRAY,
            Kind::Integer => Physical::INT64,
            Kind::Real => Physical::DOUBLE,
            Kind::Flag => Physical::BOOLEAN,
        }
    }
}

/// Whether a file has these columns.
pub(super) fn fits(schema: &SchemaDescriptor) -> bool {
    let own = |(i, (name, kind, required)): (usize, (&str, Kind, bool))| {
        let column = schema.column(i);
        column.path().string() == name
            && column.physical_type() == kind.physical()
            && column.max_def_level() == i16::from(!required)
            && column.max_rep_level() == 0
    };
    schema.num_columns() == COLUMNS.len() && COLUMNS.into_iter().enumerate().all(own)
}

/// The schema of the columns in Parquet.
pub(super) fn schema() -> Result<TypePtr, ParquetError> {
    let field = |(name, kind, required): (&str, Kind, bool)| {
        let logical = (kind == Kind::Text).then_some(LogicalType::String);
        let repetition = match required {
            true => Repetition::REQUIRED,
            false => Repetition::OPTIONAL,
        };
        let field = Type::primitive_type_builder(name, kind.physical())
            .with_logical_type(logical)
            .with_repetition(repetition);
        field.build().map(Arc::new)
    };
    let fields: Result<Vec<TypePtr>, ParquetError> = COLUMNS.into_iter().map(field).collect();
    let all = Type::group_type_builder("position").with_fields(fields?);
    all.build().map(Arc::new)
}

/// Values of a column.
#[derive(Clone, Debug)]
pub(super) enum Values {
    Text(Vec<ByteArray>),
    Integer(Vec<i64>),
    Real(Vec<f64>),
    Flag(Vec<bool>),
}

impl Values {
    pub(super) fn new(kind: Kind) -> Values {
        match kind {
            Kind::Text => Values::Text(Vec::new()),
            Kind::Integer => Values::Integer(Vec::new()),
            Kind::Real => Values::Real(Vec::new()),
            Kind::Flag => Values::Flag(Vec::new()),
        }
    }

    /// Appends the value of a row, if there is one.
    pub(super) fn push(&mut self, cell: &Cell<'_>) {
        match (self, cell) {
            (Values::Text(all), Cell::Text(text)) => all.push(text.as_bytes().to_vec().into()),
            (Values::Integer(all), Cell::Integer(n)) => all.push(*n),
            (Values::Real(all), Cell::Real(x)) => all.push(*x),
            (Values::Flag(all), Cell::Flag(b)) => all.push(*b),
            _ => {}
        }
    }

    pub(super) fn clear(&mut self) {
        match self {
            Values::Text(all) => all.clear(),
            Values::Integer(all) => all.clear(),
            Values::Real(all) => all.clear(),
            Values::Flag(all) => all.clear(),
        }
    }

    /// The value at an index; a text that is not UTF-8 counts as missing.
    pub(super) fn get(&self, at: usize) -> Option<Cell<'_>> {
        match self {
            Values::Text(all) => {
                let text = std::str::from_utf8(all.get(at)?.data()).ok()?;
                Some(Cell::text(text))
            }
            Values::Integer(all) => all.get(at).copied().map(Cell::Integer),
            Values::Real(all) => all.get(at).copied().map(Cell::Real),
            Values::Flag(all) => all.get(at).copied().map(Cell::Flag),
        }
    }
}

/// Checksums of columns: the CRC-32 of the values of all rows in each.
#[derive(Clone)]
pub(super) struct Sums(Vec<Hasher>);

impl Default for Sums {
    fn default() -> Sums {
        Sums(vec![Hasher::new(); COLUMNS.len()])
    }
}

impl Sums {
    /// Adds a row.
    pub(super) fn add(&mut self, cells: &[Cell<'_>]) {
        for (sum, cell) in self.0.iter_mut().zip(cells) {
            sum.update(&[u8::from(*cell != Cell::Null)]);
            match cell {
                Cell::Null => {}
                Cell::Text(text) => {
                    sum.update(&(text.len() as u64).to_le_bytes());
                    sum.update(text.as_bytes());
                }
                Cell::Integer(n) => sum.update(&n.to_le_bytes()),
                Cell::Real(x) => sum.update(&x.to_bits().to_le_bytes()),
                Cell::Flag(b) => sum.update(&[u8::from(*b)]),
            }
        }
    }

    /// The checksums as written to the file, by column.
    pub(super) fn named(&self) -> std::collections::BTreeMap<String, String> {
        let names = COLUMNS.iter().map(|(name, ..)| (*name).to_owned());
        let sums = self
            .0
            .iter()
            .map(|s| format!("{:08x}", s.clone().finalize()));
        names.zip(sums).collect()
    }
}
