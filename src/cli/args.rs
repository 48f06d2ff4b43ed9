//! The command line as the user writes it: words in, a [`Cli`] out (clap). What each command does is in its own file.

use crate::game::{REGISTRY, Shortcut};
use crate::session::search::Shard;
use clap::builder::styling::{Ansi256Color, Style as Paint, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};

/// Colours with a contrast of 4.5 to 1 with black and with white.
const STYLES: Styles = Styles::plain()
    .header(Paint::new().bold())
    .usage(Paint::new().bold())
    .literal(Paint::new().bold())
    .error(Ansi256Color(131).on_default().bold())
    .valid(Ansi256Color(29).on_default())
    .invalid(Ansi256Color(98).on_default());

/// The heading of options that all commands take.
const COMMON: &str = "All commands";

/// What the program prints alone.
pub const GREETING: &str = "\
cgdsl: from the rules of a combinatorial game to the values of its positions

  cgdsl list                             the games that come with it
  cgdsl eval domineering 'grid(4, 4)'    what a position is worth
  cgdsl value '{1|-1} + ^*'              what a value is
  cgdsl play nim '3, 5, 6'               play against it
  cgdsl repl                             type rules and questions
  cgdsl new -o game.rules                a file of your own to start from

`cgdsl --help` lists the commands, `cgdsl help eval` tells of one.
";

/// From the rules of a combinatorial game to the values of its positions.
#[derive(Parser, Debug)]
#[command(
    name = "cgdsl",
    version,
    disable_help_flag = true,
    disable_help_subcommand = true,
    styles = STYLES,
    max_term_width = 80
)]
#[command(
    after_help = "Exit codes: 0 all holds, 1 a claim fails, 2 broken, 3 unknown within the limits."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// What holds for all commands.
    #[command(flatten)]
    pub common: Common,
}

/// What holds for all commands.
#[derive(Args, Debug, Clone)]
pub struct Common {
    /// Print JSON (its schemas are in `schemas/`)
    #[arg(long, global = true, help_heading = COMMON)]
    pub json: bool,
    /// Print values and boards in ASCII, as when the output is not a terminal
    #[arg(long, global = true, hide = true, help_heading = COMMON, conflicts_with = "unicode")]
    pub ascii: bool,
    /// Print values with the field's signs (arrows, ±), even when the output is not a terminal
    #[arg(long, global = true, hide = true, help_heading = COMMON)]
    pub unicode: bool,
    /// Print counters of the search on standard error (in JSON: a `stats` object)
    #[arg(long, global = true, hide = true, help_heading = COMMON)]
    pub stats: bool,
    /// Memory for values and tables, such as 500M
    #[arg(long, global = true, help_heading = COMMON, value_name = "SIZE", default_value = "4G", value_parser = size)]
    pub memory: usize,
    /// Positions that one question may expand
    #[arg(long, global = true, hide = true, help_heading = COMMON, value_name = "N", value_parser = count)]
    pub nodes: Option<u64>,
    /// Time for the whole run, such as 30s, 10m or 2h
    #[arg(long, global = true, help_heading = COMMON, value_name = "TIME", value_parser = time)]
    pub time: Option<std::time::Duration>,
    /// Threads that may work; answers do not depend on it
    #[arg(long, global = true, hide = true, help_heading = COMMON, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Keep values in this folder (it is made if need be), and begin with those of earlier runs; answers do not depend on it
    #[arg(long, global = true, hide = true, help_heading = COMMON, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub store: Option<std::path::PathBuf>,
    /// Let `use` read files outside the working directory and the folder of the main file
    #[arg(long, global = true, hide = true, help_heading = COMMON)]
    pub allow_outside: bool,
    /// Take no such shortcuts (`cgdsl help shortcuts`), to check the program against itself; answers do not depend on it
    #[arg(
        long,
        global = true,
        hide = true,
        help_heading = COMMON,
        value_parser = shortcut(),
        value_name = "SHORTCUT",
        value_delimiter = ',',
        hide_possible_values = true
    )]
    pub without: Vec<Shortcut>,
    /// Colours (`NO_COLOR` turns them off too)
    #[arg(long, global = true, hide = true, help_heading = COMMON, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub color: When,
    /// Print help; also: help COMMAND, --help=all
    #[arg(short, long, global = true, help_heading = COMMON, action = clap::ArgAction::HelpShort)]
    pub help: Option<bool>,
}

/// Reads the name of a shortcut, with what it does for shells that show it.
fn shortcut() -> impl clap::builder::TypedValueParser<Value = Shortcut> {
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

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Answer the queries of a file, or evaluate positions with it
    #[command(
        after_help = "Examples:\n  cgdsl eval game.rules\n  cgdsl eval domineering 'grid(4, 4)' '..|.#'\n  cgdsl eval nim -e 'nimber(Nim[3, 5, 6])'\n  cgdsl eval n-player/nim 'Nim3[1, 2]' --lattice nim.svg\n  cgdsl eval - < game.rules"
    )]
    Eval(Eval),
    /// Say what is wrong with files, without evaluating their queries
    Check(Check),
    /// Compare two files, or two rulesets of one
    #[command(
        after_help = "Two files: their rulesets of one name, or the only ones. A file and two of its rulesets: these.\nA sign stands before what is gone (-), new (+) and changed (~).\n\nExamples:\n  cgdsl diff domineering my-domineering.rules --up-to 3x3\n  cgdsl diff game.rules Domineering Mine --format markdown"
    )]
    Diff(Diff),
    /// Write files in the standard layout; comments are kept
    Fmt {
        /// Files; `-` reads the standard input and prints the result
        #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
        files: Vec<String>,
        /// Change nothing; say which files would change, with exit code 1 if there are any
        #[arg(long)]
        check: bool,
    },
    /// Show the options of a position, drawn, with their values
    Moves {
        /// A path, `-`, or the name of a shipped file
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: String,
        /// A position; a bare board where the file has one ruleset
        #[arg(value_name = "POSITION")]
        position: String,
        /// Only this player's
        #[arg(long, value_name = "NAME")]
        player: Option<String>,
        /// Show all of them, however many there are
        #[arg(long)]
        all: bool,
        /// The format
        #[command(flatten)]
        written: Written,
    },
    /// Draw a position, or the order of its options
    #[command(
        after_help = "Examples:\n  cgdsl draw domineering '..|.#'\n  cgdsl draw hackenbush 'stalk(\"brb\")' -o stalk.svg\n  cgdsl draw game.rules 'Snort[a:x -- b -- c]' --format tikz\n  cgdsl draw domineering '...|...' --lattice"
    )]
    Draw {
        /// The file and the position
        #[command(flatten)]
        draw: Draw,
        /// Instead of the board the order of its options by value; of three or more players the coalitions that win
        #[arg(long)]
        lattice: bool,
    },
    /// Show the positions that follow one, and which options count
    #[command(
        after_help = "Examples:\n  cgdsl tree hackenbush 'stalk(\"br\")'\n  cgdsl tree domineering '...|...' --depth 2 -o tree.svg"
    )]
    Tree {
        /// The file and the position
        #[command(flatten)]
        draw: Draw,
        /// How many moves deep
        #[arg(long, value_name = "N", default_value_t = 2)]
        depth: usize,
    },
    /// Answer a file again whenever it is saved, and say what changed
    Watch {
        /// The path of a file
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: String,
    },
    /// Play a position against perfect play, or another person
    #[command(
        after_help = "Examples:\n  cgdsl play domineering 'grid(4, 4)'\n  cgdsl play nim '3, 5, 6' --human Left --first Right\n  cgdsl play clobber '\"xoxo|oxox\"' --human Left --human Right\nIn the game: a move by what is chosen (`1 1`) or its number, moves, hint, why, undo, save FILE, help, quit."
    )]
    Play(Play),
    /// Type positions, values and queries, and see the answers
    #[command(
        after_help = "Without a terminal the lines of the standard input are read and answered plainly; the exit code is that of a run.\n\nExamples:\n  cgdsl repl\n  cgdsl repl domineering\n  echo 'nimber(Nim[3, 5])' | cgdsl repl nim"
    )]
    Repl {
        /// A file to begin with: a path or the name of a shipped file
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: Option<String>,
    },
    /// Ask the questions of a file, and mark the answers
    #[command(
        after_help = "Answers are compared by value: {1|1} is 1*. Exit codes: 0 all right; 1 some are not; 2 the file is broken; 3 a limit was met.\n\nExamples:\n  cgdsl quiz homework.rules\n  cgdsl quiz homework.rules --once < answers.txt\n  cgdsl quiz homework.rules --mark answers --format csv\n  cgdsl quiz homework.rules --sheet sheet.tex"
    )]
    Quiz {
        /// A path or the name of a shipped file
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: String,
        /// One answer for each question, without hints
        #[arg(long)]
        once: bool,
        /// Mark a folder: a file for each student, with an answer in each line
        #[arg(long, value_name = "DIR", conflicts_with = "once", value_hint = ValueHint::DirPath)]
        mark: Option<String>,
        /// Write a sheet in LaTeX, and one with the solutions beside it
        #[arg(long, value_name = "FILE", conflicts_with_all = ["once", "mark"], value_hint = ValueHint::FilePath)]
        sheet: Option<String>,
        /// The format of the marks
        #[command(flatten)]
        written: Written,
    },
    /// Learn the theory by levels, with a map and a certificate
    #[command(
        after_help = "What is solved is kept in the user's data folder. Exit codes: 0 all solved (or right); 1 some are not; 2 a file is broken; 3 a limit was met.\n\nExamples:\n  cgdsl learn\n  cgdsl learn next\n  cgdsl learn 3.4\n  cgdsl learn --certificate 'Ada Lovelace' -o ada.json\n  cgdsl learn --verify ada.json"
    )]
    Learn(Learn),
    /// Print a file with the answers to its questions sealed
    #[command(
        after_help = "A seal stops peeking, not attack: who tries all answers finds the right one.\n\nExample:\n  cgdsl seal homework.rules -o for-students.rules"
    )]
    Seal {
        /// A path or `-`
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: String,
        /// Write it to this file instead of printing it
        #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: Option<String>,
    },
    /// Explain the value of a position as a textbook would
    #[command(
        after_help = "Examples:\n  cgdsl why domineering '..|.#'\n  cgdsl why hackenbush 'stalk(\"brb\")' --short"
    )]
    Why {
        /// A path, `-`, or the name of a shipped file
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: String,
        /// A position; a bare board where the file has one ruleset
        #[arg(value_name = "POSITION")]
        position: String,
        /// In one line
        #[arg(long)]
        short: bool,
        /// The format
        #[command(flatten)]
        written: Written,
    },
    /// Show what was derived from a position; explain a word or a code
    #[command(
        after_help = "Examples:\n  cgdsl explain domineering 'grid(3, 3)'\n  cgdsl explain atomic_weight\n  cgdsl explain --code E0203"
    )]
    Explain {
        /// A path, `-`, or the name of a shipped file; alone, the name of a function or another word of the language
        #[arg(value_name = "FILE", required_unless_present = "code", value_hint = ValueHint::FilePath)]
        file: Option<String>,
        /// A position; a bare board where the file has one ruleset
        #[arg(value_name = "POSITION")]
        position: Option<String>,
        /// Print the ground instances
        #[arg(long)]
        ir: bool,
        /// The page of a diagnostic, such as E0203
        #[arg(long, value_name = "CODE", conflicts_with_all = ["file", "position", "ir"])]
        code: Option<String>,
    },
    /// Print a commented file to start from
    New {
        /// A shipped ruleset to start from
        #[arg(long, value_name = "NAME")]
        like: Option<String>,
        /// Write it to this file (which must not exist) instead of printing it
        #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: Option<String>,
    },
    /// List the shipped rulesets
    #[command(
        after_help = "Examples:\n  cgdsl list nim                         with `nim` in the path or the title\n  cgdsl list --family tokens             all games of a family\n  cgdsl list --search 'token graph'      with these words in what is said of them"
    )]
    List {
        /// Only those whose path or title contains this word
        #[arg(value_name = "WORD")]
        word: Option<String>,
        /// Only those of this family: nim, take-away, splitting, corner, cakes, coins, placing, dominoes, capture, walking, tokens, removing, cutting, orders, players, papers, values, boards
        #[arg(long, value_name = "FAMILY")]
        family: Option<String>,
        /// Only those whose documentation, family, board or rulesets have all these words
        #[arg(long, value_name = "WORDS")]
        search: Option<String>,
        /// Print the text of one file
        #[arg(long, value_name = "NAME", conflicts_with_all = ["word", "family", "search"])]
        show: Option<String>,
    },
    /// Evaluate an expression of games, such as '{1|-1} + ^*'
    #[command(
        after_help = "Examples:\n  cgdsl value '{1|-1} + ^*'\n  cgdsl value '{2|-1}' --thermograph hot.svg\n  cgdsl value 'Domineering[grid(3, 3)] - 1/2' --in domineering\n  cgdsl value 'temperature({2|*})'\n  cgdsl value '{-1|1} : 1'          an ordinal sum takes forms as they are written\n  cgdsl value --born 2 --hasse day2.svg"
    )]
    Value(Value),
    /// Values of the heaps 0, 1, 2, .., with proven periods
    #[command(
        after_help = "Examples:\n  cgdsl seq kayles Kayles --to 1000\n  cgdsl seq octal 'Octal(\"0.137\")' --to 100000 --format bfile\n  cgdsl seq octal 'Octal(\"0.07\")' --identify\n  cgdsl seq kayles Kayles --certify kayles.json && cgdsl verify kayles.json"
    )]
    Seq(Seq),
    /// Search all positions of a ruleset up to a size
    #[command(
        after_help = "In formulas G is the position; a function of it may stand alone.\n\nExamples:\n  cgdsl search snort Snort --up-to 4 --where 'temperature > 1' --limit 5\n  cgdsl search domineering Domineering --up-to 3x3 --group-by value --smallest\n  cgdsl search blocking-pebbles BlockingPebbles --board 'A -> B -> C, A -> C' --counts 5 --where is_number --smallest\n  geng -c 6 | cgdsl search col Col --boards - --group-by outcome\n  cgdsl search nim Nim --up-to 3x7 --where 'nimber = 0' --keep nim.jsonl"
    )]
    Search(Search),
    /// Print tables of values, as text, for a paper or as a picture
    #[command(
        after_help = "Examples:\n  cgdsl table wythoff\n  cgdsl table wythoff 'for m in 0..20, n in 0..20: nimber(Wythoff[m: m, n: n])' --format svg -o wythoff.svg\n  cgdsl table cutcake --format latex"
    )]
    Table(Table),
    /// Check a witness of a period from the plain definition
    Verify {
        /// The witness that `seq --certify` wrote
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: String,
    },
    /// Open the page that shows answers beside the rules, in a browser
    #[command(
        after_help = "Examples:\n  cgdsl page\n  cgdsl page --out site\nThe link that it prints holds a secret: only a browser that has it is answered, and only on this machine."
    )]
    Page {
        /// The port; 0 is any that is free
        #[arg(long, value_name = "PORT", default_value_t = 0)]
        port: u16,
        /// Write the files of the page into this folder instead, for any server of files
        #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
        out: Option<String>,
    },
    /// Serve an editor, by the Language Server Protocol
    #[command(
        after_help = "An editor starts it; `editors/` has the files for several. Its settings bound evaluations."
    )]
    Lsp {
        /// What it does in any case; some editors say it
        #[arg(long, hide = true)]
        stdio: bool,
    },
    /// Print a completion script
    #[command(hide = true)]
    Completions {
        /// For this shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// Write the manual pages into a folder
    #[command(hide = true)]
    Man {
        /// The folder (it is made if need be)
        #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
        dir: String,
    },
}

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
    /// Write what the messages suggest into the files; the mended standard input is printed
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
    /// A clause that the ruleset has otherwise, such as 'along(Right) = south' or 'play misere'; of several rulesets, 'Ruleset: clause'
    #[arg(long, value_name = "CLAUSE")]
    pub set: Vec<String>,
    /// Evaluate what is marked `slow`, too
    #[arg(long)]
    pub slow: bool,
    /// Only queries whose name or text contains this
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Draw which coalitions win, of one position of three or more players: into this file (.svg, .tex or .typ), or as
    /// text with `-`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
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
    /// Write it to this file, whose name says the format: .svg, .tex, .typ, .dot, .txt
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<String>,
    /// The format
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<PictureFormat>,
    /// Of TikZ and Typst only the picture, to be included, instead of a document that compiles
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
    /// A player who is a person, by name (may be given several times; else the one who starts)
    #[arg(long, value_name = "NAME")]
    pub human: Vec<String>,
    /// Who starts, by name (else the first player)
    #[arg(long, value_name = "NAME")]
    pub first: Option<String>,
    /// Misère play: whoever makes the last move loses
    #[arg(long)]
    pub misere: bool,
    /// Make the moves of a saved game first
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub replay: Option<String>,
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

/// `cgdsl seq`
#[derive(Args, Clone, Debug)]
pub struct Seq {
    /// A path, `-` for the standard input, or the name of a shipped file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: String,
    /// A ruleset on heaps, with its arguments: `Kayles`, `Octal("0.137")`; may be left out where the file has only one
    #[arg(value_name = "RULESET")]
    pub ruleset: Option<String>,
    /// The largest heap; by a proven period heaps of any size are known
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count)]
    pub to: u64,
    /// How values are printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Text)]
    pub format: Format,
    /// Write a witness of the period, for `cgdsl verify`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub certify: Option<String>,
    /// Keep the values in this file and go on from it: a run that was ended is taken up again
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub keep: Option<String>,
    /// Say which octal games of up to three digits have the same values, perhaps shifted
    #[arg(long)]
    pub identify: bool,
    /// Say where the values first differ from those of an octal or hexadecimal code
    #[arg(long, value_name = "CODE")]
    pub compare: Option<String>,
    /// Write to this file instead of the standard output; `.svg`, `.tex` and `.typ` are plots
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<String>,
    /// Plot nim-values against heaps; in characters, or as the file of -o says
    #[arg(long, conflicts_with = "format")]
    pub plot: bool,
    /// Compute by the definition alone (slow; the answers are the same)
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
    /// Only this board, without pieces; may be given several times
    #[arg(long, value_name = "BOARD", conflicts_with = "boards")]
    pub board: Vec<String>,
    /// The boards in this file: graph6, sparse6 or digraph6 lines
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub boards: Option<String>,
    /// The greatest sum of counts on a board
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub counts: u32,
    /// Cells may be walls (the default without pieces)
    #[arg(long)]
    pub walls: bool,
    /// Only positions with this, such as 'temperature > 3/2'
    #[arg(long = "where", value_name = "FORMULA", allow_hyphen_values = true)]
    pub condition: Option<String>,
    /// Group positions by this, such as value or outcome
    #[arg(long, value_name = "EXPR")]
    pub group_by: Option<String>,
    /// Show a smallest position of each group (by value)
    #[arg(long)]
    pub smallest: bool,
    /// Keep what is found in this file, and go on from it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub keep: Option<String>,
    /// Only the Ith of N equal parts: positions are dealt in turn
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<Shard>,
    /// How many positions are printed
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count)]
    pub limit: u64,
}

/// Reads `3/8`.
fn shard(text: &str) -> Result<Shard, String> {
    Shard::read(text)
        .ok_or_else(|| "a part is written I/N, with I from 1 to N, such as 3/8".to_owned())
}

impl Search {
    /// The ruleset as it was written, or found.
    #[must_use]
    pub fn ruleset(&self) -> &str {
        self.ruleset.as_deref().unwrap_or_default()
    }
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

/// `cgdsl learn`
#[derive(Args, Debug)]
pub struct Learn {
    /// A lesson (3), a level (3.4) or `next`; without it, the map of the course
    #[arg(value_name = "LEVEL")]
    pub level: Option<String>,
    /// The map of the course; with -o as a picture
    #[arg(long, conflicts_with_all = ["level", "certificate", "verify"])]
    pub map: bool,
    /// A certificate of what was solved, in this name
    #[arg(long, value_name = "NAME", conflicts_with_all = ["level", "verify"])]
    pub certificate: Option<String>,
    /// Judge the answers of certificates again
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "level", value_hint = ValueHint::FilePath)]
    pub verify: Vec<String>,
    /// Keep what is solved in this file
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
    /// Tables to make instead of the file's: `for m in 0..9, n in 0..9: nimber(R[m, n])`
    #[arg(value_name = "TABLE")]
    pub tables: Vec<String>,
    /// How tables are printed; as text, unless the name of the file says more
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<AnswerFormat>,
    /// Write to this file instead of the standard output; `.svg`, `.csv`, `.tex`, `.md` and `.typ` say how, unless --format does
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<String>,
    /// Only tables whose text contains this
    #[arg(long, value_name = "TEXT")]
    pub only: Option<String>,
    /// Plot the values over the first binder; in characters, or as the file of -o says
    #[arg(long, conflicts_with = "format")]
    pub plot: bool,
    /// Evaluate what is marked `slow`, too
    #[arg(long)]
    pub slow: bool,
}

impl Table {
    /// The format that was asked for, or that the file's name speaks of.
    #[must_use]
    pub fn asked(&self) -> AnswerFormat {
        if self.plot {
            return AnswerFormat::Svg;
        }
        let ends = |end: &str| self.output.as_ref().is_some_and(|o| o.ends_with(end));
        let named = [
            (".svg", AnswerFormat::Svg),
            (".csv", AnswerFormat::Csv),
            (".tex", AnswerFormat::Latex),
            (".md", AnswerFormat::Markdown),
            (".typ", AnswerFormat::Typst),
        ];
        let named = named.into_iter().find(|(end, _)| ends(end));
        self.format
            .or(named.map(|(_, format)| format))
            .unwrap_or(AnswerFormat::Text)
    }
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
fn written() -> impl clap::builder::TypedValueParser<Value = AnswerFormat> {
    use clap::builder::TypedValueParser;
    let names = AnswerFormat::value_variants()
        .iter()
        .filter(|f| **f != AnswerFormat::Svg)
        .filter_map(ValueEnum::to_possible_value);
    clap::builder::PossibleValuesParser::new(names)
        .map(|name| AnswerFormat::from_str(&name, true).unwrap_or_default())
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
    /// Say how it compares with this
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    pub compare: Option<String>,
    /// Draw the thermograph: into this file (.svg, .tex or .typ), or as text with `-`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub thermograph: Option<String>,
    /// List all games born by this day instead: 1, 4, 22 and 1474 games for the days 0 to 3
    #[arg(long, value_name = "DAY", conflicts_with_all = ["expression", "compare", "thermograph", "file"], value_parser = clap::value_parser!(u32).range(0..=3))]
    pub born: Option<u32>,
    /// Draw the Hasse diagram of the games born: into this file (.svg, .tex, .typ or .dot), or as DOT with `-`
    #[arg(long, value_name = "FILE", requires = "born", value_hint = ValueHint::FilePath)]
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_surface_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes_counts_and_times() {
        assert_eq!(size("3G"), Ok(3 << 30));
        assert_eq!(size("500MiB"), Ok(500 << 20));
        assert!(
            size("").is_err()
                && size("-1").is_err()
                && size("99999999999T").is_err()
                && size("1").is_err()
        );
        assert_eq!(count("2M"), Ok(2_000_000));
        assert_eq!((count("1e9"), count("10^3")), (Ok(1_000_000_000), Ok(1000)));
        assert!(
            ["x", "", "-1", "e", "1e", "^2", "1.5", "km", "2kk"]
                .iter()
                .all(|t| count(t).is_err())
        );
        assert!(count("10^30").is_err_and(|e| e.contains("too much")));
        assert_eq!(time("1.5s"), Ok(std::time::Duration::from_millis(1500)));
        assert!(time("-1s").is_err() && time("1d").is_err() && time("1e99h").is_err());
    }
}
