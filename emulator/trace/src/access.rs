//! Accesses with their values, read before the operation takes effect: memory and registers hold the old ones.

use crate::bits::Bits;
use crate::event::{Access, Does, LaneAccess, What};
use crate::recorder::Recorder;
use checker::value_type;
use finding::{AtomicOperation, Space};
use machine::Type;
use machine::exec::atomic::{Atomic, apply};
use machine::exec::memory::{Load, Store};
use machine::registers::{Registers, WARP, lanes};
use machine::watch::{Late, Older, Touch};
use rustc_hash::FxHashMap;

/// The data of a lane's access, beside its place: values, values found before, and how far back.
type Values = (Vec<Bits>, Vec<Bits>, u8);

/// The low `bytes` bytes.
fn kept(bits: u64, bytes: u32) -> u64 {
    bits & (u64::MAX >> (64 - 8 * bytes.clamp(1, 8)))
}

impl Recorder<'_> {
    pub fn load(&mut self, touch: &Touch, load: &Load) {
        let older = self.older.take();
        let value = |lane: usize, element: u32| {
            let latest = || {
                let address = touch.addresses[lane] + u64::from(touch.bytes * element);
                touch.region.map_or(0, |region| region.load_sized(address, touch.bytes))
            };
            let older = older.as_ref().and_then(|older| older.get(lane, element as usize));
            Bits(older.unwrap_or_else(latest))
        };
        let back = |lane: usize| {
            let back = |older: &Older| older.back.iter().map(|back| back[lane]).max();
            older.as_deref().and_then(back).unwrap_or(0)
        };
        let all = |lane| ((0..touch.elements).map(|element| value(lane, element)).collect(), Vec::new(), back(lane));
        self.access(touch, Does::Load, None, load.ty, all);
    }

    pub fn store(&mut self, touch: &Touch, store: &Store, regs: &Registers) {
        let behind = self.behind.take().unwrap_or([0; WARP]);
        let value = |lane, reg| Bits(kept(regs.get(reg, lane), touch.bytes));
        let all = |lane: usize| {
            let sources = &store.src[..touch.elements as usize];
            (sources.iter().map(|&reg| value(lane, reg)).collect(), Vec::new(), behind[lane])
        };
        self.access(touch, Does::Store, None, store.ty, all);
    }

    /// Lanes that meet at one address come one after the other, each element by itself.
    pub fn atomic(&mut self, touch: &Touch, atomic: &Atomic, regs: &Registers) {
        let late = self.late.take().map_or(Late::NONE, |late| *late);
        let mut left: FxHashMap<u64, u64> = FxHashMap::default();
        let mut found = vec![Vec::new(); WARP];
        if touch.bytes <= 8 {
            for (element, &src) in atomic.src[..touch.elements as usize].iter().enumerate() {
                for lane in lanes(touch.mask) {
                    let address = touch.addresses[lane] + u64::from(touch.bytes) * element as u64;
                    if late.back[lane] != 0 {
                        found[lane].push(Bits(late.found[lane]));
                        continue;
                    }
                    let memory = || touch.region.map_or(0, |region| region.load_sized(address, touch.bytes));
                    let old = *left.entry(address).or_insert_with(memory);
                    let (b, swap) = (regs.get(src, lane), regs.get(atomic.swap, lane));
                    let flush = touch.space == Space::Global;
                    let new = apply(atomic.operation, atomic.ty, flush, old, b, swap);
                    left.insert(address, kept(new, touch.bytes));
                    found[lane].push(Bits(old));
                }
            }
        }
        let all = |lane: usize| {
            let operands = &atomic.src[..touch.elements as usize];
            let operands = operands.iter().map(|&reg| Bits(kept(regs.get(reg, lane), touch.bytes)));
            (operands.collect(), std::mem::take(&mut found[lane]), late.back[lane])
        };
        self.access(touch, Does::Atomic, Some(atomic.operation), atomic.ty, all);
    }

    /// An access without a value to tell.
    pub fn touch(&mut self, touch: &Touch, does: Does) {
        self.access(touch, does, None, Type::B128, |_| (Vec::new(), Vec::new(), 0));
    }

    fn access(
        &mut self,
        touch: &Touch,
        does: Does,
        operation: Option<AtomicOperation>,
        ty: Type,
        mut values: impl FnMut(usize) -> Values,
    ) {
        if !matches!(touch.space, Space::Global | Space::Shared) {
            return;
        }
        let launch = touch.at.launch;
        self.push(&touch.at, touch.mask, |recorder| {
            let mut by_lane = |lane: usize| {
                let address = touch.addresses[lane];
                let place = recorder.tracer.tables.place(launch, touch.space, address, touch.bytes);
                let (values, found, back) = match touch.bytes {
                    0..=8 => values(lane),
                    _ => Values::default(),
                };
                LaneAccess { lane: lane as u8, place, values, found, back, address }
            };
            What::Access(Box::new(Access {
                does,
                operation,
                space: touch.space,
                scope: touch.semantics.is_strong().then_some(touch.semantics.scope),
                bytes: touch.bytes,
                elements: touch.elements,
                ty: value_type(ty),
                by_lane: lanes(touch.mask).map(&mut by_lane).collect(),
            }))
        });
    }
}
