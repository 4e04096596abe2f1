//! Events: what a thread does that other threads can see (PTX ISA, "Memory Consistency Model", "Operations").

use finding::Scope;
use machine::exec::memory::{Ordering, Semantics};

/// The place of an event: its thread, and its number in program order. It is the same in all executions that agree on
/// what the thread has read before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId {
    pub thread: usize,
    pub index: usize,
}

/// The place of a thread in its launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadPlace {
    pub block: u64,
    /// Linear in its block.
    pub thread: u32,
}

/// Bytes of memory. Two accesses overlap completely if their locations are equal; others must not overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    /// The block whose shared memory it is; `None` for global memory.
    pub block: Option<u64>,
    pub address: u64,
    pub bytes: u32,
}

impl Location {
    /// Returns true if the two have bytes in common.
    pub fn overlaps(&self, other: &Location) -> bool {
        let (end, other_end) = (self.address + u64::from(self.bytes), other.address + u64::from(other.bytes));
        self.block == other.block && self.address < other_end && other.address < end
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    Load,
    /// The value is `None` while it depends on a read whose value is not known.
    Store(Option<u64>),
    /// An atomic operation. It writes nothing if it is a compare-and-swap that fails.
    Update(AtomicUpdate),
}

/// An atomic operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AtomicUpdate {
    /// The value that it writes, once it is known what it has read.
    pub writes: Option<u64>,
    /// Its result goes to a register: `atom`, and not `red`. A read that nobody sees takes part in no acquire pattern.
    pub returns: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    pub location: Location,
    pub kind: AccessKind,
    pub semantics: Semantics,
}

impl Access {
    pub fn may_write(&self) -> bool {
        !matches!(self.kind, AccessKind::Load)
    }
}

/// Part of a barrier. All events with the same `meeting` belong to one phase of one barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BarrierPart {
    pub meeting: u64,
    /// Events before it in program order precede all events after the waits of the same meeting.
    pub arrives: bool,
    /// Events after it in program order come after all events before the arrivals of the same meeting.
    pub waits: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Access(Access),
    Fence(Semantics),
    Meet(BarrierPart),
}

impl Action {
    pub fn access(&self) -> Option<&Access> {
        match self {
            Action::Access(access) => Some(access),
            _ => None,
        }
    }

    pub fn location(&self) -> Option<Location> {
        self.access().map(|access| access.location)
    }

    pub fn reads(&self) -> bool {
        self.access().is_some_and(|access| !matches!(access.kind, AccessKind::Store(_)))
    }

    /// Returns the value that it writes. `None` also while that is not known.
    pub fn written(&self) -> Option<u64> {
        match self.access()?.kind {
            AccessKind::Load => None,
            AccessKind::Store(value) => value,
            AccessKind::Update(update) => update.writes,
        }
    }

    pub fn writes(&self) -> bool {
        self.written().is_some()
    }

    pub fn is_update(&self) -> bool {
        self.access().is_some_and(|access| matches!(access.kind, AccessKind::Update(_)))
    }

    /// Returns true if what it has read goes to a register.
    pub fn returns(&self) -> bool {
        self.access().is_some_and(|access| match access.kind {
            AccessKind::Load => true,
            AccessKind::Store(_) => false,
            AccessKind::Update(update) => update.returns,
        })
    }

    fn semantics(&self) -> Option<Semantics> {
        match self {
            Action::Access(access) => Some(access.semantics),
            Action::Fence(semantics) => Some(*semantics),
            Action::Meet(_) => None,
        }
    }

    pub fn is_fence(&self) -> bool {
        matches!(self, Action::Fence(_))
    }

    pub fn is_fence_sc(&self) -> bool {
        matches!(self, Action::Fence(semantics) if semantics.ordering == Ordering::Sc)
    }

    /// "Strong operations": fences, and all accesses but weak ones.
    pub fn is_strong(&self) -> bool {
        self.semantics().is_some_and(Semantics::is_strong)
    }

    pub fn scope(&self) -> Option<Scope> {
        self.semantics().map(|semantics| semantics.scope)
    }

    pub fn acquires(&self) -> bool {
        self.semantics().is_some_and(Semantics::acquires)
    }

    pub fn releases(&self) -> bool {
        self.semantics().is_some_and(Semantics::releases)
    }
}
