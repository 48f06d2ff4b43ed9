//! The commands that evaluate: `eval`, `moves`, `explain`, `value`, `fmt`. Each turns files and texts into printed answers
//! and an exit code.

use super::args::{AnswerFormat, Common, Eval, PictureFormat, Style as Notation, Value, Written};
use super::draw::{format_of, marks, written};
use super::guard::Guard;
use super::output::Output;
use super::watch::Watch;
use crate::base::Sources;
use crate::diagnostic::{Code, Diagnostic, Plain, has_errors, plain};
use crate::engine::Archive;
use crate::game::{Cancel, Limits, Shortcuts};
use crate::report::{
    Document, Items, Summary, draw, item, lattice, moves as moves_text, paper, summary,
};
use crate::session::{
    Answer, Card, Disk, Item, Loaded, Move, Session, Settings, Status, Store, Style, Unsaved,
    Valued, edited,
};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The context of a command.
pub struct Run<'r> {
    /// The output.
    pub output: &'r mut Output,
    /// The options for all commands.
    pub common: &'r Common,
    /// Cancels the command.
    pub cancel: Cancel,
    /// Values kept between runs.
    pub store: Option<Arc<Store>>,
    /// Ends the program if the command does not end itself.
    pub guard: Option<Guard>,
}

/// The most moves of a player that are shown unless all are requested.
const MOST_MOVES: usize = 100;

/// The content of `moves --json`.
#[derive(Serialize)]
struct Moves {
    file: String,
    position: String,
    drawing: Vec<String>,
    players: Vec<PlayerMoves>,
}

#[derive(Serialize)]
struct PlayerMoves {
    player: String,
    moves: Vec<Move>,
}

/// A document with messages only.
#[derive(Serialize)]
pub(super) struct Nothing {}

impl Run<'_> {
    pub(super) fn settings(&self, slow: bool) -> Settings {
        Settings {
            shortcuts: Shortcuts::ALL.without(&self.common.without),
            limits: Limits {
                nodes: self.common.nodes,
                memory: self.common.memory,
                threads: usize::from(self.common.threads),
            },
            cancel: self.cancel.clone(),
            style: self.output.values,
            marked: false,
            slow,
            allow_outside: self.common.allow_outside,
            archive: self.store.clone().map(|store| store as Arc<dyn Archive>),
        }
    }

    /// Settings for a paper format: values in its style, with marks around them.
    pub(super) fn settings_for(&self, slow: bool, format: Option<paper::Format>) -> Settings {
        let mut settings = self.settings(slow);
        if let Some(format) = format {
            settings.style = format.style();
            settings.marked = true;
        }
        settings
    }

    /// Loads a file and prints its messages.
    pub(super) fn load(&mut self, session: &mut Session<'_>, file: &str) -> (Loaded, Vec<Plain>) {
        let loaded = session.load(file);
        let plain = self.tell_loaded(session, &loaded);
        (loaded, plain)
    }

    /// Prints the messages of a file that was loaded.
    fn tell_loaded(&mut self, session: &Session<'_>, loaded: &Loaded) -> Vec<Plain> {
        self.output.ended |= loaded.met.is_some();
        for (_, source) in session.sources().iter() {
            self.output.reads(&*source.name);
        }
        self.complain(session, &loaded.diagnostics)
    }

    pub(super) fn stats(&self, session: &Session<'_>) -> Option<BTreeMap<String, u64>> {
        if !self.common.stats {
            return None;
        }
        let statistics = session.statistics();
        let counters = statistics.named().into_iter().chain(session.counters());
        Some(counters.map(|(k, v)| (k.to_owned(), v)).collect())
    }

    pub(super) fn print_stats(&mut self, session: &Session<'_>) {
        if self.output.json {
            return;
        }
        if let Some(stats) = self.stats(session) {
            for (key, value) in stats {
                self.output.aside(&format!("{key:26} {value:>14}\n"));
            }
        }
    }

    pub(super) fn complain(&mut self, session: &Session<'_>, all: &[Diagnostic]) -> Vec<Plain> {
        self.output.diagnostics(all, session.sources());
        all.iter().map(|d| plain(d, session.sources())).collect()
    }

    /// `cgdsl eval`
    pub fn eval(&mut self, args: &Eval) -> u8 {
        let disk = Disk;
        let format = self.output.speak(args.written.format);
        let mut changed = None;
        if !args.set.is_empty()
            && let Some(text) = super::diff::text_of(&disk, self, &args.file)
        {
            match edited::changed(&text, &args.set) {
                Ok(text) => changed = Some(text),
                Err(d) => return self.refused(&d),
            }
        }
        let texts = changed
            .iter()
            .map(|c| (args.file.as_str(), c.text.as_bytes()));
        let world = Unsaved::all(&disk, texts);
        let mut session = Session::new(&world, self.settings_for(args.slow, format));
        let mut loaded = match &changed {
            Some(changed) => session.load_changed(&args.file, changed),
            None => session.load(&args.file),
        };
        let mut plain = self.tell_loaded(&session, &loaded);
        let asked = !args.positions.is_empty() || !args.expressions.is_empty();
        // A file that was not read to its end is unknown, not wrong.
        let unread = usize::from(loaded.met.is_some());
        let mut broken = loaded.broken - unread;
        // Without a file, its message is all that there is to say.
        if asked && loaded.main.is_some() {
            loaded.queries.clear();
            for (is_position, text) in args
                .positions
                .iter()
                .map(|t| (true, t))
                .chain(args.expressions.iter().map(|t| (false, t)))
            {
                let read = if is_position {
                    session.position_or_question(&mut loaded, text)
                } else {
                    session.expression(&mut loaded, text)
                };
                match read {
                    Ok(query) => loaded.queries.push(query),
                    Err(all) => {
                        plain.extend(self.complain(&session, &all));
                        broken += 1;
                    }
                }
            }
        }
        if let Some(only) = &args.only {
            let text = |q: &crate::model::typed::Query| {
                session.sources().slice(q.span).contains(only.as_str())
            };
            let any = !loaded.queries.is_empty();
            loaded.queries.retain(|q| text(q));
            if any && loaded.queries.is_empty() {
                self.output
                    .error(&format!("--only: no query contains `{only}`"));
                return 2;
            }
        }
        let watch = Watch::start(&session.progress(), self.output.json);
        let (json, look) = (self.output.json, self.output.look());
        let output = &mut *self.output;
        let mut last: Option<Kind> = None;
        let cancel = self.cancel.clone();
        let known: Arc<Mutex<Vec<Item>>> = Arc::default();
        if let (Some(guard), true) = (&self.guard, json) {
            let (known, file, plain) = (known.clone(), args.file.clone(), plain.clone());
            guard.say(move |message| {
                let items = std::mem::take(&mut *lock(&known));
                let mut summary = Summary::of(&items, broken);
                summary.unknown += 1;
                let mut said = plain.clone();
                said.push(crate::diagnostic::plain(&message, &Sources::default()));
                let file = file.clone();
                Document::new(
                    "cgdsl/eval/1",
                    Items {
                        file,
                        items,
                        summary,
                    },
                    said,
                )
                .to_text()
            });
        }
        let items = session.evaluate(&loaded, |i, sources| {
            if json {
                lock(&known).push(i.clone());
                return;
            }
            watch.pause(|| {
                // Single lines are kept together; cards and tables are separated from them.
                let kind = Kind::of(i);
                let apart = last.is_some_and(|k| k == Kind::Line && kind == Kind::Block);
                if apart && format.is_none() {
                    output.text("\n");
                }
                last = Some(kind);
                if format.is_none() {
                    output.text(&item(i, look));
                }
                // The text of an item names its limit.
                if i.status != Status::Unknown || format.is_some() {
                    output.diagnostics(&i.messages, sources);
                }
            });
            if output.is_closed() {
                cancel.cancel();
            }
        });
        watch.stop();
        // Everything is computed: only printing and releasing memory remain.
        if let Some(guard) = &self.guard {
            guard.stand_down();
        }
        let mut summary_of = Summary::of(&items, broken);
        summary_of.unknown += unread;
        let mut drawn = true;
        if let Some(path) = &args.lattice
            && summary_of.broken + unread == 0
        {
            drawn = self.lattice(&items, path);
        }
        if self.output.json {
            let mut document = Document::new(
                "cgdsl/eval/1",
                Items {
                    file: args.file.clone(),
                    items,
                    summary: summary_of,
                },
                plain,
            );
            document.stats = self.stats(&session);
            self.output.document(&document);
        } else if let Some(format) = format {
            self.output.text(&paper::items(&items, format));
            self.print_stats(&session);
        } else {
            let plain_answers = items
                .iter()
                .all(|i| i.status == Status::Held && !matches!(i.answer, Answer::Verdict(_)));
            if !plain_answers || broken + unread > 0 {
                let text = summary(&summary_of, look);
                self.output.text(&text);
            }
            let asks = loaded.model.asks.len();
            if asks > 0 && !asked && args.only.is_none() {
                let many = match asks {
                    1 => "1 question is".to_owned(),
                    n => format!("{n} questions are"),
                };
                self.output
                    .line(&format!("{many} asked by: cgdsl quiz {}", args.file));
            }
            if items.is_empty() && asks == 0 && broken + unread == 0 {
                self.asks_nothing(&loaded, &args.file);
            }
            self.print_stats(&session);
        }
        if self.output.is_closed() {
            // Nobody reads the rest, so it was not evaluated.
            summary_of.unknown = 0;
        }
        if drawn { summary_of.exit_code() } else { 2 }
    }

    /// Says how to ask about the rules of a file that has no query.
    fn asks_nothing(&mut self, loaded: &Loaded, file: &str) {
        let mut all = loaded.model.rulesets.iter();
        let rules = all.find(|r| !r.hidden && Some(r.span.file) == loaded.main);
        let ask = rules.map_or_else(
            || "add a line that begins with `eval`".to_owned(),
            |r| {
                let given = if r.parameters.is_empty() { "" } else { "(..)" };
                let position = format!("{}{given}{}", r.name, r.board.descriptor().example);
                format!("add a line such as `eval {position}`, or ask here: cgdsl eval {file} '{position}'")
            },
        );
        self.output.aside(&format!("{file} asks nothing: {ask}\n"));
    }

    /// Draws the winning coalitions of the only position among the answers. Returns whether this succeeded.
    fn lattice(&mut self, items: &[Item], path: &str) -> bool {
        let cards: Vec<&Card> = items
            .iter()
            .filter_map(|i| match &i.answer {
                Answer::Card(card) => Some(&**card),
                _ => None,
            })
            .collect();
        let [card] = &cards[..] else {
            let message = format!(
                "--lattice draws one position, and here are {}; name it: cgdsl eval FILE POSITION --lattice FILE",
                cards.len()
            );
            self.output.error(&message);
            return false;
        };
        if path == "-" && self.output.json {
            self.output
                .error("with --json the lattice goes into a file, or is left out");
            return false;
        }
        let picture = if path == "-" {
            lattice::text(card)
        } else {
            let format = PictureFormat::of_file(path);
            lattice::scene(card).map(|scene| written(&scene, format, false))
        };
        match picture {
            Ok(text) if path == "-" => {
                self.output.text(&text);
                true
            }
            Ok(picture) => self.output.write(path, picture),
            Err(none) => {
                self.output.error(&none.to_string());
                false
            }
        }
    }

    /// The file and the one position of `moves` and `explain`.
    pub(super) fn one_position(
        &mut self,
        session: &mut Session<'_>,
        file: &str,
        text: &str,
    ) -> Result<(Loaded, std::sync::Arc<crate::ir::Position>), Vec<Plain>> {
        let (mut loaded, mut plain) = self.load(session, file);
        if loaded.main.is_none() {
            return Err(plain);
        }
        let found = session
            .position(&mut loaded, text)
            .and_then(|query| session.value_of(&loaded, &query).map_err(|d| vec![d]));
        match found {
            Ok(position) => Ok((loaded, position)),
            Err(all) => {
                // A limit is no error.
                self.output.ended |= !has_errors(&all);
                plain.extend(self.complain(session, &all));
                Err(plain)
            }
        }
    }

    pub(super) fn failed(&mut self, schema: &'static str, diagnostics: Vec<Plain>) -> u8 {
        if self.output.json {
            self.output
                .document(&Document::new(schema, Nothing {}, diagnostics));
        }
        2
    }

    /// Refuses a command, with a message.
    pub(super) fn refused(&mut self, why: &Diagnostic) -> u8 {
        let sources = crate::base::Sources::default();
        self.output.diagnostics(std::slice::from_ref(why), &sources);
        self.failed("cgdsl/error/1", vec![plain(why, &sources)])
    }

    /// `cgdsl moves`
    pub fn moves(
        &mut self,
        file: &str,
        position: &str,
        player: Option<&str>,
        all_shown: bool,
        written: Written,
    ) -> u8 {
        let world = Disk;
        let format = self.output.speak(written.format);
        let mut session = Session::new(&world, self.settings_for(false, format));
        let (loaded, position) = match self.one_position(&mut session, file, position) {
            Ok(found) => found,
            Err(plain) => return self.failed("cgdsl/error/1", plain),
        };
        let names: Vec<String> = (0..position.players())
            .map(|p| position.player_name(crate::game::Player(p)).to_string())
            .collect();
        let named = |wanted: &str| names.iter().find(|n| n.eq_ignore_ascii_case(wanted));
        if let Some(wanted) = player.filter(|p| named(p).is_none()) {
            self.output.error(&format!(
                "no player is called `{wanted}`; the players are {}",
                names.join(", ")
            ));
            return 2;
        }
        let player = player.and_then(named).map(String::as_str);
        let all = match session.moves(&loaded, &position) {
            Ok(all) => all,
            Err((d, limit)) => {
                let plain = self.complain(&session, &[d]);
                let code = self.failed("cgdsl/error/1", plain);
                return if limit { 3 } else { code };
            }
        };
        let picture = crate::claim::card::picture(&position);
        let stopped = all.stopped;
        let shown = all
            .players
            .into_iter()
            .filter(|(name, _)| player.is_none_or(|w| w == name));
        if let Some(format) = format {
            let shown: Vec<(String, Vec<Move>)> = shown.collect();
            self.output.text(&paper::moves(&picture, &shown, format));
            self.print_stats(&session);
        } else if self.output.json {
            let players = shown
                .map(|(player, moves)| PlayerMoves { player, moves })
                .collect();
            let moves = Moves {
                file: file.to_owned(),
                position: picture.text,
                drawing: picture.drawing,
                players,
            };
            let why = stopped.iter().map(|(d, _)| plain(d, session.sources()));
            let mut document = Document::new("cgdsl/moves/1", moves, why.collect());
            document.stats = self.stats(&session);
            self.output.document(&document);
        } else {
            let look = self.output.look();
            let mut text = format!("{}\n\n", picture.text);
            for line in look.drawing(&picture) {
                text.push_str(&format!("    {line}\n"));
            }
            text.push('\n');
            for (name, moves) in shown {
                let most = if all_shown { usize::MAX } else { MOST_MOVES };
                text.push_str(&moves_text(&name, &moves, most, look));
            }
            self.output.text(&text);
            self.print_stats(&session);
        }
        match stopped {
            None => 0,
            Some((why, limit)) => {
                self.output.diagnostics(&[why], session.sources());
                if limit { 3 } else { 2 }
            }
        }
    }

    /// `cgdsl value`
    pub fn value(&mut self, args: &Value) -> u8 {
        let world = Disk;
        let format = self.output.speak(args.written.format);
        let mut settings = self.settings_for(false, format);
        match args.notation {
            Some(Notation::Ascii) => settings.style = Style::Ascii,
            Some(Notation::Unicode) => settings.style = Style::Unicode,
            Some(Notation::Latex) => settings.style = Style::Latex,
            None => {}
        }
        let printed = settings.style;
        // A value is first sought as a loopy one; what is found is kept for the second question.
        let mut session = Session::new(&world, settings).keeping();
        let Some(expression) = &args.expression else {
            return self.born(
                session,
                args.born.unwrap_or(0),
                args.hasse.as_deref(),
                format,
            );
        };
        let mut loaded = Loaded::default();
        if let Some(file) = &args.file {
            let (found, plain) = self.load(&mut session, file);
            if found.main.is_none() {
                return self.failed("cgdsl/error/1", plain);
            }
            loaded = found;
        }
        if let Some(path) = &args.certify {
            match session.sides_witness(&mut loaded, expression) {
                Ok(witness) => {
                    let text = serde_json::to_string(&witness).unwrap_or_default();
                    if !self.output.write(path, text + "\n") {
                        return 2;
                    }
                }
                Err((all, limit)) => {
                    let plain = self.complain(&session, &all);
                    let code = self.failed("cgdsl/error/1", plain);
                    return if limit { 3 } else { code };
                }
            }
        }
        match session.loopy_value(&mut loaded, expression, args.compare.as_deref()) {
            Ok(None) => {}
            Ok(Some(value)) => {
                if args.thermograph.is_some() {
                    self.output.error("loopy games have no thermograph here: `--graph` draws the value as a graph");
                    return 2;
                }
                if let Some(path) = args
                    .graph
                    .as_deref()
                    .filter(|p| *p != "-" || !self.output.json)
                {
                    let code = self.loopy_graph(args, path);
                    if code != 0 || path == "-" {
                        return code;
                    }
                }
                if self.output.json {
                    let document = Document::new("cgdsl/loopy/1", &value, Vec::new());
                    self.output.document(&document);
                } else if let Some(format) = format {
                    self.output.text(&paper::loopy_value(&value, format));
                } else {
                    let text = crate::report::loopy_value(&value, self.output.look());
                    self.output.text(&text);
                }
                return 0;
            }
            Err((all, limit)) => {
                let plain = self.complain(&session, &all);
                let code = self.failed("cgdsl/error/1", plain);
                return if limit { 3 } else { code };
            }
        }
        match session.value(&mut loaded, expression, args.compare.as_deref()) {
            Err((all, limit)) => {
                let plain = self.complain(&session, &all);
                let code = self.failed("cgdsl/error/1", plain);
                if limit { 3 } else { code }
            }
            Ok(_) if args.graph.is_some() => {
                self.output.error("`--graph` draws loopy values, and this is a short game: `cgdsl tree` draws the moves of a position");
                2
            }
            Ok(value) => {
                if let Some(path) = &args.thermograph {
                    if path == "-" {
                        if !self.output.json {
                            self.output.text(&value.thermograph_text);
                        }
                    } else {
                        let picture = self.thermograph(&value, args, (path, printed));
                        if !self.output.write(path, picture) {
                            return 2;
                        }
                    }
                }
                if self.output.json {
                    self.output
                        .document(&Document::new("cgdsl/value/1", &value, Vec::new()));
                } else if let Some(format) = format {
                    self.output.text(&paper::value(&value, format));
                } else {
                    let text = crate::report::value(&value, self.output.look());
                    self.output.text(&text);
                }
                if value.cut {
                    self.output.error(
                        "the run was ended: answers that are missing or end with an ellipsis are unknown",
                    );
                    return 3;
                }
                0
            }
        }
    }
}

impl Run<'_> {
    /// A session that prints values in the notation of a picture file, independently of the terminal.
    fn session_of_picture<'w>(&mut self, world: &'w Disk, format: PictureFormat) -> Session<'w> {
        self.output.values_for(self.common, None, true);
        Session::new(world, self.settings_for(false, marks(format)))
    }

    /// The thermograph as a picture in the format of the file name. If the value was printed in another notation than the
    /// picture uses, and the user did not choose that notation, it is printed again.
    fn thermograph(
        &mut self,
        value: &Valued,
        args: &Value,
        (path, printed): (&str, Style),
    ) -> String {
        let format = PictureFormat::of_file(path);
        let mut session = self.session_of_picture(&Disk, format);
        let wanted = args.notation.is_some() || printed == self.output.values;
        if marks(format).is_none() && args.written.format == AnswerFormat::Text && wanted {
            return written(&draw::thermograph(value), format, false);
        }
        let mut loaded = match &args.file {
            Some(file) => session.load(file),
            None => Loaded::default(),
        };
        let expression = args.expression.as_deref().unwrap_or("0");
        let again = session.value(&mut loaded, expression, None);
        let scene = draw::thermograph(again.as_ref().unwrap_or(value));
        written(&scene, format, false)
    }

    /// `cgdsl value --graph`
    fn loopy_graph(&mut self, args: &Value, path: &str) -> u8 {
        let format = match format_of(None, Some(path)) {
            Ok(format) => format,
            Err(why) => {
                self.output.error(&why);
                return 2;
            }
        };
        let mut session = self.session_of_picture(&Disk, format);
        let mut loaded = match &args.file {
            Some(file) => session.load(file),
            None => Loaded::default(),
        };
        let expression = args.expression.as_deref().unwrap_or("0");
        let figure = match session.loopy_figure(&mut loaded, expression) {
            Ok(Some(figure)) => figure,
            Ok(None) => return 0,
            Err((all, limit)) => {
                let plain = self.complain(&session, &all);
                let code = self.failed("cgdsl/error/1", plain);
                return if limit { 3 } else { code };
            }
        };
        let picture = self.picture(&figure, format, false, Some(path));
        self.deliver(&picture, Some(path))
    }

    /// `cgdsl value --born`
    fn born(
        &mut self,
        mut session: Session<'_>,
        day: u32,
        hasse: Option<&str>,
        format: Option<paper::Format>,
    ) -> u8 {
        let born = match session.born(day, hasse.is_some()) {
            Ok(born) => born,
            Err((all, limit)) => {
                let plain = self.complain(&session, &all);
                let code = self.failed("cgdsl/error/1", plain);
                return if limit { 3 } else { code };
            }
        };
        match hasse {
            Some("-") if !self.output.json => {
                self.output.content(&crate::report::hasse_dot(&born));
                return 0;
            }
            Some("-") | None => {}
            Some(path) => {
                let format = PictureFormat::of_file(path);
                let mut session = self.session_of_picture(&Disk, format);
                let printed = session.born(day, true).unwrap_or_else(|_| born.clone());
                let picture = match format {
                    PictureFormat::Dot => crate::report::hasse_dot(&printed),
                    _ => written(&crate::report::hasse_scene(&printed), format, false),
                };
                if !self.output.write(path, paper::plain(&picture)) {
                    return 2;
                }
            }
        }
        if self.output.json {
            self.output
                .document(&Document::new("cgdsl/born/1", &born, Vec::new()));
        } else if let Some(format) = format {
            self.output.text(&paper::born(&born, format));
        } else {
            let text = crate::report::born(&born, self.output.look());
            self.output.text(&text);
        }
        0
    }
}

pub(super) fn lock<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Line,
    Block,
}

impl Kind {
    fn of(item: &Item) -> Kind {
        match &item.answer {
            Answer::Card(_) | Answer::Table(_) | Answer::Search(_) => Kind::Block,
            _ => Kind::Line,
        }
    }
}

impl Run<'_> {
    /// `cgdsl fmt`
    pub fn fmt(&mut self, files: &[String], check: bool) -> u8 {
        #[derive(Serialize)]
        struct Formatted {
            files: Vec<FormattedFile>,
        }
        #[derive(Serialize)]
        struct FormattedFile {
            file: String,
            changed: bool,
        }
        let world = Disk;
        let mut found = Vec::new();
        let mut plain_all = Vec::new();
        let mut code = 0;
        for file in files {
            let mut session = Session::new(&world, self.settings(false));
            let (text, laid) = match session.format(file) {
                Ok(both) => both,
                Err(all) => {
                    plain_all.extend(self.complain(&session, &all));
                    let ended = all.iter().all(|d| d.code == Code::E0711);
                    code = match (ended, code) {
                        (false, _) => 2,
                        (true, 0) => 3,
                        (true, code) => code,
                    };
                    continue;
                }
            };
            let changed = text != laid;
            if changed && check {
                code = code.max(1);
                if !self.output.json {
                    self.output.line(&format!("{file}: would change"));
                }
            } else if file == "-" && !check && !self.output.json {
                self.output.content(&laid);
            } else if changed && file != "-" && !check {
                if let Err(e) = std::fs::write(file, &laid) {
                    self.output.error(&format!("{file}: {e}"));
                    code = 2;
                    continue;
                }
                if !self.output.json {
                    self.output.line(&format!("{file}: laid out"));
                }
            }
            found.push(FormattedFile {
                file: file.clone(),
                changed,
            });
        }
        if self.output.json {
            self.output.document(&Document::new(
                "cgdsl/fmt/1",
                Formatted { files: found },
                plain_all,
            ));
        }
        code
    }

    /// `cgdsl explain FILE POSITION`
    pub fn explain(&mut self, file: &str, position: &str, ir: bool) -> u8 {
        #[derive(Serialize)]
        struct Explained {
            file: String,
            position: String,
            drawing: Vec<String>,
            derived: Vec<crate::session::Fact>,
            #[serde(skip_serializing_if = "Option::is_none")]
            ir: Option<String>,
        }
        let world = Disk;
        let mut session = Session::new(&world, self.settings(false));
        let (loaded, position) = match self.one_position(&mut session, file, position) {
            Ok(found) => found,
            Err(plain) => return self.failed("cgdsl/error/1", plain),
        };
        let (derived, limit) = session.derived(&loaded, &position);
        let ir = match ir
            .then(|| session.instances(&loaded, &position))
            .transpose()
        {
            Ok(ir) => ir,
            Err((d, limit)) => {
                let plain = self.complain(&session, &[d]);
                let code = self.failed("cgdsl/error/1", plain);
                return if limit { 3 } else { code };
            }
        };
        let sources = session.sources();
        let picture = crate::claim::card::picture(&position);
        if self.output.json {
            let explained = Explained {
                file: file.to_owned(),
                position: picture.text,
                drawing: picture.drawing,
                derived,
                ir,
            };
            let messages = limit.iter().map(|d| plain(d, sources)).collect();
            self.output
                .document(&Document::new("cgdsl/explain/1", explained, messages));
        } else {
            let mut text = format!("{}\n\n", picture.text);
            for line in self.output.look().drawing(&picture) {
                text.push_str(&format!("    {line}\n"));
            }
            text.push('\n');
            text.push_str(&crate::report::derived(&derived, self.output.look()));
            if let Some(ir) = ir {
                text.push('\n');
                text.push_str(&ir);
            }
            self.output.text(&text);
            self.output.diagnostics(limit.as_slice(), sources);
        }
        if limit.is_some() { 3 } else { 0 }
    }
}
