//! Draws a thermograph from the walls that `cgdsl value --json` gives. Temperatures increase upwards and values decrease to
//! the right, so that the left wall is on the left (*Winning Ways*, chapter 6).

use super::scene::{Anchor, Block, Dash, Form, Ink, Item, Scene, dash};
use crate::claim::{MARKS, Valued};
use crate::session::figure::Owner;

/// The largest side of the area with the walls, in pixels.
const SIDE: f64 = 320.0;

/// A corner: its value and temperature, each as text and as a number.
struct Corner {
    value: (String, f64),
    temperature: (String, f64),
}

/// An approximation of a number such as `-3/4`.
fn number(text: &str) -> f64 {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    let (a, b): (f64, f64) = (above.parse().unwrap_or(0.0), below.parse().unwrap_or(1.0));
    // Clamped, so that large values stay within the picture.
    (a / b).clamp(-1e9, 1e9)
}

fn corners(wall: &serde_json::Value) -> Vec<Corner> {
    let text = |v: Option<&serde_json::Value>| {
        let text = v.and_then(|v| v.as_str()).unwrap_or("0").to_owned();
        let number = number(&text);
        (text, number)
    };
    wall.as_array()
        .into_iter()
        .flatten()
        .map(|c| Corner {
            value: text(c.get(0)),
            temperature: text(c.get(1)),
        })
        .collect()
}

/// A number, in marks if the title is marked.
fn shown(text: &str, marked: bool) -> String {
    match marked {
        true => format!("{}{text}{}", MARKS[0], MARKS[1]),
        false => text.to_owned(),
    }
}

/// The picture of a value's thermograph: the left wall in Left's colour and line style, the right wall in Right's, with the
/// coordinates of corners at the axes.
#[must_use]
pub fn thermograph(v: &Valued) -> Scene {
    walls(&v.value, [&v.mean, &v.temperature], &v.thermograph)
}

/// The same from its parts: the value, its mean and temperature, and the thermograph in JSON
/// ([`Thermograph::to_json`](crate::value::Thermograph::to_json)).
#[must_use]
pub fn walls(value: &str, apex: [&str; 2], graph: &serde_json::Value) -> Scene {
    let [mean, temperature] = apex;
    let left = corners(&graph["left_wall"]);
    let right = corners(&graph["right_wall"]);
    let marked = value.contains(MARKS[0]);
    let all = || left.iter().chain(&right);
    let of = |f: fn(&Corner) -> f64, most: fn(f64, f64) -> f64, start: f64| {
        all().map(f).fold(start, most)
    };
    let high = of(|c| c.value.1, f64::max, f64::NEG_INFINITY).max(-1e9);
    let low = of(|c| c.value.1, f64::min, f64::INFINITY).min(1e9);
    let base = of(|c| c.temperature.1, f64::min, 0.0);
    let top = of(|c| c.temperature.1, f64::max, 0.0);
    // Room for the mast above its foot.
    let room = (top - base).max((high - low) / 2.0).max(1.0);
    let end = top + room / 4.0;
    let (span, rise) = ((high - low).max(0.5), end - base);
    // The same scale on both axes, so that slanted walls have a slope of 45 degrees.
    let scale = (SIDE / span).min(SIDE / rise);
    let x = |value: f64| (high - value) * scale;
    let y = |t: f64| (end - t) * scale;
    let mut block = Block::default();
    let (begin, finish) = (-24.0, x(low) + 40.0);
    // The axes: values at temperature 0, temperatures on the right.
    block.line((begin, y(0.0)), (finish, y(0.0)), Ink::Faint, 1.0);
    block.line((finish, y(base) + 8.0), (finish, y(end)), Ink::Faint, 1.0);
    // Fractions set as mathematics are wider and higher.
    let (apart, above) = if marked { (30.0, 26.0) } else { (22.0, 16.0) };
    let mut told: Vec<f64> = Vec::new();
    for c in all() {
        let at = x(c.value.1);
        if told.iter().all(|x| (x - at).abs() > apart) {
            block.line((at, y(0.0) - 3.0), (at, y(0.0) + 3.0), Ink::Faint, 1.0);
            let below = (at, y(base.min(0.0)) + 16.0);
            block.text(
                below,
                shown(&c.value.0, marked),
                12.0,
                Ink::Line,
                Anchor::Middle,
            );
            told.push(at);
        }
    }
    told.clear();
    let zero = Corner {
        value: ("0".to_owned(), 0.0),
        temperature: ("0".to_owned(), 0.0),
    };
    for c in all().chain([&zero]) {
        let at = y(c.temperature.1);
        if told.iter().all(|y| (y - at).abs() > above) {
            block.line((finish - 3.0, at), (finish + 3.0, at), Ink::Faint, 1.0);
            let beside = (finish + 8.0, at);
            block.text(
                beside,
                shown(&c.temperature.0, marked),
                12.0,
                Ink::Line,
                Anchor::Start,
            );
            told.push(at);
        }
    }
    block.text(
        (finish, y(end) - 14.0),
        "temperature",
        12.0,
        Ink::Faint,
        Anchor::Middle,
    );
    block.text(
        (x(f64::midpoint(high, low)), y(base.min(0.0)) + 36.0),
        "value",
        12.0,
        Ink::Faint,
        Anchor::Middle,
    );
    // Where the walls coincide, they are the mast.
    for (player, wall) in [(1, &right), (0, &left)] {
        let owner = Owner::Player(player);
        for pair in wall.windows(2) {
            block.items.push(Item::Path {
                from: (x(pair[0].value.1), y(pair[0].temperature.1)),
                control: None,
                to: (x(pair[1].value.1), y(pair[1].temperature.1)),
                ink: Ink::Owner(owner),
                width: 2.5,
                dash: dash(owner),
                arrow: false,
            });
        }
    }
    if let Some(last) = left.last() {
        let foot = (x(last.value.1), y(last.temperature.1));
        block.items.push(Item::Piece {
            form: Form::Disc,
            at: foot,
            radius: 3.0,
            fill: Ink::Line,
            border: Ink::Line,
        });
        block.items.push(Item::Path {
            from: foot,
            control: None,
            to: (foot.0, y(end)),
            ink: Ink::Line,
            width: 2.5,
            dash: Dash::Solid,
            arrow: true,
        });
    }
    let middle = x(f64::midpoint(high, low));
    block.text(
        (middle, y(end) - 52.0),
        value.to_owned(),
        14.0,
        Ink::Line,
        Anchor::Middle,
    );
    // The apex in words. A number has no apex above 0; its thermograph is all mast.
    let apex = format!(
        "mean {}, temperature {}",
        shown(mean, marked),
        shown(temperature, marked)
    );
    let number = number(temperature) < 0.0;
    let mast = if number { " (a number: a mast)" } else { "" };
    block.text(
        (middle, y(end) - 33.0),
        format!("{apex}{mast}"),
        12.0,
        Ink::Line,
        Anchor::Middle,
    );
    block.fit(10.0);
    let wall = |corners: &[Corner]| {
        let all: Vec<String> = corners
            .iter()
            .map(|c| format!("({}, {})", c.value.0, c.temperature.0))
            .collect();
        all.join(" ")
    };
    Scene {
        block,
        title: format!("Thermograph of {value}"),
        description: format!(
            "Mean {}, temperature {}. Values decrease to the right, temperatures rise. Left wall (blue, solid) with the corners {}; right wall (vermilion, dashed) with the corners {}.",
            mean,
            temperature,
            wall(&left),
            wall(&right)
        ),
    }
}
