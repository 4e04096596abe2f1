//! The naive enumerator: all values that reads might get, all orders of fences and writes, filtered by the axioms.
//!
//! It shares no code with the explorer: relations are tables of truth values, and each axiom is written down anew.

use crate::model::{Atomic, Does, Instr, Model, Value, location};
use explore::{CoherenceOrder, EventId, Location};
use finding::Scope;
use machine::exec::memory::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// An execution in a form that can be compared: where reads read from, and the coherence order.
pub type Shape = (BTreeMap<EventId, Option<EventId>>, CoherenceOrder);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Load,
    Store,
    Update,
    Fence,
    Barrier(usize),
}

#[derive(Clone)]
struct Event {
    id: EventId,
    block: u64,
    kind: Kind,
    instr: Instr,
    place: Option<Location>,
    written: Option<u64>,
    returns: bool,
    source: Option<usize>,
    /// The reads that it depends on.
    needs: BTreeSet<usize>,
}

type Table = Vec<Vec<bool>>;

fn table(size: usize, holds: impl Fn(usize, usize) -> bool) -> Table {
    (0..size).map(|a| (0..size).map(|b| holds(a, b)).collect()).collect()
}

fn closed(mut all: Table) -> Table {
    for via in 0..all.len() {
        for a in 0..all.len() {
            for b in 0..all.len() {
                all[a][b] |= all[a][via] && all[via][b];
            }
        }
    }
    all
}

fn is_cyclic(all: &Table) -> bool {
    (0..all.len()).any(|event| all[event][event])
}

/// A value of a place.
type Written = BTreeSet<(Location, u64)>;

/// All executions of a model without `Await`.
pub fn executions(model: &Model) -> BTreeSet<Shape> {
    let ways = traces(model);
    // Values that threads from here on may write.
    let mut later = vec![Written::new()];
    for ways in ways.iter().rev() {
        let written = ways.iter().flatten().filter_map(written);
        let with_rest = written.chain(later[later.len() - 1].iter().copied()).collect();
        later.push(with_rest);
    }
    later.reverse();
    let mut all = BTreeSet::new();
    combine(&ways, &later, &mut Vec::new(), &mut all);
    all
}

fn written(event: &Event) -> Option<(Location, u64)> {
    Some((event.place?, event.written?))
}

/// Takes one trace of each thread, unless a read needs a value that nobody writes.
fn combine(ways: &[Vec<Vec<Event>>], later: &[Written], path: &mut Vec<Event>, all: &mut BTreeSet<Shape>) {
    let known: Written = path.iter().filter_map(written).collect();
    let is_possible = |event: &Event| match (event.place, event.source) {
        (Some(place), Some(value)) => {
            let wanted = (place, value as u64);
            value == 0 || known.contains(&wanted) || later[0].contains(&wanted)
        }
        _ => true,
    };
    if !path.iter().all(is_possible) {
        return;
    }
    let Some((ways, rest)) = ways.split_first() else {
        return assign(path, 0, &mut vec![None; path.len()], all);
    };
    for way in ways {
        let length = path.len();
        path.extend(way.iter().cloned());
        combine(rest, &later[1..], path, all);
        path.truncate(length);
    }
}

/// The events that each thread may have, by the values of its reads. A value is guessed; [`assign`] finds who wrote it.
/// The guess stands in `source`, as a value.
fn traces(model: &Model) -> Vec<Vec<Vec<Event>>> {
    // A value goes from thread to thread through instructions whose write depends on what was read.
    let depends = |instr: &&Instr| {
        matches!(
            instr.does,
            Does::Store { value: Value::Register(..), .. }
                | Does::Unless { .. }
                | Does::Update { atomic: Atomic::Add(_) | Atomic::Swap(..), .. }
        )
    };
    let rounds = 2 + model.threads.iter().flat_map(|(_, instrs)| instrs).filter(depends).count();
    let mut values = Written::new();
    let mut all = Vec::new();
    for _ in 0..rounds {
        all = (0..model.threads.len()).map(|thread| traces_of(model, thread, &values)).collect();
        let more: Written = all.iter().flatten().flatten().filter_map(written).collect();
        if more == values {
            break;
        }
        values = more;
    }
    all
}

fn traces_of(model: &Model, thread: usize, values: &Written) -> Vec<Vec<Event>> {
    let (block, instrs) = &model.threads[thread];
    let mut all = Vec::new();
    let start = Walk {
        thread,
        block: *block,
        events: Vec::new(),
        registers: Default::default(),
        control: BTreeSet::new(),
        met: 0,
    };
    walk(start, instrs, values, &mut all);
    all
}

#[derive(Clone)]
struct Walk {
    thread: usize,
    block: u64,
    events: Vec<Event>,
    registers: [(u64, BTreeSet<usize>); crate::model::REGISTERS],
    control: BTreeSet<usize>,
    met: usize,
}

/// Follows a thread, once for each value that a read may get.
fn walk(mut now: Walk, instrs: &[Instr], values: &Written, all: &mut Vec<Vec<Event>>) {
    let Some((instr, rest)) = instrs.split_first() else { return all.push(now.events) };
    let index = now.events.len();
    let mut event = Event {
        id: EventId { thread: now.thread, index },
        block: now.block,
        kind: Kind::Fence,
        instr: *instr,
        place: None,
        written: None,
        returns: false,
        source: None,
        needs: now.control.clone(),
    };
    match instr.does {
        Does::Fence => now.events.push(event),
        Does::Barrier => {
            event.kind = Kind::Barrier(now.met);
            now.met += 1;
            now.events.push(event);
        }
        Does::Unless { register, value } => {
            let (found, needs) = now.registers[register].clone();
            now.control.extend(needs);
            let skip = usize::from(found != value).min(rest.len());
            return walk(now, &rest[skip..], values, all);
        }
        Does::Store { place, value } => {
            (event.kind, event.place) = (Kind::Store, Some(location(place, now.block)));
            event.written = Some(match value {
                Value::Constant(value) => value,
                Value::Register(register, more) => {
                    event.needs.extend(&now.registers[register].1);
                    now.registers[register].0 + more
                }
            });
            now.events.push(event);
        }
        Does::Load { place, to } => {
            for value in values_of(values, location(place, now.block)) {
                let mut next = now.clone();
                let mut event = event.clone();
                (event.kind, event.place, event.returns) = (Kind::Load, Some(location(place, now.block)), true);
                event.source = Some(value as usize);
                next.events.push(event);
                next.registers[to] = (value, BTreeSet::from([index]));
                walk(next, rest, values, all);
            }
            return;
        }
        Does::Update { place, atomic, to } => {
            for value in values_of(values, location(place, now.block)) {
                let mut next = now.clone();
                let mut event = event.clone();
                (event.kind, event.place, event.returns) =
                    (Kind::Update, Some(location(place, now.block)), to.is_some());
                event.written = atomic.apply(value);
                event.source = Some(value as usize);
                event.needs.insert(index);
                next.events.push(event);
                if let Some(to) = to {
                    next.registers[to] = (value, BTreeSet::from([index]));
                }
                walk(next, rest, values, all);
            }
            return;
        }
        Does::Await { .. } => unreachable!("the naive enumerator has no loops"),
    }
    walk(now, rest, values, all);
}

fn values_of(values: &Written, place: Location) -> BTreeSet<u64> {
    let written = values.iter().filter(|(at, _)| *at == place).map(|&(_, value)| value);
    written.chain([0]).collect()
}

/// Gives each read a write of the value that it was guessed to read.
fn assign(events: &[Event], at: usize, sources: &mut Vec<Option<usize>>, all: &mut BTreeSet<Shape>) {
    let Some(event) = events.get(at) else {
        let mut events = events.to_vec();
        events.iter_mut().zip(sources).for_each(|(event, source)| event.source = *source);
        return judge(&events, all);
    };
    if !matches!(event.kind, Kind::Load | Kind::Update) {
        return assign(events, at + 1, sources, all);
    }
    let wanted = event.source.map(|value| value as u64);
    let writes = (0..events.len()).filter(|&other| {
        other != at && events[other].place == event.place && events[other].written.is_some_and(|v| Some(v) == wanted)
    });
    let initial = (wanted == Some(0)).then_some(None);
    for source in writes.map(Some).chain(initial).collect::<Vec<_>>() {
        sources[at] = source;
        assign(events, at + 1, sources, all);
    }
}

fn judge(events: &[Event], all: &mut BTreeSet<Shape>) {
    let size = events.len();
    let same = |a: usize, b: usize| events[a].id.thread == events[b].id.thread;
    let before = |a: usize, b: usize| same(a, b) && a < b;
    // No thin air: dependencies and reads-from.
    let first = |event: usize| event - events[event].id.index;
    let thin = table(size, |a, b| {
        events[b].source == Some(a) || same(a, b) && a != b && events[b].needs.contains(&(a - first(a)))
    });
    if is_cyclic(&closed(thin)) {
        return;
    }
    let is_memory = |event: usize| events[event].place.is_some();
    let overlap = |a: usize, b: usize| is_memory(a) && events[a].place == events[b].place;
    let is_strong = |event: usize| {
        !matches!(events[event].kind, Kind::Barrier(_)) && events[event].instr.ordering != Ordering::Weak
    };
    let includes = |a: usize, b: usize| {
        matches!(events[a].instr.scope, Scope::Device | Scope::System) || events[a].block == events[b].block
    };
    let strong = table(size, |a, b| {
        let each = is_strong(a) && is_strong(b) && includes(a, b) && includes(b, a);
        (same(a, b) || each) && (!is_memory(a) || !is_memory(b) || overlap(a, b))
    });
    let writes = |event: usize| events[event].written.is_some();
    let direct = table(size, |a, b| events[b].source == Some(a) && strong[a][b]);
    let mut observed = direct.clone();
    for _ in 0..size {
        let through = |a: usize, b: usize| {
            (0..size).any(|via| events[via].kind == Kind::Update && observed[a][via] && direct[via][b])
        };
        observed = table(size, |a, b| observed[a][b] || through(a, b));
    }
    let releases =
        |event: usize| matches!(events[event].instr.ordering, Ordering::Release | Ordering::AcqRel | Ordering::Sc);
    let acquires =
        |event: usize| matches!(events[event].instr.ordering, Ordering::Acquire | Ordering::AcqRel | Ordering::Sc);
    let is_fence = |event: usize| events[event].kind == Kind::Fence;
    let release = |first: usize, write: usize| {
        releases(first)
            && writes(write)
            && is_strong(write)
            && (is_fence(first) && before(first, write)
                || writes(first) && (first == write || before(first, write) && overlap(first, write)))
    };
    let acquire = |read: usize, last: usize| {
        acquires(last)
            && events[read].returns
            && is_strong(read)
            && (is_fence(last) && before(read, last)
                || events[last].returns && (read == last || before(read, last) && overlap(read, last)))
    };
    let synchronizes = table(size, |a, b| {
        strong[a][b] && (0..size).any(|w| release(a, w) && (0..size).any(|r| observed[w][r] && acquire(r, b)))
    });
    let meets = table(size, |a, b| {
        (0..size).any(|x| {
            (0..size).any(|y| {
                let together =
                    matches!((events[x].kind, events[y].kind), (Kind::Barrier(m), Kind::Barrier(n)) if m == n);
                together && events[x].block == events[y].block && !same(x, y) && before(a, x) && before(y, b)
            })
        })
    });
    let fences: Vec<usize> =
        (0..size).filter(|&event| is_fence(event) && events[event].instr.ordering == Ordering::Sc).collect();
    let places: BTreeSet<Location> = events.iter().filter_map(|event| event.place).collect();
    let reads: BTreeMap<EventId, Option<EventId>> = (0..size)
        .filter(|&event| matches!(events[event].kind, Kind::Load | Kind::Update))
        .map(|event| (events[event].id, events[event].source.map(|source| events[source].id)))
        .collect();
    for order in permutations(&fences) {
        let rank = |event: usize| order.iter().position(|&other| other == event);
        let fence_sc = closed(table(size, |a, b| rank(a).zip(rank(b)).is_some_and(|(a, b)| a < b) && strong[a][b]));
        let base = closed(table(size, |a, b| before(a, b) || synchronizes[a][b] || meets[a][b] || fence_sc[a][b]));
        let causality = table(size, |a, b| base[a][b] || (0..size).any(|via| observed[a][via] && base[via][b]));
        if is_cyclic(&base) || (0..size).any(|a| (0..size).any(|b| fence_sc[a][b] && causality[b][a])) {
            continue;
        }
        let mut product: Vec<CoherenceOrder> = vec![CoherenceOrder::new()];
        for place in &places {
            let at: Vec<usize> = (0..size).filter(|&event| events[event].place == Some(*place)).collect();
            let orders = coherence_orders(events, &at, &strong, &causality);
            product = product
                .iter()
                .flat_map(|whole| orders.iter().map(move |more| whole.union(more).copied().collect()))
                .collect();
        }
        all.extend(product.into_iter().map(|order| (reads.clone(), order)));
    }
}

/// The coherence orders of a place that meet its axioms. Each is what a total order of the writes says of the pairs
/// that are related at all.
fn coherence_orders(events: &[Event], at: &[usize], strong: &Table, causality: &Table) -> BTreeSet<CoherenceOrder> {
    let size = events.len();
    let writes: Vec<usize> = at.iter().copied().filter(|&event| events[event].written.is_some()).collect();
    let mut all = BTreeSet::new();
    for total in permutations(&writes) {
        let rank = |event: usize| total.iter().position(|&other| other == event).expect("a write");
        let related = |a: usize, b: usize| strong[a][b] || causality[a][b] || causality[b][a];
        let pairs = table(size, |a, b| {
            let both = writes.contains(&a) && writes.contains(&b) && a != b;
            both && related(a, b) && rank(a) < rank(b)
        });
        let order = closed(pairs);
        if is_valid(events, at, &order, strong, causality) {
            let pairs = writes.iter().flat_map(|&a| writes.iter().map(move |&b| (a, b)));
            all.insert(pairs.filter(|&(a, b)| order[a][b]).map(|(a, b)| (events[a].id, events[b].id)).collect());
        }
    }
    all
}

fn is_valid(events: &[Event], at: &[usize], order: &Table, strong: &Table, causality: &Table) -> bool {
    let writes = |event: usize| events[event].written.is_some();
    let reads = |event: usize| matches!(events[event].kind, Kind::Load | Kind::Update);
    let pairs = || at.iter().flat_map(|&a| at.iter().map(move |&b| (a, b)));
    let after_source = |read: usize, write: usize| match events[read].source {
        None => true,
        Some(source) => order[source][write],
    };
    let coherence = pairs().all(|(a, b)| !(writes(a) && writes(b) && causality[a][b]) || order[a][b]);
    let atomicity = pairs().all(|(update, write)| {
        let is_atomic = events[update].kind == Kind::Update && writes(update);
        !(is_atomic
            && writes(write)
            && write != update
            && events[update].source != Some(write)
            && strong[update][write]
            && after_source(update, write)
            && order[write][update])
    });
    let future = pairs().all(|(read, write)| !(events[read].source == Some(write) && causality[read][write]));
    let hidden = pairs().all(|(read, write)| {
        !(reads(read)
            && writes(write)
            && read != write
            && events[read].source != Some(write)
            && causality[write][read]
            && after_source(read, write))
    });
    let communicates = |a: usize, b: usize| {
        reads(b) && events[b].source == Some(a)
            || writes(a) && writes(b) && order[a][b]
            || reads(a) && writes(b) && a != b && events[a].source != Some(b) && after_source(a, b)
    };
    let per_location = subsets(at).into_iter().all(|set| {
        if set.iter().any(|&a| set.iter().any(|&b| !strong[a][b])) {
            return true;
        }
        let edges = table(set.len(), |a, b| {
            let (a, b) = (set[a], set[b]);
            a != b && (events[a].id.thread == events[b].id.thread && a < b || communicates(a, b))
        });
        !is_cyclic(&closed(edges))
    });
    coherence && atomicity && future && hidden && per_location
}

fn subsets(all: &[usize]) -> Vec<Vec<usize>> {
    (0..1usize << all.len())
        .map(|bits| all.iter().enumerate().filter(|(at, _)| bits >> at & 1 != 0).map(|(_, &event)| event).collect())
        .collect()
}

fn permutations(all: &[usize]) -> Vec<Vec<usize>> {
    let Some((&first, rest)) = all.split_first() else { return vec![Vec::new()] };
    let shorter = permutations(rest);
    let insert = |order: &Vec<usize>, at: usize| {
        let mut order = order.clone();
        order.insert(at, first);
        order
    };
    shorter.iter().flat_map(|order| (0..=order.len()).map(move |at| insert(order, at))).collect()
}
