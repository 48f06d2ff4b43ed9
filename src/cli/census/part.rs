//! Reads and writes the Parquet file of a part of a census. A file is written completely or not at all; when a file is read,
//! its metadata are checked against its rows.

use super::columns::{COLUMNS, Cell, Sums, Values, cells, fits, schema};
use crate::ir::draw;
use crate::session::open_regular;
use crate::session::search::{Counted, Deal, Row, Shard};
use parquet::basic::Compression;
use parquet::column::reader::ColumnReader;
use parquet::data_type::{BoolType, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The version of the format, stored in the file under the key `cgdsl`.
pub(super) const SCHEMA: &str = "cgdsl/census-part/1";
const KEY: &str = "cgdsl";
/// The number of rows buffered before writing, and the number read at a time.
const ROWS: usize = 1 << 16;
const READ: usize = 1 << 12;

/// What was searched, and by which program. All parts of a census agree on this.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Asked {
    pub schema: String,
    /// The version of the program.
    pub version: String,
    pub ruleset: String,
    /// A hash of the rules: of all files that they are read from.
    pub rules: String,
    /// A hash of the boards, the condition and the grouping.
    pub search: String,
    /// Whether every position has a row, because there is no condition.
    pub all: bool,
    /// The number of parts.
    pub of: u64,
}

/// The metadata of a part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Head {
    #[serde(flatten)]
    pub asked: Asked,
    pub part: u64,
    /// For each size, the number of its first position and the length of a block.
    pub deals: Vec<(u64, u64)>,
    /// The number of positions in all parts together.
    pub total: u64,
    pub sizes: Vec<Counted>,
    pub rows: u64,
    pub unknown: u64,
    pub undefined: u64,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// The checksums of the columns.
    pub checksums: BTreeMap<String, String>,
}

impl Head {
    pub(super) fn shard(&self) -> Shard {
        let (part, of) = (self.part, self.asked.of);
        Shard { part, of }
    }

    /// For each size, how its positions are dealt, and the number after its last position.
    pub(super) fn deals(&self) -> impl Iterator<Item = (Deal, u64)> {
        let ends = self.deals.iter().skip(1).map(|d| d.0).chain([self.total]);
        let deals = self
            .deals
            .iter()
            .map(|&(first, block)| Deal { first, block });
        deals.zip(ends)
    }
}

/// The file name of a part.
pub(super) fn name(shard: Shard) -> String {
    format!("part-{:06}-of-{:06}.parquet", shard.part, shard.of)
}

/// The part that a file name denotes.
fn named(name: &str) -> Option<Shard> {
    let (part, of) = name
        .strip_prefix("part-")?
        .strip_suffix(".parquet")?
        .split_once("-of-")?;
    Shard::read(&format!("{part}/{of}"))
}

/// The files of parts in a folder, in the order of the parts.
pub(super) fn files(folder: &Path) -> std::io::Result<Vec<(PathBuf, Shard)>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let shard = path.file_name().and_then(|n| n.to_str()).and_then(named);
        if let Some(shard) = shard {
            all.push((path, shard));
        }
    }
    all.sort_by(|a, b| (a.1.part, &a.0).cmp(&(b.1.part, &b.0)));
    Ok(all)
}

/// Why a part does not belong to the census that is in a folder, with the file that shows it. Of the other parts the names
/// are examined, and the metadata of one that can be read.
pub(super) fn stranger(folder: &Path, asked: &Asked) -> Option<String> {
    let files = files(folder).ok()?;
    let why = |path: &Path, why: &str| Some(format!("{}: {why}", path.display()));
    if let Some((path, shard)) = files.iter().find(|(_, shard)| shard.of != asked.of) {
        let (there, here) = (shard.of, asked.of);
        return why(
            path,
            &format!("the census in this folder is divided into {there} parts, not into {here}"),
        );
    }
    let mut heads = files.iter().map(|(path, _)| (path, read(path, None)));
    let (path, head) = heads.find_map(|(path, head)| Some((path, head.ok()?)))?;
    match head.asked == *asked {
        true => None,
        false => why(path, OTHER),
    }
}

/// Why a file is not a part of a census.
pub(super) const OTHER: &str = "it is of another search, of other rules or of another version";

/// A part being written, under a temporary name.
pub(super) struct Writer {
    to: PathBuf,
    under: PathBuf,
    file: Option<SerializedFileWriter<File>>,
    asked: Asked,
    part: u64,
    deals: Vec<(u64, u64)>,
    columns: Vec<(Values, Vec<i16>)>,
    held: usize,
    rows: u64,
    sums: Sums,
}

impl Writer {
    pub(super) fn new(folder: &Path, asked: Asked, shard: Shard) -> Result<Writer, String> {
        let to = folder.join(name(shard));
        // Several machines may write into one folder and have processes with the same id.
        let process = std::process::id();
        let other = RandomState::new().hash_one(process);
        let under = folder.join(format!(".{}.{process}-{other:016x}.tmp", name(shard)));
        let file = OpenOptions::new().write(true).create_new(true).open(&under);
        let file = file.map_err(|e| e.to_string())?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::GZIP(Default::default()))
            .set_created_by(format!("cgdsl {}", asked.version));
        let writer = schema().and_then(|schema| {
            SerializedFileWriter::new(file, schema, Arc::new(properties.build()))
        });
        let columns = COLUMNS.map(|(_, kind, _)| (Values::new(kind), Vec::new()));
        Ok(Writer {
            to,
            file: Some(writer.map_err(|e| e.to_string())?),
            under,
            asked,
            part: shard.part,
            deals: Vec::new(),
            columns: columns.into(),
            held: 0,
            rows: 0,
            sums: Sums::default(),
        })
    }

    pub(super) fn dealt(&mut self, deal: Deal) {
        self.deals.push((deal.first, deal.block));
    }

    pub(super) fn row(&mut self, row: &Row<'_>) -> Result<(), String> {
        {
            let texts = (draw::board(row.board), draw::literal(row.position));
            let asked = &self.asked;
            let cells = cells(row, &texts, [&asked.ruleset, &asked.rules, &asked.version]);
            self.sums.add(&cells);
            for ((values, levels), cell) in self.columns.iter_mut().zip(&cells) {
                values.push(cell);
                levels.push(i16::from(*cell != Cell::Null));
            }
        }
        self.held += 1;
        self.rows += 1;
        match self.held < ROWS {
            true => Ok(()),
            false => self.flush().map_err(|e| e.to_string()),
        }
    }

    fn flush(&mut self) -> Result<(), ParquetError> {
        let Some(file) = self.file.as_mut().filter(|_| self.held > 0) else {
            return Ok(());
        };
        let mut group = file.next_row_group()?;
        for ((values, levels), (_, _, required)) in self.columns.iter_mut().zip(COLUMNS) {
            let Some(mut column) = group.next_column()? else {
                break;
            };
            let l = (!required).then_some(&levels[..]);
            match &*values {
                Values::Text(all) => column.typed::<ByteArrayType>().write_batch(all, l, None)?,
                Values::Integer(all) => column.typed::<Int64Type>().write_batch(all, l, None)?,
                Values::Real(all) => column.typed::<DoubleType>().write_batch(all, l, None)?,
                Values::Flag(all) => column.typed::<BoolType>().write_batch(all, l, None)?,
            };
            column.close()?;
            values.clear();
            levels.clear();
        }
        group.close()?;
        self.held = 0;
        Ok(())
    }

    /// Completes the file and gives it its final name. The counts are those of the search.
    pub(super) fn finish(mut self, ended: &crate::session::search::Ended) -> Result<(), String> {
        let told = |e: std::io::Error| e.to_string();
        self.flush().map_err(|e| e.to_string())?;
        let head = Head {
            asked: self.asked.clone(),
            part: self.part,
            deals: std::mem::take(&mut self.deals),
            total: ended.numbered,
            sizes: ended.sizes.clone(),
            rows: self.rows,
            unknown: ended.unknown,
            undefined: ended.undefined,
            reason: ended.reason.clone(),
            checksums: self.sums.named(),
        };
        let text = serde_json::to_string(&head).map_err(|e| e.to_string())?;
        if let Some(mut file) = self.file.take() {
            file.append_key_value_metadata(KeyValue::new(KEY.to_owned(), text));
            let file = file.into_inner().map_err(|e| e.to_string())?;
            // A file with its final name is complete, even if the machine fails.
            file.sync_all().map_err(told)?;
        }
        fs::rename(&self.under, &self.to).map_err(told)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Removes the temporary file of an unfinished part; a finished part no longer has this name.
        self.file = None;
        let _ = fs::remove_file(&self.under);
    }
}

/// Reads a part: returns its metadata, and passes each row to `each`, unless only the metadata are wanted. A file is
/// untrusted data: if the Parquet library panics on it, it is refused.
pub(super) fn read(path: &Path, each: Option<Each<'_>>) -> Result<Head, String> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let read = catch_unwind(AssertUnwindSafe(|| read_whole(path, each)));
    std::panic::set_hook(hook);
    read.unwrap_or_else(|_| Err("it cannot be read".to_owned()))
}

/// The function applied to each row.
type Each<'e> = &'e mut dyn FnMut(&[Cell<'_>]) -> Result<(), String>;

fn read_whole(path: &Path, each: Option<Each<'_>>) -> Result<Head, String> {
    let told = |e: ParquetError| e.to_string();
    let file = open_regular(path).map_err(|e| e.to_string())?;
    let reader = SerializedFileReader::new(file).map_err(told)?;
    let meta = reader.metadata().file_metadata();
    let head = meta
        .key_value_metadata()
        .into_iter()
        .flatten()
        .find(|kv| kv.key == KEY);
    let head = head
        .and_then(|kv| kv.value.as_deref())
        .ok_or("it is no part of a census")?;
    let version = serde_json::from_str::<serde_json::Value>(head).ok();
    let version = version
        .as_ref()
        .and_then(|v| v["schema"].as_str())
        .unwrap_or_default();
    if version != SCHEMA {
        return Err(format!(
            "it is of the format `{version}`, and this program reads `{SCHEMA}`: compute it again with this program, or read it with the one that wrote it"
        ));
    }
    let head: Head = serde_json::from_str(head).map_err(|e| e.to_string())?;
    if !(1..=head.asked.of).contains(&head.part) || head.deals.iter().any(|d| d.1 == 0) {
        return Err("what it says of itself cannot be".to_owned());
    }
    if !fits(meta.schema_descr()) {
        return Err("its columns are not those of a part".to_owned());
    }
    let Some(each) = each else {
        return Ok(head);
    };
    let mut sums = Sums::default();
    let mut rows = 0u64;
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).map_err(told)?;
        let columns: Result<Vec<ColumnReader>, ParquetError> = (0..COLUMNS.len())
            .map(|i| group.get_column_reader(i))
            .collect();
        let mut columns = columns.map_err(told)?;
        let mut values = COLUMNS.map(|(_, kind, _)| Values::new(kind));
        loop {
            let mut levels = Vec::with_capacity(columns.len());
            for ((column, values), (_, _, required)) in
                columns.iter_mut().zip(&mut values).zip(COLUMNS)
            {
                levels.push(some(column, values, required).map_err(told)?);
            }
            let length = levels.first().map_or(0, Vec::len);
            if levels.iter().any(|l| l.len() != length) {
                return Err("its columns are not of one length".to_owned());
            }
            if length == 0 {
                break;
            }
            let mut at = [0usize; COLUMNS.len()];
            for row in 0..length {
                let mut cells: [Cell<'_>; COLUMNS.len()] = std::array::from_fn(|_| Cell::Null);
                for (i, (cell, levels)) in cells.iter_mut().zip(&levels).enumerate() {
                    if levels[row] > 0 {
                        *cell = values[i].get(at[i]).ok_or("a text in it is not UTF-8")?;
                        at[i] += 1;
                    }
                }
                sums.add(&cells);
                rows += 1;
                each(&cells)?;
            }
        }
    }
    if rows != head.rows {
        return Err(format!("it has {rows} rows, and says {}", head.rows));
    }
    if let Some((name, _)) = sums
        .named()
        .iter()
        .find(|(n, s)| head.checksums.get(*n) != Some(*s))
    {
        return Err(format!(
            "the checksum of its column `{name}` is wrong: it was changed"
        ));
    }
    Ok(head)
}

/// Reads the next values of a column, and whether each row has one.
fn some(
    column: &mut ColumnReader,
    values: &mut Values,
    required: bool,
) -> Result<Vec<i16>, ParquetError> {
    let mut levels = Vec::new();
    values.clear();
    let l = (!required).then_some(&mut levels);
    let (rows, ..) = match (column, values) {
        (ColumnReader::ByteArrayColumnReader(r), Values::Text(all)) => {
            r.read_records(READ, l, None, all)?
        }
        (ColumnReader::Int64ColumnReader(r), Values::Integer(all)) => {
            r.read_records(READ, l, None, all)?
        }
        (ColumnReader::DoubleColumnReader(r), Values::Real(all)) => {
            r.read_records(READ, l, None, all)?
        }
        (ColumnReader::BoolColumnReader(r), Values::Flag(all)) => {
            r.read_records(READ, l, None, all)?
        }
        _ => (0, 0, 0),
    };
    if required {
        levels = vec![1; rows];
    }
    Ok(levels)
}
