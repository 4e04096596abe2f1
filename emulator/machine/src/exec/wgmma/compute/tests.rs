//! The values of small floating-point types; those of products are in `emulator/tests/wgmma.rs`.

use crate::exec::matrix::MatrixElement::{E4m3, E5m2};

#[test]
fn eight_bits_are_a_number() {
    for (bits, want) in
        [(0x00, 0.0), (0x38, 1.0), (0xb9, -1.125), (0x7e, 448.0), (0x01, 1.0 / 512.0), (0x08, 1.0 / 64.0)]
    {
        assert_eq!(E4m3.float(bits, 0), want, "{bits:#x}");
    }
    assert!(E4m3.float(0x7f, 0).is_nan() && E4m3.float(0xff, 0).is_nan());
    for (bits, want) in [(0x3c, 1.0), (0xbe, -1.5), (0x7b, 57344.0), (0x7c, f64::INFINITY), (0x01, 2f64.powi(-16))] {
        assert_eq!(E5m2.float(bits, 0), want, "{bits:#x}");
    }
}
