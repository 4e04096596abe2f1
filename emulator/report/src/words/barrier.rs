//! Barriers that are misused (PTX ISA, "bar, barrier", "mbarrier"), and threads that meet where they should not.

use super::{Said, place};
use crate::Names;
use finding::{ObjectMisuse, Place};

pub(super) fn no_such_barrier(number: u32) -> Said {
    Said::new(
        format!("there is no barrier {number}"),
        "a block has sixteen barriers, 0 to 15",
        "use a number from 0 to 15",
    )
}

pub(super) fn count(count: u64) -> Said {
    match count {
        0 => Said::new(
            "threads arrive at a barrier of no threads",
            "a thread that arrives and does not wait must say how many threads take part",
            "count the threads that arrive and those that wait, whole warps",
        ),
        _ => Said::new(
            format!("a barrier counts {count} threads, which is no number of whole warps"),
            "whole warps take part in a barrier, so its count is a multiple of 32",
            "round the count up to a multiple of 32; threads that have ended count with their warp",
        ),
    }
}

pub(super) fn arrives_twice() -> Said {
    Said::new(
        "a thread arrives twice at one barrier before it completes",
        "a thread that does not wait at a barrier must not come to it again before the others have",
        "let the thread wait at a second barrier until the first one has completed",
    )
}

pub(super) fn counts_differ() -> Said {
    Said::new(
        "warps give one barrier different counts of threads",
        "all who take part in a barrier must say the same number",
        "give the barrier one count, or use two barriers",
    )
}

pub(super) fn reductions_differ() -> Said {
    Said::new(
        "a barrier that votes meets one that does not, or votes otherwise",
        "all who take part in a barrier that gathers votes must gather them in the same way",
        "use the same kind of barrier on all sides, or barriers of different numbers",
    )
}

pub(super) fn object(place: &Place, misuse: ObjectMisuse, most: u64, names: &Names) -> Said {
    let name = place::of(place, names);
    match misuse {
        ObjectMisuse::NoObject => Said::new(
            format!("{name} is used as a barrier, and is none"),
            "nothing has initialised a barrier object there, or it has been invalidated or overwritten",
            "initialise the barrier in one thread and let a `__syncthreads()` follow before any thread uses it",
        ),
        ObjectMisuse::Count { count } => Said::new(
            format!("{name} is to wait for {count} arrivals"),
            format!("a barrier object waits for 1 to {most} arrivals"),
            "count the threads that arrive in each phase",
        ),
        ObjectMisuse::TooMany { .. } => Said::new(
            format!("more threads arrive at {name} than it waits for"),
            "the barrier was initialised for fewer threads than arrive in one phase",
            "initialise the barrier with the number of arrivals of one phase, and let threads wait before they arrive again",
        ),
        ObjectMisuse::Completes => Said::new(
            format!("an arrival that must not completes a phase of {name}"),
            "`.noComplete` promises that other arrivals are still pending",
            "let the last arrival be one without `.noComplete`",
        ),
        ObjectMisuse::Transactions => Said::new(
            format!("the transactions of {name} are out of range"),
            format!("a phase counts up to {most} transactions"),
            "expect in each phase as many transactions as complete in it",
        ),
    }
}

pub(super) fn divergence(barrier: u32, one_line: bool, in_loop: bool) -> Said {
    let message = match one_line {
        true => {
            format!(
                "threads of one warp meet at barrier {barrier} in one line, in different rounds of a loop or branches"
            )
        }
        false => format!("threads of one warp meet at barrier {barrier} from different places"),
    };
    let help = match in_loop || one_line {
        true => {
            "take the barrier out of the branch, so that all threads reach the same one; where it stands in a loop, let all threads \
             run the loop as often, and only its other lines depend on the thread"
        }
        false => "take the barrier out of the branch, so that all threads reach the same one",
    };
    let why = "a barrier such as `__syncthreads()` may stand in a branch only if all threads take it alike: these pair off, and from \
               here on every barrier may be taken for another";
    Said::new(message, why, help)
}

pub(super) fn different_barriers(one_line: bool) -> Said {
    let message = match one_line {
        true => {
            "warps of one block meet at a barrier of the whole block, such as `__syncthreads()`, at two places of one line"
        }
        false => {
            "warps of one block meet at a barrier of the whole block, such as `__syncthreads()`, in different lines"
        }
    };
    Said::new(
        message,
        "the CUDA programming guide allows `__syncthreads()` and its kin in a branch only if all threads of the block take it alike; \
         PTX lets warps come from different places, so they pair off here, and the next barrier may pair what does not belong together",
        "take the barrier out of the branch, so that all threads of the block reach the same one; where it stands in a loop, let all \
         threads run the loop as often",
    )
}

pub(super) fn opens_without() -> Said {
    Said::new(
        "a barrier of the whole block, such as `__syncthreads()`, opens without threads that have passed another one",
        "a barrier does not wait for threads that have ended; the CUDA programming guide allows `__syncthreads()` and its kin in a \
         branch only if all threads of the block take it alike",
        "if these threads belong to what is done between the barriers, let them stay until the last one",
    )
}
