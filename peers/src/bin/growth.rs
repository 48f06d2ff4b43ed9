//! How the cost grows with the size of the board, beside the peers, in one run: prints a table of processor seconds and draws
//! `docs/pictures/growth.svg`. `cargo run --release --bin growth`
//!
//! A program leaves a family after the first size that takes it more than [`LONG`] seconds.

use cpu_time::ProcessTime;
use peers::{
    Answer, CGT, IGS, Row, chomp_on, col_on, cram_on, dominoes, ours, row, snort_on, strip,
};
use plotters::prelude::*;
use std::error::Error;

/// Seconds after which the next size is left out.
const LONG: f64 = 2.0;

/// Positions by size, and what is asked of them.
struct Family {
    title: &'static str,
    asked: &'static str,
    rows: Vec<(usize, Row)>,
}

/// Sizes with processor seconds.
type Series = Vec<(f64, f64)>;

fn family(
    title: &'static str,
    asked: &'static str,
    sizes: std::ops::RangeInclusive<usize>,
    file: &'static str,
    position: impl Fn(usize) -> String,
    (peer, theirs): (&'static str, fn(usize) -> Answer),
) -> Family {
    let one = |n| {
        let position = position(n);
        let name = position.clone();
        (n, row(name, file, &position, peer, move || theirs(n)))
    };
    Family {
        title,
        asked,
        rows: sizes.map(one).collect(),
    }
}

fn toads_and_frogs(n: usize) -> String {
    "t".repeat(n) + &".".repeat(n) + &"f".repeat(n)
}

fn families() -> [Family; 6] {
    [
        family(
            "Domineering, 4 by n",
            "value",
            2..=8,
            "domineering",
            |n| format!("Domineering[grid(4, {n})]"),
            (CGT, |n| dominoes(4, n)),
        ),
        family(
            "Snort, 3 by n",
            "value",
            2..=7,
            "graphs/snort.rules",
            |n| format!("Snort[grid(3, {n})]"),
            (CGT, |n| snort_on(3, n)),
        ),
        family(
            "Col, 3 by n",
            "value",
            2..=9,
            "graphs/col.rules",
            |n| format!("Col[grid(3, {n})]"),
            (CGT, |n| col_on(3, n)),
        ),
        family(
            "Toads and Frogs, n of each",
            "value",
            2..=7,
            "toads-and-frogs",
            |n| format!("ToadsAndFrogs[\"{}\"]", toads_and_frogs(n)),
            (CGT, |n| strip(&toads_and_frogs(n))),
        ),
        family(
            "Cram, 5 by n",
            "nimber",
            2..=9,
            "cram",
            |n| format!("Cram[grid(5, {n})]"),
            (IGS, |n| cram_on(5, n as u8)),
        ),
        family(
            "Chomp, n by n",
            "nimber",
            4..=14,
            "poset-game",
            |n| format!("PosetGame[chomp({n}, {n})]"),
            (IGS, |n| chomp_on(n as u8, n as u8)),
        ),
    ]
}

/// Both series of a family; what both programs answer is compared.
fn raced(family: &Family) -> [Series; 2] {
    let mut all = [Series::new(), Series::new()];
    let (mut own, mut peer) = (0.0, 0.0);
    for (n, row) in &family.rows {
        let theirs = (peer <= LONG).then(|| {
            let begin = ProcessTime::now();
            let answer = (row.theirs)();
            peer = begin.elapsed().as_secs_f64();
            all[1].push((*n as f64, peer));
            answer
        });
        if own <= LONG {
            let found;
            (own, found) = ours(row, family.asked);
            all[0].push((*n as f64, own));
            if let Some(theirs) = &theirs {
                theirs.compare(row, &found);
            }
        }
        let told = |s: Option<f64>| s.map_or_else(|| "–".to_owned(), |s| format!("{s:.4}"));
        println!(
            "| {} | {} | {} | {} |",
            row.name,
            told(all[0].iter().find(|p| p.0 == *n as f64).map(|p| p.1)),
            told(theirs.is_some().then_some(peer)),
            row.peer,
        );
    }
    all
}

fn draw(families: &[Family], all: &[[Series; 2]], file: &str) -> Result<(), Box<dyn Error>> {
    let root = SVGBackend::new(file, (960, 620)).into_drawing_area();
    root.fill(&WHITE)?;
    for ((panel, family), [own, peer]) in root.split_evenly((2, 3)).iter().zip(families).zip(all) {
        let sizes = family.rows.iter().map(|(n, _)| *n as f64);
        let (least, most) = sizes.fold((f64::INFINITY, 0.0), |(a, b): (f64, f64), n| {
            (a.min(n), b.max(n))
        });
        let mut chart = ChartBuilder::on(panel)
            .caption(family.title, ("sans-serif", 16))
            .margin(10)
            .x_label_area_size(28)
            .y_label_area_size(52)
            .build_cartesian_2d(least..most, (0.0001..300.0).log_scale())?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc("n")
            .y_desc("processor seconds")
            .x_labels((most - least) as usize + 1)
            .x_label_formatter(&|n| format!("{n:.0}"))
            .y_label_formatter(&|s| format!("{s}"))
            .draw()?;
        let name = family.rows.first().map_or("", |(_, row)| row.peer);
        chart
            .draw_series(LineSeries::new(own.iter().copied(), BLUE.stroke_width(2)))?
            .label("cgdsl")
            .legend(|(x, y)| Circle::new((x + 8, y), 4, BLUE.filled()));
        chart.draw_series(own.iter().map(|p| Circle::new(*p, 4, BLUE.filled())))?;
        chart
            .draw_series(DashedLineSeries::new(
                peer.iter().copied(),
                5,
                4,
                RED.stroke_width(2),
            ))?
            .label(name)
            .legend(|(x, y)| TriangleMarker::new((x + 8, y), 6, RED.filled()));
        chart.draw_series(
            peer.iter()
                .map(|p| TriangleMarker::new(*p, 6, RED.filled())),
        )?;
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.8))
            .draw()?;
    }
    root.present()?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("| position | cgdsl | peer | |");
    println!("|---|---|---|---|");
    let families = families();
    let all: Vec<[Series; 2]> = families.iter().map(raced).collect();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/pictures/growth.svg");
    draw(&families, &all, file)
}
