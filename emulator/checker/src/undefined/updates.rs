//! What atomic operations find in memory, as far as it is undefined (PTX ISA, "atom", "red"):
//! an operation that computes with it depends on it; an exchange only hands it on.

use crate::checks::{BlockState, Checker, WarpState};
use crate::undefined::origins::Origin;
use finding::Decision;
use machine::exec::atomic::{Atomic, Operation};
use machine::registers::{Mask, Registers, WARP, lanes};
use machine::watch::Touch;
use rustc_hash::FxHashMap;

impl Checker<'_> {
    pub fn found(
        &mut self,
        touch: &Touch,
        atomic: &Atomic,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
    ) {
        let defined = self.all_defined(touch, None, block);
        for element in 0..atomic.elements {
            let skip = u64::from(touch.bytes * element);
            let dst = atomic.dst[element as usize];
            warp.bits.define(regs, dst, touch.mask);
            if defined {
                continue;
            }
            let mut old_undefined: Mask = 0;
            let mut absent: Vec<(usize, Origin)> = Vec::new();
            let bytes = touch.bytes.min(8);
            let low = self.memory_bits(touch, block, warp, skip, bytes);
            let high = if touch.bytes == 16 { self.memory_bits(touch, block, warp, skip + 8, 8) } else { [0; WARP] };
            for lane in lanes(touch.mask) {
                // The first lane of several leaves the word defined for the others.
                let same = |earlier: usize| touch.addresses[earlier] == touch.addresses[lane];
                if low[lane] | high[lane] == 0 || lanes(old_undefined).any(same) {
                    continue;
                }
                old_undefined |= 1 << lane;
                absent.push((lane, self.memory_origin(touch, block, warp, lane, skip, touch.bytes)));
                self.set_memory_bits(touch, block, warp, 1 << lane, skip, bytes, |_, _| 0);
                if touch.bytes == 16 {
                    self.set_memory_bits(touch, block, warp, 1 << lane, skip + 8, 8, |_, _| 0);
                }
                // An exchange computes nothing: what it found is undefined, which is no finding yet.
                if atomic.operation == Operation::Exchange {
                    warp.bits.set(regs, dst, lane, low[lane]);
                    warp.bits.set_high(regs, dst, lane, high[lane]);
                }
            }
            if atomic.operation != Operation::Exchange {
                self.undefined_memory(touch, warp, &absent, old_undefined, Decision::Atomic);
            } else if old_undefined != 0 {
                absent.iter().for_each(|(lane, origin)| warp.bits.origins.set(regs, dst, *lane, *origin));
                warp.bits.settle(regs, dst);
            }
        }
    }
}

/// Lanes whose compare-and-exchange will find something else, lanes going one after the other.
pub fn failing(touch: &Touch, atomic: &Atomic, regs: &Registers) -> Mask {
    let (Operation::CompareExchange, Some(region)) = (atomic.operation, touch.region) else { return 0 };
    let kept = u128::MAX >> (128 - 8 * touch.bytes);
    let mut written: FxHashMap<u64, u128> = FxHashMap::default();
    let mut failed = 0;
    for lane in lanes(touch.mask) {
        let address = touch.addresses[lane];
        let old = written.get(&address).copied().unwrap_or_else(|| match touch.bytes {
            16 => u128::from(region.load_sized(address + 8, 8)) << 64 | u128::from(region.load_sized(address, 8)),
            bytes => region.load_sized(address, bytes).into(),
        });
        if old == regs.get_quad(atomic.src[0], lane) & kept {
            written.insert(address, regs.get_quad(atomic.swap, lane) & kept);
        } else {
            failed |= 1 << lane;
        }
    }
    failed
}
