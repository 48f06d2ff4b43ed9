//! Judges answers to levels. Input: a level and an answer; output: whether the answer solves the level, and if not, the
//! option, reply or instance that shows it. There is no stored answer: the rules of the level are evaluated.

use super::super::objection::reply;
use super::super::play::{Play, Prospect, Reading, Standing};
use super::super::quiz::{Mark, Question, reason};
use super::super::{Loaded, Memory, Session, Settings};
use super::{Kind, Level};
use crate::claim::{Answer, Instance, Item, Picture, Status};
use crate::game::Player;
use crate::ir::{Position, draw};
use crate::model::typed::{Query, Sort};
use crate::syntax::lexer::{TokenKind, lex};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The longest accepted answer, in bytes.
const LONGEST: usize = 4096;
/// The file name under which a level is loaded.
pub(super) const FILE: &str = "level.rules";

/// The verdict on an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It solves the level; with a comment.
    Right(String),
    /// It does not solve the level, with the reason.
    Wrong(String),
    /// It is not an answer to this level, with the reason.
    Unread(String),
    /// A limit was met; with its message.
    Unknown(String),
}

/// What the player sees of a level.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Shown {
    /// The question.
    pub question: String,
    /// The position in question.
    pub picture: Option<Picture>,
    /// The rules to change, with line numbers; the claims; the sentence to refute.
    pub items: Vec<String>,
    /// What to type.
    pub wanted: String,
    /// The hints, in order.
    pub hints: Vec<String>,
}

/// A level that has been loaded.
pub(super) struct Open<'w> {
    pub(super) session: Session<'w>,
    pub(super) loaded: Loaded,
}

impl<'w> Open<'w> {
    pub(super) fn new(world: &'w Memory, settings: &Settings) -> Open<'w> {
        let mut session = Session::new(world, settings.clone());
        let loaded = session.load(FILE);
        Open { session, loaded }
    }

    /// The question of the level.
    fn question(&mut self) -> Result<Question, Verdict> {
        let mut all = self.session.questions(&mut self.loaded);
        match all.pop() {
            Some(Ok(question)) => Ok(question),
            Some(Err((d, true))) => Err(Verdict::Unknown(d.message)),
            Some(Err((d, false))) => Err(Verdict::Unread(d.message)),
            None => Err(Verdict::Unread("The level asks nothing.".to_owned())),
        }
    }

    /// The fault in the file, if any.
    pub(super) fn broken(&self) -> Option<Verdict> {
        if self.loaded.broken == 0 {
            return None;
        }
        let why = self.loaded.diagnostics.iter().find(|d| d.is_error());
        let why = why.map_or_else(String::new, |d| d.message.clone());
        Some(match self.loaded.met {
            Some(_) => Verdict::Unknown(why),
            None => Verdict::Unread(format!("It cannot be read: {why}.")),
        })
    }

    /// Reads a full position, or a bare board of the ruleset of `like`, perhaps drawn without quotes.
    fn position(&mut self, typed: &str, like: &Position) -> Result<Arc<Position>, String> {
        let mut texts = vec![typed.to_owned()];
        if let Some(term) = like.as_single() {
            let rules = &term.setting.instance.rules.name;
            texts.push(format!("{rules}[{typed}]"));
            texts.push(format!("{rules}[\"{typed}\"]"));
        }
        let mut why = None;
        for text in texts {
            match self.session.expression(&mut self.loaded, &text) {
                Ok(query) if query.body.iter().all(|e| e.sort == Sort::Position) => {
                    let found = self.session.value_of(&self.loaded, &query);
                    return found.map_err(|d| d.message);
                }
                Ok(_) => {}
                Err(all) => why = why.or(Some(reason(&all).to_owned())),
            }
        }
        Err(why.unwrap_or_else(|| "it is something else".to_owned()))
    }

    /// Whether all claims hold.
    fn claims(&mut self) -> Verdict {
        let items = self.session.evaluate(&self.loaded, |_, _| {});
        let bad = items.iter().find(|i| i.status != Status::Held);
        match bad {
            None => Verdict::Right(String::new()),
            Some(item) => judged(item),
        }
    }
}

/// The verdict for an item that does not hold.
pub(super) fn judged(item: &Item) -> Verdict {
    let said = item.diagnostics.first().map(|d| d.message.clone());
    match (&item.answer, item.status) {
        (Answer::Verdict(v), Status::Failed) => {
            let name = v
                .name
                .as_ref()
                .map_or(String::new(), |n| format!("\"{n}\" "));
            let shown = v.counterexample.as_ref().map(instance).unwrap_or_default();
            Verdict::Wrong(format!("The claim {name}fails{shown}."))
        }
        (Answer::Verdict(v), Status::Unknown) => {
            Verdict::Unknown(v.limit.clone().or(said).unwrap_or_default())
        }
        (_, Status::Unknown) => Verdict::Unknown(said.unwrap_or_default()),
        _ => Verdict::Wrong(format!("A rule goes wrong: {}.", said.unwrap_or_default())),
    }
}

/// ` at a = 2: nimber(Nim[a]) is 2`
pub(super) fn instance(found: &Instance) -> String {
    let listed = |all: &[crate::claim::Binding], between: &str| {
        let all: Vec<String> = all
            .iter()
            .map(|b| format!("{}{between}{}", b.name, b.value))
            .collect();
        all.join(", ")
    };
    let mut text = String::new();
    if !found.bindings.is_empty() {
        text = format!(" at {}", listed(&found.bindings, " = "));
    }
    if let Some(failed) = &found.failed {
        text.push_str(&format!(", where {failed} does not hold"));
    }
    if !found.found.is_empty() {
        text.push_str(&format!(": {}", listed(&found.found, " is ")));
    }
    text
}

/// How good the position is for a player: 2 a win, 1 a draw, 0 a loss.
fn rank(play: &Play, player: Player) -> Result<u8, String> {
    if let Some((mover, advice)) = reply(play)? {
        return match advice.prospect {
            None => Err("a limit was met".to_owned()),
            Some(Prospect::Wins) => Ok(if mover == player { 2 } else { 0 }),
            Some(Prospect::Loses(winner)) => Ok(if winner == player { 2 } else { 0 }),
            Some(Prospect::Drawn | Prospect::Queer) => Ok(1),
        };
    }
    Ok(match *play.standing() {
        Standing::Won(winner) if winner == player => 2,
        Standing::Won(_) => 0,
        Standing::Lost(loser) if loser == player => 0,
        Standing::Lost(_) => 2,
        Standing::Drawn | Standing::ToMove(_) => 1,
    })
}

/// The names of the rulesets that occur in a position.
fn rulesets(position: &Position) -> BTreeSet<String> {
    let terms = position.terms().iter();
    terms
        .map(|t| t.setting.instance.rules.name.to_string())
        .collect()
}

/// The form in which a move is typed, from the text of one move: `n = .., k = ..`.
fn chosen(text: &str) -> String {
    let mut parts: Vec<&str> = text.split(" = ").collect();
    parts.pop();
    let names = parts.iter().filter_map(|p| p.split(' ').next_back());
    let all: Vec<String> = names.map(|name| format!("{name} = ..")).collect();
    match all.is_empty() {
        true => String::new(),
        false => format!(" Type what is chosen, `{}`.", all.join(", ")),
    }
}

impl Level {
    /// The text of the level as a file.
    #[must_use]
    pub fn file(&self) -> String {
        format!("{}\n\n{}", self.shared, self.items)
    }

    /// The rules that may be changed: the lines before the first query.
    fn changeable(&self) -> &str {
        let query = |l: &str| {
            let words = ["claim ", "refute ", "assert ", "ask "];
            words.iter().any(|w| l.starts_with(w))
        };
        let mut end = 0;
        for line in self.items.split_inclusive('\n') {
            if query(line) {
                break;
            }
            end += line.len();
        }
        self.items[..end].trim_end()
    }

    /// The items that may not be changed.
    fn fixed(&self) -> &str {
        self.items[self.changeable().len()..].trim()
    }

    /// What the player sees of the level.
    #[must_use]
    pub fn show(&self, settings: &Settings) -> Shown {
        let world = Memory::default().with(FILE, self.file());
        let mut open = Open::new(&world, settings);
        let mut shown = Shown {
            question: self.text.clone(),
            wanted: self.kind.wanted().to_owned(),
            hints: self.hints.iter().map(ToString::to_string).collect(),
            ..Shown::default()
        };
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<String>>();
        match self.kind {
            Kind::Predict | Kind::Move => {
                if let Ok(question) = open.question() {
                    if !shown.question.is_empty() {
                        shown.question.push(' ');
                    }
                    shown.question.push_str(&question.text);
                    if self.kind == Kind::Predict {
                        shown.wanted = question.described();
                    }
                    shown.hints.splice(0..0, question.hints);
                    if let Some(position) = question.about {
                        shown.picture = Some(crate::claim::card::picture(&position));
                    }
                }
            }
            Kind::Change => {
                let rules = self.changeable().lines().enumerate();
                shown.items = rules.map(|(i, l)| format!("{:3}  {l}", i + 1)).collect();
                shown.items.push(String::new());
                shown.items.extend(lines(self.fixed()));
            }
            Kind::Build => {
                shown.items = lines(self.fixed());
                let item = self.items.lines().next();
                if let Some((_, given)) = item.and_then(|i| i.split_once(" = ")) {
                    shown.wanted = format!("{}, in the form of `{given}`", shown.wanted);
                }
            }
            Kind::Refute => {
                shown.items = lines(&self.items);
                let form = open.form();
                shown.wanted = format!("{}: `{form}`", shown.wanted);
            }
        }
        shown
    }

    /// Judges an answer.
    #[must_use]
    pub fn judge(&self, typed: &str, settings: &Settings) -> Verdict {
        let typed = typed.trim();
        if typed.len() > LONGEST || typed.chars().any(char::is_control) {
            return Verdict::Unread(
                "An answer is one line of at most 4096 bytes, without control characters."
                    .to_owned(),
            );
        }
        let judged = match self.kind {
            Kind::Predict => self.predicted(typed, settings),
            Kind::Move => self.moved(typed, settings),
            Kind::Change => self.changed(typed, settings),
            Kind::Build => self.built(typed, settings),
            Kind::Refute => self.refuted(typed, settings),
        };
        let judged = judged.unwrap_or_else(|verdict| verdict);
        match settings.cancel.is_cancelled() {
            true => Verdict::Unknown("the time was over".to_owned()),
            false => judged,
        }
    }

    fn predicted(&self, typed: &str, settings: &Settings) -> Result<Verdict, Verdict> {
        let world = Memory::default().with(FILE, self.file());
        let mut open = Open::new(&world, settings);
        let question = open.question()?;
        let (session, loaded) = (&mut open.session, &mut open.loaded);
        Ok(match session.mark(loaded, &question, typed) {
            Mark::Right => Verdict::Right(String::new()),
            Mark::None(why) => Verdict::Unread(why),
            Mark::Wrong => Verdict::Wrong(match self.why {
                Some(why) => why.to_owned(),
                None => session
                    .objection(loaded, &question, typed)
                    .unwrap_or_else(|| "It is something else.".to_owned()),
            }),
        })
    }

    /// The expression, `best(P, Left)` or `options(P, Left)`, names the position and the player; the move is judged by
    /// playing.
    fn moved(&self, typed: &str, settings: &Settings) -> Result<Verdict, Verdict> {
        let world = Memory::default().with(FILE, self.file());
        let mut open = Open::new(&world, settings);
        let question = open.question()?;
        let unread = |why: String| Verdict::Unread(why);
        let position = question
            .about
            .clone()
            .ok_or_else(|| unread("The level has no position.".to_owned()))?;
        let span = question.expected.as_ref().map(|q| q.span);
        let asked = span.map_or_else(String::new, |s| open.session.sources.slice(s).to_owned());
        let last = asked.rsplit(',').next().unwrap_or("");
        let player = (0..position.players())
            .map(Player)
            .find(|p| {
                last.trim_matches(|c: char| !c.is_alphanumeric()) == &*position.player_name(*p)
            })
            .unwrap_or(Player::LEFT);
        let mut play = open
            .session
            .play(&open.loaded, &position, player, false)
            .map_err(|d| unread(d.message))?;
        let best = rank(&play, player).map_err(Verdict::Unknown)?;
        let choice = match play.read(typed).map_err(|d| unread(d.message))? {
            Reading::Move(choice) => choice,
            Reading::Several(all) => {
                let mut all: Vec<&str> = all.iter().map(|c| c.text.as_str()).collect();
                all.dedup();
                all.truncate(12);
                return Err(unread(format!("Which of these? {}", all.join("; "))));
            }
            reading => {
                // It may be the position after the move.
                let to = open.position(typed, &position).ok();
                let moves = play.moves().map_err(|d| unread(d.message))?;
                let found = to.as_ref().and_then(|to| {
                    let literal = draw::literal(to);
                    moves
                        .into_iter()
                        .find(|c| draw::literal(&c.position) == literal)
                });
                match (found, to, reading) {
                    (Some(choice), _, _) => choice,
                    (None, Some(to), _) => {
                        let name = position.player_name(player);
                        let to = draw::short(&to);
                        let moves = play.moves().map_err(|d| unread(d.message))?;
                        let how = moves.first().map_or_else(String::new, |c| chosen(&c.text));
                        return Err(unread(format!("{name} has no move to {to}.{how}")));
                    }
                    (None, None, Reading::Forbidden { text, span, .. }) => {
                        let rule = open.session.sources.slice(span);
                        return Err(unread(format!(
                            "That is not a move: with {text} the rule `{rule}` forbids it."
                        )));
                    }
                    _ => {
                        let moves = play.moves().map_err(|d| unread(d.message))?;
                        let how = moves.first().map_or_else(String::new, |c| chosen(&c.text));
                        return Err(unread(format!(
                            "`{typed}` is not a move, and no position that a move leads to.{how}"
                        )));
                    }
                }
            }
        };
        let name = position.player_name(player).to_string();
        play.make(&choice).map_err(|d| unread(d.message))?;
        let now = rank(&play, player).map_err(Verdict::Unknown)?;
        let to = draw::short(&choice.position);
        if now >= best {
            return Ok(Verdict::Right(format!("It leaves {to}.")));
        }
        let answer = reply(&play).map_err(Verdict::Unknown)?;
        Ok(Verdict::Wrong(match answer {
            Some((mover, advice)) if mover != player => format!(
                "It leaves {to}; then {} plays {}, and {name} can no longer win.",
                position.player_name(mover),
                advice.choice.text
            ),
            Some(_) => format!("It leaves {to}; {name} has to move again, and can no longer win."),
            None => format!("It leaves {to}, and there {name} has lost."),
        }))
    }

    fn changed(&self, typed: &str, settings: &Settings) -> Result<Verdict, Verdict> {
        let unread = |why: &str| Verdict::Unread(why.to_owned());
        let (place, edit) = match typed.split_once(':') {
            Some((line, edit)) if line.trim().parse::<usize>().is_ok() => {
                (line.trim().parse::<usize>().ok(), edit)
            }
            _ => (None, typed),
        };
        let (old, new) = edit
            .split_once(" -> ")
            .ok_or_else(|| unread("Type a word and its replacement: `south -> east`."))?;
        let (old, new) = (old.trim(), new.trim());
        let words = |text: &str| {
            let tokens = lex(text).into_iter();
            tokens
                .filter(|t| {
                    !matches!(
                        t.kind,
                        TokenKind::Blank | TokenKind::Comment | TokenKind::Doc
                    )
                })
                .collect::<Vec<_>>()
        };
        if words(new).len() != 1 {
            return Err(unread("Replace one word by one word."));
        }
        let rules = self.changeable();
        let mut places = words(rules);
        places.retain(|t| rules.get(t.range()) == Some(old));
        if let Some(line) = place {
            places.retain(|t| {
                let before = rules.get(..t.start as usize).unwrap_or("");
                before.matches('\n').count() + 1 == line
            });
        }
        let at = match &places[..] {
            [] => return Err(Verdict::Unread(format!("`{old}` does not stand there."))),
            [one] => one.range(),
            _ if place.is_none() => {
                return Err(Verdict::Unread(format!(
                    "`{old}` stands there {} times: begin with the number of the line, `2: {old} -> {new}`.",
                    places.len()
                )));
            }
            _ => {
                return Err(Verdict::Unread(format!(
                    "`{old}` stands in that line more than once."
                )));
            }
        };
        let text = format!(
            "{}\n\n{}{new}{}\n\n{}\n",
            self.shared,
            &rules[..at.start],
            &rules[at.end..],
            self.fixed()
        );
        let world = Memory::default().with(FILE, text);
        let mut open = Open::new(&world, settings);
        match open.broken() {
            Some(verdict) => Err(verdict),
            None => Ok(open.claims()),
        }
    }

    /// The first item of the level defines what is to be built; the answer replaces its right-hand side.
    fn built(&self, typed: &str, settings: &Settings) -> Result<Verdict, Verdict> {
        let unread = |why: &str| Verdict::Unread(why.to_owned());
        let (item, after) = self.items.split_once('\n').unwrap_or((&self.items, ""));
        let (head, given) = item
            .split_once(" = ")
            .ok_or_else(|| unread("The level builds nothing."))?;
        let name = head.rsplit(' ').next().unwrap_or(head);
        let world = Memory::default().with(FILE, self.file());
        let mut open = Open::new(&world, settings);
        let (session, loaded) = (&mut open.session, &mut open.loaded);
        let example = session
            .expression(loaded, name)
            .map_err(|_| unread("The level cannot be read."))?;
        let sort = |query: &Query| query.body.first().map(|e| e.sort.clone());
        let text = if sort(&example) == Some(Sort::Position) {
            let like = session
                .value_of(loaded, &example)
                .map_err(|d| Verdict::Unread(d.message))?;
            let built = open.position(typed, &like).map_err(|why| {
                let like = draw::literal(&like);
                let why = match why.as_str() {
                    "" => String::new(),
                    why => format!(": {why}"),
                };
                let why =
                    format!("That is not a position{why}. One is written like this: `{like}`.");
                Verdict::Unread(why)
            })?;
            if !rulesets(&built).is_subset(&rulesets(&like)) {
                let all: Vec<String> = rulesets(&like).into_iter().collect();
                return Err(Verdict::Unread(format!(
                    "Build it of {}.",
                    all.join(" and ")
                )));
            }
            draw::literal(&built)
        } else {
            let how = format!("One is written like this: `{given}`.");
            let query = session.expression(loaded, typed).map_err(|all| {
                let why = match reason(&all) {
                    "" => String::new(),
                    why => format!(" ({why})"),
                };
                Verdict::Unread(format!("`{typed}` cannot be read{why}. {how}"))
            })?;
            if sort(&query) != sort(&example) {
                let said = format!("This level asks for something of another kind. {how}");
                return Err(Verdict::Unread(said));
            }
            typed.to_owned()
        };
        let file = format!("{}\n\n{head} = {text}\n{after}", self.shared);
        let world = Memory::default().with(FILE, file);
        let mut open = Open::new(&world, settings);
        match open.broken() {
            Some(verdict) => Err(verdict),
            None => Ok(open.claims()),
        }
    }
}
