//! Rules whose state is a few integers, compiled: in come a ruleset without a board and the settings of a position; out come
//! the options of packed states. It is for rules that are not ground because a variable has too many values
//! ([`crate::ir::ground`]).
//!
//! The code of a move is its typed tree with names resolved to registers and variables, and what does not depend on the
//! position evaluated once. It follows the plain evaluator ([`crate::ir::naive`]) step by step: the same loops, then the
//! conditions, then the effects, which all read the state before them. It is partial: where the plain evaluator would report
//! a fault, where a number does not fit a machine word or a state does not fit its fields, and after too many steps, it gives
//! up, and the plain evaluator is asked for this position. So it need not know any fault, and an answer that it does give is
//! the plain evaluator's.

mod compiler;
mod run;

use super::Packed;
use super::settings::{Planted, Settings};
use crate::game::Player;
use crate::ir::{Int, Setting, State, Val};
use crate::model::typed::{Builtin, By, Fold, Model, Op};
use compiler::{Compiler, kind, number};
use run::Run;

/// The most variables of a state.
const MOST_VARS: usize = 8;
/// The most elements of a set that is written into the code, or of one that is folded.
const MOST_ELEMENTS: usize = 1 << 16;
/// The most steps and the most options at one position; the plain evaluator then says what there is to say. The same number of
/// steps may be taken while a ruleset is compiled.
const MOST_STEPS: u64 = 1 << 22;
const MOST_OPTIONS: usize = 1 << 20;

/// The values of the variables.
type Vars = [i64; MOST_VARS];

/// What an integer of the code stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Int,
    Nat,
    Bool,
    Player,
}

/// An expression; truth values are 0 and 1, players their numbers.
#[derive(Debug)]
enum Code {
    Constant(i64),
    Register(usize),
    Variable(usize),
    Negative(Box<Code>),
    Not(Box<Code>),
    And(Box<Code>, Box<Code>),
    Or(Box<Code>, Box<Code>),
    Binary(Op, Box<Code>, Box<Code>),
    If(Box<Code>, Box<Code>, Box<Code>),
    /// x in from..to
    Between(Box<Code>, Box<Code>, Box<Code>),
    /// x in a set or list, sorted.
    Member(Box<Code>, Box<[i64]>),
    /// Whether some choice meets all conditions; the flag says what the answer then is.
    Some(Box<[Loop]>, Box<[Code]>, bool),
    Builtin(Builtin, Box<[Code]>),
    /// A fold over the choices that meet all conditions.
    Fold(Fold, Box<[Loop]>, Box<[Code]>, Box<Code>),
    /// A fold over elements written out.
    FoldOf(Fold, Box<[Code]>),
    /// A function: its arguments with their registers, and whether each must be natural; then its body.
    Call(Box<[(usize, bool, Code)]>, Box<Code>),
}

/// What a variable of a choice runs through.
#[derive(Debug)]
enum Through {
    Range(Code, Code),
    /// The elements, one after the other; of tuples, their parts.
    List(Box<[i64]>),
    One(Code),
}

/// One binder.
#[derive(Debug)]
struct Loop {
    /// The registers of its names, and whether a name is bound already, so that its value must be met.
    names: Box<[(usize, bool)]>,
    through: Through,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Write {
    Set,
    Add,
    Subtract,
}

/// A write to one variable for each choice that meets the conditions.
#[derive(Debug)]
struct Effects {
    loops: Box<[Loop]>,
    conditions: Box<[Code]>,
    inner: Inner,
}

#[derive(Debug)]
enum Inner {
    Write(usize, Write, Code),
    Effects(Box<Effects>),
}

#[derive(Debug)]
struct Stage {
    loops: Box<[Loop]>,
    conditions: Box<[Code]>,
    effects: Box<[Effects]>,
    /// Whether the effects write each variable at most once and without choices.
    straight: bool,
}

/// A move as one player makes it.
#[derive(Debug)]
struct Made {
    stages: Box<[Stage]>,
    /// Whether its player moves again.
    again: Code,
}

/// Compiled rules.
#[derive(Debug)]
pub(super) struct Integers {
    kinds: Vec<Kind>,
    /// The variables in a word of a packed state are 2 to this power: up to two variables take one word, and more take two.
    halvings: u32,
    registers: usize,
    /// For each player, the moves that he may make.
    moves: Vec<Vec<Made>>,
    /// A planted mistake: all stages read the state at the start of the move.
    stale: bool,
}

/// There is no answer here; the plain evaluator has one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GivesUp;

type Found<T> = Result<T, GivesUp>;

impl Integers {
    /// Compiles the rules of a setting; `None` where they are not of this kind.
    pub fn new(model: &Model, setting: &Setting, settings: &Settings) -> Option<Integers> {
        let instance = &setting.instance;
        let rules = &instance.rules;
        let vars = setting.layout.len();
        let plain = setting.board.sites() == 0
            && !setting.board.kind.has_heaps()
            && !instance.dicotic
            && !rules.entails();
        if !plain || !(1..=MOST_VARS).contains(&vars) {
            return None;
        }
        let kinds = (0..vars)
            .map(|var| kind(setting, var))
            .collect::<Option<_>>()?;
        let players = u8::try_from(instance.players.len()).ok()?;
        let mut compiler = Compiler::new(model, setting);
        let mut moves: Vec<Vec<Made>> = Vec::new();
        for player in 0..players {
            let mut own = Vec::new();
            for rule in &rules.moves {
                for maker in 0..players {
                    let makes = match &rule.by {
                        By::Each(_) => maker == player || instance.everyone,
                        By::Anyone => maker == player,
                        By::One(p) => maker == *p && (maker == player || instance.everyone),
                    };
                    if makes {
                        own.push(compiler.made(rule, maker)?);
                    }
                }
            }
            moves.push(own);
        }
        Some(Integers {
            kinds,
            halvings: match vars {
                1 => 0,
                2..=4 => 1,
                _ => 2,
            },
            registers: compiler.most,
            moves,
            stale: settings.planted == Some(Planted::StagesStale),
        })
    }

    /// Packs a state; `None` where a value does not fit its field.
    pub fn pack(&self, state: &State) -> Option<[u64; 2]> {
        let mut vars = [0; MOST_VARS];
        for ((var, v), kind) in vars.iter_mut().zip(&state.vars).zip(&self.kinds) {
            *var = number(v, *kind)?;
        }
        self.packed(&vars)
    }

    /// A packed state as a position.
    pub fn wrapped(&self, number: u32, words: [u64; 2]) -> Packed {
        match self.kinds.len() {
            1 | 2 => Packed::One(number, words[0]),
            _ => Packed::Two(number, words),
        }
    }

    /// The bits of a variable in a packed state.
    #[inline]
    fn bits(&self) -> u32 {
        64 >> self.halvings
    }

    #[inline]
    fn packed(&self, vars: &Vars) -> Option<[u64; 2]> {
        let vars = &vars[..self.kinds.len()];
        let (low, high) = vars.split_at(vars.len().min(1 << self.halvings));
        Some([self.word(low)?, self.word(high)?])
    }

    /// Variables as a word, in two's complement.
    #[inline]
    fn word(&self, vars: &[i64]) -> Option<u64> {
        let spare = 64 - self.bits();
        let (mut word, mut place) = (0, 0);
        for v in vars {
            if v << spare >> spare != *v {
                return None;
            }
            word |= (*v as u64) << spare >> spare << place;
            place += self.bits();
        }
        Some(word)
    }

    fn unpacked(&self, words: &[u64; 2]) -> Vars {
        let mut vars = [0; MOST_VARS];
        let spare = 64 - self.bits();
        for (i, v) in vars.iter_mut().take(self.kinds.len()).enumerate() {
            let place = self.bits() * (i & ((1 << self.halvings) - 1)) as u32;
            *v = (words[i >> self.halvings] >> place << spare) as i64 >> spare;
        }
        vars
    }

    /// The state that was packed.
    pub fn state(&self, words: &[u64; 2]) -> State {
        let vars = self.unpacked(words);
        let value = |(v, kind): (&i64, &Kind)| match kind {
            Kind::Int | Kind::Nat => Val::Int(Int::Small(*v)),
            Kind::Bool => Val::Bool(*v != 0),
            Kind::Player => Val::Player(u8::try_from(*v).unwrap_or(0)),
        };
        State {
            heaps: Vec::new(),
            vars: vars.iter().zip(&self.kinds).map(value).collect(),
            entailed: None,
        }
    }

    /// Calls `found` with each option of a player, and whether he moves again. Options may be repeated.
    pub fn options(
        &self,
        words: &[u64; 2],
        player: Player,
        mut found: impl FnMut([u64; 2], bool),
    ) -> Found<()> {
        let vars = self.unpacked(words);
        let mut run = Run::new(&self.kinds, self.registers);
        let mut options = 0;
        for made in self.moves.get(player.index()).into_iter().flatten() {
            run.stages(&made.stages, &vars, self.stale, &mut |run, next| {
                options += 1;
                if options > MOST_OPTIONS {
                    return Err(GivesUp);
                }
                let again = run.value(&made.again, next)? != 0;
                found(self.packed(next).ok_or(GivesUp)?, again);
                Ok(())
            })?;
        }
        Ok(())
    }
}
