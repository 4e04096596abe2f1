//! Undefined values in words: the load that found nothing written, or the shuffle that took the value of an absent
//! lane, and what then depended on it.

use super::describe::{ONE_THREAD, access};
use super::ended::{Ended, Passed};
use super::host::Past;
use super::origins::{Absence, Absent, Origin, Spot, Trace, Unwritten};
use super::sites::Sites;
use super::ways::Away;
use super::{BlockState, Full, WarpState};
use finding::{Access, Finding, Slug, ThreadName};
use machine::code_reading::makers::Makers;
use machine::exec::warp::Collective;
use machine::memory::space::Space;
use machine::place::{self, Place};
use machine::registers::{Mask, Reg, Registers, lanes};
use machine::run::launch::Launch;
use machine::run::sites::thread_name;
use machine::watch::{At, Touch};
use std::collections::BTreeSet;

const HELP_EXITED: &str = "let every lane make the call before it ends, one that has no element with a neutral value, such as 0 \
                           in a sum; or read only lanes that make it";

const HELP_NOT_NAMED: &str = "read only lanes that the mask names, by another offset, width or source lane; or let every lane \
                              take part, those that have no element with a neutral value, such as 0 in a sum";

const HELP_COMES: &str = "if both lanes are to trade here, give all that trade one mask which names them all, 0xffffffff for a whole \
                          warp; or read only lanes that the mask names, by another offset, width or source lane";

const HELP_ASKED: &str = "do not ask `__activemask()` who takes part: if all lanes come here, name them, 0xffffffff; or let every \
                          lane take part with a neutral value, or make the mask by `__ballot_sync()` before they part and \
                          shuffle only from its lanes";

impl Full<'_> {
    /// Something depends on a register in the lanes of `mask`.
    #[inline(always)]
    pub(super) fn depends(&mut self, at: &At, warp: &WarpState, regs: &Registers, reg: Reg, mask: Mask, what: &str) {
        if warp.bits.is_tainted(regs, reg, mask) {
            let guilty = warp.bits.undefined_lanes(regs, reg, mask);
            self.undefined_register(at, warp, regs, reg, guilty, what);
        }
    }

    /// Reports an undefined register for the first of `guilty`, an absent lane's first.
    pub(super) fn undefined_register(
        &mut self,
        at: &At,
        warp: &WarpState,
        regs: &Registers,
        reg: Reg,
        guilty: Mask,
        what: &str,
    ) {
        if guilty != 0 {
            let origins = lanes(guilty).map(|lane| (lane, warp.bits.origins.get(regs, reg, lane)));
            self.report(at, warp, guilty, what, Some(reg), origins);
        }
    }

    /// The same for what lies in memory.
    pub(super) fn undefined_memory(
        &mut self,
        touch: &Touch,
        warp: &WarpState,
        origins: &[(usize, Origin)],
        guilty: Mask,
        what: &str,
    ) {
        if guilty != 0 {
            self.report(&touch.at, warp, guilty, what, None, origins.iter().copied());
        }
    }

    /// `origins` are those of the guilty lanes.
    fn report(
        &mut self,
        at: &At,
        warp: &WarpState,
        guilty: Mask,
        what: &str,
        reg: Option<Reg>,
        origins: impl Iterator<Item = (usize, Origin)>,
    ) {
        let site = self.sites.of(at, &warp.chains);
        let telling = origins.filter(|(_, origin)| *origin != 0).min_by_key(|(_, origin)| *origin);
        let traced = telling.and_then(|(lane, origin)| Some((lane, self.state.origins.trace(origin)?.absence)));
        let Some((lane, absence)) = traced else {
            return self.report_unwritten(at, site, guilty, what, reg, telling);
        };
        let Full { findings, sites, .. } = self;
        let Spot { launch, site: shuffle } = absence.spot;
        let same_launch = launch == self.number;
        // Another launch's lines are numbered apart from this one's.
        let there = if same_launch { findings.line(at.launch, sites, shuffle) } else { u32::MAX };
        let key = (Slug::AbsentLane, there, findings.line(at.launch, sites, site));
        let rank = ONE_THREAD;
        if findings.count(key, rank, None) {
            return;
        }
        let there = |site, action| match same_launch {
            true => Access { thread: Some(absence.taker), ..access(at.launch, sites, at.block, 0, site, action) },
            false => end(&self.state.past, Spot { launch, site }, absence.taker, action),
        };
        let asked = absence.asked.map(|site| there(site, got(&absence)));
        let taken = there(shuffle, took(&absence));
        let why = why(&absence, &taken, |site| there(site, String::new()));
        let thread = 32 * at.warp + lane as u32;
        let used = access(at.launch, sites, at.block, thread, site, format!("made {what} depend on it"));
        let [x, y, z] = at.launch.block_index(at.block);
        let finding = Finding {
            slug: Slug::AbsentLane,
            kernel: at.launch.kernel.into(),
            message: message(&absence, &format!("{what} depends on it")),
            headline: Some(usize::from(asked.is_some())),
            accesses: asked.into_iter().chain([taken, used]).collect(),
            place: format!("block ({x},{y},{z})"),
            why,
            help: help(&absence),
            count: 1,
            benign: false,
            arguments: Vec::new(),
        };
        findings.add(key, finding, rank, None);
    }

    /// Something depends on what nothing has written; the load that found it, where there was one.
    fn report_unwritten(
        &mut self,
        at: &At,
        site: u32,
        guilty: Mask,
        what: &str,
        reg: Option<Reg>,
        telling: Option<(usize, Origin)>,
    ) {
        let known = telling.and_then(|(lane, origin)| Some((lane, self.state.origins.unwritten(origin)?.clone())));
        let Full { findings, sites, .. } = self;
        let line = findings.line(at.launch, sites, site);
        let loaded = known.as_ref().map(|(_, unwritten)| unwritten.spot);
        let there = match loaded {
            Some(spot) if spot.launch == self.number => findings.line(at.launch, sites, spot.site),
            Some(_) => u32::MAX,
            None => line,
        };
        let key = (Slug::UndefinedValue, there, line);
        if findings.count(key, ONE_THREAD, None) {
            return;
        }
        let lane = known.as_ref().map_or(guilty.trailing_zeros(), |(lane, _)| *lane as u32);
        let used = |action: String| access(at.launch, sites, at.block, 32 * at.warp + lane, site, action);
        let mut help = match known {
            None => "write it before this line on every path that leads here".to_string(),
            Some(_) => "write it before (1) loads it, or let no thread load what nothing has written".to_string(),
        };
        let (accesses, why) = match &known {
            None => {
                let makers = reg.and_then(|reg| Makers::of(at.launch.code, at.pc, reg));
                let writers = makers.as_ref().and_then(|makers| makers.of_unwritten(at.pc));
                let line = |&pc: &u32| Some(sites.user_lines(at.launch.code, pc).0?.line);
                let why = match writers.map(|writers| writers.iter().map(line).collect::<Option<BTreeSet<u32>>>()) {
                    Some(Some(lines)) if !lines.is_empty() => {
                        let lines = lines_of(&lines);
                        help += &format!(
                            "; what {lines} gives to the threads that come there, a shuffle or shared memory hands to the others"
                        );
                        format!(
                            "it is made of a variable that {lines} writes, and this thread came here by another way"
                        )
                    }
                    _ => "the value comes from memory or a variable that nothing has written".to_string(),
                };
                (vec![used("used it".into())], why)
            }
            Some((_, unwritten)) => {
                let action = format!("loaded {}", unwritten.place.text);
                let load = match unwritten.spot.launch == self.number {
                    true => access(at.launch, sites, at.block, 0, unwritten.spot.site, action),
                    false => end(&self.state.past, unwritten.spot, unwritten.loader, action),
                };
                let load = Access { thread: Some(unwritten.loader), ..load };
                (vec![load, used(format!("made {what} depend on it"))], nothing_written(unwritten))
            }
        };
        let [x, y, z] = at.launch.block_index(at.block);
        let finding = Finding {
            slug: Slug::UndefinedValue,
            kernel: at.launch.kernel.into(),
            message: format!("{what} depends on a value that was never written"),
            headline: None,
            accesses,
            place: format!("block ({x},{y},{z})"),
            why,
            help,
            count: 1,
            benign: false,
            arguments: known.iter().filter_map(|(_, unwritten)| unwritten.place.argument.clone()).collect(),
        };
        match (known, reg) {
            // No race can have left it behind: a register is its thread's own.
            (None, Some(_)) if !findings.has_race() => findings.add_first(key, finding),
            _ => findings.add(key, finding, ONE_THREAD, None),
        }
    }

    /// Lane `lane` is about to take the value of lane `from`, which is not there.
    pub(super) fn absent(
        &mut self,
        at: &At,
        warp: &WarpState,
        regs: &Registers,
        op: &Collective,
        lane: usize,
        from: u32,
    ) -> Origin {
        let members = regs.get(op.members, lane) as Mask;
        let why = if warp.exists >> from & 1 == 0 {
            Absent::NoThread(warp.exists.count_ones())
        } else if members >> from & 1 == 0 {
            // It may have ended besides; the mask is what the kernel says itself.
            Absent::NotNamed(members)
        } else {
            Absent::Exited
        };
        let taker = thread_name(at.launch, at.block, 32 * at.warp + lane as u32);
        let spot = self.spot(at, warp);
        let asked = warp.bits.masks.source(regs, op.members, lane).filter(|_| matches!(why, Absent::NotNamed(_)));
        let away = warp.ways.away(lane, from as usize);
        let comes = warp.ways.has_met(spot.site, from);
        self.state.origins.absent(Absence { spot, taker, from, why, away, asked, comes })
    }

    fn spot(&mut self, at: &At, warp: &WarpState) -> Spot {
        Spot { launch: self.number, site: self.sites.of(at, &warp.chains) }
    }

    /// Whence a lane's undefined bytes in memory come.
    pub(super) fn memory_origin(
        &self,
        touch: &Touch,
        block: &BlockState,
        warp: &WarpState,
        lane: usize,
        skip: u64,
        bytes: u32,
    ) -> Origin {
        let origins = match touch.space {
            Space::Shared => &block.origins,
            Space::Global => &self.state.memory_origins,
            Space::Local => &warp.local_origins[lane],
            _ => return 0,
        };
        if origins.is_empty() { 0 } else { origins.get(touch.addresses[lane] + skip, bytes.into()) }
    }

    /// A register has been loaded with undefined bits.
    #[expect(clippy::too_many_arguments, reason = "one access, all its sides")]
    pub(super) fn load_origins(
        &mut self,
        touch: &Touch,
        block: &BlockState,
        warp: &mut WarpState,
        regs: &Registers,
        reg: Reg,
        skip: u64,
        undefined: &[u64],
    ) {
        for lane in lanes(touch.mask).filter(|&lane| undefined[lane] != 0) {
            let mut origin = self.memory_origin(touch, block, warp, lane, skip, touch.bytes);
            if origin == 0 {
                let (launch, address) = (touch.at.launch, touch.addresses[lane] + skip);
                let loader = thread_name(launch, touch.at.block, 32 * touch.at.warp + lane as u32);
                let spot = self.spot(&touch.at, warp);
                let Full { state, sites, .. } = self;
                let gone = || match touch.space {
                    Space::Shared => gone(launch, sites, &block.ended, &warp.passed),
                    _ => None,
                };
                origin = state.origins.load(spot, loader, || {
                    (unnamed(launch, touch.space, address, touch.bytes), gone().unwrap_or_default())
                });
            }
            warp.bits.origins.set(regs, reg, lane, origin);
        }
    }

    /// A register has been stored, its undefined bits too.
    pub(super) fn store_origins(
        &mut self,
        touch: &Touch,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
        reg: Reg,
        skip: u64,
    ) {
        for lane in lanes(warp.bits.undefined_lanes(regs, reg, touch.mask)) {
            let mut origin = warp.bits.origins.get(regs, reg, lane);
            if origin != 0 {
                let thread = thread_name(touch.at.launch, touch.at.block, 32 * touch.at.warp + lane as u32);
                let spot = self.spot(&touch.at, warp);
                origin = self.state.origins.stored(origin, spot, thread);
            }
            let origins = match touch.space {
                Space::Shared => &mut block.origins,
                Space::Global => &mut self.state.memory_origins,
                Space::Local => &mut warp.local_origins[lane],
                _ => return,
            };
            origins.set(touch.addresses[lane] + skip, touch.bytes.into(), origin);
        }
    }
}

fn lines_of(lines: &BTreeSet<u32>) -> String {
    let all: Vec<String> = lines.iter().map(u32::to_string).collect();
    match &all[..] {
        [one] => format!("line {one}"),
        [first @ .., last] => format!("line {} or {last}", first.join(", ")),
        [] => String::new(),
    }
}

/// Threads for which the last barrier did not wait.
fn gone(launch: &Launch, sites: &Sites, ended: &Ended, passed: &Passed) -> Option<String> {
    let (threads, site) = ended.gone_before(passed)?;
    let line = |site: u32| Some(sites.user_lines(launch.code, site).0?.line);
    Some(format!(
        "; {threads} of the block had left the kernel from line {}, before the barrier in line {}",
        line(site)?,
        line(passed.site)?
    ))
}

/// A place that nothing has written, in words.
fn unnamed(launch: &Launch, space: Space, address: u64, bytes: u32) -> Place {
    let place = place::of(launch, space, address, bytes);
    match (space, place.argument.is_some() || place.text.starts_with('`')) {
        (Space::Local, _) => Place { text: "a variable of its own".into(), argument: None },
        (_, false) => Place { text: format!("{bytes} bytes of memory"), argument: None },
        _ => place,
    }
}

/// The load of what nothing had written, of a launch that is over.
pub fn loaded(unwritten: &Unwritten, past: &Past) -> Access {
    end(past, unwritten.spot, unwritten.loader, format!("loaded {}", unwritten.place.text))
}

pub fn nothing_written(unwritten: &Unwritten) -> String {
    format!("nothing had written {} when (1) loaded it{}", unwritten.place.text, unwritten.gone)
}

/// The host copies what an absent lane gave.
pub fn copied(trace: &Trace, past: &Past, copies: Access, place: String, kernel: String) -> Finding {
    let Trace { absence, stored } = trace;
    let there = |site, action| end(past, Spot { site, ..absence.spot }, absence.taker, action);
    let asked = absence.asked.map(|site| there(site, got(absence)));
    let headline = Some(usize::from(asked.is_some()));
    let taken = there(absence.spot.site, took(absence));
    let why = why(absence, &taken, |site| there(site, String::new()));
    let mut accesses: Vec<Access> = asked.into_iter().chain([taken]).collect();
    if let Some((spot, thread)) = stored {
        accesses.push(end(past, *spot, *thread, "stored what came of it".into()));
    }
    accesses.push(copies);
    Finding {
        slug: Slug::AbsentLane,
        kernel,
        message: message(absence, "the host copies what came of it"),
        headline,
        accesses,
        place,
        why,
        help: help(absence),
        count: 1,
        benign: false,
        arguments: Vec::new(),
    }
}

/// What `activemask` gave the taker.
fn got(absence: &Absence) -> String {
    match absence.why {
        Absent::NotNamed(mask) => format!("got mask {mask:#010x} from `__activemask()`"),
        _ => "got its mask from `__activemask()`".into(),
    }
}

fn help(absence: &Absence) -> String {
    match absence.why {
        _ if absence.asked.is_some() => HELP_ASKED.into(),
        Absent::NotNamed(_) if absence.comes => HELP_COMES.into(),
        Absent::NoThread(1) => "read no other lane: the warp has one thread; or launch whole warps".into(),
        Absent::NoThread(there) => format!(
            "read only lanes that have a thread, here 0 to {}: begin with a smaller offset; if groups of lanes are \
             meant, give the shuffle their width and begin with half of it; or launch whole warps",
            there - 1
        ),
        Absent::Exited => HELP_EXITED.into(),
        Absent::NotNamed(_) => HELP_NOT_NAMED.into(),
    }
}

/// What is wrong, and where it matters.
fn message(absence: &Absence, matters: &str) -> String {
    let which = match absence.why {
        Absent::NoThread(_) => "where there is no thread",
        Absent::Exited => "which has ended without this call",
        Absent::NotNamed(_) => "which its mask does not name",
    };
    format!("a shuffle takes the value of lane {}, {which}, and {matters}", absence.from)
}

fn took(absence: &Absence) -> String {
    let from = absence.from;
    match absence.why {
        Absent::NoThread(_) => format!("took the value of lane {from}, where there is no thread"),
        Absent::Exited => format!("took the value of lane {from}, which had ended without this call"),
        Absent::NotNamed(mask) => format!("took the value of lane {from}, which is not in mask {mask:#010x}"),
    }
}

/// An access of a launch that is over.
fn end(past: &Past, spot: Spot, thread: ThreadName, action: String) -> Access {
    match past.record(spot.launch) {
        Some(record) => Access { thread: Some(thread), ..record.access(spot.site, action) },
        None => Access { thread: Some(thread), ..Access::of_host(action) },
    }
}

/// `taken` is the shuffle, `there` finds another site of its launch.
fn why(absence: &Absence, taken: &Access, there: impl Fn(u32) -> Access) -> String {
    let Absence { from, taker, .. } = *absence;
    // Where both stand in one file its lines are enough.
    let line = |site| match (there(site).location, &taken.location) {
        (Some(at), Some(shuffle)) if at.file == shuffle.file => format!(" at line {}", at.line),
        _ => String::new(),
    };
    let away = match absence.away.map(|away| (away, line(away.site()))) {
        None => String::new(),
        Some((_, line)) if line.is_empty() => String::new(),
        Some((Away::Parted(_), line)) => {
            format!("; lanes {} and {from} last went different ways{line}", taker.linear % 32)
        }
        Some((Away::Ended(_), line)) => format!("; lane {from} ended{line}"),
    };
    match absence.why {
        Absent::NoThread(there) => format!(
            "the block has {} threads: its last warp ends with lane {}, and nobody put a value into lane {from}",
            taker.linear / 32 * 32 + there,
            there - 1
        ),
        Absent::Exited => format!("lane {from} had ended before the shuffle and gave it no value{away}"),
        Absent::NotNamed(mask) => {
            let mut text = format!(
                "lane {from} takes no part in a shuffle with mask {mask:#010x}, so what is read there is not defined{away}"
            );
            if absence.comes {
                text += &format!("; lane {from} comes to this line as well, with another mask or in another round");
            }
            if absence.asked.is_some() {
                text += "; `__activemask()` says which lanes happen to run together at (1), and the lanes of a warp need \
                         not stay together";
            }
            text
        }
    }
}
