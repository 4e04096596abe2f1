//! An absent lane in words: the shuffle that took its value, and what then depended on it.

use super::describe::{Distance, Findings, location};
use super::host::Past;
use super::origins::{Absence, Absent, Origin, Site, Trace};
use super::{BlockState, Full, WarpState};
use crate::exec::warp::Collective;
use crate::machine::code::Code;
use crate::machine::grid::{access, thread_name};
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
        bits: &super::RegisterBits,
        regs: &Registers,
        reg: Reg,
        guilty: Mask,
        what: &str,
    ) {
        let origin = |lane: usize| bits.origins.get(regs, reg, lane);
        self.report(at, guilty, what, lanes(guilty).map(|lane| (lane, origin(lane))).find(|(_, origin)| *origin != 0));
    }

    /// The same for what lies in memory.
    pub(super) fn undefined_memory(&mut self, touch: &Touch, origins: &[(usize, Origin)], guilty: Mask, what: &str) {
        self.report(&touch.at, guilty, what, origins.iter().copied().find(|(_, origin)| *origin != 0));
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
        let why = if warp.exists >> from & 1 == 0 {
            Absent::NoThread
        } else if warp.exited >> from & 1 != 0 {
            Absent::Exited
        } else {
            Absent::NotNamed(regs.get(op.members, lane) as Mask)
        };
        let taker = thread_name(at.launch, at.block, 32 * at.warp + lane as u32);
        self.state.origins.absent(Absence { site: self.site(at), taker, from, why })
    }

    fn site(&self, at: &At) -> Site {
        Site { launch: self.number, pc: at.pc }
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

    /// A register's undefined bits have been stored.
    #[expect(clippy::too_many_arguments, reason = "one access, all its sides")]
    pub(super) fn store_origin(
        &mut self,
        touch: &Touch,
        block: &mut BlockState,
        warp: &mut WarpState,
        regs: &Registers,
        reg: Reg,
        skip: u64,
        lane: usize,
    ) {
        let mut origin = warp.bits.origins.get(regs, reg, lane);
        if origin != 0 {
            let thread = thread_name(touch.at.launch, touch.at.block, 32 * touch.at.warp + lane as u32);
            origin = self.state.origins.stored(origin, self.site(&touch.at), thread);
        }
        let origins = match touch.space {
            Space::Shared => &mut block.origins,
            Space::Global => &mut self.state.memory_origins,
            Space::Local => &mut warp.local_origins[lane],
            _ => return,
        };
        origins.set(touch.addresses[lane] + skip, touch.bytes.into(), origin);
    }

    fn report(&mut self, at: &At, guilty: Mask, what: &str, absent: Option<(usize, Origin)>) {
        if guilty == 0 {
            return;
        }
        match absent.and_then(|(lane, origin)| Some((lane, self.state.origins.trace(origin)?))) {
            Some((lane, trace)) => {
                let (number, past) = (self.number, &self.state.past);
                self.findings.absent(at, lane, what, &trace.absence, number, past);
            }
            None => self.findings.undefined(at, guilty, what),
        }
    }
}

impl Findings {
    fn absent(&mut self, at: &At, lane: usize, what: &str, absence: &Absence, number: u32, past: &Past) {
        let here = location(at.launch, at.pc);
        // Another launch's lines are numbered apart from this one's.
        let there = if absence.site.launch == number { location(at.launch, absence.site.pc) } else { u32::MAX };
        let key = (Slug::AbsentLane, there, here);
        if self.count(key, false, Distance::Warp) {
            return;
        }
        let code = if absence.site.launch == number { Some(at.launch.code) } else { past.code(absence.site.launch) };
        let thread = 32 * at.warp + lane as u32;
        let [x, y, z] = at.launch.block_index(at.block);
        let finding = Finding {
            slug: Slug::AbsentLane,
            kernel: at.launch.kernel.into(),
            message: format!("{what} depends on the value of a lane that was not there"),
            accesses: vec![
                taken(code, absence),
                access(at.launch, at.block, thread, at.pc, format!("made {what} depend on it")),
            ],
            place: format!("block ({x},{y},{z})"),
            why: why(absence),
            help: HELP.into(),
            count: 1,
            benign: false,
        };
        self.add(key, finding, Distance::Warp);
    }
}

/// The host copies what an absent lane gave.
pub fn copied(trace: &Trace, past: &Past, copies: Access, place: String, kernel: String) -> Finding {
    let Trace { absence, stored } = trace;
    let mut accesses = vec![taken(past.code(absence.site.launch), absence)];
    if let Some((site, thread)) = stored {
        accesses.push(end(past.code(site.launch), *site, *thread, "stored what came of it".into()));
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
    }
}

fn taken(code: Option<&Code>, absence: &Absence) -> Access {
    let from = absence.from;
    let action = match absence.why {
        Absent::NoThread => format!("took the value of lane {from}, where there is no thread"),
        Absent::Exited => format!("took the value of lane {from}, which had ended"),
        Absent::NotNamed(mask) => format!("took the value of lane {from}, which is not in mask {mask:#010x}"),
    };
    end(code, absence.site, absence.taker, action)
}

fn end(code: Option<&Code>, site: Site, thread: ThreadName, action: String) -> Access {
    Access {
        location: code.and_then(|code| code.location(site.pc).cloned()),
        ptx_line: code.map_or(0, |code| code.instrs.get(site.pc as usize).map_or(0, |instr| instr.line)),
        thread: Some(thread),
        action,
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
