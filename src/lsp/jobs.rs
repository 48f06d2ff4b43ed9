//! Evaluations and cards run as jobs, each in its own thread. A job sends its answers one by one to the thread that owns the
//! documents; if it panics, it reports that it has ended.

use super::document::{Analysis, Running, Texts};
use super::server::Heard;
use crate::session::changes::answers;
use crate::session::{Disk, Item, Session, Settings, Unsaved};
use lsp_types::Hover;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

/// The stack size of a job, the same as for other commands.
const STACK: usize = 256 << 20;

/// Starts work that can be cancelled; `None` if no thread can be started.
fn start(
    name: &str,
    settings: &Settings,
    time: Duration,
    work: impl FnOnce() + Send + 'static,
) -> Option<Running> {
    let running = Running {
        cancel: settings.cancel.clone(),
        until: Instant::now().checked_add(time)?,
    };
    let thread = std::thread::Builder::new()
        .name(name.to_owned())
        .stack_size(STACK);
    thread.spawn(work).ok()?;
    Some(running)
}

/// Answers the queries of a text, or only the one that begins at or contains a byte.
pub struct Evaluation {
    /// Its number.
    pub number: u64,
    /// The open texts.
    pub texts: Texts,
    /// The analysis of the text.
    pub known: Arc<Analysis>,
    /// The known answers.
    pub answers: BTreeMap<String, Vec<Item>>,
    /// If given, only the query that contains this byte is answered.
    pub only: Option<u32>,
}

impl Evaluation {
    /// Starts the job.
    pub fn start(
        self,
        settings: Settings,
        time: Duration,
        tell: &SyncSender<Heard>,
    ) -> Option<Running> {
        let (tell, there) = (tell.clone(), settings.clone());
        start("evaluate", &settings, time, move || {
            let number = self.number;
            // A panic has already printed its message.
            let _ = catch_unwind(AssertUnwindSafe(|| self.run(there, &tell)));
            let _ = tell.send(Heard::Done(number));
        })
    }

    fn run(self, settings: Settings, tell: &SyncSender<Heard>) {
        let open = self
            .texts
            .iter()
            .map(|(name, text)| (&**name, text.as_bytes()));
        let world = Unsaved::all(&Disk, open);
        let mut session = Session::over(&world, self.known.sources.clone(), settings);
        let mut loaded = self.known.loaded.clone();
        loaded.queries.retain(|q| {
            Some(q.span.file) == loaded.main
                && self
                    .only
                    .is_none_or(|at| q.span.start <= at && at <= q.span.end)
        });
        answers(&mut session, &mut loaded, &self.answers, |key, items| {
            let _ = tell.send(Heard::Answered(self.number, key, items));
        });
    }
}

/// Computes the card of a position that is not the answer of a query.
pub struct Card {
    /// The number of the request.
    pub number: u64,
    /// The analysis of the text.
    pub known: Arc<Analysis>,
    /// The position as written.
    pub position: String,
    /// The hover text that is shown in any case.
    pub hover: Option<Hover>,
}

impl Card {
    /// Starts the job.
    pub fn start(
        self,
        settings: Settings,
        time: Duration,
        tell: &SyncSender<Heard>,
    ) -> Option<Running> {
        let (tell, there) = (tell.clone(), settings.clone());
        start("card", &settings, time, move || {
            let (number, hover) = (self.number, self.hover.clone());
            let items = catch_unwind(AssertUnwindSafe(|| self.run(there)));
            let items = items.ok().flatten().unwrap_or_default();
            let _ = tell.send(Heard::Card(number, hover, items));
        })
    }

    fn run(self, settings: Settings) -> Option<Vec<Item>> {
        let mut session = Session::over(&Disk, self.known.sources.clone(), settings);
        let mut loaded = self.known.loaded.clone();
        let query = session.position(&mut loaded, &self.position).ok()?;
        loaded.queries = vec![query];
        Some(session.evaluate(&loaded, |_, _| {}))
    }
}
