//! Accesses of memory in the ISA's terms, and values as bits with a type.

#[cfg(feature = "json")]
use crate::json;

/// PTX ISA, "State Spaces".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum Space {
    Generic,
    Global,
    Shared,
    Local,
    Param,
}

impl Space {
    /// True if another thread may have the same address. A generic address may be any.
    pub fn is_shared_by_threads(self) -> bool {
        matches!(self, Space::Generic | Space::Global | Space::Shared)
    }

    /// As PTX writes it: "global".
    pub fn name(self) -> &'static str {
        match self {
            Space::Generic => "generic",
            Space::Global => "global",
            Space::Shared => "shared",
            Space::Local => "local",
            Space::Param => "param",
        }
    }
}

/// The scope of a strong access or a fence (PTX ISA, "Scope"), the narrowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum Scope {
    Block,
    Cluster,
    Device,
    System,
}

/// The kind of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum AccessKind {
    Load,
    Store,
    Atomic,
    AsyncCopy,
    /// A barrier object (`mbarrier`) is used.
    BarrierObject,
    /// A matrix in shared memory that `wgmma` reads.
    MatrixOperand,
}

/// The memory that an access touches.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MemoryAccess {
    pub kind: AccessKind,
    pub space: Space,
    /// `None`: a plain (weak) access.
    pub scope: Option<Scope>,
    /// Bytes of the whole access of one thread.
    pub bytes: u32,
}

/// PTX ISA, "atom".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum AtomicOperation {
    Add,
    And,
    Or,
    Xor,
    Exchange,
    CompareExchange,
    Increment,
    Decrement,
    Min,
    Max,
}

impl AtomicOperation {
    /// CUDA's function.
    pub fn cuda_name(self) -> &'static str {
        match self {
            AtomicOperation::Add => "atomicAdd",
            AtomicOperation::And => "atomicAnd",
            AtomicOperation::Or => "atomicOr",
            AtomicOperation::Xor => "atomicXor",
            AtomicOperation::Exchange => "atomicExch",
            AtomicOperation::CompareExchange => "atomicCAS",
            AtomicOperation::Increment => "atomicInc",
            AtomicOperation::Decrement => "atomicDec",
            AtomicOperation::Min => "atomicMin",
            AtomicOperation::Max => "atomicMax",
        }
    }
}

/// The type of a value's bits (PTX ISA, "Fundamental Types").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(rename_all = "kebab-case"))]
pub enum ValueType {
    B8,
    B16,
    B32,
    B64,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    Bf16,
    F32,
    F64,
    /// Anything else: packed halves, predicates.
    Other,
}

/// The value that an access found or left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Value"))]
pub struct AccessValue {
    #[cfg_attr(feature = "json", serde(with = "json::hexadecimal"))]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub bits: u64,
    #[cfg_attr(feature = "json", serde(rename = "type"))]
    pub ty: ValueType,
    /// A load got it although something else had been stored since, as the memory model allows.
    pub stale: bool,
    /// A load got it where nothing had written.
    pub unwritten: bool,
}
