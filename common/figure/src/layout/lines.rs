//! A panel of lines over numbers, each with its name where it ends.
//!
//! Lines that lie on one another take turns, in stripes, and so do their marks. Marks without a line stand side by
//! side.

use super::scale::Span;
use super::style::{GREY, GRID, INK, look};
use super::{Anchor, Colour, Coordinates, FigureLayout, FigurePiece, MARGIN, MarkerShape, WIDTH, labels, number};
use crate::{Axis, Join, Panel, Scale};

/// For the numbers along the vertical axis.
const LEFT: f64 = 78.0;
/// For what shows how a series looks.
const KEY: f64 = 26.0;
/// For the strokes from lines to their names.
const LEADER: f64 = 30.0;
/// From name to name.
const GAP: f64 = 20.0;
/// Between the axes' ends and the outermost points.
const INSET: f64 = 14.0;
/// Lines at most that far apart lie on one another.
const TOUCH: f64 = 3.0;

/// A series with a place for each of its points.
struct PlacedSeries<'a> {
    name: &'a str,
    join: Join,
    is_peer: bool,
    colour: Colour,
    shape: MarkerShape,
    marks: Vec<PointMark>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct PointMark {
    at: Coordinates,
    /// The distance from there at which it is drawn, since others are there too; `None` if it is another's turn.
    aside: Option<f64>,
    interval: Option<(f64, f64)>,
}

impl FigureLayout {
    pub fn lines(&mut self, panel: &Panel, x_axis: &Axis, height: f64) {
        let names = panel.series.iter().map(|series| &series.name).chain(panel.levels.iter().map(|level| &level.name));
        let widest = names.clone().map(|name| labels::width(name, false)).fold(0.0, f64::max);
        let (left, right) = (LEFT, WIDTH - MARGIN - widest - KEY - LEADER);
        self.paragraph(&panel.y.name, false, GREY);
        let upper = self.height + 16.0;
        let lower = upper + height.max(GAP * names.count() as f64);
        self.height = lower + 62.0;

        let xs = panel.all_points().map(|point| point.x);
        let ys = panel.all_points().flat_map(|point| {
            let (low, high) = point.interval.unwrap_or((point.y, point.y));
            [low, point.y, high]
        });
        // Names of powers are longer than numbers.
        let room = if x_axis.scale == Scale::Linear { 56.0 } else { 72.0 };
        let horizontal = Span::of(x_axis.scale, xs, ((right - left) / room) as usize);
        let vertical = Span::of(panel.y.scale, ys.chain(panel.levels.iter().map(|level| level.value)), 9);
        let across = |x: f64| left + INSET + (right - left - 2.0 * INSET) * horizontal.share(x);
        let up = |y: f64| lower - (lower - upper) * vertical.share(y).clamp(0.0, 1.0);

        for &value in &vertical.ticks {
            let y = up(value);
            self.line(Coordinates { x: left, y }, Coordinates { x: right, y }, GRID, 1);
            self.text(Coordinates { x: left - 8.0, y: y + 5.0 }, Anchor::End, GREY, &number(value, &panel.y));
        }
        for &value in &vertical.small_ticks {
            let y = up(value);
            self.line(Coordinates { x: left - 4.0, y }, Coordinates { x: left, y }, INK, 1);
        }
        for (&value, length) in horizontal.ticks.iter().zip([6.0].iter().cycle()) {
            let x = across(value);
            self.line(Coordinates { x, y: lower }, Coordinates { x, y: lower + length }, INK, 1);
            self.text(Coordinates { x, y: lower + 22.0 }, Anchor::Middle, GREY, &number(value, x_axis));
        }
        for &value in &horizontal.small_ticks {
            let x = across(value);
            self.line(Coordinates { x, y: lower }, Coordinates { x, y: lower + 3.0 }, INK, 1);
        }
        self.line(Coordinates { x: left, y: lower }, Coordinates { x: right, y: lower }, INK, 1);
        self.text(Coordinates { x: (left + right) / 2.0, y: lower + 46.0 }, Anchor::Middle, INK, &x_axis.name);
        for level in &panel.levels {
            let y = up(level.value);
            self.stripes([Coordinates { x: left, y }, Coordinates { x: right, y }], (0, 2), 4.0, INK, 1);
        }

        let mut counts = [0, 0];
        let mut drawn = Vec::new();
        for series in &panel.series {
            let nth = &mut counts[usize::from(series.is_peer)];
            let (colour, shape) = look(*nth, series.is_peer);
            *nth += 1;
            let mark = |point: crate::Point| PointMark {
                at: Coordinates { x: across(point.x), y: up(point.y) },
                aside: Some(0.0),
                interval: point.interval.map(|(low, high)| (up(low), up(high))),
            };
            let marks = panel.points(series).map(mark).collect();
            let (name, join, is_peer) = (&series.name[..], series.join, series.is_peer);
            drawn.push(PlacedSeries { name, join, is_peer, colour, shape, marks });
        }
        tell_apart(&mut drawn);
        self.segments(&drawn);
        self.marks(&drawn);

        // Names, from the top down: where lines end, and where levels are.
        drawn.retain(|series| !series.marks.is_empty());
        let ends = drawn.iter().filter_map(|series| series.marks.last()).map(|mark| mark.at);
        let levels = panel.levels.iter().map(|level| Coordinates { x: right, y: up(level.value) });
        let ends: Vec<Coordinates> = ends.chain(levels).collect();
        let wanted: Vec<f64> = ends.iter().map(|end| end.y).collect();
        let places = labels::spread(&wanted, GAP, upper, lower);
        for (nth, (end, y)) in ends.into_iter().zip(places).enumerate() {
            let key = [Coordinates { x: right + LEADER, y }, Coordinates { x: right + LEADER + KEY - 6.0, y }];
            let middle = Coordinates { x: (key[0].x + key[1].x) / 2.0, y };
            let leader =
                [Coordinates { x: end.x.max(right - INSET) + 8.0, y: end.y }, Coordinates { x: key[0].x - 3.0, y }];
            let name = match drawn.get(nth) {
                Some(series) => {
                    if series.join == Join::Line {
                        self.stripes(leader, (0, 2), 2.0, series.colour, 1);
                        self.stroke(key, series);
                    }
                    self.pieces.push(FigurePiece::Mark { at: middle, colour: series.colour, shape: series.shape });
                    series.name
                }
                None => {
                    self.stripes(leader, (0, 2), 2.0, INK, 1);
                    self.stripes(key, (0, 2), 4.0, INK, 1);
                    &panel.levels[nth - drawn.len()].name
                }
            };
            self.text(Coordinates { x: right + LEADER + KEY, y: y + 5.0 }, Anchor::Start, INK, name);
        }
    }

    /// One that lies on no other: a peer's is dashed.
    fn stroke(&mut self, [from, to]: [Coordinates; 2], series: &PlacedSeries) {
        if series.is_peer {
            self.stripes([from, to], (0, 2), 5.0, series.colour, 2);
        } else {
            self.line(from, to, series.colour, 2);
        }
    }

    fn segments(&mut self, drawn: &[PlacedSeries]) {
        let of = |(nth, series): (usize, &PlacedSeries)| {
            let ends: Vec<_> = series.marks.windows(2).map(|pair| (nth, [pair[0].at, pair[1].at])).collect();
            ends
        };
        let mut left: Vec<(usize, [Coordinates; 2])> =
            drawn.iter().enumerate().filter(|(_, series)| series.join == Join::Line).flat_map(of).collect();
        while let Some(&(_, first)) = left.first() {
            let (together, others): (Vec<_>, Vec<_>) =
                left.into_iter().partition(|(_, ends)| lie_together(&first, ends));
            for (turn, (nth, ends)) in together.iter().enumerate() {
                if together.len() == 1 {
                    self.stroke(*ends, &drawn[*nth]);
                } else {
                    self.stripes(*ends, (turn, together.len()), 9.0, drawn[*nth].colour, 3);
                }
            }
            left = others;
        }
    }

    fn marks(&mut self, drawn: &[PlacedSeries]) {
        for series in drawn {
            for mark in &series.marks {
                let Some(aside) = mark.aside else { continue };
                let at = Coordinates { x: mark.at.x + aside, y: mark.at.y };
                // One that the mark hides says nothing.
                if let Some((low, high)) = mark.interval.filter(|(low, high)| low - high > super::MARK) {
                    for (from, to, y1, y2) in [(0.0, 0.0, low, high), (-4.0, 4.0, low, low), (-4.0, 4.0, high, high)] {
                        self.line(
                            Coordinates { x: at.x + from, y: y1 },
                            Coordinates { x: at.x + to, y: y2 },
                            series.colour,
                            1,
                        );
                    }
                }
                self.pieces.push(FigurePiece::Mark { at, colour: series.colour, shape: series.shape });
            }
        }
    }
}

fn lie_together(one: &[Coordinates; 2], other: &[Coordinates; 2]) -> bool {
    let is_near = |(a, b): (&Coordinates, &Coordinates)| (a.x - b.x).abs() < 0.5 && (a.y - b.y).abs() <= TOUCH;
    one.iter().zip(other).all(is_near)
}

/// Places marks that would cover one another: those on lines take turns from left to right, since their lines show
/// where they are. Those without a line are moved aside, as far as the points to their left and right leave room.
fn tell_apart(drawn: &mut [PlacedSeries]) {
    let mut all: Vec<(usize, usize, Coordinates)> = Vec::new();
    for (nth, series) in drawn.iter().enumerate() {
        all.extend(series.marks.iter().enumerate().map(|(index, mark)| (nth, index, mark.at)));
    }
    let columns: Vec<f64> = all.iter().map(|(_, _, at)| at.x).collect();
    all.sort_by(|a, b| a.2.x.total_cmp(&b.2.x).then(a.2.y.total_cmp(&b.2.y)));
    let mut turns = vec![0; drawn.len()];
    for join in [Join::Line, Join::Nothing] {
        let near = if join == Join::Line { TOUCH } else { 2.0 * super::MARK };
        let own: Vec<_> = all.iter().copied().filter(|(nth, _, _)| drawn[*nth].join == join).collect();
        for group in own.chunk_by(|a, b| (a.2.x - b.2.x).abs() < 0.5 && (a.2.y - b.2.y).abs() <= near) {
            // In the order of the series, as their names are told.
            let mut group = group.to_vec();
            group.sort_by_key(|(nth, index, _)| (*nth, *index));
            let next = group.iter().map(|(nth, _, _)| *nth).min_by_key(|nth| turns[*nth]);
            let x = group[0].2.x;
            let others = columns.iter().map(|other| (other - x).abs()).filter(|apart| *apart >= 0.5);
            let room = others.fold(f64::INFINITY, f64::min);
            let step = (2.0 * super::MARK + 1.0).min(0.8 * room / group.len() as f64);
            let middle = (group.len() - 1) as f64 / 2.0;
            for (place, (nth, index, _)) in group.into_iter().enumerate() {
                drawn[nth].marks[index].aside = match join {
                    Join::Line => (Some(nth) == next).then_some(0.0),
                    Join::Nothing => Some((place as f64 - middle) * step),
                };
            }
            if let Some(next) = next {
                turns[next] += 1;
            }
        }
    }
}
