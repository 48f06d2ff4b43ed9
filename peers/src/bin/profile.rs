//! The algebra of values raced against the crate `cgt` in one run: the same random games, the same work, every result
//! of the one compared with the other's.
//!
//! `cargo run --release --bin algebra [seed]` prints one line a task: seconds of both, and the ratio.

use cgdsl::value::{CanonicalForm as Ours, Forms};
use cpu_time::ThreadTime;

/// A game as written, the common source of both.
struct Tree {
    left: Vec<Tree>,
    right: Vec<Tree>,
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
    fn hot(&mut self) -> Tree {
        let mut x: Vec<i64> = (0..3).map(|_| self.below(25) as i64 - 12).collect();
        x.sort_by_key(|n| -n);
        let pair = |a: Tree, b: Tree| Tree {
            left: vec![a],
            right: vec![b],
        };
        if self.below(2) == 0 {
            pair(integer(x[0]), integer(x[2]))
        } else {
            pair(integer(x[0]), pair(integer(x[1]), integer(x[2])))
        }
    }

    /// Hot, tepid and cold games of at most this depth, up to three options a side, Left's higher by `heat`.
    fn mixed(&mut self, depth: u32, about: i64, heat: i64) -> Tree {
        if depth == 0 || self.below(9) == 0 {
            let leaf = integer(about + self.below(5) as i64 - 2);
            return match self.below(4) {
                0 => Tree {
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
        Tree { left, right }
    }
}

fn integer(n: i64) -> Tree {
    Tree {
        left: if n > 0 { vec![integer(n - 1)] } else { vec![] },
        right: if n < 0 { vec![integer(n + 1)] } else { vec![] },
    }
}

fn ours(forms: &Forms, t: &Tree) -> Ours {
    let left: Vec<_> = t.left.iter().map(|x| ours(forms, x)).collect();
    let right: Vec<_> = t.right.iter().map(|x| ours(forms, x)).collect();
    forms.from_options(&left, &right).expect("room")
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

fn main() {
    let which = std::env::args().nth(1).unwrap_or_default();
    let mut rng = Rng(0x9e37_79b9_7f4a_7c15 ^ 7);
    let sums: Vec<Vec<Tree>> = (0..200)
        .map(|i| (0..1 + i % 5).map(|_| rng.hot()).collect())
        .collect();
    if which == "hot" {
        for _ in 0..60 {
            let start = Clock::start();
            let forms = Forms::new();
            for games in &sums {
                games.iter().fold(Ours::ZERO, |sum, t| {
                    forms.add(sum, ours(&forms, t)).expect("room")
                });
            }
            println!(
                "{:.5} forms {} memory {}",
                start.seconds(),
                forms.len(),
                forms.memory()
            );
        }
        return;
    }
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
    if which == "order" {
        for _ in 0..100 {
            let start = Clock::start();
            let mut n = 0;
            for (i, j) in &pairs {
                n += forms.less_or_equal(mine[*i], mine[*j]).expect("room") as usize;
            }
            println!("{:.5} {n}", start.seconds());
        }
        return;
    }
    let start = Clock::start();
    for (i, j) in &pairs {
        forms.add(mine[*i], mine[*j]).expect("room");
    }
    println!("{:.5} {}", start.seconds(), forms.len());
}
