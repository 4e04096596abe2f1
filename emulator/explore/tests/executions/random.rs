//! Random programs: the explorer visits what the naive enumerator finds, each execution once.

use crate::model::{Atomic, Does, Instr, Model, SHARED, Value};
use crate::{explored, naive};
use finding::Scope;
use machine::exec::memory::Ordering;
use machine::schedule::split_mix;
use std::ops::Range;
use std::sync::atomic::AtomicU64;

/// Programs that a run draws, and those of a nightly one.
const SAMPLE: u64 = 400;
const PROGRAMS: u64 = 10_000;
/// Events of a program at most.
const EVENTS: usize = 10;

struct Coin(u64);

impl Coin {
    fn below(&mut self, end: usize) -> usize {
        (split_mix(&mut self.0) % end as u64) as usize
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// A program of 2 to 4 threads in up to three blocks, in global and shared memory: anything, or something in which a
/// little matters.
pub fn draw(seed: u64) -> Model {
    let mut coin = Coin(seed);
    let mut model = match seed % 4 {
        0 => draw_anything(&mut coin),
        1 if seed % 8 == 1 => draw_meeting(&mut coin),
        1 => draw_dependent(&mut coin),
        _ => draw_message(&mut coin),
    };
    if coin.below(3) == 0 {
        share(&mut model, coin.one_of(&[&[0], &[1], &[0, 1], &[2]]));
    }
    model
}

/// Moves places to shared memory, where each block has its own.
fn share(model: &mut Model, places: &[u64]) {
    for instr in model.threads.iter_mut().flat_map(|(_, instrs)| instrs) {
        if let Does::Load { place, .. } | Does::Store { place, .. } | Does::Update { place, .. } = &mut instr.does
            && places.contains(place)
        {
            *place += SHARED;
        }
    }
}

/// Strong accesses of one place.
fn draw_meeting(coin: &mut Coin) -> Model {
    let blocks = coin.one_of(&[1, 2]);
    let thread = |thread: u64, coin: &mut Coin| {
        let instr = |coin: &mut Coin| Instr {
            does: match coin.below(4) {
                0 => Does::Load { place: 0, to: 0 },
                1 => Does::Store { place: 0, value: Value::Constant(1 + coin.below(2) as u64) },
                2 => Does::Update { place: 0, atomic: Atomic::Swap(0, 1), to: Some(1) },
                _ => Does::Update { place: 0, atomic: Atomic::Exchange(2), to: Some(0) },
            },
            ordering: Ordering::Relaxed,
            scope: coin.one_of(&[Scope::Block, Scope::Device, Scope::Device]),
        };
        (thread % blocks, (0..2 + coin.below(2)).map(|_| instr(coin)).collect())
    };
    Model { threads: (0..2).map(|number| thread(number, coin)).collect() }
}

/// Two threads that each read what the other writes, one of them if it has read a certain value.
fn draw_dependent(coin: &mut Coin) -> Model {
    let instr = |does: Does| Instr { does, ordering: Ordering::Relaxed, scope: Scope::Device };
    let load = |place: u64| instr(Does::Load { place, to: 0 });
    let store = |place: u64, value: u64| instr(Does::Store { place, value: Value::Constant(value) });
    let mut first = vec![load(0), instr(Does::Unless { register: 0, value: coin.below(2) as u64 }), store(1, 1)];
    let mut second = vec![load(1), store(0, 1)];
    if coin.below(2) == 0 {
        second.swap(0, 1);
    }
    if coin.below(2) == 0 {
        first.push(store(0, 2));
    }
    Model { threads: vec![(0, first), (1, second)] }
}

/// Data behind a flag, which a third thread may update in between. Each part may be too weak or too narrow.
fn draw_message(coin: &mut Coin) -> Model {
    use Ordering::*;
    let blocks = coin.one_of(&[1, 2, 3]);
    let scope = |coin: &mut Coin| coin.one_of(&[Scope::Block, Scope::Device, Scope::Device, Scope::Device]);
    let instr = |does: Does, orderings: &[Ordering], coin: &mut Coin| Instr {
        does,
        ordering: coin.one_of(orderings),
        scope: scope(coin),
    };
    let fence = [Acquire, Release, AcqRel, AcqRel, Sc, Sc];
    let mut writer = vec![instr(Does::Store { place: 0, value: Value::Constant(1) }, &[Weak, Relaxed], coin)];
    if coin.below(2) == 0 {
        writer.push(instr(Does::Fence, &fence, coin));
    }
    writer.push(match coin.below(3) {
        0 => instr(Does::Update { place: 1, atomic: Atomic::Add(1), to: None }, &[Relaxed, Release], coin),
        _ => instr(Does::Store { place: 1, value: Value::Constant(1) }, &[Weak, Relaxed, Release], coin),
    });
    let middle = match coin.below(3) {
        0 => Vec::new(),
        1 => vec![instr(Does::Update { place: 1, atomic: Atomic::Add(1), to: Some(0) }, &[Relaxed, AcqRel], coin)],
        _ => vec![instr(Does::Update { place: 1, atomic: Atomic::Add(1), to: None }, &[Relaxed], coin)],
    };
    let mut reader = vec![match coin.below(3) {
        0 => {
            let to = (coin.below(2) == 0).then_some(0);
            let orderings: &[Ordering] = if to.is_some() { &[Relaxed, Acquire] } else { &[Relaxed] };
            instr(Does::Update { place: 1, atomic: Atomic::Add(1), to }, orderings, coin)
        }
        _ => instr(Does::Load { place: 1, to: 0 }, &[Weak, Relaxed, Acquire], coin),
    }];
    if coin.below(2) == 0 {
        reader.push(instr(Does::Fence, &fence, coin));
    }
    reader.push(instr(Does::Load { place: 0, to: 1 }, &[Weak, Relaxed], coin));
    if coin.below(4) == 0 {
        // Store buffering: each writes and then reads what the other has written.
        writer.push(instr(Does::Fence, &fence, coin));
        writer.push(instr(Does::Load { place: 2, to: 1 }, &[Relaxed], coin));
        reader.insert(0, instr(Does::Store { place: 2, value: Value::Constant(1) }, &[Relaxed], coin));
    }
    let threads = [writer, middle, reader].into_iter().filter(|thread| !thread.is_empty()).enumerate();
    Model { threads: threads.map(|(number, thread)| (number as u64 % blocks, thread)).collect() }
}

fn draw_anything(coin: &mut Coin) -> Model {
    let threads = 2 + coin.below(3);
    let blocks = coin.one_of(&[1, 2, 2]);
    let places = coin.one_of(&[1, 2, 2, 3]);
    let barriers = coin.below(5) == 0;
    let mut left = 4 + coin.below(EVENTS - 3);
    let mut model = Model::default();
    for thread in 0..threads {
        let share = if thread + 1 == threads { left.min(4) } else { (1 + coin.below(4)).min(left) };
        left -= share;
        let mut instrs: Vec<Instr> = (0..share).map(|_| draw_instr(coin, places)).collect();
        // The naive enumerator does not know that a thread waits for those that may leave a barrier out.
        if barriers {
            instrs.retain(|instr| !matches!(instr.does, Does::Unless { .. }));
        }
        if barriers && instrs.len() > 1 {
            let middle = instrs.len() / 2;
            instrs[middle].does = Does::Barrier;
        }
        model.threads.push(((thread % blocks) as u64, instrs));
    }
    model
}

fn draw_instr(coin: &mut Coin, places: usize) -> Instr {
    use Ordering::*;
    let place = coin.below(places) as u64;
    let register = coin.below(2);
    let weak = coin.below(4) == 0;
    let (does, orderings): (_, &[Ordering]) = match coin.below(10) {
        0..=2 => (Does::Load { place, to: register }, if weak { &[Weak] } else { &[Relaxed, Relaxed, Acquire] }),
        3..=5 => {
            let value = match coin.below(3) {
                0 => Value::Register(register, 1),
                _ => Value::Constant(1 + coin.below(2) as u64),
            };
            (Does::Store { place, value }, if weak { &[Weak] } else { &[Relaxed, Relaxed, Release] })
        }
        6 => {
            let atomic = coin.one_of(&[Atomic::Add(1), Atomic::Exchange(2), Atomic::Swap(0, 1), Atomic::Swap(1, 2)]);
            let to = (coin.below(3) != 0).then_some(register);
            (
                Does::Update { place, atomic, to },
                if to.is_some() { &[Relaxed, Acquire, Release, AcqRel] } else { &[Relaxed, Release] },
            )
        }
        7 | 8 => (Does::Fence, &[Acquire, Release, AcqRel, AcqRel, Sc, Sc]),
        _ => (Does::Unless { register, value: coin.below(2) as u64 }, &[Weak]),
    };
    Instr { does, ordering: coin.one_of(orderings), scope: coin.one_of(&[Scope::Block, Scope::Device, Scope::Device]) }
}

fn listing(model: &Model) -> String {
    let mut all = String::new();
    for (thread, (block, instrs)) in model.threads.iter().enumerate() {
        all += &format!("thread {thread} of block {block}\n");
        for Instr { does, ordering, scope } in instrs {
            all += &format!("    {does:?} {ordering:?} {scope:?}\n");
        }
    }
    all
}

/// The sums of a worker's comparisons.
#[derive(Default)]
struct Tally {
    executions: u64,
    dead_ends: u64,
}

fn compare(seed: u64, tally: &mut Tally) {
    compare_model(seed, &draw(seed), tally);
}

fn compare_model(seed: u64, model: &Model, tally: &mut Tally) {
    let (found, summary) = explored(model);
    let listing = listing(model);
    assert!(found.twice.is_none(), "seed {seed}: visited twice: {:?}\n{listing}", found.twice);
    assert!(summary.is_complete, "seed {seed}: {summary:?}");
    let wanted = naive::executions(model);
    let missed = wanted.difference(&found.shapes).next();
    let extra = found.shapes.difference(&wanted).next();
    assert!(missed.is_none() && extra.is_none(), "seed {seed}: missed {missed:?}, extra {extra:?}\n{listing}");
    tally.executions += summary.executions;
    tally.dead_ends += summary.dead_ends;
}

/// The first store of a thread is no sign that it has no other: the second one waits for what a third thread writes.
#[test]
fn a_second_store_that_depends_on_a_read_is_read_too() {
    let instr = |does: Does| Instr { does, ordering: Ordering::Relaxed, scope: Scope::Device };
    let store = |place: u64, value: u64| instr(Does::Store { place, value: Value::Constant(value) });
    let load = |place: u64| instr(Does::Load { place, to: 0 });
    let writer = vec![store(0, 1), load(1), instr(Does::Unless { register: 0, value: 1 }), store(0, 2)];
    let model = Model { threads: vec![(0, vec![load(0)]), (1, writer), (2, vec![store(1, 1)])] };
    let mut tally = Tally::default();
    compare_model(0, &model, &mut tally);
    assert_eq!(tally.executions, 5);
}

/// The seeds of a run. `EXECUTION_PROGRAMS=5000..9000` asks for others.
fn seeds() -> Range<u64> {
    let Ok(wanted) = std::env::var("EXECUTION_PROGRAMS") else { return 0..skipped::share(SAMPLE, PROGRAMS) };
    let range = wanted.split_once("..").and_then(|(first, end)| Some(first.parse().ok()?..end.parse().ok()?));
    range.unwrap_or_else(|| panic!("EXECUTION_PROGRAMS={wanted} is no range"))
}

#[test]
fn every_execution_is_visited_once_and_no_other() {
    let seeds = seeds();
    let next = AtomicU64::new(seeds.start);
    let work = || {
        let mut tally = Tally::default();
        loop {
            let seed = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if seed >= seeds.end {
                return tally;
            }
            compare(seed, &mut tally);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("the programs agree")).collect()
    });
    let sum = |of: fn(&Tally) -> u64| tallies.iter().map(of).sum::<u64>();
    println!("{seeds:?}: {} executions, {} dead ends", sum(|tally| tally.executions), sum(|tally| tally.dead_ends));
}
