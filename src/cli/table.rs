//! `cgdsl table`: prints the tables of a file, or one from the command line, in the requested format; as text, with the
//! repetitions found in it.

use super::args::{AnswerFormat, Table as Args};
use super::run::Run;
use super::watch::Watch;
use crate::model::typed::QueryKind;
use crate::report::draw::svg;
use crate::report::table::{NO_PLOT, Observation, csv, heat_map, observe, plot};
use crate::report::{Document, item, paper};
use crate::session::{Answer, Disk, Session, Status, Table};
use serde::Serialize;
use std::fmt::Write;

/// The most patterns that are shown as text.
const MOST_PATTERNS: usize = 12;

#[derive(Serialize)]
struct Told {
    file: String,
    tables: Vec<One>,
}

#[derive(Serialize)]
struct One {
    status: Status,
    #[serde(flatten)]
    table: Table,
    observed: Vec<Observation>,
}

impl Run<'_> {
    /// `cgdsl table`
    pub fn table(&mut self, args: &Args) -> u8 {
        let world = Disk;
        let asked = match args.asked() {
            Ok(asked) => asked,
            Err(why) => {
                self.output.error(&why);
                return 2;
            }
        };
        let format = self.output.speak(asked);
        let drawn = asked == AnswerFormat::Svg;
        self.output
            .values_for(self.common, args.output.as_deref(), drawn);
        // In CSV each value has its own line.
        let format = format.filter(|f| *f != paper::Format::Csv);
        let mut session = Session::new(&world, self.settings_for(args.slow, format));
        let (mut loaded, mut plain) = self.load(&mut session, &args.file);
        if loaded.main.is_none() {
            return self.failed("cgdsl/error/1", plain);
        }
        let mut broken = loaded.broken > 0;
        if args.tables.is_empty() {
            loaded.queries.retain(|q| q.kind == QueryKind::Table);
            if let Some(only) = &args.only {
                let text = |span| session.sources().slice(span).contains(only.as_str());
                loaded.queries.retain(|q| text(q.span));
            }
        } else {
            loaded.queries.clear();
            for text in &args.tables {
                match session.table(&mut loaded, text) {
                    Ok(query) => loaded.queries.push(query),
                    Err(all) => {
                        plain.extend(self.complain(&session, &all));
                        broken = true;
                    }
                }
            }
        }
        if loaded.queries.is_empty() {
            if !broken {
                self.output.error(&format!(
                    "{}: there is no table; ask for one: cgdsl table {} 'for n in 0..9: nimber(R[n])'",
                    args.file, args.file
                ));
            }
            return self.failed("cgdsl/error/1", plain);
        }
        if asked == AnswerFormat::Svg && loaded.queries.len() > 1 {
            self.output.error(&format!(
                "a picture shows one table, and here are {}: choose one with --only TEXT",
                loaded.queries.len()
            ));
            return 2;
        }
        let watch = Watch::start(&session.progress(), self.output.json);
        let items = session.evaluate(&loaded, |_, _| {});
        watch.stop();
        let mut code = if broken { 2 } else { 0 };
        let mut text = String::new();
        let mut told = Vec::new();
        for found in items {
            code = match found.status {
                Status::Held => code,
                Status::Unknown if code == 0 => 3,
                Status::Unknown => code,
                _ => 2,
            };
            // The text of an item names its limit.
            if found.status != Status::Unknown || asked != AnswerFormat::Text {
                self.output.diagnostics(&found.messages, session.sources());
            }
            plain.extend(found.diagnostics.iter().cloned());
            let look = self.output.look();
            let shown = item(&found, look);
            let Answer::Table(table) = found.answer else {
                continue;
            };
            let observed = observe(&table);
            match asked {
                AnswerFormat::Text | AnswerFormat::Json => {
                    text.push_str(&shown);
                    text.push_str(&patterns(&table, &observed));
                }
                AnswerFormat::Csv => text.push_str(&csv(&table, loaded.queries.len() > 1)),
                AnswerFormat::Svg if args.plot => {
                    let Some(mut plot) = plot(&table) else {
                        self.output.error(NO_PLOT);
                        return if table.complete { 2 } else { 3 };
                    };
                    plot.joined = !args.points;
                    match self.plotted(&plot, args.output.as_deref()) {
                        Some(picture) => text.push_str(&picture),
                        None => return 2,
                    }
                }
                AnswerFormat::Svg => match heat_map(&table) {
                    Some(scene) => text.push_str(&svg(&scene)),
                    None => {
                        self.output
                            .error("a picture needs a table of one or two variables");
                        return if table.complete { 2 } else { 3 };
                    }
                },
                AnswerFormat::Latex | AnswerFormat::Typst | AnswerFormat::Markdown => {}
            }
            if asked == AnswerFormat::Csv && loaded.queries.len() > 1 {
                text.push('\n');
            }
            told.push(One {
                status: found.status,
                table,
                observed,
            });
        }
        if let Some(format) = format {
            let tables: Vec<&Table> = told.iter().map(|t| &t.table).collect();
            text = paper::tables(&tables, format);
        }
        if let Err(code) = self.output.redirect(args.output.as_ref()) {
            return code;
        }
        if self.output.json {
            let file = args.file.clone();
            let document = Document::new("cgdsl/table/1", Told { file, tables: told }, plain);
            self.output.document(&document);
        } else {
            self.output.text(&text);
        }
        code
    }
}

/// The repetitions, in words.
fn patterns(table: &Table, observed: &[Observation]) -> String {
    let mut out = String::new();
    if observed.is_empty() {
        return out;
    }
    out.push_str("seen in this table (no theorem says that it goes on):\n");
    let (down, across) = match &table.names[..] {
        [a, b] => (a.as_str(), b.as_str()),
        _ => ("", table.names.first().map_or("", String::as_str)),
    };
    for o in observed.iter().take(MOST_PATTERNS) {
        let list = match &o.at[..] {
            some if some.len() <= 6 => some.join(", "),
            some => format!("{} and {} more", some[..5].join(", "), some.len() - 5),
        };
        let several = if o.at.len() > 1 { "s" } else { "" };
        let (which, along) = match (o.line, table.names.len()) {
            ("row", _) => (format!("row{several} {down} = {list}"), across),
            ("column", 1) => ("values".to_owned(), across),
            ("column", _) => (format!("column{several} {across} = {list}"), down),
            _ => (
                format!("diagonal{several} {across} - {down} = {list}"),
                down,
            ),
        };
        let saltus = match o.saltus {
            0 => String::new(),
            s => format!(" and saltus {s}"),
        };
        let _ = writeln!(
            out,
            "  {which}: period {}{saltus} from {along} = {}",
            o.period, o.from
        );
    }
    if observed.len() > MOST_PATTERNS {
        let _ = writeln!(
            out,
            "  and {} more patterns (--json lists them)",
            observed.len() - MOST_PATTERNS
        );
    }
    out.push('\n');
    out
}
