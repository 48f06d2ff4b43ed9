//! The options of a position, with the status of each in the canonical form; or the options of the canonical form of a value.

use super::ask::{position, said, with};
use super::{Host, Request, drawn};
use cgdsl::session::tree::Status;
use serde_json::{Value, json};

pub fn tree(r: &Request, host: &impl Host) -> Value {
    with(r, host, |session, loaded| {
        if r.want == "form" {
            let v = session
                .value(loaded, &r.expression, None)
                .map_err(|(all, _)| said(&all))?;
            let side = |player: usize, all: &[String]| -> Vec<Value> {
                let node = |t: &String| json!({ "player": player, "text": t, "value": t, "status": "canonical" });
                all.iter().map(node).collect()
            };
            let mut options = side(0, &v.left_options);
            options.extend(side(1, &v.right_options));
            return Ok(json!({
                "players": ["Left", "Right"], "text": v.value, "value": v.value, "options": options,
                "hidden": v.option_counts[0] + v.option_counts[1] - v.left_options.len() - v.right_options.len(),
            }));
        }
        let start = position(session, loaded, &r.expression)?;
        let (tree, limit) = session
            .tree(loaded, &start, 1)
            .map_err(|(d, _)| said(&[d]))?;
        if let Some(limit) = limit {
            return Err(said(&[limit]));
        }
        let options: Vec<Value> = tree
            .edges
            .iter()
            .filter(|e| e.from == 0)
            .filter_map(|e| {
                let node = tree.nodes.get(e.to)?;
                let (status, by) = match &e.status {
                    Status::Canonical => ("canonical", None),
                    Status::Dominated { by } => ("dominated", Some(by)),
                    Status::Reversible { reply } => ("reversible", Some(reply)),
                    Status::Plain => ("plain", None),
                };
                Some(json!({
                    "player": e.player, "text": node.picture.text, "value": node.value, "status": status, "by": by,
                    "drawing": node.picture.drawing, "picture": drawn(&node.picture),
                }))
            })
            .collect();
        let root = tree.nodes.first();
        Ok(json!({
            "players": tree.players, "text": root.map(|n| &n.picture.text), "value": root.and_then(|n| n.value.as_ref()),
            "picture": root.and_then(|n| drawn(&n.picture)), "options": options, "hidden": 0,
        }))
    })
}
