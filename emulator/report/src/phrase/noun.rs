//! Names of accesses.

use crate::Reader;
use finding::{Access, AccessKind, Finding, HostOperation};

/// `a write and a read`, by their lines, or `two writes`.
pub(crate) fn both(finding: &Finding, reader: &Reader) -> String {
    let mut all: Vec<&Access> = finding.accesses.iter().take(2).collect();
    all.sort_by_key(|access| access.location.as_ref().map(|at| (&at.file, at.line, at.column)));
    let kind = |access: Option<&&Access>| access.and_then(|access| access.memory.as_ref()).map(|memory| memory.kind);
    match (kind(all.first()), kind(all.get(1))) {
        (one, other) if one == other => say!(reader, "two", kind = word(one)),
        (one, other) => say!(reader, "and", first = access(one, reader), last = access(other, reader)),
    }
}

/// Returns the messages' word for the kind of the access with this index.
pub(crate) fn kind_word(finding: &Finding, index: Option<usize>) -> &'static str {
    let access = index.and_then(|index| finding.accesses.get(index));
    word(access.and_then(|access| access.memory.as_ref()).map(|memory| memory.kind))
}

/// Returns the kinds of the first two accesses.
pub(crate) fn kinds(finding: &Finding) -> [Option<AccessKind>; 2] {
    [0, 1].map(|index| finding.accesses.get(index)?.memory.as_ref().map(|memory| memory.kind))
}

/// `a read`.
pub(crate) fn access(kind: Option<AccessKind>, reader: &Reader) -> String {
    say!(reader, "one", kind = word(kind))
}

fn word(kind: Option<AccessKind>) -> &'static str {
    match kind {
        None => "any",
        Some(AccessKind::Load) => "load",
        Some(AccessKind::Store) => "store",
        Some(AccessKind::Atomic) => "atomic",
        Some(AccessKind::AsyncCopy) => "copy",
        Some(AccessKind::BarrierObject) => "object",
        Some(AccessKind::MatrixOperand) => "matrix",
    }
}

pub(crate) fn host_operation(operation: HostOperation, reader: &Reader) -> String {
    let operation = match operation {
        HostOperation::CopyToHost => "to-host",
        HostOperation::CopyFromHost => "from-host",
        HostOperation::CopyFromPageable => "from-pageable",
        HostOperation::CopyOnDevice => "on-device",
        HostOperation::Fill => "fill",
        HostOperation::Allocate => "allocate",
        HostOperation::Free => "free",
        HostOperation::Condition => "condition",
        HostOperation::Read => "read",
        HostOperation::Write => "write",
    };
    say!(reader, "host-operation", operation)
}
