//! Threads that wait for one another for ever.

use super::Said;
use super::threads::threads;
use finding::{AllCome, Differs, Livelock, LivelockReason, Threads};

pub(super) fn deadlock(ended: &Threads, more: usize) -> Said {
    let mut why = "no thread is left that could come to where these wait".to_string();
    if !ended.is_empty() {
        let have = if ended.count() == 1 { "has" } else { "have" };
        why = format!("{why}: {} of the block {have} ended", threads(ended));
    }
    if more > 0 {
        why = format!("{why} (and threads wait at {more} more places)");
    }
    Said::new(
        "every thread of the block that has not ended waits for another",
        why,
        "let every thread that a barrier counts, or a mask reader, reach it; or name in the mask only those that come",
    )
}

pub(super) fn grid_deadlock(ended: u64, elsewhere: u64) -> Said {
    let have_ended = match ended {
        0 => None,
        1 => Some("one block has ended".to_string()),
        _ => Some(format!("{ended} blocks have ended")),
    };
    let wait_elsewhere = match elsewhere {
        0 => None,
        1 => Some("one block waits at another barrier".to_string()),
        _ => Some(format!("{elsewhere} blocks wait at another barrier")),
    };
    let who: Vec<String> = have_ended.into_iter().chain(wait_elsewhere).collect();
    let who = if who.is_empty() { "they have come a different number of times".into() } else { who.join(", and ") };
    Said::new(
        "blocks wait at the barrier of the grid for blocks that will not come",
        format!("thread 0 of every block of the grid must come to it as often: {who}"),
        "let every block reach each barrier of the grid; return after it, not before",
    )
}

pub(super) fn livelock(livelock: &Livelock) -> Said {
    let Livelock { proven, instructions, fuel, more_blocks, not_begun, reason } = livelock;
    let message = match proven {
        true => "threads wait in a loop for what no thread will do",
        false => "the launch goes on without an end in sight",
    };
    let mut why = match proven {
        true => "every thread that does not wait comes back to where it was, and none of them changes what it looks \
                 at: no schedule ends this"
            .to_string(),
        false => format!(
            "it has run {instructions} thread instructions, and no thread of the grid has ended in the last {fuel}, all that it was \
             given; it may only be long"
        ),
    };
    match more_blocks {
        0 => {}
        1 => why += " (1 more block is like this)",
        more => why += &format!(" ({more} more blocks are like these)"),
    }
    match not_begun {
        _ if !proven => {}
        0 => {}
        1 => why += "; 1 block has not begun: it waits for a place on the device",
        waiting => why += &format!("; {waiting} blocks have not begun: they wait for a place on the device"),
    }
    let help = match reason {
        Some(LivelockReason::KeptLock { taken }) => format!(
            "a lock that is taken in line {} must be given back before its thread ends, on every path: by `__threadfence()` and then \
             `atomicExch()`",
            taken.line
        ),
        Some(LivelockReason::LoadedOnce { load, swap }) => format!(
            "`atomicCAS()` in line {} goes on comparing with what line {} loaded once: where they differ, compare in the next round \
             with what `atomicCAS()` returned",
            swap.line, load.line
        ),
        None => {
            "look for who should end the loop: a thread that waits or spins elsewhere, has ended, or has not begun; \
                 two locks are taken by all in one order"
                .into()
        }
    };
    Said::new(message, why, help)
}

pub(super) fn mask_mismatch(differs: Differs, all_come: Option<&AllCome>) -> Said {
    let (message, help) = match differs {
        Differs::Masks => (
            "lanes of a warp wait for one another with different masks",
            all_come.map_or_else(
                || "give all lanes that meet the same mask, made before the branch of those that take part".into(),
                all_lanes_come,
            ),
        ),
        Differs::Operations { shuffles: true } => (
            "lanes of a warp wait for one another in different operations",
            "let all lanes that a mask names make the same call".into(),
        ),
        Differs::Operations { shuffles: false } => (
            "lanes of a warp wait for one another in different operations",
            "let all lanes that a mask names make the same call, or take the others out of the mask".into(),
        ),
    };
    let why = "lanes meet only where operation and mask are the same, and each of these names lanes that wait elsewhere for it";
    Said::new(message, why, help)
}

pub(super) fn outside_own_mask(all_come: Option<&AllCome>) -> Said {
    let help = all_come.map_or_else(
        || "call it only in lanes that are in the mask, or put every lane that calls it into the mask".into(),
        all_lanes_come,
    );
    Said::new(
        "a lane calls a warp operation with a mask that does not name it",
        "what such a lane gets, and whether it waits, is not defined",
        help,
    )
}

/// At a barrier all lanes need no mask of their own. What else there is may be meant for each of several groups, and gives another
/// result for all.
fn all_lanes_come(all: &AllCome) -> String {
    let line = all.at.as_ref().map_or("this call".into(), super::line);
    let (who, ended) = match all.whole_warp {
        true => ("all 32 lanes", ""),
        false => ("all lanes that have not ended", "; lanes that have ended are not waited for"),
    };
    let mend = match all.is_barrier {
        true => "name them all, 0xffffffff",
        false => {
            "if all are meant, name them all, 0xffffffff; if they are groups, give each lane the mask of its own group"
        }
    };
    format!("{who} come to {line} in this run: {mend}{ended}")
}
