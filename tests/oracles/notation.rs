//! Prints and reads values for the oracles: numbers, ups, stars, `+-`, `Tiny`, braces with bars of any length.

use super::algebra::{Games, Id};

/// g as text: a sum of number, ups and star if it has this form, otherwise braces.
pub fn show(games: &mut Games, g: Id) -> String {
    if let Some((m, k)) = games.as_number(g) {
        return number(m, k);
    }
    if let Some((m, k)) = mean(games, g) {
        let base = games.dyadic(-m, k);
        let rest = games.add(g, base);
        let prefix = if m == 0 { String::new() } else { number(m, k) };
        for ups in [0i64, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6] {
            for star in 0..9 {
                let (a, b) = (games.ups(ups), games.nimber(star));
                if games.add(a, b) == rest {
                    return prefix + &up_text(ups) + &star_text(star);
                }
            }
        }
    }
    let side = |games: &mut Games, options: Vec<Id>| {
        let mut texts: Vec<String> = options.into_iter().map(|o| show(games, o)).collect();
        texts.sort();
        texts.join(",")
    };
    let minus = games.neg(g);
    let (left, right) = (games.left(g), games.right(g));
    let left = side(games, left);
    if minus == g {
        return if left.contains(',') {
            format!("+-{{{left}}}")
        } else {
            format!("+-({left})")
        };
    }
    format!("{{{left}|{}}}", side(games, right))
}

fn number(m: i64, k: u32) -> String {
    if k == 0 {
        m.to_string()
    } else {
        format!("{m}/{}", 1i64 << k)
    }
}

fn up_text(n: i64) -> String {
    let (sign, n) = if n < 0 { ("v", -n) } else { ("^", n) };
    match n {
        0 => String::new(),
        1 | 2 => sign.repeat(n as usize),
        _ => format!("{sign}{n}"),
    }
}

fn star_text(n: u64) -> String {
    match n {
        0 => String::new(),
        1 => "*".into(),
        _ => format!("*{n}"),
    }
}

/// The number to which g is infinitesimally close, if both stops agree.
fn mean(games: &Games, g: Id) -> Option<(i64, u32)> {
    let (l, r) = (stop(games, g, true)?, stop(games, g, false)?);
    (l == r).then_some(l)
}

fn stop(games: &Games, g: Id, left: bool) -> Option<(i64, u32)> {
    if let Some(n) = games.as_number(g) {
        return Some(n);
    }
    let options = if left { games.left(g) } else { games.right(g) };
    let mut best: Option<(i64, u32)> = None;
    for o in options {
        let s = stop(games, o, !left)?;
        best = Some(match best {
            None => s,
            Some(b) => {
                let k = s.1.max(b.1);
                let greater = s.0 << (k - s.1) > b.0 << (k - b.1);
                if greater == left { s } else { b }
            }
        });
    }
    best
}

/// Reads a value; `None` if the text is not one.
pub fn read(games: &mut Games, text: &str) -> Option<Id> {
    let chars: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut reader = Reader {
        games,
        chars,
        at: 0,
    };
    let value = reader.sum()?;
    (reader.at == reader.chars.len()).then_some(value)
}

struct Reader<'a> {
    games: &'a mut Games,
    chars: Vec<char>,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.chars[self.at..]
            .iter()
            .collect::<String>()
            .starts_with(text);
        self.at += if found { text.chars().count() } else { 0 };
        found
    }

    fn digits(&mut self) -> Option<i64> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        self.chars[start..self.at]
            .iter()
            .collect::<String>()
            .parse()
            .ok()
    }

    fn sum(&mut self) -> Option<Id> {
        let mut total = self.term()?;
        loop {
            if self.eat("+-") || self.peek().is_none_or(|c| c != '+' && c != '-') {
                return Some(total);
            }
            let minus = self.peek() == Some('-');
            self.at += 1;
            let term = self.term()?;
            let term = if minus { self.games.neg(term) } else { term };
            total = self.games.add(total, term);
        }
    }

    /// A term: number, ups and star written without separators, or one of the bracketed forms.
    fn term(&mut self) -> Option<Id> {
        if self.eat("+-") {
            let inner = if self.peek() == Some('{') {
                self.options_only()?
            } else {
                vec![self.term()?]
            };
            let minus: Vec<Id> = inner.iter().map(|&g| self.games.neg(g)).collect();
            return Some(self.games.game(&inner, &minus));
        }
        if self.eat("Tiny(") || self.eat("Miny(") {
            let miny = self.chars[self.at - 5] == 'M';
            let inner = self.sum()?;
            let tiny = self.games.tiny(inner);
            return self
                .eat(")")
                .then(|| if miny { self.games.neg(tiny) } else { tiny });
        }
        if self.eat("(") {
            let inner = self.sum()?;
            return self.eat(")").then_some(inner);
        }
        if self.peek() == Some('{') {
            return self.braces();
        }
        let minus = self.eat("-");
        let start = self.at;
        let mut total = self.games.zero();
        if let Some(m) = self.digits() {
            let bottom = if self.eat("/") { self.digits()? } else { 1 };
            if bottom <= 0 || bottom & (bottom - 1) != 0 {
                return None;
            }
            total = self
                .games
                .dyadic(if minus { -m } else { m }, bottom.trailing_zeros());
        } else if minus {
            let inner = self.term()?;
            return Some(self.games.neg(inner));
        }
        if self.eat("^[") {
            // The n-th up is { (n-1)-th up | * }.
            let (n, star) = (self.digits()?, self.games.nimber(1));
            let mut up = self.games.ups(1);
            (1..n).for_each(|_| up = self.games.game(&[up], &[star]));
            total = self.games.add(total, up);
            self.eat("]").then_some(())?;
        } else if let Some(sign @ ('^' | 'v')) = self.peek() {
            let mut n = 0;
            while self.peek() == Some(sign) {
                self.at += 1;
                n += 1;
            }
            let n = self.digits().unwrap_or(n);
            let ups = self.games.ups(if sign == '^' { n } else { -n });
            total = self.games.add(total, ups);
        }
        if self.eat("*") {
            let n = self.digits().unwrap_or(1);
            let star = self.games.nimber(n as u64);
            total = self.games.add(total, star);
        }
        (self.at > start).then_some(total)
    }

    /// The text inside the braces that open here.
    fn inner(&mut self) -> Option<String> {
        let start = self.at + 1;
        let (mut depth, mut end) = (0, self.at);
        loop {
            match self.chars.get(end)? {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
            end += 1;
        }
        self.at = end + 1;
        Some(self.chars[start..end].iter().collect())
    }

    /// After `+-`: a game in braces, or options without a bar.
    fn options_only(&mut self) -> Option<Vec<Id>> {
        let inner = self.inner()?;
        side(self.games, &inner)
    }

    /// `{A || B | C}`: the longest bar splits first.
    fn braces(&mut self) -> Option<Id> {
        let inner = self.inner()?;
        split(self.games, &inner)
    }
}

fn split(games: &mut Games, inner: &str) -> Option<Id> {
    let (mut depth, mut run, mut best) = (0, 0, (0usize, 0usize));
    for (i, c) in inner.char_indices().chain([(inner.len(), ' ')]) {
        if c == '|' && depth == 0 {
            run += 1;
            continue;
        }
        if run > best.0 {
            best = (run, i - run);
        }
        run = 0;
        depth += i32::from(c == '{' || c == '(') - i32::from(c == '}' || c == ')');
    }
    let (length, place) = best;
    if length == 0 {
        return None;
    }
    let left = side(games, &inner[..place])?;
    let right = side(games, &inner[place + length..])?;
    Some(games.game(&left, &right))
}

fn side(games: &mut Games, text: &str) -> Option<Vec<Id>> {
    let bar_outside = {
        let mut depth = 0;
        text.chars().any(|c| {
            depth += i32::from(c == '{' || c == '(') - i32::from(c == '}' || c == ')');
            c == '|' && depth == 0
        })
    };
    if bar_outside {
        return Some(vec![split(games, text)?]);
    }
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in text.chars() {
        depth += i32::from(c == '{' || c == '(') - i32::from(c == '}' || c == ')');
        if c == ',' && depth == 0 {
            parts.push(String::new());
        } else {
            parts.last_mut()?.push(c);
        }
    }
    parts
        .iter()
        .filter(|p| !p.is_empty())
        .map(|p| read(games, p))
        .collect()
}
