//! A panel of bars: for each of some words one bar per series, with its name and its value beside it.

use super::scale::Span;
use super::style::{GREY, GRID, INK, PAPER, look};
use super::{Anchor, Coordinates, FigureLayout, FigurePiece, MARGIN, WIDTH, labels, number, short};
use crate::{Panel, Scale};

const THICK: f64 = 16.0;
/// From bar to bar.
const STEP: f64 = 21.0;
/// For a group's word, above its bars.
const WORD: f64 = 26.0;
/// Between groups.
const APART: f64 = 10.0;
/// For the value beside the longest bar.
const RIGHT: f64 = 70.0;

impl FigureLayout {
    pub fn bars(&mut self, panel: &Panel, words: &[String]) {
        let widest = panel.series.iter().map(|series| labels::width(&series.name, false)).fold(0.0, f64::max);
        let (left, right) = (MARGIN + widest + 10.0, WIDTH - RIGHT);
        let ends = panel.all_points().flat_map(|point| [point.y, point.interval.map_or(point.y, |(_, high)| high)]);
        let span = Span::of(Scale::Linear, ends.chain(panel.levels.iter().map(|level| level.value)), 9);
        let across = |value: f64| left + (right - left) * span.share(value);

        self.height += 4.0;
        for level in &panel.levels {
            self.height += 20.0;
            let half = labels::width(&level.name, false) / 2.0;
            let x = across(level.value).min(WIDTH - MARGIN - half);
            self.text(Coordinates { x, y: self.height - 4.0 }, Anchor::Middle, INK, &level.name);
        }
        let upper = self.height;
        let count = |word: usize| panel.all_points().filter(|point| point.x as usize == word).count() as f64;
        let lower = upper + (0..words.len()).map(|word| WORD + STEP * count(word) + APART).sum::<f64>();

        for &value in &span.ticks {
            let x = across(value);
            self.line(Coordinates { x, y: upper }, Coordinates { x, y: lower }, GRID, 1);
            self.text(Coordinates { x, y: lower + 20.0 }, Anchor::Middle, GREY, &number(value, &panel.y));
        }
        self.line(Coordinates { x: left, y: upper }, Coordinates { x: left, y: lower }, INK, 1);
        self.text(Coordinates { x: (left + right) / 2.0, y: lower + 44.0 }, Anchor::Middle, INK, &panel.y.name);
        for level in &panel.levels {
            let x = across(level.value);
            self.stripes([Coordinates { x, y: upper }, Coordinates { x, y: lower }], (0, 2), 4.0, INK, 1);
        }
        let mut top = upper;
        for (nth, word) in words.iter().enumerate() {
            // On paper of its own: the lines of the grid do not cross it.
            let from = Coordinates { x: MARGIN, y: top + 4.0 };
            self.pieces.push(FigurePiece::Area {
                from,
                width: labels::width(word, false),
                height: WORD - 6.0,
                colour: PAPER,
            });
            self.text(Coordinates { x: MARGIN, y: top + WORD - 7.0 }, Anchor::Start, INK, word);
            top += WORD;
            let mut counts = [0, 0];
            for series in &panel.series {
                let look_of = &mut counts[usize::from(series.is_peer)];
                let (colour, _) = look(*look_of, series.is_peer);
                *look_of += 1;
                for point in panel.points(series).filter(|point| point.x as usize == nth) {
                    let (end, middle) = (across(point.y), top + THICK / 2.0);
                    self.text(Coordinates { x: left - 8.0, y: middle + 5.0 }, Anchor::End, INK, &series.name);
                    let from = Coordinates { x: left, y: top };
                    self.pieces.push(FigurePiece::Area { from, width: end - left, height: THICK, colour });
                    let (low, high) = point.interval.map_or((end, end), |(low, high)| (across(low), across(high)));
                    let value = short(point.y);
                    let text = Coordinates { x: high.max(end) + 8.0, y: middle + 5.0 };
                    let from = Coordinates { x: text.x - 4.0, y: top };
                    let width = labels::width(&value, false) + 4.0;
                    self.pieces.push(FigurePiece::Area { from, width, height: THICK, colour: PAPER });
                    self.text(text, Anchor::Start, INK, &value);
                    if high - low > 2.0 {
                        for (x1, x2, up, down) in
                            [(low, high, 0.0, 0.0), (low, low, -4.0, 4.0), (high, high, -4.0, 4.0)]
                        {
                            self.line(
                                Coordinates { x: x1, y: middle + up },
                                Coordinates { x: x2, y: middle + down },
                                INK,
                                1,
                            );
                        }
                    }
                    top += STEP;
                }
            }
            top += APART;
        }
        self.height = lower + 60.0;
    }
}
