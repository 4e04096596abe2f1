//! Shares of a sum, by three launches in one stream.

use crate::reference;
use common::check::{self, InputValues};
use common::{Expect, Row, Run, Slug, launch, launch_dependent};
use cust::memory::DeviceBuffer;
use cust::prelude::*;

/// Launches that begin before the one ahead of them has ended.
pub const CHAIN: Row = Row::pair("chain", Slug::RaceGlobal)
    .broken(&[
        ("chain_late", Expect::Finding(Slug::RaceGlobal)),
        ("chain_cleared", Expect::Finding(Slug::RaceGlobal)),
        ("chain_middle", Expect::Finding(Slug::RaceGlobal)),
    ])
    .correct(&["chain_plain"])
    .from_capability(9)
    .sizes(1 << 14, 2048)
    .from_zero()
    .job(|run| shared_out(run, &InputValues::seeded(8).ints(run.size(), 1, 1000)));

/// The values are as in the kernels' contract: from 1 to 1000.
pub fn shared_out(run: &Run, values: &[i32]) -> anyhow::Result<()> {
    let expected = reference::shares(values);
    let v = values.as_dbuf()?;
    run.each(|| check::equal(&in_three_launches(run, &v)?, &expected))
}

/// Threads of a block.
pub const BLOCK: u32 = 256;

/// The kernels of the second and of the third launch.
fn names(kernel: &str) -> (&str, &str) {
    if kernel == "chain_middle" { (kernel, "chain_correct") } else { ("chain_total", kernel) }
}

/// Blocks of the first launch, and of the third.
pub fn blocks(n: u32) -> u32 {
    n.div_ceil(BLOCK).max(1)
}

fn in_three_launches(run: &Run, v: &DeviceBuffer<i32>) -> anyhow::Result<Vec<i32>> {
    check::at_most(v.len(), 1 << 21)?;
    let n = v.len() as u32;
    let (second, third) = names(&run.kernel().name);
    let first = run.function_named("chain_parts")?;
    let (second, third) = (run.function_named(second)?, run.function_named(third)?);
    let blocks = blocks(n);
    let (parts, total) = (run.poisoned::<i32>(blocks as usize)?, run.poisoned::<i32>(1)?);
    let out = run.poisoned::<i32>(v.len())?;
    let stream = Stream::new(StreamFlags::DEFAULT, None)?;
    let (v, parts, total, shares) =
        (v.as_device_ptr(), parts.as_device_ptr(), total.as_device_ptr(), out.as_device_ptr());
    // SAFETY: `v` and `out` hold n ints, `parts` one for each block, and `total` one.
    unsafe {
        if run.kernel().name == "chain_plain" {
            launch!(first<<<blocks, BLOCK, 0, stream>>>(v, n, parts))?;
            launch!(second<<<1, BLOCK, 0, stream>>>(parts, blocks, total))?;
            launch!(third<<<blocks, BLOCK, 0, stream>>>(v, n, parts, total, shares))?;
        } else {
            launch_dependent!(first<<<blocks, BLOCK, 0, stream>>>(v, n, parts))?;
            launch_dependent!(second<<<1, BLOCK, 0, stream>>>(parts, blocks, total))?;
            launch_dependent!(third<<<blocks, BLOCK, 0, stream>>>(v, n, parts, total, shares))?;
        }
    }
    stream.synchronize()?;
    Ok(out.as_host_vec()?)
}
