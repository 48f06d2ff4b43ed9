//! Keys of parts that are not patterns: the live instances, written as text.

use super::{Key, SHAPE};
use crate::game::{Shortcut, Sign};
use crate::ir::ground::{NEVER, Write};
use crate::machine::pack::{Program, and, meets};
use crate::machine::settings::{Planted, Settings};
use smallvec::SmallVec;

/// In a shape: the label of the values from which no guard can be met any more.
const DEAD: u8 = 63;

/// A part is not written if its estimated number of live instances exceeds the limit by this factor.
const SLACK: usize = 6;

struct Local {
    /// New number of each value, by its number in the field.
    label: [u8; 64],
    /// The values that can follow, as a set of numbers in the field.
    reach: u64,
    /// The set of all new numbers.
    all: u64,
}

impl<const N: usize> Program<N> {
    /// Whether a part has, by estimate, far too many live instances to be written. The estimate scales the number at the
    /// start by the square of the share of variables still in play, since instances that link two variables grow like that.
    fn is_long(&self, part: &[u64; N], most: usize) -> bool {
        let Some(in_play) = self.variables_in_play(part) else {
            return false;
        };
        let (live, all) = self.at_start;
        let square = |n: usize| n.saturating_mul(n);
        live.saturating_mul(square(in_play))
            > SLACK.saturating_mul(most).saturating_mul(square(all))
    }

    /// The key of a part, written as a shape; `None` if it is too large.
    pub(in crate::machine) fn shape(
        &self,
        part: &[u64; N],
        settings: &Settings,
    ) -> Option<(Key, Sign)> {
        if self.is_long(part, settings.written_out) {
            return None;
        }
        let (live, mut observed, mut written) = self.live_at_most(part, settings.written_out)?;
        let v = self.linking(part, &live, &mut observed, &mut written);
        let ground = &self.ground;
        // The variables in play, in order, with new numbers for their values.
        let mut number = vec![u8::MAX; self.fields.len()];
        let of_var = &self.key.field_of;
        let mut locals: Vec<Local> = Vec::new();
        for (i, f) in self.fields.iter().enumerate() {
            if v[f.word] & f.mask == 0 || part[f.word] & f.mask == 0 {
                continue;
            }
            number[i] = u8::try_from(locals.len()).ok().filter(|n| *n < 250)?;
            let now = f.decode(part[f.word])?;
            let mut label = [NEVER; 64];
            let mut next = 1u8;
            let mut all = 1u64;
            label[now] = 0;
            for (k, p) in f.patterns.iter().enumerate() {
                if k == now || f.reach[now] >> k & 1 == 0 {
                    continue;
                }
                label[k] = if *p == 0 {
                    DEAD
                } else {
                    next += 1;
                    next - 1
                };
                all |= 1 << label[k];
            }
            locals.push(Local {
                label,
                reach: f.reach[now],
                all,
            });
        }
        let keys_without = settings.planted == Some(Planted::KeysWithoutValues);
        let mut bytes: Vec<u8> = Vec::with_capacity(live.len() * 8);
        let mut items: SmallVec<[(u32, u32, u64); 64]> = SmallVec::new();
        for i in &live {
            let mask = &self.masks[*i as usize];
            let m = ground.instances.get(mask.ground as usize)?;
            let begin = bytes.len();
            bytes.push(u8::from(mask.keep) | u8::from(mask.fault.is_some()) << 1);
            for (var, set) in &m.guard {
                let f = of_var[*var as usize];
                let n = *number.get(usize::from(f))?;
                if n == u8::MAX {
                    continue;
                }
                let local = &locals[usize::from(n)];
                let met = labels(local, set & local.reach);
                if met == local.all {
                    continue;
                }
                bytes.push(n);
                varint(&mut bytes, if keys_without { 1 } else { met });
            }
            bytes.push(u8::MAX);
            for (var, write) in &m.update {
                let f = of_var[*var as usize];
                let Some(n) = number.get(usize::from(f)).copied() else {
                    continue;
                };
                if n == u8::MAX {
                    continue;
                }
                let local = &locals[usize::from(n)];
                let label = |to: u8| local.label.get(usize::from(to)).copied().unwrap_or(NEVER);
                bytes.push(n);
                match write {
                    Write::Value(to) => bytes.extend([0, label(*to)]),
                    Write::Table(y, table) => {
                        let g = of_var[*y as usize];
                        let source = *number.get(usize::from(g))?;
                        if source == u8::MAX {
                            let field = self.fields.get(usize::from(g))?;
                            let now = field.decode(part[field.word])?;
                            bytes.extend([0, label(*table.get(now)?)]);
                        } else {
                            bytes.extend([1, source]);
                            let from = &locals[usize::from(source)];
                            table_bytes(&mut bytes, from, table, label);
                        }
                    }
                    Write::Plus(table) => {
                        bytes.push(2);
                        table_bytes(&mut bytes, local, table, label);
                    }
                }
            }
            bytes.push(u8::MAX);
            items.push((
                u32::try_from(begin).ok()?,
                u32::try_from(bytes.len()).ok()?,
                m.players,
            ));
        }
        let text = |i: &(u32, u32, u64)| &bytes[i.0 as usize..i.1 as usize];
        by_text(&mut items, &bytes);
        items.dedup_by(|later, first| {
            let same = text(later) == text(first);
            if same {
                first.2 |= later.2;
            }
            same
        });
        let two = ground.setting.instance.players.len() == 2;
        let swap = |p: u64| if two { (p & 1) << 1 | p >> 1 & 1 } else { p };
        let plain = items.iter().map(|i| i.2);
        let swapped = items.iter().map(|i| swap(i.2));
        let exchange = two && settings.has(Shortcut::Symmetry) && swapped.lt(plain);
        let mut out: Vec<u8> = Vec::with_capacity(bytes.len() + items.len() + 16);
        out.push(u8::try_from(ground.setting.instance.players.len()).ok()?);
        out.push(u8::try_from(locals.len()).ok()?);
        for i in &items {
            varint(&mut out, if exchange { swap(i.2) } else { i.2 });
            out.extend_from_slice(text(i));
        }
        if let Some(keep) = &self.keep {
            // The graph of the edges in play, with the root as vertex 0.
            let mut names: Vec<u32> = vec![keep.root];
            let fields = and(part, &keep.all);
            for e in keep.edges.iter().filter(|e| meets(&fields, &e.bit)) {
                out.push(number[e.var_field]);
                for end in [e.ends.0, e.ends.1] {
                    let at = names.iter().position(|n| *n == end).unwrap_or_else(|| {
                        names.push(end);
                        names.len() - 1
                    });
                    varint(&mut out, at as u64);
                }
            }
        }
        let mut words: Vec<u64> = Vec::with_capacity(out.len() / 8 + 2);
        words.push(SHAPE | out.len() as u64);
        for chunk in out.chunks(8) {
            let mut word = [0u8; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            words.push(u64::from_le_bytes(word));
        }
        let sign = Sign::of_exchanged(exchange);
        Some((Key::new(&words), sign))
    }
}

/// Sorts ranges of `bytes` by their content.
fn by_text(items: &mut [(u32, u32, u64)], bytes: &[u8]) {
    let text = |i: &(u32, u32, u64)| &bytes[i.0 as usize..i.1 as usize];
    items.sort_by(|a, b| text(a).cmp(text(b)));
}

fn labels(local: &Local, set: u64) -> u64 {
    let mut out = 0;
    let mut rest = set;
    while rest != 0 {
        let k = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        out |= 1u64.checked_shl(u32::from(local.label[k])).unwrap_or(0);
    }
    out
}

fn table_bytes(bytes: &mut Vec<u8>, from: &Local, table: &[u8], label: impl Fn(u8) -> u8) {
    // Rows in the order of the new numbers.
    let mut rows: SmallVec<[(u8, u8); 16]> = SmallVec::new();
    for (k, to) in table.iter().enumerate() {
        if from.reach >> k & 1 == 1 && *to != NEVER {
            rows.push((from.label[k], label(*to)));
        }
    }
    rows.sort_unstable();
    rows.dedup();
    bytes.push(u8::try_from(rows.len()).unwrap_or(u8::MAX));
    for (a, b) in rows {
        bytes.extend([a, b]);
    }
}

fn varint(bytes: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        bytes.push((n & 0x7f) as u8 | 0x80);
        n >>= 7;
    }
    bytes.push(n as u8);
}
