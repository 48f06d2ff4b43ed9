//! The cost of computing all coalitions of n-player Hackenbush: `cargo bench --bench coalitions`.
//!
//! Positions by hand and from the rules file, all coalitions, whoever begins, and the same by the pass over all coalitions alone;
//! then the growth with the number of edges, of the pass and of Algorithm 1 (A. Cincotti, Integers 9, 2009), which decides one
//! coalition at a time and stores nothing. The random positions come from a seed; everything is measured in one run.

#[allow(dead_code)]
#[path = "../examples/hackenbush.rs"]
mod hackenbush;

use cgdsl::engine::{Coalition, Engine};
use cgdsl::game::{Limits, Player, Shortcut, Shortcuts};
use cgdsl::session::{Answer, Disk, Session, Settings};
use hackenbush::{Edge, Hackenbush};
use std::fmt::Write;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

const MEMORY: usize = 2 << 30;

/// The processor time of this thread, the only one; where the system does not report it, the time since the first call.
fn clock() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let start = *START.get_or_init(Instant::now);
    std::fs::read_to_string("/proc/self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next().and_then(|n| n.parse().ok()))
        .map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// The number of calls after which Algorithm 1 is given up.
const CALLS: u64 = 20_000_000;

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % n as u64).unwrap_or(0)
    }
}

/// A picture: vertex 0 is the ground, players are numbered from 1.
struct Picture {
    players: u8,
    edges: Vec<(u8, u8, u8)>,
}

impl Picture {
    fn strings(players: u8, strings: &[Vec<u8>]) -> Picture {
        let mut edges = Vec::new();
        let mut top = 0;
        for string in strings {
            let mut below = 0;
            for label in string {
                top += 1;
                edges.push((below, top, *label));
                below = top;
            }
        }
        Picture { players, edges }
    }

    fn random_strings(players: u8, strings: usize, length: usize, seed: u64) -> Picture {
        let mut random = Random(seed);
        let all: Vec<Vec<u8>> = (0..strings)
            .map(|_| {
                (0..length)
                    .map(|_| 1 + random.below(usize::from(players)) as u8)
                    .collect()
            })
            .collect();
        Picture::strings(players, &all)
    }

    /// A random tree with additional random edges.
    fn random_graph(players: u8, vertices: usize, edges: usize, seed: u64) -> Picture {
        let mut random = Random(seed);
        let mut ends: Vec<(u8, u8)> = (1..vertices)
            .map(|v| (random.below(v) as u8, v as u8))
            .collect();
        while ends.len() < edges {
            let (u, v) = (random.below(vertices) as u8, random.below(vertices) as u8);
            if u < v && !ends.contains(&(u, v)) {
                ends.push((u, v));
            }
        }
        let labelled = ends
            .into_iter()
            .map(|(u, v)| (u, v, 1 + random.below(usize::from(players)) as u8));
        Picture {
            players,
            edges: labelled.collect(),
        }
    }

    fn by_hand(&self) -> Hackenbush {
        let edges: Vec<Edge> = self
            .edges
            .iter()
            .map(|(u, v, label)| Edge {
                ends: [*u, *v],
                owners: 1 << (label - 1),
            })
            .collect();
        Hackenbush::new(self.players, &edges)
    }

    fn text(&self) -> String {
        let vertex = |v: u8| {
            if v == 0 {
                "ground".to_owned()
            } else {
                format!("v{v}")
            }
        };
        let mut text = String::new();
        for (u, v, label) in &self.edges {
            let comma = if text.is_empty() { "" } else { ", " };
            let _ = write!(text, "{comma}{} -{label}- {}", vertex(*u), vertex(*v));
        }
        format!("NHackenbush({})[{text}]", self.players)
    }
}

/// Figure 2 of the paper: four variables, three clauses.
fn figure_2() -> Picture {
    let clauses: [&[i8]; 3] = [&[1, -2, 3], &[-1, 2, 4], &[-1, 3, -4]];
    let mut strings: Vec<Vec<u8>> = Vec::new();
    for x in 1..=4i8 {
        for literal in [x, -x] {
            let carried = (0..3u8)
                .rev()
                .filter(|j| clauses[usize::from(*j)].contains(&literal));
            strings.push(
                [x.unsigned_abs()]
                    .into_iter()
                    .chain(carried.map(|j| 5 + j))
                    .collect(),
            );
        }
    }
    strings.push(vec![8, 8]);
    strings.push(vec![9, 7, 6, 5, 9]);
    Picture::strings(9, &strings)
}

fn seconds(time: Duration) -> String {
    format!("{:.5} s", time.as_secs_f64())
}

/// The result of a run, and its mean time over as many runs as fill a tenth of a second.
fn timed<T>(mut run: impl FnMut() -> T) -> (T, Duration) {
    let start = clock();
    let mut runs = 0;
    loop {
        let found = run();
        runs += 1;
        let time = clock().saturating_sub(start);
        if time >= Duration::from_millis(100) {
            return (found, time / runs);
        }
    }
}

/// The result for all coalitions.
struct Found {
    /// The number of minimal winning coalitions, over all players who may begin.
    minimal: usize,
    states: u64,
    bytes: usize,
}

/// The shortcuts with which the pass over all coalitions answers.
fn pass() -> Shortcuts {
    Shortcuts::ALL.without(&[Shortcut::Duel])
}

fn by_hand(picture: &Picture, shortcuts: Shortcuts) -> Option<Found> {
    let game = picture.by_hand();
    let limits = Limits {
        memory: MEMORY,
        ..Limits::default()
    };
    let engine = Engine::new(limits).with_shortcuts(shortcuts);
    let mut search = engine.search(&game);
    let mut minimal = 0;
    for first in 0..picture.players {
        let found = search.coalitions(&game.whole(), Player(first)).ok()?;
        minimal += found.answer.minimal()?.len();
        if found.degraded {
            return None;
        }
    }
    let statistics = engine.statistics();
    Some(Found {
        minimal,
        states: statistics.states,
        bytes: statistics.bytes,
    })
}

/// The number of minimal winning coalitions, as text.
fn from_text(picture: &Picture) -> Option<String> {
    let world = Disk;
    let mut session = Session::new(
        &world,
        Settings {
            limits: Limits {
                memory: MEMORY,
                ..Limits::default()
            },
            ..Settings::default()
        },
    );
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/rulesets/n-player/hackenbush.rules"
    );
    let mut loaded = session.load(file);
    let question = format!(
        "sum(size(coalitions({}, first: f)) for f in 1..{})",
        picture.text(),
        picture.players
    );
    loaded.queries = vec![session.expression(&mut loaded, &question).ok()?];
    let items = session.evaluate(&loaded, |_, _| {});
    match items.first().map(|i| &i.answer) {
        Some(Answer::Value(value)) if items[0].diagnostics.is_empty() => Some(value.value.clone()),
        _ => None,
    }
}

/// All coalitions, whoever begins: by hand, from the rules file, and, if it ends, by the pass.
fn case(name: &str, picture: &Picture, pass_ends: bool) {
    let (found, hand) = timed(|| by_hand(picture, Shortcuts::ALL));
    let (said, text) = timed(|| from_text(picture));
    let Some(found) = found else {
        return println!("{name:40} met a limit");
    };
    let mut same = said == Some(found.minimal.to_string());
    let mebibytes = |found: &Found| found.bytes as f64 / f64::from(1 << 20);
    let mut by_pass = String::new();
    if pass_ends {
        let (passed, time) = timed(|| by_hand(picture, pass()));
        same &= passed.as_ref().map(|p| p.minimal) == Some(found.minimal);
        by_pass = passed.map_or_else(String::new, |passed| {
            let (states, held) = (passed.states, mebibytes(&passed));
            format!("{:>10} {states:>9} states {held:>6.1} MiB", seconds(time))
        });
    }
    println!(
        "{name:40} by hand {:>10}  from text {:>10} {:>9} states {:>6.1} MiB  pass {by_pass}{}",
        seconds(hand),
        seconds(text),
        found.states,
        mebibytes(&found),
        if same { "" } else { "  THE METHODS DIFFER" },
    );
}

/// The pass and Algorithm 1 on one picture, with player 1 to move.
fn growth(picture: &Picture) {
    let game = picture.by_hand();
    let n = picture.players;
    let (all, pass) = timed(|| {
        let limits = Limits {
            memory: MEMORY,
            ..Limits::default()
        };
        let engine = Engine::new(limits).with_shortcuts(pass());
        let found = engine.search(&game).coalitions(&game.whole(), Player(0));
        found.map(|f| (f.answer, engine.statistics().states))
    });
    let Ok((all, states)) = all else {
        return println!("{:5}  the pass met a limit", picture.edges.len());
    };
    let ((calls, given_up, same), algorithm_1) = timed(|| {
        let engine = Engine::new(Limits {
            nodes: Some(CALLS),
            ..Limits::default()
        });
        let mut search = engine.search(&game);
        let (mut given_up, mut same) = (false, true);
        // Exactly one of a coalition and its complement wins, so half of the coalitions determine all.
        for members in 0..1u32 << (n - 1) {
            let coalition: Coalition = (0..n)
                .filter(|p| members >> p & 1 == 1)
                .map(Player)
                .collect();
            match search.wins_without_memory(&game.whole(), &coalition, Player(0)) {
                Ok(wins) => same &= wins == all.wins(&coalition),
                Err(_) => {
                    given_up = true;
                    break;
                }
            }
        }
        (engine.statistics().calls, given_up, same)
    });
    let more = if given_up { "> " } else { "" };
    println!(
        "{:5}  {:>11} {:>12}  {:>13} {:>13}  {:>9} {:>9}{}",
        picture.edges.len(),
        states,
        seconds(pass),
        format!("{more}{calls}"),
        format!("{more}{}", seconds(algorithm_1)),
        format!("{more}{:.0}", calls as f64 / states.max(1) as f64),
        format!(
            "{more}{:.0}",
            algorithm_1.as_secs_f64() / pass.as_secs_f64()
        ),
        if same { "" } else { "  THE METHODS DIFFER" },
    );
}

fn main() {
    println!("All coalitions, whoever begins; seconds of processor time\n");
    case("Figure 2 (9 players, 10 strings)", &figure_2(), true);
    for seed in 1..=4 {
        let picture = Picture::random_strings(12, 8, 5, seed);
        case(
            &format!("12 players, 8 strings of 5, seed {seed}"),
            &picture,
            true,
        );
    }
    for (players, vertices, edges, pass_ends) in [(5, 12, 20, true), (3, 20, 30, false)] {
        for seed in 1..=4 {
            let picture = Picture::random_graph(players, vertices, edges, seed);
            case(
                &format!("{players} players, {vertices} vertices, {edges} edges, seed {seed}"),
                &picture,
                pass_ends,
            );
        }
    }
    for (players, strings) in [(3, 8), (6, 8), (16, 8)] {
        let picture = Picture::random_strings(players, strings, 5, 1);
        case(
            &format!("{players} players, {strings} strings of 5"),
            &picture,
            true,
        );
    }
    for players in [4, 12] {
        println!("\n{players} players on strings of 3, player 1 to move: all coalitions\n");
        println!(
            "edges       states         pass          calls   Algorithm 1    calls x    time x"
        );
        for strings in 1..=if players == 4 { 10 } else { 8 } {
            growth(&Picture::random_strings(players, strings, 3, 7));
        }
    }
}
