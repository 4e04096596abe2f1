//! Findings in words. One for each pair of source lines and kind; the first pair of threads
//! is shown, the rest is counted.
//!
//! It is long because all parts of a race's report look at the same race.

use super::asynchronous::{self, is_copy};
use super::guesses::{Guesses, guess};
use super::means::Apart;
use super::race::Race;
use super::rounds::{Polled, polled};
use super::sites::Sites;
use super::touched::{How, Kind};
use super::unreleased::Between;
use super::words::{ONE_WARP, OneLine, Plain, Values, between_grids, one_step, reasons, written};
use super::{Record, Space};
use finding::{Access, Finding, Slug, SourceLocation};
use machine::code::{Code, Instr};
use machine::code_reading::uses::updates_in_one_line;
use machine::exec::Op;
use machine::exec::atomic::Operation;
use machine::place::{self, Place};
use machine::run::launch::Launch;
use machine::watch::Touch;
use rustc_hash::{FxHashMap, FxHashSet};

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

/// Which of several pairs is shown: real ones before notes; in one line, where one thread has loaded what another
/// overwrites, for that shows a lost update; then the farthest; then a load and a store before two stores.
type Rank = (bool, bool, Distance, u8);

/// Of findings that are not about a pair of threads.
pub(super) const ONE_THREAD: Rank = (true, false, Distance::Warp, 0);

/// Pairs of one finding that are asked what is known of them.
const TRIES: u64 = 256;

struct Entry {
    finding: Finding,
    rank: Rank,
    /// Which distances there were between threads that raced: a bit each.
    distances: u8,
    /// Its advice is about the flag, the lock or the scope of this very pair.
    is_settled: bool,
    /// Sites of plain loads that raced with atomic operations; `None` once something else raced here.
    guesses: Option<Vec<u32>>,
}

#[derive(Default)]
pub struct Findings {
    list: Vec<Entry>,
    known: FxHashMap<Key, usize>,
    /// Source lines by number.
    lines: FxHashMap<SourceLocation, u32>,
    numbers: FxHashMap<u32, u32>,
    /// Races of asynchronous copies.
    copies: FxHashSet<Key>,
}

impl Findings {
    /// Counts a finding that is known already; false if it is new, or shows more than the one kept.
    pub(super) fn count(&mut self, key: Key, rank: Rank, guess: Option<u32>) -> bool {
        let Some(&at) = self.known.get(&key) else { return false };
        let Entry { finding, rank: kept, distances, guesses, .. } = &mut self.list[at];
        finding.count += 1;
        match (guess, guesses.as_mut()) {
            (Some(site), Some(sites)) if sites.contains(&site) => {}
            (Some(site), Some(sites)) => sites.push(site),
            _ => *guesses = None,
        }
        *distances |= 1 << rank.2 as u8;
        *kept >= rank
    }

    pub(super) fn add(&mut self, key: Key, finding: Finding, rank: Rank, guess: Option<u32>) {
        self.put(key, finding, rank, guess, false);
    }

    /// One that no race explains, whatever comes.
    pub(super) fn add_first(&mut self, key: Key, finding: Finding) {
        self.put(key, finding, ONE_THREAD, None, true);
    }

    fn put(&mut self, key: Key, mut finding: Finding, rank: Rank, guess: Option<u32>, is_settled: bool) {
        if let Some(&at) = self.known.get(&key) {
            let entry = &mut self.list[at];
            finding.count = entry.finding.count;
            (entry.finding, entry.rank, entry.is_settled) = (finding, rank, is_settled);
            return;
        }
        self.known.insert(key, self.list.len());
        let guesses = guess.map(|site| vec![site]);
        self.list.push(Entry { finding, rank, distances: 1 << rank.2 as u8, is_settled, guesses });
    }

    /// Leaves out races of loads that compare-and-swaps have checked. To be called before anything looks at the list.
    pub fn dismiss_guesses(&mut self, guesses: &Guesses) {
        let checked = |entry: &Entry| {
            entry.guesses.as_ref().is_some_and(|sites| sites.iter().all(|&site| guesses.were_checked(site)))
        };
        let kept: Vec<bool> = self.list.iter().map(|entry| !checked(entry)).collect();
        self.known.retain(|_, at| kept[*at]);
        self.known.values_mut().for_each(|at| *at = kept[..*at].iter().filter(|kept| **kept).count());
        let mut kept = kept.into_iter();
        self.list.retain(|_| kept.next() == Some(true));
    }

    /// A number for the user's line of a site; instructions without one count by themselves.
    pub(super) fn line(&mut self, launch: &Launch, sites: &Sites, site: u32) -> u32 {
        if let Some(&number) = self.numbers.get(&site) {
            return number;
        }
        let number = match sites.user_lines(launch.code, site).0 {
            None => sites.pc(site) | 1 << 31,
            // Two places in one line count apart: they are two accesses of the source.
            Some(line) => {
                let next = self.lines.len() as u32;
                *self.lines.entry(line).or_insert(next)
            }
        };
        self.numbers.insert(site, number);
        number
    }

    /// All of them; where threads raced, undefined values are the race's doing and not told apart from it.
    pub fn finish(mut self) -> Vec<Finding> {
        if self.has_race() {
            self.mend_lost_updates();
            self.follow_scopes();
            self.list.retain(|entry| entry.finding.slug != Slug::UndefinedValue || entry.is_settled);
        }
        // Threads that pair off at different barriers, or store where a variable says that they have not written, may race behind
        // that for no other reason.
        self.list.sort_by_key(|entry| match entry.finding.slug {
            Slug::BarrierDivergence => 0,
            Slug::UndefinedValue if entry.is_settled => 1,
            _ => 2,
        });
        self.list.iter_mut().for_each(Entry::say_who_else);
        self.list.into_iter().map(|entry| entry.finding).collect()
    }

    /// Where the storing line also races with itself, every thread reads, changes and writes: no barrier between
    /// the two lines keeps their updates apart. Copies change nothing: they are waited for.
    fn mend_lost_updates(&mut self) {
        for (key @ &(slug, first, second), &at) in &self.known {
            let is_race = matches!(slug, Slug::RaceShared | Slug::RaceGlobal | Slug::RaceScope);
            if !is_race || self.copies.contains(key) || self.list[at].is_settled {
                continue;
            }
            let with_itself = |place| self.known.contains_key(&(slug, place, place));
            if first != second && (with_itself(first) || with_itself(second)) {
                let space = if slug == Slug::RaceShared { Space::Shared } else { Space::Global };
                let in_one_warp = self.list[at].distances == 1 << Distance::Warp as u8;
                self.list[at].finding.help = one_step(space, in_one_warp).into();
            }
        }
    }

    /// What is too narrow between two lines for some threads may leave others with no order to name at all: it is the same mend,
    /// where all of them are in different blocks. Inside one a wider scope mends nothing.
    fn follow_scopes(&mut self) {
        for (&(slug, first, second), &at) in &self.known {
            let narrow = self.known.get(&(Slug::RaceScope, first, second));
            let is_between_blocks = self.list[at].distances == 1 << Distance::Grid as u8;
            let is_open = is_between_blocks && !self.list[at].is_settled;
            if let (Slug::RaceGlobal, Some(&narrow), true) = (slug, narrow, is_open) {
                let Finding { why, help, .. } = &self.list[narrow].finding;
                let (why, help) = (why.clone(), help.clone());
                let Finding { why: own, help: mend, .. } = &mut self.list[at].finding;
                *own = format!("{own}; between other threads here {why}");
                *mend = help;
            }
        }
    }

    pub fn has_divergence(&self) -> bool {
        self.list.iter().any(|entry| entry.finding.slug == Slug::BarrierDivergence)
    }

    pub fn has_race(&self) -> bool {
        let is_race = |slug| matches!(slug, Slug::RaceShared | Slug::RaceGlobal | Slug::RaceScope);
        self.list.iter().any(|entry| is_race(entry.finding.slug) && !entry.finding.benign)
    }

    #[expect(clippy::too_many_arguments, reason = "two accesses, all their sides")]
    pub fn race(
        &mut self,
        launch: &Launch,
        sites: &Sites,
        touch: &Touch,
        values: &Values,
        race: Race,
        word: u64,
        lane: usize,
        earlier: Option<&Record>,
        between: &dyn Fn() -> Between,
    ) {
        let slug = slug_of(touch.space, race.narrow.is_some());
        let benign = is_benign(touch, values, &race, lane);
        let second = self.line(launch, sites, race.second.how.site());
        let first = match earlier {
            // Another kernel's lines are numbered apart from this one's.
            Some(_) => u32::MAX,
            None => self.line(launch, sites, race.first.how.site()),
        };
        // Whichever came first in this run, it is one bug.
        let key = (slug, first.min(second), first.max(second));
        // What one thread has loaded and another overwrites shows a lost update best.
        let clarity = match (race.first.how.kind(), race.second.how.kind()) {
            (Kind::Read, _) => 2,
            (_, Kind::Read) => 1,
            _ => 0,
        };
        let lost_update = first == second && clarity == 2;
        let rank = (!benign, lost_update, distance(launch, &race), clarity);
        let guess = guess(launch, sites, &race).filter(|_| earlier.is_none());
        if is_copy(launch, race.first) || is_copy(launch, race.second) {
            self.copies.insert(key);
        }
        let is_known = self.count(key, rank, guess);
        if !is_known || self.may_say_more(key, rank) {
            let described =
                Described { launch, sites, touch, values, race, word, lane, benign, earlier, between: between() };
            let is_settled = race.narrow.is_some() || described.known().is_some();
            if !is_known || is_settled {
                self.put(key, described.finding(first == second), rank, guess, is_settled);
            }
        }
    }

    /// True if a finding's advice is general, and more may be known of another pair like the one shown.
    fn may_say_more(&self, key: Key, rank: Rank) -> bool {
        self.known.get(&key).map(|&at| &self.list[at]).is_some_and(|entry| {
            !entry.is_settled && entry.rank == rank && entry.finding.count <= TRIES && !entry.finding.benign
        })
    }
}

impl Entry {
    /// One pair is shown; that threads closer together or farther apart race too should not go unsaid.
    fn say_who_else(&mut self) {
        let shown = self.rank.2;
        let names = [
            (Distance::Warp, "one warp"),
            (Distance::Block, "different warps of one block"),
            (Distance::Grid, "different blocks"),
        ];
        let others = names.into_iter().filter(|(it, _)| *it != shown && self.distances >> *it as u8 & 1 != 0);
        let others: Vec<&str> = others.map(|(_, name)| name).collect();
        if !others.is_empty() {
            self.finding.why += &format!("; threads of {} race here too", others.join(", and of "));
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

/// One end of a finding, at a site.
pub(super) fn access(launch: &Launch, sites: &Sites, block: u64, thread: u32, site: u32, action: String) -> Access {
    machine::run::sites::access(launch, block, thread, sites.pc(site), &sites.calls(site), action)
}

/// Two plain stores of one value to one place.
fn is_benign(touch: &Touch, values: &Values, race: &Race, lane: usize) -> bool {
    let plain_store = |how: How| how.kind() == Kind::Write && how.scope().is_none();
    let copies = is_copy(touch.at.launch, race.first);
    if copies || !plain_store(race.first.how) || !plain_store(race.second.how) || touch.elements != 1 {
        return false;
    }
    let (Some((regs, src)), Some(region)) = (&values.stored, touch.region) else { return false };
    let mine = regs.get(src[0], lane);
    let same_step = race.first.warp() == race.second.warp()
        && race.first.clock == race.second.clock
        && race.first.how.site() == race.second.how.site();
    let address = touch.addresses[lane];
    let other = race.first.lane() as usize;
    if same_step && touch.mask >> other & 1 != 0 && touch.addresses[other] == address {
        return regs.get(src[0], other) == mine;
    }
    let bytes = touch.bytes.min(8);
    let kept = if bytes == 8 { !0 } else { (1 << (8 * bytes)) - 1 };
    region.load_sized(address, bytes) == mine & kept
}

/// Block and thread of a recorded access; for an asynchronous copy the thread that started it.
pub(super) fn whereabouts(launch: &Launch, thread: u32) -> (u64, u32) {
    let per_block = launch.warp_stride() * 32;
    let (block, thread) = (u64::from(thread / per_block), thread % per_block);
    let copying = launch.copying_warps().map_or(u32::MAX, |warps| 32 * warps);
    (block, thread.checked_sub(copying).unwrap_or(thread))
}

/// A race and all that is needed to tell it.
pub(super) struct Described<'a> {
    pub(super) launch: &'a Launch<'a>,
    pub(super) sites: &'a Sites,
    touch: &'a Touch<'a>,
    values: &'a Values<'a>,
    pub(super) race: Race,
    /// Offset of the word that both touch.
    word: u64,
    lane: usize,
    benign: bool,
    /// The launch of the first access, if it is another one.
    pub(super) earlier: Option<&'a Record>,
    pub(super) between: Between,
}

impl Described<'_> {
    fn finding(&self, one_line: bool) -> Finding {
        let Described { launch, sites, touch, race, .. } = self;
        let (a, b) = (race.first.how, race.second.how);
        let second_place = whereabouts(launch, race.second.thread);
        let first_place = whereabouts(launch, race.first.thread);
        let (a_code, a_pc) = match self.earlier {
            Some(record) => (record.code(), record.sites.pc(a.site())),
            None => (Some(launch.code), sites.pc(a.site())),
        };
        let a_kind = kind_of(a, a_code, a_pc);
        let nouns = (noun(a, a_code, a_pc), noun(b, Some(launch.code), sites.pc(b.site())));
        let both = match nouns.0.0 == nouns.1.0 {
            true => format!("two {}", nouns.0.1),
            false => format!("{} and {}", nouns.0.0, nouns.1.0),
        };
        let address = touch.addresses[self.lane];
        let Place { text, argument } = place::of(launch, touch.space, address, touch.bytes * touch.elements);
        let message = match race.is_allowed {
            true => format!("{both} of {text} may come in either order"),
            false => format!("{both} of {text} are not ordered"),
        };

        let [x, y, z] = launch.grid_of(second_place.0).block_index(second_place.0);
        let place = match touch.space {
            Space::Shared => format!("block ({x},{y},{z}), {} bytes at shared+{:#x}", b.size(), self.word),
            _ => format!("{} bytes of global memory, {}", b.size(), place::buffer(launch, address)),
        };
        let (why, help) = if self.earlier.is_some() {
            (
                "the two launches are in streams that nothing orders".to_string(),
                "put both in one stream, or let one wait for the other's event".to_string(),
            )
        } else if let Some(reasons) = between_grids(launch, race, first_place.0, second_place.0) {
            reasons
        } else if let Some(narrow) = race.narrow {
            self.too_narrow(narrow)
        } else if is_copy(launch, race.first) {
            asynchronous::reasons(race, first_place == second_place, is_copy(launch, race.second))
        } else {
            let line = |how: How| self.line(how.site());
            let waits = [a, b].into_iter().find_map(|how| {
                let polled = || polled(launch.code, sites.pc(how.site()));
                (how.kind() == Kind::Read).then(polled).flatten().map(|polled| (how, polled))
            });
            let polls = waits.map(|(how, polled)| match polled {
                // A plain load that was taken out of its loop.
                Polled::Once(_) if how.scope().is_some() => Polled::Again,
                Polled::Once(pc) => Polled::Once(self.line(pc).unwrap_or(0)),
                Polled::Again => Polled::Again,
            });
            let compares = [(a, b), (b, a)].into_iter().any(|(load, swap)| {
                load.kind() == Kind::Read && is_compare_and_swap(launch.code, sites.pc(swap.site()))
            });
            let in_one_line = line(a).is_some() && line(a) == line(b);
            let is_plain = |how: &How| how.scope().is_none();
            let plain = match [a, b].into_iter().find(is_plain) {
                Some(how) if updates_in_one_line(launch.code, sites.pc(how.site())) => Plain::Update,
                Some(how) if how.kind() == Kind::Write => Plain::Store,
                _ => Plain::Load,
            };
            let one = OneLine { one_access: one_line, one_line: in_one_line, polls, compares, plain };
            let (why, help) = reasons(race, touch, first_place, second_place, one);
            let why = match race.is_allowed {
                true => format!("volatile and atomic accesses do not race, and they wait for nobody: {why}"),
                false => why,
            };
            let help = match self.between.branch.and_then(|(site, lanes)| Some((self.line(site)?, lanes))) {
                Some((line, lanes)) if help == ONE_WARP => {
                    format!(
                        "{help}; where lanes {lanes:#010x} come alone, as behind the branch in line {line}, `__syncwarp({lanes:#010x})`"
                    )
                }
                _ => help,
            };
            let updates = |how: How, pc: u32| kind_of(how, Some(launch.code), pc) == Kind::Atomic;
            let help = match race.is_allowed && updates(a, sites.pc(a.site())) && updates(b, sites.pc(b.site())) {
                true => "an exchange overwrites whatever came before it: let one atomic operation combine both values, such as \
                         `atomicAdd()` or `atomicMin()`, or order the two"
                    .to_string(),
                false => help,
            };
            let apart = match (first_place.0 == second_place.0, first_place.1 / 32 == second_place.1 / 32) {
                (false, _) => Apart::Blocks,
                (_, false) => Apart::Warps,
                _ => Apart::Lanes,
            };
            match self.known().or_else(|| self.rounds(apart)) {
                // What a lock or a flag lacks, it lacks between lanes of one warp as well.
                Some((but, mend)) if apart == Apart::Lanes && !self.is_of_lanes() => (but, mend),
                Some((but, mend)) => (format!("{why}; {but}"), mend),
                None => match self.own_update() {
                    Some((line, true)) => (
                        why,
                        format!(
                            "use the value that the atomic operation in line {line} returns: others may have changed it since; it is the old \
                             value, from before that operation"
                        ),
                    ),
                    Some((line, false)) => (
                        why,
                        format!(
                            "use the value that the atomic operation in line {line} returns, if that is meant; or {help}"
                        ),
                    ),
                    None => match self.same_place().or_else(|| Some((self.wrong_means(apart)?, None))) {
                        Some((but, mend)) => {
                            (format!("{why}; {but}"), mend.map_or(help.clone(), |mend| format!("{mend}; or {help}")))
                        }
                        None => (why, help),
                    },
                },
            }
        };
        let action = self.second_action();
        let second = access(launch, sites, second_place.0, second_place.1, b.site(), action);
        Finding {
            slug: slug_of(touch.space, race.narrow.is_some()),
            kernel: launch.kernel.into(),
            message: if self.benign { format!("{message}, but write the same value") } else { message },
            headline: None,
            accesses: vec![self.first(a_kind, first_place), second],
            place,
            why,
            help,
            count: 1,
            benign: self.benign,
            arguments: argument.into_iter().chain(self.mentioned()).collect(),
        }
    }

    /// The line of a site in the file of the second access.
    pub(super) fn line(&self, site: u32) -> Option<u32> {
        let place = |site| self.sites.user_lines(self.launch.code, site).0;
        let (own, other) = (place(self.race.second.how.site())?, place(site)?);
        (own.file == other.file).then_some(other.line)
    }

    /// Which element of a vector access stands in the word, and its address.
    fn element(&self) -> (usize, u64) {
        let (touch, address) = (self.touch, self.touch.addresses[self.lane]);
        let word = self.word + touch.region.map_or(0, |region| region.base());
        let element = (word.saturating_sub(address) / u64::from(touch.bytes)).min(u64::from(touch.elements - 1));
        (element as usize, address + element * u64::from(touch.bytes))
    }

    fn second_action(&self) -> String {
        let (element, address) = self.element();
        let value = self.values.of(self.lane, self.touch.region, address, element);
        format!("{} {value}", self.values.verb).trim_end().to_string()
    }

    fn first(&self, kind: Kind, (block, thread): (u64, u32)) -> Access {
        let Described { launch, sites, touch, values, race, .. } = self;
        let (element, address) = self.element();
        let same_step = race.first.warp() == race.second.warp()
            && race.first.how.site() == race.second.how.site()
            && race.first.clock == race.second.clock;
        let size = race.first.how.size().min(8);
        let value = match (&values.stored, touch.region) {
            (Some(_), _) if same_step && race.first.how.writes() => {
                values.of(race.first.lane() as usize, touch.region, address, element)
            }
            // What the first access left or found is still in memory: the second has not happened yet.
            (_, Some(region)) if size == values.ty.bytes() => {
                written(region.load_sized(address & !u64::from(size - 1), size), values.ty)
            }
            _ => String::new(),
        };
        let action = match kind {
            _ if self.earlier.is_none() && is_mbarrier(launch.code, sites.pc(race.first.how.site())) => match kind {
                Kind::Write => "initialised it".to_string(),
                _ => "used it".to_string(),
            },
            _ if self.earlier.is_none() && is_copy(launch, race.first) => match kind {
                Kind::Read => "started an asynchronous copy from it".to_string(),
                _ => "started an asynchronous copy to it".to_string(),
            },
            Kind::Read => format!("loaded {value}"),
            Kind::Write => format!("stored {value}"),
            // An atomic's operand is gone; what it left is what counts.
            Kind::Atomic if value.is_empty() => "atomically updated it".to_string(),
            Kind::Atomic => format!("atomically updated it to {value}"),
        };
        let action = action.trim_end().to_string();
        let site = race.first.how.site();
        let Some(record) = self.earlier else { return access(launch, sites, block, thread, site, action) };
        // The grid may have had another shape: the thread's place in it is not known here.
        record.access(
            site,
            match record.kernel {
                Some(_) => format!("{action} in `{}`, an earlier launch", record.name),
                None => record.name.clone(),
            },
        )
    }
}

/// What an access was: one of them, and several.
fn noun(how: How, code: Option<&Code>, pc: u32) -> (&'static str, &'static str) {
    match kind_of(how, code, pc) {
        _ if code.is_some_and(|code| asynchronous::starts_copy(code, pc)) => {
            ("an asynchronous copy", "asynchronous copies")
        }
        _ if code.is_some_and(|code| is_mbarrier(code, pc)) => {
            ("a use of a barrier object", "uses of a barrier object")
        }
        Kind::Read => ("a load", "loads"),
        Kind::Write => ("a store", "stores"),
        Kind::Atomic => ("an atomic operation", "atomic operations"),
    }
}

fn is_compare_and_swap(code: &Code, pc: u32) -> bool {
    let op = code.instrs.get(pc as usize).map(|instr| &instr.op);
    matches!(op, Some(Op::Atomic(it)) if it.operation == Operation::CompareExchange)
}

fn is_mbarrier(code: &Code, pc: u32) -> bool {
    code.instrs.get(pc as usize).is_some_and(|instr| matches!(instr.op, Op::Mbarrier(_)))
}

/// What an access was, by its instruction: an update that nobody looks at is kept as a store.
pub(super) fn kind_of(how: How, code: Option<&Code>, pc: u32) -> Kind {
    match code.and_then(|code| code.instrs.get(pc as usize)) {
        Some(Instr { op: Op::Atomic(_), .. }) => Kind::Atomic,
        _ => how.kind(),
    }
}

/// The slug of a race by its space and cause.
fn slug_of(space: Space, scope: bool) -> Slug {
    match (scope, space) {
        (true, _) => Slug::RaceScope,
        (_, Space::Shared) => Slug::RaceShared,
        _ => Slug::RaceGlobal,
    }
}
