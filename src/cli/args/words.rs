//! Words of the command line that more than one command reads: formats, styles, sizes, counts, times.

use crate::game::{REGISTRY, Shortcut};
use crate::session::search::Shard;
use clap::{Args, ValueEnum};

/// Reads the name of a shortcut, with what it does for shells that show it.
pub(super) fn shortcut() -> impl clap::builder::TypedValueParser<Value = Shortcut> {
    use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
    let names = REGISTRY
        .iter()
        .map(|e| PossibleValue::new(e.name).help(e.summary));
    PossibleValuesParser::new(names)
        .try_map(|name| Shortcut::named(&name).ok_or("`cgdsl help shortcuts` lists the shortcuts"))
}

/// When to use colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum When {
    /// On a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Formats of pictures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum PictureFormat {
    /// Characters.
    Text,
    /// For a page.
    Svg,
    /// TikZ for a paper: a document of its own; with --body the `tikzpicture` alone.
    Tikz,
    /// Typst: a document of its own; with --body the picture alone.
    #[value(alias = "typ")]
    Typst,
    /// For Graphviz.
    Dot,
}

/// Reads `3/8`.
pub(super) fn shard(text: &str) -> Result<Shard, String> {
    Shard::read(text)
        .ok_or_else(|| "a part is written I/N, with I from 1 to N, such as 3/8".to_owned())
}

/// Reads the name of a file for a picture, or `-`.
pub(super) fn picture(name: &str) -> Result<String, String> {
    match PictureFormat::of(name) {
        Some(PictureFormat::Svg | PictureFormat::Tikz | PictureFormat::Typst) => {
            Ok(name.to_owned())
        }
        _ if name == "-" => Ok(name.to_owned()),
        _ => Err("end the name in .svg, .tex or .typ, or write `-` for text".to_owned()),
    }
}

/// The same for a picture that can be a graph in DOT, too.
pub(super) fn diagram(name: &str) -> Result<String, String> {
    match PictureFormat::of(name) {
        Some(PictureFormat::Dot) => Ok(name.to_owned()),
        _ => picture(name).map_err(|_| {
            "end the name in .svg, .tex, .typ or .dot, or write `-` for DOT".to_owned()
        }),
    }
}

/// Formats of searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum SearchFormat {
    /// For people.
    #[default]
    Text,
    /// A row for each position, in a file of Parquet.
    Parquet,
}

/// Formats of sequences.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// Rows of values with a summary.
    Text,
    /// `n,value`
    Csv,
    /// One JSON object for each heap.
    Jsonl,
    /// A b-file as the OEIS takes it: `n value`.
    Bfile,
}

/// Formats of answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum AnswerFormat {
    /// For people.
    #[default]
    Text,
    /// For LaTeX: booktabs tables, TikZ pictures, values in mathematics; to be read with `\input`.
    Latex,
    /// For Typst.
    Typst,
    /// Markdown with tables.
    Markdown,
    /// Comma-separated values; of a table a line for each value.
    Csv,
    /// The same as --json.
    Json,
    /// A picture of a table: a heat map with the values in it.
    Svg,
}

/// In which format answers are written.
#[derive(Args, Clone, Copy, Debug)]
pub struct Written {
    /// How answers are written: text, latex, typst, markdown, csv or json
    #[arg(long, value_name = "FORMAT", default_value = "text", hide_default_value = true, value_parser = written())]
    pub format: AnswerFormat,
}

/// The formats of answers that are not pictures.
pub(super) fn written() -> impl clap::builder::TypedValueParser<Value = AnswerFormat> {
    use clap::builder::TypedValueParser;
    let names = AnswerFormat::value_variants()
        .iter()
        .filter(|f| **f != AnswerFormat::Svg)
        .filter_map(ValueEnum::to_possible_value);
    clap::builder::PossibleValuesParser::new(names)
        .map(|name| AnswerFormat::from_str(&name, true).unwrap_or_default())
}

/// Styles of notation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Style {
    /// `1/2^3*2`
    Ascii,
    /// `1/2+3·↑+∗2`
    Unicode,
    /// For a paper.
    Latex,
}

/// Reads a size such as `500M`.
///
/// # Errors
/// What a size looks like.
pub fn size(text: &str) -> Result<usize, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_lowercase();
    let shift = match unit.trim_end_matches('b').trim_end_matches('i') {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => return Err("a size is a number and perhaps K, M, G or T, such as 500M".to_owned()),
    };
    let n: u64 = digits
        .parse()
        .map_err(|_| "a size is a number and perhaps K, M, G or T, such as 500M".to_owned())?;
    let bytes: u64 = n.checked_mul(1 << shift).ok_or("this is too much")?;
    // What cannot be addressed is no limit.
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX / 2);
    if bytes < 1 << 20 {
        return Err("at least 1M is needed".to_owned());
    }
    Ok(bytes)
}

/// Reads a count such as `1000000`, `500K`, `2M`, `1e9` or `10^9`.
///
/// # Errors
/// What a count looks like.
pub fn count(text: &str) -> Result<u64, String> {
    let what = || "a count is a number such as 500, 500K, 2M, 1e9 or 10^9".to_owned();
    let much = || format!("this is too much: at most {}", u64::MAX);
    let text = text.trim().replace('_', "").to_ascii_lowercase();
    let number = |digits: &str| -> Result<u64, String> {
        match digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            true => Err(what()),
            false => digits.parse().map_err(|_| much()),
        }
    };
    let power = |base: u64, exponent: &str| {
        let exponent = number(exponent)?;
        let exponent = u32::try_from(exponent).map_err(|_| much())?;
        base.checked_pow(exponent).ok_or_else(much)
    };
    if let Some((base, exponent)) = text.split_once('^') {
        return power(number(base)?, exponent);
    }
    if let Some((digits, exponent)) = text.split_once('e') {
        let factor = power(10, exponent)?;
        return number(digits)?.checked_mul(factor).ok_or_else(much);
    }
    let digits = text.trim_end_matches(['k', 'm', 'g']);
    let factor = match &text[digits.len()..] {
        "" => 1,
        "k" => 1_000,
        "m" => 1_000_000,
        "g" => 1_000_000_000,
        _ => return Err(what()),
    };
    number(digits)?.checked_mul(factor).ok_or_else(much)
}

/// Reads a time such as `30s`.
///
/// # Errors
/// What a time looks like.
pub fn time(text: &str) -> Result<std::time::Duration, String> {
    let what = || "a time is a number and ms, s, m or h, such as 30s".to_owned();
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(what()),
    };
    let n: f64 = digits.parse().map_err(|_| what())?;
    std::time::Duration::try_from_secs_f64(n * factor).map_err(|_| what())
}
