//! The values of an access: between memory's bytes and registers.

use crate::registers::{FULL, Mask, Reg, Registers, WARP, Width, lanes};

/// Returns a mask of the low `bytes` bytes.
#[inline(always)]
pub(super) fn low_bytes(bytes: u32) -> u64 {
    u64::MAX >> (64 - 8 * bytes)
}

/// Sign-extends the low `bytes` bytes of a value to a register of `to` bytes.
#[inline(always)]
pub(super) fn extend(value: u64, bytes: u32, to: u32) -> u64 {
    let shift = 64 - 8 * bytes;
    let signed = ((value << shift) as i64 >> shift) as u64;
    match to {
        0..=2 => signed & 0xffff,
        4 => signed & 0xffff_ffff,
        _ => signed,
    }
}

/// Writes loaded values to a register.
#[inline(always)]
pub(super) fn write_register(regs: &mut Registers, reg: Reg, values: &[u64; WARP], mask: Mask) {
    match reg.width {
        Width::Word if mask == FULL => *regs.slot_mut(reg.index) = values.map(|value| value as u32),
        Width::Word => {
            let slot = regs.slot_mut(reg.index);
            lanes(mask).for_each(|lane| slot[lane] = values[lane] as u32);
        }
        Width::Double if mask == FULL => *regs.wide_mut(reg.index) = *values,
        _ => lanes(mask).for_each(|lane| regs.set(reg, lane, values[lane])),
    }
}

/// Reads the values of all lanes from a register; of 128 bits, the low 64.
#[inline(always)]
pub(super) fn read_register(regs: &Registers, reg: Reg) -> [u64; WARP] {
    match reg.width {
        Width::Word => regs.slot(reg.index).map(u64::from),
        Width::Double | Width::Quad => *regs.wide(reg.index),
        Width::None | Width::Pred => [0; WARP],
    }
}
