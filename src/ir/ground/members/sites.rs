//! Sets of sites of the current board: the sites that a function may yield, each with the conditions under which it does.

use super::{fixed, needed};
use crate::base::Span;
use crate::fault::{Code, Fault};
use crate::ground::run::{Frame, Member, Run, internal};
use crate::ground::symbol::{Path, Stop, Sym, Try};
use crate::model::typed::{AllSites, Builtin, Expr, Lines, SitesFrom, Sort};
use crate::val::{Piece, Val};
use crate::view::View;

/// Whether a built-in function yields a set of sites of the board.
pub(in crate::ground) fn is_site_set(b: Builtin) -> bool {
    matches!(
        b,
        Builtin::Heaps | Builtin::AllSites(_) | Builtin::SitesFrom(_)
    )
}

/// A set of sites on a board given as a value.
fn on_other_board(
    board: &crate::Board,
    from: SitesFrom,
    args: &[Val],
    span: Span,
) -> Try<Vec<Val>> {
    let view = View::of_board(board);
    let Some(site) = args.first() else {
        return Err(internal(span, "a site is missing"));
    };
    let Some(site) = board.find(site) else {
        return Err(Fault::new(Code::OffBoard, span, "a site that is not on the board").into());
    };
    let found = match from {
        SitesFrom::Nbrs => view.nbrs(site),
        SitesFrom::Out => view.out(site),
        SitesFrom::Into => view.entering(site),
        SitesFrom::Up => view.up(site),
        SitesFrom::Down => view.down(site),
        SitesFrom::Reach => view.reach(site),
        SitesFrom::Component => view.component(site),
        SitesFrom::ReachWithin | SitesFrom::Group | SitesFrom::Ray | SitesFrom::Slide => {
            return Err(Stop::Cannot("a ray on another board".into()));
        }
    };
    Ok(found.into_iter().map(|s| board.label(s)).collect())
}

impl<'w> Run<'w> {
    /// All sites of the board, or all of its lines.
    pub(super) fn all_sites(
        &self,
        b: Builtin,
        args: &[Expr],
        frame: &mut Frame,
        path: &mut Path,
    ) -> Try<Vec<Member>> {
        if !args.is_empty() {
            let args = self.know_all(args, frame, path)?;
            let (Some(Val::Board(board)), Builtin::AllSites(all)) = (args.first(), b) else {
                return Err(Stop::Cannot("a rule asks about another position".into()));
            };
            let view = View::of_board(board);
            return Ok(match all {
                AllSites::Edges | AllSites::Arcs => {
                    let edges = view.edges().filter_map(|e| board.edge(e));
                    edges.map(fixed).collect()
                }
                AllSites::Vertices | AllSites::Cells | AllSites::Points => {
                    view.sites().map(|s| fixed(board.label(s))).collect()
                }
            });
        }
        match b {
            Builtin::AllSites(AllSites::Edges | AllSites::Arcs) => Ok(self
                .edges(path)
                .into_iter()
                .map(|(_, v, needs)| Member {
                    value: Sym::Is(v),
                    needs,
                })
                .collect()),
            _ => Ok(self.sites(path)),
        }
    }

    pub(super) fn sites_from(
        &self,
        from: SitesFrom,
        args: &[Expr],
        span: Span,
        frame: &mut Frame,
        path: &mut Path,
    ) -> Try<Vec<Member>> {
        let setting = self.world.setting;
        let board = &setting.board;
        let Some(first) = args.first() else {
            return Err(internal(span, "a site is missing"));
        };
        if matches!(first.sort, Sort::Board | Sort::Position) {
            let args = self.know_all(args, frame, path)?;
            let (Some(Val::Board(board)), rest) = (args.first(), &args[1..]) else {
                return Err(Stop::Cannot("a rule asks about another position".into()));
            };
            let found = on_other_board(board, from, rest, span)?;
            return Ok(found.into_iter().map(fixed).collect());
        }
        let v = self.know_expr(first, frame, path)?;
        let Some(site) = board.find(&v) else {
            return Err(Fault::new(
                Code::OffBoard,
                span,
                format!("{} is not on the board", crate::draw::label(&v)),
            )
            .into());
        };
        let mut found: Vec<(u32, Vec<Sym>)> = Vec::new();
        match from {
            SitesFrom::Ray | SitesFrom::Slide => {
                let directions = match args.get(1) {
                    Some(d) => self.know_expr(d, frame, path)?,
                    None => return Err(internal(span, "a direction is missing")),
                };
                let directions = match &directions {
                    d @ Val::Direction(..) => std::slice::from_ref(d),
                    set => set.elements().unwrap_or(&[]),
                };
                for d in directions {
                    let Val::Direction(dr, dc) = d else {
                        return Err(internal(span, "not a direction"));
                    };
                    if (*dr, *dc) == (0, 0) {
                        continue;
                    }
                    let mut needs: Vec<Sym> = Vec::new();
                    let mut at = site;
                    while let Some(next) = board.step(at, *dr, *dc)
                        && next != site
                    {
                        let there = if from == SitesFrom::Slide {
                            let piece = self.at(&board.label(next), path)?;
                            let empty = Sym::Is(Val::Piece(Piece::Empty));
                            self.same(piece, empty, span, path)?
                        } else {
                            self.has_site(next, path)
                        };
                        if there.is(false) {
                            break;
                        }
                        if !there.is(true) {
                            needs.push(there);
                        }
                        found.push((next, needs.clone()));
                        at = next;
                    }
                }
            }
            SitesFrom::Nbrs | SitesFrom::Out | SitesFrom::Into => {
                if board.has_cells() {
                    for (dr, dc) in [(-1, 0), (0, 1), (1, 0), (0, -1)] {
                        if let Some(t) = board.step(site, dr, dc)
                            && t != site
                        {
                            found.push((t, vec![self.has_site(t, path)]));
                        }
                    }
                } else {
                    for (edge, t) in self.lines(from, site) {
                        if from != SitesFrom::Nbrs || t != site {
                            found.push((t, self.has_edge(edge, path)));
                        }
                    }
                }
            }
            SitesFrom::Up | SitesFrom::Down => {
                self.order(from == SitesFrom::Up, site, path, &mut found);
            }
            SitesFrom::Reach if board.kind.is_order() => {
                self.order(true, site, path, &mut found);
            }
            SitesFrom::Reach | SitesFrom::Component => {
                for s in self.reach(from, site, path)? {
                    found.push((s, Vec::new()));
                }
            }
            SitesFrom::ReachWithin => {
                let Some(within) = args.get(1) else {
                    return Err(internal(span, "a set is missing"));
                };
                let within = self.known_members(within, frame, path)?;
                let within: Vec<u32> = within
                    .elements()
                    .unwrap_or(&[])
                    .iter()
                    .filter_map(|v| board.find(v))
                    .collect();
                if within.contains(&site) {
                    let joined = |t: u32, _: &mut Path| Ok(within.contains(&t));
                    for s in self.closed(SitesFrom::Out, site, path, joined)? {
                        found.push((s, Vec::new()));
                    }
                }
            }
            SitesFrom::Group => {
                let own = self.at(&board.label(site), path)?;
                let own = Sym::Is(self.know(own, path)?);
                let joined = |t: u32, path: &mut Path| {
                    let piece = self.at(&board.label(t), path)?;
                    let same = self.same(piece, own.clone(), span, path)?;
                    self.decide(&same, path)
                };
                for s in self.closed(SitesFrom::Nbrs, site, path, joined)? {
                    found.push((s, Vec::new()));
                }
            }
        }
        let mut members: Vec<(u32, Vec<Sym>)> = Vec::new();
        for (s, needs) in found {
            let m = (s, needed(needs));
            if !m.1.iter().any(|n| n.is(false)) && !members.contains(&m) {
                members.push(m);
            }
        }
        Ok(members
            .into_iter()
            .map(|(s, needs)| Member {
                value: Sym::Is(board.label(s)),
                needs,
            })
            .collect())
    }

    fn order(&self, up: bool, site: u32, path: &Path, found: &mut Vec<(u32, Vec<Sym>)>) {
        let board = &self.world.setting.board;
        let all = if up {
            board.above(site)
        } else {
            board.below(site)
        };
        let own = self.has_site(site, path);
        for s in all {
            let mut needs = vec![own.clone()];
            if s != site {
                needs.push(self.has_site(s, path));
            }
            found.push((s, needs));
        }
    }

    pub(super) fn lines(&self, along: SitesFrom, site: u32) -> Vec<(u32, u32)> {
        let board = &self.world.setting.board;
        match (along, board.kind.lines()) {
            (SitesFrom::Out, Lines::Arcs) => board.leaving(site).to_vec(),
            (SitesFrom::Into, Lines::Arcs) => board.entering(site).to_vec(),
            (SitesFrom::Out | SitesFrom::Into, _) => {
                board.incident(site).filter(|(_, t)| *t != site).collect()
            }
            _ => board.incident(site).collect(),
        }
    }

    /// The reachable sites; decides everything that this takes.
    fn reach(&self, from: SitesFrom, site: u32, path: &mut Path) -> Try<Vec<u32>> {
        let along = match from {
            SitesFrom::Component => SitesFrom::Nbrs,
            _ => SitesFrom::Out,
        };
        self.closed(along, site, path, |_, _| Ok(true))
    }

    /// The sites reachable through sites that `joined` admits; decides everything that this takes.
    fn closed(
        &self,
        along: SitesFrom,
        site: u32,
        path: &mut Path,
        joined: impl Fn(u32, &mut Path) -> Try<bool>,
    ) -> Try<Vec<u32>> {
        let board = &self.world.setting.board;
        let own = self.has_site(site, path);
        if !self.decide(&own, path)? {
            return Ok(Vec::new());
        }
        let mut found = vec![site];
        let mut next = 0;
        while let Some(&s) = found.get(next) {
            next += 1;
            let steps: Vec<(Option<u32>, u32)> = if board.has_cells() {
                [(-1, 0), (0, 1), (1, 0), (0, -1)]
                    .into_iter()
                    .filter_map(|(dr, dc)| Some((None, board.step(s, dr, dc)?)))
                    .collect()
            } else {
                let lines = self.lines(along, s);
                lines.into_iter().map(|(e, t)| (Some(e), t)).collect()
            };
            'steps: for (edge, t) in steps {
                if found.contains(&t) {
                    continue;
                }
                let needs = match edge {
                    Some(e) => self.has_edge(e, path),
                    None => vec![self.has_site(t, path)],
                };
                for need in needs {
                    if !self.decide(&need, path)? {
                        continue 'steps;
                    }
                }
                if !joined(t, path)? {
                    continue;
                }
                found.push(t);
            }
        }
        Ok(found)
    }
}
