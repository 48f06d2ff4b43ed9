//! The ruleset files that come with the program: a name comes in (`domineering`, `grid/domineering`,
//! `papers/blocking-pebbles.rules`), the file comes out. They are embedded when the program is built, so that a copy of the
//! program alone can evaluate them from anywhere.

/// A shipped file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shipped {
    /// Its path below `rulesets/`, with slashes and its ending: `grid/domineering.rules`.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
}

impl Shipped {
    /// The last part of the path, without its ending: what a user types.
    #[must_use]
    pub fn name(&self) -> &'static str {
        let last = self.path.rsplit('/').next().unwrap_or(self.path);
        last.strip_suffix(".rules").unwrap_or(last)
    }

    /// The folders of its path: `grid`; empty at the top.
    #[must_use]
    pub fn folder(&self) -> &'static str {
        self.path.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The first line of its documentation (`///` or `//`), for a list.
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
}

/// All shipped files, ordered by path.
pub fn all() -> impl Iterator<Item = Shipped> {
    cgdsl_rulesets::TABLE
        .iter()
        .map(|(path, text)| Shipped { path, text })
}

/// Folders whose files are found by path (`n-player/nim`) where a game elsewhere has the same name.
const SPECIAL: &[&str] = &["n-player/", "papers/"];

/// What a name means.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// One file.
    One(Shipped),
    /// More than one: these paths.
    Several(Vec<&'static str>),
    /// None.
    None,
}

/// Finds a shipped file by name or by path, with its ending or without; large and small letters, `-` and `_` are the same.
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
    // A plain name means the game itself, not what a paper or another number of players makes of it.
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

/// The shipped files that define a ruleset of that name, as `use` takes them: the game itself before what a paper or another
/// number of players makes of it.
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
}
