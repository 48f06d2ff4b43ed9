//! Turns the clauses that end play into guards: all ways in which their conditions can hold, for each player who may have
//! moved last.
//!
//! Existential conditions are decomposed: `some`, `or` and predicates of the ruleset are followed into each witness
//! separately. So there are as many guards as witnesses, and no guard excludes another witness. The rest is decided as in
//! moves. `v in group(u)` is not decided: the guard evaluates it in play, at the position reached.
//!
//! Guards of one clause and player may overlap; they agree on the end.

use super::ask::{asks_groups, is_wide};
use super::condition::Condition;
use super::run::{Frame, World, all_paths, internal};
use super::symbol::{Path, Stop, Sym, Try};
use super::{GroundEnd, Resort, moves};
use crate::eval::binders::places;
use crate::game::End;
use crate::model::typed::{
    Binder, BinderKind, Builtin, By, EndClause, EndKind, Expr, ExprKind, FunctionBody, Op, Place,
    Quantifier, SitesFrom,
};
use crate::val::Val;

/// The maximal number of guards for all clauses together.
const MAX_ENDS: usize = 50_000;

/// What is known on the way to a witness.
#[derive(Clone, Default)]
struct Way {
    path: Path,
    joined: Vec<(u32, u32)>,
    asked: Vec<Condition>,
}

impl Way {
    /// The same way with another path.
    fn on(&self, path: Path) -> Way {
        Way {
            path,
            joined: self.joined.clone(),
            asked: self.asked.clone(),
        }
    }
}

/// The callback for each way in which something holds.
type Then<'t> = &'t mut dyn FnMut(&mut Frame, Way) -> Try<()>;

/// The ends of play, by the player who has just moved.
pub(super) fn all_ends(world: &World<'_>) -> Try<Vec<Vec<GroundEnd>>> {
    let instance = &world.setting.instance;
    let players = u8::try_from(instance.players.len()).unwrap_or(u8::MAX);
    let mut all = Vec::new();
    for last in 0..players {
        let mut ends: Vec<GroundEnd> = Vec::new();
        for (number, clause) in instance.rules.ends.iter().enumerate() {
            let of: Vec<u8> = match &clause.player {
                By::Each(_) if clause.uses_player => {
                    (0..players).map(|i| (last + i) % players).collect()
                }
                By::Each(_) => vec![last],
                By::One(p) => vec![*p],
                By::Anyone => vec![0],
            };
            for player in of {
                let own = 1u64 << (player & 63);
                let everyone = u64::MAX >> (64 - u32::from(players.clamp(1, 64)));
                let end = match clause.kind {
                    EndKind::Win => End::Won(own),
                    EndKind::Lose => End::Won(everyone & !own),
                    EndKind::Draw => End::Drawn,
                };
                let found = ways(world, clause, player, last).map_err(|stop| {
                    stop.within(|| {
                        let word = match clause.kind {
                            EndKind::Win => "win",
                            EndKind::Lose => "lose",
                            EndKind::Draw => "draw",
                        };
                        format!("in `{word}`, clause {} of those that end play", number + 1)
                    })
                })?;
                for way in found {
                    let guard = way.path.known.into_iter();
                    let whole = |v: u32| super::symbol::all(world.values[v as usize].len());
                    let end = GroundEnd {
                        guard: guard.filter(|(v, set)| *set != whole(*v)).collect(),
                        joined: way.joined,
                        asked: Some(Condition::all(way.asked))
                            .filter(|c| *c != Condition::Truth(true)),
                        end,
                    };
                    if !ends.contains(&end) {
                        ends.push(end);
                    }
                    if ends.len() > MAX_ENDS {
                        return Err(Stop::Cannot(format!("more than {MAX_ENDS} ways to end")));
                    }
                }
            }
        }
        all.push(ends);
    }
    Ok(all)
}

fn ways(world: &World<'_>, clause: &EndClause, player: u8, last: u8) -> Try<Vec<Way>> {
    let arguments = world.setting.instance.rules_arguments.iter();
    let mut frame = Frame::new(arguments.cloned().map(Sym::Is));
    if let By::Each(slot) = &clause.player {
        frame.set(*slot, Some(Sym::Is(Val::Player(player))));
    }
    if let Some(slot) = clause.mover {
        frame.set(slot, Some(Sym::Is(Val::Player(last))));
    }
    let mut found = Vec::new();
    let search = Search { world };
    search.all(
        &clause.conditions,
        &mut frame,
        Way::default(),
        &mut |_, way| {
            if found.len() >= MAX_ENDS {
                return Err(Stop::Cannot(format!("more than {MAX_ENDS} ways to end")));
            }
            found.push(way);
            Ok(())
        },
    )?;
    Ok(found)
}

struct Search<'s, 'w> {
    world: &'s World<'w>,
}

impl Search<'_, '_> {
    /// Enumerates the ways in which all of some conditions hold.
    fn all(&self, conditions: &[Expr], frame: &mut Frame, way: Way, then: Then<'_>) -> Try<()> {
        match conditions.split_first() {
            None => then(frame, way),
            Some((first, rest)) => self.holds(first, frame, way, &mut |frame, way| {
                self.all(rest, frame, way, then)
            }),
        }
    }

    fn holds(&self, e: &Expr, frame: &mut Frame, way: Way, then: Then<'_>) -> Try<()> {
        self.world.charge(1)?;
        match &*e.kind {
            ExprKind::Binary(Op::And, a, b) => self.holds(a, frame, way, &mut |frame, way| {
                self.holds(b, frame, way, then)
            }),
            ExprKind::Binary(Op::Or, a, b) => {
                self.holds(a, frame, way.clone(), then)?;
                self.holds(b, frame, way, then)
            }
            ExprKind::Quantifier(Quantifier::Some, binders, phi, body) => {
                self.some(binders, frame, way, &mut |frame, way| match phi {
                    None => self.holds(body, frame, way, then),
                    Some(phi) => self.holds(phi, frame, way, &mut |frame, way| {
                        self.holds(body, frame, way, then)
                    }),
                })
            }
            ExprKind::Binary(Op::In, v, set) if group(set).is_some() => {
                let Some(of) = group(set) else {
                    return Ok(());
                };
                let found = {
                    let frame = &mut *frame;
                    all_paths(self.world, &way.path, |run, p| {
                        Ok((run.know_expr(v, frame, p)?, run.know_expr(of, frame, p)?))
                    })?
                };
                for (path, (v, of)) in sound(found)? {
                    if let Some(way) = self.join(&of, &v, path, &way)? {
                        then(frame, way)?;
                    }
                }
                Ok(())
            }
            ExprKind::Call(f, args) => self.call(e, *f, args, frame, way, then),
            _ => {
                let fallbacks = self.world.fallbacks;
                let wide = fallbacks.asking != Resort::Never && is_wide(self.world.model, e);
                if (wide || asks_groups(self.world.model, e))
                    && let Some(asked) = self.asked(e, frame)?
                {
                    let mut way = way;
                    if asked != Condition::Truth(false) {
                        way.asked.push(asked);
                        then(frame, way)?;
                    }
                    return Ok(());
                }
                let found = {
                    let frame = &mut *frame;
                    all_paths(self.world, &way.path, |run, p| {
                        run.demand_expr(e, true, frame, p)
                    })?
                };
                for (path, holds) in sound(found)? {
                    if holds {
                        then(frame, way.on(path))?;
                    }
                }
                Ok(())
            }
        }
    }

    /// A predicate: follows its body with its arguments.
    fn call(
        &self,
        e: &Expr,
        f: crate::model::typed::FunctionId,
        args: &[Expr],
        frame: &mut Frame,
        way: Way,
        then: Then<'_>,
    ) -> Try<()> {
        let function = self.world.model.functions.get(f.0 as usize);
        let Some(function) = function.cloned() else {
            return Err(internal(e.span, "an unknown function"));
        };
        let body = match &function.body {
            FunctionBody::Expr(body) if !function.parameters.iter().any(|p| p.natural) => body,
            _ => {
                let found = {
                    let frame = &mut *frame;
                    all_paths(self.world, &way.path, |run, p| {
                        run.demand_expr(e, true, frame, p)
                    })?
                };
                for (path, holds) in sound(found)? {
                    if holds {
                        then(frame, way.on(path))?;
                    }
                }
                return Ok(());
            }
        };
        let found = {
            let frame = &mut *frame;
            all_paths(self.world, &way.path, |run, p| {
                let values = args.iter().map(|a| run.eval(a, frame, p));
                values.collect::<Try<Vec<Sym>>>()
            })?
        };
        for (path, values) in sound(found)? {
            let own = self.world.setting.instance.rules_arguments.iter();
            let mut inner = match function.in_ruleset {
                Some(_) => Frame::new(own.cloned().map(Sym::Is).chain(values)),
                None => Frame::new(values),
            };
            self.holds(body, &mut inner, way.on(path), &mut |_, way| {
                then(frame, way)
            })?;
        }
        Ok(())
    }

    /// Enumerates the choices of some binders.
    fn some(&self, binders: &[Binder], frame: &mut Frame, way: Way, then: Then<'_>) -> Try<()> {
        let Some((first, rest)) = binders.split_first() else {
            return then(frame, way);
        };
        if let BinderKind::In(to, set) = &first.kind
            && let [Place::New(slot)] = &to[..]
            && let Some(of) = group(set)
        {
            let found = {
                let frame = &mut *frame;
                all_paths(self.world, &way.path, |run, p| run.know_expr(of, frame, p))?
            };
            let board = &self.world.setting.board;
            for (path, of) in sound(found)? {
                for site in (0u32..).take(board.sites()) {
                    let v = board.label(site);
                    if let Some(way) = self.join(&of, &v, path.clone(), &way)? {
                        frame.set(*slot, Some(Sym::Is(v)));
                        self.some(rest, frame, way, then)?;
                    }
                }
                frame.set(*slot, None);
            }
            return Ok(());
        }
        let found = {
            let frame = &mut *frame;
            all_paths(self.world, &way.path, |run, p| {
                run.candidates(first, frame, p)
            })?
        };
        for (path, candidates) in sound(found)? {
            for (values, mut needs) in candidates {
                let mut filled = Vec::new();
                for (place, value) in places(first).into_iter().zip(values) {
                    match place {
                        Place::New(slot) => {
                            frame.set(*slot, Some(value));
                            filled.push(*slot);
                        }
                        Place::Same(slot) => {
                            let bound = frame.get(*slot).cloned();
                            let bound = bound.ok_or_else(|| internal(first.span, "unbound"))?;
                            let same = all_paths(self.world, &path, |run, p| {
                                run.same(bound.clone(), value.clone(), first.span, p)
                            })?;
                            match &same[..] {
                                [(_, Ok(s))] => needs.push(s.clone()),
                                _ => {
                                    return Err(Stop::Cannot(
                                        "a variable that is matched twice".into(),
                                    ));
                                }
                            }
                        }
                    }
                }
                if let Some(path) = moves::require(self.world, &path, &needs) {
                    self.some(rest, frame, way.on(path), then)?;
                }
                for slot in filled {
                    frame.set(slot, None);
                }
            }
        }
        Ok(())
    }

    /// The condition evaluated in play; `None` if it must be decided here.
    fn asked(&self, e: &Expr, frame: &mut Frame) -> Try<Option<Condition>> {
        let found = all_paths(self.world, &Path::default(), |run, _| run.ask(e, frame));
        match found {
            Ok(mut found) => match found.pop() {
                Some((_, Ok(asked))) => Ok(Some(asked)),
                _ => Ok(None),
            },
            Err(Stop::Cannot(_)) => Ok(None),
            Err(stop) => Err(stop),
        }
    }

    /// The way on which `v` is in the group of `of`; `None` if that is impossible.
    fn join(&self, of: &Val, v: &Val, path: Path, way: &Way) -> Try<Option<Way>> {
        let (board, vars) = (&self.world.setting.board, &self.world.vars);
        let graph = !board.has_cells();
        if graph && !vars.fixed_edges {
            return Err(Stop::Cannot("groups on a board that loses edges".into()));
        }
        let (Some(a), Some(b)) = (board.find(of), board.find(v)) else {
            return Err(Stop::Cannot("a group of what is off the board".into()));
        };
        // Both must be present. If they are connected, they have the same piece.
        let found = all_paths(self.world, &path, |run, p| {
            Ok([run.has_site(a, p), run.has_site(b, p)])
        })?;
        let [(path, needs)] = &sound(found)?[..] else {
            return Err(Stop::Cannot("a decision out of place".into()));
        };
        let Some(path) = moves::require(self.world, path, needs) else {
            return Ok(None);
        };
        let mut joined = way.joined.clone();
        if a != b {
            let pair = (a.min(b), a.max(b));
            if !joined.contains(&pair) {
                joined.push(pair);
            }
        }
        let path = path.clone();
        let asked = way.asked.clone();
        Ok(Some(Way {
            path,
            joined,
            asked,
        }))
    }
}

/// The argument u of `group(u)`.
fn group(e: &Expr) -> Option<&Expr> {
    match &*e.kind {
        ExprKind::Builtin(Builtin::SitesFrom(SitesFrom::Group), args) => match &args[..] {
            [of] => Some(of),
            _ => None,
        },
        _ => None,
    }
}

/// The paths, if none raises a fault. A clause that can raise one is interpreted.
fn sound<T>(paths: Vec<(Path, Result<T, Box<crate::fault::Fault>>)>) -> Try<Vec<(Path, T)>> {
    let each = paths.into_iter().map(|(path, result)| match result {
        Ok(v) => Ok((path, v)),
        Err(fault) => Err(Stop::Cannot(format!(
            "a clause can go wrong: {}",
            fault.message
        ))),
    });
    each.collect()
}
