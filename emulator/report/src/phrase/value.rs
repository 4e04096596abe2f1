//! Values, as their type is read.

use crate::Reader;
use finding::{AccessValue, ValueType};
use half::{bf16, f16};

/// A value; one that something else has been stored over says so, and one that nothing has stored.
pub fn written(value: AccessValue, reader: &Reader) -> String {
    let text = bits(value.bits, value.ty, reader);
    match value {
        AccessValue { unwritten: true, .. } => say!(reader, "unwritten", value = text),
        AccessValue { stale: true, .. } => say!(reader, "stale", value = text),
        _ => text,
    }
}

fn bits(bits: u64, ty: ValueType, reader: &Reader) -> String {
    match ty {
        ValueType::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        ValueType::F64 => format!("{:?}", f64::from_bits(bits)),
        ValueType::F16 => format!("{:?}", f16::from_bits(bits as u16).to_f32()),
        ValueType::Bf16 => format!("{:?}", bf16::from_bits(bits as u16).to_f32()),
        ValueType::U8 | ValueType::B8 => (bits as u8).to_string(),
        ValueType::S8 => (bits as i8).to_string(),
        ValueType::U16 | ValueType::B16 => (bits as u16).to_string(),
        ValueType::S16 => (bits as i16).to_string(),
        // nvcc loads signed and unsigned ints alike; small negative numbers read better as such.
        ValueType::U32 | ValueType::S32 => (bits as i32).to_string(),
        ValueType::U64 | ValueType::S64 | ValueType::B64 if is_address(bits) => format!("{bits:#x}"),
        ValueType::U64 | ValueType::S64 => (bits as i64).to_string(),
        // A compare-and-exchange or an exchange of anything: a lock's 0 and 1, or a float's bits.
        ValueType::B32 if (bits as i32).unsigned_abs() >= 1 << 16 => {
            let value = format!("{:?}", f32::from_bits(bits as u32));
            say!(reader, "as-float", bits = format!("{:#x}", bits as u32), value)
        }
        ValueType::B32 => (bits as i32).to_string(),
        ValueType::B64 if (bits as i64).unsigned_abs() >= 1 << 32 => {
            let value = format!("{:?}", f64::from_bits(bits));
            say!(reader, "as-double", bits = format!("{bits:#x}"), value)
        }
        ValueType::B64 => (bits as i64).to_string(),
        ValueType::Other => format!("{bits:#x}"),
    }
}

/// True for addresses of the emulated device, and for those of the host's libraries and page-locked memory.
fn is_address(bits: u64) -> bool {
    bits >> 48 == 1 || matches!(bits >> 40, 0x7e | 0x7f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_read_as_their_type() {
        for (bits, ty, want) in [
            (0x4300_0000, ValueType::F32, "128.0"),
            (0x7fc0_0000, ValueType::F32, "NaN"),
            (0x3ff0_0000_0000_0000, ValueType::F64, "1.0"),
            (0x3c00, ValueType::F16, "1.0"),
            (0x3f80, ValueType::Bf16, "1.0"),
            (0xffff_ffff, ValueType::U32, "-1"),
            (0xffff_ffff, ValueType::U8, "255"),
            (0xffff_ffff, ValueType::S8, "-1"),
            (0xffff_ffff, ValueType::B16, "65535"),
            (0xffff_ffff, ValueType::S16, "-1"),
            (1, ValueType::B32, "1"),
            (0x3f80_0000, ValueType::B32, "0x3f800000 (as a float 1.0)"),
            (u64::MAX, ValueType::B64, "-1"),
            (0x3ff0_0000_0000_0000, ValueType::B64, "0x3ff0000000000000 (as a double 1.0)"),
            (u64::MAX, ValueType::U64, "-1"),
            (0x0001_0000_0000_0200, ValueType::U64, "0x1000000000200"),
            (0x0001_0000_0000_0200, ValueType::B64, "0x1000000000200"),
            (5_000_000_000, ValueType::U64, "5000000000"),
            (10, ValueType::Other, "0xa"),
        ] {
            assert_eq!(
                written(AccessValue { bits, ty, stale: false, unwritten: false }, &Reader::default()),
                want,
                "{ty:?}"
            );
        }
    }

    #[test]
    fn what_was_overwritten_says_so() {
        let old = AccessValue { bits: 3, ty: ValueType::S32, stale: true, unwritten: false };
        assert_eq!(written(old, &Reader::default()), "3, an older value");
        let unwritten = AccessValue { stale: false, unwritten: true, ..old };
        assert_eq!(written(unwritten, &Reader::default()), "3 (never written)");
    }
}
