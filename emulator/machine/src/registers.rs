//! One warp's registers, warp-wide: a 32-bit register is 32 lanes side by side.
//!
//! A value of up to 32 bits takes one slot (zero-extended), one of 64 bits two, one of
//! 128 bits four. Predicates are bit masks, one bit a lane. Immediates and addresses of
//! variables are slots too, filled once before the warp starts, so an instruction never
//! asks what kind of operand it has.

use bytemuck::{Pod, Zeroable};

/// Lanes in a warp.
pub const WARP: usize = 32;

/// A set of lanes, bit `l` for lane `l`.
pub type Mask = u32;

/// Every lane.
pub const FULL: Mask = !0;

/// The lanes of a mask, lowest first.
#[inline]
pub fn lanes(mut mask: Mask) -> impl Iterator<Item = usize> + Clone {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lane = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            lane
        })
    })
}

/// Calls `part` with the lanes of `mask` that hold the same value, for each value.
pub fn partition(values: impl Fn(usize) -> u32, mask: Mask, mut part: impl FnMut(u32, Mask)) {
    let mut rest = mask;
    while rest != 0 {
        let value = values(rest.trailing_zeros() as usize);
        let same: Mask = lanes(rest).map(|lane| u32::from(values(lane) == value) << lane).sum();
        part(value, same);
        rest &= !same;
    }
}

/// 32 lanes of 32 bits.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Slot(pub [u32; WARP]);

/// The kind of value that a register holds, which gives its number of slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Width {
    /// No operand.
    #[default]
    None,
    /// A bit a lane, in the predicate file.
    Pred,
    /// Up to 32 bits.
    Word,
    /// 64 bits.
    Double,
    /// 128 bits.
    Quad,
}

impl Width {
    #[inline]
    pub fn slots(self) -> u32 {
        match self {
            Width::None | Width::Pred => 0,
            Width::Word => 1,
            Width::Double => 2,
            Width::Quad => 4,
        }
    }

    /// The bits of a register of this width, of a quad's the lower 64.
    pub fn ones(self) -> u64 {
        match self {
            Width::None => 0,
            Width::Pred => 1,
            Width::Word => u32::MAX.into(),
            Width::Double | Width::Quad => u64::MAX,
        }
    }

    /// The register that a value of so many bytes needs.
    #[inline]
    pub fn for_bytes(bytes: u32) -> Width {
        match bytes {
            0..=4 => Width::Word,
            5..=8 => Width::Double,
            _ => Width::Quad,
        }
    }
}

/// See [`Reg::mark`].
pub const MARKS: u32 = 3;

/// A register operand: its first slot, counted from the frame's base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reg {
    pub index: u32,
    pub width: Width,
    kind: u8,
}

impl Default for Reg {
    fn default() -> Reg {
        Reg::NONE
    }
}

impl Reg {
    pub const NONE: Reg = Reg::new(0, Width::None);

    /// `index` counts slots, or predicates.
    pub const fn new(index: u32, width: Width) -> Reg {
        let kind = match width {
            Width::Pred => 1,
            Width::None => 2,
            Width::Word | Width::Double | Width::Quad => 0,
        };
        Reg { index, width, kind }
    }

    /// For who keeps one list of something for all registers of a frame: where it has this one's, [`MARKS`] for each
    /// index. The first is a slot's, the next a predicate's, and one is for operands that are not there.
    #[inline(always)]
    pub fn mark(self) -> usize {
        (MARKS * self.index + u32::from(self.kind)) as usize
    }

    #[inline]
    pub fn is_some(self) -> bool {
        self.width != Width::None
    }
}

/// A warp's register file with the current frame's window on it.
#[derive(Clone, Debug, Default)]
pub struct Registers {
    slots: Vec<Slot>,
    preds: Vec<Mask>,
    /// First slot and first predicate of the frame that runs.
    pub base: usize,
    pub pred_base: usize,
}

/// A type that registers hold lane by lane.
pub trait RegisterValue: Copy + Default + 'static {
    fn load(file: &Registers, reg: u32) -> [Self; WARP];
    /// Overwrites the lanes in `mask`.
    fn store(file: &mut Registers, reg: u32, value: [Self; WARP], mask: Mask);
}

impl Registers {
    /// True if every register holds the same, whatever the windows are.
    pub fn same_contents(&self, other: &Registers) -> bool {
        let slots = || self.slots.iter().zip(&other.slots);
        self.preds == other.preds && self.slots.len() == other.slots.len() && slots().all(|(a, b)| a.0 == b.0)
    }

    /// Returns the bytes of the host's memory that it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.slots[..]) + size_of_val(&self.preds[..])
    }

    /// For each lane a number that is the same as long as all its registers are.
    pub fn fingerprints(&self) -> [u64; WARP] {
        let mut all = [0u64; WARP];
        let mut mix = |lane: usize, value: u64| {
            all[lane] = (all[lane].rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        };
        for slot in &self.slots {
            (0..WARP).for_each(|lane| mix(lane, u64::from(slot.0[lane])));
        }
        for pred in &self.preds {
            (0..WARP).for_each(|lane| mix(lane, u64::from(pred >> lane & 1)));
        }
        all
    }

    /// Makes room for a frame: slots and predicates counted from zero.
    pub fn reserve(&mut self, slots: usize, preds: usize) {
        if self.slots.len() < slots {
            self.slots.resize(slots, Slot([0; WARP]));
        }
        if self.preds.len() < preds {
            self.preds.resize(preds, 0);
        }
    }

    #[inline(always)]
    pub fn slot(&self, reg: u32) -> &[u32; WARP] {
        &self.slots[self.base + reg as usize].0
    }

    #[inline(always)]
    pub fn slot_mut(&mut self, reg: u32) -> &mut [u32; WARP] {
        &mut self.slots[self.base + reg as usize].0
    }

    #[inline(always)]
    pub fn wide(&self, reg: u32) -> &[u64; WARP] {
        let at = self.base + reg as usize;
        let pair: &[Slot; 2] = self.slots[at..at + 2].try_into().expect("two slots");
        bytemuck::cast_ref(pair)
    }

    #[inline(always)]
    pub fn wide_mut(&mut self, reg: u32) -> &mut [u64; WARP] {
        let at = self.base + reg as usize;
        let pair: &mut [Slot; 2] = (&mut self.slots[at..at + 2]).try_into().expect("two slots");
        bytemuck::cast_mut(pair)
    }

    #[inline(always)]
    pub fn pred(&self, reg: u32) -> Mask {
        self.preds[self.pred_base + reg as usize]
    }

    #[inline(always)]
    pub fn set_pred(&mut self, reg: u32, value: Mask, mask: Mask) {
        let pred = &mut self.preds[self.pred_base + reg as usize];
        *pred = (*pred & !mask) | (value & mask);
    }

    /// Any register as a number: predicates 0 or 1, the low 64 bits of a quad.
    #[inline]
    pub fn get(&self, reg: Reg, lane: usize) -> u64 {
        match reg.width {
            Width::None => 0,
            Width::Pred => u64::from(self.pred(reg.index) >> lane & 1),
            Width::Word => u64::from(self.slot(reg.index)[lane]),
            Width::Double | Width::Quad => self.wide(reg.index)[lane],
        }
    }

    /// The inverse of [`Registers::get`]; a quad keeps its high half.
    #[inline]
    pub fn set(&mut self, reg: Reg, lane: usize, value: u64) {
        match reg.width {
            Width::None => {}
            Width::Pred => self.set_pred(reg.index, ((value & 1) as u32) << lane, 1 << lane),
            Width::Word => self.slot_mut(reg.index)[lane] = value as u32,
            Width::Double | Width::Quad => self.wide_mut(reg.index)[lane] = value,
        }
    }

    /// All 128 bits of a register.
    #[inline]
    pub fn get_quad(&self, reg: Reg, lane: usize) -> u128 {
        let high = if reg.width == Width::Quad { self.wide(reg.index + 2)[lane] } else { 0 };
        u128::from(high) << 64 | u128::from(self.get(reg, lane))
    }

    #[inline]
    pub fn set_quad(&mut self, reg: Reg, lane: usize, value: u128) {
        self.set(reg, lane, value as u64);
        if reg.width == Width::Quad {
            self.wide_mut(reg.index + 2)[lane] = (value >> 64) as u64;
        }
    }
}

/// Lane by lane, so that a partial mask costs a blend and not a branch.
#[inline(always)]
fn blend<T: Copy>(old: &mut [T; WARP], new: &[T; WARP], mask: Mask) {
    if mask == FULL {
        *old = *new;
    } else {
        for lane in 0..WARP {
            old[lane] = if mask >> lane & 1 != 0 { new[lane] } else { old[lane] };
        }
    }
}

macro_rules! word_value {
    ($($ty:ty: |$word:ident| $from:expr, |$value:ident| $to:expr;)*) => {$(
        impl RegisterValue for $ty {
            #[inline(always)]
            fn load(file: &Registers, reg: u32) -> [$ty; WARP] {
                let words = file.slot(reg);
                std::array::from_fn(|lane| { let $word = words[lane]; $from })
            }
            #[inline(always)]
            fn store(file: &mut Registers, reg: u32, value: [$ty; WARP], mask: Mask) {
                let words = std::array::from_fn(|lane| { let $value = value[lane]; $to });
                blend(file.slot_mut(reg), &words, mask);
            }
        }
    )*};
}

macro_rules! double_value {
    ($($ty:ty: |$word:ident| $from:expr, |$value:ident| $to:expr;)*) => {$(
        impl RegisterValue for $ty {
            #[inline(always)]
            fn load(file: &Registers, reg: u32) -> [$ty; WARP] {
                let words = file.wide(reg);
                std::array::from_fn(|lane| { let $word = words[lane]; $from })
            }
            #[inline(always)]
            fn store(file: &mut Registers, reg: u32, value: [$ty; WARP], mask: Mask) {
                let words = std::array::from_fn(|lane| { let $value = value[lane]; $to });
                blend(file.wide_mut(reg), &words, mask);
            }
        }
    )*};
}

word_value! {
    u8: |w| w as u8, |v| u32::from(v);
    i8: |w| w as i8, |v| u32::from(v as u8);
    u16: |w| w as u16, |v| u32::from(v);
    i16: |w| w as i16, |v| u32::from(v as u16);
    u32: |w| w, |v| v;
    i32: |w| w as i32, |v| v as u32;
    f32: |w| f32::from_bits(w), |v| v.to_bits();
    half::f16: |w| half::f16::from_bits(w as u16), |v| u32::from(v.to_bits());
    half::bf16: |w| half::bf16::from_bits(w as u16), |v| u32::from(v.to_bits());
}

double_value! {
    u64: |w| w, |v| v;
    i64: |w| w as i64, |v| v as u64;
    f64: |w| f64::from_bits(w), |v| v.to_bits();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> Registers {
        let mut file = Registers::default();
        file.reserve(8, 2);
        file
    }

    #[test]
    fn a_partial_mask_keeps_the_other_lanes() {
        let mut file = file();
        u32::store(&mut file, 1, [7; WARP], FULL);
        i32::store(&mut file, 1, [-1; WARP], 0b101);
        assert_eq!(file.slot(1)[..4], [u32::MAX, 7, u32::MAX, 7]);
    }

    #[test]
    fn a_double_takes_two_slots() {
        let mut file = file();
        f64::store(&mut file, 2, std::array::from_fn(|lane| lane as f64), FULL);
        assert_eq!(f64::load(&file, 2)[31], 31.0);
        assert_eq!(file.slot(4)[0], 0);
    }

    #[test]
    fn narrow_values_are_zero_extended() {
        let mut file = file();
        i16::store(&mut file, 0, [-2; WARP], FULL);
        assert_eq!(file.slot(0)[3], 0xfffe);
        assert_eq!(i16::load(&file, 0)[3], -2);
    }

    #[test]
    fn lanes_come_lowest_first() {
        assert_eq!(lanes(0x8000_0005).collect::<Vec<_>>(), [0, 2, 31]);
    }
}
