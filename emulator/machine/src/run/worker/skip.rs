//! Accesses that are not allowed, where all is checked: each is told and left out, and the launch goes on. At its end
//! the host hears of the first of them. So what comes later in the kernel is seen, too.
//!
//! A load that is left out brings zero, and nobody knows what it should have brought. What hangs on such a value alone
//! is left out or not told: accesses at such an address, races of lanes that have branched by it, waits that never end.
//! This errs towards silence.

use super::Worker;
use crate::exec::Op;
use crate::exec::async_copy::Async;
use crate::memory::Region;
use crate::registers::{Mask, Reg, Width, lanes};
use crate::run::access::{InvalidAccess, addresses, refusal};
use crate::run::accessed::Accessed;
use crate::run::async_copies;
use crate::run::ending::Fatal;
use crate::run::misplaced::Misplaced;
use crate::run::warp::Warp;
use crate::watch::{At, Watch};
use finding::{Cause, Decision};
use std::sync::atomic::Ordering::Relaxed;

/// Thread instructions that a launch may take after that before threads of it must end.
const FUEL: u64 = 1 << 26;
/// An access that is left out takes as long as so many thread instructions.
const FUEL_OF_SKIP: u64 = 128;

impl<W: Watch> Worker<'_, W> {
    /// Returns those lanes of `exec` whose registers for this access are not misled by work that was left out.
    #[inline(always)]
    pub(super) fn may_access(
        &mut self,
        here: &At,
        warp: &mut Warp<W>,
        made_with: &[(Reg, Decision)],
        op: &Op,
        exec: Mask,
    ) -> Mask {
        if W::ON {
            for &(reg, what) in made_with {
                self.watch.decide(here, &mut warp.watch, &warp.regs, reg, exec, what);
            }
        }
        if W::GOES_ON && (self.has_skipped || self.misses_work) { self.without_misled(warp, op, exec) } else { exec }
    }

    #[cold]
    fn without_misled(&mut self, warp: &mut Warp<W>, op: &Op, exec: Mask) -> Mask {
        let base = |op| Accessed::by(op).map_or(Reg::NONE, |it| it.base);
        let made_with = match op {
            Op::Atomic(it) => [&it.src[..], &[it.base, it.swap]].concat(),
            Op::Async(it) => match &**it {
                Async::Start(copy) => vec![copy.to.base, copy.from.base, copy.given.register()],
                _ => Vec::new(),
            },
            Op::Image(it) => it.made_with().to_vec(),
            op => vec![base(op)],
        };
        let misled = made_with.iter().map(|&reg| self.watch.misled(&warp.watch, &warp.regs, reg, exec));
        let misled = misled.fold(0, |all, some| all | some);
        if misled != 0 {
            self.leave_out(warp, op, misled);
        }
        exec & !misled
    }

    /// Leaves out what is not allowed; the lanes that are left may make the access. `None` where the launch ends
    /// instead.
    #[inline(always)]
    pub(super) fn skip(
        &mut self,
        here: &At,
        warp: &mut Warp<W>,
        shared: &Region,
        op: &Op,
        invalid: &InvalidAccess,
    ) -> Option<Mask> {
        W::GOES_ON.then(|| self.skip_all(here, warp, shared, op, invalid))
    }

    #[cold]
    fn skip_all(&mut self, here: &At, warp: &mut Warp<W>, shared: &Region, op: &Op, invalid: &InvalidAccess) -> Mask {
        let why = |lane: usize| match (op, Accessed::by(op)) {
            (Op::Async(it), _) => match &**it {
                Async::Start(copy) => async_copies::refusal(here.launch, shared, &warp.regs, copy, lane),
                _ => None,
            },
            (Op::Image(_), _) => (lane == invalid.lane).then_some(*invalid),
            (_, Some(it)) => {
                let at = addresses(&warp.regs, it.base, it.offset)[lane];
                let bytes = u64::from(it.bytes * it.elements);
                refusal(here.launch, shared, (&warp.locals, &warp.stacks), lane, (it.space, at, bytes), it.kind)
            }
            (_, None) => None,
        };
        let bad: Vec<InvalidAccess> = lanes(invalid.remaining).filter_map(why).collect();
        // The accesses of lanes that have gone astray are not reported.
        let astray = self.watch.astray(&warp.watch);
        if let Some(first) = bad.iter().find(|it| astray >> it.lane & 1 == 0) {
            let (misplaced, calls) = (Misplaced::new(here, first), warp.calls(here.frame));
            if !self.has_skipped {
                self.has_skipped = true;
                here.launch.will_end(misplaced.fault());
                here.launch.tree.fuel.fetch_min(FUEL, Relaxed);
            }
            self.watch.misplaced(here, misplaced.slug, &mut warp.watch, &|| misplaced.finding(&calls));
        }
        let bad = bad.iter().fold(1 << invalid.lane, |bad, it| bad | 1 << it.lane);
        self.leave_out(warp, op, bad);
        invalid.remaining & !bad
    }

    /// These lanes' access is not made.
    fn leave_out(&mut self, warp: &mut Warp<W>, op: &Op, mask: Mask) {
        self.launch.tree.burn(FUEL_OF_SKIP);
        let of_image = if let Op::Image(it) = op { it.results() } else { Vec::new() };
        let (results, writes) = match op {
            Op::Image(_) => (&of_image[..], false),
            Op::Load(it) => (&it.dst[..it.elements as usize], false),
            Op::Atomic(it) => (&it.dst[..it.elements as usize], true),
            _ => (&[][..], true),
        };
        self.watch.left_out(&mut warp.watch, &warp.regs, results, mask, writes);
        for &reg in results.iter().filter(|reg| reg.width != Width::Pred) {
            lanes(mask).for_each(|lane| warp.regs.set_quad(reg, lane, 0));
        }
    }

    /// The most fuel that the launch may have from now on.
    pub(super) fn most_fuel(&self) -> u64 {
        let given = self.launch.tree.fuel_given;
        if self.has_skipped { given.min(FUEL) } else { given }
    }

    /// True for an end that may come of an access that was left out, or of work that was not run: it is not told. After
    /// an access that was left out, nor is a launch that is only long.
    pub(super) fn is_consequence(&self, ending: &Fatal) -> bool {
        let is_guess = matches!(&ending.0.cause, Cause::Livelock(it) if !it.proven);
        self.has_skipped && is_guess || (self.has_skipped || self.misses_work) && self.watch.may_follow()
    }
}
