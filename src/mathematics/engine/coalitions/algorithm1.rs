//! Algorithm 1 of A. Cincotti, *On the complexity of n-player Hackenbush*, Integers 9 (2009) #G05. Input: two coalitions
//! and a player to move. Output: the coalition with a winning strategy.
//!
//! It takes polynomial space: only the current line of play is stored, with the options still to be tried. In `Check(G, C0,
//! C1, p)` a player who cannot move is removed from his coalition; if no player is left in it, the other coalition has won.
//! The paper's algorithm tests this only when a player is removed, so the case of an empty coalition is answered before the
//! search begins.

use rustc_hash::FxHashSet;

use super::set::Coalition;
use crate::engine::context::Context;
use crate::engine::stopped::{Stopped, StoppedIn};
use crate::game::{Convention, Game, Limit, Player};

struct Call<G: Game> {
    position: G::Position,
    // Both coalitions, restricted to the players still in.
    within: [Coalition; 2],
    mover: Player,
    // The options still to be checked, the next one last.
    options: Vec<G::Position>,
}

/// Whether the first coalition has a winning strategy against all other players. `made` counts the calls of `Check` at
/// which a player can move or the winner is known.
pub(crate) fn first_coalition_wins<G: Game>(
    game: &G,
    position: &G::Position,
    first_coalition: &Coalition,
    mover: Player,
    context: &Context<'_>,
    made: &mut u64,
) -> Result<bool, StoppedIn<G>> {
    let n = game.players();
    let first = first_coalition.intersection(&Coalition::all(n));
    let both = [first, first.complement(n)];
    for (j, coalition) in both.iter().enumerate() {
        if coalition.is_empty() {
            return Ok(j == 1);
        }
    }
    let member_of = |p: Player| usize::from(!first.contains(p));
    let mut calls: Vec<Call<G>> = Vec::new();
    let mut path: FxHashSet<(G::Position, [Coalition; 2], Player)> = FxHashSet::default();
    let mut bytes = 0usize;
    let mut call = Some((position.clone(), both, mover));
    loop {
        // The coalition that wins the call just made, if it is known.
        let mut answer = None;
        if let Some((position, mut within, mut mover)) = call.take() {
            context.budget.charge()?;
            *made += 1;
            let mut options = Vec::new();
            loop {
                let j = member_of(mover);
                game.options(&position, mover, &mut options)
                    .map_err(|fault| Stopped::Fault {
                        position: position.clone(),
                        fault,
                    })?;
                if !options.is_empty() {
                    break;
                }
                if game.convention() != Convention::Elimination {
                    answer = Some(member_of(mover.before(n)));
                    break;
                }
                let next = after(&within, mover);
                within[j].remove(mover);
                if within[j].is_empty() {
                    answer = Some(1 - j);
                    break;
                }
                mover = next;
            }
            if answer.is_none() {
                if !path.insert((position.clone(), within, mover)) {
                    return Err(repeated(calls, position));
                }
                options.reverse();
                bytes += cost(game, &options);
                if context.account.tables() + context.forms.memory() + bytes
                    > context.account.limit()
                {
                    return Err(Limit::Memory.into());
                }
                calls.push(Call {
                    position,
                    within,
                    mover,
                    options,
                });
            }
        }
        // Pass answers up until a call has an option left to check.
        loop {
            let Some(top) = calls.last_mut() else {
                return Ok(answer == Some(0));
            };
            let j = member_of(top.mover);
            if answer != Some(j)
                && let Some(option) = top.options.pop()
            {
                bytes =
                    bytes.saturating_sub(size_of::<G::Position>() + game.position_bytes(&option));
                let next = after(&top.within, top.mover);
                call = Some((option, top.within, next));
                break;
            }
            if answer != Some(j) {
                answer = Some(1 - j);
            }
            if let Some(done) = calls.pop() {
                bytes = bytes.saturating_sub(cost(game, &done.options));
                path.remove(&(done.position, done.within, done.mover));
            }
        }
    }
}

fn cost<G: Game>(game: &G, options: &[G::Position]) -> usize {
    let heap: usize = options.iter().map(|p| game.position_bytes(p)).sum();
    // The position itself is on the stack and on the path.
    heap + (options.len() + 2) * size_of::<G::Position>() + 2 * size_of::<Call<G>>()
}

// The next player in turn among those who are in.
fn after(within: &[Coalition; 2], mover: Player) -> Player {
    let in_play: Coalition = within[0].iter().chain(within[1].iter()).collect();
    in_play.after(mover).unwrap_or(mover)
}

fn repeated<G: Game>(calls: Vec<Call<G>>, position: G::Position) -> StoppedIn<G> {
    let first = calls
        .iter()
        .rposition(|c| c.position == position)
        .unwrap_or(0);
    let line = calls
        .into_iter()
        .skip(first)
        .map(|c| c.position)
        .chain([position])
        .collect();
    Stopped::Cycle { line }
}
