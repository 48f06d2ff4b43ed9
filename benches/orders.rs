//! Removal games on orders, from their text: Chomp boards, and random orders of 30 points by width, each with the method that
//! was used. Run it with `cargo bench --bench orders`.
//!
//! Times are processor seconds of one run with a fresh engine, including reading and checking the file. An order of width w
//! is made by distributing 30 points among w chains and adding random relations; the same seed gives the same orders.

use cgdsl::session::{Answer, Disk, Session, Settings};
use cpu_time::ProcessTime;

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// An order of 30 points in `width` chains, with `relations` relations between the chains.
fn order(width: usize, relations: usize, random: &mut Random) -> String {
    let mut chains = vec![Vec::new(); width];
    for x in 0..30 {
        let chain = if x < width { x } else { random.below(width) };
        chains[chain].push(x);
    }
    let mut pairs: Vec<String> = Vec::new();
    for chain in &chains {
        pairs.extend(chain.windows(2).map(|w| format!("p{} < p{}", w[0], w[1])));
        if let [alone] = chain[..] {
            pairs.push(format!("p{alone}"));
        }
    }
    for _ in 0..relations {
        let (x, y) = (random.below(30), random.below(30));
        if x != y {
            pairs.push(format!("p{} < p{}", x.min(y), x.max(y)));
        }
    }
    pairs.join(", ")
}

/// The nimber of a poset game or its whole card, the time in seconds, and the method.
fn ask(board: &str, card: bool) -> (String, f64, String) {
    let world = Disk;
    let start = ProcessTime::now();
    let mut session = Session::new(&world, Settings::default());
    let mut loaded = session.load("poset-game");
    let text = match card {
        true => format!("PosetGame[{board}]"),
        false => format!("nimber(PosetGame[{board}])"),
    };
    loaded.queries.clear();
    match session.expression(&mut loaded, &text) {
        Ok(query) => loaded.queries.push(query),
        Err(d) => panic!("{text}: {d:?}"),
    }
    let items = session.evaluate(&loaded, |_, _| {});
    let seconds = start.elapsed().as_secs_f64();
    let answer = match &items[0].answer {
        Answer::Value(v) => v.value.clone(),
        Answer::Card(card) => card.nimber.clone().unwrap_or_default(),
        _ => "unknown".to_owned(),
    };
    let s = session.statistics();
    let road = match (s.joined, s.ranked) {
        (0, 0) => format!("general search, {} positions", s.expanded),
        (n, 0) => format!("series-parallel, {} parts", n + 1),
        (0, n) => format!("antichains, {n} positions"),
        (m, n) => format!("{} parts, antichains of {n} positions", m + 1),
    };
    (answer, seconds, road)
}

fn row(name: &str, board: &str, card: bool) {
    let (answer, seconds, road) = ask(board, card);
    println!("{name:<34} {answer:>6} {seconds:>8.3} s  {road}");
}

fn main() {
    let mut random = Random(30);
    for n in [10, 12, 13] {
        row(
            &format!("Chomp {n} x {n}, nimber"),
            &format!("chomp({n}, {n})"),
            false,
        );
        row(
            &format!("Chomp {n} x {n}, card"),
            &format!("chomp({n}, {n})"),
            true,
        );
    }
    row(
        "chain(50000) + chain(49999) / 2",
        "chain(50000) + chain(49998) / antichain(2)",
        false,
    );
    for width in [2, 3, 4, 5, 6, 8, 10] {
        for relations in [10, 40] {
            let board = order(width, relations, &mut random);
            row(
                &format!("30 points, width {width}, {relations} relations"),
                &board,
                false,
            );
        }
    }
}
