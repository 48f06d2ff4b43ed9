//! Rulesets without a board, whose state is a few integers, players and truth values: moves of one or two stages, with choices
//! from ranges and sets, functions, folds, quantifiers and conditional effects.

use super::{Random, Sample};

struct Drawn<'r> {
    r: &'r mut Random,
    /// Names of integers that can be read.
    names: Vec<String>,
    /// Whether there are a player and a truth value.
    turn: bool,
    fresh: usize,
}

pub fn integers(r: &mut Random) -> Sample {
    let turn = r.once_in(3);
    let mut d = Drawn {
        r,
        names: Vec::new(),
        turn,
        fresh: 0,
    };
    let mut rules = String::from("language 2\nlet half(x) = x div 2\n");
    rules.push_str("ruleset R(S: set of nat)\n  state m, n: nat\n  state d: int\n");
    if turn {
        rules.push_str("  state last: player\n  state on: bool\n");
    }
    rules.push_str("  let far(x, y) = if x < y then y - x else x - y\n");
    for _ in 0..d.r.within(1, 4) {
        let who = d.r.one(&["anyone", "anyone", "Left", "Right", "p"]);
        d.names = ["m", "n", "d"].map(String::from).to_vec();
        let mut text = d.stage(who);
        if d.r.once_in(4) {
            text.push_str(" then ");
            text.push_str(&d.effects(who));
        }
        if d.r.once_in(8) {
            text.push_str(&format!(", again when {}", d.condition(1)));
        }
        // A move that does not name its player is everyone's.
        let who = match who == "p" && !text.contains(":= p") {
            true => "anyone",
            false => who,
        };
        rules.push_str(&format!("  move by {who}: {text}\n"));
    }
    let positions = (0..3)
        .map(|_| {
            let set = d.r.one(&["{1, 2}", "{1, 3}", "{2}", "{}"]);
            let (m, n) = (d.r.below(7), d.r.below(7));
            let sign = d.r.within(0, 4) as i64 - 2;
            let more = match turn {
                true => {
                    d.r.one(&[", last: Left, on: true", ", last: Right, on: false"])
                }
                false => "",
            };
            format!("R({set})[m: {m}, n: {n}, d: {sign}{more}]")
        })
        .collect();
    Sample {
        rules,
        positions,
        kind: "integers",
        marks: vec!["integers"],
    }
}

impl Drawn<'_> {
    fn stage(&mut self, who: &str) -> String {
        let mut text = String::new();
        for _ in 0..self.r.below(3) {
            let name = self.name("k");
            let upto = self.r.one(&["m", "n", "half(m)", "3", "max(m, n)"]);
            if self.r.once_in(6) {
                let other = self.name("k");
                text.push_str(if text.is_empty() { "choose " } else { ", " });
                text.push_str(&format!("({name}, {other}) in {{(1, 2), (2, 1), (0, 3)}}"));
                self.names.extend([name, other]);
                continue;
            }
            let through = match self.r.below(6) {
                0 => format!("{name} in S"),
                1 => format!("{name} in {{1, 2, 4}}"),
                2 => format!("{name} = {}", self.number(2)),
                _ => format!("{name} in 1..{upto}"),
            };
            text.push_str(if text.is_empty() { "choose " } else { ", " });
            text.push_str(&through);
            self.names.push(name);
        }
        for i in 0..self.r.below(3) {
            text.push_str(match (i, text.is_empty()) {
                (0, true) => "where ",
                (0, false) => " where ",
                _ => ", ",
            });
            text.push_str(&self.condition(2));
        }
        let space = if text.is_empty() { "" } else { " " };
        format!("{text}{space}then {}", self.effects(who))
    }

    /// A name that is used nowhere else.
    fn name(&mut self, letter: &str) -> String {
        self.fresh += 1;
        format!("{letter}{}", self.fresh)
    }

    fn effects(&mut self, who: &str) -> String {
        let mut vars = vec!["m", "n", "d"];
        let mut all = Vec::new();
        for _ in 0..self.r.within(1, 2) {
            let var = vars.remove(self.r.below(vars.len()));
            let sign = self.r.one(&["-=", "-=", "-=", "+=", ":="]);
            let amount = match self.names.last() {
                Some(k) if k.starts_with('k') && self.r.once_in(2) => k.clone(),
                _ => self.number(1),
            };
            let when = match self.r.below(6) {
                0 => format!(" when {}", self.condition(1)),
                _ => String::new(),
            };
            // Values stay small, since a range to a large one takes the plain evaluator long.
            let amount = match sign {
                "+=" => self.r.within(1, 3).to_string(),
                ":=" => format!("({amount}) mod 9"),
                _ => amount,
            };
            all.push(match self.r.below(8) {
                0 => {
                    let x = self.name("x");
                    format!("each {x} in 1..2: {var} -= {x}")
                }
                _ => format!("{var} {sign} {amount}{when}"),
            });
        }
        if self.turn && self.r.once_in(2) {
            all.push(match (who, self.r.once_in(2)) {
                ("p", true) => "last := p".to_owned(),
                (_, true) => "last := Left".to_owned(),
                _ => "on := not on".to_owned(),
            });
        }
        all.join(", ")
    }

    fn number(&mut self, levels: usize) -> String {
        let name = self.r.below(self.names.len());
        let name = self.names[name].clone();
        if levels == 0 {
            return match self.r.below(3) {
                0 => self.r.below(4).to_string(),
                _ => name,
            };
        }
        let a = self.number(levels - 1);
        let b = self.number(levels - 1);
        let x = self.name("x");
        match self.r.below(16) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("{a} * 2"),
            3 => format!("half({a})"),
            4 => format!("({a} mod {})", self.r.one(&["2", "3", "(0 - 3)"])),
            5 => format!("({a} div {})", self.r.one(&["2", "(0 - 2)"])),
            6 => format!("far({a}, {b})"),
            7 => format!("(if {} then {a} else {b})", self.condition(levels - 1)),
            8 => format!("{}({a}, {b})", self.r.one(&["min", "max"])),
            9 => format!("sum({x} for {x} in 1..3 where {x} != {a})"),
            10 => format!("xor(m, {})", self.r.below(4)),
            11 => format!("mex([{x} for {x} in S])"),
            12 => format!("size([{x} for {x} in 1..m where {x} in S])"),
            13 => format!("abs({a} - {b})"),
            14 => format!("gcd(m, {b})"),
            _ => name,
        }
    }

    fn condition(&mut self, levels: usize) -> String {
        let a = self.number(levels.min(1));
        let b = self.number(levels.min(1));
        if self.turn && self.r.once_in(6) {
            return self
                .r
                .one(&["on", "not on", "last = Left", "last != Left"])
                .to_owned();
        }
        let x = self.name("x");
        match self.r.below(9) {
            0 => format!("{a} in S"),
            1 => format!("{a} in 0..{b}"),
            2 => format!("(some {x} in 1..3: {x} = {a})"),
            3 => format!("(all {x} in S: {x} != {a})"),
            4 => format!("(no {x} in 0..n: {x} > {a})"),
            5 => format!("({a} = {b} or m > {})", self.r.below(3)),
            6 => format!("{a} != {b}"),
            7 => format!("{a} <= {b}"),
            _ => format!("{a} < {b}"),
        }
    }
}
