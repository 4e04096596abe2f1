//! Converts the bits of texels to the result of a texture read (CUDA C++ Programming Guide, "Texture Fetching").
//!
//! The guide leaves the arithmetic open. The rules here explain what `lab/textures/modes.cu` printed on an H200 with
//! CUDA 13.0, but for one sum of half precision:
//!
//! - A filtered integer of 8 or 16 bits that is read as a number becomes the nearest multiple of 1/65535, or of 1/32767
//!   if it has a sign. Half a step goes up. For signed bytes see [`widened`].
//! - The lowest signed integer is below -1 in a sum. It is the sum that counts as -1 at least.
//! - A filtered number of half precision becomes the nearest one of half precision, and half a step goes away from 0.
//! - A border colour is rounded to the format. Integers read as such have the border's low bits.
//!
//! Sums of single precision are computed in `f64` and rounded once; on a GPU their last bit may differ.

use ptx::ast::Type;

/// The format of one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(all(feature = "json", not(target_family = "wasm")), derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(all(feature = "json", not(target_family = "wasm")), serde(rename_all = "lowercase"))]
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

    /// The steps from 0 to 1 of an integer that is read as a number; 1 of a floating-point format.
    fn steps(self) -> f64 {
        match self {
            Channel::U8 => 255.0,
            Channel::S8 => 127.0,
            Channel::U16 => 65535.0,
            Channel::S16 => 32767.0,
            _ => 1.0,
        }
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Channel::S8 | Channel::S16 | Channel::S32)
    }

    /// The number that the bits stand for, in steps of the format.
    pub fn number(self, bits: u32) -> f64 {
        match self {
            Channel::F16 => half::f16::from_bits(bits as u16).to_f64(),
            Channel::F32 => f64::from(f32::from_bits(bits)),
            _ if self.is_signed() => f64::from(self.integer(bits) as i32),
            _ => f64::from(bits),
        }
    }

    /// The border colour's number in steps of the format, given the bits of an `f32`.
    pub fn border(self, bits: u32) -> f64 {
        let color = f32::from_bits(bits);
        match self {
            Channel::F16 => half::f16::from_f32(color).to_f64(),
            Channel::F32 => f64::from(color),
            _ => {
                let least = if self.is_signed() { -1.0 } else { 0.0 };
                nearest(f64::from(color).clamp(least, 1.0) * self.steps())
            }
        }
    }

    /// The result of a read, given the texels' sum in 256ths of a step.
    pub fn result(self, sum: f64, is_filtered: bool) -> u32 {
        let number = sum / 256.0;
        match self {
            Channel::F32 => rounded(number),
            Channel::F16 if is_filtered => rounded_to_half(number),
            Channel::F16 => rounded(number),
            Channel::S8 if is_filtered => rounded(widened(sum as i32).max(-32767.0) / 32767.0),
            Channel::S16 if is_filtered => rounded(nearest(number).max(-32767.0) / 32767.0),
            // 257 steps of 16 bits are one of 8.
            Channel::U8 if is_filtered => rounded(nearest(257.0 * number) / 65535.0),
            Channel::U16 if is_filtered => rounded(nearest(number) / 65535.0),
            _ => rounded((number / self.steps()).max(-1.0)),
        }
    }

    /// The integer that the low bits stand for, in 32 bits.
    pub fn integer(self, bits: u32) -> u32 {
        match self {
            Channel::U8 => (bits as u8).into(),
            Channel::S8 => bits as i8 as u32,
            Channel::U16 => (bits as u16).into(),
            Channel::S16 => bits as i16 as u32,
            _ => bits,
        }
    }
}

/// The nearest integer; the upper one of two.
fn nearest(number: f64) -> f64 {
    (number + 0.5).floor()
}

/// The 15-bit fraction that a sum of signed bytes becomes, in 256ths of 1/127.
///
/// Exactly, it grows by one in 127.5; here its low four bits and the last part of that are lost. An H200 gave this for
/// each of 1169 sums.
fn widened(sum: i32) -> f64 {
    let growth = ((sum & !15) + (sum >> 8) + 64) >> 7;
    f64::from(sum + growth)
}

/// The nearest number of half precision; of two the one away from 0.
fn nearest_half(number: f64) -> f64 {
    let size = number.abs();
    let even = half::f16::from_f64(size);
    let above = half::f16::from_bits(even.to_bits() + 1).to_f64();
    let is_tie = above - size == size - even.to_f64();
    (if is_tie { above } else { even.to_f64() }).copysign(number)
}

/// Rounds to a result that has half precision.
pub fn rounded_to_half(number: f64) -> u32 {
    if number.is_nan() { 0x7fff_e000 } else { (nearest_half(number) as f32).to_bits() }
}

/// Rounds to the result of a read. NaNs have the bits that the GPU's arithmetic gives them.
fn rounded(number: f64) -> u32 {
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
            let result = channel.result(channel.number(bits) * 256.0, false);
            assert_eq!(f32::from_bits(result), want, "{channel:?} {bits:#x}");
        }
    }

    #[test]
    fn a_filtered_result_is_rounded_to_sixteen_bits() {
        // The second of two texels has `weight` 256ths. All results are those of an H200.
        for (channel, texels, weight, want) in [
            (Channel::U8, [122, 18], 1, 0x3ef4_24f4),
            (Channel::U16, [8314, 31561], 128, 0x3e9b_c49c),
            (Channel::S8, [122, 52], 192, 0x3f0c_1918),
            (Channel::S16, [0xcb12, 31561], 127, 0x3e89_f514),
            (Channel::F16, [0x3c7a, 0x4749], 1, 0x3f92_6000),
        ] {
            let [low, high] = texels.map(|bits| channel.number(bits));
            let sum = low * f64::from(256 - weight) + high * f64::from(weight);
            assert_eq!(channel.result(sum, true), want, "{channel:?}");
        }
    }

    #[test]
    fn a_tie_of_half_precision_goes_away_from_0() {
        assert_eq!(nearest_half(-3.8798828125), -3.880859375);
        assert_eq!(nearest_half(0.637939453125), 0.63818359375);
    }

    #[test]
    fn a_border_colour_is_rounded_to_the_format() {
        for (channel, color, want) in [
            (Channel::U8, 0.25, 64.0),
            (Channel::U8, -0.5, 0.0),
            (Channel::S8, -0.5, -63.0),
            (Channel::S8, 2.0, 127.0),
            (Channel::S16, 0.25, 8192.0),
            (Channel::F32, 2.0, 2.0),
        ] {
            assert_eq!(channel.border(f32::to_bits(color)), want, "{channel:?} {color}");
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
