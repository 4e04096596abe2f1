//! `mma.sync` when all lanes have come: see `exec::matrix`.
//!
//! Undefined bits pass from `a` and `c` to the results. What is undefined in `b` belongs to columns that other lanes
//! hold, and is not followed.

use super::warp::{Wait, Warp};
use crate::exec::Alu;
use crate::exec::IS_WHOLE;
use crate::exec::matrix::{Fragments, LaneRegister, Mma};
use crate::exec::warp::Collective;
use crate::lanes::{Args, ternary};
use crate::registers::{Mask, WARP, lanes};
use crate::watch::Watch;

/// `here` are the groups that have met; `op_at` is the instruction that a group stands on.
pub(super) fn multiply<'c, W: Watch>(
    watch: &mut W,
    warp: &mut Warp<W>,
    here: &[usize],
    op_at: impl Fn(u32) -> &'c Collective,
    mma: &Mma,
) {
    if !IS_WHOLE {
        return;
    }
    let mut brought: [Vec<LaneRegister>; 3] = Default::default();
    for &at in here {
        let group = warp.groups[at];
        warp.enter_window(group.frame);
        let Some(Fragments { a, b, c, .. }) = op_at(group.pc).fragments.as_deref() else { return };
        for (registers, brought) in [a, b, c].into_iter().zip(&mut brought) {
            brought.resize(registers.len(), [0; WARP]);
            for (reg, values) in registers.iter().zip(brought) {
                lanes(group.mask).for_each(|lane| values[lane] = warp.regs.get(*reg, lane));
            }
        }
    }
    let [a, b, c] = &brought;
    let results = mma.compute(a, b, c);
    for &at in here {
        let group = warp.groups[at];
        warp.enter_window(group.frame);
        let Some(fragments) = op_at(group.pc).fragments.as_deref() else { return };
        if W::ON {
            follow(watch, warp, mma, fragments, group.mask);
        }
        for (reg, values) in fragments.d.iter().zip(&results) {
            lanes(group.mask).for_each(|lane| warp.regs.set(*reg, lane, values[lane]));
        }
        warp.groups[at].pc += 1;
        warp.groups[at].wait = Wait::Ready;
    }
}

/// Tells what comes to hold undefined bits. Every register is told before one is written.
fn follow<W: Watch>(watch: &mut W, warp: &mut Warp<W>, mma: &Mma, fragments: &Fragments, mask: Mask) {
    for (nth, &d) in fragments.d.iter().enumerate() {
        let mut rows = mma.rows_of(fragments, nth);
        let (a, b) = (rows.next().unwrap_or_default(), rows.next().unwrap_or_default());
        let alu = Alu {
            kernel: ternary(|a: u32, _: u32, _: u32| a),
            args: Args { d, a, b, c: fragments.c.get(nth).copied().unwrap_or_default(), ..Args::default() },
            flow: crate::watch::flow::all,
        };
        watch.alu(&mut warp.watch, &warp.regs, &alu, mask);
    }
}
