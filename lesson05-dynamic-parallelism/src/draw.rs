//! Pictures: the set, and the rectangles that the method divides it into.

use crate::plane::View;
use crate::reference::Area;
use common::Pixels;

/// Points of the set are black; others go round a wheel of colours with the square root of their dwell, so that the
/// narrow rings near the set do not become noise.
fn colour(dwell: i32, max_dwell: i32) -> [u8; 3] {
    if dwell >= max_dwell {
        return [0, 0, 0];
    }
    let turn = (f64::from(dwell) / 8.0).sqrt();
    let part = |shift: f64| (127.5 * (1.0 - (std::f64::consts::TAU * (turn / 2.0 + shift)).cos())) as u8;
    [part(0.05), part(0.15), part(0.3)]
}

pub fn dwells(view: &View, dwells: &[i32], max_dwell: i32) -> Pixels {
    Pixels::from_fn(view.width as u32, view.height as u32, |x, y| {
        colour(dwells[y as usize * view.width + x as usize], max_dwell)
    })
}

/// By depth: blue, green, yellow, orange, red, and red from there on.
const DEPTHS: [[u8; 3]; 5] = [[70, 120, 255], [60, 200, 120], [240, 220, 70], [250, 150, 50], [235, 60, 60]];

/// The picture, darker, with the border of each rectangle in the colour of its depth; those that were filled are
/// tinted.
pub fn rectangles(view: &View, dwells: &[i32], max_dwell: i32, areas: &[Area]) -> Pixels {
    let mut picture = self::dwells(view, dwells, max_dwell);
    for area in areas {
        let mark = DEPTHS[area.depth.min(DEPTHS.len() - 1)];
        for (x, y) in area.pixels() {
            let pixel = picture.at_mut(x as u32, y as u32);
            let share = match (area.is_border(x, y), area.filled) {
                (true, _) => 4,
                (false, Some(_)) => 2,
                (false, None) => 0,
            };
            for (channel, mark) in pixel.iter_mut().zip(mark) {
                *channel = ((u32::from(*channel) * (4 - share) / 2 + u32::from(mark) * share) / 4) as u8;
            }
        }
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plane::MAX_DWELL;
    use crate::reference::{self, Division};

    #[test]
    fn the_set_is_black_and_every_rectangle_has_its_border() {
        let view = View::whole(64);
        let each = reference::mandelbrot(&view, MAX_DWELL);
        let picture = dwells(&view, &each, MAX_DWELL);
        assert_eq!(picture.at(32, 32), [0, 0, 0]);
        assert_ne!(picture.at(0, 0), [0, 0, 0]);
        let areas = reference::areas(&view, &each, Division { first: 2, min_size: 2, max_depth: 3 });
        let marked = rectangles(&view, &each, MAX_DWELL, &areas);
        for area in &areas {
            let corner = marked.at(area.x as u32, area.y as u32);
            assert_eq!(corner, DEPTHS[area.depth], "{area:?}");
        }
    }
}
