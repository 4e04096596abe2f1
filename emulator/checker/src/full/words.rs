//! Parts of a finding in words: values as their type is read, why nothing orders two accesses, what would.

use super::Space;
use super::race::Race;
use super::rounds::Polled;
use half::{bf16, f16};
use machine::Type;
use machine::exec::atomic::{Atomic, Registers8};
use machine::exec::memory::{Load, Store};
use machine::memory::Region;
use machine::registers::{Reg, Registers};
use machine::run::grids::Identity;
use machine::run::launch::Launch;
use machine::watch::{Older, Touch};

/// How an access's value is found and written.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    pub ty: Type,
    /// What is stored, for stores.
    pub stored: Option<(&'a Registers, Registers8)>,
    /// What a load gets in place of the latest values.
    pub older: Option<&'a Older>,
    pub verb: &'static str,
}

impl<'a> Values<'a> {
    pub fn load(load: &Load, older: Option<&'a Older>) -> Values<'a> {
        Values { ty: load.ty, stored: None, older, verb: "loaded" }
    }

    pub fn store(store: &Store, regs: &'a Registers) -> Values<'a> {
        let mut src = [Reg::NONE; 8];
        src[..store.src.len()].copy_from_slice(&store.src);
        Values { ty: store.ty, stored: Some((regs, src)), older: None, verb: "stored" }
    }

    pub fn atomic(atomic: &Atomic, regs: &'a Registers) -> Values<'a> {
        Values { ty: atomic.ty, stored: Some((regs, atomic.src)), older: None, verb: atomic.operation.past_tense() }
    }

    /// The value that a lane brings or finds. `element` says which of a vector stands at `address`.
    pub fn of(&self, lane: usize, region: Option<&Region>, address: u64, element: usize) -> String {
        if let Some(bits) = self.older.and_then(|older| older.get(lane, element)) {
            return format!("{}, which is no longer the latest value", written(bits, self.ty));
        }
        let bits = match (&self.stored, region) {
            (Some((regs, src)), _) => regs.get(src[element], lane),
            (None, Some(region)) if self.ty.bytes() <= 8 => region.load_sized(address, self.ty.bytes()),
            _ => return String::new(),
        };
        written(bits, self.ty)
    }
}

/// A value as its type is read.
pub fn written(bits: u64, ty: Type) -> String {
    match ty {
        Type::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        Type::F64 => format!("{:?}", f64::from_bits(bits)),
        Type::F16 => format!("{:?}", f16::from_bits(bits as u16).to_f32()),
        Type::Bf16 => format!("{:?}", bf16::from_bits(bits as u16).to_f32()),
        Type::U8 | Type::B8 => (bits as u8).to_string(),
        Type::S8 => (bits as i8).to_string(),
        Type::U16 | Type::B16 => (bits as u16).to_string(),
        Type::S16 => (bits as i16).to_string(),
        // nvcc loads signed and unsigned ints alike; small negative numbers read better as such.
        Type::U32 | Type::S32 => (bits as i32).to_string(),
        Type::U64 | Type::S64 => (bits as i64).to_string(),
        // A compare-and-exchange or an exchange of anything: a lock's 0 and 1, or a float's bits.
        Type::B32 if (bits as i32).unsigned_abs() >= 1 << 16 => {
            format!("{:#x} (as a float {:?})", bits as u32, f32::from_bits(bits as u32))
        }
        Type::B32 => (bits as i32).to_string(),
        Type::B64 if (bits as i64).unsigned_abs() >= 1 << 32 => {
            format!("{bits:#x} (as a double {:?})", f64::from_bits(bits))
        }
        Type::B64 => (bits as i64).to_string(),
        _ => format!("{bits:#x}"),
    }
}

/// What mends a line that reads, changes and writes: no barrier can stand inside it. In shared memory it may be the
/// step of a tree, where each thread has its own place and reads another's.
pub const fn one_step(space: Space, in_one_warp: bool) -> &'static str {
    match (space, in_one_warp) {
        (Space::Shared, true) => {
            "if all lanes change one place, use an atomic operation; if each changes its own and reads another's in a loop, let all \
             lanes run the loop as often and come to a `__syncwarp()` at the end of each round, outside of branches; where a round \
             also changes what others read in it, load into a variable, then one more `__syncwarp()`, then store"
        }
        (Space::Shared, false) => {
            "if all threads change one place, use an atomic operation; if each changes its own and reads another's in a loop, let \
             all threads run the loop as often and come to a `__syncthreads()` at the end of each round, outside of branches; where a \
             round also changes what others read in it, load into a variable, then one more `__syncthreads()`, then store"
        }
        _ => {
            "use an atomic operation, or give each thread its own place and combine them later; a lock around this line needs a \
             `__threadfence()` after it is taken and one before it is given back"
        }
    }
}

/// Why nothing orders two accesses of blocks of different grids, and what would; `None` for blocks of one grid.
pub fn between_grids(launch: &Launch, race: &Race, first: u64, second: u64) -> Option<(String, String)> {
    let (first, second) = (launch.grid_of(first), launch.grid_of(second));
    if race.narrow.is_some() || first.first_block == second.first_block {
        return None;
    }
    let name = |grid: &Identity| format!("`{}`", launch.code.parts[grid.part as usize].name);
    if first.is_launched_by(&second) || second.is_launched_by(&first) {
        let child = if first.is_launched_by(&second) { &first } else { &second };
        return Some((
            format!(
                "{} was launched by the other's grid and runs at any time after that: it sees what its launching thread \
                 knew then, and nothing orders it with the rest of that grid",
                name(child)
            ),
            "write before the launch what a child needs, in the thread that launches or before a `__syncthreads()` that it \
             passes; read what a child has written in a grid that is launched with `cudaStreamTailLaunch`"
                .into(),
        ));
    }
    Some((
        format!("{} and {} are grids that no stream orders", name(&first), name(&second)),
        "launch both into one stream, or the later one with `cudaStreamTailLaunch`; each block has a NULL stream of its own"
            .into(),
    ))
}

/// What two accesses have in common in the source.
#[derive(Clone, Copy)]
pub struct OneLine {
    /// They are one access.
    pub one_access: bool,
    pub one_line: bool,
    /// One of them waits for what the other sets.
    pub polls: Option<Polled>,
    /// One is a load and the other a compare-and-swap, whose own look counts as a rule.
    pub compares: bool,
    /// What the plain one is, where the other is not.
    pub plain: Plain,
}

/// What a plain access is in the source.
#[derive(Clone, Copy)]
pub enum Plain {
    Load,
    Store,
    /// Half of a line that loads and stores one place.
    Update,
}

impl Plain {
    /// The same as an atomic operation.
    fn atomically(self) -> &'static str {
        match self {
            Plain::Load => "`atomicAdd(p, 0)` is an atomic load",
            Plain::Store => "`atomicExch(p, v)` is an atomic store",
            Plain::Update => "one atomic operation for all that its line does, such as `atomicAdd(p, v)` for `*p += v`",
        }
    }
}

/// Where one warp's lanes race others may use the place too.
pub const ONE_WARP: &str = "put a `__syncwarp()` that both lanes reach between the two lines; a `__syncthreads()` if threads of other \
                        warps use the place too";

const ONE_BLOCK: &str = "put a `__syncthreads()` that all threads of the block reach between the two lines";

const FLAG: &str = "a flag that others wait for is atomic or volatile on both sides";

const BY_ATOMICS: &str = "`atomicExch(p, 1)` stores, `atomicAdd(p, 0)` loads";

const FENCES: &str = "what it announces needs a `__threadfence()` before it is set and one after it was seen";

/// What has become of the loop that waits, if one does: a loop that never ends may stand behind a single look in the source too.
fn looked_once(polled: Polled) -> String {
    match polled {
        Polled::Again => String::new(),
        Polled::Once(0) => {
            "; a loop that waits for it would look no second time: a compiler takes a plain load out of a loop".into()
        }
        Polled::Once(line) => {
            format!(
                "; if the loop in line {line} is to wait for it, it looks no second time: a compiler takes a plain load out of a loop"
            )
        }
    }
}

/// What a flag needs, `which` of its sides at that.
fn flag(polled: Polled, which: &str) -> String {
    let condition = if polled == Polled::Again { "" } else { "if a loop waits for it: " };
    format!("{condition}{FLAG}: make {which} ({BY_ATOMICS}); {FENCES}")
}

/// Why nothing orders two accesses of one launch, and what would.
pub fn reasons(race: &Race, touch: &Touch, first: (u64, u32), second: (u64, u32), one: OneLine) -> (String, String) {
    let between_blocks = first.0 != second.0;
    let in_one_warp = !between_blocks && first.1 / 32 == second.1 / 32;
    if race.first.how.scope().is_some() != race.second.how.scope().is_some() {
        return mixed(race, between_blocks, in_one_warp, one);
    }
    let why = if between_blocks {
        "they are in different blocks, and blocks are not ordered within a launch"
    } else if in_one_warp {
        "both threads are in one warp, and lanes of a warp are not ordered unless they synchronise"
    } else {
        "no barrier that both threads reach lies between the two accesses"
    };
    if let Some(polled) = one.polls {
        return (format!("{why}{}", looked_once(polled)), flag(polled, "both so"));
    }
    let help = match (one.one_access, between_blocks, in_one_warp) {
        (true, ..) => one_step(touch.space, in_one_warp),
        (_, true, _) => {
            "split the kernel in two launches. Inside one launch a block may wait only for a block that has begun: then \
             publish with an atomic flag and two `__threadfence()`, one before it is set, one after it was seen"
        }
        (_, _, true) => ONE_WARP,
        _ => ONE_BLOCK,
    };
    (why.into(), help.into())
}

/// The same where one access is atomic or volatile and the other is plain.
fn mixed(race: &Race, between_blocks: bool, in_one_warp: bool, one: OneLine) -> (String, String) {
    let (strong, plain) = if race.first.how.scope().is_some() { ("(1)", "(2)") } else { ("(2)", "(1)") };
    let why = format!("{strong} is atomic or volatile and {plain} is a plain access, and nothing orders the two");
    let order = match (between_blocks, in_one_warp) {
        (true, _) => "let a launch end between the two",
        (false, true) => ONE_WARP,
        (false, false) => ONE_BLOCK,
    };
    if let Some(polled) = one.polls {
        return (format!("{why}{}", looked_once(polled)), flag(polled, &format!("{plain} so too")));
    }
    let help = match one.one_line {
        _ if one.compares => format!(
            "if it does not matter which of them comes first, since the compare-and-swap looks again, make {plain} atomic or \
             volatile too (`atomicAdd(p, 0)` is an atomic load); or {order}"
        ),
        true if between_blocks => {
            "one atomic operation must do all that the line does: between its plain access and its atomic one others may come"
                .to_string()
        }
        true => {
            let barrier = if in_one_warp { "`__syncwarp()`" } else { "`__syncthreads()`" };
            format!(
                "if both are one place to each thread, one atomic operation must do all that the line does: between its plain \
                 access and its atomic one others may come; if each reads another's place in a loop, let all run the loop as often \
                 and, outside of branches, load into a variable, {barrier}, update, {barrier}"
            )
        }
        false => format!(
            "{order}; or, if it does not matter which of them comes first, make {plain} atomic too ({})",
            one.plain.atomically()
        ),
    };
    (why, help)
}
