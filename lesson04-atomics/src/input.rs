//! Real input: the bytes that histogram and filter read.

use anyhow::Context as _;
use image::ImageFormat;

/// The pixels of `data/sample.pgm`, which `examples/make_sample.rs` draws.
pub const SAMPLE: &[u8] = include_bytes!("../data/sample.pgm").split_at(SAMPLE_HEADER.len()).1;

pub const SAMPLE_HEADER: &str = "P5\n512 384\n255\n";

/// The grey values of an image (PNG, JPEG, PGM and its kin), the bytes of any other file.
pub fn greys(file: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    match image::guess_format(&file) {
        Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::Pnm)) => {
            let image = image::load_from_memory_with_format(&file, format)
                .with_context(|| format!("--input looks like a {format:?} image, but cannot be decoded"))?;
            Ok(image.into_luma8().into_raw())
        }
        _ => Ok(file),
    }
}

/// Greys above the average become positive, so that `src > 0` keeps what is bright.
pub fn brightness(greys: &[u8]) -> Vec<i32> {
    let sum: i64 = greys.iter().map(|&grey| i64::from(grey)).sum();
    // Just below the average, so that the brightest is kept even where all are alike.
    let average = (sum - 1).div_euclid(greys.len().max(1) as i64) as i32;
    greys.iter().map(|&grey| i32::from(grey) - average).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_is_an_image_of_its_own_pixels() {
        let file = include_bytes!("../data/sample.pgm").to_vec();
        assert!(file.starts_with(SAMPLE_HEADER.as_bytes()));
        assert_eq!(greys(file).unwrap(), SAMPLE);
        assert_eq!(SAMPLE.len(), 512 * 384);
    }

    #[test]
    fn a_png_gives_its_greys_and_anything_else_its_bytes() {
        let picture = image::GrayImage::from_fn(3, 2, |x, y| image::Luma([(x + 10 * y) as u8]));
        let mut png = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut png, ImageFormat::Png).unwrap();
        assert_eq!(greys(png.into_inner()).unwrap(), [0, 1, 2, 10, 11, 12]);
        assert_eq!(greys(b"plain text".to_vec()).unwrap(), b"plain text");
        let broken = greys(b"\x89PNG\r\n\x1a\nnot really".to_vec()).unwrap_err();
        assert!(broken.to_string().contains("Png"), "{broken}");
    }

    #[test]
    fn the_bright_are_positive_and_there_is_always_one() {
        assert_eq!(brightness(&[0, 10, 20]), [-9, 1, 11]);
        assert_eq!(brightness(&[7, 7]), [1, 1]);
        assert_eq!(brightness(&[0, 0]), [1, 1]);
        assert_eq!(brightness(&[]), []);
    }
}
