//! Tensor maps: the 128 opaque bytes that `cuTensorMapEncodeTiled` makes and that copies of tensors read (CUDA Driver
//! API, "Tensor Map Object Management"; PTX ISA, "Tensors", "Tensor-map").
//!
//! The real layout of these bytes is not documented. This one is the emulator's own, so a map that a program has made
//! by other means is no map here. [`boxes`] finds the bytes that a box of a tensor has in memory.
//!
//! Left out: the interleaved layouts, im2col, and the packed types of 4 and 6 bits. The driver refuses maps that ask
//! for them. Hints for the L2 cache change no value.

pub mod boxes;

/// The most dimensions of a tensor.
pub const MOST_DIMENSIONS: usize = 5;

/// Bytes of a map, and the alignment of one in memory.
pub const MAP_BYTES: usize = 128;
pub const MAP_ALIGNMENT: u64 = 64;

/// The first bytes of a map of the emulator.
const MAGIC: [u8; 4] = *b"tmap";

/// The most bytes of a box on a GPU of compute capability 9.0: all shared memory of a multiprocessor.
const MOST_BOX_BYTES: u64 = 228 << 10;

/// The unit of addresses, strides and rows of a tensor in memory, in bytes.
pub const GRANULE: u64 = 16;

/// The type of a tensor's elements, by the ISA's numbers for `tensormap.replace`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TensorElement {
    U8,
    U16,
    U32,
    S32,
    U64,
    S64,
    F16,
    F32,
    /// Subnormal numbers are zeros to a reduction.
    F32Ftz,
    F64,
    Bf16,
    /// A load rounds it to the eleven significant bits of `tf32`.
    Tf32,
    Tf32Ftz,
}

impl TensorElement {
    const ALL: [TensorElement; 13] = {
        use TensorElement::*;
        [U8, U16, U32, S32, U64, S64, F16, F32, F32Ftz, F64, Bf16, Tf32, Tf32Ftz]
    };

    /// Returns the type with this number in the ISA.
    pub fn of_number(number: u32) -> Option<TensorElement> {
        TensorElement::ALL.get(number as usize).copied()
    }

    /// Bytes of an element.
    pub fn bytes(self) -> u32 {
        use TensorElement::*;
        match self {
            U8 => 1,
            U16 | F16 | Bf16 => 2,
            U32 | S32 | F32 | F32Ftz | Tf32 | Tf32Ftz => 4,
            U64 | S64 | F64 => 8,
        }
    }

    pub fn is_float(self) -> bool {
        use TensorElement::*;
        matches!(self, F16 | F32 | F32Ftz | F64 | Bf16 | Tf32 | Tf32Ftz)
    }

    /// True if a load rounds elements of this type.
    pub fn is_rounded(self) -> bool {
        matches!(self, TensorElement::Tf32 | TensorElement::Tf32Ftz)
    }
}

/// The swizzle mode: how 16-byte units of a box change places in shared memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Swizzle {
    #[default]
    None,
    Bytes32,
    Bytes64,
    Bytes128,
}

impl Swizzle {
    /// Returns the mode with this number, in the ISA and in the driver API.
    pub fn of_number(number: u32) -> Option<Swizzle> {
        [Swizzle::None, Swizzle::Bytes32, Swizzle::Bytes64, Swizzle::Bytes128].get(number as usize).copied()
    }

    /// The span of a row in shared memory, in bytes. 0 if nothing is swizzled.
    pub fn span(self) -> u32 {
        match self {
            Swizzle::None => 0,
            Swizzle::Bytes32 => 32,
            Swizzle::Bytes64 => 64,
            Swizzle::Bytes128 => 128,
        }
    }

    /// Returns the shared address that holds the unit at `address`. Bits from 7 up change those from 4 up, as many as
    /// number the units of a span.
    pub fn place(self, address: u64) -> u64 {
        let units = u64::from(self.span()) / GRANULE;
        match units {
            0 => address,
            _ => address ^ (address >> 7 & (units - 1)) << 4,
        }
    }
}

/// A tiled tensor in global memory, and the box that copies move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorMap {
    pub element: TensorElement,
    /// The number of dimensions, 1 to 5. The innermost is the first everywhere.
    pub rank: u32,
    pub address: u64,
    /// Elements by dimension.
    pub extents: [u64; MOST_DIMENSIONS],
    /// Bytes from one element to the next along each dimension but the first.
    pub strides: [u64; MOST_DIMENSIONS - 1],
    /// Elements of the box by dimension, those that are stepped over included.
    pub box_extents: [u32; MOST_DIMENSIONS],
    /// Every so many elements of the box are copied. The first dimension has no step.
    pub steps: [u32; MOST_DIMENSIONS],
    pub swizzle: Swizzle,
    /// Loads fill what lies outside the tensor with a NaN, not with zeros.
    pub fills_with_nan: bool,
}

impl TensorMap {
    /// Returns the map as a program sees it.
    pub fn encode(&self) -> [u8; MAP_BYTES] {
        let mut bytes = Vec::with_capacity(MAP_BYTES);
        bytes.extend(MAGIC);
        bytes.extend([self.element as u8, self.rank as u8, self.swizzle as u8, u8::from(self.fills_with_nan)]);
        bytes.extend(self.address.to_le_bytes());
        // An extent is at most 2^32, and at least 1.
        bytes.extend(self.extents.iter().flat_map(|extent| (extent.wrapping_sub(1) as u32).to_le_bytes()));
        bytes.extend(self.strides.iter().flat_map(|stride| stride.to_le_bytes()));
        bytes.extend(self.box_extents.iter().flat_map(|extent| (*extent as u16).to_le_bytes()));
        bytes.extend(self.steps.iter().map(|step| *step as u8));
        bytes.resize(MAP_BYTES, 0);
        bytes.try_into().expect("resized")
    }

    /// Reads a map. `None` if these bytes are none, or describe no tensor.
    pub fn decode(bytes: &[u8; MAP_BYTES]) -> Option<TensorMap> {
        TensorMap::read(bytes).filter(|map| map.is_valid())
    }

    /// Reads a map that may describe no tensor yet, since fields of it are still to be replaced.
    pub fn read(bytes: &[u8; MAP_BYTES]) -> Option<TensorMap> {
        let mut rest = bytes.strip_prefix(&MAGIC)?;
        let [element, rank, swizzle, fill] = take(&mut rest);
        let address = u64::from_le_bytes(take(&mut rest));
        let extents = std::array::from_fn(|_| u64::from(u32::from_le_bytes(take(&mut rest))) + 1);
        let strides = std::array::from_fn(|_| u64::from_le_bytes(take(&mut rest)));
        let box_extents = std::array::from_fn(|_| u16::from_le_bytes(take(&mut rest)).into());
        let steps = std::array::from_fn(|_| take::<1>(&mut rest)[0].into());
        Some(TensorMap {
            element: TensorElement::of_number(element.into())?,
            rank: rank.into(),
            address,
            extents,
            strides,
            box_extents,
            steps,
            swizzle: Swizzle::of_number(swizzle.into())?,
            fills_with_nan: fill != 0,
        })
    }

    /// True if the driver API allows these values (CUDA Driver API, `cuTensorMapEncodeTiled`).
    pub fn is_valid(&self) -> bool {
        let rank = self.rank as usize;
        if !(1..=MOST_DIMENSIONS).contains(&rank) || !self.address.is_multiple_of(GRANULE) {
            return false;
        }
        let allows = |dimension: usize| {
            (1..=1 << 32).contains(&self.extents[dimension])
                && (1..=256).contains(&self.box_extents[dimension])
                && (1..=8).contains(&self.steps[dimension])
        };
        let strides = self.strides[..rank - 1].iter();
        let row = self.box_extents[0] * self.element.bytes();
        (0..rank).all(allows)
            && strides.into_iter().all(|stride| stride.is_multiple_of(GRANULE) && *stride < 1 << 40)
            && u64::from(row).is_multiple_of(GRANULE)
            && (self.swizzle == Swizzle::None || row <= self.swizzle.span())
            && (!self.fills_with_nan || self.element.is_float())
            && self.box_bytes() <= MOST_BOX_BYTES
    }

    /// The elements of a box that are copied, along a dimension.
    pub fn count(&self, dimension: usize) -> u32 {
        match dimension {
            _ if dimension >= self.rank as usize => 1,
            0 => self.box_extents[0],
            _ => self.box_extents[dimension].div_ceil(self.steps[dimension]),
        }
    }

    /// Bytes of a box: the transactions of a load, also of one that lies outside the tensor.
    pub fn box_bytes(&self) -> u64 {
        let elements: u64 = (0..MOST_DIMENSIONS).map(|dimension| u64::from(self.count(dimension))).product();
        elements * u64::from(self.element.bytes())
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> [u8; N] {
    let (first, others) = rest.split_first_chunk().expect("a map is longer");
    *rest = others;
    *first
}

#[cfg(test)]
mod tests;
