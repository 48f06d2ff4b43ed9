//! A coalition against all others. Input: a position, a player to move and a coalition. Output: whether the coalition can
//! force that one of its members wins. Where play is known to end and no rule to fail, for three players or more.
//!
//! Each state is a node of an AND/OR tree: a member of the coalition needs one option that wins for it, any other player one
//! that does not. Proof numbers say which node to open next ([`crate::engine::proof_numbers`]), so most states are never
//! seen, where the pass over all coalitions (`pass`) sees all. A state is a multiset of components, the player to move and,
//! under elimination, who is still in. What is found is kept for each coalition asked about: if a coalition wins, so do those
//! that contain it, and those without any of its members lose.
//!
//! Under elimination, who makes more moves than the others is known before play ends: see `left`. Where memory is short, the search
//! forgets (`memory`).

mod left;
mod memory;

use super::set::Coalition;
use crate::engine::account::Account;
use crate::engine::components::Components;
use crate::engine::context::Context;
use crate::engine::proof_numbers::{INFINITE, Numbers, Tally};
use crate::engine::statistics::Statistics;
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::engine::table::{SliceTable, hash_of};
use crate::game::{Convention, Game, Limit, Player, Shortcut};
use left::State;
use memory::Shortage;
use smallvec::SmallVec;

/// What is known of a state for one coalition, in two bits of its entry.
const LOSES: u32 = 1;
const WINS: u32 = 2;

/// The most coalitions for which an entry has room.
const MOST: usize = 16;

/// The range of the options of a node in the list of all.
type Span = (u32, u32);

/// The span of a node that is not open.
const CLOSED: Span = (u32::MAX, 0);

/// The nodes of the options of a state.
type Nodes = SmallVec<[u32; 64]>;

struct Visit {
    node: u32,
    /// The proof numbers at which the visit ends.
    limit: Numbers,
}

enum Met {
    /// Whether the coalition wins.
    Decided(bool),
    Node(u32),
}

/// The tables and stacks of one board.
pub(crate) struct Duel<G: Game> {
    n: u8,
    elimination: bool,
    components: Components<G>,
    /// The coalitions asked about, in the order of their bits in an entry.
    asked: Vec<Coalition>,
    /// The one that is asked about now, and its place.
    coalition: Coalition,
    place: usize,
    /// Whether moves are counted.
    counts: bool,
    table: SliceTable<u32>,
    /// The numbers of each node for this coalition, from the view of the side that moves; a node that was not met since it
    /// was asked about has none (0, 0).
    numbers: Vec<Numbers>,
    spans: Vec<Span>,
    options: Vec<u32>,
    visits: Vec<Visit>,
    key: Vec<u32>,
    noted: usize,
    pub(crate) statistics: Statistics,
}

impl<G: Game> Duel<G> {
    pub(crate) fn new(game: &G) -> Duel<G> {
        Duel {
            n: game.players(),
            elimination: game.convention() == Convention::Elimination,
            components: Components::new(game),
            asked: Vec::new(),
            coalition: Coalition::EMPTY,
            place: 0,
            counts: false,
            table: SliceTable::default(),
            numbers: Vec::new(),
            spans: Vec::new(),
            options: Vec::new(),
            visits: Vec::new(),
            key: Vec::new(),
            noted: 0,
            statistics: Statistics::default(),
        }
    }

    /// The counters since they were last taken.
    pub(crate) fn take_statistics(&mut self) -> Statistics {
        self.components.take_statistics(&mut self.statistics)
    }

    /// Releases all memory.
    pub(crate) fn clear(&mut self, account: &Account) {
        account.note(std::mem::take(&mut self.noted), 0);
        self.asked.clear();
        self.table.clear();
        self.close_all();
        self.components.clear(account);
    }

    /// Whether `coalition` wins where `mover` is to move and the players of `within`, `mover` among them, are in.
    pub(crate) fn wins(
        &mut self,
        game: &G,
        position: &G::Position,
        mover: Player,
        within: Coalition,
        coalition: Coalition,
        context: &Context<'_>,
    ) -> Result<bool, StoppedIn<G>> {
        self.ask(coalition);
        let mut shortage = Shortage::default();
        loop {
            // Where memory is short, the search begins again with what it has found.
            match self.begin(game, position, mover, within, context) {
                Err(Stopped::Limit(Limit::Memory)) => {
                    self.make_room(game, &mut shortage, context)?
                }
                result => return result,
            }
        }
    }

    // Turns to a coalition. What was found for others stays, but not their proof numbers.
    fn ask(&mut self, coalition: Coalition) {
        if coalition == self.coalition && self.asked.get(self.place) == Some(&coalition) {
            return;
        }
        self.coalition = coalition;
        self.close_all();
        let known = self.asked.iter().position(|c| *c == coalition);
        self.place = known.unwrap_or_else(|| {
            if self.asked.len() == MOST {
                self.asked.clear();
                self.table.clear();
            }
            self.asked.push(coalition);
            self.asked.len() - 1
        });
    }

    fn close_all(&mut self) {
        self.numbers.clear();
        self.spans.clear();
        self.options.clear();
        self.visits.clear();
    }

    fn begin(
        &mut self,
        game: &G,
        position: &G::Position,
        mover: Player,
        within: Coalition,
        context: &Context<'_>,
    ) -> Result<bool, StoppedIn<G>> {
        let mut parts = Vec::new();
        self.components.split(game, position, context, &mut parts)?;
        let mut state = State::new(self.n, mover, within, &parts);
        self.counts = self.elimination
            && context.shortcuts.has(Shortcut::Outlast)
            && state
                .parts
                .iter()
                .all(|part| self.left(game, *part, within).is_some());
        let root = match self.meet(game, &mut state, 0, context)? {
            Met::Decided(wins) => return Ok(wins),
            Met::Node(node) => node,
        };
        let result = self.search(game, root, context);
        self.visits.clear();
        result
    }

    fn search(&mut self, game: &G, root: u32, context: &Context<'_>) -> Result<bool, StoppedIn<G>> {
        self.visits.push(Visit {
            node: root,
            limit: Numbers::NEVER,
        });
        while let Some(&Visit { node, limit }) = self.visits.last() {
            if self.known(node).is_some() {
                self.visits.pop();
                continue;
            }
            if self.spans[node as usize] == CLOSED {
                self.open(game, node, context)?;
            } else {
                self.look(node, limit);
            }
        }
        Ok(self.known(root).unwrap_or(false))
    }

    // Whether the coalition wins, if that is known.
    fn known(&self, node: u32) -> Option<bool> {
        match self.table.value(node) >> (2 * self.place) & 3 {
            0 => None,
            known => Some(known == WINS),
        }
    }

    // Notes whether the coalition wins, and what this says of the others.
    fn decide(&mut self, node: u32, wins: bool) {
        let mut value = self.table.value(node);
        for (i, other) in self.asked.iter().enumerate() {
            let common = other.intersection(&self.coalition);
            let known = match wins {
                true if common == self.coalition => WINS,
                true if common.is_empty() => LOSES,
                false if common == *other => LOSES,
                _ => 0,
            };
            value |= known << (2 * i);
        }
        self.table.set(node, value);
    }

    fn mover(&self, node: u32) -> Player {
        Player(self.table.key(node)[0] as u8)
    }

    fn is_member(&self, player: Player) -> bool {
        self.coalition.contains(player)
    }

    // Finds the node of a state, unless the winner is known without it. Those who cannot move in turn go out. The parts from
    // `from` on are not counted yet.
    fn meet(
        &mut self,
        game: &G,
        state: &mut State,
        from: usize,
        context: &Context<'_>,
    ) -> Result<Met, StoppedIn<G>> {
        self.count(game, state, from);
        loop {
            let members = state.within.intersection(&self.coalition);
            if members.is_empty() || members == state.within {
                return Ok(Met::Decided(!members.is_empty()));
            }
            if self.moves(game, state, 1, context)? > 0 {
                break;
            }
            if !self.elimination {
                // Whoever moved last: the player before the mover.
                return Ok(Met::Decided(self.is_member(state.mover.before(self.n))));
            }
            let next = state.within.after(state.mover).unwrap_or(state.mover);
            state.within.remove(state.mover);
            state.mover = next;
            state.forget_counts();
            self.count(game, state, 0);
        }
        // How many moves each side lacks to be sure to win.
        let mut lacks = [1; 2];
        if self.counts {
            let wrong = context.plants(Shortcut::Outlast);
            let sure = self.stays(state, if wrong { &state.most } else { &state.sure });
            let most = self.stays(state, &state.most);
            if let Some(side) = (0..2).find(|side| sure[*side] > most[1 - side]) {
                self.statistics.outlasted += 1;
                return Ok(Met::Decided(side == 0));
            }
            let turns = |stay: Option<(u32, u8)>| stay.map_or(0, |(turns, _)| turns);
            lacks = [0, 1].map(|side| turns(most[1 - side]) + 1 - turns(sure[side]));
        }
        state.parts.sort_unstable();
        self.write_key(state);
        let node = self.node(context)?;
        if let Some(wins) = self.known(node) {
            return Ok(Met::Decided(wins));
        }
        if self.numbers[node as usize].loss == 0 {
            let moves = self.moves(game, state, u32::MAX, context)?;
            let [own, other] = match self.is_member(state.mover) {
                true => lacks,
                false => [lacks[1], lacks[0]],
            };
            self.numbers[node as usize] = unopened(own, other, moves);
        }
        Ok(Met::Node(node))
    }

    // How many moves the player to move has; the count may stop at `enough`.
    fn moves(
        &mut self,
        game: &G,
        state: &State,
        enough: u32,
        context: &Context<'_>,
    ) -> Result<u32, StoppedIn<G>> {
        let p = state.mover.index();
        if self.counts {
            return Ok(state.free[p].min(1) + state.most[p]);
        }
        let mut all = 0u32;
        for part in &state.parts {
            if all >= enough {
                break;
            }
            let (_, _, own) = self.components.moves(game, *part, state.mover, context)?;
            all = all.saturating_add(own);
        }
        Ok(all)
    }

    fn write_key(&mut self, state: &State) {
        self.key.clear();
        self.key
            .extend([u32::from(state.mover.0), u32::from(self.counts)]);
        if self.elimination {
            self.key.extend(state.within.words(self.n));
        }
        if self.counts {
            self.key.extend_from_slice(&state.free);
        }
        self.key.extend_from_slice(&state.parts);
    }

    // Where a key says who is in, where the free moves begin, and where the parts.
    fn fields(&self, key: &[u32]) -> [usize; 3] {
        let n = usize::from(self.n);
        let within = if self.elimination { n.div_ceil(32) } else { 0 };
        let free = if key[1] == 1 { n } else { 0 };
        [2, 2 + within, 2 + within + free]
    }

    // The state of a node, with its counts.
    fn state(&self, game: &G, node: u32) -> State {
        let key = self.table.key(node);
        let [within, free, parts] = self.fields(key);
        let low = key[within..free].iter().rev();
        let low = low.fold(0, |low, w| low << 32 | u64::from(*w));
        let within = match self.elimination {
            true => Coalition::from_low(low),
            false => Coalition::all(self.n),
        };
        let mut state = State::new(self.n, self.mover(node), within, &key[parts..]);
        if self.counts {
            state.free.copy_from_slice(&key[free..parts]);
        }
        self.count(game, &mut state, 0);
        state
    }

    // The node of the state in `self.key`, which is new unless it is in the table.
    fn node(&mut self, context: &Context<'_>) -> Result<u32, Limit> {
        let hash = hash_of(&self.key[..]);
        let node = match self.table.find(hash, &self.key) {
            Some(node) => node,
            None => {
                let mut more = self.table.growth(self.key.len());
                if self.spans.len() == self.spans.capacity() {
                    more += self.spans.len() * (size_of::<Span>() + size_of::<Numbers>());
                }
                if self.table.is_full()
                    || (more > 0 && !context.account.allows(context.forms, self.bytes(), more))
                {
                    return Err(Limit::Memory);
                }
                self.table.insert(hash, &self.key, 0)
            }
        };
        if self.spans.len() <= node as usize {
            let none = Numbers { win: 0, loss: 0 };
            self.spans.resize(node as usize + 1, CLOSED);
            self.numbers.resize(node as usize + 1, none);
        }
        Ok(node)
    }

    // Decides a node by its options, or finds those that are not known.
    fn open(&mut self, game: &G, node: u32, context: &Context<'_>) -> Result<(), StoppedIn<G>> {
        context.budget.charge()?;
        self.statistics.states += 1;
        self.statistics.duels += 1;
        let state = self.state(game, node);
        let mut nodes = Nodes::new();
        if self.options(game, &state, &mut nodes, context)? {
            self.decide(node, self.is_member(state.mover));
            return Ok(());
        }
        nodes.sort_unstable();
        nodes.dedup();
        if context.plants(Shortcut::Duel) {
            nodes.pop();
        }
        let start = self.options.len();
        self.options.extend_from_slice(&nodes);
        self.spans[node as usize] = match (u32::try_from(start), u32::try_from(self.options.len()))
        {
            (Ok(start), Ok(end)) => (start, end),
            _ => return Err(Limit::Memory.into()),
        };
        self.note(context);
        match context.account.is_over(context.forms) {
            true => Err(Limit::Memory.into()),
            false => Ok(()),
        }
    }

    // Meets the options of a state. True if one is known to win for the side that moves; else `nodes` holds those that are not
    // known.
    fn options(
        &mut self,
        game: &G,
        state: &State,
        nodes: &mut Nodes,
        context: &Context<'_>,
    ) -> Result<bool, StoppedIn<G>> {
        let mover = state.mover;
        let side = self.is_member(mover);
        let mut wins = |met: Met| match met {
            Met::Decided(wins) => wins == side,
            Met::Node(node) => {
                nodes.push(node);
                false
            }
        };
        let mut after = state.clone();
        after.mover = state.within.after(mover).unwrap_or(mover);
        let mut option = after.clone();
        if state.free[mover.index()] > 0 {
            option.free[mover.index()] -= 1;
            let all = option.parts.len();
            if wins(self.meet(game, &mut option, all, context)?) {
                return Ok(true);
            }
        }
        for (i, part) in state.parts.iter().enumerate() {
            if i > 0 && state.parts[i - 1] == *part {
                continue;
            }
            let (mut at, end, _) = self.components.moves(game, *part, mover, context)?;
            if at == end {
                continue;
            }
            let mut rest = after.clone();
            self.take_out(game, &mut rest, i);
            while at < end {
                option.clone_from(&rest);
                let parts = self.components.option(at);
                option.parts.extend_from_slice(parts);
                at += 1 + parts.len() as u32;
                if wins(self.meet(game, &mut option, rest.parts.len(), context)?) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    // Decides an open node, leaves it because of its limit, or visits one of its options.
    fn look(&mut self, node: u32, limit: Numbers) {
        let side = self.is_member(self.mover(node));
        let (start, end) = self.spans[node as usize];
        let mut tally = Tally::new();
        for option in &self.options[start as usize..end as usize] {
            match self.known(*option) {
                Some(wins) if wins == side => return self.decide(node, side),
                Some(_) => continue,
                None => {}
            }
            // The tally takes the other side to move.
            let same = self.is_member(self.mover(*option)) == side;
            let numbers = self.numbers[*option as usize];
            tally.add((*option, same), numbers.turned_if(same));
        }
        let Some(((option, same), within)) = tally.next(limit) else {
            return self.decide(node, !side);
        };
        if tally.reaches(limit) {
            self.numbers[node as usize] = tally.numbers();
            self.visits.pop();
        } else {
            self.visits.push(Visit {
                node: option,
                limit: within.turned_if(same),
            });
        }
    }
}

/// The numbers of a node that is not open: how many moves the side that moves and the other side lack to be sure to win, and how
/// many options the player to move has. Found by trial on Hackenbush for three players; no answer depends on it.
fn unopened(own: u32, other: u32, moves: u32) -> Numbers {
    let loss = other.saturating_mul(other).saturating_mul(moves);
    Numbers {
        win: own.min(INFINITE / 2),
        loss: loss.clamp(1, INFINITE / 2),
    }
}
