//! `cgdsl play`: a game at the terminal. Reads lines; prints the board, the moves of perfect play, hints, and the reasons why
//! a move is illegal. Without a terminal, the lines are echoed, so that a transcript is readable.

use super::args::Play as Arguments;
use super::guard::Guard;
use super::lines::{Lines, Typed};
use super::run::Run;
use crate::game::{Cancel, Player};
use crate::report::{draw, why as why_text, why_short};
use crate::session::play::{
    Advice, Choice, ForbiddenBy, Play, Prospect, Reading, Reason, Standing,
};
use crate::session::{Disk, Session, read_regular};
use std::io::Write;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The longest saved game, in bytes.
const LONGEST: u64 = 16 << 20;
/// The most moves that are listed.
const LISTED: usize = 60;

/// The first line of a saved game. Its last line is a checksum of the text before it.
const SAVED: &str = "cgdsl game 2";
/// The first line of a game that was typed, or saved by an earlier version; it needs no checksum.
const TYPED: &str = "cgdsl game 1";
/// The beginning of the checksum line.
const SUM: &str = "# checksum ";

const HELP: &str = "\
  a move by what is chosen, such as `1 1`, or by its number in the list, `#3`
  moves      list the moves
  hint       a hint; ask again for a clearer one (four steps)
  why        what the position is worth, and why
  undo       take back your last move
  save FILE  save the game, to go on with it later
  quit       end
";

/// What can be done after a game is over.
const OVER: &str =
    "`undo` goes back, `why` says where it was decided, `save FILE` keeps it, `quit` ends";

/// The current game, and the command that continues it, for Ctrl-C.
static KEPT: Mutex<Option<(String, String)>> = Mutex::new(None);

/// Saves the game in a file with a new name, and returns a message; empty if no move was made.
fn keep() -> String {
    let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner).take();
    kept.map_or_else(String::new, |(text, command)| match kept_in(&text) {
        Some(path) => format!("saved in {path}; this goes on with it:\n  {command} {path}\n"),
        None => format!("the game could not be saved here; it was\n{text}"),
    })
}

/// Makes Ctrl-C end a game as `quit` does, and save it.
fn keep_at_ctrl_c() {
    let _ = ctrlc::set_handler(|| {
        // Nobody may be there to read it.
        let said = format!("\n{}", keep());
        let _ = std::io::stdout().lock().write_all(said.as_bytes());
        std::process::exit(0);
    });
}

/// Searches for at most this time. What is found then says that a limit was met.
fn within<T>(time: Option<Duration>, token: Cancel, search: impl FnOnce() -> T) -> T {
    let Some(time) = time else {
        return search();
    };
    let (done, waits) = channel::<()>();
    let found = std::thread::scope(|scope| {
        let token = &token;
        scope.spawn(move || {
            // An error says that the sender was dropped, so the search has ended.
            if waits.recv_timeout(time) == Err(RecvTimeoutError::Timeout) {
                token.skip(true);
            }
        });
        let found = search();
        drop(done);
        found
    });
    token.skip(false);
    found
}

/// An argument, quoted for the shell.
pub(super) fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=+,%@".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', "'\\''"))
}

/// The command that continues a saved game, without the name of its file.
fn going_on(args: &Arguments) -> String {
    let mut command = format!(
        "cgdsl play {} {}",
        quoted(&args.file),
        quoted(&args.position)
    );
    for name in &args.human {
        command.push_str(&format!(" --human {}", quoted(name)));
    }
    if let Some(name) = &args.first {
        command.push_str(&format!(" --first {}", quoted(name)));
    }
    if args.misere {
        command.push_str(" --misere");
    }
    command.push_str(" --replay");
    command
}

/// Writes into the first of `game-1.txt`, `game-2.txt`, .. that does not exist.
fn kept_in(text: &str) -> Option<String> {
    for n in 1..1000 {
        let path = format!("game-{n}.txt");
        let made = std::fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path);
        match made {
            Ok(mut file) => return file.write_all(text.as_bytes()).ok().map(|()| path),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(_) => return None,
        }
    }
    None
}

/// Which players are human, and the number of hints given at this position.
struct Seats {
    people: Vec<Player>,
    hints: usize,
}

impl Run<'_> {
    fn board(&mut self, play: &Play) {
        let lines = match play.figure() {
            Ok(figure) => draw::numbered(&figure, self.output.look().color),
            Err(_) => vec![crate::claim::card::picture(play.position()).text],
        };
        let mut text = String::from("\n");
        for line in lines {
            text.push_str(&format!("    {line}\n"));
        }
        text.push('\n');
        self.output.text(&text);
    }

    /// Finds a player by name.
    fn seat(&mut self, play: &Play, name: &str) -> Option<Player> {
        let players = play.players();
        let found = players
            .iter()
            .copied()
            .find(|p| play.name(*p).eq_ignore_ascii_case(name));
        if found.is_none() {
            let names: Vec<String> = players.iter().map(|p| play.name(*p)).collect();
            self.output.error(&format!(
                "no player is called `{name}`; here play {}",
                names.join(", ")
            ));
        }
        found
    }

    /// `cgdsl play`
    pub fn play(&mut self, args: &Arguments) -> u8 {
        if args.file == "-" {
            self.output
                .error("the standard input is for the moves: name a file");
            return 2;
        }
        let world = Disk;
        // A game that has to end is saved, as with Ctrl-C.
        let guard = Guard::of_conversation(self.common.memory, || {});
        guard.say(|_| format!("\n{}", keep()));
        self.guard = Some(guard);
        let mut session = Session::new(&world, self.settings(false));
        let (loaded, position) = match self.one_position(&mut session, &args.file, &args.position) {
            Ok(found) => found,
            Err(plain) => return self.failed("cgdsl/error/1", plain),
        };
        if self.output.json {
            self.output
                .error("a game is a conversation: it has no JSON; `moves`, `why` and `eval` have");
            return 2;
        }
        let names: Vec<String> = (0..position.players())
            .map(|p| position.player_name(Player(p)).to_string())
            .collect();
        let first = match &args.first {
            None => Player(0),
            Some(name) => match names.iter().position(|n| n.eq_ignore_ascii_case(name)) {
                Some(i) => Player(u8::try_from(i).unwrap_or(0)),
                None => {
                    self.output.error(&format!(
                        "no player is called `{name}`; here play {}",
                        names.join(", ")
                    ));
                    return 2;
                }
            },
        };
        let mut play = match session.play(&loaded, &position, first, args.misere) {
            Ok(play) => play,
            Err(d) => {
                let plain = self.complain(&session, &[d]);
                return self.failed("cgdsl/error/1", plain);
            }
        };
        let mut seats = Seats {
            people: Vec::new(),
            hints: 0,
        };
        for name in &args.human {
            match self.seat(&play, name) {
                Some(p) => seats.people.push(p),
                None => return 2,
            }
        }
        if seats.people.is_empty() {
            seats.people.push(first);
        }
        if let Some(path) = &args.replay
            && let Err(why) = self.replay(&session, &mut play, path)
        {
            self.output.error(&format!("{path}: {why}"));
            return 2;
        }
        let sitting: Vec<String> = seats.people.iter().map(|p| play.name(*p)).collect();
        let engines: Vec<String> = play
            .players()
            .into_iter()
            .filter(|p| !seats.people.contains(p))
            .map(|p| play.name(p))
            .collect();
        let mut intro = format!("You play {}", sitting.join(" and "));
        if !engines.is_empty() {
            let plays = if engines.len() == 1 { "plays" } else { "play" };
            intro.push_str(&format!("; {} {plays} perfectly", engines.join(" and ")));
        }
        if play.is_misere() {
            intro.push_str(". Whoever makes the last move loses");
        }
        self.output
            .line(&format!("{intro}. `help` shows what can be said."));
        keep_at_ctrl_c();
        self.converse(&session, &mut play, &mut seats, args)
    }

    /// Plays until the game is over or the input ends.
    fn converse(
        &mut self,
        session: &Session<'_>,
        play: &mut Play,
        seats: &mut Seats,
        args: &Arguments,
    ) -> u8 {
        let mut shown = usize::MAX;
        let mut lines = Lines::new(false, self.cancel.clone());
        loop {
            if self.output.is_closed() {
                return 0;
            }
            if shown != play.made().len() {
                let kept = (!play.made().is_empty()).then(|| (saved(play, args), going_on(args)));
                *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = kept;
                self.board(play);
                shown = play.made().len();
                seats.hints = 0;
                if let Some(points) = play.points() {
                    self.output.line(&format!("The score is {points}."));
                }
                match play.standing() {
                    Standing::Won(winner) => {
                        let name = play.name(*winner);
                        self.output.line(&format!("{name} has won. {OVER}."));
                    }
                    Standing::Lost(loser) => {
                        let name = play.name(*loser);
                        self.output.line(&format!(
                            "{name} has lost, and the others have won. {OVER}."
                        ));
                    }
                    Standing::Drawn => self.output.line(&format!("It is a draw. {OVER}.")),
                    Standing::ToMove(_) if play.repetitions() > 0 => {
                        self.output
                            .line("This position came before, with the same player to move.");
                    }
                    Standing::ToMove(_) => {}
                }
            }
            let mover = match play.standing() {
                Standing::ToMove(mover) => Some(*mover),
                _ => None,
            };
            if let Some(mover) = mover
                && !seats.people.contains(&mover)
            {
                match within(self.common.time, play.token(), || play.advise()) {
                    Ok(Some(advice)) => {
                        let note = match &advice.reason {
                            Reason::Unknown(_) => "  (without knowing: a limit was met)",
                            _ => "",
                        };
                        let line =
                            format!("{} plays {}{note}", play.name(mover), advice.choice.text);
                        self.output.line(&line);
                        if let Err(d) = play.make(&advice.choice) {
                            self.complain(session, &[d]);
                            return 2;
                        }
                    }
                    Ok(None) => return 0,
                    Err(d) => {
                        self.complain(session, &[d]);
                        return 2;
                    }
                }
                continue;
            }
            let prompt = mover.map_or("> ".to_owned(), |p| format!("{}> ", play.name(p)));
            let line = match lines.read(self.output, &prompt) {
                Typed::Line(line) => line,
                Typed::End => return 0,
                Typed::Stop => {
                    self.output.text(&keep());
                    return 0;
                }
            };
            let (word, rest) = line
                .trim()
                .split_once(char::is_whitespace)
                .unwrap_or((line.trim(), ""));
            match word {
                "" => {}
                "quit" | "exit" | "q" => return 0,
                "help" | "?" if mover.is_none() => self.output.line(OVER),
                "help" | "?" => self.output.text(HELP),
                "undo" => {
                    if !play.undo(&seats.people) {
                        self.output.line("there is nothing to take back");
                    }
                }
                "save" => self.save(play, rest.trim(), args),
                "why" if mover.is_none() => {
                    within(self.common.time, play.token(), || self.decided(session, play));
                }
                // The game has no more moves.
                _ if mover.is_none() => self.output.line(&format!("The game is over: {OVER}.")),
                "moves" => within(self.common.time, play.token(), || self.list(session, play)),
                "hint" => {
                    seats.hints += 1;
                    self.hint(session, play, seats.hints);
                }
                "why" if play.is_misere() => self
                    .output
                    .line("values speak of normal play, where the last to move wins; here `hint` tells who wins"),
                "why" => match within(self.common.time, play.token(), || play.why()) {
                    Ok(found) => {
                        let text = why_text(&found, self.output.look());
                        self.output.text(&text);
                        let short = why_short(&found);
                        self.output.line(&format!("In short: {short}"));
                    }
                    Err(d) => {
                        self.complain(session, &[d]);
                    }
                },
                _ => self.attempt(session, play, line.trim()),
            }
        }
    }

    /// Tries to make a move as typed.
    fn attempt(&mut self, session: &Session<'_>, play: &mut Play, text: &str) {
        let time = self.common.time;
        match within(time, play.token(), || self.understand(session, play, text)) {
            Ok(choice) => {
                if let Err(d) = play.make(&choice) {
                    self.complain(session, &[d]);
                }
            }
            Err(why) => self.output.text(&why),
        }
    }

    /// The move that is meant, or the message to print.
    fn understand(
        &mut self,
        session: &Session<'_>,
        play: &Play,
        text: &str,
    ) -> Result<Choice, String> {
        let told = |d: &crate::diagnostic::Diagnostic| format!("{}\n", d.message);
        // `#n` is a number in the list, even where sites are numbered.
        if let Some(n) = text
            .strip_prefix('#')
            .and_then(|n| n.trim().parse::<usize>().ok())
        {
            let moves = play.first_moves(n).map_err(|d| told(&d))?;
            let found = n.checked_sub(1).and_then(|i| moves.get(i)).cloned();
            return found.ok_or_else(|| format!("there are {} moves\n", moves.len()));
        }
        let read = play.read(text).map_err(|d| told(&d))?;
        let place = |span: crate::base::Span| {
            let sources = session.sources();
            let at = sources.get(span.file).map_or_else(String::new, |s| {
                let before = s.text.get(..span.range().start).unwrap_or("");
                let line = before.matches('\n').count() + 1;
                format!("  ({}, line {line})", s.name)
            });
            let rule: Vec<&str> = sources.slice(span).split_whitespace().collect();
            format!("{}{at}", rule.join(" "))
        };
        match read {
            Reading::Move(choice) => Ok(choice),
            Reading::Forbidden { text, span, kind } => {
                let what = match kind {
                    ForbiddenBy::Condition => "does not hold",
                    ForbiddenBy::Effect => "cannot happen: it would leave less than nothing",
                    ForbiddenBy::Place => "is off the board, or on a cell that is gone",
                    ForbiddenBy::Answer => {
                        "does not answer the last move: this must be done in a heap marked with `!`"
                    }
                    ForbiddenBy::Stuck => {
                        "is legal, but play has ended, since one of the players cannot move"
                    }
                };
                Err(format!(
                    "That is not a move: with {text} this {what}:\n    {}\n",
                    place(span)
                ))
            }
            Reading::Several(all) => {
                let mut text = String::from("Which of these?\n");
                for choice in all.iter().take(LISTED) {
                    text.push_str(&format!("    {}\n", choice.text));
                }
                Err(text)
            }
            reading @ (Reading::Gone(_) | Reading::Unknown(_)) => {
                // A plain number is an index in the list if it is not a move.
                if let Ok(n) = text.parse::<usize>() {
                    let moves = play.moves().map_err(|d| told(&d))?;
                    if let Some(choice) = n.checked_sub(1).and_then(|i| moves.get(i)) {
                        return Ok(choice.clone());
                    }
                }
                let mut text = match &reading {
                    Reading::Gone(name) => format!("{name} is no longer there.\n"),
                    _ => format!("Nothing that can be chosen is called `{text}`. The rule is\n"),
                };
                if let Reading::Unknown(spans) = reading {
                    for span in spans {
                        text.push_str(&format!("    {}\n", place(span)));
                    }
                }
                text.push_str("`moves` lists the moves.\n");
                Err(text)
            }
        }
    }

    fn list(&mut self, session: &Session<'_>, play: &Play) {
        match play.moves() {
            Ok(all) => {
                let mut text = String::new();
                for (i, choice) in all.iter().enumerate().take(LISTED) {
                    text.push_str(&format!("{:>4}  {}\n", i + 1, choice.text));
                }
                if all.len() > LISTED {
                    text.push_str(&format!("      and {} more\n", all.len() - LISTED));
                }
                self.output.text(&text);
            }
            Err(d) => {
                self.complain(session, &[d]);
            }
        }
    }

    /// Hints: who wins, in which component, by which move, and why; one step more each time.
    fn hint(&mut self, session: &Session<'_>, play: &Play, step: usize) {
        let advice = match within(self.common.time, play.token(), || play.advise()) {
            Ok(Some(advice)) => advice,
            Ok(None) => return,
            Err(d) => {
                self.complain(session, &[d]);
                return;
            }
        };
        let line = match step {
            1 => match &advice.prospect {
                Some(Prospect::Wins) => "You are winning, if you find the move.".to_owned(),
                Some(Prospect::Loses(p)) => {
                    format!(
                        "{} wins against perfect play; every move here loses.",
                        play.name(*p)
                    )
                }
                Some(Prospect::Drawn) => "Nobody can force a win: hold the draw.".to_owned(),
                Some(Prospect::Queer) => "Nobody can force a win alone.".to_owned(),
                None => "That is not known: a limit was met.".to_owned(),
            },
            2 => match (&advice.part, advice.parts) {
                (Some(part), n) => format!("Of {n} independent parts, look at {part}"),
                (None, 0 | 1) => "The position is of one piece: look at the whole.".to_owned(),
                (None, n) => {
                    format!("There are {n} independent parts; the move touches more than one.")
                }
            },
            3 => format!("Play {}", advice.choice.text),
            _ => because(play, &advice),
        };
        self.output.line(&line);
    }

    /// Says where a finished game was decided.
    fn decided(&mut self, session: &Session<'_>, play: &mut Play) {
        let winner = match play.standing() {
            Standing::Won(winner) => play.name(*winner),
            _ => return,
        };
        match play.mistake() {
            Ok(Some((made, advice))) => {
                let who = made.split(": ").next().unwrap_or_default().to_owned();
                self.output.line(&format!("{made} gave the game away."));
                self.output.line(&format!(
                    "{who} was winning there by {}. {}",
                    advice.choice.text,
                    because(play, &advice)
                ));
            }
            Ok(None) => self.output.line(&format!(
                "No move of the others gave the game away: {winner} was never losing."
            )),
            Err(d) => {
                self.complain(session, &[d]);
            }
        }
    }

    fn save(&mut self, play: &Play, path: &str, args: &Arguments) {
        if path.is_empty() {
            self.output.line("say where: save FILE");
            return;
        }
        if self.output.write(path, saved(play, args)) {
            self.output.line(&format!(
                "saved in {path}; this goes on with it:\n  {} {}",
                going_on(args),
                quoted(path)
            ));
        }
    }

    /// Makes the moves of a saved game, all of which must be legal.
    fn replay(&mut self, session: &Session<'_>, play: &mut Play, path: &str) -> Result<(), String> {
        let bytes = read_regular(path, LONGEST).map_err(|why| why.to_string())?;
        let text = String::from_utf8(bytes).map_err(|_| "this is not a text".to_owned())?;
        sound(&text)?;
        let lines = text.lines().enumerate().skip(1);
        for (n, line) in lines {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let broken = |why: &str| format!("line {}: {why}", n + 1);
            let Standing::ToMove(mover) = play.standing().clone() else {
                return Err(broken("the game is over before this move"));
            };
            let own = play.name(mover);
            let rest = line
                .strip_prefix(&own)
                .and_then(|l| l.strip_prefix(':'))
                .ok_or_else(|| broken(&format!("it is {own} who moves")))?;
            let choice = self
                .understand(session, play, rest.trim())
                .map_err(|why| broken(why.trim_end()))?;
            play.make(&choice).map_err(|d| broken(&d.message))?;
            self.output.line(line);
        }
        Ok(())
    }
}

/// A game as a file.
fn saved(play: &Play, args: &Arguments) -> String {
    let mut text = format!("{SAVED}\n");
    text.push_str(&format!(
        "# {} {}{}\n",
        args.file,
        args.position.replace('\n', " "),
        if args.misere { " --misere" } else { "" }
    ));
    for line in play.made() {
        text.push_str(&line);
        text.push('\n');
    }
    let sum = crc32fast::hash(text.as_bytes());
    text.push_str(&format!("{SUM}{sum:08x}\n"));
    text
}

/// Checks that a saved game is as it was saved.
fn sound(text: &str) -> Result<(), String> {
    let first = text.lines().next().map(str::trim);
    let end = text.trim_end();
    let last = end.rfind('\n').map_or(0, |at| at + 1);
    match (first, end[last..].strip_prefix(SUM)) {
        (Some(SAVED | TYPED), Some(sum)) => {
            let found = crc32fast::hash(&text.as_bytes()[..last]);
            let same = u32::from_str_radix(sum.trim(), 16) == Ok(found);
            same.then_some(()).ok_or_else(|| {
                format!(
                    "line {}: the checksum is not that of the lines before it, so the game was changed after it was \
                     saved; to replay it all the same, remove this line and make the first `{TYPED}`",
                    text[..last].lines().count() + 1
                )
            })
        }
        (Some(TYPED), None) => Ok(()),
        (Some(SAVED), None) => {
            Err("its end is missing: the last line of a saved game is its checksum".to_owned())
        }
        _ => Err("this is not a saved game".to_owned()),
    }
}

/// Why a move is recommended.
fn because(play: &Play, advice: &Advice) -> String {
    match &advice.reason {
        Reason::NimSum(all) => {
            let all: Vec<String> = all.iter().map(ToString::to_string).collect();
            format!("It makes the nim-sum 0: {} = 0.", all.join(" xor "))
        }
        Reason::Mirror(a, b) => format!(
            "It leaves {a} and {b}, which are each other's negatives: whatever is done in one, answer in the other."
        ),
        Reason::Number(v) => format!(
            "It leaves {v}, a number: whoever has to move in a number only loses by it, and {v} is enough for you."
        ),
        Reason::Reversal(before, v) => format!(
            "It reverses the last move: it leaves {v}, at least as good for you as {before}, which was there before."
        ),
        Reason::Value(v) => {
            format!(
                "It leaves {v}: who has to move there cannot win. `why` after the move says more."
            )
        }
        Reason::WinsIn(1) => "It wins at once.".to_owned(),
        Reason::WinsIn(n) => {
            format!("After it you can force a win within {n} moves, whatever the other does.")
        }
        Reason::LosesIn(n) => {
            format!(
                "Nothing wins; after this move the other needs {n} moves to win, if he plays well."
            )
        }
        Reason::Draws => {
            "Nothing wins, and after this move the other cannot force a win.".to_owned()
        }
        Reason::Wins if play.players().len() == 2 => {
            "After it you can force a win, whatever the other does.".to_owned()
        }
        Reason::Wins => "After it you can force a win, whatever the others do.".to_owned(),
        Reason::Hardest(n) => match play.standing() {
            Standing::ToMove(_) if *n == 1 => {
                "Nothing wins; after this move only one reply of the other does.".to_owned()
            }
            Standing::ToMove(_) if *n > 1 => {
                format!(
                    "Nothing wins; after this move the other has to find one of {n} winning replies."
                )
            }
            _ => "Nothing is sure to win.".to_owned(),
        },
        Reason::Unknown(limit) => format!("That is not known: {limit}."),
    }
}
