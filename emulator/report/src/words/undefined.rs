//! Undefined values: what nothing has written, or a shuffle has taken from a lane that was absent.

use super::action::decision;
use super::threads::threads;
use super::{Said, line, listed, place};
use crate::Names;
use finding::{Absence, AbsentLane, Away, Gone, NeverWritten, Reached, SourceLocation, Unwritten};
use std::collections::BTreeSet;

const HELP_EXITED: &str = "let every lane make the call before it ends, one that has no element with a neutral value, such as 0 \
                           in a sum; or read only lanes that make it";

const HELP_NOT_NAMED: &str = "read only lanes that the mask names, by another offset, width or source lane; or let every lane \
                              take part, those that have no element with a neutral value, such as 0 in a sum";

const HELP_COMES: &str = "if both lanes are to trade here, give all that trade one mask which names them all, 0xffffffff for a whole \
                          warp; or read only lanes that the mask names, by another offset, width or source lane";

const HELP_ASKED: &str = "do not ask `__activemask()` who takes part: if all lanes come here, name them, 0xffffffff; or let every \
                          lane take part with a neutral value, or make the mask by `__ballot_sync()` before they part and \
                          shuffle only from its lanes";

pub(super) fn never_written(value: &NeverWritten, names: &Names) -> Said {
    let message = match (value.reached, &value.from) {
        (Reached::Decision { decision: what }, _) => {
            format!("{} depends on a value that was never written", decision(what))
        }
        (Reached::Host, Unwritten::Loaded { .. }) => {
            "the host copies what was made of a value that was never written".into()
        }
        (Reached::Host, _) => "the host copies a value that was never written".into(),
    };
    match &value.from {
        Unwritten::Loaded { place, gone } => {
            let place = place::unwritten(place, names);
            let gone = gone.as_ref().map_or(String::new(), left_before);
            let help = match value.reached {
                Reached::Decision { .. } => {
                    "write it before (1) loads it, or let no thread load what nothing has written"
                }
                Reached::Host => {
                    "write it before it is loaded, on every path that leads there; if another thread writes it, a barrier must come \
                     between"
                }
            };
            Said::new(message, format!("nothing had written {place} when (1) loaded it{gone}"), help)
        }
        Unwritten::Unknown { writers } => {
            let (why, hand_over) = match writers.is_empty() {
                true => ("the value comes from memory or a variable that nothing has written".into(), String::new()),
                false => by_another_way(&lines_of(writers)),
            };
            let help = format!("write it before this line on every path that leads here{hand_over}");
            Said::new(message, why, help)
        }
        Unwritten::Copied { kernel } => {
            let why = match kernel {
                None => "no kernel and no copy has written it".into(),
                Some(kernel) => {
                    format!("neither `{kernel}`, the last kernel before the copy, nor anything else has written it")
                }
            };
            let help = "let the kernel write every element that the host reads, or copy only what was written";
            Said::new(message, why, help)
        }
    }
}

/// Threads for which the last barrier did not wait.
fn left_before(gone: &Gone) -> String {
    let Gone { threads: who, end, barrier } = gone;
    format!(
        "; {} of the block had left the kernel from {}, before the barrier in {}",
        threads(who),
        line(end),
        line(barrier)
    )
}

/// Why, and what to add to the help.
fn by_another_way(lines: &str) -> (String, String) {
    (
        format!("it is made of a variable that {lines} writes, and this thread came here by another way"),
        format!("; what {lines} gives to the threads that come there, a shuffle or shared memory hands to the others"),
    )
}

/// `line 3, 5 or 9`.
fn lines_of(places: &[SourceLocation]) -> String {
    let lines: BTreeSet<u32> = places.iter().map(|place| place.line).collect();
    let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
    format!("line {}", listed(&lines, "or"))
}

pub(super) fn absent_lane(absence: &Absence) -> Said {
    let which = match absence.absent {
        AbsentLane::NoThread { .. } => "where there is no thread",
        AbsentLane::Exited => "which has ended without this call",
        AbsentLane::NotNamed { .. } => "which its mask does not name",
    };
    let matters = match absence.reached {
        Reached::Decision { decision: what } => format!("{} depends on it", decision(what)),
        Reached::Host => "the host copies what came of it".into(),
    };
    let message = format!("a shuffle takes the value of lane {}, {which}, and {matters}", absence.lane);
    Said { message, why: why(absence), help: help(absence) }
}

fn why(absence: &Absence) -> String {
    let Absence { lane, taker, .. } = absence;
    let away = match &absence.away {
        None => String::new(),
        Some(Away::Parted { at }) => {
            format!("; lanes {} and {lane} last went different ways at {}", taker % 32, line(at))
        }
        Some(Away::Ended { at }) => format!("; lane {lane} ended at {}", line(at)),
    };
    match absence.absent {
        AbsentLane::NoThread { threads: there } => format!(
            "the block has {} threads: its last warp ends with lane {}, and nobody put a value into lane {lane}",
            taker / 32 * 32 + there,
            there.saturating_sub(1)
        ),
        AbsentLane::Exited => format!("lane {lane} had ended before the shuffle and gave it no value{away}"),
        AbsentLane::NotNamed { mask } => {
            let mut text = format!(
                "lane {lane} takes no part in a shuffle with mask {mask:#010x}, so what is read there is not defined{away}"
            );
            if absence.comes {
                text += &format!("; lane {lane} comes to this line as well, with another mask or in another round");
            }
            if absence.asked {
                text += "; `__activemask()` says which lanes happen to run together at (1), and the lanes of a warp need \
                         not stay together";
            }
            text
        }
    }
}

fn help(absence: &Absence) -> String {
    match absence.absent {
        _ if absence.asked => HELP_ASKED.into(),
        AbsentLane::NotNamed { .. } if absence.comes => HELP_COMES.into(),
        AbsentLane::NoThread { threads: 1 } => {
            "read no other lane: the warp has one thread; or launch whole warps".into()
        }
        AbsentLane::NoThread { threads: there } => format!(
            "read only lanes that have a thread, here 0 to {}: begin with a smaller offset; if groups of lanes are \
             meant, give the shuffle their width and begin with half of it; or launch whole warps",
            there.saturating_sub(1)
        ),
        AbsentLane::Exited => HELP_EXITED.into(),
        AbsentLane::NotNamed { .. } => HELP_NOT_NAMED.into(),
    }
}
