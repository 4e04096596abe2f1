//! The grey values of a PNG, a JPEG, a PGM or a PPM.
//!
//! Colours are weighted as in BT.709, transparency is left out, 16 bits become 8. A library for all formats takes three
//! times as long to build as these two decoders, and most of that is for colour profiles.

use anyhow::{Context as _, ensure};
use std::io::Cursor;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Row by row.
pub struct Grey {
    pub width: u32,
    pub height: u32,
    pub values: Vec<u8>,
}

/// By its first bytes; `None` if they are not those of an image.
pub fn decode(bytes: &[u8]) -> Option<anyhow::Result<Grey>> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(png(bytes)),
        [0xff, 0xd8, 0xff, ..] => Some(jpeg(bytes)),
        [b'P', kind @ (b'2' | b'3' | b'5' | b'6'), rest @ ..] => Some(pnm(*kind, rest)),
        _ => None,
    }
}

/// `samples` has `channels` bytes for each pixel.
fn grey(width: u32, height: u32, channels: usize, samples: &[u8]) -> Grey {
    let value = |pixel: &[u8]| match *pixel {
        [red, green, blue, ..] => {
            ((2126 * u32::from(red) + 7152 * u32::from(green) + 722 * u32::from(blue)) / 10000) as u8
        }
        [value, ..] => value,
        [] => 0,
    };
    Grey { width, height, values: samples.chunks_exact(channels).map(value).collect() }
}

fn png(bytes: &[u8]) -> anyhow::Result<Grey> {
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info()?;
    let mut samples = vec![0; reader.output_buffer_size().context("too large")?];
    let info = reader.next_frame(&mut samples)?;
    Ok(grey(info.width, info.height, info.color_type.samples(), &samples[..info.buffer_size()]))
}

fn jpeg(bytes: &[u8]) -> anyhow::Result<Grey> {
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), DecoderOptions::default());
    decoder.decode_headers()?;
    let is_grey = decoder.input_colorspace() == Some(ColorSpace::Luma);
    let (space, channels) = if is_grey { (ColorSpace::Luma, 1) } else { (ColorSpace::RGB, 3) };
    decoder.set_options(DecoderOptions::default().jpeg_set_out_colorspace(space));
    let samples = decoder.decode()?;
    let (width, height) = decoder.dimensions().context("no size")?;
    Ok(grey(width.try_into()?, height.try_into()?, channels, &samples))
}

/// A number of the text part, after spaces and comments.
fn number(rest: &mut &[u8]) -> anyhow::Result<u32> {
    loop {
        match rest {
            [b'#', ..] => {
                let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                *rest = &rest[end..];
            }
            [space, after @ ..] if space.is_ascii_whitespace() => *rest = after,
            _ => break,
        }
    }
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, after) = rest.split_at(digits);
    *rest = after;
    Ok(std::str::from_utf8(number)?.parse()?)
}

fn pnm(kind: u8, mut rest: &[u8]) -> anyhow::Result<Grey> {
    let (width, height, most) = (number(&mut rest)?, number(&mut rest)?, number(&mut rest)?);
    ensure!((1..=0xffff).contains(&most), "values up to {most}");
    let channels = if kind == b'3' || kind == b'6' { 3 } else { 1 };
    let count = u64::from(width) * u64::from(height) * channels;
    // Each value takes a byte or more: no memory for what is not there.
    ensure!(count <= rest.len() as u64, "{width} x {height} pixels, and {} bytes", rest.len());
    let scaled = |value: u32| (value.min(most) * 255 / most) as u8;
    let samples = if kind < b'4' {
        (0..count).map(|_| number(&mut rest).map(scaled)).collect::<anyhow::Result<Vec<u8>>>()?
    } else {
        let size = if most > 255 { 2 } else { 1 };
        // One byte of space ends the header.
        let bytes = rest.get(1..1 + count as usize * size).context("the file ends early")?;
        bytes.chunks(size).map(|value| scaled(value.iter().fold(0, |all, &byte| all << 8 | u32::from(byte)))).collect()
    };
    Ok(grey(width, height, channels as usize, &samples))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(bytes: &[u8]) -> Vec<u8> {
        decode(bytes).expect("an image").unwrap().values
    }

    #[test]
    fn text_and_bytes_of_8_and_16_bits_give_the_same() {
        for file in [
            &b"P2\n# a comment\n3 1 255\n0 128 255\n"[..],
            b"P5 3 1 255\n\x00\x80\xff",
            b"P5 3 1 65535\n\x00\x00\x80\x80\xff\xff",
            b"P3 3 1 255 0 0 0 128 128 128 255 255 255",
            b"P6 3 1 255\n\x00\x00\x00\x80\x80\x80\xff\xff\xff",
        ] {
            assert_eq!(values(file), [0, 128, 255], "{}", file.escape_ascii());
        }
        // Green is the brightest.
        assert_eq!(values(b"P3 3 1 1 1 0 0 0 1 0 0 0 1"), [54, 182, 18]);
    }

    #[test]
    fn a_png_of_colours_is_its_grey_values() {
        let file = figure::Pixels::from_fn(2, 1, |x, _| [[255, 0, 0], [7; 3]][x as usize]).png().unwrap();
        assert_eq!(values(&file), [54, 7]);
    }

    /// 8 x 8 pixels of one grey, 200: a difference of 72 * 8 from the middle, which is 36 steps of 16.
    #[test]
    fn a_jpeg_is_its_grey_values() {
        let mut file = b"\xff\xd8\xff\xdb\x00\x43\x00".to_vec();
        file.extend([16; 64]);
        file.extend(b"\xff\xc0\x00\x0b\x08\x00\x08\x00\x08\x01\x01\x11\x00");
        // One code of one bit, 0, for a difference of six bits; then the same code for the end of the block.
        file.extend(b"\xff\xc4\x00\x14\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x06");
        file.extend(b"\xff\xc4\x00\x14\x10\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00");
        file.extend(b"\xff\xda\x00\x08\x01\x01\x00\x00\x3f\x00");
        file.extend([0b0100_1000, 0xff, 0xd9]);
        assert_eq!(values(&file), [200; 64]);
    }

    #[test]
    fn what_ends_early_or_claims_too_much_is_an_error() {
        for file in ["P5 3 1 255\n\0", "P5 90000 90000 255\n\0", "P2 1 1 0 0", "P2 1 1", "P2 2 1 255 1    "] {
            assert!(decode(file.as_bytes()).expect("an image").is_err(), "{file:?}");
        }
        assert!(decode(b"P9").is_none());
    }
}
