//! Mistakes at the beginning of an item or a clause: `ruleset Nim:`, `board: grid`, `Left: choose ..`,
//! `let double k = ..`.

use super::super::Rule;
use super::{Line, one_word};
use crate::base::Span;
use crate::diagnostic::{Code, Diagnostic, Suggestion};
use crate::syntax::lexer::{CLAUSE_WORDS, STAGE_WORDS, TokenKind};

impl Line<'_, '_> {
    /// Mistakes at the beginning of an item or a clause.
    pub(super) fn opening(&self, next: usize, rule: Rule) -> Option<Diagnostic> {
        self.parent(next, rule)
            .or_else(|| self.ruleset_heading(next, rule))
            .or_else(|| self.dashed_name(next, rule))
            .or_else(|| self.clause_sign(next))
            .or_else(|| self.pieces_by_colon(next))
            .or_else(|| self.who_moves(next))
            .or_else(|| self.both_players(next))
            .or_else(|| self.colon_after_by(next))
            .or_else(|| self.block_of_a_player(next))
            .or_else(|| self.without_move(next))
            .or_else(|| self.board_size(next))
            .or_else(|| self.root_apart(next))
            .or_else(|| self.on_edges_early(next))
            .or_else(|| self.state_without_sort(next))
            .or_else(|| self.first_value(next))
            .or_else(|| self.parameters_by_blanks(next))
            .or_else(|| self.defined_by_colon(next))
            .or_else(|| self.range_last(next, rule))
            .or_else(|| self.ranges(next))
            .or_else(|| self.range_without_set(next))
            .or_else(|| self.half_range(next))
            .or_else(|| self.sides_of_a_game(next))
    }

    /// `ruleset Mine: Nim`, `ruleset Mine extends Nim`.
    fn parent(&self, next: usize, rule: Rule) -> Option<Diagnostic> {
        let sign = matches!(
            self.word(next),
            ":" | "extends" | "inherits" | "from" | "is" | "like"
        );
        let parent = next + 1;
        if rule != Rule::item_ruleset
            || next != 2
            || !sign
            || self.kind(parent) != Some(TokenKind::Name)
            || self.opens_line(parent)
        {
            return None;
        }
        let (name, of) = (self.word(1), self.word(parent));
        let d = self.error(Code::E0101, "a ruleset inherits by `= .. with`", next);
        let message = format!("write `ruleset {name} = {of} with`");
        let fix = Suggestion::replace(self.after(1, next), " =", message);
        let end = self.operand_end(parent);
        let fix = match self.word(end + 1) {
            "with" => fix,
            _ => fix.and_after(self.span(end), " with"),
        };
        Some(d.suggest(fix.safe()))
    }

    /// `let x: 3`, `position P: Nim[3]`.
    fn defined_by_colon(&self, next: usize) -> Option<Diagnostic> {
        let start = self.word(self.first);
        if !matches!(start, "let" | "position")
            || self.word(next) != ":"
            || next < self.first + 2
            || self.operand_start(next - 1) != self.first + 1
        {
            return None;
        }
        let head = self.text(self.first, next - 1);
        let d = self.error(Code::E0101, "a definition is written with `=`", next);
        let message = format!("write `{head} = ..`");
        Some(d.suggest(Suggestion::replace(self.after(next - 1, next), " =", message).safe()))
    }

    /// `ruleset Nim:`, `ruleset Nim {`.
    fn ruleset_heading(&self, next: usize, rule: Rule) -> Option<Diagnostic> {
        let found = self.word(next);
        if rule == Rule::item_ruleset
            && next <= 8
            && !(0..next).any(|i| {
                CLAUSE_WORDS.contains(&self.word(i)) || self.source.opens_clause(self.tokens, i)
            })
        {
            if found == ":" {
                return Some(
                    self.error(Code::E0101, "a ruleset opens without `:`", next)
                        .suggest(
                            Suggestion::replace(
                                self.span(next),
                                "",
                                "its clauses follow, indented: leave out `:`",
                            )
                            .safe(),
                        ),
                );
            }
            if found == "{" {
                let help = "its clauses follow, indented: leave out `{` and `}`";
                let mut fix = Suggestion::replace(self.span(next), "", help);
                if let Some(close) = self.partner(next) {
                    fix = fix.and(self.span(close), "");
                }
                return Some(
                    self.error(Code::E0101, "a ruleset opens without `{`", next)
                        .suggest(fix.safe()),
                );
            }
            if self.kind(next) == Some(TokenKind::Text) && next == 1 {
                let name = one_word(found);
                return Some(
                    self.error(Code::E0101, "a ruleset has a name, not a string", next)
                        .suggest(Suggestion::replace(
                            self.span(next),
                            &name,
                            format!("a name is one word: `ruleset {name}`"),
                        )),
                );
            }
        }
        None
    }

    /// `ruleset My-Game`.
    fn dashed_name(&self, next: usize, rule: Rule) -> Option<Diagnostic> {
        if rule != Rule::item_ruleset || next != 2 || self.kind(1) != Some(TokenKind::Name) {
            return None;
        }
        let joined = |i: usize| {
            self.word(i) == "-"
                && self.glued(i)
                && self.glued(i + 1)
                && matches!(self.kind(i + 1), Some(TokenKind::Name | TokenKind::Integer))
        };
        let mut last = 1;
        while joined(last + 1) {
            last += 2;
        }
        if last == 1 {
            return None;
        }
        let written = self.text(1, last);
        let name = one_word(written);
        let d = self.error(Code::E0101, "a name has no `-`", next);
        let message = format!("a name is one word: `ruleset {name}`");
        let mut fix = Suggestion::replace(self.run(1, last), &name, message);
        // Where the name is used.
        let all = self.source.all;
        let length = written.len();
        for token in all.iter().filter(|t| t.kind == TokenKind::Name) {
            let start = token.start as usize;
            let whole = self.source.text.get(start..start + length) == Some(written)
                && all
                    .binary_search_by_key(&(start + length), |t| t.end as usize)
                    .is_ok();
            if whole && start != self.span(1).start as usize {
                fix = fix.and(Span::new(self.source.file, start, start + length), &name);
            }
        }
        Some(d.suggest(fix))
    }

    /// `board: grid`, `pieces = x`.
    fn clause_sign(&self, next: usize) -> Option<Diagnostic> {
        let found = self.word(next);
        let start = self.word(self.first);
        if self.in_ruleset
            && next == self.first + 1
            && CLAUSE_WORDS.contains(&start)
            && start != "move"
            && matches!(found, ":" | "=")
        {
            return Some(
                self.error(Code::E0101, format!("no sign stands after `{start}`"), next)
                    .suggest(
                        Suggestion::replace(
                            self.span(next),
                            "",
                            format!("leave out `{found}`: `{start} {}`", self.word(next + 1)),
                        )
                        .safe(),
                    ),
            );
        }
        None
    }

    /// `pieces x: Left, o: Right`.
    fn pieces_by_colon(&self, next: usize) -> Option<Diagnostic> {
        let named = |i: usize| self.word(i) == ":" && self.kind(i - 1) == Some(TokenKind::Name);
        if self.word(self.first) != "pieces" || next < self.first + 2 || !named(next) {
            return None;
        }
        let d = self.error(Code::E0101, "the owner of a piece follows `=`", next);
        let write = format!("write `{} = {}`", self.before(next), self.word(next + 1));
        let gap = |i: usize| self.up_to(i, i + 1).to(self.after(i - 1, i));
        let mut fix = Suggestion::replace(gap(next), " = ", write);
        for colon in (next + 1..self.last).filter(|i| named(*i)) {
            fix = fix.and(gap(colon), " = ");
        }
        Some(d.suggest(fix.safe()))
    }

    /// `move Left:`, `move take:`.
    fn who_moves(&self, next: usize) -> Option<Diagnostic> {
        let found = self.word(next);
        let start = self.word(self.first);
        if start == "move" && next == self.first + 1 {
            return self.nobody_moves(next);
        }
        if start == "move"
            && self.word(self.first + 2) == ":"
            && next == self.first + 2
            && found == ":"
        {
            let who = self.word(self.first + 1);
            let player = who == "anyone" || who.len() == 1 || who.starts_with(char::is_uppercase);
            if !player {
                let d = Diagnostic::error(Code::E0110, "who moves is said after `by`");
                let message = format!("if every player may: `move {who} by anyone:`");
                let fix = Suggestion::after(self.span(self.first + 1), " by anyone", message);
                let d =
                    d.note("for each player p his own moves: `by p`; for one player: `by Left`");
                return Some(d.at(self.span(self.first + 1), "").suggest(fix));
            }
            return Some(
                self.error(
                    Code::E0110,
                    format!("who moves is said after `by`: `move by {who}:`"),
                    self.first + 1,
                )
                .suggest(
                    Suggestion::before(
                        self.span(self.first + 1),
                        "by ",
                        format!("write `move by {who}:`"),
                    )
                    .safe(),
                ),
            );
        }
        None
    }

    /// `move choose ..`, `move: by p: ..`.
    fn nobody_moves(&self, next: usize) -> Option<Diagnostic> {
        let message = "who moves? `move by p:`, `move by Left:` or `move by anyone:`";
        let d = self.error(Code::E0110, message, next);
        if self.word(next) == ":" && self.word(next + 1) == "by" {
            let fix = Suggestion::replace(self.span(next), "", "leave out `:` before `by`");
            return Some(d.suggest(fix.safe()));
        }
        if !STAGE_WORDS.contains(&self.word(next)) {
            return None;
        }
        let own = (next..self.last).any(|i| self.word(i) == "p");
        let who = if own { "p" } else { "anyone" };
        let write = format!("write `move by {who}: {} ..`", self.word(next));
        let fix = Suggestion::before(self.span(next), format!("by {who}: "), write);
        Some(d.suggest(fix))
    }

    /// `move by all`, `move by either player`, `move by Left and Right`.
    fn both_players(&self, next: usize) -> Option<Diagnostic> {
        if self.word(self.first) != "move" {
            return None;
        }
        let by = (self.first..next)
            .rev()
            .take(3)
            .find(|i| self.word(*i) == "by")?;
        let colon = (next..next + 3).find(|i| self.word(*i) == ":")?;
        let named = |i: usize| matches!(self.word(i), "Left" | "Right");
        let both = named(by + 1) && named(colon - 1) && self.word(by + 1) != self.word(colon - 1);
        let every = |i: usize| {
            matches!(
                self.word(i),
                "all" | "each" | "some" | "either" | "any" | "every" | "both"
            )
        };
        let fits = match colon - by {
            2 => every(by + 1),
            3 => every(by + 1) && matches!(self.word(by + 2), "player" | "players"),
            4 => both && matches!(self.word(by + 2), "and" | "or" | "," | "/" | "&"),
            _ => false,
        };
        if !fits {
            return None;
        }
        let shown = self.text(by + 1, colon - 1);
        let d = Diagnostic::error(Code::E0110, format!("`{shown}` is not a player"));
        let d = d.at(self.run(by + 1, colon - 1), "");
        // Moves that name the player by `p` are each player's own.
        let (who, message) = match (colon..self.last).any(|i| self.word(i) == "p") {
            true => ("p", "for each player p: `move by p:`"),
            false => (
                "anyone",
                "the same options for every player: `move by anyone:`",
            ),
        };
        let fix = Suggestion::replace(self.run(by + 1, colon - 1), who, message);
        Some(d.suggest(fix.safe_if(who == "anyone")))
    }

    /// `by anyone: choose ..` begins a clause.
    fn without_move(&self, next: usize) -> Option<Diagnostic> {
        if !self.in_ruleset || self.word(next) != "by" || !self.opens_line(next) {
            return None;
        }
        let who = self.word(next + 1);
        let fix = Suggestion::before(
            self.span(next),
            "move ",
            format!("moves are written `move by {who}: ..`"),
        );
        let d = self.error(Code::E0109, "`by` starts no clause", next);
        Some(d.suggest(fix.safe()))
    }

    /// `board grid 3 3`, `board grid(3, 3)`.
    fn board_size(&self, next: usize) -> Option<Diagnostic> {
        let next = next - usize::from(self.before(next) == "(");
        if self.word(self.first) != "board" || next != self.first + 2 || self.opens_line(next) {
            return None;
        }
        let number = |i: usize| self.kind(i) == Some(TokenKind::Integer);
        let (from, to, end) = match self.word(next) {
            "(" if number(next + 1) => {
                let close = self.partner(next)?;
                (next + 1, close - 1, close)
            }
            _ if number(next) => {
                let more = |i: usize| number(i) || matches!(self.word(i), "," | "x" | "*" | "by");
                let mut end = next;
                while end + 1 < self.last && more(end + 1) && !self.opens_line(end + 1) {
                    end += 1;
                }
                (next, end, end)
            }
            _ => return None,
        };
        let sizes: Vec<&str> = (from..=to)
            .filter(|i| number(*i))
            .map(|i| self.word(i))
            .collect();
        let kind = self.word(next - 1);
        let example = match (kind, &sizes[..]) {
            ("grid", [m, n]) => format!("[grid({m}, {n})]"),
            ("grid", [n]) => format!("[grid({n}, {n})]"),
            ("strip", [n]) => format!("[strip({n})]"),
            ("heaps", sizes) => format!("[{}]", sizes.join(", ")),
            _ => "[..]".to_owned(),
        };
        let message = "the size of a board comes with a position";
        let d = Diagnostic::error(Code::E0101, message).at(self.run(next, end), "");
        let gap = self.after(next - 1, end);
        let said = format!("leave it out, and write `{example}` after the name of the ruleset");
        Some(d.suggest(Suggestion::replace(gap, "", said)))
    }

    /// `root ground`, `rooted at ground` on a line of its own.
    fn root_apart(&self, next: usize) -> Option<Diagnostic> {
        if !self.in_ruleset
            || !matches!(self.word(next), "root" | "rooted")
            || !self.opens_line(next)
        {
            return None;
        }
        let name = (next + 1..next + 3)
            .find(|i| self.kind(*i) == Some(TokenKind::Name) && self.word(*i) != "at")?;
        if self.opens_line(name) {
            return None;
        }
        let root = self.word(name);
        let d = self.error(
            Code::E0109,
            format!("`{}` starts no clause", self.word(next)),
            next,
        );
        let message = format!("the root is named with the board: `board graph rooted at {root}`");
        let board = (1..next).find(|i| {
            self.word(*i - 1) == "board" && self.opens_line(*i - 1) && self.word(*i) == "graph"
        });
        let Some(board) = board else {
            return Some(d.help(message));
        };
        let text = format!(" rooted at {root}");
        let fix = Suggestion::after(self.span(board), text, message);
        Some(d.suggest(fix.and(self.run(next, name), "").safe()))
    }

    /// `pieces b = Left on edges, r = Right on edges`.
    fn on_edges_early(&self, next: usize) -> Option<Diagnostic> {
        let edges =
            |end: usize| end >= 2 && self.word(end - 1) == "edges" && self.word(end - 2) == "on";
        if self.word(self.first) != "pieces" || self.word(next) != "," || !edges(next) {
            return None;
        }
        let d = Diagnostic::error(Code::E0101, "`on edges` stands at the end, once");
        let d = d.at(self.run(next - 2, next - 1), "");
        let last = (next..self.last)
            .find(|i| self.opens_line(*i))
            .unwrap_or(self.last);
        if !edges(last) {
            let message = "pieces on edges and pieces on vertices have a clause each";
            let gap = self.up_to(next, next + 1);
            return Some(d.suggest(Suggestion::replace(gap, "\n  pieces ", message)));
        }
        let gap = |comma: usize| self.after(comma - 3, comma - 1);
        let mut fix = Suggestion::replace(
            gap(next),
            "",
            "it is said of all pieces of the clause: leave it out here",
        );
        for comma in next + 1..last {
            if self.word(comma) == "," && edges(comma) {
                fix = fix.and(gap(comma), "");
            }
        }
        Some(d.suggest(fix.safe()))
    }

    /// `state m, n`.
    fn state_without_sort(&self, next: usize) -> Option<Diagnostic> {
        let start = self.word(self.first);
        if !matches!(start, "state" | "fixed") || next != self.last || next < self.first + 2 {
            return None;
        }
        if (self.first..next).any(|i| self.word(i) == ":") || !self.ends_operand(next - 1) {
            return None;
        }
        let d = Diagnostic::error(Code::E0101, format!("a {start} has a sort"));
        let d = d.at(self.run(self.first + 1, next - 1), "of which sort?");
        let text = self.text(self.first, next - 1);
        let message = format!("write `{text}: nat` if these are numbers");
        let d = d.note("sorts are `nat`, `int`, `bool`, `piece`, `player`, `vertex` and so on");
        Some(d.suggest(Suggestion::after(self.span(next - 1), ": nat", message)))
    }

    /// `state m = 3: nat`, `state m: nat = 3`.
    fn first_value(&self, next: usize) -> Option<Diagnostic> {
        let start = self.word(self.first);
        if !matches!(start, "state" | "fixed")
            || !matches!(self.word(next), "=" | ":=")
            || next <= self.first + 1
        {
            return None;
        }
        let end = self.find(next + 1, self.last, |w| matches!(w, ":" | ","));
        let end = end.unwrap_or(self.last);
        if end <= next + 1 {
            return None;
        }
        let name = self.word(self.first + 1);
        let message = "the first value of a state comes with the position";
        let d = Diagnostic::error(Code::E0101, message).at(self.run(next, end - 1), "");
        let d = d.note("unless a position gives another one, a number is 0 and a piece `empty`");
        let sorted = (self.first..self.last).any(|i| self.word(i) == ":");
        let text = if sorted { "" } else { ": nat" };
        let gap = self.after(next - 1, end - 1);
        let said = format!(
            "leave it out, and write `[{name}: {}]`",
            self.text(next + 1, end - 1)
        );
        Some(d.suggest(Suggestion::replace(gap, text, said)))
    }

    /// `claim nimber(Nim[a]) = a for a in 1..4`: the range comes last.
    fn range_last(&self, next: usize, rule: Rule) -> Option<Diagnostic> {
        if self.in_ruleset || self.word(next) != "for" || self.opened_by(next).is_some() {
            return None;
        }
        let colon = self.before(next) == ":" && next >= 2;
        if colon && matches!(rule, Rule::item_claim | Rule::item_refute) {
            let d = self.error(Code::E0101, "no `:` stands before `for`", next - 1);
            let fix = Suggestion::replace(self.span(next - 1), "", "leave out `:`");
            return Some(d.suggest(fix.safe()));
        }
        let end = self
            .find(next, self.last, |w| w == "from")
            .unwrap_or(self.last);
        let item =
            (0..next).find(|i| matches!(self.word(*i), "claim" | "refute" | "assert" | "eval"))?;
        if end <= next + 1 {
            return None;
        }
        let range = self.text(next, end - 1);
        let tail = self.after(next - 1, end - 1);
        let word = self.word(item);
        let (place, text, safe) = match rule {
            Rule::item_claim | Rule::item_refute => {
                let colon = self.find(item, next, |w| w == ":")?;
                if (item..colon).any(|i| self.word(i) == "for") {
                    return None;
                }
                (self.span(colon - 1), format!(" {range}"), true)
            }
            Rule::item_assert => (self.span(item), format!(" {range}:"), true),
            Rule::item_eval => (self.span(item), format!(" {range}:"), false),
            _ => return None,
        };
        let said = match word {
            "assert" => "claim",
            "eval" => "table",
            other => other,
        };
        let message = format!("write `{said} {range}: ..`");
        let d = self.error(Code::E0101, "a range stands before what is said", next);
        let fix = match word == said {
            true => Suggestion::after(place, text, message),
            false => Suggestion::replace(place, format!("{said}{text}"), message),
        };
        Some(d.suggest(fix.and(tail, "").safe_if(safe)))
    }

    /// `for a >= 1`.
    fn range_without_set(&self, next: usize) -> Option<Diagnostic> {
        let sign = self.word(next);
        if self.in_ruleset
            || !matches!(sign, ">=" | ">" | "<=" | "<" | "≥" | "≤")
            || next < 2
            || self.kind(next - 1) != Some(TokenKind::Name)
            || !matches!(self.word(next - 2), "for" | ",")
            || !(0..next).any(|i| self.word(i) == "for")
            || self.find(0, next, |w| w == ":").is_some()
        {
            return None;
        }
        let end = self
            .find(next + 1, self.last, |w| matches!(w, ":" | ","))
            .filter(|end| *end > next + 1)?;
        if (next + 1..end).any(|i| self.word(i).starts_with(['<', '>'])) {
            return None;
        }
        let bound = self.text(next + 1, end - 1);
        let after = |by: u64| bound.parse::<u64>().ok().and_then(|n| n.checked_add(by));
        let name = self.word(next - 1);
        let text = match sign {
            "<=" | "≤" => format!("1..{bound}"),
            "<" => format!("1..{bound} - 1"),
            _ => {
                let low = u64::from(sign == ">");
                let low = after(low).map_or_else(|| bound.to_owned(), |n| n.to_string());
                let high = after(9).map_or_else(|| format!("{bound} + 9"), |n| n.to_string());
                format!("{low}..{high}")
            }
        };
        let d = self.error(
            Code::E0101,
            format!("`{name}` ranges over a finite set"),
            next,
        );
        let message = format!("write a range: `{name} in {text}`");
        let fix = Suggestion::replace(self.run(next, end - 1), format!("in {text}"), message);
        Some(d.suggest(fix))
    }

    /// `k in 1..` without its other end.
    fn half_range(&self, next: usize) -> Option<Diagnostic> {
        let ends = matches!(
            self.word(next),
            "" | ":" | "," | ")" | "]" | "}" | "where" | "then"
        );
        if self.before(next) != ".." || !ends {
            return None;
        }
        let high = if self.in_ruleset { "n" } else { "9" };
        let low = next.saturating_sub(2);
        let shown = match self.ends_operand(low) {
            true => format!("{}..{high}", self.word(low)),
            false => format!("..{high}"),
        };
        let d = self.error(Code::E0101, "a range has two ends", next - 1);
        let fix = Suggestion::after(self.span(next - 1), high, format!("end it: `{shown}`"));
        Some(d.suggest(fix))
    }

    /// `{0;1}`, `<0|1>`, `0|1`: the options of a game.
    fn sides_of_a_game(&self, next: usize) -> Option<Diagnostic> {
        if self.in_ruleset {
            return None;
        }
        let open = self.opened_by(next);
        let game = |i: usize| self.word(i) == "{" && !(i > 0 && self.ends_operand(i - 1));
        if self.word(next) == ";" && open.is_some_and(game) {
            let message = "`|` stands between the options of Left and of Right";
            let d = self.error(Code::E0101, "`;` does not stand in a game", next);
            return Some(d.suggest(Suggestion::replace(self.span(next), "|", message)));
        }
        if matches!(self.word(next), "|" | "||") && open.is_none_or(|i| self.word(i) == "(") {
            return self.bare_game(next);
        }
        if self.word(next) == "<" && (next == 0 || !self.ends_operand(next - 1)) {
            let bar = self.find(next + 1, self.last, |w| w.starts_with('|'))?;
            let close = self.find(bar + 1, self.last, |w| w == ">")?;
            let text = format!("{{{}}}", self.text(next + 1, close - 1));
            let d = self.error(Code::E0101, "a game stands in braces", next);
            let fix = Suggestion::replace(self.span(next), "{", format!("write `{text}`"));
            return Some(d.suggest(fix.and(self.span(close), "}").safe()));
        }
        None
    }

    /// `0|1` without braces; drawings are strings.
    fn bare_game(&self, bar: usize) -> Option<Diagnostic> {
        let sign = |w: &str| matches!(w, "," | ":") || w.contains(['=', '<', '>']);
        let open = self.opened_by(bar).map_or(0, |open| open + 1);
        let item = matches!(self.kind(0), Some(TokenKind::Keyword));
        let mut start = open.max(usize::from(item));
        while let Some(i) = self.find(start, bar, sign) {
            start = i + 1;
        }
        let end = self.find(bar + 1, self.last, |w| sign(w) || w == "from");
        let end = end.unwrap_or_else(|| self.closing(bar + 1, self.last));
        let drawn = |i: usize| matches!(self.kind(i), Some(TokenKind::Text | TokenKind::Art));
        // `n = 3 || n = 4`
        let compares = |i: usize| self.word(i).contains(['=', '<', '>']);
        let both = compares(end) && start > 0 && compares(start - 1);
        if start == bar || end == bar + 1 || both || (start..end).any(drawn) {
            return None;
        }
        let text = format!("{{{}}}", self.text(start, end - 1));
        let d = self.error(Code::E0101, "a game stands in braces", bar);
        let fix = Suggestion::replace(self.run(start, end - 1), &text, format!("write `{text}`"));
        Some(d.suggest(fix.safe()))
    }

    /// `move by p choose ..`.
    fn colon_after_by(&self, next: usize) -> Option<Diagnostic> {
        let found = self.word(next);
        let start = self.word(self.first);
        if start == "move"
            && matches!(found, "choose" | "where" | "then")
            && self.word(self.first + 1) == "by"
            && next == self.first + 3
        {
            let who = self.before(next);
            return Some(
                self.error(
                    Code::E0110,
                    format!("a `:` must stand after `move by {who}`"),
                    next,
                )
                .suggest(
                    Suggestion::after(
                        self.span(next - 1),
                        ":",
                        format!("write `move by {who}: {found} ..`"),
                    )
                    .safe(),
                ),
            );
        }
        None
    }

    /// `Left: choose ..` begins a clause.
    fn block_of_a_player(&self, next: usize) -> Option<Diagnostic> {
        let found = self.word(next);
        if self.in_ruleset
            && !found.is_empty()
            && self.kind(next) == Some(TokenKind::Name)
            && self.source.first_on_line(self.tokens[next])
            && let Some(colon) = (next + 1..next + 3).find(|i| self.word(*i) == ":")
            && (colon == next + 1 || matches!(self.word(next + 1), "moves" | "move" | "plays"))
            && STAGE_WORDS.contains(&self.word(colon + 1))
        {
            let place = self.span(next);
            let whole = place.to(self.span(colon));
            let text = format!("move by {found}:");
            return Some(
                self.error(Code::E0109, format!("`{found}:` starts no clause"), next)
                    .suggest(
                        Suggestion::replace(
                            whole,
                            &text,
                            format!("moves are written `{text} choose ..`"),
                        )
                        .safe(),
                    ),
            );
        }
        None
    }

    /// `let double k = 2*k`.
    fn parameters_by_blanks(&self, next: usize) -> Option<Diagnostic> {
        let start = self.word(self.first);
        if matches!(start, "let" | "position")
            && self.kind(self.first + 1) == Some(TokenKind::Name)
            && next == self.first + 2
            && self.kind(next) == Some(TokenKind::Name)
            && let Some(is) = self.find(next, self.last, |w| matches!(w, "=" | ":="))
            && (next..is).all(|i| self.kind(i) == Some(TokenKind::Name))
        {
            let f = self.word(next - 1);
            let names: Vec<&str> = (next..is).map(|i| self.word(i)).collect();
            let whole = self.span(next - 1).to(self.span(is - 1));
            let text = format!("{f}({})", names.join(", "));
            return Some(
                self.error(Code::E0101, "parameters stand in parentheses", next)
                    .suggest(
                        Suggestion::replace(whole, &text, format!("write `{start} {text} = ..`"))
                            .safe(),
                    ),
            );
        }
        None
    }
}
