//! Threads that wait for one another for ever.

use crate::Reader;
use crate::phrase::threads::threads;
use finding::{Access, Action, AllCome, Cause, Differs, Fate, Finding, Livelock, LivelockReason};
use words::Values;

pub(super) fn values<'a>(values: &mut Values<'a>, finding: &'a Finding, cause: &'a Cause, reader: &Reader) {
    match cause {
        Cause::Deadlock { ended, more } => {
            values.set("ended", ended.count());
            values.set("who", threads(ended, reader));
            values.set("more", *more);
        }
        Cause::GridDeadlock { ended, elsewhere } => {
            values.set("ended", *ended);
            values.set("elsewhere", *elsewhere);
        }
        Cause::Livelock(livelock) => {
            let Livelock { proven: _, instructions, fuel, more_blocks, not_begun, reason } = livelock.as_ref();
            values.set("instructions", *instructions);
            values.set("fuel", *fuel);
            values.set("more", *more_blocks);
            values.set("not_begun", *not_begun);
            values.set("in_circle", is_circle(finding));
            match reason {
                Some(LivelockReason::KeptLock { taken }) => values.set("taken", taken.line),
                Some(LivelockReason::LoadedOnce { load, swap }) => {
                    values.set("load", load.line);
                    values.set("swap", swap.line);
                }
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

/// Two or more threads wait, each at one of the report's ends, and have set what others there wait for: they hold locks.
fn is_circle(finding: &Finding) -> bool {
    let is_waiting_holder = |access: &&Access| matches!(access.action, Action::Set { fate: Fate::StandsAt { .. }, .. });
    finding.accesses.iter().filter(is_waiting_holder).count() > 1
}

/// At a barrier all lanes need no mask of their own. What else there is may be meant for each of several groups.
fn all_come(values: &mut Values, all: Option<&AllCome>) {
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
