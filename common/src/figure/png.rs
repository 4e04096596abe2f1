//! A laid-out figure as PNG. Lines and letters are drawn by `embedded-graphics`, whose fonts are part of it: no font
//! file is looked for.

use super::layout::{Anchor, Colour, Layout, Piece, Point, Shape};
use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::iso_8859_1::{FONT_9X15, FONT_10X20};
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::prelude::{DrawTarget, Drawable, OriginDimensions, Pixel, Primitive, Size};
use embedded_graphics::primitives::{Circle, Line, PrimitiveStyle, Rectangle};
use embedded_graphics::text::{Alignment, Text};
use image::{ImageFormat, Rgb, RgbImage};
use std::convert::Infallible;
use std::io::Cursor;

struct Canvas(RgbImage);

impl OriginDimensions for Canvas {
    fn size(&self) -> Size {
        Size::new(self.0.width(), self.0.height())
    }
}

impl DrawTarget for Canvas {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        use embedded_graphics::prelude::RgbColor;
        for Pixel(at, colour) in pixels {
            if let (Ok(x), Ok(y)) = (u32::try_from(at.x), u32::try_from(at.y))
                && let Some(pixel) = self.0.get_pixel_mut_checked(x, y)
            {
                *pixel = Rgb([colour.r(), colour.g(), colour.b()]);
            }
        }
        Ok(())
    }
}

fn point(at: &Point) -> embedded_graphics::prelude::Point {
    embedded_graphics::prelude::Point::new(at.x.round() as i32, at.y.round() as i32)
}

fn rgb(Colour([red, green, blue]): Colour) -> Rgb888 {
    Rgb888::new(red, green, blue)
}

pub fn draw(layout: &Layout) -> anyhow::Result<Vec<u8>> {
    let mut canvas = Canvas(RgbImage::from_pixel(layout.width as u32, layout.height as u32, Rgb([255; 3])));
    for piece in &layout.pieces {
        let Ok(()) = draw_piece(piece, &mut canvas);
    }
    let mut bytes = Cursor::new(Vec::new());
    canvas.0.write_to(&mut bytes, ImageFormat::Png)?;
    Ok(bytes.into_inner())
}

fn draw_piece(piece: &Piece, canvas: &mut Canvas) -> Result<(), Infallible> {
    match piece {
        Piece::Line { from, to, colour, width } => {
            let style = PrimitiveStyle::with_stroke(rgb(*colour), *width);
            Line::new(point(from), point(to)).into_styled(style).draw(canvas)
        }
        Piece::Mark { at, colour, shape: Shape::Circle } => {
            Circle::with_center(point(at), 9).into_styled(PrimitiveStyle::with_fill(rgb(*colour))).draw(canvas)
        }
        Piece::Mark { at, colour, shape: Shape::Square } => {
            let square = Rectangle::with_center(point(at), Size::new(8, 8));
            square.into_styled(PrimitiveStyle::with_fill(rgb(*colour))).draw(canvas)
        }
        Piece::Text { at, anchor, colour, is_large, text } => {
            let font = if *is_large { &FONT_10X20 } else { &FONT_9X15 };
            let alignment = match anchor {
                Anchor::Start => Alignment::Left,
                Anchor::Middle => Alignment::Center,
                Anchor::End => Alignment::Right,
            };
            let style = MonoTextStyle::new(font, rgb(*colour));
            Text::with_alignment(text, point(at), style, alignment).draw(canvas).map(drop)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::layout::lay_out;
    use super::super::tests::sample;
    use super::*;

    #[test]
    fn the_picture_has_its_size_its_letters_and_its_lines() {
        let layout = lay_out(&sample());
        let picture = image::load_from_memory(&draw(&layout).unwrap()).unwrap().to_rgb8();
        assert_eq!(f64::from(picture.height()), layout.height);
        let has = |colour: [u8; 3], rows: std::ops::Range<u32>| {
            rows.flat_map(|y| (0..picture.width()).map(move |x| (x, y)))
                .filter(|&(x, y)| picture.get_pixel(x, y).0 == colour)
                .count()
        };
        // The title's letters, and nothing above them; the first line's colour in the first panel.
        assert_eq!(has([0x22; 3], 0..15), 0);
        assert!(has([0x22; 3], 15..40) > 100);
        assert!(has([0x00, 0x72, 0xb2], 130..400) > 500);
    }
}
