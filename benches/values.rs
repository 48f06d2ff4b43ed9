//! The algebra of values alone: all games born by day 2 and 3, the lattice of day 2, sums and comparisons of them, games with
//! many options, sums of hot games.
//!
//! Run it with `cargo bench --bench values`. Each figure is the minimum of several runs in processor seconds of one thread,
//! each in its own arena, so that nothing is remembered. `peers/` compares the same algebra with another program.

use cgdsl::value::{CanonicalForm, Forms, OutOfMemory};
use cpu_time::ThreadTime;

/// The least time of some runs, with their result.
fn least<T>(runs: u32, mut run: impl FnMut() -> T) -> (f64, T) {
    let once = |run: &mut dyn FnMut() -> T| {
        let start = ThreadTime::now();
        let found = run();
        (start.elapsed().as_secs_f64(), found)
    };
    let mut best = once(&mut run);
    for _ in 1..runs {
        let next = once(&mut run);
        if next.0 < best.0 {
            best = next;
        }
    }
    best
}

/// xorshift64*, so that every run has the same games.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }
}

fn main() -> Result<(), OutOfMemory> {
    let row = |name: &str, seconds: f64, found: String| {
        println!("{name:<44} {:>10.3} ms   {found}", 1000.0 * seconds);
    };
    for day in 0..=3 {
        let (seconds, found) = least(if day < 3 { 20 } else { 5 }, || {
            let forms = Forms::new();
            forms.born_by(day).map(|games| (games.len(), forms.len()))
        });
        let (games, forms) = found?;
        row(
            &format!("all games born by day {day}"),
            seconds,
            format!("{games} games, {forms} forms"),
        );
    }
    let (seconds, edges) = least(20, || {
        let forms = Forms::new();
        let games = forms.born_by(2)?;
        forms.hasse_edges(&games).map(|edges| edges.len())
    });
    row("the lattice of day 2", seconds, format!("{} lines", edges?));

    // Pairs of games born by day 3.
    let born = |forms: &Forms| forms.born_by(3);
    let mut rng = Rng(0x9e37_79b9_7f4a_7c15);
    let pairs: Vec<(usize, usize)> = (0..100_000)
        .map(|_| (rng.below(1474), rng.below(1474)))
        .collect();
    let forms = Forms::new();
    let games = born(&forms)?;
    let (seconds, found) = least(5, || {
        let mut below = 0;
        for (i, j) in &pairs {
            below += usize::from(forms.less_or_equal(games[*i], games[*j])?);
        }
        Ok::<usize, OutOfMemory>(below)
    });
    row(
        "100000 comparisons of games born by day 3",
        seconds,
        format!("{} hold", found?),
    );
    let (seconds, found) = least(3, || {
        let forms = Forms::new();
        let games = born(&forms)?;
        let start = ThreadTime::now();
        let mut zeros = 0;
        for (i, j) in &pairs {
            zeros += usize::from(forms.add(games[*i], games[*j])? == CanonicalForm::ZERO);
        }
        Ok::<_, OutOfMemory>((start.elapsed().as_secs_f64(), zeros, forms.len()))
    });
    let _ = seconds;
    let (seconds, zeros, stored) = found?;
    row(
        "100000 sums of games born by day 3",
        seconds,
        format!("{zeros} are 0, {stored} forms"),
    );

    // `{ | }` with twelve games on each side.
    let (seconds, found) = least(5, || {
        let forms = Forms::new();
        let games = born(&forms)?;
        let start = ThreadTime::now();
        for twelve in pairs.chunks_exact(12).take(2000) {
            let left: Vec<_> = twelve.iter().map(|(i, _)| games[*i]).collect();
            let right: Vec<_> = twelve.iter().map(|(_, j)| games[*j]).collect();
            forms.from_options(&left, &right)?;
        }
        Ok::<_, OutOfMemory>((start.elapsed().as_secs_f64(), forms.len()))
    });
    let _ = seconds;
    let (seconds, stored) = found?;
    row(
        "2000 games with twelve options a side",
        seconds,
        format!("{stored} forms"),
    );

    // Sums of one to five games {a|b} and {a||b|c}.
    let (seconds, stored) = least(5, || {
        let forms = Forms::new();
        let mut rng = Rng(0x9e37_79b9_7f4a_7c15);
        for k in 0..2000 {
            let mut sum = CanonicalForm::ZERO;
            for _ in 0..=k % 5 {
                let mut x = [(); 3].map(|()| rng.below(25) as i64 - 12);
                x.sort_unstable_by_key(|n| -n);
                let [a, b, c] = x.map(|n| forms.integer(n));
                let right = if rng.below(2) == 0 {
                    c?
                } else {
                    forms.from_options(&[b?], &[c?])?
                };
                sum = forms.add(sum, forms.from_options(&[a?], &[right])?)?;
            }
        }
        Ok::<usize, OutOfMemory>(forms.len())
    });
    row(
        "2000 sums of one to five hot games",
        seconds,
        format!("{} forms", stored?),
    );
    Ok(())
}
