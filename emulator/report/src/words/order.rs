//! Races: two accesses that nothing orders.

use super::action::{access_noun, host_operation};
use super::{Said, pair, place, scope};
use crate::Names;
use finding::{Access, Copies, Distance, Finding, HostOperation, Relation, Severity, Slug, Unordered};

const WAIT: &str = "`cg::wait()`, `pipe.consumer_wait()`, `__pipeline_wait_prior()`";

pub(super) fn unordered(finding: &Finding, race: &Unordered, names: &Names) -> Said {
    let is_shared = finding.slug == Slug::RaceShared;
    let (mut why, mut help) = match &race.relation {
        Relation::Launches => (
            "the two launches are in streams that nothing orders".into(),
            "put both in one stream, or let one wait for the other's event".into(),
        ),
        Relation::ParentAndChild { child } => parent_and_child(child),
        Relation::Grids { kernels: [first, second] } => (
            format!("`{first}` and `{second}` are grids that no stream orders"),
            "launch both into one stream, or the later one with `cudaStreamTailLaunch`; each block has a NULL stream of its own"
                .into(),
        ),
        Relation::ScopeTooNarrow(narrow) => scope::too_narrow(narrow),
        Relation::Copies { copies } => with_copies(*copies),
        Relation::Threads(pair) => pair::between_threads(race, pair, is_shared, names),
    };
    if let Some(update) = race.lost_update {
        help = pair::one_step(is_shared, update.in_one_warp).into();
    }
    if let Some(narrow) = &race.narrow_elsewhere {
        let (but, mend) = scope::too_narrow(narrow);
        why = format!("{why}; between other threads here {but}");
        help = mend;
    }
    Said { message: message(finding, race, names), why: why + &who_else(finding, race), help }
}

fn message(finding: &Finding, race: &Unordered, names: &Names) -> String {
    let noun = |access: Option<&Access>| access.map_or(("an access", "accesses"), access_noun);
    let nouns = (noun(finding.accesses.first()), noun(finding.accesses.get(1)));
    let both = match nouns.0 == nouns.1 {
        true => format!("two {}", nouns.0.1),
        false => format!("{} and {}", nouns.0.0, nouns.1.0),
    };
    let place = place::of(&race.place, names);
    let how = if race.allowed { "may come in either order" } else { "are not ordered" };
    let but = if race.same_value { ", but write the same value" } else { "" };
    format!("{both} of {place} {how}{but}")
}

/// One pair is shown; that threads closer together or farther apart race too should not go unsaid.
fn who_else(finding: &Finding, race: &Unordered) -> String {
    let name = |distance: &Distance| match distance {
        Distance::Warp => "one warp",
        Distance::Block => "different warps of one block",
        Distance::Grid => "different blocks",
    };
    let others: Vec<&str> = race.others.iter().map(name).collect();
    // What is looked for beside a wrong answer is no race.
    let race = if finding.severity == Severity::Hint { "do so" } else { "race here" };
    match others.is_empty() {
        true => String::new(),
        false => format!("; threads of {} {race} too", others.join(", and of ")),
    }
}

fn parent_and_child(child: &str) -> (String, String) {
    (
        format!(
            "`{child}` was launched by the other's grid and runs at any time after that: it sees what its launching thread \
             knew then, and nothing orders it with the rest of that grid"
        ),
        "write before the launch what a child needs, in the thread that launches or before a `__syncthreads()` that it \
         passes; read what a child has written in a grid that is launched with `cudaStreamTailLaunch`"
            .into(),
    )
}

/// Why nothing orders an access with a copy before it, and what would.
fn with_copies(copies: Copies) -> (String, String) {
    match copies {
        Copies::Both => (
            "asynchronous copies are in no order, also not those of one thread, unless the first has been waited for".into(),
            format!("wait for the first copy ({WAIT}) before the second starts"),
        ),
        Copies::OneThread { writes } => {
            let what = if writes { "its bytes arrive" } else { "its source is read" };
            (
                format!("{what} at any time until the thread that started the copy has waited for it, and it has not"),
                format!(
                    "wait for the copy ({WAIT}) between (1) and (2); if groups of copies are waited for one by one, let fewer stay under way"
                ),
            )
        }
        Copies::OtherThread => (
            "a copy is done for the thread that started it once that has waited for it, and for others once they have passed a \
             barrier that comes after the wait"
                .into(),
            format!("let the thread of (1) wait for its copy ({WAIT}), then let both pass a barrier, and then (2)"),
        ),
    }
}

pub(super) fn host(finding: &Finding, operation: HostOperation) -> Said {
    Said::new(
        format!("`{}` and {} are not ordered", finding.kernel, host_operation(operation)),
        "the launch and the copy are in streams that nothing orders",
        "use one stream for both, let one wait for the other's event, or synchronise before the copy",
    )
}
