//! The table of the proof-number search. Input: nodes with their numbers. Output: the numbers of nodes that were met before.
//!
//! A node belongs to one group of eight places. The table doubles while its memory allows; from then on a new node takes the
//! place of the node in its group that took the least work. The search proves what it no longer finds once more, so evictions
//! cost time and change no answer.

use std::num::NonZeroU8;

use super::Node;
use super::proof::Numbers;
use crate::engine::table::hash_of;

/// The places of a group.
const WAYS: usize = 8;

/// The tag of an empty place.
const EMPTY: u8 = 0;

struct Slot<P> {
    node: Node<P>,
    numbers: Numbers,
    /// The number of bits of the number of nodes searched below, plus 1.
    work: NonZeroU8,
}

/// A bounded table of nodes.
pub(super) struct Nodes<P> {
    /// For each place some bits of the hash of its node, so that most other nodes are passed over without reading them.
    tags: Vec<[u8; WAYS]>,
    slots: Vec<[Option<Slot<P>>; WAYS]>,
    /// Nodes that were evicted since this was last set to 0.
    pub(super) evicted: u64,
}

impl<P> Default for Nodes<P> {
    fn default() -> Nodes<P> {
        Nodes {
            tags: Vec::new(),
            slots: Vec::new(),
            evicted: 0,
        }
    }
}

impl<P: Eq + std::hash::Hash> Nodes<P> {
    /// The bytes of a group, for nodes that hold `heap` bytes each beyond their own size.
    fn group_bytes(heap: usize) -> usize {
        size_of::<[Option<Slot<P>>; WAYS]>() + WAYS * (1 + heap)
    }

    /// The most groups that fit `memory` bytes, also while the table doubles.
    pub(super) fn room(memory: usize, heap: usize) -> usize {
        let fits = memory / 3 * 2 / Self::group_bytes(heap);
        1 << fits.max(1).ilog2()
    }

    /// The bytes held, for nodes that hold `heap` bytes each beyond their own size.
    pub(super) fn bytes(&self, heap: usize) -> usize {
        self.slots.len() * Self::group_bytes(heap)
    }

    /// The number of places.
    pub(super) fn places(&self) -> usize {
        self.slots.len() * WAYS
    }

    fn group_and_tag(&self, hash: u64) -> (usize, u8) {
        let group = hash as usize & (self.slots.len() - 1);
        (group, ((hash >> 56) as u8).max(1))
    }

    /// The group and place of a node with this hash.
    fn find(&self, hash: u64, node: &Node<P>) -> Option<(usize, usize)> {
        if self.slots.is_empty() {
            return None;
        }
        let (group, tag) = self.group_and_tag(hash);
        let is_it = |way: &usize| {
            self.tags[group][*way] == tag
                && matches!(&self.slots[group][*way], Some(slot) if slot.node == *node)
        };
        (0..WAYS).find(is_it).map(|way| (group, way))
    }

    /// The first empty place of a group.
    fn free(&self, group: usize) -> Option<usize> {
        self.tags[group].iter().position(|tag| *tag == EMPTY)
    }

    /// The numbers of a node.
    pub(super) fn get(&self, node: &Node<P>) -> Option<Numbers> {
        let (group, way) = self.find(hash_of(node), node)?;
        self.slots[group][way].as_ref().map(|slot| slot.numbers)
    }

    /// Stores the numbers of a node, below which `below` nodes were searched. The table grows to at most `room` groups.
    pub(super) fn put(&mut self, node: Node<P>, numbers: Numbers, below: u64, room: usize) {
        let bits = (u64::BITS - below.leading_zeros()) as u8;
        let work = NonZeroU8::MIN.saturating_add(bits);
        let hash = hash_of(&node);
        if let Some((group, way)) = self.find(hash, &node)
            && let Some(slot) = &mut self.slots[group][way]
        {
            slot.numbers = numbers;
            slot.work = slot.work.max(work);
            return;
        }
        if self.slots.is_empty() {
            self.grow();
        }
        let (group, tag, way) = loop {
            let (group, tag) = self.group_and_tag(hash);
            if let Some(way) = self.free(group) {
                break (group, tag, way);
            }
            if self.slots.len() < room {
                self.grow();
                continue;
            }
            self.evicted += 1;
            let work = |way: &usize| self.slots[group][*way].as_ref().map(|slot| slot.work);
            break (group, tag, (0..WAYS).min_by_key(work).unwrap_or(0));
        };
        self.tags[group][way] = tag;
        self.slots[group][way] = Some(Slot {
            node,
            numbers,
            work,
        });
    }

    /// Doubles the table. Each group is dealt to two, so all nodes find a place.
    fn grow(&mut self) {
        let groups = (2 * self.slots.len()).max(1);
        let old = std::mem::take(&mut self.slots);
        self.tags = vec![[EMPTY; WAYS]; groups];
        self.slots = std::iter::repeat_with(|| [const { None }; WAYS])
            .take(groups)
            .collect();
        for slot in old.into_iter().flatten().flatten() {
            let (group, tag) = self.group_and_tag(hash_of(&slot.node));
            if let Some(way) = self.free(group) {
                self.tags[group][way] = tag;
                self.slots[group][way] = Some(slot);
            }
        }
    }
}
