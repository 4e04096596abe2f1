//! Random kernels of one loop and no branch: what their threads do.

use crate::scopes::scopes;
use proptest::prelude::*;

/// Bytes of the window that all accesses fall in; addresses wrap.
pub const BYTES: u32 = 256;
/// Bytes of the buffer.
pub const BUFFER: u32 = 8192;
/// The most threads of a block.
pub const MOST: u32 = 96;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Load,
    Store,
    /// `red.add`.
    Update,
    /// `atom.add` whose result is used.
    Fetch,
}

/// The way in which an access is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    pub kind: Kind,
    /// Strong, and of device scope, or of the block's.
    pub wide: Option<bool>,
    /// Bytes in all, and in how many elements.
    pub size: u32,
    pub elements: u32,
}

#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// Every `every`th thread in `from..to` of each block in `blocks` (bit by bit) accesses `size` bytes at `(base +
    /// stride * i) * size`. There `i` is its index, or its place among them if they are `packed`. The bits in `flip`
    /// are turned over, only those in `keep` are left, and each round adds `drift`.
    Access {
        way: Way,
        base: u32,
        stride: i32,
        from: u32,
        to: u32,
        every: u32,
        packed: bool,
        flip: u32,
        keep: u32,
        drift: u32,
        blocks: u32,
    },
    Barrier,
    /// A barrier of the lanes of each warp in this mask.
    WarpBarrier(u32),
    /// A barrier of a number of its own: these warps, bit by bit, arrive, and those wait.
    Some {
        arrive: u32,
        wait: u32,
    },
}

impl Step {
    /// Returns the access by these threads alone.
    fn between(mut self, limits: (u32, u32)) -> Step {
        if let Step::Access { from, to, .. } = &mut self {
            (*from, *to) = limits;
        }
        self
    }
}

/// The steps that are done once before the loop, in it, and once behind it.
pub type Parts = [Vec<Step>; 3];

/// Steps of one kind. Each is for something that the checker does in a way of its own: a kernel that mixes them all
/// races somewhere, and hides what goes wrong elsewhere.
fn parts() -> impl Strategy<Value = Parts> {
    let counter = |kind, wide| Way { kind, wide, size: 4, elements: 1 };
    // They race little, so that long kernels stay quiet.
    let counters = prop_oneof![
        6 => Just(counter(Kind::Update, Some(true))),
        1 => Just(counter(Kind::Fetch, Some(true))),
        2 => Just(counter(Kind::Load, None)),
        1 => Just(counter(Kind::Store, None)),
    ];
    let plain = || {
        let kind = prop_oneof![Just(Kind::Load), Just(Kind::Store)];
        (kind, 0u32..5).prop_map(|(kind, log)| Way {
            kind,
            wide: None,
            size: 1 << log,
            elements: 1 + u32::from(log == 4),
        })
    };
    let places = Places { few: false, rows: 1, barriers: 3, parts: 2 };
    prop_oneof![
        4 => list(plain().boxed(), Places { rows: 12, ..places }),
        2 => list(plain().boxed(), places),
        2 => list(way().boxed(), places),
        1 => list(counters.boxed(), Places { barriers: 4, ..places }),
        2 => list(way().boxed(), Places { few: true, barriers: 1, parts: 6, ..places }),
        3 => crowd(),
        3 => turns(),
        4 => own(),
        8 => rows(),
    ]
}

/// Whole warps access the same row in turn, mostly to read it, upwards or downwards, or add to its first word. Barriers
/// between two of them, and between lanes of one, order some and not others: whom a lane has not met is all that
/// counts.
fn rows() -> impl Strategy<Value = Parts> {
    let kind = prop_oneof![5 => Just(Kind::Load), 3 => Just(Kind::Store), 1 => Just(Kind::Update)];
    let lanes = prop_oneof![8 => Just((0u32, 32u32)), 1 => (0..16u32, 1..16u32)];
    let falls = prop_oneof![2 => Just(false), 1 => Just(true)];
    let access = (kind, 0..3u32, falls, lanes);
    let meets = (0..3u32, 1..3u32);
    let meets = meets.prop_map(|(arrive, next)| Step::Some { arrive: 1 << arrive, wait: 1 << ((arrive + next) % 3) });
    // The lane left out is often the last of a line.
    let lane = prop_oneof![
        3 => any::<u32>(),
        2 => (0..32u32).prop_map(|lane| !(1 << lane)),
        2 => (1..5u32).prop_map(|line| !(1 << (8 * line - 1))),
    ];
    // The accesses of a kernel are of one size and place.
    let log = prop_oneof![6 => Just(2u32), 1 => Just(3), 1 => 0..2u32];
    let base = prop_oneof![4 => Just(0u32), 1 => Just(8), 1 => 0..8u32];
    (log, base).prop_flat_map(move |(log, base)| {
        let access = access.clone().prop_map(move |(kind, warp, falls, (skip, count))| {
            let is_update = kind == Kind::Update;
            Step::Access {
                way: Way {
                    kind,
                    wide: is_update.then_some(true),
                    size: if is_update { 4 } else { 1 << log },
                    elements: 1,
                },
                base,
                stride: i32::from(!is_update),
                from: 32 * warp + skip,
                to: 32 * warp + skip + count,
                every: 1,
                packed: false,
                flip: if falls { 31 } else { 0 },
                keep: 31,
                drift: 0,
                blocks: 1,
            }
        });
        let step = prop_oneof![
            6 => access,
            4 => meets.clone(),
            2 => lane.clone().prop_map(Step::WarpBarrier),
            1 => Just(Step::Barrier)
        ];
        proptest::collection::vec(step, 3..8).prop_map(|steps| [steps, Vec::new(), Vec::new()])
    })
}

/// Each thread accesses an element of its own, again and again, or all read one: nothing races here, and all that does
/// races with another launch.
fn own() -> impl Strategy<Value = Parts> {
    let kind = prop_oneof![
        3 => Just((Kind::Load, None)),
        3 => Just((Kind::Store, None)),
        1 => any::<bool>().prop_map(|wide| (Kind::Load, Some(wide))),
        1 => any::<bool>().prop_map(|wide| (Kind::Store, Some(wide))),
        2 => any::<bool>().prop_map(|wide| (Kind::Update, Some(wide))),
    ];
    let place = prop_oneof![3 => Just(0u32), 1 => 0..8u32];
    let stride = prop_oneof![4 => Just(1i32), 2 => Just(-1), 1 => Just(0)];
    let edge = || prop_oneof![3 => Just((0, MOST)), 1 => (0..MOST, 0..MOST).prop_map(|(a, b)| (a.min(b), a.max(b)))];
    let steps = proptest::collection::vec((kind, edge(), 1..3u32), 1..4);
    let log = prop_oneof![2 => Just(2u32), 1 => 0..5u32];
    (log, place, stride, steps, 0..3usize).prop_map(|(log, base, stride, steps, before)| {
        let size = 1 << log;
        let step = |((kind, wide), (from, to), every): ((Kind, Option<bool>), _, _)| {
            // Accesses that all threads make to one place are reads, and updates are of four bytes or eight.
            let (kind, wide) = match (kind, size) {
                _ if stride == 0 => (Kind::Load, None),
                (Kind::Update, 4 | 8) => (kind, wide),
                (Kind::Update, _) | (_, 16) => (Kind::Store, None),
                _ => (kind, wide),
            };
            let way = Way { kind, wide, size, elements: 1 + u32::from(size == 16) };
            let to = u32::min(to, BYTES / size);
            Step::Access { way, base, stride, from, to, every, packed: false, flip: 0, keep: !0, drift: 0, blocks: 1 }
        };
        let mut body: Vec<Step> = steps.into_iter().map(step).collect();
        let after = body.split_off(before.min(body.len() - 1));
        [body, after, Vec::new()]
    })
}

/// Lanes of a warp update words in turn, each round at one place of the code: a word by one lane and then by its
/// neighbour. One lane is left out of what orders the others, before the loop or behind it.
fn turns() -> impl Strategy<Value = Parts> {
    let update = Way { kind: Kind::Update, wide: Some(true), size: 4, elements: 1 };
    let access = |way, base, stride, (from, to), drift| Step::Access {
        way,
        base,
        stride,
        from,
        to,
        every: 1,
        packed: false,
        flip: 0,
        keep: !0,
        drift,
        blocks: 1,
    };
    let one = || (0..32u32, way());
    let choices = (any::<[bool; 5]>(), 0..4u32);
    (one(), one(), 0..32u32, 1..4u32, 0..3u32, choices).prop_map(
        move |((first, before), (last, after), out, drift, round, ([all, known, meet, met, looks], to))| {
            // The word that the lane left out comes to in one of the rounds.
            let word = out + drift * round;
            let others = Step::WarpBarrier(!(1 << out));
            let stored = Way { kind: Kind::Store, wide: None, size: 4, elements: 1 };
            let (before, first) = match all {
                true => (stored, access(stored, 0, 1, (0, 32), 0)),
                false if known => (stored, access(stored, word, 0, (first, first + 1), 0)),
                false => (before, access(before, word, 0, (first, first + 1), 0)),
            };
            // The last lane comes to words that no other has come to before.
            let load = Way { kind: Kind::Load, wide: None, size: 4, elements: 1 };
            let look = (looks && to == 1).then_some(access(load, 0, 1, (31, 32), drift));
            let begins = (before.size == 4 && to != 0).then_some(first);
            let lasts = (after.size == 4 && to != 1).then_some(access(after, word, 0, (last, last + 1), 0));
            [
                begins.into_iter().chain((known && to != 0).then_some(others)).collect(),
                meet.then_some(Step::WarpBarrier(!0))
                    .into_iter()
                    .chain([access(update, 0, 1, (0, 32), drift)])
                    .chain(look)
                    .collect(),
                (met && to != 1).then_some(others).into_iter().chain(lasts).collect(),
            ]
        },
    )
}

/// Many make accesses of one kind, which do not race, to counters that may have been set to zero before. Then one
/// thread passes barriers with some of them, and does something else: whom it has not met is all that counts.
fn crowd() -> impl Strategy<Value = Parts> {
    let list = |kind, wide, sizes: std::ops::Range<u32>| {
        let way = sizes.prop_map(move |log| Way { kind, wide, size: 1 << log, elements: 1 });
        list(way.boxed(), Places { few: true, rows: 1, barriers: 1, parts: 1 })
    };
    let same = prop_oneof![
        4 => list(Kind::Load, None, 0..4),
        1 => list(Kind::Update, Some(true), 1..2),
        3 => list(Kind::Update, Some(true), 2..3),
        1 => list(Kind::Update, Some(true), 3..4),
        1 => list(Kind::Update, Some(false), 2..3),
        1 => list(Kind::Store, Some(true), 0..4),
    ];
    let tid = prop_oneof![Just(0u32), Just(31), 0..64u32];
    let others =
        prop_oneof![(0u32..32).prop_map(|lane| !(1 << lane)), (0u32..32).prop_map(|lane| 1 << lane), any::<u32>()];
    let barriers = proptest::collection::vec((0..6u32, others, 0..8u32), 1..3);
    // Warps make their access again, mostly at a later clock: some of their lanes have met.
    let again = (0..3u32, proptest::option::weighted(0.7, any::<u32>()));
    let again = prop_oneof![2 => Just(Vec::new()), 1 => proptest::collection::vec(again, 1..5)];
    let end = (tid, barriers, way(), 0..2u32, 1..4u32, again);
    (proptest::option::of(zeroed()), same, end).prop_map(|(zeroed, [before, mut body, _], end)| {
        let (tid, barriers, way, base, blocks, again) = end;
        if let Some(first @ Step::Access { to, .. }) = body.first().copied() {
            let access = |warp: u32| first.between((32 * warp, (32 * warp + 32).min(to)));
            let step = |(warp, met): (u32, Option<u32>)| met.map(Step::WarpBarrier).into_iter().chain([access(warp)]);
            body.extend(again.into_iter().flat_map(step));
        }
        let barrier = |(kind, lanes, warps): (u32, u32, u32)| match kind {
            0 => Step::Barrier,
            1 | 2 => Step::Some { arrive: warps & !(1 << (tid / 32)), wait: 1 << (tid / 32) },
            _ => Step::WarpBarrier(lanes | 1 << (tid % 32)),
        };
        let one = Step::Access {
            way,
            base,
            stride: 0,
            from: tid,
            to: tid + 1,
            every: 1,
            packed: false,
            flip: 0,
            keep: 0,
            drift: 0,
            blocks,
        };
        let before = zeroed.into_iter().flatten().chain(before).collect();
        [before, body, barriers.into_iter().map(barrier).chain([one]).collect()]
    })
}

/// Plain stores by one thread or by all, and a barrier of the block, of some warps or of some lanes, or none.
fn zeroed() -> impl Strategy<Value = Vec<Step>> {
    let way = prop_oneof![3 => Just(2u32), 1 => 0u32..4];
    let way = way.prop_map(|log| Way { kind: Kind::Store, wide: None, size: 1 << log, elements: 1 });
    let from = prop_oneof![2 => Just((0, 1)), 1 => Just((0, MOST)), 1 => (0..MOST).prop_map(|tid| (tid, tid + 1))];
    let barrier = prop_oneof![
        4 => Just(Some(Step::Barrier)),
        1 => (0..3u32).prop_map(|wait| Some(Step::Some { arrive: 0b111 & !(1 << wait), wait: 1 << wait })),
        1 => any::<u32>().prop_map(|lanes| Some(Step::WarpBarrier(lanes | 1))),
        2 => Just(None),
    ];
    (way, 0..2u32, 0..2i32, from, barrier).prop_map(|(way, base, stride, (from, to), barrier)| {
        let (every, packed, flip, keep, drift, blocks) = (1, false, 0, !0, 0, 0b11);
        let store = Step::Access { way, base, stride, from, to, every, packed, flip, keep, drift, blocks };
        std::iter::once(store).chain(barrier).collect()
    })
}

fn way() -> impl Strategy<Value = Way> {
    let kind = prop_oneof![
        8 => Just((Kind::Load, false)),
        8 => Just((Kind::Store, false)),
        9 => Just((Kind::Update, true)),
        4 => Just((Kind::Store, true)),
        2 => Just((Kind::Load, true)),
        1 => Just((Kind::Fetch, true)),
    ];
    let elements = prop_oneof![6 => Just(1u32), 1 => Just(2), 1 => Just(4)];
    (kind, any::<bool>(), 0u32..5, elements).prop_map(|((kind, strong), wide, log, elements)| {
        let wide = strong.then_some(wide);
        let (size, elements) = match kind {
            Kind::Load | Kind::Store if log == 4 => (16, elements.max(2)),
            Kind::Load | Kind::Store => (1 << log, elements.min(1 << log)),
            Kind::Update | Kind::Fetch if elements > 1 => (4 * elements, elements),
            Kind::Update | Kind::Fetch => (2 << (log % 3), 1),
        };
        Way { kind, wide, size, elements }
    })
}

/// Parameters that decide how often a kernel's steps meet.
#[derive(Clone, Copy)]
struct Places {
    /// All is near one word.
    few: bool,
    /// For each other one, accesses of neighbouring elements by neighbouring threads.
    rows: u32,
    /// Barriers of the block, and of some of its warps or lanes, to twelve accesses.
    barriers: u32,
    parts: u32,
}

fn list(way: BoxedStrategy<Way>, places: Places) -> impl Strategy<Value = Parts> {
    let edge = || prop_oneof![Just(0u32), Just(32), Just(64), 0..=MOST];
    let one = prop_oneof![Just(0u32), Just(31), Just(63), 0..MOST].prop_map(|tid| (tid, tid + 1));
    let range = (edge(), edge()).prop_map(|(a, b)| (a.min(b), a.max(b)));
    let range = prop_oneof![3 => range, 1 + 2 * u32::from(places.few) => one];
    let (most, keep) = if places.few {
        (2u32, prop_oneof![1 => Just(0u32), 1 => 0u32..4].boxed())
    } else {
        (16, prop_oneof![5 => Just(!0u32), 1 => 0u32..32].boxed())
    };
    let turned = (
        prop_oneof![5 => Just(0u32), 1 => 1u32..32],
        keep,
        prop_oneof![4 => Just(0u32), 1 + 2 * u32::from(places.few) => 1u32..4],
    );
    // A stride of 0 sends all to one place.
    let astray = (-2i32..3, prop_oneof![4 => Just(1u32), 1 => 2u32..4], any::<bool>(), turned);
    let astray =
        astray.prop_map(|(stride, every, packed, (flip, keep, drift))| (stride, every, packed, flip, keep, drift));
    let row = prop_oneof![3 => Just(1i32), 1 => Just(-1)].prop_map(|stride| (stride, 1, false, 0, !0, 0));
    let index = if places.few { astray.boxed() } else { prop_oneof![1 => astray, places.rows => row].boxed() };
    let blocks = prop_oneof![2 => Just(3u32), 1 => Just(1), 1 => Just(2)];
    let access = (way, 0..most, index, range, blocks);
    let access = access.prop_map(|(way, base, (stride, every, packed, flip, keep, drift), (from, to), blocks)| {
        Step::Access { way, base, stride, from, to, every, packed, flip, keep, drift, blocks }
    });
    let mask = prop_oneof![
        2 => Just(!0),
        1 => Just(0xffff),
        1 => Just(0x5555_5555u32),
        1 => any::<u32>(),
        1 => (0u32..32).prop_map(|lane| !(1 << lane)),
        2 => (0u32..32, prop_oneof![Just(0u32), Just(31), 0u32..32]).prop_map(|(a, b)| 1 << a | 1 << b),
    ];
    let some = (0u32..8, 1u32..8).prop_map(|(arrive, wait)| Step::Some { arrive: arrive & !wait, wait });
    let part = prop_oneof![2 => mask.prop_map(Step::WarpBarrier), 1 => some];
    let step = prop_oneof![12 => access, places.barriers => Just(Step::Barrier), places.parts => part];
    let steps = |least, most| proptest::collection::vec(step.clone(), least..=most);
    let part = |before: usize, body, after| {
        let steps = (steps(0, before), steps(1, body), steps(0, after));
        steps.prop_map(|(before, body, after)| [before, body, after])
    };
    // Two accesses or three show most: in a long kernel a race that is missed hides behind another one.
    prop_oneof![4 => part(0, 2, 0), 3 => part(0, 4, 0), 2 => part(1, 3, 2), 1 => part(2, 8, 4)]
}

/// A kernel and its launch.
#[derive(Clone, Debug)]
pub struct Kernel {
    pub parts: Parts,
    pub rounds: u32,
    pub shared: bool,
    /// Threads of each block, and blocks.
    pub threads: u32,
    pub blocks: u32,
    /// The start of the window.
    pub window: u32,
}

/// One access of each thread.
pub fn one_step() -> impl Strategy<Value = Kernel> {
    let steps = list(way().boxed(), Places { few: false, rows: 3, barriers: 0, parts: 0 });
    let one = steps.prop_map(|[_, mut body, _]| [Vec::new(), body.drain(..).take(1).collect(), Vec::new()]);
    launched(one.boxed())
}

/// Each thread accesses a word of its own in this way, or all threads one word.
pub fn own_word((kind, wide): (Kind, Option<bool>)) -> impl Strategy<Value = Kernel> {
    let access = (prop_oneof![4 => Just(1i32), 1 => Just(0)], 0..2u32, prop_oneof![3 => Just(64u32), 1 => 1..64u32]);
    let parts = access.prop_map(move |(stride, base, to)| {
        let way = Way { kind, wide, size: 4, elements: 1 };
        // A plain store by all of them to one word would race with itself.
        let to = if stride == 0 && kind == Kind::Store { 1 } else { to };
        let (every, packed, flip, keep, drift, blocks) = (1, false, 0, !0, 0, 1);
        let step = Step::Access { way, base, stride, from: 0, to, every, packed, flip, keep, drift, blocks };
        [vec![step], Vec::new(), Vec::new()]
    });
    parts.prop_map(|parts| Kernel { parts, rounds: 1, shared: false, threads: 64, blocks: 1, window: 0 })
}

pub fn kernel() -> impl Strategy<Value = Kernel> {
    // Blocks meet in global memory only.
    let scopes = launched(scopes().boxed()).prop_map(|kernel| Kernel { shared: false, blocks: 2, ..kernel });
    prop_oneof![8 => launched(parts().boxed()), 1 => scopes]
}

fn launched(parts: BoxedStrategy<Parts>) -> impl Strategy<Value = Kernel> {
    let threads = prop_oneof![3 => Just(64u32), 1 => Just(48), 2 => Just(MOST)];
    // The second window lies in two of the pages in which the checker keeps what it knows.
    let window = prop_oneof![2 => Just(0), 1 => Just(4096 - BYTES / 2)];
    let rounds = prop_oneof![4 => Just(1u32), 1 => Just(2), 1 => Just(3)];
    let shape = (rounds, any::<bool>(), threads, 1u32..4, window);
    (parts, shape).prop_map(|(mut parts, (rounds, shared, threads, pairs, window))| {
        let warps = (1 << threads.div_ceil(32)) - 1;
        for part in &mut parts {
            part.iter_mut().for_each(|step| step.fit(shared, warps));
            part.retain(|step| !matches!(step, Step::Some { wait: 0, .. }));
        }
        if parts[1].iter().any(|step| matches!(step, Step::Some { arrive: 1.., .. })) {
            // A warp that arrives and does not wait must not arrive again before the others have come.
            parts[1].push(Step::Barrier);
        }
        // Blocks of shared memory do not meet: more of them use what others have left.
        let blocks = if shared { 2 * pairs } else { 2 };
        Kernel { parts, rounds, shared, threads, blocks, window }
    })
}

impl Step {
    /// Takes out what such a launch cannot do.
    fn fit(&mut self, shared: bool, warps: u32) {
        match self {
            // Vectors are added to in global memory only.
            Step::Access { way, .. } if shared && matches!(way.kind, Kind::Update | Kind::Fetch) => {
                (way.size, way.elements) = (way.size / way.elements, 1);
            }
            Step::Some { arrive, wait } => (*arrive, *wait) = (*arrive & warps, *wait & warps),
            _ => {}
        }
    }
}

/// First byte of what the `index`th thread accesses, in the window.
pub fn address(base: u32, stride: i32, size: u32, index: u32) -> u32 {
    base.wrapping_add_signed(stride.wrapping_mul(index as i32)).wrapping_mul(size) % BYTES
}

impl Kernel {
    /// All that a thread does: how often it has gone round before, the step's place in the kernel, and the step.
    pub fn unrolled(&self) -> impl Iterator<Item = (u32, usize, Step)> {
        let [before, body, after] = &self.parts;
        let part = |round, first: usize, steps: &[Step]| -> Vec<_> {
            steps.iter().enumerate().map(|(at, step)| (round, first + at, *step)).collect()
        };
        let rounds = (0..self.rounds).flat_map(move |round| part(round, before.len(), body));
        let last = part(self.rounds, before.len() + body.len(), after);
        part(0, 0, before).into_iter().chain(rounds).chain(last)
    }
}
