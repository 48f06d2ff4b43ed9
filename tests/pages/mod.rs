//! Pages that are made by the program: the reference, the gallery with its pictures, and the book's list of pages.
//! `UPDATE_DOCS=1 cargo test --test language pages` writes them anew; look at the pictures then. Otherwise they are compared.

pub mod formats;

use cgdsl::claim::Card;
use cgdsl::model::builtins::table;
use cgdsl::report::{draw, paper, reference as written};
use cgdsl::session::figure::BoardFigure;
use cgdsl::session::{Answer, Disk, Memory, Session, Settings, Status, Style, reference, shipped};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

/// Compares a file below `docs/` with what it must be, or writes it.
fn same(changed: &mut Vec<String>, name: &str, text: &str) {
    let path = docs().join(name);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("written");
        return;
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    if known.replace("\r\n", "\n") != text {
        changed.push(name.to_owned());
    }
}

fn assert_same(changed: &[String]) {
    assert!(
        changed.is_empty(),
        "not as the program makes them: {}; UPDATE_DOCS=1 cargo test --test language pages",
        changed.join(", ")
    );
}

#[test]
fn every_example_of_a_function_has_an_answer() {
    for row in table().filter(|r| r.as_function().is_some()) {
        for entry in reference::entries(row.name, &Settings::default()) {
            let Some(run) = entry.run else { continue };
            let status = run.item.as_ref().map(|i| i.status);
            assert_eq!(
                status,
                Some(Status::Held),
                "{}: {}",
                row.name,
                run.expression
            );
        }
    }
}

#[test]
fn the_reference_is_as_the_table_says() {
    let mut changed = Vec::new();
    let page = written::page(&reference::all(&Settings::default()));
    same(&mut changed, "reference.md", &page);
    assert_same(&changed);
}

/// Positions that show more of a game than the first one of its file; all others show that.
const CHOSEN: &[(&str, &str)] = &[
    (
        "graphs/hackenbush.rules",
        "ground -b- u -r- w, u -g- x, ground -r- y -b- w, y -r- z",
    ),
    ("graphs/snort.rules", "a:x -- b -- c, b -- d"),
    ("graphs/col.rules", "a:x -- b -- c -- d:o, b -- e"),
    ("graphs/fjords.rules", "a:b -- c, c -- d:r, c -- e, e -- f"),
    ("graphs/pebbles.rules", "strip(8)"),
    ("graphs/node-kayles.rules", "cycle(6)"),
    ("graphs/graph-nim.rules", "complete(4)"),
    (
        "graphs/weighted-arc-kayles.rules",
        "cycle(4), weight: [2, 1, 2, 3]",
    ),
    (
        "graphs/geography.rules",
        "Geography[a -> b -> c -> d, b -> d, token: a]",
    ),
    ("grids/amazons.rules", "x..|o.."),
    ("grids/clobber.rules", "xoxo|oxox"),
    ("grids/domineering.rules", ".#.|...|..#"),
    ("grids/konane.rules", "x.ox|o.xo|xoxo"),
    (
        "posets/hackendot.rules",
        "PosetGame[forest(r(a(b, c), d), s(e))]",
    ),
    (
        "posets/poset-game.rules",
        "PosetGame[antichain(3) / (chain(2) + chain(1))]",
    ),
    ("scalars/white-knight.rules", "WhiteKnight[m: 3, n: 4]"),
    ("strips/toads-and-frogs.rules", "tt..ff"),
    ("strips/silver-dollar.rules", ".c..c...c"),
    ("n-player/hackenbush.rules", "Queer"),
];

/// The first ruleset of a file, as written, below what it needs of the file: the version of the language, the files that are
/// used, and definitions above it.
fn rule(text: &str) -> String {
    let is_ruleset = |l: &&str| l.starts_with("ruleset ");
    let of_rules = text.lines().any(|l| is_ruleset(&l));
    let head = || text.lines().take_while(|l| !is_ruleset(l));
    let beginning = |word: &'static str| head().filter(move |l| l.starts_with(word));
    let blocks = [
        beginning("language ").collect(),
        beginning("use ").collect(),
        beginning("let ").filter(|_| of_rules).collect(),
        text.lines()
            .skip_while(|l| !is_ruleset(l))
            .take_while(|l| !l.trim().is_empty())
            .collect::<Vec<_>>(),
    ];
    let blocks = blocks.iter().filter(|b| !b.is_empty());
    let blocks: Vec<String> = blocks.map(|b| b.join("\n")).collect();
    blocks.join("\n\n")
}

/// The first sentence of what stands above the rules, and its books.
fn above(file: shipped::Shipped) -> String {
    file.about().collect::<Vec<_>>().join(" ")
}

/// Where a game comes from: its documentation from the line on that begins as a reference does, with initials or a title.
fn source(file: shipped::Shipped) -> Option<String> {
    const TITLES: [&str; 11] = [
        "Winning Ways",
        "On Numbers and Games",
        "Lessons in Play",
        "Traditional",
        "Folklore",
        "As ",
        "A form of",
        "The impartial form",
        "The ruleset",
        "Problem ",
        "Triangle Game, arXiv",
    ];
    let initials = |line: &str| {
        let mut chars = line.chars();
        chars.next().is_some_and(char::is_uppercase)
            && chars.next() == Some('.')
            && chars.next() == Some(' ')
            && chars.next().is_some_and(char::is_uppercase)
    };
    let begins = |line: &&str| initials(line) || TITLES.iter().any(|t| line.starts_with(t));
    let docs = || file.text.lines().filter_map(|l| l.strip_prefix("///"));
    let found: Vec<&str> = file.about().skip_while(|l| !begins(l)).collect();
    match found[..] {
        // A file of several games: each names its own, and the first counts.
        [] => docs()
            .map(str::trim)
            .find(|l| l.contains("(19") || l.contains("(20"))
            .map(str::to_owned),
        _ => Some(found.join(" ")),
    }
}

/// The games that are shown: what stands in no folder is for others to use, and papers have pages of their own.
fn shown() -> impl Iterator<Item = shipped::Shipped> {
    shipped::all().filter(|file| {
        let apart = ["papers", "values"];
        !file.folder().is_empty() && !apart.iter().any(|f| file.folder().starts_with(f))
    })
}

/// What a game is called in the gallery.
fn called(file: shipped::Shipped) -> String {
    match file.folder() {
        "n-player" => format!("n-player/{}", file.name()),
        _ => file.name().to_owned(),
    }
}

/// A link to its place in the gallery.
fn linked(file: shipped::Shipped) -> String {
    let name = called(file);
    format!("[{name}](gallery.md#{})", name.replace('/', ""))
}

#[test]
fn the_library_is_indexed() {
    let games: Vec<shipped::Shipped> = shown().collect();
    let cell = |text: &str| {
        text.replace('|', "\\|")
            .replace('*', "\\*")
            .replace('<', "&lt;")
    };
    let mut page = format!(
        "# The library\n\n\
         <!-- Written by `UPDATE_DOCS=1 cargo test --test language pages` from the shipped rulesets; changes here are lost. -->\n\n\
         The program comes with {} files of rules; this page lists the {} that are games, by family, by board and by source. The\n\
         [gallery](gallery.md) shows each with its rules and a picture. `cgdsl list --family tokens` lists a family, and `cgdsl list --search\n\
         'token graph'` lists the files with these words in their documentation. For some games the tables say what is *known* and what is\n\
         *open*, according to the sources.\n",
        shipped::all().count(),
        games.len()
    );
    let _ = writeln!(page, "\n## By family");
    for (family, title) in shipped::FAMILIES {
        let of: Vec<_> = games.iter().filter(|f| f.family() == *family).collect();
        if of.is_empty() {
            continue;
        }
        let _ = writeln!(
            page,
            "\n### {title}\n\n`cgdsl list --family {family}`\n\n| game | board | source | known | open |\n|---|---|---|---|---|"
        );
        for file in of {
            let from = source(*file).unwrap_or_else(|| panic!("{}: no source", file.path));
            let note = |word: &str| cell(file.note(word).unwrap_or(""));
            let _ = writeln!(
                page,
                "| {} | {} | {} | {} | {} |",
                linked(*file),
                file.boards().join(", "),
                cell(from.trim_end_matches('.')),
                note("Known"),
                note("Open")
            );
        }
    }
    let mut index = |title: &str, groups: &[(String, Vec<String>)]| {
        let _ = writeln!(page, "\n## {title}\n");
        for (name, files) in groups {
            if !files.is_empty() {
                let _ = writeln!(page, "- **{name}**: {}", files.join(", "));
            }
        }
    };
    let gathered = |fits: &dyn Fn(shipped::Shipped) -> bool| -> Vec<String> {
        let of = games.iter().filter(|f| fits(**f));
        of.map(|f| linked(*f)).collect()
    };
    let boards: BTreeSet<&str> = games.iter().flat_map(|f| f.boards()).collect();
    let by_board: Vec<_> = boards
        .iter()
        .map(|b| ((*b).to_owned(), gathered(&|f| f.boards().contains(b))))
        .collect();
    index("By kind of board", &by_board);
    // The years of papers are those in parentheses, or of an arXiv number.
    let year = |f: shipped::Shipped| -> Option<u32> {
        let from = source(f)?;
        let places = from.match_indices('(').map(|(i, _)| i + 1);
        places
            .filter_map(|i| from.get(i..i + 4)?.parse().ok())
            .find(|y| (1700..2100).contains(y))
    };
    let books = [
        "Winning Ways",
        "On Numbers and Games",
        "Lessons in Play",
        "Games of No Chance",
        "Integers",
    ];
    let mut by_source: Vec<_> = books
        .iter()
        .map(|b| {
            (
                (*b).to_owned(),
                gathered(&|f| source(f).is_some_and(|s| s.contains(b))),
            )
        })
        .collect();
    let ages = [
        (1700, 1949),
        (1950, 1969),
        (1970, 1989),
        (1990, 1999),
        (2000, 2009),
        (2010, 2019),
        (2020, 2099),
    ];
    for (from, to) in ages {
        let name = match (from, to) {
            (1700, _) => format!("papers up to {to}"),
            (_, 2099) => format!("papers since {from}"),
            _ => format!("papers of {from} to {to}"),
        };
        by_source.push((
            name,
            gathered(&|f| year(f).is_some_and(|y| (from..=to).contains(&y))),
        ));
    }
    index("By source", &by_source);
    let _ = writeln!(page, "\n## What is open\n");
    for file in &games {
        if let Some(open) = file.note("Open") {
            let _ = writeln!(page, "- {}: {}", linked(*file), cell(open));
        }
    }
    let mut changed = Vec::new();
    same(&mut changed, "library.md", &page);
    assert_same(&changed);
}

fn card(path: &str) -> Option<Card> {
    let settings = Settings {
        style: Style::Unicode,
        ..Settings::default()
    };
    let mut session = Session::new(&Disk, settings);
    let mut loaded = session.load(&format!("rulesets/{path}"));
    match CHOSEN.iter().find(|(p, _)| *p == path) {
        Some((_, position)) => {
            let query = session
                .position(&mut loaded, position)
                .unwrap_or_else(|d| panic!("{path} {position}: {d:?}"));
            loaded.queries = vec![query];
        }
        None => {
            use cgdsl::model::typed::{QueryKind, Sort};
            loaded.queries.retain(|q| {
                q.kind == QueryKind::Eval && q.body.iter().all(|e| e.sort == Sort::Position)
            });
            loaded.queries.truncate(1);
        }
    }
    let items = session.evaluate(&loaded, |_, _| {});
    items.into_iter().find_map(|i| match i.answer {
        Answer::Card(card) => Some(*card),
        _ => None,
    })
}

/// What is known of a position, in a line.
fn values(card: &Card) -> String {
    let cell = |text: &str| paper::inline(text, paper::Format::Markdown);
    let mut parts = Vec::new();
    if let Some(value) = &card.value {
        parts.push(format!("value {}", cell(value)));
    }
    if let Some(outcome) = &card.outcome {
        parts.push(outcome.clone());
    }
    if let Some(t) = card.temperature.as_ref().filter(|_| card.nimber.is_none()) {
        parts.push(format!("temperature {t}"));
    }
    for c in &card.coalitions {
        let who = c
            .winner
            .as_deref()
            .map_or("nobody wins alone".to_owned(), |w| format!("{w} wins"));
        parts.push(format!("{who} if {} starts", c.first));
    }
    parts.join(", ")
}

#[test]
fn the_gallery_shows_every_ruleset() {
    let mut changed = Vec::new();
    let mut page = String::from(
        "# Gallery\n\n\
         <!-- Written by `UPDATE_DOCS=1 cargo test --test language pages` from the shipped rulesets; changes here are lost. -->\n\n\
         All rulesets that come with the program, each with its rules, a position and its value. `cgdsl eval NAME` evaluates the\n\
         whole file, and `cgdsl new --like NAME` prints a copy to change. Left is blue, with discs and solid lines; Right is vermilion, with\n\
         squares and dashed lines; green belongs to both.\n",
    );
    let mut folder = "";
    let mut pictures = BTreeSet::new();
    let mut count = 0;
    for file in shown() {
        if file.folder() != folder {
            folder = file.folder();
            let title = match folder {
                "n-player" => "Many players".to_owned(),
                other => other[..1].to_uppercase() + &other[1..],
            };
            let _ = writeln!(page, "\n## {title}");
        }
        let card = card(file.path).unwrap_or_else(|| panic!("{}: nothing to show", file.path));
        count += 1;
        let name = called(file);
        // What is shown can be copied and read as it stands.
        let listing = rule(file.text);
        let world = Memory::default().with("shown.rules", listing.clone());
        let mut alone = Session::new(&world, Settings::default());
        let problems = alone.load("shown.rules").diagnostics;
        assert!(problems.is_empty(), "{name}: {problems:?}");
        let about = above(file).replace('<', "&lt;").replace('*', "\\*");
        let _ = writeln!(
            page,
            "\n### {name}\n\n{about}\n\n```rules\n{}\n```\n",
            listing
        );
        let figure = card.picture.figure.as_deref().expect("small");
        let empty = |b: &BoardFigure| matches!(b, BoardFigure::Nothing);
        if !figure.terms.iter().all(|t| empty(&t.board)) {
            let picture = format!("pictures/gallery/{}.svg", name.replace('/', "-"));
            let scene = draw::scene(figure);
            let _ = writeln!(
                page,
                "![{}]({picture})\n",
                scene.description.replace(['[', ']'], "")
            );
            same(&mut changed, &picture, &draw::svg(&scene));
            pictures.insert(picture);
        }
        let _ = writeln!(page, "`{}`: {}.", card.picture.text, values(&card));
    }
    assert!(count > 50, "only {count}");
    same(&mut changed, "gallery.md", &page);
    // No picture is left over.
    for entry in std::fs::read_dir(docs().join("pictures/gallery")).expect("the folder") {
        let name = entry
            .expect("a file")
            .file_name()
            .into_string()
            .expect("a name");
        let name = format!("pictures/gallery/{name}");
        assert!(pictures.contains(&name), "{name} belongs to no ruleset");
    }
    assert_same(&changed);
}

/// Pages of the book below a folder.
fn pages(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|e| e == "md") {
            found.insert(path);
        }
    }
}

/// The targets of the links of a page, `](target)`, without code.
fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
            continue;
        }
        if inside {
            continue;
        }
        // What stands between backticks is no link.
        let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join(" ");
        let mut rest = prose.as_str();
        while let Some(at) = rest.find("](") {
            rest = &rest[at + 2..];
            if let Some(end) = rest.find(')') {
                found.push(rest[..end].to_owned());
            }
        }
    }
    found
}

#[test]
fn the_book_lists_every_page_and_no_link_is_dead() {
    let book = std::fs::read_to_string(docs().join("book.toml")).expect("book.toml");
    assert!(book.contains("src = \".\"") && book.contains("[book]"));
    let mut all = BTreeSet::new();
    pages(&docs(), &mut all);
    let summary = std::fs::read_to_string(docs().join("SUMMARY.md")).expect("SUMMARY.md");
    let listed: Vec<String> = links(&summary);
    for page in &all {
        let name = page
            .strip_prefix(docs())
            .expect("below")
            .to_string_lossy()
            .replace('\\', "/");
        if name.ends_with("SUMMARY.md") {
            continue;
        }
        let count = listed.iter().filter(|l| **l == name).count();
        assert_eq!(count, 1, "{name} is in SUMMARY.md {count} times");
    }
    for page in &all {
        let text = std::fs::read_to_string(page).expect("a page");
        for link in links(&text) {
            if link.starts_with("http") || link.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => page.clone(),
                file => page.parent().expect("a folder").join(file),
            };
            assert!(target.exists(), "{}: {link} leads nowhere", page.display());
            let target = target.canonicalize().expect("it exists");
            let inside = target.starts_with(docs().canonicalize().expect("a folder"));
            assert!(inside, "{}: {link} leaves the book", page.display());
            if !anchor.is_empty() && target.extension().is_some_and(|e| e == "md") {
                let text = std::fs::read_to_string(&target).expect("a page");
                let heads = text.lines().filter(|l| l.starts_with('#'));
                let mut anchors = heads.map(|h| {
                    let title = h.trim_start_matches('#').trim().to_lowercase();
                    let kept = title
                        .chars()
                        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
                    kept.collect::<String>().replace(' ', "-")
                });
                assert!(
                    anchors.any(|a| a == anchor),
                    "{}: no {link}",
                    page.display()
                );
            }
        }
    }
}
