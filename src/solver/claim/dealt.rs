//! The instances of a query, dealt to several threads. Input: a query, and what to look at in each instance. Output: what was
//! found, in the order of instances.
//!
//! Each thread has a solver of its own over the same engines, enumerates all instances, and looks at those that are dealt to
//! it: always the first that nobody has looked at. So the instances that were looked at are the first ones, up to the one that
//! ends the query, and the answer does not depend on who looked at which.
//!
//! Where an instance ends the query, the threads that look at later ones are told to stop.
//!
//! The order of instances must be the same for all threads. A set of games is enumerated in the order in which its games were
//! first met, which differs between threads: queries in which such a set occurs are not dealt.

use super::judge::{Judge, Progress};
use crate::base::with_room;
use crate::engine::Helpers;
use crate::game::Cancel;
use crate::ir::{Calls, Frame, Res};
use crate::model::parts::{any_part, of_binders};
use crate::model::typed::{Expr, Model, Query, Sort};
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Relaxed, SeqCst},
};
use std::sync::{Arc, Mutex, MutexGuard};

/// The number of instances, or else of positions expanded for some, before others help: less is not worth a thread.
const ALONE: u64 = 32;
const FEW: u64 = 2_000;

/// What is found at one instance.
pub(super) struct Look<R> {
    /// What is kept of it.
    pub kept: Option<R>,
    /// From which instance on the others do not matter, if that is known now.
    pub end: Option<u64>,
}

/// What is found at all instances.
pub(super) struct Dealt<R> {
    /// By the number of the instance.
    pub found: Vec<(u64, R)>,
    /// The number of instances that were looked at.
    pub looked: u64,
    /// The error of the enumeration.
    pub ran: Res<()>,
}

/// The instance that a thread looks at, or [`NONE`], and the token of the thread.
struct At {
    instance: AtomicU64,
    cancel: Cancel,
}

/// No instance.
const NONE: u64 = u64::MAX;

/// Which instances are dealt.
struct Deal {
    /// The first instance that nobody looks at.
    next: AtomicU64,
    /// The number of instances that were looked at.
    looked: AtomicU64,
    /// From which instance on the others do not matter.
    end: AtomicU64,
    /// All threads.
    threads: Mutex<Vec<Arc<At>>>,
}

impl Deal {
    fn thread(&self, cancel: Cancel) -> Arc<At> {
        let at = Arc::new(At {
            instance: AtomicU64::new(NONE),
            cancel,
        });
        self.threads().push(at.clone());
        at
    }

    fn threads(&self) -> MutexGuard<'_, Vec<Arc<At>>> {
        self.threads.lock().unwrap_or_else(|e| e.into_inner())
    }

    // From this instance on the others do not matter. The threads that look at one of them need not go on.
    fn ends_at(&self, end: u64) {
        self.end.fetch_min(end, SeqCst);
        for at in &*self.threads() {
            let instance = at.instance.load(SeqCst);
            if instance != NONE && instance >= end {
                at.cancel.skip(true);
            }
        }
    }
}

impl Judge<'_> {
    /// Looks at the instances of a query with several threads; at most at so many. `None` if the query cannot be dealt, or
    /// there are no other threads.
    pub(super) fn dealt<R: Send>(
        &self,
        query: &Query,
        most: u64,
        look: &(impl Fn(&Judge<'_>, &mut Frame, u64) -> Look<R> + Sync),
    ) -> Option<Dealt<R>> {
        let solver = self.answerer.solver();
        if !solver.may_share() || query.binders.is_empty() || !self.is_in_order(query) {
            return None;
        }
        let deal = Deal {
            next: AtomicU64::new(0),
            looked: AtomicU64::new(0),
            end: AtomicU64::new(most),
            threads: Mutex::default(),
        };
        let (model, sources, slow) = (self.model, self.sources, self.slow);
        let (found, ran) = std::thread::scope(|scope| {
            let mut others = Vec::new();
            let start = &mut || {
                let helpers = solver.helpers();
                for helper in helpers.map(Helpers::each).into_iter().flatten() {
                    let (deal, solver) = (&deal, solver.beside());
                    let host = self.answerer.beside();
                    others.push(scope.spawn(move || {
                        let _given_back = helper;
                        let solver = solver();
                        let judge = Judge {
                            model,
                            answerer: host(&solver),
                            sources,
                            cancel: solver.cancel.clone(),
                            // That of the first thread is shown.
                            progress: &Progress::default(),
                            slow,
                            calls: Calls::default(),
                        };
                        // So are the errors of its enumeration.
                        with_room(|| judge.take_part(query, deal, look, &mut || {}).0)
                    }));
                }
            };
            let (mut found, ran) = self.take_part(query, &deal, look, start);
            // A long search of another thread may use this one.
            let _waiting = solver.waits();
            for other in others {
                match other.join() {
                    Ok(more) => found.extend(more),
                    Err(panic) => resume_unwind(panic),
                }
            }
            (found, ran)
        });
        solver.cancel.skip(false);
        let mut dealt = Dealt {
            looked: deal.looked.into_inner(),
            found,
            ran,
        };
        dealt.found.sort_by_key(|(at, _)| *at);
        Some(dealt)
    }

    /// As [`Judge::dealt`], where texts are kept: players are shown by the names that they have in the positions met before, so
    /// a query that may name one is not dealt.
    pub(super) fn dealt_texts<R: Send>(
        &self,
        query: &Query,
        most: u64,
        look: &(impl Fn(&Judge<'_>, &mut Frame, u64) -> Look<R> + Sync),
    ) -> Option<Dealt<R>> {
        match names_players(self.model, query) {
            true => None,
            false => self.dealt(query, most, look),
        }
    }

    // Looks at the instances that are dealt to this thread. Calls `start` when others may help.
    fn take_part<R>(
        &self,
        query: &Query,
        deal: &Deal,
        look: &impl Fn(&Judge<'_>, &mut Frame, u64) -> Look<R>,
        start: &mut dyn FnMut(),
    ) -> (Vec<(u64, R)>, Res<()>) {
        let mut found = Vec::new();
        let (mut at, mut mine) = (0, None);
        let mut alone = true;
        let pulse = &self.progress.pulse;
        let before = pulse.positions();
        let thread = deal.thread(self.answerer.solver().cancel.clone());
        let ran = self.instances(query, &mut |frame| {
            if alone && at > 0 && (at >= ALONE || pulse.positions() - before >= FEW) {
                alone = false;
                start();
            }
            let wanted = *mine.get_or_insert_with(|| deal.next.fetch_add(1, Relaxed));
            if at == wanted {
                thread.instance.store(at, SeqCst);
            }
            if at >= deal.end.load(SeqCst) {
                return Ok(ControlFlow::Break(()));
            }
            if at == wanted {
                let Look { kept, end } = look(self, frame, at);
                thread.instance.store(NONE, SeqCst);
                if at >= deal.end.load(SeqCst) {
                    // It may have been skipped.
                    return Ok(ControlFlow::Break(()));
                }
                deal.looked.fetch_add(1, Relaxed);
                found.extend(kept.map(|kept| (at, kept)));
                if let Some(end) = end {
                    deal.ends_at(end);
                }
                mine = None;
            }
            at += 1;
            Ok(ControlFlow::Continue(()))
        });
        (found, ran)
    }

    /// Whether the order of instances, and what is found there, is the same for all threads: no set holds what is known by
    /// the order in which it was met.
    fn is_in_order(&self, query: &Query) -> bool {
        !any_part(self.model, parts(query), |e| is_unordered(&e.sort))
    }
}

/// Whether a player may be named in the query.
pub(super) fn names_players(model: &Model, query: &Query) -> bool {
    any_part(model, parts(query), |e| {
        holds(&e.sort, &|s| *s == Sort::Player)
    })
}

/// The expressions of a query.
fn parts(query: &Query) -> Vec<&Expr> {
    let mut parts: Vec<&Expr> = query.condition.iter().chain(&query.body).collect();
    of_binders(&query.binders, &mut parts);
    parts
}

/// Whether a sort, or that of elements, satisfies `is`.
fn holds(sort: &Sort, is: &dyn Fn(&Sort) -> bool) -> bool {
    is(sort)
        || match sort {
            Sort::Set(of) | Sort::List(of) => holds(of, is),
            Sort::Tuple(all) => all.iter().any(|sort| holds(sort, is)),
            _ => false,
        }
}

/// Whether values of this sort are, or hold, sets of values that are known by the order in which they were met.
fn is_unordered(sort: &Sort) -> bool {
    let by_handle = |sort: &Sort| {
        matches!(
            sort,
            Sort::Unknown
                | Sort::Game
                | Sort::Genus
                | Sort::MisereForm
                | Sort::QuotientElement
                | Sort::Report
        )
    };
    holds(sort, &|sort| match sort {
        Sort::Set(of) => holds(of, &by_handle),
        _ => false,
    })
}
