//! Two accesses that nothing orders: what the messages of `race.ftl` need.

use super::{FindingTexts, WITHOUT_FIX, said_of};
use crate::phrase::{self, noun, place};
use crate::speech::WORDS;
use crate::{Reader, readable};
use finding::{
    AccessKind, Action, AtomicOperation, BetweenThreads, Copies, DependentWait, Distance, Finding, HostOperation,
    MapFences, Means, MemoryPlace, Missing, Narrow, NarrowPart, PlainAccess, Polled, Relation, Severity, Slug,
    SourceLocation, Synchroniser, Turn, Unordered, Word,
};
use words::MessageValues;

pub(super) fn said(key: &str, finding: &Finding, race: &Unordered, is_untold: bool, reader: &Reader) -> FindingTexts {
    let values = values(finding, race, reader);
    let mut said = said_of(key, &values, reader);
    if is_untold && WITHOUT_FIX.contains(&key) {
        said.message = WORDS.say(reader.language, &format!("{key}.untold"), &values);
        said.why = WORDS.say(reader.language, &format!("{key}.untold-why"), &values);
    }
    let kind = match race {
        Unordered { same_value: true, .. } => "same",
        Unordered { allowed: true, .. } => "open",
        _ => "race",
    };
    said.message = on(kind, &race.place, finding, said.message, reader);
    if is_lost_update(finding, race) {
        said.fix = WORDS.say(reader.language, "one-step-fix", &values);
    }
    if let Some(narrow) = &race.narrow_elsewhere {
        let mut values = MessageValues::new();
        too_narrow(&mut values, narrow, reader);
        let elsewhere = said_of("scope-too-narrow", &values, reader);
        said.why = say!(reader, "elsewhere", why = said.why, narrow = elsewhere.message);
        said.fix = elsewhere.fix;
    }
    if matches!(race.relation, Relation::Threads(_)) && is_of_library(finding) {
        said.fix = say!(reader, "of-library-fix");
    }
    if !race.others.is_empty() {
        let others: Vec<String> =
            race.others.iter().map(|other| say!(reader, "at-distance", distance = word(*other))).collect();
        let are = if finding.severity == Severity::Hint { "open" } else { "race" };
        said.why = say!(reader, "others", why = said.why, who = phrase::listed(&others, reader), are);
    }
    said
}

/// The message of a race with its memory: by name, or else by the allocation that it lies in.
pub(super) fn on(kind: &str, place: &MemoryPlace, finding: &Finding, missing: String, reader: &Reader) -> String {
    let place = match place {
        MemoryPlace::Unnamed { .. } => {
            place::of_allocation(finding, reader).unwrap_or_else(|| place::of(place, reader))
        }
        named => place::of(named, reader),
    };
    say!(reader, "race", kind, place, missing)
}

/// Both accesses are lines of CUDA's libraries, CUB or Thrust: nothing can be changed there.
fn is_of_library(finding: &Finding) -> bool {
    let folders = ["thrust", "cub", "cccl", "libcudacxx"];
    let is_its = |at: &SourceLocation| at.file.split(['/', '\\']).any(|part| folders.contains(&part));
    let ends = finding.accesses.iter().take(2);
    ends.clone().count() == 2 && { ends }.all(|access| access.location.as_ref().is_some_and(is_its))
}

/// One thread reads what another one then writes back, over two lines. A store in a line above the load is no lost
/// update.
/// Between launches an order is missing, which no atomic operation makes.
fn is_lost_update(finding: &Finding, race: &Unordered) -> bool {
    let line = |index: usize| finding.accesses[index].location.as_ref().map(|at| (&at.file, at.line));
    race.lost_update.is_some()
        && matches!(race.relation, Relation::Threads(_) | Relation::ScopeTooNarrow(_))
        && match noun::kinds(finding) {
            [Some(AccessKind::Load), Some(AccessKind::Store)] => line(0) <= line(1),
            [Some(AccessKind::Store), Some(AccessKind::Load)] => line(1) <= line(0),
            _ => false,
        }
}

/// A launch and a copy of the host's.
pub(super) fn host<'a>(
    values: &mut MessageValues<'a>,
    finding: &'a Finding,
    operation: HostOperation,
    reader: &Reader,
) {
    let is_of_host_alone = finding.accesses.iter().all(|access| matches!(access.action, Action::Host { .. }));
    let first = match finding.accesses.first().map(|access| &access.action) {
        Some(Action::Host { operation, .. }) if is_of_host_alone => noun::host_operation(*operation, reader),
        _ => format!("`{}`", readable(&finding.kernel)),
    };
    values.set("first", first);
    values.set("operation", noun::host_operation(operation, reader));
    let is_first = matches!(finding.accesses.first().map(|access| &access.action), Some(Action::EarlierHost { .. }));
    values.set(
        "how",
        match operation {
            HostOperation::Read | HostOperation::Write if is_of_host_alone => "copies",
            HostOperation::Read | HostOperation::Write => "touches",
            HostOperation::CopyFromPageable if is_first => "pageable-before",
            HostOperation::CopyFromPageable => "pageable-after",
            _ => "streams",
        },
    );
}

/// A launch that may overlap with the one before it.
fn dependent<'a>(values: &mut MessageValues<'a>, wait: &'a DependentWait) {
    match wait {
        DependentWait::Missing { triggered } => values.set("triggered", *triggered),
        DependentWait::Late => {}
        DependentWait::Between { kernel } => values.set("first", readable(kernel)),
    }
}

fn word(distance: Distance) -> &'static str {
    match distance {
        Distance::Warp => "warp",
        Distance::Block => "block",
        Distance::Grid => "grid",
    }
}

fn values<'a>(finding: &'a Finding, race: &'a Unordered, reader: &Reader) -> MessageValues<'a> {
    let mut values = MessageValues::new();
    values.set("both", noun::both(finding, reader));
    values.set("distance", word(race.distance));
    // The distance of all who race here: these two, and others that are further apart.
    let widest = race.others.iter().fold(race.distance, |widest, other| widest.max(*other));
    values.set("widest", word(widest));
    values.set("between", between(finding, reader));
    values.set("shared", finding.slug == Slug::RaceShared);
    values.set("equal", race.same_value);
    // All who race in a lost update may be closer together than these two.
    let in_one_warp = race.lost_update.map_or(race.distance == Distance::Warp, |update| update.in_one_warp);
    values.set(
        "step",
        match &race.relation {
            _ if is_lost_update(finding, race) => "update",
            Relation::Threads(pair) if pair.updates => "update",
            _ => match noun::kinds(finding) {
                [Some(AccessKind::Store), Some(AccessKind::Store)] => "writes",
                [Some(AccessKind::Load), Some(AccessKind::Store)] => "reads",
                [Some(AccessKind::Store), Some(AccessKind::Load)] => "reads",
                [Some(AccessKind::BarrierObject), Some(AccessKind::BarrierObject)] => "objects",
                [Some(AccessKind::Load), Some(AccessKind::AsyncCopy)] => "copies",
                [Some(AccessKind::AsyncCopy), Some(AccessKind::Load)] => "copies",
                _ => "others",
            },
        },
    );
    values.set("one_warp", in_one_warp && race.others.iter().all(|other| *other == Distance::Warp));
    values.set("cooperative", matches!(&race.relation, Relation::Threads(pair) if pair.cooperative));
    values.set("in_cluster", finding.is_in_cluster());
    match &race.relation {
        Relation::Launches => {}
        Relation::Dependent { wait } => dependent(&mut values, wait),
        Relation::Host { operation } => host(&mut values, finding, *operation, reader),
        Relation::ParentAndChild { child } => {
            values.set("child", readable(child));
            // The child's thread has one launch more above it.
            let parent = finding.accesses.iter().take(2).min_by_key(|access| access.launched_by.len());
            let kind = parent.and_then(|access| access.memory.as_ref()).map(|memory| memory.kind);
            values.set("parent", if kind == Some(AccessKind::Load) { "reads" } else { "writes" });
        }
        Relation::Grids { kernels: [first, second] } => {
            values.set("first", readable(first));
            values.set("second", readable(second));
        }
        Relation::ScopeTooNarrow(narrow) => too_narrow(&mut values, narrow, reader),
        Relation::Copies { copies } => {
            let is_write = matches!(copies, Copies::OneThread { writes: true } | Copies::Bulk { writes: true, .. });
            values.set("writes", is_write);
            values.set("product", matches!(copies, Copies::ProxyFence { product: true }));
            values.set(
                "missing",
                match copies {
                    Copies::MapFence { missing: MapFences::Release } => "release",
                    Copies::MapFence { missing: MapFences::Acquire } => "acquire",
                    _ => "both",
                },
            );
            values.set("by_object", matches!(copies, Copies::Bulk { by_object: true, .. }));
            let copy = if let Copies::Bulk { copy, .. } = copies { *copy } else { 0 };
            values.set("copy", copy + 1);
            values.set("other", 2 - copy);
        }
        Relation::Threads(pair) => {
            values.set("strong_kind", noun::kind_word(finding, pair.strong));
            values.set("sets", sets(finding, pair));
            values.set("wide", is_wide(finding));
            of_pair(&mut values, pair, reader);
            let reads = noun::kinds(finding).map(|kind| kind == Some(AccessKind::Load));
            values.set(
                "accesses",
                match reads {
                    [true, false] => "read-write",
                    [false, false] => "write-write",
                    _ => "write-read",
                },
            );
            // All who come to the branch come to the line below it as well.
            if let (true, Some(line)) = (pair.in_branches && !pair.in_loop, reader.below_branch) {
                values.set("in_branches", false);
                values.set("between", say!(reader, "before-line", line));
            }
        }
    }
    values
}

/// True if an atomic or volatile access has 16 bytes: no addition has as many, a compare-and-swap has.
fn is_wide(finding: &Finding) -> bool {
    let mut memory = finding.accesses.iter().filter_map(|access| access.memory.as_ref());
    memory.any(|memory| memory.scope.is_some() && memory.bytes == 16)
}

/// Returns the word for what a plain access sets a flag to, if it does.
fn sets(finding: &Finding, pair: &BetweenThreads) -> &'static str {
    let writes = noun::kinds(finding).map(|kind| kind.is_some_and(|kind| kind != AccessKind::Load));
    if pair.strong.is_some_and(|strong| writes.get(strong) == Some(&true)) {
        return "nothing";
    }
    let stored = finding.accesses.iter().find_map(|access| match access.action {
        Action::Stored { value } => value,
        _ => None,
    });
    if stored.is_none_or(|value| value.bits == 1) { "one" } else { "other" }
}

/// `between lines 17 and 19`, where the two are lines of one function.
fn between(finding: &Finding, reader: &Reader) -> String {
    match finding.lines_apart() {
        Some([upper, lower]) => say!(reader, "between-lines", first = upper.line, last = lower.line),
        None => say!(reader, "between-accesses"),
    }
}

fn of_pair<'a>(values: &mut MessageValues<'a>, pair: &'a BetweenThreads, reader: &Reader) {
    values.set("one_access", pair.one_access);
    values.set("one_line", pair.one_line);
    values.set("in_loop", pair.in_loop);
    values.set("in_branches", pair.in_branches);
    values.set("two_arrays", pair.two_arrays);
    // The numbers of the accesses, as the report has them.
    values.set("plain", if pair.strong == Some(0) { "(2)" } else { "(1)" });
    values.set("strong", if pair.strong == Some(0) { "(1)" } else { "(2)" });
    values.set("is_mixed", pair.strong.is_some());
    values.set("compares", pair.compares);
    let wants_atomic = pair.compares || pair.one_line || pair.plain == PlainAccess::Update;
    values.set("wants_atomic", wants_atomic);
    values.set("both_update", pair.both_update);
    values.set(
        "plain_access",
        match pair.plain {
            PlainAccess::Load => "load",
            PlainAccess::Store => "store",
            PlainAccess::Update => "update",
        },
    );
    values.set(
        "waits",
        match &pair.polled {
            None => "no",
            Some(Polled::Again) => "again",
            Some(Polled::Once { .. }) => "once",
        },
    );
    values.set("has_branch", pair.branch.is_some());
    if let Some(branch) = &pair.branch {
        values.set("branch", branch.at.line);
        values.set("lanes", mask(branch.lanes));
    }
    if let Some(missing) = &pair.missing {
        of_missing(values, missing, reader);
    }
}

fn of_word(word: Word) -> &'static str {
    match word {
        Word::Flag => "flag",
        Word::Lock => "lock",
        Word::Counter => "counter",
        Word::Variable => "variable",
    }
}

fn mask(lanes: u32) -> String {
    format!("{lanes:#010x}")
}

fn line_or_0(at: Option<&SourceLocation>) -> u32 {
    at.map_or(0, |at| at.line)
}

fn of_missing<'a>(values: &mut MessageValues<'a>, missing: &'a Missing, reader: &Reader) {
    match missing {
        Missing::FenceAfterLook { seen, before_barrier, word } => {
            values.set("word", of_word(*word));
            values.set("look", line_or_0(seen.as_ref()));
            values.set("before_barrier", *before_barrier);
        }
        Missing::FenceBeforeFlag { first, set, look, acquired: _, word } => {
            values.set("word", of_word(*word));
            values.set("first", first.line);
            values.set("set", set.line);
            values.set("look", line_or_0(look.as_ref()));
            values
                .set("look_is_set", look.as_ref().is_some_and(|look| (&look.file, look.line) == (&set.file, set.line)));
            // A lock is given back after its critical section: there the flag may be set above the access.
            values.set("is_above", first.line < set.line);
        }
        Missing::BarrierBeforeFlag { first, fence, set, look } => {
            values.set("first", first.line);
            values.set("fence", fence.line);
            values.set("set", set.line);
            values.set("look", look.line);
        }
        Missing::BarrierAfterLook { look, second, one_warp } => {
            values.set("look", look.line);
            values.set("second", second.line);
            values.set("one_warp", *one_warp);
        }
        Missing::EndedBeforeBarrier { end, barrier } | Missing::LaneEnded { barrier, end } => {
            values.set("end", end.at.line);
            values.set("by_branch", end.by_branch);
            values.set("barrier", barrier.line);
        }
        Missing::LaneNotInMask { barrier, met, inside, outside } => {
            values.set("barrier", barrier.line);
            values.set("met", mask(*met));
            values.set("inside", *inside);
            values.set("outside", *outside);
        }
        Missing::OnlyShuffled { at, function } => {
            values.set("at", at.line);
            values.set("function", *function);
        }
        Missing::PlainUnlock { taken, store } => {
            values.set("taken", taken.line);
            values.set("store", store.line);
        }
        Missing::Locks { first, second, one_block } => {
            let name = |lock: &Option<MemoryPlace>| lock.as_ref().map_or(String::new(), |lock| place::of(lock, reader));
            values.set(
                "held",
                match (first, second) {
                    (Some(_), Some(_)) => "both",
                    (Some(_), None) => "first",
                    (None, Some(_)) => "second",
                    (None, None) => "none",
                },
            );
            values.set("first", name(first));
            values.set("second", name(second));
            values.set("one_block", *one_block);
        }
        Missing::ReleasedEarly { release, access, first } => {
            values.set("release", release.line);
            values.set("access", if *first { "(1)" } else { "(2)" });
            values.set("line", access.line);
        }
        Missing::NextRound { above, below, barrier, turn, at_end } => {
            values.set("at_end", *at_end);
            values.set("above", above.line);
            values.set("below", below.line);
            values.set("barrier", line_or_0(barrier.as_ref()));
            values.set(
                "turn",
                match turn {
                    Turn::Round => "iteration",
                    Turn::Call => "call",
                },
            );
        }
        Missing::SamePhase { above, below, barrier } => {
            values.set("above", above.line);
            values.set("below", below.line);
            values.set("barrier", barrier.line);
        }
        Missing::WrongMeans { at, means } => {
            values.set("at", at.line);
            values.set(
                "means",
                match means {
                    Means::Fence => "fence",
                    Means::WarpBarrier => "warp-barrier",
                    Means::BlockBarrier => "block-barrier",
                },
            );
        }
        Missing::SamePlace { made, atomic } => {
            values.set("made", line_or_0(made.as_ref()));
            values.set("atomic", line_or_0(atomic.as_ref()));
        }
        Missing::Overlap { bytes: [first, second], strong } => {
            values.set("is_strong", *strong);
            for (name, byte) in
                ["first", "first_last", "second", "second_last"].into_iter().zip([*first, *second].concat())
            {
                values.set(name, byte);
            }
        }
        Missing::OwnUpdate { at, certain } => {
            values.set("at", at.line);
            values.set("certain", *certain);
        }
    }
}

/// Adds what does not reach the other block, as far as it is known, and what has device scope in its place.
fn too_narrow(values: &mut MessageValues, narrow: &Narrow, reader: &Reader) {
    let mut parts: Vec<&NarrowPart> = narrow.parts.iter().collect();
    parts.sort_by_key(|part| part.at.as_ref().map(|at| (&at.file, at.line)));
    let named: Option<Vec<String>> = parts.iter().map(|part| name(part, reader)).collect();
    // Two instructions may be one line of the source.
    let named = once_each(named.unwrap_or_default());
    let wide = once_each(narrow.parts.iter().filter_map(|part| wider(part, reader)).collect());
    values.set("is_arrival", narrow.parts.iter().any(|part| part.what == Synchroniser::Arrival));
    values.set("count", named.len());
    values.set("which", phrase::listed(&named, reader));
    values.set("has_wide", !wide.is_empty());
    values.set("wide", wide.join(", "));
}

fn name(part: &NarrowPart, reader: &Reader) -> Option<String> {
    let what = match part.what {
        Synchroniser::Fence => "fence",
        Synchroniser::Atomic { .. } => "atomic",
        Synchroniser::Load => "load",
        Synchroniser::Store => "store",
        Synchroniser::Arrival => "arrival",
    };
    Some(say!(reader, "narrow-part", what, line = part.at.as_ref()?.line))
}

/// As CUDA calls both.
fn wider(part: &NarrowPart, reader: &Reader) -> Option<String> {
    let (wide, narrow) = match part.what {
        Synchroniser::Fence | Synchroniser::Atomic { .. } if part.of_object => {
            ("cuda::thread_scope_device".to_string(), "cuda::thread_scope_block".to_string())
        }
        Synchroniser::Fence => ("__threadfence()".to_string(), "__threadfence_block()".to_string()),
        // A subtraction is the addition of less than 0.
        Synchroniser::Atomic { operation: AtomicOperation::Add } => return Some(say!(reader, "wider-add")),
        Synchroniser::Atomic { operation } => {
            let name = operation.cuda_name();
            (format!("{name}()"), format!("{name}_block()"))
        }
        Synchroniser::Arrival => (".cluster".to_string(), ".cta".to_string()),
        Synchroniser::Load | Synchroniser::Store => return None,
    };
    Some(say!(reader, "wider", wide, narrow))
}

fn once_each(all: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for text in all {
        if !kept.contains(&text) {
            kept.push(text);
        }
    }
    kept
}
