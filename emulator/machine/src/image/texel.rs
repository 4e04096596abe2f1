//! From a texel's bits to what a texture read gives (CUDA C++ Programming Guide, "Texture Fetching").
//!
//! Sums are computed in `f64` and rounded once. A GPU rounds at other places, so the last bits of a filtered value may
//! differ.

use ptx::ast::Type;

/// The format of one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "json", serde(rename_all = "lowercase"))]
pub enum Channel {
    U8,
    U16,
    U32,
    S8,
    S16,
    S32,
    F16,
    F32,
}

impl Channel {
    pub fn bytes(self) -> u32 {
        match self {
            Channel::U8 | Channel::S8 => 1,
            Channel::U16 | Channel::S16 | Channel::F16 => 2,
            Channel::U32 | Channel::S32 | Channel::F32 => 4,
        }
    }

    /// The type of a load of one channel.
    pub fn ty(self) -> Type {
        match self.bytes() {
            1 => Type::B8,
            2 => Type::B16,
            _ => Type::B32,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Channel::F16 | Channel::F32)
    }

    /// True if it is read as a floating-point number.
    pub fn gives_float(self, reads_normalized: bool) -> bool {
        self.is_float() || reads_normalized && self.bytes() < 4
    }

    /// The number that the bits stand for, where they are read as one.
    pub fn number(self, bits: u32) -> f64 {
        match self {
            Channel::U8 => f64::from(bits as u8) / 255.0,
            Channel::U16 => f64::from(bits as u16) / 65535.0,
            Channel::S8 => (f64::from(bits as i8) / 127.0).max(-1.0),
            Channel::S16 => (f64::from(bits as i16) / 32767.0).max(-1.0),
            Channel::F16 => half::f16::from_bits(bits as u16).to_f64(),
            Channel::F32 => f64::from(f32::from_bits(bits)),
            Channel::U32 | Channel::S32 => f64::from(bits),
        }
    }

    /// The integer that the bits stand for, in 32 bits.
    pub fn integer(self, bits: u32) -> u32 {
        match self {
            Channel::S8 => bits as i8 as u32,
            Channel::S16 => bits as i16 as u32,
            _ => bits,
        }
    }
}

/// Rounds to the result of a read. NaNs have the bits that the GPU's arithmetic gives them.
pub fn rounded(number: f64) -> u32 {
    if number.is_nan() { 0x7fff_ffff } else { (number as f32).to_bits() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_read_as_numbers_from_the_least_to_the_largest() {
        for (channel, bits, want) in [
            (Channel::U8, 0xff, 1.0),
            (Channel::U8, 0x33, 0.2),
            (Channel::S8, 0x80, -1.0),
            (Channel::S8, 0x81, -1.0),
            (Channel::S8, 0x7f, 1.0),
            (Channel::U16, 0xffff, 1.0),
            (Channel::S16, 0x8000, -1.0),
            (Channel::F16, 0x3c00, 1.0),
            (Channel::F32, 0x3f00_0000, 0.5),
        ] {
            assert_eq!(channel.number(bits), want, "{channel:?} {bits:#x}");
        }
    }

    #[test]
    fn small_integers_are_extended() {
        assert_eq!(Channel::S8.integer(0x80), 0xffff_ff80);
        assert_eq!(Channel::S16.integer(0x7fff), 0x7fff);
        assert_eq!(Channel::U16.integer(0xffff), 0xffff);
        assert!(Channel::U8.gives_float(true) && !Channel::U32.gives_float(true) && Channel::F16.gives_float(false));
    }
}
