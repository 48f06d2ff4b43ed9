//! Turns the place where pest stopped into a message in the user's terms.

use super::{ItemSource, Rule, habits};
use crate::base::Span;
use crate::diagnostic::{Code, Diagnostic, Suggestion, near};
use crate::syntax::lexer::{
    CLAUSE_WORDS, ITEM_WORDS, RESERVED, STAGE_WORDS, Token, TokenKind, opens_clause,
};
use cgdsl_grammar::pest::error::{Error, ErrorVariant, InputLocation};

/// Text that belongs to no item, and items that do not exist yet.
pub(super) fn no_item(
    source: &ItemSource<'_>,
    start: Option<&str>,
    word: Option<&str>,
) -> Diagnostic {
    let Some(first) = source.significant().next() else {
        return Diagnostic::error(Code::E0102, "nothing to read here");
    };
    let slice = source.slice(first);
    let span = source.span_of(first);
    if let (Some("slow"), Some(word)) = (start, word) {
        return Diagnostic::error(
            Code::E0109,
            format!("`slow` stands before a claim, not before `{word}`"),
        )
        .at(span, "")
        .help("slow claim \"..\" for ..: ..");
    }
    if start == Some("slow") {
        return Diagnostic::error(Code::E0109, "`slow` stands before a claim")
            .at(span, "nothing follows");
    }
    if let Some(word @ ("expect" | "seal")) = start {
        return Diagnostic::error(Code::E0109, format!("`{word}` belongs to an `ask`"))
            .at(span, "must be indented below its question")
            .help("ask \"What is Nim[3, 5] worth?\" expect value(Nim[3, 5])");
    }
    let indented = ITEM_WORDS.contains(&slice);
    if indented {
        return Diagnostic::error(
            Code::E0108,
            format!("`{slice}` starts an item and must stand in column 1"),
        )
        .at(span, "is indented")
        .suggest_if(to_column_one(source, first));
    }
    let second = source.significant().nth(1).map(|t| source.slice(t));
    if opens_clause(slice, second) || STAGE_WORDS.contains(&slice) {
        return Diagnostic::error(Code::E0102, format!("`{slice}` belongs in a ruleset"))
            .at(span, "no ruleset has begun")
            .suggest(Suggestion::before(
                span,
                "ruleset Game\n  ",
                "open one before it: `ruleset Game`",
            ));
    }
    let d = Diagnostic::error(Code::E0109, "an item must start here")
        .at(span, format!("{} starts no item", name_of(slice, first)));
    if let Some(definition) = defined(source) {
        return d.suggest(definition);
    }
    if habits::of_positions(slice) {
        let mut fix = Suggestion::before(span, "eval ", "a question opens with its word");
        let last = source.significant().next_back().unwrap_or(first);
        let next = source
            .significant()
            .nth(1)
            .filter(|t| source.slice(*t) != "(");
        if let Some(next) = next {
            let asked = &source.text[next.start as usize..last.end as usize];
            fix.message = format!("write `eval {slice}({asked})`");
            let gap = Span::new(source.file, first.end as usize, next.start as usize);
            fix = fix.and(gap, "(").and_after(source.span_of(last), ")");
        } else {
            fix.message = format!("write `eval {slice}(..)`");
        }
        return d.suggest(fix.safe());
    }
    let known = habits::item_word(slice);
    let capital = known.is_some_and(|w| w == slice.to_lowercase());
    match known.or_else(|| near(slice, ITEM_WORDS.iter().copied())) {
        Some(word) => {
            let message = if capital {
                format!("it is written with small letters: `{word}`")
            } else {
                format!("did you mean `{word}`?")
            };
            let mut fix = Suggestion::replace(span, word, message);
            if matches!(word, "claim" | "refute")
                && let Some((place, text)) = habits::opening_of_claim(source)
            {
                let gap = if text == ":" { "" } else { " " };
                fix.message = format!("write `{word}{gap}{text}`");
                fix = fix.and(place, text);
            }
            // A word that another language uses for the same thing is safe to replace; a misspelt word may mean something
            // else.
            d.suggest(fix.safe_if(known.is_some()))
        }
        None => d.note("items start in column 1 with `ruleset`, `use`, `let`, `position`, `eval`, `assert`, `claim`, `refute`, `table`, `search` or `ask`"),
    }
}

/// A definition without its keyword: `G := Nim[3]`, `f(k) = 2 * k`.
fn defined(source: &ItemSource<'_>) -> Option<Suggestion> {
    let tokens: Vec<Token> = source.significant().take(60).collect();
    let name = tokens.first().filter(|t| t.kind == TokenKind::Name)?;
    let mut sign = 1;
    if source.slice(*tokens.get(1)?) == "(" {
        let close = tokens
            .iter()
            .position(|t| source.slice(*t) == ")")
            .filter(|i| {
                tokens[2..*i]
                    .iter()
                    .all(|t| matches!(source.slice(*t), ",") || t.kind == TokenKind::Name)
            })?;
        sign = close + 1;
    }
    let is = *tokens.get(sign)?;
    if !matches!(source.slice(is), "=" | ":=" | "==") {
        return None;
    }
    // A ruleset's name followed by a board is a position.
    let position = tokens.windows(2).skip(sign + 1).any(|w| {
        w[0].kind == TokenKind::Name && w[0].end == w[1].start && source.slice(w[1]) == "["
    });
    let word = if position { "position" } else { "let" };
    let head = &source.text[name.start as usize..tokens[sign - 1].end as usize];
    Some(
        Suggestion::before(
            source.span_of(*name),
            format!("{word} "),
            format!("a definition is written `{word} {head} = ..`"),
        )
        .and(source.span_of(is), "=")
        // With another sign it could be a claim.
        .safe_if(source.slice(is) == ":="),
    )
}

/// Removes the blanks before the first word of a line.
fn to_column_one(source: &ItemSource<'_>, token: Token) -> Option<Suggestion> {
    let at = token.start as usize;
    let line = source.text[..at].rfind('\n').map_or(0, |i| i + 1);
    let place = Span::new(source.file, line, at);
    let word = source.slice(token);
    (at > line && source.first_on_line(token))
        .then(|| Suggestion::replace(place, "", format!("write `{word}` in column 1")).safe())
}

/// The message for the furthest place that pest reached, from the rules it expected there.
pub(super) fn explain(source: &ItemSource<'_>, rule: Rule, error: &Error<Rule>) -> Diagnostic {
    let at = source.range().start
        + match error.location {
            InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
        };
    let expected: Vec<Rule> = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => positives.clone(),
        ErrorVariant::CustomError { .. } => Vec::new(),
    };
    let mut tokens: Vec<Token> = source.significant().collect();
    let next = tokens.partition_point(|t| t.end as usize <= at);
    let in_ruleset = matches!(rule, Rule::item_ruleset | Rule::only_clauses);
    // Where the next clause begins, the one before it has ended too early.
    if in_ruleset && next > 0 && source.opens_clause(&tokens, next) {
        tokens.truncate(next);
    }
    let found = tokens.get(next).copied();
    let place = match found {
        Some(token) => source.span_of(token),
        None => {
            let end = tokens.last().map_or(source.range().end, |t| t.end as usize);
            Span::new(source.file, end, end)
        }
    };
    let context = Context {
        source,
        tokens: &tokens,
        next,
        place,
        expected: &expected,
        rule,
    };
    if let Some(habit) = habits::look(source, &tokens, next, rule) {
        return habit;
    }
    if let Some(special) = context.special() {
        return special;
    }
    let wanted = words(&expected);
    let shown = match found {
        Some(token) => name_of(source.slice(token), token),
        None if in_ruleset => "the end of the clause".to_string(),
        None => "the end of the item".to_string(),
    };
    let mut d = Diagnostic::error(
        Code::E0101,
        match wanted.as_str() {
            "" => format!("{shown} cannot stand here"),
            wanted => format!("expected {wanted}, found {shown}"),
        },
    )
    .at(place, "");
    if rule == Rule::item_ask
        && expected
            .iter()
            .any(|r| *r == Rule::kw_expect || *r == Rule::expected)
    {
        d = d.help("ask \"What is Nim[3, 5] worth?\" expect value(Nim[3, 5]) hint \"..\"");
    } else if matches!(context.kind(0), Some(TokenKind::Name | TokenKind::Integer))
        && context.kind(-1) == Some(TokenKind::Name)
        && !context.first_on_line()
        && context.expects_operator()
    {
        d.message = format!(
            "`{} {}`: two things side by side",
            context.word(-1),
            context.word(0)
        );
        d = d.suggest_if(context.in_parentheses());
    } else if let Some(token) = found
        && token.kind == TokenKind::Name
    {
        d = d.suggest_if(context.near_word(source.slice(token)));
    }
    d
}

fn name_of(slice: &str, token: Token) -> String {
    match token.kind {
        TokenKind::Text | TokenKind::Art => "a string".to_string(),
        _ if slice.chars().count() > 40 => "this".to_string(),
        _ => format!("`{slice}`"),
    }
}

struct Context<'a, 'b> {
    source: &'b ItemSource<'a>,
    tokens: &'b [Token],
    next: usize,
    place: Span,
    expected: &'b [Rule],
    rule: Rule,
}

impl<'a> Context<'a, '_> {
    fn word(&self, offset: isize) -> &'a str {
        self.next
            .checked_add_signed(offset)
            .and_then(|i| self.tokens.get(i))
            .map_or("", |t| self.source.slice(*t))
    }

    fn kind(&self, offset: isize) -> Option<TokenKind> {
        self.next
            .checked_add_signed(offset)
            .and_then(|i| self.tokens.get(i))
            .map(|t| t.kind)
    }

    fn expects(&self, rules: &[Rule]) -> bool {
        rules.iter().any(|r| self.expected.contains(r))
    }

    fn glued(&self, offset: isize) -> bool {
        let token = |o: isize| {
            self.next
                .checked_add_signed(o)
                .and_then(|i| self.tokens.get(i))
        };
        match (token(offset - 1), token(offset)) {
            (Some(a), Some(b)) => a.end == b.start,
            _ => false,
        }
    }

    /// Whether the word found is the first on its line.
    fn first_on_line(&self) -> bool {
        let at = self.place.start as usize;
        let line = self.source.text[..at].rfind('\n').map_or(0, |i| i + 1);
        self.source.text[line..at].trim().is_empty()
    }

    /// A keyword near to `name`: one that the grammar expects here, else any.
    fn near_word(&self, name: &str) -> Option<Suggestion> {
        let expected: Vec<&'static str> =
            self.expected.iter().filter_map(|r| keyword(*r)).collect();
        let (word, _) = habits::keyword_meant(name, expected.iter().copied()).or_else(|| {
            let all = RESERVED
                .iter()
                .chain(CLAUSE_WORDS)
                .chain(STAGE_WORDS)
                .copied();
            habits::keyword_meant(name, all)
        })?;
        Some(self.instead(word))
    }

    /// The keyword among these that the word found misspells. It is safe to write after a slip of one letter, unless the
    /// move goes on with the same keyword.
    fn keyword_meant<'k>(&self, keywords: impl IntoIterator<Item = &'k str>) -> Option<Suggestion> {
        let (word, sure) = habits::keyword_meant(self.word(0), keywords)?;
        let after = self.tokens.iter().skip(self.next + 1);
        let mut words = after.map(|t| self.source.slice(*t));
        let next = words.find(|w| STAGE_WORDS.contains(w));
        let once = habits::goes_before(word, next.unwrap_or(""));
        Some(self.instead(word).safe_if(sure && once))
    }

    /// Replaces the word found.
    fn instead(&self, word: &str) -> Suggestion {
        Suggestion::replace(self.place, word, format!("did you mean `{word}`?"))
    }

    /// Adds the parentheses of a call written without them: `grid 2 3`, `nbrs v`, `value Nim[3]`.
    fn in_parentheses(&self) -> Option<Suggestion> {
        let f = self.word(-1);
        let mut arguments: Vec<&str> = Vec::new();
        // `outcome of Nim[3]`
        let of = usize::from(self.word(0) == "of");
        if of == 1 && self.word(1) == "(" {
            let open = self.tokens[self.next + 1].start as usize;
            let gap = Span::new(self.source.file, self.before().end as usize, open);
            let message = format!("arguments stand in parentheses: `{f}(..)`");
            return Some(Suggestion::replace(gap, "", message));
        }
        // `misere Nim[3]`: a function of rulesets takes the ruleset alone.
        let of_rulesets = matches!(f, "misere" | "impartial" | "reversed" | "dicotic");
        let most = if of_rulesets { 1 } else { 4 };
        let mut at = self.next + of;
        while arguments.len() < most
            && let Some(token) = self.tokens.get(at)
            && matches!(
                token.kind,
                TokenKind::Name | TokenKind::Integer | TokenKind::Text
            )
        {
            let last = self.with_brackets(at, of_rulesets);
            let place = token.start as usize..self.tokens[last].end as usize;
            arguments.push(&self.source.text[place]);
            at = last + 1;
        }
        let start = self.before().end as usize;
        let end = self.tokens.get(at.saturating_sub(1));
        let end = end.map_or(start, |t| t.end as usize).max(start);
        let text = format!("({})", arguments.join(", "));
        let message =
            format!("if `{f}` is a function, its arguments stand in parentheses: `{f}{text}`");
        let place = Span::new(self.source.file, start, end);
        (!arguments.is_empty()).then(|| Suggestion::replace(place, text, message))
    }

    /// The last token of an operand: a name and the brackets that touch it, or only those without a board.
    fn with_brackets(&self, first: usize, boardless: bool) -> usize {
        let mut last = first;
        let mut depth = 0usize;
        for i in first + 1..self.tokens.len().min(first + 200) {
            let token = self.tokens[i];
            let glued = self.tokens[i - 1].end == token.start;
            match token.kind {
                TokenKind::OpenBracket
                    if depth == 0 && boardless && self.source.slice(token) == "[" =>
                {
                    break;
                }
                TokenKind::OpenBracket if depth > 0 || glued && last + 1 == i => depth += 1,
                TokenKind::CloseBracket if depth > 0 => {
                    depth -= 1;
                    if depth == 0 {
                        last = i;
                    }
                }
                _ if depth == 0 => break,
                _ => {}
            }
        }
        last
    }

    /// The place of the token before the one found.
    fn before(&self) -> Span {
        match self.next.checked_sub(1).and_then(|i| self.tokens.get(i)) {
            Some(token) => self.source.span_of(*token),
            None => self.place,
        }
    }

    /// `for all w in S`, `for each w in S`, `for some w in S`.
    fn quantifier(&self) -> Suggestion {
        let word = if self.word(1) == "some" {
            "some"
        } else {
            "all"
        };
        let end = self
            .tokens
            .get(self.next + 1)
            .map_or(self.place.end as usize, |t| t.end as usize);
        let place = Span::new(self.source.file, self.place.start as usize, end);
        Suggestion::replace(
            place,
            word,
            format!("the language says `{word} w in S: ..`"),
        )
        .safe()
    }

    /// Mistakes with a message of their own.
    fn special(&self) -> Option<Diagnostic> {
        let found = self.word(0);
        let previous = self.word(-1);
        let error =
            |code: Code, message: String| Some(Diagnostic::error(code, message).at(self.place, ""));
        let wants_operand = self.expects(&[
            Rule::expr,
            Rule::operand,
            Rule::plain_expr,
            Rule::sum_expr,
            Rule::chain,
        ]);
        let wants_name = self.expects(&[
            Rule::name,
            Rule::pattern,
            Rule::binders,
            Rule::binder,
            Rule::parameter,
        ]);
        let in_ruleset = self.rule == Rule::item_ruleset || self.rule == Rule::only_clauses;

        // `without move`
        if in_ruleset && previous == "move" && self.word(-2) == "without" {
            return error(Code::E0101, "which move is left out?".to_owned()).map(|d| {
                d.help("its label or its number: `without move jump`, `without move 1`")
                    .note("a move that is written replaces the one with its label, or, without a label, the only one")
            });
        }
        // `lose p when no moves`
        let stuck = ["move", "moves", "legal", "option", "options", "available"];
        let no = if stuck.contains(&previous) { -2 } else { -1 };
        if in_ruleset
            && self.word(no) == "no"
            && self.word(no - 1) == "when"
            && (no == -2 || stuck.contains(&found))
        {
            return error(Code::E0109, "what becomes of a player who cannot move is said by `play`".to_owned())
                .map(|d| d.help("a player who cannot move loses, or, under `play misere`, wins; `play stuck-draws` makes it a draw"));
        }
        // A parameter is one name.
        if found == "(" && matches!(previous, "(" | ",") && self.expects(&[Rule::parameter]) {
            return Some(
                Diagnostic::error(Code::E0101, "a parameter is one name, not a pair")
                    .at(self.place, "a pair begins here")
                    .help("pass its components: `let level(i, j, k, l) = i = k`, and take cells apart where they are chosen: `(i, j) in cells`"),
            );
        }
        // Items and clauses in the wrong place.
        if ITEM_WORDS.contains(&found) && self.first_on_line() && found != "let" && !wants_operand {
            return Some(
                Diagnostic::error(
                    Code::E0108,
                    format!("`{found}` starts an item and must stand in column 1"),
                )
                .at(self.place, "is indented")
                .suggest_if(to_column_one(self.source, self.tokens[self.next])),
            );
        }
        if STAGE_WORDS.contains(&found) && in_ruleset && self.next > 0 && !self.in_move() {
            return Some(
                Diagnostic::error(Code::E0110, format!("`{found}` belongs in a move"))
                    .at(self.place, "no move has begun")
                    .help("move by p: choose .. where .. then .."),
            );
        }
        if found == "for"
            && matches!(self.word(1), "all" | "some" | "every" | "each")
            && wants_operand
        {
            return Some(
                Diagnostic::error(
                    Code::E0101,
                    format!("`for {}` is not a quantifier", self.word(1)),
                )
                .at(self.place, "")
                .suggest(self.quantifier()),
            );
        }
        let stated = [Rule::item_assert, Rule::item_claim, Rule::item_refute].contains(&self.rule);
        if stated && found == "where" && wants_operand {
            let next = self.tokens.get(self.next + 1);
            let end = next.map_or(self.place.end as usize, |t| t.start as usize);
            let word = Span::new(self.source.file, self.place.start as usize, end);
            let d = Diagnostic::error(Code::E0101, "the statement is written without `where`");
            let d = d
                .at(self.place, "here")
                .suggest(Suggestion::replace(word, "", "the condition follows as it is").safe());
            return Some(match self.rule {
                Rule::item_assert => d,
                _ => d.note("to leave some out: `claim for n in 1..9 where n mod 2 = 1: ..`"),
            });
        }
        if in_ruleset && previous == "choose" && matches!(found, "where" | "then") {
            return Some(
                Diagnostic::error(Code::E0110, "nothing is chosen")
                    .at(self.place, "here")
                    .suggest(
                        Suggestion::replace(
                            self.before(),
                            "",
                            format!("without a choice the move begins with `{found}`"),
                        )
                        .safe(),
                    ),
            );
        }
        if in_ruleset && previous == "at" && self.word(-2) == "rooted" {
            return Some(
                Diagnostic::error(Code::E0101, format!("the root is a name, not `{found}`"))
                    .at(self.place, "here")
                    .help("board graph rooted at ground"),
            );
        }
        if in_ruleset
            && self.last_keyword() == Some("choose")
            && matches!(self.word(-2), "choose" | ",")
            && habits::keyword_meant(found, STAGE_WORDS.iter().copied()).is_none()
            && self.kind(-1) == Some(TokenKind::Name)
            && self.kind(0) == Some(TokenKind::Name)
            && self.word(1) != "("
        {
            let d = Diagnostic::error(
                Code::E0110,
                format!("`{previous} {found}` is not how something is chosen"),
            )
            .at(self.place, "two names side by side");
            return Some(match near(previous, ["edge", "piece"]) {
                Some(word) => d.suggest(Suggestion::replace(
                    self.before(),
                    word,
                    format!("did you mean `{word} {found}`?"),
                )),
                None if matches!(previous, "arc" | "line") => d.help(format!(
                    "`edge {found}` is an edge or arc, `u -> v` the ends of an arc"
                )),
                None if matches!(found, "subset" | "subsets") => d.help(format!(
                    "a subset is chosen by `{previous} in subsets(cells)`"
                )),
                None if matches!(previous, "distinct" | "different") => {
                    d.help("`a != b` among the conditions makes two choices distinct")
                }
                None if matches!(found, "either" | "such") => d.help(
                    "conditions stand after `where`; two ways to move are two clauses `move`",
                ),
                None => d.suggest(Suggestion::after(
                    self.before(),
                    ",",
                    format!("several choices are joined by commas: `{previous}, {found}`"),
                )),
            });
        }
        if self.expects(&[Rule::effects, Rule::kw_then]) && previous != ":" && self.effect_ahead() {
            return Some(
                Diagnostic::error(
                    Code::E0110,
                    "`then` must stand before the effects of a move",
                )
                .at(self.place, "an effect begins here")
                .suggest(
                    Suggestion::before(self.place, "then ", format!("write `then {found}`")).safe(),
                ),
            );
        }
        if previous == "when"
            && let word @ ("win" | "lose") = self.word(-2)
        {
            let d = Diagnostic::error(Code::E0109, format!("`{word} when` does not say who"))
                .at(self.before(), "a player, or a name that stands for each");
            let fix = Suggestion::before(
                self.before(),
                "p ",
                format!(
                    "write `{word} p when ..`: p is first who has just moved, then each other player"
                ),
            );
            return Some(d.suggest(fix));
        }
        if self.expects(&[Rule::stage])
            || self.expects(&[Rule::choose, Rule::effects]) && previous == ":"
        {
            let d = Diagnostic::error(
                Code::E0110,
                "a move says `choose ..`, `where ..`, `then ..`",
            )
            .at(self.place, "one of these three must stand here");
            // Words between names that the language writes with signs.
            let sign = match found {
                "divides" | "|" => Some("`k` divides `n` where `n mod k = 0`"),
                "<" | ">" | "<=" | ">=" | "!=" if self.last_keyword() == Some("choose") => {
                    Some("conditions stand after `where`: `choose i, j where i < j`")
                }
                "neighbours" | "neighbors" => {
                    Some("a vertex and its neighbours are taken away by `remove v, nbrs(v)`")
                }
                _ => match previous {
                    "delete" | "take" | "erase" | "kill" => Some("`remove v` takes a site away"),
                    "place" | "put" | "set" => Some("`at(v) := p` puts a piece on a site"),
                    "swap" | "exchange" => Some(
                        "effects read the state before: `at(a) := at(b), at(b) := at(a)` exchanges",
                    ),
                    _ => None,
                },
            };
            if let Some(help) = sign {
                return Some(d.help(help));
            }
            return Some(match self.kind(0) {
                Some(TokenKind::Name) => match self.keyword_meant(STAGE_WORDS.iter().copied()) {
                    Some(fix) => d.suggest(fix),
                    None if previous == ":" => d.help("begin with `choose` and what is chosen"),
                    None => d,
                },
                _ => d,
            });
        }
        if self.expects(&[
            Rule::board_clause,
            Rule::move_clause,
            Rule::kw_board,
            Rule::kw_move,
        ]) && self.first_on_line()
            && matches!(self.kind(0), Some(TokenKind::Name))
        {
            let d = Diagnostic::error(Code::E0109, format!("`{found}` starts no clause"))
                .at(self.place, "");
            let candidates = CLAUSE_WORDS.iter().chain(STAGE_WORDS).copied();
            return Some(match self.keyword_meant(candidates) {
                Some(fix) => d.suggest(fix),
                None => {
                    let d = d.note("a ruleset has the clauses `board`, `players`, `pieces`, `state`, `let`, `play`, `win`, `lose`, `draw`, `endless`, `score` and `move`");
                    match found {
                        "win" | "wins" | "lose" | "loses" | "end" | "ends" | "goal" => d.help("who has won, and when: `win p when ..`, `lose p when ..`, `draw when ..`"),
                        "score" | "scores" | "points" => d.help("what play comes to, Left's points minus Right's: `score boxes(Left) - boxes(Right)`"),
                        "turn" | "pass" => d.help("players take turns; a pass is a move that changes some state, such as a count of passes"),
                        "sites" | "cells" | "vertices" => d.help("the sites come with the position: `Name[path(5)]`"),
                        _ => d,
                    }
                }
            });
        }
        // A colon missing after `move by p`.
        if self.expects(&[Rule::kw_by]) && in_ruleset {
            // `move put and take by p:`
            let mut words = vec![previous];
            let mut end = 0;
            while self.kind(end).is_some() && !matches!(self.word(end), "by" | ":") {
                words.push(self.word(end));
                end += 1;
            }
            let labels = words.iter().all(|w| w.chars().all(char::is_alphanumeric));
            if end > 0 && self.word(end) == "by" && self.word(-2) == "move" && labels {
                let name = words.join("_");
                let last = self.next.checked_add_signed(end - 1);
                let last = last
                    .and_then(|i| self.tokens.get(i))
                    .map(|t| self.source.span_of(*t));
                let run = self.before().to(last.unwrap_or(self.place));
                let message = format!("write `move {name} by`");
                let d = Diagnostic::error(Code::E0110, "the name of a move is one word");
                let fix = Suggestion::replace(run, name, message);
                return Some(d.at(run, "").suggest(fix.safe()));
            }
            return error(
                Code::E0110,
                "who moves? `move by p:`, `move by Left:` or `move by anyone:`".into(),
            );
        }

        // Reserved words as names.
        if wants_name
            && RESERVED.contains(&found)
            && !wants_operand
            && !matches!(found, "in" | "where" | "then" | "for")
        {
            return Some(
                Diagnostic::error(
                    Code::E0116,
                    format!("`{found}` is a word of the language and cannot be a name"),
                )
                .at(self.place, "")
                .help("choose another name"),
            );
        }

        // `=`, `==`, `:=`.
        if found == "==" && self.expects(&[Rule::is]) && self.expects_no_operator() {
            return Some(
                Diagnostic::error(
                    Code::E0111,
                    "`==` compares games; a definition is written with `=`",
                )
                .at(self.place, "")
                .suggest(Suggestion::replace(self.place, "=", "write `=`").safe()),
            );
        }
        if found == ":=" {
            return Some(
                Diagnostic::error(
                    Code::E0111,
                    "`:=` is an effect and stands only after `then`",
                )
                .at(self.place, "")
                .suggest(
                    Suggestion::replace(
                        self.place,
                        "=",
                        "a definition and a comparison are written with `=`",
                    )
                    .safe(),
                ),
            );
        }
        if found == "=" && matches!(previous, "=" | "<" | ">" | "=>") {
            return error(
                Code::E0111,
                format!("`{previous} =` is not a sign; did you mean `{previous}=`?"),
            );
        }
        if matches!(found, "+=" | "-=") {
            return error(
                Code::E0111,
                format!("`{found}` is an effect and stands only after `then`"),
            );
        }

        // Stars.
        let star = |s: &str| matches!(s, "*" | "∗" | "★" | "☆" | "⋆");
        if star(found) && star(previous) || star(found) && star(self.word(1)) && wants_operand {
            return Some(
                Diagnostic::error(Code::E0113, "two stars in a row")
                    .at(self.place, "")
                    .help("star is `*`, nimbers are `*2`, a sum is `* + *2`, a power is `2^3`"),
            );
        }
        if star(found) && self.word(1) == "-" && wants_operand
            || star(previous) && found == "-" && self.glued(0)
        {
            return Some(
                Diagnostic::error(Code::E0113, "a sign cannot follow a star")
                    .at(self.place, "")
                    .help("a difference is written with blanks, `* - 3`; nimbers have no negative: -*3 is *3"),
            );
        }
        if matches!(found, "+" | "*" | "/" | "^")
            && wants_operand
            && matches!(previous, "+" | "-" | "*" | "/" | "..")
        {
            return Some(
                Diagnostic::error(
                    Code::E0101,
                    format!("a value is missing between `{previous}` and `{found}`"),
                )
                .at(self.place, ""),
            );
        }

        // The lines of a ruleset that are not indented: its `let` began an item.
        let in_item = matches!(
            self.rule,
            Rule::item_let
                | Rule::item_position
                | Rule::item_use
                | Rule::item_eval
                | Rule::item_assert
                | Rule::item_claim
        );
        if in_item
            && self.first_on_line()
            && (self.source.opens_clause(self.tokens, self.next)
                || STAGE_WORDS.contains(&found) && self.kind(0) == Some(TokenKind::Keyword))
        {
            return Some(
                Diagnostic::error(Code::E0102, format!("`{found}` belongs in a ruleset"))
                    .at(self.place, "no ruleset is open here")
                    .suggest(self.indented())
                    .note("a word such as `let` in column 1 begins an item of its own"),
            );
        }
        if found == ";" && matches!(self.rule, Rule::item_let | Rule::item_ruleset) {
            return Some(
                Diagnostic::error(Code::E0101, "definitions are separated by `,`")
                    .at(self.place, "")
                    .suggest(Suggestion::replace(self.place, ",", "write `,`").safe()),
            );
        }
        // A claim without its colon, an expression with two operands in a row.
        if self.expects(&[Rule::colon])
            && !self.expects(&[Rule::kw_in])
            && !wants_operand
            && !in_ruleset
            && self.query_without_colon()
        {
            let d = Diagnostic::error(Code::E0101, "a `:` must stand before what is claimed")
                .at(self.place, "");
            let last = self.word(-1);
            let help = format!("write `{last}: {found}`, as in `claim \"name\" for k in 1..5: ..`");
            // Before a sign something else is missing, too.
            return Some(match found.starts_with(['=', '<', '>', '!']) {
                true => d.help("as in `claim \"name\" for k in 1..5: ..`"),
                false => d.suggest(Suggestion::after(self.before(), ":", help).safe()),
            });
        }
        if found == "|" && self.expects_operator() {
            return Some(
                Diagnostic::error(Code::E0101, "`|` stands only in braces, or in drawn art")
                    .at(self.place, "")
                    .help(if self.kind(-1) == Some(TokenKind::Text) {
                        "the rows of drawn art stand in one string: \"x.o|...\""
                    } else {
                        "a condition in a comprehension follows `where`, or `:` in {x in S: phi}"
                    }),
            );
        }
        if self.rule == Rule::item_table && previous == "table" {
            return Some(
                Diagnostic::error(Code::E0101, "a table runs `for` something")
                    .at(self.place, "")
                    .help("table for m in 1..4, n in 1..4: .."),
            );
        }
        if matches!(found, "if" | "else") && self.kind(0) == Some(TokenKind::Keyword) {
            return Some(
                Diagnostic::error(Code::E0101, format!("`{found}` cannot stand here"))
                    .at(self.place, "")
                    .help("an expression with two cases is `if φ then a else b`; an effect with a condition is `effect when φ`"),
            );
        }
        if found == "if" || found == "else" || found == "while" || found == "return" {
            return Some(
                Diagnostic::error(Code::E0101, format!("there is no `{found}` in the language"))
                    .at(self.place, "")
                    .help("conditions stand after `where`; where the file says `language 2`, there is `if φ then a else b`"),
            );
        }
        None
    }

    /// Indents the lines of this item into the ruleset above it.
    fn indented(&self) -> Suggestion {
        let mut fix = Suggestion::before(self.source.span(), "  ", "indent the lines of a ruleset");
        for (i, token) in self.tokens.iter().enumerate().skip(1).take(400) {
            let at = token.start as usize;
            let column_one = at > 0 && self.source.text.as_bytes()[at - 1] == b'\n';
            if column_one && self.source.opens_clause(self.tokens, i) {
                fix = fix.and_before(self.source.span_of(*token), "  ");
            }
        }
        fix
    }

    fn expects_operator(&self) -> bool {
        self.expects(&[Rule::plus, Rule::minus, Rule::times, Rule::dots])
    }

    fn expects_no_operator(&self) -> bool {
        !self.expects_operator()
    }

    /// Whether a move has begun before the place, with no other clause in between.
    fn in_move(&self) -> bool {
        let opens = |i: &usize| {
            let keyword = self.tokens[*i].kind == TokenKind::Keyword
                && CLAUSE_WORDS.contains(&self.source.slice(self.tokens[*i]));
            keyword || self.source.opens_clause(self.tokens, *i)
        };
        let last = (0..self.next.min(self.tokens.len())).rev().find(opens);
        last.is_some_and(|i| self.source.slice(self.tokens[i]) == "move")
    }

    /// The last keyword before the place.
    fn last_keyword(&self) -> Option<&str> {
        self.keywords_back().next()
    }

    fn keywords_back(&self) -> impl Iterator<Item = &str> {
        self.tokens[..self.next.min(self.tokens.len())]
            .iter()
            .rev()
            .filter(|t| t.kind == TokenKind::Keyword)
            .map(|t| self.source.slice(*t))
    }

    /// Whether an effect is here: its keyword, or its sign before the next keyword.
    fn effect_ahead(&self) -> bool {
        matches!(self.word(0), "remove" | "keep" | "each")
            || self.tokens[self.next.min(self.tokens.len())..]
                .iter()
                .take_while(|t| t.kind != TokenKind::Keyword)
                .any(|t| matches!(self.source.slice(*t), ":=" | "+=" | "-=" | "->" | "→"))
    }

    fn query_without_colon(&self) -> bool {
        matches!(
            self.rule,
            Rule::item_claim | Rule::item_refute | Rule::item_table
        ) && !self.tokens[..self.next.min(self.tokens.len())]
            .iter()
            .any(|t| self.source.slice(*t) == ":")
    }
}

/// The names of the rules in a message, joined: "`,`, `)` or an operator".
fn words(expected: &[Rule]) -> String {
    let mut out: Vec<&str> = Vec::new();
    for rule in expected {
        if let Some(word) = called(*rule)
            && !out.contains(&word)
        {
            out.push(word);
        }
    }
    // Many things can follow a value: name the likely ones.
    if out.contains(&"an operator") {
        out.retain(|w| {
            !matches!(
                *w,
                "`in`" | "`=`" | "`:`" | "`(`" | "a string in quotes" | "`->`" | "`--`"
            )
        });
    }
    if out.contains(&"a value") || out.contains(&"an entry of the board") {
        out.retain(|w| *w != "an operator");
    }
    out.sort_by_key(|w| (!w.starts_with('a'), *w == "an operator"));
    if out.len() > 7 {
        out.truncate(7);
    }
    match out.as_slice() {
        [] => String::new(),
        [one] => (*one).to_string(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// The keyword of a keyword rule.
fn keyword(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::kw_ruleset => "ruleset",
        Rule::kw_from => "from",
        Rule::kw_program => "program",
        Rule::kw_board | Rule::board_clause => "board",
        Rule::kw_acyclic => "acyclic",
        Rule::kw_rooted | Rule::rooted => "rooted",
        Rule::kw_at => "at",
        Rule::kw_players | Rule::players_clause => "players",
        Rule::kw_pieces | Rule::pieces_clause => "pieces",
        Rule::kw_on | Rule::on_edges => "on",
        Rule::kw_edges => "edges",
        Rule::kw_state | Rule::state_clause => "state",
        Rule::kw_let | Rule::let_clause => "let",
        Rule::kw_play | Rule::play_clause => "play",
        Rule::kw_move | Rule::move_clause => "move",
        Rule::kw_when | Rule::when => "when",
        Rule::kw_if | Rule::conditional => "if",
        Rule::kw_else => "else",
        Rule::kw_with | Rule::inherited => "with",
        Rule::kw_claims => "claims",
        Rule::kw_without | Rule::without_clause => "without",
        Rule::kw_by => "by",
        Rule::kw_choose | Rule::choose => "choose",
        Rule::kw_where | Rule::given | Rule::entry_where => "where",
        Rule::kw_then | Rule::effects => "then",
        Rule::kw_for | Rule::entry_for | Rule::comprehension | Rule::ranges => "for",
        Rule::kw_in => "in",
        Rule::kw_first => "first",
        Rule::kw_eval => "eval",
        Rule::kw_assert => "assert",
        Rule::kw_claim => "claim",
        Rule::kw_refute => "refute",
        Rule::kw_table => "table",
        Rule::kw_search => "search",
        Rule::kw_ask => "ask",
        Rule::kw_expect | Rule::expected => "expect",
        Rule::kw_seal | Rule::sealed => "seal",
        Rule::kw_hint | Rule::hints => "hint",
        Rule::kw_owns => "owns",
        Rule::kw_and => "and",
        Rule::kw_or => "or",
        Rule::kw_mod => "mod",
        Rule::kw_div => "div",
        _ => return None,
    })
}

/// The name of a rule in a message; `None` for rules that need no mention.
fn called(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::name | Rule::path | Rule::label => "a name",
        Rule::owner => "a player",
        Rule::pattern | Rule::binder | Rule::binders => "a binder (x in S)",
        Rule::parameter => "a parameter",
        Rule::binding => "a definition (name = ..)",
        Rule::sort | Rule::sort_list | Rule::sort_set => "a sort (nat, piece, vertex, ..)",
        Rule::integer => "a number",
        Rule::string => "a string in quotes",
        Rule::expr
        | Rule::operand
        | Rule::plain_expr
        | Rule::sum_expr
        | Rule::conditions
        | Rule::plain_conditions
        | Rule::argument => "a value",
        Rule::chain | Rule::entries | Rule::entry_group => "an entry of the board",
        Rule::effect => "an effect",
        Rule::stage => "`choose`, `where` or `then`",
        Rule::piece_decl => "a piece",
        Rule::state_group | Rule::state_name => "a state variable",
        Rule::play_name => "`misere`, `stuck-draws`, `last-wins` or `elimination`",
        Rule::renewal => "a name with its next value (a = ..)",
        Rule::comma => "`,`",
        Rule::semicolon => "`;`",
        Rule::colon => "`:`",
        Rule::is => "`=`",
        Rule::assign => "`:=`, `+=` or `-=`",
        Rule::paren_open => "`(`",
        Rule::paren_close => "`)`",
        Rule::bracket_close => "`]`",
        Rule::brace_close => "`}`",
        Rule::bars => "`|`",
        Rule::kw_by => "`by`",
        Rule::kw_where | Rule::given | Rule::entry_where => "`where`",
        Rule::kw_then | Rule::effects => "`then`",
        Rule::kw_choose | Rule::choose => "`choose`",
        Rule::kw_for | Rule::entry_for | Rule::comprehension | Rule::ranges => "`for`",
        Rule::kw_from | Rule::source => "`from`",
        Rule::kw_expect | Rule::expected => "`expect`",
        Rule::kw_seal | Rule::sealed => "`seal`",
        Rule::kw_hint | Rule::hints => "`hint`",
        Rule::kw_at => "`at`",
        Rule::kw_edges => "`edges`",
        Rule::kw_else => "`else`",
        Rule::kw_in => "`in`",
        Rule::kw_with | Rule::inherited => "`with`",
        Rule::left_out => "what is left out (move jump, let f, win)",
        Rule::plus
        | Rule::minus
        | Rule::times
        | Rule::slash
        | Rule::power
        | Rule::dots
        | Rule::plus_minus
        | Rule::equal
        | Rule::is_not
        | Rule::less
        | Rule::less_eq
        | Rule::greater
        | Rule::greater_eq
        | Rule::kw_and
        | Rule::kw_or
        | Rule::kw_mod
        | Rule::kw_div
        | Rule::kw_owns
        | Rule::sides
        | Rule::not_in => "an operator",
        Rule::arrow => "`->`",
        Rule::line => "`--`",
        Rule::EOI => "the end of the item",
        Rule::board_clause
        | Rule::players_clause
        | Rule::pieces_clause
        | Rule::state_clause
        | Rule::fixed_clause
        | Rule::let_clause
        | Rule::play_clause
        | Rule::won_clause
        | Rule::drawn_clause
        | Rule::endless_clause
        | Rule::score_clause
        | Rule::without_clause
        | Rule::move_clause => "a clause (board, pieces, move, ..)",
        _ => return None,
    })
}
