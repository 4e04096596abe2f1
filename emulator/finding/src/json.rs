//! What the derived JSON needs besides: names for what a tuple variant holds, and a cause with its short name.
//!
//! An enum whose variants hold data is an object with `kind`; one without is a word.

use crate::{
    AtomicOperation, Cause, Copies, Decision, HostOperation, Look, MemoryFor, Place, ShapeError, SourceLocation, Value,
};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// A cause as JSON has it: `kind` is [`Cause::key`]; `family` says which further fields there are.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Cause")]
pub struct KeyedCause<'a> {
    /// What is missing, in one word.
    #[schemars(extend("enum" = &Cause::KEYS[..]))]
    kind: &'static str,
    #[serde(flatten)]
    cause: &'a Cause,
}

impl<'a> From<&'a Cause> for KeyedCause<'a> {
    fn from(cause: &'a Cause) -> KeyedCause<'a> {
        KeyedCause { kind: cause.key(), cause }
    }
}

pub(crate) fn cause<S: Serializer>(cause: &Cause, serializer: S) -> Result<S::Ok, S::Error> {
    KeyedCause::from(cause).serialize(serializer)
}

/// [`Edit`](crate::Edit)'s place, with names for what stands beside it.
#[derive(Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Position {
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

impl From<crate::Position> for Position {
    fn from(position: crate::Position) -> Position {
        match position {
            crate::Position::Before(at) => Position::Before { at },
            crate::Position::After(at) => Position::After { at },
            crate::Position::Between(first, second) => Position::Between { first, second },
        }
    }
}

/// Bits as text: a script's numbers may have no more than 53 of them.
pub(crate) fn hexadecimal<S: Serializer>(bits: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{bits:#x}"))
}

/// For each a function that serialises what a variant holds, by name, and the type that has the name.
macro_rules! named {
    ($($function:ident, $Holder:ident { $field:ident: $Type:ty })+) => {$(
        #[derive(Serialize, JsonSchema)]
        pub(crate) struct $Holder<'a> {
            $field: &'a $Type,
        }

        pub(crate) fn $function<S: Serializer>($field: &$Type, serializer: S) -> Result<S::Ok, S::Error> {
            $Holder { $field }.serialize(serializer)
        }
    )+};
}

named! {
    address, Address { address: u64 }
    at, At { at: SourceLocation }
    barrier, Barrier { barrier: u32 }
    block, Block { block: [u32; 3] }
    copies, OfCopies { copies: Copies }
    count, Count { count: u64 }
    decision, OfDecision { decision: Decision }
    depth, Depth { depth: u32 }
    end, End { end: usize }
    entry, Entry { entry: u64 }
    host_operation, OfHostOperation { operation: HostOperation }
    kernels, Kernels { kernels: [String; 2] }
    look, OfLook { look: Option<Look> }
    mask, Mask { mask: u32 }
    memory_for, OfMemory { needed_for: MemoryFor }
    name, Name { name: String }
    number, Number { number: u32 }
    argument, Argument { number: usize }
    operation, Operation { operation: AtomicOperation }
    place, OfPlace { place: Place }
    shape, Shape { shape: ShapeError }
    some_at, SomeAt { at: Option<SourceLocation> }
    some_mask, SomeMask { mask: Option<u32> }
    some_operation, SomeOperation { operation: Option<AtomicOperation> }
    threads, OfThreads { threads: u32 }
    value, OfValue { value: Option<Value> }
}
