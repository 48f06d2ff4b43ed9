//! The arguments of each command.

use super::words::{diagram, picture, shard};
use super::{AnswerFormat, Format, PictureFormat, SearchFormat, Style, Written, count};
use crate::session::search::Shard;
use clap::{Args, ValueEnum, ValueHint};

/// Which suggestions `check --fix` applies.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fix {
    /// Those with one reading
    Safe,
    /// The first of each message, guesses too
    All,
}

/// `cgdsl check`
#[derive(Args, Debug)]
pub struct Check {
    /// Files: paths, `-` for the standard input, names of shipped files
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub files: Vec<String>,
    /// Apply the suggestions of the messages to the files; with `-`, print the corrected text
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "safe")]
    pub fix: Option<Fix>,
    /// Change nothing; show the lines that `--fix` would change
    #[arg(long)]
    pub diff: bool,
    /// What messages call the standard input; its folder is where `use` looks
    #[arg(long, value_name = "NAME", value_hint = ValueHint::FilePath)]
    pub name: Option<String>,
    /// The format
    #[command(flatten)]
    pub written: Written,
}

/// `cgdsl eval`
#[derive(Args, Debug)]
pub struct Eval {
    /// A path, `-` for the standard input, or the name of a shipped file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: String,
    /// Positions to evaluate instead of the file's queries; bare boards where the file has one ruleset
    #[arg(value_name = "POSITION")]
    pub positions: Vec<String>,
    /// An expression to evaluate; may be given several times
    #[arg(short = 'e', long = "expression", value_name = "EXPR")]
    pub expressions: Vec<String>,
    /// Change a clause for this run, such as 'along(Right) = south' or 'play misere'; with several rulesets, 'Ruleset: clause'
    #[arg(long, value_name = "CLAUSE")]
    pub set: Vec<String>,
    /// Evaluate what is marked `slow`, too
    #[arg(long)]
    pub slow: bool,
    /// Answer only queries whose name or text contains this
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Draw the winning coalitions of a position of three or more players: into this file (.svg, .tex or .typ), or as
    /// text with `-`
    #[arg(long, value_name = "FILE", value_parser = picture, value_hint = ValueHint::FilePath)]
    pub lattice: Option<String>,
    /// The format
    #[command(flatten)]
    pub written: Written,
}

/// `cgdsl diff`
#[derive(Args, Debug)]
pub struct Diff {
    /// The old and the new file; or a file and the old and the new ruleset
    #[arg(value_name = "FILE", required = true, num_args = 2..=3, value_hint = ValueHint::FilePath)]
    pub files: Vec<String>,
    /// The largest boards: sites (5), rows x columns (3x4), heaps x their size
    #[arg(long, value_name = "SIZE", default_value = "3")]
    pub up_to: String,
    /// The format
    #[command(flatten)]
    pub written: Written,
}

/// `cgdsl draw`
#[derive(Args, Debug)]
#[group(skip)]
pub struct Draw {
    /// A path, `-` for the standard input, or the name of a shipped file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: String,
    /// A position; a bare board where the file has one ruleset
    #[arg(value_name = "POSITION")]
    pub position: String,
    /// Write to this file; its ending sets the format: .svg, .tex, .typ, .dot, .txt
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<String>,
    /// The format
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<PictureFormat>,
    /// With TikZ and Typst, write only the picture, for inclusion in another document
    #[arg(long)]
    pub body: bool,
}

/// `cgdsl play`
#[derive(Args, Debug)]
pub struct Play {
    /// A path or the name of a shipped file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: String,
    /// A position; a bare board where the file has one ruleset
    #[arg(value_name = "POSITION")]
    pub position: String,
    /// The name of a player who is a person; may be given several times (default: the player who starts)
    #[arg(long, value_name = "NAME")]
    pub human: Vec<String>,
    /// The name of the player who starts (default: the first player)
    #[arg(long, value_name = "NAME")]
    pub first: Option<String>,
    /// Misère play: whoever makes the last move loses
    #[arg(long)]
    pub misere: bool,
    /// Begin with the moves of a saved game
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub replay: Option<String>,
}

/// `cgdsl seq`
#[derive(Args, Clone, Debug)]
pub struct Seq {
    /// A path, `-` for the standard input, or the name of a shipped file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: String,
    /// A ruleset on heaps, with its arguments: `Kayles`, `Octal("0.137")`; may be left out where the file has only one
    #[arg(value_name = "RULESET")]
    pub ruleset: Option<String>,
    /// The largest heap; if a period is proven, it can be of any size
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count)]
    pub to: u64,
    /// How values are printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    pub format: Format,
    /// The misère quotient, and the element of each heap in it
    #[arg(long, conflicts_with_all = ["keep", "identify", "compare", "plain"])]
    pub misere: bool,
    /// Write a certificate for `cgdsl verify`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub certify: Option<String>,
    /// Save the values here; a later run continues from there
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub keep: Option<String>,
    /// Name the octal games with the same values
    #[arg(long)]
    pub identify: bool,
    /// Find the first difference from the values of an octal or hexadecimal code
    #[arg(long, value_name = "CODE")]
    pub compare: Option<String>,
    /// Write to this file instead of the standard output; `.svg`, `.tex` and `.typ` are plots
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<String>,
    /// Plot nim-values against heaps (with --misere the idempotents); in characters, or as the file of -o says
    #[arg(long, conflicts_with = "format")]
    pub plot: bool,
    /// Compute by the definition alone (slow, the same answers)
    #[arg(long)]
    pub plain: bool,
    /// Print only the summary, not the values
    #[arg(long)]
    pub quiet: bool,
}

impl Seq {
    /// The ruleset as it was written, or found.
    #[must_use]
    pub fn ruleset(&self) -> &str {
        self.ruleset.as_deref().unwrap_or_default()
    }
}

/// `cgdsl search`
#[derive(Args, Clone, Debug)]
pub struct Search {
    /// A path, `-` for the standard input, or the name of a shipped file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: String,
    /// `Snort`, `Subtraction({1, 2})`; the only one if left out
    #[arg(value_name = "RULESET")]
    pub ruleset: Option<String>,
    /// The largest board: sites (5), rows x columns (4x4), heaps x their size
    #[arg(long, value_name = "SIZE", default_value = "3")]
    pub up_to: String,
    /// Search only this board, without pieces; repeatable
    #[arg(long, value_name = "BOARD", conflicts_with = "boards")]
    pub board: Vec<String>,
    /// Search the graph6, sparse6 or digraph6 lines of a file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub boards: Option<String>,
    /// The greatest sum of counts [default: 3], or of numbers
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub counts: Option<u32>,
    /// Cells may be walls (the default without pieces)
    #[arg(long)]
    pub walls: bool,
    /// Only positions where this holds: 'temperature > 3/2'
    #[arg(long = "where", value_name = "FORMULA", allow_hyphen_values = true)]
    pub condition: Option<String>,
    /// Group positions by this, such as value or outcome
    #[arg(long, value_name = "EXPR")]
    pub group_by: Option<String>,
    /// Show a smallest position of each group (by value)
    #[arg(long)]
    pub smallest: bool,
    /// Draw a histogram of the groups, or write it with -o
    #[arg(long)]
    pub plot: bool,
    /// Write here; .svg, .tex and .typ are histograms
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<String>,
    /// Save the results in this file, and continue from it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub keep: Option<String>,
    /// `parquet` writes a part of a census into -o DIR
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value_t,
        hide_default_value = true,
        hide_possible_values = true
    )]
    pub format: SearchFormat,
    /// Search only the Ith of N equal parts
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<Shard>,
    /// The most positions to print
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count)]
    pub limit: u64,
}

impl Search {
    /// The ruleset as it was written, or found.
    #[must_use]
    pub fn ruleset(&self) -> &str {
        self.ruleset.as_deref().unwrap_or_default()
    }
}

/// `cgdsl learn`
#[derive(Args, Debug)]
pub struct Learn {
    /// A lesson (3), a level (3.4) or `next`; without it, the map of the course
    #[arg(value_name = "LEVEL")]
    pub level: Option<String>,
    /// Show the map of the course; with -o, write it as a picture
    #[arg(long, conflicts_with_all = ["level", "certificate", "verify"])]
    pub map: bool,
    /// Print a certificate of the solved levels, with this name
    #[arg(long, value_name = "NAME", conflicts_with_all = ["level", "verify"])]
    pub certificate: Option<String>,
    /// Check the answers in certificates
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "level", value_hint = ValueHint::FilePath)]
    pub verify: Vec<String>,
    /// Keep the record of solved levels in this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub progress: Option<String>,
    /// Write the map or the certificate to this file
    #[arg(short, long, value_name = "FILE", conflicts_with = "level", value_hint = ValueHint::FilePath)]
    pub output: Option<String>,
}

/// `cgdsl table`
#[derive(Args, Debug)]
pub struct Table {
    /// A path, `-` for the standard input, or the name of a shipped file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: String,
    /// Tables to print instead of those of the file: `for m in 0..9, n in 0..9: nimber(R[m, n])`
    #[arg(value_name = "TABLE")]
    pub tables: Vec<String>,
    /// The format of the tables (default: by the ending of the file, else text)
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<AnswerFormat>,
    /// Write to this file instead of the standard output; its ending can set the format: .svg, .csv, .tex, .md, .typ
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<String>,
    /// Print only tables whose text contains this
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Plot the values over the first binder; in characters, or as the file of -o says
    #[arg(long, conflicts_with = "format")]
    pub plot: bool,
    /// With --plot: points alone, without the lines that join them
    #[arg(long, requires = "plot")]
    pub points: bool,
    /// Evaluate what is marked `slow`, too
    #[arg(long)]
    pub slow: bool,
}

impl Table {
    /// The format that was asked for, or that the file's name speaks of.
    ///
    /// # Errors
    /// The file should have another format.
    pub fn asked(&self) -> Result<AnswerFormat, String> {
        if let Some(format) = self.format.filter(|_| !self.plot) {
            return Ok(format);
        }
        let path = self.output.as_ref().filter(|_| !self.plot);
        let name = path.and_then(|p| p.rsplit(['/', '\\']).next());
        let Some((_, ending)) = name.and_then(|n| n.rsplit_once('.')) else {
            return Ok(match self.plot {
                true => AnswerFormat::Svg,
                false => AnswerFormat::Text,
            });
        };
        Ok(match &*ending.to_ascii_lowercase() {
            "svg" => AnswerFormat::Svg,
            "csv" => AnswerFormat::Csv,
            "tex" => AnswerFormat::Latex,
            "md" => AnswerFormat::Markdown,
            "typ" => AnswerFormat::Typst,
            "json" => AnswerFormat::Json,
            "png" | "jpg" | "jpeg" | "gif" | "webp" | "bmp" | "tiff" | "pdf" | "eps" | "html"
            | "xlsx" | "ods" => {
                return Err(format!(
                    "no table is written as .{ending}: end the file in .svg, .csv, .tex, .md, .typ or .json, or say --format"
                ));
            }
            _ => AnswerFormat::Text,
        })
    }
}

/// `cgdsl value`
#[derive(Args, Debug)]
pub struct Value {
    /// The expression
    #[arg(
        value_name = "EXPR",
        allow_hyphen_values = true,
        required_unless_present = "born"
    )]
    pub expression: Option<String>,
    /// Compare with this value
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub compare: Option<String>,
    /// Draw the thermograph: into this file (.svg, .tex or .typ), or as text with `-`
    #[arg(long, value_name = "FILE", value_parser = picture, value_hint = ValueHint::FilePath)]
    pub thermograph: Option<String>,
    /// Draw a loopy value as a graph: into this file, or as text with `-`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["born", "thermograph"], value_hint = ValueHint::FilePath)]
    pub graph: Option<String>,
    /// Write a witness of the value of a position here, which `cgdsl verify` checks
    #[arg(long, value_name = "FILE", conflicts_with = "born", value_hint = ValueHint::FilePath)]
    pub certify: Option<String>,
    /// List all games born by this day instead: 1, 4, 22 and 1474 games for the days 0 to 3
    #[arg(long, value_name = "DAY", conflicts_with_all = ["expression", "compare", "thermograph", "file"], value_parser = clap::value_parser!(u32).range(0..=3))]
    pub born: Option<u32>,
    /// Draw the Hasse diagram of these games: into this file (.svg, .tex, .typ or .dot), or as DOT with `-`
    #[arg(long, value_name = "FILE", requires = "born", conflicts_with = "expression", value_parser = diagram, value_hint = ValueHint::FilePath)]
    pub hasse: Option<String>,
    /// How values are written
    #[arg(long, value_enum, value_name = "STYLE")]
    pub notation: Option<Style>,
    /// A file whose definitions the expression may use
    #[arg(long = "in", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: Option<String>,
    /// The format
    #[command(flatten)]
    pub written: Written,
}
