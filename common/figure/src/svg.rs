//! A laid-out figure as SVG 1.1.

use crate::layout::{Anchor, Colour, Coordinates, FigureLayout, FigurePiece, MARK, Outline, WIDTH};
use std::fmt::Write;

/// On a card of its own, so that it can be read on a light page and on a dark one.
pub fn draw(layout: &FigureLayout, title: &str, description: &str) -> String {
    let FigureLayout { height, pieces } = layout;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} \
         {height}\" \
         font-family=\"system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, 'DejaVu Sans', sans-serif\" \
         font-size=\"15\" role=\"img\" aria-labelledby=\"title desc\">\n\
         <title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"10\" fill=\"#ffffff\" stroke=\"#cbd2d9\"/>\n",
        escaped(title),
        escaped(description),
        WIDTH - 1.0,
        height - 1.0
    );
    for piece in pieces {
        out += &element(piece);
        out.push('\n');
    }
    out + "</svg>\n"
}

fn element(piece: &FigurePiece) -> String {
    match piece {
        FigurePiece::Line { from, to, colour, width } => format!(
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{}\" stroke-width=\"{width}\"/>",
            from.x,
            from.y,
            to.x,
            to.y,
            hex(*colour)
        ),
        FigurePiece::Mark { at, colour, shape } => {
            let look = if shape.is_hollow {
                format!("fill=\"#ffffff\" stroke=\"{}\" stroke-width=\"2\"", hex(*colour))
            } else {
                format!("fill=\"{}\"", hex(*colour))
            };
            // The stroke goes beyond the outline.
            let size = if shape.is_hollow { MARK - 0.5 } else { MARK };
            mark(*at, shape.outline, size, &look)
        }
        FigurePiece::Area { from, width, height, colour } => format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{}\"/>",
            from.x,
            from.y,
            hex(*colour)
        ),
        FigurePiece::Text { at, anchor, colour, is_large, text } => {
            let anchor = match anchor {
                Anchor::Start => "",
                Anchor::Middle => " text-anchor=\"middle\"",
                Anchor::End => " text-anchor=\"end\"",
            };
            let size = if *is_large { " font-size=\"18\" font-weight=\"600\"" } else { "" };
            let Coordinates { x, y } = at;
            format!("<text x=\"{x:.1}\" y=\"{y:.1}\"{anchor}{size} fill=\"{}\">{}</text>", hex(*colour), escaped(text))
        }
    }
}

fn mark(at: Coordinates, outline: Outline, size: f64, look: &str) -> String {
    if outline == Outline::Circle {
        return format!("<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{size}\" {look}/>", at.x, at.y);
    }
    let mut points = String::new();
    for (x, y) in outline.corners(size) {
        let _ = write!(points, "{:.1},{:.1} ", at.x + x, at.y + y);
    }
    format!("<polygon points=\"{}\" {look}/>", points.trim_end())
}

fn hex(Colour([red, green, blue]): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use crate::layout::lay_out;
    use crate::tests::sample;

    #[test]
    fn every_piece_is_an_element_and_text_is_escaped() {
        let svg = sample().svg();
        // The opening and closing tag, title and description, and the background.
        assert_eq!(svg.lines().count(), lay_out(&sample()).pieces.len() + 5);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(svg.contains(">a &amp; b &lt; c</text>"), "{svg}");
    }

    #[test]
    fn a_small_figure() {
        let mut settings = insta::Settings::clone_current();
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!("small_figure", sample().svg()));
    }

    #[test]
    fn who_does_not_see_it_is_told_what_is_in_it() {
        let svg = sample().svg();
        assert!(svg.contains("<title id=\"title\">Two lines</title>"), "{svg}");
        let told = "<desc id=\"desc\">by hand. A: a &amp; b &lt; c; x. one (0: 0 … 4: 4). two (0: 0 … 4: 10). \
                    most, 8. B: a &amp; b &lt; c. one (left: 3; right: 1). two (right: 2)</desc>";
        assert!(svg.contains(told), "{svg}");
    }
}
