//! The texels that a texture read touches, and their weights (CUDA C++ Programming Guide, "Texture Fetching").
//!
//! With linear filtering a coordinate becomes a fixed-point number with 8 bits of fraction, less one half: its integer
//! part is the lower texel, its fraction the weight of the upper one. The guide says so many bits. The rest was
//! measured with `lab/textures/modes.cu` on an H200 with CUDA 13.0:
//!
//! - A normalized coordinate is cut off to a fixed-point number before it is multiplied by the size.
//! - A coordinate is rounded to 256ths, and half a step goes up.
//! - A texel's weight is a whole number of 256ths ([`weights`]).
//! - A line is filtered along the second axis too, at coordinate 0: with border mode there, half is border.
//! - A NaN counts as 0.

use super::cube::{Edge, face, neighbor};
use super::{AddressMode, Image, MipLevel, Sampler};

/// The geometry of an access, as the instruction names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Geometry {
    D1,
    D2,
    D3,
    /// Layers of one and two dimensions.
    A1,
    A2,
    Cube,
    /// Layers of cube maps.
    ACube,
}

impl Geometry {
    pub fn parse(name: &str) -> Option<Geometry> {
        Some(match name {
            "1d" => Geometry::D1,
            "2d" => Geometry::D2,
            "3d" => Geometry::D3,
            "a1d" => Geometry::A1,
            "a2d" => Geometry::A2,
            "cube" => Geometry::Cube,
            "acube" => Geometry::ACube,
            _ => return None,
        })
    }

    /// The number of coordinates, the layer aside.
    pub fn axes(self) -> usize {
        match self {
            Geometry::D1 | Geometry::A1 => 1,
            Geometry::D2 | Geometry::A2 => 2,
            Geometry::D3 | Geometry::Cube | Geometry::ACube => 3,
        }
    }

    pub fn is_layered(self) -> bool {
        matches!(self, Geometry::A1 | Geometry::A2 | Geometry::ACube)
    }

    pub fn is_cube(self) -> bool {
        matches!(self, Geometry::Cube | Geometry::ACube)
    }
}

/// One texel of a read: `None` is the border.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Touched {
    pub at: Option<[u32; 3]>,
    /// In 256ths.
    pub weight: u32,
}

/// The texels of a read. With linear filtering there are two along each axis, the first axis running fastest. A gather
/// at the corner of a seamless cube map has three of them, and from number 4 on those whose mean stands for the fourth
/// one.
pub type Footprint = [Touched; 8];

/// The coordinates of a read.
#[derive(Clone, Copy, Debug)]
pub enum Coordinates {
    Float([f32; 3]),
    /// Texels are counted, and never filtered.
    Integer([i32; 3]),
}

/// Where a read lies along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct AxisTexels {
    low: Option<u32>,
    high: Option<u32>,
    /// The weight of `high`, in 256ths.
    fraction: u32,
}

/// Returns the texels of a read in one level, whose weights make `whole`. `gathers` takes both texels of each axis,
/// with whatever weight.
pub fn footprint(
    image: &Image,
    (level, whole): (&MipLevel, u32),
    sampler: &Sampler,
    geometry: Geometry,
    layer: u32,
    coordinates: Coordinates,
    gathers: bool,
) -> Footprint {
    let depth = level.size(2);
    let mut edge = Edge::Clamped;
    let (coordinates, slice) = match (geometry.is_cube(), coordinates) {
        (true, Coordinates::Float(direction)) => {
            let (face, u, v) = face(direction);
            let layers = (depth / 6).max(1);
            let layer = if geometry.is_layered() { layer.min(layers - 1) } else { 0 };
            if sampler.is_seamless && sampler.is_linear && depth >= 6 {
                edge = Edge::Seamless { face, first: 6 * layer };
            }
            // An array that is no cube map has fewer slices. The result is not defined then, but stays in the array.
            (Coordinates::Float([u, v, 0.0]), Some((6 * layer + face).min(depth - 1)))
        }
        (_, coordinates) => (coordinates, geometry.is_layered().then(|| layer.min(depth - 1))),
    };
    let axes = match geometry {
        Geometry::A1 => 1,
        Geometry::D3 => 3,
        _ => 2,
    };
    let filter = Filter { image, level, sampler, is_cube: geometry.is_cube(), gathers };
    if let (Edge::Seamless { face, first }, Coordinates::Float(at)) = (edge, coordinates) {
        return filter.seamless(face, first, [at[0], at[1]], whole);
    }
    let places: [AxisTexels; 3] = std::array::from_fn(|axis| match axis < axes {
        true => filter.place(coordinates, axis),
        false => AxisTexels { low: Some(0), high: None, fraction: 0 },
    });
    let weights = match gathers {
        true => [256, 256, 256, 256, 0, 0, 0, 0],
        false => weights(whole, places.map(|place| place.fraction)),
    };
    std::array::from_fn(|nth| Touched { at: texel(&places, slice, nth), weight: weights[nth] })
}

/// The place of number `nth` of a footprint.
fn texel(places: &[AxisTexels; 3], slice: Option<u32>, nth: usize) -> Option<[u32; 3]> {
    let mut at = [0; 3];
    for (axis, place) in places.iter().enumerate() {
        at[axis] = if nth >> axis & 1 != 0 { place.high? } else { place.low? };
    }
    at[2] = slice.unwrap_or(at[2]);
    Some(at)
}

/// The weights of a footprint in 256ths, given each axis' weight of the upper texel.
///
/// The whole is divided along the third axis, then the first, then the second. Each part is rounded, and its other part
/// is what remains. Half a step goes to the lower texel along the third axis, and to the upper one along the first;
/// along the second axis it does so for the first axis' upper texel only.
fn weights(whole: u32, [x, y, z]: [u32; 3]) -> [u32; 8] {
    let mut all = [0; 8];
    let far = (whole * z + 127) >> 8;
    for (slice, whole) in [whole - far, far].into_iter().enumerate() {
        let right = (whole * x + 128) >> 8;
        for (column, whole, half) in [(0, whole - right, 127), (1, right, 128)] {
            let upper = (whole * y + half) >> 8;
            all[4 * slice + column] = whole - upper;
            all[4 * slice + 2 + column] = upper;
        }
    }
    all
}

struct Filter<'a> {
    image: &'a Image,
    level: &'a MipLevel,
    sampler: &'a Sampler,
    is_cube: bool,
    gathers: bool,
}

impl Filter<'_> {
    fn place(&self, coordinates: Coordinates, axis: usize) -> AxisTexels {
        let size = self.level.size(axis);
        let one = |low: Option<u32>| AxisTexels { low, high: None, fraction: 0 };
        match coordinates {
            Coordinates::Integer(at) => one(settle(self.mode(axis, false), at[axis].into(), size)),
            Coordinates::Float(at) => {
                let is_normalized = self.sampler.is_normalized(self.image) || self.is_cube;
                let mode = self.mode(axis, is_normalized);
                let at = scaled(at[axis], size, is_normalized);
                if !self.sampler.is_linear && !self.gathers {
                    return one(settle(mode, at.floor() as i64, size));
                }
                let fixed = match mode {
                    AddressMode::Clamp if !self.gathers => fixed_point(at).clamp(0, (i64::from(size) - 1) << 8),
                    _ => fixed_point(at),
                };
                let low = fixed >> 8;
                let (low, high) = (settle(mode, low, size), settle(mode, low + 1, size));
                AxisTexels { low, high, fraction: (fixed & 0xff) as u32 }
            }
        }
    }

    /// The texels of a read of a cube map whose faces go on in each other. In a corner three texels meet: each gets a
    /// third of what a fourth one would have.
    fn seamless(&self, face: u32, first: u32, at: [f32; 2], whole: u32) -> Footprint {
        let size = self.level.size(0);
        let [x, y] = at.map(|at| fixed_point(scaled(at, size, true)));
        let weights = match self.gathers {
            true => [256; 8],
            false => weights(whole, [(x & 0xff) as u32, (y & 0xff) as u32, 0]),
        };
        let is_inside = |at: i64| (0..i64::from(size)).contains(&at);
        let mut all = Footprint::default();
        let mut corner = None;
        for nth in 0..4 {
            let (x, y) = ((x >> 8) + (nth as i64 & 1), (y >> 8) + (nth as i64 >> 1));
            let (face, [x, y]) = match (is_inside(x), is_inside(y)) {
                (true, true) => (face, [x as u32, y as u32]),
                (false, false) => {
                    corner = Some(nth);
                    continue;
                }
                _ => neighbor(face, [x, y], size),
            };
            all[nth] = Touched { at: Some([x, y, first + face]), weight: weights[nth] };
        }
        if let Some(nth) = corner {
            let third = (2 * weights[nth] + 3) / 6;
            // The texel across from it lies in the face itself.
            let shares = [(nth ^ 3, weights[nth] - 2 * third), (nth ^ 1, third), (nth ^ 2, third)];
            for (place, (other, share)) in shares.into_iter().enumerate() {
                match self.gathers {
                    true => all[4 + place] = Touched { weight: share, ..all[other] },
                    false => all[other].weight += share,
                }
            }
        }
        all
    }

    /// The mode of an axis: wrapping and mirroring are for normalized coordinates.
    fn mode(&self, axis: usize, is_normalized: bool) -> AddressMode {
        if self.image.is_linear_memory {
            return AddressMode::Border;
        }
        match self.sampler.modes[axis] {
            _ if self.is_cube => AddressMode::Clamp,
            AddressMode::Wrap | AddressMode::Mirror if !is_normalized => AddressMode::Clamp,
            mode => mode,
        }
    }
}

/// A coordinate in texels. A normalized one is cut off to so many bits of fraction; 14 to 21 fit what was seen.
fn scaled(at: f32, size: u32, is_normalized: bool) -> f64 {
    const CUT: f64 = (1 << 21) as f64;
    // Far outside the largest texture.
    const FAR: f64 = (1u64 << 30) as f64;
    let at = if at.is_nan() { 0.0 } else { f64::from(at).clamp(-FAR, FAR) };
    if is_normalized { (at * CUT).floor() / CUT * f64::from(size) } else { at }
}

/// A coordinate less one half, with 8 bits of fraction.
fn fixed_point(at: f64) -> i64 {
    (at * 256.0 + 0.5).floor() as i64 - 128
}

/// The texel that an index stands for; `None` is the border.
fn settle(mode: AddressMode, index: i64, size: u32) -> Option<u32> {
    let size = i64::from(size);
    let inside = match mode {
        AddressMode::Clamp => index.clamp(0, size - 1),
        AddressMode::Wrap => index.rem_euclid(size),
        AddressMode::Mirror => match index.rem_euclid(2 * size) {
            far if far >= size => 2 * size - 1 - far,
            near => near,
        },
        AddressMode::Border => Some(index).filter(|index| (0..size).contains(index))?,
    };
    Some(inside as u32)
}

#[cfg(test)]
mod tests {
    use super::super::texel::Channel;
    use super::*;

    fn image(extent: [u32; 3]) -> Image {
        Image {
            levels: vec![MipLevel { extent, ..MipLevel::default() }],
            channel: Channel::F32,
            channels: 1,
            is_linear_memory: false,
            sampler: None,
        }
    }

    fn read(extent: [u32; 3], sampler: &Sampler, geometry: Geometry, layer: u32, at: [f32; 3]) -> Footprint {
        let image = image(extent);
        footprint(&image, (&image.levels[0], 256), sampler, geometry, layer, Coordinates::Float(at), false)
    }

    fn touched(sampler: Sampler, x: f32) -> Vec<(Option<u32>, u32)> {
        let all = read([4, 0, 0], &sampler, Geometry::D1, 0, [x, 0.0, 0.0]);
        all.iter().filter(|it| it.weight != 0).map(|it| (it.at.map(|at| at[0]), it.weight)).collect()
    }

    fn sampler(mode: AddressMode, is_linear: bool, has_normalized_coordinates: bool) -> Sampler {
        Sampler {
            modes: [mode, AddressMode::Clamp, AddressMode::Clamp],
            is_linear,
            has_normalized_coordinates,
            ..Sampler::default()
        }
    }

    #[test]
    fn a_nearest_read_takes_the_texel_that_holds_the_coordinate() {
        use AddressMode::*;
        for (mode, normalized, x, want) in [
            (Clamp, false, 1.99, Some(1)),
            (Clamp, false, -7.0, Some(0)),
            (Clamp, false, f32::INFINITY, Some(3)),
            (Clamp, false, f32::NAN, Some(0)),
            (Border, false, 4.0, None),
            (Border, false, -0.1, None),
            // Not for coordinates in texels.
            (Wrap, false, 5.0, Some(3)),
            (Wrap, true, 1.25, Some(1)),
            (Wrap, true, -0.25, Some(3)),
            (Mirror, true, 1.125, Some(3)),
            (Mirror, true, -0.3, Some(1)),
            (Clamp, true, 0.5, Some(2)),
        ] {
            assert_eq!(touched(sampler(mode, false, normalized), x), [(want, 256)], "{mode:?} {x}");
        }
    }

    #[test]
    fn a_linear_read_weighs_two_texels_by_256ths() {
        use AddressMode::*;
        for (mode, normalized, x, want) in [
            (Clamp, false, 1.5, vec![(Some(1), 256)]),
            (Clamp, false, 2.0, vec![(Some(1), 128), (Some(2), 128)]),
            (Clamp, false, 0.25, vec![(Some(0), 256)]),
            (Border, false, 0.25, vec![(None, 64), (Some(0), 192)]),
            (Wrap, true, 0.0, vec![(Some(3), 128), (Some(0), 128)]),
            (Mirror, true, 0.0, vec![(Some(0), 128), (Some(0), 128)]),
            (Clamp, false, 1.5 + 1.0 / 512.0, vec![(Some(1), 255), (Some(2), 1)]),
            (Clamp, false, 1.5 + 1.0 / 1024.0, vec![(Some(1), 256)]),
        ] {
            assert_eq!(touched(sampler(mode, true, normalized), x), want, "{mode:?} {x}");
        }
    }

    #[test]
    fn a_line_is_half_border_if_the_second_axis_has_a_border() {
        let sampler = Sampler { modes: [AddressMode::Border; 3], is_linear: true, ..Sampler::default() };
        assert_eq!(touched(sampler, 1.5), [(None, 128), (Some(1), 128)]);
    }

    #[test]
    fn eight_weights_are_rounded_and_make_a_whole() {
        assert_eq!(weights(256, [1, 128, 0]), [128, 0, 127, 1, 0, 0, 0, 0]);
        for (whole, x, y, z) in [(256, 1, 128, 129), (256, 128, 129, 127), (77, 255, 3, 77)] {
            assert_eq!(weights(whole, [x, y, z]).iter().sum::<u32>(), whole, "{x} {y} {z}");
        }
    }

    /// The geometry comes from the instruction, and the object may have another.
    #[test]
    fn a_cube_read_of_a_plane_stays_in_it() {
        for geometry in [Geometry::Cube, Geometry::ACube] {
            let all = read([4, 4, 0], &sampler(AddressMode::Clamp, false, false), geometry, 3, [0.5, 0.0, -1.0]);
            assert_eq!(all[0].at, Some([1, 2, 0]), "{geometry:?}");
        }
    }

    #[test]
    fn a_layer_outside_is_the_last_one() {
        let sampler = sampler(AddressMode::Clamp, false, false);
        let all = read([4, 0, 3], &sampler, Geometry::A1, 9, [1.0, 0.0, 0.0]);
        assert_eq!(all[0], Touched { at: Some([1, 0, 2]), weight: 256 });
        assert!(all[1..].iter().all(|it| it.weight == 0));
    }

    /// The numbers are those of an H200: faces of four texels, one read near an edge and one near a corner.
    #[test]
    fn a_seamless_read_goes_on_in_the_next_face() {
        let seamless = Sampler { is_linear: true, is_seamless: true, ..Sampler::default() };
        for (direction, want) in [
            ([-1.0, -0.881, 0.048], vec![(1, 1, 3, 76), (1, 2, 3, 113), (3, 0, 1, 40), (3, 0, 2, 27)]),
            ([-0.944, -1.0, -0.836], vec![(1, 0, 3, 88), (3, 0, 3, 135), (5, 3, 3, 33)]),
        ] {
            let all = read([4, 4, 6], &seamless, Geometry::Cube, 0, direction);
            let texel = |it: &Touched| it.at.map(|[x, y, face]| (face, x, y, it.weight));
            let mut given: Vec<_> = all.iter().filter(|it| it.weight != 0).filter_map(texel).collect();
            given.sort();
            assert_eq!(given, want, "{direction:?}");
        }
    }
}
