//! Values that were undefined because the work that writes them had not run: the race with that work is the bug, and
//! the only one to report.

use emulator::finding::{Access, Action, Cause, Finding, HostOperation, MemoryPlace, Relation, Slug, Where};

/// True if a race explains why a kernel has found nothing in memory: the other side of the race writes it, but came
/// later.
pub(super) fn explains(race: &Finding, value: &Finding) -> bool {
    if value.slug != Slug::UndefinedValue {
        return false;
    }
    let Some((load, place)) = value.accesses.iter().find_map(loaded) else { return false };
    match &race.cause {
        Cause::HostUnordered { operation, place: named, range } => {
            let writes = matches!(race.accesses.last().map(|it| &it.action), Some(Action::Host { writes: true, .. }));
            let is_life = matches!(operation, HostOperation::Allocate | HostOperation::Free);
            let Where::Byte { offset, .. } = race.place else { return false };
            let touched = race.accesses.first();
            let is_one_line = touched.is_some_and(|it| it.location.is_some() && it.location == load.location);
            let (first, bytes) = *range;
            let is_inside = match (byte(named, size(touched)), byte(place, size(Some(load)))) {
                // Both count from the same argument or variable.
                (Some(known), Some(read)) if is_one_base(named, place) => {
                    let at = offset as i64 - known + read;
                    (first as i64..(first + bytes) as i64).contains(&at)
                }
                _ => is_one_line,
            };
            race.kernel == value.kernel && writes && !is_life && is_inside
        }
        // Another kernel, which was to write it first.
        Cause::Unordered(it) if matches!(it.relation, Relation::Launches | Relation::Dependent { .. }) => {
            race.accesses.first().is_some_and(|first| {
                let Action::Earlier { kernel, .. } = &first.action else { return false };
                *kernel == value.kernel && first.location.is_some() && first.location == load.location
            })
        }
        _ => false,
    }
}

/// The load that has found nothing.
fn loaded(access: &Access) -> Option<(&Access, &MemoryPlace)> {
    match &access.action {
        Action::LoadedUnwritten { place } => Some((access, place)),
        _ => None,
    }
}

fn size(access: Option<&Access>) -> i64 {
    access.and_then(|access| access.memory.as_ref()).map_or(1, |memory| memory.bytes.into())
}

/// The first byte of a place, counted from what names it.
fn byte(place: &MemoryPlace, size: i64) -> Option<i64> {
    match place {
        MemoryPlace::Variable { index, .. } => Some(index.map_or(0, |index| index as i64) * size),
        MemoryPlace::Argument { index, .. } => Some(index.unwrap_or(0) * size),
        MemoryPlace::Part { byte, .. } => Some(*byte),
        _ => None,
    }
}

fn is_one_base(one: &MemoryPlace, other: &MemoryPlace) -> bool {
    match (one.base(), other.base()) {
        (MemoryPlace::Variable { name: one, .. }, MemoryPlace::Variable { name: other, .. }) => one == other,
        (MemoryPlace::Argument { number: one, .. }, MemoryPlace::Argument { number: other, .. }) => one == other,
        _ => false,
    }
}
