//! Flags and locks: the fences that they lack, and locks that do not keep two threads apart.

use super::{line, place};
use crate::Names;
use finding::{Place, SourceLocation};

pub(super) fn fence_after_look(seen: Option<&SourceLocation>, before_barrier: bool) -> (String, String) {
    let Some(seen) = seen.map(line) else {
        return (
            "it was seen that (1) was done, but no fence lies between that and (2)".into(),
            "put a `__threadfence()` behind the line that sees the flag or takes the lock, in the thread that does"
                .into(),
        );
    };
    let but = match before_barrier {
        false => format!("(2) has seen in {seen} that (1) was done, but no fence follows"),
        true => format!("it was seen in {seen} that (1) was done, but no fence follows there before the barrier"),
    };
    (but, format!("put a `__threadfence()` behind {seen}, where the flag or lock is seen, in the thread that sees it"))
}

pub(super) fn fence_before_flag(
    first: &SourceLocation,
    set: &SourceLocation,
    look: Option<&SourceLocation>,
    acquired: bool,
) -> (String, String) {
    let (first, line) = (first.line, set.line);
    // A lock is taken and given back behind its critical section: there both may stand in one line.
    let place = if first < line { format!("between lines {first} and {line}") } else { format!("before line {line}") };
    let (seen, behind) = match look.map(|look| look.line) {
        Some(look) if look == line => {
            (format!("line {look} has seen what it sets after (1) in another thread"), format!("line {look}"))
        }
        Some(look) => {
            (format!("line {look} has seen what line {line} sets after (1)"), format!("line {look}, which sees it"))
        }
        None => (format!("it was seen what line {line} sets after (1)"), "the line that sees it".into()),
    };
    let too = if acquired { String::new() } else { format!(", and another behind {behind}") };
    (
        format!("{seen}, but no fence lies between (1) and line {line}"),
        format!(
            "put a `__threadfence()` {place}, in the thread that sets the flag or counter, or gives the lock back, there{too}"
        ),
    )
}

/// `None` where neither holds a lock: then there is nothing to say.
pub(super) fn locks(
    first: Option<&Place>,
    second: Option<&Place>,
    one_block: bool,
    names: &Names,
) -> Option<(String, String)> {
    let name = |lock: &Place| place::of(lock, names);
    let (why, mend) = match (first.map(name), second.map(name)) {
        (Some(one), Some(other)) => (
            format!("(1) was made under the lock {one} and (2) under {other}: no lock keeps them apart"),
            "let both threads hold one lock, the same, around these lines",
        ),
        (Some(one), None) => (
            format!("(1) was made under the lock {one}, which (2)'s thread does not hold"),
            "let (2)'s thread hold that lock too, around its line",
        ),
        (None, Some(other)) => (
            format!("(2) is made under the lock {other}, which (1)'s thread did not hold"),
            "let (1)'s thread hold that lock too, around its line",
        ),
        (None, None) => return None,
    };
    let fences = if one_block { "a fence" } else { "a `__threadfence()`" };
    Some((why, format!("{mend}; {fences} belongs behind the line that takes it and before the one that gives it back")))
}
