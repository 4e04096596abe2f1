//! Programs made of patterns: what kernels do to hand data from thread to thread, with a step left out or narrowed now
//! and then. Single events drawn at random hardly ever make one.
//!
//! - Message: data, a flag that is published | the flag is noticed, data.
//! - Handed on: a thread between notices the flag and publishes another one, or the same again.
//! - Counted: several threads write data and update one word, another looks at that and uses the data of two.
//! - Barriers: who writes the data is not who sets the flag, and who sees the flag is not who uses the data.
//! - Buffers: each thread writes a place and reads the next one's, with `fence.sc` between.
//! - Observers: two threads write a place each, two others read both, in opposite orders.
//!
//! To publish is to fence and write, or to write with `.release`; to notice is to read and fence, or to read with
//! `.acquire`.

use crate::program::{Coin, Does, Event, Program, Semantics, Stand, Taste, stands};

/// Places of the data and of the flag; a third is one or the other.
const DATA: usize = 0;
const FLAG: usize = 1;
const MORE: usize = 2;

struct Weaver<'a> {
    program: Program,
    coin: &'a mut Coin,
    /// The number of scopes in eight that are the block's.
    narrow: usize,
    /// The number of fences in eight that are left out, or may be of the wrong half.
    left_out: usize,
}

impl Program {
    pub fn weave(coin: &mut Coin) -> Program {
        let shape = coin.below(8);
        let threads = [2, 2, 3, 3, 4, coin.one_of(&[2, 2, 3]), 4, coin.one_of(&[3, 4])][shape];
        let stands = if shape == 4 { pairs(coin) } else { stands(threads, coin) };
        let shared = stands.iter().all(|stand| stand.block == stands[0].block) && coin.one_in(3);
        let program = Program { events: Vec::new(), stands, shared };
        let (narrow, left_out) = (coin.one_of(&[0, 0, 1, 2]), coin.one_of(&[0, 0, 1, 2]));
        let mut weaver = Weaver { program, coin, narrow, left_out };
        match shape {
            0 | 1 => weaver.message(),
            2 | 3 => weaver.handed_on(),
            4 => weaver.barriers(),
            5 => weaver.buffers(threads),
            6 => weaver.observers(),
            _ => weaver.counted(threads),
        }
        weaver.program.events.sort_by_key(|event| event.thread);
        if weaver.coin.one_in(3) {
            weaver.add_something();
        }
        weaver.program.even_barriers();
        weaver.program
    }
}

/// Two pairs of threads: in one block or two, each pair in a warp or in two.
fn pairs(coin: &mut Coin) -> Vec<Stand> {
    let (blocks, warps) = (coin.one_of(&[1, 2, 2]), coin.below(2) as u32);
    let stand = |at: u32| match (blocks, warps) {
        (1, 0) => (0, at % 2 + 32 * (at / 2)),
        (1, _) => (0, 32 * at),
        (_, warps) => (at / 2, at % 2 * (1 + 31 * warps)),
    };
    (0..4).map(stand).map(|(block, thread)| Stand { block, thread }).collect()
}

impl Weaver<'_> {
    fn message(&mut self) {
        let two = self.coin.one_in(2);
        self.writes(0, two);
        self.publishes(0, FLAG);
        self.notices(1, FLAG);
        self.uses(1, two);
    }

    fn handed_on(&mut self) {
        let next = self.coin.one_of(&[FLAG, MORE]);
        self.writes(0, false);
        self.publishes(0, FLAG);
        self.notices(1, FLAG);
        self.publishes(1, next);
        self.notices(2, next);
        self.uses(2, false);
    }

    fn barriers(&mut self) {
        let stands = &self.program.stands;
        let one_warp = stands[0].thread / 32 == stands[1].thread / 32;
        let does = if one_warp && self.coin.one_in(2) { Does::WarpBarrier } else { Does::Barrier };
        let (fences_first, fences_last) = (self.coin.one_in(2), self.coin.one_in(2));
        let two = self.coin.one_in(2);
        self.writes(0, two);
        if fences_first {
            self.fence(0, &[Semantics::Sc, Semantics::Sc, Semantics::AcqRel]);
        }
        (0..2).for_each(|thread| self.add(thread, does, Semantics::AcqRel, 0));
        if fences_first {
            self.write(1, FLAG, false);
            self.read(2, FLAG, false);
        } else {
            self.publishes(1, FLAG);
            self.notices(2, FLAG);
        }
        (2..4).for_each(|thread| self.add(thread, does, Semantics::AcqRel, 0));
        if fences_last || fences_first {
            self.fence(3, &[Semantics::Sc, Semantics::Sc, Semantics::AcqRel]);
        }
        self.uses(3, two);
    }

    fn buffers(&mut self, threads: usize) {
        for thread in 0..threads {
            self.write(thread, thread, false);
            self.fence(thread, &[Semantics::Sc]);
            self.read(thread, (thread + 1) % threads, false);
        }
    }

    fn observers(&mut self) {
        self.write(0, FLAG, false);
        self.write(1, MORE, false);
        for (thread, [first, second]) in [(2, [FLAG, MORE]), (3, [MORE, FLAG])] {
            self.read(thread, first, false);
            self.fence(thread, &[Semantics::Sc, Semantics::Sc, Semantics::AcqRel]);
            self.read(thread, second, false);
        }
    }

    fn counted(&mut self, threads: usize) {
        for thread in 1..threads {
            let (value, _) = self.program.next_value();
            self.data(thread, Does::Store(value), [DATA, MORE][thread % 2]);
            self.publishes_by(thread, FLAG, Weaver::update);
        }
        self.notices(0, FLAG);
        self.uses(0, true);
    }

    fn add(&mut self, thread: usize, does: Does, semantics: Semantics, place: usize) {
        let wide = semantics == Semantics::Volatile || self.coin.below(8) >= self.narrow;
        self.program.events.push(Event { thread, does, semantics, wide, place });
    }

    fn fence(&mut self, thread: usize, all: &[Semantics]) {
        let slips = self.coin.below(8) < self.left_out;
        if slips && self.coin.one_in(2) {
            return;
        }
        let half = [Semantics::Acquire, Semantics::Release];
        let semantics = self.coin.one_of(if slips { &half } else { all });
        self.add(thread, Does::Fence, semantics, 0);
    }

    /// Data, in one place or two.
    fn writes(&mut self, thread: usize, two: bool) {
        for place in [DATA, MORE].into_iter().take(1 + usize::from(two)) {
            let (value, _) = self.program.next_value();
            if self.coin.one_in(5) {
                self.add(thread, Does::Exchange(value), Semantics::Relaxed, place);
            } else {
                self.data(thread, Does::Store(value), place);
            }
        }
    }

    fn uses(&mut self, thread: usize, two: bool) {
        for place in [DATA, MORE].into_iter().take(1 + usize::from(two)) {
            let (value, _) = self.program.next_value();
            let does = self.coin.one_of(&[Does::Load, Does::Load, Does::Store(value), Does::Look]);
            self.data(thread, does, place);
        }
    }

    fn data(&mut self, thread: usize, does: Does, place: usize) {
        let semantics = self.coin.one_of(&[Semantics::Weak, Semantics::Weak, Semantics::Weak, Semantics::Relaxed]);
        self.add(thread, does, if does == Does::Look { Semantics::Relaxed } else { semantics }, place);
    }

    fn publishes(&mut self, thread: usize, place: usize) {
        self.publishes_by(thread, place, Weaver::write);
        // A released value goes out with a later write of the place, too.
        if self.coin.one_in(5) {
            self.write(thread, place, false);
        }
    }

    fn publishes_by(&mut self, thread: usize, place: usize, write: fn(&mut Self, usize, usize, bool)) {
        let releases = self.coin.one_in(2);
        // One fence may be wide and the next, or the release, narrow.
        for _ in 0..usize::from(!releases) + usize::from(self.coin.one_in(4)) {
            self.fence(thread, &[Semantics::Sc, Semantics::AcqRel, Semantics::Release]);
        }
        write(self, thread, place, releases);
    }

    fn notices(&mut self, thread: usize, place: usize) {
        let acquires = self.coin.one_in(2);
        for _ in 0..usize::from(!acquires) + usize::from(self.coin.one_in(5)) {
            self.read(thread, place, false);
        }
        if acquires {
            self.read(thread, place, true);
        }
        // Behind a narrow read there may be a wide fence.
        if !acquires || self.coin.one_in(4) {
            self.fence(thread, &[Semantics::Sc, Semantics::AcqRel, Semantics::Acquire]);
        }
    }

    fn write(&mut self, thread: usize, place: usize, releases: bool) {
        if self.coin.one_in(2) {
            return self.update(thread, place, releases);
        }
        let (value, _) = self.program.next_value();
        let relaxed = self.coin.one_of(&[Semantics::Relaxed, Semantics::Volatile]);
        self.add(thread, Does::Store(value), if releases { Semantics::Release } else { relaxed }, place);
    }

    fn update(&mut self, thread: usize, place: usize, releases: bool) {
        let (value, bit) = self.program.next_value();
        let expected = self.program.values(place).next().unwrap_or(0);
        let updates = [Does::Exchange(value), Does::Swap(expected, value), Does::Add(bit), Does::Reduce(bit)];
        let does = self.coin.one_of(&updates);
        let semantics = match does {
            _ if !releases => Semantics::Relaxed,
            Does::Reduce(_) => Semantics::Release,
            _ => self.coin.one_of(&[Semantics::Release, Semantics::AcqRel]),
        };
        self.add(thread, does, semantics, place);
    }

    fn read(&mut self, thread: usize, place: usize, acquires: bool) {
        let (value, bit) = self.program.next_value();
        let expected = self.program.values(place).next().unwrap_or(0);
        // A reduction looks like a read that is noticed, and is none.
        let updates = [Does::Exchange(value), Does::Swap(expected, value), Does::Add(bit), Does::Reduce(bit)];
        let does = match self.coin.below(6) {
            0 => Does::Look,
            1 | 2 => self.coin.one_of(&updates),
            _ => Does::Load,
        };
        let semantics = match does {
            Does::Reduce(_) => Semantics::Relaxed,
            Does::Load if acquires => Semantics::Acquire,
            Does::Load => self.coin.one_of(&[Semantics::Relaxed, Semantics::Volatile]),
            _ if acquires => self.coin.one_of(&[Semantics::Acquire, Semantics::AcqRel]),
            _ => Semantics::Relaxed,
        };
        self.add(thread, does, semantics, place);
    }

    /// An event that belongs to no pattern, somewhere.
    fn add_something(&mut self) {
        let at = self.coin.below(self.program.events.len());
        let thread = self.program.events[at].thread;
        let taste = Taste { places: 3, weak: 1, narrow: self.narrow, updates: 3, fences: 2, barriers: None };
        let event = self.program.event(thread, &taste, self.coin);
        self.program.events.insert(at, event);
    }
}
