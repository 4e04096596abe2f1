//! Rules by which undefined bits pass through arithmetic.
//!
//! A flow gets the source values and their undefined bits (1 = undefined) as
//! `[a, b, c, q]` and returns the result's undefined bits. It runs only where some source
//! is undefined, so it may be slow. Where the exact answer is costly the rule errs
//! towards undefined, as memcheck tools do; a value that does not depend on an undefined
//! bit in common code (masking, zeroing, shifting out) comes out defined.

/// `flow(values, undefined) -> undefined bits of the result`.
pub type UndefinedFlow = fn(values: [u64; 4], undefined: [u64; 4]) -> u64;

/// Any undefined source bit makes the whole result undefined.
pub fn all(_: [u64; 4], undefined: [u64; 4]) -> u64 {
    if undefined == [0; 4] { 0 } else { !0 }
}

/// Bits stay where they are: `mov`, `not`, `xor` and other bit-by-bit functions without a short cut.
pub fn bitwise(_: [u64; 4], u: [u64; 4]) -> u64 {
    u[0] | u[1] | u[2] | u[3]
}

/// `a & b`: a defined 0 on either side defines the bit.
pub fn and(v: [u64; 4], u: [u64; 4]) -> u64 {
    (u[0] | u[1]) & (v[0] | u[0]) & (v[1] | u[1])
}

/// `a | b`: a defined 1 on either side defines the bit.
pub fn or(v: [u64; 4], u: [u64; 4]) -> u64 {
    (u[0] | u[1]) & (!v[0] | u[0]) & (!v[1] | u[1])
}

/// Sums and products: an undefined bit reaches all bits above it by the carry, none below.
pub fn carry(_: [u64; 4], u: [u64; 4]) -> u64 {
    let any = u[0] | u[1] | u[2];
    let upward = if any == 0 { 0 } else { !0 << any.trailing_zeros() };
    if u[3] != 0 { !0 } else { upward }
}

/// `and` of two sources, each negated or not; a defined "false" on either side decides.
pub fn and_signed<const NOT_A: bool, const NOT_B: bool>(v: [u64; 4], u: [u64; 4]) -> u64 {
    let flip = |value: u64, negated: bool| if negated { !value } else { value };
    and([flip(v[0], NOT_A), flip(v[1], NOT_B), 0, 0], u)
}

/// A function of the bits of each place alone, such as `lop3`: undefined where some choice
/// of the undefined bits changes the result.
pub fn by_trial(f: impl Fn([u64; 4]) -> u64, v: [u64; 4], u: [u64; 4]) -> u64 {
    let chosen = f(v);
    (1..16u32).fold(0, |undefined, trial| {
        let flipped = std::array::from_fn(|i| if trial >> i & 1 != 0 { v[i] ^ u[i] } else { v[i] });
        undefined | (f(flipped) ^ chosen)
    })
}

/// `selp d, a, b, q`: the chosen side's bits; an undefined predicate leaves what both sides agree on.
pub fn select(v: [u64; 4], u: [u64; 4]) -> u64 {
    if u[3] != 0 {
        u[0] | u[1] | (v[0] ^ v[1])
    } else if v[3] != 0 {
        u[0]
    } else {
        u[1]
    }
}

/// `setp.eq`, `setp.ne`: decided as soon as one defined bit differs.
pub fn equality(v: [u64; 4], u: [u64; 4]) -> u64 {
    let undefined = u[0] | u[1];
    if (v[0] ^ v[1]) & !undefined != 0 { u[3] } else { all(v, u) }
}

/// A comparison whose verdict may hold whatever the undefined bits are.
pub trait ComparisonVerdict {
    /// True where the undefined bits can change the outcome.
    fn open(v: [u64; 4], u: [u64; 4]) -> bool;
}

/// `a == b`.
pub struct Equal;
/// `a < b` of unsigned numbers.
pub struct Below;
/// `a < b` of signed numbers of so many bits.
pub struct Less<const BITS: u32>;
/// Any other: open as soon as one bit is undefined.
pub struct Opaque;

impl ComparisonVerdict for Equal {
    fn open(v: [u64; 4], u: [u64; 4]) -> bool {
        equality(v, [u[0], u[1], 0, 0]) != 0
    }
}

impl ComparisonVerdict for Below {
    fn open(v: [u64; 4], u: [u64; 4]) -> bool {
        let (least, most) = (|i: usize| v[i] & !u[i], |i: usize| v[i] | u[i]);
        let always = most(0) < least(1);
        let never = least(0) >= most(1);
        !always && !never
    }
}

impl<const BITS: u32> ComparisonVerdict for Less<BITS> {
    fn open(v: [u64; 4], u: [u64; 4]) -> bool {
        // Flipping the sign bit turns the signed order into the unsigned one.
        let mask = u64::MAX >> (64 - BITS);
        let sign = 1 << (BITS - 1);
        let biased = |i: usize| (v[i] & mask) ^ sign;
        Below::open([biased(0), biased(1), 0, 0], [u[0] & mask, u[1] & mask, 0, 0])
    }
}

impl ComparisonVerdict for Opaque {
    fn open(_: [u64; 4], u: [u64; 4]) -> bool {
        u[0] | u[1] != 0
    }
}

/// `setp` with no predicate source, or with one that never decides alone (`.xor`).
pub fn verdict<V: ComparisonVerdict>(v: [u64; 4], u: [u64; 4]) -> u64 {
    if V::open(v, u) || u[3] != 0 { !0 } else { 0 }
}

/// `setp` combined with `q` by `.and` or `.or`: where `q` is `DECIDES`, the comparison does not matter.
pub fn verdict_unless<V: ComparisonVerdict, const DECIDES: bool>(v: [u64; 4], u: [u64; 4]) -> u64 {
    if u[3] == 0 && (v[3] & 1 != 0) == DECIDES { 0 } else { verdict::<V>(v, u) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_defined_zero_masks_an_undefined_bit() {
        assert_eq!(and([0xff, 0x0f, 0, 0], [0xf0, 0, 0, 0]), 0);
        assert_eq!(and([0xff, 0x3f, 0, 0], [0xf0, 0, 0, 0]), 0x30);
        assert_eq!(or([0x00, 0xf0, 0, 0], [0xff, 0, 0, 0]), 0x0f);
    }

    #[test]
    fn carries_go_up() {
        assert_eq!(carry([0; 4], [0b100, 0, 0, 0]), !0b11);
        assert_eq!(carry([0; 4], [0, 0, 0, 1]), !0);
    }

    #[test]
    fn a_defined_difference_decides_equality() {
        assert_eq!(equality([1, 2, 0, 0], [0xf0, 0, 0, 0]), 0);
        assert_eq!(equality([1, 1, 0, 0], [0xf0, 0, 0, 0]), !0);
    }

    #[test]
    fn an_order_is_decided_by_the_bits_that_are_known() {
        // 0x1? < 0x20 whatever the low digit is.
        assert_eq!(verdict::<Below>([0x10, 0x20, 0, 0], [0x0f, 0, 0, 0]), 0);
        assert_eq!(verdict::<Below>([0x10, 0x18, 0, 0], [0x0f, 0, 0, 0]), !0);
        // -1 with an unknown low byte stays negative.
        assert_eq!(verdict::<Less<32>>([0xffff_ffff, 0, 0, 0], [0xff, 0, 0, 0]), 0);
        assert_eq!(verdict::<Less<16>>([0x7fff, 0, 0, 0], [0x8000, 0, 0, 0]), !0);
    }

    #[test]
    fn a_false_predicate_decides_an_and() {
        assert_eq!(verdict_unless::<Opaque, false>([0; 4], [1, 0, 0, 0]), 0);
        assert_eq!(verdict_unless::<Opaque, false>([0, 0, 0, 1], [1, 0, 0, 0]), !0);
        assert_eq!(verdict_unless::<Opaque, true>([0, 0, 0, 1], [1, 0, 0, 0]), 0);
    }

    #[test]
    fn trial_finds_the_places_that_matter() {
        // (a & b) ^ c with c undefined everywhere, b zero in the low half.
        let f = |v: [u64; 4]| (v[0] & v[1]) ^ v[2];
        assert_eq!(by_trial(f, [0, 0xf0, 0, 0], [0xff, 0, 0, 0]), 0xf0);
        assert_eq!(by_trial(f, [0, 0xf0, 0, 0], [0, 0, 0x3, 0]), 0x3);
    }
}
