//! The judge. The plain evaluator lists the options of each follower ([`Graph`]), the definitions determine their values and
//! winners ([`brute`](super::brute)), and every way of asking must give the same answers.
//!
//! If a repetition or a failing rule can occur in any line of play, a short value and a nimber must be refused; a comparison
//! must be refused only if a rule can fail, and against 0 it says who wins moving second. The winner must be determined if
//! somebody can force a win in finitely many moves, whatever else could occur, and a draw if each player can avoid both the
//! other's wins and all failures. Rules that end play by a clause, give further turns, or give another meaning to being stuck
//! have winners ([`fates`](super::fates)), but no values.

use super::affine::{self, Worth};
use super::ask::{Asked, Reply};
use super::brute::{Arena, Graph, Id, Step};
use super::constructs::constructs;
use super::coverage::Coverage;
use super::fates::{Fate, Places, Verdict};
use super::further::{Memo, outcome_of};
use super::ways::{self, Way};
use cgdsl::base::{Span, with_room};
use cgdsl::game::{Cancel, Convention, Player, Rules, Shortcut};
use cgdsl::ir::Outcome;
use cgdsl::ir::{Evaluator, NoHost, Position, draw, naive};
use cgdsl::machine::{Machine, Packed};
use cgdsl::model::typed::{Again, Model};
use cgdsl::session::{Memory, Session, Settings};
use cpu_time::ProcessTime;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// The effort spent on a text.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The most followers examined below each position of a text.
    pub graph: usize,
    /// The number of positions below each position of a text about which questions are asked: with all shortcuts, and in each
    /// other way.
    pub open: usize,
    pub closed: usize,
    /// The number of ways besides the one with all shortcuts; if there are more, they take turns.
    pub ways: usize,
    /// The most positions that each question may expand.
    pub nodes: u64,
    /// The time for all questions about a position of a text and its followers. Without a limit, a run is reproducible.
    pub time: Option<Duration>,
    /// Whether each text is judged twice, with nothing remembered from position to position and with everything; else in turns.
    pub twice: bool,
}

impl Effort {
    /// For tests: some hundred texts in seconds.
    pub const QUICK: Effort = Effort {
        graph: 120,
        open: 12,
        closed: 2,
        ways: 5,
        nodes: 3_000,
        time: None,
        twice: false,
    };
    /// For long runs.
    pub const LONG: Effort = Effort {
        graph: 300,
        open: 60,
        closed: 4,
        ways: 14,
        nodes: 6_000,
        time: Some(Duration::from_secs(2)),
        twice: false,
    };
    /// Every way, for a text that differs.
    pub const WHOLE: Effort = Effort {
        graph: 300,
        open: 40,
        closed: 12,
        ways: usize::MAX,
        nodes: 6_000,
        time: None,
        twice: true,
    };
}

/// A token that is cancelled when this process has used that much processor time, unless the sender is dropped before.
fn cancelled_after(time: Option<Duration>) -> (Cancel, Option<Sender<()>>) {
    let cancel = Cancel::new();
    let watch = time.map(|time| {
        let (done, wait) = channel();
        let cancel = cancel.clone();
        std::thread::spawn(move || {
            let from = ProcessTime::now();
            let mut left = time;
            while wait.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                // Other processes may have used the processor.
                left = time.saturating_sub(from.elapsed());
                if left.is_zero() {
                    return cancel.cancel();
                }
            }
        });
        done
    });
    (cancel, watch)
}

/// The number of positions below each one that are added to others.
const SUMS: usize = 4;

/// What positions that are asked about one after the other share: the memory of each way of asking.
struct Table {
    arena: Arena,
    asked: HashMap<String, Asked>,
    // Cancelled when the time is over.
    over: Cancel,
    _watch: Option<Sender<()>>,
}

impl Table {
    fn new(time: Option<Duration>) -> Table {
        let (over, watch) = cancelled_after(time);
        Table {
            arena: Arena::until(&over),
            asked: HashMap::new(),
            over,
            _watch: watch,
        }
    }
}

/// An answer that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    pub position: String,
    pub question: String,
    pub way: String,
    pub expected: String,
    pub found: String,
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} of {}\n  expected {}\n  found    {} ({})",
            self.question, self.position, self.expected, self.found, self.way
        )
    }
}

/// What the definitions say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Expected<T> {
    Is(T),
    /// There is no answer: play can repeat, or a rule can fail.
    Nothing,
}

/// Judges texts.
pub struct Judge {
    pub coverage: Coverage,
    pub effort: Effort,
    ways: Vec<Way>,
    turn: usize,
    // Cancelled when the time for the current position is over.
    over: Cancel,
}

/// What is known of a position and its followers.
pub(super) struct Known {
    pub(super) positions: Vec<Arc<Position>>,
    pub(super) graph: Graph,
    /// Whether all followers were examined.
    complete: bool,
    /// For each position, whether its moves are known and play is not over.
    pub(super) played: Vec<bool>,
    /// Whether the rules have values.
    pub(super) short: bool,
    pub(super) values: Vec<Option<Id>>,
    /// The scores of best play, by who begins, if the rules count points and play ends.
    scores: Option<Vec<[Option<i64>; 2]>>,
    /// The worth of impartial positions, if clauses of the rules end play or keep the turn.
    worths: Option<Vec<Option<Worth>>>,
    /// The fates for two players, under the rules' own convention and under misère play; `None` where that is not played.
    fates: [Option<Vec<[Fate; 2]>>; 2],
    /// For each of the two players, whether both together can bring about that player's win.
    together: Vec<[Verdict; 2]>,
    pub(super) memo: Memo,
    /// Sums of two positions, by their indices, which the plain evaluator plays.
    sums: RefCell<HashMap<(usize, usize), Option<Rc<Sum>>>>,
}

/// A sum of two positions, and what is known of it.
struct Sum {
    position: Arc<Position>,
    known: Known,
}

impl Judge {
    pub fn new(effort: Effort) -> Judge {
        Judge {
            coverage: Coverage::default(),
            effort,
            ways: ways::ways(),
            turn: 0,
            over: Cancel::new(),
        }
    }

    /// The judge with the given ways in place of the usual ones; all of them are used for each text.
    pub fn with_ways(mut self, ways: Vec<Way>) -> Judge {
        self.ways = ways;
        self.effort.ways = usize::MAX;
        self
    }

    /// Asks every question about the positions of a text.
    ///
    /// # Errors
    /// The first answer that differs.
    pub fn text(&mut self, text: &str, marks: &[&'static str]) -> Result<(), Box<Difference>> {
        self.coverage.texts += 1;
        let world = Memory::default().with("soak.rules", text);
        let mut session = Session::new(&world, Settings::default());
        let loaded = session.load("soak.rules");
        if loaded.diagnostics.iter().any(|d| d.is_error()) {
            self.coverage.refused_texts += 1;
            return Ok(());
        }
        let rules = text.split("\neval ").next().unwrap_or(text);
        // A text that cannot be read is not a position in any way.
        let read = |query| session.value_of(&loaded, query).ok();
        let mut starts: Vec<_> = loaded.queries.iter().filter_map(read).collect();
        let together = self.coverage.texts.is_multiple_of(2);
        if self.effort.twice || !together {
            for start in &starts {
                let mut table = Table::new(self.effort.time);
                with_room(|| self.position(&loaded.model, rules, marks, start, &mut table))?;
            }
        }
        if self.effort.twice || together {
            let time = self.effort.time.map(|time| time * starts.len() as u32);
            let mut table = Table::new(time);
            let first = self.turn % starts.len().max(1);
            starts.rotate_left(first);
            for start in &starts {
                with_room(|| self.position(&loaded.model, rules, marks, start, &mut table))?;
            }
        }
        Ok(())
    }

    fn position(
        &mut self,
        model: &Arc<Model>,
        rules: &str,
        marks: &[&'static str],
        start: &Arc<Position>,
        table: &mut Table,
    ) -> Result<(), Box<Difference>> {
        self.coverage.starts += 1;
        let over = table.over.clone();
        self.over = over.clone();
        let arena = &mut table.arena;
        let Some(known) = known(model, start, self.effort.graph, &over, arena) else {
            self.coverage.in_time(&over);
            return Ok(());
        };
        self.coverage.starts_ending += u64::from(known.values[0].is_some());
        self.coverage.drawn += u64::from(known.is_drawn());
        let used = constructs(rules, &draw::literal(start), marks);
        self.options(model, &known)?;
        let all = self.ways.clone();
        for (i, way) in self.chosen(&all).into_iter().enumerate() {
            // An engine for values cannot answer questions about such rules.
            if way.direct && !known.short {
                continue;
            }
            let most = match i {
                0 => self.effort.open,
                _ => self.effort.closed,
            };
            let asked = table.asked.entry(way.name.clone());
            let asked = asked.or_insert_with(|| Asked::new(model, way, self.effort.nodes, &over));
            let before = self.coverage.positions();
            let many = start.players() != 2;
            let found = match many {
                true => self.many(&known, way, asked, most),
                false => self.two(model, &known, way, asked, most, arena),
            };
            // The questions of the other ways are a subset of those of the first.
            for p in known.positions.iter().take(if i == 0 { most } else { 0 }) {
                self.coverage.position(rules, &draw::literal(p));
            }
            let count = most.min(known.positions.len()) as u64;
            *self.coverage.by_way.entry(way.name.clone()).or_default() += count;
            let (statistics, counters) = asked.done();
            let roads = ways::taken(&statistics, &counters);
            let new = self.coverage.positions() - before;
            self.coverage.crossing(&used, &roads, new.max(1));
            found?;
            if arena.is_full() {
                break;
            }
        }
        self.coverage.in_time(&over);
        Ok(())
    }

    /// The way with all shortcuts first, then the next ones in turn.
    fn chosen<'w>(&mut self, all: &'w [Way]) -> Vec<&'w Way> {
        let Some((first, rest)) = all.split_first() else {
            return Vec::new();
        };
        let count = self.effort.ways.min(rest.len());
        let from = self.turn;
        self.turn += count;
        let turned = (0..count).map(|i| &rest[(from + i) % rest.len()]);
        std::iter::once(first).chain(turned).collect()
    }

    /// Checks that the compiled machine lists the same options as the plain evaluator.
    fn options(&mut self, model: &Arc<Model>, known: &Known) -> Result<(), Box<Difference>> {
        let all = self.ways.clone();
        let mut seen = Vec::new();
        for way in &all {
            let roads = way.machine.with(&[(Shortcut::Split, false)]);
            if !roads.has(Shortcut::Compile)
                || seen.contains(&roads)
                || (seen.len() > 2 && self.effort.ways < all.len())
            {
                continue;
            }
            seen.push(roads);
            let first = &known.positions[0];
            let Ok(mut machine) = Machine::until(model, first, roads, &self.over) else {
                continue;
            };
            // Half of the machines cover the start beside the last position.
            if let Some(last) = known.positions.last().filter(|_| seen.len() % 2 == 0)
                && let Ok(of_last) = Machine::until(model, last, roads, &self.over)
                && let Ok(Some(wide)) = of_last.widened(first, &self.over)
            {
                machine = wide;
            }
            let most = self.effort.open.max(30);
            let all = known.positions.iter().enumerate();
            let played = all.filter(|(i, _)| known.played[*i]);
            for (i, p) in played.take(most) {
                self.options_of(&machine, known, i, p, way)?;
            }
        }
        Ok(())
    }

    fn options_of(
        &mut self,
        machine: &Machine,
        known: &Known,
        i: usize,
        p: &Arc<Position>,
        way: &Way,
    ) -> Result<(), Box<Difference>> {
        let Some(packed) = machine.pack(p) else {
            return Ok(());
        };
        for player in 0..p.players() {
            let mut own = Vec::new();
            let fast = machine.options(&packed, Player(player), &mut own);
            let Some(options) = known.graph.of(i, usize::from(player)) else {
                continue;
            };
            self.coverage.question("options");
            let pack = |q: &usize| machine.pack(&known.positions[*q]).map(|q| parts(&q));
            let expected: Option<BTreeSet<String>> = options.iter().map(pack).collect();
            let Some(expected) = expected else { continue };
            let found: BTreeSet<String> = own.iter().map(parts).collect();
            if self.over.is_cancelled() {
                return Ok(());
            }
            if fast.is_err() || found != expected {
                let shown = own.iter().map(|o| draw::literal(&machine.show(o)));
                let shown: BTreeSet<String> = shown.collect();
                let right: BTreeSet<String> = options
                    .iter()
                    .map(|o| draw::literal(&known.positions[*o]))
                    .collect();
                return Err(Box::new(Difference {
                    position: draw::literal(p),
                    question: format!("options of {}", p.player_name(Player(player))),
                    way: way.name.clone(),
                    expected: format!("{right:?}"),
                    found: match fast {
                        Ok(()) => format!("{shown:?}"),
                        Err(why) => format!("{why:?}"),
                    },
                }));
            }
            if !known.short {
                self.steps_of(machine, known, i, p, player, way)?;
            }
        }
        Ok(())
    }

    /// Checks that the machine's steps, with further turns and ends, are those of the plain evaluator.
    fn steps_of(
        &mut self,
        machine: &Machine,
        known: &Known,
        i: usize,
        p: &Arc<Position>,
        player: u8,
        way: &Way,
    ) -> Result<(), Box<Difference>> {
        let (Some(packed), Some(steps)) =
            (machine.pack(p), &known.graph.steps[i][usize::from(player)])
        else {
            return Ok(());
        };
        let mut own = Vec::new();
        let fast = machine.steps(&packed, Player(player), &mut own);
        self.coverage.question("steps");
        // After an end, whose turn it would be does not matter.
        let shown = |to: String, again: bool, end: Option<cgdsl::game::End>| match end {
            Some(end) => format!("{to} {end:?}"),
            None => format!("{to} again: {again}"),
        };
        let pack = |s: &Step| {
            let to = machine.pack(&known.positions[s.to])?;
            Some(shown(parts(&to), s.again, s.end))
        };
        let Some(expected) = steps.iter().map(pack).collect::<Option<BTreeSet<String>>>() else {
            return Ok(());
        };
        let found: BTreeSet<String> = own
            .iter()
            .map(|s| shown(parts(&s.to), s.again, s.end))
            .collect();
        if fast.is_ok() && found == expected || self.over.is_cancelled() {
            return Ok(());
        }
        Err(Box::new(Difference {
            position: draw::literal(p),
            question: format!("steps of {}", p.player_name(Player(player))),
            way: way.name.clone(),
            expected: format!("{expected:?}"),
            found: match fast {
                Ok(()) => format!("{found:?}"),
                Err(why) => format!("{why:?}"),
            },
        }))
    }

    fn two(
        &mut self,
        model: &Arc<Model>,
        known: &Known,
        way: &Way,
        asked: &mut Asked,
        most: usize,
        arena: &mut Arena,
    ) -> Result<(), Box<Difference>> {
        if let Some(scores) = &known.scores {
            self.points(known, scores, way, asked, most)?;
            for i in (0..known.positions.len().min(SUMS)).filter(|i| known.played[*i]) {
                self.counted_sum(model, known, i, way, asked, arena)?;
            }
            return Ok(());
        }
        // The first question cannot use results of the others, so the order varies.
        let order: &[u8] = match self.turn % 3 {
            0 => &[0, 1, 2, 3, 4, 5, 6],
            1 => &[1, 5, 2, 6, 0, 3, 4],
            _ => &[6, 4, 3, 5, 2, 1, 0],
        };
        let played = (0..known.positions.len()).filter(|i| known.played[*i]);
        for i in played.take(most) {
            for question in order {
                let p = &known.positions[i];
                match question {
                    0 => self.value(known, i, p, false, way, asked, arena)?,
                    1 => self.winner(known, i, p, false, way, asked)?,
                    2 => self.nimber(known, i, p, way, asked, arena)?,
                    3 => self.negative(known, i, way, asked, arena)?,
                    // A sum is compiled separately, which costs more than all other questions together.
                    4 if i < SUMS && known.short => self.sum(known, i, way, asked, arena)?,
                    4 if i < SUMS => self.decided_sum(model, known, i, way, asked, arena)?,
                    5 if (i < SUMS || !known.short) && !way.direct => {
                        self.of_two(known, i, p, way, asked)?;
                    }
                    6 if i < SUMS && !way.direct && known.fates[1].is_some() => {
                        let j = (i + self.turn) % known.positions.len();
                        self.further(known, i, j, way, asked)?;
                    }
                    _ => {}
                }
            }
            if arena.is_full() {
                break;
            }
        }
        Ok(())
    }

    /// A number that differs for each position.
    pub(super) fn turn(&self) -> usize {
        self.turn
    }

    pub(super) fn compare<T: PartialEq>(
        &mut self,
        question: &'static str,
        position: &Position,
        way: &Way,
        expected: Expected<T>,
        found: Reply<T>,
        show: impl Fn(&T) -> String,
    ) -> Result<(), Box<Difference>> {
        self.coverage.question(question);
        let right = match (&expected, &found) {
            // The expectation is meaningless when the time is over.
            _ if self.over.is_cancelled() => true,
            (_, Reply::Unknown) => {
                self.coverage.unknown += 1;
                true
            }
            (Expected::Is(a), Reply::Is(b)) => a == b,
            (Expected::Nothing, Reply::Refused(_)) => {
                self.coverage.rightly_refused += 1;
                true
            }
            _ => false,
        };
        if right {
            return Ok(());
        }
        Err(Box::new(Difference {
            position: draw::literal(position),
            question: question.to_owned(),
            way: way.name.clone(),
            expected: match &expected {
                Expected::Is(t) => show(t),
                Expected::Nothing => "a refusal: play can repeat or a rule goes wrong".to_owned(),
            },
            found: match &found {
                Reply::Is(t) => show(t),
                Reply::Refused(why) => format!("refused, {why}"),
                Reply::Unknown => "unknown".to_owned(),
            },
        }))
    }

    #[allow(clippy::too_many_arguments)]
    fn value(
        &mut self,
        known: &Known,
        i: usize,
        p: &Arc<Position>,
        negated: bool,
        way: &Way,
        asked: &mut Asked,
        arena: &mut Arena,
    ) -> Result<(), Box<Difference>> {
        let Some(expected) = known.value(i) else {
            return Ok(());
        };
        let expected = match expected {
            Expected::Is(v) if negated => Expected::Is(arena.negative(v)),
            other => other,
        };
        let against = match &expected {
            // A loony position is confused with 0.
            Expected::Nothing if known.is_loony(i) => Expected::Is([false; 3]),
            Expected::Is(v) => {
                let (less, more) = (arena.le(*v, 0), arena.le(0, *v));
                Expected::Is([less, less && more, more])
            }
            _ => known.against_zero(i, negated),
        };
        let affine = known.worths.is_some();
        if affine && (expected != Expected::Nothing || known.is_loony(i)) {
            self.coverage.question("nimber or loony");
        }
        let found = asked.value(p, arena);
        self.compare("value", p, way, expected, found, |v| arena.show(*v))?;
        if !way.direct {
            let found = asked.against_zero(p);
            let show = |a: &[bool; 3]| format!("<= 0: {}, == 0: {}, >= 0: {}", a[0], a[1], a[2]);
            self.compare("against 0", p, way, against, found, show)?;
        }
        Ok(())
    }

    fn winner(
        &mut self,
        known: &Known,
        i: usize,
        p: &Arc<Position>,
        negated: bool,
        way: &Way,
        asked: &mut Asked,
    ) -> Result<(), Box<Difference>> {
        for (misere, question) in [(false, "outcome"), (true, "misere_outcome")] {
            let Some(expected) = known.outcome(i, misere, negated, way.direct) else {
                continue;
            };
            let found = match misere {
                true => asked.misere(p),
                false => asked.outcome(p),
            };
            self.compare(question, p, way, expected, found, |o| format!("{o:?}"))?;
        }
        Ok(())
    }

    /// Questions for many players, asked of two: who wins alone, with which coalition, and in how many moves.
    fn of_two(
        &mut self,
        known: &Known,
        i: usize,
        p: &Arc<Position>,
        way: &Way,
        asked: &mut Asked,
    ) -> Result<(), Box<Difference>> {
        let Some(fates) = &known.fates[0] else {
            return Ok(());
        };
        for (first, fate) in fates[i].iter().enumerate() {
            let (expected, moves) = match *fate {
                Fate::Won(w, moves) => (
                    Expected::Is((Some(w as u8), vec![1 << w])),
                    Expected::Is(Some((w, moves))),
                ),
                Fate::Drawn => match known.together[i][first] {
                    Verdict::Yes(_) => (Expected::Is((None, vec![3])), Expected::Is(None)),
                    Verdict::No => (Expected::Is((None, Vec::new())), Expected::Is(None)),
                    Verdict::Wrong if !known.complete => continue,
                    Verdict::Wrong => (Expected::Nothing, Expected::Is(None)),
                },
                Fate::Wrong if known.complete => (Expected::Nothing, Expected::Nothing),
                Fate::Wrong => continue,
            };
            let found = asked.coalitions(p, first);
            self.compare("winner of two", p, way, expected, found, |a| {
                format!("{a:?}, {first} first")
            })?;
            // A position that is too far may be nearer in another way.
            if known.complete {
                let found = asked.played(p, first);
                self.compare("remoteness", p, way, moves, found, |m| {
                    format!("{m:?}, {first} first")
                })?;
            }
        }
        Ok(())
    }

    fn nimber(
        &mut self,
        known: &Known,
        i: usize,
        p: &Arc<Position>,
        way: &Way,
        asked: &mut Asked,
        arena: &Arena,
    ) -> Result<(), Box<Difference>> {
        let Some(expected) = known.value(i) else {
            return Ok(());
        };
        let expected = match expected {
            Expected::Is(v) => Expected::Is(arena.nimber(v)),
            _ => Expected::Nothing,
        };
        let found = asked.nimber(p);
        self.compare("nimber", p, way, expected, found, |n| format!("{n:?}"))
    }

    fn negative(
        &mut self,
        known: &Known,
        i: usize,
        way: &Way,
        asked: &mut Asked,
        arena: &mut Arena,
    ) -> Result<(), Box<Difference>> {
        let Ok(p) = known.positions[i].negate(Span::default()) else {
            return Ok(());
        };
        let p = Arc::new(p);
        self.winner(known, i, &p, true, way, asked)?;
        self.value(known, i, &p, true, way, asked, arena)
    }

    /// The sum with a later position, under rules without values, which the plain evaluator plays.
    fn decided_sum(
        &mut self,
        model: &Arc<Model>,
        known: &Known,
        i: usize,
        way: &Way,
        asked: &mut Asked,
        arena: &mut Arena,
    ) -> Result<(), Box<Difference>> {
        let j = (i + self.turn) % known.positions.len();
        let Some(sum) = self.played_sum(model, known, i, j, arena) else {
            return Ok(());
        };
        let (p, sum) = (&sum.position, &sum.known);
        if !known.played[j] || !sum.played[0] {
            return Ok(());
        }
        if let Some(expected) = sum.outcome(0, false, false, false) {
            let found = asked.outcome(p);
            self.compare("outcome of a sum", p, way, expected, found, |o| {
                format!("{o:?}")
            })?;
        }
        self.value(sum, 0, p, false, way, asked, arena)?;
        self.of_two(sum, 0, p, way, asked)
    }

    /// A sum of two positions as the plain evaluator plays it, if it is small enough.
    fn played_sum(
        &mut self,
        model: &Arc<Model>,
        known: &Known,
        i: usize,
        j: usize,
        arena: &mut Arena,
    ) -> Option<Rc<Sum>> {
        if let Some(sum) = known.sums.borrow().get(&(i, j)) {
            return sum.clone();
        }
        let sum = known.positions[i].plus(&known.positions[j], Span::default());
        let sum = sum.ok().and_then(|sum| {
            let position = Arc::new(sum);
            let known = self::known(model, &position, self.effort.graph, &self.over, arena)?;
            Some(Rc::new(Sum { position, known }))
        });
        known.sums.borrow_mut().insert((i, j), sum.clone());
        sum
    }

    /// The sum with a later position, under rules that count points, which the plain evaluator plays.
    fn counted_sum(
        &mut self,
        model: &Arc<Model>,
        known: &Known,
        i: usize,
        way: &Way,
        asked: &Asked,
        arena: &mut Arena,
    ) -> Result<(), Box<Difference>> {
        let j = (i + self.turn) % known.positions.len();
        let sum = self.played_sum(model, known, i, j, arena);
        match sum
            .as_ref()
            .and_then(|s| Some((s, s.known.scores.as_ref()?)))
        {
            Some((sum, scores)) => self.points_of(&sum.position, scores[0], way, asked),
            None => Ok(()),
        }
    }

    /// The sum with a later position.
    fn sum(
        &mut self,
        known: &Known,
        i: usize,
        way: &Way,
        asked: &mut Asked,
        arena: &mut Arena,
    ) -> Result<(), Box<Difference>> {
        let n = known.positions.len();
        let j = (i + self.turn) % n;
        let (Some(g), Some(h)) = (known.values[i], known.values[j]) else {
            return Ok(());
        };
        let Ok(p) = known.positions[i].plus(&known.positions[j], Span::default()) else {
            return Ok(());
        };
        let p = Arc::new(p);
        let sum = arena.add(g, h);
        let outcome = |l: bool, r: bool| Expected::Is(from_first(l, r));
        if n <= 40 {
            for (misere, question) in [(false, "outcome of a sum"), (true, "misere of a sum")] {
                let fates = known.memo.fates((question, i, j), || {
                    let mut seen = HashMap::new();
                    [0, 1].map(|mover| {
                        let wins = known.graph.wins_sum((i, j), mover, misere, &mut seen);
                        Fate::Won(if wins { mover } else { 1 - mover }, None)
                    })
                });
                let found = match misere {
                    true => asked.misere(&p),
                    false => asked.outcome(&p),
                };
                let expected = Expected::Is(outcome_of(fates));
                self.compare(question, &p, way, expected, found, |o| format!("{o:?}"))?;
            }
        }
        let found = asked.value(&p, arena);
        self.compare("value of a sum", &p, way, Expected::Is(sum), found, |v| {
            arena.show(*v)
        })?;
        // A difference, in which the search for the winner cancels pairs.
        let negated = known.positions[j].negate(Span::default());
        let Ok(p) = negated.and_then(|q| known.positions[i].plus(&q, Span::default())) else {
            return Ok(());
        };
        let expected = outcome(!arena.le(g, h), !arena.le(h, g));
        let found = asked.outcome(&p);
        self.compare("outcome of a difference", &p, way, expected, found, |o| {
            format!("{o:?}")
        })
    }

    /// Questions for three or more players.
    fn many(
        &mut self,
        known: &Known,
        way: &Way,
        asked: &mut Asked,
        most: usize,
    ) -> Result<(), Box<Difference>> {
        if way.direct {
            return Ok(());
        }
        let ending: Vec<bool> = known.ending();
        let players = known.graph.players;
        let everyone = (1u32 << players) - 1;
        let most = most.div_ceil(2).min(known.positions.len());
        let start = &known.positions[0];
        let endless = start.endless().map(Player::index);
        let places =
            Places::new(&known.graph, start.convention(), endless, most).complete(known.complete);
        let all: Vec<Vec<Verdict>> = (0..=everyone).map(|c| places.wins(c)).collect();
        for (i, p) in known.positions.iter().enumerate().take(most) {
            // For three or more players, a winner may be refused if play can repeat or a rule can fail.
            if !known.played[i] || !ending[i] {
                continue;
            }
            for first in 0..players {
                let Some(at) = places.at(i, first) else {
                    continue;
                };
                let verdict = |c: u32| all[c as usize][at];
                let yes = |c: u32| matches!(verdict(c), Verdict::Yes(_));
                let winning: Vec<u32> = (1..=everyone).filter(|c| yes(*c)).collect();
                let alone = (0..players).find(|p| yes(1 << p));
                let mut minimal = winning.clone();
                minimal.retain(|c| !winning.iter().any(|d| d != c && d & c == *d));
                let wrong = (1..=everyone).any(|c| verdict(c) == Verdict::Wrong);
                if wrong && !known.complete {
                    continue;
                }
                let expected = match wrong {
                    true => Expected::Nothing,
                    false => Expected::Is((alone.map(|p| p as u8), minimal)),
                };
                let found = asked.coalitions(p, first);
                self.compare("winner and coalitions", p, way, expected, found, |a| {
                    format!("{a:?}, {first} first")
                })?;
                let coalition = 1 + (i as u32 + first as u32) % everyone;
                let expected = match verdict(coalition) {
                    Verdict::Yes(_) => Expected::Is(true),
                    Verdict::No => Expected::Is(false),
                    Verdict::Wrong => Expected::Nothing,
                };
                let found = asked.wins(p, coalition, first);
                self.compare("wins", p, way, expected, found, |a| {
                    format!("{a}, coalition {coalition:b}, {first} first")
                })?;
            }
        }
        Ok(())
    }
}

/// The outcome, from who wins moving first: whether Left does, and whether Right does.
fn from_first(left: bool, right: bool) -> Outcome {
    match (left, right) {
        (true, true) => Outcome::N,
        (true, false) => Outcome::L,
        (false, true) => Outcome::R,
        (false, false) => Outcome::P,
    }
}

fn parts(p: &Packed) -> String {
    match p {
        Packed::Sum(list) => {
            let mut parts: Vec<String> = list.iter().map(|p| format!("{p:?}")).collect();
            parts.sort();
            parts.join("+")
        }
        p => format!("{p:?}"),
    }
}

impl Known {
    fn is_loony(&self, i: usize) -> bool {
        let worths = self.worths.as_ref();
        worths.is_some_and(|all| all[i] == Some(Worth::Loony))
    }

    fn value(&self, i: usize) -> Option<Expected<Id>> {
        if self.worths.as_ref().is_some_and(|all| all[i].is_none()) {
            return None;
        }
        match self.values[i] {
            Some(v) => Some(Expected::Is(v)),
            None => (self.complete || !self.short).then_some(Expected::Nothing),
        }
    }

    /// `G <= 0`, `G == 0`, `G >= 0` for a loopy game. G >= 0 if and only if both of its sides are >= 0, that is, if Left wins
    /// moving second even when infinite play counts as her loss (Siegel VI.1).
    fn against_zero(&self, i: usize, negated: bool) -> Expected<[bool; 3]> {
        let Some(fates) = self.fates[0].as_ref().filter(|_| self.short) else {
            return Expected::Nothing;
        };
        let mut seen = vec![false; self.positions.len()];
        let mut open = vec![i];
        while let Some(p) = open.pop() {
            if std::mem::replace(&mut seen[p], true) {
                continue;
            }
            for side in 0..2 {
                match self.graph.of(p, side) {
                    Some(options) => open.extend(options),
                    None => return Expected::Nothing,
                }
            }
        }
        let [left, right] = fates[i].map(|fate| match fate {
            Fate::Won(p, _) => Some(p),
            _ => None,
        });
        let (less, more) = match negated {
            false => (left == Some(1), right == Some(0)),
            true => (right == Some(0), left == Some(1)),
        };
        Expected::Is([less, less && more, more])
    }

    /// Whether play from the start is drawn, whoever begins.
    fn is_drawn(&self) -> bool {
        let fates = self.fates[0].as_ref();
        fates.is_some_and(|all| all.first() == Some(&[Fate::Drawn; 2]))
    }

    /// Who wins, by who begins. An engine asked `directly` supports neither draws nor an end of endless
    /// play, and refuses them.
    fn outcome(
        &self,
        i: usize,
        misere: bool,
        negated: bool,
        directly: bool,
    ) -> Option<Expected<Outcome>> {
        let Some(fates) = &self.fates[usize::from(misere)] else {
            return Some(Expected::Nothing);
        };
        let [left, right] = fates[i];
        let (left, right) = match negated {
            true => (right.negated(), left.negated()),
            false => (left, right),
        };
        if left == Fate::Wrong || right == Fate::Wrong {
            return self.complete.then_some(Expected::Nothing);
        }
        let finite = |f: Fate| matches!(f, Fate::Won(_, Some(_)));
        // An end may lie beyond the positions that were listed.
        if directly && !(finite(left) && finite(right)) {
            return self.complete.then_some(Expected::Nothing);
        }
        let winner = |f: Fate| match f {
            Fate::Won(p, _) => Some(p),
            _ => None,
        };
        Some(Expected::Is(match (winner(left), winner(right)) {
            (None, None) => Outcome::D,
            (Some(0), None) => Outcome::LD,
            (Some(_), None) => Outcome::RD,
            (None, Some(0)) => Outcome::DL,
            (None, Some(_)) => Outcome::DR,
            (Some(l), Some(r)) => from_first(l == 0, r == 1),
        }))
    }

    fn ending(&self) -> Vec<bool> {
        let mut all = vec![false; self.positions.len()];
        self.graph.ending().into_iter().for_each(|p| all[p] = true);
        all
    }
}

/// A position and its followers, at most `most` of them, by the plain evaluator; `None` if the first one already has too many
/// options.
fn known(
    model: &Arc<Model>,
    start: &Arc<Position>,
    most: usize,
    over: &Cancel,
    arena: &mut Arena,
) -> Option<Known> {
    let players = usize::from(start.players());
    let evaluator = || {
        Evaluator::new(model, &NoHost)
            .with_steps(400_000)
            .with_cancel(over.clone())
    };
    let mut positions = vec![start.clone()];
    let mut numbers: HashMap<Arc<Position>, usize> = HashMap::from([(start.clone(), 0)]);
    let mut steps: Vec<Vec<Option<Vec<Step>>>> = vec![vec![None; players]];
    // The positions still to be examined.
    let mut open = vec![0];
    let mut listed = vec![false];
    let mut complete = true;
    let mut next = 0;
    while let Some(at) = open.get(next).copied() {
        next += 1;
        if std::mem::replace(&mut listed[at], true) {
            continue;
        }
        let p = positions[at].clone();
        for player in 0..players {
            let moved = match naive::moves(&evaluator(), &p, Player(player as u8)) {
                Ok(moved) => moved,
                Err(fault) => {
                    complete &= !fault.code.is_limit();
                    continue;
                }
            };
            let mut side = Some(Vec::new());
            for m in moved {
                let o = Arc::new(m.position);
                let to = match numbers.get(&o) {
                    Some(n) => *n,
                    None if positions.len() < most => {
                        numbers.insert(o.clone(), positions.len());
                        positions.push(o);
                        steps.push(vec![None; players]);
                        listed.push(false);
                        positions.len() - 1
                    }
                    None => {
                        complete = false;
                        side = None;
                        break;
                    }
                };
                if m.end.is_none() {
                    open.push(to);
                }
                if let Some(side) = &mut side {
                    side.push(Step {
                        to,
                        again: m.again,
                        end: m.end,
                    });
                }
            }
            steps[at][player] = side;
        }
    }
    if over.is_cancelled() || !complete && steps[0].iter().any(Option::is_none) {
        return None;
    }
    let distinct = |side: &Option<Vec<Step>>| {
        let mut all: Vec<usize> = side.as_ref()?.iter().map(|s| s.to).collect();
        all.sort_unstable();
        all.dedup();
        Some(all)
    };
    // A position where play is over has no options.
    let after = |(sides, listed): (&Vec<Option<Vec<Step>>>, &bool)| match listed {
        true => sides.iter().map(distinct).collect(),
        false => vec![Some(Vec::new()); players],
    };
    let options = steps.iter().zip(&listed).map(after).collect();
    let graph = Graph {
        players,
        options,
        steps,
    };
    // At the start, a clause that ends play may already hold.
    let goes_on = |p: &Arc<Position>| matches!(naive::ended(&evaluator(), p, None), Ok(None));
    let played = positions.iter().zip(&listed);
    let played = played.map(|(p, listed)| *listed && goes_on(p)).collect();
    let short = start.has_values();
    let mut values = vec![None; positions.len()];
    let scores = (start.convention() == Convention::Scoring).then(|| {
        let at_the_end = |p: usize, mover: usize| {
            let mover = Player(mover as u8);
            naive::score(&evaluator(), &positions[p], mover).ok()
        };
        scores(&graph, at_the_end)
    });
    let mut worths = None;
    let mut fates = [None, None];
    let mut together = Vec::new();
    if players == 2 {
        for p in graph.ending() {
            if arena.is_full() || !short {
                break;
            }
            let of = |side: usize| -> Option<Vec<Id>> {
                graph.of(p, side)?.iter().map(|o| values[*o]).collect()
            };
            if let (Some(left), Some(right)) = (of(0), of(1)) {
                values[p] = Some(arena.game(left, right));
            }
        }
        let convention = start.convention();
        let mut terms = start.terms().iter();
        let everyones = terms.all(|t| t.setting.instance.is_impartial());
        if !short && convention == Convention::Normal && everyones {
            let all = affine::worths(&graph, complete);
            for (value, worth) in values.iter_mut().zip(&all) {
                if let Some(Worth::Heap(n)) = worth {
                    *value = Some(arena.heap(*n));
                }
            }
            worths = Some(all);
        }
        let endless = start.endless().map(Player::index);
        let places = |convention| {
            Places::new(&graph, convention, endless, positions.len()).complete(complete)
        };
        let own = places(convention);
        fates[0] = Some(own.fates(positions.len()));
        let both = own.wins(3);
        together.extend(
            (0..positions.len())
                .map(|p| [0, 1].map(|mover| own.at(p, mover).map_or(Verdict::Wrong, |n| both[n]))),
        );
        // Misère play is not asked about if the rules give another meaning to being stuck, or end otherwise.
        let plain = |t: &cgdsl::ir::Term| {
            let rules = &t.setting.instance.rules;
            let turns = rules.moves.iter().all(|m| matches!(m.again, Again::Never));
            rules.ends.is_empty() && turns
        };
        if short || convention == Convention::Misere && start.terms().iter().all(plain) {
            fates[1] = Some(places(Convention::Misere).fates(positions.len()));
        }
        // Values that were left out because the arena is full determine nothing.
        complete &= !arena.is_full();
    } else if graph.ending().contains(&0) {
        values[0] = Some(0);
    }
    Some(Known {
        positions,
        graph,
        complete,
        played,
        short,
        values,
        scores,
        worths,
        fates,
        together,
        memo: Memo::default(),
        sums: RefCell::default(),
    })
}

/// The scores of best play, by who begins: minimax, from the positions where a player is stuck. `None` where a line of play
/// is unknown or does not end.
fn scores(
    graph: &Graph,
    at_the_end: impl Fn(usize, usize) -> Option<i64>,
) -> Vec<[Option<i64>; 2]> {
    let mut known = vec![[None; 2]; graph.steps.len()];
    loop {
        let mut changed = false;
        for (p, sides) in graph.steps.iter().enumerate() {
            for (mover, side) in sides.iter().enumerate() {
                let (None, Some(steps)) = (known[p][mover], side) else {
                    continue;
                };
                let after = |s: &Step| known[s.to][if s.again { mover } else { 1 - mover }];
                let after: Option<Vec<i64>> = steps.iter().map(after).collect();
                let best = after.and_then(|all| match (all.is_empty(), mover) {
                    (true, _) => at_the_end(p, mover),
                    (_, 0) => all.into_iter().max(),
                    _ => all.into_iter().min(),
                });
                known[p][mover] = best;
                changed |= best.is_some();
            }
        }
        if !changed {
            return known;
        }
    }
}
