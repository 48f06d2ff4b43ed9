//! Suggestions for notation from elsewhere: for a name or a form that the language lacks, the edit that expresses it
//! here. Covers CGSuite, Python, MATLAB, LaTeX, and habits of mathematicians.

use super::builtins;
use super::checker::{Checker, is_just};
use super::error;
use super::scope::{Around, Env};
use super::typed::{Expr, ExprKind, Owners, Players, Ruleset, SiteKind, Sort, StateVar};
use crate::base::{Ident, Span};
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::ast::{self, Argument};
use crate::syntax::printer::{print_entries, print_expr};
use num_traits::{Signed, ToPrimitive};

/// The equivalent of a name from other tools and papers.
pub(super) enum Elsewhere {
    /// Another name for the same.
    Same(&'static str),
    /// The name that is nearest in meaning.
    Name(&'static str),
    /// An expression in its place.
    Text(&'static str),
    /// Something with a different notation.
    Prose(&'static str),
    /// The player who moves.
    Player,
    /// The other player.
    Opponent,
}

/// A genus or a misère form that is compared with one written without quotes, as in `genus(G) = 4^146`.
pub(super) fn unquoted([(a, ga), (b, gb)]: [(&ast::Expr, &Sort); 2]) -> Option<Diagnostic> {
    use ast::{BinaryOp, ExprKind as K};
    let (sort, written) = match (ga, gb) {
        (Sort::Genus | Sort::MisereForm, _) => (ga, b),
        (_, Sort::Genus | Sort::MisereForm) => (gb, a),
        _ => return None,
    };
    let literal = match &*written.kind {
        K::Integer(_) => *sort == Sort::MisereForm,
        K::Compact(_) | K::Binary(BinaryOp::Power, ..) => true,
        K::Bracket(star, _) => matches!(&*star.kind, K::Compact(_)),
        _ => false,
    };
    let what = error::a(sort);
    literal.then(|| {
        Diagnostic::error(Code::E0203, format!("{what} is written in quotes"))
            .at(written.span, "without quotes this is a number or a game")
            .suggest(
                Suggestion::before(written.span, "\"", "put quotes around it")
                    .and_after(written.span, "\""),
            )
    })
}

/// Names that other tools and papers use for concepts of the language.
fn elsewhere(text: &str, function: bool, env: &Env) -> Option<Elsewhere> {
    use Elsewhere::{Name, Opponent, Player, Prose, Same, Text};
    let rule = env.around == Around::Rule;
    Some(match text {
        "N" if !rule && !function => Same("N-position"),
        "P" | "Previous" | "PREVIOUS" if !rule && !function => Same("P-position"),
        "L" if !rule && !function => Same("L-position"),
        "R" if !rule && !function => Same("R-position"),
        "P" | "Previous" | "PREVIOUS" if !function => Name("P-position"),
        "L" if !function => Name("L-position"),
        "R" if !function => Name("R-position"),
        "neighbours" | "neighbors" | "adjacent" | "adj" | "Neighbors" | "neighbor"
        | "neighbour" => Same("nbrs"),
        "in_nbrs" | "preds" | "predecessors" => Name("into"),
        "out_nbrs" | "succs" | "successors" => Name("out"),
        "grundy" | "nim_value" | "nimvalue" | "sg" | "Grundy" | "mexval" | "grundy_value" => {
            Same("nimber")
        }
        "col" if function => Same("column"),
        "len" | "length" | "count" | "card" | "numel" | "cardinality" => Same("size"),
        "None" | "none" | "nothing" | "blank" | "Empty" | "null" | "free" if !function => {
            Name("empty")
        }
        "canonical_form" | "canon" | "canonical" | "CanonicalForm" => Same("value"),
        "elements" => Name("points"),
        "squares" | "fields" if rule => Name("cells"),
        "nodes" => Same("vertices"),
        "sqrt" | "floor_sqrt" => Name("isqrt"),
        "connected" | "component_of" => Name("component"),
        "source" => Name("tail"),
        "target" => Name("head"),
        "own" | "mine" | "me" | "self" | "my" if rule && !function => Player,
        "otherwise" | "other" | "opp" | "enemy" | "foe" if rule && !function => Opponent,
        "other" | "opp" | "enemy" if function => Name("opponent"),
        "cooled" => Name("cool"),
        "True" | "TRUE" => Same("true"),
        "False" | "FALSE" => Same("false"),
        "height" | "nrows" if rule => Text("rows"),
        "cols" | "width" | "ncols" if rule => Text("columns"),
        "floor" => Prose("n div 2"),
        "ceil" | "ceiling" => Prose("(n + 1) div 2"),
        "divides" => Prose("n mod d = 0"),
        "even" if !function => Prose("k mod 2 = 0"),
        "odd" if !function => Prose("k mod 2 = 1"),
        _ => return None,
    })
}

impl Checker<'_> {
    /// The suggestion for a name of other tools.
    pub(super) fn elsewhere(
        &self,
        d: Diagnostic,
        name: &Ident,
        function: bool,
        env: &Env,
    ) -> Result<Diagnostic, Diagnostic> {
        let Some(meant) = elsewhere(&name.text, function, env) else {
            return Err(d);
        };
        if let Elsewhere::Name("empty") = meant
            && let Some(state) = self.state_of_a_site(env)
        {
            return Ok(d.help(format!(
                "`{state}` always holds a site; whether it has been set is a state of its own, as in `begun: bool`"
            )));
        }
        let says = |t: &str| format!("the language says `{t}`");
        Ok(match meant {
            Elsewhere::Name(text) | Elsewhere::Same(text) => {
                let shown = builtins::find(text)
                    .filter(|_| function)
                    .map_or(text, |r| r.signature.split(", ").next().unwrap_or(text));
                let shown = if shown.contains('(') && !shown.contains(')') {
                    text
                } else {
                    shown
                };
                let same = matches!(meant, Elsewhere::Same(_));
                d.suggest(Suggestion::replace(name.span, text, says(shown)).safe_if(same))
            }
            Elsewhere::Text(text) => d.suggest(Suggestion::replace(name.span, text, says(text))),
            Elsewhere::Prose(text) => d.help(says(text)),
            Elsewhere::Player | Elsewhere::Opponent => {
                let Some(p) = player_of(env) else {
                    return Ok(d.help(
                        "after `move by p:` the player who moves is `p`, the other `opponent(p)`",
                    ));
                };
                let text = match meant {
                    Elsewhere::Player => p.to_owned(),
                    _ => format!("opponent({p})"),
                };
                d.suggest(Suggestion::replace(name.span, &text, says(&text)))
            }
        })
    }

    /// The name of a state that holds a site, in a ruleset without pieces.
    fn state_of_a_site(&self, env: &Env) -> Option<String> {
        let rules = self.rules(env)?;
        if env.around != Around::Rule || !rules.pieces.is_empty() || rules.pieces_range.is_some() {
            return None;
        }
        let holds = |s: &&StateVar| s.arguments.is_empty() && matches!(s.sort, Sort::Site(_));
        rules.state.iter().find(holds).map(|s| s.name.to_string())
    }

    /// A sort in place of a set: `k in nat`.
    pub(super) fn sort_as_set(&self, name: &Ident, env: &Env) -> Option<Diagnostic> {
        if !matches!(
            &*name.text,
            "nat"
                | "int"
                | "integer"
                | "integers"
                | "naturals"
                | "NN"
                | "ZZ"
                | "Nat"
                | "Int"
                | "numbers"
                | "ℕ"
                | "ℤ"
        ) {
            return None;
        }
        // A number that a move subtracts is at most the heap, or the state.
        let heap = env.heaps.last().and_then(|h| h.names.first().cloned());
        let scalar = self.rules(env).and_then(|r| {
            r.state
                .iter()
                .find(|s| s.arguments.is_empty() && s.sort == Sort::Int)
                .map(|s| s.name.clone())
        });
        let high = heap.or(scalar.filter(|_| env.around == Around::Rule));
        let text = format!("1..{}", high.as_deref().unwrap_or("9"));
        Some(
            Diagnostic::error(
                Code::E0201,
                format!(
                    "`{}` is not a set: what is chosen ranges over finitely many",
                    name.text
                ),
            )
            .at(name.span, "a range is expected")
            .suggest(Suggestion::replace(
                name.span,
                &text,
                format!("a range is written `{text}`"),
            )),
        )
    }

    /// Remembers a name that is bound in `k in [1..n]`: the range is the only element, and k is all of it.
    pub(super) fn boxed_range(&mut self, name: &Ident, over: &ast::Expr) {
        if let ast::ExprKind::List(parts) | ast::ExprKind::Set(parts) = &*over.kind
            && let [range] = &parts[..]
            && matches!(
                &*range.kind,
                ast::ExprKind::Binary(ast::BinaryOp::Range, ..)
            )
        {
            let open = Span {
                end: range.span.start,
                ..over.span
            };
            let close = Span {
                start: range.span.end,
                ..over.span
            };
            let fix = Suggestion::replace(open, "", format!("write `{}`", print_expr(range)));
            let error = Diagnostic::error(Code::E0203, "a range stands without brackets")
                .at(over.span, "these hold one thing, the whole range")
                .suggest(fix.and(close, "").safe());
            self.boxed.insert(name.span, error);
        }
    }

    /// Remembers a name that is bound in `k = 1..n`: it is the whole set.
    pub(super) fn whole_range(&mut self, name: &Ident, value: &ast::Expr) {
        let set = match &*value.kind {
            ast::ExprKind::Set(parts) => parts.len() <= 9,
            ast::ExprKind::Binary(op, ..) => *op == ast::BinaryOp::Range,
            _ => false,
        };
        if set {
            let text = format!("{} in {}", name.text, print_expr(value));
            let message = format!("`{}` is the whole set here", name.text);
            let fix = format!("for each element of it: `{text}`");
            let error = Diagnostic::error(Code::E0203, message)
                .at(value.span, "one element is needed")
                .suggest(Suggestion::between(name.span, value.span, "=", "in", fix).safe());
            self.boxed.insert(name.span, error);
        }
    }

    /// The error for such a name where an element of the range is meant.
    pub(super) fn unboxed(&self, e: &Expr, env: &Env) -> Option<Diagnostic> {
        let ExprKind::Slot(slot) = &*e.kind else {
            return None;
        };
        let bound = env.slots.get(slot.0 as usize)?.span;
        self.boxed.get(&bound).cloned()
    }

    /// A constant called as a function: `empty(v)`.
    pub(super) fn constant_called(
        &self,
        name: &Ident,
        arguments: &[Argument],
        span: Span,
        env: &Env,
    ) -> Option<Diagnostic> {
        let [Argument { name: None, value }] = arguments else {
            return None;
        };
        if env.around != Around::Rule {
            return None;
        }
        let (sign, piece) = match &*name.text {
            "empty" | "is_empty" | "isempty" | "isEmpty" | "free" | "is_free" | "vacant"
            | "unoccupied" => ("=", "empty"),
            "wall" | "is_wall" | "blocked" => ("=", "wall"),
            "off" => ("=", "off"),
            "occupied" | "is_occupied" | "filled" | "nonempty" => ("!=", "empty"),
            text => {
                let rules = self.rules(env)?;
                rules.pieces.iter().find(|p| *p.name == *text)?;
                ("=", text)
            }
        };
        let v = print_expr(value);
        let message = format!("test what lies on a site by `at({v}) {sign} {piece}`");
        let fix = Suggestion::replace(name.span, "at", message)
            .and_after(span, format!(" {sign} {piece}"));
        let fix = if matches!(&*name.text, "empty" | "wall" | "off") {
            fix.safe()
        } else {
            fix
        };
        Some(
            Diagnostic::error(Code::E0215, format!("`{}` is not a function", name.text))
                .at(span, "called here")
                .suggest(fix),
        )
    }

    /// Functions that do not exist: `range(1, n + 1)` of Python, `king(p)` of a player, `sqrt(n)`.
    pub(super) fn function_elsewhere(
        &self,
        d: Diagnostic,
        name: &Ident,
        arguments: &[Argument],
        span: Span,
        env: &Env,
    ) -> Diagnostic {
        if matches!(&*name.text, "range" | "Range" | "arange" | "xrange") {
            return d.suggest_if(range(name, arguments, span));
        }
        if let Some(fix) = written_out(name, arguments, span) {
            return d.suggest(fix);
        }
        let player = match arguments {
            [Argument { name: None, value }] => match &*value.kind {
                ast::ExprKind::Name(p) => env
                    .var(&p.text)
                    .is_some_and(|v| v.sort == Sort::Player)
                    .then_some(p),
                _ => None,
            },
            _ => None,
        };
        let Some((p, rules)) = player.zip(self.rules(env)) else {
            return d;
        };
        let own = match &rules.players {
            Players::Named(names) => own_pieces(&rules, names.len()),
            Players::Range(_) => None,
        };
        let entries = |pieces: [&str; 2]| match &rules.players {
            Players::Named(names) if names.len() >= 2 => format!(
                "`let {0}({1}) = {2}, {0}({3}) = {4}`",
                name.text, names[0], pieces[0], names[1], pieces[1]
            ),
            _ => format!("`let {}(Left) = .., {0}(Right) = ..`", name.text),
        };
        match own {
            Some(_) => d
                .note(format!(
                    "each player has one piece of his own, and `{}` stands for it",
                    p.text
                ))
                .suggest(Suggestion::replace(
                    span,
                    &*p.text,
                    format!("write `{}`", p.text),
                )),
            None => {
                let pieces: Vec<&str> = rules.pieces.iter().map(|p| &*p.name).collect();
                let shown = match pieces[..] {
                    [a, b, ..] => [a, b],
                    _ => ["x", "o"],
                };
                d.help(format!(
                    "a table gives each player his own: {}",
                    entries(shown)
                ))
            }
        }
    }

    /// Square brackets after something that is not a list: `board[a]`, `nbrs[v]`.
    pub(super) fn square_brackets(
        &self,
        head: &Ident,
        index: &ast::Expr,
        span: Span,
        env: &Env,
    ) -> Option<Diagnostic> {
        if env.around != Around::Rule {
            return None;
        }
        let rules = self.rules(env)?;
        let text = &*head.text;
        let is_function = builtins::find(text).is_some_and(|r| {
            matches!(
                r.what,
                builtins::What::Function(_) | builtins::What::Fold(_)
            ) && r.signature.contains('(')
        });
        let state = rules
            .state
            .iter()
            .any(|s| *s.name == *text && !s.arguments.is_empty());
        let sites = rules.board.site().is_some();
        let what = if state || is_function && !matches!(text, "board") || text == "at" {
            text
        } else if sites {
            "at"
        } else {
            return None;
        };
        let inner = print_expr(index);
        let gap_before = Span {
            start: head.span.start,
            end: index.span.start,
            ..head.span
        };
        let gap_after = Span {
            start: index.span.end,
            end: span.end,
            ..span
        };
        Some(
            Diagnostic::error(
                Code::E0215,
                format!("`{text}` is not a list: square brackets cannot follow it"),
            )
            .at(span, "")
            .suggest(
                Suggestion::replace(
                    gap_before,
                    format!("{what}("),
                    if what == "at" {
                        format!("what lies on a site is `at({inner})`")
                    } else {
                        format!("write `{what}({inner})`")
                    },
                )
                .and(gap_after, ")")
                // An array with this name holds the pieces on the sites.
                .safe_if(what == "at" && matches!(text, "at" | "board" | "grid")),
            ),
        )
    }
}

/// The variable that stands for the player who moves.
pub(super) fn player_of(env: &Env) -> Option<&str> {
    let mut all = env.visible.iter().map(|s| &env.slots[*s as usize]);
    all.find(|v| v.sort == Sort::Player).map(|v| &*v.name)
}

/// A function that the language writes out: `degree(v)`, `even(k)`.
pub(super) fn written_out(name: &Ident, arguments: &[Argument], span: Span) -> Option<Suggestion> {
    let [Argument { name: None, value }] = arguments else {
        return None;
    };
    let x = print_expr(value);
    let number = match &*value.kind {
        ast::ExprKind::Binary(..) | ast::ExprKind::Unary(..) => format!("({x})"),
        _ => x.clone(),
    };
    let text = match &*name.text {
        "degree" | "deg" | "valency" => format!("size(nbrs({x}))"),
        "even" | "is_even" => format!("{number} mod 2 = 0"),
        "odd" | "is_odd" => format!("{number} mod 2 = 1"),
        _ => return None,
    };
    let message = format!("the language says `{text}`");
    Some(Suggestion::replace(span, text, message))
}

/// `misere(Nim[3])`: a function of rulesets called on a position.
pub(super) fn ruleset_meant(
    name: &Ident,
    arguments: &[Argument],
    span: Span,
) -> Option<Diagnostic> {
    let [Argument { name: None, value }] = arguments else {
        return None;
    };
    if !matches!(&*name.text, "misere" | "impartial" | "reversed" | "dicotic") {
        return None;
    }
    let message = format!("`{}` makes a ruleset of a ruleset", name.text);
    let d = Diagnostic::error(Code::E0203, message).at(value.span, "this is not a ruleset");
    let ast::ExprKind::Bracket(head, entries) = &*value.kind else {
        return Some(d.help(format!("the board stands behind: `{}(Nim)[3]`", name.text)));
    };
    let board = print_entries(entries);
    let text = format!("{}({})[{board}]", name.text, print_expr(head));
    let end = Span {
        start: value.span.end,
        ..span
    };
    let fix = Suggestion::after(head.span, ")", format!("the board stands behind: `{text}`"));
    Some(d.suggest(fix.and(end, "").safe()))
}

/// `grid("xo|..")`: a drawing that needs no function.
pub(super) fn drawing_alone(
    name: &Ident,
    arguments: &[ast::Expr],
    span: Span,
) -> Option<Diagnostic> {
    let ("grid" | "strip", [drawing]) = (&*name.text, arguments) else {
        return None;
    };
    let ast::ExprKind::Text(_) = &*drawing.kind else {
        return None;
    };
    let message = format!("a drawing is a board without `{}`", name.text);
    let fix = Suggestion::replace(span, print_expr(drawing), "write the drawing alone").safe();
    Some(
        Diagnostic::error(Code::E0204, message)
            .at(span, "")
            .suggest(fix),
    )
}

/// A tuple where a set is expected: `k in (1, 2, 3)`.
pub(super) fn as_set(found: &Expr) -> Option<Suggestion> {
    let ExprKind::Tuple(parts) = &*found.kind else {
        return None;
    };
    let numbers: Option<Vec<String>> = parts
        .iter()
        .map(|p| match &*p.kind {
            ExprKind::Integer(n) => Some(n.to_string()),
            _ => None,
        })
        .collect();
    let shown = numbers.as_ref().map_or("..".to_owned(), |n| n.join(", "));
    let span = found.span;
    let open = Span {
        end: span.start + 1,
        ..span
    };
    let close = Span {
        start: span.end - 1,
        ..span
    };
    let fix = Suggestion::replace(open, "{", format!("a set is written `{{{shown}}}`"));
    Some(fix.and(close, "}").safe_if(numbers.is_some()))
}

/// `range(a, b)`, which excludes b.
fn range(name: &Ident, arguments: &[Argument], span: Span) -> Option<Suggestion> {
    let values: Vec<&ast::Expr> = arguments.iter().map(|a| &a.value).collect();
    let (low, high) = match values[..] {
        [high] => (None, high),
        [low, high] => (Some(low), high),
        _ => return None,
    };
    // Excluding `n + 1` ends the range with n.
    let (end, tail) = match &*high.kind {
        ast::ExprKind::Binary(ast::BinaryOp::Add, x, one) if matches!(&*one.kind, ast::ExprKind::Integer(n) if *n == 1.into()) => {
            (x.span, "")
        }
        _ => (high.span, " - 1"),
    };
    let shown_low = low.map_or_else(|| "0".to_owned(), print_expr);
    let shown_high = match &*high.kind {
        ast::ExprKind::Binary(ast::BinaryOp::Add, x, _) if tail.is_empty() => print_expr(x),
        _ => format!("{} - 1", print_expr(high)),
    };
    let message = format!("a range holds both ends: `{shown_low}..{shown_high}`");
    let until = |from: u32, to: u32| Span {
        start: from,
        end: to,
        ..span
    };
    let fix = match low {
        None => Suggestion::replace(until(name.span.start, high.span.start), "0..", message),
        Some(low) => Suggestion::replace(until(name.span.start, low.span.start), "", message)
            .and(until(low.span.end, high.span.start), ".."),
    };
    Some(fix.and(until(end.end, span.end), tail))
}

/// The unique piece of each player, if each has exactly one.
fn own_pieces(rules: &Ruleset, players: usize) -> Option<Vec<&str>> {
    (0..players)
        .map(|p| {
            let mut own = rules
                .pieces
                .iter()
                .filter(|piece| is_just(&piece.owners, p, players));
            match (own.next(), own.next()) {
                (Some(one), None) => Some(&*one.name),
                _ => None,
            }
        })
        .collect()
}

/// The direction for a step written as a pair of numbers: `(1, 0)` is south. Rows come first, as in a cell.
pub(super) fn step(pair: &Expr) -> Option<String> {
    let ExprKind::Tuple(parts) = &*pair.kind else {
        return None;
    };
    let [rows, columns] = &parts[..] else {
        return None;
    };
    let number = |e: &Expr| match &*e.kind {
        ExprKind::Integer(n) => n.to_i64(),
        ExprKind::Negative(inner) => match &*inner.kind {
            ExprKind::Integer(n) if !n.is_negative() => n.to_i64().map(|n| -n),
            _ => None,
        },
        _ => None,
    };
    let (rows, columns) = (number(rows)?, number(columns)?);
    let part = |n: i64, plus: &str, minus: &str| match n {
        0 => None,
        1 => Some(plus.to_owned()),
        -1 => Some(minus.to_owned()),
        n if n > 0 => Some(format!("{n}*{plus}")),
        n => Some(format!("{}*{minus}", n.unsigned_abs())),
    };
    let parts: Vec<String> = [part(rows, "south", "north"), part(columns, "east", "west")]
        .into_iter()
        .flatten()
        .collect();
    (!parts.is_empty()).then(|| parts.join(" + "))
}

/// The kind of board that another word means.
pub(super) fn board_meant(word: &str) -> Option<&'static str> {
    Some(match word.to_lowercase().as_str() {
        "square" | "squares" | "matrix" | "rectangle" | "rectangular" | "checkerboard"
        | "chessboard" | "chess" | "lattice" | "2d" | "grids" | "cells" | "hexagonal"
        | "hexagons" | "hex" | "torus" => "grid",
        "line" | "row" | "path" | "array" | "list" | "tape" | "word" | "strips" | "1d" => "strip",
        "network" | "tree" | "vertices" | "graphs" | "undirected" => "graph",
        "heap" | "pile" | "piles" | "stack" | "stacks" | "nim" | "stones" | "tokens" => "heaps",
        "directed" | "dag" | "digraphs" => "digraph",
        "order" | "partial_order" | "posets" | "lattice_order" => "poset",
        _ => return None,
    })
}

impl Checker<'_> {
    /// A `pieces` clause to insert after the board clause, so that there are pieces for `at` to read.
    pub(super) fn pieces_clause_meant(&self, rules: &Ruleset, env: &Env) -> Option<Suggestion> {
        let home = env.home?;
        let board = self.scope.insides[home.0 as usize].board?;
        let text = match &rules.players {
            Players::Named(names) if names.len() == 2 => {
                format!("pieces x = {}, o = {}", names[0], names[1])
            }
            Players::Range(_) => "pieces 1..n".to_owned(),
            Players::Named(_) => return None,
        };
        Some(Suggestion::after(
            board,
            format!("\n  {text}"),
            format!("declare pieces: `{text}`"),
        ))
    }

    /// Warns of conditions that exclude pieces of several owners: `at(e) = p` is never true of green.
    pub(super) fn exactly_owned(&mut self, rules: &Ruleset) {
        let exact = std::mem::take(&mut self.exact);
        if std::mem::take(&mut self.asks_owners) {
            return;
        }
        for found in exact {
            let shared: Vec<&str> = rules
                .pieces
                .iter()
                .enumerate()
                .filter(|(i, p)| {
                    let several = match &p.owners {
                        Owners::Anyone => true,
                        Owners::These(o) => o.len() > 1,
                    };
                    several && p.on_edges == found.on_edges && !self.pieces_named.contains(i)
                })
                .map(|(_, p)| &*p.name)
                .collect();
            let Some(green) = shared.first() else {
                continue;
            };
            let owns = format!("{} owns {}", found.player, found.site);
            self.report(
                Diagnostic::warning(
                    Code::W0806,
                    format!("`{green}` belongs to several players, and this is never true of it"),
                )
                .at(found.whole, "true of pieces that are one player's alone")
                .suggest(
                    Suggestion::replace(
                        found.place,
                        found.text.clone(),
                        format!("for pieces of his and of several: `{owns}`"),
                    )
                    .and_before(found.whole, found.before.clone()),
                ),
            );
        }
        self.pieces_named.clear();
    }
}

/// A condition `at(e) = p` of a rule.
#[derive(Clone, Debug)]
pub(super) struct Exact {
    /// The condition.
    pub whole: Span,
    /// The part of it to replace, the new text, and the text to insert before it.
    pub place: Span,
    pub text: String,
    pub before: String,
    pub player: String,
    pub site: String,
    pub on_edges: bool,
}

/// The condition that the piece on a site belongs to a player, from its two sides as written.
pub(super) fn exact(whole: Span, a: &ast::Expr, b: &ast::Expr, at: &Expr) -> Exact {
    let player_first = !matches!(&*a.kind, ast::ExprKind::Call(name, _) if &*name.text == "at");
    let (player, site) = if player_first { (a, b) } else { (b, a) };
    let gap = Span {
        start: a.span.end,
        end: b.span.start,
        ..whole
    };
    let on_edges =
        matches!(&*at.kind, ExprKind::At(site) if site.sort == Sort::Site(SiteKind::Edge));
    let p = print_expr(player);
    Exact {
        whole,
        place: if player_first { gap } else { gap.to(b.span) },
        text: if player_first {
            " owns ".into()
        } else {
            String::new()
        },
        before: if player_first {
            String::new()
        } else {
            format!("{p} owns ")
        },
        player: p,
        site: print_expr(site),
        on_edges,
    }
}
