//! A game, given by its start and the indices of the moves made. Answers with the current position and the possible moves,
//! and, on request, with the best move or where the game was decided.

use super::ask::{position, said, with};
use super::board::{targets, touched};
use super::{Host, Request};
use cgdsl::game::Player;
use cgdsl::ir::draw as text;
use cgdsl::report::draw;
use cgdsl::session::figure::figure;
use cgdsl::session::play::{Advice, Play, Prospect, Reason, Standing};
use serde_json::{Value, json};

/// The most moves that are listed.
const MOST: usize = 400;

pub fn play(r: &Request, host: &impl Host) -> Value {
    with(r, host, |session, loaded| {
        let start = position(session, loaded, &r.expression)?;
        let first = Player(r.first);
        if first.index() >= usize::from(start.players()) {
            return Err("there is no such player".into());
        }
        let mut play = session
            .play(loaded, &start, first, r.misere)
            .map_err(|d| said(&[d]))?;
        for number in &r.made {
            let moves = play.moves().map_err(|d| said(&[d]))?;
            let choice = moves.get(*number).ok_or("there is no such move")?;
            play.make(choice).map_err(|d| said(&[d]))?;
        }
        match r.want.as_str() {
            "advice" => advice(&play),
            "mistake" => mistake(&mut play),
            _ => standing(&play),
        }
    })
}

fn standing(play: &Play) -> Result<Value, String> {
    let names: Vec<String> = play.players().into_iter().map(|p| play.name(p)).collect();
    let (mover, winner, loser) = match play.standing() {
        Standing::ToMove(p) => (Some(p.index()), None, None),
        Standing::Won(p) => (None, Some(p.index()), None),
        Standing::Lost(p) => (None, None, Some(p.index())),
        Standing::Drawn => (None, None, None),
    };
    let own = figure(play.position());
    let moves = play.moves().map_err(|d| said(&[d]))?;
    let told: Vec<Value> = moves
        .iter()
        .take(MOST)
        .map(|m| {
            let changed = match (&own, figure(&m.position)) {
                (Ok(own), Ok(after)) => touched(own, &after),
                _ => Vec::new(),
            };
            json!({ "text": m.text, "touched": changed })
        })
        .collect();
    let shown = play.figure().ok().map(|figure| {
        let scene = draw::scene(&figure);
        json!({ "picture": super::of_scene(&scene), "size": scene.block.size, "targets": targets(&figure, &scene) })
    });
    Ok(json!({
        "position": text::literal(play.position()), "players": names, "mover": mover, "winner": winner, "loser": loser,
        "before": play.repetitions(), "made": play.made(), "moves": told, "count": moves.len(), "board": shown,
    }))
}

fn advice(play: &Play) -> Result<Value, String> {
    match play.advise().map_err(|d| said(&[d]))? {
        Some(advice) => told(play, &advice),
        None => Ok(Value::Null),
    }
}

fn told(play: &Play, a: &Advice) -> Result<Value, String> {
    let moves = play.moves().map_err(|d| said(&[d]))?;
    let number = moves.iter().position(|m| m.position == a.choice.position);
    let prospect = match &a.prospect {
        Some(Prospect::Wins) => json!({ "is": "wins" }),
        Some(Prospect::Loses(p)) => json!({ "is": "loses", "to": play.name(*p) }),
        Some(Prospect::Drawn) => json!({ "is": "drawn" }),
        Some(Prospect::Queer) => json!({ "is": "queer" }),
        None => json!({ "is": "unknown" }),
    };
    let reason = match &a.reason {
        Reason::NimSum(all) => json!({ "is": "nimsum", "numbers": all }),
        Reason::Mirror(a, b) => json!({ "is": "mirror", "one": a, "other": b }),
        Reason::Number(v) => json!({ "is": "number", "value": v }),
        Reason::Reversal(before, v) => json!({ "is": "reversal", "before": before, "value": v }),
        Reason::Value(v) => json!({ "is": "value", "value": v }),
        Reason::WinsIn(n) => json!({ "is": "wins", "moves": n }),
        Reason::LosesIn(n) => json!({ "is": "loses", "moves": n }),
        Reason::Draws => json!({ "is": "draws" }),
        Reason::Wins => json!({ "is": "wins" }),
        Reason::Hardest(n) => json!({ "is": "hardest", "replies": n }),
        Reason::Unknown(why) => json!({ "is": "unknown", "why": why }),
    };
    Ok(json!({
        "prospect": prospect, "reason": reason, "part": a.part, "parts": a.parts, "move": a.choice.text,
        "number": number,
    }))
}

/// The move that decided a finished game.
fn mistake(play: &mut Play) -> Result<Value, String> {
    let found = play.mistake().map_err(|d| said(&[d]))?;
    Ok(match found {
        Some((made, advice)) => json!({ "made": made, "better": advice.choice.text }),
        None => Value::Null,
    })
}
