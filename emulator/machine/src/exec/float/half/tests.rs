//! Every 16-bit pattern, and the one place where a second rounding would show.

use super::*;

#[test]
fn every_half_is_what_the_format_says() {
    for bits in 0..=u16::MAX {
        let (wide, brain) = (Binary16::widen(bits), Brain16::widen(bits));
        let (want, want_brain) = (::half::f16::from_bits(bits).to_f64(), ::half::bf16::from_bits(bits).to_f64());
        assert!(wide.to_bits() == want.to_bits() || (wide.is_nan() && want.is_nan()), "{bits:#x}");
        assert!(brain.to_bits() == want_brain.to_bits() || (brain.is_nan() && want_brain.is_nan()), "{bits:#x}");
        assert_eq!(Binary16::narrow(wide), if wide.is_nan() { NAN } else { bits });
        assert_eq!(Brain16::narrow(brain), if brain.is_nan() { NAN } else { bits });
    }
}

#[test]
fn between_two_halves_the_even_one_is_nearest() {
    for bits in 0..0x7bff {
        let (low, high) = (Binary16::widen(bits), Binary16::widen(bits + 1));
        let middle = (low + high) / 2.0;
        let even = bits + (bits & 1);
        assert_eq!(narrow::<Binary16, Nearest>(middle), even, "{bits:#x}");
        assert_eq!(narrow::<Binary16, Nearest>(middle.next_up()), bits + 1);
        assert_eq!(narrow::<Binary16, Nearest>(-middle.next_down()), bits | 0x8000);
    }
    assert_eq!(narrow::<Binary16, Nearest>(65520.0), 0x7c00);
    assert_eq!(narrow::<Binary16, Nearest>(65519.99), 0x7bff);
}

#[test]
fn a_fused_product_is_rounded_once() {
    // 17/16 * 17/16 = 1 + 2^-3 + 2^-8 lies between two bf16 numbers; a far smaller addend decides.
    let (a, tiny) = (0x3f88, 0x0080);
    assert_eq!(fma::<Brain16, false>(a, a, 0), 0x3f90);
    assert_eq!(fma::<Brain16, false>(a, a, tiny), 0x3f91);
    assert_eq!(fma::<Brain16, false>(a, a, tiny | 0x8000), 0x3f90);
}

#[test]
fn sums_products_and_flushes() {
    for (got, want) in [
        (add::<Binary16, false>(0x3c00, 0x3c00), 0x4000),
        (add::<Binary16, false>(0x7bff, 0x7bff), 0x7c00),
        (add::<Binary16, false>(0x7c00, 0xfc00), NAN),
        (sub::<Binary16, false>(0x0001, 0x0001), 0),
        (add::<Binary16, false>(0x0001, 0x0001), 2),
        (add::<Binary16, true>(0x0001, 0x0001), 0),
        (mul::<Binary16, true>(0x8400, 0x3800), 0x8000),
        (mul::<Binary16, false>(0x8400, 0x3800), 0x8200),
        (add_f16(0x3c00, 0x1000), 0x3c00),
        (add_f16(0x3c00, 0x1001), 0x3c01),
        (add_bf16(0x3f80, 0x3b80), 0x3f80),
        (add_bf16(0x3f80, 0x3b81), 0x3f81),
        (saturate(0x3c01), 0x3c00),
        (saturate(0x7c00), 0x3c00),
        (saturate(0x7c01), 0),
        (saturate(0xbc00), 0),
        (saturate(0x8000), 0),
        (saturate(0x3555), 0x3555),
        (relu::<Binary16>(0xbc00), 0),
        (relu::<Binary16>(0xfe00), NAN),
        (relu::<Brain16>(0x3f80), 0x3f80),
    ] {
        assert_eq!(got, want, "{got:#x} {want:#x}");
    }
}
