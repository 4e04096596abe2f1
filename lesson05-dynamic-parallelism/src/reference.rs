//! The CPU's answers, each computed the slow and obvious way. Rust contracts no product and sum into one operation, and
//! the kernels are compiled with `-fmad=false`: both sides round alike, step by step.

use crate::plane::{Plane, View};

/// `dwell_at` of `cuda/lesson05/plane.cuh`.
pub fn dwell(plane: Plane, x: usize, y: usize, max_dwell: i32) -> i32 {
    let cx = plane.left + x as f32 * plane.step;
    let cy = plane.top - y as f32 * plane.step;
    let (mut zx, mut zy) = (cx, cy);
    let mut dwell = 0;
    while dwell < max_dwell && zx * zx + zy * zy < 4.0 {
        (zx, zy) = (zx * zx - zy * zy + cx, 2.0 * zx * zy + cy);
        dwell += 1;
    }
    dwell
}

/// Every pixel by itself, line by line.
pub fn mandelbrot(view: &View, max_dwell: i32) -> Vec<i32> {
    let pixels = (0..view.height).flat_map(|y| (0..view.width).map(move |x| (x, y)));
    pixels.map(|(x, y)| dwell(view.plane, x, y, max_dwell)).collect()
}

/// The way in which the method divides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Division {
    /// Parts of the picture's side at first, the slide's `INIT_SUBDIV`.
    pub first: usize,
    pub min_size: usize,
    pub max_depth: usize,
}

impl Division {
    /// The slide's numbers.
    pub const SLIDE: Division = Division { first: 32, min_size: 32, max_depth: 4 };
}

/// Parts of a rectangle's side after that.
pub const SUBDIV: usize = 4;

/// The ways in which a rectangle is finished: by pixels, or filled with the dwell of its border.
pub const BY_PIXEL: u8 = 1;
pub const FILLED: u8 = 2;

/// A picture with what each pixel is due to: 4 x depth + [`BY_PIXEL`] or [`FILLED`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    pub dwells: Vec<i32>,
    pub depths: Vec<u8>,
}

/// A rectangle that was not divided further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
    pub depth: usize,
    /// The dwell that its border has everywhere; else it goes pixel by pixel.
    pub filled: Option<i32>,
}

impl Area {
    /// Its pixels, line by line.
    pub fn pixels(self) -> impl Iterator<Item = (usize, usize)> + Clone {
        let Area { x, y, width, height, .. } = self;
        (y..y + height).flat_map(move |y| (x..x + width).map(move |x| (x, y)))
    }

    pub fn is_border(&self, x: usize, y: usize) -> bool {
        x == self.x || y == self.y || x + 1 == self.x + self.width || y + 1 == self.y + self.height
    }

    fn part(&self, column: usize, row: usize, parts: usize) -> Area {
        let cut = |length: usize, nth: usize| length * nth / parts;
        let (left, top) = (cut(self.width, column), cut(self.height, row));
        let (width, height) = (cut(self.width, column + 1) - left, cut(self.height, row + 1) - top);
        Area { x: self.x + left, y: self.y + top, width, height, ..*self }
    }
}

/// The rectangles of Mariani and Silver's method. `dwells` holds each pixel's own dwell, by [`mandelbrot`]: looking one
/// up is computing it.
pub fn areas(view: &View, dwells: &[i32], division: Division) -> Vec<Area> {
    let mut areas = Vec::new();
    if view.pixels() > 0 {
        let whole = Area { x: 0, y: 0, width: view.width, height: view.height, depth: 0, filled: None };
        divide(view.width, dwells, division, whole, division.first, &mut areas);
    }
    areas
}

fn divide(line: usize, dwells: &[i32], division: Division, whole: Area, parts: usize, areas: &mut Vec<Area>) {
    for (row, column) in (0..parts).flat_map(|row| (0..parts).map(move |column| (row, column))) {
        let area = whole.part(column, row, parts);
        let mut border = area.pixels().filter(|&(x, y)| area.is_border(x, y)).map(|(x, y)| dwells[y * line + x]);
        let Some(first) = border.next() else { continue };
        if border.all(|dwell| dwell == first) {
            areas.push(Area { filled: Some(first), ..area });
        } else if area.depth + 1 < division.max_depth && area.width.min(area.height) / SUBDIV > division.min_size {
            divide(line, dwells, division, Area { depth: area.depth + 1, ..area }, SUBDIV, areas);
        } else {
            areas.push(area);
        }
    }
}

/// The picture that the method gives.
pub fn mariani_silver(view: &View, dwells: &[i32], division: Division) -> Picture {
    let mut picture = Picture { dwells: vec![0; view.pixels()], depths: vec![0; view.pixels()] };
    for area in areas(view, dwells, division) {
        let kind = if area.filled.is_some() { FILLED } else { BY_PIXEL };
        for (x, y) in area.pixels() {
            let at = y * view.width + x;
            picture.dwells[at] = area.filled.unwrap_or(dwells[at]);
            picture.depths[at] = 4 * area.depth as u8 + kind;
        }
    }
    picture
}

/// The dwells by `cuda/lesson05/boxes.cuh`: the picture in tiles of `tile` pixels a side, boxes with shared borders in
/// them. `dwells` holds each pixel's own dwell; only what a box is filled with can differ from it.
pub fn by_boxes(view: &View, dwells: &[i32], tile: usize) -> Vec<i32> {
    let mut picture = dwells.to_vec();
    for y in (0..view.height).step_by(tile) {
        for x in (0..view.width).step_by(tile) {
            let (width, height) = (tile.min(view.width - x), tile.min(view.height - y));
            settle(view.width, dwells, Area { x, y, width, height, depth: 0, filled: None }, tile, &mut picture);
        }
    }
    picture
}

/// A side of a box that is not divided.
const LEAST: usize = 8;

/// Fills a box, divides it, or leaves its pixels as they are.
fn settle(line: usize, dwells: &[i32], area: Area, side: usize, picture: &mut [i32]) {
    let first = dwells[area.y * line + area.x];
    let is_inside = |&(x, y): &(usize, usize)| !area.is_border(x, y);
    if area.pixels().filter(|&(x, y)| area.is_border(x, y)).all(|(x, y)| dwells[y * line + x] == first) {
        area.pixels().filter(is_inside).for_each(|(x, y)| picture[y * line + x] = first);
    } else if side > LEAST {
        let (right, bottom, part) = (area.x + area.width - 1, area.y + area.height - 1, side / SUBDIV);
        for y in (area.y..bottom).step_by(part) {
            for x in (area.x..right).step_by(part) {
                // The last line of a part is the first one of the next.
                let (width, height) = ((right - x).min(part) + 1, (bottom - y).min(part) + 1);
                settle(line, dwells, Area { x, y, width, height, ..area }, part, picture);
            }
        }
    }
}

/// The dwell of a border that has more than one; see `same_dwell` of `cuda/lesson05/border.cuh`.
pub const MIXED: i32 = -2;

/// For each line of blocks, three pixels high: the dwell of its border, or [`MIXED`].
pub fn borders(plane: Plane, width: usize, blocks: usize, max_dwell: i32) -> Vec<i32> {
    let border = |block: usize| {
        let pixels = (3 * block..3 * block + 3).flat_map(|y| (0..width).map(move |x| (x, y)));
        let own = pixels.filter(|&(x, y)| x == 0 || x + 1 == width || y % 3 != 1);
        let mut dwells = own.map(|(x, y)| dwell(plane, x, y, max_dwell));
        let first = dwells.next().expect("a line has pixels");
        if dwells.all(|dwell| dwell == first) { first } else { MIXED }
    };
    (0..blocks).map(border).collect()
}

/// The sum of the squares below `n`, in 32 bits.
pub fn sum_of_squares(n: u32) -> u32 {
    (0..n).fold(0, |sum, i| sum.wrapping_add(i.wrapping_mul(i)))
}

/// Each 64 elements in reverse.
pub fn reversed_blocks(input: &[i32]) -> Vec<i32> {
    input.chunks(64).flat_map(|block| block.iter().rev()).copied().collect()
}

pub fn sorted(input: &[i32]) -> Vec<i32> {
    let mut sorted = input.to_vec();
    sorted.sort_unstable();
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plane::MAX_DWELL;

    #[test]
    fn points_that_can_be_checked_by_hand() {
        let at = |left: f32, top: f32| dwell(Plane { left, top, step: 0.0 }, 0, 0, MAX_DWELL);
        // 0 stays, 2 has escaped, 1 goes to 2.
        assert_eq!((at(0.0, 0.0), at(2.0, 0.0), at(1.0, 0.0), at(-1.0, 0.0)), (MAX_DWELL, 0, 1, MAX_DWELL));
    }

    #[test]
    fn dividing_changes_few_pixels_and_leaves_none_out() {
        let view = View::whole(256);
        let each = mandelbrot(&view, MAX_DWELL);
        for first in [2, 4, 32] {
            let picture = mariani_silver(&view, &each, Division { first, min_size: 4, max_depth: 5 });
            assert!(picture.depths.iter().all(|&depth| depth % 4 == BY_PIXEL || depth % 4 == FILLED));
            let other = picture.dwells.iter().zip(&each).filter(|(a, b)| a != b).count();
            assert!(other * 1000 < view.pixels(), "{other} pixels differ");
        }
    }

    #[test]
    fn shared_borders_change_few_pixels() {
        for (width, height) in [(256, 256), (250, 131)] {
            let view = View::around(-0.5, 0.0, 2.0, width, height);
            let each = mandelbrot(&view, MAX_DWELL);
            for tile in [32, 128, 512] {
                let picture = by_boxes(&view, &each, tile);
                let other = picture.iter().zip(&each).filter(|(a, b)| a != b).count();
                assert!(other * 10_000 < view.pixels(), "{other} pixels differ");
            }
        }
    }

    #[test]
    fn the_slides_numbers_divide_once_at_8192_and_not_before() {
        let deepest = |side: usize| (side / 32) / SUBDIV > Division::SLIDE.min_size;
        assert_eq!((deepest(1024), deepest(4096), deepest(8192)), (false, false, true));
    }
}
