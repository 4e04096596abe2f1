//! The part of the plane that an image shows, as `cuda/lesson05/plane.cuh` has it.

use cust::memory::DeviceCopy;

/// The slide's limit: a point that has not escaped after so many steps counts as one of the set.
pub const MAX_DWELL: i32 = 512;

/// The limit for a picture of so many pixels: the many runs of a small one need not be deep.
pub fn max_dwell(pixels: usize) -> i32 {
    if pixels > 4_000 { MAX_DWELL } else { 64 }
}

/// `struct Plane`.
#[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
#[repr(C)]
pub struct Plane {
    pub left: f32,
    pub top: f32,
    /// From one pixel to the next.
    pub step: f32,
}

/// A picture: its size in pixels, and what it shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    pub width: usize,
    pub height: usize,
    pub plane: Plane,
}

impl View {
    /// A window of the plane around a point: `across` is the width of the picture in the plane.
    pub fn around(x: f64, y: f64, across: f64, width: usize, height: usize) -> View {
        let step = across / width.max(1) as f64;
        let (left, top) = (x - across / 2.0, y + step * height as f64 / 2.0);
        View { width, height, plane: Plane { left: left as f32, top: top as f32, step: step as f32 } }
    }

    /// The whole set, as on the slide: from -1.5 to 0.5, and from 1 down to -1.
    pub fn whole(side: usize) -> View {
        View::around(-0.5, 0.0, 2.0, side, side)
    }

    /// A picture of the whole set of `pixels` pixels or somewhat fewer: nearly square, and never a multiple of a block
    /// high.
    pub fn of_pixels(pixels: usize) -> View {
        let width = pixels.isqrt();
        let height = pixels.checked_div(width).map_or(0, |height| (height - 1) | 1);
        View::around(-0.5, 0.0, 2.0, width, height)
    }

    pub fn pixels(&self) -> usize {
        self.width * self.height
    }

    /// True if neighbouring pixels are the same point to single precision somewhere in the picture.
    pub fn is_too_deep(&self) -> bool {
        let Plane { left, top, step } = self.plane;
        let (right, bottom) = (left + self.width as f32 * step, top - self.height as f32 * step);
        let merges = |at: f32| at + step == at || at - step == at;
        step == 0.0 || [left, right, top, bottom].into_iter().any(merges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_set_is_two_by_two() {
        let View { plane, .. } = View::whole(256);
        assert_eq!((plane.left, plane.top, plane.step), (-1.5, 1.0, 2.0 / 256.0));
        assert_eq!(View::of_pixels(0).pixels(), 0);
        assert_eq!((View::of_pixels(1000).width, View::of_pixels(1000).height), (31, 31));
        assert_eq!(View::of_pixels(1).pixels(), 1);
    }

    #[test]
    fn single_precision_ends_where_a_step_is_lost() {
        assert!(!View::whole(16384).is_too_deep());
        assert!(!View::around(-0.743_643_9, 0.131_825_9, 1e-3, 1024, 1024).is_too_deep());
        assert!(View::around(-0.743_643_9, 0.131_825_9, 1e-5, 1024, 1024).is_too_deep());
    }
}
