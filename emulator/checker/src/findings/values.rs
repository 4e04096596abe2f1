//! The action and value of an access, for a report.

use finding::{AccessKind, AccessValue, Action, MemoryAccess, ValueType};
use machine::Type;
use machine::exec::atomic::{Atomic, Operation, Registers8};
use machine::exec::memory::{Load, StoreOp};
use machine::memory::Region;
use machine::registers::{Reg, Registers};
use machine::watch::{Older, Touch};

/// The action of an access, and the source of its value.
#[derive(Clone, Copy)]
pub struct AccessValues<'a> {
    pub ty: Type,
    /// The registers that are stored, for stores.
    pub stored: Option<(&'a Registers, Registers8)>,
    /// The older values that a load gets.
    older: Option<&'a Older>,
    /// Returns true if nothing has written the memory that a lane is about to access, by lane and element.
    unwritten: Option<&'a dyn Fn(usize, usize) -> bool>,
    done: AccessAction,
}

/// The action of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessAction {
    Load,
    Store,
    Update(Operation),
    CopyFrom,
    CopyTo,
    /// A product reads a matrix.
    Multiply,
    /// To a barrier object.
    Initialise,
    Invalidate,
    AskPhase,
    Arrive,
}

impl<'a> AccessValues<'a> {
    pub fn load(load: &Load, older: Option<&'a Older>) -> AccessValues<'a> {
        AccessValues { ty: load.ty, stored: None, older, unwritten: None, done: AccessAction::Load }
    }

    pub fn store(store: &StoreOp, regs: &'a Registers) -> AccessValues<'a> {
        let mut src = [Reg::NONE; 8];
        src[..store.src.len()].copy_from_slice(&store.src);
        AccessValues {
            ty: store.ty,
            stored: Some((regs, src)),
            older: None,
            unwritten: None,
            done: AccessAction::Store,
        }
    }

    pub fn atomic(atomic: &Atomic, regs: &'a Registers) -> AccessValues<'a> {
        let done = AccessAction::Update(atomic.operation);
        AccessValues { ty: atomic.ty, stored: Some((regs, atomic.src)), older: None, unwritten: None, done }
    }

    /// Returns these values, with those marked that nothing has written.
    pub fn unless_unwritten(self, unwritten: &'a dyn Fn(usize, usize) -> bool) -> AccessValues<'a> {
        AccessValues { unwritten: Some(unwritten), ..self }
    }

    /// Returns an action without a value to report.
    pub fn without(done: AccessAction) -> AccessValues<'a> {
        AccessValues { ty: Type::B128, stored: None, older: None, unwritten: None, done }
    }

    /// Returns the action of a lane, with the value that it brings or finds. `element` is the element of a vector at
    /// `address`.
    pub fn action(&self, lane: usize, region: Option<&Region>, address: u64, element: usize) -> Action {
        let value = || self.of(lane, region, address, element);
        match self.done {
            AccessAction::Load => Action::Loaded { value: value() },
            AccessAction::Store => Action::Stored { value: value() },
            AccessAction::Update(operation) => Action::Updated { operation, operand: value() },
            AccessAction::CopyFrom => Action::StartedCopyFrom,
            AccessAction::CopyTo => Action::StartedCopyTo,
            AccessAction::Multiply => Action::StartedProduct { from_memory: true },
            AccessAction::Initialise => Action::Initialised,
            AccessAction::Invalidate => Action::Invalidated,
            AccessAction::AskPhase => Action::AskedPhase,
            AccessAction::Arrive => Action::Arrived,
        }
    }

    /// Returns the value that a lane brings or finds.
    pub fn of(&self, lane: usize, region: Option<&Region>, address: u64, element: usize) -> Option<AccessValue> {
        if let Some(bits) = self.older.and_then(|older| older.get(lane, element)) {
            return Some(AccessValue { stale: true, ..value(bits, self.ty) });
        }
        let bits = match (&self.stored, region) {
            (Some((regs, src)), _) => return Some(value(regs.get(src[element], lane), self.ty)),
            (None, Some(region)) if self.ty.bytes() <= 8 => region.load_sized(address, self.ty.bytes()),
            _ => return None,
        };
        Some(AccessValue { unwritten: self.is_unwritten(lane, element), ..value(bits, self.ty) })
    }

    /// True if nothing has written the memory before this access.
    pub fn is_unwritten(&self, lane: usize, element: usize) -> bool {
        self.unwritten.is_some_and(|is_so| is_so(lane, element))
    }

    /// Returns the memory access of `touch`.
    pub fn memory(&self, touch: &Touch) -> MemoryAccess {
        let kind = match self.done {
            AccessAction::Load => AccessKind::Load,
            AccessAction::Store => AccessKind::Store,
            AccessAction::Update(_) => AccessKind::Atomic,
            AccessAction::CopyFrom | AccessAction::CopyTo => AccessKind::AsyncCopy,
            AccessAction::Multiply => AccessKind::MatrixOperand,
            AccessAction::Initialise | AccessAction::Invalidate | AccessAction::AskPhase | AccessAction::Arrive => {
                AccessKind::BarrierObject
            }
        };
        touched_memory(touch, kind)
    }
}

/// Returns the memory access of each lane of `touch`.
pub fn touched_memory(touch: &Touch, kind: AccessKind) -> MemoryAccess {
    let scope = touch.semantics.is_strong().then_some(touch.semantics.scope);
    MemoryAccess { kind, space: touch.space, scope, bytes: touch.bytes * touch.elements }
}

pub fn value(bits: u64, ty: Type) -> AccessValue {
    AccessValue { bits, ty: value_type(ty), stale: false, unwritten: false }
}

/// Returns the type as a report names it.
pub fn value_type(ty: Type) -> ValueType {
    match ty {
        Type::B8 => ValueType::B8,
        Type::B16 => ValueType::B16,
        Type::B32 => ValueType::B32,
        Type::B64 => ValueType::B64,
        Type::U8 => ValueType::U8,
        Type::U16 => ValueType::U16,
        Type::U32 => ValueType::U32,
        Type::U64 => ValueType::U64,
        Type::S8 => ValueType::S8,
        Type::S16 => ValueType::S16,
        Type::S32 => ValueType::S32,
        Type::S64 => ValueType::S64,
        Type::F16 => ValueType::F16,
        Type::Bf16 => ValueType::Bf16,
        Type::F32 => ValueType::F32,
        Type::F64 => ValueType::F64,
        Type::B128 | Type::F16x2 | Type::Bf16x2 | Type::Pred => ValueType::Other,
    }
}
