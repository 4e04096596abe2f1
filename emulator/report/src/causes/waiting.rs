//! Threads that wait for one another for ever.

use crate::Reader;
use crate::phrase::threads::{blocks, threads};
use finding::{Access, Action, AllCome, Cause, Differs, Fate, Finding, Livelock, LivelockReason, Look, WaitAt};
use words::MessageValues;

pub(super) fn values<'a>(values: &mut MessageValues<'a>, finding: &'a Finding, cause: &'a Cause, reader: &Reader) {
    match cause {
        Cause::Deadlock { ended, more } => {
            values.set("ended", ended.count());
            values.set("who", threads(ended, reader));
            values.set("more", *more);
        }
        Cause::GridDeadlock { waiting, ended, elsewhere } => {
            values.set("waiting", waiting.count());
            values.set("who_wait", blocks(waiting, reader));
            values.set("ended", ended.count());
            values.set("who_ended", blocks(ended, reader));
            values.set("elsewhere", elsewhere.count());
            values.set("who_elsewhere", blocks(elsewhere, reader));
        }
        Cause::Livelock(livelock) => {
            let Livelock { proven: _, instructions, fuel, more_blocks, not_begun, reason } = livelock.as_ref();
            values.set("instructions", *instructions);
            values.set("fuel", *fuel);
            values.set("more", *more_blocks);
            values.set("not_begun", *not_begun);
            values.set("circle", circle(finding));
            match reason {
                Some(LivelockReason::KeptLock { taken }) => values.set("taken", taken.line),
                Some(LivelockReason::LoadedOnce { load, swap }) => {
                    values.set("load", load.line);
                    values.set("swap", swap.line);
                }
                Some(LivelockReason::FlagLoadedOnce { at }) => values.set("at", at.line),
                None => {}
            }
        }
        Cause::MaskMismatch { differs, all_come: all } => {
            values.set("shuffles", *differs == Differs::Operations { shuffles: true });
            all_come(values, all.as_ref());
        }
        Cause::OutsideOwnMask { all_come: all } => all_come(values, all.as_ref()),
        _ => {}
    }
}

/// Two or more threads wait, each at one of the report's ends, and have set what others there wait for: they hold
/// locks, or wait for phases of barrier objects. One alone may wait where it meets them. If all wait for phases that
/// only bytes keep from their end, those are the cause.
fn circle(finding: &Finding) -> &'static str {
    if let Some(bytes) = unmatched_bytes(finding) {
        return bytes;
    }
    let stands_at = |access: &Access| match access.action {
        Action::Set { fate: Fate::StandsAt { end }, .. } => Some(end),
        _ => None,
    };
    let holders: Vec<usize> = finding.accesses.iter().filter_map(stands_at).collect();
    let meets = |end: usize| match finding.accesses.get(end - 1).map(|access| &access.action) {
        Some(Action::Waits(waiting)) => !waiting.missing_at.is_empty(),
        _ => false,
    };
    let is_for_arrivals = |end: &usize| match finding.accesses.get(end - 1).map(|access| &access.action) {
        Some(Action::Waits(waiting)) => {
            matches!(waiting.at, WaitAt::Spin { look: Some(Look::ArrivalsMissing { .. }) })
        }
        _ => false,
    };
    match holders[..] {
        [] => "none",
        [end] if meets(end) => "meeting",
        [_] => "none",
        _ if holders.iter().all(is_for_arrivals) => "phases",
        _ => "locks",
    }
}

/// Returns the word for phases that lack no arrival, and whose bytes do not match their copies. `None` if a thread
/// looks at anything else.
fn unmatched_bytes(finding: &Finding) -> Option<&'static str> {
    let look = |access: &Access| match &access.action {
        Action::Waits(waiting) => match &waiting.at {
            WaitAt::Spin { look: Some(Look::ArrivalsMissing { count: 0, bytes, .. }) } => Some(bytes.signum()),
            WaitAt::Spin { .. } => Some(0),
            _ => None,
        },
        _ => None,
    };
    let signs: Vec<i64> = finding.accesses.iter().filter_map(look).collect();
    match signs[..] {
        [] => None,
        _ if signs.iter().all(|sign| *sign > 0) => Some("bytes-missing"),
        _ if signs.iter().all(|sign| *sign < 0) => Some("bytes-surplus"),
        _ => None,
    }
}

/// At a barrier all lanes need no mask of their own. What else there is may be meant for each of several groups.
fn all_come(values: &mut MessageValues, all: Option<&AllCome>) {
    values.set(
        "come",
        match all {
            None => "unknown",
            Some(AllCome { is_barrier: true, .. }) => "barrier",
            Some(_) => "other",
        },
    );
    values.set("whole", all.is_some_and(|all| all.whole_warp));
    values.set("at", all.and_then(|all| all.at.as_ref()).map_or(0, |at| at.line));
}
