//! Accesses of memory that is not the kernel's, frees that cannot be, jumps and calls to nowhere.

use super::Said;
use super::action::kind_noun;
use super::place::side as side_words;
use finding::{AccessKind, Side, Space};

pub(super) fn out_of_bounds(kind: AccessKind, bytes: u64, space: Space, side: Side) -> Said {
    let (what, space) = (kind_noun(kind).0, space.name());
    let (why, help) = match side {
        Side::Before => (
            "the index is below 0: it leads to before what was allocated",
            "see how the index is worked out; where it may be negative on purpose, leave the access out",
        ),
        Side::Past => {
            ("the index reaches past what was allocated", "check the index against the size before the access")
        }
    };
    Said::new(format!("{what} of {bytes} bytes outside any {space} memory"), why, help)
}

pub(super) fn outside_array(array: &str, side: Side) -> Said {
    Said::new(
        format!("an access {} of `{array}`", side_words(side)),
        format!("the address is made from `{array}`, and no index leads from one array into another"),
        "check the index against the array's size before the access",
    )
}

pub(super) fn misaligned(kind: AccessKind, bytes: u64) -> Said {
    Said::new(
        format!("{} of {bytes} bytes at an address that is no multiple of {bytes}", kind_noun(kind).0),
        format!("a GPU accesses {bytes} bytes only at multiples of {bytes}"),
        "use a narrower type until the address is aligned, or align the buffer",
    )
}

pub(super) fn use_after_free(kind: AccessKind, heap: bool) -> Said {
    let (why, help) = match heap {
        true => ("a thread has freed the block", "free the block after its last use, and set pointers to it to null"),
        false => (
            "the allocation was freed before this launch",
            "free the buffer after the last launch that uses it has ended",
        ),
    };
    Said::new(format!("{} in memory that has been freed", kind_noun(kind).0), why, help)
}

pub(super) fn freed_twice(bytes: u64) -> Said {
    Said::new(
        format!("a second `free` of a block of {bytes} bytes"),
        "a thread has freed the block before",
        "free each block once, and set pointers to it to null",
    )
}

pub(super) fn freed_foreign() -> Said {
    Said::new(
        "a `free` of an address that `malloc` has not returned",
        "only the start of a block that a kernel has allocated can be freed on the device",
        "keep the pointer that `malloc` or `new` returned; what the host allocated, the host frees",
    )
}

pub(super) fn host_freed_twice() -> Said {
    Said::new(
        "the host frees memory that it has freed already",
        "an address is good from its allocation to its first free",
        "let one owner free it: a `DeviceBuffer` that is dropped, or one `cuMemFree`",
    )
}

pub(super) fn no_code(table: Option<usize>) -> Said {
    let message = match table {
        Some(places) => format!("a jump by a table of {places} places"),
        None => "a call through a pointer to no function".into(),
    };
    Said::new(message, "there is no code at that place", "check the index, or the pointer, before the jump")
}

pub(super) fn stack_used_up(by_call: bool, bytes: u64, most_calls: u64) -> Said {
    let message = match by_call {
        true => "a call goes deeper than a thread's stack",
        false => "more is allocated than a thread's stack has",
    };
    Said::new(
        message,
        format!("a thread has {bytes} bytes of local memory, and its calls go {most_calls} deep at most"),
        "end the recursion earlier, or keep less in local arrays",
    )
}
