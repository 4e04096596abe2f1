//! Two threads of one launch: why nothing orders them, and what would, by where they run and what the accesses are.

use super::{line, missing};
use crate::Names;
use finding::{BetweenThreads, Branch, Distance, PlainAccess, Polled, Unordered};

/// What all threads of a block reach.
const ONE_BLOCK: &str = "put a `__syncthreads()` that all threads of the block reach between the two lines";

/// Where one warp's lanes race others may use the place too.
const ONE_WARP: &str = "put a `__syncwarp()` that both lanes reach between the two lines; a `__syncthreads()` if threads of other \
                        warps use the place too";

/// Why nothing orders two accesses of one launch, and what would.
pub(super) fn between_threads(
    race: &Unordered,
    pair: &BetweenThreads,
    is_shared: bool,
    names: &Names,
) -> (String, String) {
    let (why, help) = match pair.strong {
        Some(strong) => mixed(race.distance, pair, strong),
        None => alike(race.distance, pair, is_shared),
    };
    let why = match race.allowed {
        true => format!("volatile and atomic accesses do not race, and they wait for nobody: {why}"),
        false => why,
    };
    let help = match race.allowed && pair.both_update {
        true => {
            "an exchange overwrites whatever came before it: let one atomic operation combine both values, such as \
                 `atomicAdd()` or `atomicMin()`, or order the two"
                .into()
        }
        false => help,
    };
    match &pair.missing {
        Some(missing) => missing::say(missing, race.distance, (why, help), names),
        None => (why, help),
    }
}

/// Where both are plain, or neither.
fn alike(distance: Distance, pair: &BetweenThreads, is_shared: bool) -> (String, String) {
    let why = match distance {
        Distance::Grid => "they are in different blocks, and blocks are not ordered within a launch",
        Distance::Warp => "both threads are in one warp, and lanes of a warp are not ordered unless they synchronise",
        Distance::Block => "no barrier that both threads reach lies between the two accesses",
    };
    if let Some(polled) = &pair.polled {
        return (format!("{why}{}", looked_once(polled)), flag(polled, "both so"));
    }
    let help = match distance {
        _ if pair.one_access => one_step(is_shared, distance == Distance::Warp).into(),
        Distance::Grid => "split the kernel in two launches. Inside one launch a block may wait only for a block that has begun: then \
                           publish with an atomic flag and two `__threadfence()`, one before it is set, one after it was seen"
            .into(),
        Distance::Warp => one_warp(pair.branch.as_ref()),
        Distance::Block => ONE_BLOCK.into(),
    };
    (why.into(), help)
}

fn one_warp(branch: Option<&Branch>) -> String {
    let Some(Branch { at, lanes }) = branch else { return ONE_WARP.into() };
    let line = line(at);
    format!(
        "{ONE_WARP}; where lanes {lanes:#010x} come alone, as behind the branch in {line}, `__syncwarp({lanes:#010x})`"
    )
}

/// Where one access is atomic or volatile and the other is plain.
fn mixed(distance: Distance, pair: &BetweenThreads, strong: usize) -> (String, String) {
    let (strong, plain) = if strong == 0 { ("(1)", "(2)") } else { ("(2)", "(1)") };
    let why = format!("{strong} is atomic or volatile and {plain} is a plain access, and nothing orders the two");
    if let Some(polled) = &pair.polled {
        return (format!("{why}{}", looked_once(polled)), flag(polled, &format!("{plain} so too")));
    }
    let order = match distance {
        Distance::Grid => "let a launch end between the two",
        Distance::Warp => ONE_WARP,
        Distance::Block => ONE_BLOCK,
    };
    let help = match pair.one_line {
        _ if pair.compares => format!(
            "if it does not matter which of them comes first, since the compare-and-swap looks again, make {plain} atomic or \
             volatile too (`atomicAdd(p, 0)` is an atomic load); or {order}"
        ),
        true if distance == Distance::Grid => {
            "one atomic operation must do all that the line does: between its plain access and its atomic one others may come"
                .into()
        }
        true => {
            let barrier = if distance == Distance::Warp { "`__syncwarp()`" } else { "`__syncthreads()`" };
            format!(
                "if both are one place to each thread, one atomic operation must do all that the line does: between its plain \
                 access and its atomic one others may come; if each reads another's place in a loop, let all run the loop as often \
                 and, outside of branches, load into a variable, {barrier}, update, {barrier}"
            )
        }
        false => {
            let atomic = atomically(pair.plain);
            format!("{order}; or, if it does not matter which of them comes first, make {plain} atomic too ({atomic})")
        }
    };
    (why, help)
}

/// A plain access as an atomic operation.
fn atomically(plain: PlainAccess) -> &'static str {
    match plain {
        PlainAccess::Load => "`atomicAdd(p, 0)` is an atomic load",
        PlainAccess::Store => "`atomicExch(p, v)` is an atomic store",
        PlainAccess::Update => {
            "one atomic operation for all that its line does, such as `atomicAdd(p, v)` for `*p += v`"
        }
    }
}

/// What has become of the loop that waits, if one does: a loop that never ends may stand behind a single look in the source too.
fn looked_once(polled: &Polled) -> String {
    match polled {
        Polled::Again => String::new(),
        Polled::Once { at: None } => {
            "; a loop that waits for it would look no second time: a compiler takes a plain load out of a loop".into()
        }
        Polled::Once { at: Some(at) } => format!(
            "; if the loop in {} is to wait for it, it looks no second time: a compiler takes a plain load out of a loop",
            line(at)
        ),
    }
}

/// What a flag needs, `which` of its sides at that.
fn flag(polled: &Polled, which: &str) -> String {
    let condition = if *polled == Polled::Again { "" } else { "if a loop waits for it: " };
    format!(
        "{condition}a flag that others wait for is atomic or volatile on both sides: make {which} (`atomicExch(p, 1)` stores, \
         `atomicAdd(p, 0)` loads); what it announces needs a `__threadfence()` before it is set and one after it was seen"
    )
}

/// What mends a line that reads, changes and writes: no barrier can stand inside it. In shared memory it may be the
/// step of a tree, where each thread has its own place and reads another's.
pub(super) fn one_step(is_shared: bool, in_one_warp: bool) -> &'static str {
    match (is_shared, in_one_warp) {
        (true, true) => {
            "if all lanes change one place, use an atomic operation; if each changes its own and reads another's in a loop, let all \
             lanes run the loop as often and come to a `__syncwarp()` at the end of each round, outside of branches; where a round \
             also changes what others read in it, load into a variable, then one more `__syncwarp()`, then store"
        }
        (true, false) => {
            "if all threads change one place, use an atomic operation; if each changes its own and reads another's in a loop, let \
             all threads run the loop as often and come to a `__syncthreads()` at the end of each round, outside of branches; where a \
             round also changes what others read in it, load into a variable, then one more `__syncthreads()`, then store"
        }
        (false, _) => {
            "use an atomic operation, or give each thread its own place and combine them later; a lock around this line needs a \
             `__threadfence()` after it is taken and one before it is given back"
        }
    }
}
