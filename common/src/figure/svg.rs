//! A laid-out figure as SVG 1.1.

use super::layout::{Anchor, Colour, Layout, Piece, Shape};
use std::fmt::Write;

pub fn draw(layout: &Layout) -> String {
    let Layout { width, height, pieces } = layout;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for piece in pieces {
        let _ = match piece {
            Piece::Line { from, to, colour, width } => writeln!(
                out,
                "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{}\" stroke-width=\"{width}\"/>",
                from.x,
                from.y,
                to.x,
                to.y,
                hex(*colour)
            ),
            Piece::Mark { at, colour, shape: Shape::Circle } => {
                writeln!(out, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{}\"/>", at.x, at.y, hex(*colour))
            }
            Piece::Mark { at, colour, shape: Shape::Square } => writeln!(
                out,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"8\" height=\"8\" fill=\"{}\"/>",
                at.x - 4.0,
                at.y - 4.0,
                hex(*colour)
            ),
            Piece::Text { at, anchor, colour, is_large, text } => {
                let anchor = match anchor {
                    Anchor::Start => "start",
                    Anchor::Middle => "middle",
                    Anchor::End => "end",
                };
                let size = if *is_large { 20 } else { 15 };
                writeln!(
                    out,
                    "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\" fill=\"{}\">{}</text>",
                    at.x,
                    at.y,
                    hex(*colour),
                    escaped(text)
                )
            }
        };
    }
    out + "</svg>\n"
}

fn hex(Colour([red, green, blue]): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::super::layout::lay_out;
    use super::super::tests::sample;
    use super::*;

    #[test]
    fn every_piece_is_an_element_and_text_is_escaped() {
        let layout = lay_out(&sample());
        let svg = draw(&layout);
        // The opening and closing tag, and the background.
        assert_eq!(svg.lines().count(), layout.pieces.len() + 3);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(svg.contains(">a &amp; b &lt; c</text>"), "{svg}");
    }
}
