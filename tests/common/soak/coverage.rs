//! What has been checked: distinct positions, questions by way of asking, and the number of positions with a construct for
//! which a road was used.

use super::constructs;
use super::ways;
use cgdsl::game::Cancel;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::hash::{Hash, Hasher};

/// The counts of a run.
#[derive(Default)]
pub struct Coverage {
    /// The texts judged, and those that the checker refused.
    pub texts: u64,
    pub refused_texts: u64,
    /// The positions read from texts, and those of them from which play was found to end.
    pub starts: u64,
    pub starts_ending: u64,
    /// Those from which play is drawn, whoever begins.
    pub drawn: u64,
    /// Positions read from texts that were abandoned because their time was over.
    pub out_of_time: u64,
    distinct: HashSet<u64>,
    /// Positions whose value was compared, by way of asking.
    pub by_way: BTreeMap<String, u64>,
    /// Answers compared, by question.
    pub by_question: BTreeMap<&'static str, u64>,
    /// Questions without an answer because of a limit; and those refused because of a fault, as expected.
    pub unknown: u64,
    pub rightly_refused: u64,
    /// Positions for which a road was used, by road.
    pub by_road: BTreeMap<&'static str, u64>,
    /// The same, by construct and road.
    pub crossed: BTreeMap<(&'static str, &'static str), u64>,
    /// Positions by construct.
    pub by_construct: BTreeMap<&'static str, u64>,
}

impl Coverage {
    /// Records a position. Returns whether it is new.
    pub fn position(&mut self, rules: &str, literal: &str) -> bool {
        let mut hasher = DefaultHasher::new();
        (rules, literal).hash(&mut hasher);
        self.distinct.insert(hasher.finish())
    }

    /// The number of distinct positions checked.
    pub fn positions(&self) -> u64 {
        self.distinct.len() as u64
    }

    /// The number of answers compared.
    pub fn answers(&self) -> u64 {
        self.by_question.values().sum()
    }

    /// Records whether a position was abandoned because its time was over.
    pub fn in_time(&mut self, over: &Cancel) {
        self.out_of_time += u64::from(over.is_cancelled());
    }

    pub fn question(&mut self, question: &'static str) {
        *self.by_question.entry(question).or_default() += 1;
    }

    /// Records that for this many positions with these constructs, these roads were used.
    pub fn crossing(&mut self, used: &[&'static str], roads: &[&'static str], positions: u64) {
        for construct in used {
            *self.by_construct.entry(construct).or_default() += positions;
        }
        for road in roads {
            *self.by_road.entry(road).or_default() += positions;
            for construct in used {
                *self.crossed.entry((construct, road)).or_default() += positions;
            }
        }
    }

    /// The number of pairs of a construct and a road that occurred, and of all pairs.
    pub fn pairs(&self) -> (usize, usize) {
        (
            self.crossed.len(),
            constructs::names().len() * ways::counted().len(),
        )
    }

    /// Roads used for fewer than three positions.
    pub fn thin(&self) -> Vec<&'static str> {
        let few = |road: &&'static str| self.by_road.get(road).is_none_or(|n| *n < 3);
        ways::counted().into_iter().filter(few).collect()
    }

    /// The number of constructs that occur in at least three positions.
    pub fn constructs(&self) -> usize {
        self.by_construct.values().filter(|n| **n >= 3).count()
    }

    /// Adds the counts of another run.
    pub fn absorb(&mut self, other: Coverage) {
        self.texts += other.texts;
        self.refused_texts += other.refused_texts;
        self.starts += other.starts;
        self.starts_ending += other.starts_ending;
        self.drawn += other.drawn;
        self.out_of_time += other.out_of_time;
        self.distinct.extend(other.distinct);
        self.unknown += other.unknown;
        self.rightly_refused += other.rightly_refused;
        add(&mut self.by_way, other.by_way);
        add(&mut self.by_question, other.by_question);
        add(&mut self.by_road, other.by_road);
        add(&mut self.crossed, other.crossed);
        add(&mut self.by_construct, other.by_construct);
    }

    /// The counts as text; with `whole`, also the table of constructs and roads.
    pub fn report(&self, whole: bool) -> String {
        let mut text = String::new();
        let _ = writeln!(
            text,
            "{} texts ({} refused by the checker), {} positions read ({} of them end, {} are drawn, {} were left for want of time), {} distinct positions checked",
            self.texts,
            self.refused_texts,
            self.starts,
            self.starts_ending,
            self.drawn,
            self.out_of_time,
            self.positions()
        );
        let _ = writeln!(
            text,
            "{} answers compared, {} rightly refused, {} met a limit",
            self.answers(),
            self.rightly_refused,
            self.unknown
        );
        let rows = |text: &mut String, title: &str, all: Vec<(String, u64)>| {
            let _ = writeln!(text, "{title}");
            for (name, n) in all {
                let _ = writeln!(text, "  {n:>10}  {name}");
            }
        };
        let own = |all: &BTreeMap<&'static str, u64>| -> Vec<(String, u64)> {
            all.iter().map(|(k, v)| ((*k).to_owned(), *v)).collect()
        };
        rows(&mut text, "answers by question", own(&self.by_question));
        let by_way = self.by_way.iter().map(|(k, v)| (k.clone(), *v)).collect();
        rows(&mut text, "positions by way of asking", by_way);
        let roads = ways::counted();
        let mut by_road = own(&self.by_road);
        for road in &roads {
            if !self.by_road.contains_key(road) {
                by_road.push(((*road).to_owned(), 0));
            }
        }
        rows(&mut text, "positions by road that was taken", by_road);
        rows(&mut text, "positions by construct", own(&self.by_construct));
        let (met, all) = self.pairs();
        let _ = writeln!(
            text,
            "{met} of {all} pairs of a construct and a road were met"
        );
        if whole {
            for (n, road) in roads.iter().enumerate() {
                let _ = writeln!(text, "  road {n}: {road}");
            }
            for construct in constructs::names() {
                let cells: Vec<String> = roads
                    .iter()
                    .map(|road| {
                        let n = self.crossed.get(&(construct, *road));
                        n.copied().unwrap_or_default().to_string()
                    })
                    .collect();
                let _ = writeln!(text, "  {construct}: {}", cells.join(" "));
            }
        }
        text
    }
}

fn add<K: Ord>(to: &mut BTreeMap<K, u64>, from: BTreeMap<K, u64>) {
    for (key, n) in from {
        *to.entry(key).or_default() += n;
    }
}
