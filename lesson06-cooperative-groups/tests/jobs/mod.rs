//! One run of any kernel of the table on drawn values, against its reference.

use common::Run;
use common::check::Values;
use lesson06_cooperative_groups::{copies, groups, names, reduce, reverse, sum};

/// Runs `kernel` of `row` at the run's size, on values of that seed: every run of it.
pub fn job(run: &Run, row: &str, kernel: &str, seed: u64) -> anyhow::Result<()> {
    let values = Values::seeded(seed).ints(run.size(), -1000, 1000);
    match row {
        "reduce_sum" => run.each(|| reduce::job(run, kernel, &values)),
        "sum_kernel_block" | "sum_unified" => sum::job(run, kernel, &values),
        "block_barrier" => run.each(|| groups::turned(run, &values)),
        "names" => run.each(|| names::job(run, kernel)),
        "partition" => run.each(|| groups::parts(run, kernel, &values)),
        "agg_inc" => {
            let share = (seed % 11) as f64 / 10.0;
            let values = Values::seeded(seed).with_positive_share(run.size(), share);
            run.each(|| groups::tickets(run, kernel, &values))
        }
        "async_copy" => copies::job(run, &values),
        "grid_reverse" => reverse::job(run, kernel, &values),
        _ => panic!("no job for the row `{row}`"),
    }
}
