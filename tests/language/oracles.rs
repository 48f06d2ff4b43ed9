//! Each expected value that a ruleset file takes `from program ".."` is computed again by the programs in
//! `tests/oracles/`, which share no module with the library: hand-coded games and a small algebra of their own. What a
//! file expects is read from the file, so the two cannot drift apart.

#[path = "../oracles/algebra.rs"]
mod algebra;
#[path = "../oracles/blocking_pebbles.rs"]
mod blocking_pebbles;
#[path = "../oracles/boards.rs"]
mod boards;
#[path = "../oracles/brute.rs"]
mod brute;
#[path = "../oracles/coalitions.rs"]
mod coalitions;
#[path = "../oracles/compounds.rs"]
mod compounds;
#[path = "../oracles/graphs.rs"]
mod graphs;
#[path = "../oracles/grids.rs"]
mod grids;
#[path = "../oracles/heaps.rs"]
mod heaps;
#[path = "../oracles/literal.rs"]
mod literal;
#[path = "../oracles/loopy.rs"]
#[allow(dead_code)]
mod loopy;
#[path = "../oracles/misere.rs"]
mod misere;
#[path = "../oracles/n_player.rs"]
mod n_player;
#[path = "../oracles/networks.rs"]
mod networks;
#[path = "../oracles/newcomers.rs"]
mod newcomers;
#[path = "../oracles/nim_like.rs"]
mod nim_like;
#[path = "../oracles/notation.rs"]
mod notation;
#[path = "../oracles/parlour.rs"]
mod parlour;
#[path = "../oracles/pieces.rs"]
mod pieces;
#[path = "../oracles/posets.rs"]
mod posets;
#[path = "../oracles/settlers.rs"]
mod settlers;
#[path = "../oracles/sowing.rs"]
mod sowing;
#[path = "../oracles/strips.rs"]
mod strips;
#[path = "../oracles/tallies.rs"]
mod tallies;
#[path = "../oracles/travellers.rs"]
mod travellers;
#[path = "../oracles/turns.rs"]
mod turns;
#[path = "../oracles/visitors.rs"]
mod visitors;
#[path = "../oracles/wanderers.rs"]
mod wanderers;

use algebra::Games;
use brute::{Case, Claim};
use literal::{Literal, split};
use std::path::{Path, PathBuf};

/// The game of a literal, hand-coded, from whichever program knows it.
fn case(text: &str) -> Option<Case> {
    let literal = match Literal::read(text) {
        Some(literal) => literal,
        None => {
            let (name, parameters) = literal::call(text)?;
            return blocking_pebbles::named(&Literal {
                name,
                parameters,
                entries: vec![],
            });
        }
    };
    let programs = [
        heaps::case,
        strips::case,
        grids::case,
        graphs::case,
        posets::case,
        blocking_pebbles::case,
        networks::case,
        newcomers::case,
        nim_like::case,
        parlour::case,
        pieces::case,
        settlers::case,
        travellers::case,
        turns::case,
        visitors::case,
    ];
    programs.iter().find_map(|program| program(&literal))
}

/// The files under `rulesets/`.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|e| e.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rules") {
            found.push(path);
        }
    }
}

/// Assertions, and claims that end `from program ".."`, without their line breaks and comments.
fn quoted(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a file");
    let mut items: Vec<String> = Vec::new();
    for line in text
        .lines()
        .map(|l| l.split("//").next().unwrap_or("").trim_end())
    {
        match items.last_mut() {
            Some(item) if line.starts_with(' ') => *item = format!("{item} {}", line.trim()),
            _ => items.push(line.to_string()),
        }
    }
    items.retain(|i| i.contains("from program") || i.starts_with("assert "));
    items
}

/// `[f(R[.. n ..]) for n in a..b]` as the list of its members; anything else as itself.
fn members(text: &str) -> Option<Vec<String>> {
    let Some(inner) = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')) else {
        return Some(vec![text.to_string()]);
    };
    let (body, range) = inner.rsplit_once(" for ")?;
    let (name, range) = range.split_once(" in ")?;
    let (a, b) = range.split_once("..")?;
    let (body, condition) = (body.trim(), b.split_once(" where "));
    let b = condition.map_or(b, |c| c.0).trim();
    let members = (a.trim().parse::<i32>().ok()?..=b.parse().ok()?)
        .map(|n| substitute(body, name.trim(), n))
        .collect();
    Some(members)
}

fn substitute(body: &str, name: &str, n: i32) -> String {
    let mut out = String::new();
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = body;
    while let Some(i) = rest.find(name) {
        let before = rest[..i].chars().last().or(out.chars().last());
        let whole = !before.is_some_and(letter)
            && !rest[i + name.len()..].chars().next().is_some_and(letter);
        out.push_str(&rest[..i]);
        out.push_str(if whole { "" } else { name });
        if whole {
            out.push_str(&n.to_string());
        }
        rest = &rest[i + name.len()..];
    }
    out + rest
}

/// Why an item is not confirmed: no program can read it, or the programs find something else.
enum Complaint {
    Unread(String),
    Wrong(String),
}

impl From<&str> for Complaint {
    fn from(reason: &str) -> Complaint {
        Complaint::Unread(reason.to_string())
    }
}

/// What the programs find for one side of an assertion, and whether the other side says the same.
fn judge(item: &str) -> Result<(), Complaint> {
    let body = item.rsplit_once(" from ").map_or(item, |b| b.0).trim();
    if let Some(rest) = body.strip_prefix("claim \"") {
        let name = rest.split('"').next().unwrap_or("");
        let known = posets::CLAIMS
            .iter()
            .chain(blocking_pebbles::CLAIMS)
            .chain(networks::CLAIMS)
            .chain(newcomers::CLAIMS)
            .chain(nim_like::CLAIMS)
            .chain(pieces::CLAIMS)
            .chain(boards::CLAIMS)
            .chain(compounds::CLAIMS)
            .chain(misere::CLAIMS)
            .chain(parlour::CLAIMS)
            .chain(settlers::CLAIMS)
            .chain(travellers::CLAIMS)
            .chain(turns::CLAIMS)
            .chain(CLAIMS)
            .find(|c| c.0 == name);
        let (_, check) = known.ok_or("no program knows this claim")?;
        return if check() {
            Ok(())
        } else {
            Err(Complaint::Wrong("the program finds it false".into()))
        };
    }
    let body = body
        .strip_prefix("assert ")
        .ok_or("neither assert nor claim")?;
    if let Some(text) = body.strip_prefix("IsQueer(NHackenbush(3)[") {
        return if n_player::queer(text) {
            Ok(())
        } else {
            Err(Complaint::Wrong("not queer".into()))
        };
    }
    // `assert wins(..)` and `assert not wins(..)`
    let (said, bare) = match body.strip_prefix("not ") {
        Some(rest) => ("false", rest),
        None => ("true", body),
    };
    if bare.starts_with("wins(") {
        let found = answer(&mut Games::default(), bare).map_err(Complaint::Unread)?;
        return if found == said {
            Ok(())
        } else {
            Err(Complaint::Wrong(format!("the program finds {found}")))
        };
    }
    let sign = if body.contains(" == ") { " == " } else { " = " };
    let sides = split(body, sign);
    let [found, expected] = sides.as_slice() else {
        return Err("no equation".into());
    };
    if let Some(position) = found
        .strip_prefix("value(")
        .and_then(|t| t.strip_suffix(')'))
        && let Some(holds) = wanderers::has_value(position, expected)
    {
        let wrong = || Complaint::Wrong("the program finds another value".into());
        return holds.then_some(()).ok_or_else(wrong);
    }
    let found = members(found).ok_or("a list of another kind")?;
    let listed = expected.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
    let expected = listed.map_or(vec![expected.clone()], |t| split(t, ","));
    let games = &mut Games::default();
    let answers: Result<Vec<String>, String> = found.iter().map(|f| answer(games, f)).collect();
    let answers = answers.map_err(Complaint::Unread)?;
    let same = answers.len() == expected.len()
        && answers.iter().zip(&expected).all(|(a, e)| {
            a == e || matches!((notation::read(games, a), notation::read(games, e)), (Some(x), Some(y)) if x == y)
        });
    if same {
        Ok(())
    } else {
        Err(Complaint::Wrong(format!(
            "the program finds [{}]",
            answers.join(", ")
        )))
    }
}

/// `winner(G, first: A)`, `wins(G, coalition: {A, B}, first: A)`, `coalitions(G, first: A)`: by brute force, as text.
fn of_many(query: &str, arguments: &str) -> Result<String, String> {
    let arguments = split(arguments, ",");
    let literal = Literal::read(&arguments[0]).ok_or("no position")?;
    let game = coalitions::case(&literal).ok_or("no program knows this position")?;
    let argument = |name: &str| {
        let found = arguments.iter().find_map(|a| a.strip_prefix(name));
        found.ok_or(format!("no {name}"))
    };
    let first = game.player(argument("first:")?).ok_or("no such player")?;
    match query {
        "winner" => Ok(game.winner(first)),
        "wins" => {
            let coalition = argument("coalition:")?;
            let coalition = game.coalition(coalition).ok_or("no coalition")?;
            Ok(game.wins(coalition, first).to_string())
        }
        _ => {
            let all: Vec<String> = game
                .minimal(first)
                .iter()
                .map(|c| {
                    let members = (0..game.names.len()).filter(|p| c >> p & 1 == 1);
                    let members: Vec<&str> = members.map(|p| &*game.names[p]).collect();
                    format!("{{{}}}", members.join(", "))
                })
                .collect();
            Ok(format!("{{{}}}", all.join(", ")))
        }
    }
}

/// `value(..)`, `nimber(..)` or `outcome(..)` by brute force, as text.
fn answer(games: &mut Games, text: &str) -> Result<String, String> {
    let (query, position) = text
        .strip_suffix(')')
        .and_then(|t| t.split_once('('))
        .ok_or("no query")?;
    if ["winner", "wins", "coalitions"].contains(&query) {
        return of_many(query, position);
    }
    if query == "score"
        && let Some((position, first)) = position.rsplit_once(", first: ")
    {
        let found = Literal::read(position)
            .and_then(|l| sowing::score(&l, first))
            .or_else(|| tallies::score(position, first))
            .ok_or("no program knows this position")?;
        return Ok(found.to_string());
    }
    if query == "outcome"
        && let Some(found) = Literal::read(position)
            .and_then(|l| wanderers::outcome(&l).or_else(|| turns::outcome(&l)))
    {
        return Ok(found.into());
    }
    let case = case(position).ok_or("no program knows this position")?;
    match query {
        "value" => {
            let value = case.value(games);
            Ok(notation::show(games, value))
        }
        "nimber" => case
            .nimber()
            .map(|n| n.to_string())
            .ok_or("not impartial".into()),
        "outcome" => Ok(case.outcome().into()),
        _ => Err(format!("no query {query}")),
    }
}

/// Claims of the library's files, by their names there.
const CLAIMS: &[Claim] = &[
    ("fewer than five edges", || {
        (1..5).all(|e| n_player::queer_strings(e) == 0)
    }),
    ("seven of them", || n_player::queer_strings(5) == 7),
    (
        "the second player wins at 0, 4, 8, 14, 20, 24, 28, 34, 38, 42, 54, 58 and nowhere else up to 60",
        || {
            let lost = [0, 4, 8, 14, 20, 24, 28, 34, 38, 42, 54, 58];
            dawsons_chess(60)
                .iter()
                .enumerate()
                .all(|(n, &g)| (g == 0) == lost.contains(&n))
        },
    ),
    ("0.F: a heap of odd size is worth *", || {
        (1..=12).all(|n| {
            case(&format!("Hexadecimal(\"0.F\")[{n}]")).and_then(|c| c.nimber()) == Some(n % 2)
        })
    }),
    (
        "two stacks: the longer one wins, equal ones the second player",
        || {
            let stacks =
                |a, b| case(&format!("EndNim[strip(2), stack: [{a}, {b}]]")).map(|c| c.outcome());
            (1..=5).all(|a| (1..=5).all(|b| (stacks(a, b) == Some("P-position")) == (a == b)))
        },
    ),
];

/// Nimbers of the placement game by the recurrence that Problem 82 states.
fn dawsons_chess(last: usize) -> Vec<usize> {
    let mut g: Vec<usize> = Vec::new();
    for n in 0..=last {
        let left = |i: usize| i.saturating_sub(2);
        let reached: Vec<usize> = (1..=n)
            .map(|i| g[left(i)] ^ g[(n - i).saturating_sub(1)])
            .collect();
        g.extend((0..).find(|m| !reached.contains(m)));
    }
    g
}

#[test]
fn the_programs_agree_with_the_files() {
    let mut paths = Vec::new();
    files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("rulesets"),
        &mut paths,
    );
    let mut failures = Vec::new();
    let mut checked = 0;
    // The readers panic on literals they do not know; that is an item left unread, not news.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    for path in &paths {
        for item in quoted(path) {
            let judged =
                std::panic::catch_unwind(|| judge(&item)).unwrap_or(Err("a reader gave up".into()));
            // An assertion with a citation is checked as well, where a program can read it.
            if !item.contains("from program") && matches!(judged, Err(Complaint::Unread(_))) {
                continue;
            }
            checked += 1;
            if let Err(Complaint::Unread(reason) | Complaint::Wrong(reason)) = judged {
                failures.push(format!("{}:\n  {item}\n  {reason}", path.display()));
            }
        }
    }
    std::panic::set_hook(hook);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    println!("{checked} items confirmed");
    assert!(checked > 100, "only {checked} items could be checked");
}

#[test]
fn the_programs_agree_with_the_corpus() {
    let games = &mut Games::default();
    for line in include_str!("../corpus/positions.tsv")
        .lines()
        .filter(|l| !l.starts_with('#'))
    {
        let fields: Vec<&str> = line.split('\t').collect();
        let found = answer(games, fields[1]).expect(line);
        assert_eq!(found, fields[2], "{line}");
    }
}

/// `ORACLE='value(Clobber["xo"])' cargo test --test language -- --nocapture oracles::ask` prints what the programs find.
#[test]
fn ask() {
    for text in std::env::var("ORACLE")
        .unwrap_or_default()
        .split(';')
        .filter(|t| !t.trim().is_empty())
    {
        let games = &mut Games::default();
        for member in members(text.trim()).expect("a list") {
            println!(
                "{member} = {}",
                answer(games, &member).unwrap_or_else(|e| e)
            );
        }
    }
}

#[test]
fn nim_for_three() {
    assert_eq!(n_player::nim_winner(&[1], 3, 0), Some(0));
    assert_eq!(n_player::nim_winner(&[1, 1], 3, 0), Some(1));
}

/// What `rulesets/papers/n-player-hackenbush.rules` says of Figure 1, by Algorithm 1.
#[test]
fn figure_1_is_queer() {
    assert!(n_player::queer(
        "ground -1- a -2- b, ground -1- c -3- d, ground -2- e, ground -3- f"
    ));
    assert!(n_player::wins(&[&[1, 3], &[2], &[3]], 3, &[3], 2));
    assert!(n_player::wins(&[&[1, 2], &[2], &[3]], 3, &[2], 2));
}

/// Theorem 3 of the same paper, for all formulas of two clauses over one variable and over two.
#[test]
fn theorem_3_of_n_player_hackenbush() {
    for first in 0..4u8 {
        for second in 0..4 {
            n_player::check_reduction(1, &[first, second]);
        }
    }
    for first in 0..16u8 {
        for second in 0..16 {
            n_player::check_reduction(2, &[first, second]);
        }
    }
}
