//! Actions at one end of a finding: present tense, with the value.

use super::noun::host_operation;
use super::place::{self, named};
use super::threads::{index, lanes, threads};
use super::value::written;
use crate::causes::launch::kernel_or_not;
use crate::{Reader, readable};
use finding::{
    AbsentLane, Access, AccessKind, AccessValue, Action, AtomicOperation, BarrierMisuse, BarrierName, Counted,
    Decision, Fate, HostOperation, Look, MemoryPlace, ObjectMisuse, TensorMisuse, Threads, WaitAt, Waiting,
};

/// Returns the action at one end, without who did it.
pub fn action(access: &Access, reader: &Reader) -> String {
    told(&access.action, access.memory.as_ref().map(|memory| memory.kind), reader)
}

fn told(action: &Action, kind: Option<AccessKind>, reader: &Reader) -> String {
    let written = |value: AccessValue| written(value, reader);
    let threads = |who: &Threads| threads(who, reader);
    match action {
        Action::Loaded { value: None } => say!(reader, "reads-it"),
        Action::Loaded { value: Some(value) } => say!(reader, "reads", what = written(*value)),
        Action::Stored { value: None } => say!(reader, "writes-it"),
        Action::Stored { value: Some(value) } => say!(reader, "writes", what = written(*value)),
        Action::Updated { operation, operand } => {
            let operand = operand.map_or_else(String::new, written);
            say!(reader, "updates", operation = operation_word(*operation), operand)
        }
        Action::UpdatedTo { value: None } => say!(reader, "updates-it"),
        Action::UpdatedTo { value: Some(value) } => say!(reader, "updates-to", value = written(*value)),
        Action::StartedCopyFrom => say!(reader, "starts-copy-from"),
        Action::StartedCopyTo => say!(reader, "starts-copy-to"),
        Action::StartedProduct { from_memory: true } => say!(reader, "starts-product-from"),
        Action::StartedProduct { from_memory: false } => say!(reader, "starts-product"),
        Action::UsedRegister { writes: true } => say!(reader, "writes-register"),
        Action::UsedRegister { writes: false } => say!(reader, "reads-register"),
        Action::Initialised => say!(reader, "initializes-it"),
        Action::Invalidated => say!(reader, "invalidates-it"),
        Action::AskedPhase => say!(reader, "tests-its-phase"),
        Action::Arrived => say!(reader, "arrives-at-it"),
        Action::Used => say!(reader, "uses-it"),
        Action::Earlier { action, kernel } => {
            say!(reader, "in-earlier-launch", action = told(action, kind, reader), kernel = readable(kernel))
        }
        Action::InKernel { writes: true, kernel } => {
            say!(reader, "in-kernel", action = say!(reader, "writes-it"), kernel = readable(kernel))
        }
        Action::InKernel { writes: false, kernel } => {
            say!(reader, "in-kernel", action = say!(reader, "reads-it"), kernel = readable(kernel))
        }
        Action::Host { operation, writes } => {
            let does = match operation {
                HostOperation::Allocate => "allocates",
                HostOperation::Free => "frees",
                _ if *writes => "writes",
                _ => "reads",
            };
            say!(reader, "host-does", operation = host_operation(*operation, reader), does)
        }
        Action::EarlierHost { operation } => host_operation(*operation, reader),
        Action::HostRead { bytes, from } => say!(reader, "host-reads", bytes = *bytes, from = *from),
        Action::FreedAgain => say!(reader, "frees-again"),
        Action::Accessed { bytes } => say!(reader, "accesses", kind = kind_word(kind), bytes = *bytes),
        Action::Freed => say!(reader, "frees-it"),

        Action::LoadedUnwritten { place } => say!(reader, "reads", what = place::unwritten(place, reader)),
        Action::UsedUnwritten => say!(reader, "uses-it"),
        Action::Decided { decision: what } => say!(reader, "decides", what = decision(*what, reader)),
        Action::AskedActiveMask { mask: Some(mask) } => {
            let (count, lanes) = (mask.count_ones(), lanes(*mask, reader));
            say!(reader, "gets-active-mask", mask = hex(*mask), count, lanes)
        }
        Action::AskedActiveMask { mask: None } => say!(reader, "gets-its-mask"),
        Action::TookFrom { lane, absent } => took(*lane, *absent, reader),
        Action::StoredResult => say!(reader, "writes-result"),

        Action::CameToBarrier { threads: who, barrier } => {
            say!(reader, "reaches", who = threads(who), count = who.count(), what = barrier_name(*barrier, reader))
        }
        Action::WentAround { threads: who } => say!(reader, "goes-around", who = threads(who), count = who.count()),
        Action::LeftKernel { threads: who } => say!(reader, "leaves-kernel", who = threads(who), count = who.count()),
        Action::WarpCame { warp } => say!(reader, "warp-reaches", warp = *warp),
        Action::Misused { threads: who, misuse } => misused(threads(who), who.count(), *misuse, reader),
        Action::MisusedObject { threads: who, misuse } => misused_object(threads(who), who.count(), *misuse, reader),
        Action::MisusedTensor { threads: who, misuse } => misused_tensor(threads(who), who.count(), *misuse, reader),
        Action::CameToGridBarrier { threads: who } => {
            say!(reader, "reaches", who = threads(who), count = who.count(), what = say!(reader, "grid-barrier"))
        }
        Action::CalledWithMask { threads: who, function, mask } => {
            say!(
                reader,
                "calls-with-mask",
                who = threads(who),
                count = who.count(),
                function = *function,
                mask = hex(*mask)
            )
        }
        Action::Waits(waiting) => waits(waiting, reader),
        Action::Set { block, place, value, fate } => {
            let name = place.as_ref().and_then(|place| named(place, reader));
            let (does, then) = match name {
                Some(name) => (say!(reader, "sets", name, value = exact(*value)), fate_of(*fate, reader)),
                None => (say!(reader, "sets-it", value = exact(*value)), fate_of(*fate, reader)),
            };
            format!("{}{does}{then}", of_block(*block, reader))
        }
        Action::WroteLast { block } => format!("{}{}", of_block(*block, reader), say!(reader, "writes-last")),

        Action::TookEntry { entry } => say!(reader, "takes-entry", entry = *entry),
        Action::CalledNothing => say!(reader, "calls-it"),
        Action::CalledDeep { depth } => say!(reader, "calls-deep", depth = *depth),
        Action::AllocatedOnStack => say!(reader, "allocates-on-stack"),

        Action::Launched { kernel, error } => {
            say!(reader, "launches-and-fails", kernel = kernel_or_not(kernel.as_deref(), reader), error = *error)
        }
        Action::LaunchedWithPointer { kernel, space } => {
            say!(reader, "launches-with-pointer", kernel = readable(kernel), space = space.name())
        }

        Action::ActiveMaskGave { mask, live } => {
            let (named, live) = (mask.count_ones(), live.count_ones());
            say!(reader, "active-mask-gave", mask = hex(*mask), named, live)
        }
        Action::ShuffleGaveBack { lanes: who } => {
            say!(reader, "shuffle-gives-back", lanes = lanes(*who, reader), count = who.count_ones())
        }
        Action::FailedToSwap { count } => say!(reader, "fails-to-swap", more = count.saturating_sub(1)),
    }
}

fn hex(mask: u32) -> String {
    format!("{mask:#010x}")
}

fn operation_word(operation: AtomicOperation) -> &'static str {
    match operation {
        AtomicOperation::Add => "add",
        AtomicOperation::And => "and",
        AtomicOperation::Or => "or",
        AtomicOperation::Xor => "xor",
        AtomicOperation::Exchange => "exchange",
        AtomicOperation::CompareExchange => "compare",
        AtomicOperation::Increment => "increment",
        AtomicOperation::Decrement => "decrement",
        AtomicOperation::Min => "min",
        AtomicOperation::Max => "max",
    }
}

fn kind_word(kind: Option<AccessKind>) -> &'static str {
    match kind {
        Some(AccessKind::Load | AccessKind::MatrixOperand) => "load",
        Some(AccessKind::Store) => "store",
        Some(AccessKind::Atomic | AccessKind::BarrierObject) => "update",
        Some(AccessKind::AsyncCopy) => "copy",
        None => "any",
    }
}

/// Returns the text for what depends on an undefined value.
pub(crate) fn decision(what: Decision, reader: &Reader) -> String {
    let what = match what {
        Decision::Branch => "branch",
        Decision::Condition => "condition",
        Decision::Call => "call",
        Decision::Address => "address",
        Decision::Atomic => "atomic",
        Decision::MemberMask => "mask",
        Decision::BarrierVote => "vote",
        Decision::BarrierNumber => "number",
        Decision::BarrierCount => "count",
        Decision::BarrierPhase => "phase",
        Decision::StackSize => "stack",
        Decision::CopySize => "copy",
    };
    say!(reader, "decision", what)
}

fn took(lane: u32, absent: AbsentLane, reader: &Reader) -> String {
    match absent {
        AbsentLane::NoThread { .. } => say!(reader, "takes-no-thread", lane),
        AbsentLane::Exited => say!(reader, "takes-ended", lane),
        AbsentLane::NotNamed { mask } => say!(reader, "takes-not-named", lane, mask = hex(mask)),
    }
}

/// As CUDA names it.
fn barrier_name(barrier: BarrierName, reader: &Reader) -> String {
    match (barrier.function(), barrier) {
        (Some(function), _) => format!("`{function}`"),
        (None, BarrierName::Number { number }) => say!(reader, "barrier-number", number),
        (None, _) => say!(reader, "a-barrier"),
    }
}

fn misused(who: String, count: u32, misuse: BarrierMisuse, reader: &Reader) -> String {
    let what = match misuse {
        BarrierMisuse::CameTo { barrier: number } => {
            let what = say!(reader, "barrier-number", number);
            return say!(reader, "reaches", who, count, what);
        }
        BarrierMisuse::GaveCount { count: given } => return say!(reader, "gives-count", who, count, given),
        BarrierMisuse::CameForWholeBlock => "whole-block",
        BarrierMisuse::ArrivedFirst => "arrived-first",
        BarrierMisuse::ArrivedAgain => "arrived-again",
        BarrierMisuse::WaitedUnarrived => "waited-unarrived",
        BarrierMisuse::CameFirst => "came-first",
        BarrierMisuse::CameWithAnotherOperation => "another-operation",
    };
    say!(reader, "misuses", who, count, what)
}

fn misused_object(who: String, count: u32, misuse: ObjectMisuse, reader: &Reader) -> String {
    let what = match misuse {
        ObjectMisuse::Count { count: given } => return say!(reader, "gives-count", who, count, given),
        ObjectMisuse::TooMany { come, pending } => return say!(reader, "arrives-too-often", who, count, come, pending),
        ObjectMisuse::BulkSize { bytes } => return say!(reader, "copies-bytes", who, count, bytes),
        ObjectMisuse::NoObject => "no-object",
        ObjectMisuse::Completes => "completes",
        ObjectMisuse::Transactions => "transactions",
        ObjectMisuse::StillValid { overwritten: false } => return say!(reader, "initializes-again"),
        ObjectMisuse::StillValid { overwritten: true } => return say!(reader, "overwrites-it"),
        ObjectMisuse::UnorderedExpect => return say!(reader, "expects-bytes"),
        ObjectMisuse::OtherBlock => "other-block",
    };
    say!(reader, "misuses-object", who, count, what)
}

fn misused_tensor(who: String, count: u32, misuse: TensorMisuse, reader: &Reader) -> String {
    match misuse {
        TensorMisuse::BoxRow { coordinate, .. } | TensorMisuse::BoxBelow { coordinate } => {
            say!(reader, "copies-box", who, count, coordinate)
        }
        TensorMisuse::NoMap | TensorMisuse::LocalMap | TensorMisuse::Reduction => {
            say!(reader, "copies-tensor", who, count)
        }
    }
}

fn waits(waiting: &Waiting, reader: &Reader) -> String {
    let Waiting { block, threads: who, at, missing, missing_at } = waiting;
    let count = who.count();
    let name = threads(who, reader);
    let who_waits = match block {
        Some(block) => say!(reader, "in-block", block = index(*block), who = name),
        None => name,
    };
    let does = match at {
        // The call without a mask means all lanes.
        WaitAt::Mask { function: function @ "__syncwarp()", mask: u32::MAX } => {
            say!(reader, "waits-at", who = who_waits, count, what = format!("`{function}`"))
        }
        WaitAt::Mask { function, mask } => {
            say!(reader, "waits-at-mask", who = who_waits, count, function = *function, mask = hex(*mask))
        }
        WaitAt::Barrier { barrier, counted } => {
            let what = barrier_name(*barrier, reader);
            match counted {
                None => say!(reader, "waits-at", who = who_waits, count, what),
                Some(Counted { expected, come }) => {
                    say!(reader, "waits-until", who = who_waits, count, what, expected = *expected, come = *come)
                }
            }
        }
        WaitAt::GridBarrier => say!(reader, "waits-at", who = who_waits, count, what = say!(reader, "grid-barrier")),
        WaitAt::Spin { look: None } => say!(reader, "loops-here", who = who_waits, count),
        WaitAt::Spin { look: Some(look) } => {
            say!(reader, "reads-again-and-again", who = who_waits, count, what = found(look, reader))
        }
    };
    if missing.is_empty() {
        return does;
    }
    let places: Vec<String> = missing_at.iter().map(|number| format!("({number})")).collect();
    let is_counted = matches!(at, WaitAt::Barrier { counted: Some(_), .. });
    say!(reader, "waits-for", does, is_counted, places = places.join(", "))
}

/// Threads that read again and again, and what they find.
pub(crate) fn spins(who: &Threads, what: String, reader: &Reader) -> String {
    say!(reader, "reads-again-and-again", who = threads(who, reader), count = who.count(), what)
}

pub(crate) fn found(look: &Look, reader: &Reader) -> String {
    let name = |place: &MemoryPlace| named(place, reader).unwrap_or_else(|| say!(reader, "memory-there"));
    match look {
        Look::Value { value, place } => say!(reader, "finds-value", value = exact(*value), place = name(place)),
        Look::ArrivalsMissing { count, bytes, place } => {
            let (size, place) = (bytes.unsigned_abs(), name(place));
            match bytes {
                0 => say!(reader, "finds-missing", count = *count, place),
                1.. => say!(reader, "finds-bytes-missing", count = *count, size, place),
                _ => say!(reader, "finds-surplus", count = *count, size, place),
            }
        }
    }
}

/// Messages round numbers beyond 2^53, and a word so large is bits: those of a barrier object, say.
fn exact(value: i64) -> String {
    if value.unsigned_abs() < 1 << 53 { value.to_string() } else { format!("{value:#018x}") }
}

fn fate_of(fate: Fate, reader: &Reader) -> String {
    match fate {
        Fate::Ended => say!(reader, "and-ended"),
        Fate::StandsAt { end: number } => say!(reader, "and-stands-at", number),
        Fate::Unknown => String::new(),
    }
}

fn of_block(block: Option<[u32; 3]>, reader: &Reader) -> String {
    block.map_or(String::new(), |block| say!(reader, "of-block", block = index(block)))
}
