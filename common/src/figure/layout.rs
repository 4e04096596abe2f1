//! Where everything of a figure goes, in pixels from the top left.

use super::{Figure, Panel};

pub const WIDTH: f64 = 960.0;
const HEAD: f64 = 74.0;
const PANEL: f64 = 380.0;
/// Around the axes of a panel: above for its title and the name of the vertical axis, left for numbers, below for
/// numbers and a name, right for the legend.
const TOP: f64 = 64.0;
const LEFT: f64 = 96.0;
const BOTTOM: f64 = 64.0;
const RIGHT: f64 = 236.0;

const INK: Colour = Colour([0x22, 0x22, 0x22]);
const GREY: Colour = Colour([0x66, 0x66, 0x66]);
const GRID: Colour = Colour([0xdd, 0xdd, 0xdd]);
/// Told apart also by those who do not see red or green (after Okabe and Ito), and by their marks.
const COLOURS: [Colour; 7] = [
    Colour([0x00, 0x72, 0xb2]),
    Colour([0xd5, 0x5e, 0x00]),
    Colour([0x00, 0x9e, 0x73]),
    Colour([0xcc, 0x79, 0xa7]),
    Colour([0xe6, 0x9f, 0x00]),
    Colour([0x56, 0xb4, 0xe9]),
    Colour([0x44, 0x44, 0x44]),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub [u8; 3]);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Circle,
    Square,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    Line {
        from: Point,
        to: Point,
        colour: Colour,
        width: u32,
    },
    Mark {
        at: Point,
        colour: Colour,
        shape: Shape,
    },
    /// `at` is on the line that the letters stand on.
    Text {
        at: Point,
        anchor: Anchor,
        colour: Colour,
        is_large: bool,
        text: String,
    },
}

/// A figure as pieces, in the order in which they are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    pub width: f64,
    pub height: f64,
    pub pieces: Vec<Piece>,
}

pub fn lay_out(figure: &Figure) -> Layout {
    let mut layout = Layout { width: WIDTH, height: HEAD + PANEL * figure.panels.len() as f64, pieces: Vec::new() };
    layout.text(24.0, 34.0, Anchor::Start, INK, true, &figure.title);
    layout.text(24.0, 58.0, Anchor::Start, GREY, false, &figure.note);
    for (panel, nth) in figure.panels.iter().zip(0u32..) {
        layout.panel(panel, HEAD + PANEL * f64::from(nth));
    }
    layout
}

/// An axis' span and the numbers to write along it.
#[derive(Clone, Debug, PartialEq)]
struct Scale {
    least: f64,
    most: f64,
    step: f64,
}

impl Scale {
    /// From 0, or below if values are, to a whole step at or above the largest; five to ten steps of 1, 2 or 5.
    fn of(values: impl Iterator<Item = f64>) -> Scale {
        let (low, high) = values.fold((0.0, 0.0), |(low, high): (f64, f64), value| (low.min(value), high.max(value)));
        let span = if high > low { high - low } else { 1.0 };
        let power = 10f64.powf((span / 5.0).log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|part| part * power).into_iter().find(|step| span / step <= 8.0);
        let step = step.unwrap_or(10.0 * power);
        let most = if high > low { (high / step).ceil() * step } else { low + span };
        Scale { least: (low / step).floor() * step, most, step }
    }

    fn share(&self, value: f64) -> f64 {
        (value - self.least) / (self.most - self.least)
    }

    fn ticks(&self) -> Vec<f64> {
        let count = ((self.most - self.least) / self.step).round() as u32;
        (0..=count).map(|nth| self.least + self.step * f64::from(nth)).collect()
    }
}

/// As short as it can be: 2.5, 40, 20k, 3M.
fn number(value: f64) -> String {
    let (value, unit) = match value.abs() {
        large if large >= 1e9 => (value / 1e9, "G"),
        large if large >= 1e6 => (value / 1e6, "M"),
        large if large >= 1e4 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let text = format!("{value:.3}");
    format!("{}{unit}", text.trim_end_matches('0').trim_end_matches('.'))
}

impl Layout {
    fn text(&mut self, x: f64, y: f64, anchor: Anchor, colour: Colour, is_large: bool, text: &str) {
        self.pieces.push(Piece::Text { at: Point { x, y }, anchor, colour, is_large, text: text.to_string() });
    }

    fn line(&mut self, from: Point, to: Point, colour: Colour, width: u32) {
        self.pieces.push(Piece::Line { from, to, colour, width });
    }

    fn panel(&mut self, panel: &Panel, top: f64) {
        let (left, right) = (LEFT, WIDTH - RIGHT);
        let (upper, lower) = (top + TOP, top + PANEL - BOTTOM);
        let horizontal = Scale::of(panel.points().map(|point| point.0));
        let vertical = Scale::of(panel.points().map(|point| point.1));
        let place = |(x, y): (f64, f64)| Point {
            x: left + (right - left) * horizontal.share(x),
            y: lower - (lower - upper) * vertical.share(y),
        };
        self.text(24.0, top + 22.0, Anchor::Start, INK, true, &panel.title);
        self.text(24.0, top + 46.0, Anchor::Start, GREY, false, &panel.y);
        for value in vertical.ticks() {
            let y = place((horizontal.least, value)).y;
            self.line(Point { x: left, y }, Point { x: right, y }, GRID, 1);
            self.text(left - 8.0, y + 5.0, Anchor::End, GREY, false, &number(value));
        }
        for value in horizontal.ticks() {
            let x = place((value, vertical.least)).x;
            self.line(Point { x, y: lower }, Point { x, y: lower + 5.0 }, INK, 1);
            self.text(x, lower + 22.0, Anchor::Middle, GREY, false, &number(value));
        }
        self.line(Point { x: left, y: lower }, Point { x: right, y: lower }, INK, 1);
        self.text((left + right) / 2.0, lower + 46.0, Anchor::Middle, INK, false, &panel.x);
        for (nth, series) in panel.series.iter().enumerate() {
            let colour = COLOURS[nth % COLOURS.len()];
            let shape = if nth % 2 == 0 { Shape::Circle } else { Shape::Square };
            for pair in series.points.windows(2) {
                self.line(place(pair[0]), place(pair[1]), colour, 2);
            }
            let marks = series.points.iter().map(|&point| Piece::Mark { at: place(point), colour, shape });
            self.pieces.extend(marks);
            let at = Point { x: right + 24.0, y: upper + 12.0 + 24.0 * nth as f64 };
            self.pieces.push(Piece::Mark { at, colour, shape });
            self.text(at.x + 14.0, at.y + 5.0, Anchor::Start, INK, false, &series.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::sample;
    use super::*;

    #[test]
    fn an_axis_has_round_numbers_and_holds_all_values() {
        for (values, least, most, step) in [
            (vec![1.0, 32.0], 0.0, 35.0, 5.0),
            (vec![0.0, 4264.0], 0.0, 5000.0, 1000.0),
            (vec![100.0], 0.0, 100.0, 20.0),
            (vec![0.3], 0.0, 0.3, 0.05),
            (vec![-3.0, 3.0], -3.0, 3.0, 1.0),
            (vec![], 0.0, 1.0, 0.2),
        ] {
            let scale = Scale::of(values.iter().copied());
            let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
            assert!(
                near(scale.least, least) && near(scale.most, most) && near(scale.step, step),
                "{values:?}: {scale:?}"
            );
        }
    }

    #[test]
    fn numbers_are_short() {
        for (value, text) in [(0.0, "0"), (2.5, "2.5"), (40.0, "40"), (5000.0, "5000"), (20000.0, "20k"), (3e6, "3M")] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn everything_lies_inside() {
        let layout = lay_out(&sample());
        let inside = |at: &Point| (0.0..=layout.width).contains(&at.x) && (0.0..=layout.height).contains(&at.y);
        for piece in &layout.pieces {
            match piece {
                Piece::Line { from, to, .. } => assert!(inside(from) && inside(to), "{piece:?}"),
                Piece::Mark { at, .. } | Piece::Text { at, .. } => assert!(inside(at), "{piece:?}"),
            }
        }
        // Five points and one in the legend, for two lines in each of two panels.
        assert_eq!(layout.pieces.iter().filter(|piece| matches!(piece, Piece::Mark { .. })).count(), 24);
    }
}
