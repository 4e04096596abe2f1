//! `barrier`: what one barrier costs, of a warp, of a block and of the grid: the difference between a launch with many
//! and one with the same loop and none.

use crate::data;
use crate::device::{Arg, Step};
use crate::measure::{Group, Method, Samples};
use crate::run::{Run, record};
use crate::stats;
use anyhow::{Context as _, Result, ensure};
use lesson06_cooperative_groups::reference;

/// A kernel and its shape: threads of a block, and blocks per multiprocessor.
struct Shape {
    kernel: &'static str,
    threads: u32,
    blocks: u32,
}

const NONE: &str = "barrier_cost_none";
const METHODS: &[Shape] = &[
    Shape { kernel: "barrier_cost_warp", threads: 32, blocks: 1 },
    Shape { kernel: "barrier_cost_block", threads: 256, blocks: 1 },
    Shape { kernel: "barrier_cost_block", threads: 1024, blocks: 1 },
    Shape { kernel: "barrier_cost_grid", threads: 256, blocks: 1 },
    Shape { kernel: "barrier_cost_grid", threads: 1024, blocks: 1 },
];
/// The one that is launched cooperatively.
const OF_GRID: &str = "barrier_cost_grid";

pub fn barrier(run: &mut Run) -> Result<()> {
    for shape in METHODS {
        if let Err(error) = of_shape(run, shape) {
            run.skip(&format!("barrier, {} with {} threads", shape.kernel, shape.threads), &error);
        }
    }
    Ok(())
}

fn of_shape(run: &mut Run, shape: &Shape) -> Result<()> {
    let &Shape { kernel, threads, .. } = shape;
    let barriers: u32 = if kernel == OF_GRID { run.at_scale(1000, 1000, 3) } else { run.at_scale(20_000, 20_000, 5) };
    let blocks = shape.blocks * run.at_scale(run.gpu.processors, run.gpu.processors, 2);
    let all = (threads * blocks) as usize;
    let room = run.gpu.room::<u32>(all)?;
    let out = room.as_device_ptr().as_raw();

    let launch = |kernel: &str| -> Result<Step> {
        let step = run.gpu.launch(kernel, blocks, threads, &[Arg::Pointer(out), Arg::Unsigned(barriers)])?;
        Ok(if kernel == OF_GRID { step.cooperative() } else { step })
    };
    let expected = reference::stepped(all, barriers);
    let check = |run: &Run, _: usize| {
        let wrong = run.host.first_wrong(out, all, |i, word| word == expected[i])?;
        ensure!(wrong.is_none(), "thread {} is wrong", wrong.unwrap_or(0));
        Ok(())
    };
    let methods = [NONE, kernel].map(|kernel| Ok(Method::new(kernel, vec![vec![launch(kernel)?]], check)));
    let group = Group {
        job: "barrier",
        input: format!("{blocks} blocks of {threads}"),
        n: u64::from(barriers),
        bytes: 0,
        methods: methods.into_iter().collect::<Result<_>>()?,
        peer: None,
        poison: Box::new(move |run| data::poison(&run.gpu, out, all)),
    };
    let samples = run.samples(&group)?;
    if let [without, with] = &samples[..] {
        let cost = cost(without, with, barriers).context("nothing was measured")?;
        if stats::interval(&cost.all()).0 <= 0.0 {
            run.note(say!("too-cheap", kernel, threads));
        } else {
            run.keep(record(&group, &cost, None));
        }
    }
    Ok(())
}

/// The cost of one barrier, round by round.
fn cost(without: &Samples, with: &Samples, barriers: u32) -> Option<Samples> {
    let both = without.rounds.iter().zip(&with.rounds);
    let rounds: Vec<Option<f64>> =
        both.map(|(&without, &with)| Some((with? - without?) / f64::from(barriers))).collect();
    rounds.iter().any(Option::is_some).then(|| Samples { name: with.name.clone(), rounds })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_barrier_costs_the_difference_of_the_same_round() {
        let samples = |rounds: &[Option<f64>]| Samples { name: "x".into(), rounds: rounds.to_vec() };
        let without = samples(&[Some(1.0), Some(2.0), None]);
        let with = samples(&[Some(3.0), Some(5.0), Some(9.0)]);
        assert_eq!(cost(&without, &with, 10).unwrap().rounds, [Some(0.2), Some(0.3), None]);
        assert!(cost(&without, &samples(&[None, None, None]), 10).is_none());
    }
}
