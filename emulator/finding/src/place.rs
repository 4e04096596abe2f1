//! Places in memory, as far as the program has a name for them.

use crate::Space;

/// A variable or an element of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Place"))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum MemoryPlace {
    /// A variable of the kernel or the module; `index` is that of an element, `None` the whole.
    Variable { name: String, index: Option<u64> },
    /// The memory that argument `number` (from 1) of the kernel points to; `index` counts elements of the access's own
    /// size from there, `None` where it points to one element only.
    Argument { number: usize, index: Option<i64> },
    /// The memory this many bytes from the beginning of a place without index: a part of an element whose size is not
    /// the access's.
    Part { of: Box<MemoryPlace>, byte: i64 },
    /// A variable that each thread has for itself.
    Own,
    /// A number of bytes that have no name.
    Unnamed { bytes: u32 },
    /// A device address, or an offset into a block's shared memory, that has no name.
    Address { address: u64 },
}

impl MemoryPlace {
    /// Returns the place that has the elements or bytes: for a part the whole.
    pub fn base(&self) -> &MemoryPlace {
        match self {
            MemoryPlace::Part { of, .. } => of.base(),
            place => place,
        }
    }

    /// Returns the named variable or memory without an index; `None` if nothing names it.
    pub fn whole(&self) -> Option<MemoryPlace> {
        match self.base() {
            MemoryPlace::Variable { name, .. } => Some(MemoryPlace::Variable { name: name.clone(), index: None }),
            MemoryPlace::Argument { number, .. } => Some(MemoryPlace::Argument { number: *number, index: None }),
            MemoryPlace::Own => Some(MemoryPlace::Own),
            MemoryPlace::Part { .. } | MemoryPlace::Unnamed { .. } | MemoryPlace::Address { .. } => None,
        }
    }

    /// With this index, if there is one.
    pub fn at(self, index: Option<i64>) -> MemoryPlace {
        match (self, index) {
            (MemoryPlace::Variable { name, .. }, Some(index)) => {
                MemoryPlace::Variable { name, index: u64::try_from(index).ok() }
            }
            (MemoryPlace::Argument { number, .. }, index @ Some(_)) => MemoryPlace::Argument { number, index },
            (place, _) => place,
        }
    }
}

/// An allocation, by what leads to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub struct Buffer {
    pub bytes: u64,
    pub of: BufferName,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum BufferName {
    /// Argument `number` of the kernel, from 1, points into it.
    Argument { number: usize },
    /// A `__device__` variable.
    Variable { name: String },
    /// Nothing names it.
    Allocation,
}

/// Where in memory a finding is: what its accesses do not say.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Where {
    Nowhere,
    Block {
        block: [u32; 3],
    },
    Warp {
        block: [u32; 3],
        warp: u32,
    },
    /// Bytes of a block's shared memory, `offset` from its start.
    Shared {
        block: [u32; 3],
        bytes: u32,
        offset: u64,
    },
    /// Bytes of global memory, at byte `offset` of a buffer.
    Global {
        bytes: u32,
        offset: u64,
        buffer: Buffer,
    },
    /// The same at an address of no allocation.
    GlobalAddress {
        bytes: u32,
        address: u64,
    },
    /// Byte `offset` of a buffer.
    Byte {
        offset: u64,
        buffer: Buffer,
    },
    /// Byte `offset` of an allocation of `bytes` bytes that has been freed.
    Freed {
        offset: u64,
        bytes: u64,
    },
    /// A misaligned address: `past` bytes past a multiple of the access's size.
    Misaligned {
        at: Offset,
        past: u64,
        /// The variable that names it, without an index.
        near: Option<MemoryPlace>,
        /// Where that begins.
        start: Option<Start>,
    },
    /// An address outside of memory.
    Outside {
        at: Outside,
        near: Option<MemoryPlace>,
    },
    /// `far` bytes before the start or past the end of a shared array of `bytes` bytes; another variable lies there.
    OutsideArray {
        block: [u32; 3],
        far: u64,
        side: BufferSide,
        array: String,
        bytes: u64,
        /// The element that the access would be, of so many that the array has.
        index: i64,
        elements: u64,
        there: Option<MemoryPlace>,
    },
    /// An allocation of the program's: the `number`th of its context, from 1.
    Allocation {
        bytes: u64,
        memory: HostMemory,
        number: u64,
    },
}

/// The name of a misaligned address: it lies `offset` bytes after that, which itself begins `past` bytes past a
/// multiple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Start {
    pub offset: u64,
    pub past: u64,
    /// Bytes of an element of the vector that is accessed.
    pub element: u64,
}

/// An address by what it counts from. Offsets, not addresses: they are the same in a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Offset {
    /// Byte `offset` of an allocation of `bytes` bytes.
    Allocation {
        offset: u64,
        bytes: u64,
    },
    Space {
        space: Space,
        address: u64,
    },
}

/// The manner in which an address lies outside.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Outside {
    /// `far` bytes before the start or past the end of a buffer: `element` is what the access would be called.
    Near { element: Option<MemoryPlace>, far: u64, side: BufferSide, buffer: Buffer },
    /// Beyond the `bytes` bytes of shared memory that the block has. An array that is near has so many `elements`, if
    /// its own declaration gives its size.
    Shared { address: u64, bytes: u64, elements: Option<u64> },
    /// No memory is anywhere near.
    Nothing { space: Space, address: u64 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Side"))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum BufferSide {
    /// Before the first byte.
    Before,
    /// Past the last byte.
    Past,
}

/// A coordinate of an access to a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum SurfaceAxis {
    /// Counted in bytes.
    X,
    Y,
    Z,
    Layer,
}

/// Memory that the host allocates, by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum HostMemory {
    Device,
    /// The heap of device code.
    Heap,
    PageLocked,
    Unified,
    Registered,
}
