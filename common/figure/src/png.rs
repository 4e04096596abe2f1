//! A laid-out figure as PNG. Lines and letters are drawn by `embedded-graphics`, whose fonts are part of it: no font
//! file is looked for.

use crate::Pixels;
use crate::layout::{Anchor, Colour, Coordinates, FigureLayout, FigurePiece, MARK, MarkerShape, Outline, WIDTH};
use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::iso_8859_1::{FONT_9X15, FONT_10X20};
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::prelude::{DrawTarget, Drawable, OriginDimensions, Pixel, Primitive, Size};
use embedded_graphics::primitives::{Circle, Line, PrimitiveStyle, Rectangle, Triangle};
use embedded_graphics::text::{Alignment, Text};
use std::convert::Infallible;

impl OriginDimensions for Pixels {
    fn size(&self) -> Size {
        Size::new(self.width, self.height)
    }
}

impl DrawTarget for Pixels {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        use embedded_graphics::prelude::RgbColor;
        for Pixel(at, colour) in pixels {
            if let (Ok(x), Ok(y)) = (u32::try_from(at.x), u32::try_from(at.y))
                && x < self.width
                && y < self.height
            {
                *self.at_mut(x, y) = [colour.r(), colour.g(), colour.b()];
            }
        }
        Ok(())
    }
}

fn point(at: Coordinates) -> embedded_graphics::prelude::Point {
    embedded_graphics::prelude::Point::new(at.x.round() as i32, at.y.round() as i32)
}

fn rgb(Colour([red, green, blue]): Colour) -> Rgb888 {
    Rgb888::new(red, green, blue)
}

pub fn draw(layout: &FigureLayout) -> anyhow::Result<Vec<u8>> {
    let mut canvas = Pixels::from_fn(WIDTH as u32, layout.height.ceil() as u32, |_, _| [255; 3]);
    for piece in &layout.pieces {
        let Ok(()) = draw_piece(piece, &mut canvas);
    }
    canvas.png()
}

fn draw_piece(piece: &FigurePiece, canvas: &mut Pixels) -> Result<(), Infallible> {
    match piece {
        FigurePiece::Line { from, to, colour, width } => {
            let style = PrimitiveStyle::with_stroke(rgb(*colour), *width);
            Line::new(point(*from), point(*to)).into_styled(style).draw(canvas)
        }
        FigurePiece::Mark { at, colour, shape: MarkerShape { outline, is_hollow } } => {
            draw_mark(*at, *outline, MARK, rgb(*colour), canvas)?;
            if *is_hollow { draw_mark(*at, *outline, MARK / 2.0, Rgb888::new(255, 255, 255), canvas) } else { Ok(()) }
        }
        FigurePiece::Area { from, width, height, colour } => {
            let size = Size::new(width.round() as u32, height.round() as u32);
            Rectangle::new(point(*from), size).into_styled(PrimitiveStyle::with_fill(rgb(*colour))).draw(canvas)
        }
        FigurePiece::Text { at, anchor, colour, is_large, text } => {
            let font = if *is_large { &FONT_10X20 } else { &FONT_9X15 };
            let alignment = match anchor {
                Anchor::Start => Alignment::Left,
                Anchor::Middle => Alignment::Center,
                Anchor::End => Alignment::Right,
            };
            let style = MonoTextStyle::new(font, rgb(*colour));
            Text::with_alignment(text, point(*at), style, alignment).draw(canvas).map(drop)
        }
    }
}

fn draw_mark(
    at: Coordinates,
    outline: Outline,
    size: f64,
    colour: Rgb888,
    canvas: &mut Pixels,
) -> Result<(), Infallible> {
    let style = PrimitiveStyle::with_fill(colour);
    if outline == Outline::Circle {
        return Circle::with_center(point(at), (2.0 * size).round() as u32).into_styled(style).draw(canvas);
    }
    let corners = outline.corners(size);
    let corners: Vec<_> = corners.into_iter().map(|(x, y)| point(Coordinates { x: at.x + x, y: at.y + y })).collect();
    // A fan: no outline has a corner that points inwards.
    for pair in corners[1..].windows(2) {
        Triangle::new(corners[0], pair[0], pair[1]).into_styled(style).draw(canvas)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::lay_out;
    use crate::tests::sample;

    #[test]
    fn the_picture_has_its_size_its_letters_and_its_lines() {
        let layout = lay_out(&sample());
        let file = draw(&layout).unwrap();
        let mut picture = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut pixels = vec![0; picture.output_buffer_size().unwrap()];
        let info = picture.next_frame(&mut pixels).unwrap();
        assert_eq!((f64::from(info.height), info.color_type), (layout.height, png::ColorType::Rgb));
        let has = |colour: [u8; 3], rows: std::ops::Range<usize>| {
            let row = 3 * info.width as usize;
            pixels[row * rows.start..row * rows.end].chunks(3).filter(|pixel| **pixel == colour).count()
        };
        // The title's letters, and nothing above them; the first line's colour in the first panel.
        assert_eq!(has([0x22; 3], 0..15), 0);
        assert!(has([0x22; 3], 15..40) > 100);
        assert!(has([0x00, 0x72, 0xb2], 130..400) > 500);
    }
}
