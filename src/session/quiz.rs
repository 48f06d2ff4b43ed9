//! The questions of a file (`ask ".." expect E`). Input: a question and an answer as typed; output: whether the answer is
//! right. Both are evaluated and compared by meaning, not by spelling: `{1|1}` is `1*`, `*6` is the nimber 6.
//!
//! The comparison uses canonical text: a game's canonical form is printed in one way (Siegel, *Combinatorial Game Theory*,
//! II.2), and a set is printed in order. Hence a sealed answer, of which only a hash is stored, is compared in the same way.

use super::seal::{opens, seal};
use super::{Loaded, Session, spoken};
use crate::base::{Span, with_room};
use crate::claim::{Answerer, diagnose};
use crate::diagnostic::{Code, Diagnostic};
use crate::game::Player;
use crate::ir::{Evaluator, Frame, Position, Res, Scope, Val, draw};
use crate::model::Seal;
use crate::model::typed::{Ask, AskAnswer, Expr, ExprKind, GameFunction, GameOp, Query, Sort};
use crate::syntax::lexer::{TokenKind, lex};
use crate::value::notation::{self, Style};
use std::sync::Arc;

/// The kind of answer that a question expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A game, by its value.
    Game,
    /// The n of a nimber `*n`.
    Nimber,
    /// An integer.
    Int,
    /// True or false.
    Truth,
    /// An outcome.
    Outcome,
    /// A set of positions.
    Positions,
    /// A set of anything else.
    Set,
    /// A list.
    List,
    /// A player.
    Player,
    /// A name: a piece, a site.
    Name,
}

/// The kinds, their words in seals, and what may be typed.
const KINDS: [(Kind, &str, &str); 10] = [
    (
        Kind::Game,
        "game",
        "a value, such as 3/4, *2, ^* or {1|-1}; `up`, `star` and 0.75 will do",
    ),
    (Kind::Nimber, "nimber", "a nimber, such as 2 or *2"),
    (Kind::Int, "int", "an integer, such as 5"),
    (Kind::Truth, "truth", "yes or no"),
    (
        Kind::Outcome,
        "outcome",
        "an outcome: L, R, N or P (the winner is Left, Right, the next player, the previous player), or D (a draw)",
    ),
    (
        Kind::Positions,
        "positions",
        "positions or boards, with `;` between them",
    ),
    (Kind::Set, "set", "a set, such as {1, 2}"),
    (Kind::List, "list", "a list, such as [1, 2]"),
    (Kind::Player, "player", "a player, such as Left or Right"),
    (Kind::Name, "name", "a name"),
];

/// The answers of `winner` that name no player.
const NOBODY: [&str; 2] = ["queer", "draw"];

impl Kind {
    /// The word for the kind in seals.
    #[must_use]
    pub fn word(self) -> &'static str {
        KINDS.iter().find(|k| k.0 == self).map_or("", |k| k.1)
    }

    /// What may be typed.
    #[must_use]
    pub fn described(self) -> &'static str {
        KINDS.iter().find(|k| k.0 == self).map_or("", |k| k.2)
    }

    fn of_word(word: &str) -> Option<Kind> {
        KINDS.iter().find(|k| k.1 == word).map(|k| k.0)
    }

    fn of(e: &Expr) -> Kind {
        match &e.sort {
            Sort::Game => Kind::Game,
            Sort::Int => match &*e.kind {
                ExprKind::Game(GameOp::Function(GameFunction::Nimber) | GameOp::Infinite, _) => {
                    Kind::Nimber
                }
                _ => Kind::Int,
            },
            Sort::Bool => Kind::Truth,
            Sort::Outcome => Kind::Outcome,
            Sort::Set(inner) if **inner == Sort::Position => Kind::Positions,
            Sort::Set(_) => Kind::Set,
            Sort::List(_) => Kind::List,
            Sort::Player => Kind::Player,
            _ => Kind::Name,
        }
    }
}

/// The right answer.
#[derive(Clone, Debug)]
enum Right {
    /// Its canonical text, and the text that is shown.
    Known(String, String),
    /// A hash of its canonical text.
    Sealed(Seal),
}

/// A question with its answer.
#[derive(Clone, Debug)]
pub struct Question {
    /// What is asked.
    pub text: String,
    /// The line of the question in its file.
    pub line: usize,
    /// What kind of answer is wanted.
    pub kind: Kind,
    /// The hints that the file gives.
    pub hints: Vec<String>,
    /// The source that the file gives.
    pub source: Option<String>,
    /// The position that the question is about, if one can be recognised.
    pub about: Option<Arc<Position>>,
    /// The expression of the answer; `None` if it is sealed.
    pub(super) expected: Option<Box<Query>>,
    right: Right,
}

impl Question {
    /// The right answer as shown; `None` if it is sealed.
    #[must_use]
    pub fn right(&self) -> Option<&str> {
        match &self.right {
            Right::Known(_, shown) => Some(shown),
            Right::Sealed(_) => None,
        }
    }

    /// What to type, phrased to follow "type".
    #[must_use]
    pub fn described(&self) -> String {
        match self.players() {
            Some(all) if all.len() > 2 => format!("a player, such as {}", all[0]),
            _ => self.kind.described().to_owned(),
        }
    }

    /// The players that an answer may name; `None` where they are not known.
    fn players(&self) -> Option<Vec<String>> {
        let about = self.about.as_ref().filter(|_| self.kind == Kind::Player)?;
        let players = (0..about.players()).map(Player);
        Some(players.map(|p| about.player_name(p).to_string()).collect())
    }
}

/// The mark of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mark {
    /// It is right.
    Right,
    /// It is a valid answer, but wrong.
    Wrong,
    /// It is not an answer to this question, with the reason.
    None(String),
}

/// Why a text cannot be read. Empty if its syntax is wrong: the messages about syntax assume knowledge of the language.
pub(super) fn reason(all: &[Diagnostic]) -> &str {
    let first = all.first().filter(|d| !d.code.is_syntax());
    first.map_or("", |d| &d.message)
}

/// A message that the text is not an answer, and what to type instead.
fn unread(text: &str, why: &str, kind: Kind) -> String {
    let wanted = kind.described();
    match why {
        "" => format!("`{text}` is not an answer to this; type {wanted}."),
        why => format!("`{text}` cannot be read ({why}); type {wanted}."),
    }
}

/// The canonical text of an answer; `None` if it does not fit the kind.
fn canonical(answerer: &Answerer<'_>, v: &Val, kind: Kind, span: Span) -> Res<Option<String>> {
    let forms = answerer.solver().forms();
    let all = |items: &[Val], kind: fn(&Val) -> Kind| -> Res<Option<Vec<String>>> {
        items
            .iter()
            .map(|v| canonical(answerer, v, kind(v), span))
            .collect()
    };
    // The kinds of elements within sets and lists.
    let of_sort: fn(&Val) -> Kind = |v| match v {
        Val::Game(_) => Kind::Game,
        Val::Set(_) => Kind::Set,
        Val::List(_) => Kind::List,
        _ => Kind::Name,
    };
    let braces = |mut items: Vec<String>| {
        items.sort();
        items.dedup();
        format!("{{{}}}", items.join("; "))
    };
    Ok(match (kind, v) {
        (Kind::Game, Val::Game(_) | Val::Int(_) | Val::Position(_)) => {
            Some(answerer.canonical_text(v, span)?)
        }
        (Kind::Nimber | Kind::Int, Val::Int(n)) => Some(n.to_string()),
        (Kind::Nimber, Val::Game(_)) if answerer.as_infinite(v).is_some() => {
            Some(answerer.canonical_text(v, span)?)
        }
        (Kind::Nimber, Val::Game(_)) => {
            let g = answerer.canonical(v, span)?;
            forms.as_nimber(g).map(|n| n.to_string())
        }
        // An integer may be given as a game: the value 2 is the integer 2.
        (Kind::Int, Val::Game(_)) => {
            let g = answerer.canonical(v, span)?;
            forms.as_integer(g).map(|n| n.to_string())
        }
        (Kind::Truth, Val::Bool(_)) | (Kind::Outcome, Val::Outcome(_)) => {
            Some(draw::value(v, None))
        }
        (Kind::Positions, Val::Set(items)) => all(items, |_| Kind::Positions)?.map(braces),
        (Kind::Positions, Val::Position(p)) => Some(draw::literal(p)),
        (Kind::Set, Val::Set(items)) => all(items, of_sort)?.map(braces),
        (Kind::List, Val::List(items)) => {
            all(items, of_sort)?.map(|out| format!("[{}]", out.join("; ")))
        }
        (Kind::Player | Kind::Name, v) => Some(answerer.show(v).to_lowercase()),
        _ => None,
    })
}

impl Session<'_> {
    /// The questions of a file. For a faulty question, the diagnostic, and whether it is only a limit.
    #[must_use]
    pub fn questions(&mut self, loaded: &mut Loaded) -> Vec<Result<Question, (Diagnostic, bool)>> {
        let asks = loaded.model.asks.clone();
        asks.iter()
            .map(|ask| with_room(|| self.question(loaded, ask)))
            .collect()
    }

    fn question(&mut self, loaded: &mut Loaded, ask: &Ask) -> Result<Question, (Diagnostic, bool)> {
        let line = self.sources.get(ask.span.file).map_or(1, |s| {
            let before = s.text.get(..ask.span.start as usize).unwrap_or("");
            before.matches('\n').count() + 1
        });
        let (kind, right, about) = match &ask.answer {
            AskAnswer::Seal(seal) => {
                let kind = Kind::of_word(&seal.kind).ok_or_else(|| {
                    let d =
                        Diagnostic::error(Code::E0505, "a seal of a kind that is not known here");
                    (d.at(ask.span, "from a later cgdsl?"), false)
                })?;
                (kind, Right::Sealed((**seal).clone()), None)
            }
            AskAnswer::Expect(query) => {
                let kind = match &query.body[..] {
                    [e] => Kind::of(e),
                    _ => Kind::Name,
                };
                let (text, shown) = self
                    .canonical_of(loaded, query, kind)
                    .map_err(|fault| (diagnose(&fault), fault.code.is_limit()))?;
                let about = self.about(loaded, query.span);
                match text {
                    Some(text) => (kind, Right::Known(text, shown), about),
                    None => {
                        let d = Diagnostic::error(
                            Code::E0504,
                            "this is not an answer that can be compared",
                        );
                        return Err((d.at(query.span, "expected here"), false));
                    }
                }
            }
        };
        Ok(Question {
            text: ask.question.to_string(),
            line,
            kind,
            hints: ask.hints.iter().map(ToString::to_string).collect(),
            source: ask.source.as_ref().map(|(program, text)| match program {
                true => format!("program {text}"),
                false => text.to_string(),
            }),
            about,
            expected: match &ask.answer {
                AskAnswer::Expect(query) => Some(query.clone()),
                AskAnswer::Seal(_) => None,
            },
            right,
        })
    }

    /// The canonical text of an expression, and the text that is shown.
    fn canonical_of(
        &self,
        loaded: &Loaded,
        query: &Query,
        kind: Kind,
    ) -> Res<(Option<String>, String)> {
        let solver = self.solver(loaded);
        let answerer = Answerer::new(&solver, self.settings.style).marked(self.settings.marked);
        let ev = Evaluator::new(&loaded.model, &answerer).with_cancel(self.settings.cancel.clone());
        // Only a single expression can be compared; conditions joined by `and` are one.
        let [e] = &query.body[..] else {
            return Ok((None, String::new()));
        };
        let v = ev.eval(e, &mut Frame::default(), Scope::default())?;
        let shown = match (kind, &v) {
            (Kind::Game, Val::Position(_)) => answerer.show(&answerer.value(&v, query.span)?),
            _ => answerer.show(&v),
        };
        Ok((canonical(&answerer, &v, kind, query.span)?, shown))
    }

    /// The position in the arguments of the function in the question: P in `best(P, Left)`.
    fn about(&mut self, loaded: &mut Loaded, span: Span) -> Option<Arc<Position>> {
        let text = self.sources.slice(span).to_owned();
        let tokens = lex(&text);
        let open = tokens
            .iter()
            .position(|t| t.kind == TokenKind::OpenBracket)?;
        if text.get(tokens[open].range()) != Some("(") {
            return None;
        }
        let mut depth = 0usize;
        let mut end = None;
        for token in &tokens[open..] {
            match token.kind {
                TokenKind::OpenBracket => depth += 1,
                TokenKind::CloseBracket => depth = depth.saturating_sub(1),
                _ => {}
            }
            let comma = depth == 1 && text.get(token.range()) == Some(",");
            if depth == 0 || comma {
                end = Some(token.start as usize);
                break;
            }
        }
        let argument = text.get(tokens[open].end as usize..end?)?.trim().to_owned();
        let query = self.expression(loaded, &argument).ok()?;
        let of_position = query.body.iter().all(|e| e.sort == Sort::Position);
        if !of_position {
            return None;
        }
        self.value_of(loaded, &query).ok()
    }

    /// Compares a typed answer with the right answer.
    pub fn mark(&mut self, loaded: &mut Loaded, question: &Question, typed: &str) -> Mark {
        let mut found = Vec::new();
        // The answer may be a name that only the position defines.
        let is_name = matches!(question.kind, Kind::Player | Kind::Name);
        let typed = match question.kind {
            Kind::Player => &spoken::player(typed),
            _ => typed.trim(),
        };
        if is_name {
            found.push(typed.to_lowercase());
        }
        let is_one = |name: &str| name.eq_ignore_ascii_case(typed);
        if let Some(names) = question.players()
            && !names.iter().any(|name| is_one(name))
            && !NOBODY.into_iter().any(is_one)
        {
            let names = match names.split_last() {
                Some((last, [])) => last.clone(),
                Some((last, before)) => format!("{} or {last}", before.join(", ")),
                None => String::new(),
            };
            return Mark::None(format!("`{typed}` is not a player here; type {names}."));
        }
        match self.typed(loaded, question.kind, typed) {
            Ok(text) => found.push(text),
            Err(_) if is_name => {}
            Err(why) => return Mark::None(why),
        }
        found.dedup();
        for text in found {
            match &question.right {
                Right::Known(right, _) if *right == text => return Mark::Right,
                Right::Known(..) => {}
                Right::Sealed(seal) => match opens(seal, &text) {
                    Some(true) => return Mark::Right,
                    Some(false) => {}
                    None => return Mark::None("there is no memory to look".to_owned()),
                },
            }
        }
        Mark::Wrong
    }

    /// The canonical text of a typed answer, or why it is not an answer.
    fn typed(&mut self, loaded: &mut Loaded, kind: Kind, text: &str) -> Result<String, String> {
        let unread = |why: &str| unread(text, why, kind);
        match kind {
            Kind::Truth => {
                if let Some(b) = spoken::truth(text) {
                    return Ok(draw::value(&Val::Bool(b), None));
                }
            }
            Kind::Outcome => {
                if let Some(o) = spoken::outcome(text) {
                    return Ok(draw::value(&Val::Outcome(o), None));
                }
            }
            Kind::Positions if !text.starts_with('{') => return self.boards(loaded, text),
            _ => {}
        }
        let meant = match kind {
            Kind::Game | Kind::Nimber | Kind::Int => spoken::value(text),
            // The brackets of a set or list may be left out.
            Kind::Set if !text.contains(['{', '(']) && !text.contains("..") => {
                format!("{{{text}}}")
            }
            Kind::List if !text.contains('[') => format!("[{text}]"),
            _ => text.to_owned(),
        };
        let side = match kind {
            Kind::Game => self.game(loaded, &meant),
            _ => self.expression(loaded, &meant),
        };
        let query = match side {
            Ok(query) => query,
            Err(all) => {
                // It may be a value in LaTeX or in the notation of other programs.
                let solver = self.solver(loaded);
                if let (Kind::Game, Ok(g)) = (kind, notation::read(solver.forms(), &meant)) {
                    return Ok(notation::print(solver.forms(), g, Style::Ascii));
                }
                return Err(unread(reason(&all)));
            }
        };
        match with_room(|| self.canonical_of(loaded, &query, kind)) {
            Ok((Some(text), _)) => Ok(text),
            Ok((None, _)) => Err(unread("")),
            Err(fault) => Err(unread(&fault.message)),
        }
    }

    /// Positions or bare boards, separated by `;`.
    fn boards(&mut self, loaded: &mut Loaded, text: &str) -> Result<String, String> {
        let mut all = Vec::new();
        for part in text.split(';').map(str::trim).filter(|p| !p.is_empty()) {
            let query = self
                .position(loaded, part)
                .map_err(|all| unread(part, reason(&all), Kind::Positions))?;
            let position = self
                .value_of(loaded, &query)
                .map_err(|d| unread(part, &d.message, Kind::Positions))?;
            all.push(draw::literal(&position));
        }
        all.sort();
        all.dedup();
        Ok(format!("{{{}}}", all.join("; ")))
    }

    /// The file with every `expect E` sealed, and the number of questions sealed. The rest of the text is unchanged.
    ///
    /// # Errors
    /// The first question that has no answer, and whether that is only a limit.
    pub fn sealed(&mut self, loaded: &mut Loaded) -> Result<(String, usize), (Diagnostic, bool)> {
        let asks = loaded.model.asks.clone();
        let text = loaded
            .main
            .and_then(|id| self.sources.get(id))
            .map_or_else(String::new, |s| s.text.to_string());
        // Where each keyword `expect` starts; the word may also occur in questions and comments.
        let words = lex(&text).into_iter();
        let keywords: Vec<usize> = words
            .filter(|t| t.kind == TokenKind::Keyword && &text[t.range()] == "expect")
            .map(|t| t.start as usize)
            .collect();
        let mut out = String::with_capacity(text.len() + 128 * asks.len());
        let (mut at, mut count) = (0, 0);
        for ask in &asks {
            let AskAnswer::Expect(query) = &ask.answer else {
                continue;
            };
            let question = with_room(|| self.question(loaded, ask))?;
            let Right::Known(answer, _) = &question.right else {
                continue;
            };
            // The replaced text runs from `expect` to the end of the expression, with comments between them, which may
            // speak of the answer.
            let end = query.span.end as usize;
            let before = keywords.partition_point(|k| *k < query.span.start as usize);
            let from = before.checked_sub(1).map(|i| keywords[i]);
            let from = from
                .filter(|k| *k >= ask.span.start as usize)
                .ok_or_else(|| {
                    let d =
                        Diagnostic::error(Code::E0710, "this answer has no `expect` in the text");
                    (d.at(query.span, ""), false)
                })?;
            let sealed = seal(&question.text, question.kind.word(), answer).ok_or_else(|| {
                let d = Diagnostic::error(Code::E0710, "there is no memory to seal an answer");
                (d.at(query.span, ""), true)
            })?;
            out.push_str(text.get(at..from).unwrap_or(""));
            out.push_str(&format!("seal \"{sealed}\""));
            at = end;
            count += 1;
        }
        out.push_str(text.get(at..).unwrap_or(""));
        Ok((out, count))
    }
}
