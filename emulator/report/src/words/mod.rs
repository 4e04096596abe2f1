//! Each cause in words, by family.

pub(crate) mod action;
mod barrier;
mod flag;
mod hint;
pub(crate) mod launch;
mod memory;
mod missing;
mod order;
mod pair;
pub(crate) mod place;
mod scope;
pub(crate) mod threads;
mod undefined;
pub(crate) mod value;
mod waiting;

use crate::Names;
use finding::{Cause, Finding, SourceLocation};

/// What is said of a finding, beside its accesses and its place: lowercase, without a final stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// One sentence.
    pub message: String,
    /// Why this is a bug: what is missing.
    pub why: String,
    /// What would mend it.
    pub help: String,
}

impl Said {
    fn new(message: impl Into<String>, why: impl Into<String>, help: impl Into<String>) -> Said {
        Said { message: message.into(), why: why.into(), help: help.into() }
    }
}

pub fn message(finding: &Finding, names: &Names) -> String {
    said(finding, names).message
}

pub fn why(finding: &Finding, names: &Names) -> String {
    said(finding, names).why
}

pub fn help(finding: &Finding, names: &Names) -> String {
    said(finding, names).help
}

/// Block, space and address; empty where there is nothing to say.
pub fn place(finding: &Finding, names: &Names) -> String {
    place::of_finding(finding, names)
}

/// All of a finding's sentences.
pub fn said(finding: &Finding, names: &Names) -> Said {
    match &finding.cause {
        Cause::Unordered(race) => order::unordered(finding, race, names),
        Cause::HostUnordered { operation } => order::host(finding, *operation),

        Cause::OutOfBounds { kind, bytes, space, side } => memory::out_of_bounds(*kind, *bytes, *space, *side),
        Cause::OutsideArray { array, side } => memory::outside_array(array, *side),
        Cause::Misaligned { kind, bytes } => memory::misaligned(*kind, *bytes),
        Cause::UseAfterFree { kind, heap } => memory::use_after_free(*kind, *heap),
        Cause::FreedTwice { bytes } => memory::freed_twice(*bytes),
        Cause::FreedForeign => memory::freed_foreign(),
        Cause::HostFreedTwice => memory::host_freed_twice(),
        Cause::NoCode { table } => memory::no_code(*table),
        Cause::StackUsedUp { by_call, bytes, most_calls } => memory::stack_used_up(*by_call, *bytes, *most_calls),

        Cause::NeverWritten(value) => undefined::never_written(value, names),
        Cause::AbsentLane(absence) => undefined::absent_lane(absence),

        Cause::NoSuchBarrier { number } => barrier::no_such_barrier(*number),
        Cause::BarrierCount { count } => barrier::count(*count),
        Cause::ArrivesTwice => barrier::arrives_twice(),
        Cause::CountsDiffer => barrier::counts_differ(),
        Cause::ReductionsDiffer => barrier::reductions_differ(),
        Cause::BarrierObject { place, misuse, most } => barrier::object(place, *misuse, *most, names),
        Cause::BarrierDivergence { barrier, one_line, in_loop } => barrier::divergence(*barrier, *one_line, *in_loop),
        Cause::WarpsAtDifferentBarriers { one_line } => barrier::different_barriers(*one_line),
        Cause::OpensWithout => barrier::opens_without(),

        Cause::Deadlock { ended, more } => waiting::deadlock(ended, *more),
        Cause::GridDeadlock { ended, elsewhere } => waiting::grid_deadlock(*ended, *elsewhere),
        Cause::Livelock(livelock) => waiting::livelock(livelock),
        Cause::MaskMismatch { differs, all_come } => waiting::mask_mismatch(*differs, all_come.as_ref()),
        Cause::OutsideOwnMask { all_come } => waiting::outside_own_mask(all_come.as_ref()),

        Cause::NotCooperative => launch::not_cooperative(),
        Cause::LaunchFailed { kernel, error, reason } => launch::failed(kernel.as_deref(), error, reason),
        Cause::PointerToOwnMemory { kernel, number, space } => launch::own_memory(kernel, *number, *space),

        Cause::ActiveMask { differ } => hint::active_mask(*differ),
        Cause::ShuffleBeyond { function, direction } => hint::shuffle_beyond(function, *direction),
        Cause::SwapFailedUnseen => hint::swap_failed_unseen(),
    }
}

/// `line 7`.
fn line(at: &SourceLocation) -> String {
    format!("line {}", at.line)
}

/// `a, b and c`.
fn listed(all: &[String], last_word: &str) -> String {
    match all {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} {last_word} {last}", first.join(", ")),
    }
}
