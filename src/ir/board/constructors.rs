//! The named boards: paths, cycles, stars, chains, Chomp, divisors and so on. Sites are 1..n unless said otherwise.

use super::{Board, Builder, MAX_SITES, Place, Wrap};
use crate::base::Span;
use crate::fault::{Code, Fault, Res};
use crate::int::Int;
use crate::model::builtins::{What, name_of};
use crate::model::typed::{BoardKind, Builtin, Constructor};
use crate::val::Val;
use std::sync::Arc;

/// The label of the root of a rooted board until its ruleset names the root.
pub const ROOT: &str = "ground";

fn argument(span: Span, message: impl Into<String>) -> Box<Fault> {
    Fault::new(Code::Argument, span, message)
}

/// Reads an argument as the size of a board.
///
/// # Errors
/// Negative, not an integer, or above the limit.
pub fn size(v: &Val, name: &str, span: Span) -> Res<u32> {
    let Val::Int(n) = v else {
        return Err(argument(span, format!("{name} takes an integer")));
    };
    if n.is_negative() {
        return Err(argument(
            span,
            format!("{name} takes a natural number, not {n}"),
        ));
    }
    n.to_usize()
        .filter(|n| *n <= MAX_SITES)
        .and_then(|n| u32::try_from(n).ok())
        .ok_or_else(|| super::too_many(span, "sites", MAX_SITES))
}

fn numbered(b: &mut Builder, from: u32, to: u32) -> Res<()> {
    for i in from..=to {
        b.site(Val::int(i64::from(i)))?;
    }
    Ok(())
}

/// `grid(m, n)`, `grid(m, n, wrap: both)`, `grid("xo|ox", wrap: both)`. The word after `wrap:` is the last argument.
fn grid(args: &[Val], name: &str, span: Span) -> Res<Board> {
    let needs = || {
        argument(
            span,
            format!("{name} takes rows and columns, or a drawing and `wrap:`"),
        )
    };
    let (sides, wrap) = match args {
        [sides @ .., Val::Text(word)] if !sides.is_empty() => {
            (sides, Wrap::of(word).ok_or_else(needs)?)
        }
        sides => (sides, Wrap::default()),
    };
    let board = match sides {
        [Val::Text(drawn)] if wrap.any() => super::art::parse(drawn, BoardKind::Grid, span)?,
        [m, n] => Board::cells(
            BoardKind::Grid,
            size(m, name, span)?,
            size(n, name, span)?,
            span,
        )?,
        _ => return Err(needs()),
    };
    Ok(Board { wrap, ..board })
}

/// Makes the board of a constructor. `kind` is the kind that the ruleset expects; it matters for some constructors (for a
/// digraph, `path` has its arcs from 1 to n).
///
/// # Errors
/// Arguments outside the domain, or too many sites.
pub fn make(which: Constructor, args: &[Val], kind: BoardKind, span: Span) -> Res<Board> {
    let name = name_of(What::Function(Builtin::Construct(which)));
    let arg = |i: usize| -> Res<u32> {
        let v = args.get(i);
        let v = v.ok_or_else(|| argument(span, format!("{name} needs another argument")))?;
        size(v, name, span)
    };
    let graph = if kind.has_arcs() {
        BoardKind::Digraph
    } else {
        BoardKind::Graph
    };
    match which {
        Constructor::Grid => grid(args, name, span),
        Constructor::Strip => Board::cells(BoardKind::Strip, 1, arg(0)?, span),
        Constructor::Path | Constructor::Cycle => {
            let n = arg(0)?;
            let mut b = Builder::new(graph, span);
            numbered(&mut b, 1, n)?;
            for i in 1..n {
                b.line(i - 1, i)?;
            }
            if which == Constructor::Cycle && n > 0 {
                // cycle(2) is a double edge, cycle(1) a loop.
                b.line(n - 1, 0)?;
            }
            Ok(b.finish())
        }
        Constructor::Complete | Constructor::TransitiveTournament => {
            let n = arg(0)?;
            let tournament = which == Constructor::TransitiveTournament;
            let kind = if tournament {
                BoardKind::Digraph
            } else {
                graph
            };
            let mut b = Builder::new(kind, span);
            numbered(&mut b, 1, n)?;
            for i in 0..n {
                for j in i + 1..n {
                    b.line(i, j)?;
                    if kind.has_arcs() && !tournament {
                        b.line(j, i)?;
                    }
                }
            }
            Ok(b.finish())
        }
        Constructor::Star | Constructor::InStar | Constructor::OutStar => {
            let n = arg(0)?;
            let kind = if which == Constructor::Star {
                graph
            } else {
                BoardKind::Digraph
            };
            let mut b = Builder::new(kind, span);
            numbered(&mut b, 0, n)?;
            for i in 1..=n {
                if which == Constructor::InStar {
                    b.line(i, 0)?;
                } else {
                    b.line(0, i)?;
                }
            }
            Ok(b.finish())
        }
        Constructor::Chain | Constructor::Antichain => {
            let n = arg(0)?;
            let mut b = Builder::new(BoardKind::Poset, span);
            numbered(&mut b, 1, n)?;
            if which == Constructor::Chain {
                for i in 1..n {
                    b.line(i - 1, i)?;
                }
            }
            Ok(b.finish())
        }
        Constructor::Chomp => chomp(arg(0)?, arg(1)?, span),
        Constructor::Divisors => divisors(args, span),
        Constructor::Stalk => stalk(args, span),
        Constructor::Tree | Constructor::Forest => rooted(which, args, kind, span),
    }
}

fn chomp(m: u32, n: u32, span: Span) -> Res<Board> {
    let mut b = Builder::new(BoardKind::Poset, span);
    if u64::from(m) * u64::from(n) > MAX_SITES as u64 {
        return Err(super::too_many(span, "sites", MAX_SITES));
    }
    let cell = |i: u32, j: u32| Val::tuple(vec![Val::int(i64::from(i)), Val::int(i64::from(j))]);
    for i in 1..=m {
        for j in (1..=n).filter(|j| i + j > 2) {
            let here = b.site(cell(i, j))?;
            for (p, q) in [(i - 1, j), (i, j - 1)] {
                if p >= 1 && q >= 1 && p + q > 2 {
                    let below = b.site(cell(p, q))?;
                    b.line(below, here)?;
                }
            }
        }
    }
    Ok(b.finish())
}

fn divisors(args: &[Val], span: Span) -> Res<Board> {
    let n = args.first().and_then(Val::as_int).and_then(Int::to_i64);
    let Some(n) = n.filter(|n| *n >= 1) else {
        return Err(argument(span, "divisors takes a positive integer"));
    };
    if n > 1 << 40 {
        return Err(Fault::new(
            Code::TooMuch,
            span,
            "divisors takes integers up to 2^40",
        ));
    }
    let mut found = Vec::new();
    let mut primes = Vec::new();
    let mut left = n;
    let mut d = 1;
    while d * d <= n {
        if n % d == 0 {
            found.push(d);
            if d * d != n {
                found.push(n / d);
            }
        }
        if d > 1 && left % d == 0 {
            primes.push(d);
            while left % d == 0 {
                left /= d;
            }
        }
        d += 1;
    }
    if left > 1 {
        primes.push(left);
    }
    found.sort_unstable();
    let mut b = Builder::new(BoardKind::Poset, span);
    for d in found.iter().filter(|d| **d > 1) {
        b.site(Val::int(*d))?;
    }
    for d in found.iter().filter(|d| **d > 1) {
        for p in primes.iter().filter(|p| n / d % **p == 0) {
            let low = b.site(Val::int(*d))?;
            let high = b.site(Val::int(d * p))?;
            b.line(low, high)?;
        }
    }
    Ok(b.finish())
}

fn stalk(args: &[Val], span: Span) -> Res<Board> {
    let glyphs: Vec<Arc<str>> = match args.first() {
        Some(Val::Text(t)) => t
            .chars()
            .filter(|c| !c.is_whitespace())
            .map(|c| Arc::from(c.to_string()))
            .collect(),
        Some(Val::List(l)) => l
            .iter()
            .map(|v| match v {
                Val::Text(t) => Ok(t.clone()),
                Val::Int(n) => Ok(Arc::from(n.to_string())),
                _ => Err(argument(span, "stalk takes a string or a list of pieces")),
            })
            .collect::<Res<_>>()?,
        _ => return Err(argument(span, "stalk takes a string or a list of pieces")),
    };
    let mut b = Builder::new(BoardKind::Graph, span);
    let mut at = b.site(Val::name(ROOT))?;
    b.root = Some(at);
    for (i, glyph) in (1i64..).zip(&glyphs) {
        let next = b.site(Val::int(i))?;
        let e = b.line(at, next)?;
        b.mark(Place::Edge(e), glyph, None, span);
        at = next;
    }
    Ok(b.finish())
}

/// `tree(r(a, b(c)))`, `forest(r(a), s)`: each term is a tree, with a node's children in its brackets. A tree is a graph,
/// or a digraph with arcs away from the root if `kind` has arcs. A forest is a poset with the roots as maximal elements, as
/// in Hackendot: a move takes a node and everything between it and its root.
fn rooted(which: Constructor, args: &[Val], kind: BoardKind, span: Span) -> Res<Board> {
    let forest = which == Constructor::Forest;
    let kind = if forest || kind.is_order() {
        BoardKind::Poset
    } else if kind.has_arcs() {
        BoardKind::Digraph
    } else {
        BoardKind::Graph
    };
    let mut b = Builder::new(kind, span);
    let mut work: Vec<(Option<u32>, Val)> = args.iter().rev().map(|v| (None, v.clone())).collect();
    while let Some((parent, term)) = work.pop() {
        let (label, children) = match &term {
            Val::Label(l) => (Val::name(&l.name), l.args.clone()),
            Val::List(l) if parent.is_none() => {
                work.extend(l.iter().rev().map(|v| (None, v.clone())));
                continue;
            }
            other => (other.clone(), Vec::new()),
        };
        let here = b.fresh_site(label)?;
        match parent {
            Some(p) if kind.is_order() => b.line(here, p)?,
            Some(p) => b.line(p, here)?,
            None => 0,
        };
        work.extend(children.into_iter().rev().map(|c| (Some(here), c)));
    }
    Ok(b.finish())
}
