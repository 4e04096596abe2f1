//! An absent lane in words: the shuffle that took its value, and what then depended on it.

use super::describe::{ONE_THREAD, access};
use super::host::Past;
use super::origins::{Absence, Absent, Origin, Spot, Trace};
use super::{BlockState, Full, WarpState};
use crate::exec::warp::Collective;
use crate::machine::grid::thread_name;
use crate::memory::space::Space;
use crate::registers::{Mask, Reg, Registers, lanes};
use crate::report::{Access, Finding, Slug, ThreadName};
use crate::watch::{At, Touch};

const HELP: &str = "shuffle only from lanes that are in the mask and still run: a smaller width or offset, or every \
                    lane takes part with a neutral value";

impl Full<'_> {
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
            self.report(at, warp, guilty, what, origins.clone().find(|(_, origin)| *origin != 0));
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
            self.report(&touch.at, warp, guilty, what, origins.iter().copied().find(|(_, origin)| *origin != 0));
        }
    }

    fn report(&mut self, at: &At, warp: &WarpState, guilty: Mask, what: &str, absent: Option<(usize, Origin)>) {
        let site = self.sites.of(at, &warp.chains);
        let traced = absent.and_then(|(lane, origin)| Some((lane, self.state.origins.trace(origin)?.absence)));
        let Some((lane, absence)) = traced else {
            return self.findings.undefined(at, &self.sites, site, guilty, what);
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
        let taken = match same_launch {
            true => {
                let end = access(at.launch, sites, at.block, 0, shuffle, took(&absence));
                Access { thread: Some(absence.taker), ..end }
            }
            false => end(&self.state.past, absence.spot, absence.taker, took(&absence)),
        };
        let thread = 32 * at.warp + lane as u32;
        let used = access(at.launch, sites, at.block, thread, site, format!("made {what} depend on it"));
        let [x, y, z] = at.launch.block_index(at.block);
        let finding = Finding {
            slug: Slug::AbsentLane,
            kernel: at.launch.kernel.into(),
            message: format!("{what} depends on the value of a lane that was not there"),
            accesses: vec![taken, used],
            place: format!("block ({x},{y},{z})"),
            why: why(&absence),
            help: HELP.into(),
            count: 1,
            benign: false,
            argument: None,
        };
        findings.add(key, finding, rank, None);
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
            Absent::NoThread
        } else if members >> from & 1 == 0 {
            // It may have ended besides; the mask is what the kernel says itself.
            Absent::NotNamed(members)
        } else {
            Absent::Exited
        };
        let taker = thread_name(at.launch, at.block, 32 * at.warp + lane as u32);
        let spot = self.spot(at, warp);
        self.state.origins.absent(Absence { spot, taker, from, why })
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
        &self,
        touch: &Touch,
        block: &BlockState,
        warp: &mut WarpState,
        regs: &Registers,
        reg: Reg,
        skip: u64,
        undefined: &[u64],
    ) {
        for lane in lanes(touch.mask).filter(|&lane| undefined[lane] != 0) {
            let origin = self.memory_origin(touch, block, warp, lane, skip, touch.bytes);
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

/// The host copies what an absent lane gave.
pub fn copied(trace: &Trace, past: &Past, copies: Access, place: String, kernel: String) -> Finding {
    let Trace { absence, stored } = trace;
    let mut accesses = vec![end(past, absence.spot, absence.taker, took(absence))];
    if let Some((spot, thread)) = stored {
        accesses.push(end(past, *spot, *thread, "stored what came of it".into()));
    }
    accesses.push(copies);
    Finding {
        slug: Slug::AbsentLane,
        kernel,
        message: "the host copies what was made of the value of a lane that was not there".into(),
        accesses,
        place,
        why: why(absence),
        help: HELP.into(),
        count: 1,
        benign: false,
        argument: None,
    }
}

fn took(absence: &Absence) -> String {
    let from = absence.from;
    match absence.why {
        Absent::NoThread => format!("took the value of lane {from}, where there is no thread"),
        Absent::Exited => format!("took the value of lane {from}, which had ended"),
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

fn why(absence: &Absence) -> String {
    let from = absence.from;
    match absence.why {
        Absent::NoThread => format!("the block ends before lane {from} of this warp: nobody put a value there"),
        Absent::Exited => format!("lane {from} ended before the shuffle and gave it no value"),
        Absent::NotNamed(mask) => {
            format!(
                "lane {from} takes no part in a shuffle with mask {mask:#010x}, so what is read there is not defined"
            )
        }
    }
}
