//! The engine of the page: requests and answers are JSON. A request about a text of rules asks for messages, answers with
//! pictures, tokens, the standard layout, completions at a place, or the meaning of a name.
//!
//! Files exist in memory only: the text itself, other given files, and the shipped ones. No clock is read: `tick` is called
//! now and then, and says whether to end the evaluation.

mod ask;
mod board;
mod copy;
mod explore;
mod learn;
mod play;
mod quiz;
#[cfg(target_arch = "wasm32")]
mod wasm;

use cgdsl::base::utf16::{Utf16, byte_of_offset};
use cgdsl::base::{FileId, Sources};
use cgdsl::diagnostic::{Diagnostic, Plain, plain};
use cgdsl::game::{Cancel, Limits, Reason};
use cgdsl::ir::edit::Edit;
use cgdsl::model::typed::{QueryKind, Sort};
use cgdsl::report::{Document, Items, Summary, draw, lattice, table};
use cgdsl::session::{
    Answer, Card, Item, Memory, Picture, Session, Settings, Style, assist, assist::At, figure,
    reference, shipped,
};
use cgdsl::syntax::lexer::{TokenKind, lex};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A request of the page.
#[derive(Clone, Debug, Deserialize)]
pub struct Request {
    /// The question.
    #[serde(rename = "do")]
    pub what: What,
    /// The name of the file; without a text, that of a shipped file.
    #[serde(default)]
    pub name: String,
    /// Its text.
    #[serde(default)]
    pub text: Option<String>,
    /// Other files that it may use, by name.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// A place in the text, in UTF-16 units.
    #[serde(default)]
    pub at: usize,
    /// A position or a value, as text.
    #[serde(default)]
    pub expression: String,
    /// The most memory, in bytes.
    #[serde(default)]
    pub memory: Option<usize>,
    /// Whether to evaluate queries marked `slow`.
    #[serde(default)]
    pub slow: bool,
    /// Whether values are in ASCII, as `--json` prints them.
    #[serde(default)]
    pub ascii: bool,
    /// The part or format of the answer that is wanted.
    #[serde(default)]
    pub want: String,
    /// A change of a board by hand.
    #[serde(default)]
    pub edit: Option<Edit>,
    /// The index of the term of the sum that is changed.
    #[serde(default)]
    pub term: usize,
    /// The player who begins, by index in the order of turns.
    #[serde(default)]
    pub first: u8,
    /// Whether the last mover loses.
    #[serde(default)]
    pub misere: bool,
    /// The moves made so far, each as an index into the list of moves at that time.
    #[serde(default)]
    pub made: Vec<usize>,
}

/// The questions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum What {
    /// The version, and all shipped files.
    Gallery,
    /// Messages.
    Check,
    /// Tokens.
    Lex,
    /// All answers.
    Evaluate,
    /// A picture of the first position that the file evaluates.
    Picture,
    /// The options of a position.
    Moves,
    /// The thermograph of a value.
    Thermograph,
    /// The board of a position, for pointing and editing.
    Board,
    /// A game being played.
    Play,
    /// The options of a position or of a canonical form.
    Tree,
    /// Text for a paper.
    Copy,
    /// Questions to the reader.
    Quiz,
    /// The course: its map, a level, the verdict on an answer, a certificate.
    Learn,
    /// The standard layout.
    Format,
    /// The completions at a place.
    Complete,
    /// The meaning of the name at a place.
    Hover,
}

/// Receives intermediate answers, and may end an evaluation.
pub trait Host: Clone + Send + Sync + 'static {
    /// Receives an answer that is ready.
    fn tell(&self, json: &str);
    /// Receives the number of positions examined and the bytes in use; returns whether the time is over.
    fn tick(&self, positions: u64, bytes: usize) -> bool;
}

/// The memory limit in bytes, unless the page sets one.
const MEMORY: usize = 1 << 30;
/// The most pictures of an item.
const MOST_PICTURES: usize = 12;

/// Answers a request; an unreadable request gives `{ error }`.
pub fn answer(request: &str, host: &impl Host) -> String {
    match serde_json::from_str::<Request>(request) {
        Err(e) => json!({ "error": e.to_string() }).to_string(),
        Ok(r) => match r.what {
            What::Evaluate => evaluate(&r, host),
            What::Gallery => gallery().to_string(),
            What::Check => check(&r).to_string(),
            What::Lex => tokens(r.text.as_deref().unwrap_or("")).to_string(),
            What::Picture => first_picture(&r).to_string(),
            What::Moves => moves(&r, host).to_string(),
            What::Thermograph => thermograph(&r, host).to_string(),
            What::Board => board::board(&r, host).to_string(),
            What::Play => play::play(&r, host).to_string(),
            What::Tree => explore::tree(&r, host).to_string(),
            What::Copy => copy::copy(&r, host).to_string(),
            What::Quiz => quiz::quiz(&r, host).to_string(),
            What::Learn => learn::learn(&r).to_string(),
            What::Format => format(&r).to_string(),
            What::Complete => complete(&r).to_string(),
            What::Hover => hover(&r).to_string(),
        },
    }
}

impl Request {
    fn world(&self) -> Memory {
        let others = self
            .files
            .iter()
            .fold(Memory::default(), |world, (name, text)| {
                world.with(name, text.as_bytes())
            });
        match &self.text {
            Some(text) => others.with(&self.name, text.as_bytes()),
            None => others,
        }
    }

    fn settings(&self) -> Settings {
        let memory = self.memory.unwrap_or(MEMORY);
        let style = match self.ascii {
            true => Style::Ascii,
            false => Style::Unicode,
        };
        Settings {
            limits: Limits {
                memory,
                ..Limits::default()
            },
            cancel: Cancel::with_memory(memory),
            style,
            slow: self.slow,
            ..Settings::default()
        }
    }
}

/// Lets the host watch the searches of a session, and end them.
fn watch(session: &Session<'_>, cancel: &Cancel, host: &impl Host) {
    let (cancel, host) = (cancel.clone(), host.clone());
    session.progress().pulse.on_note(move |pulse| {
        if host.tick(pulse.positions(), pulse.bytes()) {
            cancel.cancel_for(Reason::Time);
        }
    });
}

fn gallery() -> Value {
    let files: Vec<Value> = shipped::all()
        .map(|f| {
            json!({ "path": f.path, "name": f.name(), "folder": f.folder(), "title": f.title(), "text": f.text })
        })
        .collect();
    let words: Vec<&str> = reference::names().collect();
    json!({ "version": env!("CARGO_PKG_VERSION"), "files": files, "words": words })
}

/// A message, with its places in the main file.
fn message(d: &Diagnostic, main: Option<FileId>, sources: &Sources) -> Value {
    let text = main
        .and_then(|id| sources.get(id))
        .map_or("", |s| s.text.as_ref());
    let mut units = Utf16::new(text);
    let place = d.labels.iter().find(|l| Some(l.span.file) == main);
    let (from, to) = place.map_or((0, 0), |l| {
        let range = l.span.range();
        (units.offset(range.start), units.offset(range.end))
    });
    let fixes: Vec<Value> = d
        .suggestions
        .iter()
        .filter_map(|s| {
            let edits = s.resolved(sources)?;
            if edits.iter().any(|e| Some(e.span.file) != main) {
                return None;
            }
            let edits: Vec<Value> = edits
                .iter()
                .map(|e| {
                    let range = e.span.range();
                    json!({ "from": units.offset(range.start), "to": units.offset(range.end), "text": e.text })
                })
                .collect();
            Some(json!({ "message": s.message, "safe": s.safe, "edits": edits }))
        })
        .collect();
    json!({
        "severity": d.severity, "code": d.code.to_string(), "message": d.message, "from": from, "to": to,
        "label": place.map_or("", |l| &*l.text), "notes": d.notes, "help": d.help, "fixes": fixes,
        "elsewhere": place.is_none(),
    })
}

fn check(r: &Request) -> Value {
    let world = r.world();
    let mut session = Session::new(&world, r.settings());
    let loaded = session.load(&r.name);
    let said: Vec<Value> = loaded
        .diagnostics
        .iter()
        .map(|d| message(d, loaded.main, session.sources()))
        .collect();
    json!({ "diagnostics": said, "queries": loaded.queries.len() })
}

/// The tokens except blanks: kind, first unit, and the unit after the last.
fn tokens(text: &str) -> Value {
    let mut units = Utf16::new(text);
    let all: Vec<Value> = lex(text)
        .into_iter()
        .filter(|t| t.kind != TokenKind::Blank)
        .map(|t| {
            let range = t.range();
            json!([
                class(t.kind),
                units.offset(range.start),
                units.offset(range.end)
            ])
        })
        .collect();
    json!({ "tokens": all })
}

fn class(kind: TokenKind) -> &'static str {
    match kind {
        TokenKind::Blank => "blank",
        TokenKind::Comment => "comment",
        TokenKind::Doc => "doc",
        TokenKind::Text | TokenKind::Art => "text",
        TokenKind::Open | TokenKind::Unknown => "wrong",
        TokenKind::Integer => "integer",
        TokenKind::Name => "name",
        TokenKind::Keyword => "keyword",
        TokenKind::OpenBracket | TokenKind::CloseBracket => "bracket",
        TokenKind::Sign => "sign",
    }
}

/// A picture with its text and description.
#[derive(Serialize)]
struct Drawn {
    text: String,
    svg: String,
    description: String,
}

fn drawn(picture: &Picture) -> Option<Drawn> {
    let figure = picture.figure.as_ref()?;
    Some(Drawn {
        text: picture.text.clone(),
        svg: draw::svg(&draw::scene(figure)),
        description: draw::describe(figure),
    })
}

fn of_scene(scene: &draw::scene::Scene) -> Drawn {
    Drawn {
        text: scene.title.clone(),
        svg: draw::svg(scene),
        description: scene.description.clone(),
    }
}

fn of_card(card: &Card) -> Vec<Drawn> {
    let mut all: Vec<Drawn> = drawn(&card.picture).into_iter().collect();
    if !card.coalitions.is_empty() {
        all.extend(lattice::scene(card).ok().as_ref().map(of_scene));
    }
    all
}

fn pictures(item: &Item) -> Vec<Drawn> {
    let of = |all: &[Picture]| all.iter().filter_map(drawn).take(MOST_PICTURES).collect();
    match &item.answer {
        Answer::Card(card) => of_card(card),
        Answer::Value(v) => of(&v.pictures),
        Answer::Verdict(v) => v
            .counterexample
            .as_ref()
            .map_or_else(Vec::new, |c| of(&c.pictures)),
        Answer::Table(t) => table::heat_map(t)
            .as_ref()
            .map(of_scene)
            .into_iter()
            .collect(),
        Answer::Search(s) => {
            let all = s.found.iter().flat_map(|i| &i.pictures);
            all.filter_map(drawn).take(MOST_PICTURES).collect()
        }
        Answer::None { .. } => Vec::new(),
    }
}

/// Reports each item with its pictures as soon as it is known, and returns the document of `cgdsl eval --json`.
fn evaluate(r: &Request, host: &impl Host) -> String {
    let world = r.world();
    let settings = r.settings();
    let cancel = settings.cancel.clone();
    let mut session = Session::new(&world, settings);
    watch(&session, &cancel, host);
    let loaded = session.load(&r.name);
    let main = loaded
        .main
        .and_then(|id| session.sources().get(id))
        .map(|s| s.name.to_string())
        .unwrap_or_default();
    let said: Vec<Plain> = loaded
        .diagnostics
        .iter()
        .map(|d| plain(d, session.sources()))
        .collect();
    let mut number = 0;
    let count = loaded.queries.len();
    let items = session.evaluate(&loaded, |item, sources| {
        let messages: Vec<Value> = item
            .messages
            .iter()
            .map(|d| message(d, loaded.main, sources))
            .collect();
        let here = item.file == main;
        let told = json!({
            "number": number, "count": count, "here": here, "item": item, "pictures": pictures(item),
            "messages": messages,
        });
        number += 1;
        host.tell(&told.to_string());
        if host.tick(0, 0) {
            cancel.cancel_for(Reason::Time);
        }
    });
    let summary = Summary::of(&items, loaded.broken);
    let items = Items {
        file: r.name.clone(),
        items,
        summary,
    };
    Document::new("cgdsl/eval/1", items, said).to_text()
}

/// A picture of the first position that the file evaluates, without its value.
fn first_picture(r: &Request) -> Value {
    let world = r.world();
    let mut session = Session::new(&world, r.settings());
    let loaded = session.load(&r.name);
    let asked = loaded.queries.iter().filter(|q| {
        let position = matches!(&q.body[..], [e] if e.sort == Sort::Position);
        q.kind == QueryKind::Eval && q.binders.is_empty() && position
    });
    for query in asked {
        if let Ok(position) = session.value_of(&loaded, query)
            && let Ok(figure) = figure::figure(&position)
        {
            return json!({ "picture": of_scene(&draw::scene(&figure)) });
        }
    }
    json!({})
}

/// The options of a position for each player, with pictures and, for two players, values.
fn moves(r: &Request, host: &impl Host) -> Value {
    ask::with(r, host, |session, loaded| {
        let position = ask::position(session, loaded, &r.expression)?;
        let found = session
            .moves(loaded, &position)
            .map_err(|(d, _)| ask::said(&[d]))?;
        if let Some((why, _)) = found.stopped {
            return Err(ask::said(&[why]));
        }
        let players: Vec<Value> = found
            .players
            .iter()
            .map(|(name, all)| {
                let shown: Vec<Value> = all
                    .iter()
                    .take(60)
                    .map(|m| json!({ "move": m, "picture": drawn(&m.picture) }))
                    .collect();
                json!({ "player": name, "count": all.len(), "moves": shown })
            })
            .collect();
        Ok(json!({ "players": players }))
    })
}

/// The thermograph of a position or value, with the known facts.
fn thermograph(r: &Request, host: &impl Host) -> Value {
    ask::with(r, host, |session, loaded| {
        let v = session
            .value(loaded, &r.expression, None)
            .map_err(|(all, _)| ask::said(&all))?;
        Ok(json!({
            "picture": of_scene(&draw::thermograph(&v)), "value": v.value, "outcome": v.outcome, "mean": v.mean,
            "temperature": v.temperature, "left_stop": v.left_stop, "right_stop": v.right_stop,
        }))
    })
}

fn format(r: &Request) -> Value {
    let world = r.world();
    match Session::new(&world, r.settings()).format(&r.name) {
        Ok((_, text)) => json!({ "text": text }),
        Err(all) => json!({ "error": all.first().map_or("", |d| d.message.as_str()) }),
    }
}

/// Asks a question about the place of the request.
fn ask<T>(r: &Request, question: impl FnOnce(At<'_>) -> T) -> Option<T> {
    let world = r.world();
    let mut session = Session::new(&world, r.settings());
    let (index, main) = session.index(&r.name);
    let byte = byte_of_offset(r.text.as_deref().unwrap_or(""), r.at);
    let (index, sources, file) = (&index, session.sources(), main?);
    Some(question(At {
        index,
        sources,
        file,
        byte,
    }))
}

/// The completions at a place, likeliest first.
fn complete(r: &Request) -> Value {
    let found = ask(r, assist::completions).unwrap_or_default();
    let mut units = Utf16::new(r.text.as_deref().unwrap_or(""));
    let all: Vec<Value> = found
        .all
        .iter()
        .map(|c| json!({ "label": c.text, "detail": c.detail, "info": c.doc, "own": c.own }))
        .collect();
    json!({ "options": all, "from": units.offset(found.replaces.start) })
}

/// The meaning of the name at a place: its definition in the text, or its entry in the reference.
fn hover(r: &Request) -> Value {
    let Some(m) = ask(r, assist::meaning).flatten() else {
        return Value::Null;
    };
    let mut units = Utf16::new(r.text.as_deref().unwrap_or(""));
    let (from, to) = (units.offset(m.place.start), units.offset(m.place.end));
    let own = m.entries.is_empty();
    json!({
        "from": from, "to": to, "name": m.name, "what": if own { m.what } else { "" },
        "signature": if own { "" } else { &*m.signature }, "doc": m.doc,
    })
}
