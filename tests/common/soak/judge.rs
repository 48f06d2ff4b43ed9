//! The judge. The plain evaluator lists the options of each position that follows ([`Graph`]); the definitions say what
//! these come to ([`brute`](super::brute)); every way of asking must say the same.
//!
//! Where play can repeat or a rule goes wrong, a value, a nimber and a comparison are refused if that can be met in any line
//! of play; who wins is answered where somebody can force a win in finitely many moves, whatever else could be met.

use super::ask::{Asked, Reply};
use super::brute::{Arena, Graph, Id};
use super::constructs::constructs;
use super::coverage::Coverage;
use super::ways::{self, Way};
use cgdsl::base::{Span, with_room};
use cgdsl::game::{Cancel, Convention, Player, Rules, Shortcut};
use cgdsl::ir::Outcome;
use cgdsl::ir::{Evaluator, NoHost, Position, draw, naive};
use cgdsl::machine::{Machine, Packed};
use cgdsl::model::typed::Model;
use cgdsl::session::{Memory, Session, Settings};
use cpu_time::ProcessTime;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Positions that are looked at below each one that is read.
    pub graph: usize,
    /// Positions below each one that are asked about with all roads open, and in each other way.
    pub open: usize,
    pub closed: usize,
    /// Ways besides the open one; all of them in turn if there are more.
    pub ways: usize,
    /// Positions that each question may expand.
    pub nodes: u64,
    /// How long all questions about one position that is read, and those that follow it, may take; without a limit a run is
    /// the same each time.
    pub time: Option<Duration>,
}

impl Effort {
    /// For tests: seconds for some hundred texts.
    pub const QUICK: Effort = Effort {
        graph: 120,
        open: 12,
        closed: 2,
        ways: 5,
        nodes: 3_000,
        time: None,
    };
    /// For long runs.
    pub const LONG: Effort = Effort {
        graph: 300,
        open: 60,
        closed: 4,
        ways: 14,
        nodes: 6_000,
        time: Some(Duration::from_secs(2)),
    };
    /// Every way, for a text that differs.
    pub const WHOLE: Effort = Effort {
        graph: 300,
        open: 40,
        closed: 12,
        ways: usize::MAX,
        nodes: 6_000,
        time: None,
    };
}

/// A token that is cancelled when this process has worked for so long, unless what comes with it is dropped before.
fn cancelled_after(time: Option<Duration>) -> (Cancel, Option<Sender<()>>) {
    let cancel = Cancel::new();
    let watch = time.map(|time| {
        let (done, wait) = channel();
        let cancel = cancel.clone();
        std::thread::spawn(move || {
            let from = ProcessTime::now();
            let mut left = time;
            while wait.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                // Others may have had the processor.
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

/// Positions below each one that are added to others.
const SUMS: usize = 4;

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
enum Expected<T> {
    Is(T),
    /// Play can repeat, or a rule can go wrong: there is no answer.
    Nothing,
}

/// Judges texts.
pub struct Judge {
    pub coverage: Coverage,
    pub effort: Effort,
    ways: Vec<Way>,
    turn: usize,
    // For the position that is asked about: that its time is over.
    over: Cancel,
}

/// What is known of the positions below one.
struct Known {
    positions: Vec<Arc<Position>>,
    graph: Graph,
    /// Every position that can follow was looked at.
    complete: bool,
    values: Vec<Option<Id>>,
    winners: [Vec<[Option<bool>; 2]>; 2],
    holders: [Vec<[[bool; 2]; 2]>; 2],
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

    /// The same with other ways than the usual ones, all of which are taken.
    pub fn with_ways(mut self, ways: Vec<Way>) -> Judge {
        self.ways = ways;
        self
    }

    /// Asks every question of the positions that a text reads.
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
        for query in &loaded.queries {
            // What cannot be read is no position on any way.
            let Ok(start) = session.value_of(&loaded, query) else {
                continue;
            };
            with_room(|| self.position(&loaded.model, rules, marks, &start))?;
        }
        Ok(())
    }

    fn position(
        &mut self,
        model: &Arc<Model>,
        rules: &str,
        marks: &[&'static str],
        start: &Arc<Position>,
    ) -> Result<(), Box<Difference>> {
        self.coverage.starts += 1;
        let (over, _watch) = cancelled_after(self.effort.time);
        self.over = over.clone();
        let mut arena = Arena::until(&over);
        let Some(known) = known(model, start, self.effort.graph, &over, &mut arena) else {
            self.coverage.in_time(&over);
            return Ok(());
        };
        self.coverage.starts_ending += u64::from(known.values[0].is_some());
        let used = constructs(rules, &draw::literal(start), marks);
        self.options(model, &known)?;
        let all = self.ways.clone();
        for (i, way) in self.chosen(&all).into_iter().enumerate() {
            let most = match i {
                0 => self.effort.open,
                _ => self.effort.closed,
            };
            let mut asked = Asked::new(model, way, self.effort.nodes, &over);
            let before = self.coverage.positions();
            let many = start.players() != 2;
            let found = match many {
                true => self.many(&known, way, &mut asked, most),
                false => self.two(&known, way, &mut asked, most, &mut arena),
            };
            for p in known.positions.iter().take(most) {
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

    /// The open way first, then the next ones in turn.
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

    /// The compiled machine lists the options that the plain evaluator lists.
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
            let Ok(machine) = Machine::until(model, &known.positions[0], roads, &self.over) else {
                continue;
            };
            let most = self.effort.open.max(30);
            for (i, p) in known.positions.iter().enumerate().take(most) {
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
        }
        Ok(())
    }

    fn two(
        &mut self,
        known: &Known,
        way: &Way,
        asked: &mut Asked,
        most: usize,
        arena: &mut Arena,
    ) -> Result<(), Box<Difference>> {
        // What is asked first finds nothing that the others have left behind.
        let order: &[u8] = match self.turn % 3 {
            0 => &[0, 1, 2, 3, 4, 5],
            1 => &[1, 5, 2, 0, 3, 4],
            _ => &[4, 3, 5, 2, 1, 0],
        };
        for i in 0..known.positions.len().min(most) {
            for question in order {
                let p = &known.positions[i];
                match question {
                    0 => self.value(known, i, p, false, way, asked, arena)?,
                    1 => self.winner(known, i, p, false, way, asked)?,
                    2 => self.nimber(known, i, p, way, asked, arena)?,
                    3 => self.negative(known, i, way, asked, arena)?,
                    // A sum is compiled for itself, which costs more than all other questions together.
                    4 if i < SUMS => self.sum(known, i, way, asked, arena)?,
                    5 if i < SUMS && !way.direct => self.of_two(known, i, p, way, asked)?,
                    _ => {}
                }
            }
            if arena.is_full() {
                break;
            }
        }
        Ok(())
    }

    fn compare<T: PartialEq>(
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
            // What was expected means nothing when the time is over.
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
            Expected::Is(v) => {
                let (less, more) = (arena.le(*v, 0), arena.le(0, *v));
                Expected::Is([less, less && more, more])
            }
            _ => Expected::Nothing,
        };
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

    /// Two players asked as many are: who wins alone, and with whom.
    fn of_two(
        &mut self,
        known: &Known,
        i: usize,
        p: &Arc<Position>,
        way: &Way,
        asked: &mut Asked,
    ) -> Result<(), Box<Difference>> {
        for first in 0..2 {
            let expected = match known.winners[0][i][first] {
                Some(wins) => {
                    let winner = if wins { first } else { 1 - first };
                    Expected::Is((Some(winner as u8), vec![1 << winner]))
                }
                None if !known.complete => continue,
                None if !way.direct && known.holders[0][i][first] == [true, true] => {
                    Expected::Is((None, Vec::new()))
                }
                None => Expected::Nothing,
            };
            let found = asked.coalitions(p, first);
            self.compare("winner of two", p, way, expected, found, |a| {
                format!("{a:?}, {first} first")
            })?;
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

    /// The sum with a position that comes later.
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
                let mut seen = HashMap::new();
                let left = known.graph.wins_sum((i, j), 0, misere, &mut seen);
                let right = known.graph.wins_sum((i, j), 1, misere, &mut seen);
                let found = match misere {
                    true => asked.misere(&p),
                    false => asked.outcome(&p),
                };
                let expected = outcome(left, right);
                self.compare(question, &p, way, expected, found, |o| format!("{o:?}"))?;
            }
        }
        let found = asked.value(&p, arena);
        self.compare("value of a sum", &p, way, Expected::Is(sum), found, |v| {
            arena.show(*v)
        })?;
        // A difference: what the search for a winner takes away in pairs.
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

    /// Three players or more.
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
        let mut memo = HashMap::new();
        let all = known.positions.iter().zip(&ending).enumerate();
        let all = all.take(most.div_ceil(2)).filter(|(_, (_, ends))| **ends);
        for (i, (p, _)) in all {
            let elimination = p.convention() == Convention::Elimination;
            for first in 0..players {
                let mut wins = |c: u32| {
                    let graph = &known.graph;
                    graph.coalition_wins(i, c, elimination, everyone, first, &mut memo)
                };
                let winning: Vec<u32> = (0..=everyone).filter(|c| wins(*c)).collect();
                let alone = (0..players).find(|p| winning.contains(&(1 << p)));
                let mut minimal = winning.clone();
                minimal.retain(|c| !winning.iter().any(|d| d != c && d & c == *d));
                let expected = Expected::Is((alone.map(|p| p as u8), minimal));
                let found = asked.coalitions(p, first);
                self.compare("winner and coalitions", p, way, expected, found, |a| {
                    format!("{a:?}, {first} first")
                })?;
                let coalition = 1 + (i as u32 + first as u32) % everyone;
                let expected = Expected::Is(winning.contains(&coalition));
                let found = asked.wins(p, coalition, first);
                self.compare("wins", p, way, expected, found, |a| {
                    format!("{a}, coalition {coalition:b}, {first} first")
                })?;
            }
        }
        Ok(())
    }
}

/// The outcome from who wins it moving first.
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
    fn value(&self, i: usize) -> Option<Expected<Id>> {
        match self.values[i] {
            Some(v) => Some(Expected::Is(v)),
            None => (self.complete && self.graph.players == 2).then_some(Expected::Nothing),
        }
    }

    /// Who wins, by who begins. The engine asked `directly` knows no draws: it refuses then.
    fn outcome(
        &self,
        i: usize,
        misere: bool,
        negated: bool,
        directly: bool,
    ) -> Option<Expected<Outcome>> {
        let [left, right] = self.winners[usize::from(misere)][i];
        let (left, right) = match negated {
            true => (right, left),
            false => (left, right),
        };
        match (left, right) {
            (Some(l), Some(r)) => Some(Expected::Is(from_first(l, r))),
            _ if !self.complete => None,
            _ if directly => Some(Expected::Nothing),
            (l, r) => {
                let own = |mover: usize| if negated { 1 - mover } else { mover };
                let all = &self.holders[usize::from(misere)];
                let drawn = |mover: usize| all[i][own(mover)] == [true, true];
                if l.is_none() && !drawn(0) || r.is_none() && !drawn(1) {
                    return Some(Expected::Nothing);
                }
                Some(Expected::Is(match (l, r) {
                    (None, None) => Outcome::D,
                    (Some(true), None) => Outcome::LD,
                    (Some(false), None) => Outcome::RD,
                    (None, Some(true)) => Outcome::DR,
                    (None, Some(false)) => Outcome::DL,
                    (Some(l), Some(r)) => from_first(l, r),
                }))
            }
        }
    }

    fn ending(&self) -> Vec<bool> {
        let mut all = vec![false; self.positions.len()];
        self.graph.ending().into_iter().for_each(|p| all[p] = true);
        all
    }
}

/// The positions that follow one, up to `most` of them, by the plain evaluator; nothing where even the first has too many
/// options.
fn known(
    model: &Arc<Model>,
    start: &Arc<Position>,
    most: usize,
    over: &Cancel,
    arena: &mut Arena,
) -> Option<Known> {
    let players = usize::from(start.players());
    let mut positions = vec![start.clone()];
    let mut numbers: HashMap<Arc<Position>, usize> = HashMap::from([(start.clone(), 0)]);
    let mut options: Vec<Vec<Option<Vec<usize>>>> = Vec::new();
    let mut complete = true;
    let mut next = 0;
    while let Some(p) = positions.get(next).cloned() {
        next += 1;
        let mut sides = Vec::new();
        for player in 0..players {
            let ev = Evaluator::new(model, &NoHost)
                .with_steps(400_000)
                .with_cancel(over.clone());
            let found = naive::moves(&ev, &p, Player(player as u8));
            let moved = match found {
                Ok(moved) => moved,
                Err(fault) => {
                    complete &= !fault.code.is_limit();
                    sides.push(None);
                    continue;
                }
            };
            let mut side = Some(Vec::new());
            for m in moved {
                let o = Arc::new(m.position);
                let number = match numbers.get(&o) {
                    Some(n) => *n,
                    None if positions.len() < most => {
                        numbers.insert(o.clone(), positions.len());
                        positions.push(o);
                        positions.len() - 1
                    }
                    None => {
                        complete = false;
                        side = None;
                        break;
                    }
                };
                if let Some(side) = &mut side {
                    side.push(number);
                }
            }
            sides.push(side);
        }
        options.push(sides);
    }
    if over.is_cancelled() || !complete && options[0].iter().any(Option::is_none) {
        return None;
    }
    let graph = Graph { players, options };
    let mut values = vec![None; positions.len()];
    let mut winners = [Vec::new(), Vec::new()];
    let mut holders = [Vec::new(), Vec::new()];
    if players == 2 {
        for p in graph.ending() {
            if arena.is_full() {
                break;
            }
            let of = |side: usize| -> Option<Vec<Id>> {
                graph.of(p, side)?.iter().map(|o| values[*o]).collect()
            };
            if let (Some(left), Some(right)) = (of(0), of(1)) {
                values[p] = Some(arena.game(left, right));
            }
        }
        winners = [graph.winners(false), graph.winners(true)];
        holders = [graph.holders(false), graph.holders(true)];
        // What was left out for want of room says nothing.
        complete &= !arena.is_full();
    } else if graph.ending().contains(&0) {
        values[0] = Some(0);
    }
    Some(Known {
        positions,
        graph,
        complete,
        values,
        winners,
        holders,
    })
}
