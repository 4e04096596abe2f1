//! Findings in words. One for each pair of source lines and kind; the first pair of threads
//! is shown, the rest is counted.

use super::race::Race;
use super::{Record, Space, slug_of};
use crate::exec::Op;
use crate::exec::atomic::Atomic;
use crate::exec::memory::{Load, Store};
use crate::machine::code::{Code, Instr};
use crate::machine::grid::access;
use crate::machine::launch::Launch;
use crate::memory::Region;
use crate::ptx::ast::Type;
use crate::registers::{Mask, Reg, Registers};
use crate::report::{Finding, Slug, names};
use crate::watch::full::cells::{How, Kind};
use crate::watch::{At, Touch};
use half::{bf16, f16};
use rustc_hash::FxHashMap;

/// How an access's value is found and written.
#[derive(Clone, Copy)]
pub struct Values<'a> {
    ty: Type,
    /// What is stored, for stores.
    stored: Option<(&'a Registers, [Reg; 4])>,
    verb: &'static str,
}

impl<'a> Values<'a> {
    pub fn load(load: &Load) -> Values<'static> {
        Values { ty: load.ty, stored: None, verb: "loaded" }
    }

    pub fn store(store: &Store, regs: &'a Registers) -> Values<'a> {
        Values { ty: store.ty, stored: Some((regs, store.src)), verb: "stored" }
    }

    pub fn atomic(atomic: &Atomic, regs: &'a Registers) -> Values<'a> {
        Values { ty: atomic.ty, stored: Some((regs, atomic.src)), verb: atomic.operation.past_tense() }
    }

    /// The value that a lane brings or finds.
    fn of(&self, lane: usize, region: Option<&Region>, address: u64) -> String {
        let bits = match (&self.stored, region) {
            (Some((regs, src)), _) => regs.get(src[0], lane),
            (None, Some(region)) if self.ty.bytes() <= 8 => region.load_sized(address, self.ty.bytes()),
            _ => return String::new(),
        };
        written(bits, self.ty)
    }
}

/// A value as its type is read.
fn written(bits: u64, ty: Type) -> String {
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
        Type::U32 | Type::B32 | Type::S32 => (bits as i32).to_string(),
        Type::U64 | Type::B64 | Type::S64 => (bits as i64).to_string(),
        _ => format!("{bits:#x}"),
    }
}

/// What makes two findings one: slug, both places.
pub(super) type Key = (Slug, u32, u32);

/// How far apart two racing threads are. The farthest pair shows a race best: what goes
/// wrong between blocks is not mended inside one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Distance {
    Warp,
    Block,
    Grid,
}

struct Entry {
    finding: Finding,
    distance: Distance,
}

#[derive(Default)]
pub struct Findings {
    list: Vec<Entry>,
    known: FxHashMap<Key, usize>,
}

impl Findings {
    /// Counts a finding that is known already; false if it is new, or shows more than the one kept.
    pub(super) fn count(&mut self, key: Key, benign: bool, distance: Distance) -> bool {
        let Some(&at) = self.known.get(&key) else { return false };
        let Entry { finding, distance: kept } = &mut self.list[at];
        finding.count += 1;
        // One harmful pair is worth more than many harmless ones.
        (!finding.benign, *kept) >= (!benign, distance)
    }

    pub(super) fn add(&mut self, key: Key, mut finding: Finding, distance: Distance) {
        if let Some(&at) = self.known.get(&key) {
            finding.count = self.list[at].finding.count;
            self.list[at] = Entry { finding, distance };
            return;
        }
        self.known.insert(key, self.list.len());
        self.list.push(Entry { finding, distance });
    }

    /// All of them; where threads raced, undefined values are the race's doing and not told apart from it.
    pub fn finish(mut self) -> Vec<Finding> {
        if self.has_race() {
            self.mend_lost_updates();
            self.list.retain(|entry| entry.finding.slug != Slug::UndefinedValue);
        }
        self.list.into_iter().map(|entry| entry.finding).collect()
    }

    /// Where the storing line also races with itself, every thread reads, changes and writes: no barrier between
    /// the two lines keeps their updates apart.
    fn mend_lost_updates(&mut self) {
        for (&(slug, first, second), &at) in &self.known {
            let with_itself = |place| self.known.contains_key(&(slug, place, place));
            if first != second && (with_itself(first) || with_itself(second)) {
                self.list[at].finding.help = ONE_STEP.into();
            }
        }
    }

    pub fn has_race(&self) -> bool {
        let is_race = |slug| matches!(slug, Slug::RaceShared | Slug::RaceGlobal | Slug::RaceScope);
        self.list.iter().any(|entry| is_race(entry.finding.slug) && !entry.finding.benign)
    }

    pub fn undefined(&mut self, at: &At, guilty: Mask, what: &str) {
        let place = location(at.launch, at.pc);
        let key = (Slug::UndefinedValue, place, place);
        if self.count(key, false, Distance::Warp) {
            return;
        }
        let thread = 32 * at.warp + guilty.trailing_zeros();
        let [x, y, z] = at.launch.block_index(at.block);
        let finding = Finding {
            slug: Slug::UndefinedValue,
            kernel: at.launch.kernel.into(),
            message: format!("{what} depends on a value that was never written"),
            accesses: vec![access(at.launch, at.block, thread, at.pc, "used it".into())],
            place: format!("block ({x},{y},{z})"),
            why:
                "the value comes from memory or a variable that nothing has written, or from a lane that was not there"
                    .into(),
            help: "write it before this line on every path that leads here".into(),
            count: 1,
            benign: false,
        };
        self.add(key, finding, Distance::Warp);
    }

    #[expect(clippy::too_many_arguments, reason = "two accesses, all their sides")]
    pub fn race(
        &mut self,
        launch: &Launch,
        touch: &Touch,
        values: &Values,
        race: Race,
        word: u64,
        lane: usize,
        earlier: Option<&Record>,
    ) {
        let slug = slug_of(touch.space, race.scope);
        let benign = is_benign(touch, values, &race, lane);
        let second = location(launch, race.second.how.pc());
        let first = match earlier {
            // Another kernel's lines are numbered apart from this one's.
            Some(_) => u32::MAX,
            None => location(launch, race.first.how.pc()),
        };
        // Whichever came first in this run, it is one bug.
        let key = (slug, first.min(second), first.max(second));
        let distance = distance(launch, &race);
        if !self.count(key, benign, distance) {
            self.add(key, describe(launch, touch, values, &race, word, lane, benign, earlier), distance);
        }
    }
}

fn distance(launch: &Launch, race: &Race) -> Distance {
    let ((first_block, first), (second_block, second)) =
        (whereabouts(launch, race.first.thread), whereabouts(launch, race.second.thread));
    match (first_block == second_block, first / 32 == second / 32) {
        (true, true) => Distance::Warp,
        (true, false) => Distance::Block,
        (false, _) => Distance::Grid,
    }
}

/// A number for a source place; instructions without one count by themselves.
pub(super) fn location(launch: &Launch, pc: u32) -> u32 {
    let location = launch.code.instrs[pc as usize].location;
    if location == crate::machine::code::NO_LOCATION { pc | 1 << 31 } else { location }
}

/// What an access was, by its instruction: an update that nobody looks at is kept as a store.
fn kind_of(how: How, code: Option<&Code>) -> Kind {
    match code.and_then(|code| code.instrs.get(how.pc() as usize)) {
        Some(Instr { op: Op::Atomic(_), .. }) => Kind::Atomic,
        _ => how.kind(),
    }
}

/// Two plain stores of one value to one place.
fn is_benign(touch: &Touch, values: &Values, race: &Race, lane: usize) -> bool {
    let plain_store = |how: How| how.kind() == Kind::Write && how.scope().is_none();
    if !plain_store(race.first.how) || !plain_store(race.second.how) || touch.elements != 1 {
        return false;
    }
    let (Some((regs, src)), Some(region)) = (&values.stored, touch.region) else { return false };
    let mine = regs.get(src[0], lane);
    let same_step = race.first.warp() == race.second.warp()
        && race.first.clock == race.second.clock
        && race.first.how.pc() == race.second.how.pc();
    let address = touch.addresses[lane];
    let other = race.first.lane() as usize;
    if same_step && touch.mask >> other & 1 != 0 && touch.addresses[other] == address {
        return regs.get(src[0], other) == mine;
    }
    let bytes = touch.bytes.min(8);
    let kept = if bytes == 8 { !0 } else { (1 << (8 * bytes)) - 1 };
    region.load_sized(address, bytes) == mine & kept
}

/// Block and thread of a recorded access.
fn whereabouts(launch: &Launch, thread: u32) -> (u64, u32) {
    let per_block = launch.warps_per_block() * 32;
    (u64::from(thread / per_block), thread % per_block)
}

#[expect(clippy::too_many_arguments, reason = "two accesses, all their sides")]
fn describe(
    launch: &Launch,
    touch: &Touch,
    values: &Values,
    race: &Race,
    word: u64,
    lane: usize,
    benign: bool,
    earlier: Option<&Record>,
) -> Finding {
    let (first_block, first_thread) = whereabouts(launch, race.first.thread);
    let (second_block, second_thread) = whereabouts(launch, race.second.thread);
    let address = touch.addresses[lane];
    let region = touch.region;
    let noun = |kind: Kind| match kind {
        Kind::Read => "a load",
        Kind::Write => "a store",
        Kind::Atomic => "an atomic operation",
    };
    let (a, b) = (race.first.how, race.second.how);
    let earlier_code = earlier
        .and_then(|record| record.kernel.as_ref())
        .and_then(|(program, index)| program.code(*index).as_ref().ok());
    let first_code = if earlier.is_some() { earlier_code } else { Some(launch.code) };
    let (a_kind, b_kind) = (kind_of(a, first_code), kind_of(b, Some(launch.code)));
    let what = name(launch, touch.space, address, touch.bytes);
    let both = if a_kind == b_kind && a_kind != Kind::Atomic {
        format!("two {}s", noun(a_kind).trim_start_matches("a "))
    } else {
        format!("{} and {}", noun(a_kind), noun(b_kind))
    };
    let message = format!("{both} of {what} are not ordered");

    // What the first access left or found is still in memory: the second has not happened yet.
    let found = region.filter(|_| values.ty.bytes() <= 8).map_or(String::new(), |region| {
        let size = a.size().min(8);
        if size == values.ty.bytes() {
            written(region.load_sized(address & !u64::from(size - 1), size), values.ty)
        } else {
            String::new()
        }
    });
    let same_step =
        race.first.warp() == race.second.warp() && a.pc() == b.pc() && race.first.clock == race.second.clock;
    let first_value = match (&values.stored, same_step && a.writes()) {
        (Some(_), true) => values.of(race.first.lane() as usize, region, address),
        _ => found,
    };
    let verb = |kind: Kind| match kind {
        Kind::Read => "loaded",
        Kind::Write => "stored",
        Kind::Atomic => "atomically updated",
    };
    let first_action = match a_kind {
        // An atomic's operand is gone; what it left is what counts.
        Kind::Atomic => format!("{} it to {first_value}", verb(Kind::Atomic)),
        kind => format!("{} {first_value}", verb(kind)),
    };
    let second_action = format!("{} {}", values.verb, values.of(lane, region, address));

    let [x, y, z] = launch.block_index(second_block);
    let place = match touch.space {
        Space::Shared => format!("block ({x},{y},{z}), {} bytes at shared+{word:#x}", b.size()),
        _ => format!("{} bytes of global memory, {}", b.size(), buffer(launch, address)),
    };
    let (why, help) = if earlier.is_some() {
        (
            "the two launches are in streams that nothing orders".to_string(),
            "put both in one stream, or let one wait for the other's event".to_string(),
        )
    } else {
        let one_line = location(launch, a.pc()) == location(launch, b.pc());
        reasons(race, touch, (first_block, first_thread), (second_block, second_thread), one_line)
    };
    let mut first = access(launch, first_block, first_thread, a.pc(), first_action.trim_end().to_string());
    if let Some(record) = earlier {
        let code = earlier_code;
        first.location = code.and_then(|code| code.location(a.pc()).cloned());
        first.ptx_line = code.map_or(0, |code| code.instrs.get(a.pc() as usize).map_or(0, |instr| instr.line));
        // The grid may have had another shape: the thread's place in it is not known here.
        first.thread = None;
        first.action = match record.kernel {
            Some(_) => format!("{} in `{}`, an earlier launch", first.action, record.name),
            None => record.name.clone(),
        };
    }
    let second = access(launch, second_block, second_thread, b.pc(), second_action.trim_end().to_string());
    Finding {
        slug: slug_of(touch.space, race.scope),
        kernel: launch.kernel.into(),
        message: if benign { format!("{message}, but write the same value") } else { message },
        accesses: vec![first, second],
        place,
        why,
        help,
        count: 1,
        benign,
    }
}

/// What mends a lost update.
const ONE_STEP: &str = "use an atomic operation, or give each thread its own place and combine them later";

/// Why nothing orders two accesses of one launch, and what would.
fn reasons(race: &Race, touch: &Touch, first: (u64, u32), second: (u64, u32), one_line: bool) -> (String, String) {
    if race.scope {
        return (
            "the synchronisation between them reaches its own block only, and they are in different blocks".into(),
            "widen the scope: `__threadfence()` for `__threadfence_block()`, device scope for block scope".into(),
        );
    }
    if race.first.how.scope().is_some() != race.second.how.scope().is_some() {
        let strong = if race.first.how.scope().is_some() { "(1)" } else { "(2)" };
        return (
            format!("{strong} is atomic or volatile and the other is a plain access, and nothing orders the two"),
            "make both atomic, or order them: a barrier inside a block, the end of a launch between blocks".into(),
        );
    }
    let why = if first.0 != second.0 {
        "they are in different blocks, and blocks are not ordered within a launch"
    } else if first.1 / 32 == second.1 / 32 {
        "both threads are in one warp, and lanes of a warp are not ordered unless they synchronise"
    } else {
        "no barrier that both threads reach lies between the two accesses"
    };
    let help = match (one_line, first.0 != second.0, first.1 / 32 == second.1 / 32) {
        // No barrier can stand inside a line: read, change and write must be one step.
        (true, ..) => ONE_STEP,
        (_, true, _) => "split the kernel in two launches, or publish with `__threadfence()` and an atomic flag",
        (_, _, true) if touch.space == Space::Shared => {
            "put a `__syncwarp()` that both lanes reach between the two lines"
        }
        (_, _, true) => "put a `__syncwarp()` between the two lines, or use an atomic operation",
        _ => "put a `__syncthreads()` that all threads of the block reach between the two lines",
    };
    (why.into(), help.into())
}

/// What lies at an address, as the source calls it.
fn name(launch: &Launch, space: Space, address: u64, bytes: u32) -> String {
    if let Some(name) = names::of_address(launch.code, space, address, bytes) {
        return format!("`{name}`");
    }
    let variable = launch
        .names
        .iter()
        .zip(launch.globals)
        .find(|(variable, base)| address >= **base && address - **base < variable.bytes);
    match variable {
        Some((variable, _)) if variable.bytes == u64::from(bytes) => format!("`{}`", names::plain(&variable.name)),
        Some((variable, base)) => {
            format!("`{}[{}]`", names::plain(&variable.name), (address - base) / u64::from(bytes.max(1)))
        }
        None => format!("the same {bytes} bytes"),
    }
}

/// Which buffer an address belongs to: a kernel argument points into it, if one does.
fn buffer(launch: &Launch, address: u64) -> String {
    let Some(allocation) = launch.memory.allocation(address) else { return format!("address {address:#x}") };
    let offset = address - allocation.base;
    let inside = |pointer: u64| pointer >= allocation.base && pointer - allocation.base < allocation.bytes.max(1);
    let argument =
        launch.parameters.iter().enumerate().find(|(_, parameter)| {
            parameter.bytes == 8 && inside(launch.params.load::<u64>(u64::from(parameter.offset)))
        });
    match argument {
        Some((number, _)) => {
            format!("byte {offset} of the {}-byte buffer that argument {} points to", allocation.bytes, number + 1)
        }
        None => format!("byte {offset} of an allocation of {} bytes", allocation.bytes),
    }
}
