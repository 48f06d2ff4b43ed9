//! The command line as the user writes it: words in, a [`Cli`] out (clap). What each command does is in its own file.

mod arguments;
mod words;

use crate::game::Shortcut;
pub use arguments::{Check, Diff, Draw, Eval, Fix, Learn, Play, Search, Seq, Table, Value};
use clap::builder::styling::{Ansi256Color, Style as Paint, Styles};
use clap::{Args, Parser, Subcommand, ValueHint};
use words::shortcut;
pub use words::{
    AnswerFormat, Format, PictureFormat, SearchFormat, Style, When, Written, count, size, time,
};

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
    /// Print values with symbols (arrows, ±), even when the output is not a terminal
    #[arg(long, global = true, hide = true, help_heading = COMMON)]
    pub unicode: bool,
    /// Print counters of the search on standard error (in JSON: a `stats` object)
    #[arg(long, global = true, hide = true, help_heading = COMMON)]
    pub stats: bool,
    /// Memory for values and tables, such as 500M
    #[arg(long, global = true, help_heading = COMMON, value_name = "SIZE", default_value = "4G", value_parser = size)]
    pub memory: usize,
    /// The number of positions that one question may expand
    #[arg(long, global = true, hide = true, help_heading = COMMON, value_name = "N", value_parser = count)]
    pub nodes: Option<u64>,
    /// Time for the run (in `play`: an answer), as 30s or 2h
    #[arg(long, global = true, help_heading = COMMON, value_name = "TIME", value_parser = time)]
    pub time: Option<std::time::Duration>,
    /// The number of threads; answers do not depend on it
    #[arg(long, global = true, hide = true, help_heading = COMMON, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Save values in this folder (created if necessary), and use those of earlier runs; answers do not depend on it
    #[arg(long, global = true, hide = true, help_heading = COMMON, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub store: Option<std::path::PathBuf>,
    /// Only read the store, which any number of runs can do at once; nothing in its folder is changed
    #[arg(long, global = true, hide = true, help_heading = COMMON)]
    pub read_only: bool,
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

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Answer the queries of a file, or evaluate positions with it
    #[command(
        after_help = "Examples:\n  cgdsl eval game.rules\n  cgdsl eval domineering 'grid(4, 4)' '..|.#'\n  cgdsl eval nim -e 'nimber(Nim[3, 5, 6])'\n  cgdsl eval n-player/nim 'Nim3[1, 2]' --lattice nim.svg\n  cgdsl eval - < game.rules"
    )]
    Eval(Eval),
    /// Check files for errors, without evaluating their queries
    Check(Check),
    /// Compare two files, or two rulesets of one
    #[command(
        after_help = "With two files, compares rulesets of the same name, or the only ones. With a file and two of its rulesets, compares these.\nSigns mark what is gone (-), new (+) or changed (~).\n\nExamples:\n  cgdsl diff domineering my-domineering.rules --up-to 3x3\n  cgdsl diff game.rules Domineering Mine --format markdown"
    )]
    Diff(Diff),
    /// Format files; comments are kept
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
        /// Show only the options of this player
        #[arg(long, value_name = "NAME")]
        player: Option<String>,
        /// Show all options, however many there are
        #[arg(long)]
        all: bool,
        /// The format
        #[command(flatten)]
        written: Written,
    },
    /// Draw a position, or the order of its options
    #[command(
        after_help = "Examples:\n  cgdsl draw domineering '..|.#'\n  cgdsl draw hackenbush 'stalk(\"brb\")' -o stalk.svg\n  cgdsl draw game.rules 'Snort[a:x -- b -- c]' --format tikz\n  cgdsl draw domineering '...|...' --lattice\n  cgdsl draw loopy-graph Hot --value"
    )]
    Draw {
        /// The file and the position
        #[command(flatten)]
        draw: Draw,
        /// Draw the order of the options by value instead of the board; for three or more players, the winning coalitions
        #[arg(long)]
        lattice: bool,
        /// Instead of the board its value as a graph of moves, where play may go on for ever
        #[arg(long, conflicts_with = "lattice")]
        value: bool,
    },
    /// Show the positions that follow one, and which options count
    #[command(
        after_help = "Examples:\n  cgdsl tree hackenbush 'stalk(\"br\")'\n  cgdsl tree domineering '...|...' --depth 2 -o tree.svg"
    )]
    Tree {
        /// The file and the position
        #[command(flatten)]
        draw: Draw,
        /// The depth of the tree, in moves
        #[arg(long, value_name = "N", default_value_t = 2)]
        depth: usize,
    },
    /// Evaluate a file again on every save, and say what changed
    #[command(
        after_help = "Examples:\n  cgdsl watch game.rules\n  cgdsl watch game.rules --against domineering --up-to 2x3\n  cgdsl watch game.rules --against game.rules\nThe last one compares with the file as it was when the command started."
    )]
    Watch {
        /// The path of a file
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: String,
        /// After each save say how it differs from this file, as `diff` does
        #[arg(long, value_name = "OLD", value_hint = ValueHint::FilePath)]
        against: Option<String>,
        /// With --against: the largest boards, sites (5), rows x columns (3x4), heaps x their size
        #[arg(long, value_name = "SIZE", default_value = "3", requires = "against")]
        up_to: String,
    },
    /// Play a position against perfect play, or another person
    #[command(
        after_help = "Examples:\n  cgdsl play domineering 'grid(4, 4)'\n  cgdsl play nim '3, 5, 6' --human Left --first Right\n  cgdsl play clobber '\"xoxo|oxox\"' --human Left --human Right\nDuring play, type a move by its choices (`1 1`) or by its number (`#3`), or one of these: moves, hint, why, undo, save FILE, help, quit."
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
        /// Take one answer for each question, without hints
        #[arg(long)]
        once: bool,
        /// Mark a folder: a file for each student, with an answer in each line
        #[arg(long, value_name = "DIR", conflicts_with = "once", value_hint = ValueHint::DirPath)]
        mark: Option<String>,
        /// Write an exercise sheet in LaTeX, and another one with the solutions
        #[arg(long, value_name = "FILE", conflicts_with_all = ["once", "mark"], value_hint = ValueHint::FilePath)]
        sheet: Option<String>,
        /// The format of the marks
        #[command(flatten)]
        written: Written,
    },
    /// Learn the theory by levels, with a map and a certificate
    #[command(
        after_help = "Solved levels are recorded in the user's data folder. Exit codes: 0 all solved (or right); 1 some are not; 2 a file is broken; 3 a limit was met.\n\nExamples:\n  cgdsl learn\n  cgdsl learn next\n  cgdsl learn 3.4\n  cgdsl learn --certificate 'Ada Lovelace' -o ada.json\n  cgdsl learn --verify ada.json"
    )]
    Learn(Learn),
    /// Print a file with the answers to its questions sealed
    #[command(
        after_help = "A seal prevents peeking, not an attack: anybody who tries all possible answers finds the right one.\n\nExample:\n  cgdsl seal homework.rules -o for-students.rules"
    )]
    Seal {
        /// A path or `-`
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: String,
        /// Write to this file instead of the standard output
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
        /// Explain in one line
        #[arg(long)]
        short: bool,
        /// The format
        #[command(flatten)]
        written: Written,
    },
    /// Show what was derived from a position; explain a word or a code
    #[command(
        after_help = "Examples:\n  cgdsl explain domineering 'grid(3, 3)'\n  cgdsl explain atomic_weight\n  cgdsl explain E0203"
    )]
    Explain {
        /// A path, `-`, or the name of a shipped file; alone, the name of a function or another word of the language, or the code of a message
        #[arg(value_name = "FILE", required_unless_present = "code", value_hint = ValueHint::FilePath)]
        file: Option<String>,
        /// A position; a bare board where the file has one ruleset
        #[arg(value_name = "POSITION")]
        position: Option<String>,
        /// Print the ground instances
        #[arg(long)]
        ir: bool,
        /// The page of a message, as `explain E0203` shows it
        #[arg(long, value_name = "CODE", conflicts_with_all = ["file", "position", "ir"])]
        code: Option<String>,
    },
    /// Print a commented file to start from
    New {
        /// A shipped ruleset to start from
        #[arg(long, value_name = "NAME")]
        like: Option<String>,
        /// Write to this file, which must not exist yet, instead of the standard output
        #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: Option<String>,
    },
    /// List the shipped rulesets
    #[command(
        after_help = "Examples:\n  cgdsl list nim                         with `nim` in the path or the title\n  cgdsl list --family tokens             all games of a family\n  cgdsl list --search 'token graph'      with these words in what is said of them"
    )]
    List {
        /// List only those whose path or title contains this word
        #[arg(value_name = "WORD")]
        word: Option<String>,
        /// Only those of this family: nim, take-away, splitting, corner, cakes, coins, placing, dominoes, capture, walking, tokens, removing, cutting, lines, orders, players, papers, values, boards
        #[arg(long, value_name = "FAMILY")]
        family: Option<String>,
        /// List only those whose documentation, family, board or rulesets contain all these words
        #[arg(long, value_name = "WORDS")]
        search: Option<String>,
        /// Print the text of one file
        #[arg(long, value_name = "NAME", conflicts_with_all = ["word", "family", "search"])]
        show: Option<String>,
    },
    /// Evaluate an expression of games, such as '{1|-1} + ^*'
    #[command(
        after_help = "Examples:\n  cgdsl value '{1|-1} + ^*'\n  cgdsl value '{2|-1}' --thermograph hot.svg\n  cgdsl value 'Domineering[grid(3, 3)] - 1/2' --in domineering\n  cgdsl value 'temperature({2|*})'\n  cgdsl value '{-1|1} : 1'          ordinal sums take forms as they are\n  cgdsl value 'over - over' --graph sides.svg\n  cgdsl value --born 2 --hasse day2.svg"
    )]
    Value(Value),
    /// Compute the values of the heaps 0, 1, 2, .., with proven periods
    #[command(
        after_help = "Examples:\n  cgdsl seq kayles Kayles --to 1000\n  cgdsl seq octal 'Octal(\"0.137\")' --to 100000 --format bfile\n  cgdsl seq octal 'Octal(\"0.07\")' --identify\n  cgdsl seq kayles Kayles --certify kayles.json && cgdsl verify kayles.json\n  cgdsl seq kayles --misere --to 200"
    )]
    Seq(Seq),
    /// Search all positions of a ruleset up to a size
    #[command(
        after_help = "In a formula, G is the position; `value` alone means `value(G)`.\n\nExamples:\n  cgdsl search snort Snort --up-to 4 --where 'temperature > 1' --limit 5\n  cgdsl search domineering Domineering --up-to 3x3 --group-by value --smallest\n  cgdsl search blocking-pebbles BlockingPebbles --board 'A -> B -> C, A -> C' --counts 5 --where is_number --smallest\n  geng -c 6 | cgdsl search col Col --boards - --group-by outcome\n  cgdsl search nim Nim --up-to 3x7 --where 'nimber = 0' --keep nim.jsonl"
    )]
    Search(Search),
    /// Put the parts of a census together
    #[command(
        hide = cfg!(not(feature = "parquet")),
        after_help = "Examples:\n  cgdsl search snort Snort --up-to 6 --shard 1/2 --format parquet -o snort6\n  cgdsl search snort Snort --up-to 6 --shard 2/2 --format parquet -o snort6\n  cgdsl census merge snort6"
    )]
    Census {
        /// What is done
        #[command(subcommand)]
        work: Census,
    },
    /// Put stores of values together
    #[command(
        hide = true,
        after_help = "A store is a folder that `--store` names.\n\nExample:\n  cgdsl eval snort 'path(9)' --store one\n  cgdsl eval snort 'path(10)' --store two\n  cgdsl store merge one two -o both\n  cgdsl eval snort 'path(11)' --store both --read-only"
    )]
    Store {
        /// What is done
        #[command(subcommand)]
        work: Stores,
    },
    /// Print tables of values, as text, for a paper or as a picture
    #[command(
        after_help = "Examples:\n  cgdsl table wythoff\n  cgdsl table wythoff 'for m in 0..20, n in 0..20: nimber(Wythoff[m: m, n: n])' --format svg -o wythoff.svg\n  cgdsl table cutcake --format latex"
    )]
    Table(Table),
    /// Check a witness from the plain definition
    Verify {
        /// The witness that `seq --certify` or `value --certify` wrote
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: String,
    },
    /// Open the page that shows answers beside the rules, in a browser
    #[command(
        after_help = "Examples:\n  cgdsl page\n  cgdsl page --out site\nThe printed link contains a secret. The server answers only browsers that have the link, and only on this machine."
    )]
    Page {
        /// The port; 0 means any free port
        #[arg(long, value_name = "PORT", default_value_t = 0)]
        port: u16,
        /// Write the files of the page into this folder instead, for any file server
        #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
        out: Option<String>,
    },
    /// Run the language server for an editor
    #[command(
        after_help = "An editor starts it; `editors/` has files for several editors. The editor's settings limit evaluations."
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
        /// The folder (created if necessary)
        #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
        dir: String,
    },
}

/// `cgdsl census`
#[derive(Subcommand, Debug)]
pub enum Census {
    /// Check that all parts are there and agree, and count what is in them
    Merge {
        /// The folder with the parts
        #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
        folder: String,
        /// How many values are printed
        #[arg(long, value_name = "N", default_value_t = 10, value_parser = count)]
        limit: u64,
    },
}

/// `cgdsl store`
#[derive(Subcommand, Debug)]
pub enum Stores {
    /// Put the values of several stores into one
    #[command(
        after_help = "Exit codes: 0 done; 2 a store is refused or two contradict each other; 3 ended.\nAfter 2 and 3 the folder of -o holds what it held before.\n\nExamples:\n  cgdsl store merge one two three -o all\n  cgdsl store merge four -o all             adds to what is there"
    )]
    Merge {
        /// The folders of the stores, which are only read
        #[arg(required = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
        stores: Vec<std::path::PathBuf>,
        /// The folder of the result; if it holds a store, its values stay
        #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
        output: std::path::PathBuf,
    },
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
