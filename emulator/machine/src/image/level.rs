//! The mipmap levels of a texture read (CUDA C++ Programming Guide, "Texture Fetching"; PTX ISA, `tex`).
//!
//! The level of detail is a number of 256ths, and the rest is cut off: of the operand, of the bias, and of the clamps.
//! An H200 does so. With gradients along several axes it takes an approximate length of them; here the length is the
//! exact one, of the longer axis of the ellipse that they make. The two differed by up to a seventh of a level, and by
//! more at the edges of cube maps.

use super::cube::face;
use super::{Image, Sampler};
use crate::image::point::Geometry;

/// The operand that chooses the level.
#[derive(Clone, Copy, Debug)]
pub enum LevelOfDetail {
    /// The largest level that the clamps allow.
    Base,
    Level(f32),
    Integer(i32),
    /// The change of the coordinates from one pixel to the next, along two directions.
    Gradients([[f32; 3]; 2]),
}

/// The levels of a read, and their weights in 256ths. The second one's weight may be 0.
pub fn levels(
    image: &Image,
    sampler: &Sampler,
    lod: LevelOfDetail,
    geometry: Geometry,
    coordinates: [f32; 3],
) -> [(usize, u32); 2] {
    let filter = sampler.mipmap;
    let last = 256 * (image.levels.len().max(1) as i32 - 1);
    if last == 0 {
        return [(0, 256), (0, 0)];
    }
    let lod = match lod {
        LevelOfDetail::Base => 0,
        LevelOfDetail::Level(level) => fixed_point(level).saturating_add(filter.bias),
        // Neither bias nor clamps. There is nothing in a level that does not exist.
        LevelOfDetail::Integer(level) => {
            let level = usize::try_from(level).ok().filter(|&level| level < image.levels.len());
            return level.map_or([(0, 0); 2], |level| [(level, 256), (0, 0)]);
        }
        LevelOfDetail::Gradients(gradients) => {
            let length = length(image, sampler, geometry, coordinates, gradients);
            logarithm(length).saturating_add(filter.bias)
        }
    };
    let lod = lod.min(filter.max_clamp).max(filter.min_clamp).clamp(0, last);
    match filter.is_linear {
        true => {
            let (level, fraction) = ((lod >> 8) as usize, (lod & 0xff) as u32);
            [(level, 256 - fraction), ((level + 1).min(image.levels.len() - 1), fraction)]
        }
        false => [(((lod + 128) >> 8) as usize, 256), (0, 0)],
    }
}

/// A level in 256ths, rounded towards 0. A NaN is 0.
fn fixed_point(level: f32) -> i32 {
    (level * 256.0) as i32
}

/// The logarithm to base 2 of a length, in 256ths. An H200 has a table of it by the first eight bits of the fraction.
fn logarithm(length: f32) -> i32 {
    if length == 0.0 || !length.is_finite() {
        return if length.is_infinite() { i32::MAX } else { 0 };
    }
    let exponent = length.log2().floor();
    let place = ((length / exponent.exp2() - 1.0) * 256.0).floor();
    let fraction = if place == 0.0 { 0.0 } else { (256.0 * (1.0 + (place + 0.5) / 256.0).log2()).round() };
    256 * exponent as i32 + fraction as i32
}

/// The length of the longer axis of the ellipse that two gradients make, in texels of the largest level.
fn length(
    image: &Image,
    sampler: &Sampler,
    geometry: Geometry,
    coordinates: [f32; 3],
    gradients: [[f32; 3]; 2],
) -> f32 {
    let base = image.base();
    let [a, b] = gradients.map(|gradient| {
        let gradient = if geometry.is_cube() { on_face(coordinates, gradient) } else { gradient };
        let is_normalized = sampler.is_normalized(image) || geometry.is_cube();
        let axes = if geometry.is_cube() { 2 } else { geometry.axes() };
        let scale = |axis: usize| if is_normalized { f64::from(base.size(axis)) } else { 1.0 };
        std::array::from_fn(|axis| if axis < axes { f64::from(gradient[axis]) * scale(axis) } else { 0.0 })
    });
    let dot = |a: [f64; 3], b: [f64; 3]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let (aa, ab, bb) = (dot(a, a), dot(a, b), dot(b, b));
    if aa.is_infinite() || bb.is_infinite() {
        return f32::INFINITY;
    }
    let squared = (aa + bb + ((aa - bb).powi(2) + 4.0 * ab * ab).sqrt()) / 2.0;
    squared.sqrt() as f32
}

/// The change of the place in a face, given that of the direction.
fn on_face(direction: [f32; 3], gradient: [f32; 3]) -> [f32; 3] {
    // A small part of the way, so that both ends lie in one face.
    const PART: f32 = 1.0 / 1024.0;
    let moved = std::array::from_fn(|axis| direction[axis] + PART * gradient[axis]);
    let ((from, u, v), (to, next_u, next_v)) = (face(direction), face(moved));
    if from == to { [(next_u - u) / PART, (next_v - v) / PART, 0.0] } else { gradient.map(|it| it / 2.0) }
}

#[cfg(test)]
mod tests {
    use super::super::texel::Channel;
    use super::super::{MipLevel, MipmapFilter};
    use super::*;

    /// A mipmapped plane of 16 by 16 texels.
    fn image() -> Image {
        let level = |nth: u32| MipLevel { extent: [16 >> nth, 16 >> nth, 0], ..MipLevel::default() };
        Image {
            levels: (0..5).map(level).collect(),
            channel: Channel::F32,
            channels: 1,
            is_linear_memory: false,
            sampler: None,
        }
    }

    fn chosen(mipmap: MipmapFilter, lod: LevelOfDetail) -> [(usize, u32); 2] {
        let sampler = Sampler { mipmap, has_normalized_coordinates: true, ..Sampler::default() };
        levels(&image(), &sampler, lod, Geometry::D2, [0.5; 3])
    }

    /// An H200 takes these levels.
    #[test]
    fn a_level_is_cut_off_to_256ths() {
        let all = MipmapFilter { is_linear: true, bias: 0, min_clamp: 0, max_clamp: 99 * 256 };
        for (filter, lod, want) in [
            (all, 0.99218994, [(0, 2), (1, 254)]),
            (all, 1.0, [(1, 256), (2, 0)]),
            (all, -3.0, [(0, 256), (1, 0)]),
            (all, 7.0, [(4, 256), (4, 0)]),
            (all, f32::INFINITY, [(4, 256), (4, 0)]),
            (all, f32::NAN, [(0, 256), (1, 0)]),
            (MipmapFilter { bias: -179, ..all }, 0.703125, [(0, 255), (1, 1)]),
            (MipmapFilter { max_clamp: 640, ..all }, 4.0, [(2, 128), (3, 128)]),
            // The lower clamp counts for more.
            (MipmapFilter { min_clamp: 768, max_clamp: 256, ..all }, 0.0, [(3, 256), (4, 0)]),
            (MipmapFilter { is_linear: false, ..all }, 0.5, [(1, 256), (0, 0)]),
            (MipmapFilter { is_linear: false, ..all }, 0.499, [(0, 256), (0, 0)]),
        ] {
            assert_eq!(chosen(filter, LevelOfDetail::Level(lod)), want, "{filter:?} {lod}");
        }
    }

    #[test]
    fn a_level_of_integer_coordinates_is_neither_biased_nor_clamped() {
        let filter = MipmapFilter { is_linear: true, bias: 256, min_clamp: 256, max_clamp: 512 };
        for (level, want) in [(0, [(0, 256), (0, 0)]), (4, [(4, 256), (0, 0)]), (5, [(0, 0); 2]), (-1, [(0, 0); 2])] {
            assert_eq!(chosen(filter, LevelOfDetail::Integer(level)), want, "{level}");
        }
    }

    #[test]
    fn a_read_without_an_operand_has_no_bias() {
        let filter = MipmapFilter { is_linear: true, bias: 320, min_clamp: 640, max_clamp: 1024 };
        assert_eq!(chosen(filter, LevelOfDetail::Base), [(2, 128), (3, 128)]);
    }

    /// 256ths of a level that an H200 took.
    #[test]
    fn gradients_are_within_a_seventh_of_a_level() {
        let all = MipmapFilter { is_linear: true, bias: 0, min_clamp: 0, max_clamp: 99 * 256 };
        for (gradients, want) in [
            ([[-0.4355, 0.244, 0.0], [0.0; 3]], 781),
            ([[-0.4345, 0.0, 0.0], [0.0, 0.085, 0.0]], 716),
            ([[0.4515, 0.274, 0.0], [-0.345, -0.1615, 0.0]], 865),
            ([[-0.222, -0.2265, 0.0], [-0.2295, -0.217, 0.0]], 699),
            ([[0.0625, 0.0, 0.0], [0.0; 3]], 0),
            ([[0.0; 3], [0.0; 3]], 0),
        ] {
            let [(level, _), (_, fraction)] = chosen(all, LevelOfDetail::Gradients(gradients));
            let given = 256 * level as i32 + fraction as i32;
            assert!((given - want).abs() <= 30, "{gradients:?}: {given} instead of {want}");
        }
    }
}
