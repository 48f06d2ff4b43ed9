//! Places vertices by coordinates in their names: pairs `(i, j)`, triples `(i, j, k)`, sets as corners of a cube. Used only
//! if no two vertices coincide and few lines cross a vertex.
//!
//! A pair is a row and a column. Where lines also join diagonal neighbours, but in one direction only, the rows are shifted
//! by halves: the triangular lattice. Where lines only join adjacent rows, including distant columns, each row is centred: a
//! graph in layers. More coordinates are drawn in oblique projection.

use super::layout::Point;
use crate::session::figure::Node;

/// Coordinates that span more than this are replaced by their rank.
const FAR: i64 = 40;
/// The greatest dimension.
const MOST: usize = 6;
/// The least distance between two vertices, in steps.
const APART: f64 = 0.75;

/// Places for all vertices, y downwards, neighbours about one step apart.
pub fn places(nodes: &[Node], lines: &[(usize, usize)]) -> Option<Vec<Point>> {
    let rows = vectors(nodes)?;
    let step = |(u, v): &(usize, usize)| -> Vec<f64> {
        rows[*u].iter().zip(&rows[*v]).map(|(a, b)| b - a).collect()
    };
    let steps: Vec<Vec<f64>> = lines.iter().filter(|l| l.0 != l.1).map(step).collect();
    let straight = |s: &Vec<f64>| s.iter().filter(|d| **d != 0.0).count() == 1;
    let mut at = match rows[0].len() {
        2 => plane(&rows, &steps),
        _ if steps.iter().all(straight) => oblique(&rows),
        _ => return None,
    };
    let nearest = nearest(&at);
    if nearest < 0.1 {
        return None;
    }
    let scale = (APART / nearest).max(1.0);
    at.iter_mut().for_each(|p| *p = (p.0 * scale, p.1 * scale));
    let over = |(u, v): &(usize, usize)| {
        let others = at.iter().enumerate().filter(|(w, _)| w != u && w != v);
        others
            .into_iter()
            .any(|(_, p)| near_segment(*p, at[*u], at[*v]) < 0.12)
    };
    let covered = lines.iter().filter(|l| over(l)).count();
    (10 * covered <= 4 * lines.len()).then_some(at)
}

/// The coordinates of all vertices, if they have the same dimension and are distinct.
fn vectors(nodes: &[Node]) -> Option<Vec<Vec<f64>>> {
    let dimension = nodes.first()?.coordinates.len();
    let same = |n: &Node| n.coordinates.len() == dimension;
    if !(2..=MOST).contains(&dimension) || !nodes.iter().all(same) {
        return None;
    }
    let mut rows = vec![Vec::new(); nodes.len()];
    for k in 0..dimension {
        let mut values: Vec<i64> = nodes.iter().map(|n| n.coordinates[k]).collect();
        values.sort_unstable();
        values.dedup();
        let (least, most) = (*values.first()?, *values.last()?);
        let far = most.checked_sub(least).is_none_or(|d| d > FAR);
        for (row, node) in rows.iter_mut().zip(nodes) {
            let own = node.coordinates[k];
            let place = match far {
                true => values.binary_search(&own).ok()?,
                false => usize::try_from(own - least).ok()?,
            };
            row.push(place as f64);
        }
    }
    let mut sorted = rows.clone();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    sorted.windows(2).all(|w| w[0] != w[1]).then_some(rows)
}

fn plane(rows: &[Vec<f64>], steps: &[Vec<f64>]) -> Vec<Point> {
    let any = |f: &dyn Fn(f64, f64) -> bool| steps.iter().any(|s| f(s[0], s[1]));
    let between_rows = !any(&|i, _| i.abs() != 1.0);
    if between_rows && any(&|_, j| j.abs() > 1.0) {
        return layers(rows);
    }
    let near = !any(&|i, j| i.abs() > 1.0 || j.abs() > 1.0);
    let (rising, falling) = (any(&|i, j| i * j < 0.0), any(&|i, j| i * j > 0.0));
    let along = any(&|i, j| (i == 0.0) != (j == 0.0));
    // 0.866 is half the square root of three: the height of a triangle with sides of one step.
    let (shift, down) = match (near && along, rising, falling) {
        (true, true, false) => (0.5, 0.866),
        (true, false, true) => (-0.5, 0.866),
        _ => (0.0, 1.0),
    };
    let place = |r: &Vec<f64>| (r[1] + shift * r[0], down * r[0]);
    rows.iter().map(place).collect()
}

/// Rows centred below each other; wider rows are further apart.
fn layers(rows: &[Vec<f64>]) -> Vec<Point> {
    let count = |row: f64| rows.iter().filter(|r| r[0] == row).count() as f64;
    let widest = rows.iter().map(|r| count(r[0])).fold(1.0, f64::max);
    let down = (widest / 3.0).clamp(1.0, 3.0);
    let place = |r: &Vec<f64>| {
        let before = rows.iter().filter(|s| s[0] == r[0] && s[1] < r[1]).count();
        let x = before as f64 - (count(r[0]) - 1.0) / 2.0;
        (x, down * r[0])
    };
    rows.iter().map(place).collect()
}

/// The last coordinate goes to the right, the one before it downwards, the one before that into the depth. Further
/// coordinates make copies of the whole figure, side by side and below each other.
fn oblique(rows: &[Vec<f64>]) -> Vec<Point> {
    let mut at = vec![(0.0, 0.0); rows.len()];
    let (mut wide, mut high) = (0.0, 0.0);
    for k in 0..rows[0].len() {
        let of = |r: &Vec<f64>| r[r.len() - 1 - k];
        let extent: f64 = rows.iter().map(of).fold(0.0, f64::max);
        let (x, y): Point = match k {
            0 => (1.0, 0.0),
            1 => (0.0, 1.0),
            2 => {
                let part = 2.0 / (extent.max(1.0) + 1.0);
                (0.42 * part, -0.36 * part)
            }
            3 | 5 => (wide + 0.8, 0.5),
            _ => (0.62, high + 0.8),
        };
        for (p, r) in at.iter_mut().zip(rows) {
            *p = (p.0 + x * of(r), p.1 + y * of(r));
        }
        wide += x * extent;
        high += y.abs() * extent;
    }
    at
}

fn nearest(at: &[Point]) -> f64 {
    let mut least = 1.0f64;
    for (i, a) in at.iter().enumerate() {
        for b in &at[..i] {
            let (dx, dy) = (a.0 - b.0, a.1 - b.1);
            least = least.min((dx * dx + dy * dy).sqrt());
        }
    }
    least
}

/// The distance of a point from a segment; infinite unless the foot of the perpendicular is well inside it.
pub fn near_segment(p: Point, a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let square = dx * dx + dy * dy;
    if square < 1e-12 {
        return f64::INFINITY;
    }
    let t = ((p.0 - a.0) * dx + (p.1 - a.1) * dy) / square;
    if !(0.02..=0.98).contains(&t) {
        return f64::INFINITY;
    }
    let (x, y) = (a.0 + t * dx - p.0, a.1 + t * dy - p.1);
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    type Lines = Vec<(usize, usize)>;

    /// The points of a box, joined where their difference is one of `steps`.
    fn board(sizes: &[i64], steps: &[&[i64]]) -> (Vec<Node>, Lines) {
        let mut points: Vec<Vec<i64>> = vec![Vec::new()];
        for size in sizes {
            let next = |p: &Vec<i64>| (1..=*size).map(|n| [&p[..], &[n]].concat()).collect();
            points = points
                .iter()
                .flat_map(|p| -> Vec<Vec<i64>> { next(p) })
                .collect();
        }
        let mut lines = Vec::new();
        for (i, p) in points.iter().enumerate() {
            for step in steps {
                let q: Vec<i64> = p.iter().zip(*step).map(|(a, b)| a + b).collect();
                lines.extend(points.iter().position(|r| *r == q).map(|j| (i, j)));
            }
        }
        let nodes = points.into_iter().map(|coordinates| Node {
            coordinates,
            ..Node::default()
        });
        (nodes.collect(), lines)
    }

    fn lengths(at: &[Point], lines: &Lines) -> Vec<f64> {
        let length = |(u, v): &(usize, usize)| {
            ((at[*u].0 - at[*v].0).powi(2) + (at[*u].1 - at[*v].1).powi(2)).sqrt()
        };
        lines.iter().map(length).collect()
    }

    #[test]
    fn kings_stand_in_rows_and_columns() {
        let (nodes, lines) = board(&[3, 4], &[&[0, 1], &[1, 0], &[1, 1], &[1, -1]]);
        let at = places(&nodes, &lines).expect("a picture");
        for (node, p) in nodes.iter().zip(&at) {
            let [i, j] = node.coordinates[..] else {
                panic!("a pair")
            };
            assert_eq!(*p, ((j - 1) as f64, (i - 1) as f64));
        }
    }

    #[test]
    fn hexagons_and_triangles_have_equal_sides() {
        for diagonal in [[1, -1], [1, 1]] {
            let (nodes, lines) = board(&[3, 4], &[&[0, 1], &[1, 0], &diagonal]);
            let at = places(&nodes, &lines).expect("a picture");
            let all = lengths(&at, &lines);
            assert!(all.iter().all(|l| (l - 1.0).abs() < 0.01), "{all:?}");
        }
    }

    #[test]
    fn a_torus_keeps_its_grid_and_layers_are_centred() {
        let (nodes, lines) = board(&[3, 4], &[&[0, 1], &[1, 0], &[0, -3], &[-2, 0]]);
        let at = places(&nodes, &lines).expect("a picture");
        assert_eq!((at[0], at[11]), ((0.0, 0.0), (3.0, 2.0)));
        // Two vertices above, five below.
        let (mut nodes, _) = board(&[2, 5], &[]);
        nodes.drain(2..5);
        let lines: Lines = (0..2).flat_map(|i| (2..7).map(move |j| (i, j))).collect();
        let at = places(&nodes, &lines).expect("a picture");
        assert_eq!(at[0].0 + at[1].0, at[2].0 + at[6].0);
        assert!(at[0].1 == at[1].1 && at[2..].iter().all(|p| p.1 == at[2].1 && p.1 > at[0].1));
    }

    #[test]
    fn boxes_and_cubes_have_parallel_sides_and_no_vertices_on_each_other() {
        let unit = |d: usize| -> Vec<Vec<i64>> {
            (0..d)
                .map(|k| (0..d).map(|i| i64::from(i == k)).collect())
                .collect()
        };
        for sizes in [&[2, 2, 2][..], &[3, 2, 3], &[4, 3, 5], &[2; 4], &[2; 5]] {
            let steps = unit(sizes.len());
            let steps: Vec<&[i64]> = steps.iter().map(Vec::as_slice).collect();
            let (nodes, lines) = board(sizes, &steps);
            let at = places(&nodes, &lines).unwrap_or_else(|| panic!("{sizes:?}"));
            assert!(nearest(&at) > APART - 0.01, "{sizes:?}");
        }
    }

    #[test]
    fn names_that_are_no_places_are_left() {
        let (mut nodes, lines) = board(&[2, 2], &[&[0, 1]]);
        nodes[1].coordinates = nodes[0].coordinates.clone();
        assert_eq!(places(&nodes, &lines), None);
        nodes[1].coordinates = Vec::new();
        assert_eq!(places(&nodes, &lines), None);
        assert_eq!(places(&[], &[]), None);
        // A rook graph: most lines would cross a vertex.
        let all: Vec<[i64; 2]> = (1..6).flat_map(|d| [[0, d], [d, 0]]).collect();
        let steps: Vec<&[i64]> = all.iter().map(|s| &s[..]).collect();
        let (nodes, lines) = board(&[6, 6], &steps);
        assert_eq!(places(&nodes, &lines), None);
        // Coordinates that are far apart.
        let (mut nodes, lines) = board(&[1, 3], &[&[0, 1]]);
        nodes[2].coordinates = vec![i64::MIN, i64::MAX];
        let at = places(&nodes, &lines).expect("a picture");
        assert!(at.iter().all(|p| p.0 <= 2.0 && p.1 <= 1.0), "{at:?}");
    }
}
