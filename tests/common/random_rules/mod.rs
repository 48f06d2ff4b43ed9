//! Random rulesets as text, each with random positions: small, with many legal moves, over every kind of board. The same seed
//! gives the same text. They serve to compare evaluators; their meaning as games does not matter.
//!
//! Half of them are [`shapes`], close to the literature; half are [`composed`] from binders, conditions and effects that are
//! drawn one by one, so that every construct of the grammar occurs with every other one. Some of the latter repeat and some
//! fail: all evaluators must agree on this. [`clauses`] add ends, further turns and endless play to a third of all; some
//! depend on connectivity ([`joined`]), some count [`points`], most play of some repeats ([`loopy`]), and some are of the few
//! kinds to which a road applies ([`roads`]). Some have no board but a few [`integers`].
#![allow(dead_code)]

mod boards;
mod clauses;
mod composed;
mod effects;
mod expressions;
mod integers;
mod joined;
mod loopy;
mod points;
mod roads;
mod shapes;

/// A ruleset and some positions of it.
pub struct Sample {
    /// The text of the ruleset, which is called `R`.
    pub rules: String,
    /// Position literals: `R["xo."]`.
    pub positions: Vec<String>,
    /// The kind of board.
    pub kind: &'static str,
    /// Constructs that are not evident from the text, for example a set function of a site that is gone.
    pub marks: Vec<&'static str>,
}

impl Sample {
    /// The ruleset with an `eval` for each position.
    pub fn file(&self) -> String {
        let mut text = self.rules.clone();
        for p in &self.positions {
            text.push_str("\neval ");
            text.push_str(p);
        }
        text.push('\n');
        text
    }
}

/// Random numbers (SplitMix64), or choices encoded by a sequence of bytes, which a fuzzer changes one by one.
pub struct Random {
    state: u64,
    bytes: Option<Vec<u8>>,
}

impl Random {
    /// A generator with a seed.
    pub fn new(seed: u64) -> Random {
        Random {
            state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x0D1B_54A3_2D19_2ED0,
            bytes: None,
        }
    }

    /// One choice for each byte; after the last byte, always the first alternative.
    pub fn of_bytes(bytes: &[u8]) -> Random {
        Random {
            state: 0,
            bytes: Some(bytes.to_vec()),
        }
    }

    fn bits(&mut self) -> u64 {
        if let Some(bytes) = &self.bytes {
            let at = usize::try_from(self.state).unwrap_or(usize::MAX);
            self.state += 1;
            return u64::from(bytes.get(at).copied().unwrap_or(0));
        }
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in 0..n.
    pub fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.bits() % (n.max(1) as u64)).unwrap()
    }

    /// A number in from..=to.
    pub fn within(&mut self, from: usize, to: usize) -> usize {
        from + self.below(to + 1 - from)
    }

    /// True with probability 1/n.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A random element.
    pub fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// The kinds of boards of shapes and of composed rulesets.
pub const KINDS: [&str; 14] = shapes::KINDS;
pub use composed::KINDS as COMPOSED;

/// A sample that depends on connectivity.
pub fn joined(seed: u64) -> Sample {
    joined::joined_of(&mut Random::new(seed ^ 0x6a6f_696e))
}

/// A sample whose play repeats, and which has loopy values.
pub fn loopy(seed: u64) -> Sample {
    loopy::loopy(&mut Random::new(seed))
}

/// A sample without a board, whose state is a few integers.
pub fn integers(seed: u64) -> Sample {
    integers::integers(&mut Random::new(seed))
}

/// A random ruleset with positions, of any family.
pub fn sample(seed: u64) -> Sample {
    let mut r = Random::new(seed);
    let family = r.one(&[0, 0, 0, 0, 1, 1, 2, 2, 3, 4, 4, 5, 6, 6, 7, 7, 8]);
    of_family(family, &mut r)
}

/// As [`sample`], but with the families in turn, so that a few rulesets cover them all; those in integers are not among them
/// (see [`integers`]).
pub fn balanced(seed: u64) -> Sample {
    of_family(seed % 8, &mut Random::new(seed))
}

fn of_family(family: u64, r: &mut Random) -> Sample {
    match family {
        0 => clausal_of(r),
        1 => affine_of(r),
        2 => joined::joined_of(r),
        3 => loop {
            let plain = plain(r);
            if let Some(counted) = points::with_points(plain, r) {
                return counted;
            }
        },
        4 => loopy::loopy(r),
        5 => roads::of_a_road(r),
        8 => integers::integers(r),
        6 => shape_of(KINDS[r.below(KINDS.len())], r),
        _ => composed_of(COMPOSED[r.below(COMPOSED.len())], r),
    }
}

/// A sample without such clauses.
pub fn unclaused(seed: u64) -> Sample {
    plain(&mut Random::new(seed))
}

/// A sample with clauses that end play, further turns or endless play.
pub fn clausal(seed: u64) -> Sample {
    clausal_of(&mut Random::new(seed))
}

fn clausal_of(r: &mut Random) -> Sample {
    let plain = plain(r);
    clauses::with_clauses(plain, r)
}

/// A sample whose moves are everyone's, with further turns, and ends that a player wins.
pub fn affine(seed: u64) -> Sample {
    affine_of(&mut Random::new(seed))
}

/// A sample that counts points; `None` if the drawn rules define otherwise how play ends.
pub fn scoring(seed: u64) -> Option<Sample> {
    let mut r = Random::new(seed);
    let plain = plain(&mut r);
    points::with_points(plain, &mut r)
}

fn affine_of(r: &mut Random) -> Sample {
    loop {
        let kind = KINDS[r.below(KINDS.len())];
        let s = shape_of(kind, r);
        let own = ["by Left", "by Right", "by p", "players ", "play "];
        if own.iter().all(|word| !s.rules.contains(word)) {
            return clauses::with_ends(s, r);
        }
    }
}

fn plain(r: &mut Random) -> Sample {
    if r.once_in(2) {
        let kind = KINDS[r.below(KINDS.len())];
        shape_of(kind, r)
    } else {
        let kind = COMPOSED[r.below(COMPOSED.len())];
        composed_of(kind, r)
    }
}

/// The ruleset encoded by the bytes: the first determines the kind of board, and whether clauses are added.
pub fn of_bytes(bytes: &[u8]) -> Option<Sample> {
    let (first, rest) = bytes.split_first()?;
    let (kind, more) = (usize::from(*first), usize::from(*first) / COMPOSED.len());
    let mut r = Random::of_bytes(rest);
    let s = composed_of(COMPOSED[kind % COMPOSED.len()], &mut r);
    Some(match more % 3 {
        2 => clauses::with_clauses(s, &mut r),
        _ => s,
    })
}

/// A random ruleset close to the literature: most positions have moves, and rules seldom fail.
pub fn shape(seed: u64) -> Sample {
    let mut r = Random::new(seed);
    let kind = KINDS[r.below(KINDS.len())];
    shape_of(kind, &mut r)
}

/// A random ruleset on that kind of board, close to the literature.
pub fn shape_of(kind: &'static str, r: &mut Random) -> Sample {
    let (rules, positions) = shapes::shaped(kind, r);
    Sample {
        rules,
        positions,
        kind,
        marks: Vec::new(),
    }
}

/// A random ruleset on that kind of board, of [`COMPOSED`].
pub fn composed_of(kind: &'static str, r: &mut Random) -> Sample {
    composed::composed(kind, r)
}
