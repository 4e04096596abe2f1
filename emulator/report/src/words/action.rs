//! What was done at one end of a finding: past tense, with the value.

use super::launch::kernel_or_not;
use super::place::{self, named};
use super::threads::{index, threads};
use super::value::written;
use crate::Names;
use finding::{
    AbsentLane, Access, AccessKind, Action, AtomicOperation, BarrierMisuse, BarrierName, Counted, Decision, Fate,
    HostOperation, Look, ObjectMisuse, Place, Threads, Value, WaitAt, Waiting,
};

/// What was done at one end, without who did it.
pub fn action(access: &Access, names: &Names) -> String {
    told(&access.action, access.memory.as_ref().map(|memory| memory.kind), names)
}

fn told(action: &Action, kind: Option<AccessKind>, names: &Names) -> String {
    match action {
        Action::Loaded { value } => with_value("loaded", *value),
        Action::Stored { value } => with_value("stored", *value),
        Action::Updated { operation, operand } => with_value(updated(*operation), *operand),
        Action::UpdatedTo { value: None } => "atomically updated it".into(),
        Action::UpdatedTo { value } => with_value("atomically updated it to", *value),
        Action::StartedCopyFrom => "started an asynchronous copy from it".into(),
        Action::StartedCopyTo => "started an asynchronous copy to it".into(),
        Action::Initialised => "initialised it".into(),
        Action::Invalidated => "invalidated it".into(),
        Action::AskedPhase => "asked for its phase".into(),
        Action::Arrived => "arrived at it".into(),
        Action::Used => "used it".into(),
        Action::Earlier { action, kernel } => {
            format!("{} in `{kernel}`, an earlier launch", told(action, kind, names))
        }
        Action::InKernel { writes, kernel } => {
            format!("{} it in `{kernel}`", if *writes { "stored" } else { "loaded" })
        }
        Action::Host { operation, writes } => {
            format!("{} {} it", host_operation(*operation), if *writes { "wrote" } else { "read" })
        }
        Action::EarlierHost { operation } => host_operation(*operation).into(),
        Action::HostRead { bytes, from } => format!("the host read {bytes} bytes from byte {from} on"),
        Action::FreedAgain => "freed it a second time".into(),
        Action::Accessed { bytes } => format!("{} {bytes} bytes", kind.map_or("accesses", kind_verb)),
        Action::Freed => "freed it".into(),

        Action::LoadedUnwritten { place } => format!("loaded {}", place::unwritten(place, names)),
        Action::UsedUnwritten => "used it".into(),
        Action::Decided { decision: what } => format!("made {} depend on it", decision(*what)),
        Action::AskedActiveMask { mask: Some(mask) } => format!("got mask {mask:#010x} from `__activemask()`"),
        Action::AskedActiveMask { mask: None } => "got its mask from `__activemask()`".into(),
        Action::TookFrom { lane, absent } => took(*lane, *absent),
        Action::StoredResult => "stored what came of it".into(),

        Action::CameToBarrier { threads: who, barrier } => {
            format!("{} came to {} here", threads(who), barrier_name(*barrier))
        }
        Action::LeftKernel { threads: who } => format!("{} left the kernel from here", threads(who)),
        Action::OpenedWithout => "the barrier opened without them".into(),
        Action::WarpCame { warp } => format!("warp {warp} comes to it here"),
        Action::Misused { threads: who, misuse } => format!("{} {}", threads(who), misused(*misuse)),
        Action::MisusedObject { threads: who, misuse } => format!("{} {}", threads(who), misused_object(*misuse)),
        Action::CameToGridBarrier { threads: who } => {
            format!("{} {} to the barrier of the grid", threads(who), one_or_more(who, "comes", "come"))
        }
        Action::CalledWithMask { threads: who, function, mask } => {
            format!("{} called `{function}` with mask {mask:#010x}", threads(who))
        }
        Action::Waits(waiting) => waits(waiting, names),
        Action::Set { block, place, value, fate } => {
            let name = place.as_ref().and_then(|place| named(place, names));
            let name = name.as_deref().unwrap_or("it");
            format!("{}set {name} to {value}{}", of_block(*block), fate_of(*fate))
        }
        Action::WroteLast { block } => format!("{}wrote it last", of_block(*block)),

        Action::TookEntry { entry } => format!("took entry {entry}"),
        Action::CalledNothing => "called it".into(),
        Action::CalledDeep { depth } => format!("called {depth} deep"),
        Action::AllocatedOnStack => "allocated on its stack".into(),

        Action::Launched { kernel, error } => format!("launched {}: {error}", kernel_or_not(kernel.as_deref())),
        Action::LaunchedWithPointer { kernel, space } => {
            format!("launched `{kernel}` with a pointer to {} memory", space.name())
        }

        Action::ActiveMaskGave { mask, live } => {
            format!("got {mask:#010x} from `__activemask()`, while lanes {live:#010x} had not ended")
        }
        Action::ShuffleGaveBack { lanes } => {
            format!("gave lanes {lanes:#010x} their own values back: no lane is where they look")
        }
        Action::FailedToSwap { count } => {
            let more = if *count > 1 { format!(", and {} more like it", count - 1) } else { String::new() };
            format!("found another value there than it looked for, and changed nothing{more}")
        }
    }
}

fn with_value(verb: &str, value: Option<Value>) -> String {
    value.map_or_else(|| verb.into(), |value| format!("{verb} {}", written(value)))
}

fn updated(operation: AtomicOperation) -> &'static str {
    match operation {
        AtomicOperation::Add => "atomically added",
        AtomicOperation::And => "did an atomic `and` with",
        AtomicOperation::Or => "did an atomic `or` with",
        AtomicOperation::Xor => "did an atomic `xor` with",
        AtomicOperation::Exchange => "did an atomic exchange with",
        AtomicOperation::CompareExchange => "did an atomic compare-and-swap that looks for",
        AtomicOperation::Increment => "did an atomic increment up to",
        AtomicOperation::Decrement => "did an atomic decrement down from",
        AtomicOperation::Min => "did an atomic `min` with",
        AtomicOperation::Max => "did an atomic `max` with",
    }
}

/// What an access is called: one, and several.
pub(super) fn access_noun(access: &Access) -> (&'static str, &'static str) {
    access.memory.as_ref().map_or(("an access", "accesses"), |memory| kind_noun(memory.kind))
}

pub(super) fn kind_noun(kind: AccessKind) -> (&'static str, &'static str) {
    match kind {
        AccessKind::Load => ("a load", "loads"),
        AccessKind::Store => ("a store", "stores"),
        AccessKind::Atomic => ("an atomic operation", "atomic operations"),
        AccessKind::AsyncCopy => ("an asynchronous copy", "asynchronous copies"),
        AccessKind::BarrierObject => ("a use of a barrier object", "uses of a barrier object"),
    }
}

fn kind_verb(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Load => "loads",
        AccessKind::Store => "stores",
        AccessKind::Atomic | AccessKind::BarrierObject => "updates",
        AccessKind::AsyncCopy => "copies",
    }
}

pub(super) fn host_operation(operation: HostOperation) -> &'static str {
    match operation {
        HostOperation::CopyToHost => "a copy to the host",
        HostOperation::CopyFromHost => "a copy from the host",
        HostOperation::CopyOnDevice => "a device-to-device copy",
        HostOperation::Fill => "a fill",
    }
}

/// What depends on an undefined value.
pub(super) fn decision(what: Decision) -> &'static str {
    match what {
        Decision::Branch => "a branch",
        Decision::Condition => "a condition",
        Decision::Call => "a call",
        Decision::Address => "an address",
        Decision::Atomic => "an atomic operation",
        Decision::MemberMask => "a member mask",
        Decision::BarrierVote => "a barrier's vote",
        Decision::BarrierNumber => "a barrier's number",
        Decision::BarrierCount => "a barrier's count",
        Decision::BarrierPhase => "a barrier's phase",
        Decision::StackSize => "a stack's size",
        Decision::CopySize => "a copy's size",
    }
}

fn took(lane: u32, absent: AbsentLane) -> String {
    match absent {
        AbsentLane::NoThread { .. } => format!("took the value of lane {lane}, where there is no thread"),
        AbsentLane::Exited => format!("took the value of lane {lane}, which had ended without this call"),
        AbsentLane::NotNamed { mask } => format!("took the value of lane {lane}, which is not in mask {mask:#010x}"),
    }
}

/// As CUDA names it.
fn barrier_name(barrier: BarrierName) -> String {
    match (barrier.function(), barrier) {
        (Some(function), _) => format!("`{function}`"),
        (None, BarrierName::Number { number }) => format!("barrier {number}"),
        (None, _) => "a barrier".into(),
    }
}

fn misused(misuse: BarrierMisuse) -> String {
    match misuse {
        BarrierMisuse::CameTo { barrier: number } => format!("came to barrier {number}"),
        BarrierMisuse::GaveCount { count } => format!("gave a count of {count}"),
        BarrierMisuse::CameForWholeBlock => "came for the whole block".into(),
        BarrierMisuse::ArrivedFirst => "arrived first".into(),
        BarrierMisuse::ArrivedAgain => "arrived again".into(),
        BarrierMisuse::CameFirst => "came first".into(),
        BarrierMisuse::CameWithAnotherOperation => "came with another operation".into(),
    }
}

fn misused_object(misuse: ObjectMisuse) -> String {
    match misuse {
        ObjectMisuse::NoObject => "used it".into(),
        ObjectMisuse::Count { count } => format!("gave a count of {count}"),
        ObjectMisuse::TooMany { come, pending } => {
            format!("arrived {come} times, where {pending} arrivals are pending")
        }
        ObjectMisuse::Completes => "arrived with `.noComplete`".into(),
        ObjectMisuse::Transactions => "changed their number".into(),
    }
}

fn waits(waiting: &Waiting, names: &Names) -> String {
    let Waiting { block, threads: who, at, missing, missing_at } = waiting;
    let wait = one_or_more(who, "waits", "wait");
    let does = match at {
        WaitAt::Mask { function, mask } => format!("{wait} at `{function}` with mask {mask:#010x}"),
        WaitAt::Barrier { barrier, counted } => {
            let until = counted.map_or(String::new(), |Counted { expected, come }| {
                format!(" until {expected} threads have come, and {come} have")
            });
            format!("{wait} at {}{until}", barrier_name(*barrier))
        }
        WaitAt::GridBarrier => format!("{wait} at the barrier of the grid"),
        WaitAt::Spin { look: None } => format!("{} round here", one_or_more(who, "goes", "go")),
        WaitAt::Spin { look: Some(look) } => {
            let (looks, finds) = (one_or_more(who, "looks", "look"), one_or_more(who, "finds", "find"));
            format!("{looks} here again and again and {finds} {}", found(look, names))
        }
    };
    let block = block.map_or(String::new(), |block| format!("block {}, ", index(block)));
    let whom = match missing.is_empty() {
        true => String::new(),
        false => {
            let places: Vec<String> = missing_at.iter().map(|number| format!("({number})")).collect();
            let stand = one_or_more(missing, "stands", "stand");
            format!(" for {}, who {stand} at {}", threads(missing), places.join(", "))
        }
    };
    format!("{block}{} {does}{whom}", threads(who))
}

fn found(look: &Look, names: &Names) -> String {
    let name = |place: &Place| named(place, names).unwrap_or_else(|| "what is there".into());
    match look {
        Look::Value { value, place } => format!("{value} in {}", name(place)),
        Look::ArrivalsMissing { count, place } => format!("that {count} arrivals are missing at {}", name(place)),
    }
}

fn fate_of(fate: Fate) -> String {
    match fate {
        Fate::Ended => ", and has ended".into(),
        Fate::StandsAt { end: number } => format!(", and stands at ({number}) now"),
        Fate::Unknown => String::new(),
    }
}

fn of_block(block: Option<[u32; 3]>) -> String {
    block.map_or(String::new(), |block| format!("of block {} ", index(block)))
}

fn one_or_more(threads: &Threads, one: &'static str, more: &'static str) -> &'static str {
    if threads.count() == 1 { one } else { more }
}
