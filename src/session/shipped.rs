//! The ruleset files that come with the program. Input: a name (`domineering`, `grid/domineering`,
//! `papers/blocking-pebbles.rules`); output: the file. They are embedded in the program, so that it can evaluate them from
//! anywhere.

/// A shipped file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shipped {
    /// Its path below `rulesets/`, with forward slashes and the extension: `grid/domineering.rules`.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
}

impl Shipped {
    /// The last part of the path without the extension: what a user types.
    #[must_use]
    pub fn name(&self) -> &'static str {
        let last = self.path.rsplit('/').next().unwrap_or(self.path);
        last.strip_suffix(".rules").unwrap_or(last)
    }

    /// The folder of its path: `grid`; empty at the top.
    #[must_use]
    pub fn folder(&self) -> &'static str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The first line of its documentation (`///` or `//`), for lists.
    #[must_use]
    pub fn title(&self) -> &'static str {
        self.text
            .lines()
            .map(str::trim)
            .find_map(|l| {
                l.strip_prefix("///")
                    .or_else(|| l.strip_prefix("//"))
                    .map(str::trim)
            })
            .filter(|l| !l.is_empty())
            .unwrap_or("")
    }

    /// The documentation at its head: a description of the game, and its source.
    pub fn about(&self) -> impl Iterator<Item = &'static str> {
        self.head()
            .filter(|l| NOTES.iter().all(|note| !l.starts_with(note)))
    }

    /// The text after `Family:`, `Known:` or `Open:` in the documentation.
    #[must_use]
    pub fn note(&self, word: &str) -> Option<&'static str> {
        self.head()
            .find_map(|l| l.strip_prefix(word)?.strip_prefix(':'))
            .map(|rest| rest.trim().trim_end_matches('.'))
    }

    /// The lines of the first block of documentation.
    fn head(&self) -> impl Iterator<Item = &'static str> {
        self.text
            .lines()
            .skip_while(|l| !l.starts_with("///"))
            .map_while(|l| l.strip_prefix("///"))
            .map(str::trim)
    }

    /// Its family, as the short name that `cgdsl list --family` accepts.
    #[must_use]
    pub fn family(&self) -> &'static str {
        match self.folder() {
            "" => "boards",
            "n-player" => "players",
            "values" => "values",
            folder if folder.starts_with("papers") => "papers",
            _ => self.note("Family").unwrap_or("other"),
        }
    }

    /// The kinds of board of its rulesets, in order: `grid`, `graph rooted`; `numbers` where the state consists of numbers.
    #[must_use]
    pub fn boards(&self) -> Vec<&'static str> {
        let mut found = Vec::new();
        let mut open = false;
        for line in self.text.lines() {
            let board = line
                .strip_prefix("  ")
                .and_then(|l| l.strip_prefix("board "))
                .map(|rest| rest.split("//").next().unwrap_or(rest).trim());
            let kind = match board {
                Some(rest) if rest.starts_with("heaps") => Some("heaps"),
                Some(rest) => Some(rest.split(" at ").next().unwrap_or(rest)),
                // A ruleset that ends here without a board.
                None if open && !line.starts_with(' ') => Some("numbers"),
                None => None,
            };
            if let Some(kind) = kind {
                open = false;
                if !found.contains(&kind) {
                    found.push(kind);
                }
            }
            // A derived ruleset, `= impartial(S)`, has the board of another ruleset.
            if line.starts_with("ruleset ") {
                open = !line.contains('=');
            }
        }
        found
    }

    /// Whether every word occurs in its path, documentation, family, boards or names of rulesets, ignoring case.
    #[must_use]
    pub fn mentions(&self, words: &str) -> bool {
        let docs = |l: &&str| l.trim_start().starts_with("//") || l.starts_with("ruleset ");
        let mut all: Vec<&str> = self.text.lines().filter(docs).collect();
        all.push(self.path);
        all.push(family_title(self.family()).unwrap_or(""));
        all.extend(self.boards());
        let all = all.join(" ").to_lowercase();
        words
            .to_lowercase()
            .split_whitespace()
            .all(|w| all.contains(w))
    }
}

/// The beginnings of documentation lines that are not part of the description.
const NOTES: [&str; 3] = ["Family:", "Known:", "Open:"];

/// The families of games: short names and descriptions.
pub const FAMILIES: &[(&str, &str)] = &[
    ("nim", "Nim and its variations"),
    ("take-away", "Taking certain numbers"),
    ("splitting", "Taking and splitting"),
    (
        "corner",
        "Wythoff's game and other pieces on the way to a corner",
    ),
    ("cakes", "Cakes, bars and diagrams that are cut"),
    ("coins", "Coins and counters in a row or a field"),
    ("placing", "Placing pieces, colouring"),
    ("dominoes", "Dominoes and other polyominoes"),
    ("capture", "Capturing"),
    ("walking", "Pieces that walk, push or jump"),
    ("tokens", "A token on a graph, or several"),
    ("removing", "Removing vertices and edges"),
    ("cutting", "Cutting edges, and what falls"),
    ("orders", "Games on orders"),
    ("lines", "Making a line, or joining sides"),
    ("players", "Three players and more"),
    ("papers", "The rules and claims of papers"),
    ("values", "Values from textbooks"),
    ("boards", "Boards for others to use"),
];

/// The description of a family.
#[must_use]
pub fn family_title(family: &str) -> Option<&'static str> {
    let found = FAMILIES.iter().find(|(name, _)| *name == family);
    found.map(|(_, title)| *title)
}

/// All shipped files, ordered by path.
pub fn all() -> impl Iterator<Item = Shipped> {
    cgdsl_rulesets::TABLE
        .iter()
        .map(|(path, text)| Shipped { path, text })
}

/// Folders whose files must be given by path (`n-player/nim`) where a game elsewhere has the same name.
const SPECIAL: &[&str] = &["n-player/", "papers/"];

/// The result of a look-up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// One file.
    One(Shipped),
    /// Several files, with these paths.
    Several(Vec<&'static str>),
    /// No file.
    None,
}

/// Finds a shipped file by name or path, with or without its extension; case is ignored, and `-` and `_` are equivalent.
#[must_use]
pub fn find(name: &str) -> Found {
    let plain = |s: &str| {
        let s = s.strip_suffix(".rules").unwrap_or(s);
        s.replace('\\', "/").to_lowercase().replace('_', "-")
    };
    let wanted = plain(name);
    let wanted = wanted.strip_prefix("rulesets/").unwrap_or(&wanted);
    if let Some(file) = all().find(|f| plain(f.path) == wanted) {
        return Found::One(file);
    }
    let ends = |f: &Shipped| {
        plain(f.path)
            .strip_suffix(wanted)
            .is_some_and(|before| before.ends_with('/'))
    };
    let matches: Vec<Shipped> = all().filter(ends).collect();
    // A plain name means the game itself, not the version of a paper or for another number of players.
    let plain: Vec<&Shipped> = matches
        .iter()
        .filter(|f| !SPECIAL.iter().any(|s| f.path.starts_with(s)))
        .collect();
    match matches[..] {
        [] => Found::None,
        [one] => Found::One(one),
        _ if plain.len() == 1 => Found::One(*plain[0]),
        _ => Found::Several(matches.iter().map(|f| f.path).collect()),
    }
}

/// The shipped files that define a ruleset of that name, as arguments for `use`; the game itself comes before versions of
/// papers or for other numbers of players.
#[must_use]
pub fn defining(ruleset: &str) -> Vec<&'static str> {
    let defines = |line: &str| {
        line.strip_prefix("ruleset ")
            .and_then(|rest| rest.strip_prefix(ruleset))
            .is_some_and(|rest| rest.trim_start().is_empty() || rest.starts_with([' ', '(']))
    };
    let mut found: Vec<Shipped> = all().filter(|f| f.text.lines().any(defines)).collect();
    found.sort_by_key(|f| (SPECIAL.iter().any(|s| f.path.starts_with(s)), f.path));
    found
        .into_iter()
        .map(|f| {
            // The short name, if it leads to the same file.
            let short = &f.path[f.path.len() - f.name().len() - ".rules".len()..];
            match find(short) {
                Found::One(same) if same == f => short,
                _ => f.path,
            }
        })
        .collect()
}

/// The names of all shipped files, for near-name suggestions.
pub fn names() -> impl Iterator<Item = &'static str> {
    all().map(|f| f.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_file_is_found_by_its_path() {
        for file in all() {
            assert_eq!(find(file.path), Found::One(file));
            assert_ne!(find(file.name()), Found::None);
        }
        assert_eq!(find("no such game"), Found::None);
        assert_eq!(find(""), Found::None);
    }

    #[test]
    fn every_shipped_file_has_a_family_and_every_family_a_file() {
        for file in all() {
            let family = file.family();
            assert!(family_title(family).is_some(), "{}: {family}", file.path);
        }
        for (name, _) in FAMILIES {
            assert!(all().any(|f| f.family() == *name), "{name} is empty");
        }
    }

    #[test]
    fn words_are_looked_for_in_documentation_family_and_board() {
        let found = |words: &str| -> Vec<&str> {
            let hits = all().filter(|f| f.mentions(words));
            hits.map(|f| f.name()).collect()
        };
        let tokens = found("token graph");
        assert!(tokens.contains(&"geography") && !tokens.contains(&"nim"));
        assert!(found("Bouton").is_empty() == found("bouton").is_empty());
        assert_eq!(found("a xylophone"), Vec::<&str>::new());
        let Found::One(euclid) = find("euclid") else {
            panic!("shipped")
        };
        assert_eq!(euclid.boards(), ["numbers"]);
        let Found::One(hackenbush) = find("graphs/hackenbush") else {
            panic!("shipped")
        };
        assert_eq!(hackenbush.boards(), ["graph rooted"]);
    }
}
