//! Straight-line programs of a few threads, drawn at random.

/// The operation of an event. Values tell writes apart, but for looks: each store has a number of its own, each
/// addition a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    Load,
    Store(u32),
    /// `atom.exch`.
    Exchange(u32),
    /// `atom.cas`: what it compares with, and what it writes.
    Swap(u32, u32),
    /// `atom.add`.
    Add(u32),
    /// `red.add`: nobody sees what it has read.
    Reduce(u32),
    /// `atom.or` with 0: it writes what it has read.
    Look,
    Fence,
    /// `barrier.sync`, of the block.
    Barrier,
    /// `bar.warp.sync`, of the program's lanes in the warp.
    WarpBarrier,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semantics {
    Weak,
    Relaxed,
    /// Relaxed, of system scope.
    Volatile,
    Acquire,
    Release,
    AcqRel,
    Sc,
}

#[derive(Clone, Copy, Debug)]
pub struct Event {
    pub thread: usize,
    pub does: Does,
    pub semantics: Semantics,
    /// True if its scope is the device or wider; else it is the block.
    pub wide: bool,
    pub place: usize,
}

impl Event {
    pub fn is_memory(&self) -> bool {
        !matches!(self.does, Does::Fence | Does::Barrier | Does::WarpBarrier)
    }

    pub fn reads(&self) -> bool {
        self.is_memory() && !matches!(self.does, Does::Store(_))
    }

    /// Returns true if the value that it reads goes to a register.
    pub fn is_seen(&self) -> bool {
        self.reads() && !matches!(self.does, Does::Reduce(_))
    }

    pub fn is_update(&self) -> bool {
        self.reads() && self.does != Does::Load
    }

    pub fn is_fence_sc(&self) -> bool {
        self.does == Does::Fence && self.semantics == Semantics::Sc
    }
}

/// The place of a thread: its block, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stand {
    pub block: u32,
    pub thread: u32,
}

#[derive(Clone, Debug)]
pub struct Program {
    /// Thread by thread, in program order.
    pub events: Vec<Event>,
    pub stands: Vec<Stand>,
    pub shared: bool,
}

pub const PLACES: usize = 3;

/// Values of stores lie below, the bits of additions begin here.
const FIRST_BIT: u32 = 8;

/// Choices by a seed.
pub struct Coin(u64);

impl Coin {
    pub fn new(seed: u64) -> Coin {
        Coin(seed)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (emulator::split_mix(&mut self.0) % end as u64) as usize
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// The parameters of a program: programs in which everything comes equally often race in most runs and hide what is
/// rare.
pub struct Taste {
    pub places: usize,
    /// Weak accesses, and narrow ones, in eight.
    pub weak: usize,
    pub narrow: usize,
    /// Updates in eight accesses, and fences in eight events.
    pub updates: usize,
    pub fences: usize,
    pub barriers: Option<Does>,
}

impl Program {
    /// Every other program is made of patterns.
    pub fn draw(seed: u64) -> Program {
        let mut coin = Coin::new(seed);
        if seed % 2 == 1 {
            return Program::weave(&mut coin);
        }
        let threads = coin.one_of(&[2, 3, 3, 4]);
        let stands = stands(threads, &mut coin);
        let one_block = stands.iter().all(|stand| stand.block == stands[0].block);
        let one_warp = one_block && stands.iter().all(|stand| stand.thread < 32);
        let barriers = match coin.below(3) {
            0 if one_warp => Some(Does::WarpBarrier),
            0 | 1 => Some(Does::Barrier),
            _ => None,
        };
        let taste = Taste {
            places: 1 + coin.one_of(&[0, 1, 1, 2]),
            weak: coin.one_of(&[0, 2, 3, 5]),
            narrow: coin.one_of(&[0, 0, 1, 3]),
            updates: coin.one_of(&[0, 2, 4]),
            fences: coin.one_of(&[0, 2, 3]),
            barriers,
        };
        let shared = one_block && coin.one_in(3);
        let mut program = Program { events: Vec::new(), stands, shared };
        for thread in 0..threads {
            for _ in 0..2 + coin.below(3) {
                let event = program.event(thread, &taste, &mut coin);
                program.events.push(event);
            }
        }
        program.even_barriers();
        program
    }

    /// A small program of strong loads and stores and of fences, by threads of one block or of several. Where it goes
    /// `by_updates`, looks and exchanges take the place of some.
    pub fn draw_small(seed: u64, by_updates: bool) -> Program {
        let mut coin = Coin::new(seed);
        let threads = coin.one_of(&[2, 2, 3]);
        let taste = Taste { places: 2, weak: 0, narrow: 0, updates: 0, fences: 1, barriers: None };
        let mut program = Program { events: Vec::new(), stands: stands(threads, &mut coin), shared: false };
        for event in 0..2 * threads {
            let mut event = program.event(event / 2, &taste, &mut coin);
            if by_updates && event.is_memory() && !coin.one_in(3) {
                event.does = if let Does::Store(value) = event.does { Does::Exchange(value) } else { Does::Look };
                event.semantics = match event.semantics {
                    Semantics::Volatile => Semantics::Relaxed,
                    semantics => semantics,
                };
            }
            program.events.push(event);
        }
        program
    }

    /// Returns the value that the next event may store, and the bit that it may add.
    pub fn next_value(&self) -> (u32, u32) {
        let number = self.events.len() as u32;
        (number + 1, 1 << (FIRST_BIT + number))
    }

    pub fn event(&self, thread: usize, taste: &Taste, coin: &mut Coin) -> Event {
        let place = coin.below(taste.places);
        let wide = coin.below(8) >= taste.narrow;
        let event = |does, semantics| Event { thread, does, semantics, wide, place };
        if let Some(barrier) = taste.barriers.filter(|_| coin.one_in(8)) {
            return event(barrier, Semantics::AcqRel);
        }
        if coin.below(8) < taste.fences {
            let all = [Semantics::Sc, Semantics::Sc, Semantics::AcqRel, Semantics::Acquire, Semantics::Release];
            return event(Does::Fence, coin.one_of(&all));
        }
        let (number, bit) = self.next_value();
        if coin.below(8) < taste.updates {
            let expected = self.values(place).nth(coin.below(3)).unwrap_or(0);
            let updates = [Does::Exchange(number), Does::Swap(expected, number), Does::Add(bit), Does::Reduce(bit)];
            let does = if coin.one_in(4) { Does::Look } else { coin.one_of(&updates) };
            let reduces = [Semantics::Relaxed, Semantics::Release];
            let all = [Semantics::Relaxed, Semantics::Release, Semantics::Acquire, Semantics::AcqRel];
            return event(does, if does == Does::Reduce(bit) { coin.one_of(&reduces) } else { coin.one_of(&all) });
        }
        let loads = coin.one_in(2);
        let semantics = match coin.below(8) {
            at if at < taste.weak => Semantics::Weak,
            at if at % 4 == 0 => Semantics::Volatile,
            at if at % 2 == 0 => Semantics::Relaxed,
            _ if loads => Semantics::Acquire,
            _ => Semantics::Release,
        };
        let wide = wide || semantics == Semantics::Volatile;
        Event { wide, ..event(if loads { Does::Load } else { Does::Store(number) }, semantics) }
    }

    /// Returns the values that stores have written to a place so far, the latest first.
    pub fn values(&self, place: usize) -> impl Iterator<Item = u32> {
        let stored = move |event: &Event| match event.does {
            Does::Store(value) | Does::Exchange(value) | Does::Swap(_, value) if event.place == place => Some(value),
            _ => None,
        };
        self.events.iter().rev().filter_map(stored)
    }

    /// Adds barriers until all threads come to the same ones, if memory is shared: nobody ends before the last one.
    pub fn even_barriers(&mut self) {
        for does in [Does::Barrier, Does::WarpBarrier].into_iter().filter(|_| self.shared) {
            let count = |events: &[Event], thread| {
                events.iter().filter(|event| event.thread == thread && event.does == does).count()
            };
            let most = (0..self.stands.len()).map(|thread| count(&self.events, thread)).max().unwrap_or(0);
            for thread in 0..self.stands.len() {
                let event = Event { thread, does, semantics: Semantics::AcqRel, wide: false, place: 0 };
                let missing = most - count(&self.events, thread);
                let end = self.events.partition_point(|event| event.thread <= thread);
                self.events.splice(end..end, std::iter::repeat_n(event, missing));
            }
        }
    }

    /// Returns the number of barriers of the block that each of its threads comes to, where memory is shared.
    pub fn barriers(&self) -> usize {
        self.events.iter().filter(|event| event.thread == 0 && event.does == Does::Barrier).count()
    }

    pub fn block(&self, event: usize) -> u32 {
        self.stands[self.events[event].thread].block
    }

    /// Numbers of the registers, which are those of the events that read into them.
    pub fn seen(&self) -> impl Iterator<Item = usize> {
        (0..self.events.len()).filter(|&event| self.events[event].is_seen())
    }

    /// This program without some events, and without the threads that have none left.
    pub fn without(&self, gone: impl Fn(usize, &Event) -> bool) -> Program {
        let kept = self.events.iter().enumerate().filter(|(number, event)| !gone(*number, event));
        let mut program = Program { events: kept.map(|(_, event)| *event).collect(), ..self.clone() };
        program.even_barriers();
        program
    }
}

/// Lanes of a warp, warps of a block, blocks, and mixtures.
pub fn stands(threads: usize, coin: &mut Coin) -> Vec<Stand> {
    let shape = coin.below(6);
    let stand = |at: u32| match shape {
        0 => (at, 0),
        1 => (0, 32 * at),
        2 => (0, at),
        3 => (at / 2, at % 2 * 32),
        4 => (u32::from(at != 0), at),
        _ => (u32::from(at == 1), 32 * (at / 2) + at % 2),
    };
    (0..threads as u32).map(stand).map(|(block, thread)| Stand { block, thread }).collect()
}
