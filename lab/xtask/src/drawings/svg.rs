//! The parts of drawings: boxes, arrows and texts on a light card, so that they look alike on a light page and
//! on a dark one.
//!
//! A drawing keeps its texts until the end. They lie above all shapes, and [`Drawing::problems`] can say which of them
//! overlap.

use std::fmt::Write;

/// The width of every drawing, in pixels.
pub const WIDTH: i32 = 760;

const CARD: &str = "#fbfaf7";

const STYLE: &str = "text{font:14px system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,'DejaVu \
    Sans',sans-serif;fill:#1f2933}\
    .m{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono','DejaVu Sans \
    Mono',monospace;font-size:13px}.h .m{font-size:16px}\
    .h{font-size:17px;font-weight:600}.n{font-size:13px;fill:#4a5560}\
    .o{paint-order:stroke;stroke:#fbfaf7;stroke-width:4px;stroke-linejoin:round}\
    rect,path,line{stroke-width:1.5}";

/// The meaning of a colour. Each box also says it in words or by its hatching.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// A write, a piece of data.
    Blue,
    /// A read, a right result.
    Green,
    /// A wrong result.
    Red,
    /// Something special: a tail, a barrier, a fence.
    Orange,
    /// Whatever takes no part.
    Grey,
    White,
}

impl Tone {
    fn fill(self) -> &'static str {
        match self {
            Tone::Blue => "#dbe9fb",
            Tone::Green => "#dcf2e1",
            Tone::Red => "#fbdedb",
            Tone::Orange => "#fdebd0",
            Tone::Grey => "#eceff2",
            Tone::White => "#ffffff",
        }
    }

    fn stroke(self) -> &'static str {
        match self {
            Tone::Blue => "#2563a8",
            Tone::Green => "#1b7a3d",
            Tone::Red => "#b42318",
            Tone::Orange => "#b45309",
            Tone::Grey | Tone::White => "#7b8794",
        }
    }
}

/// Which point of a text is given.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum TextAnchor {
    Start,
    Middle,
    End,
}

/// x, y, width and height.
pub type Area = [i32; 4];

pub struct Drawing {
    height: i32,
    title: String,
    description: String,
    shapes: String,
    texts: Vec<Text>,
}

struct Text {
    x: i32,
    /// The baseline.
    y: i32,
    at: TextAnchor,
    class: &'static str,
    text: String,
    /// The width that it may have.
    room: i32,
}

impl Drawing {
    /// The title is also the heading that everybody sees; the description is for who does not see the drawing.
    pub fn new(height: i32, title: &str, description: &str) -> Drawing {
        let mut drawing = Drawing {
            height,
            title: title.to_string(),
            description: description.to_string(),
            shapes: String::new(),
            texts: Vec::new(),
        };
        drawing.put(TextAnchor::Start, 24, 34, "h", title, WIDTH - 48);
        drawing
    }

    pub fn area(&mut self, area: Area, tone: Tone) {
        self.shape(area, tone, tone.fill(), "");
    }

    /// A piece of an area that stands out.
    pub fn full_area(&mut self, area: Area, tone: Tone) {
        self.shape(area, tone, tone.stroke(), "");
    }

    /// Draws something that is not there, or only perhaps.
    pub fn dashed_area(&mut self, area: Area, tone: Tone) {
        self.shape(area, tone, "none", " stroke-dasharray=\"5 4\"");
    }

    pub fn hatched_area(&mut self, area: Area, tone: Tone) {
        let fill = if tone == Tone::Red { "url(#red)" } else { "url(#grey)" };
        self.shape(area, tone, fill, "");
    }

    fn shape(&mut self, [x, y, width, height]: Area, tone: Tone, fill: &str, more: &str) {
        // Small pieces keep their corners, or they look like dots.
        let radius = if width.min(height) >= 24 { 5 } else { 1 };
        let stroke = tone.stroke();
        let _ = writeln!(
            self.shapes,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{radius}\" fill=\"{fill}\" \
             stroke=\"{stroke}\"{more}/>"
        );
    }

    /// A box with a text in its middle; `\n` begins a new line.
    pub fn cell(&mut self, area: Area, tone: Tone, text: &str) {
        self.area(area, tone);
        self.within(area, "", text);
    }

    pub fn dashed_cell(&mut self, area: Area, tone: Tone, text: &str) {
        self.dashed_area(area, tone);
        self.within(area, "o", text);
    }

    pub fn hatched_cell(&mut self, area: Area, tone: Tone, text: &str) {
        self.hatched_area(area, tone);
        self.within(area, "o", text);
    }

    fn within(&mut self, [x, y, width, height]: Area, class: &'static str, text: &str) {
        let lines = text.split('\n').count() as i32;
        for (line, text) in (0..).zip(text.split('\n')) {
            let baseline = y + height / 2 + 5 + 18 * line - 9 * (lines - 1);
            self.put(TextAnchor::Middle, x + width / 2, baseline, class, text, width - 6);
        }
    }

    /// Words between backquotes are in a monospace font, here and in every other text.
    pub fn text(&mut self, at: TextAnchor, x: i32, y: i32, text: &str) {
        self.put(at, x, y, "o", text, WIDTH);
    }

    /// A text in an area that was drawn before.
    pub fn text_inside(&mut self, x: i32, y: i32, text: &str) {
        self.put(TextAnchor::Start, x, y, "", text, WIDTH);
    }

    /// Smaller and paler than [`Drawing::text`].
    pub fn note(&mut self, at: TextAnchor, x: i32, y: i32, text: &str) {
        self.put(at, x, y, "n o", text, WIDTH);
    }

    fn put(&mut self, at: TextAnchor, x: i32, y: i32, class: &'static str, text: &str, room: i32) {
        if !text.is_empty() {
            self.texts.push(Text { x, y, at, class, text: text.to_string(), room });
        }
    }

    pub fn line(&mut self, from: (i32, i32), to: (i32, i32), tone: Tone) {
        self.path(&[from, to], tone, "");
    }

    pub fn dashed_line(&mut self, from: (i32, i32), to: (i32, i32), tone: Tone) {
        self.path(&[from, to], tone, " stroke-dasharray=\"5 4\"");
    }

    pub fn arrow(&mut self, from: (i32, i32), to: (i32, i32), tone: Tone) {
        self.arrow_along(&[from, to], tone);
    }

    pub fn dashed_arrow(&mut self, from: (i32, i32), to: (i32, i32), tone: Tone) {
        self.path(&[from, to], tone, " stroke-dasharray=\"5 4\"");
        self.head(from, to, tone);
    }

    /// An arrow with corners.
    pub fn arrow_along(&mut self, points: &[(i32, i32)], tone: Tone) {
        self.path(points, tone, "");
        if let [.., from, to] = *points {
            self.head(from, to, tone);
        }
    }

    fn path(&mut self, points: &[(i32, i32)], tone: Tone, more: &str) {
        let mut way = String::new();
        for (index, (x, y)) in points.iter().enumerate() {
            let _ = write!(way, "{}{x} {y}", if index == 0 { "M" } else { "L" });
        }
        let _ = writeln!(self.shapes, "<path d=\"{way}\" fill=\"none\" stroke=\"{}\"{more}/>", tone.stroke());
    }

    fn head(&mut self, from: (i32, i32), to: (i32, i32), tone: Tone) {
        let (dx, dy) = (f64::from(to.0 - from.0), f64::from(to.1 - from.1));
        let length = dx.hypot(dy);
        let (dx, dy) = (dx / length, dy / length);
        let (x, y) = (f64::from(to.0), f64::from(to.1));
        let corner = |side: f64| (x - 9.0 * dx - side * dy, y - 9.0 * dy + side * dx);
        let (left, right) = (corner(4.5), corner(-4.5));
        let _ = writeln!(
            self.shapes,
            "<path d=\"M{x:.1} {y:.1}L{:.1} {:.1}L{:.1} {:.1}Z\" fill=\"{}\" stroke=\"none\"/>",
            left.0,
            left.1,
            right.0,
            right.1,
            tone.stroke()
        );
    }

    /// Below what it holds together, with its middle pointing down to a text.
    pub fn bracket(&mut self, left: i32, right: i32, y: i32, tone: Tone) {
        let middle = (left + right) / 2;
        self.path(&[(left, y), (left, y + 6), (right, y + 6), (right, y)], tone, "");
        self.path(&[(middle, y + 6), (middle, y + 12)], tone, "");
    }

    /// Time runs to the right.
    pub fn time(&mut self, y: i32, word: &str) {
        self.arrow((24, y), (WIDTH - 24, y), Tone::Grey);
        self.note(TextAnchor::End, WIDTH - 24, y + 18, word);
    }

    pub fn svg(&self) -> String {
        let height = self.height;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
             height=\"{height}\" \
             role=\"img\" aria-labelledby=\"title desc\">\n<title id=\"title\">{}</title>\n\
             <desc id=\"desc\">{}</desc>\n<style>{STYLE}</style>\n",
            escaped(&self.title.replace('`', "")),
            escaped(&self.description)
        );
        svg.push_str("<defs>");
        for (name, tone) in [("grey", Tone::Grey), ("red", Tone::Red)] {
            let _ = write!(
                svg,
                "<pattern id=\"{name}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">\
                 <rect width=\"8\" height=\"8\" style=\"stroke:none\" fill=\"{CARD}\"/>\
                 <path d=\"M-2 2L2 -2M0 8L8 0M6 10L10 6\" stroke=\"{}\" opacity=\".45\"/></pattern>",
                tone.stroke()
            );
        }
        let _ = writeln!(
            svg,
            "</defs>\n<rect x=\".75\" y=\".75\" width=\"{}.5\" height=\"{}.5\" rx=\"10\" fill=\"{CARD}\" \
             stroke=\"#cbd2d9\"/>",
            WIDTH - 2,
            height - 2
        );
        svg.push_str(&self.shapes);
        for text in &self.texts {
            let anchor = match text.at {
                TextAnchor::Start => "",
                TextAnchor::Middle => " text-anchor=\"middle\"",
                TextAnchor::End => " text-anchor=\"end\"",
            };
            let class = if text.class.is_empty() { String::new() } else { format!(" class=\"{}\"", text.class) };
            let _ = write!(svg, "<text x=\"{}\" y=\"{}\"{anchor}{class}>", text.x, text.y);
            for (index, part) in text.text.split('`').enumerate() {
                let part = escaped(part);
                let _ = if index % 2 == 1 {
                    write!(svg, "<tspan class=\"m\">{part}</tspan>")
                } else {
                    write!(svg, "{part}")
                };
            }
            svg.push_str("</text>\n");
        }
        svg + "</svg>\n"
    }

    /// Texts that overlap, leave the card or do not fit their box, as wide as they are in a wide font.
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let extents: Vec<[f64; 4]> = self.texts.iter().map(Text::extent).collect();
        for (index, (text, [left, top, right, bottom])) in self.texts.iter().zip(&extents).enumerate() {
            let (width, height) = (f64::from(WIDTH), f64::from(self.height));
            if *left < 10.0 || *right > width - 10.0 || *top < 6.0 || *bottom > height - 6.0 {
                problems.push(format!("{:?} leaves the card: {left:.0} to {right:.0}", text.text));
            }
            if right - left > f64::from(text.room) {
                problems.push(format!("{:?} is {:.0} wide, its box has {}", text.text, right - left, text.room));
            }
            for (other, [l, t, r, b]) in self.texts.iter().zip(&extents).skip(index + 1) {
                if left < r && l < right && top < b && t < bottom {
                    problems.push(format!("{:?} overlaps {:?}", text.text, other.text));
                }
            }
        }
        problems
    }
}

impl Text {
    /// Left, top, right and bottom.
    fn extent(&self) -> [f64; 4] {
        let size = match self.class {
            "h" => 18.5, // Bold letters are wider.
            "n o" => 13.0,
            _ => 14.0,
        };
        let mut width = 0.0;
        for (index, part) in self.text.split('`').enumerate() {
            width += if index % 2 == 1 {
                let size = if self.class == "h" { 16.0 } else { 13.0 };
                0.61 * size * part.chars().count() as f64
            } else {
                size * part.chars().map(letter_width).sum::<f64>()
            };
        }
        let left = f64::from(self.x)
            - match self.at {
                TextAnchor::Start => 0.0,
                TextAnchor::Middle => width / 2.0,
                TextAnchor::End => width,
            };
        let baseline = f64::from(self.y);
        [left, baseline - 0.75 * size, left + width, baseline + 0.22 * size]
    }
}

/// Returns the width of a letter of DejaVu Sans, which is wider than most fonts.
fn letter_width(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | 'í' | '\'' => 0.28,
        ' ' | '.' | ',' | ':' | ';' | 'f' | 't' | 'r' | 'I' | '(' | ')' | '[' | ']' | '/' | '|' | '-' => 0.38,
        'm' | 'w' | 'M' | 'W' | '→' | '=' | '+' | '<' | '>' => 0.9,
        letter if letter.is_uppercase() => 0.7,
        _ => 0.62,
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_says_what_it_is_and_escapes_its_texts() {
        let mut drawing = Drawing::new(100, "A `title`", "a < b & c");
        drawing.text(TextAnchor::Start, 30, 80, "see `x<y>` here");
        let svg = drawing.svg();
        assert!(
            svg.contains("<title id=\"title\">A title</title>\n<desc id=\"desc\">a &lt; b &amp; c</desc>"),
            "{svg}"
        );
        assert!(svg.contains(">see <tspan class=\"m\">x&lt;y&gt;</tspan> here</text>"), "{svg}");
    }

    #[test]
    fn texts_that_are_hard_to_read_are_found() {
        let with = |draw: &dyn Fn(&mut Drawing)| {
            let mut drawing = Drawing::new(200, "T", "d");
            draw(&mut drawing);
            drawing.problems().len()
        };
        assert_eq!(with(&|_| {}), 0);
        assert_eq!(with(&|drawing| drawing.cell([300, 60, 80, 30], Tone::Blue, "fits")), 0);
        assert_eq!(with(&|drawing| drawing.cell([300, 60, 80, 30], Tone::Blue, "does not fit at all")), 1);
        assert_eq!(with(&|drawing| drawing.text(TextAnchor::Start, 700, 100, "over the edge")), 1);
        assert_eq!(with(&|drawing| drawing.text(TextAnchor::Start, 30, 198, "too low")), 1);
        let two = |drawing: &mut Drawing| {
            drawing.text(TextAnchor::Start, 30, 100, "one");
            drawing.text(TextAnchor::End, 60, 104, "two");
        };
        assert_eq!(with(&two), 1);
    }
}
