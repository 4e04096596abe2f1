//! Padding that a load reads: a copy of a structure moves it with the fields, without a meaning.

use crate::past::state::DeviceState;
use crate::undefined::registers::RegisterBits;
use machine::exec::memory::Load;
use machine::memory::space::Space;
use machine::registers::{Registers, lanes};
use machine::watch::Touch;

/// Marks padding in the values that were just loaded as defined.
#[inline(always)]
pub fn is_defined(state: &DeviceState, touch: &Touch, load: &Load, registers: &mut RegisterBits, regs: &Registers) {
    let loaded = &load.dst[..load.elements as usize];
    let any = |registers: &RegisterBits| loaded.iter().any(|&reg| registers.is_tainted(regs, reg, touch.mask));
    if touch.space == Space::Global && any(registers) {
        define(state, touch, load, registers, regs);
    }
}

#[inline(never)]
fn define(state: &DeviceState, touch: &Touch, load: &Load, registers: &mut RegisterBits, regs: &Registers) {
    let Some(region) = touch.region else { return };
    for &reg in &load.dst[..load.elements as usize] {
        for lane in lanes(registers.undefined_lanes(regs, reg, touch.mask)) {
            let from = touch.addresses[lane] - region.base();
            if state.has_only_padding(region.base(), from, from + u64::from(load.bytes) * u64::from(load.elements)) {
                registers.set(regs, reg, lane, 0);
                registers.set_high(regs, reg, lane, 0);
            }
        }
    }
}
