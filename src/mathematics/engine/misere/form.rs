//! Misère forms. Input: impartial games, given by their options. Output: their simplest forms in misère play, each form
//! stored once.
//!
//! **Theorem** (J. H. Conway, *On Numbers and Games*, ch. 12). Let the options of G be those of H and others, each of which
//! has H among its options; if H is 0, let G also be an N-position of misère play. Then G = H in all sums of misère play.
//! Two games that this theorem cannot simplify, neither themselves nor at any follower, are equal only if they are
//! identical.

use super::{Closed, genus::options};
use crate::game::{Budget, Limit};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::cmp::Reverse;
use std::rc::Rc;

/// A misère form: its number in the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MisereForm(u32);

/// A table of misère forms without duplicates: two numbers are equal if and only if the games are equal in all of misère
/// play.
#[derive(Debug)]
pub struct MisereForms {
    options: Vec<Rc<[MisereForm]>>,
    ids: HashMap<Rc<[MisereForm]>, MisereForm, FxBuildHasher>,
    /// Whether the form is a P-position of misère play.
    is_p: Vec<bool>,
    day: Vec<u32>,
    sums: HashMap<(MisereForm, MisereForm), MisereForm, FxBuildHasher>,
    held: usize,
    memory: usize,
}

impl MisereForms {
    /// The table with 0 alone. `memory` is the limit in bytes.
    #[must_use]
    pub fn new(memory: usize) -> MisereForms {
        let nothing: Rc<[MisereForm]> = Rc::new([]);
        MisereForms {
            options: vec![nothing.clone()],
            ids: HashMap::from_iter([(nothing, MisereForm(0))]),
            is_p: vec![false],
            day: vec![0],
            sums: HashMap::default(),
            held: 0,
            memory,
        }
    }

    /// The game without options.
    pub const ZERO: MisereForm = MisereForm(0);

    /// The number of forms in the table.
    #[must_use]
    pub fn len(&self) -> usize {
        self.options.len()
    }

    /// Always false: the table contains 0.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The options of a form, in the order of their numbers in the table.
    #[must_use]
    pub fn options(&self, form: MisereForm) -> &[MisereForm] {
        &self.options[form.0 as usize]
    }

    /// Whether the form is a P-position of misère play.
    #[must_use]
    pub fn is_p(&self, form: MisereForm) -> bool {
        self.is_p[form.0 as usize]
    }

    /// The birthday of the form: the greatest number of moves that it can last.
    #[must_use]
    pub fn birthday(&self, form: MisereForm) -> u32 {
        self.day[form.0 as usize]
    }

    /// The form of the game with these options.
    ///
    /// # Errors
    /// The table is full.
    pub fn of_options(&mut self, mut options: Vec<MisereForm>) -> Result<MisereForm, Limit> {
        options.sort_unstable();
        options.dedup();
        if let Some(known) = self.ids.get(&options[..]) {
            return Ok(*known);
        }
        if let Some(simpler) = self.reduced(&options) {
            return Ok(simpler);
        }
        self.held += options.len() * 4 + 80;
        if self.held > self.memory {
            return Err(Limit::Memory);
        }
        let form = MisereForm(u32::try_from(self.options.len()).map_err(|_| Limit::Memory)?);
        self.is_p
            .push(!options.is_empty() && options.iter().all(|o| !self.is_p(*o)));
        let last = options.iter().map(|o| self.birthday(*o)).max();
        self.day.push(last.map_or(0, |d| d + 1));
        let options: Rc<[MisereForm]> = options.into();
        self.options.push(options.clone());
        self.ids.insert(options, form);
        Ok(form)
    }

    /// The form H that the theorem gives for these options, if there is one.
    fn reduced(&self, all: &[MisereForm]) -> Option<MisereForm> {
        let has = |list: &[MisereForm], x: &MisereForm| list.binary_search(x).is_ok();
        // Every option of H is an option of G, and every other option of G has H as an option. So H is an option of an
        // option of G.
        let mut candidates: Vec<MisereForm> = all
            .iter()
            .flat_map(|r| self.options(*r).iter().copied())
            .collect();
        candidates.sort_unstable();
        candidates.dedup();
        candidates.into_iter().find(|h| {
            let kept = self.options(*h);
            kept.iter().all(|k| has(all, k))
                && all.iter().all(|r| has(kept, r) || has(self.options(*r), h))
                && (*h != MisereForms::ZERO || all.iter().any(|r| self.is_p(*r)))
        })
    }

    /// The form of a Nim heap.
    ///
    /// # Errors
    /// The table is full.
    pub fn nim_heap(&mut self, n: u32) -> Result<MisereForm, Limit> {
        let mut heaps = vec![MisereForms::ZERO];
        for _ in 0..n {
            let next = self.of_options(heaps.clone())?;
            heaps.push(next);
        }
        Ok(heaps[heaps.len() - 1])
    }

    /// The form of a game in the notation of [`MisereForms::text`], whether or not it is simplest. `None` if the text is no
    /// game.
    ///
    /// # Errors
    /// A limit.
    pub fn read(&mut self, text: &str, budget: &Budget) -> Result<Option<MisereForm>, Limit> {
        let text: String = text.split_whitespace().collect();
        let mut rest = match &text[..] {
            "0" => return Ok(Some(MisereForms::ZERO)),
            "*" => "1",
            text => text.strip_prefix('*').unwrap_or_default(),
        };
        let mut heaps = vec![MisereForms::ZERO];
        // The options read so far in each open bracket.
        let mut open: Vec<Vec<MisereForm>> = Vec::new();
        loop {
            if let Some(inner) = rest.strip_prefix('[') {
                open.push(Vec::new());
                rest = inner;
                continue;
            }
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let Ok(n) = rest[..digits].parse::<usize>() else {
                return Ok(None);
            };
            rest = &rest[digits..];
            while heaps.len() <= n {
                budget.charge()?;
                heaps.push(self.of_options(heaps.clone())?);
            }
            let mut form = heaps[n];
            loop {
                let Some(options) = open.last_mut() else {
                    return Ok(rest.is_empty().then_some(form));
                };
                options.push(form);
                let Some(outer) = rest.strip_prefix(']') else {
                    break;
                };
                form = self.of_options(open.pop().unwrap_or_default())?;
                rest = outer;
            }
            match rest.strip_prefix(',') {
                Some(next) => rest = next,
                None => return Ok(None),
            }
        }
    }

    /// The form of a sum.
    ///
    /// # Errors
    /// A limit.
    pub fn add(
        &mut self,
        a: MisereForm,
        b: MisereForm,
        budget: &Budget,
    ) -> Result<MisereForm, Limit> {
        let pair = |a: MisereForm, b: MisereForm| (a.min(b), a.max(b));
        let start = pair(a, b);
        let mut line = vec![start];
        while let Some(&(a, b)) = line.last() {
            if self.sums.contains_key(&(a, b)) {
                line.pop();
                continue;
            }
            if a == MisereForms::ZERO {
                self.sums.insert((a, b), b);
                continue;
            }
            budget.charge()?;
            let by_a = self.options(a).iter().map(|o| pair(*o, b));
            let below: Vec<_> = by_a
                .chain(self.options(b).iter().map(|o| pair(a, *o)))
                .collect();
            let unknown = below
                .iter()
                .filter(|p| !self.sums.contains_key(*p))
                .copied();
            let before = line.len();
            line.extend(unknown);
            if line.len() == before {
                let options = below.iter().map(|p| self.sums[p]).collect();
                let form = self.of_options(options)?;
                self.held += 32;
                self.sums.insert((a, b), form);
            }
            if self.held + line.len() * 8 > self.memory {
                return Err(Limit::Memory);
            }
        }
        self.sums.get(&start).copied().ok_or(Limit::Nodes)
    }

    /// Extends `known`, the forms of the parts of a closed set, to all parts below `parts`.
    ///
    /// # Errors
    /// A limit.
    pub fn of_parts<C: Closed + ?Sized>(
        &mut self,
        closed: &C,
        parts: u32,
        known: &mut Vec<MisereForm>,
        budget: &Budget,
    ) -> Result<(), Limit> {
        for part in known.len() as u32..parts {
            let mut all = Vec::new();
            for option in options(closed, &[part]) {
                all.push(self.of_sum(&option, known, budget)?);
            }
            known.push(self.of_options(all)?);
        }
        Ok(())
    }

    /// The form of a sum of parts, all of which have their form in `known`.
    ///
    /// # Errors
    /// A limit.
    pub fn of_sum(
        &mut self,
        word: &[u32],
        known: &[MisereForm],
        budget: &Budget,
    ) -> Result<MisereForm, Limit> {
        let mut sum = MisereForms::ZERO;
        for part in word {
            sum = self.add(sum, known[*part as usize], budget)?;
        }
        Ok(sum)
    }

    /// The size, if the form is a Nim heap.
    fn as_nim_heap(&self, form: MisereForm) -> Option<u32> {
        let options = self.options(form);
        // In the table, the form of a smaller heap precedes that of a larger one.
        for (n, o) in options.iter().enumerate() {
            if self.options(*o).len() != n || (n > 0 && self.options(*o) != &options[..n]) {
                return None;
            }
        }
        u32::try_from(options.len()).ok()
    }

    /// The form in the notation of *On Numbers and Games*: a Nim heap as its size, any other game as its options in
    /// brackets, with one star before the whole. `None` if the text is longer than `longest`.
    #[must_use]
    pub fn text(&self, form: MisereForm, longest: usize) -> Option<String> {
        enum Piece {
            Form(MisereForm),
            Text(&'static str),
        }
        match self.as_nim_heap(form) {
            Some(0) => return Some("0".to_owned()),
            Some(1) => return Some("*".to_owned()),
            _ => {}
        }
        let mut text = String::from("*");
        let mut waiting = vec![Piece::Form(form)];
        while let Some(piece) = waiting.pop() {
            if text.len() > longest {
                return None;
            }
            match piece {
                Piece::Text(t) => text += t,
                Piece::Form(form) => match self.as_nim_heap(form) {
                    Some(n) => text += &n.to_string(),
                    None => {
                        // Games that are not heaps first, then heaps by decreasing size.
                        let mut options = self.options(form).to_vec();
                        options.sort_by_key(|o| {
                            let heap = self.as_nim_heap(*o);
                            (heap.is_some(), Reverse(heap), *o)
                        });
                        waiting.push(Piece::Text("]"));
                        for (i, o) in options.iter().enumerate().rev() {
                            waiting.push(Piece::Form(*o));
                            if i > 0 {
                                waiting.push(Piece::Text(","));
                            }
                        }
                        waiting.push(Piece::Text("["));
                    }
                },
            }
        }
        Some(text)
    }
}

/// The number of misère forms with birthday at most `day`: 1, 2, 3, 5, 22, 4171780 for days 0 to 5. `None` for later days,
/// which have more than 2^4171779.
///
/// # Errors
/// A limit.
pub fn number_born_by(day: u32, memory: usize, budget: &Budget) -> Result<Option<u64>, Limit> {
    let mut forms = MisereForms::new(memory);
    let mut born = vec![MisereForms::ZERO];
    for _ in 0..day.min(4) {
        let mut next = Vec::new();
        for set in 0..1u64 << born.len() {
            let of = (0..born.len()).filter(|i| set >> i & 1 == 1);
            next.push(forms.of_options(of.map(|i| born[i]).collect())?);
        }
        next.sort_unstable();
        next.dedup();
        born = next;
    }
    match day {
        0..=4 => Ok(Some(born.len() as u64)),
        5 => {
            // Each set of forms is a new form unless it reduces.
            let mut count = 0;
            for set in 0..1u64 << born.len() {
                if set % 1024 == 0 {
                    budget.charge()?;
                }
                let of = (0..born.len()).filter(|i| set >> i & 1 == 1);
                let all: Vec<MisereForm> = of.map(|i| born[i]).collect();
                count += u64::from(all.is_empty() || forms.reduced(&all).is_none());
            }
            Ok(Some(count))
        }
        _ => Ok(None),
    }
}
