//! sRGB-encoded texels (CUDA Runtime API, `cudaTextureDesc::sRGB`).
//!
//! The documentation leaves the arithmetic open. An H200 decodes a byte to the nearest multiple of a step. The step
//! depends on the range of the byte. In a sum, the texels of a slice are cut off to the largest one's step. A sum of
//! several slices or mipmap levels may differ from the H200's by the last bit of half precision.

/// The first byte of each range. The step of the first range is 2 to the power of -14, and it doubles with each range.
const RANGES: [u8; 8] = [0, 32, 48, 64, 96, 136, 184, 248];

/// The number that an encoded byte stands for.
pub fn decoded(byte: u8) -> f64 {
    let step = step(byte);
    (linear(byte) / step + 0.5).floor() * step
}

fn linear(byte: u8) -> f64 {
    let encoded = f64::from(byte) / 255.0;
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

fn step(byte: u8) -> f64 {
    let range = RANGES.iter().rposition(|&first| first <= byte).unwrap_or(0);
    f64::powi(2.0, range as i32 - 14)
}

/// The byte that a number is encoded as.
pub fn encoded(number: f32) -> u8 {
    let number = f64::from(number).clamp(0.0, 1.0);
    let encoded = if number <= 0.003_130_8 { 12.92 * number } else { 1.055 * number.powf(1.0 / 2.4) - 0.055 };
    (encoded * 255.0 + 0.5) as u8
}

/// The sum of the encoded texels of a slice by weight.
pub fn sum(texels: impl Iterator<Item = (u32, u8)> + Clone) -> f64 {
    let step = texels.clone().map(|(_, byte)| step(byte)).fold(0.0, f64::max);
    texels.map(|(weight, byte)| f64::from(weight) * (decoded(byte) / step).floor() * step).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An H200 gives these numbers, in units of 2 to the power of -14.
    #[test]
    fn a_byte_is_decoded_to_a_multiple_of_a_step() {
        for (byte, want) in [
            (0, 0),
            (1, 5),
            (13, 66),
            (31, 224),
            (32, 236),
            (33, 250),
            (41, 364),
            (65, 864),
            (253, 16_128),
            (255, 16_384),
        ] {
            assert_eq!(decoded(byte) * 16_384.0, f64::from(want), "{byte}");
        }
    }

    /// An H200 gives these numbers.
    #[test]
    fn a_border_colour_is_encoded_first() {
        for (color, want) in [(0.5, 0.50390625), (0.25, 0.25), (0.7, 0.69921875), (-1.0, 0.0), (3.0, 1.0)] {
            assert_eq!(decoded(encoded(color)), want, "{color}");
        }
    }

    /// An H200 gives these sums, in units of 2 to the power of -18.
    #[test]
    fn small_texels_lose_bits_in_a_sum() {
        for (low, high, weight, want) in [(59, 75, 40, 12_496), (30, 250, 5, 6_888), (255, 0, 131, 128_000)] {
            let sum = sum([(256 - weight, low), (weight, high)].into_iter()) / 256.0;
            let half = half::f16::from_f64(sum).to_f64();
            assert_eq!(half * 262_144.0, f64::from(want), "{low} {high}");
        }
    }
}
