//! Changes of a program's source that may fix it, each exact enough to be applied by a program.
//!
//! A remedy is a list of them: a pair of fences is one remedy of two edits. None is a promise that the result is right.

use crate::{AtomicOperation, BarrierKind, Scope, SourceLocation};

pub type Remedy = Vec<Edit>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Edit {
    /// A barrier that all whom it holds reach.
    InsertBarrier {
        barrier: BarrierKind,
        at: Position,
    },
    InsertFence {
        scope: Scope,
        at: Position,
    },
    /// A thread waits for the asynchronous copies that it has started.
    InsertWait {
        at: Position,
    },
    /// A thread ends its bulk group, and waits for the bulk copies that it has started.
    InsertBulkWait {
        at: Position,
    },
    /// A thread makes what is ordered before it visible to the asynchronous proxy.
    InsertProxyFence {
        at: Position,
    },
    /// A thread waits for the grids that its launch depends on.
    InsertGridWait {
        at: Position,
    },
    /// A warpgroup ends its group of products (`wgmma`), and waits for those that it has started.
    InsertProductWait {
        at: Position,
    },
    /// A warpgroup orders its accesses of registers before its next products.
    InsertProductFence {
        at: Position,
    },
    /// The fence or the atomic operation here gets a wider scope.
    WidenScope {
        at: SourceLocation,
        to: Scope,
    },
    /// The plain access here becomes an atomic operation.
    MakeAtomic {
        at: SourceLocation,
        access: AtomicAccess,
    },
    /// The `.sync` operation here names these lanes.
    ChangeMask {
        at: SourceLocation,
        mask: u32,
    },
    /// The barrier here, which counts its threads, waits for so many.
    ChangeCount {
        at: SourceLocation,
        threads: u32,
    },
    /// The shuffle here works on groups of so many lanes.
    ChangeWidth {
        at: SourceLocation,
        width: u32,
    },
    /// The access here is made only where its index is inside what it indexes: smaller than the kernel's parameter
    /// number `below`, from 0, where one is known to be the bound.
    BoundIndex {
        at: SourceLocation,
        below: Option<usize>,
    },
    /// The barrier here goes; another edit puts one elsewhere.
    RemoveBarrier {
        at: SourceLocation,
    },
    /// Moves an operation that all lanes do together here, such as a shuffle, before the branch at `above`, by all whom
    /// that branch parts.
    Hoist {
        at: SourceLocation,
        above: SourceLocation,
    },
    /// The statement here is executed only where `condition` holds, in C++.
    Guard {
        at: SourceLocation,
        condition: String,
    },
    /// `old` becomes `new` in this line, in C++.
    Rewrite {
        at: SourceLocation,
        old: String,
        new: String,
    },
    /// A statement, in C++.
    Insert {
        statement: String,
        at: Position,
    },
    /// Splits the statement here: it reads before this barrier, and writes after it.
    SplitUpdate {
        at: SourceLocation,
        barrier: BarrierKind,
    },
    /// The value read here is replaced by what the atomic operation at `of` returned.
    UseReturned {
        at: SourceLocation,
        of: SourceLocation,
    },
}

/// The kind of an edit, whatever its place: lines move when a file is edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EditKind {
    InsertBarrier(BarrierKind),
    InsertFence(Scope),
    InsertWait,
    InsertBulkWait,
    InsertProxyFence,
    InsertGridWait,
    InsertProductWait,
    InsertProductFence,
    WidenScope(Scope),
    MakeAtomic(AtomicAccess),
    ChangeMask(u32),
    ChangeCount(u32),
    ChangeWidth(u32),
    BoundIndex,
    RemoveBarrier,
    Hoist,
    Guard,
    Rewrite,
    Insert,
    SplitUpdate(BarrierKind),
    UseReturned,
}

impl Edit {
    /// The places that it names; the first stands for it.
    pub fn locations(&self) -> Vec<&SourceLocation> {
        match self {
            Edit::InsertBarrier { at, .. }
            | Edit::InsertFence { at, .. }
            | Edit::InsertWait { at }
            | Edit::InsertBulkWait { at }
            | Edit::InsertProxyFence { at }
            | Edit::InsertGridWait { at }
            | Edit::InsertProductWait { at }
            | Edit::InsertProductFence { at }
            | Edit::Insert { at, .. } => match at {
                Position::Before { at } | Position::After { at } => vec![at],
                Position::Between { first, second } => vec![first, second],
            },
            Edit::Hoist { at, above: other } | Edit::UseReturned { at, of: other } => vec![at, other],
            Edit::WidenScope { at, .. }
            | Edit::MakeAtomic { at, .. }
            | Edit::ChangeMask { at, .. }
            | Edit::ChangeCount { at, .. }
            | Edit::ChangeWidth { at, .. }
            | Edit::BoundIndex { at, .. }
            | Edit::RemoveBarrier { at }
            | Edit::Guard { at, .. }
            | Edit::Rewrite { at, .. }
            | Edit::SplitUpdate { at, .. } => vec![at],
        }
    }

    /// The places that it names, to be changed.
    pub fn locations_mut(&mut self) -> Vec<&mut SourceLocation> {
        match self {
            Edit::InsertBarrier { at, .. }
            | Edit::InsertFence { at, .. }
            | Edit::InsertWait { at }
            | Edit::InsertBulkWait { at }
            | Edit::InsertProxyFence { at }
            | Edit::InsertGridWait { at }
            | Edit::InsertProductWait { at }
            | Edit::InsertProductFence { at }
            | Edit::Insert { at, .. } => match at {
                Position::Before { at } | Position::After { at } => vec![at],
                Position::Between { first, second } => vec![first, second],
            },
            Edit::Hoist { at, above: other } | Edit::UseReturned { at, of: other } => vec![at, other],
            Edit::WidenScope { at, .. }
            | Edit::MakeAtomic { at, .. }
            | Edit::ChangeMask { at, .. }
            | Edit::ChangeCount { at, .. }
            | Edit::ChangeWidth { at, .. }
            | Edit::BoundIndex { at, .. }
            | Edit::RemoveBarrier { at }
            | Edit::Guard { at, .. }
            | Edit::Rewrite { at, .. }
            | Edit::SplitUpdate { at, .. } => vec![at],
        }
    }

    pub fn kind(&self) -> EditKind {
        match *self {
            Edit::InsertBarrier { barrier, .. } => EditKind::InsertBarrier(barrier),
            Edit::InsertFence { scope, .. } => EditKind::InsertFence(scope),
            Edit::InsertWait { .. } => EditKind::InsertWait,
            Edit::InsertBulkWait { .. } => EditKind::InsertBulkWait,
            Edit::InsertProxyFence { .. } => EditKind::InsertProxyFence,
            Edit::InsertGridWait { .. } => EditKind::InsertGridWait,
            Edit::InsertProductWait { .. } => EditKind::InsertProductWait,
            Edit::InsertProductFence { .. } => EditKind::InsertProductFence,
            Edit::WidenScope { to, .. } => EditKind::WidenScope(to),
            Edit::MakeAtomic { access, .. } => EditKind::MakeAtomic(access),
            Edit::ChangeMask { mask, .. } => EditKind::ChangeMask(mask),
            Edit::ChangeCount { threads, .. } => EditKind::ChangeCount(threads),
            Edit::ChangeWidth { width, .. } => EditKind::ChangeWidth(width),
            Edit::BoundIndex { .. } => EditKind::BoundIndex,
            Edit::RemoveBarrier { .. } => EditKind::RemoveBarrier,
            Edit::Hoist { .. } => EditKind::Hoist,
            Edit::Guard { .. } => EditKind::Guard,
            Edit::Rewrite { .. } => EditKind::Rewrite,
            Edit::Insert { .. } => EditKind::Insert,
            Edit::SplitUpdate { barrier, .. } => EditKind::SplitUpdate(barrier),
            Edit::UseReturned { .. } => EditKind::UseReturned,
        }
    }
}

/// A place between statements, by the line in which one of them begins. What begins there may have a body, as an `if`
/// has: then all of it is before or after.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Position {
    Before {
        at: SourceLocation,
    },
    After {
        at: SourceLocation,
    },
    /// Anywhere after the first and before the second.
    Between {
        first: SourceLocation,
        second: SourceLocation,
    },
}

/// The form that a plain access takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "json", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum AtomicAccess {
    /// `atomicAdd(p, 0)`.
    Load,
    /// `atomicExch(p, v)`.
    Store,
    /// One operation for all that the line does; `None` where the code does not tell which.
    Update { operation: Option<AtomicOperation> },
}

/// Replaces what stands in a source text from `start` up to `end` by `text`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextEdit {
    pub start: TextPosition,
    pub end: TextPosition,
    pub text: String,
}

/// A place between characters; line and column from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextPosition {
    pub line: u32,
    pub column: u32,
}
