//! How undefined bits pass through arithmetic.
//!
//! A flow gets the source values and their undefined bits (1 = undefined) as
//! `[a, b, c, q]` and returns the result's undefined bits. It runs only where some source
//! is undefined, so it may be slow. Where the exact answer is costly the rule errs
//! towards undefined, as memcheck tools do; a value that does not depend on an undefined
//! bit in common code (masking, zeroing, shifting out) comes out defined.

/// `flow(values, undefined) -> undefined bits of the result`.
pub type Flow = fn(values: [u64; 4], undefined: [u64; 4]) -> u64;

/// Any undefined source bit makes the whole result undefined.
pub fn all(_: [u64; 4], undefined: [u64; 4]) -> u64 {
    if undefined == [0; 4] { 0 } else { !0 }
}

/// The result is made of no source at all.
pub fn defined(_: [u64; 4], _: [u64; 4]) -> u64 {
    0
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
}
