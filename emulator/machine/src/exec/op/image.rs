//! Texture reads, addresses in surfaces, and queries of both.

use crate::image::point::Geometry;
use crate::registers::Reg;
use finding::AccessKind;

#[derive(Clone, Debug)]
pub enum ImageOp {
    Sample(Sample),
    Locate(Locate),
    Query(Query),
}

/// The handle and the coordinates of an instruction: the layer first if there are layers.
#[derive(Clone, Copy, Debug)]
pub struct ImagePlace {
    pub geometry: Geometry,
    pub handle: Reg,
    pub layer: Reg,
    pub coordinates: [Reg; 3],
}

/// `tex` and `tld4`.
#[derive(Clone, Debug)]
pub struct Sample {
    pub place: ImagePlace,
    /// Coordinates are integers.
    pub is_integer: bool,
    /// `tld4`: the channel that it takes of four texels.
    pub gathers: Option<usize>,
    pub dst: [Reg; 4],
    pub lod: LodOperand,
    /// Scratch registers: the address of a texel, its channels, and the dependencies of all texels so far.
    pub address: Reg,
    pub texel: [Reg; 4],
    pub seen: [Reg; 4],
}

/// The registers that choose the mipmap level.
#[derive(Clone, Copy, Debug)]
pub enum LodOperand {
    Base,
    Level(Reg),
    Gradients([[Reg; 3]; 2]),
}

/// The address of an access to a surface, as the step before the access itself.
#[derive(Clone, Debug)]
pub struct Locate {
    pub place: ImagePlace,
    pub dst: Reg,
    /// For [`Outside::Zero`]: true if there is something at the coordinates.
    pub is_inside: Reg,
    pub bytes: u32,
    pub outside: Outside,
    pub kind: AccessKind,
}

/// The effect of an access outside a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// It ends the launch.
    Trap,
    /// It is made at the edge.
    Clamp,
    /// A load gives zero, a store does nothing.
    Zero,
}

/// `txq` and `suq`.
#[derive(Clone, Debug)]
pub struct Query {
    pub handle: Reg,
    pub is_surface: bool,
    pub what: Queried,
    pub dst: Reg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queried {
    /// Texels along an axis.
    Size(usize),
    NormalizedCoordinates,
}

impl ImageOp {
    pub fn handle(&self) -> Reg {
        match self {
            ImageOp::Sample(it) => it.place.handle,
            ImageOp::Locate(it) => it.place.handle,
            ImageOp::Query(it) => it.handle,
        }
    }

    /// The registers that decide which memory it concerns.
    pub fn made_with(&self) -> [Reg; 11] {
        let (place, lod) = match self {
            ImageOp::Sample(it) => (it.place, it.lod),
            ImageOp::Locate(it) => (it.place, LodOperand::Base),
            ImageOp::Query(it) => return std::array::from_fn(|nth| if nth == 0 { it.handle } else { Reg::NONE }),
        };
        let [x, y, z] = place.coordinates;
        let [[a, b, c], [d, e, f]] = match lod {
            LodOperand::Base => [[Reg::NONE; 3]; 2],
            LodOperand::Level(level) => [[level, Reg::NONE, Reg::NONE], [Reg::NONE; 3]],
            LodOperand::Gradients(gradients) => gradients,
        };
        [place.handle, place.layer, x, y, z, a, b, c, d, e, f]
    }

    pub fn results(&self) -> Vec<Reg> {
        match self {
            ImageOp::Sample(it) => it.dst.to_vec(),
            ImageOp::Locate(it) => vec![it.dst, it.is_inside],
            ImageOp::Query(it) => vec![it.dst],
        }
    }
}
