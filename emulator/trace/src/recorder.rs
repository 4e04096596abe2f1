//! Records one launch, as the machine tells it.

use crate::bits::Lanes;
use crate::data::{Grid, Site};
use crate::event::{Event, What, Who};
use crate::found::Finds;
use crate::tracer::Tracer;
use crate::warps::{Regrouped, Warps};
use checker::Sites;
use machine::registers::Mask;
use machine::run::launch::Launch;
use machine::watch::{At, Late, Older};
use rustc_hash::FxHashMap;

pub(crate) struct Recorder<'t> {
    pub tracer: &'t mut Tracer,
    sites: Sites,
    /// The indices of these sites in the trace's table.
    known: FxHashMap<u32, usize>,
    pub warps: Warps,
    /// Thread instructions executed before the present instruction.
    now: u64,
    step: Option<OpenStep>,
    /// The older values that the next load gets.
    pub older: Option<Box<Older>>,
    /// The number of writes, by lane, that the next store comes before.
    pub behind: Option<[u8; 32]>,
    /// The older values that the next atomic operation finds.
    pub late: Option<Box<Late>>,
    /// The last event, if it is kept.
    pub last: Option<usize>,
    pub finds: Finds,
}

/// The step under way.
struct OpenStep {
    /// Block, warp and lanes.
    who: (u64, u32, Mask),
    line: usize,
    /// The index of its event, if that is kept.
    position: Option<usize>,
}

impl<'t> Recorder<'t> {
    pub fn new(tracer: &'t mut Tracer, launch: &Launch) -> Recorder<'t> {
        tracer.begin(launch);
        Recorder {
            now: tracer.time,
            tracer,
            sites: Sites::new(launch.code),
            known: FxHashMap::default(),
            warps: Warps::default(),
            step: None,
            older: None,
            behind: None,
            late: None,
            last: None,
            finds: Finds::default(),
        }
    }

    /// Adds a grid of this launch, which a kernel has launched.
    pub fn add_grid(&mut self, child: &Launch) {
        let grids = self.tracer.launches.last_mut().map(|launch| &mut launch.grids);
        grids.into_iter().for_each(|grids| grids.push(grid(child)));
    }

    /// The call at `call` leads to frame `frame`.
    pub fn called(&mut self, call: &At, frame: u32) {
        let chains = &mut self.warps.of(call.block, call.warp).chains;
        let outer = chains.get(call.frame as usize).copied().unwrap_or(0);
        let inner = self.sites.call(outer, call.pc);
        let frame = frame as usize;
        if chains.len() <= frame {
            chains.resize(frame + 1, 0);
        }
        chains[frame] = inner;
    }

    pub fn site(&mut self, at: &At) -> usize {
        let chains = if at.frame == 0 { &[][..] } else { &self.warps.of(at.block, at.warp).chains };
        let site = self.sites.of(at, chains);
        let (sites, tables, code) = (&self.sites, &mut self.tracer.tables, at.launch.code);
        *self.known.entry(site).or_insert_with(|| {
            let (location, called_from) = sites.user_lines(code, site);
            let ptx_line = code.instrs.get(sites.pc(site) as usize).map_or(0, |instr| instr.line);
            tables.site(Site { location, called_from, ptx_line })
        })
    }

    /// Adds an event of some lanes.
    pub fn push(&mut self, at: &At, mask: Mask, what: impl FnOnce(&mut Recorder) -> What) {
        if !self.tracer.log.has_room() {
            return self.leave_out();
        }
        let who = Who { block: at.block, warp: at.warp, lanes: Lanes(mask), site: self.site(at) };
        let what = what(self);
        self.put(Some(who), what);
    }

    /// Adds an event of no single warp.
    pub fn push_of_none(&mut self, what: impl FnOnce() -> What) {
        if !self.tracer.log.has_room() {
            return self.leave_out();
        }
        self.put(None, what());
    }

    fn leave_out(&mut self) {
        self.tracer.log.left_out += 1;
        self.last = None;
    }

    fn put(&mut self, who: Option<Who>, what: What) {
        let time = self.now;
        self.last = self.tracer.log.push(|| Event { time, who, what });
    }

    /// The last event, to be completed, if it is kept.
    pub fn last(&mut self) -> Option<&mut What> {
        self.last.map(|at| &mut self.tracer.log.events[at].what)
    }

    pub fn turn(&mut self, at: &At, mask: Mask) {
        self.now = self.tracer.time;
        self.step = None;
        self.regroup(at, mask);
        self.push(at, mask, |_| What::Turn);
    }

    /// Counts an instruction in the step under way, or begins a step. A step stands for consecutive instructions of one
    /// group in one source line.
    pub fn executed(&mut self, at: &At, mask: Mask, exec: Mask) {
        self.now = self.tracer.time;
        self.tracer.time += u64::from(exec.count_ones());
        let until = self.tracer.time;
        let who = (at.block, at.warp, mask);
        if self.step.as_ref().is_some_and(|step| step.who != who) {
            self.regroup(at, mask);
        }
        let site = self.site(at);
        let line = self.tracer.tables.line(site);
        if let Some(step) = self.step.as_ref().filter(|step| step.who == who && step.line == line) {
            if let Some(position) = step.position
                && let What::Step { instructions, until: end } = &mut self.tracer.log.events[position].what
            {
                (*instructions, *end) = (*instructions + 1, until);
            }
            return;
        }
        self.push(at, mask, |_| What::Step { instructions: 1, until });
        self.step = Some(OpenStep { who, line, position: self.last });
    }

    /// Tells what has become of the groups of a warp whose lanes in `mask` go on together.
    fn regroup(&mut self, at: &At, mask: Mask) {
        let Regrouped { joined, left } = self.warps.of(at.block, at.warp).regroup(mask);
        if !joined.is_empty() {
            self.push(at, mask | left, |_| What::Join { groups: joined.iter().map(|&group| Lanes(group)).collect() });
        }
        if left != 0 {
            self.push(at, mask, |_| What::Split { others: Lanes(left), at_branch: false });
        }
    }

    /// Lanes part at a branch.
    pub fn part(&mut self, at: &At, one: Mask, other: Mask) {
        self.warps.of(at.block, at.warp).regroup(one);
        self.push(at, one, |_| What::Split { others: Lanes(other), at_branch: true });
    }

    pub fn exit(&mut self, at: &At, mask: Mask) {
        self.push(at, mask, |_| What::Exits);
        if self.warps.of(at.block, at.warp).end(mask) {
            self.warps.forget(at.block, at.warp);
        }
    }
}

pub(crate) fn grid(launch: &Launch) -> Grid {
    Grid {
        kernel: launch.kernel.to_string(),
        grid: launch.grid,
        block: launch.block,
        first_block: launch.first_block(),
    }
}
