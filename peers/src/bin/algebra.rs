//! The algebra of values raced against the crate `cgt` in one run: the same random games, the same work, every result
//! of the one compared with the other's.
//!
//! `cargo run --release --bin algebra [seed]` prints one line a task: seconds of both, and the ratio. With `--alone` the
//! peer stays out, for a profile; `--hot` ends after the sums of hot games.

use cgdsl::value::notation::read;
use cgdsl::value::{CanonicalForm as Ours, Forms};
use cgt::short::partizan::canonical_form::CanonicalForm as Theirs;
use cpu_time::ThreadTime;

/// A game as written, the common source of both: an integer, or options.
struct Tree {
    integer: Option<i64>,
    left: Vec<Tree>,
    right: Vec<Tree>,
}

/// `{a|b}` or `{a||b|c}`.
enum Hot {
    Switch(i64, i64),
    Threat(i64, i64, i64),
}

impl Hot {
    fn ours(&self, forms: &Forms) -> Ours {
        let pair = |a, b| forms.from_options(&[a], &[b]).expect("room");
        let integer = |n| forms.integer(n).expect("room");
        match *self {
            Hot::Switch(a, b) => pair(integer(a), integer(b)),
            Hot::Threat(a, b, c) => pair(integer(a), pair(integer(b), integer(c))),
        }
    }

    fn theirs(&self) -> Theirs {
        let pair = |a, b| Theirs::new_from_moves(vec![a], vec![b]);
        let integer = Theirs::new_integer;
        match *self {
            Hot::Switch(a, b) => pair(integer(a), integer(b)),
            Hot::Threat(a, b, c) => pair(integer(a), pair(integer(b), integer(c))),
        }
    }
}

struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n
    }

    /// `{a|b}` or `{a||b|c}` with a >= b >= c.
    fn hot(&mut self) -> Hot {
        let mut x: Vec<i64> = (0..3).map(|_| self.below(25) as i64 - 12).collect();
        x.sort_by_key(|n| -n);
        if self.below(2) == 0 {
            Hot::Switch(x[0], x[2])
        } else {
            Hot::Threat(x[0], x[1], x[2])
        }
    }

    /// Hot, tepid and cold games of at most this depth, up to three options a side, Left's higher by `heat`.
    fn mixed(&mut self, depth: u32, about: i64, heat: i64) -> Tree {
        if depth == 0 || self.below(9) == 0 {
            let leaf = integer(about + self.below(5) as i64 - 2);
            return match self.below(4) {
                0 => Tree {
                    integer: None,
                    left: vec![integer(0)],
                    right: vec![integer(0)],
                },
                _ => leaf,
            };
        }
        let left = (0..1 + self.below(3))
            .map(|_| self.mixed(depth - 1, about + heat, heat))
            .collect();
        let right = (0..1 + self.below(3))
            .map(|_| self.mixed(depth - 1, about - heat, heat))
            .collect();
        Tree {
            integer: None,
            left,
            right,
        }
    }
}

fn integer(n: i64) -> Tree {
    Tree {
        integer: Some(n),
        left: vec![],
        right: vec![],
    }
}

fn ours(forms: &Forms, t: &Tree) -> Ours {
    if let Some(n) = t.integer {
        return forms.integer(n).expect("room");
    }
    let left: Vec<_> = t.left.iter().map(|x| ours(forms, x)).collect();
    let right: Vec<_> = t.right.iter().map(|x| ours(forms, x)).collect();
    forms.from_options(&left, &right).expect("room")
}

fn theirs(t: &Tree) -> Theirs {
    if let Some(n) = t.integer {
        return Theirs::new_integer(n);
    }
    Theirs::new_from_moves(
        t.left.iter().map(theirs).collect(),
        t.right.iter().map(theirs).collect(),
    )
}

fn same(forms: &Forms, g: Ours, h: &Theirs) {
    let text = h.to_string();
    assert_eq!(read(forms, &text), Ok(g), "{text}");
}

/// Processor time of this thread, so that other work on the machine does not count.
struct Clock(ThreadTime);

impl Clock {
    fn start() -> Clock {
        Clock(ThreadTime::now())
    }

    fn seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}

fn report(name: &str, ours: f64, theirs: Option<f64>, aim: f64) {
    let Some(theirs) = theirs else {
        println!("{name:<44} cgdsl {ours:>9.4} s");
        return;
    };
    println!(
        "{name:<44} cgdsl {ours:>9.4} s   cgt {theirs:>9.3} s   ratio {:>7.1}   aim {aim}",
        theirs / ours
    );
}

/// Sums of k = 1, .., 5 games `{a|b}` and `{a||b|c}`.
fn hot_sums(rng: &mut Rng, count: usize, alone: bool) {
    let sums: Vec<Vec<Hot>> = (0..count)
        .map(|i| (0..1 + i % 5).map(|_| rng.hot()).collect())
        .collect();
    // The least of five runs, each in an arena of its own, so that nothing is remembered.
    let runs = (0..5).map(|_| {
        let start = Clock::start();
        let forms = Forms::new();
        let mine: Vec<Ours> = sums
            .iter()
            .map(|games| {
                games.iter().fold(Ours::ZERO, |sum, g| {
                    forms.add(sum, g.ours(&forms)).expect("room")
                })
            })
            .collect();
        (start.seconds(), forms, mine)
    });
    let (time, forms, mine) = runs.min_by(|a, b| a.0.total_cmp(&b.0)).expect("five runs");
    let start = Clock::start();
    let peer: Vec<Theirs> = sums
        .iter()
        .filter(|_| !alone)
        .map(|games| {
            games
                .iter()
                .map(Hot::theirs)
                .reduce(|sum, g| sum + g)
                .expect("at least one")
        })
        .collect();
    let peer_time = (!alone).then(|| start.seconds());
    for (g, h) in mine.iter().zip(&peer) {
        same(&forms, *g, h);
    }
    let name = format!("{count} sums of 1 to 5 hot games");
    report(&name, time, peer_time, 100.0);
}

fn main() {
    let alone = std::env::args().any(|a| a == "--alone");
    let seed = std::env::args()
        .skip(1)
        .find_map(|s| s.parse().ok())
        .unwrap_or(7);
    let mut rng = Rng(0x9e37_79b9_7f4a_7c15 ^ seed);

    for count in [200, 2000] {
        hot_sums(&mut rng, count, alone);
    }
    if std::env::args().any(|a| a == "--hot") {
        return;
    }
    // Distinct games, so that trivial ones do not repeat.
    let forms = Forms::new();
    let mut pool: Vec<Tree> = Vec::new();
    let mut mine: Vec<Ours> = Vec::new();
    while pool.len() < 1000 {
        let tree = rng.mixed(2 + pool.len() as u32 % 2, 0, pool.len() as i64 % 3);
        let g = ours(&forms, &tree);
        if !mine.contains(&g) {
            pool.push(tree);
            mine.push(g);
        }
    }
    let pairs: Vec<(usize, usize)> = (0..100_000)
        .map(|_| (rng.below(1000) as usize, rng.below(1000) as usize))
        .collect();
    let peer: Vec<Theirs> = pool.iter().filter(|_| !alone).map(theirs).collect();
    let peer_pairs = if alone { &[][..] } else { &pairs[..] };
    println!("1000 distinct mixed games with {} forms", forms.len());

    // Comparisons first, so that no sum has warmed a cache.
    let start = Clock::start();
    let mut order = Vec::with_capacity(pairs.len());
    for (i, j) in &pairs {
        order.push(forms.less_or_equal(mine[*i], mine[*j]).expect("room"));
    }
    let time = start.seconds();
    let start = Clock::start();
    let mut peer_order = Vec::with_capacity(pairs.len());
    for (i, j) in peer_pairs {
        peer_order.push(Theirs::leq(&peer[*i], &peer[*j]));
    }
    let peer_time = (!alone).then(|| start.seconds());
    assert!(alone || order == peer_order);
    report("100000 comparisons of mixed games", time, peer_time, 3.0);

    let start = Clock::start();
    let mut results = Vec::with_capacity(pairs.len());
    for (i, j) in &pairs {
        results.push(forms.add(mine[*i], mine[*j]).expect("room"));
    }
    let time = start.seconds();
    let start = Clock::start();
    let mut peer_results = Vec::with_capacity(pairs.len());
    for (i, j) in peer_pairs {
        peer_results.push(&peer[*i] + &peer[*j]);
    }
    let peer_time = (!alone).then(|| start.seconds());
    for (g, h) in results.iter().zip(&peer_results).step_by(50) {
        same(&forms, *g, h);
    }
    report("100000 sums of pairs of mixed games", time, peer_time, 13.0);
    println!("memory {} MiB, {} forms", forms.memory() >> 20, forms.len());
}
