//! Bulk copies of tensors.

use super::async_copy::AsyncCopyAddress;
use super::bulk_copy::BulkCompletion;
use crate::memory::space::Space;
use crate::registers::Reg;
use crate::tensor::MOST_DIMENSIONS;
use finding::{AtomicOperation, Scope};

/// The direction of a copy of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TensorDirection {
    /// Global to shared memory.
    Load,
    /// Shared to global memory.
    Store,
    /// As a store, but updates what is there. The map gives the type.
    Reduce(AtomicOperation),
}

#[derive(Clone, Copy, Debug)]
pub struct TensorCopyOp {
    pub direction: TensorDirection,
    pub rank: u32,
    /// The generic address of the tensor map.
    pub map: Reg,
    /// One for each dimension.
    pub coordinates: [Reg; MOST_DIMENSIONS],
    pub shared: AsyncCopyAddress,
    /// The blocks of the cluster that get the bytes; [`Reg::NONE`]: the address says it.
    pub multicast: Reg,
    pub completion: BulkCompletion,
}

impl TensorCopyOp {
    /// The registers that it reads.
    pub fn sources(&self) -> impl Iterator<Item = Reg> {
        let object = match self.completion {
            BulkCompletion::Transactions(object) => object.base,
            BulkCompletion::Group => Reg::NONE,
        };
        self.coordinates.into_iter().chain([self.map, self.shared.base, self.multicast, object])
    }
}

/// A field of a tensor map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapField {
    Address,
    Rank,
    BoxExtent,
    Extent,
    Stride,
    Step,
    Element,
    Swizzle,
    Fill,
}

impl MapField {
    /// Returns the field with this name in the ISA.
    pub fn parse(name: &str) -> Option<MapField> {
        Some(match name {
            "global_address" => MapField::Address,
            "rank" => MapField::Rank,
            "box_dim" => MapField::BoxExtent,
            "global_dim" => MapField::Extent,
            "global_stride" => MapField::Stride,
            "element_stride" => MapField::Step,
            "elemtype" => MapField::Element,
            "swizzle_mode" => MapField::Swizzle,
            "fill_mode" => MapField::Fill,
            _ => return None,
        })
    }

    /// True if its value has 64 bits.
    pub fn is_wide(self) -> bool {
        matches!(self, MapField::Address | MapField::Stride)
    }

    /// True if there is one for each dimension.
    pub fn has_index(self) -> bool {
        matches!(self, MapField::BoxExtent | MapField::Extent | MapField::Stride | MapField::Step)
    }
}

/// `tensormap.replace`
#[derive(Clone, Copy, Debug)]
pub struct Replacement {
    pub field: MapField,
    /// The dimension.
    pub index: usize,
    pub space: Space,
    pub map: AsyncCopyAddress,
    pub value: Reg,
}

/// `fence.proxy.tensormap::generic`
#[derive(Clone, Copy, Debug)]
pub struct MapFence {
    pub scope: Scope,
    /// The map that an `.acquire` is for; `None`: a `.release`, which is for all maps.
    pub acquires: Option<AsyncCopyAddress>,
}

/// `tensormap.cp_fenceproxy`: a warp copies a tensor map from shared to global memory, then passes a
/// [`MapFence`] that releases. The registers of the addresses are the first two of its collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MapCopy {
    pub scope: Scope,
    /// The constants that are added to the addresses of the destination and the source.
    pub offsets: [i64; 2],
}
