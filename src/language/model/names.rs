//! Resolves a name: a variable, the state, a piece, a player, a constant, or a definition.

use super::advice;
use super::builtins::{self, Row, What};
use super::checker::{Checker, expr, unknown};
use super::error;
use super::scope::{Around, Env, Named};
use super::typed::{
    Builtin, Expr, ExprKind, GameOp, Lines, LoopyName, OutcomeName, PieceId, Players, SiteKind,
    Slot, Sort, StateId,
};
use crate::base::{FileId, Ident, Span};
use crate::diagnostic::{Code, Diagnostic, Suggestion, meant, near};
use crate::syntax::ast::Argument;
use crate::syntax::printer::print_expr;
use std::sync::Arc;

/// A direction by name: rows down, columns to the right.
fn direction(name: &str) -> Option<(i8, i8)> {
    Some(match name {
        "north" => (-1, 0),
        "south" => (1, 0),
        "west" => (0, -1),
        "east" => (0, 1),
        "northwest" => (-1, -1),
        "northeast" => (-1, 1),
        "southwest" => (1, -1),
        "southeast" => (1, 1),
        _ => return None,
    })
}

/// A set of directions by name. On a strip only east and west count.
fn directions(name: &str, strip: bool) -> Option<&'static [(i8, i8)]> {
    const ORTHOGONAL: &[(i8, i8)] = &[(-1, 0), (0, -1), (0, 1), (1, 0)];
    const STRIP: &[(i8, i8)] = &[(0, -1), (0, 1)];
    const DIAGONAL: &[(i8, i8)] = &[(-1, -1), (-1, 1), (1, -1), (1, 1)];
    const COMPASS: &[(i8, i8)] = &[
        (-1, -1),
        (-1, 0),
        (-1, 1),
        (0, -1),
        (0, 1),
        (1, -1),
        (1, 0),
        (1, 1),
    ];
    const HEXAGONAL: &[(i8, i8)] = &[(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)];
    const KNIGHT: &[(i8, i8)] = &[
        (-2, -1),
        (-2, 1),
        (-1, -2),
        (-1, 2),
        (1, -2),
        (1, 2),
        (2, -1),
        (2, 1),
    ];
    Some(match name {
        "orthogonal" | "compass" if strip => STRIP,
        "orthogonal" => ORTHOGONAL,
        "diagonal" => DIAGONAL,
        "compass" => COMPASS,
        "knight" => KNIGHT,
        "hexagonal" => HEXAGONAL,
        _ => return None,
    })
}

/// A constant of the language.
fn constant(name: &str, span: Span, strip: bool) -> Option<Expr> {
    if let Some((rows, columns)) = direction(name) {
        return Some(expr(
            span,
            Sort::Direction,
            ExprKind::Direction(rows, columns),
        ));
    }
    if let Some(all) = directions(name, strip) {
        let each = |(r, c): &(i8, i8)| expr(span, Sort::Direction, ExprKind::Direction(*r, *c));
        return Some(expr(
            span,
            Sort::Set(Box::new(Sort::Direction)),
            ExprKind::Elements(all.iter().map(each).collect()),
        ));
    }
    let (sort, kind) = match name {
        "true" => (Sort::Bool, ExprKind::Bool(true)),
        "false" => (Sort::Bool, ExprKind::Bool(false)),
        "empty" => (Sort::Piece, ExprKind::Empty),
        "wall" => (Sort::Piece, ExprKind::Wall),
        "off" => (Sort::Piece, ExprKind::Off),
        "L-position" => (Sort::Outcome, ExprKind::Outcome(OutcomeName::L)),
        "R-position" => (Sort::Outcome, ExprKind::Outcome(OutcomeName::R)),
        "N-position" => (Sort::Outcome, ExprKind::Outcome(OutcomeName::N)),
        "P-position" => (Sort::Outcome, ExprKind::Outcome(OutcomeName::P)),
        "D-position" => (Sort::Outcome, ExprKind::Outcome(OutcomeName::D)),
        "LD-position" => (Sort::Outcome, ExprKind::Outcome(OutcomeName::LD)),
        "DR-position" => (Sort::Outcome, ExprKind::Outcome(OutcomeName::DR)),
        "DL-position" => (Sort::Outcome, ExprKind::Outcome(OutcomeName::DL)),
        "RD-position" => (Sort::Outcome, ExprKind::Outcome(OutcomeName::RD)),
        "queer" => (Sort::Player, ExprKind::Queer),
        "draw" => (Sort::Player, ExprKind::Draw),
        "loony" => (Sort::Game, ExprKind::Game(GameOp::Loony, Vec::new())),
        _ => return None,
    };
    Some(expr(span, sort, kind))
}

/// A loopy value. These are words only on the value side.
fn loopy(name: &str, span: Span) -> Option<Expr> {
    let op = match name {
        // `off` means outside the board unless a game is expected.
        "off" => return None,
        _ => GameOp::Loopy(LoopyName::from_text(name)?),
    };
    Some(expr(span, Sort::Game, ExprKind::Game(op, Vec::new())))
}

/// The direction for a word used elsewhere.
fn compass_word(word: &str) -> Option<&'static str> {
    Some(match word {
        "up" => "north",
        "down" => "south",
        "left" => "west",
        "right" => "east",
        _ => return None,
    })
}

impl Checker<'_> {
    /// The meaning of a name, or `None` if it is unknown here.
    pub(super) fn lookup(&mut self, name: &Ident, env: &mut Env) -> Option<Expr> {
        let (text, span) = (&*name.text, name.span);
        if let Some(slot) = env.find(text) {
            let var = &mut env.slots[slot as usize];
            var.used = true;
            return Some(expr(span, var.sort.clone(), ExprKind::Slot(Slot(slot))));
        }
        if let Some(home) = env.home {
            let inside = &self.scope.insides[home.0 as usize];
            if inside.broken.iter().any(|b| **b == *text) {
                return Some(self.uses_broken(name));
            }
            let definition = inside.lets.get(text).copied();
            let rules = self.ruleset(home);
            if rules.root.as_deref() == Some(text) {
                return Some(expr(span, Sort::Site(SiteKind::Vertex), ExprKind::Root));
            }
            if let Some(i) = rules.state.iter().position(|s| *s.name == *text) {
                let state = &rules.state[i];
                if !state.arguments.is_empty() {
                    return Some(self.needs_arguments(name, state.arguments.len()));
                }
                let id = StateId(u32::try_from(i).unwrap_or(u32::MAX));
                self.reads_state(name, env);
                return Some(expr(
                    span,
                    state.sort.clone(),
                    ExprKind::State(id, Vec::new()),
                ));
            }
            if let Some(d) = definition {
                return Some(self.definition(d, name, env));
            }
        }
        if let Some(found) = self.piece_or_player(name, env) {
            return Some(found);
        }
        if env.home.is_none() {
            // The file's definitions take precedence over the language's.
            if let Some(found) = self.file_name(name, env) {
                return Some(found);
            }
        }
        let strip = self.rules(env).is_some_and(|r| r.board.is_row());
        if let Some(found) = constant(text, span, strip) {
            return Some(found);
        }
        if let Some(found) = self.file_name(name, env) {
            return Some(found);
        }
        if env.home.is_none()
            && env.literal.is_none()
            && let Some(found) = loopy(text, span)
        {
            return Some(found);
        }
        let row = builtins::find(text)?;
        match row.what {
            What::Function(b) => self.site_set(row, b, name, env),
            _ => None,
        }
    }

    /// A name of the file level.
    fn file_name(&mut self, name: &Ident, env: &mut Env) -> Option<Expr> {
        match self.scope.named(name)? {
            Named::Broken => Some(self.uses_broken(name)),
            Named::Definition(d) => Some(self.definition(d, name, env)),
            Named::Ruleset(id) => {
                let rules = self.ruleset(id);
                if rules.broken {
                    return Some(self.uses_broken(name));
                }
                let example = rules.board.descriptor().example;
                Some(
                    self.hole(
                        Diagnostic::error(
                            Code::E0215,
                            format!("`{}` is a ruleset, not a position", name.text),
                        )
                        .at(name.span, "a board is missing")
                        .suggest(Suggestion::after(
                            name.span,
                            example,
                            format!("write the board after it: `{}{example}`", name.text),
                        )),
                    ),
                )
            }
        }
    }

    /// A constant of the file or ruleset.
    fn definition(&mut self, d: u32, name: &Ident, env: &mut Env) -> Expr {
        let definition = &self.scope.definitions[d as usize];
        let parameters = definition.lets[0].parameters.len();
        if parameters > 0 {
            return self.needs_arguments(name, parameters);
        }
        self.call_definition(d, Vec::new(), name.span, env)
    }

    fn needs_arguments(&mut self, name: &Ident, n: usize) -> Expr {
        let example: Vec<&str> = ["x", "y", "z"].into_iter().cycle().take(n.min(6)).collect();
        self.hole(
            Diagnostic::error(
                Code::E0204,
                format!("`{}` takes {}", name.text, error::count(n, "argument")),
            )
            .at(name.span, "none is given")
            .help(format!("write `{}({})`", name.text, example.join(", "))),
        )
    }

    /// Reports a reference to the position where there is none.
    pub(super) fn reads_state(&mut self, name: &Ident, env: &Env) {
        if env.around == Around::Header {
            self.report(
                Diagnostic::error(
                    Code::E0216,
                    format!("`{}` reads the position, and here there is none", name.text),
                )
                .at(name.span, "this clause is read before there is a board")
                .help("use parameters of the ruleset and integers only"),
            );
        }
    }

    /// A piece or a player by name.
    pub(super) fn piece_or_player(&mut self, name: &Ident, env: &Env) -> Option<Expr> {
        let (text, span) = (&*name.text, name.span);
        if let Some(rules) = self.rules(env)
            && let Some(i) = rules.pieces.iter().position(|p| *p.name == *text)
        {
            let id = PieceId(u16::try_from(i).ok()?);
            self.pieces_named.insert(i);
            return Some(expr(span, Sort::Piece, ExprKind::Piece(id)));
        }
        match env.players_of().map(|id| self.ruleset(id)) {
            Some(rules) => {
                if let Players::Named(players) = &rules.players
                    && let Some(i) = players.iter().position(|p| **p == *text)
                {
                    let player = u8::try_from(i).ok()?;
                    return Some(expr(span, Sort::Player, ExprKind::Player(player)));
                }
                None
            }
            None => {
                let player = match text {
                    "Left" => 0,
                    "Right" => 1,
                    _ => return None,
                };
                Some(expr(span, Sort::Player, ExprKind::Player(player)))
            }
        }
    }

    /// `vertices`, `players`, .. without arguments.
    fn site_set(
        &mut self,
        row: &'static Row,
        id: Builtin,
        name: &Ident,
        env: &mut Env,
    ) -> Option<Expr> {
        let span = name.span;
        if !row.as_function().is_some_and(|f| f.takes(0)) {
            return Some(
                self.hole(
                    match compass_word(&name.text).filter(|_| env.around == Around::Rule) {
                        Some(meant) => Diagnostic::error(
                            Code::E0204,
                            format!("`{}` is a function of orders, not a direction", name.text),
                        )
                        .at(span, "")
                        .suggest(
                            Suggestion::replace(span, meant, format!("the direction is `{meant}`"))
                                .safe(),
                        ),
                        None => {
                            let d = Diagnostic::error(
                                Code::E0204,
                                format!("`{}` is a function and needs its arguments", name.text),
                            )
                            .at(span, "none is given");
                            match self.without_arguments(name, env) {
                                Some(fix) => d.suggest(fix),
                                None => d.help(format!("it is written `{}`", row.signature)),
                            }
                        }
                    },
                ),
            );
        }
        Some(self.builtin(row, id, &[], span, env))
    }

    /// What the name of a function alone means: `opponent` in a move, the value `star` in a query.
    fn without_arguments(&self, name: &Ident, env: &Env) -> Option<Suggestion> {
        let value = match &*name.text {
            "opponent" => {
                let text = format!("opponent({})", advice::player_of(env)?);
                let message = format!("write `{text}`");
                return Some(Suggestion::replace(name.span, text, message));
            }
            "up" => "^",
            "down" => "v",
            "star" => "*",
            _ => return None,
        };
        let of_values = env.home.is_none() && env.literal.is_none();
        let message = format!("the value is written `{value}`");
        of_values.then(|| Suggestion::replace(name.span, value, message))
    }

    /// A name as an expression of the integer side; an error if it is unknown.
    pub(super) fn name(&mut self, name: &Ident, env: &mut Env) -> Expr {
        match self.lookup(name, env) {
            Some(found) => found,
            None => self.unknown_name(name, env, "name"),
        }
    }

    /// Reports an unknown name.
    pub(super) fn unknown_name(&mut self, name: &Ident, env: &Env, what: &str) -> Expr {
        let text = &*name.text;
        if self.incomplete {
            // The unavailable file may define it.
            return self.uses_broken(name);
        }
        if what == "name" && text == "pass" && env.around != Around::Rule {
            let why = "`pass` stands among the options of a game in braces";
            return self.hole(Diagnostic::error(Code::E0207, why).at(name.span, "").help(
                "it is a move to that game: `{0|pass}` is the game in which Left moves to 0, and Right passes",
            ));
        }
        if what == "name"
            && let Some(d) = self.sort_as_set(name, env)
        {
            return self.hole(d);
        }
        if let Some(d) = self.of_another_file(name) {
            return self.hole(d);
        }
        let mut d = Diagnostic::error(Code::E0201, format!("nothing is called `{text}` here"))
            .at(name.span, format!("unknown {what}"));
        let near = if self.suggests() {
            let known = self.known(name.span.file, env);
            meant(name, known.iter().map(|k| &**k))
        } else {
            None
        };
        // In a query about more than two players an unknown name is probably a player.
        let rules = env.hint.ruleset.or(env.hint.players_of);
        let players = match rules.map(|id| self.ruleset(id)) {
            _ if env.around == Around::Rule => None,
            Some(r) => match &r.players {
                Players::Named(names) if names.len() > 2 => Some(format!(
                    "the players of {} are {}",
                    r.name,
                    names.join(", ")
                )),
                Players::Named(_) => None,
                Players::Range(_) => Some(format!("the players of {} are 1, 2 and so on", r.name)),
            },
            None => env.hint.players.filter(|n| *n > 2).map(|n| {
                format!(
                    "the players of this sum have no common names: write a number from 1 to {n}"
                )
            }),
        };
        if let Some(meant) = compass_word(text).filter(|_| env.around == Around::Rule) {
            d = d.suggest(
                Suggestion::replace(name.span, meant, format!("the direction is `{meant}`")).safe(),
            );
        } else if let Some(players) = players {
            d = d.help(players);
        } else {
            d = match self.elsewhere(d, name, what == "function", env) {
                Ok(d) => d,
                Err(d) => self.nearest(d, name, near, what, env),
            };
        }
        self.report(d);
        unknown(name.span)
    }

    /// Reports an unknown function.
    pub(super) fn unknown_call(
        &mut self,
        name: &Ident,
        arguments: &[Argument],
        span: Span,
        env: &Env,
    ) -> Expr {
        let d = Diagnostic::error(
            Code::E0201,
            format!("nothing is called `{}` here", name.text),
        )
        .at(name.span, "unknown function");
        // `adjacent(a, b)`
        if let ("adjacent" | "adj" | "joined" | "neighbours" | "neighbors", [a, b]) =
            (&*name.text, arguments)
        {
            let text = format!("{} in nbrs({})", print_expr(&b.value), print_expr(&a.value));
            let message = format!("the language says `{text}`");
            return self.hole(d.suggest(Suggestion::replace(span, text, message)));
        }
        let d = self.function_elsewhere(d, name, arguments, span, env);
        if d.suggestions.is_empty() && d.help.is_empty() || self.incomplete {
            return self.unknown_name(name, env, "function");
        }
        self.hole(d)
    }

    /// Adds the nearest name, or how to make the name known.
    fn nearest(
        &self,
        d: Diagnostic,
        name: &Ident,
        near: Option<Suggestion>,
        what: &str,
        env: &Env,
    ) -> Diagnostic {
        let text = &*name.text;
        let unrooted = matches!(text, "ground" | "root")
            && env.home.is_some_and(|id| {
                let rules = self.ruleset(id);
                rules.board.lines() == Lines::Edges && rules.root.is_none()
            });
        let of_games = matches!(
            text,
            "on" | "over" | "under" | "upon" | "dud" | "tis" | "tisn" | "pass" | "loony"
        );
        if of_games && env.around == Around::Rule && what == "name" {
            return d
                .help("what lies on a site is a piece, `empty`, `wall` or `off`")
                .note(format!("`{text}` is a word for the value of a game, and rules speak of sites and pieces"));
        }
        let asked = builtins::find(text)
            .filter(|r| what == "name" && r.signature.contains('(') && env.around != Around::Rule);
        if let Some(row) = asked {
            return d.help(format!("it is a function: `{}`", row.signature));
        }
        if let Some(near) = near.filter(|_| !unrooted) {
            d.suggest(near)
        } else if unrooted {
            let d = d.help(format!(
                "a graph has a root where its ruleset says so: `board graph rooted at {text}`"
            ));
            let board = env
                .home
                .and_then(|h| self.scope.insides[h.0 as usize].board);
            d.suggest_if(board.map(|b| {
                let clause = format!(" rooted at {text}");
                Suggestion::after(b, clause, format!("write `board graph rooted at {text}`"))
            }))
        } else if env.around == Around::Rule && what == "name" {
            d.help(format!(
                "if it is chosen, bind it: `choose {text} in ..`; if it is a piece, declare it: `pieces {text} = Left`"
            ))
        } else {
            d
        }
    }

    /// The message for an unknown name that is defined in a file used under a name, or could be.
    fn of_another_file(&self, name: &Ident) -> Option<Diagnostic> {
        let text = &*name.text;
        let here = self.scope.prefix(name.span.file);
        let mut files: Vec<&str> = self.scope.prefixes.values().map(|p| &**p).collect();
        files.sort_unstable();
        files.dedup();
        let files = || {
            let under = files.iter().filter_map(|p| p.strip_prefix(here));
            under.filter_map(|p| p.strip_suffix('.'))
        };
        let missing = format!("nothing is called `{text}` here");
        if let Some((file, last)) = text.rsplit_once('.') {
            if !files().any(|f| f == file) {
                let d = Diagnostic::error(Code::E0201, missing)
                    .at(name.span, format!("no file is used as `{file}`"));
                return Some(match near(file, files()) {
                    Some(meant) => d.suggest(Suggestion::replace(
                        name.span,
                        format!("{meant}.{last}"),
                        format!("a file is used as `{meant}`"),
                    )),
                    None => d.help(format!(
                        "a file gets a name where it is used: `use \"other.rules\" as {file}`"
                    )),
                });
            }
            let under = format!("{file}.");
            let all = self.scope.names_for(name.span.file);
            let all = all.filter_map(|n| n.strip_prefix(&*under));
            let defined: Vec<&str> = all.filter(|n| !n.contains(['.', ' ', '('])).collect();
            let d = Diagnostic::error(Code::E0201, missing).at(
                name.span,
                format!("the file that is used as `{file}` does not define `{last}`"),
            );
            return Some(match near(last, defined.iter().copied()) {
                Some(meant) => d.suggest(Suggestion::replace(
                    name.span,
                    format!("{under}{meant}"),
                    format!("did you mean `{under}{meant}`?"),
                )),
                None => d.help_if((!defined.is_empty()).then(|| {
                    let few: Vec<&str> = defined.iter().copied().take(8).collect();
                    format!("it defines {}", error::list(&few, "and"))
                })),
            });
        }
        let under: Vec<&str> = self
            .scope
            .names_for(name.span.file)
            .filter(|n| n.rsplit_once('.').is_some_and(|(_, last)| last == text))
            .collect();
        if let [first, ..] = under[..] {
            let said = format!("it is `{first}`, of the file that is used under that name");
            return Some(
                Diagnostic::error(Code::E0201, missing)
                    .at(name.span, "unknown name")
                    .suggest(Suggestion::replace(name.span, first, said).safe_if(under.len() == 1)),
            );
        }
        if files().any(|f| f == text) {
            return Some(
                Diagnostic::error(Code::E0201, missing)
                    .at(name.span, "a file is used under this name")
                    .help(format!("its names stand behind it: `{text}.Nim`")),
            );
        }
        None
    }

    /// The message for an unknown ruleset.
    pub(super) fn no_ruleset(&self, name: &Ident) -> Diagnostic {
        if let Some(d) = self.of_another_file(name) {
            return d;
        }
        let rulesets = self.scope.model.rulesets.iter();
        let prefix = self.scope.prefix(name.span.file);
        let known = rulesets.filter_map(|r| r.name.strip_prefix(prefix));
        Diagnostic::error(Code::E0201, format!("there is no ruleset `{}`", name.text))
            .at(name.span, "unknown ruleset")
            .suggest_if(self.shipped(name))
            .suggest_if(meant(name, known))
    }

    /// A `use` of the library file that defines the ruleset.
    fn shipped(&self, name: &Ident) -> Option<Suggestion> {
        let files = self.scope.library?(&name.text);
        let (place, first) = self.use_place?;
        let file = files.first()?;
        let line = format!("use \"{file}\"");
        let message = format!("it is defined in a shipped file: write `{line}` above");
        let text = if first {
            format!("{line}\n")
        } else {
            format!("\n{line}")
        };
        Some(Suggestion::replace(place, text, message).safe_if(files.len() == 1))
    }

    /// Reports an unknown ruleset, once.
    pub(super) fn missing_ruleset(&mut self, name: &Ident) -> Expr {
        if self.incomplete || !self.missing.insert(name.text.clone()) {
            return self.uses_broken(name);
        }
        let d = self.no_ruleset(name);
        self.hole(d)
    }

    /// Every name in scope.
    fn known(&self, file: FileId, env: &Env) -> Vec<Arc<str>> {
        let names = self.scope.names_for(file);
        let mut known: Vec<Arc<str>> = env
            .visible
            .iter()
            .map(|s| env.slots[*s as usize].name.clone())
            .collect();
        if let Some(id) = env.ruleset() {
            let rules = self.ruleset(id);
            known.extend(rules.root.clone());
            known.extend(rules.state.iter().map(|s| s.name.clone()));
            known.extend(rules.pieces.iter().map(|p| p.name.clone()));
            if env.home.is_some() {
                known.extend(self.scope.insides[id.0 as usize].lets.keys().cloned());
            }
        }
        match env.players_of().map(|id| self.ruleset(id)) {
            Some(rules) => match &rules.players {
                Players::Named(names) => known.extend(names.iter().cloned()),
                Players::Range(_) => {}
            },
            None => known.extend(["Left".into(), "Right".into()]),
        }
        known.extend(names.map(Arc::from));
        known.extend(builtins::names().map(Arc::from));
        known
    }
}
