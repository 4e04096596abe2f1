//! Accesses with their values. These are read before the operation takes effect, while memory and registers hold the
//! old ones.

use crate::bits::Bits;
use crate::event::{Access, Does, LaneAccess, What};
use crate::recorder::Recorder;
use checker::value_type;
use finding::{AtomicOperation, Space};
use machine::Type;
use machine::exec::atomic::{Atomic, apply};
use machine::exec::memory::{Load, StoreOp};
use machine::registers::{Registers, WARP, lanes};
use machine::watch::{Late, Older, Touch};
use rustc_hash::FxHashMap;

/// The data of a lane's access.
#[derive(Default)]
struct Data {
    /// The values loaded, stored, or given to an atomic operation, by element.
    values: Vec<Bits>,
    /// The values that an atomic operation finds, by element.
    found: Vec<Bits>,
    /// The number of writes after the one that the access reads from or comes after in the coherence order.
    back: u8,
}

/// Returns the low `bytes` bytes.
fn truncated(bits: u64, bytes: u32) -> u64 {
    bits & (u64::MAX >> (64 - 8 * bytes.clamp(1, 8)))
}

impl Recorder<'_> {
    /// Records a load, with the values that its lanes get.
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
            let most = |older: &Older| older.back.iter().map(|back| back[lane]).max();
            older.as_deref().and_then(most).unwrap_or(0)
        };
        let values = |lane| (0..touch.elements).map(|element| value(lane, element)).collect();
        let data = |lane| Data { values: values(lane), found: Vec::new(), back: back(lane) };
        self.access(touch, Does::Load, None, load.ty, data);
    }

    /// Records a store, with the values that its lanes write.
    pub fn store(&mut self, touch: &Touch, store: &StoreOp, regs: &Registers) {
        let back = self.behind.take().unwrap_or([0; WARP]);
        let value = |lane, reg| Bits(truncated(regs.get(reg, lane), touch.bytes));
        let sources = &store.src[..touch.elements as usize];
        let values = |lane: usize| sources.iter().map(|&reg| value(lane, reg)).collect();
        let data = |lane: usize| Data { values: values(lane), found: Vec::new(), back: back[lane] };
        self.access(touch, Does::Store, None, store.ty, data);
    }

    /// Records an atomic operation. Lanes that meet at one address take their turns in lane order, element by element.
    pub fn atomic(&mut self, touch: &Touch, atomic: &Atomic, regs: &Registers) {
        let late = self.late.take().map_or(Late::NONE, |late| *late);
        // The values that earlier lanes leave in memory, by address.
        let mut written: FxHashMap<u64, u64> = FxHashMap::default();
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
                    let old = *written.entry(address).or_insert_with(memory);
                    let (b, swap) = (regs.get(src, lane), regs.get(atomic.swap, lane));
                    let flush = touch.space == Space::Global;
                    let new = apply(atomic.operation, atomic.ty, flush, old, b, swap);
                    written.insert(address, truncated(new, touch.bytes));
                    found[lane].push(Bits(old));
                }
            }
        }
        let data = |lane: usize| {
            let operands = &atomic.src[..touch.elements as usize];
            let operands = operands.iter().map(|&reg| Bits(truncated(regs.get(reg, lane), touch.bytes)));
            Data { values: operands.collect(), found: std::mem::take(&mut found[lane]), back: late.back[lane] }
        };
        self.access(touch, Does::Atomic, Some(atomic.operation), atomic.ty, data);
    }

    /// Records an access without values.
    pub fn touch(&mut self, touch: &Touch, does: Does) {
        self.access(touch, does, None, Type::B128, |_| Data::default());
    }

    /// Records an access to global or shared memory; `data` returns what a lane's access has. Values of more than 8
    /// bytes are left out.
    fn access(
        &mut self,
        touch: &Touch,
        does: Does,
        operation: Option<AtomicOperation>,
        ty: Type,
        mut data: impl FnMut(usize) -> Data,
    ) {
        if !matches!(touch.space, Space::Global | Space::Shared) {
            return;
        }
        let launch = touch.at.launch;
        self.push(&touch.at, touch.mask, |recorder| {
            let mut by_lane = |lane: usize| {
                let address = touch.addresses[lane];
                let place = recorder.tracer.tables.place(launch, touch.space, address, touch.bytes);
                let Data { values, found, back } = if touch.bytes <= 8 { data(lane) } else { Data::default() };
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
