//! The missing piece between two threads that race, where it is known: which fence, which barrier, which lock, by line.

use super::{flag, line};
use crate::Names;
use finding::{Distance, End, Means, Missing, SourceLocation, Turn};

/// Adds to what is said in general, or takes its place: why, and what would help.
pub(super) fn say(
    missing: &Missing,
    distance: Distance,
    (why, help): (String, String),
    names: &Names,
) -> (String, String) {
    let (but, help) = advice(missing, distance, help, names);
    // What a lock or a flag lacks, it lacks between lanes of one warp as well.
    let is_told_alone = distance == Distance::Warp && !is_of_lanes(missing);
    match but.is_empty() {
        true => (why, help),
        false if is_told_alone => (but, help),
        false => (format!("{why}; {but}"), help),
    }
}

/// True if it adds to what is said of two lanes as such.
fn is_of_lanes(missing: &Missing) -> bool {
    match missing {
        Missing::FenceAfterLook { .. }
        | Missing::FenceBeforeFlag { .. }
        | Missing::BarrierBeforeFlag { .. }
        | Missing::BarrierAfterLook { .. }
        | Missing::EndedBeforeBarrier { .. }
        | Missing::PlainUnlock { .. }
        | Missing::Locks { .. } => false,
        Missing::LaneNotInMask { .. }
        | Missing::LaneEnded { .. }
        | Missing::OnlyShuffled { .. }
        | Missing::NextRound { .. }
        | Missing::SamePhase { .. }
        | Missing::WrongMeans { .. }
        | Missing::SamePlace { .. }
        | Missing::OwnUpdate { .. } => true,
    }
}

/// What is missing, and what would help; `help` is what helps in general.
fn advice(missing: &Missing, distance: Distance, help: String, names: &Names) -> (String, String) {
    match missing {
        Missing::FenceAfterLook { seen, before_barrier } => flag::fence_after_look(seen.as_ref(), *before_barrier),
        Missing::FenceBeforeFlag { first, set, look, acquired } => {
            flag::fence_before_flag(first, set, look.as_ref(), *acquired)
        }
        Missing::BarrierBeforeFlag { first, fence, set, look } => (
            format!(
                "another thread of (1)'s block sets in line {} what line {} has seen, and nothing orders (1) before that thread's \
                 line {}",
                set.line, look.line, fence.line
            ),
            format!(
                "put a `__syncthreads()` that all threads of the block reach between lines {} and {}",
                first.line, fence.line
            ),
        ),
        Missing::BarrierAfterLook { look, second } => (
            format!(
                "another thread of (2)'s block has seen in line {} that (1) was done, but nothing orders (2) behind that",
                look.line
            ),
            format!(
                "put a `__syncthreads()` that all threads of the block reach between lines {} and {}, behind the fence",
                look.line, second.line
            ),
        ),
        Missing::EndedBeforeBarrier { end, barrier } => (
            format!(
                "(1)'s thread did not come to the barrier in line {}, which (2)'s thread has passed: it {}, and a barrier does not \
                 wait for threads that have ended",
                barrier.line,
                ended(end)
            ),
            format!(
                "let all threads of the block come to line {}: none may return before it, or go round it in a branch",
                barrier.line
            ),
        ),
        Missing::LaneNotInMask { barrier, met, inside, outside } => (
            format!(
                "at the barrier of the warp in line {} lane {inside} met the lanes of {met:#010x}, and lane {outside} is not one of \
                 them",
                barrier.line
            ),
            format!(
                "name in the mask in line {} all lanes that trade here, and let all of them come to it; make the mask before the \
                 branch of those that take part, not by `__activemask()`",
                barrier.line
            ),
        ),
        Missing::LaneEnded { barrier, end } => (
            format!(
                "(1)'s lane did not come to the barrier of the warp in line {}, which (2)'s lane has passed: it {}",
                barrier.line,
                ended(end)
            ),
            "let both lanes come to one barrier between the two lines, which names both: none may return before it, or go round \
             it in a branch"
                .into(),
        ),
        Missing::OnlyShuffled { at, function } => (
            format!(
                "both lanes come to the `{function}` in line {}, but that trades registers and orders no memory",
                at.line
            ),
            format!("put a `__syncwarp()` that both lanes reach between the two lines, beside the `{function}`"),
        ),
        Missing::PlainUnlock { taken, store } => (
            format!(
                "the thread that stores in line {} has taken it by an atomic operation in line {}",
                store.line, taken.line
            ),
            format!(
                "what an atomic operation takes, an atomic operation gives back: `__threadfence()` and then `atomicExch()` in line {}",
                store.line
            ),
        ),
        Missing::Locks { first, second, one_block } => {
            flag::locks(first.as_ref(), second.as_ref(), *one_block, names).unwrap_or((String::new(), help))
        }
        Missing::NextRound { above, below, barrier, turn } => {
            next_round(above, below, barrier.as_ref(), *turn, distance)
        }
        Missing::SamePhase { above, below, barrier } => {
            let (above, below, barrier) = (above.line, below.line, barrier.line);
            (
                format!(
                    "both threads have passed the barrier in line {barrier}, and nothing orders what they do between one barrier and \
                     the next"
                ),
                format!(
                    "if line {below} is to come before line {above} of a later round or call: one more barrier, like that in line \
                     {barrier}, behind line {below}; if it is to come after line {above}: let no way from there to line {below} go \
                     round the barrier"
                ),
            )
        }
        Missing::WrongMeans { at, means } => (wrong_means(at, *means), help),
        Missing::SamePlace { made, atomic } => same_place(made.as_ref(), atomic.as_ref(), help),
        Missing::OwnUpdate { at, certain } => {
            let use_it = format!("use the value that the atomic operation in line {} returns", at.line);
            let help = match certain {
                true => format!("{use_it}: others may have changed it since; it is the old value, from before that operation"),
                false => format!("{use_it}, if that is meant; or {help}"),
            };
            (String::new(), help)
        }
    }
}

fn ended(end: &End) -> String {
    match end.by_branch {
        true => format!("left the kernel from {}", line(&end.at)),
        false => format!("ended in {}", line(&end.at)),
    }
}

fn next_round(
    above: &SourceLocation,
    below: &SourceLocation,
    barrier: Option<&SourceLocation>,
    turn: Turn,
    distance: Distance,
) -> (String, String) {
    let (above, below) = (above.line, below.line);
    let (turn, back) = match turn {
        Turn::Round => ("round", format!("before the loop comes back to line {above}")),
        Turn::Call => ("call", format!("before the function comes to line {above} again")),
    };
    let (which, like) = match barrier.map(line) {
        Some(line) => (format!("the barrier in {line}"), format!(", like that in {line},")),
        None => ("the barrier between them".into(), String::new()),
    };
    let (second, others) = match distance {
        Distance::Warp => (
            format!("put a second barrier{like} after line {below}"),
            "; a `__syncthreads()` if threads of other warps use the place too",
        ),
        Distance::Block | Distance::Grid => {
            (format!("put a `__syncthreads()` that all threads of the block reach after line {below}"), "")
        }
    };
    (
        format!(
            "{which} orders line {above} before line {below}, and not line {below} before line {above} of the next {turn}"
        ),
        format!("{second} and all other use of it in the {turn}, {back}{others}"),
    )
}

fn wrong_means(at: &SourceLocation, means: Means) -> String {
    let line = line(at);
    match means {
        Means::Fence => format!("the fence in {line} orders the accesses of its own thread and waits for no other"),
        Means::WarpBarrier => {
            format!("the barrier in {line} holds lanes of one warp together, and these are threads of two")
        }
        Means::BlockBarrier => {
            format!("the barrier in {line} holds the threads of one block together, and these are in two")
        }
    }
}

fn same_place(made: Option<&SourceLocation>, atomic: Option<&SourceLocation>, help: String) -> (String, String) {
    let place = match made {
        Some(made) => format!("both threads have worked out the same place, in {}", line(made)),
        None => "both threads have worked out the same place".into(),
    };
    let Some(atomic) = atomic.map(line) else { return (place, help) };
    (
        format!("{place}: it depends on the atomic operation in {atomic}, which stands in a branch"),
        format!(
            "let threads that come here and do not take that branch have what {atomic} returned in another thread: handed to them \
             by a shuffle, in a line that all of them come to; or {help}"
        ),
    )
}
