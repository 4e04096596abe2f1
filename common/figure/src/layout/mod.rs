//! The layout of a figure, in pixels from the top left.

mod bars;
mod labels;
mod lines;
mod scale;
mod style;

pub use scale::{number, short};
pub use style::{Colour, MarkerShape, Outline};

use crate::{Along, Figure};
use style::{GREY, INK};

/// The width that a README has room for.
pub const WIDTH: f64 = 900.0;
/// At both sides.
const MARGIN: f64 = 24.0;
/// The radius of a circle of a mark.
pub const MARK: f64 = 4.5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinates {
    pub x: f64,
    pub y: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FigurePiece {
    Line {
        from: Coordinates,
        to: Coordinates,
        colour: Colour,
        width: u32,
    },
    Mark {
        at: Coordinates,
        colour: Colour,
        shape: MarkerShape,
    },
    Area {
        /// The corner at the top left.
        from: Coordinates,
        width: f64,
        height: f64,
        colour: Colour,
    },
    /// `at` is on the line that the letters stand on.
    Text {
        at: Coordinates,
        anchor: Anchor,
        colour: Colour,
        is_large: bool,
        text: String,
    },
}

/// A figure as pieces, in the order in which they are drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureLayout {
    pub height: f64,
    pub pieces: Vec<FigurePiece>,
}

pub fn lay_out(figure: &Figure) -> FigureLayout {
    let mut layout = FigureLayout { height: 12.0, pieces: Vec::new() };
    layout.paragraph(&figure.title, true, INK);
    layout.height += 2.0;
    layout.paragraph(&figure.note, false, GREY);
    layout.height += 6.0;
    let is_alone = figure.panels.len() == 1;
    for panel in &figure.panels {
        layout.height += 6.0;
        layout.paragraph(&panel.title, true, INK);
        match &panel.x {
            Along::Numbers(x) => layout.lines(panel, x, if is_alone { 340.0 } else { 250.0 }),
            Along::Groups(words) => layout.bars(panel, words),
        }
    }
    layout
}

impl FigureLayout {
    fn text(&mut self, at: Coordinates, anchor: Anchor, colour: Colour, text: &str) {
        self.pieces.push(FigurePiece::Text { at, anchor, colour, is_large: false, text: text.to_string() });
    }

    /// Below all that is there.
    fn paragraph(&mut self, text: &str, is_large: bool, colour: Colour) {
        for text in labels::wrapped(text, is_large, WIDTH - 2.0 * MARGIN) {
            self.height += if is_large { 26.0 } else { 20.0 };
            let at = Coordinates { x: MARGIN, y: self.height - 2.0 };
            self.pieces.push(FigurePiece::Text { at, anchor: Anchor::Start, colour, is_large, text });
        }
    }

    fn line(&mut self, from: Coordinates, to: Coordinates, colour: Colour, width: u32) {
        self.pieces.push(FigurePiece::Line { from, to, colour, width });
    }

    /// Every `of`th of the pieces of about that length that a line is divided into, beginning with number `nth`.
    fn stripes(
        &mut self,
        [from, to]: [Coordinates; 2],
        (nth, of): (usize, usize),
        length: f64,
        colour: Colour,
        width: u32,
    ) {
        let at = |share: f64| Coordinates { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) };
        let whole = (to.x - from.x).hypot(to.y - from.y);
        // The same number of stripes for each.
        let count = ((whole / length / of as f64).round() as usize).max(1) * of;
        for stripe in (nth..count).step_by(of) {
            let [first, last] = [stripe, stripe + 1].map(|edge| at(edge as f64 / count as f64));
            self.line(first, last, colour, width);
        }
    }
}

#[cfg(test)]
mod tests;
