//! The effects of a stage, with conditions that keep most of them legal: a place is written once, and a heap does not become
//! negative.

use super::composed::{Board, Draft, Way};
use super::expressions::Sort;

impl Draft<'_> {
    /// The effects of a stage that binds the names from `before` on. Adds the conditions that they need.
    pub fn effects(&mut self, before: usize, conditions: &mut Vec<String>) -> Vec<String> {
        let mut all = match self.board {
            Board::Heaps => self.on_heaps(before),
            Board::Pairs => self.on_pairs(before),
            Board::Scalars => Vec::new(),
            _ => self.on_sites(conditions),
        };
        if self.board == Board::Scalars || (!self.scalars.is_empty() && self.r.once_in(2)) {
            let one = self.on_scalar(self.board == Board::Scalars);
            all.push(one);
        }
        if self.counter && self.r.once_in(2) {
            all.extend(self.on_counter(conditions));
        }
        if self.stock && self.r.once_in(2) {
            all.extend(self.on_stock());
        }
        if self.token
            && self.r.once_in(3)
            && let Some(s) = self.site()
        {
            all.push(format!("token := {s}"));
        }
        if self.mark && self.r.once_in(3) {
            let piece = self.piece();
            all.push(format!("mark := {piece}"));
        }
        if all.is_empty() && !self.scalars.is_empty() {
            let one = self.on_scalar(true);
            all.push(one);
        }
        for effect in &mut all {
            if self.r.once_in(12) {
                let phi = self.condition(1);
                *effect = format!("{effect} when {phi}");
                self.mark("when");
            }
        }
        all
    }

    /// Replaces some or all of the heaps bound in this stage.
    fn on_heaps(&mut self, before: usize) -> Vec<String> {
        let bound = self.scope[before..].iter();
        let heaps: Vec<String> = bound
            .filter(|n| n.sort == Sort::Heap)
            .map(|n| n.name.clone())
            .collect();
        let mut all = Vec::new();
        for (i, n) in heaps.iter().enumerate() {
            if i > 0 && self.r.once_in(4) {
                continue;
            }
            let amounts = self.named(Sort::Number);
            let k = self.pick(amounts).unwrap_or_else(|| "1".to_owned());
            let other = self
                .r
                .one(&heaps.iter().map(String::as_str).collect::<Vec<_>>());
            let left = match self.r.below(10) {
                0 => format!("[{n} - {k}, {k} - 1]"),
                1 => format!("[{n} div 2]"),
                2 => "[]".to_owned(),
                3 => format!("[({n} - 1) div 2, ({n} - 1) - ({n} - 1) div 2]"),
                4 if heaps.len() > 1 => format!("[abs({n} - {other})]"),
                5 => format!("[({n} - 2) mod {n} for _i in 1..2 where {n} >= 2]"),
                6 => format!("[{n} - 1]"),
                _ => format!("[{n} - {k}]"),
            };
            self.progress |= !left.contains("abs(");
            all.push(format!("{n} -> {left}"));
        }
        all
    }

    fn on_pairs(&mut self, before: usize) -> Vec<String> {
        let bound = self.scope[before..].iter();
        let pairs: Vec<String> = bound
            .filter(|n| n.sort == Sort::Pair)
            .map(|n| n.name.clone())
            .collect();
        let mut all = Vec::new();
        for pair in pairs {
            let (m, n) = pair
                .trim_matches(['(', ')'])
                .split_once(", ")
                .unwrap_or(("1", "1"));
            let amounts = self.named(Sort::Number);
            let k = self.pick(amounts).unwrap_or_else(|| "1".to_owned());
            let k = if k == m || k == n { "1".to_owned() } else { k };
            let left = match self.r.below(6) {
                0 => format!("[({k}, {n}), ({m} - {k}, {n})]"),
                1 => format!("[({m}, {n} - {k})]"),
                2 => format!("[({n}, {m} - {k})]"),
                3 => "[]".to_owned(),
                4 => format!("[({m} - 1, {n} - 1) for _i in 1..2]"),
                _ => format!("[({m} - {k}, {n})]"),
            };
            self.progress = true;
            all.push(format!("{pair} -> {left}"));
        }
        all
    }

    fn on_scalar(&mut self, progress: bool) -> String {
        let name = self.r.one(&self.scalars);
        let amounts = self.named(Sort::Number);
        let k = self.pick(amounts).unwrap_or_else(|| "1".to_owned());
        let n = self.number(1);
        let choice = self.r.below(6);
        self.progress |= self.board == Board::Scalars && matches!(choice, 0 | 1 | 5);
        match choice {
            0 | 1 => format!("{name} -= {k}"),
            2 if progress => format!("{name} -= {n}"),
            2 => format!("{name} := {n}"),
            3 if self.way == Way::Free => format!("{name} += {k}"),
            4 => format!("{name} := {name} div 2"),
            _ => format!("{name} -= 1"),
        }
    }

    fn on_counter(&mut self, conditions: &mut Vec<String>) -> Vec<String> {
        let Some(s) = self.site() else {
            return Vec::new();
        };
        let n = self.number(1);
        let first = match self.r.below(6) {
            0 => format!("c({s}) := {n}"),
            1 => format!("c({s}) += 1"),
            2 => format!("c({s}) -= {n}"),
            _ => format!("c({s}) -= 1"),
        };
        let mut all = vec![first];
        if self.r.once_in(3) {
            // Several changes to one place add up.
            self.mark("several writes to a counter");
            let second = match self.r.below(3) {
                0 => format!("c({s}) += 1"),
                1 => match self.site() {
                    Some(t) => format!("c({t}) -= 1"),
                    None => format!("c({s}) -= 1"),
                },
                _ => format!("c({s}) -= 1"),
            };
            if !all[0].contains(":=") {
                all.push(second);
            }
        }
        if self.r.once_in(2) {
            conditions.push(format!("c({s}) >= 1"));
        }
        all
    }

    fn on_stock(&mut self) -> Vec<String> {
        let (Some(s), Some(t)) = (self.site(), self.site()) else {
            return Vec::new();
        };
        let (c, d) = (self.piece(), self.piece());
        let mut all = vec![format!("q({c}, {s}) -= 1")];
        match self.r.below(4) {
            0 => all.push(format!("q({d}, {t}) += 1")),
            1 => all.push(format!("q({d}, {s}) -= 1")),
            2 => all.push(format!("q({c}, {t}) -= 1")),
            _ => {}
        }
        if all.len() > 1 {
            self.mark("several writes to a counter");
        }
        all
    }

    /// Effects on sites and edges.
    fn on_sites(&mut self, conditions: &mut Vec<String>) -> Vec<String> {
        let mut all = Vec::new();
        let mut written: Vec<String> = Vec::new();
        let count = [1, 1, 1, 2, 2, 3][self.r.below(6)];
        for _ in 0..count {
            let effect = self.on_place(conditions, &mut written);
            all.extend(effect);
        }
        all
    }

    /// A site or edge that this stage has not written yet; adds conditions that distinguish it from those written.
    fn place(
        &mut self,
        sort: Sort,
        conditions: &mut Vec<String>,
        written: &mut Vec<String>,
    ) -> Option<String> {
        let mut free = self.named(sort);
        free.retain(|n| !written.contains(n));
        // Usually one bound in this stage: what an earlier stage has written seldom satisfies the conditions of this one.
        let new: Vec<String> = self.scope[self.before..]
            .iter()
            .filter(|n| free.contains(&n.name))
            .map(|n| n.name.clone())
            .collect();
        if !new.is_empty() && !self.r.once_in(5) {
            free = new;
        }
        let one = self.pick(free)?;
        for other in written.iter() {
            if other.starts_with('a') == one.starts_with('a') && !self.r.once_in(5) {
                conditions.push(format!("{one} != {other}"));
            }
        }
        written.push(one.clone());
        Some(one)
    }

    fn on_place(
        &mut self,
        conditions: &mut Vec<String>,
        written: &mut Vec<String>,
    ) -> Option<String> {
        let pieces = self.has_pieces();
        match self.r.below(10) {
            0 | 1 if pieces => self.placed(conditions, written),
            2..=4 => {
                let sort = match self.board.has_edges() && self.r.once_in(2) {
                    true => Sort::Edge,
                    false => Sort::Site,
                };
                let one = self
                    .place(sort, conditions, written)
                    .or_else(|| self.place(Sort::Edge, conditions, written))?;
                if self.board.on_edges() && one.starts_with('e') && self.by_each {
                    conditions.push(format!("p owns at({one})"));
                }
                self.gone.push(one.clone());
                self.progress = true;
                Some(format!("remove {one}"))
            }
            5 if written.is_empty() => {
                written.extend(self.named(Sort::Site));
                self.gone.extend(self.named(Sort::Site));
                self.gone.extend(self.named(Sort::Edge));
                Some(format!("remove {}", self.set(1)))
            }
            6 if written.is_empty() => {
                written.extend(self.named(Sort::Site));
                self.gone.extend(self.named(Sort::Site));
                self.gone.extend(self.named(Sort::Edge));
                Some(format!("keep {}", self.kept()))
            }
            7 if written.is_empty() => self.for_each(written),
            8 if self.board.grows() => self.grown(conditions, written),
            _ if pieces => self.placed(conditions, written),
            _ => {
                let one = self.place(Sort::Site, conditions, written)?;
                self.gone.push(one.clone());
                self.progress = true;
                Some(format!("remove {one}"))
            }
        }
    }

    /// Two vertices are joined, or become one.
    fn grown(&mut self, conditions: &mut Vec<String>, written: &mut Vec<String>) -> Option<String> {
        let u = self.place(Sort::Site, conditions, written)?;
        let v = self.place(Sort::Site, conditions, written)?;
        // Without the conditions most choices are faults, which all ways must report alike.
        let careful = !self.r.once_in(6);
        if careful {
            conditions.push(format!("{u} != {v}"));
        }
        if !self.board.on_edges() && self.r.once_in(2) {
            self.gone.push(v.clone());
            self.progress = true;
            return Some(format!("merge {u}, {v}"));
        }
        let (line, near) = match self.board.has_arcs() {
            true => ("->", "out"),
            false => ("--", "nbrs"),
        };
        if careful {
            conditions.push(format!("{v} not in {near}({u})"));
        }
        self.progress |= self.way == Way::Fill;
        Some(format!("add {u} {line} {v}"))
    }

    fn kept(&mut self) -> String {
        if self.board.is_rooted() && !self.r.once_in(3) {
            return "reach(ground)".to_owned();
        }
        self.set(1)
    }

    /// Places, removes or replaces a piece.
    fn placed(
        &mut self,
        conditions: &mut Vec<String>,
        written: &mut Vec<String>,
    ) -> Option<String> {
        let sort = match self.board.on_edges() {
            true => Sort::Edge,
            false => Sort::Site,
        };
        let s = self.place(sort, conditions, written)?;
        let mover = match self.by_each {
            true => "p".to_owned(),
            false => self.piece(),
        };
        self.progress |= self.way != Way::Free;
        match self.way {
            Way::Fill => {
                conditions.push(format!("at({s}) = empty"));
                let piece = match self.r.once_in(3) {
                    true => self.piece(),
                    false => mover,
                };
                Some(format!("at({s}) := {piece}"))
            }
            Way::Take => {
                conditions.push(match self.by_each && self.r.once_in(2) {
                    true => format!("p owns at({s})"),
                    false => format!("at({s}) != empty"),
                });
                // The mover's own piece replaces another one.
                if self.by_each
                    && self.players.len() == 2
                    && self.r.once_in(2)
                    && let Some(t) = self.place(sort, conditions, written)
                {
                    conditions.push(format!("at({t}) = opponent(p)"));
                    return Some(format!("at({s}) := empty, at({t}) := p"));
                }
                Some(format!("at({s}) := empty"))
            }
            Way::Free => {
                let piece = match self.r.below(3) {
                    0 => "empty".to_owned(),
                    1 => mover,
                    _ => self.piece(),
                };
                Some(format!("at({s}) := {piece}"))
            }
        }
    }

    fn for_each(&mut self, written: &mut Vec<String>) -> Option<String> {
        let y = self.fresh("a");
        let over = self.set(1);
        written.extend(self.named(Sort::Site));
        let filter = match self.r.below(3) {
            0 => String::new(),
            _ if !self.lies() && self.board == Board::Poset => format!(" where size(up({y})) >= 1"),
            _ if !self.lies() => format!(" where size(nbrs({y})) >= 1"),
            1 => format!(" where at({y}) = empty"),
            _ => format!(" where at({y}) != empty"),
        };
        let effect = match self.r.below(4) {
            0 if self.counter => format!("c({y}) -= 1"),
            1 if self.has_pieces() && !self.board.on_edges() => {
                let piece = self.piece();
                match self.way {
                    Way::Take => format!("at({y}) := empty"),
                    _ => format!("at({y}) := {piece}"),
                }
            }
            _ => format!("remove {y}"),
        };
        Some(format!("each {y} in {over}{filter}: {effect}"))
    }
}
